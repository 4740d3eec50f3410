//! Moves along the surface.

use super::area::Area;
use super::flow::Flow;
use super::ground::{Geometry, Vec3, distance, flat_closest, flat_on_side};
use super::index::NavIndex;
use super::line::room_at;
use super::portal::portal_of;
use super::straighten::ends_of;
use navmap_core::graph::Point;

/// The most areas that a move looks at.
pub(super) const NODES: usize = 64;

/// Where a move along the surface ended.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Slide {
    /// The area.
    pub area: Area,
    /// The point, on its ground.
    pub point: Point,
    /// Whether that is the end that was asked for, as seen from above.
    pub arrived: bool,
}

/// A move, and the areas that it crossed.
pub(super) struct Slid {
    areas: [u32; NODES],
    /// The link into each area, and the position of the area before.
    links: [u32; NODES],
    parents: [u8; NODES],
    best: usize,
    pub(super) point: Vec3,
    pub(super) arrived: bool,
}

impl Slid {
    /// Calls `each` with the areas crossed, backwards from the last: its number and the link into it (`u32::MAX` for the first).
    pub(super) fn backward(&self, mut each: impl FnMut(usize, u32) -> bool) {
        let mut at = self.best;
        while each(self.areas[at] as usize, self.links[at]) && at > 0 {
            at = usize::from(self.parents[at]);
        }
    }

    pub(super) fn area(&self) -> usize {
        self.areas[self.best] as usize
    }
}

