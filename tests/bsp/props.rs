//! Static props: their shapes come from models that are at hand, the others are counted.

use crate::{Dice, WORLD};
use navmap::Limits;
use navmap::bsp::{BspMap, Contents, FloorPlan};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bsp::{Brush, Plain, source};
use navmap_testkit::bytes::Out;
use navmap_testkit::props::{Prop, map_with, mdl, phy};

const MODELS: [&str; 3] = ["models/props/Crate.mdl", "models/props/wedge.mdl", "models/props/box.mdl"];

fn crate_of() -> Vec<Brush> {
    vec![Brush::solid([-20.0, -20.0, 0.0], [20.0, 20.0, 40.0])]
}

/// A wedge and a post.
fn wedge() -> Vec<Brush> {
    vec![
        Brush::ramp([-32.0, -16.0, 0.0], [32.0, 16.0, 32.0]),
        Brush::solid([40.0, -4.0, 0.0], [48.0, 4.0, 96.0]),
        Brush::solid([60.0, -4.0, 0.0], [68.0, 4.0, 24.0]),
    ]
}

fn prop(model: u16, origin: [f32; 3], yaw: f32, solid: u8) -> Prop {
    Prop { model, origin, angles: [0.0, yaw, 0.0], solid }
}

fn map(props: &[Prop], stride: usize) -> Vec<u8> {
    map_with(&MODELS, props, stride, WORLD)
}

fn find(path: &str) -> Option<Vec<u8>> {
    match path {
        "models/props/crate.phy" => Some(phy(&crate_of(), true)),
        "models/props/wedge.phy" => Some(phy(&wedge(), false)),
        "models/props/box.mdl" => Some(mdl([-8.0, -8.0, 0.0], [8.0, 8.0, 64.0])),
        _ => None,
    }
}

#[test]
fn props_stop_traces_once_their_models_are_at_hand() {
    for stride in [60, 64, 72] {
        let props = [
            prop(0, [100.0, 0.0, 0.0], 0.0, 6),
            prop(1, [-100.0, 0.0, 0.0], 180.0, 6),
            prop(2, [0.0, 200.0, 0.0], 0.0, 2),
            prop(0, [300.0, 300.0, 0.0], 0.0, 0),
        ];
        let bytes = map(&props, stride);
        let mut map = BspMap::parse(&bytes).unwrap();
        let down =
            |map: &BspMap, x: f32, y: f32| map.line([x, y, 200.0], [x, y, -8.0], Contents::WALK).end[2];
        assert!(down(&map, 100.0, 0.0) < 1.0);
        let counted: Vec<(String, u32)> = map.solid_props().map(|(name, n)| (name.to_owned(), n)).collect();
        assert_eq!(counted.iter().map(|(_, count)| count).sum::<u32>(), 3, "{counted:?}");
        assert_eq!(map.shaped_props(), 0);
        assert!(map.add_models(find).is_empty());
        assert_eq!((map.shaped_props(), map.solid_props().count()), (3, 0));
        assert!((down(&map, 100.0, 0.0) - 40.0).abs() < 0.1);
        // Turned by half a circle the wedge rises to the west, and its post stands there.
        assert!((down(&map, -116.0, 0.0) - 24.0).abs() < 0.2, "{}", down(&map, -116.0, 0.0));
        assert!((down(&map, -144.0, 0.0) - 96.0).abs() < 0.1 && down(&map, -56.0, 0.0) < 1.0);
        assert!((down(&map, -164.0, 0.0) - 24.0).abs() < 0.1);
        assert!((down(&map, 0.0, 200.0) - 64.0).abs() < 0.1);
        // What is not solid stops nothing; nor do solid ones what asks for water.
        assert!(down(&map, 300.0, 300.0) < 1.0);
        let water = map.line([100.0, 0.0, 200.0], [100.0, 0.0, 1.0], Contents::WATER);
        assert!(water.is_free());
        assert_eq!(map.contents([100.0, 0.0, 20.0]), Contents::SOLID);
        assert_eq!(map.contents([130.0, 0.0, 20.0]), Contents::EMPTY);
    }
}

