//! Builds an index from the neutral graph of a mesh: one visit, then packing.

mod sheet;
mod sheets;
mod taken;
mod whole;

pub use sheets::Sheets;

use super::grid::{Grid, Listed};
use super::ground::{
    Geometry, Ground, Points, Polygons, Quad, Quads, Vec3, bounds_of, distance, with_ground,
};
use super::index::{NavIndex, Parts};
use super::labels::{Ids, Labels, group_names};
use super::reach::Reach;
use super::rows::{Extra, MOST_AREAS, Packing, Rows};
use super::tactics::Gather;
use navmap_core::error::{Error, ErrorKind};
use navmap_core::graph::boxes::{BoxTree, along_curve};
use navmap_core::graph::{
    Link, MapTile, Names, NavGraph, Node, Partial, PlaneTree, Rules, Surface, Visitor, Wants,
};
use std::ops::ControlFlow;
use taken::{Taken, Taking, Told};

/// Length of the side of a grid cell, in metres: 56 units of Source, whose engine has cells of 300. Cells of 150 are half as fast as
/// those of 75, which take twice the memory.
const CELL_METRES: f32 = 1.43;
/// The most cells, and the most entries in cells, per area.
const CELLS_AN_AREA: usize = 8;

/// Options of [`NavIndex::build_with`]. `with_…` changes the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BuildOptions {
    /// If set, points are located only in the areas of this group, such as a hull of Source 2, where each floor is repeated for
    /// every hull. Areas of other groups are there, and so are their links, but they have no ground, and no path leads through them.
    pub group: Option<u32>,
    /// Whether to gather what the file knows of [tactics](NavIndex::tactics): hiding spots, who sees whom, what to watch on the
    /// way. In a Source mesh that may be more than the rest of the index.
    pub tactics: bool,
}

impl BuildOptions {
    navmap_core::with! {
        with_group = group: Option<u32>;
        with_tactics = tactics: bool;
    }

    /// The old name of [`with_tactics`](Self::with_tactics).
    #[doc(hidden)]
    #[must_use]
    pub fn tactics(self, tactics: bool) -> Self {
        self.with_tactics(tactics)
    }

    /// The old name of [`with_group`](Self::with_group).
    #[doc(hidden)]
    #[must_use]
    pub fn group(self, group: u32) -> Self {
        self.with_group(Some(group))
    }
}

/// Visits a graph of one type. Code independent of the type is in [`Taken`], which is compiled once.
struct Visit<'g, G> {
    graph: &'g G,
    taken: Taken,
}

impl<G: NavGraph> Visitor for Visit<'_, G> {
    const WANTS: Wants = Wants { portals: false, marks: false, ..Wants::ALL };

    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        self.taken.node(node, self.graph.toll(node))
    }

    #[inline(always)]
    fn link(&mut self, link: &Link) {
        self.taken.link(link);
    }
}

impl NavIndex {
    /// Builds the index of a mesh; for a damaged file, of the part before the damage.
    ///
    /// One visit, then linear except for a sort of the areas along a curve. The index takes about 150 bytes per area.
    pub fn build(graph: &impl NavGraph) -> Partial<Self> {
        Self::build_with(graph, &BuildOptions::default())
    }

    /// The same with options.
    pub fn build_with(graph: &impl NavGraph, options: &BuildOptions) -> Partial<Self> {
        Self::built(graph, options.group.map(|group| vec![group]), options.tactics)
    }

    /// The same for points in several groups alone: areas of others are as with [`BuildOptions::group`]. So a point in one of many
    /// spaces, which lie over each other, is tested against the areas of its own.
    pub fn build_in(graph: &impl NavGraph, groups: &[u32]) -> Partial<Self> {
        let mut groups = groups.to_vec();
        groups.sort_unstable();
        Self::built(graph, Some(groups), false)
    }

    fn built(graph: &impl NavGraph, groups: Option<Vec<u32>>, tactics: bool) -> Partial<Self> {
        let tiles = if groups.is_none() { graph.tiles() } else { Vec::new() };
        let mut visit =
            Visit { graph, taken: Taken::new(graph.axes(), groups, graph.known_nodes().unwrap_or(0)) };
        let error = graph.visit(&mut visit).err();
        let mut built = visit.taken.finish(&Facts::of(graph), &tiles, error);
        built.value.parts.held = graph.plane_tree();
        if tactics {
            let mut gather = Gather::new(&built.value);
            let damage = graph.visit_tactics(&mut gather).err();
            built.value.known = Some(Box::new(gather.finish()));
            built.error = built.error.or(damage);
        }
        built
    }
}

