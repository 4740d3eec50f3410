//! Many files: one outcome per mesh.

use crate::outcome::Outcome;
use crate::remote::{Brought, KeepOriginals};
use crate::store::{self, Order};
use crate::table::{self, Table};
use crate::take::{Names, Several};
use crate::threads::{beside, process};
use navmap::Error;
use navmap::open::OpenOptions;
use navmap::scan::{
    Glob, Keep, Originals, Outcome as Scanned, Progress, Scan as Scanner, Task, Totals, path_text,
};
use navmap::table::TABLES;
use navmap::threads::locked;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::HashSet;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Outcomes that wait for Python.
const WAITING: usize = 256;

/// Between two looks at the keyboard, and two reports of progress.
const TICK: Duration = Duration::from_millis(50);

/// Reads every mesh of files, folders and archives. Iterating runs the scan, and iterating again runs it again.
///
/// A path may be the address of an object store or a server, such as `s3://bucket/maps` or `https://host/maps/`: whatever fsspec reads. Each
/// run brings the meshes anew, into a folder for temporary files; of other files, and with the task 'head' of all meshes, it reads the first
/// page, as a range. Rows and errors have the address as their path.
///
/// `task` is 'survey' (every record is visited and counted), 'head' (one page is read), 'check' (every finding is
/// collected) or 'graph' (islands too). `glob` leaves out what does not match it: it is matched against the whole path, of
/// members as `archive!member`; `*` matches any characters, and `?` any one. `only` leaves out what is not in a list of
/// such places. `threads` is the number of cores if it is not given.
/// `progress` is True, False, a callable that takes (files, meshes, bytes, errors, done), or None, which shows it in a
/// terminal or a notebook.
///
/// What cannot be read is an outcome, not an exception. Ctrl-C ends the scan.
///
/// >>> scan = navmap.scan("corpus/quake")
/// >>> all(outcome.family == "quake" for outcome in scan)
/// True
/// >>> sum(outcome.counts["nodes"] for outcome in scan) > 100
/// True
#[pyfunction]
#[pyo3(signature = (paths, *, task = "survey", glob = None, only = None, threads = None, ordered = true, deep = false, lenient = false, progress = None))]
#[allow(clippy::too_many_arguments)] // each of them is one word in Python
pub(crate) fn scan(
    paths: Several,
    task: &str,
    glob: Option<String>,
    only: Option<Vec<String>>,
    threads: Option<usize>,
    ordered: bool,
    deep: bool,
    lenient: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Scan> {
    let task = match task {
        "survey" => Task::Survey,
        "head" => Task::Head,
        "check" => Task::Check,
        "graph" => Task::Graph,
        other => {
            let why = "the tasks are 'survey', 'head', 'check' and 'graph'";
            return Err(PyValueError::new_err(format!("there is no task '{other}'; {why}")));
        }
    };
    if threads == Some(0) {
        return Err(PyValueError::new_err("threads is at least 1"));
    }
    let asked = Asked {
        paths: paths.0,
        task,
        glob,
        narrowed: Vec::new(),
        only: only.map(|only| Arc::new(only.into_iter().collect())),
        threads,
        ordered,
        deep,
        lenient,
        brought: None,
    };
    Ok(Scan { asked, progress })
}

/// A function, and what makes the scan again when it is handed to it.
type Remade<'py> = (Bound<'py, PyAny>, (Vec<OsString>, Bound<'py, PyDict>));

/// What a scan was asked for.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) task: Task,
    pub(crate) glob: Option<String>,
    /// More patterns, all of which have to fit.
    pub(crate) narrowed: Vec<String>,
    /// The places that are looked at: paths, and `archive!member`.
    pub(crate) only: Option<Arc<HashSet<String>>>,
    pub(crate) threads: Option<usize>,
    pub(crate) ordered: bool,
    pub(crate) deep: bool,
    pub(crate) lenient: bool,
    /// Copies of what lies at addresses, for the length of a run.
    pub(crate) brought: Option<Arc<Brought>>,
}

impl Asked {
    /// The request over files of this machine: what lies at addresses is brought.
    ///
    /// # Errors
    /// Those of [`Brought::bring`].
    pub(crate) fn bring(&self, py: Python<'_>) -> PyResult<Self> {
        let brought = Brought::bring(py, &self.paths, self.task == Task::Head, self.keep())?;
        let paths = brought.as_ref().map_or_else(|| self.paths.clone(), |brought| brought.paths.clone());
        Ok(Self { paths, brought, ..self.clone() })
    }

    /// Nothing, if every path names something.
    ///
    /// # Errors
    /// If one does not: otherwise a wrong name would be an empty table.
    pub(crate) fn found(&self) -> Result<(), Error> {
        self.paths.iter().try_for_each(|path| {
            let found = path.symlink_metadata().map(drop);
            found.map_err(|error| self.fault(Error::from(error).in_file(path)))
        })
    }

    /// An error of a copy as one of what lies at its address.
    fn fault(&self, error: Error) -> Error {
        match &self.brought {
            Some(brought) => brought.fault(error),
            None => error,
        }
    }

    fn keep(&self) -> Option<Arc<dyn Keep>> {
        let globs: Vec<Glob> = self.glob.iter().chain(&self.narrowed).cloned().map(Glob::new).collect();
        let only = self.only.clone();
        (!globs.is_empty() || only.is_some()).then(|| Arc::new(Fitting { globs, only }) as Arc<dyn Keep>)
    }

    /// The arguments of `navmap.scan` that ask for this again.
    pub(crate) fn pickled<'py>(&self, py: Python<'py>) -> PyResult<(Vec<OsString>, Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        let task = match self.task {
            Task::Head => "head",
            Task::Check => "check",
            Task::Graph => "graph",
            Task::Survey | Task::Open => "survey",
        };
        options.set_item("task", task)?;
        options.set_item("glob", self.glob.as_deref())?;
        let only = self.only.as_ref().map(|only| only.iter().cloned().collect::<Vec<String>>());
        options.set_item("only", only)?;
        options.set_item("threads", self.threads)?;
        options.set_item("ordered", self.ordered)?;
        options.set_item("deep", self.deep)?;
        options.set_item("lenient", self.lenient)?;
        // As text: a path of Python makes one slash of two, and of an address another.
        let paths = self.paths.iter().map(|path| path.as_os_str().to_owned()).collect();
        Ok((paths, options))
    }

    /// The scan of the library. No file is mapped.
    pub(crate) fn scan(&self) -> Scanner {
        let own = Scanner::new();
        Scanner {
            task: self.task,
            threads: self.threads.unwrap_or(own.threads),
            ordered: self.ordered,
            deep: self.deep,
            keep: match (self.keep(), self.brought.clone()) {
                (Some(keep), Some(brought)) => Some(Arc::new(KeepOriginals { keep, brought })),
                (keep, _) => keep,
            },
            originals: self.brought.clone().map(|brought| brought as Arc<dyn Originals>),
            options: OpenOptions { lenient: self.lenient, ..OpenOptions::new() },
            ..own
        }
    }
}

