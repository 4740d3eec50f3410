//! Models and texts that are made into meshes: OBJ, GLB, scripts, selected areas, lists of points.

use super::fill;
use std::fmt::Write;

/// Vertices on a spiral, and one face of all of them: the worst for whoever cuts ears.
fn spiral(corners: u32) -> Vec<u8> {
    let mut text = String::new();
    let arm = |text: &mut String, i: u32, off: f32| {
        let angle = i as f32 * 0.05;
        let far = 100.0 + i as f32 * 0.5 + off;
        _ = writeln!(text, "v {:.2} {:.2} 0", far * angle.cos(), far * angle.sin());
    };
    let half = corners / 2;
    (0..half).for_each(|i| arm(&mut text, i, 0.0));
    (0..half).rev().for_each(|i| arm(&mut text, i, 20.0));
    text.push('f');
    (1..=2 * half).for_each(|i| _ = write!(text, " {i}"));
    text.push('\n');
    text.into_bytes()
}

/// One square, and a face on it again and again.
fn faces(count: u32) -> Vec<u8> {
    [b"v 0 0 0\nv 100 0 0\nv 100 100 0\nv 0 100 0\n".to_vec(), b"f 1 2 3 4\n".repeat(count as usize)].concat()
}

/// Squares whose edges all lie on one line.
fn side_by_side(count: u32) -> Vec<u8> {
    let mut text = String::new();
    for i in 0..count {
        let (low, high) = (i, i + 50_000);
        _ = writeln!(text, "v {low} 0 0\nv {high} 0 0\nv {high} 9 0\nv {low} 9 0\nf -4 -3 -2 -1");
    }
    text.into_bytes()
}

/// Fans around one point.
fn fan(count: u32) -> Vec<u8> {
    let mut text = String::from("v 0 0 0\nv 1 0 0\n");
    for i in 0..count {
        _ = writeln!(text, "v {} 100 0\nf 1 2 -1", i % 997);
    }
    text.into_bytes()
}

fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + binary.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json[..]), (b"BIN\0", binary)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

const SQUARE: &str = r#""accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],"buffers":[{"byteLength":60}]"#;

fn square() -> Vec<u8> {
    let corners = [[0.0_f32, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 1.0, 9.0], [9.0, 1.0, 0.0]];
    let mut binary: Vec<u8> = corners.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    binary.extend([0_u16, 1, 2, 0, 2, 3].iter().flat_map(|v| v.to_le_bytes()));
    binary
}

/// Nodes of which each has the next one twice: as many meshes as two to their number.
fn doubled(nodes: u32) -> Vec<u8> {
    let mut json = String::from(r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":["#);
    (1..nodes).for_each(|next| _ = write!(json, r#"{{"children":[{next},{next}]}},"#));
    json.push_str(r#"{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"#);
    glb(&(json + SQUARE + "}"), &square())
}

/// Nodes that all show one mesh, of primitives that all read one list of triangles.
fn instances(nodes: u32, primitives: u32, triangles: u32) -> Vec<u8> {
    let list = |one: &str, count: u32| vec![one; count as usize].join(",");
    let roots = (0..nodes).map(|node| node.to_string()).collect::<Vec<_>>().join(",");
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[{roots}]}}],"nodes":[{}],"meshes":[{{"primitives":[{}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},{{"bufferView":1,"componentType":5123,"count":{},"type":"SCALAR"}}],"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":{}}}],"buffers":[{{"byteLength":{}}}]}}"#,
        list(r#"{"mesh":0}"#, nodes),
        list(r#"{"attributes":{"POSITION":0},"indices":1}"#, primitives),
        3 * triangles,
        6 * triangles,
        48 + 6 * triangles,
    );
    let mut binary = square()[..48].to_vec();
    (0..triangles).for_each(|_| binary.extend([0, 0, 1, 0, 2, 0]));
    binary.resize(binary.len().next_multiple_of(4), 0);
    glb(&json, &binary)
}

