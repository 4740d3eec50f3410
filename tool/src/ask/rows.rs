//! Prints answers as rows: columns for a person, JSON lines, CSV.

use super::mesh::Asked;
use crate::args::Rows;
use crate::out::{Out, PADDED};
use navmap::graph::Ids;
use navmap::query::Area;
use navmap::text::printable;
use std::io::{self, Write};

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    None,
    Int(u64),
    Float(f32),
    Bool(bool),
    Text(String),
}

impl From<Option<u64>> for Cell {
    fn from(value: Option<u64>) -> Self {
        value.map_or(Self::None, Self::Int)
    }
}

impl From<Option<f32>> for Cell {
    fn from(value: Option<f32>) -> Self {
        value.map_or(Self::None, Self::Float)
    }
}

impl From<Option<&str>> for Cell {
    fn from(value: Option<&str>) -> Self {
        value.map_or(Self::None, |text| Self::Text(text.to_owned()))
    }
}

impl Cell {
    /// The text for a CSV file: the full value.
    fn plain(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Int(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Bool(value) => value.to_string(),
            Self::Text(text) => text.clone(),
        }
    }

    /// The text for a person.
    fn shown(&self) -> String {
        match self {
            Self::None => "-".to_owned(),
            // Zero has no sign.
            Self::Float(value) => {
                let text = format!("{value:.2}");
                if text == "-0.00" { "0.00".to_owned() } else { text }
            }
            Self::Bool(true) => "yes".to_owned(),
            Self::Bool(false) => "-".to_owned(),
            Self::Text(text) => printable(text.as_bytes()),
            other => other.plain(),
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Self::None => serde_json::Value::Null,
            Self::Int(value) => (*value).into(),
            // JSON has no NaN and no infinity; a float is written with the fewest digits that an f32 needs.
            Self::Float(value) if value.is_finite() => {
                serde_json::from_str(&value.to_string()).unwrap_or(serde_json::Value::Null)
            }
            Self::Float(value) if value.is_nan() => "NaN".into(),
            Self::Float(value) => if *value > 0.0 { "Infinity" } else { "-Infinity" }.into(),
            Self::Bool(value) => (*value).into(),
            Self::Text(text) => text.as_str().into(),
        }
    }
}

/// The group of an area and its space, as the last two cells of a row.
pub(super) fn home(asked: &Asked, area: Option<Area>) -> [Cell; 2] {
    let group = area.and_then(|area| asked.index.group(area)).and_then(|group| asked.index.group_name(group));
    let space = area.and_then(|area| asked.space_of(area)).and_then(|space| asked.space_name(space));
    [group.into(), space.as_deref().into()]
}

/// The id of an area.
pub(super) fn id(asked: &Asked, area: Option<Area>) -> Cell {
    area.and_then(|area| asked.index.id(area)).map_or(Cell::None, |id| id_cell(asked.index.ids(), id))
}

/// An id: a number, or what people type for one inside a record.
fn id_cell(ids: Ids, id: u64) -> Cell {
    match ids {
        Ids::Numbers => Cell::Int(id),
        _ => Cell::Text(ids.name(id).to_string()),
    }
}

