//! Encounter paths: the paths through an area, and the hiding spots along them. `docs/formats/source-analyze.md`, sections 2.2
//! and 3.3.

use super::map::{Map, Purpose};
use super::rules::Rules;
use super::topology::Topology;
use super::work::{PATHS, TRACE, Tally};
use crate::buf::AreaBuf;
use crate::encounters::EncounterList;
use crate::flags::Direction;
use crate::geometry::{Axis, edges, length, minus};
use crate::record::{AreaId, EncounterSpot, HidingSpotId};
use navmap_core::Limits;
use navmap_core::error::Result;
use std::collections::HashMap;

/// A path through an area: source and target, each with the side.
pub(super) type Way = ((AreaId, Direction), (AreaId, Direction));

/// The most paths per connection of a mesh, and those of a small one. Real meshes have 14 for each at most.
const PATHS_PER_LINK: u64 = 20;
const FEW_PATHS: u64 = 1 << 17;

/// The paths through an area, in the game's order: each connection with each other one.
pub(super) fn ways(topology: &Topology<'_>, area: u32) -> Vec<Way> {
    let entry = |(side, to): (Direction, u32)| Some((topology.area(to)?.id, side));
    let entries: Vec<(AreaId, Direction)> = topology.entries(area).filter_map(entry).collect();
    let mut ways = Vec::with_capacity(entries.len().saturating_mul(entries.len().saturating_sub(1)));
    for (i, from) in entries.iter().enumerate() {
        for (j, to) in entries.iter().enumerate() {
            if i != j {
                ways.push((*from, *to));
            }
        }
    }
    ways
}

/// Refuses a mesh whose number of paths would be out of proportion: an area with a hundred thousand connections has ten thousand
/// million of them.
///
/// # Errors
/// [`ErrorKind::Limit`](navmap_core::ErrorKind::Limit) with both numbers.
pub(super) fn charge(topology: &Topology<'_>) -> Result<()> {
    let (mut paths, mut links) = (0_u64, 0_u64);
    for area in 0..topology.count() {
        let degree = topology.degree(area) as u64;
        links = links.saturating_add(degree);
        paths = paths.saturating_add(degree.saturating_mul(degree.saturating_sub(1)));
    }
    let allowed = links.saturating_mul(PATHS_PER_LINK).saturating_add(FEW_PATHS);
    Limits::charge(PATHS, paths, allowed)
}

/// The paths of an area with the spots from an older list, by their new ids. Adds the spots without a new id to `lost`, and the
/// paths missing from the older list to `bare`.
pub(super) fn renewed(
    ways: &[Way],
    old: &EncounterList,
    renamed: impl Fn(HidingSpotId) -> Option<HidingSpotId>,
    lost: &mut u64,
    bare: &mut u64,
) -> Result<EncounterList> {
    let mut before: HashMap<Way, &[EncounterSpot]> = HashMap::with_capacity(old.len());
    for path in old.iter() {
        if let (Some(from), Some(to)) = (path.from_direction(), path.to_direction()) {
            before.entry(((path.from(), from), (path.to(), to))).or_insert(path.spots());
        }
    }
    let mut list = EncounterList::default();
    let mut spots = Vec::new();
    for (from, to) in ways {
        spots.clear();
        match before.remove(&(*from, *to)) {
            Some(stored) => {
                let new =
                    |spot: &EncounterSpot| Some(EncounterSpot::new(renamed(spot.spot())?, spot.t_stored()));
                spots.extend(stored.iter().filter_map(new));
                *lost = lost.saturating_add(stored.len().saturating_sub(spots.len()) as u64);
            }
            None => *bare = bare.saturating_add(1),
        }
        list.push(*from, *to, &spots)?;
    }
    list.shrink();
    *lost = before.values().fold(*lost, |sum, spots| sum.saturating_add(spots.len() as u64));
    Ok(list)
}

/// The farthest visible spot.
const SIGHT: f32 = 2000.0;
/// The distance between steps along a path.
const STEP: f32 = 25.0;
/// Spots farther ahead or behind than this cosine are skipped.
#[allow(clippy::approx_constant)] // the game's own number
const ASIDE: f32 = 0.7071;
/// No path of a real map is longer than the world.
const WORLD: f32 = 131_072.0;

/// A spot in cover: its id and place.
pub(super) type CoverSpot = (HidingSpotId, [f32; 3]);

/// The spots along a path through an area that the map does not hide.
pub(super) fn passed(
    topology: &Topology<'_>,
    area: &AreaBuf,
    (from, to): Way,
    cover: &[CoverSpot],
    rules: &Rules,
    (map, tally): (&dyn Map, &Tally<'_>),
) -> Vec<EncounterSpot> {
    let end = |(id, side): (AreaId, Direction)| {
        let other = topology.area(topology.position(id)?)?;
        let [x, y] = portal(area, other, side);
        Some([x, y, other.shape.height_at(x, y) + rules.encounter_eye])
    };
    let (Some(start), Some(goal)) = (end(from), end(to)) else { return Vec::new() };
    let way = minus(goal, start);
    let whole = length(way);
    if whole.is_nan() || whole > WORLD {
        return Vec::new();
    }
    let unit = way.map(|part| part / if rules.gold { whole } else { whole + f32::EPSILON });
    tally.add(cover.len() as u64);
    let mut left: Vec<&CoverSpot> =
        cover.iter().filter(|(_, at)| length(minus(*at, start)) <= SIGHT + whole + 100.0).collect();
    let mut found = Vec::new();
    let mut along = 0.0;
    loop {
        let last = along >= whole || !tally.add((left.len() as u64).saturating_add(1));
        along = if last { whole } else { along };
        let eye = moved(start, unit, along);
        left.retain(|(id, [x, y, z])| {
            let delta = minus([*x, *y, *z + rules.encounter_eye], eye);
            let far = length(delta);
            if far > SIGHT {
                return true;
            }
            tally.add(TRACE);
            if !map.is_free(eye, [*x, *y, *z + rules.half_human], Purpose::Encounter) {
                return true;
            }
            let ahead = dot(unit, delta) / far;
            if -ASIDE < ahead && ahead < ASIDE && along > 0.0 && found.len() < 255 {
                found.push(EncounterSpot::new(*id, (255.0 * (along / whole)) as u8));
            }
            false
        });
        if last {
            return found;
        }
        along += STEP;
    }
}

fn dot([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> f32 {
    ax * bx + ay * by + az * bz
}

fn moved([x, y, z]: [f32; 3], [dx, dy, dz]: [f32; 3], far: f32) -> [f32; 3] {
    [x + dx * far, y + dy * far, z + dz * far]
}

/// The middle of the portal from an area to another over a side.
pub(super) fn portal(area: &AreaBuf, other: &AreaBuf, side: Direction) -> [f32; 2] {
    let axis = Axis::along(side);
    let ([low, high], [other_low, other_high]) = (edges(&area.shape, axis), edges(&other.shape, axis));
    let clamp = |value: f32| value.max(low).min(high);
    let middle = 0.5 * (clamp(low.max(other_low)) + clamp(high.min(other_high)));
    let ([west, north, _], [east, south, _]) = (area.shape.north_west(), area.shape.south_east());
    match side {
        Direction::North => [middle, north],
        Direction::East => [east, middle],
        Direction::South => [middle, south],
        Direction::West => [west, middle],
    }
}
