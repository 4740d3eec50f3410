//! Moves along the surface, walls, filters and random spots, against slow answers.

use super::*;
use navmap::query::{Mask, Random};
use std::ops::ControlFlow;

/// The areas that a slide may look at: over links on foot whose portal touches the circle.
fn inside_circle(index: &NavIndex, start: Area, from: Point, to: Point) -> Vec<Area> {
    let middle = from.midway(to);
    let radius = level(from, to) / 2.0;
    let mut met = vec![start];
    let mut next = 0;
    while let Some(&area) = met.get(next) {
        next += 1;
        for way in index.links(area).filter(|way| way.kind.on_foot()) {
            let portal = index.portal(area, way.to).unwrap();
            // The way between two waypoints is as wide as they are. All have one radius here.
            let (ends, wide) = match index.radius(area) {
                Some(radius) => ([area, way.to].map(|area| index.center(area).unwrap()), f64::from(radius)),
                None => ([portal.left, portal.right], 0.0),
            };
            if on_side(ends[0], ends[1], middle) <= radius + wide + 0.005 && !met.contains(&way.to) {
                met.push(way.to);
            }
        }
    }
    met
}

#[test]
fn a_slide_ends_at_the_closest_point_that_a_look_at_every_area_in_its_circle_finds() {
    let (mut rng, mut arrived, mut stopped) = (Rng(8), 0, 0);
    for form in FORMS {
        let index = super::index(form, 4, true);
        for _ in 0..1500 {
            let area = any(&mut rng, &index);
            let from = spot(&mut rng, &index, area);
            let far = [5.0, 60.0, 250.0][rng.below(3) as usize];
            let to = Point::new(from.x + rng.f32(-far, far), from.y + rng.f32(-far, far), rng.f32(-1e3, 1e3));
            let mut crossed = Vec::new();
            let slide = index.slide(area, from, to, |area| crossed.push(area)).unwrap();
            assert_eq!((crossed[0], crossed[crossed.len() - 1]), (area, slide.area), "{form:?}");
            for pair in crossed.windows(2) {
                assert!(index.link(pair[0], pair[1]).is_some_and(|way| way.kind.on_foot()), "{form:?}");
            }
            let best = inside_circle(&index, area, from, to)
                .into_iter()
                .map(|area| beside(&index, area, to))
                .fold(f64::INFINITY, f64::min);
            let ours = level(slide.point, to);
            assert!((ours - best).abs() < 0.01, "{form:?} {from:?} to {to:?}: {ours}, not {best}");
            assert!(beside(&index, slide.area, slide.point) < 0.01, "{form:?}");
            assert_eq!(slide.arrived, ours == 0.0);
            if slide.arrived {
                arrived += 1
            } else {
                stopped += 1
            }
            // A slide that keeps to its area.
            let kept = index.slide_where(area, from, to, |_| false, |_| ()).unwrap();
            assert_eq!(kept.area, area);
            assert!(level(kept.point, to) + 1e-3 >= ours);
        }
    }
    assert!(arrived > 1500 && stopped > 1000, "{arrived} {stopped}");
}

#[test]
fn walls_are_the_parts_of_sides_that_no_portal_covers() {
    let mut walls = 0;
    for form in FORMS {
        let index = super::index(form, 6, true);
        for area in index.areas() {
            let found: Vec<[Point; 2]> = index.walls(area).collect();
            if form == Form::Points {
                assert!(found.is_empty());
                continue;
            }
            walls += found.len();
            let mut corners = [Point::default(); 8];
            let count = index.corners(area, &mut corners);
            for at in 0..count {
                let (a, b) = (corners[at], corners[(at + 1) % count]);
                for share in 0..16 {
                    let t = (share as f32 + 0.5) / 16.0;
                    let p = Point::new(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t);
                    let open = index.links(area).filter(|way| way.kind.on_foot()).any(|way| {
                        let portal = index.portal(area, way.to).unwrap();
                        on_side(portal.left, portal.right, p) < 0.1
                    });
                    let wall = found.iter().any(|[a, b]| on_side(*a, *b, p) < 0.1);
                    assert_eq!(wall, !open, "{form:?} {area:?} side {at} at {t}");
                }
            }
        }
    }
    assert!(walls > 300, "{walls}");
}

