//! Walls: the sides of areas that nobody crosses on foot.

use super::area::Area;
use super::ground::{Geometry, Vec3, flat_on_side};
use super::index::NavIndex;
use super::line::inward;
use super::portal::portal_of;
use navmap_core::graph::Point;

/// The most areas that [`NavIndex::wall`] looks at.
const NODES: usize = 128;
/// Pieces of a side shorter than this share of it are rounding.
const CRUMB: f64 = 1e-5;

/// The wall nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Wall {
    /// How far it is, as seen from above. Units.
    pub distance: f32,
    /// Its closest point.
    pub point: Point,
    /// The direction that it faces: level, of length 1, towards the inside of the area.
    pub normal: Point,
    /// The area whose side it is.
    pub area: Area,
}

impl NavIndex {
    /// The walls of an area: its sides, or the parts of them, that no link on foot crosses. A ledge from which one can only jump
    /// or drop is a wall. Each runs in the direction of the area's corners. A waypoint has none. Empty for an area that does not
    /// exist.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// # use navmap::query::{Policy, World};
    /// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
    /// # let index = world.index();
    /// let long: f32 = index.areas().flat_map(|area| index.walls(area)).map(|[a, b]| a.distance(b)).sum();
    /// assert!(long > 1_000.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn walls(&self, area: Area) -> impl Iterator<Item = [Point; 2]> + '_ {
        let slot = self.slot(area);
        let (mut side, mut along) = (0, 0.0);
        std::iter::from_fn(move || {
            let area = slot?;
            loop {
                let ends = self.side(area, side)?;
                match self.closed_from(area, ends, along) {
                    Some([begins, ends_at]) => {
                        along = ends_at;
                        let [a, b] = [begins, ends_at].map(|t| self.unplan(between(ends, t)));
                        return Some([a, b]);
                    }
                    None => (side, along) = (side + 1, 0.0),
                }
            }
        })
    }

    /// The wall that is nearest to a point of an area, as seen from above, within `radius`. It is looked for over links on foot,
    /// so walls of another storey do not count. `None` if there is none within `radius`, for an area that does not exist, a point
    /// that is not finite, and among waypoints.
    ///
    /// It looks at the nearest areas first, and at the nearest 128 at most. A wall that is farther away than the nearest area
    /// that it left out is not found, since another may be nearer. Nothing is allocated.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// # use navmap::query::{Policy, World};
    /// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
    /// # let index = world.index();
    /// use navmap::graph::Point;
    ///
    /// let here = Point::new(100.0, -250.0, 64.0);
    /// let area = index.area_at(here, None).expect("somebody stands here");
    /// let wall = index.wall(area, here, 2_000.0).expect("a wall in a town");
    /// assert!(wall.distance <= 2_000.0 && index.covers(wall.area, wall.point));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wall(&self, area: Area, p: Point, radius: f32) -> Option<Wall> {
        let start = self.slot(area)?;
        if !(p.is_finite() && radius >= 0.0) {
            return None;
        }
        let (at, rows) = (self.plan(p), &self.parts.rows);
        let mut found: Option<(Vec3, Vec3, usize)> = None;
        let mut least = f64::from(radius) * f64::from(radius);
        // Areas that were met, and how far the way into each is.
        let (mut areas, mut far, mut done) = ([0u32; NODES], [0f64; NODES], [false; NODES]);
        areas[0] = start as u32;
        let mut count = 1;
        // How far the nearest area is that there was no room for.
        let mut left_out = f64::INFINITY;
        loop {
            let open = (0..count).filter(|&at| !done[at]);
            let Some(next) = open.min_by(|&a, &b| far[a].total_cmp(&far[b])) else { break };
            if far[next] > least.min(left_out) {
                break;
            }
            done[next] = true;
            let area = areas[next] as usize;
            let mut number = 0;
            while let Some(side) = self.side(area, number) {
                number += 1;
                if flat_on_side(side[0], side[1], at).1 > least {
                    continue;
                }
                let mut along = 0.0;
                while let Some(part) = self.closed_from(area, side, along) {
                    along = part[1];
                    let [a, b] = part.map(|t| between(side, t));
                    let (q, off) = flat_on_side(a, b, at);
                    if off < least || off == least && found.is_none() {
                        least = off;
                        found = Some((q, inward(side[0], side[1], self.parts.geometry.center(area)), area));
                    }
                }
            }
            for link in rows.row(area) {
                let there = rows.links()[link].to() as u32;
                let known = areas[..count].iter().position(|&area| area == there);
                let is_near = |known: usize| done[known] || far[known] <= far[next];
                if !rows.how(link).kind().on_foot() || known.is_some_and(is_near) {
                    continue;
                }
                let [a, b] = portal_of(self, area, link);
                let off = flat_on_side(a, b, at).1.max(far[next]);
                if off > least || off >= left_out {
                    continue;
                }
                // It may be nearer this way than over the border at which it was met.
                if let Some(known) = known {
                    far[known] = far[known].min(off);
                    continue;
                }
                let place = if count < NODES {
                    count += 1;
                    count - 1
                } else {
                    // The farthest that has not been looked at makes room for one that is nearer.
                    let last = (0..NODES).filter(|&at| !done[at]).max_by(|&a, &b| far[a].total_cmp(&far[b]));
                    let Some(last) = last.filter(|&last| off < far[last]) else {
                        left_out = off;
                        continue;
                    };
                    left_out = far[last].min(left_out);
                    last
                };
                (areas[place], far[place]) = (there, off);
            }
        }
        found.filter(|_| least <= left_out).map(|(point, normal, area)| Wall {
            distance: least.sqrt() as f32,
            point: self.unplan(point),
            normal: self.unplan(normal),
            area: Area::new(area as u32),
        })
    }

    /// A side of an area, by number.
    fn side(&self, area: usize, number: usize) -> Option<[Vec3; 2]> {
        let of = |corners: &[Vec3]| {
            let a = *corners.get(number).filter(|_| corners.len() > 1)?;
            Some([a, corners[(number + 1) % corners.len()]])
        };
        match &self.parts.geometry {
            Geometry::Quads(quads) => of(&quads.0[area].corners()),
            Geometry::Polygons(polygons) => of(polygons.corners(area)),
            Geometry::Points(_) => None,
        }
    }

    /// The first part of a side, from the fraction `along` on, that no link on foot crosses.
    fn closed_from(&self, area: usize, side: [Vec3; 2], along: f64) -> Option<[f64; 2]> {
        let rows = &self.parts.rows;
        let on_foot = || rows.row(area).filter(|&link| rows.how(link).kind().on_foot());
        let mut begins = along;
        // A side without length is no wall.
        if side[0][..2] == side[1][..2] {
            return None;
        }
        loop {
            let (mut reaches, mut next) = (begins, 1.0f64);
            for link in on_foot() {
                let Some([low, high]) = share_of(side, portal_of(self, area, link)) else { continue };
                if low <= begins + CRUMB {
                    reaches = reaches.max(high);
                } else {
                    next = next.min(low);
                }
            }
            if reaches >= 1.0 - CRUMB {
                return None;
            }
            if reaches <= begins {
                return Some([begins, next]);
            }
            begins = reaches;
        }
    }
}

