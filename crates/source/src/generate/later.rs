//! Source's steps after areas are laid: marks jump areas and leads links across them, cuts areas under overhangs, finds stairs,
//! and drops redundant links. `docs/formats/source-generate.md`, section 6.

use super::super::each::map_all;
use super::super::geometry::{Axis, STEP, bridges, edges, heights, overlap};
use super::draft::Draft;
use super::join::{STEEP, dot, normals};
use super::options::GenerateOptions;
use super::options::stopped;
use super::walk::{STEP_HEIGHT, Walker};
use crate::flags::{Attributes, Direction};
use crate::record::Shape;
use navmap_core::error::Result;
use std::collections::{BTreeSet, HashSet};

/// The difference of normals from which on the ground differs from its area.
const TOLERANCE: f32 = 0.1;
/// The clearance below which one crouches on the lower of two overlapping areas.
const CROUCHING: f32 = 55.0;
/// Narrower shadows are ignored; on a narrow area those up to a step.
const LEAST_SHADOW: f32 = 7.5;
const NARROW: f32 = 50.0;
/// The least cosine between coplanar corners.
const EVEN: f32 = 0.95;
/// Stairs are tested along lines this far inside, in steps of the same length.
const INSET: f32 = 5.0;
/// The least z of the normal of a tread.
const TREAD: f32 = 0.97;
/// Half the width of the box that is dropped on stairs.
const HALF_WIDTH: f32 = 8.0;
/// A smaller rise is a slope: the tangent of the steepest slope, over one step along the line.
const LEAST_STEP: f32 = 5.101_02;

fn with(attributes: Attributes, more: Attributes) -> Attributes {
    Attributes(attributes.bits() | more.bits())
}

/// Marks areas that are too steep, or do not match the ground, as jumped over. They are not merged.
pub(super) fn mark_jumps(walker: Walker<'_>, draft: &mut Draft) {
    let steep = |shape: &Shape| {
        let [[.., first], [.., second]] = normals(shape);
        let lowest = first.min(second);
        if !(STEEP..STEEP + TOLERANCE).contains(&lowest) {
            return lowest < STEEP;
        }
        let [x, y, z] = shape.center();
        let from = [x, y, z + walker.rules.half_human];
        let down = walker.map.way(from, [x, y, from[2] - 9999.9], [0.0; 3], [0.0; 3]).trace;
        !down.start_solid && down.fraction < 1.0 && (down.normal[2] - lowest).abs() > TOLERANCE
    };
    let found: Vec<(u32, Attributes)> = draft
        .fresh()
        .filter(|(_, piece)| steep(&piece.shape))
        .map(|(at, piece)| (at, with(piece.attributes, Attributes::JUMP | Attributes::NO_MERGE)))
        .collect();
    found.into_iter().for_each(|(at, attributes)| draft.set_attributes(at, attributes));
}

/// Cuts areas at the edges of areas that overhang and lead to them.
pub(super) fn cut_under_overhangs(draft: &mut Draft, options: &GenerateOptions<'_>) -> Result<()> {
    // The engine starts over after each cut; only changed areas can lead to another one.
    let mut waiting: BTreeSet<u32> = draft.fresh_numbers().collect();
    while let Some(area) = waiting.pop_first() {
        stopped(options)?;
        let all: Vec<(Direction, u32)> = match draft.get(area) {
            Some(piece) => Direction::ALL
                .into_iter()
                .flat_map(|direction| piece.links(direction).iter().map(move |to| (direction, *to)))
                .collect(),
            None => continue,
        };
        let made = all.into_iter().find_map(|(direction, other)| cut_under(draft, area, direction, other));
        if let Some(parts) = made {
            waiting.insert(area);
            for part in parts {
                waiting.insert(part);
                waiting.extend(draft.naming(part));
            }
        }
    }
    Ok(())
}

