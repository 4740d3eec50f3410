//! Batches as Arrow arrays, and as an IPC stream.
//!
//! The schema has `navmap.schema` = 1 in its metadata, and each field its `unit` and `description`. Text is a dictionary, or
//! [`plain`]. The texts of a dictionary differ from batch to batch, which the stream format allows and the
//! file format does not.

use super::batch::Batch;
use super::column::{Column, Type, Values};
use super::mesh::Mesh;
use super::schema::{ColumnDef, Table};
use super::writer::Writer;
use arrow_array::types::{Float32Type, Int16Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, DictionaryArray, FixedSizeBinaryArray, LargeBinaryArray,
    LargeStringArray, PrimitiveArray, RecordBatch, RecordBatchOptions, StringArray,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

/// The Arrow type of a column.
fn data_type(kind: Type) -> DataType {
    match kind {
        Type::Bool => DataType::Boolean,
        Type::U8 => DataType::UInt8,
        Type::U16 => DataType::UInt16,
        Type::I16 => DataType::Int16,
        Type::U32 => DataType::UInt32,
        Type::I32 => DataType::Int32,
        Type::U64 => DataType::UInt64,
        Type::F32 => DataType::Float32,
        Type::Text => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
        Type::Bytes16 => DataType::FixedSizeBinary(16),
        Type::Geometry => DataType::LargeBinary,
    }
}

/// The version of the schema, in the metadata of every file.
pub(super) const VERSION: (&str, &str) = ("navmap.schema", "1");

/// The schema of a table. This and [`record_batch`] are only as stable as the Arrow crates they name.
pub fn schema(table: &'static Table) -> Schema {
    let field = |column: &ColumnDef| {
        let about = [("unit", column.unit), ("description", column.about)];
        // By this name libraries of geometry know a column of Arrow. Without a reference system it has none.
        let extension = match column.kind {
            Type::Geometry => [("ARROW:extension:name", "geoarrow.wkb"), ("ARROW:extension:metadata", "{}")],
            _ => [("", ""); 2],
        };
        let known = about.into_iter().chain(extension).filter(|(_, text)| !text.is_empty());
        let metadata = known.map(|(key, text)| (key.to_owned(), text.to_owned())).collect();
        Field::new(column.name, data_type(column.kind), column.null).with_metadata(metadata)
    };
    let fields: Vec<Field> = table.all_columns().map(field).collect();
    let (key, version) = VERSION;
    let metadata = HashMap::from([
        (key.to_owned(), version.to_owned()),
        ("navmap.table".to_owned(), table.name.to_owned()),
        ("description".to_owned(), table.about.trim().to_owned()),
    ]);
    Schema::new_with_metadata(fields, metadata)
}

/// The same schema with plain text instead of dictionaries. What frames call a category is then text, which is concatenated,
/// compared and taken apart. The text of a row takes its own bytes, and 8 more: of 2 million rows with a path of 60 letters 145
/// MB and not 16, in the same time.
#[must_use]
pub fn plain(schema: &Schema) -> Schema {
    let field = |field: &Arc<Field>| match field.data_type() {
        DataType::Dictionary(..) => Arc::new(field.as_ref().clone().with_data_type(DataType::LargeUtf8)),
        _ => Arc::clone(field),
    };
    let fields: Vec<_> = schema.fields().iter().map(field).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

/// The rows of one mesh as Arrow arrays, one for each field of `schema`: that of the table, or a projection of it. Takes the
/// values out of the batch: only the bits of bool and null are copied.
///
/// # Errors
/// If a field is not a column of the table, or not a wanted column.
pub fn record_batch(
    schema: &SchemaRef,
    mesh: &Mesh<'_>,
    batch: &mut Batch,
) -> Result<RecordBatch, ArrowError> {
    let (rows, table) = (batch.rows(), batch.table());
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
    for field in schema.fields() {
        let own = table.position(field.name()).and_then(|at| batch.columns_mut().get_mut(at));
        let plain = *field.data_type() == DataType::LargeUtf8;
        arrays.push(match (own, field.name().as_str()) {
            (Some(column), _) => array(column, plain)?,
            (None, "path") => constant(Some(mesh.path), rows, plain)?,
            (None, "member") => constant(mesh.member, rows, plain)?,
            (None, "file") => Arc::new(PrimitiveArray::<UInt32Type>::from_value(mesh.file, rows)),
            (None, other) => return Err(ArrowError::SchemaError(format!("no column {other}"))),
        });
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options)
}

/// The same text in every row.
fn constant(text: Option<&str>, rows: usize, plain: bool) -> Result<ArrayRef, ArrowError> {
    let nulls = text.is_none().then(|| NullBuffer::new_null(rows));
    texts(vec![0; rows], &[text.unwrap_or_default()], nulls, plain)
}

fn array(column: &mut Column, plain: bool) -> Result<ArrayRef, ArrowError> {
    let (values, valid) = column.take();
    let nulls = valid.map(NullBuffer::from).filter(|nulls| nulls.null_count() > 0);
    Ok(match values {
        Values::Bool(values) => Arc::new(BooleanArray::new(values.into(), nulls)),
        Values::U8(values) => numbers::<UInt8Type>(values, nulls),
        Values::U16(values) => numbers::<UInt16Type>(values, nulls),
        Values::I16(values) => numbers::<Int16Type>(values, nulls),
        Values::U32(values) => numbers::<UInt32Type>(values, nulls),
        Values::I32(values) => numbers::<Int32Type>(values, nulls),
        Values::U64(values) => numbers::<UInt64Type>(values, nulls),
        Values::F32(values) => numbers::<Float32Type>(values, nulls),
        Values::Text(keys, dictionary) => texts(keys, dictionary.texts(), nulls, plain)?,
        Values::Bytes16(values) => {
            Arc::new(FixedSizeBinaryArray::new(16, Buffer::from_vec(values.into_flattened()), nulls))
        }
        Values::Geometry(geometries) => {
            let (bytes, ends) = geometries.into_parts();
            let ends = ends.into_iter().map(|end| i64::try_from(end).unwrap_or(i64::MAX));
            let offsets: Vec<i64> = std::iter::once(0).chain(ends).collect();
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            Arc::new(LargeBinaryArray::try_new(offsets, Buffer::from_vec(bytes), nulls)?)
        }
    })
}

fn numbers<T: ArrowPrimitiveType>(values: Vec<T::Native>, nulls: Option<NullBuffer>) -> ArrayRef
where
    T::Native: ArrowNativeType,
{
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(values), nulls))
}

