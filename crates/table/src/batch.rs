//! Batches: the rows of one table from one mesh.

use super::column::Column;
use super::schema::{ColumnDef, Table};
use navmap_formats::Family;

/// A row of a table, as a family's fill makes it.
pub(super) trait Row {
    const COLUMNS: &'static [ColumnDef];
    fn table() -> &'static Table;
    fn put(self, columns: &mut [Column]);
}

/// The rows of one table from one mesh: plain columns, reused from mesh to mesh.
#[derive(Debug, Clone)]
pub struct Batch {
    table: &'static Table,
    columns: Vec<Column>,
    rows: usize,
}

impl Batch {
    /// An empty batch. Columns for which `wanted` returns false stay empty and cost nothing.
    pub fn new(table: &'static Table, mut wanted: impl FnMut(&'static str) -> bool) -> Self {
        let column = |def: &ColumnDef| Column::new(def.kind, def.null, wanted(def.name));
        Self { table, columns: table.columns.iter().map(column).collect(), rows: 0 }
    }

    /// The table.
    pub fn table(&self) -> &'static Table {
        self.table
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The table's own columns, without the common ones.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns, to take their values out.
    pub fn columns_mut(&mut self) -> &mut [Column] {
        &mut self.columns
    }

    /// Removes all rows, and keeps the memory.
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(Column::clear);
        self.rows = 0;
    }

    #[inline]
    pub(super) fn push<R: Row>(&mut self, row: R) {
        debug_assert!(std::ptr::eq(R::table(), self.table), "a row of another table");
        row.put(&mut self.columns);
        self.rows = self.rows.saturating_add(1);
    }
}

/// The batches of one mesh, filled in a single walk.
#[derive(Debug, Clone, Default)]
pub struct Sheets {
    batches: Vec<Batch>,
}

/// One batch while it is filled; nothing if its table was not requested.
#[derive(Debug)]
pub(super) struct Sheet {
    batch: Option<Batch>,
}

impl Sheets {
    /// Empty batches for these tables, in this order, with all columns.
    pub fn new(tables: impl IntoIterator<Item = &'static Table>) -> Self {
        Self { batches: tables.into_iter().map(|table| Batch::new(table, |_| true)).collect() }
    }

    /// These batches.
    pub fn from_batches(batches: Vec<Batch>) -> Self {
        Self { batches }
    }

    /// The batches.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The batches, to take their values out.
    pub fn batches_mut(&mut self) -> &mut [Batch] {
        &mut self.batches
    }

    /// Removes all rows, and keeps the memory.
    pub fn clear(&mut self) {
        self.batches.iter_mut().for_each(Batch::clear);
    }

    /// Whether the rows of this table are wanted.
    pub(super) fn wants(&self, table: &'static Table) -> bool {
        self.batches.iter().any(|batch| std::ptr::eq(batch.table, table))
    }

    /// Whether the rows of a table of this family are wanted.
    pub(super) fn wants_of(&self, family: Family) -> bool {
        self.batches.iter().any(|batch| batch.table.family == Some(family))
    }

    /// Takes these batches out while they are filled, and puts them back afterwards.
    pub(super) fn with<const N: usize, T>(
        &mut self,
        tables: [&'static Table; N],
        fill: impl FnOnce(&mut [Sheet; N]) -> T,
    ) -> T {
        let mut sheets = tables.map(|table| {
            let at = self.batches.iter().position(|batch| std::ptr::eq(batch.table, table));
            (
                at,
                Sheet { batch: at.map(|at| std::mem::replace(&mut self.batches[at], Batch::nothing(table))) },
            )
        });
        let places = sheets.each_ref().map(|(at, _)| *at);
        let mut taken = sheets.each_mut().map(|(_, sheet)| Sheet { batch: sheet.batch.take() });
        let done = fill(&mut taken);
        for (at, sheet) in places.into_iter().zip(taken) {
            if let (Some(at), Some(batch)) = (at, sheet.batch) {
                self.batches[at] = batch;
            }
        }
        done
    }
}

impl Batch {
    /// The placeholder for a batch while it is filled.
    fn nothing(table: &'static Table) -> Self {
        Self { table, columns: Vec::new(), rows: 0 }
    }
}

impl Sheet {
    /// Whether the table was requested.
    #[inline]
    pub(super) fn is_wanted(&self) -> bool {
        self.batch.is_some()
    }

    /// Whether this column was requested. Ask once, before the walk.
    pub(super) fn wants(&self, column: &str) -> bool {
        let Some(batch) = &self.batch else { return false };
        let at = batch.table.position(column);
        debug_assert!(at.is_some(), "no column {column} in {}", batch.table.name);
        at.and_then(|at| batch.columns.get(at)).is_some_and(Column::is_wanted)
    }

    #[inline]
    pub(super) fn push<R: Row>(&mut self, row: R) {
        if let Some(batch) = &mut self.batch {
            batch.push(row);
        }
    }

    /// The number of rows so far.
    pub(super) fn rows(&self) -> usize {
        self.batch.as_ref().map_or(0, Batch::rows)
    }

    /// Replaces the numbers of a column in the rows from `first` on: what is only known once all rows are there.
    pub(super) fn patch(&mut self, column: &str, first: usize, numbers: &[u32]) {
        let Some(batch) = &mut self.batch else { return };
        let at = batch.table.position(column);
        if let Some(column) = at.and_then(|at| batch.columns.get_mut(at)) {
            column.patch(first, numbers);
        }
    }
}
