//! A mesh as a page shows it.

use super::above::above;
use super::chunks::Chunks;
use super::columns::{Before, Part, Per};
use super::head::{self, Meaning, Words};
use navmap_core::graph::{
    Aabb, Csr, FlatGraph, FlatNode, Islands, Link, LinkKind, Links, MarkKind, MarkShape, NavGraph, Point,
    Shape,
};
use navmap_draw::{ColourBy, Colouring, Dots, Lifted, Squares, Theme, Trail};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The bit of a link that the game can open and close, in the column of kinds.
const GATED: u8 = 1 << 7;
/// The bit of a link without a link back.
const ONE_WAY: u8 = 1 << 6;

/// The bit of a link whose ends are in the column of paths.
const PATH: u8 = 1 << 5;
const _: () = assert!(LinkKind::ALL.len() <= PATH as usize);

/// A mesh as a page shows it: a head, and five parts of columns.
#[derive(Debug, Clone)]
pub struct Scene {
    head: Value,
    parts: [(&'static str, Part); 5],
    /// The nodes of the graph behind each number.
    chunks: Chunks,
    /// What comes before each chunk, and before the end.
    before: Vec<Before>,
}

impl Scene {
    /// The scene of a graph.
    pub fn new(graph: &FlatGraph, words: &Words) -> Self {
        Self::of_chunks(graph, words, Chunks::of(graph))
    }

    /// The scene of a graph that was changed, by the graph and the scene before. Its chunks are those of before where nothing has
    /// changed, so a page that has them asks only for the others. Costs what a new scene costs, and a search by id.
    pub fn following(graph: &FlatGraph, words: &Words, before: (&FlatGraph, &Self)) -> Self {
        let (old, scene) = before;
        Self::of_chunks(graph, words, Chunks::following(graph, (old, &scene.chunks)))
    }

    fn of_chunks(graph: &FlatGraph, words: &Words, chunks: Chunks) -> Self {
        let islands = Islands::weak(&Csr::of(graph).value);
        let lifted = Lifted::of(graph);
        let dots = words.heat.as_ref().and_then(Dots::of);
        let squares = words.heat.as_ref().and_then(|heat| Squares::of(heat, &graph.axes()));
        let rows = Rows::new(graph, &chunks);
        let before = before(graph, &rows, &chunks);
        let mut nodes = nodes(graph, &rows, &islands, &lifted);
        // A class for each node and meaning takes more than the columns made of it.
        let meanings: Vec<Meaning> = meanings(graph, words, &lifted)
            .map(|mut meaning| {
                classes(&mut nodes, chunks.order(), &meaning);
                (meaning.light.classes, meaning.dark.classes) = Default::default();
                meaning
            })
            .collect();
        let (geometry, links) = (geometry(graph, &rows), links(&rows));
        let mut index = index(graph, &chunks, &before, [&nodes, &geometry, &links]);
        inks(&mut index, &meanings);
        let mut marks = marks(graph, &rows);
        given(&mut marks, &words.trails, dots.as_ref());
        if let Some(squares) = &squares {
            marks.floats("square", squares.corners.iter().flatten().copied());
            marks.bytes8("square_ink", squares.inks.iter().flatten().copied());
        }
        // The head counts links, which takes room.
        drop((rows, islands));
        let mut head = head::head(graph, words, &lifted, &meanings);
        head["dots"] = dots.map_or(Value::Null, |dots| head::dots(&dots, words));
        head["squares"] = squares.map_or(Value::Null, |squares| head::squares(&squares, words));
        let parts =
            [("index", index), ("nodes", nodes), ("geometry", geometry), ("links", links), ("marks", marks)];
        head["parts"] = head::parts(&parts);
        Self { head, parts, chunks, before }
    }

    /// The nodes of the graph in the order of the scene.
    pub(super) fn order(&self) -> &[u32] {
        self.chunks.order()
    }

    /// The node of the graph, by position, that has this number in the scene.
    pub fn node(&self, number: u32) -> Option<u32> {
        self.order().get(number as usize).copied()
    }

    /// What the parts hold, and the words, names, colours and findings of the mesh.
    pub fn head(&self) -> &Value {
        &self.head
    }

    /// The parts with their names: `index`, `nodes`, `geometry`, `links`, `marks`.
    pub fn parts(&self) -> &[(&'static str, Part); 5] {
        &self.parts
    }

    /// What one chunk has of nodes, geometry and links, as one block of bytes like that of [`tint`](Self::tint); `None` if there
    /// is no such chunk. Whether it is another one than before is told by the mark in its row of the index. Linear in the chunk.
    pub fn chunk(&self, number: usize) -> Option<Vec<u8>> {
        let [from, to] = *self.before.get(number..)?.first_chunk::<2>()?;
        let mut part = Part::default();
        self.parts.iter().for_each(|(_, of)| part.take_chunk(of, from, to));
        Some(part.block(json!({})))
    }

    /// The middle of the corners of each node of the graph that the scene was made of, in the order of the scene: three
    /// little-endian 32-bit floats in the axes of the file. With them a page knows where every node lies before it has fetched the
    /// chunks. Linear in the corners.
    pub fn centers(&self, graph: &FlatGraph) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.order().len() * 12);
        for old in self.order() {
            let corners = graph.nodes().get(*old as usize).map_or(&[][..], |node| graph.corners(node));
            let mut sum = [0.0f64; 3];
            for corner in corners {
                sum.iter_mut().zip(corner.to_array()).for_each(|(sum, value)| *sum += f64::from(value));
            }
            let middle = sum.map(|sum| (sum / corners.len() as f64) as f32);
            bytes.extend(middle.iter().flat_map(|value| value.to_le_bytes()));
        }
        bytes
    }
}

/// Nodes and links in the order of the scene.
struct Rows<'g> {
    nodes: Vec<&'g FlatNode>,
    /// The code of each node of the graph.
    codes: Vec<u32>,
    order: &'g [u32],
    links: Links<'g>,
    /// The links of all nodes of the graph, in its order, and where those of each node begin.
    by_node: Vec<u32>,
    starts: Vec<u32>,
}

