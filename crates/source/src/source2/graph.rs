//! A Source 2 mesh as a neutral graph.

use super::area::PolygonArea;
use super::view::Source2Nav;
use crate::climb::{Climb, Climbs, Listed};
use crate::flags::Source2Attributes;
use crate::graph::{METRES_PER_UNIT, RULES, toll};
use crate::record::AreaId;
use navmap_core::error::Result;
use navmap_core::format::ids::Positions;
use navmap_core::graph::{
    Axes, Link, LinkKind, Mark, MarkKind, MarkShape, NavGraph, Node, Point, Rules, Shape, Visitor,
};
use std::borrow::Cow;

/// The highest step that needs no jump, in units.
const STEP: f32 = 18.0;

/// A Source 2 mesh as a graph: areas are nodes (their id is the area's), links over edges and ladders are links.
///
/// Opening it walks over the areas once and keeps 16 bytes for each (40 at most, if ids are not dense), to find areas by id and
/// to detect flat ground. If the file is damaged, the graph holds what comes before the damage, and
/// [`visit`](NavGraph::visit) ends with the error.
///
/// - Groups are hulls: the same floor appears once for every hull, so a picture should show only one.
/// - A link over an edge is a `walk` with the edge as its portal, or a `jump` or `drop` if the middles of the two edges
///   are more than 18 units (a step) apart in height. The file stores no kind; this one is derived.
/// - Ladders give `ladder` links and marks. Flags are the attributes. There are no places.
#[derive(Debug, Clone)]
pub struct Source2Graph<'n, 'a> {
    nav: &'n Source2Nav<'a>,
    /// Offset of every area, in file order.
    areas: Vec<u32>,
    /// Lowest and highest corner of each.
    heights: Vec<[f32; 2]>,
    positions: Positions,
    climbs: Climbs,
}

impl<'n, 'a> Source2Graph<'n, 'a> {
    /// Walks over the areas once.
    pub fn new(nav: &'n Source2Nav<'a>) -> Self {
        let mut walk = nav.areas();
        let room = walk.size_hint().1.unwrap_or(0);
        let (mut ids, mut areas) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let mut heights = Vec::with_capacity(room);
        for area in walk.by_ref().map_while(Result::ok) {
            ids.push(area.id().get());
            areas.push(area.offset());
            heights.push(lowest_and_highest(&area));
        }
        let climbs = walk
            .finish()
            .map_or_else(|_| Climbs::default(), |after| Climbs::new(after.all_ladders().map(Climb::new)));
        Self { nav, positions: Positions::new(ids.iter().copied()), areas, heights, climbs }
    }

    /// The mesh.
    pub fn nav(&self) -> &'n Source2Nav<'a> {
        self.nav
    }

    /// The node of the area with this id. If several areas have it, the first in the file.
    pub fn node_of(&self, id: AreaId) -> Option<u32> {
        self.positions.get(id.get())
    }

    fn links<V: Visitor>(&self, area: &PolygonArea<'a>, visitor: &mut V) {
        let from = area.index();
        for (links, side) in area.edges().zip(0usize..).filter(|(links, _)| !links.is_empty()) {
            let portal = area.edge(side).map(|ends| ends.map(Point::from));
            for stored in links {
                let mut link = Link::outside(from, LinkKind::Walk);
                link.to = self.node_of(stored.area());
                link.portal = portal.filter(|_| V::WANTS.portals);
                link.passage.side = u8::try_from(side).ok();
                let uneven = link.to.filter(|to| !self.level(portal, *to));
                if let Some(rise) = uneven.and_then(|to| self.rise(portal, to, stored.edge())) {
                    if rise > STEP {
                        link.kind = LinkKind::Jump;
                    } else if rise < -STEP {
                        link.kind = LinkKind::Drop;
                    }
                }
                visitor.link(&link);
            }
        }
        let ladders = [area.ladders_above(), area.ladders_below()];
        let node_of = |id| self.node_of(id);
        self.climbs.each(area.index(), ladders, node_of, V::WANTS.paths, &mut |link| visitor.link(link));
    }

