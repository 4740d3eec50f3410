//! The ground: which polygons each group of a tile has.

use super::Map;
use crate::bytes::Rng;

/// Quanta of a tile's side: 128 m at 511 per metre.
pub(super) const SIDE: u16 = 65_408;
/// Quanta of a strip's width.
const STRIP: u16 = 51;

/// A polygon: its corners, quantised, and the sector it lies in.
#[derive(Debug, Clone)]
pub(super) struct Polygon {
    pub(super) corners: Vec<[u16; 3]>,
    pub(super) sector: usize,
}

/// How a tile's numbers become metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    pub(super) origin: [f32; 3],
    pub(super) divisors: [u16; 3],
    pub(super) weight: u16,
}

impl Scale {
    /// Every tile has its own height range, as in the game.
    pub(super) fn for_tile(map: &Map, column: u16, row: u16) -> Self {
        let at = |cell: u16| (f32::from(cell) - f32::from(map.columns) / 2.0) * 128.0;
        let low = -1.0 - f32::from((column + 2 * row) % 3);
        let extent = 16.0 + f32::from((3 * column + row) % 5);
        let height = (65_535.0 / extent) as u16;
        Self { origin: [at(column), low, at(row)], divisors: [511, height, 511], weight: 127 }
    }
}

/// The sides of a tile that have a neighbour, by group: -z, +x, +z, -x.
pub(super) fn neighbours(map: &Map, column: u16, row: u16) -> [Option<u16>; 4] {
    let [columns, rows] = map.size;
    let id = |column: u16, row: u16| row * map.columns + column;
    [
        (row > 0).then(|| id(column, row.wrapping_sub(1))),
        (column + 1 < columns).then(|| id(column + 1, row)),
        (row + 1 < rows).then(|| id(column, row + 1)),
        (column > 0).then(|| id(column.wrapping_sub(1), row)),
    ]
}

/// The polygons of each group: strips where there is a neighbour, then the body in one or two parts.
pub(super) fn groups(map: &Map, column: u16, row: u16) -> Vec<(u16, Vec<Polygon>)> {
    let sides = neighbours(map, column, row);
    let inset = |side: usize| if sides[side].is_some() { STRIP } else { 0 };
    let cuts = |low: u16, high: u16| -> Vec<u16> {
        let (low, high) = (f64::from(low), f64::from(SIDE - high));
        (0..=map.cells).map(|i| (low + (high - low) * i as f64 / map.cells as f64).round() as u16).collect()
    };
    let (xs, zs) = (cuts(inset(3), inset(1)), cuts(inset(0), inset(2)));
    let ground = Ground { map, column, row, scale: Scale::for_tile(map, column, row) };

    let strip = |side: usize| -> Vec<Polygon> {
        let along = if side.is_multiple_of(2) { &xs } else { &zs };
        let across = match side {
            0 | 3 => [0, STRIP],
            _ => [SIDE - STRIP, SIDE],
        };
        let squares = along.windows(2).enumerate().flat_map(|(i, pair)| {
            let (x, z) = if side.is_multiple_of(2) {
                ([pair[0], pair[1]], across)
            } else {
                (across, [pair[0], pair[1]])
            };
            ground.square(x, z, i / map.sector)
        });
        squares.collect()
    };
    let mut groups: Vec<(u16, Vec<Polygon>)> =
        (0..4).filter(|side| sides[*side].is_some()).map(|side| (side as u16, strip(side))).collect();

    let mut rng = Rng(u64::from(row) << 16 | u64::from(column));
    let sectors = map.cells.div_ceil(map.sector);
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for (j, z) in zs.windows(2).enumerate() {
        for (i, x) in xs.windows(2).enumerate() {
            // The rim stays whole, so that every strip meets the body.
            let rim = i == 0 || j == 0 || i + 1 == map.cells || j + 1 == map.cells;
            if map.holes > 0 && rng.below(map.holes) == 0 && !rim {
                continue;
            }
            let sector = j / map.sector * sectors + i / map.sector;
            let part = if map.split && j / map.sector * 2 >= sectors { &mut far } else { &mut near };
            part.extend(ground.square([x[0], x[1]], [z[0], z[1]], sector));
        }
    }
    groups.push((4, near));
    if map.split {
        groups.push((5, far));
    }
    groups
}

struct Ground<'m> {
    map: &'m Map,
    column: u16,
    row: u16,
    scale: Scale,
}

impl Ground<'_> {
    /// Two triangles, or a quad; normals up.
    fn square(&self, x: [u16; 2], z: [u16; 2], sector: usize) -> Vec<Polygon> {
        let [a, b, c, d] =
            [(x[0], z[0]), (x[0], z[1]), (x[1], z[1]), (x[1], z[0])].map(|(x, z)| self.at(x, z));
        let polygon = |corners: &[[u16; 3]]| Polygon { corners: corners.to_vec(), sector };
        if self.map.quads {
            vec![polygon(&[a, b, c, d])]
        } else {
            vec![polygon(&[a, b, c]), polygon(&[a, c, d])]
        }
    }

    /// A zigzag in both directions, in numbers that every machine computes alike.
    fn at(&self, x: u16, z: u16) -> [u16; 3] {
        let metres = |cell: u16, q: u16| f64::from(cell) * 128.0 + f64::from(q) / 511.0;
        let zigzag = |at: f64, length: f64| ((at / length).fract() - 0.5).abs() * 2.0;
        let height = 5.0 * zigzag(metres(self.column, x), 64.0) + 4.0 * zigzag(metres(self.row, z), 48.0);
        let [_, low, _] = self.scale.origin;
        let y = ((height - f64::from(low)) * f64::from(self.scale.divisors[1])).round();
        [x, y as u16, z]
    }
}

/// Whether a side of a strip lies on the tile's border.
pub(super) fn on_border(group: u16, [[ax, _, az], [bx, _, bz]]: [[u16; 3]; 2]) -> bool {
    match group {
        0 => az == 0 && bz == 0,
        1 => ax == SIDE && bx == SIDE,
        2 => az == SIDE && bz == SIDE,
        3 => ax == 0 && bx == 0,
        _ => false,
    }
}
