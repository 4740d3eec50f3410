//! Files written so that nobody ever sees half of one.

#![forbid(unsafe_code)]

use crate::error::{Error, Result};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file under construction: written under a temporary name beside its target, and moved over the target by
/// [`commit`](Self::commit) after its bytes have reached the disk.
///
/// Until then the target is as it was; if the value is dropped, or anything fails, the temporary file is removed. A
/// reader that has the old file open or mapped keeps the old bytes. The permissions of an existing target are kept,
/// and a symbolic link is followed rather than replaced.
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
}

/// A path that is removed when dropped.
#[derive(Debug)]
struct Temporary(Option<PathBuf>);

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // Nothing can be done about a failure here, and the target has not been touched.
            let _ = fs::remove_file(path);
        }
    }
}

impl Saver {
    /// Starts a file that will become `target`.
    ///
    /// # Errors
    /// If the folder of `target` cannot be written to, or `target` exists and is no regular file.
    pub fn create(target: &Path) -> Result<Self> {
        Self::begin(target).map_err(|error| Error::from(error).in_file(target))
    }

    fn begin(target: &Path) -> io::Result<Self> {
        let existing = match fs::metadata(target) {
            Ok(data) if data.is_file() => Some(data.permissions()),
            Ok(_) => return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        // The real file behind a link is what is replaced; a link that leads nowhere is replaced itself.
        let target = match existing {
            Some(_) => fs::canonicalize(target)?,
            None => target.to_path_buf(),
        };
        let (file, path) = create_beside(&target)?;
        let temporary = Temporary(Some(path));
        if let Some(permissions) = existing {
            file.set_permissions(permissions)?;
        }
        Ok(Self { out: BufWriter::with_capacity(1 << 16, file), temporary, target })
    }

    /// Writes what is left, waits until the disk has it, and moves the file over its target.
    ///
    /// # Errors
    /// Those of the operating system; the target is then as it was.
    pub fn commit(self) -> Result<()> {
        self.finish(|temporary, target| fs::rename(temporary, target))
    }

    /// As [`commit`](Self::commit), but only where no file of that name is there.
    ///
    /// # Errors
    /// Those of the operating system, [`AlreadyExists`](io::ErrorKind::AlreadyExists) among them.
    pub fn commit_new(self) -> Result<()> {
        self.finish(|temporary, target| match fs::hard_link(temporary, target) {
            Ok(()) => fs::remove_file(temporary),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // A file system without links: what comes between the question and the move is overwritten.
            Err(_) if !target.try_exists()? => fs::rename(temporary, target),
            Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
        })
    }

    fn finish(self, publish: impl FnOnce(&Path, &Path) -> io::Result<()>) -> Result<()> {
        let Self { out, mut temporary, target } = self;
        let finish = || {
            let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            drop(file);
            if let Some(path) = &temporary.0 {
                publish(path, &target)?;
            }
            temporary.0 = None;
            sync_folder(&target);
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
/// Those of the operating system; the target is then as it was.
pub fn save(target: &Path, bytes: &[u8]) -> Result<()> {
    let mut saver = Saver::create(target)?;
    saver.write_all(bytes).map_err(|error| Error::from(error).in_file(target))?;
    saver.commit()
}

/// Writes `bytes` to `target`, wholly or not at all, if no file of that name is there.
///
/// # Errors
/// As [`save`], and [`AlreadyExists`](io::ErrorKind::AlreadyExists).
pub fn save_new(target: &Path, bytes: &[u8]) -> Result<()> {
    let mut saver = Saver::create(target)?;
    saver.write_all(bytes).map_err(|error| Error::from(error).in_file(target))?;
    saver.commit_new()
}

/// A new file in the folder of `target`: a rename cannot cross file systems.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static SERIAL: AtomicU32 = AtomicU32::new(0);
    let name = target
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a path without a file name"))?;
    loop {
        let mut temporary = OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}-{}.tmp", std::process::id(), SERIAL.fetch_add(1, Ordering::Relaxed)));
        let path = target.with_file_name(temporary);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// The rename itself reaches the disk with its folder. Best effort: not every system can sync one, and the file is
/// whole either way.
fn sync_folder(target: &Path) {
    if cfg!(unix) {
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("navmap-save-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
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
        fs::remove_dir_all(folder).unwrap();
    }
}
