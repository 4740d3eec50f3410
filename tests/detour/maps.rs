//! Maps of a server: many files, one mesh.

use navmap::bytes::Backing;
use navmap::format::detour::MapSet;
use navmap::graph::{LinkKind, NavGraph};
use navmap_testkit::corpus::{bundled, real};
use navmap_testkit::detour as kit;
use std::path::{Path, PathBuf};

const PARAMETERS: &str = "001.mmap";
const FIRST: &str = "0013231.mmtile";
const SECOND: &str = "0013131.mmtile";

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(bundled().join("detour/map").join(name)).unwrap()
}

/// A set of files under these names.
fn set(files: &[(&str, Vec<u8>)]) -> MapSet<'static> {
    MapSet::from_opened(
        files.iter().map(|(name, bytes)| Ok((PathBuf::from(name), Backing::owned(bytes.clone())))),
    )
}

fn codes(set: &MapSet<'_>) -> Vec<(&'static str, String)> {
    set.findings().iter().map(|found| (found.finding.code, found.path.display().to_string())).collect()
}

fn borders(set: &MapSet<'_>) -> (usize, usize) {
    let map = set.maps().next().unwrap();
    let (mut to, mut outside) = (0, 0);
    let graph = map.graph();
    graph
        .for_each_link(|link| {
            to += usize::from(link.kind == LinkKind::Border && link.to.is_some());
            outside += usize::from(link.to.is_none());
        })
        .unwrap();
    (to, outside)
}

fn whole() -> Vec<(&'static str, Vec<u8>)> {
    [PARAMETERS, FIRST, SECOND].map(|name| (name, bytes(name))).to_vec()
}

#[test]
fn the_tiles_of_a_map_are_one_mesh() {
    let set = set(&whole());
    assert_eq!((codes(&set), set.failures().len(), set.len()), (vec![], 0, 2));
    assert_eq!(borders(&set), (8, 0));
    let map = set.maps().next().unwrap();
    assert_eq!((map.name(), map.version(), map.tiles().count()), ("001".to_owned(), Some(4), 2));
    assert_eq!(map.summary().subversion, Some(7));
}

#[test]
fn a_tile_that_is_missing_is_told_by_the_portals_that_lead_to_it() {
    let mut files = whole();
    files.remove(2);
    let set = set(&files);
    assert_eq!(codes(&set), [("absent-tile", FIRST.to_owned())]);
    let message = &set.findings()[0].finding.message;
    assert_eq!(message, "4 portal edges lead over side 2, where the folder has no tile");
}

#[test]
fn exchanged_numbers_and_wrong_names_are_told() {
    let mut files = whole();
    files[2].0 = "0013129.mmtile";
    assert_eq!(codes(&set(&files)), [("name-place", "0013129.mmtile".to_owned())]);
    // Both tiles lie on one column; only the one beside the middle can have its numbers exchanged.
    files[2].0 = SECOND;
    files[1].0 = "0013132.mmtile";
    let set = set(&files);
    assert_eq!(codes(&set), [("name-place", "0013132.mmtile".to_owned())]);
    let message = &set.findings()[0].finding.message;
    assert_eq!(message, "column and row are exchanged: the tile lies at 32, 31");
}

#[test]
fn a_map_without_parameters_and_mixed_versions_are_told() {
    let mut files = whole();
    files.remove(0);
    assert_eq!(codes(&set(&files)), [("missing-map", SECOND.to_owned())]);
    let mut files = whole();
    files[1].1[8] = 3;
    assert_eq!(codes(&set(&files)), [("mixed-versions", FIRST.to_owned())]);
}

#[test]
fn a_tile_at_another_place_of_the_grid_and_two_at_one_place_are_told() {
    let mut files = whole();
    // The row of the tile is the second number behind its magic and version.
    files[2].1[20 + 12] = 0;
    let found = codes(&set(&files));
    assert!(found.contains(&("tile-place", SECOND.to_owned())), "{found:?}");
    assert!(found.iter().any(|(code, _)| *code == "twin-tile"), "{found:?}");
}

#[test]
fn files_that_are_no_part_of_a_map_are_failures() {
    let mut files = whole();
    files.push(("0013030.mmtile", vec![0; 400]));
    files.push(("x.mmtile", bytes(FIRST)));
    files.push(("0013029.mmtile", bytes(FIRST)[..900].to_vec()));
    let set = set(&files);
    let failures: Vec<String> = set.failures().iter().map(ToString::to_string).collect();
    assert_eq!(failures.len(), 3, "{failures:#?}");
    assert_eq!(set.len(), 2);
}

#[test]
fn real_maps_are_joined_as_the_page_of_the_format_measured() {
    let Some(root) = real() else { return };
    let root = root.join("detour/client-derived");
    let open = |folder: &str, map: &str| {
        let names = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let of_map = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(map);
        MapSet::open(names.filter(of_map).collect::<Vec<_>>())
    };
    for (folder, map, joined) in [("mmap-v4", "034", 36), ("mmap-v4", "042", 8), ("mmap-v3", "042", 8)] {
        let set = open(folder, map);
        assert_eq!((set.failures().len(), set.len()), (0, 4), "{folder} {map}");
        let counts: Vec<_> = set.findings().iter().filter(|found| found.finding.severity.counts()).collect();
        assert!(counts.is_empty(), "{counts:?}");
        assert_eq!(borders(&set).0, joined, "{folder} {map}");
    }
}

#[test]
fn the_names_of_made_files_are_those_of_real_ones() {
    let names: Vec<String> = kit::map_folder().into_iter().map(|made| made.path).collect();
    assert_eq!(names, ["map/001.mmap", "map/0013231.mmtile", "map/0013131.mmtile"]);
    assert!(names.iter().all(|name| bundled().join("detour").join(Path::new(name)).is_file()));
}
