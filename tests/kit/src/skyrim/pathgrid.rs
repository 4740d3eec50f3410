//! Generated plugins of Morrowind and Oblivion with path grids.

#![allow(missing_docs)]

use super::plugin::{COMPRESSED, DELETED, field};
use super::zlib::zlib;
use crate::Made;
use crate::bytes::Out;

/// A grid under construction. Links are pairs of points, in the order in which they are stored.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    pub points: Vec<[i32; 3]>,
    pub links: Vec<(i32, i32)>,
    /// Points that the editor has made.
    pub generated: Vec<usize>,
    /// Links into other cells: the point, and where the other is.
    pub foreign: Vec<(u16, [f32; 3])>,
}

impl Grid {
    /// Points on a line of steps of 256 units, each joined with the next.
    pub fn line(len: i32, at: [i32; 3]) -> Self {
        let [x, y, z] = at;
        let points = (0..len).map(|nth| [x + nth * 256, y, z]).collect();
        Self {
            points,
            links: (1..len).map(|nth| (nth - 1, nth)).collect(),
            generated: vec![0],
            foreign: Vec::new(),
        }
    }

    /// The fields of a grid of Morrowind: its cell and name.
    pub fn morrowind(&self, cell: [i32; 2], name: &str) -> Vec<u8> {
        let both: Vec<(i32, i32)> = self.links.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
        self.morrowind_of(&both, cell, name)
    }

    /// The same with links as they are stored.
    pub fn morrowind_of(&self, links: &[(i32, i32)], cell: [i32; 2], name: &str) -> Vec<u8> {
        let mut data = Out::new();
        data.i32(cell[0]).i32(cell[1]).u16(1024).u16(self.points.len() as u16);
        let (mut points, mut targets) = (Out::new(), Out::new());
        for (nth, point) in self.points.iter().enumerate() {
            let of: Vec<i32> =
                links.iter().filter(|(from, _)| *from == nth as i32).map(|(_, to)| *to).collect();
            point.iter().for_each(|value| _ = points.i32(*value));
            points.u8(u8::from(self.generated.contains(&nth))).u8(of.len() as u8).u16(0xCDCD);
            of.iter().for_each(|to| _ = targets.i32(*to));
        }
        let name = [name.as_bytes(), &[0]].concat();
        [wide(b"DATA", &data.0), wide(b"NAME", &name), wide(b"PGRP", &points.0), wide(b"PGRC", &targets.0)]
            .concat()
    }

    /// The fields of a grid of Oblivion.
    pub fn oblivion(&self) -> Vec<u8> {
        let (mut points, mut pairs, mut foreign) = (Out::new(), Out::new(), Out::new());
        let mut bits = vec![0_u8; self.points.len().div_ceil(8)];
        for (nth, point) in self.points.iter().enumerate() {
            let of = self.links.iter().filter(|(a, b)| [*a, *b].contains(&(nth as i32))).count();
            points.f32s(&point.map(|value| value as f32)).u8(of as u8).raw(&[0xCD; 3]);
            bits[nth / 8] |= u8::from(self.generated.contains(&nth)) << (nth % 8);
        }
        for (a, b) in &self.links {
            pairs.u16(*a as u16).u16(*b as u16);
        }
        for (point, at) in &self.foreign {
            foreign.u16(*point).u16(0).f32s(at);
        }
        let mut fields = [
            field(b"DATA", &(self.points.len() as u16).to_le_bytes()),
            field(b"PGRP", &points.0),
            field(b"PGAG", &bits),
            field(b"PGRR", &pairs.0),
        ]
        .concat();
        if !self.foreign.is_empty() {
            fields.extend(field(b"PGRI", &foreign.0));
        }
        fields.extend(field(b"PGRL", &[1, 0, 0, 1, 0, 0, 0, 0]));
        fields
    }
}

/// A field whose size has four bytes.
pub fn wide(tag: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut out = Out::new();
    out.raw(tag).u32(data.len() as u32).raw(data);
    out.0
}

