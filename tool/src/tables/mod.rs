//! `navmap tables`: writes meshes as tables.

mod files;
mod folder;
mod ledger;
mod names;
mod update;

use super::args::{self, TableFormat};
use super::out::{complain, say};
use super::paths::Paths;
use super::progress::Watch;
use super::{Exit, Failure, plan};
use files::Files;
use navmap::error::{Error, Result};
use navmap::open::location;
use navmap::scan::{Glob, Keep, Task};
use navmap::table::{Mesh, Run, TABLES, Table};
use navmap::text::{Size, counted};
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
    is_built_in(typed.format)?;
    if typed.update {
        return update::run(typed, output, &tables);
    }
    folder::check(output, typed.force, &tables, typed.format)?;
    let mut scan = plan::scan(Task::Open, &typed.run);
    scan.keep = typed.glob.as_ref().map(|glob| Arc::new(Glob::new(glob)) as Arc<dyn Keep>);
    let run = Run::new(scan, tables.iter().copied().filter(|t| t.is_of_meshes())).strict(typed.strict);
    let scan = run.scan();
    let mut paths = Paths::of(&typed.run.paths, &scan.stop)?;
    let watch = Watch::new(scan, &typed.run);
    folder::make(output)?;
    let mut files = Files::new(output, typed.format, scan.threads, &tables, !typed.tables.is_empty())?;
    let mut written = Ok(());
    let totals = run.run(&mut paths, &mut |mesh, sheets| {
        report(mesh);
        written = sheets.batches_mut().iter_mut().try_for_each(|batch| files.write(mesh, batch));
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let named = paths.finish()?;
    written?;
    watch.sum_up(&totals);
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
            output.display()
        ));
    }
    Ok(if totals.errors > 0 { Exit::Findings } else { Exit::Clean }.max(named))
}

/// Says why a mesh could not be read, or not to its end.
fn report(mesh: &Mesh<'_>) {
    if let Some(error) = mesh.error {
        let at = location(Path::new(mesh.path), mesh.member);
        complain(format_args!("navmap: {}: {}", at.display(), error.without_file()));
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

/// Whether this program can write a format: some need crates that take long to build.
fn is_built_in(format: TableFormat) -> Result<()> {
    let there = match format {
        TableFormat::Csv | TableFormat::Jsonl => true,
        TableFormat::Parquet | TableFormat::Arrow => cfg!(feature = "parquet"),
        TableFormat::Sqlite => cfg!(feature = "sql"),
    };
    if there { Ok(()) } else { Err(crate::built::missing("format")) }
}
