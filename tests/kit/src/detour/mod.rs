//! Tiles of Detour in every container: the bundled corpus, and larger lands made on the spot.

#![allow(missing_docs)]

mod hostile;
mod land;
mod pack;
mod tile;
mod unity;

pub use land::{land, storeys, tile as square};
pub use pack::{bounded, cache, kbe, layer, map, map_tc, map_tile, respawn, set};
pub use tile::{OffMesh, Poly, Put, Tile, Traverse};
pub use unity::{UnityMesh, UnityNode, UnityObject, unity, unity_built, unity_file};

use crate::Made;

/// Tiles, polygons, vertices, inner links, portal links, off-mesh connections, detail triangles.
pub type Sums = [u64; 7];
pub const COUNTS: [&str; 7] =
    ["tiles", "polygons", "vertices", "inner_links", "portal_links", "off_mesh", "detail_triangles"];

/// The totals of tiles. In a land every portal edge has one partner; a single tile has none.
pub fn sums(tiles: &[Tile], joined: bool) -> Sums {
    let mut sums = [tiles.len() as u64, 0, 0, 0, 0, 0, 0];
    for tile in tiles {
        let neighbours = || tile.polygons.iter().flat_map(|poly| &poly.neighbours);
        let (_, triangles, _) = tile.details();
        sums[1] += tile.polygons.len() as u64;
        sums[2] += tile.vertices.len() as u64;
        sums[3] += neighbours().filter(|n| **n != 0 && **n & 0x8000 == 0).count() as u64;
        sums[4] += if joined { neighbours().filter(|n| **n & 0x8000 != 0).count() as u64 } else { 0 };
        sums[5] += tile.off_mesh.len() as u64;
        sums[6] += triangles.len() as u64;
    }
    sums
}

#[allow(clippy::too_many_arguments)] // the columns of a row
pub(crate) fn made(
    path: &str,
    bytes: Vec<u8>,
    dialect: &str,
    version: u32,
    counted: Option<Sums>,
    status: &str,
    code: &str,
    note: &str,
) -> Made {
    let mut row = vec![
        ("dialect", dialect.to_string()),
        ("version", version.to_string()),
        ("status", status.to_string()),
        ("code", code.to_string()),
    ];
    for (index, name) in COUNTS.into_iter().enumerate() {
        row.push((name, counted.map_or_else(String::new, |sums| sums[index].to_string())));
    }
    row.push(("note", note.to_string()));
    Made { path: path.to_string(), bytes, row }
}

fn wide(mut tiles: Vec<Tile>) -> Vec<Tile> {
    tiles.iter_mut().for_each(|tile| tile.wide = true);
    tiles
}

