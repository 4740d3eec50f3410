//! Models that are damaged or made to hurt, through every builder: an error that names the place, in time.

use navmap::export::navmesh::{NavmeshOptions, to_detour};
use navmap::format::AnyNav;
use navmap::format::quake::{QuakeBuf, Version};
use navmap::format::skyrim::NavMeshBuf;
use navmap::format::source::{self, SourceBuf};
use navmap::format::yapb::YapbBuf;
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Scene, Shape};
use navmap::import::{Format, read};
use navmap_testkit::corpus::bundled_path;

pub(crate) fn nvnm() -> NavMeshBuf {
    let path = bundled_path("skyrim", "nvnm/v12.nvnm");
    let bytes = std::fs::read(&path).unwrap();
    match AnyNav::parse(&bytes, Some(&path), &Default::default()).unwrap() {
        AnyNav::Payload(nav) => NavMeshBuf::read(&nav).unwrap(),
        _ => panic!("no NVNM"),
    }
}

/// What each builder says of a scene; nothing if it makes a mesh that can be written.
fn said(scene: &Scene) -> [(&'static str, Option<String>); 6] {
    let mut cells = source::BuildOptions::default();
    cells.rasterise = Some(25.0);
    let whole = source::BuildOptions::default();
    let detour = || to_detour(&FlatGraph::of_faces(scene, Axes::y_up(1.0)), &NavmeshOptions::default());
    [
        ("rectangles", SourceBuf::build(scene, 16, 1, &whole).and_then(|mesh| mesh.encode()).err()),
        ("cells", SourceBuf::build(scene, 16, 1, &cells).and_then(|mesh| mesh.encode()).err()),
        ("quake", QuakeBuf::build(scene, Version::nav2(15), 36).and_then(|graph| graph.encode()).err()),
        ("yapb", YapbBuf::build(scene, 0.0).and_then(|graph| graph.encode()).err()),
        ("nvnm", nvnm().with_triangles(scene).and_then(|mesh| mesh.encode()).err()),
        ("detour", detour().err()),
    ]
    .map(|(what, error)| (what, error.map(|error| error.to_string())))
}

pub(crate) fn obj(text: &str) -> Scene {
    read(text.as_bytes(), Format::Obj).unwrap()
}

#[track_caller]
fn assert_said(scene: &Scene, expected: [&str; 6]) {
    for ((what, said), expected) in said(scene).into_iter().zip(expected) {
        match expected {
            "" => assert_eq!(said, None, "{what}"),
            part => assert!(said.as_ref().is_some_and(|said| said.contains(part)), "{what}: {said:?}"),
        }
    }
}

#[test]
fn a_million_faces_on_one_side_are_refused_by_every_builder() {
    let mut scene = Scene::new();
    scene.positions.extend([[0.0, 0.0, 0.0], [0.0, 800.0, 0.0]]);
    for i in 0..1_000_000_u32 {
        scene.positions.push([100.0 + f64::from(i % 4_000), 400.0, f64::from(i % 7)]);
        scene.add_polygon(&[0, 1, i + 2], i + 1, 0, 0);
    }
    let few = "faces; a graph has points and lines";
    let error = SourceBuf::build(&scene, 16, 1, &source::BuildOptions::default()).unwrap_err().to_string();
    assert!(error.contains("1000000 of 1000000 faces are no rectangles"), "{error}");
    assert!(QuakeBuf::build(&scene, Version::nav2(15), 36).unwrap_err().to_string().contains(few));
    assert!(YapbBuf::build(&scene, 0.0).unwrap_err().to_string().contains(few));
    let error = nvnm().with_triangles(&scene).unwrap_err().to_string();
    assert!(error.contains("triangles: 1000000, 65535 fit"), "{error}");
    // As many lines at one waypoint.
    scene.polygons.clear();
    scene.corners.clear();
    for i in 0..1_000_000_u32 {
        let mut line = navmap::graph::Line::default();
        (line.ends, line.line) = ([0, i + 2], i + 1);
        scene.lines.push(line);
    }
    let error = QuakeBuf::build(&scene, Version::nav2(15), 36).unwrap_err().to_string();
    assert!(error.contains("waypoints, 65536 fit"), "{error}");
    let error = YapbBuf::build(&scene, 0.0).unwrap_err().to_string();
    assert!(error.contains("1000001 of them, 32768 fit"), "{error}");
}

#[test]
fn a_material_too_many_for_the_places_of_a_mesh_is_told_with_its_line() {
    let mut scene = Scene::new();
    scene.positions.extend([[0.0, 0.0, 0.0], [50.0, 0.0, 0.0], [50.0, 50.0, 0.0], [0.0, 50.0, 0.0]]);
    let add = |scene: &mut Scene, material: u32| {
        scene.materials.push(format!("m{material}"));
        scene.add_polygon(&[0, 1, 2, 3], material, material, 0);
    };
    let built = |scene: &Scene| SourceBuf::build(scene, 16, 1, &source::BuildOptions::default());
    (1..=65_535).for_each(|material| add(&mut scene, material));
    let mesh = built(&scene).unwrap();
    assert_eq!((mesh.head.places.len(), mesh.areas[65_534].place), (65_535, 65_535));
    add(&mut scene, 65_536);
    let error = built(&scene).unwrap_err().to_string();
    assert!(error.contains("line 65536: more than 65535"), "{error}");
}

#[test]
fn faces_without_area_and_places_beyond_floats_are_told_with_their_line() {
    let no_graph = "1 face; a graph has points and lines";
    let no_rectangle = "1 of 1 faces are no rectangles along x and y, which areas are (the first at line 4)";
    // Three corners on a line, and one corner over and over.
    let line = "v 0 0 0\nv 50 0 50\nv 100 0 100\nf 1 2 3\n";
    assert_said(&obj(line), [no_rectangle, "no faces", no_graph, no_graph, "", " "]);
    let corner = "v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 1 1\n";
    let twice = "line 4: a triangle with two corners at one place";
    assert_said(&obj(corner), [no_rectangle, "no faces", no_graph, no_graph, twice, " "]);
    for far in ["1e30", "-1e300", "17000000"] {
        let text = format!("v 0 0 0\nv {far} 0 0\nv 0 9 0\nf 1 2 3\n");
        let found = said(&obj(&text));
        for (what, said) in found.into_iter().filter(|(what, _)| *what != "detour") {
            let said = said.unwrap();
            assert!(said.contains("line 4: the coordinate"), "{what}: {said}");
        }
        let text = format!("v 0 0 0\nv {far} 0 0\nl 1 2\n");
        for (what, said) in said(&obj(&text)).into_iter().filter(|(what, _)| ["quake", "yapb"].contains(what))
        {
            assert!(said.unwrap().contains("line 3: the coordinate"), "{what}");
        }
    }
    // Detour leaves out what it cannot hold, and says so if nothing is left.
    assert!(said(&obj("v 0 0 0\nv 1e30 0 0\nv 0 0 9\nf 1 2 3\n"))[5].1.is_some());
    assert_said(&Scene::new(), ["no faces", "no faces", "no points", "no points", "no faces", " "]);
}

#[test]
fn numbers_that_are_none_are_told_with_line_and_column_or_node() {
    for (text, why) in [
        ("v 0 0 0\nv 1 nan 0\n", "line 2, column 5: nan where a coordinate was expected"),
        ("v 0 inf 0\n", "line 1, column 5: inf where a coordinate was expected"),
        ("v 0 0 0\nl 1 1000000000\n", "line 2, column 5: vertex 1000000000 does not exist (1 so far)"),
        ("v 0 0 0\np -2\n", "line 2, column 3: vertex -2 does not exist (1 so far)"),
        ("v 0 0 0\nf 1 1 99999999999999999999\n", "line 2, column 7: "),
    ] {
        let error = read(text.as_bytes(), Format::Obj).unwrap_err().to_string();
        assert!(error.starts_with(why), "{error}");
    }
}

/// The two chunks of a GLB.
pub(crate) fn glb_of(json: &str, binary: &[u8]) -> Vec<u8> {
    let (mut json, mut binary) = (json.as_bytes().to_vec(), binary.to_vec());
    json.resize(json.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + binary.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json[..]), (b"BIN\0", &binary[..])] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

#[test]
fn a_glb_with_such_numbers_is_refused_too() {
    let glb = |places: [[f32; 3]; 3], indices: [u32; 3], count: u64| {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3"}},{{"bufferView":1,"componentType":5125,"count":3,"type":"SCALAR"}}],"bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":12}}],"buffers":[{{"byteLength":48}}]}}"#
        );
        let places = places.iter().flatten().flat_map(|v| v.to_le_bytes());
        let bytes =
            glb_of(&json, &places.chain(indices.iter().flat_map(|v| v.to_le_bytes())).collect::<Vec<_>>());
        read(&bytes, Format::Glb).map_err(|error| error.to_string())
    };
    let square = [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 9.0]];
    assert_eq!(glb(square, [0, 1, 2], 3).unwrap().polygons.len(), 1);
    let error = glb([[0.0; 3], [f32::NAN, 0.0, 0.0], [0.0; 3]], [0, 1, 2], 3).unwrap_err();
    assert!(error.contains("node 0") && error.contains("vertex 1 is no place"), "{error}");
    let error = glb(square, [0, 1, 1_000_000_000], 3).unwrap_err();
    assert!(error.contains("vertex 1000000000 does not exist (3 are there)"), "{error}");
    let error = glb(square, [0, 1, 2], 1_000_000_000).unwrap_err();
    assert!(error.contains("accessor 0: 1000000000 items leave its bytes"), "{error}");
    let far = glb([[0.0; 3], [1e30, 0.0, 0.0], [0.0, 9.0, 0.0]], [0, 1, 2], 3).unwrap();
    let error = nvnm().with_triangles(&far).unwrap_err().to_string();
    assert!(error.contains("triangle 1: the coordinate"), "{error}");
}

