//! Tables over many files, as Arrow streams.

use crate::fault::Fault;
use crate::held::{attach, later};
use crate::scan::Asked;
use crate::threads::{beside, process};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use navmap::table::{Batch, Mesh, Run, Sheets, TABLES, Table as Columns, arrow, write_flag_names};
use navmap::text::nearest;
use pyo3::create_exception;
use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyString};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

create_exception!(
    navmap,
    DamagedWarning,
    PyUserWarning,
    "Files of which a table lacks rows, because they could not be read, or not to their end. Said once a reading, at its end.\n\n\
     `warnings.simplefilter('error', navmap.DamagedWarning)` makes it an error of the reader."
);

/// Batches that wait for the reader.
const WAITING: usize = 16;

/// Between two looks at the keyboard.
const TICK: Duration = Duration::from_millis(50);

/// The table of this name.
///
/// # Errors
/// If there is none. Names what comes close.
pub(crate) fn named(name: &str) -> PyResult<&'static Columns> {
    Columns::named(name).ok_or_else(|| PyAttributeError::new_err(unknown(name)))
}

/// What to say of a name that is that of no table. Names what comes close.
pub(crate) fn unknown(name: &str) -> String {
    let names = TABLES.iter().flat_map(|table| [Some(table.name), table.short_name()]).flatten();
    format!("there is no table '{name}'{}", instead(name, names))
}

fn instead<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    match nearest(name, names).as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", near.join(", ")),
    }
}

/// A table over the meshes of a scan: `scan.areas`, `scan.table("quake_links")`.
///
/// It holds no rows. Whatever reads Arrow streams (pandas, polars, pyarrow, DuckDB) reads the files, each time anew:
/// `polars.DataFrame(table)`, `pyarrow.table(table)`, `duckdb.sql("FROM table")`. Ask for the columns that you need with
/// `select`: the others are then not even decoded. A mesh that is damaged gives the rows before the damage; a
/// `DamagedWarning` says how many are, and the table `files` which.
///
/// >>> table = navmap.scan("corpus/source").areas.select(["path", "id", "flags"])
/// >>> table.columns
/// ['path', 'id', 'flags']
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Table {
    asked: Asked,
    table: &'static Columns,
    /// Those that are wanted, in the order that was asked for. `None`: all.
    columns: Option<Vec<&'static str>>,
}

impl Table {
    pub(crate) fn new(asked: Asked, table: &'static Columns) -> Self {
        Self { asked, table, columns: None }
    }

    fn wanted(&self) -> Vec<&'static str> {
        self.columns.clone().unwrap_or_else(|| self.table.all_columns().map(|column| column.name).collect())
    }

    fn arrow(&self) -> PyResult<SchemaRef> {
        let whole = arrow::plain(&arrow::schema(self.table));
        let wanted = self.wanted();
        let places: Result<Vec<usize>, ArrowError> = wanted.iter().map(|name| whole.index_of(name)).collect();
        let schema = places.and_then(|places| whole.project(&places));
        schema.map(Arc::new).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    fn rows(&self, py: Python<'_>) -> PyResult<Rows> {
        let asked = self.asked.bring(py)?;
        asked.found().map_err(Fault::from)?;
        let threading = py.import("threading")?;
        let current = threading.call_method0("current_thread")?;
        let main = threading.call_method0("main_thread")?.is(&current).then(|| thread::current().id());
        let run = Started { asked, table: self.table, wanted: self.wanted() };
        let stop = Arc::new(AtomicBool::new(false));
        Ok(Rows {
            schema: self.arrow()?,
            state: State::Waiting(run),
            stop,
            main,
            maker: thread::current().id(),
            is_error: is_error(py)?,
            ended: Arc::default(),
            looked: Instant::now(),
            process: process(),
        })
    }
}