/// The static props of the test below as LZMA packs them, without a head.
const PACKED: &str = "00018038a6ac2e05b2b2c885b94e6b42fdd0d61340f1d91865473559c9310a0ca7fbd2ec303a6b543c4b2393c51121f6f2e98ba2d884531141b0 \
    fa8a31c7c2945ffffd0f5000";

/// As `bspzip` packs them: the list has the unpacked length, and an empty entry at its end.
#[test]
fn props_that_are_packed_with_lzma_are_read_too() {
    let props = [prop(0, [100.0, 0.0, 0.0], 0.0, 6), prop(2, [0.0, 200.0, 0.0], 0.0, 2)];
    let plain = map(&props, 60);
    let set = |bytes: &mut Vec<u8>, at: usize, value: u32| {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    };
    let stream = navmap_testkit::archive::hex(PACKED);
    let (long, short) = (4 + 3 * 128 + 8 + 2 * 60, stream.len() as u32);
    let packed = |listed: u32, unpacked: u32, packed: u32| {
        let mut bytes = plain.clone();
        let (list, lump) = (plain.len() as u32, plain.len() as u32 + 4 + 2 * 16);
        set(&mut bytes, 8 + 16 * 35, list);
        set(&mut bytes, 8 + 16 * 35 + 4, 4 + 2 * 16);
        let mut out = Out::new();
        out.u32(2).raw(b"prps").u16(1).u16(10).u32(lump).u32(listed);
        out.raw(&[0; 8]).u32(lump + 17 + short).u32(0);
        out.raw(b"LZMA").u32(unpacked).u32(packed).raw(&[0x5D, 0, 0, 1, 0]).raw(&stream);
        [bytes, out.0].concat()
    };
    let counted = |bytes: &[u8]| {
        let mut map = BspMap::parse(bytes).unwrap();
        let before: Vec<_> = map.solid_props().map(|(name, count)| (name.to_owned(), count)).collect();
        assert!(map.add_models(find).is_empty());
        (before, map.shaped_props(), map.line([100.0, 0.0, 200.0], [100.0, 0.0, -8.0], Contents::WALK).end[2])
    };
    let whole = packed(long, long, short);
    let known = counted(&whole);
    assert_eq!((known.0.len(), known.1), (2, 2));
    assert_eq!(known, counted(&plain));

    let said = |bytes: &[u8]| BspMap::parse(bytes).unwrap_err().to_string();
    for (bytes, why) in [
        (packed(u32::MAX, long, short), "inflated lump: 4294967295 is over the limit of"),
        (packed(long + 1, long, short), "unpacks to 516 bytes, the map says 517"),
        (packed(long, long, u32::MAX), "game lump: 4294967312 bytes needed"),
        (packed(long, long, short / 2), "lump 35"),
    ] {
        let said = said(&bytes);
        assert!(said.contains("lump 35") && said.contains(why), "{said}");
    }
    for cut in plain.len() + 4 + 2 * 16 + 17..whole.len() {
        assert!(said(&whole[..cut]).contains("lump 35"), "{cut}");
    }
}

#[test]
fn models_that_are_not_there_or_damaged_are_told_and_counted() {
    let props = [prop(0, [100.0, 0.0, 0.0], 0.0, 6), prop(1, [0.0; 3], 0.0, 6), prop(9, [0.0; 3], 0.0, 6)];
    let bytes = map(&props, 60);
    let mut some = BspMap::parse(&bytes).unwrap();
    let wrong = some.add_models(|path| match path {
        "models/props/crate.phy" => Some(phy(&crate_of(), true)),
        "models/props/wedge.phy" => Some(b"no model".to_vec()),
        _ => None,
    });
    assert_eq!(wrong.len(), 1);
    let said = wrong[0].to_string();
    assert!(said.contains("models/props/wedge.phy") && said.contains("collision"), "{said}");
    let left: Vec<_> = some.solid_props().map(|(name, count)| (name.to_owned(), count)).collect();
    assert_eq!(left, [("?".to_owned(), 1), (MODELS[1].to_owned(), 1)]);
    // What was missing may come later, and what is there is not added again.
    assert!(some.add_models(find).is_empty());
    assert_eq!(some.shaped_props(), 2);
}

