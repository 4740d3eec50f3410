//! Maps: traces held against slow ones that share no code, and maps that are made to hurt.
#![cfg(all(feature = "archive", feature = "source", feature = "nodegraph"))]

mod analyze;
mod bounded;
mod edit;
mod extend;
mod generate;
mod hostile;
mod nodes;
mod plan;
mod props;
mod quake3;

use navmap::bsp::{BspMap, Contents, Engine, Trace};
use navmap::format::source::generate::Terrain;
use navmap_testkit::bsp::{Brush, Plain, gold, gold_is_solid, room, source, source_boxes};
use navmap_testkit::corpus::real;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;

/// A box as high and wide as a human.
const HUMAN: [[f32; 3]; 2] = [[-16.0, -16.0, 0.0], [16.0, 16.0, 72.0]];
const POINT: [[f32; 3]; 2] = [[0.0; 3]; 2];

pub(crate) const WORLD: &str = "{ \"classname\" \"worldspawn\" }\n";

/// Numbers that look random and are the same every time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn point(&mut self, [low, high]: [[f32; 3]; 2]) -> [f32; 3] {
        let mut part = |axis: usize| {
            let share = (self.next() % 100_000) as f32 / 100_000.0;
            low[axis] + (high[axis] - low[axis]) * share
        };
        [part(0), part(1), part(2)]
    }
}

/// Many more with optimisation: the slow trace looks at every brush.
const USUAL: usize = if cfg!(debug_assertions) { 1_500 } else { 20_000 };

/// How many traces are compared on each map: `NAVMAP_TRACES`, or the usual number.
fn rounds() -> usize {
    std::env::var("NAVMAP_TRACES").ok().and_then(|count| count.parse().ok()).unwrap_or(USUAL)
}

#[test]
fn a_line_stops_a_32nd_before_a_wall_and_tells_its_normal() {
    let map = BspMap::parse(&source_boxes(&[([100.0, -50.0, -50.0], [200.0, 50.0, 50.0])])).unwrap();
    assert_eq!((map.engine(), map.version(), map.solid_entities()), (Engine::Source, 20, 0));
    let hit = map.line([0.0; 3], [200.0, 0.0, 0.0], Contents::SOLID);
    assert_eq!((hit.end[0], hit.normal, hit.contents), (99.96875, [-1.0, 0.0, 0.0], Contents::SOLID));
    assert!(!hit.start_solid && hit.entity.is_none());
    assert!(map.line([0.0; 3], [99.0, 0.0, 0.0], Contents::SOLID).is_free());
    assert!(map.line([0.0, 60.0, 0.0], [200.0, 60.0, 0.0], Contents::SOLID).is_free());
    // What is not asked for stops nothing.
    assert!(map.line([0.0; 3], [200.0, 0.0, 0.0], Contents::WATER).is_free());
    let inside = map.line([150.0, 0.0, 0.0], [160.0, 0.0, 0.0], Contents::SOLID);
    assert!(inside.start_solid && inside.all_solid && inside.fraction == 0.0);
    let out = map.line([150.0, 0.0, 0.0], [0.0, 0.0, 0.0], Contents::SOLID);
    assert!(out.start_solid && !out.all_solid && out.fraction == 1.0);
    assert_eq!(map.contents([150.0, 0.0, 0.0]), Contents::SOLID);
    assert_eq!(map.contents([50.0, 0.0, 0.0]), Contents::EMPTY);
}

#[test]
fn a_box_stops_with_its_side_at_the_wall() {
    let map = BspMap::parse(&source_boxes(&[([100.0, -50.0, -50.0], [200.0, 50.0, 50.0])])).unwrap();
    let [low, high] = HUMAN;
    let hit = map.hull([0.0, 0.0, -20.0], [200.0, 0.0, -20.0], low, high, Contents::SOLID).unwrap();
    assert_eq!(hit.end[0], 83.96875);
    // The box reaches 16 to each side, and 72 up.
    let beside =
        |y: f32, z: f32| map.hull([0.0, y, z], [300.0, y, z], low, high, Contents::SOLID).unwrap().is_free();
    assert!(!beside(65.0, 0.0) && beside(67.0, 0.0) && !beside(0.0, -121.0) && beside(0.0, -123.0));
}

