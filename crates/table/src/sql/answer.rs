//! The rows of an answer as an Arrow stream or a Parquet file.
//!
//! A bare column has the type declared by its table. An expression has the type of its first 1,024 rows: whole numbers, numbers,
//! text. A later row of another type is an error.

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray,
};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use rusqlite::Row;
use rusqlite::types::Value;
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows that decide the types of expressions.
const DECIDING: usize = 1024;
/// Rows of a batch.
const BATCH: usize = 8192;
/// Bytes of texts and blobs among them.
const BATCH_BYTES: usize = 32 << 20;
/// Rows of a row group, which is held in memory.
#[cfg(feature = "parquet")]
const GROUP: usize = 131_072;
/// Bytes of one.
#[cfg(feature = "parquet")]
const GROUP_BYTES: usize = 256 << 20;

/// Collects the rows of an answer, and writes them a batch or a row group at a time.
pub struct ArrowAnswer {
    names: Vec<String>,
    declared: Vec<Option<DataType>>,
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    parquet: bool,
    rows: Vec<Vec<Value>>,
    bytes: usize,
    begun: Option<(SchemaRef, Sink)>,
    made: Made,
}

enum Sink {
    Stream(Box<StreamWriter<Made>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::arrow::ArrowWriter<Made>>),
}

/// The output of Arrow's writers, which want to own it, on its way to the real output.
#[derive(Debug, Clone, Default)]
struct Made(Arc<Mutex<Vec<u8>>>);

impl Made {
    fn pass_on(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(&made)?;
        made.clear();
        Ok(())
    }
}

impl Write for Made {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for ArrowAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrowAnswer").field("names", &self.names).finish_non_exhaustive()
    }
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(error)
}

impl ArrowAnswer {
    /// Names of columns, no two of which should be the same, and their declared types.
    pub fn new(columns: &[(String, Option<String>)], parquet: bool) -> Self {
        let declared = columns.iter().map(|(_, declared)| match declared.as_deref()? {
            "INTEGER" => Some(DataType::Int64),
            "BOOLEAN" => Some(DataType::Boolean),
            "REAL32" => Some(DataType::Float32),
            "TEXT" => Some(DataType::Utf8),
            "BLOB" => Some(DataType::Binary),
            _ => None,
        });
        let names = columns.iter().map(|(name, _)| name.clone()).collect();
        Self {
            names,
            declared: declared.collect(),
            parquet,
            rows: Vec::new(),
            bytes: 0,
            begun: None,
            made: Made::default(),
        }
    }

