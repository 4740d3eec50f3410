//! Maps whose lists are shared or repeated so often that a small file would take long: refused by the name of a limit, and real ones not.

use crate::WORLD;
use crate::hostile::{entry, set, word};
use navmap::Limits;
use navmap::bsp::{BspMap, Contents, FloorPlan, Quake3Map};
use navmap_testkit::bsp::{Brush, gold, quake3_with, room, source};

fn floor() -> Vec<Brush> {
    vec![Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0])]
}

/// Entities of the first model, in rows from `1000 0 0` on.
fn walls(count: usize, in_a_row: usize, apart: usize) -> String {
    let wall = |at: usize| {
        let (x, y) = (1000 + at % in_a_row * apart, at / in_a_row * apart);
        format!("{{ \"classname\" \"func_wall\" \"model\" \"*1\" \"origin\" \"{x} {y} 0\" }}\n")
    };
    std::iter::once(WORLD.to_owned()).chain((0..count).map(wall)).collect()
}

/// A map of each engine.
fn both(model: &[Brush], entities: &str) -> [Vec<u8>; 2] {
    let models = [floor(), model.to_vec()];
    [source(20, &models, entities), gold(&models, entities)]
}

#[test]
fn as_many_entities_as_an_engine_has_are_traced_and_more_are_refused() {
    let block = [Brush::solid([0.0; 3], [16.0; 3])];
    for bytes in both(&block, &walls(8_192, 128, 100)) {
        let map = BspMap::parse(&bytes).unwrap();
        assert_eq!(map.solid_entities(), 8_192);
        let line = |y: f32, from: f32, to: f32| map.line([from, y, 8.0], [to, y, 8.0], Contents::SOLID);
        let (west, east) = (line(8.0, 900.0, 20_000.0), line(8.0, 20_000.0, 900.0));
        assert!(west.entity == Some(1) && (west.end[0] - 1_000.0).abs() < 0.1, "{west:?}");
        assert!(east.entity == Some(128) && (east.end[0] - 13_716.0).abs() < 0.1, "{east:?}");
        // Between two rows, across all of them, and into the second column.
        assert_eq!(line(50.0, 900.0, 20_000.0).fraction, 1.0);
        let across = map.line([950.0, -500.0, 8.0], [950.0, 9_000.0, 8.0], Contents::SOLID);
        assert_eq!(across.fraction, 1.0);
        let slanted = map.line([1_050.0, 8.0, 500.0], [1_108.0, 8.0, 8.0], Contents::SOLID);
        assert_eq!(slanted.entity, Some(2), "{slanted:?}");
        assert!(map.contents([1_208.0, 308.0, 8.0]).meets(Contents::SOLID));
        assert!(!map.contents([1_250.0, 350.0, 8.0]).meets(Contents::SOLID));
    }
    for bytes in both(&block, &walls(8_193, 128, 100)) {
        let error = BspMap::parse(&bytes).unwrap_err().to_string();
        assert!(error.contains("solid entities: 8193 is over the limit of 8192"), "{error}");
    }
}

#[test]
fn entities_in_one_place_are_counted_in_pairs() {
    let block = [Brush::solid([0.0; 3], [16.0; 3])];
    for bytes in both(&block, &walls(30, 30, 0)) {
        assert_eq!(BspMap::parse(&bytes).unwrap().solid_entities(), 30);
    }
    for bytes in both(&block, &walls(200, 200, 0)) {
        let error = BspMap::parse(&bytes).unwrap_err().to_string();
        assert!(error.contains("depth of solid entities in one place"), "{error}");
    }
    // In pairs of one over the other they may be very many.
    for bytes in both(&block, &walls(2_000, 200, 10)) {
        assert_eq!(BspMap::parse(&bytes).unwrap().solid_entities(), 2_000);
    }
    for bytes in both(&block, &walls(1_000, 1_000, 0)) {
        let error = BspMap::parse(&bytes).unwrap_err().to_string();
        assert!(error.contains("pairs of solid entities that overlap"), "{error}");
    }
}

