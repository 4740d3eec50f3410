//! Straightens a path by pulling a string tight through its portals.

use super::ground::{Ground, Vec3, cross, with_ground};
use super::index::NavIndex;
use super::misuse::Misuse;
use super::portal::portal_of;
use super::scratch::PathScratch;
use navmap_core::graph::Point;

/// A way along which a string is pulled.
pub(super) trait Course {
    /// How many links it has.
    fn links(&self) -> usize;
    /// An area of it, from 0 up to and including the number of links.
    fn area(&self, at: usize) -> usize;
    /// The link out of an area of it.
    fn link(&self, at: usize) -> usize;
}

impl Course for &[u64] {
    fn links(&self) -> usize {
        self.len().saturating_sub(1)
    }

    fn area(&self, at: usize) -> usize {
        (self[at] >> 32) as usize
    }

    fn link(&self, at: usize) -> usize {
        self[at + 1] as u32 as usize
    }
}

/// Takes the bends of a string.
pub(super) trait Sink {
    /// A bend at an end of the portal out of an area of the way.
    fn bend(&mut self, p: Vec3, at: usize);
    /// Whether no more are wanted.
    fn full(&self) -> bool {
        false
    }
}

impl PathScratch {
    /// Finds the corners of the shortest walk along the latest way, from `start` to `end`, both included, by pulling a
    /// string tight through all portals (the funnel algorithm). Writes as many as fit to `out`, and returns how many
    /// there are: none if there is no way.
    ///
    /// A start that stands on the first area of the way, by the rule of [`area_at`](NavIndex::area_at), is the first
    /// corner as it is. Any other is moved to the nearest point of that area, so compare the first corner with it. The
    /// same holds for the end and the last area. No two corners that follow each other are the same point, so a walk
    /// that leads nowhere has one.
    ///
    /// Ladders, jumps with known ends and teleporters give their two ends. As seen from above, the walk stays inside
    /// the areas of the way. Its corners lie on the ground; between them the ground may rise and fall. Nothing is
    /// allocated.
    ///
    /// # Errors
    /// If the way was found in another index, or a point is not finite.
    pub fn straighten(
        &self,
        index: &NavIndex,
        start: Point,
        end: Point,
        out: &mut [Point],
    ) -> Result<usize, Misuse> {
        self.each_bend(index, start, end, filling(out))
    }

    /// Calls `each` with all corners that [`straighten`](Self::straighten) finds, in their order, and returns how many there are.
    ///
    /// # Errors
    /// Those of [`straighten`](Self::straighten). `each` is then not called.
    pub fn each_bend(
        &self,
        index: &NavIndex,
        start: Point,
        end: Point,
        each: impl FnMut(Point),
    ) -> Result<usize, Misuse> {
        let Some(steps) = self.course(index, [start, end])? else { return Ok(0) };
        let links = steps.links();
        let portal = |at: usize| portal_of(index, steps.area(at), steps.link(at));
        let mut corners = Corners { index, each, count: 0, last: [f32::NAN; 3], bent: false };
        let mut from = stand(index, steps.area(0), index.plan(start));
        corners.end(from);
        let mut first = 0;
        for at in 0..links {
            if let Some([leaves, lands]) = ends_of(index, steps.area(at), steps.link(at)) {
                pull(first, at, from, leaves, portal, &mut corners);
                corners.end(leaves);
                corners.end(lands);
                (from, first) = (lands, at + 1);
            }
        }
        let goal = stand(index, steps.area(links), index.plan(end));
        pull(first, links, from, goal, portal, &mut corners);
        corners.end(goal);
        corners.tell();
        Ok(corners.count)
    }

    /// The latest way, to be walked between these ends. `None` if there is none.
    pub(super) fn course(&self, index: &NavIndex, ends: [Point; 2]) -> Result<Option<&[u64]>, Misuse> {
        if !self.fits(index) {
            return Err(Misuse::OtherIndex);
        }
        if !ends.iter().all(|end| end.is_finite()) {
            return Err(Misuse::NotFinite);
        }
        Ok(Some(self.packed()).filter(|steps| !steps.is_empty()))
    }
}

/// The ends of a link that is not crossed through a portal, as the format or the centers give them.
pub(super) fn ends_of(index: &NavIndex, from: usize, link: usize) -> Option<[Vec3; 2]> {
    let rows = &index.parts.rows;
    let how = rows.how(link);
    if let Some([begins, ends]) = rows.extra(link).and_then(|extra| extra.path) {
        // Where two areas share a side, one may walk over all of it.
        let wide = |[a, b]: [Vec3; 2]| a[0] != b[0] || a[1] != b[1];
        let shared = how.kind().on_foot() && wide(portal_of(index, from, link));
        return (!shared).then(|| [index.plan(begins), index.plan(ends)]);
    }
    let to = rows.links()[link].to();
    let walked = how.side().is_some() || how.kind().on_foot();
    (!walked).then(|| [from, to].map(|area| index.parts.geometry.center(area)))
}

/// Where somebody at `p` stands in an area: there, if the area is under them, or else at its nearest point.
pub(super) fn stand(index: &NavIndex, area: usize, p: Vec3) -> Vec3 {
    let rules = index.parts.rules;
    let stood = with_ground!(&index.parts.geometry, ground => match ground.height_in(area, p[0], p[1]) {
        Some(z) if z <= p[2] + rules.above && z >= p[2] - rules.reach => p,
        Some(z) => [p[0], p[1], z],
        None => ground.closest(area, p),
    });
    // An area without a corner has no nearest point.
    if stood.iter().all(|v| v.is_finite()) { stood } else { p }
}

