//! Every row of the tables of codes is reported by some file: one of the bundled corpus, one of it with a byte changed, or
//! one that is made for the purpose.

use crate::rows as told;
use navmap::bytes::{Backing, Scratch};
use navmap::format::detour::MapSet;
use navmap::format::fox::{FoxNav, Side, TileSet};
use navmap::format::skyrim::{LoadOrder, Plugin};
use navmap::format::{AnyNav, ParseOptions};
use navmap::{Family, Finding, Limits, NavFile, codes};
use navmap_testkit::corpus::{bundled, project};
use navmap_testkit::fox::{Map, Tile};
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place};
use navmap_testkit::skyrim::plugin as written;
use navmap_testkit::skyrim::{self as bethesda, FO4};
use navmap_testkit::temp::Temp;
use navmap_testkit::{detour, quake, source};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A row of the tables: the name of its family, or `every`, and the code.
type Row = (&'static str, &'static str);

/// What is added to a byte when a change is looked for.
const CHANGES: [u8; 7] = [1, 8, 9, 16, 64, 128, 255];

fn row(family: Family, code: &str) -> Row {
    let named = |of: Option<Family>| {
        let found = codes().find(|(family, row)| *family == of && row.code == code);
        found.map(|(family, row)| (family.map_or("every", Family::name), row.code))
    };
    named(Some(family)).or_else(|| named(None)).unwrap_or_else(|| panic!("{code} of {family} has no row"))
}

/// The rows that `check` of this file reports.
fn reported(path: &Path, bytes: &[u8]) -> BTreeSet<Row> {
    let mut seen = BTreeSet::new();
    if let Ok(nav) = AnyNav::parse(bytes, Some(path), &ParseOptions::new()) {
        let family = nav.kind().family();
        // A check that ends with an error has reported what came before it.
        let _ = nav.check(&mut Scratch::new(), &mut |finding| {
            seen.insert(row(family, finding.code));
        });
    }
    seen
}

fn files(folder: &Path, to: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, to) } else { to.push(path) }
    }
}

/// Looks for a file and a change for every row that is not made: the files as they are first, then every byte of the small
/// ones.
fn look_for(missing: &mut BTreeSet<Row>) -> String {
    let mut paths = Vec::new();
    files(&bundled(), &mut paths);
    paths.sort();
    let mut found = BTreeMap::new();
    let mut see = |path: &Path, bytes: &[u8], change: &dyn Fn() -> String, missing: &mut BTreeSet<Row>| {
        for row in reported(path, bytes) {
            if missing.remove(&row) {
                let name = path.strip_prefix(bundled()).unwrap().to_str().unwrap().replace('\\', "/");
                found.insert(row, format!("{name}\t{}", change()));
            }
        }
    };
    let read: Vec<_> = paths.iter().map(|path| (path, fs::read(path).unwrap())).collect();
    for (path, bytes) in &read {
        see(path, bytes, &|| "-".into(), missing);
    }
    for (path, bytes) in read.iter().filter(|(_, bytes)| bytes.len() < 13_000) {
        let Ok(nav) = AnyNav::parse(bytes, Some(path), &ParseOptions::new()) else { continue };
        let family = nav.kind().family().name();
        let mut bytes = bytes.clone();
        for at in 0..bytes.len() {
            if !missing.iter().any(|(of, _)| [family, "every"].contains(of)) {
                break;
            }
            for add in CHANGES {
                let old = bytes[at];
                bytes[at] = old.wrapping_add(add);
                see(path, &bytes, &|| format!("{at:#x}+{add}"), missing);
                bytes[at] = old;
            }
        }
    }
    found.into_iter().fold(String::new(), |mut out, ((family, code), how)| {
        writeln!(out, "{family}\t{code}\t{how}").unwrap();
        out
    })
}