/// A record of Morrowind.
pub fn record3(tag: &[u8; 4], flags: u32, data: &[u8]) -> Vec<u8> {
    let mut out = Out::new();
    out.raw(tag).u32(data.len() as u32).u32(0).u32(flags).raw(data);
    out.0
}

/// A record of Oblivion; its data is compressed where the flags say so.
pub fn record4(tag: &[u8; 4], form: u32, flags: u32, data: &[u8]) -> Vec<u8> {
    let stored = match flags & COMPRESSED {
        0 => data.to_vec(),
        _ => [&(data.len() as u32).to_le_bytes()[..], &zlib(data)].concat(),
    };
    raw_record4(tag, form, flags, &stored)
}

/// A record of Oblivion with its data as it is stored.
pub fn raw_record4(tag: &[u8; 4], form: u32, flags: u32, stored: &[u8]) -> Vec<u8> {
    let mut out = Out::new();
    out.raw(tag).u32(stored.len() as u32).u32(flags).u32(form).u32(0x0000_1A2B).raw(stored);
    out.0
}

fn group4(label: [u8; 4], kind: i32, children: &[Vec<u8>]) -> Vec<u8> {
    let children = children.concat();
    let mut out = Out::new();
    out.raw(b"GRUP").u32(children.len() as u32 + 20).raw(&label).i32(kind).u32(0x0000_1A2B).raw(&children);
    out.0
}

/// The file header of Morrowind.
pub fn header3() -> Vec<u8> {
    let mut hedr = Out::new();
    hedr.f32(1.3).u32(0);
    let mut text = |text: &str, len: usize| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(len, 0);
        hedr.raw(&bytes);
    };
    text("Zoë", 32);
    text("Made by the tests", 256);
    hedr.u32(4);
    let master = [wide(b"MAST", b"Morrowind.esm\0"), wide(b"DATA", &79_837_557_u64.to_le_bytes())].concat();
    record3(b"TES3", 0, &[wide(b"HEDR", &hedr.0), master].concat())
}

/// The file header of Oblivion.
pub fn header4() -> Vec<u8> {
    let mut hedr = Out::new();
    hedr.f32(1.0).i32(9).u32(0x800);
    let fields = [
        field(b"HEDR", &hedr.0),
        field(b"CNAM", b"Zoe\0"),
        field(b"MAST", b"Oblivion.esm\0"),
        field(b"DATA", &[0; 8]),
    ];
    record4(b"TES4", 0, 0, &fields.concat())
}

/// A cell of Morrowind, interior if it has no place.
pub fn cell3(name: &str, place: Option<[i32; 2]>) -> Vec<u8> {
    let mut data = Out::new();
    let [x, y] = place.unwrap_or_default();
    data.u32(u32::from(place.is_none())).i32(x).i32(y);
    let name = [name.as_bytes(), &[0]].concat();
    record3(b"CELL", 0, &[wide(b"NAME", &name), wide(b"DATA", &data.0)].concat())
}

/// An interior cell of Oblivion with its temporary children.
pub fn interior4(form: u32, name: &str, children: &[Vec<u8>]) -> Vec<u8> {
    let name = [name.as_bytes(), &[0]].concat();
    let cell = record4(b"CELL", form, COMPRESSED, &[field(b"EDID", &name), field(b"DATA", &[1])].concat());
    let children = group4(form.to_le_bytes(), 6, &[group4(form.to_le_bytes(), 9, children)]);
    let sub = group4([0; 4], 3, &[cell, children]);
    group4(*b"CELL", 0, &[group4([0; 4], 2, &[sub])])
}

/// An exterior cell of Oblivion: its FormID and place, and its temporary children.
pub type Cell4 = (u32, [i32; 2], Vec<Vec<u8>>);

