//! A line or a box on its way, against one triangle.

use super::contents::Contents;
use super::trace::{GAP, Sweep, Trace, cross, dot, minus, part};

type Vec3 = [f32; 3];

/// Shortens a line by a two-sided triangle.
pub(super) fn line(sweep: &Sweep, [a, b, c]: [Vec3; 3], contents: Contents, best: &mut Trace) {
    let normal = cross(minus(b, a), minus(c, a));
    let length = dot(normal, normal).sqrt();
    let (from, to) = (dot(normal, minus(sweep.from, a)), dot(normal, minus(sweep.to, a)));
    if length <= 0.0 || (from > 0.0) == (to > 0.0) {
        return;
    }
    let at = sweep.at(from / (from - to));
    // A point on an edge belongs to both triangles, so nothing slips between them.
    let inside = |p: Vec3, q: Vec3| dot(normal, cross(minus(q, p), minus(at, p))) >= -1e-4 * length * length;
    if !(inside(a, b) && inside(b, c) && inside(c, a)) {
        return;
    }
    let fraction = ((from.abs() - GAP * length) / (from - to).abs()).max(0.0);
    if fraction < best.fraction {
        let side = if from > 0.0 { 1.0 } else { -1.0 } / length;
        hit(best, fraction, normal.map(|part| part * side), contents);
    }
}

/// A box on its way, as triangles meet it.
pub(super) struct Mover {
    half: Vec3,
    /// Its middle before it moves.
    middle: Vec3,
    way: Vec3,
    /// All that it passes through, and a bit more.
    around: [Vec3; 2],
}

impl Mover {
    pub(super) fn of(sweep: &Sweep) -> Self {
        let Sweep { from, to, low, high, .. } = *sweep;
        let each = |of: &dyn Fn([f32; 4]) -> f32| {
            [0, 1, 2].map(|axis| of([from, to, low, high].map(|point| part(point, axis))))
        };
        Self {
            half: each(&|[_, _, low, high]| 0.5 * (high - low)),
            middle: each(&|[from, _, low, high]| from + 0.5 * (high + low)),
            way: minus(to, from),
            around: [
                each(&|[from, to, low, _]| from.min(to) + low - 1.0),
                each(&|[from, to, _, high]| from.max(to) + high + 1.0),
            ],
        }
    }

    /// Whether a triangle lies to one side of all that the box passes through.
    pub(super) fn is_beside(&self, corners: &[Vec3; 3]) -> bool {
        let [low, high] = self.around;
        (0..3).any(|axis| {
            let along = corners.map(|corner| part(corner, axis));
            along.iter().all(|at| *at < part(low, axis)) || along.iter().all(|at| *at > part(high, axis))
        })
    }

    /// Shortens the way by a triangle: for each separating axis of the two convex bodies, finds the interval in which they overlap.
    pub(super) fn meet(&self, [a, b, c]: [Vec3; 3], contents: Contents, best: &mut Trace) {
        let Self { half, middle, way, .. } = *self;
        let corners = [a, b, c].map(|corner| minus(corner, middle));
        let [a, b, c] = corners;
        let edges = [minus(b, a), minus(c, b), minus(a, c)];
        let (mut enter, mut leave, mut normal) = (f32::NEG_INFINITY, f32::INFINITY, [0.0; 3]);
        // Whether they may still meet, by where the corners lie along an axis, how far the box reaches, and how fast it is along it.
        let mut meet_along = |axis: Vec3, [a, b, c]: [f32; 3], reach: f32, speed: f32| {
            let (low, high) = (a.min(b).min(c) - reach, a.max(b).max(c) + reach);
            if speed == 0.0 {
                return !(low > 0.0 || high < 0.0);
            }
            let (near, far) = if speed > 0.0 { (low, high) } else { (high, low) };
            let (begins, ends) = (near / speed, far / speed);
            if begins > enter {
                (enter, normal) = (begins, axis.map(|part| if speed > 0.0 { -part } else { part }));
            }
            leave = leave.min(ends);
            !(enter > leave || leave < 0.0 || enter > 1.0)
        };
        // Most triangles near the way are told apart by the axes of the box, along which nothing needs to be computed.
        let boxes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let told_apart = (0..3).zip(boxes).any(|(at, axis)| {
            let along = corners.map(|corner| part(corner, at));
            !meet_along(axis, along, part(half, at), part(way, at))
        });
        if told_apart {
            return;
        }
        let mut meets = |axis: Vec3| {
            let length = dot(axis, axis).sqrt();
            if length < 1e-6 {
                return true;
            }
            let axis = axis.map(|part| part / length);
            let ([x, y, z], [wide, deep, high]) = (axis, half);
            let reach = x.abs() * wide + y.abs() * deep + z.abs() * high;
            meet_along(axis, corners.map(|corner| dot(axis, corner)), reach, dot(axis, way))
        };
        let [first, second, _] = edges;
        let meet = meets(cross(first, second))
            && edges.iter().all(|edge| boxes.iter().all(|axis| meets(cross(*edge, *axis))));
        if !meet {
            return;
        }
        if enter < 0.0 {
            best.start_solid = true;
            if leave >= 1.0 {
                best.all_solid = true;
                hit(best, 0.0, [0.0; 3], contents);
            }
            return;
        }
        let speed = dot(normal, way).abs();
        let fraction = if speed > 0.0 { (enter - GAP / speed).max(0.0) } else { enter };
        if fraction < best.fraction {
            hit(best, fraction, normal, contents);
        }
    }
}

