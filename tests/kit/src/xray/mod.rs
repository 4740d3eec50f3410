//! Walking grids of the X-Ray engine: the bundled corpus.

#![allow(missing_docs)]

use crate::Made;
use crate::bytes::Out;

const CELL: f32 = 0.7;

#[derive(Debug, Clone)]
pub struct Node {
    pub square: u32,
    pub height: u16,
    pub links: [Option<u32>; 4],
    pub cover: [u16; 2],
    pub light: u8,
}

#[derive(Debug, Clone)]
pub struct Grid {
    pub columns: u32,
    pub rows: u32,
    pub high: f32,
    pub nodes: Vec<Node>,
}

impl Grid {
    /// The squares of which `height` tells heights, those of one square from low to high. Neighbours are joined if neither is more
    /// than `climb` higher than the other.
    pub fn new(
        columns: u32,
        rows: u32,
        high: f32,
        climb: u16,
        height: impl Fn(u32, u32) -> Vec<u16>,
    ) -> Self {
        let mut nodes = Vec::new();
        for (x, z) in (0..columns).flat_map(|x| (0..rows).map(move |z| (x, z))) {
            for height in height(x, z) {
                let cover = [((x % 16) | ((z % 16) << 12)) as u16, 0x8421];
                nodes.push(Node { square: x * rows + z, height, links: [None; 4], cover, light: 5 });
            }
        }
        let mut grid = Self { columns, rows, high, nodes };
        for at in 0..grid.nodes.len() {
            let node = grid.nodes[at].clone();
            let (x, z) = ((node.square / rows) as i32, (node.square % rows) as i32);
            for (link, (dx, dz)) in [(-1, 0), (0, 1), (1, 0), (0, -1)].into_iter().enumerate() {
                let (x, z) = (x + dx, z + dz);
                if x < 0 || z < 0 || x >= columns as i32 || z >= rows as i32 {
                    continue;
                }
                let square = x as u32 * rows + z as u32;
                let beside =
                    |other: &Node| other.square == square && other.height.abs_diff(node.height) <= climb;
                grid.nodes[at].links[link] = grid.nodes.iter().position(beside).map(|to| to as u32);
            }
        }
        grid
    }

    /// A level of one floor, large enough for no cache: every square has a node, and all neighbours are joined.
    pub fn large() -> Self {
        let (columns, rows) = (1_024_u32, 1_024_u32);
        let node = |square: u32| {
            let (x, z) = (square / rows, square % rows);
            let beside = [
                x.checked_sub(1).map(|_| square - rows),
                (z + 1 < rows).then_some(square + 1),
                (x + 1 < columns).then_some(square + rows),
                z.checked_sub(1).map(|_| square - 1),
            ];
            let height = (square.wrapping_mul(2_654_435_761) >> 24) as u16;
            Node { square, height, links: beside, cover: [square as u16, !square as u16], light: 5 }
        };
        Self { columns, rows, high: 12.0, nodes: (0..columns * rows).map(node).collect() }
    }

    pub fn links(&self) -> usize {
        self.nodes.iter().map(|node| node.links.iter().flatten().count()).sum()
    }

    pub fn bytes(&self, version: u32) -> Vec<u8> {
        let mut out = Out::new();
        out.u32(version).u32(self.nodes.len() as u32).f32(CELL).f32(self.high + 0.001);
        let last = |squares: u32| (squares - 1) as f32 * CELL;
        out.f32s(&[0.0, 0.0, 0.0]).f32s(&[last(self.columns), self.high, last(self.rows)]);
        out.raw(&std::array::from_fn::<u8, 16, _>(|byte| byte as u8 * 3));
        let (bits, bytes) = match version {
            ..=10 => (23, 12),
            11 | 12 => (25, 13),
            _ => (26, 13),
        };
        for node in &self.nodes {
            let none = (1_u128 << bits) - 1;
            let mut packed = if version >= 13 { 0 } else { u128::from(node.light) << (4 * bits) };
            for (nth, link) in node.links.iter().enumerate() {
                packed |= link.map_or(none, u128::from) << (nth * bits);
            }
            out.raw(&packed.to_le_bytes()[..bytes]).u16(node.cover[0]);
            if version >= 10 {
                out.u16(node.cover[1]);
            }
            out.u16(0xA3C5)
                .raw(&node.square.to_le_bytes()[..if version >= 12 { 4 } else { 3 }])
                .u16(node.height);
        }
        out.0
    }
}

