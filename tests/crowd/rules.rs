//! What always holds of a crowd.

use crate::scenes::{self, TICK, floor, rectangles};
use navmap::crowd::{Agent, AgentId, Body, Crowd, CrowdOptions, Doing, Refused};
use navmap::graph::Point;
use navmap::query::{Filter, Mask, Misuse, NavIndex, Overlay, PathScratch, Query};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::Rng;

fn town() -> NavIndex {
    NavIndex::build(&scenes::town()).whole().unwrap()
}

/// Agents at random places of a mesh, who go to other ones.
fn random(index: &NavIndex, count: usize, seed: u64) -> (Crowd, Vec<AgentId>) {
    let options = CrowdOptions::default().with_agents(count).with_seed(seed).with_steps(index.len());
    let (mut crowd, mut rng, spots) = (Crowd::new(index, &options), Rng(41), index.spots());
    let mut point = || index.random_point(&spots, || rng.f32(0.0, 1.0).into()).unwrap().1;
    let ids = (0..count)
        .map(|_| {
            let id = crowd.add(index, point(), Body::person(index)).unwrap();
            crowd.go(index, id, point()).unwrap();
            id
        })
        .collect();
    (crowd, ids)
}

#[test]
fn the_same_ticks_give_the_same_result_to_the_bit() {
    let index = town();
    let run = |seed: u64| {
        let (mut crowd, _) = random(&index, 120, seed);
        for _ in 0..400 {
            crowd.tick(&index, TICK, &Query::default()).unwrap();
        }
        let bits = |agent: Agent| agent.at.to_array().map(f32::to_bits);
        crowd.agents().map(bits).collect::<Vec<_>>()
    };
    let first = run(1);
    assert_eq!(first, run(1));
    assert_ne!(first, run(2), "a seed that changes nothing");
}

#[test]
fn a_tick_allocates_nothing() {
    let index = town();
    let (mut crowd, ids) = random(&index, 200, 0);
    let (mut rng, spots) = (Rng(43), index.spots());
    let ((), cost) = cost_of(|| {
        for tick in 0..600usize {
            crowd.tick(&index, TICK, &Query::default()).unwrap();
            // New goals on the way, and some are put elsewhere.
            let to = index.random_point(&spots, || rng.f32(0.0, 1.0).into()).unwrap().1;
            crowd.go(&index, ids[tick % ids.len()], to).unwrap();
            if tick % 50 == 0 {
                crowd.place(&index, ids[tick % 7], to).unwrap();
            }
        }
    });
    assert_eq!(cost.calls, 0);
}

#[test]
fn few_overlap_and_nobody_by_much() {
    let mut met = 0;
    for scene in scenes::all() {
        let index = NavIndex::build(&scene.graph).whole().unwrap();
        let mut crowd = Crowd::new(&index, &CrowdOptions::default().with_agents(scene.walks.len()));
        let body = Body::person(&index);
        for [from, to] in &scene.walks {
            let id = crowd.add(&index, *from, body).unwrap();
            crowd.go(&index, id, *to).unwrap();
        }
        let (mut deep, mut pairs) = (0, 0);
        for _ in 0..20 * 30 {
            crowd.tick(&index, TICK, &Query::default()).unwrap();
            let ground = |agent: &Agent| !matches!(agent.doing, Doing::OnLeg { .. });
            let at: Vec<Point> = crowd.agents().filter(ground).map(|agent| agent.at).collect();
            for (i, a) in at.iter().enumerate() {
                for b in &at[i + 1..] {
                    let apart = a.distance(*b) / (2.0 * body.radius);
                    pairs += usize::from(apart < 2.0);
                    deep += usize::from(apart < 0.75);
                }
            }
        }
        println!("{}: {deep} of {pairs} near pairs overlap by a quarter", scene.name);
        assert!(deep * 20 <= pairs, "{}: {deep} of {pairs}", scene.name);
        met += pairs;
    }
    assert!(met > 1_000);
}

