//! Both meshes on one map.

use super::Diff;
use crate::graph::{FlatGraph, FlatNode, NavGraph, Point, Shape, Up};

/// What happened to a node, as the key of a map calls it.
const GROUPS: [&str; 7] = [
    "unchanged",
    "added",
    "removed",
    "moved or reshaped",
    "where it was",
    "other links",
    "other flags or place",
];

/// How much lower what is gone is drawn, in file units, so that what took its place lies above it.
const BELOW: f32 = 4.0;

/// A graph for a picture: the nodes of the mesh after, and those of the mesh before that it lacks or that lay elsewhere.
/// Its groups say what happened to each: unchanged, added, removed, moved or reshaped, where it was, other links, other
/// flags or place. If several things happened to a node, the first of these counts. Parts of a split and of a merge count
/// as added and removed. Links and marks are those of the mesh after. What is gone lies 4 units lower than it did.
pub fn on_one_map(diff: &Diff, before: &FlatGraph, after: &FlatGraph) -> FlatGraph {
    let mut both = after.clone();
    both.set_group_word("change");
    let mut group = vec![1; after.nodes().len()];
    let mut now = vec![None; before.nodes().len()];
    for &(was, node) in &diff.pairs {
        group[node as usize] = 0;
        now[was as usize] = Some(node);
    }
    for change in &diff.changed {
        group[change.after as usize] = if change.shape.is_some() { 3 } else { 6 };
    }
    for link in &diff.links.changed {
        if let Some(node) = now.get(link.from as usize).copied().flatten()
            && group[node as usize] != 3
        {
            group[node as usize] = 5;
        }
    }
    for (node, group) in both.nodes_mut().iter_mut().zip(group) {
        node.group = Some(group);
    }
    let gone = diff.removed.iter().copied();
    let split = diff.split.iter().map(|parts| parts.whole);
    let merged = diff.merged.iter().flat_map(|parts| parts.parts.iter().copied());
    let gone = gone.chain(split).chain(merged).map(|node| (node, 2));
    let moved = diff.changed.iter().filter(|change| change.shape.is_some()).map(|change| (change.before, 4));
    for (node, group) in gone.chain(moved) {
        let Some(node) = before.nodes().get(node as usize) else { continue };
        let at = add_below(&mut both, before, node);
        if let Some(copy) = both.nodes_mut().get_mut(at as usize) {
            (copy.flags, copy.group) = (node.flags, Some(group));
        }
    }
    for (number, name) in (0..).zip(GROUPS) {
        both.name_group(number, name);
    }
    both
}

/// Adds a node of another graph, a little lower.
fn add_below(to: &mut FlatGraph, from: &FlatGraph, node: &FlatNode) -> u32 {
    let lowered = |at: Point| match from.axes().up {
        Up::Z => Point::new(at.x, at.y, at.z - BELOW),
        Up::Y => Point::new(at.x, at.y - BELOW, at.z),
    };
    let corners: Vec<Point> = from.corners(node).iter().map(|corner| lowered(*corner)).collect();
    match (from.shape(node), corners.first()) {
        (Shape::Point { radius, .. }, Some(&at)) => to.add_node(node.id, Shape::Point { at, radius }),
        _ => to.add_node(node.id, Shape::Polygon(&corners)),
    }
}
