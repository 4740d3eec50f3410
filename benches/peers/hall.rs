//! The mesh that all are asked about: two halls of rectangles of many sizes that fit edge to edge, with holes, and no way between
//! the halls.

use navmap_testkit::bytes::Rng;

const COLUMNS: usize = 90;
const ROWS: usize = 80;
/// The column that parts the halls.
const GAP: usize = COLUMNS / 2;
/// Of a hundred cells, how many are holes.
const HOLES: u64 = 33;

const POINTS: usize = 4096;
const PAIRS: usize = 500;

/// A grid of lines at uneven distances; z up, metres.
pub(crate) struct Hall {
    /// Where the lines are, by axis.
    lines: [Vec<f32>; 2],
    /// The number of the cell at each place.
    at: Vec<Option<u32>>,
    /// Column and row of each cell.
    pub(crate) cells: Vec<[usize; 2]>,
    /// Cells that reach each other have the same number here.
    part: Vec<u32>,
}

/// Start and end.
pub(crate) type Pair = [[f32; 3]; 2];

pub(crate) struct Questions {
    /// Points a little above the mesh.
    pub(crate) points: Vec<[f32; 3]>,
    pub(crate) ways: Vec<Pair>,
    /// Pairs in two halls.
    pub(crate) cut_off: Vec<Pair>,
}

impl Hall {
    pub(crate) fn new() -> Self {
        let mut rng = Rng(30);
        let mut line = |count: usize| {
            let mut at = 0.0;
            let lines = (0..=count).map(|_| {
                at += rng.f32(1.0, 6.0);
                at
            });
            lines.collect::<Vec<f32>>()
        };
        let lines = [line(COLUMNS), line(ROWS)];
        let mut rng = Rng(31);
        let (mut at, mut cells) = (Vec::new(), Vec::new());
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let there = column != GAP && rng.below(100) >= HOLES;
                at.push(there.then_some(cells.len() as u32));
                cells.extend(there.then_some([column, row]));
            }
        }
        let mut hall = Self { lines, at, cells, part: Vec::new() };
        hall.part = hall.parts();
        hall
    }

    /// The cell at a place, which may be outside.
    fn cell(&self, [column, row]: [Option<usize>; 2]) -> Option<u32> {
        let (column, row) = (column.filter(|at| *at < COLUMNS)?, row.filter(|at| *at < ROWS)?);
        self.at[row * COLUMNS + column]
    }

    /// The cells over the sides of one, as its corners have them: south, east, north, west.
    pub(crate) fn beside(&self, [column, row]: [usize; 2]) -> [Option<u32>; 4] {
        [
            self.cell([Some(column), row.checked_sub(1)]),
            self.cell([Some(column + 1), Some(row)]),
            self.cell([Some(column), Some(row + 1)]),
            self.cell([column.checked_sub(1), Some(row)]),
        ]
    }

    fn parts(&self) -> Vec<u32> {
        let mut part = vec![u32::MAX; self.cells.len()];
        for start in 0..self.cells.len() as u32 {
            if part[start as usize] != u32::MAX {
                continue;
            }
            let mut stack = vec![start];
            while let Some(cell) = stack.pop() {
                if std::mem::replace(&mut part[cell as usize], start) != start {
                    let beside = self.beside(self.cells[cell as usize]);
                    stack.extend(beside.into_iter().flatten().filter(|to| part[*to as usize] != start));
                }
            }
        }
        part
    }

    /// The corners of the grid.
    pub(crate) fn corners(&self) -> impl Iterator<Item = [f32; 2]> + '_ {
        self.lines[1].iter().flat_map(|y| self.lines[0].iter().map(move |x| [*x, *y]))
    }

    /// The cells around each corner of the grid, counter-clockwise.
    pub(crate) fn around(&self) -> impl Iterator<Item = [Option<u32>; 4]> + '_ {
        (0..=ROWS).flat_map(move |row| {
            (0..=COLUMNS).map(move |column| {
                let ([west, south], [east, north]) =
                    ([column.checked_sub(1), row.checked_sub(1)], [Some(column), Some(row)]);
                [[east, north], [west, north], [west, south], [east, south]].map(|at| self.cell(at))
            })
        })
    }

    /// The numbers of a cell's corners, counter-clockwise.
    pub(crate) fn corners_of(&self, [column, row]: [usize; 2]) -> [usize; 4] {
        let first = row * (COLUMNS + 1) + column;
        [first, first + 1, first + COLUMNS + 2, first + COLUMNS + 1]
    }

    pub(crate) fn questions(&self) -> Questions {
        let mut rng = Rng(32);
        let mut one = |above: f32| {
            let cell = rng.below(self.cells.len() as u64) as usize;
            let mut at = |axis: usize| {
                let line = self.cells[cell][axis];
                // Not on the line, where two cells are as near.
                rng.f32(0.01, 0.99)
                    .mul_add(self.lines[axis][line + 1] - self.lines[axis][line], self.lines[axis][line])
            };
            (cell, [at(0), at(1), above])
        };
        let points = (0..POINTS).map(|_| one(0.3).1).collect();
        let (mut ways, mut cut_off) = (Vec::new(), Vec::new());
        while ways.len() < PAIRS || cut_off.len() < PAIRS {
            let ((a, from), (b, to)) = (one(0.0), one(0.0));
            let apart = (self.cells[a][0] < GAP) != (self.cells[b][0] < GAP);
            match self.part[a] == self.part[b] {
                true if ways.len() < PAIRS => ways.push([from, to]),
                false if apart && cut_off.len() < PAIRS => cut_off.push([from, to]),
                _ => {}
            }
        }
        Questions { points, ways, cut_off }
    }
}
