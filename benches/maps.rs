//! Maps: reading, tracing, floor plans, and analysis with the map on one and two threads. Runs on real maps where they are, on
//! the bundled ones otherwise, and says which.
//!
//! ```text
//! cargo bench --bench maps --features archive
//! ```

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use navmap::bsp::{BspMap, Contents, FloorPlan};
use navmap::format::source::analyze::{AnalyzeOptions, analyze};
use navmap::format::source::{SourceBuf, SourceNav};
use navmap_testkit::alloc::{Counting, cost_of};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOC: Counting = Counting;

const REAL: [&str; 4] =
    ["source/gg_lego_arena", "source/gg_bk_courtyard_v1", "goldsrc/cs_pf_dust", "goldsrc/zm_five"];
const MADE: [&str; 2] = ["yard-source", "yard-goldsrc"];
const LINES: usize = 10_000;

struct Pair {
    name: String,
    bytes: Vec<u8>,
    mesh: SourceBuf,
}

fn pairs() -> Vec<Pair> {
    let folder = corpus::real().map(|folder| folder.join("bsp")).filter(|folder| folder.is_dir());
    let (folder, names) = match folder {
        Some(folder) => (folder, &REAL[..]),
        None => (corpus::bundled().join("bsp"), &MADE[..]),
    };
    names
        .iter()
        .map(|name| {
            let read = |end: &str| std::fs::read(folder.join(format!("{name}.{end}"))).expect("a pair");
            let mesh = SourceBuf::read(&SourceNav::parse(&read("nav")).expect("a mesh")).expect("to its end");
            let name = name.rsplit('/').next().unwrap_or(name).to_owned();
            Pair { name, bytes: read("bsp"), mesh }
        })
        .collect()
}

/// Lines between random points of open space, of all lengths.
fn lines(map: &BspMap) -> Vec<[[f32; 3]; 2]> {
    let ([low, high], mut rng) = (map.bounds(), Rng(9));
    let mut point = || loop {
        let at = [0, 1, 2].map(|axis| rng.f32(low[axis], high[axis]));
        if !map.contents(at).meets(Contents::SOLID) {
            return at;
        }
    };
    (0..LINES)
        .map(|round| {
            let (from, far) = (point(), point());
            let reach = [1.0, 0.3, 0.05][round % 3];
            [from, [0, 1, 2].map(|axis| from[axis] + (far[axis] - from[axis]) * reach)]
        })
        .collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn maps(c: &mut Criterion) {
    for Pair { name, bytes, .. } in pairs() {
        let (map, cost) = cost_of(|| BspMap::parse(&bytes).expect("a map"));
        eprintln!(
            "{name}: {} bytes, {:.2} times as much in memory at most",
            bytes.len(),
            cost.peak_bytes as f64 / bytes.len() as f64
        );
        let lines = lines(&map);
        let each: Vec<Duration> = lines
            .iter()
            .map(|[from, to]| {
                let start = Instant::now();
                black_box(map.line(*from, *to, Contents::WALK));
                start.elapsed()
            })
            .collect();
        let hits = lines.iter().filter(|[a, b]| !map.line(*a, *b, Contents::WALK).is_free()).count();
        eprintln!(
            "{name}: a line takes {:?} in the median, clock and all; {hits} of {LINES} hit",
            median(each)
        );
        assert!(hits > LINES / 20 && hits < LINES, "{name}");
        let mut group = c.benchmark_group("maps");
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(BenchmarkId::new("parse", &name), |b| {
            b.iter(|| black_box(BspMap::parse(&bytes).expect("a map")));
        });
        group.bench_function(BenchmarkId::new("plan", &name), |b| {
            b.iter(|| black_box(FloorPlan::parse(&bytes).expect("a plan")));
        });
        group.throughput(Throughput::Elements(LINES as u64));
        group.bench_function(BenchmarkId::new("lines", &name), |b| {
            b.iter(|| {
                let ends = lines.iter().map(|[from, to]| map.line(*from, *to, Contents::WALK).fraction);
                black_box(ends.sum::<f32>())
            });
        });
        if map.hull([0.0; 3], [1.0; 3], [-1.0; 3], [1.0; 3], Contents::WALK).is_some() {
            group.bench_function(BenchmarkId::new("boxes", &name), |b| {
                b.iter(|| {
                    let ends = lines.iter().filter_map(|[from, to]| {
                        map.hull(*from, *to, [-16.0, -16.0, 0.0], [16.0, 16.0, 72.0], Contents::WALK)
                    });
                    black_box(ends.map(|trace| trace.fraction).sum::<f32>())
                });
            });
        }
        group.finish();
    }
}

fn analyses(c: &mut Criterion) {
    for Pair { name, bytes, mesh } in pairs() {
        let map = BspMap::parse(&bytes).expect("a map");
        let options = AnalyzeOptions { full: Some(true), ..AnalyzeOptions::default() };
        let areas = mesh.areas.len();
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let mut own = mesh.clone();
            let start = Instant::now();
            pool.install(|| analyze(&mut own, &options, Some(&map)).expect("an analysis"));
            (start.elapsed(), own.encode().expect("bytes"))
        };
        let ((one, first), (two, second)) = (run(1), run(2));
        assert!(first == second, "{name}: the bytes depend on the number of threads");
        eprintln!(
            "{name}: {areas} areas analysed in full in {one:.2?} on one thread, {two:.2?} on two: {:.2} times as fast",
            one.as_secs_f64() / two.as_secs_f64()
        );
        let (_, cost) = cost_of(|| {
            let mut own = mesh.clone();
            analyze(&mut own, &options, Some(&map)).expect("an analysis")
        });
        eprintln!("{name}: {} bytes at most on the thread that asks", cost.peak_bytes);
        let mut group = c.benchmark_group("maps");
        group.sample_size(10);
        group.bench_function(BenchmarkId::new("analyze", &name), |b| {
            b.iter_batched(
                || mesh.clone(),
                |mut mesh| black_box(analyze(&mut mesh, &options, Some(&map)).expect("an analysis")),
                BatchSize::LargeInput,
            );
        });
        group.finish();
    }
}

criterion_group!(benches, maps, analyses);
criterion_main!(benches);
