//! A map as a set of tiles of which single ones are exchanged.

use super::super::grid::{Grid, Listed};
use super::super::ground::{Geometry, Polygons, Vec3};
use super::super::index::{Exit, NavIndex, Parts};
use super::super::labels::{Ids, Labels, NO_GROUP};
use super::super::reach::{Reach, strong};
use super::super::rows::Rows;
use super::sheet::{Sheet, Spans, extras_of};
use super::{BuildOptions, CELL_METRES, CELLS_AN_AREA, Facts, Taken, Visit};
use navmap_core::graph::boxes::BoxTree;
use navmap_core::graph::{Axes, MapTile, Names, NavGraph, Rules};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tiles of a map, each prepared for itself and shared by all maps that have it: an index is [made](Self::index) of them by
/// putting them side by side, without reading one again.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Sheets {
    head: Head,
    /// By key.
    list: Vec<Arc<Sheet>>,
}

/// What a graph says of all its tiles.
#[derive(Debug, Clone, PartialEq)]
struct Head {
    axes: Axes,
    rules: Rules,
    node_word: &'static str,
    written: navmap_core::graph::Ids,
    flag_names: Vec<Option<&'static str>>,
}

impl Sheets {
    /// The tiles of a map. `None` if it is damaged, or is no map whose tiles can be exchanged.
    pub fn of(graph: &impl NavGraph) -> Option<Self> {
        let mut visit = Visit { graph, taken: Taken::new(graph.axes(), &BuildOptions::default()) };
        graph.visit(&mut visit).ok()?;
        visit.taken.close();
        Self::of_taken(&visit.taken, &Facts::of(graph), &graph.tiles())
    }

    pub(super) fn of_taken(taken: &Taken, facts: &Facts<'_>, tiles: &[MapTile]) -> Option<Self> {
        let spans = Spans::new(tiles);
        let ordered = tiles.windows(2).all(|pair| pair[0].key < pair[1].key);
        if tiles.is_empty() || !ordered || spans.nodes() != taken.ids.len() || taken.full {
            return None;
        }
        let sheet = |at| Sheet::new(taken, facts, &spans, at).map(Arc::new);
        let list = (0..tiles.len()).map(sheet).collect::<Option<_>>()?;
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
        let mut list: BTreeMap<u64, &Arc<Sheet>> =
            self.list.iter().map(|sheet| (sheet.tile.key, sheet)).collect();
        for key in keys {
            match part.list.binary_search_by_key(key, |sheet| sheet.tile.key) {
                Ok(at) => list.insert(*key, &part.list[at]),
                Err(_) => list.remove(key),
            };
        }
        let list = list.into_values().map(Arc::clone).collect();
        (self.head == part.head).then(|| Self { head: self.head.clone(), list })
    }

    /// How many tiles both have in common, so that neither read them for itself.
    pub fn shared(&self, other: &Self) -> usize {
        let mine: BTreeMap<u64, &Arc<Sheet>> =
            self.list.iter().map(|sheet| (sheet.tile.key, sheet)).collect();
        let same =
            |sheet: &&Arc<Sheet>| mine.get(&sheet.tile.key).is_some_and(|mine| Arc::ptr_eq(mine, sheet));
        other.list.iter().filter(same).count()
    }

    /// The index of all of them. Linear in their areas and links, all of which are copied.
    pub fn index(&self) -> NavIndex {
        let firsts = Firsts::of(&self.list);
        let areas = firsts.areas as usize;
        let (node_of, of_node) =
            (self.gather(areas, &firsts, |s| &s.node_of), self.gather(areas, &firsts, |s| &s.of_node));
        let boxes: Vec<[Vec3; 2]> = self.list.iter().flat_map(|sheet| sheet.boxes.iter().copied()).collect();
        let tree = BoxTree::new(boxes.iter().copied());
        let listed = Listed::of_all(of_node.iter().map(|&area| (boxes[area as usize], area)));
        drop(boxes);
        let grid = Grid::new(
            &listed,
            CELL_METRES / self.head.axes.metres_per_unit,
            areas * CELLS_AN_AREA + 16,
            false,
        );
        drop(listed);
        NavIndex::of_parts(Parts {
            axes: self.head.axes,
            rules: self.head.rules,
            node_word: self.head.node_word,
            written: self.head.written,
            ids: self.ids(areas),
            geometry: Geometry::Polygons(Polygons::side_by_side(self.list.iter().map(|sheet| &sheet.ground))),
            grid,
            engine: None,
            tree,
            reach: self.reach(&firsts),
            rows: self.rows(&firsts),
            node_of,
            of_node,
            labels: self.labels(areas),
            exits: self.exits(&firsts),
            scale: self.list.iter().fold(1f32, |scale, sheet| scale.min(sheet.scale)),
        })
    }

    fn gather(&self, areas: usize, firsts: &Firsts, of: impl Fn(&Sheet) -> &Vec<u32>) -> Vec<u32> {
        let mut all = Vec::with_capacity(areas);
        for (sheet, first) in self.list.iter().zip(&firsts.list) {
            all.extend(of(sheet).iter().map(|number| number + first.area));
        }
        all
    }

