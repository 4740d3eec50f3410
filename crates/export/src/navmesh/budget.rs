//! What joining and cutting polygons may cost. Pairs of edges, corners and floors are compared, and a small file can be made so that
//! each has to be compared with each.

use navmap_core::error::{Error, ErrorKind, Result};
use std::cell::Cell;

/// Comparisons of edges, corners and floors that any mesh may cost.
const FEW: u64 = 8 << 20;
/// As many more for each node and link.
const OF_EACH: u64 = 64;

/// Comparisons, counted in all steps of an export.
#[derive(Debug)]
pub(super) struct Budget {
    spent: Cell<u64>,
    most: u64,
}

impl Budget {
    /// What a graph of so many nodes and links may cost.
    pub(super) fn new(nodes: usize, links: usize) -> Self {
        let items = nodes.saturating_add(links) as u64;
        Self { spent: Cell::new(0), most: FEW.saturating_add(items.saturating_mul(OF_EACH)) }
    }

    /// Counts so many comparisons. Returns whether they may be made.
    pub(super) fn takes(&self, more: usize) -> bool {
        self.spent.set(self.spent.get().saturating_add(more as u64));
        self.spent.get() <= self.most
    }

    /// Fails if more was asked for than may be spent.
    pub(super) fn held(&self) -> Result<()> {
        match self.spent.get() {
            spent if spent <= self.most => Ok(()),
            asked => {
                let what = "comparisons of edges and floors of polygons";
                Err(Error::new(ErrorKind::Limit { what, asked, allowed: self.most }))
            }
        }
    }
}
