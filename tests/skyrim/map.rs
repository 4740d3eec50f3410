//! The navmesh info map.

use crate::plugin;
use navmap::bytes::Scratch;
use navmap::format::skyrim::{FormId, MapEntry, MapFlags, NavMap, Parent, Tag};
use navmap_testkit::corpus;
use navmap_testkit::skyrim::{self as kit, FO4, SE, STARFIELD};

#[test]
fn entries_paths_and_deleted_meshes_are_what_was_made() {
    for game in [SE, FO4, STARFIELD] {
        let bytes = kit::village(game, 2, (3, 3), true).0.encode();
        let plugin = plugin(&bytes);
        let mut scratch = Scratch::new();
        let navi = plugin.navi().unwrap().unwrap();
        assert_eq!((navi.tag(), navi.form_id().get()), (Tag::NAVI, game.navi));
        let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
        assert_eq!(map.version(), game.nvnm);
        let entries: Vec<MapEntry<'_>> = map.entries().map(Result::unwrap).collect();
        assert_eq!(entries.len(), 6);
        let first = entries.iter().find(|entry| entry.head.flags().contains(MapFlags::ISLAND)).unwrap();
        let island = first.island.unwrap();
        assert_eq!((island.triangles.len(), island.vertices.len()), (1, 3));
        assert_eq!(island.triangles[0].vertices(), [0, 1, 2]);
        // One neighbour lies in the north, one along the road in the east.
        assert_eq!((first.links.len(), first.preferred_links.len()), (1, 1));
        assert!(matches!(first.pathing_cell.parent(), Parent::Exterior { x: 2, y: -1, .. }));
        assert_eq!(first.doors[0].reference(), FormId::new(0x0100_08E1));
        assert_eq!(first.unknown_tail.is_some(), game.nvnm == 17);
        let paths = map.preferred_paths().unwrap().unwrap();
        assert_eq!(paths.paths().map(<[_]>::len).collect::<Vec<_>>(), [2]);
        assert_eq!(paths.markers().len(), 1);
        assert_eq!(map.deleted().unwrap().len(), 1);
        assert_eq!(map.other_fields().count(), 0);
    }
}

#[test]
fn every_real_map_is_read_to_its_last_byte() {
    let Some(folder) = corpus::real() else { return };
    let (mut maps, mut entries, mut scratch) = (0, 0, Scratch::new());
    for row in corpus::manifest(&folder.join("skyrim")) {
        let bytes = row.read();
        if row.name().ends_with(".nvnm") {
            continue;
        }
        let Some(navi) = plugin(&bytes).navi().unwrap() else { continue };
        let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
        maps += 1;
        entries += map.entries().map(Result::unwrap).count();
        map.deleted().unwrap();
        if let Some(paths) = map.preferred_paths().unwrap() {
            assert_eq!(paths.paths().count(), paths.len(), "{}", row.name());
        }
    }
    assert!(maps >= 15 && entries > 800, "{maps} maps, {entries} entries");
}
