//! Fox Engine tiles of our own, written from the format's description alone.
//!
//! A [`Map`] is a rectangle of tiles over one height field. Every tile has a body, a strip along each side that has a
//! neighbour, island graphs and a search space, so that all of the game's invariants hold: navmap's `check` finds
//! nothing in them.

mod corpus;
mod graph;
mod group;
mod land;
mod write;

pub use corpus::{files, hostile};

use group::Built;

/// The parameters of a map.
#[derive(Debug, Clone)]
pub struct Map {
    /// First word of the files' names.
    pub name: &'static str,
    /// Columns that tile ids are computed with.
    pub columns: u16,
    /// Existing columns and rows, from the first: at most `columns` each.
    pub size: [u16; 2],
    /// Squares of the body along each axis; each is two triangles, or a quad.
    pub cells: usize,
    /// Squares along each side of a segment: 6 at most, for 85 faces.
    pub sector: usize,
    /// Whether squares stay whole.
    pub quads: bool,
    /// Whether the bodies are cut into two parts.
    pub split: bool,
    /// One square in this many is left out of the body; 0 keeps all.
    pub holes: u64,
    /// Whether each segment is an island of its own.
    pub apart: bool,
}

impl Map {
    /// One tile without neighbours.
    pub fn standalone() -> Self {
        Self {
            name: "alone",
            columns: 2,
            size: [1, 1],
            cells: 6,
            sector: 2,
            quads: false,
            split: false,
            holes: 7,
            apart: false,
        }
    }

    /// One tile of so many squares along each axis, in which each face reaches over half of it if that is wanted.
    pub fn costly(&self, cells: usize, spread: bool) -> Vec<u8> {
        let map = Self { cells, holes: 0, ..self.clone() };
        let mut built = Built::new(&map, 0, 0, land::groups(&map, 0, 0));
        if spread {
            built.groups.iter_mut().for_each(|group| group.spread(cells));
        }
        write::part(&built, 0)
    }

    /// A square map of `side` × `side` tiles, each about the size of one of the game's.
    pub fn square(side: u16) -> Self {
        Self {
            name: "plain",
            columns: side,
            size: [side, side],
            cells: 16,
            sector: 2,
            holes: 11,
            ..Self::standalone()
        }
    }

    /// The files of one tile: name and bytes; two if the map is split.
    pub fn tile(&self, column: u16, row: u16) -> Tile {
        let groups = land::groups(self, column, row);
        let built = Built::new(self, column, row, groups);
        let stem = format!("{}_{}_{}_nav", self.name, 101 + column, 101 + row);
        let names = [format!("{stem}.nav2"), format!("{stem}.1.nav2")];
        let parts = if self.split { 2 } else { 1 };
        let files =
            names.into_iter().take(parts).enumerate().map(|(part, name)| (name, write::part(&built, part)));
        Tile { files: files.collect(), counts: built.counts(parts) }
    }

    /// Every tile, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        let [columns, rows] = self.size;
        (0..rows).flat_map(move |row| (0..columns).map(move |column| self.tile(column, row)))
    }
}

/// One tile as files.
#[derive(Debug, Clone)]
pub struct Tile {
    /// Name and bytes, part 0 first.
    pub files: Vec<(String, Vec<u8>)>,
    /// For each file: groups, segments, vertices, faces, nodes, edges.
    pub counts: Vec<[usize; 6]>,
}
