//! `navmap extract`: the meshes of an archive as files.

#![forbid(unsafe_code)]

use super::list::report;
use super::out::say;
use super::{Exit, Failure, args, plan};
use crate::archive::{Found, Space, safe_path};
use crate::bytes::save;
use crate::error::{Error, Result};
use crate::format;
use crate::open::{ArchiveFile, walker};
use crate::text::{counted, printable};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(super) fn run(typed: &args::Extract) -> Result<Exit, Failure> {
    let path = &typed.archive.path;
    let opened = ArchiveFile::open(path, &plan::guarded())?;
    let archive = opened.archive()?;
    let (mut written, mut failed) = (0u64, 0u64);
    let mut visit = |found: Found<'_>| {
        let name = printable(found.path);
        let done = found.bytes.and_then(|bytes| {
            if format::Kind::sniff(bytes, Some(Path::new(&name))).is_none() {
                return Ok(false);
            }
            // Nothing of a map that was cut short meanwhile is written.
            opened.intact()?;
            write(&target(&typed.output, found.path)?, bytes, typed.force).map(|()| true)
        });
        match done {
            Ok(done) => written += u64::from(done),
            Err(error) => {
                failed += 1;
                report(&error, path, &name);
            }
        }
        ControlFlow::Continue(())
    };
    let walker = walker(typed.archive.deep);
    let _ = walker.archive(&archive, &mut Vec::new(), opened.meter(), &mut Space::new(), &mut visit);
    say(format_args!(
        "{} written to {}, {}",
        counted(written, "mesh", "meshes"),
        typed.output.display(),
        counted(failed, "error", "errors")
    ));
    Ok(if failed > 0 { Exit::Findings } else { Exit::Clean })
}

/// Where a mesh goes: archives inside the archive become folders.
fn target(folder: &Path, name: &[u8]) -> Result<PathBuf> {
    let name: Vec<u8> = name.iter().map(|&byte| if byte == b'!' { b'/' } else { byte }).collect();
    safe_path(&name).map(|path| folder.join(path))
}

/// Writes a file that is not there yet; with `force`, replaces it as a whole.
fn write(target: &Path, bytes: &[u8], force: bool) -> Result<()> {
    let placed = |error: std::io::Error| Error::from(error).in_file(target);
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(placed)?;
    }
    if force {
        return save(target, bytes);
    }
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(target).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                let why = format!("{} is there already (--force replaces it)", target.display());
                Error::invalid("file", why)
            }
            _ => placed(error),
        })?;
    file.write_all(bytes).map_err(|error| {
        // Half a mesh is worse than none; a failure to remove it adds nothing to what is said already.
        let _ = fs::remove_file(target);
        placed(error)
    })
}
