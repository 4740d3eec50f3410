//! Ways of limited length, and what closes while a search is unfinished.

use navmap::format::source::{SourceGraph, SourceNav};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Shape};
use navmap::query::{
    Area, Corridor, Cost, NavIndex, Outcome, Overlay, PathScratch, Query, Search, Step, Way,
};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::bundled;

fn town() -> NavIndex {
    let bytes = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let graph = FlatGraph::of(&SourceGraph::new(&SourceNav::parse(&bytes).unwrap())).whole().unwrap();
    NavIndex::build(&graph).whole().unwrap()
}

fn random(index: &NavIndex, rng: &mut Rng) -> Area {
    index.of_node(rng.below(index.len() as u64) as u32).unwrap()
}

/// The steps of the latest way, each of which leads on from the one before.
fn steps(scratch: &PathScratch, index: &NavIndex) -> Vec<Step> {
    let steps: Vec<Step> = scratch.steps(index).collect();
    for pair in steps.windows(2) {
        let way = pair[1].way.unwrap();
        assert_eq!([way.from, way.to], [pair[0].area, pair[1].area]);
    }
    steps
}

/// The search to its end, a few areas at a time.
fn in_parts(scratch: &mut PathScratch, index: &NavIndex, [a, b]: [Area; 2], query: &Query<'_>) -> Outcome {
    let query = query.with_max_pops(7);
    let mut outcome = scratch.path(index, a, b, &query).unwrap();
    while outcome == Outcome::Unfinished {
        outcome = scratch.resume(index, &query).unwrap();
    }
    outcome
}

#[test]
fn a_way_that_is_short_enough_is_found_whatever_it_costs() {
    let index = town();
    let (mut rng, mut scratch, mut overlay) = (Rng(5), PathScratch::new(&index), Overlay::new(&index));
    for area in index.areas().step_by(3) {
        overlay.scale(area, 4.0);
    }
    let mut dearer = 0;
    for _ in 0..400 {
        let [a, b] = [random(&index, &mut rng), random(&index, &mut rng)];
        let Some(shortest) = scratch.travel_distance(&index, a, b) else { continue };
        for query in [Query::cheapest(), Query::default(), Query::cheapest().with_overlay(&overlay)] {
            let cheapest = scratch.path(&index, a, b, &query).unwrap().cost().unwrap();
            let most = shortest * rng.f32(1.000_01, 1.1);
            let limited = query.with_max_length(most);
            let outcome = scratch.path(&index, a, b, &limited).unwrap();
            let cost = outcome.cost().unwrap_or_else(|| panic!("{outcome:?}: {shortest} of {most}"));
            let way = steps(&scratch, &index);
            assert_eq!([way[0].area, way[way.len() - 1].area], [a, b]);
            let length: f32 = way.iter().filter_map(|step| step.way).map(|way| way.length).sum();
            assert!(length <= most, "{length} of {most}");
            assert_eq!(cost, way[way.len() - 1].cost);
            // As the game searches, the cheapest way may be missed.
            assert!(query.search == Search::Engine || cost >= cheapest * 0.999, "{cost} {cheapest}");
            assert!(way.is_sorted_by_key(|step| step.cost));
            dearer += u32::from(cost > cheapest * 1.001);
            assert_eq!(in_parts(&mut scratch, &index, [a, b], &limited), outcome);
            assert_eq!(steps(&scratch, &index), way);
            // Nothing is shorter than the shortest, and the nearest place is within the limit too.
            let short = query.with_max_length(shortest * 0.999);
            if a != b {
                assert_eq!(scratch.path(&index, a, b, &short).unwrap(), Outcome::NoWay);
                let outcome = scratch.path(&index, a, b, &short.with_partial(true)).unwrap();
                let Outcome::Partial { cost, closest, .. } = outcome else { panic!("{outcome:?}") };
                let way = steps(&scratch, &index);
                let length: f32 = way.iter().filter_map(|step| step.way).map(|way| way.length).sum();
                assert!(length <= shortest && way[way.len() - 1].area == closest && closest != b);
                assert_eq!(way[way.len() - 1].cost, cost);
                assert_eq!(in_parts(&mut scratch, &index, [a, b], &short.with_partial(true)), outcome);
            }
        }
    }
    assert!(dearer > 20, "{dearer}");
}

/// A cheaper and longer way to an area is found late, and the price of the next link is so high that its sum stays the same.
#[test]
fn a_longer_way_at_the_same_price_hides_none_that_is_short_enough() {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    for [x, y] in [[0.0, 0.0], [100.0, 0.0], [0.0, -150.0], [200.0, 0.0]] {
        let corners = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
        graph.add_node(1, Shape::Polygon(&corners.map(|[u, v]| Point::new(x + u, y + v, 0.0))));
    }
    for (from, to) in [(0, 1), (0, 2), (2, 1), (1, 3)] {
        graph.add_link(Link::new(from, to, LinkKind::Walk));
    }
    let index = NavIndex::build(&graph).whole().unwrap();
    let [from, middle, aside, goal] = [0, 1, 2, 3].map(|node| index.of_node(node).unwrap());
    let price = |way: &Way| {
        Some(match way.to {
            to if to == goal => 1e8,
            to if to == middle && way.from == from => 0.5,
            _ => 0.125,
        })
    };
    let query = Query::default().with_search(Search::Engine).with_cost(Cost::Custom(&price));
    let mut scratch = PathScratch::new(&index);
    let _ = scratch.path(&index, from, goal, &query).unwrap();
    assert_eq!(scratch.areas().collect::<Vec<_>>(), [from, aside, middle, goal]);
    // 200 units straight on, 330 aside to the middle and 430 to the goal.
    for partial in [false, true] {
        let limited = query.with_max_length(400.0).with_partial(partial);
        assert_eq!(scratch.path(&index, from, goal, &limited), Ok(Outcome::Found { cost: 1e8 }));
        assert_eq!(scratch.areas().collect::<Vec<_>>(), [from, middle, goal]);
    }
}

#[test]
fn what_closes_while_a_search_is_unfinished_is_no_other_link() {
    let index = town();
    let (mut rng, mut scratch, mut met) = (Rng(6), PathScratch::new(&index), 0);
    for _ in 0..60 {
        let [a, b] = [random(&index, &mut rng), random(&index, &mut rng)];
        let _ = scratch.path(&index, a, b, &Query::default()).unwrap();
        if scratch.len() < 12 {
            continue;
        }
        let door = scratch.areas().nth(3).unwrap();
        let mut overlay = Overlay::new(&index);
        let asks = Query::default().with_max_pops(8);
        let mut outcome = scratch.path(&index, a, b, &asks.with_overlay(&overlay)).unwrap();
        overlay.block(door);
        while outcome == Outcome::Unfinished {
            outcome = scratch.resume(&index, &asks.with_overlay(&overlay)).unwrap();
        }
        let Outcome::Found { .. } = outcome else { continue };
        let through = steps(&scratch, &index).iter().any(|step| step.area == door);
        let mut corridor = Corridor::new(&index);
        let [start, goal] = [a, b].map(|area| index.center(area).unwrap());
        corridor.follow(&index, &scratch, start, goal).unwrap();
        let query = Query::default().with_overlay(&overlay);
        assert_eq!(corridor.is_valid(&index, &query, usize::MAX), Ok(!through));
        met += u32::from(through);
    }
    assert!(met > 5, "{met}");
}