#[pymethods]
impl Table {
    /// Its name, with the family: 'source_areas'.
    #[getter]
    fn name(&self) -> &'static str {
        self.table.name
    }

    /// What a row is.
    #[getter]
    fn description(&self) -> &'static str {
        self.table.about.trim()
    }

    /// The names of its columns.
    #[getter]
    fn columns(&self) -> Vec<&'static str> {
        self.wanted()
    }

    /// What is known of each column: name, type, unit, whether it may be null, and what it is.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let wanted = self.wanted();
        let known = |name: &&str| self.table.all_columns().find(|column| column.name == *name);
        let columns = wanted.iter().filter_map(known);
        let row = |column: &'static navmap::table::ColumnDef| {
            let row = PyDict::new(py);
            row.set_item("name", column.name)?;
            row.set_item("type", column.kind.name())?;
            row.set_item("unit", column.unit)?;
            row.set_item("null", column.null)?;
            row.set_item("description", column.about)?;
            Ok(row)
        };
        columns.map(row).collect()
    }

    /// The same table with these columns alone, in this order. What is left out is not decoded.
    fn select(&self, columns: &Bound<'_, PyAny>) -> PyResult<Self> {
        if columns.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("columns are a list of names, not str"));
        }
        let mut wanted: Vec<&'static str> = Vec::new();
        for name in columns.try_iter()? {
            let name: String = name?.extract()?;
            let known = self.table.all_columns().find(|column| column.name == name);
            let known = known.ok_or_else(|| {
                let names = self.table.all_columns().map(|column| column.name);
                let near = instead(&name, names);
                PyValueError::new_err(format!("{} has no column '{name}'{near}", self.table.name))
            })?;
            if wanted.contains(&known.name) {
                return Err(PyValueError::new_err(format!("column '{name}' is asked for twice")));
            }
            wanted.push(known.name);
        }
        if wanted.is_empty() {
            return Err(PyValueError::new_err("a table needs at least one column"));
        }
        Ok(Self { asked: self.asked.clone(), table: self.table, columns: Some(wanted) })
    }

    /// The same table over the meshes alone whose path fits a pattern: see `navmap.scan`. Others are not opened. Each call leaves out
    /// more: what is read fits the pattern of the scan too, and those of all calls.
    fn glob(&self, pattern: String) -> Self {
        let mut asked = self.asked.clone();
        asked.narrowed.push(pattern);
        Self { asked, table: self.table, columns: self.columns.clone() }
    }

    /// The schema as a PyCapsule of the Arrow C data interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.arrow()?);
        let schema = schema.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// A new run over the files, as a PyCapsule of the Arrow C stream interface: one record batch a mesh. Nothing is
    /// read before the first batch is asked for.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer ignore it, and then the consumer casts.
        let _ = requested_schema;
        let stream = FFI_ArrowArrayStream::new(Box::new(self.rows(py)?));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The rows as a `polars.DataFrame`. Texts are strings. Needs polars.
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("navmap._frames")?.getattr("to_polars")?.call1((this,))
    }

    /// The rows as a `pandas.DataFrame`. Texts are strings. Needs pandas and pyarrow.
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("navmap._frames")?.getattr("to_pandas")?.call1((this,))
    }

    /// What a notebook shows: what the columns are. No file is read for it.
    fn _repr_html_(this: &Bound<'_, Self>) -> PyResult<String> {
        this.py().import("navmap._frames")?.getattr("table_html")?.call1((this,))?.extract()
    }

    fn __repr__(&self) -> String {
        format!("<Table {}: {}>", self.table.name, self.wanted().join(", "))
    }

    /// Pickles as what was asked for; the other process reads the files.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, pyo3::types::PyTuple>)> {
        use pyo3::types::PyTuple;
        let made = py.import("navmap")?.getattr("_table")?;
        let (paths, options) = self.asked.pickled(py)?;
        let columns = self.columns.clone();
        let narrowed = self.asked.narrowed.clone();
        let parts = (paths, options, self.table.name, columns, narrowed).into_pyobject(py)?;
        Ok((made, parts.cast_into::<PyTuple>()?))
    }
}

/// What a run is made of, before its first batch is asked for.
struct Started {
    asked: Asked,
    table: &'static Columns,
    wanted: Vec<&'static str>,
}

enum State {
    Waiting(Started),
    Running(Receiver<Result<RecordBatch, ArrowError>>),
    Ended,
}

/// The record batches of a run that goes on in threads of its own.
struct Rows {
    schema: SchemaRef,
    state: State,
    stop: Arc<AtomicBool>,
    /// The interpreter's main thread, where it is the one that reads.
    main: Option<ThreadId>,
    /// The thread that asked for the rows.
    maker: ThreadId,
    /// Whether warnings of damage were to be errors when the rows were asked for.
    is_error: bool,
    /// Set at the end: the meshes with errors, of which rows are missing. Not of tables that have a row for each.
    ended: Arc<OnceLock<u64>>,
    looked: Instant,
    /// The process whose threads read.
    process: u32,
}

/// Warns of damage.
///
/// # Errors
/// If the warning is to be an error.
fn said(py: Python<'_>, words: &str) -> PyResult<()> {
    let kind = py.get_type::<DamagedWarning>();
    py.import("warnings")?.call_method1("warn", (words, kind)).map(drop)
}