fn hit(best: &mut Trace, fraction: f32, normal: Vec3, contents: Contents) {
    (best.fraction, best.normal, best.contents) = (fraction, normal, contents);
    (best.entity, best.displacement, best.sky) = (None, true, false);
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    /// Whether a box touches a triangle: whether anything of it is left once all outside of the box is cut off.
    fn touches(middle: [f64; 3], half: [f64; 3], triangle: &[Vec3; 3]) -> bool {
        let mut rest: Vec<[f64; 3]> = triangle.iter().map(|corner| corner.map(f64::from)).collect();
        for (axis, side) in (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]) {
            let beyond = |at: &[f64; 3]| (at[axis] - middle[axis]) * side - half[axis];
            let mut cut = Vec::new();
            for (here, next) in rest.iter().zip(rest.iter().cycle().skip(1)) {
                let (a, b) = (beyond(here), beyond(next));
                if a <= 0.0 {
                    cut.push(*here);
                }
                if (a > 0.0) != (b > 0.0) {
                    cut.push([0, 1, 2].map(|axis| here[axis] + (next[axis] - here[axis]) * (a / (a - b))));
                }
            }
            rest = cut;
        }
        !rest.is_empty()
    }

    #[test]
    fn a_box_stops_where_it_would_touch_a_triangle_and_passes_all_others() {
        /// More than rounding moves anything by, and less than what is looked for.
        const SLACK: f64 = 0.01;
        const STEPS: u16 = 64;
        let mut state = 11_u64;
        let mut number = |from: f32, to: f32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            from + (to - from) * (state >> 40) as f32 / 16_777_216.0
        };
        let (mut stopped, mut solid, mut beside) = (0, 0, 0);
        for round in 0..60_000_u16 {
            let mut point = |size: f32| [0; 3].map(|_| number(-size, size));
            let (at, from, way) = (point(40.0), point(40.0), point(80.0));
            let triangle = [0; 3].map(|_| {
                let corner = point(30.0);
                [0, 1, 2].map(|axis| at[axis] + corner[axis])
            });
            let way = match round % 4 {
                0 => [way[0], way[1], 0.0],
                1 => [0.0, 0.0, way[2]],
                2 => way,
                _ => [0.0; 3],
            };
            let to = [0, 1, 2].map(|axis| from[axis] + way[axis]);
            let high = [number(1.0, 16.0), 16.0, number(1.0, 72.0)];
            let sweep = Sweep { from, to, low: [-high[0], -16.0, 0.0], high, mask: Contents::SOLID };
            let mover = Mover::of(&sweep);
            let mut trace = Trace::free(to);
            mover.meet(triangle, Contents::SOLID, &mut trace);
            let said = format!("{triangle:?}: {sweep:?}: {trace:?}");

            let touches_at = |fraction: f64, more: f64| {
                let along = |axis: usize| f64::from(mover.middle[axis]) + f64::from(way[axis]) * fraction;
                let half = mover.half.map(|half| f64::from(half) + more);
                touches([0, 1, 2].map(along), half, &triangle)
            };
            if mover.is_beside(&triangle) {
                assert!(trace.is_free(), "{said}");
                beside += 1;
            }
            if trace.start_solid {
                assert!(touches_at(0.0, SLACK), "{said}");
                assert!(!trace.all_solid || touches_at(1.0, SLACK), "{said}");
                solid += 1;
                continue;
            }
            // Where it would touch, a thirty-second of a unit further.
            let speed = f64::from(dot(trace.normal, way).abs());
            let meets = f64::from(trace.fraction) + f64::from(GAP) / speed;
            if trace.fraction > 0.0 && trace.fraction < 1.0 {
                assert!(touches_at(meets, SLACK), "{said}");
                stopped += 1;
            }
            let steps = (0..=STEPS).map(|step| f64::from(step) / f64::from(STEPS));
            for step in steps.filter(|step| *step < f64::from(trace.fraction)) {
                assert!(!touches_at(step, -SLACK), "at {step}: {said}");
            }
        }
        assert!(stopped > 2_000 && solid > 2_000 && beside > 2_000, "{stopped} {solid} {beside}");
    }
}
