//! Recomputes the grid from the geometry and compares it.

use super::report::Report;
use crate::derive::{MOST_DIVISOR, bounds as bounds_of, cell_size, divisor_for, top_with_heights};
use crate::iter::{Grid, TriangleRef, byte_of};
use crate::record::{TriangleIndex, Vertex};
use crate::view::NavMesh;
use navmap_core::Severity;

/// Buffers, reused from mesh to mesh.
#[derive(Debug, Default)]
pub(crate) struct Room {
    corners: Vec<Cells>,
    triangles: Vec<Option<Cells>>,
    /// Lists that are not ascending, put in order: the cell and what it lists, each once.
    sorted: Vec<(usize, Vec<u16>)>,
}

pub(super) fn check(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    check_in(&mut Room::default(), mesh, report);
}

pub(crate) fn check_in(room: &mut Room, mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    let Some(grid) = mesh.grid() else { return };
    let at = mesh.starts.grid;
    let (divisor, triangles) = (grid.divisor(), mesh.triangles().len());
    if divisor != divisor_for(triangles) {
        let why =
            format_args!("grid divisor is {divisor}, {triangles} triangles give {}", divisor_for(triangles));
        report.say(Severity::Warning, "grid-divisor", at, why);
    }
    bounds(mesh, &grid, at, report);
    lists(mesh, &grid, report);
    if divisor <= MOST_DIVISOR {
        members(room, mesh, &grid, at, report);
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
    let Some((low, top)) = bounds_of(mesh.vertices().iter().map(Vertex::to_array)) else { return };
    let [east, north, mut up] = top;
    // From version 13 on the top also covers the heights of the triangles.
    if mesh.version() > 12 {
        let tall =
            mesh.triangles().iter().filter_map(|triangle| Some((tops(mesh, triangle)?, triangle.height()?)));
        up = top_with_heights(up, tall);
    }
    let high = [east, north, up];
    if min.to_array() != low || max.to_array() != high {
        let (min, max) = (min.to_array(), max.to_array());
        let why = format_args!("grid bounds are {min:?} to {max:?}, the mesh spans {low:?} to {high:?}");
        report.say(Severity::Warning, "grid-bounds", at, why);
    }
}

/// The heights of the corners of a triangle.
fn tops(mesh: &NavMesh<'_>, triangle: TriangleRef<'_>) -> Option<[f32; 3]> {
    let [a, b, c] = triangle.vertices().map(|vertex| mesh.vertices().get(vertex.into()).map(Vertex::z));
    Some([a?, b?, c?])
}

/// Reports lists that are not ascending, and entries that point nowhere.
fn lists(mesh: &NavMesh<'_>, grid: &Grid<'_>, report: &mut Report<'_>) {
    let len = mesh.triangles().len();
    for (cell, (start, list)) in grid.places(mesh.starts.grid).enumerate() {
        let sorted = list.is_sorted_by(|a, b| a.get() < b.get());
        // If a list is ascending, its last entry is the largest.
        if sorted && list.last().is_none_or(|last| usize::from(last.get()) < len) {
            continue;
        }
        let wrong = list.iter().enumerate().find(|(_, index)| usize::from(index.get()) >= len);
        if let Some((entry, wrong)) = wrong {
            let why = format_args!("grid list {cell} has triangle {} of {len}", wrong.get());
            let at = byte_of::<TriangleIndex>(start, entry);
            report.say(Severity::Error, "grid-triangle-out-of-range", at, why);
        }
        if !sorted {
            let why = format_args!("grid list {cell} is not ascending");
            report.say(Severity::Deviation, "grid-list-unsorted", start, why);
        }
    }
}

/// Checks that every triangle is listed in the cells of which it covers more than a hundredth, and only in cells that its
/// bounding box touches. Cells in between are not checked: the editor's own rule is known for 99.84 % of triangles. An extra
/// entry only costs time, but a missing one hides floor.
fn members(room: &mut Room, mesh: &NavMesh<'_>, grid: &Grid<'_>, at: u64, report: &mut Report<'_>) {
    let plan = Plan::of(grid);
    let Room { corners, triangles, sorted } = room;
    sorted.clear();
    corners.clear();
    corners.extend(mesh.vertices().iter().map(|vertex| plan.cells(vertex)));
    triangles.clear();
    triangles.extend(mesh.triangles().iter().map(|triangle| {
        let [a, b, c] = triangle.vertices().map(|vertex| corners.get(usize::from(vertex)));
        Some(a?.with(b?).with(c?))
    }));
    let mut strays = Seen::default();
    let (mut x, mut y) = (0_u8, 0_u8);
    for (cell, list) in grid.lists().enumerate() {
        let mut count = |index: u16| {
            let index = usize::from(index);
            match triangles.get_mut(index) {
                Some(Some(cells)) if cells.contains(x, y) => cells.listed = cells.listed.saturating_add(1),
                Some(Some(_)) => strays.add((index, x.into(), y.into())),
                _ => {}
            }
        };
        if list.is_sorted_by(|a, b| a.get() < b.get()) {
            list.iter().for_each(|index| count(index.get()));
        } else {
            let mut each: Vec<u16> = list.iter().map(|index| index.get()).collect();
            each.sort_unstable();
            each.dedup();
            each.iter().for_each(|index| count(*index));
            sorted.push((cell, each));
        }
        x = x.saturating_add(1);
        if u32::from(x) == grid.divisor() {
            (x, y) = (0, y.saturating_add(1));
        }
    }
    let mut missing = Seen::default();
    let mut lists: Vec<&[TriangleIndex]> = Vec::new();
    for (index, cells) in triangles.iter().enumerate() {
        // Most triangles are listed in all cells that their bounding box touches.
        let Some(cells) = cells.as_ref().filter(|cells| cells.listed < cells.count()) else { continue };
        let shape = mesh.triangles().get(index).and_then(|triangle| Shape::of(mesh, triangle));
        let Some(shape) = shape else { continue };
        if lists.is_empty() {
            lists.extend(grid.lists());
        }
        for y in cells.south..=cells.north {
            for x in cells.west..=cells.east {
                let (x, y) = (u32::from(x), u32::from(y));
                let cell = y.saturating_mul(grid.divisor()).saturating_add(x) as usize;
                let in_order = sorted.binary_search_by_key(&cell, |(cell, _)| *cell);
                let listed = match in_order.ok().and_then(|at| sorted.get(at)) {
                    Some((_, list)) => list.binary_search_by_key(&index, |t| usize::from(*t)).is_ok(),
                    None => lists
                        .get(cell)
                        .is_some_and(|l| l.binary_search_by_key(&index, |t| t.get().into()).is_ok()),
                };
                if !listed && !plan.is_apart(&shape, x, y) && plan.overlaps(&shape, x, y) {
                    missing.add((index, x, y));
                }
            }
        }
    }
    for (seen, code, what) in [
        (missing, "grid-missing", "overlaps of triangles and grid cells are not listed"),
        (strays, "grid-stray", "grid entries name triangles outside their cell"),
    ] {
        if let Some((index, x, y)) = seen.first {
            let own = report.name(index);
            let why = format_args!("{} {what}; the first is triangle {own} in cell ({x}, {y})", seen.count);
            report.on(mesh, index).say(Severity::Warning, code, at, why);
        }
    }
}

/// The number of occurrences, and the first.
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
}

