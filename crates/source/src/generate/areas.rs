//! Covers nodes with areas, large ones first. `docs/formats/source-generate.md`, section 3.

use super::draft::{Draft, Piece};
use super::nodes::{Node, Nodes, corner};
use super::options::GenerateOptions;
use super::options::stopped;
use super::walk::{STEP_HEIGHT, Walker};
use crate::flags::{Attributes, Direction};
use crate::record::Shape;
use navmap_core::error::Result;
use std::cell::OnceCell;

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
    // The smallest size at each node that is known not to fit.
    let mut hindered = vec![[u32::MAX; 2]; nodes.len()];
    let crouching = vec![OnceCell::new(); nodes.len()];
    while width > 0 && height > 0 && !left.is_empty() {
        let cover = Cover { walker, closed: &closed, crouching: &crouching, size: [width, height] };
        for at in &left {
            let Some(least) = hindered.get_mut(*at as usize) else { continue };
            if cover.is_hindered(*least) {
                continue;
            }
            match cover.fits(nodes, *at) {
                Ok(()) => cover.build(nodes, *at, draft),
                Err(size) => *least = size,
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
    /// Whether a crouching human fits above each node, once that was asked for.
    crouching: &'c [OnceCell<bool>],
    size: Size,
}

/// Cells to the east and to the south.
type Size = [u32; 2];

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
    /// Whether an area of this size has the same hindrance as the smallest that has it.
    fn is_hindered(&self, least: Size) -> bool {
        let [width, height] = self.size;
        let [least_width, least_height] = least;
        // Of a single cell less is asked.
        self.size != [1, 1] && width >= least_width && height >= least_height
    }

    /// Whether an area of this size fits with its north-western corner at a node. If not, the smallest size that has the same
    /// hindrance.
    ///
    /// What hinders an area stays: cells are never uncovered, and the rest does not depend on areas.
    fn fits(&self, nodes: &Nodes, at: u32) -> std::result::Result<(), Size> {
        let [width, height] = self.size;
        let corner_node = nodes.node(at);
        let plane = Plane::through(corner_node);
        let crouches = corner_node.crouch & corner::SE != 0;
        self.takes(&plane, corner_node, [0, 0])?;
        let mut row = at;
        for y in 0..height {
            let mut here = row;
            for x in 0..width {
                let cell = Err([x.saturating_add(1), y.saturating_add(1)]);
                let node = nodes.node(here);
                let closed = self.closed.get(here as usize).is_some_and(|closed| *closed);
                if node.covered || !closed || !self.suits(node, [x, y], crouches) {
                    return cell;
                }
                let Some(next) = node.to(Direction::East) else { return cell };
                here = next;
                self.takes(&plane, nodes.node(here), [x.saturating_add(1), y])?;
            }
            let Some(next) = nodes.to(row, Direction::South) else { return Err([1, y.saturating_add(1)]) };
            row = next;
            self.takes(&plane, nodes.node(row), [0, y.saturating_add(1)])?;
        }
        let mut here = row;
        for x in 0..width {
            let Some(next) = nodes.to(here, Direction::East) else {
                return Err([x.saturating_add(1), height]);
            };
            here = next;
            self.takes(&plane, nodes.node(here), [x.saturating_add(1), height])?;
        }
        match !crouches || self.walker.rules.gold {
            true => Ok(()),
            false => self.fits_crouching(nodes, at),
        }
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

    /// The smallest size inside of which an obstacle is, as seen from one of its nodes; `None` if this size has none.
    fn obstructed(&self, node: &Node, [x, y]: [u32; 2]) -> Option<Size> {
        let [width, height] = self.size;
        let (east, south) = (x.saturating_add(2), y.saturating_add(2));
        let inside = [
            (Direction::West, x > 0, [x, y]),
            (Direction::North, y > 0, [x, y]),
            (Direction::East, east <= width, [east, y]),
            (Direction::South, south <= height, [x, south]),
        ];
        let found = inside
            .into_iter()
            .find(|(direction, inside, _)| *inside && node.obstacle(*direction).height > STEP_HEIGHT);
        found.map(|(_, _, size)| size.map(|cells| cells.max(1)))
    }

    /// Whether an area of several cells may include a node of its rim or its inside. If not, the smallest size that includes it.
    fn takes(&self, plane: &Plane, node: &Node, [x, y]: [u32; 2]) -> std::result::Result<(), Size> {
        if self.size == [1, 1] {
            return Ok(());
        }
        if !plane.holds(node) {
            return Err([x.max(1), y.max(1)]);
        }
        match self.walker.rules.gold {
            true => Ok(()),
            false => self.obstructed(node, [x, y]).map_or(Ok(()), Err),
        }
    }

    /// Whether a box of a crouching human, as wide as a cell, fits somewhere above each node. If not, the smallest size with a node
    /// where it does not.
    fn fits_crouching(&self, nodes: &Nodes, at: u32) -> std::result::Result<(), Size> {
        let fits = |here: u32| {
            let [x, y, z] = nodes.node(here).at;
            let (low, high) = ([0.0; 3], [25.0, 25.0, 55.0]);
            let to = [x, y, z + self.walker.rules.jump_crouch];
            let trace = self.walker.map.way([x, y, z], to, low, high).trace;
            !(trace.start_solid && trace.fraction <= 0.0)
        };
        let known = |here: u32| {
            self.crouching.get(here as usize).is_some_and(|known| *known.get_or_init(|| fits(here)))
        };
        let low = self.cells(nodes, at).find(|(here, _)| !known(*here));
        low.map_or(Ok(()), |(_, [x, y])| Err([x.saturating_add(1), y.saturating_add(1)]))
    }

    /// The north-western nodes of all cells of the area, each with its place.
    fn cells(&self, nodes: &Nodes, at: u32) -> impl Iterator<Item = (u32, [u32; 2])> {
        let [width, height] = self.size;
        let run = move |from: u32, direction: Direction, count: u32| {
            let next = move |at: &u32| Some(nodes.to(*at, direction).unwrap_or(*at));
            std::iter::successors(Some(from), next).zip(0..count)
        };
        let row = move |(first, y)| run(first, Direction::East, width).map(move |(here, x)| (here, [x, y]));
        run(at, Direction::South, height).flat_map(row)
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
        let inside: Vec<u32> = self.cells(nodes, at).map(|(here, _)| here).collect();
        for here in inside {
            nodes.change(here, |node| (node.covered, node.area) = (true, area));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::nodes::{NONE, Obstacle};
    use super::super::options::Game;
    use super::super::rules::Rules;
    use super::super::terrain::{Floor, Terrain, Way};
    use super::*;
    use crate::analyze::{Map, Purpose, Trace};

    const SIDE: u32 = 9;

    fn dice(seed: u32) -> u32 {
        (seed.wrapping_mul(0x9E37_79B9) ^ (seed >> 7)).wrapping_mul(0x85EB_CA6B) >> 16
    }

    /// Ground on which nobody crouches at some places.
    struct Low;

    impl Map for Low {
        fn line(&self, _: [f32; 3], to: [f32; 3], _: Purpose) -> Trace {
            Trace { fraction: 1.0, start_solid: false, end: to, normal: [0.0; 3] }
        }
        fn hull(&self, _: [f32; 3], to: [f32; 3], _: [f32; 3], _: [f32; 3], purpose: Purpose) -> Trace {
            self.line(to, to, purpose)
        }
        fn ground(&self, [.., z]: [f32; 3]) -> Option<f32> {
            Some(z)
        }
    }

    impl Terrain for Low {
        fn floor(&self, [.., z]: [f32; 3]) -> Option<Floor> {
            Some(Floor { z, normal: [0.0, 0.0, 1.0] })
        }
        fn way(&self, from: [f32; 3], to: [f32; 3], _: [f32; 3], _: [f32; 3]) -> Way {
            let [x, y, _] = from;
            let solid = dice((x + 100.0 * y) as u32).is_multiple_of(9);
            let fraction = if solid { 0.0 } else { 1.0 };
            let trace = Trace { fraction, start_solid: solid, end: to, normal: [0.0; 3] };
            Way { trace, opens: false, displacement: false, sky: false }
        }
    }

    /// A square of nodes with a few steps, obstacles, low places and holes.
    fn nodes(seed: u32) -> Nodes {
        let rolls = |at: u32, what: u32, of: u32| dice(seed * 5_000 + at * 8 + what).is_multiple_of(of);
        let mut nodes = Nodes::new(SIDE * SIDE);
        for at in 0..SIDE * SIDE {
            let z = if rolls(at, 0, 24) { 8.0 } else { 0.0 };
            let mut node = Node::new([(at % SIDE) as f32, (at / SIDE) as f32, z], [0.0, 0.0, 1.0], NONE);
            node.crouch = if rolls(seed, 9, 2) || rolls(at, 1, 12) { corner::ALL } else { 0 };
            node.covered = rolls(at, 2, 40);
            nodes.push(node).unwrap();
        }
        for at in 0..SIDE * SIDE {
            let east = (at % SIDE < SIDE - 1).then_some((Direction::East, at + 1));
            let south = (at / SIDE < SIDE - 1).then_some((Direction::South, at + SIDE));
            for (direction, to) in east.into_iter().chain(south).filter(|_| !rolls(at, 3, 40)) {
                let height = |what| if rolls(at, what, 24) { 40.0 } else { 0.0 };
                nodes.link(at, direction, to, Obstacle { height: height(4), ..Obstacle::FREE });
                nodes.link(to, direction.opposite(), at, Obstacle { height: height(5), ..Obstacle::FREE });
            }
        }
        nodes
    }

    #[test]
    fn what_hinders_an_area_hinders_each_that_contains_it() {
        let mut told = 0;
        for (seed, game) in (0..20).zip([Game::TeamFortress, Game::ConditionZero].into_iter().cycle()) {
            let nodes = nodes(seed);
            let closed: Vec<bool> = (0..SIDE * SIDE).map(|at| nodes.is_closed(at)).collect();
            let crouching = vec![OnceCell::new(); nodes.len()];
            let walker = Walker { map: &Low, rules: Rules::for_game(game) };
            let sizes = || (1..SIDE).flat_map(|width| (1..SIDE).map(move |height| [width, height]));
            let cover = |size| Cover { walker, closed: &closed, crouching: &crouching, size };
            for at in 0..SIDE * SIDE {
                for least in sizes().filter_map(|size| cover(size).fits(&nodes, at).err()) {
                    for size in sizes().filter(|size| cover(*size).is_hindered(least)) {
                        assert!(cover(size).fits(&nodes, at).is_err(), "{seed}: {at}, {least:?}, {size:?}");
                        told += 1;
                    }
                }
            }
        }
        assert!(told > 100_000, "{told}");
    }
}
