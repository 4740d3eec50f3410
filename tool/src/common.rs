//! What was asked of many verbs alike: no word of what went well, no file, or files besides what is printed.

use clap::ArgMatches;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static QUIET: AtomicBool = AtomicBool::new(false);
static DRY: AtomicBool = AtomicBool::new(false);
static WRITES: AtomicBool = AtomicBool::new(false);
static BACKUPS: OnceLock<PathBuf> = OnceLock::new();

/// Notes what was typed.
pub(super) fn note(typed: &ArgMatches) {
    let Some((_, typed)) = typed.subcommand() else { return };
    let is_set = |id: &str| typed.try_get_one::<bool>(id).is_ok_and(|yes| yes == Some(&true));
    QUIET.store(is_set("quiet"), Relaxed);
    DRY.store(is_set("dry_run"), Relaxed);
    if let Ok(Some(folder)) = typed.try_get_one::<PathBuf>("backup_dir") {
        let _ = BACKUPS.set(folder.clone());
    }
}

/// The folder in which files that are written over are kept; `None` if that is beside them.
pub(super) fn backups() -> Option<&'static Path> {
    BACKUPS.get().map(PathBuf::as_path)
}

/// Whether nothing is said of what went well.
pub(super) fn quiet() -> bool {
    QUIET.load(Relaxed)
}

/// Says that the run has files to write, besides what it prints.
pub(super) fn write_files() {
    WRITES.store(true, Relaxed);
}

/// Whether the run has files to write. Then it does not end if nobody reads what it prints.
pub(super) fn writes_files() -> bool {
    WRITES.load(Relaxed)
}

/// Whether no file is written.
pub(super) fn dry() -> bool {
    DRY.load(Relaxed)
}
