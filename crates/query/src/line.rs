//! Walks straight over the ground.

use super::area::Area;
use super::flow::Flow;
use super::ground::{Geometry, Ground, Vec3, cross, flat_closest, with_ground};
use super::index::NavIndex;
use super::portal::portal_of;
use navmap_core::graph::Point;

/// The end of a straight walk.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Walk {
    /// The last area.
    pub area: Area,
    /// The last point, on its ground.
    pub point: Point,
    /// The fraction of the line that was walked, 0 to 1.
    pub share: f32,
    /// Whether the end was reached. If not, the walk stopped at an edge without a link.
    pub arrived: bool,
    /// The direction that the wall faces at which the walk stopped: towards the inside of the area, level, of length 1. `None`
    /// if it arrived.
    pub normal: Option<Point>,
}

/// The most consecutive links without progress, at a corner where many areas meet.
const STANDING: u32 = 16;

impl NavIndex {
    /// Walks straight from `a`, which is in `area`, towards `b`, over links on foot, and returns where that ended: at `b`, or at
    /// a wall. The line is straight as seen from above; heights are ignored. `each` gets every area that is entered, including
    /// the first. `None` for an area or points that do not exist, and in a graph of waypoints.
    ///
    /// This proves that a way is straight and shows what lies along it. Areas that overlap from above are told apart by
    /// their links.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// # use navmap::query::{Policy, World};
    /// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
    /// # let index = world.index();
    /// use navmap::graph::Point;
    ///
    /// let from = Point::new(100.0, -250.0, 64.0);
    /// let here = index.area_at(from, None).expect("somebody stands here");
    /// let walk = index.walk_line(here, from, Point::new(5_000.0, -250.0, 64.0), |_| ()).expect("areas have edges");
    /// assert!(!walk.arrived && walk.share < 1.0); // a wall
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn walk_line(&self, area: Area, a: Point, b: Point, each: impl FnMut(Area)) -> Option<Walk> {
        self.walk_line_where(area, a, b, |_| true, each)
    }

    /// The same over areas that `keep` accepts, such as a [`Filter`](super::Filter). All others are walls. The first area is not
    /// asked for. If `each` returns [`Break`](std::ops::ControlFlow::Break), the walk ends in the area that it got, where the line
    /// enters it.
    pub fn walk_line_where<F: Flow>(
        &self,
        area: Area,
        a: Point,
        b: Point,
        keep: impl Fn(Area) -> bool,
        mut each: impl FnMut(Area) -> F,
    ) -> Option<Walk> {
        let mut here = self.slot(area)?;
        if matches!(self.parts.geometry, Geometry::Points(_)) || !(a.is_finite() && b.is_finite()) {
            return None;
        }
        let (from, to) = (self.plan(a), self.plan(b));
        let at = |t: f64| {
            [0, 1, 2].map(|i| (f64::from(from[i]) + (f64::from(to[i]) - f64::from(from[i])) * t) as f32)
        };
        let rows = &self.parts.rows;
        let (mut share, mut before, mut standing) = (0f64, usize::MAX, 0);
        if each(area).breaks() {
            return Some(self.walked(here, from, 0.0, false));
        }
        loop {
            let leaves = self.span(here, from, to).1.max(share);
            if leaves >= 1.0 {
                return Some(self.walked(here, at(1.0), 1.0, true));
            }
            let edge = at(leaves);
            // Among the links whose portal is here, prefers one whose area begins here, and of those the one that continues
            // farthest.
            let mut best: Option<(bool, f64, usize)> = None;
            for link in rows.row(here) {
                let next = rows.links()[link].to();
                if next == before || next == here || !rows.how(link).kind().on_foot() {
                    continue;
                }
                if !keep(Area::new(next as u32)) {
                    continue;
                }
                let portal = portal_of(self, here, link);
                if !on_segment(portal, edge) {
                    continue;
                }
                let (enters, far) = self.span(next, from, to);
                if far < leaves - 1e-6 {
                    continue;
                }
                let begins = enters <= leaves + 1e-6;
                // A side may be wider than the adjacent area. Where the offset is larger than at the middle of the portal, there
                // is a wall.
                let [left, right] = portal;
                let middle = [0, 1, 2].map(|axis| (left[axis] + right[axis]) / 2.0);
                if !begins && self.beside(next, edge) > self.beside(next, middle) + room_at(edge) {
                    continue;
                }
                if best.is_none_or(|(other, best, _)| (begins, far) > (other, best)) {
                    best = Some((begins, far, next));
                }
            }
            let Some((_, far, next)) = best else {
                return Some(self.stopped(here, edge, leaves, [from, to]));
            };
            standing = if far > leaves + 1e-9 { 0 } else { standing + 1 };
            if standing > STANDING {
                return Some(self.stopped(here, edge, leaves, [from, to]));
            }
            (share, before, here) = (leaves, here, next);
            if each(Area::new(here as u32)).breaks() {
                return Some(self.walked(here, edge, leaves, false));
            }
        }
    }

    /// A walk that ends at a wall.
    fn stopped(&self, area: usize, edge: Vec3, share: f64, line: [Vec3; 2]) -> Walk {
        let normal = self.facing(area, edge, line);
        Walk { normal, ..self.walked(area, edge, share, false) }
    }

