//! The rows of one mesh, as statements ask for them.

use crate::batch::Batch;
use crate::column::Value;
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

    /// The rows in the order of an integer column of the table.
    pub(super) fn sorted(&self, column: usize) -> &[u32] {
        let none = || self.batch.columns().iter().map(|_| OnceLock::new()).collect();
        let order = self.sorted.get_or_init(none).get(column).map(|order| {
            order.get_or_init(|| {
                let mut rows: Box<[u32]> = (0..self.batch.rows() as u32).collect();
                // Most are already in order.
                rows.sort_by_key(|row| self.number(column, *row as usize));
                rows
            })
        });
        order.map(|rows| &**rows).unwrap_or_default()
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
