//! Files of our own, written by the test kit from the format reference alone.

use crate::agree::assert_agree;
use crate::survey;
use navmap::NavFile;
use navmap::bytes::{Backing, Scratch};
use navmap::format::fox::{FoxNav, Geometry, Side, TileSet, Unresolved, Weld};
use navmap_testkit::fox::{Map, Tile};
use std::path::PathBuf;

fn maps() -> Vec<Map> {
    let alone = Map::standalone();
    vec![
        alone.clone(),
        Map { quads: true, ..alone.clone() },
        Map { split: true, ..alone.clone() },
        Map { size: [2, 2], columns: 6, cells: 4, ..alone.clone() },
        Map { size: [3, 3], columns: 4, cells: 8, split: true, ..alone },
    ]
}

/// A set of these tiles, each with its files in a folder of its own.
fn set_of(tiles: impl IntoIterator<Item = Tile>) -> TileSet<'static> {
    let files = tiles.into_iter().flat_map(|tile| tile.files);
    TileSet::from_backings(files.enumerate().map(|(nth, (name, bytes))| {
        let bytes: &'static [u8] = bytes.leak();
        (PathBuf::from(format!("folder{nth}")).join(name), Backing::borrowed(bytes))
    }))
}

#[test]
fn counts_are_those_of_the_generator_and_nothing_is_found() {
    for map in maps() {
        for tile in map.tiles() {
            for ((name, bytes), counts) in tile.files.iter().zip(&tile.counts) {
                let (result, found_counts, _) = survey(bytes);
                result.unwrap_or_else(|error| panic!("{name} of {map:?}: {error}"));
                let ours: Vec<u64> = found_counts.iter().map(|(_, count)| count).collect();
                assert_eq!(ours, counts.map(|count| count as u64), "{name} of {map:?}");
                let mut found = Vec::new();
                let nav = FoxNav::parse(bytes).unwrap();
                nav.check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
                found.retain(|finding| !matches!(finding.code, "quad" | "face-upright"));
                assert!(found.is_empty(), "{name} of {map:?}: {found:#?}");
                assert_agree(bytes, name);
            }
        }
    }
}

#[test]
fn sets_join_without_a_gap() {
    let map = Map { size: [3, 3], columns: 4, cells: 6, split: true, ..Map::standalone() };
    let set = set_of(map.tiles());
    assert!(
        set.failures().is_empty() && set.findings().is_empty(),
        "{:?} {:?}",
        set.failures(),
        set.findings()
    );
    let layer = set.layers().next().unwrap();
    assert_eq!((layer.name(), layer.columns(), layer.tiles().len()), ("alone_nav", Some(4), 9));
    let links: Vec<_> = layer.tiles().flat_map(|tile| tile.border_links()).collect();
    // Twelve borders between nine tiles, both ways, one link for each of six squares.
    assert_eq!(links.len(), 12 * 2 * 6);
    assert!(links.iter().all(|link| link.reaches.is_ok()));
    let middle = layer.tile_named(102, 102).unwrap();
    for side in Side::ALL {
        let there = middle.neighbour(side).unwrap();
        assert_eq!(there.neighbour(side.opposite()).unwrap().index(), middle.index());
    }
    assert_eq!(middle.files().len(), 2);
    let [x, _, z] = middle.frame().unwrap().origin;
    assert_eq!(layer.tile_at(x + 5.0, z + 127.0).unwrap().index(), middle.index());
}

#[test]
fn absent_tiles_are_told_of_and_the_rest_joins() {
    let map = Map { size: [3, 3], columns: 4, cells: 6, ..Map::standalone() };
    let set = set_of(map.tiles().enumerate().filter(|(nth, _)| *nth != 4).map(|(_, tile)| tile));
    let links: Vec<_> = set.layers().next().unwrap().tiles().flat_map(|tile| tile.border_links()).collect();
    let absent = links.iter().filter(|link| link.reaches == Err(Unresolved::TileAbsent)).count();
    assert_eq!((links.len(), absent), (120, 24));
    assert_eq!(set.findings().iter().filter(|f| f.finding.code == "neighbour-absent").count(), 4);
}

#[test]
fn a_tile_that_moved_meets_nobody() {
    let map = Map { size: [2, 2], columns: 4, cells: 4, ..Map::standalone() };
    let mut tiles: Vec<Tile> = map.tiles().collect();
    // The last tile's origin in z.
    tiles[3].files[0].1[0x28..0x2C].copy_from_slice(&4096.0_f32.to_le_bytes());
    let set = set_of(tiles);
    let links: Vec<_> = set.layers().next().unwrap().tiles().flat_map(|tile| tile.border_links()).collect();
    let unmatched = links.iter().filter(|link| link.reaches == Err(Unresolved::NoMatch)).count();
    let resolved = links.iter().filter(|link| link.reaches.is_ok()).count();
    assert_eq!((links.len(), unmatched, resolved), (32, 16, 16));
    let codes: Vec<_> = set.findings().iter().map(|f| f.finding.code).collect();
    assert_eq!(codes, ["tile-origin", "border-unmatched", "border-unmatched", "border-unmatched"]);
}

