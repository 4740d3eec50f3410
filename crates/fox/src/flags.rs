//! Numbers with names: kinds of entries, sides of a tile. Unknown numbers are kept.

use super::record::{GroupId, TileId};
use std::fmt;

/// The kind of an entry. `docs/formats/fox.md`, section 2.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// Type 0: the graph of midpoints.
    NavWorld,
    /// Type 1: vertices and faces.
    NavmeshChunk,
    /// Type 3: the graph of segments.
    SegmentGraph,
    /// Type 4: the assignment of the other three's parts to segments.
    SegmentChunk,
    /// Any other number; none has been seen.
    Unknown(u32),
}

impl EntryKind {
    /// The four kinds, in the order the game writes them. A group has one of each.
    pub const ALL: [Self; 4] = [Self::NavWorld, Self::NavmeshChunk, Self::SegmentChunk, Self::SegmentGraph];

    /// The stored number.
    pub fn code(self) -> u32 {
        match self {
            Self::NavWorld => 0,
            Self::NavmeshChunk => 1,
            Self::SegmentGraph => 3,
            Self::SegmentChunk => 4,
            Self::Unknown(code) => code,
        }
    }

    /// The name that the format reference uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::NavWorld => "NavWorld",
            Self::NavmeshChunk => "NavmeshChunk",
            Self::SegmentGraph => "SegmentGraph",
            Self::SegmentChunk => "SegmentChunk",
            Self::Unknown(_) => "unknown",
        }
    }

    /// Position among [`ALL`](Self::ALL).
    pub(super) fn slot(self) -> Option<usize> {
        Self::ALL.iter().position(|kind| *kind == self)
    }
}

impl From<u32> for EntryKind {
    fn from(code: u32) -> Self {
        match code {
            0 => Self::NavWorld,
            1 => Self::NavmeshChunk,
            3 => Self::SegmentGraph,
            4 => Self::SegmentChunk,
            other => Self::Unknown(other),
        }
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(code) => write!(f, "type {code}"),
            known => f.pad(known.name()),
        }
    }
}

/// A side of a tile, with a strip (a group) along it. `docs/formats/fox.md`, section 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Towards −Z: group 0, one row up in tile ids.
    NegativeZ,
    /// Towards +X: group 1, the next tile id.
    PositiveX,
    /// Towards +Z: group 2, one row down.
    PositiveZ,
    /// Towards −X: group 3, the previous tile id.
    NegativeX,
}

impl Side {
    /// The four sides by number.
    pub const ALL: [Self; 4] = [Self::NegativeZ, Self::PositiveX, Self::PositiveZ, Self::NegativeX];

    /// The side of this number: 0 to 3.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The strip along it.
    pub fn group(self) -> GroupId {
        GroupId(match self {
            Self::NegativeZ => 0,
            Self::PositiveX => 1,
            Self::PositiveZ => 2,
            Self::NegativeX => 3,
        })
    }

    /// The opposite side, along which the neighbour's strip lies.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::NegativeZ => Self::PositiveZ,
            Self::PositiveX => Self::NegativeX,
            Self::PositiveZ => Self::NegativeZ,
            Self::NegativeX => Self::PositiveX,
        }
    }

    /// The tile adjoining this side in a map of `columns` columns. `None` past the first or last column or row.
    pub fn neighbour(self, tile: TileId, columns: u16) -> Option<TileId> {
        let column = tile.0.checked_rem(columns)?;
        let id = match self {
            Self::NegativeZ => tile.0.checked_sub(columns),
            Self::PositiveX if column.checked_add(1)? < columns => tile.0.checked_add(1),
            Self::PositiveZ => tile.0.checked_add(columns),
            Self::NegativeX if column > 0 => tile.0.checked_sub(1),
            Self::PositiveX | Self::NegativeX => None,
        };
        id.map(TileId)
    }

    /// `-z`, `+x`, `+z`, `-x`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NegativeZ => "-z",
            Self::PositiveX => "+x",
            Self::PositiveZ => "+z",
            Self::NegativeX => "-x",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl GroupId {
    /// The body of a tile.
    pub const BODY: Self = Self(4);

    /// The side along which this strip lies; `None` for a body.
    pub fn side(self) -> Option<Side> {
        Side::from_number(self.0)
    }
}

/// Side of a tile in metres. `docs/formats/fox.md`, section 11.
pub const TILE_SIDE: f32 = 128.0;

impl TileId {
    /// Column and row in a map of `columns` columns, from 0. `None` if `columns` is 0.
    pub fn cell(self, columns: u16) -> Option<(u16, u16)> {
        Some((self.0.checked_rem(columns)?, self.0.checked_div(columns)?))
    }

    /// The lowest x and z of the tile in a map of `columns` columns, whose middle is the origin.
    pub fn corner(self, columns: u16) -> Option<[f32; 2]> {
        let (column, row) = self.cell(columns)?;
        let half = f32::from(columns) / 2.0;
        Some([column, row].map(|cell| (f32::from(cell) - half) * TILE_SIDE))
    }

    /// The X and Z of the file's name (`ssav_139_127` is X 139, Z 127) in a map of `columns` columns.
    /// Confirmed on 71 names with 64 columns and one with 2.
    pub fn coordinates(self, columns: u16) -> Option<(u16, u16)> {
        let (column, row) = self.cell(columns)?;
        Some((column.checked_add(101)?, row.checked_add(101)?))
    }

    /// The tile with this X and Z in its file's name.
    pub fn from_coordinates(x: u16, z: u16, columns: u16) -> Option<Self> {
        let (column, row) = (x.checked_sub(101)?, z.checked_sub(101)?);
        if column >= columns {
            return None;
        }
        row.checked_mul(columns)?.checked_add(column).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tile_ids_names_and_sides_agree() {
        let tile = TileId::from_coordinates(139, 127, 64).unwrap();
        assert_eq!(tile, TileId(1702));
        assert_eq!(tile.coordinates(64), Some((139, 127)));
        assert_eq!(tile.corner(64), Some([768.0, -768.0]));
        assert_eq!(TileId(12).corner(5), Some([-64.0, -64.0]));
        for side in Side::ALL {
            let other = side.neighbour(tile, 64).unwrap();
            assert_eq!(side.opposite().neighbour(other, 64), Some(tile), "{side}");
            assert_eq!(side.group().side(), Some(side));
        }
        assert_eq!(Side::NegativeX.neighbour(TileId(64), 64), None);
        assert_eq!(Side::PositiveX.neighbour(TileId(63), 64), None);
        assert_eq!(Side::NegativeZ.neighbour(TileId(63), 64), None);
        assert_eq!(Side::NegativeX.neighbour(TileId(7), 0), None);
        assert_eq!(TileId::from_coordinates(100, 101, 64), None);
    }
}
