//! Damaged files: an error with its place or a sound result, never a panic, in bounded time and memory.

use crate::agree::assert_agree;
use crate::exhaust;
use crate::survey;
use navmap::NavFile;
use navmap::bytes::Scratch;
use navmap::format::fox::{FoxNav, Geometry, Weld};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::{Out, Rng};
use navmap_testkit::corpus::real;
use navmap_testkit::fox::{Map, hostile};
use navmap_testkit::hostile::{cuts, flips, inflated_counts};
use navmap_testkit::work::Work;
use std::time::Duration;

fn exhaust(bytes: &[u8]) {
    exhaust::exhaust(bytes);
    if let Ok(nav) = FoxNav::parse(bytes) {
        serde_json::to_writer(std::io::sink(), nav.stream()).unwrap();
    }
}

fn small() -> Vec<u8> {
    Map { cells: 2, holes: 0, ..Map::standalone() }.tile(0, 0).files.remove(0).1
}

fn with_strips() -> Vec<u8> {
    Map { cells: 1, sector: 1, holes: 0, columns: 3, size: [2, 1], ..Map::standalone() }
        .tile(0, 0)
        .files
        .remove(0)
        .1
}

fn real_small() -> Option<Vec<u8>> {
    Some(std::fs::read(real()?.join("fox/obj2nav2/cuba_old.nav2")).unwrap())
}

#[test]
fn every_cut_is_an_error_not_a_panic() {
    for whole in [small(), with_strips()].into_iter().chain(real_small()) {
        for cut in cuts(&whole) {
            let (result, ..) = survey(cut);
            assert!(result.is_err(), "cut at {} of {}", cut.len(), whole.len());
            exhaust(cut);
        }
    }
}

#[test]
fn every_flip_is_an_error_or_a_sound_result() {
    for whole in [small(), with_strips()] {
        flips(&whole, |at, bytes| {
            exhaust(bytes);
            assert_agree(bytes, &format!("flip at {at:#x}"));
        });
    }
    if let Some(whole) = real_small() {
        flips(&whole, |_, bytes| drop(survey(bytes)));
    }
}

#[test]
fn damage_in_several_places_at_once_is_survived() {
    let wholes = [small(), with_strips()];
    let mut rng = Rng(7);
    for round in 0..4_000 {
        let mut bytes = wholes[round % 2].clone();
        for _ in 0..1 + rng.below(6) {
            let at = rng.below(bytes.len() as u64 - 4) as usize;
            let value = [0, 1, 4, 16, 0xFFFF, rng.u64() as u32][rng.below(6) as usize].to_le_bytes();
            let len = 1 + rng.below(4) as usize;
            bytes[at..at + len].copy_from_slice(&value[..len]);
        }
        exhaust(&bytes);
        assert_agree(&bytes, &format!("round {round}"));
    }
}

#[test]
fn inflated_counts_cost_neither_memory_nor_time() {
    let whole = with_strips();
    let allowed = 64 * whole.len() as u64;
    let start = Work::start();
    inflated_counts(&whole, |at, bytes| {
        let ((), cost) = cost_of(|| {
            if let Ok(nav) = FoxNav::parse(bytes) {
                let _ = nav.check(&mut Scratch::new(), &mut |_| {});
            }
        });
        assert!(cost.peak_bytes < allowed, "{} bytes for a count at {at:#x}", cost.peak_bytes);
    });
    assert!(start.time() < Duration::from_secs(120));
}

