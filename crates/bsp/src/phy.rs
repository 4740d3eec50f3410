//! The collision of a model (`.phy`): solids of convex pieces, in the format of the games' physics library.

use super::trace::{cross, dot, minus};
use super::tree::Plane;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};

type Vec3 = [f32; 3];

/// A game unit in metres. Pieces are stored in metres.
const METRES: f32 = navmap_core::graph::INCH as f32;
/// Sizes of records: the head of a ledge, of its triangles, and of a node of the tree.
const LEDGE: usize = 16;
const TRIANGLE: usize = 16;
const NODE: usize = 28;
const POINT: usize = 16;
/// The head of a surface, and the additional head of newer files.
const SURFACE: usize = 48;
const NEWER: usize = 28;
/// No real model has a tenth of this.
const MOST_LEDGES: usize = 4096;
const MOST_TRIANGLES: usize = 1024;
/// Planes closer than this are the same.
const SAME: f32 = 1e-3;

/// A convex piece: its planes, facing outwards, and its corners.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) planes: Vec<Plane>,
    pub(super) corners: Vec<Vec3>,
}

/// The convex pieces of the first solid, the one a static prop uses. In the space and units of the model.
///
/// # Errors
/// If the bytes are not a model's collision: the error says what and where.
pub(super) fn pieces(bytes: &[u8]) -> Result<Vec<Piece>> {
    let mut head = Cursor::new(bytes, 0);
    let [size, _, solids, _] = words(&mut head)?;
    let Some(at) = usize::try_from(size).ok().filter(|size| *size >= 16) else {
        return Err(wrong("a head of another size").at(0));
    };
    if solids == 0 {
        return Ok(Vec::new());
    }
    // The size of the solid precedes it.
    let len = word(bytes, at)? as usize;
    let from = at.saturating_add(4);
    let solid = bytes.get(from..).and_then(|rest| rest.get(..len));
    let solid = solid.ok_or_else(|| wrong("the solid reaches beyond the end").at(at as u64))?;
    let surface = match solid.starts_with(b"VPHY") {
        true if half(solid, 6)? != 0 => {
            return Err(wrong("a solid of a kind that is not read").at(from as u64));
        }
        true => solid.get(NEWER..).unwrap_or_default(),
        false => solid,
    };
    ledges(surface).map_err(|error| error.in_record("solid", 0))
}

/// Walks the tree of a surface to its ledges.
fn ledges(surface: &[u8]) -> Result<Vec<Piece>> {
    if surface.len() < SURFACE {
        return Err(wrong("a surface without its head"));
    }
    let mut pieces = Vec::new();
    let mut stack = vec![word(surface, 32)? as usize];
    let mut left = MOST_LEDGES.saturating_mul(2);
    // Each piece has triangles of its own, so all of them have no more than the bytes hold.
    let mut triangles = surface.len() / TRIANGLE;
    while let Some(node) = stack.pop() {
        left = left.checked_sub(1).ok_or_else(|| wrong("a tree without end"))?;
        let right = word(surface, node)? as i32;
        if right == 0 {
            let ledge = node.checked_add_signed(word(surface, node.saturating_add(4))? as i32 as isize);
            let ledge = ledge.ok_or_else(|| wrong("a ledge before the surface"))?;
            let count = usize::from(half(surface, ledge.saturating_add(12))?);
            triangles = triangles.checked_sub(count).ok_or_else(|| wrong("pieces over each other"))?;
            pieces.push(ledge_at(surface, ledge)?);
            continue;
        }
        // The left child follows its parent.
        let next = node.checked_add_signed(right as isize).filter(|next| *next > node);
        stack.push(next.ok_or_else(|| wrong("a node before its parent"))?);
        stack.push(node.saturating_add(NODE));
    }
    pieces.retain(|piece| piece.planes.len() > 3);
    Ok(pieces)
}

