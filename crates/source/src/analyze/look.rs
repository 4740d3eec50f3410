//! Visibility between areas through a map. `docs/formats/source-analyze.md`, section 3.6.

use super::map::{Map, Purpose};
use super::phase::Progress;
use super::work::{TRACE, Tally, Work};
use crate::buf::AreaBuf;
use crate::each::map_all;
use crate::geometry::{Axis, STEP, closest_point, edges, heights, length, minus};
use crate::record::Shape;
use std::sync::atomic::Ordering::Relaxed;

/// The height of eyes above the ground: three quarters of a human.
const EYE: f32 = 53.25;
/// Nothing is seen farther away.
const FAR: f32 = 6000.0;
/// Between areas farther apart than this, points in line with both middles are skipped.
const APART: f32 = 1000.0;
/// The cosine of a negligible angle.
const IN_LINE: f32 = 0.98;
/// The most points on a side of an area: those of a side as long as the world.
const MOST_POINTS: usize = 1311;

/// Nothing, all points, one sweep or one point, or both.
const NOTHING: u8 = 0;
const SOMETHING: u8 = 1;
const WHOLLY: u8 = 2;

type Vec3 = [f32; 3];

/// An area prepared for visibility tests.
struct View<'a> {
    shape: &'a Shape,
    /// The middle, and the corners from north-west on, at eye height.
    middle: Vec3,
    corners: [Vec3; 4],
}

fn raised([x, y, z]: Vec3) -> Vec3 {
    [x, y, z + EYE]
}

impl<'a> View<'a> {
    fn new(area: &'a AreaBuf) -> Self {
        let shape = &area.shape;
        Self { shape, middle: raised(shape.center()), corners: shape.corners().map(raised) }
    }

