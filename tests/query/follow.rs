//! Following a way: corners, corridors, moves along the surface, walls, filters and random spots, on made meshes of each geometry,
//! against slow answers.

use navmap::graph::{Axes, FlatGraph, Link, LinkKind, NavGraph, Passage, Point, Rules, Shape, Surface};
use navmap::query::{
    Area, Corner, CornerFlags, Corridor, Cost, Filter, Flood, Kinds, Mask, Misuse, NavIndex, Outcome,
    Overlay, PathScratch, Query, Random, Remap, Repair,
};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::Rng;
use std::ops::ControlFlow;

const SIDE: f32 = 100.0;
const WIDE: u32 = 12;

/// The shapes in which a board is made.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// Rectangles with bilinear ground.
    Quads,
    /// Polygons whose links tell the side.
    Polygons,
    /// Polygons whose links tell no side.
    Bare,
    /// Waypoints.
    Points,
}

const FORMS: [Form; 4] = [Form::Quads, Form::Polygons, Form::Bare, Form::Points];

/// A board of squares with holes in it and gentle hills. A tenth of the links leads only one way; with `jumps` some squares lie
/// higher, and one jumps and drops to and from them. Ids run from `first` on, in the order of `turn`.
fn board(form: Form, seed: u64, jumps: bool, first: u64, turn: bool) -> FlatGraph {
    let mut rng = Rng(seed);
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    let surface = if form == Form::Quads { Surface::Bilinear } else { Surface::Flat };
    graph.set_rules(Rules { surface, step: 18.0, ..Rules::of_axes(Axes::z_up(0.0254)) });
    let cells: Vec<(u32, u32, bool)> = (0..WIDE * WIDE)
        .filter_map(|cell| {
            let high = jumps && rng.below(9) == 0;
            (rng.below(7) > 0).then_some((cell % WIDE, cell / WIDE, high))
        })
        .collect();
    let hill = |x: f32, y: f32| ((x / 300.0).sin() + (y / 250.0).cos()) * 20.0;
    let mut order: Vec<usize> = (0..cells.len()).collect();
    if turn {
        order.reverse();
    }
    for &at in &order {
        let (x, y, high) = cells[at];
        let lift = if high { 50.0 } else { 0.0 };
        let corner = |u: u32, v: u32| {
            let (x, y) = ((x + u) as f32 * SIDE, (y + v) as f32 * SIDE);
            Point::new(x, y, hill(x, y) + lift)
        };
        let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
        let middle = Point::new((x as f32 + 0.5) * SIDE, (y as f32 + 0.5) * SIDE, corners[0].z);
        match form {
            Form::Points => {
                graph.add_node(first + at as u64, Shape::Point { at: middle, radius: Some(20.0) })
            }
            _ => graph.add_node(first + at as u64, Shape::Polygon(&corners)),
        };
    }
    let node = |at: usize| if turn { cells.len() - 1 - at } else { at } as u32;
    for (from, &(x, y, high)) in cells.iter().enumerate() {
        for (side, (dx, dy)) in [(0, -1), (1, 0), (0, 1), (-1, 0)].into_iter().enumerate() {
            let there = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            let Some(to) = cells.iter().position(|&(x, y, _)| (x, y) == there) else { continue };
            if rng.below(10) == 0 {
                continue;
            }
            let kind = match (high, cells[to].2) {
                (false, true) => LinkKind::Jump,
                (true, false) => LinkKind::Drop,
                _ => LinkKind::Walk,
            };
            let side = Some(side as u8).filter(|_| matches!(form, Form::Quads | Form::Polygons));
            let passage = Passage { side, ..Passage::NONE };
            graph.add_link(Link { passage, ..Link::new(node(from), node(to), kind) });
        }
    }
    graph
}

fn index(form: Form, seed: u64, jumps: bool) -> NavIndex {
    NavIndex::build(&board(form, seed, jumps, 1000, false)).whole().unwrap()
}

fn any(rng: &mut Rng, index: &NavIndex) -> Area {
    Area::at(rng.below(index.len() as u64) as u32).unwrap()
}

