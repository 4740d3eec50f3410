//! What pictures and exports are made of: the graphs that a path holds, with their names.

#![forbid(unsafe_code)]

use super::list::{Opened, walker};
use super::out::say;
use super::{args, named, plan, tiles};
use crate::archive::{Found, Kind as ArchiveKind, Promise, Space as Buffers};
use crate::error::{Error, Result};
use crate::format::file::{NavFile, Summary};
use crate::format::fox::{self, TileSet};
use crate::format::skyrim;
use crate::format::{AnyNav, Kind, Options};
use crate::graph::{FlatGraph, Partial};
use crate::scan::Walk;
use crate::text::{Grouped, counted, printable};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A graph and what it is of.
#[derive(Debug)]
pub(super) struct Item {
    /// The map.
    pub(super) title: String,
    /// Game and version, and which part of the file this is.
    pub(super) subtitle: String,
    pub(super) graph: FlatGraph,
    /// Where the file could not be read on.
    pub(super) error: Option<Error>,
}

/// A graph, or the name of what could not be read at all and why.
pub(super) type Loaded = Result<Item, (String, Error)>;

/// What lies at a path.
pub(super) enum Place {
    /// One file, or one member of an archive: a graph, or several (the spaces of a plugin).
    One(Vec<Item>),
    /// The tiles of a Fox map.
    Tiles(Box<TileSet<'static>>),
    /// Files of a folder.
    Files(Listing),
    /// All members of an archive.
    Members(PathBuf),
}

/// The files at a path, and what of it could not be looked into.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) files: Vec<PathBuf>,
    pub(super) unread: Vec<Error>,
}

impl Listing {
    /// Of a folder and the folders in it the files whose names are wanted; of a file itself.
    pub(super) fn of(path: &Path, wanted: impl Fn(&Path) -> bool) -> Self {
        let mut listing = Self::default();
        for found in Walk::new([path]) {
            match found {
                Ok(found) if found.named || wanted(&found.path) => listing.files.push(found.path),
                Ok(_) => {}
                Err(error) => listing.unread.push(error),
            }
        }
        listing
    }
}

/// Finds out what lies at `path`: a mesh, `archive!member`, an archive, a folder.
pub(super) fn place(path: &Path, open: &args::Open) -> Result<Place> {
    if path.is_dir() {
        let listing = Listing::of(path, |path| Kind::names(path) || may_be_archive(path));
        let files = &listing.files;
        if !files.is_empty() && files.iter().all(|path| tiles::is_tile(path) || tiles::is_package(path)) {
            let mut set = tiles::of_files(files, open)?;
            if tiles::is_map(&set) {
                set.add_failures(listing.unread);
                return Ok(Place::Tiles(Box::new(set)));
            }
        }
        return Ok(Place::Files(listing));
    }
    let kind = open.kind;
    let looked = named::with_bytes(path, open, |bytes| {
        let archive = kind.is_none()
            && Kind::sniff(bytes, Some(path)).is_none()
            && ArchiveKind::sniff(bytes).is_some()
            && named::inside(path).is_none();
        if archive {
            let set = tiles::of_archive(path).filter(tiles::is_map);
            return Ok(set.map_or_else(|| Place::Members(path.to_owned()), |set| Place::Tiles(Box::new(set))));
        }
        items(bytes, path, path, &plan::options(open)).map(Place::One)
    })?;
    looked.map_err(|error| error.in_file(path))
}

/// Whether the name is that of an archive, or of a compressed file that may be a mesh.
pub(super) fn may_be_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    Promise::of(name) == Promise::Archive
}

/// The graphs in the bytes of a file of this name. What was read of a damaged file comes with its error; errors tell
/// that it lies at `path`.
fn items(bytes: &[u8], name: &Path, path: &Path, options: &Options) -> Result<Vec<Item>> {
    let nav = AnyNav::parse(bytes, Some(name), options).map_err(|error| error.in_file(path))?;
    let title = stem(name);
    let subtitle = describe(&nav.summary());
    let mut items = match &nav {
        AnyNav::Plugin(plugin) => spaces(plugin, &title, &subtitle),
        _ => {
            let Partial { value: graph, error } = nav.flat_graph();
            vec![Item { title, subtitle, graph, error }]
        }
    };
    for item in &mut items {
        item.error = item.error.take().map(|error| error.in_file(path));
    }
    Ok(items)
}

