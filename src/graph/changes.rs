//! What differs between two versions of a mesh, as one graph with a flag for each kind of difference.

#![forbid(unsafe_code)]

use super::NavGraph;
use super::flat::{FlatGraph, FlatNode};
use super::geom::{Axes, Point, Up};
use super::node::{LinkKind, Shape};
use std::collections::HashMap;

/// The flags of [`changes`]: what happened to a node. A node may have several.
pub const CHANGES: [&str; 6] = ["new", "removed", "moved", "was-here", "other-links", "other-marks"];

/// How much lower what is gone is drawn, in file units, so that what took its place lies above it.
const BELOW: f32 = 4.0;

/// One graph of two versions of a mesh: the nodes of the later one, then those of the earlier one that are gone or lie
/// elsewhere now. Flags say what happened to each: [`CHANGES`], bit by bit. Nodes are the same if their ids are; of
/// several with one id the first counts.
///
/// `new` and `removed` nodes are in one version alone. A `moved` node has other corners now; its earlier corners are a
/// node of their own, `was-here`. `other-links` has other links away from it, `other-marks` another place or other flags.
/// What is gone lies 4 units lower than it did. Linear.
pub fn changes(before: &FlatGraph, after: &FlatGraph) -> FlatGraph {
    let [new, removed, moved, was_here, other_links, other_marks] =
        [0, 1, 2, 3, 4, 5].map(|bit| 1_u64 << bit);
    let mut both = FlatGraph::new(after.node_word(), after.axes());
    for (bit, name) in (0..).zip(CHANGES) {
        both.name_flag(bit, name);
    }
    for (place, name) in after.places() {
        both.name_place(*place, name.clone());
    }
    let (old_links, new_links) = (Ways::of(before), Ways::of(after));
    let mut old: HashMap<u64, usize> = HashMap::with_capacity(before.nodes().len());
    for (index, node) in before.nodes().iter().enumerate() {
        old.entry(node.id).or_insert(index);
    }
    let mut was = Vec::new();
    let mut met = vec![false; before.nodes().len()];
    for (index, node) in after.nodes().iter().enumerate() {
        let mut flags = 0;
        match old.get(&node.id).filter(|old| !met[**old]) {
            None => flags |= new,
            Some(old) => {
                met[*old] = true;
                let earlier = &before.nodes()[*old];
                if !same_corners(before.corners(earlier), after.corners(node)) {
                    flags |= moved;
                    was.push(*old);
                }
                if old_links.from(*old) != new_links.from(index) {
                    flags |= other_links;
                }
                let place = |graph: &FlatGraph, node: &FlatNode| {
                    node.place.and_then(|place| graph.places().get(&place).cloned())
                };
                if place(before, earlier) != place(after, node) || earlier.flags != node.flags {
                    flags |= other_marks;
                }
            }
        }
        let at = both.add_node(node.id, after.shape(node));
        if let Some(made) = both.nodes_mut().get_mut(at as usize) {
            (made.flags, made.place) = (flags, node.place);
        }
    }
    for link in after.links() {
        both.add_link(*link);
    }
    for mark in after.marks() {
        both.add_mark(*mark);
    }
    let gone = met.iter().enumerate().filter(|(_, met)| !**met).map(|(index, _)| (index, removed));
    let gone: Vec<(usize, u64)> = gone.chain(was.into_iter().map(|index| (index, was_here))).collect();
    for (index, flags) in gone {
        let node = &before.nodes()[index];
        let corners: Vec<Point> =
            before.corners(node).iter().map(|corner| lowered(before.axes(), *corner)).collect();
        let shape = match (before.shape(node), corners.first()) {
            (Shape::Point { radius, .. }, Some(&at)) => Shape::Point { at, radius },
            _ => Shape::Polygon(&corners),
        };
        let at = both.add_node(node.id, shape);
        if let Some(made) = both.nodes_mut().get_mut(at as usize) {
            made.flags = flags;
        }
    }
    both
}

/// A point a little lower.
fn lowered(axes: Axes, at: Point) -> Point {
    match axes.up {
        Up::Z => Point::new(at.x, at.y, at.z - BELOW),
        Up::Y => Point::new(at.x, at.y - BELOW, at.z),
    }
}

fn same_corners(a: &[Point], b: &[Point]) -> bool {
    let bits = |p: &Point| [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()];
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| bits(a) == bits(b))
}

/// The links away from each node, by the ids of their targets, sorted.
struct Ways {
    all: Vec<(u32, Option<u64>, LinkKind)>,
    starts: Vec<usize>,
}

impl Ways {
    fn of(graph: &FlatGraph) -> Self {
        let id = |node: Option<u32>| graph.nodes().get(node? as usize).map(|node| node.id);
        let mut all: Vec<_> = graph.links().iter().map(|link| (link.from, id(link.to), link.kind)).collect();
        all.sort_unstable_by_key(|(from, to, kind)| (*from, *to, *kind as u8));
        let mut starts = vec![0; graph.nodes().len() + 1];
        for (from, ..) in &all {
            if let Some(start) = starts.get_mut(*from as usize + 1) {
                *start += 1;
            }
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Self { all, starts }
    }

    fn from(&self, node: usize) -> Vec<(Option<u64>, LinkKind)> {
        let range = self.starts[node]..self.starts[node + 1];
        self.all.get(range).unwrap_or_default().iter().map(|(_, to, kind)| (*to, *kind)).collect()
    }
}
