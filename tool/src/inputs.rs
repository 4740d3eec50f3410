//! The files that a run reads, told by the files themselves and not by their names: no output goes over one of them, and
//! a mesh that is written over is still the one that was read.

use super::common;
use super::out::is_stdout;
use clap::ArgMatches;
use navmap::bytes::{FileId, Held, Saver, Seen};
use navmap::error::{Error, Result};
use navmap::format::Kind;
use navmap::open::{Files, may_be_archive, on_disk};
use navmap::text::path_text;
use navmap::threads::locked;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard};

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

/// Verbs whose commands name files that are written.
const BY_COMMAND: [&str; 2] = ["edit", "patch"];

/// A file that is read.
struct Input {
    seen: Seen,
    /// Whether it may be written over.
    changed: bool,
    /// What it is called where it is typed, the folder without links.
    names: Vec<PathBuf>,
}

/// The files that are read. A run over a folder has many, and asks about each that it writes.
#[derive(Default)]
struct Inputs {
    /// By their paths without links.
    by_path: HashMap<PathBuf, Input>,
    /// The paths of each file.
    by_file: HashMap<FileId, Vec<PathBuf>>,
    /// Outputs that are no mesh, as they were typed: a journal, a picture.
    beside: Vec<PathBuf>,
}

impl Inputs {
    /// Notes a file under a name, unless it is noted already.
    fn note(&mut self, path: PathBuf, seen: Seen, changed: bool, name: Option<PathBuf>) {
        if let Some(input) = self.by_path.get_mut(&path) {
            input.names.extend(name.filter(|name| !input.names.contains(name)));
            return;
        }
        self.by_file.entry(seen.id().clone()).or_default().push(path.clone());
        self.by_path.insert(path, Input { seen, changed, names: name.into_iter().collect() });
    }

    fn forget(&mut self, path: &Path) -> Option<Input> {
        let input = self.by_path.remove(path)?;
        let id = input.seen.id();
        if let Some(paths) = self.by_file.get_mut(id) {
            paths.retain(|other| other != path);
            if paths.is_empty() {
                self.by_file.remove(id);
            }
        }
        Some(input)
    }

    /// What was noted of a file, by the first name under which it is read.
    fn of_file(&self, seen: &Seen) -> Option<&Input> {
        self.by_path.get(self.by_file.get(seen.id())?.first()?)
    }

    /// Whether a file is called so itself, or was typed so: a link to it is something else.
    fn is_called(&self, seen: &Seen, name: &Path) -> bool {
        let Some(name) = unfollowed(name) else { return false };
        let mut paths = self.by_file.get(seen.id()).into_iter().flatten();
        paths.any(|path| {
            *path == name || self.by_path.get(path).is_some_and(|input| input.names.contains(&name))
        })
    }
}

static READ: LazyLock<Mutex<Inputs>> = LazyLock::new(Mutex::default);

fn inputs() -> MutexGuard<'static, Inputs> {
    locked(&READ)
}

/// Notes the files that were typed, before any is read.
///
/// # Errors
/// If two outputs are one file, or one of them is a file that is read, or a member of an archive is to be written over.
pub(super) fn note(typed: &ArgMatches) -> Result<()> {
    let Some((verb, typed)) = typed.subcommand() else { return Ok(()) };
    let (mut outputs, mut beside): (Vec<&PathBuf>, Vec<&PathBuf>) = Default::default();
    let in_place = typed.try_get_one::<bool>("in_place").is_ok_and(|yes| yes == Some(&true));
    for id in typed.ids().map(clap::Id::as_str) {
        // Groups and values of other kinds are no paths.
        let Ok(Some(paths)) = typed.try_get_many::<PathBuf>(id) else { continue };
        if OUTPUTS.contains(&id) {
            outputs.extend(paths.clone());
            beside.extend(paths.filter(|_| id != "output"));
        } else if !NEITHER.contains(&id) {
            let changed = CHANGED.contains(&(verb, id));
            if changed && in_place {
                paths.clone().try_for_each(|path| replaceable(path))?;
            }
            paths.for_each(|path| read(path, changed));
        }
    }
    if in_place || BY_COMMAND.contains(&verb) || outputs.iter().any(|path| !is_stdout(path)) {
        common::write_files();
    }
    // A journal or a picture is no mesh, even if the mesh may be written over.
    beside.iter().filter(|path| !is_stdout(path)).try_for_each(|path| judge(path, false))?;
    inputs().beside.extend(beside.into_iter().cloned());
    for (at, one) in outputs.iter().enumerate() {
        distinct(one, outputs.iter().skip(at.saturating_add(1)).map(|other| other.as_path()))?;
    }
    Ok(())
}

/// Refuses an output that is another one as well.
///
/// # Errors
/// If it is one of the others, by whatever name.
pub(super) fn distinct<'o>(one: &Path, mut others: impl Iterator<Item = &'o Path>) -> Result<()> {
    let Some(other) = others.find(|other| same(one, other)) else { return Ok(()) };
    let why = format!("is to be two outputs, {} and {}", path_text(one), path_text(other));
    Err(Error::invalid("file", why))
}

