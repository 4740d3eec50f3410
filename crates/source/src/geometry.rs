//! Rectangles and points as the engine measures them, in `f32`. `docs/formats/source-edit.md`, section 2.

use crate::flags::Direction;
use crate::record::Shape;

/// The step of generation, and of the grid.
pub(super) const STEP: f32 = 25.0;
/// Half the height of a human.
pub(super) const HALF_HUMAN: f32 = 35.5;

/// Low and high edge in x (axis 0) or y (axis 1).
pub(super) fn edges(shape: &Shape, axis: Axis) -> [f32; 2] {
    let ([x0, y0, _], [x1, y1, _]) = (shape.north_west(), shape.south_east());
    match axis {
        Axis::X => [x0, x1],
        Axis::Y => [y0, y1],
    }
}

/// A horizontal axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    X,
    Y,
}

impl Axis {
    pub(super) const BOTH: [Self; 2] = [Self::X, Self::Y];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
        }
    }

    /// The axis along the edge on this side, which neighbours share.
    pub(super) fn along(direction: Direction) -> Self {
        match direction {
            Direction::North | Direction::South => Self::X,
            Direction::East | Direction::West => Self::Y,
        }
    }
}

/// The overlap of two rectangles on an axis. If they do not overlap, the negative gap between them.
pub(super) fn overlap(a: &Shape, b: &Shape, axis: Axis) -> f32 {
    let ([a0, a1], [b0, b1]) = (edges(a, axis), edges(b, axis));
    a1.min(b1) - a0.max(b0)
}

/// Half the width of the portal over this side, clamped to the edge of `from`; never negative.
pub(super) fn half_portal(from: &Shape, to: &Shape, direction: Direction) -> f32 {
    let axis = Axis::along(direction);
    let ([a0, a1], [b0, b1]) = (edges(from, axis), edges(to, axis));
    let clamp = |value: f32| value.max(a0).min(a1);
    0.5 * (clamp(a1.min(b1)) - clamp(a0.max(b0)))
}

/// The side with the largest portal from one to the other, and half its width. `None` if there is none.
pub(super) fn largest_portal(from: &Shape, to: &Shape) -> Option<(Direction, f32)> {
    let ([fx, fy, _], [tx, ty, _]) = (from.center(), to.center());
    let (dx, dy) = (tx - fx, ty - fy);
    let sides = [
        (Direction::North, dy < 0.0),
        (Direction::East, dx > 0.0),
        (Direction::South, dy > 0.0),
        (Direction::West, dx < 0.0),
    ];
    let mut best = None;
    for (direction, considered) in sides {
        let half = half_portal(from, to, direction);
        if considered && half > best.map_or(0.0, |(_, half)| half) {
            best = Some((direction, half));
        }
    }
    best
}

/// The squared distance from a point to an area, as the engine measures it: beside an edge only the distance perpendicular to it
/// counts, at a corner the distance in space, above and below the difference in height.
pub(super) fn distance_squared(shape: &Shape, [x, y, z]: [f32; 3]) -> f32 {
    let ([x0, x1], [y0, y1]) = (edges(shape, Axis::X), edges(shape, Axis::Y));
    let [nw, ne, se, sw] = shape.corners();
    let to = |[cx, cy, cz]: [f32; 3]| (cx - x) * (cx - x) + (cy - y) * (cy - y) + (cz - z) * (cz - z);
    let square = |d: f32| d * d;
    match (x < x0, x > x1, y < y0, y > y1) {
        (true, _, true, _) => to(nw),
        (true, _, _, true) => to(sw),
        (true, ..) => square(x0 - x),
        (_, true, true, _) => to(ne),
        (_, true, _, true) => to(se),
        (_, true, ..) => square(x1 - x),
        (_, _, true, _) => square(y0 - y),
        (_, _, _, true) => square(y1 - y),
        _ => square(shape.height_at(x, y) - z),
    }
}

/// Whether one area leads to another across a gap: they face each other, less than 75 apart seen from above, and the other is not
/// above stairs.
pub(super) fn bridges(from: &Shape, to: &Shape, direction: Direction, stairs: bool) -> bool {
    let point = closest_point(from, to.center());
    let other = closest_point(to, point);
    let point = closest_point(from, other);
    let [dx, dy, dz] = minus(other, point);
    half_portal(from, to, direction) > 0.0 && dx.hypot(dy) < 75.0 && !(stairs && dz > 18.0)
}

/// The point of an area that is nearest to another, seen from above.
pub(super) fn closest_point(shape: &Shape, [x, y, _]: [f32; 3]) -> [f32; 3] {
    let ([x0, x1], [y0, y1]) = (edges(shape, Axis::X), edges(shape, Axis::Y));
    let (x, y) = (x.max(x0).min(x1), y.max(y0).min(y1));
    [x, y, shape.height_at(x, y)]
}

pub(super) fn length([x, y, z]: [f32; 3]) -> f32 {
    (x * x + y * y + z * z).sqrt()
}

pub(super) fn minus([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ax - bx, ay - by, az - bz]
}

pub(super) fn plus([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ax + bx, ay + by, az + bz]
}

/// The engine's `RoundToUnits`: halves go away from zero.
pub(super) fn snap(value: f32, unit: i32) -> f32 {
    let half = 0.5 * unit as f32;
    let rounded = if value < 0.0 { value - half } else { value + half };
    ((rounded as i32).checked_div(unit).unwrap_or(0)).saturating_mul(unit) as f32
}

/// Heights of the corners: north-west, north-east, south-east, south-west.
pub(super) fn heights(shape: &Shape) -> [f32; 4] {
    shape.corners().map(|[.., z]| z)
}

