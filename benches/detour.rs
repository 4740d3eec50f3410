//! Tiles of Detour: what opening, visiting, counting and joining cost, beside a loop that sums the same bytes and a parser
//! that copies everything.
//!
//! `cargo bench --bench detour -- --warm-up-time 0.5 --measurement-time 1`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use navmap::bytes::Scratch;
use navmap::format::NavFormat;
use navmap::format::detour::DetourNav;
use navmap::graph::Csr;
use navmap::{Counts, NavFile};
use navmap_testkit::detour::{land, set};
use std::hint::black_box;
use touch::visit;

#[path = "touch/detour.rs"]
mod touch;
#[path = "touch/words.rs"]
mod words;

/// Constant, whatever the size.
fn open(c: &mut Criterion) {
    let mut group = c.benchmark_group("detour/open");
    for side in [1, 11] {
        let bytes = set(&land(7, side, side), 1, false);
        group.bench_function(format!("parse/{}-tiles", side * side), |b| {
            b.iter(|| {
                assert_eq!(DetourNav::parse(black_box(&bytes)).unwrap().claimed(), (side * side) as u32)
            });
        });
    }
    group.finish();
}

/// A parser that copies every number of every section into a list of its own.
fn naive(bytes: &[u8]) -> usize {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (mut at, mut polygons) = (40, 0);
    for _ in 0..word(8) {
        let (size, tile) = (word(at + 4), at + 8);
        let (polys, verts) = (word(tile + 24), word(tile + 28));
        let floats = |from: usize, count: usize| -> Vec<f32> {
            (0..count).map(|i| f32::from_bits(word(from + 4 * i) as u32)).collect()
        };
        let vertices = floats(tile + 100, 3 * verts);
        let list: Vec<(Vec<u16>, u32)> = (0..polys)
            .map(|i| {
                let from = tile + 100 + 12 * verts + 32 * i;
                let half = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
                ((2..15).map(|k| half(from + 2 * k)).collect(), word(from) as u32)
            })
            .collect();
        let rest = bytes[tile + 100 + 12 * verts + 32 * polys..tile + size].to_vec();
        polygons += black_box((vertices, list, rest)).1.len();
        at = tile + size;
    }
    polygons
}

fn walk(c: &mut Criterion) {
    let mut group = c.benchmark_group("detour/visit");
    let bytes = set(&land(7, 11, 11), 1, false);
    let nav = DetourNav::parse(&bytes).unwrap();
    let polygons = 11 * 11 * 16 - 1 + 2;
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("limit: byte sum", |b| b.iter(|| navmap_testkit::byte_sum(black_box(&bytes))));
    group.bench_function("every record", |b| b.iter(|| visit(black_box(&nav))));
    group.bench_function("naive owned parser", |b| b.iter(|| assert_eq!(naive(black_box(&bytes)), polygons)));
    group.bench_function("survey", |b| {
        b.iter(|| {
            let mut counts = Counts::default();
            black_box(&nav).survey(&mut Scratch::new(), &mut counts, &mut |f| panic!("{f}")).unwrap();
            assert_eq!(counts.get("portal_links"), Some(2 * 4 * 2 * 11 * 10));
        });
    });
    group.bench_function("check", |b| {
        b.iter(|| {
            black_box(&nav).check(&mut Scratch::new(), &mut |f| assert!(!f.severity.counts(), "{f}")).unwrap()
        });
    });
    group.bench_function("graph", |b| {
        b.iter(|| assert_eq!(Csr::of(&black_box(&nav).graph()).whole().unwrap().len(), polygons - 2));
    });
    group.finish();
}

criterion_group!(benches, open, walk);
criterion_main!(benches);
