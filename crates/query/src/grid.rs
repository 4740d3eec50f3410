//! A grid of square cells with the areas that touch them.

mod exchange;

pub(super) use exchange::Exchange;

use super::ground::Vec3;
use navmap_core::graph::boxes::{greater, lesser};

/// A grid of square cells over all areas. Each cell lists the areas whose box touches it, in file order.
///
/// Indices are as small as the mesh allows, so that a mesh of a few thousand areas stays in the second-level cache.
#[derive(Debug, Clone)]
pub(super) enum Grid {
    Small(Cells<u16, u16>),
    Middle(Cells<u32, u16>),
    Large(Cells<u32, u32>),
}

/// Cells with starts of one width and items of another.
#[derive(Debug, Clone)]
pub(super) struct Cells<S, I> {
    pub(super) frame: Frame,
    /// What was tried until this frame was found, and how many items there were.
    tried: Vec<(Frame, u64)>,
    /// Cell `c` lists `items[starts[c]..starts[c + 1]]`.
    starts: Vec<S>,
    items: Vec<I>,
}

/// How coordinates become cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub(super) origin: [f32; 2],
    /// Cells in one unit.
    per_unit: f32,
    pub(super) side: f32,
    pub(super) columns: u32,
    pub(super) rows: u32,
    /// Whether to divide, as the engine does, instead of multiplying. At a border the result may be another cell.
    divides: bool,
}

/// An index of either width.
pub(super) trait Width: Copy {
    fn narrow(value: u32) -> Self;
    fn wide(self) -> u32;
}

impl Width for u16 {
    fn narrow(value: u32) -> Self {
        value as u16
    }
    #[inline(always)]
    fn wide(self) -> u32 {
        self.into()
    }
}

impl Width for u32 {
    fn narrow(value: u32) -> Self {
        value
    }
    #[inline(always)]
    fn wide(self) -> u32 {
        self
    }
}

/// Runs `$body` with `$cells` bound to the cells of a grid.
macro_rules! with_cells {
    ($grid:expr, $cells:ident => $body:expr) => {
        match $grid {
            $crate::grid::Grid::Small($cells) => $body,
            $crate::grid::Grid::Middle($cells) => $body,
            $crate::grid::Grid::Large($cells) => $body,
        }
    };
}
pub(super) use with_cells;

impl Frame {
    /// The column and row of a point. A point outside belongs to the nearest cell.
    #[inline(always)]
    pub(super) fn cell(&self, x: f32, y: f32) -> [u32; 2] {
        let to_cell = |v: f32, origin: f32, count: u32| {
            // A cast saturates at both ends of the range.
            let cells = if self.divides { (v - origin) / self.side } else { (v - origin) * self.per_unit };
            (cells as u32).min(count - 1)
        };
        [to_cell(x, self.origin[0], self.columns), to_cell(y, self.origin[1], self.rows)]
    }

    /// The cells that are so many columns or rows away from one, column by column. Costs no more than there are of them.
    pub(super) fn ring(&self, [x, y]: [u32; 2], ring: u32) -> impl Iterator<Item = [u32; 2]> + use<> {
        let ends = |at: u32, count: u32| {
            [at.checked_sub(ring), Some(at + ring).filter(|end| ring > 0 && *end < count)]
        };
        let ([left, right], tips) = (ends(x, self.columns), ends(y, self.rows));
        let whole = y.saturating_sub(ring)..(y + ring + 1).min(self.rows);
        let column = move |x: u32| whole.clone().map(move |y| [x, y]);
        let between =
            if tips == [None; 2] { 0..0 } else { (x + 1).saturating_sub(ring)..(x + ring).min(self.columns) };
        let tips = move |x: u32| tips.into_iter().flatten().map(move |y| [x, y]);
        let (left, right) = (left.into_iter().flat_map(column.clone()), right.into_iter().flat_map(column));
        left.chain(between.flat_map(tips)).chain(right)
    }

    fn span(&self, listed: &Listed) -> Span {
        let [first, last] = [listed.low, listed.high].map(|[x, y]| self.cell(x, y));
        Span { first, last, number: listed.number }
    }
}

