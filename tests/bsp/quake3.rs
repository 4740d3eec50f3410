//! Maps of Quake III as polygons.

use navmap::Limits;
use navmap::bsp::{BspMap, Quake3Map};
use navmap::graph::Scene;
use navmap_testkit::bsp::{Brush, Curve, quake3, quake3_with, room};
use navmap_testkit::bytes::Rng;

const WORLD: &str = "{ \"classname\" \"worldspawn\" }\n";

fn scene(bytes: &[u8]) -> Scene {
    Quake3Map::parse(bytes, &Limits::default()).unwrap().solid_polygons().unwrap()
}

/// The box around the corners of all polygons of a material.
fn around(scene: &Scene, material: &str) -> Option<[[f64; 3]; 2]> {
    let own = scene.polygons().filter(|(polygon, _)| scene.material(polygon.material) == material);
    let corners = own.flat_map(|(_, corners)| corners.iter().map(|corner| scene.position(*corner)));
    corners.fold(None, |found, at| {
        let [low, high] = found.unwrap_or([at; 2]);
        Some([
            std::array::from_fn(|k| f64::min(low[k], at[k])),
            std::array::from_fn(|k| f64::max(high[k], at[k])),
        ])
    })
}

/// A hump of a curve: 8 wide, 4 high in its middle.
fn hump(contents: u32, flags: u32) -> Curve {
    let row = |y: f32| vec![[0.0, y, 0.0], [4.0, y, 8.0], [8.0, y, 0.0]];
    Curve { rows: vec![row(0.0), row(4.0), row(8.0)], front: [0.0, 0.0, 1.0], contents, flags }
}

#[test]
fn brushes_clips_and_curves_are_polygons_that_face_outwards_and_water_is_none() {
    let brushes = vec![
        Brush::solid([-64.0, -64.0, -16.0], [64.0, 64.0, 0.0]),
        Brush::solid([0.0, 0.0, 0.0], [16.0, 16.0, 48.0]).filled_with(0x1_0000),
        Brush::solid([-64.0, -64.0, 0.0], [64.0, 64.0, 200.0]).filled_with(0x20),
    ];
    let bytes = quake3(&brushes, &[hump(1, 0)], WORLD);
    let scene = scene(&bytes);
    assert_eq!(scene.materials, ["", "textures/made/solid", "textures/common/clip"]);
    assert_eq!(scene.polygons.len(), 6 + 6 + 128);
    assert_eq!(around(&scene, "textures/common/clip"), Some([[0.0, 0.0, 0.0], [16.0, 16.0, 48.0]]));
    assert_eq!(around(&scene, "textures/made/solid"), Some([[-64.0, -64.0, -16.0], [64.0, 64.0, 4.0]]));
    // Every polygon of a box turns away from its middle; those of the hump face up.
    for (polygon, corners) in scene.polygons() {
        let [a, b, c] = [corners[0], corners[1], corners[2]].map(|corner| scene.position(corner));
        let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let (middle, curve) = match polygon.line {
            ..=6 => ([0.0, 0.0, -8.0], false),
            7..=12 => ([8.0, 8.0, 24.0], false),
            _ => ([0.0; 3], true),
        };
        let out: f64 = (0..3).map(|k| normal[k] * (a[k] - middle[k])).sum();
        assert!(if curve { normal[2] > 0.0 } else { out > 0.0 }, "polygon {}", polygon.line);
    }
}

#[test]
fn a_curve_that_nobody_runs_into_is_none_and_one_seen_from_below_is_a_ceiling() {
    for (contents, flags) in [(0x20, 0), (1, 0x4000)] {
        assert_eq!(scene(&quake3(&[], &[hump(contents, flags)], WORLD)).polygons.len(), 0);
    }
    let under = scene(&quake3(&[], &[Curve { front: [0.0, 0.0, -1.0], ..hump(1, 0) }], WORLD));
    let (_, corners) = under.polygons().next().unwrap();
    let [a, b, c] = [corners[0], corners[1], corners[2]].map(|corner| under.position(corner));
    assert!((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]) < 0.0);
}

