//! What a crowd makes of it that the game moves its agents.

use crate::legs::ladder;
use crate::pace::zigzag;
use crate::scenes::{TICK, floor, rectangles, tiled};
use navmap::crowd::{AgentId, Body, Crowd, CrowdOptions, Doing, Refused};
use navmap::graph::{LinkKind, Point};
use navmap::query::{Misuse, NavIndex, Overlay, Query};
use navmap_testkit::alloc::cost_of;

/// Two halls of small squares, 10 m by 8 m, with 30 cm of wall between them and a passage at one end; and one above the first.
fn halls() -> NavIndex {
    let mut graph = rectangles(1.0);
    let mut rooms = tiled(0.0, 0.0, 5, 4, 2.0);
    rooms.extend(tiled(0.0, 8.3, 5, 4, 2.0));
    rooms.push([8.0, 8.0, 10.0, 8.3]);
    floor(&mut graph, &rooms, 0.0);
    floor(&mut graph, &tiled(0.0, 0.0, 5, 4, 2.0), 4.0);
    NavIndex::build(&graph).whole().unwrap()
}

fn at(x: f32, y: f32) -> Point {
    Point::new(x, y, 0.0)
}

/// A crowd of one, on its way.
fn walker(index: &NavIndex, from: Point, to: Point) -> (Crowd, AgentId) {
    let mut crowd = Crowd::new(index, &CrowdOptions::default().with_agents(2));
    let id = crowd.add(index, from, Body::person(index)).unwrap();
    crowd.go(index, id, to).unwrap();
    crowd.tick(index, TICK, &Query::default()).unwrap();
    (crowd, id)
}

/// The ticks until an agent has arrived, the game doing `what` after each.
fn ticks(crowd: &mut Crowd, index: &NavIndex, id: AgentId, mut what: impl FnMut(&mut Crowd, Point)) -> usize {
    for tick in 1..20 * 60 {
        crowd.tick(index, TICK, &Query::default()).unwrap();
        let agent = crowd.agent(id).unwrap();
        if agent.doing == Doing::Arrived {
            return tick;
        }
        what(crowd, agent.at);
    }
    panic!("{:?} never arrived", crowd.agent(id));
}

#[test]
fn who_is_moved_a_little_in_every_tick_keeps_walking() {
    let index = halls();
    let ends = [at(1.0, 1.0), at(9.0, 6.0)];
    let (mut crowd, id) = walker(&index, ends[0], ends[1]);
    let alone = ticks(&mut crowd, &index, id, |_, _| ());
    let (mut crowd, id) = walker(&index, ends[0], ends[1]);
    let (pushed, cost) = cost_of(|| {
        let mut turn = 0;
        ticks(&mut crowd, &index, id, |crowd, p| {
            turn += 1;
            if p.distance(ends[1]) < 2.0 {
                return;
            }
            // In the air too, and now and then a metre back, beside the mesh as well.
            let far = if turn % 25 == 0 { -1.0 } else { 0.05 };
            let to = Point::new(p.x + far, (p.y - far.abs()).max(-0.2), 0.1);
            crowd.moved(&index, id, to).unwrap();
            let agent = crowd.agent(id).unwrap();
            assert_eq!((agent.at.x, agent.at.y, agent.doing), (to.x.max(0.0), to.y.max(0.0), Doing::Walking));
        })
    });
    assert!(
        alone < pushed && pushed < alone * 3 && cost.calls == 0,
        "{pushed} ticks in place of {alone}, {cost:?}"
    );
}

