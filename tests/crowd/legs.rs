//! Ladders and other legs: as states, one direction at a time, first come first served.

use crate::scenes::{TICK, floor, rectangles, tiled};
use navmap::crowd::{AgentId, Body, Crowd, CrowdOptions, Doing};
use navmap::graph::{Link, LinkKind, Point};
use navmap::query::{NavIndex, Query};

/// Two floors, and a ladder between them.
pub(crate) fn ladder(kind: LinkKind) -> NavIndex {
    let mut graph = rectangles(1.0);
    floor(&mut graph, &[[0.0, 0.0, 10.0, 10.0], [10.0, 0.0, 20.0, 10.0]], 0.0);
    floor(&mut graph, &[[20.0, 0.0, 30.0, 10.0]], 6.0);
    let ends = [Point::new(19.5, 5.0, 0.0), Point::new(20.5, 5.0, 6.0)];
    for (from, to, path) in [(1, 2, ends), (2, 1, [ends[1], ends[0]])] {
        graph.add_link(Link { path: Some(path), ..Link::new(from, to, kind) });
    }
    NavIndex::build(&graph).whole().unwrap()
}

/// Eight agents, half of them up and half of them down.
fn both_ways(index: &NavIndex) -> (Crowd, Vec<AgentId>, Vec<Point>) {
    let mut crowd = Crowd::new(index, &CrowdOptions::default().with_agents(8));
    let (mut ids, mut goals) = (Vec::new(), Vec::new());
    for at in 0..4u8 {
        let y = 2.0 + f32::from(at) * 1.5;
        let [below, above] = [Point::new(12.0, y, 0.0), Point::new(27.0, y, 6.0)];
        for (from, to) in [(below, above), (above, below)] {
            let id = crowd.add(index, from, Body::person(index)).unwrap();
            crowd.go(index, id, to).unwrap();
            ids.push(id);
            goals.push(to);
        }
    }
    (crowd, ids, goals)
}

#[test]
fn a_ladder_has_one_direction_at_a_time_and_all_get_over_it() {
    let index = ladder(LinkKind::Ladder);
    let (mut crowd, ids, goals) = both_ways(&index);
    let (mut on, mut waited) = (0, 0);
    for _ in 0..20 * 90 {
        let before: Vec<f32> = ids.iter().map(|id| crowd.agent(*id).unwrap().at.z).collect();
        let tick = crowd.tick(&index, TICK, &Query::default()).unwrap();
        (on, waited) = (on + tick.on_legs, waited + tick.waiting);
        // Ups and downs of those in the middle of the ladder.
        let (mut up, mut down) = (0, 0);
        for (id, before) in ids.iter().zip(before) {
            let agent = crowd.agent(*id).unwrap();
            if let Doing::OnLeg { kind, share } = agent.doing {
                assert!(kind == LinkKind::Ladder && (0.0..=1.0).contains(&share));
                up += usize::from(agent.at.z > before);
                down += usize::from(agent.at.z < before);
            }
        }
        assert!(up == 0 || down == 0, "{up} go up and {down} down");
    }
    assert!(on > 0 && waited > 0, "{on} on the ladder, {waited} waited");
    for (id, goal) in ids.iter().zip(goals) {
        let agent = crowd.agent(*id).unwrap();
        assert_eq!(agent.doing, Doing::Arrived, "{agent:?}");
        assert!(agent.at.distance(goal) < 2.0, "{agent:?}");
    }
}

/// Who is first in the queue at a ladder may be pushed off its way by the others, who then wait for it.
#[test]
fn whoever_is_pushed_away_from_a_ladder_does_not_keep_the_others_waiting() {
    let mut graph = rectangles(1.0);
    // Small areas, so that a push leads into one that is not on the way.
    let [below, above] = [0.0, 12.5].map(|x| tiled(x, 0.0, 12, 12, 1.0));
    floor(&mut graph, &below, 0.0);
    floor(&mut graph, &above, 6.0);
    let ends = [Point::new(11.6, 6.1, 0.0), Point::new(12.9, 6.1, 6.0)];
    let (low, high) = (6 * 12 + 11, 144 + 6 * 12);
    for (from, to, path) in [(low, high, ends), (high, low, [ends[1], ends[0]])] {
        graph.add_link(Link { path: Some(path), ..Link::new(from, to, LinkKind::Ladder) });
    }
    let index = NavIndex::build(&graph).whole().unwrap();
    let mut crowd = Crowd::new(&index, &CrowdOptions::default().with_agents(40).with_seed(1));
    for at in 0..20u8 {
        let [x, y] = [f32::from(at % 8) * 1.2, f32::from(at / 8) * 1.2 + 1.0];
        let [below, above] = [Point::new(10.5 - x, y, 0.0), Point::new(14.0 + x, y, 6.0)];
        for (from, to) in [(below, above), (above, below)] {
            let id = crowd.add(&index, from, Body::person(&index)).unwrap();
            crowd.go(&index, id, to).unwrap();
        }
    }
    let (mut waited, mut idle) = (0, 0);
    for _ in 0..20 * 200 {
        let tick = crowd.tick(&index, TICK, &Query::default()).unwrap();
        waited += tick.waiting;
        idle = if tick.waiting > 0 && tick.on_legs == 0 { idle + 1 } else { 0 };
        assert!(idle <= 200, "{tick:?}: nobody is on the ladder");
    }
    assert!(waited > 0 && crowd.agents().all(|agent| agent.doing == Doing::Arrived));
}

