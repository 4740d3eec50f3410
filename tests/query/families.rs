//! Meshes of every family against brute force and Dijkstra.

use crate::naive::{self, Naive};
use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::{Point, Surface};
use navmap::query::{
    Area, BuildOptions, Cost, FirstMoves, Flood, Kinds, NavIndex, Outcome, Overlay, PathScratch, Query,
    Search,
};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{manifest, real};
use std::cell::Cell;
use std::ops::ControlFlow;

thread_local! {
    static WALKED: Cell<u32> = const { Cell::new(0) };
}

/// Every real file that can be read whole, as index and as plain data.
pub(crate) fn each(mut act: impl FnMut(&str, &NavIndex, &Naive)) {
    let Some(folder) = real() else { return };
    for family in ["source", "quake", "fox", "skyrim", "aas", "yapb"] {
        let mut met = 0;
        for row in manifest(&folder.join(family)) {
            if !row.path.is_file() {
                continue;
            }
            let bytes = row.read();
            let Ok(nav) = AnyNav::parse(&bytes, Some(&row.path), &ParseOptions::default()) else { continue };
            let flat = nav.flat_graph();
            if flat.error.is_some() || flat.value.nodes().is_empty() {
                continue;
            }
            let mesh = Naive::new(&flat.value);
            // One real graph has a node that is nowhere, and ways to it have no length.
            if family == "yapb" && mesh.corners.iter().flatten().flatten().any(|value| !value.is_finite()) {
                continue;
            }
            let index = NavIndex::of_with(&nav, &BuildOptions::default()).whole().unwrap();
            assert_eq!(index.len(), flat.value.nodes().len(), "{}", row.name());
            act(row.name(), &index, &mesh);
            met += 1;
        }
        assert!(met >= if family == "aas" { 15 } else { 20 }, "{family}: {met} files");
    }
}

fn area(index: &NavIndex, node: usize) -> Area {
    index.of_node(node as u32).unwrap()
}

/// Spots on and around polygons, z up.
fn spots(rng: &mut Rng, mesh: &Naive, count: usize) -> Vec<naive::V> {
    let mut spots = Vec::new();
    while spots.len() < count {
        let corners = &mesh.corners[rng.below(mesh.corners.len() as u64) as usize];
        let Some(&a) = corners.first() else {
            spots.push([0.0; 3]);
            continue;
        };
        let (b, c) = (corners[corners.len() / 2], corners[corners.len() - 1]);
        let mut share = || f64::from(rng.f32(0.0, 1.0));
        let (mut u, mut v) = (share(), share());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let size = naive::distance(b, a).max(naive::distance(c, a)).max(1.0);
        let up = [0.1, -0.3, 3.0, 30.0][spots.len() % 4] * size * share();
        let out = if spots.len() % 5 == 0 { 4.0 * size } else { 0.0 };
        spots.push([0, 1, 2].map(|i| a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]) + [out, out, up][i]));
    }
    spots
}

#[test]
fn points_are_found_as_a_look_at_every_node_finds_them() {
    each(|name, index, mesh| {
        let mut rng = Rng(11);
        let bilinear = index.rules().surface == Surface::Bilinear;
        let count = if index.len() > 4000 { 40 } else { 200 };
        for p in spots(&mut rng, mesh, count) {
            let asked = mesh.unplan(p);
            let p = mesh.plan(asked);
            // Nearest: the same distance.
            if !bilinear {
                let best =
                    (0..index.len()).map(|node| mesh.distance_to(node, p)).fold(f64::INFINITY, f64::min);
                let ours = index.nearest(asked, f32::INFINITY).map(|near| f64::from(near.distance));
                let size = 1e-4 + p.iter().map(|v| v.abs()).sum::<f64>() * 1e-6;
                match ours {
                    Some(ours) => assert!((ours - best).abs() < size, "{name} {p:?}: {ours}, not {best}"),
                    None => assert_eq!(best, f64::INFINITY, "{name} {p:?}"),
                }
            }
            // The area under it: the highest ground in reach, within rounding of the ends of the reach.
            // In an AAS file its tree decides: `tests/aas/graph.rs`.
            if !bilinear && !mesh.points && !name.ends_with(".aas") {
                let rules = index.rules();
                let (above, reach) = (f64::from(rules.above), f64::from(rules.reach));
                let heights = mesh.corners.iter().filter_map(|corners| naive::height(corners, p[0], p[1]));
                let heights: Vec<f64> = heights.collect();
                let room = 1e-3 + p.iter().map(|v| v.abs()).sum::<f64>() * 1e-5;
                let best = |room: f64| {
                    let inside =
                        heights.iter().filter(|h| **h <= p[2] + above + room && **h >= p[2] - reach - room);
                    inside.copied().fold(f64::NEG_INFINITY, f64::max)
                };
                let ours = index.ground_at(asked, None).map_or(f64::NEG_INFINITY, |(_, z)| f64::from(z));
                // On an edge rounding may tell inside from outside; it is then not held against either.
                let close = |a: f64, b: f64| a == b || (a - b).abs() < room * 10.0;
                let edge = mesh.corners.iter().any(|corners| on_edge(corners, p));
                assert!(
                    close(ours, best(room)) || close(ours, best(-room)) || edge,
                    "{name} {p:?}: {ours}, not {}",
                    best(0.0)
                );
            }
        }
    });
}

