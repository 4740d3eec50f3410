//! Named bits. Unknown ones are kept.

use navmap_core::bits;

bits! {
    /// What lies beside a file.
    FileFlags(u32) {
        /// A file of what sees what, `.rcv`.
        VISIBILITY = 0x1 => "visibility",
    }
}

bits! {
    /// What a waypoint is for. `docs/formats/rcbot.md`, section 2. Some bits mean one thing in Day of Defeat: Source and
    /// another in the other games; they are named for both here, and [`Game::flag`] gives the name in one.
    NodeFlags(u32) {
        /// One has to jump to get here.
        JUMP = 0x1 => "jump",
        /// One has to crouch.
        CROUCH = 0x2 => "crouch",
        /// Nobody can get here.
        UNREACHABLE = 0x4 => "unreachable",
        /// On a ladder.
        LADDER = 0x8 => "ladder",
        /// A flag to fetch.
        FLAG = 0x10 => "flag",
        /// A point to capture.
        CAPTURE_POINT = 0x20 => "capture_point",
        /// Not for the blue team, or for the Axis.
        NO_BLUE = 0x40 => "no_blue_or_axis",
        /// Not for the red team, or for the Allies.
        NO_RED = 0x80 => "no_red_or_allies",
        /// Health.
        HEALTH = 0x100 => "health",
        /// The way opens later.
        OPENS_LATER = 0x200 => "opens_later",
        /// One gets here with a rocket jump; in Day of Defeat, a bomb opens the way.
        ROCKET_JUMP = 0x400 => "rocket_jump_or_bomb_to_open",
        /// A place for a sniper.
        SNIPER = 0x800 => "sniper",
        /// Ammunition.
        AMMO = 0x1000 => "ammo",
        /// Where one is resupplied; in Day of Defeat, where bombs lie.
        RESUPPLY = 0x2000 => "resupply_or_bombs",
        /// A place for a sentry gun; in Day of Defeat, for a machine gun.
        SENTRY = 0x4000 => "sentry_or_machine_gun",
        /// One gets here with a double jump; in Day of Defeat, one lies down here.
        DOUBLE_JUMP = 0x8000 => "double_jump_or_prone",
        /// Where the entrance of a teleporter is built.
        TELEPORTER_ENTRANCE = 0x1_0000 => "teleporter_entrance",
        /// Where its exit is built.
        TELEPORTER_EXIT = 0x2_0000 => "teleporter_exit",
        /// A place to defend.
        DEFEND = 0x4_0000 => "defend",
        /// For the area of this number alone.
        AREA_ONLY = 0x8_0000 => "area_only",
        /// On a route that bots choose among others.
        ROUTE = 0x10_0000 => "route",
        /// Wait for ground to stand on.
        WAIT_GROUND = 0x20_0000 => "wait_for_ground",
        /// Not with the flag; in Day of Defeat, cover to reload in.
        NO_FLAG = 0x40_0000 => "no_flag_or_cover_to_reload",
        /// On a lift.
        LIFT = 0x80_0000 => "lift",
        /// With the flag alone.
        FLAG_ONLY = 0x100_0000 => "flag_carriers_only",
        /// One falls here.
        FALL = 0x200_0000 => "fall",
        /// Behind something to break.
        BREAKABLE = 0x400_0000 => "breakable",
        /// One sprints.
        SPRINT = 0x800_0000 => "sprint",
        /// Bots teleport here.
        TELEPORT_CHEAT = 0x1000_0000 => "teleport_cheat",
        /// For the owner of the area alone.
        OWNER_ONLY = 0x2000_0000 => "owner_of_area_only",
    }
}

/// Which meaning the bits have that mean two things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Game {
    /// Day of Defeat: Source.
    DayOfDefeat,
    /// Team Fortress 2.
    TeamFortress,
    /// Half-Life 2: Deathmatch.
    Deathmatch,
    /// Counter-Strike: Source.
    CounterStrike,
    /// Synergy.
    Synergy,
}

/// What maps of a game begin with.
const PREFIXES: [(&[u8], Game); 18] = [
    (b"dod_", Game::DayOfDefeat),
    (b"ctf_", Game::TeamFortress),
    (b"cp_", Game::TeamFortress),
    (b"tc_", Game::TeamFortress),
    (b"pl_", Game::TeamFortress),
    (b"plr_", Game::TeamFortress),
    (b"koth_", Game::TeamFortress),
    (b"arena_", Game::TeamFortress),
    (b"sd_", Game::TeamFortress),
    (b"mvm_", Game::TeamFortress),
    (b"rd_", Game::TeamFortress),
    (b"pd_", Game::TeamFortress),
    (b"tr_", Game::TeamFortress),
    (b"dm_", Game::Deathmatch),
    (b"cs_", Game::CounterStrike),
    (b"de_", Game::CounterStrike),
    (b"syn_", Game::Synergy),
    (b"as_", Game::CounterStrike),
];

/// Bits that mean two things: the name in Day of Defeat, and that in the other games.
const TWO_NAMES: [(NodeFlags, &str, &str); 7] = [
    (NodeFlags::NO_BLUE, "no_axis", "no_blue"),
    (NodeFlags::NO_RED, "no_allies", "no_red"),
    (NodeFlags::ROCKET_JUMP, "bomb_to_open", "rocket_jump"),
    (NodeFlags::RESUPPLY, "bombs", "resupply"),
    (NodeFlags::SENTRY, "machine_gun", "sentry"),
    (NodeFlags::DOUBLE_JUMP, "prone", "double_jump"),
    (NodeFlags::NO_FLAG, "cover_to_reload", "no_flag"),
];

impl Game {
    /// The game of a map, which its name begins with; `None` if it does not tell.
    pub fn of_map(map: &[u8]) -> Option<Self> {
        let starts =
            |prefix: &[u8]| map.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        PREFIXES.into_iter().find(|(prefix, _)| starts(prefix)).map(|(_, game)| game)
    }
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::DayOfDefeat => "Day of Defeat: Source",
            Self::TeamFortress => "Team Fortress 2",
            Self::Deathmatch => "Half-Life 2: Deathmatch",
            Self::CounterStrike => "Counter-Strike: Source",
            Self::Synergy => "Synergy",
        }
    }
    /// The name of a bit in a game, or for both meanings if the game is not known.
    pub fn flag(game: Option<Self>, bit: NodeFlags) -> Option<&'static str> {
        let two = TWO_NAMES.iter().find(|(flag, ..)| *flag == bit);
        match (game, two) {
            (Some(Self::DayOfDefeat), Some((_, name, _))) | (Some(_), Some((_, _, name))) => Some(name),
            _ => NodeFlags::NAMED.iter().find(|(_, flag)| *flag == bit).map(|(name, _)| *name),
        }
    }
}