/// A floor of six by six squares with a wall that has one door, and a roof over a corner of it.
pub fn sample() -> Grid {
    Grid::new(6, 6, 4.0, 4_000, |x, z| match (x, z) {
        (3, 0..=1 | 3..=5) => vec![],
        (0, 5) | (1, 5) => vec![1_000, 60_000],
        _ => vec![1_000 + 200 * x as u16],
    })
}

/// The bundled corpus.
pub fn files() -> Vec<Made> {
    let mut files = Vec::new();
    let mut add =
        |path: &str, version: u32, grid: Option<&Grid>, status: &str, bytes: Vec<u8>, note: &str| {
            let mut row = vec![("form", "level.ai".to_owned()), ("version", version.to_string())];
            if let Some(grid) = grid {
                row.extend([("nodes", grid.nodes.len().to_string()), ("links", grid.links().to_string())]);
            }
            row.extend([("status", status.to_owned()), ("note", note.to_owned())]);
            files.push(Made { path: path.to_owned(), bytes, row });
        };
    let grid = sample();
    for version in 8..=13 {
        let note = "a wall with a door, and a roof over a corner";
        add(&format!("v{version}.ai"), version, Some(&grid), "ok", grid.bytes(version), note);
    }
    add(
        "odd/v14.ai",
        14,
        Some(&grid),
        "warning",
        grid.bytes(14),
        "an unknown version, laid out as version 13",
    );
    let tail = [grid.bytes(10), vec![0x55; 3]].concat();
    add("odd/trailing.ai", 10, Some(&grid), "warning", tail, "three bytes behind the end");
    let none = Grid::new(2, 2, 1.0, 0, |_, _| vec![]);
    add("odd/empty.ai", 10, Some(&none), "ok", none.bytes(10), "no nodes");
    let apart = Grid::new(4, 1, 1.0, 0, |x, _| if x % 2 == 0 { vec![7] } else { vec![] });
    add("odd/no-links.ai", 10, Some(&apart), "ok", apart.bytes(10), "no links");
    let drops = Grid::new(4, 2, 12.0, u16::MAX, |x, _| vec![if x < 2 { 60_000 } else { 0 }]);
    let mut drops = drops;
    drops.nodes[4].links[0] = None;
    add("odd/drop.ai", 10, Some(&drops), "ok", drops.bytes(10), "a deep drop, one way in a square");
    let mut odd = sample();
    odd.nodes[9].square = odd.nodes[8].square;
    odd.nodes[9].height = odd.nodes[8].height;
    odd.nodes[20].links[1] = Some(3);
    odd.nodes[24].square = 0;
    let last = odd.nodes.len() - 1;
    odd.nodes[last].square = 6 * 40;
    let mut bytes = odd.bytes(10);
    bytes[12..16].copy_from_slice(&9_f32.to_le_bytes());
    add("odd/values.ai", 10, Some(&odd), "error", bytes, "what check finds in the head, nodes and links");
    let mut far = sample();
    far.nodes[2].links[0] = Some(33);
    add("hostile/targets.ai", 10, Some(&far), "error", far.bytes(10), "a link to a node that does not exist");
    let whole = grid.bytes(10);
    let patched = |at: usize, bytes: [u8; 4]| {
        let mut file = whole.clone();
        file[at..at + 4].copy_from_slice(&bytes);
        file
    };
    let mut refused = |path: &str, bytes: Vec<u8>, note: &str| add(path, 10, None, "error", bytes, note);
    refused("hostile/most-nodes.ai", patched(4, [0xFF; 4]), "more nodes than the file has");
    refused("hostile/cut.ai", whole[..200].to_vec(), "ends in a node");
    refused("hostile/head.ai", whole[..30].to_vec(), "ends in the head");
    refused("hostile/old.ai", patched(0, 7_u32.to_le_bytes()), "a version without the build's number");
    refused("hostile/cell.ai", patched(8, f32::NAN.to_le_bytes()), "squares that are no number wide");
    refused("hostile/wide.ai", patched(16, f32::MAX.to_le_bytes()), "a box whose end lies before its start");
    files
}
