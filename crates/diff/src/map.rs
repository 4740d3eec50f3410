//! Both meshes on one map.

use super::{Diff, Parts};
use navmap_core::graph::{FlatGraph, FlatNode, NavGraph, Point, Shape, Up};

/// The states of a node in the key of a map. The order is that of the colours in a picture: removed nodes are red, added ones
/// green.
const GROUPS: [&str; 7] = [
    "unchanged",
    "other links",
    "removed",
    "moved or reshaped",
    "where it was",
    "added",
    "other flags or place",
];
const UNCHANGED: u32 = 0;
const LINKS: u32 = 1;
const REMOVED: u32 = 2;
const MOVED: u32 = 3;
const FORMER: u32 = 4;
const ADDED: u32 = 5;
const FLAGS: u32 = 6;

/// How much lower removed nodes are drawn, in file units, so that their replacements cover them.
const BELOW: f32 = 4.0;

/// A graph for a picture: the nodes of the new mesh, and those of the old mesh that are missing from it or were elsewhere. Its
/// groups are the states of nodes: unchanged, added, removed, moved or reshaped, where it was, other links, other flags or place.
/// If several apply to a node, the first counts. Parts of a split or a merge count as added and removed. Links and marks are
/// those of the new mesh. Removed nodes are drawn 4 units lower.
pub fn on_one_map(diff: &Diff, before: &FlatGraph, after: FlatGraph) -> FlatGraph {
    let mut group = vec![ADDED; after.nodes().len()];
    let mut both = after;
    both.set_group_word("change");
    // Those of the mesh itself, whose numbers a file may have made up.
    both.forget_groups();
    let mut now = vec![None; before.nodes().len()];
    for &(was, node) in &diff.pairs {
        group[node as usize] = UNCHANGED;
        now[was as usize] = Some(node);
    }
    for change in &diff.changed {
        group[change.after as usize] = if change.shape.is_some() { MOVED } else { FLAGS };
    }
    for link in &diff.links.changed {
        if let Some(node) = now.get(link.from as usize).copied().flatten()
            && group[node as usize] != MOVED
        {
            group[node as usize] = LINKS;
        }
    }
    for (node, group) in both.nodes_mut().iter_mut().zip(group) {
        node.group = Some(group);
    }
    let gone = diff.removed.iter().copied();
    let split = diff.split.iter().map(|parts| parts.whole);
    let merged = diff.merged.iter().flat_map(|parts| parts.parts.iter().copied());
    let gone = gone.chain(split).chain(merged).map(|node| (node, REMOVED));
    let moved =
        diff.changed.iter().filter(|change| change.shape.is_some()).map(|change| (change.before, FORMER));
    let former = || {
        let nodes = gone.clone().chain(moved.clone());
        nodes.filter_map(|(node, group)| Some((before.nodes().get(node as usize)?, group)))
    };
    both.reserve(former().count(), former().map(|(node, _)| before.corners(node).len()).sum());
    for (node, group) in former() {
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

/// The states of a node in a merge, in the key of a map. The order is that of the colours in a picture, where conflicts are red.
const SIDES: [&str; 7] = [
    "unchanged",
    "changed in ours",
    "conflict",
    "changed in theirs",
    "changed in both",
    "added in ours",
    "added in theirs",
];
/// The group of a node by who changed it: nobody, ours, theirs, both.
const CHANGED: [u32; 4] = [0, 1, 3, 4];
const CONFLICT: u32 = 2;
/// The group of nodes added by ours. The next one is for those added by theirs.
const OURS: u32 = 5;

/// Both sides of a merge on one map: the nodes of the common ancestor, and those that each side added. Groups say who changed a
/// node (its shape, flags, place or links, or removed it): unchanged, changed in ours, in theirs, in both, conflict, added in
/// ours, added in theirs. `conflicts` are positions of nodes of `base`. Links and marks are those of `base`.
pub fn merged_on_one_map(base: &FlatGraph, [ours, theirs]: [&FlatGraph; 2], conflicts: &[u32]) -> FlatGraph {
    let mut both = base.clone();
    both.set_group_word("change");
    // Those of the mesh itself, whose numbers a file may have made up.
    both.forget_groups();
    let mut sides = vec![0_u8; base.nodes().len()];
    for (bit, side) in [(1, ours), (2, theirs)] {
        let diff = Diff::between(base, side);
        let cut = diff.split.iter().map(|parts| parts.whole);
        let joined = diff.merged.iter().flat_map(|parts: &Parts| parts.parts.iter().copied());
        let changed = diff.changed.iter().map(|change| change.before);
        let linked = diff.links.changed.iter().map(|link| link.from);
        let gone = diff.removed.iter().copied();
        for node in gone.chain(cut).chain(joined).chain(changed).chain(linked) {
            sides[node as usize] |= bit;
        }
        let halves = diff.split.iter().flat_map(|parts| parts.parts.iter().copied());
        let wholes = diff.merged.iter().map(|parts| parts.whole);
        for node in diff.added.iter().copied().chain(halves).chain(wholes) {
            let at = add_below(&mut both, side, &side.nodes()[node as usize]);
            both.nodes_mut()[at as usize].group = Some(OURS + u32::from(bit == 2));
        }
    }
    for (node, side) in both.nodes_mut().iter_mut().zip(sides) {
        node.group = CHANGED.get(usize::from(side)).copied();
    }
    for &node in conflicts {
        both.nodes_mut()[node as usize].group = Some(CONFLICT);
    }
    for (number, name) in (0..).zip(SIDES) {
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
