//! Source meshes against the engine's rules.

use crate::engine::{self, Engine};
use navmap::format::source::{self, SourceBuf, SourceGraph, SourceNav};
use navmap::graph::{Point, Scene};
use navmap::query::{NavIndex, Outcome, PathScratch, Query};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, manifest, real};
use navmap_testkit::source::{Area, Mesh, read, write};
use std::collections::HashSet;

/// Every real mesh of version 1 to 16, by name, as the index and as the engine has it.
pub(crate) fn each(mut act: impl FnMut(&str, &NavIndex, &Engine)) {
    let Some(folder) = real() else { return };
    let mut met = 0;
    for row in manifest(&folder.join("source")) {
        let bytes = row.read();
        let Some(mesh) = read(&bytes) else { continue };
        let nav = SourceNav::parse(&bytes).unwrap();
        let index = NavIndex::build(&SourceGraph::new(&nav)).whole().unwrap();
        assert_eq!(index.len(), mesh.areas.len(), "{}", row.name());
        act(row.name(), &index, &Engine::new(mesh));
        met += 1;
    }
    assert!(met >= 38, "{met} meshes");
}

/// How many points of each kind a mesh is asked for. `NAVMAP_POINTS=10000` asks for more than a usual run has time for.
fn many(usual: usize) -> usize {
    std::env::var("NAVMAP_POINTS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// Points on, above, below and beside the mesh, `count` of each.
pub(crate) fn points(rng: &mut Rng, engine: &Engine, count: usize) -> Vec<[f32; 3]> {
    let areas = &engine.mesh.areas;
    if areas.is_empty() {
        return Vec::new();
    }
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    for p in areas.iter().flat_map(|area| [area.nw, area.se]) {
        for axis in 0..3 {
            (low[axis], high[axis]) = (low[axis].min(p[axis]), high[axis].max(p[axis]));
        }
    }
    let mut points = Vec::new();
    for _ in 0..count {
        let area = &areas[rng.below(areas.len() as u64) as usize];
        let (x, y) = (rng.f32(area.nw[0], area.se[0]), rng.f32(area.nw[1], area.se[1]));
        let z = engine::z(area, x, y);
        points.push([x, y, z + rng.f32(0.0, 60.0)]);
        points.push([x, y, z + rng.f32(60.0, 1000.0)]);
        points.push([x, y, z - rng.f32(0.0, 500.0)]);
        let far = [0, 1, 2].map(|axis| rng.f32(low[axis] - 2000.0, high[axis] + 2000.0));
        points.push(far);
        // On corners and sides.
        let corner = [[area.nw[0], area.nw[1]], [area.se[0], area.nw[1]], [area.se[0], y], [x, area.se[1]]];
        let [x, y] = corner[rng.below(4) as usize];
        points.push([x, y, engine::z(area, x, y) + [0.0, -5.0, 120.0, 4.99][rng.below(4) as usize]]);
    }
    points
}

#[test]
fn areas_and_heights_are_those_of_the_engine_bit_by_bit() {
    each(|name, index, engine| {
        let points = points(&mut Rng(1), engine, 10_000);
        let mut batch = vec![None; points.len()];
        let asked: Vec<Point> = points.iter().map(|&p| p.into()).collect();
        index.area_at_many(&asked, None, &mut batch);
        let mut inside = 0;
        for (at, (&p, found)) in points.iter().zip(batch).enumerate() {
            let ours = index.ground_at(p.into(), None);
            let theirs = engine.area_at(p, 120.0);
            let ours = ours.map(|(area, z)| (index.node(area).unwrap() as usize, z.to_bits()));
            assert_eq!(ours, theirs.map(|(at, z)| (at, z.to_bits())), "{name} {p:?}");
            assert_eq!(found.map(|area| index.node(area).unwrap() as usize), theirs.map(|(at, _)| at));
            inside += usize::from(theirs.is_some());
            if at % 16 == 0 {
                let other = index.area_at(p.into(), 33.0).map(|area| index.node(area).unwrap() as usize);
                assert_eq!(other, engine.area_at(p, 33.0).map(|(at, _)| at), "{name} {p:?}");
            }
        }
        assert!(points.is_empty() || inside > points.len() / 10, "{name}: {inside} of {}", points.len());
    });
}

#[test]
fn nearest_is_what_a_look_at_every_area_finds() {
    each(|name, index, engine| {
        let count = many(if index.len() > 5000 { 200 } else { 1000 });
        let points = points(&mut Rng(2), engine, count);
        let asked: Vec<Point> = points.iter().map(|&p| p.into()).collect();
        let mut batch = vec![None; points.len()];
        index.nearest_many(&asked, f32::INFINITY, &mut batch);
        for (&p, batch) in points.iter().zip(batch) {
            let best = engine.nearest(p).sqrt();
            let ours = index.nearest(p.into(), f32::INFINITY).unwrap();
            assert_eq!(ours.distance.to_bits(), best.to_bits(), "{name} {p:?}: {ours:?}, not {best}");
            assert_eq!(batch, Some(ours));
            let area = &engine.mesh.areas[index.node(ours.area).unwrap() as usize];
            assert_eq!(ours.point.to_array(), engine::closest(area, p), "{name}");
            assert!(index.nearest(p.into(), best * 0.999 - 0.001).is_none());
        }
    });
}

/// A mesh of level squares of 100 units.
fn squares(corners: impl Iterator<Item = [f64; 3]>) -> Vec<u8> {
    let mut scene = Scene::new();
    for [x, y, z] in corners {
        let first = scene.positions.len() as u32;
        let ends = [[x, y], [x + 100.0, y], [x + 100.0, y + 100.0], [x, y + 100.0]];
        scene.positions.extend(ends.map(|[x, y]| [x, y, z]));
        scene.add_polygon(&[first, first + 1, first + 2, first + 3], 1, 0, 0);
    }
    SourceBuf::build(&scene, 16, 1, &source::BuildOptions::default()).unwrap().encode().unwrap()
}

fn indexed(bytes: &[u8]) -> NavIndex {
    NavIndex::build(&SourceGraph::new(&SourceNav::parse(bytes).unwrap())).whole().unwrap()
}

#[test]
fn rings_of_cells_around_any_cell_are_looked_at_as_the_engine_looks_at_them() {
    let mut rng = Rng(5);
    for [wide, high] in [[9_000.0, 1.0], [1.0, 9_000.0], [4_000.0, 2_500.0], [1.0, 1.0]] {
        let mut at = || [wide, high, 900.0].map(|most| f64::from(rng.f32(0.0, most)));
        let bytes = squares((0..40).map(|_| at()));
        let (index, engine) = (indexed(&bytes), Engine::new(read(&bytes).unwrap()));
        for p in points(&mut rng, &engine, 60) {
            for max in [10_000.0, 700.0] {
                let ours = index.nearest_as_engine(p.into(), max);
                let ours = ours.map(|near| index.node(near.area).unwrap() as usize);
                assert_eq!(ours, engine.nearest_as_game(p, max), "{wide} x {high}, {p:?}, {max}");
            }
        }
    }
    // A row of 20,000 cells, and what is looked for in the last: rings cost what they hold, not what they surround.
    let index = indexed(&squares((0..20_000).map(|n| [f64::from(n) * 300.0, 0.0, 0.0])));
    let last = index.of_node(19_999).unwrap();
    for _ in 0..20 {
        let found = index.nearest_as_engine_where(Point::default(), f32::INFINITY, |area| area == last);
        assert_eq!(found.unwrap().area, last);
    }
}

#[test]
fn the_engines_own_nearest_is_found_as_the_engine_finds_it() {
    each(|name, index, engine| {
        let count = if index.len() > 5000 { 500 } else { 1000 };
        for p in points(&mut Rng(3), engine, count) {
            for max in [10_000.0, 350.0] {
                let ours = index.nearest_as_engine(p.into(), max);
                let ours = ours.map(|near| index.node(near.area).unwrap() as usize);
                assert_eq!(ours, engine.nearest_as_game(p, max), "{name} {p:?} {max}");
            }
        }
    });
}

#[test]
fn the_engines_own_nearest_of_some_areas_is_none_of_the_others() {
    each(|_, index, engine| {
        for p in points(&mut Rng(13), engine, many(100)) {
            let p = p.into();
            let Some(first) = index.nearest_as_engine(p, 1e4) else { continue };
            assert_eq!(index.nearest_as_engine_where(p, 1e4, |_| true), Some(first));
            assert_eq!(index.nearest_as_engine_where(p, 1e4, |area| area == first.area), Some(first));
            let other = index.nearest_as_engine_where(p, 1e4, |area| area != first.area);
            assert!(other.is_none_or(|other| other.area != first.area), "{first:?}");
            // Without it, a mesh of more than one area still has something under a point or near it.
            let exact = index.nearest_where(p, 300.0, |area| area != first.area);
            assert!(exact.is_none() || other.is_some(), "{exact:?}");
        }
    });
}

#[test]
fn areas_within_reach_are_those_that_a_look_at_every_area_finds() {
    each(|name, index, engine| {
        let mut rng = Rng(4);
        for p in points(&mut rng, engine, many(if index.len() > 5000 { 20 } else { 100 })) {
            let radius = rng.f32(0.0, 800.0);
            let mut ours = Vec::new();
            index.within(p.into(), radius, |near| ours.push(index.node(near.area).unwrap() as usize));
            ours.sort_unstable();
            let areas = engine.mesh.areas.iter().enumerate();
            let near = |area| {
                let q = engine::closest(area, p);
                let d = [0, 1, 2].map(|i| q[i] - p[i]);
                d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= radius * radius
            };
            let theirs: Vec<usize> = areas.filter(|(_, area)| near(area)).map(|(at, _)| at).collect();
            assert_eq!(ours, theirs, "{name} {p:?} {radius}");
        }
    });
}

#[test]
fn paths_cost_what_the_engines_search_finds() {
    each(|name, index, engine| {
        let mut rng = Rng(5);
        let mut scratch = PathScratch::new(index);
        let pairs = if index.len() > 5000 { 40 } else { 150 };
        for _ in 0..pairs.min(index.len() * index.len()) {
            let [from, to] = [0; 2].map(|_| rng.below(index.len() as u64) as u32);
            let [a, b] = [from, to].map(|node| index.of_node(node).unwrap());
            let ours = scratch.path(index, a, b, &Query::default()).unwrap();
            match engine.path(from as usize, to as usize) {
                Some((cost, _)) => {
                    let Outcome::Found { cost: ours } = ours else { panic!("{name} {from} {to}: {ours:?}") };
                    assert!((ours - cost).abs() <= cost * 1e-5, "{name} {from} {to}: {ours}, not {cost}");
                    assert!(index.reachable(a, b));
                }
                None => {
                    assert_eq!(ours, Outcome::NoWay, "{name} {from} {to}");
                    assert!(!index.reachable(a, b));
                }
            }
        }
    });
}

/// The ends of what two areas share of a side of the first, on its ground: a point of the side if that is nothing.
fn shared([area, there]: [&Area; 2], side: usize) -> [Point; 2] {
    let along = side % 2;
    let fixed = [area.nw[1], area.se[0], area.se[1], area.nw[0]][side];
    let clamp = |v: f32| v.max(area.nw[along]).min(area.se[along]);
    let low = clamp(area.nw[along].max(there.nw[along]));
    let high = clamp(area.se[along].min(there.se[along])).max(low);
    [low, high].map(|v| {
        let [x, y] = if along == 0 { [v, fixed] } else { [fixed, v] };
        Point::new(x, y, engine::z(area, x, y))
    })
}

/// How many links lead up or down, and over a gap.
fn portals(name: &str, index: &NavIndex, engine: &Engine) -> [usize; 2] {
    let areas = &engine.mesh.areas;
    let mut seen = [0; 2];
    for (at, area) in areas.iter().enumerate() {
        let from = index.of_node(at as u32).unwrap();
        let mut met = HashSet::new();
        let links = (0..).zip(&area.connections).flat_map(|(side, ids)| ids.iter().map(move |id| (side, id)));
        for (side, id) in links {
            let Some(&to) = engine.by_id.get(id).filter(|to| met.insert(**to)) else { continue };
            let there = &areas[to];
            let what = format!("{name}: #{} to #{id}", area.id);
            let to = index.of_node(to as u32).unwrap();
            let portal = index.portal(from, to).unwrap();
            let [a, b] = shared([area, there], side);
            let is_near = |p: Point, q: Point| p.distance(q) < 0.01;
            let ends = (portal.left, portal.right);
            assert!(
                is_near(ends.0, a) && is_near(ends.1, b) || is_near(ends.0, b) && is_near(ends.1, a),
                "{what}: {portal:?}, {a:?} {b:?}"
            );
            let long = a.distance(b);
            assert!((portal.half_width() - long / 2.0).abs() < 0.01, "{what}: {portal:?}");
            let middle = portal.center().to_array();
            let [here, beyond] = [area, there].map(|area| engine::closest(area, middle));
            let (step, gap) = (beyond[2] - here[2], (beyond[0] - middle[0]).hypot(beyond[1] - middle[1]));
            let [found, wide] = [index.step(from, to), index.gap(from, to)].map(Option::unwrap);
            assert!(
                (found - step).abs() < 0.02 && (wide - gap).abs() < 0.02,
                "{what}: {found} {wide}, {step} {gap}"
            );
            seen = [seen[0] + usize::from(step.abs() > 1.0), seen[1] + usize::from(gap > 1.0)];

            let p = Point::from(engine::center(there));
            let nearest = portal.closest_to(p);
            assert!((nearest.distance(a) + nearest.distance(b) - long).abs() < 0.02, "{what}: {nearest:?}");
            for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let other = [0, 1, 2].map(|i| {
                    let [a, b] = [a, b].map(|end| end.to_array()[i]);
                    a + (b - a) * share
                });
                assert!(
                    p.distance(nearest) <= p.distance(other.into()) + 0.02,
                    "{what}: {nearest:?} {other:?}"
                );
            }
        }
        let [x, y, z] = engine::center(area);
        let sides =
            [[x, area.nw[1] - 1.0], [area.se[0] + 1.0, y], [x, area.se[1] + 1.0], [area.nw[0] - 1.0, y]];
        for (side, [x, y]) in (0..).zip(sides).filter(|_| area.nw[0] < area.se[0] && area.nw[1] < area.se[1])
        {
            let found = index.direction(from, Point::new(x, y, z));
            assert_eq!(found, Some(side), "{name}: #{}", area.id);
        }
    }
    seen
}

/// Areas anywhere, at any height, that lead to any others.
fn scattered() -> Vec<u8> {
    let mut rng = Rng(5);
    let area = |at: u32| {
        let [x, y, z] = [500.0, 500.0, 60.0].map(|most| rng.f32(-most, most));
        let [wide, deep] = [(); 2].map(|()| rng.f32(20.0, 200.0));
        let connections =
            [(); 4].map(|()| (0..3).map(|_| rng.below(60) as u32 + 1).filter(|id| *id != at + 1).collect());
        let [ne_z, se_z, sw_z] = [(); 3].map(|()| z + rng.f32(-20.0, 20.0));
        let (nw, se) = ([x, y, z], [x + wide, y + deep, se_z]);
        Area { id: at + 1, nw, se, ne_z, sw_z, connections, ..Area::default() }
    };
    write(&Mesh { version: 9, areas: (0..60).map(area).collect(), ..Mesh::default() })
}

#[test]
fn what_is_between_two_areas_is_what_their_rectangles_share() {
    let town = std::fs::read(bundled().join("source/town.nav")).unwrap();
    for (name, bytes) in [("town", town), ("scattered", scattered())] {
        let index = NavIndex::build(&SourceGraph::new(&SourceNav::parse(&bytes).unwrap())).whole().unwrap();
        let seen = portals(name, &index, &Engine::new(read(&bytes).unwrap()));
        assert!(name == "town" || seen.iter().all(|count| *count > 500), "{seen:?}");
        let first = index.of_node(0).unwrap();
        assert!(index.step(first, first).is_none() && index.gap(first, first).is_none(), "there is no link");
    }
    each(|name, index, engine| _ = portals(name, index, engine));
}
