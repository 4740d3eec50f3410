//! Encodes the columns of a Parquet file independently, and so on several threads.

use crate::arrow::failed;
use arrow_array::RecordBatch;
use arrow_schema::{Field, SchemaRef};
use navmap_core::bytes::room;
use navmap_core::threads::locked;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::thread;

/// Rows held until they are encoded: enough work to make waking other threads worthwhile.
const HELD: usize = 8_192;
/// Batches held at most: one of few rows takes some kilobytes.
const BATCHES: usize = 256;
/// The stack of an encoding thread.
const STACK: usize = 2 << 20;

/// A Parquet file in which every column is one leaf.
pub(super) struct Columns<W: Write + Send> {
    schema: SchemaRef,
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    threads: usize,
    /// The most rows of a group.
    group: usize,
    /// The column writers of the current group, and the number of its rows.
    begun: Option<(Vec<ArrowColumnWriter>, usize)>,
    held: Vec<RecordBatch>,
}

impl<W: Write + Send> Columns<W> {
    pub(super) fn new(
        schema: &SchemaRef,
        out: W,
        properties: WriterProperties,
        threads: usize,
        group: usize,
    ) -> io::Result<Self> {
        let whole = ArrowWriter::try_new(out, Arc::clone(schema), Some(properties)).map_err(failed)?;
        let (file, factory) = whole.into_serialized_writer().map_err(failed)?;
        let schema = Arc::clone(schema);
        Ok(Self { schema, file, factory, threads, group, begun: None, held: Vec::new() })
    }

    pub(super) fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let mut at = 0;
        while at < batch.num_rows() {
            let encoded = self.begun.as_ref().map_or(0, |(_, rows)| *rows);
            let free = self.group - encoded - self.held_rows();
            let part = batch.slice(at, free.min(batch.num_rows() - at));
            at += part.num_rows();
            let is_full = part.num_rows() == free;
            self.held.push(part);
            if is_full {
                self.end_group().map_err(failed)?;
            } else if self.held_rows() >= HELD || self.held.len() >= BATCHES {
                self.encode().map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Writes the end of the file, with this entry beside the metadata it has.
    pub(super) fn finish(mut self, more: Option<KeyValue>) -> io::Result<W> {
        self.end_group().map_err(failed)?;
        more.into_iter().for_each(|entry| self.file.append_key_value_metadata(entry));
        self.file.into_inner().map_err(failed)
    }

    fn held_rows(&self) -> usize {
        self.held.iter().map(RecordBatch::num_rows).sum()
    }

    /// Encodes the held rows.
    fn encode(&mut self) -> Result<()> {
        let held = std::mem::take(&mut self.held);
        if held.is_empty() {
            return Ok(());
        }
        let (columns, rows) = match self.begun.take() {
            Some(begun) => begun,
            None => (self.factory.create_column_writers(self.file.flushed_row_groups().len())?, 0),
        };
        let encode = |at: usize, mut column: ArrowColumnWriter| {
            let field = self.schema.field(at);
            held.iter().try_for_each(|batch| write(&mut column, field, batch, at)).map(|()| column)
        };
        let columns = on_threads(self.threads, columns, encode)?;
        self.begun = Some((columns, rows + held.iter().map(RecordBatch::num_rows).sum::<usize>()));
        Ok(())
    }

    fn end_group(&mut self) -> Result<()> {
        self.encode()?;
        let Some((columns, _)) = self.begun.take() else { return Ok(()) };
        let chunks = on_threads(self.threads, columns, |_, column| column.close())?;
        let mut group = self.file.next_row_group()?;
        chunks.into_iter().try_for_each(|chunk| chunk.append_to_row_group(&mut group))?;
        group.close().map(drop)
    }
}

fn write(column: &mut ArrowColumnWriter, field: &Field, batch: &RecordBatch, at: usize) -> Result<()> {
    compute_leaves(field, batch.column(at))?.iter().try_for_each(|leaf| column.write(leaf))
}

/// The results of `work` for each item and its index, in order.
fn on_threads<T: Send, M: Send>(
    threads: usize,
    items: Vec<T>,
    work: impl Fn(usize, T) -> Result<M> + Sync,
) -> Result<Vec<M>> {
    let threads = threads.min(items.len());
    // Shapes are the last column and take the longest: begun last, they would keep one thread while the others have nothing to do.
    let items = Mutex::new(items.into_iter().enumerate().rev());
    let next = || locked(&items).next();
    let help = || {
        let mut made = Vec::new();
        while let Some((at, item)) = next() {
            made.push((at, work(at, item)?));
        }
        Ok::<_, ParquetError>(made)
    };
    let made = thread::scope(|scope| {
        // If memory does not allow another thread, the existing ones do all the work.
        let helper = |_: usize| {
            room("thread", STACK).ok()?;
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).ok()
        };
        let helpers: Vec<_> = (1..threads).map_while(helper).collect();
        let mut made = help()?;
        for helper in helpers {
            let of_helper = helper.join().map_err(|_| ParquetError::General("a thread ended".to_owned()))?;
            made.extend(of_helper?);
        }
        Ok::<_, ParquetError>(made)
    });
    let mut made = made?;
    made.sort_unstable_by_key(|(at, _)| *at);
    Ok(made.into_iter().map(|(_, made)| made).collect())
}
