//! Named bits and enumerations, by magic and version. Unknown values are kept. `docs/formats/quake.md`, section 2.

use super::layout::{Magic, Version};
use navmap_core::{bits, id};
use std::fmt;

bits! {
    /// The flags of a node of NAV2. Bits do not depend on the version: `0x40` occurs in version 14 and `0x100` in version 15,
    /// although public notes first list them for later versions.
    Nav2NodeFlags(u16) {
        /// Inside a teleporter.
        TELEPORTER = 0x1 => "Teleporter",
        /// Inside a push trigger.
        PUSHER = 0x2 => "Pusher",
        /// Top of an elevator.
        ELEVATOR_TOP = 0x4 => "ElevatorTop",
        /// Bottom of an elevator.
        ELEVATOR_BOTTOM = 0x8 => "ElevatorBottom",
        /// Under water.
        UNDER_WATER = 0x10 => "UnderWater",
        /// Must be checked for lava, slime and traps.
        HAZARD = 0x20 => "Hazard",
        /// Open only with a floor below.
        CHECK_FLOOR = 0x40 => "CheckForFloor",
        /// Closed while inside something solid.
        CHECK_SOLID = 0x80 => "CheckForSolid",
        /// Closed for monsters.
        NO_MONSTERS = 0x100 => "NoMonsters",
    }
}

bits! {
    /// The flags of a node of NAV3.
    Nav3NodeFlags(u16) {
        /// Inside a teleporter.
        TELEPORTER = 0x1 => "Teleporter",
        /// Inside a push trigger.
        PUSHER = 0x2 => "Pusher",
        /// Either end of an elevator.
        ELEVATOR = 0x4 => "Elevator",
        /// On a ladder.
        LADDER = 0x8 => "Ladder",
        /// Under water.
        UNDER_WATER = 0x10 => "UnderWater",
        /// Must be checked for lava, slime and traps.
        HAZARD = 0x20 => "CheckForHazard",
        /// Open only with a floor below.
        CHECK_FLOOR = 0x40 => "CheckHasFloor",
        /// Closed while inside something solid.
        CHECK_SOLID = 0x80 => "CheckInSolid",
        /// Closed for monsters.
        NO_MONSTERS = 0x100 => "NoMonsters",
        /// Must be crossed crouching.
        CROUCH = 0x200 => "Crouch",
        /// No point of interest for the player's compass.
        NO_POI = 0x400 => "NoPOI",
        /// Open only in a liquid.
        CHECK_LIQUID = 0x800 => "CheckInLiquid",
        /// Closed while a door of its links is locked.
        CHECK_DOOR_LINKS = 0x1000 => "CheckDoorLinks",
        /// State of a running game. Never set in a real file.
        DISABLED = 0x2000 => "Disabled",
    }
}

/// The flags of a node. Bits 2 and 3 differ between NAV2 and NAV3, so the bits are kept with their magic.
///
/// ```
/// use navmap::format::quake::{Magic, NodeFlags};
/// assert_eq!(NodeFlags::new(Magic::Nav2, 8 | 16).to_string(), "ElevatorBottom | UnderWater");
/// assert_eq!(NodeFlags::new(Magic::Nav3, 8 | 0x8000).to_string(), "Ladder | 0x8000");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeFlags {
    /// Of a node of NAV2.
    Nav2(Nav2NodeFlags),
    /// Of a node of NAV3.
    Nav3(Nav3NodeFlags),
}

