//! Blocked or more expensive areas for one caller, beside an index that never changes.

use super::area::Area;
use super::index::NavIndex;
use super::misuse::Misuse;

/// Blocked or more expensive areas for one caller: a team's doors, a fire, a crowd.
///
/// It takes one float an area. A path with an overlay avoids blocked areas and prefers others to dear ones. Costs can
/// only rise: a factor below 1 counts as 1, so that estimates and the answer "there is no way" stay true.
///
/// It is for the index that it was made for, and for no other: after a reload the same numbers are other areas. A query
/// in another index refuses it with [`Misuse::OtherIndex`], until it is brought over ([`remap`](Self::remap)).
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// # use navmap::query::{Policy, World};
/// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
/// # let index = world.index();
/// use navmap::query::{Outcome, Overlay, PathScratch, Query};
///
/// let (mut overlay, mut scratch) = (Overlay::new(index), PathScratch::new(index));
/// let [from, to] = ["CTSpawn", "BombsiteB"].map(|place| index.in_place(place).next().expect("a place of this name"));
/// overlay.block(to);
/// let query = Query::default().with_overlay(&overlay);
/// assert_eq!(scratch.path(index, from, to, &query)?, Outcome::NoWay);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// The index that it is for.
    stamp: u64,
    /// Factor of each area; infinite if it is blocked.
    factors: Vec<f32>,
}

impl Overlay {
    /// An overlay without any blocked or more expensive areas.
    pub fn new(index: &NavIndex) -> Self {
        Self { stamp: index.stamp, factors: vec![1.0; index.len()] }
    }

    /// Blocks an area: no path enters or leaves it. Nothing is found from within: no path, not even to the area itself, no
    /// distance, no area of a [`flood`](super::PathScratch::flood), no [`retreat`](super::PathScratch::retreat). To let somebody
    /// out, make it dear instead ([`scale`](Self::scale)).
    pub fn block(&mut self, area: Area) {
        self.set(area, f32::INFINITY);
    }

    /// Removes the factor of an area.
    pub fn clear(&mut self, area: Area) {
        self.set(area, 1.0);
    }

    /// Multiplies the cost of links into an area. A factor below 1, or NaN, counts as 1. An infinite one blocks.
    pub fn scale(&mut self, area: Area, factor: f32) {
        self.set(area, if factor >= 1.0 { factor } else { 1.0 });
    }

    /// Scales (or blocks, if the factor is infinite) every area that `which` accepts, such as those with a flag or in a
    /// place.
    ///
    /// # Errors
    /// If it is the overlay of another index.
    pub fn scale_where(
        &mut self,
        index: &NavIndex,
        factor: f32,
        mut which: impl FnMut(Area) -> bool,
    ) -> Result<(), Misuse> {
        if !self.fits(index) {
            return Err(Misuse::OtherIndex);
        }
        index.areas().filter(|area| which(*area)).for_each(|area| self.scale(area, factor));
        Ok(())
    }

    /// Removes all factors.
    pub fn reset(&mut self) {
        self.factors.fill(1.0);
    }

    /// The number of areas of its index.
    pub fn areas(&self) -> usize {
        self.factors.len()
    }

    /// Whether it was made for an index.
    pub fn fits(&self, index: &NavIndex) -> bool {
        self.stamp == index.stamp
    }

    /// Whether an area is blocked.
    pub fn is_blocked(&self, area: Area) -> bool {
        self.factor(area) == f32::INFINITY
    }

    /// The factor on the cost of links into an area.
    pub fn factor(&self, area: Area) -> f32 {
        self.factors.get(area.slot()).copied().unwrap_or(1.0)
    }

    fn set(&mut self, area: Area, factor: f32) {
        if let Some(slot) = self.factors.get_mut(area.slot()) {
            *slot = factor;
        }
    }

    pub(super) fn factors(&self) -> &[f32] {
        &self.factors
    }
}
