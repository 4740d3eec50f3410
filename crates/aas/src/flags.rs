//! Named bits and kinds of travel. Unknown values are kept.

use navmap_core::bits;
use std::fmt;

bits! {
    /// Postures that an area admits.
    Presence(u32) {
        /// Upright.
        NORMAL = 0x2 => "normal",
        /// Crouched.
        CROUCH = 0x4 => "crouch",
    }
}

bits! {
    /// Flags of a player's box.
    BoxFlags(u32) {
        /// Crouched.
        CROUCH = 0x1 => "crouch",
    }
}

bits! {
    /// Kinds of face. `docs/formats/aas.md`, section 3.
    FaceFlags(u32) {
        /// Solid on the other side.
        SOLID = 0x1 => "solid",
        /// A ladder.
        LADDER = 0x2 => "ladder",
        /// Ground that one stands on.
        GROUND = 0x4 => "ground",
        /// A gap in the ground.
        GAP = 0x8 => "gap",
        /// Between two areas of liquid.
        LIQUID = 0x10 => "liquid",
        /// The surface of a liquid.
        LIQUID_SURFACE = 0x20 => "liquid_surface",
        /// A bridge.
        BRIDGE = 0x40 => "bridge",
    }
}

bits! {
    /// Uses of an area. `docs/formats/aas.md`, section 3.3.
    AreaFlags(u32) {
        /// One can stand in it.
        GROUNDED = 0x1 => "grounded",
        /// It has a ladder.
        LADDER = 0x2 => "ladder",
        /// It is in a liquid.
        LIQUID = 0x4 => "liquid",
        /// Routing leaves it out.
        DISABLED = 0x8 => "disabled",
        /// On a bridge; in version 8 to be avoided.
        BRIDGE = 0x10 => "bridge",
        /// Reached by a jump with a weapon.
        WEAPON_JUMP = 0x2000 => "weapon_jump",
    }
}

bits! {
    /// The content of an area and its part in routing, in versions 4 and 5. Bits 24 to 31 are the number of a mover's model.
    Contents(u32) {
        /// Water.
        WATER = 0x1 => "water",
        /// Lava.
        LAVA = 0x2 => "lava",
        /// Slime.
        SLIME = 0x4 => "slime",
        /// A portal between clusters.
        CLUSTER_PORTAL = 0x8 => "cluster_portal",
        /// A portal of a teleporter.
        TELEPORT_PORTAL = 0x10 => "teleport_portal",
        /// A portal of a route.
        ROUTE_PORTAL = 0x20 => "route_portal",
        /// In a teleporter.
        TELEPORTER = 0x40 => "teleporter",
        /// On a jump pad.
        JUMP_PAD = 0x80 => "jump_pad",
        /// Not to be entered.
        DO_NOT_ENTER = 0x100 => "do_not_enter",
        /// A portal of a view.
        VIEW_PORTAL = 0x200 => "view_portal",
        /// In a mover; in version 8 closed for large agents.
        MOVER = 0x400 => "mover",
        /// Closed for team 1; in version 8 a mover.
        NOT_TEAM_1 = 0x800 => "not_team_1",
        /// Closed for team 2.
        NOT_TEAM_2 = 0x1000 => "not_team_2",
    }
}

bits! {
    /// Uses of an area, in version 8.
    AreaFlags8(u32) {
        /// One can stand in it.
        GROUNDED = 0x1 => "grounded",
        /// It has a ladder.
        LADDER = 0x2 => "ladder",
        /// It is in a liquid.
        LIQUID = 0x4 => "liquid",
        /// Routing leaves it out.
        DISABLED = 0x8 => "disabled",
        /// To be avoided.
        AVOID = 0x10 => "avoid",
        /// Closed for some team.
        TEAM_A = 0x20 => "team_0x20",
        /// Closed for some team.
        TEAM_B = 0x40 => "team_0x40",
        /// Closed for some team.
        TEAM_C = 0x80 => "team_0x80",
        /// Closed for some team.
        TEAM_D = 0x100 => "team_0x100",
        /// For routes alone.
        ROUTING_ONLY = 0x400 => "routing_only",
        /// Closed for some team.
        TEAM_E = 0x800 => "team_0x800",
        /// Closed for some team.
        TEAM_F = 0x1000 => "team_0x1000",
        /// Reached by a jump with a weapon.
        WEAPON_JUMP = 0x2000 => "weapon_jump",
    }
}

