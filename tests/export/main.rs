//! Exports read back: every face faces up, every number is in its place, every name inside its quotes.
#![cfg(all(feature = "source", feature = "quake", feature = "fox", feature = "skyrim"))]
#![cfg(all(feature = "detour", feature = "aas", feature = "yapb"))]

mod back;
mod glb;
mod hostile;
mod models;
#[cfg(feature = "archive")]
mod navmesh;
mod recast;

use navmap::export::{Export, Format};
use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, NavGraph, Point, Shape, Up};
use navmap_testkit::corpus::{bundled, manifest, real};
use navmap_testkit::temp::Temp;
use std::path::{Path, PathBuf};
use std::process::Command;

fn load(path: &Path) -> FlatGraph {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    AnyNav::parse(&bytes, Some(path), &ParseOptions::default()).unwrap().flat_graph().value
}

/// One file of every family, bundled and real.
fn files() -> Vec<PathBuf> {
    let ours =
        ["source/town.nav", "source/v35-1.nav", "quake/nav3-v6.nav", "fox/standalone.nav2", "fox/quads.nav2"]
            .into_iter()
            .chain(["skyrim/nvnm/v12.nvnm", "skyrim/starfield/village.esm", "source/zero-areas.nav"])
            .chain(["detour/set.navmesh", "detour/unity-22.asset", "detour/respawn.nm"])
            .chain(["aas/v5.aas", "aas/v5-full.aas", "aas/v8.aas", "yapb/v2.graph", "yapb/v7.pwf"]);
    let mut files: Vec<PathBuf> =
        ours.map(|name| bundled().join(name)).filter(|path| path.is_file()).collect();
    assert!(files.len() >= 15, "{files:?}");
    if let Some(real) = real() {
        let real = real.as_path();
        let theirs =
            ["source/tf2-16.2/cp_steel.nav", "quake/nav3/base64.nav", "fox/ssav/ssav_140_130_nav.nav2"];
        files.extend(theirs.map(|name| real.join(name)));
        for (family, sizes) in
            [("detour", 40_000..2_000_000), ("aas", 200_000..1_200_000), ("yapb", 8_000..200_000)]
        {
            files.extend(middling(&real.join(family), sizes));
        }
    }
    files
}

/// One file of each kind of a family that is neither tiny nor huge: the kinds are the folders of its corpus.
fn middling(family: &Path, sizes: std::ops::Range<u64>) -> Vec<PathBuf> {
    let mut kinds = std::collections::BTreeMap::new();
    for row in manifest(family).into_iter().filter(|row| row.text("status") != "error") {
        let kind = row.name().split('/').next().unwrap().to_owned();
        let made = ["made", "synthetic", "tset"].contains(&kind.as_str());
        let fits = std::fs::metadata(&row.path).is_ok_and(|of| sizes.contains(&of.len()));
        if fits && !made {
            kinds.entry(kind).or_insert(row.path.clone());
        }
    }
    kinds.into_values().collect()
}

/// The side of tiles in metres, or the smallest that a mesh of this extent may have.
fn side(graph: &FlatGraph, wanted: f32) -> f32 {
    let (bounds, axes) = (graph.bounds(), graph.axes());
    let [a, b] = [bounds.min, bounds.max].map(|corner| axes.to_metres_y_up(corner));
    wanted.max((a.x - b.x).abs().max((a.z - b.z).abs()) / 60.0)
}

fn export(graph: &FlatGraph, format: Format) -> Vec<u8> {
    let mut out = Vec::new();
    Export::new(graph, "test <&\"> map").write(format, &mut out).unwrap();
    out
}

fn text(graph: &FlatGraph, format: Format) -> String {
    String::from_utf8(export(graph, format)).unwrap()
}

/// Nodes that have a shape to draw.
fn drawable(graph: &FlatGraph) -> usize {
    let polygon =
        |node: &&navmap::graph::FlatNode| graph.shape(node).area().is_none() || graph.corners(node).len() > 2;
    graph.nodes().iter().filter(polygon).count()
}

