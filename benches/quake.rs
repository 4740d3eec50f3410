//! Quake graphs: what opening, visiting and the JSON form cost, beside a loop that sums the same bytes and a parser
//! that copies everything.
//!
//! `cargo bench --bench quake -- --warm-up-time 0.5 --measurement-time 1`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use navmap::bytes::Scratch;
use navmap::format::quake::{self, NavJson, QuakeNav};
use navmap::{Counts, NavFile};
use navmap_testkit::quake::{Version, decode, grid, sample};
use std::hint::black_box;
use touch::visit;

#[path = "touch/quake.rs"]
mod touch;

const NEWEST: Version = (3, 6);

/// Constant, whatever the size; `header` is what no opener can do without.
fn open(c: &mut Criterion) {
    let mut group = c.benchmark_group("quake/open");
    let (small, large) = (sample(NEWEST).encode(NEWEST), grid(65_535, 1).encode(NEWEST));
    assert_eq!(QuakeNav::parse(&large).unwrap().nodes().len(), 65_535);
    for (size, bytes) in [("12-nodes", &small), ("65535-nodes", &large)] {
        group.bench_function(format!("header/{size}"), |b| {
            b.iter(|| quake::head(black_box(bytes), bytes.len() as u64).unwrap());
        });
        group.bench_function(format!("parse/{size}"), |b| {
            b.iter(|| QuakeNav::parse(black_box(bytes)).unwrap().nodes().len());
        });
    }
    group.finish();
}

fn walk(c: &mut Criterion) {
    let mut group = c.benchmark_group("quake/visit");
    let bytes = grid(12_000, 5).encode(NEWEST);
    let nav = QuakeNav::parse(&bytes).unwrap();
    assert_eq!(nav.links().len(), 60_000);
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("limit: byte sum", |b| b.iter(|| navmap_testkit::byte_sum(black_box(&bytes))));
    group.bench_function("every record", |b| b.iter(|| visit(black_box(&nav))));
    group.bench_function("survey", |b| {
        b.iter(|| {
            let mut counts = Counts::default();
            black_box(&nav).survey(&mut Scratch::new(), &mut counts, &mut |f| panic!("{f}")).unwrap();
            assert_eq!(counts.get("links"), Some(60_000));
        });
    });
    group.bench_function("check", |b| {
        b.iter(|| black_box(&nav).check(&mut Scratch::new(), &mut |f| panic!("{f}")).unwrap());
    });
    group.bench_function("naive owned parser", |b| {
        b.iter(|| assert_eq!(decode(black_box(&bytes)).unwrap().nodes.len(), 12_000));
    });
    group.finish();
}

fn navjson(c: &mut Criterion) {
    let mut group = c.benchmark_group("quake/navjson");
    let graph = grid(12_000, 5);
    let text = graph.navjson(2, "\n");
    let nav = NavJson::parse(text.as_bytes()).unwrap();
    assert!(nav.to_graph(&mut |_| ()).unwrap().encode().unwrap() == graph.encode((2, 15)));
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("limit: byte sum", |b| {
        b.iter(|| navmap_testkit::byte_sum(black_box(text.as_bytes())))
    });
    group.bench_function("read", |b| {
        b.iter(|| assert_eq!(NavJson::parse(black_box(text.as_bytes())).unwrap().links().len(), 60_000));
    });
    group.bench_function("naive value tree", |b| {
        b.iter(|| serde_json::from_str::<serde_json::Value>(black_box(&text)).unwrap());
    });
    let mut out = Vec::with_capacity(text.len());
    group.bench_function("write", |b| {
        b.iter(|| {
            out.clear();
            nav.write(&mut out).unwrap();
            assert_eq!(out.len(), text.len());
        });
    });
    group.finish();
}

criterion_group!(benches, open, walk, navjson);
criterion_main!(benches);
