//! Areas in boxes, along rays and along walks, random spots, and reach bits, against looks at every node.

use crate::families::each;
use crate::naive::{self, Boxes, Naive, V};
use navmap::graph::{Aabb, Point, Surface};
use navmap::query::{Area, NavIndex};
use navmap_testkit::bytes::Rng;

/// How many points of each kind a mesh is asked for. `NAVMAP_POINTS=10000` asks for more than a usual run has time for.
pub(crate) fn points(usual: usize) -> usize {
    std::env::var("NAVMAP_POINTS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// Points on, above and below a random node, and anywhere around the mesh.
fn four(rng: &mut Rng, mesh: &Naive, boxes: &Boxes) -> [V; 4] {
    let node = rng.below(mesh.corners.len() as u64) as usize;
    let corners = &mesh.corners[node];
    let mut share = || f64::from(rng.f32(0.0, 1.0));
    let (mut u, mut v) = (share(), share());
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    let a = corners.first().copied().unwrap_or_default();
    let at = |i: usize| corners.get(i).copied().unwrap_or(a);
    let (b, c) = (at(corners.len() / 2), at(corners.len().saturating_sub(1)));
    let on = [0, 1, 2].map(|i| a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]));
    let size = naive::distance(a, b).max(1.0);
    let (up, down) = (size * share(), size * share());
    let whole = boxes.0.iter().fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], [l, h]| {
        [[0, 1, 2].map(|i| low[i].min(l[i])), [0, 1, 2].map(|i| high[i].max(h[i]))]
    });
    let around = [0, 1, 2].map(|i| {
        let wide = (whole[1][i] - whole[0][i]).clamp(1.0, 1e6);
        whole[0][i] - wide * 0.2 + wide * 1.4 * f64::from(rng.f32(0.0, 1.0))
    });
    [on, [on[0], on[1], on[2] + up], [on[0], on[1], on[2] - down], around]
}

#[test]
fn the_nearest_and_all_within_are_what_a_look_at_every_node_finds() {
    each(|name, index, mesh| {
        if index.rules().surface == Surface::Bilinear {
            // Held to the last bit in `source.rs`.
            return;
        }
        let boxes = Boxes::new(index, mesh);
        let mut rng = Rng(31);
        for _ in 0..points(if index.len() > 4000 { 10 } else { 50 }) {
            for p in four(&mut rng, mesh, &boxes) {
                let asked = mesh.unplan(p);
                let p = mesh.plan(asked);
                let room = 1e-4 + p.iter().map(|v| v.abs()).sum::<f64>() * 1e-6;
                let mut best = f64::INFINITY;
                for node in 0..index.len() {
                    if boxes.far(node, p).sqrt() <= best + room {
                        best = best.min(mesh.distance_to(node, p));
                    }
                }
                let ours = index
                    .nearest(asked, f32::INFINITY)
                    .map_or(f64::INFINITY, |near| f64::from(near.distance));
                assert!(ours == best || (ours - best).abs() < room, "{name} {p:?}: {ours}, not {best}");
                if !best.is_finite() {
                    continue;
                }
                let radius = best as f32 * 1.5 + rng.f32(0.0, 3.0);
                let mut met = vec![false; index.len()];
                index.within(asked, radius, |near| {
                    let node = index.node(near.area).unwrap() as usize;
                    assert!(!std::mem::replace(&mut met[node], true), "{name}: twice");
                });
                for (node, met) in met.into_iter().enumerate() {
                    let reach = f64::from(radius);
                    if boxes.far(node, p).sqrt() > reach + room {
                        assert!(!met, "{name} {p:?} {radius}: {node} is beyond it");
                        continue;
                    }
                    let far = mesh.distance_to(node, p);
                    assert!(
                        met == (far <= reach) || (far - reach).abs() < room,
                        "{name} {p:?} {radius}: {node} at {far}"
                    );
                }
            }
        }
    });
}

