//! Recognises files, and implements the file view.

use super::codes::CODES;
use super::flags::Game;
use super::graph::WaypointGraph;
use super::layout::{Layout, is_known};
use super::record::{Authors, Header, name};
use super::view::{self, RcbotNav};
use super::{check, info};
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::Result;
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Counts, Finding};
use std::io;

/// The counts of a scan, in order.
const COUNTS: [&str; 3] = ["nodes", "links", "unused"];

fn summary(header: &Header, nodes: Option<usize>) -> Summary {
    let mut counts = Counts::default();
    if let Some(nodes) = nodes {
        counts.add("nodes", nodes as u64);
    }
    let game = Game::of_map(name(header.map())).map(Game::name);
    Summary { game, version: Some(header.version().cast_unsigned()), subversion: None, counts }
}

impl NavFile for RcbotNav<'_> {
    fn summary(&self) -> Summary {
        summary(self.header(), Some(self.len()))
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        let (mut nodes, mut links, mut unused) = (0_u64, 0_u64, 0_u64);
        for waypoint in self.waypoints() {
            nodes = nodes.saturating_add(1);
            links = links.saturating_add(waypoint.targets().len() as u64);
            unused = unused.saturating_add((!waypoint.is_used()).into());
        }
        COUNTS.iter().zip([nodes, links, unused]).for_each(|(name, count)| counts.add(name, count));
        check::file(self, found);
        check::errors(self, found);
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

impl<'a> NavFormat<'a> for RcbotNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        head.starts_with(&Header::MAGIC)
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        let mut cursor = Cursor::new(page, 0);
        let header = view::header(&mut cursor)?;
        let version = header.version();
        if Layout::for_version(version).authors {
            cursor.record::<Authors>("authors")?;
        }
        let known = is_known(version);
        let left = file_len.saturating_sub(cursor.offset());
        let nodes = if known { Some(view::claim(header, cursor.offset(), left)?) } else { None };
        Ok(summary(header, nodes))
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        WaypointGraph::new(self)
    }
}