fn ledge_at(surface: &[u8], at: usize) -> Result<Piece> {
    let points = at.checked_add_signed(word(surface, at)? as i32 as isize);
    let points = points.ok_or_else(|| wrong("points before the surface"))?;
    let count = usize::from(half(surface, at.saturating_add(12))?);
    if count > MOST_TRIANGLES {
        return Err(wrong("more triangles than a convex piece has"));
    }
    let corner = |number: usize| -> Result<Vec3> {
        let at = points.saturating_add(number.saturating_mul(POINT));
        let part = |offset: usize| word(surface, at.saturating_add(offset)).map(f32::from_bits);
        let [x, y, z] = [part(0)?, part(4)?, part(8)?];
        // The library's y is down, and its z is the game's y.
        let point = [x, z, -y].map(|part| part / METRES);
        match point.iter().all(|part| part.is_finite()) {
            true => Ok(point),
            false => Err(wrong("a corner that is no number")),
        }
    };
    let mut triangles = Vec::with_capacity(count);
    for number in 0..count {
        let at = at.saturating_add(LEDGE).saturating_add(number.saturating_mul(TRIANGLE));
        let start = |edge: usize| {
            let at = at.saturating_add(4).saturating_add(edge.saturating_mul(4));
            corner((word(surface, at)? & 0xFFFF) as usize)
        };
        triangles.push([start(0)?, start(1)?, start(2)?]);
    }
    let corners: Vec<Vec3> = triangles.iter().flatten().copied().collect();
    Ok(convex(&triangles, corners))
}

/// The planes of triangles, facing outwards, each once.
fn convex(triangles: &[[Vec3; 3]], mut corners: Vec<Vec3>) -> Piece {
    corners.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    corners.dedup();
    let sum = corners.iter().fold([0.0; 3], |[x, y, z], [a, b, c]| [x + a, y + b, z + c]);
    let middle = sum.map(|part| part / corners.len().max(1) as f32);
    let mut planes: Vec<Plane> = Vec::new();
    for [a, b, c] in triangles {
        let normal = cross(minus(*b, *a), minus(*c, *a));
        let length = dot(normal, normal).sqrt();
        if length < 1e-6 {
            continue;
        }
        let mut normal = normal.map(|part| part / length);
        if dot(normal, minus(*a, middle)) < 0.0 {
            normal = normal.map(|part| -part);
        }
        let distance = corners.iter().map(|corner| dot(normal, *corner)).fold(dot(normal, *a), f32::max);
        let same = |plane: &Plane| {
            dot(plane.normal, normal) > 1.0 - SAME * SAME && (plane.distance - distance).abs() < SAME
        };
        if !planes.iter().any(same) {
            planes.push(Plane { normal, distance });
        }
    }
    Piece { planes, corners }
}

/// The box of a model (`.mdl`), for props that are solid as boxes.
pub(super) fn bounds(model: &[u8]) -> Option<[Vec3; 2]> {
    if !model.starts_with(b"IDST") {
        return None;
    }
    let part = |at: usize| word(model, at).ok().map(f32::from_bits).filter(|part| part.is_finite());
    let corner = |at: usize| Some([part(at)?, part(at.checked_add(4)?)?, part(at.checked_add(8)?)?]);
    let [low, high] = [corner(104)?, corner(116)?];
    low.iter().zip(high).all(|(low, high)| *low <= high).then_some([low, high])
}

fn words(cursor: &mut Cursor<'_>) -> Result<[u32; 4]> {
    let mut next = || cursor.u32("head of a model's collision");
    Ok([next()?, next()?, next()?, next()?])
}

fn word(bytes: &[u8], at: usize) -> Result<u32> {
    let four = bytes.get(at..).and_then(|rest| rest.first_chunk());
    four.map(|four| u32::from_le_bytes(*four)).ok_or_else(|| wrong("cut short").at(at as u64))
}

fn half(bytes: &[u8], at: usize) -> Result<u16> {
    let two = bytes.get(at..).and_then(|rest| rest.first_chunk());
    two.map(|two| u16::from_le_bytes(*two)).ok_or_else(|| wrong("cut short").at(at as u64))
}

#[cold]
fn wrong(why: &'static str) -> Error {
    Error::invalid("collision of a model", why)
}
