//! Maps the world to the page: the visible part, its scale, and the floors that cover each other.

use super::plan::Plan;
use navmap_core::graph::{Axes, FlatGraph, NavGraph, Point, Raster, Shape, Up};

/// A rectangle of the page that shows a rectangle of the world, seen from above.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    axes: Axes,
    /// Left, top, width, height on the page: whole pixels.
    pub(super) frame: [f32; 4],
    /// Pixels per unit of the file.
    pub(super) scale: f32,
    /// The world position (right, up) of the frame's upper left corner.
    corner: [f32; 2],
}

/// The visible part: left, bottom, right, top in the plan of the world (file units).
pub(super) type Extent = [f32; 4];

/// Circles around waypoints are seen whole if they reach no further than this many metres, or than the whole mesh. Others would
/// leave nothing of it: bots take some radii for what no ground is.
const AROUND: f32 = 20.0;

/// The extent of a mesh with a small margin, never empty. Without a mesh, that of the plan.
pub(super) fn extent(graph: &FlatGraph, plan: Option<&Plan>) -> Extent {
    let axes = graph.axes();
    let mut seen = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
    let with = |[left, bottom, right, top]: Extent, at: Point, by: f32| {
        let [u, v, _] = axes.plan(at);
        [left.min(u - by), bottom.min(v - by), right.max(u + by), top.max(v + by)]
    };
    let corners = graph.nodes().iter().flat_map(|node| graph.corners(node));
    for corner in corners.filter(|corner| corner.is_finite()) {
        seen = with(seen, *corner, 0.0);
    }
    let most = (seen[2] - seen[0]).max(seen[3] - seen[1]).max(AROUND / axes.metres_per_unit);
    for node in graph.nodes() {
        if let Shape::Point { at, radius: Some(radius) } = graph.shape(node)
            && at.is_finite()
            && (0.0..=most).contains(&radius)
        {
            seen = with(seen, at, radius);
        }
    }
    if seen[0] > seen[2] {
        let corners = plan.into_iter().flat_map(Plan::corners).filter(|corner| corner.is_finite());
        for corner in corners {
            seen = with(seen, corner, 0.0);
        }
    }
    if seen[0] > seen[2] {
        seen = [-1.0, -1.0, 1.0, 1.0];
    }
    let longer = (seen[2] - seen[0]).max(seen[3] - seen[1]);
    let air = (longer * 0.03).max(1e-3 * seen[2].abs().max(seen[3].abs()).max(1.0));
    [seen[0] - air, seen[1] - air, seen[2] + air, seen[3] + air]
}

/// Makes an extent of a box in the file's own two horizontal coordinates (x and y, or x and z if y is up).
pub(super) fn boxed(axes: &Axes, [x0, y0, x1, y1]: [f32; 4]) -> Extent {
    let point = |x, y| match axes.up {
        Up::Z => Point::new(x, y, 0.0),
        Up::Y => Point::new(x, 0.0, y),
    };
    let ([u0, v0, _], [u1, v1, _]) = (axes.plan(point(x0, y0)), axes.plan(point(x1, y1)));
    [u0.min(u1), v0.min(v1), u0.max(u1), v0.max(v1)]
}

impl View {
    /// A view with the whole extent in the middle of the frame.
    pub(super) fn new(axes: Axes, frame: [f32; 4], [left, bottom, right, top]: Extent) -> Self {
        let (wide, high) = ((right - left).max(1e-6), (top - bottom).max(1e-6));
        let scale = (frame[2] / wide).min(frame[3] / high);
        let corner = [
            f32::midpoint(left, right) - frame[2] / scale / 2.0,
            f32::midpoint(bottom, top) + frame[3] / scale / 2.0,
        ];
        Self { axes, frame, scale, corner }
    }

    /// The position of a point on the page.
    pub(super) fn page(&self, p: Point) -> [f32; 2] {
        let [u, v, _] = self.axes.plan(p);
        self.plan_to_page([u, v])
    }

    pub(super) fn plan_to_page(&self, [u, v]: [f32; 2]) -> [f32; 2] {
        [self.frame[0] + (u - self.corner[0]) * self.scale, self.frame[1] + (self.corner[1] - v) * self.scale]
    }

