//! The rows of one mesh, as statements ask for them.

use crate::batch::Batch;
use crate::column::{Value, Values};
use std::sync::{Arc, OnceLock};

/// The rows in the order of a column, once it was asked for.
type Order = OnceLock<Box<[u32]>>;

/// The rows of one table from one mesh.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) batch: Batch,
    pub(super) path: Arc<str>,
    pub(super) member: Option<Arc<str>>,
    pub(super) file: u32,
    /// One of each column.
    sorted: OnceLock<Box<[Order]>>,
}

impl Loaded {
    pub(super) fn new(batch: Batch, path: Arc<str>, member: Option<Arc<str>>, file: u32) -> Self {
        Self { batch, path, member, file, sorted: OnceLock::new() }
    }

    /// Rows that come from no mesh.
    pub(super) fn without_mesh(batch: Batch) -> Self {
        Self::new(batch, Arc::from(""), None, 0)
    }

    /// The rows in the order of an integer column of the table. Of a column of texts those with the same one are together.
    pub(super) fn sorted(&self, column: usize) -> &[u32] {
        let none = || self.batch.columns().iter().map(|_| OnceLock::new()).collect();
        let order = self.sorted.get_or_init(none).get(column).map(|order| {
            order.get_or_init(|| {
                if let Some(mut rows) = self.by_text(column) {
                    // The row is the lower half.
                    rows.sort_unstable();
                    return rows.into_iter().map(|row| row as u32).collect();
                }
                let mut rows: Box<[u32]> = (0..self.batch.rows() as u32).collect();
                // Most are already in order.
                rows.sort_by_key(|row| self.number(column, *row as usize));
                rows
            })
        });
        order.map(|rows| &**rows).unwrap_or_default()
    }

    /// Each row, with a number in the upper half that stands for its text, 0 for a null. `None` if the column has no texts.
    fn by_text(&self, column: usize) -> Option<Vec<u64>> {
        let column = self.batch.columns().get(column)?;
        let Values::Text(keys, _) = column.values() else { return None };
        let valid = column.valid();
        let has_text = |row: usize| valid.is_none_or(|valid| valid.get(row) == Some(&true));
        let rows = keys.iter().enumerate().map(|(row, key)| {
            let number = if has_text(row) { u64::from(*key) + 1 } else { 0 };
            number << 32 | row as u64
        });
        Some(rows.collect())
    }

    /// The integer value of a row; nulls come first.
    pub(super) fn number(&self, column: usize, row: usize) -> Option<i64> {
        match self.batch.columns().get(column)?.get(row) {
            Value::Int(number) => Some(number),
            Value::Wide(number) => Some(number.cast_signed()),
            Value::Bool(yes) => Some(yes.into()),
            _ => None,
        }
    }
}
