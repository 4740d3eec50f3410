//! What the graph joins: portals, off-mesh connections, the jumps of Respawn, and the frames of Unity.

use navmap::NavFile;
use navmap::format::NavFormat;
use navmap::format::detour::DetourNav;
use navmap::graph::{FlatGraph, Link, LinkKind, NavGraph};
use navmap_testkit::detour as kit;

fn graph(bytes: &[u8]) -> FlatGraph {
    FlatGraph::of(&DetourNav::parse(bytes).unwrap().graph()).whole().unwrap()
}

fn kinds(graph: &FlatGraph, kind: LinkKind) -> Vec<Link> {
    graph.links().iter().filter(|link| link.kind == kind).collect()
}

#[test]
fn portals_join_both_ways_over_the_part_that_both_edges_share() {
    let graph = graph(&kit::set(&kit::land(7, 2, 2), 1, false));
    let borders = kinds(&graph, LinkKind::Border);
    assert_eq!(borders.len(), 4 * 4 * 2);
    for link in &borders {
        let to = link.to.unwrap();
        let back = borders.iter().find(|other| other.from == to && other.to == Some(link.from)).unwrap();
        let ([a, b], [c, d]) = (link.portal.unwrap(), back.portal.unwrap());
        assert!(a.distance(d) < 1e-3 && b.distance(c) < 1e-3 && a.distance(b) > 1.9, "{link:?} {back:?}");
    }
}

#[test]
fn a_long_edge_joins_as_many_short_ones_as_lie_on_it() {
    // The left tile's portal squares become one polygon whose edge is as long as the tile.
    let mut tiles = kit::land(7, 2, 1);
    tiles[0].off_mesh.clear();
    let (a, b) = (tiles[0].vertices[3], tiles[0].vertices[23]);
    tiles[0].polygons.clear();
    let far = [4u16, 24];
    tiles[0].vertices.push(a);
    tiles[0].vertices.push(b);
    tiles[0].polygons.push(kit::Poly {
        corners: vec![3, 23, far[1], far[0]],
        neighbours: vec![0, 0, 0x8000, 0],
        flags: 1,
        area: 0,
        kind: 0,
        first_link: u32::MAX,
        peak: false,
    });
    let graph = graph(&kit::set(&tiles, 1, false));
    let borders = kinds(&graph, LinkKind::Border);
    let out: Vec<_> = borders.iter().filter(|link| link.from == 0).collect();
    assert_eq!((out.len(), borders.len()), (4, 8));
    let width: f32 = out.iter().map(|link| link.portal.unwrap()).map(|[a, b]| (a.z - b.z).abs()).sum();
    assert!((width - 8.0).abs() < 1e-3, "{width}");
}

#[test]
fn connections_land_on_the_polygons_under_their_ends_one_way_or_both() {
    let graph = graph(&kit::set(&kit::land(7, 2, 1), 1, false));
    let jumps: Vec<_> =
        kinds(&graph, LinkKind::Jump).iter().map(|link| (link.from, link.to.unwrap())).collect();
    // The first leads from square 0 to square 10 less the hole, and back; the second out of the tile, one way. The first
    // tile has 15 ground polygons.
    assert_eq!(jumps, [(0, 9), (9, 0), (12, 15)]);
}

#[test]
fn a_single_tile_leads_outside() {
    let graph = graph(&kit::square(7, [0, 0], &[0, 2]).encode(false));
    let borders = kinds(&graph, LinkKind::Border);
    assert_eq!((borders.len(), borders.iter().all(|link| link.to.is_none())), (8, true));
}

#[test]
fn jumps_of_respawn_are_read_and_keep_their_type() {
    let bytes = kit::respawn(&kit::land(13, 2, 1));
    let nav = DetourNav::parse(&bytes).unwrap();
    let graph = FlatGraph::of(&nav.graph()).whole().unwrap();
    let jumps: Vec<_> = kinds(&graph, LinkKind::Jump)
        .iter()
        .map(|l| (l.from, l.to, l.passage.number))
        .filter(|l| l.0 == 0)
        .collect();
    assert!(jumps.contains(&(0, Some(9), Some(1))), "{jumps:?}");
    assert!(jumps.contains(&(0, Some(17), Some(17))), "{jumps:?}");
    assert_eq!(graph.axes().up, navmap::graph::Up::Z);
}

#[test]
fn polygons_that_respawn_switched_off_are_joined_by_no_portal() {
    let mut tiles = kit::land(13, 2, 1);
    let before = kinds(&graph(&kit::respawn(&tiles)), LinkKind::Border).len();
    let off = tiles[1].polygons.iter().position(|poly| poly.neighbours.contains(&0x8004)).unwrap();
    tiles[1].polygons[off].flags = 0;
    let after = kinds(&graph(&kit::respawn(&tiles)), LinkKind::Border).len();
    assert_eq!((before, after), (8, 6));
}

