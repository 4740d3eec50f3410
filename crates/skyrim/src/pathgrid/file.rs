//! Recognises plugins of Morrowind and Oblivion, and implements the file view.

use super::check::{self, COUNTS};
use super::graph::GridGraph;
use super::info;
use super::view::{GridGame, GridPlugin, header};
use crate::codes::CODES;
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary, not_mesh};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Counts, Finding};
use std::io;

fn summary(game: GridGame) -> Summary {
    // The container has a version, but it is no whole number, and several have the same layout.
    Summary { game: Some(game.name()), version: None, subversion: None, counts: Counts::default() }
}

impl NavFile for GridPlugin<'_> {
    fn summary(&self) -> Summary {
        summary(self.game())
    }

    fn survey(
        &self,
        scratch: &mut Scratch,
        counts: &mut Counts,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()> {
        check::survey(self, scratch, counts, found)
    }

    /// As in the trait, except that a damaged record does not end the check: it is a finding, and the rest is checked.
    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::check(self, scratch, found);
        Ok(())
    }

    fn info(&self, scratch: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::info(self, scratch, out)
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for GridPlugin<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        GridGame::of(head).is_some()
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        let game = GridGame::of(page).ok_or_else(|| not_mesh(page).at(0))?;
        // The file header may be longer than the page. Its own head and HEDR are enough.
        let size =
            page.get(4..8).and_then(|size| size.first_chunk()).map_or(0, |size| u32::from_le_bytes(*size));
        let needed = u64::from(size).saturating_add(game.record_head() as u64);
        if needed > file_len {
            let kind = ErrorKind::Truncated { what: "file header", needed, left: file_len };
            return Err(Error::new(kind).at(0));
        }
        header(&mut Cursor::new(page, 0), false).map(|(game, ..)| summary(game))
    }

    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self> {
        Self::parse(bytes, &options.limits)
    }

    fn graph(&self) -> impl NavGraph {
        GridGraph::new(self)
    }
}
