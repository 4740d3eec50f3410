//! `navmap list`: the members of an archive.

#![forbid(unsafe_code)]

use super::args::{self, Lines};
use super::out::{Out, say};
use super::{Exit, Failure, plan};
use crate::archive::{
    Archive, Chosen, Kind, Member, Meter, PartFiles, Promise, Source, Space, Unpacker, Walker,
};
use crate::bytes::Backing;
use crate::error::{Error, Result};
use crate::format;
use crate::limits::Limits;
use crate::text::{Grouped, printable};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// An archive that was named, open.
pub(super) struct Opened {
    backing: Backing<'static>,
    kind: Kind,
    parts: PartFiles,
    name: Vec<u8>,
    pub(super) limits: Limits,
}

impl Opened {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let unknown = || Error::invalid("archive", "is of no kind that is read here").in_file(path);
        Self::open_if_archive(path)?.ok_or_else(unknown)
    }

    /// `None` for a file that is no archive.
    pub(super) fn open_if_archive(path: &Path) -> Result<Option<Self>> {
        let opener = plan::guarded();
        let backing = opener.open(path)?;
        let Some(kind) = Kind::sniff(&backing) else { return Ok(None) };
        let name = path.file_name().unwrap_or_default().as_encoded_bytes().to_vec();
        Ok(Some(Self { backing, kind, parts: PartFiles::beside(path, opener), name, limits: opener.limits }))
    }

    pub(super) fn source(&self) -> Source<'_> {
        let parts = (self.kind == Kind::Vpk).then_some(&self.parts as _);
        Source { bytes: &self.backing, parts }
    }

    pub(super) fn archive(&self) -> Result<Archive<'_>> {
        Archive::open(self.source(), self.kind, &self.name)
    }

    pub(super) fn meter(&self) -> Meter {
        Meter::new(&self.limits, self.backing.len() as u64)
    }

    /// Whether every byte read was the file's.
    pub(super) fn intact(&self) -> Result<()> {
        self.backing.intact().and_then(|()| self.parts.intact())
    }
}

/// How archives are walked for a person.
pub(super) fn walker(deep: bool) -> Walker<'static> {
    let recognise: &'static crate::archive::Recognise = &|head| format::Kind::sniff(head, None).is_some();
    Walker { deep: deep.then_some(recognise), heads: false }
}

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
    let opened = Opened::open(path)?;
    let mut list =
        List { out: Out::new(), format: typed.format, failed: false, printed: Ok(()), begun: false };
    let archive = opened.archive().map_err(|error| error.in_file(path))?;
    let walker = walker(typed.archive.deep);
    let meter = opened.meter();
    if typed.meshes {
        let mut visit = |found: crate::archive::Found<'_>| {
            let name = printable(found.path);
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
        let _ = walker.archive(&archive, &mut Vec::new(), &meter, &mut Space::new(), &mut visit);
    } else if archive.is_sequential() {
        // Wanting nothing lists without reading; the listing is printed by the question.
        let mut flow = ControlFlow::Continue(());
        let mut wanted = |member: &Member<'_>| {
            flow = list.member(member, &walker);
            flow.is_break()
        };
        let mut visit = |_: Chosen<'_>| ControlFlow::Break(());
        if let Err(error) = archive.each(&meter, &mut Unpacker::new(), &mut wanted, &mut visit) {
            let _ = list.error(&error, path, "");
        }
    } else {
        for member in archive.members(&opened.limits) {
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
}

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
                    writeln!(self.out, "{:>15}{:>15}  {:<10}{:<6}NAME", "SIZE", "PACKED", "METHOD", "PART")?;
                }
                let packed = row.packed.map(|packed| Grouped(packed).to_string()).unwrap_or_default();
                let method = row.method.as_deref().unwrap_or_default();
                let part = row.part.map(|part| format!("{part:03}")).unwrap_or_default();
                writeln!(
                    self.out,
                    "{:>15}{packed:>15}  {method:<10}{part:<6}{}",
                    Grouped(row.bytes),
                    row.member
                )?;
            }
        }
        self.out.end_row()
    }

    fn error(&mut self, error: &Error, path: &Path, member: &str) -> ControlFlow<()> {
        self.failed = true;
        report(error, path, member);
        ControlFlow::Continue(())
    }
}

/// Says on stderr what could not be read.
pub(super) fn report(error: &Error, path: &Path, member: &str) {
    let gap = if member.is_empty() { "" } else { "!" };
    say(format_args!("navmap: {}{gap}{member}: {}", path.display(), error.without_file()));
}
