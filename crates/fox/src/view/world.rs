//! NavWorld: the graph of midpoints that paths run over. `docs/formats/fox.md`, section 6.

use super::stretch::{Stretch, out_of_range};
use crate::record::{
    FaceIndex, GroupId, InsideLink, NavEdge, NavNode, NavWorldHeader, NodeIndex, Position, TileId,
};
use navmap_core::error::{Error, Result};
use zerocopy::FromBytes;
use zerocopy::byteorder::little_endian::U16;

/// The graph of one group: a node at the midpoint of every side of every face, an edge between any two nodes of a face.
#[derive(Clone, Copy, Debug)]
pub struct NavWorld<'a> {
    header: &'a NavWorldHeader,
    positions: &'a [Position],
    nodes: &'a [NavNode],
    edges: &'a [NavEdge],
    attributes: &'a [U16],
    faces: &'a [U16],
    links: Stretch<'a>,
    payload_at: u64,
}

impl<'a> NavWorld<'a> {
    pub(crate) fn parse(payload: Stretch<'a>) -> Result<Self> {
        let header: &NavWorldHeader = payload.record(0, "NavWorld")?;
        let (nodes, edges) = (usize::from(header.node_count()), usize::from(header.edge_count()));
        let links = if nodes == 0 { 0 } else { u64::from(header.links_offset()) };
        Ok(Self {
            header,
            positions: payload.slice(u64::from(header.positions_offset()), nodes, "node positions")?,
            nodes: payload.slice(u64::from(header.nodes_offset()), nodes, "nodes")?,
            edges: payload.slice(u64::from(header.edges_offset()), edges, "edges")?,
            attributes: payload.slice(
                u64::from(header.attributes_offset()),
                usize::from(header.attribute_count()),
                "attributes",
            )?,
            faces: payload.slice(u64::from(header.faces_offset()), nodes, "face references")?,
            links: payload.after(links, "node links")?,
            payload_at: payload.base(),
        })
    }

    /// The head.
    #[inline]
    pub fn header(&self) -> &'a NavWorldHeader {
        self.header
    }
    /// Positions of the nodes, in place.
    #[inline]
    pub fn positions(&self) -> &'a [Position] {
        self.positions
    }
    /// The nodes, in place.
    #[inline]
    pub fn nodes(&self) -> &'a [NavNode] {
        self.nodes
    }
    /// The edges, in place: three to a face.
    #[inline]
    pub fn edges(&self) -> &'a [NavEdge] {
        self.edges
    }
    /// For each segment, a bit set of who may use it, in place. `0x04E1` on 92 % of the game's segments.
    #[inline]
    pub fn attributes(&self) -> &'a [U16] {
        self.attributes
    }
    /// For each node, a face of its segment that has it, in place. If two faces share the node, it may be either.
    #[inline]
    pub fn face_references(&self) -> &'a [U16] {
        self.faces
    }
    /// The face that names this node.
    #[inline]
    pub fn face_of(&self, node: NodeIndex) -> Option<FaceIndex> {
        self.faces.get(node.index()).map(|face| FaceIndex(face.get()))
    }
    /// Offset in the file of the first edge.
    #[inline]
    pub fn edges_offset(&self) -> u64 {
        self.payload_at.saturating_add(u64::from(self.header.edges_offset()))
    }
    /// Offset in the file of a node's record.
    #[inline]
    pub fn node_offset(&self, node: usize) -> u64 {
        let nodes = self.payload_at.saturating_add(u64::from(self.header.nodes_offset()));
        nodes.saturating_add((node as u64).saturating_mul(size_of::<NavNode>() as u64))
    }

    /// The links of one of this group's nodes, in place.
    ///
    /// # Errors
    /// If they exceed the entry, more than one crossing bit is set, or the offset has extension bits.
    #[inline]
    pub fn links(&self, node: &NavNode) -> Result<NodeLinks<'a>> {
        let offset = node.link_offset();
        let rest = self.links.bytes().get(offset..);
        match rest.and_then(|rest| NodeLinks::read(rest, node.inside_links(), node.crossing_bits())) {
            Some(links) if node.offset_extension() == 0 => Ok(links),
            _ => Err(self.bad_links(node)),
        }
    }

    #[cold]
    fn bad_links(&self, node: &NavNode) -> Error {
        let offset = self.links.absolute(node.link_offset() as u64);
        if node.offset_extension() != 0 {
            let why = format!("extension bits {:#x} are not supported", node.offset_extension());
            return Error::invalid("link offset", why).at(offset);
        }
        let crossing = match node.crossing_bits() & 7 {
            bits @ 0..=2 => u64::from(bits) << 1,
            4 => 6,
            bits => {
                return Error::invalid("node", format!("crossing bits {bits:#b} are more than one"))
                    .at(offset);
            }
        };
        let needed = (node.inside_links() as u64).saturating_mul(4).saturating_add(crossing);
        match self.links.part(node.link_offset() as u64, needed, "node links") {
            Err(error) => error,
            Ok(_) => Error::invalid("node links", "changed while they were read").at(offset),
        }
    }

    /// The links of node `index`.
    ///
    /// # Errors
    /// If there is no such node, and those of [`links`](Self::links).
    #[inline]
    pub fn links_of(&self, index: NodeIndex) -> Result<NodeLinks<'a>> {
        let node = self
            .nodes
            .get(index.index())
            .ok_or_else(|| out_of_range("node", index.index(), self.nodes.len(), self.node_offset(0)))?;
        self.links(node).map_err(|error| error.in_record("node", u64::from(index.0)))
    }

    /// The nodes with a link out of the tile, each with the target tile and group. Unreadable nodes are skipped.
    #[inline]
    pub fn tile_crossings(&self) -> impl Iterator<Item = (NodeIndex, TileId, GroupId)> + use<'a> {
        let world = *self;
        world.nodes.iter().zip(0..=u16::MAX).filter(|(node, _)| node.leaves_tile()).filter_map(
            move |(node, index)| match world.links(node).ok()?.crossing? {
                Crossing::Tile { tile, group, .. } => Some((NodeIndex(index), tile, group)),
                _ => None,
            },
        )
    }
}