impl NodeFlags {
    /// The stored flags of a file of this magic.
    pub fn new(magic: Magic, bits: u16) -> Self {
        match magic {
            Magic::Nav2 => Self::Nav2(Nav2NodeFlags(bits)),
            Magic::Nav3 => Self::Nav3(Nav3NodeFlags(bits)),
        }
    }
    /// The bits as stored.
    pub fn bits(self) -> u16 {
        match self {
            Self::Nav2(flags) => flags.bits(),
            Self::Nav3(flags) => flags.bits(),
        }
    }
    /// Whether the node is the top or bottom of an elevator.
    pub fn is_elevator(self) -> bool {
        match self {
            Self::Nav2(flags) => flags.any(Nav2NodeFlags::ELEVATOR_TOP | Nav2NodeFlags::ELEVATOR_BOTTOM),
            Self::Nav3(flags) => flags.any(Nav3NodeFlags::ELEVATOR),
        }
    }
    /// Whether the node is on a ladder; NAV2 has no ladders.
    pub fn is_ladder(self) -> bool {
        matches!(self, Self::Nav3(flags) if flags.any(Nav3NodeFlags::LADDER))
    }
    /// Whether the running game tests the node in each frame, so that the file alone cannot say if it is open.
    pub fn is_conditional(self) -> bool {
        match self {
            Self::Nav2(flags) => {
                type Of = Nav2NodeFlags;
                flags.any(Of::HAZARD | Of::CHECK_FLOOR | Of::CHECK_SOLID)
            }
            Self::Nav3(flags) => {
                type Of = Nav3NodeFlags;
                let both = Of::HAZARD | Of::CHECK_FLOOR | Of::CHECK_SOLID;
                flags.any(both | Of::CHECK_LIQUID | Of::CHECK_DOOR_LINKS)
            }
        }
    }
    /// Names of the known bits that are set, lowest first.
    pub fn names(self) -> impl Iterator<Item = &'static str> + Clone {
        let (old, new) = match self {
            Self::Nav2(flags) => (flags, Nav3NodeFlags::default()),
            Self::Nav3(flags) => (Nav2NodeFlags::default(), flags),
        };
        old.names().chain(new.names())
    }
    /// The bits without a name.
    pub fn unnamed(self) -> u16 {
        match self {
            Self::Nav2(flags) => flags.unnamed(),
            Self::Nav3(flags) => flags.unnamed(),
        }
    }
}

impl fmt::Display for NodeFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nav2(flags) => flags.fmt(f),
            Self::Nav3(flags) => flags.fmt(f),
        }
    }
}

impl serde::Serialize for NodeFlags {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nav2(flags) => flags.serialize(serializer),
            Self::Nav3(flags) => flags.serialize(serializer),
        }
    }
}

/// How a link is travelled. Value 9 is unknown in NAV2 and [`Crouch`](Self::Crouch) in NAV3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LinkType {
    /// 0.
    Walk,
    /// 1.
    LongJump,
    /// 2.
    Teleport,
    /// 3.
    WalkOffLedge,
    /// 4: launched by a push trigger.
    Pusher,
    /// 5: up onto something.
    BarrierJump,
    /// 6: from bottom to top.
    Elevator,
    /// 7: between stops of a moving platform.
    Train,
    /// 8: a long jump marked by hand.
    ManualLongJump,
    /// 9, NAV3.
    Crouch,
    /// 10, NAV3.
    Ladder,
    /// 11, NAV3.
    ManualBarrierJump,
    /// 12, NAV3.
    PivotAndJump,
    /// 13, NAV3.
    RocketJump,
    /// Any other value. 61 links of real NAV3 6 files have 14.
    Unknown(u8),
}

/// Whether links of a type have a traversal in real files. `docs/formats/quake.md`, section 2.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Carries {
    /// Every link has one.
    Always,
    /// Most have one; some real ones do not.
    Usually,
    /// Some have one, some do not.
    Either,
    /// None has one.
    Never,
}

impl LinkType {
    /// The link type of a stored byte in a file of this magic.
    pub fn new(magic: Magic, stored: u8) -> Self {
        match (magic, stored) {
            (_, 0) => Self::Walk,
            (_, 1) => Self::LongJump,
            (_, 2) => Self::Teleport,
            (_, 3) => Self::WalkOffLedge,
            (_, 4) => Self::Pusher,
            (_, 5) => Self::BarrierJump,
            (_, 6) => Self::Elevator,
            (_, 7) => Self::Train,
            (_, 8) => Self::ManualLongJump,
            (Magic::Nav3, 9) => Self::Crouch,
            (Magic::Nav3, 10) => Self::Ladder,
            (Magic::Nav3, 11) => Self::ManualBarrierJump,
            (Magic::Nav3, 12) => Self::PivotAndJump,
            (Magic::Nav3, 13) => Self::RocketJump,
            (_, other) => Self::Unknown(other),
        }
    }