#[test]
fn two_nodes_at_one_place_are_ambiguous() {
    let map = Map { size: [2, 1], columns: 4, cells: 2, sector: 1, ..Map::standalone() };
    let mut tiles: Vec<Tile> = map.tiles().collect();
    let bytes = &mut tiles[1].files[0].1;
    let nav = FoxNav::parse(bytes).unwrap();
    let strip = nav.group(Side::NegativeX.group()).unwrap().unwrap();
    let outs: Vec<_> = strip.world().tile_crossings().map(|(node, ..)| node).collect();
    let positions = nav.entries().next().unwrap().unwrap().payload_offset() as usize + 48;
    let [from, to] = [outs[0], outs[1]].map(|node| positions + node.index() * 6);
    bytes.copy_within(from..from + 6, to);
    let set = set_of(tiles);
    let links: Vec<_> = set.layers().next().unwrap().tiles().flat_map(|tile| tile.border_links()).collect();
    let ambiguous = links.iter().filter(|link| link.reaches == Err(Unresolved::Ambiguous { candidates: 2 }));
    assert_eq!(ambiguous.count(), 1);
    assert!(links.iter().any(|link| link.reaches == Err(Unresolved::NoMatch)));
}

#[test]
fn the_second_file_of_a_tile_is_left_out() {
    let map = Map { size: [2, 1], columns: 4, cells: 4, ..Map::standalone() };
    let tiles = map.tiles().chain([map.tile(1, 0)]);
    let set = set_of(tiles);
    assert_eq!(set.len(), 2);
    let finding = &set.findings()[0];
    assert_eq!((finding.finding.code, finding.path.starts_with("folder2")), ("duplicate-tile", true));
    assert!(finding.to_string().contains("folder1"), "{finding}");
}

#[test]
fn a_lone_part_and_a_strangers_part_are_told_of() {
    let map = Map { split: true, ..Map::standalone() };
    let mut tile = map.tile(0, 0);
    tile.files.remove(0);
    let codes = |set: &TileSet<'_>| set.findings().iter().map(|f| f.finding.code).collect::<Vec<_>>();
    // Links between the halves of the body dangle too.
    assert_eq!(codes(&set_of([tile])), ["split-part-absent", "group-absent"]);

    let mut tile = map.tile(0, 0);
    tile.files[1].1[0x50] ^= 0xFF;
    assert_eq!(codes(&set_of([tile])), ["split-mismatch"]);
}

#[test]
fn names_that_tell_nothing_do_not_keep_a_set_from_joining() {
    let map = Map { size: [2, 2], columns: 4, cells: 4, ..Map::standalone() };
    let tiles = map.tiles().enumerate().map(|(nth, mut tile)| {
        tile.files[0].0 = format!("{nth}.bin");
        tile
    });
    let set = set_of(tiles);
    assert_eq!((set.layers().len(), set.findings().len()), (1, 0));
    let layer = set.layers().next().unwrap();
    assert!(layer.tiles().flat_map(|tile| tile.border_links()).all(|link| link.reaches.is_ok()));
    assert_eq!(layer.columns(), Some(4));
}

#[test]
fn a_broken_tile_does_not_stop_the_rest() {
    let map = Map { size: [2, 2], columns: 4, cells: 4, ..Map::standalone() };
    let mut tiles: Vec<Tile> = map.tiles().collect();
    tiles[3].files[0].1.truncate(3000);
    let set = set_of(tiles);
    assert_eq!((set.len(), set.failures().len()), (3, 1));
    assert!(set.failures()[0].to_string().contains("alone_102_102_nav.nav2: "), "{}", set.failures()[0]);
}

#[test]
fn the_index_of_a_large_set_is_small_and_it_reads_files_in_parallel_alike() {
    let map = Map { columns: 8, ..Map::square(6) };
    let set = set_of(map.tiles());
    assert!(set.index_bytes() * 50 < set.file_bytes(), "{} of {}", set.index_bytes(), set.file_bytes());
    assert!(set.findings().is_empty());
    let links = set.layers().next().unwrap().tiles().map(|tile| tile.border_links().count()).sum::<usize>();
    assert_eq!(links, 2 * 2 * 6 * 5 * 16);
}

#[test]
fn quads_come_out_as_quads() {
    let bytes = Map { quads: true, holes: 0, ..Map::standalone() }.tile(0, 0).files.remove(0).1;
    let mut mesh = Geometry::new(Weld::Positions);
    mesh.add_file(&FoxNav::parse(&bytes).unwrap()).unwrap();
    assert_eq!((mesh.positions().len(), mesh.len()), (49, 36));
    assert!(mesh.faces().all(|face| face.len() == 4));
}