fn between([a, b]: [Vec3; 2], t: f64) -> Vec3 {
    match t {
        t if t <= 0.0 => a,
        t if t >= 1.0 => b,
        t => [0, 1, 2].map(|i| (f64::from(a[i]) + (f64::from(b[i]) - f64::from(a[i])) * t) as f32),
    }
}

/// The fractions of a side at which a portal begins and ends, if the portal lies on it and has any width.
fn share_of([a, b]: [Vec3; 2], portal: [Vec3; 2]) -> Option<[f64; 2]> {
    let d = |p: Vec3, axis: usize| f64::from(p[axis]) - f64::from(a[axis]);
    let length2 = d(b, 0) * d(b, 0) + d(b, 1) * d(b, 1);
    if !(length2 > 0.0) {
        return None;
    }
    let on = |p: Vec3| {
        let room = f64::from(super::line::room_at(p));
        let off = (d(b, 0) * d(p, 1) - d(b, 1) * d(p, 0)).powi(2) / length2;
        (off <= room * room).then(|| (d(p, 0) * d(b, 0) + d(p, 1) * d(b, 1)) / length2)
    };
    let [s, t] = [on(portal[0])?, on(portal[1])?];
    let (low, high) = (s.min(t).max(0.0), s.max(t).min(1.0));
    (high - low > CRUMB).then_some([low, high])
}