/// Each space of a plugin by itself, the largest first. The error of a damaged plugin goes to the first.
fn spaces(plugin: &skyrim::Plugin<'_>, title: &str, subtitle: &str) -> Vec<Item> {
    let whole = skyrim::Graph::new(plugin);
    let mut error = whole.damage();
    let mut items: Vec<Item> = whole
        .split()
        .into_iter()
        .map(|(space, graph)| {
            let flat = FlatGraph::of(&graph);
            let subtitle = format!("{subtitle}, {space}");
            Item { title: title.to_owned(), subtitle, graph: flat.value, error: flat.error }
        })
        .collect();
    items.sort_by_key(|item| std::cmp::Reverse(item.graph.nodes().len()));
    match items.first_mut() {
        Some(first) => first.error = first.error.take().or(error.take()),
        None => {
            let graph = FlatGraph::of(&skyrim::Graph::new(plugin)).value;
            let subtitle = format!("{subtitle}, no navmesh");
            items.push(Item { title: title.to_owned(), subtitle, graph, error });
        }
    }
    items
}

/// The map of this name in a tile set, or else the one with the most tiles, and then the others are named.
pub(super) fn map_of(set: &TileSet<'_>, wanted: Option<&str>, path: &Path) -> Result<Item> {
    let named = match wanted {
        Some(name) => set.layer(name),
        None => set.layers().next(),
    };
    let names: Vec<&str> = set.layers().map(|layer| layer.name()).collect();
    let layer = named.ok_or_else(|| {
        let why = format!("none is called {}; there are: {}", wanted.unwrap_or_default(), names.join(", "));
        Error::invalid("map", why).in_file(path)
    })?;
    if let (None, [taken, others @ ..]) = (wanted, &names[..])
        && !others.is_empty()
    {
        let (path, others) = (path.display(), others.join(", "));
        say(format_args!("navmap: {path}: took {taken}, which has the most tiles; --space takes {others}"));
    }
    let Partial { value: graph, error } = FlatGraph::of(&fox::Graph::of_layer(&layer));
    let tiles = layer.tiles().len();
    let unread = match set.failures().len() {
        0 => String::new(),
        n => format!(", {} not readable", counted(n as u64, "file", "files")),
    };
    let game = layer.tiles().flat_map(|tile| tile.files()).find_map(|file| file.nav().ok());
    let game = game.map_or_else(|| "Fox Engine".to_owned(), |nav| describe(&nav.summary()));
    let subtitle = format!("{game}, {}{unread}", counted(tiles as u64, "tile", "tiles"));
    // What was cut short while it was looked at is no part of a map.
    let error = error.or_else(|| set.intact().err());
    Ok(Item { title: layer.name().to_owned(), subtitle, graph, error })
}

/// Makes something of every graph in files, on all cores, in path order. `line` moves on with each file.
pub(super) fn of_files<T: Send>(
    files: &[PathBuf],
    open: &args::Open,
    line: &ProgressBar,
    make: &(impl Fn(Loaded) -> T + Sync),
) -> Vec<T> {
    let (opener, options) = (plan::opener(open), plan::options(open));
    let of_file = |path: &PathBuf| -> Vec<T> {
        let failed = |error: Error| vec![make(Err((stem(path), error.in_file(path))))];
        let bytes = match opener.open(path) {
            Ok(bytes) => bytes,
            Err(error) => return failed(error),
        };
        match items(&bytes, path, path, &options) {
            Ok(items) => items.into_iter().map(|item| make(Ok(item))).collect(),
            Err(error) if error.is_not_mesh() && ArchiveKind::sniff(&bytes).is_some() => {
                of_members(path, &options, make).unwrap_or_else(failed)
            }
            // What is no mesh and does not look like one is passed over, as in a scan.
            Err(error) if error.is_not_mesh() && !Kind::names(path) => Vec::new(),
            Err(error) => failed(error),
        }
    };
    let of_file = |path| {
        let made = of_file(path);
        line.inc(1);
        made
    };
    files.par_iter().flat_map_iter(of_file).collect()
}

