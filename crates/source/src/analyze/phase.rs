//! The parts of an analysis.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A part of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Hiding spots: positions, ids, cover.
    Hiding,
    /// Approach areas: the games of Counter-Strike.
    Approach,
    /// Encounter paths and the spots along them.
    Encounters,
    /// Finding the spots that are good for snipers.
    Snipers,
    /// Visibility between areas.
    Visibility,
    /// The earliest time of either team in each area: the games of Counter-Strike.
    Times,
}

impl Phase {
    /// In the order in which they run.
    pub const ALL: [Self; 6] =
        [Self::Hiding, Self::Approach, Self::Encounters, Self::Snipers, Self::Visibility, Self::Times];

    /// `hiding`, `approach`, `encounters`, `snipers`, `visibility`, `times`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hiding => "hiding",
            Self::Approach => "approach",
            Self::Encounters => "encounters",
            Self::Snipers => "snipers",
            Self::Visibility => "visibility",
            Self::Times => "times",
        }
    }

    /// The phase with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.name() == name)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The progress of an analysis. Another thread may read it, and stop the analysis.
#[derive(Debug, Default)]
pub struct Progress {
    /// Set to end the analysis early, with an error.
    pub stop: AtomicBool,
    /// Areas done in the current phase.
    pub done: AtomicU64,
    /// Areas of that phase.
    pub total: AtomicU64,
    /// The position of the phase in [`Phase::ALL`].
    pub phase: AtomicU64,
}

impl Progress {
    pub(super) fn begin(&self, phase: Phase, total: usize) {
        self.phase.store(Phase::ALL.iter().position(|other| *other == phase).unwrap_or(0) as u64, Relaxed);
        self.done.store(0, Relaxed);
        self.total.store(total as u64, Relaxed);
    }
}
