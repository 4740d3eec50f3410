//! Quantises pieces and triangulates them.

use super::BuildReport;
use super::cut::Pieces;
use super::input::Input;
use crate::view::Frame;
use navmap_core::error::Result;

/// A triangle of the tile, quantised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    pub(super) corners: [[u16; 3]; 3],
    /// Row and column of its sector.
    pub(super) cell: [u32; 2],
    pub(super) attribute: u16,
    pub(super) group: u16,
}

/// The nearest quantised position. Every position of a tile survives export as text and rebuilding.
pub(super) fn quantise(frame: &Frame, point: [f64; 3]) -> [u16; 3] {
    let mut quantised = [0; 3];
    for (to, ((value, origin), divisor)) in
        quantised.iter_mut().zip(point.into_iter().zip(frame.origin).zip(frame.divisors))
    {
        let quanta = (value - f64::from(origin)) * f64::from(divisor) + 0.5;
        *to = quanta.trunc().clamp(0.0, 65_535.0) as u16;
    }
    quantised
}

/// Twice the area of a triangle seen from above, positive if it faces up.
pub(super) fn turn(a: [u16; 3], b: [u16; 3], c: [u16; 3]) -> i64 {
    let ([ax, _, az], [bx, _, bz], [cx, _, cz]) = (a.map(i64::from), b.map(i64::from), c.map(i64::from));
    let minus = i64::saturating_sub;
    minus(bz, az).saturating_mul(minus(cx, ax)).saturating_sub(minus(bx, ax).saturating_mul(minus(cz, az)))
}

/// Finds the triangles that have no front up once they are quantised, and so are not cut: the decimals of a text may put a
/// corner of one that stands upright a little beyond the line of a sector, or tilt it.
pub(super) fn keep_whole(input: &mut Input<'_>, frame: &Frame) {
    let scene = input.scene;
    for triangle in &mut input.triangles {
        let [a, b, c] = triangle.corners.map(|at| quantise(frame, scene.position(at)));
        triangle.upright |= turn(a, b, c) <= 0 && a != b && b != c && a != c;
    }
}

/// The facets of all pieces, in their order.
pub(super) fn facets(
    input: &Input<'_>,
    pieces: &Pieces,
    frame: &Frame,
    keep: bool,
    report: &mut BuildReport,
) -> Result<Vec<Facet>> {
    let mut facets = Vec::with_capacity(pieces.pieces.len());
    for (piece, points) in pieces.each() {
        let Some(triangle) = input.triangles.get(piece.triangle as usize) else { continue };
        // An upright triangle that is kept has no face-up orientation.
        let whole = keep && (triangle.upright || super::input::turn(input.corners(triangle)) < 0.0);
        let made = triangles(points, frame, whole, &mut |corners| {
            facets.push(Facet {
                corners,
                cell: piece.cell,
                attribute: triangle.attribute,
                group: triangle.group,
            });
        });
        if !made {
            report.dropped = report.dropped.saturating_add(1);
        }
    }
    Ok(facets)
}

/// Hands out the triangles of a piece. Returns whether there are any.
pub(super) fn triangles(
    points: &[[f64; 3]],
    frame: &Frame,
    upright: bool,
    each: &mut dyn FnMut([[u16; 3]; 3]),
) -> bool {
    let mut corners = [[0_u16; 3]; 8];
    let mut len = 0_usize;
    for point in points {
        let at = quantise(frame, *point);
        let last = len.checked_sub(1).and_then(|last| corners.get(last));
        if last == Some(&at) {
            continue;
        }
        if let Some(to) = corners.get_mut(len) {
            *to = at;
            len = len.saturating_add(1);
        }
    }
    while len > 1 && corners.first() == corners.get(len.saturating_sub(1)) {
        len = len.saturating_sub(1);
    }
    let corners = corners.get_mut(..len).unwrap_or_default();
    if let ([a, b, c], true) = (&*corners, upright) {
        each([*a, *b, *c]);
        return true;
    }
    if corners.len() < 3 {
        return false;
    }
    for _ in 0..corners.len() {
        if let Some((first, rest)) = corners.split_first()
            && rest.windows(2).all(|pair| matches!(pair, [b, c] if turn(*first, *b, *c) > 0))
        {
            rest.windows(2).for_each(|pair| {
                if let [b, c] = pair {
                    each([*first, *b, *c]);
                }
            });
            return true;
        }
        corners.rotate_left(1);
    }
    ears(corners, each)
}

/// Triangulates by cutting off ears with an area, for pieces with three collinear corners on two sides.
fn ears(corners: &[[u16; 3]], each: &mut dyn FnMut([[u16; 3]; 3])) -> bool {
    let mut rest = corners.to_vec();
    let mut made = false;
    while rest.len() >= 3 {
        let n = rest.len();
        let corner = |i: usize| rest.get(i.checked_rem(n).unwrap_or(0)).copied().unwrap_or_default();
        let ear = |i: usize| {
            [corner(i.saturating_add(n).saturating_sub(1)), corner(i), corner(i.saturating_add(1))]
        };
        let best = (0..n).max_by_key(|i| {
            let [a, b, c] = ear(*i);
            turn(a, b, c)
        });
        let Some(best) = best else { break };
        let [a, b, c] = ear(best);
        if turn(a, b, c) <= 0 {
            break;
        }
        each([a, b, c]);
        made = true;
        rest.remove(best);
    }
    made
}
