//! A mesh as a page shows it.

use super::above::above;
use super::chunks::{CHUNK, order};
use super::columns::Part;
use super::head::{self, Meaning, Words};
use navmap_core::graph::{
    Aabb, Csr, FlatGraph, FlatNode, Islands, Link, MarkKind, MarkShape, NavGraph, Point, Shape,
};
use navmap_draw::{ColourBy, Colouring, Dots, Lifted, Theme, Trail};
use serde_json::Value;
use std::collections::BTreeMap;

/// The bit of a link that the game can open and close, in the column of kinds.
const GATED: u8 = 1 << 7;
/// The bit of a link without a link back.
const ONE_WAY: u8 = 1 << 6;

/// A mesh as a page shows it: a head, and four parts of columns.
#[derive(Debug, Clone)]
pub struct Scene {
    head: Value,
    parts: [(&'static str, Part); 4],
    /// The node of the graph behind each number.
    order: Vec<u32>,
}

impl Scene {
    /// The scene of a graph.
    pub fn new(graph: &FlatGraph, words: &Words) -> Self {
        let order = order(graph);
        let islands = Islands::weak(&Csr::of(graph).value);
        let lifted = Lifted::of(graph);
        let meanings = meanings(graph, words, &lifted);
        let dots = words.heat.as_ref().and_then(Dots::of);
        let rows = Rows::new(graph, &order);
        let geometry = geometry(graph, &rows, &islands, &lifted);
        let colours = colours(&order, &meanings);
        let links = links(&rows);
        let mut marks = marks(graph, &rows);
        given(&mut marks, &words.trails, dots.as_ref());
        let mut head = head::head(graph, words, &lifted, &meanings, dots.as_ref());
        let parts = [("geometry", geometry), ("colours", colours), ("links", links), ("marks", marks)];
        head["parts"] = head::parts([0, 1, 2, 3].map(|part: usize| (parts[part].0, &parts[part].1)));
        Self { head, parts, order }
    }

    /// The nodes of the graph in the order of the scene.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The node of the graph, by position, that has this number in the scene.
    pub fn node(&self, number: u32) -> Option<u32> {
        self.order.get(number as usize).copied()
    }

    /// What the parts hold, and the words, names, colours and findings of the mesh.
    pub fn head(&self) -> &Value {
        &self.head
    }

    /// The parts with their names: `geometry`, `colours`, `links`, `marks`.
    pub fn parts(&self) -> &[(&'static str, Part); 4] {
        &self.parts
    }
}

/// Nodes and links in the order of the scene.
struct Rows<'g> {
    nodes: Vec<&'g FlatNode>,
    /// The number in the scene of each node of the graph.
    number: Vec<u32>,
    order: &'g [u32],
    /// The links of all nodes of the graph, in its order, and where those of each node begin.
    links: Vec<&'g Link>,
    starts: Vec<u32>,
}

impl<'g> Rows<'g> {
    fn new(graph: &'g FlatGraph, order: &'g [u32]) -> Self {
        let mut number = vec![0; order.len()];
        (0..).zip(order).for_each(|(new, old)| number[*old as usize] = new);
        let known = |link: &&Link| (link.from as usize) < order.len();
        let mut links: Vec<&Link> = graph.links().iter().filter(known).collect();
        // Links are ordered by source, unless the graph was built by hand.
        links.sort_by_key(|link| link.from);
        let mut starts = vec![0u32; order.len() + 1];
        links.iter().for_each(|link| starts[link.from as usize + 1] += 1);
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let nodes = order.iter().map(|old| &graph.nodes()[*old as usize]).collect();
        Self { nodes, number, order, links, starts }
    }

    /// The links that leave a node of the graph.
    fn of(&self, old: u32) -> &[&'g Link] {
        let [start, end] = [old as usize, old as usize + 1].map(|at| self.starts[at] as usize);
        &self.links[start..end]
    }

    fn number(&self, old: u32) -> Option<u32> {
        self.number.get(old as usize).copied()
    }
}

/// The meanings of colours that tell nodes of this graph apart. What the caller wants to see comes first.
fn meanings(graph: &FlatGraph, words: &Words, lifted: &Lifted) -> Vec<Meaning> {
    let group = graph.group_word().unwrap_or("group").to_owned();
    let all = [
        ("height".to_owned(), ColourBy::Height),
        ("place".to_owned(), ColourBy::Place),
        ("island".to_owned(), ColourBy::Island),
        ("flag".to_owned(), ColourBy::Flags),
        (group, ColourBy::Group),
        ("plain".to_owned(), ColourBy::Plain),
    ];
    let own = words.colour.clone();
    let heat = words.heat.as_ref().and_then(|heat| {
        let of = |theme| Colouring::of_heat(heat, graph.nodes().len(), theme);
        Some(Meaning { name: heat.title.clone(), light: of(Theme::Light)?, dark: of(Theme::Dark)? })
    });
    let is_own = |name: &str| {
        let own = own.as_ref().map(|(own, _)| own.as_str());
        [own, heat.as_ref().map(|heat| heat.name.as_str())].contains(&Some(name))
    };
    let others: Vec<_> = all.into_iter().filter(|(name, by)| by.tells(graph) && !is_own(name)).collect();
    let own = own.filter(|(own, _)| heat.as_ref().is_none_or(|heat| heat.name != *own));
    let meaning = |(name, by): (String, ColourBy)| {
        let [light, dark] = [Theme::Light, Theme::Dark].map(|theme| Colouring::of(graph, &by, theme, lifted));
        Meaning { name, light, dark }
    };
    heat.into_iter().chain(own.into_iter().chain(others).map(meaning)).collect()
}

fn geometry(graph: &FlatGraph, rows: &Rows<'_>, islands: &Islands, lifted: &Lifted) -> Part {
    let mut part = Part::default();
    part.words("chunks", chunk_rows(graph, rows));
    let nodes = || rows.nodes.iter();
    part.words("id", nodes().map(|node| node.id as u32));
    if nodes().any(|node| node.id >> 32 != 0) {
        part.words("id_high", nodes().map(|node| (node.id >> 32) as u32));
    }
    let corners = |node: &FlatNode| graph.corners(node).len();
    let most = nodes().map(|node| corners(node)).max().unwrap_or(0);
    part.numbers("corners_of", most + 1, nodes().map(|node| Some(corners(node) as u32)));
    part.floats("corners", nodes().flat_map(|node| graph.corners(node)).flat_map(|at| at.to_array()));
    if nodes().any(|node| matches!(graph.shape(node), Shape::Point { .. })) {
        // A polygon has none: -1. A point without a known one: 0.
        let radius = |node: &FlatNode| match graph.shape(node) {
            Shape::Point { radius, .. } => radius.unwrap_or(0.0),
            Shape::Polygon(_) => -1.0,
        };
        part.floats("radius", nodes().map(|node| radius(node)));
    }
    let places = place_numbers(graph.places());
    if !places.is_empty() {
        let place = |node: &&FlatNode| node.place.and_then(|place| places.get(&place).copied());
        part.numbers("place", places.len(), nodes().map(place));
    }
    let groups = place_numbers(graph.groups());
    if !groups.is_empty() {
        let group = |node: &&FlatNode| node.group.and_then(|group| groups.get(&group).copied());
        part.numbers("group", groups.len(), nodes().map(group));
    }
    if nodes().any(|node| node.flags != 0) {
        part.words("flags", nodes().map(|node| node.flags as u32));
        if nodes().any(|node| node.flags >> 32 != 0) {
            part.words("flags_high", nodes().map(|node| (node.flags >> 32) as u32));
        }
    }
    part.numbers("island", islands.len(), rows.order.iter().map(|old| islands.of(*old)));
    let above = above(graph);
    part.bytes8("above", rows.order.iter().map(|old| above[*old as usize]));
    if !lifted.ceilings.is_empty() {
        let is_lifted = |old: &u32| lifted.ceilings.iter().any(|(_, nodes)| nodes.binary_search(old).is_ok());
        part.bytes8("ceiling", rows.order.iter().map(|old| u8::from(is_lifted(old))));
    }
    part
}

/// The keys of a table by their place in it: a key is only a number that a file claims.
fn place_numbers(names: &BTreeMap<u32, String>) -> BTreeMap<u32, u32> {
    (0..).zip(names.keys()).map(|(number, key)| (*key, number)).collect()
}

/// Twelve words for each chunk: the smallest and the largest corner as floats, and the first node, the nodes, the first corner,
/// the first link, the links, and a revision, which is 0 for a mesh that nobody changes.
fn chunk_rows(graph: &FlatGraph, rows: &Rows<'_>) -> Vec<u32> {
    let mut words = Vec::with_capacity(rows.nodes.len().div_ceil(CHUNK) * 12);
    let (mut first, mut corner, mut link) = (0u32, 0u32, 0u32);
    for (nodes, olds) in rows.nodes.chunks(CHUNK).zip(rows.order.chunks(CHUNK)) {
        let corners = nodes.iter().flat_map(|node| graph.corners(node));
        let bounds: Aabb = corners.clone().copied().filter(|at| at.is_finite()).collect();
        let links: usize = olds.iter().map(|old| rows.of(*old).len()).sum();
        let ends = [bounds.min, bounds.max].map(Point::to_array);
        words.extend(ends.iter().flatten().map(|value| value.to_bits()));
        words.extend([first, nodes.len() as u32, corner, link, links as u32, 0]);
        first += nodes.len() as u32;
        corner += corners.count() as u32;
        link += links as u32;
    }
    words
}

/// For each meaning the class of each node, and the colours of the classes.
pub(super) fn colours(order: &[u32], meanings: &[Meaning]) -> Part {
    let mut part = Part::default();
    for Meaning { name, light, dark } in meanings {
        let class = |old: &u32| light.classes.get(*old as usize).copied();
        part.numbers(format!("{name}.class"), light.inks.len(), order.iter().map(class));
        for (theme, colouring) in [("light", light), ("dark", dark)] {
            let inks = colouring.inks.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]);
            part.bytes8(format!("{name}.{theme}"), inks);
        }
    }
    part
}

