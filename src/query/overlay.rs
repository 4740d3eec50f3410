//! What is blocked or dearer for one caller, beside an index that never changes.

use super::area::Area;
use super::index::NavIndex;

/// Areas that are blocked or dearer, for one caller: a team's doors, a fire, a crowd.
///
/// One float an area. A path that is asked for with an overlay passes over blocked areas and prefers others to dear
/// ones. Costs can only rise: a factor below 1 counts as 1, so that estimates stay true and "there is no way" stays no.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// Factor of each area; infinite where it is blocked.
    factors: Vec<f32>,
}

impl Overlay {
    /// Nothing blocked, nothing dearer.
    pub fn new(index: &NavIndex) -> Self {
        Self { factors: vec![1.0; index.len()] }
    }

    /// Blocks an area: no path enters or leaves it.
    pub fn block(&mut self, area: Area) {
        self.set(area, f32::INFINITY);
    }

    /// Takes back what was said of an area.
    pub fn clear(&mut self, area: Area) {
        self.set(area, 1.0);
    }

    /// Makes links into an area cost so many times as much. Less than 1, or no number, counts as 1; infinite blocks.
    pub fn scale(&mut self, area: Area, factor: f32) {
        self.set(area, if factor >= 1.0 { factor } else { 1.0 });
    }

    /// Blocks (or scales, where the factor is finite) every area that `which` accepts: those with a flag, in a place.
    pub fn scale_where(&mut self, index: &NavIndex, factor: f32, mut which: impl FnMut(Area) -> bool) {
        index.areas().filter(|area| which(*area)).for_each(|area| self.scale(area, factor));
    }

    /// Takes back everything.
    pub fn reset(&mut self) {
        self.factors.fill(1.0);
    }

    /// Whether an area is blocked.
    pub fn is_blocked(&self, area: Area) -> bool {
        self.factor(area) == f32::INFINITY
    }

    /// How many times as much links into an area cost.
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
