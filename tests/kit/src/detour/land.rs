//! A land of square tiles, four by four squares each, with a hole, a pond and a hill.

use super::tile::{OffMesh, Poly, Tile, Traverse};

/// Side of a tile.
pub const SIDE: f32 = 8.0;
/// Where the first tile begins.
pub const ORIGIN: [f32; 3] = [-4.0, 1.0, 2.0];
const SQUARES: usize = 4;

/// A point, from coordinates along the two axes of the grid and a height.
pub fn point(version: u32, [u, v]: [f32; 2], height: f32) -> [f32; 3] {
    let [ox, oy, oz] = ORIGIN;
    if version == 13 { [ox - u, oz + v, oy + height] } else { [ox + u, oy + height, oz + v] }
}

fn height(u: f32, v: f32) -> f32 {
    // Sixteenths, so that every reader gets the same number.
    ((u * 3.0 + v * 5.0) as i32 % 7) as f32 / 16.0
}

/// One tile. `neighbours` are the sides (0, 2, 4, 6) with a tile, real or possible, beyond them.
pub fn tile(version: u32, at: [i32; 2], neighbours: &[u16]) -> Tile {
    let step = SIDE / SQUARES as f32;
    let start = [at[0] as f32 * SIDE, at[1] as f32 * SIDE];
    let mut vertices = Vec::new();
    for row in 0..=SQUARES {
        for column in 0..=SQUARES {
            let (u, v) = (start[0] + column as f32 * step, start[1] + row as f32 * step);
            vertices.push(point(version, [u, v], height(u, v)));
        }
    }
    // The square in the second row and column of the first tile is a hole.
    let is_hole = |row: usize, column: usize| at == [0, 0] && (row, column) == (1, 1);
    let mut number = [None; SQUARES * SQUARES];
    let mut next = 0u16;
    for row in 0..SQUARES {
        for column in 0..SQUARES {
            if !is_hole(row, column) {
                number[row * SQUARES + column] = Some(next);
                next += 1;
            }
        }
    }
    let mut polygons = Vec::new();
    for row in 0..SQUARES {
        for column in 0..SQUARES {
            if is_hole(row, column) {
                continue;
            }
            let vertex = |r: usize, c: usize| ((row + r) * (SQUARES + 1) + column + c) as u16;
            let over = |side: u16, dr: i32, dc: i32| {
                let (r, c) = (row as i32 + dr, column as i32 + dc);
                if (0..SQUARES as i32).contains(&r) && (0..SQUARES as i32).contains(&c) {
                    return number[r as usize * SQUARES + c as usize].map_or(0, |n| n + 1);
                }
                if neighbours.contains(&side) { 0x8000 | side } else { 0 }
            };
            let pond = (row, column) == (3, 3);
            polygons.push(Poly {
                corners: vec![vertex(0, 0), vertex(1, 0), vertex(1, 1), vertex(0, 1)],
                neighbours: vec![over(4, 0, -1), over(2, 1, 0), over(0, 0, 1), over(6, -1, 0)],
                flags: if pond { 2 } else { 1 },
                area: if pond { 1 } else { 0 },
                kind: 0,
                first_link: u32::MAX,
                peak: (row, column) == (2, 2),
            });
        }
    }
    let near = point(version, start, 0.0);
    let far = point(version, [start[0] + SIDE, start[1] + SIDE], 0.75);
    let mut min = [0.0; 3];
    let mut max = [0.0; 3];
    for axis in 0..3 {
        min[axis] = near[axis].min(far[axis]);
        max[axis] = near[axis].max(far[axis]);
    }
    Tile {
        version,
        at,
        layer: 0,
        vertices,
        polygons,
        off_mesh: Vec::new(),
        traverse: Vec::new(),
        min,
        max,
        wide: false,
    }
}

/// A land of adjacent tiles, with a connection inside the first tile and a one-way one across its side.
pub fn land(version: u32, columns: i32, rows: i32) -> Vec<Tile> {
    let mut tiles = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let sides = [(0, column + 1 < columns), (2, row + 1 < rows), (4, column > 0), (6, row > 0)];
            let neighbours: Vec<u16> =
                sides.into_iter().filter(|(_, there)| *there).map(|(side, _)| side).collect();
            tiles.push(tile(version, [column, row], &neighbours));
        }
    }
    if version != 16 {
        let mut add = |start: [f32; 2], end: [f32; 2], both, side| {
            let [start, end] = [start, end].map(|[u, v]| point(version, [u, v], height(u, v)));
            tiles[0].off_mesh.push(OffMesh { start, end, radius: 0.6, both, side });
            for at in [start, end] {
                tiles[0].vertices.push(at);
            }
            let last = tiles[0].vertices.len() as u16;
            tiles[0].polygons.push(Poly {
                corners: vec![last - 2, last - 1],
                neighbours: vec![0, 0],
                flags: 8,
                area: 5,
                kind: 1,
                first_link: u32::MAX,
                peak: false,
            });
        };
        add([1.0, 1.0], [5.0, 5.0], true, 0xFF);
        if columns > 1 {
            add([3.0, 7.0], [9.0, 1.0], false, 0);
        }
    }
    if version == 13 {
        // Two jumps from the first polygon: to one of its own tile, and to one of the second.
        tiles[0].polygons[0].first_link = 0;
        let second = if columns > 1 { 1 << 7 } else { 0 };
        tiles[0].traverse = vec![
            Traverse { target: 1 << 20 | 9, next: 1, kind: 1 },
            Traverse { target: 1 << 20 | second | 2, next: u32::MAX, kind: 17 },
        ];
    }
    tiles
}

/// Two adjacent tiles with stacked polygons on both sides of their seam, `step` apart in height.
pub fn storeys(count: usize, step: f32) -> Vec<Tile> {
    let mut tiles = land(7, 2, 1);
    for (tile, side) in tiles.iter_mut().zip([0u16, 4]) {
        tile.off_mesh.clear();
        tile.polygons.retain(|poly| poly.kind == 0);
        let on = |poly: &Poly| poly.neighbours.contains(&(0x8000 | side));
        let poly = tile.polygons.iter().find(|poly| on(poly)).expect("a polygon on the side").clone();
        for storey in 0..count {
            let mut poly = poly.clone();
            let first = tile.vertices.len() as u16;
            for corner in &poly.corners {
                let [x, y, z] = tile.vertices[usize::from(*corner)];
                let up = if step > 0.0 { step + step * storey as f32 + f32::from(side) } else { 0.0 };
                tile.vertices.push([x, y + up, z]);
            }
            poly.corners = (first..first + 4).collect();
            poly.neighbours.iter_mut().filter(|neighbour| **neighbour & 0x8000 == 0).for_each(|n| *n = 0);
            tile.polygons.push(poly);
        }
    }
    tiles
}
