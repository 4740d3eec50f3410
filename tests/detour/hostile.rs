//! Whatever the bytes: an error or a sound result, never a panic, in bounded memory.

use super::corpus::rows;
use super::exhaust::exhaust;
use navmap::bytes::Scratch;
use navmap::format::detour::{self, DetourNav};
use navmap::{Counts, Finding, NavFile};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::detour::{self as kit, UnityNode, UnityObject};
use navmap_testkit::heavy::graphs;
use navmap_testkit::hostile::{cuts, flips, inflated_counts};
use navmap_testkit::work::Work;
use std::time::Duration;

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

/// Each looked at everything again for every item, which took minutes.
#[test]
fn many_tiles_at_one_place_and_long_lists_of_unity_cost_linear_time() {
    let files = [
        ("tiles", graphs::twins(20_000)),
        ("a name", graphs::unity_array(100_000, 0, &"x".repeat(200_000))),
        ("values", graphs::unity_array(100_000, 10_000, "x")),
        ("classes", graphs::unity_classes(60_000)),
    ];
    for (name, bytes) in files {
        let start = Work::start();
        let checked = DetourNav::parse(&bytes).map(|nav| {
            let mut twins = 0;
            let mut found = |finding: Finding| twins += u32::from(finding.code == "twin-tile");
            nav.check(&mut Scratch::new(), &mut found).unwrap();
            twins
        });
        match name {
            "tiles" => assert_eq!(checked.unwrap(), 19_999),
            "values" => _ = checked.unwrap_err(),
            _ => assert_eq!(checked.unwrap(), 0),
        }
        assert!(start.time() < Duration::from_secs(15), "{name}: {:?}", start.time());
    }
}

/// A file with one type, whose objects are these parts of the data.
fn unity_of(nodes: &[UnityNode<'_>], objects: &[(u32, u32)], data: &[u8]) -> Vec<u8> {
    let objects: Vec<UnityObject> =
        objects.iter().map(|(start, len)| UnityObject { class: 238, start: *start, len: *len }).collect();
    kit::unity_file(&[(238, nodes)], &objects, data, 17)
}

#[test]
fn what_a_type_tree_walks_ends_with_the_bytes_of_the_file() {
    // Two hundred values without bytes beside one byte, ten thousand times.
    let mut nodes = vec![
        (0, false, false, -1, "Base"),
        (1, true, false, -1, "Array"),
        (2, false, false, 4, "size"),
        (2, false, false, -1, "data"),
        (3, false, false, 1, "x"),
    ];
    nodes.extend([(3, false, false, 0, ""); 200]);
    let data = [10_000_u32.to_le_bytes().to_vec(), vec![0; 10_000]].concat();
    let error = DetourNav::parse(&unity_of(&nodes, &[(0, data.len() as u32)], &data)).unwrap_err();
    let said = "object 0, byte 0x";
    assert!(error.to_string().starts_with(said), "{error}");
    assert!(
        error.to_string().ends_with("type tree: has more values than 16 for each byte of the file"),
        "{error}"
    );
    // Few of them are nothing.
    let few = [20_u32.to_le_bytes().to_vec(), vec![0; 20]].concat();
    assert_eq!(DetourNav::parse(&unity_of(&nodes, &[(0, 24)], &few)).unwrap().unity().len(), 1);
    // One mesh ten times over.
    let error = DetourNav::parse(&unity_of(&nodes[..5], &[(0, data.len() as u32); 10], &data)).unwrap_err();
    assert!(error.to_string().contains("the objects are longer than the file, so some overlap"), "{error}");
    // Arrays without elements of their own, one behind the other: no element of an array is behind it.
    let mut row = vec![(0, false, false, -1, "Base")];
    for _ in 0..100_000 {
        row.extend([(1, true, false, -1, "Array"), (2, false, false, 4, "size")]);
    }
    let data = 1_u32.to_le_bytes().repeat(100_000);
    let file = unity_of(&row, &[(0, data.len() as u32)], &data);
    assert_eq!(DetourNav::parse(&file).unwrap().unity().len(), 1);
}

#[test]
fn an_object_of_an_older_unity_names_its_class() {
    let nodes: Vec<UnityNode<'_>> = ["x", "y", "z", "w"].map(|name| (2, false, false, 4, name)).to_vec();
    let nodes = [&[(0, false, false, -1, "Base"), (1, false, false, 16, "m_Rotation")], &nodes[..]].concat();
    let data: Vec<u8> = [0.0_f32, 1.0, 0.0, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let object = |class: u32| UnityObject { class, start: 0, len: 16 };
    for format in 13..18 {
        let file = kit::unity_file(&[(1, &[]), (238, &nodes)], &[object(1), object(238)], &data, format);
        let nav = DetourNav::parse(&file).unwrap();
        assert_eq!(nav.unity().len(), 1, "{format}");
        assert_eq!(nav.unity()[0].rotation, [0.0, 1.0, 0.0, 0.0], "{format}");
    }
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
