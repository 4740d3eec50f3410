//! Maps of GoldSrc and Source as geometry.

use crate::Made;
use navmap::Limits;
use navmap::bsp::{BspMap, Quake3Map};
use navmap::build::BuildOptions;
use navmap::graph::{INCH, Scene};
use navmap_testkit::bsp::{Brush, Curve, gold, quake3, source};

const WORLD: &str = "{ \"classname\" \"worldspawn\" }\n";

pub(crate) fn metres(bytes: &[u8]) -> Scene {
    let limits = Limits::default();
    let mut scene = match Quake3Map::is(bytes) {
        true => Quake3Map::parse(bytes, &limits).unwrap().solid_polygons().unwrap(),
        false => BspMap::parse(bytes).unwrap().solid_polygons(bytes, &limits).unwrap(),
    };
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
fn a_map_of_each_engine_is_walked_where_its_geometry_lets() {
    for bytes in [source(20, &[yard()], WORLD), gold(&[yard()], WORLD), quake3(&yard(), &[], WORLD)] {
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

/// A bridge of a curve over a gap between two blocks, which a clip parts.
pub(crate) fn bridge(front: [f32; 3]) -> Vec<u8> {
    let row = |y: f32| vec![[-64.0, y, 64.0], [64.0, y, 96.0], [192.0, y, 64.0]];
    let curve = Curve { rows: vec![row(-64.0), row(0.0), row(64.0)], front, contents: 1, flags: 0 };
    let brushes = [
        Brush::solid([-512.0, -256.0, 0.0], [-64.0, 256.0, 64.0]),
        Brush::solid([192.0, -256.0, 0.0], [640.0, 256.0, 64.0]),
        Brush::solid([400.0, -256.0, 64.0], [416.0, 256.0, 200.0]).filled_with(0x1_0000),
    ];
    quake3(&brushes, &[curve], WORLD)
}

#[test]
fn one_walks_over_curves_of_quake_3_and_not_through_its_clips() {
    let at = |[x, y, z]: [f32; 3]| [x, z, -y].map(|part| part * INCH as f32);
    let [west, middle, east, beyond] =
        [[-300.0, 0.0, 64.0], [64.0, 0.0, 80.0], [300.0, 0.0, 64.0], [540.0, 0.0, 64.0]].map(at);
    let made = Made::of_scene(&metres(&bridge([0.0, 0.0, 1.0])), &BuildOptions::default());
    assert!(made.joins(west, middle) && made.joins(middle, east), "{}", made.bill);
    assert!(!made.joins(east, beyond), "through a clip");
    let under = Made::of_scene(&metres(&bridge([0.0, 0.0, -1.0])), &BuildOptions::default());
    assert!(!under.joins(west, east), "its back is no ground");
}
