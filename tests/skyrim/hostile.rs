//! Damaged bytes: an error or a sound result, in bounded time and memory, never a panic.

use crate::agree::assert_agree;
use crate::exhaust::{everything, everything_of_a_mesh, exhaust};
use crate::{plugin, survey};
use navmap::bytes::Scratch;
use navmap::format::skyrim::{NavMesh, Plugin};
use navmap::{Counts, ErrorKind, Limits, NavFile};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::Rng;
use navmap_testkit::hostile;
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place};
use navmap_testkit::skyrim::{self as kit, FO3, LE, STARFIELD};
use std::time::Instant;

fn small_plugins() -> Vec<Vec<u8>> {
    let fo3 = kit::files().into_iter().find(|made| made.path == "fo3/vault.esp").unwrap();
    vec![
        kit::village(LE, 1, (2, 2), true).0.encode(),
        kit::village(STARFIELD, 1, (2, 1), false).0.encode(),
        fo3.bytes,
    ]
}

fn small_meshes() -> Vec<Vec<u8>> {
    [12, 15, 17]
        .map(|version| {
            let mut mesh = Mesh::sheet(version, Place::Interior(9), 3, 3, 1);
            mesh.link(0, 0, Link { kind: 0, navmesh: 77, triangle: 1, edge: 1 });
            mesh.door(1, 88);
            mesh.encode()
        })
        .to_vec()
}

#[test]
fn every_cut_of_a_payload_is_an_error() {
    for whole in small_meshes() {
        for cut in hostile::cuts(&whole) {
            assert!(NavMesh::parse(cut).is_err(), "cut at {}", cut.len());
        }
        let longer = [&whole[..], &[0]].concat();
        assert_eq!(NavMesh::parse(&longer).unwrap().trailing(), [0]);
        let inside = NavMesh::parse_at(&longer, 0).unwrap_err();
        assert!(matches!(inside.kind(), ErrorKind::Trailing { left: 1 }));
    }
}

#[test]
fn every_cut_of_a_plugin_is_an_error_or_ends_between_groups() {
    let mut scratch = Scratch::new();
    for whole in small_plugins() {
        let full = survey("x.esp", &whole).1.get("navm_records").unwrap();
        let mut between_groups = 0;
        for cut in hostile::cuts(&whole) {
            if everything(cut, &mut scratch).is_ok() {
                between_groups += 1;
            }
            let records = survey("x.esp", cut).1.get("navm_records").unwrap_or(0);
            assert!(records <= full);
        }
        // After the file header and after each top-level group the file might as well end; a group without navmeshes
        // is not looked into, so its own cuts are seen as well.
        assert!((1..=6).contains(&between_groups), "{between_groups}");
    }
}

#[test]
fn flipped_bytes_and_inflated_counts_never_panic_nor_cost_much() {
    let (mut scratch, started) = (Scratch::new(), Instant::now());
    for whole in small_plugins() {
        let limit = 64 * whole.len() as u64 + (1 << 20);
        let mut look = |at: usize, bytes: &[u8]| {
            let (_, cost) = cost_of(|| everything(bytes, &mut scratch).ok());
            assert!(cost.peak_bytes < limit, "{} bytes for {} at {at}", cost.peak_bytes, bytes.len());
        };
        hostile::flips(&whole, &mut look);
        hostile::inflated_counts(&whole, &mut look);
    }
    for whole in small_meshes() {
        let mut look = |at: usize, bytes: &[u8]| {
            let (_, cost) = cost_of(|| everything_of_a_mesh(bytes, &mut scratch).ok());
            assert_agree(bytes, "damaged mesh");
            assert!(cost.peak_bytes < 64 * whole.len() as u64 + (1 << 16), "{} at {at}", cost.peak_bytes);
        };
        hostile::flips(&whole, &mut look);
        hostile::inflated_counts(&whole, &mut look);
    }
    assert!(started.elapsed().as_secs() < 120, "{:?}", started.elapsed());
}

