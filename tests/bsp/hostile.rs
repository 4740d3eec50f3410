//! Maps that are cut, turned round or made up to hurt: an error that names its place, never a panic or a walk without end.

use crate::{Dice, WORLD};
use navmap::bsp::{BspMap, Contents};
use navmap::format::source::generate::{Game, GenerateOptions, generate};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bsp::{displaced, gold, room, source};

fn maps() -> [(&'static str, Vec<u8>); 3] {
    [
        ("source 19", source(19, &[room()], WORLD)),
        ("source 20", source(20, &[room()], WORLD)),
        ("goldsrc", gold(&[room()], WORLD)),
    ]
}

/// Where the entry of a lump lies: offset and length.
pub(crate) fn entry(bytes: &[u8], lump: usize) -> usize {
    if bytes.starts_with(b"VBSP") { 8 + 16 * lump } else { 4 + 8 * lump }
}

pub(crate) fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

pub(crate) fn set(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Walks through a map that was read.
fn use_it(map: &BspMap) {
    let mut dice = Dice(11);
    for _ in 0..20 {
        let mut point = || [0; 3].map(|_: i32| dice.next() as f32 % 2000.0 - 1000.0);
        let (from, to) = (point(), point());
        let line = map.line(from, to, Contents::WALK);
        for trace in
            [Some(line), map.hull(from, to, [-16.0; 3], [16.0; 3], Contents::PLAYER)].iter().flatten()
        {
            assert!((0.0..=1.0).contains(&trace.fraction), "{trace:?}");
        }
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
fn a_plane_of_numbers_that_are_none_stops_a_line_at_a_part_of_it() {
    for (name, bytes) in maps() {
        let planes = entry(&bytes, 1);
        let (at, count) = (word(&bytes, planes), word(&bytes, planes + 4) / 20);
        assert!(count > 3, "{name} has planes");
        for plane in 0..count {
            for (part, value) in [(0, f32::NAN), (12, f32::NAN), (4, f32::INFINITY), (12, f32::MAX)] {
                let mut damaged = bytes.clone();
                set(&mut damaged, at + 20 * plane + part, value.to_bits());
                if let Ok(map) = BspMap::parse(&damaged) {
                    use_it(&map);
                }
            }
        }
    }
}

#[test]
fn a_lump_that_is_cut_or_claims_too_much_names_itself() {
    let mut tried = 0;
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
            tried += 1;
        }
    }
    assert!(tried > 10, "{tried}");
}

/// A million zeros as LZMA packs them, without a head.
const ZEROS: &str = "00006ffdffffa3b7ff473e481572396151b89228e6a38607f9eee41e82d32fc53a3c014bb17ec98a8a4d2fa30dd97fa6e38c231153e059 \
    18c5758ae277f8b6947f0c6ac0de744964e2e95c53b204d8f7440cab5f0d6d46e9e5c37688b79657acb64de1691d6ffb4b88106c42cb88 \
    3f5c008fd04eaf262894711f3d8f24e1709ea7235fec28cb85d195988a7e2a91f22775f719c006984d98fdd8afd5900fc42553f8f59136 \
    3105a5b0ee6fc1704d470cd19111aaad601dbaceb127185c5986e9665258bee976ac59e4e55b0508f994ab3effffff28c00000";

/// A lump in LZMA: the size that its head says, and the one that the list of lumps says.
#[test]
fn a_packed_lump_that_is_cut_damaged_or_lies_about_its_size_names_itself() {
    let stream = navmap_testkit::archive::hex(ZEROS);
    let envelope = |size: u32, stream: &[u8]| {
        let (size, len) = (size.to_le_bytes(), (stream.len() as u32).to_le_bytes());
        [b"LZMA", &size[..], &len, &[0x5D, 0, 0, 1, 0], stream].concat()
    };
    for (name, bytes) in maps().into_iter().filter(|(_, bytes)| bytes.starts_with(b"VBSP")) {
        for lump in [0, 1, 5, 10, 14, 17, 18, 19] {
            let with = |claimed: u32, packed: &[u8]| {
                let mut map = [&bytes[..], packed].concat();
                let at = entry(&bytes, lump);
                set(&mut map, at, bytes.len() as u32);
                set(&mut map, at + 4, packed.len() as u32);
                set(&mut map, at + 12, claimed);
                let (read, cost) = cost_of(|| BspMap::parse(&map).map(|map| use_it(&map)));
                assert!(cost.peak_bytes < 64 << 20, "{name}, lump {lump}, {claimed}: {cost:?}");
                read.map_err(|error| error.to_string())
            };
            let refused = |claimed: u32, packed: &[u8], why: &str| {
                let said = with(claimed, packed).err().unwrap_or_default();
                assert!(
                    said.contains(&format!("lump {lump}")) && said.contains(why),
                    "{name}, lump {lump}, {claimed}, {} bytes: {said}",
                    packed.len()
                );
            };
            let whole = envelope(1_000_000, &stream);
            // What is packed is read: of what it makes, records may be too many, but it is no damage of the packing.
            if let Err(said) = with(1_000_000, &whole) {
                assert!(!said.contains("LZMA") && !said.contains("unpacks"), "{name}, lump {lump}: {said}");
            }
            refused(u32::MAX, &whole, "inflated lump: 4294967295 is over the limit of");
            refused(2_000_000, &whole, "");
            // As much is read as the list of lumps says.
            if let Err(said) = with(999_980, &whole) {
                assert!(!said.contains("unpacks"), "{name}, lump {lump}: {said}");
            }
            refused(1_000_000, &envelope(999_980, &stream), "");
            // The last bytes only mark the end.
            for cut in (4..whole.len() - 16).step_by(7) {
                refused(1_000_000, &whole[..cut], "");
            }
            let mut dice = Dice(3);
            for _ in 0..100 {
                let mut hurt = whole.clone();
                let at = 4 + dice.next() as usize % (hurt.len() - 4);
                hurt[at] ^= 1 << (dice.next() % 8);
                let _ = with(1_000_000, &hurt);
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

/// A face may claim that its edges begin at the last number there is, behind which there is no other.
#[test]
fn a_displacement_over_a_face_whose_edges_begin_at_the_last_number_is_refused() {
    for first in [u32::MAX, u32::MAX - 1] {
        let map = displaced(&[room()], WORLD, first);
        let error = BspMap::parse(&map).unwrap_err().to_string();
        assert!(error.contains(&format!("surface edge {first}")), "{error}");
    }
}
