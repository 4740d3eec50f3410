//! Chooses a random spot.

use super::area::Area;
use super::ground::{Geometry, Ground, Vec3, with_ground};
use super::index::NavIndex;
use super::misuse::Misuse;
use super::scratch::PathScratch;
use super::spread::Flood;
use navmap_core::graph::Point;
use std::ops::ControlFlow;

/// Areas per block. Only one sum is stored for each block.
const BLOCK: usize = 64;

/// Summed sizes of areas, to choose an area by its share of the ground.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// # use navmap::query::{Policy, World};
/// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
/// # let index = world.index();
/// let spots = index.spots(); // once a world
/// let (area, point) = index.random_point(&spots, || 0.5).expect("there is ground");
/// assert!(index.z_at(area, point).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Spots {
    /// The index that they are for.
    stamp: u64,
    /// Square units of all areas up to the end of each block.
    sums: Vec<f64>,
}

impl NavIndex {
    /// Computes the sums for [`random_point`](Self::random_point): 8 bytes per 64 areas. One pass.
    pub fn spots(&self) -> Spots {
        let mut sums = Vec::with_capacity(self.len().div_ceil(BLOCK));
        let mut sum = 0f64;
        for area in 0..self.len() {
            sum += self.size(area);
            if area % BLOCK == BLOCK - 1 || area + 1 == self.len() {
                sums.push(sum);
            }
        }
        Spots { stamp: self.stamp, sums }
    }

    /// Size of an area from above, in square units: that of its disc for a waypoint.
    pub fn area_size(&self, area: Area) -> Option<f64> {
        self.slot(area).map(|area| self.size(area))
    }

    /// A spot on the ground. Every square unit (seen from above) is as likely as any other. `random` gives numbers from
    /// 0 up to, but not including, 1. `None` if no area has any size,
    /// or if the sums are of another index.
    pub fn random_point(&self, spots: &Spots, mut random: impl FnMut() -> f64) -> Option<(Area, Point)> {
        let mut share = || Some(random()).filter(|v| (0.0..1.0).contains(v)).unwrap_or(0.0);
        let whole = *spots.sums.last().filter(|_| spots.stamp == self.stamp)?;
        let wanted = share() * whole;
        let block = spots.sums.partition_point(|sum| *sum <= wanted);
        let mut left = wanted - block.checked_sub(1).and_then(|b| spots.sums.get(b)).copied().unwrap_or(0.0);
        let range = block * BLOCK..((block + 1) * BLOCK).min(self.len());
        let mut chosen = None;
        for area in range {
            let size = self.size(area);
            if size > 0.0 {
                chosen = Some(area);
                if left < size {
                    break;
                }
                left -= size;
            }
        }
        let area = chosen?;
        let [u, v] = [share(), share()];
        Some((Area::new(area as u32), self.unplan(self.ground_in(area, u, v))))
    }

    /// A spot on the ground of an area, by two numbers from 0 to 1.
    fn ground_in(&self, area: usize, u: f64, v: f64) -> Vec3 {
        let [x, y] = self.spot_in(area, u, v);
        let z = with_ground!(&self.parts.geometry, ground => {
            ground.height_in(area, x, y).unwrap_or_else(|| ground.closest(area, [x, y, ground.center(area)[2]])[2])
        });
        [x, y, z]
    }

    pub(super) fn size(&self, area: usize) -> f64 {
        let size = with_ground!(&self.parts.geometry, ground => ground.size(area));
        if size.is_finite() { size } else { 0.0 }
    }