#[test]
fn who_is_moved_to_another_hall_or_storey_has_its_way_searched_again() {
    let index = halls();
    let (mut crowd, id) = walker(&index, at(1.0, 7.5), at(1.0, 1.0));
    // Through the wall, which is thinner than a step is long.
    crowd.moved(&index, id, at(1.5, 8.6)).unwrap();
    let agent = crowd.agent(id).unwrap();
    assert_eq!((agent.at, agent.doing, agent.goal), (at(1.5, 8.6), Doing::Searching, Some(at(1.0, 1.0))));
    assert!(ticks(&mut crowd, &index, id, |_, _| ()) > 20 * 4, "it went through the wall");
    // Up, from where no way leads back, and down again.
    crowd.go(&index, id, at(9.0, 1.0)).unwrap();
    crowd.tick(&index, TICK, &Query::default()).unwrap();
    crowd.moved(&index, id, Point::new(2.0, 1.0, 4.2)).unwrap();
    crowd.tick(&index, TICK, &Query::default()).unwrap();
    let agent = crowd.agent(id).unwrap();
    assert_eq!((agent.at.z, agent.doing), (4.0, Doing::NoWay));
    crowd.moved(&index, id, Point::new(2.0, 1.0, 1.5)).unwrap();
    ticks(&mut crowd, &index, id, |_, _| ());
    assert_eq!(crowd.agent(id).unwrap().at.z, 0.0);
}

#[test]
fn what_is_no_place_moves_nobody() {
    let index = halls();
    let (mut crowd, id) = walker(&index, at(1.0, 1.0), at(9.0, 1.0));
    let before = crowd.agent(id);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for p in [Point::new(bad, 1.0, 0.0), Point::new(1.0, bad, 0.0), Point::new(1.0, 1.0, bad)] {
            assert_eq!(crowd.moved(&index, id, p), Err(Refused::Misuse(Misuse::NotFinite)));
        }
    }
    for far in [at(-500.0, 1.0), at(f32::MAX, f32::MIN)] {
        assert_eq!(crowd.moved(&index, id, far), Err(Refused::Nowhere(far)));
    }
    assert_eq!(crowd.moved(&halls(), id, at(1.0, 1.0)), Err(Refused::Misuse(Misuse::OtherIndex)));
    assert_eq!(crowd.moved(&index, AgentId::from_bits(7), at(1.0, 1.0)), Err(Refused::NoSuchAgent));
    assert_eq!(crowd.agent(id), before);
    ticks(&mut crowd, &index, id, |_, _| ());
}

#[test]
fn who_is_told_to_be_where_it_is_gets_over_a_ladder_and_who_is_knocked_off_climbs_again() {
    let index = ladder(LinkKind::Ladder);
    let up = Point::new(27.0, 5.0, 6.0);
    let (mut crowd, id) = walker(&index, at(17.0, 5.0), up);
    let alone = ticks(&mut crowd, &index, id, |_, _| ());
    let (mut crowd, id) = walker(&index, at(17.0, 5.0), up);
    let told = ticks(&mut crowd, &index, id, |crowd, p| crowd.moved(&index, id, p).unwrap());
    assert_eq!(told, alone);
    // Nor are lines between waypoints a place of their own.
    let (line, ends) = zigzag();
    let (mut crowd, id) = walker(&line, ends[0], ends[1]);
    let alone_there = ticks(&mut crowd, &line, id, |_, _| ());
    let (mut crowd, id) = walker(&line, ends[0], ends[1]);
    assert_eq!(ticks(&mut crowd, &line, id, |crowd, p| crowd.moved(&line, id, p).unwrap()), alone_there);
    let (mut crowd, id) = walker(&index, at(17.0, 5.0), up);
    let mut fell = false;
    let fallen = ticks(&mut crowd, &index, id, |crowd, p| {
        if !fell && p.z > 3.0 {
            fell = true;
            crowd.moved(&index, id, at(16.0, 5.0)).unwrap();
            let agent = crowd.agent(id).unwrap();
            assert_eq!((agent.at, agent.doing), (at(16.0, 5.0), Doing::Searching));
        }
    });
    assert!(fell && fallen > alone + 10, "{fallen} after {alone}");
}

