//! The virtual table over schema and fills, the same for every table.

use super::ahead::Ahead;
use super::course::Course;
use super::groups;
use super::keys::{self, Whole, whole};
use super::loaded::{Loaded, Place};
use super::plan::{Plan, fits};
use super::shelf::Shelf;
use super::{Shared, flags_loaded};
use crate::column::{Type, Value};
use crate::rows::neutral::{FILES, FLAG_NAMES};
use crate::schema::{ColumnDef, Table};
use crate::sqlite::{declared, to_sql};
use navmap_vtab::Rows;
use rusqlite::types::{Null, ValueRef};
use rusqlite::vtab::{
    Context, DistinctMode, Filters, IndexConstraintOp, IndexInfo, VTabConfig, VTabConnection,
};
use rusqlite::{Error, ffi};
use std::collections::VecDeque;
use std::ffi::{CString, c_int};
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// A table, as SQLite knows it.
pub(super) struct Tab {
    shared: Arc<Shared>,
    table: &'static Table,
}

/// Columns that every table of meshes begins with.
const PATH: usize = 0;
const MEMBER: usize = 1;
const FILE: usize = 2;

/// The column for the argument of the table-valued form, after all others.
fn hidden(table: &Table) -> usize {
    table.common() + table.columns.len()
}

impl navmap_vtab::Table for Tab {
    type Aux = (Arc<Shared>, &'static Table);
    type Rows = Cursor;

    fn connect(db: &mut VTabConnection, (shared, table): &Self::Aux) -> rusqlite::Result<(CString, Self)> {
        db.config(VTabConfig::Innocuous)?;
        // Whole numbers with their width, which an answer of Arrow keeps. All of these have the affinity of INTEGER.
        let kind = |column: &ColumnDef| match declared(column) {
            "INTEGER" => column.kind.name().to_ascii_uppercase(),
            other => other.to_owned(),
        };
        let columns: Vec<String> =
            table.all_columns().map(|column| format!("\"{}\" {}", column.name, kind(column))).collect();
        let sql = format!("CREATE TABLE x({}, paths HIDDEN)", columns.join(", "));
        let sql = CString::new(sql).map_err(|error| rusqlite::Error::ModuleError(error.to_string()))?;
        Ok((sql, Self { shared: Arc::clone(shared), table }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> rusqlite::Result<bool> {
        let common = self.table.common();
        let constraints: Vec<(usize, IndexConstraintOp, bool)> = info
            .constraints()
            .map(|c| (usize::try_from(c.column()).unwrap_or(usize::MAX), c.operator(), c.is_usable()))
            .collect();
        let mut plan = Plan { mask: own_mask(info.col_used(), common), ..Plan::default() };
        // The constraint that supplies each argument, and whether SQLite may skip its own check.
        let mut arguments: Vec<(usize, bool)> = Vec::new();
        let mut take = |at: usize, omit: bool| {
            arguments.push((at, omit));
            Some(arguments.len() - 1)
        };
        let mut keys: Vec<(usize, usize)> = Vec::new();
        for (at, (column, operator, usable)) in constraints.iter().enumerate() {
            let equal = matches!(operator, IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ);
            if *column == hidden(self.table) {
                if !usable {
                    // The argument may come from another table, which then has to come first.
                    return Ok(false);
                }
                if equal && plan.paths.is_none() {
                    plan.paths = take(at, true);
                }
                continue;
            }
            if !usable {
                continue;
            }
            match (*column, operator) {
                (FILE, _) if common > 0 && equal && plan.file.is_none() => plan.file = take(at, false),
                // Another collation takes paths for equal that are not the same.
                (PATH, _)
                    if common > 0 && equal && plan.path.is_none() && info.collation(at)? == "BINARY" =>
                {
                    plan.path = take(at, false);
                }
                (PATH, IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_GLOB)
                    if plan.glob.is_none() && common > 0 =>
                {
                    plan.glob = take(at, false);
                }
                (PATH, IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_LIKE)
                    if plan.like.is_none() && common > 0 =>
                {
                    plan.like = take(at, false);
                }
                (column, _) if column >= common && equal && self.is_number(column - common) => {
                    keys.push((at, column - common));
                }
                _ => {}
            }
        }
        let within = plan.file.is_some() || plan.path.is_some();
        if within {
            keys.sort_by_key(|(_, column)| keys::rank(self.table, *column));
            for (number, (at, column)) in keys.into_iter().enumerate() {
                // SQLite asks once for each value of a list, and for each pair of values of two lists.
                if number == 0 || !info.is_in_constraint(at)? {
                    plan.keys.extend(take(at, false).map(|argument| (column, argument)));
                }
            }
        }
        self.order(info, &mut plan);
        for (column, _) in &plan.keys {
            plan.mask |= 1 << column;
        }
        if let Some(column) = plan.order {
            plan.mask |= 1 << column;
        }
        plan.mask |= plan.group;
        for (number, (at, omit)) in arguments.into_iter().enumerate() {
            let mut usage = info.constraint_usage(at);
            usage.set_argv_index(number as c_int + 1);
            usage.set_omit(omit);
        }
        let (rows, cost) = self.estimate(&plan);
        info.set_estimated_rows(rows as i64);
        info.set_estimated_cost(cost);
        info.set_idx_str(&plan.text(self.table));
        Ok(true)
    }

    fn open(&self) -> rusqlite::Result<Cursor> {
        self.shared.opened(self.table);
        Ok(Cursor {
            shared: Arc::clone(&self.shared),
            table: self.table,
            shelf: Arc::clone(&self.shared.shelf),
            plan: Plan::default(),
            keys: Vec::new(),
            feed: Feed::End,
            ahead: Ahead::default(),
            course: None,
            now: None,
            at: 0,
            end: 0,
            by: None,
            row: 0,
            paths: None,
        })
    }
}

/// The own columns among those that SQLite needs. Bit 63 stands for column 63 and all later ones; no table has that many.
fn own_mask(used: u64, common: usize) -> u64 {
    used.checked_shr(common as u32).unwrap_or(0)
}

impl Tab {
    /// Whether an own column holds whole numbers.
    fn is_number(&self, column: usize) -> bool {
        let kind = self.table.columns.get(column).map(|column| column.kind);
        kind.is_some_and(|kind| !matches!(kind, Type::Text | Type::F32 | Type::Bytes16 | Type::Geometry))
    }

    /// Tells SQLite that rows come grouped by mesh, and sorted by mesh number and one column, so that it need not sort them,
    /// which is most of the time of a `GROUP BY`; and the rows of small tables grouped by any columns, those of others by one.
    fn order(&self, info: &mut IndexInfo, plan: &mut Plan) {
        let wanted: Vec<(usize, bool)> = info
            .order_bys()
            .map(|by| (usize::try_from(by.column()).unwrap_or(usize::MAX), by.is_order_by_desc()))
            .collect();
        let common = self.table.common();
        if wanted.is_empty() || common == 0 || !plan.keys.is_empty() {
            return;
        }
        let grouped = matches!(info.distinct(), DistinctMode::Grouped | DistinctMode::Distinct);
        let own = |column: usize| (common..hidden(self.table)).contains(&column).then(|| column - common);
        if grouped && plan.is_of_all() {
            let columns = wanted.iter().map(|by| own(by.0)).collect::<Option<Vec<_>>>().unwrap_or_default();
            // What a mesh is joined with then comes in groups too: millions of rows that are not sorted for a few hundred.
            let small = self.table.is_row_a_mesh();
            // A join goes by the mesh, and would read what it joins anew for each group.
            let alone = plan.paths.is_none() && info.col_used() & ((1 << common) - 1) == 0;
            let held = |one: usize| groups::may_hold(self.table, one, plan.mask, &self.shared.shelf);
            let one = match columns[..] {
                [one] if !small && alone && held(one) => Some(one),
                _ => None,
            };
            if (small || one.is_some())
                && let Some(mask @ 1..) = groups::mask(self.table, &columns)
            {
                (plan.group, plan.order) = (mask, one);
                info.set_order_by_consumed(true);
                return;
            }
        }
        let numbers: Vec<usize> = wanted.iter().filter_map(|(column, _)| own(*column)).collect();
        let of_mesh = |column: &usize| [PATH, MEMBER, FILE].contains(column);
        let has_file = wanted.iter().any(|(column, _)| *column == FILE);
        let known = wanted.iter().all(|(column, _)| of_mesh(column) || own(*column).is_some());
        let consumed = match numbers[..] {
            // All rows of a file are adjacent, and so are those of a path unless it is walked twice; but only file numbers are
            // in order. A path and a member do not identify a mesh: an archive may have several members of one name.
            [] if grouped => {
                let of_path = wanted.iter().all(|(column, _)| *column == PATH);
                known && (has_file || (of_path && self.shared.shelf.is_one_path()))
            }
            [] => wanted == [(FILE, false)],
            [one] if self.is_number(one) && has_file => {
                let in_order = wanted.first() == Some(&(FILE, false)) && wanted.len() == 2;
                let ascending = wanted.iter().all(|(_, descending)| !descending);
                (grouped && known) || (in_order && ascending)
            }
            _ => false,
        };
        if consumed {
            plan.order = numbers.first().copied();
            info.set_order_by_consumed(true);
        }
    }

    /// Estimated rows and cost of a plan. Only their order matters.
    fn estimate(&self, plan: &Plan) -> (f64, f64) {
        if self.table.common() == 0 {
            return (200.0, 200.0);
        }
        let within = plan.file.is_some() || plan.path.is_some();
        let per_mesh = if self.table.is_row_a_mesh() { 1.0 } else { 1000.0 };
        // Lists the meshes only if that improves the estimate.
        let meshes = if within || plan.glob.is_some() || plan.like.is_some() {
            self.shared.shelf.len().max(1) as f64
        } else {
            2000.0
        };
        match (within, !plan.keys.is_empty()) {
            (true, true) => (4.0, 8.0),
            (true, false) => (per_mesh, per_mesh + 50.0),
            (false, _) if plan.glob.is_some() || plan.like.is_some() => {
                (meshes * per_mesh / 10.0, meshes * (per_mesh + 50.0) / 10.0)
            }
            (false, _) => (meshes * per_mesh, meshes * (per_mesh + 50.0)),
        }
    }
}

/// Where batches come from.
enum Feed {
    End,
    /// All meshes, read by other threads.
    Stream(Receiver<Loaded>),
    /// Some meshes, by number.
    Some(VecDeque<u32>),
    /// What is there already.
    Ready(VecDeque<Arc<Loaded>>),
    /// Rows that stand together, in groups.
    Rows(VecDeque<Place>),
}

/// A walk over the rows of a table.
pub(super) struct Cursor {
    shared: Arc<Shared>,
    table: &'static Table,
    shelf: Arc<Shelf>,
    plan: Plan,
    /// Own columns, and the numbers that rows have in them.
    keys: Vec<(usize, i64)>,
    feed: Feed,
    ahead: Ahead,
    /// The order of the rows that come in groups, which the shelf knows.
    course: Option<Arc<Course>>,
    now: Option<Arc<Loaded>>,
    at: usize,
    end: usize,
    /// The column by which the rows of a mesh are ordered.
    by: Option<usize>,
    /// The row of the batch.
    row: usize,
    /// The argument of the table-valued form.
    paths: Option<String>,
}

impl Drop for Cursor {
    fn drop(&mut self) {
        self.leave();
        self.shared.closed(self.table);
    }
}

impl Cursor {
    /// Moves to the next mesh with rows. A statement that is stopped ends with an error, not with fewer rows.
    fn advance(&mut self) -> rusqlite::Result<()> {
        loop {
            let mut part = None;
            let next = match &mut self.feed {
                Feed::End => None,
                Feed::Stream(stream) => stream.recv().ok().map(Arc::new),
                Feed::Ready(ready) => ready.pop_front(),
                Feed::Rows(rows) => rows.pop_front().map(|(loaded, rows)| {
                    part = Some(rows);
                    loaded
                }),
                Feed::Some(files) => match files.pop_front() {
                    None => None,
                    Some(file) if std::ptr::eq(self.table, &FILES) => {
                        let row = self.shelf.file(file, self.plan.mask);
                        if row.is_none() && !self.shelf.is_stopped() {
                            continue;
                        }
                        row.map(|(loaded, rows)| {
                            part = Some(rows);
                            loaded
                        })
                    }
                    Some(file) => {
                        let loaded = self.shelf.load(file, self.table, self.plan.mask, &mut self.ahead);
                        if loaded.is_none() && !self.shelf.is_stopped() {
                            continue;
                        }
                        loaded
                    }
                },
            };
            let is_stopped = self.shelf.is_stopped();
            let Some(loaded) = next.filter(|_| !is_stopped) else {
                self.feed = Feed::End;
                self.now = None;
                return match is_stopped {
                    true => Err(Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_INTERRUPT), None)),
                    false => Ok(()),
                };
            };
            self.begin(loaded, part);
            if self.at < self.end {
                return Ok(());
            }
        }
    }

    /// The rows of all meshes, in groups. What they are joined with is requested in their order.
    fn grouped(&mut self) -> Vec<Place> {
        let Plan { mask, group, order, .. } = self.plan;
        let meshes = match std::ptr::eq(self.table, &FILES) {
            true => self.shelf.files(mask),
            false => Loaded::together(self.shelf.stream((self.table, mask), false)),
        };
        if let Some(column) = order {
            return groups::grouped_by(meshes, column);
        }
        let rows = groups::grouped(meshes, group);
        let course = Course::new(rows.iter().map(|(loaded, rows)| loaded.mesh(rows.start).file));
        let course = Arc::new(course);
        self.shelf.follow(&course);
        self.course = Some(course);
        rows
    }

    fn leave(&mut self) {
        if let Some(course) = self.course.take() {
            self.shelf.leave(&course);
        }
    }

    /// Starts on rows, or on some of them.
    fn begin(&mut self, loaded: Arc<Loaded>, part: Option<Range<usize>>) {
        // A row of each of several meshes is in the order of these, whatever else it is ordered by.
        self.by = self.plan.order.filter(|_| loaded.is_of_one() || self.plan.group != 0);
        let found = part.is_none().then(|| keys::shortest(&loaded, &self.keys)).flatten();
        let rows = match found {
            Some((column, run)) => {
                self.by = Some(column);
                run
            }
            None => part.unwrap_or(0..loaded.batch.rows()),
        };
        (self.at, self.end) = (rows.start, rows.end);
        self.now = Some(loaded);
        self.place();
    }

    fn place(&mut self) {
        let sorted = self.by.zip(self.now.as_ref()).map(|(column, loaded)| loaded.sorted(column));
        self.row = sorted.map_or(self.at, |rows| rows.get(self.at).map_or(usize::MAX, |row| *row as usize));
    }
}

impl Rows for Cursor {
    fn filter(&mut self, plan: Option<&str>, arguments: &Filters<'_>) -> rusqlite::Result<()> {
        self.leave();
        self.plan = Plan::parse(plan.unwrap_or_default());
        let argument = |at: Option<usize>| at.and_then(|at| arguments.iter().nth(at));
        let text = |value: ValueRef<'_>| match value {
            ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        };
        self.paths = None;
        let shelf = match argument(self.plan.paths) {
            None => Arc::clone(&self.shared.shelf),
            Some(value) => match text(value) {
                Some(path) => {
                    let shelf = self.shared.shelf_of(&path)?;
                    self.paths = Some(path);
                    shelf
                }
                None => return Err(rusqlite::Error::ModuleError("the argument is a path".to_owned())),
            },
        };
        if !Arc::ptr_eq(&shelf, &self.shelf) {
            (self.shelf, self.ahead) = (shelf, Ahead::default());
        }
        self.keys.clear();
        let mut nothing = false;
        for (column, at) in &self.plan.keys {
            match argument(Some(*at)).map(whole) {
                Some(Whole::Number(number)) => self.keys.push((*column, number)),
                Some(Whole::Nothing) => nothing = true,
                // SQLite compares these row by row.
                Some(Whole::Other) | None => {}
            }
        }
        let files = match (argument(self.plan.file).map(whole), argument(self.plan.path)) {
            (Some(Whole::Number(file)), _) => Some(u32::try_from(file).into_iter().collect::<Vec<u32>>()),
            (Some(Whole::Nothing), _) => Some(Vec::new()),
            (_, Some(path)) => Some(text(path).map(|path| self.shelf.at(&path)).unwrap_or_default()),
            (Some(Whole::Other) | None, None) => None,
        };
        let patterns = [(self.plan.glob, false), (self.plan.like, true)];
        let pattern = patterns.into_iter().find_map(|(at, fold)| Some((text(argument(at)?)?, fold)));
        // Rows in the order of a column are those of a whole mesh.
        let whole = self.plan.order.is_some();
        let stream = || Feed::Stream(self.shelf.stream((self.table, self.plan.mask), !whole));
        self.feed = match (files, pattern) {
            _ if nothing => Feed::End,
            _ if std::ptr::eq(self.table, &FLAG_NAMES) => Feed::Ready(VecDeque::from([flags_loaded()])),
            (Some(files), _) => Feed::Some(files.into()),
            (None, None) if self.plan.group != 0 => Feed::Rows(self.grouped().into()),
            _ if std::ptr::eq(self.table, &FILES) => Feed::Ready(self.shelf.files(self.plan.mask).into()),
            (None, Some((pattern, fold))) => {
                let files = self.shelf.fitting(|path| fits(&pattern, path, fold));
                // Reading all of them on many threads takes less time than reading many on one.
                if files.len() * 4 > self.shelf.len() { stream() } else { Feed::Some(files.into()) }
            }
            (None, None) => stream(),
        };
        self.advance()
    }

    fn next(&mut self) -> rusqlite::Result<()> {
        self.at += 1;
        if self.at >= self.end {
            return self.advance();
        }
        if self.by.is_some() {
            self.place();
        } else {
            self.row = self.at;
        }
        Ok(())
    }

    fn eof(&self) -> bool {
        self.now.is_none()
    }

    fn column(&self, context: &mut Context, column: usize) -> rusqlite::Result<()> {
        let Some(loaded) = &self.now else {
            return context.set_result(Null);
        };
        let value = match (column.checked_sub(self.table.common()), column) {
            _ if column == hidden(self.table) => self.paths.as_deref().map_or(Value::Null, Value::Text),
            (Some(own), _) => {
                loaded.batch.columns().get(own).map_or(Value::Null, |column| column.get(self.row))
            }
            (None, PATH) => Value::Text(&loaded.mesh(self.row).path),
            (None, MEMBER) => loaded.mesh(self.row).member.as_deref().map_or(Value::Null, Value::Text),
            (None, _) => Value::Int(loaded.mesh(self.row).file.into()),
        };
        context.set_result(to_sql(value))
    }

    /// The same under every plan: SQLite tells by it which rows it has already had from another. Shelf, mesh, place in its batch.
    fn rowid(&self) -> i64 {
        let of = |loaded: &Arc<Loaded>| (loaded.mesh(self.row).file, loaded.place(self.row));
        let (file, row) = self.now.as_ref().map_or((0, 0), of);
        ((self.shelf.number() << 56) | (u64::from(file) << 32) | row).cast_signed()
    }
}
