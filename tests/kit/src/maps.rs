//! Maps of both engines with a mesh of each, for tests of tracing, analysis, generation and floor plans: a yard with boxes, a
//! ramp, a ladder, a pool and, in Source, a displacement and a clip brush.

use crate::Made;
use crate::bsp::{Brush, Extra, Net, gold, source_with};
use crate::source::{Area, Ladder, Mesh, write};

/// The distance of areas from obstacles in the yard.
const OFF: f32 = 16.0;

type Box3 = ([f32; 3], [f32; 3]);

/// The obstacles on the ground: two pillars, a crate, the platform, its ramp, and a door.
const STANDING: [Box3; 6] = [
    ([-200.0, -132.0, 0.0], [-136.0, -68.0, 128.0]),
    ([-40.0, -132.0, 0.0], [24.0, -68.0, 128.0]),
    ([-350.0, 200.0, 0.0], [-286.0, 264.0, 40.0]),
    ([256.0, 128.0, 0.0], [512.0, 512.0, 96.0]),
    ([64.0, 256.0, 0.0], [256.0, 384.0, 96.0]),
    ([-300.0, -300.0, 0.0], [-236.0, -284.0, 112.0]),
];
const RAMP: usize = 4;
const DOOR: usize = 5;
/// A pit in the ground, filled with water up to 16 below its edge. Its edges are not multiples of 25, the grid on which
/// generation samples the ground.
const PIT: Box3 = ([210.0, -390.0, -64.0], [390.0, -210.0, 0.0]);
/// Against the north face of the platform.
const LADDER: Box3 = ([340.0, 124.0, 0.0], [404.0, 128.0, 96.0]);
const CLIP: Box3 = ([-512.0, -512.0, 0.0], [-400.0, -400.0, 128.0]);

/// The brushes of the world, which do not overlap.
fn world() -> Vec<Brush> {
    let (pit, wide) = (PIT, 512.0);
    let [[px0, py0, deep], [px1, py1, _]] = [pit.0, pit.1];
    let slab = |low: [f32; 2], high: [f32; 2]| Brush::solid([low[0], low[1], -96.0], [high[0], high[1], 0.0]);
    let mut brushes = vec![
        slab([-wide, -wide], [px0, wide]),
        slab([px1, -wide], [wide, wide]),
        slab([px0, -wide], [px1, py0]),
        slab([px0, py1], [px1, wide]),
        Brush::solid([px0, py0, -96.0], [px1, py1, deep]),
        Brush::solid([px0, py0, deep], [px1, py1, -16.0]).filled_with(0x20),
        Brush::solid([-544.0, -544.0, -96.0], [-512.0, 544.0, 256.0]),
        Brush::solid([512.0, -544.0, -96.0], [544.0, 544.0, 256.0]),
        Brush::solid([-512.0, -544.0, -96.0], [512.0, -512.0, 256.0]),
        Brush::solid([-512.0, 512.0, -96.0], [512.0, 544.0, 256.0]),
        Brush::solid([-512.0, -512.0, 256.0], [512.0, 512.0, 288.0]),
    ];
    for (at, (low, high)) in STANDING.into_iter().enumerate().filter(|(at, _)| *at != DOOR) {
        brushes.push(if at == RAMP { Brush::ramp(low, high) } else { Brush::solid(low, high) });
    }
    brushes
}

fn entity(class: &str, pairs: &[(&str, &str)]) -> String {
    let pairs: String = pairs.iter().map(|(key, value)| format!("\"{key}\" \"{value}\"\n")).collect();
    format!("{{\n\"classname\" \"{class}\"\n{pairs}}}\n")
}

/// The yard as a map of GoldSrc.
pub fn gold_yard() -> Vec<u8> {
    let models = [
        world(),
        vec![Brush::solid(STANDING[DOOR].0, STANDING[DOOR].1)],
        vec![Brush::solid(LADDER.0, LADDER.1)],
    ];
    let entities = [
        entity("worldspawn", &[("message", "a yard, made for tests")]),
        entity("info_player_start", &[("origin", "-400 -250 37"), ("angles", "0 90 0")]),
        entity("info_player_start", &[("origin", "-400 -180 37")]),
        entity("info_player_deathmatch", &[("origin", "420 -100 37")]),
        entity("info_player_deathmatch", &[("origin", "440 0 37")]),
        entity("func_door", &[("model", "*1")]),
        entity("func_ladder", &[("model", "*2")]),
    ];
    gold(&models, &entities.concat())
}

/// The yard as a map of Source.
pub fn source_yard() -> Vec<u8> {
    let mut brushes = world();
    brushes.push(Brush::solid(CLIP.0, CLIP.1).filled_with(0x1_0000));
    let models = [brushes, vec![Brush::solid(STANDING[DOOR].0, STANDING[DOOR].1)]];
    let entities = [
        entity("worldspawn", &[("message", "a yard, made for tests")]),
        entity("info_player_start", &[("origin", "-400 -250 8")]),
        entity("info_player_counterterrorist", &[("origin", "-400 -250 8"), ("angles", "0 90 0")]),
        entity("info_player_terrorist", &[("origin", "420 -100 8")]),
        entity("func_door", &[("model", "*1")]),
        entity(
            "info_ladder",
            &[
                ("mins.x", "340"),
                ("mins.y", "124"),
                ("mins.z", "0"),
                ("maxs.x", "404"),
                ("maxs.y", "128"),
                ("maxs.z", "96"),
            ],
        ),
    ];
    let nets = vec![Net::hill([-480.0, 300.0, 0.0], [-224.0, 492.0], 2, 48.0)];
    source_with(20, &models, &entities.concat(), &Extra { nets, ..Extra::default() })
}