#[test]
fn who_has_arrived_and_is_moved_away_goes_back_and_who_stands_stays() {
    let index = halls();
    let (mut crowd, id) = walker(&index, at(1.0, 1.0), at(5.0, 1.0));
    ticks(&mut crowd, &index, id, |_, _| ());
    crowd.moved(&index, id, at(1.0, 5.0)).unwrap();
    assert!(ticks(&mut crowd, &index, id, |_, _| ()) > 20);
    crowd.stop(id).unwrap();
    crowd.moved(&index, id, at(1.0, 5.0)).unwrap();
    for _ in 0..40 {
        crowd.tick(&index, TICK, &Query::default()).unwrap();
    }
    let agent = crowd.agent(id).unwrap();
    assert_eq!((agent.at, agent.doing), (at(1.0, 5.0), Doing::Standing));
}

#[test]
fn who_cannot_be_where_it_is_said_to_be_is_where_it_was_though_a_wall_is_on_the_way_back() {
    // A way of the shape of a U, open at the top, 2 m wide.
    let mut graph = rectangles(1.0);
    let mut rooms = tiled(0.0, 0.0, 5, 1, 2.0);
    rooms.extend(tiled(0.0, 2.0, 1, 4, 2.0));
    rooms.extend(tiled(8.0, 2.0, 1, 4, 2.0));
    floor(&mut graph, &rooms, 0.0);
    let index = NavIndex::build(&graph).whole().unwrap();
    let (mut crowd, id) = walker(&index, at(9.9, 9.65), at(1.0, 5.0));
    let before = crowd.agent(id).unwrap().at;
    // On the way there it slides along three walls, into the other arm.
    let far = at(-60.0, 8.9);
    assert_eq!(crowd.moved(&index, id, far), Err(Refused::Nowhere(far)));
    assert_eq!(crowd.agent(id).unwrap().at, before);
    crowd.tick(&index, TICK, &Query::default()).unwrap();
    assert!(crowd.agent(id).unwrap().at.distance(before) < 1.0, "{:?}", crowd.agent(id));
    ticks(&mut crowd, &index, id, |_, _| ());
}

/// What is left of a way gets longer where a door closes, or where it has become dear to go on: that is no reason to go slowly.
#[test]
fn who_turns_back_for_another_way_goes_on_as_fast() {
    // Round a block of houses, with a door just before the goal.
    let rooms = [
        [0.0, 0.0, 4.0, 2.0],
        [4.0, 0.0, 8.0, 2.0],
        [8.0, 0.0, 60.0, 2.0],
        [60.0, 0.0, 62.0, 40.0],
        [0.0, 40.0, 62.0, 42.0],
        [-2.0, 0.0, 0.0, 42.0],
    ];
    let mut graph = rectangles(1.0);
    floor(&mut graph, &rooms, 0.0);
    let index = NavIndex::build(&graph).whole().unwrap();
    let door = index.of_node(1).unwrap();
    // It closes before somebody who is near or far, or gets dear.
    for (far, factor) in [(9.0, None), (20.0, None), (20.0, Some(1_000.0))] {
        let (mut crowd, id) = walker(&index, at(59.0, 1.0), at(1.0, 1.0));
        let mut overlay = Overlay::new(&index);
        let mut turned = None;
        for tick in 0..20 * 200 {
            crowd.tick(&index, TICK, &Query::default().with_overlay(&overlay)).unwrap();
            let agent = crowd.agent(id).unwrap();
            if turned.is_none() && agent.at.x < far {
                match factor {
                    None => overlay.block(door),
                    Some(factor) => overlay.scale(door, factor),
                }
                turned = Some(tick);
            }
            if agent.doing == Doing::Arrived {
                // Back, up 40 m, along 61 and down 40.
                let seconds = (tick - turned.unwrap()) as f32 * TICK;
                let ideal = (201.0 - far) / Body::person(&index).speed;
                assert!(
                    (ideal..ideal * 1.1).contains(&seconds),
                    "{far}, {factor:?}: {seconds} s for {ideal}"
                );
                break;
            }
        }
        assert_eq!(
            crowd.agent(id).unwrap().doing,
            Doing::Arrived,
            "{far}, {factor:?}: {:?}",
            crowd.agent(id)
        );
    }
}
