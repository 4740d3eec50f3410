//! What no mesh should be, and what no caller should ask.

use navmap::graph::{Aabb, Axes, FlatGraph, Link, LinkKind, Point, Rules, Shape, Surface, Up};
use navmap::query::{Area, Flood, Misuse, NavIndex, Outcome, Overlay, PathScratch, Query};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::Rng;
use std::ops::ControlFlow;

const ODD: [f32; 9] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38, 3.4e38, -0.0, 1e-40, 0.0];

fn square(x: f32, y: f32, side: f32) -> [Point; 4] {
    [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)].map(|(u, v)| Point::new(x + u, y + v, 0.0))
}

fn source_like() -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.019_05));
    let rules = Rules::of_axes(Axes::z_up(0.019_05));
    graph.set_rules(Rules {
        surface: Surface::Bilinear,
        engine_cell: Some(300.0),
        least_growth: 1e-5,
        ..rules
    });
    graph
}

/// Asks everything there is to ask.
fn ask(index: &NavIndex, p: Point, area: Area) {
    let other = index.areas().last().unwrap_or(area);
    let _ = (index.area_at(p, None), index.area_at(p, f32::NAN), index.ground_at(p, 1e38));
    let mut found = [None; 3];
    index.area_at_many(&[p; 40], None, &mut found);
    for max in [0.0, 1e3, f32::INFINITY, f32::NAN, -1.0] {
        let _ = (
            index.nearest(p, max),
            index.nearest_as_engine(p, max),
            index.nearest_node(p, max, max, |_| true),
        );
        index.within(p, max, |_| {});
        index.centers_within(p, max, |_| {});
    }
    let bounds: navmap::graph::Aabb = [p, Point::new(1.0, 1.0, 1.0)].into_iter().collect();
    index.in_box(&bounds, |_| {});
    index.in_box(&navmap::graph::Aabb { min: p, max: p }, |_| {});
    let _ = (index.along_ray(p, Point::new(0.0, 0.0, -9.0)), index.along_ray(Point::new(0.0, 5.0, 9.0), p));
    let _ = (index.walk_line(area, p, Point::new(50.0, 5.0, 0.0), |_| {}), index.closest_point(area, p));
    let _ = index.walk_line(area, Point::new(0.5, 0.5, 0.0), p, |_| {});
    let _ =
        (index.z_at(area, p), index.contains(area, p), index.covers(area, p), index.overlaps(area, other));
    let _ = (
        index.portal(area, other),
        index.step(area, other),
        index.gap(area, other),
        index.direction(area, p),
    );
    let _ = (index.id(area), index.flags(area), index.place(area), index.group(area), index.center(area));
    let _ = (
        index.links(area).count(),
        index.incoming(area).count(),
        index.link(area, other),
        index.is_edge(area, 0),
    );
    let _ = (index.reachable(area, other), index.mutual(area, other), index.island(area), index.radius(area));
    let _ =
        (index.corners(area, &mut [p; 2]), index.area_bounds(area), index.bounds(), index.by_id(u64::MAX));
    let mut scratch = PathScratch::new(index);
    for query in [
        Query::default(),
        Query::shortest(),
        Query::default().with_partial(true).with_max_length(f32::NAN).with_max_step(f32::NAN),
        Query::cheapest().with_max_step(18.0).with_max_length(100.0),
    ] {
        if let Ok(outcome) = scratch.path(index, area, (other, p), &query) {
            assert!(!outcome.cost().is_some_and(f32::is_nan));
        }
        let _ = scratch.straighten(index, p, p, &mut [p; 3]);
        let _ = scratch.steps(index).count();
        let mut out = vec![0.0; index.len()];
        let _ = scratch.distance_map(index, area, &query, &mut out);
        let flood = Flood::default().with_query(query).with_up(18.0).with_down(f32::NAN).with_incoming(true);
        let _ = scratch.flood(index, area, &flood, |_, _| ControlFlow::Continue(()));
    }
}