#[test]
fn every_row_is_reported_by_some_file() {
    let mut missing: BTreeSet<Row> =
        codes().map(|(family, code)| (family.map_or("every", Family::name), code.code)).collect();
    for row in made() {
        missing.remove(&row);
    }
    let golden = project().join("tests/golden/codes.tsv");
    if std::env::var_os("NAVMAP_GOLDEN").is_some() {
        fs::write(&golden, look_for(&mut missing.clone())).unwrap();
    }
    for line in fs::read_to_string(&golden).unwrap().lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let [family, code, name, change] = fields[..] else { panic!("{line}") };
        let path = bundled().join(name);
        let mut bytes = fs::read(&path).unwrap();
        if let Some((at, add)) = change.split_once('+') {
            let at = usize::from_str_radix(at.trim_start_matches("0x"), 16).unwrap();
            bytes[at] = bytes[at].wrapping_add(add.parse().unwrap());
        }
        let found = reported(&path, &bytes);
        assert!(found.contains(&(family, code)), "{line}: {found:?}");
        missing.retain(|row| *row != (family, code));
    }
    assert!(missing.is_empty(), "reported by no file: {missing:#?}\nNAVMAP_GOLDEN=write looks for a change");
}

/// Rows of what is made here: files that are too large for the corpus, sets of files, and what only a run finds.
fn made() -> BTreeSet<Row> {
    let mut seen = BTreeSet::new();
    for (name, bytes) in
        graphs().into_iter().chain(node_graphs()).chain(plugins()).chain(tiles()).chain(navmeshes())
    {
        let found = reported(Path::new(name), &bytes);
        assert!(!found.is_empty(), "{name}: nothing is reported");
        seen.extend(found);
    }
    for (nth, tiles) in sets().into_iter().enumerate() {
        let found = set(tiles);
        assert!(!found.is_empty(), "set {nth}: nothing is reported");
        seen.extend(found.iter().map(|code| row(Family::Fox, code)));
    }
    seen.extend(maps().iter().map(|code| row(Family::Detour, code)));
    seen.extend(orders().iter().map(|code| row(Family::Skyrim, code)));
    let temp = Temp::new("rows");
    temp.file("a.bsp", &[7; 1000]);
    temp.file("a.nav", &source::small_for(999));
    temp.file("b.nav", &source::small_for(999)[..40]);
    for finding in told(&["--all", temp.path().to_str().unwrap()]) {
        seen.insert(row(Family::Source, finding["code"].as_str().unwrap()));
    }
    let (graph, mesh) = (temp.path().join("off.ain"), bundled().join("source/town.nav"));
    fs::write(&graph, off_the_mesh(&mesh)).unwrap();
    for finding in told(&[graph.to_str().unwrap(), "--mesh", mesh.to_str().unwrap()]) {
        seen.insert(row(Family::NodeGraph, finding["code"].as_str().unwrap()));
    }
    seen
}

/// A node graph of two nodes: one above the middle of the mesh's first area, one far off.
fn off_the_mesh(mesh: &Path) -> Vec<u8> {
    use navmap::format::nodegraph::{NodeBuf, NodeGraphBuf, NodeKind};
    let bytes = fs::read(mesh).unwrap();
    let nav = AnyNav::parse(&bytes, Some(mesh), &ParseOptions::new()).unwrap();
    let flat = nav.flat_graph().value;
    let center = flat.shape(&flat.nodes()[0]).center().unwrap();
    let mut graph = NodeGraphBuf::new(37, 1, 10);
    for origin in [[center.x, center.y, center.z + 12.0], [90_000.0; 3]] {
        graph.nodes.push(NodeBuf::new(NodeKind::GROUND, origin, 10));
    }
    graph.encode().unwrap()
}

fn graphs() -> Vec<(&'static str, Vec<u8>)> {
    let mut small = quake::sample((2, 17));
    small.nodes[0].radius = 0;
    let text = format!("\u{feff}{}", quake::json_sample(2).navjson(2, "\n"));
    vec![
        ("wide.nav", quake::grid(70_000, 0).encode((2, 17))),
        ("small.nav", small.encode((2, 17))),
        ("marked.navjson", text.into_bytes()),
    ]
}

