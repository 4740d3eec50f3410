//! Keeps a corridor true: shortens it, mends it after a push, tests it, brings it to another index.

use super::again::again;
use super::area::Area;
use super::ask::{Outcome, Query};
use super::corner::Corner;
use super::corridor::{Corridor, Step, back};
use super::ground::flat_closest;
use super::index::NavIndex;
use super::misuse::Misuse;
use super::price::{Any, Price, checked};
use super::scratch::PathScratch;
use navmap_core::graph::Point;
use std::ops::ControlFlow;

/// The most areas that a shortcut crosses.
const CROSSED: usize = 64;
/// How many steps ahead a search may join the way again, and how many areas it visits.
const JOIN: usize = 32;
const POPS: u32 = 64;
/// The same when somebody was pushed off the way.
const REPAIR_POPS: u32 = 256;

/// What [`Corridor::repair`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use = "a corridor that is lost leads nowhere"]
#[non_exhaustive]
pub enum Repair {
    /// The point is on an area of the way, or a slide leads there.
    Whole,
    /// It is off the way, and a short search led back to it.
    Mended,
    /// It is too far off. The corridor stands at the point and leads nowhere, or is empty if no ground is near: ask for a new way.
    Lost,
}

/// What [`Corridor::remap`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use = "a corridor that is cut or lost needs a new way"]
#[non_exhaustive]
pub enum Remap {
    /// All of the way exists in the other index.
    Whole,
    /// Only its beginning does. The corridor ends there: ask for a new way.
    Cut,
    /// Nothing is where it begins. The corridor is empty.
    Lost,
}

impl Corridor {
    /// Cuts a corner by walking straight towards a point ([`NavIndex::walk_line`]), at most `range` units: if the walk arrives on
    /// the way again, and costs no more than what it replaces, it is taken. Whether the way changed.
    ///
    /// It crosses 64 areas at most, and only those that the query permits.
    ///
    /// # Errors
    /// If the corridor, the overlay or a mask belongs to another index, or the point is not finite.
    pub fn shortcut(
        &mut self,
        index: &NavIndex,
        toward: Point,
        range: f32,
        query: &Query<'_>,
    ) -> Result<bool, Misuse> {
        self.check(index)?;
        let price = checked(index, query)?;
        if !toward.is_finite() {
            return Err(Misuse::NotFinite);
        }
        let Some(first) = self.area().filter(|_| self.len() > 2) else { return Ok(false) };
        let far = self.at.distance(toward);
        let share = if far > range { range / far } else { 1.0 };
        if !(share > 0.0) {
            return Ok(false);
        }
        let at = |a: f32, b: f32| a + (b - a) * share;
        let end = Point::new(at(self.at.x, toward.x), at(self.at.y, toward.y), at(self.at.z, toward.z));
        let (mut crossed, mut count) = ([0u32; CROSSED], 0);
        let open = |area: Area| price.enters(index, area.slot());
        let walk = index.walk_line_where(first, self.at, end, open, |area| {
            if count == CROSSED {
                return ControlFlow::Break(());
            }
            crossed[count] = area.position();
            count += 1;
            ControlFlow::Continue(())
        });
        if !walk.is_some_and(|walk| walk.arrived) {
            return Ok(false);
        }
        let crossed = &crossed[..count];
        // The area farthest along the way that the walk crosses.
        let mut common =
            self.steps.iter().enumerate().skip(1).take(CROSSED).filter_map(|(at, step)| {
                crossed.iter().position(|area| *area == step.area).map(|on| (at, on))
            });
        let Some((at, on)) = common.next_back().filter(|(at, on)| at != on || self.differs(crossed, *on))
        else {
            return Ok(false);
        };
        let Some(new) = self.cost_of(index, &price, crossed[..=on].iter().copied()) else { return Ok(false) };
        let old = self.cost_of(index, &price, self.steps.iter().take(at + 1).map(|step| step.area));
        if old.is_some_and(|old| new > old) {
            return Ok(false);
        }
        self.replace(index, at, crossed[..=on].iter().map(|area| *area as usize));
        Ok(true)
    }

    fn differs(&self, crossed: &[u32], on: usize) -> bool {
        !self.steps.iter().zip(&crossed[..=on]).all(|(step, area)| step.area == *area)
    }

