//! Nodes that one side of a merge moved so far that, by their places, they are others.

use navmap_core::graph::FlatGraph;
use navmap_diff::Diff;
use std::collections::{BTreeMap, BTreeSet};

/// The nodes that a mesh and each of two others have, by position.
type Pairs = [Vec<(u32, u32)>; 2];

/// The nodes that `base` and both sides of a merge have, by position. A node that is gone from its place is one that the side
/// has made elsewhere if both have the same id, and the same flags and links, or if the other side deleted it: what is deleted here
/// and moved there is a conflict, and would be deleted by both otherwise. With them the number of changes of both sides.
pub(super) fn pairs(base: &FlatGraph, sides: [&FlatGraph; 2], by_id: bool) -> (Pairs, u64) {
    let [ours, theirs] = sides.map(|side| Diff::between(base, side));
    let changes = [&ours, &theirs].map(|diff| {
        let links = diff.links.changed.len() as u64 + u64::from(diff.links.come_with_nodes);
        links + (diff.removed.len() + diff.added.len() + diff.changed.len()) as u64
    });
    // An area that was cut is gone here: what else was done to it would be done to a part of it.
    let both = |own: &Diff, other: &Diff, side| {
        let mut pairs = own.pairs.clone();
        if by_id {
            pairs.extend(moved(base, side, own, other));
            pairs.sort_unstable();
        }
        pairs
    };
    let pairs = [both(&ours, &theirs, sides[0]), both(&theirs, &ours, sides[1])];
    (pairs, changes.into_iter().sum())
}

fn moved(base: &FlatGraph, side: &FlatGraph, own: &Diff, other: &Diff) -> Vec<(u32, u32)> {
    if own.removed.is_empty() || own.added.is_empty() {
        return Vec::new();
    }
    let id = |graph: &FlatGraph, at: u32| graph.nodes().get(at as usize).map(|node| node.id);
    let mut made: BTreeMap<u64, u32> = own.added.iter().filter_map(|&at| Some((id(side, at)?, at))).collect();
    let gone: BTreeSet<u32> = other.removed.iter().copied().collect();
    let links = |graph: &FlatGraph, at: u32| -> BTreeSet<u64> {
        let all = graph.links();
        all.leaving(at).filter_map(|link| id(graph, all.get(link)?.to?)).collect()
    };
    let same = |a: u32, b: u32| {
        let flags = |graph: &FlatGraph, at: u32| graph.nodes().get(at as usize).map(|node| node.flags);
        flags(base, a) == flags(side, b) && links(base, a) == links(side, b)
    };
    let pair = |a: &u32| {
        let id = id(base, *a)?;
        let b = made.get(&id).copied().filter(|b| gone.contains(a) || same(*a, *b))?;
        made.remove(&id);
        Some((*a, b))
    };
    own.removed.iter().filter_map(pair).collect()
}
