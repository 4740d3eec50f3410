//! How fast agents go: round every corner whatever their speed, over gaps, and in long ticks.

use crate::scenes::{self, TICK, rectangles};
use navmap::crowd::{Body, Crowd, CrowdOptions, Doing, Refused};
use navmap::graph::{Link, LinkKind, Point, Shape};
use navmap::query::{NavIndex, Overlay, PathScratch, Query};
use navmap_testkit::bytes::Rng;

/// The seconds that an agent takes, alone, and those of the whole length at its speed. `None` if it never arrives.
pub(crate) fn walk(index: &NavIndex, [from, to]: [Point; 2], body: Body, tick: f32) -> Option<[f32; 2]> {
    let [a, b] = [from, to].map(|p| index.area_at(p, None).unwrap());
    let (mut scratch, mut corners) = (PathScratch::new(index), [Point::default(); 200]);
    scratch.path(index, a, b, &Query::default()).unwrap().cost()?;
    let count = scratch.straighten(index, from, to, &mut corners).unwrap().min(200);
    let long: f32 = corners[..count].windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let ideal = long / body.speed;
    let mut crowd = Crowd::new(index, &CrowdOptions::default().with_agents(1));
    let id = crowd.add(index, from, body).unwrap();
    crowd.go(index, id, to).unwrap();
    let mut seconds = 0.0;
    while crowd.agent(id).unwrap().doing != Doing::Arrived {
        crowd.tick(index, tick, &Query::default()).unwrap();
        seconds += tick;
        if seconds > ideal * 4.0 + 30.0 {
            return Some([f32::INFINITY, ideal]);
        }
    }
    Some([seconds, ideal])
}

#[test]
fn who_is_fast_or_is_moved_seldom_gets_round_every_corner() {
    let index = NavIndex::build(&scenes::town()).whole().unwrap();
    let (mut rng, spots) = (Rng(71), index.spots());
    let mut point = || index.random_point(&spots, || rng.f32(0.0, 1.0).into()).unwrap().1;
    let walks: Vec<[Point; 2]> = (0..80).map(|_| [point(), point()]).collect();
    let person = Body::person(&index);
    // A second more than the ideal for each walk, since everybody begins and ends slowly. Who does not brake before corners takes 7 %
    // longer with little acceleration, and 4 % in long ticks.
    for (speed, acceleration, tick, most) in [
        (person.speed, 1.0, TICK, 1.03),
        (person.speed, 1.0, 0.3, 1.05),
        (250.0, 1.0, TICK, 1.2),
        (250.0, 0.2, TICK, 2.0),
        (600.0, 1.0, TICK, 2.05),
        (600.0, 1.0, 0.25, 2.06),
    ] {
        let body = person.with_speed(speed).with_acceleration(person.acceleration * acceleration);
        let mut sum = [0.0; 2];
        for ends in &walks {
            let Some([took, ideal]) = walk(&index, *ends, body, tick) else { continue };
            assert!(
                took.is_finite(),
                "at {speed}, every {tick} s: never from {:?} to {:?}",
                ends[0],
                ends[1]
            );
            sum = [sum[0] + took, sum[1] + ideal + 1.0];
        }
        println!("at {speed} ({acceleration}), every {tick} s: {:.3} of the ideal", sum[0] / sum[1]);
        assert!(sum[0] <= sum[1] * most, "at {speed}, every {tick} s: {sum:?}");
    }
}

#[test]
fn a_crowd_steps_over_a_gap_that_a_way_leads_over_on_foot() {
    let mut graph = rectangles(0.0254);
    for x in [0.0, 125.0] {
        let corners = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)];
        graph.add_node(0, Shape::Polygon(&corners.map(|(u, v)| Point::new(x + u, v, 0.0))));
    }
    for (from, to, side) in [(0, 1, 1), (1, 0, 3)] {
        let mut link = Link::new(from, to, LinkKind::Walk);
        link.passage.side = Some(side);
        graph.add_link(link);
    }
    let index = NavIndex::build(&graph).whole().unwrap();
    let ends = [Point::new(20.0, 50.0, 0.0), Point::new(200.0, 50.0, 0.0)];
    for tick in [1.0 / 64.0, TICK, 0.1] {
        let [took, ideal] = walk(&index, ends, Body::person(&index), tick).unwrap();
        assert!(took < ideal + 1.5, "every {tick} s: {took} s");
    }
}

/// Waypoints without a radius, and the ends of a way over all of them.
pub(crate) fn zigzag() -> (NavIndex, [Point; 2]) {
    let mut graph = rectangles(0.0254);
    let node = |x: u32, y: u32| y * 5 + x;
    for (y, x) in (0..5).flat_map(|y| (0..5).map(move |x| (y, x))) {
        let at = Point::new(x as f32 * 130.0, y as f32 * 110.0, 0.0);
        graph.add_node(node(x, y).into(), Shape::Point { at, radius: Some(0.0) });
    }
    // A row to the right, one back, and so on; and ends beyond each turn, into which one runs who does not turn.
    let rows = (0..5).flat_map(|y| (0..4).map(move |x| [node(x, y), node(x + 1, y)]));
    let turns =
        (0..4).map(|y| if y % 2 == 0 { 3 } else { 1 }).zip(0..).map(|(x, y)| [node(x, y), node(x, y + 1)]);
    for [a, b] in rows.chain(turns) {
        for (from, to) in [(a, b), (b, a)] {
            graph.add_link(Link::new(from, to, LinkKind::Walk));
        }
    }
    let ends = [Point::new(0.0, 0.0, 0.0), Point::new(520.0, 440.0, 0.0)];
    (NavIndex::build(&graph).whole().unwrap(), ends)
}

