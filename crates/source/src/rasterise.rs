//! Approximates triangles by rectangles: samples them on a grid, and merges cells of one slope.

use super::record::Shape;
use navmap_core::error::{Error, Result};
use std::collections::BTreeMap;

/// Most cells that triangles are laid on.
const MOST_CELLS: usize = 1 << 22;
/// Most layers over one another.
const MOST_LAYERS: usize = 256;
/// Most cells along a side of a rectangle, as in the areas that the games generate.
const MOST_ALONG: i64 = 50;
/// How far a cell may be off the slope of its rectangle, in units.
const OFF: f64 = 4.0;

/// The plane that a triangle lies in: height at the origin, and slopes along x and y.
#[derive(Clone, Copy)]
struct Plane([f64; 3]);

impl Plane {
    fn through([a, b, c]: [[f64; 3]; 3]) -> Option<Self> {
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (a, b, c);
        let (ux, uy, uz) = (bx - ax, by - ay, bz - az);
        let (vx, vy, vz) = (cx - ax, cy - ay, cz - az);
        let area = ux * vy - uy * vx;
        let (sx, sy) = ((uz * vy - uy * vz) / area, (ux * vz - uz * vx) / area);
        let own = [az - sx * ax - sy * ay, sx, sy];
        own.iter().all(|v| v.is_finite()).then_some(Self(own))
    }

    fn at(&self, x: f64, y: f64) -> f64 {
        let Self([z, sx, sy]) = self;
        z + sx * x + sy * y
    }
}

/// A cell whose middle a triangle covers, or several cells of one slope.
#[derive(Clone, Copy)]
struct Patch {
    /// The first cell, and the end, along x and y.
    low: [i64; 2],
    high: [i64; 2],
    plane: Plane,
    line: u32,
    material: u32,
}

/// A rectangle, with the line and the material of its face.
pub(super) struct Made {
    pub(super) line: u32,
    pub(super) shape: Shape,
    pub(super) low: [f32; 2],
    pub(super) high: [f32; 2],
    pub(super) material: u32,
}

/// A triangle that covers cells.
struct Triangle {
    plane: Plane,
    line: u32,
    material: u32,
}

/// A cell whose middle a triangle covers. In order they are by row and column, and where they are one cell as they were added. 12 bytes,
/// since a small file has millions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    row: i32,
    column: i32,
    triangle: u32,
}

/// Triangles on a grid.
pub(super) struct Grid {
    side: f64,
    triangles: Vec<Triangle>,
    cells: Vec<Cell>,
    count: usize,
    /// The least distance between two layers.
    step: f64,
}

impl Grid {
    pub(super) fn new(side: f64, step: f64) -> Result<Self> {
        if !(side.is_finite() && side > 0.0) {
            return Err(Error::invalid("--rasterise", format!("{side} units, it has to be more than 0")));
        }
        Ok(Self { side, triangles: Vec::new(), cells: Vec::new(), count: 0, step })
    }

