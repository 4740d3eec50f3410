//! What a crowd says of goals: who has arrived, who cannot, who was pushed away, and what a reload leaves of it.

use crate::scenes::{self, TICK, floor, rectangles};
use navmap::crowd::{AgentId, Body, Crowd, CrowdOptions, Doing, Refused};
use navmap::graph::{FlatGraph, Point};
use navmap::query::{NavIndex, Query};
use navmap_testkit::alloc::cost_of;

/// A floor of five squares of 4 m in a row, at a height. The fourth is missing if it is `cut`.
fn row(z: f32, cut: bool) -> NavIndex {
    let mut graph = rectangles(1.0);
    let square = |at: u8| [f32::from(at) * 4.0, 0.0, f32::from(at) * 4.0 + 4.0, 4.0];
    let squares: Vec<[f32; 4]> = (0..5).filter(|at| *at != 3 || !cut).map(square).collect();
    floor(&mut graph, &squares, z);
    NavIndex::build(&graph).whole().unwrap()
}

fn at(x: f32) -> Point {
    Point::new(x, 2.0, 0.0)
}

fn ticks(crowd: &mut Crowd, index: &NavIndex, query: &Query<'_>, count: usize) {
    for _ in 0..count {
        crowd.tick(index, TICK, query).unwrap();
    }
}

fn doing(crowd: &Crowd, id: AgentId) -> Doing {
    crowd.agent(id).unwrap().doing
}

#[test]
fn a_crowd_that_cannot_go_with_a_reload_stays_as_it_was() {
    let (index, query) = (row(0.0, false), Query::default());
    let none = NavIndex::build(&FlatGraph::new("area", index.axes())).whole().unwrap();
    let mut crowd = Crowd::new(&index, &CrowdOptions::default());
    let ids = [2.0, 18.0].map(|x| crowd.add(&index, at(x), Body::person(&index)).unwrap());
    crowd.go(&index, ids[0], at(17.0)).unwrap();
    ticks(&mut crowd, &index, &query, 20);
    let before: Vec<_> = crowd.agents().collect();
    assert!(matches!(crowd.remap(&none), Err(Refused::Nowhere(_))));
    assert_eq!(crowd.agents().collect::<Vec<_>>(), before);
    ticks(&mut crowd, &index, &query, 1);
    crowd.remap(&index).unwrap();
    ticks(&mut crowd, &index, &query, 200);
    assert_eq!(ids.map(|id| doing(&crowd, id)), [Doing::Arrived, Doing::Standing]);
}

#[test]
fn everybody_stands_on_the_ground_after_a_reload_in_which_it_rose() {
    let (index, raised) = (row(0.0, false), row(0.5, false));
    let mut crowd = Crowd::new(&index, &CrowdOptions::default());
    let ids = [2.0, 6.0, 10.0].map(|x| crowd.add(&index, at(x), Body::person(&index)).unwrap());
    // One stands, one has arrived, one walks.
    crowd.go(&index, ids[1], at(6.5)).unwrap();
    ticks(&mut crowd, &index, &Query::default(), 60);
    crowd.go(&index, ids[2], at(19.0)).unwrap();
    ticks(&mut crowd, &index, &Query::default(), 10);
    assert_eq!(ids.map(|id| doing(&crowd, id)), [Doing::Standing, Doing::Arrived, Doing::Walking]);
    let before: Vec<Point> = crowd.agents().map(|agent| agent.at).collect();
    crowd.remap(&raised).unwrap();
    for (agent, before) in crowd.agents().zip(before) {
        assert_eq!(agent.at, Point { z: 0.5, ..before }, "{agent:?}");
    }
    ticks(&mut crowd, &raised, &Query::default(), 200);
    for agent in crowd.agents() {
        assert_eq!(raised.z_at(agent.area.unwrap(), agent.at), Some(agent.at.z));
    }
    assert_eq!(ids.map(|id| doing(&crowd, id)), [Doing::Standing, Doing::Arrived, Doing::Arrived]);
}

#[test]
fn nobody_arrives_at_a_goal_that_cannot_be_reached() {
    let index = row(0.0, true);
    let mut crowd = Crowd::new(&index, &CrowdOptions::default());
    let ids = [2.0, 4.0, 6.0].map(|x| crowd.add(&index, at(x), Body::person(&index)).unwrap());
    for id in ids {
        crowd.go(&index, id, at(18.0)).unwrap();
    }
    let query = Query::default().with_partial(true);
    for _ in 0..20 * 20 {
        assert_eq!(crowd.tick(&index, TICK, &query).unwrap().arrived, 0);
    }
    // They are as near as one gets, and no longer try.
    for id in ids {
        let agent = crowd.agent(id).unwrap();
        assert!(agent.doing == Doing::NoWay && agent.at.x > 9.0, "{agent:?}");
    }
    assert!(crowd.agents().any(|agent| agent.at.x > 11.5));
    // A goal that can be reached is.
    crowd.go(&index, ids[0], at(1.0)).unwrap();
    ticks(&mut crowd, &index, &query, 200);
    assert_eq!(doing(&crowd, ids[0]), Doing::Arrived);
}