#[test]
fn a_ramp_is_met_where_it_stands() {
    for bytes in [source(20, &[room()], WORLD), gold(&[room()], WORLD)] {
        let map = BspMap::parse(&bytes).unwrap();
        let hit = map.line([160.0, 128.0, 200.0], [160.0, 128.0, 1.0], Contents::SOLID);
        assert!((hit.end[2] - 48.0).abs() < 0.1, "{hit:?}");
        assert!(hit.normal[2] > 0.8 && hit.normal[0] < 0.0, "{hit:?}");
        assert_eq!(map.contents([400.0, -400.0, 20.0]), Contents::WATER);
        assert!(map.line([400.0, -400.0, 100.0], [400.0, -400.0, 10.0], Contents::SOLID).is_free());
    }
}

#[test]
fn goldsrc_traces_lines_and_says_that_it_cannot_trace_boxes() {
    let map = BspMap::parse(&gold(&[room()], WORLD)).unwrap();
    assert_eq!((map.engine(), map.version()), (Engine::GoldSrc, 30));
    let [low, high] = HUMAN;
    assert!(map.hull([0.0; 3], [10.0; 3], low, high, Contents::SOLID).is_none());
    assert!(
        map.hull([0.0, 0.0, 10.0], [9.0, 0.0, 10.0], [0.0; 3], [0.0; 3], Contents::SOLID).unwrap().is_free()
    );
    let hit = map.line([0.0, 0.0, 50.0], [600.0, 0.0, 50.0], Contents::SOLID);
    assert!((hit.end[0] - 512.0).abs() < 0.1 && hit.normal == [-1.0, 0.0, 0.0], "{hit:?}");
    // From end to end in a wall: free, by the engine's own account.
    let within = map.line([520.0, 0.0, 50.0], [530.0, 0.0, 50.0], Contents::SOLID);
    assert!(within.fraction == 1.0 && within.start_solid && within.all_solid);
}

/// A world of a floor, and a block of 20 that stands where its entity says.
fn block(entity: &str) -> [Vec<u8>; 2] {
    let models = [
        vec![Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0])],
        vec![Brush::solid([0.0; 3], [20.0; 3])],
    ];
    let text = format!(
        "{WORLD}{{ \"classname\" \"info_player_start\" \"origin\" \"1 2 3\" }}\n{{ {entity} \"model\" \"*1\" }}\n"
    );
    [source(20, &models, &text), gold(&models, &text)]
}

#[test]
fn brush_entities_stand_at_their_origin_unless_they_let_one_pass() {
    let across = |bytes: &[u8], mask| {
        let map = BspMap::parse(bytes).unwrap();
        map.line([0.0, 110.0, 10.0], [300.0, 110.0, 10.0], mask)
    };
    for bytes in block("\"classname\" \"func_breakable\" \"origin\" \"100 100 0\"") {
        let hit = across(&bytes, Contents::WALK);
        assert!((hit.end[0] - 100.0).abs() < 0.1, "{hit:?}");
        assert_eq!(hit.entity, Some(2));
        let map = BspMap::parse(&bytes).unwrap();
        assert_eq!(map.contents([110.0, 110.0, 10.0]), Contents::SOLID);
        assert_eq!(map.entities().len(), 3);
        let start = map.entities().of_class("Info_Player_Start").next().unwrap();
        assert_eq!((start.origin(), start.model()), ([1.0, 2.0, 3.0], None));
    }
    let passes = |entity: &str, mask| {
        block(&format!("{entity} \"origin\" \"100 100 0\"")).map(|bytes| across(&bytes, mask).is_free())
    };
    assert_eq!(passes("\"classname\" \"func_illusionary\"", Contents::WALK), [true, true]);
    assert_eq!(passes("\"classname\" \"trigger_once\"", Contents::WALK), [true, true]);
    assert_eq!(passes("\"classname\" \"func_door\" \"spawnflags\" \"8\"", Contents::WALK), [true, true]);
    assert_eq!(passes("\"classname\" \"func_door\" \"spawnflags\" \"4\"", Contents::WALK), [false, false]);
    let glass = "\"classname\" \"func_breakable\" \"rendermode\" \"2\"";
    assert_eq!(passes(glass, Contents::WALK), [false, false]);
    assert_eq!(passes(glass, Contents::SOLID | Contents::MOVEABLE), [true, true]);
    assert_eq!(passes("\"classname\" \"func_brush\" \"solidity\" \"1\"", Contents::WALK), [true, true]);
    assert_eq!(passes("\"classname\" \"func_brush\"", Contents::WALK), [false, true]);
}