impl Grid {
    /// Makes cells of at least `side` for these boxes, which are in file order with the number to list. There are at most `most`
    /// cells and `most` items: if a mesh needs more, cells get larger.
    pub(super) fn new(listed: &[Listed], side: f32, most: usize, divides: bool) -> Self {
        let asked = Asked { bounds: Listed::bounds(listed), side, most, divides };
        let mut spans = Vec::with_capacity(listed.len());
        let mut tried = Vec::new();
        asked.frame(|frame| {
            spans.clear();
            spans.extend(listed.iter().map(|listed| frame.span(listed)));
            tried.push((*frame, spans.iter().map(Span::cells).sum()));
            tried.last().map(|(_, items)| *items)
        });
        let last = listed.iter().map(|listed| listed.number).max().unwrap_or(0);
        let Some((frame, items)) = tried.last().copied() else { unreachable!("a frame was asked for") };
        match Widths::of(items, last) {
            Widths::Small => Self::Small(Cells::filled(frame, tried, &spans)),
            Widths::Middle => Self::Middle(Cells::filled(frame, tried, &spans)),
            Widths::Large => Self::Large(Cells::filled(frame, tried, &spans)),
        }
    }

    /// The side of a cell.
    pub(super) fn side(&self) -> f32 {
        with_cells!(self, cells => cells.frame.side)
    }

    pub(super) fn bytes(&self) -> usize {
        with_cells!(self, cells => {
            size_of_val(&cells.tried[..]) + size_of_val(&cells.starts[..]) + size_of_val(&cells.items[..])
        })
    }
}

/// What a grid is made of besides its boxes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    /// Of all boxes, from above.
    pub(super) bounds: [[f32; 2]; 2],
    /// The least length of a side.
    pub(super) side: f32,
    /// The most cells and items.
    pub(super) most: usize,
    pub(super) divides: bool,
}

impl Asked {
    /// Tries larger and larger cells until `count` tells few enough items of some. `None` if it does not tell.
    fn frame(&self, mut count: impl FnMut(&Frame) -> Option<u64>) -> Option<Frame> {
        let [mut low, mut high] = self.bounds;
        if low[0] > high[0] {
            (low, high) = ([0.0; 2], [0.0; 2]);
        }
        let most = self.most;
        let extent = [0, 1].map(|axis| f64::from(high[axis]) - f64::from(low[axis]));
        let mut side = if self.side > 0.0 { f64::from(self.side) } else { 1.0 };
        loop {
            let [columns, rows] = extent.map(|extent| (extent / side).floor() + 1.0);
            if columns * rows <= most as f64 {
                let frame = Frame {
                    origin: low,
                    per_unit: (1.0 / side) as f32,
                    side: side as f32,
                    columns: columns as u32,
                    rows: rows as u32,
                    divides: self.divides,
                };
                if count(&frame)? <= most as u64 || columns * rows <= 1.0 {
                    return Some(frame);
                }
            }
            side *= if columns * rows > 16.0 * most as f64 { 4.0 } else { 1.3 };
        }
    }
}

/// How wide the indices of a grid are.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Widths {
    Small,
    Middle,
    Large,
}

impl Widths {
    /// For so many items, of which this is the largest.
    fn of(items: u64, last: u32) -> Self {
        match (u16::try_from(items), u16::try_from(last)) {
            (Ok(_), Ok(_)) => Self::Small,
            (_, Ok(_)) => Self::Middle,
            _ => Self::Large,
        }
    }
}

/// A box, from above, with its number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    low: [f32; 2],
    high: [f32; 2],
    pub(super) number: u32,
}

impl Listed {
    /// The boxes that grids list, from boxes in file order. Boxes that are not finite are left out.
    pub(super) fn of_all(boxes: impl Iterator<Item = ([Vec3; 2], u32)>) -> Vec<Self> {
        let mut listed = Vec::with_capacity(boxes.size_hint().0);
        listed.extend(boxes.filter_map(|([low, high], number)| {
            let finite = low.iter().chain(&high).all(|v| v.is_finite());
            finite.then_some(Self { low: [low[0], low[1]], high: [high[0], high[1]], number })
        }));
        listed
    }

