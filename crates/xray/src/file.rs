//! Recognises files, and implements the file view.

use super::codes::CODES;
use super::graph::GridGraph;
use super::layout::is_known;
use super::record::Header;
use super::view::{self, XrayNav};
use super::{check, info};
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::Result;
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Counts, Finding};
use std::io;

/// The counts of a scan, in order.
const COUNTS: [&str; 2] = ["nodes", "links"];

fn game(version: u32) -> Option<&'static str> {
    match version {
        8 | 9 => Some("S.T.A.L.K.E.R.: Shadow of Chernobyl"),
        10 => Some("S.T.A.L.K.E.R.: Clear Sky, Call of Pripyat"),
        11..=13 => Some("S.T.A.L.K.E.R. (engines of modders)"),
        _ => None,
    }
}

fn summary(header: &Header, nodes: Option<usize>) -> Summary {
    let mut counts = Counts::default();
    if let Some(nodes) = nodes {
        counts.add("nodes", nodes as u64);
    }
    let version = header.version();
    Summary { game: game(version), version: Some(version), subversion: None, counts }
}

impl NavFile for XrayNav<'_> {
    fn summary(&self) -> Summary {
        summary(self.header(), Some(self.nodes().len()))
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::file(self, found);
        let links = check::links(self, found);
        COUNTS
            .iter()
            .zip([self.nodes().len() as u64, links])
            .for_each(|(name, count)| counts.add(name, count));
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::file(self, found);
        check::check(self, found);
        Ok(())
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::info(self, out)
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for XrayNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    /// There is no magic: the version, the numbers of the grid, and the order of the nodes in the page have to fit.
    fn recognise(head: &[u8]) -> bool {
        view::recognise(head)
    }

    fn may_be(head: &[u8]) -> bool {
        view::may_be(head)
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        let mut cursor = Cursor::new(page, 0);
        let header = view::header(&mut cursor)?;
        let left = file_len.saturating_sub(cursor.offset());
        let nodes = if is_known(header.version()) { Some(view::claim(header, left)?) } else { None };
        Ok(summary(header, nodes))
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        GridGraph(*self)
    }
}
