//! Brushes of Source: the space behind all of their sides.

use super::contents::Contents;
use super::trace::{GAP, Sweep, Trace};
use super::tree::Plane;

/// A convex piece of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brush {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) contents: Contents,
}

/// A side of a brush.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) plane: Plane,
    /// Added to keep boxes from catching on edges. Lines ignore it.
    pub(super) bevel: bool,
    /// Whether the sky is drawn on it.
    pub(super) sky: bool,
}

impl Brush {
    /// Its sides, among all.
    pub(super) fn sides<'s>(&self, all: &'s [Side]) -> &'s [Side] {
        let first = self.first as usize;
        all.get(first..first.saturating_add(self.count as usize)).unwrap_or_default()
    }
}

/// The box that the sides along the axes make: infinite where there is none.
pub(super) fn bounds<'s>(sides: impl IntoIterator<Item = &'s Side>) -> [[f32; 3]; 2] {
    let mut bounds = [[f32::NEG_INFINITY; 3], [f32::INFINITY; 3]];
    let [low, high] = &mut bounds;
    for Side { plane, .. } in sides {
        for (axis, (low, high)) in low.iter_mut().zip(&mut *high).enumerate() {
            let along = |sign: f32| {
                let mut parts = plane.normal.into_iter().enumerate();
                parts.all(|(at, part)| part == if at == axis { sign } else { 0.0 })
            };
            if along(1.0) {
                *high = high.min(plane.distance);
            } else if along(-1.0) {
                *low = low.max(-plane.distance);
            }
        }
    }
    bounds
}

/// Whether a point lies in a brush.
pub(super) fn holds(sides: &[Side], point: [f32; 3]) -> bool {
    !sides.is_empty() && sides.iter().all(|side| side.plane.ahead(point) <= 0.0)
}

/// Shortens a trace by a brush.
pub(super) fn clip(sweep: &Sweep, sides: &[Side], contents: Contents, best: &mut Trace) {
    let line = sweep.is_line();
    let (mut enter, mut leave) = (f32::NEG_INFINITY, 1.0_f32);
    let (mut outside, mut leaves, mut any) = (false, false, false);
    let mut normal = [0.0; 3];
    let mut above = false;
    for Side { plane, bevel, sky } in sides {
        if line && *bevel {
            continue;
        }
        any = true;
        // The plane moved outwards, so that tracing a box becomes tracing a point.
        let near: f32 = if line {
            0.0
        } else {
            let ([nx, ny, nz], [lx, ly, lz], [hx, hy, hz]) = (plane.normal, sweep.low, sweep.high);
            (nx * lx).min(nx * hx) + (ny * ly).min(ny * hy) + (nz * lz).min(nz * hz)
        };
        let (from, to) = (plane.ahead(sweep.from) + near, plane.ahead(sweep.to) + near);
        outside |= from > 0.0;
        leaves |= to > 0.0;
        if from > 0.0 && to > 0.0 {
            return;
        }
        if from <= 0.0 && to <= 0.0 {
            continue;
        }
        if from > to {
            let at = (from - GAP).max(0.0) / (from - to);
            if at > enter {
                (enter, normal, above) = (at, plane.normal, *sky);
            }
        } else {
            leave = leave.min((from + GAP) / (from - to));
        }
    }
    if !any {
        return;
    }
    if !outside {
        best.start_solid = true;
        if !leaves {
            best.all_solid = true;
            best.fraction = 0.0;
            best.contents = contents;
            best.entity = None;
            (best.displacement, best.sky) = (false, false);
        }
    } else if enter < leave && enter < best.fraction {
        best.fraction = enter.max(0.0);
        best.normal = normal;
        best.contents = contents;
        best.entity = None;
        (best.displacement, best.sky) = (false, above);
    }
}
