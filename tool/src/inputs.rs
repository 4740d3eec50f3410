//! The files that a run reads, told by the files themselves and not by their names: no output goes over one of them, and
//! a mesh that is written over is still the one that was read.

use super::out::is_stdout;
use clap::ArgMatches;
use navmap::bytes::{Held, Seen};
use navmap::error::{Error, Result};
use navmap::open::on_disk;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Options that name a file which is written.
const OUTPUTS: [&str; 5] = ["output", "journal", "draw", "html", "report"];
/// Further arguments that name no file which is read.
const NEITHER: [&str; 3] = ["tile_set", "all", "backup_dir"];

/// The mesh of verbs that change one: the output may be that mesh, as with `--in-place`.
const CHANGED: [(&str, &str); 7] = [
    ("edit", "path"),
    ("patch", "path"),
    ("slim", "path"),
    ("analyze", "path"),
    ("check", "paths"),
    ("generate", "into"),
    ("merge", "ours"),
];

/// A file that is read.
struct Input {
    /// Without links.
    path: PathBuf,
    seen: Seen,
    /// Whether it may be written over.
    changed: bool,
}

static READ: Mutex<Vec<Input>> = Mutex::new(Vec::new());

fn inputs() -> MutexGuard<'static, Vec<Input>> {
    READ.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes the files that were typed, before any is read.
///
/// # Errors
/// If two outputs are one file, or one of them is a file that is read.
pub(super) fn note(typed: &ArgMatches) -> Result<()> {
    let Some((verb, typed)) = typed.subcommand() else { return Ok(()) };
    let (mut outputs, mut beside): (Vec<&PathBuf>, Vec<&PathBuf>) = Default::default();
    for id in typed.ids().map(clap::Id::as_str) {
        // Groups and values of other kinds are no paths.
        let Ok(Some(paths)) = typed.try_get_many::<PathBuf>(id) else { continue };
        if OUTPUTS.contains(&id) {
            outputs.extend(paths.clone());
            beside.extend(paths.filter(|_| id != "output"));
        } else if !NEITHER.contains(&id) {
            let changed = CHANGED.contains(&(verb, id));
            paths.for_each(|path| read(path, changed));
        }
    }
    // A journal or a picture is no mesh, even if the mesh may be written over.
    beside.iter().filter(|path| !is_stdout(path)).try_for_each(|path| judge(path, false))?;
    for (at, one) in outputs.iter().enumerate() {
        if let Some(other) = outputs.iter().skip(at.saturating_add(1)).find(|other| same(one, other)) {
            let why = format!("is to be two outputs, {} and {}", one.display(), other.display());
            return Err(Error::invalid("file", why));
        }
    }
    Ok(())
}

/// Notes a file that is going to be read. `changed`: it may be written over.
pub(super) fn read(path: &Path, changed: bool) {
    let file = if path.as_os_str() == "-" { Path::new("/dev/stdin") } else { on_disk(path) };
    if let (true, Ok(seen)) = (file.is_file(), Seen::at(file)) {
        inputs().push(Input { path: real(file), seen, changed });
    }
}

/// Notes a file as it is now, which may be written over: it was changed by another program, and the run knows.
pub(super) fn again(path: &Path) {
    let Ok(seen) = Seen::at(path) else { return };
    let path = real(path);
    let mut inputs = inputs();
    inputs.retain(|input| input.path != path);
    inputs.push(Input { path, seen, changed: true });
}

/// Notes a file that may be written over, or all files in a folder, before any of them is read.
pub(super) fn read_all(path: &Path) {
    let mut paths = vec![path.to_owned()];
    while let Some(path) = paths.pop() {
        match std::fs::read_dir(&path) {
            // Links to folders are not followed: they may lead around in a circle.
            Ok(entries) => paths.extend(
                entries
                    .flatten()
                    .map(|entry| entry.path())
                    .filter(|path| path.is_file() || path.symlink_metadata().is_ok_and(|data| data.is_dir())),
            ),
            Err(_) => read(&path, true),
        }
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Whether two outputs are one file, which need not be there yet.
fn same(one: &Path, other: &Path) -> bool {
    if is_stdout(one) || is_stdout(other) {
        return is_stdout(one) && is_stdout(other);
    }
    match (Seen::at(one), Seen::at(other)) {
        (Ok(one), Ok(other)) => one.is_file_of(&other),
        (Err(_), Err(_)) => {
            let folder =
                |path: &Path| path.parent().map(|folder| Path::new(".").join(folder).canonicalize().ok());
            one.file_name() == other.file_name() && folder(one) == folder(other)
        }
        _ => false,
    }
}

/// Refuses an output that is a file which is read.
///
/// # Errors
/// If it is one, by whatever name, and is not the mesh that is changed.
pub(super) fn apart(output: &Path) -> Result<()> {
    judge(output, true)
}

/// Refuses an output that is a file which is read, even one that may be written over: what is written is something else, as a patch is
/// no new version of a plugin.
///
/// # Errors
/// If it is one, by whatever name.
pub(super) fn unread(output: &Path) -> Result<()> {
    judge(output, false)
}

fn judge(output: &Path, is_mesh: bool) -> Result<()> {
    let Ok(now) = Seen::at(output) else { return Ok(()) };
    match inputs().iter().find(|input| input.seen.is_file_of(&now)) {
        Some(input) if !(input.changed && is_mesh) => {
            let why = "is read by this run under that name or another, and is not written over";
            Err(Error::invalid("output", why).in_file(output))
        }
        _ => Ok(()),
    }
}

/// A file that is written over, and was read.
pub(super) struct Holding {
    path: PathBuf,
    _held: Held,
}

/// Holds a file that is to be written over, if it is one that was read.
///
/// # Errors
/// If it is no longer what was read.
pub(super) fn hold(path: &Path) -> Result<Option<Holding>> {
    let (real, now) = (real(path), Seen::at(path).ok());
    let is_it =
        |input: &&Input| input.path == real || now.as_ref().is_some_and(|now| input.seen.is_file_of(now));
    // Not locked while another run is waited for.
    let noted = inputs().iter().find(is_it).map(|input| input.seen.clone());
    let Some(noted) = noted else { return Ok(None) };
    Held::lock(path, &noted).map(|held| Some(Holding { path: real, _held: held }))
}

/// Refuses to go on if a file that is to be written over is no longer what was read.
///
/// # Errors
/// If it is not.
pub(super) fn unchanged(path: &Path) -> Result<()> {
    hold(path).map(drop)
}

impl Holding {
    /// Notes that the run itself has written the file.
    pub(super) fn written(self) {
        let Ok(now) = Seen::at(&self.path) else { return };
        for input in inputs().iter_mut().filter(|input| input.path == self.path) {
            input.seen = now.clone();
        }
    }
}
