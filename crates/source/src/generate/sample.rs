//! Explores the map, node by node. `docs/formats/source-generate.md`, section 2.

use super::super::each::map_all;
use super::super::geometry::{STEP, length, minus};
use super::draft::Draft;
use super::nodes::{NONE, Node, Nodes, Obstacle, moved, snap};
use super::options::stopped;
use super::options::{GenerateOptions, Within};
use super::rules::Rules;
use super::terrain::Floor;
use super::walk::{HIGH, Walker};
use crate::flags::Direction;
use navmap_core::error::Result;
use std::sync::atomic::Ordering::Relaxed;

/// Half the width of a human: the distance in front of a ladder at which one gets off.
const OFF: f32 = 16.0;
/// The height above the ground of tests for walls.
const FUDGE: f32 = 2.0;
/// No map extends beyond this.
const WORLD: f32 = 65_536.0;

/// Where a step leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) at: [f32; 3],
    pub(super) normal: [f32; 3],
    pub(super) obstacle: Obstacle,
    pub(super) on_displacement: bool,
}

/// The room around a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    /// The corners that require crouching, and those where nobody fits.
    pub(super) crouch: u8,
    pub(super) blocked: u8,
    /// The rise of the ground at each corner.
    pub(super) above: [u8; 4],
}

/// An end of a ladder, and the direction it faces.
pub(super) type End = ([f32; 3], Direction);

/// What was explored.
#[derive(Debug)]
pub(super) struct Sampled {
    pub(super) nodes: Nodes,
    /// The seeds that led to nodes.
    pub(super) seeds: Vec<[f32; 3]>,
    /// The number of seeds without ground.
    pub(super) lost: u64,
    /// The number of steps out of the box onto ground without an area.
    pub(super) cut_off: u64,
}

/// Explores the map from all seeds, and from the ends of ladders.
pub(super) fn sample(
    walker: Walker<'_>,
    draft: &Draft,
    ends: &[End],
    options: &GenerateOptions<'_>,
) -> Result<Sampled> {
    let nodes = Nodes::new(options.most_nodes);
    let mut sampler = Sampler { walker, draft, nodes, options, cut_off: 0 };
    let mut lost = 0_u64;
    let mut seeds = Vec::new();
    // Nodes are only added: an end with nothing new beside it has nothing new later.
    let mut ends = ends.iter().peekable();
    for seed in &options.seeds {
        let Some((at, floor)) = sampler.seed(*seed) else {
            lost = lost.saturating_add(1);
            continue;
        };
        let taken = draft.old() > 0 && walker.is_enclosed(draft, at);
        if sampler.nodes.find(at).is_some() || !sampler.is_within(at) || taken {
            continue;
        }
        seeds.push(at);
        let from = sampler.begin(at, floor)?;
        sampler.explore(from)?;
        while let Some(end) = ends.peek() {
            let Some((at, floor)) = sampler.ladder_end(**end) else {
                ends.next();
                continue;
            };
            let from = sampler.begin(at, floor)?;
            sampler.explore(from)?;
        }
    }
    sampler.examine()?;
    Ok(Sampled { nodes: sampler.nodes, seeds, lost, cut_off: sampler.cut_off })
}

struct Sampler<'s> {
    walker: Walker<'s>,
    draft: &'s Draft,
    nodes: Nodes,
    options: &'s GenerateOptions<'s>,
    cut_off: u64,
}