#[test]
fn a_walker_gets_through_what_opens_and_over_what_stands() {
    let (low, high) = ([-0.45, -0.45, 0.0], [0.45, 0.45, 55.0]);
    let (from, to) = ([0.0, 110.0, 1.0], [300.0, 110.0, 1.0]);
    for (class, first) in [("func_breakable", 0.0), ("func_brush", 20.0)] {
        let [bytes, _] = block(&format!("\"classname\" \"{class}\" \"origin\" \"100 100 0\""));
        let map = BspMap::parse(&bytes).unwrap();
        let opens = first == 0.0;
        assert_eq!(map.way(from, to, low, high).is_free(), opens, "{class}");
        assert_eq!(map.is_way_free(from, to, low, high), opens, "{class}");
        let mut heights = (0_u8..64).map(f32::from);
        assert_eq!(map.first_free([from, to], low, high, &mut heights), Some(first), "{class}");
    }
}

/// Compares many random traces with the slow ones; returns how many differ.
fn compare(name: &str, bytes: &[u8], map: &BspMap) -> usize {
    let plain = Plain::read(bytes);
    let (bounds, mut dice) = (map.bounds(), Dice(7));
    let mut different = 0;
    let rounds = rounds();
    for round in 0..rounds {
        let ([low, high], mask) = match round % 3 {
            0 => (POINT, Contents::WALK),
            1 => (HUMAN, Contents::PLAYER),
            _ => ([[-0.45, -0.45, 0.0], [0.45, 0.45, 55.0]], Contents::WALK),
        };
        let from = dice.point(bounds);
        let far = dice.point(bounds);
        let reach = [1.0, 0.1, 0.01][round % 7 % 3];
        let to = [0, 1, 2].map(|axis| from[axis] + (far[axis] - from[axis]) * reach);
        let quick = map.hull(from, to, low, high, mask).unwrap();
        if low == high {
            assert_eq!(map.is_line_free(from, to, mask), quick.fraction >= 1.0, "{from:?} {to:?}");
        }
        for to in [to, from] {
            let way = map.way(from, to, low, high);
            assert_eq!(map.is_way_free(from, to, low, high), way.is_free(), "{from:?} {to:?} {low:?}");
            if round % 8 == 0 {
                let raised = |[x, y, z]: [f32; 3], up: f32| [x, y, z + up];
                let heights = || (0_u8..64).map(f32::from);
                let free = |up: &f32| map.way(raised(from, *up), raised(to, *up), low, high).is_free();
                let first = map.first_free([from, to], low, high, &mut heights());
                assert_eq!(first, heights().find(free), "{from:?} {to:?} {low:?}");
            }
        }
        if quick.entity.is_some() || quick.displacement {
            continue;
        }
        let slow = plain.fraction(from, to, low, high, mask.0);
        let length = (0..3).map(|axis| f64::from(to[axis] - from[axis]).powi(2)).sum::<f64>().sqrt();
        let same = match slow {
            None => quick.start_solid,
            Some(slow) => (f64::from(quick.fraction) - slow).abs() * length < 0.1,
        };
        if !same {
            different += 1;
            if different < 4 {
                println!("{name}: {from:?} to {to:?} {low:?} {high:?}: {quick:?}, slowly {slow:?}");
            }
        }
    }
    println!("{name}: {different} of {rounds} traces differ");
    different
}

