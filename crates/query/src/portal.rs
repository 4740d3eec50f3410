//! Measures the transition between two linked areas: the portal, the step, the gap, the direction.

use super::area::Area;
use super::ground::{Geometry, Ground, Vec3, with_ground};
use super::index::NavIndex;
use navmap_core::graph::Point;

/// The line that is crossed from one area to another.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Portal {
    /// Its left end as seen from the source area, on the ground of that area.
    pub left: Point,
    /// Its right end.
    pub right: Point,
}

impl Portal {
    /// The point between both ends.
    pub fn center(&self) -> Point {
        self.left.midway(self.right)
    }

    /// Half of its width.
    pub fn half_width(&self) -> f32 {
        self.left.distance(self.right) / 2.0
    }

    /// Its closest point to another.
    pub fn closest_to(&self, p: Point) -> Point {
        let (a, b) = (self.left.to_array(), self.right.to_array());
        Point::from(closest_on_line(a, b, p.to_array()))
    }
}

impl NavIndex {
    /// The portal of the first link from one area to the other. In a Source mesh it is the shared part of the side, clamped to
    /// the source area, as in the engine's `ComputePortal`; a point if nothing is shared. In other meshes it is the side that is
    /// crossed. Between waypoints it has no width: both ends are the source. `None` without a link.
    pub fn portal(&self, from: Area, to: Area) -> Option<Portal> {
        let slot = self.slot(from)?;
        let link = self.parts.rows.row(slot).find(|&link| self.parts.rows.links()[link].to() == to.slot())?;
        let [left, right] = portal_of(self, slot, link);
        Some(Portal { left: self.unplan(left), right: self.unplan(right) })
    }

    /// How much higher the ground of `to` is than that of `from`, at the middle of their portal. Units.
    pub fn step(&self, from: Area, to: Area) -> Option<f32> {
        let (portal, to) = (self.portal(from, to)?, self.slot(to)?);
        let middle = self.plan(portal.center());
        let [there, here] = [to, from.slot()]
            .map(|area| with_ground!(&self.parts.geometry, ground => ground.closest(area, middle)));
        Some(there[2] - here[2])
    }

    /// The width of the gap between two linked areas, seen from above at the middle of their portal. Units.
    pub fn gap(&self, from: Area, to: Area) -> Option<f32> {
        let (portal, to) = (self.portal(from, to)?, self.slot(to)?);
        let middle = self.plan(portal.center());
        let there = with_ground!(&self.parts.geometry, ground => ground.closest(to, middle));
        let (dx, dy) = (there[0] - middle[0], there[1] - middle[1]);
        Some((dx * dx + dy * dy).sqrt())
    }

    /// The side of an area towards a point. Side 0 runs from the first corner to the second (in a Source mesh north,
    /// then east, south, west). `None` for a waypoint.
    pub fn direction(&self, area: Area, p: Point) -> Option<u8> {
        let slot = self.slot(area)?;
        let at = self.plan(p);
        let center = self.parts.geometry.center(slot);
        match &self.parts.geometry {
            Geometry::Points(_) => None,
            Geometry::Quads(quads) => {
                // The engine measures in widths of the area.
                let quad = quads.0[slot];
                let [x, y] = [0, 1].map(|axis| {
                    (at[axis] - center[axis]) / (quad.se[axis] - quad.nw[axis]).max(f32::MIN_POSITIVE)
                });
                Some(match (x.abs() > y.abs(), x > 0.0, y > 0.0) {
                    (true, true, _) => 1,
                    (true, false, _) => 3,
                    (false, _, true) => 2,
                    (false, _, false) => 0,
                })
            }
            Geometry::Polygons(polygons) => {
                let corners = polygons.corners(slot);
                let outside = |a: Vec3, b: Vec3| {
                    // Signed distance from the side. The center is inside.
                    let turn = super::ground::cross(a, b, center).signum();
                    let length = f64::from(super::ground::distance([a[0], a[1], 0.0], [b[0], b[1], 0.0]));
                    -turn * super::ground::cross(a, b, at) / length.max(1e-30)
                };
                let sides = (0..corners.len())
                    .map(|side| (outside(corners[side], corners[(side + 1) % corners.len()]), side));
                let side = sides.max_by(|a, b| a.0.total_cmp(&b.0))?.1;
                u8::try_from(side).ok()
            }
        }
    }

    /// Whether no link crosses a side (counted as in [`direction`](Self::direction)).
    pub fn is_edge(&self, area: Area, side: u8) -> bool {
        self.slot(area).is_some_and(|slot| {
            self.parts.rows.row(slot).all(|link| self.parts.rows.how(link).side() != Some(side))
        })
    }
}

