//! Recognises plugins and payloads by their first bytes, and implements the file view.

use super::check::{self, Report};
use super::codes::CODES;
use super::graph::SkyrimGraph;
use super::info;
use super::pathgrid::GridGame;
use super::plugin::{Game, Plugin, refuse_others};
use super::record::PATHING_CELL;
use super::record::RecordHeader;
use super::survey::{self, COUNTS, count};
use super::view::NavMesh;
use navmap_core::Counts;
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Finding};
use std::io;

/// Whether these are the first bytes of a plugin or of a raw NVNM field.
///
/// This includes plugins of Morrowind and Oblivion, so that the error can name the game.
pub fn recognise(head: &[u8]) -> bool {
    is_plugin(head) || is_payload(head)
}

/// Whether these are the first bytes of a Bethesda plugin.
pub fn is_plugin(head: &[u8]) -> bool {
    match head.first_chunk() {
        Some(b"TES4") => head.get(24..28) == Some(b"HEDR") || head.get(20..24) == Some(b"HEDR"),
        Some(b"TES3") => head.get(16..20) == Some(b"HEDR"),
        _ => false,
    }
}

/// Whether these are the first bytes of a raw NVNM field: a small version and the hash of `PathingCell`.
pub fn is_payload(head: &[u8]) -> bool {
    let mut cursor = Cursor::new(head, 0);
    cursor.u32("version").is_ok_and(|v| (11..=64).contains(&v))
        && cursor.u32("hash").is_ok_and(|h| h == PATHING_CELL)
}

/// Reads the first page of a plugin or payload. Counts nothing, since a plugin has no table of contents.
///
/// # Errors
/// If the page is neither, or is a plugin of a game without navmeshes.
pub fn head(page: &[u8], file_len: u64) -> Result<Summary> {
    if is_plugin(page) {
        refuse_others(page)?;
        // The file header may be longer than the page, since it lists overridden records. Its own header is enough.
        let header: &RecordHeader = Cursor::new(page, 0).record("file header")?;
        let needed = u64::from(header.size()).saturating_add(size_of::<RecordHeader>() as u64);
        if needed > file_len {
            return Err(
                Error::new(ErrorKind::Truncated { what: "file header", needed, left: file_len }).at(0)
            );
        }
        return Ok(summary_of(header));
    }
    if !is_payload(page) {
        return Err(not_mesh(page).at(0));
    }
    let mut cursor = Cursor::new(page, 0);
    let version = cursor.u32("version")?;
    cursor.skip(12, "owner")?;
    let mut counts = Counts::default();
    let vertices = cursor.u32("vertices")?;
    if game_of(version).is_some() {
        counts.add("vertices", vertices.into());
    }
    Ok(Summary { game: game_of(version), version: Some(version), subversion: None, counts })
}

fn game_of(version: u32) -> Option<&'static str> {
    match version {
        12 => Some("Skyrim"),
        15 => Some("Fallout 4"),
        17 => Some("Starfield"),
        _ => None,
    }
}

fn summary_of(header: &RecordHeader) -> Summary {
    let version = header.form_version();
    Summary {
        game: Some(Game::from_form_version(version).name()),
        version: Some(version.into()),
        subversion: None,
        counts: Counts::default(),
    }
}

impl NavFile for NavMesh<'_> {
    fn summary(&self) -> Summary {
        let mut counts = Counts::zeros(&COUNTS);
        count(self, &mut counts);
        let (game, version) = (self.game(), Some(self.version()));
        Summary { game, version, subversion: None, counts }
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        survey::mesh(self, counts, found);
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::mesh(self, &mut Report::new(found));
        Ok(())
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::mesh(self, out)
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl NavFile for Plugin<'_> {
    fn summary(&self) -> Summary {
        Summary { game: Some(self.game().name()), ..summary_of(self.header()) }
    }

    fn survey(
        &self,
        scratch: &mut Scratch,
        counts: &mut Counts,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()> {
        survey::plugin(self, scratch, counts, found)
    }

    /// As in the trait, except that a damaged group or mesh does not end the check. It is a finding (`damaged-group`,
    /// `damaged-navmesh`), the rest is checked, and the result is `Ok`.
    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::plugin(self, scratch, found);
        Ok(())
    }

    fn info(&self, scratch: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::plugin(self, scratch, out)
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for Plugin<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    /// Plugins with path grids are of another kind.
    fn recognise(head: &[u8]) -> bool {
        is_plugin(head) && GridGame::of(head).is_none()
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        self::head(page, file_len)
    }

    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self> {
        Self::parse(bytes, &options.limits)
    }

    fn graph(&self) -> impl NavGraph {
        SkyrimGraph::new(self)
    }
}

impl<'a> NavFormat<'a> for NavMesh<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        is_payload(head)
    }

    fn may_be(head: &[u8]) -> bool {
        !head.is_empty()
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        self::head(page, file_len)
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        SkyrimGraph::of_mesh(self)
    }
}
