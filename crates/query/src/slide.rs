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
    /// How many areas there are, and how many of them have been looked at.
    count: usize,
    looked: usize,
    best: usize,
    /// The square of how far the best point is from the end, and how far the center of its waypoint is.
    far: f64,
    tie: f32,
    pub(super) point: Vec3,
    pub(super) arrived: bool,
}

/// A link of a way, from the area it leaves, and the area that a move enters over it.
pub(super) struct Onward {
    pub(super) from: usize,
    pub(super) link: usize,
    pub(super) enters: usize,
}

impl Slid {
    fn new(start: usize, from: Vec3) -> Self {
        let mut slid = Self {
            areas: [0; NODES],
            links: [u32::MAX; NODES],
            parents: [0; NODES],
            count: 1,
            looked: 0,
            best: 0,
            far: f64::INFINITY,
            tie: f32::INFINITY,
            point: from,
            arrived: false,
        };
        slid.areas[0] = start as u32;
        slid
    }

    fn has(&self, area: usize) -> bool {
        self.areas[..self.count].contains(&(area as u32))
    }

    fn push(&mut self, area: usize, link: usize, parent: usize) {
        self.areas[self.count] = area as u32;
        self.links[self.count] = link as u32;
        self.parents[self.count] = parent as u8;
        self.count += 1;
    }

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
    /// links, over all discs that grow evenly from the one end to the other. It looks at 64 areas at most, which is enough for what is walked in a tick, and allocates nothing.
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
        let slid = self.slid(start, [self.plan(from), self.plan(to)], |_, _, to| keep(Area::new(to as u32)));
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
        ends: [Vec3; 2],
        open: impl Fn(usize, usize, usize) -> bool,
    ) -> Slid {
        let mut slid = Slid::new(start, ends[0]);
        self.spread(&mut slid, ends, open);
        slid
    }

    /// The move along a way. It arrives if an area of it holds the end, or does so but for the rounding of a point: who walks along a
    /// border is not taken off the way by an area on the other side. Of areas that hold the end, one behind the other, it is in the
    /// last. If it does not arrive, [`spread`](Self::spread) looks farther.
    pub(super) fn slid_along(
        &self,
        start: usize,
        [from, to]: [Vec3; 2],
        way: impl Iterator<Item = Onward>,
    ) -> Slid {
        let mut slid = Slid::new(start, from);
        let rounding = rounding2(to);
        let circle = Circle::around(from, to);
        self.look(&mut slid, 0, self.closest_there(start, to), to);
        slid.arrived = slid.far <= rounding;
        for Onward { from, link, enters } in way {
            let at = slid.count;
            let passes = self.parts.rows.how(link).kind().on_foot() || self.is_no_leg(from, link, slid.point);
            if at == NODES || !passes || slid.has(enters) {
                break;
            }
            let there = self.closest_there(enters, to);
            let holds = there.1 <= rounding;
            if slid.arrived && !holds || !self.is_crossed(from, link, &circle) {
                break;
            }
            slid.push(enters, link, at - 1);
            if holds {
                // As near as the one before, and farther along.
                (slid.arrived, slid.far) = (true, f64::INFINITY);
            }
            self.look(&mut slid, at, there, to);
        }
        slid.looked = slid.count;
        slid
    }

    /// Takes a move along a way that has not arrived over the next link of the way, if that leads over a gap, the move is at its edge,
    /// and the end lies beyond: there is no ground in between. Whether it did.
    pub(super) fn step_over(&self, slid: &mut Slid, [from, to]: [Vec3; 2]) -> bool {
        let next = slid.best + 1;
        if next >= slid.count || matches!(self.parts.geometry, Geometry::Points(_)) {
            return false;
        }
        let (area, link, enters) = (slid.area(), slid.links[next] as usize, slid.areas[next] as usize);
        let edge = ends_of(self, area, link).map_or_else(
            || portal_of(self, area, link),
            |[begins, _]| [flat_closest(&self.parts.geometry, area, begins); 2],
        );
        let room = f64::from(room_at(to)).powi(2);
        let is_at_edge = |p: Vec3| flat_on_side(edge[0], edge[1], p).1 <= room;
        if !is_at_edge(slid.point) && !is_at_edge(from) {
            return false;
        }
        let (leaves, _) = flat_on_side(edge[0], edge[1], to);
        let (lands, _) = self.closest_there(enters, to);
        let (_, gap) = self.closest_there(enters, leaves);
        let onward = |axis: usize| {
            (f64::from(to[axis]) - f64::from(leaves[axis]))
                * (f64::from(lands[axis]) - f64::from(leaves[axis]))
        };
        let over = gap > rounding2(to) && gap.is_finite() && onward(0) + onward(1) > 0.0;
        if over {
            (slid.best, slid.point) = (next, lands);
        }
        over
    }

    /// Whether a link that is not walked ends where it begins, such as a ladder between two waypoints in one place, or a jump over a
    /// side at one height: there is nothing to go over. One that leads through a side is crossed at a point.
    fn is_no_leg(&self, area: usize, link: usize, at: Vec3) -> bool {
        let geometry = &self.parts.geometry;
        let [begins, ends] = ends_of(self, area, link).unwrap_or([at; 2]);
        flat_closest(geometry, area, begins)
            == flat_closest(geometry, self.parts.rows.links()[link].to(), ends)
    }

    /// Looks at an area, and takes its closest point if none was closer. Between two waypoints one belongs to the nearer one.
    fn look(&self, slid: &mut Slid, at: usize, (point, far): (Vec3, f64), to: Vec3) {
        let area = slid.areas[at] as usize;
        let points = matches!(self.parts.geometry, Geometry::Points(_));
        let tie = if points { distance(self.parts.geometry.center(area), to) } else { f32::INFINITY };
        if far < slid.far || far == slid.far && tie < slid.tie {
            (slid.best, slid.point, slid.far, slid.tie) = (at, point, far, tie);
        }
    }

    /// Looks at all areas around those that a move has met, and ends it.
    pub(super) fn spread(
        &self,
        slid: &mut Slid,
        [from, to]: [Vec3; 2],
        open: impl Fn(usize, usize, usize) -> bool,
    ) {
        let rows = &self.parts.rows;
        let circle = Circle::around(from, to);
        // Polygons do not overlap, so the first of two that hold the end has it, since it is nearer along the ground.
        let points = matches!(self.parts.geometry, Geometry::Points(_));
        let mut next = 0;
        while next < slid.count {
            let area = slid.areas[next] as usize;
            if next >= slid.looked {
                self.look(slid, next, self.closest_there(area, to), to);
            }
            if slid.far == 0.0 && !points {
                break;
            }
            for link in rows.row(area) {
                let there = rows.links()[link].to();
                if slid.count == NODES || !rows.how(link).kind().on_foot() {
                    continue;
                }
                if !slid.has(there) && open(area, link, there) && self.is_crossed(area, link, &circle) {
                    slid.push(there, link, next);
                }
            }
            next += 1;
        }
        slid.arrived = slid.point[0] == to[0] && slid.point[1] == to[1];
    }

    /// Whether a link is crossed inside a circle. The way between two waypoints is as wide as the larger one.
    fn is_crossed(&self, area: usize, link: usize, circle: &Circle) -> bool {
        let there = self.parts.rows.links()[link].to();
        let ([a, b], wide) = match &self.parts.geometry {
            Geometry::Points(points) => {
                ([points.at[area], points.at[there]], points.radius[area].max(points.radius[there]))
            }
            // It leads from the ground, also where it begins beside that.
            geometry => {
                let own = |[begins, ends]: [Vec3; 2]| [flat_closest(geometry, area, begins), ends];
                (ends_of(self, area, link).map_or_else(|| portal_of(self, area, link), own), 0.0)
            }
        };
        let (_, off) = flat_on_side(a, b, circle.middle);
        off <= f64::from(circle.radius + wide).powi(2)
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
                let (q, wide) = points.between(area, there, p);
                let off = far(q).sqrt();
                let beyond = (off - wide).max(0.0).powi(2);
                if beyond < best.1 {
                    let t = if off > wide { (wide / off) as f32 } else { 1.0 };
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

/// The circle around the ends of a move, in which it stays.
struct Circle {
    middle: Vec3,
    radius: f32,
}

impl Circle {
    fn around(from: Vec3, to: Vec3) -> Self {
        let [x, y] = [0, 1].map(|axis| f32::midpoint(from[axis], to[axis]));
        let radius = (from[0] - to[0]).hypot(from[1] - to[1]) / 2.0 + room_at(from);
        Self { middle: [x, y, 0.0], radius }
    }
}

/// The square of how far rounding may have moved a point.
fn rounding2(p: Vec3) -> f64 {
    f64::from((p[0].abs() + p[1].abs()) * 1e-6).powi(2)
}
