//! Both meshes on one map.

use super::Diff;
use crate::graph::FlatGraph;

/// What happened to a node, as the key of a map calls it.
const GROUPS: [&str; 5] = ["unchanged", "added", "removed", "moved or reshaped", "other flags or place"];

/// A graph for a picture: the nodes of the mesh after, and those of the mesh before that it lacks. Its groups say what
/// happened to each: unchanged, added, removed, moved or reshaped, other flags or place. Parts of a split and of a merge
/// count as added and removed. Links are those of the mesh after.
pub fn on_one_map(diff: &Diff, before: &FlatGraph, after: &FlatGraph) -> FlatGraph {
    let mut both = after.clone();
    both.set_group_word("change");
    let mut group = vec![1; after.nodes().len()];
    for &(_, node) in &diff.pairs {
        group[node as usize] = 0;
    }
    for change in &diff.changed {
        group[change.after as usize] = if change.shape.is_some() { 3 } else { 4 };
    }
    for (node, group) in both.nodes_mut().iter_mut().zip(group) {
        node.group = Some(group);
    }
    let gone = diff.removed.iter().copied();
    let split = diff.split.iter().map(|parts| parts.whole);
    let merged = diff.merged.iter().flat_map(|parts| parts.parts.iter().copied());
    for node in gone.chain(split).chain(merged) {
        let Some(node) = before.nodes().get(node as usize) else { continue };
        let at = both.add_node(node.id, before.shape(node));
        if let Some(copy) = both.nodes_mut().get_mut(at as usize) {
            (copy.flags, copy.group) = (node.flags, Some(2));
        }
    }
    for (number, name) in (0..).zip(GROUPS) {
        both.name_group(number, name);
    }
    both
}
