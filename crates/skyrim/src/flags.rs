//! Named bits and enumerations. Unknown values are kept, never refused.

use navmap_core::bits;
use std::fmt;

bits! {
    /// Flags of a record. The names are those that matter to navmeshes (`docs/formats/skyrim.md`, sections 1.2 and 1.4).
    RecordFlags(u32) {
        /// On the file header: a master. (Other records use the bit for other things.)
        MASTER = 0x0000_0001 => "master",
        /// The record is deleted; a deleted navmesh has no data.
        DELETED = 0x0000_0020 => "deleted",
        /// On the file header: strings are ids in external tables. No effect on navmeshes.
        LOCALIZED = 0x0000_0080 => "localized",
        /// On a navmesh: initially disabled.
        INITIALLY_DISABLED = 0x0000_0800 => "initially_disabled",
        /// The data is a size and a zlib stream.
        COMPRESSED = 0x0004_0000 => "compressed",
        /// On a navmesh: made by the editor's generator.
        AUTO_GENERATED = 0x0400_0000 => "auto_generated",
        /// On a navmesh: belongs to a generation cell.
        GENERATION_CELL = 0x8000_0000 => "generation_cell",
    }
}

bits! {
    /// Flags of a triangle (`docs/formats/skyrim.md`, section 3.2).
    TriangleFlags(u16) {
        /// Edge 0 holds the index of an edge link.
        EDGE_0_LINK = 0x0001 => "edge_0_link",
        /// Edge 1 holds the index of an edge link.
        EDGE_1_LINK = 0x0002 => "edge_1_link",
        /// Edge 2 holds the index of an edge link.
        EDGE_2_LINK = 0x0004 => "edge_2_link",
        /// Deleted. Not seen in real files.
        DELETED = 0x0008 => "deleted",
        /// Large creatures may not enter. Not seen in real files.
        NO_LARGE_CREATURES = 0x0010 => "no_large_creatures",
        /// Overlaps other triangles. Not seen in real files.
        OVERLAPPING = 0x0020 => "overlapping",
        /// Preferred, as roads are.
        PREFERRED = 0x0040 => "preferred",
        /// Under water.
        WATER = 0x0200 => "water",
        /// Listed among the door triangles.
        DOOR = 0x0400 => "door",
        /// The editor's reachability mark, set on nearly all triangles.
        FOUND = 0x0800 => "found",
    }
}

bits! {
    /// Flags of an entry of the navmesh info map (`docs/formats/skyrim.md`, section 5).
    MapFlags(u32) {
        /// An island: the entry carries its own small geometry.
        ISLAND = 0x20 => "island",
        /// The mesh was not edited in this plugin.
        NOT_EDITED = 0x40 => "not_edited",
    }
}

/// Cover on the edges of a version 12 triangle (`docs/formats/skyrim.md`, section 3.2). Edge 2 cannot carry cover.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CoverFlags(pub u16);

impl CoverFlags {
    /// Cover value of edge 0 or 1: 0 open, 2 a ledge, 4 to 14 a height, 15 full; 0 for any other edge.
    #[inline]
    pub fn value(self, edge: usize) -> u8 {
        match edge {
            0 => (self.0 & 0xF) as u8,
            1 => ((self.0 >> 6) & 0xF) as u8,
            _ => 0,
        }
    }

    /// Height of the cover in game units for the values 4 (64) to 14 (224); `None` for all others.
    #[inline]
    pub fn height(self, edge: usize) -> Option<u16> {
        let value = u16::from(self.value(edge));
        (4..=14).contains(&value).then(|| value.saturating_sub(3).saturating_mul(16).saturating_add(48))
    }

    /// The left and right flags of edge 0 or 1.
    #[inline]
    pub fn sides(self, edge: usize) -> (bool, bool) {
        let bits = match edge {
            0 => self.0 >> 4,
            1 => self.0 >> 10,
            _ => 0,
        };
        (bits & 1 != 0, bits & 2 != 0)
    }

    /// Whether edge 0 or 1 carries any cover. If so, the triangle is listed as a cover triangle.
    #[inline]
    pub fn any(self) -> bool {
        self.value(0) != 0 || self.value(1) != 0
    }

    /// Whether the editor generated the cover.
    #[inline]
    pub fn is_generated(self) -> bool {
        self.0 & 0x4000 != 0
    }
}

impl fmt::Debug for CoverFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CoverFlags({:#06x})", self.0)
    }
}

