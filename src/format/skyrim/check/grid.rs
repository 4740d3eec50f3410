//! Recomputes the grid from the geometry and compares it.

#![forbid(unsafe_code)]

use super::report::Report;
use crate::finding::Severity;
use crate::format::skyrim::iter::{Grid, TriangleRef, byte_of};
use crate::format::skyrim::record::{TriangleIndex, Vertex};
use crate::format::skyrim::view::NavMesh;
use std::ops::RangeInclusive;

/// The divisor that the games use for a mesh of so many triangles. It is exact for 1,205 distinct real meshes.
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

/// The most cells a side that are recomputed. Real meshes have 12, and the work per triangle must stay bounded.
const MOST_DIVISOR: u32 = 12;

pub(super) fn check(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    let Some(grid) = mesh.grid() else { return };
    let at = mesh.starts.grid;
    let (divisor, triangles) = (grid.divisor(), mesh.triangles().len());
    if divisor != divisor_for(triangles) {
        let why =
            format_args!("grid divisor is {divisor}, {triangles} triangles give {}", divisor_for(triangles));
        report.say(Severity::Warning, "grid-divisor", at, why);
    }
    bounds(mesh, &grid, at, report);
    let sorted = lists(mesh, &grid, report);
    if divisor <= MOST_DIVISOR && sorted {
        members(mesh, &grid, at, report);
    }
}

fn bounds(mesh: &NavMesh<'_>, grid: &Grid<'_>, at: u64, report: &mut Report<'_>) {
    let header = grid.header();
    let (min, max, [width, height]) = (header.min(), header.max(), header.cell_size());
    for (axis, size, low, high) in [("x", width, min.x(), max.x()), ("y", height, min.y(), max.y())] {
        let want = cell_size(low, high, grid.divisor());
        if size != want {
            let why = format_args!("grid cells are {size} along {axis}, bounds and divisor give {want}");
            report.say(Severity::Warning, "grid-cell-size", at, why);
        }
    }
    let mut points = mesh.vertices().iter().map(Vertex::to_array);
    let Some(first) = points.next() else { return };
    let (low, high) =
        points.fold((first, first), |(low, high), p| (each(low, p, f32::min), each(high, p, f32::max)));
    // From version 13 on the top also covers the heights of the triangles.
    let top_agrees = if mesh.version() > 12 { max.z() >= high[2] } else { max.z() == high[2] };
    if min.to_array() != low || [max.x(), max.y()] != [high[0], high[1]] || !top_agrees {
        let (min, max) = (min.to_array(), max.to_array());
        let why = format_args!("grid bounds are {min:?} to {max:?}, the vertices span {low:?} to {high:?}");
        report.say(Severity::Warning, "grid-bounds", at, why);
    }
}

fn each([a, b, c]: [f32; 3], [x, y, z]: [f32; 3], f: fn(f32, f32) -> f32) -> [f32; 3] {
    [f(a, x), f(b, y), f(c, z)]
}

/// Whether all lists are ascending. Reports those that are not, and entries that point nowhere.
fn lists(mesh: &NavMesh<'_>, grid: &Grid<'_>, report: &mut Report<'_>) -> bool {
    let len = mesh.triangles().len();
    let mut all_sorted = true;
    for (cell, (start, list)) in grid.places(mesh.starts.grid).enumerate() {
        let wrong = list.iter().enumerate().find(|(_, index)| usize::from(index.get()) >= len);
        if let Some((entry, wrong)) = wrong {
            let why = format_args!("grid list {cell} has triangle {} of {len}", wrong.get());
            let at = byte_of::<TriangleIndex>(start, entry);
            report.say(Severity::Error, "grid-triangle-out-of-range", at, why);
        }
        if !list.is_sorted_by(|a, b| a.get() < b.get()) {
            all_sorted = false;
            let why = format_args!("grid list {cell} is not ascending");
            report.say(Severity::Deviation, "grid-list-unsorted", start, why);
        }
    }
    all_sorted
}

