//! Node graphs as neutral graphs.

use super::flags::{Hull, LinkFlags, Moves, NodeInfo, NodeKind, NodeType};
use super::nod::NodNav;
use super::points::{Points, Tie};
use super::record::{NodLink, moves_of};
use super::respawn::RespawnNav;
use super::text::TextNav;
use super::view::AinNav;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{
    Axes, Axis, Link, LinkKind, Mark, MarkKind, MarkShape, NavGraph, Node, Passage, Rules, Shape, Visitor,
};
use std::borrow::Cow;

/// An inch, as in the meshes of the same games.
const METRES_PER_UNIT: f32 = navmap_core::graph::INCH as f32;

/// The nodes and links of an `.ain` file.
///
/// - Nodes are points where the map has them: on the floor, or up to some feet above it, as the heights of hulls show.
///   There are no polygons, portals or places.
/// - A link is stored once and visited twice, once from each end. Its kind is how the chosen hull passes it; links that the hull
///   cannot pass are left out. The default hull is that of people, and between two nodes in the air the first hull that can fly
///   there.
/// - Moves on the ground are walks, climbs are ladders, crawls are crouches, jumps are jumps. Flying and swimming are of kind
///   `Other`.
/// - A node's group is its zone, or in version 57 its cluster. Its flags are its bits; a bit of the high half is its kind.
/// - A link whose other end does not exist leads outside.
/// - Script nodes of version 57 are marks.
#[derive(Debug, Clone)]
pub struct AinGraph<'a> {
    points: Points<'a>,
    hull: Option<Hull>,
    /// Where the links of each node begin in `ties`.
    firsts: Vec<u32>,
    /// Numbers of links, node after node.
    ties: Vec<u32>,
}

impl<'a> AinGraph<'a> {
    /// The graph of version 37 or 41. Linear; takes 4 bytes a node and 8 a link.
    pub fn of_nav(nav: &AinNav<'a>) -> Self {
        Self::new(Points::Source(nav.parts))
    }
    /// The graph of a text.
    pub fn of_text(nav: &'a TextNav<'_>) -> Self {
        Self::new(Points::Source(nav.parts()))
    }
    /// The graph of version 57.
    pub fn of_respawn(nav: &RespawnNav<'a>) -> Self {
        Self::new(Points::Respawn(nav.body()))
    }

    /// The same graph for this hull alone.
    #[must_use]
    pub fn with_hull(self, hull: Hull) -> Self {
        self.for_hull(Some(hull))
    }

    /// The same graph for the hull that was asked for, if one was.
    pub(super) fn for_hull(mut self, hull: Option<Hull>) -> Self {
        self.hull = hull;
        self
    }

    pub(super) fn new(points: Points<'a>) -> Self {
        let nodes = points.nodes();
        let mut firsts = vec![0_u32; nodes.saturating_add(1)];
        let ends = |link: usize| points.link(link).map_or([None; 2], |tie| owners(tie.ends(nodes)));
        for link in 0..points.links() {
            for end in ends(link).into_iter().flatten() {
                let count = firsts.get_mut(end.saturating_add(1));
                count.into_iter().for_each(|count| *count = count.saturating_add(1));
            }
        }
        let mut sum = 0_u32;
        for first in &mut firsts {
            sum = sum.saturating_add(*first);
            *first = sum;
        }
        let mut next = firsts.clone();
        let mut ties = vec![0; sum as usize];
        for link in 0..points.links() {
            for end in ends(link).into_iter().flatten() {
                let Some(place) = next.get_mut(end) else { continue };
                if let Some(tie) = ties.get_mut(*place as usize) {
                    *tie = link as u32;
                }
                *place = place.saturating_add(1);
            }
        }
        Self { points, hull: None, firsts, ties }
    }

    /// The numbers of the links of a node.
    pub(super) fn ties_of(&self, node: usize) -> &[u32] {
        let range = self.firsts.get(node).zip(self.firsts.get(node.saturating_add(1)));
        range.and_then(|(from, to)| self.ties.get(*from as usize..*to as usize)).unwrap_or_default()
    }