#[test]
fn traces_meet_props_where_a_slow_trace_meets_brushes_of_their_shape() {
    let placed = [([150.0, -30.0, 10.0], 0.0), ([-120.0, 60.0, 0.0], 90.0), ([-100.0, -200.0, 5.0], 180.0)];
    let props: Vec<Prop> = placed.iter().map(|(origin, yaw)| prop(1, *origin, *yaw, 6)).collect();
    let mut map = BspMap::parse(&map(&props, 64)).unwrap();
    assert!(map.add_models(find).is_empty());
    // The same pieces as brushes of the world.
    let mut brushes = vec![Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0])];
    for ([x, y, z], yaw) in placed {
        let turned = |[a, b, c]: [f32; 3]| match yaw as i32 {
            0 => [a, b, c],
            90 => [-b, a, c],
            _ => [-a, -b, c],
        };
        for piece in wedge() {
            let planes = piece.planes.iter().map(|(normal, distance)| {
                let normal = turned(*normal);
                (normal, distance + normal[0] * x + normal[1] * y + normal[2] * z)
            });
            let (low, high) = (turned(piece.low), turned(piece.high));
            let at = |pick: fn(f32, f32) -> f32| {
                [pick(low[0], high[0]) + x, pick(low[1], high[1]) + y, pick(low[2], high[2]) + z]
            };
            brushes.push(Brush {
                planes: planes.collect(),
                low: at(f32::min),
                high: at(f32::max),
                contents: 1,
            });
        }
    }
    let plain = Plain::read(&source(20, &[brushes], WORLD));
    let mut dice = Dice(21);
    let mut point = || [0; 3].map(|_: i32| (dice.next() % 60_000) as f32 / 100.0 - 300.0);
    let (mut hits, mut different) = (0, 0);
    for _ in 0..20_000 {
        let (from, to) = (point(), point());
        let quick = map.line(from, to, Contents::WALK);
        let slow = plain.fraction(from, to, [0.0; 3], [0.0; 3], Contents::WALK.0);
        let length = (0..3).map(|axis| f64::from(to[axis] - from[axis]).powi(2)).sum::<f64>().sqrt();
        let same = match slow {
            None => quick.start_solid,
            Some(slow) => (f64::from(quick.fraction) - slow).abs() * length < 0.2,
        };
        hits += usize::from(quick.fraction < 1.0);
        different += usize::from(!same);
    }
    assert!(hits > 2_000 && different <= 5, "{hits} hit, {different} differ");
}

/// Thousands of pieces that are all one would take as many planes and corners as if each had its own.
#[test]
fn pieces_of_one_collision_do_not_share_their_triangles() {
    let one = crate_of().remove(0);
    let count = 40;
    let mut bytes = phy(&vec![one; count], false);
    let (surface, tree, node) = (20, 48, 28);
    let nodes = 2 * count - 1;
    let word = |bytes: &[u8], at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let ledge = nodes * node;
    let second = surface + tree + (count) * node;
    let length = second as i32 + word(&bytes, second + 4) - (surface + tree + ledge) as i32;
    // All leaves lead to the first piece, and the others are cut off.
    for leaf in count - 1..nodes {
        let to = (ledge - leaf * node) as i32;
        let at = surface + tree + leaf * node + 4;
        bytes[at..at + 4].copy_from_slice(&to.to_le_bytes());
    }
    let end = surface + tree + ledge + length as usize;
    bytes.truncate(end);
    bytes[16..20].copy_from_slice(&((end - surface) as u32).to_le_bytes());
    let map = map(&[prop(0, [0.0; 3], 0.0, 6)], 60);
    let wrong = BspMap::parse(&map).unwrap().add_models(|_| Some(bytes.clone()));
    assert!(wrong.len() == 1 && wrong[0].to_string().contains("pieces over each other"), "{wrong:?}");
}

