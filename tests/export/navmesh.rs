//! Meshes for Detour, read back: what the graph joins is joined, and what is lost is on the bill.

use crate::{files, load, side};
use navmap::bytes::Scratch;
use navmap::export::navmesh::{Bill, Mapping, NavmeshOptions, to_detour};
use navmap::export::{Export, Format};
use navmap::format::AnyNav;
use navmap::format::detour::{DetourNav, Polygon};
use navmap::graph::{Axes, Csr, FlatGraph, Islands, Link, LinkKind, Point, Shape, Stats};
use navmap::{NavFile, Severity};
use std::collections::BTreeSet;

/// Squares of 2 by 2 metres, y up, by their smallest corners.
fn squares(at: &[[f32; 3]], size: f32) -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::y_up(1.0));
    for (id, [x, y, z]) in at.iter().enumerate() {
        let corners = [(0.0, 0.0), (0.0, size), (size, size), (size, 0.0)];
        let corners = corners.map(|(u, v)| Point::new(x + u, *y, z + v));
        graph.add_node(id as u64, Shape::Polygon(&corners));
    }
    graph
}

fn both(graph: &mut FlatGraph, a: u32, b: u32) {
    graph.add_link(Link::new(a, b, LinkKind::Walk));
    graph.add_link(Link::new(b, a, LinkKind::Walk));
}

/// Writes a mesh, and reads it again without a finding that counts.
fn made(graph: &FlatGraph, options: &NavmeshOptions) -> (FlatGraph, Bill) {
    let (bytes, bill) = to_detour(graph, options).unwrap();
    let nav = DetourNav::parse(&bytes).unwrap();
    nav.check(&mut Scratch::new(), &mut |finding| {
        assert!(finding.severity < Severity::Warning, "{finding}");
        assert_ne!(finding.code, "open-seam", "{finding}");
    })
    .unwrap();
    use navmap::format::NavFormat;
    (FlatGraph::of(&nav.graph()).whole().unwrap(), bill)
}

#[test]
fn two_squares_at_a_long_edge_share_its_halves() {
    // A square of 4 m beside two of 2 m.
    let mut graph = squares(&[[2.0, 0.0, 0.0], [2.0, 0.0, 2.0]], 2.0);
    let long = [(-2.0, 0.0), (-2.0, 4.0), (2.0, 4.0), (2.0, 0.0)].map(|(x, z)| Point::new(x, 0.0, z));
    let long = graph.add_node(9, Shape::Polygon(&long));
    both(&mut graph, 0, long);
    both(&mut graph, 1, long);
    let (read, bill) = made(&graph, &NavmeshOptions::default());
    assert_eq!((bill.joined, bill.connections, bill.cut["edges where another one begins"]), (2, 0, 1));
    assert_eq!(read.links().len(), 4);
    // The two squares meet over an edge as well, but the graph does not join them.
    assert!(!read.links().iter().any(|link| link.from == 0 && link.to == Some(1)));
}

#[test]
fn a_step_is_met_half_way() {
    let mut graph = squares(&[[0.0, 0.0, 0.0], [2.0, 0.3, 0.0]], 2.0);
    both(&mut graph, 0, 1);
    let (read, bill) = made(&graph, &NavmeshOptions::default());
    assert_eq!((read.links().len(), bill.joined), (2, 1));
    assert!((bill.moved - 0.15).abs() < 1e-3, "{}", bill.moved);
}

#[test]
fn one_way_drops_and_jumps_become_connections() {
    let mut graph = squares(&[[0.0, 3.0, 0.0], [2.0, 0.0, 0.0], [8.0, 0.0, 0.0]], 2.0);
    let edge = [Point::new(2.0, 3.0, 0.0), Point::new(2.0, 3.0, 2.0)];
    graph.add_link(Link { portal: Some(edge), ..Link::new(0, 1, LinkKind::Drop) });
    graph.add_link(Link::new(1, 2, LinkKind::Jump));
    graph.add_link(Link::new(2, 1, LinkKind::Jump));
    let (read, bill) = made(&graph, &NavmeshOptions::default());
    assert_eq!((bill.joined, bill.connections), (0, 2));
    let mut jumps: Vec<_> =
        read.links().iter().map(|link| (link.kind, link.from, link.to.unwrap())).collect();
    jumps.sort();
    let wanted = [(LinkKind::Jump, 0, 1), (LinkKind::Jump, 1, 2), (LinkKind::Jump, 2, 1)];
    assert_eq!(jumps, wanted);
}

