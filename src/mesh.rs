//! What the file view of every family can say of itself: the contract between the formats and everything above.

#![forbid(unsafe_code)]

use crate::bytes::Scratch;
use crate::error::Result;
use crate::finding::Finding;
use std::fmt;
use std::io;

/// What kind of file holds the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// A binary mesh file: `.nav`, `.nav2`.
    Nav,
    /// The JSON form of a Quake graph.
    NavJson,
    /// A Bethesda plugin with navmeshes among its records.
    Plugin,
    /// One raw NVNM field.
    Payload,
}

impl Form {
    /// `nav`, `navjson`, `plugin`, `payload`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nav => "nav",
            Self::NavJson => "navjson",
            Self::Plugin => "plugin",
            Self::Payload => "payload",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a file says of itself before it is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// What kind of file it is.
    pub form: Form,
    /// The game, as the best guess that version, sub-version and flags allow; `None` where they allow none.
    pub game: Option<&'static str>,
    /// Version of the format.
    pub version: Option<u32>,
    /// Sub-version, where the format has one.
    pub subversion: Option<u32>,
    /// Counts that the head of the file states. They are claims until [`NavFile::survey`] has counted.
    pub counts: Counts,
}

/// Named counts in a fixed order, without allocation: at most [`Counts::MOST`] of them.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    entries: [(&'static str, u64); Self::MOST],
    len: usize,
}

impl Counts {
    /// How many names fit; more are dropped.
    pub const MOST: usize = 16;

    /// Counts of zero under these names, in this order.
    pub fn of(names: &[&'static str]) -> Self {
        let mut counts = Self::default();
        names.iter().for_each(|name| counts.add(name, 0));
        counts
    }

    /// Adds to the count of this name, which is appended if it is new.
    pub fn add(&mut self, name: &'static str, more: u64) {
        if let Some((_, count)) = self.entries.iter_mut().take(self.len).find(|(n, _)| *n == name) {
            *count = count.saturating_add(more);
        } else if let Some(free) = self.entries.get_mut(self.len) {
            *free = (name, more);
            self.len = self.len.saturating_add(1);
        }
    }

    /// The count of this name.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.iter().find(|(n, _)| *n == name).map(|(_, count)| count)
    }

    /// Names and counts, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.entries.iter().take(self.len).copied()
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// What every file view does: `SourceNav`, `QuakeNav`, `NavJson`, `FoxNav`, `Plugin`, `NavMesh`.
///
/// All of it borrows; `scratch` is what a worker keeps and reuses for what has to be inflated.
pub trait NavFile {
    /// What the head of the file says. Constant time.
    fn summary(&self) -> Summary;

    /// Walks the whole file once, every record visited, and counts. What is odd and was seen in passing (bytes left
    /// over, an experimental layout) goes to `found`; what needs a second look is left to [`check`](Self::check).
    ///
    /// `counts` is complete on success; on an error it holds what was read before. Allocates nothing after the
    /// scratch has warmed up.
    ///
    /// # Errors
    /// The first place at which the file cannot be read on.
    fn survey(
        &self,
        scratch: &mut Scratch,
        counts: &mut Counts,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()>;

    /// Every finding of the format's specification, those of [`survey`](Self::survey) included, in file order as far
    /// as that is natural. May allocate in proportion to the file.
    ///
    /// # Errors
    /// As [`survey`](Self::survey); what was found before has been reported.
    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()>;

    /// The file for a person, as plain text.
    ///
    /// # Errors
    /// Where the file cannot be read on (what was read before has been printed), or `out` fails.
    fn info(&self, scratch: &mut Scratch, out: &mut dyn io::Write) -> Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_keep_their_order_and_never_overflow() {
        let mut counts = Counts::of(&["areas", "ladders"]);
        counts.add("ladders", u64::MAX);
        counts.add("ladders", 1);
        counts.add("areas", 2);
        assert_eq!(counts.iter().collect::<Vec<_>>(), [("areas", 2), ("ladders", u64::MAX)]);
        assert_eq!(counts.get("places"), None);
    }
}
