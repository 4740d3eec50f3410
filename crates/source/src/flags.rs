//! Named bits and enumerations of Source meshes. Unknown values are kept and printed as numbers.

use navmap_core::bits;
use std::fmt;

/// The attributes of an area of one engine: fifteen bits that mean the same in all of them, and its own.
macro_rules! attributes {
    ($(#[$doc:meta])* $name:ident($int:ty) { $($own:tt)* }) => {
        bits! {
            $(#[$doc])*
            $name($int) {
                CROUCH = 0x1,
                JUMP = 0x2,
                PRECISE = 0x4,
                NO_JUMP = 0x8,
                STOP = 0x10,
                RUN = 0x20,
                WALK = 0x40,
                AVOID = 0x80,
                TRANSIENT = 0x100,
                DONT_HIDE = 0x200,
                STAND = 0x400,
                NO_HOSTAGES = 0x800,
                STAIRS = 0x1000,
                NO_MERGE = 0x2000,
                OBSTACLE_TOP = 0x4000,
                $($own)*
            }
        }
    };
}

attributes! {
    /// Attributes of an area, as the engine's attribute commands name them. Stored as `u8` up to version 8, `u16` up
    /// to 12, `u32` from 13. Bits from `0x10000` belong to the game: see [`L4dAttributes`]. `docs/formats/source.md`, section 4.3.
    Attributes(u32) {
        CLIFF = 0x8000,
    }
}

attributes! {
    /// The attributes of an area of Left 4 Dead (2): those of the engine, and in the upper half those of the game.
    /// `docs/formats/source.md`, section 4.3. The names come from another public parser; the bits were seen in 33
    /// files.
    L4dAttributes(u32) {
        CLIFF = 0x8000,
        TANK_ONLY = 0x10000,
        MOB_ONLY = 0x20000,
        PLAYERCLIP = 0x40000,
        BREAKABLEWALL = 0x80000,
        FLOW_BLOCKED = 0x8000000,
        OUTSIDE_WORLD = 0x10000000,
        MOSTLY_FLAT = 0x20000000,
        HAS_ELEVATOR = 0x40000000,
        NAV_BLOCKER = 0x80000000,
    }
}

bits! {
    /// What Left 4 Dead (2) spawns and allows in an area. Bits 1, 8 and 0x10 have no name. `docs/formats/source.md`, section 7.
    SpawnAttributes(u32) {
        EMPTY = 0x2,
        STOP_SCAN = 0x4,
        BATTLESTATION = 0x20,
        FINALE = 0x40,
        PLAYER_START = 0x80,
        BATTLEFIELD = 0x100,
        IGNORE_VISIBILITY = 0x200,
        NOT_CLEARABLE = 0x400,
        CHECKPOINT = 0x800,
        OBSCURED = 0x1000,
        NO_MOBS = 0x2000,
        THREAT = 0x4000,
        RESCUE_VEHICLE = 0x8000,
        RESCUE_CLOSET = 0x10000,
        ESCAPE_ROUTE = 0x20000,
        /// A door that was destroyed.
        DOOR = 0x40000,
        NOTHREAT = 0x80000,
        LYINGDOWN = 0x100000,
        COMPASS_NORTH = 0x1000000,
        COMPASS_NORTH_EAST = 0x2000000,
        COMPASS_EAST = 0x4000000,
        COMPASS_SOUTH_EAST = 0x8000000,
        COMPASS_SOUTH = 0x10000000,
        COMPASS_SOUTH_WEST = 0x20000000,
        COMPASS_WEST = 0x40000000,
        COMPASS_NORTH_WEST = 0x80000000,
    }
}

bits! {
    /// Team Fortress 2's own attributes of an area. `docs/formats/source.md`, section 6.3.
    TfAttributes(u32) {
        BLOCKED = 0x1,
        SPAWN_ROOM_RED = 0x2,
        SPAWN_ROOM_BLUE = 0x4,
        SPAWN_ROOM_EXIT = 0x8,
        HAS_AMMO = 0x10,
        HAS_HEALTH = 0x20,
        CONTROL_POINT = 0x40,
        BLUE_SENTRY_DANGER = 0x80,
        RED_SENTRY_DANGER = 0x100,
        BLUE_SETUP_GATE = 0x800,
        RED_SETUP_GATE = 0x1000,
        BLOCKED_AFTER_POINT_CAPTURE = 0x2000,
        BLOCKED_UNTIL_POINT_CAPTURE = 0x4000,
        BLUE_ONE_WAY_DOOR = 0x8000,
        RED_ONE_WAY_DOOR = 0x10000,
        WITH_SECOND_POINT = 0x20000,
        WITH_THIRD_POINT = 0x40000,
        WITH_FOURTH_POINT = 0x80000,
        WITH_FIFTH_POINT = 0x100000,
        SNIPER_SPOT = 0x200000,
        SENTRY_SPOT = 0x400000,
        ESCAPE_ROUTE = 0x800000,
        ESCAPE_ROUTE_VISIBLE = 0x1000000,
        NO_SPAWNING = 0x2000000,
        RESCUE_CLOSET = 0x4000000,
        BOMB_CAN_DROP_HERE = 0x8000000,
        DOOR_NEVER_BLOCKS = 0x10000000,
        DOOR_ALWAYS_BLOCKS = 0x20000000,
        UNBLOCKABLE = 0x40000000,
    }
}

impl TfAttributes {
    /// The bits that the game keeps when it writes a mesh. Old files have others as well. `docs/formats/source.md`,
    /// section 6.3.
    pub const SAVED: Self = Self(0x767F_F800);
}

attributes! {
    /// Attributes of an area of a Source 2 mesh. `docs/formats/source.md`, section 11; the upper names hold from version 35.
    Source2Attributes(u64) {
        NON_Z_UP = 0x8000,
        CROUCH_HEIGHT = 0x10000,
        NON_Z_UP_TRANSITION = 0x20000,
        CRAWL_HEIGHT = 0x40000,
    }
}

bits! {
    /// The uses of a hiding spot. `docs/formats/source.md`, section 4.3.
    HidingSpotFlags(u8) {
        IN_COVER = 0x1,
        GOOD_SNIPER_SPOT = 0x2,
        IDEAL_SNIPER_SPOT = 0x4,
        /// Source only.
        EXPOSED = 0x8,
    }
}

bits! {
    /// How much of an area is visible. If no bit is set, and the list extends an inherited one, the area is not visible although
    /// the inherited list says so. `docs/formats/source.md`, section 4.2.
    Visibility(u8) {
        POTENTIALLY = 0x1,
        COMPLETELY = 0x2,
    }
}

/// A side of an area. The four connection lists are in this order. X is east, Y is south.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards -Y.
    North,
    /// Towards +X.
    East,
    /// Towards +Y.
    South,
    /// Towards -X.
    West,
}

impl Direction {
    /// In file order.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The direction stored as `value`; `None` from 4 on.
    #[inline]
    pub fn from_stored(value: u32) -> Option<Self> {
        match value {
            0 => Some(Self::North),
            1 => Some(Self::East),
            2 => Some(Self::South),
            3 => Some(Self::West),
            _ => None,
        }
    }

    /// As stored: 0 to 3.
    #[inline]
    pub fn stored(self) -> u32 {
        self as u32
    }

    /// The other way.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// `north`, `east`, `south`, `west`.
    pub fn name(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a path goes from one area to the next: the "how" byte of an approach record. `docs/formats/source.md`, section 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Traverse(pub u8);

impl Traverse {
    /// `north`, `ladder up`, `jump` and so on; `None` for a number without a name.
    pub fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0 => "north",
            1 => "east",
            2 => "south",
            3 => "west",
            4 => "ladder up",
            5 => "ladder down",
            6 => "jump",
            7 => "elevator up",
            8 => "elevator down",
            _ => return None,
        })
    }
}

