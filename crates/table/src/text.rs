//! Tables as text: CSV and JSON lines.

use super::batch::Batch;
use super::lines::{Form, csv_row, csv_text, json_row, json_text, keys};
use super::mesh::Mesh;
use super::schema::Table;
use super::told::Told;
use super::writer::Writer;
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
    told: Told,
}

impl<W: Write> CsvWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(table: &'static Table, mut out: W) -> io::Result<Self> {
        let names: Vec<&str> = table.all_columns().map(|column| column.name).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Self { out, lines: Vec::new(), common: Vec::new(), told: Told::default() })
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
        let made = batch.lines(Form::Csv);
        for row in 0..batch.rows() {
            self.lines.extend_from_slice(&self.common);
            match made {
                Some(made) => self.lines.extend_from_slice(made.row(row)),
                None => csv_row(batch.columns(), row, &mut self.told, &mut self.lines),
            }
            pass_on(&mut self.lines, FULL, &mut self.out)?;
        }
        pass_on(&mut self.lines, 0, &mut self.out)
    }

    fn finish(self: Box<Self>) -> io::Result<W> {
        Ok(self.out)
    }
}

/// Writes one JSON object per line, with every column as a key. A float that is not finite is one of the texts `"NaN"`,
/// `"Infinity"`, `"-Infinity"`.
#[derive(Debug)]
pub struct JsonlWriter<W> {
    out: W,
    keys: Vec<String>,
    lines: Vec<u8>,
    common: Vec<u8>,
    told: Told,
}

impl<W: Write> JsonlWriter<W> {
    /// Writes nothing yet.
    pub fn new(table: &'static Table, out: W) -> Self {
        Self {
            out,
            keys: keys(table.columns.iter().map(|column| column.name)),
            lines: Vec::new(),
            common: Vec::new(),
            told: Told::default(),
        }
    }
}

impl<W: Write + Send> Writer<W> for JsonlWriter<W> {
    fn write(&mut self, mesh: &Mesh<'_>, batch: &mut Batch) -> io::Result<()> {
        self.common.clear();
        self.common.push(b'{');
        if batch.table().is_of_meshes() {
            self.common.extend_from_slice(b"\"path\":");
            json_text(mesh.path, &mut self.common);
            self.common.extend_from_slice(b",\"member\":");
            match mesh.member {
                Some(member) => json_text(member, &mut self.common),
                None => self.common.extend_from_slice(b"null"),
            }
            write!(self.common, ",\"file\":{},", mesh.file)?;
        }
        let made = batch.lines(Form::Jsonl);
        for row in 0..batch.rows() {
            self.lines.extend_from_slice(&self.common);
            match made {
                Some(made) => self.lines.extend_from_slice(made.row(row)),
                None => json_row(batch.columns(), &self.keys, row, &mut self.told, &mut self.lines),
            }
            pass_on(&mut self.lines, FULL, &mut self.out)?;
        }
        pass_on(&mut self.lines, 0, &mut self.out)
    }

    fn finish(self: Box<Self>) -> io::Result<W> {
        Ok(self.out)
    }
}
