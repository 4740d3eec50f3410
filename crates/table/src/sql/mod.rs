//! SQL over the files themselves: every table is a virtual table of SQLite. No mesh is imported or written; a table of the
//! user's own may stand beside them ([`Database::import`]).
//!
//! A full walk reads many files at once and returns their rows as they come. `file = …`, `path = …`, `path GLOB …` and
//! `path LIKE …` read only the matching meshes; within a mesh, `id = …` and similar constraints find rows without a walk. Rows
//! come grouped by mesh, so that a `GROUP BY file` does not sort. Every table has a table-valued form, which reads paths other
//! than those of the database: `areas('old/maps')`.

mod ahead;
#[cfg(feature = "parquet")]
mod answer;
mod bits;
mod course;
mod errors;
mod functions;
mod groups;
mod import;
mod keys;
mod loaded;
mod plan;
mod shelf;
mod sight;
mod vtab;

#[cfg(feature = "parquet")]
pub use answer::ArrowAnswer;
pub use errors::Wrong;
pub use functions::{FUNCTIONS, function_names};
/// The crate that provides the connections and values.
pub use rusqlite;

use super::batch::Sheets;
use super::rows::FLAG_NAMES;
use super::{TABLES, Table};
use loaded::Loaded;
use navmap_core::error::{Error, Result};
use navmap_core::threads::locked;
use navmap_open::scan::Scan;
use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use shelf::{Failures, Shelf};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use vtab::Tab;

/// Data shared by all tables of a database.
#[derive(Debug)]
struct Shared {
    /// The meshes that the database was opened with.
    shelf: Arc<Shelf>,
    /// Those of table-valued forms.
    others: Mutex<HashMap<String, Arc<Shelf>>>,
    /// The tables of the walks that are open. The first one begins a statement.
    walks: Mutex<Vec<&'static str>>,
}

impl Table {
    /// Whether it has about one row for each mesh, and so few in all.
    fn is_row_a_mesh(&self) -> bool {
        // A plugin holds thousands.
        self.name == "files" || (self.name.ends_with("_meshes") && self.name != "skyrim_meshes")
    }
}

impl Shared {
    /// The meshes at another path.
    fn shelf_of(&self, path: &str) -> rusqlite::Result<Arc<Shelf>> {
        let mut others = locked(&self.others);
        if let Some(shelf) = others.get(path) {
            return Ok(Arc::clone(shelf));
        }
        if !std::path::Path::new(path).exists() {
            return Err(rusqlite::Error::ModuleError(format!("nothing lies at {path}")));
        }
        let shelf = Arc::new(self.shelf.beside(vec![PathBuf::from(path)], others.len() as u64 + 1));
        others.insert(path.to_owned(), Arc::clone(&shelf));
        Ok(shelf)
    }

    /// Called for each walk that is opened. A statement that begins sees files as they are now.
    fn opened(&self, table: &'static Table) {
        let mut walks = locked(&self.walks);
        walks.push(table.name);
        if walks.len() == 1 {
            self.shelf.refresh();
            let others = locked(&self.others);
            others.values().for_each(|shelf| shelf.refresh());
        }
    }

    fn closed(&self, table: &'static Table) {
        let mut walks = locked(&self.walks);
        if let Some(at) = walks.iter().position(|name| *name == table.name) {
            walks.swap_remove(at);
        }
    }

    /// The names of the tables that are read now.
    fn read(&self) -> Vec<&'static str> {
        locked(&self.walks).clone()
    }
}

/// The rows of `flag_names`.
fn flags_loaded() -> Arc<Loaded> {
    let mut sheets = Sheets::new([&FLAG_NAMES]);
    super::fill::flag_names(&mut sheets);
    let batch = sheets.batches().first().cloned();
    Arc::new(Loaded::without_mesh(batch.unwrap_or_else(|| super::Batch::new(&FLAG_NAMES, |_| true))))
}

