//! Island graphs (Section2) and connect-tile info (Section3): the coarsest views of a tile. `docs/formats/fox.md`,
//! sections 9 and 10.

use super::stretch::Stretch;
use crate::record::{
    ConnectGroup, ConnectHeader, ConnectInfo, ConnectNode, IslandGroupLink, IslandHeader, IslandLink,
    IslandNode, IslandTileLink, LowNode, SideInfo, TileSide,
};
use navmap_core::error::Result;
use zerocopy::byteorder::little_endian::U16;

/// An island graph: connected sets of segments with equal attribute, and the links between them. Graph 0 is in use; 1 and 2 are
/// empty in every file seen.
#[derive(Clone, Copy, Debug)]
pub struct IslandGraph<'a> {
    header: &'a IslandHeader,
    nodes: &'a [IslandNode],
    low: &'a [LowNode],
    segments: &'a [U16],
    sides: &'a [TileSide; 4],
    infos: &'a [SideInfo],
    links: Stretch<'a>,
    at: Stretch<'a>,
}

impl<'a> IslandGraph<'a> {
    pub(crate) fn parse(at: Stretch<'a>) -> Result<Self> {
        let header: &IslandHeader = at.record(0, "island graph")?;
        let at = at.part(0, u64::from(header.next()), "island graph")?;
        let count = usize::from(header.count());
        let sides: &[TileSide; 4] = at.record(u64::from(header.sides_offset()), "sides of the tile")?;
        // Every side names a range of infos. The table ends with the highest end.
        let reach = |side: &TileSide| usize::from(side.first()).saturating_add(usize::from(side.count()));
        let infos = sides.iter().filter(|side| side.count() > 0).map(reach).max().unwrap_or(0);
        let links = if count == 0 { 0 } else { u64::from(header.links_offset()) };
        Ok(Self {
            header,
            nodes: at.slice(u64::from(header.nodes_offset()), count, "islands")?,
            low: at.slice(u64::from(header.low_offset()), count, "low nodes")?,
            segments: at.slice(u64::from(header.segments_offset()), count, "segment counts")?,
            sides,
            infos: at.slice(u64::from(header.infos_offset()), infos, "side infos")?,
            links: at.after(links, "island links")?,
            at,
        })
    }

    /// The head.
    pub fn header(&self) -> &'a IslandHeader {
        self.header
    }
    /// Offset of the graph in the file.
    pub fn offset(&self) -> u64 {
        self.at.base()
    }
    /// Offset in the file of an island's record.
    pub fn island_offset(&self, island: usize) -> u64 {
        let record = (island as u64).saturating_mul(size_of::<IslandNode>() as u64);
        self.at.absolute(u64::from(self.header.nodes_offset()).saturating_add(record))
    }
    /// The islands, in place.
    pub fn islands(&self) -> &'a [IslandNode] {
        self.nodes
    }
    /// For each island, the node of the finer graphs at its position, in place.
    pub fn low_nodes(&self) -> &'a [LowNode] {
        self.low
    }
    /// For each island, the number of its segments over all parts of the tile, in place.
    pub fn segment_counts(&self) -> &'a [U16] {
        self.segments
    }
    /// The four sides of the tile, in place, numbered as [`Side`](crate::Side).
    pub fn sides(&self) -> &'a [TileSide; 4] {
        self.sides
    }
    /// The infos of all sides, in place.
    pub fn side_infos(&self) -> &'a [SideInfo] {
        self.infos
    }

    /// The links of one of this graph's islands, in place.
    ///
    /// # Errors
    /// If they exceed the graph.
    pub fn links(&self, island: &IslandNode) -> Result<IslandLinks<'a>> {
        let mut cursor = self.links.after(island.link_offset() as u64, "island links")?.cursor();
        Ok(IslandLinks {
            groups: cursor.slice(island.group_links(), "island links to groups")?,
            inside: cursor.slice(island.inside_links(), "island links")?,
            tiles: cursor.slice(island.tile_links(), "island links to tiles")?,
        })
    }

    /// The info named by a link out of the tile: the exit it takes.
    pub fn side_info(&self, link: &IslandTileLink) -> Option<&'a SideInfo> {
        let side = self.sides.get(usize::from(link.side())).filter(|side| link.info() < side.count())?;
        self.infos.get(usize::from(side.first()).checked_add(usize::from(link.info()))?)
    }
}

/// The links of one island, in place, in the order of the file.
#[derive(Clone, Copy, Debug)]
pub struct IslandLinks<'a> {
    /// To islands stored with other groups.
    pub groups: &'a [IslandGroupLink],
    /// To islands of the same graph.
    pub inside: &'a [IslandLink],
    /// Out of the tile.
    pub tiles: &'a [IslandTileLink],
}

impl IslandLinks<'_> {
    /// Size of the links in the file, in bytes.
    pub fn byte_len(&self) -> usize {
        size_of_val(self.groups)
            .saturating_add(size_of_val(self.inside))
            .saturating_add(size_of_val(self.tiles))
    }
}

/// The connect-tile info as raw bytes, and parsed by a public template that no file seen confirms.
#[derive(Clone, Copy, Debug)]
pub struct ConnectTiles<'a> {
    at: Stretch<'a>,
}

impl<'a> ConnectTiles<'a> {
    pub(crate) fn new(at: Stretch<'a>) -> Self {
        Self { at }
    }
    /// The bytes, up to the next section.
    pub fn bytes(&self) -> &'a [u8] {
        self.at.bytes()
    }
    /// Offset in the file.
    pub fn offset(&self) -> u64 {
        self.at.base()
    }
    /// The head.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn header(&self) -> Result<&'a ConnectHeader> {
        self.at.record(0, "connect-tile info")
    }
    /// Named groups of connections, in place.
    ///
    /// # Errors
    /// If they exceed the section.
    pub fn groups(&self) -> Result<&'a [ConnectGroup]> {
        let header = self.header()?;
        self.at.slice(header.groups_offset() as u64, usize::from(header.group_count()), "connect groups")
    }
    /// Connections, in place.
    ///
    /// # Errors
    /// If they exceed the section.
    pub fn infos(&self) -> Result<&'a [ConnectInfo]> {
        let header = self.header()?;
        self.at.slice(header.infos_offset() as u64, usize::from(header.info_count()), "connect infos")
    }
    /// Nodes of connections, in place.
    ///
    /// # Errors
    /// If they exceed the section.
    pub fn nodes(&self) -> Result<&'a [ConnectNode]> {
        let header = self.header()?;
        self.at.slice(header.nodes_offset() as u64, usize::from(header.node_count()), "connect nodes")
    }
}