    /// The cost of walking through areas, each linked to the next on foot.
    fn cost_of(&self, index: &NavIndex, price: &Any<'_>, areas: impl Iterator<Item = u32>) -> Option<f32> {
        let (mut sum, mut before) = (0.0, None);
        for area in areas {
            if let Some(before) = before {
                let link = link_to(index, before, area as usize)?;
                let cost = price.price(index, before, link);
                sum += Some(cost).filter(|cost| *cost >= 0.0 && cost.is_finite())?;
            }
            before = Some(area as usize);
        }
        Some(sum)
    }

    /// Puts other areas in place of the steps up to and including `at`, which is the last of them.
    fn replace(&mut self, index: &NavIndex, at: usize, areas: impl DoubleEndedIterator<Item = usize>) {
        self.steps.drain(..at);
        for area in areas.rev().skip(1) {
            let Some(next) = self.steps.front_mut() else { return };
            let Some(link) = link_to(index, area, next.area as usize) else { return };
            next.link = link as u32;
            self.steps.push_front(Step::new(index, area, u32::MAX));
        }
    }

    /// Shortens the way as far as a little work does: straight to the goal or to the corner after the next, else by a search of
    /// 64 areas for a cheaper way to one of the next 32 steps. Whether the way changed. Calling it every few ticks brings an old
    /// corridor, whose goal moved, near to a new way.
    ///
    /// The scratch is used for the search, so its latest way is gone.
    ///
    /// # Errors
    /// If the corridor, the scratch, the overlay or a mask belongs to another index.
    pub fn optimize(
        &mut self,
        index: &NavIndex,
        scratch: &mut PathScratch,
        query: &Query<'_>,
    ) -> Result<bool, Misuse> {
        self.check(index)?;
        if !scratch.fits(index) {
            return Err(Misuse::OtherIndex);
        }
        let mut next = [Corner::default(); 2];
        let count = self.corners(index, &mut next)?;
        let second = next.get(1).filter(|_| count > 1).map(|corner| corner.point);
        for toward in [Some(self.goal), second].into_iter().flatten() {
            if self.shortcut(index, toward, f32::INFINITY, query)? {
                return Ok(true);
            }
        }
        let join = self.len().saturating_sub(1).min(JOIN);
        let (Some(first), Some(step)) = (self.area(), self.steps.get(join).filter(|_| join > 1)) else {
            return Ok(false);
        };
        let price = checked(index, query)?;
        let old = self.cost_of_steps(index, &price, join);
        let bounded = query.with_max_pops(query.max_pops.min(POPS)).with_partial(false);
        let Outcome::Found { cost } = scratch.path(index, first, Area::new(step.area), &bounded)? else {
            return Ok(false);
        };
        let same =
            scratch.areas().map(Area::position).eq(self.steps.iter().take(join + 1).map(|step| step.area));
        if same || old.is_some_and(|old| cost >= old) {
            return Ok(false);
        }
        self.splice(index, join, scratch);
        Ok(true)
    }

    /// The cost of the links of the next steps. `None` if one is closed.
    fn cost_of_steps(&self, index: &NavIndex, price: &Any<'_>, steps: usize) -> Option<f32> {
        let pairs = self.steps.iter().zip(self.steps.iter().skip(1)).take(steps);
        let mut sum = 0.0;
        for (from, to) in pairs {
            let cost = price.price(index, from.area as usize, to.link as usize);
            sum += Some(cost).filter(|cost| *cost >= 0.0 && cost.is_finite())?;
        }
        Some(sum)
    }

    /// Puts the way of a scratch, which ends in step `at`, in place of the steps before.
    fn splice(&mut self, index: &NavIndex, at: usize, scratch: &PathScratch) {
        self.steps.drain(..at);
        let mut links = scratch.packed().iter().rev();
        if let (Some(last), Some(first)) = (links.next(), self.steps.front_mut()) {
            first.link = *last as u32;
        }
        for step in links {
            self.steps.push_front(Step::new(index, (step >> 32) as usize, *step as u32));
        }
    }

