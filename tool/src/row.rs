//! Prints one outcome as a row: JSON, CSV, or columns for a person.

use super::args::Rows;
use super::columns::{Columns, end_of, fitted};
use super::graphrow::{self, GraphRow};
use super::out::{Out, Painter, Tone};
use navmap::Counts;
use navmap::format::Kind;
use navmap::graph::{Stats, Units};
use navmap::scan::{Outcome, Status, path_text};
use navmap::text::{Grouped, Size, printable};
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// The names of all counts of all families, in the order of the columns of a CSV file.
fn counts() -> Vec<&'static str> {
    let mut names = Kind::all_counts();
    names.extend(Stats::COUNTS);
    names
}

/// A row as scripts see it. The names are a contract.
#[derive(Debug, Serialize)]
pub(super) struct Row<'o> {
    path: String,
    member: Option<String>,
    family: Option<&'static str>,
    form: Option<&'static str>,
    game: Option<&'static str>,
    version: Option<u32>,
    subversion: Option<u32>,
    bytes: u64,
    status: &'static str,
    message: Option<String>,
    findings: u64,
    #[serde(serialize_with = "serialize_counts")]
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<GraphRow<'o>>,
}

fn serialize_counts<S: Serializer>(counts: &Counts, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter())
}

impl<'o> Row<'o> {
    pub(super) fn new(outcome: &'o Outcome, strict: bool) -> Self {
        let summary = outcome.summary.as_ref();
        let status = match outcome.status() {
            Status::Warning if strict => Status::Error,
            status => status,
        };
        Self {
            path: path_text(&outcome.path).into_owned(),
            member: outcome.member.clone(),
            family: outcome.kind.map(|kind| kind.family().name()),
            form: summary.and(outcome.kind).map(Kind::form),
            game: summary.and_then(|s| s.game),
            version: summary.and_then(|s| s.version),
            subversion: summary.and_then(|s| s.subversion),
            bytes: outcome.bytes,
            status: status.name(),
            message: outcome.message(),
            findings: outcome.counted,
            counts: summary.map_or_else(Counts::default, |s| s.counts),
            graph: outcome.graph.as_deref().map(GraphRow),
        }
    }
}

/// The form of a row.
#[derive(Clone)]
pub(super) struct Form {
    format: Rows,
    /// Whether rows go to a terminal.
    terminal: bool,
    /// Whether graphs were requested.
    graph: bool,
    /// The columns of counts.
    counts: Vec<&'static str>,
    /// The columns of a table.
    columns: Columns,
    painter: Painter,
}

/// Prints rows in one of the formats.
pub(super) struct Printer {
    out: Out,
    form: Form,
    begun: bool,
}

impl Printer {
    pub(super) fn new(out: Out, format: Rows, graph: Option<Units>) -> Self {
        let mut out = out.json(format == Rows::Jsonl);
        let terminal = out.is_terminal();
        let (columns, painter) = (Columns::new(out.width(), graph), out.painter());
        let graph = graph.is_some();
        Self { out, form: Form { format, terminal, graph, counts: counts(), columns, painter }, begun: false }
    }

    pub(super) fn form(&self) -> Form {
        self.form.clone()
    }

    /// Prints a row that [`Form::format`] made.
    pub(super) fn print(&mut self, row: &[u8]) -> io::Result<()> {
        if !std::mem::replace(&mut self.begun, true) {
            match self.form.format {
                Rows::Jsonl => {}
                Rows::Csv => self.csv_header()?,
                Rows::Table => {
                    let head = self.form.table_head();
                    writeln!(self.out, "{head}")?;
                }
            }
        }
        self.out.write_all(row)?;
        self.out.end_row()
    }

    /// Prints what a format needs even without rows, and flushes.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if !self.begun && self.form.format == Rows::Csv {
            self.csv_header()?;
        }
        self.out.flush()
    }

    fn csv_header(&mut self) -> io::Result<()> {
        let fixed = [
            "path",
            "member",
            "family",
            "form",
            "game",
            "version",
            "subversion",
            "bytes",
            "status",
            "message",
            "findings",
        ];
        let mut csv = csv::Writer::from_writer(&mut self.out);
        let graph = if self.form.graph { &graphrow::COLUMNS[..] } else { &[] };
        csv.write_record(fixed.iter().chain(&self.form.counts).chain(graph))?;
        csv.flush()
    }
}

impl Form {
    /// A row as it is printed, including its end of line.
    pub(super) fn format(&self, row: &Row<'_>) -> io::Result<Vec<u8>> {
        let mut out = Vec::with_capacity(512);
        match self.format {
            Rows::Jsonl => {
                serde_json::to_writer(&mut out, row)?;
                out.push(b'\n');
            }
            Rows::Csv => self.csv(row, &mut out)?,
            Rows::Table => self.table(row, &mut out)?,
        }
        Ok(out)
    }

