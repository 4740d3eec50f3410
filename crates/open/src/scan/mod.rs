//! Many files, many threads, one stream of outcomes.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
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

mod done;
mod glob;
mod maps;
mod mesh;
mod order;
mod sink;
mod work;
mod worker;

pub use done::{Done, path_text};
pub use glob::Glob;
#[doc(hidden)]
pub use maps::OTHER_MAP;
pub use mesh::Each;
pub use sink::{Outcome, Sink, Status};

use crate::open::{Files, Options};
use navmap_core::bytes::room;
use order::Gate;
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread;
use work::Work;
use worker::Worker;

/// What is done with each mesh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Task {
    /// One page is read, and only what the head of the file tells is reported.
    Head,
    /// Every record is visited and counted.
    #[default]
    Survey,
    /// As a survey, and the graph is looked at too: [`Outcome::graph`], of which `components` and `largest_component` join
    /// the counts. Where the file is damaged they are those of what comes before.
    Graph,
    /// Every finding is collected.
    Check,
    /// The file is opened, and nobody but [`Scan::each`] visits it.
    Open,
}

/// Chooses the files and members of a scan.
pub trait Keep: Send + Sync + fmt::Debug {
    /// Whether a file, or a member of an archive, is looked at. A file that is left out is not even opened. An archive is
    /// opened whatever is said of it, and its members are asked for one by one.
    fn keeps(&self, path: &Path, member: Option<&str>) -> bool;
}

/// Counters of a run for a progress display. They only grow.
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
    /// Rows of tables, where the run makes them.
    pub rows: AtomicU64,
}

/// The totals of a run that has ended.
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
/// Archives are folders: their members are shared out between the threads like files, and so are those of an archive that
/// is the only file of the run. An archive that can only be read from front to back (a compressed tar, a 7z) is read by
/// one thread.
///
/// Memory: for each thread the largest file that was read rather than mapped, and the largest member that was inflated on
/// each level of archives in archives; and at most some 8,000 outcomes that wait for their turn. It does not grow with
/// the number of files in folders; for each file that is named by itself some 20 bytes are kept, so that it counts once.
#[derive(Debug, Clone)]
pub struct Scan {
    /// What is done with each mesh.
    pub task: Task,
    /// Worker threads; at least one is used.
    pub threads: usize,
    /// Outcomes in path order (`true`) or as they come.
    pub ordered: bool,
    /// How files are opened, what they are taken for, and what they may cost. The default reads every file; mapping needs
    /// somebody who [vouches](navmap_core::bytes::Mapping).
    pub options: Options,
    /// Tests the first bytes of every member of an archive, instead of choosing members by name.
    pub deep: bool,
    /// Makes something more of each mesh that can be opened.
    pub each: Option<Arc<dyn Each>>,
    /// How many files may be read ahead of the one whose turn it is: with [`ordered`](Self::ordered), what is made of
    /// them waits in memory.
    pub ahead: u64,
    /// Rows of an earlier run, to be skipped.
    pub done: Option<Arc<Done>>,
    /// Leaves out what it does not accept.
    pub keep: Option<Arc<dyn Keep>>,
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
            options: Options::default(),
            deep: false,
            each: None,
            ahead: order::WINDOW,
            done: None,
            keep: None,
            progress: Arc::default(),
            stop: Arc::default(),
        }
    }
}

/// Of a worker's thread: the default of the standard library.
const STACK: usize = 2 << 20;

impl Scan {
    /// Surveys with all cores, in path order, reading every file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Walks `paths` and hands one outcome for each mesh to `sink`. Nothing stops the run but the sink and
    /// [`stop`](Self::stop): what cannot be read is an outcome too.
    ///
    /// `paths` are drawn when they are needed, so they may be a list that is still being written. A path that is listed
    /// and is no mesh, no archive and no folder is an error; other files of a folder are passed over in silence.
    pub fn run<P, I>(&self, paths: I, sink: &mut dyn Sink) -> Totals
    where
        P: Into<PathBuf>,
        I: IntoIterator<Item = P, IntoIter: Send>,
    {
        self.run_with(paths, &|outcome| outcome, &mut |outcome| sink.outcome(outcome))
    }

    /// As [`run`](Self::run), but hands `sink` what `prepare` makes of each outcome. `prepare` runs on the thread that read
    /// the mesh, `sink` on one thread at a time: a run whose rows take as long to format as the files to read uses all of
    /// its threads only if `prepare` formats them.
    pub fn run_with<P, I, T: Send>(
        &self,
        paths: I,
        prepare: &(dyn Fn(Outcome) -> T + Sync),
        sink: &mut (dyn FnMut(T) -> ControlFlow<()> + Send),
    ) -> Totals
    where
        P: Into<PathBuf>,
        I: IntoIterator<Item = P, IntoIter: Send>,
    {
        let prepare = |outcome: Outcome| (Passed::of(&outcome), prepare(outcome));
        let mut sink = |(passed, prepared): (Passed, T)| {
            passed.count(&self.progress);
            sink(prepared)
        };
        let gate = Gate::new(&prepare, &mut sink, self.ordered, self.ahead);
        let work = OnceLock::new();
        thread::scope(|scope| {
            let help = || Worker::new(self, work.wait(), &gate).run();
            // Where there is no room for another thread, those that there are do all the work.
            let helper = |_: usize| {
                room("thread", STACK).ok()?;
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).ok()
            };
            let helpers = (1..self.threads).map_while(helper).count();
            let new = || Work::new(Files::new(paths), helpers.saturating_add(1), &self.stop);
            Worker::new(self, work.get_or_init(new), &gate).run();
        });
        gate.flush();
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
}

/// What is counted of an outcome when it passes to the sink.
struct Passed {
    is_mesh: bool,
    bytes: u64,
    findings: u64,
    failed: bool,
}

impl Passed {
    fn of(outcome: &Outcome) -> Self {
        Self {
            is_mesh: outcome.kind.is_some() || outcome.bytes > 0,
            bytes: outcome.bytes,
            findings: outcome.counted,
            failed: outcome.error.is_some(),
        }
    }

    fn count(&self, progress: &Progress) {
        progress.meshes.fetch_add(u64::from(self.is_mesh), Relaxed);
        progress.bytes.fetch_add(self.bytes, Relaxed);
        progress.findings.fetch_add(self.findings, Relaxed);
        progress.errors.fetch_add(u64::from(self.failed), Relaxed);
    }
}