/// A database over meshes. A text or blob has 16 MiB at most.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::scan::Scan;
/// use navmap::table::sql::Database;
///
/// let database = Database::open(Scan::new(), vec!["corpus/source".into()])?;
/// let sql = "SELECT count(*) FROM areas WHERE has_flag(flags, 'CROUCH')";
/// let areas: i64 = database.connection().query_row(sql, [], |row| row.get(0)).unwrap();
/// assert!(areas > 0);
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    failures: Failures,
    /// Whether statements may write: while a table is imported.
    writes: Arc<AtomicBool>,
}

/// Bytes of the largest text or blob: what one step makes is bounded, and so is how late a statement sees that it is to stop.
const MOST_VALUE: i32 = 16 << 20;

/// Steps of SQLite's machine after which a statement looks whether it is to stop.
const STEPS: i32 = 64;

fn failed(error: &rusqlite::Error) -> Error {
    Error::invalid("SQL", error.to_string())
}

impl Database {
    /// Opens a database over the meshes at these paths. Nothing is read before a statement needs it. The scan sets how files are
    /// opened and the number of threads, and its `stop` interrupts a statement.
    ///
    /// # Errors
    /// Those of SQLite: only lack of memory is possible.
    pub fn open(scan: Scan, paths: Vec<PathBuf>) -> Result<Self> {
        Self::with(scan, paths, false, None)
    }

    /// Like [`open`](Self::open), but a damaged mesh has no rows except in `files` and `findings`.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_strict(scan: Scan, paths: Vec<PathBuf>) -> Result<Self> {
        Self::with(scan, paths, true, None)
    }

    /// As [`open`](Self::open), or [`open_strict`](Self::open_strict), for questions that anybody may ask: what SQLite holds is
    /// at most so many bytes, and nothing is put aside in temporary files. A statement that needs more is an error. This holds
    /// for all of SQLite in the process, and cannot be raised again.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_within(scan: Scan, paths: Vec<PathBuf>, strict: bool, memory: u64) -> Result<Self> {
        Self::with(scan, paths, strict, Some(memory))
    }

    fn with(scan: Scan, paths: Vec<PathBuf>, strict: bool, memory: Option<u64>) -> Result<Self> {
        let failures = Failures::default();
        let stop = Arc::clone(&scan.stop);
        let shelf = Arc::new(Shelf::new(paths, scan, strict, Arc::clone(&failures)));
        let shared = Arc::new(Shared { shelf, others: Mutex::default(), walks: Mutex::default() });
        let writes = Arc::new(AtomicBool::new(false));
        let importing = Arc::clone(&writes);
        let open = || {
            let mut connection = Connection::open_in_memory()?;
            for table in TABLES {
                let names = [Some(table.name), table.short_name()];
                for name in names.into_iter().flatten() {
                    navmap_vtab::register::<Tab>(&connection, name, (Arc::clone(&shared), table))?;
                }
            }
            functions::register(&connection, &shared)?;
            bits::register(&connection, &shared)?;
            connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MOST_VALUE)?;
            if let Some(memory) = memory {
                let bound = format!("PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = {memory}");
                connection.execute_batch(&bound)?;
            }
            connection.authorizer(Some(move |context: AuthContext<'_>| match importing.load(Relaxed) {
                true => Authorization::Allow,
                false => authorize(context),
            }))?;
            connection.progress_handler(STEPS, Some(move || stop.load(Relaxed)))?;
            Ok(connection)
        };
        let connection = open().map_err(|error: rusqlite::Error| failed(&error))?;
        Ok(Self { connection, failures, writes })
    }

    /// The connection, which accepts only statements that read. Only as stable as the crate `rusqlite`.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The paths (`archive!member`) and errors of meshes that could not be read so far. Each is returned once.
    pub fn take_failures(&self) -> Vec<(String, String)> {
        let mut failures = locked(&self.failures);
        std::mem::take(&mut *failures).into_iter().collect()
    }
}

/// Allows only reading: no writing, no other database, no extension.
fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name } if function_name.eq_ignore_ascii_case("load_extension") => {
            Authorization::Deny
        }
        AuthAction::Function { .. } => Authorization::Allow,
        // A table-valued form makes its own schema when it is first used.
        AuthAction::CreateVtable { .. } => Authorization::Deny,
        _ => Authorization::Deny,
    }
}
