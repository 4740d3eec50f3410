//! What an analysis may cost. As in the game, its time grows with the square of the areas, and where ways are looked for with the cube.

use super::map::Map;
use crate::buf::SourceBuf;
use navmap_core::Limits;
use navmap_core::error::Result;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What an analysis of a mesh and a map of a megabyte may take, and how many areas may be seen from all of them together. Those of more
/// may take as many times as much as the cube of their megabytes: from each area a way to each large one is looked for. Smaller ones may
/// take as many steps for each byte, and no fewer than those of 16 KiB. 271 areas and a map of 270 KiB of a game take 71 million steps, a
/// 16th of these; in a mesh of 1,448 areas each may see all. Whoever asks may allow another number of steps.
const MOST: u64 = 1 << 32;
const MOST_SEEN: u64 = 1 << 21;
const LEAST_KIB: u64 = 16;
/// The bytes that an area counts for.
const AREA: u64 = 48;

/// The steps for a line or a box through a map. A pair of areas, a sample, or a spot beside a path is one.
pub(super) const TRACE: u64 = 16;
/// Steps of one thread that are not yet counted with those of all.
const FEW: u64 = 1 << 12;

/// What the [limits](navmap_core::ErrorKind::Limit) of an analysis are called: a smaller part of it, or fewer areas, stay below them.
pub const LIMITS: [&str; 3] = [STEPS, SEEN, PATHS];
/// The first of them, which [`AnalyzeOptions::most_steps`](super::AnalyzeOptions::most_steps) raises.
pub const STEPS: &str = "steps of an analysis";
pub(super) const SEEN: &str = "visible areas";
pub(super) const PATHS: &str = "encounter paths";

/// The steps of an analysis so far.
#[derive(Debug)]
pub(super) struct Work {
    steps: AtomicU64,
    allowed: u64,
    seen: AtomicU64,
    allowed_seen: u64,
}

impl Work {
    /// With as many steps as the mesh and the map may take, or as many as are given.
    pub(super) fn of(mesh: &SourceBuf, map: Option<&dyn Map>, most_steps: Option<u64>) -> Self {
        let areas = (mesh.areas.len() as u64).saturating_mul(AREA);
        // A small map can be covered by very many areas.
        let work = Self::within(map.map_or(areas, |map| map.bytes().saturating_add(areas.min(map.bytes()))));
        Self { allowed: most_steps.unwrap_or(work.allowed), ..work }
    }

    fn within(bytes: u64) -> Self {
        let kib = bytes >> 10;
        let large = kib.max(1 << 10);
        let cube = (large.saturating_mul(large) >> 10).saturating_mul(large) >> 10;
        let allowed = (MOST >> 10).saturating_mul(if kib < 1 << 10 { kib.max(LEAST_KIB) } else { cube });
        let allowed_seen = (MOST_SEEN >> 10).saturating_mul(cube);
        Self { steps: AtomicU64::new(0), allowed, seen: AtomicU64::new(0), allowed_seen }
    }

    /// How many areas may be seen from all of them together.
    pub(super) fn allowed_seen(&self) -> u64 {
        self.allowed_seen
    }

    /// Counts the steps of one piece of work, which one thread does.
    pub(super) fn tally(&self) -> Tally<'_> {
        Tally { work: self, steps: Cell::new(0), over: Cell::new(false) }
    }

    /// # Errors
    /// If more steps were taken than may be, or more areas seen.
    pub(super) fn check(&self) -> Result<()> {
        Limits::charge(STEPS, self.steps.load(Relaxed), self.allowed)?;
        Limits::charge(SEEN, self.seen.load(Relaxed), self.allowed_seen)
    }

    /// Whether the analysis will end with an error.
    pub(super) fn is_over(&self) -> bool {
        self.steps.load(Relaxed) > self.allowed || self.seen.load(Relaxed) > self.allowed_seen
    }
}

/// The steps of one thread.
#[derive(Debug)]
pub(super) struct Tally<'w> {
    work: &'w Work,
    steps: Cell<u64>,
    over: Cell<bool>,
}

impl Tally<'_> {
    /// Counts steps. Returns whether more may be taken; if not, the analysis ends with an error, whatever comes of this.
    pub(super) fn add(&self, steps: u64) -> bool {
        let steps = self.steps.get().saturating_add(steps);
        self.steps.set(steps);
        if steps >= FEW {
            self.count();
            self.over.set(self.work.is_over());
        }
        !self.over.get()
    }

    /// Counts areas that are seen.
    pub(super) fn see(&self, areas: usize) {
        self.work.seen.fetch_add(areas as u64, Relaxed);
    }

    /// Whether no more steps may be taken.
    pub(super) fn is_over(&self) -> bool {
        self.work.is_over()
    }

    fn count(&self) {
        self.work.steps.fetch_add(self.steps.replace(0), Relaxed);
    }
}

impl Drop for Tally<'_> {
    fn drop(&mut self) {
        self.count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_may_take_as_long_as_its_bytes_and_beyond_a_megabyte_as_their_cube() {
        let ends = |bytes: u64, steps: u64, seen: usize| {
            let work = Work::within(bytes);
            let tally = work.tally();
            tally.add(steps);
            tally.see(seen);
            drop(tally);
            work.check().map_err(|error| error.to_string())
        };
        assert!(ends(0, MOST / 64, MOST_SEEN as usize).is_ok());
        assert!(ends(0, MOST / 64 + 1, 0).is_err());
        assert!(ends(256 << 10, MOST / 4, 0).is_ok());
        assert!(ends(256 << 10, MOST / 4 + 1, 0).is_err());
        assert!(ends(1 << 20, MOST + 1, 0).unwrap_err().contains("steps of an analysis: "));
        assert!(ends(1 << 20, 0, MOST_SEEN as usize + 1).unwrap_err().contains("visible areas: "));
        assert!(ends(4 << 20, 64 * MOST, 64 * MOST_SEEN as usize).is_ok());
        assert!(ends(4 << 20, 64 * MOST + 1, 0).is_err());
        assert!(ends(u64::MAX, u64::MAX, 1 << 31).is_ok(), "a map that does not tell");
    }

    #[test]
    fn whoever_asks_may_allow_fewer_steps_or_more() {
        let mesh = SourceBuf::new(16, 0);
        for steps in [5, MOST.saturating_mul(9)] {
            let work = Work::of(&mesh, None, Some(steps));
            assert_eq!((work.allowed, work.allowed_seen), (steps, MOST_SEEN));
        }
        assert_eq!(Work::of(&mesh, None, None).allowed, MOST / 64);
    }

    #[test]
    fn steps_that_are_too_many_are_told_while_they_are_taken() {
        let work = Work::within(0);
        let tally = work.tally();
        let taken = (0..MOST).step_by(1 << 20).position(|_| !tally.add(1 << 20));
        assert_eq!(taken, Some((MOST >> 26) as usize));
        assert!(work.is_over() && work.tally().is_over() && !tally.add(1));
    }
}
