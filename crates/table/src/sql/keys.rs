//! The constraint by which the rows of a mesh are found, where a statement gives several.

use super::loaded::Loaded;
use crate::column::Type;
use crate::schema::Table;
use crate::sqlite::{KEYS, PARTS};
use rusqlite::types::ValueRef;
use std::ops::Range;

/// From so many rows on another constraint is tried. Each is a column to sort, once for a mesh.
const MANY: usize = 16;

/// How little an own column tells rows apart: 0 for keys, more for parts of a file and for numbers of a few values.
pub(super) fn rank(table: &Table, column: usize) -> u8 {
    match table.columns.get(column) {
        Some(column) if KEYS.contains(&column.name) => 0,
        Some(column) if PARTS.contains(&column.name) => 2,
        Some(column) if matches!(column.kind, Type::Bool | Type::U8) => 3,
        _ => 1,
    }
}

/// The rows of a mesh that have a number in a column, where they stand in the order of that column.
fn run(loaded: &Loaded, (column, key): (usize, i64)) -> Range<usize> {
    let rows = loaded.sorted(column);
    let number = |row: &u32| loaded.number(column, *row as usize);
    let at = rows.partition_point(|row| number(row) < Some(key));
    let same = rows.get(at..).unwrap_or_default().partition_point(|row| number(row) <= Some(key));
    at..at.saturating_add(same)
}

/// The column whose number the fewest rows have, and these rows, of the columns and numbers of a statement.
pub(super) fn shortest(loaded: &Loaded, keys: &[(usize, i64)]) -> Option<(usize, Range<usize>)> {
    let mut best: Option<(usize, Range<usize>)> = None;
    for key in keys {
        let run = run(loaded, *key);
        if best.as_ref().is_none_or(|(_, best)| run.len() < best.len()) {
            best = Some((key.0, run));
        }
        if best.as_ref().is_some_and(|(_, best)| best.len() < MANY) {
            break;
        }
    }
    best
}

/// The kind of value that an integer is compared with.
pub(super) enum Whole {
    Number(i64),
    /// A null equals nothing.
    Nothing,
    Other,
}

pub(super) fn whole(value: ValueRef<'_>) -> Whole {
    match value {
        ValueRef::Integer(number) => Whole::Number(number),
        ValueRef::Null => Whole::Nothing,
        _ => Whole::Other,
    }
}