#[test]
fn what_blocks_stands_where_its_entity_is_and_doors_and_triggers_do_not() {
    let block = || Brush::solid([0.0; 3], [16.0; 3]);
    let entity = |class: &str, model: u32| {
        format!("{{ \"classname\" \"{class}\" \"model\" \"*{model}\" \"origin\" \"100 0 8\" }}\n")
    };
    for (class, stands) in
        [("func_static", true), ("func_plat", true), ("func_door", false), ("trigger_hurt", false)]
    {
        let entities = format!("{WORLD}{}", entity(class, 1));
        let scene = scene(&quake3_with(&[], &[block()], &[], &entities));
        let wanted = stands.then_some([[100.0, 0.0, 8.0], [116.0, 16.0, 24.0]]);
        assert_eq!(around(&scene, "textures/made/solid"), wanted, "{class}");
    }
    // Entities that name one model again and again, or one that is not there, cost nothing.
    let many = format!("{WORLD}{}{}", entity("func_static", 1).repeat(5_000), entity("func_static", 77));
    assert_eq!(scene(&quake3_with(&[], &[block()], &[], &many)).polygons.len(), 6);
}

fn entry(lump: usize) -> usize {
    8 + 8 * lump
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn set(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

#[test]
fn damage_is_an_error_with_its_place_or_a_map_with_less_in_it() {
    let whole = quake3(&room(), &[hump(1, 0)], WORLD);
    for cut in (0..whole.len()).step_by(5) {
        if let Err(error) = Quake3Map::parse(&whole[..cut], &Limits::default()) {
            assert!(!error.to_string().is_empty());
        }
    }
    let mut rng = Rng(7);
    for _ in 0..800 {
        let mut bytes = whole.clone();
        let at = rng.below(bytes.len() as u64 - 4) as usize;
        set(&mut bytes, at, rng.u64() as u32);
        if let Ok(map) = Quake3Map::parse(&bytes, &Limits::default()) {
            let _ = map.solid_polygons();
        }
    }
    let said = |lump: usize, at: usize, value: u32| {
        let mut bytes = whole.clone();
        let from = word(&bytes, entry(lump));
        set(&mut bytes, from + at, value);
        Quake3Map::parse(&bytes, &Limits::default()).unwrap_err().to_string()
    };
    for (lump, at, value, why) in [
        (2, 0, f32::NAN.to_bits(), "plane: a number that is none"),
        (9, 0, 4_000_000, "plane"),
        (8, 4, 4_000_000, "brush side"),
        (7, 36, 4_000_000, "brush"),
        (13, 96, 5, "control points of 9 vertices are no curved surface"),
        (13, 12, 4_000_000, "vertex"),
    ] {
        let error = said(lump, at, value);
        assert!(error.contains(why) && error.contains("byte 0x"), "{lump}: {error}");
    }
    let error = Quake3Map::parse(b"IBSP\x26\0\0\0", &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("no IBSP of version 46 or 47"), "{error}");
    let error = BspMap::parse(&whole).unwrap_err().to_string();
    assert!(error.contains("neither BSP of version 30 nor VBSP"), "{error}");
}

#[test]
fn curves_that_share_their_points_meet_a_limit() {
    let mut bytes = quake3(&[], &[hump(1, 0)], WORLD);
    let (from, len) = (word(&bytes, entry(13)), word(&bytes, entry(13) + 4));
    let face = bytes[from..from + len].to_vec();
    let end = bytes.len() as u32;
    set(&mut bytes, entry(13), end);
    set(&mut bytes, entry(13) + 4, (face.len() * 40_000) as u32);
    bytes.extend(face.repeat(40_000));
    let error = Quake3Map::parse(&bytes, &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("triangles of curved surfaces"), "{error}");
}
