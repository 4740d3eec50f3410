//! Areas by place, seen from above.

use crate::buf::AreaBuf;
use std::collections::HashMap;

/// The sides of cells. Most areas of games need only the first.
const SIDES: [f32; 4] = [1e2, 1e3, 1e4, 1e5];
/// How many times as long as a cell an area may be along each axis.
const SPAN: f32 = 10.0;
/// The most areas with a side that no grid has cells for. They are searched for every point.
const MOST_LARGE: usize = 256;
/// The most areas per cell. A pile of areas at one place would make each point search all of them.
const SHARED: usize = 128;
/// How far the ground of an area may be above and below a point on it.
const ABOVE: f32 = 5.0;
const BELOW: f32 = 120.0;

/// Areas by the cells that they overlap. Each has few cells, however long or thin it is.
#[derive(Debug, Default)]
pub(super) struct Cells {
    grids: Vec<Grid>,
    large: Vec<u32>,
}

#[derive(Debug)]
struct Grid {
    sides: [f32; 2],
    cells: HashMap<[i32; 2], Vec<u32>>,
}

impl Cells {
    /// The cells of areas, by their rectangles.
    pub(super) fn new<'m>(areas: impl Iterator<Item = (u32, &'m AreaBuf)>) -> Self {
        let mut cells = Self::default();
        for (position, area) in areas {
            let ([x0, y0, _], [x1, y1, _]) = (area.shape.north_west(), area.shape.south_east());
            // No point is on such an area.
            if !(x0 <= x1 && y0 <= y1) {
                continue;
            }
            let side = |long: f32| SIDES.into_iter().find(|side| long <= SPAN * side);
            let Some(sides) = side(x1 - x0).zip(side(y1 - y0)).map(<[f32; 2]>::from) else {
                if cells.large.len() < MOST_LARGE {
                    cells.large.push(position);
                }
                continue;
            };
            cells.put(sides, [[x0, y0], [x1, y1]].map(|corner| cell(corner, sides)), position);
        }
        cells
    }

    /// Adds an area to the cells of a grid from one to another.
    fn put(&mut self, sides: [f32; 2], [[left, top], [right, bottom]]: [[i32; 2]; 2], position: u32) {
        if self.grids.iter().all(|grid| grid.sides != sides) {
            self.grids.push(Grid { sides, cells: HashMap::new() });
        }
        for grid in self.grids.iter_mut().filter(|grid| grid.sides == sides) {
            for i in left..=right {
                for j in top..=bottom {
                    add(&mut grid.cells, [i, j], position);
                }
            }
        }
    }

    /// The areas that may be at a point, each list in mesh order.
    fn lists(&self, point: [f32; 2]) -> impl Iterator<Item = &Vec<u32>> {
        let grids = self.grids.iter();
        grids.filter_map(move |grid| grid.cells.get(&cell(point, grid.sides))).chain([&self.large])
    }

    /// The areas that may be at a point.
    pub(super) fn at(&self, point: [f32; 2]) -> impl Iterator<Item = u32> {
        self.lists(point).flatten().copied()
    }

    /// Of the areas that may be at a point, the first in the mesh that fits.
    pub(super) fn first(&self, point: [f32; 2], fits: impl Fn(u32) -> bool) -> Option<u32> {
        self.lists(point).filter_map(|list| list.iter().copied().find(|area| fits(*area))).min()
    }

    /// Of the areas whose ground is at a point, the one with the highest ground, and of several the first.
    pub(super) fn ground(&self, areas: &[AreaBuf], [x, y, z]: [f32; 3]) -> Option<u32> {
        let mut best: Option<(u32, f32)> = None;
        for at in self.at([x, y]) {
            let Some(area) = areas.get(at as usize).filter(|area| area.shape.contains_xy(x, y)) else {
                continue;
            };
            let height = area.shape.height_at(x, y);
            let better = |(first, highest)| height > highest || height == highest && at < first;
            if height <= z + ABOVE && height >= z - BELOW && best.is_none_or(better) {
                best = Some((at, height));
            }
        }
        best.map(|(at, _)| at)
    }
}

/// The centers of areas by their cells.
#[derive(Debug)]
pub(super) struct Centers(HashMap<[i32; 2], Vec<u32>>);

impl Centers {
    /// A side of a cell.
    pub(super) const CELL: f32 = 100.0;

    pub(super) fn new<'m>(areas: impl Iterator<Item = (u32, &'m AreaBuf)>) -> Self {
        let mut cells = HashMap::new();
        for (position, area) in areas {
            add(&mut cells, Self::cell(area.shape.center()), position);
        }
        Self(cells)
    }

    /// The cell of a point.
    pub(super) fn cell([x, y, _]: [f32; 3]) -> [i32; 2] {
        cell([x, y], [Self::CELL; 2])
    }

    /// The areas whose centers are in a cell.
    pub(super) fn get(&self, cell: [i32; 2]) -> impl Iterator<Item = u32> {
        self.0.get(&cell).into_iter().flatten().copied()
    }
}

fn add(cells: &mut HashMap<[i32; 2], Vec<u32>>, cell: [i32; 2], position: u32) {
    let areas = cells.entry(cell).or_default();
    if areas.len() < SHARED {
        areas.push(position);
    }
}

fn cell([x, y]: [f32; 2], [wide, deep]: [f32; 2]) -> [i32; 2] {
    [(x / wide).floor() as i32, (y / deep).floor() as i32]
}