/// A worldspace of Oblivion with exterior cells.
pub fn world4(form: u32, name: &str, cells: &[Cell4]) -> Vec<u8> {
    let name = [name.as_bytes(), &[0]].concat();
    let cells = cells.iter().map(|(cell, [x, y], children)| {
        let mut place = Out::new();
        place.i32(*x).i32(*y);
        let record = record4(b"CELL", *cell, 0, &[field(b"DATA", &[2]), field(b"XCLC", &place.0)].concat());
        let temporary = group4(cell.to_le_bytes(), 9, children);
        [record, group4(cell.to_le_bytes(), 6, &[temporary])].concat()
    });
    let sub = group4([0; 4], 5, &cells.collect::<Vec<_>>());
    let children = group4(form.to_le_bytes(), 1, &[group4([0; 4], 4, &[sub])]);
    group4(*b"WRLD", 0, &[record4(b"WRLD", form, 0, &field(b"EDID", &name)), children])
}

/// Morrowind: two cells side by side outside, and an interior.
pub fn morrowind() -> Vec<u8> {
    let outside = Grid::line(6, [256, 512, 64]).morrowind([3, -2], "Vale");
    let beside = Grid::line(4, [512, 512, 64]).morrowind([4, -2], "Vale");
    let inside = Grid::line(5, [0, 0, -128]).morrowind([0, 0], "Vale, Mill");
    [
        header3(),
        cell3("Vale", Some([3, -2])),
        record3(b"PGRD", 0, &outside),
        cell3("", Some([4, -2])),
        record3(b"PGRD", 0, &beside),
        cell3("Vale, Mill", None),
        record3(b"PGRD", 0, &inside),
    ]
    .concat()
}

/// Oblivion: two cells of a worldspace whose grids are joined, and an interior whose grid is compressed.
pub fn oblivion() -> Vec<u8> {
    let (mut west, mut east) = (Grid::line(4, [3_200, 100, 50]), Grid::line(4, [4_160, 100, 50]));
    west.foreign.push((3, [4_160.0, 110.0, 50.0]));
    east.foreign.push((0, [3_968.0, 100.0, 50.0]));
    let inside = Grid::line(9, [0, 0, -128]);
    let cells = [
        (0x0100_0810, [0, 0], vec![record4(b"PGRD", 0x0100_0811, 0, &west.oblivion())]),
        (0x0100_0820, [1, 0], vec![record4(b"PGRD", 0x0100_0821, 0, &east.oblivion())]),
    ];
    let cellar = record4(b"PGRD", 0x0100_0831, COMPRESSED, &inside.oblivion());
    [
        header4(),
        group4(*b"STAT", 0, &[record4(b"STAT", 0x0100_0805, 0, &field(b"EDID", b"Stone\0"))]),
        interior4(0x0100_0830, "TestCellar", &[cellar]),
        world4(0x0100_0800, "TestVale", &cells),
    ]
    .concat()
}

/// Two grids that `check` has something to say about, and one that is deleted.
fn odd3() -> Vec<u8> {
    let mut grid = Grid::line(6, [256, 512, 64]);
    grid.points.push([9_000, 0, 0]);
    grid.links.remove(2);
    let both: Vec<(i32, i32)> = grid.links.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
    // To itself, twice, and one way.
    let links = [&both[..], &[(0, 0), (0, 1), (3, 5)]].concat();
    [
        header3(),
        record3(b"PGRD", 0, &grid.morrowind_of(&links, [-1, 7], "")),
        cell3("Hall", None),
        record3(b"PGRD", DELETED, &[]),
    ]
    .concat()
}

fn odd4() -> Vec<u8> {
    let mut grid = Grid::line(4, [100, 100, 50]);
    // With one end; twice; to a cell that has a grid, far from its points, and to one that has none.
    grid.links.extend([(3, -1), (1, 0)]);
    grid.foreign = vec![(3, [4_600.0, 3_000.0, 0.0]), (0, [-90_000.0, 0.0, 0.0])];
    let mut fields = grid.oblivion();
    let at = fields.windows(4).position(|tag| tag == b"PGAG").expect("it has the field");
    fields.splice(at + 4..at + 7, [2, 0, 1, 0]);
    let cells = [
        (0x0100_0810, [0, 0], vec![record4(b"PGRD", 0x0100_0811, 0, &fields)]),
        (
            0x0100_0820,
            [1, 0],
            vec![record4(b"PGRD", 0x0100_0821, 0, &Grid::line(3, [4_200, 100, 50]).oblivion())],
        ),
    ];
    [header4(), world4(0x0100_0800, "TestVale", &cells)].concat()
}

