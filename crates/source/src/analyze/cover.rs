//! The use of a spot: cover, and sniping. `docs/formats/source-analyze.md`, sections 3.2 and 3.4.

use super::map::{Map, Purpose};
use super::rules::Rules;
use super::work::{TRACE, Tally};
use crate::buf::AreaBuf;
use crate::flags::{Attributes, HidingSpotFlags};
use crate::geometry::{length, minus};

/// How far the rays for cover reach.
const RAY: f64 = 100.0;
/// How high above the eye a roof counts as cover.
const ROOF: f32 = 20.0;
/// The number of rays that have to hit something for cover.
const ENOUGH: usize = 8;

/// The number of the 16 rays around a spot that hit something, and whether there is a roof close above it.
pub(super) fn shelter([x, y, z]: [f32; 3], rules: &Rules, map: &dyn Map) -> (usize, bool) {
    let eye = [x, y, z + rules.half_human];
    let roof = !map.is_free(eye, [x, y, eye[2] + ROOF], Purpose::Cover);
    let step = (std::f64::consts::PI / 8.0) as f32;
    let angles = std::iter::successors(Some(0.0_f32), |angle| Some(angle + step));
    let hit = |angle: f32| {
        let (sin, cos) = f64::from(angle).sin_cos();
        let [dx, dy] = [(RAY * cos) as f32, (RAY * sin) as f32];
        !map.is_free(eye, [x + dx, y + dy, eye[2] + rules.half_human], Purpose::Cover)
    };
    let around = angles.take_while(|angle| f64::from(*angle) < std::f64::consts::TAU);
    (around.filter(|angle| hit(*angle)).count(), roof)
}

/// Whether a spot is in cover, as a flag.
pub(super) fn cover(spot: [f32; 3], rules: &Rules, map: &dyn Map) -> HidingSpotFlags {
    let (hits, roof) = shelter(spot, rules, map);
    if roof || hits >= ENOUGH { HidingSpotFlags::IN_COVER } else { rules.open_spot() }
}

/// Samples of an area lie on this grid.
const GRID: f32 = 25.0;
/// The distance from which on a spot suits snipers.
const FAR: f32 = 1000.0;
/// The distance from which on it is ideal, however little is visible.
const VERY_FAR: f32 = 1500.0;
/// A wide view: 200 by 200.
const WIDE: f32 = 40_000.0;
/// No area is longer than the world.
const LONGEST: f32 = 32_768.0;
const SAMPLES: usize = 1311;

/// A sniper's view from a spot, as flags. Only samples farther away than every earlier visible one count, so the result depends
/// on the order of the areas.
pub(super) fn sniping(
    [x, y, z]: [f32; 3],
    attributes: Attributes,
    areas: &[AreaBuf],
    rules: &Rules,
    (map, tally): (&dyn Map, &Tally<'_>),
) -> HidingSpotFlags {
    let eye = [x, y, z + rules.sniper_eye(attributes)];
    let mut farthest = 0.0_f32;
    let mut seen: Option<[f32; 4]> = None;
    for area in areas {
        let ([x0, y0, _], [x1, y1, _]) = (area.shape.north_west(), area.shape.south_east());
        let fits = |side: f32| side <= LONGEST;
        if !fits(x1 - x0) || !fits(y1 - y0) {
            continue;
        }
        tally.add(1);
        for y in samples(y0, y1) {
            for x in samples(x0, x1) {
                let at = [x, y, area.shape.height_at(x, y) + rules.half_human];
                let far = length(minus(at, eye));
                if !tally.add(1) {
                    return HidingSpotFlags(0);
                }
                if far.is_nan() || far <= farthest {
                    continue;
                }
                tally.add(TRACE);
                let trace = map.line(eye, at, Purpose::Sniper);
                if !trace.is_free() || trace.start_solid {
                    continue;
                }
                farthest = far;
                if far >= FAR {
                    let [w, n, e, s] = seen.unwrap_or([x, y, x, y]);
                    seen = Some([w.min(x), n.min(y), e.max(x), s.max(y)]);
                }
            }
        }
    }
    match seen {
        None => HidingSpotFlags(0),
        Some([w, n, e, s]) if (e - w) * (s - n) >= WIDE || farthest >= VERY_FAR => {
            HidingSpotFlags::IDEAL_SNIPER_SPOT
        }
        Some(_) => HidingSpotFlags::GOOD_SNIPER_SPOT,
    }
}

fn samples(low: f32, high: f32) -> impl Iterator<Item = f32> {
    let at = std::iter::successors(Some(low + 0.5 * GRID), |at| Some(at + GRID));
    // Far outside the world a step of 25 is lost to rounding.
    at.take_while(move |at| *at < high).take(SAMPLES)
}
