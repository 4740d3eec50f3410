//! What to generate, and for which game.

use navmap_core::error::{Error, Result};
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A game to generate meshes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Counter-Strike: Condition Zero, and Counter-Strike 1.6 with its bots: version 5.
    ConditionZero,
    /// Counter-Strike: Source: version 9.
    CounterStrikeSource,
    /// Counter-Strike: Global Offensive: version 16/1.
    CounterStrikeGo,
    /// Team Fortress 2: version 16/2.
    TeamFortress,
    /// Garry's Mod and other games of the public SDK: version 16/0.
    GarrysMod,
}

impl Game {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::ConditionZero,
        Self::CounterStrikeSource,
        Self::CounterStrikeGo,
        Self::TeamFortress,
        Self::GarrysMod,
    ];

    /// `cz`, `css`, `csgo`, `tf2`, `gmod`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ConditionZero => "cz",
            Self::CounterStrikeSource => "css",
            Self::CounterStrikeGo => "csgo",
            Self::TeamFortress => "tf2",
            Self::GarrysMod => "gmod",
        }
    }

    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Self::ConditionZero => "Counter-Strike: Condition Zero, Counter-Strike 1.6 with bots",
            Self::CounterStrikeSource => "Counter-Strike: Source",
            Self::CounterStrikeGo => "Counter-Strike: Global Offensive",
            Self::TeamFortress => "Team Fortress 2",
            Self::GarrysMod => "Garry's Mod, and other games of the public SDK",
        }
    }

    /// The game with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.name() == name)
    }

    /// Whether its maps are for GoldSrc.
    pub fn is_gold(self) -> bool {
        self == Self::ConditionZero
    }

    /// Version and sub-version of its meshes.
    pub fn version(self) -> (u32, u32) {
        match self {
            Self::ConditionZero => (5, 0),
            Self::CounterStrikeSource => (9, 0),
            Self::CounterStrikeGo => (16, 1),
            Self::TeamFortress => (16, 2),
            Self::GarrysMod => (16, 0),
        }
    }

    /// The game whose meshes have this version and sub-version.
    pub fn by_version(version: u32, subversion: u32) -> Option<Self> {
        match (version, subversion) {
            (1..=5, _) => Some(Self::ConditionZero),
            (6..=9, _) => Some(Self::CounterStrikeSource),
            _ => Self::ALL.into_iter().find(|game| game.version() == (version, subversion)),
        }
    }

    /// Classes of entities at which its players spawn, with those where generation starts first.
    pub fn spawns(self) -> &'static [&'static str] {
        match self {
            // The terrorists, in whose place the meshes of the game begin more often.
            Self::ConditionZero => &["info_player_deathmatch", "info_player_start"],
            Self::CounterStrikeSource | Self::CounterStrikeGo => {
                &["info_player_terrorist", "info_player_counterterrorist", "info_player_start"]
            }
            Self::TeamFortress => &["info_player_teamspawn", "info_player_start"],
            Self::GarrysMod => &[
                "info_player_start",
                "info_player_deathmatch",
                "info_player_combine",
                "info_player_rebel",
                "info_player_terrorist",
                "info_player_counterterrorist",
                "info_player_teamspawn",
            ],
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A part of generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Finds nodes, 25 units apart, from the spawn points.
    Sample,
    /// Areas over nodes.
    Areas,
    /// Links areas, and adds links down from edges.
    Connect,
    /// Merges matching areas.
    Merge,
    /// Cuts areas at the edges of others that overhang them. Source.
    Overhangs,
    /// Cuts long areas until they are nearly square.
    Square,
    /// Stairs are marked. Source.
    Stairs,
    /// Marks areas that are too steep to walk; if the game jumps over them by links, they are removed.
    Jumps,
    /// Adds areas on top of climbed obstacles. Source.
    Fences,
    /// Adds small areas where two touch at a corner; drops links off the sides of stairs. Source.
    Corners,
    /// Drops links straight on to areas beyond a neighbour. Source.
    Shortcuts,
    /// Links ladders to the areas at their ends.
    Ladders,
}

impl Stage {
    /// In the order in which they run.
    pub const ALL: [Self; 12] = [
        Self::Sample,
        Self::Areas,
        Self::Connect,
        Self::Merge,
        Self::Overhangs,
        Self::Square,
        Self::Stairs,
        Self::Jumps,
        Self::Fences,
        Self::Corners,
        Self::Shortcuts,
        Self::Ladders,
    ];

    /// `sample`, `areas`, `connect`, `merge`, `overhangs`, `square`, `stairs`, `jumps`, `fences`, `corners`, `shortcuts`, `ladders`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sample => "sample",
            Self::Areas => "areas",
            Self::Connect => "connect",
            Self::Merge => "merge",
            Self::Overhangs => "overhangs",
            Self::Square => "square",
            Self::Stairs => "stairs",
            Self::Jumps => "jumps",
            Self::Fences => "fences",
            Self::Corners => "corners",
            Self::Shortcuts => "shortcuts",
            Self::Ladders => "ladders",
        }
    }

    /// The stage with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A box that limits generation: its low and its high corner.