fn on_edge(corners: &[naive::V], p: naive::V) -> bool {
    (0..corners.len()).any(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
        let way = [b[0] - a[0], b[1] - a[1], 0.0];
        let from = [p[0] - a[0], p[1] - a[1], 0.0];
        let l2 = naive::dot(way, way).max(1e-12);
        let t = (naive::dot(way, from) / l2).clamp(0.0, 1.0);
        let off = [from[0] - way[0] * t, from[1] - way[1] * t, 0.0];
        naive::dot(off, off) < 1e-6 * l2.max(1.0)
    })
}

#[test]
fn ways_are_as_short_as_dijkstra_finds_them_by_every_means() {
    each(|name, index, mesh| {
        let mut rng = Rng(12);
        let mut scratch = PathScratch::new(index);
        let mut map = vec![0.0; index.len()];
        let landmarks = (index.len() <= 6000).then(|| index.clone().with_landmarks());
        let mut guided = landmarks.as_ref().map(PathScratch::new);
        let moves = (index.len() <= 400).then(|| FirstMoves::shortest(index).unwrap());
        for _ in 0..if index.len() > 4000 { 2 } else { 6 } {
            let from = rng.below(index.len() as u64) as usize;
            let truth = mesh.dijkstra(from);
            let start = area(index, from);
            let reached = scratch.distance_map(index, start, &Query::shortest(), &mut map).unwrap();
            assert_eq!(reached, truth.iter().filter(|cost| cost.is_finite()).count(), "{name}");
            let same = |ours: f32, truth: f64| {
                ours == f32::INFINITY && truth == f64::INFINITY
                    || (f64::from(ours) - truth).abs() <= truth * 1e-5 + mesh.room
            };
            for (node, &truth) in truth.iter().enumerate() {
                let goal = area(index, node);
                let ours = map[goal.position() as usize];
                assert!(same(ours, truth), "{name} {from} {node}: {ours}, not {truth}");
                assert_eq!(index.reachable(start, goal), truth.is_finite(), "{name} {from} {node}");
            }
            for _ in 0..if index.len() > 4000 { 10 } else { 40 } {
                let to = rng.below(index.len() as u64) as usize;
                let goal = area(index, to);
                let hold = |outcome: Outcome, how: &str| {
                    let cost = outcome.cost().unwrap_or(f32::INFINITY);
                    assert!(same(cost, truth[to]), "{name} {from} {to} {how}: {cost}, not {}", truth[to]);
                };
                hold(scratch.path(index, start, goal, &Query::shortest()).unwrap(), "search");
                let steps: Vec<_> = scratch.steps(index).collect();
                if truth[to].is_finite() {
                    assert_eq!((steps[0].area, steps[steps.len() - 1].area), (start, goal));
                    let sum: f32 = steps.iter().filter_map(|step| step.way).map(|way| way.length).sum();
                    assert!(same(sum, truth[to]), "{name}: steps sum up to {sum}");
                    for pair in steps.windows(2) {
                        let way = pair[1].way.unwrap();
                        assert_eq!((way.from, way.to), (pair[0].area, pair[1].area));
                    }
                } else {
                    assert!(steps.is_empty());
                }
                // Spread over ticks.
                let slow = Query::shortest().with_max_pops(7);
                let mut outcome = scratch.path(index, start, goal, &slow).unwrap();
                while outcome == Outcome::Unfinished {
                    outcome = scratch.resume(index, &slow).unwrap();
                }
                hold(outcome, "resumed");
                if let (Some(index), Some(scratch)) = (&landmarks, &mut guided) {
                    hold(scratch.path(index, start, goal, &Query::shortest()).unwrap(), "landmarks");
                }
                if let Some(moves) = &moves {
                    hold(scratch.path_from(moves, index, start, goal).unwrap(), "table");
                }
                // A closure that charges the length, and an overlay that changes nothing.
                let length = |way: &navmap::query::Way| Some(way.length);
                let custom = Query::shortest().with_cost(Cost::Custom(&length));
                hold(scratch.path(index, start, goal, &custom).unwrap(), "closure");
                // As the game: never cheaper than the cheapest.
                let game = Query::shortest().with_search(Search::Engine);
                let cost = scratch.path(index, start, goal, &game).unwrap().cost();
                assert_eq!(cost.is_some(), truth[to].is_finite());
                assert!(cost.is_none_or(|cost| f64::from(cost) >= truth[to] * (1.0 - 1e-5) - mesh.room));
                // If there is none, the closest place that can be reached.
                if truth[to].is_infinite() && index.len() < 3000 {
                    let partial = Query::shortest().with_partial(true);
                    let outcome = scratch.path(index, start, goal, &partial).unwrap();
                    let Outcome::Partial { closest, distance, cost } = outcome else { panic!("{outcome:?}") };
                    assert!(same(cost, truth[index.node(closest).unwrap() as usize]), "{name}");
                    assert_eq!(scratch.areas().last(), Some(closest));
                    let aim = index.center(goal).unwrap();
                    let far = |area: Area| index.center(area).unwrap().distance(aim);
                    let best = (0..index.len())
                        .filter(|&n| truth[n].is_finite())
                        .map(|n| far(index.of_node(n as u32).unwrap()));
                    let best = best.fold(f32::INFINITY, f32::min);
                    assert!((distance - best).abs() <= best * 1e-5, "{name}: {distance}, not {best}");
                }
            }
            // Backward: what it costs to come here.
            scratch.distance_map_to(index, start, &Query::shortest(), &mut map).unwrap();
            for _ in 0..5 {
                let other = area(index, rng.below(index.len() as u64) as usize);
                let there = scratch.travel_distance(index, other, start).unwrap_or(f32::INFINITY);
                assert!(same(map[other.position() as usize], f64::from(there)), "{name}");
            }
            // A flood meets what the map reaches, the nearest first.
            let most = rng.f32(0.0, 50.0 / index.axes().metres_per_unit);
            let mut met = Vec::new();
            let flood = Flood::default().with_travel(most);
            let each = |area, cost| {
                met.push((area, cost));
                ControlFlow::Continue(())
            };
            scratch.flood(index, start, &flood, each).unwrap();
            assert!(met.is_sorted_by(|a, b| a.1 <= b.1));
            let near = truth.iter().filter(|cost| **cost <= f64::from(most)).count();
            assert!(met.len().abs_diff(near) <= 1, "{name}: {} of {near}", met.len());
        }
    });
}

