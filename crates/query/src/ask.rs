//! Queries for a way, and their outcomes.

use super::area::Area;
use super::index::Way;
use super::overlay::Overlay;
use navmap_core::graph::{LinkKind, Point};
use navmap_core::text::counted;
use std::fmt;

/// What a way costs.
#[derive(Clone, Copy, Default)]
pub enum Cost<'q> {
    /// What the game's own search charges. In Source this is the length, 20 lengths more into an area where one
    /// crouches, and 5 more into one where one jumps. In Quake it is the length times the file's heuristic, and 1 for a
    /// teleporter.
    #[default]
    Engine,
    /// Its length.
    Length,
    /// What the caller says, link by link. `None`, a negative cost or NaN closes a link. Nothing is known of such
    /// costs, so the estimate is 0 with [`Search::Shortest`]. With [`Search::Engine`] it is the straight distance, as
    /// in the game.
    Custom(&'q dyn Fn(&Way) -> Option<f32>),
}

impl fmt::Debug for Cost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Engine => "Engine",
            Self::Length => "Length",
            Self::Custom(_) => "Custom",
        })
    }
}

/// How the cheapest way is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Search {
    /// As the game does: the straight distance is the estimate, and every link makes a way a little dearer. If a ladder
    /// or a teleporter is shorter than the straight distance, the result may not be the cheapest way, as in the game.
    #[default]
    Engine,
    /// Finds the cheapest way. The estimate is scaled down to the cheapest link of the mesh, and landmarks are used if
    /// the index has them.
    Shortest,
}

/// Kinds of links that may be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u16);

impl Kinds {
    /// All of them.
    pub const ALL: Self = Self(u16::MAX);
    /// None of them.
    pub const NONE: Self = Self(0);

    /// The same set with this kind.
    #[must_use]
    pub fn with(self, kind: LinkKind) -> Self {
        Self(self.0 | Self::bit(kind))
    }

    /// The same set without this kind.
    #[must_use]
    pub fn without(self, kind: LinkKind) -> Self {
        Self(self.0 & !Self::bit(kind))
    }

    /// Whether a kind is among them.
    pub fn has(self, kind: LinkKind) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    #[inline(always)]
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    fn bit(kind: LinkKind) -> u16 {
        LinkKind::ALL.iter().position(|known| *known == kind).map_or(0, |at| 1 << at)
    }
}

/// A query for a way. The default asks as the game does.
#[derive(Debug, Clone, Copy)]
pub struct Query<'q> {
    /// What a way costs.
    pub cost: Cost<'q>,
    /// How it is searched for.
    pub search: Search,
    /// Areas that are blocked or dearer.
    pub overlay: Option<&'q Overlay>,
    /// Kinds of links that may be taken.
    pub kinds: Kinds,
    /// Whether links that the game can close may be taken.
    pub gates: bool,
    /// Longest way allowed, in units from center to center, whatever it costs. Infinite allows any.
    pub max_length: f32,
    /// Highest step up allowed from one area to the next on foot, in units, at the portal. Infinite allows any.
    /// Ladders, elevators and teleporters are no steps.
    pub max_step: f32,
    /// How many areas are looked at before the search is [`Unfinished`](Outcome::Unfinished) and can be
    /// [resumed](super::PathScratch::resume). This spreads one search over ticks.
    pub max_pops: u32,
    /// Whether to give the way to the closest place if there is no way to the goal. That takes a search of everything
    /// that can be reached. Without it, a look at a table tells that there is no way.
    pub partial: bool,
}

impl Default for Query<'_> {
    fn default() -> Self {
        Self {
            cost: Cost::Engine,
            search: Search::Engine,
            overlay: None,
            kinds: Kinds::ALL,
            gates: true,
            max_length: f32::INFINITY,
            max_step: f32::INFINITY,
            max_pops: u32::MAX,
            partial: false,
        }
    }
}

impl Query<'_> {
    /// The shortest way in units.
    pub fn shortest() -> Self {
        Self { cost: Cost::Length, search: Search::Shortest, ..Self::default() }
    }

    /// The cheapest way by the game's own costs.
    pub fn cheapest() -> Self {
        Self { cost: Cost::Engine, search: Search::Shortest, ..Self::default() }
    }
}

/// Where a way ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// The area to be reached.
    pub area: Area,
    /// The point in it at which estimates aim; its center if `None`.
    pub point: Option<Point>,
}

impl From<Area> for Goal {
    fn from(area: Area) -> Self {
        Self { area, point: None }
    }
}

impl From<(Area, Point)> for Goal {
    fn from((area, point): (Area, Point)) -> Self {
        Self { area, point: Some(point) }
    }
}

/// The outcome of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// There is a way. The scratch holds its [steps](super::PathScratch::steps).
    Found {
        /// What it costs.
        cost: f32,
    },
    /// There is no way, or only a longer one than was allowed. The steps lead to the closest place.
    Partial {
        /// The area whose center has the smallest straight distance to the goal.
        closest: Area,
        /// How far its center is from the goal.
        distance: f32,
        /// What the way there costs.
        cost: f32,
    },
    /// There is no way.
    NoWay,
    /// No way is inside what is loaded, but links lead out of it: into a tile or a mesh that is not loaded, or through
    /// a door. There may be a way once that is loaded.
    LeavesLoadedTiles {
        /// What the way out closest to the goal leads to, as the format numbers it; `None` for a door.
        tile: Option<u64>,
        /// The area that this way out leaves.
        at: Area,
    },
    /// The search has looked at as many areas as were allowed. [`resume`](super::PathScratch::resume) goes on.
    Unfinished,
}

impl Outcome {
    /// The cost of a way that was found.
    pub fn cost(self) -> Option<f32> {
        match self {
            Self::Found { cost } => Some(cost),
            _ => None,
        }
    }
}

/// A call with wrong arguments, which would fail on any mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misuse {
    /// The scratch was made for another index.
    OtherIndex,
    /// The area does not exist in this index.
    NoSuchArea(Area),
    /// The buffer or the overlay is for another number of areas.
    WrongLength {
        /// Its length.
        len: usize,
        /// The number of areas.
        areas: usize,
    },
    /// There is no search to resume.
    NothingToResume,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherIndex => f.write_str("the scratch was made for another index"),
            Self::NoSuchArea(area) => write!(f, "area {} does not exist in this index", area.position()),
            Self::WrongLength { len, areas } => {
                let (entries, areas) = (*len as u64, *areas as u64);
                let [entries, areas] =
                    [counted(entries, "entry", "entries"), counted(areas, "area", "areas")];
                write!(f, "{entries} for {areas}")
            }
            Self::NothingToResume => f.write_str("there is no unfinished search"),
        }
    }
}

impl std::error::Error for Misuse {}