#[test]
fn areas_in_a_box_are_those_whose_own_box_touches_it() {
    each(|name, index, mesh| {
        let boxes = Boxes::new(index, mesh);
        let mut rng = Rng(32);
        for _ in 0..points(if index.len() > 4000 { 10 } else { 40 }) {
            for p in four(&mut rng, mesh, &boxes) {
                let half = [0; 3].map(|_| {
                    f64::from(rng.f32(0.0, 1.0)).powi(3) * 40.0 / f64::from(index.axes().metres_per_unit)
                });
                let [a, b] = [-1.0, 1.0].map(|sign| mesh.unplan([0, 1, 2].map(|i| p[i] + sign * half[i])));
                let bounds: Aabb = [a, b].into_iter().collect();
                let (a, b) = (mesh.plan(a), mesh.plan(b));
                let mut ours = Vec::new();
                index.in_box(&bounds, |area| ours.push(index.node(area).unwrap() as usize));
                ours.sort_unstable();
                let touches = |node: &usize| {
                    let [low, high] = &boxes.0[*node];
                    (0..3).all(|i| low[i] <= a[i].max(b[i]) && a[i].min(b[i]) <= high[i])
                };
                let theirs: Vec<usize> = (0..index.len()).filter(touches).collect();
                assert_eq!(ours, theirs, "{name} {p:?} {half:?}");
            }
        }
    });
}

#[test]
fn batches_answer_as_single_questions_do() {
    each(|name, index, mesh| {
        let boxes = Boxes::new(index, mesh);
        let mut rng = Rng(36);
        let points: Vec<Point> =
            (0..10).flat_map(|_| four(&mut rng, mesh, &boxes)).map(|p| mesh.unplan(p)).collect();
        let radius = 3.0 / index.axes().metres_per_unit;
        let (mut single, mut batch) = (Vec::new(), Vec::new());
        for (at, &p) in points.iter().enumerate() {
            index.within(p, radius, |near| single.push((at, near.area)));
        }
        index.within_many(&points, radius, |at, near| batch.push((at, near.area)));
        single.sort_unstable();
        batch.sort_unstable();
        assert_eq!(batch, single, "{name}: within");
        let boxed: Vec<Aabb> = points.windows(2).map(|pair| pair.iter().copied().collect()).collect();
        let (mut single, mut batch) = (Vec::new(), Vec::new());
        for (at, bounds) in boxed.iter().enumerate() {
            index.in_box(bounds, |area| single.push((at, area)));
        }
        index.in_box_many(&boxed, |at, area| batch.push((at, area)));
        single.sort_unstable();
        batch.sort_unstable();
        assert_eq!(batch, single, "{name}: in a box");
        let lines: Vec<[Point; 2]> = points.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        let mut met = vec![None; lines.len()];
        index.along_ray_many(&lines, &mut met);
        let mut near = vec![None; points.len()];
        index.nearest_as_engine_many(&points, 1e4, &mut near);
        for (at, [a, b]) in lines.iter().enumerate() {
            assert_eq!(met[at], index.along_ray(*a, *b), "{name}: along a ray");
            assert_eq!(near[at], index.nearest_as_engine(*a, 1e4), "{name}: nearest as the engine");
        }
    });
}

#[test]
fn a_column_holds_every_area_over_and_under_a_point_and_its_ground() {
    let (mut asked, mut stacked) = (0, 0);
    each(|name, index, mesh| {
        let boxes = Boxes::new(index, mesh);
        let mut rng = Rng(37);
        for p in (0..10).flat_map(|_| four(&mut rng, mesh, &boxes)).map(|p| mesh.unplan(p)) {
            let mut levels = Vec::new();
            index.levels_at(p, |area, z| levels.push((area, Some(z))));
            let mut every: Vec<_> = index.areas().map(|area| (area, index.z_at(area, p))).collect();
            every.retain(|(_, z)| z.is_some());
            levels.sort_by_key(|level| level.0);
            assert_eq!(levels, every, "{name} {p:?}");
            for reach in [None, Some(1.0), Some(f32::INFINITY)] {
                let wanted = (index.ground_at(p, reach), levels.len() as u32);
                assert_eq!(index.column_at(p, reach), wanted, "{name} {p:?} {reach:?}");
            }
            asked += 1;
            stacked += usize::from(levels.len() > 1);
        }
    });
    assert!(asked == 0 || stacked > 10, "{stacked} of {asked}");
}

