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
    let mut tiles = kit::land(7, 2, 1);
    for (tile, side) in tiles.iter_mut().zip([0u16, 4]) {
        tile.off_mesh.clear();
        tile.polygons.retain(|poly| poly.kind == 0);
        let on = |poly: &kit::Poly| poly.neighbours.contains(&(0x8000 | side));
        let poly = tile.polygons.iter().find(|poly| on(poly)).unwrap().clone();
        for storey in 0..1_000 {
            let mut poly = poly.clone();
            let first = tile.vertices.len() as u16;
            for corner in &poly.corners {
                let [x, y, z] = tile.vertices[usize::from(*corner)];
                tile.vertices.push([x, y + 10.0 + 10.0 * storey as f32 + f32::from(side), z]);
            }
            poly.corners = (first..first + 4).collect();
            poly.neighbours.iter_mut().filter(|neighbour| **neighbour & 0x8000 == 0).for_each(|n| *n = 0);
            tile.polygons.push(poly);
        }
    }
    let bytes = kit::set(&tiles, 1, false);
    let nav = DetourNav::parse(&bytes).unwrap();
    let mut codes = Vec::new();
    nav.check(&mut Scratch::new(), &mut |finding| codes.push(finding.code)).unwrap();
    assert!(codes.contains(&"seam-limit"), "a thousand storeys were all compared");
}