/// Nodes, materials and the like of which each is as little as there is, in a list of this name.
fn smallest(list: &str, one: &str) -> Vec<u8> {
    let many = vec![one; 990_000 / (one.len() + 1)].join(",");
    glb(&format!(r#"{{"asset":{{"version":"2.0"}},"{list}":[{many}]}}"#), &[])
}

/// A claim of so many vertices that no bytes stand for.
fn of_nothing(count: u64) -> Vec<u8> {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"accessors":[{{"componentType":5126,"count":{count},"type":"VEC3"}}],"bufferViews":[],"buffers":[]}}"#
    );
    glb(&json, &[])
}

/// A script of one line again and again.
fn script(line: &str) -> Vec<u8> {
    let line = format!("{line}\n");
    line.repeat(1_000_000 / line.len()).into_bytes()
}

pub(super) fn add(add: &mut super::Add<'_>) {
    add("spiral.obj", &|| fill(spiral, u32::MAX));
    add("one-square.obj", &|| fill(faces, u32::MAX));
    add("side-by-side.obj", &|| fill(side_by_side, u32::MAX));
    add("fan.obj", &|| fill(fan, u32::MAX));
    add("doubled.glb", &|| doubled(40));
    add("instances.glb", &|| instances(20_000, 1, 20_000));
    add("primitives.glb", &|| instances(1, 10_000, 40_000));
    add("nodes.glb", &|| smallest("nodes", "{}"));
    add("accessors.glb", &|| smallest("accessors", "{}"));
    add("extras.glb", &|| smallest("nodes", r#"{"extras":[{"":0},{"":0},{"":0},{"":0}]}"#));
    add("of-nothing.glb", &|| of_nothing(4_000_000_000));
    let deep = format!(r#"{{"asset":{{"version":"2.0"}},"x":{}"#, "[".repeat(900_000));
    add("deep.glb", &|| glb(&deep, &[]));

    add("unknown.navscript", &|| script("what"));
    add("all.navscript", &|| script("nav_crouch all"));
    add("splits.navscript", &|| script("nav_split #1 x=50%"));
    add("begin.navscript", &|| script("nav_begin_area 0,0,0; nav_end_area 50,50,0"));
    add("undo.navscript", &|| script("nav_crouch #1; undo; redo"));
    add("select.navscript", &|| script("select all; select none"));
    add("parentheses.navscript", &|| [b"select ".to_vec(), b"(".repeat(900_000)].concat());
    add("union.navscript", &|| [b"select #1".to_vec(), b"+all".repeat(200_000)].concat());
    add("nested.navscript", &|| b"begin\n".repeat(150_000));
    add("delete.navscript", &|| {
        (1..50_000).map(|id| format!("nav_delete #{id}\n")).collect::<String>().into_bytes()
    });
    add("merge.navscript", &|| script("nav_merge #1 #2; undo"));
    add("move.navscript", &|| script("move 1 2 3"));
    add("analyze.navscript", &|| script("nav_analyze"));
    add("compress.navscript", &|| script("nav_compress_id"));
    add("overlapping.navscript", &|| script("delete_overlapping"));
    add("flood.navscript", &|| script("nav_flood_select in #1"));
    add("subdivide.navscript", &|| script("nav_subdivide 2 all"));
    add("point.navscript", &|| script("nav_mark ~@5,5"));

    let one = r#" 7 { "NorthWest" { "x" "0" "y" "0" } "SouthEast" { "x" "50" "y" "50" } }"#;
    add("areas_selected.txt", &|| {
        format!("\"Selected Nav Areas\" {{ \"version\" \"1\" {} }}", one.repeat(900_000 / one.len()))
            .into_bytes()
    });
    add("deep_selected.txt", &|| b"a {".repeat(300_000));
    add("points.csv", &|| fill(|n| b"5 5 0\n".repeat(n as usize), u32::MAX));
    add("spots.csv", &|| fill(|n| b"#1\n".repeat(n as usize), u32::MAX));
}
