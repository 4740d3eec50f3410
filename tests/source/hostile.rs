//! Cut, flipped and inflated bytes: an error or a sound result, never a panic, in bounded time and memory.

use crate::agree::assert_agree;
use crate::exhaust::exhaust;
use navmap::NavFile;
use navmap::bytes::Scratch;
use navmap::format::source::SourceNav;
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus::{Row, bundled_path, bundled_rows};
use navmap_testkit::hostile::{cuts, flips, inflated_counts};
use navmap_testkit::work::Work;
use std::time::Duration;

fn small_files() -> Vec<Row> {
    let mut rows = bundled_rows("source");
    rows.retain(|row| row.number("bytes") < Some(5000));
    rows
}

#[test]
fn every_cut_is_an_error_not_a_panic() {
    for row in small_files() {
        let whole = row.read();
        // What may be cut off without harm is what a game left behind, and packed data to the end.
        let spare = row.number("stale_tail_bytes").unwrap_or(0) as usize;
        for cut in cuts(&whole) {
            exhaust(cut);
            if row.number("version").is_some_and(|version| version < 30) && cut.len() + spare < whole.len() {
                let read = SourceNav::parse(cut).and_then(|nav| nav.after_areas().map(drop));
                assert!(read.is_err(), "{} cut at {}", row.name(), cut.len());
                if cut.len() % 64 == 0 {
                    assert!(!assert_agree(cut, row.name()));
                }
            }
        }
    }
}

#[test]
fn an_error_is_yielded_once_and_keeps_its_place() {
    let whole = std::fs::read(bundled_path("source", "v16-2-tf2.nav")).unwrap();
    let nav = SourceNav::parse(&whole).unwrap();
    let third = nav.areas().nth(2).unwrap().unwrap();
    let cut = &whole[..third.offset() as usize + 50];
    let nav = SourceNav::parse(cut).unwrap();
    let mut areas = nav.areas();
    assert!(areas.by_ref().take(2).all(|area| area.is_ok()));
    let error = areas.next().unwrap().unwrap_err();
    assert_eq!(error.position().record, Some(("area", 2)));
    let offset = error.position().offset.unwrap();
    assert!((u64::from(third.offset())..cut.len() as u64).contains(&offset), "{error}");
    assert!(areas.next().is_none());
    let again = areas.finish().unwrap_err();
    assert_eq!(again.to_string(), error.to_string());
}

#[test]
fn every_flipped_byte_is_survived_and_read_as_the_plain_reader_reads_it() {
    for row in small_files() {
        let whole = row.read();
        let source_1 = row.number("version").is_some_and(|version| version < 30);
        flips(&whole, |at, bytes| {
            exhaust(bytes);
            if source_1 && at % 3 == 0 {
                assert_agree(bytes, &format!("{} flipped at {at}", row.name()));
            }
        });
    }
}

#[test]
fn inflated_counts_cost_neither_memory_nor_time() {
    let start = Work::start();
    for row in small_files() {
        let whole = row.read();
        let bound = 64 * whole.len() as u64 + 65_536;
        inflated_counts(&whole, |at, bytes| {
            let ((), cost) = cost_of(|| exhaust(bytes));
            assert!(cost.peak_bytes < bound, "{} at {at}: {} bytes held", row.name(), cost.peak_bytes);
        });
    }
    assert!(start.time() < Duration::from_secs(120), "{:?}", start.time());
}

#[test]
fn four_billion_areas_are_a_claim() {
    let bytes = std::fs::read(bundled_path("source", "hostile/four-billion-areas.nav")).unwrap();
    let nav = SourceNav::parse(&bytes).unwrap();
    assert_eq!(nav.area_count(), u32::MAX);
    assert_eq!(nav.areas().size_hint(), (0, Some(1)));
    let (built, cost) = cost_of(|| navmap::format::source::AreaIndex::build(&nav).map(drop));
    let error = built.unwrap_err();
    assert_eq!(error.to_string(), "area 0, byte 0x18: area head: 40 bytes needed, 0 left");
    assert!(cost.peak_bytes < 4096, "{cost:?}");
}

#[test]
fn references_in_circles_and_crowds_cost_linear_time() {
    use navmap_testkit::source::{Area, Mesh, Path, write};
    // Each of many areas inherits from, and is connected to, one that takes long to walk over.
    let mut mesh = Mesh { version: 16, subversion: Some(0), ..Mesh::default() };
    let heavy = Area {
        id: 1,
        paths: vec![Path::default(); 300_000],
        connections: [vec![2; 50_000], vec![], vec![3; 50_000], vec![]],
        inherit: 2,
        ..Area::default()
    };
    mesh.areas.push(heavy);
    for id in 2..36_000 {
        let connections = [vec![1], vec![], vec![1], vec![]];
        mesh.areas.push(Area { id, inherit: 1, connections, ..Area::default() });
    }
    let bytes = write(&mesh);
    let start = Work::start();
    let mut findings = 0;
    SourceNav::parse(&bytes).unwrap().check(&mut Scratch::new(), &mut |_| findings += 1).unwrap();
    assert!(findings > 100_000);
    assert!(start.time() < Duration::from_secs(20), "{:?}", start.time());
}

/// An error names a byte of the file or its end, whatever a count claims: there is nothing to look at beyond.
#[test]
fn no_error_names_a_byte_beyond_the_file() {
    let mut told = 0;
    for name in ["v16-2-tf2.nav", "v1.nav", "v16-1-csgo.nav"] {
        let mut bytes = std::fs::read(bundled_path("source", name)).unwrap();
        for at in 0..bytes.len() {
            bytes[at] ^= 0xff;
            let checked = SourceNav::parse(&bytes)
                .and_then(|nav| nav.check(&mut Scratch::new(), &mut |_| ()).map(|_| ()));
            if let Err(error) = checked {
                let offset = error.position().offset.unwrap_or_default();
                assert!(offset <= bytes.len() as u64, "{name}, byte {at}: {error}");
                told += 1;
            }
            bytes[at] ^= 0xff;
        }
    }
    assert!(told > 200, "{told}");
}
