//! The loop of the documentation, without shortcuts and to its end: along borders, over gaps, and among waypoints of all sizes.

use super::corridor::toward;
use super::*;
use navmap::query::{Outcome, Policy, World};
use navmap_testkit::corpus::bundled;

/// Follows a way in steps of a length, as the documentation does. Whether that leads to the goal.
fn arrives(index: &NavIndex, scratch: &PathScratch, [start, goal]: [Point; 2], step: f32) -> bool {
    let mut corridor = Corridor::new(index);
    corridor.follow(index, scratch, start, goal).unwrap();
    for _ in 0..5_000 {
        if corridor.is_at_goal(step * 0.5) {
            return true;
        }
        let mut next = [Corner::default()];
        corridor.corners(index, &mut next).unwrap();
        let (at, corner) = (corridor.position(), next[0].point);
        if next[0].is(CornerFlags::LEG) && at.distance(corner) < step {
            corridor.take_leg(index).unwrap();
        } else {
            corridor.advance(index, toward(at, corner, step)).unwrap();
        }
    }
    false
}

#[test]
fn a_way_along_borders_is_followed_to_its_end() {
    let world = World::open(bundled().join("source/town.nav"), &Policy::default()).unwrap();
    let index = world.index();
    let (mut rng, spots, mut scratch) = (Rng(61), index.spots(), PathScratch::new(index));
    let mut walked = 0;
    for round in 0..240 {
        // Between places of any kind, and from corner to corner, where borders meet.
        let ends = [0; 2].map(|_| {
            let (area, p) = index.random_point(&spots, || rng.f32(0.0, 1.0).into()).unwrap();
            let mut corners = [p; 4];
            index.corners(area, &mut corners);
            (area, if round % 2 == 0 { p } else { corners[rng.below(4) as usize] })
        });
        let [(a, start), (b, goal)] = ends;
        if matches!(scratch.path(index, a, b, &Query::default()), Ok(Outcome::Found { .. })) {
            assert!(arrives(index, &scratch, [start, goal], 4.5), "from {start:?} to {goal:?}");
            walked += 1;
        }
    }
    assert!(walked > 150, "{walked}");
}

#[test]
fn a_goal_that_goes_back_along_a_border_shortens_the_way() {
    // Two rooms behind each other, and one beside both. The goal goes back along the border between them.
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    graph.set_rules(Rules { surface: Surface::Bilinear, ..Rules::of_axes(Axes::z_up(0.0254)) });
    for [x0, y0, x1, y1] in [[0.0, 0.0, 100.0, 100.0], [100.0, 0.0, 200.0, 100.0], [0.0, 100.0, 200.0, 200.0]]
    {
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
        graph.add_node(0, Shape::Polygon(&corners.map(|(x, y)| Point::new(x, y, 0.0))));
    }
    for (from, to, side) in [(1, 2, 2), (2, 1, 0), (0, 2, 2), (2, 0, 0), (0, 1, 1), (1, 0, 3)] {
        let passage = Passage { side: Some(side), ..Passage::NONE };
        graph.add_link(Link { passage, ..Link::new(from, to, LinkKind::Walk) });
    }
    let index = NavIndex::build(&graph).whole().unwrap();
    let [a, b] = [0, 1].map(|node| index.of_node(node).unwrap());
    let mut scratch = PathScratch::new(&index);
    assert!(matches!(scratch.path(&index, a, b, &Query::default()), Ok(Outcome::Found { .. })));
    let mut corridor = Corridor::new(&index);
    corridor.follow(&index, &scratch, Point::new(10.0, 100.0, 0.0), Point::new(150.0, 100.0, 0.0)).unwrap();
    for x in (8..15).rev() {
        let slide = corridor.move_goal(&index, Point::new(x as f32 * 10.0, 100.0, 0.0)).unwrap();
        assert!(slide.arrived && corridor.len() == if x > 10 { 2 } else { 1 }, "{x}: {slide:?}");
    }
}

