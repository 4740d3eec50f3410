//! Files that an engine must not load, and files that are merely odd.

use super::land::{land, tile as square};
use super::pack::{cache, layer, respawn, set};
use super::{Sums, Tile, UnityMesh, made, sums, unity};
use crate::Made;

/// Byte of a field in the head of a tile of version 7.
const POLYGONS: usize = 24;
const MAX_LINKS: usize = 32;
const HEAD: usize = 100;

fn tiles(count: i32) -> (Vec<Tile>, Option<Sums>) {
    let tiles = land(7, count, 1);
    let sums = sums(&tiles, true);
    (tiles, Some(sums))
}

/// Where the sections of a bare tile of version 7 with narrow links begin.
struct At {
    polygons: usize,
    details: usize,
    triangles: usize,
    tree: usize,
    off_mesh: usize,
}

fn at(tile: &Tile) -> At {
    let (vertices, triangles, meshes) = tile.details();
    let polygons = HEAD + 12 * tile.vertices.len();
    let details = polygons + 32 * tile.polygons.len() + 12 * tile.max_links() as usize;
    let at_triangles = details + 12 * meshes.len() + 12 * vertices.len();
    let tree = at_triangles + 4 * triangles.len();
    At { polygons, details, triangles: at_triangles, tree, off_mesh: tree + 32 * meshes.len() }
}

