//! Waypoints as a neutral graph.

use super::flags::{Game, NodeFlags};
use super::iter::Waypoint;
use super::view::RcbotNav;
use navmap_core::error::Result;
use navmap_core::graph::{
    Axes, Axis, Link, LinkKind, Mark, MarkKind, MarkShape, NavGraph, Node, Passage, Rules, Shape, Visitor,
};

/// An inch, as in the meshes of the same maps.
const METRES_PER_UNIT: f32 = navmap_core::graph::INCH as f32;

/// How far above the floor waypoints are.
pub(super) const ABOVE: f32 = 32.0;

/// The graph of a file.
///
/// - Nodes are points, 32 units above the floor, with their radius where they have one. Deleted waypoints are none, and neither
///   are their links; the id of a node is its number in the list.
/// - A link is a ladder if both ends are on one, a jump or a rocket jump if its target asks for one, a drop if one falls there,
///   an elevator if it is on a lift, else a walk. If its target does not exist or was deleted, it leads outside.
/// - Places for snipers are marks.
#[derive(Debug, Clone)]
pub struct WaypointGraph<'a> {
    nav: RcbotNav<'a>,
    /// Of each waypoint, its place among those that are used, and its flags.
    ends: Vec<(Option<u32>, NodeFlags)>,
}

impl<'a> WaypointGraph<'a> {
    /// The graph of a file. Walks it once, and keeps 12 bytes a waypoint.
    pub fn new(nav: &RcbotNav<'a>) -> Self {
        let mut used = 0_u32;
        let ends = nav.waypoints().map(|waypoint| {
            let place = waypoint.is_used().then_some(used);
            used = used.saturating_add(waypoint.is_used().into());
            (place, waypoint.flags())
        });
        Self { nav: *nav, ends: ends.collect() }
    }

    fn links<V: Visitor>(&self, from: u32, waypoint: &Waypoint<'_>, first: u32, visitor: &mut V) {
        for (target, nth) in waypoint.targets().iter().zip(0..) {
            let end = usize::try_from(target.get()).ok().and_then(|to| self.ends.get(to)).copied();
            let (to, flags) = end.unwrap_or_default();
            let number = first.checked_add(nth).filter(|_| V::WANTS.paths);
            visitor.link(&Link {
                from,
                to,
                kind: kind(self.nav.game(), waypoint.flags(), flags),
                gated: flags.contains(NodeFlags::OPENS_LATER),
                portal: None,
                path: None,
                passage: Passage { number, ..Passage::NONE },
            });
        }
    }
}

/// What one has to do to pass a link.
pub(super) fn kind(game: Option<Game>, from: NodeFlags, to: NodeFlags) -> LinkKind {
    let shooter = game != Some(Game::DayOfDefeat);
    if NodeFlags(from.0 & to.0).contains(NodeFlags::LADDER) {
        LinkKind::Ladder
    } else if shooter && to.contains(NodeFlags::ROCKET_JUMP) {
        LinkKind::RocketJump
    } else if to.contains(NodeFlags::JUMP) || (shooter && to.contains(NodeFlags::DOUBLE_JUMP)) {
        LinkKind::Jump
    } else if to.contains(NodeFlags::FALL) {
        LinkKind::Drop
    } else if to.contains(NodeFlags::LIFT) {
        LinkKind::Elevator
    } else {
        LinkKind::Walk
    }
}

impl NavGraph for WaypointGraph<'_> {
    fn axes(&self) -> Axes {
        Axes::z_up(METRES_PER_UNIT).with_north(Axis::MinusY)
    }

    fn node_word(&self) -> &'static str {
        "waypoint"
    }

    fn group_word(&self) -> Option<&'static str> {
        Some("area")
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        Game::flag(self.nav.game(), NodeFlags(1_u32.checked_shl(bit)?))
    }

    /// Waypoints stand above the floor, which belongs to them.
    fn rules(&self) -> Rules {
        Rules { above: 72.0, reach: 72.0, step: 18.0, ..Rules::of_axes(self.axes()) }
    }

    fn above_floor(&self, _: &Node<'_>) -> f32 {
        ABOVE
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        let (mut index, mut first) = (0_u32, 0_u32);
        for waypoint in self.nav.waypoints() {
            let links = u32::try_from(waypoint.targets().len()).unwrap_or(u32::MAX);
            let before = first;
            first = first.saturating_add(links);
            if !waypoint.is_used() {
                continue;
            }
            let at = waypoint.origin().into();
            let shape =
                if V::WANTS.corners { Shape::Point { at, radius: waypoint.radius() } } else { Shape::NONE };
            let handed = Node {
                index,
                id: waypoint.number().into(),
                shape,
                place: None,
                group: waypoint.area().and_then(|area| u32::try_from(area).ok()).filter(|area| *area > 0),
                flags: waypoint.flags().0.into(),
            };
            if visitor.node(&handed).is_break() {
                return Ok(());
            }
            if V::WANTS.links {
                self.links(index, &waypoint, before, visitor);
            }
            if V::WANTS.marks && waypoint.flags().contains(NodeFlags::SNIPER) {
                let shape = MarkShape::Point(at);
                visitor.mark(&Mark { kind: MarkKind::SniperSpot, node: Some(index), shape });
            }
            index = index.saturating_add(1);
        }
        Ok(())
    }
}
