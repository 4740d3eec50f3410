//! The repair of a load order of Bethesda plugins, beside the inflation of its navmesh records alone in the same run: what
//! nobody can do without who looks at them.
//!
//! The load order is generated: a master and three plugins that override three eighths of its meshes. Its navmesh records
//! inflate to more than the caches hold. `NAVMAP_SIDE` sets the cells along each side (80: 6,400 cells, as many meshes as the
//! largest real masters; 320: 1.6 GB; at most 360).
//!
//! ```text
//! cargo bench --bench repair
//! ```

use cpu_time::ProcessTime;
use navmap::Limits;
use navmap::bytes::Inflater;
use navmap::format::skyrim::fix::{FixOptions, FixPlan};
use navmap::format::skyrim::{LoadOrder, Plugin};
use navmap_testkit::alloc::{Counting, cost_of};
use navmap_testkit::skyrim::order::large;
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

#[global_allocator]
static ALLOC: Counting = Counting;

const RUNS: usize = 5;

fn main() {
    let side = std::env::var("NAVMAP_SIDE").ok().and_then(|side| side.parse().ok()).unwrap_or(80);
    let files = large(side);
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let mut order = LoadOrder::new();
    for (name, bytes) in &files {
        order.push(*name, Plugin::parse(bytes, &Limits::default()).expect("a plugin"));
    }
    let streams: Vec<(&[u8], u64)> = files
        .iter()
        .flat_map(|(_, bytes)| {
            Plugin::parse(bytes, &Limits::default())
                .expect("a plugin")
                .navmeshes()
                .map(|navm| {
                    let record = *navm.expect("a record").record();
                    (&record.stored()[4..], u64::from(record.claimed_size().expect("compressed")))
                })
                .collect::<Vec<_>>()
        })
        .collect();
    let inflated: u64 = streams.iter().map(|(_, size)| size).sum();
    println!(
        "{} records in {:.0} MB of plugins, {:.0} MB inflated",
        streams.len(),
        bytes as f64 / 1e6,
        inflated as f64 / 1e6
    );
    memory(&order);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| compare(threads, &order, &streams, inflated));
    }
}

fn inflate(streams: &[(&[u8], u64)]) -> u64 {
    let limits = Limits::default();
    let one = |inflater: &mut Inflater, (stream, size): &(&[u8], u64)| {
        black_box(inflater.zlib(stream, *size, &limits).expect("a stream")).len() as u64
    };
    streams.par_iter().map_init(Inflater::default, one).sum()
}

/// Seconds by the clock, and seconds of all cores, which tell more on a machine that others use as well.
fn timed<R>(run: impl FnOnce() -> R) -> (R, [f64; 2]) {
    let (begun, worked) = (Instant::now(), ProcessTime::now());
    let made = run();
    (made, [begun.elapsed().as_secs_f64(), worked.elapsed().as_secs_f64()])
}

fn compare(threads: usize, order: &LoadOrder<'_>, streams: &[(&[u8], u64)], inflated: u64) {
    let mut rows: Vec<[[f64; 2]; 4]> = (0..RUNS)
        .map(|_| {
            let (sum, bare) = timed(|| inflate(streams));
            assert_eq!(sum, inflated);
            let (plan, planned) = timed(|| FixPlan::new(order, &FixOptions::default()));
            assert!(
                plan.done() > 0 && plan.left() == 0,
                "{:?}",
                plan.deeds().iter().find(|d| d.left.is_some())
            );
            let (patch, patched) = timed(|| plan.patch(false).expect("a patch"));
            let (conflicts, disputed) = timed(|| FixPlan::conflicts(order, &[]).expect("no choice").1.len());
            assert!(conflicts == 0 && !patch.is_empty());
            [bare, planned, patched, disputed]
        })
        .collect();
    for (clock, of) in ["by the clock", "of all cores"].into_iter().enumerate() {
        rows.sort_by(|a, b| (a[1][clock] / a[0][clock]).total_cmp(&(b[1][clock] / b[0][clock])));
        let [bare, planned, patched, disputed] = rows[RUNS / 2].map(|row| row[clock]);
        println!(
            "{threads} threads, {of}: inflating {:.0} MB/s; plan at {:.0} % of that, conflicts at {:.0} %; patch in {patched:.2} s",
            inflated as f64 / bare / 1e6,
            100.0 * bare / planned,
            100.0 * bare / disputed,
        );
    }
}

/// The most memory that a plan takes, on one thread.
fn memory(order: &LoadOrder<'_>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let (plan, cost) = pool.install(|| cost_of(|| FixPlan::new(order, &FixOptions::default())));
    println!("memory: {:.1} MB for {} deeds", cost.peak_bytes as f64 / 1e6, plan.deeds().len());
}