    /// The inward direction of the side through which a line leaves an area.
    fn facing(&self, area: usize, edge: Vec3, [from, to]: [Vec3; 2]) -> Option<Point> {
        let way = [to[0] - from[0], to[1] - from[1]];
        let mut best: Option<(f64, Vec3)> = None;
        self.sides(area, |a, b| {
            let inward = inward(a, b, self.parts.geometry.center(area));
            let against = f64::from(inward[0]) * f64::from(way[0]) + f64::from(inward[1]) * f64::from(way[1]);
            let (_, far) = super::ground::flat_on_side(a, b, edge);
            // At a corner, the side that the line runs against more.
            let rank = far.sqrt() * (f64::from(way[0])).hypot(f64::from(way[1]))
                + against * f64::from(room_at(edge));
            if against < 0.0 && best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, inward));
            }
        });
        best.map(|(_, normal)| self.unplan(normal))
    }

    /// Calls `each` with the sides of an area, seen from above. A waypoint has none.
    pub(super) fn sides(&self, area: usize, mut each: impl FnMut(Vec3, Vec3)) {
        let mut around = |corners: &[Vec3]| {
            for (at, &a) in corners.iter().enumerate() {
                each(a, corners[(at + 1) % corners.len()]);
            }
        };
        match &self.parts.geometry {
            Geometry::Quads(quads) => around(&quads.0[area].corners()),
            Geometry::Polygons(polygons) => around(polygons.corners(area)),
            Geometry::Points(_) => {}
        }
    }

    fn walked(&self, area: usize, p: Vec3, share: f64, arrived: bool) -> Walk {
        let height = with_ground!(&self.parts.geometry, ground => ground.height_in(area, p[0], p[1]));
        // By rounding a point on a side may lie beside it. Its own height is that of the line, which tells nothing.
        let on = height.map_or_else(|| flat_closest(&self.parts.geometry, area, p), |z| [p[0], p[1], z]);
        Walk {
            area: Area::new(area as u32),
            point: self.unplan(on),
            share: share as f32,
            arrived,
            normal: None,
        }
    }

    /// The fractions of a line at which it enters and leaves an area, seen from above. Negative if it is never inside.
    fn span(&self, area: usize, from: Vec3, to: Vec3) -> (f64, f64) {
        match &self.parts.geometry {
            Geometry::Quads(quads) => span_of_polygon(&quads.0[area].corners(), from, to),
            Geometry::Polygons(polygons) => span_of_polygon(polygons.corners(area), from, to),
            Geometry::Points(_) => OUTSIDE,
        }
    }

    /// The distance of a point from an area, seen from above.
    fn beside(&self, area: usize, p: Vec3) -> f32 {
        let there = flat_closest(&self.parts.geometry, area, p);
        (there[0] - p[0]).hypot(there[1] - p[1])
    }
}

/// The level direction of length 1 across a side, towards the center.
pub(super) fn inward(a: Vec3, b: Vec3, center: Vec3) -> Vec3 {
    let (dx, dy) = (f64::from(b[0]) - f64::from(a[0]), f64::from(b[1]) - f64::from(a[1]));
    let length = dx.hypot(dy);
    let sign = if cross(a, b, center) < 0.0 { -1.0 } else { 1.0 };
    if length > 0.0 { [(-dy * sign / length) as f32, (dx * sign / length) as f32, 0.0] } else { [0.0; 3] }
}

const OUTSIDE: (f64, f64) = (-1.0, -1.0);

/// The same for a convex polygon of either winding, side by side. A small tolerance keeps lines along a side inside.
fn span_of_polygon(corners: &[Vec3], from: Vec3, to: Vec3) -> (f64, f64) {
    let turn: f64 = corners.windows(2).skip(1).map(|pair| cross(corners[0], pair[0], pair[1])).sum();
    let (mut enters, mut leaves) = (0f64, 1f64);
    for (at, &a) in corners.iter().enumerate() {
        let b = corners[(at + 1) % corners.len()];
        let length = (f64::from(b[0] - a[0]).powi(2) + f64::from(b[1] - a[1]).powi(2)).sqrt();
        if length == 0.0 {
            continue;
        }
        // Distance inside of the side, at both ends of the line.
        let inside = |p: Vec3| cross(a, b, p) * turn.signum() / length + 1e-3;
        let (d0, d1) = (inside(from), inside(to));
        if d0 < 0.0 && d1 < 0.0 {
            return OUTSIDE;
        }
        if d0 < 0.0 {
            enters = enters.max(d0 / (d0 - d1));
        } else if d1 < 0.0 {
            leaves = leaves.min(d0 / (d0 - d1));
        }
    }
    if corners.len() < 3 || enters > leaves { OUTSIDE } else { (enters, leaves) }
}

/// Whether a point lies on a segment as seen from above, within a hundredth of a unit.
fn on_segment([a, b]: [Vec3; 2], p: Vec3) -> bool {
    let flat = |v: Vec3| [v[0], v[1], 0.0];
    let q = super::portal::closest_on_line(flat(a), flat(b), flat(p));
    let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
    let room = room_at(p);
    dx * dx + dy * dy <= room * room
}

/// The possible rounding error of a point, which grows with the distance from the origin.
pub(super) fn room_at(p: Vec3) -> f32 {
    0.01 + (p[0].abs() + p[1].abs()) * 1e-6
}
