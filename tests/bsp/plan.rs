//! Floor plans: what one stands on, and what stands upright, of both engines.

use crate::WORLD;
use navmap::bsp::{FloorPlan, Wall};
use navmap_testkit::bsp::{Brush, Extra, Net, gold, source, source_with};

/// A floor with a pillar, a ramp and a pool in it.
fn yard() -> Vec<Brush> {
    vec![
        Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0]),
        Brush::solid([96.0, 96.0, 0.0], [160.0, 160.0, 128.0]),
        Brush::ramp([-256.0, -64.0, 0.0], [0.0, 64.0, 64.0]),
        Brush::solid([200.0, -300.0, 0.0], [400.0, -100.0, 24.0]).filled_with(0x20),
    ]
}

/// Whether some wall, or several together, stand along this line.
fn stands(walls: &[Wall], from: [f32; 2], to: [f32; 2]) -> bool {
    let long = (to[0] - from[0]).hypot(to[1] - from[1]);
    let at = |share: f32| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
    (1..16).all(|step| {
        let [x, y] = at(step as f32 / 16.0);
        walls.iter().any(|wall| {
            let [[ax, ay], [bx, by]] = wall.ends;
            let own = (bx - ax).hypot(by - ay);
            let along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / own;
            let off = ((x - ax) * (by - ay) - (y - ay) * (bx - ax)).abs() / own;
            off < 0.5 && along > -0.5 && along < own + 0.5
        })
    }) && long > 0.0
}

#[test]
fn a_plan_shows_pillars_as_walls_and_what_one_stands_on_as_floors() {
    for bytes in [source(20, &[yard()], WORLD), gold(&[yard()], WORLD)] {
        let plan = FloorPlan::parse(&bytes).unwrap();
        for [from, to] in [
            [[96.0, 96.0], [160.0, 96.0]],
            [[160.0, 96.0], [160.0, 160.0]],
            [[160.0, 160.0], [96.0, 160.0]],
            [[96.0, 160.0], [96.0, 96.0]],
            // The high end of the ramp.
            [[0.0, -64.0], [0.0, 64.0]],
        ] {
            assert!(stands(&plan.walls, from, to), "{from:?} to {to:?}: {:?}", plan.walls);
        }
        assert!(!stands(&plan.walls, [120.0, 96.0], [120.0, 160.0]), "nothing stands within the pillar");
        let floor = plan.floors.iter().find(|floor| floor.corners.iter().all(|corner| corner[2] == 0.0));
        assert!(floor.is_some_and(|floor| floor.corners.len() == 4 && !floor.water), "{:?}", plan.floors);
        let ramp = |corner: &[f32; 3]| (corner[2] - (corner[0] + 256.0) / 4.0).abs() < 0.1;
        assert!(plan.floors.iter().any(|floor| floor.corners.iter().all(ramp)));
        let pool: Vec<_> = plan.floors.iter().filter(|floor| floor.water).collect();
        assert_eq!(pool.len(), 1);
        assert!(pool[0].corners.iter().all(|corner| corner[2] == 24.0));
        // A wall says how high it reaches.
        let pillar = plan.walls.iter().filter(|wall| wall.ends.iter().flatten().all(|part| *part >= 96.0));
        assert!(pillar.clone().count() > 0 && pillar.clone().all(|wall| wall.heights[1] > 100.0));
    }
}

#[test]
fn what_lies_against_something_solid_is_no_wall_of_a_plan() {
    // Two blocks that touch: their common side is within something solid.
    let blocks = vec![
        Brush::solid([0.0, 0.0, 0.0], [64.0, 64.0, 64.0]),
        Brush::solid([64.0, 0.0, 0.0], [128.0, 64.0, 64.0]),
    ];
    let plan = FloorPlan::parse(&source(20, &[blocks], WORLD)).unwrap();
    assert!(stands(&plan.walls, [0.0, 0.0], [128.0, 0.0]));
    assert!(!stands(&plan.walls, [64.0, 0.0], [64.0, 64.0]));
}

#[test]
fn clips_entities_and_displacements_are_on_a_plan() {
    let models = [
        vec![
            Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0]),
            Brush::solid([-200.0, -200.0, 0.0], [-100.0, -100.0, 90.0]).filled_with(0x1_0000),
        ],
        vec![Brush::solid([-16.0, -16.0, 0.0], [16.0, 16.0, 64.0])],
    ];
    let text = |class: &str, angles: &str| {
        format!(
            "{WORLD}{{ \"classname\" \"{class}\" \"model\" \"*1\" \"origin\" \"300 0 0\" \"angles\" \"{angles}\" }}\n"
        )
    };
    let extra =
        Extra { nets: vec![Net::hill([-500.0, 200.0, 0.0], [-300.0, 400.0], 2, 60.0)], ..Extra::default() };
    let of = |class: &str, angles: &str| {
        FloorPlan::parse(&source_with(20, &models, &text(class, angles), &extra)).unwrap()
    };
    let plan = of("func_brush", "0 0 0");
    assert!(stands(&plan.walls, [284.0, -16.0], [316.0, -16.0]));
    let clips: Vec<Wall> = plan.walls.iter().filter(|wall| wall.clip).copied().collect();
    assert!(stands(&clips, [-200.0, -200.0], [-100.0, -200.0]));
    let rim = plan.floors.iter().find(|floor| floor.corners.len() == 16).expect("the rim of the net");
    assert!(rim.corners.contains(&[-500.0, 200.0, 0.0]) && rim.corners.contains(&[-300.0, 400.0, 0.0]));
    // Turned by 45 degrees its corners lie to the four sides.
    let turned = of("func_brush", "0 45 0");
    let far = 16.0 * 2.0_f32.sqrt();
    assert!(stands(&turned.walls, [300.0 + far, 0.0], [300.0, far]));
    assert!(!stands(&turned.walls, [284.0, -16.0], [316.0, -16.0]));
    assert!(!stands(&of("func_illusionary", "0 0 0").walls, [284.0, -16.0], [316.0, -16.0]));
}
