//! Reads columns of a Parquet file that another program wrote.

use navmap_core::error::{Error, Result};
use parquet::basic::Compression;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Hands out the texts of these columns for each row, with the row's number from 0 on. Names are compared without case; a number is
/// written as a number, a time as that of its unit since the epoch, and null as nothing. Other columns are not read. Compression is
/// zstd, snappy or none.
///
/// # Errors
/// If it is no Parquet file or lacks a column, if a column holds lists or structures, and those of `each`.
pub fn read_columns(
    path: &Path,
    columns: &[&str],
    each: &mut dyn FnMut(u64, &[String]) -> Result<()>,
) -> Result<()> {
    let refused = |error: parquet::errors::ParquetError| Error::invalid("Parquet", error.to_string());
    let reader = SerializedFileReader::new(File::open(path)?).map_err(refused)?;
    let schema = reader.metadata().file_metadata().schema();
    let fields = schema.get_fields();
    let mut chosen = Vec::with_capacity(columns.len());
    for column in columns {
        let found = fields.iter().position(|field| field.name().eq_ignore_ascii_case(column));
        let at = found.ok_or_else(|| {
            let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
            Error::invalid("Parquet", format!("has no column {column}, but {}", names.join(", ")))
        })?;
        if !fields.get(at).is_some_and(|field| field.is_primitive()) {
            return Err(Error::invalid("Parquet", format!("column {column} holds no single values")));
        }
        chosen.push(at);
    }
    for group in reader.metadata().row_groups() {
        for column in group.columns() {
            let is_chosen = chosen.iter().any(|at| {
                fields.get(*at).is_some_and(|field| {
                    Some(field.name()) == column.column_path().parts().first().map(String::as_str)
                })
            });
            if is_chosen
                && !matches!(
                    column.compression(),
                    Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_)
                )
            {
                let by = column.compression().to_string().to_ascii_lowercase();
                let by = by.split('(').next().unwrap_or_default();
                let why = format!("is compressed by {by}: zstd, snappy and none are read");
                return Err(Error::invalid("Parquet", why));
            }
        }
    }
    let mut read: Vec<usize> = chosen.clone();
    read.sort_unstable();
    read.dedup();
    let wanted = read.iter().filter_map(|at| fields.get(*at).map(Arc::clone)).collect();
    let projection = Type::group_type_builder(schema.name()).with_fields(wanted).build().map_err(refused)?;
    let places: Vec<usize> = chosen.iter().filter_map(|at| read.binary_search(at).ok()).collect();
    let mut texts = vec![String::new(); columns.len()];
    for (number, row) in (0..).zip(RowIter::from_file(Some(projection), &reader).map_err(refused)?) {
        let row = row.map_err(refused)?;
        let values: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
        for (text, at) in texts.iter_mut().zip(&places) {
            *text = values.get(*at).map_or_else(String::new, |field| written(field));
        }
        each(number, &texts)?;
    }
    Ok(())
}

fn written(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into_owned(),
        Field::Float(value) => value.to_string(),
        Field::Double(value) => value.to_string(),
        Field::Date(n) | Field::TimeMillis(n) => n.to_string(),
        Field::TimeMicros(n) | Field::TimestampMillis(n) | Field::TimestampMicros(n) => n.to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    fn made(path: &Path, compression: Compression) {
        let schema = "message m { REQUIRED DOUBLE X; OPTIONAL INT64 tick; REQUIRED BYTE_ARRAY who (UTF8); }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
        let mut writer = SerializedFileWriter::new(File::create(path).unwrap(), schema, properties).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&[1.5, -2.0], None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&[7], Some(&[1, 0]), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let names = ["Bob", "Ann"].map(ByteArray::from);
        column.typed::<ByteArrayType>().write_batch(&names, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
    }

    #[test]
    fn columns_are_read_by_name_in_the_order_that_was_asked_for() {
        let path = std::env::temp_dir().join(format!("navmap-columns-{}.parquet", std::process::id()));
        let read = |columns: &[&str]| {
            let mut rows = Vec::new();
            read_columns(&path, columns, &mut |number, texts| {
                rows.push((number, texts.join("|")));
                Ok(())
            })
            .map(|()| rows)
        };
        for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY] {
            made(&path, compression);
            let rows = read(&["who", "x", "tick", "who"]).unwrap();
            assert_eq!(rows, [(0, "Bob|1.5|7|Bob".to_owned()), (1, "Ann|-2||Ann".to_owned())]);
        }
        let why = read(&["y"]).unwrap_err().to_string();
        assert!(why.contains("has no column y, but X, tick, who"), "{why}");
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            assert!(read(&["x"]).is_err(), "cut at {cut}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
