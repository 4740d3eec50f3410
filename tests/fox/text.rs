//! What people read, and places.

use navmap::NavFile;
use navmap::bytes::Scratch;
use navmap::format::fox::{FoxNav, TileSet};
use navmap_testkit::corpus::{bundled, manifest, real};
use navmap_testkit::fox::Map;

fn info(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    FoxNav::parse(bytes).unwrap().info(&mut Scratch::new(), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn a_tile_is_described() {
    let bytes = std::fs::read(bundled().join("fox/set/plain_102_102_nav.nav2")).unwrap();
    let expected = "\
format              Fox Engine nav2, version 201403242
game                Metal Gear Solid V/Survive
tile                5 (X 102, Z 102 in a map of 4 columns)
origin              -128, -1, -128 m (x, y up, z)
reach               128.2 x 20.0 x 128.2 m

group        segments  vertices     faces     nodes     edges
0 (-z)              2        12         8        18        24
1 (+x)              2        12         8        18        24
2 (+z)              2        12         8        18        24
3 (-x)              2        12         8        18        24
4                   4        35        30        61        90

links               20 between segments, 32 between groups
                    4 to tile 1 (-z)
                    4 to tile 4 (-x)
                    4 to tile 6 (+x)
                    4 to tile 9 (+z)
attributes          0x04e1 on 12 segments
islands             1 in graph 0, the largest of 12 segments
search space        13 x 13 buckets of 10 m, 0 empty
";
    assert_eq!(info(&bytes), expected);
}

#[test]
fn every_real_file_can_be_described() {
    let Some(folder) = real() else { return };
    for row in manifest(&folder.join("fox")).iter().filter(|row| row.number("groups").is_some()) {
        let text = info(&row.read());
        assert_eq!(text.contains("made by             Obj2Nav2"), row.name().starts_with("obj2nav2"));
        let tile = text.lines().find(|line| line.starts_with("tile ")).unwrap();
        if let Some((_, name)) = row.name().split_once("ssav_") {
            // Empty parts have no links that tell the columns.
            let (x, z) = name.split_at(3);
            let named = format!("(X {x}, Z {} in a map of 64 columns)", &z[1..4]);
            assert!(
                tile.ends_with(&named) || row.number("groups") == Some(0) || name.contains(".1."),
                "{tile}"
            );
        }
    }
}

#[test]
fn a_set_is_drawn() {
    let folder = bundled().join("fox");
    let set = TileSet::open([folder.join("set"), folder.join("split")]).unwrap();
    let mut text = Vec::new();
    set.info(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let drawn = "plain_nav: 9 tiles, map of 4 columns
  X 101 to 103, Z 101 to 103; # tile, 2 split tile, ! links unresolved, . none
    101 ###
    102 ###
    103 ###
  links             96 between tiles: 96 resolved, 0 to absent tiles, 0 unresolved
";
    assert!(text.contains(drawn), "{text}");
    assert!(text.contains("split_nav: 1 tile\n"), "{text}");
    assert!(text.contains("warning: belongs to map split, most of the set to plain [mixed-maps]"), "{text}");
}

/// The middle of every face is on that face, or on one at the same height.
fn every_face_is_found(nav: &FoxNav<'_>) -> usize {
    let mut seen = 0;
    for group in nav.groups() {
        let group = group.unwrap();
        for face in group.faces() {
            let face = face.unwrap();
            let corners = face.corners.as_slice();
            let at: Vec<[f32; 3]> = corners
                .iter()
                .map(|v| nav.frame().world(&group.mesh().vertices()[usize::from(*v)]))
                .collect();
            let middle: [f32; 3] =
                std::array::from_fn(|k| at.iter().map(|p| p[k]).sum::<f32>() / at.len() as f32);
            let twice =
                (at[1][2] - at[0][2]) * (at[2][0] - at[0][0]) - (at[1][0] - at[0][0]) * (at[2][2] - at[0][2]);
            if twice.abs() < 0.05 {
                continue;
            }
            let found =
                nav.locate(middle).unwrap().unwrap_or_else(|| panic!("{middle:?} of {:?}", face.index));
            assert!((found.y - middle[1]).abs() < 0.02, "{middle:?}: {found:?}");
            seen += 1;
        }
    }
    seen
}

#[test]
fn places_are_found_on_the_face_they_lie_on() {
    let map = Map { size: [2, 2], columns: 4, cells: 5, holes: 5, ..Map::standalone() };
    for tile in map.tiles() {
        let nav = FoxNav::parse(&tile.files[0].1).unwrap();
        assert!(every_face_is_found(&nav) > 30);
        let [x, y, z] = nav.frame().origin;
        assert_eq!(nav.locate([x - 5.0, y, z]).unwrap(), None);
        assert_eq!(nav.locate([f32::NAN, y, z]).unwrap(), None);
    }
    let Some(folder) = real() else { return };
    let bytes = std::fs::read(folder.join("fox/ssav/ssav_140_131_nav.nav2")).unwrap();
    assert!(every_face_is_found(&FoxNav::parse(&bytes).unwrap()) > 1_000);
}

#[test]
fn places_in_holes_are_nowhere_and_heights_follow_the_ground() {
    let whole = Map { holes: 0, ..Map::standalone() };
    let holed = Map { holes: 2, ..Map::standalone() };
    let [whole, holed] = [whole, holed].map(|map| map.tile(0, 0).files.remove(0).1);
    let [whole, holed] = [&whole, &holed].map(|bytes| FoxNav::parse(bytes).unwrap());
    let [x, _, z] = whole.frame().origin;
    let (mut missing, mut same) = (0, 0);
    for i in 0..40 {
        for j in 0..40 {
            let at = [x + 1.0 + i as f32 * 3.1, 0.0, z + 1.0 + j as f32 * 3.1];
            let ground = whole.locate(at).unwrap().expect("the ground has no hole");
            match holed.locate(at).unwrap() {
                Some(found) => {
                    assert!((found.y - ground.y).abs() < 0.01);
                    same += 1;
                }
                None => missing += 1,
            }
        }
    }
    assert!(missing > 100 && same > 100, "{missing} {same}");
}

#[test]
fn a_set_finds_the_face_under_a_place() {
    let set = TileSet::open([bundled().join("fox/set")]).unwrap();
    let layer = set.layers().next().unwrap();
    let (tile, found) = layer.locate([-64.0, 100.0, -64.0]).unwrap().unwrap();
    assert_eq!((tile.coordinates(), found.group.0), (Some((102, 102)), 4));
    assert!(layer.locate([1000.0, 0.0, 1000.0]).unwrap().is_none());
}
