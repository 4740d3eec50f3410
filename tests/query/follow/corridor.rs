//! Corridors: through pushes, with goals that move, past what is closed, into another index.

use super::*;
use navmap::query::{Cost, Mask, Outcome, Overlay, Remap};
use navmap_testkit::alloc::cost_of;

/// The next area of a corridor is linked, and its ends lie on its first and its last area.
fn sound(index: &NavIndex, corridor: &Corridor, form: Form) {
    let areas: Vec<Area> = corridor.areas().collect();
    for pair in areas.windows(2) {
        assert!(index.link(pair[0], pair[1]).is_some(), "{form:?}: {pair:?}");
    }
    let ends = [(areas[0], corridor.position()), (areas[areas.len() - 1], corridor.goal())];
    for (area, point) in ends {
        assert!(beside(index, area, point) < 0.02, "{form:?}: {point:?} is not on {area:?}");
    }
}

pub(super) fn toward(from: Point, to: Point, far: f32) -> Point {
    let share = (far / from.distance(to).max(1e-3)).min(1.0);
    let at = |a: f32, b: f32| a + (b - a) * share;
    if share == 1.0 { to } else { Point::new(at(from.x, to.x), at(from.y, to.y), at(from.z, to.z)) }
}

#[test]
fn a_corridor_leads_to_its_goal_through_pushes_and_over_legs() {
    let (mut rng, mut arrived, mut legs, mut mended) = (Rng(12), 0, 0, 0);
    for form in FORMS {
        let index = super::index(form, 13, true);
        let (mut scratch, query) = (PathScratch::new(&index), Query::default());
        let mut corridor = Corridor::with_capacity(&index, index.len());
        for _ in 0..150 {
            let [a, b] = [0; 2].map(|_| any(&mut rng, &index));
            let [start, goal] = [a, b].map(|area| spot(&mut rng, &index, area));
            if scratch.path(&index, a, b, &query).unwrap().cost().is_none() {
                continue;
            }
            corridor.follow(&index, &scratch, start, goal).unwrap();
            assert!(corridor.reaches_goal() && corridor.fits(&index) && !corridor.is_empty());
            assert_eq!((corridor.area(), corridor.goal_area()), (Some(a), Some(b)));
            for tick in 0..2000 {
                sound(&index, &corridor, form);
                if corridor.is_at_goal(0.01) {
                    arrived += 1;
                    break;
                }
                assert!(tick < 1999, "{form:?}: from {start:?} to {goal:?}, at {:?}", corridor.position());
                let mut next = [Corner::default(); 3];
                let count = corridor.corners(&index, &mut next).unwrap();
                assert!(count > 0 && next[..count].windows(2).all(|pair| pair[0].point != pair[1].point));
                if next[0].is(CornerFlags::LEG) && corridor.position().distance(next[0].point) < 0.5 {
                    let landing = next[1];
                    let leg = corridor.take_leg(&index).unwrap().unwrap();
                    assert_eq!(
                        (leg.dismount, leg.way.kind),
                        (landing.point, next[0].kind.unwrap()),
                        "{form:?}"
                    );
                    assert_eq!((corridor.position(), corridor.area()), (leg.dismount, Some(leg.way.to)));
                    legs += 1;
                    continue;
                }
                assert_eq!(corridor.next_leg(&index).unwrap().is_some(), next[0].is(CornerFlags::LEG));
                let to = toward(corridor.position(), next[0].point, 15.0);
                let slide = corridor.advance(&index, to).unwrap();
                assert!(level(slide.point, to) < 0.1, "{form:?}: {slide:?}, not {to:?}");
                if rng.below(30) == 0 {
                    // A push: nothing but the surface holds it.
                    let at = corridor.position();
                    let by = Point::new(at.x + rng.f32(-150.0, 150.0), at.y + rng.f32(-150.0, 150.0), at.z);
                    let beyond = corridor.advance(&index, by).unwrap();
                    assert_eq!(beyond.point, corridor.position());
                    sound(&index, &corridor, form);
                }
                if rng.below(60) == 0 {
                    let area = any(&mut rng, &index);
                    let there = spot(&mut rng, &index, area);
                    match corridor.repair(&index, &mut scratch, there, &query).unwrap() {
                        Repair::Lost => break,
                        Repair::Mended => mended += 1,
                        _ => {}
                    }
                    assert!(level(corridor.position(), there) < 21.0, "{form:?}");
                }
            }
        }
    }
    assert!(arrived > 400 && legs > 500 && mended > 200, "{arrived} {legs} {mended}");
}

