//! AAS files: the bundled corpus, and larger ones made on the spot.

#![allow(missing_docs)]

mod write;

pub use write::{Area, CHECKSUM, LUMPS, Link, Lumps, Map, head, hide, sizes};

use crate::Made;

/// Two halls, a ledge, a pool, a duct, air above the first hall, a slope, and a jump pad behind the ledge.
pub fn sample() -> Map {
    let hall = |x: f32| Area::new([x, 0.0, 24.0], [x + 128.0, 128.0, 200.0], 1);
    let mut areas = vec![
        hall(0.0),
        hall(128.0),
        Area { contents: 8, cluster: -1, ..Area::new([256.0, 0.0, 88.0], [384.0, 128.0, 200.0], 1) },
        Area { contents: 1, ..Area::new([128.0, 128.0, -80.0], [256.0, 256.0, 24.0], 4) },
        Area { presence: 4, ..Area::new([-128.0, 0.0, 24.0], [0.0, 128.0, 56.0], 1) },
        Area { cluster: 0, ..Area::new([0.0, 0.0, 200.0], [128.0, 128.0, 400.0], 0) },
        Area {
            slope: Some([24.0, 88.0]),
            steepness: 0.25,
            ..Area::new([0.0, 128.0, 24.0], [128.0, 256.0, 200.0], 1)
        },
        Area { contents: 0x80, cluster: 2, ..Area::new([384.0, 0.0, 88.0], [448.0, 128.0, 200.0], 0x2001) },
    ];
    let mut add = |from: usize, to: i32, kind: u32, time: u16, start: [f32; 3], end: [f32; 3]| {
        areas[from - 1].links.push(Link::new(to, kind, time, start, end));
    };
    let edge = [128.0, 64.0, 24.0];
    add(1, 2, 2, 38, edge, edge);
    add(1, 5, 3, 1, [0.0, 64.0, 24.0], [0.0, 64.0, 24.0]);
    add(1, 7, 2, 1, [64.0, 128.0, 24.0], [64.0, 128.0, 24.0]);
    add(2, 1, 2, 38, edge, edge);
    add(2, 3, 4, 100, [250.0, 64.0, 24.0], [260.0, 64.0, 88.0]);
    add(2, 3, 12, 300, [200.0, 64.0, 24.0], [260.0, 64.0, 88.0]);
    add(2, 4, 7, 20, [192.0, 124.0, 24.0], [192.0, 132.0, 20.0]);
    add(3, 2, 7, 60, [256.0, 64.0, 88.0], [250.0, 64.0, 24.0]);
    add(3, 8, 2, 1, [384.0, 64.0, 88.0], [384.0, 64.0, 88.0]);
    add(4, 2, 9, 400, [192.0, 130.0, 24.0], [192.0, 120.0, 24.0]);
    add(5, 1, 3, 1, [0.0, 64.0, 24.0], [0.0, 64.0, 24.0]);
    add(7, 1, 2, 1, [64.0, 128.0, 24.0], [64.0, 128.0, 24.0]);
    add(7, 2, 5, 90, [120.0, 200.0, 60.0], [140.0, 120.0, 24.0]);
    add(8, 3, 2, 1, [384.0, 64.0, 88.0], [384.0, 64.0, 88.0]);
    add(8, 1, 18, 150, [416.0, 64.0, 88.0], [64.0, 64.0, 24.0]);
    add(8, 7, 10, 50, [430.0, 100.0, 88.0], [64.0, 240.0, 81.0]);
    let pad = &mut areas[7].links[1];
    // A jump pad has speeds where other kinds have a face and an edge.
    (pad.face, pad.edge) = (600, 320);
    Map { areas, portals: vec![[3, 1, 2]], clusters: 2 }
}

/// A floor of `side` times `side` areas, each joined to its neighbours.
pub fn grid(side: usize) -> Map {
    let mut map = Map { clusters: 1, ..Map::default() };
    for n in 0..side * side {
        let (x, y) = ((n % side) as f32 * 64.0, (n / side) as f32 * 64.0);
        let mut area = Area::new([x, y, 24.0], [x + 64.0, y + 64.0, 152.0], 1);
        let mut add = |to: usize, dx: f32, dy: f32| {
            let at = [x + 32.0 + dx, y + 32.0 + dy, 24.0];
            area.links.push(Link::new(to as i32 + 1, 2, 1, at, at));
        };
        if n % side > 0 {
            add(n - 1, -32.0, 0.0);
        }
        if n % side + 1 < side {
            add(n + 1, 32.0, 0.0);
        }
        if n >= side {
            add(n - side, 0.0, -32.0);
        }
        if n + side < side * side {
            add(n + side, 0.0, 32.0);
        }
        map.areas.push(area);
    }
    map
}