/// Node graphs: too many nodes, and too many links at one; no links; a cluster elsewhere; values without a name, a link that is
/// longer than the route table takes it for, and one that it does not know.
fn node_graphs() -> Vec<(&'static str, Vec<u8>)> {
    use navmap_testkit::nodegraph::{half_life, sample};
    let mut many = sample();
    for nth in 0..1_600_i16 {
        let node = many.nodes.len() as i16;
        many.add([f32::from(nth) * 8.0, 4_000.0, 0.0], 2);
        if nth < 40 {
            many.join(0, node, |_| 1);
        }
    }
    let mut lonely = sample();
    lonely.links.clear();
    let mut clusters = sample().respawn(0, 0, 0, &[]);
    // The centre of the first cluster.
    let at = 16 + 13 * 68 + 4 + sample().links.len() * 10 + 13 * 4 + 2 + 40 + 4 + 5;
    clusters[at..at + 4].copy_from_slice(&9_000_f32.to_le_bytes());
    let mut named = half_life();
    named.nodes[0].hint = 50;
    named.links[0].flags |= 1 << 20;
    let link = |source, target| {
        let found = named.links.iter().position(|link| (link.source, link.target) == (source, target));
        8_400 + named.nodes.len() * 88 + found.unwrap() * 24
    };
    let mut routes = named.bytes(16);
    let (long, other) = (link(0, 2) + 20, link(11, 10) + 4);
    routes[long..long + 4].copy_from_slice(&9_999_f32.to_le_bytes());
    routes[other] = 4;
    vec![
        ("many.ain", many.ain(37, 1, 10)),
        ("lonely.ain", lonely.ain(37, 1, 10)),
        ("clusters.ain", clusters),
        ("routes.nod", routes),
    ]
}

/// Meshes of Detour: a tile without room for its links, one with more detail vertices than 16 bits count, a set that ends before
/// its last tile, and polygons upon each other at a seam.
fn navmeshes() -> Vec<(&'static str, Vec<u8>)> {
    let read = |name: &str| fs::read(bundled().join("detour").join(name)).unwrap();
    let tile = read("tile.navtile");
    let [polygons, vertices, links, details] = [24, 28, 32, 36].map(|at| word(&tile, at) as usize);
    let end = 100 + vertices * 12 + polygons * 32 + links * 12;
    let (mut few, mut many, mut early) = (tile.clone(), tile, read("set.navmesh"));
    few.drain(end - 60 * 12..end);
    few[32..36].copy_from_slice(&(links as u32 - 60).to_le_bytes());
    let end = end + details * 12;
    many.splice(end..end, std::iter::repeat_n(0, 70_000 * 12));
    add(&mut many, 40, 70_000);
    // The engine stops at a tile with reference 0.
    early[40..44].fill(0);
    vec![
        ("few.navtile", few),
        ("many.navtile", many),
        ("early.navmesh", early),
        ("crowded.navmesh", detour::set(&detour::storeys(8, 0.0), 1, false)),
        ("storeys.navmesh", detour::set(&detour::storeys(1_000, 10.0), 1, false)),
    ]
}

/// Maps of a server without their head, without a tile, of two versions, and with a tile under another name.
fn maps() -> BTreeSet<&'static str> {
    let read = |name: &str| fs::read(bundled().join("detour/map").join(name)).unwrap();
    let whole = ["001.mmap", "0013231.mmtile", "0013131.mmtile"].map(|name| (name, read(name)));
    let (mut mixed, mut named) = (whole.clone(), whole.clone());
    mixed[1].1[8] = 3;
    named[2].0 = "0013129.mmtile";
    let mut seen = BTreeSet::new();
    for files in [&whole[1..], &whole[..2], &mixed, &named] {
        let files = files.iter().map(|(name, bytes)| (PathBuf::from(name), Backing::borrowed(bytes)));
        seen.extend(MapSet::from_backings(files).findings().iter().map(|found| found.finding.code));
    }
    seen
}

