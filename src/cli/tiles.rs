//! The tiles of a Fox Engine map, loose or packed, and `navmap info --tiles`: all of them as one map, for a person.

#![forbid(unsafe_code)]

use super::list::{Opened, walker};
use super::out::Out;
use super::{Exit, Failure, args, graphs, plan};
use crate::archive::{Found, Space};
use crate::bytes::Backing;
use crate::error::{Error, Result};
use crate::format::fox::TileSet;
use crate::scan::Walk;
use crate::text::printable;
use rayon::prelude::*;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(super) fn run(typed: &args::One) -> Result<Exit, Failure> {
    let set = open(&typed.path, &typed.open)?;
    let mut out = Out::new();
    set.info(&mut out)?;
    out.flush()?;
    set.intact()?;
    if set.is_empty() && set.failures().is_empty() {
        eprintln!("navmap: {}: holds no .nav2 file", typed.path.display());
        return Ok(Exit::Failed);
    }
    let counts = set.findings().iter().any(|finding| finding.finding.severity.counts());
    Ok(if counts || !set.failures().is_empty() { Exit::Findings } else { Exit::Clean })
}

/// Whether the name is that of a tile.
pub(super) fn is_tile(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("nav2"))
}

/// Whether the name is that of the engine's own package, of which each holds a tile or a few.
pub(super) fn is_package(path: &Path) -> bool {
    let is = |other: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(other));
    is("fpk") || is("fpkd")
}

/// A file of a set, or why it could not be opened.
type TileFile = Result<(PathBuf, Backing<'static>)>;

/// The tiles at a path: of a folder and the folders in it, loose and in archives, or of one archive.
///
/// # Errors
/// Where nothing lies at the path, or a folder cannot be listed.
pub(super) fn open(path: &Path, open: &args::Open) -> Result<TileSet<'static>> {
    let opener = plan::opener(open);
    path.metadata().map_err(|error| Error::from(error).in_file(path))?;
    let (mut tiles, mut archives, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    for found in Walk::new([path]) {
        match found {
            Ok(found) if graphs::may_be_archive(&found.path) => archives.push(found.path),
            Ok(found) if is_tile(&found.path) || found.named => tiles.push(found.path),
            Ok(_) => {}
            Err(error) => unread.push(Err(error)),
        }
    }
    if archives.is_empty() {
        return TileSet::open_with([path], &opener);
    }
    let loose = tiles.into_par_iter().map(|path| opener.open(&path).map(|bytes| (path, bytes)));
    let packed = archives.par_iter().flat_map_iter(|path| members(path));
    let files: Vec<TileFile> = loose.chain(packed).chain(unread).collect();
    Ok(TileSet::from_opened(files))
}

/// The tiles in an archive, each in memory of its own: what is packed has to be taken out, and outlives its archive.
fn members(path: &Path) -> Vec<TileFile> {
    let mut tiles = Vec::new();
    let read = Opened::open_if_archive(path).and_then(|opened| {
        let Some(opened) = opened else { return Ok(()) };
        let archive = opened.archive().map_err(|error| error.in_file(path))?;
        let mut each = |found: Found<'_>| {
            let name = PathBuf::from(format!("{}!{}", path.display(), printable(found.path)));
            match found.bytes {
                Ok(bytes) if is_tile(&name) => tiles.push(Ok((name, Backing::owned(bytes.to_vec())))),
                Ok(_) => {}
                Err(error) => tiles.push(Err(error.in_file(&name))),
            }
            ControlFlow::Continue(())
        };
        let _ =
            walker(false).archive(&archive, &mut Vec::new(), &opened.meter(), &mut Space::new(), &mut each);
        opened.intact().map_err(|error| error.in_file(path))
    });
    tiles.extend(read.err().map(Err));
    tiles
}
