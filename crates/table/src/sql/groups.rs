//! Rows in groups, so that SQLite need not sort them, or what they are joined with.

use super::loaded::{Loaded, Place};
use super::shelf::Shelf;
use crate::column::{Type, Value};
use crate::rows::neutral::FINDINGS;
use crate::schema::{ColumnDef, Table};
use std::sync::Arc;

/// What rows are grouped by; equal for values that SQLite takes for equal.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Null,
    Number(i64),
    Text(Box<str>),
}

/// The columns as a mask, if rows can be grouped by them. Floats are left to SQLite, which tells neither the zeros nor NaN and null
/// apart.
pub(super) fn mask(table: &Table, columns: &[usize]) -> Option<u64> {
    columns.iter().try_fold(0_u64, |mask, column| {
        let kind = table.columns.get(*column)?.kind;
        let left = matches!(kind, Type::F32 | Type::U64 | Type::Bytes16 | Type::Geometry);
        let bit = 1_u64.checked_shl(u32::try_from(*column).ok()?)?;
        (!left).then_some(mask | bit)
    })
}

/// Whether the rows of all meshes may be held in groups by this column: it has few values, and with the others of `mask`, which the
/// statement asks for, it takes few bytes.
pub(super) fn may_hold(table: &Table, by: usize, mask: u64, shelf: &Shelf) -> bool {
    /// Bytes of a row.
    const MOST: usize = 12;
    /// Bytes of files, of which rows take a thirtieth.
    const OF_FILES: u64 = 4 << 30;
    let few = [Type::Bool, Type::U8, Type::U16, Type::Text];
    let has_few = table.columns.get(by).is_some_and(|column| few.contains(&column.kind));
    let width = |(at, column): (usize, &ColumnDef)| match column.kind {
        _ if !is_in(mask, at) => 0,
        Type::Text if at != by => MOST + 1,
        Type::Bytes16 | Type::Geometry => MOST + 1,
        Type::U64 => 8,
        _ => 4,
    };
    let held: usize = table.columns.iter().enumerate().map(width).sum();
    has_few
        && held <= MOST
        && !table.is_large()
        && !std::ptr::eq(table, &FINDINGS)
        && shelf.is_within(OF_FILES)
}

fn is_in(mask: u64, column: usize) -> bool {
    mask.checked_shr(column as u32).unwrap_or(0) & 1 == 1
}

/// All rows, those with equal values in the columns of `mask` together. Takes n log n comparisons; within a group rows keep
/// their order.
pub(super) fn grouped(meshes: impl IntoIterator<Item = Arc<Loaded>>, mask: u64) -> Vec<Place> {
    let rows = |mesh: Arc<Loaded>| (0..mesh.batch.rows()).map(move |row| (Arc::clone(&mesh), row..row + 1));
    let mut places: Vec<Place> = meshes.into_iter().flat_map(rows).collect();
    places.sort_by_cached_key(|(mesh, rows)| keys(mesh, rows.start, mask));
    places
}

/// The same by one column of many rows: those of a mesh stand in the order of the column, and only its groups are sorted.
pub(super) fn grouped_by(meshes: impl IntoIterator<Item = Arc<Loaded>>, column: usize) -> Vec<Place> {
    let mut places: Vec<(Key, Place)> = Vec::new();
    for mesh in meshes {
        let of = mesh.batch.columns().get(column);
        let value = |row: &u32| of.map_or(Value::Null, |of| of.get(*row as usize));
        let mut start = 0;
        for alike in mesh.sorted(column).chunk_by(|a, b| value(a) == value(b)) {
            let rows = start..start + alike.len();
            start = rows.end;
            places.extend(alike.first().map(|row| (key(value(row)), (Arc::clone(&mesh), rows))));
        }
    }
    places.sort_by(|(a, _), (b, _)| a.cmp(b));
    places.into_iter().map(|(_, place)| place).collect()
}

fn keys(mesh: &Loaded, row: usize, mask: u64) -> Vec<Key> {
    let wanted = mesh.batch.columns().iter().enumerate().filter(|(at, _)| is_in(mask, *at));
    wanted.map(|(_, column)| key(column.get(row))).collect()
}

fn key(value: Value<'_>) -> Key {
    match value {
        Value::Bool(yes) => Key::Number(yes.into()),
        Value::Int(number) => Key::Number(number),
        Value::Text(text) => Key::Text(text.into()),
        _ => Key::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmap_open::scan::Scan;

    #[test]
    fn files_are_listed_once_for_all_plans_of_a_statement() {
        let folder = std::env::temp_dir().join(format!("navmap-groups-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let shelf = Shelf::new(vec![folder.clone()], Scan::new(), false, Default::default());
        assert!(shelf.is_within(9));
        std::fs::write(folder.join("a.nav"), [0; 10]).unwrap();
        assert!(shelf.is_within(9), "asked once more");
        assert!(!shelf.is_within(8), "another size");
        shelf.refresh();
        assert!(!shelf.is_within(9));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