fn plugins() -> Vec<(&'static str, Vec<u8>)> {
    let sheet = |version| Mesh::sheet(version, Place::Interior(9), 6, 4, 3);
    let (mut corners, mut nowhere) = (sheet(12), sheet(17));
    corners.vertices.resize(33_000, corners.vertices[0]);
    let faces = Mesh::sheet(12, Place::Interior(9), 129, 128, 3);
    nowhere.waypoints[0].1 = 0xFFFF;

    let mut plugin = written::Plugin::new(FO4.form, FO4.hedr, &[FO4.master]);
    let own = plugin.own();
    let sheet = |place: u32| Mesh::sheet(15, Place::Interior(own + place), 4, 3, 1);
    let (mut a, mut b) = (sheet(0), sheet(1));
    // The edge that leads back is 1.
    a.link(6, 1, Link { kind: 0, navmesh: own + 11, triangle: 1, edge: 0 });
    b.link(1, 2, Link { kind: 0, navmesh: own + 10, triangle: 6, edge: 1 });
    for (cell, mesh) in [a, b].iter().enumerate() {
        let cell = cell as u32;
        let record = bethesda::navm(&plugin, own + 10 + cell, mesh, true);
        plugin.groups.push(plugin.interior(own + cell, &[record]));
    }
    vec![
        ("corners.nvnm", corners.encode()),
        ("faces.nvnm", faces.encode()),
        ("nowhere.nvnm", nowhere.encode()),
        ("linked.esp", plugin.encode()),
    ]
}

