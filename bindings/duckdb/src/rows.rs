//! The table functions: one per table, and one per short name.

use crate::capi::{Chunk, Columns, Function};
use crate::pattern::Pattern;
use crate::scan::{Asked, Rows, Scanned};
use navmap_open::scan::Glob;
use navmap_table::{COMMON, Column, TABLES, Table, Values};
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;

/// A table as a function.
#[derive(Debug)]
pub(crate) struct TableFunction {
    name: String,
    table: &'static Table,
}

/// All of them.
pub(crate) fn functions() -> Vec<TableFunction> {
    let names = |table: &'static Table| {
        let names = [Some(table.name), table.short_name()].into_iter().flatten();
        names.map(move |name| TableFunction { name: format!("navmap_{name}"), table })
    };
    TABLES.iter().copied().flat_map(names).collect()
}

impl Function for TableFunction {
    type Bound = Arc<Asked>;
    type Scan = Scanned;
    /// The rows of a mesh, and how many of them have been written.
    type Local = Option<(Rows, usize)>;

    fn name(&self) -> &str {
        &self.name
    }

    fn takes_paths(&self) -> bool {
        self.table.is_of_meshes()
    }

    fn switches(&self) -> &'static [&'static CStr] {
        if self.table.is_of_meshes() { &[c"deep", c"lenient", c"strict"] } else { &[] }
    }

    fn words(&self) -> &'static [&'static CStr] {
        if self.table.is_of_meshes() { &[c"path_glob"] } else { &[] }
    }

    fn bind(
        &self,
        given: Vec<String>,
        on: Vec<bool>,
        words: Vec<Option<String>>,
    ) -> Result<(Columns, Arc<Asked>), String> {
        let (mut paths, mut patterns) = (Vec::new(), Vec::new());
        let is_there = |path: &Path| path.symlink_metadata().is_ok();
        for text in given {
            // The file of an archive's member is the archive.
            let file = text.split_once('!').map_or(text.as_str(), |(archive, _)| archive);
            let pattern = Pattern::parse(&text).map(|pattern| match is_there(pattern.base()) {
                true => pattern,
                false => pattern.of_members(),
            });
            match pattern {
                _ if is_there(Path::new(&text)) => paths.push(PathBuf::from(text)),
                None if is_there(Path::new(file)) => paths.push(PathBuf::from(text)),
                Some(pattern) if is_there(pattern.base()) => patterns.push(pattern),
                _ => return Err(format!("navmap: nothing lies at {text}")),
            }
        }
        let switch = |at: usize| on.get(at).copied().unwrap_or(false);
        let (deep, lenient, strict) = (switch(0), switch(1), switch(2));
        let columns = self.table.all_columns().map(|column| (column.name, column.kind)).collect();
        let glob = words.into_iter().next().flatten().map(Glob::new);
        let asked = Asked { table: self.table, paths, patterns, glob, deep, lenient, strict };
        Ok((columns, Arc::new(asked)))
    }

    fn begin(asked: &Arc<Asked>, wanted: Vec<Option<usize>>) -> Result<(Scanned, u64), String> {
        let threads = available_parallelism().map_or(1, |count| count.get() as u64);
        Ok((Scanned::begin(asked, wanted)?, threads))
    }

    fn fill(scan: &Scanned, local: &mut Self::Local, chunk: &mut Chunk<'_>) -> Result<usize, String> {
        let mut filled = 0;
        while filled < chunk.capacity() {
            let (rows, from) = match local.take() {
                Some(begun) => begun,
                None => match scan.next(filled == 0)? {
                    Some(rows) => (rows, 0),
                    None => break,
                },
            };
            let to = rows.batch.rows().min(from.saturating_add(chunk.capacity() - filled));
            for (at, column) in scan.wanted().iter().enumerate() {
                write(scan, &rows, (from, to), *column, (at, filled), chunk)?;
            }
            filled += to - from;
            if to < rows.batch.rows() {
                *local = Some((rows, to));
            } else {
                scan.give_back(rows);
            }
        }
        Ok(filled)
    }
}

