//! A node as seen from above: its outline, and its overlap with another.

use navmap_core::graph::{FlatGraph, FlatNode, NavGraph, Shape};

/// Right on the page, up on the page, height, in units of the file.
pub(super) type Position = [f64; 3];

/// The most corners of an outline; real formats have fewer, except for polygons of thousands. Beyond it, the box replaces the
/// outline, so that cutting one outline with another takes bounded time.
const MOST_CORNERS: usize = 64;

/// A node as seen from above. Its corners stay in the graph, as there is an outline of every node.
#[derive(Debug, Clone)]
pub(super) struct Outline {
    /// Smallest and largest coordinates.
    pub(super) bounds: [[f32; 3]; 2],
    /// Area from above, in square units.
    pub(super) area: f64,
    /// Whether it is a waypoint.
    pub(super) point: bool,
}

impl Outline {
    /// The outline of a node. `None` if it has no corner, or one that is not finite.
    pub(super) fn of(graph: &FlatGraph, node: &FlatNode) -> Option<Self> {
        let axes = graph.axes();
        let corners = graph.corners(node);
        let places = || corners.iter().map(|at| axes.plan(*at));
        if corners.is_empty() || places().flatten().any(|v| !v.is_finite()) {
            return None;
        }
        let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for corner in places() {
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(corner[axis]);
                bounds[1][axis] = bounds[1][axis].max(corner[axis]);
            }
        }
        let point = matches!(graph.shape(node), Shape::Point { .. });
        let outline = Self { bounds, area: 0.0, point };
        let twice = outline.ring(graph, node, twice_area);
        Some(Self { area: twice.abs() / 2.0, ..outline })
    }

    /// Hands the corners in their order to `with`.
    fn ring<T>(&self, graph: &FlatGraph, node: &FlatNode, with: impl FnOnce(&[Position]) -> T) -> T {
        let (axes, corners) = (graph.axes(), graph.corners(node));
        let mut places = [[0.0; 3]; MOST_CORNERS];
        if corners.len() > MOST_CORNERS {
            let [[west, south, _], [east, north, _]] = self.bounds.map(|corner| corner.map(f64::from));
            let z = center(graph, node)[2];
            return with(&[[west, south, z], [east, south, z], [east, north, z], [west, north, z]]);
        }
        places.iter_mut().zip(corners).for_each(|(place, at)| *place = axes.plan(*at).map(f64::from));
        with(&places[..corners.len()])
    }

    /// The corners, counter-clockwise. Empty for a waypoint, and for a polygon without area from above.
    fn corners(&self, graph: &FlatGraph, node: &FlatNode) -> Vec<Position> {
        if !self.has_surface() || self.point {
            return Vec::new();
        }
        let mut corners = self.ring(graph, node, <[Position]>::to_vec);
        if twice_area(&corners) < 0.0 {
            corners.reverse();
        }
        corners
    }

    /// Whether the outline has an area from above.
    pub(super) fn has_surface(&self) -> bool {
        self.area > 0.0
    }

    /// Whether two outlines share no surface, as their boxes tell.
    pub(super) fn misses(&self, other: &Self) -> bool {
        let misses = |axis: usize| {
            self.bounds[1][axis] <= other.bounds[0][axis] || other.bounds[1][axis] <= self.bounds[0][axis]
        };
        misses(0) || misses(1) || !self.has_surface() || !other.has_surface()
    }

    /// The area in the boxes around both, no more than that of either outline, if their heights differ by at most `apart`.
    pub(super) fn shared_box(&self, other: &Self, apart: f64) -> f64 {
        let both = |axis: usize| {
            let low = self.bounds[0][axis].max(other.bounds[0][axis]);
            f64::from(self.bounds[1][axis].min(other.bounds[1][axis])) - f64::from(low)
        };
        if self.misses(other) || both(2) < -apart {
            return 0.0;
        }
        (both(0) * both(1)).min(self.area).min(other.area)
    }

    /// The area in both outlines, in square units, if their heights there differ by at most `apart`. Outlines are assumed convex.
    /// Each comes with its node.
    pub(super) fn shared(
        &self,
        (graph, node): (&FlatGraph, &FlatNode),
        other: &Self,
        (other_graph, other_node): (&FlatGraph, &FlatNode),
        apart: f64,
    ) -> f64 {
        if self.misses(other) {
            return 0.0;
        }
        // The order of the two is fixed, so that rounding does not depend on the caller's.
        let key = |outline: &Self, [x, y, _]: Position| (outline.area, x, y);
        let centers = [center(graph, node), center(other_graph, other_node)];
        let own = self.corners(graph, node);
        let others = other.corners(other_graph, other_node);
        let is_first = key(self, centers[0]) <= key(other, centers[1]);
        let both = if is_first { cut(&own, &others) } else { cut(&others, &own) };
        let shared = twice_area(&both).abs() / 2.0;
        if shared == 0.0 {
            return 0.0;
        }
        let count = both.len() as f64;
        let middle = both.iter().fold([0.0; 2], |[x, y], p| [x + p[0] / count, y + p[1] / count]);
        let heights = [height_at(&own, middle), height_at(&others, middle)];
        if (heights[0] - heights[1]).abs() <= apart { shared } else { 0.0 }
    }
}

