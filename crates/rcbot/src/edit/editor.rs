//! Waypoints that are edited, and how they were when they were opened.

use crate::buf::{RcbotBuf, WaypointBuf};
use crate::flags::Game;
use crate::record::name;
use crate::view::RcbotNav;
use std::collections::BTreeSet;

/// The number of a waypoint.
pub(super) type Slot = u32;

/// Waypoints that are edited. A file that is as it was opened is written to the byte as it was.
#[derive(Debug)]
pub struct RcbotEditor {
    pub(super) now: RcbotBuf,
    pub(super) game: Option<Game>,
    pub(super) opened: RcbotBuf,
    pub(super) changes: Vec<Delta>,
}

/// What one command has overwritten, in the order in which it did.
#[derive(Debug)]
pub struct Change(pub(super) Vec<Delta>);

/// A waypoint as it was; `None` if it was not there.
pub(super) type Delta = (Slot, Option<WaypointBuf>);

impl RcbotEditor {
    /// Starts editing. Linear.
    pub fn of_nav(nav: &RcbotNav<'_>) -> Self {
        Self::new(RcbotBuf::from(nav))
    }

    /// Starts editing waypoints in memory.
    pub fn new(now: RcbotBuf) -> Self {
        Self { game: Game::of_map(name(&now.map)), opened: now.clone(), now, changes: Vec::new() }
    }

    /// The waypoints as they are now.
    pub fn to_buf(&self) -> &RcbotBuf {
        &self.now
    }

    /// A waypoint that was not deleted.
    pub(super) fn point(&self, slot: Slot) -> Option<&WaypointBuf> {
        self.now.waypoints.get(slot as usize).filter(|point| point.used != 0)
    }

    /// Those that were not deleted, with their numbers.
    pub(super) fn points(&self) -> impl Iterator<Item = (Slot, &WaypointBuf)> + Clone {
        (0..).zip(&self.now.waypoints).filter(|(_, point)| point.used != 0)
    }

    /// Adds a waypoint, and gives its number.
    pub(super) fn push(&mut self, point: WaypointBuf) -> Slot {
        let slot = self.now.waypoints.len() as Slot;
        self.changes.push((slot, None));
        self.now.waypoints.push(point);
        slot
    }

    /// Changes a waypoint, deleted or not. Returns whether that made a difference.
    pub(super) fn change(&mut self, slot: Slot, change: impl FnOnce(&mut WaypointBuf)) -> bool {
        let Some(now) = self.now.waypoints.get_mut(slot as usize) else { return false };
        let was = now.clone();
        change(now);
        let new = differs(&was, now);
        if new {
            self.changes.push((slot, Some(was)));
        }
        new
    }

    /// Removes those links whose ends satisfy `gone`, and gives their number. One pass over all waypoints.
    pub(super) fn unlink(&mut self, gone: impl Fn(Slot, Slot) -> bool) -> usize {
        let mut count = 0_usize;
        for from in 0..self.now.waypoints.len() as Slot {
            let leaves = |to: &i32| Slot::try_from(*to).is_ok_and(|to| gone(from, to));
            let links = self.now.waypoints.get(from as usize);
            let leaving = links.map_or(0, |point| point.targets.iter().filter(|to| leaves(to)).count());
            if leaving > 0 {
                self.change(from, |point| point.targets.retain(|to| !leaves(to)));
                count = count.saturating_add(leaving);
            }
        }
        count
    }

    /// The waypoints that a link of a used one leads to.
    pub(super) fn linked(&self) -> BTreeSet<Slot> {
        self.points()
            .flat_map(|(_, point)| &point.targets)
            .filter_map(|to| Slot::try_from(*to).ok())
            .collect()
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
