//! Corners that are hard to hit: everybody gets round them, and who cannot get on says so.

use crate::pace::walk;
use crate::scenes::{TICK, rectangles};
use navmap::crowd::{Body, Crowd, CrowdOptions, Doing};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Passage, Point, Shape};
use navmap::query::{Corner, CornerFlags, Corridor, NavIndex, Outcome, PathScratch, Query};

const TICKS: [f32; 3] = [1.0 / 64.0, TICK, 0.3];

fn waypoint(graph: &mut FlatGraph, id: u64, [x, y]: [f32; 2], radius: f32) {
    graph.add_node(id, Shape::Point { at: Point::new(x, y, 0.0), radius: Some(radius) });
}

fn both_ways(graph: &mut FlatGraph, pairs: &[[u32; 2]], kind: LinkKind) {
    for [a, b] in pairs {
        for (from, to) in [(*a, *b), (*b, *a)] {
            graph.add_link(Link::new(from, to, kind));
        }
    }
}

/// Fails if somebody never arrives, or takes far longer than the way.
fn arrives(name: &str, graph: &FlatGraph, ends: [[f32; 3]; 2], body: impl Fn(Body) -> Body) {
    let index = NavIndex::build(graph).whole().unwrap();
    for tick in TICKS {
        let [took, ideal] =
            walk(&index, ends.map(Point::from), body(Body::person(&index)), tick).expect("a way");
        assert!(took < ideal * 2.0 + 3.0, "{name}, every {tick} s: {took} s for {ideal}");
    }
}

#[test]
fn a_turn_back_at_a_waypoint_without_a_radius_is_taken() {
    for degrees in [92.0_f32, 100.0, 120.0, 150.0, 175.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let mut graph = rectangles(0.0254);
        waypoint(&mut graph, 0, [0.0, 0.0], 0.0);
        waypoint(&mut graph, 1, [300.0, 0.0], 0.0);
        // On from the turn, and past it, where one runs who does not turn.
        waypoint(&mut graph, 2, [300.0 + 250.0 * cos, 250.0 * sin], 0.0);
        waypoint(&mut graph, 3, [500.0, 30.0], 0.0);
        both_ways(&mut graph, &[[0, 1], [1, 2], [1, 3]], LinkKind::Walk);
        let to = [300.0 + 250.0 * cos, 250.0 * sin, 0.0];
        arrives(&format!("{degrees} degrees"), &graph, [[0.0; 3], to], |body| body);
    }
}

#[test]
fn the_rim_of_a_wide_waypoint_is_reached_from_a_narrow_one() {
    let mut graph = rectangles(0.0254);
    waypoint(&mut graph, 0, [-300.0, 0.0], 0.0);
    waypoint(&mut graph, 1, [-158.0, 0.0], 0.0);
    waypoint(&mut graph, 2, [0.0, 194.0], 200.0);
    // Another line leads along the straight way.
    waypoint(&mut graph, 3, [300.0, 3.0], 0.0);
    both_ways(&mut graph, &[[0, 1], [1, 2], [1, 3]], LinkKind::Walk);
    arrives("the rim", &graph, [[-300.0, 0.0, 0.0], [-3.0, -3.0, 0.0]], |body| body);
}

#[test]
fn two_waypoints_in_one_place_are_one_step() {
    let mut graph = rectangles(0.0254);
    for (id, x) in (0..).zip([0.0, 200.0, 200.0, 400.0]) {
        waypoint(&mut graph, id, [x, 0.0], 0.0);
    }
    both_ways(&mut graph, &[[0, 1], [2, 3]], LinkKind::Walk);
    both_ways(&mut graph, &[[1, 2]], LinkKind::Ladder);
    arrives("one place", &graph, [[0.0; 3], [400.0, 0.0, 0.0]], |body| body);
}

#[test]
fn the_end_of_a_wall_is_rounded_where_the_way_leads_back_behind_it() {
    // Two halls with a wall between them, which ends at 10, 0. The side to the second hall leads back behind the wall.
    let mut graph = rectangles(1.0);
    for corners in [
        [[0.0, -1.0], [10.0, -1.0], [10.0, 0.0], [0.0, 0.0]],
        [[10.0, -1.0], [11.0, -1.0], [11.0, 0.0], [10.0, 0.0]],
        [[10.0, 0.0], [11.0, 0.0], [11.0, 1.0], [5.0, 1.0]],
        [[0.0, 0.0], [10.0, 0.0], [5.0, 1.0], [0.0, 1.0]],
    ] {
        graph.add_node(0, Shape::Polygon(&corners.map(|[x, y]| Point::new(x, y, 0.0))));
    }
    for (from, to, side) in [(0, 1, 1), (1, 0, 3), (1, 2, 2), (2, 1, 0), (2, 3, 3), (3, 2, 1)] {
        let passage = Passage { side: Some(side), ..Passage::NONE };
        graph.add_link(Link { passage, ..Link::new(from, to, LinkKind::Walk) });
    }
    for radius in [0.4, 2.0, 5.0] {
        for ends in [[[2.0, -0.5, 0.0], [2.0, 0.5, 0.0]], [[9.5, -0.2, 0.0], [0.5, 0.9, 0.0]]] {
            arrives(&format!("radius {radius}"), &graph, ends, |body| body.with_radius(radius));
        }
    }
}

