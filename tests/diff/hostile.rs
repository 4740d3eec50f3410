//! Every file against every other, damaged ones included: whatever can be read is compared, nothing panics.
//!
//! The matrix: every bundled file of every family, sound, odd and hostile, against itself and seven others, another seven
//! for each file (`NAVMAP_MATRIX=all`: against every other); and a sample of the real
//! files of each family, each whole, cut in half and with bytes changed, against each other and against a sample of the
//! bundled ones.

use navmap::diff::{Diff, Places, on_one_map, pair_sketches, pairs};
use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Shape};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, manifest, real};
use std::fs;
use std::path::Path;

/// What can be read of a file. Empty for what is no mesh.
fn graph(bytes: &[u8], path: &Path) -> FlatGraph {
    match AnyNav::parse(bytes, Some(path), &ParseOptions::new()) {
        Ok(nav) => nav.flat_graph().value,
        Err(_) => FlatGraph::new("node", Axes::z_up(1.0)),
    }
}

fn files(folder: &Path, found: &mut Vec<(String, FlatGraph)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push((path.display().to_string(), graph(&fs::read(&path).unwrap(), &path)));
        }
    }
}

/// Compares in every way there is, and holds what is true of any two meshes.
fn compare(before: &(String, FlatGraph), after: &(String, FlatGraph)) {
    let names = || format!("{} against {}", before.0, after.0);
    let (before, after) = (&before.1, &after.1);
    let diff = Diff::between(before, after);
    let counts = [before.nodes().len() as u32, after.nodes().len() as u32];
    assert_eq!(diff.nodes, counts, "{}", names());
    for (side, count) in [0, 1].into_iter().zip(counts) {
        let mut told: Vec<u32> =
            diff.pairs.iter().map(|pair| if side == 0 { pair.0 } else { pair.1 }).collect();
        let (whole, cut, lone) = match side {
            0 => (&diff.split, &diff.merged, &diff.removed),
            _ => (&diff.merged, &diff.split, &diff.added),
        };
        told.extend(lone);
        let before_cut = told.len();
        told.extend(whole.iter().map(|parts| parts.whole));
        told.extend(cut.iter().flat_map(|parts| &parts.parts));
        told.sort_unstable();
        told.dedup();
        assert_eq!(told.len() as u32, count, "each node is told of: {}", names());
        assert!(before_cut <= count as usize, "{}", names());
    }
    Places::measure(&diff, before, after);
    let both = on_one_map(&diff, before, after.clone());
    assert!(both.nodes().len() >= after.nodes().len());
    let mut matched = pairs(before, after);
    matched.sort_unstable_by_key(|pair| pair.1);
    matched.dedup_by_key(|pair| pair.1);
    assert!(matched.len() >= diff.pairs.len(), "{}", names());
}

#[test]
fn every_bundled_file_against_every_other() {
    let mut all = Vec::new();
    files(&bundled(), &mut all);
    all.retain(|(_, graph)| graph.nodes().len() < 400);
    assert!(all.len() > 100, "{}", all.len());
    // Files without nodes are alike; a few of them stand for all.
    let mut empty = 0;
    all.retain(|(_, graph)| {
        empty += usize::from(graph.nodes().is_empty());
        !graph.nodes().is_empty() || empty < 4
    });
    let whole = std::env::var_os("NAVMAP_MATRIX").is_some();
    for (at, before) in all.iter().enumerate() {
        let others = (0..all.len()).filter(|other| whole || (other + all.len() - at) % (all.len() / 7) == 0);
        others.for_each(|other| compare(before, &all[other]));
    }
}

#[test]
fn real_files_and_damaged_ones_against_each_other() {
    let Some(corpus) = real() else { return };
    let mut rng = Rng(77);
    let mut all = Vec::new();
    for (family, every) in
        [("source", 160), ("quake", 50), ("fox", 9), ("detour", 12), ("aas", 5), ("yapb", 40), ("skyrim", 60)]
    {
        for row in manifest(&corpus.join(family)).into_iter().step_by(every) {
            if !row.path.is_file() || fs::metadata(&row.path).unwrap().len() > 2_000_000 {
                continue;
            }
            let bytes = row.read();
            let mut odd = bytes.clone();
            for _ in 0..40 {
                let at = rng.below(odd.len().max(1) as u64) as usize;
                odd[at] = rng.below(256) as u8;
            }
            for (what, bytes) in [("", &bytes[..]), (" cut", &bytes[..bytes.len() / 2]), (" odd", &odd)] {
                all.push((format!("{}{what}", row.name()), graph(bytes, &row.path)));
            }
        }
    }
    all.retain(|(_, graph)| (1..700).contains(&graph.nodes().len()));
    assert!(all.len() > 10, "{}", all.len());
    for before in &all {
        all.iter().for_each(|after| compare(before, after));
    }
    let mut small = Vec::new();
    files(&bundled(), &mut small);
    for (at, one) in small.iter().enumerate().step_by(11) {
        compare(one, &all[at % all.len()]);
        compare(&all[at % all.len()], one);
    }
}

#[test]
fn nodes_in_one_place_and_nodes_that_are_nowhere() {
    let square = |x: f32, side: f32| {
        [[x, 0.0], [x + side, 0.0], [x + side, side], [x, side]].map(|[x, y]| Point::new(x, y, 0.0))
    };
    let made = |count: u32, shape: &dyn Fn(u32) -> Vec<Point>| {
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        for node in 0..count {
            graph.add_node(u64::from(node % 7), Shape::Polygon(&shape(node)));
            graph.add_link(Link::new(node, (node * 31 + 1) % count, LinkKind::Walk));
        }
        (count.to_string(), graph)
    };
    let shapes: [&dyn Fn(u32) -> Vec<Point>; 6] = [
        &|_| square(0.0, 10.0).to_vec(),
        &|node| square(node as f32 * 0.001, 1000.0).to_vec(),
        &|node| square(f32::NAN, node as f32).to_vec(),
        &|node| square(f32::MAX, node as f32).to_vec(),
        &|_| Vec::new(),
        &|node| vec![Point::new(node as f32, 0.0, 0.0); 3],
    ];
    let all: Vec<_> = shapes.iter().flat_map(|shape| [made(300, shape), made(140, shape)]).collect();
    for before in &all {
        all.iter().for_each(|after| compare(before, after));
    }
    let sketches: Vec<_> =
        all.iter().map(|(name, graph)| (name.clone(), navmap::diff::Sketch::of(graph))).collect();
    pair_sketches(&sketches, &sketches);
}

/// Each lies in all others: outlines with outlines are sixty times sixty steps, forty thousand times.
#[test]
fn round_nodes_in_one_place_are_paired_by_their_boxes_when_outlines_take_too_long() {
    let made = |first: u64, off: f32| {
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        for node in 0..200_u16 {
            let radius = 100.0 + off + f32::from(node) * 0.01;
            let corner = |at: u16| {
                let angle = f32::from(at) / 60.0 * std::f32::consts::TAU;
                Point::new(radius * angle.cos(), radius * angle.sin(), 0.0)
            };
            graph.add_node(first + u64::from(node), Shape::Polygon(&(0..60).map(corner).collect::<Vec<_>>()));
        }
        (format!("from {first}"), graph)
    };
    let (before, after) = (made(0, 0.0), made(1_000, 0.005));
    compare(&before, &after);
    assert_eq!(pairs(&before.1, &after.1).len(), 200);
}
