//! What traces may cost together. A map whose tree is fine or deep, or whose leaves all have many brushes, makes each trace a hundred times
//! as long.

use navmap_core::Limits;
use navmap_core::error::Result;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Nodes of the tree, brushes and sides in the leaves that any trace may go through, and eight for each leaf of Source. Only what goes
/// beyond counts. In maps of games a trace goes through 40, and the longest through 765.
const FREE: u64 = 256;
/// The same for those who ask for single traces, for as long as a server runs, and may never ask how many steps they took: no map of a
/// game has a trace so long.
const FREE_ALONE: u64 = 1 << 20;
/// What all traces together may take, for any map and for each byte of it. Where ground is explored, all of it counts: maps of games of less
/// than a megabyte take 40,000,000 steps.
const MOST: u64 = 1 << 27;
const OF_BYTE: u64 = 32;
/// For each byte beyond so many.
const SMALL: u64 = 1 << 20;
const OF_MORE: u64 = 1_024;
/// For each node that may be explored, if that is more.
const OF_NODE: u64 = 512;

/// What the [limit](navmap_core::ErrorKind::Limit) of the traces of an analysis is called.
pub const LONG_TRACES: &str = "steps of long traces";
/// What that of the traces of an exploration of ground is called.
pub const ALL_TRACES: &str = "steps of all traces";

/// The steps of traces so far.
#[derive(Debug, Default)]
pub(super) struct Spent {
    steps: AtomicU64,
    /// What is free for each trace now, and what all may take.
    free: AtomicU64,
    allowed: AtomicU64,
    usual: u64,
}

impl Clone for Spent {
    fn clone(&self) -> Self {
        let copy = |of: &AtomicU64| AtomicU64::new(of.load(Relaxed));
        Self {
            steps: copy(&self.steps),
            free: copy(&self.free),
            allowed: copy(&self.allowed),
            usual: self.usual,
        }
    }
}

impl Spent {
    /// Of a map of so many bytes.
    pub(super) fn of(bytes: u64) -> Self {
        let small = bytes.min(SMALL).saturating_mul(OF_BYTE);
        let more = bytes.saturating_sub(SMALL).saturating_mul(OF_MORE);
        let usual = MOST.saturating_add(small).saturating_add(more);
        Self {
            steps: AtomicU64::new(0),
            free: AtomicU64::new(FREE_ALONE),
            allowed: AtomicU64::new(usual),
            usual,
        }
    }

    /// Counts a trace of so many steps.
    pub(super) fn add(&self, steps: u64) {
        let more = steps.saturating_sub(self.free.load(Relaxed));
        if more > 0 {
            self.steps.fetch_add(more, Relaxed);
        }
    }

    /// Whether no trace is worth its time any more.
    pub(super) fn is_over(&self) -> bool {
        self.steps.load(Relaxed) > self.allowed.load(Relaxed)
    }

    /// Begins anew, and counts long traces: a mesh is analysed.
    pub(super) fn analyze(&self) {
        self.begin(FREE, self.usual);
    }

    /// Begins anew, and counts all steps: ground of so many nodes at most is explored.
    pub(super) fn explore(&self, most_nodes: u32) {
        self.begin(0, self.usual.max(u64::from(most_nodes).saturating_mul(OF_NODE)));
    }

    /// Ends an analysis or an exploration: a map that is kept answers one question after the other.
    ///
    /// # Errors
    /// If traces took more steps than they may since the last call.
    pub(super) fn check(&self) -> Result<()> {
        let what = match self.free.load(Relaxed) {
            0 => ALL_TRACES,
            _ => LONG_TRACES,
        };
        let (steps, allowed) = (self.steps.load(Relaxed), self.allowed.load(Relaxed));
        self.begin(FREE_ALONE, self.usual);
        Limits::charge(what, steps, allowed)
    }

    fn begin(&self, free: u64, allowed: u64) {
        self.steps.store(0, Relaxed);
        self.free.store(free, Relaxed);
        self.allowed.store(allowed, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_analyses_and_explorations_count_what_traces_through_maps_of_games_take() {
        let spent = Spent::of(1 << 20);
        let many = |steps: u64| (0..2_000_000).for_each(|_| spent.add(steps));
        let ended = || spent.check().map_err(|error| error.to_string());
        many(5_000);
        assert!(!spent.is_over() && ended().is_ok());
        spent.analyze();
        many(FREE);
        assert!(!spent.is_over());
        many(5_000);
        assert!(spent.is_over() && ended().unwrap_err().contains("steps of long traces"));
        many(5_000);
        assert!(!spent.is_over(), "the analysis has ended");
        spent.explore(1);
        many(FREE);
        assert!(spent.is_over() && ended().unwrap_err().contains("steps of all traces"));
        assert!(!spent.is_over() && ended().is_ok());
    }
}
