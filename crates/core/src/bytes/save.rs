//! Writes files so that nobody ever sees half of one.

use super::pinned::Pinned;
use crate::error::{Error, Result};
use crate::threads::locked;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

/// A file under construction: written under a temporary name beside its target, and moved over the target by
/// [`commit`](Self::commit) after its bytes have reached the disk.
///
/// Until then the target is as it was; if the value is dropped, or anything fails, the temporary file is removed. A
/// reader that has the old file open or mapped keeps the old bytes. The permissions of an existing target are kept, and
/// its owner and group where the system lets us; a symbolic link is followed rather than replaced. Where it leads is asked once,
/// and on Linux so is which folder it is: if one of them is turned to somewhere else meanwhile, nothing is written there.
///
/// A process that is killed leaves its temporary file behind: `.navmap-PID-N.tmp`. On a signal, [`remove_temporaries`] removes
/// all those of this process; [`leftovers`] lists those of dead processes.
///
/// ```
/// use navmap::bytes::save;
///
/// let path = std::env::temp_dir().join("navmap-doc-save.nav");
/// save(&path, b"whole or not at all")?;
/// assert_eq!(std::fs::read(&path)?, b"whole or not at all");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug)]
pub struct Saver {
    out: BufWriter<File>,
    temporary: Temporary,
    target: PathBuf,
    waits: bool,
}

/// The temporary files of this process.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    locked(&TEMPORARIES)
}

/// The prefix and suffix of names of temporary files.
const PREFIX: &str = ".navmap-";
const SUFFIX: &str = ".tmp";

/// Removes all temporary files of this process and prevents new ones. Use it when a signal ends the process. A file that is being
/// moved over its target at this moment appears whole, or not at all.
///
/// Call it from a thread, not from a signal handler: it waits for a lock. Any later attempt to begin or end a file blocks
/// forever, so end the process.
pub fn remove_temporaries() {
    let mut temporaries = temporaries();
    for path in temporaries.drain(..) {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(temporaries);
}

/// Temporary files that killed processes left in a folder. One system call per file of the folder.
pub fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
    else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_leftover))
        .collect();
    found.sort();
    found
}

/// Whether this is the name of a temporary file of a dead process.
fn is_leftover(name: &str) -> bool {
    let numbers = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    let process =
        numbers.and_then(|numbers| numbers.split_once('-')).and_then(|(pid, _)| pid.parse::<u32>().ok());
    // Without `/proc` there is no way to ask, and the file counts as a leftover.
    process.is_some_and(|pid| {
        !(Path::new("/proc/self").exists() && Path::new("/proc").join(pid.to_string()).exists())
    })
}

/// A file that is removed when dropped, and its folder.
#[derive(Debug)]
struct Temporary {
    path: Option<PathBuf>,
    folder: Pinned,
    /// Its path as other programs find it.
    named: PathBuf,
}

