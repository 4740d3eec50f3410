//! Which file a path leads to and in what state it was, so that a save neither goes over a file that is being read nor
//! over what another program has written meanwhile.

use crate::error::{Error, Result};
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// What tells one file from all others, whatever it is called: device and number where the system has them, so that
/// hard links and symbolic links are the file that they lead to.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = std::path::PathBuf;

/// Which file it is, whatever it is called: a key of a map.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileId(Identity);

impl FileId {
    /// Of the file or folder at a path; links are followed.
    ///
    /// # Errors
    /// If there is none, or the system does not tell.
    pub fn at(path: &Path) -> io::Result<Self> {
        Self::of(path, &fs::metadata(path)?)
    }

    #[cfg(unix)]
    fn of(_: &Path, data: &Metadata) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        Ok(Self((data.dev(), data.ino())))
    }

    #[cfg(not(unix))]
    fn of(path: &Path, _: &Metadata) -> io::Result<Self> {
        fs::canonicalize(path).map(Self)
    }
}

/// How long a file is and when it was written, which tells that it has changed. A write that keeps the length, in the same tick of
/// the file system's clock as the one before, does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    /// Of the file or folder at a path; links are followed. `None` if there is none.
    pub fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|data| Self::of(&data))
    }

    /// Of a file of which the system has told.
    pub fn of(data: &Metadata) -> Self {
        Self { len: data.len(), modified: data.modified().ok() }
    }
}

/// A file as it was at one moment: which one it was, its length and its times. No byte of it is read.
///
/// Take it before the file is read; if it is the same afterwards, nobody has written the file meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Seen {
    identity: FileId,
    stamp: Stamp,
    /// Seconds and nanoseconds of the last change that nobody can set back.
    changed: (i64, i64),
}

impl Seen {
    /// Looks at a file; links are followed.
    ///
    /// # Errors
    /// If there is none, or the system does not tell.
    pub fn at(path: &Path) -> io::Result<Self> {
        let data = fs::metadata(path)?;
        Ok(Self { identity: FileId::of(path, &data)?, stamp: Stamp::of(&data), changed: changed(&data) })
    }

    /// Looks at a file that is open.
    #[cfg(unix)]
    fn of_open(file: &File) -> io::Result<Self> {
        let data = file.metadata()?;
        Ok(Self {
            identity: FileId::of(Path::new(""), &data)?,
            stamp: Stamp::of(&data),
            changed: changed(&data),
        })
    }

    /// Refuses what is not this file, as it was then: another one, or a link to it.
    ///
    /// # Errors
    /// If it is not.
    pub fn is_still(&self, path: &Path) -> io::Result<()> {
        let itself = fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
        if itself && Self::at(path).is_ok_and(|now| now == *self) { Ok(()) } else { Err(changed_since()) }
    }

    /// Which file it is.
    pub fn id(&self) -> &FileId {
        &self.identity
    }

    /// Whether both are one file, in whatever state it was.
    pub fn is_file_of(&self, other: &Self) -> bool {
        self.identity == other.identity
    }
}

