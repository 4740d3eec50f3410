//! Looks at the ground of areas, cell by cell: at what lies on top of each other, and at corners that stick out.
//! `docs/formats/source-edit.md`, section 2.9.

use super::editor::SourceEditor;
use super::geometry::{Axis, HALF_HUMAN, STEP, edges, heights};
use super::world::{Slot, World};
use crate::record::Shape;
use navmap_core::edit::Refusal;
use std::collections::HashSet;

/// The most tests of a search: a base, and a number for each area of the mesh.
const FEW_TESTS: u64 = 16 << 20;
const TESTS_OF_AREA: u64 = 512;

/// An area whose neighbours are looked up counts as so many.
const SOUGHT: usize = 64;

/// The most [`steps`] along a side of an area, and how far they reach.
const MOST_STEPS: u16 = 512;
const LONGEST: f32 = STEP * MOST_STEPS as f32;

/// Counts what a search tests.
struct Tests<'w> {
    world: &'w World,
    /// What they are called where they are too many.
    what: &'static str,
    done: u64,
    most: u64,
}

impl<'w> Tests<'w> {
    fn new(world: &'w World, what: &'static str) -> Self {
        let most = FEW_TESTS.saturating_add(TESTS_OF_AREA.saturating_mul(world.slot_count().into()));
        Self { world, what, done: 0, most }
    }

    fn charge(&mut self, more: usize) -> Result<(), Refusal> {
        self.world.look_at(more);
        self.done = self.done.saturating_add(more as u64);
        if self.done <= self.most {
            return Ok(());
        }
        let Self { what, done, most, .. } = self;
        Err(Refusal::new(format!("{what}: {done} is over the limit of {most}")))
    }
}

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
        let mut tests = Tests::new(&self.world, "tests for areas on top of each other");
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
            tests.charge(near.len())?;
            let near = near.into_iter().filter(|other| *other != slot && among(*other));
            let near = near.filter_map(|other| Some((other, self.world.area(other)?.shape)));
            let near: Vec<(Slot, Shape)> =
                near.filter(|(_, other)| may_hold(other, first, [x1, y1])).collect();
            if near.is_empty() {
                continue;
            }
            for x in along {
                tests.charge(near.len())?;
                column.clear();
                column.extend(near.iter().filter(|(_, other)| {
                    let [low, high] = edges(other, Axis::X);
                    low <= x && x <= high
                }));
                if column.is_empty() {
                    continue;
                }
                for y in across.clone() {
                    tests.charge(column.len())?;
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

    /// The areas in which one corner of a cell of 25 is more than 18 off the other three, which agree within 9, in mesh order.
    ///
    /// # Errors
    /// If areas are too many and too large to look at all of their cells.
    pub(super) fn invalid(&self) -> Result<Vec<Slot>, Refusal> {
        let mut tests = Tests::new(&self.world, "cells tested for a bad corner");
        let mut found = Vec::new();
        for (slot, area) in self.world.areas() {
            if has_bad_corner(&area.shape, &mut tests)? {
                found.push(slot);
            }
        }
        Ok(found)
    }
}

fn has_bad_corner(shape: &Shape, tests: &mut Tests<'_>) -> Result<bool, Refusal> {
    let ([x0, x1], [y0, y1]) = (edges(shape, Axis::X), edges(shape, Axis::Y));
    let ends = |from, to: f32| steps(from, to - STEP + 1.0 / 1024.0);
    let cells = ends(y0, y1).count();
    tests.charge(1)?;
    for x in ends(x0, x1) {
        tests.charge(cells)?;
        let is_bad = ends(y0, y1).any(|y| {
            let z = [(x, y), (x + STEP, y), (x + STEP, y + STEP), (x, y + STEP)]
                .map(|(x, y)| shape.height_at(x, y));
            (0..4).any(|bad| {
                let others = || z.iter().enumerate().filter(|(corner, _)| *corner != bad).map(|(_, z)| *z);
                let (low, high) =
                    others().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), z| (l.min(z), h.max(z)));
                let own = z.get(bad).copied().unwrap_or(0.0);
                high - low <= 9.0 && others().any(|other| (own - other).abs() > 18.0)
            })
        });
        if is_bad {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `from`, `from + 25` and so on, below `to`, but at most as many as the largest real area has. More would add nothing for an
/// area that spans the world.
fn steps(from: f32, to: f32) -> impl Iterator<Item = f32> + Clone {
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