#[test]
fn the_nearest_wall_is_the_one_that_a_look_at_all_finds() {
    let (mut rng, mut met) = (Rng(9), 0);
    for form in [Form::Quads, Form::Polygons, Form::Bare] {
        let index = super::index(form, 6, true);
        for _ in 0..500 {
            let area = any(&mut rng, &index);
            let p = spot(&mut rng, &index, area);
            // How near a wall has to be for an area to be looked at: the farthest portal on the nearest way there.
            let mut far = vec![f64::INFINITY; index.len()];
            far[area.position() as usize] = 0.0;
            loop {
                let mut changed = false;
                for from in index.areas() {
                    for way in index.links(from).filter(|way| way.kind.on_foot()) {
                        let portal = index.portal(from, way.to).unwrap();
                        let there = far[from.position() as usize].max(on_side(portal.left, portal.right, p));
                        if there < far[way.to.position() as usize] {
                            far[way.to.position() as usize] = there;
                            changed = true;
                        }
                    }
                }
                if !changed {
                    break;
                }
            }
            let mut best = f64::INFINITY;
            for area in index.areas() {
                for [a, b] in index.walls(area) {
                    let off = on_side(a, b, p);
                    if far[area.position() as usize] <= off + 1e-3 {
                        best = best.min(off);
                    }
                }
            }
            let radius = rng.f32(5.0, 200.0);
            let ours = index.wall(area, p, radius);
            if best > f64::from(radius) + 1e-3 {
                assert_eq!(ours, None, "{form:?}");
            } else if best < f64::from(radius) - 1e-3 {
                let wall = ours.unwrap();
                met += 1;
                assert!(
                    (f64::from(wall.distance) - best).abs() < 0.01,
                    "{form:?} {p:?}: {wall:?}, not {best}"
                );
                assert!((level(wall.point, p) - best).abs() < 0.01);
                let long = f64::from(wall.normal.x).hypot(f64::from(wall.normal.y));
                assert!((long - 1.0).abs() < 1e-4 && wall.normal.z == 0.0);
                let inside = Point::new(
                    wall.point.x + wall.normal.x * 0.5,
                    wall.point.y + wall.normal.y * 0.5,
                    wall.point.z,
                );
                assert!(beside(&index, wall.area, inside) <= 0.51, "it faces the area");
            }
        }
    }
    assert!(met > 500, "{met}");
}

/// A hall of 2,000 by 2,000 units with 200 rooms along one side, as wide and as deep as said, that are linked to it and to each
/// other, and with a larger hall beside it.
fn hall(wide: f32, deep: f32) -> NavIndex {
    let axes = Axes::z_up(0.0254);
    let mut graph = FlatGraph::new("area", axes);
    graph.set_rules(Rules { surface: Surface::Bilinear, ..Rules::of_axes(axes) });
    let mut add = |[x0, y0, x1, y1]: [f32; 4]| {
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Point::new(x, y, 0.0));
        graph.add_node(0, Shape::Polygon(&corners))
    };
    add([0.0, 0.0, 2_000.0, 2_000.0]);
    for room in 0..200u8 {
        let x = f32::from(room) * wide;
        add([x, 2_000.0, x + wide, 2_000.0 + deep]);
    }
    add([2_000.0, 0.0, 6_000.0, 2_300.0]);
    let rooms = (1..=200).map(|room| (0, room, 2));
    let pairs = (1..200).map(|room| (room, room + 1, 1));
    let last = (wide == 10.0).then_some((200, 201, 1));
    for (from, to, side) in rooms.chain(pairs).chain(last).chain([(0, 201, 1)]) {
        for (from, to, side) in [(from, to, side), (to, from, side ^ 2)] {
            let passage = Passage { side: Some(side), ..Passage::NONE };
            graph.add_link(Link { passage, ..Link::new(from, to, LinkKind::Walk) });
        }
    }
    NavIndex::build(&graph).whole().unwrap()
}

#[test]
fn a_wall_is_as_near_where_an_area_has_more_neighbours_than_are_looked_at() {
    let index = hall(10.0, 10.0);
    let area = index.of_node(0).unwrap();
    for x in [25.0, 700.0, 1_285.0, 1_950.0] {
        let p = Point::new(x, 1_995.0, 0.0);
        for radius in [20.0, 80.0, 400.0, 1_300.0, 5_000.0, f32::MAX] {
            let wall = index.wall(area, p, radius).unwrap();
            assert_eq!((wall.distance, wall.point.y), (15.0, 2_010.0), "{x} {radius}: {wall:?}");
        }
    }
    // Where another may be nearer, in an area that was not looked at, none is found.
    let index = hall(1.0, 500.0);
    let area = index.of_node(0).unwrap();
    let p = Point::new(100.0, 1_995.0, 0.0);
    assert_eq!(index.wall(area, p, 200.0), None);
    assert_eq!(index.wall(area, Point::new(40.0, 1_995.0, 0.0), 200.0).unwrap().distance, 40.0);
}