impl fmt::Display for Traverse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.pad(name),
            None => self.0.fmt(f),
        }
    }
}

/// A game's additions to the stock mesh, determined by version and sub-version. `docs/formats/source.md`, sections 2 and 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extension {
    /// Nothing: Garry's Mod, Half-Life 2: Deathmatch, Counter-Strike: Source, GoldSrc.
    Stock,
    /// 16/1: the approach list stands at the end of an area.
    CounterStrikeGo,
    /// 16/2: [`TfAttributes`] at the end of an area.
    TeamFortress,
    /// 16/14, and 15/13 by inference: populations before the areas, [`SpawnAttributes`] in them, visible areas named by
    /// position, one number after the ladders.
    LeftForDead,
    /// 16/4, by inference: one `u32` at the end of an area.
    Insurgency,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_bits_are_kept_and_printed_as_numbers() {
        assert_eq!(Attributes(0).to_string(), "0");
        assert_eq!(Attributes(0x1003).to_string(), "CROUCH | JUMP | STAIRS");
        assert_eq!(Attributes(0x8030_0001).to_string(), "CROUCH | 0x80300000");
        assert_eq!(SpawnAttributes(0x19).to_string(), "0x19");
        assert_eq!(Visibility(7).unnamed(), 4);
    }

    #[test]
    fn saved_team_fortress_bits_are_those_of_the_table() {
        let unsaved =
            ["BLOCKED", "SPAWN_ROOM_RED", "SPAWN_ROOM_BLUE", "SPAWN_ROOM_EXIT", "HAS_AMMO", "HAS_HEALTH"]
                .into_iter()
                .chain(["CONTROL_POINT", "BLUE_SENTRY_DANGER", "RED_SENTRY_DANGER", "ESCAPE_ROUTE"])
                .chain(["ESCAPE_ROUTE_VISIBLE", "BOMB_CAN_DROP_HERE"]);
        let unsaved: Vec<_> = unsaved.collect();
        for (name, bit) in TfAttributes::NAMED {
            assert_eq!(TfAttributes::SAVED.contains(*bit), !unsaved.contains(name), "{name}");
        }
        assert_eq!(TfAttributes::SAVED.unnamed(), 0);
    }

    #[test]
    fn directions_turn_round() {
        for d in Direction::ALL {
            assert_eq!(d.opposite().opposite(), d);
            assert_eq!(Direction::from_stored(d.stored()), Some(d));
        }
        assert_eq!(Direction::from_stored(4), None);
    }
}