    /// From where to where the ladders lead that areas list: pairs of nodes, sorted.
    pub(super) fn climbed(&self, listed: &[Listed]) -> Vec<(u32, u32)> {
        self.climbs.between(listed, |id| self.node_of(id))
    }

    /// How much higher the middle of an edge of a node is than the middle of this edge of an area. `None` if there is no
    /// such edge.
    pub(super) fn rise_over(
        &self,
        area: &PolygonArea<'_>,
        side: usize,
        (to, edge_there): (u32, u32),
    ) -> Option<f32> {
        self.rise(area.edge(side).map(|ends| ends.map(Point::from)), to, edge_there)
    }

    /// Whether every step from the middle of `portal` onto node `to` is low enough to walk.
    #[inline]
    fn level(&self, portal: Option<[Point; 2]>, to: u32) -> bool {
        // A little less than a step, so that rounding cannot contradict the heights at the middles.
        const SURELY: f32 = STEP - 0.01;
        portal.zip(self.heights.get(to as usize)).is_some_and(|([a, b], [low, high])| {
            let here = a.midway(b).z;
            high - here <= SURELY && here - low <= SURELY
        })
    }

    /// How much higher the middle of edge `side` of node `to` is than the middle of `portal`.
    fn rise(&self, portal: Option<[Point; 2]>, to: u32, side: u32) -> Option<f32> {
        let offset = self.areas.get(to as usize)?;
        let [c, d] = PolygonArea::edge_at(self.nav.layout(), *offset, side)?.map(Point::from);
        let [a, b] = portal?;
        Some(c.midway(d).z - a.midway(b).z)
    }
}

/// The lowest and the highest corner of an area.
fn lowest_and_highest(area: &PolygonArea<'_>) -> [f32; 2] {
    area.corners().fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], [.., z]| [low.min(z), high.max(z)])
}

impl NavGraph for Source2Graph<'_, '_> {
    fn axes(&self) -> Axes {
        Axes::z_up(METRES_PER_UNIT)
    }

    fn node_word(&self) -> &'static str {
        "area"
    }

    fn group_word(&self) -> Option<&'static str> {
        Some("hull")
    }

    fn group(&self, group: u32) -> Option<Cow<'_, str>> {
        Some(format!("hull {group}").into())
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        let bit = 1u64.checked_shl(bit)?;
        Source2Attributes::NAMED.iter().find(|(_, named)| named.bits() == bit).map(|(name, _)| *name)
    }

    fn rules(&self) -> Rules {
        RULES
    }

    fn toll(&self, node: &Node<'_>) -> f32 {
        toll(node.flags, Source2Attributes::CROUCH.bits(), Source2Attributes::JUMP.bits())
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        let mut walk = self.nav.areas();
        // One buffer for the whole visit.
        let mut corners: Vec<Point> = Vec::new();
        for area in walk.by_ref() {
            let area = area?;
            corners.clear();
            if V::WANTS.corners {
                corners.extend(area.corners().map(Point::from));
            }
            let node = Node {
                index: area.index(),
                id: area.id().get().into(),
                shape: Shape::Polygon(&corners),
                place: None,
                group: Some(area.hull().into()),
                flags: area.attributes().bits(),
            };
            if visitor.node(&node).is_break() {
                return Ok(());
            }
            if V::WANTS.links {
                self.links(&area, visitor);
            }
        }
        let after = walk.finish()?;
        if V::WANTS.marks {
            for ladder in after.all_ladders() {
                let shape = MarkShape::Segment(ladder.bottom().into(), ladder.top().into());
                visitor.mark(&Mark { kind: MarkKind::Ladder, node: None, shape });
            }
        }
        Ok(())
    }
}