fn links(rows: &Rows<'_>) -> Part {
    let mut part = Part::default();
    let in_order = || rows.order.iter().flat_map(|old| rows.of(*old));
    let most = rows.order.iter().map(|old| rows.of(*old).len()).max().unwrap_or(0);
    part.numbers("links_of", most + 1, rows.order.iter().map(|old| Some(rows.of(*old).len() as u32)));
    part.words("to", in_order().map(|link| link.to.and_then(|to| rows.number(to)).unwrap_or(u32::MAX)));
    let mut pairs: Vec<(u32, u32)> =
        rows.links.iter().filter_map(|link| Some((link.from, link.to?))).collect();
    pairs.sort_unstable();
    let kind = |link: &&Link| {
        let back = link.to.is_some_and(|to| pairs.binary_search(&(to, link.from)).is_ok());
        link.kind as u8 | if link.gated { GATED } else { 0 } | if back { 0 } else { ONE_WAY }
    };
    part.bytes8("kind", in_order().map(kind));
    let paths: Vec<(u32, [Point; 2])> =
        (0..).zip(in_order()).filter_map(|(number, link)| Some((number, link.path?))).collect();
    if !paths.is_empty() {
        part.words("path_link", paths.iter().map(|(number, _)| *number));
        part.floats("path", paths.iter().flat_map(|(_, ends)| ends.map(Point::to_array)).flatten());
    }
    part
}

