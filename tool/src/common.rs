//! What was asked of many verbs alike: no word of what went well, no file, or files besides what is printed.

use clap::ArgMatches;
use navmap::threads::locked;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

static QUIET: AtomicBool = AtomicBool::new(false);
static DRY: AtomicBool = AtomicBool::new(false);
static WRITES: AtomicBool = AtomicBool::new(false);
static BACKUPS: OnceLock<PathBuf> = OnceLock::new();
static ROOTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Notes what was typed.
pub(super) fn note(typed: &ArgMatches) {
    let Some((_, typed)) = typed.subcommand() else { return };
    let is_set = |id: &str| typed.try_get_one::<bool>(id).is_ok_and(|yes| yes == Some(&true));
    QUIET.store(is_set("quiet"), Relaxed);
    DRY.store(is_set("dry_run"), Relaxed);
    if let Ok(Some(folder)) = typed.try_get_one::<PathBuf>("backup_dir") {
        let _ = BACKUPS.set(folder.clone());
    }
    for id in ["path", "paths"] {
        if let Ok(Some(paths)) = typed.try_get_many::<PathBuf>(id) {
            begin_at(paths.cloned());
        }
    }
}

/// Notes which files and folders are worked through.
pub(super) fn begin_at(roots: impl IntoIterator<Item = PathBuf>) {
    locked(&ROOTS).extend(roots);
}

/// Where a file that is written over is kept, without the ending of such copies, if that is not beside it: below the folder for
/// them, as it lies below the folder that was worked through.
pub(super) fn backup_of(path: &Path) -> Option<PathBuf> {
    let roots = locked(&ROOTS);
    BACKUPS.get().map(|folder| folder.join(below(path, &roots)))
}

/// The path of a file below the first of some folders that holds it, or its name.
pub(super) fn below<'p>(path: &'p Path, roots: &[PathBuf]) -> &'p Path {
    let below = roots.iter().find_map(|root| path.strip_prefix(root).ok());
    let below = below.filter(|below| !below.as_os_str().is_empty());
    below.or_else(|| path.file_name().map(Path::new)).unwrap_or(path)
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
