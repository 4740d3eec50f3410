//! Graphs of YaPB and POD-Bot: the bundled corpus, and larger ones made on the spot.

#![allow(missing_docs)]

mod write;

pub use write::{Link, Node, Waypoints, pack};

use crate::Made;

/// What follows the nodes of a `.graph` file.
pub const AUTHOR: &str = "Zoë";

/// A small map: a yard, a ladder to a roof, a lift, a jump over a gap, a duct to crouch through, two camping places.
pub fn sample() -> Waypoints {
    let mut nodes: Vec<Node> = Vec::new();
    let mut add = |at: [f32; 3], flags: u32, radius: f32| nodes.push(Node::new(at, flags, radius));
    add([0.0, 0.0, 36.0], 0x8, 64.0); // 0 crossing
    add([200.0, 0.0, 36.0], 0x10, 128.0); // 1 goal
    add([400.0, 0.0, 36.0], 0, 0.0); // 2
    add([400.0, 200.0, 36.0], 0x80, 16.0); // 3 camp
    add([200.0, 200.0, 36.0], 0, 32.0); // 4 take-off
    add([0.0, 260.0, 36.0], 0, 32.0); // 5 landing
    add([-100.0, 0.0, 36.0], 0x20, 0.0); // 6 foot of a ladder
    add([-100.0, 0.0, 292.0], 0x1000_00A0, 0.0); // 7 top of it: camp, sniper
    add([500.0, 0.0, 18.0], 0x404, 0.0); // 8 duct: crouch, narrow
    add([600.0, 0.0, 18.0], 0x4, 0.0); // 9
    add([-300.0, 0.0, 36.0], 0x2000_0002, 48.0); // 10 lift, terrorists
    add([-300.0, 0.0, 164.0], 0x4000_0043, 48.0); // 11 lift above: button, rescue, counter-terrorists
    for (a, b) in [(0, 1), (1, 2), (2, 3), (1, 4), (0, 5), (0, 6), (6, 7), (2, 8), (8, 9), (0, 10), (10, 11)]
    {
        join(&mut nodes, a, b);
        join(&mut nodes, b, a);
    }
    let jump = Link { flags: 1, velocity: [-210.5, 60.25, 270.0], ..Link::between(&nodes, 4, 5) };
    // Free slots lie between used ones.
    nodes[4].links[6] = jump;
    nodes[3].camp = ([-4.0, 90.0, 0.0], [2.5, 180.0, 0.0]);
    nodes[7].camp = ([-30.0, 300.0, 0.0], [-30.0, 359.0, 0.0]);
    nodes[1].light = 142.5;
    nodes[2].seen = [12, 9];
    Waypoints { nodes }
}

fn join(nodes: &mut [Node], from: usize, to: usize) {
    let link = Link::between(nodes, from, to);
    let free = nodes[from].links.iter().position(|link| link.target < 0).expect("a free slot");
    nodes[from].links[free] = link;
}

/// A square grid of `side` times `side` nodes, each linked to its neighbours.
pub fn grid(side: usize) -> Waypoints {
    let at = |n: usize| [(n % side) as f32 * 96.0, (n / side) as f32 * 96.0, 36.0 + (n % 7) as f32];
    let mut nodes: Vec<Node> = (0..side * side).map(|n| Node::new(at(n), 0, 32.0)).collect();
    for n in 0..nodes.len() {
        if n % side + 1 < side {
            join(&mut nodes, n, n + 1);
            join(&mut nodes, n + 1, n);
        }
        if n + side < nodes.len() {
            join(&mut nodes, n, n + side);
            join(&mut nodes, n + side, n);
        }
    }
    Waypoints { nodes }
}

/// The extension of a `.graph` file: author and zeros (64), author and map (36), all three (68).
pub fn extension(len: usize) -> Vec<u8> {
    let mut bytes = vec![0; 32];
    bytes[..AUTHOR.len()].copy_from_slice(AUTHOR.as_bytes());
    if len == 64 {
        bytes.resize(64, 0);
        return bytes;
    }
    bytes[20..24].copy_from_slice(b"old!");
    bytes.extend(1_234_567_u32.to_le_bytes());
    if len == 68 {
        let mut editor = *b"somebody else\0stale bytes there!";
        editor[31] = 0;
        bytes.extend(editor);
    }
    bytes
}