#[test]
fn traces_end_where_a_slow_one_without_a_tree_ends_them() {
    for version in [17, 19, 20, 21] {
        let bytes = source(version, &[room()], WORLD);
        let map = BspMap::parse(&bytes).unwrap();
        assert_eq!(compare("room", &bytes, &map), 0, "version {version}");
    }
}

/// The maps of the corpus that are shared for tests: name and bytes.
fn maps() -> Vec<(String, Vec<u8>)> {
    let Some(corpus) = real() else { return Vec::new() };
    let text = std::fs::read_to_string(corpus.join("bsp/MANIFEST.tsv")).unwrap();
    let names = text.lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned());
    names.map(|name| (name.clone(), std::fs::read(corpus.join("bsp").join(name + ".bsp")).unwrap())).collect()
}

#[test]
fn traces_of_real_maps_of_source_end_where_a_slow_one_ends_them() {
    for (name, bytes) in maps() {
        let map = BspMap::parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        if map.engine() == Engine::Source {
            // A trace that grazes an edge may be decided either way by the last bit.
            let different = compare(&name, &bytes, &map);
            assert!(different * 1000 <= rounds(), "{name}");
        }
    }
}

#[test]
fn lines_of_real_maps_of_goldsrc_pass_what_is_empty_and_end_at_what_is_solid() {
    for (name, bytes) in maps() {
        let map = BspMap::parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        if map.engine() != Engine::GoldSrc {
            continue;
        }
        let (bounds, mut dice) = (map.bounds(), Dice(3));
        let (mut hits, mut wrong) = (0, 0);
        let lines = rounds();
        for _ in 0..lines {
            let (from, to) = (dice.point(bounds), dice.point(bounds));
            let trace = map.line(from, to, Contents::SOLID);
            if trace.start_solid || trace.entity.is_some() {
                continue;
            }
            let at = |share: f64| {
                [0, 1, 2]
                    .map(|axis| f64::from(from[axis]) + (f64::from(to[axis]) - f64::from(from[axis])) * share)
            };
            let length = (0..3).map(|axis| f64::from(to[axis] - from[axis]).powi(2)).sum::<f64>().sqrt();
            let end = f64::from(trace.fraction) * length;
            let steps = (end / 2.0) as usize;
            let free = (0..steps).all(|step| !gold_is_solid(&bytes, at(2.0 * step as f64 / length)));
            // A line ends 1/32 before a plane, at a right angle to it: along the line that is more, the flatter it is, and the
            // corner that is behind the plane there may be one that the line itself would pass.
            let across = (0..3).map(|axis| f64::from(to[axis] - from[axis]) * f64::from(trace.normal[axis]));
            let slant = across.sum::<f64>().abs() / length;
            let steps = (0.05 + 1.0 / 32.0 / slant.max(1e-4)) / 0.05;
            let behind =
                [0, 1, 2].map(|axis| f64::from(trace.end[axis]) - f64::from(trace.normal[axis]) / 16.0);
            let stops = trace.fraction == 1.0
                || gold_is_solid(&bytes, behind)
                || (0..2 + steps as usize)
                    .any(|step| gold_is_solid(&bytes, at((end + step as f64 * 0.05) / length)));
            hits += usize::from(trace.fraction < 1.0);
            wrong += usize::from(!(free && stops));
        }
        println!("{name}: {wrong} of {lines} lines are wrong, {hits} hit");
        assert!(hits > 0 && wrong * 1000 <= lines, "{name}");
    }
}

