//! The geometry of areas: rectangles, polygons or waypoints, z up.

pub(super) use super::triangle::{Vec3, cross, distance2};
use super::triangle::{closest_on_triangle, height_in_triangle, meets_triangle};
use navmap_core::graph::boxes::{greater, lesser};
use navmap_core::graph::surface::bilinear;

/// The geometry needed by point queries. A whole index has one type, so that no loop branches on it.
pub(super) trait Ground {
    /// Height of an area at x, y; `None` if that point is beside the area.
    fn height_in(&self, area: usize, x: f32, y: f32) -> Option<f32>;
    /// Squared distance to the closest point.
    fn distance2(&self, area: usize, p: Vec3, below: f32) -> f32;
    /// The closest point.
    fn closest(&self, area: usize, p: Vec3) -> Vec3;
    /// Smallest and largest coordinates.
    fn bounds(&self, area: usize) -> [Vec3; 2];
    /// The center, between which lengths are measured.
    fn center(&self, area: usize) -> Vec3;
    /// Where a line from `a` to `b` first hits the area, from 0 to 1.
    fn meets(&self, area: usize, a: Vec3, b: Vec3) -> Option<f32>;
    /// Area from above, in square units.
    fn size(&self, area: usize) -> f64;
    /// How many corners a test of the area looks at; one where that is always the same.
    #[inline(always)]
    fn tests(&self, _area: usize) -> u64 {
        1
    }
}

/// An upright rectangle whose height is bilinear. 32 bytes, two in a cache line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub(super) struct Quad {
    pub(super) nw: Vec3,
    pub(super) se: Vec3,
    pub(super) ne_z: f32,
    pub(super) sw_z: f32,
}

impl Quad {
    /// The rectangle with these four corners, if they form one.
    pub(super) fn from_corners(corners: &[Vec3]) -> Option<Self> {
        let &[nw, ne, se, sw] = corners else { return None };
        let same = |a: f32, b: f32| a.to_bits() == b.to_bits();
        let upright = same(ne[0], se[0]) && same(ne[1], nw[1]) && same(sw[0], nw[0]) && same(sw[1], se[1]);
        upright.then_some(Self { nw, se, ne_z: ne[2], sw_z: sw[2] })
    }

    #[inline(always)]
    pub(super) fn z_at(&self, x: f32, y: f32) -> f32 {
        bilinear(self.nw, self.se, [self.ne_z, self.sw_z], [x, y])
    }

    #[inline(always)]
    pub(super) fn covers(&self, x: f32, y: f32) -> bool {
        // One branch for all four sides, since each alone would be mispredicted half of the time.
        (self.nw[0] <= x) & (x <= self.se[0]) & (self.nw[1] <= y) & (y <= self.se[1])
    }

    /// x and y of the closest point. If a rectangle is inside out, its lower bound applies first, as in the engine.
    #[inline(always)]
    fn clamp(&self, [x, y, _]: Vec3) -> [f32; 2] {
        let between = |v: f32, low: f32, high: f32| {
            if v < low {
                low
            } else if v > high {
                high
            } else {
                v
            }
        };
        [between(x, self.nw[0], self.se[0]), between(y, self.nw[1], self.se[1])]
    }

    pub(super) fn corners(&self) -> [Vec3; 4] {
        let Self { nw, se, ne_z, sw_z } = *self;
        [nw, [se[0], nw[1], ne_z], se, [nw[0], se[1], sw_z]]
    }
}

/// Rectangles.
#[derive(Debug, Clone)]
pub(super) struct Quads(pub(super) Vec<Quad>);

impl Ground for Quads {
    #[inline(always)]
    fn height_in(&self, area: usize, x: f32, y: f32) -> Option<f32> {
        let quad = &self.0[area];
        quad.covers(x, y).then(|| quad.z_at(x, y))
    }

    #[inline(always)]
    fn distance2(&self, area: usize, p: Vec3, below: f32) -> f32 {
        let quad = &self.0[area];
        let [x, y] = quad.clamp(p);
        let flat = (x - p[0]) * (x - p[0]) + (y - p[1]) * (y - p[1]);
        if flat > below {
            // The height can only add to it.
            return flat;
        }
        let dz = quad.z_at(x, y) - p[2];
        flat + dz * dz
    }

    #[inline]
    fn closest(&self, area: usize, p: Vec3) -> Vec3 {
        let quad = &self.0[area];
        let [x, y] = quad.clamp(p);
        [x, y, quad.z_at(x, y)]
    }

