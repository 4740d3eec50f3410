//! Prints the rows of an answer.

use crate::args::Answer;
use crate::columns::fitted;
use crate::out::{Out, PADDED};
use navmap::digits;
use navmap::error::Result;
use navmap::table::{csv_text, json_text, no_number};
use navmap::text::printable;
use rusqlite::Row;
use rusqlite::types::ValueRef;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

impl Answer {
    /// What the ending of a file's name says.
    pub(super) fn by_ending(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Self::Csv,
            "json" => Self::Json,
            "jsonl" | "ndjson" => Self::Jsonl,
            "parquet" => Self::Parquet,
            "arrow" | "arrows" => Self::Arrow,
            _ => return None,
        })
    }
}

/// How rows are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    format: Answer,
    /// The width of the terminal.
    width: Option<usize>,
}

/// Rows examined before the widths of columns are set.
const LOOKED_AT: usize = 500;
/// Bytes of theirs.
const HELD: usize = 8 << 20;
/// The widest column of a table on a terminal.
const WIDEST: usize = 60;

impl Style {
    /// # Errors
    /// If the format is not built in.
    pub(super) fn for_format(format: Answer) -> Result<Self> {
        let there = match format {
            Answer::Parquet | Answer::Arrow => cfg!(feature = "parquet"),
            _ => true,
        };
        if there {
            return Ok(Self { format, width: None });
        }
        Err(crate::built::missing("format"))
    }

    pub(super) fn fitting(self, out: &Out) -> Self {
        Self { width: out.width(), ..self }
    }

    pub(super) fn with(self, format: Answer) -> Self {
        Self { format, ..self }
    }

    /// Whether it is a binary file, for a single answer and not for a terminal.
    pub(super) fn is_binary(self) -> bool {
        matches!(self.format, Answer::Parquet | Answer::Arrow)
    }

    pub(super) fn is_json(self) -> bool {
        matches!(self.format, Answer::Json | Answer::Jsonl)
    }

    pub(super) fn is_for_people(self) -> bool {
        self.format == Answer::Table
    }

    /// The columns of an answer, under the names that they have in this format: programs find those of JSON and of files of bytes by
    /// name, so that two must not have one.
    fn named(self, columns: &[Column]) -> Vec<Column> {
        let mut taken = HashSet::new();
        let unlike = |(name, declared): &Column| {
            // As DuckDB does it, for which large and small letters are the same.
            let numbered = (1u32..).map(|number| format!("{name}_{number}"));
            let mut names = std::iter::once(name.clone()).chain(numbered);
            let unused = names.find(|name| taken.insert(name.to_lowercase()));
            (unused.unwrap_or_else(|| name.clone()), declared.clone())
        };
        match self.is_json() || self.is_binary() {
            true => columns.iter().map(unlike).collect(),
            false => columns.to_vec(),
        }
    }
}

/// The name of a column, and its declared type.
type Column = (String, Option<String>);

/// The declared type of a bare column; an expression has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declared {
    Nothing,
    Bool,
    /// A float of 32 bits, which has shorter texts.
    Float,
}

/// Prints rows.
pub(super) struct Printer<'o> {
    out: &'o mut dyn Write,
    style: Style,
    names: Vec<String>,
    declared: Vec<Declared>,
    /// Rows that wait until the widths are known.
    waiting: Vec<Vec<(String, bool)>>,
    waiting_bytes: usize,
    widths: Option<Vec<usize>>,
    line: Vec<u8>,
    begun: bool,
    #[cfg(feature = "parquet")]
    arrow: Option<navmap::table::sql::ArrowAnswer>,
}

impl<'o> Printer<'o> {
    pub(super) fn new(columns: &[Column], style: Style, out: &'o mut dyn Write) -> io::Result<Self> {
        let columns = &style.named(columns);
        let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
        let declared = columns.iter().map(|(_, declared)| match declared.as_deref() {
            Some("BOOLEAN") => Declared::Bool,
            Some("REAL32") => Declared::Float,
            _ => Declared::Nothing,
        });
        let mut printer = Self {
            out,
            style,
            declared: declared.collect(),
            names,
            waiting: Vec::new(),
            waiting_bytes: 0,
            widths: None,
            line: Vec::new(),
            begun: false,
            #[cfg(feature = "parquet")]
            arrow: style
                .is_binary()
                .then(|| navmap::table::sql::ArrowAnswer::new(columns, style.format == Answer::Parquet)),
        };
        match style.format {
            Answer::Csv => {
                printer.line.clear();
                for (at, name) in printer.names.iter().enumerate() {
                    if at > 0 {
                        printer.line.push(b',');
                    }
                    csv_text(name, &mut printer.line);
                }
                printer.end_line()?;
            }
            Answer::Json => printer.out.write_all(b"[")?,
            _ => {}
        }
        Ok(printer)
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    pub(super) fn row(&mut self, row: &Row<'_>) -> io::Result<()> {
        #[cfg(feature = "parquet")]
        if let Some(arrow) = &mut self.arrow {
            return arrow.row(row, self.out);
        }
        match self.style.format {
            Answer::Csv => {
                self.line.clear();
                for at in 0..self.names.len() {
                    if at > 0 {
                        self.line.push(b',');
                    }
                    match self.value(row, at)? {
                        (ValueRef::Null, _) => {}
                        (ValueRef::Text(text), _) => csv_text(&String::from_utf8_lossy(text), &mut self.line),
                        (value, declared) => push_number(value, declared, &mut self.line),
                    }
                }
                self.end_line()
            }
            Answer::Json | Answer::Jsonl => {
                let gap: &[u8] = match (self.style.format == Answer::Json, self.begun) {
                    (true, true) => b",\n ",
                    (true, false) => b"\n ",
                    (false, _) => b"",
                };
                self.begun = true;
                self.line.clear();
                self.line.extend_from_slice(gap);
                self.json(row)?;
                if self.style.format == Answer::Jsonl {
                    self.line.push(b'\n');
                }
                self.out.write_all(&self.line)
            }
            _ => self.table_row(row),
        }
    }

    fn value<'r>(&self, row: &'r Row<'_>, at: usize) -> io::Result<(ValueRef<'r>, Declared)> {
        let value = row.get_ref(at).map_err(io::Error::other)?;
        Ok((value, self.declared.get(at).copied().unwrap_or(Declared::Nothing)))
    }

