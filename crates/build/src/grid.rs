//! The grid of tiles over a model, and the triangles of each.

use super::options::{BuildOptions, Voxels};
use super::soup::Soup;
use navmap_core::Limits;
use navmap_core::error::Result;
use std::ops::{Range, RangeInclusive};

/// The most voxels from the lowest to the highest triangle, with room for an agent in 16 bits.
const MOST_HEIGHT: u64 = 60_000;
/// The most tiles for which a larger size is not chosen.
const MANY_TILES: u64 = 1024;

/// The cells that triangles of any level may cover, however many lie over each other.
const FREE_CELLS: u64 = 1 << 24;

/// Square tiles, and their triangles: those that reach into a tile or the border around it.
#[derive(Debug)]
pub(crate) struct Grid {
    /// Smallest corner, in metres.
    low: [f64; 3],
    /// Side of a tile in cells, and of a cell in metres.
    pub(crate) side: u16,
    cell: f64,
    /// Columns and rows.
    count: [u32; 2],
    /// Voxels from the lowest to the highest triangle.
    pub(crate) height: u64,
    /// The end of each tile's triangles in `list`.
    ends: Vec<usize>,
    list: Vec<u32>,
}

impl Grid {
    /// # Errors
    /// If there would be more tiles, triangles in them, cells or voxels of height than are allowed.
    pub(crate) fn new(soup: &Soup<'_>, voxels: &Voxels, options: &BuildOptions<'_>) -> Result<Self> {
        let extent = [0, 1, 2].map(|axis| soup.high[axis] - soup.low[axis]);
        let height = (extent[1] / voxels.cell_height).ceil() as u64;
        Limits::charge("voxels from the lowest to the highest triangle", height, MOST_HEIGHT)?;
        let cells = [extent[0], extent[2]].map(|length| ((length / voxels.cell).ceil() as u64).max(1));
        let tiles = |side: u16| cells.map(|cells| cells.div_ceil(side.into()));
        let few = |side: &u16| {
            let [x, z] = tiles(*side);
            x.saturating_mul(z) <= MANY_TILES
        };
        let side = options.tile.or_else(|| [64, 128].into_iter().find(few)).unwrap_or(256);
        let [columns, rows] = tiles(side);
        let all = columns.saturating_mul(rows);
        Limits::charge("tiles", all, options.limits.tiles)?;
        let mut grid = Self {
            low: soup.low,
            side,
            cell: voxels.cell,
            count: [columns as u32, rows as u32],
            height,
            ends: vec![0; all as usize],
            list: Vec::new(),
        };
        grid.fill(soup, voxels, options, cells[0].saturating_mul(cells[1]))?;
        Ok(grid)
    }

    /// Lists the triangles of each tile, the highest first: each then lands at the head of its columns' lists, and takes no longer
    /// for all that lie there.
    fn fill(
        &mut self,
        soup: &Soup<'_>,
        voxels: &Voxels,
        options: &BuildOptions<'_>,
        ground: u64,
    ) -> Result<()> {
        let limits = &options.limits;
        let most_cells = limits.cells_of_triangle.saturating_mul(soup.triangles.len() as u64);
        let most_cells = limits.cells.saturating_add(most_cells);
        let (mut cells, mut shares) = (0_u64, 0_u64);
        let mut counts = vec![0_usize; self.ends.len()];
        let tops: Vec<f64> = soup.triangles.iter().map(|triangle| top(soup.points(triangle))).collect();
        for triangle in &soup.triangles {
            let [x, z] = self.span(soup.points(triangle));
            let wide = |span: &RangeInclusive<u64>| span.end() - span.start() + 1;
            cells = cells.saturating_add(wide(&x).saturating_mul(wide(&z)));
            let [x, z] = [(x, 0), (z, 1)].map(|(span, axis)| self.tiles_of(&span, voxels.border, axis));
            shares = shares.saturating_add(u64::from(x.end - x.start) * u64::from(z.end - z.start));
            Limits::charge("cells that triangles cover", cells, most_cells)?;
            Limits::charge("triangles in tiles", shares, limits.shares)?;
            self.each(&x, &z).for_each(|tile| counts[tile] += 1);
        }
        let ground = ground.saturating_mul(limits.layers).saturating_add(FREE_CELLS);
        Limits::charge("cells that triangles cover over each other", cells, ground)?;
        let mut end = 0;
        for (to, count) in self.ends.iter_mut().zip(&counts) {
            end += count;
            *to = end;
        }
        let mut next: Vec<usize> = self.ends.iter().zip(counts).map(|(end, count)| end - count).collect();
        self.list = vec![0; end];
        let mut order: Vec<u32> = (0..soup.triangles.len() as u32).collect();
        order.sort_by(|a, b| tops[*b as usize].total_cmp(&tops[*a as usize]));
        for number in order {
            let spans = self.span(soup.points(&soup.triangles[number as usize]));
            let [x, z] = spans;
            let [x, z] = [(x, 0), (z, 1)].map(|(span, axis)| self.tiles_of(&span, voxels.border, axis));
            for tile in self.each(&x, &z) {
                self.list[next[tile]] = number;
                next[tile] += 1;
            }
        }
        Ok(())
    }

