//! The nodes of a NavWorld and their links, as a file has them.

use super::WorldBuf;
use crate::record::{InsideLink, NavNode, SegmentIndex};
use crate::view::{Crossing, NodeLinks};
use zerocopy::IntoBytes;
use zerocopy::byteorder::little_endian::U16;

/// A node of a [`WorldBuf`]. How many links it has follows from the links that it was [pushed](WorldBuf::push_node) with.
///
/// It is one word, as behind the offset in a file: 12 bits of segment, from bit 16 on the number of links inside, from bit 24
/// on the crossing byte. So lists of nodes are measured and written many at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NodeBuf(u32);

impl std::fmt::Debug for NodeBuf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (inside, crossing) = (self.inside(), self.crossing_bits());
        f.debug_struct("NodeBuf")
            .field("segment", &self.segment())
            .field("inside", &inside)
            .field("crossing_bits", &crossing)
            .finish()
    }
}

impl NodeBuf {
    /// A node of a segment, whose number has 12 bits, without links.
    pub fn new(segment: SegmentIndex) -> Self {
        Self(u32::from(segment.0 & 0xFFF))
    }

    /// The node of a file, whose links are pushed with it.
    pub(super) fn read(node: &NavNode) -> Self {
        Self::new(node.segment()).linked(0, node.crossing_bits() & !7)
    }

    fn linked(self, inside: u8, crossing: u8) -> Self {
        Self(self.0 & 0xFFF | u32::from(inside) << 16 | u32::from(crossing) << 24)
    }

    /// The same node in another segment.
    #[must_use]
    pub fn with_segment(self, segment: SegmentIndex) -> Self {
        Self::new(segment).linked(self.inside(), self.crossing_bits())
    }

    /// The segment.
    #[inline]
    pub fn segment(&self) -> SegmentIndex {
        SegmentIndex((self.0 & 0xFFF) as u16)
    }

    /// How many links inside the segment it has.
    #[inline]
    pub fn inside(&self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// The crossing byte: three bits that tell the kind of the link out of the segment, and five that are zero in all
    /// files seen.
    #[inline]
    pub fn crossing_bits(&self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// Halfwords that its links take: two for each link inside, and one to three for the one out of the segment.
    #[inline]
    pub(crate) fn halfwords(self) -> u32 {
        let kind = self.0 >> 24 & 7;
        (self.0 >> 15 & 0x1FE).wrapping_add(kind).wrapping_sub(kind >> 2)
    }

    /// The record behind the offset of its links.
    #[inline]
    pub(crate) fn word(self) -> u32 {
        self.0
    }
}

/// The bits of a crossing byte that tell the kind of link, the words of that link, and how many of them there are.
fn stored(crossing: Option<Crossing>) -> (u8, [u16; 3], usize) {
    match crossing {
        None => (0, [0; 3], 0),
        Some(Crossing::Segment { node }) => (1, [node.0, 0, 0], 1),
        Some(Crossing::Group { group, node }) => (2, [group.0, node.0, 0], 2),
        Some(Crossing::Tile { tile, group, node }) => (4, [tile.0, group.0, node.0], 3),
    }
}

impl WorldBuf {
    /// Adds a node with its links inside the segment, 255 at most, and the one out of it. Positions and face references
    /// have lists of their own.
    pub fn push_node(&mut self, node: NodeBuf, inside: &[InsideLink], crossing: Option<Crossing>) {
        let count = u8::try_from(inside.len()).unwrap_or(u8::MAX);
        let (kind, words, len) = stored(crossing);
        for link in inside.iter().take(usize::from(count)) {
            self.links.extend([U16::new(link.node().0), U16::new(link.edge())]);
        }
        self.links.extend(words.into_iter().take(len).map(U16::new));
        self.nodes.push(node.linked(count, node.crossing_bits() & !7 | kind));
    }

    /// The links of every node, in order. It ends early where there are fewer links than the nodes claim.
    pub fn links(&self) -> impl Iterator<Item = NodeLinks<'_>> {
        let mut rest = self.links.as_bytes();
        self.nodes.iter().map_while(move |node| {
            let (these, later) = rest.split_at_checked((node.halfwords() << 1) as usize)?;
            rest = later;
            NodeLinks::read(these, usize::from(node.inside()), node.crossing_bits())
        })
    }

    /// The link out of its segment that each node has, in order.
    pub fn crossings(&self) -> impl Iterator<Item = Option<Crossing>> {
        self.links().map(|links| links.crossing)
    }

    /// Gives nodes other links out of their segments: what `change` makes of the number of a node and the link it has.
    pub fn set_crossings(&mut self, mut change: impl FnMut(usize, Option<Crossing>) -> Option<Crossing>) {
        let mut new = Self::default();
        new.nodes.reserve_exact(self.nodes.len());
        new.links.reserve(self.links.len());
        for (number, (node, links)) in self.nodes.iter().zip(self.links()).enumerate() {
            new.push_node(*node, links.inside, change(number, links.crossing));
        }
        (self.nodes, self.links) = (new.nodes, new.links);
    }
}
