//! A short summary of a mesh that finds renamed copies of it among thousands.

use navmap_core::graph::{FlatGraph, NavGraph};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The most hashes of a sketch.
const HASHES: usize = 128;

/// Two meshes are versions of one map if their sketches share at least this percentage of hashes.
const ALIKE: usize = 30;

/// The smallest hashes of the shapes of a mesh's nodes. The share of hashes common to two sketches estimates the share of nodes
/// common to two meshes (bottom-k sampling). 1 KiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch(Vec<u64>);

impl Sketch {
    /// The sketch of a mesh. Linear.
    pub fn of(graph: &FlatGraph) -> Self {
        let axes = graph.axes();
        let mut smallest = BTreeSet::new();
        for node in graph.nodes() {
            let mut hasher = DefaultHasher::new();
            for corner in graph.corners(node) {
                axes.plan(*corner).map(f32::to_bits).hash(&mut hasher);
            }
            let hash = hasher.finish();
            if smallest.len() < HASHES || smallest.last().is_some_and(|last| hash < *last) {
                smallest.insert(hash);
                if smallest.len() > HASHES {
                    smallest.pop_last();
                }
            }
        }
        Self(smallest.into_iter().collect())
    }
}

/// Pairs meshes that share at least a third of their nodes, one to one, the most similar first. Each mesh comes with its name; the order of the lists breaks ties.
/// Linear in sketches, unless thousands of meshes share a node.
pub fn pair_sketches<N: Clone>(left: &[(N, Sketch)], right: &[(N, Sketch)]) -> Vec<(N, N)> {
    /// A hash in more meshes than this is uninformative.
    const COMMON: usize = 64;
    let mut having: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, (_, sketch)) in right.iter().enumerate() {
        for hash in &sketch.0 {
            having.entry(*hash).or_default().push(at);
        }
    }
    let mut alike: Vec<(usize, usize, usize)> = Vec::new();
    for (l, (_, sketch)) in left.iter().enumerate() {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for hash in &sketch.0 {
            for r in having.get(hash).into_iter().flatten().take(COMMON) {
                *shared.entry(*r).or_default() += 1;
            }
        }
        for (r, shared) in shared {
            let share = shared * 100 / sketch.0.len().max(right[r].1.0.len()).max(1);
            if share >= ALIKE {
                alike.push((share, l, r));
            }
        }
    }
    alike.sort_unstable_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut used_left, mut used_right) = (BTreeSet::new(), BTreeSet::new());
    let mut pairs = Vec::new();
    for (_, l, r) in alike {
        if !used_left.contains(&l) && !used_right.contains(&r) {
            used_left.insert(l);
            used_right.insert(r);
            pairs.push((left[l].0.clone(), right[r].0.clone()));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmap_core::graph::{Axes, Point, Shape};

    fn map(seed: u32, nodes: u32, changed: u32) -> Sketch {
        let mut graph = FlatGraph::new("node", Axes::z_up(1.0));
        for node in 0..nodes {
            let lift = if node < changed { 1.0 } else { 0.0 };
            let at = Point::new((seed * 10_000 + node) as f32, node as f32, lift);
            graph.add_node(node.into(), Shape::Point { at, radius: None });
        }
        Sketch::of(&graph)
    }

    #[test]
    fn a_renamed_map_is_found_although_a_tenth_of_it_changed() {
        let left: Vec<(u32, Sketch)> = (0..40).map(|seed| (seed, map(seed, 500, 0))).collect();
        let right: Vec<(u32, Sketch)> = (20..60).rev().map(|seed| (seed, map(seed, 500, 50))).collect();
        let mut pairs = pair_sketches(&left, &right);
        pairs.sort_unstable();
        assert_eq!(pairs, (20..40).map(|seed| (seed, seed)).collect::<Vec<_>>());
    }

    #[test]
    fn empty_meshes_are_no_copies_of_each_other() {
        let empty = [("a", map(0, 0, 0))];
        assert!(pair_sketches(&empty, &empty).is_empty());
    }
}
