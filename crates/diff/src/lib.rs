//! Compares two meshes of any format: nodes, links, marks, flags and places.
//!
//! Ids do not identify nodes: when the game regenerates a mesh, every area gets another id. So [`Diff::between`] first determines
//! whether ids mean the same in both meshes, and matches by position if they do not:
//!
//! 1. Nodes with the same id and shape, if at least half of the common ids are at the same place; all nodes with the same id, if
//!    nine tenths of them were moved by the same vector.
//! 2. Nodes with the same shape, to the bit.
//! 3. Nodes with the same id, if nine tenths of the common ids are at the same place; only those that are, if at least half are.
//! 4. The rest by overlap, largest first: at least half of their common surface must be in both, at heights no more than two steps
//!    apart. Waypoints by distance. Outlines of which hundreds lie in one place are compared by their boxes once that has taken as many
//!    steps as the whole mesh should.
//! 5. One node that several others cover (99 % of its surface) was split, and several that make up one were merged.
//!
//! Everything is one to one, deterministic, and the mirror image if the two meshes are swapped. Time is `n log n` in nodes and
//! links, memory some 300 bytes per node.
//!
//! ```
//! use navmap::diff::Diff;
//! use navmap::graph::{Axes, FlatGraph, Point, Shape};
//!
//! let square = |x: f32| [[x, 0.0], [x + 100.0, 0.0], [x + 100.0, 100.0], [x, 100.0]].map(|[x, y]| Point::new(x, y, 0.0));
//! let mut before = FlatGraph::new("area", Axes::z_up(0.019_05));
//! before.add_node(1, Shape::Polygon(&square(0.0)));
//! before.add_node(2, Shape::Polygon(&square(100.0)));
//! let mut after = FlatGraph::new("area", Axes::z_up(0.019_05));
//! after.add_node(7, Shape::Polygon(&square(0.0)));
//!
//! let diff = Diff::between(&before, &after);
//! assert_eq!((diff.renumbered, &diff.removed[..]), (1, &[1][..]));
//! assert!(!diff.is_same());
//! assert!(Diff::between(&before, &before).is_identical());
//! ```

mod link;
mod main_part;
mod map;
mod mark;
mod matching;
mod near;
mod node;
mod noise;
mod outline;
mod places;
mod sketch;
mod split;

pub use link::{LinkChange, Links};
pub use main_part::MainPart;
pub use map::{merged_on_one_map, on_one_map};
pub use mark::MarkChange;
pub use matching::Method;
pub use node::{NameChange, NodeChange, Shaped};
pub use noise::noise;
pub use places::{PlaceChange, Places};
pub use sketch::{Sketch, pair_sketches};
pub use split::Parts;

use matching::{Matching, Side};
use navmap_core::graph::{FlatGraph, NavGraph};

/// The nodes that both meshes have, by position: the pairs of [`Diff::pairs`], and for a split or merged node also the part that
/// still has its id or shape.
pub fn pairs(before: &FlatGraph, after: &FlatGraph) -> Vec<(u32, u32)> {
    let (apart, reach) = tolerances(before);
    let (matching, _) = Matching::find(&Side::new(before), &Side::new(after), apart, reach);
    matching.pairs().collect()
}

/// The tolerances within which a node is the same: in height, and in distance for waypoints. Two steps each.
fn tolerances(graph: &FlatGraph) -> (f64, f64) {
    let two_steps = 2.0 * f64::from(graph.rules().step);
    (two_steps, two_steps)
}

/// The differences of two meshes. Nodes are given by their position in the graph of their side.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Diff {
    /// How nodes were matched.
    pub method: Method,
    /// Nodes before and after.
    pub nodes: [u32; 2],
    /// Pairs of nodes that are the same, before and after, in the order of the nodes before.
    pub pairs: Vec<(u32, u32)>,
    /// Nodes of the old mesh that are missing from the new one, and were neither split nor merged.
    pub removed: Vec<u32>,
    /// Nodes of the new mesh that are missing from the old one, and that no split or merge made.
    pub added: Vec<u32>,
    /// Nodes that became several.
    pub split: Vec<Parts>,
    /// Nodes that were made of several.
    pub merged: Vec<Parts>,
    /// Changes of nodes that both have.
    pub changed: Vec<NodeChange>,
    /// The number of nodes with another id and no other change.
    pub renumbered: u32,
    /// Links that appeared, disappeared, or changed.
    pub links: Links,
    /// Marks (hiding spots, ladders, doors …) that appeared, disappeared or moved, by kind.
    pub marks: Vec<MarkChange>,
    /// The part of each mesh reachable from its largest part.
    pub main_part: MainPart,
}

impl Diff {
    /// Compares two meshes.
    pub fn between(before: &FlatGraph, after: &FlatGraph) -> Self {
        let (apart, reach) = tolerances(before);
        let sides = [Side::new(before), Side::new(after)];
        let [left, right] = &sides;
        let (mut matching, method) = Matching::find(left, right, apart, reach);
        let (split, merged) = split::both(left, right, &matching, apart);
        // Splits and merges are reported as such, not as a change of the part that kept the id.
        for parts in &split {
            matching.part_before(parts.whole);
        }
        for parts in &merged {
            matching.part_after(parts.whole);
        }
        let changed = node::changes(left, right, &matching);
        let renumbered = node::renumbered(left, right, &matching, &changed);
        let lonely = |partners: &[u32], parts: &[Parts], others: &[Parts]| -> Vec<u32> {
            let alone = (0..).zip(partners).filter(|(_, partner)| **partner == matching::NONE);
            let mut known: Vec<u32> = parts.iter().map(|p| p.whole).collect();
            known.extend(others.iter().flat_map(|p| &p.parts));
            known.sort_unstable();
            alone.map(|(at, _)| at).filter(|at| known.binary_search(at).is_err()).collect()
        };
        let removed = lonely(&matching.after, &split, &merged);
        let added = lonely(&matching.before, &merged, &split);
        // Links take room of their own.
        drop(sides);
        Self {
            method,
            nodes: [before.nodes().len() as u32, after.nodes().len() as u32],
            pairs: matching.pairs().collect(),
            removed,
            added,
            split,
            merged,
            changed,
            renumbered,
            links: link::changes(before, after, &matching, None).0,
            marks: mark::changes(before, after, &matching, None).0,
            main_part: MainPart::compare(before, after, &matching),
        }
    }

    /// Whether the meshes are equal, except for ids and order of nodes.
    pub fn is_same(&self) -> bool {
        self.removed.is_empty()
            && self.added.is_empty()
            && self.split.is_empty()
            && self.merged.is_empty()
            && self.changed.is_empty()
            && self.links.is_empty()
            && self.marks.is_empty()
    }

    /// Whether the meshes are equal, including the id of each node and its position in the file, but for what
    /// [`ignore_noise`](Self::ignore_noise) left out.
    pub fn is_identical(&self) -> bool {
        self.is_same() && self.renumbered == 0 && self.pairs.iter().all(|(a, b)| a == b)
    }

    /// The share of the larger mesh's nodes that have a partner, from 0 to 1; 1 for two empty meshes.
    pub fn matched(&self) -> f64 {
        match self.nodes[0].max(self.nodes[1]) {
            0 => 1.0,
            nodes => self.pairs.len() as f64 / f64::from(nodes),
        }
    }
}
