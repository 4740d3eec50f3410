//! Straightened ways against the shortest line that touches all their portals, on meshes where points and portals lie on lines with
//! each other.

use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Shape};
use navmap::query::{Area, NavIndex, PathScratch, Query};
use navmap_testkit::bytes::Rng;

type P = [f64; 2];
/// Left, bottom, right, top.
type Rectangle = [u64; 4];

fn cross(a: P, b: P, c: P) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn along(a: P, b: P, c: P) -> f64 {
    (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1])
}

fn length(a: P, b: P) -> f64 {
    along(a, b, b).sqrt()
}

/// Whether a straight line touches all portals one after the other.
fn touches(p: P, q: P, portals: &[[P; 2]]) -> bool {
    let whole = along(p, q, q);
    let mut share = 0f64;
    portals.iter().all(|&[a, b]| {
        let (first, last) = match (cross(p, q, a), cross(p, q, b)) {
            _ if whole == 0.0 => {
                let on = cross(a, b, p) == 0.0 && along(p, a, b) <= 0.0;
                return on;
            }
            (0.0, 0.0) => {
                let [s, t] = [a, b].map(|end| along(p, q, end) / whole);
                (s.min(t).max(0.0), s.max(t).min(1.0))
            }
            (s, t) if s * t > 0.0 => return false,
            (s, t) => {
                // Where the line crosses the portal, as a share of the portal, then of the line.
                let on = s / (s - t);
                let at = [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * on);
                let share = along(p, q, at) / whole;
                if !(-1e-9..=1.0 + 1e-9).contains(&share) {
                    return false;
                }
                (share, share)
            }
        };
        share = share.max(first);
        last >= share - 1e-9
    })
}

/// The length of the shortest line from a point to another that touches all portals in order: over their ends, all pairs tried.
fn shortest(start: P, goal: P, portals: &[[P; 2]]) -> f64 {
    let ends = portals.iter().zip(0..).flat_map(|(portal, at)| portal.map(|end| (end, at)));
    let last = portals.len() as isize;
    let bends: Vec<(P, isize)> =
        std::iter::once((start, -1)).chain(ends).chain(std::iter::once((goal, last))).collect();
    let mut best = vec![f64::INFINITY; bends.len()];
    best[0] = 0.0;
    for (at, &(q, behind)) in bends.iter().enumerate() {
        for (from, &(p, before)) in bends[..at].iter().enumerate() {
            let between =
                if before < behind { &portals[(before + 1) as usize..behind as usize] } else { continue };
            let long = best[from] + length(p, q);
            if long < best[at] && touches(p, q, between) {
                best[at] = long;
            }
        }
    }
    best[bends.len() - 1]
}

/// Cuts a square into rectangles of whole numbers, and leaves some out.
fn rectangles(rng: &mut Rng) -> Vec<Rectangle> {
    let mut open = vec![([0, 0, 8, 8], 2 + rng.below(5))];
    let mut done = Vec::new();
    while let Some(([x0, y0, x1, y1], depth)) = open.pop() {
        let wide = x1 - x0 >= 2 && (rng.below(2) == 0 || y1 - y0 < 2);
        if depth == 0 || (x1 - x0 < 2 && y1 - y0 < 2) {
            if rng.below(8) > 0 {
                done.push([x0, y0, x1, y1]);
            }
        } else if wide {
            let middle = x0 + 1 + rng.below(x1 - x0 - 1);
            open.extend([([x0, y0, middle, y1], depth - 1), ([middle, y0, x1, y1], depth - 1)]);
        } else {
            let middle = y0 + 1 + rng.below(y1 - y0 - 1);
            open.extend([([x0, y0, x1, middle], depth - 1), ([x0, middle, x1, y1], depth - 1)]);
        }
    }
    done
}

