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
