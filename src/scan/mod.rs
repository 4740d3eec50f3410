//! Many files, many threads, one stream of outcomes.
//!
//! ```
//! use navmap::scan::{Outcome, Scan};
//! use std::ops::ControlFlow;
//!
//! let mut areas = 0;
//! let totals = Scan::new().run(["corpus/source"], &mut |outcome: Outcome| {
//!     areas += outcome.summary.and_then(|s| s.counts.get("areas")).unwrap_or(0);
//!     ControlFlow::Continue(())
//! });
//! assert!(areas > 0 && totals.meshes > 10);
//! ```

#![forbid(unsafe_code)]

mod order;
mod sink;
mod walk;
mod worker;

pub use sink::{Outcome, Sink, Status};
pub use walk::{Found, Walk};

use crate::bytes::Opener;
use crate::format::Options;
use order::Gate;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What is done with each mesh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Task {
    /// One page is read, and only what the head of the file tells is reported.
    Head,
    /// Every record is visited and counted.
    #[default]
    Survey,
    /// Every finding is collected.
    Check,
}

/// What a run is at, for whoever watches it: counters that only grow.
#[derive(Debug, Default)]
pub struct Progress {
    /// Files looked at, meshes or not.
    pub files: AtomicU64,
    /// Meshes among them, readable or not.
    pub meshes: AtomicU64,
    /// Bytes of these meshes.
    pub bytes: AtomicU64,
    /// Findings that count.
    pub findings: AtomicU64,
    /// Meshes, files and folders that could not be read.
    pub errors: AtomicU64,
}

/// What a run came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Files looked at, meshes or not.
    pub files: u64,
    /// Meshes among them, readable or not.
    pub meshes: u64,
    /// Bytes of these meshes.
    pub bytes: u64,
    /// Findings that count.
    pub findings: u64,
    /// Meshes, files and folders that could not be read.
    pub errors: u64,
    /// Whether the run was stopped before its end.
    pub stopped: bool,
}

/// A scan: what to do, with how many threads, in which order. Cheap to make, and may be run many times.
///
/// Memory: for each thread one buffer of the size of the largest file that was read rather than mapped, and the outcomes
/// of at most 4,096 files that wait for their turn.
#[derive(Debug, Clone)]
pub struct Scan {
    /// What is done with each mesh.
    pub task: Task,
    /// Worker threads; at least one is used.
    pub threads: usize,
    /// Outcomes in path order (`true`) or as they come.
    pub ordered: bool,
    /// How files are opened. The default reads them; mapping needs somebody who [vouches](crate::bytes::Mapping).
    pub opener: Opener,
    /// How meshes are parsed.
    pub options: Options,
    /// Counters to watch the run by.
    pub progress: Arc<Progress>,
    /// Set it to end the run early.
    pub stop: Arc<AtomicBool>,
}

impl Default for Scan {
    fn default() -> Self {
        Self {
            task: Task::default(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            ordered: true,
            opener: Opener::reading(),
            options: Options::default(),
            progress: Arc::default(),
            stop: Arc::default(),
        }
    }
}

impl Scan {
    /// Surveys with all cores, in path order, reading every file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Walks `paths` and hands one outcome for each mesh to `sink`. Nothing stops the run but the sink and
    /// [`stop`](Self::stop): what cannot be read is an outcome too.
    pub fn run<P: Into<PathBuf>>(&self, paths: impl IntoIterator<Item = P>, sink: &mut dyn Sink) -> Totals {
        let mut counting = Counting { progress: &self.progress, sink };
        let gate = Gate::new(&mut counting, self.ordered);
        let queue = Mutex::new(Queue { walk: Walk::new(paths), taken: 0 });
        thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| self.work(&queue, &gate));
            }
            self.work(&queue, &gate);
        });
        let count = |counter: &AtomicU64| counter.load(Relaxed);
        Totals {
            files: count(&self.progress.files),
            meshes: count(&self.progress.meshes),
            bytes: count(&self.progress.bytes),
            findings: count(&self.progress.findings),
            errors: count(&self.progress.errors),
            stopped: self.stop.load(Relaxed),
        }
    }

    fn work(&self, queue: &Mutex<Queue>, gate: &Gate<'_>) {
        let mut worker = worker::Worker::new(self.task, self.opener, self.options);
        let mut share = Vec::new();
        loop {
            let first = queue.lock().unwrap_or_else(PoisonError::into_inner).share(self.threads, &mut share);
            if share.is_empty() {
                return;
            }
            for (file, found) in (first..).zip(share.drain(..)) {
                if self.stop.load(Relaxed) {
                    gate.close();
                    return;
                }
                let batch = worker.look(found);
                self.progress.files.fetch_add(1, Relaxed);
                if !gate.pass(file, batch) {
                    self.stop.store(true, Relaxed);
                    return;
                }
            }
        }
    }
}

/// The walk, which all workers draw from.
struct Queue {
    walk: Walk,
    taken: u64,
}

impl Queue {
    /// Takes the next files: several while many are known, so that the lock is taken seldom, but one by one towards the
    /// end, so that no worker sits on files that another could do. Returns the number of the first.
    fn share(&mut self, threads: usize, share: &mut Vec<crate::Result<Found>>) -> u64 {
        let first = self.taken;
        let fair = self.walk.known() / threads.max(1) / 4;
        share.extend(self.walk.by_ref().take(fair.clamp(1, 16)));
        self.taken = first.saturating_add(share.len() as u64);
        first
    }
}

/// Counts what passes on its way to the sink.
struct Counting<'s> {
    progress: &'s Progress,
    sink: &'s mut dyn Sink,
}

impl Sink for Counting<'_> {
    fn outcome(&mut self, outcome: Outcome) -> std::ops::ControlFlow<()> {
        let is_mesh = outcome.family.is_some() || outcome.bytes > 0;
        self.progress.meshes.fetch_add(u64::from(is_mesh), Relaxed);
        self.progress.bytes.fetch_add(outcome.bytes, Relaxed);
        self.progress.findings.fetch_add(outcome.counted, Relaxed);
        self.progress.errors.fetch_add(u64::from(outcome.error.is_some()), Relaxed);
        self.sink.outcome(outcome)
    }
}
