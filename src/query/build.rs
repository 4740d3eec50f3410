//! Builds an index from the neutral graph of a mesh: one visit, then packing.

use super::grid::Grid;
use super::ground::{
    Geometry, Ground, Points, Polygons, Quad, Quads, Vec3, bounds_of, distance, with_ground,
};
use super::index::{Exit, NavIndex, Parts};
use super::labels::{Ids, Labels};
use super::reach::Reach;
use super::rows::{Extra, MOST_AREAS, Raw, Rows};
use crate::error::{Error, ErrorKind};
use crate::graph::boxes::{BoxTree, along_curve};
use crate::graph::{Axes, Link, LinkKind, NavGraph, Node, Partial, Shape, Surface, Visitor, Wants};
use std::ops::ControlFlow;

/// Length of the side of a grid cell, in metres: 75 units of Source, a quarter of the engine's own. Half of the
/// engine's own is half as fast; a quarter costs twice the memory.
const CELL_METRES: f32 = 1.43;
/// Most cells, and most entries in cells, for each area.
const CELLS_AN_AREA: usize = 8;

/// Options of [`NavIndex::build_with`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BuildOptions {
    /// If set, points are found only in the areas of this group, such as a hull of Source 2, where each floor exists
    /// once for every hull. All links are kept.
    pub group: Option<u32>,
}

impl BuildOptions {
    /// Whether nothing is set.
    #[cfg(feature = "world")]
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Finds points only in the areas of one group.
    #[must_use]
    pub fn group(self, group: u32) -> Self {
        Self { group: Some(group) }
    }
}

/// Takes what a visit hands out, in its order.
struct Taken<'g, G> {
    graph: &'g G,
    axes: Axes,
    group: Option<u32>,
    /// Corners of node `n` are `corners[starts[n]..starts[n + 1]]`, z up.
    starts: Vec<u32>,
    corners: Vec<Vec3>,
    /// Radius of waypoints.
    radius: Vec<f32>,
    polygons: bool,
    points: bool,
    ids: Vec<u64>,
    flags: Vec<u64>,
    places: Vec<u32>,
    groups: Vec<u32>,
    tolls: Vec<f32>,
    links: Vec<Taking>,
    extras: Vec<Extra>,
    exits: Vec<Exit>,
    full: bool,
}

/// A link, by nodes of the file.
struct Taking {
    from: u32,
    to: u32,
    kind: LinkKind,
    side: Option<u8>,
    gated: bool,
    length: Option<f32>,
    cost: Option<f32>,
}

impl<G: NavGraph> Visitor for Taken<'_, G> {
    const WANTS: Wants = Wants { portals: false, marks: false, ..Wants::ALL };

    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        if self.ids.len() >= MOST_AREAS || self.corners.len() > u32::MAX as usize / 2 {
            self.full = true;
            return ControlFlow::Break(());
        }
        let start = self.corners.len() as u32;
        self.starts.push(start);
        let hidden = self.group.is_some() && node.group != self.group;
        if !hidden {
            self.corners.extend(node.shape.corners().iter().map(|&corner| self.axes.plan(corner)));
        }
        match node.shape {
            Shape::Polygon(_) => self.polygons = true,
            Shape::Point { radius, .. } => {
                self.points = true;
                self.radius.push(radius.filter(|r| *r > 0.0).unwrap_or(0.0));
            }
        }
        self.ids.push(node.id);
        self.flags.push(node.flags);
        self.places.push(node.place.unwrap_or(u32::MAX));
        self.groups.push(node.group.unwrap_or(u32::MAX));
        self.tolls.push(Some(self.graph.toll(node)).filter(|toll| toll.is_finite()).unwrap_or(1.0).max(0.0));
        ControlFlow::Continue(())
    }

    fn link(&mut self, link: &Link) {
        let passage = &link.passage;
        let Some(to) = link.to else {
            if passage.beyond.is_some() || matches!(link.kind, LinkKind::Border | LinkKind::Door) {
                self.exits.push(Exit { from: link.from, kind: link.kind, beyond: passage.beyond });
            }
            return;
        };
        if self.links.len() >= u32::MAX as usize {
            return;
        }
        if passage.number.is_some() || link.path.is_some() {
            let path = link.path.filter(|ends| ends.iter().all(|end| end.is_finite()));
            self.extras.push(Extra { link: self.links.len() as u32, number: passage.number, path });
        }
        let sane = |value: Option<f32>| value.filter(|value| value.is_finite() && *value >= 0.0);
        self.links.push(Taking {
            from: link.from,
            to,
            kind: link.kind,
            side: passage.side,
            gated: link.gated,
            length: sane(passage.length),
            cost: sane(passage.cost),
        });
    }
}

impl NavIndex {
    /// Builds the index of a mesh. If the file is damaged, the index of what comes before the damage.
    ///
    /// One visit, then linear except for a sort of the areas along a curve. The index takes about 150 bytes an area.
    pub fn build(graph: &impl NavGraph) -> Partial<Self> {
        Self::build_with(graph, &BuildOptions::default())
    }

    /// The same with options.
    pub fn build_with(graph: &impl NavGraph, options: &BuildOptions) -> Partial<Self> {
        let mut taken = Taken {
            graph,
            axes: graph.axes(),
            group: options.group,
            starts: Vec::new(),
            corners: Vec::new(),
            radius: Vec::new(),
            polygons: false,
            points: false,
            ids: Vec::new(),
            flags: Vec::new(),
            places: Vec::new(),
            groups: Vec::new(),
            tolls: Vec::new(),
            links: Vec::new(),
            extras: Vec::new(),
            exits: Vec::new(),
            full: false,
        };
        let mut error = graph.visit(&mut taken).err();
        if taken.full {
            let (asked, allowed) = (taken.ids.len() as u64 + 1, MOST_AREAS as u64);
            error = Some(Error::new(ErrorKind::Limit { what: "areas of an index", asked, allowed }));
        }
        taken.starts.push(taken.corners.len() as u32);
        Partial { value: taken.pack(), error }
    }
}

