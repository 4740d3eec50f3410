//! Finds the nodes that names and points of a selector stand for.

use super::editor::NodeGraphEditor;
use super::values;
use super::world::Slot;
use crate::buf::NodeBuf;
use crate::flags::NodeKind;
use navmap_core::edit::{Atom, Refusal, nearest, number};

/// The names of selectors.
pub(super) const NAMES: [&str; 6] = ["ball", "box", "flag", "isolated", "kind", "zone"];

/// How far a point may be from the node it names, unless `~` is written.
const NEAR: f32 = 32.0;

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
        at_point(self.world.nodes().map(|(slot, node)| (slot, node.origin)), any, at)
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
                let kind = |name: &&str| {
                    let near = || nearest(name, NodeKind::NAMED.iter().map(|(name, _)| *name));
                    NodeKind::named(name)
                        .ok_or_else(|| Refusal::new(format!("no such kind of node: {name}")).or(near()))
                };
                let kinds = arguments.iter().map(kind).collect::<Result<Vec<_>, _>>()?;
                by(&|_, node| kinds.contains(&node.kind))
            }
            "zone" => {
                let zones = numbers(arguments)?;
                by(&|_, node| zones.contains(&f32::from(node.zone)))
            }
            "isolated" => by(&|slot, _| self.world.links_of(slot).is_empty()),
            _ => Err(Refusal::new(format!("no such selector: {name}")).or(nearest(name, NAMES))),
        }
    }
}

/// The nearest node, or the nearest of those within 32 units.
pub(super) fn at_point(
    nodes: impl Iterator<Item = (Slot, [f32; 3])>,
    any: bool,
    at: &[f32],
) -> Result<Vec<Slot>, Refusal> {
    let (point, tall) = match *at {
        [x, y] => ([x, y, 0.0], false),
        [x, y, z] => ([x, y, z], true),
        _ => return Err(Refusal::new("a point has two or three numbers")),
    };
    let nearest = nodes.map(|(slot, origin)| (slot, square(origin, point, tall).sqrt()));
    match nearest.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
        None => Err(Refusal::new("there is no node")),
        Some((slot, far)) if any || far <= NEAR => Ok(vec![slot]),
        Some((slot, far)) => {
            let why = format!("no node lies there: #{slot} is nearest, {far} away (~@ takes it)");
            Err(Refusal::new(why))
        }
    }
}

/// A part of the map.
pub(super) enum Room {
    Box([[f32; 2]; 3]),
    Ball([f32; 3], f32),
}

impl Room {
    /// `box(x0,y0,z0,x1,y1,z1)` and `ball(x,y,z,r)`; `None` for another name.
    pub(super) fn parse(name: &str, arguments: &[&str]) -> Result<Option<Self>, Refusal> {
        let wrong = |usage: &str| Refusal::new(format!("{usage} was expected"));
        match name.to_ascii_lowercase().as_str() {
            "box" => match numbers(arguments)?.as_slice() {
                [x0, y0, z0, x1, y1, z1] => {
                    let span = |a: f32, b: f32| [a.min(b), a.max(b)];
                    Ok(Some(Self::Box([span(*x0, *x1), span(*y0, *y1), span(*z0, *z1)])))
                }
                _ => Err(wrong("box(x0,y0,z0,x1,y1,z1)")),
            },
            "ball" => match numbers(arguments)?.as_slice() {
                [x, y, z, r] => Ok(Some(Self::Ball([*x, *y, *z], *r))),
                _ => Err(wrong("ball(x,y,z,r)")),
            },
            _ => Ok(None),
        }
    }

    pub(super) fn holds(&self, origin: [f32; 3]) -> bool {
        match self {
            Self::Box(spans) => {
                let mut axes = origin.into_iter().zip(spans);
                axes.all(|(value, [low, high])| *low <= value && value <= *high)
            }
            Self::Ball(middle, radius) => square(origin, *middle, true) < radius * radius,
        }
    }
}

fn numbers(arguments: &[&str]) -> Result<Vec<f32>, Refusal> {
    let each =
        |text: &&str| number(text).ok_or_else(|| Refusal::new(format!("{text} where a number was expected")));
    arguments.iter().map(each).collect()
}

/// The square of a distance, on the plan or in space.
fn square([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3], tall: bool) -> f32 {
    let [x, y, z] = [ax - bx, ay - by, if tall { az - bz } else { 0.0 }];
    x * x + y * y + z * z
}
