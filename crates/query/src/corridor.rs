//! A way that is followed over many ticks.

use super::area::Area;
use super::corner::{Corner, Corners};
use super::flags::CornerFlags;
use super::ground::{Vec3, flat_closest};
use super::index::{NavIndex, Way};
use super::misuse::Misuse;
use super::scratch::PathScratch;
use super::slide::{Onward, Slid, Slide};
use super::straighten::{Course, ends_of, filling};
use navmap_core::graph::Point;
use std::collections::VecDeque;

/// The number of steps for which a new corridor has memory.
const RESERVED: usize = 64;
/// How many steps ahead a move is looked for.
const AHEAD: usize = 64;

/// A way that is followed over many ticks: what is left of it, where one is on it, and where it leads.
///
/// It is made from a way that was found ([`follow`](Self::follow)). Each tick the agent moves as it likes, tells where it is
/// ([`advance`](Self::advance)), and asks for the next [`corners`](Self::corners), which take a string through the areas that are
/// left. Nothing is searched for that, and nothing allocated. [`take_leg`](Self::take_leg) goes over a ladder or a jump.
///
/// It holds 32 bytes a step, and begins with memory for 64 steps; it grows only when a way is longer than any before. It is
/// for the index that it was last used with, and every other refuses it with [`Misuse::OtherIndex`], until it is brought over
/// ([`remap`](Self::remap)).
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// # use navmap::query::{Policy, World};
/// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
/// # let index = world.index();
/// use navmap::query::{Corner, CornerFlags, Corridor, PathScratch, Query};
///
/// let [from, to] = ["CTSpawn", "BombsiteB"].map(|place| index.in_place(place).next().expect("a place of this name"));
/// let [mut at, goal] = [from, to].map(|area| index.center(area).expect("an area of the mesh"));
/// let (mut scratch, mut corridor) = (PathScratch::new(index), Corridor::new(index));
/// scratch.path(index, from, to, &Query::default())?;
/// corridor.follow(index, &scratch, at, goal)?;
///
/// let (mut corners, mut ticks) = ([Corner::default(); 3], 0);
/// while !corridor.is_at_goal(1.0) {
///     corridor.corners(index, &mut corners)?;
///     if corners[0].is(CornerFlags::LEG) && corridor.position().distance(corners[0].point) < 1.0 {
///         corridor.take_leg(index)?;          // the agent climbs or jumps meanwhile
///         at = corridor.position();
///     }
///     let far = at.distance(corners[0].point).max(1e-3);
///     let step = |a: f32, b: f32| a + (b - a) * (4.5 / far).min(1.0);
///     let next = corners[0].point;
///     at = corridor.advance(index, [step(at.x, next.x), step(at.y, next.y), step(at.z, next.z)].into())?.point;
///     ticks += 1;
///     assert!(ticks < 10_000);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Corridor {
    /// The index it belongs to.
    pub(super) stamp: u64,
    pub(super) steps: VecDeque<Step>,
    /// On the first area and on the last one. In the axes of the file, so that they stay true in another index.
    pub(super) at: Point,
    pub(super) goal: Point,
    /// Whether the goal is the point that was asked for.
    pub(super) reaches: bool,
}

/// An area of the way, and what tells it in another index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) area: u32,
    /// The link from the area before. Of the first step it says nothing.
    pub(super) link: u32,
    pub(super) id: u64,
    pub(super) center: Point,
}

/// A part of a way that is not walked: a ladder, a jump, a teleporter, a connection of Detour.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Leg {
    /// The link.
    pub way: Way,
    /// The point of the mesh from which one gets on.
    pub mount: Point,
    /// Its own first point: an end of the ladder, the take-off.
    pub begins: Point,
    /// Its own last point: the other end of the ladder, the landing.
    pub ends: Point,
    /// The point of the mesh on which one gets off.
    pub dismount: Point,
}

impl Course for VecDeque<Step> {
    fn links(&self) -> usize {
        self.len().saturating_sub(1)
    }

    fn area(&self, at: usize) -> usize {
        self[at].area as usize
    }

    fn link(&self, at: usize) -> usize {
        self[at + 1].link as usize
    }
}

impl Corridor {
    /// An empty corridor of an index, with memory for 64 steps.
    pub fn new(index: &NavIndex) -> Self {
        Self::with_capacity(index, RESERVED)
    }

