//! Source meshes, one thread, in memory. Beside each: the limit, a loop that sums every byte, and a plain reader that owns
//! everything. Runs on real meshes where they are, on generated ones of their shape otherwise, and says which.
//!
//! ```text
//! cargo bench --bench source
//! ```

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use navmap::bytes::Scratch;
use navmap::format::source::{AreaIndex, SourceNav};
use navmap::{Counts, NavFile};
use navmap_testkit::{byte_sum, corpus, source as kit};
use std::hint::black_box;
use std::time::Instant;
use touch::{visit, visit_naive, walk, walk_naive};

#[path = "touch/source.rs"]
mod touch;

/// A piece of work on the bytes of a mesh; its answer is checked.
type Run = fn(&[u8]) -> u64;

/// Name of a shape, a real file of it, and its made-up stand-in.
type Shape = (&'static str, &'static str, fn() -> Vec<u8>);

const SHAPES: [Shape; 2] = [
    ("tf2-shaped", "tf2-16.2/cp_steel.nav", kit::tf2_shaped),
    ("csgo-shaped", "csgo-16.1/de_dharma.nav", kit::csgo_shaped),
];

fn meshes() -> Vec<(&'static str, Vec<u8>)> {
    let real = corpus::real().map(|folder| folder.join("source"));
    SHAPES
        .into_iter()
        .map(|(shape, file, make)| {
            let real = real.as_ref().and_then(|folder| std::fs::read(folder.join(file)).ok());
            let origin = if real.is_some() { format!("real, {file}") } else { "generated".to_owned() };
            let bytes = real.unwrap_or_else(make);
            eprintln!("{shape}: {origin}, {} bytes", bytes.len());
            (shape, bytes)
        })
        .collect()
}

fn index(bytes: &[u8]) -> u64 {
    let nav = SourceNav::parse(bytes).expect("a mesh");
    AreaIndex::build(&nav).expect("an index").len() as u64
}

fn survey(bytes: &[u8]) -> u64 {
    let (mut counts, mut scratch) = (Counts::default(), Scratch::new());
    let nav = SourceNav::parse(bytes).expect("a mesh");
    nav.survey(&mut scratch, &mut counts, &mut |_| {}).expect("read to the end");
    counts.get("areas").expect("a count")
}

/// The least time of many runs, in seconds: what the ratios are of, as noise only ever adds.
fn best(run: Run, bytes: &[u8]) -> f64 {
    let once = || {
        let start = Instant::now();
        black_box(run(black_box(bytes)));
        start.elapsed().as_secs_f64()
    };
    (0..200).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn in_memory(c: &mut Criterion) {
    for (shape, bytes) in meshes() {
        let areas = kit::read(&bytes).expect("a mesh").areas.len() as u64;
        let runs: [(&str, Run, u64); 7] = [
            ("limit", byte_sum, byte_sum(&bytes)),
            ("walk", walk, walk_naive(&bytes)),
            ("visit", visit, visit_naive(&bytes)),
            ("index", index, areas),
            ("survey", survey, areas),
            ("naive-walk", walk_naive, walk_naive(&bytes)),
            ("naive-visit", visit_naive, visit_naive(&bytes)),
        ];
        let limit = best(byte_sum, &bytes);
        for (name, run, expected) in runs {
            assert_eq!(run(&bytes), expected, "{name} of {shape}");
            eprintln!("{name} of {shape}: {:.0} % of the limit", 100.0 * limit / best(run, &bytes));
            let mut group = c.benchmark_group(format!("source/{name}"));
            group.throughput(Throughput::Bytes(bytes.len() as u64));
            group.bench_with_input(BenchmarkId::from_parameter(shape), &bytes, |b, bytes| {
                b.iter(|| run(black_box(bytes)));
            });
            group.finish();
        }
    }
}

/// Many copies in turn, so that none is left in a cache: what prefetching over long lists is for.
fn from_memory(c: &mut Criterion) {
    const BYTES: usize = 192 << 20;
    for (shape, bytes) in meshes() {
        let copies = vec![bytes.clone(); BYTES / bytes.len()];
        let runs: [(&str, Run); 2] = [("limit", byte_sum), ("walk", walk)];
        for (name, run) in runs {
            let mut group = c.benchmark_group(format!("source-uncached/{name}"));
            group.sample_size(10);
            group.throughput(Throughput::Bytes((copies.len() * bytes.len()) as u64));
            group.bench_with_input(BenchmarkId::from_parameter(shape), &copies, |b, copies| {
                b.iter(|| copies.iter().fold(0, |sum: u64, bytes| sum.wrapping_add(run(black_box(bytes)))));
            });
            group.finish();
        }
    }
}

criterion_group!(benches, in_memory, from_memory);
criterion_main!(benches);
