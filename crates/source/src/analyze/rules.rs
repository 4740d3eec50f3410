//! The differences between games. `docs/formats/source-analyze.md`, section 1.2.

use crate::buf::HeadBuf;
use crate::flags::{Attributes, Extension, HidingSpotFlags};

/// The constants by which a game analyses its meshes. All lengths are Hammer units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Whether the game is a GoldSrc one: versions 1 to 5.
    pub(super) gold: bool,
    /// Whether the game is one of Counter-Strike: it stores approach areas and occupy times.
    pub(super) counter_strike: bool,
    /// Half the height of a human.
    pub(super) half_human: f32,
    /// How high the eye is on an encounter path.
    pub(super) encounter_eye: f32,
    /// Whether approach areas are also searched for from the far area.
    pub(super) both_ways: bool,
    /// Whether a neighbour that one jumps in covers a corner, as in versions up to 4.
    pub(super) jumps_cover: bool,
}

impl Rules {
    pub(super) fn for_mesh(head: &HeadBuf) -> Self {
        let old = head.version <= 9;
        Self {
            gold: head.version <= 5,
            counter_strike: old || head.extension() == Extension::CounterStrikeGo,
            half_human: if old { 36.0 } else { crate::geometry::HALF_HUMAN },
            encounter_eye: if old { 36.0 } else { 62.0 },
            both_ways: head.version > 5,
            jumps_cover: head.version <= 4,
        }
    }

    /// Corners in the order in which spots are made: 0 is north-west, and so on clockwise.
    pub(super) fn corner_order(&self) -> [usize; 4] {
        if self.gold { [0, 1, 3, 2] } else { [0, 1, 2, 3] }
    }

    /// Whether an area gets no spots.
    pub(super) fn hides_nobody(&self, attributes: Attributes) -> bool {
        let skipped = if self.gold { Attributes::JUMP } else { Attributes::JUMP | Attributes::DONT_HIDE };
        attributes.bits() & skipped.bits() != 0
    }

    /// The flags of a spot without cover.
    pub(super) fn open_spot(&self) -> HidingSpotFlags {
        if self.gold { HidingSpotFlags(0) } else { HidingSpotFlags::EXPOSED }
    }

    /// How high a sniper's eye is above a spot of an area with these attributes.
    pub(super) fn sniper_eye(&self, attributes: Attributes) -> f32 {
        match attributes.contains(Attributes::STAND) {
            _ if self.half_human == 36.0 => 36.0,
            true => 62.0,
            false => 37.0,
        }
    }
}
