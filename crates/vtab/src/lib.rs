//! Read-only virtual tables of SQLite by safe traits.
//!
//! The two traits of `rusqlite` for virtual tables are unsafe to implement: SQLite finds its own part of a table and of a cursor
//! at their first byte. This crate puts that part in front of a value of any type, once for all tables; a table implements only
//! [`Table`] and [`Rows`].

#![allow(unsafe_code, reason = "the whole crate is the one file: SQLite calls what is implemented here")]

use rusqlite::vtab::{Context, Filters, IndexInfo, Module, VTab, VTabConnection, VTabCursor};
use rusqlite::{Connection, Result, ffi};
use std::borrow::Cow;
use std::ffi::{CStr, CString, c_int};

/// A table that SQLite reads rows from.
pub trait Table: Sized + 'static {
    /// Data shared by all connections of a table.
    type Aux: Send + Sync + 'static;
    /// A walk over its rows.
    type Rows: Rows;

    /// Makes the table, and the `CREATE TABLE` statement that declares its columns. SQLite ignores the table name in it.
    ///
    /// # Errors
    /// An error stops the statement that named the table.
    fn connect(db: &mut VTabConnection, aux: &Self::Aux) -> Result<(CString, Self)>;

    /// Chooses how rows are looked up; `false` if these constraints cannot be served.
    ///
    /// # Errors
    /// An error stops the statement while it is prepared.
    fn best_index(&self, info: &mut IndexInfo) -> Result<bool>;

    /// A walk without a position yet.
    ///
    /// # Errors
    /// An error stops the statement when it begins to run.
    fn open(&self) -> Result<Self::Rows>;
}

/// A walk over the rows of a [`Table`]. An error of any method stops the statement.
pub trait Rows: Sized + 'static {
    /// Starts over, at the first row that matches. `plan` is what [`Table::best_index`] chose.
    ///
    /// # Errors
    /// An error stops the statement.
    fn filter(&mut self, plan: Option<&str>, arguments: &Filters<'_>) -> Result<()>;

    /// Moves to the next row.
    ///
    /// # Errors
    /// An error stops the statement.
    fn next(&mut self) -> Result<()>;

    /// Whether the walk is past the last row.
    fn eof(&self) -> bool;

    /// Hands the value of a column of this row to `context`.
    ///
    /// # Errors
    /// An error stops the statement.
    fn column(&self, context: &mut Context, column: usize) -> Result<()>;

    /// The number of this row.
    fn rowid(&self) -> i64;
}

/// Registers a table under a name, without `CREATE VIRTUAL TABLE`. It takes arguments if it declares hidden columns.
///
/// ```
/// use navmap_vtab::{Rows, Table, register};
/// use rusqlite::vtab::{Context, Filters, IndexInfo, VTabConnection};
/// use rusqlite::{Connection, Result};
/// use std::ffi::CString;
///
/// struct Squares(i64);
/// struct Walk { at: i64, end: i64 }
///
/// impl Table for Squares {
///     type Aux = i64;
///     type Rows = Walk;
///     fn connect(_: &mut VTabConnection, end: &i64) -> Result<(CString, Self)> {
///         Ok((c"CREATE TABLE x(square INTEGER)".to_owned(), Self(*end)))
///     }
///     fn best_index(&self, _: &mut IndexInfo) -> Result<bool> {
///         Ok(true)
///     }
///     fn open(&self) -> Result<Walk> {
///         Ok(Walk { at: 0, end: self.0 })
///     }
/// }
///
/// impl Rows for Walk {
///     fn filter(&mut self, _: Option<&str>, _: &Filters<'_>) -> Result<()> {
///         self.at = 0;
///         Ok(())
///     }
///     fn next(&mut self) -> Result<()> {
///         self.at += 1;
///         Ok(())
///     }
///     fn eof(&self) -> bool {
///         self.at >= self.end
///     }
///     fn column(&self, context: &mut Context, _: usize) -> Result<()> {
///         context.set_result(self.at * self.at)
///     }
///     fn rowid(&self) -> i64 {
///         self.at
///     }
/// }
///
/// let connection = Connection::open_in_memory()?;
/// register::<Squares>(&connection, "squares", 5)?;
/// let sum: i64 = connection.query_row("SELECT sum(a.square * b.square) FROM squares a, squares b", [], |row| row.get(0))?;
/// assert_eq!(sum, 30 * 30);
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// # Errors
/// Those of SQLite: lack of memory, and a name that contains a NUL.
pub fn register<T: Table>(connection: &Connection, name: &str, aux: T::Aux) -> Result<()> {
    connection.create_module(name, const { &Module::<'static, Tab<T>>::eponymous_only_module() }, Some(aux))
}

/// SQLite's view of a table.
#[repr(C)]
struct Tab<T> {
    base: ffi::sqlite3_vtab,
    table: T,
}

/// SQLite's view of a walk.
#[repr(C)]
struct Cursor<R> {
    base: ffi::sqlite3_vtab_cursor,
    rows: R,
}

// SAFETY: the trait asks that a `sqlite3_vtab` lies at the first byte of the type. `Tab` is `repr(C)`, whose first field
// lies at offset 0, and that is its first field. Nothing here moves out of it or writes to it after `default()`: SQLite
// and rusqlite alone do, between `connect` and the drop.
unsafe impl<T: Table> VTab<'_> for Tab<T> {
    type Aux = T::Aux;
    type Cursor = Cursor<T::Rows>;

    fn connect(
        db: &mut VTabConnection,
        aux: Option<&T::Aux>,
        _module: &[u8],
        _database: &[u8],
        _table: &[u8],
        _arguments: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Self)> {
        let aux = aux.ok_or_else(|| rusqlite::Error::ModuleError("a table without its value".to_owned()))?;
        let (declaration, table) = T::connect(db, aux)?;
        Ok((Cow::Owned(declaration), Self { base: ffi::sqlite3_vtab::default(), table }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        self.table.best_index(info)
    }

    fn open(&mut self) -> Result<Self::Cursor> {
        Ok(Cursor { base: ffi::sqlite3_vtab_cursor::default(), rows: self.table.open()? })
    }
}

// SAFETY: as above, with a `sqlite3_vtab_cursor` at offset 0 of a `repr(C)` type. A walk borrows nothing of its table
// (`Rows: 'static`), so it may be dropped before or after it.
unsafe impl<R: Rows> VTabCursor for Cursor<R> {
    fn filter(&mut self, _: c_int, plan: Option<&str>, arguments: &Filters<'_>) -> Result<()> {
        self.rows.filter(plan, arguments)
    }

    fn next(&mut self) -> Result<()> {
        self.rows.next()
    }

    fn eof(&self) -> bool {
        self.rows.eof()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        // SQLite asks only for declared columns, which are 0 or above.
        self.rows.column(context, usize::try_from(column).unwrap_or(usize::MAX))
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.rows.rowid())
    }
}