    /// The same with memory for another number of steps. A way never has more steps than the index has areas.
    pub fn with_capacity(index: &NavIndex, steps: usize) -> Self {
        Self {
            stamp: index.stamp,
            steps: VecDeque::with_capacity(steps.min(index.len())),
            at: Point::default(),
            goal: Point::default(),
            reaches: false,
        }
    }

    /// Takes over the latest way that a scratch found, from `start` to `goal`. If these are not on its first and its last area,
    /// the corridor begins and ends at their nearest points. Fits itself to the index.
    ///
    /// # Errors
    /// If the way was found in another index, if there is none, or if a point is not finite. The corridor is then as before.
    pub fn follow(
        &mut self,
        index: &NavIndex,
        way: &PathScratch,
        start: Point,
        goal: Point,
    ) -> Result<(), Misuse> {
        if !way.fits(index) {
            return Err(Misuse::OtherIndex);
        }
        if !(start.is_finite() && goal.is_finite()) {
            return Err(Misuse::NotFinite);
        }
        let packed = way.packed();
        if packed.is_empty() {
            return Err(Misuse::NothingToFollow);
        }
        self.stamp = index.stamp;
        self.steps.clear();
        self.steps.extend(packed.iter().map(|step| Step::new(index, (step >> 32) as usize, *step as u32)));
        self.place(index, start, goal);
        Ok(())
    }

    /// Stands in an area and goes nowhere. Fits itself to the index.
    ///
    /// # Errors
    /// If the area does not exist or the point is not finite. The corridor is then as before.
    pub fn stand(&mut self, index: &NavIndex, area: Area, at: Point) -> Result<(), Misuse> {
        let slot = index.slot(area).ok_or(Misuse::NoSuchArea(area))?;
        if !at.is_finite() {
            return Err(Misuse::NotFinite);
        }
        self.stamp = index.stamp;
        self.steps.clear();
        self.steps.push_back(Step::new(index, slot, u32::MAX));
        self.place(index, at, at);
        Ok(())
    }

    /// Puts both ends on the ground of their areas.
    pub(super) fn place(&mut self, index: &NavIndex, start: Point, goal: Point) {
        let [Some(first), Some(last)] = [self.steps.front(), self.steps.back()] else { return };
        let on =
            |step: &Step, p: Point| flat_closest(&index.parts.geometry, step.area as usize, index.plan(p));
        let [at, to] = [on(first, start), on(last, goal)];
        // Of areas that are nowhere nothing is on the ground.
        let sane =
            |p: Vec3, asked: Point| if p.iter().all(|v| v.is_finite()) { index.unplan(p) } else { asked };
        let wanted = index.plan(goal);
        self.reaches = to[0] == wanted[0] && to[1] == wanted[1];
        (self.at, self.goal) = (sane(at, start), sane(to, goal));
    }

    /// Whether it belongs to an index.
    pub fn fits(&self, index: &NavIndex) -> bool {
        self.stamp == index.stamp
    }

    /// Where it begins: where the agent is, on the ground.
    pub fn position(&self) -> Point {
        self.at
    }

    /// Where it ends, on the ground.
    pub fn goal(&self) -> Point {
        self.goal
    }

    /// Whether its goal is the point that was asked for, as seen from above, and not only the nearest one to it.
    pub fn reaches_goal(&self) -> bool {
        self.reaches
    }

    /// Whether it is at its goal: in the last area, and within this distance.
    pub fn is_at_goal(&self, within: f32) -> bool {
        self.steps.len() == 1 && self.at.distance(self.goal) <= within
    }

    /// The area that it begins in. `None` while it is empty.
    pub fn area(&self) -> Option<Area> {
        self.steps.front().map(|step| Area::new(step.area))
    }

    /// The area that it ends in.
    pub fn goal_area(&self) -> Option<Area> {
        self.steps.back().map(|step| Area::new(step.area))
    }

