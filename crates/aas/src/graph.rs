//! Areas as a neutral graph.

use super::flags::{AreaFlags, Presence, TravelKind};
use super::iter::{Floors, Scratch};
use super::record::{Area, Reachability, Settings};
use super::view::AasNav;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{
    Axes, Link, LinkKind, NavGraph, Node, Passage, PlaneTree, Point, Rules, Shape, Side, Visitor,
};
use std::borrow::Cow;

/// A tree with more levels is none of a game's, and tells no areas, so that no point takes long. Real files have 387 at most.
const DEEPEST: u32 = 4_096;

/// An inch.
const METRES_PER_UNIT: f32 = navmap_core::graph::INCH as f32;

/// Hundredths of a second per unit of distance: walking, crouching, swimming.
const WALKING: f32 = 0.33;
const CROUCHING: f32 = 1.3;
const SWIMMING: f32 = 1.0;

/// The areas that a player can be in or pass through, and the reachabilities between them.
///
/// - A node is an area that is grounded, in a liquid, has a ladder, or is at an end of a reachability. The other two thirds of a
///   file's areas are air and are left out, unless [`AasGraph::of_all`] asks for them. Its id is the file's.
/// - Its polygon is its floor, counter-clockwise from above: its ground face or, if the file was stripped of these, a floor
///   rebuilt from the tree ([`Floors`]). For several floors it is the outline around them if that is hardly larger than they are,
///   else the largest floor. An area without a floor (water, ladders, air) has the rectangle of its box at the box's lowest
///   height. All heights are those of a player's origin, 24 above the floor.
/// - A link is a reachability: its path runs from start to end, its number is the file's. Its cost is in hundredths of a second:
///   the travel time, plus the time from the middle of the area to the start and from the end to the middle of the next area.
///   (The engine counts from the end of one reachability straight to the start of the next.)
/// - Its word is that of the format: `barrier jump`, `jump` and `water jump` are all jumps.
/// - Reachabilities of kind 1 (deleted) are left out, and so are those into an area that is [disabled](AreaFlags::DISABLED), which
///   no bot enters. A reachability without an existing target leads outside.
/// - A node's group is its cluster. Portals between clusters have no group.
/// - If runs of reachabilities overlap, a visit ends with an error after as many links as the file has reachabilities, so that it
///   stays linear. No real file is like that.
#[derive(Debug)]
pub struct AasGraph<'a> {
    nav: AasNav<'a>,
    /// For each 64 areas: a bit for each that is a node, and the number of nodes before them.
    taken: Vec<(u64, u32)>,
}

impl<'a> AasGraph<'a> {
    /// The areas listed above. Looks at each area and each reachability once.
    pub fn new(nav: AasNav<'a>) -> Self {
        let areas = nav.areas().len();
        let mut words = vec![0_u64; areas.div_ceil(64)];
        let mut take = |area: usize| {
            if let Some(word) = words.get_mut(area / 64).filter(|_| area > 0 && area < areas) {
                *word |= 1 << (area % 64);
            }
        };
        let useful = AreaFlags::GROUNDED | AreaFlags::LADDER | AreaFlags::LIQUID;
        for (of, area) in nav.settings().iter().zip(0..) {
            if of.flags().any(useful) || of.links() > 0 {
                take(area);
            }
        }
        let links = nav.reachabilities().iter().skip(1);
        links.filter_map(|link| usize::try_from(link.area()).ok()).for_each(&mut take);
        Self::ranked(nav, words)
    }

    /// All areas, air included.
    pub fn of_all(nav: AasNav<'a>) -> Self {
        let areas = nav.areas().len();
        let mut words = vec![u64::MAX; areas.div_ceil(64)];
        if let Some(last) = words.last_mut().filter(|_| !areas.is_multiple_of(64)) {
            *last = !(u64::MAX << (areas % 64));
        }
        if let Some(first) = words.first_mut() {
            *first &= !1;
        }
        Self::ranked(nav, words)
    }

    fn ranked(nav: AasNav<'a>, words: Vec<u64>) -> Self {
        let mut sum = 0_u32;
        let rank = |word: u64| {
            let before = sum;
            sum = sum.saturating_add(word.count_ones());
            (word, before)
        };
        Self { nav, taken: words.into_iter().map(rank).collect() }
    }

