//! Following a way: corners, corridors, moves along the surface, walls, filters and random spots, on made meshes of each geometry,
//! against slow answers.

mod corridor;
mod steady;
mod surface;

use navmap::graph::{Axes, FlatGraph, Link, LinkKind, NavGraph, Passage, Point, Rules, Shape, Surface};
use navmap::query::{
    Area, Corner, CornerFlags, Corridor, Filter, Flood, Kinds, Mask, Misuse, NavIndex, Overlay, PathScratch,
    Query, Repair,
};
use navmap_testkit::bytes::Rng;

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
        // Somewhere far from the mesh there is no way back.
        let away = Point::new(1e6, 1e6, 1e6);
        let mended = corridor.repair(&index, &mut scratch.clone(), away, &Query::default());
        assert!(mended == Ok(Repair::Lost) && corridor.is_empty());
        assert_eq!(corridor.advance(&index, start), Err(Misuse::NothingToFollow));
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
    assert!(scratch.path(&one, area, area, &Query::default()).unwrap().cost().is_some());
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
    assert!(scratch.path(&index, a, b, &Query::default()).unwrap().cost().is_some());
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
