//! Source's treatment of fences: areas on top of obstacles that are climbed over. `docs/formats/source-generate.md`, section 6.

use super::super::geometry::{Axis, STEP, edges, half_portal, overlap};
use super::draft::{Corners, Draft, Piece};
use super::join::{STEEP, normals};
use super::nodes::{NONE, Node, Nodes};
use super::options::GenerateOptions;
use super::options::stopped;
use super::walk::STEP_HEIGHT;
use crate::flags::{Attributes, Direction};
use crate::record::Shape;
use navmap_core::error::Result;
use std::collections::BTreeSet;

/// The narrowest top of an obstacle.
const NARROWEST: f32 = 10.0;

/// Whether an area is on top of an obstacle.
fn is_top(piece: &Piece) -> bool {
    piece.attributes.contains(Attributes::OBSTACLE_TOP)
}

/// The nodes at the corners of an area. A cut part has no nodes of its own, but the cut is on the grid.
pub(super) fn corner_nodes(nodes: &Nodes, piece: &Piece) -> Option<Corners> {
    if piece.corners != [NONE; 4] {
        return Some(piece.corners);
    }
    let [nw, ne, se, sw] = piece.shape.corners().map(|at| nodes.find(at));
    Some([nw?, ne?, se?, sw?])
}

/// The corners at the ends of a side, clockwise: of the north side north-west and north-east.
pub(super) fn side<T: Copy>([nw, ne, se, sw]: [T; 4], direction: Direction) -> [T; 2] {
    match direction {
        Direction::North => [nw, ne],
        Direction::East => [ne, se],
        Direction::South => [se, sw],
        Direction::West => [sw, nw],
    }
}

/// The direction clockwise of one.
pub(super) fn right_of(direction: Direction) -> Direction {
    match direction {
        Direction::North => Direction::East,
        Direction::East => Direction::South,
        Direction::South => Direction::West,
        Direction::West => Direction::North,
    }
}

/// The start and end of an obstacle, widened enough for an area, but no farther than `most`.
fn widened(start: f32, end: f32, most: f32) -> [f32; 2] {
    let width = end - start;
    if width >= NARROWEST {
        return [start, end];
    }
    let start = (start - 0.5 * (NARROWEST - width)).max(0.0);
    let beyond = (start + NARROWEST - most).max(0.0);
    [start - beyond, start + NARROWEST - beyond]
}

/// Makes areas on top of climbed obstacles, and keeps those that do not overlap.
pub(super) fn top_fences(nodes: &Nodes, draft: &mut Draft, options: &GenerateOptions<'_>) -> Result<()> {
    raise(nodes, draft, options)?;
    bridge(nodes, draft, options)?;
    thin_out(draft, options)
}

/// The highest obstacle inside an area of one cell.
struct Inside {
    direction: Direction,
    start: f32,
    /// Heights of its top at the left and the right edge, looking in its direction.
    tops: [f32; 2],
}

/// The obstacle inside an area of one cell, and whether it is beside stairs.
fn inside(nodes: &Nodes, draft: &Draft, piece: &Piece) -> (Option<Inside>, bool) {
    let mut highest: Option<Inside> = None;
    let mut by_stairs = false;
    let Some(corners) = corner_nodes(nodes, piece) else { return (None, false) };
    for direction in Direction::ALL {
        // The rear corners: looking north, the south-western and the south-eastern.
        let [right, left] = side(corners, direction.opposite());
        let ways = [left, right].map(|at| (nodes.node(at).at, nodes.node(at).obstacle(direction)));
        let tops = ways.map(|([.., z], way)| match way.height > STEP_HEIGHT {
            true => z + way.height,
            false => f32::NEG_INFINITY,
        });
        let found = tops.iter().filter(|top| top.is_finite()).count();
        let stairs =
            |at: &u32| draft.get(*at).is_some_and(|near| near.attributes.contains(Attributes::STAIRS));
        let beside = piece.links(direction).iter().any(stairs);
        by_stairs |= beside;
        let needed = if beside { 1 } else { 2 };
        let top = |tops: [f32; 2]| tops.into_iter().fold(f32::NEG_INFINITY, f32::max);
        if found >= needed && highest.as_ref().is_none_or(|other| top(tops) > top(other.tops)) {
            let blocked = ways.iter().filter(|(_, way)| way.height > STEP_HEIGHT);
            let start = blocked.map(|(_, way)| way.start).fold(STEP, f32::min);
            highest = Some(Inside { direction, start, tops });
        }
    }
    (highest, by_stairs)
}