/// The steps of comparing outlines of so many corners.
pub(super) fn steps(own: usize, others: usize) -> u64 {
    // What has more is a box, but its middle is that of all corners.
    let ring = |corners: usize| if corners > MOST_CORNERS { 4 } else { corners as u64 };
    (ring(own) + 1) * (ring(others) + 1) + own as u64 + others as u64
}

/// The mean of a node's corners, each of which is finite.
pub(super) fn center(graph: &FlatGraph, node: &FlatNode) -> Position {
    let (axes, corners) = (graph.axes(), graph.corners(node));
    let mut center = [0.0; 3];
    for corner in corners.iter().map(|at| axes.plan(*at)) {
        (0..3).for_each(|axis| center[axis] += f64::from(corner[axis]) / corners.len() as f64);
    }
    center
}

/// The height at a point, on the triangle of the fan from the first corner that contains it; outside of all, the height of
/// the nearest corner.
fn height_at(corners: &[Position], [x, y]: [f64; 2]) -> f64 {
    let first = corners[0];
    for pair in corners[1..].windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let side = |p: Position, q: Position| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        let (of_b, of_first, of_a) = (side(first, a), side(a, b), side(b, first));
        let all = of_b + of_first + of_a;
        if all > 0.0 && of_b >= 0.0 && of_first >= 0.0 && of_a >= 0.0 {
            return (first[2] * of_first + a[2] * of_a + b[2] * of_b) / all;
        }
    }
    let away = |p: &&Position| (p[0] - x).powi(2) + (p[1] - y).powi(2);
    corners.iter().min_by(|a, b| away(a).total_cmp(&away(b))).map_or(first[2], |p| p[2])
}

fn twice_area(corners: &[Position]) -> f64 {
    let Some(first) = corners.first() else { return 0.0 };
    let cross = |a: &Position, b: &Position| {
        (a[0] - first[0]) * (b[1] - first[1]) - (a[1] - first[1]) * (b[0] - first[0])
    };
    corners.windows(2).map(|pair| cross(&pair[0], &pair[1])).sum()
}

/// The part of a polygon inside a convex, counter-clockwise one (Sutherland and Hodgman).
fn cut(polygon: &[Position], convex: &[Position]) -> Vec<Position> {
    let mut left = polygon.to_vec();
    for (at, &a) in convex.iter().enumerate() {
        let b = convex[(at + 1) % convex.len()];
        let inside = |p: &Position| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        let mut kept = Vec::with_capacity(left.len() + 1);
        for (at, p) in left.iter().enumerate() {
            let q = &left[(at + 1) % left.len()];
            let (from, to) = (inside(p), inside(q));
            if from >= 0.0 {
                kept.push(*p);
            }
            if (from > 0.0 && to < 0.0) || (from < 0.0 && to > 0.0) {
                let share = from / (from - to);
                kept.push([0, 1, 2].map(|axis| p[axis] + share * (q[axis] - p[axis])));
            }
        }
        left = kept;
        if left.len() < 3 {
            return Vec::new();
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::super::matching::Side;
    use super::*;
    use navmap_core::graph::{Axes, Point};

    fn square(x: f32, y: f32, z: f32, side: f32) -> (Outline, FlatGraph) {
        let corners =
            [[x, y, z], [x + side, y, z], [x + side, y + side, z], [x, y + side, z]].map(Point::from);
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        graph.add_node(1, Shape::Polygon(&corners));
        (Outline::of(&graph, &graph.nodes()[0]).unwrap(), graph)
    }

    #[test]
    fn what_two_outlines_share_is_counted_once_and_on_one_floor() {
        let a = square(0.0, 0.0, 0.0, 4.0);
        let shared = |(a, one): &(Outline, FlatGraph), (b, other): &(Outline, FlatGraph)| {
            a.shared((one, &one.nodes()[0]), b, (other, &other.nodes()[0]), 1.0)
        };
        assert_eq!(shared(&a, &square(2.0, 2.0, 0.0, 4.0)), 4.0);
        assert_eq!(shared(&a, &square(1.0, 1.0, 0.0, 2.0)), 4.0);
        assert_eq!(shared(&square(1.0, 1.0, 0.0, 2.0), &a), 4.0);
        assert_eq!(shared(&a, &square(4.0, 0.0, 0.0, 4.0)), 0.0, "an edge is no surface");
        assert_eq!(shared(&a, &square(0.0, 0.0, 9.0, 4.0)), 0.0, "a floor above is another");
        assert_eq!(shared(&a, &square(0.0, 0.0, 0.5, 4.0)), 16.0);
    }

    #[test]
    fn an_outline_needs_finite_corners() {
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        graph.add_node(1, Shape::Polygon(&[Point::new(f32::NAN, 0.0, 0.0)]));
        graph.add_node(2, Shape::Polygon(&[]));
        graph.add_node(3, Shape::Polygon(&[Point::new(0.0, f32::NEG_INFINITY, 0.0), Point::default()]));
        assert!(graph.nodes().iter().all(|node| Outline::of(&graph, node).is_none()));
        let side = Side::new(&graph);
        assert!((0..3).all(|at| side.center(at).is_none()));
    }
}
