//! The points of a map where one can stand, 25 units apart, and the steps between them. `docs/formats/source-generate.md`,
//! section 2.

use super::super::geometry::STEP;
use crate::flags::Direction;
use navmap_core::error::{Error, ErrorKind, Result};
use std::collections::HashMap;

/// What the [limit](ErrorKind::Limit) of the ground is called: [`GenerateOptions::most_nodes`](super::GenerateOptions::most_nodes).
pub const NODES: &str = "nodes of the map";

/// No node, no area.
pub(super) const NONE: u32 = u32::MAX;
/// A point this close to a node is that node.
const NEAR: f32 = 0.45 * STEP;

/// A corner of the cells around a node, as a bit.
pub(super) mod corner {
    pub(in super::super) const NW: u8 = 1;
    pub(in super::super) const NE: u8 = 2;
    pub(in super::super) const SE: u8 = 4;
    pub(in super::super) const SW: u8 = 8;
    pub(in super::super) const ALL: u8 = 15;
}

/// The obstacle between a node and the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Obstacle {
    /// The height to climb; 0 without an obstacle.
    pub(super) height: f32,
    /// Where it begins and ends, from the node.
    pub(super) start: f32,
    pub(super) end: f32,
}

impl Obstacle {
    pub(super) const FREE: Self = Self { height: 0.0, start: 0.0, end: STEP };
}

/// A point where one can stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) at: [f32; 3],
    pub(super) normal: [f32; 3],
    /// The next node to the north, east, south, west.
    to: [u32; 4],
    obstacles: [Obstacle; 4],
    /// The node from which it was found.
    pub(super) parent: u32,
    visited: u8,
    /// The corners that require crouching, and those where nobody fits.
    pub(super) crouch: u8,
    pub(super) blocked: u8,
    /// For each corner, how much higher than the node the ground is where one crouches over it.
    pub(super) above: [u8; 4],
    /// Whether it belongs to an area.
    pub(super) covered: bool,
    /// The area whose north-western part it is in.
    pub(super) area: u32,
    pub(super) on_displacement: bool,
}

impl Node {
    pub(super) fn new(at: [f32; 3], normal: [f32; 3], parent: u32) -> Self {
        Self {
            at,
            normal,
            to: [NONE; 4],
            obstacles: [Obstacle::FREE; 4],
            parent,
            visited: 0,
            crouch: 0,
            blocked: 0,
            above: [0; 4],
            covered: false,
            area: NONE,
            on_displacement: false,
        }
    }

    /// The first untried direction.
    pub(super) fn untried(&self) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| self.visited >> direction.stored() & 1 == 0)
    }

    /// The largest rise of the ground at any of these corners.
    pub(super) fn above(&self, corners: u8) -> f32 {
        let high =
            (0..4_u8).zip(self.above).filter(|(bit, _)| corners >> bit & 1 != 0).map(|(_, above)| above);
        f32::from(high.max().unwrap_or(0))
    }

    /// The next node in this direction.
    pub(super) fn to(&self, direction: Direction) -> Option<u32> {
        let [north, east, south, west] = self.to;
        let to = match direction {
            Direction::North => north,
            Direction::East => east,
            Direction::South => south,
            Direction::West => west,
        };
        (to != NONE).then_some(to)
    }

    /// The obstacle on the way to the next node.
    pub(super) fn obstacle(&self, direction: Direction) -> Obstacle {
        self.obstacles.get(direction as usize).copied().unwrap_or(Obstacle::FREE)
    }
}

/// All nodes, in the order they were found.
#[derive(Debug)]
pub(super) struct Nodes {
    list: Vec<Node>,
    /// The newest node of each cell, and before each node the one found earlier in its cell.
    cells: HashMap<(i32, i32), u32>,
    older: Vec<u32>,
    most: u32,
    none: Node,
}

/// The cell of 25 units with its corner at a point.
fn cell(x: f32, y: f32) -> (i32, i32) {
    ((x / STEP).round() as i32, (y / STEP).round() as i32)
}

