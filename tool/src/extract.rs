//! `navmap extract`: writes the meshes of an archive as files.

use super::list::report;
use super::out::{complain, say};
use super::save::{make_folder, save_unlinked};
use super::{Exit, Failure, args, common, plan};
use navmap::archive::{Buffers, Found, safe_path};
use navmap::bytes::FileId;
use navmap::error::{Error, Result};
use navmap::format;
use navmap::open::{open_archive, walker};
use navmap::text::{counted, escaped, path_text};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub(super) fn run(typed: &args::Extract) -> Result<Exit, Failure> {
    let path = &typed.archive.path;
    let opened = match open_archive(path, &plan::guarded(&typed.archive.limits)) {
        Ok(opened) => opened,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    let archive = match opened.archive() {
        Ok(archive) => archive,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    let mut exit = Exit::Clean;
    let mut writer =
        Writer { folder: &typed.output, force: typed.force, written: HashSet::new(), files: HashSet::new() };
    let (mut written, mut failed) = (0u64, 0u64);
    let mut visit = |found: Found<'_>| {
        let name = escaped(found.path);
        let mesh = found.bytes.and_then(|bytes| {
            if format::Kind::sniff(bytes, Some(Path::new(&name))).is_none() {
                return Ok(None);
            }
            // If a mapped archive was truncated meanwhile, nothing of it is written.
            opened.intact()?;
            opened.meter().file()?;
            writer.place(found.path).map(|place| Some((place, bytes)))
        });
        // That a member cannot be read or named says something of the archive; that it cannot be written, of the run.
        let done = mesh.map_err(|error| (Exit::Findings, error)).and_then(|mesh| {
            let Some((place, bytes)) = mesh else { return Ok(false) };
            writer.write(place, bytes).map(|()| true).map_err(|error| (Exit::Failed, error))
        });
        match done {
            Ok(done) => written += u64::from(done),
            Err((fared, error)) => {
                failed += 1;
                exit = exit.max(fared);
                if fared == Exit::Failed {
                    complain(format_args!("navmap: {}!{name}: {error}", path_text(path)));
                } else {
                    report(&error, path, &name);
                }
                // Of the archive as a whole: nothing behind it is written.
                if opened.meter().is_ended() {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    };
    let walker = walker(typed.archive.deep);
    let _ = walker.archive(&archive, &mut Vec::new(), opened.meter(), &mut Buffers::new(), &mut visit);
    say(format_args!(
        "{} written to {}, {}",
        counted(written, "mesh", "meshes"),
        path_text(&typed.output),
        counted(failed, "error", "errors")
    ));
    Ok(exit)
}

/// Writes meshes into a folder: each under its own name, none outside the folder, none over an existing file.
struct Writer<'t> {
    folder: &'t Path,
    force: bool,
    /// Names that this run has written.
    written: HashSet<PathBuf>,
    /// The files themselves, if there may be others of the same names.
    files: HashSet<FileId>,
}

impl Writer<'_> {
    /// The path of a member below the folder.
    fn place(&self, name: &[u8]) -> Result<PathBuf> {
        // Archives inside the archive become folders.
        let name: Vec<u8> = name.iter().map(|&byte| if byte == b'!' { b'/' } else { byte }).collect();
        let path = safe_path(&name)?;
        if self.written.contains(&key(&path)) || self.is_written(&path) {
            let why = format!("{} is taken: another member of that name was written", path_text(&path));
            return Err(Error::invalid("file", why));
        }
        Ok(path)
    }

    /// Whether a file that this run has written has this name too, where a file system takes names that differ in case for one.
    fn is_written(&self, path: &Path) -> bool {
        self.force && FileId::at(&self.folder.join(path)).is_ok_and(|file| self.files.contains(&file))
    }

    fn write(&mut self, path: PathBuf, bytes: &[u8]) -> Result<()> {
        self.make_folders(&path)?;
        let place = self.folder.join(&path);
        save_unlinked(&place, self.force, bytes)?;
        self.written.insert(key(&path));
        if self.force && !common::dry() {
            self.files.extend(FileId::at(&place));
        }
        Ok(())
    }

    /// Makes the folders on the way to `path`. Through a link, an archive could write to an unexpected place. So the typed folder
    /// may be a link, but those in it may not.
    fn make_folders(&self, path: &Path) -> Result<()> {
        let placed = |error: io::Error, at: &Path| Error::from(error).in_file(at);
        make_folder(self.folder)?;
        let mut at = self.folder.to_path_buf();
        for piece in path.parent().unwrap_or(Path::new("")).components() {
            at.push(piece);
            match fs::symlink_metadata(&at) {
                Ok(found) if found.is_dir() => {}
                Ok(found) if found.is_symlink() => {
                    let why = "is a symbolic link, which is not followed";
                    return Err(Error::invalid("folder", why).in_file(at));
                }
                Ok(_) => return Err(placed(io::ErrorKind::NotADirectory.into(), &at)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if common::dry() {
                        break;
                    }
                    fs::create_dir(&at).map_err(|error| placed(error, &at))?;
                }
                Err(error) => return Err(placed(error, &at)),
            }
        }
        Ok(())
    }
}

/// A key that two paths share if they are the same file. Ignores case on systems that usually do.
fn key(path: &Path) -> PathBuf {
    if cfg!(any(windows, target_os = "macos")) {
        path.to_string_lossy().to_lowercase().into()
    } else {
        path.into()
    }
}