#[test]
fn every_face_of_an_obj_faces_up() {
    for path in files() {
        let graph = load(&path);
        for y_up in [false, true] {
            let mut out = Vec::new();
            Export::new(&graph, "map").y_up(y_up).write(Format::Obj, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            let numbers =
                |line: &str| -> Vec<f64> { line.split(' ').skip(1).map(|n| n.parse().unwrap()).collect() };
            let vertices: Vec<Vec<f64>> = text.lines().filter(|l| l.starts_with("v ")).map(numbers).collect();
            let up = if y_up || graph.axes().up == Up::Y { 1 } else { 2 };
            let mut faces = 0;
            for face in text.lines().filter(|line| line.starts_with("f ")).map(numbers) {
                faces += 1;
                let corners: Vec<&Vec<f64>> = face.iter().map(|n| &vertices[*n as usize - 1]).collect();
                let (a, b) = ((up + 1) % 3, (up + 2) % 3);
                let shadow: f64 = (0..corners.len())
                    .map(|i| (corners[i], corners[(i + 1) % corners.len()]))
                    .map(|(p, q)| {
                        (p[a] - corners[0][a]) * (q[b] - corners[0][b])
                            - (q[a] - corners[0][a]) * (p[b] - corners[0][b])
                    })
                    .sum();
                assert!(shadow >= -1e-3, "{}: face {face:?} faces down ({shadow})", path.display());
            }
            let points = text.lines().filter(|line| line.starts_with("p ")).count();
            assert_eq!(faces + points, drawable(&graph), "{}", path.display());
        }
    }
}

#[test]
fn faces_of_an_obj_share_corners_and_none_has_one_twice() {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    // Two halves of a square, and a face that comes back to its first corner.
    let faces = [[[0.0, 0.0], [9.0, 0.0], [9.0, 9.0]], [[0.0, 0.0], [9.0, 9.0], [-0.0, 9.0]]];
    for (id, corners) in (1..).zip(faces.into_iter().chain([[[0.0, 0.0], [9.0, 0.0], [0.0, -0.0]]])) {
        graph.add_node(id, Shape::Polygon(&corners.map(|[x, y]| Point::new(x, y, 0.0))));
    }
    let text = text(&graph, Format::Obj);
    let faces: Vec<&str> = text.lines().filter(|line| line.starts_with("f ")).collect();
    assert_eq!(faces, ["f 1 2 3", "f 1 3 4", "f 1 2 5"], "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("v ")).count(), 5);
}

#[test]
fn an_obj_has_an_object_for_each_place_or_group() {
    let objects = |graph: &FlatGraph| {
        text(graph, Format::Obj)
            .lines()
            .filter(|line| line.starts_with("o "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let town = load(&bundled().join("source/town.nav"));
    let unplaced = usize::from(town.nodes().iter().any(|node| node.place.is_none()));
    assert!(town.places().len() > 1);
    assert_eq!(objects(&town).len(), town.places().len() + unplaced);
    let tile = load(&bundled().join("fox/standalone.nav2"));
    assert_eq!(objects(&tile).len(), tile.groups().len());
    assert!(objects(&tile).iter().all(|name| name.starts_with("o segment_")), "names are one word");
    let village = load(&bundled().join("skyrim/se/village.esp"));
    assert_eq!(objects(&village).len(), village.groups().len());
    // A backslash at the end of a line joins the next one to it.
    let mut named = FlatGraph::new("area", Axes::z_up(1.0));
    let node = named.add_node(1, Shape::Point { at: Point::new(0.0, 0.0, 0.0), radius: None });
    named.name_place(1, "C:\\maps\\");
    named.nodes_mut()[node as usize].place = Some(1);
    assert_eq!(objects(&named), ["o C:\\maps_"]);
}

#[test]
fn graphs_keep_every_node_and_every_link() {
    for path in files() {
        let graph = load(&path);
        let inside = graph.links().iter().filter(|link| link.to.is_some()).count();
        let graphml = text(&graph, Format::GraphMl);
        assert_eq!(graphml.matches("<node ").count(), graph.nodes().len(), "{}", path.display());
        assert_eq!(graphml.matches("<edge ").count(), inside, "{}", path.display());
        // igraph keeps the ids of the XML in an attribute `id` of its own, which one of that name would take away.
        assert!(graphml.contains("attr.name=\"node_id\"") && !graphml.contains("attr.name=\"id\""));
        assert!(graphml.contains("id=\"test &lt;&amp;&quot;&gt; map\""));
        let dot = text(&graph, Format::Dot);
        assert_eq!(dot.matches(" -> n").count(), inside, "{}", path.display());
        assert_eq!(dot.lines().filter(|line| line.contains(" [label=")).count(), graph.nodes().len());
        assert!(dot.starts_with("digraph \"test <&\\\"> map\" {"));
    }
}

#[test]
fn geojson_is_json_with_closed_anticlockwise_rings() {
    for path in files() {
        let graph = load(&path);
        let json: serde_json::Value = serde_json::from_slice(&export(&graph, Format::GeoJson)).unwrap();
        let features = json["features"].as_array().unwrap();
        assert_eq!(features.len(), drawable(&graph), "{}", path.display());
        for feature in features {
            let Some(ring) = feature["geometry"]["coordinates"][0].as_array() else { continue };
            assert_eq!(ring.first(), ring.last());
            let at = |i: usize, k: usize| ring[i][k].as_f64().unwrap() - ring[0][k].as_f64().unwrap();
            let turn: f64 = (1..ring.len()).map(|i| at(i - 1, 0) * at(i, 1) - at(i, 0) * at(i - 1, 1)).sum();
            assert!(turn >= -1e-3, "{}: {feature}", path.display());
            assert!(feature["properties"]["height"].is_number());
        }
    }
}

#[test]
fn what_is_no_place_is_left_out_of_geometry_and_kept_in_graphs() {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    let square = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)].map(|(x, y)| Point::new(x, y, 0.0));
    graph.add_node(1, Shape::Polygon(&square));
    graph.add_node(2, Shape::Polygon(&[Point::new(f32::NAN, 0.0, 0.0); 3]));
    graph.add_node(3, Shape::Point { at: Point::new(f32::INFINITY, 0.0, 0.0), radius: Some(f32::NAN) });
    graph.add_node(4, Shape::Polygon(&square[..2]));
    graph.add_link(Link::new(0, 1, LinkKind::Jump));
    graph.add_link(Link::new(2, 0, LinkKind::Jump));
    graph.add_link(Link::new(0, 99, LinkKind::Jump));
    for format in [Format::Obj, Format::GeoJson, Format::Dot, Format::GraphMl] {
        let text = text(&graph, format);
        assert!(!text.contains("NaN") && !text.contains("inf"), "{format:?}: {text}");
    }
    assert_eq!(text(&graph, Format::Obj).matches("\nf ").count(), 1);
    assert_eq!(text(&graph, Format::GraphMl).matches("<node ").count(), 4);
    glb::check(&export(&graph, Format::Glb));
}

#[test]
fn an_area_too_large_for_a_number_is_null_in_geojson() {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    let far = 3e38;
    let square = [(-far, -far), (far, -far), (far, far), (-far, far)].map(|(x, y)| Point::new(x, y, 8.0));
    graph.add_node(1, Shape::Polygon(&square));
    graph.add_node(2, Shape::Point { at: Point::new(0.0, 0.0, 8.0), radius: Some(f32::INFINITY) });
    let json: serde_json::Value = serde_json::from_slice(&export(&graph, Format::GeoJson)).unwrap();
    let [area, point] = [0, 1].map(|at| json["features"][at]["properties"].clone());
    assert!(area["area_m2"].is_null() && point["radius"].is_null(), "{json}");
    assert!(area["height"] == 8 && point["height"] == 8, "{json}");
}

#[test]
fn every_glb_is_whole() {
    for path in files() {
        let graph = load(&path);
        let counted = glb::check(&export(&graph, Format::Glb));
        assert_eq!(counted.nodes, drawable(&graph), "{}", path.display());
        let inside = graph.links().iter().filter(|link| link.to.is_some()).count();
        assert_eq!(counted.links, inside, "{}", path.display());
    }
}

/// The Khronos validator is an npm package: `NAVMAP_GLTF_VALIDATOR` names the folder with its `node_modules`.
#[test]
fn the_khronos_validator_has_no_error_for_any_glb() {
    let Some(folder) = std::env::var_os("NAVMAP_GLTF_VALIDATOR").map(PathBuf::from) else {
        navmap_testkit::skipped(
            "npm install gltf-validator in a folder, and set NAVMAP_GLTF_VALIDATOR to it",
        );
        return;
    };
    let temp = Temp::new("export-glb");
    let names = files()
        .into_iter()
        .enumerate()
        .map(|(i, path)| temp.file(format!("{i}.glb"), &export(&load(&path), Format::Glb)));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export/validate.cjs");
    let done = Command::new("node").arg(script).arg(folder).args(names).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}