    /// The columns and the rows of cells under a triangle.
    fn span(&self, points: [[f64; 3]; 3]) -> [RangeInclusive<u64>; 2] {
        [0, 2].map(|axis| {
            let along = points.map(|point| (point[axis] - self.low[axis]) / self.cell);
            let [least, most] =
                [f64::min, f64::max].map(|pick| along.into_iter().reduce(pick).unwrap_or(0.0));
            least.max(0.0) as u64..=most.max(0.0) as u64
        })
    }

    /// The tiles along an axis whose cells, with the border around them, are among these.
    fn tiles_of(&self, cells: &RangeInclusive<u64>, border: u16, axis: usize) -> Range<u32> {
        let (side, border) = (u64::from(self.side), u64::from(border));
        let last = cells.end().saturating_add(border) / side + 1;
        let first = cells.start().saturating_sub(border) / side;
        (first.min(u64::from(self.count[axis]) - 1) as u32)..(last.min(self.count[axis].into()) as u32)
    }

    fn each(&self, x: &Range<u32>, z: &Range<u32>) -> impl Iterator<Item = usize> + use<> {
        let (x, columns) = (x.clone(), self.count[0] as usize);
        z.clone().flat_map(move |z| x.clone().map(move |x| z as usize * columns + x as usize))
    }

    /// How many tiles, empty ones too.
    pub(crate) fn tiles(&self) -> usize {
        self.ends.len()
    }

    /// The triangles of a tile, the highest first.
    pub(crate) fn triangles(&self, tile: usize) -> &[u32] {
        let first = tile.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.list[first..self.ends[tile]]
    }

    /// Column and row of a tile.
    pub(crate) fn at(&self, tile: usize) -> [i32; 2] {
        let columns = self.count[0] as usize;
        [(tile % columns) as i32, (tile / columns) as i32]
    }

    /// The place beyond a side of a tile, by Detour's numbers of sides.
    pub(crate) fn beside(&self, [x, z]: [i32; 2], side: u16) -> [i32; 2] {
        match side {
            0 => [x + 1, z],
            2 => [x, z + 1],
            4 => [x - 1, z],
            _ => [x, z - 1],
        }
    }

    /// The smallest corner of a place of the grid, in metres; that after the last is the largest of the last.
    pub(crate) fn corner(&self, [x, z]: [i32; 2]) -> [f64; 3] {
        let side = f64::from(self.side) * self.cell;
        [self.low[0] + f64::from(x) * side, self.low[1], self.low[2] + f64::from(z) * side]
    }

    /// The smallest corner of all, in metres.
    pub(crate) fn origin(&self) -> [f32; 3] {
        self.low.map(|part| part as f32)
    }

    /// Width and depth of a tile, in metres.
    pub(crate) fn side_metres(&self) -> [f32; 2] {
        [(f64::from(self.side) * self.cell) as f32; 2]
    }
}

fn top(points: [[f64; 3]; 3]) -> f64 {
    points.into_iter().map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max)
}
