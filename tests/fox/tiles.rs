//! Maps cut into tiles.

use navmap::bytes::{Backing, Scratch};
use navmap::format::fox::{BuildOptions, BuiltTile, FoxBuf, FoxGraph, FoxNav, TileId, TileSet};
use navmap::graph::{Csr, Islands, Scene};
use navmap::{NavFile, Severity};
use std::path::PathBuf;

/// A land of squares, 8 m each, from a corner on: two sheets over each other, with holes, of which the upper one begins
/// behind a gap.
fn land(from: [f64; 2], squares: [u32; 2]) -> Scene {
    let mut scene = Scene::new();
    let [wide, deep] = squares;
    for (sheet, height) in [0.0, 20.0].into_iter().enumerate() {
        let first = scene.positions.len() as u32;
        for z in 0..=deep {
            for x in 0..=wide {
                let bump = f64::from((x * 7 + z * 3) % 11) * 0.13;
                scene.positions.push([
                    from[0] + f64::from(x) * 8.0,
                    height + bump,
                    from[1] + f64::from(z) * 8.0,
                ]);
            }
        }
        let at = |x: u32, z: u32| first + z * (wide + 1) + x;
        for z in 0..deep {
            for x in 0..wide {
                let gap = sheet == 1 && (x == wide / 3 || z == deep / 2);
                if gap || (x * 5 + z * 11) % 17 == 0 {
                    continue;
                }
                let line = scene.polygons.len() as u32 + 1;
                scene.add_polygon(&[at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x + 1, z)], line, 0, 0);
            }
        }
    }
    scene
}

fn set(tiles: &[BuiltTile]) -> (TileSet<'static>, usize) {
    let mut files = Vec::new();
    for tile in tiles {
        let [x, z] = tile.name;
        for (number, part) in tile.parts.iter().enumerate() {
            let end = if number == 0 { String::new() } else { format!(".{number}") };
            let bytes = part.encode().unwrap();
            let nav = FoxNav::parse(&bytes).unwrap();
            nav.check(&mut Scratch::new(), &mut |finding| {
                assert!(finding.severity < Severity::Deviation, "tile {x},{z}, part {number}: {finding}");
            })
            .unwrap();
            files.push((PathBuf::from(format!("land_{x}_{z}_nav{end}.nav2")), Backing::owned(bytes)));
        }
    }
    let count = files.len();
    (TileSet::from_backings(files), count)
}

/// The islands of a graph by how many square metres they have, largest first: pieces are cut otherwise, so nodes are not
/// equal in number.
fn islands(graph: &impl navmap::graph::NavGraph) -> Vec<i64> {
    use navmap::graph::{FlatGraph, Shape};
    let csr = Csr::of(graph).whole().unwrap();
    let found = Islands::weak(&csr);
    let flat = FlatGraph::of(graph).whole().unwrap();
    let mut areas = vec![0.0; found.len()];
    for (index, node) in flat.nodes().iter().enumerate() {
        let Shape::Polygon(corners) = flat.shape(node) else { continue };
        let area: f64 = (1..corners.len() - 1)
            .map(|i| {
                let (a, b, c) = (corners[0], corners[i], corners[i + 1]);
                let d = |p: f32, q: f32| f64::from(p) - f64::from(q);
                ((d(b.z, a.z) * d(c.x, a.x)) - (d(b.x, a.x) * d(c.z, a.z))).abs() / 2.0
            })
            .sum();
        areas[found.of(index as u32).unwrap() as usize] += area;
    }
    let mut areas: Vec<i64> = areas.into_iter().map(|area| area.round() as i64).collect();
    areas.sort_unstable_by(|a, b| b.cmp(a));
    areas
}