    /// The node of an area.
    pub fn node_of(&self, area: usize) -> Option<u32> {
        let (word, before) = self.taken.get(area / 64)?;
        let bit = area % 64;
        let lower = word & !(u64::MAX << bit);
        (word >> bit & 1 != 0).then(|| before.saturating_add(lower.count_ones()))
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.taken.last().map_or(0, |(word, before)| before.saturating_add(word.count_ones()) as usize)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers of the areas that are nodes, in order.
    pub fn areas(&self) -> impl Iterator<Item = usize> + '_ {
        let areas = 0..self.nav.areas().len();
        areas.filter(|area| self.taken.get(area / 64).is_some_and(|(word, _)| word >> (area % 64) & 1 != 0))
    }
}

impl NavGraph for AasGraph<'_> {
    fn axes(&self) -> Axes {
        Axes::z_up(METRES_PER_UNIT)
    }

    fn node_word(&self) -> &'static str {
        "area"
    }

    fn group_word(&self) -> Option<&'static str> {
        Some("cluster")
    }

    fn group(&self, cluster: u32) -> Option<Cow<'_, str>> {
        Some(format!("cluster {cluster}").into())
    }

    /// Area flags, with the contents as the high half.
    fn flag(&self, bit: u32) -> Option<&'static str> {
        match bit.checked_sub(32) {
            None => self.nav.meaning().flag(bit),
            Some(bit) => self.nav.meaning().content(bit),
        }
    }

    /// Areas lie at the height of a player's origin, so the floor below belongs to them.
    fn rules(&self) -> Rules {
        Rules { above: 32.0, reach: 64.0, step: 18.0, ..Rules::of_axes(self.axes()) }
    }

    fn above_floor(&self, _: &Node<'_>) -> f32 {
        self.nav.above_floor()
    }

    /// The file's own tree, without what only divides air and solid. A damaged part of it holds nothing.
    fn plane_tree(&self) -> PlaneTree {
        let (nodes, planes) = (self.nav.nodes(), self.nav.planes());
        let mut tree = PlaneTree::default();
        // What each node became, and how deep it is.
        let mut known = vec![(Side::NOTHING, 0_u32); nodes.len()];
        // Children have larger numbers than their parents.
        for (at, node) in nodes.iter().enumerate().skip(1).rev() {
            let side = |child: i32| match usize::try_from(child) {
                Ok(child) if child > at => known.get(child).copied().unwrap_or_default(),
                Ok(_) => (Side::NOTHING, 0),
                Err(_) => (self.node_of(child.unsigned_abs() as usize).map_or(Side::NOTHING, Side::node), 0),
            };
            let plane = usize::try_from(node.plane()).ok().and_then(|plane| planes.get(plane));
            let [(front, a), (back, b)] = [node.front(), node.back()].map(side);
            let depth = a.max(b).saturating_add(1);
            if depth > DEEPEST {
                return PlaneTree::default();
            }
            let made = match plane {
                None => tree.cut([0.0; 3], 0.0, Side::NOTHING, Side::NOTHING),
                Some(plane) => tree.cut(plane.normal(), plane.distance(), front, back),
            };
            if let Some(known) = known.get_mut(at) {
                *known = (made, depth);
            }
        }
        tree
    }

    fn link_name(&self, link: &Link) -> Option<&'static str> {
        let number = usize::try_from(link.passage.number?).ok()?;
        let name = self.nav.reachabilities().get(number)?.kind().name();
        Some(name).filter(|name| *name != TravelKind::UNKNOWN)
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        let floors = V::WANTS.corners.then(|| Floors::new(self.nav));
        let mut left = self.nav.reachabilities().len();
        let mut corners = Vec::new();
        let mut scratch = floors.as_ref().map(Floors::scratch);
        for (area, index) in self.areas().zip(0_u32..) {
            let Some((of, settings)) = self.nav.areas().get(area).zip(self.nav.settings().get(area)) else {
                continue;
            };
            if let Some((floors, scratch)) = floors.as_ref().zip(scratch.as_mut()) {
                shape(floors, area, of, scratch, &mut corners);
            }
            let shape = if floors.is_some() { Shape::Polygon(&corners) } else { Shape::NONE };
            let group = u32::try_from(settings.cluster()).ok().filter(|cluster| *cluster > 0);
            let node = Node { index, id: area as u64, shape, place: None, group, flags: flags(settings) };
            if visitor.node(&node).is_break() {
                return Ok(());
            }
            if V::WANTS.links {
                let (first, links) = self.nav.links_of(area);
                left = left.checked_sub(links.len()).ok_or_else(|| {
                    let why = format!("{} from {first} belong to another area already", links.len());
                    let at = self.nav.offset("settings", area);
                    Error::invalid("reachabilities", why).at(at).in_record("area", area as u64)
                })?;
                for (link, number) in links.iter().zip(first..) {
                    if link.kind() != TravelKind::INVALID && !self.is_disabled(link) {
                        visitor.link(&self.link((index, of, settings), link, number, V::WANTS.paths));
                    }
                }
            }
        }
        Ok(())
    }
}