/// A point somewhere on an area.
fn spot(rng: &mut Rng, index: &NavIndex, area: Area) -> Point {
    let center = index.center(area).unwrap();
    let reach = if index.radius(area).is_some() { 10.0 } else { SIDE * 0.49 };
    let p = Point::new(center.x + rng.f32(-reach, reach), center.y + rng.f32(-reach, reach), center.z);
    Point { z: index.z_at(area, p).unwrap_or(center.z), ..p }
}

/// How far two points are from each other, as seen from above.
fn level(a: Point, b: Point) -> f64 {
    (f64::from(a.x) - f64::from(b.x)).hypot(f64::from(a.y) - f64::from(b.y))
}

fn on_side(a: Point, b: Point, p: Point) -> f64 {
    let (x, y) = (f64::from(b.x) - f64::from(a.x), f64::from(b.y) - f64::from(a.y));
    let (u, v) = (f64::from(p.x) - f64::from(a.x), f64::from(p.y) - f64::from(a.y));
    let t = ((u * x + v * y) / (x * x + y * y).max(1e-30)).clamp(0.0, 1.0);
    (u - t * x).hypot(v - t * y)
}

/// How far a point is from an area, as seen from above; from a waypoint, also from the lines of its links.
fn beside(index: &NavIndex, area: Area, p: Point) -> f64 {
    let mut corners = [Point::default(); 8];
    let count = index.corners(area, &mut corners);
    let corners = &corners[..count];
    if let Some(radius) = index.radius(area) {
        let disc = (level(corners[0], p) - f64::from(radius)).max(0.0);
        let lines = index.links(area).filter(|way| way.kind.on_foot());
        return lines
            .map(|way| {
                let (a, b) = (corners[0], index.center(way.to).unwrap());
                // Between two waypoints one may be as far off as on them. All have one radius here.
                (on_side(a, b, p) - f64::from(radius)).max(0.0)
            })
            .fold(disc, f64::min);
    }
    if index.covers(area, p) {
        return 0.0;
    }
    (0..count).map(|at| on_side(corners[at], corners[(at + 1) % count], p)).fold(f64::INFINITY, f64::min)
}

#[test]
fn corners_tell_every_link_that_is_not_walked_and_none_repeats() {
    let (mut legs, mut bends, mut rng) = (0, 0, Rng(5));
    for form in FORMS {
        for jumps in [false, true] {
            let index = index(form, 3, jumps);
            let mut scratch = PathScratch::new(&index);
            for _ in 0..300 {
                let [a, b] = [0; 2].map(|_| any(&mut rng, &index));
                let [start, end] = [a, b].map(|area| spot(&mut rng, &index, area));
                if scratch.path(&index, a, b, &Query::default()).unwrap().cost().is_none() {
                    continue;
                }
                let mut corners = [Corner::default(); 300];
                let count = scratch.corners(&index, start, end, &mut corners).unwrap();
                let corners = &corners[..count];
                let steps: Vec<_> = scratch.steps(&index).collect();
                assert!(corners[0].is(CornerFlags::START) && corners[0].point == start, "{form:?}");
                let last = corners[count - 1];
                assert!(last.is(CornerFlags::END) && last.point == end, "{form:?}: {last:?} {end:?}");
                assert!(!last.is(CornerFlags::NEAREST));
                for pair in corners.windows(2) {
                    assert_ne!(pair[0].point, pair[1].point, "{form:?}: {pair:?}");
                    assert!(pair[0].step <= pair[1].step, "{form:?}: {pair:?}");
                    assert_eq!(pair[0].is(CornerFlags::LEG), pair[1].is(CornerFlags::LANDING), "{pair:?}");
                }
                for corner in corners {
                    let step = corner.step as usize;
                    assert_eq!(corner.area, steps[step].area, "{form:?}");
                    assert!(beside(&index, corner.area, corner.point) < 0.01, "{form:?}: {corner:?}");
                    if let Some(kind) = corner.kind {
                        assert_eq!(
                            Some(kind),
                            steps[step + 1].way.map(|way| way.kind),
                            "{form:?}: {corner:?}"
                        );
                        assert_eq!(corner.is(CornerFlags::LEG), !kind.on_foot(), "{form:?}: {corner:?}");
                    }
                }
                let told: Vec<u32> =
                    corners.iter().filter(|corner| corner.is(CornerFlags::LEG)).map(|c| c.step).collect();
                let are: Vec<u32> = (1..steps.len() as u32)
                    .filter(|&at| !steps[at as usize].way.unwrap().kind.on_foot())
                    .map(|at| at - 1)
                    .collect();
                assert_eq!(told, are, "{form:?}");
                legs += told.len();
                if are.is_empty() {
                    // What is only walked has the corners that `straighten` finds.
                    let mut points = [Point::default(); 300];
                    let same = scratch.straighten(&index, start, end, &mut points).unwrap();
                    let ours: Vec<Point> = corners.iter().map(|corner| corner.point).collect();
                    if form != Form::Points {
                        assert_eq!(ours, points[..same], "{form:?}");
                    }
                    bends += count - 2;
                }
                // A short buffer gets the first ones.
                let mut few = [Corner::default(); 2];
                assert_eq!(scratch.corners(&index, start, end, &mut few), Ok(count));
                assert_eq!(few[..count.min(2)], corners[..count.min(2)]);
            }
        }
    }
    assert!(legs > 300 && bends > 500, "{legs} {bends}");
}

