//! Writes files for all verbs: whole or not at all, and over an existing file only with `--force`.

use super::out::{is_stdout, warn};
use navmap::bytes::{Saver, leftovers, save_new};
use navmap::error::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Writes the file at `path` by `write`; `-` is standard output.
///
/// # Errors
/// If the file exists and `force` is not set, or if the operating system reports an error. The file is then as it was.
pub(super) fn save(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    if is_stdout(path) {
        let mut out = BufWriter::with_capacity(64 << 10, io::stdout());
        return write(&mut out).and_then(|()| out.flush()).map_err(Error::from);
    }
    vacant(path, force)?;
    mention_leftovers(path);
    finish(Saver::create(path)?, path, force, write)
}

/// As [`save`], for a name that comes from an archive. It never writes through a symbolic link.
///
/// # Errors
/// Those of [`save`], and if the path is a symbolic link.
pub(super) fn save_unlinked(path: &Path, force: bool, bytes: &[u8]) -> Result<()> {
    mention_leftovers(path);
    finish(Saver::create_unlinked(path)?, path, force, |out| out.write_all(bytes))
}

/// Refuses a path that exists, before the work for it is done.
///
/// # Errors
/// If the path exists and `force` is not set.
pub(super) fn vacant(path: &Path, force: bool) -> Result<()> {
    if !force && !is_stdout(path) && path.symlink_metadata().is_ok() { Err(taken(path)) } else { Ok(()) }
}

fn finish(
    mut saver: Saver,
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    write(&mut saver).map_err(|error| Error::from(error).in_file(path))?;
    if force {
        return saver.commit();
    }
    saver.commit_new().map_err(|error| match error.kind() {
        ErrorKind::Io(io) if io.kind() == io::ErrorKind::AlreadyExists => taken(path),
        _ => error,
    })
}

#[cold]
fn taken(path: &Path) -> Error {
    Error::invalid("file", "is there already (--force replaces it)").in_file(path)
}

/// Names, once for each folder, the temporary files that earlier, killed runs have left in it.
fn mention_leftovers(path: &Path) {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.insert(folder.to_owned()) {
        for left in leftovers(folder) {
            warn(format_args!(
                "navmap: {}: left by a run that was killed; it may be removed",
                left.display()
            ));
        }
    }
}

/// Whether a file could not be made because there is one already.
pub(super) fn exists(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io(io) if io.kind() == io::ErrorKind::AlreadyExists)
}

/// Writes the old bytes beside the file, under the first name that is free: `a.nav.bak`, `a.nav.bak2`.
pub(super) fn back_up(path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    let mut number = 1_u32;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".bak".to_owned() } else { format!(".bak{number}") });
        let name = PathBuf::from(name);
        match save_new(&name, bytes) {
            Ok(()) => return Ok(name),
            Err(error) if exists(&error) && number < 1000 => number = number.saturating_add(1),
            Err(error) => return Err(error),
        }
    }
}