fn graph(of: &[Rectangle]) -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    for &[x0, y0, x1, y1] in of {
        let corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
        let corners = corners.map(|[x, y]| Point::new(x as f32, y as f32, 0.0));
        graph.add_node(graph.nodes().len() as u64 + 1, Shape::Polygon(&corners));
    }
    for (from, a) in of.iter().enumerate() {
        for (to, b) in of.iter().enumerate() {
            let over = |axis: usize| a[axis].max(b[axis]) < a[axis + 2].min(b[axis + 2]);
            let meets = |axis: usize| a[axis + 2] == b[axis] || a[axis] == b[axis + 2];
            if (meets(0) && over(1)) || (meets(1) && over(0)) {
                graph.add_link(Link::new(from as u32, to as u32, LinkKind::Walk));
            }
        }
    }
    graph
}

#[test]
fn a_straightened_way_is_the_shortest_through_its_portals_also_along_their_lines() {
    let mut rng = Rng(17);
    let (mut ways, mut on_sides) = (0, 0);
    for _ in 0..400 {
        let of = rectangles(&mut rng);
        if of.len() < 2 {
            continue;
        }
        let index = NavIndex::build(&graph(&of)).whole().unwrap();
        let mut scratch = PathScratch::new(&index);
        for _ in 0..40 {
            let [from, to] = [0; 2].map(|_| rng.below(of.len() as u64) as usize);
            let [a, b] = [from, to].map(|node| index.of_node(node as u32).unwrap());
            if scratch.path(&index, a, b, &Query::shortest()).unwrap().cost().is_none() {
                continue;
            }
            // Halves of a unit: inside, on sides, at corners.
            let mut within = |[x0, y0, x1, y1]: Rectangle| {
                [x0 * 2 + rng.below((x1 - x0) * 2 + 1), y0 * 2 + rng.below((y1 - y0) * 2 + 1)]
                    .map(|v| v as f64 / 2.0)
            };
            let [start, goal] = [within(of[from]), within(of[to])];
            let points = [start, goal].map(|[x, y]| Point::new(x as f32, y as f32, 0.0));
            let areas: Vec<Area> = scratch.steps(&index).map(|step| step.area).collect();
            let portals: Vec<[P; 2]> = areas
                .windows(2)
                .map(|pair| index.portal(pair[0], pair[1]).unwrap())
                .map(|portal| [portal.left, portal.right].map(|end| [f64::from(end.x), f64::from(end.y)]))
                .collect();
            let mut corners = Vec::new();
            scratch
                .each_bend(&index, points[0], points[1], |corner| {
                    corners.push([f64::from(corner.x), f64::from(corner.y)])
                })
                .unwrap();
            let walked: f64 = corners.windows(2).map(|pair| length(pair[0], pair[1])).sum();
            let best = shortest(start, goal, &portals);
            assert!(
                (walked - best).abs() < 1e-6,
                "{start:?} to {goal:?} by {portals:?}: {corners:?}, {walked} for {best}"
            );
            ways += 1;
            on_sides += u32::from([start, goal].iter().any(|p| p.iter().any(|v| v.fract() == 0.0)));
        }
    }
    assert!(ways > 5_000 && on_sides > 2_000, "{ways} {on_sides}");
}

/// An area of a mesh, by the walk over it that was too long: the goal on the border of two areas, the start at a wall.
#[test]
fn a_goal_on_a_border_is_not_walked_past() {
    let graph = graph(&[[0, 0, 8, 4], [0, 4, 8, 8]]);
    let index = NavIndex::build(&graph).whole().unwrap();
    let [a, b] = [0, 1].map(|node| index.of_node(node).unwrap());
    let mut scratch = PathScratch::new(&index);
    assert!(scratch.path(&index, a, b, &Query::shortest()).unwrap().cost().is_some());
    for (start, goal) in [([1.0, 4.0], [3.0, 4.0]), ([7.0, 4.0], [2.0, 4.0]), ([2.0, 4.0], [5.0, 7.0])] {
        let [start, goal] = [start, goal].map(|[x, y]| Point::new(x, y, 0.0));
        let mut corners = [Point::default(); 4];
        assert_eq!(scratch.straighten(&index, start, goal, &mut corners), Ok(2));
        assert_eq!(corners[..2], [start, goal]);
    }
}
