//! A database file with all tables, which any viewer of SQLite opens.

use super::batch::Batch;
use super::column::{Type, Value};
use super::run::Mesh;
use super::schema::{ColumnDef, Table};
use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, ValueRef};
use std::io;
use std::path::Path;

/// Writes the rows of many tables into one database.
#[derive(Debug)]
pub struct SqliteFile {
    connection: Connection,
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
        Type::Bytes16 => "BLOB",
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
        for table in tables {
            let column = |column: &ColumnDef| {
                let null = if column.null || column.kind == Type::F32 { "" } else { " NOT NULL" };
                format!("\"{}\" {}{null}", column.name, declared(column))
            };
            let columns: Vec<String> = table.all_columns().map(column).collect();
            let create = format!("CREATE TABLE \"{}\" ({})", table.name, columns.join(", "));
            connection.execute_batch(&create).map_err(failed)?;
        }
        Ok(Self { connection })
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

    /// Finishes the file.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn finish(self) -> io::Result<()> {
        self.connection.flush_prepared_statement_cache();
        self.connection.execute_batch("COMMIT;").map_err(failed)?;
        self.connection.close().map_err(|(_, error)| failed(error))
    }
}
