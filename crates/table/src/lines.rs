//! Rows and values as text.

use super::column::{Column, Value};
use super::geometry::Wkt;
use super::told::Told;
use navmap_core::digits;

/// A kind of text, a line for each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Csv,
    Jsonl,
}

/// Rows as text, each with what ends its line, but without what all of them have in common: the number of a mesh is
/// known only when its turn has come.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    form: Form,
    text: Vec<u8>,
    /// Where each row ends.
    ends: Vec<usize>,
}

impl Lines {
    /// So many rows of columns with these names.
    pub(super) fn of<'n>(
        names: impl Iterator<Item = &'n str>,
        columns: &[Column],
        rows: usize,
        form: Form,
    ) -> Self {
        let mut lines = Self { form, text: Vec::new(), ends: Vec::with_capacity(rows) };
        let keys = if form == Form::Jsonl { keys(names) } else { Vec::new() };
        let mut told = Told::default();
        for row in 0..rows {
            match form {
                Form::Csv => csv_row(columns, row, &mut told, &mut lines.text),
                Form::Jsonl => json_row(columns, &keys, row, &mut told, &mut lines.text),
            }
            lines.ends.push(lines.text.len());
        }
        lines
    }

    /// What kind of text it is.
    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of all rows.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// One of them.
    pub(super) fn row(&self, row: usize) -> &[u8] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[row]]
    }
}

/// Writes the own columns of a row, and what ends its line.
pub(super) fn csv_row(columns: &[Column], row: usize, told: &mut Told, out: &mut Vec<u8>) {
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        csv_value(column.get(row), told, out);
    }
    out.push(b'\n');
}

/// Writes a value as a field of CSV.
fn csv_value(value: Value<'_>, told: &mut Told, out: &mut Vec<u8>) {
    match value {
        Value::Null => {}
        Value::Bool(yes) => boolean(yes, out),
        Value::Int(number) => whole(number, out),
        Value::Wide(number @ 0..=9) => whole(number as i64, out),
        Value::Wide(number) => digits::whole(number, out),
        Value::F32(number) => told.float(number, out),
        Value::Text(text) => csv_text(text, out),
        Value::Bytes(bytes) => hex(bytes, out),
        Value::Geometry(wkb) if Wkt(wkb).has_comma() => quoted(out, |out| Wkt(wkb).write(told, out)),
        Value::Geometry(wkb) => Wkt(wkb).write(told, out),
    }
}

/// Writes a text as a field of CSV. An empty text is quoted, to distinguish it from a null.
#[doc(hidden)]
pub fn csv_text(text: &str, out: &mut Vec<u8>) {
    let is_special = |byte: u8| matches!(byte, b'"' | b',' | b'\n' | b'\r');
    if !text.is_empty() && !text.bytes().any(is_special) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for byte in text.bytes() {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// Appends a whole number. Counts of links and spots are of one digit, and most of all numbers.
#[inline]
fn whole(number: i64, out: &mut Vec<u8>) {
    match number {
        0..=9 => out.push(b'0' + number as u8),
        _ => digits::whole(number, out),
    }
}

fn boolean(yes: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if yes { b"true" } else { b"false" });
}

fn hex(bytes: &[u8], out: &mut Vec<u8>) {
    let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' - 10 + half };
    out.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
}

fn quoted(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'"');
    write(out);
    out.push(b'"');
}

/// What stands in front of each value of columns with these names.
pub(super) fn keys<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    names.map(|name| format!("\"{name}\":")).collect()
}

/// Writes the own columns of a row, and what ends its object and its line.
pub(super) fn json_row(columns: &[Column], keys: &[String], row: usize, told: &mut Told, out: &mut Vec<u8>) {
    for (at, (column, key)) in columns.iter().zip(keys).enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(key.as_bytes());
        json_value(column.get(row), told, out);
    }
    out.extend_from_slice(b"}\n");
}

/// Writes a value as JSON.
fn json_value(value: Value<'_>, told: &mut Told, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(yes) => boolean(yes, out),
        Value::Int(number) => whole(number, out),
        Value::Wide(number @ 0..=9) => whole(number as i64, out),
        Value::Wide(number) => digits::whole(number, out),
        Value::F32(number) if number.is_finite() => told.float(number, out),
        Value::F32(number) => out.extend_from_slice(no_number(number.into()).as_bytes()),
        Value::Text(text) => json_text(text, out),
        Value::Bytes(bytes) => quoted(out, |out| hex(bytes, out)),
        Value::Geometry(wkb) => quoted(out, |out| Wkt(wkb).write(told, out)),
    }
}

/// The JSON text of a float that is not finite.
#[doc(hidden)]
pub fn no_number(number: f64) -> &'static str {
    if number.is_nan() {
        "\"NaN\""
    } else if number > 0.0 {
        "\"Infinity\""
    } else {
        "\"-Infinity\""
    }
}

/// Writes a text as JSON.
#[doc(hidden)]
pub fn json_text(text: &str, out: &mut Vec<u8>) {
    // A vector takes every write.
    drop(serde_json::to_writer(out, text));
}
