//! Finds the area of a point.

use super::area::Area;
use super::grid::{Cells, Width, with_cells};
use super::ground::{Ground, Vec3, flat_closest, with_ground};
use super::index::NavIndex;
use navmap_core::graph::Point;

/// Points of a batch processed together, so that their memory loads overlap.
const TOGETHER: usize = 16;

/// A query point, with z up.
#[derive(Debug, Clone, Copy)]
struct Asked {
    at: Vec3,
    ceiling: f32,
    floor: f32,
}

impl Asked {
    /// Whether ground of this height is that of the point.
    #[inline(always)]
    fn is_above(&self, z: f32) -> bool {
        (z <= self.ceiling) & (z >= self.floor)
    }
}

impl NavIndex {
    /// The area under a point, by the engine's rule. The point is above, on or below the area, and the ground there is at most 5
    /// units above the point and at most `reach` below it. If several areas match, the one with the highest ground wins, and on a
    /// tie the first in the file. `reach` is 120 in the engine; `None` uses [`rules`](Self::rules), which also replace the 5.
    ///
    /// Formats without a public rule use the same one with other numbers. A waypoint is a disc of its radius. `None` for a point
    /// with NaN. This takes four dependent loads and a few rectangles: tens of nanoseconds.
    ///
    /// Where a game tells by a tree of planes which area holds a point, as Quake III does, it is that area, however high above its
    /// ground the point is, unless `reach` says otherwise. Its ground may be beside the point: a walk begins where somebody
    /// [stands](Self::stands_on). Only for a point in none of the areas the rule above decides.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// # use navmap::query::{Policy, World};
    /// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
    /// # let index = world.index();
    /// use navmap::graph::Point;
    ///
    /// let here = index.area_at(Point::new(100.0, -250.0, 64.0), None).expect("somebody stands here");
    /// assert!(index.id(here).is_some() && index.area_at(Point::new(1e9, 0.0, 0.0), None).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn area_at(&self, p: Point, reach: impl Into<Option<f32>>) -> Option<Area> {
        self.ground_at(p, reach).map(|(area, _)| area)
    }

    /// [`area_at`](Self::area_at) with the height of the ground. In a Source mesh it is bit for bit that of the engine. A point that a
    /// tree puts into an area beside the ground of it gets the height of the nearest ground there.
    #[inline]
    pub fn ground_at(&self, p: Point, reach: impl Into<Option<f32>>) -> Option<(Area, f32)> {
        let reach = reach.into();
        if let Some(held) = self.held(p, reach) {
            return Some(held);
        }
        let asked = self.asked(p, reach.unwrap_or(self.parts.rules.reach));
        let found = with_cells!(&self.parts.grid, cells => with_ground!(&self.parts.geometry, ground => {
            let range = cells.range(cells.frame.cell(asked.at[0], asked.at[1]));
            highest(cells, ground, range, asked)
        }));
        found.map(|(area, z)| (Area::new(area as u32), z))
    }

    /// The area under a point among those accepted by `keep`, such as those of one space of a load order, or of one hull.
    pub fn area_at_where(
        &self,
        p: Point,
        reach: impl Into<Option<f32>>,
        keep: impl Fn(Area) -> bool,
    ) -> Option<Area> {
        self.area_by(p, reach.into(), &keep, &mut |_| {})
    }

    /// [`area_at_where`](Self::area_at_where), which adds to `looked` how many areas it looks at: a polygon counts as its corners, and
    /// each level of a game's tree of planes as one. In meshes of games that is some dozen; where all areas lie in one place it is all
    /// of them, so who answers very many questions of strangers about meshes of strangers can end in time.
    pub fn area_at_counted(
        &self,
        p: Point,
        reach: impl Into<Option<f32>>,
        keep: impl Fn(Area) -> bool,
        looked: &mut u64,
    ) -> Option<Area> {
        self.area_by(p, reach.into(), &keep, &mut |tests| *looked += tests)
    }

    #[inline(always)]
    pub(super) fn area_by(
        &self,
        p: Point,
        reach: Option<f32>,
        keep: &impl Fn(Area) -> bool,
        count: &mut impl FnMut(u64),
    ) -> Option<Area> {
        if let Some((area, _)) = self.held_counted(p, reach, count).filter(|(area, _)| keep(*area)) {
            return Some(area);
        }
        let asked = self.asked(p, reach.unwrap_or(self.parts.rules.reach));
        let [x, y, _] = asked.at;
        let mut best: Option<(f32, usize)> = None;
        with_cells!(&self.parts.grid, cells => with_ground!(&self.parts.geometry, ground => {
            for area in cells.areas(cells.frame.cell(x, y)) {
                count(ground.tests(area));
                let height = ground.height_in(area, x, y).filter(|z| asked.is_above(*z));
                if let Some(z) = height.filter(|z| best.is_none_or(|(highest, _)| *z > highest))
                    && keep(Area::new(area as u32))
                {
                    best = Some((z, area));
                }
            }
        }));
        best.map(|(_, area)| Area::new(area as u32))
    }

    /// The area that somebody at a point stands on: the one at the point, if its ground is there and no farther below than the
    /// [`rules`](Self::rules) say. A walk may begin there, also where a game's tree puts points into areas whose ground is elsewhere.
    pub fn stands_on(&self, p: Point) -> Option<Area> {
        self.stands_on_where(p, |_| true)
    }

    /// [`stands_on`](Self::stands_on) among the areas accepted by `keep`, such as those that an overlay leaves open.
    pub fn stands_on_where(&self, p: Point, keep: impl Fn(Area) -> bool) -> Option<Area> {
        self.area_at_where(p, self.parts.rules.reach, |area| keep(area) && self.covers(area, p))
    }

    /// [`area_at`](Self::area_at) for many points: `out[i]` for `points[i]`, up to the end of the shorter. Sixteen points are
    /// processed together so that their loads overlap, which is about twice as fast.
    pub fn area_at_many(&self, points: &[Point], reach: impl Into<Option<f32>>, out: &mut [Option<Area>]) {
        let reach = reach.into();
        if !self.parts.held.is_empty() {
            return points.iter().zip(out).for_each(|(&p, out)| *out = self.area_at(p, reach));
        }
        let reach = reach.unwrap_or(self.parts.rules.reach);
        with_cells!(&self.parts.grid, cells => with_ground!(&self.parts.geometry, ground => {
            for (points, out) in points.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
                let mut ranges = [([0u32; 2], Asked { at: [0.0; 3], ceiling: 0.0, floor: 0.0 }); TOGETHER];
                for (to, &p) in ranges.iter_mut().zip(points) {
                    let asked = self.asked(p, reach);
                    *to = (cells.range(cells.frame.cell(asked.at[0], asked.at[1])), asked);
                }
                for (&(range, asked), out) in ranges.iter().take(points.len()).zip(out) {
                    *out = highest(cells, ground, range, asked).map(|(area, _)| Area::new(area as u32));
                }
            }
        }));
    }

    /// Calls `each` with every area above, on or below a point, and with the height of its ground there: the floors of a house.
    /// They come in file order. With a group chosen when the index was built, only areas of that group.
    pub fn levels_at(&self, p: Point, mut each: impl FnMut(Area, f32)) {
        let [x, y, _] = self.plan(p);
        with_cells!(&self.parts.grid, cells => with_ground!(&self.parts.geometry, ground => {
            for area in cells.areas(cells.frame.cell(x, y)) {
                if let Some(z) = ground.height_in(area, x, y) {
                    each(Area::new(area as u32), z);
                }
            }
        }));
    }

    /// [`ground_at`](Self::ground_at), and how many areas [`levels_at`](Self::levels_at) hands out, in one pass over the areas there.
    pub fn column_at(&self, p: Point, reach: impl Into<Option<f32>>) -> (Option<(Area, f32)>, u32) {
        let reach = reach.into();
        let asked = self.asked(p, reach.unwrap_or(self.parts.rules.reach));
        let (mut best, mut levels) = ((usize::MAX, f32::NEG_INFINITY), 0u32);
        with_cells!(&self.parts.grid, cells => with_ground!(&self.parts.geometry, ground => {
            for area in cells.areas(cells.frame.cell(asked.at[0], asked.at[1])) {
                let Some(z) = ground.height_in(area, asked.at[0], asked.at[1]) else { continue };
                levels = levels.saturating_add(1);
                if asked.is_above(z) & (z > best.1) {
                    best = (area, z);
                }
            }
        }));
        let highest = || (best.0 != usize::MAX).then(|| (Area::new(best.0 as u32), best.1));
        (self.held(p, reach).or_else(highest), levels)
    }

    /// The area that holds a point by the game's tree, and the height of its ground there.
    #[inline(always)]
    fn held(&self, p: Point, reach: Option<f32>) -> Option<(Area, f32)> {
        self.held_counted(p, reach, &mut |_| {})
    }

    #[inline(always)]
    fn held_counted(&self, p: Point, reach: Option<f32>, count: &mut impl FnMut(u64)) -> Option<(Area, f32)> {
        if self.parts.held.is_empty() { None } else { self.held_by_tree(p, reach, count) }
    }

    #[cold]
    fn held_by_tree(&self, p: Point, reach: Option<f32>, count: &mut dyn FnMut(u64)) -> Option<(Area, f32)> {
        let mut levels = 0;
        let node = self.parts.held.node_at_counted(p, &mut levels);
        count(levels);
        let area = self.of_node(node?)?;
        let at = self.plan(p);
        let [.., z] = flat_closest(&self.parts.geometry, area.slot(), at);
        (p.is_finite() && at[2] - z <= reach.unwrap_or(f32::INFINITY)).then_some((area, z))
    }

    #[inline(always)]
    fn asked(&self, p: Point, reach: f32) -> Asked {
        let at = self.plan(p);
        Asked { at, ceiling: at[2] + self.parts.rules.above, floor: at[2] - reach }
    }

    /// Height of the ground of an area at the x and y of a point (x and z if y is up). `None` if the point is beside
    /// the area.
    pub fn z_at(&self, area: Area, p: Point) -> Option<f32> {
        let [x, y, _] = self.plan(p);
        with_ground!(&self.parts.geometry, ground => ground.height_in(self.slot(area)?, x, y))
    }

    /// Whether a point is above, on or below an area.
    pub fn covers(&self, area: Area, p: Point) -> bool {
        self.z_at(area, p).is_some()
    }

    /// Whether a point stands on an area, by the engine's test for the goal of a path: the point is over the area, its ground is
    /// at most a step above the point, and no other ground is in between.
    pub fn contains(&self, area: Area, p: Point) -> bool {
        let [x, y, z] = self.plan(p);
        let Some(own) = self.z_at(area, p).filter(|own| own - self.parts.rules.step <= z) else {
            return false;
        };
        let mut other = false;
        with_cells!(&self.parts.grid, cells => with_ground!(&self.parts.geometry, ground => {
            for next in cells.areas(cells.frame.cell(x, y)) {
                let height = ground.height_in(next, x, y).filter(|_| next != area.slot());
                other |= height.is_some_and(|h| h > own && h - self.parts.rules.step <= z);
            }
        }));
        !other
    }

    /// Whether two areas overlap as seen from above.
    pub fn overlaps(&self, a: Area, b: Area) -> bool {
        let (Some(a), Some(b)) = (self.slot(a), self.slot(b)) else { return false };
        let bounds = |area| with_ground!(&self.parts.geometry, ground => ground.bounds(area));
        let ([a0, a1], [b0, b1]) = (bounds(a), bounds(b));
        (0..2).all(|axis| a0[axis] < b1[axis] && b0[axis] < a1[axis])
    }
}

/// The highest ground among the items of a cell.
#[inline(always)]
fn highest<S: Width, I: Width>(
    cells: &Cells<S, I>,
    ground: &impl Ground,
    range: [u32; 2],
    asked: Asked,
) -> Option<(usize, f32)> {
    let mut best = (usize::MAX, f32::NEG_INFINITY);
    for area in cells.items(range) {
        if let Some(z) = ground.height_in(area, asked.at[0], asked.at[1])
            && asked.is_above(z) & (z > best.1)
        {
            best = (area, z);
        }
    }
    (best.0 != usize::MAX).then_some(best)
}
