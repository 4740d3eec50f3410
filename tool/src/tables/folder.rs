//! The folder that tables go to. One with files in it that are no tables is left alone.

use crate::args::TableFormat;
use navmap::error::{Error, Result};
use navmap::table::Table;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the database.
pub(super) const DATABASE: &str = "navmap.sqlite";

/// The extension of a table's file.
pub(super) fn extension(format: TableFormat) -> &'static str {
    match format {
        TableFormat::Csv => "csv",
        TableFormat::Jsonl => "jsonl",
        TableFormat::Parquet => "parquet",
        TableFormat::Arrow => "arrows",
        TableFormat::Sqlite => "sqlite",
    }
}

/// The file of a table.
pub(super) fn file(folder: &Path, table: &Table, format: TableFormat) -> PathBuf {
    match format {
        TableFormat::Sqlite => folder.join(DATABASE),
        _ => folder.join(format!("{}.{}", table.name, extension(format))),
    }
}

/// Whether a file of this name is one of ours: a table in any format, or what a killed run has left.
fn is_ours(name: &str) -> bool {
    let table = name.rsplit_once('.').and_then(|(stem, extension)| {
        let known = ["csv", "jsonl", "parquet", "arrows"].contains(&extension);
        Table::named(stem).filter(|table| known && table.name == stem)
    });
    table.is_some() || name == DATABASE || (name.starts_with(".navmap-") && name.ends_with(".tmp"))
}

/// Refuses a folder with files of others in it, and tables that exist, before the work is done.
///
/// # Errors
/// If there is such a file, or the folder cannot be read.
pub(super) fn check(
    folder: &Path,
    force: bool,
    tables: &[&'static Table],
    format: TableFormat,
) -> Result<()> {
    let at = |error: io::Error| Error::from(error).in_file(folder);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(at)?,
    };
    for entry in entries {
        let entry = entry.map_err(at)?;
        let name = entry.file_name();
        let is_file = entry.file_type().map_err(at)?.is_file();
        if !is_file || !is_ours(&name.to_string_lossy()) {
            let why = format!("holds {}, which is no table; choose another folder", name.to_string_lossy());
            return Err(Error::invalid("folder", why).in_file(folder));
        }
    }
    tables.iter().try_for_each(|table| crate::save::vacant(&file(folder, table, format), force))
}

/// Makes the folder.
///
/// # Errors
/// Those of the operating system.
pub(super) fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Error::from(error).in_file(folder))
}
