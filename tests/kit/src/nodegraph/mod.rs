//! Node graphs of Source, Respawn and Half-Life: the bundled corpus.

#![allow(missing_docs)]

mod write;

pub use write::{Graph, Link, Nod, NodLink, Node};

use crate::Made;

fn ground(_: usize) -> u8 {
    1
}

/// Open to narrow hulls only: not to hulls 4, 7, 8, 9.
fn narrow(hull: usize) -> u8 {
    u8::from(![4, 7, 8, 9].contains(&hull))
}

fn jump(hull: usize) -> u8 {
    if [0, 3].contains(&hull) { 2 } else { 0 }
}

fn fly(hull: usize) -> u8 {
    if [1, 2, 6, 8].contains(&hull) { 4 } else { 0 }
}

fn climb(hull: usize) -> u8 {
    if hull == 0 { 8 } else { 0 }
}

fn none(_: usize) -> u8 {
    0
}

/// A small map: a yard, a door, a ledge to jump on, a ladder, two nodes in the air, a separate roof, and an isolated node.
pub fn sample() -> Graph {
    let mut map = Graph::default();
    for at in [[0.0, 0.0], [200.0, 0.0], [200.0, 200.0], [0.0, 200.0]] {
        map.add([at[0], at[1], 16.0], 2).below = 16.0; // 0 to 3
    }
    map.add([400.0, 0.0, 16.0], 2).below = 16.0; // 4 behind the door
    map.add([400.0, 200.0, 64.0], 2); // 5 on the ledge
    map.add([0.0, 300.0, 8.0], 4).info = 0x1; // 6 foot of a ladder
    map.add([0.0, 300.0, 192.0], 4).info = 0x4; // 7 top of it
    map.add([100.0, 100.0, 200.0], 3); // 8 in the air
    map.add([300.0, 100.0, 240.0], 3); // 9 in the air
    map.add([0.0, 500.0, 200.0], 2).info = 0x20; // 10 a roof
    map.add([100.0, 500.0, 200.0], 2).id = -1; // 11 the same
    map.add([900.0, 900.0, 0.0], 2); // 12 alone
    for (a, b) in [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)] {
        map.join(a, b, ground);
    }
    map.join(1, 4, narrow);
    map.join(2, 5, jump);
    map.join(4, 5, jump);
    map.join(3, 6, ground);
    map.join(6, 7, climb);
    map.join(8, 9, fly);
    map.join(10, 11, ground);
    map.number_zones();
    map
}

/// The yard for Half-Life: links are one way, a drop has no link back, and a door blocks two links.
pub fn half_life() -> Nod {
    let mut map = Nod { nodes: sample().nodes, links: Vec::new() };
    for node in &mut map.nodes {
        node.kind = if node.kind == 3 { 2 } else { 1 };
    }
    map.nodes[4].hint = 1;
    map.nodes[10].hint = 100;
    let both = [
        (0, 1, 7),
        (1, 2, 15),
        (2, 3, 7),
        (0, 3, 7),
        (0, 2, 7),
        (3, 6, 3),
        (6, 7, 3),
        (8, 9, 8),
        (10, 11, 7),
    ];
    for (source, target, flags) in both {
        map.links.push(NodLink { source, target, flags, model: 0 });
        map.links.push(NodLink { source: target, target: source, flags, model: 0 });
    }
    map.links.push(NodLink { source: 1, target: 4, flags: 3, model: 84 });
    map.links.push(NodLink { source: 4, target: 1, flags: 3, model: 84 });
    map.links.push(NodLink { source: 5, target: 2, flags: 3, model: 0 });
    map.links.sort_by_key(|link| link.source);
    map
}

