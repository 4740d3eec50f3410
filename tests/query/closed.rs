//! Areas that are blocked and areas that a filter refuses: no question goes through them, whichever way it follows links.

use crate::families::each;
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Rules, Shape, Surface};
use navmap::query::{
    Area, Corridor, Cost, Filter, Flood, Joined, Mask, Misuse, NavIndex, Outcome, Overlay, PathScratch,
    Query, Random, Remap, Way,
};
use navmap_testkit::bytes::Rng;
use std::ops::ControlFlow;

/// Squares of 100 units in rows, each linked to its neighbours both ways.
fn squares(wide: u32, high: u32) -> NavIndex {
    let axes = Axes::z_up(0.0254);
    let mut graph = FlatGraph::new("area", axes);
    graph.set_rules(Rules { surface: Surface::Bilinear, ..Rules::of_axes(axes) });
    for at in 0..wide * high {
        let [x, y] = [at % wide, at / wide].map(|v| v as f32 * 100.0);
        let corners = [(x, y), (x + 100.0, y), (x + 100.0, y + 100.0), (x, y + 100.0)];
        graph.add_node(u64::from(at) + 1, Shape::Polygon(&corners.map(|(x, y)| Point::new(x, y, 0.0))));
    }
    let mut join = |from: u32, to: u32, side: u8| {
        for (from, to, side) in [(from, to, side), (to, from, side ^ 2)] {
            let mut link = Link::new(from, to, LinkKind::Walk);
            link.passage.side = Some(side);
            graph.add_link(link);
        }
    };
    for at in 0..wide * high {
        if at % wide + 1 < wide {
            join(at, at + 1, 1);
        }
        if at / wide + 1 < high {
            join(at, at + wide, 2);
        }
    }
    NavIndex::build(&graph).whole().unwrap()
}

fn node(index: &NavIndex, node: u32) -> Area {
    index.of_node(node).unwrap()
}

/// The areas of a flood.
fn flooded(scratch: &mut PathScratch, index: &NavIndex, from: Area, flood: &Flood<'_>) -> Vec<Area> {
    let mut met = Vec::new();
    let hear = |area, _| {
        met.push(area);
        ControlFlow::Continue(())
    };
    scratch.flood(index, from, flood, hear).unwrap();
    met.sort_unstable();
    met
}

#[test]
fn a_flood_against_links_stops_at_what_is_blocked_or_refused() {
    let index = squares(5, 1);
    let mut scratch = PathScratch::new(&index);
    let [first, second, third] = [0, 1, 2].map(|at| node(&index, at));
    let mut overlay = Overlay::new(&index);
    overlay.block(third);
    let mask = Mask::of(&index, |area| area != third);
    let near = Mask::of(&index, |area| area == first || area == second);
    let filter = Filter::default().with_mask(Some(&mask));
    for query in [Query::default().with_overlay(&overlay), Query::shortest().with_filter(filter)] {
        for incoming in [false, true] {
            let flood = Flood::default().with_query(query).with_incoming(incoming);
            assert_eq!(flooded(&mut scratch, &index, first, &flood), [first, second], "{query:?}");
            assert_eq!(scratch.retreat(&index, first, &near, &flood), Ok(None));
            let mut random = Random::new(7);
            for _ in 0..50 {
                let spot = scratch.random_within(&index, first, &flood, || random.next_f64()).unwrap();
                assert!(near.has(spot.unwrap().0));
            }
        }
    }
}

#[test]
fn floods_against_links_are_what_walks_over_open_areas_find() {
    each(|name, index, _| {
        let mut rng = Rng(83);
        let start = Area::at(rng.below(index.len() as u64) as u32).unwrap();
        let mask = Mask::of(index, |area| area == start || rng.below(9) > 0);
        let mut overlay = Overlay::new(index);
        index.areas().filter(|area| !mask.has(*area)).for_each(|area| overlay.block(area));
        let (mut seen, mut list) = (Mask::new(index), vec![start]);
        seen.set(start, true);
        while let Some(area) = list.pop() {
            let next = index.links(area).map(|way| way.to).chain(index.incoming(area).map(|way| way.from));
            for to in next.filter(|to| mask.has(*to)) {
                if !seen.has(to) {
                    seen.set(to, true);
                    list.push(to);
                }
            }
        }
        let mut scratch = PathScratch::new(index);
        let filter = Filter::default().with_mask(Some(&mask));
        for query in [Query::shortest().with_overlay(&overlay), Query::shortest().with_filter(filter)] {
            let flood = Flood::default().with_query(query).with_incoming(true);
            let met = flooded(&mut scratch, index, start, &flood);
            assert!(met.iter().copied().eq(seen.areas()), "{name}: {} met", met.len());
        }
    });
}

