//! The rows of an answer as an Arrow stream or a Parquet file.
//!
//! A bare column has the type declared by its table, if its first 1,024 rows fit in that: in a UNION they may be of others. An
//! expression has the type of these rows: whole numbers, numbers, text. A later row of another type is an error.

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Float32Array, Float64Array, Int16Array, Int32Array, Int64Array,
    RecordBatch, StringArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use navmap_core::threads::locked;
use rusqlite::Row;
use rusqlite::types::Value;
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Rows that decide the types of expressions.
const DECIDING: usize = 1024;
/// Rows of a batch.
const BATCH: usize = 8192;
/// Bytes of texts and blobs among them.
const BATCH_BYTES: usize = 32 << 20;
/// Rows of a row group, which is held in memory.
const GROUP: usize = 131_072;
/// Bytes of one.
const GROUP_BYTES: usize = 256 << 20;

/// Collects the rows of an answer, and writes them a batch or a row group at a time.
pub struct ArrowAnswer {
    names: Vec<String>,
    declared: Vec<Option<DataType>>,
    parquet: bool,
    rows: Vec<Vec<Value>>,
    bytes: usize,
    begun: Option<(SchemaRef, Sink)>,
    made: Made,
}

enum Sink {
    Stream(Box<StreamWriter<Made>>),
    Parquet(Box<parquet::arrow::ArrowWriter<Made>>),
}

/// The output of Arrow's writers, which want to own it, on its way to the real output.
#[derive(Debug, Clone, Default)]
struct Made(Arc<Mutex<Vec<u8>>>);

impl Made {
    fn pass_on(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut made = locked(&self.0);
        out.write_all(&made)?;
        made.clear();
        Ok(())
    }
}

impl Write for Made {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        locked(&self.0).extend_from_slice(bytes);
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
            "UINT8" => Some(DataType::UInt8),
            "UINT16" => Some(DataType::UInt16),
            "INT16" => Some(DataType::Int16),
            "UINT32" => Some(DataType::UInt32),
            "INT32" => Some(DataType::Int32),
            "UINT64" => Some(DataType::UInt64),
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
            Sink::Parquet(writer) => drop(writer.into_inner().map_err(failed)?),
        }
        self.made.pass_on(out)
    }

    fn begin(&self) -> io::Result<(SchemaRef, Sink)> {
        let field = |(at, name): (usize, &String)| {
            let declared = self.declared.get(at).cloned().flatten();
            let declared = declared
                .filter(|kind| self.rows.iter().filter_map(|row| row.get(at)).all(|value| fits(kind, value)));
            Field::new(name, declared.unwrap_or_else(|| self.shown(at)), true)
        };
        let schema = Arc::new(Schema::new(self.names.iter().enumerate().map(field).collect::<Vec<_>>()));
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
            Sink::Parquet(writer) => {
                writer.write(&batch).map_err(failed)?;
                if writer.in_progress_size() > GROUP_BYTES { writer.flush().map_err(failed) } else { Ok(()) }
            }
        }
    }
}

