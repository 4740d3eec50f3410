//! The file view of a Source 2 mesh, and what its first page tells.

use super::graph::Source2Graph;
use super::view::Source2Nav;
use super::{check, info};
use crate::codes::CODES;
use crate::header::is_source_2;
use crate::survey::{COUNTS, Tally};
use navmap_core::Counts;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::format::{LadderRecords, NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Finding};
use std::io;

impl NavFile for Source2Nav<'_> {
    fn summary(&self) -> Summary {
        self.summarize()
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        let mut tally = Tally::default();
        let after = self.tally(&mut tally);
        tally.add_to(counts);
        self.remark(&after?, found);
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::check(self, found)
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

    fn ladders(&self, each: &mut dyn LadderRecords) -> Result<()> {
        self.ladder_records(each)
    }
}

impl<'a> NavFormat<'a> for Source2Nav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        is_source_2(head)
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        crate::head(page, file_len)
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        Source2Graph::new(self)
    }
}