    /// The areas that are left, from the one that it begins in.
    pub fn areas(&self) -> impl ExactSizeIterator<Item = Area> + Clone + '_ {
        self.steps.iter().map(|step| Area::new(step.area))
    }

    /// The number of areas that are left.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it leads nowhere, not even to where one stands.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Writes the next corners, as many as fit to `out`, and returns their number. Where the agent stands is none of them; the last one that exists is
    /// the goal ([`CornerFlags::END`]). They are those of [`PathScratch::corners`], counted from the area that the corridor
    /// begins in. A corridor at its goal has one corner: that.
    ///
    /// # Errors
    /// If the corridor belongs to another index.
    pub fn corners(&self, index: &NavIndex, out: &mut [Corner]) -> Result<usize, Misuse> {
        self.each_corner(index, out.len(), filling(out))
    }

    /// Calls `each` with the next [`corners`](Self::corners) in their order, `most` of them at most, and returns their number. For
    /// callers who keep corners in a form of their own.
    ///
    /// # Errors
    /// If the corridor belongs to another index.
    pub fn each_corner(
        &self,
        index: &NavIndex,
        most: usize,
        mut each: impl FnMut(Corner),
    ) -> Result<usize, Misuse> {
        self.check(index)?;
        if self.is_empty() || most == 0 {
            return Ok(0);
        }
        let mut each = |mut corner: Corner| {
            if corner.is(CornerFlags::END) && !self.reaches {
                corner.flags.0 |= CornerFlags::NEAREST.0;
            }
            each(corner);
        };
        let ends = [index.plan(self.at), index.plan(self.goal)];
        Ok(Corners { index, course: &self.steps, each: &mut each, most, whole: false }.find(ends))
    }

    /// Moves the beginning along the surface towards a point, where the agent is now: a [`slide`](NavIndex::slide). Areas that
    /// have been left are dropped, and those that were entered off the way are put in front. Links on foot that lead only one
    /// way are walls here, unless they are on the way, since the corridor could not lead back. Where areas of the way hold the point,
    /// the corridor stays on them, and goes on to the last of them. A gap that the way leads over on foot has no ground: who is at
    /// its edge and goes on is put on the other side.
    ///
    /// If the result has not arrived, the agent is beside the mesh, or it went farther than a slide does: compare the points, and
    /// [`repair`](Self::repair).
    ///
    /// # Errors
    /// If the corridor belongs to another index or is empty, or the point is not finite.
    pub fn advance(&mut self, index: &NavIndex, to: Point) -> Result<Slide, Misuse> {
        let steps = self.check_end(index, to)?;
        let first = *steps.front().ok_or(Misuse::NothingToFollow)?;
        let ends = [index.plan(self.at), index.plan(to)];
        let onward = |at| Onward { from: steps.area(at), link: steps.link(at), enters: steps.area(at + 1) };
        let mut slid = index.slid_along(first.area as usize, ends, (0..steps.links()).map(onward));
        if !slid.arrived && !index.step_over(&mut slid, ends) {
            index.spread(&mut slid, ends, |from, _, there| {
                let on_way = |step: &Step| step.area as usize == there;
                back(index, there, from).is_some() || steps.iter().take(AHEAD).any(on_way)
            });
        }
        // The area farthest along the way that was crossed, and the farthest of those crossed that is on the way.
        let mut common = None;
        slid.backward(|area, _| {
            let on_way = |step: &Step| step.area as usize == area;
            common = self.steps.iter().take(AHEAD).rposition_of(on_way).map(|at| (at, area));
            common.is_none()
        });
        if let Some((at, area)) = common {
            self.steps.drain(..at);
            self.lead_back(index, &slid, area);
        }
        self.at = index.unplan(slid.point);
        Ok(slide(index, &slid))
    }

    /// Puts in front what was crossed behind the area that the corridor begins in.
    fn lead_back(&mut self, index: &NavIndex, slid: &Slid, common: usize) {
        let (mut added, mut off) = ([0u32; super::slide::NODES], 0);
        slid.backward(|area, _| {
            if area == common {
                return false;
            }
            added[off] = area as u32;
            off += 1;
            true
        });
        // The one next to the way comes first.
        for &area in added[..off].iter().rev() {
            let Some(first) = self.steps.front_mut() else { return };
            let Some(link) = back(index, area as usize, first.area as usize) else { return };
            first.link = link as u32;
            self.steps.push_front(Step::new(index, area as usize, u32::MAX));
        }
    }

    /// Moves the goal along the surface towards a point, such as somebody who is followed. If the result has not arrived, the goal
    /// is the nearest point to it on the surface: ask for a new way.
    ///
    /// # Errors
    /// If the corridor belongs to another index or is empty, or the point is not finite.
    pub fn move_goal(&mut self, index: &NavIndex, to: Point) -> Result<Slide, Misuse> {
        let steps = self.check_end(index, to)?;
        let last = *steps.back().ok_or(Misuse::NothingToFollow)?;
        let ends = [index.plan(self.goal), index.plan(to)];
        // The way backwards, as far as one can walk that.
        let before = (0..steps.links()).rev();
        let before = before.take_while(|&at| back(index, steps.area(at + 1), steps.area(at)).is_some());
        let before =
            before.map(|at| Onward { from: steps.area(at), link: steps.link(at), enters: steps.area(at) });
        let mut slid = index.slid_along(last.area as usize, ends, before);
        if !slid.arrived {
            index.spread(&mut slid, ends, |_, _, _| true);
        }
        let mut common = None;
        let len = self.steps.len();
        slid.backward(|area, _| {
            let on_way = |step: &Step| step.area as usize == area;
            common = self.steps.iter().rev().take(AHEAD).rposition_of(on_way).map(|at| (len - 1 - at, area));
            common.is_none()
        });
        if let Some((at, area)) = common {
            self.steps.truncate(at + 1);
            let (mut added, mut off) = ([(0u32, 0u32); super::slide::NODES], 0);
            slid.backward(|crossed, link| {
                if crossed == area {
                    return false;
                }
                added[off] = (crossed as u32, link);
                off += 1;
                true
            });
            for &(area, link) in added[..off].iter().rev() {
                self.steps.push_back(Step::new(index, area as usize, link));
            }
        }
        self.goal = index.unplan(slid.point);
        self.reaches = slid.arrived;
        Ok(slide(index, &slid))
    }

    /// The leg that begins at the next corner, if one does.
    ///
    /// # Errors
    /// If the corridor belongs to another index.
    pub fn next_leg(&self, index: &NavIndex) -> Result<Option<Leg>, Misuse> {
        Ok(self.find_leg(index)?.map(|(leg, _)| leg))
    }

    /// Goes over the leg that begins at the next corner: the corridor then begins at its dismount. How the agent gets there is
    /// the caller's. `None`, and nothing changes, if no leg begins there.
    ///
    /// # Errors
    /// If the corridor belongs to another index.
    pub fn take_leg(&mut self, index: &NavIndex) -> Result<Option<Leg>, Misuse> {
        let Some((leg, at)) = self.find_leg(index)? else { return Ok(None) };
        self.steps.drain(..=at);
        self.at = leg.dismount;
        Ok(Some(leg))
    }

    /// The leg, and the number of the step that it leaves.
    fn find_leg(&self, index: &NavIndex) -> Result<Option<(Leg, usize)>, Misuse> {
        let mut next = [Corner::default()];
        let count = self.corners(index, &mut next)?;
        let [Corner { point: mount, portal, step, .. }] = next;
        if count == 0 || !next[0].is(CornerFlags::LEG) {
            return Ok(None);
        }
        let at = step as usize;
        let (from, to, link) = (self.steps.area(at), self.steps.area(at + 1), self.steps.link(at));
        let lands = ends_of(index, from, link).map_or(index.plan(portal.right), |[_, ends]| ends);
        let dismount = index.unplan(flat_closest(&index.parts.geometry, to, lands));
        let leg =
            Leg { way: index.way(from, link), mount, begins: portal.left, ends: portal.right, dismount };
        Ok(Some((leg, at)))
    }

    pub(super) fn check(&self, index: &NavIndex) -> Result<(), Misuse> {
        if self.fits(index) { Ok(()) } else { Err(Misuse::OtherIndex) }
    }

    fn check_end(&self, index: &NavIndex, p: Point) -> Result<&VecDeque<Step>, Misuse> {
        self.check(index)?;
        if p.is_finite() { Ok(&self.steps) } else { Err(Misuse::NotFinite) }
    }
}

impl Step {
    pub(super) fn new(index: &NavIndex, area: usize, link: u32) -> Self {
        let handle = Area::new(area as u32);
        let center = index.unplan(index.parts.geometry.center(area));
        Self { area: area as u32, link, id: index.id(handle).unwrap_or(0), center }
    }
}

/// The first link on foot from an area to another.
pub(super) fn back(index: &NavIndex, from: usize, to: usize) -> Option<usize> {
    let rows = &index.parts.rows;
    rows.row(from).find(|&link| rows.links()[link].to() == to && rows.how(link).kind().on_foot())
}

fn slide(index: &NavIndex, slid: &Slid) -> Slide {
    let point = index.unplan(slid.point);
    Slide { area: Area::new(slid.area() as u32), point, arrived: slid.arrived }
}

/// The last position that something holds at, of an iterator that only goes forward.
trait LastPosition: Iterator + Sized {
    fn rposition_of(self, holds: impl Fn(Self::Item) -> bool) -> Option<usize> {
        let mut last = None;
        for (at, item) in self.enumerate() {
            if holds(item) {
                last = Some(at);
            }
        }
        last
    }
}

impl<'s, I: Iterator<Item = &'s Step>> LastPosition for I {}
