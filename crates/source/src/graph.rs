//! A mesh of GoldSrc or Source as a neutral graph.

use super::area::Area;
use super::climb::Climbs;
use super::flags::{
    Attributes, Direction, Extension, HidingSpotFlags, L4dAttributes, SpawnAttributes, TfAttributes,
};
use super::halves::{Gather, gather};
use super::record::{AreaId, Shape as Rectangle};
use super::view::{Place, SourceNav};
use navmap_core::error::Result;
use navmap_core::format::ids::Positions;
use navmap_core::graph::{
    Axes, Axis, Link, LinkKind, Mark, MarkKind, MarkShape, NavGraph, Node, Point, Rules, Shape, Surface,
    TacticsVisitor, Visitor,
};
use std::borrow::Cow;
use zerocopy::FromBytes;

/// The length of a unit: an inch, as in the physics of Source and of Source 2, so that a map has the same size in both. (Level
/// designers count 16 units to a foot, 0.01905 m, because rooms are built wider than people by that much.)
pub(super) const METRES_PER_UNIT: f32 = navmap_core::graph::INCH as f32;
/// The highest step without a jump, in units.
const STEP: f32 = 18.0;
/// The rules of the engine's own queries, except for the surface. Source: `GetNavArea` and `NavAreaBuildPath` of the
/// public SDK.
pub(super) const RULES: Rules = Rules {
    surface: Surface::Flat,
    above: 5.0,
    reach: 120.0,
    step: STEP,
    engine_cell: Some(300.0),
    least_growth: 0.00001,
};

/// The stock cost: 20 lengths more into an area where one crouches, 5 more into one where one jumps; both add up.
pub(super) fn toll(flags: u64, crouch: u64, jump: u64) -> f32 {
    let more = |bit: u64, toll: f32| if flags & bit != 0 { toll } else { 0.0 };
    1.0 + more(crouch, 20.0) + more(jump, 5.0)
}

/// A Source mesh as a graph: areas are nodes (their id is the area's), connections and ladders are links.
///
/// Opening it walks over the areas once and keeps 16 bytes for each (40 at most, if ids are not dense), to find areas by id and
/// to detect flat ground. If the file is damaged, the graph has the part before the damage, and [`visit`](NavGraph::visit) ends
/// with the error.
///
/// - A connection is a `walk`, or a `jump` or `drop` if the surfaces at the middle of the portal are more than 18 units (a step)
///   apart. The file stores no kind; this one is derived as in the engine.
/// - A ladder gives `ladder` links: up to the areas ahead, left and right at its top, and down to the one at its bottom, as in
///   the engine's own search. Areas list the ladders that lead up and down from them.
/// - Flags are the attributes; the high half holds those of Team Fortress 2, Left 4 Dead (spawn attributes) or
///   Insurgency.
/// - The only value of an area is its light, from version 11: the mean of its four corners.
/// - Marks are hiding spots, sniper spots (good or ideal), and ladders.
/// - X points east, Y south: north is -y.
#[derive(Debug, Clone)]
pub struct SourceGraph<'a> {
    nav: SourceNav<'a>,
    /// Offset of every area, in file order.
    areas: Vec<u32>,
    /// Lowest and highest corner of each.
    heights: Vec<[f32; 2]>,
    positions: Positions,
    places: Vec<Place<'a>>,
    climbs: Climbs,
    flags: [Option<&'static str>; 64],
}

/// Areas between one that is visited and one that is prefetched.
const AHEAD: usize = 8;

/// What a graph keeps of areas.
#[derive(Default)]
struct Found {
    ids: Vec<u32>,
    areas: Vec<u32>,
    heights: Vec<[f32; 2]>,
}

impl<'a> Gather<'a> for Found {
    #[inline]
    fn add(&mut self, area: &Area<'a>) {
        self.ids.push(area.id().get());
        self.areas.push(area.offset());
        self.heights.push(lowest_and_highest(area.shape()));
    }

