//! The earliest time of either team in each area. `docs/formats/source-analyze.md`, section 2.5.

use super::cells::Cells;
use super::search::{Search, Steps, Way};
use super::work::Work;
use crate::buf::AreaBuf;
use crate::each::map_all;
use crate::geometry::{distance_squared, length, minus};

/// How fast a human runs, in units a second.
const SPEED: f32 = 240.0;
/// The time of an unreachable area.
const NEVER: f32 = 120.0;
/// The highest step that a human climbs without jumping.
const STEP_UP: f32 = 18.0;

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

/// The earliest times of all areas, in seconds: terrorists, then counter-terrorists. 120 for an unreachable area.
///
/// The game does not search a path to an area, but to its center, and accepts any area whose ground is at most a step above that
/// point. So an area a floor below may count, and an area whose surface is far from the mean of its corners may not.
pub(super) fn earliest(areas: &[AreaBuf], steps: &Steps, spawns: &Spawns, work: &Work) -> Vec<[f32; 2]> {
    let cells = Cells::new((0_u32..).zip(areas));
    let ends = ends(areas, &cells);
    let mut times = vec![[NEVER; 2]; areas.len()];
    let of_point =
        ends.iter().fold(0_u64, |sum, ends| sum.saturating_add(ends.len() as u64).saturating_add(2));
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
                let tally = work.tally();
                if !tally.add(of_point) || tally.is_over() {
                    return None;
                }
                let from = under(areas, &cells, *point)?;
                let attributes =
                    |area: u32| areas.get(area as usize).map(|area| area.attributes).unwrap_or_default();
                Some((from, search.spread(from, attributes, &tally)))
            },
        );
        for ((team, point), reached) in some.iter().zip(all) {
            let Some((from, ways)) = reached else { continue };
            for ((area, pair), ends) in (0_u32..).zip(&mut times).zip(&ends) {
                if let (Some(time), Some(far)) =
                    (pair.get_mut(*team), run(*point, from, area, ends, &ways, steps))
                {
                    *time = time.min(far / SPEED);
                }
            }
        }
    }
    times
}

/// For each area, those at which a path to its center may end.
fn ends(areas: &[AreaBuf], cells: &Cells) -> Vec<Vec<u32>> {
    map_all(
        areas.len(),
        || (),
        |(), at| {
            let Some([x, y, z]) = areas.get(at).map(|area| area.shape.center()) else { return Vec::new() };
            let mut ends: Vec<u32> = cells.at([x, y]).collect();
            ends.retain(|end| {
                let area = areas.get(*end as usize);
                area.is_some_and(|area| {
                    area.shape.contains_xy(x, y) && area.shape.height_at(x, y) - STEP_UP <= z
                })
            });
            // Of equal ends the first counts.
            ends.sort_unstable();
            ends
        },
    )
}

/// The running distance from a point to the center of an area. `None` if there is no path.
fn run(point: [f32; 3], from: u32, area: u32, ends: &[u32], ways: &[Way], steps: &Steps) -> Option<f32> {
    let goal = steps.center(area);
    let way = |end: &u32| {
        let way = ways.get(*end as usize).filter(|way| way.cost.is_finite())?;
        Some((way.cost + length(minus(steps.center(*end), goal)), *end, way.parent))
    };
    let (_, end, parent) = ends.iter().filter_map(way).min_by(|a, b| a.0.total_cmp(&b.0))?;
    if end == from {
        return Some(length(minus(point, goal)));
    }
    let before = ways.get(parent as usize)?.length;
    Some(length(minus(point, steps.center(from))) + before + length(minus(goal, steps.center(parent))))
}

/// The area under a point, else the nearest.
fn under(areas: &[AreaBuf], cells: &Cells, point: [f32; 3]) -> Option<u32> {
    let nearest = || {
        let far = |area: &AreaBuf| distance_squared(&area.shape, point);
        let all = (0_u32..).zip(areas.iter().map(far)).filter(|(_, far)| !far.is_nan());
        all.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(position, _)| position)
    };
    cells.ground(areas, point).or_else(nearest)
}