#[test]
fn a_goal_off_the_way_and_points_that_are_none_are_said() {
    let index = index(Form::Quads, 3, false);
    let mut scratch = PathScratch::new(&index);
    let (a, b) = (Area::at(0).unwrap(), Area::at(1).unwrap());
    let found = scratch.path(&index, a, b, &Query::default()).unwrap();
    assert!(found.cost().is_some());
    let (start, far) = (index.center(a).unwrap(), Point::new(1e6, 1e6, 0.0));
    let mut corners = [Corner::default(); 30];
    let count = scratch.corners(&index, start, far, &mut corners).unwrap();
    assert!(corners[count - 1].is(CornerFlags::NEAREST) && index.covers(b, corners[count - 1].point));
    for odd in [f32::NAN, f32::INFINITY] {
        let odd = Point::new(0.0, odd, 0.0);
        assert_eq!(scratch.corners(&index, odd, start, &mut corners), Err(Misuse::NotFinite));
        assert_eq!(scratch.corners(&index, start, odd, &mut corners), Err(Misuse::NotFinite));
        let mut corridor = Corridor::new(&index);
        assert_eq!(corridor.follow(&index, &scratch, start, odd), Err(Misuse::NotFinite));
        corridor.follow(&index, &scratch, start, start).unwrap();
        assert_eq!(corridor.advance(&index, odd), Err(Misuse::NotFinite));
        assert_eq!(corridor.move_goal(&index, odd), Err(Misuse::NotFinite));
        assert_eq!(
            corridor.repair(&index, &mut scratch.clone(), odd, &Query::default()),
            Err(Misuse::NotFinite)
        );
        assert_eq!(index.slide(a, start, odd, |_| ()), None);
        assert_eq!(index.wall(a, odd, 100.0), None);
    }
    assert_eq!(index.wall(a, start, f32::NAN), None);
    // Far away is clamped to what a slide reaches.
    let slide = index.slide(a, start, far, |_| ()).unwrap();
    assert!(!slide.arrived && slide.point.is_finite());
}