/// The counts of a scan, without the placeholder records.
fn counts(lumps: &Lumps) -> Vec<(&'static str, String)> {
    let of = [
        ("areas", 7, 1),
        ("faces", 5, 1),
        ("edges", 3, 1),
        ("vertices", 1, 0),
        ("reachabilities", 9, 1),
        ("nodes", 10, 1),
        ("portals", 11, 1),
        ("clusters", 13, 1),
    ];
    of.iter().map(|(name, lump, none)| (*name, (lumps.count(*lump) - none).to_string())).collect()
}

/// The bundled corpus.
pub fn files() -> Vec<Made> {
    let mut files = Vec::new();
    let mut add = |path: &str, lumps: &Lumps, bytes: Vec<u8>, status: &str, note: &str| {
        let mut row = vec![("form", "aas".to_owned()), ("version", lumps.version.to_string())];
        if status != "error" {
            row.extend(counts(lumps));
        }
        row.extend([("status", status.to_owned()), ("note", note.to_owned())]);
        files.push(Made { path: path.to_owned(), bytes, row });
    };
    let whole = |version, full| sample().lumps(version, full);
    let plain = whole(5, false);
    add("v5.aas", &plain, plain.encode(), "ok", "stripped of faces, as most public files are");
    let full = whole(5, true);
    add("v5-full.aas", &full, full.encode(), "ok", "with faces, a slope among them");
    let four = whole(4, false);
    add("v4.aas", &four, four.encode(), "ok", "a head in the clear");
    let eight = whole(8, true);
    add("v8.aas", &eight, eight.encode(), "ok", "settings with steepness");

    let mut reversed: [usize; LUMPS] = std::array::from_fn(|n| n);
    reversed.reverse();
    let bytes = plain.encode_as(&reversed, 8);
    add("odd/reversed.aas", &plain, bytes, "warning", "lumps in reverse order, eight bytes after each");
    let mut unknown = full.clone();
    unknown.version = 9;
    add("odd/v9.aas", &unknown, unknown.encode(), "warning", "an unknown version in the layout of version 5");
    let mut odd = full.clone();
    spoil(&mut odd);
    add("odd/values.aas", &odd, odd.encode(), "ok", "what check finds in records");
    let mut none = plain.clone();
    none.lumps[9].truncate(44);
    (0..9).for_each(|area| _ = none.set(8, area, 5, 0));
    add("odd/no-links.aas", &none, none.encode(), "ok", "areas without reachabilities");
    let empty = Lumps { version: 5, lumps: Default::default() };
    let none = [("areas", 0), ("vertices", 0)];
    assert!(none.iter().all(|(_, count)| *count == 0));
    let bytes = empty.encode();
    let row = ["areas", "faces", "edges", "vertices", "reachabilities", "nodes", "portals", "clusters"];
    let mut columns = vec![("form", "aas".to_owned()), ("version", "5".to_owned())];
    columns.extend(row.map(|name| (name, "0".to_owned())));
    columns.extend([("status", "ok".to_owned()), ("note", "every lump is empty".to_owned())]);
    files.push(Made { path: "odd/empty.aas".to_owned(), bytes, row: columns });

    files.extend(hostile(&full));
    files
}

/// One of every fault that `check` finds in records.
fn spoil(odd: &mut Lumps) {
    odd.set(7, 5, 0, 77); // area 5 has another number
    odd.set(9, 2, 0, 1); // a reachability of area 1 leads to area 1
    odd.set(9, 3, 9, 25); // an unknown kind
    odd.set(9, 4, 9, 1); // a deleted one
    odd.set(9, 5, 10, 60_000); // ten minutes
    odd.set(9, 6, 9, 12 | 1 << 24 | 1 << 30); // closed for team 1, and an unknown bit
    odd.set(9, 7, 3, f32::NAN.to_bits() as i32); // starts nowhere
    odd.set(8, 6, 1, 1 << 20); // an unknown flag
    odd.set(8, 6, 0, 1 << 15 | 7 << 24); // unknown contents; the model of a mover
    odd.set(8, 6, 2, 1); // unknown presence
    odd.set(7, 6, 9, f32::to_bits(9_999.0) as i32); // a center outside of its box
    odd.set(2, 3, 3, f32::to_bits(4.0) as i32); // a plane that is not the opposite of the one before
    odd.set(2, 4, 3, f32::INFINITY.to_bits() as i32); // a plane that is nowhere
    odd.set(5, 2, 1, 0x81); // an unknown flag of a face
    odd.set(5, 3, 4, 2); // a face that says it belongs to area 2
    odd.set(4, 0, 0, 5); // a loop that is none
    odd.set(1, 0, 2, f32::NAN.to_bits() as i32); // a vertex that is nowhere
    odd.set(11, 1, 2, 0); // a portal without a cluster behind it
    odd.set(13, 1, 0, 9); // a cluster of nine areas
    odd.set(10, 2, 1, 0); // what hung there hangs nowhere now
    // Area 8 gives up its last reachability.
    odd.set(8, 8, 5, 2);
}

