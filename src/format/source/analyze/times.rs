//! How soon either team can be where. `docs/formats/source-analyze.md`, section 2.5.

#![forbid(unsafe_code)]

use super::run::map_all;
use super::search::{Search, Steps};
use crate::format::source::buf::AreaBuf;
use crate::format::source::geometry::distance_squared;

/// How fast a human runs, in units a second.
const SPEED: f32 = 240.0;
/// The time of an area that nobody reaches.
const NEVER: f32 = 120.0;
/// An area lies under a point if its ground is no further below than this.
const BELOW: f32 = 120.0;
const ABOVE: f32 = 5.0;

/// Where the teams of Counter-Strike begin: `info_player_terrorist` and `info_player_counterterrorist` of the map, in
/// Hammer units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spawns {
    /// Where terrorists begin.
    pub terrorists: Vec<[f32; 3]>,
    /// Where counter-terrorists begin.
    pub counter_terrorists: Vec<[f32; 3]>,
}

impl Spawns {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terrorists.is_empty() && self.counter_terrorists.is_empty()
    }
}

/// The earliest times of all areas, in seconds: terrorists, then counter-terrorists. 120 for an area that none reaches.
pub(super) fn earliest(areas: &[AreaBuf], steps: &Steps, spawns: &Spawns) -> Vec<[f32; 2]> {
    let mut times = vec![[NEVER; 2]; areas.len()];
    let points = spawns.terrorists.iter().map(|point| (0, *point));
    let points: Vec<(usize, [f32; 3])> =
        points.chain(spawns.counter_terrorists.iter().map(|point| (1, *point))).collect();
    // A few at a time, since each takes memory for the whole mesh.
    for some in points.chunks(16) {
        let all = map_all(
            some.len(),
            || Search::new(steps),
            |search, at| {
                let (_, point) = some.get(at)?;
                let from = under(areas, *point)?;
                let attributes =
                    |area: u32| areas.get(area as usize).map(|area| area.attributes).unwrap_or_default();
                Some(search.distances(*point, from, attributes))
            },
        );
        for ((team, _), far) in some.iter().zip(all) {
            for (pair, far) in times.iter_mut().zip(far.unwrap_or_default()) {
                if let Some(time) = pair.get_mut(*team) {
                    *time = time.min(far / SPEED);
                }
            }
        }
    }
    times
}

/// The area under a point, else the nearest.
fn under(areas: &[AreaBuf], point: [f32; 3]) -> Option<u32> {
    let [x, y, z] = point;
    let mut best: Option<(u32, f32)> = None;
    for (position, area) in (0_u32..).zip(areas) {
        if !area.shape.contains_xy(x, y) {
            continue;
        }
        let height = area.shape.height_at(x, y);
        let within = height <= z + ABOVE && height >= z - BELOW;
        if within && best.is_none_or(|(_, highest)| height > highest) {
            best = Some((position, height));
        }
    }
    let nearest = || {
        let far = |area: &AreaBuf| distance_squared(&area.shape, point);
        let all = (0_u32..).zip(areas.iter().map(far)).filter(|(_, far)| !far.is_nan());
        all.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(position, _)| position)
    };
    best.map(|(position, _)| position).or_else(nearest)
}
