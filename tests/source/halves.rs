//! What walks with two cursors is what a plain walk finds, wherever a file is cut or changed.

use navmap::bytes::Scratch;
use navmap::format::source::{Area, AreaIndex, SourceNav};
use navmap::{Counts, NavFile};
use navmap_testkit::corpus::{bundled_rows, manifest, real};
use navmap_testkit::hostile::cuts;
use navmap_testkit::source as kit;

/// Counts of areas, one by one.
fn counts(areas: &[Area<'_>]) -> [(&'static str, u64); 8] {
    let sum = |count: fn(&Area<'_>) -> usize| areas.iter().map(|area| count(area) as u64).sum();
    [
        ("areas", sum(|_| 1)),
        ("connections", sum(|area| area.all_connections().count())),
        ("hiding_spots", sum(|area| area.hiding_spots().len() + area.old_hiding_spots().len())),
        ("approach_areas", sum(|area| area.approaches().len())),
        ("encounter_paths", sum(|area| area.encounter_path_count() as usize)),
        ("encounter_spots", sum(|area| area.encounter_spot_count() as usize)),
        ("ladder_connections", sum(|area| area.ladders_up().len() + area.ladders_down().len())),
        ("visible_areas", sum(|area| area.visible_areas().len())),
    ]
}

/// Index and survey against a plain walk; whether the mesh could be read to its end.
fn assert_same(bytes: &[u8], name: &str) -> bool {
    let Ok(nav) = SourceNav::parse(bytes) else { return false };
    let areas: Vec<_> = nav.areas().map_while(Result::ok).collect();
    let end = nav.areas().finish().map(|after| after.offset()).map_err(|error| error.to_string());
    let mut found = Counts::default();
    let surveyed = nav.survey(&mut Scratch::new(), &mut found, &mut |_| {});
    assert_eq!(surveyed.map_err(|error| error.to_string()).err(), end.clone().err(), "{name}");
    for (what, count) in counts(&areas) {
        assert_eq!(found.get(what), Some(count), "{name}: {what}");
    }
    match AreaIndex::build(&nav) {
        Ok(index) => {
            assert_eq!(Ok(index.after_areas().offset()), end, "{name}");
            assert!(index.iter().map(|area| area.offset()).eq(areas.iter().map(Area::offset)), "{name}");
        }
        Err(error) => assert_eq!(Err(error.to_string()), end, "{name}"),
    }
    end.is_ok()
}

/// A mesh just long enough for two cursors.
fn made(version: u32, subversion: Option<u32>, cells: usize) -> Vec<u8> {
    let shape = kit::Shape { cells, seed: 11, visible: 0, paths: true, approaches: 2, ladders: 3 };
    let bytes = kit::write(&kit::level(version, subversion, &shape));
    assert!((33 << 10..128 << 10).contains(&bytes.len()), "{} bytes", bytes.len());
    bytes
}

#[test]
fn every_file_has_the_areas_of_a_plain_walk() {
    let real = real().map_or_else(Vec::new, |corpus| manifest(&corpus.join("source")));
    for row in bundled_rows("source").iter().chain(&real) {
        assert_same(&row.read(), row.name());
    }
    for whole in [kit::csgo_shaped(), made(5, None, 150), made(1, None, 130)] {
        assert!(assert_same(&whole, "made"));
    }
}

#[test]
fn every_cut_ends_as_a_plain_walk_does() {
    let whole = made(16, Some(1), 120);
    for cut in cuts(&whole) {
        assert!(!assert_same(cut, &format!("cut at {}", cut.len())));
    }
}

#[test]
fn every_flipped_byte_is_read_as_a_plain_walk_reads_it() {
    let mut bytes = made(16, Some(1), 120);
    for at in 0..bytes.len() {
        bytes[at] = !bytes[at];
        assert_same(&bytes, &format!("flipped at {at}"));
        bytes[at] = !bytes[at];
    }
}

#[test]
fn what_looks_like_areas_behind_the_last_is_none() {
    // The second cursor finds as many as it likes there; the mesh claims how many it has.
    let mut mesh = kit::read(&made(5, None, 150)).unwrap();
    let areas = mesh.areas.len();
    let copy = kit::write(&mesh);
    let start = SourceNav::parse(&copy).unwrap().areas_offset() as usize;
    mesh.tail = copy[start..].repeat(3);
    let bytes = kit::write(&mesh);
    assert!(assert_same(&bytes, "a long tail"));
    let nav = SourceNav::parse(&bytes).unwrap();
    assert_eq!(AreaIndex::build(&nav).unwrap().len(), areas);
}
