//! Covers nodes with areas, large ones first. `docs/formats/source-generate.md`, section 3.

use super::draft::{Draft, Piece};
use super::nodes::{Node, Nodes, corner};
use super::options::GenerateOptions;
use super::options::stopped;
use super::walk::{STEP_HEIGHT, Walker};
use crate::flags::{Attributes, Direction};
use crate::record::Shape;
use navmap_core::error::Result;

/// How far nodes may be off the plane of an area.
const OFF_PLANE: f32 = 5.0;

/// Covers all closed cells between nodes with areas, each at most `largest` cells long and wide.
pub(super) fn cover(
    walker: Walker<'_>,
    nodes: &mut Nodes,
    largest: u32,
    draft: &mut Draft,
    options: &GenerateOptions<'_>,
) -> Result<()> {
    let closed: Vec<bool> = {
        let (nodes, draft) = (&*nodes, &*draft);
        (0..nodes.len() as u32).map(|at| nodes.is_closed(at) && !is_taken(nodes, at, draft)).collect()
    };
    let mut left: Vec<u32> =
        nodes.newest_first().filter(|at| closed.get(*at as usize).is_some_and(|closed| *closed)).collect();
    let (mut width, mut height) = (largest, largest);
    while width > 0 && height > 0 && !left.is_empty() {
        let cover = Cover { walker, closed: &closed, size: [width, height] };
        for at in &left {
            if cover.fits(nodes, *at) {
                cover.build(nodes, *at, draft);
            }
        }
        stopped(options)?;
        left.retain(|at| !nodes.node(*at).covered);
        match width >= height {
            true => width = width.saturating_sub(1),
            false => height = height.saturating_sub(1),
        }
    }
    Ok(())
}

/// Whether an existing area covers the cell south-east of a node.
fn is_taken(nodes: &Nodes, at: u32, draft: &Draft) -> bool {
    let east = nodes.to(at, Direction::East);
    let across = east.and_then(|east| nodes.to(east, Direction::South));
    let (Some(ne), Some(se), Some(sw)) = (east, across, nodes.to(at, Direction::South)) else { return false };
    let [nw, ne, se, sw] = [at, ne, se, sw].map(|at| nodes.node(at).at);
    draft.is_taken(&Shape::new(nw, se, ne[2], sw[2]))
}

struct Cover<'c> {
    walker: Walker<'c>,
    closed: &'c [bool],
    size: [u32; 2],
}

/// The plane of an area's nodes.
struct Plane {
    normal: [f32; 3],
    distance: f32,
}

impl Plane {
    fn through(node: &Node) -> Self {
        Self { normal: node.normal, distance: dot(node.normal, node.at) }
    }

    fn holds(&self, node: &Node) -> bool {
        (dot(self.normal, node.at) - self.distance).abs() <= OFF_PLANE
    }
}

/// The directions from the corners of an area along its sides: from north-west, north-east, south-east, south-west.
const INWARDS: [[Direction; 2]; 4] = [
    [Direction::South, Direction::East],
    [Direction::South, Direction::West],
    [Direction::North, Direction::West],
    [Direction::North, Direction::East],
];

/// Whether an obstacle stands in one of these ways from a node.
fn hinders(node: &Node, ways: [Direction; 2]) -> bool {
    ways.into_iter().any(|way| node.obstacle(way).height > STEP_HEIGHT)
}