/// A room behind a narrow one, which is met first over a border that is farther away.
#[test]
fn a_wall_is_as_near_where_its_area_is_met_the_long_way_first() {
    let mut graph = FlatGraph::new("polygon", Axes::z_up(0.0254));
    for [x0, y0, x1, y1] in
        [[-20.0, -20.0, 1.0, 20.0], [1.0, -20.0, 3.0, 10.0], [3.0, -7.0, 5.0, 10.0], [1.0, 10.0, 5.0, 20.0]]
    {
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Point::new(x, y, 0.0));
        graph.add_node(0, Shape::Polygon(&corners));
    }
    let borders =
        [(0, 2, [1.0, 10.0, 1.0, 20.0]), (0, 1, [1.0, -20.0, 1.0, 10.0]), (1, 2, [3.0, -7.0, 3.0, 10.0])];
    for (one, other, [x0, y0, x1, y1]) in borders {
        for (from, to) in [(one, other), (other, one)] {
            let portal = Some([Point::new(x0, y0, 0.0), Point::new(x1, y1, 0.0)]);
            graph.add_link(Link { portal, ..Link::new(from, to, LinkKind::Walk) });
        }
    }
    let index = NavIndex::build(&graph).whole().unwrap();
    // The narrow room ends in a wall below (3, -7); the one behind it has one at x = 5, and is met at (1, 10).
    let wall = index.wall(index.of_node(0).unwrap(), Point::new(0.0, 0.0, 0.0), 15.0).unwrap();
    assert_eq!((wall.distance, wall.area), (5.0, index.of_node(2).unwrap()), "{wall:?}");
}

#[test]
fn a_straight_walk_tells_which_way_the_wall_faces() {
    let (mut rng, mut hits) = (Rng(10), 0);
    for form in [Form::Quads, Form::Polygons] {
        let index = super::index(form, 6, false);
        for _ in 0..500 {
            let area = any(&mut rng, &index);
            let from = spot(&mut rng, &index, area);
            let to = Point::new(from.x + rng.f32(-500.0, 500.0), from.y + rng.f32(-500.0, 500.0), from.z);
            let walk = index.walk_line(area, from, to, |_| {}).unwrap();
            let Some(normal) = walk.normal else {
                assert!(walk.arrived, "{walk:?}");
                continue;
            };
            hits += 1;
            assert!(!walk.arrived);
            // Boards have walls along both axes, and one walks against them.
            assert!(normal.x.abs() + normal.y.abs() == 1.0 && normal.z == 0.0, "{normal:?}");
            assert!(normal.x * (to.x - from.x) + normal.y * (to.y - from.y) < 0.0);
            let inside = Point::new(walk.point.x + normal.x, walk.point.y + normal.y, walk.point.z);
            assert!(beside(&index, walk.area, inside) < 0.01, "{form:?}: {walk:?}");
            // With all other areas closed it ends at a side of the first.
            let kept = index.walk_line_where(area, from, to, |_| false, |_| ()).unwrap();
            assert!(kept.area == area && kept.share <= walk.share);
            let first = index.walk_line_where(area, from, to, |_| true, |_| ControlFlow::Break(())).unwrap();
            assert!(first.area == area && !first.arrived && first.share == 0.0);
        }
    }
    assert!(hits > 300, "{hits}");
}

