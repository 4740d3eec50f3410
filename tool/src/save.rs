//! Writes files for all verbs: whole or not at all, and over an existing file only with `--force`.

use super::common;
use super::inputs;
use super::out::{Out, is_stdout, say, warn};
use navmap::bytes::{Saver, leftovers, save_new_like};
use navmap::error::{Error, ErrorKind, Result};
use navmap::text::{counted, path_text};
use navmap::threads::locked;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Writes the file at `path` with `write`; `-` is standard output. The folders that it is to lie in are made if they are not there.
///
/// # Errors
/// If the file exists and `force` is not set, if the run reads it and does not change it, if another program has changed it
/// meanwhile, or if the operating system reports an error. The file is then as it was.
pub(super) fn save(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    vacant(path, force)?;
    if common::dry() {
        return unwritten(path, write);
    }
    if is_stdout(path) {
        let mut out = Out::new();
        return write(&mut out).and_then(|()| out.flush()).map_err(Error::from);
    }
    path.parent().map_or(Ok(()), make_folder)?;
    mention_leftovers(path);
    match inputs::hold(path)? {
        Some(held) if force => {
            // It may have become a link to the mesh by now.
            inputs::apart(path)?;
            held.save(path, write)
        }
        _ => finish(Saver::create(path)?, path, force, write),
    }
}

/// Begins a file that is written by and by. It is there once [`end`] is called.
///
/// # Errors
/// If the file exists and `force` is not set, if the run reads it, or if the operating system reports an error.
#[cfg(feature = "sql")]
pub(super) fn begin(path: &Path, force: bool) -> Result<Saver> {
    vacant(path, force)?;
    path.parent().map_or(Ok(()), make_folder)?;
    mention_leftovers(path);
    Saver::create(path)
}

/// Writes over a mesh that was read, and keeps the file as it was beside it if `keep`. Returns the name of that copy. `held` is the file
/// itself, if it is held: the path may be a link, which leads elsewhere at any time.
///
/// # Errors
/// If another program has changed the file meanwhile, if it is read-only and `force` is not set, or if the operating system
/// reports an error. The file is then as it was.
pub(super) fn save_over(
    path: &Path,
    held: Option<inputs::Holding>,
    force: bool,
    bytes: &[u8],
    keep: bool,
) -> Result<Option<PathBuf>> {
    let file = held.as_ref().map_or(path, inputs::Holding::path);
    writable(file, force)?;
    if common::dry() {
        return unwritten(path, |out| out.write_all(bytes)).map(|()| None);
    }
    let before = held.as_ref().map_or_else(|| std::fs::read(file), inputs::Holding::read);
    let before = before.map_err(|error| Error::from(error).in_file(path))?;
    if before == bytes {
        return Ok(None);
    }
    let copy = keep.then(|| back_up(path, &before, file)).transpose()?;
    mention_leftovers(path);
    match held {
        Some(held) => held.save(path, |out| out.write_all(bytes))?,
        None => finish(Saver::create(file)?, path, true, |out| out.write_all(bytes))?,
    }
    Ok(copy)
}

/// Refuses to write over a file that is read-only.
///
/// # Errors
/// If it is, and `force` is not set.
pub(super) fn writable(path: &Path, force: bool) -> Result<()> {
    let read_only = path.metadata().is_ok_and(|data| data.permissions().readonly());
    if read_only && !force {
        let why = "is read-only (--force writes over it)";
        return Err(Error::from(io::Error::new(io::ErrorKind::PermissionDenied, why)).in_file(path));
    }
    Ok(())
}

/// As [`save`], for a name that comes from an archive. It never writes through a symbolic link, and does not wait for the
/// disk: the archive still has everything.
///
/// # Errors
/// Those of [`save`], and if the path is a symbolic link.
pub(super) fn save_unlinked(path: &Path, force: bool, bytes: &[u8]) -> Result<()> {
    inputs::apart(path)?;
    if common::dry() {
        vacant(path, force)?;
        return unwritten(path, |out| out.write_all(bytes));
    }
    mention_leftovers(path);
    finish(Saver::create_unlinked(path)?.unhurried(), path, force, |out| out.write_all(bytes))
}