/// The shares of a line, smallest first, at which it may pass through a node, found step by step: where the height over
/// the ground changes its sign.
fn passes(index: &NavIndex, mesh: &Naive, node: usize, a: V, b: V) -> Option<f64> {
    let at = |t: f64| [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t);
    let corners = &mesh.corners[node];
    let radius = index.of_node(node as u32).and_then(|area| index.radius(area));
    let over = |t: f64| -> Option<f64> {
        let p = at(t);
        let ground = match radius {
            Some(radius) => {
                let c = corners.first()?;
                ((c[0] - p[0]).hypot(c[1] - p[1]) <= f64::from(radius)).then_some(c[2])?
            }
            None if index.rules().surface == Surface::Bilinear => {
                let (nw, ne, se, sw) = (corners[0], corners[1], corners[2], corners[3]);
                let (u, v) = ((p[0] - nw[0]) / (se[0] - nw[0]), (p[1] - nw[1]) / (se[1] - nw[1]));
                let inside = (0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v);
                let north = nw[2] + u * (ne[2] - nw[2]);
                let south = sw[2] + u * (se[2] - sw[2]);
                inside.then_some(north + v * (south - north))?
            }
            None => naive::height(corners, p[0], p[1])?,
        };
        Some(p[2] - ground)
    };
    const STEPS: u32 = 400;
    let mut before: Option<(f64, f64)> = None;
    for step in 0..=STEPS {
        let t = f64::from(step) / f64::from(STEPS);
        let Some(now) = over(t) else {
            before = None;
            continue;
        };
        if let Some((from, height)) = before
            && height.signum() != now.signum()
        {
            let (mut low, mut high) = (from, t);
            for _ in 0..60 {
                let middle = f64::midpoint(low, high);
                match over(middle) {
                    Some(h) if h.signum() == height.signum() => low = middle,
                    _ => high = middle,
                }
            }
            return Some(high);
        }
        before = Some((t, now));
    }
    None
}

#[test]
fn a_ray_meets_the_first_of_all_areas_that_it_passes_through() {
    let mut hits = 0;
    each(|name, index, mesh| {
        let boxes = Boxes::new(index, mesh);
        let mut rng = Rng(33);
        for _ in 0..points(if index.len() > 4000 { 4 } else { 20 }).min(200) {
            let [on, above, ..] = four(&mut rng, mesh, &boxes);
            let [.., below, around] = four(&mut rng, mesh, &boxes);
            for (a, b) in [
                (above, below),
                (around, on),
                ([on[0], on[1], on[2] + 50.0], [on[0] + 7.0, on[1] - 3.0, on[2] - 50.0]),
            ] {
                let (a, b) = (mesh.unplan(a), mesh.unplan(b));
                let (from, to) = (mesh.plan(a), mesh.plan(b));
                let long = naive::distance(from, to).max(1e-9);
                let room = (1e-2 + (from.iter().chain(&to).map(|v| v.abs()).sum::<f64>()) * 1e-5) / long;
                let ours = index.along_ray(a, b);
                let first = ours.map(|near| f64::from(near.distance) / long);
                if let Some(near) = ours {
                    hits += 1;
                    // What was met is on the line and on the ground of its area.
                    let p = mesh.plan(near.point);
                    let t = first.unwrap();
                    let on_line = [0, 1, 2].map(|i| from[i] + (to[i] - from[i]) * t);
                    assert!(naive::distance(p, on_line) <= room * long, "{name}: {p:?} is off the line");
                    let node = index.node(near.area).unwrap() as usize;
                    match (mesh.points, index.rules().surface) {
                        (true, _) => {
                            assert!((p[2] - mesh.corners[node][0][2]).abs() <= room * long, "{name}")
                        }
                        (_, Surface::Flat) => assert!(mesh.distance_to(node, p) <= room * long, "{name}"),
                        _ => assert!(
                            (index.z_at(near.area, near.point).unwrap_or(near.point.z) - near.point.z).abs()
                                < 0.05,
                            "{name}"
                        ),
                    }
                }
                // Nothing that it passes through comes before.
                for node in 0..index.len() {
                    let [low, high] = &boxes.0[node];
                    let misses = (0..3)
                        .any(|i| from[i].max(to[i]) < low[i] - 1e-3 || from[i].min(to[i]) > high[i] + 1e-3);
                    if misses {
                        continue;
                    }
                    // At its very ends rounding may tell above from below.
                    let inside = |t: &f64| (room..=1.0 - room).contains(t);
                    if let Some(t) = passes(index, mesh, node, from, to).filter(inside) {
                        assert!(
                            first.is_some_and(|first| first <= t + room),
                            "{name}: {a:?} to {b:?} meets {node} at {t}, not {first:?}"
                        );
                    }
                }
            }
        }
    });
    assert!(hits == 0 || hits > 1000, "{hits}");
}