/// Cuts the lower of two linked areas if the other overhangs it. Returns its parts.
fn cut_under(draft: &mut Draft, area: u32, direction: Direction, other: u32) -> Option<[u32; 2]> {
    let (a, b) = (draft.get(area)?.shape, draft.get(other)?.shape);
    if Axis::BOTH.into_iter().any(|axis| overlap(&a, &b, axis) <= 0.0) {
        return None;
    }
    let lowest = |shape: &Shape| heights(shape).into_iter().fold(f32::INFINITY, f32::min);
    let highest = |shape: &Shape| heights(shape).into_iter().fold(f32::NEG_INFINITY, f32::max);
    let ((upper, above), (lower, below), way) = if lowest(&b) < lowest(&a) {
        ((area, a), (other, b), direction)
    } else {
        ((other, b), (area, a), direction.opposite())
    };
    if lower < draft.old() || lowest(&above) <= highest(&below) + CROUCHING {
        return None;
    }
    let axis = match Axis::along(way) {
        Axis::X => Axis::Y,
        Axis::Y => Axis::X,
    };
    let ([above_low, above_high], [low, high]) = (edges(&above, axis), edges(&below, axis));
    let at_high = above_high < high;
    let shadow = if at_high { above_high - low } else { high - above_low };
    if shadow < LEAST_SHADOW || (shadow < STEP && high - low <= NARROW) {
        return None;
    }
    let shadow = shadow.max(STEP);
    let cut = if at_high { low + shadow } else { high - shadow };
    if !(cut > low + 1.0 && cut < high - 1.0) {
        return None;
    }
    let (down, up) = (draft.is_linked(upper, way, lower), draft.is_linked(lower, way.opposite(), upper));
    for direction in Direction::ALL {
        draft.unlink(upper, direction, lower);
        draft.unlink(lower, direction, upper);
    }
    let parts = draft.split(lower, axis, cut)?;
    let [first, second] = parts;
    let outside = if matches!(way, Direction::North | Direction::West) { first } else { second };
    if down {
        draft.link(upper, way, outside);
    }
    if up {
        draft.link(outside, way.opposite(), upper);
    }
    Some(parts)
}

/// Marks stairs.
pub(super) fn mark_stairs(
    walker: Walker<'_>,
    draft: &mut Draft,
    options: &GenerateOptions<'_>,
) -> Result<()> {
    let all: Vec<(u32, Shape, Attributes)> =
        draft.fresh().map(|(at, piece)| (at, piece.shape, piece.attributes)).collect();
    let found = map_all(
        all.len(),
        || (),
        |(), at| {
            let shape = all.get(at).map(|(_, shape, _)| shape);
            stopped(options).is_ok() && shape.is_some_and(|shape| is_stairs(walker, shape))
        },
    );
    stopped(options)?;
    for ((area, _, attributes), _) in all.iter().zip(found).filter(|(_, found)| *found) {
        draft.set_attributes(*area, with(*attributes, Attributes::STAIRS));
    }
    Ok(())
}

pub(crate) fn is_stairs(walker: Walker<'_>, shape: &Shape) -> bool {
    let [first, second] = normals(shape);
    if shape.extent().into_iter().all(|side| side <= STEP) || dot(first, second) < EVEN {
        return false;
    }
    let ([x0, x1], [y0, y1]) = (edges(shape, Axis::X), edges(shape, Axis::Y));
    let (mx, my) = (0.5 * (x0 + x1), 0.5 * (y0 + y1));
    let (west, east, north, south) = (x0 + INSET, x1 - INSET, y0 + INSET, y1 - INSET);
    let along_x = [north, south, my].map(|y| ([west, y], [east, y], Axis::X));
    let along_y = [west, east, mx].map(|x| ([x, north], [x, south], Axis::Y));
    let lines =
        along_x.into_iter().chain(along_y).map(|(from, to, axis)| steps(walker, shape, from, to, axis));
    // A single line without stairs is enough to say no.
    let mut found = false;
    for line in lines {
        match line {
            Some(steps) => found |= steps,
            None => return false,
        }
    }
    found
}

