//! `navmap list`: lists the members of an archive.

use super::args::{self, Lines};
use super::out::{Out, complain};
use super::{Exit, Failure, plan};
use navmap::archive::{Buffers, Chosen, Member, Promise, Unpacker, Walker};
use navmap::error::{Error, Result};
use navmap::format;
use navmap::open::{open_archive, walker};
use navmap::text::{Grouped, escaped, path_text};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// A member as scripts see it.
#[derive(Debug, Serialize)]
struct Row<'a> {
    member: &'a str,
    bytes: u64,
    packed: Option<u64>,
    method: Option<String>,
    part: Option<u16>,
    wanted: bool,
}

pub(super) fn run(typed: &args::List) -> Result<Exit, Failure> {
    let path = &typed.archive.path;
    let options = plan::guarded(&typed.archive.limits);
    let opened = match open_archive(path, &options) {
        Ok(opened) => opened,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    let out = Out::new().json(typed.format == Lines::Jsonl);
    let columns = columns(out.width());
    let mut list = List { out, format: typed.format, failed: false, printed: Ok(()), begun: false, columns };
    let archive = match opened.archive() {
        Ok(archive) => archive,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    let walker = walker(typed.archive.deep);
    let meter = opened.meter();
    if typed.meshes {
        let mut visit = |found: navmap::archive::Found<'_>| {
            let name = escaped(found.path);
            match found.bytes {
                Ok(bytes) if format::Kind::sniff(bytes, Some(Path::new(&name))).is_some() => list.row(&Row {
                    member: &name,
                    bytes: found.len,
                    packed: None,
                    method: None,
                    part: None,
                    wanted: true,
                }),
                Ok(_) => ControlFlow::Continue(()),
                Err(error) => list.error(&error, path, &name),
            }
        };
        let _ = walker.archive(&archive, &mut Vec::new(), meter, &mut Buffers::new(), &mut visit);
    } else if archive.is_sequential() {
        // Rejecting every member lists without reading. The closure that is called for each member prints it.
        let mut flow = ControlFlow::Continue(());
        let mut wanted = |member: &Member<'_>| {
            flow = list.member(member, &walker);
            flow.is_break()
        };
        let mut visit = |_: Chosen<'_>| ControlFlow::Break(());
        if let Err(error) = archive.each(meter, &mut Unpacker::new(), &mut wanted, &mut visit) {
            let _ = list.error(&error, path, "");
        }
    } else {
        for member in archive.members(&options.limits) {
            let flow = match member {
                Ok(member) => list.member(&member, &walker),
                Err(error) => list.error(&error, path, ""),
            };
            if flow.is_break() {
                break;
            }
        }
    }
    if let Err(error) = opened.intact() {
        let _ = list.error(&error, path, "");
    }
    list.printed?;
    list.out.flush()?;
    Ok(if list.failed { Exit::Findings } else { Exit::Clean })
}

struct List {
    out: Out,
    format: Lines,
    failed: bool,
    printed: io::Result<()>,
    begun: bool,
    /// Whether packed size, and whether method and part, are columns. A narrow terminal needs the space for names.
    columns: [bool; 2],
}

/// The least width of a name beside other columns.
const LEAST_NAME: usize = 32;

impl List {
    fn member(&mut self, member: &Member<'_>, walker: &Walker<'_>) -> ControlFlow<()> {
        let Member { name, entry } = *member;
        self.row(&Row {
            member: &name.to_string(),
            bytes: entry.size(),
            packed: Some(entry.packed_size()),
            method: Some(entry.method().to_string()),
            part: entry.part(),
            wanted: walker.deep.is_some() || name.promise() != Promise::Nothing,
        })
    }

    fn row(&mut self, row: &Row<'_>) -> ControlFlow<()> {
        self.printed = self.print(row);
        if self.printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn print(&mut self, row: &Row<'_>) -> io::Result<()> {
        let first = !std::mem::replace(&mut self.begun, true);
        match self.format {
            Lines::Jsonl => {
                serde_json::to_writer(&mut self.out, row)?;
                writeln!(self.out)?;
            }
            Lines::Text => {
                if first {
                    let head = self.line("SIZE", "PACKED", ["METHOD", "PART"], "NAME");
                    writeln!(self.out, "{head}")?;
                }
                let packed = row.packed.map(|packed| Grouped(packed).to_string()).unwrap_or_default();
                let part = row.part.map(|part| format!("{part:03}")).unwrap_or_default();
                let how = [row.method.as_deref().unwrap_or_default(), &part];
                let line = self.line(&Grouped(row.bytes).to_string(), &packed, how, row.member);
                writeln!(self.out, "{line}")?;
            }
        }
        self.out.end_row()
    }

    fn line(&self, size: &str, packed: &str, [method, part]: [&str; 2], name: &str) -> String {
        let packed = if self.columns[0] { format!("{packed:>15}") } else { String::new() };
        let how = if self.columns[1] { format!("{method:<10}{part:<6}") } else { String::new() };
        format!("{size:>15}{packed}  {how}{name}")
    }

    fn error(&mut self, error: &Error, path: &Path, member: &str) -> ControlFlow<()> {
        self.failed = true;
        report(error, path, member);
        ControlFlow::Continue(())
    }
}

/// The columns that leave space for a name.
fn columns(width: Option<usize>) -> [bool; 2] {
    let room = width.map_or(usize::MAX, |width| width.saturating_sub(15 + 2 + LEAST_NAME));
    [room >= 15 + 16, room >= 16]
}

/// Reports an unreadable member on stderr.
pub(super) fn report(error: &Error, path: &Path, member: &str) {
    let gap = if member.is_empty() { "" } else { "!" };
    complain(format_args!("navmap: {}{gap}{member}: {}", path_text(path), error.without_file()));
}
