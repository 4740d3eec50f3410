//! Meshes for Detour, read back: what the graph joins is joined, and what is lost is on the bill.

use crate::{files, load};
use navmap::bytes::Scratch;
use navmap::export::navmesh::{Bill, Mapping, Options, to_detour};
use navmap::export::{Export, Format};
use navmap::format::detour::DetourNav;
use navmap::graph::{Axes, Csr, FlatGraph, Islands, Link, LinkKind, Point, Shape, Stats};
use navmap::{NavFile, Severity};

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
fn made(graph: &FlatGraph, options: &Options) -> (FlatGraph, Bill) {
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
    let (read, bill) = made(&graph, &Options::default());
    assert_eq!((bill.joined, bill.connections, bill.cut["edges where another one begins"]), (2, 0, 1));
    assert_eq!(read.links().len(), 4);
    // The two squares meet over an edge as well, but the graph does not join them.
    assert!(!read.links().iter().any(|link| link.from == 0 && link.to == Some(1)));
}

#[test]
fn a_step_is_met_half_way() {
    let mut graph = squares(&[[0.0, 0.0, 0.0], [2.0, 0.3, 0.0]], 2.0);
    both(&mut graph, 0, 1);
    let (read, bill) = made(&graph, &Options::default());
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
    let (read, bill) = made(&graph, &Options::default());
    assert_eq!((bill.joined, bill.connections), (0, 2));
    let mut jumps: Vec<_> =
        read.links().iter().map(|link| (link.kind, link.from, link.to.unwrap())).collect();
    jumps.sort();
    let wanted = [(LinkKind::Jump, 0, 1), (LinkKind::Jump, 1, 2), (LinkKind::Jump, 2, 1)];
    assert_eq!(jumps, wanted);
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
    let (one, bill) = made(&graph, &Options::default());
    assert_eq!((one.nodes().len(), bill.tiles), (36, 1));
    // Sides of tiles on the edges of squares, and through the middle of them.
    for tile in [4.0, 5.0, 3.0] {
        let options = Options { tile: Some(tile), ..Options::default() };
        let (read, bill) = made(&graph, &options);
        assert!(bill.tiles > 4, "{tile}: {bill:?}");
        let csr = Csr::of(&read).whole().unwrap();
        assert_eq!(Islands::strong(&csr).len(), 1, "{tile}");
        let area = |graph: &FlatGraph| Stats::of(graph).whole().unwrap().area_m2;
        assert_eq!(area(&one).map(|a| a.round()), area(&read).map(|a| a.round()), "{tile}");
    }
}

#[test]
fn areas_and_flags_follow_the_mapping() {
    let mut graph = squares(&[[0.0; 3], [2.0, 0.0, 0.0]], 2.0);
    both(&mut graph, 0, 1);
    graph.name_flag(3, "CROUCH");
    graph.nodes_mut()[1].flags = 8;
    let mapping: Mapping = "polygon * 1 0x3\nflag CROUCH 7 0x11".parse().unwrap();
    let (bytes, _) = to_detour(&graph, &Options { mapping, ..Options::default() }).unwrap();
    let nav = DetourNav::parse(&bytes).unwrap();
    let tile = nav.tiles().next().unwrap().unwrap().tile;
    let seen: Vec<_> = tile.polygons().iter().map(|polygon| (polygon.area(), polygon.flags())).collect();
    assert_eq!(seen, [(1, 3), (7, 0x11)]);
    let error = "link hop 5 8".parse::<Mapping>().unwrap_err().to_string();
    assert_eq!(error, "line 1, column 1: hop is no kind of link");
}

#[test]
fn real_meshes_of_every_family_keep_their_islands() {
    for path in files() {
        let graph = load(&path);
        let name = path.display();
        for tile in [None, Some(40.0)] {
            let options = Options { tile, ..Options::default() };
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