    /// The byte as stored.
    pub fn stored(self) -> u8 {
        match self {
            Self::Walk => 0,
            Self::LongJump => 1,
            Self::Teleport => 2,
            Self::WalkOffLedge => 3,
            Self::Pusher => 4,
            Self::BarrierJump => 5,
            Self::Elevator => 6,
            Self::Train => 7,
            Self::ManualLongJump => 8,
            Self::Crouch => 9,
            Self::Ladder => 10,
            Self::ManualBarrierJump => 11,
            Self::PivotAndJump => 12,
            Self::RocketJump => 13,
            Self::Unknown(other) => other,
        }
    }

    /// The format's own word: `Walk`, `WalkOffLedge`, …; `Unknown` for a value without a name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "Walk",
            Self::LongJump => "LongJump",
            Self::Teleport => "Teleport",
            Self::WalkOffLedge => "WalkOffLedge",
            Self::Pusher => "Pusher",
            Self::BarrierJump => "BarrierJump",
            Self::Elevator => "Elevator",
            Self::Train => "Train",
            Self::ManualLongJump => "ManualLongJump",
            Self::Crouch => "Crouch",
            Self::Ladder => "Ladder",
            Self::ManualBarrierJump => "ManualBarrierJump",
            Self::PivotAndJump => "PivotAndJump",
            Self::RocketJump => "RocketJump",
            Self::Unknown(_) => "Unknown",
        }
    }

    /// Whether links of this type carry a traversal. This is an observation, not a rule of the format.
    pub fn carries(self) -> Carries {
        match self {
            Self::Walk | Self::Teleport | Self::Pusher | Self::Crouch | Self::PivotAndJump => Carries::Never,
            Self::Train | Self::ManualLongJump | Self::ManualBarrierJump | Self::RocketJump => {
                Carries::Always
            }
            Self::LongJump | Self::BarrierJump | Self::Elevator | Self::Ladder => Carries::Usually,
            Self::WalkOffLedge | Self::Unknown(_) => Carries::Either,
        }
    }
}

impl fmt::Display for LinkType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(other) => write!(f, "type {other}"),
            known => f.pad(known.name()),
        }
    }
}

bits! {
    /// The flags of a NAV3 link in effect. [`Version::link_flags`] makes them from the stored byte.
    LinkFlags(u8) {
        /// Open to the red team.
        TEAM_RED = 0x1 => "TeamRed",
        /// Open to the blue team.
        TEAM_BLUE = 0x2 => "TeamBlue",
        /// The bot leaves at the target.
        EXIT_AT_TARGET = 0x4 => "ExitAtTarget",
        /// Walking only.
        WALK_ONLY = 0x8 => "WalkOnly",
        /// The bot slows down towards the target.
        EASE_INTO_TARGET = 0x10 => "EaseIntoTarget",
        /// The bot turns at once.
        INSTANT_TURN = 0x20 => "InstantTurn",
        /// State of a running game. Never set in a real file.
        DISABLED = 0x40 => "Disabled",
    }
}

impl LinkFlags {
    /// Open to both teams, nothing else.
    pub const ALL_TEAMS: Self = Self(3);
}

impl Version {
    /// The flags encoded in byte 3 of a link. `docs/formats/quake.md`, section 2.3.
    ///
    /// NAV3 before version 3 ignores the byte (`0xFF` in every real file), so the result is all teams. Versions 3 to 5 use the
    /// bits 4 and 8 for two more teams. They mean other things in version 6, so they are cleared. `None` for NAV2.
    pub fn link_flags(self, stored: u8) -> Option<LinkFlags> {
        match (self.magic, self.number) {
            (Magic::Nav2, _) => None,
            (Magic::Nav3, ..3) => Some(LinkFlags::ALL_TEAMS),
            (Magic::Nav3, 3..=5) => Some(LinkFlags(stored & !0x0C)),
            (Magic::Nav3, _) => Some(LinkFlags(stored)),
        }
    }

    /// Byte 3 of a link as a mask of teams, in NAV2 from version 18 on; else `None`.
    ///
    /// No public file shows what its bits mean. Both 0 and `0xFF` are read as all teams.
    pub fn team_mask(self, stored: u8) -> Option<u8> {
        (self.magic == Magic::Nav2 && self.number >= 18).then_some(stored)
    }
}