/// The bundled corpus.
pub fn files() -> Vec<Made> {
    let map = sample();
    let mut files = Vec::new();
    let mut add =
        |path: &str, form: &str, version: u32, map: &Waypoints, bytes: Vec<u8>, status: &str, note: &str| {
            let counts = [("nodes", map.nodes.len()), ("links", map.links()), ("jumps", map.jumps())];
            let counts = counts.iter().map(|(name, n)| (*name, n.to_string())).filter(|_| status != "error");
            let mut row = vec![("form", form.to_owned()), ("version", version.to_string())];
            row.extend(counts);
            row.extend([("status", status.to_owned()), ("note", note.to_owned())]);
            files.push(Made { path: path.to_owned(), bytes, row });
        };
    let graph = |version, options, len| map.graph(*b"BPAY", version, options, &extension(len));
    add("v1.graph", "graph", 1, &map, graph(1, 0x48, 64), "ok", "author and zeros behind the nodes");
    add("v1-map.graph", "graph", 1, &map, graph(1, 0x68, 36), "ok", "author and the size of the map");
    add(
        "v2.graph",
        "graph",
        2,
        &map,
        graph(2, 0xC8, 68),
        "ok",
        "author, size of the map, editor; stale bytes behind names",
    );
    let fork = map.graph(*b"UBOT", 1, 0x58, &extension(36));
    add("fork.graph", "graph", 1, &map, fork, "ok", "the magic of a fork");
    for version in [5, 6, 7] {
        let mut map = map.clone();
        map.as_pwf(version);
        let note = "POD-Bot; a stale pointer at the end of each node";
        add(&format!("v{version}.pwf"), "pwf", version, &map, map.pwf(version, "yard"), "ok", note);
    }

    let mut odd = sample();
    odd.nodes[0].number = 7;
    odd.nodes[1].radius = 1e30;
    odd.nodes[2].radius = f32::NAN;
    odd.nodes[3].camp.0[1] = 1_408.0;
    odd.nodes[5].flags |= 0x6800_0800;
    odd.nodes[8].at = odd.nodes[9].at;
    odd.nodes[0].links[7] = Link { target: 0, ..odd.nodes[0].links[0] };
    let first = odd.nodes[6].links[0];
    odd.nodes[6].links[5] = Link { flags: 3, ..first };
    odd.nodes[9].links[3] = Link { target: -1, distance: 0, flags: 0, velocity: [9.0; 3] };
    let bytes = odd.graph(*b"BPAY", 2, 0x48, &extension(68));
    add("odd/values.graph", "graph", 2, &odd, bytes, "ok", "what check finds in nodes and links");
    let few = Waypoints { nodes: vec![Node::new([0.0; 3], 0, 0.0), Node::new([64.0, 0.0, 0.0], 0, 0.0)] };
    let bytes = few.graph(*b"BPAY", 1, 0x48, &extension(64));
    add(
        "odd/two-nodes.graph",
        "graph",
        1,
        &few,
        bytes,
        "warning",
        "fewer nodes than the bot loads, and no link",
    );
    let long = [graph(2, 0x48, 68), vec![0x55; 200]].concat();
    add("odd/long-tail.graph", "graph", 2, &map, long, "warning", "rubbish behind the editor");
    let short = map.graph(*b"BPAY", 2, 0x48, b"nobody");
    add(
        "odd/short-extension.graph",
        "graph",
        2,
        &map,
        short,
        "warning",
        "an author announced and six bytes there",
    );
    add(
        "odd/v9.graph",
        "graph",
        9,
        &map,
        graph(9, 0x48, 68),
        "warning",
        "an unknown version that ends where it should",
    );
    let mut unknown = map.clone();
    unknown.as_pwf(6);
    let bytes = [&unknown.pwf(6, "yard")[..8], &[8], &unknown.pwf(6, "yard")[9..]].concat();
    add("odd/v8.pwf", "pwf", 8, &unknown, bytes, "warning", "an unknown version in the layout of version 6");

    let mut far = sample();
    far.nodes[2].links[0].target = 12;
    far.nodes[3].links[0].target = -2;
    let bytes = far.graph(*b"BPAY", 2, 0x48, &extension(68));
    add("hostile/targets.graph", "graph", 2, &far, bytes, "warning", "links to nodes that do not exist");
    let whole = graph(2, 0x48, 68);
    let patched = |at: usize, value: i32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let mut refused =
        |path: &str, form: &str, bytes: Vec<u8>, note: &str| add(path, form, 0, &map, bytes, "error", note);
    refused("hostile/most-nodes.graph", "graph", patched(12, i32::MAX), "2,147,483,647 nodes claimed");
    refused("hostile/negative-nodes.graph", "graph", patched(12, -1), "-1 nodes claimed");
    refused("hostile/negative-packed.graph", "graph", patched(16, -5), "-5 packed bytes claimed");
    refused(
        "hostile/more-packed.graph",
        "graph",
        patched(16, 1 << 20),
        "more packed bytes than the file has",
    );
    refused("hostile/less-packed.graph", "graph", patched(16, 100), "a stream that ends early");
    refused("hostile/other-size.graph", "graph", patched(20, 220), "a size that is not 220 a node");
    let mut bomb = whole[..24].to_vec();
    bomb[12..16].copy_from_slice(&32_768_i32.to_le_bytes());
    bomb[20..24].copy_from_slice(&7_208_960_i32.to_le_bytes());
    bomb[16..20].copy_from_slice(&10_i32.to_le_bytes());
    bomb.extend([0x2F, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0]);
    refused("hostile/bomb.graph", "graph", bomb, "ten bytes that unpack to more than is claimed");
    let mut back = whole.clone();
    back[24..28].copy_from_slice(&[0x0F, 0, 9, 9]);
    refused("hostile/before-start.graph", "graph", back, "a match that begins before the first byte");
    let mut practice = whole.clone();
    practice[8] = 0x41;
    refused("hostile/practice.graph", "graph", practice, "what bots have learnt, under the name of a graph");
    let mut many = map.pwf(7, "yard");
    many[12..16].copy_from_slice(&i32::MAX.to_le_bytes());
    refused("hostile/most-nodes.pwf", "pwf", many, "2,147,483,647 nodes claimed");
    let mut few = map.pwf(7, "yard");
    few[12..16].copy_from_slice(&(-3_i32).to_le_bytes());
    refused("hostile/negative-nodes.pwf", "pwf", few, "-3 nodes claimed");
    files
}
