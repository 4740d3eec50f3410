//! Writing Fox tiles: the encoder beside the fastest loop that takes in every byte of the same files.
//!
//! Nothing is in a cache: as many tiles are there as fill 200 MB, and runs take turns. Times are those of the thread,
//! medians of several runs.
//!
//! Also what goes on several threads, one beside two in turn, in time of the clock: a map of 64 × 64 tiles read into owned
//! tiles and written anew, and a mesh of a million triangles cut into tiles.
//!
//! ```text
//! cargo bench --bench foxwrite
//! ```

use cpu_time::ThreadTime;
use navmap::format::fox::{BuildOptions, FoxBuf, FoxNav};
use navmap::graph::Scene;
use navmap::import::{Format, read};
use navmap_testkit::alloc::{Counting, cost_of};
use navmap_testkit::corpus::{manifest, real};
use navmap_testkit::fox::Map;
use navmap_testkit::limit::WAYS;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

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
    drop((bytes, own));
    rewriting();
    building();
}

/// Pools of one thread and of two.
fn pools() -> [ThreadPool; 2] {
    [1, 2].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"))
}

/// What a piece of work takes on some threads.
#[derive(Clone, Copy)]
struct Took {
    /// Seconds by the clock.
    clock: f64,
    /// Seconds of the busiest thread alone. They do not depend on what else the machine does.
    busiest: f64,
}

/// What a piece of work takes on one thread and on two, in turn: the least of several runs each, since what else the
/// machine does only ever adds.
fn threads(rounds: usize, work: impl Fn() + Sync) -> [Took; 2] {
    let pools = pools();
    let mut best = [Took { clock: f64::INFINITY, busiest: f64::INFINITY }; 2];
    for _ in 0..rounds {
        for (best, pool) in best.iter_mut().zip(&pools) {
            let before = pool.broadcast(|_| ThreadTime::now().as_duration());
            let start = Instant::now();
            pool.install(&work);
            best.clock = best.clock.min(start.elapsed().as_secs_f64());
            let spent = pool.broadcast(|at| ThreadTime::now().as_duration() - before[at.index()]);
            best.busiest = best.busiest.min(spent.into_iter().max().unwrap_or_default().as_secs_f64());
        }
    }
    best
}

fn told([one, two]: [Took; 2]) {
    for (what, one, two) in
        [("by the clock", one.clock, two.clock), ("of the busiest thread", one.busiest, two.busiest)]
    {
        println!("  {what}: one thread {one:.2} s, two {two:.2} s, {:.2} times as fast", one / two);
    }
}

fn rewriting() {
    let map = Map { cells: 16, ..Map::square(64) };
    let files: Vec<Vec<u8>> = map.tiles().flat_map(|tile| tile.files).map(|(_, bytes)| bytes).collect();
    let total: usize = files.iter().map(Vec::len).sum();
    let took = threads(5, || {
        files.par_iter().for_each(|bytes| {
            let tile = FoxBuf::from_bytes(bytes).expect("a tile");
            assert!(tile.encode_canonical().expect("it fits") == *bytes);
        });
    });
    println!(
        "a map of 64 x 64 tiles, {} files, {:.0} MB, read and written anew",
        files.len(),
        total as f64 / 1e6
    );
    told(took);
}

/// A hilly land of a million triangles, 4 m a side, whose sides lie on no line of the tiles.
fn land() -> Scene {
    let mut scene = Scene::new();
    let (wide, deep) = (1000_u32, 500_u32);
    for z in 0..=deep {
        for x in 0..=wide {
            let [fx, fz] = [x, z].map(f64::from);
            let height = 6.0 * (fx / 17.0).sin() + 4.0 * (fz / 11.0).cos();
            scene.positions.push([fx * 4.0 - 1999.3, height, fz * 4.0 - 999.3]);
        }
    }
    for z in 0..deep {
        for x in 0..wide {
            let at = z * (wide + 1) + x;
            let [a, b, c, d] = [at, at + wide + 1, at + wide + 2, at + 1];
            scene.add_polygon(&[a, b, c], z + 1, 0, 0);
            scene.add_polygon(&[a, c, d], z + 1, 0, 0);
        }
    }
    scene
}

fn building() {
    let scene = land();
    let mut text = String::new();
    for [x, y, z] in &scene.positions {
        let _ = writeln!(text, "v {x:.6} {y:.6} {z:.6}");
    }
    for (_, corners) in scene.polygons() {
        let corners: Vec<String> = corners.iter().map(|corner| (corner + 1).to_string()).collect();
        let _ = writeln!(text, "f {}", corners.join(" "));
    }
    let options = BuildOptions::default();
    let took = threads(3, || {
        let (tiles, _) = FoxBuf::build_tiles(&scene, &options, 64, None).expect("it fits");
        assert_eq!(tiles.len(), 32 * 16);
    });
    println!("{} triangles cut into {} tiles", scene.polygons.len(), 32 * 16);
    told(took);
    let [alone, _] = pools();
    let (_, cost) = alone.install(|| cost_of(|| FoxBuf::build_tiles(&scene, &options, 64, None)));
    println!("  at most {:.0} MB beside the polygons, the tiles included", cost.peak_bytes as f64 / 1e6);
    let parse = time(|| drop(black_box(read(text.as_bytes(), Format::Obj).expect("a model"))));
    println!("  read from {:.0} MB of OBJ: {parse:.2} s", text.len() as f64 / 1e6);
}