/// Puts what it is given into places, one after the other, as long as there are any.
pub(super) fn filling<T>(places: &mut [T]) -> impl FnMut(T) {
    let mut places = places.iter_mut();
    move |one| {
        if let Some(place) = places.next() {
            *place = one;
        }
    }
}

/// Takes the corners of a walk.
struct Corners<'o, F> {
    index: &'o NavIndex,
    each: F,
    count: usize,
    /// The last one, which an end right over it may replace.
    last: Vec3,
    /// Whether the last one is a bend.
    bent: bool,
}

impl<F: FnMut(Point)> Sink for Corners<'_, F> {
    /// A corner round which the string bends. It is none where the walk already is, as seen from above: areas that meet
    /// at a step share a corner whose height each has for itself.
    fn bend(&mut self, p: Vec3, _at: usize) {
        if !self.is_over(p) {
            self.end(p);
            self.bent = true;
        }
    }
}

impl<F: FnMut(Point)> Corners<'_, F> {
    /// Whether the last corner is there already, as seen from above.
    fn is_over(&self, p: Vec3) -> bool {
        p[0] == self.last[0] && p[1] == self.last[1]
    }

    /// An end of the walk, or of a link that one does not walk.
    fn end(&mut self, p: Vec3) {
        if p == self.last || p.iter().any(|v| !v.is_finite()) {
            return;
        }
        // An end right over a bend takes its place.
        if !(self.bent && self.is_over(p)) {
            self.tell();
            self.count += 1;
        }
        (self.last, self.bent) = (p, false);
    }

    /// Tells the last one, if there is one.
    fn tell(&mut self) {
        if self.count > 0 {
            (self.each)(self.index.unplan(self.last));
        }
    }
}

/// Emits the corners of the shortest line from `from` to `to` through portals `first..last`.
pub(super) fn pull(
    first: usize,
    last: usize,
    from: Vec3,
    to: Vec3,
    portal: impl Fn(usize) -> [Vec3; 2],
    corners: &mut impl Sink,
) {
    let mut apex = from;
    let (mut left, mut right) = (from, from);
    let (mut left_at, mut right_at) = (first, first);
    let same = |a: Vec3, b: Vec3| a[0] == b[0] && a[1] == b[1];
    let mut at = first;
    while at <= last && !corners.full() {
        let [l, r] = if at == last { [to; 2] } else { portal(at) };
        // Whoever stands on a portal has crossed it.
        if at < last && same(apex, left) && same(apex, right) && is_flat(apex, l, r) && !is_ahead(apex, l, r)
        {
            (left_at, right_at) = (at, at);
            at += 1;
            continue;
        }
        // The right side narrows the funnel, unless that would widen it.
        if cross(apex, right, r) >= 0.0 {
            // On the line of the left side it crosses that only ahead: behind, the funnel is a straight angle.
            let side = cross(apex, left, r);
            let within = side < 0.0 || side == 0.0 && !is_ahead(apex, left, r);
            if same(apex, right) || within || same(apex, left) {
                (right, right_at) = (r, at);
            } else {
                // It crosses the left side. That is a corner, at which a new funnel begins.
                // The end of the string is the caller's to put.
                if left_at < last {
                    corners.bend(left, left_at);
                }
                apex = left;
                at = left_at + 1;
                (right, right_at) = (apex, left_at);
                left_at = right_at;
                continue;
            }
        }
        if cross(apex, left, l) <= 0.0 {
            let side = cross(apex, right, l);
            let within = side > 0.0 || side == 0.0 && !is_ahead(apex, right, l);
            if same(apex, left) || within || same(apex, right) {
                (left, left_at) = (l, at);
            } else {
                if right_at < last {
                    corners.bend(right, right_at);
                }
                apex = right;
                at = right_at + 1;
                (left, left_at) = (apex, right_at);
                right_at = left_at;
                continue;
            }
        }
        // A portal that is seen edge on is reached at its nearer end, and is no side of what comes behind it.
        if at < last
            && left_at == at
            && right_at == at
            && is_flat(apex, left, right)
            && is_ahead(apex, left, right)
        {
            let far = |p: Vec3| {
                (f64::from(p[0]) - f64::from(apex[0])).abs() + (f64::from(p[1]) - f64::from(apex[1])).abs()
            };
            let near = if far(left) <= far(right) { left } else { right };
            corners.bend(near, at);
            (apex, left, right) = (near, near, near);
        }
        at += 1;
    }
}

/// Whether three points lie on a line, as seen from above.
fn is_flat(apex: Vec3, a: Vec3, b: Vec3) -> bool {
    cross(apex, a, b) == 0.0
}

/// Whether two points on a line through the apex lie on the same side of it.
fn is_ahead(apex: Vec3, a: Vec3, b: Vec3) -> bool {
    let way = |p: Vec3, axis: usize| f64::from(p[axis]) - f64::from(apex[axis]);
    way(a, 0) * way(b, 0) + way(a, 1) * way(b, 1) > 0.0
}
