//! The neutral tables, from the graph of any family.

use crate::batch::{Out, Sheet};
use crate::geometry::Geometry;
use crate::rows::neutral::*;
use navmap_core::error::Result;
use navmap_core::format::GraphTask;
use navmap_core::graph::{Aabb, Csr, Islands, Link, NavGraph, Node, Point, Shape, Up, Visitor, Wants};
use navmap_formats::AnyNav;
use std::ops::ControlFlow;

/// Facts about its graph for the row of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) nodes: u32,
    pub(crate) links: u32,
    pub(crate) bounds: Option<Aabb>,
    pub(crate) up: &'static str,
    /// The length of a unit in metres.
    pub(crate) metres: f32,
}

/// Fills nodes and links, and returns the facts if they are requested. Damage of the graph is damage of the file, which its own
/// tables report.
pub(super) fn fill(nav: &AnyNav<'_>, facts: bool, out: &mut Out<'_>) -> (Option<Facts>, Result<()>) {
    if !facts && !out.wants(&NODES) && !out.wants(&LINKS) {
        return (None, Ok(()));
    }
    struct Fill<'s, 'o>(&'s mut Out<'o>);
    impl GraphTask for Fill<'_, '_> {
        type Out = (Facts, Result<()>);
        fn run(self, graph: &impl NavGraph) -> Self::Out {
            graph_tables(graph, self.0)
        }
    }
    let (found, done) = nav.with_graph(Fill(out));
    (Some(found), done)
}

fn graph_tables(graph: &impl NavGraph, out: &mut Out<'_>) -> (Facts, Result<()>) {
    let links = out.wants(&LINKS);
    let (mut nodes, done) = out.with([&NODES], |[sheet]| {
        let shapes = sheet.wants("geometry");
        let known = Known::of(graph, sheet);
        let mut pass = Nodes {
            graph,
            sheet,
            up: graph.axes().up,
            keep: links,
            shapes,
            known,
            pending: None,
            around: Vec::new(),
            centers: Vec::new(),
            groups: Vec::new(),
            count: 0,
            links: 0,
            bounds: Aabb::EMPTY,
        };
        let done = graph.visit(&mut pass);
        pass.flush();
        let up = if pass.up == Up::Y { "y" } else { "z" };
        let bounds = Some(pass.bounds).filter(|bounds| !bounds.is_empty());
        let metres = graph.axes().metres_per_unit;
        let facts = Facts { nodes: pass.count, links: pass.links, bounds, up, metres };
        ((facts, pass.centers, pass.groups), done)
    });
    if links {
        let (centers, groups) = (std::mem::take(&mut nodes.1), std::mem::take(&mut nodes.2));
        out.with([&LINKS], |[sheet]| {
            // It ends where the first pass ended.
            let _ = graph.visit(&mut Links { sheet, centers, groups });
        });
    }
    (nodes.0, done)
}

/// What the links tell of each node, before the first row of a node is made. Empty for a column that is not wanted.
#[derive(Default)]
struct Known {
    in_degrees: Vec<u32>,
    islands: Option<Islands>,
    components: Option<Islands>,
}

impl Known {
    fn of(graph: &impl NavGraph, sheet: &Sheet<'_>) -> Self {
        let wanted = |column: &str| sheet.is_wanted() && sheet.wants(column);
        let (degrees, island, component) = (wanted("in_degree"), wanted("island"), wanted("component"));
        if !(degrees || island || component) {
            return Self::default();
        }
        // Of a damaged mesh it ends where the rows end.
        let csr = Csr::of(graph).value;
        Self {
            in_degrees: if degrees { csr.in_degrees() } else { Vec::new() },
            islands: island.then(|| Islands::weak(&csr)),
            components: component.then(|| Islands::strong(&csr)),
        }
    }

    /// The links to a node, its island, and its component.
    fn about(&self, node: u32) -> [u32; 3] {
        let of =
            |islands: &Option<Islands>| islands.as_ref().and_then(|islands| islands.of(node)).unwrap_or(0);
        [self.in_degrees.get(node as usize).copied().unwrap_or(0), of(&self.islands), of(&self.components)]
    }
}

/// The first pass: rows of nodes, and what the second pass needs to know of them.
struct Nodes<'g, 'o, G> {
    graph: &'g G,
    sheet: &'g mut Sheet<'o>,
    up: Up,
    keep: bool,
    /// Whether the shapes of nodes are wanted.
    shapes: bool,
    known: Known,
    pending: Option<Pending>,
    /// The corners of the pending node, if shapes are wanted.
    around: Vec<Point>,
    centers: Vec<Option<Point>>,
    groups: Vec<u32>,
    count: u32,
    links: u32,
    bounds: Aabb,
}

