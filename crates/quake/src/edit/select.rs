//! The nodes that names and points of a selector select.

use super::editor::QuakeEditor;
use super::world::{Slot, Waypoint};
use navmap_core::edit::{Atom, Refusal, nearest, number};

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

    /// The node whose origin is nearest.
    pub(super) fn nearest(&self, at: [f32; 3]) -> Option<Slot> {
        let far = |node: &Waypoint| square(node.origin.to_array(), at, true);
        let all = self.world.nodes().map(|(slot, node)| (slot, far(node)));
        all.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(slot, _)| slot)
    }

    /// The nearest node, or the nearest of those whose radius holds the point.
    fn at_point(&self, nearest: bool, at: &[f32]) -> Result<Vec<Slot>, Refusal> {
        let (point, tall) = match *at {
            [x, y] => ([x, y, 0.0], false),
            [x, y, z] => ([x, y, z], true),
            _ => return Err(Refusal::new("a point has two or three numbers")),
        };
        let within = |node: &Waypoint| {
            let radius = f32::from(node.radius);
            nearest || square(node.origin.to_array(), point, tall) <= radius * radius
        };
        let near = self.world.nodes().filter(|(_, node)| within(node));
        let near = near.map(|(slot, node)| (slot, square(node.origin.to_array(), point, tall)));
        let found = near.min_by(|(_, a), (_, b)| a.total_cmp(b));
        found.map(|(slot, _)| vec![slot]).ok_or_else(|| match self.nearest(point) {
            Some(slot) => {
                let origin = self.world.node(slot).map_or([0.0; 3], |node| node.origin.to_array());
                let far = square(origin, point, tall).sqrt();
                Refusal::new(format!("no node reaches there: #{slot} is nearest, {far} away (~@ takes it)"))
            }
            None => Refusal::new("there is no node"),
        })
    }

    fn named(&self, name: &str, arguments: &[&str]) -> Result<Vec<Slot>, Refusal> {
        let wrong = |usage: &str| Refusal::new(format!("{usage} was expected"));
        let numbers = || -> Result<Vec<f32>, Refusal> {
            let each = |text: &&str| {
                number(text).ok_or_else(|| Refusal::new(format!("{text} where a number was expected")))
            };
            arguments.iter().map(each).collect()
        };
        let by = |keep: &dyn Fn(Slot, &Waypoint) -> bool| {
            Ok(self.world.nodes().filter(|(slot, node)| keep(*slot, node)).map(|(slot, _)| slot).collect())
        };
        match name.to_ascii_lowercase().as_str() {
            "box" => {
                let Ok([x0, y0, z0, x1, y1, z1]) = <[f32; 6]>::try_from(numbers()?) else {
                    return Err(wrong("box(x0,y0,z0,x1,y1,z1)"));
                };
                let spans = [[x0.min(x1), x0.max(x1)], [y0.min(y1), y0.max(y1)], [z0.min(z1), z0.max(z1)]];
                by(&|_, node| {
                    let mut axes = node.origin.to_array().into_iter().zip(spans);
                    axes.all(|(value, [low, high])| low <= value && value <= high)
                })
            }
            "ball" => {
                let Ok([x, y, z, r]) = <[f32; 4]>::try_from(numbers()?) else {
                    return Err(wrong("ball(x,y,z,r)"));
                };
                by(&|_, node| square(node.origin.to_array(), [x, y, z], true) < r * r)
            }
            "flag" => {
                let mut bits = 0_u16;
                for name in arguments {
                    let near = || nearest(name, self.terms().flag_names());
                    let bit = self.terms().flag(name);
                    bits |= bit.ok_or_else(|| Refusal::new(format!("no such flag: {name}")).or(near()))?;
                }
                by(&|_, node| node.flags & bits != 0)
            }
            "type" => {
                let mut kinds = Vec::new();
                for name in arguments {
                    let near = || nearest(name, self.terms().type_names());
                    let kind = self.terms().link_type(name);
                    kinds.push(kind.ok_or_else(|| Refusal::new(format!("no such type: {name}")).or(near()))?);
                }
                by(&|_, node| node.links.iter().any(|way| kinds.contains(&way.kind)))
            }
            "isolated" => by(&|slot, node| node.links.is_empty() && self.world.sources(slot).is_empty()),
            "deadends" => by(&|slot, node| node.links.is_empty() && !self.world.sources(slot).is_empty()),
            _ => Err(Refusal::new(format!("no such selector: {name}")).or(nearest(name, NAMES))),
        }
    }
}

/// The squared distance, in plan or in space.
fn square([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3], tall: bool) -> f32 {
    let [x, y, z] = [ax - bx, ay - by, if tall { az - bz } else { 0.0 }];
    x * x + y * y + z * z
}
