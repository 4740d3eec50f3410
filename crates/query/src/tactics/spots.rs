//! Finds the best hiding spot by walking distance.

use super::view::{HidingPlace, Tactics, place};
use crate::area::Area;
use crate::ask::Query;
use crate::filter::Mask;
use crate::misuse::Misuse;
use crate::scratch::PathScratch;
use crate::spread::Flood;
use navmap_core::graph::{HidingKinds, Point};
use std::fmt;
use std::ops::ControlFlow;

/// What a hiding spot has to be like. `with_…` changes it.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Hiding<'q> {
    /// The kinds that are wanted, best first: any spot of the first comes before every spot of the second. A spot has a kind if it
    /// has any of its bits.
    pub wanted: [HidingKinds; 3],
    /// How far it may be, by walking. Infinite allows any. The engine's helpers take 1,000 units.
    pub travel: f32,
    /// Areas that see the spot's area, or that are no good for other reasons: no spot in them is taken.
    pub unseen: Option<&'q Mask>,
    /// How far one must [see](Tactics::range) from it.
    pub range: f32,
    /// The costs and permitted links of the walk. Its `search`, `max_length` and `max_pops` are ignored.
    pub query: Query<'q>,
    /// Whether a spot is free: the engine's helpers leave out those where a player is.
    pub free: Option<&'q (dyn Fn(&HidingPlace) -> bool + Sync)>,
}

impl fmt::Debug for Hiding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hiding")
            .field("wanted", &self.wanted)
            .field("travel", &self.travel)
            .finish_non_exhaustive()
    }
}

impl<'q> Hiding<'q> {
    navmap_core::with! {
        with_wanted = wanted: [HidingKinds; 3];
        with_travel = travel: f32;
        with_range = range: f32;
        with_query = query: Query<'q>;
    }

    /// Spots with cover.
    pub fn cover() -> Self {
        Self {
            wanted: [HidingKinds::COVER, HidingKinds(0), HidingKinds(0)],
            travel: f32::INFINITY,
            unseen: None,
            range: 0.0,
            query: Query::shortest(),
            free: None,
        }
    }

    /// Spots for a sniper, as the engine's helpers choose: ideal ones, else good ones, else any with cover.
    pub fn sniper() -> Self {
        Self {
            wanted: [HidingKinds::IDEAL_SNIPER, HidingKinds::GOOD_SNIPER, HidingKinds::COVER],
            ..Self::cover()
        }
    }

    /// Any spot, exposed ones included.
    pub fn any() -> Self {
        Self { wanted: [HidingKinds(u8::MAX), HidingKinds(0), HidingKinds(0)], ..Self::cover() }
    }

    /// The same without spots in these areas.
    #[must_use]
    pub fn with_unseen(mut self, unseen: &'q Mask) -> Self {
        self.unseen = Some(unseen);
        self
    }

    /// The same with only those spots that `free` accepts.
    #[must_use]
    pub fn with_free(mut self, free: &'q (dyn Fn(&HidingPlace) -> bool + Sync)) -> Self {
        self.free = Some(free);
        self
    }

    /// The position of a spot's best kind among those wanted.
    fn rank(&self, kinds: HidingKinds) -> Option<u8> {
        (0..).zip(self.wanted).find(|(_, wanted)| wanted.any(kinds)).map(|(rank, _)| rank)
    }

    /// Whether everything but its kind and its distance is as it should be.
    pub(super) fn accepts(&self, tactics: &Tactics<'_>, place: &HidingPlace) -> bool {
        self.free.is_none_or(|free| free(place)) && (self.range <= 0.0 || tactics.range(place) >= self.range)
    }
}

/// A hiding spot that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Hideout {
    /// The spot.
    pub place: HidingPlace,
    /// Which of the [wanted](Hiding::wanted) kinds it is: 0 for the best.
    pub rank: u8,
    /// What the walk to it costs: from center to center, and from the last center to the spot. In the area where one stands it is
    /// straight.
    pub walk: f32,
}

impl Tactics<'_> {
    /// Finds the best hiding spots for somebody at a point of an area: by kind, then by walking distance, then in file order.
    /// Fills `out` from its start, and returns how many there are. One search over the areas within `travel`, which ends early
    /// if `out` is full of the best kind. Nothing is allocated.
    ///
    /// # Errors
    /// If the scratch, the overlay or the set belongs to another index, the area does not exist, or the point is not finite.
    pub fn spots(
        &self,
        scratch: &mut PathScratch,
        from: Area,
        at: Point,
        ask: &Hiding<'_>,
        out: &mut [Option<Hideout>],
    ) -> Result<usize, Misuse> {
        let (index, places) = (self.index, &self.known.places);
        if ask.unseen.is_some_and(|unseen| !unseen.fits(index)) {
            return Err(Misuse::OtherIndex);
        }
        if !at.is_finite() {
            return Err(Misuse::NotFinite);
        }
        let mut count = 0usize;
        let flood = Flood::default().with_query(ask.query).with_travel(ask.travel);
        scratch.flood(index, from, &flood, |area, cost| {
            // Whatever is still to come is as far as this area, or farther.
            let worst = out.get(count.wrapping_sub(1)).copied().flatten();
            if count == out.len() && worst.is_none_or(|worst| worst.rank == 0 && worst.walk <= cost) {
                return ControlFlow::Break(());
            }
            if ask.unseen.is_some_and(|unseen| unseen.has(area)) {
                return ControlFlow::Continue(());
            }
            for spot in places.within(area.slot()) {
                let place = place(places.spot(spot));
                let Some(rank) = ask.rank(place.kinds) else { continue };
                let start = if area == from { at } else { index.center(area).unwrap_or(place.at) };
                let walk = cost + start.distance(place.at);
                let node = |area: Area| index.node(area);
                let before = |other: &Hideout| {
                    (rank, walk, node(area)) < (other.rank, other.walk, node(other.place.area))
                };
                let to = out[..count].partition_point(|other| other.as_ref().is_some_and(|o| !before(o)));
                if !(walk <= ask.travel) || to == out.len() || !ask.accepts(self, &place) {
                    continue;
                }
                count = (count + 1).min(out.len());
                out[to..count].rotate_right(1);
                out[to] = Some(Hideout { place, rank, walk });
            }
            ControlFlow::Continue(())
        })?;
        Ok(count)
    }
}
