//! Areas that are blocked or dearer for one caller, kept beside an index that never changes.

use super::area::Area;
use super::index::NavIndex;

/// Areas that are blocked or dearer, for one caller: a team's doors, a fire, a crowd.
///
/// It takes one float an area. A path with an overlay avoids blocked areas and prefers others to dear ones. Costs can
/// only rise: a factor below 1 counts as 1, so that estimates and the answer "there is no way" stay true.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// Factor of each area; infinite if it is blocked.
    factors: Vec<f32>,
}

impl Overlay {
    /// An overlay in which nothing is blocked or dearer.
    pub fn new(index: &NavIndex) -> Self {
        Self { factors: vec![1.0; index.len()] }
    }

    /// Blocks an area: no path enters or leaves it.
    pub fn block(&mut self, area: Area) {
        self.set(area, f32::INFINITY);
    }

    /// Removes the factor of an area.
    pub fn clear(&mut self, area: Area) {
        self.set(area, 1.0);
    }

    /// Makes links into an area cost so many times as much. A factor below 1, or NaN, counts as 1. An infinite one
    /// blocks.
    pub fn scale(&mut self, area: Area, factor: f32) {
        self.set(area, if factor >= 1.0 { factor } else { 1.0 });
    }

    /// Scales (or blocks, if the factor is infinite) every area that `which` accepts, such as those with a flag or in a
    /// place.
    pub fn scale_where(&mut self, index: &NavIndex, factor: f32, mut which: impl FnMut(Area) -> bool) {
        index.areas().filter(|area| which(*area)).for_each(|area| self.scale(area, factor));
    }

    /// Removes all factors.
    pub fn reset(&mut self) {
        self.factors.fill(1.0);
    }

    /// For how many areas it is: those of the index that it was made for.
    pub fn areas(&self) -> usize {
        self.factors.len()
    }

    /// Whether an area is blocked.
    pub fn is_blocked(&self, area: Area) -> bool {
        self.factor(area) == f32::INFINITY
    }

    /// The factor by which links into an area cost more.
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
