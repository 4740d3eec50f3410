//! The row of a step of a way.

use super::mesh::Asked;
use super::rows::{Cell, Column, home, id};
use navmap::graph::Point;
use navmap::query::Area;

/// The keys of a step. The names are a contract.
pub(super) const STEPS: [Column; 11] = [
    ("id", 8, false),
    ("index", 7, false),
    ("how", 11, true),
    ("cost", 10, false),
    ("x", 10, false),
    ("y", 10, false),
    ("z", 10, false),
    ("gated", 5, true),
    ("place", 16, true),
    ("group", 20, true),
    ("space", 1, true),
];

/// A step of a way.
pub(super) struct Stop {
    pub(super) area: Area,
    pub(super) how: &'static str,
    pub(super) cost: f32,
    pub(super) at: Point,
    pub(super) gated: bool,
}

/// The row of a step.
pub(super) fn cells(asked: &Asked, stop: &Stop) -> [Cell; STEPS.len()] {
    let (index, at) = (&asked.index, stop.at);
    let [group, space] = home(asked, Some(stop.area));
    [
        id(asked, Some(stop.area)),
        index.node(stop.area).map(u64::from).into(),
        Cell::Text(stop.how.to_owned()),
        Cell::Float(stop.cost),
        Cell::Float(at.x),
        Cell::Float(at.y),
        Cell::Float(at.z),
        Cell::Bool(stop.gated),
        index.place(stop.area).into(),
        group,
        space,
    ]
}
