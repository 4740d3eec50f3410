//! Geometry that is made to hurt, and triangles by chance: a mesh or an error, never a panic.

use crate::Level;
use navmap::build::{Agent, BuildLimits, BuildOptions, Progress, build};
use navmap::graph::Scene;
use navmap_testkit::bytes::Rng;
use std::sync::atomic::Ordering::Relaxed;

fn said(scene: &Scene, options: &BuildOptions<'_>) -> String {
    build(scene, options).map(|(_, bill)| bill.to_string()).unwrap_err().to_string()
}

fn floor(size: f64) -> Level {
    Level::new().floor([0.0, 0.0], [size, size], 0.0)
}

#[test]
fn numbers_that_are_none_and_levels_without_ground_are_refused_by_name() {
    let plain = BuildOptions::default();
    for value in [f64::NAN, f64::INFINITY, 1e30] {
        let mut level = floor(8.0);
        level.0.positions[2][0] = value;
        assert!(said(&level.0, &plain).contains("face 1") || said(&level.0, &plain).contains("line 1"));
    }
    assert!(said(&Scene::new(), &plain).contains("no face"));
    let wall = Level::new().face(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 3.0, 0.0]], "");
    let why = said(&wall.0, &plain);
    assert!(
        why.contains("no place where the agent can stand") && why.contains("walls and ceilings"),
        "{why}"
    );
    let line = Level::new().face(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], "");
    assert!(said(&line.0, &plain).contains("no face with an area"));
    for (agent, word) in [
        (Agent { radius: f32::NAN, ..Agent::default() }, "agent radius"),
        (Agent { height: 0.0, ..Agent::default() }, "agent height"),
        (Agent { height: 500.0, ..Agent::default() }, "voxels of the agent's height"),
        (Agent { slope: 90.0, ..Agent::default() }, "agent slope"),
        (Agent { climb: -1.0, ..Agent::default() }, "agent climb"),
    ] {
        let why = said(&floor(8.0).0, &BuildOptions { agent, ..plain.clone() });
        assert!(why.contains(word), "{word}: {why}");
    }
    let tiny = BuildOptions { cell_size: Some(1e-3), ..plain.clone() };
    assert!(said(&floor(8.0).0, &tiny).contains("radius"));
    let fine = BuildOptions { detail_step: 1e-3, ..plain.clone() };
    assert!(said(&floor(8.0).0, &fine).contains("neither 0 nor at least 0.9"));
    let odd = BuildOptions { areas: vec![("a".to_owned(), Some(64))], ..plain };
    assert!(said(&floor(8.0).0, &odd).contains("between 0 and 63"));
}

#[test]
fn each_limit_is_met_by_its_name() {
    let small = BuildLimits {
        triangles: 8,
        tiles: 4,
        shares: 20,
        cells: 5_000,
        cells_of_triangle: 1,
        layers: 1,
        voxels: 2_000,
    };
    let options = |limits| BuildOptions { tile: Some(32), limits, ..BuildOptions::default() };
    let many = (0..9).fold(Level::new(), |level, at| level.floor([0.0, 0.0], [2.0, 2.0], f64::from(at)));
    assert!(said(&many.0, &options(small)).contains("18"), "{}", said(&many.0, &options(small)));
    let all = BuildLimits::default();
    let why = said(&floor(100.0).0, &options(BuildLimits { tiles: 4, ..all }));
    assert!(why.contains("tiles: "), "{why}");
    let why = said(&floor(100.0).0, &options(BuildLimits { shares: 20, ..all }));
    assert!(why.contains("triangles in tiles"), "{why}");
    let why = said(&floor(100.0).0, &options(BuildLimits { cells: 5_000, ..all }));
    assert!(why.contains("cells that triangles cover"), "{why}");
    let why = said(&floor(20.0).0, &options(BuildLimits { voxels: 1_000, ..all }));
    assert!(why.contains("voxels of a tile"), "{why}");
    let tall = floor(8.0).solid([2.0, 9_000.0, 2.0], [3.0, 9_001.0, 3.0]);
    assert!(said(&tall.0, &options(all)).contains("voxels from the lowest to the highest triangle"));
    let stack =
        (0..100).fold(Level::new(), |level, at| level.floor([0.0, 0.0], [3.0, 3.0], 2.5 * f64::from(at)));
    assert!(said(&stack.0, &options(all)).contains("floors over one another"));
}