    /// How the hull passes a link; `None` if it cannot.
    fn kind(&self, tie: &Tie<'_>, in_air: bool) -> Option<LinkKind> {
        match self.hull {
            Some(hull) => kind(moves_of(tie.moves, hull.index())),
            None => kind(moves_of(tie.moves, 0))
                .or_else(|| tie.moves.iter().find_map(|moves| kind(Moves(*moves))).filter(|_| in_air)),
        }
    }

    fn is_air(&self, node: Option<usize>) -> bool {
        node.and_then(|node| self.points.node(node)).is_some_and(|node| node.kind == NodeKind::AIR)
    }
}

/// The nodes from which a link is visited. A link from a node to itself is visited once.
fn owners([a, b]: [Option<usize>; 2]) -> [Option<usize>; 2] {
    [a, b.filter(|_| a != b)]
}

fn kind(moves: Moves) -> Option<LinkKind> {
    if moves.is_empty() {
        None
    } else if moves.contains(Moves::GROUND) {
        Some(LinkKind::Walk)
    } else if moves.contains(Moves::JUMP) {
        Some(LinkKind::Jump)
    } else if moves.contains(Moves::CLIMB) {
        Some(LinkKind::Ladder)
    } else if moves.contains(Moves::CRAWL) {
        Some(LinkKind::Crouch)
    } else {
        Some(LinkKind::Other)
    }
}

impl NavGraph for AinGraph<'_> {
    fn axes(&self) -> Axes {
        // As in the meshes of the same maps.
        Axes::z_up(METRES_PER_UNIT).with_north(Axis::MinusY)
    }

    fn node_word(&self) -> &'static str {
        "node"
    }

    fn group_word(&self) -> Option<&'static str> {
        Some(if self.points.is_source() { "zone" } else { "cluster" })
    }

    fn group(&self, group: u32) -> Option<Cow<'_, str>> {
        Some(format!("{} {group}", self.group_word()?).into())
    }

    /// The bits of a node, and its kind in the high half.
    fn flag(&self, bit: u32) -> Option<&'static str> {
        match bit.checked_sub(32) {
            None => NodeInfo(1_u32.checked_shl(bit)?).names().next().filter(|_| self.points.is_source()),
            Some(kind) => NodeKind(u8::try_from(kind).ok()?).name(),
        }
    }

    /// Nodes may stand some feet above the floor.
    fn rules(&self) -> Rules {
        Rules { above: 72.0, reach: 120.0, step: 18.0, ..Rules::of_axes(self.axes()) }
    }

    fn above_floor(&self, node: &Node<'_>) -> f32 {
        self.points.floor_below(node.index as usize).unwrap_or(0.0)
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        for index in 0..self.points.nodes() {
            let Some(node) = self.points.node(index) else { break };
            let at = node.origin.into();
            let shape = if V::WANTS.corners { Shape::Point { at, radius: None } } else { Shape::NONE };
            let kind = 1_u64.checked_shl(u32::from(node.kind.0).saturating_add(32)).unwrap_or(0);
            let handed = Node {
                index: index as u32,
                id: index as u64,
                shape,
                place: None,
                group: u32::try_from(node.group).ok(),
                flags: kind | u64::from(node.info),
            };
            if visitor.node(&handed).is_break() {
                return Ok(());
            }
            if V::WANTS.links {
                self.links(index, node.kind == NodeKind::AIR, visitor);
            }
        }
        if V::WANTS.marks
            && let Points::Respawn(body) = &self.points
        {
            for script in body.script_nodes {
                let shape = MarkShape::Point(script.origin().into());
                visitor.mark(&Mark { kind: MarkKind::Waypoint, node: None, shape });
            }
        }
        Ok(())
    }
}

impl AinGraph<'_> {
    fn links<V: Visitor>(&self, from: usize, in_air: bool, visitor: &mut V) {
        for number in self.ties_of(from) {
            let Some(tie) = self.points.link(*number as usize) else { continue };
            let [a, b] = tie.ends(self.points.nodes());
            let to = if a == Some(from) { b } else { a };
            let Some(kind) = self.kind(&tie, in_air && self.is_air(to)) else { continue };
            let number = Some(*number).filter(|_| V::WANTS.paths);
            visitor.link(&Link {
                from: from as u32,
                to: to.map(|to| to as u32),
                kind,
                gated: false,
                portal: None,
                path: None,
                passage: Passage { number, ..Passage::NONE },
            });
        }
    }
}