/// What every file made to hurt must come to: an error, or a finding of this code.
#[test]
fn every_hostile_file_is_an_error_or_a_finding_with_its_place() {
    let expected = [
        ("entry-loops", "next entry: 0 bytes on, inside this one"),
        ("entry-overlaps", "entry 2, byte 0x334: next entry: 0 bytes on"),
        ("entry-leaves", "entry: 16777200 bytes needed"),
        ("entries-claimed", "entries: 4294967295 is over the limit of 4096"),
        ("entry-missing", "no SegmentChunk entry goes with it"),
        ("manifest-disagrees", "[manifest-offset-wrong]"),
        ("manifest-stranger", "[manifest-entry]"),
        ("manifest-claimed", "manifest: "),
        ("size-over", "file: 4496 bytes needed"),
        ("size-under", "[file-size]"),
        ("divisor-zero", "position divisors: one of them is 0"),
        ("segment-vertices", "[segment-range]"),
        ("segment-faces", "[segment-range]"),
        ("face-offset", "face"),
        ("link-offset", "node links"),
        ("buckets-overflow", "buckets: 8589934592 claimed"),
        ("listings-shared", "bytes of records that overlap"),
        ("search-outside", "NavSystem 4294967295 is outside"),
    ];
    let files = hostile();
    assert_eq!(files.iter().map(|(name, ..)| *name).collect::<Vec<_>>(), expected.map(|(name, _)| name));
    for ((name, bytes, _), (_, says)) in files.iter().zip(expected) {
        let start = Work::start();
        exhaust(bytes);
        assert!(start.time() < Duration::from_secs(10), "{name} took {:?}", start.time());
        let mut said = Vec::new();
        let result = FoxNav::parse(bytes)
            .and_then(|nav| nav.check(&mut Scratch::new(), &mut |finding| said.push(finding.to_string())));
        said.extend(result.err().map(|error| {
            let place = error.position();
            assert!(place.offset.is_some(), "{name}: {error} has no place");
            error.to_string()
        }));
        assert!(said.iter().any(|line| line.contains(says)), "{name}: {said:?}");
    }
}

#[test]
fn segments_outside_the_vertices_are_located_errors_of_the_geometry() {
    let (_, bytes, _) = hostile().into_iter().find(|(name, ..)| *name == "segment-vertices").unwrap();
    let error = Geometry::new(Weld::Keep).add_file(&FoxNav::parse(&bytes).unwrap()).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("segment 0, byte 0x") && text.contains("is outside 0..9"), "{text}");
}

#[test]
fn the_broken_real_file_survives_every_cut() {
    let Some(folder) = real() else { return };
    let whole = std::fs::read(folder.join("fox/broken/obj2nav2_degenerate_plane.nav2")).unwrap();
    for cut in cuts(&whole).step_by(61) {
        assert!(survey(cut).0.is_err());
    }
}

/// A tile whose SegmentChunk has `count` segments, all but the true ones empty.
fn with_segments(count: usize) -> Vec<u8> {
    let whole = small();
    let nav = FoxNav::parse(&whole).unwrap();
    let chunk = nav.entries().map(|entry| entry.unwrap()).find(|entry| entry.kind().code() == 4).unwrap();
    let (start, payload) = (chunk.offset() as usize, chunk.payload());
    let word = |at: usize| u32::from_le_bytes(payload[at..at + 4].try_into().unwrap()) as usize;
    let (segments, own) = (word(4), word(12));
    let mut made = Out::new();
    made.u32(16).u32(0).u32(0).u32(count as u32).raw(&payload[16..16 + own * 12]);
    made.raw(&vec![0; (count - own) * 12]).align(16);
    let at = made.len() as u32;
    made.raw(&payload[segments..segments + own * 12]).raw(&vec![0; (count - own) * 12]).align(16);
    let size = made.len() as u32;
    made.patch_u32(4, at).patch_u32(8, size);

    let mut bytes = Out(whole[..start + 16].to_vec());
    bytes.raw(&made.0).raw(&whole[start + 16 + payload.len()..]);
    let moved = (bytes.len() - whole.len()) as u32;
    bytes.patch_u32(start + 4, size + 16);
    for field in [0x04, 0x10, 0x18] {
        let old = u32::from_le_bytes(whole[field..field + 4].try_into().unwrap());
        bytes.patch_u32(field, old + moved);
    }
    bytes.0
}

#[test]
fn more_segments_than_numbers_are_survived() {
    for count in [255, 4_096, 65_535, 65_536, 70_000] {
        let bytes = with_segments(count);
        assert_eq!(survey(&bytes).1.get("segments"), Some(count as u64));
        exhaust(&bytes);
        assert_agree(&bytes, "many segments");
    }
}
