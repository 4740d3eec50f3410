//! Recognises the kind of a file by its first bytes, or by its name if these are inconclusive.

use super::{Family, Kind};
use navmap_core::Code;
use navmap_core::error::Result;
use navmap_core::format::{Summary, has_extension, not_mesh};
use std::fmt;
use std::path::Path;
#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of bytes used to recognise a kind.
const PAGE: usize = 4096;

/// How often a kind was looked for in this process, for the test that a scan looks once a file.
#[cfg(debug_assertions)]
#[doc(hidden)]
pub static SNIFFED: AtomicU64 = AtomicU64::new(0);

impl Kind {
    /// Recognises the kind of a file by its first bytes (a page is enough). If they are inconclusive, as for JSON, the extension
    /// of `path` decides; nothing else of the path is used. Kinds whose feature is off are not recognised.
    pub fn sniff(head: &[u8], path: Option<&Path>) -> Option<Self> {
        #[cfg(debug_assertions)]
        SNIFFED.fetch_add(1, Relaxed);
        let head = head.get(..PAGE).unwrap_or(head);
        let mut kinds = Self::compiled();
        let known = kinds.find(|(_, format)| (format.recognise)(head));
        // If the bytes do not show the kind, the name may. The parser then reports what is wrong with the file.
        let named = || {
            let path = path?;
            Self::compiled().find(|(kind, format)| (format.may_be)(head) && kind.ends(path))
        };
        known.or_else(named).map(|(kind, _)| kind)
    }

    /// Whether the name has an extension of this kind.
    pub fn ends(self, path: &Path) -> bool {
        has_extension(path, self.extensions())
    }

    /// Whether the name has an extension of a mesh.
    pub fn names(path: &Path) -> bool {
        Self::ALL.iter().any(|kind| kind.ends(path))
    }

    /// The kind of this [name](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The facts in the first page of a file of this kind. `file_len` is the length of the whole file.
    ///
    /// # Errors
    /// Those of parsing the file.
    pub fn head(self, page: &[u8], file_len: u64) -> Result<Summary> {
        match self.format() {
            Some(format) => (format.head)(page, file_len),
            None => Err(not_mesh(page)),
        }
    }

    /// The names of its counts, in the order of columns. Empty if its feature is off.
    pub fn counts(self) -> &'static [&'static str] {
        self.format().map_or(&[], |format| format.counts)
    }

    /// What a check costs beyond reading, as so many more bytes for each byte of the file.
    #[doc(hidden)]
    pub fn check_cost(self) -> u64 {
        self.format().map_or(0, |format| format.check_cost)
    }

    /// The meaning of its findings' codes, which [`codes`](super::codes) lists for all families. Empty if its feature is off.
    pub(super) fn codes(self) -> &'static [Code] {
        self.format().map_or(&[], |format| format.codes)
    }

    /// The names of the counts of all kinds, each once: the columns of a table over files of any family.
    pub fn all_counts() -> Vec<&'static str> {
        let mut names = Vec::new();
        for name in Self::ALL.iter().flat_map(|kind| kind.counts()) {
            if !names.contains(name) {
                names.push(*name);
            }
        }
        names
    }

    fn compiled() -> impl Iterator<Item = (Self, super::Format)> {
        Self::ALL.iter().filter_map(|kind| Some((*kind, kind.format()?)))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
