//! Named bits and enumerations, by magic and version. Unknown values are kept. `docs/formats/quake.md`, section 2.

#![forbid(unsafe_code)]

use super::layout::{Magic, Version};
use std::fmt;

/// The flags of a node. Bits 2 and 3 mean different things in NAV2 and NAV3, so the bits come with their magic.
///
/// Bits are not tied to versions: 64 occurs in NAV2 14 and 256 in NAV2 15, although public notes first have them in
/// later versions.
///
/// ```
/// use navmap::format::quake::{Magic, NodeFlags};
/// assert_eq!(NodeFlags::new(Magic::Nav2, 8 | 16).to_string(), "ElevatorBottom|UnderWater");
/// assert_eq!(NodeFlags::new(Magic::Nav3, 8 | 0x8000).to_string(), "Ladder|0x8000");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeFlags {
    magic: Magic,
    bits: u16,
}

impl NodeFlags {
    /// Inside a teleporter. Both.
    pub const TELEPORTER: u16 = 1;
    /// Inside a push trigger. Both.
    pub const PUSHER: u16 = 2;
    /// Top of an elevator. NAV2.
    pub const ELEVATOR_TOP: u16 = 4;
    /// Either end of an elevator. NAV3.
    pub const ELEVATOR: u16 = 4;
    /// Bottom of an elevator. NAV2.
    pub const ELEVATOR_BOTTOM: u16 = 8;
    /// On a ladder. NAV3.
    pub const LADDER: u16 = 8;
    /// Under water. Both.
    pub const UNDER_WATER: u16 = 16;
    /// Must be checked for lava, slime and traps. Both.
    pub const HAZARD: u16 = 32;
    /// Open only with a floor below. Both.
    pub const CHECK_FLOOR: u16 = 64;
    /// Closed while inside something solid. Both.
    pub const CHECK_SOLID: u16 = 128;
    /// Closed for monsters. Both.
    pub const NO_MONSTERS: u16 = 256;
    /// Must be crossed crouching. NAV3.
    pub const CROUCH: u16 = 512;
    /// No point of interest for the player's compass. NAV3.
    pub const NO_POI: u16 = 1024;
    /// Open only in a liquid. NAV3.
    pub const CHECK_LIQUID: u16 = 2048;
    /// Closed while a door of its links is locked. NAV3.
    pub const CHECK_DOOR_LINKS: u16 = 4096;
    /// State of a running game. Never set in a real file. NAV3.
    pub const DISABLED: u16 = 8192;

    /// Flags as stored in a file of this magic.
    pub fn new(magic: Magic, bits: u16) -> Self {
        Self { magic, bits }
    }
    /// The bits as stored.
    pub fn bits(self) -> u16 {
        self.bits
    }
    /// Whether any of these bits is set.
    pub fn any(self, mask: u16) -> bool {
        self.bits & mask != 0
    }
    /// Whether the node belongs to an elevator, top or bottom.
    pub fn is_elevator(self) -> bool {
        match self.magic {
            Magic::Nav2 => self.any(Self::ELEVATOR_TOP | Self::ELEVATOR_BOTTOM),
            Magic::Nav3 => self.any(Self::ELEVATOR),
        }
    }
    /// Whether the node is on a ladder; NAV2 knows none.
    pub fn is_ladder(self) -> bool {
        self.magic == Magic::Nav3 && self.any(Self::LADDER)
    }
    /// Whether a running game tests the node in each frame, so that the file cannot tell if it is open.
    pub fn is_conditional(self) -> bool {
        const BOTH: u16 = NodeFlags::HAZARD | NodeFlags::CHECK_FLOOR | NodeFlags::CHECK_SOLID;
        const NAV3: u16 = NodeFlags::CHECK_LIQUID | NodeFlags::CHECK_DOOR_LINKS;
        self.any(BOTH) || self.magic == Magic::Nav3 && self.any(NAV3)
    }
    /// Names of the known bits that are set, lowest first.
    pub fn names(self) -> impl Iterator<Item = &'static str> + Clone {
        self.table()
            .iter()
            .enumerate()
            .filter(move |(bit, _)| self.bits >> bit & 1 == 1)
            .map(|(_, name)| *name)
    }
    /// The bits that have no name.
    pub fn unknown(self) -> u16 {
        let known = u32::MAX.checked_shl(self.table().len() as u32).unwrap_or(0);
        self.bits & known as u16
    }

    fn table(self) -> &'static [&'static str] {
        match self.magic {
            Magic::Nav2 => &[
                "Teleporter",
                "Pusher",
                "ElevatorTop",
                "ElevatorBottom",
                "UnderWater",
                "Hazard",
                "CheckForFloor",
                "CheckForSolid",
                "NoMonsters",
            ],
            Magic::Nav3 => &[
                "Teleporter",
                "Pusher",
                "Elevator",
                "Ladder",
                "UnderWater",
                "CheckForHazard",
                "CheckHasFloor",
                "CheckInSolid",
                "NoMonsters",
                "Crouch",
                "NoPOI",
                "CheckInLiquid",
                "CheckDoorLinks",
                "Disabled",
            ],
        }
    }
}

impl fmt::Display for NodeFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.names(), self.unknown().into())
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
    /// Any other value. 14 stands on 61 links of real NAV3 6 files.
    Unknown(u8),
}

/// Whether links of a type have a traversal in real files. `docs/formats/quake.md`, section 2.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// The type that this byte means in a file of this magic.
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

/// The flags of a NAV3 link as they take effect; [`Version::link_flags`] makes them from the stored byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinkFlags(pub u8);

