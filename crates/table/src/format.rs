//! The formats of tables, and how to begin a file of one.

use super::lines::Form;
use super::schema::Table;
use super::text::{CsvWriter, JsonlWriter};
use super::writer::Writer;
use std::io::{self, Write};

/// A format with one file per table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object per line.
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

    /// The text that its files are, if they are.
    pub(super) fn text(self) -> Option<Form> {
        let texts = [(Self::Csv, Form::Csv), (Self::Jsonl, Form::Jsonl)];
        texts.into_iter().find(|(format, _)| *format == self).map(|(_, form)| form)
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

    /// Like [`begin`](Self::begin), with up to `threads` threads if the format can use them: encoding the columns of Parquet
    /// takes much longer than reading. The bytes do not depend on the number of threads.
    ///
    /// # Errors
    /// Those of the output.
    pub fn begin_on<'w, W: Write + Send + 'w>(
        self,
        table: &'static Table,
        out: W,
        threads: usize,
    ) -> io::Result<Box<dyn Writer<W> + 'w>> {
        let _ = threads;
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
