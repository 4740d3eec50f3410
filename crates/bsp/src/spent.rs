//! What long traces may cost together. A map whose leaves all have many brushes makes each trace thousands of times as long.

use navmap_core::Limits;
use navmap_core::error::Result;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Brushes and sides in the leaves that any trace may go through, and eight for each leaf. Only what goes beyond counts.
const FREE: u64 = 4_096;
/// What goes beyond that in all traces together, for any map and for each byte of it.
const MOST: u64 = 1 << 26;
const OF_BYTE: u64 = 64;

/// The steps of long traces so far.
#[derive(Debug, Default)]
pub(super) struct Spent {
    steps: AtomicU64,
    allowed: u64,
}

impl Clone for Spent {
    fn clone(&self) -> Self {
        Self { steps: AtomicU64::new(self.steps.load(Relaxed)), allowed: self.allowed }
    }
}

impl Spent {
    /// Of a map of so many bytes.
    pub(super) fn of(bytes: u64) -> Self {
        Self { steps: AtomicU64::new(0), allowed: MOST.saturating_add(bytes.saturating_mul(OF_BYTE)) }
    }

    /// Counts a trace of so many steps.
    pub(super) fn add(&self, steps: u64) {
        if let Some(more) = steps.checked_sub(FREE) {
            self.steps.fetch_add(more, Relaxed);
        }
    }

    /// Whether no trace is worth its time any more.
    pub(super) fn is_over(&self) -> bool {
        self.steps.load(Relaxed) > self.allowed
    }

    /// Begins anew: a map that is kept answers one question after the other.
    ///
    /// # Errors
    /// If traces took more steps than they may since the last call.
    pub(super) fn check(&self) -> Result<()> {
        Limits::charge("steps of long traces", self.steps.swap(0, Relaxed), self.allowed)
    }
}