fn put32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn put16(bytes: &mut [u8], at: usize, value: u16) {
    bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

/// Files that are read, with a finding or without.
pub(super) fn odd() -> Vec<Made> {
    let mut files = Vec::new();
    let (two, counted) = tiles(2);
    let bytes = set(&two, 9, false);
    let code = "experimental-layout";
    files.push(made(
        "odd/set-v9.navmesh",
        bytes,
        "mset",
        9,
        counted,
        "warning",
        code,
        "an unknown version of a set",
    ));
    let mut eight = square(7, [0, 0], &[]);
    eight.version = 8;
    let counted = Some(sums(std::slice::from_ref(&eight), false));
    let bytes = eight.encode(false);
    files.push(made(
        "odd/tile-v8.navtile",
        bytes,
        "tile",
        8,
        counted,
        "warning",
        code,
        "an unknown version of a tile",
    ));
    let mut turned = square(7, [0, 0], &[]);
    for poly in &mut turned.polygons {
        poly.corners.reverse();
        poly.neighbours.reverse();
        // Edge i started at corner i; reversed, it is the edge before.
        poly.neighbours.rotate_left(1);
    }
    let counted = Some(sums(std::slice::from_ref(&turned), false));
    let bytes = turned.encode(false);
    files.push(made(
        "odd/winding.navtile",
        bytes,
        "tile",
        7,
        counted,
        "warning",
        "winding",
        "corners the other way round",
    ));
    let (mut apart, counted) = tiles(2);
    for tile in &mut apart[1..] {
        tile.vertices.iter_mut().for_each(|vertex| vertex[1] += 50.0);
        tile.min[1] += 50.0;
        tile.max[1] += 50.0;
    }
    let counted = counted.map(|mut sums| {
        sums[4] = 0;
        sums
    });
    let bytes = set(&apart, 1, false);
    let note = "two tiles, one 50 m above: their portals join nothing, a connection ends nowhere";
    files.push(made("odd/open-seam.navmesh", bytes, "mset", 1, counted, "warning", "off-mesh-nowhere", note));
    files
}

/// Files that are refused, or in which `check` finds an error.
pub(super) fn hostile() -> Vec<Made> {
    let mut files = Vec::new();
    let one = land(7, 1, 1).remove(0);
    let counted = Some(sums(std::slice::from_ref(&one), false));
    let good = one.encode(false);
    let at = at(&one);
    let mut add = |name: &str,
                   change: &dyn Fn(&mut Vec<u8>),
                   counted: Option<Sums>,
                   code: &str,
                   note: &str| {
        let mut bytes = good.clone();
        change(&mut bytes);
        let status = if counted.is_some() { "warning" } else { "error" };
        files.push(made(&format!("hostile/{name}.navtile"), bytes, "tile", 7, counted, status, code, note));
    };
    add("magic-alone", &|bytes| bytes.truncate(8), None, "tile head", "eight bytes");
    add("head-cut", &|bytes| bytes.truncate(60), None, "tile head", "half a head");
    add("cut", &|bytes| bytes.truncate(2_000), None, "claimed", "cut in a section");
    let claim = |value: u32| move |bytes: &mut Vec<u8>| put32(bytes, POLYGONS, value);
    add("polygons-2-31", &claim(0x7FFF_FFFF), None, "polygons", "2147483647 polygons");
    add("polygons-minus-1", &claim(0xFFFF_FFFF), None, "negative", "-1 polygons");
    add(
        "more-head",
        &|bytes| bytes.splice(60..60, [0; 24]).for_each(drop),
        None,
        "sections",
        "a head of more fields",
    );
    add("corners-7", &|bytes| bytes[at.polygons + 30] = 7, counted, "corner-count", "7 corners");
    let corner = |bytes: &mut Vec<u8>| put16(bytes, at.polygons + 4, 500);
    add("corner-astray", &corner, counted, "dangling-corner", "a vertex that is not there");
    let less = counted.map(|mut sums| {
        sums[3] -= 1;
        sums
    });
    let neighbour = |bytes: &mut Vec<u8>| put16(bytes, at.polygons + 18, 0x7000);
    add("neighbour-astray", &neighbour, less, "dangling-neighbour", "a neighbour that is not there");
    let one_sided = |bytes: &mut Vec<u8>| put16(bytes, at.polygons + 18, 0);
    add("one-sided", &one_sided, less, "one-sided-neighbour", "a neighbour that leads one way");
    let mesh = |bytes: &mut Vec<u8>| put32(bytes, at.details + 16, 0x7FFF_0000);
    add("detail-astray", &mesh, counted, "detail-range", "triangles beyond the end");
    add(
        "detail-corner",
        &|bytes| bytes[at.triangles] = 200,
        counted,
        "detail-corner",
        "a corner beyond the end",
    );
    let flags = |bytes: &mut Vec<u8>| (bytes[at.triangles + 3], bytes[at.triangles + 7]) = (0, 0);
    add("no-boundary", &flags, counted, "no-boundary", "no edge on the boundary");
    add(
        "tree-far",
        &|bytes| put32(bytes, at.tree + 12, -500_i32 as u32),
        counted,
        "tree-skip",
        "a step beyond the tree",
    );
    add(
        "tree-astray",
        &|bytes| put32(bytes, at.tree + 12, 9_999),
        counted,
        "tree-index",
        "a leaf that is no polygon",
    );
    add(
        "off-mesh-astray",
        &|bytes| put16(bytes, at.off_mesh + 28, 900),
        counted,
        "off-mesh-polygon",
        "polygon 900",
    );
    add("nan", &|bytes| put32(bytes, HEAD, 0x7FC0_0000), counted, "not-finite", "a vertex that is no number");
    // A tile without room for links has no such section.
    let links = |bytes: &mut Vec<u8>| {
        put32(bytes, MAX_LINKS, 0);
        let start = at.polygons + 32 * one.polygons.len();
        bytes.drain(start..at.details);
    };
    add("no-links", &links, counted, "no-room-for-links", "room for no link");
    files.extend(sets());
    files
}

fn sets() -> Vec<Made> {
    let mut files = Vec::new();
    let (two, counted) = tiles(2);
    let good = set(&two, 1, false);
    let mut add =
        |name: &str, bytes: Vec<u8>, dialect: &str, counted: Option<Sums>, code: &str, note: &str| {
            let status = if counted.is_some() { "warning" } else { "error" };
            files.push(made(&format!("hostile/{name}"), bytes, dialect, 1, counted, status, code, note));
        };
    let mut bytes = good.clone();
    put32(&mut bytes, 8, 0x8000_0000);
    bytes.truncate(48);
    add("tiles-2-31.navmesh", bytes, "mset", None, "tile", "2147483648 tiles in 48 bytes");
    let mut bytes = good.clone();
    put32(&mut bytes, 44, 0x7FFF_FFFF);
    add("record-over.navmesh", bytes, "mset", None, "tile", "a tile beyond the end");
    let mut bytes = good.clone();
    put32(&mut bytes, 40, 1 << 14 | 127 << 7);
    put32(&mut bytes, 32, 100);
    add("tile-number.navmesh", bytes, "mset", counted, "tile-number", "tile 127 of 100");
    let mut bytes = good.clone();
    put32(&mut bytes, 32, 1 << 20);
    add("salt.navmesh", bytes, "mset", counted, "reference-bits", "no bits left for salt");
    let mut twins = two.clone();
    twins[1] = twins[0].clone();
    let mut counted_twins = sums(&twins, true);
    counted_twins[4] = 0;
    add(
        "twins.navmesh",
        set(&twins, 1, false),
        "mset",
        Some(counted_twins),
        "twin-tile",
        "two tiles at one place",
    );
    let mut moved = two.clone();
    moved[1].at = [1, 5];
    let mut counted_moved = sums(&moved, true);
    counted_moved[4] = 0;
    add(
        "misplaced.navmesh",
        set(&moved, 1, false),
        "mset",
        Some(counted_moved),
        "tile-place",
        "a tile in another row",
    );
    let mut wide = two.clone();
    wide[0].max[0] += 5.0;
    add(
        "overlap.navmesh",
        set(&wide, 1, false),
        "mset",
        Some(sums(&wide, true)),
        "tile-overlap",
        "a tile that lies over its neighbour",
    );
    let mut circle = land(13, 1, 1);
    circle[0].traverse[1].next = 0;
    let counted = Some(sums(&circle, true));
    let bytes = respawn(&circle);
    let note = "links of version 13 in a circle";
    files.push(made("odd/circle.nm", bytes, "respawn", 5, counted, "ok", "", note));
    let tiles = vec![land(16, 1, 1)[0].encode(false)];
    let mesh = UnityMesh { tiles, position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
    let mut bytes = unity(&[mesh], 17);
    let name = bytes.windows(5).position(|word| word == b"Mesh1").expect("the name");
    put32(&mut bytes, name + 8, 0x8000_0000);
    let made_unity =
        made("hostile/array-2-31.asset", bytes, "unity", 16, None, "error", "needed", "2147483648 tiles");
    files.push(made_unity);
    let mut broken = layer([0, 0, 0], 12);
    broken.truncate(56);
    broken.extend([0, b'a', 1 << 5, 5]);
    let three = Some([1, 0, 0, 0, 0, 0, 0]);
    let bytes = cache(&[broken], false);
    files.push(made(
        "odd/back-reference.bin",
        bytes,
        "tset",
        1,
        three,
        "ok",
        "unknown-compression",
        "a copy from before the start",
    ));
    files
}