/// Writes some rows of one column to column `to` of a chunk, starting at a row.
fn write(
    scan: &Scanned,
    rows: &Rows,
    (from, to): (usize, usize),
    column: Option<usize>,
    (at, filled): (usize, usize),
    chunk: &mut Chunk<'_>,
) -> Result<(), String> {
    let count = to - from;
    let Some(column) = column else {
        return chunk.nulls(at, filled, std::iter::repeat_n(false, count));
    };
    let own = column.checked_sub(scan.table().common()).and_then(|own| rows.batch.columns().get(own));
    match (own, COMMON.get(column).map(|column| column.name)) {
        (Some(column), _) => own_column(column, (from, to), (at, filled), chunk),
        (None, Some("path")) => chunk.texts(at, filled, std::iter::repeat_n(Some(&*rows.path), count)),
        (None, Some("member")) => {
            chunk.texts(at, filled, std::iter::repeat_n(rows.member.as_deref(), count))?;
            chunk.nulls(at, filled, std::iter::repeat_n(rows.member.is_some(), count))
        }
        (None, _) => chunk.numbers(at, filled, &vec![rows.file; count]),
    }
}

fn own_column(
    column: &Column,
    (from, to): (usize, usize),
    (at, filled): (usize, usize),
    chunk: &mut Chunk<'_>,
) -> Result<(), String> {
    fn part<T>(values: &[T], (from, to): (usize, usize)) -> Result<&[T], String> {
        values.get(from..to).ok_or_else(|| "navmap: a column is shorter than its table".to_owned())
    }
    let rows = (from, to);
    match column.values() {
        Values::Bool(values) => chunk.numbers(at, filled, part(values, rows)?),
        Values::U8(values) => chunk.numbers(at, filled, part(values, rows)?),
        Values::U16(values) => chunk.numbers(at, filled, part(values, rows)?),
        Values::I16(values) => chunk.numbers(at, filled, part(values, rows)?),
        Values::U32(values) => chunk.numbers(at, filled, part(values, rows)?),
        Values::I32(values) => chunk.numbers(at, filled, part(values, rows)?),
        Values::U64(values) => chunk.numbers(at, filled, part(values, rows)?),
        Values::F32(values) => chunk.numbers(at, filled, part(values, rows)?),
        Values::Bytes16(values) => chunk.bytes(at, filled, part(values, rows)?),
        Values::Geometry(shapes) => {
            chunk.shapes(at, filled, (from..to).map(|row| shapes.get(row).unwrap_or_default()))
        }
        Values::Text(keys, dictionary) => {
            let texts = dictionary.texts();
            let text = |key: &u32| texts.get(*key as usize).map(|text| &**text);
            chunk.texts(at, filled, part(keys, rows)?.iter().map(text))
        }
        _ => Err("navmap: a column has a type that DuckDB is not told of".to_owned()),
    }?;
    match column.valid() {
        Some(valid) => chunk.nulls(at, filled, part(valid, rows)?.iter().copied()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_a_function_by_each_of_its_names() {
        let names: Vec<String> = functions().into_iter().map(|function| function.name).collect();
        for table in TABLES {
            assert!(names.contains(&format!("navmap_{}", table.name)), "{}", table.name);
        }
        assert!(names.contains(&"navmap_areas".to_owned()));
        let mut once = names.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), names.len());
    }

    #[test]
    fn a_path_that_names_nothing_is_told_before_anything_is_read() {
        let areas = functions().into_iter().find(|function| function.name == "navmap_areas").unwrap();
        for path in ["no/such/place", "no/such/**", "no.vpk!maps/a.nav"] {
            let told = areas.bind(vec![path.to_owned()], vec![], vec![]).err().unwrap();
            assert_eq!(told, format!("navmap: nothing lies at {path}"));
        }
    }
}
