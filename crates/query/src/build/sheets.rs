//! A map as a set of tiles of which single ones are exchanged.

use super::sheet::{Sheet, Spans};
use super::taken::Taken;
use super::{Facts, Visit};
use navmap_core::graph::{Axes, MapTile, Names, NavGraph, Rules};
use std::borrow::Cow;
use std::sync::Arc;

/// The tiles of a map, each prepared for itself and shared by all maps that have it: an index is [made](Self::index) of them by
/// putting them side by side, without reading one again.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Sheets {
    pub(super) head: Head,
    /// By key.
    pub(super) list: Vec<Arc<Sheet>>,
}

/// What a graph says of all its tiles.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Head {
    pub(super) axes: Axes,
    pub(super) rules: Rules,
    pub(super) node_word: &'static str,
    pub(super) written: navmap_core::graph::Ids,
    flag_names: Vec<Option<&'static str>>,
}

impl Sheets {
    /// The tiles of a map. `None` if it is damaged, or is no map whose tiles can be exchanged.
    pub fn of(graph: &impl NavGraph) -> Option<Self> {
        Self::some(graph, |_| true)
    }

    /// Those that `wanted` picks by their keys. All of the graph is read.
    pub fn some(graph: &impl NavGraph, wanted: impl Fn(u64) -> bool) -> Option<Self> {
        let mut visit = Visit { graph, taken: Taken::new(graph.axes(), None, 0) };
        graph.visit(&mut visit).ok()?;
        visit.taken.close();
        Self::picked(&visit.taken, &Facts::of(graph), &graph.tiles(), &wanted)
    }

    pub(super) fn of_taken(taken: &Taken, facts: &Facts<'_>, tiles: &[MapTile]) -> Option<Self> {
        Self::picked(taken, facts, tiles, &|_| true)
    }

    fn picked(
        taken: &Taken,
        facts: &Facts<'_>,
        tiles: &[MapTile],
        wanted: &dyn Fn(u64) -> bool,
    ) -> Option<Self> {
        let spans = Spans::new(tiles);
        let ordered = tiles.windows(2).all(|pair| pair[0].key < pair[1].key);
        if tiles.is_empty() || !ordered || spans.nodes() != taken.nodes.len() || taken.full {
            return None;
        }
        let sheet = |at| Sheet::new(taken, facts, &spans, at).map(Arc::new);
        let list = (0..tiles.len()).filter(|at| wanted(tiles[*at].key)).map(sheet).collect::<Option<_>>()?;
        Some(Self { head: Head::of(taken.axes, facts), list })
    }

    /// The tiles.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = &MapTile> + '_ {
        self.list.iter().map(|sheet| &sheet.tile)
    }

    /// The keys of the tiles that must be read again if this one is exchanged: those whose links depend on it.
    pub fn touched(&self, tile: &MapTile) -> Vec<u64> {
        let near = self.list.iter().filter(|sheet| sheet.tile.key != tile.key && sheet.looks_at(tile));
        near.map(|sheet| sheet.tile.key).collect()
    }

    /// The keys of the tiles that must be there for what leads out of these, and out of a tile at `at`, to be told.
    pub fn beside(&self, keys: &[u64], at: [i32; 2]) -> Vec<u64> {
        let of_keys: Vec<&Sheet> =
            self.list.iter().filter(|sheet| keys.contains(&sheet.tile.key)).map(|sheet| &**sheet).collect();
        let needed = |sheet: &&Arc<Sheet>| {
            sheet.is_near(at)
                || of_keys.iter().any(|key| key.tile.key == sheet.tile.key || key.looks_at(&sheet.tile))
        };
        self.list.iter().filter(needed).map(|sheet| sheet.tile.key).collect()
    }

    /// The same tiles, but with these keys as `part` has them, and without those that it lacks. `None` if both do not belong
    /// together.
    pub fn exchange(&self, part: &Self, keys: &[u64]) -> Option<Self> {
        let mut list = self.list.clone();
        for key in keys {
            let of_key = |sheet: &Arc<Sheet>| sheet.tile.key;
            let new = part.list.binary_search_by_key(key, of_key).ok().map(|at| Arc::clone(&part.list[at]));
            match (list.binary_search_by_key(key, of_key), new) {
                (Ok(at), Some(new)) => list[at] = new,
                (Ok(at), None) => drop(list.remove(at)),
                (Err(at), Some(new)) => list.insert(at, new),
                (Err(_), None) => {}
            }
        }
        (self.head == part.head).then(|| Self { head: self.head.clone(), list })
    }

    /// How many tiles both have in common, so that neither read them for itself.
    pub fn shared(&self, other: &Self) -> usize {
        let same = |sheet: &&Arc<Sheet>| {
            let mine = self.list.binary_search_by_key(&sheet.tile.key, |sheet| sheet.tile.key);
            mine.is_ok_and(|at| Arc::ptr_eq(&self.list[at], sheet))
        };
        other.list.iter().filter(same).count()
    }
}

impl Names for Sheets {
    fn place_name(&self, place: u32) -> Option<Cow<'_, str>> {
        self.list.iter().find_map(|sheet| sheet.place_names.get(&place)).map(|name| name.as_str().into())
    }

    /// Groups are named by their sheets.
    fn group_name(&self, _group: u32) -> Option<Cow<'_, str>> {
        None
    }

    fn flag_name(&self, bit: u32) -> Option<&'static str> {
        *self.head.flag_names.get(bit as usize)?
    }
}

impl Head {
    fn of(axes: Axes, facts: &Facts<'_>) -> Self {
        Self {
            axes,
            rules: facts.rules,
            node_word: facts.node_word,
            written: facts.ids,
            flag_names: (0..64).map(|bit| facts.names.flag_name(bit)).collect(),
        }
    }
}