    fn json(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.line.push(b'{');
        for at in 0..self.names.len() {
            if at > 0 {
                self.line.push(b',');
            }
            let name = self.names.get(at).map_or("", String::as_str);
            json_text(name, &mut self.line);
            self.line.push(b':');
            match self.value(row, at)? {
                (ValueRef::Null, _) => self.line.extend_from_slice(b"null"),
                (ValueRef::Text(text), _) => json_text(&String::from_utf8_lossy(text), &mut self.line),
                (ValueRef::Real(real), _) if !real.is_finite() => {
                    self.line.extend_from_slice(no_number(real).as_bytes());
                }
                (value @ ValueRef::Blob(_), declared) => json_text(&number(value, declared), &mut self.line),
                (value, declared) => push_number(value, declared, &mut self.line),
            }
        }
        self.line.push(b'}');
        Ok(())
    }

    fn table_row(&mut self, row: &Row<'_>) -> io::Result<()> {
        let mut cells = Vec::with_capacity(self.names.len());
        for at in 0..self.names.len() {
            cells.push(match self.value(row, at)? {
                (ValueRef::Null, _) => (String::new(), false),
                (ValueRef::Text(text), _) => (printable(text), false),
                (value, declared) => (number(value, declared), true),
            });
        }
        match &self.widths {
            Some(widths) => {
                let line = line(&cells, widths, self.style.width.is_some());
                writeln!(self.out, "{line}")
            }
            None => {
                let bytes = cells.iter().map(|(cell, _)| cell.len());
                self.waiting_bytes = bytes.fold(self.waiting_bytes, usize::saturating_add);
                self.waiting.push(cells);
                let settled = self.waiting.len() >= LOOKED_AT || self.waiting_bytes > HELD;
                if settled { self.settle() } else { Ok(()) }
            }
        }
    }

    /// Sets the widths of the columns by the rows so far, and prints these.
    fn settle(&mut self) -> io::Result<()> {
        let mut widths: Vec<usize> = self.names.iter().map(|name| name.chars().count()).collect();
        for cells in &self.waiting {
            for (width, (cell, _)) in widths.iter_mut().zip(cells) {
                *width = cell.chars().count().max(*width);
            }
        }
        let cut = self.style.width.is_some();
        let most = if cut { WIDEST } else { PADDED };
        widths.iter_mut().for_each(|width| *width = (*width).min(most));
        // The name of a column of numbers is right-aligned over them.
        let numbers =
            |at: usize| self.waiting.iter().any(|cells| cells.get(at).is_some_and(|(_, number)| *number));
        let head: Vec<(String, bool)> =
            self.names.iter().enumerate().map(|(at, name)| (name.clone(), numbers(at))).collect();
        writeln!(self.out, "{}", line(&head, &widths, cut))?;
        for cells in std::mem::take(&mut self.waiting) {
            writeln!(self.out, "{}", line(&cells, &widths, cut))?;
        }
        self.widths = Some(widths);
        Ok(())
    }

    /// Prints what is left.
    pub(super) fn finish(mut self) -> io::Result<()> {
        #[cfg(feature = "parquet")]
        if let Some(arrow) = self.arrow.take() {
            return arrow.finish(self.out);
        }
        match self.style.format {
            Answer::Table if self.widths.is_none() => self.settle(),
            Answer::Json => self.out.write_all(if self.begun { b"\n]\n" } else { b"]\n" }),
            _ => Ok(()),
        }
    }
}

/// A value that is not text, as text.
fn number(value: ValueRef<'_>, declared: Declared) -> String {
    let mut text = Vec::new();
    push_number(value, declared, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn push_number(value: ValueRef<'_>, declared: Declared, out: &mut Vec<u8>) {
    match (value, declared) {
        (ValueRef::Integer(0), Declared::Bool) => out.extend_from_slice(b"false"),
        (ValueRef::Integer(1), Declared::Bool) => out.extend_from_slice(b"true"),
        (ValueRef::Integer(number), _) => digits::whole(number, out),
        (ValueRef::Real(real), Declared::Float) => digits::float(real as f32, out),
        (ValueRef::Real(real), _) => digits::float(real, out),
        (ValueRef::Blob(bytes), _) => bytes.iter().for_each(|byte| drop(write!(out, "{byte:02x}"))),
        (ValueRef::Text(text), _) => out.extend_from_slice(text),
        (ValueRef::Null, _) => {}
    }
}

fn line(cells: &[(String, bool)], widths: &[usize], cut: bool) -> String {
    let mut line = String::new();
    for (at, ((cell, number), width)) in cells.iter().zip(widths).enumerate() {
        if at > 0 {
            line.push_str("  ");
        }
        let cell = if cut { fitted(cell, *width) } else { cell.clone() };
        if *number {
            line.push_str(&format!("{cell:>width$}"));
        } else {
            line.push_str(&format!("{cell:<width$}"));
        }
    }
    line.truncate(line.trim_end().len());
    line
}
