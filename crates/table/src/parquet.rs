//! Parquet: the settings that keep files small, readers fast and memory low, measured over 800 MB of real meshes.
//!
//! | setting | why |
//! |---|---|
//! | zstd, level 1 | level 3 is 2 % smaller, and takes more time and memory |
//! | row groups of 131,072 rows | 2 % larger than a million, but readers share a file and memory stays small |
//! | pages of at most 8,192 rows | each column holds room to pack a page in, and there are 42 of areas |
//! | dictionary for text, 8-bit numbers, flags and counts, for visibility, and for x and y of areas | they repeat: areas lie on a grid |
//! | delta encoding for other whole numbers | ids and positions rise |
//! | other floats as they are | splitting them by bytes makes them larger: heights 3 %, light 15 % |
//! | no statistics for shapes | the smallest of some bytes prunes nothing |
//!
//! A table with a column of shapes is a file of GeoParquet 1.1, without a reference system.

use super::arrow::{VERSION, failed, record_batch, schema};
use super::batch::Batch;
use super::column::Type;
use super::mesh::Mesh;
use super::schema::{ColumnDef, Table};
use super::writer::Writer;

mod columns;
mod geo;
mod read;

use columns::Columns;
use geo::GeoMetadata;

#[doc(hidden)]
pub use parquet as library;
pub use read::read_columns;

use arrow_schema::SchemaRef;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows of a row group, and of a page.
const GROUP: usize = 131_072;
const PAGE: usize = 8_192;

/// Writes a Parquet file.
pub struct ParquetWriter<W: Write + Send> {
    schema: SchemaRef,
    out: Columns<W>,
    geo: Option<GeoMetadata>,
}

impl<W: Write + Send> fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetWriter").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file whose columns are encoded on up to `threads` threads. The bytes do not depend on their number.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(table: &'static Table, out: W, threads: usize) -> io::Result<Self> {
        let schema = Arc::new(schema(table));
        let out = Columns::new(&schema, out, properties(table)?, threads, GROUP)?;
        Ok(Self { schema, out, geo: GeoMetadata::new(table) })
    }
}

fn properties(table: &'static Table) -> io::Result<WriterProperties> {
    let (key, version) = VERSION;
    let mut made = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).map_err(failed)?))
        .set_max_row_group_row_count(Some(GROUP))
        .set_data_page_row_count_limit(PAGE)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_created_by(concat!("navmap ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(vec![KeyValue::new(key.to_owned(), version.to_owned())]));
    for column in table.all_columns() {
        let path = ColumnPath::from(column.name);
        made = match encoding(table, column) {
            Some(encoding) => made.set_column_encoding(path.clone(), encoding),
            None => made.set_column_dictionary_enabled(path.clone(), true),
        };
        if column.kind == Type::Geometry {
            made = made.set_column_statistics_enabled(path, EnabledStatistics::None);
        }
    }
    Ok(made.build())
}

/// Whether a column has few distinct values, or many rows of each.
fn repeats(table: &Table, column: &ColumnDef) -> bool {
    const COUNTS: [&str; 8] =
        ["flags", "game_flags", "north", "east", "south", "west", "place_index", "encounter_paths"];
    const ON_GRID: [&str; 9] =
        ["nw_x", "nw_y", "se_x", "se_y", "center_x", "center_y", "width", "depth", "surface"];
    COUNTS.contains(&column.name) || (table.name == "source_areas" && ON_GRID.contains(&column.name))
}

/// The encoding of a column; `None` for a dictionary.
fn encoding(table: &Table, column: &ColumnDef) -> Option<Encoding> {
    match column.kind {
        _ if repeats(table, column) => None,
        Type::Text | Type::U8 => None,
        Type::U16 | Type::I16 | Type::U32 | Type::I32 | Type::U64 if !table.is_large() => {
            Some(Encoding::DELTA_BINARY_PACKED)
        }
        Type::U16 | Type::I16 | Type::U32 | Type::I32 | Type::U64 => None,
        Type::F32 | Type::Bool | Type::Bytes16 | Type::Geometry => Some(Encoding::PLAIN),
    }
}

impl<W: Write + Send> Writer<W> for ParquetWriter<W> {
    fn write(&mut self, mesh: &Mesh<'_>, batch: &mut Batch) -> io::Result<()> {
        if batch.rows() == 0 {
            return Ok(());
        }
        if let Some(geo) = &mut self.geo
            && let Some(column) = batch.columns().get(geo.position())
        {
            geo.add(column.values());
        }
        let batch = record_batch(&self.schema, mesh, batch).map_err(failed)?;
        self.out.write(&batch)
    }

    fn finish(self: Box<Self>) -> io::Result<W> {
        let geo = self.geo.map(|geo| KeyValue::new("geo".to_owned(), geo.json()));
        self.out.finish(geo)
    }
}
