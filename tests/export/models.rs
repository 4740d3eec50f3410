//! What models mean, whichever way a program writes them.

use crate::hostile::{glb_of, nvnm, obj};
use navmap::format::source::{BuildOptions, SourceBuf};
use navmap::graph::Scene;
use navmap::import::{Format, read};
use navmap_testkit::bytes::Rng;

/// The triangles of a square on the ground, and how many of them face up, in a GLB whose nodes have these transforms: each node lies
/// in the one before.
fn facing_up(mode: u32, indices: &[u8], nodes: &[&str]) -> (usize, usize) {
    let corners = [[0.0_f32, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 0.0], [9.0, 0.0, 9.0]];
    let mut binary: Vec<u8> = corners.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    binary.extend(indices);
    let above: String =
        (1..).zip(nodes).map(|(next, own)| format!(r#"{{"children":[{next}],{own}}},"#)).collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{above}{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":{mode}}}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},{{"bufferView":1,"componentType":5121,"count":{0},"type":"SCALAR"}}],"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":{0}}}],"buffers":[{{"byteLength":{1}}}]}}"#,
        indices.len(),
        binary.len()
    );
    let scene = read(&glb_of(&json, &binary), Format::Glb).unwrap();
    let up = scene.polygons().filter(|(_, corners)| {
        let [a, b, c] = [0, 1, 2].map(|at| scene.position(corners[at]));
        (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]) > 0.0
    });
    (scene.polygons.len(), up.count())
}

#[test]
fn a_floor_stays_a_floor_in_a_node_that_mirrors() {
    let mirror = r#""scale":[-1,1,1]"#;
    let along_z = r#""matrix":[1,0,0,0, 0,1,0,0, 0,0,-2,0, 5,0,0,1]"#;
    let turn = r#""rotation":[0,0.6,0,0.8]"#;
    // Triangles, a strip and a fan.
    for (mode, indices) in [(4, &[0, 1, 2, 2, 1, 3][..]), (5, &[0, 1, 2, 3]), (6, &[0, 1, 3, 2])] {
        for nodes in [&[][..], &[turn], &[mirror], &[along_z], &[mirror, along_z], &[mirror, turn]] {
            assert_eq!(facing_up(mode, indices, nodes), (2, 2), "mode {mode}, {nodes:?}");
        }
        // Upside down it is a ceiling, mirrored or not.
        let half = r#""rotation":[1,0,0,0]"#;
        for nodes in [&[half][..], &[half, mirror]] {
            assert_eq!(facing_up(mode, indices, nodes), (2, 0), "mode {mode}, {nodes:?}");
        }
    }
}

#[test]
fn zero_is_one_place_whatever_its_sign() {
    // Two halves of a square, of which each has corners of its own.
    let square = |far: &str, zero: &str| {
        let [a, b, c, d] = [("0", "0"), (far, "0"), (far, far), ("0", far)];
        let corner = |(x, y): (&str, &str)| format!("v {x} {y} 0\n");
        let other = |(x, y): (&str, &str)| corner((x, y)).replace(" 0", zero);
        [corner(a), corner(b), corner(c), other(a), other(c), other(d), "f 1 2 3\nf 4 5 6\n".into()].concat()
    };
    for zero in [" 0", " -0"] {
        let scene = obj(&square("100", zero));
        let mesh = nvnm().with_triangles(&scene).unwrap();
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (4, 2), "{zero}");
        let mesh = SourceBuf::build(&scene, 16, 1, &BuildOptions::default()).unwrap();
        assert_eq!(mesh.areas.len(), 1, "{zero}");
    }
    // A line that ends at a point.
    for zero in ["0", "-0"] {
        let scene = obj(&format!("v 0 0 0\nv 100 0 0\np 1\np 2\nv {zero} {zero} {zero}\nl 3 2\n"));
        let made = scene.waypoints().unwrap();
        assert_eq!((made.places.as_slice(), made.ways[0].ends), (&[[0.0; 3], [100.0, 0.0, 0.0]][..], [0, 1]));
    }
    // Turning makes no such zero.
    for sign in [0.0, -0.0] {
        let mut scene = Scene::new();
        scene.positions.push([sign; 3]);
        let turns: [fn(&mut Scene); 2] = [Scene::turn_z_up, |scene| scene.turn_metres_y_up(1.0)];
        for turn in turns {
            turn(&mut scene);
            assert!(scene.position(0).iter().all(|v| v.is_sign_positive()), "{:?}", scene.position(0));
            scene.positions = vec![[sign; 3]];
        }
    }
}

