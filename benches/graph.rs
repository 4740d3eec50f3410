//! Graphs and pictures, one thread, in memory. Beside each graph: the limit, a loop that sums every byte of the file, and a
//! plain adjacency map of vectors. Runs on real meshes where they are, on the bundled ones otherwise, and says which.
//!
//! ```text
//! cargo bench --bench graph --features draw
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use navmap::draw::{Caption, DrawOptions, Picture};
use navmap::export::{Export, Format};
use navmap::format::{AnyNav, GraphTask, ParseOptions};
use navmap::graph::{Csr, FlatGraph, Islands, NavGraph, Stats};
use navmap_testkit::{byte_sum, corpus};
use std::collections::HashMap;
use std::hint::black_box;
use std::path::PathBuf;

/// A family, a real file of it, and a bundled one.
const MESHES: [(&str, &str, &str); 7] = [
    ("source-tf2", "source/tf2-16.2/cp_steel.nav", "source/town.nav"),
    ("source-csgo", "source/csgo-16.1/de_dharma.nav", "source/v16-1-csgo.nav"),
    ("source-large", "source/csgo-16.1/dz_county.nav", "source/v16.nav"),
    ("source2", "source/cs2-v35/de_mirage.nav", "source/v35-1.nav"),
    ("quake", "quake/nav3/base64.nav", "quake/nav3-v6.nav"),
    ("fox", "fox/ssav/ssav_140_130_nav.nav2", "fox/standalone.nav2"),
    ("skyrim-stored", "skyrim/derived/Sandbox-uncompressed.esp", "skyrim/se/large-stored.esp"),
];

fn mesh(real: &str, ours: &str) -> (PathBuf, Vec<u8>) {
    let real = corpus::real().map(|folder| folder.join(real)).filter(|path| path.is_file());
    let path = real.unwrap_or_else(|| corpus::bundled().join(ours));
    let bytes = std::fs::read(&path).expect("a mesh");
    eprintln!("{}: {} bytes", path.display(), bytes.len());
    (path, bytes)
}

struct Naive;

impl GraphTask for Naive {
    type Out = usize;
    fn run(self, graph: &impl NavGraph) -> usize {
        let mut links: HashMap<u32, Vec<u32>> = HashMap::new();
        graph.for_each_link(|link| links.entry(link.from).or_default().extend(link.to)).expect("whole");
        links.values().map(Vec::len).sum()
    }
}

fn graphs(c: &mut Criterion) {
    for (name, real, ours) in MESHES {
        let (path, bytes) = mesh(real, ours);
        let parse = |bytes| AnyNav::parse(bytes, Some(&path), &ParseOptions::default()).expect("a mesh");
        let csr = parse(&bytes).csr().whole().expect("whole");
        let links = csr.links();
        assert_eq!(parse(&bytes).with_graph(Naive), links);
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function("limit", |b| b.iter(|| byte_sum(black_box(&bytes))));
        // Opening, indexing and the visit: from bytes to rows.
        group.bench_function("csr", |b| {
            b.iter(|| assert_eq!(parse(black_box(&bytes)).csr().value.links(), links));
        });
        group.bench_function("naive", |b| {
            b.iter(|| assert_eq!(parse(black_box(&bytes)).with_graph(Naive), links));
        });
        group.bench_function("islands", |b| b.iter(|| Islands::weak(black_box(&csr)).len()));
        group.bench_function("strong", |b| b.iter(|| Islands::strong(black_box(&csr)).len()));
        group.bench_function("stats", |b| b.iter(|| parse(black_box(&bytes)).graph_stats().value.components));
        group.bench_function("flat", |b| {
            b.iter(|| assert_eq!(parse(black_box(&bytes)).flat_graph().value.nodes().len(), csr.len()));
        });
        group.finish();
    }
}

/// Islands of a ring with chords, twice as large each time: the time should double, no more.
fn linear(c: &mut Criterion) {
    use navmap::graph::{Axes, Link, LinkKind, Shape};
    let mut group = c.benchmark_group("linear");
    for nodes in [100_000u32, 200_000, 400_000] {
        let mut graph = FlatGraph::new("node", Axes::z_up(1.0));
        (0..nodes).for_each(|id| {
            graph.add_node(id.into(), Shape::NONE);
        });
        for node in 0..nodes {
            for to in [(node + 1) % nodes, (node.wrapping_mul(7) + 3) % nodes] {
                graph.add_link(Link::new(node, to, LinkKind::Walk));
            }
        }
        let csr = Csr::of(&graph).whole().expect("whole");
        group.throughput(Throughput::Elements(nodes.into()));
        group.bench_function(format!("weak/{nodes}"), |b| b.iter(|| Islands::weak(black_box(&csr)).len()));
        group
            .bench_function(format!("strong/{nodes}"), |b| b.iter(|| Islands::strong(black_box(&csr)).len()));
        group.bench_function(format!("stats/{nodes}"), |b| {
            b.iter(|| Stats::of(black_box(&graph)).value.components)
        });
    }
    group.finish();
}

fn pictures(c: &mut Criterion) {
    let (path, bytes) = mesh("source/csgo-16.1/dz_county.nav", "source/town.nav");
    let graph =
        AnyNav::parse(&bytes, Some(&path), &ParseOptions::default()).expect("a mesh").flat_graph().value;
    let caption = Caption::default();
    let mut group = c.benchmark_group("picture");
    group.sample_size(10);
    group.throughput(Throughput::Elements(graph.nodes().len() as u64));
    let picture = Picture::new(&graph, &caption, &DrawOptions::default());
    group.bench_function("layout", |b| {
        b.iter(|| Picture::new(&graph, &caption, &DrawOptions::default()).size())
    });
    group.bench_function("svg", |b| {
        b.iter(|| {
            let mut out = Vec::new();
            picture.write_svg(&mut out).expect("memory");
            out.len()
        });
    });
    group.bench_function("png", |b| {
        b.iter(|| {
            let mut out = Vec::new();
            picture.write_png(&mut out).expect("memory");
            out.len()
        });
    });
    for (name, format) in [("obj", Format::Obj), ("glb", Format::Glb), ("geojson", Format::GeoJson)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut out = Vec::new();
                Export::new(&graph, "map").write(format, &mut out).expect("memory");
                out.len()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, graphs, linear, pictures);
criterion_main!(benches);