#[test]
fn nothing_is_found_from_within_a_blocked_area() {
    let index = squares(5, 1);
    let mut scratch = PathScratch::new(&index);
    let [third, fifth] = [2, 4].map(|at| node(&index, at));
    let mut overlay = Overlay::new(&index);
    overlay.block(third);
    let mut costs = [0.0; 5];
    let watched = Mask::of(&index, |area| area == third);
    for query in [Query::default(), Query::shortest()].map(|query| query.with_overlay(&overlay)) {
        assert_eq!(scratch.path(&index, third, fifth, &query), Ok(Outcome::NoWay));
        assert_eq!(scratch.path(&index, third, third, &query), Ok(Outcome::NoWay));
        assert_eq!(scratch.distance_map(&index, third, &query, &mut costs), Ok(0));
        assert!(costs.iter().all(|cost| cost.is_infinite()));
        assert_eq!(scratch.distance_map_to(&index, third, &query, &mut costs), Ok(0));
        assert_eq!(scratch.distance_map_to(&index, fifth, &query, &mut costs), Ok(2));
        assert_eq!(costs.map(f32::is_finite), [false, false, false, true, true]);
        for incoming in [false, true] {
            let flood = Flood::default().with_query(query).with_incoming(incoming);
            assert_eq!(flooded(&mut scratch, &index, third, &flood), []);
            assert_eq!(scratch.random_within(&index, third, &flood, || 0.5), Ok(None));
            assert_eq!(scratch.retreat(&index, third, &watched, &flood), Ok(None));
        }
        let regions = index.regions(&[third], &query).unwrap();
        assert!(regions.iter().all(|region| region.joined == Joined::CutOff));
    }
    // Where it is dear instead of blocked, one gets out.
    overlay.scale(third, 1e6);
    let flood = Flood::default().with_query(Query::default().with_overlay(&overlay));
    assert_eq!(flooded(&mut scratch, &index, third, &flood).len(), 5);
}

/// Areas in a row, from where to where, with their ids.
fn row(areas: &[(u64, [f32; 2])]) -> NavIndex {
    let axes = Axes::z_up(0.0254);
    let mut graph = FlatGraph::new("area", axes);
    graph.set_rules(Rules { surface: Surface::Bilinear, ..Rules::of_axes(axes) });
    for (id, [a, b]) in areas {
        let corners = [(*a, 0.0), (*b, 0.0), (*b, 100.0), (*a, 100.0)];
        graph.add_node(*id, Shape::Polygon(&corners.map(|(x, y)| Point::new(x, y, 0.0))));
    }
    NavIndex::build(&graph).whole().unwrap()
}

#[test]
fn an_overlay_goes_with_its_areas_to_another_index() {
    let at = |index: &NavIndex, x: f32| index.area_at(Point::new(x, 50.0, 0.0), None).unwrap();
    let factors = |overlay: &Overlay, index: &NavIndex| {
        [5.0, 15.0, 25.0, 35.0, 45.0, 55.0, 65.0, 75.0].map(|x| overlay.factor(at(index, x)))
    };
    let strips = [(1, [0.0, 20.0]), (2, [20.0, 40.0]), (3, [40.0, 60.0]), (4, [60.0, 80.0])];
    let before = row(&strips);
    let mut overlay = Overlay::new(&before);
    overlay.scale(at(&before, 5.0), 2.0);
    overlay.block(at(&before, 25.0));
    overlay.scale(at(&before, 65.0), 4.0);
    let shut = f32::INFINITY;
    let told = [2.0, 2.0, shut, shut, 1.0, 1.0, 4.0, 4.0];
    assert_eq!(factors(&overlay, &before), told);
    // In another order; with the ids of neighbours, which are nearer than a step; one is split, and two are one.
    let mut turned = strips;
    turned.reverse();
    let named = [(2, [0.0, 20.0]), (3, [20.0, 40.0]), (4, [40.0, 60.0]), (5, [60.0, 80.0])];
    let split =
        [(1, [0.0, 20.0]), (2, [20.0, 25.0]), (9, [25.0, 40.0]), (3, [40.0, 60.0]), (4, [60.0, 80.0])];
    let merged = [(1, [0.0, 20.0]), (2, [20.0, 65.0]), (4, [65.0, 80.0])];
    let gone = [(1, [0.0, 20.0]), (3, [40.0, 60.0]), (4, [60.0, 80.0])];
    for (areas, left) in [(&turned[..], 0), (&named, 0), (&split, 0), (&merged, 1), (&gone, 1)] {
        let (index, mut moved) = (row(areas), overlay.clone());
        assert_eq!((moved.remap(&before, &index), moved.fits(&index)), (Ok(left), true), "{areas:?}");
        match left {
            0 => {
                assert_eq!(factors(&moved, &index), told, "{areas:?}");
                let (mut corridor, p) = (Corridor::new(&before), Point::new(25.0, 50.0, 0.0));
                corridor.stand(&before, at(&before, p.x), p).unwrap();
                assert_eq!((corridor.remap(&index), corridor.position()), (Remap::Whole, p), "{areas:?}");
            }
            _ => assert_eq!([5.0, 50.0, 70.0].map(|x| moved.factor(at(&index, x))), [2.0, 1.0, 4.0]),
        }
        // There it stays, and nobody else brings it anywhere.
        let there = moved.clone();
        assert_eq!((moved.remap(&before, &index), &moved), (Ok(0), &there));
        assert_eq!((moved.remap(&before, &row(&strips)), &moved), (Err(Misuse::OtherIndex), &there));
    }
}

