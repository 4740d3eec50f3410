//! Waypoints that are edited, and how they were when they were opened.

use crate::buf::{RcbotBuf, WaypointBuf};
use crate::flags::Game;
use crate::record::name;
use crate::view::RcbotNav;
use navmap_core::edit::waypoints::{Slot, Waypoints};
use navmap_core::edit::{Overwritten, Refusal, Weighed};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Waypoints that are edited. A file that is as it was opened is written to the byte as it was.
#[derive(Debug)]
pub struct RcbotEditor {
    pub(super) now: RcbotBuf,
    pub(super) game: Option<Game>,
    pub(super) opened: RcbotBuf,
    pub(super) noted: Overwritten<WaypointBuf>,
    /// Numbers without a waypoint that links led to when it was opened.
    pub(super) missing: BTreeSet<Slot>,
    /// How many waypoints and links the commands have looked at.
    pub(super) looked: Cell<u64>,
}

impl RcbotEditor {
    /// Starts editing. Linear.
    pub fn of_nav(nav: &RcbotNav<'_>) -> Self {
        Self::new(RcbotBuf::from(nav))
    }

    /// Starts editing waypoints in memory.
    pub fn new(now: RcbotBuf) -> Self {
        let (game, noted) = (Game::of_map(name(&now.map)), Overwritten::default());
        let (opened, missing) = (now.clone(), BTreeSet::new());
        let mut made = Self { game, opened, now, noted, missing, looked: Cell::new(0) };
        made.missing = Waypoints::missing(&made);
        made
    }

    /// The waypoints as they are now.
    pub fn to_buf(&self) -> &RcbotBuf {
        &self.now
    }

    /// A waypoint that was not deleted.
    pub(super) fn point(&self, slot: Slot) -> Option<&WaypointBuf> {
        self.now.waypoints.get(slot as usize).filter(|point| point.used != 0)
    }

    /// Adds a waypoint, and gives its number.
    ///
    /// # Errors
    /// If the command has overwritten more than may be kept.
    pub(super) fn push(&mut self, point: WaypointBuf) -> Result<Slot, Refusal> {
        self.noted.push(&mut self.now.waypoints, point).ok_or_else(Refusal::full)
    }

    /// Changes a waypoint, deleted or not. Returns whether that made a difference.
    pub(super) fn change(&mut self, slot: Slot, change: impl FnOnce(&mut WaypointBuf)) -> bool {
        let links = self.now.waypoints.get(slot as usize).map_or(0, |point| point.targets.len());
        self.look(links);
        self.noted.change(&mut self.now.waypoints, slot, differs, change)
    }
}

/// A waypoint has about a dozen values of its own, and its links.
impl Weighed for WaypointBuf {
    fn weight(&self) -> u64 {
        16_u64.saturating_add(self.targets.len() as u64)
    }
}

/// Whether anything differs. A number that is none is as it was.
fn differs(was: &WaypointBuf, now: &WaypointBuf) -> bool {
    was.targets != now.targets || values_differ(was, now)
}

pub(super) fn values_differ(was: &WaypointBuf, now: &WaypointBuf) -> bool {
    let bits = |point: &WaypointBuf| (point.origin.map(f32::to_bits), point.radius.to_bits());
    let rest = |point: &WaypointBuf| (point.yaw, point.flags, point.used, point.area);
    bits(was) != bits(now) || rest(was) != rest(now)
}
