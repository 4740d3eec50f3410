//! Tables in a folder, written whole or brought up to date.

use crate::fault::Fault;
use crate::remote::is_address;
use crate::scan::Asked;
use crate::table::unknown;
use crate::threads::beside;
use navmap::Error;
use navmap::scan::{Scan, Task};
use navmap::table::{FolderWriter, Format, Run, Snapshot, Store, TABLES, Table, check_folder, update};
use navmap::threads::locked;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Between two looks at the keyboard.
const TICK: Duration = Duration::from_millis(50);

/// What was done, by name.
type Done = Vec<(&'static str, u64)>;

/// What is written where.
pub(crate) struct Order {
    folder: PathBuf,
    tables: Vec<&'static Table>,
    /// Whether tables were named, so that those without rows are written as well.
    named: bool,
    format: Format,
    /// Whether files that exist are replaced.
    force: bool,
}

impl Order {
    /// An order with the names of tables and of the format looked up. Without names it is all tables but the large ones.
    ///
    /// # Errors
    /// For a name of none.
    pub(crate) fn new(
        folder: PathBuf,
        names: Option<Vec<String>>,
        format: &str,
        force: bool,
    ) -> PyResult<Self> {
        let format = match format {
            "csv" => Format::Csv,
            "jsonl" => Format::Jsonl,
            "arrow" => Format::Arrow,
            other => {
                let why = format!("there is no format '{other}'; the formats are 'csv', 'jsonl' and 'arrow'");
                return Err(PyValueError::new_err(why));
            }
        };
        let named = names.is_some();
        let mut tables: Vec<&'static Table> = match names {
            None => TABLES.iter().copied().filter(|table| !table.is_large()).collect(),
            Some(names) => {
                let table =
                    |name: &String| Table::named(name).ok_or_else(|| PyValueError::new_err(unknown(name)));
                names.iter().map(table).collect::<PyResult<_>>()?
            }
        };
        let place = |table: &&'static Table| TABLES.iter().position(|other| std::ptr::eq(*other, *table));
        tables.sort_by_key(place);
        tables.dedup_by_key(|table| place(&*table));
        Ok(Self { folder, tables, named, format, force })
    }
}

/// Writes tables over the meshes of a scan. Ctrl-C ends it.
///
/// # Errors
/// For a path that names nothing, what cannot be written, and an interrupt.
pub(crate) fn write(py: Python<'_>, asked: &Asked, order: Order, renew: bool) -> PyResult<Done> {
    if renew && (asked.glob.is_some() || asked.only.is_some()) {
        let why = "an update is over whole files: glob and only are not for it";
        return Err(PyValueError::new_err(why));
    }
    if renew && asked.paths.iter().any(|path| is_address(path)) {
        let why =
            "an update is over files of this machine: navmap.fetch brings those of an address into a folder";
        return Err(PyValueError::new_err(why));
    }
    let asked = asked.bring(py)?;
    asked.found().map_err(Fault::from)?;
    let scan = Scan { task: Task::Open, ordered: true, ..asked.scan() };
    let (stop, paths) = (Arc::clone(&scan.stop), asked.paths.clone());
    let (send, end) = sync_channel(1);
    let work = move || {
        let _ = send.send(beside(|| match renew {
            true => bring_up(scan, paths, &order),
            false => whole(scan, paths, &order),
        }));
    };
    thread::Builder::new().name("navmap-store".to_owned()).spawn(work)?;
    let (end, mut interrupt) = (Mutex::new(end), None);
    loop {
        let next = py.detach(|| locked(&end).recv_timeout(TICK));
        match next {
            Ok(done) => return interrupt.map_or_else(|| Ok(done.map_err(Fault::from)?), Err),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Fault::from(Error::invalid("tables", "ended before their time")).into());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if interrupt.is_none() {
            interrupt = py.check_signals().err();
            stop.store(interrupt.is_some(), Relaxed);
        }
    }
}

fn whole(scan: Scan, paths: Vec<PathBuf>, order: &Order) -> Result<Done, Error> {
    let (folder, store) = (order.folder.as_path(), Store::Files(order.format));
    check_folder(folder)?;
    order.tables.iter().try_for_each(|table| vacant(&store.file(folder, table), order.force))?;
    let of_meshes = order.tables.iter().copied().filter(|table| table.is_of_meshes());
    let run = Run::new(scan, of_meshes).in_parts().written_as(order.format);
    let threads = run.scan().threads;
    let mut writer = FolderWriter::new(folder, store, threads, &order.tables, order.named)?;
    let mut failed = Ok(());
    let totals = run.run(paths, &mut |mesh, sheets| {
        failed = writer.write(mesh, sheets);
        if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    failed?;
    if totals.stopped {
        return Ok(Done::new());
    }
    let done = writer.finish(order.force)?;
    Ok(vec![("tables", done.tables), ("rows", done.rows), ("bytes", done.bytes), ("errors", totals.errors)])
}

/// Refuses a file that exists, before the work is done.
fn vacant(path: &Path, force: bool) -> Result<(), Error> {
    match !force && path.symlink_metadata().is_ok() {
        true => Err(Error::from(io::Error::from(io::ErrorKind::AlreadyExists)).in_file(path)),
        false => Ok(()),
    }
}

fn bring_up(scan: Scan, paths: Vec<PathBuf>, order: &Order) -> Result<Done, Error> {
    let seen = Snapshot::take(paths);
    let done = update(scan, seen, &order.folder, order.format, &order.tables, &mut |_| {})?;
    Ok(vec![("changed", done.changed), ("parts", done.parts), ("rows", done.rows), ("errors", done.errors)])
}
