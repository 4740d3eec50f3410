//! Finds areas around a point, in a box, along a ray.

use super::area::Area;
use super::flow::Flow;
use super::ground::{Ground, with_ground};
use super::index::NavIndex;
use super::nearest::Nearest;
use navmap_core::graph::{Aabb, Point, Up};

impl NavIndex {
    /// Calls `each` with every area whose [closest point](Self::closest_point) is within `radius`, and with its distance. The
    /// order is undefined. It ends early if `each` returns [`Break`](std::ops::ControlFlow::Break).
    pub fn within<F: Flow>(&self, p: Point, radius: f32, each: impl FnMut(Nearest) -> F) {
        self.within_where(p, radius, |_| true, each);
    }

    /// The same among areas that `keep` accepts, such as a [`Filter`](super::Filter).
    pub fn within_where<F: Flow>(
        &self,
        p: Point,
        radius: f32,
        keep: impl Fn(Area) -> bool,
        mut each: impl FnMut(Nearest) -> F,
    ) {
        let at = self.plan(p);
        if !(at.iter().all(|v| v.is_finite()) && radius >= 0.0) {
            return;
        }
        let most = radius * radius;
        with_ground!(&self.parts.geometry, ground => {
            let test = |area: usize| {
                let d2 = ground.distance2(area, at, most);
                if !(d2 <= most && d2 < f32::INFINITY && keep(Area::new(area as u32))) {
                    return false;
                }
                let point = self.unplan(ground.closest(area, at));
                each(Nearest { area: Area::new(area as u32), point, distance: d2.sqrt() }).breaks()
            };
            self.each_in(around(at, radius), test);
        });
    }

    /// [`within`](Self::within) for many points: `each` also gets the index of the point.
    pub fn within_many(&self, points: &[Point], radius: f32, mut each: impl FnMut(usize, Nearest)) {
        points.iter().enumerate().for_each(|(at, &p)| self.within(p, radius, |near| each(at, near)));
    }

    /// Calls `each` with every area whose *center* is within `radius`, like the engine's `ForAllAreasInRadius`, until it breaks. A
    /// radius of 0 means all areas.
    pub fn centers_within<F: Flow>(&self, p: Point, radius: f32, mut each: impl FnMut(Area) -> F) {
        let at = self.plan(p);
        if radius == 0.0 {
            let _ = self.areas().any(|area| each(area).breaks());
            return;
        }
        // A center may be beside its polygon, but never outside its box.
        self.each_in(around(at, radius), |area| {
            let near = super::ground::distance2(self.parts.geometry.center(area), at) <= radius * radius;
            near && each(Area::new(area as u32)).breaks()
        });
    }

    /// Calls `each` with every area whose box touches this one, until it breaks. The order is undefined. A box may be infinite, such
    /// as a column; one that is [empty](Aabb::is_empty) or has a NaN touches nothing.
    pub fn in_box<F: Flow>(&self, bounds: &Aabb, mut each: impl FnMut(Area) -> F) {
        let (mut low, mut high) = (self.plan(bounds.min), self.plan(bounds.max));
        if self.parts.axes.up == Up::Y {
            // Forward is against the file's axis, which swaps low and high.
            std::mem::swap(&mut low[1], &mut high[1]);
        }
        if !(0..3).all(|axis| low[axis] <= high[axis]) {
            return;
        }
        with_ground!(&self.parts.geometry, ground => {
            self.each_in([low, high], |area| {
                let [a, b] = ground.bounds(area);
                let touches = (0..3).all(|axis| a[axis] <= high[axis] && low[axis] <= b[axis]);
                touches && each(Area::new(area as u32)).breaks()
            });
        });
    }

    /// [`in_box`](Self::in_box) for many boxes: `each` also gets the index of the box.
    pub fn in_box_many(&self, boxes: &[Aabb], mut each: impl FnMut(usize, Area)) {
        boxes.iter().enumerate().for_each(|(at, bounds)| self.in_box(bounds, |area| each(at, area)));
    }

    /// The first area hit by the line from `a` to `b`, from above or from below, and the point.
    pub fn along_ray(&self, a: Point, b: Point) -> Option<Nearest> {
        let (from, to) = (self.plan(a), self.plan(b));
        if !from.iter().chain(&to).all(|v| v.is_finite()) {
            return None;
        }
        let mut best: Option<(f32, usize)> = None;
        with_ground!(&self.parts.geometry, ground => {
            self.parts.tree.along([from, to], [[0.0; 3]; 2], |eight, most| {
                let mut most = most;
                for area in eight..(eight + 8).min(self.len()) {
                    let Some(t) = ground.meets(area, from, to) else { continue };
                    let nodes = &self.parts.node_of;
                    if best.is_none_or(|(first, other)| t < first || t == first && nodes[area] < nodes[other]) {
                        best = Some((t, area));
                        most = most.min(t);
                    }
                }
                most
            });
        });
        best.map(|(t, area)| {
            let at = |axis: usize| {
                (f64::from(from[axis]) + (f64::from(to[axis]) - f64::from(from[axis])) * f64::from(t)) as f32
            };
            let point = [at(0), at(1), at(2)];
            Nearest {
                area: Area::new(area as u32),
                point: self.unplan(point),
                distance: super::ground::distance(from, point),
            }
        })
    }

    /// [`along_ray`](Self::along_ray) for many lines: `out[i]` for `lines[i]`.
    pub fn along_ray_many(&self, lines: &[[Point; 2]], out: &mut [Option<Nearest>]) {
        lines.iter().zip(out).for_each(|(&[a, b], out)| *out = self.along_ray(a, b));
    }

    /// Visits areas whose group of eight has a box that touches a box, until `test` wants no more.
    fn each_in(&self, bounds: [super::ground::Vec3; 2], mut test: impl FnMut(usize) -> bool) {
        let (count, mut ended) = (self.len(), false);
        self.parts.tree.in_box(bounds, |eight| {
            ended = ended || (eight..(eight + 8).min(count)).any(&mut test);
        });
    }
}

/// The box around a ball, enlarged slightly because of rounding.
fn around(p: super::ground::Vec3, radius: f32) -> [super::ground::Vec3; 2] {
    let room = |v: f32| radius + (v.abs() + radius) * 1e-6;
    [p.map(|v| v - room(v)), p.map(|v| v + room(v))]
}