/// Files that are refused, or read with an error among their findings.
fn hostile(full: &Lumps) -> Vec<Made> {
    let mut files = Vec::new();
    let whole = full.encode();
    let mut made = |path: &str, version: i32, bytes: Vec<u8>, counted: Option<&Lumps>, note: &str| {
        let status = if counted.is_some() { "warning" } else { "error" };
        let mut row = vec![("form", "aas".to_owned()), ("version", version.to_string())];
        row.extend(counted.map(counts).unwrap_or_default());
        row.extend([("status", status.to_owned()), ("note", note.to_owned())]);
        files.push(Made { path: format!("hostile/{path}.aas"), bytes, row });
    };
    let patched = |word: usize, value: i32| {
        let mut bytes = whole.clone();
        hide(&mut bytes);
        bytes[12 + word * 4..16 + word * 4].copy_from_slice(&value.to_le_bytes());
        hide(&mut bytes);
        bytes
    };
    let end = whole.len() as i32;
    made("beyond-end", 5, patched(19, end), None, "reachabilities that end behind the file");
    made("most-areas", 5, patched(15, i32::MAX - 46), None, "areas of 2 GiB");
    made("negative-length", 5, patched(15, -48), None, "areas of -48 bytes");
    made("negative-offset", 5, patched(14, -1), None, "areas that begin before the file");
    made("ragged", 5, patched(15, 49), None, "49 bytes of areas");
    made("fewer-settings", 5, patched(17, 28), None, "settings for one area");
    let mut clear = whole.clone();
    hide(&mut clear);
    made("not-hidden", 5, clear, None, "a head in the clear under version 5");
    let mut hidden = whole.clone();
    hidden[4] = 4;
    made("hidden", 4, hidden, None, "a hidden head under version 4");
    let mut six = whole.clone();
    six[4] = 6;
    made("v6", 6, six, None, "a version of which no file was ever seen");
    made("cut-head", 5, whole[..100].to_vec(), None, "a head that ends early");

    let mut spoilt = |path: &str, change: &dyn Fn(&mut Lumps), note: &str| {
        let mut lumps = full.clone();
        change(&mut lumps);
        let bytes = lumps.encode();
        made(path, 5, bytes, Some(&lumps), note);
    };
    let last = i32::MAX;
    spoilt("targets", &|l| _ = l.set(9, 1, 0, 0).set(9, 4, 0, 9).set(9, 5, 0, -1), "areas that do not exist");
    spoilt(
        "runs",
        &|l| _ = l.set(8, 2, 5, last).set(8, 3, 6, -4).set(7, 4, 1, last),
        "runs beyond their lists",
    );
    spoilt(
        "shared-runs",
        &|l| (1..9).for_each(|area| _ = l.set(8, area, 6, 1).set(8, area, 5, 16)),
        "every area claims every reachability",
    );
    spoilt("circle", &|l| _ = l.set(10, 3, 1, 1).set(10, 4, 2, 4), "a tree that leads back to its root");
    spoilt(
        "numbers",
        &|l| {
            l.set(10, 2, 0, last).set(10, 3, 1, -99).set(10, 4, 1, last).set(5, 1, 0, -7).set(5, 2, 4, 99);
            l.set(5, 3, 3, last).set(3, 2, 0, last).set(4, 2, 0, i32::MIN).set(6, 1, 0, i32::MIN);
            l.set(8, 3, 3, -9).set(8, 4, 3, 9).set(11, 1, 0, 99).set(11, 1, 1, -1).set(12, 0, 0, 5);
            l.set(13, 1, 3, last).set(9, 1, 1, 999).set(9, 2, 2, i32::MIN);
        },
        "numbers out of range in every lump",
    );
    let mut over = full.clone();
    over.lumps[9].truncate(44);
    let mut bytes = full.encode();
    hide(&mut bytes);
    // The reachabilities begin in the areas.
    let at: [u8; 4] = bytes[12 + 14 * 4..16 + 14 * 4].try_into().expect("four bytes");
    bytes[12 + 18 * 4..16 + 18 * 4].copy_from_slice(&at);
    bytes[12 + 19 * 4..16 + 19 * 4].copy_from_slice(&44_i32.to_le_bytes());
    hide(&mut bytes);
    made("overlap", 5, bytes, Some(&over), "lumps over each other");
    files
}
