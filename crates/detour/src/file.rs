//! Recognises a file of Detour by its first bytes, and implements the file view.

use super::graph::DetourGraph;
use super::layout::{Dialect, Order, TILE_MAGIC};
use super::survey::{COUNTS, survey};
use super::view::{DetourNav, Head, magic, recognise};
use super::{check, info};
use navmap_core::Counts;
use navmap_core::Finding;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use std::io;

/// Reads the first page of a file: its dialect's version, that of the first tile, and the claimed number of tiles.
///
/// # Errors
/// Those of [`DetourNav::parse`] that show in the page.
pub fn head(page: &[u8], _file_len: u64) -> Result<Summary> {
    if let Some((_, Order::Big)) = magic(page) {
        let mut start: Vec<u8> = page.iter().copied().take(128).collect();
        start.chunks_exact_mut(4).for_each(<[u8]>::reverse);
        return Head::parse(&start).map(|head| summary(&head, &start));
    }
    Head::parse(page).map(|head| summary(&head, page))
}

fn summary(head: &Head, bytes: &[u8]) -> Summary {
    let mut counts = Counts::default();
    let known = match head.dialect {
        Dialect::Tile => head.version.is_some_and(|version| super::Layout::for_version(version).is_some()),
        Dialect::Unity => false,
        _ => !head.experimental,
    };
    if known {
        counts.add("tiles", head.count.into());
    }
    let at = head.start.saturating_add(head.stride);
    let tile = bytes.get(at..).filter(|rest| rest.starts_with(&TILE_MAGIC) && head.dialect != Dialect::Tile);
    let version = tile.and_then(|tile| tile.get(4..)).and_then(<[u8]>::first_chunk::<4>);
    let subversion = version.map(|word| u32::from_le_bytes(*word));
    Summary { game: head.dialect.game(), version: head.version, subversion, counts }
}

impl NavFile for DetourNav<'_> {
    fn summary(&self) -> Summary {
        summary(&self.head, self.bytes())
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        survey(self, counts, found)
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        survey(self, &mut Counts::default(), found)?;
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

impl<'a> NavFormat<'a> for DetourNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [navmap_core::Code] = super::codes::CODES;

    fn recognise(head: &[u8]) -> bool {
        recognise(head)
    }

    fn may_be(head: &[u8]) -> bool {
        super::view::may_be(head)
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        self::head(page, file_len)
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        DetourGraph::of_file(self)
    }
}
