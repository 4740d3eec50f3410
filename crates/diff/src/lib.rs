//! Tells what changed between two meshes: nodes, links, marks, flags and places, whatever the format.
//!
//! Ids are no identity: a mesh that the game made again has other ids for every area. [`Diff::of`] therefore asks first
//! whether ids still mean the same, and matches by where nodes lie if they do not:
//!
//! 1. Nodes with one id and one shape, if at least half of the common ids lie on each other; all nodes with one id, if nine
//!    tenths of them were moved by one vector.
//! 2. Nodes with the same shape, to the bit.
//! 3. Nodes with one id, if nine tenths of the common ids lie on each other; those that do, if at least half of them do.
//! 4. What is left by overlap, most first: at least half of their common surface must lie in both, at heights no more than
//!    two steps apart. Waypoints by distance.
//! 5. One node that several others cover (99 % of its surface) was split, and several that make up one were merged.
//!
//! Everything is one to one, deterministic, and the mirror image if the two meshes are swapped. Time is `n log n` in nodes
//! and links, memory some 300 bytes a node.
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
//! let diff = Diff::of(&before, &after);
//! assert_eq!((diff.renumbered, &diff.removed[..]), (1, &[1][..]));
//! assert!(!diff.is_same());
//! assert!(Diff::of(&before, &before).is_identical());
//! ```

mod link;
mod main_part;
mod map;
mod mark;
mod matching;
mod node;
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
pub use places::{PlaceChange, Places};
pub use sketch::{Sketch, pair_sketches};
pub use split::Parts;

use matching::{Matching, Side};
use navmap_core::graph::{FlatGraph, NavGraph};

/// The nodes that both meshes have, by their positions: as [`Diff::pairs`], and of a node that was cut or joined also the part
/// that the ids or the shapes say it still is.
pub fn pairs(before: &FlatGraph, after: &FlatGraph) -> Vec<(u32, u32)> {
    let (apart, reach) = tolerances(before);
    let (matching, _) = Matching::of(&Side::new(before), &Side::new(after), apart, reach);
    matching.pairs().collect()
}

/// The height by which a node may differ and still be the same one, and the distance for waypoints: two steps.
fn tolerances(graph: &FlatGraph) -> (f64, f64) {
    let two_steps = 2.0 * f64::from(graph.rules().step);
    (two_steps, two_steps)
}

/// What changed between two meshes. Nodes are named by their position in the graph of their side.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Diff {
    /// How nodes were matched.
    pub method: Method,
    /// Nodes before and after.
    pub nodes: [u32; 2],
    /// Pairs of nodes that are the same one, before and after, in the order of the nodes before.
    pub pairs: Vec<(u32, u32)>,
    /// Nodes of the mesh before that the mesh after lacks, and that were neither split nor merged.
    pub removed: Vec<u32>,
    /// Nodes of the mesh after that the mesh before lacks, and that no split or merge made.
    pub added: Vec<u32>,
    /// Nodes before that are several after.
    pub split: Vec<Parts>,
    /// Nodes after that were several before.
    pub merged: Vec<Parts>,
    /// What changed in nodes that both have.
    pub changed: Vec<NodeChange>,
    /// How many nodes have another id and are otherwise what they were.
    pub renumbered: u32,
    /// Links that appeared, went, or are passed in another way.
    pub links: Links,
    /// Marks (hiding spots, ladders, doors …) that appeared or went, by kind.
    pub marks: Vec<MarkChange>,
    /// What can be reached from the largest part, before and after.
    pub main_part: MainPart,
}

impl Diff {
    /// Compares two meshes.
    pub fn of(before: &FlatGraph, after: &FlatGraph) -> Self {
        let (apart, reach) = tolerances(before);
        let sides = [Side::new(before), Side::new(after)];
        let [left, right] = &sides;
        let (mut matching, method) = Matching::of(left, right, apart, reach);
        let (split, merged) = split::both(left, right, &matching, apart);
        // What was cut or joined is told as that, not as a change of the part that kept the id.
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
            links: link::changes(before, after, &matching),
            marks: mark::changes(before, after, &matching),
            main_part: MainPart::of(before, after, &matching),
        }
    }

    /// Whether both are one mesh, ids and order of nodes aside.
    pub fn is_same(&self) -> bool {
        self.removed.is_empty()
            && self.added.is_empty()
            && self.split.is_empty()
            && self.merged.is_empty()
            && self.changed.is_empty()
            && self.links.is_empty()
            && self.marks.is_empty()
    }

    /// Whether both are one mesh, with one id and one position for each node.
    pub fn is_identical(&self) -> bool {
        self.is_same() && self.renumbered == 0 && self.pairs.iter().all(|(a, b)| a == b)
    }

    /// The share of the nodes of the larger mesh that have a partner, from 0 to 1; 1 for two empty meshes.
    pub fn matched(&self) -> f64 {
        match self.nodes[0].max(self.nodes[1]) {
            0 => 1.0,
            nodes => self.pairs.len() as f64 / f64::from(nodes),
        }
    }
}