#[test]
fn odd_numbers_in_meshes_and_in_questions_make_no_panic() {
    let mut rng = Rng(21);
    for round in 0..200 {
        let mut graph = if round % 2 == 0 { source_like() } else { FlatGraph::new("face", Axes::y_up(1.0)) };
        let areas = rng.below(12) as u32;
        let mut value = |sane: f32| match rng.below(3) {
            0 => ODD[rng.below(9) as usize],
            _ => rng.f32(-sane, sane),
        };
        for id in 0..areas {
            let (x, y, w, h) = (value(500.0), value(500.0), value(200.0), value(200.0));
            let corners =
                [(x, y), (x + w, y), (x + w, y + h), (x, y + h)].map(|(x, y)| Point::new(x, y, value(90.0)));
            match round % 5 {
                3 => graph.add_node(id.into(), Shape::Point { at: corners[0], radius: Some(w) }),
                4 => graph.add_node(id.into(), Shape::Polygon(&corners[..id as usize % 5])),
                _ => graph.add_node(id.into(), Shape::Polygon(&corners)),
            };
        }
        for from in 0..areas {
            let mut link =
                Link::new(from, (from * 7 + round) % (areas + 1), LinkKind::ALL[from as usize % 13]);
            link.passage.length = Some(value(10.0));
            link.passage.cost = (from % 2 == 0).then(|| value(10.0));
            link.passage.side = Some(from as u8);
            graph.add_link(link);
            graph.add_link(Link::new(from, (from + 1) % areas, LinkKind::Walk));
        }
        let index = NavIndex::build(&graph).whole().unwrap().with_landmarks();
        for area in (0..areas + 2).filter_map(Area::at).chain(Area::at(u32::MAX - 1)) {
            let p = Point::new(value(600.0), value(600.0), value(90.0));
            ask(&index, p, area);
        }
    }
}

#[test]
fn an_empty_mesh_and_one_of_one_area_answer_too() {
    for graph in [source_like(), FlatGraph::new("node", Axes::y_up(1.0))] {
        let index = NavIndex::build(&graph).whole().unwrap().with_landmarks();
        assert!(index.is_empty() && index.bounds().is_none() && index.areas().next().is_none());
        ask(&index, Point::default(), Area::at(0).unwrap());
        let mut scratch = PathScratch::new(&index);
        let area = Area::at(0).unwrap();
        assert_eq!(scratch.path(&index, area, area, &Query::default()), Err(Misuse::NoSuchArea(area)));
    }
    let mut graph = source_like();
    graph.add_node(7, Shape::Polygon(&square(0.0, 0.0, 100.0)));
    let index = NavIndex::build(&graph).whole().unwrap().with_landmarks();
    let area = index.area_at(Point::new(50.0, 50.0, 3.0), None).unwrap();
    assert_eq!((index.id(area), index.by_id(7), index.by_id(8)), (Some(7), Some(area), None));
    assert_eq!(index.nearest(Point::new(100.0, 0.0, 60.0), 60.0).unwrap().distance, 60.0);
    let mut scratch = PathScratch::new(&index);
    assert_eq!(scratch.path(&index, area, area, &Query::default()), Ok(Outcome::Found { cost: 0.0 }));
    assert_eq!((scratch.len(), scratch.resume(&index, &Query::default())), (1, Err(Misuse::NothingToResume)));
}

#[test]
fn a_scratch_an_overlay_or_a_buffer_of_another_index_is_an_error() {
    let mut graph = source_like();
    graph.add_node(1, Shape::Polygon(&square(0.0, 0.0, 10.0)));
    let one = NavIndex::build(&graph).whole().unwrap();
    graph.add_node(2, Shape::Polygon(&square(10.0, 0.0, 10.0)));
    let two = NavIndex::build(&graph).whole().unwrap();
    let area = Area::at(0).unwrap();
    let mut scratch = PathScratch::new(&one);
    assert_eq!(scratch.path(&two, area, area, &Query::default()), Err(Misuse::OtherIndex));
    assert_eq!(scratch.resume(&two, &Query::default()), Err(Misuse::OtherIndex));
    assert!(scratch.path(&one, area, area, &Query::default()).is_ok());
    assert_eq!((scratch.steps(&one).len(), scratch.steps(&two).len()), (1, 0));
    let overlay = Overlay::new(&two);
    let query = Query::default().with_overlay(&overlay);
    assert_eq!(scratch.path(&one, area, area, &query), Err(Misuse::OtherIndex));
    assert_eq!(
        scratch.distance_map(&one, area, &Query::default(), &mut [0.0; 3]),
        Err(Misuse::WrongLength { len: 3, areas: 1 })
    );
    scratch.fit(&two);
    assert!(scratch.path(&two, area, area, &Query::default()).is_ok());
    let beyond = Area::at(2).unwrap();
    assert_eq!(scratch.path(&two, area, beyond, &Query::default()), Err(Misuse::NoSuchArea(beyond)));
}

