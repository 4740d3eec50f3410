//! The contents of a brush or a leaf.

use navmap_core::bits;
use std::ops::BitAnd;

bits! {
    /// What fills a piece of space, as bits of Source. The leaves of GoldSrc are given the same bits: solid, water, and slime for
    /// slime and lava. Its sky is empty.
    Contents(u32, 0 => "EMPTY") {
        /// Solid to everything.
        SOLID = 0x1,
        /// Glass: solid, but one sees through.
        WINDOW = 0x2,
        /// A grate: bullets and looks pass.
        GRATE = 0x8,
        /// Slime, and lava of GoldSrc.
        SLIME = 0x10,
        /// Water.
        WATER = 0x20,
        /// Stops looks of characters, and nothing else.
        BLOCK_SIGHT = 0x40,
        /// Cannot be seen through.
        OPAQUE = 0x80,
        /// Moves.
        MOVEABLE = 0x4000,
        /// Stops players alone.
        PLAYER_CLIP = 0x1_0000,
        /// Stops characters alone.
        MONSTER_CLIP = 0x2_0000,
        /// A character.
        MONSTER = 0x200_0000,
        /// A ladder.
        LADDER = 0x2000_0000,
    }
}

impl Contents {
    /// Nothing.
    pub const EMPTY: Self = Self(0);
    /// What the analysis of a mesh takes for solid: solid, glass, grates, moving things, what stops characters.
    pub const WALK: Self = Self(0x2_400B);
    /// Stops a player: solid, glass, grates, movers, player clips, characters.
    pub const PLAYER: Self = Self(0x201_400B);
    /// Stops a bullet or a sniper's sight: solid, movers, player clips.
    pub const SNIPER: Self = Self(0x1_4001);

    /// Whether the two have a bit in common.
    pub fn meets(self, other: Self) -> bool {
        self.any(other)
    }
}

impl BitAnd for Contents {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Contents;

    #[test]
    fn nothing_has_a_name_and_bits_without_one_are_kept() {
        assert_eq!(Contents::EMPTY.to_string(), "EMPTY");
        assert_eq!((Contents::WATER | Contents::SOLID).to_string(), "SOLID | WATER");
        assert_eq!(Contents(0x101).to_string(), "SOLID | 0x100");
        assert_eq!(Contents(0x100).to_string(), "0x100");
        assert_eq!(Contents::WALK & Contents::GRATE, Contents::GRATE);
    }
}
