//! Sets of real tiles.

use navmap::format::fox::{Adjacent, GroupId, Layer, Side, TileId, TileSet, Unresolved};
use navmap_testkit::corpus::real;

fn real_set() -> Option<TileSet<'static>> {
    real().map(|folder| TileSet::open([folder.join("fox/ssav")]).unwrap())
}

#[test]
fn every_link_to_a_tile_of_the_set_reaches_exactly_one_node() {
    let Some(set) = real_set() else { return };
    assert!(set.failures().is_empty());
    let count = |layer: &Layer<'_>| {
        let (mut resolved, mut absent) = (0, 0);
        for link in layer.tiles().flat_map(|tile| tile.border_links()) {
            match link.reaches {
                Ok(_) => resolved += 1,
                Err(Unresolved::TileAbsent) => absent += 1,
                Err(why) => panic!("{link:?}: {why}"),
            }
        }
        (layer.name().to_owned(), layer.tiles().len(), resolved, absent)
    };
    let layers: Vec<_> = set.layers().map(|layer| count(&layer)).collect();
    assert_eq!(layers, [("ssav_nav".into(), 19, 484, 238), ("ssav_nav_boss".into(), 7, 148, 32)]);
}

#[test]
fn resolved_links_lead_back_and_stay_in_place() {
    let Some(set) = real_set() else { return };
    let position = |node: navmap::format::fox::NodeRef| {
        let group = set.tile(node.tile).unwrap().group(node.group).unwrap().unwrap();
        group.node_position(node.node).unwrap()
    };
    for tile in set.layers().flat_map(|layer| layer.tiles()) {
        for link in tile.border_links() {
            let Ok(to) = link.reaches else { continue };
            let there = set.tile(to.tile).unwrap();
            assert_eq!(there.id(), link.tile);
            let back = there.links(to.group, to.node).unwrap().unwrap().crossing;
            assert_eq!(back, Some(Ok(link.from)));
            let (a, b) = (position(link.from), position(to));
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 0.01), "{a:?} {b:?}");
        }
    }
}

#[test]
fn every_crossing_of_every_node_is_mutual_or_leads_to_an_absent_tile() {
    let Some(set) = real_set() else { return };
    let (mut segments, mut groups, mut tiles) = (0, 0, 0);
    for tile in set.layers().flat_map(|layer| layer.tiles()) {
        for group in tile.groups() {
            let group = group.unwrap();
            for node in 0..group.world().nodes().len() as u16 {
                let node = navmap::format::fox::NodeIndex(node);
                let from = navmap::format::fox::NodeRef { tile: tile.index(), group: group.id(), node };
                let Some(crossing) = tile.links(group.id(), node).unwrap().unwrap().crossing else {
                    continue;
                };
                match crossing {
                    Ok(to) => {
                        let back = set.tile(to.tile).unwrap().links(to.group, to.node).unwrap().unwrap();
                        assert_eq!(back.crossing, Some(Ok(from)));
                        if to.tile != from.tile {
                            tiles += 1;
                        } else if to.group != from.group {
                            groups += 1;
                        } else {
                            segments += 1;
                        }
                    }
                    Err(why) => assert_eq!(why, Unresolved::TileAbsent),
                }
            }
        }
    }
    assert!(segments > 10_000 && groups > 1_000, "{segments} {groups}");
    assert_eq!(tiles, 484 + 148);
}

#[test]
fn faces_meet_across_borders() {
    let Some(set) = real_set() else { return };
    let mut met = 0;
    for tile in set.layers().flat_map(|layer| layer.tiles()) {
        for group in tile.groups() {
            let group = group.unwrap();
            for face in group.faces() {
                let face = face.unwrap();
                for side in 0..face.face.corners().len() {
                    let across = tile.across(&group, face.index, side).unwrap();
                    match (face.face.across(side).unwrap(), across) {
                        (Adjacent::Border, None) => {}
                        (Adjacent::Tile { tile: id, .. }, Some(Ok(to))) => {
                            assert_eq!(set.tile(to.tile).unwrap().id(), id);
                            met += 1;
                        }
                        (Adjacent::Tile { .. }, Some(Err(why))) => assert_eq!(why, Unresolved::TileAbsent),
                        (Adjacent::Face(_) | Adjacent::Group { .. }, Some(Ok(to))) => {
                            assert_eq!(to.tile, tile.index());
                        }
                        (stored, resolved) => panic!("{stored:?} {resolved:?}"),
                    }
                }
            }
        }
    }
    assert_eq!(met, 484 + 148);
}