/// Raises areas of one cell onto the obstacle inside them. Beside stairs they are removed.
fn raise(nodes: &Nodes, draft: &mut Draft, options: &GenerateOptions<'_>) -> Result<()> {
    let cells: Vec<u32> = draft
        .fresh()
        .filter(|(_, piece)| piece.shape.extent().into_iter().all(|side| side == STEP))
        .map(|(at, _)| at)
        .collect();
    let mut gone = Vec::new();
    for area in cells {
        stopped(options)?;
        let Some(piece) = draft.get(area) else { continue };
        let (Some(found), by_stairs) = inside(nodes, draft, piece) else { continue };
        if by_stairs {
            gone.push(area);
            continue;
        }
        let shape = raised(&piece.shape, &found);
        let attributes =
            piece.attributes.bits() | Attributes::OBSTACLE_TOP.bits() | Attributes::NO_MERGE.bits();
        draft.set_attributes(area, Attributes(attributes & !Attributes::JUMP.bits()));
        draft.reshape(area, shape);
        // Nobody walks along the top.
        for way in [right_of(found.direction), right_of(found.direction).opposite()] {
            let ends: Vec<u32> = draft.get(area).map(|piece| piece.links(way).to_vec()).unwrap_or_default();
            ends.into_iter().for_each(|to| draft.unlink(area, way, to));
            let back = way.opposite();
            let begins: Vec<u32> = draft.naming_over(area, back).collect();
            begins.into_iter().for_each(|from| draft.unlink(from, back, area));
        }
    }
    gone.into_iter().for_each(|area| draft.remove(area));
    Ok(())
}

/// The rectangle on top of the obstacle in a cell. The engine uses the start of the obstacle as its end, so it is always as
/// narrow as possible; and it treats east and west the same.
fn raised(shape: &Shape, found: &Inside) -> Shape {
    let ([x0, x1], [y0, y1]) = (edges(shape, Axis::X), edges(shape, Axis::Y));
    let [start, end] = widened(found.start, found.start, STEP);
    let [left, right] = found.tops;
    let (x, y, heights) = match found.direction {
        Direction::North => ([x0, x1], [y1 - end, y1 - start], [left, right, right, left]),
        Direction::South => ([x0, x1], [y0 + start, y0 + end], [right, left, left, right]),
        Direction::East => ([x0, x0 + end - start], [y0, y1], [left, left, right, right]),
        Direction::West => ([x1 - end, x1 - start], [y0, y1], [right, right, left, left]),
    };
    let ([x0, x1], [y0, y1]) = (x, y);
    Shape::from_extent([x0, y0], [x1, y1], heights)
}

/// Makes areas on top of obstacles between two areas linked across them.
fn bridge(nodes: &Nodes, draft: &mut Draft, options: &GenerateOptions<'_>) -> Result<()> {
    let all: Vec<u32> = draft.fresh_numbers().collect();
    for area in all {
        stopped(options)?;
        let Some(piece) = draft.get(area) else { continue };
        let special = |piece: &Piece| is_top(piece) || piece.attributes.contains(Attributes::JUMP);
        if special(piece) {
            // The engine stops here, and does not only skip the area.
            return Ok(());
        }
        let Some(corners) = corner_nodes(nodes, piece) else { continue };
        let links: Vec<(Direction, u32)> = Direction::ALL
            .into_iter()
            .flat_map(|way| piece.links(way).iter().map(move |to| (way, *to)))
            .collect();
        for (way, other) in links {
            let (Some(a), Some(b)) = (draft.get(area), draft.get(other)) else { continue };
            if special(b) {
                continue;
            }
            let found = between(nodes, corners, a, b, way, false)
                .or_else(|| between(nodes, corners, a, b, way, true));
            let Some(shape) = found else { continue };
            let attributes =
                a.attributes.bits() | Attributes::OBSTACLE_TOP.bits() | Attributes::NO_MERGE.bits();
            let back = draft.is_linked(other, way.opposite(), area);
            let top = draft.push(Piece::new(shape, Attributes(attributes), [NONE; 4]));
            Direction::ALL.into_iter().for_each(|side| draft.unlink(area, side, other));
            draft.link(area, way, top);
            draft.link(top, way.opposite(), area);
            draft.link(top, way, other);
            if back {
                Direction::ALL.into_iter().for_each(|side| draft.unlink(other, side, area));
                draft.link(other, way.opposite(), top);
            }
        }
    }
    Ok(())
}

