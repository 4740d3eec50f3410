//! The layout of each version, chosen once when a file is opened.

use navmap_core::error::{Error, ErrorKind, Result};
use std::fmt;
use std::str::FromStr;

/// The two kinds of file, distinguished by their first four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Magic {
    /// `NAV2`: Quake, the re-release of 2021.
    Nav2,
    /// `NAV3`: Quake II, the re-release of 2023.
    Nav3,
}

impl Magic {
    /// The magic at the start of a file; `None` for any other.
    pub fn sniff(head: &[u8]) -> Option<Self> {
        match head.first_chunk::<4>()? {
            b"NAV2" => Some(Self::Nav2),
            b"NAV3" => Some(Self::Nav3),
            _ => None,
        }
    }

    /// The four bytes.
    pub fn bytes(self) -> [u8; 4] {
        match self {
            Self::Nav2 => *b"NAV2",
            Self::Nav3 => *b"NAV3",
        }
    }

    /// `NAV2`, `NAV3`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nav2 => "NAV2",
            Self::Nav3 => "NAV3",
        }
    }

    /// The game that writes such files.
    pub fn game(self) -> &'static str {
        match self {
            Self::Nav2 => "Quake (2021)",
            Self::Nav3 => "Quake II (2023)",
        }
    }
}

/// A version of the format. It prints as `NAV2 version 15` and parses from `nav2-15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    /// Which kind of file.
    pub magic: Magic,
    /// The number at byte 4.
    pub number: u32,
}

impl Version {
    /// A version of NAV2.
    pub const fn nav2(number: u32) -> Self {
        Self { magic: Magic::Nav2, number }
    }

    /// A version of NAV3.
    pub const fn nav3(number: u32) -> Self {
        Self { magic: Magic::Nav3, number }
    }

    /// The layout of this version; `None` if it is unknown.
    pub fn layout(self) -> Option<Layout> {
        KNOWN.iter().find(|row| row.covers(self)).map(|row| row.layout)
    }

    /// Every version with a known layout, oldest first, NAV2 before NAV3.
    pub fn known() -> impl Iterator<Item = Self> {
        KNOWN.iter().flat_map(|row| (row.first..=row.last).map(|number| Self { magic: row.magic, number }))
    }

    /// Layouts to try, in this order, on a file of this version: its own, then one that some readers of retail data report for
    /// it. For an unknown version, every layout of its magic, newest first. Only the first layout of a known version is certain.
    /// Any other counts as experimental, and must end exactly where the file ends.
    pub(super) fn candidates(self) -> impl Iterator<Item = Layout> {
        let own = self.layout();
        let disputed = match self {
            // One reader has the entity handles begin with version 14, another the heuristic with 17.
            Self { magic: Magic::Nav2, number: 13 } => Version::nav2(12).layout(),
            Self { magic: Magic::Nav2, number: 16 } => Version::nav2(15).layout(),
            _ => None,
        };
        let guesses = KNOWN
            .iter()
            .rev()
            .filter(move |row| own.is_none() && row.magic == self.magic)
            .map(|row| row.layout);
        own.into_iter().chain(disputed).chain(guesses)
    }

    /// The reason why this version cannot be read at all.
    pub(super) fn refusal(self) -> Option<Error> {
        let early = self.magic == Magic::Nav2 && (6..=11).contains(&self.number);
        early.then(|| {
            self.error(
                "a development revision of the retail test maps, whose links and tail were never documented",
            )
        })
    }

    #[cold]
    pub(super) fn error(self, why: &'static str) -> Error {
        Error::new(ErrorKind::Version {
            format: self.magic.name(),
            found: self.number,
            subversion: None,
            why,
        })
        .at(4)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} version {}", self.magic.name(), self.number)
    }
}

impl FromStr for Version {
    type Err = Error;

    /// Parses `nav2-15` or `nav3-6`.
    fn from_str(text: &str) -> Result<Self> {
        let parts = text.split_once('-').and_then(|(magic, number)| {
            let magic = match magic.to_ascii_lowercase().as_str() {
                "nav2" => Magic::Nav2,
                "nav3" => Magic::Nav3,
                _ => return None,
            };
            Some(Self { magic, number: number.parse().ok()? })
        });
        parts.filter(|version| version.layout().is_some()).ok_or_else(|| {
            Error::invalid("version", format!("{text:?} is none of nav2-12 to nav2-18, nav3-1 to nav3-6"))
        })
    }
}