#[test]
fn what_belongs_to_another_index_is_refused() {
    let (one, other) = (index(Form::Quads, 3, false), index(Form::Quads, 3, false));
    let mut scratch = PathScratch::new(&one);
    let area = Area::at(0).unwrap();
    let at = one.center(area).unwrap();
    let mut corridor = Corridor::new(&one);
    assert_eq!(corridor.follow(&one, &scratch, at, at), Err(Misuse::NothingToFollow));
    assert_eq!(corridor.advance(&one, at), Err(Misuse::NothingToFollow));
    assert_eq!(corridor.corners(&one, &mut [Corner::default()]), Ok(0));
    scratch.path(&one, area, area, &Query::default()).unwrap();
    corridor.follow(&one, &scratch, at, at).unwrap();
    let query = Query::default();
    let mut fresh = PathScratch::new(&other);
    let mut buffer = [Corner::default(); 4];
    assert_eq!(corridor.follow(&other, &scratch, at, at), Err(Misuse::OtherIndex));
    assert_eq!(corridor.corners(&other, &mut buffer), Err(Misuse::OtherIndex));
    assert_eq!(corridor.advance(&other, at), Err(Misuse::OtherIndex));
    assert_eq!(corridor.move_goal(&other, at), Err(Misuse::OtherIndex));
    assert_eq!(corridor.next_leg(&other), Err(Misuse::OtherIndex));
    assert_eq!(corridor.take_leg(&other), Err(Misuse::OtherIndex));
    assert_eq!(corridor.shortcut(&other, at, 1.0, &query), Err(Misuse::OtherIndex));
    assert_eq!(corridor.optimize(&other, &mut fresh, &query), Err(Misuse::OtherIndex));
    assert_eq!(corridor.optimize(&one, &mut fresh, &query), Err(Misuse::OtherIndex));
    assert_eq!(corridor.repair(&one, &mut fresh, at, &query), Err(Misuse::OtherIndex));
    assert_eq!(corridor.is_valid(&other, &query, 1), Err(Misuse::OtherIndex));
    let (mask, overlay) = (Mask::new(&other), Overlay::new(&other));
    let masked = Query::default().with_filter(Filter::default().with_mask(Some(&mask)));
    assert_eq!(corridor.is_valid(&one, &masked, 1), Err(Misuse::OtherIndex));
    assert_eq!(corridor.is_valid(&one, &query.with_overlay(&overlay), 1), Err(Misuse::OtherIndex));
    assert_eq!(scratch.path(&one, area, area, &masked), Err(Misuse::OtherIndex));
    assert!(matches!(Filter::default().with_mask(Some(&mask)).on(&one).map(|_| ()), Err(Misuse::OtherIndex)));
    let none = Area::at(one.len() as u32).unwrap();
    assert_eq!(corridor.stand(&one, none, at), Err(Misuse::NoSuchArea(none)));
    assert_eq!(one.slide(none, at, at, |_| ()), None);
    assert_eq!(one.wall(none, at, 1.0), None);
    assert_eq!(one.walls(none).count(), 0);
    assert_eq!(one.place_of(none), None);
    // A mask never grows by areas that do not exist.
    let mut mask = Mask::new(&one);
    mask.set(none, true);
    assert!(!mask.has(none) && mask.areas().count() == 0);
}

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
            let ends = match index.radius(area) {
                Some(_) => [index.center(area).unwrap(), index.center(way.to).unwrap()],
                None => [portal.left, portal.right],
            };
            if on_side(ends[0], ends[1], middle) <= radius + 0.005 && !met.contains(&way.to) {
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
        let index = index(form, 4, true);
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
        let index = index(form, 6, true);
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
        let index = index(form, 6, true);
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

#[test]
fn a_straight_walk_tells_which_way_the_wall_faces() {
    let (mut rng, mut hits) = (Rng(10), 0);
    for form in [Form::Quads, Form::Polygons] {
        let index = index(form, 6, false);
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
    let index = index(Form::Quads, 7, false);
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
    let jumps = super::follow::index(Form::Quads, 7, true);
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
    let index = index(Form::Quads, 7, false);
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
        let index = index(form, 7, false);
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

fn toward(from: Point, to: Point, far: f32) -> Point {
    let share = (far / from.distance(to).max(1e-3)).min(1.0);
    let at = |a: f32, b: f32| a + (b - a) * share;
    if share == 1.0 { to } else { Point::new(at(from.x, to.x), at(from.y, to.y), at(from.z, to.z)) }
}

#[test]
fn a_corridor_leads_to_its_goal_through_pushes_and_over_legs() {
    let (mut rng, mut arrived, mut legs, mut mended, mut lost) = (Rng(12), 0, 0, 0, 0);
    for form in FORMS {
        let index = index(form, 13, true);
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
                        Repair::Lost => {
                            lost += 1;
                            break;
                        }
                        Repair::Mended => mended += 1,
                        _ => {}
                    }
                    assert!(level(corridor.position(), there) < 21.0, "{form:?}");
                }
            }
        }
    }
    assert!(arrived > 150 && legs > 50 && mended > 20 && lost > 20, "{arrived} {legs} {mended} {lost}");
}