/// The top of an obstacle between two areas along their whole portal, if there is one: between two nodes, or around the single
/// node between them.
fn between(
    nodes: &Nodes,
    corners: Corners,
    a: &Piece,
    b: &Piece,
    way: Direction,
    around: bool,
) -> Option<Shape> {
    let half = half_portal(&a.shape, &b.shape, way);
    if half <= 0.0 {
        return None;
    }
    let axis = Axis::along(way);
    let ([a0, a1], [b0, b1]) = (edges(&a.shape, axis), edges(&b.shape, axis));
    let middle = 0.5 * (a0.max(b0) + a1.min(b1));
    let [first, last] = side(corners, way);
    let along = |[x, y, _]: [f32; 3]| match axis {
        Axis::X => x,
        Axis::Y => y,
    };
    let mut run: Vec<([f32; 3], [f32; 3])> = Vec::new();
    let mut at = first;
    for _ in 0..=nodes.len() {
        let node = nodes.node(at);
        if (along(node.at) - middle).abs() < half + 1.0 {
            let found = if around { step_between(nodes, node, b, way) } else { wall(node, way) };
            run.push((node.at, found.unwrap_or_default()));
        }
        if at == last {
            break;
        }
        at = nodes.to(at, right_of(way))?;
    }
    let least = run.iter().map(|(_, [height, ..])| *height).reduce(f32::min)?;
    if least <= STEP_HEIGHT {
        return None;
    }
    let start = run.iter().map(|(_, [_, start, _])| *start).fold(STEP, f32::min);
    let end = run.iter().map(|(_, [.., end])| *end).fold(0.0, f32::max);
    let ([.., z_first], [mut first, ..]) = run.first().copied()?;
    let ([.., z_last], [mut last, ..]) = run.last().copied()?;
    let most = run.iter().map(|(_, [height, ..])| *height).fold(0.0, f32::max);
    if most > first && most > last {
        (first, last) = (most, most);
    }
    let [start, end] = widened(start, end, if around { 2.0 * STEP } else { STEP });
    // Clockwise is from west to east over the north side, and from east to west over the south side.
    let mut ends = [z_first + first, z_last + last];
    if matches!(way, Direction::South | Direction::West) {
        ends.reverse();
    }
    let [low, high] = ends;
    let ([x0, x1], [y0, y1]) = (edges(&a.shape, Axis::X), edges(&a.shape, Axis::Y));
    let (from, to) = (middle - half, middle + half);
    Some(match way {
        Direction::North => Shape::from_extent([from, y0 - end], [to, y0 - start], [low, high, high, low]),
        Direction::South => Shape::from_extent([from, y1 + start], [to, y1 + end], [low, high, high, low]),
        Direction::East => Shape::from_extent([x1 + start, from], [x1 + end, to], [low, low, high, high]),
        Direction::West => Shape::from_extent([x0 - end, from], [x0 - start, to], [low, low, high, high]),
    })
}

/// The obstacle between a node and the next: its height, start and end.
fn wall(node: &Node, way: Direction) -> Option<[f32; 3]> {
    let found = node.obstacle(way);
    Some([found.height, found.start, found.end])
}

/// The same if the next node is on top of it, and the one after that in the other area, about as high as the first.
fn step_between(nodes: &Nodes, node: &Node, other: &Piece, way: Direction) -> Option<[f32; 3]> {
    let holds = |[x, y, _]: [f32; 3]| other.shape.contains_xy(x, y);
    let on_top = nodes.node(node.to(way)?);
    let beyond = nodes.node(on_top.to(way)?);
    let ([.., z], [.., top], [.., far]) = (node.at, on_top.at, beyond.at);
    let lies = !holds(node.at) && !holds(on_top.at) && holds(beyond.at);
    let fits = lies && top - z > STEP_HEIGHT && (far - z).abs() <= STEP_HEIGHT;
    fits.then_some([top - z, STEP - 0.5 * NARROWEST, STEP + 0.5 * NARROWEST])
}

/// Removes steep tops, and of overlapping ones those inside others, else the smaller ones.
fn thin_out(draft: &mut Draft, options: &GenerateOptions<'_>) -> Result<()> {
    let mut gone: BTreeSet<u32> = BTreeSet::new();
    for (at, piece) in draft.fresh().filter(|(_, piece)| is_top(piece)) {
        stopped(options)?;
        let [[.., first], [.., second]] = normals(&piece.shape);
        if first.min(second) < STEEP {
            gone.insert(at);
        }
        let ([x, y, _], [wide, deep]) = (piece.shape.center(), piece.shape.extent());
        let near = draft.near([x, y], 0.5 * wide.max(deep));
        for other in near.into_iter().filter(|other| *other > at) {
            let Some(lies) = draft.get(other).filter(|other| is_top(other)) else { continue };
            if Axis::BOTH.into_iter().all(|axis| overlap(&piece.shape, &lies.shape, axis) > 0.0) {
                gone.insert(if goes_second(&piece.shape, &lies.shape) { other } else { at });
            }
        }
    }
    gone.into_iter().for_each(|area| draft.remove(area));
    Ok(())
}

/// Whether, of two overlapping areas, the second is removed: if it is inside the first or smaller.
fn goes_second(a: &Shape, b: &Shape) -> bool {
    let holds = |a: &Shape, b: &Shape| {
        Axis::BOTH.into_iter().all(|axis| {
            let ([a0, a1], [b0, b1]) = (edges(a, axis), edges(b, axis));
            a0 <= b0 && a1 >= b1
        })
    };
    holds(a, b) || (!holds(b, a) && a.square_units() > b.square_units())
}
