//! How much of a way lies in a set of areas.

use crate::area::Area;
use crate::filter::Mask;
use crate::index::NavIndex;
use crate::misuse::Misuse;
use crate::scratch::PathScratch;

/// How much of a way somebody sees. Lengths are in units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Exposure {
    /// The length of the whole way, from center to center.
    pub length: f32,
    /// How much of it is in areas of the set. Half of a link belongs to either of its areas.
    pub seen: f32,
    /// The longest part that is seen without a break.
    pub longest: f32,
    /// How many of its areas are in the set.
    pub areas: usize,
    /// The first of them.
    pub first: Option<Area>,
}

impl Exposure {
    /// The share of the way that is seen, 0 to 1. Of a way without a length, 1 if its area is seen.
    pub fn share(&self) -> f32 {
        if self.length > 0.0 {
            (self.seen / self.length).min(1.0)
        } else {
            f32::from(u8::from(self.areas > 0))
        }
    }
}

impl PathScratch {
    /// How much of the latest path lies in a set of areas, such as [what the enemies see](crate::Tactics::add_seen). Zero if
    /// there is no path.
    ///
    /// # Errors
    /// If the path or the set belongs to another index.
    pub fn exposure(&self, index: &NavIndex, watched: &Mask) -> Result<Exposure, Misuse> {
        if !(watched.fits(index) && self.fits(index)) {
            return Err(Misuse::OtherIndex);
        }
        let (mut exposure, mut stretch) = (Exposure::default(), 0.0);
        let mut walk = |exposure: &mut Exposure, seen: bool, length: f32| {
            exposure.length += length;
            stretch = if seen { stretch + length } else { 0.0 };
            exposure.seen += if seen { length } else { 0.0 };
            exposure.longest = exposure.longest.max(stretch);
        };
        let mut before = false;
        for step in self.steps(index) {
            let seen = watched.has(step.area);
            if let Some(way) = step.way {
                walk(&mut exposure, before, way.length / 2.0);
                walk(&mut exposure, seen, way.length / 2.0);
            }
            if seen {
                exposure.areas += 1;
                exposure.first = exposure.first.or(Some(step.area));
            }
            before = seen;
        }
        Ok(exposure)
    }
}