/// Rectangles of free ground: bands between the edges of the obstacles.
fn ground() -> Vec<[f32; 4]> {
    let around = |(low, high): Box3| [low[0] - OFF, low[1] - OFF, high[0] + OFF, high[1] + OFF];
    let hill = [-480.0, 300.0, -224.0, 492.0];
    let holes: Vec<[f32; 4]> = STANDING.into_iter().chain([PIT]).map(around).chain([hill]).collect();
    let most = 512.0 - OFF;
    let inside = |value: &f32| value.abs() < most;
    let mut cuts: Vec<f32> = holes.iter().flat_map(|hole| [hole[1], hole[3]]).filter(inside).collect();
    cuts.extend([-most, most]);
    cuts.sort_by(f32::total_cmp);
    cuts.dedup();
    let mut made = Vec::new();
    for band in cuts.windows(2) {
        let mut own: Vec<&[f32; 4]> =
            holes.iter().filter(|hole| hole[1] < band[1] && hole[3] > band[0]).collect();
        own.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut west = -most;
        for hole in own {
            if hole[0] - west >= 25.0 {
                made.push([west, band[0], hole[0], band[1]]);
            }
            west = west.max(hole[2]);
        }
        if most - west >= 25.0 {
            made.push([west, band[0], most, band[1]]);
        }
    }
    made
}

/// A mesh of the yard, as if drawn by hand: ground, ramp, platform, and the ladder if the version stores one.
pub fn yard_mesh(version: u32, subversion: Option<u32>, bsp_size: usize) -> Vec<u8> {
    let mut areas: Vec<Area> = ground()
        .into_iter()
        .map(|[x0, y0, x1, y1]| Area { nw: [x0, y0, 0.0], se: [x1, y1, 0.0], ..Area::default() })
        .collect();
    let platform = areas.len() + 1;
    areas.push(Area {
        nw: [48.0, 272.0, -8.0],
        se: [256.0, 368.0, 96.0],
        ne_z: 96.0,
        sw_z: -8.0,
        ..Area::default()
    });
    areas.push(Area {
        nw: [256.0, 144.0, 96.0],
        se: [496.0, 496.0, 96.0],
        ne_z: 96.0,
        sw_z: 96.0,
        ..Area::default()
    });
    for (at, area) in areas.iter_mut().enumerate() {
        area.id = at as u32 + 1;
        area.light = [1.0; 4];
    }
    let touch = |a: &Area, b: &Area| {
        let overlap = |axis: usize| a.nw[axis].max(b.nw[axis]) < a.se[axis].min(b.se[axis]);
        // North, east, south, west.
        [
            b.se[1] == a.nw[1] && overlap(0),
            b.nw[0] == a.se[0] && overlap(1),
            b.nw[1] == a.se[1] && overlap(0),
            b.se[0] == a.nw[0] && overlap(1),
        ]
    };
    for a in 0..areas.len() {
        for b in (0..areas.len()).filter(|b| *b != a) {
            let sides = touch(&areas[a], &areas[b]);
            for (side, _) in sides.into_iter().enumerate().filter(|(_, yes)| *yes) {
                let id = areas[b].id;
                areas[a].connections[side].push(id);
            }
        }
    }
    let mut ladders = Vec::new();
    if version >= 6 {
        let foot = areas.iter().position(|area| {
            area.nw[0] < 372.0 && area.se[0] > 372.0 && area.nw[1] < 108.0 && area.se[1] >= 108.0
        });
        let foot = foot.expect("ground before the ladder");
        areas[foot].ladders_up.push(1);
        areas[platform].ladders_down.push(1);
        let bottom = areas[foot].id;
        ladders.push(Ladder {
            id: 1,
            width: 64.0,
            top: [372.0, 126.0, 96.0],
            bottom: [372.0, 126.0, 0.0],
            length: 96.0,
            direction: 0,
            areas: [areas[platform].id, 0, 0, 0, bottom],
            ..Ladder::default()
        });
    }
    write(&Mesh {
        version,
        subversion,
        bsp_size: bsp_size as u32,
        unnamed: 1,
        areas,
        ladders,
        ..Mesh::default()
    })
}

/// The files of `corpus/bsp/`.
pub fn files() -> Vec<Made> {
    let (gold, source) = (gold_yard(), source_yard());
    let gold_mesh = yard_mesh(5, None, gold.len());
    let source_mesh = yard_mesh(16, Some(1), source.len());
    let row = |engine: &str, version: &str, note: &str| {
        vec![("engine", engine.to_owned()), ("version", version.to_owned()), ("note", note.to_owned())]
    };
    let made = |path: &str, bytes: Vec<u8>, row: Vec<(&'static str, String)>| Made {
        path: path.to_owned(),
        bytes,
        row,
    };
    vec![
        made(
            "yard-goldsrc.bsp",
            gold,
            row("goldsrc", "30", "boxes, a ramp, a func_ladder, water, a door, both teams"),
        ),
        made("yard-goldsrc.nav", gold_mesh, row("goldsrc", "5", "of yard-goldsrc.bsp, not analysed")),
        made(
            "yard-source.bsp",
            source,
            row("source", "20", "the same, a displacement and a clip brush; the ladder is an info_ladder"),
        ),
        made("yard-source.nav", source_mesh, row("source", "16/1", "of yard-source.bsp, not analysed")),
    ]
}