/// Makes something of every graph in an archive.
pub(super) fn of_members<T>(path: &Path, options: &Options, make: &impl Fn(Loaded) -> T) -> Result<Vec<T>> {
    let mut made = Vec::new();
    each_member(path, &mut |name, bytes| {
        let (member, name) = (named::joined(path, name), Path::new(name));
        match bytes.and_then(|bytes| items(bytes, name, &member, options)) {
            Ok(items) => made.extend(items.into_iter().map(|item| make(Ok(item)))),
            Err(error) if error.is_not_mesh() && !Kind::names(name) => {}
            Err(error) => made.push(make(Err((stem(name), error.in_file(member))))),
        }
        ControlFlow::Continue(())
    })?;
    Ok(made)
}

/// Takes the name and the bytes of each mesh in an archive.
type Visit<'v> = dyn FnMut(&str, Result<&[u8]>) -> ControlFlow<()> + 'v;

fn each_member(path: &Path, visit: &mut Visit<'_>) -> Result<()> {
    let opened = Opened::open(path)?;
    let archive = opened.archive().map_err(|error| error.in_file(path))?;
    let mut each = |found: Found<'_>| visit(&printable(found.path), found.bytes);
    let _ = walker(false).archive(&archive, &mut Vec::new(), &opened.meter(), &mut Buffers::new(), &mut each);
    opened.intact().map_err(|error| error.in_file(path))
}

/// Of several graphs the one that was asked for by name; the names of all where there is none of that name.
pub(super) fn pick(mut items: Vec<Item>, wanted: Option<&str>) -> Result<Vec<Item>> {
    let Some(wanted) = wanted else { return Ok(items) };
    let at = items.iter().position(|item| item.subtitle.to_lowercase().ends_with(&wanted.to_lowercase()));
    match at {
        Some(at) => Ok(vec![items.swap_remove(at)]),
        None => {
            Err(Error::invalid("space", format!("none is called {wanted}; there are: {}", spaces_of(&items))))
        }
    }
}

/// The names of the first spaces that a plugin was taken apart into: `worldspace 0000003C, cell 0001A26F`.
pub(super) fn spaces_of(items: &[Item]) -> String {
    const MOST: usize = 12;
    let name = |item: &Item| match item.subtitle.rsplit_once(", ") {
        Some((_, space)) => space.to_owned(),
        None => item.subtitle.clone(),
    };
    let mut names: Vec<String> = items.iter().take(MOST).map(name).collect();
    if let Some(more) = items.len().checked_sub(MOST).filter(|more| *more > 0) {
        names.push(format!("and {} more", Grouped(more as u64)));
    }
    names.join(", ")
}

fn stem(path: &Path) -> String {
    printable(path.file_stem().unwrap_or(path.as_os_str()).as_encoded_bytes())
}

/// Game and version.
fn describe(summary: &Summary) -> String {
    let mut text = summary.game.unwrap_or("unknown game").to_owned();
    if let Some(version) = summary.version {
        text.push_str(&format!(", version {version}"));
        if let Some(subversion) = summary.subversion {
            text.push_str(&format!(".{subversion}"));
        }
    }
    text
}

/// The error that a path with nothing in it deserves.
pub(super) fn nothing(path: &Path) -> Error {
    Error::invalid("path", "holds no navigation mesh").in_file(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Axes;

    #[test]
    fn of_many_spaces_the_first_are_named() {
        let item = |n: usize| Item {
            title: "a".into(),
            subtitle: format!("Skyrim, version 44, cell {n}"),
            graph: FlatGraph::new("triangle", Axes::z_up(1.0)),
            error: None,
        };
        let spaces = |count: usize| spaces_of(&(0..count).map(item).collect::<Vec<_>>());
        assert_eq!(spaces(2), "cell 0, cell 1");
        assert!(spaces(12).ends_with(", cell 11"), "{}", spaces(12));
        assert!(spaces(1_300).ends_with(", cell 11, and 1,288 more"), "{}", spaces(1_300));
    }
}
