//! A grid in which the areas of one tile are exchanged for others.

use super::{Asked, Cells, Grid, Listed, Span, Width, Widths, fill};
use std::ops::Range;

/// The areas of a tile that are exchanged for others.
#[derive(Debug)]
pub(in super::super) struct Exchange {
    /// Those that leave, with the numbers that they had.
    pub(in super::super) old: Vec<Listed>,
    /// Those that come, with the numbers that they get.
    pub(in super::super) new: Vec<Listed>,
    /// The numbers that become free.
    pub(in super::super) leaving: Range<u32>,
    /// How many numbers take their place.
    pub(in super::super) coming: u32,
}

impl Exchange {
    /// The number that an area gets which stays.
    #[inline(always)]
    pub(in super::super) fn moved(&self, number: u32) -> u32 {
        let by = self.coming.wrapping_sub(self.leaving.end - self.leaving.start);
        if number < self.leaving.end { number } else { number.wrapping_add(by) }
    }
}

impl Grid {
    /// What [`new`](Grid::new) makes of all boxes after an exchange, of which `last` is the highest number. `None` if the cells would be
    /// others.
    pub(in super::super) fn exchanged(&self, change: &Exchange, asked: &Asked, last: u32) -> Option<Self> {
        match self {
            Self::Small(cells) => cells.exchanged(change, asked, last, Widths::Small).map(Self::Small),
            Self::Middle(cells) => cells.exchanged(change, asked, last, Widths::Middle).map(Self::Middle),
            Self::Large(cells) => cells.exchanged(change, asked, last, Widths::Large).map(Self::Large),
        }
    }
}

impl<S: Width, I: Width> Cells<S, I> {
    fn exchanged(&self, change: &Exchange, asked: &Asked, last: u32, widths: Widths) -> Option<Self> {
        let mut tried = Vec::with_capacity(self.tried.len());
        let frame = asked.frame(|frame| {
            let (_, items) = self.tried.iter().find(|(known, _)| known == frame)?;
            let sum = |listed: &[Listed]| listed.iter().map(|listed| frame.span(listed).cells()).sum::<u64>();
            let items = items - sum(&change.old) + sum(&change.new);
            tried.push((*frame, items));
            Some(items)
        })?;
        let (_, items) = *tried.last()?;
        if frame != self.frame || Widths::of(items, last) != widths {
            return None;
        }
        let mut made = Self {
            frame,
            tried,
            starts: Vec::with_capacity(self.starts.len()),
            items: Vec::with_capacity(items as usize),
        };
        made.take(self, change);
        Some(made)
    }

    /// Takes all cells of the old grid, those under the tile without what leaves and with what comes.
    fn take(&mut self, old: &Self, change: &Exchange) {
        let columns = self.frame.columns as usize;
        let spans = |listed: &[Listed]| -> Vec<Span> {
            listed.iter().map(|listed| self.frame.span(listed)).collect()
        };
        let (leaving, mut coming) = (spans(&change.old), spans(&change.new));
        let (mut first, mut last) = ([u32::MAX; 2], [0; 2]);
        for span in leaving.iter().chain(&coming) {
            first = [0, 1].map(|axis| first[axis].min(span.first[axis]));
            last = [0, 1].map(|axis| last[axis].max(span.last[axis]));
        }
        let all = old.starts.len() - 1;
        if first[0] > last[0] {
            self.copy(old, 0..all, change);
        } else {
            for span in &mut coming {
                for axis in 0..2 {
                    span.first[axis] -= first[axis];
                    span.last[axis] -= first[axis];
                }
            }
            let (starts, items) = fill([0, 1].map(|axis| last[axis] - first[axis] + 1), &coming);
            let mut cell = 0;
            self.copy(old, 0..first[1] as usize * columns, change);
            for y in first[1] as usize..=last[1] as usize {
                let row = y * columns;
                self.copy(old, row..row + first[0] as usize, change);
                for x in first[0] as usize..=last[0] as usize {
                    let [start, end] = [starts[cell], starts[cell + 1]].map(|at| at as usize);
                    self.exchange(old, row + x, &items[start..end], change);
                    cell += 1;
                }
                self.copy(old, row + last[0] as usize + 1..row + columns, change);
            }
            self.copy(old, (last[1] as usize + 1) * columns..all, change);
        }
        self.starts.push(S::narrow(self.items.len() as u32));
    }

