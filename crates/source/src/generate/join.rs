//! Joins matching areas, cuts those that are too long, and marks those that are too steep. `docs/formats/source-generate.md`,
//! section 5.

use super::super::geometry::{Axis, edges};
use super::draft::{Corners, Draft, Piece};
use super::nodes::{Nodes, snap};
use super::options::GenerateOptions;
use super::options::stopped;
use super::rules::Rules;
use crate::flags::{Attributes, Direction};
use crate::record::Shape;
use navmap_core::error::Result;
use std::collections::BTreeSet;

/// The least cosine between two coplanar areas.
const ONE_PLANE: f32 = 0.99;
/// The same on displacements.
const ROLLING: f32 = 0.7;
/// The longest side of a joined area. Source.
const LONGEST: f32 = 1250.0;
/// The largest ratio of length to width.
const LONGEST_TO_WIDTH: f32 = 3.01;
/// A cut this close to an edge is dropped.
const AT_EDGE: f32 = 0.1;
/// The z of the normal below which ground is jumped over instead of walked.
pub(super) const STEEP: f32 = 0.7;

fn cross([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn unit(v: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = v;
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 { v.map(|part| part / length) } else { [0.0, 0.0, 1.0] }
}

pub(super) fn dot([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> f32 {
    ax * bx + ay * by + az * bz
}

/// The normals of the two triangles of an area: at its north-western and at its south-eastern corner.
pub(super) fn normals(shape: &Shape) -> [[f32; 3]; 2] {
    let ([x0, y0, nw], [x1, y1, se]) = (shape.north_west(), shape.south_east());
    let (ne, sw) = (shape.north_east_z(), shape.south_west_z());
    let (dx, dy) = (x1 - x0, y1 - y0);
    [
        unit(cross([dx, 0.0, ne - nw], [0.0, dy, sw - nw])),
        unit(cross([-dx, 0.0, sw - se], [0.0, -dy, ne - se])),
    ]
}

/// Joins neighbours that share a whole edge, have equal properties and are coplanar, until none are left.
pub(super) fn merge(
    rules: Rules,
    nodes: &Nodes,
    draft: &mut Draft,
    options: &GenerateOptions<'_>,
) -> Result<()> {
    // The engine starts over at the first area after each merge. An area without a partner gets one only after a change to itself
    // or to a neighbour, so only those are tested again, lowest number first.
    let mut waiting: BTreeSet<u32> = draft.fresh_numbers().collect();
    while let Some(area) = waiting.pop_first() {
        stopped(options)?;
        let found = [Direction::North, Direction::South, Direction::West, Direction::East]
            .into_iter()
            .find_map(|direction| {
                let piece = draft.get(area)?;
                let joined = |other: &u32| {
                    let corners = joins(rules, nodes, piece, draft.get(*other)?, direction)?;
                    (*other != area && *other >= draft.old()).then_some((*other, corners))
                };
                piece.links(direction).iter().find_map(joined)
            });
        let Some((other, corners)) = found else { continue };
        let [nw, ne, se, sw] = corners.map(|at| nodes.node(at).at);
        let shape = Shape::new(nw, se, ne[2], sw[2]);
        let changed = draft.absorb(area, other, shape, corners);
        waiting.extend(changed.into_iter().filter(|at| *at >= draft.old()));
        waiting.remove(&other);
    }
    Ok(())
}

/// The corners of the joined area, if the two can be joined.
fn joins(rules: Rules, nodes: &Nodes, a: &Piece, b: &Piece, direction: Direction) -> Option<Corners> {
    let ([anw, ane, ase, asw], [bnw, bne, bse, bsw]) = (a.corners, b.corners);
    let (shared, corners) = match direction {
        Direction::North => ([(anw, bsw), (ane, bse)], [bnw, bne, ase, asw]),
        Direction::South => ([(asw, bnw), (ase, bne)], [anw, ane, bse, bsw]),
        Direction::West => ([(anw, bne), (asw, bse)], [bnw, ane, ase, bsw]),
        Direction::East => ([(ane, bnw), (ase, bsw)], [anw, bne, bse, asw]),
    };
    let alike = a.attributes == b.attributes && shared.iter().all(|(a, b)| a == b);
    if !alike {
        return None;
    }
    let ([a_nw, a_se], [b_nw, b_se]) = (normals(&a.shape), normals(&b.shape));
    if rules.gold {
        return (dot(a_nw, b_nw) > ONE_PLANE).then_some(corners);
    }
    let size = |from: u32, to: u32| {
        let ([x0, y0, _], [x1, y1, _]) = (nodes.node(from).at, nodes.node(to).at);
        (x1 - x0).max(y1 - y0)
    };
    let [nw, _, se, _] = corners;
    let rolling = corners.iter().all(|at| nodes.node(*at).on_displacement);
    let least = if rolling { ROLLING } else { ONE_PLANE };
    let flat = dot(a_nw, a_se) > least && dot(b_nw, b_se) > least && dot(a_nw, b_nw) > least;
    let merges = !a.attributes.contains(Attributes::NO_MERGE) && size(nw, se) <= LONGEST;
    (flat && merges).then_some(corners)
}

/// Cuts areas across until none is much longer than wide.
pub(super) fn square_up(rules: Rules, draft: &mut Draft, options: &GenerateOptions<'_>) -> Result<()> {
    // The later engine counts along a list from which it removes what it cuts, and so passes over the area behind.
    let mut passes = false;
    let mut area = draft.old();
    // The parts are the last areas, and are tested as well.
    while area < draft.numbers() {
        stopped(options)?;
        if let Some(piece) = draft.get(area) {
            let [x, y] = piece.shape.extent();
            let axis = if x > y { Axis::X } else { Axis::Y };
            passes = !passes && cut(draft, area, axis) && rules.late;
        }
        area = area.saturating_add(1);
    }
    Ok(())
}

/// Halves an area, and its halves, until they are nearly square. Returns whether it was cut.
fn cut(draft: &mut Draft, area: u32, axis: Axis) -> bool {
    let mut stack = vec![area];
    while let Some(area) = stack.pop() {
        let Some(shape) = draft.get(area).map(|piece| piece.shape) else { continue };
        let [x, y] = shape.extent();
        let aspect = x / y;
        if (1.0 / LONGEST_TO_WIDTH..=LONGEST_TO_WIDTH).contains(&aspect) {
            continue;
        }
        let [low, high] = edges(&shape, axis);
        let at = snap(low + 0.5 * (high - low));
        if (at - low).abs() < AT_EDGE || (at - high).abs() < AT_EDGE {
            continue;
        }
        if let Some([first, second]) = draft.split(area, axis, at) {
            stack.extend([second, first]);
        }
    }
    draft.get(area).is_none()
}

/// Marks areas too steep to walk up. GoldSrc.
pub(super) fn mark_steep(draft: &mut Draft) {
    let steep = draft.fresh().filter(|(_, piece)| {
        let [[.., z], _] = normals(&piece.shape);
        z < STEEP
    });
    let steep: Vec<(u32, Attributes)> = steep
        .map(|(at, piece)| (at, Attributes(piece.attributes.bits() | Attributes::JUMP.bits())))
        .collect();
    steep.into_iter().for_each(|(at, attributes)| draft.set_attributes(at, attributes));
}
