//! Areas by place, seen from above.

use crate::buf::AreaBuf;
use std::collections::HashMap;

/// A side of a cell.
pub(super) const CELL: f32 = 100.0;
/// An area with a longer side is in a separate list, which is searched for every point.
const LARGE: f32 = 1000.0;
const MOST_LARGE: usize = 256;
/// The most areas per cell. A pile of areas at one place would make each point search all of them.
const SHARED: usize = 128;

/// The areas that overlap each square of 100 by 100 units.
#[derive(Debug, Default)]
pub(super) struct Cells {
    cells: HashMap<[i32; 2], Vec<u32>>,
    large: Vec<u32>,
}

impl Cells {
    /// The cells of areas, by their rectangles.
    pub(super) fn new<'m>(areas: impl Iterator<Item = (u32, &'m AreaBuf)>) -> Self {
        let mut cells = Self::default();
        for (position, area) in areas {
            let ([x0, y0, _], [x1, y1, _]) = (area.shape.north_west(), area.shape.south_east());
            let fits = |side: f32| side <= LARGE;
            if !fits(x1 - x0) || !fits(y1 - y0) {
                if cells.large.len() < MOST_LARGE {
                    cells.large.push(position);
                }
                continue;
            }
            let ([left, top], [right, bottom]) = (cell([x0, y0]), cell([x1, y1]));
            for i in left..=right {
                for j in top..=bottom {
                    cells.add([i, j], position);
                }
            }
        }
        cells
    }

    /// The cells of areas, by their centers alone.
    pub(super) fn of_centers<'m>(areas: impl Iterator<Item = (u32, &'m AreaBuf)>) -> Self {
        let mut cells = Self::default();
        for (position, area) in areas {
            let [x, y, _] = area.shape.center();
            cells.add(cell([x, y]), position);
        }
        cells
    }

    fn add(&mut self, cell: [i32; 2], position: u32) {
        let areas = self.cells.entry(cell).or_default();
        if areas.len() < SHARED {
            areas.push(position);
        }
    }

    /// The areas of one cell, and the large ones.
    pub(super) fn get(&self, cell: [i32; 2]) -> impl Iterator<Item = u32> + '_ {
        self.cells.get(&cell).into_iter().flatten().chain(&self.large).copied()
    }
}

/// The cell of a point.
pub(super) fn cell([x, y]: [f32; 2]) -> [i32; 2] {
    [(x / CELL).floor() as i32, (y / CELL).floor() as i32]
}