#[test]
fn a_straight_walk_stays_on_linked_areas_and_stops_only_where_none_goes_on() {
    let (mut arrived, mut stopped, mut stuck) = (0u32, 0u32, 0u32);
    each(|name, index, mesh| {
        if mesh.points {
            let any = index.areas().next().unwrap();
            assert!(index.walk_line(any, Point::default(), Point::default(), |_| {}).is_none());
            return;
        }
        let boxes = Boxes::new(index, mesh);
        let mut rng = Rng(34);
        for _ in 0..points(1000).min(1000) {
            let [a, ..] = four(&mut rng, mesh, &boxes);
            let a = mesh.unplan(a);
            let Some(area) = index.stands_on(a) else { continue };
            let far = rng.f32(0.5, 30.0) / index.axes().metres_per_unit;
            let turn = f64::from(rng.f32(0.0, std::f32::consts::TAU));
            let from = mesh.plan(a);
            let to = [from[0] + turn.cos() * f64::from(far), from[1] + turn.sin() * f64::from(far), from[2]];
            let b = mesh.unplan(to);
            let (from, to) = (mesh.plan(a), mesh.plan(b));
            let mut met: Vec<Area> = Vec::new();
            let walk = index.walk_line(area, a, b, |area| met.push(area)).unwrap();
            assert_eq!((met.first(), met.last()), (Some(&area), Some(&walk.area)), "{name}");
            for pair in met.windows(2) {
                assert!(
                    index.links(pair[0]).any(|way| way.to == pair[1] && way.kind.on_foot()),
                    "{name}: no link"
                );
            }
            assert_eq!(walk.arrived, walk.share >= 1.0, "{name}");
            // Heights are ignored.
            let [x, y, z] = to;
            let high = mesh.unplan([x, y, z + f64::from(rng.f32(-1e4, 1e4))]);
            assert_eq!(index.walk_line(area, a, high, |_| {}), Some(walk), "{name}: from {a:?} to {b:?}");
            let at = |t: f64| [0, 1, 2].map(|i| from[i] + (to[i] - from[i]) * t);
            // Sides have a thousandth to spare, which is some hundredths where two of them meet at a sharp corner.
            let room = 0.06 + (from[0].abs() + from[1].abs()) * 3e-6;
            // Every point of it is over one of the areas that it entered, or in the gap between two that are linked.
            let gaps = met.windows(2).filter_map(|pair| index.gap(pair[0], pair[1]));
            let gap = f64::from(gaps.fold(0f32, f32::max));
            for step in 0..=20 {
                let p = at(f64::from(walk.share) * f64::from(step) / 20.0);
                let off = met
                    .iter()
                    .map(|area| mesh.beside(index.node(*area).unwrap() as usize, p))
                    .fold(f64::INFINITY, f64::min);
                assert!(off <= gap + room, "{name}: {off} beside its areas at {p:?}");
            }
            let last = index.node(walk.area).unwrap() as usize;
            assert!(
                mesh.beside(last, mesh.plan(walk.point)) <= room,
                "{name}: it does not end in its last area"
            );
            match walk.arrived {
                true => arrived += 1,
                false => {
                    stopped += 1;
                    // Where it stopped, no link on foot leads on: no area beyond one, whose portal is here, holds the
                    // next bit of the line.
                    let here = at(f64::from(walk.share));
                    let on = (f64::from(walk.share) + 0.5 / f64::from(far)).min(1.0);
                    let next = at(on);
                    let goes_on = index.links(walk.area).filter(|way| way.kind.on_foot()).any(|way| {
                        let node = index.node(way.to).unwrap() as usize;
                        let portal = index.portal(walk.area, way.to).unwrap();
                        let p = mesh.plan(portal.closest_to(mesh.unplan(here)));
                        let off = (p[0] - here[0]).hypot(p[1] - here[1]);
                        off <= room * 0.1 && mesh.beside(node, next) == 0.0 && mesh.beside(last, next) > room
                    });
                    stuck += u32::from(goes_on);
                }
            }
        }
    });
    // At a corner where more than sixteen areas meet it may give up.
    assert!(stuck * 1000 <= stopped, "{stuck} of {stopped} walks stopped where a link leads on");
    assert!(arrived == 0 || arrived > 1000 && stopped > 1000, "{arrived} arrived, {stopped} stopped");
}

