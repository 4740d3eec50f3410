//! A thousand bots that share one index. Each has memory of its own for searches, so that they can think on any thread,
//! and none looks at more than a few areas in a tick.
//!
//! `cargo run --release --example horde -- cp_steel.nav`

use navmap::query::{Area, NavIndex, Outcome, PathScratch, Policy, Query, Spots, World};
use std::error::Error;
use std::thread;

/// Areas that a bot may look at in one tick.
const POPS: u32 = 16;

/// A bot that thinks of one way at a time.
struct Bot {
    scratch: PathScratch,
    from: Area,
    to: Area,
    random: u64,
    thinking: bool,
    ways: usize,
    /// Ticks that the longest search was spread over.
    longest: usize,
    ticks: usize,
}

impl Bot {
    fn new(index: &NavIndex, spots: &Spots, number: u64) -> Option<Self> {
        let mut random = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let from = spot(index, spots, &mut random)?;
        let scratch = PathScratch::new(index);
        Some(Self { scratch, from, to: from, random, thinking: false, ways: 0, longest: 0, ticks: 0 })
    }

    /// One tick: begins to look for a way to somewhere, or goes on with the search of the last tick.
    fn think(&mut self, index: &NavIndex, spots: &Spots) {
        let query = Query::default().with_max_pops(POPS);
        let outcome = match self.thinking {
            true => self.scratch.resume(index, &query),
            false => {
                self.ticks = 0;
                self.to = spot(index, spots, &mut self.random).unwrap_or(self.from);
                self.scratch.path(index, self.from, self.to, &query)
            }
        };
        self.ticks += 1;
        self.thinking = matches!(outcome, Ok(Outcome::Unfinished));
        if let Ok(Outcome::Found { .. }) = outcome {
            self.ways += 1;
            self.longest = self.longest.max(self.ticks);
            self.from = self.to;
        }
    }
}

/// The area of a random spot, every square unit as likely as any other.
fn spot(index: &NavIndex, spots: &Spots, random: &mut u64) -> Option<Area> {
    let next = || {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        (*random >> 11) as f64 / (1u64 << 53) as f64
    };
    index.random_point(spots, next).map(|(area, _)| area)
}

/// What a horde came to.
#[derive(Debug)]
pub(crate) struct Thought {
    pub(crate) bots: usize,
    pub(crate) ways: usize,
    /// Ticks that the longest search was spread over.
    pub(crate) longest: usize,
    /// Bytes of the index that all share, and of the memory of one bot.
    pub(crate) shared: usize,
    pub(crate) own: usize,
}

/// Lets `bots` bots think for so many ticks, on all cores.
pub(crate) fn think(path: &str, bots: usize, ticks: usize) -> Result<Thought, Box<dyn Error>> {
    let world = World::open(path, &Policy::default())?;
    let (index, spots) = (world.index(), world.index().spots());
    let mut horde: Vec<Bot> =
        (1..=bots as u64).filter_map(|number| Bot::new(index, &spots, number)).collect();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let share = horde.len().div_ceil(cores).max(1);
    for _ in 0..ticks {
        thread::scope(|threads| {
            for some in horde.chunks_mut(share) {
                threads.spawn(|| some.iter_mut().for_each(|bot| bot.think(index, &spots)));
            }
        });
    }
    Ok(Thought {
        bots: horde.len(),
        ways: horde.iter().map(|bot| bot.ways).sum(),
        longest: horde.iter().map(|bot| bot.longest).max().unwrap_or(0),
        shared: index.bytes(),
        own: horde.first().map_or(0, |bot| bot.scratch.bytes()),
    })
}

#[allow(dead_code)] // a test calls `think` instead
fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "corpus/source/town.nav".into());
    let Thought { bots, ways, longest, shared, own } = think(&path, 1000, 66)?;
    println!("{path}: {bots} bots found {ways} ways, the longest search took {longest} ticks");
    println!("{shared} bytes that all share, {own} for each");
    Ok(())
}
