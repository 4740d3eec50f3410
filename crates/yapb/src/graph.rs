//! Waypoints as a neutral graph.

use super::flags::NodeFlags;
use super::iter::Nodes;
use super::record::Node;
use navmap_core::error::Result;
use navmap_core::graph::{
    Axes, Link, LinkKind, Mark, MarkKind, MarkShape, NavGraph, Node as GraphNode, Passage, Rules, Shape,
    Visitor,
};

/// An inch, as in the meshes of the same game.
const METRES_PER_UNIT: f32 = navmap_core::graph::INCH as f32;

/// The graph of either form of file.
///
/// - Nodes are points, with their radius if it is positive. They lie at a player's origin, 36 units above the floor, 18 if
///   crouched.
/// - A link is a jump if it says so, else a ladder if both ends are on one, else an elevator if either end is on a lift, else a
///   walk. Its cost is that of the bot's own search, which uses the stored distance if it is positive.
/// - Places to camp are marks: sniper spots or hiding spots. There are no polygons, portals or places.
/// - If its target does not exist, a link leads outside.
#[derive(Debug, Clone, Copy)]
pub struct WaypointGraph<'a>(pub Nodes<'a>);

impl NavGraph for WaypointGraph<'_> {
    fn axes(&self) -> Axes {
        Axes::z_up(METRES_PER_UNIT)
    }

    fn node_word(&self) -> &'static str {
        "node"
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        NodeFlags(1u32.checked_shl(bit)?).names().next()
    }

    /// Nodes stand at the height of a player's origin, so the floor below belongs to them.
    fn rules(&self) -> Rules {
        Rules { above: 72.0, reach: 72.0, step: 18.0, ..Rules::of_axes(self.axes()) }
    }

    /// The bot's search makes paths into crouching and ladder nodes half as long again.
    fn toll(&self, node: &GraphNode<'_>) -> f32 {
        toll(NodeFlags(u32::try_from(node.flags).unwrap_or_default()))
    }

    /// The origin of a player lies 36 units above the floor, 18 if he crouches.
    fn above_floor(&self, node: &GraphNode<'_>) -> f32 {
        let flags = NodeFlags(u32::try_from(node.flags).unwrap_or_default());
        above(flags)
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        for (node, index) in self.0.iter().zip(0u32..) {
            let node = node.as_ref();
            let at = node.origin().into();
            let shape =
                if V::WANTS.corners { Shape::Point { at, radius: node.radius() } } else { Shape::NONE };
            let flags = node.flags();
            let handed =
                GraphNode { index, id: index.into(), shape, place: None, group: None, flags: flags.0.into() };
            if visitor.node(&handed).is_break() {
                return Ok(());
            }
            if V::WANTS.links {
                self.links(node, index, visitor);
            }
            if V::WANTS.marks && flags.any(NodeFlags::CAMP | NodeFlags::SNIPER) {
                let sniper = flags.contains(NodeFlags::SNIPER);
                let kind = if sniper { MarkKind::SniperSpot } else { MarkKind::HidingSpot };
                visitor.mark(&Mark { kind, node: Some(index), shape: MarkShape::Point(at) });
            }
        }
        Ok(())
    }
}

impl WaypointGraph<'_> {
    fn links<V: Visitor>(&self, node: &Node, index: u32, visitor: &mut V) {
        let placed = is_placed(node);
        for (slot, link) in node.links() {
            let target = usize::try_from(link.target()).ok().and_then(|to| Some((to, self.end(to)?)));
            let (to_flags, to_placed) = target.map_or((NodeFlags(0), true), |(_, end)| end);
            let kind = kind(link.is_jump(), node.flags(), to_flags);
            let number = index.checked_mul(8).and_then(|first| first.checked_add(slot as u32));
            let stored = stored(link.distance());
            // One real node has no position. Between such nodes only the stored distance is known.
            let length = stored.filter(|_| !(placed && to_placed));
            let cost = stored.map(|distance| distance * toll(to_flags));
            let passage = Passage { length, cost, number, ..Passage::NONE };
            visitor.link(&Link {
                from: index,
                to: target.and_then(|(to, _)| u32::try_from(to).ok()),
                kind,
                gated: false,
                portal: None,
                path: None,
                passage: if V::WANTS.paths { passage } else { Passage::NONE },
            });
        }
    }

    /// The flags of a node, and whether it has a position.
    fn end(&self, node: usize) -> Option<(NodeFlags, bool)> {
        let end = |node: &Node| (node.flags(), is_placed(node));
        match self.0 {
            Nodes::Graph(list) => list.get(node).map(end),
            other => other.get(node).map(|node| end(&node)),
        }
    }
}

/// How far above the floor the origin of a player is: 36 units, 18 if he crouches.
pub(super) fn above(flags: NodeFlags) -> f32 {
    if flags.contains(NodeFlags::CROUCH) { 18.0 } else { 36.0 }
}

fn is_placed(node: &Node) -> bool {
    node.origin().iter().all(|value| value.is_finite())
}

/// The stored distance, which the bot's search uses; `None` if it is not positive.
fn stored(distance: i32) -> Option<f32> {
    #[allow(clippy::cast_precision_loss)] // lengths on a map
    Some(distance).filter(|distance| *distance > 0).map(|distance| distance as f32)
}

/// The factor by which the bot lengthens a path into such a node.
fn toll(target: NodeFlags) -> f32 {
    if target.any(NodeFlags::CROUCH | NodeFlags::LADDER) { 1.5 } else { 1.0 }
}

/// What one has to do to pass a link.
pub(super) fn kind(jumps: bool, from: NodeFlags, to: NodeFlags) -> LinkKind {
    let both = NodeFlags(from.0 & to.0);
    if jumps {
        LinkKind::Jump
    } else if both.contains(NodeFlags::LADDER) {
        LinkKind::Ladder
    } else if (from | to).contains(NodeFlags::LIFT) {
        LinkKind::Elevator
    } else {
        LinkKind::Walk
    }
}