/// The byte layout of a version. `docs/formats/quake.md`, section 1.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Whether the header ends in the heuristic: 24 bytes instead of 20.
    pub heuristic: bool,
    /// Whether a traversal ends in the plane of a ladder: 48 bytes instead of 36.
    pub plane: bool,
    /// The contents of an edict record.
    pub edict: EdictLayout,
}

/// The contents of an edict record besides its link and its box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EdictLayout {
    /// Nothing: 26 bytes. NAV2 12, NAV3 1.
    Bare,
    /// Two handles of engine strings after the box: 34 bytes. NAV2 13 and 14.
    Handles,
    /// An entity id after the box: 30 bytes. NAV2 15 to 18.
    Entity,
    /// A model index before the box: 30 bytes. NAV3 2 to 6.
    Model,
}

impl Layout {
    /// Offset of the first node: 20 or 24.
    pub fn header_len(self) -> u64 {
        if self.heuristic { 24 } else { 20 }
    }

    /// Size of a traversal: 36 or 48 bytes.
    pub fn traversal_len(self) -> u64 {
        if self.plane { 48 } else { 36 }
    }

    /// Size of an edict: 26, 30 or 34 bytes.
    pub fn edict_len(self) -> u64 {
        match self.edict {
            EdictLayout::Bare => 26,
            EdictLayout::Entity | EdictLayout::Model => 30,
            EdictLayout::Handles => 34,
        }
    }

    /// The start of each part of a file with these counts. Cannot overflow: the largest sum is below 2^39.
    pub fn offsets(self, nodes: u32, links: u32, traversals: u32) -> Offsets {
        let after = |start: u64, len: u64, count: u32| start.saturating_add(len.saturating_mul(count.into()));
        let origins = after(self.header_len(), 8, nodes);
        let links_at = after(origins, 12, nodes);
        let traversals_at = after(links_at, 6, links);
        let edict_count = after(traversals_at, self.traversal_len(), traversals);
        Offsets {
            nodes: self.header_len(),
            origins,
            links: links_at,
            traversals: traversals_at,
            edict_count,
            edicts: edict_count.saturating_add(4),
        }
    }
}

/// The start of each part of a file, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offsets {
    /// First node.
    pub nodes: u64,
    /// First origin.
    pub origins: u64,
    /// First link.
    pub links: u64,
    /// First traversal.
    pub traversals: u64,
    /// The number of edicts.
    pub edict_count: u64,
    /// First edict.
    pub edicts: u64,
}

struct Row {
    magic: Magic,
    first: u32,
    last: u32,
    layout: Layout,
}

impl Row {
    fn covers(&self, version: Version) -> bool {
        self.magic == version.magic && (self.first..=self.last).contains(&version.number)
    }
}

const fn row(magic: Magic, first: u32, last: u32, heuristic: bool, plane: bool, edict: EdictLayout) -> Row {
    Row { magic, first, last, layout: Layout { heuristic, plane, edict } }
}

const KNOWN: &[Row] = &[
    row(Magic::Nav2, 12, 12, false, false, EdictLayout::Bare),
    row(Magic::Nav2, 13, 14, false, false, EdictLayout::Handles),
    row(Magic::Nav2, 15, 15, false, false, EdictLayout::Entity),
    row(Magic::Nav2, 16, 18, true, false, EdictLayout::Entity),
    row(Magic::Nav3, 1, 1, true, false, EdictLayout::Bare),
    row(Magic::Nav3, 2, 3, true, false, EdictLayout::Model),
    row(Magic::Nav3, 4, 6, true, true, EdictLayout::Model),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirteen_versions_are_known_and_their_names_parse() {
        let all: Vec<_> = Version::known().collect();
        assert_eq!(all.len(), 13);
        for version in all {
            let short = version.to_string().to_lowercase().replace(" version ", "-");
            assert_eq!(short.parse::<Version>().unwrap(), version);
        }
        for bad in ["nav2-19", "nav2", "nav4-1", "nav2-", "nav3-7", "15", "nav2-11"] {
            assert!(bad.parse::<Version>().is_err(), "{bad}");
        }
    }

    #[test]
    fn offsets_of_the_largest_counts_do_not_overflow() {
        let layout = Version::nav3(6).layout().unwrap();
        let at = layout.offsets(u32::MAX, u32::MAX, u32::MAX);
        assert_eq!(at.edicts, 24 + 74 * u64::from(u32::MAX) + 4);
    }
}
