//! A Quake graph as a neutral graph.

use super::flags::{LinkType, NodeFlags};
use super::view::QuakeNav;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::graph::{
    Axes, Link, LinkKind, Mark, MarkKind, MarkShape, NavGraph, Node, Passage, Point, Rules, Shape, Visitor,
};

/// A unit is about an inch.
const METRES_PER_UNIT: f32 = navmap_core::graph::INCH as f32;

/// The graph itself: nodes are waypoints with their radius, links are links.
///
/// - A traversal gives a link its path, from take-off to landing. There are no portals and no places.
/// - A link bound to an entity by an edict is gated; the entity's box is a mark.
/// - A link without an existing target leads outside.
/// - If link ranges overlap, a visit ends with an error after as many links as the file has, so that it stays linear. No real
///   file is like that.
impl NavGraph for QuakeNav<'_> {
    fn axes(&self) -> Axes {
        Axes::z_up(METRES_PER_UNIT)
    }

    fn node_word(&self) -> &'static str {
        "node"
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        let bits = 1u16.checked_shl(bit)?;
        NodeFlags::new(self.version().magic, bits).names().next()
    }

    fn rules(&self) -> Rules {
        rules(self.axes())
    }

    fn toll(&self, _node: &Node<'_>) -> f32 {
        toll(self.heuristic())
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        let mut budget = self.links().len();
        let gates = !self.edicts().is_empty();
        for ((node, origin), index) in self.nodes().iter().zip(self.origins()).zip(0u32..) {
            let shape = if V::WANTS.corners {
                Shape::Point { at: origin.to_array().into(), radius: Some(node.radius().into()) }
            } else {
                Shape::NONE
            };
            let flags = node.flags().into();
            let handed = Node { index, id: index.into(), shape, place: None, group: None, flags };
            if visitor.node(&handed).is_break() {
                return Ok(());
            }
            if !V::WANTS.links {
                continue;
            }
            let range =
                || (u64::from(node.first_link()), u64::from(node.end_link()), self.links().len() as u64);
            let in_node = |error: Error| error.in_record("node", index.into());
            let Some(links) = self.links_of(index as usize) else {
                let (_, end, len) = range();
                return Err(in_node(Error::new(ErrorKind::OutOfRange {
                    what: "end of links",
                    index: end,
                    len,
                })));
            };
            budget = budget.checked_sub(links.len()).ok_or_else(|| {
                let (first, end, _) = range();
                in_node(Error::invalid("links", format!("{first}..{end} belong to another node already")))
            })?;
            for (link, at) in links.iter().zip(usize::from(node.first_link())..) {
                let target = u32::from(link.target());
                let kind = kind(self.link_type(link));
                let path = link.traversal().filter(|_| V::WANTS.paths).and_then(|traversal| {
                    let traversal = self.traversals().get(traversal.into())?;
                    Some([Point::from(traversal.start()), Point::from(traversal.end())])
                });
                visitor.link(&Link {
                    from: index,
                    to: Some(target).filter(|to| (*to as usize) < self.nodes().len()),
                    kind,
                    gated: gates && self.edicts().of_link(at).is_some(),
                    portal: None,
                    path,
                    passage: passage(kind, u32::try_from(at).ok()),
                });
            }
        }
        if V::WANTS.marks {
            for edict in self.edicts().iter() {
                let bounds = edict.bounds();
                let shape = MarkShape::Box(bounds.mins().into(), bounds.maxs().into());
                visitor.mark(&Mark { kind: MarkKind::Entity, node: None, shape });
            }
        }
        Ok(())
    }
}

/// Like the binary form. Links stand inside their nodes here, so none can overlap.
impl NavGraph for super::NavJson<'_> {
    fn axes(&self) -> Axes {
        Axes::z_up(METRES_PER_UNIT)
    }

    fn node_word(&self) -> &'static str {
        "node"
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        let bits = 1u16.checked_shl(bit)?;
        NodeFlags::new(self.binary_version().magic, bits).names().next()
    }

    fn rules(&self) -> Rules {
        rules(self.axes())
    }

    fn toll(&self, _node: &Node<'_>) -> f32 {
        toll(self.heuristic())
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        let mut number = 0u32;
        for (node, index) in self.nodes().iter().zip(0u32..) {
            let shape = if V::WANTS.corners {
                Shape::Point { at: node.origin().into(), radius: Some(node.radius().into()) }
            } else {
                Shape::NONE
            };
            let flags = node.flags().into();
            let handed = Node { index, id: index.into(), shape, place: None, group: None, flags };
            if visitor.node(&handed).is_break() {
                return Ok(());
            }
            if !V::WANTS.links {
                continue;
            }
            for link in self.links_of(index as usize).unwrap_or_default() {
                let path = link.traversal().filter(|_| V::WANTS.paths).and_then(|traversal| {
                    let traversal = self.traversals().get(traversal)?;
                    Some([Point::from(traversal.start()), Point::from(traversal.end())])
                });
                let [stored, _] = link.kind().to_le_bytes();
                let kind = kind(LinkType::new(self.binary_version().magic, stored));
                visitor.link(&Link {
                    from: index,
                    to: link.target().and_then(|to| u32::try_from(to).ok()),
                    kind,
                    gated: link.edict().is_some(),
                    portal: None,
                    path,
                    passage: passage(kind, Some(number)),
                });
                number = number.saturating_add(1);
            }
        }
        if V::WANTS.marks {
            for edict in self.edicts() {
                let shape = MarkShape::Box(edict.bounds().mins().into(), edict.bounds().maxs().into());
                visitor.mark(&Mark { kind: MarkKind::Entity, node: None, shape });
            }
        }
        Ok(())
    }
}

/// A player's step height, and the distance within which an open-source port looks for ground below a monster. Units.
fn rules(axes: Axes) -> Rules {
    Rules { above: 64.0, reach: 64.0, step: 18.0, ..Rules::of_axes(axes) }
}

/// The factor on a link's length: the file's heuristic. Older files have none.
fn toll(heuristic: Option<f32>) -> f32 {
    heuristic.filter(|value| value.is_finite() && *value > 0.0).unwrap_or(1.0)
}

/// The cost of a teleporter is 1 for any distance.
fn passage(kind: LinkKind, number: Option<u32>) -> Passage {
    let one = (kind == LinkKind::Teleport).then_some(1.0);
    Passage { length: one, cost: one, number, ..Passage::NONE }
}

fn kind(link: LinkType) -> LinkKind {
    match link {
        LinkType::Walk => LinkKind::Walk,
        LinkType::Crouch => LinkKind::Crouch,
        LinkType::LongJump
        | LinkType::ManualLongJump
        | LinkType::BarrierJump
        | LinkType::ManualBarrierJump
        | LinkType::PivotAndJump => LinkKind::Jump,
        LinkType::WalkOffLedge => LinkKind::Drop,
        LinkType::Teleport => LinkKind::Teleport,
        LinkType::Pusher => LinkKind::Push,
        LinkType::Elevator => LinkKind::Elevator,
        LinkType::Train => LinkKind::Train,
        LinkType::Ladder => LinkKind::Ladder,
        LinkType::RocketJump => LinkKind::RocketJump,
        LinkType::Unknown(_) => LinkKind::Other,
    }
}
