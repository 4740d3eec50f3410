//! The search that is going on.

use navmap_query::{NavIndex, PathScratch};

/// Whose way is being searched.
#[derive(Debug, Clone)]
pub(crate) struct Searches {
    pub(crate) scratch: PathScratch,
    pub(crate) pops: u32,
    /// Slot and life of the agent whose search has not ended.
    pub(crate) running: Option<(usize, u32)>,
    /// The slot after the last one that was served.
    pub(crate) next: usize,
}

impl Searches {
    pub(crate) fn new(index: &NavIndex, pops: u32) -> Self {
        Self { scratch: PathScratch::new(index), pops: pops.max(1), running: None, next: 0 }
    }

    pub(crate) fn fit(&mut self, index: &NavIndex) {
        self.scratch.fit(index);
        self.running = None;
    }

    /// Drops the search of an agent, whose goal or place is another one now.
    pub(crate) fn give_up(&mut self, slot: usize) {
        self.running = self.running.filter(|(running, _)| *running != slot);
    }
}