#[test]
fn blocked_and_dearer_areas_and_forbidden_kinds_are_what_dijkstra_without_them_finds() {
    each(|name, index, mesh| {
        if index.len() > 4000 {
            return;
        }
        let mut rng = Rng(13);
        let mut scratch = PathScratch::new(index);
        let mut guided = index.clone().with_landmarks();
        let mut other = PathScratch::new(&guided);
        let mut overlay = Overlay::new(index);
        let mut factors = vec![1.0f64; index.len()];
        for (node, factor) in factors.iter_mut().enumerate() {
            match rng.below(8) {
                0 => {
                    overlay.block(area(index, node));
                    *factor = f64::INFINITY;
                }
                1 => {
                    overlay.scale(area(index, node), 3.0);
                    *factor = 3.0;
                }
                2 => overlay.scale(area(index, node), 0.1),
                _ => {}
            }
        }
        let mut changed = mesh.clone();
        for links in &mut changed.links {
            links.retain_mut(|(to, length)| {
                *length *= factors[*to];
                factors[*to].is_finite()
            });
        }
        let query = Query::shortest().with_overlay(&overlay);
        for _ in 0..4 {
            let from = rng.below(index.len() as u64) as usize;
            let truth = changed.dijkstra(from);
            let blocked = factors[from].is_infinite();
            for _ in 0..20 {
                let to = rng.below(index.len() as u64) as usize;
                let [a, b] = [from, to].map(|node| area(index, node));
                let plain = scratch.path(index, a, b, &query).unwrap().cost();
                let fast = other.path(&guided, a, b, &query).unwrap().cost();
                let truth =
                    Some(truth[to]).filter(|cost| cost.is_finite() && !blocked && factors[to].is_finite());
                for ours in [plain, fast] {
                    assert_eq!(ours.is_some(), truth.is_some(), "{name} {from} {to}");
                    if let (Some(ours), Some(truth)) = (ours, truth) {
                        assert!(
                            (f64::from(ours) - truth).abs() <= truth * 1e-5 + mesh.room * 3.0,
                            "{name} {ours} {truth}"
                        );
                    }
                }
            }
        }
        // Kinds: without any only the start is there.
        let none = Query::shortest().with_kinds(Kinds::NONE);
        let mut map = vec![0.0; index.len()];
        assert_eq!(scratch.distance_map(index, area(index, 0), &none, &mut map).unwrap(), 1);
        guided = guided.with_landmarks();
        assert!(guided.landmarks().count() == 8);
    });
}

