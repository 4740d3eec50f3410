//! A running call: our threads read meshes, a few ahead of DuckDB's threads, each of which takes the rows of a whole mesh.

use crate::capi::reason;
use crate::pattern::Pattern;
use navmap_core::threads::locked;
use navmap_open::scan::{Glob, Keep, Scan, path_text};
use navmap_table::{Batch, Mesh, Run, Sheets, Table, write_flag_names};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

/// Meshes whose rows may wait for a thread of DuckDB.
const WAITING: usize = 4;

/// The request of a call.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) table: &'static Table,
    pub(crate) paths: Vec<PathBuf>,
    /// Patterns that a mesh must match, unless its path was named.
    pub(crate) patterns: Vec<Pattern>,
    /// A condition on the path, or on `archive!member`: what does not match it is not opened.
    pub(crate) glob: Option<Glob>,
    pub(crate) deep: bool,
    pub(crate) lenient: bool,
    pub(crate) strict: bool,
}

/// Keeps named meshes and those that match a pattern, if they match the condition too.
#[derive(Debug)]
struct Fitting(Arc<Asked>);

impl Keep for Fitting {
    fn keeps(&self, path: &Path, member: Option<&str>) -> bool {
        let Self(asked) = self;
        let matches = |glob: &Glob| {
            glob.keeps(path, None) || member.is_some_and(|member| glob.keeps(path, Some(member)))
        };
        if !asked.glob.as_ref().is_none_or(matches) {
            return false;
        }
        if asked.patterns.is_empty() {
            return true;
        }
        let text = path_text(path);
        asked.paths.iter().any(|named| path.starts_with(named) || is_in(named, &text, member))
            || asked.patterns.iter().any(|pattern| fits(pattern, &text, member))
    }
}

/// Whether a mesh is the member of an archive that a path names, or lies in it.
fn is_in(named: &Path, path: &str, member: Option<&str>) -> bool {
    let named = path_text(named);
    let inner = named.strip_prefix(path).and_then(|rest| rest.strip_prefix('!'));
    let below = |inner| member.and_then(|member| member.strip_prefix(inner));
    inner.and_then(below).is_some_and(|rest| rest.is_empty() || rest.starts_with(['!', '/']))
}

/// Whether a pattern matches a mesh, by its archive or by `archive!member`.
fn fits(pattern: &Pattern, path: &str, member: Option<&str>) -> bool {
    pattern.fits(path) || member.is_some_and(|member| pattern.fits(&format!("{path}!{member}")))
}

/// What a run has met.
struct Met<'a> {
    asked: &'a Asked,
    /// Meshes in archives that were named: path and member.
    named: HashSet<(String, String)>,
    /// Patterns that no mesh has matched.
    unmatched: Vec<&'a Pattern>,
}

impl<'a> Met<'a> {
    fn new(asked: &'a Asked) -> Self {
        Self { asked, named: HashSet::new(), unmatched: asked.patterns.iter().collect() }
    }

    /// Takes note of a mesh. Whether it is met for the first time: an archive is walked beside a member of it that was named.
    fn is_new(&mut self, path: &str, member: Option<&str>) -> bool {
        self.unmatched.retain(|pattern| !fits(pattern, path, member));
        let Some(inner) = member else { return true };
        let is_named = self.asked.paths.iter().any(|named| is_in(named, path, member));
        !is_named || self.named.insert((path.to_owned(), inner.to_owned()))
    }
}

/// The rows of one mesh.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) batch: Batch,
    pub(crate) path: String,
    pub(crate) member: Option<String>,
    pub(crate) file: u32,
}

/// A running call.
#[derive(Debug)]
pub(crate) struct Scanned {
    table: &'static Table,
    wanted: Vec<Option<usize>>,
    rows: Mutex<Option<Receiver<Rows>>>,
    reader: Mutex<Option<JoinHandle<Result<(), String>>>>,
    pool: Arc<Pool>,
    stop: Arc<AtomicBool>,
}

/// Used batches, to be reused for later meshes.
#[derive(Debug)]
struct Pool {
    empty: Batch,
    batches: Mutex<Vec<Batch>>,
}

impl Pool {
    fn batch(&self) -> Batch {
        locked(&self.batches).pop().unwrap_or_else(|| self.empty.clone())
    }

    fn give_back(&self, mut batch: Batch) {
        batch.clear();
        let mut batches = locked(&self.batches);
        if batches.len() < 2 * WAITING {
            batches.push(batch);
        }
    }
}