/// Where a connection from the last node ends, and the climb that the tile states.
fn landing(graph: &mut FlatGraph, at: u32) -> ([f32; 3], f32, Bill) {
    let far = squares(&[[20.0, 0.0, 0.0]], 2.0);
    let Shape::Polygon(corners) = far.shape(&far.nodes()[0]) else { unreachable!() };
    let last = graph.add_node(99, Shape::Polygon(corners));
    graph.add_link(Link::new(last, at, LinkKind::Jump));
    let (bytes, bill) = to_detour(graph, &NavmeshOptions::default()).unwrap();
    let nav = DetourNav::parse(&bytes).unwrap();
    let tile = nav.tiles().next().unwrap().unwrap().tile;
    let end = tile.off_mesh().get(0).unwrap().end();
    (end, tile.head().agent.unwrap()[2], bill)
}

#[test]
fn a_connection_ends_where_no_other_floor_lies_within_a_climb() {
    // The second floor covers all but a strip of the first one.
    let mut graph = squares(&[[0.0, 0.0, 0.0], [0.4, 0.2, 0.0]], 2.0);
    let ([x, ..], climb, _) = landing(&mut graph, 0);
    assert!(x < 0.4, "{x}");
    assert!((climb - 0.5).abs() < 1e-6);
    // A storey above, it may.
    let mut graph = squares(&[[0.0, 0.0, 0.0], [0.4, 3.0, 0.0]], 2.0);
    assert!(landing(&mut graph, 0).0[0] > 0.9);
}

#[test]
fn floors_that_cover_one_another_are_told_apart_by_a_smaller_climb() {
    let mut graph = squares(&[[0.0, 0.0, 0.0], [0.0, 0.2, 0.0]], 2.0);
    let (_, climb, bill) = landing(&mut graph, 0);
    assert!(climb < 0.1, "{climb}");
    assert_eq!(
        bill.approximated["tiles that state a smaller climb, so that floors within one are told apart"],
        1
    );
}

#[test]
fn a_way_over_a_sliver_without_an_area_stays_a_way() {
    let mut graph = squares(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]], 2.0);
    let sliver = [(2.0, 0.0), (2.0, 2.0), (2.0, 1.0)].map(|(x, z)| Point::new(x, 0.0, z));
    let slivers = [0, 1].map(|id| graph.add_node(7 + id, Shape::Polygon(&sliver)));
    both(&mut graph, 0, slivers[0]);
    both(&mut graph, slivers[0], slivers[1]);
    both(&mut graph, slivers[1], 1);
    let (read, bill) = made(&graph, &NavmeshOptions::default());
    assert_eq!((bill.polygons, bill.connections, bill.dropped["nodes without an area"]), (2, 1, 2));
    assert_eq!(Islands::strong(&Csr::of(&read).whole().unwrap()).len(), 1);
}

#[test]
fn the_bill_names_the_polygons_of_each_node() {
    let graph = squares(&[[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]], 4.0);
    let (bytes, bill) =
        to_detour(&graph, &NavmeshOptions { tile: Some(2.0), ..NavmeshOptions::default() }).unwrap();
    let nav = DetourNav::parse(&bytes).unwrap();
    let mut polygons = nav.tiles().map(Result::unwrap).flat_map(|entry| {
        let corner = move |polygon: Polygon<'_>| {
            entry.tile.vertices()[usize::from(polygon.corners()[0].get())].to_array()
        };
        (entry.reference as u32..).zip(entry.tile.polygons().iter().map(corner))
    });
    assert_eq!((bill.polygons, bill.references.len()), (10, 10));
    for (reference, node) in &bill.references {
        let (at, [x, ..]) = polygons.next().unwrap();
        assert_eq!((at, u32::from(x >= 5.0)), (*reference, *node), "{x}");
    }
}