#[test]
fn one_filter_means_the_same_to_every_question() {
    let index = super::index(Form::Quads, 7, false);
    let mut rng = Rng(11);
    let mut scratch = PathScratch::new(&index);
    let mut costs = [vec![0.0; index.len()], vec![0.0; index.len()]];
    for round in 0..60 {
        let mask = Mask::of(&index, |_| rng.below(5) > 0);
        let odd = |area: Area| area.position() % 7 != 3;
        let filter = Filter::default().with_mask(Some(&mask));
        let filter = if round % 2 == 0 { filter.with_test(Some(&odd)) } else { filter };
        let passes = |area: Area| mask.has(area) && (round % 2 != 0 || odd(area));
        assert_eq!(
            filter.areas(&index).unwrap().collect::<Vec<_>>(),
            index.areas().filter(|area| passes(*area)).collect::<Vec<_>>()
        );
        let keep = filter.on(&index).unwrap();
        let from = any(&mut rng, &index);
        let p = spot(&mut rng, &index, from);
        let near = index.nearest_where(p, f32::INFINITY, keep).unwrap();
        let all = index.areas().filter(|area| passes(*area));
        let best =
            all.map(|area| index.closest_point(area, p).unwrap().distance(p)).fold(f32::INFINITY, f32::min);
        assert!(passes(near.area) && (near.distance - best).abs() < 1e-3, "{near:?} {best}");
        assert_eq!(index.area_at_where(p, None, keep), index.area_at(p, None).filter(|area| passes(*area)));
        let (mut some, mut every) = (Vec::new(), Vec::new());
        index.within_where(p, 250.0, keep, |near| some.push(near.area));
        index.within(p, 250.0, |near| every.push(near.area));
        every.retain(|area| passes(*area));
        assert_eq!(some, every);
        // A search with a filter is one with an overlay that blocks the same areas.
        let mut overlay = Overlay::new(&index);
        index.areas().filter(|area| !passes(*area) && *area != from).for_each(|area| overlay.block(area));
        let (filtered, blocked) =
            (Query::default().with_filter(filter), Query::default().with_overlay(&overlay));
        let [ours, theirs] = &mut costs;
        scratch.distance_map(&index, from, &filtered, ours).unwrap();
        scratch.distance_map(&index, from, &blocked, theirs).unwrap();
        // The overlay leaves the start open, which a filter closes to others.
        if passes(from) {
            assert_eq!(ours, theirs);
        }
        let mut met = 0;
        scratch
            .flood(
                &index,
                from,
                &Flood::default().with_query(Query::shortest().with_filter(filter)),
                |area, _| {
                    assert!(area == from || passes(area));
                    met += 1;
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
        assert_eq!(met, ours.iter().filter(|cost| cost.is_finite()).count());
        let to = any(&mut rng, &index);
        let found = scratch.path(&index, from, to, &filtered).unwrap();
        assert_eq!(found.cost().is_some(), from == to || ours[to.position() as usize].is_finite());
        assert!(scratch.areas().skip(1).all(passes));
        index.walk_line_where(from, p, index.center(to).unwrap(), keep, |area| {
            assert!(area == from || passes(area))
        });
        index.slide_where(from, p, index.center(to).unwrap(), keep, |area| {
            assert!(area == from || passes(area))
        });
    }
    // Kinds in a filter add to those of the query.
    let jumps = super::index(Form::Quads, 7, true);
    let mut scratch = PathScratch::new(&jumps);
    let walks = Filter::default().with_kinds(Kinds::NONE.with(LinkKind::Walk));
    let mut cut = 0;
    for _ in 0..100 {
        let [a, b] = [0; 2].map(|_| any(&mut rng, &jumps));
        let free = scratch.path(&jumps, a, b, &Query::default()).unwrap().cost().is_some();
        let found = scratch.path(&jumps, a, b, &Query::default().with_filter(walks)).unwrap();
        assert!(scratch.steps(&jumps).filter_map(|step| step.way).all(|way| way.kind == LinkKind::Walk));
        cut += usize::from(free && found.cost().is_none());
    }
    assert!(cut > 5, "{cut}");
}

#[test]
fn callbacks_may_end_a_question_early() {
    let index = super::index(Form::Quads, 7, false);
    let p = index.center(Area::at(20).unwrap()).unwrap();
    let three = |count: &mut usize| {
        *count += 1;
        if *count == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut counts = [0; 4];
    let [within, centers, boxed, all] = &mut counts;
    index.within(p, 1e4, |_| three(within));
    index.centers_within(p, 1e4, |_| three(centers));
    index.centers_within(p, 0.0, |_| three(all));
    let bounds = navmap::graph::Aabb { min: Point::new(-1e5, -1e5, -1e5), max: Point::new(1e5, 1e5, 1e5) };
    index.in_box(&bounds, |_| three(boxed));
    assert_eq!(counts, [3; 4]);
}

#[test]
fn random_spots_are_even_in_walking_distance_and_the_same_for_a_seed() {
    for form in FORMS {
        let index = super::index(form, 7, false);
        let mut scratch = PathScratch::new(&index);
        let from = Area::at(30).unwrap();
        let flood = Flood::default().with_travel(350.0);
        let mut costs = vec![0.0; index.len()];
        scratch.distance_map(&index, from, &Query::shortest().with_max_length(350.0), &mut costs).unwrap();
        let near = costs.iter().filter(|cost| **cost <= 350.0).count();
        let draw = |scratch: &mut PathScratch, seed: u64| {
            let mut random = Random::new(seed);
            let mut drawn = Vec::new();
            for _ in 0..near * 200 {
                drawn.push(
                    scratch.random_within(&index, from, &flood, || random.next_f64()).unwrap().unwrap(),
                );
            }
            drawn
        };
        let drawn = draw(&mut scratch, 1);
        assert!(drawn == draw(&mut scratch, 1) && drawn != draw(&mut scratch, 2));
        let mut counts = vec![0; index.len()];
        for (area, point) in drawn {
            counts[area.position() as usize] += 1;
            assert!(index.covers(area, point) || beside(&index, area, point) < 0.01, "{form:?}");
        }
        for (area, count) in counts.into_iter().enumerate() {
            // All areas have one size. Five standard deviations are 70.
            let expected = if costs[area] <= 350.0 { 130..=270 } else { 0..=0 };
            assert!(expected.contains(&count), "{form:?}: {count} of 200 in {area}");
        }
    }
}