#[test]
fn a_face_that_is_not_convex_is_cut_into_triangles_inside_of_it() {
    // An L, from a corner that does not see all of it.
    let l = "v 300 0 0\nv 300 100 0\nv 100 100 0\nv 100 300 0\nv 0 300 0\nv 0 0 0\nf 1 2 3 4 5 6\n";
    let scene = obj(l);
    let mesh = nvnm().with_triangles(&scene).unwrap();
    let doubled = |[a, b, c]: [[f32; 3]; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let areas: Vec<f32> = mesh.triangles.iter().map(|triangle| doubled(mesh.corners(triangle))).collect();
    assert!(areas.len() == 4 && areas.iter().all(|area| *area > 0.0), "{areas:?}");
    assert_eq!(areas.iter().sum::<f32>(), 100_000.0);
    let cells = BuildOptions::default().with_rasterise(Some(25.0));
    let mesh = SourceBuf::build(&scene, 16, 1, &cells).unwrap();
    assert_eq!(mesh.areas.iter().map(|area| area.shape.square_units()).sum::<f32>(), 50_000.0);
}

#[test]
fn a_face_that_lies_over_itself_becomes_the_same_areas_each_time() {
    let scene = obj("v 1000 0 0\nv 0 0 0\nv 0 300 0\nv 0 200 500\nv 0 0 500\nf 1 2 3 4 5\n");
    let cells = BuildOptions::default().with_rasterise(Some(25.0));
    let build = || SourceBuf::build(&scene, 16, 1, &cells).unwrap().encode().unwrap();
    let first = build();
    assert!((0..8).all(|_| build() == first));
}

#[test]
fn layers_of_a_grid_lie_a_step_apart_and_are_not_too_many() {
    let cells = BuildOptions::default().with_rasterise(Some(25.0));
    // Each is a triangle over six cells, so high above the one before, and of a material of its own.
    let built = |count: u32, apart: u32| {
        let one = |at: u32| {
            let (z, first) = (at * apart, 3 * at + 1);
            let corners = format!("v 0 0 {z}\nv 100 0 {z}\nv 0 100 {z}\n");
            format!("{corners}usemtl Place{at}\nf {first} {} {}\n", first + 1, first + 2)
        };
        let scene = obj(&(0..count).map(one).collect::<String>());
        SourceBuf::build(&scene, 16, 1, &cells).map_err(|error| error.to_string())
    };
    let [one, many] = [1, 256].map(|count| built(count, 100).unwrap());
    assert_eq!(many.areas.len(), 256 * one.areas.len());
    let why = built(257, 100).unwrap_err();
    assert!(why.contains("more than 256 layers over one another at 12.5,12.5"), "{why}");
    // Of those nearer to each other than a step the first is there.
    let near = built(300, 0).unwrap();
    assert_eq!(near.areas, one.areas);
}

/// A node with a mesh of primitives that all read these corners.
fn one_buffer(corners: usize, primitives: usize, required: &str) -> Result<Scene, String> {
    let one = r#"{"attributes":{"POSITION":0},"indices":1}"#;
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":[{required}],"nodes":[{{"mesh":0}},{{"mesh":0,"translation":[5,0,0]}}],"meshes":[{{"primitives":[{}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":{corners},"type":"VEC3"}},{{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}}],"bufferViews":[{{"buffer":0,"byteLength":{1}}},{{"buffer":0,"byteOffset":{1},"byteLength":3}}],"buffers":[{{"byteLength":{2}}}]}}"#,
        vec![one; primitives].join(","),
        12 * corners,
        12 * corners + 3
    );
    let mut binary: Vec<u8> = (0..3 * corners).flat_map(|v| (v as f32).to_le_bytes()).collect();
    binary.extend([0, 1, 2]);
    read(&glb_of(&json, &binary), Format::Glb).map_err(|error| error.to_string())
}

#[test]
fn the_primitives_of_a_node_share_the_corners_of_one_buffer() {
    // For each primitive once they would be 40 million.
    let scene = one_buffer(20_000, 1_000, "").unwrap();
    assert_eq!((scene.positions.len(), scene.polygons.len()), (40_000, 2_000));
    let first: Vec<_> = scene.polygons().map(|(_, corners)| corners.to_vec()).collect();
    assert_eq!(
        (&first[0], &first[999], &first[1000]),
        (&vec![0, 1, 2], &vec![0, 1, 2], &vec![20_000, 20_001, 20_002])
    );
    assert_eq!((scene.position(1), scene.position(20_001)), ([3.0, 4.0, 5.0], [8.0, 4.0, 5.0]));
}

