//! `navmap tables`: writes meshes as tables.

mod names;

use super::args::{self, TableFormat};
use super::common::dry;
use super::out::{complain, say};
use super::paths::Paths;
use super::progress::Watch;
use super::save::vacant;
use super::{Exit, Failure, plan};
use navmap::error::{Error, Result};
use navmap::open::location;
use navmap::scan::{Glob, Keep, Task};
use navmap::table::{FolderWriter, Format, Mesh, Run, Snapshot, Store, TABLES, Table, check_folder};
use navmap::text::{Size, counted, path_text};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

pub(super) fn run(typed: &args::Tables) -> Result<Exit, Failure> {
    if let Some(table) = &typed.schema {
        return schema(table.as_deref());
    }
    let Some(output) = &typed.output else {
        return Err(Error::invalid("--output", "says where tables go").into());
    };
    if typed.run.unordered {
        return Err(Error::invalid(
            "--unordered",
            "is not for tables: the number of a file is its place in order",
        )
        .into());
    }
    let tables = names::chosen(&typed.tables)?;
    let store = store(typed.format, output)?;
    if typed.update && dry() {
        return Err(Error::invalid("--dry-run", "is not for --update, which compares as it writes").into());
    }
    if typed.update {
        return update(typed, output, store, &tables);
    }
    if tables.iter().all(|table| store.file(output, table) != *output) {
        check_folder(output)?;
    }
    tables.iter().try_for_each(|table| vacant(&store.file(output, table), typed.force))?;
    let mut scan = plan::scan(Task::Open, &typed.run);
    scan.keep = typed.glob.as_ref().map(|glob| Arc::new(Glob::new(glob)) as Arc<dyn Keep>);
    let run =
        Run::new(scan, tables.iter().copied().filter(|t| t.is_of_meshes())).strict(typed.strict).in_parts();
    let run = match store {
        Store::Files(format) if !dry() => run.written_as(format),
        _ => run,
    };
    let scan = run.scan();
    let mut paths = Paths::read(&typed.run.paths, &scan.stop)?;
    let watch = Watch::new(scan, &typed.run);
    if dry() {
        let exit = rehearse(&run, &mut paths, output, store, &tables)?;
        return Ok(exit.max(paths.finish()?));
    }
    let mut files = FolderWriter::new(output, store, scan.threads, &tables, !typed.tables.is_empty())?;
    let mut written = Ok(());
    let totals = run.run(&mut paths, &mut |mesh, sheets| {
        report(mesh);
        written = files.write(mesh, sheets);
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let named = paths.finish()?;
    written?;
    watch.sum_up(&totals, None);
    if totals.stopped {
        say(format_args!("nothing is written: the run was stopped"));
        return Ok(Exit::Stopped);
    }
    let done = files.finish(typed.force)?;
    if !typed.run.quiet {
        say(format_args!(
            "{} in {}, {} in {}",
            counted(done.rows, "row", "rows"),
            counted(done.tables, "table", "tables"),
            Size(done.bytes),
            path_text(output)
        ));
    }
    Ok(crate::unread(&totals).max(named))
}

/// Counts the rows of each table, and says which files they would make.
fn rehearse(
    run: &Run,
    paths: &mut Paths,
    output: &Path,
    store: Store,
    tables: &[&'static Table],
) -> Result<Exit, Failure> {
    let mut rows = vec![0_u64; tables.len()];
    let totals = run.run(paths, &mut |mesh, sheets| {
        report(mesh);
        for batch in sheets.batches() {
            let at = tables.iter().position(|table| std::ptr::eq(*table, batch.table()));
            if let Some(rows) = at.and_then(|at| rows.get_mut(at)) {
                *rows += batch.rows() as u64;
            }
        }
        ControlFlow::Continue(())
    });
    if totals.stopped {
        return Ok(Exit::Stopped);
    }
    for (table, rows) in tables.iter().zip(rows).filter(|(_, rows)| *rows > 0) {
        let (file, rows) = (store.file(output, table), counted(rows, "row", "rows"));
        let file = path_text(&file);
        say(format_args!("navmap: {file} is not written, {rows} of {}: --dry-run", table.name));
    }
    Ok(crate::unread(&totals))
}

/// Brings tables in parts up to date.
fn update(
    typed: &args::Tables,
    into: &Path,
    store: Store,
    tables: &[&'static Table],
) -> std::result::Result<Exit, Failure> {
    let Store::Files(format) = store else {
        return Err(Error::invalid("--update", "is for formats with a file for each table").into());
    };
    let scan = plan::scan(Task::Open, &typed.run);
    let mut paths = Paths::read(&typed.run.paths, &scan.stop)?;
    let seen = Snapshot::take(&mut paths);
    paths.finish()?;
    let watch = Watch::new(&scan, &typed.run);
    let done = navmap::table::update(scan, seen, into, format, tables, &mut report)?;
    watch.end();
    if done.stopped {
        say(format_args!("stopped early: the same command goes on"));
        return Ok(Exit::Stopped);
    }
    if !typed.run.quiet {
        say(format_args!(
            "{} changed, {} written again, {} in {}",
            counted(done.changed, "file", "files"),
            counted(done.parts, "part", "parts"),
            counted(done.rows, "row", "rows"),
            path_text(into)
        ));
    }
    if done.known_errors > 0 {
        let meshes = counted(done.known_errors, "mesh", "meshes");
        let files = "which have not changed since: `navmap check` tells why";
        complain(format_args!("navmap: {meshes} cannot be read, or not to the end, in files {files}"));
    }
    Ok(if done.errors > 0 { Exit::Findings } else { Exit::Clean })
}

/// Says why a mesh could not be read, or not to its end.
fn report(mesh: &Mesh<'_>) {
    if let Some(error) = mesh.error {
        let at = location(Path::new(mesh.path), mesh.member);
        complain(format_args!("navmap: {}: {}", path_text(&at), error.without_file()));
    }
}

/// Prints what the tables are.
pub(super) fn schema(table: Option<&str>) -> Result<Exit, Failure> {
    let mut text = String::new();
    match table {
        Some(name) => text.push_str(&Table::named(name).ok_or_else(|| names::unknown(name))?.describe()),
        None => {
            for table in TABLES {
                text.push_str(&table.describe());
                text.push('\n');
            }
        }
    }
    super::print(text.trim_end().as_bytes())?;
    super::print(b"\n")
}

/// How tables of a format lie in a folder. An output named like a database is one file, unless it is a folder already, or another
/// format is asked for. Some formats need crates that take long to build.
///
/// # Errors
/// If it is not built in.
fn store(format: Option<TableFormat>, output: &Path) -> Result<Store> {
    let extension = output.extension().unwrap_or_default();
    let is_file = ["sqlite", "sqlite3", "db"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    let is_file = is_file && !output.is_dir();
    let default = if is_file { TableFormat::Sqlite } else { TableFormat::Csv };
    Ok(Store::Files(match format.unwrap_or(default) {
        TableFormat::Csv => Format::Csv,
        TableFormat::Jsonl => Format::Jsonl,
        #[cfg(feature = "parquet")]
        TableFormat::Parquet => Format::Parquet,
        #[cfg(feature = "parquet")]
        TableFormat::Arrow => Format::Arrow,
        #[cfg(feature = "sql")]
        TableFormat::Sqlite => return Ok(if is_file { Store::File } else { Store::Database }),
        #[allow(unreachable_patterns)]
        _ => return Err(crate::built::missing("format")),
    }))
}