#[test]
fn nobody_arrives_at_a_new_goal_on_the_way_to_the_old_one() {
    let index = row(0.0, false);
    // One search takes many ticks.
    let mut crowd = Crowd::new(&index, &CrowdOptions::default().with_agents(30).with_pops(1));
    let ids: Vec<AgentId> = (0..30u8)
        .map(|i| {
            let p = Point::new(1.0 + f32::from(i % 6), 0.5 + f32::from(i / 6) * 0.7, 0.0);
            crowd.add(&index, p, Body::person(&index)).unwrap()
        })
        .collect();
    let last = ids[29];
    crowd.go(&index, last, at(9.0)).unwrap();
    ticks(&mut crowd, &index, &Query::default(), 20);
    assert_eq!(doing(&crowd, last), Doing::Walking);
    for id in &ids {
        crowd.go(&index, *id, at(19.0)).unwrap();
    }
    let mut waited = false;
    for _ in 0..20 * 60 {
        crowd.tick(&index, TICK, &Query::default()).unwrap();
        let agent = crowd.agent(last).unwrap();
        waited |= agent.doing == Doing::Searching;
        if agent.doing == Doing::Arrived {
            assert!(agent.at.x > 14.0, "{agent:?}");
            break;
        }
    }
    assert_eq!((doing(&crowd, last), waited), (Doing::Arrived, true));
}

#[test]
fn who_is_pushed_away_from_a_goal_goes_back_to_it() {
    let (index, query) = (row(0.0, false), Query::default());
    let mut crowd = Crowd::new(&index, &CrowdOptions::default());
    let body = Body::person(&index);
    let id = crowd.add(&index, at(8.0), body).unwrap();
    crowd.go(&index, id, at(10.0)).unwrap();
    ticks(&mut crowd, &index, &query, 200);
    assert_eq!(doing(&crowd, id), Doing::Arrived);
    let large = crowd.add(&index, at(2.0), body.with_radius(1.9)).unwrap();
    crowd.go(&index, large, at(17.5)).unwrap();
    let mut farthest = 0f32;
    for _ in 0..600 {
        crowd.tick(&index, TICK, &query).unwrap();
        farthest = farthest.max(crowd.agent(id).unwrap().at.distance(at(10.0)));
    }
    assert!(farthest > 2.0 * body.radius, "it was not pushed: {farthest}");
    crowd.remove(large);
    ticks(&mut crowd, &index, &query, 400);
    let agent = crowd.agent(id).unwrap();
    assert!(agent.doing == Doing::Arrived && agent.at.distance(at(10.0)) < body.radius, "{agent:?}");
}

#[test]
fn who_has_arrived_beside_others_stays_there() {
    let scene = scenes::all().into_iter().find(|scene| scene.name == "meeting").unwrap();
    let index = NavIndex::build(&scene.graph).whole().unwrap();
    let mut crowd = Crowd::new(&index, &CrowdOptions::default());
    for [from, to] in &scene.walks {
        let id = crowd.add(&index, *from, Body::person(&index)).unwrap();
        crowd.go(&index, id, *to).unwrap();
    }
    ticks(&mut crowd, &index, &Query::default(), 20 * 60);
    let all = scene.walks.len() as u32;
    for _ in 0..20 * 60 {
        assert_eq!(crowd.tick(&index, TICK, &Query::default()).unwrap().arrived, all);
    }
}

#[test]
fn removing_agents_allocates_nothing() {
    let index = row(0.0, false);
    let mut crowd = Crowd::new(&index, &CrowdOptions::default());
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.extend((0..100).map(|_| crowd.add(&index, at(2.0), Body::person(&index)).unwrap()));
        let half = ids.split_off(50);
        let (gone, cost) = cost_of(|| half.iter().filter(|id| crowd.remove(**id)).count());
        assert_eq!((gone, cost.calls), (half.len(), 0));
    }
    let (gone, cost) = cost_of(|| ids.iter().filter(|id| crowd.remove(**id)).count());
    assert_eq!((gone, cost.calls, crowd.is_empty()), (50, 0, true));
}