    fn append(&mut self, later: Self) {
        self.ids.extend(later.ids);
        self.areas.extend(later.areas);
        self.heights.extend(later.heights);
    }
}

impl<'a> SourceGraph<'a> {
    /// Walks over the areas once.
    pub fn new(nav: &SourceNav<'a>) -> Self {
        let mut found = Found::default();
        let after = gather(nav.areas(), &mut found, Found::default);
        let Found { ids, areas, heights } = found;
        let climbs = after.map_or_else(|_| Climbs::default(), |after| Climbs::of(&after));
        let flags = flag_names(nav.extension());
        let (positions, places) = (Positions::new(ids.iter().copied()), nav.places().collect());
        Self { nav: *nav, positions, areas, heights, places, climbs, flags }
    }

    /// The mesh.
    pub fn nav(&self) -> &SourceNav<'a> {
        &self.nav
    }

    /// The node of the area with this id. If several areas have it, the first in the file.
    #[inline]
    pub fn node_of(&self, id: AreaId) -> Option<u32> {
        self.positions.get(id.get())
    }

    #[inline]
    fn rectangle(&self, node: u32) -> Option<&'a Rectangle> {
        let offset = self.areas.get(node as usize)?;
        let at = u64::from(*offset).checked_add(self.nav.layout().shape_at())?;
        let bytes = self.nav.bytes().get(usize::try_from(at).ok()?..)?;
        Rectangle::ref_from_prefix(bytes).ok().map(|(shape, _)| shape)
    }

    /// Whether every step from a side with these heights onto that area is low enough to walk.
    #[inline]
    fn level(&self, [low, high]: [f32; 2], to: u32) -> bool {
        // A little less than a step, so that rounding cannot contradict the heights at the portal.
        const SURELY: f32 = STEP - 0.01;
        // One branch for both, since each alone would be mispredicted.
        self.heights
            .get(to as usize)
            .is_some_and(|there| (there[1] - low <= SURELY) & (high - there[0] <= SURELY))
    }

    fn connections<V: Visitor>(&self, area: &Area<'a>, visitor: &mut V) {
        let shape = area.shape();
        let [nw, ne, se, sw] = shape.corners().map(|[.., z]| z);
        let [north, east, south, west] = if shape.is_degenerate() {
            [lowest_and_highest(shape); 4]
        } else {
            [low_and_high(nw, ne), low_and_high(ne, se), low_and_high(se, sw), low_and_high(sw, nw)]
        };
        let heights = [north, east, south, west];
        let from = area.index();
        for (direction, id) in area.all_connections() {
            let here = heights[direction as usize];
            let Some(to) = self.node_of(id) else {
                visitor.link(&Link::outside(from, LinkKind::Walk));
                continue;
            };
            let mut link = Link::new(from, to, LinkKind::Walk);
            link.passage.side = Some(direction as u8);
            if (V::WANTS.portals || !self.level(here, to))
                && let Some(target) = self.rectangle(to)
            {
                let crossing = Crossing::new(shape, target, direction);
                let rise = crossing.rise();
                if rise > STEP {
                    link.kind = LinkKind::Jump;
                } else if rise < -STEP {
                    link.kind = LinkKind::Drop;
                }
                if V::WANTS.portals {
                    link.portal = crossing.portal();
                }
            }
            visitor.link(&link);
        }
    }
}