impl NavIndex {
    /// Moves from a point of an area towards another point, over links on foot, and along the walls that are in the way. The
    /// result is the closest point to `to`, as seen from above, of all areas that can be reached inside the circle around `from`
    /// and `to`; so nobody walks around a corner farther than they wanted to go. `each` gets the areas crossed, from the first
    /// to the last.
    ///
    /// Heights are ignored: storeys are told apart by their links. Among waypoints one moves in their discs and along their
    /// links, which are as wide as the discs that they join. It looks at 64 areas at most, which is enough for what is walked in a tick, and allocates nothing.
    /// `None` for an area or points that do not exist.
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
    /// let slide = index.slide(here, from, Point::new(104.0, -250.0, 64.0), |_| ()).expect("a point of an area");
    /// assert!(slide.arrived && index.covers(slide.area, slide.point));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slide(&self, area: Area, from: Point, to: Point, each: impl FnMut(Area)) -> Option<Slide> {
        self.slide_where(area, from, to, |_| true, each)
    }

    /// The same over areas that `keep` accepts, such as a [`Filter`](super::Filter). All others are walls. The first area is not
    /// asked for.
    pub fn slide_where<F: Flow>(
        &self,
        area: Area,
        from: Point,
        to: Point,
        keep: impl Fn(Area) -> bool,
        mut each: impl FnMut(Area) -> F,
    ) -> Option<Slide> {
        let start = self.slot(area)?;
        if !(from.is_finite() && to.is_finite()) {
            return None;
        }
        let slid = self.slid(start, self.plan(from), self.plan(to), |_, _, to| keep(Area::new(to as u32)));
        let (mut crossed, mut count) = ([0u32; NODES], 0);
        slid.backward(|area, _| {
            crossed[count] = area as u32;
            count += 1;
            true
        });
        let _ = crossed[..count].iter().rev().any(|&area| each(Area::new(area)).breaks());
        let point = self.unplan(slid.point);
        Some(Slide { area: Area::new(slid.area() as u32), point, arrived: slid.arrived })
    }

    /// The move of [`slide`](Self::slide) over the links on foot that `open` accepts, by the area they leave, their number and
    /// the area they enter.
    pub(super) fn slid(
        &self,
        start: usize,
        from: Vec3,
        to: Vec3,
        open: impl Fn(usize, usize, usize) -> bool,
    ) -> Slid {
        let rows = &self.parts.rows;
        let mut slid = Slid {
            areas: [0; NODES],
            links: [u32::MAX; NODES],
            parents: [0; NODES],
            best: 0,
            point: from,
            arrived: false,
        };
        slid.areas[0] = start as u32;
        let (mut count, mut next) = (1, 0);
        let middle = [0, 1].map(|axis| f32::midpoint(from[axis], to[axis]));
        let radius = (from[0] - to[0]).hypot(from[1] - to[1]) / 2.0 + room_at(from);
        // Between two waypoints one belongs to the nearer one. Polygons do not overlap, so the first of two has it, since it is
        // nearer along the ground.
        let points = matches!(self.parts.geometry, Geometry::Points(_));
        let (mut best, mut tie) = (f64::INFINITY, f32::INFINITY);
        while next < count {
            let area = slid.areas[next] as usize;
            let (point, far) = self.closest_there(area, to);
            let center = if points { distance(self.parts.geometry.center(area), to) } else { 0.0 };
            if far < best || far == best && center < tie {
                (best, tie, slid.best, slid.point) = (far, center, next, point);
            }
            if best == 0.0 && !points {
                break;
            }
            for link in rows.row(area) {
                let there = rows.links()[link].to();
                if count == NODES || !rows.how(link).kind().on_foot() {
                    continue;
                }
                if slid.areas[..count].contains(&(there as u32)) || !open(area, link, there) {
                    continue;
                }
                let [a, b] = match &self.parts.geometry {
                    Geometry::Points(points) => [points.at[area], points.at[there]],
                    _ => ends_of(self, area, link).unwrap_or_else(|| portal_of(self, area, link)),
                };
                let (_, off) = flat_on_side(a, b, [middle[0], middle[1], 0.0]);
                if off <= f64::from(radius) * f64::from(radius) {
                    slid.areas[count] = there as u32;
                    slid.links[count] = link as u32;
                    slid.parents[count] = next as u8;
                    count += 1;
                }
            }
            next += 1;
        }
        slid.arrived = slid.point[0] == to[0] && slid.point[1] == to[1];
        slid
    }

    /// The closest point of an area as seen from above, and the square of how far it is. That of a waypoint is in its disc, or on
    /// one of the lines from it.
    fn closest_there(&self, area: usize, p: Vec3) -> (Vec3, f64) {
        let far = |q: Vec3| (0..2).map(|axis| (f64::from(q[axis]) - f64::from(p[axis])).powi(2)).sum::<f64>();
        let own = flat_closest(&self.parts.geometry, area, p);
        let mut best = (own, far(own));
        if let Geometry::Points(points) = &self.parts.geometry {
            let rows = &self.parts.rows;
            for link in rows.row(area).filter(|&link| rows.how(link).kind().on_foot()) {
                let there = rows.links()[link].to();
                let (a, b) = (points.at[area], points.at[there]);
                let (q, off) = flat_on_side(a, b, p);
                // The way between two waypoints is as wide as their discs.
                let long = (b[0] - a[0]).hypot(b[1] - a[1]);
                let share = if long > 0.0 { (q[0] - a[0]).hypot(q[1] - a[1]) / long } else { 0.0 };
                let wide =
                    f64::from(points.radius[area] + (points.radius[there] - points.radius[area]) * share);
                let beyond = (off.sqrt() - wide).max(0.0).powi(2);
                if beyond < best.1 {
                    let t = if off > wide * wide { (wide / off.sqrt()) as f32 } else { 1.0 };
                    let on = if t == 1.0 {
                        [p[0], p[1]]
                    } else {
                        [q[0] + (p[0] - q[0]) * t, q[1] + (p[1] - q[1]) * t]
                    };
                    best = ([on[0], on[1], q[2]], beyond);
                }
            }
        }
        // An area that is nowhere is never the closest.
        if best.1.is_nan() { (best.0, f64::INFINITY) } else { best }
    }
}