    /// The box of them.
    pub(super) fn bounds(listed: &[Self]) -> [[f32; 2]; 2] {
        let empty = [[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]];
        listed.iter().fold(empty, |all, listed| joined(all, [listed.low, listed.high]))
    }
}

/// The box of two.
pub(super) fn joined(a: [[f32; 2]; 2], b: [[f32; 2]; 2]) -> [[f32; 2]; 2] {
    [[0, 1].map(|axis| lesser(a[0][axis], b[0][axis])), [0, 1].map(|axis| greater(a[1][axis], b[1][axis]))]
}

/// The cells that a box touches.
struct Span {
    first: [u32; 2],
    last: [u32; 2],
    number: u32,
}

impl Span {
    fn cells(&self) -> u64 {
        u64::from(self.last[0] - self.first[0] + 1) * u64::from(self.last[1] - self.first[1] + 1)
    }

    /// Calls `act` with each of them.
    #[inline(always)]
    fn each(&self, columns: usize, mut act: impl FnMut(usize)) {
        for y in self.first[1] as usize..=self.last[1] as usize {
            let row = y * columns;
            (row + self.first[0] as usize..=row + self.last[0] as usize).for_each(&mut act);
        }
    }
}

/// Where the items of each of so many columns and rows of cells begin, and the items.
fn fill<I: Width>([columns, rows]: [u32; 2], spans: &[Span]) -> (Vec<u32>, Vec<I>) {
    let (columns, rows) = (columns as usize, rows as usize);
    // By how many spans more there are in a cell than in those before it, along the row and along the column.
    let wide = columns + 1;
    let mut more = vec![0u32; wide * (rows + 1)];
    for Span { first, last, .. } in spans {
        let [left, top] = first.map(|v| v as usize);
        let [right, below] = last.map(|v| v as usize + 1);
        let (top, below) = (top * wide, below * wide);
        for (cell, by) in
            [(top + left, 1), (top + right, u32::MAX), (below + left, u32::MAX), (below + right, 1)]
        {
            more[cell] = more[cell].wrapping_add(by);
        }
    }
    // Ends, then, filled from the back, starts.
    let mut starts = vec![0u32; columns * rows + 1];
    let (mut above, mut sum) = (vec![0u32; columns], 0);
    for (ends, more) in starts.chunks_exact_mut(columns).zip(more.chunks_exact(wide)) {
        let mut along = 0u32;
        for ((end, more), above) in ends.iter_mut().zip(more).zip(&mut above) {
            along = along.wrapping_add(*more);
            *above = above.wrapping_add(along);
            sum += *above;
            *end = sum;
        }
    }
    starts[columns * rows] = sum;
    drop((more, above));
    let mut items = vec![I::narrow(0); sum as usize];
    for span in spans.iter().rev() {
        let number = I::narrow(span.number);
        span.each(columns, |cell| {
            starts[cell] -= 1;
            items[starts[cell] as usize] = number;
        });
    }
    (starts, items)
}

impl<S: Width, I: Width> Cells<S, I> {
    /// The cells of a frame with what touches each.
    fn filled(frame: Frame, tried: Vec<(Frame, u64)>, spans: &[Span]) -> Self {
        let (starts, items) = fill([frame.columns, frame.rows], spans);
        Self { frame, tried, starts: starts.into_iter().map(S::narrow).collect(), items }
    }

    /// The range of a cell's items. A cell that does not exist has none.
    #[inline(always)]
    pub(super) fn range(&self, [x, y]: [u32; 2]) -> [u32; 2] {
        let cell = y as usize * self.frame.columns as usize + x as usize;
        [self.starts[cell].wide(), self.starts[cell + 1].wide()]
    }

    /// The areas in such a range.
    #[inline(always)]
    pub(super) fn items(&self, [start, end]: [u32; 2]) -> impl Iterator<Item = usize> + '_ {
        self.items[start as usize..end as usize].iter().map(|item| item.wide() as usize)
    }

    /// The areas in a cell.
    #[inline(always)]
    pub(super) fn areas(&self, cell: [u32; 2]) -> impl Iterator<Item = usize> + '_ {
        self.items(self.range(cell))
    }
}
