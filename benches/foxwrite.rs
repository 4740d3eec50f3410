//! Writing Fox tiles: the encoder beside the fastest loop that takes in every byte of the same files.
//!
//! Nothing is in a cache: as many tiles are there as fill 200 MB, and runs take turns. Times are those of the thread,
//! medians of several runs.
//!
//! ```text
//! cargo bench --bench foxwrite
//! ```

use cpu_time::ThreadTime;
use navmap::format::fox::{FoxBuf, FoxNav};
use navmap_testkit::alloc::{Counting, cost_of};
use navmap_testkit::corpus::{manifest, real};
use navmap_testkit::fox::Map;
use navmap_testkit::limit::WAYS;
use std::hint::black_box;

#[global_allocator]
static ALLOC: Counting = Counting;

const BYTES: usize = 200 << 20;
const ROUNDS: usize = 7;

/// Tiles of the game, or of our own.
fn tiles() -> Vec<Vec<u8>> {
    let Some(folder) = real().map(|folder| folder.join("fox")) else {
        return Map::square(5).tiles().flat_map(|tile| tile.files).map(|(_, bytes)| bytes).collect();
    };
    let rows = manifest(&folder).into_iter();
    let game = rows.filter(|row| ["ssav/", "tpp/"].iter().any(|place| row.name().starts_with(place)));
    game.map(|row| row.read()).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn time(run: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    run();
    start.elapsed().as_secs_f64()
}

fn main() {
    let files = tiles();
    let total: usize = files.iter().map(Vec::len).sum();
    let times = BYTES.div_ceil(total);
    let bytes: Vec<Vec<u8>> = (0..times).flat_map(|_| files.iter().cloned()).collect();
    let own: Vec<FoxBuf> = bytes.iter().map(|bytes| FoxBuf::from_bytes(bytes).expect("a tile")).collect();
    let (mut limits, mut encodes, mut reused, mut reads) = (vec![vec![]; WAYS.len()], vec![], vec![], vec![]);
    let mut buffer = Vec::new();
    for _ in 0..ROUNDS {
        for (times, (_, way)) in limits.iter_mut().zip(WAYS) {
            times.push(time(|| bytes.iter().for_each(|bytes| _ = black_box(way(black_box(bytes))))));
        }
        encodes.push(time(|| own.iter().for_each(|tile| drop(black_box(tile.encode().expect("it fits"))))));
        reused.push(time(|| own.iter().for_each(|tile| tile.encode_into(&mut buffer).expect("it fits"))));
        reads.push(time(|| {
            let share = bytes.iter().take(bytes.len() / 8);
            share.for_each(|bytes| drop(black_box(FoxBuf::read(&FoxNav::parse(bytes).expect("a tile")))));
        }));
    }
    assert_eq!(&buffer, bytes.last().expect("there are tiles"));
    let limit = limits.into_iter().map(median).fold(f64::INFINITY, f64::min);
    let rate = |time: f64| (times * total) as f64 / time / 1e9;
    println!("{} files, {:.0} MB, limit {:.1} GB/s", bytes.len(), (times * total) as f64 / 1e6, rate(limit));
    for (what, time) in [
        ("encode", median(encodes)),
        ("encode into a used buffer", median(reused)),
        ("read into an owned tile, with its check", median(reads) * 8.0),
    ] {
        println!("  {what}: {:.1} % of the limit, {:.2} GB/s", 100.0 * limit / time, rate(time));
    }
    let largest = files.iter().max_by_key(|bytes| bytes.len()).expect("there are tiles");
    let tile = FoxBuf::from_bytes(largest).expect("a tile");
    let (_, cost) = cost_of(|| tile.encode());
    println!("  allocations of the largest tile, {} bytes: {}", largest.len(), cost.calls);
}
