//! The files of a run: under temporary names until all of them are whole.

use super::folder::{self, Store};
use crate::batch::{Batch, Sheets};
use crate::format::Format;
use crate::mesh::Mesh;
use crate::schema::Table;
use crate::writer::{Writer, write_flag_names};
use navmap_core::bytes::Saver;
use navmap_core::error::{Error, Result};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes the tables of a run into a folder. Files have temporary names until [`finish`](Self::finish), when all of them are
/// whole: a run that fails leaves the old ones.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::scan::Scan;
/// use navmap::table::{FolderWriter, Format, Run, Store, Table};
/// use std::ops::ControlFlow;
///
/// let folder = std::env::temp_dir().join(format!("navmap-doc-{}", std::process::id()));
/// let tables = [Table::named("source_areas").unwrap()];
/// let mut writer = FolderWriter::new(&folder, Store::Files(Format::Csv), 1, &tables, false)?;
/// let mut failed = Ok(());
/// Run::new(Scan::new(), tables).run(["corpus/source"], &mut |mesh, sheets| {
///     failed = writer.write(mesh, sheets);
///     if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// });
/// failed?;
/// assert!(writer.finish(true)?.rows > 100);
/// assert!(folder.join("source_areas.csv").exists());
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug)]
pub struct FolderWriter<'t> {
    folder: &'t Path,
    store: Store,
    threads: usize,
    skin: Skin,
    tables: &'t [&'static Table],
    rows: Vec<u64>,
}

impl fmt::Debug for Skin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if matches!(self, Self::Each(_)) { "Each" } else { "Database" })
    }
}

#[allow(clippy::large_enum_variant)] // one a run
enum Skin {
    /// A file for each table: begun with its first row, so that there are no empty files.
    Each(Vec<Option<Box<dyn Writer<Saver>>>>),
    /// All tables in one database.
    #[cfg(feature = "sql")]
    Database(crate::sqlite::SqliteFile, Saver),
}

impl Skin {
    /// Writes rows of the table at this place. One whose file is not begun has none.
    fn write(&mut self, at: usize, mesh: &Mesh<'_>, batch: &mut Batch) -> io::Result<()> {
        match self {
            Self::Each(writers) => match writers.get_mut(at) {
                Some(Some(writer)) => writer.write(mesh, batch),
                _ => Ok(()),
            },
            #[cfg(feature = "sql")]
            Self::Database(database, _) => database.write(mesh, batch),
        }
    }
}

/// Begins the file of a table. A link in its place is not followed: the name is ours, not typed.
///
/// # Errors
/// If there is such a link, and those of the operating system.
pub(super) fn begin(
    format: Format,
    threads: usize,
    table: &'static Table,
    path: &Path,
) -> Result<Box<dyn Writer<Saver>>> {
    let saver = Saver::create_unlinked(path)?;
    format.begin_on(table, saver, threads).map_err(|error| Error::from(error).in_file(path))
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Rows, over all tables.
    pub rows: u64,
    /// Tables that have rows.
    pub tables: u64,
    /// Bytes of their files.
    pub bytes: u64,
}

