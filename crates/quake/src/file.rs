//! Recognises a file of Quake by its first bytes, and implements the file view.

use super::codes::CODES;
use super::layout::{Layout, Magic};
use super::view::{COUNTS, QuakeNav, header, summary};
use super::{check, info};
use navmap_core::Counts;
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Finding};
use std::io;

/// Whether a file that begins with these bytes is one of Quake's binary graphs, even if it is unreadable.
pub fn recognise(head: &[u8]) -> bool {
    Magic::sniff(head).is_some()
}

/// Reads the first bytes of a file and checks them against the file's length. 24 bytes are enough.
///
/// The number of edicts is stored after the arrays, so it is computed from the length instead. If the layout of the version is
/// unknown, there are no counts.
///
/// # Errors
/// Those of [`QuakeNav::parse`] that show in the header and the length.
pub fn head(page: &[u8], file_len: u64) -> Result<Summary> {
    let (header, version) = header(&mut Cursor::new(page, 0))?;
    let mut counts = Counts::default();
    let Some(layout) = version.layout() else { return Ok(summary(version, counts)) };
    counts.add("nodes", header.nodes().into());
    counts.add("links", header.links().into());
    counts.add("traversals", header.traversals().into());
    let offsets = |layout: Layout| layout.offsets(header.nodes(), header.links(), header.traversals());
    let edicts = |layout: Layout| {
        let left = file_len.checked_sub(offsets(layout).edicts)?;
        (left.checked_rem(layout.edict_len()) == Some(0)).then(|| left.checked_div(layout.edict_len()))?
    };
    let Some(edicts) = version.candidates().find_map(edicts) else {
        let at = offsets(layout);
        let left = file_len.saturating_sub(at.nodes);
        let needed = at.edicts.saturating_sub(at.nodes);
        return Err(match left.checked_sub(needed) {
            None => Error::new(ErrorKind::Truncated { what: "arrays", needed, left }).at(at.nodes),
            Some(left) => {
                Error::invalid("edicts", format!("{left} bytes are no whole number of them")).at(at.edicts)
            }
        });
    };
    counts.add("edicts", edicts);
    Ok(summary(version, counts))
}

impl NavFile for QuakeNav<'_> {
    fn summary(&self) -> Summary {
        self.describe()
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        self.counts().iter().for_each(|(name, count)| counts.add(name, count));
        check::in_passing(self, found);
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::check(self, found);
        Ok(())
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::print(self, out)
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for QuakeNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        recognise(head)
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        self::head(page, file_len)
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        self
    }
}
