//! The files of a run: under temporary names until all of them are whole.

use super::folder;
use crate::args::TableFormat;
use navmap::bytes::Saver;
use navmap::error::{Error, Result};
use navmap::table::{Batch, Format, Mesh, Table, Writer, write_flag_names};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The files of a run.
pub(super) struct Files<'t> {
    folder: &'t Path,
    format: TableFormat,
    threads: usize,
    skin: Skin,
    tables: &'t [&'static Table],
    rows: Vec<u64>,
}

enum Skin {
    /// A file for each table: begun with its first row, so that there are no empty files.
    Each(Vec<Option<Box<dyn Writer<Saver>>>>),
    /// All tables in one database.
    #[cfg(feature = "sql")]
    Database(navmap::table::sqlite::SqliteFile, Saver),
}

/// The format with a file for each table.
///
/// # Errors
/// If it is not built in.
fn each(format: TableFormat) -> Result<Format> {
    match format {
        TableFormat::Csv => Ok(Format::Csv),
        TableFormat::Jsonl => Ok(Format::Jsonl),
        #[cfg(feature = "parquet")]
        TableFormat::Parquet => Ok(Format::Parquet),
        #[cfg(feature = "parquet")]
        TableFormat::Arrow => Ok(Format::Arrow),
        #[allow(unreachable_patterns)]
        _ => Err(crate::built::missing("format")),
    }
}

/// Begins the file of a table.
///
/// # Errors
/// Those of the operating system.
pub(super) fn begin(
    format: TableFormat,
    threads: usize,
    table: &'static Table,
    path: &Path,
) -> Result<Box<dyn Writer<Saver>>> {
    let saver = Saver::create(path)?;
    each(format)?.begin_on(table, saver, threads).map_err(|error| Error::from(error).in_file(path))
}

/// What was written.
pub(super) struct Done {
    pub(super) rows: u64,
    pub(super) tables: u64,
    pub(super) bytes: u64,
}

impl<'t> Files<'t> {
    /// Begins the files. Those of tables without rows are written only if tables were `named`.
    pub(super) fn new(
        folder: &'t Path,
        format: TableFormat,
        threads: usize,
        tables: &'t [&'static Table],
        named: bool,
    ) -> Result<Self> {
        let skin = match format {
            #[cfg(feature = "sql")]
            TableFormat::Sqlite => {
                let saver = Saver::create(&folder.join(folder::DATABASE))?;
                let path = saver.path().to_owned();
                let tables = tables.iter().copied();
                let database = navmap::table::sqlite::SqliteFile::create(&path, tables);
                Skin::Database(database.map_err(|error| Error::from(error).in_file(folder))?, saver)
            }
            _ => Skin::Each(tables.iter().map(|_| None).collect()),
        };
        let mut files = Self { folder, format, threads, skin, tables, rows: vec![0; tables.len()] };
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
        self.tables.get(at).map_or_else(PathBuf::new, |table| folder::file(self.folder, table, self.format))
    }

    /// Begins the file of a table, if it is not begun.
    fn begin(&mut self, at: usize) -> Result<()> {
        let path = self.path(at);
        if let (Skin::Each(writers), Some(table)) = (&mut self.skin, self.tables.get(at))
            && let Some(slot @ None) = writers.get_mut(at)
        {
            *slot = Some(begin(self.format, self.threads, table, &path)?);
        }
        Ok(())
    }

    fn flag_names(&mut self, at: usize) -> Result<()> {
        let done = match &mut self.skin {
            Skin::Each(writers) => match writers.get_mut(at) {
                Some(Some(writer)) => write_flag_names(&mut |mesh, batch| writer.write(mesh, batch)),
                _ => Ok(0),
            },
            #[cfg(feature = "sql")]
            Skin::Database(database, _) => write_flag_names(&mut |mesh, batch| database.write(mesh, batch)),
        };
        let rows = done.map_err(|error| Error::from(error).in_file(self.path(at)))?;
        if let Some(count) = self.rows.get_mut(at) {
            *count = rows;
        }
        Ok(())
    }

    /// Writes the rows that one mesh gives to one table.
    pub(super) fn write(&mut self, mesh: &Mesh<'_>, batch: &mut Batch) -> Result<()> {
        let is_of = |table: &&'static Table| std::ptr::eq(*table, batch.table());
        let Some(at) = self.tables.iter().position(is_of).filter(|_| batch.rows() > 0) else { return Ok(()) };
        self.begin(at)?;
        let rows = batch.rows() as u64;
        let done = match &mut self.skin {
            Skin::Each(writers) => match writers.get_mut(at) {
                Some(Some(writer)) => writer.write(mesh, batch),
                _ => Ok(()),
            },
            #[cfg(feature = "sql")]
            Skin::Database(database, _) => database.write(mesh, batch),
        };
        done.map_err(|error| Error::from(error).in_file(self.path(at)))?;
        if let Some(count) = self.rows.get_mut(at) {
            *count = count.saturating_add(rows);
        }
        Ok(())
    }

    /// Ends all files, and then moves them to their places, so that a run that fails leaves the old ones. With `force`,
    /// the file of a table that has no rows any more is removed.
    pub(super) fn finish(self, force: bool) -> Result<Done> {
        let Self { folder: into, format, skin, tables, rows, .. } = self;
        let with_rows = rows.iter().filter(|rows| **rows > 0).count() as u64;
        let mut done = Done { rows: rows.iter().sum(), tables: with_rows, bytes: 0 };
        let mut commit = |saver: Saver, path: &Path| -> Result<()> {
            if force { saver.commit() } else { saver.commit_new() }?;
            done.bytes = done.bytes.saturating_add(fs::metadata(path).map_or(0, |data| data.len()));
            Ok(())
        };
        match skin {
            Skin::Each(writers) => {
                let paths = tables.iter().map(|table| folder::file(into, table, format));
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
                let path = into.join(folder::DATABASE);
                database.finish().map_err(|error| Error::from(error).in_file(&path))?;
                commit(saver, &path)?;
            }
        }
        Ok(done)
    }
}