#[test]
fn waypoints_without_a_radius_are_walked_around_every_corner() {
    let (index, ends) = zigzag();
    for (speed, tick, most) in
        [(138.0, 1.0 / 64.0, 2.0), (138.0, TICK, 2.0), (138.0, 0.3, 2.0), (300.0, TICK, 3.0)]
    {
        let [took, ideal] = walk(&index, ends, Body::person(&index).with_speed(speed), tick).unwrap();
        println!("at {speed}, every {tick} s: {took} s for {ideal}");
        assert!(took < ideal * most + 2.0, "{speed} every {tick} s: {took} s for {ideal}");
    }
}

#[test]
fn who_has_others_near_gets_through_where_areas_meet_in_a_point() {
    // Four squares around a point, which the walls of the third and the fourth lead to. The way leads from the first to the third
    // through that point.
    let mut graph = rectangles(0.0254);
    for [x, y] in [[100.0, 100.0], [100.0, 0.0], [0.0, 0.0], [0.0, 100.0]] {
        let corners = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)];
        graph.add_node(0, Shape::Polygon(&corners.map(|(u, v)| Point::new(x + u, y + v, 0.0))));
    }
    for (from, to, side) in
        [(0, 1, 0), (0, 2, 3), (0, 3, 3), (1, 0, 2), (1, 2, 3), (2, 1, 1), (2, 0, 1), (3, 0, 1)]
    {
        let mut link = Link::new(from, to, LinkKind::Walk);
        link.passage.side = Some(side);
        graph.add_link(link);
    }
    let index = NavIndex::build(&graph).whole().unwrap();
    for start in [[150.0, 180.0], [180.0, 150.0], [180.0, 180.0], [130.0, 190.0]] {
        let mut crowd = Crowd::new(&index, &CrowdOptions::default());
        let [goes, _stands] = [start, [195.0, 195.0]]
            .map(|[x, y]| crowd.add(&index, Point::new(x, y, 0.0), Body::person(&index)).unwrap());
        crowd.go(&index, goes, Point::new(20.0, 30.0, 0.0)).unwrap();
        // Some 210 units at 138 a second.
        for _ in 0..50 {
            crowd.tick(&index, TICK, &Query::default()).unwrap();
        }
        assert_eq!(crowd.agent(goes).unwrap().doing, Doing::Arrived, "{:?}", crowd.agent(goes));
    }
}

#[test]
fn sizes_and_times_that_cannot_be_computed_with_are_refused() {
    let index = NavIndex::build(&scenes::town()).whole().unwrap();
    let mut crowd = Crowd::new(&index, &CrowdOptions::default().with_agents(2));
    let (body, p) = (Body::person(&index), index.center(index.areas().next().unwrap()).unwrap());
    for bad in
        [body.with_radius(1e30), body.with_speed(2e9), body.with_separation(1e30), body.with_height(1e20)]
    {
        assert_eq!(crowd.add(&index, p, bad), Err(Refused::BadNumber), "{bad:?}");
    }
    let largest = body.with_radius(1e9).with_speed(1e9).with_acceleration(1e9).with_separation(0.0);
    for _ in 0..2 {
        let id = crowd.add(&index, p, largest).unwrap();
        crowd.go(&index, id, p).unwrap();
    }
    for seconds in [1e-9, 0.05, 1.0, 1e9] {
        crowd.tick(&index, seconds, &Query::default()).unwrap();
    }
    assert_eq!(crowd.tick(&index, 2e9, &Query::default()), Err(Refused::BadNumber));
}

/// Each way is looked at once in eight ticks, also where a tick is several moves.
#[test]
fn what_closes_is_noticed_in_long_ticks_too() {
    let mut graph = rectangles(1.0);
    // A hall that nobody leaves within eight ticks, a short way on, and a long one of more areas than shortening a way looks at.
    let mut rooms = vec![[0.0, 0.0, 40.0, 20.0], [40.0, 8.0, 100.0, 12.0], [100.0, 0.0, 120.0, 20.0]];
    rooms.extend(scenes::tiled(40.0, 14.0, 120, 4, 0.5));
    scenes::floor(&mut graph, &rooms, 0.0);
    let index = NavIndex::build(&graph).whole().unwrap();
    let mut crowd = Crowd::new(&index, &CrowdOptions::default());
    let mut agents: Vec<_> = (1..=8)
        .map(|x| (crowd.add(&index, Point::new(x as f32, 3.0, 0.0), Body::person(&index)).unwrap(), 0_f32))
        .collect();
    for (id, _) in &agents {
        crowd.go(&index, *id, Point::new(110.0, 3.0, 0.0)).unwrap();
    }
    let mut overlay = Overlay::new(&index);
    for tick in 0..100 {
        if tick == 1 {
            overlay.block(index.of_node(1).unwrap());
        }
        crowd.tick(&index, 0.8, &Query::default().with_overlay(&overlay)).unwrap();
        for (id, highest) in &mut agents {
            *highest = highest.max(crowd.agent(*id).unwrap().at.y);
        }
    }
    for (id, highest) in agents {
        assert!(highest > 12.0 && crowd.agent(id).unwrap().at.x > 100.0, "{highest} {:?}", crowd.agent(id));
    }
}
