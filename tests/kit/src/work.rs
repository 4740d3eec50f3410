//! How long the calling thread has worked: what a test may bound on a machine that others use as well.

use std::time::{Duration, Instant};

/// A watch that stands still while the thread waits for a core.
#[derive(Debug)]
pub struct Work {
    begun: Instant,
    worked: Option<Duration>,
}

impl Work {
    /// Starts.
    pub fn start() -> Self {
        Self { begun: Instant::now(), worked: on_a_core() }
    }

    /// The time on a core since the start. Where the system does not tell, the time by the clock.
    pub fn time(&self) -> Duration {
        match self.worked.zip(on_a_core()) {
            Some((before, now)) => now.saturating_sub(before),
            None => self.begun.elapsed(),
        }
    }
}

/// The time that this thread has been on a core: the first number of its `schedstat`, nanoseconds.
fn on_a_core() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
