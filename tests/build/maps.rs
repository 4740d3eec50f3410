//! Maps of GoldSrc and Source as geometry.

use crate::Made;
use navmap::Limits;
use navmap::bsp::BspMap;
use navmap::build::BuildOptions;
use navmap::graph::{INCH, Scene};
use navmap_testkit::bsp::{Brush, gold, source};

const WORLD: &str = "{ \"classname\" \"worldspawn\" }\n";

fn metres(bytes: &[u8]) -> Scene {
    let map = BspMap::parse(bytes).unwrap();
    let mut scene = map.solid_polygons(bytes, &Limits::default()).unwrap();
    scene.turn_z_up();
    scene.positions.iter_mut().flatten().for_each(|part| *part *= INCH);
    scene
}

/// A floor of 26 m, parted by a wall with a ramp over it and a pool.
fn yard() -> Vec<Brush> {
    vec![
        Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0]),
        Brush::ramp([-256.0, -64.0, 0.0], [0.0, 64.0, 64.0]),
        Brush::solid([0.0, -512.0, 0.0], [128.0, 512.0, 64.0]),
        Brush::solid([200.0, -300.0, 0.0], [400.0, -100.0, 24.0]).filled_with(0x20),
    ]
}

#[test]
fn a_map_of_either_engine_is_walked_where_its_geometry_lets() {
    for bytes in [source(20, &[yard()], WORLD), gold(&[yard()], WORLD)] {
        let scene = metres(&bytes);
        let made = Made::of_scene(&scene, &BuildOptions::default());
        let at = |[x, y, z]: [f32; 3]| [x, z, -y].map(|part| part * INCH as f32);
        let (west, top, east) = (at([-400.0, 0.0, 0.0]), at([64.0, 0.0, 64.0]), at([400.0, 300.0, 0.0]));
        assert!(made.joins(west, top), "up the ramp");
        assert!(!made.joins(west, east), "down 1.6 m");
    }
    // Brushes have sides that nobody sees, and say what they are.
    let scene = metres(&source(20, &[yard()], WORLD));
    assert!(scene.materials.iter().any(|name| name == "solid"), "{:?}", scene.materials);
}

#[test]
fn what_is_water_is_no_ground_and_what_blocks_is() {
    let pool = vec![
        Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0]),
        Brush::solid([-512.0, -512.0, 0.0], [512.0, 512.0, 100.0]).filled_with(0x20),
        Brush::solid([-100.0, -100.0, 0.0], [100.0, 100.0, 60.0]).filled_with(0x1_0000),
    ];
    let scene = metres(&source(20, &[pool], WORLD));
    assert_eq!(scene.materials, ["", "solid", "clip"]);
    let heights: Vec<f64> = scene.positions.iter().map(|point| point[1] / INCH).collect();
    assert!(heights.iter().all(|y| *y < 61.0), "the surface of water is none");
}
