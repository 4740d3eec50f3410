//! What a brush or a leaf is made of.

use std::fmt;
use std::ops::{BitAnd, BitOr};

/// What fills a piece of space, as bits of Source. The leaves of GoldSrc are given the same bits: solid, water, and slime for
/// slime and lava. Its sky is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Contents(pub u32);

impl Contents {
    /// Nothing.
    pub const EMPTY: Self = Self(0);
    /// Solid to everything.
    pub const SOLID: Self = Self(0x1);
    /// Glass: solid, but one sees through.
    pub const WINDOW: Self = Self(0x2);
    /// A grate: bullets and looks pass.
    pub const GRATE: Self = Self(0x8);
    /// Slime, and lava of GoldSrc.
    pub const SLIME: Self = Self(0x10);
    /// Water.
    pub const WATER: Self = Self(0x20);
    /// Stops looks of characters, and nothing else.
    pub const BLOCK_SIGHT: Self = Self(0x40);
    /// Cannot be seen through.
    pub const OPAQUE: Self = Self(0x80);
    /// Moves.
    pub const MOVEABLE: Self = Self(0x4000);
    /// Stops players alone.
    pub const PLAYER_CLIP: Self = Self(0x1_0000);
    /// Stops characters alone.
    pub const MONSTER_CLIP: Self = Self(0x2_0000);
    /// A character.
    pub const MONSTER: Self = Self(0x200_0000);
    /// A ladder.
    pub const LADDER: Self = Self(0x2000_0000);

    /// What the analysis of a mesh takes for solid: solid, glass, grates, moving things, what stops characters.
    pub const WALK: Self = Self(0x2_400B);
    /// What stops a player: solid, glass, grates, moving things, clips, characters.
    pub const PLAYER: Self = Self(0x201_400B);
    /// What stops a bullet or a sniper's look: solid, moving things, clips of players.
    pub const SNIPER: Self = Self(0x1_4001);

    /// Whether the two have a bit in common.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Contents {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Contents {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl fmt::Display for Contents {
    /// `SOLID | WATER`; bits without a name as a number; `EMPTY`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [(u32, &str); 12] = [
            (0x1, "SOLID"),
            (0x2, "WINDOW"),
            (0x8, "GRATE"),
            (0x10, "SLIME"),
            (0x20, "WATER"),
            (0x40, "BLOCK_SIGHT"),
            (0x80, "OPAQUE"),
            (0x4000, "MOVEABLE"),
            (0x1_0000, "PLAYER_CLIP"),
            (0x2_0000, "MONSTER_CLIP"),
            (0x200_0000, "MONSTER"),
            (0x2000_0000, "LADDER"),
        ];
        if self.0 == 0 {
            return f.write_str("EMPTY");
        }
        let mut left = self.0;
        let mut first = true;
        for (bit, name) in NAMES.into_iter().filter(|(bit, _)| self.0 & bit != 0) {
            left &= !bit;
            f.write_str(if first { "" } else { " | " })?;
            f.write_str(name)?;
            first = false;
        }
        match (left, first) {
            (0, _) => Ok(()),
            (_, true) => write!(f, "{left:#x}"),
            _ => write!(f, " | {left:#x}"),
        }
    }
}
