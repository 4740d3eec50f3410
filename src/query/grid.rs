//! A grid of square cells with the areas that touch them.

use super::ground::Vec3;

/// A grid of square cells over all areas. Each cell lists the areas whose box touches it, in the order of the file.
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
            $crate::query::grid::Grid::Small($cells) => $body,
            $crate::query::grid::Grid::Middle($cells) => $body,
            $crate::query::grid::Grid::Large($cells) => $body,
        }
    };
}
pub(super) use with_cells;

impl Frame {
    /// The column and row of a place. A place outside belongs to the nearest cell.
    #[inline(always)]
    pub(super) fn cell(&self, x: f32, y: f32) -> [u32; 2] {
        let to_cell = |v: f32, origin: f32, count: u32| {
            // A cast saturates at both ends of the range.
            let cells = if self.divides { (v - origin) / self.side } else { (v - origin) * self.per_unit };
            (cells as u32).min(count - 1)
        };
        [to_cell(x, self.origin[0], self.columns), to_cell(y, self.origin[1], self.rows)]
    }

    /// Columns and rows that a box touches: first and last of each.
    fn span(&self, [low, high]: [Vec3; 2]) -> [[u32; 2]; 2] {
        [self.cell(low[0], low[1]), self.cell(high[0], high[1])]
    }
}

impl Grid {
    /// Makes cells of at least `side` for these boxes, which come in the order of the file with the number to list.
    /// There are at most `most` cells and `most` items: if a mesh needs more, cells get larger. Boxes that are not
    /// finite are not listed.
    pub(super) fn new(boxes: &[([Vec3; 2], u32)], side: f32, most: usize, divides: bool) -> Self {
        let sane = |(bounds, _): &&([Vec3; 2], u32)| bounds.iter().flatten().all(|v| v.is_finite());
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for (bounds, _) in boxes.iter().filter(sane) {
            for axis in 0..2 {
                low[axis] = low[axis].min(bounds[0][axis]);
                high[axis] = high[axis].max(bounds[1][axis]);
            }
        }
        if low[0] > high[0] {
            (low, high) = ([0.0; 2], [0.0; 2]);
        }
        let extent = [0, 1].map(|axis| f64::from(high[axis]) - f64::from(low[axis]));
        let mut side = if side > 0.0 { f64::from(side) } else { 1.0 };
        let frame = loop {
            let [columns, rows] = extent.map(|extent| (extent / side).floor() + 1.0);
            let fits = columns * rows <= most as f64;
            let frame = Frame {
                origin: low,
                per_unit: (1.0 / side) as f32,
                side: side as f32,
                columns: columns as u32,
                rows: rows as u32,
                divides,
            };
            if fits {
                let items: u64 = boxes.iter().filter(sane).map(|(bounds, _)| cells_of(&frame, *bounds)).sum();
                if items <= most as u64 || columns * rows <= 1.0 {
                    break frame;
                }
            }
            side *= if columns * rows > 16.0 * most as f64 { 4.0 } else { 1.3 };
        };
        let wide: Cells<u32, u32> = Cells::fill(frame, boxes, sane);
        let most = boxes.iter().map(|(_, number)| *number).max().unwrap_or(0);
        match (u16::try_from(wide.items.len()), u16::try_from(most)) {
            (Ok(_), Ok(_)) => Self::Small(wide.narrow()),
            (_, Ok(_)) => Self::Middle(wide.narrow()),
            _ => Self::Large(wide),
        }
    }

    /// The side of a cell.
    pub(super) fn side(&self) -> f32 {
        with_cells!(self, cells => cells.frame.side)
    }

    pub(super) fn bytes(&self) -> usize {
        with_cells!(self, cells => size_of_val(&cells.starts[..]) + size_of_val(&cells.items[..]))
    }
}

fn cells_of(frame: &Frame, bounds: [Vec3; 2]) -> u64 {
    let [[x0, y0], [x1, y1]] = frame.span(bounds);
    u64::from(x1 - x0 + 1) * u64::from(y1 - y0 + 1)
}

impl Cells<u32, u32> {
    fn fill(
        frame: Frame,
        boxes: &[([Vec3; 2], u32)],
        sane: impl Fn(&&([Vec3; 2], u32)) -> bool + Copy,
    ) -> Self {
        let cells = frame.columns as usize * frame.rows as usize;
        let mut starts = vec![0u32; cells + 1];
        let each = |bounds: [Vec3; 2], act: &mut dyn FnMut(usize)| {
            let [[x0, y0], [x1, y1]] = frame.span(bounds);
            for y in y0..=y1 {
                for x in x0..=x1 {
                    act(y as usize * frame.columns as usize + x as usize);
                }
            }
        };
        for (bounds, _) in boxes.iter().filter(sane) {
            each(*bounds, &mut |cell| starts[cell + 1] += 1);
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut items = vec![0; sum as usize];
        let mut next = starts.clone();
        for (bounds, number) in boxes.iter().filter(sane) {
            each(*bounds, &mut |cell| {
                items[next[cell] as usize] = *number;
                next[cell] += 1;
            });
        }
        Self { frame, starts, items }
    }

    fn narrow<S: Width, I: Width>(self) -> Cells<S, I> {
        Cells {
            frame: self.frame,
            starts: self.starts.into_iter().map(S::narrow).collect(),
            items: self.items.into_iter().map(I::narrow).collect(),
        }
    }
}

impl<S: Width, I: Width> Cells<S, I> {
    /// Where the items of a cell begin and end. A cell that does not exist has none.
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
