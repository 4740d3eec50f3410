//! Graphs of points: node graphs, waypoints of RCBot2, walking grids, path grids. What opening, counting and the neutral graph cost,
//! beside a loop that sums the same bytes and a parser that copies every word; and a point that is found in a file against one
//! that is found in an index.
//!
//! `cargo bench --bench points -- --warm-up-time 0.5 --measurement-time 1`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use navmap::bytes::Scratch;
use navmap::format::nodegraph::{AinNav, NodNav};
use navmap::format::rcbot::RcbotNav;
use navmap::format::skyrim::pathgrid::GridPlugin;
use navmap::format::xray::XrayNav;
use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::{Csr, Point};
use navmap::query::{InPlace, NavIndex, ground_in_place};
use navmap::{Counts, Limits, NavFormat};
use navmap_testkit::nodegraph::half_life;
use navmap_testkit::{nodegraph, rcbot, skyrim::pathgrid, xray};
use std::hint::black_box;

/// A parser that copies every word into a list of its own.
fn naive(bytes: &[u8]) -> usize {
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    black_box(words).len()
}

/// What all of them are asked: `count` is a name of a survey and how many there are, `nodes` those of the graph.
fn asked<'a, N: NavFormat<'a>>(
    c: &mut Criterion,
    name: &str,
    bytes: &'a [u8],
    nav: impl Fn(&'a [u8]) -> N,
    (count, many): (&str, u64),
    nodes: usize,
) {
    let mut group = c.benchmark_group(format!("points/{name}"));
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("survey", |b| {
        let mut scratch = Scratch::new();
        b.iter(|| {
            let mut counts = Counts::default();
            nav(black_box(bytes)).survey(&mut scratch, &mut counts, &mut |_| {}).unwrap();
            assert_eq!(counts.get(count), Some(many));
        });
    });
    group.bench_function("graph", |b| {
        b.iter(|| assert_eq!(Csr::of(&nav(black_box(bytes)).graph()).whole().unwrap().len(), nodes));
    });
    group.bench_function("naive owned parser", |b| {
        b.iter(|| assert_eq!(naive(black_box(bytes)), bytes.len() / 4))
    });
    group.bench_function("limit: byte sum", |b| b.iter(|| navmap_testkit::byte_sum(black_box(bytes))));
    group.finish();
}

fn families(c: &mut Criterion) {
    let mut graph = nodegraph::sample();
    let at = |n: i16| [f32::from(n % 38) * 96.0, f32::from(n / 38) * 96.0, 0.0];
    let first = graph.nodes.len() as i16;
    (first..1_500).for_each(|n| _ = graph.add(at(n), 2));
    (first..1_499).for_each(|n| graph.join(n, n + 1, |_| 1));
    let (bytes, links) = (graph.ain(37, 7, 10), graph.links.len() as u64);
    asked(c, "ain", &bytes, |bytes| AinNav::parse(bytes).unwrap(), ("links", links), 1_500);

    let (nod, bytes) = (half_life(), half_life().bytes(16));
    let count = nod.nodes.len();
    asked(c, "nod", &bytes, |bytes| NodNav::parse(bytes).unwrap(), ("nodes", count as u64), count);

    let mut file = rcbot::sample();
    let first = file.waypoints.len();
    (first..1_024).for_each(|n| _ = file.add([n as f32, 0.0, 32.0], 0));
    (first..1_023).for_each(|n| file.join(n, n + 1));
    let (bytes, links) = (file.bytes(4), file.links() as u64);
    let used = file.waypoints.iter().filter(|point| point.used != 0).count();
    asked(c, "rcw", &bytes, |bytes| RcbotNav::parse(bytes).unwrap(), ("links", links), used);

    let cells = (0..400).flat_map(|n: i32| {
        let cell = [n % 20, n / 20];
        let grid = pathgrid::Grid::line(60, [0, 0, 0]).morrowind(cell, "Ascadian Isles");
        [pathgrid::cell3("", Some(cell)), pathgrid::record3(b"PGRD", 0, &grid)]
    });
    let bytes = [vec![pathgrid::header3()], cells.collect()].concat().concat();
    let plugin = |bytes| GridPlugin::parse(bytes, &Limits::default()).unwrap();
    asked(c, "path grids", &bytes, plugin, ("points", 24_000), 24_000);
}

/// A point on a level of 1,048,576 nodes: found in the file, and in an index that is there already; and what that index costs.
fn located(c: &mut Criterion) {
    let bytes = xray::Grid::large().bytes(10);
    let any = AnyNav::parse(&bytes, None, &ParseOptions::new()).unwrap();
    let nav = XrayNav::parse(&bytes).unwrap();
    let index = NavIndex::of(&any).whole().unwrap();
    let places: Vec<Point> =
        nav.nodes().iter().step_by(9_973).map(|node| Point::from(nav.middle(&node))).collect();
    let mut group = c.benchmark_group("points/locate");
    group.throughput(Throughput::Elements(places.len() as u64));
    group.bench_function("in the file", |b| {
        b.iter(|| {
            let on = |p: &&Point| matches!(ground_in_place(black_box(&any), **p, None), InPlace::On(_));
            assert_eq!(places.iter().filter(on).count(), places.len());
        });
    });
    group.bench_function("in an index", |b| {
        b.iter(|| {
            let on = |p: &&Point| black_box(&index).area_at(**p, None).is_some();
            assert_eq!(places.iter().filter(on).count(), places.len());
        });
    });
    group.sample_size(10);
    group.bench_function("the index", |b| {
        b.iter(|| assert_eq!(NavIndex::of(black_box(&any)).whole().unwrap().len(), nav.nodes().len()));
    });
    group.finish();
}

/// The first of 1,048,576 nodes that a line meets: straight down, and aslant over a few of them and over many.
fn met(c: &mut Criterion) {
    let bytes = xray::Grid::large().bytes(10);
    let any = AnyNav::parse(&bytes, None, &ParseOptions::new()).unwrap();
    let nav = XrayNav::parse(&bytes).unwrap();
    let index = NavIndex::of(&any).whole().unwrap();
    let places = || nav.nodes().iter().step_by(9_973).map(|node| Point::from(nav.middle(&node)));
    let mut group = c.benchmark_group("points/rays");
    group.throughput(Throughput::Elements(places().count() as u64));
    for (name, far) in [("down", 0.0), ("10 m", 10.0), ("100 m", 100.0)] {
        // They begin above the ground and end a metre below the middle of a node.
        let line = |end: Point| {
            let [from, to] = [end.y + 1.0 + far / 2.0, end.y - 1.0];
            [Point { y: from, x: end.x - far, ..end }, Point { y: to, ..end }]
        };
        let lines: Vec<[Point; 2]> = places().map(line).collect();
        let meets = |[a, b]: &&[Point; 2]| black_box(&index).along_ray(*a, *b).is_some();
        let met = lines.iter().filter(meets).count();
        println!("{met} of {} lines of {name} meet a node", lines.len());
        assert!(met > 0);
        group.bench_function(name, |b| b.iter(|| assert_eq!(lines.iter().filter(meets).count(), met)));
    }
    group.finish();
}

criterion_group!(benches, families, located, met);
criterion_main!(benches);