bits! {
    /// The content of an area and its part in routing, in version 8. Bits 24 to 31 are the number of a mover's model.
    Contents8(u32) {
        /// Water.
        WATER = 0x1 => "water",
        /// Lava.
        LAVA = 0x2 => "lava",
        /// Slime.
        SLIME = 0x4 => "slime",
        /// A portal between clusters.
        CLUSTER_PORTAL = 0x8 => "cluster_portal",
        /// A portal of a teleporter.
        TELEPORT_PORTAL = 0x10 => "teleport_portal",
        /// A portal of a route.
        ROUTE_PORTAL = 0x20 => "route_portal",
        /// In a teleporter.
        TELEPORTER = 0x40 => "teleporter",
        /// On a jump pad.
        JUMP_PAD = 0x80 => "jump_pad",
        /// Not to be entered.
        DO_NOT_ENTER = 0x100 => "do_not_enter",
        /// A portal of a view.
        VIEW_PORTAL = 0x200 => "view_portal",
        /// Closed for large agents.
        NOT_LARGE = 0x400 => "not_large",
        /// In a mover.
        MOVER = 0x800 => "mover",
    }
}

/// The meaning of area flags and contents, which depends on the file's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Versions 4 and 5.
    Quake3,
    /// Version 8.
    Wolfenstein,
}

impl Meaning {
    /// The bits of the contents that hold the number of a mover's model.
    const MODEL: u32 = 0xFF00_0000;

    /// The names of the area flags that are set, and the bits without a name.
    pub fn flags(self, of: AreaFlags) -> (Vec<&'static str>, u32) {
        match self {
            Self::Quake3 => (of.names().collect(), of.unnamed()),
            Self::Wolfenstein => (AreaFlags8(of.0).names().collect(), AreaFlags8(of.0).unnamed()),
        }
    }
    /// The names of the contents that are set, and the bits without a name.
    pub fn contents(self, of: Contents) -> (Vec<&'static str>, u32) {
        let of = Contents(of.0 & !Self::MODEL);
        match self {
            Self::Quake3 => (of.names().collect(), of.unnamed()),
            Self::Wolfenstein => (Contents8(of.0).names().collect(), Contents8(of.0).unnamed()),
        }
    }
    /// The name of a bit of the flags of an area.
    pub(super) fn flag(self, bit: u32) -> Option<&'static str> {
        let set = 1u32.checked_shl(bit)?;
        match self {
            Self::Quake3 => AreaFlags(set).names().next(),
            Self::Wolfenstein => AreaFlags8(set).names().next(),
        }
    }
    /// The name of a bit of the contents of an area.
    pub(super) fn content(self, bit: u32) -> Option<&'static str> {
        let set = 1u32.checked_shl(bit)?;
        match self {
            Self::Quake3 => Contents(set).names().next(),
            Self::Wolfenstein => Contents8(set).names().next(),
        }
    }
}

impl Contents {
    /// The number of the mover's model that the area belongs to; 0 for none.
    pub fn model(self) -> u8 {
        let [.., model] = self.0.to_le_bytes();
        model
    }
}

bits! {
    /// Who may not use a reachability.
    TravelFlags(u32) {
        /// Team 1.
        NOT_TEAM_1 = 0x0100_0000 => "not_team_1",
        /// Team 2.
        NOT_TEAM_2 = 0x0200_0000 => "not_team_2",
    }
}

/// How one travels, as stored: 2 to 19 have a meaning, 1 is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct TravelKind(pub u32);

impl TravelKind {
    /// A reachability that was deleted.
    pub const INVALID: Self = Self(1);
    /// On foot.
    pub const WALK: Self = Self(2);

    /// The name of a number without a meaning.
    pub(super) const UNKNOWN: &'static str = "unknown";

    /// `walk`, `barrier jump`, `jump pad` …; `unknown` for a number without a meaning.
    pub fn name(self) -> &'static str {
        match self.0 {
            1 => "invalid",
            2 => "walk",
            3 => "crouch",
            4 => "barrier jump",
            5 => "jump",
            6 => "ladder",
            7 => "walk off ledge",
            8 => "swim",
            9 => "water jump",
            10 => "teleport",
            11 => "elevator",
            12 => "rocket jump",
            13 => "bfg jump",
            14 => "grapple",
            15 => "double jump",
            16 => "ramp jump",
            17 => "strafe jump",
            18 => "jump pad",
            19 => "bobbing platform",
            _ => Self::UNKNOWN,
        }
    }

    /// Whether face and edge are numbers of a face and an edge: kinds 2 to 9.
    pub fn names_faces(self) -> bool {
        (2..=9).contains(&self.0)
    }
}

impl fmt::Display for TravelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Self::UNKNOWN => write!(f, "{}", self.0),
            name => f.pad(name),
        }
    }
}
