//! Reads what happened where: points with a value, a track and a panel each.

use super::points::{Columns, Lines};
use crate::out::warn;
use navmap::draw::Groups;
use navmap::error::Result;
use navmap::format::has_extension;
use navmap::graph::Point;
use navmap::text::{counted, path_text};
use std::path::Path;

/// The columns that are wanted besides x, y and z.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted<'a> {
    pub(crate) value: Option<&'a str>,
    pub(crate) track: Option<&'a str>,
    pub(crate) panels: Option<&'a str>,
}

/// Points with what their columns say of them.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) points: Vec<Point>,
    pub(crate) values: Option<Vec<f64>>,
    pub(crate) tracks: Option<Groups>,
    pub(crate) panels: Option<Groups>,
    /// The rows without a position, which are left out.
    missing: u64,
    /// What the column of values is called.
    value: String,
}

impl Events {
    /// Reads a file, by its extension Parquet or else lines, or standard input. Says how many rows have no position.
    ///
    /// # Errors
    /// If it cannot be read, for a line that is no point, or if a column is missing or its value is no number.
    pub(crate) fn read(path: &Path, wanted: Wanted<'_>) -> Result<Self> {
        let Wanted { value, track, panels } = wanted;
        let mut events = Self {
            points: Vec::new(),
            values: value.map(|_| Vec::new()),
            tracks: track.map(|_| Groups::default()),
            panels: panels.map(|_| Groups::default()),
            missing: 0,
            value: value.unwrap_or_default().to_owned(),
        };
        let more: Vec<String> = [value, track, panels].into_iter().flatten().map(str::to_owned).collect();
        if has_extension(path, &["parquet"]) {
            parquet(path, &more, &mut |point, texts| events.push(point, texts))?;
            return Ok(events.told(path));
        }
        let (mut lines, mut columns) = (Lines::open(path)?, Columns::with(more));
        while let Some(line) = lines.next() {
            let row = columns.row(&line?).and_then(|row| match row {
                Some((point, texts)) => events.push(point, &texts),
                None => Ok(()),
            });
            row.map_err(|why| lines.refused(why))?;
        }
        Ok(events.told(path))
    }

    fn told(self, path: &Path) -> Self {
        if self.missing > 0 {
            let rows = counted(self.missing, "row has", "rows have");
            warn(format_args!(
                "navmap: {}: {rows} no position, and {} not shown",
                path_text(path),
                if self.missing == 1 { "is" } else { "are" }
            ));
        }
        self
    }

    /// Adds a point with the texts of the wanted columns. A value that is empty is none.
    fn push(&mut self, point: Point, texts: &[String]) -> std::result::Result<(), String> {
        if [point.x, point.y, point.z].iter().any(|at| at.is_nan()) {
            self.missing = self.missing.saturating_add(1);
            return Ok(());
        }
        let mut texts = texts.iter().map(|text| text.trim());
        if let Some(values) = &mut self.values {
            let text = texts.next().unwrap_or_default();
            let value: f64 = if text.is_empty() { Ok(f64::NAN) } else { text.parse() }
                .map_err(|_| format!("has a value that is no number: {text}, in column {}", self.value))?;
            if value.is_infinite() {
                return Err(format!(
                    "has a value beyond the largest number: {text}, in column {}",
                    self.value
                ));
            }
            values.push(value);
        }
        for groups in [&mut self.tracks, &mut self.panels].into_iter().flatten() {
            groups.push(texts.next().unwrap_or_default());
        }
        self.points.push(point);
        Ok(())
    }
}

type Each<'e> = &'e mut dyn FnMut(Point, &[String]) -> std::result::Result<(), String>;

#[cfg(feature = "parquet")]
fn parquet(path: &Path, more: &[String], each: Each<'_>) -> Result<()> {
    use super::points::bounded;
    use navmap::error::Error;
    let names: Vec<&str> = ["x", "y", "z"].into_iter().chain(more.iter().map(String::as_str)).collect();
    let read = navmap::table::parquet::read_columns(path, &names, &mut |row, texts| {
        let number = |at: usize| match texts.get(at) {
            Some(text) if text.is_empty() => Some(f32::NAN),
            text => text.and_then(|text| text.parse::<f32>().ok()),
        };
        let (Some(x), Some(y), Some(z)) = (number(0), number(1), number(2)) else {
            return Err(Error::invalid("row", format!("{row} has no numbers x, y and z")));
        };
        bounded([x, y, z]).map_err(|why| Error::invalid("row", format!("{row} {why}")))?;
        let further = texts.get(3..).unwrap_or_default();
        each(Point::new(x, y, z), further).map_err(|why| Error::invalid("row", format!("{row} {why}")))
    });
    read.map_err(|error| error.in_file(path))
}

#[cfg(not(feature = "parquet"))]
fn parquet(path: &Path, _more: &[String], _each: Each<'_>) -> Result<()> {
    Err(crate::built::missing("Parquet").in_file(path))
}