#[test]
fn every_cluster_of_a_real_map_sees_itself() {
    for (name, bytes) in maps() {
        let map = BspMap::parse(&bytes).unwrap();
        let clusters = map.pvs().clusters() as u32;
        let blind = (0..clusters).filter(|cluster| !map.pvs().sees(*cluster, *cluster)).count();
        assert_eq!(blind, 0, "{name}: {clusters} clusters");
        assert!(!map.entities().is_empty(), "{name}");
        for spawn in map.entities().of_class("info_player_start") {
            // One of gg_bk_courtyard_v1 stands in a brush of detail (the contents have 0x8000000), which leaves the leaf open.
            let point = spawn.origin();
            let solid = map.line(point, point, Contents::SOLID).start_solid;
            assert!(map.cluster(point).is_some(), "{name}: {point:?}");
            assert!(!solid || map.contents(point).meets(Contents(0x800_0000)), "{name}: {point:?}");
        }
    }
}

#[test]
fn a_map_is_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<BspMap>();
    let map = BspMap::parse(&source(20, &[room()], WORLD)).unwrap();
    let run = || -> Vec<Trace> {
        let mut dice = Dice(5);
        (0..200)
            .map(|_| map.line(dice.point(map.bounds()), dice.point(map.bounds()), Contents::WALK))
            .collect()
    };
    let first = run();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(run)).collect();
        threads.into_iter().for_each(|thread| assert!(thread.join().unwrap() == first));
    });
}

#[test]
fn entities_that_are_turned_stop_traces_where_they_stand() {
    let angled = |class: &str, angles: &str| {
        let [source, gold] =
            block(&format!("\"classname\" \"{class}\" \"origin\" \"100 100 0\" \"angles\" \"{angles}\""));
        [BspMap::parse(&source).unwrap(), BspMap::parse(&gold).unwrap()]
    };
    // The block reaches from its origin 20 along each axis. Turned by half a circle it lies on the other side.
    let at = |map: &BspMap, x: f32, y: f32| map.line([x, y, 60.0], [x, y, 1.0], Contents::WALK);
    for map in angled("func_door_rotating", "0 180 0") {
        let hit = at(&map, 90.0, 90.0);
        assert!((hit.end[2] - 20.0).abs() < 0.1 && hit.entity == Some(2), "{hit:?}");
        assert!(at(&map, 110.0, 110.0).is_free());
        assert_eq!(map.contents([90.0, 90.0, 10.0]), Contents::SOLID);
        // From the west it is met at its turned side, whose normal looks west.
        let hit = map.line([0.0, 90.0, 10.0], [200.0, 90.0, 10.0], Contents::WALK);
        assert!((hit.end[0] - 80.0).abs() < 0.1, "{hit:?}");
        assert!((hit.normal[0] + 1.0).abs() < 1e-4 && hit.normal[1].abs() < 1e-4, "{hit:?}");
    }
    // A pitch of 90 puts what was up to the front: the block stands on its side.
    for map in angled("func_door_rotating", "90 0 0") {
        let hit = map.line([200.0, 110.0, -10.0], [0.0, 110.0, -10.0], Contents::WALK);
        assert!(hit.fraction < 1.0, "{hit:?}");
    }
    // Some classes take their angles for a way to move in.
    for map in angled("func_breakable", "0 180 0") {
        assert!(at(&map, 90.0, 90.0).is_free() && !at(&map, 110.0, 110.0).is_free());
    }
    // A box turns with the model, about its own middle.
    let [source, _] = angled("func_brush", "0 45 0");
    let hit = source.hull([100.0, 60.0, 10.0], [100.0, 110.0, 10.0], [-4.0; 3], [4.0; 3], Contents::WALK);
    let hit = hit.unwrap();
    assert!((hit.end[1] - (100.0 - 4.0 * 2.0_f32.sqrt())).abs() < 0.2, "{hit:?}");
}