/// A plugin of Morrowind with these bytes as its only grid.
fn only(fields: &[u8]) -> Vec<u8> {
    [header3(), cell3("Hall", None), record3(b"PGRD", 0, fields)].concat()
}

/// The bundled corpus.
pub fn files() -> Vec<Made> {
    let mut files = Vec::new();
    let mut add = |path: &str, bytes: Vec<u8>, counts: Option<[usize; 2]>, status: &str, note: &str| {
        let game = if bytes.starts_with(b"TES3") { "Morrowind" } else { "Oblivion" };
        let mut row = vec![("form", "plugin".to_owned()), ("game", game.to_owned())];
        if let Some([grids, points]) = counts {
            row.extend([("grids", grids.to_string()), ("points", points.to_string())]);
        }
        row.extend([("status", status.to_owned()), ("note", note.to_owned())]);
        files.push(Made { path: path.to_owned(), bytes, row });
    };
    add("tes3.esp", morrowind(), Some([3, 15]), "ok", "two cells side by side, and an interior");
    add(
        "tes4.esp",
        oblivion(),
        Some([3, 17]),
        "ok",
        "two cells joined by a link, and an interior, compressed",
    );
    add("none.esm", header3(), Some([0, 0]), "ok", "no grid");
    add("odd/tes3.esp", odd3(), Some([2, 7]), "warning", "what check finds in grids of Morrowind");
    add("odd/tes4.esp", odd4(), Some([2, 7]), "warning", "what check finds in grids of Oblivion");
    let mut inline = Out::new();
    inline.i32(0).i32(0).u16(1024).u16(2).raw(b"Hall").raw(&[0; 28]);
    let line = Grid::line(2, [0; 3]).morrowind([0, 0], "");
    // DATA has 8 + 12 bytes, NAME 8 + 1.
    let old = [wide(b"DATA", &inline.0), line[29..].to_vec()].concat();
    add("odd/inline-name.esp", only(&old), Some([1, 2]), "ok", "a name in DATA, as old tools write it");
    let mut far = Grid::line(3, [0; 3]);
    far.links.push((2, 40));
    add(
        "hostile/targets.esp",
        only(&far.morrowind_of(&[(0, 40)], [0; 2], "Hall")),
        Some([1, 3]),
        "error",
        "a link to no point",
    );
    let mut counts = Grid::line(3, [0; 3]).morrowind([0; 2], "Hall");
    counts[18] = 9;
    let end = counts.len();
    let size = counts.windows(4).position(|tag| tag == b"PGRC").expect("it has the field") + 4;
    counts[size] -= 4;
    counts.truncate(end - 4);
    add("hostile/counts.esp", only(&counts), Some([1, 3]), "error", "fewer points and links than it says");
    let ragged = [wide(b"DATA", &[0; 12]), wide(b"PGRP", &[0; 17])].concat();
    add("hostile/ragged.esp", only(&ragged), Some([1, 0]), "error", "a point and a byte");
    let line = || record4(b"PGRD", 0x0100_0831, 0, &Grid::line(2, [0; 3]).oblivion());
    let twice = [header4(), interior4(0x0100_0830, "TestCellar", &[line(), line()])].concat();
    add("hostile/twice.esp", twice, Some([2, 4]), "error", "two grids of one FormID");
    let whole = oblivion();
    add("hostile/cut.esp", whole[..whole.len() - 40].to_vec(), None, "error", "cut in the last grid");
    files
}
