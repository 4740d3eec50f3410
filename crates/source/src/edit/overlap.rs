//! Finds areas on top of each other. `docs/formats/source-edit.md`, section 2.9.

use super::editor::SourceEditor;
use super::geometry::{Axis, HALF_HUMAN, STEP, edges, heights};
use super::world::Slot;
use crate::record::Shape;
use navmap_core::edit::Refusal;
use std::collections::HashSet;

/// The most tests of a point against an area in a search for areas on top of each other: a base, and a number for each area of
/// the mesh.
const FEW_TESTS: u64 = 16 << 20;
const TESTS_OF_AREA: u64 = 512;

/// An area whose neighbours are looked up counts as so many.
const SOUGHT: usize = 64;

/// The most [`steps`] along a side of an area, and how far they reach.
const MOST_STEPS: u16 = 512;
const LONGEST: f32 = STEP * MOST_STEPS as f32;

impl SourceEditor {
    /// Areas on top of each other: a point 12.5 inside each cell of 25 is compared with the two triangles of others.
    ///
    /// # Errors
    /// If thousands lie over each other.
    pub(super) fn overlapping(&self) -> Result<Vec<Slot>, Refusal> {
        let mut found = HashSet::new();
        for (a, b) in self.overlaps(self.world.slots(), |_| true)? {
            found.extend([a, b]);
        }
        Ok(self.world.slots().into_iter().filter(|slot| found.contains(slot)).collect())
    }

    /// Pairs of areas on top of each other: one of the given areas, and one accepted by `among`.
    ///
    /// # Errors
    /// If thousands lie over each other.
    pub(super) fn overlaps(
        &self,
        slots: impl IntoIterator<Item = Slot>,
        among: impl Fn(Slot) -> bool,
    ) -> Result<Vec<(Slot, Slot)>, Refusal> {
        let mut found = Vec::new();
        let most = FEW_TESTS.saturating_add(TESTS_OF_AREA.saturating_mul(self.world.slot_count().into()));
        let mut tests = 0_u64;
        let mut charge = |more: usize| {
            self.world.look_at(more);
            tests = tests.saturating_add(more as u64);
            let why = || format!("tests for areas on top of each other: {tests} is over the limit of {most}");
            if tests > most { Err(Refusal::new(why())) } else { Ok(()) }
        };
        let mut column: Vec<(Slot, Shape)> = Vec::new();
        for slot in slots {
            let Some(area) = self.world.area(slot) else { continue };
            self.world.look_at(SOUGHT);
            let ([x0, x1], [y0, y1]) = (edges(&area.shape, Axis::X), edges(&area.shape, Axis::Y));
            let first = [x0 + 0.5 * STEP, y0 + 0.5 * STEP];
            let (along, across) = (steps(first[0], x1), steps(first[1], y1));
            if along.clone().next().is_none() || across.clone().next().is_none() {
                continue;
            }
            // What none of the points can lie in, such as an area beside it, is left out for all of them.
            let near = self.world.grid().within(first, [x1.min(x0 + LONGEST), y1.min(y0 + LONGEST)]);
            charge(near.len())?;
            let near = near.into_iter().filter(|other| *other != slot && among(*other));
            let near = near.filter_map(|other| Some((other, self.world.area(other)?.shape)));
            let near: Vec<(Slot, Shape)> =
                near.filter(|(_, other)| may_hold(other, first, [x1, y1])).collect();
            if near.is_empty() {
                continue;
            }
            for x in along {
                charge(near.len())?;
                column.clear();
                column.extend(near.iter().filter(|(_, other)| {
                    let [low, high] = edges(other, Axis::X);
                    low <= x && x <= high
                }));
                if column.is_empty() {
                    continue;
                }
                for y in across.clone() {
                    charge(column.len())?;
                    if let Some(other) = on_top(&column, [x, y, area.shape.height_at(x, y)])
                        && found.last() != Some(&(slot, other))
                    {
                        found.push((slot, other));
                    }
                }
            }
        }
        Ok(found)
    }
}

/// `from`, `from + 25` and so on, below `to`, but at most as many as the largest real area has. More would add nothing for an
/// area that spans the world.
pub(super) fn steps(from: f32, to: f32) -> impl Iterator<Item = f32> + Clone {
    (0..MOST_STEPS).map(move |n| from + STEP * f32::from(n)).take_while(move |at| *at < to)
}

/// The area that lies over a point, or within a step under it: the lowest of several.
fn on_top(areas: &[(Slot, Shape)], [x, y, z]: [f32; 3]) -> Option<Slot> {
    let mut best: Option<(f32, Slot)> = None;
    for (other, shape) in areas {
        let hit = on_triangles(shape, [x, y])
            .into_iter()
            .flatten()
            .filter(|height| z - 18.0 <= *height && *height <= z + HALF_HUMAN)
            .map(|height| height - (z - 18.0));
        let nearest = hit.fold(f32::INFINITY, f32::min);
        if nearest.is_finite() && best.is_none_or(|(distance, _)| nearest < distance) {
            best = Some((nearest, *other));
        }
    }
    best.map(|(_, other)| other)
}

/// Whether a point may lie in an area that is not before `first` and before `end`.
fn may_hold(shape: &Shape, first: [f32; 2], end: [f32; 2]) -> bool {
    [Axis::X, Axis::Y].into_iter().zip(first.into_iter().zip(end)).all(|(axis, (first, end))| {
        let [low, high] = edges(shape, axis);
        first <= high && low < end
    })
}

/// Heights of the two triangles of an area, NW NE SE and SE SW NW, at a point if it is on them.
fn on_triangles(shape: &Shape, [x, y]: [f32; 2]) -> [Option<f32>; 2] {
    if shape.is_degenerate() || !shape.contains_xy(x, y) {
        return [None, None];
    }
    let ([x0, x1], [y0, y1]) = (edges(shape, Axis::X), edges(shape, Axis::Y));
    let (u, v) = ((x - x0) / (x1 - x0), (y - y0) / (y1 - y0));
    let [nw, ne, se, sw] = heights(shape);
    [
        (u >= v).then_some(nw + u * (ne - nw) + v * (se - ne)),
        (u <= v).then_some(nw + v * (sw - nw) + u * (se - sw)),
    ]
}