/// The bundled corpus.
pub fn files() -> Vec<Made> {
    let (map, nod) = (sample(), half_life());
    let mut files = Vec::new();
    let mut add =
        |path: &str, form: &str, version: i32, counts: &[usize], status: &str, bytes: Vec<u8>, note: &str| {
            let names = ["nodes", "links", "hulls", "script_nodes", "hints", "clusters"];
            let mut row = vec![("form", form.to_owned()), ("version", version.to_string())];
            row.extend(names.into_iter().zip(counts).map(|(name, count)| (name, count.to_string())));
            row.extend([("status", status.to_owned()), ("note", note.to_owned())]);
            files.push(Made { path: path.to_owned(), bytes, row });
        };
    let (nodes, links) = (map.nodes.len(), map.links.len());
    add("v37.ain", "ain", 37, &[nodes, links, 10], "ok", map.ain(37, 12, 10), "ten hulls, as in most games");
    add("v37-hulls.ain", "ain", 37, &[nodes, links, 11], "ok", map.ain(37, 12, 11), "a hull more");
    add("v41.ain", "ain", 41, &[nodes, links, 12], "ok", map.ain(41, 3_500, 12), "twelve hulls, 32 bits");
    let empty = Graph::default();
    add(
        "odd/empty-37.ain",
        "ain",
        37,
        &[0, 0, 0],
        "ok",
        empty.ain(37, 92, 10),
        "a map without nodes: 16 bytes",
    );
    add(
        "odd/empty-41.ain",
        "ain",
        41,
        &[0, 0, 0],
        "ok",
        empty.ain(41, 94, 12),
        "a map without nodes: 16 bytes",
    );
    add("v27.ain", "ain-text", 27, &[nodes, links, 9], "ok", map.text(), "text");
    let respawn = map.respawn(0, 3, nodes, &[]);
    add(
        "v57.ain",
        "ain",
        57,
        &[nodes, links, 5, 3, nodes, 4],
        "ok",
        respawn,
        "clusters, hints, script nodes",
    );
    let script = empty.respawn(0x1234_5678, 4, 0, &[]);
    add("v57-script.ain", "ain", 57, &[0, 0, 5, 4, 0, 0], "ok", script, "script nodes alone");
    let checksum = map.respawn(0, 0, 0, &[0xEF, 0xBE, 0xAD, 0xDE]);
    let counts = [nodes, links, 5, 0, 0, 4];
    add("odd/checksum.ain", "ain", 57, &counts, "ok", checksum, "a checksum of the mesh behind the hints");
    for version in [16, 17, 23] {
        let counts = [nod.nodes.len(), nod.links.len(), 4];
        let note = "a door, a drop, fliers; routes as the game packs them";
        add(&format!("v{version}.nod"), "nod", version, &counts, "ok", nod.bytes(version), note);
    }

    let mut odd = sample();
    odd.nodes[0].yaw = f32::NAN;
    odd.nodes[1].kind = 9;
    odd.nodes[2].info = 0x8000;
    odd.nodes[3].zone = 9;
    odd.nodes[4].id = odd.nodes[0].id;
    odd.nodes[5].below = 300.0;
    odd.nodes[11].at = odd.nodes[10].at;
    odd.join(1, 0, ground);
    odd.join(5, 5, ground);
    odd.join(3, 4, none);
    odd.join(0, 12, |_| 0x81);
    let counts = [nodes, odd.links.len(), 10];
    add(
        "odd/values.ain",
        "ain",
        37,
        &counts,
        "ok",
        odd.ain(37, 12, 10),
        "what check finds in nodes and links",
    );
    let long = [map.ain(37, 12, 10), vec![0x55; 9]].concat();
    add("odd/trailing.ain", "ain", 37, &[nodes, links, 10], "warning", long, "nine bytes behind the end");
    let mut text = String::from_utf8(map.text()).expect("text");
    text = text.replacen("2 0 4 3 ", "2 0 4 7 ", 1);
    add(
        "odd/link-count.ain",
        "ain-text",
        27,
        &[nodes, links, 9],
        "ok",
        text.into_bytes(),
        "a node counts links it has not",
    );
    let mut lists = map.respawn(0, 2, 1, &[0; 7]);
    // The number of the first cluster, and a node in it.
    let at = 16 + nodes * 68 + 4 + links * 10 + nodes * 4 + 2 + 40 + 4;
    lists[at] = 9;
    lists[at + 21] = 200;
    let counts = [nodes, links, 5, 2, 1, 4];
    add(
        "odd/clusters.ain",
        "ain",
        57,
        &counts,
        "warning",
        lists,
        "clusters that contradict their nodes, a tail",
    );
    let mut tables = nod.bytes(16);
    let links_at = 8_400 + nodes * 88;
    let sort_at = links_at + nod.links.len() * 24;
    tables[8_400 + 32] = 200; // a run that leaves the pool
    tables[sort_at] = 1; // a permutation no longer
    let hash_at = tables.len() - nod.links.len() * 4;
    tables[hash_at] = 0;
    tables[8_400 + 88 + 40..8_400 + 88 + 44].fill(0x7F); // routes far behind the end
    tables[12] = 0;
    let counts = [nod.nodes.len(), nod.links.len(), 4];
    add(
        "odd/tables.nod",
        "nod",
        16,
        &counts,
        "warning",
        tables,
        "a run, the sort table, hash and routes are wrong",
    );

    let mut far = sample();
    far.links[0].target = 13;
    far.links[1].source = -2;
    let bytes = far.ain(37, 12, 10);
    add(
        "hostile/targets.ain",
        "ain",
        37,
        &[nodes, links, 10],
        "warning",
        bytes,
        "links to nodes that do not exist",
    );
    let whole = map.ain(37, 12, 10);
    let patched = |whole: &[u8], at: usize, value: i32| {
        let mut bytes = whole.to_vec();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let mut refused = |path: &str, form: &str, version: i32, bytes: Vec<u8>, note: &str| {
        add(path, form, version, &[], "error", bytes, note);
    };
    refused("hostile/negative-nodes.ain", "ain", 37, patched(&whole, 8, -1), "-1 nodes claimed");
    refused("hostile/most-nodes.ain", "ain", 37, patched(&whole, 8, 32_768), "more nodes than the file has");
    let misfit = patched(&whole, 12 + nodes * 61, 500);
    refused("hostile/most-links.ain", "ain", 37, misfit, "more links than the file has");
    let mut console = vec![0, 0, 0, 37, 0, 0, 0, 12, 0, 0, 0, 1];
    console.extend([0; 70]);
    refused("hostile/console.ain", "ain", 37, console, "big-endian, as on the Xbox 360");
    refused("hostile/v54.ain", "ain", 54, patched(&whole, 0, 54), "a version that is known and not read");
    let respawn = map.respawn(0, 3, nodes, &[]);
    refused(
        "hostile/most-nodes-57.ain",
        "ain",
        57,
        patched(&respawn, 12, 30_000),
        "more nodes than the file has",
    );
    refused("hostile/links-57.ain", "ain", 57, patched(&respawn, 16 + nodes * 68, -7), "-7 links claimed");
    let whole = nod.bytes(16);
    refused("hostile/negative-links.nod", "nod", 16, patched(&whole, 32, -4), "-4 links claimed");
    refused(
        "hostile/most-nodes.nod",
        "nod",
        16,
        patched(&whole, 28, i32::MAX),
        "2,147,483,647 nodes claimed",
    );
    refused("hostile/v160.nod", "nod", 160, patched(&whole, 0, 160), "pointers of 64 bits");
    refused("hostile/cut.nod", "nod", 16, whole[..5_000].to_vec(), "cut inside the head");
    let mut text = map.text();
    text.truncate(300);
    refused("hostile/cut-text.ain", "ain-text", 27, text, "a text that ends inside a node");
    files
}