#[test]
fn straightened_ways_stay_in_the_areas_they_lead_through() {
    each(|name, index, mesh| {
        if index.len() > 4000 || mesh.points {
            return;
        }
        let mut rng = Rng(14);
        let mut scratch = PathScratch::new(index);
        let mut out = vec![Point::default(); 4096];
        let mut walked = 0;
        for _ in 0..60 {
            let [a, b] = [0; 2].map(|_| area(index, rng.below(index.len() as u64) as usize));
            let outcome = scratch.path(index, a, b, &Query::shortest()).unwrap();
            if outcome.cost().is_none() {
                continue;
            }
            let [start, end] = [a, b].map(|area| index.center(area).unwrap());
            let count = scratch.straighten(index, start, end, &mut out).unwrap();
            assert!((1..=out.len()).contains(&count), "{name}: {count}");
            let corners = &out[..count];
            // A center above or below the reach of its ground is none to stand at.
            let stands = |area: Area, p: Point| {
                let above = index.z_at(area, p).map(|z| mesh.plan(p)[2] - f64::from(z));
                let (over, under) = (f64::from(index.rules().reach), f64::from(index.rules().above));
                above.is_some_and(|above| (-0.99 * under..=0.99 * over).contains(&above))
            };
            assert!(corners[0] == start || !stands(a, start), "{name}");
            assert!(corners[count - 1] == end || !stands(b, end), "{name}");
            let flat = |p: Point| {
                let [x, y, _] = mesh.plan(p);
                [x, y, 0.0]
            };
            let length: f64 = corners.windows(2).map(|p| naive::distance(flat(p[0]), flat(p[1]))).sum();
            // Where every step is from side to side, the string is no longer than the line through the centers, and each
            // spot of it lies in some area of the way.
            let touching = scratch.steps(index).filter_map(|step| step.way).all(|way| {
                index.portal(way.from, way.to).is_some_and(|portal| portal.half_width() > 0.0)
                    && index.gap(way.from, way.to).is_some_and(|gap| gap < 0.01)
                    && way.kind.on_foot()
            });
            if !touching {
                continue;
            }
            walked += 1;
            let size = mesh.plan(start).iter().map(|v| v.abs()).sum::<f64>();
            let room = 0.01 + (length + size) * 1e-5;
            let areas: Vec<Area> = scratch.areas().collect();
            for pair in corners.windows(2) {
                for share in [0.13, 0.5, 0.77] {
                    let p = Point::new(
                        pair[0].x + (pair[1].x - pair[0].x) * share,
                        pair[0].y + (pair[1].y - pair[0].y) * share,
                        pair[0].z + (pair[1].z - pair[0].z) * share,
                    );
                    let nodes = areas.iter().map(|&area| index.node(area).unwrap() as usize);
                    let near =
                        nodes.map(|node| mesh.beside(node, mesh.plan(p))).fold(f64::INFINITY, f64::min)
                            <= room;
                    assert!(near, "{name} {p:?} lies beside the way");
                }
            }
            // A line through the middles of all portals stays inside too; the string is no longer than that.
            let middles = scratch.steps(index).filter_map(|step| step.way);
            let middles = middles.map(|way| index.portal(way.from, way.to).unwrap().center());
            let line: Vec<Point> = [start].into_iter().chain(middles).chain([end]).collect();
            let through: f64 = line.windows(2).map(|p| naive::distance(flat(p[0]), flat(p[1]))).sum();
            assert!(length <= through + room, "{name}: {length} is longer than {through}");
        }
        WALKED.set(WALKED.get() + walked);
    });
    assert!(real().is_none() || WALKED.get() > 500, "{} ways were walked from side to side", WALKED.get());
}
