//! The nodes that names and points of a selector select.

use super::editor::QuakeEditor;
use super::world::{Slot, Waypoint};
use navmap_core::edit::points::{Room, at_point};
use navmap_core::edit::{Atom, Refusal, nearest};

/// Selectors as they are typed, and what they select.
pub(super) const SELECTORS: &[(&str, &str)] = &[
    ("ball(x,y,z,r)", "nodes within a radius"),
    ("box(x0,y0,z0,x1,y1,z1)", "nodes in a box between two corners"),
    ("flag(Water)", "nodes with a flag"),
    ("type(LongJump)", "nodes with a link of a type"),
    ("isolated", "nodes without any link"),
    ("deadends", "nodes that can be reached and that no link leaves"),
];

/// The names of selectors.
pub(super) const NAMES: [&str; 6] = ["ball", "box", "deadends", "flag", "isolated", "type"];

impl QuakeEditor {
    /// The nodes that an atom selects.
    pub(super) fn atom(&self, atom: &Atom<'_>) -> Result<Vec<Slot>, Refusal> {
        match atom {
            Atom::Id { space, id } => Err(Refusal::new(format!("there is no {space}#{id}"))),
            Atom::Point { space: "", nearest, at } => self.at_point(*nearest, at),
            Atom::Point { space, .. } => Err(Refusal::new(format!("{space}@ where @ was expected"))),
            Atom::Name { name, arguments } => self.named(name, arguments),
        }
    }

    /// The nearest node, or the nearest of those whose radius holds the point.
    fn at_point(&self, nearest: bool, at: &[f32]) -> Result<Vec<Slot>, Refusal> {
        let nodes = self.world.nodes();
        at_point(nodes.map(|(slot, node)| (slot, node.origin.to_array(), node.radius.into())), nearest, at)
    }

    fn named(&self, name: &str, arguments: &[&str]) -> Result<Vec<Slot>, Refusal> {
        let by = |keep: &dyn Fn(Slot, &Waypoint) -> bool| {
            Ok(self.world.nodes().filter(|(slot, node)| keep(*slot, node)).map(|(slot, _)| slot).collect())
        };
        if let Some(room) = Room::parse(name, arguments)? {
            return by(&|_, node| room.holds(node.origin.to_array()));
        }
        match name.to_ascii_lowercase().as_str() {
            "flag" => {
                let mut bits = 0_u16;
                for name in arguments {
                    let terms = self.terms();
                    let why = || Refusal::unknown("flag", name);
                    bits |= terms.flag(name).ok_or_else(|| why().among(name, terms.flag_names()))?;
                }
                by(&|_, node| node.flags & bits != 0)
            }
            "type" => {
                let mut kinds = Vec::new();
                for name in arguments {
                    let terms = self.terms();
                    let why = || Refusal::unknown("type", name);
                    kinds.push(terms.link_type(name).ok_or_else(|| why().among(name, terms.type_names()))?);
                }
                by(&|_, node| node.links.iter().any(|way| kinds.contains(&way.kind)))
            }
            "isolated" => by(&|slot, node| node.links.is_empty() && self.world.sources(slot).is_empty()),
            "deadends" => by(&|slot, node| node.links.is_empty() && !self.world.sources(slot).is_empty()),
            _ => Err(Refusal::unknown("selector", name).or(nearest(name, NAMES))),
        }
    }
}
