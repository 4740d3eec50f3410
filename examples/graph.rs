//! A graph of one's own: a level drawn in letters becomes a [`NavGraph`], and all that is written against one works on it.
//!
//! `cargo run --example graph`: statistics, a way from one corner to the other, and the level as Graphviz DOT.

use navmap::Result;
use navmap::export::{Export, Format};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, NavGraph, Node, Point, Shape, Stats, Visitor};
use navmap::query::{NavIndex, Outcome, PathScratch, Query};
use std::io;

/// Floor (`.`), walls (`#`), and a ledge (`v`) from which one drops to the east and does not climb back.
pub(crate) const LEVEL: &str = "\
......
.####.
.#..v.
.#..#.
.####.
......";

/// A level of square cells, each 64 units wide.
#[derive(Debug)]
pub(crate) struct Board {
    rows: Vec<Vec<u8>>,
}

/// How wide a cell is, in units.
const CELL: f32 = 64.0;

impl Board {
    /// Reads a level, one line a row from north to south.
    pub(crate) fn new(level: &str) -> Self {
        Self { rows: level.lines().map(|line| line.bytes().collect()).collect() }
    }

    /// Cells that one may stand on, from north to south: column, row, letter.
    fn cells(&self) -> impl Iterator<Item = (usize, usize, u8)> + '_ {
        let cells = self.rows.iter().enumerate();
        let cells = cells.flat_map(|(y, row)| row.iter().enumerate().map(move |(x, cell)| (x, y, *cell)));
        cells.filter(|(.., cell)| *cell != b'#')
    }

    /// The node of a cell.
    fn node(&self, x: usize, y: usize) -> Option<u32> {
        self.cells().position(|(column, row, _)| (column, row) == (x, y)).map(|index| index as u32)
    }
}

impl NavGraph for Board {
    fn axes(&self) -> Axes {
        Axes::z_up(0.025) // 40 units are a metre
    }

    fn node_word(&self) -> &'static str {
        "cell"
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        for (index, (x, y, cell)) in self.cells().enumerate() {
            let (west, north) = (x as f32 * CELL, y as f32 * -CELL);
            let corners = [(0.0, 0.0), (CELL, 0.0), (CELL, -CELL), (0.0, -CELL)]
                .map(|(east, south)| Point::new(west + east, north + south, 0.0));
            let (index, id) = (index as u32, (y * 1000 + x) as u64);
            let node =
                Node { index, id, shape: Shape::Polygon(&corners), place: None, group: None, flags: 0 };
            if visitor.node(&node).is_break() {
                return Ok(());
            }
            if !V::WANTS.links {
                continue;
            }
            let around = [(x, y.wrapping_sub(1)), (x + 1, y), (x, y + 1), (x.wrapping_sub(1), y)];
            for (column, row) in around {
                let Some(to) = self.node(column, row) else { continue };
                match (cell, self.rows[row][column]) {
                    (b'v', _) if column > x => visitor.link(&Link::new(index, to, LinkKind::Drop)),
                    (_, b'v') if column < x => {} // nobody climbs back
                    _ => visitor.link(&Link::new(index, to, LinkKind::Walk)),
                }
            }
        }
        Ok(())
    }
}

/// What the program prints.
pub(crate) fn report(
    board: &Board,
    out: &mut dyn io::Write,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    Stats::of(board).whole()?.write(out)?;

    let index = NavIndex::build(board).whole()?;
    let mut scratch = PathScratch::new(&index);
    let at =
        |x: f32, y: f32| index.area_at(Point::new(x * CELL, y * -CELL, 10.0), None).ok_or("not on the floor");
    for (from, to) in [((2.5, 2.5), (0.5, 5.5)), ((0.5, 5.5), (2.5, 2.5))] {
        let outcome = scratch.path(&index, at(from.0, from.1)?, at(to.0, to.1)?, &Query::default())?;
        match outcome {
            Outcome::Found { cost } => {
                writeln!(out, "a way of {} cells, {cost} units long", scratch.steps(&index).count())?
            }
            _ => writeln!(out, "no way back")?,
        }
    }
    Export::new(&FlatGraph::of(board).whole()?, "level").write(Format::Dot, out)?;
    Ok(())
}

#[allow(dead_code, reason = "the tests take this file as a module")]
fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    report(&Board::new(LEVEL), &mut io::stdout().lock())
}
