//! Finds the area nearest to a point.

use super::area::Area;
use super::grid::{Cells, Width, with_cells};
use super::ground::{Ground, Vec3, with_ground};
use super::index::NavIndex;
use navmap_core::graph::Point;

/// An area near a point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Nearest {
    /// The area.
    pub area: Area,
    /// Its point that is closest.
    pub point: Point,
    /// Its distance in units.
    pub distance: f32,
}

/// Rings of cells around a point that are searched before the tree.
const RINGS: u32 = 2;

/// The best so far.
#[derive(Clone, Copy)]
struct Best {
    d2: f32,
    area: u32,
}

impl NavIndex {
    /// The area whose [closest point](Self::closest_point) is nearest, within `max` (which may be infinite). On a tie, the first
    /// in the file. Exact, unlike the engine's own search ([`nearest_as_engine`](Self::nearest_as_engine)).
    ///
    /// It knows nothing of walls, so the area may lie behind one, or a floor below. The game traces down to the ground
    /// first; if you can, do so too. `None` for a point with NaN, a mesh without areas, or one that is 1.8e19 units away or more: the
    /// square of that is too large for an `f32`.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// # use navmap::query::{Policy, World};
    /// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
    /// # let index = world.index();
    /// use navmap::graph::Point;
    ///
    /// let near = index.nearest(Point::new(100.0, -250.0, 500.0), 1_000.0).expect("the ground is nearer than that");
    /// assert!(near.distance < 1_000.0 && index.z_at(near.area, near.point).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest(&self, p: Point, max: f32) -> Option<Nearest> {
        self.nearest_where(p, max, |_| true)
    }

    /// The nearest of the areas accepted by `keep`, such as those that an overlay leaves open, or those with a flag.
    pub fn nearest_where(&self, p: Point, max: f32, keep: impl Fn(Area) -> bool) -> Option<Nearest> {
        self.near_by(p, max, &keep, &mut |_| {})
    }

    /// [`nearest_where`](Self::nearest_where), which adds to `looked` how many areas it looks at, as
    /// [`area_at_counted`](Self::area_at_counted) does.
    pub fn nearest_counted(
        &self,
        p: Point,
        max: f32,
        keep: impl Fn(Area) -> bool,
        looked: &mut u64,
    ) -> Option<Nearest> {
        self.near_by(p, max, &keep, &mut |tests| *looked += tests)
    }

    #[inline(always)]
    fn near_by(
        &self,
        p: Point,
        max: f32,
        keep: &impl Fn(Area) -> bool,
        count: &mut impl FnMut(u64),
    ) -> Option<Nearest> {
        let at = self.plan(p);
        let found = with_cells!(&self.parts.grid, cells => with_ground!(&self.parts.geometry, ground => {
            self.search_near(cells, ground, at, max, keep, count)
        }))?;
        Some(self.near(found, at))
    }

    /// [`nearest`](Self::nearest) for many points: `out[i]` for `points[i]`, up to the end of the shorter.
    pub fn nearest_many(&self, points: &[Point], max: f32, out: &mut [Option<Nearest>]) {
        with_cells!(&self.parts.grid, cells => with_ground!(&self.parts.geometry, ground => {
            for (&p, out) in points.iter().zip(out) {
                let at = self.plan(p);
                let found = self.search_near(cells, ground, at, max, &|_| true, &mut |_| {});
                *out = found.map(|found| self.near(found, at));
            }
        }));
    }

    fn near(&self, area: usize, at: Vec3) -> Nearest {
        let point = with_ground!(&self.parts.geometry, ground => ground.closest(area, at));
        let distance = super::ground::distance(point, at);
        Nearest { area: Area::new(area as u32), point: self.unplan(point), distance }
    }

    #[inline(always)]
    fn search_near<S: Width, I: Width>(
        &self,
        cells: &Cells<S, I>,
        ground: &impl Ground,
        at: Vec3,
        max: f32,
        keep: &impl Fn(Area) -> bool,
        count: &mut impl FnMut(u64),
    ) -> Option<usize> {
        if !(at.iter().all(|v| v.is_finite()) && max >= 0.0) {
            return None;
        }
        const NOTHING: u32 = u32::MAX;
        let mut best = Best { d2: max * max, area: NOTHING };
        let node_of = &self.parts.node_of;
        let mut test = |area: usize, best: &mut Best| {
            count(ground.tests(area));
            let d2 = ground.distance2(area, at, best.d2);
            if d2 > best.d2 || !(d2 <= f32::MAX) {
                return;
            }
            let tie = d2 == best.d2 && best.area != NOTHING;
            if tie && node_of[area] >= node_of[best.area as usize] {
                return;
            }
            if keep(Area::new(area as u32)) {
                *best = Best { d2, area: area as u32 };
            }
        };
        let frame = cells.frame;
        let [cx, cy] = frame.cell(at[0], at[1]);
        // A lower bound on the distance to the nearest side of the point's cell. Outside the grid it is in no cell.
        let low = [frame.origin[0] + cx as f32 * frame.side, frame.origin[1] + cy as f32 * frame.side];
        let room = (0..2).map(|axis| (at[axis] - low[axis]).min(low[axis] + frame.side - at[axis]));
        let room = room.fold(f32::INFINITY, f32::min) - frame.side * 1e-3;
        if room > -frame.side * 0.01 {
            for ring in 0..=RINGS {
                let (x0, x1) = (cx.saturating_sub(ring), (cx + ring).min(frame.columns - 1));
                let (y0, y1) = (cy.saturating_sub(ring), (cy + ring).min(frame.rows - 1));
                for y in y0..=y1 {
                    let whole = cy.abs_diff(y) == ring;
                    for x in x0..=x1 {
                        if whole || cx.abs_diff(x) == ring {
                            cells.areas([x, y]).for_each(|area| test(area, &mut best));
                        }
                    }
                }
                let seen = room + ring as f32 * frame.side;
                if seen > 0.0 && best.d2 < seen * seen * (1.0 - 1e-5) {
                    return (best.area != NOTHING).then_some(best.area as usize);
                }
            }
        }
        let count = self.len();
        self.parts.tree.nearest(at, best.d2, |eight, _| {
            (eight..(eight + 8).min(count)).for_each(|area| test(area, &mut best));
            best.d2
        });
        (best.area != NOTHING).then_some(best.area as usize)
    }

    /// The nearest area as the engine finds it (`GetNearestNavArea` without checks of line of sight or ground). If there is an
    /// area under the point, it is that one. Otherwise rings of 300-unit cells are searched, until one ring after the last that
    /// had something closer. High above the mesh this may not be the nearest area (2,063 of 20,000 random points of `dz_county`).
    /// `max` is 10,000 in the engine. The game first moves the point to the ground with a trace; this does not.
    ///
    /// If the game of the mesh has no such rule, this is the same as [`nearest`](Self::nearest).
    pub fn nearest_as_engine(&self, p: Point, max: f32) -> Option<Nearest> {
        self.nearest_as_engine_where(p, max, |_| true)
    }

    /// The same among the areas accepted by `keep`, as if the mesh had no others: those of one space, or those that an overlay
    /// leaves open.
    pub fn nearest_as_engine_where(
        &self,
        p: Point,
        max: f32,
        keep: impl Fn(Area) -> bool,
    ) -> Option<Nearest> {
        self.engine_near(p, max, &keep, &mut |_| {})
    }

    /// [`nearest_as_engine_where`](Self::nearest_as_engine_where), which adds to `looked` how many areas and cells it looks at, as
    /// [`area_at_counted`](Self::area_at_counted) does.
    pub fn nearest_as_engine_counted(
        &self,
        p: Point,
        max: f32,
        keep: impl Fn(Area) -> bool,
        looked: &mut u64,
    ) -> Option<Nearest> {
        self.engine_near(p, max, &keep, &mut |tests| *looked += tests)
    }

    #[inline(always)]
    fn engine_near(
        &self,
        p: Point,
        max: f32,
        keep: &impl Fn(Area) -> bool,
        count: &mut impl FnMut(u64),
    ) -> Option<Nearest> {
        let Some(grid) = &self.parts.engine else { return self.near_by(p, max, keep, count) };
        let at = self.plan(p);
        if !(at.iter().all(|v| v.is_finite()) && max >= 0.0) {
            return None;
        }
        if let Some(area) = self.area_by(p, None, keep, count) {
            return Some(self.near(area.slot(), at));
        }
        let mut best = (max * max, None);
        with_cells!(grid, cells => with_ground!(&self.parts.geometry, ground => {
            let frame = cells.frame;
            let [cx, cy] = frame.cell(at[0], at[1]);
            let rim = frame.columns.max(frame.rows);
            let mut last = ((max / frame.side).ceil() as u32).min(rim);
            let mut ring = 0;
            while ring <= last {
                // Among equal distances the first one stays, so the order is the engine's.
                for cell in frame.ring([cx, cy], ring) {
                    count(1);
                    for area in cells.areas(cell) {
                        count(ground.tests(area));
                        let d2 = ground.distance2(area, at, best.0);
                        if d2 < best.0 && keep(Area::new(area as u32)) {
                            best = (d2, Some(area));
                            last = ring + 1;
                        }
                    }
                }
                ring += 1;
            }
        }));
        best.1.map(|area| self.near(area, at))
    }

    /// [`nearest_as_engine`](Self::nearest_as_engine) for many points.
    pub fn nearest_as_engine_many(&self, points: &[Point], max: f32, out: &mut [Option<Nearest>]) {
        points.iter().zip(out).for_each(|(&p, out)| *out = self.nearest_as_engine(p, max));
    }

    /// The nearest waypoint as an open-source port of Quake II finds it, by distance seen from above. It is at most `window`
    /// below or above the point, within `radius`, and accepted by `keep`. The port uses 64 and 512, skips nodes with certain
    /// flags, and traces from the point to 32 above each candidate.
    ///
    /// In meshes of polygons, centers are compared instead.
    pub fn nearest_node(
        &self,
        p: Point,
        window: f32,
        radius: f32,
        keep: impl Fn(Area) -> bool,
    ) -> Option<Nearest> {
        let at = self.plan(p);
        if !(at.iter().all(|v| v.is_finite()) && radius >= 0.0 && window >= 0.0) {
            return None;
        }
        let low = [at[0] - radius, at[1] - radius, at[2] - window];
        let high = [at[0] + radius, at[1] + radius, at[2] + window];
        let mut best: Option<(f32, usize)> = None;
        self.parts.tree.in_box([low, high], |eight| {
            for area in eight..(eight + 8).min(self.len()) {
                let center = self.parts.geometry.center(area);
                let (dx, dy) = (center[0] - at[0], center[1] - at[1]);
                let d2 = dx * dx + dy * dy;
                if !((center[2] - at[2]).abs() <= window && d2 <= radius * radius) {
                    continue;
                }
                let nodes = &self.parts.node_of;
                let closer =
                    best.is_none_or(|(best, other)| d2 < best || d2 == best && nodes[area] < nodes[other]);
                if closer && keep(Area::new(area as u32)) {
                    best = Some((d2, area));
                }
            }
        });
        best.map(|(d2, area)| Nearest {
            area: Area::new(area as u32),
            point: self.unplan(self.parts.geometry.center(area)),
            distance: d2.sqrt(),
        })
    }

    /// The closest point of an area. In a Source mesh it is that of the engine's `GetClosestPointOnArea` (x and y
    /// clamped to the area, then the height there), in other meshes the closest in space. `None` for an area that does
    /// not exist.
    pub fn closest_point(&self, area: Area, p: Point) -> Option<Point> {
        let at = self.plan(p);
        let closest = with_ground!(&self.parts.geometry, ground => ground.closest(self.slot(area)?, at));
        Some(self.unplan(closest))
    }
}