    fn spot_in(&self, area: usize, u: f64, v: f64) -> [f32; 2] {
        let between = |low: f32, high: f32, share: f64| {
            ((f64::from(low) + (f64::from(high) - f64::from(low)) * share) as f32).min(high)
        };
        match &self.parts.geometry {
            Geometry::Quads(quads) => {
                let quad = quads.0[area];
                [between(quad.nw[0], quad.se[0], u), between(quad.nw[1], quad.se[1], v)]
            }
            Geometry::Polygons(polygons) => in_triangles(polygons.corners(area), u, v),
            Geometry::Points(points) => {
                let ([x, y, _], r) = (points.at[area], f64::from(points.radius[area]));
                let (sin, cos) = (u * std::f64::consts::TAU).sin_cos();
                // Slightly inside, so that rounding does not put it outside.
                let r = r * v.sqrt() * (1.0 - 1e-6);
                [(f64::from(x) + r * cos) as f32, (f64::from(y) + r * sin) as f32]
            }
        }
    }
}

impl PathScratch {
    /// A random spot in walking distance: on an area to which the way costs at most `flood.travel`, where every square unit of
    /// those areas (seen from above) is as likely as any other. `random` gives numbers from 0 up to, but not including, 1; it is
    /// asked once for each area, and twice more. `None` if no such area has any size.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// # use navmap::query::{Policy, World};
    /// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
    /// # let index = world.index();
    /// use navmap::query::{Flood, PathScratch, Random};
    ///
    /// let (mut scratch, mut random) = (PathScratch::new(index), Random::new(7));
    /// let from = index.areas().next().expect("an area");
    /// let flood = Flood::default().with_travel(800.0);
    /// let (area, point) = scratch.random_within(index, from, &flood, || random.next_f64())?.expect("ground");
    /// assert!(index.covers(area, point) && scratch.travel_distance(index, from, area).is_some_and(|far| far <= 800.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`flood`](Self::flood).
    pub fn random_within(
        &mut self,
        index: &NavIndex,
        from: Area,
        flood: &Flood<'_>,
        mut random: impl FnMut() -> f64,
    ) -> Result<Option<(Area, Point)>, Misuse> {
        let mut share = || Some(random()).filter(|v| (0.0..1.0).contains(v)).unwrap_or(0.0);
        let (mut whole, mut chosen) = (0.0, None);
        self.flood(index, from, flood, |area, _| {
            // Each area takes the place of the one before with its share of all ground so far.
            let size = index.size(area.slot());
            whole += size;
            if size > 0.0 && share() * whole < size {
                chosen = Some(area);
            }
            ControlFlow::Continue(())
        })?;
        Ok(chosen.map(|area| {
            let [u, v] = [share(), share()];
            (area, index.unplan(index.ground_in(area.slot(), u, v)))
        }))
    }
}

/// Numbers that look random and are the same for the same seed, on every machine. Not for secrets.
///
/// ```
/// use navmap::query::Random;
///
/// let (mut one, mut same) = (Random::new(7), Random::new(7));
/// assert_eq!(one.next_f64(), same.next_f64());
/// assert!((0.0..1.0).contains(&one.next_f64()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// Numbers of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next one: 64 bits (SplitMix64).
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// The next one, from 0 up to, but not including, 1.
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A point in the triangles of a polygon. `u` chooses the triangle, and its remainder a position along it.
fn in_triangles(corners: &[Vec3], u: f64, v: f64) -> [f32; 2] {
    let first = corners.first().copied().unwrap_or_default();
    let rest = corners.get(1..).unwrap_or_default();
    let sizes = || rest.windows(2).map(|pair| super::ground::cross(first, pair[0], pair[1]).abs());
    let whole: f64 = sizes().sum();
    let mut left = u * whole;
    for (pair, size) in rest.windows(2).zip(sizes()) {
        if left < size {
            // The square root makes the distribution even.
            let (s, t) = ((left / size).sqrt(), v);
            let at = |axis: usize| {
                let [a, b, c] = [first[axis], pair[0][axis], pair[1][axis]].map(f64::from);
                ((1.0 - s) * a + s * (1.0 - t) * b + s * t * c) as f32
            };
            return [at(0), at(1)];
        }
        left -= size;
    }
    [first[0], first[1]]
}
