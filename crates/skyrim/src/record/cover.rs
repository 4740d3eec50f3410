//! Cover as Fallout 4 and Starfield keep it (`docs/formats/skyrim.md`, section 4).

use navmap_core::record;
use zerocopy::byteorder::little_endian::{U16, U32};

record! {
    /// A piece of cover along a border, 8 bytes (NVNM version 15, section 4).
    pub CoverSegment[8] {
        a: U16,
        b: U16,
        /// Heights, sides and the two bits above. Most of it is unknown.
        data: U32 => u32,
    }
}

/// One end of a piece of cover.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CoverEnd {
    /// At this vertex.
    Vertex(u16),
    /// Along the covered border: 0 at its start, 1 at its end.
    Along(f32),
}

impl CoverEnd {
    fn from_stored(value: u16, along: bool) -> Self {
        if along { Self::Along(f32::from(value) / 65_535.0) } else { Self::Vertex(value) }
    }

    pub(crate) fn vertex(self) -> Option<u16> {
        match self {
            Self::Vertex(vertex) => Some(vertex),
            Self::Along(_) => None,
        }
    }
}

impl CoverSegment {
    fn renumbered(self, along: [u32; 2], to: impl Fn(u16) -> u16) -> Self {
        let [a, b] = along;
        let end =
            |stored: U16, bit: u32| if self.data.get() & bit == 0 { to(stored.get()).into() } else { stored };
        Self { a: end(self.a, a), b: end(self.b, b), ..self }
    }

    /// The same with other numbers of vertices.
    pub(crate) fn with_vertices(self, to: impl Fn(u16) -> u16) -> Self {
        self.renumbered([1, 2], to)
    }
}

impl CoverSegment17 {
    /// The same with other numbers of vertices.
    pub(crate) fn with_vertices(self, to: impl Fn(u16) -> u16) -> Self {
        Self { segment: self.segment.renumbered([0x80, 0x100], to), ..self }
    }
}

impl CoverEdge {
    /// The same on another edge.
    pub(crate) fn at(self, triangle: u16, edge: u8) -> Self {
        Self { key: ((triangle << 2) | u16::from(edge & 3)).into(), ..self }
    }
}

impl CoverSegment {
    /// Where it begins (bit 0 of the data tells vertex from fraction).
    #[inline]
    pub fn start(&self) -> CoverEnd {
        CoverEnd::from_stored(self.a.get(), self.data.get() & 1 != 0)
    }
    /// Where it ends (bit 1).
    #[inline]
    pub fn end(&self) -> CoverEnd {
        CoverEnd::from_stored(self.b.get(), self.data.get() & 2 != 0)
    }
}

record! {
    /// A piece of cover along a border, 12 bytes (NVNM version 17).
    pub CoverSegment17[12] {
        segment: CoverSegment,
        /// Second word of data, of unknown meaning.
        unknown_0x08: U32 => u32,
    }
}

impl CoverSegment17 {
    /// Where it begins (bit 7 of the data tells vertex from fraction).
    #[inline]
    pub fn start(&self) -> CoverEnd {
        CoverEnd::from_stored(self.segment.a.get(), self.segment.data() & 0x80 != 0)
    }
    /// Where it ends (bit 8).
    #[inline]
    pub fn end(&self) -> CoverEnd {
        CoverEnd::from_stored(self.segment.b.get(), self.segment.data() & 0x100 != 0)
    }
    /// Heights, sides and the two bits above. Most of it is unknown.
    #[inline]
    pub fn data(&self) -> u32 {
        self.segment.data()
    }
}

record! {
    /// Which cover an edge has, 4 bytes (section 4). Unsorted.
    pub CoverEdge[4] {
        key: U16,
        /// Index of the first piece of cover on this edge.
        segment: U16 => u16,
    }
}

impl CoverEdge {
    /// Index of the triangle.
    #[inline]
    pub fn triangle(&self) -> u16 {
        self.key.get() >> 2
    }
    /// Edge of the triangle, 0 to 2 (3 does not occur).
    #[inline]
    pub fn edge(&self) -> u8 {
        (self.key.get() & 3) as u8
    }
}