#[test]
fn what_was_made_before_a_reload_is_refused_though_the_mesh_is_as_large() {
    let graph = {
        let mut graph = source_like();
        (0..3u32).for_each(|at| {
            graph.add_node(u64::from(at), Shape::Polygon(&square(at as f32 * 10.0, 0.0, 10.0)));
        });
        (1..3).for_each(|at| graph.add_link(Link::new(at - 1, at, LinkKind::Walk)));
        graph
    };
    let build = || NavIndex::build(&graph).whole().unwrap();
    let (before, after) = (build(), build());
    assert_ne!(before.identity(), after.identity());
    assert_eq!(before.identity(), before.clone().with_landmarks().identity());
    let [from, middle, to] = [0, 1, 2].map(|node| after.of_node(node).unwrap());
    let mut stale = Overlay::new(&before);
    stale.block(middle);
    assert!(stale.fits(&before) && !stale.fits(&after));
    let refused = Misuse::OtherIndex;
    assert_eq!(stale.scale_where(&after, 2.0, |_| true), Err(refused));
    let mut scratch = PathScratch::new(&after);
    for query in [Query::default(), Query::shortest()] {
        let query = query.with_overlay(&stale).with_max_pops(1);
        assert_eq!(scratch.path(&after, from, to, &query), Err(refused));
        assert_eq!(scratch.distance_map(&after, from, &query, &mut [0.0; 3]), Err(refused));
        assert_eq!(scratch.distance_map_to(&after, from, &query, &mut [0.0; 3]), Err(refused));
        let flood = Flood::default().with_query(query);
        assert_eq!(scratch.flood(&after, from, &flood, |_, _| ControlFlow::Continue(())), Err(refused));
        assert_eq!(after.regions(&[from], &query), Err(refused));
        let sliced = query.with_overlay(None);
        assert_eq!(scratch.path(&after, from, to, &sliced), Ok(Outcome::Unfinished));
        assert_eq!(scratch.resume(&after, &query), Err(refused));
    }
    // A way, a table and sums of the other index.
    assert!(scratch.path(&after, from, to, &Query::default()).unwrap().cost().is_some());
    let at = Point::new(5.0, 5.0, 0.0);
    assert_eq!(scratch.straighten(&before, at, at, &mut []), Err(refused));
    assert_eq!(scratch.steps(&before).len(), 0);
    let moves = navmap::query::FirstMoves::shortest(&before).unwrap();
    assert_eq!(scratch.path_from(&moves, &after, from, to), Err(refused));
    assert_eq!(moves.next(&after, from, to), Err(refused));
    assert!(after.random_point(&before.spots(), || 0.5).is_none());
    assert!(after.random_point(&after.spots(), || 0.5).is_some());
}

#[test]
fn a_held_area_is_of_one_world_though_another_has_its_generation() {
    use navmap::query::World;
    let mut graph = source_like();
    graph.add_node(1, Shape::Polygon(&square(0.0, 0.0, 10.0)));
    let [one, two] = [0, 1].map(|_| World::of_index(NavIndex::build(&graph).whole().unwrap()));
    let held = one.hold(Area::at(0).unwrap());
    assert_eq!(one.held(held), Ok(Area::at(0).unwrap()));
    assert_eq!(two.held(held).unwrap_err().to_string(), "an area of another world");
}

#[test]
fn points_that_are_no_numbers_are_no_corners_and_far_ones_are_moved_to_the_way() {
    let mut graph = source_like();
    for at in 0..3u32 {
        graph.add_node(u64::from(at), Shape::Polygon(&square(at as f32 * 10.0, 0.0, 10.0)));
    }
    (1..3).for_each(|at| graph.add_link(Link::new(at - 1, at, LinkKind::Walk)));
    let index = NavIndex::build(&graph).whole().unwrap();
    let [from, to] = [0, 2].map(|node| index.of_node(node).unwrap());
    let mut scratch = PathScratch::new(&index);
    let mut out = [Point::default(); 8];
    let (start, goal) = (Point::new(5.0, 5.0, 20.0), Point::new(25.0, 5.0, 0.0));
    assert_eq!(scratch.straighten(&index, start, goal, &mut out), Ok(0), "no way was searched");
    assert!(scratch.path(&index, from, to, &Query::default()).unwrap().cost().is_some());
    let mut ask = |start, goal| {
        let count = scratch.straighten(&index, start, goal, &mut out)?;
        Ok(out[..count].to_vec())
    };
    // Who stands on an area is where they are, their height included.
    assert_eq!(ask(start, goal), Ok(vec![start, goal]));
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for point in [Point::new(odd, 0.0, 0.0), Point::new(0.0, odd, 0.0), Point::new(0.0, 0.0, odd)] {
            assert_eq!(ask(point, goal), Err(Misuse::NotFinite));
            assert_eq!(ask(start, point), Err(Misuse::NotFinite));
        }
    }
    let far = [Point::new(-1e6, 5.0, 0.0), Point::new(5.0, 5.0, 1e6), Point::new(25.0, 5.0, -1e6)];
    let [west, above, below] = far;
    assert_eq!(ask(west, goal), Ok(vec![Point::new(0.0, 5.0, 0.0), goal]));
    assert_eq!(ask(above, goal), Ok(vec![Point::new(5.0, 5.0, 0.0), goal]));
    assert_eq!(ask(start, below), Ok(vec![start, goal]));
    // A walk that leads nowhere is one corner.
    assert!(scratch.path(&index, from, from, &Query::default()).unwrap().cost().is_some());
    assert_eq!(scratch.straighten(&index, start, start, &mut out), Ok(1));
}

