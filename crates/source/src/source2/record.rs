//! On-disk records of fixed size.

use crate::flags::Direction;
use crate::record::{AreaId, Ladder, Vec3};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, U32};

record! {
    /// A link over an edge of a polygon to an edge of another area. 8 bytes.
    pub EdgeLink[8] { area: AreaId, edge: U32 }
}

impl EdgeLink {
    /// A connection to an edge of an area.
    pub fn new(area: AreaId, edge: u32) -> Self {
        Self { area, edge: edge.into() }
    }

    /// The area it leads to.
    #[inline]
    pub fn area(&self) -> AreaId {
        self.area
    }

    /// The edge of that area over which one arrives, from 0.
    #[inline]
    pub fn edge(&self) -> u32 {
        self.edge.get()
    }
}

record! {
    /// A ladder of version 35 and later: a ladder of Source with two more areas. 68 bytes.
    pub WideLadder[68] { ladder: Ladder, bottom_left: AreaId, bottom_right: AreaId }
}

impl WideLadder {
    /// What it has in common with a ladder of Source.
    #[inline]
    pub fn ladder(&self) -> &Ladder {
        &self.ladder
    }

    /// Area to the left at the bottom; 0 for none.
    #[inline]
    pub fn bottom_left(&self) -> AreaId {
        self.bottom_left
    }

    /// Area to the right at the bottom; 0 for none.
    #[inline]
    pub fn bottom_right(&self) -> AreaId {
        self.bottom_right
    }

    /// The way the ladder faces.
    pub fn direction(&self) -> Option<Direction> {
        self.ladder.direction()
    }
}

record! {
    /// A box and a transform after the ladders: two in one file of Half-Life: Alyx, purpose unknown. 72 bytes.
    pub UnknownBox[72] { min: Vec3, max: Vec3, matrix: [F32; 12] }
}

impl UnknownBox {
    /// Least corner.
    pub fn min(&self) -> [f32; 3] {
        self.min.to_array()
    }

    /// Greatest corner.
    pub fn max(&self) -> [f32; 3] {
        self.max.to_array()
    }

    /// Twelve numbers, probably three rows of four.
    pub fn matrix(&self) -> [f32; 12] {
        self.matrix.map(F32::get)
    }
}
