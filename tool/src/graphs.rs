//! Loads the graph of an item with its names, for pictures and exports.

use super::out::say;
use navmap::error::{Error, Result};
use navmap::format::HullName;
use navmap::graph::{FlatGraph, NavGraph};
use navmap::open::{self, Item, Tiles};
use navmap::text::{counted, path_text};
use navmap::{NavFile, Space};
use std::path::Path;

/// A graph and its names.
#[derive(Debug)]
pub(super) struct Named {
    /// The map.
    pub(super) title: String,
    /// Game and version, and the item's part of the file.
    pub(super) subtitle: String,
    pub(super) graph: FlatGraph,
    /// Whether its links depend on the hull.
    pub(super) has_hulls: bool,
    /// The error at which the file could not be read on, if it is damaged.
    pub(super) error: Option<Error>,
}

/// A graph; or, if it could not be read at all, its name and the error.
pub(super) type Loaded = Result<Named, (String, Error)>;

/// The graph of an item.
pub(super) fn load(item: Item<'_>) -> Loaded {
    let subtitle = item.subtitle();
    let has_hulls = item.nav().is_some_and(|nav| !nav.hulls().is_empty());
    match (item.flat_graph(), item.error) {
        (Some(flat), error) => Ok(Named {
            title: item.title,
            subtitle,
            graph: flat.value,
            has_hulls,
            error: flat.error.or(error),
        }),
        (None, error) => {
            let nothing = || Error::invalid("file", "could not be read").in_file(item.path);
            Err((item.title, error.unwrap_or_else(nothing)))
        }
    }
}

/// The graph of a plugin's space, for a sheet. It has the space's own name, since all share the name of the file.
pub(super) fn of_space(item: Item<'_>) -> Loaded {
    let names =
        item.space.as_ref().map(|space| (space.to_string(), format!("{}, {}", item.title, item.game())));
    let named = load(item)?;
    Ok(match names {
        Some((title, subtitle)) => Named { title, subtitle, ..named },
        None => named,
    })
}

/// The map with this name in a tile set. Without a name, the map with the most tiles, and a message names the others.
pub(super) fn map_of<'t>(tiles: &'t Tiles, wanted: Option<&str>) -> Result<Item<'t>> {
    let (item, maps) = tiles.choose(wanted)?;
    taken(tiles.path(), &maps);
    Ok(item)
}

/// Says which of several maps was taken: the first.
pub(super) fn taken(path: &Path, maps: &[String]) {
    if let [taken, others @ ..] = maps
        && !others.is_empty()
    {
        let (path, others) = (path_text(path), others.join(", "));
        say(format_args!("navmap: {path}: took {taken}, which is the largest; --space takes {others}"));
    }
}

/// The graph of a [map](map_of) of a tile set.
pub(super) fn of_tiles(tiles: &Tiles, wanted: Option<&str>) -> Result<Named> {
    let item = map_of(tiles, wanted)?;
    let mut named = load(item).map_err(|(_, error)| error)?;
    if let unread @ 1.. = tiles.failures().len() {
        named.subtitle.push_str(&format!(", {} not readable", counted(unread as u64, "file", "files")));
    }
    // A file that was truncated meanwhile is not part of the map.
    named.error = named.error.or_else(|| tiles.intact().err());
    Ok(named)
}

/// Refuses to choose one of several spaces.
pub(super) fn only(items: &[Item<'_>], path: &Path) -> Result<()> {
    if items.len() < 2 {
        return Ok(());
    }
    Err(several(items.iter().filter_map(|item| item.space.as_ref())).in_file(path))
}

/// The refusal to choose one of several spaces.
pub(super) fn several<'s>(spaces: impl IntoIterator<Item = &'s Space>) -> Error {
    Error::invalid("space", format!("there are several; name one with --space: {}", open::names(spaces)))
}

/// Keeps one hull of a graph, the first if none is asked for: the same floor is there for each.
pub(super) fn keep_hull(graph: &mut FlatGraph, hull: Option<HullName>, path: &Path) -> Result<()> {
    if graph.group_word() != Some("hull") {
        return match hull {
            None => Ok(()),
            Some(hull) => Err(Error::invalid("--hull", open::no_hulls(hull)).in_file(path)),
        };
    }
    let wanted = hull.map_or(Some(0), |hull| hull.number());
    let had = !graph.nodes().is_empty();
    graph.retain(|node| node.group.is_some() && node.group == wanted);
    if had && graph.nodes().is_empty() {
        return Err(Error::invalid(
            "--hull",
            format!("there is no hull {}", hull.map_or_else(|| "0".to_owned(), |hull| hull.to_string())),
        )
        .in_file(path));
    }
    Ok(())
}
