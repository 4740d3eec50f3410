//! Quake graphs: the bundled corpus, larger ones made on the spot, and a naive decoder.

#![allow(missing_docs)]

mod graph;
mod naive;

pub use graph::{Edict, Graph, Link, Node, VERSIONS, Version, grid, has_heuristic, has_plane, sample};
pub use naive::{Naive, NaiveEdict, NaiveLink, NaiveNode, decode};

use crate::Made;

/// The bundled corpus, generated here: a file for each version, odd files that are read, refused files.
pub fn files() -> Vec<Made> {
    let mut files: Vec<Made> = VERSIONS.iter().map(|version| whole(*version)).collect();
    for version in 1..=3 {
        let line_end = if version == 2 { "\r\n" } else { "\n" };
        let graph = json_sample(version);
        let note = format!("navjson {version}, {} line ends", if version == 2 { "CRLF" } else { "LF" });
        let text = graph.navjson(version, line_end);
        files.push(made(
            &format!("navjson-v{version}.navjson"),
            text,
            (0, version),
            Some(&graph),
            "ok",
            &note,
        ));
    }
    files.extend(odd());
    files.extend(hostile());
    files.extend(hostile_json());
    files
}

/// The graph of a navjson version is that of its binary version.
pub fn json_sample(version: u32) -> Graph {
    sample((2, [14, 15, 17][version as usize - 1]))
}

fn whole(version: Version) -> Made {
    let graph = sample(version);
    let path = format!("nav{}-v{}.nav", version.0, version.1);
    made(&path, graph.encode(version), version, Some(&graph), "ok", "every link type, door, lift, train")
}

/// Files that are read, with a finding or without.
fn odd() -> Vec<Made> {
    let mut files = Vec::new();
    let mut add = |name: &str, version, graph: &Graph, status, note: &str| {
        let path = format!("odd/{name}.nav");
        files.push(made(&path, graph.encode(version), version, Some(graph), status, note));
    };
    let mut graph = sample((2, 17));
    graph.heuristic = 0.0;
    add("heuristic-0", (2, 17), &graph, "warning", "version 15 upgraded by a tool that writes heuristic 0");
    let mut graph = sample((2, 15));
    graph.nodes[0].links = (1..=13).map(|target| Link::new(target, 0)).collect();
    graph.nodes.extend((0..2).map(|n| Node {
        origin: [1024.0, n as f32 * 64.0, 24.0],
        flags: 0,
        radius: 16,
        links: vec![],
    }));
    add("thirteen-links", (2, 15), &graph, "ok", "13 links on a node: the game has no cap of 12");
    let mut graph = sample((3, 6));
    graph.nodes.truncate(1);
    graph.nodes[0].links.clear();
    add("one-node", (3, 6), &graph, "ok", "a node and nothing else");
    let mut experimental = sample((2, 18)).encode((2, 18));
    experimental[4] = 19;
    let graph = sample((2, 18));
    files.push(made(
        "odd/nav2-v19.nav",
        experimental,
        (2, 19),
        Some(&graph),
        "warning",
        "an unknown version in a known layout",
    ));
    files
}

/// Binary files that are refused, or read with an error of `check`, or with bytes left over.
fn hostile() -> Vec<Made> {
    let version = (3, 6);
    let graph = sample(version);
    let good = graph.encode(version);
    let mut files = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>, version, graph: Option<&Graph>, status, note: &str| {
        files.push(made(&format!("hostile/{name}.nav"), bytes, version, graph, status, note));
    };
    add("short-by-one", good[..good.len() - 1].to_vec(), version, None, "error", "cut by one byte");
    add("long-by-one", [&good[..], &[0]].concat(), version, Some(&graph), "warning", "one byte too long");
    for (name, at) in [("nodes", 8), ("links", 12), ("traversals", 16)] {
        let mut bytes = good.clone();
        bytes[at..at + 4].fill(0xFF);
        add(&format!("all-the-{name}"), bytes, version, None, "error", "a count of 4294967295");
    }
    let mut bytes = sample((2, 14)).encode((2, 14));
    bytes[4] = 9;
    add("nav2-v9", bytes, (2, 9), None, "error", "a development revision");
    let mut bytes = good.clone();
    bytes[4] = 99;
    bytes.push(0);
    add("nav3-v99", bytes, (3, 99), None, "error", "an unknown version in no known layout");
    let mut astray = graph.clone();
    astray.nodes[0].links[0].target = 500;
    add(
        "target-500",
        astray.encode(version),
        version,
        Some(&astray),
        "warning",
        "a target that is not there",
    );
    let mut nan = graph.clone();
    nan.nodes[3].origin[2] = f32::NAN;
    add("origin-nan", nan.encode(version), version, Some(&nan), "warning", "an origin that is no number");
    files
}

/// JSON that is refused, or read with a finding.
fn hostile_json() -> Vec<Made> {
    let graph = json_sample(2);
    let good = graph.navjson(2, "\n");
    let mut files = Vec::new();
    let mut add = |name: &str, text: String, version, graph: Option<&Graph>, status, note: &str| {
        files.push(made(&format!("hostile/{name}.navjson"), text, (0, version), graph, status, note));
    };
    let refused: [(&str, &str, &str, &str); 6] = [
        ("version-4", "\"Version\": 2", "\"Version\": 4", "a version that is not known"),
        ("nan", "24.03125", "NaN", "a number that JSON does not have"),
        ("huge", "24.03125", "1e39", "a number beyond 32-bit floats"),
        ("wrong-type", "\"Flags\": 0", "\"Flags\": \"0\"", "a string where a number belongs"),
        ("missing-flags", "      \"Flags\": 0,\n", "", "a node without Flags"),
        ("wide-flags", "\"Flags\": 32", "\"Flags\": 65568", "flags that 16 bits cannot hold"),
    ];
    for (name, from, to, note) in refused {
        assert!(good.contains(from), "{name}");
        let version = if name == "version-4" { 4 } else { 2 };
        add(name, good.replacen(from, to, 1), version, None, "error", note);
    }
    add("cut", good[..good.len() / 2].to_string(), 2, None, "error", "half a file");
    let mut twins = graph.clone();
    twins.nodes[11].origin = twins.nodes[0].origin;
    add("twins", twins.navjson(2, "\n"), 2, Some(&twins), "warning", "two nodes of the same coordinates");
    let astray = good.replacen("128,\n            0,", "129,\n            0,", 1);
    assert_ne!(astray, good);
    add("astray", astray, 2, Some(&graph), "warning", "a link to coordinates that no node has");
    files
}

fn made(
    path: &str,
    bytes: impl Into<Vec<u8>>,
    (family, number): Version,
    graph: Option<&Graph>,
    status: &str,
    note: &str,
) -> Made {
    let magic = match family {
        0 => "navjson".to_string(),
        family => format!("NAV{family}"),
    };
    let mut row = vec![("magic", magic), ("version", number.to_string()), ("status", status.to_string())];
    let names = ["nodes", "links", "traversals", "edicts"];
    for (index, name) in names.into_iter().enumerate() {
        row.push((name, graph.map_or_else(String::new, |graph| graph.counts()[index].to_string())));
    }
    row.push(("note", note.to_string()));
    Made { path: path.to_string(), bytes: bytes.into(), row }
}
