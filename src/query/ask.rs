//! How a way is asked for, and what comes of it.

use super::area::Area;
use super::index::Way;
use super::overlay::Overlay;
use crate::graph::{LinkKind, Point};
use std::fmt;

/// What a way costs.
#[derive(Clone, Copy, Default)]
pub enum Cost<'q> {
    /// What the game's own search charges: in Source the length, 20 lengths more into an area that is crouched in, 5
    /// more into one that is jumped in; in Quake the length times the file's heuristic, 1 for a teleporter.
    #[default]
    Engine,
    /// Its length.
    Length,
    /// What the caller says, link by link; `None`, a negative cost or no number closes a link. With
    /// [`Search::Shortest`] the estimate is 0, as nothing is known of such costs; with [`Search::Engine`] it is the
    /// straight distance, as in the game.
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

/// How the cheapest way is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Search {
    /// As the game: the straight distance is the estimate, and every link makes a way a little dearer. Where a ladder or
    /// a teleporter is shorter than that, the way need not be the cheapest, neither here nor there.
    #[default]
    Engine,
    /// The cheapest way: the estimate is scaled down to the cheapest link of the mesh, and landmarks are used if the index
    /// has them.
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

    /// The same with a kind.
    #[must_use]
    pub fn with(self, kind: LinkKind) -> Self {
        Self(self.0 | Self::bit(kind))
    }

    /// The same without a kind.
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

/// How a way is asked for. The default asks as the game does.
#[derive(Debug, Clone, Copy)]
pub struct Query<'q> {
    /// What a way costs.
    pub cost: Cost<'q>,
    /// How it is looked for.
    pub search: Search,
    /// What is blocked or dearer.
    pub overlay: Option<&'q Overlay>,
    /// Kinds of links that may be taken.
    pub kinds: Kinds,
    /// Whether links that the game can close may be taken.
    pub gates: bool,
    /// Longest way, in units from center to center, whatever it costs. Infinite for any.
    pub max_length: f32,
    /// Highest step up from one area to the next on foot, in units, at the portal; infinite for any. Ladders,
    /// elevators and teleporters are no steps.
    pub max_step: f32,
    /// Areas that are looked at before the search is [`Unfinished`](Outcome::Unfinished) and can be
    /// [resumed](super::PathScratch::resume): spreads one search over ticks.
    pub max_pops: u32,
    /// Whether, if there is no way, the way to the closest place is wanted instead. That takes a search of all that can
    /// be reached; without it "there is no way" is a look at a table.
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
    /// The point in it that estimates aim at; its center if there is none.
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

/// What came of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// There is a way; the scratch holds its [steps](super::PathScratch::steps).
    Found {
        /// What it costs.
        cost: f32,
    },
    /// There is none, or only a longer one than was allowed. The steps lead to the closest place.
    Partial {
        /// The area closest to the goal, by the straight distance of its center.
        closest: Area,
        /// How far its center is from the goal.
        distance: f32,
        /// What the way there costs.
        cost: f32,
    },
    /// There is no way.
    NoWay,
    /// There is none inside of what is loaded, but ways lead out of it: into a tile or a mesh that is not here, or
    /// through a door. Loading that may make one.
    LeavesLoadedTiles {
        /// What lies beyond the way out that is closest to the goal, as the format numbers it; `None` for a door.
        tile: Option<u64>,
        /// The area which that way leaves.
        at: Area,
    },
    /// As many areas as were allowed have been looked at; [`resume`](super::PathScratch::resume) goes on.
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

/// A call that makes no sense, whatever the mesh.
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
    /// There is no search to go on with.
    NothingToResume,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherIndex => f.write_str("the scratch was made for another index"),
            Self::NoSuchArea(area) => write!(f, "area {} does not exist in this index", area.position()),
            Self::WrongLength { len, areas } => write!(f, "{len} entries for {areas} areas"),
            Self::NothingToResume => f.write_str("there is no unfinished search"),
        }
    }
}

impl std::error::Error for Misuse {}
