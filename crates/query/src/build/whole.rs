//! The index of a map, put together from its tiles.

use super::super::grid::{Asked, Exchange, Grid, Listed, joined};
use super::super::ground::{Geometry, Polygons};
use super::super::index::{Exit, NavIndex, Parts};
use super::super::labels::{Ids, Labels};
use super::super::reach::{Reach, strong};
use super::super::rows::{Inbound, Rows};
use super::sheet::{Sheet, extras_of};
use super::sheets::Sheets;
use super::{CELL_METRES, most_cells};
use navmap_core::graph::PlaneTree;
use navmap_core::graph::boxes::BoxTree;
use std::sync::Arc;

impl Sheets {
    /// The index of all of them. Linear in their areas and links, all of which are copied.
    pub fn index(&self) -> NavIndex {
        self.put_together(None)
    }

    /// The same where most tiles are those of other sheets, of which `index` is: what did not change is copied from there.
    pub fn index_after(&self, index: &NavIndex, other: &Self) -> NavIndex {
        self.put_together(Some((&index.parts, other)))
    }

    fn put_together(&self, before: Option<(&Parts, &Self)>) -> NavIndex {
        let firsts = Firsts::of(&self.list);
        let after = before.and_then(|(parts, other)| After::new(self, &firsts, parts, other));
        let after = after.as_ref();
        let areas = firsts.areas as usize;
        NavIndex::of_parts(Parts {
            axes: self.head.axes,
            rules: self.head.rules,
            node_word: self.head.node_word,
            written: self.head.written,
            ids: self.ids(areas),
            geometry: Geometry::Polygons(Polygons::side_by_side(self.list.iter().map(|sheet| &sheet.ground))),
            grid: self.grid(&firsts, after),
            engine: None,
            tree: self.tree(&firsts, after),
            held: PlaneTree::default(),
            reach: self.reach(&firsts),
            rows: self.rows(&firsts, after),
            node_of: self.gather(areas, &firsts, |sheet| &sheet.node_of),
            of_node: self.gather(areas, &firsts, |sheet| &sheet.of_node),
            labels: Labels::side_by_side(self, areas, self.list.iter().map(|sheet| &sheet.labels)),
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

    fn grid(&self, firsts: &Firsts, after: Option<&After<'_>>) -> Grid {
        let (side, most) = (CELL_METRES / self.head.axes.metres_per_unit, most_cells(firsts.areas as usize));
        let exchanged = after.and_then(|after| {
            let flat = self.list.iter().map(|sheet| sheet.flat).reduce(joined)?;
            let last = self.list.iter().zip(&firsts.list).rev();
            let last = last.filter_map(|(sheet, first)| Some(first.area + sheet.last?)).next()?;
            let asked = Asked { bounds: flat, side, most, divides: false };
            after.parts.grid.exchanged(&after.change, &asked, last)
        });
        exchanged.unwrap_or_else(|| {
            let mut listed = Vec::with_capacity(firsts.areas as usize);
            for (sheet, first) in self.list.iter().zip(&firsts.list) {
                listed.extend(Listed::of_all(sheet.listed(first.area)));
            }
            Grid::new(&listed, side, most, false)
        })
    }

    fn tree(&self, firsts: &Firsts, after: Option<&After<'_>>) -> BoxTree {
        let rest = |from: usize| {
            self.list.iter().zip(&firsts.list).flat_map(move |(sheet, first)| {
                let skipped = from.saturating_sub(first.area as usize).min(sheet.boxes.len());
                sheet.boxes[skipped..].iter().copied()
            })
        };
        let areas = firsts.areas as usize;
        match after {
            Some(after) => after.parts.tree.exchanged(after.change.leaving.start as usize, areas, rest),
            None => BoxTree::new(std::iter::empty()).exchanged(0, areas, rest),
        }
    }

    fn rows(&self, firsts: &Firsts, after: Option<&After<'_>>) -> Rows {
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
        self.incoming(&mut rows, firsts, after);
        rows
    }

    /// Adds the links into all areas: as they were before where those are the same, else from inside a tile and from those that lead
    /// to it.
    fn incoming(&self, rows: &mut Rows, firsts: &Firsts, after: Option<&After<'_>>) {
        let kept = |at: usize| after.and_then(|after| Some((after, after.kept[at].clone()?)));
        let made: Vec<u64> = self
            .list
            .iter()
            .enumerate()
            .filter(|(at, _)| kept(*at).is_none())
            .map(|(_, sheet)| sheet.tile.key)
            .collect();
        // Who leads to those: by tile, then in order.
        let mut leads: Vec<(u64, usize)> = Vec::new();
        for (at, sheet) in self.list.iter().enumerate() {
            leads.extend(
                sheet.leads.iter().filter(|key| made.binary_search(key).is_ok()).map(|key| (*key, at)),
            );
        }
        leads.sort_unstable();
        let mut inbound: Vec<Inbound> = Vec::new();
        for (at, (sheet, first)) in self.list.iter().zip(&firsts.list).enumerate() {
            if let Some((after, areas)) = kept(at) {
                rows.add_incoming_of(&after.parts.rows, areas, |from| after.change.moved(from));
                continue;
            }
            let from = leads.partition_point(|(key, _)| *key < sheet.tile.key);
            inbound.clear();
            for (_, other) in leads[from..].iter().take_while(|(key, _)| *key == sheet.tile.key) {
                let there = &firsts.list[*other];
                inbound.extend(self.list[*other].inbound([there.area, there.link], sheet, first.area));
            }
            inbound.sort_by_key(|coming| coming.to);
            rows.add_incoming(&sheet.rows, &inbound);
        }
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
        let (whole, count, _) =
            strong(firsts.components as usize, row, &across, |pair| Some(pair[1] as usize));
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
        Ids::new(ids)
    }

    fn exits(&self, firsts: &Firsts) -> Vec<Exit> {
        let of_sheet = self.list.iter().zip(&firsts.list).flat_map(|(sheet, first)| {
            sheet.exits.iter().map(move |exit| Exit { from: exit.from + first.area, ..*exit })
        });
        of_sheet.collect()
    }
}

/// What is known of an index before one tile was exchanged.
struct After<'b> {
    parts: &'b Parts,
    change: Exchange,
    /// For each tile whose incoming links are the same: the areas that it had.
    kept: Vec<Option<std::ops::Range<u32>>>,
}

impl<'b> After<'b> {
    /// `None` if areas of several tiles changed.
    fn new(sheets: &Sheets, firsts: &Firsts, parts: &'b Parts, other: &Sheets) -> Option<Self> {
        let before = Firsts::of(&other.list);
        let of_key =
            |list: &[Arc<Sheet>], key: u64| list.binary_search_by_key(&key, |sheet| sheet.tile.key).ok();
        // Tiles as they were and as they are, if they are not the same.
        let mut changed: Vec<[Option<usize>; 2]> = Vec::new();
        for (at, sheet) in sheets.list.iter().enumerate() {
            let was = of_key(&other.list, sheet.tile.key);
            if !was.is_some_and(|was| Arc::ptr_eq(&other.list[was], sheet)) {
                changed.push([was, Some(at)]);
            }
        }
        let gone =
            other.list.iter().enumerate().filter(|(_, sheet)| of_key(&sheets.list, sheet.tile.key).is_none());
        changed.extend(gone.map(|(was, _)| [Some(was), None]));
        let pair = |[was, is]: [Option<usize>; 2]| {
            [was.map(|was| &*other.list[was]), is.map(|is| &*sheets.list[is])]
        };
        let moved = |sides: &[Option<usize>; 2]| match pair(*sides) {
            [Some(was), Some(is)] => !was.has_areas_of(is),
            _ => true,
        };
        let mut exchanged = changed.iter().copied().filter(moved);
        let change = match (exchanged.next(), exchanged.next()) {
            (_, Some(_)) => return None,
            (None, None) => Exchange { old: Vec::new(), new: Vec::new(), leaving: 0..0, coming: 0 },
            (Some([was, is]), None) => {
                let first = was.map(|at| before.list[at].area).or(is.map(|at| firsts.list[at].area))?;
                let [was, is] = pair([was, is]);
                let listed = |sheet: Option<&Sheet>| {
                    sheet.map(|sheet| Listed::of_all(sheet.listed(first))).unwrap_or_default()
                };
                let areas = |sheet: Option<&Sheet>| sheet.map_or(0, |sheet| sheet.node_of.len() as u32);
                let (old, new) = (listed(was), listed(is));
                Exchange { old, new, leaving: first..first + areas(was), coming: areas(is) }
            }
        };
        // Links into a tile are the same unless the tile is another, or one that leads to it.
        let mut touched: Vec<u64> = Vec::new();
        for sides in &changed {
            let sides = pair(*sides);
            touched.extend(sides.iter().flatten().map(|sheet| sheet.tile.key));
            for key in sides.iter().flatten().flat_map(|sheet| &sheet.leads) {
                let [was, is] = sides.map(|sheet| sheet.into_iter().flat_map(|sheet| sheet.seen_from(*key)));
                if !was.eq(is) {
                    touched.push(*key);
                }
            }
        }
        touched.sort_unstable();
        let hubs = parts.rows.has_hubs();
        let kept = sheets.list.iter().map(|sheet| {
            let was = &before.list[of_key(&other.list, sheet.tile.key)?];
            let same = !hubs && touched.binary_search(&sheet.tile.key).is_err();
            same.then(|| was.area..was.area + sheet.node_of.len() as u32)
        });
        Some(Self { parts, change, kept: kept.collect() })
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