impl<'t> FolderWriter<'t> {
    /// Makes the folder, unless the store is one file, and begins the files. Those of tables without rows are written only
    /// if tables were `named`.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn new(
        folder: &'t Path,
        store: Store,
        threads: usize,
        tables: &'t [&'static Table],
        named: bool,
    ) -> Result<Self> {
        let skin = match store {
            #[cfg(feature = "sql")]
            Store::Database | Store::File => {
                let path = match store {
                    Store::Database => {
                        folder::make(folder)?;
                        folder.join(folder::DATABASE)
                    }
                    _ => folder.to_owned(),
                };
                let saver = Saver::create(&path)?;
                let path = saver.path().to_owned();
                let tables = tables.iter().copied();
                let database = crate::sqlite::SqliteFile::create(&path, tables);
                Skin::Database(database.map_err(|error| Error::from(error).in_file(folder))?, saver)
            }
            Store::Files(_) => {
                folder::make(folder)?;
                Skin::Each(tables.iter().map(|_| None).collect())
            }
        };
        let mut files = Self { folder, store, threads, skin, tables, rows: vec![0; tables.len()] };
        for (at, table) in tables.iter().enumerate() {
            if let (Skin::Each(_), true) = (&files.skin, named || !table.is_of_meshes()) {
                files.begin(at)?;
            }
            if !table.is_of_meshes() {
                files.flag_names(at)?;
            }
        }
        Ok(files)
    }

    fn path(&self, at: usize) -> PathBuf {
        self.tables.get(at).map_or_else(PathBuf::new, |table| self.store.file(self.folder, table))
    }

    /// Begins the file of a table, if it is not begun.
    fn begin(&mut self, at: usize) -> Result<()> {
        let path = self.path(at);
        if let (Skin::Each(writers), Store::Files(format), Some(table)) =
            (&mut self.skin, self.store, self.tables.get(at))
            && let Some(slot @ None) = writers.get_mut(at)
        {
            *slot = Some(begin(format, self.threads, table, &path)?);
        }
        Ok(())
    }

    fn flag_names(&mut self, at: usize) -> Result<()> {
        let done = write_flag_names(&mut |mesh, batch| self.skin.write(at, mesh, batch));
        let rows = done.map_err(|error| Error::from(error).in_file(self.path(at)))?;
        if let Some(count) = self.rows.get_mut(at) {
            *count = rows;
        }
        Ok(())
    }

    /// Writes the rows that one mesh gives.
    ///
    /// # Errors
    /// Those of the operating system. The error names the file.
    pub fn write(&mut self, mesh: &Mesh<'_>, sheets: &mut Sheets) -> Result<()> {
        sheets.batches_mut().iter_mut().try_for_each(|batch| self.batch(mesh, batch))
    }

    fn batch(&mut self, mesh: &Mesh<'_>, batch: &mut Batch) -> Result<()> {
        let is_of = |table: &&'static Table| std::ptr::eq(*table, batch.table());
        let Some(at) = self.tables.iter().position(is_of).filter(|_| batch.rows() > 0) else { return Ok(()) };
        self.begin(at)?;
        let rows = batch.rows() as u64;
        self.skin.write(at, mesh, batch).map_err(|error| Error::from(error).in_file(self.path(at)))?;
        if let Some(count) = self.rows.get_mut(at) {
            *count = count.saturating_add(rows);
        }
        Ok(())
    }

    /// Ends all files, and then moves them to their places, so that a run that fails leaves the old ones. With `force`,
    /// the file of a table that has no rows any more is removed; without it, a file that exists is left, and is an error.
    ///
    /// # Errors
    /// Those of the operating system. The error names the file.
    pub fn finish(self, force: bool) -> Result<Written> {
        let Self { folder: into, store, skin, tables, rows, .. } = self;
        let with_rows = rows.iter().filter(|rows| **rows > 0).count() as u64;
        let mut done = Written { rows: rows.iter().sum(), tables: with_rows, bytes: 0 };
        let mut commit = |saver: Saver, path: &Path| -> Result<()> {
            if force { saver.commit() } else { saver.commit_new() }?;
            done.bytes = done.bytes.saturating_add(fs::metadata(path).map_or(0, |data| data.len()));
            Ok(())
        };
        match skin {
            Skin::Each(writers) => {
                let paths = tables.iter().map(|table| store.file(into, table));
                let mut whole = Vec::new();
                let mut empty = Vec::new();
                for (path, writer) in paths.zip(writers) {
                    let Some(writer) = writer else {
                        empty.push(path);
                        continue;
                    };
                    let saver = writer.finish().and_then(|mut saver| {
                        saver.flush()?;
                        Ok(saver)
                    });
                    whole.push((saver.map_err(|error| Error::from(error).in_file(&path))?, path));
                }
                whole.into_iter().try_for_each(|(saver, path)| commit(saver, &path))?;
                for path in empty.iter().filter(|_| force) {
                    match fs::remove_file(path) {
                        Err(error) if error.kind() != io::ErrorKind::NotFound => {
                            return Err(Error::from(error).in_file(path));
                        }
                        _ => {}
                    }
                }
            }
            #[cfg(feature = "sql")]
            Skin::Database(database, saver) => {
                let path = if store == Store::File { into.to_owned() } else { into.join(folder::DATABASE) };
                database.finish().map_err(|error| Error::from(error).in_file(&path))?;
                commit(saver, &path)?;
            }
        }
        Ok(done)
    }
}