/// The nodes and links of a `.nod` file.
///
/// - Nodes are points: on the floor, in the air or in the water.
/// - Links lead one way. Links too narrow for the chosen hull are left out. The default hull is that of people, and between
///   nodes off the ground that of fliers. A link is a walk if both ends are on land, else of kind `Other`. It is gated if an
///   entity of the map is in the way. Its cost is its weight.
/// - A link whose target does not exist leads outside. One that belongs to no node is left out.
/// - If runs of links overlap, a visit ends with an error after as many links as the file has, so that it stays linear. No real
///   file is like that.
#[derive(Debug, Clone, Copy)]
pub struct NodGraph<'a> {
    nav: NodNav<'a>,
    hull: Option<Hull>,
}

impl<'a> NodGraph<'a> {
    /// The graph of a file. Costs nothing.
    pub fn new(nav: &NodNav<'a>) -> Self {
        Self { nav: *nav, hull: None }
    }

    /// The same graph for this hull alone.
    #[must_use]
    pub fn with_hull(self, hull: Hull) -> Self {
        self.for_hull(Some(hull))
    }

    /// The same graph for the hull that was asked for, if one was.
    pub(super) fn for_hull(mut self, hull: Option<Hull>) -> Self {
        self.hull = hull;
        self
    }

    fn fits(&self, link: &NodLink<'_>, off_ground: bool) -> bool {
        let hull = match self.hull {
            Some(hull) => LinkFlags(1_u32.checked_shl(hull.0.into()).unwrap_or(0)),
            None if off_ground => LinkFlags::HUMAN | LinkFlags::FLY,
            None => LinkFlags::HUMAN,
        };
        link.flags().any(hull)
    }
}

impl NavGraph for NodGraph<'_> {
    fn axes(&self) -> Axes {
        Axes::z_up(METRES_PER_UNIT)
    }

    fn node_word(&self) -> &'static str {
        "node"
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        NodeType(1_u32.checked_shl(bit)?).name()
    }

    fn rules(&self) -> Rules {
        Rules { above: 72.0, reach: 72.0, step: 18.0, ..Rules::of_axes(self.axes()) }
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        let (nodes, links) = (self.nav.nodes(), self.nav.links());
        let mut left = links.len();
        for (node, index) in nodes.into_iter().zip(0_u32..) {
            let at = node.origin().into();
            let shape = if V::WANTS.corners { Shape::Point { at, radius: None } } else { Shape::NONE };
            let flags = node.kind().0.into();
            let handed = Node { index, id: index.into(), shape, place: None, group: None, flags };
            if visitor.node(&handed).is_break() {
                return Ok(());
            }
            if !V::WANTS.links {
                continue;
            }
            for number in self.nav.run(&node).unwrap_or_default() {
                let Some(link) = links.get(number) else { break };
                left = left.checked_sub(1).ok_or_else(|| {
                    let why = "its links are those of other nodes as well";
                    let at = self.nav.node_offset(index as usize);
                    Error::invalid("links", why).at(at).in_record("node", index.into())
                })?;
                let to = usize::try_from(link.target()).ok().and_then(|to| Some((to, nodes.get(to)?)));
                let on_land = |node: &super::NodNode<'_>| node.kind() == NodeType::LAND;
                let (here, there) = (on_land(&node), to.is_none_or(|(_, node)| on_land(&node)));
                if !self.fits(&link, !here && !there) {
                    continue;
                }
                let cost = Some(link.weight()).filter(|weight| weight.is_finite() && *weight >= 0.0);
                let passage = Passage { cost, number: Some(number as u32), ..Passage::NONE };
                visitor.link(&Link {
                    from: index,
                    to: to.map(|(to, _)| to as u32),
                    kind: if here && there { LinkKind::Walk } else { LinkKind::Other },
                    gated: link.is_blocked(),
                    portal: None,
                    path: None,
                    passage: if V::WANTS.paths { passage } else { Passage::NONE },
                });
            }
        }
        Ok(())
    }
}
