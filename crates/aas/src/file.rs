//! Recognises a file by its first bytes, and implements the file view.

use super::codes::CODES;
use super::graph::AasGraph;
use super::layout::{Head, Layout, UNSEEN, game, head, is_magic, is_skipped, refused, version};
use super::record::BoundingBox;
use super::view::{AasNav, half_width};
use super::{check, info};
use navmap_core::Counts;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Finding};
use std::io;
use zerocopy::FromBytes;

/// The counts of a scan, in order: name, lump, and whether record 0 of the lump is a placeholder.
const COUNTED: [(&str, usize, bool); 8] = [
    ("areas", 7, true),
    ("faces", 5, true),
    ("edges", 3, true),
    ("vertices", 1, false),
    ("reachabilities", 9, true),
    ("nodes", 10, true),
    ("portals", 11, true),
    ("clusters", 13, true),
];

const COUNTS: [&str; 8] = {
    let [a, b, c, d, e, f, g, h] = COUNTED;
    [a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0]
};

/// Adds the counts that the lumps state.
fn count(head: &Head, layout: Layout, counts: &mut Counts) {
    for (name, lump, dummy) in COUNTED {
        let len = head.lumps.get(lump).map_or(0, |lump| lump.len);
        let records = layout.sizes().get(lump).and_then(|size| len.checked_div(*size)).unwrap_or(0);
        counts.add(name, records.saturating_sub(dummy.into()) as u64);
    }
}

fn summary(version: i32, half: Option<f32>, counts: Counts) -> Summary {
    Summary { game: game(version, half), version: Some(version.cast_unsigned()), subversion: None, counts }
}

impl NavFile for AasNav<'_> {
    fn summary(&self) -> Summary {
        let mut counts = Counts::default();
        count(self.header(), self.layout(), &mut counts);
        summary(self.version(), self.half_width(), counts)
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        count(self.header(), self.layout(), counts);
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

impl<'a> NavFormat<'a> for AasNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        is_magic(head)
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        let version = version(page)?;
        let mut counts = Counts::default();
        let mut half = None;
        if let Some(layout) = Layout::for_version(version) {
            let head = head(page, file_len, layout)?;
            count(&head, layout, &mut counts);
            let [boxes, ..] = head.lumps;
            let boxes = page.get(boxes.offset..boxes.end()).unwrap_or_default();
            half = half_width(<[BoundingBox]>::ref_from_bytes(boxes).unwrap_or_default());
        } else if is_skipped(version) {
            return Err(refused(version, UNSEEN));
        }
        Ok(summary(version, half, counts))
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        AasGraph::new(*self)
    }
}
