//! The nodes of a NavWorld and their links, as a file has them.

use crate::record::{NavNode, SegmentIndex};

/// A node of a [`WorldBuf`](super::WorldBuf). Its number of links follows from the links it was
/// [pushed](super::WorldBuf::push_node) with.
///
/// One word, the same as after the offset in a file: 12 bits of segment, the number of inside links from bit 16 on, the crossing
/// byte from bit 24 on. So lists of nodes are measured and written many at a time.
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
    /// A node of a segment without links. The segment number has 12 bits.
    pub fn new(segment: SegmentIndex) -> Self {
        Self(u32::from(segment.0 & 0xFFF))
    }

    /// A node of a file. Its links are pushed with it.
    pub(super) fn read(node: &NavNode) -> Self {
        Self::new(node.segment()).linked(0, node.crossing_bits() & !7)
    }

    pub(super) fn linked(self, inside: u8, crossing: u8) -> Self {
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

    /// The number of its links inside the segment.
    #[inline]
    pub fn inside(&self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// The crossing byte: three bits for the kind of the link out of the segment, and five that are zero in all files seen.
    #[inline]
    pub fn crossing_bits(&self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// Halfwords of its links: two for each link inside, and one to three for the one out of the segment.
    #[inline]
    pub(crate) fn halfwords(self) -> u32 {
        let kind = self.0 >> 24 & 7;
        (self.0 >> 15 & 0x1FE).wrapping_add(kind).wrapping_sub(kind >> 2)
    }

    /// The record after the offset of its links.
    #[inline]
    pub(crate) fn word(self) -> u32 {
        self.0
    }
}
