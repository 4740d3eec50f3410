//! Waypoints that are edited, and how they were when they were opened.

use crate::buf::{Form, YapbBuf, length};
use crate::record::{Link, Node};
use navmap_core::edit::waypoints::{Slot, Waypoints};
use navmap_core::edit::{Overwritten, Refusal, Weighed};
use std::cell::Cell;
use std::collections::BTreeSet;
use zerocopy::IntoBytes;

/// Waypoints that are edited. A file that is as it was opened is written to the byte as it was.
#[derive(Debug)]
pub struct YapbEditor {
    /// The file without its nodes.
    frame: YapbBuf,
    pub(super) spots: Vec<Spot>,
    pub(super) opened: Vec<Node>,
    pub(super) holds: Holds,
    pub(super) noted: Overwritten<Spot>,
    /// Numbers without a waypoint that links led to when it was opened.
    pub(super) missing: BTreeSet<Slot>,
    /// How many nodes the commands have looked at.
    pub(super) looked: Cell<u64>,
}

/// A node, or one that was deleted.
#[derive(Debug, Clone)]
pub struct Spot {
    pub(super) node: Node,
    pub(super) used: bool,
}

impl Spot {
    fn differs(&self, other: &Self) -> bool {
        self.used != other.used || self.node.as_bytes() != other.node.as_bytes()
    }
}

/// A node has eight links, each of seven values, and about twenty of its own.
impl Weighed for Spot {
    fn weight(&self) -> u64 {
        64
    }
}

/// What a form of file stores of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holds {
    pub(super) form: &'static str,
    /// How many links.
    pub(super) links: usize,
    /// Flags and velocities of links.
    pub(super) jumps: bool,
    /// Light, and the third numbers of camp directions.
    pub(super) light: bool,
}

impl Holds {
    fn of(form: &Form) -> Self {
        match form {
            Form::Graph { .. } => Self { form: "a .graph", links: 8, jumps: true, light: true },
            Form::Pwf { layout: 5, .. } => {
                Self { form: "a .pwf of version 5", links: 4, jumps: false, light: false }
            }
            Form::Pwf { layout: 6, .. } => {
                Self { form: "a .pwf of version 6", links: 8, jumps: false, light: false }
            }
            Form::Pwf { .. } => Self { form: "a .pwf", links: 8, jumps: true, light: false },
        }
    }
}

impl YapbEditor {
    /// Starts editing waypoints in memory.
    pub fn new(mut buf: YapbBuf) -> Self {
        let opened = std::mem::take(&mut buf.nodes);
        let spots = opened.iter().map(|node| Spot { node: *node, used: true }).collect();
        let holds = Holds::of(&buf.form);
        let (noted, looked) = (Overwritten::default(), Cell::new(0));
        let mut made = Self { frame: buf, spots, opened, holds, noted, missing: BTreeSet::new(), looked };
        made.missing = Waypoints::missing(&made);
        made
    }

    /// The waypoints as they would be written: those that are left, numbered anew where some were deleted. A number that was not
    /// that of its place stays as it is.
    pub fn to_buf(&self) -> YapbBuf {
        let mut next = 0_usize;
        let numbers: Vec<Option<i16>> = self
            .spots
            .iter()
            .map(|spot| {
                let number = spot.used.then(|| i16::try_from(next).ok()).flatten();
                next = next.saturating_add(spot.used.into());
                number
            })
            .collect();
        let place = |number: i64| numbers.get(usize::try_from(number).ok()?).copied().flatten();
        let mut buf = self.frame.clone();
        for (spot, slot) in self.spots.iter().zip(0_i32..).filter(|(spot, _)| spot.used) {
            let mut node = spot.node;
            if let Some(number) = place(slot.into()).filter(|_| node.number() == slot) {
                node.set_number(number.into());
            }
            for link in node.slots_mut().iter_mut().filter(|link| link.is_used()) {
                if let Some(target) = place(link.target().into()).filter(|to| *to != link.target()) {
                    *link = Link::new(target, link.flags(), link.distance(), link.velocity());
                }
            }
            buf.nodes.push(node);
        }
        buf
    }

    /// A node that was not deleted.
    pub(super) fn node(&self, slot: Slot) -> Option<&Node> {
        self.spots.get(slot as usize).filter(|spot| spot.used).map(|spot| &spot.node)
    }

    /// Adds a node.
    ///
    /// # Errors
    /// If the command has overwritten more than may be kept.
    pub(super) fn push(&mut self, node: Node, used: bool) -> Result<(), Refusal> {
        self.noted.push(&mut self.spots, Spot { node, used }).map(|_| ()).ok_or_else(Refusal::full)
    }

    /// Changes a node, deleted or not. Returns whether that made a difference.
    pub(super) fn change(&mut self, slot: Slot, change: impl FnOnce(&mut Spot)) -> bool {
        self.noted.change(&mut self.spots, slot, Spot::differs, change)
    }

    /// The length of a link between two nodes, as the bot measures it. `None` if a node has no place.
    pub(super) fn measured(&self, from: Slot, to: Slot) -> Option<i32> {
        let at = |slot| {
            let at = self.node(slot)?.origin();
            at.iter().all(|value| value.is_finite()).then_some(at)
        };
        Some(length(at(from)?, at(to)?))
    }

    /// Measures the links that `wanted` wants by their ends. Returns how many have another length now.
    pub(super) fn measure(&mut self, wanted: impl Fn(Slot, Slot) -> bool) -> usize {
        self.look(self.spots.len().saturating_mul(8));
        let mut count = 0_usize;
        for from in 0..self.spots.len() as Slot {
            let Some(node) = self.node(from) else { continue };
            let mut slots = *node.slots();
            let mut changed = 0_usize;
            for link in slots.iter_mut().filter(|link| link.is_used()) {
                let to = Slot::try_from(link.target()).ok().filter(|to| wanted(from, *to));
                let Some(length) = to.and_then(|to| self.measured(from, to)) else { continue };
                if length != link.distance() {
                    *link = Link::new(link.target(), link.flags(), length, link.velocity());
                    changed = changed.saturating_add(1);
                }
            }
            if changed > 0 {
                self.change(from, |spot| *spot.node.slots_mut() = slots);
                count = count.saturating_add(changed);
            }
        }
        count
    }

    /// Measures the links of which one end was moved and the other not.
    pub(super) fn measure_around(&mut self, moved: &[Slot]) {
        let moved: BTreeSet<Slot> = moved.iter().copied().collect();
        self.measure(|from, to| moved.contains(&from) != moved.contains(&to));
    }
}