#[test]
fn what_lies_is_named_and_located() {
    let expected = [
        ("truncated.esp", "byte 0x", "group: 499 bytes needed"),
        ("group-too-large.esp", "byte 0x", "group: 1073741824 bytes needed"),
        ("group-too-small.esp", "byte 0x", "group: 23 bytes claimed of at least 24"),
        ("group-depth.esp", "byte 0x", "group depth: 17 is over the limit of 16"),
        ("record-overruns.esp", "byte 0x", "record: 1048576 bytes needed"),
        ("bad-zlib.esp", "NAVM 1 (01000811), byte 0x", "compressed data: "),
        ("bad-checksum.esp", "NAVM 1 (01000811), byte 0x", "compressed data: "),
        ("claims-less.esp", "NAVM 1 (01000811), byte 0x", "more than the"),
        ("claims-more.esp", "NAVM 1 (01000811), byte 0x", "were declared"),
        ("bomb.esp", "NAVM 1 (01000811), byte 0x", "inflated size: 4294967295 is over the limit"),
        ("no-size.esp", "NAVM 1 (01000811), byte 0x", "inflated size: 4 bytes needed, 2 left"),
        ("missing-counts.esp", "NAVM 1 (01000811, compressed), byte 0x", "claimed"),
        ("version-99.esp", "NAVM 1 (01000811, compressed), byte 0x", "NVNM version 99"),
        ("xxxx-size.esp", "NAVM 1 (01000811), byte 0x", "XXXX: holds 2 bytes instead of 4"),
        ("morrowind.esm", "byte 0x0: plugin: made for Morrowind", "path grids"),
        ("oblivion.esp", "byte 0x0: plugin: made for Oblivion", "path grids"),
        ("no-hedr.esp", "byte 0x18", "HEDR"),
    ];
    let files = kit::hostile::files();
    assert_eq!(files.len(), expected.len());
    for (made, (name, place, what)) in files.iter().zip(expected) {
        assert!(made.path.ends_with(name), "{}", made.path);
        let error = survey(name, &made.bytes).0.unwrap_err().to_string();
        assert!(error.starts_with(place) && error.contains(what), "{name}: {error}");
    }
}

#[test]
fn a_bomb_costs_nothing() {
    // A stream that would really yield a hundred times its size, under a limit below that.
    let zeros = kit::zlib::zlib(&vec![0; 8 << 20]);
    let bytes = kit::hostile::three(|plugin, form, _| {
        let data = [&(8u32 << 20).to_le_bytes()[..], &zeros].concat();
        kit::plugin::raw_record(b"NAVM", plugin.head(form, kit::plugin::COMPRESSED), &data)
    });
    let mut limits = Limits::default();
    limits.inflated_bytes = 1 << 16;
    let plugin = Plugin::parse(&bytes, &limits).unwrap();
    let mut scratch = Scratch::new();
    let (read, cost) = cost_of(|| plugin.survey(&mut scratch, &mut Counts::default(), &mut |_| ()));
    assert!(matches!(read.unwrap_err().kind(), ErrorKind::Limit { asked: 0x80_0000, allowed: 0x1_0000, .. }));
    // The decoder asks whether there is a MiB of memory, and gives it back.
    assert!(cost.peak_bytes < (1 << 20) + 200_000, "{}", cost.peak_bytes);
}

/// Four mebibytes of zeros, and what keeps them within a hundred times their stored bytes.
fn padding() -> Vec<u8> {
    let mut rng = Rng(7);
    let noise: Vec<u8> = (0..5_000).flat_map(|_| rng.u64().to_le_bytes()).collect();
    [kit::plugin::field(b"ZZZZ", &vec![0; 4 << 20]), kit::plugin::field(b"ZZZZ", &noise)].concat()
}

#[test]
fn a_large_record_without_a_mesh_is_refused_by_name() {
    let mut made = kit::plugin::Plugin::new(44, 1.7, &[]);
    let data = [kit::plugin::field(b"NVER", &12_u32.to_le_bytes()), padding()].concat();
    let navi = kit::plugin::record(b"NAVI", made.head(0x900, kit::plugin::COMPRESSED), &data);
    made.groups.push(kit::plugin::group(*b"NAVI", 0, &[navi]));
    let bytes = made.encode();
    let (view, mut scratch) = (plugin(&bytes), Scratch::new());
    let navi = view.navi().unwrap().unwrap();
    let (read, cost) = cost_of(|| navi.fields(&mut scratch).map(|_| ()));
    let error = read.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { what: "inflated size by its ratio", .. }), "{error}");
    assert!(cost.peak_bytes < 1 << 16, "{}", cost.peak_bytes);
    // An option raises it.
    let raised = Plugin::parse(&bytes, &Limits::default().with_inflate_ratio(1_000)).unwrap();
    assert!(raised.navi().unwrap().unwrap().fields(&mut scratch).is_ok());
}

