//! Nodes and links of 37 and 41, whose length depends on the number of hulls.

use super::flags::{Hull, Moves, NodeKind};
use super::layout::Layout;
use super::record::{LinkEnds, NodeEnd37, NodeEnd41, NodeFront, moves_of};
use navmap_core::in_order;
use zerocopy::FromBytes;
use zerocopy::byteorder::little_endian::F32;

/// A node of version 37 or 41, in place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AinNode<'a> {
    front: &'a NodeFront,
    offsets: &'a [F32],
    kind: NodeKind,
    info: u32,
    zone: i16,
}

impl<'a> AinNode<'a> {
    fn parse(bytes: &'a [u8], layout: Layout) -> Option<Self> {
        let (front, rest) = NodeFront::ref_from_prefix(bytes).ok()?;
        let (offsets, end) = <[F32]>::ref_from_prefix_with_elems(rest, layout.hulls.into()).ok()?;
        let (kind, info, zone) = if layout.wide {
            let end = NodeEnd41::ref_from_bytes(end).ok()?;
            (end.kind, end.info.get(), end.zone.get())
        } else {
            let end = NodeEnd37::ref_from_bytes(end).ok()?;
            (end.kind, end.info.get().into(), end.zone.get())
        };
        Some(Self { front, offsets, kind: NodeKind(kind), info, zone })
    }

    /// Where the map has it: at the floor, or up to some feet above.
    #[inline]
    pub fn origin(&self) -> [f32; 3] {
        self.front.origin()
    }
    /// Which way it looks, degrees.
    #[inline]
    pub fn yaw(&self) -> f32 {
        self.front.yaw()
    }
    /// How far above the node the origin of each hull stands; below it, where negative.
    #[inline]
    pub fn offsets(&self) -> &'a [F32] {
        self.offsets
    }
    /// Ground, air, climb.
    #[inline]
    pub fn kind(&self) -> NodeKind {
        self.kind
    }
    /// The bits of [`NodeInfo`](super::NodeInfo): 16 of them in version 37, 32 in 41.
    #[inline]
    pub fn info(&self) -> u32 {
        self.info
    }
    /// The connected part of the graph that it lies in, from 4 on. 0 is unknown, 1 a node without links, 3 a node that belongs to
    /// every part.
    #[inline]
    pub fn zone(&self) -> i16 {
        self.zone
    }
}

/// Nodes of version 37 or 41, in place.
#[derive(Debug, Clone, Copy)]
pub struct AinNodes<'a> {
    bytes: &'a [u8],
    count: usize,
    layout: Layout,
}

impl<'a> AinNodes<'a> {
    pub(super) fn new(bytes: &'a [u8], count: usize, layout: Layout) -> Self {
        Self { bytes, count, layout }
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.count
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// The node of this index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<AinNode<'a>> {
        let len = self.layout.node_len();
        let bytes = self.bytes.get(index.checked_mul(len)?..)?.get(..len)?;
        AinNode::parse(bytes, self.layout).filter(|_| index < self.count)
    }
    /// The nodes in file order. Allocates nothing.
    pub fn iter(&self) -> navmap_core::format::InOrder<Self> {
        self.into_iter()
    }
}

in_order!(impl<'a> AinNodes<'a> => AinNode<'a>);

/// A link of version 37 or 41, in place. It is stored once and works both ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AinLink<'a> {
    ends: &'a LinkEnds,
    moves: &'a [u8],
}

impl<'a> AinLink<'a> {
    /// One end, as stored.
    #[inline]
    pub fn source(&self) -> i16 {
        self.ends.source.get()
    }
    /// The other end, as stored.
    #[inline]
    pub fn target(&self) -> i16 {
        self.ends.target.get()
    }
    /// How a hull passes it; nothing if it cannot.
    #[inline]
    pub fn moves(&self, hull: Hull) -> Moves {
        moves_of(self.moves, hull.index())
    }
    /// How each hull passes it: a byte of [`Moves`] each.
    #[inline]
    pub fn moves_of_hulls(&self) -> &'a [u8] {
        self.moves
    }
}

/// Links of version 37 or 41, in place.
#[derive(Debug, Clone, Copy)]
pub struct AinLinks<'a> {
    bytes: &'a [u8],
    count: usize,
    layout: Layout,
}

impl<'a> AinLinks<'a> {
    pub(super) fn new(bytes: &'a [u8], count: usize, layout: Layout) -> Self {
        Self { bytes, count, layout }
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.count
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// The link of this index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<AinLink<'a>> {
        let len = self.layout.link_len();
        let bytes = self.bytes.get(index.checked_mul(len)?..)?.get(..len)?;
        let (ends, moves) = LinkEnds::ref_from_prefix(bytes).ok()?;
        (index < self.count).then_some(AinLink { ends, moves })
    }
    /// The links in file order. Allocates nothing.
    pub fn iter(&self) -> navmap_core::format::InOrder<Self> {
        self.into_iter()
    }
}

in_order!(impl<'a> AinLinks<'a> => AinLink<'a>);
