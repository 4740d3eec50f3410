//! Meshes of the other families that are no plugins.

use super::fill;
use crate::bytes::Out;
use crate::detour::{self, OffMesh, Poly, UnityNode, UnityObject};
use crate::quake::{Graph, Link, Node};
use crate::xray::{Grid, Node as Cell};
use crate::{aas, fox, nodegraph, rcbot, yapb};

/// Nodes at one point, each with this many links to the nodes behind it.
fn quake(nodes: u32, degree: u32) -> Graph {
    let node = |n: u32| Node {
        origin: [0.0; 3],
        flags: 0,
        radius: 16,
        links: (1..=degree).map(|step| Link::new(((n + step) % nodes) as u16, 0)).collect(),
    };
    Graph { heuristic: 0.8, nodes: (0..nodes).map(node).collect() }
}

/// A level of X-Ray in which each node has a square of its own.
pub fn squares() -> Vec<u8> {
    fill(|n| xray(n, false), u32::MAX)
}

/// Every node on one square, or one node on each, all linked to the first and the last.
fn xray(nodes: u32, one_square: bool) -> Vec<u8> {
    let cell = |n: u32| Cell {
        square: if one_square { 0 } else { n },
        height: (n % 60_000) as u16,
        links: [Some(0), Some(nodes - 1), None, Some(n / 2)],
        cover: [0; 2],
        light: 0,
    };
    Grid { columns: nodes, rows: 1, high: 9.0, nodes: (0..nodes).map(cell).collect() }.bytes(10)
}

fn rcbot(waypoints: u32, targets: u32) -> Vec<u8> {
    let mut file = rcbot::File { map: "x", flags: 0, names: ["", ""], waypoints: Vec::new() };
    for _ in 0..waypoints {
        file.add([1.0; 3], 0).targets = (0..targets).map(|to| (to % waypoints) as i32).collect();
    }
    file.bytes(4)
}

/// Nodes at one point in a row, each linked to the next.
fn ain(nodes: i16, links: i16) -> Vec<u8> {
    let mut graph = nodegraph::Graph::default();
    for node in 0..nodes {
        graph.add([0.0; 3], 2);
        (0..links).for_each(|step| graph.join(node, (node + step) % nodes, |_| 1));
    }
    graph.ain(37, 1, 10)
}

/// Areas that all claim all reachabilities, faces and edges.
fn shared(areas: u32, records: u32) -> Vec<u8> {
    let mut lumps = aas::sample().lumps(5, true);
    let sizes = aas::sizes(5);
    let repeated =
        |lump: usize, count: u32| lumps.lumps[lump][sizes[lump]..2 * sizes[lump]].repeat(count as usize);
    let (area, setting, link) = (repeated(7, areas), repeated(8, areas), repeated(9, records));
    lumps.lumps[7].extend(area);
    lumps.lumps[8].extend(setting);
    lumps.lumps[9].extend(link);
    for number in 1..lumps.count(7) {
        let links = lumps.count(9) as i32 - 1;
        let faces = lumps.count(6) as i32;
        lumps.set(8, number, 5, links).set(8, number, 6, 1);
        lumps.set(7, number, 0, number as i32).set(7, number, 1, faces).set(7, number, 2, 0);
    }
    lumps.encode()
}

/// Portals and clusters without number, and a tree that is a list.
fn list_tree(nodes: u32) -> Vec<u8> {
    let mut lumps = aas::sample().lumps(5, false);
    let first = lumps.count(10) as i32;
    let mut tree = Out::new();
    for node in 0..nodes as i32 {
        tree.i32(0).i32(if node + 1 == nodes as i32 { -1 } else { first + node + 1 }).i32(-(node % 8) - 1);
    }
    lumps.lumps[10].extend(&tree.0);
    lumps.set(10, 1, 1, first);
    lumps.encode()
}

/// A tile of squares that all lie on one place, with as many off-mesh connections between them.
fn pile(squares: u32, connections: u32) -> detour::Tile {
    let mut tile = detour::square(7, [0, 0], &[]);
    let one = tile.polygons[0].clone();
    tile.polygons = vec![Poly { neighbours: vec![0; 4], ..one }; squares.min(60_000) as usize];
    for _ in 0..connections.min(20_000) {
        let at = tile.vertices[0];
        tile.off_mesh.push(OffMesh { start: at, end: at, radius: 90.0, both: true, side: 0xFF });
        let last = tile.vertices.len() as u16;
        tile.vertices.extend([at, at]);
        tile.polygons.push(Poly {
            corners: vec![last, last + 1],
            neighbours: vec![0, 0],
            flags: 1,
            area: 0,
            kind: 1,
            first_link: u32::MAX,
            peak: false,
        });
    }
    tile
}

/// Layers of a tile cache, each of which unpacks to zeros.
fn layers(count: u32) -> Vec<u8> {
    let mut packed = detour::layer([0, 0, 0], 255);
    packed.truncate(56);
    // A zero, then copies of 264 bytes from one byte back.
    packed.extend([0, 0]);
    (0..740).for_each(|_| packed.extend([7 << 5, 253, 0]));
    detour::cache(&vec![packed; count as usize], false)
}

/// Tiles at one place, or along a line.
fn tiles(count: u32, one_place: bool) -> Vec<u8> {
    let tile = |n: u32| detour::Tile {
        layer: if one_place { n as i32 } else { 0 },
        ..detour::square(7, [if one_place { 0 } else { n as i32 }, 0], &[0, 4])
    };
    detour::set(&(0..count).map(tile).collect::<Vec<_>>(), 1, false)
}