    /// Takes cells in which nothing is exchanged.
    fn copy(&mut self, old: &Self, cells: Range<usize>, change: &Exchange) {
        let [start, end] = [old.starts[cells.start], old.starts[cells.end]].map(Width::wide);
        let by = (self.items.len() as u32).wrapping_sub(start);
        self.starts.extend(old.starts[cells].iter().map(|start| S::narrow(start.wide().wrapping_add(by))));
        let items = &old.items[start as usize..end as usize];
        self.items.extend(items.iter().map(|item| I::narrow(change.moved(item.wide()))));
    }

    /// Takes a cell with `coming` in place of what leaves it.
    fn exchange(&mut self, old: &Self, cell: usize, coming: &[u32], change: &Exchange) {
        self.starts.push(S::narrow(self.items.len() as u32));
        let [start, end] = [old.starts[cell], old.starts[cell + 1]].map(|at| at.wide() as usize);
        let items = &old.items[start..end];
        // Tiles come one after the other in a cell, as they do in the file.
        let before = items.iter().take_while(|item| item.wide() < change.leaving.start).count();
        let after = items.iter().take_while(|item| item.wide() < change.leaving.end).count();
        self.items.extend_from_slice(&items[..before]);
        self.items.extend(coming.iter().map(|item| I::narrow(*item)));
        self.items.extend(items[after..].iter().map(|item| I::narrow(change.moved(item.wide()))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tile of so many boxes of about this size, numbered from `first` on, listed in another order.
    fn tile(at: f32, count: u32, size: f32, first: u32) -> Vec<Listed> {
        let listed = |n: u32| {
            let (x, y) = (at + (n * 7 % 10) as f32, at / 3.0 + (n * 3 % 10) as f32);
            Listed { low: [x, y], high: [x + size, y + size], number: first + (n * 7 + 3) % count.max(1) }
        };
        (0..count).map(listed).collect()
    }

    fn asked(all: &[Listed], side: f32) -> Asked {
        Asked { bounds: Listed::bounds(all), side, most: all.len() * 8 + 16, divides: false }
    }

    #[test]
    fn a_grid_after_an_exchange_is_the_one_that_is_made_anew() {
        let mut copied = 0;
        // Tiles of which the middle one gets more or fewer areas, or all of them, or none; cells that are as small as was asked, and
        // larger ones; numbers of two bytes, and of four.
        for (count, size, others) in
            [(40, 1.0, 60), (40, 9.0, 60), (40, 2.0, 70_000), (0, 1.0, 60), (40, 1.0, 0)]
        {
            for now in [0, 1, 39, 40, 55] {
                let before = tile(0.0, 60, size, 0);
                let (old, new) = (tile(20.0, count, size, 60), tile(20.0, now, size, 60));
                let after = |first| {
                    let mut after = tile(40.0, 60, size, first);
                    after.extend(tile(41.0, others, 0.5, first + 60));
                    after
                };
                let was = [before.clone(), old.clone(), after(60 + count)].concat();
                let is = [before, new.clone(), after(60 + now)].concat();
                let grid = Grid::new(&was, 1.0, asked(&was, 1.0).most, false);
                let change = Exchange { old, new, leaving: 60..60 + count, coming: now };
                let last = is.iter().map(|listed| listed.number).max().unwrap();
                let anew = Grid::new(&is, 1.0, asked(&is, 1.0).most, false);
                if let Some(exchanged) = grid.exchanged(&change, &asked(&is, 1.0), last) {
                    assert_eq!(
                        format!("{exchanged:?}"),
                        format!("{anew:?}"),
                        "{count} {size} {others} {now}"
                    );
                    copied += 1;
                }
            }
        }
        assert!(copied > 15, "{copied} of 25");
    }
}