fn marks(graph: &FlatGraph, rows: &Rows<'_>) -> Part {
    let mut part = Part::default();
    let marks = graph.marks();
    let kind = |kind| MarkKind::ALL.iter().position(|known| *known == kind).unwrap_or(MarkKind::ALL.len());
    part.bytes8("mark_kind", marks.iter().map(|mark| kind(mark.kind) as u8));
    // A point, a line, a box; a point is twice the same.
    let shapes = || {
        marks.iter().map(|mark| match mark.shape {
            MarkShape::Point(at) => (0, [at, at]),
            MarkShape::Segment(a, b) => (1, [a, b]),
            MarkShape::Box(a, b) => (2, [a, b]),
        })
    };
    part.bytes8("mark_shape", shapes().map(|(shape, _)| shape));
    let node = |node: Option<u32>| node.and_then(|node| rows.number(node)).unwrap_or(u32::MAX);
    part.words("mark_node", marks.iter().map(|mark| node(mark.node)));
    part.floats("mark_points", shapes().flat_map(|(_, ends)| ends).flat_map(Point::to_array));
    part
}

/// Ways and points that the caller lays over the mesh. Each piece of a way has so many corners.
fn given(part: &mut Part, trails: &[Trail], dots: Option<&Dots>) {
    let pieces = || trails.iter().flat_map(|trail| &trail.lines);
    if pieces().next().is_some() {
        part.words("way_of", pieces().map(|piece| piece.len() as u32));
        part.floats("way", pieces().flatten().flat_map(|corner| corner.to_array()));
    }
    let Some(dots) = dots else { return };
    part.floats("dot", dots.dots.iter().flat_map(|(at, _)| at.to_array()));
    if dots.ramp.is_some() {
        part.bytes8("dot_ink", dots.dots.iter().flat_map(|(_, ink)| ink.unwrap_or_default()));
    }
}
