//! Path searches over a mesh, like the engine's. `docs/formats/source-analyze.md`, section 2.4.

use super::topology::Topology;
use super::work::Tally;
use crate::buf::SourceBuf;
use crate::flags::Attributes;
use crate::geometry::{length, minus};
use crate::record::LadderId;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What it takes to look at a step from an area.
const STEP: u64 = 2;

/// A step from an area to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) to: u32,
    /// 0 to 3 over a side, 4 up a ladder, 5 down one.
    pub(super) how: u8,
    /// From center to center, or the length of the ladder.
    pub(super) length: f32,
}

/// All steps of a mesh, in the engine's order of trying: north, east, south, west, up, down.
#[derive(Debug)]
pub(super) struct Steps {
    pub(super) centers: Vec<[f32; 3]>,
    starts: Vec<usize>,
    steps: Vec<Step>,
}

impl Steps {
    pub(super) fn new(mesh: &SourceBuf, topology: &Topology<'_>) -> Self {
        let centers: Vec<[f32; 3]> = mesh.areas.iter().map(|area| area.shape.center()).collect();
        let (mut starts, mut steps) = (vec![0], Vec::new());
        // A mesh whose version stores no ladders of areas has them until it is written, and is analysed as if it had been read.
        let stored = mesh.head.layout().has_ladders();
        for (position, area) in (0_u32..).zip(&mesh.areas) {
            let here = area.shape.center();
            steps.extend(topology.entries(position).map(|(side, to)| Step {
                to,
                how: side.stored() as u8,
                length: length(minus(centers.get(to as usize).copied().unwrap_or(here), here)),
            }));
            for (ids, up) in [(&area.ladders_up, true), (&area.ladders_down, false)] {
                for id in ids.iter().filter(|_| stored) {
                    steps.extend(climbs(mesh, topology, *id, up));
                }
            }
            starts.push(steps.len());
        }
        Self { centers, starts, steps }
    }

    pub(super) fn count(&self) -> usize {
        self.centers.len()
    }

    pub(super) fn center(&self, area: u32) -> [f32; 3] {
        self.centers.get(area as usize).copied().unwrap_or_default()
    }

    /// What it takes to look at the steps from an area.
    fn cost(&self, area: u32) -> u64 {
        (self.from(area).len() as u64).saturating_add(1).saturating_mul(STEP)
    }

    pub(super) fn from(&self, area: u32) -> &[Step] {
        let bound = |at: usize| self.starts.get(at).copied().unwrap_or(self.steps.len());
        self.steps.get(bound(area as usize)..bound((area as usize).saturating_add(1))).unwrap_or_default()
    }
}

/// Up a ladder leads to the areas ahead, left and right, never behind; down leads to its bottom.
fn climbs(mesh: &SourceBuf, topology: &Topology<'_>, id: LadderId, up: bool) -> impl Iterator<Item = Step> {
    let ladder = topology.ladder(id).and_then(|at| mesh.ladders.get(at as usize)).map(|each| each.ladder);
    let (ends, how) = match ladder {
        None => ([None; 3], 0),
        Some(each) if up => ([each.top_forward(), each.top_left(), each.top_right()].map(Some), 4),
        Some(each) => ([Some(each.bottom_area()), None, None], 5),
    };
    let ends = ends.map(|end| end.and_then(|id| topology.position(id)));
    let length = ladder.map_or(0.0, |each| each.length().max(0.0));
    ends.into_iter().flatten().map(move |to| Step { to, how, length })
}

/// The state of an area in a search.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    /// The search that reached it; the state is invalid for others.
    search: u32,
    cost: f32,
    total: f32,
    turn: u32,
    parent: u32,
    how: u8,
}

/// A waiting area: the cheapest first, and among equals the earliest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Waiting {
    total: f32,
    turn: u32,
    area: u32,
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap yields the greatest.
        other.total.total_cmp(&self.total).then(other.turn.cmp(&self.turn))
    }
}

/// A path search whose memory is reused.
#[derive(Debug)]
pub(super) struct Search<'s> {
    steps: &'s Steps,
    reached: Vec<Reached>,
    open: BinaryHeap<Waiting>,
    search: u32,
}

impl<'s> Search<'s> {
    pub(super) fn new(steps: &'s Steps) -> Self {
        let reached = vec![Reached::default(); steps.count()];
        Self { steps, reached, open: BinaryHeap::new(), search: 0 }
    }