#[test]
fn a_glb_may_need_extensions_about_looks_and_no_others() {
    let looks = r#""KHR_texture_transform","KHR_materials_unlit","EXT_texture_webp","KHR_lights_punctual""#;
    assert_eq!(one_buffer(3, 1, looks).unwrap().polygons.len(), 2);
    for shape in ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_mesh_quantization"] {
        let error = one_buffer(3, 1, &format!(r#"{looks},"{shape}""#)).unwrap_err();
        assert!(error.contains(&format!("needs the extension {shape}")), "{error}");
    }
}

/// A scene of level rectangles, from corner to corner, at a height.
fn rectangles(list: impl IntoIterator<Item = ([f64; 2], [f64; 2], f64)>) -> Scene {
    let mut scene = Scene::new();
    for ([x0, y0], [x1, y1], z) in list {
        let first = scene.positions.len() as u32;
        scene.positions.extend([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]]);
        scene.add_polygon(&[first, first + 1, first + 2, first + 3], 1, 0, 0);
    }
    scene
}

#[test]
fn a_large_grid_is_linked_and_areas_heaped_over_one_another_are_refused() {
    const SIDE: u32 = 300;
    let build = |scene: &Scene| SourceBuf::build(scene, 16, 1, &BuildOptions::default());
    let at = |n: u32| [f64::from(n % SIDE), f64::from(n / SIDE)].map(|v| v * 32.0);
    let square = |n: u32| (at(n), at(n).map(|v| v + 32.0), 0.0);
    let mesh = build(&rectangles((0..SIDE * SIDE).map(square))).unwrap();
    let links: usize = mesh.areas.iter().flat_map(|area| &area.connections).map(Vec::len).sum();
    assert_eq!(links as u32, 4 * SIDE * (SIDE - 1));
    let middle = SIDE * 150 + 150;
    let sides = mesh.areas[middle as usize].connections.clone().map(|side| side[0].get() - 1);
    assert_eq!(sides, [middle - SIDE, middle + 1, middle + SIDE, middle - 1]);
    // Each of a heap shares a border with each of the other.
    let heap = |x: f64| (0..4_100).map(move |n| ([x, 0.0], [x + 32.0, 32.0], f64::from(n) * 100.0));
    let error = build(&rectangles(heap(0.0).chain(heap(32.0)))).unwrap_err().to_string();
    assert!(error.contains("more than 16777216 pairs of areas that share a border"), "{error}");
}

#[test]
fn areas_are_linked_as_a_look_at_every_two_of_them_links_them() {
    let mut rng = Rng(7);
    for round in 0..20 {
        let coarse = if round % 2 == 0 { 16.0 } else { 0.005 };
        let mut one = || {
            let [x, y] = [0; 2].map(|_| (f64::from(rng.f32(0.0, 300.0)) / coarse).round() * coarse);
            let [w, h] = [0; 2].map(|_| [16.0, 32.0, 64.0, 7.25][rng.below(4) as usize]);
            ([x, y], [x + w, y + h], [0.0, 10.0, 25.0, 100.0, 300.0][rng.below(5) as usize])
        };
        let list: Vec<_> = (0..300).map(|_| one()).collect();
        let mesh =
            SourceBuf::build(&rectangles(list.iter().copied()), 16, 1, &BuildOptions::default()).unwrap();
        let list: Vec<[[f32; 3]; 2]> = list
            .iter()
            .map(|(low, high, z)| [low, high].map(|[x, y]| [*x as f32, *y as f32, *z as f32]))
            .collect();
        let mut sides = vec![[const { Vec::new() }; 4]; list.len()];
        for axis in [0, 1] {
            let [to, back] = if axis == 0 { [1, 3] } else { [2, 0] };
            let mut others: Vec<usize> = (0..list.len()).collect();
            others.sort_by(|a, b| list[*a][0][axis].total_cmp(&list[*b][0][axis]));
            for (a, [low, high]) in list.iter().enumerate() {
                for &b in &others {
                    let [start, end] = list[b];
                    let meets = start[axis] >= high[axis] - 0.01 && start[axis] <= high[axis] + 0.01;
                    let shared = high[1 - axis].min(end[1 - axis]) - low[1 - axis].max(start[1 - axis]);
                    let up = start[2] - low[2];
                    if meets && shared > 0.01 && (-200.0..=18.0).contains(&up) {
                        sides[a][to].push(b as u32 + 1);
                    }
                    if meets && shared > 0.01 && (-18.0..=200.0).contains(&up) {
                        sides[b][back].push(a as u32 + 1);
                    }
                }
            }
        }
        for (area, sides) in mesh.areas.iter().zip(sides) {
            let ours =
                area.connections.clone().map(|side| side.iter().map(|id| id.get()).collect::<Vec<_>>());
            assert_eq!(ours, sides, "round {round}, area {}", area.id);
        }
    }
}
