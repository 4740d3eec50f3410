//! Generation of Source meshes from maps alone: the time of one thread and of two, the memory, and the share of each stage.
//! Runs on real maps where they are, and on generated ones of about 500 areas, and says how many areas each has.
//!
//! ```text
//! cargo bench --bench generate --features archive
//! ```

use navmap::bsp::{BspMap, Engine};
use navmap::format::source::analyze::{self, analyze};
use navmap::format::source::generate::{Game, GenerateOptions, Stage, generate};
use navmap_testkit::alloc::{Counting, cost_of};
use navmap_testkit::bsp::{Brush, gold, source};
use navmap_testkit::corpus;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOC: Counting = Counting;

const RUNS: usize = 3;

/// A yard with pillars and platforms of several sizes.
fn yard() -> Vec<Brush> {
    let mut brushes = vec![
        Brush::solid([-1500.0, -1500.0, -32.0], [1500.0, 1500.0, 0.0]),
        Brush::solid([-1532.0, -1500.0, 0.0], [-1500.0, 1500.0, 256.0]),
        Brush::solid([1500.0, -1500.0, 0.0], [1532.0, 1500.0, 256.0]),
        Brush::solid([-1500.0, -1532.0, 0.0], [1500.0, -1500.0, 256.0]),
        Brush::solid([-1500.0, 1500.0, 0.0], [1500.0, 1532.0, 256.0]),
    ];
    for at in 0..121_u16 {
        let (x, y) = (-1350.0 + 250.0 * f32::from(at % 11), -1350.0 + 250.0 * f32::from(at / 11));
        let (wide, high) = (40.0 + 30.0 * f32::from(at % 4), [16.0, 50.0, 128.0][usize::from(at % 3)]);
        brushes.push(Brush::solid([x, y, 0.0], [x + wide, y + 100.0, high]));
    }
    brushes
}

fn maps() -> Vec<(String, Game, Vec<u8>)> {
    let entities = "{ \"classname\" \"worldspawn\" }\n{ \"classname\" \"info_player_start\" \"origin\" \"-1450 -1450 40\" }\n";
    let mut maps = vec![
        ("yard of GoldSrc".to_owned(), Game::ConditionZero, gold(&[yard()], entities)),
        ("yard of Source".to_owned(), Game::GarrysMod, source(20, &[yard()], entities)),
    ];
    let real = corpus::real().map(|folder| folder.join("bsp"));
    for (name, game) in [
        ("goldsrc/zm_five", Game::ConditionZero),
        ("goldsrc/cs_pf_dust", Game::ConditionZero),
        ("source/gg_bk_courtyard_v1", Game::CounterStrikeSource),
        ("source/siob_debugtest", Game::TeamFortress),
    ] {
        let bytes = real.as_ref().and_then(|folder| std::fs::read(folder.join(format!("{name}.bsp"))).ok());
        maps.extend(bytes.map(|bytes| (name.to_owned(), game, bytes)));
    }
    maps
}

fn options(map: &BspMap, game: Game, stop_after: Option<Stage>) -> GenerateOptions<'static> {
    let seeds = map.seeds(game).expect("places where players begin");
    GenerateOptions { seeds, ladders: map.ladders(), stop_after, ..GenerateOptions::new(game) }
}

/// The least time of some runs.
fn time<T>(mut work: impl FnMut() -> T) -> Duration {
    let run = |_| {
        let begun = Instant::now();
        black_box(work());
        begun.elapsed()
    };
    (0..RUNS).map(run).min().unwrap_or_default()
}

fn main() {
    for (name, game, bytes) in maps() {
        let map = BspMap::parse(&bytes).expect("a map");
        assert_eq!(game.is_gold(), map.engine() == Engine::GoldSrc);
        let whole = options(&map, game, None);
        let ((mesh, report), cost) = cost_of(|| generate(&map, &whole).expect("a mesh"));
        println!(
            "{name}: {} kB, {} nodes, {} areas, {} links; peak {:.1} MB, {:.1} times the map, {} bytes a node",
            bytes.len() / 1000,
            report.nodes,
            report.areas,
            report.links,
            cost.peak_bytes as f64 / 1e6,
            cost.peak_bytes as f64 / bytes.len() as f64,
            cost.peak_bytes / report.nodes
        );
        let pools = [1, 2]
            .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"));
        let mut before = Duration::ZERO;
        for stage in Stage::ALL {
            let until = options(&map, game, Some(stage));
            let took = pools[0].install(|| time(|| generate(&map, &until).expect("a mesh")));
            println!("  {:>9}: {:7.1} ms", stage.name(), took.saturating_sub(before).as_secs_f64() * 1e3);
            before = before.max(took);
        }
        let made =
            pools.each_ref().map(|pool| pool.install(|| time(|| generate(&map, &whole).expect("a mesh"))));
        let full = analyze::AnalyzeOptions { full: Some(true), ..analyze::AnalyzeOptions::default() };
        let both = pools.each_ref().map(|pool| {
            pool.install(|| {
                time(|| {
                    let mut mesh = mesh.clone();
                    analyze(&mut mesh, &full, Some(&map)).expect("an analysis")
                })
            })
        });
        for (what, [one, two]) in [("generated", made), ("analysed", both)] {
            let (one, two) = (one.as_secs_f64(), two.as_secs_f64());
            println!(
                "  {what}: {:.1} ms with one thread, {:.1} with two: {:.2} times",
                one * 1e3,
                two * 1e3,
                one / two
            );
        }
    }
}
