//! The memory of a search, which also keeps its result. The caller owns it, one per thread.

use super::area::Area;
use super::ask::Goal;
use super::ground::Vec3;
use super::heap::Heap;
use super::index::{NavIndex, Way};
use super::misuse::Misuse;
use navmap_core::graph::Point;

/// The memory of searches: 30 bytes per area, reserved once for one index. Queries do not allocate.
///
/// Each thread needs its own, since a query takes it by `&mut`. Any number of them can share an index. It keeps the last path
/// found.
#[derive(Debug, Clone)]
pub struct PathScratch {
    /// The index it belongs to.
    pub(super) stamp: u64,
    /// The number of the current search. A state with another number is from an older one.
    pub(super) run: u32,
    pub(super) states: Vec<State>,
    /// Length of the path to each area, if a maximum length was set.
    pub(super) lengths: Vec<f32>,
    pub(super) heap: Heap,
    pub(super) job: Job,
}

/// A search's state of an area. 16 bytes, four per cache line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct State {
    pub(super) run: u32,
    /// Cost of the path to it.
    pub(super) cost: f32,
    /// Estimate of the rest.
    pub(super) rest: f32,
    /// The area before.
    pub(super) parent: u32,
}

/// The target and progress of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    pub(super) phase: Phase,
    pub(super) from: u32,
    pub(super) goal: u32,
    pub(super) aim: Vec3,
    /// The closest area so far and its distance.
    pub(super) closest: u32,
    pub(super) distance: f32,
    /// Areas visited.
    pub(super) pops: u64,
    /// Whether a link was passed over because the way would be too long.
    pub(super) cut: bool,
    /// Whether the shortest way is searched, after the cheapest one was too long.
    pub(super) by_length: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    Searching,
    /// A path was found. The memory of the heap has the steps.
    Found,
}

/// A step of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// Where it leads.
    pub area: Area,
    /// The link taken; `None` for the first step, where the path begins.
    pub way: Option<Way>,
    /// The cost of the path up to here.
    pub cost: f32,
}

impl PathScratch {
    /// Memory for searches in this index.
    pub fn new(index: &NavIndex) -> Self {
        let mut scratch = Self {
            stamp: 0,
            run: 0,
            states: Vec::new(),
            lengths: Vec::new(),
            heap: Heap::default(),
            job: Job::IDLE,
        };
        scratch.fit(index);
        scratch
    }

    /// Adapts it to another index, as after a reload. Allocates only if it does not fit already.
    pub fn fit(&mut self, index: &NavIndex) {
        if self.stamp == index.stamp {
            return;
        }
        let areas = index.len();
        self.stamp = index.stamp;
        self.run = 0;
        self.states = vec![State::default(); areas];
        self.lengths = vec![0.0; areas];
        self.heap = Heap::with_areas(areas);
        self.job = Job::IDLE;
    }

    /// Whether it fits an index.
    pub fn fits(&self, index: &NavIndex) -> bool {
        self.stamp == index.stamp
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.states[..]) + size_of_val(&self.lengths[..]) + self.heap.bytes()
    }

    /// The number of areas that the latest search took off its open list, over all of its resumes.
    pub fn pops(&self) -> u64 {
        self.job.pops
    }

    /// The number of steps of the latest path, including the start; 0 if none was found.
    pub fn len(&self) -> usize {
        self.packed().len()
    }

    /// Whether the latest search found no path.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The areas of the latest path, from the start on. They stay until the next query.
    pub fn areas(&self) -> impl ExactSizeIterator<Item = Area> + Clone + '_ {
        self.packed().iter().map(|step| Area::new((step >> 32) as u32))
    }

    /// The steps of the latest path. Empty if it was found in another index than `index`.
    pub fn steps<'s>(&'s self, index: &'s NavIndex) -> impl ExactSizeIterator<Item = Step> + Clone + 's {
        let packed = if self.fits(index) { self.packed() } else { &[] };
        packed.iter().enumerate().map(move |(at, step)| {
            let area = (step >> 32) as u32;
            let before = at.checked_sub(1).map(|at| (packed[at] >> 32) as usize);
            let way = before.map(|before| index.way(before, *step as u32 as usize));
            Step { area: Area::new(area), way, cost: self.states[area as usize].cost }
        })
    }

    /// Area and link of each step.
    pub(super) fn packed(&self) -> &[u64] {
        match self.job.phase {
            Phase::Found => self.heap.reused(),
            _ => &[],
        }
    }

    /// Begins a search, with all states invalid.
    pub(super) fn begin(&mut self, index: &NavIndex) -> Result<(), Misuse> {
        self.job = Job::IDLE;
        if !self.fits(index) {
            return Err(Misuse::OtherIndex);
        }
        self.next_run();
        Ok(())
    }

    /// Makes all states invalid.
    pub(super) fn next_run(&mut self) {
        self.heap.clear();
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.states.fill(State::default());
            self.run = 1;
        }
    }
}

impl Job {
    pub(super) const IDLE: Self = Self {
        phase: Phase::Idle,
        from: 0,
        goal: 0,
        aim: [0.0; 3],
        closest: 0,
        distance: f32::INFINITY,
        pops: 0,
        cut: false,
        by_length: false,
    };
}

/// The slot of an area, if it exists.
pub(super) fn slot(index: &NavIndex, area: Area) -> Result<usize, Misuse> {
    index.slot(area).ok_or(Misuse::NoSuchArea(area))
}

/// The point that estimates aim at.
pub(super) fn aim(index: &NavIndex, goal: Goal) -> Vec3 {
    let point = goal.point.filter(|point: &Point| point.is_finite());
    point.map_or_else(|| index.parts.geometry.center(goal.area.slot()), |point| index.plan(point))
}
