//! Finds the nodes that names and points of a selector stand for.

use super::editor::NodeGraphEditor;
use super::values;
use super::world::Slot;
use crate::buf::NodeBuf;
use crate::flags::NodeKind;
use navmap_core::edit::points::{Room, at_point, named, numbers};
use navmap_core::edit::{Atom, Refusal, nearest};

/// Selectors as they are typed, and what they select.
pub(super) const SELECTORS: &[(&str, &str)] = &[
    ("ball(x,y,z,r)", "nodes within a radius"),
    ("box(x0,y0,z0,x1,y1,z1)", "nodes in a box between two corners"),
    ("kind(ground)", "nodes of a kind"),
    ("flag(Name)", "nodes with a flag"),
    ("zone(3)", "nodes of a zone"),
    ("isolated", "nodes without any link"),
];

/// The names of selectors.
pub(super) const NAMES: [&str; 6] = ["ball", "box", "flag", "isolated", "kind", "zone"];

/// How far a point may be from the node it names, unless `~` is written.
pub(super) const NEAR: f32 = 32.0;

impl NodeGraphEditor {
    /// The nodes of an atom.
    pub(super) fn atom(&self, atom: &Atom<'_>) -> Result<Vec<Slot>, Refusal> {
        match atom {
            Atom::Id { space, id } => Err(Refusal::new(format!("there is no {space}#{id}"))),
            Atom::Point { space: "", nearest, at } => self.at_point(*nearest, at),
            Atom::Point { space, .. } => Err(Refusal::new(format!("{space}@ where @ was expected"))),
            Atom::Name { name, arguments } => self.named(name, arguments),
        }
    }

    fn at_point(&self, any: bool, at: &[f32]) -> Result<Vec<Slot>, Refusal> {
        at_point(self.world.nodes().map(|(slot, node)| (slot, node.origin, NEAR)), any, at)
    }

    fn named(&self, name: &str, arguments: &[&str]) -> Result<Vec<Slot>, Refusal> {
        let by = |keep: &dyn Fn(Slot, &NodeBuf) -> bool| {
            Ok(self.world.nodes().filter(|(slot, node)| keep(*slot, node)).map(|(slot, _)| slot).collect())
        };
        if let Some(room) = Room::parse(name, arguments)? {
            return by(&|_, node| room.holds(node.origin));
        }
        match name.to_ascii_lowercase().as_str() {
            "flag" => {
                let bits = values::bits(arguments.iter().copied())?;
                by(&|_, node| node.info & bits != 0)
            }
            "kind" => {
                let kind = |name: &&str| named(name, "kind of node", NodeKind::NAMED);
                let kinds = arguments.iter().map(kind).collect::<Result<Vec<_>, _>>()?;
                by(&|_, node| kinds.contains(&node.kind))
            }
            "zone" => {
                let zones = numbers(arguments)?;
                by(&|_, node| zones.contains(&f32::from(node.zone)))
            }
            "isolated" => by(&|slot, _| self.world.links_of(slot).is_empty()),
            _ => Err(Refusal::unknown("selector", name).or(nearest(name, NAMES))),
        }
    }
}
