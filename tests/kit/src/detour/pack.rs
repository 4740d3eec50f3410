//! Containers around tiles.

use super::land::{ORIGIN, SIDE};
use super::tile::{Put, Tile};

/// Room for tiles and polygons: 7 bits each.
pub const ROOM: u32 = 128;

fn parameters(put: &mut Put) {
    put.f32s(&ORIGIN).f32s(&[SIDE, SIDE]).u32(ROOM).u32(ROOM);
}

/// The parameters of Respawn's axes.
fn parameters_z_up(put: &mut Put) {
    put.f32s(&[ORIGIN[0], ORIGIN[2], ORIGIN[1]]).f32s(&[SIDE, SIDE]).u32(ROOM).u32(ROOM);
}

fn records(put: &mut Put, tiles: &[Tile]) {
    let wide = tiles.iter().any(|tile| tile.wide);
    for (index, tile) in tiles.iter().enumerate() {
        let bytes = tile.encode(put.big);
        if wide {
            let reference = 1 << 48 | (index as u64) << 20;
            put.u64(reference).u32(bytes.len() as u32).u32(0x7FFF);
        } else {
            put.u32(1 << 14 | (index as u32) << 7).u32(bytes.len() as u32);
        }
        put.raw(&bytes);
    }
}

/// A set, `MSET`.
pub fn set(tiles: &[Tile], version: u32, big: bool) -> Vec<u8> {
    let mut put = Put::new(big);
    put.raw(if big { b"MSET" } else { b"TESM" }).u32(version).u32(tiles.len() as u32);
    parameters(&mut put);
    records(&mut put, tiles);
    put.out
}

/// A set with a box around it, `MSAT`.
pub fn bounded(tiles: &[Tile]) -> Vec<u8> {
    let mut put = Put::new(false);
    put.raw(b"TASM").u32(1).u32(tiles.len() as u32);
    parameters(&mut put);
    put.f32s(&ORIGIN).f32s(&[20.0, 5.0, 20.0]);
    records(&mut put, tiles);
    put.out
}

/// A set of KBEngine.
pub fn kbe(tiles: &[Tile]) -> Vec<u8> {
    let mut put = Put::new(false);
    put.u32(1).u32(tiles.len() as u32);
    parameters(&mut put);
    records(&mut put, tiles);
    put.out
}

/// A set of Respawn, with tables of one group.
pub fn respawn(tiles: &[Tile]) -> Vec<u8> {
    let mut put = Put::new(false);
    put.raw(b"TESM").u32(5).u32(tiles.len() as u32);
    parameters_z_up(&mut put);
    put.u32(1).u32(4).u32(4);
    records(&mut put, tiles);
    put.u32(0).raw(&[1, 0, 0, 0].repeat(4));
    put.out
}

/// A tile of a World of Warcraft server. The liquid byte has garbage in its other bits, like real ones.
pub fn map_tile(tile: &Tile, version: u32) -> Vec<u8> {
    let bytes = tile.encode(false);
    let mut put = Put::new(false);
    put.raw(b"PAMM").u32(tile.version).u32(version).u32(bytes.len() as u32).raw(&[0xA1, 0x7F, 0, 0]);
    if version >= 19 {
        put.f32s(&[60.0]).raw(&[1, 4, 1, 0]).u32(4).u32(80).u32(20).f32s(&[0.3, 0.3, 0.2, 1.8]);
    }
    put.raw(&bytes);
    put.out
}

/// The parameters of a server's map.
pub fn map(origin: [f32; 3], side: f32) -> Vec<u8> {
    let mut put = Put::new(false);
    put.f32s(&origin).f32s(&[side, side]).u32(64).u32(0x8000_0000);
    put.out
}

/// TrinityCore's form of [`map`], with off-mesh connections.
pub fn map_tc(rows: u32) -> Vec<u8> {
    let mut put = Put::new(false);
    put.raw(b"PAMM").u32(16);
    parameters(&mut put);
    put.u32(rows);
    for row in 0..rows {
        put.u32(1).u32(32).u32(32).f32s(&[row as f32, 2.0, 3.0]).f32s(&[4.0, 5.0, 6.0]).f32s(&[0.5]);
        put.u8(1).u8(11).u16(1);
    }
    put.out
}

/// A layer of a tile cache of `side` by `side` cells, packed as plain runs.
pub fn layer(at: [i32; 3], side: u8) -> Vec<u8> {
    let mut put = Put::new(false);
    put.raw(b"RLTD").u32(1).i32(at[0]).i32(at[1]).i32(at[2]).f32s(&ORIGIN).f32s(&[4.0, 2.0, 10.0]);
    put.u16(1).u16(9).raw(&[side, side, 0, side - 1, 0, side - 1, 0xCC, 0xCC]);
    let cells = 3 * usize::from(side) * usize::from(side);
    let plain: Vec<u8> = (0..cells).map(|cell| (cell % 5) as u8).collect();
    for run in plain.chunks(32) {
        put.u8(run.len() as u8 - 1).raw(run);
    }
    put.out
}

/// A tile cache.
pub fn cache(layers: &[Vec<u8>], bounds: bool) -> Vec<u8> {
    let mut put = Put::new(false);
    put.raw(if bounds { b"TAST" } else { b"TEST" }).u32(1).u32(layers.len() as u32);
    parameters(&mut put);
    put.f32s(&ORIGIN).f32s(&[0.3, 0.2]).i32(48).i32(48).f32s(&[2.0, 0.6, 0.9, 1.3]).i32(256).i32(128);
    if bounds {
        put.f32s(&ORIGIN).f32s(&[20.0, 5.0, 20.0]);
    }
    for (index, layer) in layers.iter().enumerate() {
        put.u32(1 << 14 | index as u32).u32(layer.len() as u32).raw(layer);
    }
    put.out
}