fn dot([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> f32 {
    ax * bx + ay * by + az * bz
}

impl Cover<'_> {
    /// Whether an area of this size fits with its north-western corner at a node.
    fn fits(&self, nodes: &Nodes, at: u32) -> bool {
        let [width, height] = self.size;
        let corner_node = nodes.node(at);
        let plane = Plane::through(corner_node);
        let crouches = corner_node.crouch & corner::SE != 0;
        if !self.takes(&plane, corner_node, [0, 0]) {
            return false;
        }
        let mut row = at;
        for y in 0..height {
            let mut here = row;
            for x in 0..width {
                let node = nodes.node(here);
                let closed = self.closed.get(here as usize).is_some_and(|closed| *closed);
                if node.covered || !closed || !self.suits(node, [x, y], crouches) {
                    return false;
                }
                let Some(next) = node.to(Direction::East) else { return false };
                here = next;
                if !self.takes(&plane, nodes.node(here), [x.saturating_add(1), y]) {
                    return false;
                }
            }
            let Some(next) = nodes.to(row, Direction::South) else { return false };
            row = next;
            if !self.takes(&plane, nodes.node(row), [0, y.saturating_add(1)]) {
                return false;
            }
        }
        let mut here = row;
        for x in 0..width {
            let Some(next) = nodes.to(here, Direction::East) else { return false };
            here = next;
            if !self.takes(&plane, nodes.node(here), [x.saturating_add(1), height]) {
                return false;
            }
        }
        !crouches || self.walker.rules.gold || self.fits_crouching(nodes, at)
    }

    /// Whether the room at a node, on the sides inside the area, is the same as at its corner.
    fn suits(&self, node: &Node, [x, y]: [u32; 2], crouches: bool) -> bool {
        if self.walker.rules.gold {
            return (node.crouch != 0) == crouches;
        }
        let inside = match (x, y) {
            (0, 0) => corner::SE,
            (_, 0) => corner::SE | corner::SW,
            (0, _) => corner::SE | corner::NE,
            _ => corner::ALL,
        };
        node.blocked & inside == 0 && (node.crouch & inside != 0) == crouches
    }

    /// Whether an obstacle is inside the area, as seen from one of its nodes.
    fn is_obstructed(&self, node: &Node, [x, y]: [u32; 2]) -> bool {
        let [width, height] = self.size;
        let inside = [
            (Direction::West, x > 0),
            (Direction::North, y > 0),
            (Direction::East, x.saturating_add(1) < width),
            (Direction::South, y.saturating_add(1) < height),
        ];
        inside.into_iter().any(|(direction, inside)| inside && node.obstacle(direction).height > STEP_HEIGHT)
    }

    /// Whether an area of several cells may include a node of its rim or its inside.
    fn takes(&self, plane: &Plane, node: &Node, at: [u32; 2]) -> bool {
        let single = self.size == [1, 1];
        single || plane.holds(node) && (self.walker.rules.gold || !self.is_obstructed(node, at))
    }

    /// Whether a box of a crouching human, as wide as a cell, fits somewhere above each node.
    fn fits_crouching(&self, nodes: &Nodes, at: u32) -> bool {
        self.each(nodes, at, |here| {
            let [x, y, z] = nodes.node(here).at;
            let (low, high) = ([0.0; 3], [25.0, 25.0, 55.0]);
            let to = [x, y, z + self.walker.rules.jump_crouch];
            let trace = self.walker.map.way([x, y, z], to, low, high).trace;
            !(trace.start_solid && trace.fraction <= 0.0)
        })
    }

    /// Visits the nodes in the area while `visit` returns true; returns whether it always did.
    fn each(&self, nodes: &Nodes, at: u32, mut visit: impl FnMut(u32) -> bool) -> bool {
        let [width, height] = self.size;
        let mut row = at;
        for _ in 0..height {
            let mut here = row;
            for _ in 0..width {
                if !visit(here) {
                    return false;
                }
                here = nodes.to(here, Direction::East).unwrap_or(here);
            }
            row = nodes.to(row, Direction::South).unwrap_or(row);
        }
        true
    }

    fn build(&self, nodes: &mut Nodes, at: u32, draft: &mut Draft) {
        let [width, height] = self.size;
        let along = |from: u32, direction: Direction, count: u32| {
            (0..count).fold(from, |at, _| nodes.to(at, direction).unwrap_or(at))
        };
        let (north_east, south_west) =
            (along(at, Direction::East, width), along(at, Direction::South, height));
        let corners = [at, north_east, along(south_west, Direction::East, width), south_west];
        let [nw, ne, se, sw] = corners.map(|at| nodes.node(at).at);
        let node = nodes.node(at);
        let crouches = match self.walker.rules.gold {
            true => node.crouch != 0,
            false => node.crouch & corner::SE != 0,
        };
        let mut bits = if crouches { Attributes::CROUCH.bits() } else { 0 };
        if !self.walker.rules.gold
            && corners.into_iter().zip(INWARDS).any(|(at, ways)| hinders(nodes.node(at), ways))
        {
            bits |= Attributes::NO_MERGE.bits();
        }
        let shape = Shape::new(nw, se, ne[2], sw[2]);
        let area = draft.push(Piece::new(shape, Attributes(bits), corners));
        let mut inside = Vec::with_capacity(width.saturating_mul(height) as usize);
        self.each(nodes, at, |here| {
            inside.push(here);
            true
        });
        for here in inside {
            nodes.change(here, |node| (node.covered, node.area) = (true, area));
        }
    }
}