/// Primitives that share one list of indices.
fn sharing(primitives: usize, indices: usize, mode: u32) -> Result<Scene, String> {
    let one = format!(r#"{{"attributes":{{"POSITION":0}},"indices":1,"mode":{mode}}}"#);
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}},{{"bufferView":1,"componentType":5121,"count":{indices},"type":"SCALAR"}}],"bufferViews":[{{"buffer":0,"byteLength":12}},{{"buffer":0,"byteOffset":12,"byteLength":{indices}}}],"buffers":[{{"byteLength":{}}}]}}"#,
        vec![one; primitives].join(","),
        12 + indices
    );
    read(&glb_of(&json, &vec![0; 12 + indices]), Format::Glb).map_err(|error| error.to_string())
}

#[test]
fn points_and_lines_of_a_glb_count_towards_its_corners() {
    for (mode, points, lines) in [(0, 40, 0), (1, 0, 20), (2, 0, 40), (3, 0, 36)] {
        let scene = sharing(4, 10, mode).unwrap();
        assert_eq!((scene.points.len(), scene.lines.len()), (points, lines), "{mode}");
        // A million, and 4 for each byte of the file.
        let error = sharing(1_700, 10_000, mode).unwrap_err();
        assert!(error.contains("more than 14") && error.contains(" corners"), "{mode}: {error}");
    }
}