/// Whether a column of this type holds the value.
fn fits(kind: &DataType, value: &Value) -> bool {
    match (kind, value) {
        (_, Value::Null) => true,
        (DataType::Boolean, Value::Integer(number)) => matches!(number, 0 | 1),
        (DataType::UInt8, Value::Integer(number)) => u8::try_from(*number).is_ok(),
        (DataType::UInt16, Value::Integer(number)) => u16::try_from(*number).is_ok(),
        (DataType::Int16, Value::Integer(number)) => i16::try_from(*number).is_ok(),
        (DataType::UInt32, Value::Integer(number)) => u32::try_from(*number).is_ok(),
        (DataType::Int32, Value::Integer(number)) => i32::try_from(*number).is_ok(),
        // SQLite has no larger ones: they are negative there, with the same bits.
        (DataType::Int64 | DataType::UInt64, Value::Integer(_)) => true,
        (DataType::Float32, Value::Real(number)) => number.is_nan() || f64::from(*number as f32) == *number,
        (DataType::Float64, Value::Real(_) | Value::Integer(_)) => true,
        (DataType::Utf8, Value::Text(_)) | (DataType::Binary, Value::Blob(_)) => true,
        _ => false,
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
        let (name, kind) = (field.name(), field.data_type());
        let what = match value {
            Value::Integer(number) => format!("the value {number}; CAST({name} AS INTEGER) holds it"),
            Value::Real(number) => format!("the value {number}; CAST({name} AS REAL) holds it"),
            value => format!("a value of type {}", value.data_type()),
        };
        io::Error::other(format!("column {name} is {kind}, and has {what}"))
    };
    if let Some(value) = values().find(|value| !fits(field.data_type(), value)) {
        return Err(other(value));
    }
    macro_rules! array {
        ($array:ty, $value:ty, $($pattern:pat => $made:expr),+) => {{
            let made = values().map(|value| -> Option<$value> {
                match value {
                    $($pattern => Some($made),)+
                    _ => None,
                }
            });
            Arc::new(made.collect::<$array>()) as ArrayRef
        }};
    }
    Ok(match field.data_type() {
        DataType::UInt8 => array!(UInt8Array, u8, Value::Integer(number) => *number as u8),
        DataType::UInt16 => array!(UInt16Array, u16, Value::Integer(number) => *number as u16),
        DataType::Int16 => array!(Int16Array, i16, Value::Integer(number) => *number as i16),
        DataType::UInt32 => array!(UInt32Array, u32, Value::Integer(number) => *number as u32),
        DataType::Int32 => array!(Int32Array, i32, Value::Integer(number) => *number as i32),
        DataType::UInt64 => array!(UInt64Array, u64, Value::Integer(number) => number.cast_unsigned()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    /// The type of a column that is declared so and has these rows, or why it has none.
    fn kind(declared: &str, rows: &str) -> io::Result<DataType> {
        let mut answer = ArrowAnswer::new(&[("column".to_owned(), Some(declared.to_owned()))], false);
        let connection = Connection::open_in_memory().unwrap();
        let mut statement = connection.prepare(rows).unwrap();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            answer.row(row, &mut io::sink())?;
        }
        answer.flush()?;
        Ok(answer.begun.unwrap().0.field(0).data_type().clone())
    }

    #[test]
    fn a_column_has_its_declared_type_where_its_rows_fit() {
        for (declared, rows, expected) in [
            ("UINT8", "SELECT 255 UNION ALL SELECT NULL", DataType::UInt8),
            ("UINT8", "SELECT 1 UNION ALL SELECT 256", DataType::Int64),
            ("UINT32", "SELECT 4294967295", DataType::UInt32),
            ("UINT32", "SELECT -1", DataType::Int64),
            ("INT16", "SELECT -32768", DataType::Int16),
            ("UINT64", "SELECT -1", DataType::UInt64),
            ("BOOLEAN", "SELECT 1 UNION ALL SELECT 0", DataType::Boolean),
            ("BOOLEAN", "SELECT 1 UNION ALL SELECT 2", DataType::Int64),
            ("REAL32", "SELECT 0.5", DataType::Float32),
            ("REAL32", "SELECT 0.1", DataType::Float64),
            ("TEXT", "SELECT 'a'", DataType::Utf8),
            ("UINT16", "SELECT 1 LIMIT 0", DataType::UInt16),
        ] {
            assert_eq!(kind(declared, rows).unwrap(), expected, "{declared} {rows}");
        }
        let late = "WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 2000) SELECT n / 7 FROM c";
        let why = kind("UINT8", late).unwrap_err().to_string();
        assert_eq!(why, "column column is UInt8, and has the value 256; CAST(column AS INTEGER) holds it");
    }
}
