//! What all formats have in common: batches go in, a file comes out.

use super::batch::Batch;
use super::run::Mesh;
use super::schema::Table;
use super::text::{CsvWriter, JsonlWriter};
use std::io::{self, Write};

/// Writes the rows of one table.
pub trait Writer<W>: Send {
    /// Writes the rows of one mesh. May take the values out of the batch.
    ///
    /// # Errors
    /// Those of the output.
    fn write(&mut self, mesh: &Mesh<'_>, batch: &mut Batch) -> io::Result<()>;

    /// Writes what the format ends with, and hands the output back.
    ///
    /// # Errors
    /// Those of the output.
    fn finish(self: Box<Self>) -> io::Result<W>;
}

/// A format that has a file for each table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object a line.
    Jsonl,
    /// An Arrow IPC stream.
    #[cfg(feature = "arrow")]
    Arrow,
    /// Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// The extension of its files: `csv`, `jsonl`, `arrows`, `parquet`.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            #[cfg(feature = "arrow")]
            Self::Arrow => "arrows",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
        }
    }

    /// Begins a file of this format.
    ///
    /// # Errors
    /// Those of the output.
    pub fn begin<'w, W: Write + Send + 'w>(
        self,
        table: &'static Table,
        out: W,
    ) -> io::Result<Box<dyn Writer<W> + 'w>> {
        self.begin_on(table, out, 1)
    }

    /// As [`begin`](Self::begin), with so many threads where a format can use them: the columns of Parquet take much more
    /// time to encode than to read. The bytes are the same with any number of threads.
    ///
    /// # Errors
    /// Those of the output.
    #[cfg_attr(not(feature = "parquet"), allow(unused_variables))]
    pub fn begin_on<'w, W: Write + Send + 'w>(
        self,
        table: &'static Table,
        out: W,
        threads: usize,
    ) -> io::Result<Box<dyn Writer<W> + 'w>> {
        Ok(match self {
            Self::Csv => Box::new(CsvWriter::new(table, out)?),
            Self::Jsonl => Box::new(JsonlWriter::new(table, out)),
            #[cfg(feature = "arrow")]
            Self::Arrow => Box::new(super::arrow::ArrowWriter::new(table, out)?),
            #[cfg(feature = "parquet")]
            Self::Parquet => Box::new(super::parquet::ParquetWriter::new(table, out, threads)?),
        })
    }
}

/// Hands out the rows of `flag_names`, which come from no mesh. Returns how many they are.
///
/// # Errors
/// Those of `write`.
pub fn write_flag_names(write: &mut dyn FnMut(&Mesh<'_>, &mut Batch) -> io::Result<()>) -> io::Result<u64> {
    let mut sheets = super::batch::Sheets::new([&super::rows::FLAG_NAMES]);
    super::fill::flag_names(&mut sheets);
    let mesh = Mesh { path: "", member: None, file: 0, error: None };
    let mut rows = 0u64;
    for batch in sheets.batches_mut() {
        rows = rows.saturating_add(batch.rows() as u64);
        write(&mesh, batch)?;
    }
    Ok(rows)
}
