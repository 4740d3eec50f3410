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

/// A mesh of Unity: its tiles, position and rotation.
#[derive(Debug, Clone)]
pub struct UnityMesh {
    pub tiles: Vec<Vec<u8>>,
    pub position: [f32; 3],
    pub rotation: [f32; 4],
}

/// A serialized file of format 17 (Unity 5.5 to 2018) or 22 (from 2020).
pub fn unity(meshes: &[UnityMesh], format: u32) -> Vec<u8> {
    unity_built(meshes, format, None)
}

/// The same with build settings: height, radius and climb of the agent.
pub fn unity_built(meshes: &[UnityMesh], format: u32, agent: Option<[f32; 3]>) -> Vec<u8> {
    // Level, array, aligned, size, name.
    const NODES: [(u8, bool, bool, i32, &str); 22] = [
        (0, false, false, -1, "Base"),
        (1, false, true, -1, "m_Name"),
        (2, true, false, -1, "Array"),
        (3, false, false, 4, "size"),
        (3, false, false, 1, "data"),
        (1, false, false, -1, "m_NavMeshTiles"),
        (2, true, false, -1, "Array"),
        (3, false, false, 4, "size"),
        (3, false, false, -1, "data"),
        (4, false, false, -1, "m_MeshData"),
        (5, true, true, -1, "Array"),
        (6, false, false, 4, "size"),
        (6, false, false, 1, "data"),
        (4, false, false, 16, "m_Hash"),
        (1, false, false, 16, "m_Rotation"),
        (2, false, false, 4, "x"),
        (2, false, false, 4, "y"),
        (2, false, false, 4, "z"),
        (2, false, false, 4, "w"),
        (1, false, false, 12, "m_Position"),
        (2, false, false, 4, "x"),
        (2, false, false, 4, "y"),
    ];
    let mut nodes: Vec<(u8, bool, bool, i32, &str)> = NODES.to_vec();
    nodes.push((2, false, false, 4, "z"));
    if agent.is_some() {
        nodes.push((1, false, true, -1, "m_NavMeshBuildSettings"));
        let fields = ["agentTypeID", "agentRadius", "agentHeight", "agentSlope", "agentClimb"];
        nodes.extend(fields.map(|name| (2, false, false, 4, name)));
    }
    let mut names = Vec::new();
    let mut tree = Put::new(false);
    for (index, (level, array, aligned, size, name)) in nodes.iter().enumerate() {
        let at = names.len() as u32;
        names.extend(name.bytes().chain([0]));
        tree.u16(1).u8(*level).u8((*array).into()).u32(0).u32(at).i32(*size).u32(index as u32);
        tree.u32(if *aligned { 0x4000 } else { 0 });
        if format >= 19 {
            tree.u64(0);
        }
    }
    let mut objects = Vec::new();
    for mesh in meshes {
        let mut put = Put::new(false);
        let name = b"Mesh1";
        put.u32(name.len() as u32).raw(name).raw(&[0; 3]);
        put.u32(mesh.tiles.len() as u32);
        for tile in &mesh.tiles {
            put.u32(tile.len() as u32).raw(tile).raw(&[0xAB; 16]);
        }
        put.f32s(&mesh.rotation).f32s(&mesh.position);
        if let Some([height, radius, climb]) = agent {
            put.u32(0).f32s(&[radius, height, 45.0, climb]);
        }
        objects.push(put.out);
    }
    let mut meta = Put::new(false);
    meta.raw(b"2020.1.0f1\0").u32(19).u8(1).u32(1).u32(238).u8(0).u16(0xFFFF).raw(&[7; 16]);
    meta.u32(nodes.len() as u32).u32(names.len() as u32).raw(&tree.out).raw(&names);
    if format >= 21 {
        meta.u32(0);
    }
    meta.u32(objects.len() as u32);
    let head = if format >= 22 { 48 } else { 20 };
    let mut start = 0u32;
    for (index, object) in objects.iter().enumerate() {
        while !(head + meta.out.len()).is_multiple_of(4) {
            meta.u8(0);
        }
        meta.u64(23_800_000 + index as u64);
        if format >= 22 {
            meta.u64(start.into());
        } else {
            meta.u32(start);
        }
        meta.u32(object.len() as u32).u32(0);
        start += object.len() as u32;
    }
    let data = (head + meta.out.len()).next_multiple_of(16);
    let whole = data + start as usize;
    let mut put = Put::new(true);
    if format >= 22 {
        put.u32(0).u32(0).u32(format).u32(0).raw(&[0; 4]).u32(meta.out.len() as u32);
        put.u64(whole as u64).u64(data as u64).u64(0);
    } else {
        put.u32(meta.out.len() as u32).u32(whole as u32).u32(format).u32(data as u32).raw(&[0; 4]);
    }
    put.raw(&meta.out);
    put.out.resize(data, 0);
    objects.iter().for_each(|object| {
        put.raw(object);
    });
    put.out
}