    /// Finds the way again after a push, a fall or a teleport to a point: if that is on an area of the way, or a
    /// [slide](NavIndex::slide) leads there, the corridor begins there; else a search of 256 areas looks for the way to the next 32
    /// steps. The point may be in the air or beside the mesh: it counts as the nearest of the area under it, or of the nearest one
    /// within `query`'s filter and twice the [reach](NavIndex::rules) of the game.
    ///
    /// The scratch is used for the search, so its latest way is gone.
    ///
    /// # Errors
    /// If the corridor, the scratch, the overlay or a mask belongs to another index, the corridor is empty, or the point is not
    /// finite.
    pub fn repair(
        &mut self,
        index: &NavIndex,
        scratch: &mut PathScratch,
        at: Point,
        query: &Query<'_>,
    ) -> Result<Repair, Misuse> {
        self.check(index)?;
        if !scratch.fits(index) {
            return Err(Misuse::OtherIndex);
        }
        if !at.is_finite() {
            return Err(Misuse::NotFinite);
        }
        if self.is_empty() {
            return Err(Misuse::NothingToFollow);
        }
        let price = checked(index, query)?;
        let open = |area: Area| price.enters(index, area.slot());
        let max = index.parts.rules.reach * 2.0;
        let there = index
            .stands_on_where(at, open)
            .or_else(|| index.nearest_where(at, max, open).map(|near| near.area));
        let Some(there) = there else {
            self.steps.clear();
            return Ok(Repair::Lost);
        };
        if let Some(on) = self.steps.iter().take(CROSSED).position(|step| step.area == there.position()) {
            self.steps.drain(..on);
            self.place_start(index, at);
            return Ok(Repair::Whole);
        }
        let slide = self.advance(index, at)?;
        if slide.arrived && slide.area == there {
            return Ok(Repair::Whole);
        }
        let join = self.len().saturating_sub(1).min(JOIN);
        let target = self.steps.get(join).map_or(there, |step| Area::new(step.area));
        // An estimate that aims at the step has the search run along the way.
        let bounded = query.with_max_pops(query.max_pops.min(REPAIR_POPS)).with_partial(false);
        let found = scratch.path(index, there, target, &bounded)?;
        if found.cost().is_none() {
            self.stand(index, there, at)?;
            return Ok(Repair::Lost);
        }
        self.splice(index, join, scratch);
        self.place_start(index, at);
        Ok(Repair::Mended)
    }

    fn place_start(&mut self, index: &NavIndex, at: Point) {
        if let Some(first) = self.steps.front() {
            let on = flat_closest(&index.parts.geometry, first.area as usize, index.plan(at));
            self.at = if on.iter().all(|v| v.is_finite()) { index.unplan(on) } else { at };
        }
    }

    /// Whether the next `steps` links of the way are still permitted by a query: its overlay, its filter, its kinds and gates, its
    /// step. The area that the corridor begins in is not asked for.
    ///
    /// # Errors
    /// If the corridor, the overlay or a mask belongs to another index.
    pub fn is_valid(&self, index: &NavIndex, query: &Query<'_>, steps: usize) -> Result<bool, Misuse> {
        self.check(index)?;
        let price = checked(index, query)?;
        Ok(!self.is_empty() && self.cost_of_steps(index, &price, steps).is_some())
    }

    /// Brings it to another index, as after a reload. Each area of the way is looked for by its id, which counts if the area is
    /// still where it was, and else by the place of its center; areas that follow each other have to be linked.
    ///
    /// Nothing is searched, and nothing allocated.
    pub fn remap(&mut self, index: &NavIndex) -> Remap {
        if self.fits(index) {
            return if self.is_empty() { Remap::Lost } else { Remap::Whole };
        }
        self.stamp = index.stamp;
        let (at, goal, reaches) = (self.at, self.goal, self.reaches);
        let (mut kept, mut cut) = (0usize, false);
        for step in 0..self.steps.len() {
            let old = self.steps[step];
            // The ends are told by their points, since a large area may have been split there.
            let ends = [(0, at), (self.steps.len() - 1, goal)];
            let end = ends.iter().find(|(end, _)| *end == step).map(|(_, p)| *p);
            let Some(area) = again(index, &old, end) else {
                cut = true;
                break;
            };
            let before = kept.checked_sub(1).map(|before| self.steps[before].area as usize);
            if before == Some(area) {
                continue;
            }
            let link = match before {
                None => u32::MAX,
                Some(before) => match link_to(index, before, area) {
                    Some(link) => link as u32,
                    None => {
                        cut = true;
                        break;
                    }
                },
            };
            self.steps[kept] = Step::new(index, area, link);
            kept += 1;
        }
        self.steps.truncate(kept);
        if self.is_empty() {
            return Remap::Lost;
        }
        self.place(index, at, goal);
        self.reaches &= reaches && !cut;
        if cut { Remap::Cut } else { Remap::Whole }
    }
}

/// A link from an area to another: on foot if there is one.
fn link_to(index: &NavIndex, from: usize, to: usize) -> Option<usize> {
    let rows = &index.parts.rows;
    back(index, from, to).or_else(|| rows.row(from).find(|&link| rows.links()[link].to() == to))
}
