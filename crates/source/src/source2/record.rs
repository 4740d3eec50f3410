//! On-disk records of fixed size.

use crate::flags::Direction;
use crate::record::{AreaId, Ladder, Vec3};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, U32, U64};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// How an area begins. 13 bytes.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Head {
    pub(super) id: AreaId,
    pub(super) attributes: U64,
    pub(super) hull: u8,
}

const _: () = assert!(size_of::<Head>() == 13 && align_of::<Head>() == 1);

record! {
    /// A link over an edge of a polygon to an edge of another area. 8 bytes.
    pub EdgeLink[8]: Serialize {
        /// The area it leads to.
        area: AreaId => AreaId,
        /// The edge of that area over which one arrives, from 0.
        edge: U32 => u32,
    }
}

impl EdgeLink {
    /// A connection to an edge of an area.
    pub fn new(area: AreaId, edge: u32) -> Self {
        Self { area, edge: edge.into() }
    }
}

record! {
    /// A ladder of version 35 and later: a ladder of Source with two more areas. 68 bytes.
    pub WideLadder[68]: Serialize {
        /// What it has in common with a ladder of Source.
        ladder: Ladder => &Ladder,
        /// Area to the left at the bottom; 0 for none.
        bottom_left: AreaId => AreaId,
        /// Area to the right at the bottom; 0 for none.
        bottom_right: AreaId => AreaId,
    }
}

impl WideLadder {
    /// A ladder of all versions as later ones store it, with no area to the left or right at the bottom.
    pub fn new(ladder: Ladder) -> Self {
        Self { ladder, bottom_left: AreaId::default(), bottom_right: AreaId::default() }
    }

    /// What it has in common with a ladder of Source, to be changed.
    pub fn ladder_mut(&mut self) -> &mut Ladder {
        &mut self.ladder
    }

    /// Sets the areas to the left and right at the bottom; 0 for none.
    pub fn set_bottom_sides(&mut self, left: AreaId, right: AreaId) {
        (self.bottom_left, self.bottom_right) = (left, right);
    }

    /// The way the ladder faces.
    pub fn direction(&self) -> Option<Direction> {
        self.ladder.direction()
    }
}

record! {
    /// A box and a transform after the ladders: two in one file of Half-Life: Alyx, purpose unknown. 72 bytes.
    pub UnknownBox[72]: Serialize {
        /// Least corner.
        min: Vec3 => [f32; 3],
        /// Greatest corner.
        max: Vec3 => [f32; 3],
        /// Twelve numbers, probably three rows of four.
        matrix: [F32; 12] => [f32; 12],
    }
}