#[test]
fn a_way_that_is_blocked_is_searched_again() {
    let mut graph = rectangles(1.0);
    // Two ways from left to right: a short one in the middle, a long one around.
    let rooms =
        [[0.0, 0.0, 4.0, 20.0], [4.0, 8.0, 16.0, 12.0], [4.0, 14.0, 16.0, 18.0], [16.0, 0.0, 20.0, 20.0]];
    floor(&mut graph, &rooms, 0.0);
    let index = NavIndex::build(&graph).whole().unwrap();
    let mut crowd = Crowd::new(&index, &CrowdOptions::default());
    let id = crowd.add(&index, Point::new(1.0, 3.0, 0.0), Body::person(&index)).unwrap();
    crowd.go(&index, id, Point::new(19.0, 3.0, 0.0)).unwrap();
    let (mut overlay, mut highest) = (Overlay::new(&index), 0f32);
    for tick in 0..20 * 40 {
        if tick == 10 {
            overlay.block(index.of_node(1).unwrap());
        }
        crowd.tick(&index, TICK, &Query::default().with_overlay(&overlay)).unwrap();
        highest = highest.max(crowd.agent(id).unwrap().at.y);
    }
    assert_eq!(crowd.agent(id).unwrap().doing, Doing::Arrived);
    assert!(highest > 12.0, "it went through what is blocked: {highest}");

    // And where no way is left, it says so.
    overlay.block(index.of_node(2).unwrap());
    crowd.go(&index, id, Point::new(1.0, 3.0, 0.0)).unwrap();
    crowd.tick(&index, TICK, &Query::default().with_overlay(&overlay)).unwrap();
    assert_eq!(crowd.agent(id).unwrap().doing, Doing::NoWay);
}

#[test]
fn a_door_that_closes_while_a_way_is_searched_is_gone_around() {
    let index = town();
    let from = index.in_place("CTSpawn").next().unwrap();
    let (mut scratch, mut costs) = (PathScratch::new(&index), vec![f32::INFINITY; index.len()]);
    scratch.distance_map(&index, from, &Query::default(), &mut costs).unwrap();
    let reached = index.areas().filter(|area| costs[area.position() as usize].is_finite());
    let far =
        reached.max_by(|a, b| costs[a.position() as usize].total_cmp(&costs[b.position() as usize])).unwrap();
    assert!(scratch.path(&index, from, far, &Query::default()).unwrap().cost().is_some());
    let door = scratch.areas().nth(3).unwrap();
    // Before the search, while it is unfinished, and while the way is followed.
    for closes in [0, 3, 25] {
        let mut crowd = Crowd::new(&index, &CrowdOptions::default().with_pops(8));
        let id = crowd.add(&index, index.center(from).unwrap(), Body::person(&index)).unwrap();
        crowd.go(&index, id, index.center(far).unwrap()).unwrap();
        let mut overlay = Overlay::new(&index);
        for tick in 0..20 * 60 {
            if tick == closes {
                assert!(closes != 3 || crowd.agent(id).unwrap().doing == Doing::Searching);
                overlay.block(door);
            }
            crowd.tick(&index, TICK, &Query::default().with_overlay(&overlay)).unwrap();
            let agent = crowd.agent(id).unwrap();
            assert!(tick < closes || agent.area != Some(door), "closed at tick {closes}, entered at {tick}");
        }
        let doing = crowd.agent(id).unwrap().doing;
        assert!(
            matches!(doing, Doing::Walking | Doing::OnLeg { .. } | Doing::Arrived),
            "{closes}: {doing:?}"
        );
    }
}