impl Scanned {
    /// Starts reading. Only wanted columns are made.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub(crate) fn begin(asked: &Arc<Asked>, wanted: Vec<Option<usize>>) -> Result<Self, String> {
        let table = asked.table;
        let named: Vec<&str> = {
            let columns: Vec<_> = table.all_columns().map(|column| column.name).collect();
            wanted.iter().flatten().filter_map(|at| columns.get(*at).copied()).collect()
        };
        let empty = Batch::new(table, |name| named.contains(&name));
        let pool = Arc::new(Pool { empty, batches: Mutex::default() });
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, rows) = sync_channel(WAITING);
        let (asked, made, stopped) = (Arc::clone(asked), Arc::clone(&pool), Arc::clone(&stop));
        let reader = Builder::new()
            .name("navmap".to_owned())
            .spawn(move || read(&asked, &made, stopped, &sender))
            .map_err(|error| format!("navmap: {error}"))?;
        let (rows, reader) = (Mutex::new(Some(rows)), Mutex::new(Some(reader)));
        Ok(Self { table, wanted, rows, reader, pool, stop })
    }

    pub(crate) fn table(&self) -> &'static Table {
        self.table
    }

    /// For each column of a chunk, the column of the table.
    pub(crate) fn wanted(&self) -> &[Option<usize>] {
        &self.wanted
    }

    /// The rows of the next mesh; `None` at the end, or if none are ready and nobody wants to `wait`.
    ///
    /// # Errors
    /// If reading failed.
    pub(crate) fn next(&self, wait: bool) -> Result<Option<Rows>, String> {
        {
            let rows = locked(&self.rows);
            let Some(rows) = &*rows else { return Ok(None) };
            match if wait { rows.recv().map_err(|_| TryRecvError::Disconnected) } else { rows.try_recv() } {
                Ok(rows) => return Ok(Some(rows)),
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => {}
            }
        }
        match locked(&self.reader).take().map(JoinHandle::join) {
            None | Some(Ok(Ok(()))) => Ok(None),
            Some(Ok(Err(why))) => Err(why),
            Some(Err(panic)) => Err(format!("navmap: {}", reason(&*panic))),
        }
    }

    /// Returns rows for reuse.
    pub(crate) fn give_back(&self, rows: Rows) {
        self.pool.give_back(rows.batch);
    }
}

impl Drop for Scanned {
    /// Reading stops when its statement ends.
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        locked(&self.rows).take();
        if let Some(reader) = locked(&self.reader).take() {
            let _ = reader.join();
        }
    }
}

/// Reads all meshes in their order.
fn read(
    asked: &Arc<Asked>,
    pool: &Pool,
    stop: Arc<AtomicBool>,
    sender: &SyncSender<Rows>,
) -> Result<(), String> {
    let send = |mesh: &Mesh<'_>, batch: &mut Batch| {
        if batch.rows() == 0 {
            return ControlFlow::Continue(());
        }
        let (path, member) = (mesh.path.to_owned(), mesh.member.map(str::to_owned));
        let batch = std::mem::replace(batch, pool.batch());
        match sender.send(Rows { batch, path, member, file: mesh.file }) {
            Ok(()) => ControlFlow::Continue(()),
            // Nobody wants any more.
            Err(_) => ControlFlow::Break(()),
        }
    };
    if !asked.table.is_of_meshes() {
        let written = write_flag_names(&mut |mesh, batch| {
            let _ = send(mesh, batch);
            Ok(())
        });
        return written.map(|_| ()).map_err(|error| format!("navmap: {error}"));
    }
    let mut scan = Scan { deep: asked.deep, stop, ..Scan::new() };
    scan.options.lenient = asked.lenient;
    if !asked.patterns.is_empty() || asked.glob.is_some() {
        scan.keep = Some(Arc::new(Fitting(Arc::clone(asked))));
    }
    let bases = asked.patterns.iter().map(Pattern::base);
    let paths: Vec<PathBuf> = asked.paths.iter().chain(bases).cloned().collect();
    let run = Run::filling(scan, Sheets::from_batches(vec![pool.batch()])).strict(asked.strict);
    let mut met = Met::new(asked);
    let totals = run.run(paths, &mut |mesh, sheets| match sheets.batches_mut().first_mut() {
        Some(batch) if met.is_new(mesh.path, mesh.member) => send(mesh, batch),
        _ => ControlFlow::Continue(()),
    });
    // Otherwise a wrong name would be an empty table.
    match met.unmatched.first() {
        Some(pattern) if asked.glob.is_none() && !totals.stopped => {
            Err(format!("navmap: no mesh fits {}", pattern.text()))
        }
        _ => Ok(()),
    }
}
