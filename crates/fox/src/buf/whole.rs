//! Island graphs and search space, owned.

use crate::record::{
    IslandGroupLink, IslandLink, IslandTileLink, LowNode, PackedId, Position, SideInfo, TileSide,
};
use zerocopy::byteorder::little_endian::{F32, U16};

/// An island graph.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct IslandGraphBuf {
    /// The islands.
    pub islands: Vec<IslandBuf>,
    /// The four sides of the tile.
    pub sides: [TileSide; 4],
    /// The exits of the tile, side by side.
    pub infos: Vec<SideInfo>,
}

/// An island of an [`IslandGraphBuf`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct IslandBuf {
    /// The position of its low node.
    pub position: Position,
    /// The attribute that all of its segments share.
    pub attribute: u16,
    /// Links to islands that are stored with other groups.
    pub groups: Vec<IslandGroupLink>,
    /// Links to islands of the same graph.
    pub inside: Vec<IslandLink>,
    /// Links out of the tile.
    pub tiles: Vec<IslandTileLink>,
    /// Its location in the finer graphs.
    pub low: LowNode,
    /// The number of its segments over all parts of the tile.
    pub segments: u16,
}

/// A search space: a grid of buckets that list segments.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SearchBuf {
    /// Origin of the grid in metres.
    pub origin: [F32; 3],
    /// The largest quantised y.
    pub y_range: u16,
    /// Zero in all files seen.
    pub unknown_0x0e: u16,
    /// Buckets along x, y and z. Their product is the number of buckets.
    pub counts: [u32; 3],
    /// Side of a bucket in metres.
    pub side: u32,
    /// Height of a bucket in metres.
    pub height: u32,
    /// The buckets: x runs fastest.
    pub buckets: Vec<BucketBuf>,
    /// The listings, bucket by bucket.
    pub listings: Vec<ListingBuf>,
    /// The listed segments, in the order of the listings.
    pub segments: Vec<U16>,
}

/// A bucket of a [`SearchBuf`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BucketBuf {
    /// The number of its listings.
    pub listings: u16,
    /// Lowest and highest quantised y of the listed segments, divided by 256.
    pub heights: [u8; 2],
}

/// The listing of one group in a bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListingBuf {
    /// Group and tile.
    pub id: PackedId,
    /// The number of segments listed.
    pub segments: u32,
}

impl BucketBuf {
    /// A bucket with `listings` listings, of segments between two heights.
    pub fn new(listings: u16, heights: [u8; 2]) -> Self {
        Self { listings, heights }
    }
}

impl ListingBuf {
    /// A listing of `segments` segments of a group.
    pub fn new(id: PackedId, segments: u32) -> Self {
        Self { id, segments }
    }
}
