//! Whatever the bytes: an error or a sound result, never a panic, in bounded memory.

use super::corpus::rows;
use super::exhaust::exhaust;
use navmap::bytes::Scratch;
use navmap::format::detour::{self, DetourNav};
use navmap::{Counts, NavFile};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::detour as kit;
use navmap_testkit::hostile::{cuts, flips, inflated_counts};

/// A small file of each container.
fn small() -> Vec<Vec<u8>> {
    let names = [
        "set.navmesh",
        "respawn.nm",
        "tile.navtile",
        "unity-17.asset",
        "cache.bin",
        "set-be.navmesh",
        "trinity.mmap",
    ];
    rows().into_iter().filter(|row| names.contains(&row.name())).map(|row| row.read()).collect()
}

#[test]
fn every_cut_is_an_error_that_says_where_or_a_shorter_file() {
    for bytes in small() {
        for cut in cuts(&bytes).step_by(3) {
            let Ok(nav) = DetourNav::parse(cut) else { continue };
            let surveyed = nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| ());
            let error = surveyed.expect_err("a file that is too short");
            assert!(error.position().offset.is_some_and(|at| at <= cut.len() as u64), "{error}");
        }
    }
}

#[test]
fn every_flip_is_an_error_or_a_sound_result() {
    for bytes in small() {
        let step = (bytes.len() / 400).max(1);
        let mut number = 0;
        flips(&bytes, |_, bytes| {
            number += 1;
            if number % step == 0 {
                if let Ok(nav) = DetourNav::parse(bytes) {
                    exhaust(&nav);
                }
                let _ = detour::head(bytes, bytes.len() as u64);
            }
        });
    }
}

#[test]
fn inflated_counts_cost_no_memory() {
    for bytes in small() {
        let mut number = 0;
        inflated_counts(&bytes, |at, bytes| {
            number += 1;
            if at > 400 && number % 41 != 0 {
                return;
            }
            let (_, cost) = cost_of(|| {
                if let Ok(nav) = DetourNav::parse(bytes) {
                    let _ = nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| ());
                }
            });
            assert!(cost.peak_bytes < 16 * bytes.len() as u64 + (64 << 10), "byte {at}: {cost:?}");
        });
    }
}

#[test]
fn opening_and_walking_a_set_allocate_nothing() {
    let bytes = kit::set(&kit::land(7, 4, 4), 1, false);
    let (_, cost) = cost_of(|| {
        let nav = DetourNav::parse(&bytes).unwrap();
        let polygons: usize = nav.tiles().map(|entry| entry.unwrap().tile.polygons().len()).sum();
        assert!(polygons > 200);
    });
    assert_eq!(cost.calls, 0, "{cost:?}");
}

#[test]
fn many_edges_on_one_place_end_in_bounded_time_and_are_said() {
    // A thousand portal edges upon each other, on both sides of a seam, one meter apart in height: none joins.
    let tiles = kit::storeys(1_000, 10.0);
    let bytes = kit::set(&tiles, 1, false);
    let nav = DetourNav::parse(&bytes).unwrap();
    let mut codes = Vec::new();
    nav.check(&mut Scratch::new(), &mut |finding| codes.push(finding.code)).unwrap();
    assert!(codes.contains(&"seam-limit"), "a thousand storeys were all compared");
}

/// Parses and surveys a hostile file: what is said, and what it cost.
fn said(name: &str) -> (String, u64) {
    let row = rows().into_iter().find(|row| row.name() == format!("hostile/{name}")).unwrap();
    let bytes = row.read();
    let (result, cost) = cost_of(|| {
        let nav = DetourNav::parse(&bytes)?;
        nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| ())
    });
    (result.expect_err(name).to_string(), cost.peak_bytes)
}

#[test]
fn a_claim_is_one_clear_line_with_its_byte_and_reserves_nothing() {
    for (name, line) in [
        ("polygons-2-31.navtile", "tile 0, byte 0x1a8: polygons: 2147483647 claimed, 2140 bytes left"),
        ("polygons-minus-1.navtile", "tile 0, byte 0x18: polygons: -1 is negative"),
        ("tiles-2-31.navmesh", "tile 0, byte 0x2c: tile: 2824 bytes needed, 0 left"),
        ("record-over.navmesh", "tile 0, byte 0x2c: tile: 2147483647 bytes needed, 5460 left"),
    ] {
        let (error, peak) = said(name);
        assert_eq!(error, line);
        assert!(peak < 4_096, "{name}: {peak} bytes");
    }
}

#[test]
fn tiles_that_overlap_are_one_line_each_and_cost_no_more_than_sound_ones() {
    let found = |name: &str| {
        let bytes = rows().into_iter().find(|row| row.name() == name).unwrap().read();
        let mut told = Vec::new();
        let (done, cost) = cost_of(|| {
            let nav = DetourNav::parse(&bytes)?;
            nav.check(&mut Scratch::new(), &mut |finding| told.push((finding.code, finding.to_string())))
        });
        done.unwrap();
        (told, cost.peak_bytes / bytes.len() as u64)
    };
    let (_, usual) = found("set.navmesh");
    for (name, code, line) in [
        ("twins", "twin-tile", "tile 1, byte 0xb48: tile 0 lies at 0, 0 already: the engine drops this one"),
        (
            "overlap",
            "tile-overlap",
            "tile 0, byte 0x84: its box is [13.0, 8.0], a place of the grid [8.0, 8.0]",
        ),
        (
            "misplaced",
            "tile-place",
            "tile 1, byte 0xb48: tile 1, 5 lies at [4.0, 2.0], its place in the grid is",
        ),
    ] {
        let (told, times) = found(&format!("hostile/{name}.navmesh"));
        let lines: Vec<&String> = told.iter().filter(|told| told.0 == code).map(|told| &told.1).collect();
        assert!(lines.len() == 1 && lines[0].contains(line), "{name}: {lines:?}");
        assert!(times <= 2 * usual + 4, "{name}: {times} times its bytes, {usual} of a sound set");
    }
}
