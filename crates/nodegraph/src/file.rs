//! Recognises the forms of file, and implements the file views.

use super::codes::CODES;
use super::flags::{NOD_HULLS, RESPAWN_HULLS, SOURCE_HULLS};
use super::graph::{AinGraph, NodGraph};
use super::header;
use super::nod::{self, NodNav};
use super::points::Points;
use super::record::{AinHeader, RespawnHeader};
use super::respawn::{self, RespawnNav};
use super::text::{self, TextNav, Words};
use super::view::AinNav;
use super::{check, checknod, checkrespawn, info, solve};
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Counts, Finding};
use std::io;

/// The counts of a scan, in order.
const COUNTS: [&str; 3] = ["nodes", "links", "hulls"];

/// Those of version 57.
const RESPAWN_COUNTS: [&str; 6] = ["nodes", "links", "hulls", "script_nodes", "hints", "clusters"];

/// The number of bytes used to recognise a kind. Fewer bytes are a whole file.
const PAGE: usize = 4_096;

fn summary(game: Option<&'static str>, version: i32, nodes: usize) -> Summary {
    let mut counts = Counts::default();
    counts.add("nodes", nodes as u64);
    Summary { game, version: Some(version.cast_unsigned()), subversion: None, counts }
}

fn add(counts: &mut Counts, names: &[&'static str], values: &[usize]) {
    names.iter().zip(values).for_each(|(name, value)| counts.add(name, *value as u64));
}

/// The error of a file that is too short for its records, with the least size of one.
fn fits(what: &'static str, count: usize, least: u64, at: u64, file_len: u64) -> Result<()> {
    let (claimed, left) = (count as u64, file_len.saturating_sub(at));
    match claimed.saturating_mul(least) <= left {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::Count { what, claimed, left }).at(at)),
    }
}

impl<'a> AinNav<'a> {
    fn points(&self) -> Points<'a> {
        Points::Source(self.parts)
    }
}

impl NavFile for AinNav<'_> {
    fn summary(&self) -> Summary {
        summary(None, self.version(), self.nodes().len())
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        let walked = [self.nodes().iter().count(), self.links().iter().count(), self.hulls()];
        add(counts, &COUNTS, &walked);
        check::ain_file(self, found);
        check::errors(self.points(), found);
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::ain_file(self, found);
        check::check(self.points(), found);
        check::ids(self.parts, found);
        Ok(())
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::ain(self, out)
    }

    fn hulls(&self) -> Vec<String> {
        SOURCE_HULLS.list(self.hulls())
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for AinNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    /// There is no magic, so every node in the page must be plausible. An empty graph has exactly 16 bytes.
    fn recognise(head: &[u8]) -> bool {
        let mut cursor = Cursor::new(head, 0);
        match header::header(&mut cursor) {
            Ok((_, 0)) => cursor.rest() == [0; 4],
            Ok((header, nodes)) => solve::may_hold(cursor.rest(), header.version(), nodes, head.len() < PAGE),
            Err(_) => false,
        }
    }

    /// Also true for damaged files of known versions, and for files of consoles.
    fn may_be(head: &[u8]) -> bool {
        let little = head.first_chunk().map(|first| i32::from_le_bytes(*first));
        let big = head.first_chunk().map(|first| i32::from_be_bytes(*first));
        matches!(little, Some(37 | 41 | 54)) || matches!(big, Some(37 | 41))
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        let mut cursor = Cursor::new(page, 0);
        let (header, nodes) = header::header(&mut cursor)?;
        // A node with one hull, and its id.
        fits("nodes", nodes, 29, size_of::<AinHeader>() as u64, file_len.saturating_sub(4))?;
        Ok(summary(None, header.version(), nodes))
    }

    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self> {
        let mut nav = Self::parse(bytes)?;
        nav.hull = SOURCE_HULLS.choose(options.hull, nav.hulls())?;
        Ok(nav)
    }

    fn graph(&self) -> impl NavGraph {
        AinGraph::of_nav(self).for_hull(self.hull)
    }
}

const EARLY: Option<&str> = Some("Half-Life 2 (early build)");

