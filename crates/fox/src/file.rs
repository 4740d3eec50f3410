//! Recognises a `.nav2` file by its first bytes, and implements the file view.

use super::codes::CODES;
use super::graph::FoxGraph;
use super::survey::COUNTS;
use super::view::{FoxNav, OLDER_VERSION, VERSION, read_header};
use super::{check, info, survey};
use navmap_core::Counts;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Finding};
use std::io;

/// Whether a file that begins with these bytes is a Fox Engine `.nav2` file. Its version word must be one of the two known ones.
pub fn recognise(head: &[u8]) -> bool {
    let version = head.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
    matches!(version, Some(VERSION | OLDER_VERSION))
}

/// Reads the first page of a file: the version, and the number of groups claimed by the manifest (0 if the manifest lies beyond
/// the page, which was never seen).
///
/// # Errors
/// [`NotMesh`](ErrorKind::NotMesh) for other bytes, [`Truncated`](ErrorKind::Truncated) if the page is shorter than the
/// header, or the file shorter than it states.
pub fn head(page: &[u8], file_len: u64) -> Result<Summary> {
    let header = read_header(page)?;
    let needed = u64::from(header.file_size());
    if needed > file_len {
        return Err(Error::new(ErrorKind::Truncated { what: "file", needed, left: file_len }).at(4));
    }
    let count =
        usize::try_from(header.manifest_offset()).ok().and_then(|at| page.get(at..)?.first_chunk::<4>());
    Ok(summary(header.version(), count.map_or(0, |word| u32::from_le_bytes(*word))))
}

/// The facts known before any walk.
fn summary(version: u32, groups: u32) -> Summary {
    let mut counts = Counts::default();
    counts.add("groups", u64::from(groups));
    let game = (version == VERSION).then_some("Metal Gear Solid V/Survive");
    Summary { game, version: Some(version), subversion: None, counts }
}

impl NavFile for FoxNav<'_> {
    fn summary(&self) -> Summary {
        summary(self.header().version(), self.group_count())
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        survey::survey(*self, counts, found)
    }

    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        self.survey(scratch, &mut Counts::default(), found)?;
        check::check(*self, found)
    }

    fn info(&self, _scratch: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::info(*self, out)
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for FoxNav<'a> {
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
        FoxGraph::of_file(self)
    }
}