/// Text by keys into a list of texts. Keys of nulls are 0, and may be those of no text.
fn texts<T: AsRef<str>>(
    keys: Vec<u32>,
    texts: &[T],
    nulls: Option<NullBuffer>,
    plain: bool,
) -> Result<ArrayRef, ArrowError> {
    if plain {
        return strings(&keys, texts, nulls);
    }
    let keys: Vec<i32> = keys.into_iter().map(u32::cast_signed).collect();
    let keys = PrimitiveArray::<Int32Type>::new(ScalarBuffer::from(keys), nulls);
    let texts: StringArray = match texts {
        // An empty dictionary is legal, but not every reader accepts it.
        [] => StringArray::from(vec![""]),
        texts => StringArray::from_iter_values(texts),
    };
    Ok(Arc::new(DictionaryArray::new(keys, Arc::new(texts))))
}

/// The text of each row. That of a null has no letters.
fn strings<T: AsRef<str>>(
    keys: &[u32],
    texts: &[T],
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let text = |row: usize, key: &u32| match nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) {
        true => texts.get(*key as usize).map_or("", AsRef::as_ref),
        false => "",
    };
    let rows = || keys.iter().enumerate().map(|(row, key)| text(row, key));
    let lengths = OffsetBuffer::<i64>::from_lengths(rows().map(str::len));
    let mut bytes = Vec::with_capacity(lengths.last().map_or(0, |end| *end as usize));
    rows().for_each(|text| bytes.extend_from_slice(text.as_bytes()));
    Ok(Arc::new(LargeStringArray::try_new(lengths, Buffer::from_vec(bytes), nulls)?))
}

pub(super) fn failed(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(error)
}

/// Writes an Arrow IPC stream (`.arrows`): one record batch per mesh, and several for a
/// large one in a run [in parts](super::run::Run::in_parts).
pub struct ArrowWriter<W: Write> {
    schema: SchemaRef,
    out: StreamWriter<W>,
}

impl<W: Write> fmt::Debug for ArrowWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrowWriter").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl<W: Write> ArrowWriter<W> {
    /// Writes the schema.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(table: &'static Table, out: W) -> io::Result<Self> {
        let schema = Arc::new(schema(table));
        let out = StreamWriter::try_new(out, &schema).map_err(failed)?;
        Ok(Self { schema, out })
    }
}

impl<W: Write + Send> Writer<W> for ArrowWriter<W> {
    fn write(&mut self, mesh: &Mesh<'_>, batch: &mut Batch) -> io::Result<()> {
        if batch.rows() == 0 {
            return Ok(());
        }
        let batch = record_batch(&self.schema, mesh, batch).map_err(failed)?;
        self.out.write(&batch).map_err(failed)
    }

    fn finish(mut self: Box<Self>) -> io::Result<W> {
        self.out.finish().map_err(failed)?;
        self.out.into_inner().map_err(failed)
    }
}