/// Refuses a member of an archive, which cannot be written over.
fn replaceable(path: &Path) -> Result<()> {
    if on_disk(path) == path {
        return Ok(());
    }
    let why = "the mesh is a member of an archive: -o FILE says where to";
    Err(Error::invalid("--in-place", why).in_file(path))
}

/// Notes a file that is going to be read. `changed`: it may be written over, unless what is read is a member of it.
pub(super) fn read(path: &Path, changed: bool) {
    let whole = on_disk(path);
    let file = if path.as_os_str() == "-" { Path::new("/dev/stdin") } else { whole };
    if let (true, Ok(seen)) = (file.is_file(), Seen::at(file)) {
        inputs().note(real(file), seen, changed && whole == path, unfollowed(file));
    }
}

/// Notes a file as it is now, which may be written over: it was changed by another program, and the run knows.
pub(super) fn again(path: &Path) {
    let Ok(seen) = Seen::at(path) else { return };
    let (path, name) = (real(path), unfollowed(path));
    let mut inputs = inputs();
    inputs.forget(&path);
    inputs.note(path, seen, true, name);
}

/// Notes a plugin that may be written over, or the plugins and archives in a folder, before any of them is read. Other files there,
/// of which a game has tens of thousands, are not read.
pub(super) fn read_all(path: &Path) {
    for found in Files::new([path]).flatten() {
        if found.named || Kind::Plugin.ends(&found.path) || may_be_archive(&found.path) {
            read(&found.path, true);
        }
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A path whose folder is without links, whatever the last name of it leads to.
fn unfollowed(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
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

/// Refuses an output that is a file which is read, by now: it may be a link.
///
/// # Errors
/// If it is one, by whatever name, and is not the mesh that is changed, or is to be something else than that.
pub(super) fn apart(output: &Path) -> Result<()> {
    let is_mesh = !inputs().beside.iter().any(|beside| beside == output);
    judge(output, is_mesh)
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
    let inputs = inputs();
    match inputs.of_file(&now) {
        // A link to the mesh is not what people mean by writing over it: that has a name of its own, and `--in-place`.
        Some(input) if !(input.changed && is_mesh && inputs.is_called(&now, output)) => {
            Err(Error::invalid("output", READ_HERE).in_file(output))
        }
        _ => Ok(()),
    }
}

const READ_HERE: &str = "is read by this run under that name or another, and is not written over";

/// Refuses to replace a file that is read, which was not at this path when the run last looked.
///
/// # Errors
/// If it is one.
pub(super) fn is_none(there: &Path) -> io::Result<()> {
    let read = Seen::at(there).is_ok_and(|now| inputs().of_file(&now).is_some());
    if read { Err(io::Error::other(READ_HERE)) } else { Ok(()) }
}

/// The bytes of a file as it is now, which was chosen before: if a pipe was put in its place, that is not waited for.
///
/// # Errors
/// If it is no file, is changed at this moment, or cannot be read.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>> {
    let wrong = |error: io::Error| Error::from(error).in_file(path);
    let seen = Seen::at(path).map_err(wrong)?;
    if !path.is_file() {
        return Err(Error::invalid("file", "is no longer one").in_file(path));
    }
    Held::lock(path, &seen)?.read(path).map_err(wrong)
}

/// A file that is written over, and was read.
pub(super) struct Holding {
    path: PathBuf,
    noted: Seen,
    held: Held,
}

/// Holds a file that is to be written over, if it is one that was read.
///
/// # Errors
/// If it is no longer what was read.
pub(super) fn hold(path: &Path) -> Result<Option<Holding>> {
    let (real, now) = (real(path), Seen::at(path).ok());
    // Not locked while another run is waited for.
    let noted = {
        let inputs = inputs();
        let input = inputs.by_path.get(&real).or_else(|| inputs.of_file(now.as_ref()?));
        input.map(|input| input.seen.clone())
    };
    let Some(noted) = noted else { return Ok(None) };
    Held::lock(path, &noted).map(|held| Some(Holding { path: real, noted, held }))
}

/// Refuses to go on if a file that is to be written over is no longer what was read.
///
/// # Errors
/// If it is not.
pub(super) fn unchanged(path: &Path) -> Result<()> {
    hold(path).map(drop)
}

impl Holding {
    /// The file itself, whatever link leads to it.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes.
    ///
    /// # Errors
    /// Those of the operating system.
    pub(super) fn read(&self) -> io::Result<Vec<u8>> {
        self.held.read(&self.path)
    }

    /// Writes over it what `write` writes, wholly or not at all. `path` is its name in errors.
    ///
    /// # Errors
    /// If it is no longer what was read, in the last moment, or if the operating system reports an error. The file is then as it was.
    pub(super) fn save(
        self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        let mut saver = Saver::create_unlinked(&self.path)?;
        write(&mut saver).map_err(|error| Error::from(error).in_file(path))?;
        saver.commit_if(|there| self.noted.is_still(there))?;
        self.written();
        Ok(())
    }

    /// Notes that the run itself has written the file.
    fn written(self) {
        let Ok(now) = Seen::at(&self.path) else { return };
        let mut inputs = inputs();
        if let Some(Input { changed, names, .. }) = inputs.forget(&self.path) {
            inputs.note(self.path.clone(), now, changed, None);
            inputs.by_path.entry(self.path).and_modify(|input| input.names = names);
        }
    }
}