#[test]
fn a_goal_that_moves_takes_its_corridor_along() {
    let (mut rng, mut arrived, mut shorter) = (Rng(14), 0, 0);
    for form in [Form::Quads, Form::Polygons, Form::Bare] {
        let index = super::index(form, 13, false);
        let (mut scratch, query) = (PathScratch::new(&index), Query::shortest());
        let mut corridor = Corridor::with_capacity(&index, index.len());
        let cost = |corridor: &Corridor| {
            let areas: Vec<Area> = corridor.areas().collect();
            let links = areas.windows(2).map(|pair| index.link(pair[0], pair[1]).unwrap().length);
            links.sum::<f32>()
        };
        for _ in 0..60 {
            let [a, b] = [0; 2].map(|_| any(&mut rng, &index));
            if scratch.path(&index, a, b, &query).unwrap().cost().is_none() {
                continue;
            }
            let [start, mut goal] = [a, b].map(|area| spot(&mut rng, &index, area));
            corridor.follow(&index, &scratch, start, goal).unwrap();
            let mut way = (rng.f32(-1.0, 1.0), rng.f32(-1.0, 1.0));
            for _ in 0..40 {
                let to = Point::new(goal.x + way.0 * 20.0, goal.y + way.1 * 20.0, goal.z);
                let slide = corridor.move_goal(&index, to).unwrap();
                sound(&index, &corridor, form);
                assert_eq!((slide.point, slide.arrived), (corridor.goal(), corridor.reaches_goal()));
                if !slide.arrived {
                    way = (rng.f32(-1.0, 1.0), rng.f32(-1.0, 1.0));
                }
                goal = slide.point;
                arrived += usize::from(slide.arrived);
                let before = cost(&corridor);
                if corridor.optimize(&index, &mut scratch, &query).unwrap() {
                    sound(&index, &corridor, form);
                    let after = cost(&corridor);
                    assert!(after <= before * 1.000_01, "{form:?}: {before} became {after}");
                    shorter += usize::from(after < before * 0.999);
                    assert_eq!(corridor.goal(), goal);
                }
            }
        }
    }
    assert!(arrived > 1000 && shorter > 30, "{arrived} {shorter}");
}

#[test]
fn a_corridor_tells_when_something_ahead_is_closed() {
    let index = super::index(Form::Quads, 13, false);
    let mut scratch = PathScratch::new(&index);
    let mut corridor = Corridor::new(&index);
    let (mut rng, mut met) = (Rng(15), 0);
    while met < 50 {
        let [a, b] = [0; 2].map(|_| any(&mut rng, &index));
        let found = scratch.path(&index, a, b, &Query::default()).unwrap();
        if found.cost().is_none() || scratch.len() < 5 {
            continue;
        }
        met += 1;
        let [start, goal] = [a, b].map(|area| index.center(area).unwrap());
        corridor.follow(&index, &scratch, start, goal).unwrap();
        let at = 1 + rng.below(corridor.len() as u64 - 1) as usize;
        let closed = corridor.areas().nth(at).unwrap();
        let mut overlay = Overlay::new(&index);
        overlay.block(closed);
        let mask = Mask::of(&index, |area| area != closed);
        let test = |way: &navmap::query::Way| (way.to != closed).then_some(way.length);
        for query in [
            Query::default().with_overlay(&overlay),
            Query::default().with_filter(Filter::default().with_mask(Some(&mask))),
            Query::default().with_cost(Cost::Custom(&test)),
        ] {
            for steps in 0..corridor.len() + 2 {
                assert_eq!(corridor.is_valid(&index, &query, steps), Ok(steps < at), "{steps} of {at}");
            }
        }
        assert_eq!(corridor.is_valid(&index, &Query::default(), usize::MAX), Ok(true));
    }
}