#[test]
fn a_box_that_is_none_touches_nothing_and_a_column_has_no_end() {
    for axes in [Axes::z_up(1.0), Axes::y_up(1.0)] {
        // Right and forward as seen from above.
        let at = |[u, v, height]: [f32; 3]| match axes.up {
            Up::Z => Point::new(u, v, height),
            Up::Y => Point::new(u, height, v),
        };
        let mut graph = FlatGraph::new("area", axes);
        for node in 0..3u8 {
            let corners = square(f32::from(node) * 20.0, 0.0, 10.0).map(|p| at([p.x, p.y, 5.0]));
            graph.add_node(node.into(), Shape::Polygon(&corners));
        }
        let index = NavIndex::build(&graph).whole().unwrap();
        let inside = |bounds: Aabb| {
            let mut met = Vec::new();
            index.in_box(&bounds, |area| met.push(index.node(area).unwrap()));
            met.sort_unstable();
            met
        };
        let of = |min: [f32; 3], max: [f32; 3]| inside(Aabb { min: at(min), max: at(max) });
        assert_eq!(of([22.0, 2.0, 4.0], [24.0, 12.0, 6.0]), [1]);
        let end = f32::INFINITY;
        assert_eq!(of([22.0, 2.0, -end], [44.0, 3.0, end]), [1, 2]);
        assert_eq!(of([-end; 3], [end; 3]), [0, 1, 2]);
        assert!(inside(Aabb::EMPTY).is_empty());
        for side in 0..3 {
            let [mut min, mut max] = [[-100.0; 3], [100.0; 3]];
            (min[side], max[side]) = (100.0, -100.0);
            assert!(of(min, max).is_empty(), "reversed {side}");
            min[side] = f32::NAN;
            assert!(of(min, [100.0; 3]).is_empty() && of([-100.0; 3], min).is_empty(), "NaN {side}");
        }
    }
}

#[test]
fn what_is_built_is_bounded_by_the_mesh_however_large_its_areas_are() {
    // Every area covers the whole map; another map is a handful of areas at its far ends.
    for (side, apart) in [(1e6, 1.0), (1.0, 1e9), (1e30, 1e20)] {
        let mut graph = source_like();
        for at in 0..3000 {
            let x = at as f32 * apart;
            graph.add_node(at, Shape::Polygon(&square(x, -x, side)));
        }
        let (index, cost) = cost_of(|| NavIndex::build(&graph).whole().unwrap());
        assert!(index.bytes() < 3000 * 400, "{} bytes", index.bytes());
        assert!(cost.peak_bytes < 3000 * 2000, "{} bytes at most", cost.peak_bytes);
        ask(&index, Point::new(5.0, -5.0, 1.0), Area::at(1).unwrap());
    }
    // One way after the other: as many components as areas, whose bits would be a square.
    let mut graph = source_like();
    let count = 40_000;
    for at in 0..count {
        graph.add_node(at.into(), Shape::Polygon(&square(at as f32 * 10.0, 0.0, 10.0)));
    }
    (1..count).for_each(|at| graph.add_link(Link::new(at - 1, at, LinkKind::Drop)));
    let index = NavIndex::build(&graph).whole().unwrap();
    assert!(index.bytes() < count as usize * 400, "{} bytes", index.bytes());
    let [first, last] = [0, count - 1].map(|node| index.of_node(node).unwrap());
    assert!(index.reachable(first, last) && !index.reachable(last, first));
    let mut scratch = PathScratch::new(&index);
    assert!(scratch.path(&index, first, last, &Query::default()).unwrap().cost().is_some());
    assert_eq!(scratch.path(&index, last, first, &Query::default()), Ok(Outcome::NoWay));
}