/// What an edge link does (`docs/formats/skyrim.md`, section 3.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinkKind {
    /// Two meshes meet.
    Portal,
    /// Up a ledge.
    LedgeUp,
    /// Down a ledge.
    LedgeDown,
    /// A portal that scripts switch.
    EnableDisable,
    /// A value without a name.
    Unknown(u32),
}

impl LinkKind {
    /// The kind with this stored number.
    #[inline]
    pub fn from_stored(value: u32) -> Self {
        match value {
            0 => Self::Portal,
            1 => Self::LedgeUp,
            2 => Self::LedgeDown,
            3 => Self::EnableDisable,
            other => Self::Unknown(other),
        }
    }

    /// The kind of the link that leads back: a ledge is up on one side and down on the other.
    #[inline]
    #[must_use]
    pub fn reverse(self) -> Self {
        match self {
            Self::LedgeUp => Self::LedgeDown,
            Self::LedgeDown => Self::LedgeUp,
            other => other,
        }
    }
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Portal => f.pad("portal"),
            Self::LedgeUp => f.pad("ledge_up"),
            Self::LedgeDown => f.pad("ledge_down"),
            Self::EnableDisable => f.pad("enable_disable"),
            Self::Unknown(value) => write!(f, "unknown_{value}"),
        }
    }
}

/// The content of a group (`docs/formats/skyrim.md`, section 1.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GroupKind {
    /// 0: all records of one type.
    TopLevel,
    /// 1: children of a worldspace.
    WorldChildren,
    /// 2: a block of interior cells.
    InteriorBlock,
    /// 3: a sub-block of interior cells.
    InteriorSubBlock,
    /// 4: a block of exterior cells, 32 by 32.
    ExteriorBlock,
    /// 5: a sub-block of exterior cells, 8 by 8.
    ExteriorSubBlock,
    /// 6: children of a cell.
    CellChildren,
    /// 7: children of a dialogue topic.
    TopicChildren,
    /// 8: the persistent children of a cell.
    PersistentChildren,
    /// 9: the temporary children of a cell, navmeshes among them.
    TemporaryChildren,
    /// 10 and beyond.
    Other(i32),
}

impl GroupKind {
    /// The kind with this stored number.
    pub fn from_stored(value: i32) -> Self {
        match value {
            0 => Self::TopLevel,
            1 => Self::WorldChildren,
            2 => Self::InteriorBlock,
            3 => Self::InteriorSubBlock,
            4 => Self::ExteriorBlock,
            5 => Self::ExteriorSubBlock,
            6 => Self::CellChildren,
            7 => Self::TopicChildren,
            8 => Self::PersistentChildren,
            9 => Self::TemporaryChildren,
            other => Self::Other(other),
        }
    }

    /// The stored number.
    pub fn to_stored(self) -> i32 {
        match self {
            Self::TopLevel => 0,
            Self::WorldChildren => 1,
            Self::InteriorBlock => 2,
            Self::InteriorSubBlock => 3,
            Self::ExteriorBlock => 4,
            Self::ExteriorSubBlock => 5,
            Self::CellChildren => 6,
            Self::TopicChildren => 7,
            Self::PersistentChildren => 8,
            Self::TemporaryChildren => 9,
            Self::Other(value) => value,
        }
    }

    /// Whether the label of such a group is the FormID of a cell.
    #[inline]
    pub fn is_of_cell(self) -> bool {
        matches!(self, Self::CellChildren | Self::PersistentChildren | Self::TemporaryChildren)
    }
}

/// Flags derived from links and doors.
pub(crate) const BOUND: u16 = 0x0407;

/// Kinds of link that the command `link` can make, by their numbers.
pub(crate) const LINK_KINDS: [&str; 4] = ["portal", "ledge_up", "ledge_down", "enable_disable"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_print_their_names_and_keep_what_has_none() {
        assert_eq!(TriangleFlags(0x0804).to_string(), "edge_2_link | found");
        assert_eq!(TriangleFlags(0x1800).to_string(), "found | 0x1000");
        assert_eq!(RecordFlags(0).to_string(), "0");
    }

    #[test]
    fn cover_values_name_heights_from_64_to_224() {
        assert_eq!(CoverFlags(4).height(0), Some(64));
        assert_eq!(CoverFlags(14 << 6).height(1), Some(224));
        assert_eq!(CoverFlags(15).height(0), None);
        assert_eq!(CoverFlags(0b10_0000).sides(0), (false, true));
        assert!(CoverFlags(2 << 6).any() && !CoverFlags(0x4030).any());
    }
}
