//! The tiles of a Fox Engine map, loose or packed, and `navmap info --tiles`: all of them as one map, for a person.

#![forbid(unsafe_code)]

use super::graphs::{Listing, may_be_archive};
use super::list::{Opened, walker};
use super::out::{Out, say};
use super::{Exit, Failure, args, named, plan};
use crate::archive::{Found, Space};
use crate::bytes::Backing;
use crate::error::{Error, Result};
use crate::format::fox::TileSet;
use crate::format::has_extension;
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
        say(format_args!("navmap: {}: holds no .nav2 file", typed.path.display()));
        return Ok(Exit::Failed);
    }
    let counts = set.findings().iter().any(|finding| finding.finding.severity.counts());
    Ok(if counts || !set.failures().is_empty() { Exit::Findings } else { Exit::Clean })
}

/// Whether the name is that of a tile.
pub(super) fn is_tile(path: &Path) -> bool {
    has_extension(path, &["nav2"])
}

/// Whether the name is that of the engine's own package, of which each holds a tile or a few.
pub(super) fn is_package(path: &Path) -> bool {
    has_extension(path, &["fpk", "fpkd"])
}

/// A file of a set, or why it could not be opened.
type TileFile = Result<(PathBuf, Backing<'static>)>;

/// The tiles at a path: of a folder and the folders in it, loose and in archives, or of one archive.
///
/// # Errors
/// Where nothing lies at the path.
pub(super) fn open(path: &Path, open: &args::Open) -> Result<TileSet<'static>> {
    path.metadata().map_err(|error| Error::from(error).in_file(path))?;
    let Listing { files, unread } = Listing::of(path, |path| is_tile(path) || may_be_archive(path));
    let mut set = of_files(&files, open)?;
    set.add_failures(unread);
    Ok(set)
}

/// The tiles in these files: archives, and tiles.
///
/// # Errors
/// Where one of them has become a folder that cannot be listed.
pub(super) fn of_files(files: &[PathBuf], open: &args::Open) -> Result<TileSet<'static>> {
    let opener = plan::opener(open);
    if !files.iter().any(|path| may_be_archive(path)) {
        return TileSet::open_with(files, &opener);
    }
    let of_file = |path: &PathBuf| match may_be_archive(path) {
        true => members(path, &mut || ControlFlow::Continue(())),
        false => vec![opener.open(path).map(|bytes| (path.clone(), bytes))],
    };
    let tiles: Vec<TileFile> = files.par_iter().flat_map_iter(of_file).collect();
    Ok(TileSet::from_opened(tiles))
}

/// The tiles in an archive; `None` where other meshes lie there too.
pub(super) fn of_archive(path: &Path) -> Option<TileSet<'static>> {
    let mut others = false;
    let tiles = members(path, &mut || {
        others = true;
        ControlFlow::Break(())
    });
    (!others).then(|| TileSet::from_opened(tiles))
}

/// Whether a set is better looked at as a map than file by file.
pub(super) fn is_map(set: &TileSet<'_>) -> bool {
    let alone = set.layers().len() == 1 && set.failures().is_empty();
    alone || set.layers().any(|layer| layer.tiles().len() > 1)
}

/// The tiles in an archive, each in memory of its own: what is packed has to be taken out, and outlives its archive.
/// `other` is asked at each other mesh whether to go on.
fn members(path: &Path, other: &mut dyn FnMut() -> ControlFlow<()>) -> Vec<TileFile> {
    let mut tiles = Vec::new();
    let read = Opened::open_if_archive(path).and_then(|opened| {
        let Some(opened) = opened else { return Ok(()) };
        let archive = opened.archive().map_err(|error| error.in_file(path))?;
        let mut each = |found: Found<'_>| {
            let name = named::joined(path, &printable(found.path));
            match found.bytes {
                Ok(bytes) if is_tile(&name) => tiles.push(Ok((name, Backing::owned(bytes.to_vec())))),
                Ok(_) => return other(),
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