/// Tiles of one polygon, all at one place in one layer, with nothing beyond their portals.
pub fn twins(count: u32) -> Vec<u8> {
    let mut tile = detour::square(7, [0, 0], &[]);
    tile.polygons.truncate(1);
    tile.vertices.truncate(7);
    tile.polygons[0].peak = false;
    tile.polygons[0].neighbours = vec![0x8004, 0x8002, 0x8000, 0x8006];
    detour::set(&vec![tile; count as usize], 1, false)
}

/// Elements without bytes, or of one byte with a long name, in an array of Unity.
pub fn unity_array(elements: u32, values: u32, name: &str) -> Vec<u8> {
    let mut nodes: Vec<UnityNode<'_>> = vec![
        (0, false, false, -1, "Base"),
        (1, true, false, -1, "Array"),
        (2, false, false, 4, "size"),
        (2, false, false, -1, "data"),
        (3, false, false, 1, name),
    ];
    nodes.extend((0..values).map(|_| (3, false, false, 0, "")));
    let data = [elements.to_le_bytes().to_vec(), vec![0; elements as usize]].concat();
    let object = UnityObject { class: 238, start: 0, len: data.len() as u32 };
    detour::unity_file(&[(238, &nodes)], &[object], &data, 17)
}

/// Types and objects of other classes, in a file whose objects name their class.
pub fn unity_classes(count: u32) -> Vec<u8> {
    let others = (1_000..1_000 + count).map(|class| (class, &[][..]));
    let types: Vec<(u32, &[UnityNode<'_>])> = [(238, &[][..])].into_iter().chain(others).collect();
    let object = UnityObject { class: 1, start: 0, len: 0 };
    detour::unity_file(&types, &vec![object; count as usize], &[], 14)
}

/// A `.graph` of so many nodes, all zeros, as one literal and one copy.
fn zero_nodes(count: u32) -> Vec<u8> {
    let one = yapb::Waypoints { nodes: vec![yapb::Node::new([0.0; 3], 0, 0.0)] }.unpacked().len() as u32;
    let plain = count * one;
    let mut packed = vec![1 << 5 | 15, 0];
    let mut rest = (plain - 1 - 4 - 15) as usize;
    while rest >= 128 {
        rest -= 128;
        packed.push(128 + (rest % 128) as u8);
        rest /= 128;
    }
    packed.extend([rest as u8, 1, 0]);
    let mut out = Out::new();
    out.raw(b"BPAY").u32(2).u32(0xC8).u32(count).u32(packed.len() as u32).u32(plain).raw(&packed);
    out.raw(&yapb::extension(68));
    out.0
}

pub(super) fn add(add: &mut super::Add<'_>) {
    let tile = fox::Map::standalone();
    add("faces.nav2", &|| tile.costly(48, false));
    add("faces-over-each-other.nav2", &|| tile.costly(48, true));
    add("islands.nav2", &|| fox::Map { apart: true, ..tile.clone() }.costly(48, false));
    add("q-one-point.nav", &|| fill(|n| quake(n, 2).encode((3, 4)), 60_000));
    add("q-linked.nav", &|| fill(|n| quake(n / 2, 60).encode((3, 4)), 60_000));
    add("q-old.nav", &|| fill(|n| quake(n, 4).encode((2, 15)), 60_000));
    add("q-one-point.navjson", &|| fill(|n| quake(n, 2).navjson(3, "\n").into_bytes(), 60_000));
    add("deep.navjson", &|| vec![b'['; 900_000]);
    add("deep-fields.navjson", &|| [b"{\"Version\":3,\"x\":".to_vec(), b"{\"a\":[".repeat(150_000)].concat());
    add("words.navjson", &|| {
        [b"{\"Version\":3,\"Nodes\":[".to_vec(), b"0,".repeat(450_000), b"0]}".to_vec()].concat()
    });
    add("one-square.ai", &|| fill(|n| xray(n, true), u32::MAX));
    add("squares.ai", &squares);
    add("one-point.rcw", &|| fill(|n| rcbot(n, 2), u32::MAX));
    add("linked.rcw", &|| rcbot(480, 480));
    add("one-point.ain", &|| fill(|n| ain(n as i16, 2), 9_000));
    add("linked.ain", &|| ain(200, 200));
    add("one-point.pwf", &|| {
        fill(
            |n| yapb::Waypoints { nodes: vec![yapb::Node::new([0.0; 3], 0, 0.0); n as usize] }.pwf(7, "x"),
            9_000,
        )
    });
    add("zero-nodes.graph", &|| zero_nodes(1_000_000));
    add("zero-nodes-few.graph", &|| zero_nodes(4_000));
    add("shared.aas", &|| shared(6_000, 11_000));
    add("list.aas", &|| fill(list_tree, u32::MAX));
    add("grid.aas", &|| aas::grid(40).lumps(5, true).encode());
    add("pile.navtile", &|| fill(|n| pile(n, 0).encode(false), 60_000));
    add("pile-joined.navtile", &|| fill(|n| pile(n / 4, n).encode(false), 60_000));
    add("tiles-one-place.navmesh", &|| fill(|n| tiles(n, true), 60_000));
    add("tiles-line.navmesh", &|| fill(|n| tiles(n, false), 60_000));
    add("twins.navmesh", &|| fill(twins, u32::MAX));
    add("name.asset", &|| unity_array(400_000, 0, &"x".repeat(500_000)));
    add("nothing.asset", &|| unity_array(400_000, 20_000, "x"));
    add("classes.asset", &|| fill(unity_classes, u32::MAX));
    add("layers.bin", &|| fill(layers, u32::MAX));
    add("storeys.navmesh", &|| detour::set(&detour::storeys(2_400, 0.0), 1, false));
    add("storeys-apart.navmesh", &|| detour::set(&detour::storeys(2_400, 0.01), 1, false));
}
