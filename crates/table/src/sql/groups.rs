//! The rows of small tables in groups, so that SQLite need not sort what they are joined with.

use super::loaded::Loaded;
use crate::column::{Type, Value};
use crate::schema::Table;
use std::sync::Arc;

/// A row of a mesh.
pub(super) type Place = (Arc<Loaded>, usize);

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

/// All rows, those with equal values in the columns of `mask` together. Takes n log n comparisons; within a group rows keep
/// their order.
pub(super) fn grouped(meshes: impl IntoIterator<Item = Arc<Loaded>>, mask: u64) -> Vec<Place> {
    let rows = |mesh: Arc<Loaded>| (0..mesh.batch.rows()).map(move |row| (Arc::clone(&mesh), row));
    let mut places: Vec<Place> = meshes.into_iter().flat_map(rows).collect();
    places.sort_by_cached_key(|(mesh, row)| keys(mesh, *row, mask));
    places
}

fn keys(mesh: &Loaded, row: usize, mask: u64) -> Vec<Key> {
    let columns = mesh.batch.columns().iter().enumerate();
    let wanted = columns.filter(|(at, _)| mask.checked_shr(*at as u32).unwrap_or(0) & 1 == 1);
    wanted
        .map(|(_, column)| match column.get(row) {
            Value::Bool(yes) => Key::Number(yes.into()),
            Value::Int(number) => Key::Number(number),
            Value::Text(text) => Key::Text(text.into()),
            _ => Key::Null,
        })
        .collect()
}
