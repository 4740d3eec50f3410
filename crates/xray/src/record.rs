//! What a file begins with: little endian, no padding. Lengths are metres, y up.

use navmap_core::format::Vector;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, U32};

record! {
    /// What a file begins with: 56 bytes. `docs/formats/xray.md`, section 1.
    pub Header[56] { version: U32, nodes: U32, cell: F32, height: F32, min: Vector, max: Vector, guid: [u8; 16] }
}

impl Header {
    /// 8 to 13.
    pub fn version(&self) -> u32 {
        self.version.get()
    }
    /// How many nodes it claims.
    pub fn nodes(&self) -> u32 {
        self.nodes.get()
    }
    /// The width of a square: 0.7 in all real files.
    #[inline]
    pub fn cell(&self) -> f32 {
        self.cell.get()
    }
    /// The height that 65,535 of a stored one is: that of the box and 0.001.
    #[inline]
    pub fn height(&self) -> f32 {
        self.height.get()
    }
    /// The middle of the first square, and the lowest height.
    #[inline]
    pub fn min(&self) -> [f32; 3] {
        self.min.to_array()
    }
    /// The middle of the last square, and the highest height.
    #[inline]
    pub fn max(&self) -> [f32; 3] {
        self.max.to_array()
    }
    /// What files of one build of a level share.
    pub fn guid(&self) -> [u8; 16] {
        self.guid
    }
    /// How many squares a row along z has: the number of a square is its x times this, and its z.
    pub fn row(&self) -> u32 {
        let [_, _, from] = self.min();
        let [_, _, to] = self.max();
        // What does not fit is cut by the cast, and no number is 0.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let row = ((f64::from(to) - f64::from(from)) / f64::from(self.cell()) + 1.5) as u32;
        row.max(1)
    }
    pub(super) fn with_nodes(&self, nodes: u32) -> Self {
        Self { nodes: nodes.into(), ..*self }
    }
    /// Whether its numbers are those of a grid.
    pub(super) fn is_grid(&self) -> bool {
        let ordered = self.min().iter().zip(self.max()).all(|(min, max)| *min <= max);
        self.cell() > 0.0
            && self.cell() <= 16.0
            && self.height() >= 0.0
            && self.height().is_finite()
            && ordered
            && self.min.is_finite()
            && self.max.is_finite()
    }
}
