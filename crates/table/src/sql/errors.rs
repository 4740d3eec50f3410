//! Explains errors of a statement, with the place marked and the nearest names.

use crate::{TABLES, Table};
use rusqlite::{Connection, Error};
use std::fmt;

/// An error of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wrong {
    /// SQLite's own message, and the nearest names.
    pub message: String,
    /// The line of the statement, and the column in it, if SQLite reports the place.
    pub place: Option<(String, usize)>,
}

impl Wrong {
    /// A message without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None }
    }

    /// Explains an error of a connection.
    pub fn explain(error: &Error, connection: &Connection) -> Self {
        let _ = connection;
        match error {
            Error::SqlInputError { msg, sql, offset, .. } => {
                let place = usize::try_from(*offset).ok().map(|offset| place(sql, offset));
                Self { message: with_nearest(msg, sql), place }
            }
            Error::SqliteFailure(code, message) => {
                let message = message.clone().unwrap_or_else(|| code.to_string());
                let message = match code.code {
                    rusqlite::ErrorCode::AuthorizationForStatementDenied => {
                        format!("{message}: meshes are only read; navmap tables writes a database")
                    }
                    rusqlite::ErrorCode::TooBig => {
                        format!("{message}: a value may have {} bytes", super::MOST_VALUE)
                    }
                    rusqlite::ErrorCode::OutOfMemory => {
                        format!("{message}: the statement holds more than it may (--max-memory)")
                    }
                    _ => message,
                };
                Self { message: with_nearest(&message, ""), place: None }
            }
            Error::MultipleStatement => {
                Self { message: "one statement at a time; this has several".to_owned(), place: None }
            }
            other => Self { message: other.to_string(), place: None },
        }
    }
}

/// The line of an offset, and its column in letters.
fn place(sql: &str, offset: usize) -> (String, usize) {
    let before = sql.get(..offset).unwrap_or(sql);
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    let line = sql.get(begin..).unwrap_or_default().lines().next().unwrap_or_default();
    (line.to_owned(), before.get(begin..).unwrap_or_default().chars().count())
}

/// Adds the nearest name of a table, column or function to a message about a missing one.
fn with_nearest(message: &str, sql: &str) -> String {
    let missed = |what: &str| {
        let name = message.strip_prefix(what)?.trim();
        // `a.plce` is a column of the table with the alias `a`.
        Some(name.rsplit('.').next().unwrap_or(name).trim_matches('"').to_owned())
    };
    let near = if let Some(name) = missed("no such table:") {
        let names = TABLES.iter().flat_map(|table| [Some(table.name), table.short_name()]).flatten();
        navmap_core::text::nearest(&name, names)
    } else if let Some(name) = missed("no such column:") {
        let words: Vec<&str> = sql.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let named = |table: &&&'static Table| {
            [Some(table.name), table.short_name()]
                .into_iter()
                .flatten()
                .any(|name| words.iter().any(|word| word.eq_ignore_ascii_case(name)))
        };
        let columns = |tables: Vec<&&'static Table>| -> Vec<&'static str> {
            tables.iter().flat_map(|table| table.all_columns().map(|column| column.name)).collect()
        };
        if let Some(tables) = holders(&name, &TABLES.iter().filter(named).copied().collect::<Vec<_>>()) {
            return format!("{message}; it is a column of {tables}");
        }
        // Columns of the tables in the statement, else of any table.
        let own = navmap_core::text::nearest(&name, columns(TABLES.iter().filter(named).collect()));
        if own.is_empty() { navmap_core::text::nearest(&name, columns(TABLES.iter().collect())) } else { own }
    } else {
        Vec::new()
    };
    match near.first() {
        Some(near) => format!("{message}; the nearest name is {near}"),
        None => message.to_owned(),
    }
}

/// The tables that have a column of this name, if the tables of a statement lack it: those for all families and those of the same
/// families, or else all.
fn holders(name: &str, named: &[&'static Table]) -> Option<String> {
    const MOST: usize = 6;
    let has = |table: &&'static Table| {
        let mut columns = table.all_columns();
        columns.any(|column| column.name.eq_ignore_ascii_case(name))
    };
    let is_near =
        |table: &&'static Table| table.family.is_none() || named.iter().any(|own| own.family == table.family);
    let all: Vec<&'static Table> = TABLES.iter().copied().filter(has).collect();
    let near: Vec<&'static Table> = all.iter().copied().filter(is_near).collect();
    let tables = if near.is_empty() { all } else { near };
    let mut names: Vec<&str> =
        tables.iter().map(|table| table.short_name().unwrap_or(table.name)).take(MOST).collect();
    if tables.len() > MOST {
        names.push("…");
    }
    (!names.is_empty()).then(|| names.join(", "))
}

/// How many letters of a line are shown before the place of an error, and as many behind it.
const BEFORE: usize = 400;

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some((line, column)) = &self.place {
            // Of a long line what is around the place.
            let skipped = column.saturating_sub(BEFORE);
            let shown: String = line.chars().skip(skipped).take(2 * BEFORE).collect();
            let blank = column.saturating_sub(skipped);
            write!(f, "\n  {shown}\n  {:blank$}^", "")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_marked_in_its_line() {
        let wrong =
            Wrong { message: "no".to_owned(), place: Some(place("SELECT é,\n plce FROM areas", 12)) };
        assert_eq!(wrong.to_string(), "no\n   plce FROM areas\n   ^");
    }

    #[test]
    fn the_nearest_name_is_one_of_the_tables_of_the_statement() {
        let sql = "SELECT plce FROM areas";
        assert_eq!(
            with_nearest("no such column: plce", sql),
            "no such column: plce; the nearest name is place"
        );
        assert_eq!(
            with_nearest("no such table: arreas", ""),
            "no such table: arreas; the nearest name is areas"
        );
        assert_eq!(with_nearest("near \"x\": syntax error", ""), "near \"x\": syntax error");
    }

    #[test]
    fn a_column_of_another_table_is_told_to_be_one() {
        assert_eq!(
            with_nearest("no such column: kind", "SELECT kind FROM areas"),
            "no such column: kind; it is a column of nodes, links"
        );
    }
}
