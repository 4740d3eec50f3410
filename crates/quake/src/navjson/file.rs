//! Recognises navjson by its first bytes, and implements the file view.

use super::pull::Pull;
use super::{NavJson, check, info, read};
use crate::codes::CODES;
use crate::layout::Magic;
use crate::view::COUNTS;
use navmap_core::Counts;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::format::{NavFile, NavFormat, NodeRecords, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::stream::Stream;
use navmap_core::{Code, Finding};
use std::io;

/// Whether a file that begins with these bytes is navjson: an object with the members `Version` and `Map`, or with `Nodes`, as
/// far as the bytes go.
pub fn recognise(head: &[u8]) -> bool {
    // The page may end anywhere, even inside a character.
    let good = match std::str::from_utf8(head) {
        Ok(_) => head,
        Err(error) => head.get(..error.valid_up_to()).unwrap_or_default(),
    };
    if !good.trim_ascii_start().starts_with(b"{") && !good.starts_with("\u{feff}".as_bytes()) {
        return false;
    }
    let Ok(mut json) = Pull::new(good) else { return false };
    let (mut version, mut map, mut nodes) = (false, false, false);
    // A page always ends early, so the error means nothing. The members seen before it count.
    let _ = json.object("an object", |json, key, _| {
        version |= key == "Version";
        map |= key == "Map";
        nodes |= key == "Nodes";
        json.skip()
    });
    version && (map || nodes)
}

/// Reads the first bytes of a file: its version, if it is among them. Counts are not known before the end.
///
/// # Errors
/// If the version is not 1, 2 or 3. The error gives line and column.
pub fn head(page: &[u8]) -> Result<Summary> {
    let good = std::str::from_utf8(page).map_or_else(|error| error.valid_up_to(), str::len);
    let mut json = Pull::new(page.get(..good).unwrap_or_default())?;
    let mut version = None;
    let mut refused = None;
    let _ = json.object("an object", |json, key, _| {
        if key != "Version" {
            return json.skip();
        }
        match read::version(json) {
            Ok(found) => version = Some(found),
            Err(error) => refused = Some(error),
        }
        Ok(())
    });
    refused.map_or(Ok(summary(version, Counts::default())), Err)
}

fn summary(version: Option<u32>, counts: Counts) -> Summary {
    Summary { game: Some(Magic::Nav2.game()), version, subversion: None, counts }
}

impl NavJson<'_> {
    fn counts(&self) -> Counts {
        let mut counts = Counts::zeros(&COUNTS);
        let lens = [self.nodes.len(), self.links.len(), self.traversals.len(), self.edicts.len()];
        COUNTS.iter().zip(lens).for_each(|(name, len)| counts.add(name, len as u64));
        counts
    }
}

impl NavFile for NavJson<'_> {
    fn summary(&self) -> Summary {
        summary(Some(self.version()), self.counts())
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        self.counts().iter().for_each(|(name, count)| counts.add(name, count));
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

impl<'a> NavFormat<'a> for NavJson<'a> {
    const COUNTS: &'static [&'static str] = &COUNTS;
    const CODES: &'static [Code] = CODES;

    fn recognise(head: &[u8]) -> bool {
        recognise(head)
    }

    fn may_be(head: &[u8]) -> bool {
        matches!(head.first(), Some(b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n' | 0xEF))
    }

    fn head(page: &[u8], _: u64) -> Result<Summary> {
        self::head(page)
    }

    fn open(bytes: &'a [u8], _: &ReadOptions) -> Result<Self> {
        Self::parse(bytes)
    }

    fn graph(&self) -> impl NavGraph {
        self
    }
}