    /// Finds the shortest path by distance and stores it in `path`, both ends included: areas, each with the way it is entered.
    /// Returns whether there is one. Among equal paths the one found first wins, as in the engine.
    pub(super) fn find(
        &mut self,
        from: u32,
        to: u32,
        blocked: impl Fn(u32) -> bool,
        path: &mut Vec<(u32, u8)>,
        tally: &Tally<'_>,
    ) -> bool {
        path.clear();
        self.open.clear();
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            // The search counter has wrapped around.
            self.reached.fill(Reached::default());
            self.search = 1;
        }
        if blocked(from) || from as usize >= self.steps.count() {
            return false;
        }
        let goal = self.steps.center(to);
        let left = |area: u32| length(minus(self.steps.center(area), goal));
        let mut turn = 0_u32;
        let start = Reached { search: self.search, total: left(from), parent: from, ..Reached::default() };
        if let Some(slot) = self.reached.get_mut(from as usize) {
            *slot = start;
        }
        self.open.push(Waiting { total: start.total, turn, area: from });
        // Rounding may reopen an area, so the number of steps is limited. No real search takes a tenth of this.
        let mut patience = self.steps.count().saturating_mul(16);
        while let Some(next) = self.open.pop() {
            let Some(here) = self.reached.get(next.area as usize).copied() else { continue };
            if here.turn != next.turn {
                continue;
            }
            if next.area == to {
                self.trace(from, to, path);
                return true;
            }
            patience = patience.saturating_sub(1);
            if patience == 0 || !tally.add(self.steps.cost(next.area)) {
                return false;
            }
            for step in self.steps.from(next.area) {
                if blocked(step.to) {
                    continue;
                }
                let cost = here.cost + step.length;
                let total = cost + left(step.to);
                let Some(slot) = self.reached.get_mut(step.to as usize) else { continue };
                let known = slot.search == self.search;
                if !total.is_finite() || known && slot.cost <= cost {
                    continue;
                }
                turn = turn.wrapping_add(1);
                *slot = Reached { search: self.search, cost, total, turn, parent: next.area, how: step.how };
                self.open.push(Waiting { total, turn, area: step.to });
            }
        }
        false
    }

    fn trace(&self, from: u32, to: u32, path: &mut Vec<(u32, u8)>) {
        let mut area = to;
        while let Some(here) = self.reached.get(area as usize) {
            path.push((area, if area == from { 0 } else { here.how }));
            if area == from || path.len() > self.reached.len() {
                break;
            }
            area = here.parent;
        }
        path.reverse();
    }

    /// The cost of reaching every area from one, and the path. A step into a crouch area costs 20 lengths more, into a jump area
    /// 5.
    pub(super) fn spread(
        &mut self,
        from: u32,
        attributes: impl Fn(u32) -> Attributes,
        tally: &Tally<'_>,
    ) -> Vec<Way> {
        let mut ways = vec![Way::default(); self.steps.count()];
        self.open.clear();
        if let Some(way) = ways.get_mut(from as usize) {
            *way = Way { cost: 0.0, length: 0.0, parent: from };
            self.open.push(Waiting { total: 0.0, turn: 0, area: from });
        }
        let mut turn = 0_u32;
        while let Some(next) = self.open.pop() {
            let Some(gone) = ways.get(next.area as usize).copied() else { continue };
            if gone.cost < next.total {
                continue;
            }
            if !tally.add(self.steps.cost(next.area)) {
                break;
            }
            let here = self.steps.center(next.area);
            for step in self.steps.from(next.area) {
                let into = attributes(step.to);
                let dearer = match (into.contains(Attributes::CROUCH), into.contains(Attributes::JUMP)) {
                    (false, false) => 1.0,
                    (true, false) => 21.0,
                    (false, true) => 6.0,
                    (true, true) => 26.0,
                };
                let cost = next.total + dearer * step.length;
                let Some(way) = ways.get_mut(step.to as usize).filter(|way| cost < way.cost) else {
                    continue;
                };
                let length = gone.length + length(minus(self.steps.center(step.to), here));
                *way = Way { cost, length, parent: next.area };
                turn = turn.wrapping_add(1);
                self.open.push(Waiting { total: cost, turn, area: step.to });
            }
        }
        ways
    }
}

/// The way an area is reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Infinite if it is unreachable.
    pub(super) cost: f32,
    /// From center to center.
    pub(super) length: f32,
    /// The area before it. The first is its own.
    pub(super) parent: u32,
}

impl Default for Way {
    fn default() -> Self {
        Self { cost: f32::INFINITY, length: f32::INFINITY, parent: 0 }
    }
}
