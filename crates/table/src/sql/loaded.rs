//! The rows of one mesh, as statements ask for them.

use crate::batch::Batch;
use crate::column::{Value, Values};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The rows in the order of a column, once it was asked for.
type Order = OnceLock<Box<[u32]>>;

/// Rows of a mesh that are put together with those of others. More of them stay on their own.
const FEW: usize = 64;
/// Rows that are put together at most.
const TOGETHER: usize = 4096;

/// A mesh, as its rows name it.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) path: Arc<str>,
    pub(super) member: Option<Arc<str>>,
    pub(super) file: u32,
}

/// Rows of one table: those of one mesh, a part of them, or all those of several small meshes.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) batch: Batch,
    /// The mesh, the first of several.
    mesh: Named,
    /// Rows of the mesh that came before.
    before: u32,
    /// The mesh of each row and its place among the rows of that, where there are several.
    each: Vec<(Named, u32)>,
    /// One of each column.
    sorted: OnceLock<Box<[Order]>>,
}

/// Rows of a mesh that stand together, in the order in which it is read.
pub(super) type Place = (Arc<Loaded>, Range<usize>);

/// The numbers of the meshes that are read.
pub(super) enum Numbers {
    /// From this one on.
    From(u32),
    These(Vec<u32>),
}

impl Numbers {
    /// That of the mesh that is read after so many others.
    pub(super) fn get(&self, at: u32) -> Option<u32> {
        match self {
            Self::From(first) => first.checked_add(at),
            Self::These(files) => files.get(at as usize).copied(),
        }
    }
}

impl Loaded {
    pub(super) fn new(batch: Batch, mesh: Named) -> Self {
        Self::after(batch, mesh, 0)
    }

    /// Rows of a mesh of which so many came before.
    pub(super) fn after(batch: Batch, mesh: Named, before: u32) -> Self {
        Self { batch, mesh, before, each: Vec::new(), sorted: OnceLock::new() }
    }

    /// Rows that come from no mesh.
    pub(super) fn without_mesh(batch: Batch) -> Self {
        Self::new(batch, Named { path: Arc::from(""), member: None, file: 0 })
    }

    /// Puts small meshes together: a batch for each of thousands takes kilobytes where a row takes a few dozen bytes.
    pub(super) fn together(coming: impl IntoIterator<Item = Self>) -> Vec<Arc<Self>> {
        let (mut done, mut open) = (Vec::new(), None::<Self>);
        for loaded in coming {
            let is_large = loaded.batch.rows() > FEW;
            if is_large || open.as_ref().is_some_and(|open| open.batch.rows() >= TOGETHER) {
                done.extend(open.take().map(Arc::new));
            }
            match is_large {
                true => done.push(Arc::new(loaded)),
                false => open.get_or_insert_with(|| loaded.nothing()).append(&loaded),
            }
        }
        done.extend(open.map(Arc::new));
        done
    }

    /// No row yet, of several meshes of which this is the first.
    fn nothing(&self) -> Self {
        Self::new(self.batch.new_like(), self.mesh.clone())
    }

    /// Takes in all rows of one mesh.
    fn append(&mut self, other: &Self) {
        let mut mesh = other.mesh.clone();
        // Members of an archive share its path.
        if let Some((last, _)) = self.each.last().filter(|(last, _)| last.path == mesh.path) {
            mesh.path = Arc::clone(&last.path);
        }
        self.each.extend((0..other.batch.rows() as u32).map(|row| (mesh.clone(), row)));
        self.batch.append(&other.batch);
    }

    /// Whether all rows are of one mesh.
    pub(super) fn is_of_one(&self) -> bool {
        self.each.is_empty()
    }

    /// The mesh of a row.
    pub(super) fn mesh(&self, row: usize) -> &Named {
        self.each.get(row).map_or(&self.mesh, |(mesh, _)| mesh)
    }

    /// The place of a row among those of its mesh.
    pub(super) fn place(&self, row: usize) -> u64 {
        self.each.get(row).map_or(u64::from(self.before) + row as u64, |(_, row)| u64::from(*row))
    }

    /// The first row of a mesh, where meshes stand in the order of their numbers.
    pub(super) fn row_of(&self, file: u32) -> Option<usize> {
        let at = self.each.partition_point(|(mesh, _)| mesh.file < file);
        self.each.get(at).filter(|(mesh, _)| mesh.file == file).map(|_| at)
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
