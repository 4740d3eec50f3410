//! Approach areas: the areas from which an enemy comes into view. `docs/formats/source-analyze.md`, sections 2.4 and 3.5.

use super::map::{Map, Purpose};
use super::rules::Rules;
use super::search::{Search, Steps};
use super::work::{TRACE, Tally};
use crate::buf::AreaBuf;
use crate::flags::{Attributes, Traverse};
use crate::record::{Approach, AreaId};

/// The most approaches of an area.
const MOST: usize = 16;
/// After blocking this many areas, the search for approaches of an area ends.
const MOST_BLOCKED: usize = 256;
/// Both sides of a far area are at least this long.
const LARGE: f32 = 200.0;
/// The eye is at 0.9 of a human's height, or of half of that.
const EYE: f32 = 0.9 * 72.0;
const CROUCHING_EYE: f32 = 0.9 * 36.0;
/// The height above an area's corners at which it is looked at.
const LOOKED_AT: f32 = 54.0;

/// The areas that are large enough to approach from, in mesh order.
pub(super) fn far_areas(areas: &[AreaBuf]) -> Vec<u32> {
    let large = |area: &AreaBuf| area.shape.extent().iter().all(|side| *side >= LARGE);
    (0_u32..).zip(areas).filter(|(_, area)| large(area)).map(|(position, _)| position).collect()
}

/// The eye of somebody standing in the middle of an area. `None` if there is no ground.
pub(super) fn eye(area: &AreaBuf, map: &dyn Map) -> Option<[f32; 3]> {
    let [x, y, z] = area.shape.center();
    let high = if area.attributes.contains(Attributes::CROUCH) { CROUCHING_EYE } else { EYE };
    Some([x, y, map.ground([x, y, z])? + high])
}

/// Whether any corner of an area is visible from a point.
pub(super) fn sees(eye: [f32; 3], area: &AreaBuf, map: &dyn Map, tally: &Tally<'_>) -> bool {
    let mut corners = area.shape.corners().into_iter();
    corners.any(|[x, y, z]| {
        tally.add(TRACE);
        map.is_free(eye, [x, y, z + LOOKED_AT], Purpose::Approach)
    })
}

/// Searches for the approaches of an area, reusing its memory for the next.
#[derive(Debug)]
pub(super) struct Approaches<'s> {
    search: Search<'s>,
    path: Vec<(u32, u8)>,
    /// Of each area whether no path leads through it any more, and those of which that is true.
    is_blocked: Vec<bool>,
    blocked: Vec<u32>,
    seen: Vec<Option<bool>>,
}

impl<'s> Approaches<'s> {
    pub(super) fn new(steps: &'s Steps) -> Self {
        Self {
            search: Search::new(steps),
            path: Vec::new(),
            is_blocked: vec![false; steps.count()],
            blocked: Vec::new(),
            seen: vec![None; steps.count()],
        }
    }

    /// The approaches of an area, in the game's order. `sees` says whether another area is visible from it.
    pub(super) fn find(
        &mut self,
        area: u32,
        far: &[u32],
        areas: &[AreaBuf],
        rules: &Rules,
        tally: &Tally<'_>,
        mut sees: impl FnMut(u32) -> bool,
    ) -> Vec<Approach> {
        self.seen.fill(None);
        let mut found = Vec::new();
        let rounds: &[bool] = if rules.both_ways { &[false, true] } else { &[false] };
        for inward in rounds {
            for goal in far {
                let goes_on =
                    tally.add(1) && self.toward([area, *goal], *inward, areas, tally, &mut found, &mut sees);
                if !goes_on {
                    return found;
                }
            }
        }
        found
    }

    fn is_seen(&mut self, area: u32, sees: &mut impl FnMut(u32) -> bool) -> bool {
        match self.seen.get_mut(area as usize) {
            Some(known) => *known.get_or_insert_with(|| sees(area)),
            None => true,
        }
    }

    /// Adds the approaches on the path between an area and a far one. Returns whether to continue the search.
    fn toward(
        &mut self,
        [area, goal]: [u32; 2],
        inward: bool,
        areas: &[AreaBuf],
        tally: &Tally<'_>,
        found: &mut Vec<Approach>,
        sees: &mut impl FnMut(u32) -> bool,
    ) -> bool {
        if self.is_seen(goal, sees) {
            return true;
        }
        for area in self.blocked.drain(..) {
            self.is_blocked.get_mut(area as usize).into_iter().for_each(|is| *is = false);
        }
        while found.len() < MOST {
            let is_blocked = |area: u32| self.is_blocked.get(area as usize).is_some_and(|is| *is);
            let (from, to) = if inward { (goal, area) } else { (area, goal) };
            let there = self.search.find(from, to, is_blocked, &mut self.path, tally);
            if !there || self.path.len() <= 2 {
                return true;
            }
            if inward {
                self.path.reverse();
            }
            let hidden = (1..self.path.len()).find_map(|at| {
                let (next, _) = *self.path.get(at)?;
                let known = match self.seen.get_mut(next as usize) {
                    Some(known) => *known.get_or_insert_with(|| sees(next)),
                    None => true,
                };
                let block = if next == goal { at.saturating_sub(1) } else { at };
                (!known && block > 0).then_some(block)
            });
            let Some(block) = hidden else { return true };
            if self.blocked.len() >= MOST_BLOCKED {
                return false;
            }
            let step = |at: usize| {
                let (area, how) = *self.path.get(at)?;
                Some((areas.get(area as usize)?.id, Traverse(how)))
            };
            let (Some(next), Some(here)) = (step(block), step(block.saturating_sub(1))) else { return true };
            if let Some((blocked, _)) = self.path.get(block) {
                self.is_blocked.get_mut(*blocked as usize).into_iter().for_each(|is| *is = true);
                self.blocked.push(*blocked);
            }
            if found.iter().all(|approach| approach.here() != here.0) {
                let before = block.checked_sub(2).and_then(step);
                let previous = before.map_or((AreaId::default(), Traverse(0)), |(id, _)| (id, here.1));
                found.push(Approach::new(here.0, previous, next));
            }
        }
        true
    }
}