/// Refuses a path that exists, before the work for it is done, one that the run reads, and one that can have no folder.
///
/// # Errors
/// If the path exists and `force` is not set, if it leads to a file that is read and not changed, or if a file lies where a folder
/// would be.
pub(super) fn vacant(path: &Path, force: bool) -> Result<()> {
    if is_stdout(path) {
        return Ok(());
    }
    path.parent().map_or(Ok(()), may_be_folder)?;
    if !force && path.symlink_metadata().is_ok() { Err(taken(path)) } else { inputs::apart(path) }
}

/// Refuses a folder that cannot be made.
fn may_be_folder(path: &Path) -> Result<()> {
    let there = path.ancestors().find(|above| above.symlink_metadata().is_ok());
    match there.filter(|there| !there.is_dir()) {
        Some(there) => Err(Error::from(io::Error::from(io::ErrorKind::NotADirectory)).in_file(there)),
        None => Ok(()),
    }
}

fn finish(
    mut saver: Saver,
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    write(&mut saver).map_err(|error| Error::from(error).in_file(path))?;
    end(saver, path, force)
}

/// Moves a file that is whole to its place.
///
/// # Errors
/// If a file is there by now and `force` is not set, or if the operating system reports an error.
pub(super) fn end(saver: Saver, path: &Path, force: bool) -> Result<()> {
    if force {
        return saver.commit_if(inputs::is_none);
    }
    saver.commit_new().map_err(|error| match error.kind() {
        ErrorKind::Io(io) if io.kind() == io::ErrorKind::AlreadyExists => taken(path),
        _ => error,
    })
}

/// Makes a folder that files are written to, and those around it. A dry run makes none, and looks whether one could be made.
///
/// # Errors
/// If something else lies there, or if the operating system reports an error.
pub(super) fn make_folder(path: &Path) -> Result<()> {
    if common::dry() {
        return may_be_folder(path);
    }
    std::fs::create_dir_all(path).map_err(|error| Error::from(error).in_file(path))
}

/// Says what would be written, which is made all the same: then it is known that it can be.
fn unwritten(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    struct Count(u64);
    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.saturating_add(bytes.len() as u64);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    write(&mut count).map_err(|error| Error::from(error).in_file(path))?;
    let bytes = counted(count.0, "byte", "bytes");
    say(format_args!("navmap: {} is not written, {bytes}: --dry-run", path_text(path)));
    Ok(())
}

#[cold]
fn taken(path: &Path) -> Error {
    Error::invalid("file", "is there already (--force replaces it)").in_file(path)
}

/// Reports, once per folder, the temporary files that earlier, killed runs have left in it.
fn mention_leftovers(path: &Path) {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut seen = locked(&SEEN);
    if seen.insert(folder.to_owned()) {
        for left in leftovers(folder) {
            warn(format_args!(
                "navmap: {}: left by a run that was killed; it may be removed",
                path_text(&left)
            ));
        }
    }
}

/// Whether a file could not be made because it already exists.
pub(super) fn exists(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io(io) if io.kind() == io::ErrorKind::AlreadyExists)
}

/// Writes the old bytes beside the file, or below the folder for such copies, under the first name that is free: `a.nav.bak`,
/// `a.nav.bak2`. Whoever may not read the file, which is `like`, may not read the copy.
fn back_up(path: &Path, bytes: &[u8], like: &Path) -> Result<PathBuf> {
    let place = match common::backup_of(path) {
        Some(place) => {
            place.parent().map_or(Ok(()), make_folder)?;
            place
        }
        None => path.to_owned(),
    };
    let mut number = 1_u32;
    loop {
        let mut name = place.as_os_str().to_owned();
        name.push(if number == 1 { ".bak".to_owned() } else { format!(".bak{number}") });
        let name = PathBuf::from(name);
        match save_new_like(&name, bytes, like) {
            Ok(()) => return Ok(name),
            Err(error) if exists(&error) && number < 1000 => number = number.saturating_add(1),
            Err(error) => return Err(error),
        }
    }
}
