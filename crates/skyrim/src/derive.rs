//! Values derived from the geometry of a mesh: bounds, grid, cover list, and parts of its entry in the info map
//! (`docs/formats/skyrim.md`, sections 3.6, 4 and 5).

/// The divisor that the games use for a mesh with this number of triangles. Exact for 1,205 distinct real meshes.
///
/// ```
/// use navmap::format::skyrim::divisor_for;
/// assert_eq!([0, 16, 17, 49, 50, 500, 5_000].map(divisor_for), [1, 1, 2, 2, 3, 12, 12]);
/// ```
pub fn divisor_for(triangles: usize) -> u32 {
    if triangles <= 16 { 1 } else { (triangles / 50).saturating_add(2).min(12) as u32 }
}

/// The size of a grid cell along one axis, bit for bit as the games compute it (1,744 of 1,744 real values): the
/// product with the reciprocal, each step rounded to `f32`. 0 for a divisor of 0.
pub fn cell_size(min: f32, max: f32, divisor: u32) -> f32 {
    if divisor == 0 { 0.0 } else { (max - min) * (1.0 / divisor as f32) }
}

/// The bounds of points; `None` if there are none.
pub(super) fn bounds(points: impl IntoIterator<Item = [f32; 3]>) -> Option<([f32; 3], [f32; 3])> {
    let mut points = points.into_iter();
    let first = points.next()?;
    let lower = |a: f32, b: f32| if b < a { b } else { a };
    let upper = |a: f32, b: f32| if b > a { b } else { a };
    Some(points.fold((first, first), |(min, max), p| (each(min, p, lower), each(max, p, upper))))
}

fn each([a, b, c]: [f32; 3], [x, y, z]: [f32; 3], f: fn(f32, f32) -> f32) -> [f32; 3] {
    [f(a, x), f(b, y), f(c, z)]
}

/// The top of the bounds from version 13 on, if `top` is that of the vertices: triangles extend to their highest corner plus
/// their clearance. An unlimited clearance applies to the whole mesh (76 of 76 real meshes).
pub(super) fn top_with_heights(top: f32, triangles: impl IntoIterator<Item = ([f32; 3], f32)>) -> f32 {
    let mut highest = top;
    for ([a, b, c], height) in triangles {
        if height == f32::MAX {
            return f32::MAX;
        }
        let reach = a.max(b).max(c) + height;
        if reach > highest {
            highest = reach;
        }
    }
    highest
}

/// The mean of the vertices as the editor computes it, bit for bit (1,189 of 1,189 real entries): a running sum in `f32`,
/// then times the reciprocal of the number. 0 without vertices.
pub(super) fn center(points: impl ExactSizeIterator<Item = [f32; 3]>) -> [f32; 3] {
    let share = 1.0 / points.len() as f32;
    let mut points = points.peekable();
    if points.peek().is_none() {
        return [0.0; 3];
    }
    let sum = points.fold([0.0_f32; 3], |sum, p| each(sum, p, |a, b| a + b));
    sum.map(|sum| sum * share)
}

/// The share of preferred triangles, 0 to 1.
pub(super) fn preferred_share(preferred: usize, triangles: usize) -> f32 {
    if triangles == 0 { 0.0 } else { preferred as f32 / triangles as f32 }
}

/// The most cells per side for which lists are made. Real meshes have 12, and the work per triangle must stay bounded.
pub(super) const MOST_DIVISOR: u32 = 12;

/// The lines of a grid, and the editor's rule for assigning triangles to its cells.
///
/// The rule is measured: it reproduces the stored lists of 112,649 of 112,835 triangles of version 12 (99.84 %).
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    divisor: u32,
    axes: [Axis; 2],
    quirk: bool,
}

#[derive(Debug, Clone, Copy)]
struct Axis {
    min: f32,
    size: f32,
    last: u32,
}

impl Axis {
    /// The line before a cell.
    fn line(self, cell: u32) -> f32 {
        self.min + cell as f32 * self.size
    }

    /// The cell of a coordinate. The editor multiplies by the reciprocal. The cast saturates, and NaN becomes 0.
    fn cell(self, at: f32) -> u32 {
        (((at - self.min) * (1.0 / self.size)) as u32).min(self.last)
    }

    fn span(self, values: [f32; 3]) -> (u32, u32) {
        let cells = values.map(|value| self.cell(value));
        let [a, b, c] = cells;
        (a.min(b).min(c), a.max(b).max(c))
    }
}

impl Plan {
    /// The plan of a grid. `quirk`: test the wrong corner, like the editors of versions 12 and 15.
    pub(super) fn new(divisor: u32, min: [f32; 3], cell: [f32; 2], quirk: bool) -> Self {
        let last = divisor.saturating_sub(1);
        let [x, y, _] = min;
        let [width, height] = cell;
        let axes = [Axis { min: x, size: width, last }, Axis { min: y, size: height, last }];
        Self { divisor, axes, quirk }
    }

    /// Whether the editor that writes this version has the quirk.
    pub(super) fn has_quirk(version: u32) -> bool {
        version <= 15
    }

    /// Calls `put` with the column and row of each cell of a triangle, at least once.
    pub(super) fn cells(&self, corners: [[f32; 3]; 3], mut put: impl FnMut(u32, u32)) {
        let [along, up] = self.axes;
        if self.divisor <= 1 {
            return put(0, 0);
        }
        let flat = corners.map(|[x, y, _]| (f64::from(x), f64::from(y)));
        let [a, b, c] = flat;
        let (columns, rows) = (along.span(corners.map(|[x, ..]| x)), up.span(corners.map(|[_, y, _]| y)));
        for column in columns.0..=columns.1 {
            let west = f64::from(along.line(column));
            let east = f64::from(along.line(column.saturating_add(1)));
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            let mut reach = |y: f64| (low, high) = (low.min(y), high.max(y));
            let inside = |corner: (f64, f64)| west <= corner.0 && corner.0 <= east;
            flat.into_iter().filter(|corner| inside(*corner)).for_each(|corner| reach(corner.1));
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let (left, right) = (from.0.min(to.0), from.0.max(to.0));
                if left == right {
                    continue;
                }
                for x in [west, east] {
                    if left <= x && x <= right {
                        reach(from.1 + (x - from.0) * (to.1 - from.1) / (to.0 - from.0));
                    }
                }
            }
            if self.quirk && inside(b) {
                high = high.max(c.1);
            }
            for row in rows.0..=rows.1 {
                let south = f64::from(up.line(row));
                let north = f64::from(up.line(row.saturating_add(1)));
                if high >= south && low <= north {
                    put(column, row);
                }
            }
        }
        for [x, y, _] in corners {
            put(along.cell(x), up.cell(y));
        }
    }

    /// The lists of all cells, row by row with x fastest, each ascending.
    pub(super) fn lists(&self, triangles: impl Iterator<Item = [[f32; 3]; 3]>) -> Vec<Vec<u16>> {
        let cells = self.divisor.saturating_mul(self.divisor) as usize;
        let mut lists: Vec<Vec<u16>> = vec![Vec::new(); cells];
        for (index, corners) in (0_u16..=u16::MAX).zip(triangles) {
            self.cells(corners, |column, row| {
                let cell = row.saturating_mul(self.divisor).saturating_add(column) as usize;
                if let Some(list) = lists.get_mut(cell)
                    && list.last() != Some(&index)
                {
                    list.push(index);
                }
            });
        }
        lists
    }
}
