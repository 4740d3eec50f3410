//! Ladders: their ends, direction, and the areas they lead to. `docs/formats/source-generate.md`, section 7.

use super::super::geometry::{STEP, closest_point, length, minus};
use super::draft::Draft;
use super::nodes::{NONE, moved};
use super::options::Within;
use super::walk::Walker;
use crate::flags::Direction;

/// The distance that must be free in front of an end.
const CLEAR: f32 = 32.0;
/// The step by which an end that is not free is moved inwards.
const PULL: f32 = 10.0;
/// Half the width of a human.
const OFF: f32 = 16.0;
/// The search distance for areas at the top. Twice as far behind, since the ladder leans on the wall.
const NEAR: f32 = 75.0;
/// The farthest that an area may be below the top.
const BENEATH: f32 = 120.0;

/// A ladder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rungs {
    pub(super) top: [f32; 3],
    pub(super) bottom: [f32; 3],
    pub(super) width: f32,
    pub(super) length: f32,
    pub(super) direction: Direction,
    /// The areas ahead, to the left and to the right of the top, behind it, and at the bottom; [`NONE`] for none.
    pub(super) areas: [u32; 5],
    /// Whether the ladder leads up from the area at the bottom.
    pub(super) climbs: bool,
    /// The area behind the top with a way down, which the ladder itself may not list.
    pub(super) behind: u32,
}

/// The direction to the left.
fn left_of(direction: Direction) -> Direction {
    match direction {
        Direction::North => Direction::West,
        Direction::West => Direction::South,
        Direction::South => Direction::East,
        Direction::East => Direction::North,
    }
}

impl Walker<'_> {
    fn is_open(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        self.map.way(from, to, [0.0; 3], [0.0; 3]).is_free()
    }

    /// A ladder in a box.
    pub(super) fn rungs(&self, [low, high]: &Within) -> Rungs {
        let ([x0, y0, z0], [x1, y1, z1]) = (*low, *high);
        let (x, y) = (0.5 * (x0 + x1), 0.5 * (y0 + y1));
        let (mut top, mut bottom) = ([x, y, z1], [x, y, z0]);
        let wide = x1 - x0 > y1 - y0;
        let (ahead, width) = if wide { (Direction::South, x1 - x0) } else { (Direction::East, y1 - y0) };
        // Shortened, in case the ladder touches the floor or the ceiling.
        let pull = if self.rules.gold { STEP } else { 0.5 * STEP };
        let (from, to) = (moved([x, y, z0 + pull], ahead, STEP), moved([x, y, z1 - pull], ahead, STEP));
        let direction = if self.is_open(from, to) { ahead } else { ahead.opposite() };
        let long = z1 - z0;
        let clear = |z: &f32| self.is_open([x, y, *z], moved([x, y, *z], direction, CLEAR));
        let steps =
            || (0_u16..).map(|step| PULL * f32::from(step)).take_while(move |t| *t <= long).take(4096);
        if let Some(z) = steps().map(|t| z0 + t).find(clear) {
            bottom = [x, y, z];
        }
        // As in the engine, from the bottom that was just found.
        let [.., from] = bottom;
        if let Some(z) = steps().map(|t| z1 - t).take_while(|z| *z >= from).find(clear) {
            top = [x, y, z];
        }
        let length = length(minus(top, bottom));
        Rungs { top, bottom, width, length, direction, areas: [NONE; 5], climbs: false, behind: NONE }
    }

    /// Links a ladder to the areas at its ends.
    pub(super) fn link_rungs(&self, draft: &Draft, rungs: &mut Rungs) {
        let Rungs { direction, .. } = *rungs;
        let in_front = |[x, y, z]: [f32; 3]| moved([x, y, z + STEP], direction, OFF);
        let (foot, head) = (in_front(rungs.bottom), in_front(rungs.top));
        let below = match self.rules.gold {
            true => BENEATH,
            false => BENEATH.min(rungs.top[2] - rungs.bottom[2] + OFF),
        };
        let bottom = draft.area_at(foot, BENEATH).or_else(|| {
            let [x, y, _] = foot;
            let floor = self.map.floor(foot)?;
            draft.nearest([x, y, floor.z + self.rules.half_human])
        });
        let find = |way: Direction, range: f32| {
            let found = self.first_area(draft, head, way, range, below).map(|(area, _)| area);
            found.filter(|area| Some(*area) != bottom)
        };
        let left = left_of(direction);
        let ahead = find(direction.opposite(), NEAR);
        let [left, right] = [left, left.opposite()].map(|way| find(way, NEAR));
        let behind = find(direction, 2.0 * NEAR);
        let found = [ahead, left, right, behind];
        let nearest = |area: u32| draft.get(area).map(|piece| closest_point(&piece.shape, rungs.top));
        let highest = found.into_iter().flatten().filter_map(nearest).map(|[.., z]| z).reduce(f32::max);
        let [tx, ty, _] = rungs.top;
        if let Some(z) = highest.filter(|z| self.rules.gold || *z > rungs.bottom[2] + 5.0) {
            rungs.top = [tx, ty, z];
        }
        rungs.climbs = bottom.and_then(|area| draft.get(area)).is_some_and(|piece| {
            let [.., z] = closest_point(&piece.shape, rungs.bottom);
            rungs.bottom[2] - z <= self.rules.human
        });
        rungs.behind = behind.unwrap_or(NONE);
        // Source discards the area behind at once.
        let listed = behind.filter(|_| self.rules.gold);
        rungs.areas = [ahead, left, right, listed, bottom].map(|area| area.unwrap_or(NONE));
    }
}