impl Sampler<'_> {
    fn is_within(&self, at: [f32; 3]) -> bool {
        self.is_boxed(at) && self.is_near(at)
    }

    fn is_boxed(&self, at: [f32; 3]) -> bool {
        let holds = |[low, high]: &Within| {
            at.iter().zip(low.iter().zip(high)).all(|(v, (low, high))| low <= v && v <= high)
        };
        self.options.within.as_ref().is_none_or(holds)
    }

    fn is_near(&self, at: [f32; 3]) -> bool {
        let near = |range: f32| self.options.seeds.iter().any(|seed| length(minus(at, *seed)) <= range);
        at.iter().all(|v| v.abs() <= WORLD) && self.options.range.is_none_or(near)
    }

    /// Whether only the box ends a step into a mesh here. Where an area lies on either side of the step, the ground goes on in it.
    fn is_cut_off(&self, from: [f32; 3], to: [f32; 3], direction: Direction) -> bool {
        if self.draft.old() == 0 || self.is_boxed(to) || !self.is_near(to) {
            return false;
        }
        let Rules { half_human, human, .. } = self.walker.rules;
        let ([x, y, _], [.., z]) = (moved(from, direction, 0.5 * STEP), to);
        let beside = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
        beside.iter().all(|(dx, dy)| self.draft.area_at([x + dx, y + dy, z + half_human], human).is_none())
    }

    /// The ground on the grid under a seed.
    fn seed(&self, [x, y, z]: [f32; 3]) -> Option<([f32; 3], Floor)> {
        self.walker.ground([snap(x), snap(y), z])
    }

    fn begin(&mut self, at: [f32; 3], floor: Floor) -> Result<u32> {
        self.nodes.push(Node::new(at, floor.normal, NONE))
    }

    /// Explores from a node, depth first, until everything reachable from it is known.
    fn explore(&mut self, from: u32) -> Result<()> {
        let mut current = from;
        while current != NONE {
            let node = self.nodes.node(current);
            let Some(direction) = node.untried() else {
                current = node.parent;
                continue;
            };
            stopped(self.options)?;
            let node = *node;
            self.nodes.mark_tried(current, direction);
            let is_known = |at| self.nodes.is_stepped_on(at);
            let step = self.walker.step(self.draft, &node, direction, is_known);
            let Some(step) = step else { continue };
            if !self.is_within(step.at) {
                let cut_off = self.is_cut_off(node.at, step.at, direction);
                self.cut_off = self.cut_off.saturating_add(cut_off.into());
                continue;
            }
            let known = self.nodes.find(step.at);
            let next = match known {
                Some(next) => next,
                None => {
                    let mut new = Node::new(step.at, step.normal, current);
                    new.on_displacement = step.on_displacement;
                    self.nodes.push(new)?
                }
            };
            self.link(current, direction, next, &step);
            if known.is_none() {
                current = next;
                if let Some(progress) = self.options.progress {
                    let done = self.nodes.len() as u64;
                    progress.done.store(done, Relaxed);
                    if self.options.expected_nodes > 0 && done > self.options.expected_nodes {
                        progress.total.store(done, Relaxed);
                    }
                }
            }
        }
        Ok(())
    }

    /// Links a node with the next, and back if they have about the same height.
    fn link(&mut self, from: u32, direction: Direction, to: u32, step: &Step) {
        self.nodes.link(from, direction, to, step.obstacle);
        let [.., fz] = self.nodes.node(from).at;
        let [.., tz] = step.at;
        if (fz - tz).abs() < self.walker.rules.level {
            let Obstacle { height, start, end } = step.obstacle;
            let height = if height > 0.0 { (height + (fz - tz)).max(0.0) } else { height };
            let back = Obstacle { height, start: STEP - end, end: STEP - start };
            self.nodes.link(to, direction.opposite(), from, back);
            self.nodes.mark_tried(to, direction.opposite());
        }
    }

    /// Determines the room at each node. Exploring does not need it, so all nodes are tested in parallel.
    fn examine(&mut self) -> Result<()> {
        let (walker, nodes, options) = (self.walker, &self.nodes, self.options);
        let rooms = map_all(
            nodes.len(),
            || (),
            |(), at| match stopped(options) {
                Ok(()) => walker.room(nodes.node(at as u32)),
                Err(_) => Room::default(),
            },
        );
        stopped(options)?;
        for (at, room) in (0..).zip(rooms) {
            let Room { crouch, blocked, above } = room;
            self.nodes.change(at, |node| (node.crouch, node.blocked, node.above) = (crouch, blocked, above));
        }
        Ok(())
    }

    /// An unexplored point at the end of a ladder: in front of it, or one or two steps to the side.
    fn ladder_end(&self, (end, direction): End) -> Option<([f32; 3], Floor)> {
        let [cx, cy, cz] = moved(end, direction, OFF);
        let steps = [STEP, 2.0 * STEP].into_iter().flat_map(|by| Direction::ALL.map(|side| (side, by)));
        let points = [(direction, 0.0)].into_iter().chain(steps);
        points
            .filter_map(|(side, by)| {
                let [x, y, z] = moved([cx, cy, cz], side, by);
                // One rung up, so that the surrounding floors are below.
                let (x, y) = (snap(x), snap(y));
                let floor = self.walker.map.floor([x, y, z + STEP])?;
                let at = [x, y, floor.z];
                let way = self.walker.way([cx, cy, cz + FUDGE], [x, y, floor.z + FUDGE]);
                (way.is_free() && self.is_within(at)).then_some((at, floor))
            })
            .find(|(at, _)| self.nodes.find(*at).is_none())
    }
}

impl Walker<'_> {
    /// The ground under a seed.
    fn ground(&self, [x, y, z]: [f32; 3]) -> Option<([f32; 3], Floor)> {
        if self.rules.gold {
            // Without ground below there is no normal.
            let floor = self.map.floor([x, y, z]).filter(|floor| floor.normal[2] > 0.0)?;
            return Some(([x, y, floor.z], floor));
        }
        let [.., high] = HIGH;
        let trace = self.way([x, y, z + high - 0.1], [x, y, z - self.rules.death_drop]).trace;
        let [.., z] = trace.end;
        (trace.fraction < 1.0 && !trace.start_solid).then_some(([x, y, z], Floor { z, normal: trace.normal }))
    }

    fn step(
        &self,
        draft: &Draft,
        node: &Node,
        direction: Direction,
        is_known: impl Fn([f32; 3]) -> bool,
    ) -> Option<Step> {
        if !self.rules.gold {
            return self.source_step(draft, node, direction, is_known);
        }
        self.gold_step(node, direction).filter(|step| draft.old() == 0 || !self.is_enclosed(draft, step.at))
    }

    fn room(&self, node: &Node) -> Room {
        match self.rules.gold {
            true => Room { crouch: self.gold_crouch(node.at), ..Room::default() },
            false => self.source_room(node.at),
        }
    }
}
