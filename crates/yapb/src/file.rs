//! Recognises both forms of file, and implements the file views.

use super::codes::CODES;
use super::graph::WaypointGraph;
use super::pwf::{self, PwfNav};
use super::record::{GAME, Header, PwfHeader};
use super::view::{self, YapbNav};
use super::{check, info};
use navmap_core::Counts;
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Finding};
use std::io;

/// The counts of a scan, in order.
const COUNTS: [&str; 3] = ["nodes", "links", "jumps"];

fn summary(version: i32, nodes: Option<usize>) -> Summary {
    let mut counts = Counts::default();
    if let Some(nodes) = nodes {
        counts.add("nodes", nodes as u64);
    }
    Summary { game: Some(GAME), version: Some(version.cast_unsigned()), subversion: None, counts }
}

#[cold]
fn truncated(what: &'static str, needed: u64, left: u64) -> Error {
    Error::new(ErrorKind::Truncated { what, needed, left })
}

fn count(nodes: super::Nodes<'_>, counts: &mut Counts) {
    let (links, jumps) = nodes.links();
    COUNTS.iter().zip([nodes.len() as u64, links, jumps]).for_each(|(name, n)| counts.add(name, n));
}

impl NavFile for YapbNav<'_> {
    fn summary(&self) -> Summary {
        summary(self.version(), Some(self.nodes().len()))
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        count(self.waypoints(), counts);
        check::graph_file(self, found);
        check::errors(self.waypoints(), found);
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::graph_file(self, found);
        check::check(self.waypoints(), found);
        Ok(())
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::graph(self, out)
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for YapbNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        view::is_container(head)
            && match head.first_chunk::<12>() {
                Some([.., options, _, _, _]) => options & 8 != 0,
                None => true,
            }
    }

    /// Also true for containers without a graph.
    fn may_be(head: &[u8]) -> bool {
        view::is_container(head)
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        let mut cursor = Cursor::new(page, 0);
        let (header, sizes) = view::header(&mut cursor)?;
        let left = file_len.saturating_sub(size_of::<Header>() as u64);
        if sizes.packed as u64 > left {
            return Err(truncated("packed nodes", sizes.packed as u64, left).at(cursor.offset()));
        }
        Ok(summary(header.version(), view::is_known(header).then_some(sizes.nodes)))
    }

    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self> {
        Self::parse(bytes, &options.limits)
    }

    fn graph(&self) -> impl NavGraph {
        WaypointGraph(self.waypoints())
    }
}

impl NavFile for PwfNav<'_> {
    fn summary(&self) -> Summary {
        summary(self.version(), Some(self.waypoints().len()))
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        count(self.waypoints(), counts);
        check::pwf_file(self, found);
        check::errors(self.waypoints(), found);
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::pwf_file(self, found);
        check::check(self.waypoints(), found);
        Ok(())
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::pwf(self, out)
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for PwfNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        head.starts_with(&PwfHeader::MAGIC)
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        let mut cursor = Cursor::new(page, 0);
        let (header, nodes) = pwf::header(&mut cursor)?;
        let left = file_len.saturating_sub(cursor.offset());
        let known = pwf::is_known(header.version());
        let needed = pwf::len_of(header.version()).saturating_mul(nodes as u64);
        if known && needed > left {
            return Err(truncated("nodes", needed, left).at(cursor.offset()));
        }
        Ok(summary(header.version(), known.then_some(nodes)))
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        WaypointGraph(self.waypoints())
    }
}