/// Whether the filters of warnings make one of damage an error, wherever it is raised.
fn is_error(py: Python<'_>) -> PyResult<bool> {
    let warnings = py.import("warnings")?;
    let kind = py.get_type::<DamagedWarning>();
    for filter in warnings.getattr("filters")?.try_iter()? {
        let filter = filter?;
        let (action, message, of) = (filter.get_item(0)?, filter.get_item(1)?, filter.get_item(2)?);
        let everywhere = filter.get_item(3)?.is_none() && filter.get_item(4)?.eq(0)?;
        if everywhere && message.is_none() && kind.is_subclass(&of)? {
            return action.eq("error");
        }
    }
    warnings.getattr("defaultaction")?.eq("error")
}

impl Rows {
    fn start(&self, started: Started) -> Result<State, ArrowError> {
        let Started { asked, table, wanted } = started;
        let scan = navmap::scan::Scan { stop: Arc::clone(&self.stop), ..asked.scan() };
        let (schema, ended) = (Arc::clone(&self.schema), Arc::clone(&self.ended));
        let (send, batches) = sync_channel(WAITING);
        let work = move || {
            if !table.is_of_meshes() {
                // It is the same for every run.
                let _ = write_flag_names(&mut |mesh, batch| {
                    // Whoever asked may be gone.
                    let _ = send.send(arrow::record_batch(&schema, mesh, batch));
                    Ok(())
                });
                let _ = ended.set(0);
                return;
            }
            let empty = Batch::new(table, |name| wanted.contains(&name));
            let run = Run::filling(scan, Sheets::from_batches(vec![empty]));
            let mut sink = |mesh: &Mesh<'_>, sheets: &mut Sheets| {
                let Some(batch) = sheets.batches_mut().first_mut() else { return ControlFlow::Break(()) };
                if batch.rows() == 0 {
                    return ControlFlow::Continue(());
                }
                let batch = arrow::record_batch(&schema, mesh, batch);
                let failed = batch.is_err();
                match send.send(batch) {
                    Ok(()) if !failed => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            };
            let totals = beside(|| run.run(asked.paths, &mut sink));
            let told = matches!(table.name, "files" | "findings");
            let _ = ended.set(if told { 0 } else { totals.errors });
        };
        thread::Builder::new().name("navmap-table".to_owned()).spawn(work)?;
        Ok(State::Running(batches))
    }

    /// Warns of meshes whose rows are not all there, at the end. Another thread than the one that asked for the rows must not wait
    /// for the interpreter, for the reason below: it leaves the warning to the main thread.
    ///
    /// # Errors
    /// If the reading has come to no end, and if warnings are to be errors.
    fn warn(&self) -> Result<(), ArrowError> {
        let Some(damaged) = self.ended.get() else {
            return Err(ArrowError::ExternalError("the reading of a table ended before its time".into()));
        };
        if *damaged == 0 {
            return Ok(());
        }
        let words = format!(
            "{damaged} of the files could not be read, or not to their end; their rows are missing, and the table 'files' says which"
        );
        if self.maker == thread::current().id() {
            return attach(|py| said(py, &words)).map_err(|_| ArrowError::ExternalError(words.into()));
        }
        if self.is_error {
            return Err(ArrowError::ExternalError(words.into()));
        }
        later(move |py| {
            if let Err(error) = said(py, &words) {
                error.write_unraisable(py, None);
            }
        });
        Ok(())
    }

    /// Whether somebody has pressed Ctrl-C. Only asked on the interpreter's main thread: a reader may wait for another
    /// thread of its own while it holds the interpreter.
    fn interrupted(&mut self) -> bool {
        if self.main != Some(thread::current().id()) || self.looked.elapsed() < TICK {
            return false;
        }
        self.looked = Instant::now();
        // The reader raises its own error for this. A second, pending interrupt would be raised in the middle of that.
        attach(|py| py.check_signals().is_err())
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if matches!(self.state, State::Waiting(_))
            && let State::Waiting(started) = std::mem::replace(&mut self.state, State::Ended)
        {
            self.state = match self.start(started) {
                Ok(state) => state,
                Err(error) => return Some(Err(error)),
            };
        }
        loop {
            if self.interrupted() {
                self.stop.store(true, Relaxed);
                self.state = State::Ended;
                return Some(Err(ArrowError::ExternalError("interrupted by Ctrl-C".into())));
            }
            let State::Running(batches) = &self.state else { return None };
            if self.process != process() {
                let why = "this table is read in the process that this one was forked from: ask for it anew";
                return Some(Err(ArrowError::ExternalError(why.into())));
            }
            match batches.recv_timeout(TICK) {
                Ok(batch) => return Some(batch),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.state = State::Ended;
                    return self.warn().err().map(Err);
                }
            }
        }
    }
}

impl RecordBatchReader for Rows {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}
