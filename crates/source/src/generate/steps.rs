//! Steps of Source: a thin box that walks, steps up and climbs. `docs/formats/source-generate.md`, section 2.

use super::super::geometry::{STEP, length, minus};
use super::draft::Draft;
use super::nodes::{Node, Obstacle, corner, moved, snap};
use super::sample::{Room, Step};
use super::terrain::Way;
use super::walk::{HIGH, LOW, STEP_HEIGHT, Walker};
use crate::flags::Direction;

/// The z of the normal of the steepest walkable ground.
const SLOPE: f32 = 0.7;
/// A step up that leads less far than this is stuck.
const LEAST: f32 = 1.0;
/// An obstacle is forgotten if the step ends nearly as high as its top.
const ON_TOP: f32 = 2.0;
/// How far above a point displacements are searched.
const SKY: f32 = 10_000.0;

impl Walker<'_> {
    /// The floor under the end of a trace, if one can stand on it.
    fn floor_below(&self, [x, y, z]: [f32; 3]) -> Option<Way> {
        let way = self.way([x, y, z], [x, y, z - self.rules.death_drop]);
        let [.., up] = way.trace.normal;
        (!way.trace.start_solid && way.trace.fraction < 1.0 && up >= SLOPE).then_some(way)
    }

    /// Walks to a point, up steps; returns its end on the floor.
    pub(super) fn walk(&self, from: [f32; 3], [x, y, z]: [f32; 3]) -> Option<Way> {
        let (mut start, mut end) = (from, [x, y, z]);
        // Every round advances by a unit.
        for round in 0..64 {
            let trace = self.way(start, end).trace;
            if trace.start_solid {
                return None;
            }
            let [ex, ey, _] = trace.end;
            if ex == x && ey == y {
                return self.floor_below(trace.end);
            }
            let [sx, sy, _] = start;
            if round > 0 && (ex - sx).hypot(ey - sy) < LEAST {
                return None;
            }
            let [fx, fy, fz] = self.floor_below(trace.end)?.trace.end;
            let up = self.way([fx, fy, fz], [fx, fy, fz + STEP_HEIGHT]).trace;
            start = up.end;
            let [.., high] = up.end;
            end = [x, y, high];
        }
        None
    }

    /// Climbs over an obstacle; returns the floor behind it, and how high one climbs.
    fn climb(&self, from: [f32; 3], to: [f32; 3]) -> Option<(Way, f32)> {
        let heights = std::iter::successors(Some(STEP_HEIGHT), |height| Some(height + 1.0));
        let mut heights = heights.take_while(|height| *height <= self.rules.climb);
        let height = self.map.first_free([from, to], LOW, HIGH, &mut heights)?;
        let ([fx, fy, fz], [tx, ty, _]) = (from, to);
        let across = self.way([fx, fy, fz + height], [tx, ty, fz + height]);
        let floor = self.floor_below(across.trace.end)?;
        let free = self.way([fx, fy, fz], [fx, fy, fz + height]).trace.fraction >= 1.0;
        free.then_some((floor, height))
    }

    /// The obstacle that is climbed at a height: the highest below that shows both of its ends tells where it stands.
    fn obstacle(&self, [fx, fy, fz]: [f32; 3], [tx, ty, _]: [f32; 3], height: f32) -> Obstacle {
        let below = std::iter::successors(Some(height - 1.0), |height| Some(height - 1.0));
        let ends = below.take_while(|height| *height >= STEP_HEIGHT).find_map(|height| {
            let (start, end) = ([fx, fy, fz + height], [tx, ty, fz + height]);
            let back = self.way(end, start).trace;
            let ends = length(minus(back.end, start));
            if back.start_solid || back.fraction >= 1.0 || ends > STEP {
                return None;
            }
            let begins = length(minus(self.way(start, end).trace.end, start));
            (begins <= STEP).then_some((begins, if ends == 0.0 { STEP } else { ends }))
        });
        let (start, end) = ends.unwrap_or((Obstacle::FREE.start, Obstacle::FREE.end));
        Obstacle { height, start, end }
    }

    /// A step of Source. `is_known` says whether a step has led to exactly this point before, which has room then.
    pub(super) fn source_step(
        &self,
        draft: &Draft,
        node: &Node,
        direction: Direction,
        is_known: impl Fn([f32; 3]) -> bool,
    ) -> Option<Step> {
        let from = node.at;
        let [fx, fy, fz] = from;
        let [x, y, _] = moved([snap(fx), snap(fy), fz], direction, STEP);
        let to = [x, y, fz];
        let walked = self.walk(from, to).map(|floor| (floor, 0.0));
        let (floor, height) = walked.or_else(|| self.climb(from, to))?;
        let at = floor.trace.end;
        let has_room = || is_known(at) || !(self.is_enclosed(draft, at) || self.is_under_displacement(at));
        if floor.sky || !has_room() {
            return None;
        }
        let [.., z] = at;
        let climbed = height >= STEP_HEIGHT && z - fz <= height - ON_TOP;
        let obstacle = if climbed { self.obstacle(from, to, height) } else { Obstacle::FREE };
        Some(Step { at, normal: floor.trace.normal, obstacle, on_displacement: floor.displacement })
    }

    /// Whether all four diagonal directions are blocked, or an area exists there.
    pub(super) fn is_enclosed(&self, draft: &Draft, [x, y, z]: [f32; 3]) -> bool {
        let diagonals = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
        let high = z + self.rules.half_human;
        diagonals.into_iter().all(|(dx, dy)| {
            if draft.old() > 0 && draft.area_at([x + dx, y + dy, high], self.rules.human).is_some() {
                return true;
            }
            let to = [x + dx * STEP, y + dy * STEP, high];
            !self.rules.gold && self.map.way([x, y, high], to, [-0.5; 3], [0.5; 3]).trace.fraction < 1.0
        })
    }

    /// Whether a displacement is above a point, so that it counts as underground.
    fn is_under_displacement(&self, [x, y, z]: [f32; 3]) -> bool {
        if !self.map.has_displacements() {
            return false;
        }
        let up = self.way([x, y, z], [x, y, z + SKY]).trace;
        if up.fraction <= 0.0 {
            return false;
        }
        let down = self.way(up.end, [x, y, z]);
        let [.., high] = down.trace.end;
        down.displacement && high > z + STEP_HEIGHT
    }

    /// The corners that require crouching, and those where nobody fits.
    pub(super) fn source_room(&self, at: [f32; 3]) -> Room {
        let [x, y, z] = at;
        let rises = self.way(at, [x, y, z + self.rules.jump_crouch]).trace;
        let [.., top] = rises.end;
        let [.., crouching] = HIGH;
        let fits = |low: [f32; 2], high: [f32; 2], up: f32, tall: f32| {
            let ([lx, ly], [hx, hy], here) = (low, high, [x, y, z + up]);
            self.map.is_way_free(here, here, [lx, ly, 0.0], [hx, hy, tall])
        };
        // On most ground there is room for a human all around.
        if z <= top && fits([-16.0, -16.0], [16.0, 16.0], 0.0, self.rules.human) {
            return Room::default();
        }
        let sides = [
            (corner::NW, [-16.0, -16.0], [0.0, 0.0]),
            (corner::NE, [0.0, -16.0], [16.0, 0.0]),
            (corner::SE, [0.0, 0.0], [16.0, 16.0]),
            (corner::SW, [-16.0, 0.0], [0.0, 16.0]),
        ];
        let mut room = Room::default();
        for ((corner, low, high), above) in sides.into_iter().zip(&mut room.above) {
            let ([lx, ly], [hx, hy]) = (low, high);
            let mut heights = (0_u8..=64).map(f32::from).take_while(|up| z + up <= top);
            let found = self.map.first_free([at, at], [lx, ly, 0.0], [hx, hy, crouching], &mut heights);
            *above = found.unwrap_or(self.rules.jump_crouch) as u8;
            match found {
                Some(up) if fits(low, high, up, self.rules.human) => {}
                Some(_) => room.crouch |= corner,
                None => {
                    room.crouch |= corner;
                    room.blocked |= corner;
                }
            }
        }
        room
    }
}

const _: () = assert!(LOW[2] == 0.0);