/// Two squares of 100 with a gap of 8, and a link on foot over it with ends of its own, the first beside the square.
fn gap(begins: f32) -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    for x in [0.0, 108.0] {
        let corners = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)];
        graph.add_node(0, Shape::Polygon(&corners.map(|(u, v)| Point::new(x + u, v, 0.0))));
    }
    let path = [[begins, 50.0, 0.0], [108.0, 50.0, 0.0]].map(Point::from);
    graph.add_link(Link { path: Some(path), ..Link::new(0, 1, LinkKind::Walk) });
    graph
}

#[test]
fn a_gap_that_is_left_at_a_point_is_stepped_over() {
    // Inside of the square, on its side, beside it.
    for begins in [95.0, 100.0, 100.1, 104.0] {
        for from in [[20.0, 50.0, 0.0], [99.0, 1.0, 0.0], [100.0, 38.8, 0.0], [100.0, 90.0, 0.0]] {
            arrives(&format!("from {begins}"), &gap(begins), [from, [200.0, 80.0, 0.0]], |body| body);
        }
    }
}

#[test]
fn who_stands_at_the_edge_of_a_gap_is_told_to_go_on() {
    let index = NavIndex::build(&gap(100.0)).whole().unwrap();
    let [a, b] = [0, 1].map(|node| index.of_node(node).unwrap());
    let (mut scratch, mut corridor) = (PathScratch::new(&index), Corridor::new(&index));
    let found = scratch.path(&index, a, b, &Query::default()).unwrap();
    assert!(matches!(found, Outcome::Found { .. }));
    let ends = [[100.0, 50.0, 0.0], [200.0, 80.0, 0.0]].map(Point::from);
    corridor.follow(&index, &scratch, ends[0], ends[1]).unwrap();
    let mut next = [Corner::default()];
    corridor.corners(&index, &mut next).unwrap();
    assert_eq!(next[0].point, Point::new(108.0, 50.0, 0.0));
}

#[test]
fn sides_of_two_storeys_are_not_shared() {
    // A platform over a floor that reaches as far on one side. One goes down where the link says, on the other side.
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    for (x, y, z) in [(100.0, 100.0, 64.0), (300.0, 250.0, 0.0)] {
        let corners = [(0.0, 0.0), (x, 0.0), (x, y), (0.0, y)];
        graph.add_node(0, Shape::Polygon(&corners.map(|(u, v)| Point::new(u, v, z))));
    }
    let path = [[50.0, 100.0, 64.0], [50.0, 108.0, 0.0]].map(Point::from);
    graph.add_link(Link { path: Some(path), ..Link::new(0, 1, LinkKind::Walk) });
    let index = NavIndex::build(&graph).whole().unwrap();
    let [a, b] = [0, 1].map(|node| index.of_node(node).unwrap());
    let (mut scratch, mut corners) = (PathScratch::new(&index), [Corner::default(); 8]);
    let found = scratch.path(&index, a, b, &Query::default()).unwrap();
    assert!(matches!(found, Outcome::Found { .. }));
    let ends = [[80.0, 20.0, 64.0], [80.0, 240.0, 0.0]].map(Point::from);
    let count = scratch.corners(&index, ends[0], ends[1], &mut corners).unwrap();
    let points: Vec<[f32; 3]> = corners[..count].iter().map(|corner| corner.point.to_array()).collect();
    assert_eq!(points, [[80.0, 20.0, 64.0], [50.0, 100.0, 64.0], [50.0, 108.0, 0.0], [80.0, 240.0, 0.0]]);
    assert!(corners[..count].iter().all(|corner| !corner.is(CornerFlags::LEG)));
    arrives("down", &graph, ends.map(Point::to_array), |body| body);
}

#[test]
fn who_does_not_get_on_says_so() {
    let mut graph = rectangles(1.0);
    crate::scenes::floor(&mut graph, &[[0.0, 0.0, 20.0, 4.0]], 0.0);
    let index = NavIndex::build(&graph).whole().unwrap();
    let mut crowd = Crowd::new(&index, &CrowdOptions::default());
    let at = |x: f32, y: f32| Point::new(x, y, 0.0);
    let [held, free] = [3.0, 1.0].map(|y| crowd.add(&index, at(1.0, y), Body::person(&index)).unwrap());
    crowd.go(&index, held, at(18.0, 3.0)).unwrap();
    crowd.go(&index, free, at(18.0, 1.0)).unwrap();
    let mut seconds = 0.0;
    while crowd.agent(held).unwrap().doing != Doing::NoWay {
        crowd.tick(&index, TICK, &Query::default()).unwrap();
        // The game holds it where it is.
        crowd.moved(&index, held, at(1.0, 3.0)).unwrap();
        seconds += TICK;
        assert!(seconds < 90.0, "{:?}", crowd.agent(held));
    }
    // A round begins with less.
    assert!(seconds > 30.0, "{seconds}");
    assert_eq!(crowd.agent(free).unwrap().doing, Doing::Arrived);
    // Sent again, it goes.
    crowd.go(&index, held, at(18.0, 3.0)).unwrap();
    for _ in 0..200 {
        crowd.tick(&index, TICK, &Query::default()).unwrap();
    }
    assert_eq!(crowd.agent(held).unwrap().doing, Doing::Arrived);
}