impl Nodes {
    /// An empty list of at most `most` nodes.
    pub(super) fn new(most: u32) -> Self {
        let none = Node::new([0.0; 3], [0.0, 0.0, 1.0], NONE);
        Self {
            list: Vec::new(),
            cells: HashMap::new(),
            older: Vec::new(),
            most: most.min(NONE.saturating_sub(1)),
            none,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The nodes, newest first, the engine's order.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = u32> + use<> {
        (0..self.list.len() as u32).rev()
    }

    pub(super) fn node(&self, at: u32) -> &Node {
        self.list.get(at as usize).unwrap_or(&self.none)
    }

    pub(super) fn change(&mut self, at: u32, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.list.get_mut(at as usize) {
            change(node);
        }
    }

    /// The newest node at a point.
    pub(super) fn find(&self, [x, y, z]: [f32; 3]) -> Option<u32> {
        let mut at = *self.cells.get(&cell(x, y))?;
        while let Some(node) = self.list.get(at as usize) {
            let [nx, ny, nz] = node.at;
            if (nx - x).abs() < NEAR && (ny - y).abs() < NEAR && (nz - z).abs() < NEAR {
                return Some(at);
            }
            at = self.older.get(at as usize).copied().unwrap_or(NONE);
        }
        None
    }

    /// Whether a step has led to exactly this point.
    pub(super) fn is_stepped_on(&self, at: [f32; 3]) -> bool {
        let found = self.find(at).map(|found| self.node(found));
        found.is_some_and(|node| node.at == at && node.parent != NONE)
    }

    /// Adds a node.
    ///
    /// # Errors
    /// If there are too many.
    pub(super) fn push(&mut self, node: Node) -> Result<u32> {
        let at = self.list.len() as u32;
        if at >= self.most {
            let allowed = u64::from(self.most);
            return Err(Error::new(ErrorKind::Limit {
                what: NODES,
                asked: allowed.saturating_add(1),
                allowed,
            }));
        }
        let [x, y, _] = node.at;
        let older = self.cells.insert(cell(x, y), at).unwrap_or(NONE);
        self.list.push(node);
        self.older.push(older);
        Ok(at)
    }

    pub(super) fn mark_tried(&mut self, at: u32, direction: Direction) {
        self.change(at, |node| node.visited |= 1 << direction.stored());
    }

    pub(super) fn link(&mut self, from: u32, direction: Direction, to: u32, obstacle: Obstacle) {
        self.change(from, |node| {
            if let (Some(next), Some(way)) =
                (node.to.get_mut(direction as usize), node.obstacles.get_mut(direction as usize))
            {
                (*next, *way) = (to, obstacle);
            }
        });
    }

    /// The next node in this direction.
    pub(super) fn to(&self, at: u32, direction: Direction) -> Option<u32> {
        self.node(at).to(direction)
    }

    /// The next node in this direction, if the way back leads here.
    pub(super) fn both_ways(&self, at: u32, direction: Direction) -> Option<u32> {
        self.to(at, direction).filter(|next| self.to(*next, direction.opposite()) == Some(at))
    }

    /// Whether the cell south-east of a node is closed: its corners are linked both ways all around.
    pub(super) fn is_closed(&self, at: u32) -> bool {
        let around = |first: Direction, second: Direction| self.both_ways(self.both_ways(at, first)?, second);
        let one = around(Direction::East, Direction::South);
        one.is_some() && one == around(Direction::South, Direction::East)
    }
}

/// A coordinate snapped to the grid: towards zero.
pub(super) fn snap(value: f32) -> f32 {
    (value / STEP).trunc() * STEP
}

/// A point moved in this direction.
pub(super) fn moved([x, y, z]: [f32; 3], direction: Direction, by: f32) -> [f32; 3] {
    match direction {
        Direction::North => [x, y - by, z],
        Direction::East => [x + by, y, z],
        Direction::South => [x, y + by, z],
        Direction::West => [x - by, y, z],
    }
}
