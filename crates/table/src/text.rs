//! Tables as text: CSV and JSON lines.

use super::batch::Batch;
use super::column::Value;
use super::geometry::Wkt;
use super::run::Mesh;
use super::schema::Table;
use super::writer::Writer;
use navmap_core::digits;
use std::io::{self, Write};

/// Bytes of whole lines that go to the output at once.
const FULL: usize = 1 << 16;

/// Writes lines that are more than `few` bytes, and leaves none.
fn pass_on(lines: &mut Vec<u8>, few: usize, out: &mut impl Write) -> io::Result<()> {
    if lines.len() > few {
        out.write_all(lines)?;
        lines.clear();
    }
    Ok(())
}

/// Writes CSV as in RFC 4180: a header, lines that end in LF, quotes only if needed. A null is an empty field; a float is its
/// shortest text, or NaN, inf, -inf.
#[derive(Debug)]
pub struct CsvWriter<W> {
    out: W,
    lines: Vec<u8>,
    common: Vec<u8>,
}

impl<W: Write> CsvWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(table: &'static Table, mut out: W) -> io::Result<Self> {
        let names: Vec<&str> = table.all_columns().map(|column| column.name).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Self { out, lines: Vec::new(), common: Vec::new() })
    }
}

impl<W: Write + Send> Writer<W> for CsvWriter<W> {
    fn write(&mut self, mesh: &Mesh<'_>, batch: &mut Batch) -> io::Result<()> {
        self.common.clear();
        if batch.table().is_of_meshes() {
            csv_text(mesh.path, &mut self.common);
            self.common.push(b',');
            mesh.member.into_iter().for_each(|member| csv_text(member, &mut self.common));
            write!(self.common, ",{},", mesh.file)?;
        }
        for row in 0..batch.rows() {
            self.lines.extend_from_slice(&self.common);
            for (at, column) in batch.columns().iter().enumerate() {
                if at > 0 {
                    self.lines.push(b',');
                }
                csv_value(column.get(row), &mut self.lines);
            }
            self.lines.push(b'\n');
            pass_on(&mut self.lines, FULL, &mut self.out)?;
        }
        pass_on(&mut self.lines, 0, &mut self.out)
    }

    fn finish(self: Box<Self>) -> io::Result<W> {
        Ok(self.out)
    }
}

/// Writes a value as a field of CSV.
pub(crate) fn csv_value(value: Value<'_>, out: &mut Vec<u8>) {
    match value {
        Value::Null => {}
        Value::Bool(yes) => boolean(yes, out),
        Value::Int(number) => digits::whole(number, out),
        Value::Wide(number) => digits::whole(number, out),
        Value::F32(number) => digits::float(number, out),
        Value::Text(text) => csv_text(text, out),
        Value::Bytes(bytes) => hex(bytes, out),
        Value::Geometry(wkb) if Wkt(wkb).has_comma() => quoted(out, |out| Wkt(wkb).write(out)),
        Value::Geometry(wkb) => Wkt(wkb).write(out),
    }
}

/// Writes a text as a field of CSV. An empty text is quoted, to distinguish it from a null.
#[doc(hidden)]
pub fn csv_text(text: &str, out: &mut Vec<u8>) {
    if !text.is_empty() && !text.contains(['"', ',', '\n', '\r']) {
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

/// Writes one JSON object per line, with every column as a key. A float that is not finite is one of the texts `"NaN"`,
/// `"Infinity"`, `"-Infinity"`.
#[derive(Debug)]
pub struct JsonlWriter<W> {
    out: W,
    keys: Vec<String>,
    lines: Vec<u8>,
    common: Vec<u8>,
}

impl<W: Write> JsonlWriter<W> {
    /// Writes nothing yet.
    pub fn new(table: &'static Table, out: W) -> Self {
        let keys = table.columns.iter().map(|column| format!("\"{}\":", column.name)).collect();
        Self { out, keys, lines: Vec::new(), common: Vec::new() }
    }
}

impl<W: Write + Send> Writer<W> for JsonlWriter<W> {
    fn write(&mut self, mesh: &Mesh<'_>, batch: &mut Batch) -> io::Result<()> {
        self.common.clear();
        self.common.push(b'{');
        if batch.table().is_of_meshes() {
            self.common.extend_from_slice(b"\"path\":");
            json_text(mesh.path, &mut self.common)?;
            self.common.extend_from_slice(b",\"member\":");
            match mesh.member {
                Some(member) => json_text(member, &mut self.common)?,
                None => self.common.extend_from_slice(b"null"),
            }
            write!(self.common, ",\"file\":{},", mesh.file)?;
        }
        for row in 0..batch.rows() {
            self.lines.extend_from_slice(&self.common);
            for (at, (column, key)) in batch.columns().iter().zip(&self.keys).enumerate() {
                if at > 0 {
                    self.lines.push(b',');
                }
                self.lines.extend_from_slice(key.as_bytes());
                json_value(column.get(row), &mut self.lines)?;
            }
            self.lines.extend_from_slice(b"}\n");
            pass_on(&mut self.lines, FULL, &mut self.out)?;
        }
        pass_on(&mut self.lines, 0, &mut self.out)
    }

    fn finish(self: Box<Self>) -> io::Result<W> {
        Ok(self.out)
    }
}

/// Writes a value as JSON.
pub(crate) fn json_value(value: Value<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(yes) => boolean(yes, out),
        Value::Int(number) => digits::whole(number, out),
        Value::Wide(number) => digits::whole(number, out),
        Value::F32(number) if number.is_finite() => digits::float(number, out),
        Value::F32(number) => out.extend_from_slice(no_number(number.into()).as_bytes()),
        Value::Text(text) => json_text(text, out)?,
        Value::Bytes(bytes) => quoted(out, |out| hex(bytes, out)),
        Value::Geometry(wkb) => quoted(out, |out| Wkt(wkb).write(out)),
    }
    Ok(())
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
pub fn json_text(text: &str, out: &mut Vec<u8>) -> io::Result<()> {
    Ok(serde_json::to_writer(out, text)?)
}