#[test]
fn two_million_areas_are_built_and_asked() {
    let mut graph = source_like();
    let columns = 1500u32;
    for at in 0..columns * columns {
        let (x, y) = ((at % columns) as f32 * 20.0, (at / columns) as f32 * 20.0);
        graph.add_node(at.into(), Shape::Polygon(&square(x, y, 20.0)));
        if at % columns > 0 {
            graph.add_link(Link::new(at, at - 1, LinkKind::Walk));
        }
        if at % columns + 1 < columns {
            graph.add_link(Link::new(at, at + 1, LinkKind::Walk));
        }
        if at >= columns {
            graph.add_link(Link::new(at, at - columns, LinkKind::Walk));
        }
    }
    let index = NavIndex::build(&graph).whole().unwrap();
    assert!(index.bytes() < index.len() * 200, "{} bytes", index.bytes());
    let mut scratch = PathScratch::new(&index);
    let at = |x: f32, y: f32| index.area_at(Point::new(x, y, 1.0), None).unwrap();
    let (from, to) = (at(10.0, 29_990.0), at(29_990.0, 10.0));
    let cost = scratch.path(&index, from, to, &Query::shortest()).unwrap().cost().unwrap();
    assert!((cost - 2.0 * 20.0 * 1499.0).abs() < 10.0, "{cost}");
    assert_eq!(scratch.path(&index, to, from, &Query::shortest()), Ok(Outcome::NoWay));
    assert_eq!(index.nearest(Point::new(-500.0, 10.0, 0.0), 1e9).unwrap().distance, 500.0);
}

#[test]
fn no_query_allocates() {
    let mut graph = source_like();
    let mut rng = Rng(31);
    for at in 0..900u32 {
        let (x, y) = ((at % 30) as f32 * 100.0, (at / 30) as f32 * 100.0);
        graph.add_node(at.into(), Shape::Polygon(&square(x, y, 100.0)));
        for to in [at.wrapping_sub(1), at + 1, at.wrapping_sub(30), at + 30] {
            if to < 900 && rng.below(8) > 0 {
                graph.add_link(Link::new(at, to, LinkKind::Walk));
            }
        }
    }
    let index = NavIndex::build(&graph).whole().unwrap().with_landmarks();
    let mut scratch = PathScratch::new(&index);
    let mut overlay = Overlay::new(&index);
    overlay.block(index.of_node(450).unwrap());
    let (mut map, mut corners) = (vec![0.0; index.len()], vec![Point::default(); 400]);
    let moves = navmap::query::FirstMoves::shortest(&index).unwrap();
    let mut points = vec![Point::default(); 64];
    let mut found = vec![None; 64];
    let mut near = vec![None; 64];
    let ((), cost) = cost_of(|| {
        for round in 0..200 {
            points
                .iter_mut()
                .for_each(|p| *p = Point::new(rng.f32(-900.0, 3900.0), rng.f32(-900.0, 3900.0), 9.0));
            index.area_at_many(&points, None, &mut found);
            index.nearest_many(&points, f32::INFINITY, &mut near);
            index.nearest_as_engine_many(&points, 1e4, &mut near);
            index.within(points[0], 300.0, |_| {});
            let _ = index.along_ray(points[0], points[1]);
            let [a, b] = [0, 1].map(|_| index.of_node(rng.below(900) as u32).unwrap());
            let _ = index.walk_line(a, index.center(a).unwrap(), points[0], |_| {});
            let query = if round % 2 == 0 { Query::default() } else { Query::shortest() };
            let query = query
                .with_overlay((round % 3 == 0).then_some(&overlay))
                .with_partial(round % 5 == 0)
                .with_max_length(if round % 7 == 0 { 900.0 } else { f32::INFINITY });
            let _ = scratch.path(&index, a, b, &query).unwrap();
            let _ = scratch.straighten(&index, points[0], points[1], &mut corners);
            let _ = scratch.steps(&index).count();
            let _ = scratch.path_from(&moves, &index, a, b).unwrap();
            let _ = (index.reachable(a, b), index.portal(a, b), index.by_id(5));
            let _ = scratch.distance_map(&index, a, &query, &mut map).unwrap();
            let flood = Flood::default().with_travel(500.0).with_incoming(true);
            scratch.flood(&index, b, &flood, |_, _| ControlFlow::Continue(())).unwrap();
        }
    });
    assert_eq!(cost.calls, 0);
    assert!(scratch.bytes() <= index.len() * 31 + 600, "{} bytes", scratch.bytes());
}