id! {
    /// The entity of an edict of NAV2 15 to 18, as stored: minus its index, minus one.
    ///
    /// The index is the load order of the entity, so it breaks if the map's entities or the skill filter change. The box is the
    /// stable key.
    ///
    /// ```
    /// use navmap::format::quake::EntityId;
    /// assert_eq!(EntityId(-17).index(), Some(16));
    /// assert_eq!(EntityId(0).index(), None); // "unresolved": 26 of 495 real records
    /// ```
    EntityId(i32);
}

impl EntityId {
    /// Index of the entity in the game's load order. `None` for 0 and above, which name no entity.
    pub fn index(self) -> Option<u32> {
        (self.0 < 0).then_some(!self.0 as u32)
    }
}

id! {
    /// The brush model of an edict of NAV3 2 to 6, as stored: an index into the engine's model list.
    ///
    /// ```
    /// use navmap::format::quake::ModelIndex;
    /// assert_eq!(ModelIndex(2).inline_model(), Some(1)); // *1
    /// assert_eq!(ModelIndex(254).inline_model(), Some(253));
    /// assert_eq!(ModelIndex(256).inline_model(), Some(254)); // 255 is the players', and skipped
    /// assert_eq!(ModelIndex(1).inline_model(), None); // the world
    /// ```
    ModelIndex(i32);
}

impl ModelIndex {
    /// The `n` of the map's inline model `*n`. `None` for 1 and below, and for 255.
    pub fn inline_model(self) -> Option<u32> {
        match u32::try_from(self.0).ok()? {
            index @ 2..=254 => index.checked_sub(1),
            index @ 256.. => index.checked_sub(2),
            _ => None,
        }
    }
}

id! {
    /// A handle of an engine string (NAV2 13 and 14). It had a meaning only in the process that saved the file. 0 means none,
    /// others are small and negative.
    Handle(i32);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stored_byte_survives_its_name() {
        for magic in [Magic::Nav2, Magic::Nav3] {
            for stored in 0..=255 {
                assert_eq!(LinkType::new(magic, stored).stored(), stored);
            }
        }
        assert_eq!(LinkType::new(Magic::Nav2, 9), LinkType::Unknown(9));
        assert_eq!(LinkType::new(Magic::Nav3, 9), LinkType::Crouch);
    }

    #[test]
    fn bits_two_and_three_differ_between_the_families() {
        assert_eq!(NodeFlags::new(Magic::Nav2, 0x0C).to_string(), "ElevatorTop | ElevatorBottom");
        assert_eq!(NodeFlags::new(Magic::Nav3, 0x0C).to_string(), "Elevator | Ladder");
        assert_eq!(NodeFlags::new(Magic::Nav2, 0xFFFF).unnamed(), 0xFE00);
        assert_eq!(NodeFlags::new(Magic::Nav3, 0xFFFF).unnamed(), 0xC000);
        assert_eq!(NodeFlags::new(Magic::Nav3, 0).to_string(), "0");
        assert!(!NodeFlags::new(Magic::Nav2, 8).is_ladder());
    }

    #[test]
    fn link_flags_take_effect_by_version() {
        assert_eq!(Version::nav3(2).link_flags(0xFF), Some(LinkFlags::ALL_TEAMS));
        assert_eq!(Version::nav3(5).link_flags(0x0F), Some(LinkFlags::ALL_TEAMS));
        assert_eq!(Version::nav3(6).link_flags(0x0B).unwrap().to_string(), "TeamRed | TeamBlue | WalkOnly");
        assert_eq!(Version::nav2(17).link_flags(3), None);
        assert_eq!(Version::nav2(17).team_mask(3), None);
        assert_eq!(Version::nav2(18).team_mask(3), Some(3));
    }

    #[test]
    fn entity_ids_never_overflow() {
        assert_eq!(EntityId(i32::MIN).index(), Some(i32::MAX as u32));
        assert_eq!(EntityId(i32::MAX).index(), None);
        assert_eq!(ModelIndex(i32::MIN).inline_model(), None);
        assert_eq!(ModelIndex(255).inline_model(), None);
    }
}