impl<'g> Rows<'g> {
    fn new(graph: &'g FlatGraph, chunks: &'g Chunks) -> Self {
        let (order, codes) = (chunks.order(), chunks.codes());
        let links = graph.links();
        let from = |at: &u32| links.get(*at as usize).map_or(u32::MAX, |link| link.from);
        let mut starts = vec![0u32; order.len() + 1];
        let mut by_node: Vec<u32> = Vec::with_capacity(links.len());
        for (at, link) in (0..).zip(links) {
            if let Some(start) = starts.get_mut(link.from as usize + 1) {
                *start += 1;
                by_node.push(at);
            }
        }
        // Links are ordered by source, unless the graph was built by hand.
        if !by_node.is_sorted_by_key(from) {
            by_node.sort_by_key(from);
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let nodes = order.iter().map(|old| &graph.nodes()[*old as usize]).collect();
        Self { nodes, codes, order, links, by_node, starts }
    }

    /// The links that leave a node of the graph.
    fn of(&self, old: u32) -> impl Iterator<Item = Link> + use<'_, 'g> {
        let links = self.links;
        self.places_of(old).iter().filter_map(move |at| links.get(*at as usize))
    }

    fn places_of(&self, old: u32) -> &[u32] {
        let [start, end] = [old as usize, old as usize + 1].map(|at| self.starts[at] as usize);
        &self.by_node[start..end]
    }

    /// How columns name a node of the graph.
    fn code(&self, old: Option<u32>) -> u32 {
        old.and_then(|old| self.codes.get(old as usize).copied()).unwrap_or(u32::MAX)
    }
}

/// The meanings of colours that tell nodes of this graph apart. What the caller wants to see comes first.
fn meanings(graph: &FlatGraph, words: &Words, lifted: &Lifted) -> impl Iterator<Item = Meaning> {
    let group = graph.group_word().unwrap_or("group").to_owned();
    let all = [
        ("height".to_owned(), ColourBy::Height),
        ("place".to_owned(), ColourBy::Place),
        ("island".to_owned(), ColourBy::Island),
        ("flag".to_owned(), ColourBy::Flags),
        (group, ColourBy::Group),
        ("plain".to_owned(), ColourBy::Plain),
    ];
    let mut all = Vec::from(all);
    // Cover of X-Ray has parts by direction and posture: the whole is a colour, the parts are not.
    let names: Vec<&str> = graph.value_names().collect();
    let is_part = |name: &str| {
        names.iter().any(|whole| name.strip_prefix(whole).is_some_and(|rest| rest.starts_with('_')))
    };
    let values = (0..).zip(&names).filter(|(_, name)| !is_part(name));
    all.extend(values.map(|(number, name)| ((*name).to_owned(), ColourBy::Value(number))));
    let classes = [
        super::classes::findings(graph, &words.findings, &words.unlisted),
        super::classes::link_kinds(graph),
    ];
    all.extend(
        classes.into_iter().flatten().map(|classes| (classes.title.clone(), ColourBy::Classes(classes))),
    );
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
    let meaning = move |(name, by): (String, ColourBy)| {
        let [light, dark] = [Theme::Light, Theme::Dark].map(|theme| Colouring::of(graph, &by, theme, lifted));
        Meaning { name, light, dark }
    };
    heat.into_iter().chain(own.into_iter().chain(others).map(meaning))
}

/// What is known of every node before its chunk is there.
fn nodes(graph: &FlatGraph, rows: &Rows<'_>, islands: &Islands, lifted: &Lifted) -> Part {
    let mut part = Part::default();
    part.per(Per::Node);
    let nodes = || rows.nodes.iter();
    part.words("id", nodes().map(|node| node.id as u32));
    if nodes().any(|node| node.id >> 32 != 0) {
        part.words("id_high", nodes().map(|node| (node.id >> 32) as u32));
    }
    let corners = |node: &FlatNode| graph.corners(node).len();
    let most = nodes().map(|node| corners(node)).max().unwrap_or(0);
    part.numbers("corners_of", most + 1, nodes().map(|node| Some(corners(node) as u32)));
    let links = || rows.order.iter().map(|old| rows.places_of(*old).len());
    part.numbers("links_of", links().max().unwrap_or(0) + 1, links().map(|links| Some(links as u32)));
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

fn geometry(graph: &FlatGraph, rows: &Rows<'_>) -> Part {
    let mut part = Part::default();
    part.per(Per::Corner);
    let corners = rows.nodes.iter().flat_map(|node| graph.corners(node));
    part.floats("corners", corners.flat_map(|at| at.to_array()));
    part
}

/// The keys of a table by their place in it: a key is only a number that a file claims.
fn place_numbers(names: &BTreeMap<u32, String>) -> BTreeMap<u32, u32> {
    (0..).zip(names.keys()).map(|(number, key)| (*key, number)).collect()
}

/// What comes before each chunk, and before the end.
fn before(graph: &FlatGraph, rows: &Rows<'_>, chunks: &Chunks) -> Vec<Before> {
    let mut all = vec![[0; 4]];
    let mut sum = [0; 4];
    for olds in chunks.each() {
        let corners: usize = olds.iter().map(|old| graph.corners(&graph.nodes()[*old as usize]).len()).sum();
        let links = || olds.iter().flat_map(|old| rows.of(*old));
        let paths = links().filter(|link| link.path.is_some()).count();
        let own = [olds.len(), corners, links().count(), paths];
        sum = [0, 1, 2, 3].map(|of: usize| sum[of] + own[of] as u32);
        all.push(sum);
    }
    all
}

/// Twelve words for each chunk: the smallest and the largest corner as floats, the first node, the nodes, the first link, the links,
/// and the mark of what it has in the parts, the lower half first. Two chunks of one mark and number are the same.
fn index(graph: &FlatGraph, chunks: &Chunks, before: &[Before], parts: [&Part; 3]) -> Part {
    let mut words = Vec::with_capacity(before.len() * 12);
    for (olds, ends) in chunks.each().zip(before.windows(2)) {
        let corners = olds.iter().flat_map(|old| graph.corners(&graph.nodes()[*old as usize]));
        let bounds: Aabb = corners.copied().filter(|at| at.is_finite()).collect();
        words.extend(
            [bounds.min, bounds.max].map(Point::to_array).iter().flatten().map(|value| value.to_bits()),
        );
        let [from, to] = [ends[0], ends[1]];
        let mark = parts.iter().fold(0, |mark, part| part.mark_of_chunk(mark, from, to));
        words.extend([from[0], to[0] - from[0], from[2], to[2] - from[2], mark as u32, (mark >> 32) as u32]);
    }
    let mut part = Part::default();
    part.words("chunks", words);
    part
}

/// For a meaning of colours the class of each node.
pub(super) fn classes(part: &mut Part, order: &[u32], Meaning { name, light, .. }: &Meaning) {
    part.per(Per::Node);
    let class = |old: &u32| light.classes.get(*old as usize).copied();
    part.numbers(format!("{name}.class"), light.inks.len(), order.iter().map(class));
}

/// For each meaning the colours of the classes.
pub(super) fn inks(part: &mut Part, meanings: &[Meaning]) {
    for Meaning { name, light, dark } in meanings {
        for (theme, colouring) in [("light", light), ("dark", dark)] {
            let inks = colouring.inks.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]);
            part.bytes8(format!("{name}.{theme}"), inks);
        }
    }
}

fn links(rows: &Rows<'_>) -> Part {
    let mut part = Part::default();
    let in_order = || rows.order.iter().flat_map(|old| rows.of(*old));
    part.per(Per::Link);
    part.words("to", in_order().map(|link| rows.code(link.to)));
    let mut pairs: Vec<(u32, u32)> = in_order().filter_map(|link| Some((link.from, link.to?))).collect();
    pairs.sort_unstable();
    let kind = |link: Link| {
        let back = link.to.is_some_and(|to| pairs.binary_search(&(to, link.from)).is_ok());
        let bit = |is: bool, bit: u8| if is { bit } else { 0 };
        link.kind as u8 | bit(link.gated, GATED) | bit(!back, ONE_WAY) | bit(link.path.is_some(), PATH)
    };
    part.bytes8("kind", in_order().map(kind));
    let mut paths = in_order().filter_map(|link| link.path).flatten().peekable();
    if paths.peek().is_some() {
        part.per(Per::Path);
        part.floats("path", paths.flat_map(Point::to_array));
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
    part.words("mark_node", marks.iter().map(|mark| rows.code(mark.node)));
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
