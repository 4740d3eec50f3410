//! Batches: the rows of one table from one mesh, or the part of them that is held at one time.

use super::column::Column;
use super::lines::{Form, Lines};
use super::schema::{ColumnDef, Table};
use navmap_formats::Family;

/// A row of a table, as a family's fill makes it.
pub(super) trait Row {
    const COLUMNS: &'static [ColumnDef];
    fn table() -> &'static Table;
    /// Puts each value into its column, if the bit of that is set. Later columns than the last bit are put in any case.
    fn put(self, columns: &mut [Column], wanted: u64);
}

/// The bytes of a batch that is full.
const FULL: usize = 1 << 20;

/// The rows after which it is looked again whether a batch is full.
const STEP: usize = 1024;

/// The rows of one table from one mesh: plain columns, reused from mesh to mesh.
#[derive(Debug, Clone)]
pub struct Batch {
    table: &'static Table,
    columns: Vec<Column>,
    /// The columns that are wanted, one bit each.
    wanted: u64,
    rows: usize,
    /// The rows as text, if they were told as such.
    lines: Option<Lines>,
}

impl Batch {
    /// An empty batch. Columns for which `wanted` returns false stay empty and cost nothing.
    pub fn new(table: &'static Table, mut wanted: impl FnMut(&'static str) -> bool) -> Self {
        let column = |def: &ColumnDef| Column::new(def.kind, def.null, wanted(def.name));
        let columns: Vec<Column> = table.columns.iter().map(column).collect();
        let bit = |(at, column): (usize, &Column)| u64::from(column.is_wanted()) << at;
        let wanted = columns.iter().take(64).enumerate().map(bit).sum();
        Self { table, columns, wanted, rows: 0, lines: None }
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
        (self.rows, self.lines) = (0, None);
    }

    /// Tells the rows as text beforehand, for a writer of it. Returns the bytes.
    pub(super) fn tell(&mut self, form: Form) -> usize {
        let names = self.table.columns.iter().map(|column| column.name);
        self.lines.insert(Lines::of(names, &self.columns, self.rows, form)).bytes()
    }

    /// The rows as this text, if they were told, and none has come since.
    pub(super) fn lines(&self, form: Form) -> Option<&Lines> {
        self.lines.as_ref().filter(|lines| lines.form() == form && lines.rows() == self.rows)
    }

    /// Adds the rows of another batch with the same columns.
    #[doc(hidden)]
    pub fn append(&mut self, other: &Self) {
        self.columns.iter_mut().zip(&other.columns).for_each(|(column, other)| column.append(other));
        self.rows = self.rows.saturating_add(other.rows);
    }

    /// An empty batch with the same columns.
    pub(super) fn new_like(&self) -> Self {
        let columns = self.columns.iter().map(Column::new_like).collect();
        Self { table: self.table, columns, wanted: self.wanted, rows: 0, lines: None }
    }

    /// The same with room for as many rows: what grows step by step leaves holes in memory.
    fn new_as_long(&self) -> Self {
        let columns = self.columns.iter().map(Column::new_as_long).collect();
        Self { columns, ..self.new_like() }
    }

    fn is_full(&self) -> bool {
        self.rows.is_multiple_of(STEP)
            && self.columns.iter().fold(0, |sum: usize, column| sum.saturating_add(column.bytes())) >= FULL
    }

    #[inline]
    pub(super) fn push<R: Row>(&mut self, row: R) {
        debug_assert!(std::ptr::eq(R::table(), self.table), "a row of another table");
        row.put(&mut self.columns, self.wanted);
        self.rows = self.rows.saturating_add(1);
    }
}

/// The batches of one mesh, filled in a single walk.
#[derive(Debug, Clone, Default)]
pub struct Sheets {
    batches: Vec<Batch>,
}

/// Where the rows of a mesh go: into batches, and from there on when a batch is full.
pub(super) struct Out<'o> {
    sheets: &'o mut Sheets,
    full: Option<&'o dyn Fn(Batch)>,
}

/// One batch while it is filled; nothing if its table was not requested.
pub(super) struct Sheet<'o> {
    batch: Option<Batch>,
    full: Option<&'o dyn Fn(Batch)>,
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

    /// The batches, each on its own.
    pub(super) fn into_batches(self) -> Vec<Batch> {
        self.batches
    }

    /// The batches, to take their values out.
    pub fn batches_mut(&mut self) -> &mut [Batch] {
        &mut self.batches
    }

    /// Removes all rows, and keeps the memory.
    pub fn clear(&mut self) {
        self.batches.iter_mut().for_each(Batch::clear);
    }

    /// An empty batch of one of the tables.
    pub(super) fn only(&self, table: &'static Table) -> Self {
        let of = self.batches.iter().filter(|batch| std::ptr::eq(batch.table, table));
        Self { batches: of.map(Batch::new_like).collect() }
    }

    /// Whether the rows of this table are wanted.
    pub(super) fn wants(&self, table: &'static Table) -> bool {
        self.batches.iter().any(|batch| std::ptr::eq(batch.table, table))
    }
}

impl<'o> Out<'o> {
    /// All rows stay in `sheets`.
    pub(super) fn whole(sheets: &'o mut Sheets) -> Self {
        Self { sheets, full: None }
    }

    /// Batches that are full go to `full`. The last rows of each table stay in `sheets`.
    pub(super) fn in_parts(sheets: &'o mut Sheets, full: &'o dyn Fn(Batch)) -> Self {
        Self { sheets, full: Some(full) }
    }

    /// Whether the rows of this table are wanted.
    pub(super) fn wants(&self, table: &'static Table) -> bool {
        self.sheets.wants(table)
    }

    /// Whether the rows of a table of this family are wanted.
    pub(super) fn wants_of(&self, family: Family) -> bool {
        self.sheets.batches.iter().any(|batch| batch.table.family == Some(family))
    }

    /// Takes these batches out while they are filled, and puts them back afterwards.
    pub(super) fn with<const N: usize, T>(
        &mut self,
        tables: [&'static Table; N],
        fill: impl FnOnce(&mut [Sheet<'_>; N]) -> T,
    ) -> T {
        let (batches, full) = (&mut self.sheets.batches, self.full);
        let places = tables.map(|table| batches.iter().position(|batch| std::ptr::eq(batch.table, table)));
        let mut taken = places.map(|at| Sheet {
            batch: at.and_then(|at| batches.get_mut(at)).map(|batch| {
                let nothing = Batch::nothing(batch.table);
                std::mem::replace(batch, nothing)
            }),
            full,
        });
        let done = fill(&mut taken);
        for (at, sheet) in places.into_iter().zip(taken) {
            if let (Some(slot), Some(batch)) = (at.and_then(|at| batches.get_mut(at)), sheet.batch) {
                *slot = batch;
            }
        }
        done
    }
}

impl Batch {
    /// The placeholder for a batch while it is filled.
    fn nothing(table: &'static Table) -> Self {
        Self { table, columns: Vec::new(), wanted: 0, rows: 0, lines: None }
    }
}

impl Sheet<'_> {
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
            if let Some(full) = self.full
                && batch.is_full()
            {
                let next = batch.new_as_long();
                full(std::mem::replace(batch, next));
            }
        }
    }
}