/// The links of one node: those inside its segment, and at most one that leaves it.
#[derive(Clone, Copy, Debug)]
pub struct NodeLinks<'a> {
    /// To the other nodes of the one or two faces that the node lies on; in place.
    pub inside: &'a [InsideLink],
    /// To the node at the same position in another segment, group or tile.
    pub crossing: Option<Crossing>,
}

impl<'a> NodeLinks<'a> {
    /// The links at the start of these bytes: `inside` links within the segment, and the one out of it if the crossing byte has
    /// one. `None` if they are incomplete, or if the byte has more than one.
    #[inline]
    pub(crate) fn read(bytes: &'a [u8], inside: usize, crossing: u8) -> Option<Self> {
        let (inside, rest) = <[InsideLink]>::ref_from_prefix_with_elems(bytes, inside).ok()?;
        let crossing = match crossing & 7 {
            0 => None,
            1 => {
                let ([node], _) = <[U16; 1]>::ref_from_prefix(rest).ok()?;
                Some(Crossing::Segment { node: NodeIndex(node.get()) })
            }
            2 => {
                let ([group, node], _) = <[U16; 2]>::ref_from_prefix(rest).ok()?;
                Some(Crossing::Group { group: GroupId(group.get()), node: NodeIndex(node.get()) })
            }
            4 => {
                let ([tile, group, node], _) = <[U16; 3]>::ref_from_prefix(rest).ok()?;
                Some(Crossing::Tile {
                    tile: TileId(tile.get()),
                    group: GroupId(group.get()),
                    node: NodeIndex(node.get()),
                })
            }
            _ => return None,
        };
        Some(Self { inside, crossing })
    }

    /// Size of the links in the file, in bytes.
    #[inline]
    pub fn byte_len(&self) -> usize {
        let crossing = match self.crossing {
            None => 0,
            Some(Crossing::Segment { .. }) => 2,
            Some(Crossing::Group { .. }) => 4,
            Some(Crossing::Tile { .. }) => 6,
        };
        size_of_val(self.inside).saturating_add(crossing)
    }
}

/// The target of a node's link out of its segment: a node at the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// Another segment of the same group; mutual.
    Segment {
        /// The node.
        node: NodeIndex,
    },
    /// Another group of the same tile, which may lie in another split part; mutual.
    Group {
        /// The group.
        group: GroupId,
        /// The node in that group.
        node: NodeIndex,
    },
    /// Another tile. The node is found by its position: see [`TileSet`](crate::TileSet).
    Tile {
        /// The tile.
        tile: TileId,
        /// The group of that tile.
        group: GroupId,
        /// `0xFFFF` in every file seen.
        node: NodeIndex,
    },
}