/// Files and members whose place fits all patterns, and is among those that were named.
#[derive(Debug)]
struct Fitting {
    globs: Vec<Glob>,
    only: Option<Arc<HashSet<String>>>,
}

impl Keep for Fitting {
    fn keeps(&self, path: &Path, member: Option<&str>) -> bool {
        let place = || match member {
            Some(member) => format!("{}!{member}", path_text(path)),
            None => path_text(path).into_owned(),
        };
        self.globs.iter().all(|glob| glob.keeps(path, member))
            && self.only.as_ref().is_none_or(|only| only.contains(&place()))
    }
}

/// A scan that has been asked for. See `navmap.scan`.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Scan {
    pub(crate) asked: Asked,
    progress: Option<Py<PyAny>>,
}

#[pymethods]
impl Scan {
    fn __iter__(&self, py: Python<'_>) -> PyResult<Outcomes> {
        let progress = self.progress.as_ref().map(|progress| progress.bind(py).clone());
        let report = py.import("navmap._progress")?.getattr("reporter")?.call1((progress,))?;
        let report = (!report.is_none()).then(|| report.unbind());
        Outcomes::start(&self.asked.bring(py)?, report)
    }

    /// A table over the meshes of this scan, by its name or, of Source, its short name: 'areas', 'quake_links'.
    fn table(&self, name: &str) -> PyResult<Table> {
        table::named(name).map(|table| Table::new(self.asked.clone(), table))
    }

