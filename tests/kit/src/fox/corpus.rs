//! The bundled corpus: small tiles, a set, and files made to hurt.

use super::{Map, Tile};
use crate::Made;

const KEYS: [&str; 6] = ["groups", "segments", "vertices", "faces", "nav_nodes", "nav_edges"];

fn small(name: &'static str) -> Map {
    Map { name, columns: 4, size: [3, 3], cells: 4, sector: 2, ..Map::standalone() }
}

/// Every file of `corpus/fox/`.
pub fn files() -> Vec<Made> {
    let mut files = Vec::new();
    let mut add = |folder: &str, tile: Tile, note: &str| {
        for ((name, bytes), counts) in tile.files.into_iter().zip(tile.counts) {
            let mut row: Vec<_> = KEYS.iter().copied().zip(counts.map(|count| count.to_string())).collect();
            row.push(("note", note.to_owned()));
            files.push(Made { path: format!("{folder}{name}"), bytes, row });
        }
    };
    add("", renamed(Map::standalone().tile(0, 0), "standalone"), "a map of its own: one group, no neighbour");
    let quads = Map { name: "quads", quads: true, ..Map::standalone() };
    add("", renamed(quads.tile(0, 0), "quads"), "faces with four corners, which no file of the game has");
    for tile in small("plain").tiles() {
        add("set/", tile, "one of nine tiles that join over strips");
    }
    let split = Map { name: "split", split: true, size: [1, 1], cells: 6, ..small("split") };
    add("split/", split.tile(0, 0), "a body cut into two parts");
    files.extend(hostile().into_iter().map(|(name, bytes, note)| Made {
        path: format!("hostile/{name}.nav2"),
        bytes,
        row: vec![("note", note.to_owned())],
    }));
    files
}

fn renamed(mut tile: Tile, name: &str) -> Tile {
    for (file, _) in &mut tile.files {
        *file = format!("{name}.nav2");
    }
    tile
}

/// Damaged standalone tiles: name, bytes, what is wrong.
pub fn hostile() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let map = Map { cells: 2, holes: 0, ..Map::standalone() };
    let whole = map.tile(0, 0).files.remove(0).1;
    let word = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().expect("four bytes")) as usize;
    let first = word(0x08);
    // Heads of the four entries: NavWorld, NavmeshChunk, SegmentChunk, SegmentGraph.
    let mesh = first + word(first + 4);
    let chunk = mesh + word(mesh + 4);
    let graph = chunk + word(chunk + 4);
    let segments = chunk + 16 + word(chunk + 16 + 4);
    let search = word(0x10);
    let patched = |patches: &[(usize, u32)]| {
        let mut bytes = whole.clone();
        for (at, value) in patches {
            bytes[*at..*at + 4].copy_from_slice(&value.to_le_bytes());
        }
        bytes
    };
    let half = |at: usize, value: u16| {
        let mut bytes = whole.clone();
        bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    // All buckets share one listing of all halfwords after them.
    let mut shared = whole.clone();
    let buckets = search + 48;
    let count = word(search + 16) * word(search + 24);
    let listing = shared.len();
    let halfwords = 60_000_u32;
    shared.extend_from_slice(&4_u32.to_le_bytes());
    shared.extend_from_slice(&halfwords.to_le_bytes());
    shared.extend((0..halfwords).flat_map(|i| (i as u16).to_le_bytes()));
    while !shared.len().is_multiple_of(16) {
        shared.push(0);
    }
    for bucket in 0..count {
        let at = buckets + 8 * bucket;
        shared[at..at + 4].copy_from_slice(&((listing - at) as u32).to_le_bytes());
        shared[at + 4..at + 6].copy_from_slice(&1_u16.to_le_bytes());
    }
    let size = shared.len() as u32;
    shared[4..8].copy_from_slice(&size.to_le_bytes());
    let total = size - search as u32;
    shared[search + 44..search + 48].copy_from_slice(&total.to_le_bytes());

    vec![
        ("entry-loops", patched(&[(mesh + 4, 0)]), "an entry whose successor is itself"),
        ("entry-overlaps", patched(&[(mesh + 4, 32)]), "an entry that ends inside its own payload"),
        ("entry-leaves", patched(&[(graph + 4, 0x00FF_FFF0)]), "an entry that ends outside the file"),
        ("entries-claimed", patched(&[(0x0C, u32::MAX)]), "four thousand million entries"),
        ("entry-missing", patched(&[(chunk, 9)]), "a group without its SegmentChunk"),
        ("manifest-disagrees", patched(&[(0x64 + 4, 0x1000)]), "a descriptor that names another place"),
        ("manifest-stranger", patched(&[(0x64, 17)]), "a descriptor of a group that does not exist"),
        ("manifest-claimed", patched(&[(0x60, u32::MAX)]), "four thousand million groups"),
        ("size-over", patched(&[(0x04, whole.len() as u32 + 16)]), "a file shorter than it states"),
        ("size-under", patched(&[(0x04, 64)]), "a file longer than it states"),
        ("divisor-zero", half(0x46, 0), "a position divisor of 0"),
        ("segment-vertices", half(segments, 60_000), "a segment whose vertices lie outside the group's"),
        ("segment-faces", half(segments + 2, 60_000), "a segment whose faces lie outside the group's"),
        (
            "face-offset",
            patched(&[(mesh + 16 + word(mesh + 16 + 4), 0x3_FFFF)]),
            "a face outside the face data",
        ),
        ("link-offset", half(first + 16 + word(first + 16 + 4), 0xFFFF), "links of a node outside the entry"),
        (
            "buckets-overflow",
            patched(&[(search + 16, 0x1_0000), (search + 20, 0x1_0000), (search + 24, 2)]),
            "bucket counts whose product overflows 32 bits",
        ),
        ("listings-shared", shared, "every bucket lists the same sixty thousand segments"),
        ("search-outside", patched(&[(0x10, u32::MAX)]), "a search space outside the file"),
    ]
}
