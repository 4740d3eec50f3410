//! AAS files: what opening, visiting and floors cost, beside a loop that sums the same bytes and a parser that copies
//! everything.
//!
//! `cargo bench --bench aas -- --warm-up-time 0.5 --measurement-time 1`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use navmap::bytes::Scratch;
use navmap::format::aas::{AasGraph, AasNav, Floors};
use navmap::graph::{Csr, NavGraph};
use navmap::{Counts, NavFile};
use navmap_testkit::aas::{grid, sizes};
use std::hint::black_box;
use touch::visit;

#[path = "touch/aas.rs"]
mod touch;
#[path = "touch/words.rs"]
mod words;

/// Constant, whatever the size.
fn open(c: &mut Criterion) {
    let mut group = c.benchmark_group("aas/open");
    for side in [2, 60] {
        let bytes = grid(side).lumps(5, false).encode();
        group.bench_function(format!("parse/{}-areas", side * side), |b| {
            b.iter(|| assert_eq!(AasNav::parse(black_box(&bytes)).unwrap().areas().len(), side * side + 1));
        });
    }
    group.finish();
}

/// A parser that copies every word of every record into a list of its own.
fn naive(bytes: &[u8]) -> usize {
    let mut head = bytes[..124].to_vec();
    navmap_testkit::aas::hide(&mut head);
    let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().unwrap()) as usize;
    let mut records = 0;
    for (lump, size) in sizes(5).into_iter().enumerate() {
        let (start, len) = (word(12 + 8 * lump), word(16 + 8 * lump));
        let words = |record: &[u8]| -> Vec<u32> {
            record.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
        };
        let list: Vec<Vec<u32>> = bytes[start..start + len].chunks_exact(size).map(words).collect();
        records += black_box(list).len();
    }
    records
}

fn walk(c: &mut Criterion) {
    let mut group = c.benchmark_group("aas/visit");
    let areas = 60 * 60;
    for (form, full) in [("stripped", false), ("full", true)] {
        let bytes = grid(60).lumps(5, full).encode();
        let nav = AasNav::parse(&bytes).unwrap();
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("{form}/limit: byte sum"), |b| {
            b.iter(|| navmap_testkit::byte_sum(black_box(&bytes)))
        });
        group.bench_function(format!("{form}/every record"), |b| b.iter(|| visit(black_box(&nav))));
        group.bench_function(format!("{form}/naive owned parser"), |b| {
            b.iter(|| assert!(naive(black_box(&bytes)) > areas));
        });
        group.bench_function(format!("{form}/survey"), |b| {
            b.iter(|| {
                let mut counts = Counts::default();
                black_box(&nav).survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
                assert_eq!(counts.get("areas"), Some(areas as u64));
            });
        });
        group.bench_function(format!("{form}/check"), |b| {
            b.iter(|| {
                black_box(&nav)
                    .check(&mut Scratch::new(), &mut |f| assert!(!f.severity.counts(), "{f}"))
                    .unwrap()
            });
        });
        group.bench_function(format!("{form}/links"), |b| {
            b.iter(|| assert_eq!(Csr::of(&AasGraph::new(*black_box(&nav))).whole().unwrap().len(), areas));
        });
        group.bench_function(format!("{form}/polygons"), |b| {
            b.iter(|| {
                let mut corners = 0;
                AasGraph::new(*black_box(&nav))
                    .for_each_node(|node| corners += node.shape.corners().len())
                    .unwrap();
                assert_eq!(corners, 4 * areas);
            });
        });
        group.bench_function(format!("{form}/one floor"), |b| {
            let floors = Floors::new(nav);
            b.iter(|| assert_eq!(floors.of(black_box(areas / 2)).len(), 1));
        });
        group.bench_function(format!("{form}/area of a point"), |b| {
            b.iter(|| assert_eq!(nav.area_at(black_box([1000.0, 1000.0, 30.0])), Some(15 * 60 + 16)));
        });
    }
    group.finish();
}

criterion_group!(benches, open, walk);
criterion_main!(benches);
