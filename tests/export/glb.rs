//! A reader of GLB that believes nothing: what a validator would refuse fails here too.

use serde_json::Value;

/// What a file holds.
#[derive(Debug)]
pub(crate) struct Counted {
    /// Nodes of the graph, told in the `extras` of the meshes.
    pub(crate) nodes: usize,
    /// Links, told in the `extras` of the scene.
    pub(crate) links: usize,
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Checks chunks, views, accessors, indices, bounds, and that triangles face up.
pub(crate) fn check(bytes: &[u8]) -> Counted {
    assert_eq!((&bytes[..4], u32_at(bytes, 4), u32_at(bytes, 8)), (&b"glTF"[..], 2, bytes.len()));
    let json_len = u32_at(bytes, 12);
    assert_eq!((&bytes[16..20], json_len % 4), (&b"JSON"[..], 0));
    let json: Value = serde_json::from_slice(&bytes[20..20 + json_len]).unwrap();
    let binary = match bytes.get(20 + json_len..) {
        Some(chunk) if !chunk.is_empty() => {
            assert_eq!((&chunk[4..8], u32_at(chunk, 0)), (&b"BIN\0"[..], chunk.len() - 8));
            &chunk[8..]
        }
        _ => &[],
    };
    let list = |key: &str| json[key].as_array().cloned().unwrap_or_default();
    let size = |value: &Value| value.as_u64().unwrap() as usize;
    let views = list("bufferViews");
    if let Some(buffer) = json["buffers"].get(0) {
        assert!((0..4).contains(&(binary.len() - size(&buffer["byteLength"]))));
    }
    let accessors = list("accessors");
    let read = |number: &Value| -> (Vec<f32>, usize) {
        let accessor = &accessors[size(number)];
        let view = &views[size(&accessor["bufferView"])];
        let (width, one) = match (accessor["type"].as_str().unwrap(), size(&accessor["componentType"])) {
            ("VEC3", 5126) => (3, 4),
            ("VEC4", 5121) => (4, 1),
            ("SCALAR", 5125) => (1, 4),
            other => panic!("{other:?}"),
        };
        let start = size(&view["byteOffset"]) + size(&accessor["byteOffset"]);
        let end = start + size(&accessor["count"]) * width * one;
        assert!(end <= size(&view["byteOffset"]) + size(&view["byteLength"]) && end <= binary.len());
        assert_eq!(start % 4, 0);
        let values = binary[start..end].chunks(one).map(|raw| match (one, width) {
            (1, _) => f32::from(raw[0]),
            (_, 1) => u32_at(raw, 0) as f32,
            _ => f32::from_le_bytes(raw.try_into().unwrap()),
        });
        (values.collect(), width)
    };
    let mut nodes = 0;
    for mesh in list("meshes") {
        nodes += mesh["extras"]["nodes"].as_array().map_or(0, Vec::len);
        for primitive in mesh["primitives"].as_array().unwrap() {
            let (positions, _) = read(&primitive["attributes"]["POSITION"]);
            assert!(!positions.is_empty() && positions.iter().all(|v| v.is_finite()));
            let bounds = &accessors[size(&primitive["attributes"]["POSITION"])];
            for axis in 0..3 {
                let along = || positions.iter().skip(axis).step_by(3).copied();
                let number = |key: &str| bounds[key][axis].as_f64().unwrap() as f32;
                assert_eq!(along().fold(f32::INFINITY, f32::min), number("min"));
                assert_eq!(along().fold(f32::NEG_INFINITY, f32::max), number("max"));
            }
            let (colours, _) = read(&primitive["attributes"]["COLOR_0"]);
            assert_eq!(colours.len() / 4, positions.len() / 3);
            let (indices, _) = read(&primitive["indices"]);
            assert!(indices.iter().all(|i| (*i as usize) < positions.len() / 3));
            let at = |i: f32| &positions[i as usize * 3..i as usize * 3 + 3];
            if size(&primitive["mode"]) == 4 {
                let (normals, _) = read(&primitive["attributes"]["NORMAL"]);
                for normal in normals.chunks(3) {
                    let length: f32 = normal.iter().map(|v| v * v).sum::<f32>().sqrt();
                    assert!((length - 1.0).abs() < 1e-4, "{normal:?}");
                }
                for triangle in indices.chunks(3) {
                    let [a, b, c] = [at(triangle[0]), at(triangle[1]), at(triangle[2])];
                    // Seen from above, x to the right and z towards the viewer.
                    let turn = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
                    assert!(turn >= -1e-2, "{a:?} {b:?} {c:?} faces down ({turn})");
                }
            } else {
                let mode = size(&primitive["mode"]);
                assert!(mode == 0 || (mode, indices.len() % 2) == (1, 0), "points or lines: {mode}");
            }
        }
    }
    let scene = &json["scenes"][0];
    assert_eq!(scene["nodes"].as_array().map_or(0, Vec::len), list("meshes").len());
    Counted { nodes, links: scene["extras"]["links"].as_array().unwrap().len() }
}
