//! The tiles of a map, as an index sees them that lets single ones join and leave.

/// A tile of a map. Its nodes come one after the other, behind those of the tiles before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapTile {
    /// Its number, by which the tiles are ordered and links to the outside ([`Passage::beyond`](super::Passage::beyond)) name it.
    pub key: u64,
    /// Column and row. Unless a link [names](super::Passage::beyond) another, it leads to this tile or to one of the eight around it.
    pub at: [i32; 2],
    /// The number of its files.
    pub files: usize,
    /// The number of its nodes.
    pub nodes: u32,
    /// The number of its groups, which are counted over the whole map.
    pub groups: u32,
    /// How many [numbers](super::Passage::number) of links it brings, which are counted over the whole map.
    pub numbers: u32,
    /// Whether the upper half of its nodes' ids is its position among the tiles.
    pub counted: bool,
}
