//! Hiding spots as the engine's own helpers collect them.

use super::spots::Hiding;
use super::view::{HidingPlace, Tactics, place};
use crate::area::Area;
use crate::ground::{Ground, distance, distance2, with_ground};
use crate::misuse::Misuse;
use crate::scratch::{PathScratch, State, slot};
use navmap_core::graph::{HidingKinds, Point};

/// The most spots that the engine collects.
const MOST: usize = 256;

impl Tactics<'_> {
    /// The spots among which the engine's `FindNearbyHidingSpot` chooses, in the order in which it collects them: those of the
    /// first [wanted](Hiding::wanted) kind of which there are any. It takes one of them at random, or the one that is closest in
    /// a straight line. Fills `out` from its start, and returns how many there are; the engine collects 256.
    ///
    /// It searches breadth first, from area to area, over those whose closest point is within `travel` of `at` as seen from above
    /// and whose centers are at most half as far again by the way that it took; a spot is within `travel` in a straight line. Of
    /// the query only the overlay counts: blocked areas are not entered. Nothing is allocated.
    ///
    /// # Errors
    /// Those of [`spots`](Self::spots).
    pub fn spots_as_engine(
        &self,
        scratch: &mut PathScratch,
        from: Area,
        at: Point,
        ask: &Hiding<'_>,
        out: &mut [Option<HidingPlace>],
    ) -> Result<usize, Misuse> {
        let index = self.index;
        if ask.unseen.is_some_and(|unseen| !unseen.fits(index)) {
            return Err(Misuse::OtherIndex);
        }
        if ask.query.overlay.is_some_and(|overlay| !overlay.fits(index)) {
            return Err(Misuse::OtherIndex);
        }
        if !at.is_finite() {
            return Err(Misuse::NotFinite);
        }
        slot(index, from)?;
        for wanted in ask.wanted.into_iter().filter(|wanted| !wanted.is_empty()) {
            let count = self.collect(scratch, from, at, ask, wanted, out)?;
            if count > 0 {
                return Ok(count);
            }
        }
        Ok(0)
    }

    /// One search of the engine, for one kind.
    fn collect(
        &self,
        scratch: &mut PathScratch,
        from: Area,
        at: Point,
        ask: &Hiding<'_>,
        wanted: HidingKinds,
        out: &mut [Option<HidingPlace>],
    ) -> Result<usize, Misuse> {
        let (index, places) = (self.index, &self.known.places);
        let (range, most) = (ask.travel, out.len().min(MOST));
        let origin = index.plan(at);
        scratch.begin(index)?;
        let run = scratch.run;
        // Each area is in the queue once, for which the memory of the heap has room.
        let (states, queue) = (&mut scratch.states, scratch.heap.reuse());
        states[from.slot()] = State { run, cost: 0.0, rest: 0.0, parent: u32::MAX };
        queue.push(from.slot() as u64);
        let (mut next, mut count) = (0, 0);
        while let Some(area) = queue.get(next).map(|area| *area as usize) {
            next += 1;
            if ask.query.overlay.is_some_and(|overlay| overlay.is_blocked(Area::new(area as u32))) {
                continue;
            }
            for spot in places.within(area) {
                let place = place(places.spot(spot));
                let near = !(distance2(index.plan(place.at), origin) > range * range);
                let seen = ask.unseen.is_some_and(|unseen| unseen.has(place.area));
                let fits = near && !seen && wanted.any(place.kinds) && ask.accepts(self, &place);
                if fits && count < most {
                    out[count] = Some(place);
                    count += 1;
                }
            }
            if count == most {
                continue;
            }
            let center = index.parts.geometry.center(area);
            for link in index.parts.rows.row(area) {
                let to = index.parts.rows.links()[link].to();
                if states[to].run == run {
                    continue;
                }
                let along = states[area].cost + distance(index.parts.geometry.center(to), center);
                states[to] = State { run, cost: along, rest: 0.0, parent: area as u32 };
                let closest = with_ground!(&index.parts.geometry, ground => ground.closest(to, origin));
                let flat = [closest[0], closest[1], 0.0];
                let near = distance2(flat, [origin[0], origin[1], 0.0]) < range * range;
                if near && along <= 1.5 * range {
                    queue.push(to as u64);
                }
            }
        }
        Ok(count)
    }
}
