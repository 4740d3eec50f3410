//! Maps that are cut, turned round or made up to hurt: an error that names its place, never a panic or a walk without end.

use crate::{Dice, WORLD};
use navmap::bsp::{BspMap, Contents};
use navmap::format::source::generate::{Game, GenerateOptions, generate};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bsp::{gold, room, source};

fn maps() -> [(&'static str, Vec<u8>); 3] {
    [
        ("source 19", source(19, &[room()], WORLD)),
        ("source 20", source(20, &[room()], WORLD)),
        ("goldsrc", gold(&[room()], WORLD)),
    ]
}

/// Where the entry of a lump lies: offset and length.
fn entry(bytes: &[u8], lump: usize) -> usize {
    if bytes.starts_with(b"VBSP") { 8 + 16 * lump } else { 4 + 8 * lump }
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn set(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Walks through a map that was read.
fn use_it(map: &BspMap) {
    let mut dice = Dice(11);
    for _ in 0..20 {
        let mut point = || [0; 3].map(|_: i32| dice.next() as f32 % 2000.0 - 1000.0);
        let (from, to) = (point(), point());
        map.line(from, to, Contents::WALK);
        map.hull(from, to, [-16.0; 3], [16.0; 3], Contents::PLAYER);
        map.contents(from);
        map.cluster(from).map(|cluster| map.pvs().sees(cluster, 3));
    }
}

#[test]
fn every_cut_is_an_error_or_a_map_without_what_was_cut() {
    for (name, bytes) in maps() {
        for cut in (0..bytes.len()).step_by(if bytes.len() > 8000 { 13 } else { 1 }) {
            match BspMap::parse(&bytes[..cut]) {
                Ok(map) => use_it(&map),
                Err(error) => assert!(!error.to_string().is_empty(), "{name} at {cut}"),
            }
        }
    }
}

#[test]
fn a_lump_that_is_cut_or_claims_too_much_names_itself() {
    for (name, bytes) in maps() {
        for lump in [0, 1, 5, 10, 14, 17, 18, 19] {
            let at = entry(&bytes, lump);
            if at + 8 > bytes.len() || word(&bytes, at + 4) == 0 || (lump > 14 && name == "goldsrc") {
                continue;
            }
            let with = |offset: u32, len: u32| {
                let mut bytes = bytes.clone();
                set(&mut bytes, at, offset);
                set(&mut bytes, at + 4, len);
                let (map, cost) = cost_of(|| BspMap::parse(&bytes));
                assert!(cost.peak_bytes < 64 << 20, "{name}, lump {lump}: {cost:?}");
                map.map(|map| use_it(&map))
            };
            let (offset, len) = (word(&bytes, at) as u32, word(&bytes, at + 4) as u32);
            for (offset, len) in [(offset, u32::MAX), (u32::MAX, len), (offset, 1_000_000_000)] {
                let error = with(offset, len).unwrap_err().to_string();
                assert!(error.contains(&format!("lump {lump}")), "{name}: {error}");
            }
            if lump > 0 {
                let error = with(offset, len - 1).unwrap_err().to_string();
                assert!(
                    error.contains(&format!("lump {lump}")) && error.contains("records of"),
                    "{name}: {error}"
                );
                let _ = with(offset, 0);
            }
        }
    }
}

#[test]
fn changed_bytes_give_no_panic() {
    for (_, bytes) in maps() {
        let mut dice = Dice(1);
        for _ in 0..if cfg!(debug_assertions) { 400 } else { 20_000 } {
            let mut bytes = bytes.clone();
            for _ in 0..1 + dice.next() % 4 {
                let at = dice.next() as usize % bytes.len();
                bytes[at] = dice.next() as u8;
            }
            if let Ok(map) = BspMap::parse(&bytes) {
                use_it(&map);
            }
        }
    }
}

/// Damage may open the map to the void, so that ground has no end: nodes have a limit.
#[test]
fn a_mesh_is_generated_of_what_is_damaged_or_refused() {
    let (mut made, mut refused) = (0, 0);
    for (name, bytes) in maps() {
        let mut dice = Dice(3);
        for round in 0..if cfg!(debug_assertions) { 25 } else { 2_000 } {
            let mut bytes = bytes.clone();
            for _ in 0..1 + dice.next() % 4 {
                let at = dice.next() as usize % bytes.len();
                bytes[at] = dice.next() as u8;
            }
            let Ok(map) = BspMap::parse(&bytes) else { continue };
            let game = match name {
                "goldsrc" => Game::ConditionZero,
                _ => [Game::CounterStrikeSource, Game::TeamFortress][round % 2],
            };
            let seeds = vec![[0.0, 0.0, 40.0]];
            let options = GenerateOptions {
                seeds,
                most_nodes: 3_000,
                ladders: map.ladders(),
                ..GenerateOptions::new(game)
            };
            let (fared, cost) = cost_of(|| generate(&map, &options));
            assert!(cost.peak_bytes < 64 << 20, "{name}: {cost:?}");
            match fared {
                Ok((mesh, _)) => {
                    mesh.encode().unwrap();
                    made += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(made > 20 && made > refused, "{made} made, {refused} refused");
}

#[test]
fn planes_that_are_no_numbers_and_trees_that_bite_their_tail_are_refused() {
    for (name, bytes) in maps() {
        let lump = |number: usize| word(&bytes, entry(&bytes, number));
        let said = |at: usize, value: u32| {
            let mut bytes = bytes.clone();
            set(&mut bytes, at, value);
            BspMap::parse(&bytes).unwrap_err().to_string()
        };
        let error = said(lump(1), f32::NAN.to_bits());
        assert!(error.contains("plane 0") && error.contains("a number that is none"), "{name}: {error}");
        let error = said(lump(5), 1_000_000);
        assert!(error.contains("node 0"), "{name}: {error}");
        // The first node becomes its own child.
        let error = said(lump(5) + 4, 0);
        assert!(error.contains("child of two nodes") || error.contains("below itself"), "{name}: {error}");
        let map = BspMap::parse(&bytes).unwrap();
        for odd in [f32::NAN, f32::INFINITY, f32::MAX] {
            let trace = map.line([odd; 3], [0.0; 3], Contents::WALK);
            assert!(trace.end.iter().all(|part| part.is_finite()) || !odd.is_finite() || odd == f32::MAX);
            map.line([0.0; 3], [odd; 3], Contents::WALK);
            map.hull([0.0; 3], [1.0; 3], [-odd; 3], [odd; 3], Contents::WALK);
        }
    }
}

#[test]
fn foreign_files_and_other_versions_are_refused_in_a_line() {
    let said = |bytes: &[u8]| BspMap::parse(bytes).unwrap_err().to_string();
    assert!(said(b"").contains("BSP head"));
    assert!(said(b"hello, world").contains("neither BSP of version 30 nor VBSP"));
    let mut bytes = source(20, &[room()], WORLD);
    set(&mut bytes, 4, 29);
    assert!(said(&bytes).contains("29"), "{}", said(&bytes));
    let text = |text: &str| said(&source(20, &[room()], text));
    assert!(text("{ \"a\" ").contains("no }"));
    assert!(text("{ \"a\" }").contains("without a value"));
    assert!(text("{ \"a").contains("no closing"));
    assert!(text("}").contains("without its {"));
    assert!(text("x").contains("neither a brace"));
}