/// The grid's cells along one axis.
struct Axis {
    min: f64,
    size: f64,
    /// One over the size.
    share: f64,
    last: u8,
    /// How far the games' rounding may move a border.
    slack: f64,
}

impl Axis {
    fn of(min: f32, max: f32, size: f32, divisor: u32) -> Self {
        let reach = f64::from(min.abs().max(max.abs()));
        let slack = (reach * f64::from(f32::EPSILON) * 4.0).max(f64::from(size.abs()) * 1e-4);
        let last = u8::try_from(divisor.saturating_sub(1)).unwrap_or(u8::MAX);
        Self { min: min.into(), size: size.into(), share: 1.0 / f64::from(size), last, slack }
    }

    /// The first and the last cell that a point touches, slack included. For a span, take those of its ends.
    fn cells(&self, at: f64) -> (u8, u8) {
        // The cast rounds down and saturates, and NaN becomes 0.
        let cell = |at: f64| (((at - self.min) * self.share) as u8).min(self.last);
        (cell(at - self.slack), cell(at + self.slack))
    }

    /// The start and end of a cell.
    fn cell(&self, cell: u32) -> Flat {
        let start = self.min + self.size * f64::from(cell);
        (start, start + self.size)
    }
}

/// The cells that the bounding box of a triangle touches, and how many of them list it.
#[derive(Debug, Clone, Copy)]
struct Cells {
    west: u8,
    east: u8,
    south: u8,
    north: u8,
    listed: u16,
}

