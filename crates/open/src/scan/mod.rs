//! Scans many files on many threads into one stream of outcomes.
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

pub use done::Done;
pub use glob::Glob;
#[doc(hidden)]
pub use maps::OTHER_MAP;
pub use mesh::{Ahead, Each, FINDINGS_AT_ONCE, Made};
pub use navmap_core::text::path_text;
pub use sink::{More, Outcome, Sink, Status};
pub(crate) use worker::is_for_one;

use crate::open::{Files, OpenOptions};
use navmap_core::bytes::room;
use navmap_core::threads::{lend, lent};
use order::Gate;
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread;
use work::Work;
use worker::Worker;

/// What a scan does with each mesh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Task {
    /// Reads one page, and reports only the facts in the head of the file.
    Head,
    /// Visits and counts every record.
    #[default]
    Survey,
    /// Like a survey, but also reads the graph: [`Outcome::graph`], of which `components` and `largest_component` are added to
    /// the counts. For a damaged file they describe the part before the damage.
    Graph,
    /// Every finding is collected.
    Check,
    /// Opens the file; only [`Scan::each`] visits it.
    Open,
}

/// Chooses the files and members of a scan.
pub trait Keep: Send + Sync + fmt::Debug {
    /// Whether to read a file, or a member of an archive. A rejected file is not even opened. An archive is always opened, and
    /// its members are checked one by one.
    fn keeps(&self, path: &Path, member: Option<&str>) -> bool;
}

/// Names files that are copies by their originals.
pub trait Originals: Send + Sync + fmt::Debug {
    /// Puts the original into an outcome: its path and that of its error, and why it was not copied if that is the error.
    fn name(&self, outcome: &mut Outcome);
}

/// Counters of a run for a progress display. They only grow.
#[derive(Debug, Default)]
pub struct Progress {
    /// Files opened, whether meshes or not.
    pub files: AtomicU64,
    /// Meshes among them, including unreadable ones.
    pub meshes: AtomicU64,
    /// Bytes of these meshes.
    pub bytes: AtomicU64,
    /// Findings that count.
    pub findings: AtomicU64,
    /// Meshes, files and folders that could not be read.
    pub errors: AtomicU64,
    /// Members among them that were named, and that their archives do not hold.
    pub missing: AtomicU64,
    /// Rows of tables, if the run makes any.
    pub rows: AtomicU64,
}

/// The totals of a run that has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Files opened, whether meshes or not.
    pub files: u64,
    /// Meshes among them, including unreadable ones.
    pub meshes: u64,
    /// Bytes of these meshes.
    pub bytes: u64,
    /// Findings that count.
    pub findings: u64,
    /// Meshes, files and folders that could not be read.
    pub errors: u64,
    /// Members among them that were named, and that their archives do not hold.
    pub missing: u64,
    /// Whether the run was stopped before its end.
    pub stopped: bool,
}

/// A scan: the task, the number of threads, the order. Cheap to make, and can be run many times.
///
/// Archives are treated as folders: their members are divided among the threads like files, even if the archive is the only file
/// of the run. An archive that can only be read from front to back (a compressed tar, a 7z) is read by one thread.
///
/// Memory: for each thread the largest file that was read rather than mapped, and the largest member that was inflated on
/// each level of archives in archives; and at most some 8,000 outcomes that wait for their turn. It does not grow with
/// the number of files in folders; for each file that is named by itself 19 to 39 bytes are kept, so that it counts once.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::scan::{Outcome, Scan};
/// use std::ops::ControlFlow;
///
/// let totals = Scan::new().run(["corpus/source"], &mut |outcome: Outcome| {
///     println!("{}: {:?}", outcome.path.display(), outcome.status());
///     ControlFlow::Continue(())
/// });
/// assert!(totals.meshes > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scan {
    /// What to do with each mesh.
    pub task: Task,
    /// Worker threads; at least one is used.
    pub threads: usize,
    /// Outcomes in path order (`true`) or as they come.
    pub ordered: bool,
    /// How files are opened, what they are taken for, and the limits on their cost. The default reads every file; mapping needs
    /// somebody who [vouches](navmap_core::bytes::Mapping) for them.
    pub options: OpenOptions,
    /// Tests the first bytes of every archive member, instead of choosing members by name.
    pub deep: bool,
    /// Makes something more from each mesh that can be opened.
    pub each: Option<Arc<dyn Each>>,
    /// The most files read ahead of the one whose turn it is. If [`ordered`](Self::ordered), their results wait in memory.
    pub ahead: u64,
    /// Rows of an earlier run, to be skipped.
    pub done: Option<Arc<Done>>,
    /// Chooses files and members; the others are left out.
    pub keep: Option<Arc<dyn Keep>>,
    /// Names files that are copies, such as those of an object store, in each outcome. [`keep`](Self::keep) and
    /// [`each`](Self::each) are asked by the path of the copy.
    pub originals: Option<Arc<dyn Originals>>,
    /// Counters for watching the run.
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
            options: OpenOptions::default(),
            deep: false,
            each: None,
            ahead: order::WINDOW,
            done: None,
            keep: None,
            originals: None,
            progress: Arc::default(),
            stop: Arc::default(),
        }
    }
}

