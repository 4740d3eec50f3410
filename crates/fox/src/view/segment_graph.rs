//! SegmentGraph: the coarse graph, one node per segment. `docs/formats/fox.md`, section 7.

use super::stretch::{Stretch, out_of_range};
use crate::record::{
    Position, SegmentGraphHeader, SegmentGroupLink, SegmentIndex, SegmentInsideLink, SegmentNode,
    SegmentTileLink,
};
use navmap_core::error::Result;

/// The coarse graph of one group. Its links name the NavWorld nodes at which they cross.
#[derive(Clone, Copy, Debug)]
pub struct SegmentGraph<'a> {
    header: &'a SegmentGraphHeader,
    positions: &'a [Position],
    nodes: &'a [SegmentNode],
    links: Stretch<'a>,
    nodes_at: u64,
}

impl<'a> SegmentGraph<'a> {
    pub(crate) fn parse(payload: Stretch<'a>) -> Result<Self> {
        let header: &SegmentGraphHeader = payload.record(0, "SegmentGraph")?;
        let count = usize::from(header.count());
        let links = if count == 0 { 0 } else { u64::from(header.links_offset()) };
        Ok(Self {
            header,
            positions: payload.slice(u64::from(header.positions_offset()), count, "segment positions")?,
            nodes: payload.slice(u64::from(header.nodes_offset()), count, "segment nodes")?,
            links: payload.after(links, "segment links")?,
            nodes_at: payload.absolute(u64::from(header.nodes_offset())),
        })
    }

    /// The head.
    #[inline]
    pub fn header(&self) -> &'a SegmentGraphHeader {
        self.header
    }
    /// One position for each node, in place. It is always that of one of the segment's NavWorld nodes.
    #[inline]
    pub fn positions(&self) -> &'a [Position] {
        self.positions
    }
    /// The nodes, in place: one per segment. Obj2Nav2 leaves out empty segments.
    #[inline]
    pub fn nodes(&self) -> &'a [SegmentNode] {
        self.nodes
    }
    /// Offset in the file of a node's record.
    #[inline]
    pub fn node_offset(&self, node: usize) -> u64 {
        self.nodes_at.saturating_add((node as u64).saturating_mul(size_of::<SegmentNode>() as u64))
    }

    /// The links of one of this graph's nodes, in place. Visits the links once, to find the end of the NavWorld node indices.
    ///
    /// # Errors
    /// If they exceed the entry.
    #[inline]
    pub fn links(&self, node: &SegmentNode) -> Result<SegmentLinks<'a>> {
        let rest = self.links.after(node.link_offset() as u64, "segment links")?;
        let mut cursor = rest.cursor();
        let inside: &[SegmentInsideLink] = cursor.slice(node.inside_links(), "links inside the group")?;
        let groups: &[SegmentGroupLink] = cursor.slice(node.group_links(), "links to groups")?;
        let tiles: &[SegmentTileLink] = cursor.slice(node.tile_links(), "links to tiles")?;
        let crossings = inside.iter().map(SegmentInsideLink::crossings);
        let crossings = crossings.chain(groups.iter().map(SegmentGroupLink::crossings));
        let crossings = crossings.chain(tiles.iter().map(SegmentTileLink::crossings));
        let count = crossings.fold(0, usize::saturating_add);
        let indices = cursor.bytes(count, "node indices of links")?;
        Ok(SegmentLinks { inside, groups, tiles, indices })
    }

    /// The links of segment `index`.
    ///
    /// # Errors
    /// If there is no such node, and those of [`links`](Self::links).
    #[inline]
    pub fn links_of(&self, index: SegmentIndex) -> Result<SegmentLinks<'a>> {
        let node = self.nodes.get(index.index()).ok_or_else(|| {
            out_of_range("segment node", index.index(), self.nodes.len(), self.node_offset(0))
        })?;
        self.links(node).map_err(|error| error.in_record("segment node", u64::from(index.0)))
    }
}

/// The coarse links of one segment, in place, by kind of target.
#[derive(Clone, Copy, Debug)]
pub struct SegmentLinks<'a> {
    /// To segments of the same group.
    pub inside: &'a [SegmentInsideLink],
    /// To segments of other groups of the tile.
    pub groups: &'a [SegmentGroupLink],
    /// To groups of other tiles.
    pub tiles: &'a [SegmentTileLink],
    /// The NavWorld nodes at which the links above cross, in the order of the links, counted from the segment's first
    /// node.
    pub indices: &'a [u8],
}

impl<'a> SegmentLinks<'a> {
    /// The crossing nodes of each link: of links inside, then of links to groups, then of links to tiles.
    pub fn crossings(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let Self { inside, groups, tiles, indices } = *self;
        let counts = inside
            .iter()
            .map(SegmentInsideLink::crossings)
            .chain(groups.iter().map(SegmentGroupLink::crossings))
            .chain(tiles.iter().map(SegmentTileLink::crossings));
        counts.scan(indices, |rest, count| {
            let (these, later) = rest.split_at_checked(count)?;
            *rest = later;
            Some(these)
        })
    }

    /// Size of the links in the file, in bytes.
    #[inline]
    pub fn byte_len(&self) -> usize {
        size_of_val(self.inside)
            .saturating_add(size_of_val(self.groups))
            .saturating_add(size_of_val(self.tiles))
            .saturating_add(self.indices.len())
    }
}