    /// Adds a triangle to the cells whose middle it covers. One without area seen from above covers none.
    pub(super) fn add(&mut self, corners: [[f64; 3]; 3], line: u32, material: u32) -> Result<()> {
        let Some(plane) = Plane::through(corners) else { return Ok(()) };
        let [a, b, c] = corners.map(|[x, y, _]| [x, y]);
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in [a, b, c] {
            for ((low, high), v) in low.iter_mut().zip(&mut high).zip(corner) {
                (*low, *high) = (low.min(v), high.max(v));
            }
        }
        let full = || {
            let why = format!("more than {MOST_CELLS} cells of {} units: raise --rasterise", self.side);
            Error::invalid("mesh", why)
        };
        let [x0, y0] = low.map(|v| (v / self.side).floor());
        let [x1, y1] = high.map(|v| (v / self.side).ceil());
        let cells = (x1 - x0).max(1.0) * (y1 - y0).max(1.0);
        if cells.is_nan() || cells >= MOST_CELLS as f64 || [x0, y0, x1, y1].iter().any(|v| v.abs() > 1e9) {
            return Err(full());
        }
        self.count = self.count.saturating_add(cells as usize);
        if self.count > MOST_CELLS {
            return Err(full());
        }
        let triangle = u32::try_from(self.triangles.len()).map_err(|_| full())?;
        self.triangles.push(Triangle { plane, line, material });
        for row in y0 as i32..y1 as i32 {
            for column in x0 as i32..x1 as i32 {
                let [x, y] = self.middle([column, row]);
                let side =
                    |[px, py]: [f64; 2], [qx, qy]: [f64; 2]| (qx - px) * (y - py) - (qy - py) * (x - px);
                let sides = [side(a, b), side(b, c), side(c, a)];
                if sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0) {
                    self.cells.push(Cell { row, column, triangle });
                }
            }
        }
        Ok(())
    }

    fn middle(&self, cell: [i32; 2]) -> [f64; 2] {
        cell.map(|at| (f64::from(at) + 0.5) * self.side)
    }

    /// The layers of one cell: of triangles nearer to each other than a step the first.
    fn layers(&self, cells: &[Cell], layers: &mut Vec<Patch>) -> Result<()> {
        layers.clear();
        for Cell { row, column, triangle } in cells {
            let Some(Triangle { plane, line, material }) = self.triangles.get(*triangle as usize) else {
                continue;
            };
            let [x, y] = self.middle([*column, *row]);
            let z = plane.at(x, y);
            if layers.iter().any(|other| (other.plane.at(x, y) - z).abs() < self.step) {
                continue;
            }
            if layers.len() >= MOST_LAYERS {
                let why = format!("more than {MOST_LAYERS} layers over one another at {x},{y}");
                return Err(Error::invalid("mesh", why));
            }
            let low = [i64::from(*column), i64::from(*row)];
            let high = low.map(|at| at.saturating_add(1));
            layers.push(Patch { low, high, plane: *plane, line: *line, material: *material });
        }
        Ok(())
    }

    /// Whether two patches are on the slope of the first, so that they may be merged.
    fn fits(&self, one: &Patch, other: &Patch) -> bool {
        let corners = [other.low, [other.low[0], other.high[1]], [other.high[0], other.low[1]], other.high];
        one.material == other.material
            && corners.iter().all(|corner| {
                let [x, y] = corner.map(|at| at as f64 * self.side);
                (one.plane.at(x, y) - other.plane.at(x, y)).abs() <= OFF
            })
    }

    /// The rectangles: cells of a row merged, then equal rows, in the order of their faces.
    ///
    /// # Errors
    /// If too many layers lie over one another.
    pub(super) fn rectangles(mut self) -> Result<Vec<Made>> {
        let mut cells = std::mem::take(&mut self.cells);
        cells.sort_unstable();
        let mut layers = Vec::new();
        let mut open: Vec<Patch> = Vec::new();
        let mut runs: BTreeMap<i64, Vec<Patch>> = BTreeMap::new();
        let mut row = i64::MIN;
        let along = |patch: &Patch, axis: usize| {
            let [low, high] = [patch.low, patch.high].map(|ends| ends.get(axis).copied().unwrap_or(0));
            high.saturating_sub(low)
        };
        for of_cell in cells.chunk_by(|a, b| (a.row, a.column) == (b.row, b.column)) {
            self.layers(of_cell, &mut layers)?;
            let Some([column, at]) = layers.first().map(|patch| patch.low) else { continue };
            if at != row {
                runs.entry(row).or_default().append(&mut open);
                row = at;
            }
            let mut next = Vec::with_capacity(layers.len());
            for cell in &layers {
                let joins =
                    |run: &Patch| run.high[0] == column && along(run, 0) < MOST_ALONG && self.fits(run, cell);
                match open.iter().position(joins) {
                    Some(index) => {
                        let mut run = open.swap_remove(index);
                        run.high[0] = run.high[0].saturating_add(1);
                        next.push(run);
                    }
                    None => next.push(*cell),
                }
            }
            runs.entry(row).or_default().append(&mut open);
            open = next;
        }
        runs.entry(row).or_default().append(&mut open);
        // Runs of the previous row that may continue, by start and end.
        let mut before: BTreeMap<[i64; 2], Vec<Patch>> = BTreeMap::new();
        let mut last = i64::MIN;
        let mut done = Vec::new();
        for (at, list) in runs {
            if last.checked_add(1) != Some(at) {
                done.extend(std::mem::take(&mut before).into_values().flatten());
            }
            last = at;
            let mut now: BTreeMap<[i64; 2], Vec<Patch>> = BTreeMap::new();
            for run in list {
                let ends = [run.low[0], run.high[0]];
                let above = before.get_mut(&ends).and_then(|runs| {
                    let fits = |up: &Patch| along(up, 1) < MOST_ALONG && self.fits(up, &run);
                    runs.iter().position(fits).map(|index| runs.swap_remove(index))
                });
                let mut patch = above.unwrap_or(run);
                patch.high[1] = run.high[1];
                now.entry(ends).or_default().push(patch);
            }
            done.extend(std::mem::replace(&mut before, now).into_values().flatten());
        }
        done.extend(before.into_values().flatten());
        done.sort_by_key(|patch| (patch.line, patch.low));
        Ok(done.iter().map(|patch| self.made(patch)).collect())
    }

    fn made(&self, patch: &Patch) -> Made {
        let [x0, y0] = patch.low.map(|at| at as f64 * self.side);
        let [x1, y1] = patch.high.map(|at| at as f64 * self.side);
        let heights = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| patch.plane.at(x, y) as f32);
        let (low, high) = ([x0 as f32, y0 as f32], [x1 as f32, y1 as f32]);
        Made {
            line: patch.line,
            shape: Shape::from_extent(low, high, heights),
            low,
            high,
            material: patch.material,
        }
    }
}
