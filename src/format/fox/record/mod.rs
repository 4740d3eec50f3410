//! Records of fixed size, exactly as they lie in the file: little-endian, alignment 1, unknown fields visible.
//!
//! Source of every layout: the format reference, by section.

#![forbid(unsafe_code)]

mod file;
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

/// Derives of every record: bytes in, bytes out, no padding, no alignment.
macro_rules! records {
    ($($(#[$meta:meta])* $name:ident[$size:literal] { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? })*) => { $(
        $(#[$meta])*
        #[derive(
            zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::KnownLayout, zerocopy::Immutable,
            zerocopy::Unaligned, Clone, Copy, Debug, PartialEq, Eq, Default,
        )]
        #[repr(C)]
        pub struct $name { $($(#[$field_meta])* $field: $type),* }
        const _: () = assert!(size_of::<$name>() == $size && align_of::<$name>() == 1);
    )* };
}
use records;

/// An index or id that the file stores, under its own type so that two kinds never mix.
macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[cfg_attr(feature = "serde", serde(transparent))]
        pub struct $name(pub u16);

        impl $name {
            /// The number, to index with.
            #[inline]
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }
    )* };
}

ids! {
    /// A group of a tile, 15 bits: 4 is the body, 0 to 3 are the strips along its sides, 5 and up lie in split parts.
    /// Sections 11 and 12.
    GroupId;
    /// A tile of a map, 16 bits: `row × columns + column`. Sections 1 and 11.
    TileId;
    /// A segment of a group, counted in its SegmentChunk.
    SegmentIndex;
    /// A face of a group, counted in its NavmeshChunk.
    FaceIndex;
    /// A navigation node of a group, counted in its NavWorld.
    NodeIndex;
}
