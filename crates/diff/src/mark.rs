//! Marks that appeared or disappeared.

use super::link::only_in_one;
use super::matching::{Matching, NONE};
use super::near::{Ends, take_near};
use navmap_core::graph::{FlatGraph, Mark, MarkKind, MarkShape, Point};

/// The marks of a kind that appeared and disappeared, and their positions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MarkChange {
    /// The kind.
    pub kind: MarkKind,
    /// Positions of those that disappeared: points, or the first ends of lines and boxes.
    pub removed: Vec<Point>,
    /// Positions of the new ones.
    pub added: Vec<Point>,
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
    let take_near = |gone: &mut Vec<Key>, come: &mut Vec<Key>| {
        noise.map_or(0, |least| take_near(least, gone, come, |key| ((key.0, key.1), key.2)))
    };
    let mut near = take_near(&mut gone, &mut come);
    // A spot of a split node is compared by position alone.
    let anywhere = |key: &Key| (key.0, 0, key.2);
    let moved = |keys: &mut Vec<Key>| {
        keys.iter_mut().for_each(|key| *key = anywhere(key));
        keys.sort_unstable();
    };
    moved(&mut gone);
    moved(&mut come);
    let (mut gone, mut come) = only_in_one(&gone, &come);
    near += take_near(&mut gone, &mut come);
    let place = |key: &Key| Point::from(key.2[0].map(f32::from_bits));
    let of_kind = |keys: &[Key], kind| keys.iter().filter(|key| key.0 == kind).map(place).collect::<Vec<_>>();
    let changes = MarkKind::ALL.iter().map(|&kind| MarkChange {
        kind,
        removed: of_kind(&gone, kind),
        added: of_kind(&come, kind),
    });
    let changes = changes.filter(|change| !(change.removed.is_empty() && change.added.is_empty()));
    (changes.collect(), near)
}
