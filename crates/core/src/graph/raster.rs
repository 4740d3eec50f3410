//! Finds the grid cells under a polygon. Pictures and the search for ceilings use it to find what covers what.

/// The most cells visited for one grid. The file decides the number and size of polygons, so this needs a bound.
const BUDGET: f32 = 4e6;

/// A row of fewer cells needs no heap memory.
const FEW: usize = 64;

/// A grid over a rectangle (left, top, width, height) of a page or of the plan of the world.
#[doc(hidden)]
#[derive(Debug)]
pub struct Raster {
    frame: [f32; 4],
    #[doc(hidden)]
    pub cell: f32,
    columns: usize,
    rows: usize,
}

impl Raster {
    /// A grid with cells of at least this size, and large enough that visiting the cells of all polygons stays cheap.
    #[doc(hidden)]
    pub fn new<'p>(
        frame: [f32; 4],
        least: f32,
        polygons: impl Iterator<Item = &'p [[f32; 2]]> + Clone,
    ) -> Self {
        let mut cell = least;
        let cost = |cell: f32| -> f32 { polygons.clone().map(|points| cells(points, frame, cell)).sum() };
        while cost(cell) > BUDGET && cell < frame[2].max(frame[3]) {
            cell *= 2.0;
        }
        let columns = (frame[2] / cell).ceil().max(1.0) as usize;
        let rows = (frame[3] / cell).ceil().max(1.0) as usize;
        Self { frame, cell, columns, rows }
    }

    /// How many cells there are.
    #[doc(hidden)]
    pub fn len(&self) -> usize {
        self.columns * self.rows
    }

    /// Whether it has no cell.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `each` with every cell whose middle is inside the polygon, or with the single cell under the polygon's middle.
    #[doc(hidden)]
    pub fn each_cell(&self, points: &[[f32; 2]], mut each: impl FnMut(usize)) {
        let [left, top, right, bottom] = limits(points);
        let (x, y) = (self.frame[0], self.frame[1]);
        let column = |v: f32| (((v - x) / self.cell).floor().max(0.0) as usize).min(self.columns - 1);
        let row = |v: f32| (((v - y) / self.cell).floor().max(0.0) as usize).min(self.rows - 1);
        if right < x || bottom < y || left > x + self.frame[2] || top > y + self.frame[3] || points.is_empty()
        {
            return;
        }
        let mut any = false;
        let (first, last) = (column(left), column(right));
        // Where the row of a height enters and leaves the polygon. To test every corner for every cell takes the product of both.
        let (mut few, mut more) = ([false; FEW], Vec::new());
        let ends = match last - first + 2 {
            wide @ ..=FEW => &mut few[..wide],
            wide => {
                more.resize(wide, false);
                &mut more[..]
            }
        };
        let middle = |c: usize| x + (c as f32 + 0.5) * self.cell;
        for r in row(top)..=row(bottom) {
            let height = y + (r as f32 + 0.5) * self.cell;
            ends.fill(false);
            crossings(points, height, |at| {
                // The cells before this one have their middles left of the crossing.
                let guess = ((at - x) / self.cell - 0.5).ceil().max(0.0) as usize;
                let mut end = guess.clamp(first, last + 1);
                while end > first && middle(end - 1) >= at {
                    end -= 1;
                }
                while end <= last && middle(end) < at {
                    end += 1;
                }
                ends[end - first] ^= true;
            });
            let mut inside = false;
            for c in (first..=last).rev() {
                inside ^= ends[c - first + 1];
                if inside {
                    any = true;
                    each(r * self.columns + c);
                }
            }
        }
        if !any {
            let (c, r) = (column(f32::midpoint(left, right)), row(f32::midpoint(top, bottom)));
            each(r * self.columns + c);
        }
    }

    /// Calls `each` with every cell inside the frame that a box (left, top, right, bottom) touches.
    #[doc(hidden)]
    pub fn each_cell_of_box(&self, [left, top, right, bottom]: [f32; 4], mut each: impl FnMut(usize)) {
        let cell = |v: f32, from: f32, most: usize| {
            (((v - from) / self.cell).floor().max(0.0) as usize).min(most - 1)
        };
        let [x, y, ..] = self.frame;
        for row in cell(top, y, self.rows)..=cell(bottom, y, self.rows) {
            for column in cell(left, x, self.columns)..=cell(right, x, self.columns) {
                each(row * self.columns + column);
            }
        }
    }

    /// The cell under a point, if it is in the frame.
    #[doc(hidden)]
    pub fn at(&self, [x, y]: [f32; 2]) -> Option<usize> {
        let (column, row) = ((x - self.frame[0]) / self.cell, (y - self.frame[1]) / self.cell);
        let inside = column >= 0.0 && row >= 0.0 && column < self.columns as f32 && row < self.rows as f32;
        inside.then(|| row as usize * self.columns + column as usize)
    }
}