#[test]
fn a_goal_that_moves_takes_its_corridor_along() {
    let (mut rng, mut arrived, mut shorter) = (Rng(14), 0, 0);
    for form in [Form::Quads, Form::Polygons, Form::Bare] {
        let index = index(form, 13, false);
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
    let index = index(Form::Quads, 13, false);
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
        let old = index(form, 13, true);
        // The same mesh saved again in another order, and with other ids; one with other holes; and one elsewhere.
        let again = NavIndex::build(&board(form, 13, true, 1000, true)).whole().unwrap();
        let renamed = NavIndex::build(&board(form, 13, true, 5, true)).whole().unwrap();
        let other = index(form, 99, true);
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
        let index = index(form, 13, true);
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
                corridor.remap(&other);
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

#[test]
fn ladders_doors_and_crouching_are_told() {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    let square = |x: f32, z: f32| {
        [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)].map(|(u, v)| Point::new(x + u, v, z))
    };
    for (id, (x, z)) in [(0.0, 0.0), (100.0, 0.0), (230.0, 200.0), (330.0, 200.0)].into_iter().enumerate() {
        graph.add_node(id as u64, Shape::Polygon(&square(x, z)));
    }
    let side = |side| Passage { side: Some(side), ..Passage::NONE };
    graph.add_link(Link { passage: side(1), ..Link::new(0, 1, LinkKind::Crouch) });
    let ladder = [Point::new(205.0, 50.0, 5.0), Point::new(205.0, 50.0, 205.0)];
    graph.add_link(Link { path: Some(ladder), ..Link::new(1, 2, LinkKind::Ladder) });
    graph.add_link(Link { passage: side(1), gated: true, ..Link::new(2, 3, LinkKind::Walk) });
    let index = NavIndex::build(&graph).whole().unwrap();
    let [a, b] = [0, 3].map(|node| index.of_node(node).unwrap());
    let mut scratch = PathScratch::new(&index);
    scratch.path(&index, a, b, &Query::default()).unwrap();
    let (start, end) = (Point::new(10.0, 50.0, 0.0), Point::new(420.0, 50.0, 200.0));
    let mut corners = [Corner::default(); 8];
    let count = scratch.corners(&index, start, end, &mut corners).unwrap();
    let points: Vec<[f32; 3]> = corners[..count].iter().map(|corner| corner.point.to_array()).collect();
    // The mount, and the dismount, lie on the mesh; the ladder stands between them.
    assert_eq!(points, [[10.0, 50.0, 0.0], [200.0, 50.0, 0.0], [230.0, 50.0, 200.0], [420.0, 50.0, 200.0]]);
    let [_, mount, dismount, goal, ..] = corners;
    assert_eq!((mount.kind, mount.step), (Some(LinkKind::Ladder), 1));
    assert_eq!([mount.portal.left, mount.portal.right], ladder);
    assert_eq!(mount.flags, CornerFlags::LEG | CornerFlags::CROUCH);
    assert_eq!(dismount.flags, CornerFlags::LANDING);
    assert_eq!(goal.flags, CornerFlags::END | CornerFlags::DOOR);
    let mut corridor = Corridor::new(&index);
    corridor.follow(&index, &scratch, start, end).unwrap();
    let leg = corridor.next_leg(&index).unwrap().unwrap();
    assert_eq!(
        [leg.mount, leg.begins, leg.ends, leg.dismount],
        [mount.point, ladder[0], ladder[1], dismount.point]
    );
    assert_eq!(format!("{:?}", mount.flags), "CornerFlags(leg | crouch)");
    assert!(graph.axes().metres_per_unit > 0.0);
}