/// The stack of a worker thread: the default of the standard library.
const STACK: usize = 2 << 20;

impl Scan {
    /// A survey on all cores, in path order, that reads every file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Walks `paths` and hands one outcome for each mesh to `sink`. Only the sink and [`stop`](Self::stop) end the run early:
    /// unreadable files are outcomes too.
    ///
    /// `paths` are taken when they are needed, so they may be a list that is still being written. A path is a file, a folder, an
    /// archive, `archive!member` or `-` for standard input. A listed path that is not a mesh, an archive or a folder is an error;
    /// such files in a folder are skipped silently.
    pub fn run<P, I>(&self, paths: I, sink: &mut dyn Sink) -> Totals
    where
        P: Into<PathBuf>,
        I: IntoIterator<Item = P, IntoIter: Send>,
    {
        self.run_with(paths, &|outcome| outcome, &mut |outcome| sink.outcome(outcome))
    }

    /// Like [`run`](Self::run), but hands `sink` the result of `prepare` for each outcome. `prepare` runs on the thread that read
    /// the mesh, `sink` on one thread at a time. If formatting rows takes as long as reading files, do it in `prepare` to use all
    /// threads.
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
        let prepare = |mut outcome: Outcome| {
            if let Some(originals) = &self.originals {
                originals.name(&mut outcome);
            }
            (Passed::new(&outcome), prepare(outcome))
        };
        let mut sink = |(passed, prepared): (Passed, T)| {
            passed.count(&self.progress);
            sink(prepared)
        };
        let mut paths = paths.into_iter();
        let only: Option<PathBuf> =
            if paths.size_hint().1 == Some(1) { paths.next().map(P::into) } else { None };
        let threads = if only.as_deref().is_some_and(worker::is_for_one) { 1 } else { self.threads };
        let paths = only.into_iter().chain(paths.map(P::into));
        let gate = Gate::new(&prepare, &mut sink, self.ordered, self.ahead);
        let work = OnceLock::new();
        let pool = lent();
        thread::scope(|scope| {
            let help = || lend(pool, || Worker::new(self, work.wait(), &gate).run());
            // If memory does not allow another thread, the existing ones do all the work.
            let helper = |_: usize| {
                room("thread", STACK).ok()?;
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).ok()
            };
            let helpers = (1..threads).map_while(helper).count();
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
            missing: count(&self.progress.missing),
            stopped: self.stop.load(Relaxed),
        }
    }
}

/// Counts an outcome when it passes to the sink.
struct Passed {
    is_mesh: bool,
    bytes: u64,
    findings: u64,
    failed: bool,
    missing: bool,
}

impl Passed {
    fn new(outcome: &Outcome) -> Self {
        Self {
            is_mesh: !outcome.continues && (outcome.kind.is_some() || outcome.bytes > 0),
            bytes: outcome.bytes,
            findings: outcome.counted,
            failed: outcome.error.is_some(),
            missing: outcome.missing,
        }
    }

    fn count(&self, progress: &Progress) {
        progress.meshes.fetch_add(u64::from(self.is_mesh), Relaxed);
        progress.bytes.fetch_add(self.bytes, Relaxed);
        progress.findings.fetch_add(self.findings, Relaxed);
        progress.errors.fetch_add(u64::from(self.failed), Relaxed);
        progress.missing.fetch_add(u64::from(self.missing), Relaxed);
    }
}
