//! How a toy is told by its first bytes, and what every file view does.

use super::codes::CODES;
use super::view::ToyNav;
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::Counts;
use navmap_core::error::Result;
use navmap_core::{Code, Finding, Severity};
use navmap_core::format::{NavFile, NavFormat, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::text::{Grouped, fact};
use std::io;

fn summary(knots: u64) -> Summary {
    let mut counts = Counts::default();
    counts.add("knots", knots);
    Summary { game: None, version: Some(1), subversion: None, counts }
}

impl NavFile for ToyNav<'_> {
    fn summary(&self) -> Summary {
        summary(self.knots().len() as u64)
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        counts.add("knots", self.knots().len() as u64);
        let (left, end) = self.left_over();
        if left > 0 {
            found(Finding::trailing(left, end));
        }
        Ok(())
    }

    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        self.survey(scratch, &mut Counts::default(), found)?;
        for (pair, index) in self.knots().windows(2).zip(1..) {
            if let [before, knot] = pair
                && before.position() == knot.position()
            {
                let finding = Finding::new(Severity::Warning, "same-place", "the point before lies here as well");
                found(finding.in_record("knot", index).placed(knot.position()));
            }
        }
        Ok(())
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        fact(out, "knots", Grouped(self.knots().len() as u64))?;
        Ok(())
    }

    #[inline(never)]
    fn stream(&self) -> &dyn Stream {
        self
    }
}

impl<'a> NavFormat<'a> for ToyNav<'a> {
    const COUNTS: &'static [&'static str] = &["knots"];
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        head.starts_with(b"TOY1")
    }

    fn head(page: &[u8], _: u64) -> Result<Summary> {
        let mut cursor = Cursor::new(page, 0);
        cursor.skip(4, "magic")?;
        Ok(summary(cursor.u32("knots")?.into()))
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        self
    }
}