#[test]
fn searches_of_one_tick_keep_to_their_budget_and_go_on_in_the_next() {
    let index = town();
    let options = CrowdOptions::default().with_agents(50).with_pops(40);
    let (mut crowd, mut rng, spots) = (Crowd::new(&index, &options), Rng(47), index.spots());
    let mut point = || index.random_point(&spots, || rng.f32(0.0, 1.0).into()).unwrap().1;
    for _ in 0..50 {
        let id = crowd.add(&index, point(), Body::person(&index)).unwrap();
        crowd.go(&index, id, point()).unwrap();
    }
    let first = crowd.tick(&index, TICK, &Query::default()).unwrap();
    assert!(first.searching > 40, "{first:?}");
    let mut ticks = 1;
    while crowd.tick(&index, TICK, &Query::default()).unwrap().searching > 0 {
        ticks += 1;
        assert!(ticks < 2_000);
    }
    assert!(ticks > 10, "{ticks}");
}

#[test]
fn a_crowd_refuses_what_makes_no_sense_and_goes_with_a_reload() {
    let index = town();
    let mut crowd = Crowd::new(&index, &CrowdOptions::default().with_agents(2));
    let body = Body::person(&index);
    let p = index.center(index.areas().next().unwrap()).unwrap();
    let id = crowd.add(&index, p, body).unwrap();
    let far = Point::new(1e7, 0.0, 0.0);
    assert_eq!(crowd.add(&index, far, body), Err(Refused::Nowhere(far)));
    let nan = Point::new(f32::NAN, 0.0, 0.0);
    assert_eq!(crowd.add(&index, nan, body), Err(Refused::Misuse(Misuse::NotFinite)));
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(crowd.add(&index, p, body.with_radius(bad)), Err(Refused::BadNumber));
        assert_eq!(crowd.tick(&index, bad, &Query::default()), Err(Refused::BadNumber));
    }
    // What belongs to another index is refused though nobody asks for a way.
    let foreign = town();
    let (overlay, mask) = (Overlay::new(&foreign), Mask::new(&foreign));
    let masked = Filter::default().with_mask(Some(&mask));
    for query in [Query::default().with_overlay(&overlay), Query::default().with_filter(masked)] {
        assert_eq!(crowd.tick(&index, TICK, &query), Err(Refused::Misuse(Misuse::OtherIndex)));
    }
    let other = crowd.add(&index, p, body).unwrap();
    assert_eq!(crowd.add(&index, p, body), Err(Refused::Full));
    assert_eq!(crowd.go(&index, id, far), Err(Refused::Nowhere(far)));
    assert!(crowd.remove(other) && !crowd.remove(other));
    assert_eq!((crowd.go(&index, other, p), crowd.agent(other)), (Err(Refused::NoSuchAgent), None));
    let again = crowd.add(&index, p, body).unwrap();
    assert_ne!(again, other);
    assert_eq!(crowd.len(), 2);

    let to = index.center(index.areas().last().unwrap()).unwrap();
    crowd.go(&index, id, to).unwrap();
    for _ in 0..20 {
        crowd.tick(&index, TICK, &Query::default()).unwrap();
    }
    let reloaded = town();
    assert_eq!(crowd.tick(&reloaded, TICK, &Query::default()), Err(Refused::Misuse(Misuse::OtherIndex)));
    crowd.remap(&reloaded).unwrap();
    let before = crowd.agent(id).unwrap();
    let tick = crowd.tick(&reloaded, TICK, &Query::default()).unwrap();
    assert!(crowd.agent(id).unwrap().at.distance(before.at) < body.speed && tick.walking == 1);
    let reachable = PathScratch::new(&reloaded).travel_distance(
        &reloaded,
        reloaded.area_at(p, None).unwrap(),
        reloaded.area_at(to, None).unwrap(),
    );
    for _ in 0..20 * 240 {
        crowd.tick(&reloaded, TICK, &Query::default()).unwrap();
    }
    assert_eq!(crowd.agent(id).unwrap().doing == Doing::Arrived, reachable.is_some());
    crowd.stop(id).unwrap();
    assert_eq!(crowd.agent(id).unwrap().doing, Doing::Standing);
}
