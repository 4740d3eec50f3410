//! Cuts triangles along lines of equal x, then of equal z.
//!
//! A cut point of a side is computed from the ends of the side in a fixed order, so that the triangles on both sides get the same
//! point, to the last bit. The same holds for both sides of a line.

use super::frame::Plan;
use super::input::Input;
use navmap_core::error::{Error, Result};

/// The most corners of a piece: a triangle cut by four lines has seven.
const MOST: usize = 8;

/// Pieces beyond which they fit no tile, whose groups have 16,383 faces each. Some are too thin to become one.
pub(super) const OF_TILE: usize = 1 << 18;
/// Those beyond which they fit no tiles of a map.
pub(super) const OF_MAP: usize = 1 << 22;

/// The lines along which triangles are cut. Cell `n` of an axis is before line `n`.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub(super) x: Vec<f64>,
    pub(super) z: Vec<f64>,
}

impl Lines {
    /// The lines between the sectors of a tile.
    pub(super) fn sectors(plan: &Plan, sector: f64) -> Result<Self> {
        let [x, _, z] = plan.frame.origin.map(f64::from);
        let [rx, rz] = plan.reach;
        let lines = |origin: f64, reach: f64| {
            let count = (reach / sector).ceil();
            if count > 65_536.0 {
                let why = format!("{count} of {sector} m along an axis, 65536 are enough: raise --sector");
                return Err(Error::invalid("sectors", why));
            }
            Ok((1..count.max(1.0) as u32).map(|k| origin + f64::from(k) * sector).collect())
        };
        Ok(Self { x: lines(x, rx)?, z: lines(z, rz)? })
    }
}

/// A convex piece of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// The triangle that it is a piece of.
    pub(super) triangle: u32,
    /// Row (of z) and column (of x).
    pub(super) cell: [u32; 2],
    /// The end of its corners in the list of points.
    pub(super) end: u32,
}

/// The pieces, and their corners.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) pieces: Vec<Piece>,
}

/// The corners of a piece during a cut.
#[derive(Clone, Copy)]
struct Corners {
    points: [[f64; 3]; MOST],
    len: usize,
}

impl Corners {
    fn push(&mut self, point: [f64; 3]) {
        if let Some(to) = self.points.get_mut(self.len) {
            *to = point;
            self.len = self.len.saturating_add(1);
        }
    }

    fn as_slice(&self) -> &[[f64; 3]] {
        self.points.get(..self.len).unwrap_or_default()
    }

    const NONE: Self = Self { points: [[0.0; 3]; MOST], len: 0 };
}

/// The coordinate along which to cut.
#[derive(Clone, Copy, PartialEq)]
enum Axis {
    X,
    Z,
}

impl Axis {
    fn along(self, [x, _, z]: [f64; 3]) -> f64 {
        if self == Self::X { x } else { z }
    }
}

/// The point of a side at the given coordinate.
fn crossing(axis: Axis, at: f64, a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let (p, q) = if less(a, b) { (a, b) } else { (b, a) };
    let t = (at - axis.along(p)) / (axis.along(q) - axis.along(p));
    let ([px, py, pz], [qx, qy, qz]) = (p, q);
    [px + (qx - px) * t, py + (qy - py) * t, pz + (qz - pz) * t]
}

fn less(a: [f64; 3], b: [f64; 3]) -> bool {
    a.partial_cmp(&b) == Some(std::cmp::Ordering::Less)
}

/// The parts of a piece before and behind a line. Points on the line belong to both.
fn split(axis: Axis, at: f64, corners: &Corners) -> [Corners; 2] {
    let [mut before, mut behind] = [Corners::NONE; 2];
    let points = corners.as_slice();
    let next = points.iter().cycle().skip(1);
    for (a, b) in points.iter().zip(next) {
        let (from, to) = (axis.along(*a), axis.along(*b));
        if from <= at {
            before.push(*a);
        }
        if from >= at {
            behind.push(*a);
        }
        if (from < at && to > at) || (from > at && to < at) {
            let point = crossing(axis, at, *a, *b);
            before.push(point);
            behind.push(point);
        }
    }
    [before, behind]
}

/// The first and last cell that a piece overlaps.
fn reach(axis: Axis, lines: &[f64], points: &[[f64; 3]]) -> (usize, usize) {
    let all = points.iter().map(|point| axis.along(*point));
    let (low, high) =
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let (first, last) =
        (lines.partition_point(|line| *line <= low), lines.partition_point(|line| *line < high));
    (first, last.max(first))
}

/// Cuts a piece along the lines of an axis and hands out the part in each cell.
fn along(
    axis: Axis,
    lines: &[f64],
    mut rest: Corners,
    each: &mut dyn FnMut(usize, &Corners) -> Result<()>,
) -> Result<()> {
    let (first, last) = reach(axis, lines, rest.as_slice());
    for (cell, line) in (first..last).zip(lines.iter().skip(first)) {
        let [before, behind] = split(axis, *line, &rest);
        each(cell, &before)?;
        rest = behind;
    }
    each(last, &rest)
}

impl Pieces {
    /// Cuts all triangles, into no more than four pieces each and `more`. Upright ones are not cut; they belong to the cell of
    /// their middle.
    pub(super) fn cut(input: &Input<'_>, lines: &Lines, more: usize) -> Result<Self> {
        let mut cut = Self::default();
        // A triangle over many cells makes many pieces.
        let most = input.triangles.len().saturating_mul(4).saturating_add(more);
        cut.pieces.reserve(input.triangles.len());
        cut.points.reserve(input.triangles.len().saturating_mul(3));
        for (number, triangle) in (0_u32..).zip(&input.triangles) {
            let points = input.corners(triangle);
            let mut corners = Corners::NONE;
            points.iter().for_each(|point| corners.push(*point));
            if triangle.upright {
                let middle = |axis: Axis| points.iter().map(|p| axis.along(*p)).sum::<f64>() / 3.0;
                let row = lines.z.partition_point(|line| *line <= middle(Axis::Z));
                let column = lines.x.partition_point(|line| *line <= middle(Axis::X));
                cut.push(number, [row, column], &corners, most)?;
                continue;
            }
            along(Axis::X, &lines.x, corners, &mut |column, strip| {
                along(Axis::Z, &lines.z, *strip, &mut |row, piece| {
                    cut.push(number, [row, column], piece, most)
                })
            })?;
        }
        Ok(cut)
    }

    fn push(&mut self, triangle: u32, cell: [usize; 2], corners: &Corners, most: usize) -> Result<()> {
        if self.pieces.len() >= most {
            let why = format!("more than {most} pieces of sectors: raise --sector");
            return Err(Error::invalid("mesh", why));
        }
        self.points.extend_from_slice(corners.as_slice());
        let end = u32::try_from(self.points.len()).map_err(|_| Error::invalid("mesh", "too many pieces"))?;
        self.pieces.push(Piece { triangle, cell: cell.map(|at| at as u32), end });
        Ok(())
    }

    /// The pieces with their corners.
    pub(super) fn each(&self) -> impl Iterator<Item = (&Piece, &[[f64; 3]])> {
        let mut from = 0;
        self.pieces.iter().map(move |piece| {
            let end = piece.end as usize;
            let points = self.points.get(from..end).unwrap_or_default();
            from = end;
            (piece, points)
        })
    }
}