#[test]
fn a_corridor_is_brought_to_another_index_by_id_and_by_place() {
    let (mut rng, mut whole, mut cut, mut lost) = (Rng(16), 0, 0, 0);
    for form in FORMS {
        let old = super::index(form, 13, true);
        // The same mesh saved again in another order, and with other ids; one with other holes; and one elsewhere.
        let again = NavIndex::build(&board(form, 13, true, 1000, true)).whole().unwrap();
        let renamed = NavIndex::build(&board(form, 13, true, 5, true)).whole().unwrap();
        let other = super::index(form, 99, true);
        let mut overlay = Overlay::new(&old);
        old.areas().for_each(|area| overlay.scale(area, area.position() as f32));
        for index in [&again, &renamed] {
            let mut moved = overlay.clone();
            assert_eq!(moved.remap(&old, index), Ok(0), "{form:?}");
            for area in index.areas() {
                let was = old.areas().find(|was| old.center(*was) == index.center(area)).unwrap();
                assert_eq!(moved.factor(area), overlay.factor(was), "{form:?}");
            }
        }
        let mut scratch = PathScratch::new(&old);
        for _ in 0..60 {
            let [a, b] = [0; 2].map(|_| any(&mut rng, &old));
            let [start, goal] = [a, b].map(|area| spot(&mut rng, &old, area));
            if scratch.path(&old, a, b, &Query::default()).unwrap().cost().is_none() {
                continue;
            }
            let mut corridor = Corridor::with_capacity(&old, old.len());
            corridor.follow(&old, &scratch, start, goal).unwrap();
            let ids: Vec<_> = corridor.areas().map(|area| old.id(area)).collect();
            let mut moved = corridor.clone();
            assert_eq!(moved.remap(&again), Remap::Whole, "{form:?}");
            assert_eq!(moved.areas().map(|area| again.id(area)).collect::<Vec<_>>(), ids);
            assert!(
                moved.fits(&again)
                    && moved.position() == corridor.position()
                    && moved.goal() == corridor.goal()
            );
            sound(&again, &moved, form);
            let mut moved = corridor.clone();
            assert_eq!(moved.remap(&renamed), Remap::Whole, "{form:?}");
            let centers = |index: &NavIndex, corridor: &Corridor| {
                corridor.areas().map(|area| index.center(area)).collect::<Vec<_>>()
            };
            assert_eq!(centers(&renamed, &moved), centers(&old, &corridor));
            whole += 1;
            let mut moved = corridor.clone();
            match moved.remap(&other) {
                Remap::Lost => {
                    assert!(moved.is_empty() && moved.corners(&other, &mut [Corner::default()]) == Ok(0));
                    lost += 1;
                }
                Remap::Cut => {
                    assert!(!moved.reaches_goal() && moved.len() <= corridor.len());
                    sound(&other, &moved, form);
                    cut += 1;
                }
                _ => sound(&other, &moved, form),
            }
        }
    }
    assert!(whole > 60 && cut > 20 && lost > 5, "{whole} {cut} {lost}");
}

#[test]
fn following_allocates_nothing() {
    for form in FORMS {
        let index = super::index(form, 13, true);
        let other = NavIndex::build(&board(form, 13, true, 5, true)).whole().unwrap();
        let (mut scratch, query) = (PathScratch::new(&index), Query::default());
        let mut corridor = Corridor::with_capacity(&index, index.len());
        let mut rng = Rng(17);
        let mask = Mask::of(&index, |area| area.position() % 9 != 0);
        let filter = Filter::default().with_mask(Some(&mask));
        let mut corners = [Corner::default(); 32];
        let ((), cost) = cost_of(|| {
            for _ in 0..200 {
                let [a, b] = [0; 2].map(|_| any(&mut rng, &index));
                let [start, goal] = [a, b].map(|area| spot(&mut rng, &index, area));
                let found = scratch.path(&index, a, b, &query.with_filter(filter)).unwrap();
                if !matches!(found, Outcome::Found { .. }) {
                    continue;
                }
                scratch.corners(&index, start, goal, &mut corners).unwrap();
                corridor.follow(&index, &scratch, start, goal).unwrap();
                for _ in 0..20 {
                    corridor.corners(&index, &mut corners[..3]).unwrap();
                    let p = Point::new(start.x + rng.f32(-90.0, 90.0), start.y + rng.f32(-90.0, 90.0), 0.0);
                    corridor.advance(&index, p).unwrap();
                    corridor.move_goal(&index, p).unwrap();
                    corridor.take_leg(&index).unwrap();
                    corridor.optimize(&index, &mut scratch, &query).unwrap();
                    corridor.is_valid(&index, &query, 8).unwrap();
                    let _ = corridor.repair(&index, &mut scratch, p, &query);
                    if corridor.is_empty() {
                        break;
                    }
                }
                let _ = corridor.remap(&other);
                let _ = (
                    index.wall(a, start, 200.0),
                    index.walls(a).count(),
                    index.slide(a, start, goal, |_| ()),
                );
                let flood = Flood::default().with_travel(300.0);
                let _ = scratch.random_within(&index, a, &flood, || 0.5);
            }
        });
        assert_eq!(cost.calls, 0, "{form:?}");
    }
}
