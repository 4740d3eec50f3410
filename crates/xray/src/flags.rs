//! Cover, and what the neutral layer is told of it.

use navmap_core::bits;
use std::fmt;

/// How much cover a node gives in each of four directions, 0 (none) to 15, in the order of the links: x down, z up, x up, z down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cover(pub u16);

impl Cover {
    /// The four values.
    pub fn values(self) -> [u8; 4] {
        [0, 4, 8, 12].map(|shift| (self.0 >> shift & 15) as u8)
    }
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.values();
        write!(f, "{a} {b} {c} {d}")
    }
}

impl serde::Serialize for Cover {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde::Serialize::serialize(&self.values(), serializer)
    }
}

bits! {
    /// Where a node gives cover: at least half of the most, in a direction, to one who stands or crouches. Made of its values.
    CoverFlags(u32) {
        /// Standing, towards lower x.
        STANDING_X_DOWN = 0x1 => "standing_x_down",
        /// Standing, towards higher z.
        STANDING_Z_UP = 0x2 => "standing_z_up",
        /// Standing, towards higher x.
        STANDING_X_UP = 0x4 => "standing_x_up",
        /// Standing, towards lower z.
        STANDING_Z_DOWN = 0x8 => "standing_z_down",
        /// Crouching, towards lower x.
        CROUCHING_X_DOWN = 0x10 => "crouching_x_down",
        /// Crouching, towards higher z.
        CROUCHING_Z_UP = 0x20 => "crouching_z_up",
        /// Crouching, towards higher x.
        CROUCHING_X_UP = 0x40 => "crouching_x_up",
        /// Crouching, towards lower z.
        CROUCHING_Z_DOWN = 0x80 => "crouching_z_down",
    }
}

impl CoverFlags {
    /// Those of the values of a node.
    pub fn new(high: Cover, low: Option<Cover>) -> Self {
        let half = |cover: Cover| {
            let values = cover.values().into_iter().zip(0..);
            values.fold(0_u32, |bits, (value, bit)| bits | u32::from(value >= 8) << bit)
        };
        Self(half(high) | low.map_or(0, half) << 4)
    }
}
