//! Graphs of YaPB and POD-Bot: what opening (which unpacks `.graph`), visiting and packing cost, beside a loop that sums the
//! same bytes and a parser that copies everything.
//!
//! `cargo bench --bench yapb -- --warm-up-time 0.5 --measurement-time 1`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use navmap::bytes::Scratch;
use navmap::format::NavFormat;
use navmap::format::yapb::{Nodes, PwfNav, YapbNav, pack};
use navmap::graph::Csr;
use navmap::{Counts, Limits, NavFile};
use navmap_testkit::yapb::{extension, grid};
use std::hint::black_box;
use touch::visit;

#[path = "touch/yapb.rs"]
mod touch;

/// Constant for `.pwf`; `.graph` is unpacked.
fn open(c: &mut Criterion) {
    let mut group = c.benchmark_group("yapb/open");
    for side in [4, 32] {
        let nodes = side * side;
        let pwf = grid(side).pwf(7, "grid");
        group.bench_function(format!("pwf/{nodes}-nodes"), |b| {
            b.iter(|| assert_eq!(PwfNav::parse(black_box(&pwf)).unwrap().waypoints().len(), nodes));
        });
        let graph = grid(side).graph(*b"BPAY", 2, 0x48, &extension(68));
        group.throughput(Throughput::Bytes(nodes as u64 * 220));
        group.bench_function(format!("graph/{nodes}-nodes"), |b| {
            b.iter(|| {
                let nav = YapbNav::parse(black_box(&graph), &Limits::default()).unwrap();
                assert_eq!(nav.nodes().len(), nodes);
            });
        });
    }
    let plain = grid(32).unpacked();
    group.throughput(Throughput::Bytes(plain.len() as u64));
    group.bench_function("pack/1024-nodes", |b| {
        b.iter(|| assert!(pack(black_box(&plain)).len() < plain.len()))
    });
    group.finish();
}

/// A parser that copies every word of every node into a list of its own.
fn naive(nodes: &[u8]) -> usize {
    let words = |node: &[u8]| -> Vec<u32> {
        node.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    };
    let list: Vec<Vec<u32>> = nodes.chunks_exact(220).map(words).collect();
    black_box(list).len()
}

fn walk(c: &mut Criterion) {
    let mut group = c.benchmark_group("yapb/visit");
    let (map, nodes) = (grid(64), 64 * 64);
    let plain = map.unpacked();
    let graph = grid(32).graph(*b"BPAY", 2, 0x48, &extension(68));
    let graph = YapbNav::parse(&graph, &Limits::default()).unwrap();
    let pwf = map.pwf(7, "grid");
    let pwf = PwfNav::parse(&pwf).unwrap();
    let Nodes::Pwf7(records) = pwf.waypoints() else { panic!("version 7") };
    group.throughput(Throughput::Bytes(size_of_val(records) as u64));
    group.bench_function("pwf/every record", |b| b.iter(|| visit(black_box(pwf.waypoints()))));
    group.bench_function("pwf/survey", |b| {
        b.iter(|| {
            let mut counts = Counts::default();
            black_box(&pwf).survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
            assert_eq!(counts.get("nodes"), Some(nodes));
        });
    });
    group.bench_function("pwf/graph", |b| {
        b.iter(|| assert_eq!(Csr::of(&black_box(&pwf).graph()).whole().unwrap().len() as u64, nodes));
    });
    group.throughput(Throughput::Bytes(plain.len() as u64));
    group.bench_function("naive owned parser", |b| {
        b.iter(|| assert_eq!(naive(black_box(&plain)) as u64, nodes))
    });
    group.bench_function("limit: byte sum", |b| b.iter(|| navmap_testkit::byte_sum(black_box(&plain))));
    group.throughput(Throughput::Bytes(size_of_val(graph.nodes()) as u64));
    group.bench_function("graph/every record", |b| b.iter(|| visit(black_box(graph.waypoints()))));
    group.finish();
}

criterion_group!(benches, open, walk);
criterion_main!(benches);