    /// The part of the world in the frame: left, bottom, right, top.
    pub(super) fn shown(&self) -> Extent {
        let [left, top] = self.corner;
        [left, top - self.frame[3] / self.scale, left + self.frame[2] / self.scale, top]
    }

    /// Whether any of these points of the page may be visible.
    pub(super) fn sees(&self, points: &[[f32; 2]]) -> bool {
        let [x, y, w, h] = self.frame;
        let all = |outside: fn([f32; 2], [f32; 4]) -> bool| {
            points.iter().all(|p| outside(*p, [x, y, x + w, y + h]))
        };
        !(points.is_empty()
            || all(|p, f| p[0] < f[0])
            || all(|p, f| p[0] > f[2])
            || all(|p, f| p[1] < f[1])
            || all(|p, f| p[1] > f[3]))
    }
}

/// The relation of a polygon to other floors.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Stack {
    /// Another floor covers most of it.
    pub(super) covered: bool,
    /// Pieces of its outline that are above another floor, or above nothing if the polygon covers something.
    pub(super) rim: Vec<[[f32; 2]; 2]>,
    /// It covers another floor.
    pub(super) roof: bool,
}

/// Finds, for every polygon on the page with its height, the floors more than a storey above or below it.
///
/// Heights are kept in a raster of the page, with cells large enough that no file can make this slow.
pub(super) fn stacks(polygons: &[(&[[f32; 2]], f32)], frame: [f32; 4], storey: f32) -> Vec<Stack> {
    let raster = Raster::new(frame, 4.0, polygons.iter().map(|(points, _)| *points));
    let mut heights = vec![[f32::INFINITY, f32::NEG_INFINITY]; raster.len()];
    for (points, height) in polygons {
        raster.each_cell(points, |at| {
            heights[at] = [heights[at][0].min(*height), heights[at][1].max(*height)];
        });
    }
    // The cells are found once more, which takes less memory than to keep them.
    let stack_of = |(points, height): &(&[[f32; 2]], f32)| {
        let (mut all, mut under, mut over) = (0usize, 0usize, 0usize);
        raster.each_cell(points, |at| {
            let [low, high] = heights[at];
            all += 1;
            under += usize::from(high - height > storey);
            over += usize::from(height - low > storey);
        });
        let roof = over > 0;
        let goes_on = |at: usize| {
            let [low, high] = heights[at];
            (low - storey..=high + storey).contains(height) && high - height > -storey
        };
        let rim = if roof { rim_of(&raster, points, goes_on) } else { Vec::new() };
        Stack { covered: under * 2 > all, rim, roof }
    };
    polygons.iter().map(stack_of).collect()
}

/// The outline of the polygons' union: the pieces of their rims with no other polygon beyond.
pub(super) fn outline(polygons: &[Vec<[f32; 2]>], frame: [f32; 4]) -> Vec<[[f32; 2]; 2]> {
    let raster = Raster::new(frame, 4.0, polygons.iter().map(Vec::as_slice));
    let mut covered = vec![false; raster.len()];
    polygons.iter().for_each(|points| raster.each_cell(points, |cell| covered[cell] = true));
    polygons.iter().flat_map(|points| rim_of(&raster, points, |cell| covered[cell])).collect()
}