/// The time would be that of the props times the size of their model.
#[test]
fn a_model_that_no_longer_fits_is_not_tried_again() {
    // Twenty of them take most of the room that a small map has.
    let large = phy(&vec![crate_of().remove(0); 400], false);
    let add = |count: usize| {
        // One model, named in two ways.
        let models = [MODELS[0], "MODELS\\props/crate.MDL"];
        let props: Vec<Prop> = (0..count).map(|at| prop(at as u16 % 2, [0.0; 3], 0.0, 6)).collect();
        let mut map = BspMap::parse(&map_with(&models, &props, 60, WORLD)).unwrap();
        let mut found = 0;
        let (wrong, cost) = cost_of(|| {
            map.add_models(|path| {
                found += 1;
                (path == "models/props/crate.phy").then(|| large.clone())
            })
        });
        assert!(wrong.is_empty() && found == 1, "{wrong:?}, {found} files");
        (map.shaped_props(), cost.calls)
    };
    let ((few, before), (many, after)) = (add(30), add(1_030));
    // The longer list makes room for one more.
    assert!(many.abs_diff(few) < 2 && (15..30).contains(&few), "{few} and {many} stand");
    assert!(after - before < 10_000, "{before} and {after} allocations");
}

#[test]
fn damaged_collisions_are_refused_within_bounds() {
    let bytes = map(&[prop(0, [0.0; 3], 0.0, 6)], 60);
    let sound = [phy(&wedge(), true), phy(&wedge(), false)];
    let mut dice = Dice(5);
    for sound in sound {
        for cut in 0..sound.len() {
            let mut map = BspMap::parse(&bytes).unwrap();
            map.add_models(|_| Some(sound[..cut].to_vec()));
        }
        for _ in 0..if cfg!(debug_assertions) { 500 } else { 20_000 } {
            let mut bytes_of = sound.clone();
            for _ in 0..1 + dice.next() % 4 {
                let at = dice.next() as usize % bytes_of.len();
                bytes_of[at] = dice.next() as u8;
            }
            let mut map = BspMap::parse(&bytes).unwrap();
            let (_, cost) = cost_of(|| map.add_models(|_| Some(bytes_of.clone())));
            assert!(cost.peak_bytes < 64 << 20, "{cost:?}");
            map.line([0.0, 0.0, 100.0], [0.0, 0.0, -8.0], Contents::WALK);
        }
    }
    // A tree whose nodes lead to each other, and counts of a thousand million.
    for (at, value) in [(0_usize, 1_000_000_000_u32), (8, 0), (16, u32::MAX)] {
        let mut bytes_of = phy(&wedge(), true);
        bytes_of[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let mut map = BspMap::parse(&bytes).unwrap();
        map.add_models(|_| Some(bytes_of.clone()));
        assert_eq!(map.shaped_props(), 0, "{at}");
    }
}

#[test]
fn a_plan_has_the_props_whose_models_are_at_hand() {
    let bytes = map(&[prop(0, [100.0, 0.0, 0.0], 0.0, 6), prop(1, [-100.0, 0.0, 0.0], 0.0, 6)], 64);
    let mut map = BspMap::parse(&bytes).unwrap();
    let tops = |map: &BspMap| {
        let plan = FloorPlan::read(map, &bytes, &Limits::default()).unwrap();
        let high = |corner: &[f32; 3]| (corner[2] - 40.0).abs() < 0.1;
        let tops = plan.floors.iter().filter(|floor| floor.corners.iter().all(high)).count();
        (tops, plan.walls.iter().filter(|wall| wall.ends.iter().all(|end| end[0] > 70.0)).count())
    };
    assert_eq!(tops(&map).0, 0);
    let before = tops(&map).1;
    assert!(map.add_models(|path| find(path).filter(|_| path.contains("crate"))).is_empty());
    let (top, walls) = tops(&map);
    assert!(top == 1 && walls >= before + 4, "{top} {walls} {before}");
}