    /// The names of all tables.
    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        TABLES.iter().map(|table| table.name).collect()
    }

    /// Writes tables over the meshes of this scan into a folder, as `navmap tables` does: a file for each, `source_areas.csv`.
    /// Without names it is all of them but the large ones. `format` is 'csv', 'jsonl' or 'arrow'. Files that exist are
    /// replaced with `force` alone. Returns the numbers of tables with rows, of rows and bytes, and of meshes with errors.
    ///
    /// With `update`, a table is a folder of parts, and only those parts are written again whose files have come, gone or changed
    /// since the last time; meshes keep their numbers in the column `file`. Then it returns how many files have changed, how
    /// many parts and rows were written, and the meshes with errors among them. What an update that was stopped has written
    /// stays, and the next one goes on behind it. A path that cannot be listed is an OSError, and nothing is changed.
    ///
    /// >>> import tempfile
    /// >>> folder = tempfile.mkdtemp()
    /// >>> scan = navmap.scan("corpus/source")
    /// >>> scan.write_tables(folder, ["areas"], update=True)["rows"] > 100
    /// True
    /// >>> scan.write_tables(folder, ["areas"], update=True)["rows"]
    /// 0
    #[pyo3(signature = (folder, tables = None, *, format = "csv", update = false, force = false))]
    fn write_tables<'py>(
        &self,
        py: Python<'py>,
        folder: PathBuf,
        tables: Option<Names>,
        format: &str,
        update: bool,
        force: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let order = Order::new(folder, tables.map(Vec::from), format, force)?;
        let done = PyDict::new(py);
        let counts = store::write(py, &self.asked, order, update)?;
        counts.iter().try_for_each(|(name, count)| done.set_item(name, count))?;
        Ok(done)
    }

    /// `scan.areas` is `scan.table("areas")`.
    fn __getattr__(&self, name: &str) -> PyResult<Table> {
        self.table(name)
    }

    fn __dir__<'py>(this: &Bound<'py, Self>) -> PyResult<Vec<String>> {
        let own = this.py().get_type::<Self>().dir()?;
        let mut names: Vec<String> = own.iter().map(|name| name.extract()).collect::<PyResult<_>>()?;
        let tables = TABLES.iter().flat_map(|table| [Some(table.name), table.short_name()]).flatten();
        names.extend(tables.map(str::to_owned));
        Ok(names)
    }

    /// Pickles as what was asked for, without `progress`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Remade<'py>> {
        Ok((py.import("navmap")?.getattr("_scan")?, self.asked.pickled(py)?))
    }

    /// What a notebook shows: the meshes, of which the first hundred are opened.
    fn _repr_html_(this: &Bound<'_, Self>) -> PyResult<String> {
        this.py().import("navmap._frames")?.getattr("scan_html")?.call1((this,))?.extract()
    }

    fn __repr__(&self) -> String {
        let paths: Vec<String> =
            self.asked.paths.iter().map(|path| format!("{:?}", path_text(path))).collect();
        format!("<Scan of {}>", paths.join(", "))
    }
}

enum Message {
    Outcome(Box<Scanned>),
    End(Totals),
}

/// The outcomes of a scan that is under way.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Outcomes {
    messages: Mutex<Option<Receiver<Message>>>,
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
    report: Option<Py<PyAny>>,
    reported: Mutex<Option<Instant>>,
    totals: Mutex<Option<Totals>>,
    /// The process whose thread runs the scan. A fork has its locks as they were, and nobody to free them.
    process: u32,
}

