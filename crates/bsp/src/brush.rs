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
            let corners = plane.normal.into_iter().zip(sweep.low).zip(sweep.high);
            corners.map(|((n, low), high)| (n * low).min(n * high)).sum()
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
