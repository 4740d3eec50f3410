//! What a tick works on.

use crate::grid::Grid;
use crate::member::Member;
use crate::searches::Searches;
use navmap_query::{NavIndex, PathScratch};

/// The agents, and what a tick needs besides.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) members: Vec<Member>,
    pub(crate) grid: Grid,
    pub(crate) searches: Searches,
    /// For shortcuts and repairs.
    pub(crate) scratch: PathScratch,
    pub(crate) ticks: u64,
    /// Calls of [`Crowd::tick`](crate::Crowd::tick) so far, of which a long one is several moves.
    pub(crate) turns: u64,
    pub(crate) seed: u64,
}

impl State {
    pub(crate) fn new(index: &NavIndex, agents: usize, pops: u32, seed: u64) -> Self {
        Self {
            members: Vec::new(),
            grid: Grid::new(agents.min(1 << 20)),
            searches: Searches::new(index, pops),
            scratch: PathScratch::new(index),
            ticks: 0,
            turns: 0,
            seed,
        }
    }
}
