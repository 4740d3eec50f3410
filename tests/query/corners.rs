//! The corners of ways: none follows itself, all are somewhere, and they begin and end on the way.

use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Passage, Point, Shape};
use navmap::query::{Area, BuildOptions, NavIndex, PathScratch, Query};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, manifest, real};
use std::path::{Path, PathBuf};

/// How many ways are looked at in a mesh.
const WAYS: usize = 60;

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => files(&path, into),
            path => into.push(path),
        }
    }
}

/// Walks ways of a mesh, from center to center and from far away. Returns how many there were.
fn walk(name: &str, index: &NavIndex) -> usize {
    let mut rng = Rng(41);
    let mut scratch = PathScratch::new(index);
    let mut walked = 0;
    for _ in 0..WAYS {
        let [a, b] = [0; 2].map(|_| Area::at(rng.below(index.len() as u64) as u32).unwrap());
        let found = scratch.path(index, a, b, &Query::shortest()).unwrap();
        assert_eq!(index.reachable(a, b), found.cost().is_some(), "{name}: from {a:?} to {b:?}");
        let [Some(start), Some(end)] = [a, b].map(|area| index.center(area)) else { continue };
        if found.cost().is_none() || !start.is_finite() || !end.is_finite() {
            continue;
        }
        walked += 1;
        let far = Point::new(1e6, -1e6, 1e6);
        for (start, end) in [(start, end), (far, end), (start, far)] {
            let mut corners = vec![Point::default(); scratch.straighten(index, start, end, &mut []).unwrap()];
            assert_eq!(scratch.straighten(index, start, end, &mut corners), Ok(corners.len()));
            assert!(!corners.is_empty(), "{name}");
            assert!(corners.iter().all(|corner| corner.is_finite()), "{name}");
            let again = corners.windows(2).find(|pair| pair[0] == pair[1]);
            assert_eq!(again, None, "{name}: the way from {a:?} to {b:?}");
            let ends = [(a, start, corners[0]), (b, end, corners[corners.len() - 1])];
            for (area, asked, corner) in ends {
                let closest = index.closest_point(area, asked).filter(|closest| closest.is_finite());
                let stays = corner == asked || closest.is_none_or(|closest| closest == corner);
                // Over or under its area, a point falls straight down.
                let falls = index.covers(area, asked);
                assert!(stays || falls, "{name}: {asked:?} became {corner:?}, not {closest:?}");
                assert!(asked != far || closest.is_none() || corner != far, "{name}");
            }
        }
    }
    walked
}

fn walk_file(path: &Path, bytes: &[u8]) -> usize {
    let Ok(nav) = AnyNav::parse(bytes, Some(path), &ParseOptions::default()) else { return 0 };
    let index = NavIndex::of_with(&nav, &BuildOptions::default()).value;
    if index.is_empty() { 0 } else { walk(&path.display().to_string(), &index) }
}

#[test]
fn no_corner_of_a_bundled_mesh_follows_itself() {
    let mut paths = Vec::new();
    files(&bundled(), &mut paths);
    let walked: usize = paths.iter().map(|path| walk_file(path, &std::fs::read(path).unwrap())).sum();
    assert!(walked > 2000, "{walked} ways");
}

#[test]
fn no_corner_of_a_real_mesh_follows_itself() {
    let Some(folder) = real() else { return };
    for family in ["source", "detour", "quake", "fox", "skyrim", "aas", "yapb"] {
        let rows = manifest(&folder.join(family));
        let rows = rows.iter().filter(|row| row.path.is_file());
        let walked: usize = rows.map(|row| walk_file(&row.path, &row.read())).sum();
        assert!(walked > 100, "{family}: {walked} ways");
    }
}

#[test]
fn a_side_that_a_link_names_is_shared_however_high_the_other_one_is() {
    // A tile of Detour joins sides that are up to two climbs apart, of which the mesh knows one.
    let mut graph = FlatGraph::new("polygon", Axes::z_up(0.0254));
    let square = |x: f32, depth: f32, z: f32| {
        [(0.0, 0.0), (100.0, 0.0), (100.0, depth), (0.0, depth)].map(|(u, v)| Point::new(x + u, v, z))
    };
    graph.add_node(0, Shape::Polygon(&square(0.0, 100.0, 0.0)));
    graph.add_node(1, Shape::Polygon(&square(100.0, 50.0, 30.0)));
    graph.add_link(Link {
        passage: Passage { side: Some(1), ..Passage::NONE },
        ..Link::new(0, 1, LinkKind::Walk)
    });
    let index = NavIndex::build(&graph).whole().unwrap();
    let [a, b] = [0, 1].map(|node| index.of_node(node).unwrap());
    let portal = index.portal(a, b).unwrap();
    let mut ends = [portal.left.y, portal.right.y];
    ends.sort_by(f32::total_cmp);
    assert_eq!(ends, [0.0, 50.0]);
}
