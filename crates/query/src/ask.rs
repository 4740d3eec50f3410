//! Queries for a path, and their outcomes.

use super::area::Area;
use super::filter::Filter;
use super::index::Way;
use super::kinds::Kinds;
use super::overlay::Overlay;
use navmap_core::graph::Point;
use std::fmt;

/// What a way costs.
#[derive(Clone, Copy, Default)]
pub enum Cost<'q> {
    /// The costs of the game's own search. In Source this is the length, plus 20 lengths into a crouch area, and 5 into a jump
    /// area. In Quake it is the length times the file's heuristic, and 1 for a teleporter.
    #[default]
    Engine,
    /// Its length.
    Length,
    /// The caller's cost of each link. `None`, a negative cost or NaN closes a link. Nothing is known about such costs, so with
    /// [`Search::Shortest`] the estimate is 0. With [`Search::Engine`] it is the straight distance, as in the game. It is called on
    /// the thread that asks.
    Custom(&'q (dyn Fn(&Way) -> Option<f32> + Sync)),
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

/// The search method for the cheapest path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Search {
    /// The game's method: the straight distance is the estimate, and every link adds a small cost. If a ladder or a teleporter is
    /// shorter than the straight distance, the result may not be the cheapest path, as in the game.
    #[default]
    Engine,
    /// Finds the cheapest path. The estimate is scaled down to the cheapest link of the mesh, and uses landmarks if the index has
    /// them.
    Shortest,
}

/// A query for a way. The default asks as the game does; `with_…` changes it.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// # use navmap::query::{Policy, World};
/// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
/// # let index = world.index();
/// use navmap::query::{Outcome, PathScratch, Query};
///
/// let [from, to] = ["CTSpawn", "BombsiteB"].map(|place| index.in_place(place).next().expect("a place of this name"));
/// let mut scratch = PathScratch::new(index);
/// let outcome = scratch.path(index, from, to, &Query::shortest().with_max_step(18.0))?;
/// assert!(outcome.cost().is_some_and(|units| units > 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Query<'q> {
    /// What a way costs.
    pub cost: Cost<'q>,
    /// The search method.
    pub search: Search,
    /// Blocked or more expensive areas. A query that begins in a blocked area finds nothing.
    pub overlay: Option<&'q Overlay>,
    /// Kinds of links that the path may use.
    pub kinds: Kinds,
    /// Which areas it may enter, and more about which links it may use. The area in which it begins is not asked for.
    pub filter: Filter<'q>,
    /// Whether it may use links that the game can close.
    pub gates: bool,
    /// The longest path allowed, in units from center to center, at any cost. Infinite allows any. If the cheapest path is longer,
    /// the shortest one that is permitted is searched, so one is found if there is any. It need not be the cheapest of those that are
    /// short enough.
    pub max_length: f32,
    /// The highest step up between areas on foot, in units, at the portal. Infinite allows any. Ladders, elevators and
    /// teleporters are not steps.
    pub max_step: f32,
    /// The number of areas to visit before the search is [`Unfinished`](Outcome::Unfinished) and can be
    /// [resumed](super::PathScratch::resume). This spreads one search over several ticks.
    pub max_pops: u32,
    /// Whether to return the path to the closest place if there is none to the goal. That requires searching everything
    /// reachable. Without it, a table look-up shows that there is no path.
    pub partial: bool,
}

impl Default for Query<'_> {
    fn default() -> Self {
        Self {
            cost: Cost::Engine,
            search: Search::Engine,
            overlay: None,
            kinds: Kinds::ALL,
            filter: Filter::default(),
            gates: true,
            max_length: f32::INFINITY,
            max_step: f32::INFINITY,
            max_pops: u32::MAX,
            partial: false,
        }
    }
}

impl<'q> Query<'q> {
    navmap_core::with! {
        with_cost = cost: Cost<'q>;
        with_search = search: Search;
        with_kinds = kinds: Kinds;
        with_filter = filter: Filter<'q>;
        with_gates = gates: bool;
        with_max_length = max_length: f32;
        with_max_step = max_step: f32;
        with_max_pops = max_pops: u32;
        with_partial = partial: bool;
    }

    /// The same with this [`overlay`](Self::overlay), or without one.
    #[must_use]
    #[inline]
    pub fn with_overlay(mut self, overlay: impl Into<Option<&'q Overlay>>) -> Self {
        self.overlay = overlay.into();
        self
    }

    /// The shortest way in units.
    pub fn shortest() -> Self {
        Self { cost: Cost::Length, search: Search::Shortest, ..Self::default() }
    }

    /// The cheapest path by the game's own costs.
    pub fn cheapest() -> Self {
        Self { cost: Cost::Engine, search: Search::Shortest, ..Self::default() }
    }
}

/// Where a way ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// The target area.
    pub area: Area,
    /// The point in it that estimates aim at; its center if `None`.
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
#[must_use = "a search that finds no way is no error"]
#[non_exhaustive]
pub enum Outcome {
    /// There is a path. The scratch has its [steps](super::PathScratch::steps).
    Found {
        /// What it costs.
        cost: f32,
    },
    /// There is no path, or only one longer than allowed. The steps lead to the closest place.
    Partial {
        /// The area whose center is closest to the goal in a straight line.
        closest: Area,
        /// The distance of its center from the goal.
        distance: f32,
        /// The cost of the path to it.
        cost: f32,
    },
    /// There is no way.
    NoWay,
    /// There is no path inside the loaded part, but links lead out of it: into a tile or a mesh that is not loaded, or through a
    /// door. There may be a path once that is loaded.
    LeavesLoadedTiles {
        /// The target of the exit closest to the goal, in the format's numbering; `None` for a door.
        tile: Option<u64>,
        /// The area at this exit.
        at: Area,
    },
    /// The search has visited the allowed number of areas. [`resume`](super::PathScratch::resume) continues it.
    Unfinished,
}

impl Outcome {
    /// The cost of the path that was found.
    pub fn cost(self) -> Option<f32> {
        match self {
            Self::Found { cost } => Some(cost),
            _ => None,
        }
    }
}
