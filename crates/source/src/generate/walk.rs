//! A walker's traces through the map: lines in GoldSrc, thin boxes of a crouching human in Source.

use super::super::geometry::STEP;
use super::draft::Draft;
use super::nodes::moved;
use super::rules::Rules;
use super::terrain::{Terrain, Way};
use crate::flags::Direction;

/// The box of a walker in Source.
pub(super) const LOW: [f32; 3] = [-0.45, -0.45, 0.0];
pub(super) const HIGH: [f32; 3] = [0.45, 0.45, 55.0];
/// The highest step without a jump.
pub(super) const STEP_HEIGHT: f32 = 18.0;
/// The farthest that a link down leads outwards.
pub(super) const REACH: f32 = 4.0 * STEP;
/// The height above the ground from which a target is tested.
const ABOVE: f32 = 2.0;

/// Walks through the map.
#[derive(Clone, Copy)]
pub(super) struct Walker<'t> {
    pub(super) map: &'t dyn Terrain,
    pub(super) rules: Rules,
}

impl Walker<'_> {
    pub(super) fn way(&self, from: [f32; 3], to: [f32; 3]) -> Way {
        match self.rules.gold {
            true => self.map.way(from, to, [0.0; 3], [0.0; 3]),
            false => self.map.way(from, to, LOW, HIGH),
        }
    }

    /// Whether such a way is free.
    pub(super) fn is_free(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        match self.rules.gold {
            true => self.map.is_way_free(from, to, [0.0; 3], [0.0; 3]),
            false => self.map.is_way_free(from, to, LOW, HIGH),
        }
    }

    /// Whether one can walk from one point on the ground to another nearby.
    pub(super) fn gets(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        let ([.., fz], [.., tz]) = (from, to);
        let (rise, half) = (tz - fz, self.rules.half_human);
        let near = rise <= self.rules.jump_crouch && -rise < self.rules.death_drop;
        let raised = |[x, y, z]: [f32; 3]| [x, y, z + half];
        near && match self.rules.gold {
            true => self.is_free(raised(from), raised(to)) && self.is_gentle(from, to),
            false => self.walk(raised(from), raised(to)).is_some(),
        }
    }

    /// The first area from a point in a direction, up to `range` away and up to `below` lower, and the point on it.
    pub(super) fn first_area(
        &self,
        draft: &Draft,
        start: [f32; 3],
        direction: Direction,
        range: f32,
        below: f32,
    ) -> Option<(u32, [f32; 3])> {
        let mut at = start;
        for _ in 0..(range / STEP + 0.5) as u32 {
            at = moved(at, direction, STEP);
            if self.way(start, at).trace.fraction < 1.0 {
                return None;
            }
            let Some(area) = draft.area_at(at, below) else { continue };
            let [x, y, _] = at;
            let z = draft.get(area).map_or(0.0, |piece| piece.shape.height_at(x, y));
            return Some((area, [x, y, z]));
        }
        None
    }

    /// The area reached by jumping down from a point at an edge.
    pub(super) fn below(&self, draft: &Draft, [x, y, z]: [f32; 3], direction: Direction) -> Option<u32> {
        let start = moved([x, y, z + self.rules.half_human], direction, 0.5 * STEP);
        let (area, to) = self.first_area(draft, start, direction, REACH, self.rules.death_drop)?;
        self.jumps_down([x, y, z], to).then_some(area)
    }

    /// Whether one gets down from one point to another: out, and then down.
    fn jumps_down(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        let ([fx, fy, fz], [tx, ty, tz]) = (from, to);
        let drop = fz - tz;
        // Also false if the drop is NaN.
        if !(drop > self.rules.jump_crouch && drop < self.rules.death_drop) {
            return false;
        }
        if self.rules.gold {
            let high = fz + self.rules.human;
            let (up, out) = ([fx, fy, high], [tx, ty, high]);
            return self.is_free(up, out) && self.is_free(out, [tx, ty, tz + ABOVE]);
        }
        let mut up = 1.0;
        while up <= self.rules.climb {
            let trace = self.way(from, [fx, fy, fz + up]).trace;
            up += 1.0;
            if trace.fraction <= 0.0 || trace.start_solid {
                continue;
            }
            let [.., z] = trace.end;
            let out = [tx, ty, z - 0.5];
            if !self.is_free([fx, fy, z - 0.5], out) {
                continue;
            }
            let down = self.way(out, [tx, ty, tz + ABOVE]).trace;
            let [.., end] = down.end;
            return down.fraction > 0.0 && !down.start_solid && end <= tz + ABOVE + STEP_HEIGHT;
        }
        false
    }
}