#[test]
fn a_gap_that_a_way_leads_over_on_foot_is_stepped_over() {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    graph.set_rules(Rules { surface: Surface::Bilinear, ..Rules::of_axes(Axes::z_up(0.0254)) });
    for x in [0.0, 125.0] {
        let corners = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)];
        graph.add_node(0, Shape::Polygon(&corners.map(|(u, v)| Point::new(x + u, v, 0.0))));
    }
    for (from, to, side) in [(0, 1, 1), (1, 0, 3)] {
        let passage = Passage { side: Some(side), ..Passage::NONE };
        graph.add_link(Link { passage, ..Link::new(from, to, LinkKind::Walk) });
    }
    let index = NavIndex::build(&graph).whole().unwrap();
    let [a, b] = [0, 1].map(|node| index.of_node(node).unwrap());
    let ends = [Point::new(20.0, 30.0, 0.0), Point::new(200.0, 70.0, 0.0)];
    let mut scratch = PathScratch::new(&index);
    for step in [0.5, 2.0, 12.0, 13.0, 30.0] {
        for (areas, ends) in [([a, b], ends), ([b, a], [ends[1], ends[0]])] {
            assert!(matches!(
                scratch.path(&index, areas[0], areas[1], &Query::default()),
                Ok(Outcome::Found { .. })
            ));
            assert!(arrives(&index, &scratch, ends, step), "in steps of {step}");
        }
    }
    // Not if one does not go on, and not where the way does not lead over it.
    let mut corridor = Corridor::new(&index);
    corridor.stand(&index, a, Point::new(99.0, 50.0, 0.0)).unwrap();
    assert_eq!(corridor.advance(&index, Point::new(105.0, 50.0, 0.0)).unwrap().point.x, 100.0);
    assert!(matches!(scratch.path(&index, a, b, &Query::default()), Ok(Outcome::Found { .. })));
    corridor.follow(&index, &scratch, Point::new(99.0, 50.0, 0.0), ends[1]).unwrap();
    assert_eq!(corridor.advance(&index, Point::new(100.0, 90.0, 0.0)).unwrap().area, a);
    assert_eq!(corridor.advance(&index, Point::new(98.0, 105.0, 0.0)).unwrap().area, a);
    assert_eq!(
        corridor.advance(&index, Point::new(104.0, 80.0, 0.0)).unwrap().point,
        Point::new(125.0, 80.0, 0.0)
    );
}

#[test]
fn among_waypoints_of_all_sizes_a_goal_is_reached() {
    let (mut rng, mut walked) = (Rng(67), 0);
    for _ in 0..20 {
        let mut graph = FlatGraph::new("waypoint", Axes::z_up(0.0254));
        let points: Vec<(Point, f32)> = (0..24)
            .map(|_| (Point::new(rng.f32(0.0, 900.0), rng.f32(0.0, 900.0), 0.0), rng.f32(0.0, 120.0)))
            .collect();
        for &(at, radius) in &points {
            graph.add_node(0, Shape::Point { at, radius: Some(radius) });
        }
        for (from, one) in (0..).zip(&points) {
            for (to, two) in (0..).zip(&points) {
                if from != to && one.0.distance(two.0) < 300.0 {
                    graph.add_link(Link::new(from, to, LinkKind::Walk));
                }
            }
        }
        let index = NavIndex::build(&graph).whole().unwrap();
        let mut scratch = PathScratch::new(&index);
        for _ in 0..40 {
            let ends = [0; 2].map(|_| {
                let area = any(&mut rng, &index);
                let (center, radius) = (index.center(area).unwrap(), index.radius(area).unwrap() * 0.7);
                (
                    area,
                    Point::new(center.x + rng.f32(-radius, radius), center.y + rng.f32(-radius, radius), 0.0),
                )
            });
            let [(a, start), (b, goal)] = ends;
            if matches!(scratch.path(&index, a, b, &Query::default()), Ok(Outcome::Found { .. })) {
                assert!(arrives(&index, &scratch, [start, goal], 7.0), "from {start:?} to {goal:?}");
                walked += 1;
            }
        }
    }
    assert!(walked > 400, "{walked}");
}

/// Of a side that leads to several areas, as in Source 2, the portal to one is the part that this one lies on.
#[test]
fn a_side_that_several_areas_share_is_crossed_where_the_next_one_lies() {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    for corners in [
        [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)],
        [(100.0, 0.0), (200.0, 0.0), (200.0, 40.0), (100.0, 40.0)],
        [(100.0, 40.0), (200.0, 40.0), (200.0, 100.0), (100.0, 100.0)],
    ] {
        graph.add_node(0, Shape::Polygon(&corners.map(|(x, y)| Point::new(x, y, 0.0))));
    }
    for (from, to, side) in [(0, 1, 1), (1, 0, 3), (0, 2, 1), (2, 0, 3)] {
        let passage = Passage { side: Some(side), ..Passage::NONE };
        graph.add_link(Link { passage, ..Link::new(from, to, LinkKind::Walk) });
    }
    let index = NavIndex::build(&graph).whole().unwrap();
    let [a, b] = [0, 1].map(|node| index.of_node(node).unwrap());
    let ends = [Point::new(10.0, 90.0, 0.0), Point::new(190.0, 38.0, 0.0)];
    let mut scratch = PathScratch::new(&index);
    assert!(matches!(scratch.path(&index, a, b, &Query::default()), Ok(Outcome::Found { .. })));
    assert!(arrives(&index, &scratch, ends, 3.0));
    let mut corridor = Corridor::new(&index);
    corridor.follow(&index, &scratch, ends[0], ends[1]).unwrap();
    let mut corners = [Corner::default(); 4];
    let found = corridor.corners(&index, &mut corners).unwrap();
    assert!(
        corners[..found].iter().any(|corner| corner.point == Point::new(100.0, 40.0, 0.0)),
        "{corners:?}"
    );
}
