//! The file view of a GoldSrc or Source mesh, and the facts in the first page of a Valve mesh.

use super::codes::CODES;
use super::graph::SourceGraph;
use super::header::{is_source_2, recognise, summary, unreadable, version};
use super::layout::Trust;
use super::survey::{COUNTS, Tally};
use super::view::{Head, SourceNav};
use super::{check, info, source2};
use navmap_core::Counts;
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::Result;
use navmap_core::format::{LadderRecords, NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Finding};
use std::io;

/// Reads the first page of a file of `file_len` bytes. The area count is known only if it is in the page: a long place directory
/// pushes it out.
///
/// # Errors
/// Those of [`SourceNav::parse`] that show in the head.
pub fn head(page: &[u8], file_len: u64) -> Result<Summary> {
    let mut cursor = Cursor::new(page, 0);
    let (version, subversion) = version(&mut cursor)?;
    let mut counts = Counts::default();
    match version {
        1..30 => {
            let read = Head::read(&mut cursor, version, subversion).and_then(|head| {
                // The numbers of an unknown layout have no known meaning before the whole file is read.
                if head.trust == Trust::Unknown {
                    return Ok(());
                }
                counts.add("places", head.places.len() as u64);
                counts.add("areas", u64::from(cursor.u32("area count")?));
                Ok(())
            });
            // The count is after the page, which may still be inside the file.
            if (page.len() as u64) >= file_len {
                read?;
            }
        }
        30.. => match source2::head(&mut cursor, version) {
            Ok(more) => counts = more,
            Err(error) if (page.len() as u64) >= file_len => return Err(error),
            Err(_) => {}
        },
        _ => return Err(unreadable(version, subversion)),
    }
    Ok(summary(version, subversion, counts))
}

impl NavFile for SourceNav<'_> {
    fn summary(&self) -> Summary {
        self.summarize()
    }

    fn map_size(&self) -> Option<u32> {
        self.bsp_size()
    }

    fn unstored(&self) -> Option<&'static str> {
        (self.version() < 6).then_some("ladders")
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

impl<'a> NavFormat<'a> for SourceNav<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        recognise(head) && !is_source_2(head)
    }

    fn head(page: &[u8], file_len: u64) -> Result<Summary> {
        self::head(page, file_len)
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        SourceGraph::new(self)
    }
}