    /// The points to look from, 25 units apart. None if the area is narrower.
    fn points(&self) -> impl Iterator<Item = Vec3> + use<'a> {
        let shape = self.shape;
        let along = move |axis: Axis| {
            let [low, high] = edges(shape, axis);
            let steps = std::iter::successors(Some(0.5 * STEP), |at| Some(at + STEP));
            steps
                .take_while(move |at| *at <= high - low - 0.5 * STEP)
                .take(MOST_POINTS)
                .map(move |at| low + at)
        };
        let rows =
            along(Axis::X).flat_map(move |x| along(Axis::Y).map(move |y| [x, y, shape.height_at(x, y)]));
        rows.take(MOST_POINTS).map(raised)
    }

    /// The box around the middle and the corners.
    fn bounds(&self) -> [Vec3; 2] {
        let all = || self.corners.iter().chain([&self.middle]);
        let fold = |pick: fn(f32, f32) -> f32| {
            all().copied().reduce(|[ax, ay, az], [bx, by, bz]| [pick(ax, bx), pick(ay, by), pick(az, bz)])
        };
        [fold(f32::min).unwrap_or_default(), fold(f32::max).unwrap_or_default()]
    }

    /// Whether a part of it is visible from a point.
    fn is_partly_seen(&self, eye: Vec3, (map, tally): (&dyn Map, &Tally<'_>)) -> bool {
        let free = |to: Vec3| {
            tally.add(TRACE);
            map.is_free(eye, to, Purpose::Visibility)
        };
        if free(self.middle) {
            return true;
        }
        let ahead = minus(self.middle, eye);
        let beside = self.corners.iter().filter(|corner| !in_line(minus(**corner, eye), ahead));
        // The engine raises corners twice, as its stored results show.
        beside.copied().map(raised).any(free)
    }

    /// Whether the rectangle, swept to the other, hits nothing.
    fn slides_to(&self, other: &Self, map: &dyn Map) -> bool {
        let [cx, cy, cz] = self.shape.center();
        let ([x0, x1], [y0, y1]) = (edges(self.shape, Axis::X), edges(self.shape, Axis::Y));
        let heights = heights(self.shape);
        let lowest = heights.into_iter().fold(f32::INFINITY, f32::min);
        let highest = heights.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let (low, high) = ([x0 - cx, y0 - cy, lowest - cz], [x1 - cx, y1 - cy, highest - cz + 0.1]);
        let to = raised(closest_point(other.shape, self.middle));
        let trace = map.hull(self.middle, to, low, high, Purpose::Visibility);
        let ([ox0, ox1], [oy0, oy1]) = (edges(other.shape, Axis::X), edges(other.shape, Axis::Y));
        let [x, y, _] = trace.end;
        trace.is_free() || (x > ox0 && x < ox1 && y > oy0 && y < oy1)
    }

    /// How much of another area is visible; `None` if the map's compiler has excluded it, which is asked if the points to look from are
    /// known, and those of them that it tells apart.
    fn look(
        &self,
        other: &Self,
        known: Option<(&[Vec3], &[Vec3])>,
        (map, tally): (&dyn Map, &Tally<'_>),
    ) -> Option<u8> {
        let between = minus(self.middle, other.middle);
        let far = length(between);
        if far.is_nan() || far > FAR {
            return Some(NOTHING);
        }
        let [low, high] = other.bounds();
        if known.is_some_and(|(_, apart)| !map.may_see(apart, low, high)) {
            return None;
        }
        tally.add(TRACE);
        if self.slides_to(other, map) {
            return Some(WHOLLY);
        }
        let mut seen = WHOLLY;
        let mut update = |eye: Vec3| {
            match other.is_partly_seen(eye, (map, tally)) {
                true => seen |= SOMETHING,
                false => seen &= !WHOLLY,
            }
            seen
        };
        let mut answer = update(self.middle);
        let unknown = known.is_none().then(|| self.points());
        let known = known.map_or(&[][..], |(points, _)| points);
        for point in known.iter().copied().chain(unknown.into_iter().flatten()) {
            if answer == SOMETHING || !tally.add(1) {
                break;
            }
            if far > APART && in_line(minus(point, self.middle), between) {
                continue;
            }
            answer = update(point);
        }
        Some(answer)
    }
}

/// Whether two directions are nearly equal.
fn in_line(a: Vec3, b: Vec3) -> bool {
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    dot >= IN_LINE * length(a) * length(b)
}

/// For each area the positions of the areas it sees, unordered, with how much of each: both directions of each pair are swapped,
/// as in the engine. The time grows with the square of the number of areas less than 6,000 units apart.
pub(super) fn visible(
    areas: &[AreaBuf],
    map: &dyn Map,
    progress: Option<&Progress>,
    work: &Work,
) -> Vec<Vec<(u32, u8)>> {
    let views: Vec<View<'_>> = areas.iter().map(View::new).collect();
    let pairs = map_all(
        views.len(),
        || (),
        |(), at| {
            let mut found: Vec<(u32, u8, u8)> = Vec::new();
            map.begin();
            let stopped = progress.is_some_and(|progress| progress.stop.load(Relaxed));
            let tally = work.tally();
            let Some(here) = views.get(at).filter(|_| !stopped && !tally.is_over()) else { return found };
            let points: Vec<Vec3> = here.points().collect();
            tally.add((points.len() as u64).saturating_mul(TRACE));
            let apart = map.apart(&points);
            let (own, through) = (Some((points.as_slice(), apart.as_slice())), (map, &tally));
            for (other, there) in (0_u32..).zip(&views).skip(at.saturating_add(1)) {
                if !tally.add(1) {
                    break;
                }
                let Some(forth) = here.look(there, own, through) else { continue };
                let back = there.look(here, None, through).unwrap_or(NOTHING);
                match (forth, back) {
                    (NOTHING, NOTHING) => {}
                    (NOTHING, _) => found.push((other, SOMETHING, back)),
                    (_, NOTHING) => found.push((other, forth, SOMETHING)),
                    _ => found.push((other, forth, back)),
                }
            }
            tally.see(found.len().saturating_mul(2));
            if let Some(progress) = progress {
                progress.done.fetch_add(1, Relaxed);
            }
            found
        },
    );
    if work.is_over() {
        return Vec::new();
    }
    let mut rows: Vec<Vec<(u32, u8)>> = (0..views.len() as u32).map(|own| vec![(own, WHOLLY)]).collect();
    for (here, found) in (0_u32..).zip(pairs) {
        for (other, forth, back) in found {
            if let Some(row) = rows.get_mut(other as usize) {
                row.push((here, forth));
            }
            if let Some(row) = rows.get_mut(here as usize) {
                row.push((other, back));
            }
        }
    }
    rows
}