impl NavGraph for SourceGraph<'_> {
    fn axes(&self) -> Axes {
        Axes::z_up(METRES_PER_UNIT).with_north(Axis::MinusY)
    }

    fn node_word(&self) -> &'static str {
        "area"
    }

    fn place(&self, place: u32) -> Option<Cow<'_, str>> {
        self.places.get((place as usize).checked_sub(1)?).map(Place::to_str)
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        self.flags.get(bit as usize).copied().flatten()
    }

    fn rules(&self) -> Rules {
        Rules { surface: Surface::Bilinear, ..RULES }
    }

    fn toll(&self, node: &Node<'_>) -> f32 {
        toll(node.flags, Attributes::CROUCH.bits().into(), Attributes::JUMP.bits().into())
    }

    fn value_name(&self, number: u32) -> Option<&'static str> {
        (number == 0 && self.nav.layout().has_light()).then_some("light")
    }

    fn value(&self, number: u32, node: &Node<'_>) -> Option<f32> {
        self.value_name(number)?;
        let at = u64::from(*self.areas.get(node.index as usize)?);
        let area = Area::measure(self.nav.layout(), self.nav.bytes(), at, node.index).ok()?;
        area.light().map(|corners| corners.iter().sum::<f32>() / 4.0)
    }

    fn known_nodes(&self) -> Option<usize> {
        Some(self.areas.len())
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        let mut walk = self.nav.areas();
        // So many areas ahead, what was prefetched has come when it is needed.
        let mut ahead = self.areas.get(AHEAD..).unwrap_or_default().iter();
        while let Some(area) = walk.next_head(ahead.next().copied()) {
            let area = area?;
            let corners = if V::WANTS.corners { area.corners().map(Point::from) } else { Default::default() };
            let game = area.tf_attributes().map(TfAttributes::bits);
            let game = game.or_else(|| area.spawn_attributes().map(SpawnAttributes::bits));
            let game = game.or_else(|| area.insurgency_attributes()).unwrap_or(0);
            let node = Node {
                index: area.index(),
                id: area.id().get().into(),
                shape: if V::WANTS.corners { Shape::Polygon(&corners) } else { Shape::NONE },
                place: area.place().map(|place| place.get().into()),
                group: None,
                flags: u64::from(area.attributes().bits()) | u64::from(game) << 32,
            };
            if visitor.node(&node).is_break() {
                return Ok(());
            }
            if V::WANTS.links {
                self.connections(&area, visitor);
                let node_of = |id| self.node_of(id);
                let ladders = [area.ladders_up(), area.ladders_down()];
                self.climbs
                    .each(area.index(), ladders, node_of, V::WANTS.paths, &mut |link| visitor.link(link));
            }
            if V::WANTS.marks {
                spots(&area, visitor);
            }
        }
        let after = walk.finish()?;
        if V::WANTS.marks {
            let ends = after.ladders().iter().map(|ladder| [ladder.bottom(), ladder.top()]);
            let old = after.old_ladders().iter().map(|ladder| [ladder.bottom(), ladder.top()]);
            for [bottom, top] in ends.chain(old) {
                let shape = MarkShape::Segment(bottom.into(), top.into());
                visitor.mark(&Mark { kind: MarkKind::Ladder, node: None, shape });
            }
        }
        Ok(())
    }

    fn visit_tactics(&self, visitor: &mut dyn TacticsVisitor) -> Result<()> {
        for area in self.nav.areas() {
            super::tactics::tell(&area?, |id| self.node_of(id), visitor);
        }
        Ok(())
    }
}

/// How much higher the adjacent area is, at the middle of the shared part of the side.
pub(super) fn rise(from: &Rectangle, to: &Rectangle, direction: Direction) -> f32 {
    Crossing::new(from, to, direction).rise()
}

/// A side of one area and the adjacent area.
struct Crossing<'a> {
    from: &'a Rectangle,
    to: &'a Rectangle,
    /// Whether the side runs along x.
    along_x: bool,
    /// The coordinate that is the same along the whole side.
    side: f32,
    /// Where the side begins and ends.
    ends: [f32; 2],
    /// The shared part of the side. Its ends are swapped if nothing is shared.
    shared: [f32; 2],
}