/// Nodes that show a mesh of primitives without anything: squared, they would be many more than the file has bytes.
#[test]
fn primitives_of_nothing_are_not_visited_without_end() {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],"meshes":[{{"primitives":[{}]}}]}}"#,
        vec![r#"{"mesh":0}"#; 5_000].join(","),
        vec!["{}"; 5_000].join(",")
    );
    let error = read(&glb_of(&json, &[]), Format::Glb).unwrap_err().to_string();
    assert!(error.contains("more than 13") && error.contains(" primitives"), "{error}");
}

/// A list of children takes two bytes of the file for each: what is kept of them is no longer than the list of nodes.
#[test]
fn children_are_no_longer_kept_than_there_are_nodes() {
    let json = format!(r#"{{"nodes":[{{"children":[{}]}},{{}}]}}"#, vec!["1"; 400_000].join(","));
    let bytes = glb_of(&json, &[]);
    let (read, cost) = navmap_testkit::alloc::cost_of(|| read(&bytes, Format::Glb));
    let error = read.unwrap_err().to_string();
    assert!(error.ends_with("node 1 has two parents"), "{error}");
    assert!(cost.peak_bytes < 16 * bytes.len() as u64, "{cost:?} for {} bytes", bytes.len());
}

#[test]
fn an_error_about_a_glb_is_not_as_long_as_its_words() {
    let long = "\u{1b}[31mX".repeat(100_000).replace('\u{1b}', r"\u001b");
    for json in [
        format!(r#"{{"extensionsRequired":["{long}"]}}"#),
        format!(
            r#"{{"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"accessors":[{{"componentType":5126,"type":"{long}"}}]}}"#
        ),
    ] {
        let error = read(&glb_of(&json, &[]), Format::Glb).unwrap_err().to_string();
        assert!(error.len() < 500 && error.contains('…'), "{} bytes", error.len());
    }
}

/// Primitives share a material and a mesh whose texts are most of the file: read for each primitive, they would be 640 GiB.
#[test]
fn long_texts_that_many_primitives_share_are_read_once() {
    let (name, zeros) = ("n".repeat(8 << 20), "0".repeat(8 << 20));
    let own = format!(r#""name":"{name}","extras":{{"nav2_attribute":"{zeros}"}}"#);
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],"meshes":[{{{own},"primitives":[{}]}}],"materials":[{{{own}}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}}],"bufferViews":[{{"buffer":0,"byteLength":24}}],"buffers":[{{"byteLength":24}}]}}"#,
        vec![r#"{"mesh":0}"#; 200].join(","),
        vec![r#"{"attributes":{"POSITION":0},"material":0,"mode":1}"#; 200].join(",")
    );
    let begun = std::time::Instant::now();
    let scene = read(&glb_of(&json, &[0; 24]), Format::Glb).unwrap();
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    assert_eq!((scene.lines.len(), scene.materials.len(), scene.objects.len()), (40_000, 2, 2));
    assert!(scene.lines.iter().all(|line| (line.material, line.object) == (1, 1)));
    assert!(scene.material(1) == name && scene.object(1) == name);
}

/// Areas within a step over one another, linked at random: no end of a link has a place of its own, and all candidates for one are
/// compared with all floors.
#[test]
fn floors_over_each_other_are_compared_in_time() {
    let mut graph = FlatGraph::new("area", Axes::y_up(1.0));
    let mut rng = navmap_testkit::bytes::Rng(7);
    for id in 0..3_000_u64 {
        let [x, z] = [rng.f32(0.0, 60.0), rng.f32(0.0, 60.0)];
        let corners = [(0.0, 0.0), (0.0, 20.0), (20.0, 20.0), (20.0, 0.0)];
        let corners = corners.map(|(u, v)| Point::new(x + u, rng.f32(0.0, 0.1), z + v));
        graph.add_node(id, Shape::Polygon(&corners));
    }
    for _ in 0..40_000 {
        let [from, to] = [(); 2].map(|()| rng.below(3_000) as u32);
        graph.add_link(Link::new(from, to, LinkKind::Jump));
    }
    let begun = std::time::Instant::now();
    let error = to_detour(&graph, &NavmeshOptions::default()).unwrap_err().to_string();
    let most = (8 << 20) + 64 * 43_000;
    assert!(error.ends_with(&format!("is over the limit of {most}")), "{error}");
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}