/// The pieces of an outline beyond which the floor does not continue.
fn rim_of(raster: &Raster, points: &[[f32; 2]], goes_on: impl Fn(usize) -> bool) -> Vec<[[f32; 2]; 2]> {
    let mut rim = Vec::new();
    let Some(&last) = points.last() else { return rim };
    let turn = points.iter().fold((0.0, last), |(sum, a), &b| (sum + a[0] * b[1] - b[0] * a[1], b)).0;
    let outwards = if turn < 0.0 { 1.0 } else { -1.0 } * raster.cell * 0.75;
    let mut a = last;
    for &b in points {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = dx.hypot(dy);
        let pieces = (length / (raster.cell * 2.0)).ceil().clamp(1.0, 64.0);
        for piece in 0..pieces as u8 {
            let at = |share: f32| [a[0] + dx * share, a[1] + dy * share];
            let [from, to] = [f32::from(piece), f32::from(piece) + 1.0].map(|n| at(n / pieces));
            let middle = at((f32::from(piece) + 0.5) / pieces);
            let beyond = [middle[0] - dy / length * outwards, middle[1] + dx / length * outwards];
            if raster.at(beyond).is_some_and(|at| !goes_on(at)) {
                rim.push([from, to]);
            }
        }
        a = b;
    }
    rim
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmap_core::graph::Shape;

    const SQUARE: [[f32; 2]; 4] = [[10.0, 10.0], [90.0, 10.0], [90.0, 90.0], [10.0, 90.0]];

    #[test]
    fn floors_know_what_lies_on_them() {
        let bridge = [[40.0, 0.0], [60.0, 0.0], [60.0, 100.0], [40.0, 100.0]];
        let frame = [0.0, 0.0, 100.0, 100.0];
        let found = stacks(&[(&SQUARE, 0.0), (&bridge, 100.0), (&SQUARE, 5.0)], frame, 50.0);
        assert!(!found[0].covered && !found[0].roof, "the bridge covers a quarter of it");
        assert!(!found[1].covered && found[1].roof);
        let found = stacks(&[(&bridge, 0.0), (&SQUARE, 100.0)], frame, 50.0);
        assert!(found[0].covered && !found[0].roof);
        let outside = [[500.0, 500.0], [600.0, 500.0], [550.0, 600.0]];
        assert_eq!(stacks(&[(&outside, 0.0), (&SQUARE, 100.0)], frame, 50.0)[0], Stack::default());
    }

    #[test]
    fn a_rim_is_where_the_upper_floor_ends() {
        let frame = [0.0, 0.0, 100.0, 100.0];
        let [left, right] =
            [[10.0, 50.0], [50.0, 90.0]].map(|[x0, x1]| [[x0, 40.0], [x1, 40.0], [x1, 60.0], [x0, 60.0]]);
        let found = stacks(&[(&SQUARE, 0.0), (&left, 100.0), (&right, 101.0)], frame, 50.0);
        let joint = |[a, b]: &[[f32; 2]; 2]| (a[0] - 50.0).abs() < 0.1 && (b[0] - 50.0).abs() < 0.1;
        for half in &found[1..] {
            assert!(!half.rim.is_empty() && !half.rim.iter().any(joint), "{:?}", half.rim);
        }
        assert!(found[0].rim.is_empty());
    }

    #[test]
    fn the_raster_stays_cheap_whatever_lies_on_it() {
        let frame = [0.0, 0.0, 4000.0, 4000.0];
        let whole = [[0.0, 0.0], [4000.0, 0.0], [4000.0, 4000.0], [0.0, 4000.0]];
        let many: Vec<(&[[f32; 2]], f32)> = (0..20_000).map(|h| (&whole[..], h as f32)).collect();
        let start = std::time::Instant::now();
        let found = stacks(&many, frame, 50.0);
        assert!(start.elapsed().as_secs() < 3);
        assert!(found[0].covered && found[19_999].roof && !found[19_999].covered);
    }

    #[test]
    fn the_whole_mesh_is_seen_and_up_is_up() {
        let mut graph = FlatGraph::new("face", Axes::y_up(1.0));
        let far = [Point::new(-5.0, 0.0, -20.0), Point::new(5.0, 0.0, 20.0), Point::new(0.0, f32::NAN, 1e30)];
        graph.add_node(0, Shape::Polygon(&far));
        let view = View::new(graph.axes(), [100.0, 50.0, 300.0, 400.0], extent(&graph, None));
        let (a, b) = (view.page(far[0]), view.page(far[1]));
        assert!(view.sees(&[a]) && view.sees(&[b]));
        assert!(a[1] < b[1], "smaller z is further up on the page");
        assert!(
            (f32::midpoint(a[0], b[0]) - 250.0).abs() < 0.01
                && (f32::midpoint(a[1], b[1]) - 250.0).abs() < 0.01
        );
        let nothing = FlatGraph::new("face", Axes::y_up(1.0));
        assert!(View::new(nothing.axes(), [0.0, 0.0, 10.0, 10.0], extent(&nothing, None)).scale.is_finite());
    }

    #[test]
    fn a_box_is_given_in_the_coordinates_of_the_file() {
        assert_eq!(boxed(&Axes::z_up(1.0), [3.0, 4.0, 1.0, 2.0]), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(boxed(&Axes::y_up(1.0), [1.0, 2.0, 3.0, 4.0]), [1.0, -4.0, 3.0, -2.0]);
    }
}