impl<'a> Crossing<'a> {
    #[inline(always)]
    fn new(from: &'a Rectangle, to: &'a Rectangle, direction: Direction) -> Self {
        let along_x = matches!(direction, Direction::North | Direction::South);
        let axis = |point: [f32; 3]| if along_x { point[0] } else { point[1] };
        let ([a0, a1], [b0, b1]) =
            ([from.north_west(), from.south_east()], [to.north_west(), to.south_east()]);
        // Looked up, since a branch on the direction would be mispredicted for every other link.
        let side = [a0[1], a1[0], a1[1], a0[0]][direction as usize];
        let ends = [axis(a0), axis(a1)];
        let shared = [ends[0].max(axis(b0)), ends[1].min(axis(b1))];
        Self { from, to, along_x, side, ends, shared }
    }

    #[inline(always)]
    fn at(&self, along: f32) -> [f32; 2] {
        if self.along_x { [along, self.side] } else { [self.side, along] }
    }

    /// How much higher the adjacent area is, at the middle of the shared part. `docs/formats/source.md`, section 12.1.
    #[inline(always)]
    fn rise(&self) -> f32 {
        let [low, high] = self.shared;
        let [x, y] = self.at(f32::midpoint(low, high).max(self.ends[0]).min(self.ends[1]));
        self.to.height_at(x, y) - self.from.height_at(x, y)
    }

    /// The shared part, at the height of the source area; `None` if nothing is shared.
    fn portal(&self) -> Option<[Point; 2]> {
        let [low, high] = self.shared;
        let on_side = |along: f32| {
            let [x, y] = self.at(along);
            Point::new(x, y, self.from.height_at(x, y))
        };
        (low < high).then(|| [on_side(low), on_side(high)])
    }
}

/// Lowest and highest corner.
fn lowest_and_highest(shape: &Rectangle) -> [f32; 2] {
    let [nw, ne, se, sw] = shape.corners().map(|[.., z]| z);
    let ([low, high], [lower, higher]) = (low_and_high(nw, ne), low_and_high(se, sw));
    [low_and_high(low, lower)[0], low_and_high(high, higher)[1]]
}

/// Both in order. NaN may be lost here, which is harmless: a connection with such a height is a walk anyway.
#[inline(always)]
fn low_and_high(a: f32, b: f32) -> [f32; 2] {
    [if a < b { a } else { b }, if a > b { a } else { b }]
}

fn spots(area: &Area<'_>, visitor: &mut impl Visitor) {
    let sniper = HidingSpotFlags::GOOD_SNIPER_SPOT.bits() | HidingSpotFlags::IDEAL_SNIPER_SPOT.bits();
    let node = Some(area.index());
    for spot in area.hiding_spots() {
        let kind =
            if spot.flags().bits() & sniper != 0 { MarkKind::SniperSpot } else { MarkKind::HidingSpot };
        visitor.mark(&Mark { kind, node, shape: MarkShape::Point(spot.position().into()) });
    }
    for spot in area.old_hiding_spots() {
        let shape = MarkShape::Point(spot.to_array().into());
        visitor.mark(&Mark { kind: MarkKind::HidingSpot, node, shape });
    }
}

fn flag_names(extension: Extension) -> [Option<&'static str>; 64] {
    let mut names = [None; 64];
    let mut add = |name: &'static str, bits: u32, shift: u32| {
        if let Some(slot) = names.get_mut(bits.trailing_zeros().saturating_add(shift) as usize) {
            *slot = Some(name);
        }
    };
    match extension {
        Extension::LeftForDead => {
            L4dAttributes::NAMED.iter().for_each(|(name, bit)| add(name, bit.bits(), 0));
            SpawnAttributes::NAMED.iter().for_each(|(name, bit)| add(name, bit.bits(), 32));
        }
        Extension::TeamFortress => {
            Attributes::NAMED.iter().for_each(|(name, bit)| add(name, bit.bits(), 0));
            TfAttributes::NAMED.iter().for_each(|(name, bit)| add(name, bit.bits(), 32));
        }
        _ => Attributes::NAMED.iter().for_each(|(name, bit)| add(name, bit.bits(), 0)),
    }
    names
}
