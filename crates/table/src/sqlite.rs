//! A database file with all tables, which any viewer of SQLite opens.

use super::batch::Batch;
use super::column::{Type, Value};
use super::mesh::Mesh;
use super::schema::{ColumnDef, Table};
use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, ValueRef};
use std::io;
use std::path::Path;

/// Columns that joins go over, besides `file`.
pub(crate) const KEYS: [&str; 9] =
    ["id", "src_id", "dst_id", "node", "src", "dst", "area_id", "area", "face"];

/// The part of a file that a row is of, in which its own number counts.
pub(crate) const PARTS: [&str; 4] = ["mesh", "tile", "group_id", "grid"];

/// The column of a part in a table whose rows are numbered within their part, and that of their number, which stands behind it.
fn part(table: &Table) -> Option<(&'static str, Option<&'static str>)> {
    // Nodes and links of all families have numbers of the whole file.
    table.family?;
    let at = table.columns.iter().position(|column| PARTS.contains(&column.name))?;
    let own = table.columns.get(at.saturating_add(1)).filter(|own| declared(own) == "INTEGER");
    Some((table.columns.get(at)?.name, own.map(|own| own.name)))
}

/// Writes the rows of many tables into one database.
#[derive(Debug)]
pub struct SqliteFile {
    connection: Connection,
    tables: Vec<&'static Table>,
}

fn failed(error: rusqlite::Error) -> io::Error {
    io::Error::other(error)
}

/// The declared type of a column.
pub(crate) fn declared(column: &ColumnDef) -> &'static str {
    match column.kind {
        Type::Bool => "BOOLEAN",
        Type::U8 | Type::U16 | Type::I16 | Type::U32 | Type::I32 | Type::U64 => "INTEGER",
        // Has affinity REAL, but is still recognisable as a 32-bit float.
        Type::F32 => "REAL32",
        Type::Text => "TEXT",
        Type::Bytes16 | Type::Geometry => "BLOB",
    }
}

/// Converts a value for SQLite. 64-bit numbers above 2^63 - 1 become negative, with the same bits. SQLite has no NaN and stores
/// NULL for it.
#[inline]
pub(crate) fn to_sql(value: Value<'_>) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(match value {
        Value::Null => ValueRef::Null,
        Value::Bool(yes) => ValueRef::Integer(yes.into()),
        Value::Int(number) => ValueRef::Integer(number),
        Value::Wide(number) => ValueRef::Integer(number.cast_signed()),
        Value::F32(number) => ValueRef::Real(number.into()),
        Value::Text(text) => ValueRef::Text(text.as_bytes()),
        Value::Bytes(bytes) => ValueRef::Blob(bytes),
        Value::Geometry(wkb) => ValueRef::Blob(wkb),
    })
}

impl SqliteFile {
    /// Makes the tables in an empty file.
    ///
    /// # Errors
    /// If the file cannot be written, or is not empty.
    pub fn create(path: &Path, tables: impl IntoIterator<Item = &'static Table>) -> io::Result<Self> {
        let connection = Connection::open(path).map_err(failed)?;
        // Nobody sees the file before it is complete, and the code that moves it to its place syncs it.
        let pragmas =
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN;";
        connection.execute_batch(pragmas).map_err(failed)?;
        let tables: Vec<&'static Table> = tables.into_iter().collect();
        for table in &tables {
            let column = |column: &ColumnDef| {
                let null = if column.null || column.kind == Type::F32 { "" } else { " NOT NULL" };
                format!("\"{}\" {}{null}", column.name, declared(column))
            };
            let columns: Vec<String> = table.all_columns().map(column).collect();
            let create = format!("CREATE TABLE \"{}\" ({})", table.name, columns.join(", "));
            connection.execute_batch(&create).map_err(failed)?;
        }
        Ok(Self { connection, tables })
    }

    /// Writes the rows of one table from one mesh.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn write(&mut self, mesh: &Mesh<'_>, batch: &Batch) -> io::Result<()> {
        if batch.rows() == 0 {
            return Ok(());
        }
        let table = batch.table();
        let marks = vec!["?"; table.all_columns().count()].join(", ");
        let insert = format!("INSERT INTO \"{}\" VALUES ({marks})", table.name);
        let write = || {
            let mut insert = self.connection.prepare_cached(&insert)?;
            for row in 0..batch.rows() {
                let mut at = 0usize;
                let common = [
                    Value::Text(mesh.path),
                    mesh.member.map_or(Value::Null, Value::Text),
                    Value::Int(mesh.file.into()),
                ];
                let common = common.into_iter().take(table.common());
                for value in common.chain(batch.columns().iter().map(|column| column.get(row))) {
                    at = at.saturating_add(1);
                    insert.raw_bind_parameter(at, to_sql(value))?;
                }
                insert.raw_execute()?;
            }
            Ok(())
        };
        write().map_err(failed)
    }

    /// Makes an index over `file` and each column by which rows are looked up within a mesh, or over `file` alone. They are
    /// made after the rows, which is several times as fast.
    fn index(&self) -> io::Result<()> {
        for table in self.tables.iter().filter(|table| table.is_of_meshes()) {
            let name = table.name;
            let (part, own) = part(table).unzip();
            let own = own.flatten();
            let keys = KEYS.into_iter().filter(|key| table.position(key).is_some() && own != Some(*key));
            let mut made: Vec<(&str, Vec<&str>)> = keys.map(|key| (key, vec!["file", key])).collect();
            if let Some(part) = part {
                let columns = ["file", part].into_iter().chain(own);
                made.push((own.unwrap_or(part), columns.collect()));
            }
            if made.is_empty() {
                made.push(("file", vec!["file"]));
            }
            for (key, columns) in made {
                let columns = columns.join("\", \"");
                let make = format!("CREATE INDEX \"{name}_{key}\" ON \"{name}\" (\"{columns}\")");
                self.connection.execute_batch(&make).map_err(failed)?;
            }
        }
        // What a planner needs to choose between them.
        self.connection.execute_batch("ANALYZE").map_err(failed)
    }

    /// Makes the indexes that joins want, and finishes the file.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn finish(self) -> io::Result<()> {
        self.connection.flush_prepared_statement_cache();
        self.index()?;
        self.connection.execute_batch("COMMIT;").map_err(failed)?;
        self.connection.close().map_err(|(_, error)| failed(error))
    }
}