impl Cells {
    /// The cells that the box around both touches.
    fn with(self, other: &Self) -> Self {
        Self {
            west: self.west.min(other.west),
            east: self.east.max(other.east),
            south: self.south.min(other.south),
            north: self.north.max(other.north),
            ..self
        }
    }

    fn contains(&self, x: u8, y: u8) -> bool {
        (self.west..=self.east).contains(&x) && (self.south..=self.north).contains(&y)
    }

    fn count(&self) -> u16 {
        let along = |from: u8, to: u8| u16::from(to.saturating_sub(from)).saturating_add(1);
        along(self.west, self.east).saturating_mul(along(self.south, self.north))
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

    fn cells(&self, vertex: &Vertex) -> Cells {
        let (west, east) = self.x.cells(vertex.x().into());
        let (south, north) = self.y.cells(vertex.y().into());
        Cells { west, east, south, north, listed: 0 }
    }

    /// Whether a side of the triangle has a whole cell behind it. This is the case for most cells that the bounding box touches
    /// and that do not list the triangle.
    fn is_apart(&self, shape: &Shape, x: u32, y: u32) -> bool {
        let ((west, east), (south, north)) = (self.x.cell(x), self.y.cell(y));
        let (middle, half) =
            (((west + east) / 2.0, (south + north) / 2.0), ((east - west) / 2.0, (north - south) / 2.0));
        let [a, b, c] = shape.0;
        let turn = |from: Flat, to: Flat, at: Flat| {
            (to.0 - from.0) * (at.1 - from.1) - (at.0 - from.0) * (to.1 - from.1)
        };
        let facing = turn(a, b, c).signum();
        [(a, b), (b, c), (c, a)].into_iter().any(|(from, to)| {
            let reach = (to.0 - from.0).abs() * half.1.abs() + (to.1 - from.1).abs() * half.0.abs();
            turn(from, to, middle) * facing + reach <= 0.0
        })
    }

    /// Whether the triangle covers more than a hundredth of a cell.
    fn overlaps(&self, shape: &Shape, x: u32, y: u32) -> bool {
        let ((west, east), (south, north)) = (self.x.cell(x), self.y.cell(y));
        let mut piece = Piece::of(shape);
        piece.cut(|p| p.0 - west);
        piece.cut(|p| east - p.0);
        piece.cut(|p| p.1 - south);
        piece.cut(|p| north - p.1);
        piece.area() > (east - west) * (north - south) / 100.0
    }
}

/// A convex piece of a triangle. Each of four cuts adds at most one corner.
struct Piece {
    corners: [Flat; 8],
    len: usize,
}

impl Piece {
    fn of(shape: &Shape) -> Self {
        let mut piece = Self { corners: [(0.0, 0.0); 8], len: 0 };
        shape.0.iter().for_each(|corner| piece.push(*corner));
        piece
    }

    fn push(&mut self, corner: Flat) {
        if let Some(free) = self.corners.get_mut(self.len) {
            *free = corner;
            self.len = self.len.saturating_add(1);
        }
    }

    /// Corners, each with the one after it.
    fn sides(&self) -> impl Iterator<Item = (Flat, Flat)> + use<> {
        let (corners, len) = (self.corners, self.len);
        let next = move |at: usize| if at.saturating_add(1) < len { at.saturating_add(1) } else { 0 };
        (0..len).filter_map(move |at| Some((*corners.get(at)?, *corners.get(next(at))?)))
    }

    /// Keeps the part that is not behind a line.
    fn cut(&mut self, ahead: impl Fn(Flat) -> f64) {
        let mut left = Self { corners: [(0.0, 0.0); 8], len: 0 };
        for (from, to) in self.sides() {
            let (a, b) = (ahead(from), ahead(to));
            if a >= 0.0 {
                left.push(from);
            }
            if (a >= 0.0) != (b >= 0.0) {
                let share = a / (a - b);
                left.push((from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share));
            }
        }
        *self = left;
    }

    fn area(&self) -> f64 {
        self.sides().map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>().abs() / 2.0
    }
}
