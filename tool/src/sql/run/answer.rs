//! Runs statements and prints their rows.

use super::print::{Printer, Style};
use crate::Exit;
use crate::out::complain;
use navmap::table::sql::{Database, Wrong};
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::{Batch, Statement};
use std::io::{self, Write};

/// Why a binary file is not printed.
pub(super) const NO_TERMINAL: &str = "is a file of bytes and not for a terminal: name a file";

/// The reason why an answer ended early.
#[derive(Debug)]
pub(super) enum Ended {
    Wrong(Wrong),
    Io(io::Error),
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reports what could not be read.
pub(super) fn told(database: &Database) -> Exit {
    let failures = database.take_failures();
    for (path, why) in &failures {
        complain(format_args!("navmap: {path}: {why}"));
    }
    if failures.is_empty() { Exit::Clean } else { Exit::Findings }
}

/// Runs statements, one after the other, and prints their rows.
pub(super) fn answer(
    database: &Database,
    sql: &str,
    explain: bool,
    style: Style,
    out: &mut dyn Write,
    rows: &mut u64,
) -> std::result::Result<(), Ended> {
    let connection = database.connection();
    let wrong = |error: &rusqlite::Error| Ended::Wrong(Wrong::explain(error, connection));
    let mut statements = Batch::new(connection, sql);
    let mut first = true;
    while let Some(statement) = statements.next().map_err(|error| wrong(&error))? {
        if !std::mem::replace(&mut first, false) {
            if style.is_binary() {
                let message = "such a file holds the answer of one statement".to_owned();
                return Err(Ended::Wrong(Wrong::new(message)));
            }
            if style.is_for_people() {
                writeln!(out)?;
            }
        }
        if explain {
            explained(&statement, database, out)?;
        } else {
            rows_of(statement, database, style, out, rows)?;
        }
    }
    if first {
        let message = "no statement".to_owned();
        return Err(Ended::Wrong(Wrong::new(message)));
    }
    Ok(())
}

fn rows_of(
    mut statement: Statement<'_>,
    database: &Database,
    style: Style,
    out: &mut dyn Write,
    count: &mut u64,
) -> std::result::Result<(), Ended> {
    let connection = database.connection();
    let wrong = |error: &rusqlite::Error| Ended::Wrong(Wrong::explain(error, connection));
    let columns: Vec<(String, Option<String>)> = statement
        .columns()
        .map(|column| (column.name().to_owned(), column.decl_type().map(str::to_owned)))
        .collect();
    let mut printer = Printer::new(&columns, style, out)?;
    let mut rows = statement.query([]).map_err(|error| wrong(&error))?;
    while let Some(row) = rows.next().map_err(|error| wrong(&error))? {
        printer.row(row).map_err(|error| match error.downcast::<rusqlite::Error>() {
            Ok(error) => wrong(&error),
            Err(error) => Ended::Io(error),
        })?;
        *count = count.saturating_add(1);
    }
    printer.finish()?;
    Ok(())
}

/// Prints SQLite's own plan as a tree; what a table knows of it in words.
fn explained(
    statement: &Statement<'_>,
    database: &Database,
    out: &mut dyn Write,
) -> std::result::Result<(), Ended> {
    let connection = database.connection();
    let wrong = |error: &rusqlite::Error| Ended::Wrong(Wrong::explain(error, connection));
    let sql = format!("EXPLAIN QUERY PLAN {}", statement.expanded_sql().unwrap_or_default());
    let mut plan = connection.prepare(&sql).map_err(|error| wrong(&error))?;
    let mut rows = plan.query([]).map_err(|error| wrong(&error))?;
    let mut depths = std::collections::HashMap::from([(0i64, 0usize)]);
    while let Some(row) = rows.next().map_err(|error| wrong(&error))? {
        let read = || -> rusqlite::Result<(i64, i64, String)> { Ok((row.get(0)?, row.get(1)?, row.get(3)?)) };
        let (id, parent, detail) = read().map_err(|error| wrong(&error))?;
        let depth = depths.get(&parent).copied().unwrap_or(0);
        depths.insert(id, depth.saturating_add(1));
        writeln!(out, "{:1$}{2}", "", depth.saturating_mul(2), words(&detail))?;
    }
    Ok(())
}

/// A line of a plan, without what is for SQLite alone.
fn words(detail: &str) -> String {
    if let Some(what) = detail.strip_prefix("USE TEMP B-TREE FOR ") {
        return format!("SORT FOR {what}");
    }
    let table = detail.split_once(" VIRTUAL TABLE INDEX ");
    match table.and_then(|(table, plan)| Some((table, plan.split_once(" # ")?.1))) {
        Some((table, plan)) => format!("{table}: {plan}"),
        None => detail.to_owned(),
    }
}