/// Load orders of which a plugin lacks its master, comes before it, meets another that changes the same mesh, or changes one of which it
/// has no entry.
fn orders() -> BTreeSet<&'static str> {
    let files = bethesda::load_order();
    let mut seen = BTreeSet::new();
    let mut check = |files: &[(&'static str, &[u8])]| {
        let mut order = LoadOrder::new();
        for (name, bytes) in files {
            order.push(*name, Plugin::parse(bytes, &Limits::default()).unwrap());
        }
        order.check(&mut Scratch::new(), &mut |_, finding: Finding| {
            seen.insert(finding.code);
        });
    };
    for names in [&["Rival.esp"][..], &["Patch.esp", "Base.esm"], &["Base.esm", "Patch.esp", "Rival.esp"]] {
        let found = names.iter().map(|name| files.iter().find(|(file, ..)| file == name).unwrap());
        check(&found.map(|(name, bytes, _)| (*name, &**bytes)).collect::<Vec<_>>());
    }
    let base = bethesda::order::of_base(&[], Some(0.0), true);
    let raised = bethesda::order::of_base(&["Base.esm"], Some(64.0), false);
    check(&[("Base.esm", &base), ("Raised.esp", &raised)]);
    seen
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn add(bytes: &mut [u8], at: usize, by: usize) {
    let value = word(bytes, at) + by as u32;
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Puts zeros at the end of the entry that has this place among the entries. Everything behind it moves.
fn widen(bytes: &mut Vec<u8>, nth: usize, by: usize) -> usize {
    let entry = (0..nth).fold(word(bytes, 8) as usize, |at, _| at + word(bytes, at + 4) as usize);
    let end = entry + word(bytes, entry + 4) as usize;
    bytes.splice(end..end, std::iter::repeat_n(0, by));
    // The size of the entry, and of the file; the places of search space and islands.
    for at in [entry + 4, 4, 0x10, 0x18] {
        add(bytes, at, by);
    }
    entry
}

fn tiles() -> Vec<(&'static str, Vec<u8>)> {
    let small = || Map { cells: 2, holes: 0, ..Map::standalone() }.tile(0, 0).files.remove(0).1;
    // Without a search space.
    let mut blind = small();
    blind[0x10..0x14].fill(0);
    // A byte longer, and the header says so.
    let mut uneven = small();
    uneven.push(0);
    add(&mut uneven, 4, 1);
    let mut moved = small();
    widen(&mut moved, 0, 4);
    // The third entry lists the segments: their boxes and themselves, 12 bytes each.
    let mut crowded = small();
    let segments = 4_096;
    let start = 16 + widen(&mut crowded, 2, segments * 24);
    let old = word(&crowded, start + 8);
    for (at, value) in
        [old, old + segments as u32 * 12, old + segments as u32 * 24, segments as u32].iter().enumerate()
    {
        crowded[start + at * 4..start + at * 4 + 4].copy_from_slice(&value.to_le_bytes());
    }
    vec![("blind.nav2", blind), ("uneven.nav2", uneven), ("moved.nav2", moved), ("crowded.nav2", crowded)]
}

fn set(tiles: Vec<Tile>) -> BTreeSet<&'static str> {
    let files: Vec<_> = tiles.into_iter().flat_map(|tile| tile.files).collect();
    let folders = files.iter().enumerate().map(|(nth, (name, bytes))| {
        (PathBuf::from(format!("folder{nth}")).join(name), Backing::borrowed(bytes))
    });
    TileSet::from_backings(folders).findings().iter().map(|found| found.finding.code).collect()
}

/// Tiles that do not go together.
fn sets() -> Vec<Vec<Tile>> {
    let map = Map { size: [2, 2], columns: 4, cells: 2, sector: 1, holes: 0, ..Map::standalone() };
    let split = Map { split: true, ..Map::standalone() };
    let tiles = || -> Vec<Tile> { map.tiles().collect() };
    let changed = |change: &dyn Fn(&mut Vec<Tile>)| {
        let mut tiles = tiles();
        change(&mut tiles);
        tiles
    };
    let halves = |change: &dyn Fn(&mut Tile)| {
        let mut tile = split.tile(0, 0);
        change(&mut tile);
        vec![tile]
    };
    vec![
        changed(&|tiles| tiles.truncate(3)),
        changed(&|tiles| tiles.push(map.tile(1, 1))),
        changed(&|tiles| tiles[3].files[0].1[0x28..0x2C].copy_from_slice(&4096_f32.to_le_bytes())),
        changed(&|tiles| tiles[3].files[0].0 = tiles[3].files[0].0.replace("102_102", "105_103")),
        changed(&|tiles| tiles.extend(Map { name: "other", ..map.clone() }.tiles().take(1))),
        changed(&|tiles| tiles[0] = Map { columns: 9, ..map.clone() }.tile(0, 0)),
        halves(&|tile| drop(tile.files.remove(0))),
        halves(&|tile| tile.files[1].1[0x50] ^= 0xFF),
        // A link to a group that the tile beside does not have.
        changed(&|tiles| {
            let beside = FoxNav::parse(&tiles[1].files[0].1).unwrap().tile().0;
            let mut link = beside.to_le_bytes().to_vec();
            let bytes = &mut tiles[0].files[0].1;
            let at = (0..bytes.len() - 6)
                .find(|at| bytes[*at..].starts_with(&link) && bytes[at + 3..at + 6] == [0, 0xFF, 0xFF])
                .expect("a tile has links to the one beside it");
            link.push(9);
            bytes[at..at + 3].copy_from_slice(&link);
        }),
        {
            // Two nodes of a strip at one place.
            let mut tiles: Vec<Tile> = Map { size: [2, 1], ..map.clone() }.tiles().collect();
            let bytes = &mut tiles[1].files[0].1;
            let nav = FoxNav::parse(bytes).unwrap();
            let strip = nav.group(Side::NegativeX.group()).unwrap().unwrap();
            let outs: Vec<_> = strip.world().tile_crossings().map(|(node, ..)| node.index()).collect();
            let positions = nav.entries().next().unwrap().unwrap().payload_offset() as usize + 48;
            let [from, to] = [outs[0], outs[1]].map(|node| positions + node * 6);
            bytes.copy_within(from..from + 6, to);
            tiles
        },
    ]
}