impl LinkFlags {
    /// Open to the red team.
    pub const TEAM_RED: u8 = 1;
    /// Open to the blue team.
    pub const TEAM_BLUE: u8 = 2;
    /// The bot leaves at the target.
    pub const EXIT_AT_TARGET: u8 = 4;
    /// Walking only.
    pub const WALK_ONLY: u8 = 8;
    /// The bot slows down towards the target.
    pub const EASE_INTO_TARGET: u8 = 16;
    /// The bot turns at once.
    pub const INSTANT_TURN: u8 = 32;
    /// State of a running game. Never set in a real file.
    pub const DISABLED: u8 = 64;
    /// Open to both teams, nothing else.
    pub const ALL_TEAMS: Self = Self(3);

    const NAMES: [&str; 7] =
        ["TeamRed", "TeamBlue", "ExitAtTarget", "WalkOnly", "EaseIntoTarget", "InstantTurn", "Disabled"];

    /// Whether any of these bits is set.
    pub fn any(self, mask: u8) -> bool {
        self.0 & mask != 0
    }
    /// Names of the known bits that are set, lowest first.
    pub fn names(self) -> impl Iterator<Item = &'static str> + Clone {
        Self::NAMES.iter().enumerate().filter(move |(bit, _)| self.0 >> bit & 1 == 1).map(|(_, name)| *name)
    }
    /// The bits that have no name.
    pub fn unknown(self) -> u8 {
        self.0 & 0x80
    }
}

impl fmt::Display for LinkFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.names(), self.unknown().into())
    }
}

impl Version {
    /// The flags that the byte at offset 3 of a link stands for. `docs/formats/quake.md`, section 2.3.
    ///
    /// NAV3 before version 3 ignores the byte (it is `0xFF` in every real file), so the result is all teams. Versions 3
    /// to 5 have two more teams in bits 4 and 8. Those bits mean other things in version 6, so they are cleared. `None`
    /// for NAV2.
    pub fn link_flags(self, stored: u8) -> Option<LinkFlags> {
        match (self.magic, self.number) {
            (Magic::Nav2, _) => None,
            (Magic::Nav3, ..3) => Some(LinkFlags::ALL_TEAMS),
            (Magic::Nav3, 3..=5) => Some(LinkFlags(stored & !0x0C)),
            (Magic::Nav3, _) => Some(LinkFlags(stored)),
        }
    }

    /// The byte at offset 3 of a link as a mask of teams, which NAV2 has from version 18 on; else `None`.
    ///
    /// No public file shows what its bits mean. 0 and `0xFF` are both taken for 'every team'.
    pub fn team_mask(self, stored: u8) -> Option<u8> {
        (self.magic == Magic::Nav2 && self.number >= 18).then_some(stored)
    }
}

/// Which entity of the map an edict of NAV2 15 to 18 belongs to, as stored: minus its index, minus one.
///
/// The index is the load order of the entity, so it breaks when the map's entities or the skill filter change; the
/// box is the stable key.
///
/// ```
/// use navmap::format::quake::EntityId;
/// assert_eq!(EntityId(-17).index(), Some(16));
/// assert_eq!(EntityId(0).index(), None); // "unresolved": 26 of 495 real records
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntityId(pub i32);

impl EntityId {
    /// Index of the entity in the order in which the game loads them. `None` for 0 and above, which name no entity.
    pub fn index(self) -> Option<u32> {
        (self.0 < 0).then_some(!self.0 as u32)
    }
}

/// Which brush model an edict of NAV3 2 to 6 belongs to, as stored: an index into the engine's model list.
///
/// ```
/// use navmap::format::quake::ModelIndex;
/// assert_eq!(ModelIndex(2).inline_model(), Some(1)); // *1
/// assert_eq!(ModelIndex(254).inline_model(), Some(253));
/// assert_eq!(ModelIndex(256).inline_model(), Some(254)); // 255 is the players', and skipped
/// assert_eq!(ModelIndex(1).inline_model(), None); // the world
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModelIndex(pub i32);

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

/// A handle of an engine string (NAV2 13 and 14). The number meant something only in the process that saved the file.
/// It is 0 for none, otherwise small and negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Handle(pub i32);

fn joined(
    f: &mut fmt::Formatter<'_>,
    names: impl Iterator<Item = &'static str>,
    unknown: u32,
) -> fmt::Result {
    let mut gap = "";
    for name in names {
        write!(f, "{gap}{name}")?;
        gap = "|";
    }
    match unknown {
        0 if gap.is_empty() => f.write_str("none"),
        0 => Ok(()),
        bits => write!(f, "{gap}{bits:#x}"),
    }
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
        assert_eq!(NodeFlags::new(Magic::Nav2, 0x0C).to_string(), "ElevatorTop|ElevatorBottom");
        assert_eq!(NodeFlags::new(Magic::Nav3, 0x0C).to_string(), "Elevator|Ladder");
        assert_eq!(NodeFlags::new(Magic::Nav2, 0xFFFF).unknown(), 0xFE00);
        assert_eq!(NodeFlags::new(Magic::Nav3, 0xFFFF).unknown(), 0xC000);
        assert_eq!(NodeFlags::new(Magic::Nav3, 0).to_string(), "none");
        assert!(!NodeFlags::new(Magic::Nav2, 8).is_ladder());
    }

    #[test]
    fn link_flags_take_effect_by_version() {
        assert_eq!(Version::nav3(2).link_flags(0xFF), Some(LinkFlags::ALL_TEAMS));
        assert_eq!(Version::nav3(5).link_flags(0x0F), Some(LinkFlags::ALL_TEAMS));
        assert_eq!(Version::nav3(6).link_flags(0x0B).unwrap().to_string(), "TeamRed|TeamBlue|WalkOnly");
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