/// A column: its name, its width in a table, and whether it is aligned to the left.
pub(super) type Column = (&'static str, usize, bool);

/// Rows on standard output.
pub(super) struct Printer {
    out: Out,
    format: Rows,
    columns: &'static [Column],
    /// The number of columns in a table.
    shown: usize,
    /// The least width of a column of ids.
    id: usize,
    begun: bool,
}

impl Printer {
    pub(super) fn new(format: Rows, columns: &'static [Column]) -> Self {
        Self {
            out: Out::new().json(format == Rows::Jsonl),
            format,
            columns,
            shown: columns.len(),
            id: 0,
            begun: false,
        }
    }

    /// Rows for areas of this mesh: wide enough for its ids, and in a table without group and space if it has none.
    pub(super) fn for_areas(asked: &Asked, format: Rows, columns: &'static [Column]) -> Self {
        let index = &asked.index;
        let ids = index.areas().filter_map(|area| index.id(area));
        let longest = ids.max().map_or(0, |id| id_cell(index.ids(), id).shown().len());
        let grouped = index.areas().next().is_some_and(|area| index.group(area).is_some());
        let empty = match (grouped, asked.is_divided()) {
            (true, true) => 0,
            (true, false) => 1,
            (false, _) => 2,
        };
        Self { id: longest, ..Self::new(format, columns).without_last(empty) }
    }

    /// Rows for areas of a mesh that has neither groups nor spaces.
    pub(super) fn without_home(format: Rows, columns: &'static [Column]) -> Self {
        Self::new(format, columns).without_last(2)
    }

    /// Omits the last columns of a table if they would be empty. The other formats always have all.
    fn without_last(self, columns: usize) -> Self {
        Self { shown: self.columns.len().saturating_sub(columns), ..self }
    }

    /// Prints a row, one cell for each column.
    pub(super) fn row(&mut self, cells: &[Cell]) -> io::Result<()> {
        self.begin()?;
        match self.format {
            Rows::Table => {
                let shown: Vec<String> = cells.iter().map(Cell::shown).collect();
                self.line(&shown)?;
            }
            Rows::Csv => {
                let terminal = self.out.is_terminal();
                let fields = cells.iter().map(|cell| match (cell, terminal) {
                    (Cell::Text(_), true) => cell.shown(),
                    _ => cell.plain(),
                });
                csv_record(&mut self.out, fields)?;
            }
            Rows::Jsonl => {
                // The keys in the order of the columns.
                self.out.write_all(b"{")?;
                for (at, ((name, ..), cell)) in self.columns.iter().zip(cells).enumerate() {
                    let comma = if at == 0 { "" } else { "," };
                    write!(self.out, "{comma}\"{name}\":{}", cell.json())?;
                }
                self.out.write_all(b"}\n")?;
            }
        }
        self.out.end_row()
    }

    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        match self.format {
            Rows::Jsonl => Ok(()),
            Rows::Csv => csv_record(&mut self.out, self.columns.iter().map(|(name, ..)| (*name).to_owned())),
            Rows::Table => {
                let names: Vec<String> = self.columns.iter().map(|(name, ..)| name.to_uppercase()).collect();
                self.line(&names)
            }
        }
    }

    fn line(&mut self, cells: &[String]) -> io::Result<()> {
        let mut line = String::new();
        for ((name, width, left), cell) in self.columns.iter().zip(cells).take(self.shown) {
            let width =
                if ["id", "nearest"].contains(name) { self.id.max(*width).min(PADDED) } else { *width };
            if !line.is_empty() {
                line.push_str("  ");
            }
            match left {
                true => line.push_str(&format!("{cell:<width$}")),
                false => line.push_str(&format!("{cell:>width$}")),
            }
        }
        writeln!(self.out, "{}", line.trim_end())
    }

    /// Prints what a format needs even without rows, and flushes.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.format == Rows::Csv {
            self.begin()?;
        }
        self.out.flush()
    }
}

/// Writes one line of CSV.
pub(super) fn csv_record(out: &mut impl Write, fields: impl Iterator<Item = String>) -> io::Result<()> {
    let mut csv = csv::WriterBuilder::new().buffer_capacity(512).from_writer(out);
    csv.write_record(fields)?;
    csv.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_they_can_be_read_back() {
        assert_eq!(Cell::Float(0.1).json().to_string(), "0.1");
        assert_eq!(Cell::Float(-2832.0).json().to_string(), "-2832");
        assert_eq!(Cell::Float(f32::NAN).json().to_string(), "\"NaN\"");
        assert_eq!(Cell::Float(1e38).plain().parse(), Ok(1e38f32));
        assert_eq!(Cell::Float(-0.001).shown(), "0.00");
        assert_eq!(Cell::Text("a\u{1b}[2J".into()).shown(), "a\\u{1b}[2J");
    }
}
