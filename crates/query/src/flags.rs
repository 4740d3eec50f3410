//! What corners are.

use std::fmt;
use std::ops::BitOr;

/// What a [`Corner`](super::Corner) is, and how one gets there. Flags add up: `CornerFlags::LEG | CornerFlags::CROUCH`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CornerFlags(pub(super) u16);

impl CornerFlags {
    /// Where the walk begins.
    pub const START: Self = Self(1);
    /// Where it ends.
    pub const END: Self = Self(1 << 1);
    /// With [`END`](Self::END): it is not the goal that was asked for, but the nearest point to it on the way.
    pub const NEAREST: Self = Self(1 << 2);
    /// A leg begins here that one does not walk: a ladder, a jump, a drop, a teleporter. The next corner is its landing.
    pub const LEG: Self = Self(1 << 3);
    /// The leg that began at the corner before ends here.
    pub const LANDING: Self = Self(1 << 4);
    /// One has to crouch on the way here from the corner before.
    pub const CROUCH: Self = Self(1 << 5);
    /// That way leads over stairs.
    pub const STAIRS: Self = Self(1 << 6);
    /// That way leads through an area in which the game jumps.
    pub const JUMP: Self = Self(1 << 7);
    /// That way leads over a link that the game can open and close, or through a door.
    pub const DOOR: Self = Self(1 << 8);

    const NAMES: [&'static str; 9] =
        ["start", "end", "nearest", "leg", "landing", "crouch", "stairs", "jump", "door"];

    /// The flags as a number: bit 0 is [`START`](Self::START), and so on in the order of this list.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Whether any flag of `other` is set.
    pub fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all flags of `other` are set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether none is set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of those that are set: `start`, `end`, `nearest`, `leg`, `landing`, `crouch`, `stairs`, `jump`, `door`.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES
            .into_iter()
            .enumerate()
            .filter(move |(bit, _)| self.0 >> bit & 1 != 0)
            .map(|(_, name)| name)
    }
}

impl BitOr for CornerFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Debug for CornerFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CornerFlags(")?;
        self.names().enumerate().try_for_each(|(at, name)| {
            if at > 0 {
                f.write_str(" | ")?;
            }
            f.write_str(name)
        })?;
        f.write_str(")")
    }
}