    fn bounds(&self, area: usize) -> [Vec3; 2] {
        bounds_of(&self.0[area].corners())
    }

    #[inline(always)]
    fn center(&self, area: usize) -> Vec3 {
        let Quad { nw, se, .. } = self.0[area];
        [0.5 * (nw[0] + se[0]), 0.5 * (nw[1] + se[1]), 0.5 * (nw[2] + se[2])]
    }

    fn meets(&self, area: usize, a: Vec3, b: Vec3) -> Option<f32> {
        let quad = &self.0[area];
        let [from, to] = clip(a, b, quad.nw, quad.se)?;
        let above = |t: f64| {
            let [x, y, z] = along(a, b, t);
            f64::from(z) - f64::from(quad.z_at(x, y))
        };
        // Height over the ground is a parabola along the line, so three points determine it.
        let (h0, h1, h2) = (above(from), above(f64::midpoint(from, to)), above(to));
        let (c, b1) = (h0, 4.0 * h1 - 3.0 * h0 - h2);
        let a2 = h2 - h0 - b1;
        first_root(a2, b1, c).map(|s| (from + s * (to - from)) as f32)
    }

    fn size(&self, area: usize) -> f64 {
        let Quad { nw, se, .. } = self.0[area];
        let side = |axis: usize| (f64::from(se[axis]) - f64::from(nw[axis])).max(0.0);
        side(0) * side(1)
    }
}

/// Smallest root from 0 to 1 of `a s^2 + b s + c`. A double root counts.
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    let inside = |s: &f64| (0.0..=1.0).contains(s);
    if c == 0.0 {
        return Some(0.0);
    }
    if a.abs() <= 1e-9 * (b.abs() + c.abs()) {
        return Some(-c / b).filter(inside);
    }
    let under = b * b - 4.0 * a * c;
    if !(under >= 0.0) {
        return None;
    }
    // The form without cancellation.
    let q = -0.5 * (b + under.sqrt().copysign(b));
    let (one, two) = (q / a, if q == 0.0 { f64::NAN } else { c / q });
    [one, two].into_iter().filter(inside).min_by(f64::total_cmp)
}

/// The part of a line, from 0 to 1, above or below an upright rectangle.
fn clip(a: Vec3, b: Vec3, low: Vec3, high: Vec3) -> Option<[f64; 2]> {
    let (mut from, mut to) = (0f64, 1f64);
    for axis in 0..2 {
        let (start, way) = (f64::from(a[axis]), f64::from(b[axis]) - f64::from(a[axis]));
        let (low, high) = (f64::from(low[axis]), f64::from(high[axis]));
        if way == 0.0 {
            if !(low <= start && start <= high) {
                return None;
            }
            continue;
        }
        let (t0, t1) = ((low - start) / way, (high - start) / way);
        from = from.max(t0.min(t1));
        to = to.min(t0.max(t1));
    }
    (from <= to).then_some([from, to])
}

fn along(a: Vec3, b: Vec3, t: f64) -> Vec3 {
    let at = |axis: usize| (f64::from(a[axis]) + (f64::from(b[axis]) - f64::from(a[axis])) * t) as f32;
    [at(0), at(1), at(2)]
}

pub(super) fn bounds_of(corners: &[Vec3]) -> [Vec3; 2] {
    let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for corner in corners {
        for (axis, &value) in corner.iter().enumerate() {
            bounds[0][axis] = lesser(bounds[0][axis], value);
            bounds[1][axis] = greater(bounds[1][axis], value);
        }
    }
    bounds
}

/// Polygons with any number of corners, triangulated as fans from their first corner. A single corner is a waypoint among
/// polygons, on which nothing stands.
#[derive(Debug, Clone)]
pub(super) struct Polygons {
    pub(super) starts: Vec<u32>,
    pub(super) corners: Vec<Vec3>,
    pub(super) centers: Vec<Vec3>,
}

impl Polygons {
    /// Several one behind the other.
    pub(super) fn side_by_side<'p>(parts: impl Iterator<Item = &'p Self> + Clone) -> Self {
        let sum = |count: fn(&Self) -> usize| parts.clone().map(count).sum::<usize>();
        let (areas, corners) = (sum(|part| part.centers.len()), sum(|part| part.corners.len()));
        let mut all = Self {
            starts: Vec::with_capacity(areas + 1),
            corners: Vec::with_capacity(corners),
            centers: Vec::with_capacity(areas),
        };
        for part in parts {
            let first = all.corners.len() as u32;
            all.starts.extend(part.starts[..part.centers.len()].iter().map(|start| start + first));
            all.corners.extend_from_slice(&part.corners);
            all.centers.extend_from_slice(&part.centers);
        }
        all.starts.push(all.corners.len() as u32);
        all
    }

    #[inline(always)]
    pub(super) fn corners(&self, area: usize) -> &[Vec3] {
        &self.corners[self.starts[area] as usize..self.starts[area + 1] as usize]
    }

    #[inline(always)]
    fn triangles(&self, area: usize) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        let corners = self.corners(area);
        let first = corners.first().copied().unwrap_or_default();
        corners.get(1..).unwrap_or_default().windows(2).map(move |pair| [first, pair[0], pair[1]])
    }
}

