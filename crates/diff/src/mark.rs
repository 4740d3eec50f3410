//! Marks that appeared, disappeared or moved.

use super::link::only_in_one;
use super::matching::{Matching, NONE};
use super::near::{Ends, take_near};
use navmap_core::graph::{FlatGraph, Mark, MarkKind, MarkShape, Point};
use std::cmp::Ordering;

/// The marks of a kind that appeared, disappeared and moved, and their positions: points, or the first ends of lines and boxes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MarkChange {
    /// The kind.
    pub kind: MarkKind,
    /// Positions of those that disappeared.
    pub removed: Vec<Point>,
    /// Positions of the new ones.
    pub added: Vec<Point>,
    /// Where those were that lie elsewhere on their node now, and where they are: all of a node, if as many left their places on it as
    /// came to others, each in turn by x, y and z.
    pub moved: Vec<[Point; 2]>,
}

/// A mark in a form comparable between both meshes: kind, node in old numbers, corners.
type Key = (MarkKind, u32, Ends);

/// The node number of a mark without a node.
const WHOLE_MESH: u32 = NONE - 1;

fn keys(graph: &FlatGraph, rename: impl Fn(u32) -> u32) -> Vec<Key> {
    let bits = |p: Point| p.to_array().map(f32::to_bits);
    let key = |mark: &Mark| {
        let ends = match mark.shape {
            MarkShape::Point(at) => [at, at],
            MarkShape::Segment(a, b) | MarkShape::Box(a, b) => [a, b],
        };
        (mark.kind, mark.node.map_or(WHOLE_MESH, &rename), ends.map(bits))
    };
    let mut keys: Vec<Key> = graph.marks().iter().map(key).collect();
    keys.sort_unstable();
    keys
}

/// Marks of removed or added nodes count as removed or added. Those that moved by no more than `noise` are counted apart.
pub(super) fn changes(
    before: &FlatGraph,
    after: &FlatGraph,
    matching: &Matching,
    noise: Option<f32>,
) -> (Vec<MarkChange>, usize) {
    let partner = |of: &[u32], at: u32| of.get(at as usize).copied().unwrap_or(NONE);
    let left = keys(before, |at| if partner(&matching.after, at) == NONE { NONE } else { at });
    let right = keys(after, |at| partner(&matching.before, at));
    let (mut gone, mut come) = only_in_one(&left, &right);
    let take_near = |gone: &mut Vec<Key>, come: &mut Vec<Key>, of: fn(&Key) -> ((MarkKind, u32), Ends)| {
        noise.map_or(0, |least| take_near(least, gone, come, of))
    };
    let mut near = take_near(&mut gone, &mut come, |key| ((key.0, key.1), key.2));
    // A spot of a split node is compared by position alone.
    let anywhere = |keys: Vec<Key>| {
        let mut keys: Vec<Anywhere> = keys.into_iter().map(Anywhere).collect();
        keys.sort();
        keys
    };
    let (gone, come) = only_in_one(&anywhere(gone), &anywhere(come));
    let of_node = |keys: Vec<Anywhere>| keys.into_iter().map(|Anywhere(key)| key).collect::<Vec<_>>();
    let (mut gone, mut come) = (of_node(gone), of_node(come));
    near += take_near(&mut gone, &mut come, |key| ((key.0, 0), key.2));
    let moved = take_moved(&mut gone, &mut come);
    // By place, whatever the numbers of nodes are.
    for keys in [&mut gone, &mut come] {
        keys.sort_unstable_by_key(|key| (key.0, key.2));
    }
    let of_kind = |keys: &[Key], kind| keys.iter().filter(|key| key.0 == kind).map(place).collect::<Vec<_>>();
    let changes = MarkKind::ALL.iter().map(|&kind| MarkChange {
        kind,
        removed: of_kind(&gone, kind),
        added: of_kind(&come, kind),
        moved: moved
            .iter()
            .filter(|(was, _)| was.0 == kind)
            .map(|(was, is)| [place(was), place(is)])
            .collect(),
    });
    let changes = changes
        .filter(|change| !(change.removed.is_empty() && change.added.is_empty() && change.moved.is_empty()));
    (changes.collect(), near)
}

/// A mark that is the same on any node.
#[derive(Clone, Copy)]
struct Anywhere(Key);

impl Ord for Anywhere {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0.0, self.0.2).cmp(&(other.0.0, other.0.2))
    }
}

impl PartialOrd for Anywhere {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Anywhere {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Anywhere {}

fn place(key: &Key) -> Point {
    Point::from(key.2[0].map(f32::from_bits))
}

/// Takes the marks of nodes on which as many are gone as have come out of both lists, as pairs: they moved.
fn take_moved(gone: &mut Vec<Key>, come: &mut Vec<Key>) -> Vec<(Key, Key)> {
    let ends = |key: &Key| key.2.map(|end| end.map(f32::from_bits)).into_iter().flatten();
    let of = |key: &Key| (key.0, key.1);
    for keys in [&mut *gone, &mut *come] {
        keys.sort_by(|a, b| {
            let along = || ends(a).zip(ends(b)).map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne());
            of(a).cmp(&of(b)).then_with(|| along().unwrap_or(Ordering::Equal))
        });
    }
    let mut moved = Vec::new();
    for left in gone.chunk_by(|a, b| of(a) == of(b)) {
        let from = come.partition_point(|key| of(key) < of(&left[0]));
        let to = come.partition_point(|key| of(key) <= of(&left[0]));
        if left[0].1 < WHOLE_MESH && left.len() == to - from {
            moved.extend(left.iter().copied().zip(come[from..to].iter().copied()));
        }
    }
    let nodes: Vec<_> = moved.iter().map(|(was, _)| of(was)).collect();
    for keys in [gone, come] {
        keys.retain(|key| nodes.binary_search(&of(key)).is_err());
    }
    moved
}