/// A graph's properties besides its nodes.
struct Facts<'g> {
    rules: Rules,
    node_word: &'static str,
    ids: navmap_core::graph::Ids,
    names: &'g dyn Names,
}

impl<'g> Facts<'g> {
    fn of(graph: &'g impl NavGraph) -> Self {
        Self { rules: graph.rules(), node_word: graph.node_word(), ids: graph.ids(), names: graph }
    }
}

impl Taken {
    /// Areas of a map lie together by tile, so that its index is the same whether it is built at once or tile by tile.
    fn finish(mut self, facts: &Facts<'_>, tiles: &[MapTile], mut error: Option<Error>) -> Partial<NavIndex> {
        if self.full {
            let (asked, allowed) = (self.nodes.len() as u64 + 1, MOST_AREAS as u64);
            error = Some(Error::new(ErrorKind::Limit { what: "areas of an index", asked, allowed }));
        }
        self.close();
        let whole = error.is_none();
        let sheets = if whole { Sheets::of_taken(&self, facts, tiles) } else { None };
        Partial { value: sheets.map_or_else(|| self.pack(facts), |sheets| sheets.index()), error }
    }

    /// Packed data is freed at once, so that its memory can be reused.
    fn pack(mut self, facts: &Facts<'_>) -> NavIndex {
        let rules = facts.rules;
        let areas = self.nodes.len();
        let (node_of, of_node) = along_curve(areas, |node| middle(bounds_of(self.corners(node))));
        let geometry = self.geometry(rules.surface, &node_of);
        (self.corners, self.radius) = Default::default();
        let (rows, scale) = self.rows(&geometry, &of_node);
        (self.links, self.starts, self.extras) = Default::default();
        let reach = Reach::new(&rows);
        let boxes: Vec<[Vec3; 2]> =
            with_ground!(&geometry, ground => (0..areas).map(|area| ground.bounds(area)).collect());
        let tree = BoxTree::new(boxes.iter().copied());
        // In file order, so that of two areas at the same height the first is found.
        let listed = Listed::of_all(of_node.iter().map(|&area| (boxes[area as usize], area)));
        drop(boxes);
        let side = CELL_METRES / self.axes.metres_per_unit;
        let grid = Grid::new(&listed, side, most_cells(areas), false);
        let engine =
            rules.engine_cell.map(|side| Grid::new(&listed, side, areas * CELLS_AN_AREA + 1024, true));
        let engine = engine.filter(|grid| grid.side() == rules.engine_cell.unwrap_or(0.0));
        drop(listed);
        let mut exits = std::mem::take(&mut self.exits);
        exits.retain(|exit| (exit.from as usize) < areas);
        exits.iter_mut().for_each(|exit| exit.from = of_node[exit.from as usize]);
        let flags = self.by_area(&node_of, |told| told.flags);
        let places = node_of.iter().map(|&node| self.nodes[node as usize].place);
        let groups = self.by_area(&node_of, |told| told.group);
        let names = group_names(facts.names, &groups);
        let labels = Labels::new(facts.names, places, groups, names, &flags);
        NavIndex::of_parts(Parts {
            axes: self.axes,
            rules,
            node_word: facts.node_word,
            written: facts.ids,
            ids: Ids::new(self.nodes.iter().map(|told| told.id).collect()),
            geometry,
            grid,
            engine,
            tree,
            held: PlaneTree::default(),
            rows,
            reach,
            node_of,
            of_node,
            labels,
            exits,
            scale,
        })
    }