impl Ground for Polygons {
    #[inline(always)]
    fn height_in(&self, area: usize, x: f32, y: f32) -> Option<f32> {
        self.triangles(area).find_map(|triangle| height_in_triangle(triangle, x, y))
    }

    #[inline(always)]
    fn distance2(&self, area: usize, p: Vec3, _below: f32) -> f32 {
        distance2(self.closest(area, p), p)
    }

    fn closest(&self, area: usize, p: Vec3) -> Vec3 {
        let mut best = (f32::INFINITY, self.corners(area).first().copied().unwrap_or([f32::NAN; 3]));
        if self.corners(area).len() == 2 {
            return closest_on_triangle(
                [self.corners(area)[0], self.corners(area)[1], self.corners(area)[1]],
                p,
            );
        }
        for triangle in self.triangles(area) {
            let q = closest_on_triangle(triangle, p);
            let d = distance2(q, p);
            if d < best.0 {
                best = (d, q);
            }
        }
        best.1
    }

    fn bounds(&self, area: usize) -> [Vec3; 2] {
        bounds_of(self.corners(area))
    }

    #[inline(always)]
    fn center(&self, area: usize) -> Vec3 {
        self.centers[area]
    }

    fn meets(&self, area: usize, a: Vec3, b: Vec3) -> Option<f32> {
        self.triangles(area).filter_map(|triangle| meets_triangle(triangle, a, b)).min_by(f32::total_cmp)
    }

    fn size(&self, area: usize) -> f64 {
        self.triangles(area).map(|[a, b, c]| cross(a, b, c).abs() / 2.0).sum()
    }

    #[inline(always)]
    fn tests(&self, area: usize) -> u64 {
        self.corners(area).len() as u64
    }
}

#[inline(always)]
pub(super) fn distance(a: Vec3, b: Vec3) -> f32 {
    distance2(a, b).sqrt()
}

/// Waypoints: discs of their radius, flat at the height of the point.
#[derive(Debug, Clone)]
pub(super) struct Points {
    pub(super) at: Vec<Vec3>,
    pub(super) radius: Vec<f32>,
}

impl Points {
    /// Between two waypoints lie all discs that grow evenly from the one to the other, so whoever goes straight from any point of the
    /// one to any of the other stays on them. This is the one whose rim is nearest to a point: its middle and its radius.
    #[inline]
    pub(super) fn between(&self, from: usize, to: usize, p: Vec3) -> (Vec3, f64) {
        let (a, b) = (self.at[from], self.at[to]);
        let [r, s] = [from, to].map(|at| f64::from(self.radius[at]));
        let d = |q: Vec3, axis: usize| f64::from(q[axis]) - f64::from(a[axis]);
        let length2 = d(b, 0) * d(b, 0) + d(b, 1) * d(b, 1);
        let along = d(p, 0) * d(b, 0) + d(p, 1) * d(b, 1);
        let t = if r == s {
            along / length2
        } else {
            // The shortest way out does not lead straight aside, but towards the wider end.
            let aside = (d(p, 0) * d(b, 1) - d(p, 1) * d(b, 0)).abs();
            let tangent2 = length2 - (s - r) * (s - r);
            // One of the two may hold the other.
            let wider = if s > r { f64::INFINITY } else { f64::NEG_INFINITY };
            if tangent2 > 0.0 { (along + aside * (s - r) / tangent2.sqrt()) / length2 } else { wider }
        };
        // Two in one place are the first.
        let (q, t) = match t {
            t if t > 0.0 && t < 1.0 => {
                ([0, 1, 2].map(|axis| (f64::from(a[axis]) + d(b, axis) * t) as f32), t)
            }
            t if t >= 1.0 => (b, 1.0),
            _ => (a, 0.0),
        };
        (q, r + (s - r) * t)
    }
}