/// The bundled corpus, generated here: a file for each dialect, odd files that are read, refused files.
pub fn files() -> Vec<Made> {
    let seven = land(7, 2, 2);
    let all = Some(sums(&seven, true));
    let one = square(7, [0, 0], &[0, 2]);
    let single = |tile: &Tile| Some(sums(std::slice::from_ref(tile), false));
    let sixteen = land(16, 2, 1);
    let thirteen = land(13, 2, 2);
    let mut files = Vec::new();
    let mut add = |path: &str, bytes, dialect: &str, version, counted, note: &str| {
        files.push(made(path, bytes, dialect, version, counted, "ok", "", note));
    };
    add("set.navmesh", set(&seven, 1, false), "mset", 1, all, "four tiles, two off-mesh connections, a hole");
    let small = land(7, 1, 1);
    let sum = Some(sums(&small, true));
    add("zone.nav", set(&small, 1, false), "mset", 1, sum, "a set under the extension of other families");
    add("set-64.navmesh", set(&wide(seven.clone()), 1, false), "mset-64", 1, all, "references of 64 bits");
    add("set-be.navmesh", set(&seven, 1, true), "mset-be", 1, all, "big-endian");
    add("bounds.navmesh", bounded(&seven), "msat", 1, all, "a box behind the parameters");
    add("kbe.navmesh", kbe(&seven), "kbe", 1, all, "no magic");
    add(
        "respawn.nm",
        respawn(&thirteen),
        "respawn",
        5,
        Some(sums(&thirteen, true)),
        "z up, two links that are jumped",
    );
    add("tile.navtile", one.encode(false), "tile", 7, single(&one), "a bare tile; portals lead outside");
    let mut six = square(6, [0, 0], &[0, 2]);
    six.wide = true;
    add("tile-v6.navtile", six.encode(false), "tile", 6, single(&six), "version 6, references of 64 bits");
    let mut ac = one.clone();
    ac.wide = true;
    add("ac.mmtile", map_tile(&ac, 19), "mmtile-ac", 19, single(&ac), "settings of Recast behind the head");
    add("trinity.mmap", map_tc(2), "mmap-tc", 16, Some([0; 7]), "two off-mesh connections in the head");
    files.extend(map_folder());
    let mut add = |path: &str, bytes, dialect: &str, version, counted, note: &str| {
        files.push(made(path, bytes, dialect, version, counted, "ok", "", note));
    };
    let layers: Vec<Vec<u8>> = (0..3).map(|x| layer([x, 0, 0], 12)).collect();
    add("cache.bin", cache(&layers, false), "tset", 1, Some([3, 0, 0, 0, 0, 0, 0]), "three layers");
    add("cache-bounds.bin", cache(&layers, true), "tsat", 1, Some([3, 0, 0, 0, 0, 0, 0]), "with a box");
    add(
        "odd/layer.bin",
        layer([0, 0, 0], 12),
        "layer",
        1,
        Some([1, 0, 0, 0, 0, 0, 0]),
        "one layer, which has no end of its own",
    );
    let tiles: Vec<Vec<u8>> = sixteen.iter().map(|tile| tile.encode(false)).collect();
    let (flat, turned) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.707_106_77, 0.0, 0.707_106_77]);
    let first = UnityMesh { tiles, position: [0.0; 3], rotation: flat };
    let second = UnityMesh { position: [100.0, 0.0, 0.0], rotation: turned, ..first.clone() };
    let sum = sums(&sixteen, true);
    add("unity-17.asset", unity(std::slice::from_ref(&first), 17), "unity", 16, Some(sum), "one NavMeshData");
    let twice = Some(sum.map(|count| 2 * count));
    add(
        "unity-22.asset",
        unity(&[first, second], 22),
        "unity",
        16,
        twice,
        "two NavMeshData, one of them turned",
    );
    files.extend(hostile::odd());
    files.extend(hostile::hostile());
    files
}

/// Side of a tile of a World of Warcraft server, and where the map of [`server_map`] begins.
const YARDS: f32 = 533.333_3;
const SERVER_ORIGIN: [f32; 3] = [0.0, 0.0, -YARDS];

/// Adjacent tiles of a map of a World of Warcraft server, each with its name, which tells where it lies.
fn server_tiles(columns: i32, rows: i32) -> Vec<(String, Tile)> {
    let mut tiles = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let sides = [(0, column + 1 < columns), (2, row + 1 < rows), (4, column > 0), (6, row > 0)];
            let neighbours: Vec<u16> =
                sides.into_iter().filter(|(_, there)| *there).map(|(side, _)| side).collect();
            let mut tile = square(7, [column, row], &neighbours);
            let scale = YARDS / land::SIDE;
            let place = |[x, y, z]: [f32; 3]| {
                [(x - land::ORIGIN[0]) * scale, y, (z - land::ORIGIN[2]) * scale + SERVER_ORIGIN[2]]
            };
            tile.vertices.iter_mut().for_each(|v| *v = place(*v));
            tile.min = place(tile.min);
            tile.max = place(tile.max);
            tile.wide = true;
            // Tile 32, 31: min z = (31 - 32) × side, min x = (31 - 31) × side.
            tiles.push((format!("001{:02}{:02}", 32 - row, 31 - column), tile));
        }
    }
    tiles
}

/// A map of a World of Warcraft server: the names and bytes of its parameters and of its tiles.
pub fn server_map(columns: i32, rows: i32) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![("001.mmap".to_owned(), map(SERVER_ORIGIN, YARDS))];
    let tiles = server_tiles(columns, rows).into_iter();
    files.extend(tiles.map(|(name, tile)| (format!("{name}.mmtile"), map_tile(&tile, 4))));
    files
}

/// A map of a World of Warcraft server: parameters and two tiles, named by their position.
pub fn map_folder() -> Vec<Made> {
    let mut files =
        vec![made("map/001.mmap", map(SERVER_ORIGIN, YARDS), "mmap", 0, Some([0; 7]), "ok", "", "map 1")];
    for (name, tile) in server_tiles(1, 2) {
        let counted = Some(sums(std::slice::from_ref(&tile), false));
        let path = format!("map/{name}.mmtile");
        files.push(made(
            &path,
            map_tile(&tile, 4),
            "mmtile",
            4,
            counted,
            "ok",
            "",
            "one of two tiles of map 1",
        ));
    }
    files
}