impl Outcomes {
    fn start(asked: &Asked, report: Option<Py<PyAny>>) -> PyResult<Self> {
        let scan = asked.scan();
        let (stop, progress) = (Arc::clone(&scan.stop), Arc::clone(&scan.progress));
        let (send, messages) = sync_channel(WAITING);
        let paths = asked.paths.clone();
        let work = move || {
            let mut sink = |outcome: Scanned| match send.send(Message::Outcome(Box::new(outcome))) {
                Ok(()) => ControlFlow::Continue(()),
                // Nobody listens any more.
                Err(_) => ControlFlow::Break(()),
            };
            let totals = beside(|| scan.run(paths, &mut sink));
            let _ = send.send(Message::End(totals));
        };
        thread::Builder::new().name("navmap-scan".to_owned()).spawn(work)?;
        Ok(Self {
            messages: Mutex::new(Some(messages)),
            stop,
            progress,
            report,
            reported: Mutex::default(),
            totals: Mutex::default(),
            process: process(),
        })
    }

    /// Ends the scan: the files that workers are at are finished and dropped.
    fn end(&self) {
        if self.process != process() {
            return;
        }
        self.stop.store(true, Relaxed);
        locked(&self.messages).take();
    }

    /// Waits a while for the next message. `None` if none came.
    fn wait(&self, py: Python<'_>) -> Option<Result<Message, RecvTimeoutError>> {
        py.detach(|| {
            let messages = locked(&self.messages);
            match messages.as_ref()?.recv_timeout(TICK) {
                Err(RecvTimeoutError::Timeout) => Some(Err(RecvTimeoutError::Timeout)),
                other => Some(other),
            }
        })
    }

    fn tell(&self, py: Python<'_>, done: bool) -> PyResult<()> {
        let Some(report) = &self.report else { return Ok(()) };
        {
            let mut reported = locked(&self.reported);
            if !done && reported.is_some_and(|at| at.elapsed() < TICK) {
                return Ok(());
            }
            *reported = Some(Instant::now());
        }
        let Progress { files, meshes, bytes, errors, .. } = &*self.progress;
        let counts = [files, meshes, bytes, errors].map(|count| count.load(Relaxed));
        let [files, meshes, bytes, errors] = counts;
        report.call1(py, (files, meshes, bytes, errors, done)).map(|_| ())
    }
}

impl Drop for Outcomes {
    fn drop(&mut self) {
        self.end();
    }
}

#[pymethods]
impl Outcomes {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Outcome>> {
        if self.process != process() {
            let why = "this scan runs in the process that this one was forked from: iterate over it anew";
            return Err(PyRuntimeError::new_err(why));
        }
        loop {
            // Code in C, such as `list(scan)`, asks for one outcome after the other, and never looks itself.
            if let Err(interrupt) = py.check_signals() {
                self.end();
                return Err(interrupt);
            }
            match self.wait(py) {
                None => return Ok(None),
                Some(Ok(Message::Outcome(outcome))) => {
                    self.tell(py, false)?;
                    return Ok(Some(Outcome(*outcome)));
                }
                Some(Ok(Message::End(totals))) => {
                    *locked(&self.totals) = Some(totals);
                    self.end();
                    self.tell(py, true)?;
                    return Ok(None);
                }
                Some(Err(RecvTimeoutError::Disconnected)) => {
                    self.end();
                    return Err(PyRuntimeError::new_err("the scan ended before its time"));
                }
                Some(Err(RecvTimeoutError::Timeout)) => {
                    self.tell(py, false)?;
                }
            }
        }
    }

    /// The totals, once the scan has ended: files, meshes, bytes, findings, errors.
    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(totals) = *locked(&self.totals) else {
            return Ok(None);
        };
        let dict = PyDict::new(py);
        let Totals { files, meshes, bytes, findings, errors, .. } = totals;
        let counts = [
            ("files", files),
            ("meshes", meshes),
            ("bytes", bytes),
            ("findings", findings),
            ("errors", errors),
        ];
        counts.iter().try_for_each(|(name, count)| dict.set_item(name, count))?;
        Ok(Some(dict))
    }

    /// Ends the scan early.
    fn close(&self) {
        self.end();
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    /// The end of a `with` ends the scan.
    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, _raised: &Bound<'_, PyTuple>) -> bool {
        self.end();
        false
    }
}