    /// Takes a row. Writes the held rows once there are many.
    ///
    /// # Errors
    /// If a value does not have the type of its column; those of `out`.
    pub fn row(&mut self, row: &Row<'_>, out: &mut dyn Write) -> io::Result<()> {
        let value = |at| row.get::<_, Value>(at).map_err(failed);
        let values = (0..self.names.len()).map(value).collect::<io::Result<Vec<_>>>()?;
        self.bytes = values.iter().map(bytes_of).fold(self.bytes, usize::saturating_add);
        self.rows.push(values);
        let full = if self.begun.is_some() { BATCH } else { DECIDING };
        if self.rows.len() < full && self.bytes < BATCH_BYTES {
            return Ok(());
        }
        self.flush()?;
        self.made.pass_on(out)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Those of [`row`](Self::row), and those of `out`.
    pub fn finish(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.flush()?;
        let Some((_, sink)) = self.begun else { return Ok(()) };
        match sink {
            Sink::Stream(mut writer) => {
                writer.finish().map_err(failed)?;
                drop(writer);
            }
            #[cfg(feature = "parquet")]
            Sink::Parquet(writer) => drop(writer.into_inner().map_err(failed)?),
        }
        self.made.pass_on(out)
    }

    fn begin(&self) -> io::Result<(SchemaRef, Sink)> {
        let field = |(at, name): (usize, &String)| {
            let declared = self.declared.get(at).cloned().flatten();
            Field::new(name, declared.unwrap_or_else(|| self.shown(at)), true)
        };
        let schema = Arc::new(Schema::new(self.names.iter().enumerate().map(field).collect::<Vec<_>>()));
        #[cfg(feature = "parquet")]
        if self.parquet {
            use parquet::basic::{Compression, ZstdLevel};
            let level = ZstdLevel::try_new(3).map_err(failed)?;
            let made = parquet::file::properties::WriterProperties::builder()
                .set_compression(Compression::ZSTD(level))
                .set_max_row_group_row_count(Some(GROUP))
                .build();
            let writer =
                parquet::arrow::ArrowWriter::try_new(self.made.clone(), Arc::clone(&schema), Some(made));
            return Ok((schema, Sink::Parquet(Box::new(writer.map_err(failed)?))));
        }
        let writer = StreamWriter::try_new(self.made.clone(), &schema).map_err(failed)?;
        Ok((schema, Sink::Stream(Box::new(writer))))
    }

    /// The type shown by the rows so far.
    fn shown(&self, at: usize) -> DataType {
        let mut shown = DataType::Null;
        for row in &self.rows {
            let kind = match row.get(at) {
                Some(Value::Integer(_)) if shown == DataType::Float64 => DataType::Float64,
                Some(Value::Integer(_)) => DataType::Int64,
                Some(Value::Real(_)) => DataType::Float64,
                Some(Value::Text(_)) => DataType::Utf8,
                Some(Value::Blob(_)) => DataType::Binary,
                Some(Value::Null) | None => continue,
            };
            // A text among numbers is reported when the column is made.
            if shown != DataType::Utf8 {
                shown = kind;
            }
        }
        if shown == DataType::Null { DataType::Utf8 } else { shown }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.begun.is_none() {
            self.begun = Some(self.begin()?);
        }
        let rows = std::mem::take(&mut self.rows);
        self.bytes = 0;
        let Some((schema, sink)) = &mut self.begun else { return Ok(()) };
        if rows.is_empty() {
            return Ok(());
        }
        let arrays = schema.fields().iter().enumerate().map(|(at, field)| column(&rows, at, field));
        let batch = RecordBatch::try_new(Arc::clone(schema), arrays.collect::<io::Result<Vec<_>>>()?);
        let batch = batch.map_err(failed)?;
        match sink {
            Sink::Stream(writer) => writer.write(&batch).map_err(failed),
            #[cfg(feature = "parquet")]
            Sink::Parquet(writer) => {
                writer.write(&batch).map_err(failed)?;
                if writer.in_progress_size() > GROUP_BYTES { writer.flush().map_err(failed) } else { Ok(()) }
            }
        }
    }
}

/// What a value holds besides itself.
fn bytes_of(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        _ => 0,
    }
}

fn column(rows: &[Vec<Value>], at: usize, field: &Field) -> io::Result<ArrayRef> {
    let values = || rows.iter().map(|row| row.get(at).unwrap_or(&Value::Null));
    let other = |value: &Value| {
        let why = format!(
            "column {} is {}, and has a value of type {}",
            field.name(),
            field.data_type(),
            value.data_type()
        );
        io::Error::other(why)
    };
    macro_rules! array {
        ($array:ty, $value:ty, $($pattern:pat => $made:expr),+) => {{
            let made: io::Result<Vec<Option<$value>>> = values()
                .map(|value| match value {
                    Value::Null => Ok(None),
                    $($pattern => Ok(Some($made)),)+
                    #[allow(unreachable_patterns)]
                    value => Err(other(value)),
                })
                .collect();
            Arc::new(made?.into_iter().collect::<$array>()) as ArrayRef
        }};
    }
    Ok(match field.data_type() {
        DataType::Int64 => array!(Int64Array, i64, Value::Integer(number) => *number),
        DataType::Boolean => array!(BooleanArray, bool, Value::Integer(number) => *number != 0),
        DataType::Float32 => array!(Float32Array, f32, Value::Real(real) => *real as f32),
        DataType::Float64 => {
            array!(Float64Array, f64, Value::Real(real) => *real, Value::Integer(number) => *number as f64)
        }
        DataType::Binary => array!(BinaryArray, &[u8], Value::Blob(bytes) => bytes.as_slice()),
        _ => array!(StringArray, &str, Value::Text(text) => text.as_str()),
    })
}