#[test]
fn tiles_are_joined_over_their_sides_as_one_tile_is() {
    let places: Vec<[f32; 3]> = (0..6)
        .flat_map(|x| (0..6).map(move |z| [x as f32 * 2.0, (x % 2) as f32 * 0.1, z as f32 * 2.0]))
        .collect();
    let mut graph = squares(&places, 2.0);
    for x in 0..6u32 {
        for z in 0..6u32 {
            let at = x * 6 + z;
            if x < 5 {
                both(&mut graph, at, at + 6);
            }
            if z < 5 {
                both(&mut graph, at, at + 1);
            }
        }
    }
    let (one, bill) = made(&graph, &NavmeshOptions::default());
    assert_eq!((one.nodes().len(), bill.tiles), (36, 1));
    // Sides of tiles on the edges of squares, and through the middle of them.
    for tile in [4.0, 5.0, 3.0] {
        let options = NavmeshOptions { tile: Some(tile), ..NavmeshOptions::default() };
        let (read, bill) = made(&graph, &options);
        assert!(bill.tiles > 4, "{tile}: {bill:?}");
        let csr = Csr::of(&read).whole().unwrap();
        assert_eq!(Islands::strong(&csr).len(), 1, "{tile}");
        let area = |graph: &FlatGraph| Stats::of(graph).whole().unwrap().area_m2;
        assert_eq!(area(&one).map(|a| a.round()), area(&read).map(|a| a.round()), "{tile}");
    }
}

#[test]
fn polygons_of_many_corners_are_cut_to_six_and_stay_as_large() {
    // A circle of 40 corners, and a cross, which is not convex.
    let mut graph = FlatGraph::new("area", Axes::y_up(1.0));
    let circle: Vec<Point> = (0..40)
        .map(|i| (i as f32 * std::f32::consts::TAU / 40.0).sin_cos())
        .map(|(x, z)| Point::new(5.0 * x, 0.0, 5.0 * z))
        .collect();
    graph.add_node(0, Shape::Polygon(&circle));
    let cross =
        [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)];
    let cross = cross.map(|(x, z)| Point::new(20.0 + x as f32, 0.0, z as f32));
    graph.add_node(1, Shape::Polygon(&cross));
    let (bytes, bill) = to_detour(&graph, &NavmeshOptions::default()).unwrap();
    assert_eq!(bill.cut["polygons that were not convex"], 1);
    assert!(bill.cut["times a polygon of more than six corners"] > 5, "{bill}");
    let nav = DetourNav::parse(&bytes).unwrap();
    let tile = nav.tiles().next().unwrap().unwrap().tile;
    assert!(tile.polygons().iter().all(|polygon| (3..=6).contains(&polygon.corner_count())));
    let (read, _) = made(&graph, &NavmeshOptions::default());
    let area = |graph: &FlatGraph| Stats::of(graph).whole().unwrap().area_m2.unwrap();
    assert!((area(&graph) - area(&read)).abs() < 0.01, "{} {}", area(&graph), area(&read));
    // What was one node is one island.
    let csr = Csr::of(&read).whole().unwrap();
    assert_eq!(Islands::strong(&csr).len(), 2);
    // So many corners nobody means.
    let huge: Vec<Point> = (0..5_000).map(|i| Point::new(i as f32, 0.0, (i % 2) as f32)).collect();
    graph.add_node(2, Shape::Polygon(&huge));
    let (_, bill) = to_detour(&graph, &NavmeshOptions::default()).unwrap();
    assert_eq!(bill.dropped["nodes of more than 512 corners"], 1);
}

