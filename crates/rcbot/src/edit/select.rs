//! The waypoints that names and points of a selector mean.

use super::editor::{RcbotEditor, Slot};
use super::values;
use crate::buf::WaypointBuf;
use navmap_core::edit::points::{Room, at_point, numbers};
use navmap_core::edit::{Atom, Refusal, nearest};

/// Selectors as they are typed, and what they select.
pub(super) const SELECTORS: &[(&str, &str)] = &[
    ("ball(x,y,z,r)", "waypoints within a radius"),
    ("box(x0,y0,z0,x1,y1,z1)", "waypoints in a box between two corners"),
    ("flag(jump)", "waypoints with a flag"),
    ("area(3)", "waypoints of an area"),
    ("isolated", "waypoints without any link"),
];

/// The names of selectors.
pub(super) const NAMES: [&str; 5] = ["area", "ball", "box", "flag", "isolated"];

/// How far a point may be from a waypoint without a larger radius that is meant without `~`.
const NEAR: f32 = 32.0;

impl RcbotEditor {
    /// The waypoints of an atom.
    pub(super) fn atom(&self, atom: &Atom<'_>) -> Result<Vec<Slot>, Refusal> {
        match atom {
            Atom::Id { space, id } => Err(Refusal::new(format!("there is no {space}#{id}"))),
            Atom::Point { space: "", nearest, at } => {
                let points = self.points().map(|(slot, point)| (slot, point.origin, point.radius.max(NEAR)));
                at_point(points, *nearest, at)
            }
            Atom::Point { space, .. } => Err(Refusal::new(format!("{space}@ where @ was expected"))),
            Atom::Name { name, arguments } => self.named(name, arguments),
        }
    }

    fn named(&self, name: &str, arguments: &[&str]) -> Result<Vec<Slot>, Refusal> {
        let by = |keep: &dyn Fn(Slot, &WaypointBuf) -> bool| {
            Ok(self.points().filter(|(slot, point)| keep(*slot, point)).map(|(slot, _)| slot).collect())
        };
        if let Some(room) = Room::parse(name, arguments)? {
            return by(&|_, point| room.holds(point.origin));
        }
        match name.to_ascii_lowercase().as_str() {
            "flag" => {
                let bits = values::flags(&arguments.join(","), self.game)?;
                by(&|_, point| point.flags.0 & bits.0 != 0)
            }
            "area" => {
                let areas = numbers(arguments)?;
                by(&|_, point| areas.contains(&(point.area as f32)))
            }
            "isolated" => {
                let linked = self.linked();
                by(&|slot, point| point.targets.is_empty() && !linked.contains(&slot))
            }
            _ => Err(Refusal::new(format!("no such selector: {name}")).or(nearest(name, NAMES))),
        }
    }
}
