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

    /// Climbs over an obstacle; returns the end, and the obstacle.
    fn climb(&self, from: [f32; 3], to: [f32; 3]) -> Option<(Way, Obstacle)> {
        let ([fx, fy, fz], [tx, ty, _]) = (from, to);
        let mut obstacle = Obstacle::FREE;
        let mut height = STEP_HEIGHT;
        while height <= self.rules.climb {
            let (start, end) = ([fx, fy, fz + height], [tx, ty, fz + height]);
            let across = self.way(start, end);
            if across.is_free() {
                let floor = self.floor_below(across.trace.end)?;
                let free = self.way(from, start).trace.fraction >= 1.0;
                return free.then_some((floor, Obstacle { height, ..obstacle }));
            }
            let begins = length(minus(across.trace.end, start));
            let back = self.way(end, start).trace;
            if begins <= STEP && !back.start_solid && back.fraction < 1.0 {
                let ends = length(minus(back.end, start));
                if ends <= STEP {
                    obstacle.start = begins;
                    obstacle.end = if ends == 0.0 { STEP } else { ends };
                }
            }
            height += 1.0;
        }
        None
    }

    /// A step of Source.
    pub(super) fn source_step(&self, draft: &Draft, node: &Node, direction: Direction) -> Option<Step> {
        let [fx, fy, fz] = node.at;
        let [x, y, _] = moved([snap(fx), snap(fy), fz], direction, STEP);
        let walked = self.walk(node.at, [x, y, fz]).map(|floor| (floor, Obstacle::FREE));
        let (floor, mut obstacle) = walked.or_else(|| self.climb(node.at, [x, y, fz]))?;
        let at = floor.trace.end;
        if floor.sky || self.is_enclosed(draft, at) || self.is_under_displacement(at) {
            return None;
        }
        let [.., z] = at;
        if obstacle.height < STEP_HEIGHT || z - fz > obstacle.height - ON_TOP {
            obstacle = Obstacle::FREE;
        }
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
        let fits = |low: [f32; 2], high: [f32; 2], z: f32, tall: f32| {
            let ([lx, ly], [hx, hy]) = (low, high);
            !self.map.way([x, y, z], [x, y, z], [lx, ly, 0.0], [hx, hy, tall]).trace.start_solid
        };
        let sides = [
            (corner::NW, [-16.0, -16.0], [0.0, 0.0]),
            (corner::NE, [0.0, -16.0], [16.0, 0.0]),
            (corner::SE, [0.0, 0.0], [16.0, 16.0]),
            (corner::SW, [-16.0, 0.0], [0.0, 16.0]),
        ];
        let mut room = Room::default();
        for ((corner, low, high), above) in sides.into_iter().zip(&mut room.above) {
            let heights = (0_u8..=64).map(|h| (h, z + f32::from(h))).take_while(|(_, h)| *h <= top);
            let found = heights.into_iter().find(|(_, h)| fits(low, high, *h, crouching));
            *above = found.map_or(self.rules.jump_crouch as u8, |(by, _)| by);
            match found {
                Some((_, h)) if fits(low, high, h, self.rules.human) => {}
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
