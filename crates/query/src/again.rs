//! The areas of one index in another, as after a reload.

use super::area::Area;
use super::corridor::Step;
use super::filter::Mask;
use super::ground::flat_closest;
use super::index::NavIndex;
use super::misuse::Misuse;
use super::overlay::Overlay;
use navmap_core::graph::Point;

/// How far beside an area its own center may lie by rounding, in steps of the game.
const BESIDE: f32 = 1.0 / 64.0;

/// The area of another index that is what a step was: the one with its id if that is still there, else the one in its place. An
/// area that is only near keeps its id if nothing is in its place: ids may be those of neighbors now.
pub(super) fn again(index: &NavIndex, old: &Step, end: Option<Point>) -> Option<usize> {
    let rules = index.parts.rules;
    let asked = index.plan(end.unwrap_or(old.center));
    let by_id = index.by_id(old.id).map(Area::slot);
    let near = |far: f32| {
        by_id.filter(|&area| {
            let on = flat_closest(&index.parts.geometry, area, asked);
            let off = (on[0] - asked[0]).hypot(on[1] - asked[1]);
            off <= far && (on[2] - asked[2]).abs() <= rules.reach
        })
    };
    let lifted = index.unplan([asked[0], asked[1], asked[2] + rules.step]);
    let here = || index.stands_on(lifted).map(Area::slot);
    near(rules.step * BESIDE).or_else(here).or_else(|| near(rules.step))
}

impl Overlay {
    /// Brings it from the index that it belongs to, `before`, to another, as after a reload. Each area there gets the factor of the
    /// area that was in its place: the one with its id if its center lies on that, else the one under its center. So all parts of
    /// a blocked area are blocked if it was split. Returns how many areas with a factor nothing took it over from, since they are
    /// gone or are part of a larger area now. If that is not 0, fill it again from what you keep: ids, points, names of places.
    ///
    /// Costs nothing if it belongs to `index` already, whatever `before` is. Else it allocates, and looks for each area if any has
    /// a factor.
    ///
    /// # Errors
    /// If it belongs to neither index. It is then as before.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// use navmap::query::{Overlay, Policy, Slot};
    ///
    /// let slot = Slot::open("corpus/source/town.nav", Policy::default())?;
    /// let mut last = slot.load(); // kept from tick to tick
    /// let mut closed = Overlay::new(last.index());
    /// closed.block(last.index().by_id(144).unwrap());
    ///
    /// slot.reload()?;
    /// let world = slot.load();
    /// let gone = closed.remap(last.index(), world.index())?;
    /// last = world;
    /// assert!(gone == 0 && closed.is_blocked(last.index().by_id(144).unwrap()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remap(&mut self, before: &NavIndex, index: &NavIndex) -> Result<usize, Misuse> {
        if self.fits(index) {
            return Ok(0);
        }
        if !self.fits(before) {
            return Err(Misuse::OtherIndex);
        }
        let mut gone = Mask::of(before, |area| self.factor(area) != 1.0);
        let mut moved = Self::new(index);
        // Most of the time nothing is closed.
        if gone.areas().next().is_some() {
            for area in index.areas() {
                let step = Step::new(index, area.slot(), u32::MAX);
                let Some(was) = again(before, &step, None) else { continue };
                let was = Area::new(was as u32);
                moved.scale(area, self.factor(was));
                gone.set(was, false);
            }
        }
        *self = moved;
        Ok(gone.areas().count())
    }
}
