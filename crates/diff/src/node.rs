//! Changes of nodes that both meshes have.

use super::matching::{Matching, Side};
use navmap_core::graph::{FlatNode, Point, Shape};
use std::collections::BTreeMap;

/// The change of a node. Its id does not count.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NodeChange {
    /// Position of the old node.
    pub before: u32,
    /// Position of the new node.
    pub after: u32,
    /// The change of position or shape, if any.
    pub shape: Option<Shaped>,
    /// Flags that were added.
    pub set: u64,
    /// Flags that it had.
    pub cleared: u64,
    /// Its place, by name.
    pub place: Option<NameChange>,
    /// Its group, by name.
    pub group: Option<NameChange>,
}

/// A change of position or shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shaped {
    /// Every corner moved by this vector, up to rounding, in units and axes of the file.
    Moved([f32; 3]),
    /// Corners moved by different vectors, or their number changed.
    Reshaped {
        /// The farthest that a corner moved, in units. `None` if the number of corners differs.
        by: Option<f32>,
        /// Surface before and after, in square units.
        area: [f64; 2],
    },
    /// A waypoint has another radius.
    Radius([Option<f32>; 2]),
}

/// A name before and after; `None` for no name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameChange {
    /// The name before.
    pub before: Option<String>,
    /// The name after.
    pub after: Option<String>,
}

pub(super) fn changes(before: &Side<'_>, after: &Side<'_>, matching: &Matching) -> Vec<NodeChange> {
    let pairs = matching.pairs();
    pairs.filter_map(|(a, b)| change(before, a, after, b)).collect()
}

fn change(before: &Side<'_>, a: u32, after: &Side<'_>, b: u32) -> Option<NodeChange> {
    let (was, is) = (before.node(a), after.node(b));
    let shape = if before.has_shape_of(a, after, b) {
        None
    } else {
        Some(reshaped(before.graph.shape(was), after.graph.shape(is)))
    };
    let named = |names: [&BTreeMap<u32, String>; 2], numbers: [Option<u32>; 2]| {
        let [was, is] = [0, 1].map(|side| numbers[side].and_then(|number| names[side].get(&number)));
        (was != is).then(|| NameChange { before: was.cloned(), after: is.cloned() })
    };
    let change = NodeChange {
        before: a,
        after: b,
        shape,
        set: is.flags & !was.flags,
        cleared: was.flags & !is.flags,
        place: named([before.graph.places(), after.graph.places()], [was.place, is.place]),
        group: named([before.graph.groups(), after.graph.groups()], [was.group, is.group]),
    };
    let flags = change.set | change.cleared;
    let any = change.shape.is_some() || flags != 0 || change.place.is_some() || change.group.is_some();
    any.then_some(change)
}

fn reshaped(was: Shape<'_>, is: Shape<'_>) -> Shaped {
    let (from, to) = (was.corners(), is.corners());
    let areas = [was.area().unwrap_or(0.0), is.area().unwrap_or(0.0)];
    if from.len() != to.len() {
        return Shaped::Reshaped { by: None, area: areas };
    }
    let by = |(a, b): (&Point, &Point)| [b.x - a.x, b.y - a.y, b.z - a.z];
    let radius = |shape| match shape {
        Shape::Point { radius, .. } => radius,
        Shape::Polygon(_) => None,
    };
    let radii = [radius(was), radius(is)];
    let [before, after] = radii.map(|radius| radius.map(f32::to_bits));
    match from.iter().zip(to).map(by).next() {
        Some(first) if first == [0.0; 3] && before != after => Shaped::Radius(radii),
        Some(first) if from.iter().zip(to).all(|(a, b)| moved_by(first, *a, *b)) => Shaped::Moved(first),
        _ => {
            let by = from.iter().zip(to).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            Shaped::Reshaped { by: Some(by), area: areas }
        }
    }
}

/// Whether a corner moved by this vector, up to the rounding of both.
fn moved_by(by: [f32; 3], from: Point, to: Point) -> bool {
    let (from, to) = (from.to_array(), to.to_array());
    (0..3).all(|axis| {
        let rounding = 4.0 * f32::EPSILON * from[axis].abs().max(to[axis].abs());
        (to[axis] - from[axis] - by[axis]).abs() <= rounding
    })
}

/// The number of nodes with another id and no other change.
pub(super) fn renumbered(
    before: &Side<'_>,
    after: &Side<'_>,
    matching: &Matching,
    changed: &[NodeChange],
) -> u32 {
    let other_id = |node: &FlatNode, other: &FlatNode| node.id != other.id;
    let pairs = matching.pairs().filter(|&(a, b)| other_id(before.node(a), after.node(b)));
    let unchanged = |a: u32| changed.binary_search_by_key(&a, |change| change.before).is_err();
    pairs.filter(|&(a, _)| unchanged(a)).count() as u32
}