pub type Within = [[f32; 3]; 2];

/// What to generate, and from where.
#[derive(Clone, Debug)]
pub struct GenerateOptions<'o> {
    /// The game.
    pub game: Game,
    /// Points from which to explore the map, in this order. Seeds that lead to nothing new are skipped.
    pub seeds: Vec<[f32; 3]>,
    /// The boxes of ladders: low and high corner.
    pub ladders: Vec<Within>,
    /// No node is outside this box.
    pub within: Option<Within>,
    /// No node is farther than this from every seed. The game explores up to 2000 when it generates into a mesh.
    pub range: Option<f32>,
    /// The last stage to run; `None` for all.
    pub stop_after: Option<Stage>,
    /// The most nodes. A map of a game has less than 100,000; one that fills its world from end to end has 1.7 million.
    pub most_nodes: u32,
    /// The expected number of nodes, for the progress; 0 if unknown.
    pub expected_nodes: u64,
    /// Receives the progress of the generation, and can stop it.
    pub progress: Option<&'o Progress>,
}

impl GenerateOptions<'_> {
    /// The whole map, without seeds yet.
    pub fn new(game: Game) -> Self {
        Self {
            game,
            seeds: Vec::new(),
            ladders: Vec::new(),
            within: None,
            range: None,
            stop_after: None,
            most_nodes: 1 << 20,
            expected_nodes: 0,
            progress: None,
        }
    }
}

impl Default for GenerateOptions<'_> {
    /// For games of the public SDK.
    fn default() -> Self {
        Self::new(Game::GarrysMod)
    }
}

/// The progress of a generation. Another thread may read it, and stop the generation.
#[derive(Debug, Default)]
pub struct Progress {
    /// Set to end it early, with an error.
    pub stop: AtomicBool,
    /// The completed part of the stage: nodes found, areas processed.
    pub done: AtomicU64,
    /// The total; 0 if unknown. For nodes it is an estimate, and grows if there are more.
    pub total: AtomicU64,
    /// The position of the stage in [`Stage::ALL`].
    pub stage: AtomicU64,
}

impl Progress {
    pub(super) fn begin(&self, stage: Stage, total: usize) {
        self.stage.store(Stage::ALL.iter().position(|other| *other == stage).unwrap_or(0) as u64, Relaxed);
        self.done.store(0, Relaxed);
        self.total.store(total as u64, Relaxed);
    }
}

/// Whether generation was stopped.
pub(super) fn stopped(options: &GenerateOptions<'_>) -> Result<()> {
    match options.progress.is_some_and(|progress| progress.stop.load(Relaxed)) {
        true => Err(Error::from(io::Error::from(io::ErrorKind::Interrupted))),
        false => Ok(()),
    }
}