#[test]
fn ladders_and_teleporters_are_connections_with_their_own_areas() {
    let mut graph = squares(&[[0.0; 3], [0.0, 4.0, 3.0], [20.0, 0.0, 0.0]], 2.0);
    for (from, to, kind) in [(0, 1, LinkKind::Ladder), (1, 0, LinkKind::Ladder), (0, 2, LinkKind::Teleport)] {
        let path = [Point::new(1.0, 0.0, 1.9), Point::new(1.0, 4.0, 3.1)];
        let path = if from == 1 { [path[1], path[0]] } else { path };
        let path = (kind == LinkKind::Ladder).then_some(path);
        graph.add_link(Link { path, ..Link::new(from, to, kind) });
    }
    let (bytes, bill) = to_detour(&graph, &NavmeshOptions::default()).unwrap();
    assert_eq!(bill.connections, 2, "{bill}");
    let nav = DetourNav::parse(&bytes).unwrap();
    let tile = nav.tiles().next().unwrap().unwrap().tile;
    let of = |index: usize| {
        let connection = tile.off_mesh().get(index).unwrap();
        let polygon = tile.polygons().get(connection.polygon().into()).unwrap();
        (connection.both_ways(), polygon.area(), polygon.flags())
    };
    assert_eq!((of(0), of(1)), ((true, 6, 8), (false, 7, 8)));
    let [x, y, z] = tile.off_mesh().get(0).unwrap().end();
    assert!((x - 1.0).abs() < 0.1 && y == 4.0 && (3.0..3.3).contains(&z), "{x} {y} {z}");
}

#[test]
fn lengths_are_metres_and_y_is_up_whatever_the_file_has() {
    // An inch a unit, z up: 4 units east, 8 north, 10 up.
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    let corners = [(0.0, 0.0), (400.0, 0.0), (400.0, 800.0), (0.0, 800.0)];
    graph.add_node(0, Shape::Polygon(&corners.map(|(x, y)| Point::new(x, y, 1000.0))));
    let (bytes, _) = to_detour(&graph, &NavmeshOptions::default()).unwrap();
    let nav = DetourNav::parse(&bytes).unwrap();
    let tile = nav.tiles().next().unwrap().unwrap().tile;
    let (min, max) = (tile.head().min, tile.head().max);
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
    assert!(near(min, [0.0, 25.4, -20.32]) && near(max, [10.16, 25.4, 0.0]), "{min:?} {max:?}");
}

#[test]
fn tiles_that_are_too_small_are_refused_with_the_smallest() {
    let graph = squares(&[[0.0; 3], [640.0, 0.0, 0.0]], 2.0);
    let error = to_detour(&graph, &NavmeshOptions { tile: Some(5.0), ..NavmeshOptions::default() })
        .unwrap_err()
        .to_string();
    assert_eq!(error, "tile: 5 m is too small: of 642 m a side has 64 tiles at most, which are 10.04 m");
    assert!(to_detour(&graph, &NavmeshOptions { tile: Some(10.04), ..NavmeshOptions::default() }).is_ok());
}

#[test]
fn the_page_shows_the_mapping_that_holds_without_one() {
    let page =
        std::fs::read_to_string(navmap_testkit::corpus::project().join("docs/export-navmesh.md")).unwrap();
    assert!(page.contains(&format!("```text\n{}```", Mapping::DEFAULT)), "{}", Mapping::DEFAULT);
}