/// A node whose links are still being counted.
struct Pending {
    row: NodeRow<'static>,
    place: Option<u32>,
    is_point: bool,
}

impl<G: NavGraph> Nodes<'_, '_, G> {
    fn flush(&mut self) {
        if let Some(Pending { row, place, is_point }) = self.pending.take() {
            let place = place.and_then(|place| self.graph.place(place));
            let shape = match self.around.first() {
                Some(at) if is_point => Shape::Point { at: *at, radius: None },
                _ => Shape::Polygon(&self.around),
            };
            let geometry = self.shapes.then(|| Geometry::new(shape, self.up));
            self.sheet.push(NodeRow { place: place.as_deref(), geometry, ..row });
        }
    }
}

impl<G: NavGraph> Visitor for Nodes<'_, '_, G> {
    const WANTS: Wants = Wants { corners: true, links: true, ..Wants::NOTHING };

    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        self.flush();
        let [in_degree, island, component] = self.known.about(self.count);
        self.count = self.count.saturating_add(1);
        let corners = node.shape.corners();
        corners.iter().for_each(|corner| self.bounds.add(*corner));
        let wanted = self.sheet.is_wanted();
        if !wanted && !self.keep {
            return ControlFlow::Continue(());
        }
        let center = node.shape.center();
        let mesh = node.group.map_or(0, |group| self.graph.group_number(group));
        if self.keep {
            self.centers.push(center);
            self.groups.push(mesh);
        }
        if !wanted {
            return ControlFlow::Continue(());
        }
        let (around, radius, count) = match node.shape {
            Shape::Polygon(corners) => {
                let around: Aabb = corners.iter().copied().collect();
                (Some(around).filter(|around| !around.is_empty()), None, Some(corners.len() as u32))
            }
            Shape::Point { radius, .. } => (None, radius, None),
        };
        let row = NodeRow {
            mesh,
            node: node.index,
            id: node.id,
            kind: self.graph.node_word(),
            x: center.map(|center| center.x),
            y: center.map(|center| center.y),
            z: center.map(|center| center.z),
            min_x: around.map(|around| around.min.x),
            min_y: around.map(|around| around.min.y),
            min_z: around.map(|around| around.min.z),
            max_x: around.map(|around| around.max.x),
            max_y: around.map(|around| around.max.y),
            max_z: around.map(|around| around.max.z),
            radius,
            surface: node.shape.area().map(|area| area as f32),
            corners: count,
            flags: node.flags,
            place: None,
            degree: 0,
            in_degree,
            island,
            component,
            geometry: None,
        };
        self.around.clear();
        if self.shapes {
            self.around.extend_from_slice(corners);
        }
        let is_point = matches!(node.shape, Shape::Point { .. });
        self.pending = Some(Pending { row, place: node.place, is_point });
        ControlFlow::Continue(())
    }

    fn link(&mut self, _: &Link) {
        self.links = self.links.saturating_add(1);
        if let Some(pending) = &mut self.pending {
            pending.row.degree = pending.row.degree.saturating_add(1);
        }
    }
}

/// The second pass: rows of links, whose targets are known by now.
struct Links<'g, 'o> {
    sheet: &'g mut Sheet<'o>,
    centers: Vec<Option<Point>>,
    groups: Vec<u32>,
}

impl Visitor for Links<'_, '_> {
    const WANTS: Wants = Wants { links: true, paths: true, ..Wants::NOTHING };

    fn link(&mut self, link: &Link) {
        let group = |node: u32| self.groups.get(node as usize).copied();
        let center = |node: u32| self.centers.get(node as usize).copied().flatten();
        let mesh = group(link.from).unwrap_or(0);
        let straight = || Some(center(link.from)?.distance(link.to.and_then(center)?));
        // A node may have a coordinate that is no number.
        let straight = || straight().filter(|length| !length.is_nan());
        self.sheet.push(LinkRow {
            mesh,
            src: link.from,
            dst: link.to,
            dst_mesh: link.to.and_then(group).filter(|other| *other != mesh),
            dst_id: link.passage.beyond,
            kind: link.kind.name(),
            gated: link.gated,
            number: link.passage.number,
            length: link.passage.length.or_else(straight),
        });
    }
}