impl<G: NavGraph> Taken<'_, G> {
    fn pack(self) -> NavIndex {
        let rules = self.graph.rules();
        let areas = self.ids.len();
        let corners = |node: usize| &self.corners[self.starts[node] as usize..self.starts[node + 1] as usize];
        let (node_of, of_node) = along_curve(areas, |node| middle(corners(node)));
        let geometry = self.geometry(rules.surface, &node_of);
        let boxes = |area: usize| with_ground!(&geometry, ground => ground.bounds(area));
        let tree = BoxTree::new((0..areas).map(boxes));
        // In the order of the file, so that of two areas at one height the first is found.
        let listed: Vec<([Vec3; 2], u32)> =
            of_node.iter().map(|&area| (boxes(area as usize), area)).collect();
        let side = CELL_METRES / self.axes.metres_per_unit;
        let grid = Grid::new(&listed, side, areas * CELLS_AN_AREA + 16, false);
        let engine =
            rules.engine_cell.map(|side| Grid::new(&listed, side, areas * CELLS_AN_AREA + 1024, true));
        let engine = engine.filter(|grid| grid.side() == rules.engine_cell.unwrap_or(0.0));
        let (rows, scale) = self.rows(&geometry, &of_node);
        let reach = Reach::new(&rows);
        let mut exits = self.exits;
        exits.retain(|exit| (exit.from as usize) < areas);
        exits.iter_mut().for_each(|exit| exit.from = of_node[exit.from as usize]);
        let by_area = |values: &[u64]| node_of.iter().map(|&node| values[node as usize]).collect::<Vec<_>>();
        let flags = by_area(&self.flags);
        let labels = Labels::new(self.graph, &node_of, &self.places, &self.groups, &flags);
        NavIndex::of_parts(Parts {
            axes: self.axes,
            rules,
            node_word: self.graph.node_word(),
            ids: Ids::new(&self.ids),
            geometry,
            grid,
            engine,
            tree,
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
        let corners = |node: u32| {
            let node = node as usize;
            &self.corners[self.starts[node] as usize..self.starts[node + 1] as usize]
        };
        if surface == Surface::Bilinear && !self.points {
            let quads: Option<Vec<Quad>> = node_of.iter().map(|&node| Quad::of(corners(node))).collect();
            if let Some(quads) = quads {
                return Geometry::Quads(Quads(quads));
            }
        }
        if self.points && !self.polygons && self.group.is_none() {
            let at = node_of.iter().map(|&node| corners(node)[0]).collect();
            let radius = node_of.iter().map(|&node| self.radius[node as usize]).collect();
            return Geometry::Points(Points { at, radius });
        }
        let mut polygons = Polygons { starts: vec![0], corners: Vec::new(), centers: Vec::new() };
        for &node in node_of {
            polygons.corners.extend_from_slice(corners(node));
            polygons.starts.push(polygons.corners.len() as u32);
            polygons.centers.push(mean(corners(node)));
        }
        Geometry::Polygons(polygons)
    }

    /// Packs the rows, and finds the smallest share of the straight distance that a link costs.
    fn rows(&self, geometry: &Geometry, of_node: &[u32]) -> (Rows, f32) {
        let areas = of_node.len();
        let mut scale = 1f32;
        let mut raw = Vec::with_capacity(self.links.len());
        let mut extras = Vec::with_capacity(self.extras.len());
        let mut waiting = self.extras.iter().peekable();
        for (link, at) in self.links.iter().zip(0u32..) {
            let extra = waiting.next_if(|extra| extra.link == at);
            if link.from as usize >= areas || link.to as usize >= areas {
                continue;
            }
            if let Some(extra) = extra {
                extras.push(Extra { link: raw.len() as u32, ..*extra });
            }
            let (from, to) = (of_node[link.from as usize], of_node[link.to as usize]);
            let straight = distance(geometry.center(from as usize), geometry.center(to as usize));
            let straight = if straight.is_finite() { straight } else { f32::INFINITY };
            let mut length = link.length.unwrap_or(straight);
            let toll = match link.cost {
                None => self.tolls[link.to as usize],
                Some(cost) if length > 0.0 => cost / length,
                Some(cost) => {
                    length = cost;
                    1.0
                }
            };
            if straight > 0.0 && from != to {
                let share = length.min(length * toll) / straight;
                // Slightly less, because sums are rounded.
                scale = if share < 1.0 { scale.min(share * (1.0 - 1e-5)) } else { scale };
            }
            let Taking { kind, side, gated, .. } = *link;
            raw.push(Raw { from, to, kind, side, gated, length, toll });
        }
        (Rows::new(areas, &raw, extras), scale)
    }
}

fn mean(corners: &[Vec3]) -> Vec3 {
    let sum = corners.iter().fold([0f64; 3], |sum, p| [0, 1, 2].map(|axis| sum[axis] + f64::from(p[axis])));
    sum.map(|v| (v / corners.len() as f64) as f32)
}

fn middle(corners: &[Vec3]) -> [f32; 2] {
    let [low, high] = bounds_of(corners);
    [0, 1].map(|axis| f32::midpoint(low[axis], high[axis]))
}