    fn geometry(&self, surface: Surface, node_of: &[u32]) -> Geometry {
        let corners = |node: u32| self.corners(node as usize);
        if surface == Surface::Bilinear && !self.points {
            let quads: Option<Vec<Quad>> =
                node_of.iter().map(|&node| Quad::from_corners(corners(node))).collect();
            if let Some(quads) = quads {
                return Geometry::Quads(Quads(quads));
            }
        }
        if self.points && !self.polygons && self.groups.is_none() {
            let at = node_of.iter().map(|&node| corners(node)[0]).collect();
            let radius = node_of.iter().map(|&node| self.radius[node as usize]).collect();
            return Geometry::Points(Points { at, radius });
        }
        let areas = node_of.len();
        let mut polygons = Polygons {
            starts: Vec::with_capacity(areas + 1),
            corners: Vec::with_capacity(self.corners.len()),
            centers: Vec::with_capacity(areas),
        };
        polygons.starts.push(0);
        for &node in node_of {
            polygons.corners.extend_from_slice(corners(node));
            polygons.starts.push(polygons.corners.len() as u32);
            polygons.centers.push(mean(corners(node)));
        }
        Geometry::Polygons(polygons)
    }

    /// Packs the rows, and finds the smallest ratio of a link's cost to its straight distance.
    fn rows(&self, geometry: &Geometry, of_node: &[u32]) -> (Rows, f32) {
        with_ground!(geometry, ground => self.rows_over(ground, of_node))
    }

    /// Reads links sequentially, and writes each to its place: scattered writes do not wait.
    fn rows_over(&self, ground: &impl Ground, of_node: &[u32]) -> (Rows, f32) {
        /// What links need to know of a node, in one place.
        struct There {
            center: Vec3,
            toll: f32,
            area: u32,
        }
        let there = |(&area, told): (&u32, &Told)| There {
            center: ground.center(area as usize),
            toll: told.toll,
            area,
        };
        let there: Vec<There> = of_node.iter().zip(&self.nodes).map(there).collect();
        let mut scale = 1f32;
        let all_exist = (self.farthest as usize) < of_node.len();
        let exists = |link: &Taking| (link.to as usize) < of_node.len();
        let mut counts = vec![0u32; of_node.len()];
        for (node, &area) in of_node.iter().enumerate() {
            let row = self.row(node);
            counts[area as usize] = match all_exist {
                true => row.len() as u32,
                false => self.links[row].iter().map(|link| u32::from(exists(link))).sum(),
            };
        }
        let mut packing = Packing::new(counts);
        // The new position of each link, if some have extra fields.
        let mut moved = vec![u32::MAX; if self.extras.is_empty() { 0 } else { self.links.len() }];
        let mut into = packing.open();
        for (node, here) in there.iter().enumerate() {
            let mut place = into.first(here.area as usize);
            let row = self.row(node);
            for (link, at) in self.links[row.clone()].iter().zip(row) {
                let Some(to) = there.get(link.to as usize) else { continue };
                let straight = distance(here.center, to.center);
                let straight = if straight.is_finite() { straight } else { f32::INFINITY };
                if let Some(moved) = moved.get_mut(at) {
                    *moved = place as u32;
                }
                let at = place;
                place += 1;
                let toll = to.toll;
                if link.length.is_nan() && link.cost.is_nan() && toll >= 1.0 {
                    into.set(at, to.area, straight, toll, link.how);
                    continue;
                }
                let mut length = if link.length.is_nan() { straight } else { link.length };
                let toll = match link.cost {
                    cost if cost.is_nan() => toll,
                    cost if length > 0.0 => cost / length,
                    cost => {
                        length = cost;
                        1.0
                    }
                };
                let least = length.min(length * toll);
                if straight > 0.0 && here.area != to.area && least < straight {
                    // Slightly less, because sums are rounded.
                    scale = scale.min(least / straight * (1.0 - 1e-5));
                }
                into.set(at, to.area, length, toll, link.how);
            }
        }
        let mut extras = Vec::with_capacity(self.extras.len());
        for extra in &self.extras {
            let link = moved[extra.link as usize];
            extras.extend((link != u32::MAX).then_some(Extra { link, ..*extra }));
        }
        extras.sort_unstable_by_key(|extra| extra.link);
        (packing.finish(extras), scale)
    }
}

/// The most cells of the grid of so many areas.
fn most_cells(areas: usize) -> usize {
    areas * CELLS_AN_AREA + 16
}

fn mean(corners: &[Vec3]) -> Vec3 {
    let sum = corners.iter().fold([0f64; 3], |sum, p| [0, 1, 2].map(|axis| sum[axis] + f64::from(p[axis])));
    sum.map(|v| (v / corners.len() as f64) as f32)
}

fn middle([low, high]: [Vec3; 2]) -> [f32; 2] {
    [0, 1].map(|axis| f32::midpoint(low[axis], high[axis]))
}