/// Whether a line over an area has steps; `None` if it cannot be stairs.
fn steps(walker: Walker<'_>, shape: &Shape, from: [f32; 2], to: [f32; 2], axis: Axis) -> Option<bool> {
    let ([fx, fy], [tx, ty]) = (from, to);
    let (fz, tz) = (shape.height_at(fx, fy), shape.height_at(tx, ty));
    if (fz - tz).abs() <= STEP_HEIGHT {
        return Some(false);
    }
    let half = match axis {
        Axis::X => [0.5 * INSET, HALF_WIDTH],
        Axis::Y => [HALF_WIDTH, 0.5 * INSET],
    };
    let [hx, hy] = half;
    let (low, high) = ([-hx, -hy, 0.0], [hx, hy, 1.0]);
    let length = (tx - fx).hypot(ty - fy);
    let count = (length / INSET) as u16;
    let mut found = false;
    let mut before: Option<f32> = None;
    for step in 0..=count {
        let part = (f32::from(step) * INSET / length).min(1.0);
        let (x, y) = (fx + (tx - fx) * part, fy + (ty - fy) * part);
        let z = fz + (tz - fz) * part;
        let way = walker.map.way([x, y, z + CROUCHING], [x, y, z - CROUCHING], low, high);
        let [.., ground] = way.trace.end;
        let flat = way.trace.fraction < 1.0 && way.trace.normal[2] >= TREAD;
        if way.displacement || way.trace.start_solid || !flat {
            return None;
        }
        let at_end = step == 0 || step == count;
        let rise = before.map_or(0.0, |before| (ground - before).abs());
        if rise > STEP_HEIGHT || (at_end && (ground - z).abs() > STEP_HEIGHT) {
            return None;
        }
        found |= rise >= LEAST_STEP;
        before = Some(ground);
    }
    Some(found)
}

/// Leads links across jump areas, and removes these.
pub(super) fn resolve_jumps(draft: &mut Draft, options: &GenerateOptions<'_>) -> Result<()> {
    let is_jump = |draft: &Draft, at: u32| {
        at >= draft.old() && draft.get(at).is_some_and(|piece| piece.attributes.contains(Attributes::JUMP))
    };
    let jumps: Vec<u32> = draft.fresh().map(|(at, _)| at).filter(|at| is_jump(draft, *at)).collect();
    for jump in &jumps {
        stopped(options)?;
        for direction in Direction::ALL {
            let Some(piece) = draft.get(*jump) else { continue };
            let goals: Vec<u32> =
                piece.links(direction).iter().copied().filter(|goal| !is_jump(draft, *goal)).collect();
            if goals.is_empty() {
                continue;
            }
            for source in sources(draft, *jump, direction, &is_jump) {
                for goal in &goals {
                    let (Some(a), Some(b)) = (draft.get(source), draft.get(*goal)) else { continue };
                    let stairs = a.attributes.contains(Attributes::STAIRS);
                    if bridges(&a.shape, &b.shape, direction, stairs) {
                        draft.link(source, direction, *goal);
                    }
                }
            }
        }
    }
    jumps.into_iter().for_each(|jump| draft.remove(jump));
    Ok(())
}

/// The areas that lead onto an area in a direction, past other jump areas.
fn sources(
    draft: &Draft,
    area: u32,
    direction: Direction,
    is_jump: &impl Fn(&Draft, u32) -> bool,
) -> Vec<u32> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([area]);
    let mut stack = vec![area];
    while let Some(at) = stack.pop() {
        for from in draft.naming_over(at, direction) {
            if seen.insert(from) {
                if is_jump(draft, from) { stack.push(from) } else { found.push(from) }
            }
        }
    }
    found.sort_unstable();
    found
}

/// Drops links to areas that are also reached over another area in a straight line.
pub(super) fn drop_shortcuts(draft: &mut Draft, options: &GenerateOptions<'_>) -> Result<()> {
    for area in draft.fresh_numbers() {
        stopped(options)?;
        for direction in Direction::ALL {
            let Some(piece) = draft.get(area) else { continue };
            let near = piece.links(direction);
            let beyond =
                |to: &&u32| near.iter().any(|over| over != *to && draft.is_linked(*over, direction, **to));
            let needless: Vec<u32> = near.iter().filter(beyond).copied().collect();
            needless.into_iter().for_each(|to| draft.unlink(area, direction, to));
        }
    }
    Ok(())
}