    fn csv(&self, row: &Row<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let number = |value: Option<u32>| value.map(|v| v.to_string()).unwrap_or_default();
        // A file gets the names as they are stored. On a terminal, control characters are escaped.
        let text = |text: &str| if self.terminal { printable(text.as_bytes()) } else { text.to_owned() };
        let mut csv = csv::WriterBuilder::new().buffer_capacity(512).from_writer(out);
        for field in [&*row.path, row.member.as_deref().unwrap_or_default()] {
            csv.write_field(text(field))?;
        }
        for field in [row.family, row.form, row.game] {
            csv.write_field(field.unwrap_or_default())?;
        }
        csv.write_field(number(row.version))?;
        csv.write_field(number(row.subversion))?;
        csv.write_field(row.bytes.to_string())?;
        csv.write_field(row.status)?;
        csv.write_field(text(row.message.as_deref().unwrap_or_default()))?;
        csv.write_field(row.findings.to_string())?;
        for name in &self.counts {
            csv.write_field(row.counts.get(name).map(|n| n.to_string()).unwrap_or_default())?;
        }
        if self.graph {
            GraphRow::fields(row.graph).iter().try_for_each(|field| csv.write_field(field))?;
        }
        csv.write_record(None::<&[u8]>)?;
        csv.flush()
    }

    fn table_head(&self) -> String {
        let Columns { game: wide, numbers, contents, graph, .. } = self.columns;
        let contents = match graph {
            Some(shown) => GraphRow::head(&shown),
            None => format!("  {:<contents$}", "CONTENTS"),
        };
        let (status, game, version, size) = ("STATUS", "GAME", "VERSION", "SIZE");
        let numbers = if numbers { format!("{version:>10}{size:>10}") } else { String::new() };
        format!("{status:<8}{game:<wide$}{numbers}{contents}  PATH")
    }

    fn table(&self, row: &Row<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let Columns { game: wide, numbers, contents: most, graph, path } = self.columns;
        let version = match (row.version, row.subversion) {
            (Some(version), Some(sub)) => format!("{version}.{sub}"),
            (Some(version), None) => version.to_string(),
            _ => "-".to_owned(),
        };
        let game = row.game.or(row.family).unwrap_or("-");
        // Only a terminal is narrow. Elsewhere a long name takes from the blanks behind it.
        let game = if path.is_some() { fitted(game, wide) } else { game.to_owned() };
        let long = game.chars().count().saturating_sub(wide);
        let size = Size(row.bytes).to_string();
        let contents = match graph {
            Some(shown) => GraphRow::columns(row.graph, &shown),
            None => format!("  {:<most$}", contents(&row.counts, most)),
        };
        let (left, blank) = (10_usize.saturating_sub(long), if long > 0 { " " } else { "" });
        let version = format!("{blank}{version:>0$}", left.saturating_sub(blank.len()));
        let numbers = if numbers { format!("{version}{size:>10}") } else { String::new() };
        let tone = match row.status {
            "error" => Tone::Error,
            "warning" => Tone::Warning,
            _ => Tone::Plain,
        };
        let status = self.painter.paint(tone, &format!("{:<8}", row.status));
        let mut name = printable(row.path.as_bytes());
        if let Some(member) = &row.member {
            name.push('!');
            name.push_str(&printable(member.as_bytes()));
        }
        match (&row.message, path) {
            // A reader of the message needs the whole path, so nothing of it is cut.
            (Some(message), _) => name.push_str(&format!(": {}", printable(message.as_bytes()))),
            (None, Some(width)) => name = end_of(&name, width),
            (None, None) => {}
        }
        writeln!(out, "{status}{game:<wide$}{numbers}{contents}  {name}")
    }
}

/// The first counts that are not zero, as many as fit: `1,472 areas, 1 ladder`.
pub(super) fn contents(counts: &Counts, width: usize) -> String {
    let mut text = String::new();
    for (name, count) in counts.iter().filter(|(_, count)| *count > 0) {
        let one = format!("{} {}", Grouped(count), noun(name, count));
        if !text.is_empty() && text.len() + 2 + one.len() > width {
            break;
        }
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&one);
    }
    if text.is_empty() { "-".to_owned() } else { fitted(&text, width) }
}

/// A count's name for a person: `hiding_spots` becomes `hiding spots`, or `hiding spot` for one.
fn noun(name: &str, count: u64) -> String {
    let said = if count == 1 { singular(name) } else { name.to_owned() };
    said.replace('_', " ").replace("navm ", "NAVM ")
}

/// `vertex` of `vertices`, `navmesh` of `navmeshes`, `reachability` of `reachabilities`, `area` of `areas`.
fn singular(plural: &str) -> String {
    let endings = [("ices", "ex"), ("ies", "y"), ("shes", "sh"), ("s", "")];
    let stem = endings.iter().find_map(|(many, one)| Some(format!("{}{one}", plural.strip_suffix(many)?)));
    stem.unwrap_or_else(|| plural.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_said_in_plain_words_and_fit() {
        let mut counts = Counts::zeros(&["areas", "ladders", "hiding_spots"]);
        assert_eq!(contents(&counts, 40), "-");
        counts.add("areas", 1);
        counts.add("hiding_spots", 12_345);
        assert_eq!(contents(&counts, 40), "1 area, 12,345 hiding spots");
        assert_eq!((noun("vertices", 1), noun("navm_records", 2)), ("vertex".into(), "NAVM records".into()));
        assert_eq!(contents(&counts, 20), "1 area");
    }
}