#[test]
fn areas_and_flags_follow_the_mapping() {
    let mut graph = squares(&[[0.0; 3], [2.0, 0.0, 0.0]], 2.0);
    both(&mut graph, 0, 1);
    graph.name_flag(3, "CROUCH");
    graph.nodes_mut()[1].flags = 8;
    graph.name_place(4, "Yard");
    graph.nodes_mut()[0].place = Some(4);
    let seen = |rules: &str| -> Vec<(u8, u32)> {
        let mapping: Mapping = rules.parse().unwrap();
        let (bytes, _) = to_detour(&graph, &NavmeshOptions { mapping, ..NavmeshOptions::default() }).unwrap();
        let nav = DetourNav::parse(&bytes).unwrap();
        let tile = nav.tiles().next().unwrap().unwrap().tile;
        tile.polygons().iter().map(|polygon| (polygon.area(), polygon.flags())).collect()
    };
    assert_eq!(seen("polygon * 1 0x3\nflag CROUCH 7 0x11"), [(1, 3), (7, 0x11)]);
    // In any case: `info --flags` prints small letters.
    assert_eq!(seen("polygon * 1 0x3\nflag crouch 7 0x11\nplace yard 2 0x4"), [(2, 4), (7, 0x11)]);
    let error = "link hop 5 8".parse::<Mapping>().unwrap_err().to_string();
    assert_eq!(error, "line 1, column 1: hop is no kind of link");
}

#[test]
fn real_meshes_of_every_family_keep_their_islands() {
    for path in files() {
        let graph = load(&path);
        let name = path.display();
        for tile in [None, Some(side(&graph, 40.0))] {
            let options = NavmeshOptions { tile, ..NavmeshOptions::default() };
            let (bytes, bill) = match to_detour(&graph, &options) {
                Ok(made) => made,
                Err(error) => panic!("{name}: {error}"),
            };
            let nav = DetourNav::parse(&bytes).unwrap();
            nav.check(&mut Scratch::new(), &mut |finding| {
                assert!(finding.severity < Severity::Error, "{name}: {finding}");
            })
            .unwrap();
            assert!(bill.polygons > 0, "{name}: {bill}");
            // By the file alone: the polygons of each node hang together as the node hangs together with others.
            let read = FlatGraph::of(&navmap::format::NavFormat::graph(&nav)).whole().unwrap();
            let far = bill.dropped.contains_key("connections that end farther away than the next tile");
            let (ours, theirs) = (Csr::of(&graph).whole().unwrap(), Csr::of(&read).whole().unwrap());
            let (ours, theirs) = (Islands::strong(&ours), Islands::strong(&theirs));
            let mut pairs: Vec<(u32, u32)> = (0u32..)
                .zip(&bill.references)
                .map(|(polygon, (_, node))| (ours.of(*node).unwrap(), theirs.of(polygon).unwrap()))
                .collect();
            pairs.sort_unstable();
            pairs.dedup();
            let apart = |of: fn(&(u32, u32)) -> u32| pairs.iter().map(of).collect::<BTreeSet<u32>>().len();
            assert_eq!(pairs.len(), apart(|pair| pair.1), "{name}: Detour joins islands that are apart");
            // A side of a tile may cut off a piece too narrow to be joined.
            let torn = pairs.len() - apart(|pair| pair.0);
            assert!(far || torn as u64 <= bill.polygons / 1_000, "{name}: {torn} pieces are cut off");
        }
    }
}