/// Left and right end of the portal of a link.
pub(super) fn portal_of(index: &NavIndex, from: usize, link: usize) -> [Vec3; 2] {
    let to = index.parts.rows.links()[link].to();
    let stored = index.parts.rows.how(link).side();
    let center = index.parts.geometry.center(from);
    let [a, b] = match &index.parts.geometry {
        Geometry::Points(points) => [points.at[from]; 2],
        Geometry::Quads(quads) => {
            let (here, there) = (&quads.0[from], &quads.0[to]);
            let toward = || {
                let other = index.parts.geometry.center(to);
                index.direction(Area::new(from as u32), index.unplan(other)).unwrap_or(0)
            };
            let side = stored.filter(|side| *side < 4).unwrap_or_else(toward);
            let along_x = side.is_multiple_of(2);
            let axis = usize::from(!along_x);
            let fixed = match side {
                0 => here.nw[1],
                1 => here.se[0],
                2 => here.se[1],
                _ => here.nw[0],
            };
            let (low, high) = (here.nw[axis], here.se[axis]);
            // Clamped to the side, so that areas which share nothing get a point of it.
            let clamp = |v: f32| v.max(low).min(high);
            let (start, end) =
                (clamp(here.nw[axis].max(there.nw[axis])), clamp(here.se[axis].min(there.se[axis])));
            let end = if end < start { start } else { end };
            let on_side = |along: f32| {
                let [x, y] = if along_x { [along, fixed] } else { [fixed, along] };
                [x, y, here.z_at(x, y)]
            };
            [on_side(start), on_side(end)]
        }
        Geometry::Polygons(polygons) => {
            let (corners, up) = (polygons.corners(from), index.parts.rules.step);
            match stored.map(usize::from).filter(|side| *side < corners.len()) {
                Some(side) => {
                    let (whole, other) =
                        ([corners[side], corners[(side + 1) % corners.len()]], polygons.corners(to));
                    // Over the border of a tile, and in Source 2, a side may lead to several areas, each a part of it.
                    let mut sides =
                        (0..other.len()).map(|side| [other[(side + 1) % other.len()], other[side]]);
                    if sides.any(|side| side == whole) {
                        whole
                    } else {
                        // The link itself says that this side leads there, however high the other one is.
                        shared(whole, other, f32::INFINITY).map_or(whole, |(part, _)| part)
                    }
                }
                None => {
                    // The link has no side, so this is what both share, or else the point of the area that is closest to the
                    // other.
                    let sides =
                        (0..corners.len()).map(|side| [corners[side], corners[(side + 1) % corners.len()]]);
                    let common = sides.filter_map(|side| shared(side, polygons.corners(to), up));
                    let widest = common.max_by(|a, b| a.1.total_cmp(&b.1));
                    let other = index.parts.geometry.center(to);
                    widest.map_or_else(|| [polygons.closest(from, other); 2], |(part, _)| part)
                }
            }
        }
    };
    // Turning left at the center, the right end comes first.
    if super::ground::cross(center, a, b) >= 0.0 { [b, a] } else { [a, b] }
}

/// The widest part of a side that a side of another polygon lies on, as seen from above, and its width. Sides of two storeys are
/// not shared: nowhere in between may one be more than `up` above the other, which is infinite where the file names the side.
fn shared([a, b]: [Vec3; 2], other: &[Vec3], up: f32) -> Option<([Vec3; 2], f64)> {
    let d = |p: Vec3, axis: usize| f64::from(p[axis]) - f64::from(a[axis]);
    let length2 = d(b, 0) * d(b, 0) + d(b, 1) * d(b, 1);
    let room = f64::from(0.01 + (a[0].abs() + a[1].abs()) * 1e-6);
    let off = |p: Vec3| (d(b, 0) * d(p, 1) - d(b, 1) * d(p, 0)).powi(2) / length2;
    let share = |p: Vec3| (d(p, 0) * d(b, 0) + d(p, 1) * d(b, 1)) / length2;
    let mut best: Option<[f64; 2]> = None;
    for (at, &c) in other.iter().enumerate() {
        let e = other[(at + 1) % other.len()];
        if off(c) <= room * room && off(e) <= room * room {
            let (s, t) = (share(c), share(e));
            let part = [s.min(t), s.max(t)].map(|v| v.clamp(0.0, 1.0));
            // How much higher the other one is.
            let higher = |v: f64| d(c, 2) + (d(e, 2) - d(c, 2)) * ((v - s) / (t - s)) - d(b, 2) * v;
            if part.iter().any(|&v| higher(v).abs() > f64::from(up)) {
                continue;
            }
            if part[1] > part[0] && best.is_none_or(|[low, high]| part[1] - part[0] > high - low) {
                best = Some(part);
            }
        }
    }
    let on = |t: f64| match t {
        0.0 => a,
        1.0 => b,
        t => [0, 1, 2].map(|axis| (f64::from(a[axis]) + d(b, axis) * t) as f32),
    };
    best.map(|[low, high]| ([on(low), on(high)], (high - low) * length2.sqrt()))
}

/// The point between two that is closest to a third.
pub(super) fn closest_on_line(a: Vec3, b: Vec3, p: Vec3) -> Vec3 {
    let way = [0, 1, 2].map(|axis| f64::from(b[axis]) - f64::from(a[axis]));
    let from = [0, 1, 2].map(|axis| f64::from(p[axis]) - f64::from(a[axis]));
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let length2 = dot(way, way);
    let t = if length2 > 0.0 { (dot(from, way) / length2).clamp(0.0, 1.0) } else { 0.0 };
    [0, 1, 2].map(|axis| (f64::from(a[axis]) + way[axis] * t) as f32)
}