#[test]
fn a_cut_map_opens_as_one_with_every_border_resolved_and_the_islands_of_the_mesh() {
    for (scene, columns, limit) in [
        (land([-150.0, -130.0], [34, 31]), 4, None),
        (land([-128.0, -128.0], [30, 32]), 2, None),
        (land([-150.0, -130.0], [34, 31]), 4, Some(40)),
        // The middle of a map of odd columns is the middle of a tile.
        (land([-150.0, -130.0], [34, 31]), 5, None),
    ] {
        let (tiles, report) = FoxBuf::build_tiles(&scene, &BuildOptions::default(), columns, limit).unwrap();
        // A corner that a line cuts off may be less than a quantum.
        assert!(report.dropped <= 3 && report.folded + report.alone + report.turned == 0, "{report}");
        let (set, files) = set(&tiles);
        assert_eq!(files > tiles.len(), limit.is_some(), "parts");
        assert!(set.failures().is_empty());
        assert!(!set.findings().iter().any(|found| found.finding.code == "tile-origin"), "{columns}");
        assert_eq!(set.layers().count(), 1);
        let layer = set.layers().next().unwrap();
        assert_eq!((layer.tiles().count(), layer.columns()), (tiles.len(), Some(columns)));
        let mut crossings = 0;
        for tile in layer.tiles() {
            for link in tile.border_links() {
                crossings += 1;
                assert!(link.reaches.is_ok(), "{:?}: {link:?}", tile.coordinates());
            }
        }
        assert!(crossings > 100, "{crossings}");
        let (whole, _) = FoxBuf::build(&scene, &BuildOptions::default()).unwrap();
        let bytes = whole.encode().unwrap();
        let uncut = islands(&FoxGraph::of_file(&FoxNav::parse(&bytes).unwrap()));
        let cut = islands(&FoxGraph::of_layer(&layer));
        assert!(uncut.len() > 2);
        assert_eq!(cut.len(), uncut.len());
        for (a, b) in cut.iter().zip(&uncut) {
            assert!((a - b).abs() <= 1 + b / 500, "{cut:?}, {uncut:?}");
        }
    }
}

#[test]
fn a_tile_lies_where_its_number_says_in_a_map_of_any_columns() {
    for (tile, columns, corner) in [(27, 8, -128.0), (12, 5, -64.0), (0, 1, -64.0)] {
        let options = BuildOptions::default().with_tile(Some((TileId(tile), columns)));
        let (tile, _) = FoxBuf::build(&land([-60.0, -60.0], [4, 4]), &options).unwrap();
        let [x, _, z] = tile.head.frame().origin;
        assert_eq!([x, z], [corner; 2], "{columns}");
    }
}

#[test]
fn a_face_that_is_not_convex_is_cut_into_triangles_inside_of_it() {
    // An L, from a corner that does not see all of it.
    let mut scene = Scene::new();
    let l = [[12.0, 0.0], [0.0, 0.0], [0.0, 12.0], [6.0, 12.0], [6.0, 6.0], [12.0, 6.0]];
    scene.positions.extend(l.map(|[x, z]| [x, 0.0, z]));
    scene.add_polygon(&[0, 1, 2, 3, 4, 5], 7, 0, 0);
    let (tile, report) = FoxBuf::build(&scene, &BuildOptions::default()).unwrap();
    assert_eq!(report.warnings(), [""; 0]);
    let bytes = tile.encode().unwrap();
    assert_eq!(islands(&FoxGraph::of_file(&FoxNav::parse(&bytes).unwrap())), [108]);
    // One that crosses itself cannot be cut so, which is said.
    scene.add_polygon(&[1, 2, 0, 3], 8, 0, 0);
    let (_, report) = FoxBuf::build(&scene, &BuildOptions::default()).unwrap();
    assert_eq!((report.crossed, report.first_crossed), (1, Some(8)));
    assert!(report.to_string().contains("were cut roughly (the first at line 8)"), "{report}");
}

#[test]
fn a_mesh_beyond_the_map_is_refused_and_one_tile_has_no_strips() {
    let error =
        FoxBuf::build_tiles(&land([0.0, 0.0], [40, 4]), &BuildOptions::default(), 2, None).unwrap_err();
    assert!(error.to_string().starts_with("extent: the faces reach from 0 to 320 m on x"), "{error}");
    let (tiles, _) =
        FoxBuf::build_tiles(&land([0.0, 0.0], [16, 16]), &BuildOptions::default(), 2, None).unwrap();
    assert_eq!(tiles.len(), 1);
    let ids: Vec<_> = tiles[0].parts[0].groups.iter().map(|group| group.id.index()).collect();
    assert_eq!((ids, tiles[0].name), (vec![4], [102, 102]));
    assert_eq!(tiles[0].parts[0].head.frame().origin[0], 0.0);
}
