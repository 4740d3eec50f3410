//! Meshes that are large, odd or hostile become sound tiles or are refused.

use super::build::{QUAD, TWO, build, build_with, clean};
use navmap::format::fox::{BuildOptions, FoxBuf};

#[test]
fn warnings_count_what_was_turned_left_out_or_crowded() {
    let text = "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nv 2 3 0\nv 9 0 9\nv 9 0 10\nv 10 0 10\n\
                f 1 2 3\nf 1 4 3\nf 1 3 2\nf 1 2 5\nf 6 7 8\n";
    let (_, report) = build_with(text, |options| {
        options.spawns = vec![[1.0, -2.0, 1.0], [2.0, 0.0, 2.0], [50.0, 0.0, 50.0], [0.5, 0.0, 0.5]];
    })
    .unwrap();
    assert_eq!((report.turned, report.flat, report.first_flat), (1, 1, Some(12)));
    assert_eq!((report.crowded, report.folded, report.alone), (1, 5, 2));
    let said = report.warnings();
    assert!(said.contains(&"1 triangles had their front down and were turned over".to_owned()), "{said:?}");
    assert!(said.iter().any(|line| line.contains("at line 12")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("of 3 faces, at 2,0,2")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("spawn 1,-2,1: the mesh is 2.00 m above it")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("spawn 50,0,50: there is no mesh")), "{said:?}");
    assert!(
        said.iter().any(|line| line.contains("spawn 0.5,0,0.5: the mesh ends less than 1 m")),
        "{said:?}"
    );
    assert!(!said.iter().any(|line| line.contains("spawn 2,0,2")), "{said:?}");
}

#[test]
fn hostile_meshes_end_in_an_error_or_a_sound_tile_and_in_time() {
    // Very many faces on one side.
    let mut text = String::from("v 0 0 0\nv 0 0 8\n");
    for i in 0..100_000 {
        text.push_str(&format!("v {} {} 4\n", 1.0 + f64::from(i) * 1e-5, i % 7));
    }
    for i in 0..100_000 {
        text.push_str(&format!("f 1 2 {}\n", i + 3));
    }
    let error = build_with(&text, |_| {}).unwrap_err().to_string();
    assert_eq!(error, "group 4: faces: 100000, 16383 fit");
    let few: String = text
        .lines()
        .filter(|line| line.starts_with('v'))
        .chain(text.lines().filter(|l| l.starts_with('f')).take(12_000))
        .fold(String::new(), |s, l| s + l + "\n");
    let error = build_with(&few, |_| {}).unwrap_err().to_string();
    assert!(error.ends_with("4095 fit: raise --sector"), "faces over each other are no neighbours: {error}");
    // Slivers, far places, a face over and over.
    let (tile, _) =
        build("v 60000 0 60000\nv 60001 0 60000\nv 60000.5 1 60001\nf 1 3 2\nf 1 3 2\nf 1 3 2\nf 1 3 2\n");
    clean(&tile.encode().unwrap(), "four times one face");
    let (tile, _) = build("v 0 0 0\nv 100 0 0.001\nv 100 0 0\nv 50 2 50\nf 1 2 3\nf 1 4 3\n");
    clean(&tile.encode().unwrap(), "a sliver");
    assert!(build_with("v 0 -9e8 0\nv 4 0 0\nv 0 0 4\nf 1 3 2\n", |_| {}).is_err());
    assert!(build_with("v 1e300 0 0\nv 4 0 0\nv 0 0 -1e300\nf 1 3 2\n", |_| {}).is_err());
    assert!(build_with(QUAD, |options| options.sector = 0.0).is_err());
    assert!(build_with(QUAD, |options| options.sector = 1e-9).is_err());
    assert!(build_with(QUAD, |options| options.bucket = 0).is_err());
}

#[test]
fn a_million_faces_on_one_side_are_refused_whatever_is_built_of_them() {
    let mut scene = navmap::graph::Scene::new();
    scene.positions.extend([[0.0, 0.0, 0.0], [0.0, 0.0, 8.0]]);
    for i in 0..1_000_000_u32 {
        scene.positions.push([1.0 + f64::from(i) * 1e-6, f64::from(i % 7), 4.0]);
        scene.add_polygon(&[0, 1, i + 2], i + 1, 0, 0);
    }
    let options = BuildOptions::default();
    let error = FoxBuf::build(&scene, &options).unwrap_err().to_string();
    assert_eq!(error, "group 4: faces: 1000000, 16383 fit");
    let error = FoxBuf::build_tiles(&scene, &options, 64, None).unwrap_err().to_string();
    assert!(error.contains("tile 133,133") && error.contains("16383 fit"), "{error}");
}

#[test]
fn a_mesh_with_an_island_graph_is_sound() {
    let (tile, _) = build_with(TWO, |options| options.islands = true).unwrap();
    assert_eq!(tile.islands.len(), 1);
    let attributes: Vec<_> = tile.islands[0].islands.iter().map(|island| island.attribute).collect();
    assert_eq!(attributes, [1, 0x04E1]);
    let bytes = tile.encode().unwrap();
    clean(&bytes, "islands");
    assert!(FoxBuf::from_bytes(&bytes).unwrap().same_values(&tile));
}