impl Ground for Points {
    #[inline(always)]
    fn height_in(&self, area: usize, x: f32, y: f32) -> Option<f32> {
        let [px, py, pz] = self.at[area];
        let r = self.radius[area];
        ((px - x) * (px - x) + (py - y) * (py - y) <= r * r).then_some(pz)
    }

    #[inline(always)]
    fn distance2(&self, area: usize, p: Vec3, _below: f32) -> f32 {
        distance2(self.at[area], p)
    }

    fn closest(&self, area: usize, _p: Vec3) -> Vec3 {
        self.at[area]
    }

    fn bounds(&self, area: usize) -> [Vec3; 2] {
        let ([x, y, z], r) = (self.at[area], self.radius[area]);
        [[x - r, y - r, z], [x + r, y + r, z]]
    }

    #[inline(always)]
    fn center(&self, area: usize) -> Vec3 {
        self.at[area]
    }

    fn meets(&self, area: usize, a: Vec3, b: Vec3) -> Option<f32> {
        let [.., z] = self.at[area];
        let t = (z - a[2]) / (b[2] - a[2]);
        let [x, y, _] = along(a, b, t.into());
        ((0.0..=1.0).contains(&t) && self.height_in(area, x, y).is_some()).then_some(t)
    }

    fn size(&self, area: usize) -> f64 {
        let r = f64::from(self.radius[area]);
        std::f64::consts::PI * r * r
    }
}

/// The geometry of one index.
#[derive(Debug, Clone)]
pub(super) enum Geometry {
    Quads(Quads),
    Polygons(Polygons),
    Points(Points),
}

/// Runs `$body` with `$ground` bound to the concrete geometry.
macro_rules! with_ground {
    ($geometry:expr, $ground:ident => $body:expr) => {
        match $geometry {
            $crate::ground::Geometry::Quads($ground) => $body,
            $crate::ground::Geometry::Polygons($ground) => $body,
            $crate::ground::Geometry::Points($ground) => $body,
        }
    };
}
pub(super) use with_ground;

/// The point of an area that is closest as seen from above, on its ground.
pub(super) fn flat_closest(geometry: &Geometry, area: usize, p: Vec3) -> Vec3 {
    match geometry {
        Geometry::Quads(quads) => quads.closest(area, p),
        Geometry::Points(points) => {
            let ([x, y, z], r) = (points.at[area], points.radius[area]);
            let far = (p[0] - x).hypot(p[1] - y);
            if far <= r {
                return [p[0], p[1], z];
            }
            let share = r / far;
            [x + (p[0] - x) * share, y + (p[1] - y) * share, z]
        }
        Geometry::Polygons(polygons) => {
            if let Some(z) = polygons.height_in(area, p[0], p[1]) {
                return [p[0], p[1], z];
            }
            let corners = polygons.corners(area);
            let mut best = (f64::INFINITY, corners.first().copied().unwrap_or([f32::NAN; 3]));
            for (at, &a) in corners.iter().enumerate() {
                let b = corners[(at + 1) % corners.len()];
                let (q, d2) = flat_on_side(a, b, p);
                if d2 < best.0 {
                    best = (d2, q);
                }
            }
            best.1
        }
    }
}

/// The point of a segment that is closest as seen from above, and the square of how far it is from there.
pub(super) fn flat_on_side(a: Vec3, b: Vec3, p: Vec3) -> (Vec3, f64) {
    let d = |q: Vec3, axis: usize| f64::from(q[axis]) - f64::from(a[axis]);
    let length2 = d(b, 0) * d(b, 0) + d(b, 1) * d(b, 1);
    let t = ((d(p, 0) * d(b, 0) + d(p, 1) * d(b, 1)) / length2).clamp(0.0, 1.0);
    // An end is that very corner, and a side without length its first one.
    let q = match t {
        t if t > 0.0 && t < 1.0 => [0, 1, 2].map(|axis| (f64::from(a[axis]) + d(b, axis) * t) as f32),
        1.0 => b,
        _ => a,
    };
    (q, (0..2).map(|axis| (f64::from(q[axis]) - f64::from(p[axis])).powi(2)).sum())
}

impl Geometry {
    #[inline(always)]
    pub(super) fn center(&self, area: usize) -> Vec3 {
        with_ground!(self, ground => ground.center(area))
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Quads(quads) => size_of_val(&quads.0[..]),
            Self::Polygons(Polygons { starts, corners, centers }) => {
                size_of_val(&starts[..]) + size_of_val(&corners[..]) + size_of_val(&centers[..])
            }
            Self::Points(Points { at, radius }) => size_of_val(&at[..]) + size_of_val(&radius[..]),
        }
    }
}