impl Temporary {
    /// A new file in the folder of the target: a rename cannot cross file systems.
    fn beside(target: &Path, folder: Pinned, private: bool) -> io::Result<(Self, File)> {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        loop {
            let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
            let name = format!("{PREFIX}{}-{serial}{SUFFIX}", std::process::id());
            let path = folder.file(name.as_ref());
            // Held while the file is made, so that it never exists without being on the list.
            let mut temporaries = temporaries();
            match new_file(private).open(&path) {
                Ok(file) => {
                    temporaries.push(path.clone());
                    let named = target.with_file_name(name);
                    return Ok((Self { path: Some(path), folder, named }, file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Moves the file to its place with `publish`.
    fn publish(&mut self, publish: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        // Held meanwhile, so that `remove_temporaries` comes before or after, and never ends the process in between.
        let mut temporaries = temporaries();
        publish(path)?;
        temporaries.retain(|other| other != path);
        self.path = None;
        Ok(())
    }
}

/// How a temporary file is made; one that is private nobody else may open before it has the permissions of its target.
fn new_file(private: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if private {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = private;
    options
}

/// Gives a file the owner, the group and the permissions of another, as far as the system lets us.
fn dress(file: &File, like: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let own = file.metadata()?;
        let mut mode = like.mode() & 0o7777;
        // Only the superuser can give a file away.
        if own.uid() != like.uid() && fchown(file, Some(like.uid()), None).is_err() {
            mode &= 0o1777;
        }
        if own.gid() != like.gid() && fchown(file, None, Some(like.gid())).is_err() {
            // What the old group was allowed the new one is not, unless everybody is.
            let everybody = (mode & 0o007) << 3;
            mode &= 0o1707 | everybody;
        }
        file.set_permissions(fs::Permissions::from_mode(mode))
    }
    #[cfg(not(unix))]
    file.set_permissions(like.permissions())
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // Nothing can be done about a failure here, and the target is unchanged.
            let _ = fs::remove_file(path);
            temporaries().retain(|other| other != path);
        }
    }
}

impl Saver {
    /// Starts a file that will become `target`.
    ///
    /// # Errors
    /// If the folder of `target` is not writable, or `target` exists and is not a regular file.
    pub fn create(target: &Path) -> Result<Self> {
        let begin = || {
            // The file that a link leads to is replaced. A link that leads nowhere is replaced itself; one to a pipe has no path that
            // could be followed, and does not count as such.
            let (target, dangles) = match fs::metadata(target) {
                Ok(data) if data.is_file() => (fs::canonicalize(target)?, false),
                Ok(_) => return Err(irregular()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => (target.to_path_buf(), true),
                Err(error) => return Err(error),
            };
            Self::begin(target, dangles)
        };
        begin().map_err(|error| Error::from(error).in_file(target))
    }

    /// Like [`create`](Self::create), for a target whose name comes from somebody else: a symbolic link is refused instead of
    /// followed. A link put there meanwhile is replaced itself.
    ///
    /// # Errors
    /// Those of [`create`](Self::create), and if `target` is a symbolic link.
    pub fn create_unlinked(target: &Path) -> Result<Self> {
        if fs::symlink_metadata(target).is_ok_and(|data| data.is_symlink()) {
            return Err(Error::invalid("file", "is a symbolic link, which is not followed").in_file(target));
        }
        Self::begin(target.to_path_buf(), false).map_err(|error| Error::from(error).in_file(target))
    }

    fn begin(target: PathBuf, dangles: bool) -> io::Result<Self> {
        let (folder, name) = (Pinned::of(&target), name(&target)?);
        let existing = match fs::symlink_metadata(folder.file(name)) {
            Ok(data) if data.is_file() => Some(data),
            Ok(data) if dangles && data.is_symlink() => None,
            Ok(_) => return Err(irregular()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Self::dressed(target, folder, existing.as_ref())
    }

    fn dressed(target: PathBuf, folder: Pinned, like: Option<&fs::Metadata>) -> io::Result<Self> {
        name(&target)?;
        let (temporary, file) = Temporary::beside(&target, folder, like.is_some())?;
        if let Some(like) = like {
            dress(&file, like)?;
        }
        Ok(Self { out: BufWriter::with_capacity(1 << 16, file), temporary, target, waits: true })
    }

    /// Moves the file over its target without waiting for the disk: for one of very many files that can be made again. If
    /// the system stops, the file may then be empty; if only the process does, it is whole or not there.
    #[must_use]
    pub fn unhurried(mut self) -> Self {
        self.waits = false;
        self
    }

    /// The temporary file, for a program that writes to a path instead of through this value.
    pub fn path(&self) -> &Path {
        &self.temporary.named
    }

    /// Writes the remaining bytes, waits until they are on disk, and moves the file over its target.
    ///
    /// # Errors
    /// Those of the operating system. The target is then unchanged.
    pub fn commit(self) -> Result<()> {
        self.finish(|temporary, target| fs::rename(temporary, target))
    }

    /// Like [`commit`](Self::commit), but only if no file of that name exists.
    ///
    /// # Errors
    /// Those of the operating system, including [`AlreadyExists`](io::ErrorKind::AlreadyExists).
    pub fn commit_new(self) -> Result<()> {
        self.finish(|temporary, target| match fs::hard_link(temporary, target) {
            Ok(()) => fs::remove_file(temporary),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // On a file system without hard links, a file that appears between check and move is overwritten.
            Err(_) if !target.try_exists()? => fs::rename(temporary, target),
            Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
        })
    }

    /// Like [`commit`](Self::commit), but only if `still` finds what it may replace, in the last moment. It is given a path of the
    /// target that leads to no other folder by now. See [`Seen::is_still`](super::Seen::is_still).
    ///
    /// # Errors
    /// Those of the operating system, and of `still`. The target is then unchanged.
    pub fn commit_if(self, still: impl FnOnce(&Path) -> io::Result<()>) -> Result<()> {
        self.finish(|temporary, target| {
            still(target)?;
            fs::rename(temporary, target)
        })
    }

    fn finish(self, publish: impl FnOnce(&Path, &Path) -> io::Result<()>) -> Result<()> {
        let Self { out, mut temporary, target, waits } = self;
        let finish = || {
            let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            if waits {
                file.sync_all()?;
            }
            drop(file);
            let there = temporary.folder.file(name(&target)?);
            temporary.publish(|path| publish(path, &there))?;
            if waits {
                // The rename itself reaches the disk with its folder; the file is whole either way.
                temporary.folder.sync();
            }
            Ok(())
        };
        finish().map_err(|error: io::Error| Error::from(error).in_file(target.clone()))
    }
}

impl Write for Saver {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes `bytes` to `target`, wholly or not at all. See [`Saver`].
///
/// # Errors
/// Those of the operating system. The target is then unchanged.
pub fn save(target: &Path, bytes: &[u8]) -> Result<()> {
    let mut saver = Saver::create(target)?;
    saver.write_all(bytes).map_err(|error| Error::from(error).in_file(target))?;
    saver.commit()
}

/// Writes `bytes` to `target`, wholly or not at all, if no file of that name exists.
///
/// # Errors
/// Those of [`save`], and [`AlreadyExists`](io::ErrorKind::AlreadyExists).
pub fn save_new(target: &Path, bytes: &[u8]) -> Result<()> {
    let mut saver = Saver::create(target)?;
    saver.write_all(bytes).map_err(|error| Error::from(error).in_file(target))?;
    saver.commit_new()
}

/// As [`save_new`], with the owner, the group and the permissions of another file: for a copy of what is in it.
///
/// # Errors
/// As [`save_new`], and if there is no file to be like.
pub fn save_new_like(target: &Path, bytes: &[u8], like: &Path) -> Result<()> {
    let like = fs::metadata(like).map_err(|error| Error::from(error).in_file(like))?;
    let saver = Saver::dressed(target.to_path_buf(), Pinned::of(target), Some(&like));
    let mut saver = saver.map_err(|error| Error::from(error).in_file(target))?;
    saver.write_all(bytes).map_err(|error| Error::from(error).in_file(target))?;
    saver.commit_new()
}

fn irregular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

fn name(target: &Path) -> io::Result<&OsStr> {
    let nameless = || io::Error::new(io::ErrorKind::InvalidInput, "a path without a file name");
    target.file_name().ok_or_else(nameless)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::bytes) fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("navmap-save-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    pub(in crate::bytes) fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_that_is_not_committed_leaves_the_target_and_the_folder_as_they_were() {
        let folder = folder("abandoned");
        let target = folder.join("a.nav");
        save(&target, b"old").unwrap();
        let mut saver = Saver::create(&target).unwrap();
        saver.write_all(&[7; 1 << 17]).unwrap();
        assert_eq!(names(&folder).len(), 2, "the temporary file stands beside its target");
        assert_eq!(fs::read(&target).unwrap(), b"old");
        drop(saver);
        assert_eq!(names(&folder), ["a.nav"]);
        assert_eq!(fs::read(&target).unwrap(), b"old");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_is_there_is_kept_unless_it_may_be_replaced() {
        let folder = folder("new");
        let target = folder.join("a.nav");
        save_new(&target, b"old").unwrap();
        let error = save_new(&target, b"new").unwrap_err();
        let exists = |kind: &crate::ErrorKind| matches!(kind, crate::ErrorKind::Io(error) if error.kind() == io::ErrorKind::AlreadyExists);
        assert!(exists(error.kind()), "{error}");
        assert_eq!(fs::read(&target).unwrap(), b"old");
        assert_eq!(names(&folder), ["a.nav"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_no_regular_file_is_not_replaced() {
        let folder = folder("special");
        let error = save(&folder, b"x").unwrap_err();
        assert!(error.to_string().ends_with("not a regular file"), "{error}");
        assert!(save(&folder.join("missing").join("a.nav"), b"x").is_err());
        assert_eq!(names(&folder), [""; 0]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_survive() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("links");
        let (target, link) = (folder.join("a.nav"), folder.join("link.nav"));
        save(&target, b"old").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a.nav", &link).unwrap();
        save(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(&folder), ["a.nav", "link.nav"]);
        let copy = folder.join("a.nav.bak");
        save_new_like(&copy, b"old", &link).unwrap();
        assert_eq!(
            fs::metadata(&copy).unwrap().permissions().mode() & 0o777,
            0o640,
            "no wider than the mesh"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_killed_processes_leave_is_told_from_what_is_being_written() {
        let folder = folder("leftovers");
        let saver = Saver::create(&folder.join("a.nav")).unwrap();
        for name in
            [".navmap-4294967295-0.tmp", ".navmap-x-0.tmp", ".navmap-1.tmp", "navmap-4294967295-0.tmp"]
        {
            fs::write(folder.join(name), b"").unwrap();
        }
        let left = |folder: &Path| {
            leftovers(folder).iter().map(|p| p.file_name().unwrap().to_owned()).collect::<Vec<_>>()
        };
        if Path::new("/proc/self").exists() {
            assert_eq!(left(&folder), [".navmap-4294967295-0.tmp"]);
        }
        drop(saver);
        assert!(left(&folder.join("nowhere")).is_empty());
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed_where_somebody_else_chose_the_name() {
        let folder = folder("unlinked");
        let (victim, link) = (folder.join("victim"), folder.join("link.nav"));
        fs::write(&victim, b"mine").unwrap();
        for target in ["victim", "nowhere"] {
            std::os::unix::fs::symlink(target, &link).unwrap();
            let error = Saver::create_unlinked(&link).unwrap_err().to_string();
            assert!(error.ends_with("is a symbolic link, which is not followed"), "{error}");
            fs::remove_file(&link).unwrap();
        }
        let mut saver = Saver::create_unlinked(&link).unwrap();
        saver.write_all(b"mesh").unwrap();
        // Created after the check: the link is replaced, and its target is left alone.
        std::os::unix::fs::symlink("victim", &link).unwrap();
        saver.commit().unwrap();
        assert_eq!(
            (fs::read(&victim).unwrap(), fs::read(&link).unwrap()),
            (b"mine".to_vec(), b"mesh".to_vec())
        );
        fs::remove_dir_all(folder).unwrap();
    }

    /// As `/dev/stdout` leads to what reads the output: there is something, though no path leads to it.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_to_a_pipe_stays_a_link() {
        use std::os::fd::AsRawFd;
        let folder = folder("pipe");
        let (_read, write) = io::pipe().unwrap();
        let link = folder.join("out");
        std::os::unix::fs::symlink(format!("/proc/self/fd/{}", write.as_raw_fd()), &link).unwrap();
        let error = save(&link, b"mesh").unwrap_err().to_string();
        assert!(error.contains("not a regular file"), "{error}");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && names(&folder) == ["out"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