/// The bounds of the points: left, top, right, bottom.
pub(crate) fn limits(points: &[[f32; 2]]) -> [f32; 4] {
    points.iter().fold([f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY], |l, p| {
        [l[0].min(p[0]), l[1].min(p[1]), l[2].max(p[0]), l[3].max(p[1])]
    })
}

/// The number of cells of a polygon's box inside the frame.
fn cells(points: &[[f32; 2]], [x, y, w, h]: [f32; 4], cell: f32) -> f32 {
    let [left, top, right, bottom] = limits(points);
    let wide = (right.min(x + w) - left.max(x)).max(0.0);
    let high = (bottom.min(y + h) - top.max(y)).max(0.0);
    (wide / cell + 1.0) * (high / cell + 1.0)
}

/// Whether a point is inside a polygon (even-odd).
#[doc(hidden)]
pub fn inside(points: &[[f32; 2]], [x, y]: [f32; 2]) -> bool {
    let mut inside = false;
    crossings(points, y, |at| inside ^= x < at);
    inside
}

/// Calls `each` with every x at which an edge of a polygon crosses a height.
fn crossings(points: &[[f32; 2]], y: f32, mut each: impl FnMut(f32)) {
    let Some(&(mut before)) = points.last() else { return };
    for &point in points {
        if (point[1] > y) != (before[1] > y) {
            each(point[0] + (y - point[1]) / (before[1] - point[1]) * (before[0] - point[0]));
        }
        before = point;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A star with crossing edges, regular or stretched, partly outside the frame.
    fn star(corners: u32, step: u32, [x, y]: [f32; 2], [wide, high]: [f32; 2]) -> Vec<[f32; 2]> {
        let angle = |i: u32| (i * step % corners) as f32 / corners as f32 * std::f32::consts::TAU;
        (0..corners).map(|i| [x + wide * angle(i).cos(), y + high * angle(i).sin()]).collect()
    }

    /// Holds the cells of a polygon against those that it is asked for one by one. Returns how many they are.
    fn compare(points: &[[f32; 2]]) -> usize {
        let frame = [10.0, -20.0, 300.0, 200.0];
        let raster = Raster::new(frame, 4.0, std::iter::once(points));
        let mut cells = Vec::new();
        raster.each_cell(points, |cell| cells.push(cell));
        cells.sort_unstable();
        let middle = |cell: usize| {
            let (r, c) = (cell / raster.columns, cell % raster.columns);
            [frame[0] + (c as f32 + 0.5) * raster.cell, frame[1] + (r as f32 + 0.5) * raster.cell]
        };
        let asked: Vec<usize> = (0..raster.len()).filter(|cell| inside(points, middle(*cell))).collect();
        assert_eq!(cells, asked, "{points:?}");
        asked.len()
    }

    #[test]
    fn the_cells_of_a_polygon_are_those_whose_middles_are_inside() {
        for (corners, step) in [(3, 1), (4, 1), (5, 1), (17, 8), (101, 50), (1001, 500), (360, 7)] {
            for (at, size) in
                [([150.0, 60.0], [90.0, 70.0]), ([20.0, 0.0], [150.0, 9.0]), ([300.0, 170.0], [64.0, 64.0])]
            {
                assert!(compare(&star(corners, step, at, size)) > 20, "{corners} {step} {at:?}");
            }
        }
        // Corners in the middles of cells, and a slope through such middles: a middle on a side is inside on one side alone.
        let (west, east, north, south) = (12.0, 52.0, -18.0, 22.0);
        let square = [[west, north], [east, north], [east, south], [west, south]];
        assert_eq!(compare(&square), 100);
        assert_eq!(compare(&square.map(|[x, y]| [x + 0.5, y + 0.5])), 100);
        compare(&[[west, north], [east, north], [west, south]]);
        compare(&[[east, south], [east, north], [west, south]]);
    }
}