#[cfg(unix)]
fn changed(data: &Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (data.ctime(), data.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> (i64, i64) {
    (0, 0)
}

#[cold]
fn changed_since() -> io::Error {
    io::Error::other("another program has changed it since it was read; nothing is written over that")
}

/// How long another save of the same file is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// A file that is to be replaced and still is what was read. While this lives, nobody else who asks replaces it.
#[derive(Debug)]
pub struct Held {
    lock: Option<File>,
}

impl Held {
    /// Holds the file at `path`, which was read as `seen`.
    ///
    /// The lock is advisory and lies on the file itself, so that nothing is left if the process is killed. Where a file
    /// system has no locks, only the state of the file is compared.
    ///
    /// # Errors
    /// If the file is no longer what was read, or is held by another process for long.
    pub fn lock(path: &Path, seen: &Seen) -> Result<Self> {
        let refused = |error: io::Error| Error::from(error).in_file(path);
        let is_it = |now: io::Result<Seen>| now.is_ok_and(|now| now == *seen);
        // A pipe that was put there is not opened, which would wait for somebody to write to it.
        if !is_it(Seen::at(path)) {
            return Err(refused(changed_since()));
        }
        // Elsewhere a lock keeps the process itself from reading the file.
        let lock = if cfg!(unix) { File::open(path).ok() } else { None };
        if let Some(file) = &lock {
            let begun = Instant::now();
            while let Err(TryLockError::WouldBlock) = file.try_lock() {
                if begun.elapsed() > PATIENCE {
                    let why = "another program holds a lock on it; nothing is written";
                    return Err(refused(io::Error::other(why)));
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        // Whoever held it has put another file in its place.
        #[cfg(unix)]
        let open = lock.as_ref().is_none_or(|file| is_it(Seen::of_open(file)));
        #[cfg(not(unix))]
        let open = true;
        if open && is_it(Seen::at(path)) { Ok(Self { lock }) } else { Err(refused(changed_since())) }
    }

    /// The bytes of the file, which lies at `path`.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let Some(mut file) = self.lock.as_ref() else { return fs::read(path) };
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Seen {
    /// Writes bytes over the file at `path`, wholly or not at all, if it is this one as it was then until the last moment.
    ///
    /// # Errors
    /// If it is not, or if the operating system reports an error. The file is then as it was.
    pub fn save_over(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let mut saver = super::Saver::create(path)?;
        saver.write_all(bytes).map_err(|error| Error::from(error).in_file(path))?;
        saver.commit_if(|there| self.is_still(there))
    }
}

/// Files that were read, and that may be written over while they are what was read.
#[derive(Debug, Default)]
pub struct Originals(Vec<(PathBuf, Seen)>);

impl Originals {
    /// Notes a file before it is read. A path at which none is does nothing.
    pub fn note(&mut self, path: &Path) {
        if let (None, Ok(seen)) = (self.of(path), Seen::at(path)) {
            self.0.push((real(path), seen));
        }
    }

    /// Writes files, each wholly or not at all.
    ///
    /// # Errors
    /// If one of them is read-only, or was read and is no longer what it was: then none is written. And if the operating system
    /// reports an error.
    pub fn save(&mut self, files: &[(PathBuf, Vec<u8>)]) -> Result<()> {
        let mut held = Vec::new();
        for (path, _) in files {
            if path.metadata().is_ok_and(|data| data.permissions().readonly()) {
                let error = io::Error::new(io::ErrorKind::PermissionDenied, "is read-only");
                return Err(Error::from(error).in_file(path));
            }
            let own = self.of(path);
            let lock = own.and_then(|own| self.0.get(own)).map(|(_, seen)| Held::lock(path, seen));
            held.push((own, lock.transpose()?));
        }
        for ((path, bytes), (own, _)) in files.iter().zip(&held) {
            let noted = own.and_then(|own| self.0.get_mut(own));
            match &noted {
                Some((_, seen)) => seen.save_over(path, bytes)?,
                None => super::save(path, bytes)?,
            }
            if let Some(((_, seen), now)) = noted.zip(Seen::at(path).ok()) {
                *seen = now;
            }
        }
        Ok(())
    }

    /// Which of them a path leads to, by whatever name.
    fn of(&self, path: &Path) -> Option<usize> {
        let (path, now) = (real(path), Seen::at(path).ok());
        let is = |seen: &Seen| now.as_ref().is_some_and(|now| now.is_file_of(seen));
        self.0.iter().position(|(noted, seen)| *noted == path || is(seen))
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_written_meanwhile_is_not_held() {
        let path = std::env::temp_dir().join(format!("navmap-seen-{}", std::process::id()));
        fs::write(&path, b"mesh").unwrap();
        let seen = Seen::at(&path).unwrap();
        drop(Held::lock(&path, &seen).unwrap());
        super::super::save(&path, b"mesH").unwrap();
        let error = Held::lock(&path, &seen).unwrap_err().to_string();
        assert!(error.contains("another program has changed it since it was read"), "{error}");
        assert!(Held::lock(&path, &Seen::at(&path).unwrap()).is_ok());
        fs::remove_file(&path).unwrap();
        assert!(Held::lock(&path, &seen).is_err());
    }

    #[test]
    fn what_was_read_is_written_over_while_it_is_as_it_was_and_everything_else_always() {
        let folder = std::env::temp_dir().join(format!("navmap-originals-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [file, other] = ["a", "b"].map(|name| folder.join(name));
        for path in [&file, &other] {
            fs::write(path, b"mesh").unwrap();
        }
        let mut originals = Originals::default();
        originals.note(&file);
        originals.note(&folder.join("none"));
        let to = |path: &PathBuf, text: &str| (path.clone(), text.as_bytes().to_vec());
        let read = |path: &PathBuf| fs::read_to_string(path).unwrap();
        // What it has written itself is what it knows.
        for text in ["one", "two"] {
            originals.save(&[to(&file, text), to(&other, text)]).unwrap();
            assert_eq!((read(&file), read(&other)), (text.to_owned(), text.to_owned()));
        }
        // As a new file under the old name, and in place.
        let as_new = |text: &str| super::super::save(&file, text.as_bytes()).unwrap();
        let in_place = |text: &str| fs::write(&file, text).unwrap();
        let writes: [&dyn Fn(&str); 2] = [&as_new, &in_place];
        for (write, theirs) in writes.into_iter().zip(["theirs", "of another"]) {
            write(theirs);
            let error = originals.save(&[to(&other, "three"), to(&file, "three")]).unwrap_err().to_string();
            assert!(error.contains("another program has changed it since it was read"), "{error}");
            assert_eq!((read(&file), read(&other)), (theirs.to_owned(), "two".to_owned()));
        }
        let usual = fs::metadata(&other).unwrap().permissions();
        let mut rights = usual.clone();
        rights.set_readonly(true);
        fs::set_permissions(&other, rights).unwrap();
        let error = originals.save(&[to(&other, "three")]).unwrap_err().to_string();
        assert!(error.contains("is read-only") && read(&other) == "two", "{error}");
        fs::set_permissions(&other, usual).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_itself_under_every_name() {
        let folder = std::env::temp_dir().join(format!("navmap-names-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [file, hard, soft, other] = ["a", "hard", "soft", "b"].map(|name| folder.join(name));
        fs::write(&file, b"mesh").unwrap();
        fs::write(&other, b"mesh").unwrap();
        fs::hard_link(&file, &hard).unwrap();
        std::os::unix::fs::symlink("a", &soft).unwrap();
        let seen = Seen::at(&file).unwrap();
        assert!([&hard, &soft].iter().all(|path| Seen::at(path).unwrap().is_file_of(&seen)));
        assert!([&hard, &soft].iter().all(|path| Seen::at(path).unwrap().id() == seen.id()));
        assert!(!Seen::at(&other).unwrap().is_file_of(&seen));
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_was_put_in_the_place_of_a_file_in_the_last_moment_stays() {
        let folder = std::env::temp_dir().join(format!("navmap-late-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [file, other] = ["a", "b"].map(|name| folder.join(name));
        let begin = || {
            let _ = fs::remove_file(&file);
            fs::write(&file, b"mesh").unwrap();
            fs::write(&other, b"other").unwrap();
            Seen::at(&file).unwrap()
        };
        let seen = begin();
        seen.save_over(&file, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        let rewritten = || fs::write(&file, b"theirs").unwrap();
        let linked = || {
            fs::remove_file(&file).unwrap();
            std::os::unix::fs::symlink("b", &file).unwrap();
        };
        let swaps: [&dyn Fn(); 2] = [&rewritten, &linked];
        for swap in swaps {
            let seen = begin();
            let mut saver = super::super::Saver::create(&file).unwrap();
            saver.write_all(b"new").unwrap();
            swap();
            let error = saver.commit_if(|there| seen.is_still(there)).unwrap_err().to_string();
            assert!(error.contains("another program has changed it since it was read"), "{error}");
            assert_ne!(fs::read(&file).unwrap(), b"new");
            assert_eq!(fs::read(&other).unwrap(), b"other");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