#[test]
fn the_climb_of_unity_is_that_of_the_build_settings() {
    let tiles: Vec<_> = kit::land(16, 1, 1).iter().map(|tile| tile.encode(false)).collect();
    let mesh = kit::UnityMesh { tiles, position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
    for format in [17, 22] {
        for (agent, climb) in [(None, 0.4), (Some([2.0, 0.5, 0.75]), 0.75), (Some([2.0, 0.5, f32::NAN]), 0.4)]
        {
            let bytes = kit::unity_built(std::slice::from_ref(&mesh), format, agent);
            let nav = navmap::format::detour::DetourNav::parse(&bytes).unwrap();
            let tile = nav.tiles().next().unwrap().unwrap();
            assert_eq!(tile.tile.head().climb(), climb, "{format} {agent:?}");
            assert_eq!(nav.unity()[0].agent, agent.filter(|_| climb == 0.75));
            let same = navmap::format::detour::DetourBuf::try_from(&nav).unwrap().encode().unwrap();
            assert_eq!(same, bytes, "written again to the byte");
        }
    }
}

#[test]
fn meshes_of_unity_lie_where_their_frames_put_them_and_are_never_joined() {
    let tiles: Vec<_> = kit::land(16, 1, 1).iter().map(|tile| tile.encode(false)).collect();
    let rotation = [0.0, std::f32::consts::FRAC_1_SQRT_2, 0.0, std::f32::consts::FRAC_1_SQRT_2];
    let first = kit::UnityMesh { tiles, position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
    let second = kit::UnityMesh { position: [100.0, 5.0, 0.0], rotation, ..first.clone() };
    for format in [17, 22] {
        let graph = graph(&kit::unity(&[first.clone(), second.clone()], format));
        assert_eq!(graph.nodes().len(), 30);
        assert!(graph.links().iter().all(|link| (link.from < 15) == (link.to.unwrap() < 15)));
        let at = |node: usize| graph.corners(&graph.nodes()[node])[0];
        let (a, b) = (at(0), at(15));
        // A quarter turn about y takes x to -z and z to x.
        assert!((b.x - (100.0 + a.z)).abs() < 1e-3 && (b.z + a.x).abs() < 1e-3, "{a:?} {b:?}");
        assert!((b.y - (a.y + 5.0)).abs() < 1e-3);
    }
}

/// The codes of a set of two tiles, one of which has room for so many links.
fn checked_with_room(tile: usize, links: u32) -> Vec<&'static str> {
    let tiles = kit::land(7, 2, 1);
    let mut bytes = kit::set(&tiles, 1, false);
    let before: usize = tiles[..tile].iter().map(|tile| 8 + tile.encode(false).len()).sum();
    let (start, of) = (40 + before + 8, &tiles[tile]);
    let first = start + 100 + 12 * of.vertices.len() + 32 * of.polygons.len();
    let (all, len) = (of.max_links(), of.encode(false).len() as u32);
    bytes.drain(first + 12 * links as usize..first + 12 * all as usize);
    bytes[start + 32..start + 36].copy_from_slice(&links.to_le_bytes());
    bytes[start - 4..start].copy_from_slice(&(len - 12 * (all - links)).to_le_bytes());
    let mut codes = Vec::new();
    let nav = DetourNav::parse(&bytes).unwrap();
    nav.check(&mut navmap::bytes::Scratch::new(), &mut |found| codes.push(found.code)).unwrap();
    codes
}

#[test]
fn links_of_portals_and_both_links_of_a_connection_need_room() {
    let inner = |tile: usize| -> u32 {
        let tiles = kit::land(7, 2, 1);
        let sides = tiles[tile].polygons.iter().flat_map(|poly| poly.neighbours.clone());
        sides.filter(|side| *side != 0 && side & 0x8000 == 0).count() as u32
    };
    // Four portals each. Of the first tile, a start is linked both ways; an end from its connection, and back if that leads both
    // ways, as the first does and the second, which ends in the other tile, does not.
    for (tile, needed) in [(0, inner(0) + 4 + (2 + 2) + (2 + 1)), (1, inner(1) + 4)] {
        assert!(!checked_with_room(tile, needed).contains(&"few-links"), "{tile}");
        assert!(checked_with_room(tile, needed - 1).contains(&"few-links"), "{tile}");
    }
}

#[test]
fn a_triangle_is_on_the_boundary_by_the_lower_bit_of_an_edge() {
    let tile = &kit::land(7, 1, 1)[0];
    let (vertices, triangles, meshes) = tile.details();
    let at = 100
        + 12 * (tile.vertices.len() + tile.max_links() as usize + meshes.len() + vertices.len())
        + 32 * tile.polygons.len();
    assert!(triangles.len() > 2);
    for (flags, told) in [(0b10_1010, true), (0b01_0000, false), (0b00_0001, false)] {
        let mut bytes = tile.encode(false);
        // The two triangles of the first polygon.
        (bytes[at + 3], bytes[at + 7]) = (flags, flags);
        let mut codes = Vec::new();
        let nav = DetourNav::parse(&bytes).unwrap();
        nav.check(&mut navmap::bytes::Scratch::new(), &mut |found| codes.push(found.code)).unwrap();
        assert_eq!(codes.contains(&"no-boundary"), told, "{flags:06b}");
    }
}