#[test]
fn a_model_that_very_many_entities_name_makes_no_list_without_end() {
    let piece = |at: u8| {
        let x = f32::from(at) * 10.0;
        Brush::solid([x, 0.0, 0.0], [x + 8.0, 8.0, 8.0])
    };
    let fence: Vec<Brush> = (0..20).map(piece).collect();
    for bytes in both(&fence, &walls(100, 10, 300)) {
        let plan = FloorPlan::parse(&bytes).unwrap();
        assert!(plan.floors.len() >= 2_000, "{}", plan.floors.len());
        let scene = BspMap::parse(&bytes).unwrap().solid_polygons(&bytes, &Limits::default()).unwrap();
        assert!(scene.polygons.len() >= 12_000, "{}", scene.polygons.len());
    }
    for bytes in both(&fence, &walls(2_000, 50, 300)) {
        let map = BspMap::parse(&bytes).unwrap();
        let plan = FloorPlan::read(&map, &bytes, &Limits::default()).map(|_| ());
        let scene = map.solid_polygons(&bytes, &Limits::default()).map(|_| ());
        for refused in [plan, scene] {
            let error = refused.unwrap_err().to_string();
            assert!(error.contains("sides and faces of all entities"), "{error}");
        }
    }
}

#[test]
fn a_round_brush_that_very_many_entities_of_quake_iii_name_is_refused() {
    let mut round = Brush::solid([-64.0; 3], [64.0; 3]);
    round.planes.drain(..4);
    for at in 0_u8..126 {
        let angle = f32::from(at) / 126.0 * std::f32::consts::TAU;
        round.planes.push(([angle.cos(), angle.sin(), 0.0], 64.0));
    }
    let wall = "{ \"classname\" \"func_static\" \"model\" \"*1\" }\n";
    let said = |count: usize| {
        let entities = format!("{WORLD}{}", wall.repeat(count));
        let many = vec![floor().remove(0); 400];
        let mut bytes = quake3_with(&many, std::slice::from_ref(&round), &[], &entities);
        // The world claims none, so that entities may have as many as there are.
        let models = word(&bytes, 8 + 8 * 7);
        set(&mut bytes, models + 36, 0);
        Quake3Map::parse(&bytes, &Limits::default())
            .unwrap()
            .solid_polygons()
            .map(|scene| scene.polygons.len())
    };
    assert_eq!(said(2).unwrap(), 2 * 128);
    let error = said(1_000).unwrap_err().to_string();
    assert!(error.contains("sides and faces of all entities"), "{error}");
}

#[test]
fn brushes_that_share_a_long_list_of_sides_and_leaves_that_share_one_of_brushes_are_refused() {
    let bytes = source(20, &[room()], WORLD);
    let lump = |number: usize| word(&bytes, entry(&bytes, number));
    let len = |number: usize| word(&bytes, entry(&bytes, number) + 4);
    let mut shared = bytes.clone();
    for brush in 0..len(18) / 12 {
        set(&mut shared, lump(18) + 12 * brush, 0);
        set(&mut shared, lump(18) + 12 * brush + 4, len(19) as u32 / 8);
    }
    let error = BspMap::parse(&shared).unwrap_err().to_string();
    assert!(error.contains("sides of all brushes") && error.contains("brush 2"), "{error}");

    let listed = |count: u32| {
        let mut listed = bytes.clone();
        set(&mut listed, entry(&bytes, 17), bytes.len() as u32);
        set(&mut listed, entry(&bytes, 17) + 4, 120_000);
        listed.resize(bytes.len() + 120_000, 0);
        // The first entry, and how many.
        set(&mut listed, lump(10) + 24, count << 16);
        BspMap::parse(&listed).map(drop)
    };
    for count in [1_000, 60_000] {
        let error = listed(count).unwrap_err().to_string();
        assert!(error.contains("sides of the brushes of a leaf") && error.contains("leaf 0"), "{error}");
    }
    listed(100).unwrap();
}
