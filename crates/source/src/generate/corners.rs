//! Source's last corrections: areas that touch only at a corner, and the steep sides of stairs.
//! `docs/formats/source-generate.md`, section 6.

use super::super::geometry::{Axis, STEP, edges, half_portal};
use super::draft::{Draft, Piece};
use super::fences::{corner_nodes, right_of, side};
use super::nodes::{NONE, Nodes, corner, moved};
use super::options::GenerateOptions;
use super::options::stopped;
use super::walk::{STEP_HEIGHT, Walker};
use crate::flags::{Attributes, Direction};
use crate::record::Shape;
use navmap_core::error::Result;
use std::collections::HashMap;

/// The side of an area that bridges a corner.
const SMALL: f32 = 0.5 * STEP;

/// Makes small areas at corners where two areas touch, so that there is a path between them.
pub(super) fn help_at_corners(
    walker: Walker<'_>,
    draft: &mut Draft,
    options: &GenerateOptions<'_>,
) -> Result<()> {
    let bits = |at: [f32; 3]| at.map(f32::to_bits);
    // The first area with a corner at a point; by corner: north-west, north-east, south-east, south-west.
    let mut by_corner: [HashMap<[u32; 3], u32>; 4] = Default::default();
    for (at, piece) in draft.iter() {
        for (corner, known) in piece.shape.corners().into_iter().zip(&mut by_corner) {
            known.entry(bits(corner)).or_insert(at);
        }
    }
    let [nw, ne, se, sw] = by_corner;
    let opposite =
        [(Direction::North, se), (Direction::East, sw), (Direction::South, nw), (Direction::West, ne)];
    let all: Vec<u32> = draft.fresh_numbers().collect();
    for area in all {
        stopped(options)?;
        // The corner at the beginning of each side, clockwise, and the side that ends there.
        for (way, known) in &opposite {
            let Some(piece) = draft.get(area) else { continue };
            let before = right_of(*way).opposite();
            let free = |way: Direction| {
                piece.links(way).is_empty() && draft.naming_over(area, way.opposite()).next().is_none()
            };
            if !free(*way) || !free(before) {
                continue;
            }
            let [at, _] = side(piece.shape.corners(), *way);
            let Some(other) = known.get(&bits(at)).copied().filter(|other| *other != area) else { continue };
            let attributes = piece.attributes;
            // Ahead of the side, beside the other; and the other way round.
            for (out, along) in [(*way, before.opposite()), (before, way.opposite())] {
                if let Some(shape) = small(walker, draft, at, out, along) {
                    let made = draft.push(Piece::new(shape, attributes, [NONE; 4]));
                    draft.link(area, out, made);
                    draft.link(made, out.opposite(), area);
                    draft.link(other, along, made);
                    draft.link(made, along.opposite(), other);
                }
            }
        }
    }
    Ok(())
}

/// A small area at a corner: `out` of the one area, `along` the edge of it and out of the other.
fn small(walker: Walker<'_>, draft: &Draft, at: [f32; 3], out: Direction, along: Direction) -> Option<Shape> {
    let walks = |from: [f32; 3], way: Direction| {
        let [x, y, z] = moved(from, way, SMALL);
        let [.., high] = walker.walk(from, [x, y, z])?.trace.end;
        (from[2] - high <= STEP_HEIGHT).then_some([x, y, high])
    };
    let beside_other = walks(at, out)?;
    let ahead = moved(at, along, SMALL);
    let far = walks(ahead, out)?;
    walks(beside_other, along)?;
    let [x, y, z] = [0, 1, 2].map(|axis: usize| {
        let part = |point: [f32; 3]| point.get(axis).copied().unwrap_or_default();
        0.5 * (part(at) + part(far))
    });
    if draft.area_at([x, y, z + walker.rules.half_human], walker.rules.human).is_some() {
        return None;
    }
    let points = [at, beside_other, ahead, far];
    let corner = |east: bool, south: bool| {
        let [mx, my] = [x, y];
        let found = points.iter().find(|[px, py, _]| (*px > mx) == east && (*py > my) == south);
        found.map_or(z, |[.., z]| *z)
    };
    let low = |axis: fn(&[f32; 3]) -> f32| points.iter().map(axis).fold(f32::INFINITY, f32::min);
    let ([x0, y0], heights) = (
        [low(|[x, ..]| *x), low(|[_, y, _]| *y)],
        [corner(false, false), corner(true, false), corner(true, true), corner(false, true)],
    );
    Some(Shape::from_extent([x0, y0], [x0 + SMALL, y0 + SMALL], heights))
}

/// Drops links over the steep sides of stairs to ground higher than a step.
pub(super) fn mend_stairs(nodes: &Nodes, draft: &mut Draft, options: &GenerateOptions<'_>) -> Result<()> {
    let stairs: Vec<u32> = draft
        .fresh()
        .filter(|(_, piece)| piece.attributes.contains(Attributes::STAIRS))
        .map(|(at, _)| at)
        .collect();
    for area in stairs {
        stopped(options)?;
        for way in Direction::ALL {
            let Some(piece) = draft.get(area) else { continue };
            let [[.., first], [.., last]] = side(piece.shape.corners(), way);
            if (first - last).abs() < STEP_HEIGHT {
                continue;
            }
            let blocked = |to: &&u32| {
                draft.get(**to).is_some_and(|other| rises(nodes, piece, other, way).unwrap_or(false))
            };
            let cut: Vec<u32> = piece.links(way).iter().filter(blocked).copied().collect();
            for to in cut {
                draft.unlink(area, way, to);
                draft.unlink(to, way.opposite(), area);
            }
        }
    }
    Ok(())
}

/// Whether the ground under crouch space at the nodes nearest to the portal rises by more than a step beyond it.
fn rises(nodes: &Nodes, a: &Piece, b: &Piece, way: Direction) -> Option<bool> {
    let half = half_portal(&a.shape, &b.shape, way);
    let axis = Axis::along(way);
    let ([a0, a1], [b0, b1]) = (edges(&a.shape, axis), edges(&b.shape, axis));
    let middle = 0.5 * (a0.max(b0) + a1.min(b1));
    if half <= 0.0 {
        return None;
    }
    let nearest = |piece: &Piece, way: Direction, inner: u8| {
        let [first, last] = side(corner_nodes(nodes, piece)?, way);
        let mut best: Option<(f32, f32)> = None;
        let mut at = first;
        for _ in 0..=nodes.len() {
            let node = nodes.node(at);
            let [x, y, z] = node.at;
            let far = (if axis == Axis::X { x } else { y } - middle).abs();
            if best.is_none_or(|(least, _)| far < least) {
                best = Some((far, z + node.above(inner)));
            }
            if at == last {
                break;
            }
            at = nodes.to(at, right_of(way))?;
        }
        best.map(|(_, ground)| ground)
    };
    // The corners of the cells around a node on one side.
    let over = |way: Direction| match way {
        Direction::North => corner::NW | corner::NE,
        Direction::East => corner::NE | corner::SE,
        Direction::South => corner::SE | corner::SW,
        Direction::West => corner::SW | corner::NW,
    };
    let (here, there) = (nearest(a, way, over(way.opposite()))?, nearest(b, way.opposite(), over(way))?);
    Some(there - here > STEP_HEIGHT)
}
