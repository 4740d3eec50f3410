//! The loop of a server whose mesh is replaced while it runs: every tick takes the current world once, and a mesh that
//! cannot be read or is refused never gets in.
//!
//! `cargo run --example swap -- maps/a.nav`: replace the file while it runs. (The feature `watch` waits for changes by
//! itself: `navmap::query::Watch`.)

use navmap::graph::Point;
use navmap::query::{Held, Outcome, PathScratch, Policy, Query, Slot};
use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

/// What happened while the mesh was replaced.
#[derive(Debug, Default)]
pub(crate) struct Served {
    /// Queries that were answered, and how many of them found a way.
    pub(crate) asked: u64,
    pub(crate) found: u64,
    /// The world at the end, and how many were refused.
    pub(crate) generation: u64,
    pub(crate) refused: u64,
    /// How often a thread met an area that it had kept from an older world.
    pub(crate) stale: u64,
}

/// Asks from four threads while the file at `path` becomes each of `versions`.
pub(crate) fn serve(path: &Path, versions: &[Vec<u8>]) -> Result<Served, Box<dyn Error>> {
    let slot = Slot::open(path, Policy::default().with_landmarks(true))?;
    let (asked, found, stale) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let stop = AtomicBool::new(false);
    thread::scope(|threads| {
        for seed in 0..4u32 {
            let (slot, stop, asked, found, stale) = (&slot, &stop, &asked, &found, &stale);
            threads.spawn(move || {
                let mut reader = slot.reader();
                let mut scratch = PathScratch::new(slot.load().index());
                let mut random = seed + 1;
                let mut kept: Option<Held> = None;
                while !stop.load(Relaxed) {
                    // A tick. The world that it takes stays whole until the tick is over, whatever is loaded meanwhile.
                    let world = reader.world().clone();
                    let index = world.index();
                    scratch.fit(index);
                    // What was kept from an older world is not valid in this one, and is asked for again by id or point.
                    if let Some(Err(_)) = kept.map(|held| world.held(held)) {
                        stale.fetch_add(1, Relaxed);
                        kept = None;
                    }
                    let mut spot = || {
                        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        let Some(bounds) = index.bounds() else { return Point::default() };
                        let share = |low: f32, high: f32, bits: u32| {
                            low + (high - low) * (bits & 1023) as f32 / 1024.0
                        };
                        let (min, max) = (bounds.min, bounds.max);
                        Point::new(
                            share(min.x, max.x, random >> 22),
                            share(min.y, max.y, random >> 12),
                            max.z,
                        )
                    };
                    let (a, b) = (index.nearest(spot(), 1e6), index.nearest(spot(), 1e6));
                    if let (Some(a), Some(b)) = (a, b) {
                        let outcome = scratch.path(index, a.area, b.area, &Query::cheapest());
                        found.fetch_add(u64::from(matches!(outcome, Ok(Outcome::Found { .. }))), Relaxed);
                        kept = Some(world.hold(a.area));
                    }
                    asked.fetch_add(1, Relaxed);
                }
            });
        }
        let settled = |before: u64| {
            while asked.load(Relaxed) < before + 8 {
                thread::yield_now();
            }
        };
        for version in versions {
            settled(asked.load(Relaxed));
            // As a good uploader does it: written aside, then renamed over the old one.
            let aside = path.with_extension("new");
            let put = std::fs::write(&aside, version).and_then(|()| std::fs::rename(&aside, path));
            if let Err(error) = put {
                eprintln!("{}: {error}", path.display());
                break;
            }
            match slot.reload() {
                Ok(generation) => println!("generation {generation}, {} areas", slot.load().index().len()),
                Err(refused) => println!("the old mesh stays: {refused}"),
            }
        }
        settled(asked.load(Relaxed));
        stop.store(true, Relaxed);
    });
    Ok(Served {
        asked: asked.into_inner(),
        found: found.into_inner(),
        generation: slot.load().generation(),
        refused: slot.failures(),
        stale: stale.into_inner(),
    })
}

#[allow(dead_code)] // a test calls `serve` instead
fn main() -> Result<(), Box<dyn Error>> {
    let original = std::env::args().nth(1).unwrap_or_else(|| "corpus/source/town.nav".into());
    let bytes = std::fs::read(&original)?;
    let folder = std::env::temp_dir().join(format!("navmap-swap-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("live.nav");
    std::fs::write(&path, &bytes)?;
    // The same again, half of it, something else, and the same again.
    let versions = [bytes.clone(), bytes[..bytes.len() / 2].to_vec(), b"no mesh".to_vec(), bytes];
    let served = serve(&path, &versions);
    std::fs::remove_dir_all(&folder)?;
    let Served { asked, found, generation, refused, stale } = served?;
    println!(
        "{asked} questions, {found} ways; generation {generation}, {refused} refused, {stale} areas were stale"
    );
    Ok(())
}