#[test]
fn random_spots_are_on_the_ground_and_every_square_unit_is_as_likely() {
    each(|name, index, mesh| {
        let spots = index.spots();
        let size = |area: Area| index.area_size(area).unwrap();
        let whole: f64 = index.areas().map(size).sum();
        let mut rng = Rng(35);
        let mut random = move || (rng.u64() >> 11) as f64 / (1u64 << 53) as f64;
        const DRAWN: usize = 20_000;
        let mut count = vec![0u32; index.len()];
        let mut largest = index.areas().next().unwrap();
        for area in index.areas() {
            if size(area) > size(largest) {
                largest = area;
            }
        }
        let mut inside = Vec::new();
        for _ in 0..DRAWN {
            let Some((area, p)) = index.random_point(&spots, &mut random) else {
                assert!(whole.is_nan() || whole <= 0.0, "{name}: nothing drawn");
                return;
            };
            count[area.position() as usize] += 1;
            let off = match index.radius(area) {
                Some(radius) => {
                    let (p, c) = (mesh.plan(p), mesh.corners[index.node(area).unwrap() as usize][0]);
                    (p[0] - c[0]).hypot(p[1] - c[1]) - f64::from(radius)
                }
                None => mesh.beside(index.node(area).unwrap() as usize, mesh.plan(p)),
            };
            assert!(off <= mesh.room, "{name}: {off} beside its area");
            if let Some(z) = index.z_at(area, p) {
                let up = mesh.plan(p)[2];
                assert!((f64::from(z) - up).abs() <= 1e-3 + up.abs() * 1e-5, "{name}");
            }
            if area == largest {
                inside.push(mesh.plan(p));
            }
        }
        // Areas in 64 groups of like share: the squared deviation is that of chance (64 degrees: 130 is one in a million).
        let group = |area: Area| area.position() as usize * 64 / index.len();
        let (mut expected, mut drawn) = ([0f64; 64], [0f64; 64]);
        for area in index.areas() {
            expected[group(area)] += size(area) / whole * DRAWN as f64;
            drawn[group(area)] += f64::from(count[area.position() as usize]);
        }
        let groups = expected.iter().zip(&drawn).filter(|(expected, _)| **expected >= 5.0);
        let off: f64 = groups.map(|(expected, drawn)| (expected - drawn).powi(2) / expected).sum();
        assert!(off < 140.0, "{name}: {off}");
        // Inside the largest area the mean is its centroid.
        let corners = &mesh.corners[index.node(largest).unwrap() as usize];
        if inside.len() >= 500 && corners.len() > 2 {
            let (mut twice, mut middle) = (0.0, [0.0; 2]);
            for pair in corners[1..].windows(2) {
                let (a, b, c) = (corners[0], pair[0], pair[1]);
                let cross = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs();
                twice += cross;
                (0..2).for_each(|i| middle[i] += cross * (a[i] + b[i] + c[i]) / 3.0);
            }
            for axis in 0..2 {
                let mean = inside.iter().map(|p| p[axis]).sum::<f64>() / inside.len() as f64;
                let spread =
                    inside.iter().map(|p| (p[axis] - mean).powi(2)).sum::<f64>() / inside.len() as f64;
                let error = (spread / inside.len() as f64).sqrt();
                assert!(
                    (mean - middle[axis] / twice).abs() <= 5.0 * error + mesh.room,
                    "{name}: axis {axis}"
                );
            }
        }
    });
}

#[test]
fn reach_bits_are_what_a_flood_from_every_node_of_every_small_mesh_finds() {
    let mut met = 0;
    each(|name, index, mesh| {
        if index.len() > 500 {
            return;
        }
        for from in 0..index.len() {
            let mut seen = vec![false; index.len()];
            seen[from] = true;
            let mut stack = vec![from];
            while let Some(node) = stack.pop() {
                for &(to, _) in &mesh.links[node] {
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push(to);
                    }
                }
            }
            let start = index.of_node(from as u32).unwrap();
            for (to, seen) in seen.into_iter().enumerate() {
                assert_eq!(
                    index.reachable(start, index.of_node(to as u32).unwrap()),
                    seen,
                    "{name} {from} {to}"
                );
            }
            met += 1;
        }
    });
    assert!(met == 0 || met > 1000, "{met}");
}