/// Checks that every triangle is listed in the cells that it certainly overlaps, and only in cells that its bounding
/// box touches. Cells between the two are left alone, since the games' own rule for touching edges is known to 97.5 %
/// only.
fn members(mesh: &NavMesh<'_>, grid: &Grid<'_>, at: u64, report: &mut Report<'_>) {
    let lists: Vec<&[TriangleIndex]> = grid.lists().collect();
    let plan = Plan::of(grid);
    let mut missing = Seen::default();
    for (index, triangle) in mesh.triangles().iter().enumerate() {
        let Some(shape) = Shape::of(mesh, triangle) else { continue };
        let columns = plan.x.cells(shape.span(|p| p.0));
        for y in plan.y.cells(shape.span(|p| p.1)) {
            for x in columns.clone() {
                let cell = y.saturating_mul(grid.divisor()).saturating_add(x) as usize;
                let listed = lists
                    .get(cell)
                    .is_some_and(|l| l.binary_search_by_key(&index, |t| t.get().into()).is_ok());
                if !listed && plan.overlaps(&shape, x, y) {
                    missing.add((index, x, y));
                }
            }
        }
    }
    let mut strays = Seen::default();
    for (cell, list) in (0u32..).zip(&lists) {
        let (y, x) = (cell.checked_div(grid.divisor()), cell.checked_rem(grid.divisor()));
        let (Some(y), Some(x)) = (y, x) else { continue };
        for index in list.iter().map(|index| usize::from(index.get())) {
            let Some(shape) = mesh.triangles().get(index).and_then(|t| Shape::of(mesh, t)) else { continue };
            if !plan.x.cells(shape.span(|p| p.0)).contains(&x)
                || !plan.y.cells(shape.span(|p| p.1)).contains(&y)
            {
                strays.add((index, x, y));
            }
        }
    }
    for (seen, code, what) in [
        (missing, "grid-missing", "overlaps of triangles and grid cells are not listed"),
        (strays, "grid-stray", "grid entries name triangles outside their cell"),
    ] {
        if let Some((index, x, y)) = seen.first {
            let why = format_args!("{} {what}; the first is triangle {index} in cell ({x}, {y})", seen.count);
            report.on(mesh, index).say(Severity::Warning, code, at, why);
        }
    }
}

/// How often something was seen, and where first.
#[derive(Default)]
struct Seen {
    count: u64,
    first: Option<(usize, u32, u32)>,
}

impl Seen {
    fn add(&mut self, at: (usize, u32, u32)) {
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert(at);
    }
}

type Flat = (f64, f64);

/// A triangle seen from above.
struct Shape([Flat; 3]);

impl Shape {
    fn of(mesh: &NavMesh<'_>, triangle: TriangleRef<'_>) -> Option<Self> {
        let [a, b, c] = triangle.vertices().map(|v| mesh.vertices().get(v.into()));
        Some(Self([a?, b?, c?].map(|v| (v.x().into(), v.y().into()))))
    }

    fn span(&self, along: fn(&Flat) -> f64) -> Flat {
        let [a, b, c] = self.0.each_ref().map(along);
        (a.min(b).min(c), a.max(b).max(c))
    }
}

/// The grid's cells along one axis.
struct Axis {
    min: f64,
    size: f64,
    divisor: u32,
    /// How far the games' rounding may move a border.
    slack: f64,
}

impl Axis {
    fn of(min: f32, max: f32, size: f32, divisor: u32) -> Self {
        let reach = f64::from(min.abs().max(max.abs()));
        let slack = (reach * f64::from(f32::EPSILON) * 4.0).max(f64::from(size.abs()) * 1e-4);
        Self { min: min.into(), size: size.into(), divisor, slack }
    }

    /// The cells that a span touches, slack included.
    fn cells(&self, (low, high): Flat) -> RangeInclusive<u32> {
        // The cast saturates, and NaN becomes 0.
        let cell =
            |at: f64| (((at - self.min) / self.size).floor() as u32).min(self.divisor.saturating_sub(1));
        cell(low - self.slack)..=cell(high + self.slack)
    }

    /// The inside of a cell without the slack at its borders; `None` if nothing is left.
    fn inside(&self, cell: u32) -> Option<Flat> {
        let start = self.min + self.size * f64::from(cell);
        let (low, high) = (start + self.slack, start + self.size - self.slack);
        (low < high).then_some((low, high))
    }
}

struct Plan {
    x: Axis,
    y: Axis,
}

impl Plan {
    fn of(grid: &Grid<'_>) -> Self {
        let (min, max) = (grid.header().min(), grid.header().max());
        let [width, height] = grid.header().cell_size();
        Self {
            x: Axis::of(min.x(), max.x(), width, grid.divisor()),
            y: Axis::of(min.y(), max.y(), height, grid.divisor()),
        }
    }

    /// Whether the triangle certainly overlaps the inside of a cell: neither an axis nor an edge of the triangle
    /// separates them.
    fn overlaps(&self, shape: &Shape, x: u32, y: u32) -> bool {
        let (Some((west, east)), Some((south, north))) = (self.x.inside(x), self.y.inside(y)) else {
            return false;
        };
        let apart = |(low, high): Flat, (start, end): Flat| high <= start || low >= end;
        if apart(shape.span(|p| p.0), (west, east)) || apart(shape.span(|p| p.1), (south, north)) {
            return false;
        }
        let side = |a: Flat, b: Flat, p: Flat| (b.0 - a.0) * (p.1 - a.1) - (p.0 - a.0) * (b.1 - a.1);
        let corners = [(west, south), (east, south), (east, north), (west, north)];
        let [a, b, c] = shape.0;
        [(a, b, c), (b, c, a), (c, a, b)].into_iter().all(|(from, to, other)| {
            let inner = side(from, to, other);
            inner != 0.0 && corners.iter().any(|p| side(from, to, *p) * inner.signum() > 0.0)
        })
    }
}
