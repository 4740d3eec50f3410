//! What pictures and exports are made of: the graph of an item, with its names.

#![forbid(unsafe_code)]

use super::out::say;
use crate::error::{Error, Result};
use crate::graph::FlatGraph;
use crate::open::{self, Item, Space, Tiles};
use crate::text::counted;

/// A graph and what it is of.
#[derive(Debug)]
pub(super) struct Named {
    /// The map.
    pub(super) title: String,
    /// Game and version, and which part of the file this is.
    pub(super) subtitle: String,
    pub(super) graph: FlatGraph,
    /// Where the file could not be read on.
    pub(super) error: Option<Error>,
}

/// A graph, or the name of what could not be read at all and why.
pub(super) type Loaded = Result<Named, (String, Error)>;

/// The graph of an item.
pub(super) fn of(item: Item<'_>) -> Loaded {
    let subtitle = item.subtitle();
    match (item.flat_graph(), item.error) {
        (Some(flat), error) => {
            Ok(Named { title: item.title, subtitle, graph: flat.value, error: flat.error.or(error) })
        }
        (None, error) => {
            let nothing = || Error::invalid("file", "could not be read").in_file(item.path);
            Err((item.title, error.unwrap_or_else(nothing)))
        }
    }
}

/// The graph of a space of a plugin, on a sheet of them: its own name tells more than the file's, which is the same for
/// all.
pub(super) fn of_space(item: Item<'_>) -> Loaded {
    let names =
        item.space.as_ref().map(|space| (space.to_string(), format!("{}, {}", item.title, item.game())));
    let named = of(item)?;
    Ok(match names {
        Some((title, subtitle)) => Named { title, subtitle, ..named },
        None => named,
    })
}

/// The map of this name in a tile set, or else the one with the most tiles, and then the others are named.
pub(super) fn of_tiles(tiles: &Tiles, wanted: Option<&str>) -> Result<Named> {
    let mut items = tiles.items();
    match wanted {
        Some(wanted) => open::choose(&mut items, wanted)?,
        None => {
            let names: Vec<String> =
                items.iter().filter_map(|item| item.space.as_ref().map(Space::to_string)).collect();
            if let [taken, others @ ..] = &names[..]
                && !others.is_empty()
            {
                let (path, others) = (tiles.path().display(), others.join(", "));
                say(format_args!(
                    "navmap: {path}: took {taken}, which has the most tiles; --space takes {others}"
                ));
            }
        }
    }
    let Some(item) = items.into_iter().next() else { return Err(open::Place::nothing(tiles.path())) };
    let mut named = of(item).map_err(|(_, error)| error)?;
    if let unread @ 1.. = tiles.set().failures().len() {
        named.subtitle.push_str(&format!(", {} not readable", counted(unread as u64, "file", "files")));
    }
    // What was cut short while it was looked at is no part of a map.
    named.error = named.error.or_else(|| tiles.set().intact().err());
    Ok(named)
}