/// Two triangles of four kilometres are eight hundred million cells.
#[test]
fn a_few_large_triangles_are_refused_and_many_small_ones_may_cover_more() {
    let why = said(&floor(4_000.0).0, &BuildOptions::default());
    assert!(why.contains("cells that triangles cover: 400000000 is over the limit of 268437504"), "{why}");
    // 500 by 500 cells under each of two triangles.
    let with = |cells_of_triangle| {
        let limits = BuildLimits { cells: 0, cells_of_triangle, ..BuildLimits::default() };
        BuildOptions { limits, ..BuildOptions::default() }
    };
    assert!(said(&floor(100.0).0, &with(249_999)).contains("cells that triangles cover"));
    build(&floor(100.0).0, &with(250_000)).unwrap();
}

/// A hundred floors over each other are 50,000,000 cells, above 250,000 of ground.
#[test]
fn triangles_over_each_other_are_refused_once_little_ground_comes_of_them() {
    let stack = (0..100).fold(Level::new(), |level, _| level.floor([0.0, 0.0], [100.0, 100.0], 0.0));
    let why = said(&stack.0, &BuildOptions::default());
    assert!(
        why.contains("cells that triangles cover over each other: 50000000 is over the limit of 22777216"),
        "{why}"
    );
}

#[test]
fn a_stopped_build_ends_with_an_error() {
    let progress = Progress::default();
    let options = BuildOptions { progress: Some(&progress), ..BuildOptions::default() };
    build(&floor(8.0).0, &options).unwrap();
    assert_eq!((progress.done.load(Relaxed), progress.total.load(Relaxed)), (1, 1));
    progress.stop.store(true, Relaxed);
    assert!(build(&floor(8.0).0, &options).is_err());
}

/// Triangles by chance: thin ones, huge ones, many through one another, on floors that somebody can stand on.
fn chance(rng: &mut Rng, count: u64) -> Scene {
    let mut level = Level::new();
    for _ in 0..count {
        let middle = [rng.f32(-6.0, 6.0), rng.f32(-2.0, 2.0), rng.f32(-6.0, 6.0)];
        let wide = [0.05, 1.0, 4.0, 12.0][rng.below(4) as usize];
        let tall = [0.0, 0.0, 0.3, 2.0][rng.below(4) as usize];
        let mut corner = || {
            let from = [rng.f32(-wide, wide), rng.f32(-1.0, 1.0) * tall, rng.f32(-wide, wide)];
            [0, 1, 2].map(|axis| f64::from(middle[axis] + from[axis]))
        };
        let corners = [corner(), corner(), corner()];
        level = level.face(&corners, "");
    }
    level.0
}

#[test]
fn triangles_by_chance_make_a_mesh_that_bears_its_check_or_an_error() {
    let mut rng = Rng(11);
    let rounds = std::env::var("NAVMAP_BUILDS").ok().and_then(|count| count.parse().ok()).unwrap_or(60);
    let mut meshes = 0;
    for round in 0..rounds {
        let count = 3 + rng.below(60);
        let scene = chance(&mut rng, count);
        let radius = [0.0, 0.2, 0.4][rng.below(3) as usize];
        let options = BuildOptions {
            agent: Agent { radius, height: 1.0, climb: [0.0, 0.3, 0.9][rng.below(3) as usize], slope: 60.0 },
            cell_size: Some([0.1, 0.2, 0.35][rng.below(3) as usize]),
            tile: Some([16, 24, 64][rng.below(3) as usize]),
            region_min: [0, 3, 8][rng.below(3) as usize],
            edge_error: [0.0, 1.3, 4.0][rng.below(3) as usize],
            edge_max: [0.0, 1.0, 12.0][rng.below(3) as usize],
            detail_step: [0.0, 1.0, 6.0][rng.below(3) as usize],
            ..BuildOptions::default()
        };
        let Ok((bytes, _)) = build(&scene, &options) else { continue };
        meshes += 1;
        let nav = navmap::format::detour::DetourNav::parse(&bytes).unwrap();
        navmap::NavFile::check(&nav, &mut navmap::bytes::Scratch::new(), &mut |finding| {
            assert!(finding.severity < navmap::Severity::Error, "round {round}: {finding}");
        })
        .unwrap();
    }
    assert!(meshes * 2 > rounds, "{meshes} of {rounds}");
}