#[test]
fn costs_of_ways_to_an_area_are_those_of_the_ways() {
    each(|name, index, _| {
        if index.len() > 4000 {
            return;
        }
        let mut rng = Rng(85);
        let mut scratch = PathScratch::new(index);
        let mask = Mask::of(index, |_| rng.below(7) > 0);
        let mut overlay = Overlay::new(index);
        index.areas().filter(|area| !mask.has(*area)).for_each(|area| overlay.block(area));
        let filter = Filter::default().with_mask(Some(&mask));
        let mut costs = vec![0.0; index.len()];
        for query in [Query::shortest().with_overlay(&overlay), Query::shortest().with_filter(filter)] {
            for _ in 0..3 {
                let to = Area::at(rng.below(index.len() as u64) as u32).unwrap();
                scratch.distance_map_to(index, to, &query, &mut costs).unwrap();
                for _ in 0..20 {
                    let from = Area::at(rng.below(index.len() as u64) as u32).unwrap();
                    let path = scratch.path(index, from, to, &query).unwrap().cost();
                    let cost = costs[from.position() as usize];
                    assert_eq!(path.is_some(), cost.is_finite(), "{name}: {from:?} to {to:?}");
                    assert!(path.is_none_or(|path| (path - cost).abs() <= cost * 1e-4 + 1e-3), "{name}");
                }
            }
        }
    });
}

#[test]
fn regions_are_alike_where_a_filter_refuses_what_an_overlay_blocks() {
    let index = squares(5, 1);
    let [first, third] = [0, 2].map(|at| node(&index, at));
    let mask = Mask::of(&index, |area| area != third);
    let filtered = Query::default().with_filter(Filter::default().with_mask(Some(&mask)));
    let mut overlay = Overlay::new(&index);
    overlay.block(third);
    let blocked = Query::default().with_overlay(&overlay);
    let told = index.regions(&[first], &filtered).unwrap();
    assert_eq!(
        told.iter().map(|region| (region.joined, region.areas.len())).collect::<Vec<_>>(),
        [(Joined::Both, 2), (Joined::CutOff, 2), (Joined::CutOff, 1)]
    );
    for from in [first, third] {
        assert_eq!(index.regions(&[from], &filtered), index.regions(&[from], &blocked));
    }
    each(|name, index, _| {
        let mut rng = Rng(84);
        let mask = Mask::of(index, |_| rng.below(9) > 0);
        let start = Area::at(rng.below(index.len() as u64) as u32).unwrap();
        let mut overlay = Overlay::new(index);
        index.areas().filter(|area| !mask.has(*area)).for_each(|area| overlay.block(area));
        let filter = Filter::default().with_mask(Some(&mask));
        assert_eq!(
            index.regions(&[start], &Query::default().with_filter(filter)),
            index.regions(&[start], &Query::default().with_overlay(&overlay)),
            "{name}"
        );
    });
}

#[test]
fn a_corridor_is_not_shortened_over_a_link_that_its_price_closes() {
    let index = squares(3, 3);
    let [from, shut, to] = [3, 4, 5].map(|at| node(&index, at));
    let mut scratch = PathScratch::new(&index);
    for closed in [Some(-1.0), Some(f32::NAN), Some(f32::INFINITY), None] {
        let price = |way: &Way| if way.to == shut { closed } else { Some(way.length) };
        let query = Query::shortest().with_cost(Cost::Custom(&price));
        let [start, goal] = [50.0, 250.0].map(|x| Point::new(x, 150.0, 0.0));
        assert_eq!(scratch.path(&index, from, to, &query).unwrap().cost(), Some(400.0));
        let mut corridor = Corridor::new(&index);
        corridor.follow(&index, &scratch, start, goal).unwrap();
        assert_eq!(corridor.shortcut(&index, goal, f32::INFINITY, &query), Ok(false), "{closed:?}");
        assert_eq!(corridor.optimize(&index, &mut scratch, &query), Ok(false), "{closed:?}");
        assert!(corridor.areas().all(|area| area != shut));
        assert_eq!(corridor.is_valid(&index, &query, usize::MAX), Ok(true));
    }
}