#[test]
fn a_navigation_mesh_of_godot_shares_vertices_and_turns_polygons_over() {
    let mut graph = squares(&[[0.0; 3], [2.0, 0.0, 0.0]], 2.0);
    both(&mut graph, 0, 1);
    let mut out = Vec::new();
    Export::new(&graph, "map").write(Format::Tres, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(
        text,
        "[gd_resource type=\"NavigationMesh\" format=3]\n\n[resource]\nvertices = PackedVector3Array(2, 0, 0, 2, 0, 2, 0, 0, 2, \
         0, 0, 0, 4, 0, 0, 4, 0, 2)\npolygons = [PackedInt32Array(0, 1, 2, 3), PackedInt32Array(4, 5, 1, 0)]\n"
    );
}

#[test]
fn nodes_of_a_glb_are_named_for_godot_when_asked() {
    let graph = squares(&[[0.0; 3]], 2.0);
    let glb = |godot: bool| {
        let mut out = Vec::new();
        Export::new(&graph, "map").godot(godot).write(Format::Glb, &mut out).unwrap();
        String::from_utf8_lossy(&out).contains("\"name\":\"map-navmesh\"")
    };
    assert_eq!((glb(false), glb(true)), (false, true));
}

/// Writes what a file holds, damaged or not, and reads it again without an error: at most it is refused.
fn survives(bytes: &[u8], path: &std::path::Path) -> bool {
    let Ok(nav) = AnyNav::parse(bytes, Some(path), &navmap::format::ParseOptions::default()) else {
        return false;
    };
    let graph = nav.flat_graph().value;
    let mut written = false;
    for tile in [None, Some(10.0)] {
        let Ok((bytes, _)) = to_detour(&graph, &NavmeshOptions { tile, ..NavmeshOptions::default() }) else {
            continue;
        };
        let set = DetourNav::parse(&bytes).unwrap();
        set.check(&mut Scratch::new(), &mut |finding| {
            assert!(finding.severity < Severity::Error, "{}: {finding}", path.display());
        })
        .unwrap();
        written = true;
    }
    let mut text = Vec::new();
    Export::new(&graph, "map").write(Format::Tres, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(!text.contains("NaN") && !text.contains("inf"), "{}", path.display());
    written
}

#[test]
fn what_is_damaged_is_written_as_far_as_it_goes_or_refused() {
    let (mut written, mut refused) = (0, 0);
    for found in navmap::open::Files::new([navmap_testkit::corpus::bundled()]).filter_map(Result::ok) {
        let bytes = std::fs::read(&found.path).unwrap();
        match survives(&bytes, &found.path) {
            true => written += 1,
            false => refused += 1,
        }
    }
    assert!(written > 100 && refused > 10, "{written} {refused}");
    let mut rng = navmap_testkit::bytes::Rng(20);
    for name in ["aas/v5-full.aas", "detour/set.navmesh", "source/v5.nav", "quake/nav3-v6.nav", "yapb/v7.pwf"]
    {
        let path = navmap_testkit::corpus::bundled().join(name);
        let bytes = std::fs::read(&path).unwrap();
        for _ in 0..60 {
            let mut odd = bytes.clone();
            for _ in 0..1 + rng.below(8) {
                let at = rng.below(odd.len() as u64) as usize;
                odd[at] = rng.below(256) as u8;
            }
            survives(&odd, &path);
        }
    }
}

#[test]
fn a_mesh_of_detour_keeps_the_areas_and_flags_of_its_polygons() {
    let graph = load(&navmap_testkit::corpus::bundled().join("detour/set.navmesh"));
    let kinds = |mapping: Mapping| {
        let options = NavmeshOptions { mapping, ..NavmeshOptions::default() };
        let (bytes, _) = to_detour(&graph, &options).unwrap();
        let nav = DetourNav::parse(&bytes).unwrap();
        let of_tile = |tile: navmap::format::detour::Tile<'_>| {
            let ground = tile.polygons().iter().take(tile.ground());
            ground.map(|polygon| (polygon.area(), polygon.flags())).collect::<Vec<_>>()
        };
        nav.tiles().flat_map(|entry| of_tile(entry.unwrap().tile)).collect::<BTreeSet<_>>()
    };
    assert_eq!(kinds(Mapping::default()), BTreeSet::from([(0, 1)]));
    assert_eq!(kinds(Mapping::stored(&graph).unwrap()), BTreeSet::from([(0, 1), (1, 2)]));
    let mapping: Mapping =
        "place area 1 7 0x40\nplace area 9 3 1\nflag CROUCH 2 1\nlink train 1 1".parse().unwrap();
    assert_eq!(mapping.idle(&graph), ["place area 9", "flag CROUCH"]);
    assert_eq!(kinds(mapping), BTreeSet::from([(0, 1), (7, 0x40)]));
    // What has more bits than the format is not cut off.
    let mut wide = squares(&[[0.0; 3]], 2.0);
    wide.nodes_mut()[0].flags = 0x1_0000;
    assert_eq!(Mapping::stored(&wide), None);
}
