//! Straightens a way by pulling a string tight through its portals.

use super::ground::{Vec3, cross};
use super::index::NavIndex;
use super::portal::portal_of;
use super::scratch::PathScratch;
use navmap_core::graph::Point;

impl PathScratch {
    /// Finds the corners of the shortest walk along the latest way, from `start` to `end`, both included, by pulling a
    /// string tight through all portals (the funnel algorithm). Writes as many as fit to `out`, and returns how many
    /// there are.
    ///
    /// Ladders, jumps with known ends and teleporters give their two ends. As seen from above, the walk stays inside
    /// the areas of the way. Its corners lie on the ground; between them the ground may rise and fall. Nothing is
    /// allocated.
    pub fn straighten(&self, index: &NavIndex, start: Point, end: Point, out: &mut [Point]) -> usize {
        let mut count = 0;
        let mut emit = |p: Vec3| {
            if let Some(to) = out.get_mut(count) {
                *to = index.unplan(p);
            }
            count += 1;
        };
        let steps = if self.fits(index) { self.packed() } else { &[] };
        if steps.is_empty() {
            return 0;
        }
        let links = steps.len() - 1;
        let area = |at: usize| (steps[at] >> 32) as usize;
        let link = |at: usize| steps[at + 1] as u32 as usize;
        // The two ends of a link that one does not walk.
        let ends = |at: usize| -> Option<[Vec3; 2]> {
            let rows = &index.parts.rows;
            let how = rows.how(link(at));
            if let Some([from, to]) = rows.extra(link(at)).and_then(|extra| extra.path) {
                return Some([index.plan(from), index.plan(to)]);
            }
            let walked = how.side().is_some() || how.kind().on_foot();
            (!walked).then(|| [area(at), area(at + 1)].map(|area| index.parts.geometry.center(area)))
        };
        let mut from = index.plan(start);
        emit(from);
        let mut first = 0;
        for at in 0..links {
            if let Some([leaves, lands]) = ends(at) {
                pull(first, at, from, leaves, |at| portal_of(index, area(at), link(at)), &mut emit);
                emit(leaves);
                emit(lands);
                (from, first) = (lands, at + 1);
            }
        }
        let goal = index.plan(end);
        pull(first, links, from, goal, |at| portal_of(index, area(at), link(at)), &mut emit);
        emit(goal);
        count
    }
}

/// Emits the corners of the shortest line from `from` to `to` through portals `first..last`.
fn pull(
    first: usize,
    last: usize,
    from: Vec3,
    to: Vec3,
    portal: impl Fn(usize) -> [Vec3; 2],
    emit: &mut impl FnMut(Vec3),
) {
    let mut apex = from;
    let (mut left, mut right) = (from, from);
    let (mut left_at, mut right_at) = (first, first);
    let same = |a: Vec3, b: Vec3| a[0] == b[0] && a[1] == b[1];
    let mut at = first;
    while at <= last {
        let [l, r] = if at == last { [to; 2] } else { portal(at) };
        // The right side narrows the funnel, unless that would widen it.
        if cross(apex, right, r) >= 0.0 {
            if same(apex, right) || cross(apex, left, r) < 0.0 || same(apex, left) {
                (right, right_at) = (r, at);
            } else {
                // It crosses the left side. That is a corner, at which a new funnel begins.
                emit(left);
                apex = left;
                at = left_at + 1;
                (right, right_at) = (apex, left_at);
                left_at = right_at;
                continue;
            }
        }
        if cross(apex, left, l) <= 0.0 {
            if same(apex, left) || cross(apex, right, l) > 0.0 || same(apex, right) {
                (left, left_at) = (l, at);
            } else {
                emit(right);
                apex = right;
                at = right_at + 1;
                (left, left_at) = (apex, right_at);
                right_at = left_at;
                continue;
            }
        }
        at += 1;
    }
}