impl AasGraph<'_> {
    /// Whether a reachability leads into an area that routes leave out.
    fn is_disabled(&self, link: &Reachability) -> bool {
        let of = usize::try_from(link.area()).ok().and_then(|area| self.nav.settings().get(area));
        of.is_some_and(|of| of.flags().contains(AreaFlags::DISABLED))
    }

    fn link(&self, from: (u32, &Area, &Settings), link: &Reachability, number: usize, whole: bool) -> Link {
        let (from, of, settings) = from;
        let target = usize::try_from(link.area()).ok().filter(|area| *area > 0);
        let to = target.and_then(|area| self.node_of(area));
        let kind = kind(link.kind());
        let mut bare = Link { to, ..Link::outside(from, kind) };
        if whole {
            let next = target.and_then(|area| self.nav.areas().get(area).zip(self.nav.settings().get(area)));
            let start = aside(of, link.start()) * pace(settings);
            let end = next.map_or(0.0, |(area, settings)| aside(area, link.end()) * pace(settings));
            bare.path = Some([Point::from(link.start()), Point::from(link.end())]);
            bare.passage = Passage {
                length: (kind == LinkKind::Teleport).then_some(1.0),
                cost: Some((f32::from(link.time()) + start + end).max(1.0)),
                number: u32::try_from(number).ok(),
                ..Passage::NONE
            };
        }
        bare
    }
}

/// The floor of an area, or the rectangle of its box.
fn shape<'a>(
    floors: &Floors<'a>,
    area: usize,
    of: &Area,
    scratch: &mut Scratch<'a>,
    corners: &mut Vec<Point>,
) {
    corners.clear();
    #[allow(clippy::cast_possible_truncation)] // what was computed from 32-bit floats
    let take = &mut |floor: &[[f64; 3]]| {
        corners.extend(floor.iter().map(|corner| Point::from(corner.map(|value| value as f32))));
    };
    if !floors.outline(area, scratch, take) {
        let ([x0, y0, z], [x1, y1, _]) = (of.mins(), of.maxs());
        corners.extend([[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(|[x, y]| Point::new(x, y, z)));
    }
}

/// The distance from a point to the middle of an area, seen from above.
fn aside(of: &Area, [x, y, _]: [f32; 3]) -> f32 {
    let [cx, cy, _] = of.center();
    (cx - x).hypot(cy - y)
}

/// Hundredths of a second per unit of distance.
fn pace(of: &Settings) -> f32 {
    if of.flags().contains(AreaFlags::LIQUID) {
        SWIMMING
    } else if of.presence().contains(Presence::NORMAL) {
        WALKING
    } else {
        CROUCHING
    }
}

fn flags(of: &Settings) -> u64 {
    u64::from(of.flags().0) | u64::from(of.contents().0) << 32
}

fn kind(travel: TravelKind) -> LinkKind {
    match travel.0 {
        2 | 8 => LinkKind::Walk,
        3 => LinkKind::Crouch,
        4 | 5 | 9 | 15..=17 => LinkKind::Jump,
        6 => LinkKind::Ladder,
        7 => LinkKind::Drop,
        10 => LinkKind::Teleport,
        11 => LinkKind::Elevator,
        12 | 13 => LinkKind::RocketJump,
        18 => LinkKind::Push,
        19 => LinkKind::Train,
        _ => LinkKind::Other,
    }
}