#[test]
fn parts_of_a_split_tile_are_one_tile() {
    let Some(set) = real_set() else { return };
    let layer = set.layer("ssav_nav").unwrap();
    let tile = layer.tile_named(140, 131).unwrap();
    assert_eq!(tile.coordinates(), Some((140, 131)));
    assert_eq!(tile.files().map(|file| file.number()).collect::<Vec<_>>(), [0, 1]);
    let groups: Vec<u16> = tile.groups().map(|group| group.unwrap().id().0).collect();
    assert_eq!(groups, [0, 1, 2, 3, 4, 5]);
    assert_eq!(tile.group(GroupId(5)).unwrap().unwrap().segments().count(), 56);
    assert!(tile.group(GroupId(9)).unwrap().is_none());
}

#[test]
fn parts_are_found_in_different_folders() {
    let Some(folder) = real().map(|folder| folder.join("fox/ssav")) else { return };
    let temp = std::env::temp_dir().join(format!("navmap-fox-{}", std::process::id()));
    for (sub, name) in [("small/a", "ssav_140_131_nav.nav2"), ("large", "ssav_140_131_nav.1.nav2")] {
        std::fs::create_dir_all(temp.join(sub)).unwrap();
        std::fs::copy(folder.join(name), temp.join(sub).join(name)).unwrap();
    }
    let set = TileSet::open([temp.join("small"), temp.join("large")]).unwrap();
    std::fs::remove_dir_all(&temp).unwrap();
    assert_eq!((set.len(), set.tile(0).unwrap().files().len()), (1, 2));
    let parts: Vec<_> =
        set.findings().iter().filter(|finding| finding.finding.code.contains("split")).collect();
    assert!(parts.is_empty(), "{parts:?}");
}

#[test]
fn tiles_are_found_by_id_name_side_and_place() {
    let Some(set) = real_set() else { return };
    let layer = set.layer("ssav_nav").unwrap();
    assert_eq!(layer.columns(), Some(64));
    for tile in layer.tiles() {
        let (x, z) = tile.coordinates().unwrap();
        assert_eq!(layer.tile_named(x, z).unwrap().id(), tile.id());
        assert_eq!(layer.tile(tile.id()).unwrap().index(), tile.index());
        let [ox, _, oz] = tile.frame().unwrap().origin;
        for at in [0.0, 64.0, 127.9] {
            assert_eq!(layer.tile_at(ox + at, oz + at).unwrap().id(), tile.id());
        }
    }
    let west = layer.tile_named(139, 131).unwrap();
    assert_eq!(west.neighbour(Side::PositiveX).unwrap().coordinates(), Some((140, 131)));
    assert!(west.neighbour(Side::NegativeX).is_none());
    assert!(layer.tile_at(0.0, 0.0).is_none());
    assert!(layer.tile(TileId(0)).is_none());
}

#[test]
fn the_index_is_small() {
    let Some(set) = real_set() else { return };
    let (index, files) = (set.index_bytes(), set.file_bytes());
    assert!(index * 50 < files, "{index} of {files}");
}

#[test]
fn mixed_maps_and_broken_files_do_not_stop_the_rest() {
    let Some(folder) = real() else { return };
    let set = TileSet::open([folder.join("fox")]).unwrap();
    assert_eq!(set.layers().next().unwrap().name(), "ssav_nav");
    let failures: Vec<String> = set.failures().iter().map(ToString::to_string).collect();
    assert_eq!(failures.len(), 1);
    assert!(failures[0].contains("degenerate_plane.nav2: entry 2, byte 0x5bc0"), "{failures:?}");
    let mixed = set.findings().iter().filter(|finding| finding.finding.code == "mixed-maps");
    assert_eq!(mixed.count(), 7);
    assert_eq!(set.layer("mbqf_nav").unwrap().columns(), Some(2));
}

#[test]
fn a_set_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<TileSet<'static>>();
}
