//! Records of fixed size, exactly as they lie in the file: little-endian, alignment 1, unknown fields visible.
//!
//! Source of every layout: `docs/formats/fox.md`, by section.

use navmap_core::id;

mod file;
mod make;
mod mesh;
mod whole;
mod world;

pub use file::{Descriptor, EntryHeader, Header, PackedId, Position};
pub use mesh::{Bounds, FaceDescriptor, NavmeshHeader, Neighbour, Segment, SegmentChunkHeader};
pub use whole::{
    Bucket, ConnectGroup, ConnectHeader, ConnectInfo, ConnectNode, IslandGroupLink, IslandHeader, IslandLink,
    IslandNode, IslandTileLink, LowNode, SearchHeader, SideInfo, TileSide,
};
pub use world::{
    InsideLink, NavEdge, NavNode, NavWorldHeader, SegmentGraphHeader, SegmentGroupLink, SegmentInsideLink,
    SegmentNode, SegmentTileLink,
};

id! {
    /// A group of a tile, 15 bits: 4 is the body, 0 to 3 are the strips along its sides, 5 and above are in split parts.
    /// `docs/formats/fox.md`, sections 11 and 12.
    GroupId(u16);
    /// A tile of a map, 16 bits: `row × columns + column`. `docs/formats/fox.md`, sections 1 and 11.
    TileId(u16);
    /// A segment of a group: its index in the SegmentChunk.
    SegmentIndex(u16);
    /// A face of a group: its index in the NavmeshChunk.
    FaceIndex(u16);
    /// A navigation node of a group: its index in the NavWorld.
    NodeIndex(u16);
}
