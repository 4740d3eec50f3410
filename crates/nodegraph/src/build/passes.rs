//! Which hulls get through.

use super::super::flags::{Hull, HullBox, Moves, SOURCE_HULLS};
use super::pieces::Way;
use navmap_core::graph::Point;

/// What is solid on a map.
pub trait Room {
    /// How far a box gets from one point to another, before something that stops characters: 1 for all the way, 0 if it starts
    /// in something. The box reaches from `low` to `high` around the point.
    fn sweep(&self, from: [f32; 3], to: [f32; 3], low: [f32; 3], high: [f32; 3]) -> f32;
}

impl<F> Room for F
where
    F: Fn([f32; 3], [f32; 3], [f32; 3], [f32; 3]) -> f32,
{
    fn sweep(&self, from: [f32; 3], to: [f32; 3], low: [f32; 3], high: [f32; 3]) -> f32 {
        self(from, to, low, high)
    }
}

/// How wide a player is. The middle of one is where a mesh has areas.
const PLAYER: f32 = 32.0;

/// How high a player is who crouches.
const CROUCHED: f32 = 36.0;

/// How high a step is.
const STEP: f32 = 18.0;

/// How far apart the floor is looked for.
const STRIDE: f32 = 16.0;

/// How many strides a link has at most.
const STRIDES: f32 = 256.0;

/// A hull whose size is not known is taken for a large one.
const UNKNOWN: HullBox = HullBox { half_width: 40.0, min_z: 0.0, max_z: 100.0 };

fn bounds(hull: usize) -> HullBox {
    u8::try_from(hull).ok().and_then(|hull| SOURCE_HULLS.bounds(Hull(hull))).unwrap_or(UNKNOWN)
}

fn size(hull: usize) -> (f32, f32) {
    let HullBox { half_width, min_z, max_z } = bounds(hull);
    (half_width, max_z - min_z)
}

/// How each hull passes a way, by its width and by whether players have to crouch.
pub(super) fn guessed(hulls: u8, way: &Way) -> Vec<u8> {
    let moves = if way.jump { Moves::JUMP } else { Moves::GROUND };
    let fits = |hull: usize| {
        let (half_width, height) = size(hull);
        way.width + PLAYER >= 2.0 * half_width && (!way.low || height <= CROUCHED)
    };
    (0..hulls.into()).map(|hull| if fits(hull) { moves.0 } else { 0 }).collect()
}

/// How each hull climbs: those that the engine lets climb are no wider than 18 and stand.
pub(super) fn climbing(hulls: u8) -> Vec<u8> {
    let climbs = |hull: usize| bounds(hull).half_width <= 18.0;
    (0..hulls.into()).map(|hull| if climbs(hull) { Moves::CLIMB.0 } else { 0 }).collect()
}

/// How each hull gets from one point on the floor to another. A hull that fits into one that got through is not traced.
pub(super) fn traced(room: &dyn Room, hulls: u8, [a, b]: [Point; 2], jump: bool) -> Vec<u8> {
    let moves = if jump { Moves::JUMP } else { Moves::GROUND };
    let mut passed = vec![0; hulls.into()];
    let mut order: Vec<usize> = (0..hulls.into()).collect();
    order.sort_by(|a, b| size(*b).0.total_cmp(&size(*a).0).then(size(*b).1.total_cmp(&size(*a).1)));
    let mut through: Vec<(f32, f32)> = Vec::new();
    for hull in order {
        let (half_width, height) = size(hull);
        let inside = through.iter().any(|(wide, high)| half_width <= *wide && height <= *high);
        let body = Body { room, half_width, height };
        let fits = inside || if jump { body.jumps(a, b) } else { body.walks(a, b) || body.walks(b, a) };
        if fits {
            through.push((half_width, height));
            passed.get_mut(hull).into_iter().for_each(|passed| *passed = moves.0);
        }
    }
    passed
}

/// A box that stands.
struct Body<'r> {
    room: &'r dyn Room,
    half_width: f32,
    height: f32,
}

impl Body<'_> {
    fn sweep(&self, from: Point, to: Point) -> f32 {
        let wide = self.half_width;
        self.room.sweep(from.to_array(), to.to_array(), [-wide, -wide, 0.0], [wide, wide, self.height])
    }

    fn is_free(&self, from: Point, to: Point) -> bool {
        self.sweep(from, to) >= 1.0
    }

    /// Whether it gets there in strides, over steps up and down.
    fn walks(&self, from: Point, to: Point) -> bool {
        let raised = |at: Point, by: f32| Point { z: at.z + by, ..at };
        // Over an even floor, half a step above it.
        if self.is_free(raised(from, STEP / 2.0), raised(to, STEP / 2.0)) {
            return true;
        }
        let (x, y) = (to.x - from.x, to.y - from.y);
        let strides = (x.hypot(y) / STRIDE).ceil().clamp(1.0, STRIDES);
        // A wide box rests on what lies beside the node as well.
        let mut at = raised(from, 1.0);
        if self.sweep(at, at) < 1.0 {
            let Some(free) =
                [STEP / 2.0, STEP].into_iter().map(|by| raised(from, by)).find(|at| self.is_free(*at, *at))
            else {
                return false;
            };
            at = free;
        }
        let mut stride = 1.0;
        while stride <= strides {
            let next = Point::new(from.x + x * stride / strides, from.y + y * stride / strides, at.z);
            let lift = [0.0, STEP].into_iter().find(|lift| {
                let over = raised(at, *lift);
                (*lift == 0.0 || self.is_free(at, over)) && self.is_free(over, raised(next, *lift))
            });
            let Some(lift) = lift else { return false };
            let over = raised(next, lift);
            let down = lift + STEP + 2.0;
            let fallen = self.sweep(over, raised(over, -down));
            if fallen >= 1.0 {
                return false;
            }
            at = raised(over, 0.05 - down * fallen);
            stride += 1.0;
        }
        (at.z - to.z).abs() <= STEP + 2.0
    }

    /// Whether it gets up beside the lower end, and over to the higher one.
    fn jumps(&self, a: Point, b: Point) -> bool {
        let (low, high) = if a.z <= b.z { (a, b) } else { (b, a) };
        let top = high.z + STEP / 2.0;
        let (start, over, end) =
            (Point { z: low.z + 1.0, ..low }, Point { z: top, ..low }, Point { z: top, ..high });
        self.is_free(start, over) && self.is_free(over, end)
    }
}