/// The same rectangle with other heights.
pub(super) fn with_heights(shape: &Shape, heights: [f32; 4]) -> Shape {
    let ([x0, y0, _], [x1, y1, _]) = (shape.north_west(), shape.south_east());
    Shape::from_extent([x0, y0], [x1, y1], heights)
}

/// The four numbers of the footprint of an area, as messages print them.
pub(super) fn numbers(shape: &Shape) -> [f32; 8] {
    let ([x0, y0, _], [x1, y1, _]) = (shape.north_west(), shape.south_east());
    let [nw, ne, se, sw] = heights(shape);
    [x0, y0, x1, y1, nw, ne, se, sw]
}

/// The two parts of a rectangle cut across an axis. Outer corners keep their heights. The engine recomputes all but two of them,
/// so its heights may differ in the last bit: `exact` does the same.
pub(super) fn halves(old: &Shape, axis: Axis, cut: f32, exact: bool) -> [Shape; 2] {
    let ([x0, y0, _], [x1, y1, _]) = (old.north_west(), old.south_east());
    let z = |x, y| old.height_at(x, y);
    let [nw, mut ne, se, mut sw] = heights(old);
    if exact {
        (ne, sw) = (z(x1, y0), z(x0, y1));
    }
    match axis {
        Axis::Y => [
            Shape::from_extent([x0, y0], [x1, cut], [nw, ne, z(x1, cut), z(x0, cut)]),
            Shape::from_extent([x0, cut], [x1, y1], [z(x0, cut), z(x1, cut), se, sw]),
        ],
        Axis::X => [
            Shape::from_extent([x0, y0], [cut, y1], [nw, z(cut, y0), z(cut, y1), sw]),
            Shape::from_extent([cut, y0], [x1, y1], [z(cut, y0), ne, se, z(cut, y1)]),
        ],
    }
}

/// Points along an edge from its north-western end, and the height of the first corner there: 0.5, 25.5 and so on.
pub(super) fn probes(shape: &Shape, side: Direction) -> Vec<([f32; 2], f32)> {
    /// The longest edge that the engine makes has 51.
    const MOST: u16 = 4096;
    let ([x0, y0, nw], [x1, y1, _]) = (shape.north_west(), shape.south_east());
    let (from, along, length, z) = match side {
        Direction::North => ([x0, y0], [1.0, 0.0], x1 - x0, nw),
        Direction::South => ([x0, y1], [1.0, 0.0], x1 - x0, shape.south_west_z()),
        Direction::East => ([x1, y0], [0.0, 1.0], y1 - y0, shape.north_east_z()),
        Direction::West => ([x0, y0], [0.0, 1.0], y1 - y0, nw),
    };
    let steps = (0..MOST).map(|n| f32::from(n) * STEP).take_while(|n| *n < length - 1.0);
    let at = |n: f32| {
        let ([x, y], [ax, ay]) = (from, along);
        ([x + (n + 0.5) * ax, y + (n + 0.5) * ay], z)
    };
    steps.map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_snapped_away_from_zero() {
        let snapped = |unit| [37.49, 37.5, -12.5, -12.49].map(|value| snap(value, unit));
        assert_eq!(snapped(25), [25.0, 50.0, -25.0, 0.0]);
        assert_eq!(snapped(5), [35.0, 40.0, -15.0, -10.0]);
        assert_eq!(snapped(1), [37.0, 38.0, -13.0, -12.0]);
        assert_eq!((snap(12.5, 25), snap(0.5, 1), snap(1e30, 25)), (25.0, 1.0, 2_147_483_600.0));
    }

    fn flat(x: [f32; 2], y: [f32; 2]) -> Shape {
        Shape::from_extent([x[0], y[0]], [x[1], y[1]], [0.0; 4])
    }

    #[test]
    fn the_largest_portal_gives_the_side() {
        let a = flat([0.0, 100.0], [0.0, 100.0]);
        let b = flat([100.0, 200.0], [40.0, 140.0]);
        assert_eq!(largest_portal(&a, &b), Some((Direction::East, 30.0)));
        assert_eq!(largest_portal(&b, &a), Some((Direction::West, 30.0)));
        let diagonal = flat([100.0, 200.0], [100.0, 200.0]);
        assert_eq!(largest_portal(&a, &diagonal), None);
        assert_eq!(largest_portal(&diagonal, &a), None);
        assert_eq!(largest_portal(&a, &flat([0.0, 100.0], [0.0, 100.0])), None);
        assert_eq!(largest_portal(&a, &flat([50.0, 150.0], [0.0, 100.0])), Some((Direction::East, 50.0)));
        assert_eq!(largest_portal(&a, &flat([50.0, 250.0], [50.0, 250.0])), Some((Direction::East, 25.0)));
    }

    #[test]
    fn distance_beside_an_edge_counts_across_it_alone() {
        let a = flat([0.0, 100.0], [0.0, 100.0]);
        assert_eq!(distance_squared(&a, [-10.0, 50.0, 999.0]), 100.0);
        assert_eq!(distance_squared(&a, [-3.0, -4.0, 12.0]), 169.0);
        assert_eq!(distance_squared(&a, [50.0, 50.0, -7.0]), 49.0);
    }

    #[test]
    fn v74_an_edge_is_probed_every_25_units_up_to_a_unit_before_its_end() {
        let count = |length: f32| {
            let shape = Shape::from_extent([0.0, 0.0], [length, 10.0], [0.0; 4]);
            let at: Vec<f32> = probes(&shape, Direction::North).into_iter().map(|([x, _], _)| x).collect();
            at
        };
        assert_eq!(count(1.0), [0.0; 0]);
        assert_eq!(count(26.0), [0.5]);
        assert_eq!(count(51.0), [0.5, 25.5]);
        assert_eq!(count(51.5), [0.5, 25.5, 50.5]);
    }
}
