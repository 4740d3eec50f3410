//! Finds areas near a point: the engine's grid of 300 units.

use super::record::Shape;
use std::collections::{BTreeSet, HashMap};

/// The number by which the owner of the grid knows an area.
type Slot = u32;

const CELL: f32 = 300.0;
/// The most cells of an area; larger ones are kept separately. Those of the game span at most 36.
const MOST: i64 = 256;

/// Slots by cell.
#[derive(Debug, Default)]
pub(super) struct Grid {
    cells: HashMap<(i32, i32), Vec<Slot>>,
    large: BTreeSet<Slot>,
}

/// The cells that a rectangle overlaps. `None` if they are too many, or if a coordinate is not finite.
fn span(shape: &Shape) -> Option<[(i32, i32); 2]> {
    let (nw, se) = (shape.north_west(), shape.south_east());
    let [x0, y0, ..] = nw;
    let [x1, y1, ..] = se;
    if ![x0, y0, x1, y1].iter().all(|value| value.is_finite()) {
        return None;
    }
    let low = cell(x0.min(x1), y0.min(y1));
    let high = cell(x0.max(x1), y0.max(y1));
    let sides = [i64::from(high.0).abs_diff(low.0.into()), i64::from(high.1).abs_diff(low.1.into())];
    let count = sides.iter().fold(1_u64, |product, side| product.saturating_mul(side.saturating_add(1)));
    (count <= MOST as u64).then_some([low, high])
}

/// Saturates, so that a point beyond the grid falls into its outermost cell.
fn cell(x: f32, y: f32) -> (i32, i32) {
    ((x / CELL).floor() as i32, (y / CELL).floor() as i32)
}

impl Grid {
    pub(super) fn insert(&mut self, slot: Slot, shape: &Shape) {
        match span(shape) {
            None => _ = self.large.insert(slot),
            Some(span) => each(span, |cell| self.cells.entry(cell).or_default().push(slot)),
        }
    }

    pub(super) fn remove(&mut self, slot: Slot, shape: &Shape) {
        match span(shape) {
            None => _ = self.large.remove(&slot),
            Some(span) => each(span, |cell| {
                if let Some(slots) = self.cells.get_mut(&cell)
                    && let Some(at) = slots.iter().position(|other| *other == slot)
                {
                    slots.swap_remove(at);
                }
            }),
        }
    }

    /// Moves an area from one rectangle to another. A change of only heights moves nothing.
    pub(super) fn change(&mut self, slot: Slot, from: &Shape, to: &Shape) {
        if span(from) != span(to) {
            self.remove(slot, from);
            self.insert(slot, to);
        }
    }

    /// Every area that may lie within `reach` of a point, in mesh order, each once.
    pub(super) fn near(&self, [x, y]: [f32; 2], reach: f32) -> Vec<Slot> {
        self.within([x - reach, y - reach], [x + reach, y + reach])
    }

    /// Every area that may touch a rectangle, in mesh order, each once.
    pub(super) fn within(&self, [x0, y0]: [f32; 2], [x1, y1]: [f32; 2]) -> Vec<Slot> {
        let mut found: Vec<Slot> = self.large.iter().copied().collect();
        let (low, high) = (cell(x0, y0), cell(x1, y1));
        let sides = [i64::from(high.0).abs_diff(low.0.into()), i64::from(high.1).abs_diff(low.1.into())];
        let [wide, deep] = sides.map(|side| side.saturating_add(1));
        if wide.saturating_mul(deep) > self.cells.len() as u64 {
            let within =
                |(cx, cy): &(i32, i32)| (low.0..=high.0).contains(cx) && (low.1..=high.1).contains(cy);
            found.extend(self.cells.iter().filter(|(cell, _)| within(cell)).flat_map(|(_, slots)| slots));
        } else {
            each([low, high], |cell| found.extend(self.cells.get(&cell).into_iter().flatten()));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn each([low, high]: [(i32, i32); 2], mut visit: impl FnMut((i32, i32))) {
    for x in low.0..=high.0 {
        for y in low.1..=high.1 {
            visit((x, y));
        }
    }
}