/// Each mesh asks its cell where it lies.
#[test]
fn a_cell_that_inflates_far_costs_its_meshes_nothing() {
    let mut made = kit::plugin::Plugin::new(44, 1.7, &[]);
    let square: Vec<u8> = [3_i32, -4, 0].iter().flat_map(|value| value.to_le_bytes()).collect();
    let first = [kit::plugin::field(b"EDID", b"Far\0"), kit::plugin::field(b"XCLC", &square)].concat();
    let data = [first, padding()].concat();
    let cell = kit::plugin::record(b"CELL", made.head(0x900, kit::plugin::COMPRESSED), &data);
    let mesh = Mesh::sheet(12, Place::Exterior(0x801, 3, -4), 1, 1, 1);
    let meshes = [kit::navm(&made, 0x1000, &mesh, false)];
    let children = kit::plugin::group_of(0x900, 6, &[kit::plugin::group_of(0x900, 9, &meshes)]);
    let world = kit::plugin::group_of(0x801, 1, &[cell, children]);
    made.groups.push(kit::plugin::group(*b"WRLD", 0, &[world]));
    let bytes = made.encode();
    let (view, mut scratch) = (plugin(&bytes), Scratch::new());
    let navm = view.navmeshes().next().unwrap().unwrap();
    let (grid, cost) = cost_of(|| navm.grid(&mut scratch));
    assert_eq!(grid, Some((3, -4)));
    // The decoder asks whether there is a MiB of memory, and gives it back.
    assert!(cost.peak_bytes < (1 << 20) + 200_000, "{}", cost.peak_bytes);
}

#[test]
fn random_damage_is_survived() {
    let mut rng = Rng(2011);
    let files: Vec<_> = kit::files().into_iter().filter(|made| made.bytes.len() < 16_000).collect();
    for _ in 0..400 {
        let mut bytes = files[rng.below(files.len() as u64) as usize].bytes.clone();
        for _ in 0..=rng.below(6) {
            let at = rng.below(bytes.len() as u64) as usize;
            let len = rng.below(8) as usize;
            match rng.below(4) {
                0 => bytes[at] = rng.u64() as u8,
                1 => bytes.truncate(at.max(1)),
                2 => drop(bytes.drain(at..(at + len).min(bytes.len()))),
                _ => drop(bytes.splice(at..at, rng.u64().to_le_bytes()[..len].to_vec())),
            }
            if bytes.is_empty() {
                break;
            }
        }
        exhaust(&bytes);
        assert_agree(&bytes, "random damage");
    }
}

#[test]
fn a_plugin_of_tiny_groups_is_walked_in_linear_time() {
    let mut bytes = kit::plugin::Plugin::new(44, 1.7, &[]).encode();
    for _ in 0..200_000 {
        bytes.extend(kit::plugin::group(*b"CELL", 0, &[]));
    }
    let started = Instant::now();
    assert_eq!(plugin(&bytes).navmeshes().count(), 0);
    assert!(started.elapsed().as_secs() < 5);
}

#[test]
fn fallout_3_fields_that_do_not_fit_are_refused() {
    let vault = kit::files().into_iter().find(|made| made.path == "fo3/vault.esp").unwrap();
    let (read, counts, found) = survey("x.esp", &vault.bytes);
    read.unwrap();
    assert_eq!(counts.get("triangles"), Some(48));
    assert_eq!(found.iter().map(|f| f.code).collect::<Vec<_>>(), ["experimental-layout"]);
    assert_eq!(plugin(&vault.bytes).game().name(), FO3.name);
    let mesh = Mesh::sheet(11, Place::Interior(0x0100_0820), 2, 2, 1);
    for wrong in ["NVVX", "NVTR", "NVGD", "DATA", "NVER"] {
        let mut plugin = kit::plugin::Plugin::new(15, 0.94, &["Fallout3.esm"]);
        let mut data = Vec::new();
        for (tag, bytes) in mesh.encode_separate(0x0100_0820) {
            let bytes = if tag == wrong.as_bytes() { &bytes[..bytes.len() - 2] } else { &bytes };
            data.extend(kit::plugin::field(&tag, bytes));
        }
        let navm = kit::plugin::record(b"NAVM", plugin.head(0x0100_0821, 0), &data);
        plugin.groups.push(plugin.interior(0x0100_0820, &[navm]));
        assert!(survey("x.esp", &plugin.encode()).0.is_err(), "{wrong}");
    }
}
