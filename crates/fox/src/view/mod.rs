//! Borrowed views: the file, its entries, and a group's four parts.

mod entry;
mod file;
mod frame;
mod group;
mod islands;
mod mesh;
mod search;
mod segment_graph;
mod stretch;
mod world;

pub use entry::{Entries, Entry};
pub(super) use file::OBJ2NAV2;
pub(super) use file::read_header;
pub use file::{FoxNav, MOST_ENTRIES, OLDER_VERSION, VERSION};
pub use frame::Frame;
pub use group::{Group, GroupFace, SegmentView};
pub use islands::{ConnectTiles, IslandGraph, IslandLinks};
pub use mesh::{Adjacent, Corners, Face, NavmeshChunk, SegmentChunk};
pub use search::{Listing, Listings, SearchSpace};
pub use segment_graph::{SegmentGraph, SegmentLinks};
pub(super) use stretch::Stretch;
pub use world::{Crossing, NavWorld, NodeLinks};