    fn rows(&self, firsts: &Firsts) -> Rows {
        let extras = self.list.iter().zip(&firsts.list).flat_map(|(sheet, first)| {
            extras_of(sheet, first.link, move |tile| firsts.of_key(tile).map_or(0, |first| first.number))
        });
        let mut rows = Rows::side_by_side(self.list.iter().map(|sheet| &sheet.rows), extras.collect());
        for (sheet, first) in self.list.iter().zip(&firsts.list) {
            for run in sheet.seams.chunk_by(|a, b| a.tile == b.tile) {
                let Some(there) = firsts.of_key(run[0].tile) else { continue };
                let of_node = &self.list[there.at].of_node;
                run.iter().for_each(|seam| {
                    rows.lead(first.link + seam.link, there.area + of_node[seam.node as usize])
                });
            }
        }
        rows.turn();
        rows
    }

    /// What reaches what, from the components of the tiles and the links between those.
    fn reach(&self, firsts: &Firsts) -> Reach {
        let mut across: Vec<[u32; 2]> = Vec::new();
        for (sheet, first) in self.list.iter().zip(&firsts.list) {
            let (of, _, inside) = &sheet.components;
            across.extend(inside.iter().map(|pair| pair.map(|component| component + first.component)));
            for run in sheet.seams.chunk_by(|a, b| a.tile == b.tile) {
                let Some(there) = firsts.of_key(run[0].tile) else { continue };
                let other = &self.list[there.at];
                for seam in run {
                    let to = other.components.0[other.of_node[seam.node as usize] as usize];
                    let pair = [first.component + of[seam.area as usize], there.component + to];
                    if across.last() != Some(&pair) {
                        across.push(pair);
                    }
                }
            }
        }
        across.sort_unstable();
        across.dedup();
        let row = |from: usize| {
            let start = across.partition_point(|pair| (pair[0] as usize) < from);
            start..start + across[start..].partition_point(|pair| pair[0] as usize == from)
        };
        let (whole, count) = strong(firsts.components as usize, row, |link| across[link][1] as usize);
        let of_sheet = self.list.iter().zip(&firsts.list).flat_map(|(sheet, first)| {
            let of = &whole[first.component as usize..];
            sheet.components.0.iter().map(move |component| of[*component as usize])
        });
        let of = of_sheet.collect();
        across.iter_mut().flatten().for_each(|component| *component = whole[*component as usize]);
        across.retain(|[a, b]| a != b);
        Reach::of_components(of, count, across)
    }

    fn ids(&self, areas: usize) -> Ids {
        let mut ids = Vec::with_capacity(areas);
        for (at, sheet) in (0u64..).zip(&self.list) {
            let first = if sheet.tile.counted { at << 32 } else { 0 };
            ids.extend(sheet.ids.iter().map(|id| id.wrapping_add(first)));
        }
        Ids::new(&ids)
    }

    fn labels(&self, areas: usize) -> Labels {
        let (mut groups, mut flags, mut names) =
            (Vec::with_capacity(areas), Vec::with_capacity(areas), Vec::new());
        let mut first = 0u32;
        for sheet in &self.list {
            let group = |group: &u32| if *group == NO_GROUP { NO_GROUP } else { group.wrapping_add(first) };
            groups.extend(sheet.groups.iter().map(group));
            flags.extend_from_slice(&sheet.flags);
            names.push((first, Arc::clone(&sheet.group_names)));
            first = first.saturating_add(sheet.tile.groups);
        }
        let places = self.list.iter().flat_map(|sheet| sheet.places.iter().copied());
        Labels::new(self, places, groups, names, &flags)
    }

    fn exits(&self, firsts: &Firsts) -> Vec<Exit> {
        let of_sheet = self.list.iter().zip(&firsts.list).flat_map(|(sheet, first)| {
            sheet.exits.iter().map(move |exit| Exit { from: exit.from + first.area, ..*exit })
        });
        of_sheet.collect()
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

/// Where each sheet begins in the whole.
struct Firsts {
    list: Vec<First>,
    areas: u32,
    components: u32,
}

struct First {
    key: u64,
    at: usize,
    area: u32,
    link: u32,
    number: u32,
    component: u32,
}

impl Firsts {
    fn of(sheets: &[Arc<Sheet>]) -> Self {
        let (mut area, mut link, mut number, mut component) = (0, 0, 0, 0);
        let mut list = Vec::with_capacity(sheets.len());
        for (at, sheet) in sheets.iter().enumerate() {
            list.push(First { key: sheet.tile.key, at, area, link, number, component });
            area += sheet.node_of.len() as u32;
            link += sheet.rows.links().len() as u32;
            number += sheet.tile.numbers;
            component += sheet.components.1 as u32;
        }
        Self { list, areas: area, components: component }
    }

    fn of_key(&self, key: u64) -> Option<&First> {
        self.list.binary_search_by_key(&key, |first| first.key).ok().map(|at| &self.list[at])
    }
}