impl NavFile for TextNav<'_> {
    fn summary(&self) -> Summary {
        summary(EARLY, self.version(), self.nodes().len())
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        let walked = [self.nodes().iter().count(), self.links().iter().count(), self.hulls()];
        add(counts, &COUNTS, &walked);
        check::text_file(self, found);
        check::errors(Points::Source(self.parts()), found);
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::text_file(self, found);
        check::check(Points::Source(self.parts()), found);
        check::counted(self, found);
        check::ids(self.parts(), found);
        Ok(())
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::text(self, out)
    }

    fn hulls(&self) -> Vec<String> {
        SOURCE_HULLS.list(self.hulls())
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for TextNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        text::is_text(head)
    }

    fn may_be(head: &[u8]) -> bool {
        text::may_be_text(head)
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        let (version, nodes) = text::head(&mut Words::new(page))?;
        // A node, in digits and blanks, and its id.
        fits("nodes", nodes, 36, 0, file_len)?;
        Ok(summary(EARLY, version, nodes))
    }

    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self> {
        let mut nav = Self::parse(bytes, &options.limits)?;
        nav.hull = SOURCE_HULLS.choose(options.hull, nav.hulls())?;
        Ok(nav)
    }

    fn graph(&self) -> impl NavGraph {
        AinGraph::of_text(self).for_hull(self.hull)
    }
}

/// Files of Apex Legends have a checksum. Those of Titanfall 2 have none.
fn respawn_game(header: &RespawnHeader) -> Option<&'static str> {
    Some(if header.checksum() == 0 { "Titanfall 2" } else { "Apex Legends" })
}

impl NavFile for RespawnNav<'_> {
    fn summary(&self) -> Summary {
        summary(respawn_game(self.header()), self.version(), self.nodes().len())
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        let mut clusters = 0_usize;
        for cluster in self.clusters() {
            cluster?;
            clusters = clusters.saturating_add(1);
        }
        let (nodes, links) = (self.nodes().len(), self.links().len());
        let (script, hints) = (self.script_nodes().len(), self.hints().len());
        add(counts, &RESPAWN_COUNTS, &[nodes, links, respawn::HULLS, script, hints, clusters]);
        checkrespawn::file(self, found);
        check::errors(Points::Respawn(self.body()), found);
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        checkrespawn::file(self, found);
        check::check(Points::Respawn(self.body()), found);
        checkrespawn::check(self, found)
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::respawn(self, out)
    }

    fn hulls(&self) -> Vec<String> {
        RESPAWN_HULLS.list(respawn::HULLS)
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for RespawnNav<'a> {
    const COUNTS: &'static [&'static str] = &RESPAWN_COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        respawn::may_be(head)
    }

    fn may_be(head: &[u8]) -> bool {
        head.starts_with(&57_i32.to_le_bytes())
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        let mut cursor = Cursor::new(page, 0);
        let (header, nodes) = header::respawn_header(&mut cursor)?;
        // A node and its id.
        fits("nodes", nodes, 72, size_of::<RespawnHeader>() as u64, file_len.saturating_sub(4))?;
        Ok(summary(respawn_game(header), header.version(), nodes))
    }

    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self> {
        let mut nav = Self::parse(bytes)?;
        nav.hull = RESPAWN_HULLS.choose(options.hull, respawn::HULLS)?;
        Ok(nav)
    }

    fn graph(&self) -> impl NavGraph {
        AinGraph::of_respawn(self).for_hull(self.hull)
    }
}

fn nod_game(version: i32) -> Option<&'static str> {
    Some(if version == 23 { "Sven Co-op" } else { "Half-Life" })
}

impl NavFile for NodNav<'_> {
    fn summary(&self) -> Summary {
        summary(nod_game(self.version()), self.version(), self.nodes().len())
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        let walked = [self.nodes().iter().count(), self.links().iter().count(), nod::HULLS];
        add(counts, &COUNTS, &walked);
        checknod::file(self, found);
        checknod::errors(self, found);
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        checknod::file(self, found);
        checknod::check(self, found);
        Ok(())
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::nod(self, out)
    }

    fn hulls(&self) -> Vec<String> {
        NOD_HULLS.list(nod::HULLS)
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.node_records(nodes, each)
    }
}

impl<'a> NavFormat<'a> for NodNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;
    // 384 steps of comparing routes for a byte.
    const CHECK_COST: u64 = 8;

    fn recognise(head: &[u8]) -> bool {
        nod::may_be(head)
    }

    /// Also true for known versions that are cut short.
    fn may_be(head: &[u8]) -> bool {
        let version = head.first_chunk().map(|first| i32::from_le_bytes(*first));
        matches!(version, Some(16 | 17 | 23 | 160))
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        let (version, nodes) = nod::first_page(page, file_len)?;
        Ok(summary(nod_game(version), version, nodes))
    }

    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self> {
        let mut nav = Self::parse(bytes)?;
        nav.hull = NOD_HULLS.choose(options.hull, nod::HULLS)?;
        Ok(nav)
    }

    fn graph(&self) -> impl NavGraph {
        NodGraph::new(self).for_hull(self.hull)
    }
}
