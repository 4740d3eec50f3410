//! The folder that tables go to. One with files in it that are no tables is left alone.

use crate::format::Format;
use crate::schema::Table;
use navmap_core::error::{Error, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the database.
pub(super) const DATABASE: &str = "navmap.sqlite";

/// How tables lie in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Store {
    /// A file for each table: `source_areas.csv`.
    Files(Format),
    /// All tables in one SQLite file, `navmap.sqlite`.
    #[cfg(feature = "sql")]
    Database,
    /// All tables in one SQLite file, which lies at the path itself, in a folder that exists.
    #[cfg(feature = "sql")]
    File,
}

impl Store {
    /// The file of a table, where `folder` is the path that the tables go to.
    pub fn file(self, folder: &Path, table: &Table) -> PathBuf {
        match self {
            Self::Files(format) => folder.join(format!("{}.{}", table.name, format.extension())),
            #[cfg(feature = "sql")]
            Self::Database => folder.join(DATABASE),
            #[cfg(feature = "sql")]
            Self::File => folder.to_owned(),
        }
    }
}

/// Whether a file of this name is one of ours: a table in any format, or what a killed run has left.
fn is_ours(name: &str) -> bool {
    let table = name.rsplit_once('.').and_then(|(stem, extension)| {
        let known = ["csv", "jsonl", "parquet", "arrows"].contains(&extension);
        Table::named(stem).filter(|table| known && table.name == stem)
    });
    table.is_some() || name == DATABASE || is_left_over(name)
}

/// Whether a run that was killed has left the file.
pub(super) fn is_left_over(name: &str) -> bool {
    name.starts_with(".navmap-") && name.ends_with(".tmp")
}

/// Refuses a folder with files of others in it, before the work is done. One that does not exist is right.
///
/// # Errors
/// If there is such a file, or the folder cannot be read.
pub fn check_folder(folder: &Path) -> Result<()> {
    let why = "which is no table; choose another folder";
    check(folder, why, |entry| {
        Ok(entry.file_type()?.is_file() && is_ours(&entry.file_name().to_string_lossy()))
    })
}

/// Refuses a folder with anything in it that is not `known`.
pub(super) fn check(
    folder: &Path,
    why: &str,
    known: impl Fn(&fs::DirEntry) -> io::Result<bool>,
) -> Result<()> {
    let at = |error: io::Error| Error::from(error).in_file(folder);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(at)?,
    };
    for entry in entries {
        let entry = entry.map_err(at)?;
        if !known(&entry).map_err(at)? {
            let why = format!("holds {}, {why}", entry.file_name().to_string_lossy());
            return Err(Error::invalid("folder", why).in_file(folder));
        }
    }
    Ok(())
}

/// Makes the folder.
///
/// # Errors
/// Those of the operating system.
pub(super) fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Error::from(error).in_file(folder))
}