#[test]
fn who_waits_at_a_ladder_and_is_sent_elsewhere_gives_up_its_turn() {
    let index = ladder(LinkKind::Ladder);
    let (mut crowd, ids, _) = both_ways(&index);
    let doing = |crowd: &Crowd, id: AgentId| crowd.agent(id).unwrap().doing;
    let waits = (0..20 * 60).find_map(|_| {
        crowd.tick(&index, TICK, &Query::default()).unwrap();
        ids.iter().copied().find(|id| doing(&crowd, *id) == Doing::Waiting)
    });
    let waits = waits.unwrap();
    let [low, high] = [Point::new(2.0, 5.0, 0.0), Point::new(28.0, 5.0, 6.0)];
    let near = if crowd.agent(waits).unwrap().at.z < 3.0 { low } else { high };
    crowd.go(&index, waits, near).unwrap();
    assert_eq!(doing(&crowd, waits), Doing::Searching);
    crowd.tick(&index, TICK, &Query::default()).unwrap();
    assert_eq!(doing(&crowd, waits), Doing::Walking);
}

#[test]
fn a_teleporter_takes_no_time_and_a_jump_some() {
    for (kind, some) in [(LinkKind::Teleport, false), (LinkKind::Jump, true), (LinkKind::Elevator, true)] {
        let index = ladder(kind);
        let mut crowd = Crowd::new(&index, &CrowdOptions::default());
        let id = crowd.add(&index, Point::new(18.0, 5.0, 0.0), Body::person(&index)).unwrap();
        crowd.go(&index, id, Point::new(28.0, 5.0, 6.0)).unwrap();
        let mut between = 0;
        for _ in 0..20 * 20 {
            crowd.tick(&index, TICK, &Query::default()).unwrap();
            let z = crowd.agent(id).unwrap().at.z;
            between += usize::from(z > 0.1 && z < 5.9);
        }
        assert_eq!((between > 0, crowd.agent(id).unwrap().doing), (some, Doing::Arrived), "{kind}");
    }
}

/// A shaft of two ladders: one ends where the other begins, so somebody on either is in nobody's way on the other.
#[test]
fn who_climbs_the_upper_ladder_of_two_keeps_nobody_from_the_lower_one() {
    let mut graph = rectangles(1.0);
    for (x, z) in [(10.0, 0.0), (20.0, 6.0), (10.0, 12.0)] {
        floor(&mut graph, &[[x, 0.0, x + 10.0, 10.0]], z);
    }
    let [low, landing, high] = [(19.5, 0.0), (20.5, 6.0), (19.5, 12.0)].map(|(x, z)| Point::new(x, 5.0, z));
    for (from, to, path) in [(0, 1, [low, landing]), (1, 2, [landing, high])] {
        graph.add_link(Link { path: Some(path), ..Link::new(from, to, LinkKind::Ladder) });
    }
    let index = NavIndex::build(&graph).whole().unwrap();
    let mut crowd = Crowd::new(&index, &CrowdOptions::default());
    let ids = [Point::new(22.0, 5.0, 6.0), Point::new(18.0, 5.0, 0.0)].map(|at| {
        let id = crowd.add(&index, at, Body::person(&index)).unwrap();
        crowd.go(&index, id, Point::new(12.0, 5.0, 12.0)).unwrap();
        id
    });
    let mut both = 0;
    for _ in 0..20 * 30 {
        let tick = crowd.tick(&index, TICK, &Query::default()).unwrap();
        both += usize::from(tick.on_legs == 2);
        assert_eq!(tick.waiting, 0, "{tick:?}");
    }
    assert!(both > 20, "{both} ticks in which both climb");
    assert!(ids.iter().all(|id| crowd.agent(*id).unwrap().at.z > 11.0), "{ids:?}");
}
