//! Places. No analysis assigns them; these are two ways to avoid painting them by hand. `docs/formats/source-analyze.md`, section
//! 2.6.

use super::cells::{Cells, Centers};
use super::rules::Rules;
use super::topology::Topology;
use crate::buf::{AreaBuf, SourceBuf};
use crate::geometry::{STEP, length, minus};
use navmap_core::error::{Error, Result};
use std::collections::{HashMap, VecDeque};

/// Gives every area without a place that of the named area nearest to it, counted in connections. Returns the number of areas
/// changed. Linear.
pub fn flood_places(mesh: &mut SourceBuf) -> u64 {
    let rules = Rules::for_mesh(&mesh.head);
    let mut given: Vec<u16> = mesh.areas.iter().map(|area| area.place).collect();
    let topology = Topology::new(mesh, &rules);
    let named = (0_u32..).zip(&given).filter(|(_, place)| **place != 0).map(|(area, _)| area);
    let mut queue: VecDeque<u32> = named.collect();
    let mut count = 0_u64;
    while let Some(area) = queue.pop_front() {
        let place = given.get(area as usize).copied().unwrap_or_default();
        for (_, neighbour) in topology.entries(area) {
            if let Some(slot) = given.get_mut(neighbour as usize).filter(|slot| **slot == 0) {
                *slot = place;
                count = count.saturating_add(1);
                queue.push_back(neighbour);
            }
        }
    }
    set(mesh, given);
    count
}

fn set(mesh: &mut SourceBuf, places: Vec<u16>) {
    mesh.areas.iter_mut().zip(places).for_each(|(area, place)| area.place = place);
    if mesh.head.version >= 12 {
        mesh.head.has_unnamed_areas = mesh.areas.iter().any(|area| area.place == 0).into();
    }
}

/// Grounds with a smaller difference in height are the same.
const LEVEL: f32 = 18.0;
/// An old center that is further away than this names no area.
const REACH: f32 = 300.0;
const RINGS: i32 = (REACH / Centers::CELL) as i32;
/// The most samples of an area along each axis. Larger areas are sampled more coarsely.
const SAMPLES: usize = 64;
/// Copies places from an older mesh of the same map. An area gets the place of the old areas under most of its samples, which are
/// 25 units apart and may differ by 18 in height. If there are none, it gets that of the nearest old center within 300 units.
/// Missing names are added. Returns the number of areas that got a place; the others keep their own.
///
/// # Errors
/// If the directory would have more than 65,535 places.
pub fn transfer_places(mesh: &mut SourceBuf, old: &SourceBuf) -> Result<u64> {
    let grid = Grid::new(old);
    let found: Vec<u16> = mesh.areas.iter().map(|area| grid.place(old, area)).collect();
    let mut numbers: HashMap<u16, u16> = HashMap::new();
    let mut by_name: HashMap<Vec<u8>, u16> = HashMap::new();
    let name =
        |stored: &[u8]| stored.split(|byte| *byte == 0).next().unwrap_or_default().to_ascii_lowercase();
    for (number, stored) in (1..=u16::MAX).zip(&mesh.head.places) {
        by_name.entry(name(stored)).or_insert(number);
    }
    let mut places: Vec<u16> = mesh.areas.iter().map(|area| area.place).collect();
    let mut count = 0_u64;
    for (slot, from) in places.iter_mut().zip(found).filter(|(_, from)| *from != 0) {
        let number = match numbers.get(&from) {
            Some(number) => *number,
            None => {
                let at = usize::from(from).saturating_sub(1);
                let Some(stored) = old.head.places.get(at) else { continue };
                let number = match by_name.get(&name(stored)) {
                    Some(number) => *number,
                    None => {
                        mesh.head.places.push(stored.clone());
                        let number = u16::try_from(mesh.head.places.len());
                        number.map_err(|_| Error::invalid("places", "more than 65535"))?
                    }
                };
                by_name.insert(name(stored), number);
                numbers.insert(from, number);
                number
            }
        };
        *slot = number;
        count = count.saturating_add(1);
    }
    set(mesh, places);
    Ok(count)
}

/// The named areas of an old mesh by extent, and by center.
struct Grid {
    reach: Cells,
    centers: Centers,
}

impl Grid {
    fn new(old: &SourceBuf) -> Self {
        let named = || (0_u32..).zip(&old.areas).filter(|(_, area)| area.place != 0);
        Self { reach: Cells::new(named()), centers: Centers::new(named()) }
    }

    fn place(&self, old: &SourceBuf, area: &AreaBuf) -> u16 {
        let mut votes: Vec<(u16, u32)> = Vec::new();
        let ([x0, y0, _], [x1, y1, _]) = (area.shape.north_west(), area.shape.south_east());
        for y in samples(y0, y1) {
            for x in samples(x0, x1) {
                let z = area.shape.height_at(x, y);
                let under = |other: &AreaBuf| {
                    other.shape.contains_xy(x, y) && (other.shape.height_at(x, y) - z).abs() <= LEVEL
                };
                let first = self.reach.first([x, y], |at| old.areas.get(at as usize).is_some_and(under));
                let Some(place) = first.and_then(|at| Some(old.areas.get(at as usize)?.place)) else {
                    continue;
                };
                match votes.iter_mut().find(|(other, _)| *other == place) {
                    Some((_, count)) => *count = count.saturating_add(1),
                    None => votes.push((place, 1)),
                }
            }
        }
        let most = votes.iter().map(|(_, count)| *count).max();
        let first = votes.iter().find(|(_, count)| Some(*count) == most).map(|(place, _)| *place);
        first.unwrap_or_else(|| self.nearest(old, area.shape.center()))
    }

    /// The place of the nearest center within reach; 0 for none.
    fn nearest(&self, old: &SourceBuf, center: [f32; 3]) -> u16 {
        let [i, j] = Centers::cell(center);
        let mut best = (REACH, u32::MAX, 0);
        for i in i.saturating_sub(RINGS)..=i.saturating_add(RINGS) {
            for j in j.saturating_sub(RINGS)..=j.saturating_add(RINGS) {
                for at in self.centers.get([i, j]) {
                    let Some(area) = old.areas.get(at as usize) else { continue };
                    let far = length(minus(area.shape.center(), center));
                    if far < best.0 || far == best.0 && at < best.1 {
                        best = (far, at, area.place);
                    }
                }
            }
        }
        best.2
    }
}

fn samples(low: f32, high: f32) -> impl Iterator<Item = f32> {
    let step = STEP.max((high - low) / SAMPLES as f32);
    let first = if high - low > 0.5 * STEP { low + 0.5 * step } else { 0.5 * (low + high) };
    let at = std::iter::successors(Some(first), move |at| Some(at + step));
    at.take_while(move |at| *at < high).take(SAMPLES)
}
