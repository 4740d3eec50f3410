//! The bundled corpus.

use super::common;
use super::exhaust::exhaust;
use navmap::format::aas::AasNav;
use navmap::{Finding, NavFile, Severity};
use navmap_testkit::aas::{Map, grid, sample, sizes};
use navmap_testkit::corpus::{self, Row};

fn rows() -> Vec<Row> {
    corpus::bundled_rows("aas")
}

pub(crate) fn read(name: &str) -> Vec<u8> {
    std::fs::read(corpus::bundled_path("aas", name)).unwrap()
}

pub(crate) fn findings(bytes: &[u8]) -> Vec<Finding> {
    common::findings(&AasNav::parse(bytes).unwrap())
}

#[test]
fn every_row_has_its_counts_and_its_status() {
    common::rows_hold("aas", exhaust);
}

#[test]
fn sound_files_have_no_findings_that_count() {
    for row in rows().iter().filter(|row| !row.name().contains('/')) {
        let found = findings(&row.read());
        assert!(found.iter().all(|f| f.severity == Severity::Info), "{}: {found:?}", row.name());
        let stripped = found.iter().any(|f| f.code == "stripped");
        assert_eq!(stripped, row.number("vertices") == Some(0), "{}", row.name());
    }
}

/// The byte of a record of a lump of the bundled file with faces.
fn byte(lump: usize, record: usize) -> Option<u64> {
    let lumps = sample().lumps(5, true);
    let before: usize = lumps.lumps[..lump].iter().map(Vec::len).sum();
    Some((124 + before + record * sizes(5)[lump]) as u64)
}

fn told(found: &[Finding], code: &str) -> Vec<(Option<u64>, Option<u64>)> {
    let of = found.iter().filter(|f| f.code == code);
    of.map(|f| (f.at.record.map(|(_, index)| index), f.at.offset)).collect()
}

#[test]
fn each_oddity_is_found_in_its_record_and_at_its_byte() {
    let found = findings(&read("odd/values.aas"));
    let told = |code: &str| told(&found, code);
    assert_eq!(told("area-number"), [(Some(5), byte(7, 5))]);
    assert_eq!(told("self-link"), [(Some(2), byte(9, 2))]);
    assert_eq!(told("unknown-kind"), [(Some(3), byte(9, 3))]);
    assert_eq!(told("deleted-link"), [(Some(4), byte(9, 4))]);
    assert_eq!(told("travel-time"), [(Some(5), byte(9, 5))]);
    assert_eq!(told("orphan-link"), [(Some(16), byte(9, 16))]);
    assert_eq!(told("plane-pair"), [(Some(3), byte(2, 3)), (Some(5), byte(2, 5))]);
    assert_eq!(told("face-loop"), [(Some(1), byte(5, 1))]);
    assert_eq!(told("portal-pair"), [(Some(1), byte(11, 1))]);
    assert_eq!(told("cluster-count")[0], (Some(1), byte(13, 1)));
    let not_finite = [(4, byte(2, 4)), (0, byte(1, 0)), (7, byte(9, 7))];
    assert_eq!(told("not-finite"), not_finite.map(|(index, at)| (Some(index), at)));
    let unknown = [(2, byte(5, 2)), (6, byte(8, 6)), (6, byte(8, 6)), (6, byte(8, 6)), (6, byte(9, 6))];
    assert_eq!(told("unknown-flag"), unknown.map(|(index, at)| (Some(index), at)));
    assert!(told("face-side").contains(&(Some(1), byte(7, 1))));
    assert!(told("loose-box").contains(&(Some(6), byte(7, 6))));
    assert!(told("tree-orphan").iter().all(|(_, at)| at.is_some()) && !told("tree-orphan").is_empty());
    let time = found.iter().find(|f| f.code == "travel-time").unwrap();
    assert_eq!(time.message, "it takes 60000 hundredths of a second");
    assert_eq!(time.place, Some([250.0, 64.0, 24.0]));
    assert!(found.iter().all(|f| f.severity < Severity::Error), "{found:?}");
}

#[test]
fn numbers_out_of_range_are_errors_with_record_and_byte() {
    let found = findings(&read("hostile/numbers.aas"));
    let range = told(&found, "range");
    for at in
        [(10, 2), (10, 3), (10, 4), (5, 1), (5, 2), (5, 3), (3, 2), (4, 2), (6, 1), (8, 3), (8, 4), (13, 1)]
    {
        assert!(range.contains(&(Some(at.1 as u64), byte(at.0, at.1))), "{at:?} in {found:?}");
    }
    assert_eq!(range.iter().filter(|at| **at == (Some(1), byte(11, 1))).count(), 2);
    assert!(range.contains(&(Some(0), byte(12, 0))) && range.contains(&(Some(1), byte(9, 1))));
    let found = findings(&read("hostile/targets.aas"));
    let targets = [1, 4, 5].map(|index| (Some(index as u64), byte(9, index)));
    assert_eq!(told(&found, "dangling-target"), targets);
    let found = findings(&read("hostile/runs.aas"));
    assert_eq!(
        told(&found, "range"),
        [(Some(2), byte(8, 2)), (Some(3), byte(8, 3)), (Some(4), byte(7, 4))],
        "{found:?}"
    );
    let found = findings(&read("hostile/circle.aas"));
    assert_eq!(told(&found, "tree-order"), [(Some(3), byte(10, 3)), (Some(4), byte(10, 4))]);
    let found = findings(&read("hostile/shared-runs.aas"));
    assert_eq!(told(&found, "shared-run"), [(Some(2), byte(8, 2))]);
}

#[test]
fn where_lumps_lie_is_told_and_no_harm() {
    let bytes = read("odd/reversed.aas");
    let found = findings(&bytes);
    let codes: Vec<_> = found.iter().filter(|f| f.severity != Severity::Info).map(|f| f.code).collect();
    // A gap before each lump that is not empty, but for the first one in the file.
    assert_eq!(codes.iter().filter(|code| **code == "lump-gap").count(), 10, "{found:?}");
    assert!(codes.contains(&"lump-order") && codes.contains(&Finding::TRAILING), "{found:?}");
    let nav = AasNav::parse(&bytes).unwrap();
    let straight = read("v5.aas");
    let other = AasNav::parse(&straight).unwrap();
    assert_eq!(
        (nav.areas(), nav.reachabilities(), nav.nodes()),
        (other.areas(), other.reachabilities(), other.nodes())
    );
    assert_eq!(nav.trailing().len(), 8);
    assert!(findings(&read("hostile/overlap.aas")).iter().any(|f| f.code == "lump-overlap"));
}

#[test]
fn what_is_refused_says_why_and_at_which_byte() {
    let said = |name: &str| AasNav::parse(&read(&format!("hostile/{name}.aas"))).unwrap_err().to_string();
    assert_eq!(
        said("most-areas").split(", the file").next().unwrap(),
        "lump 7, byte 0x44: areas: 2147483601 bytes at 4004"
    );
    assert!(
        said("negative-length").contains("lump 7, byte 0x44: areas: -48 bytes"),
        "{}",
        said("negative-length")
    );
    assert!(said("negative-offset").contains("areas: "), "{}", said("negative-offset"));
    assert_eq!(said("ragged"), "lump 7, byte 0x44: areas: 49 bytes are no whole number of 48");
    assert_eq!(said("fewer-settings"), "byte 0x4c: settings: 1 of them for 9 areas");
    for name in ["hidden", "not-hidden"] {
        assert!(said(name).contains("byte 0xc: lumps: the table makes no sense"), "{}", said(name));
    }
    assert!(
        said("v6").contains("version 6") && said("v6").contains("no file of it was ever seen"),
        "{}",
        said("v6")
    );
    assert!(said("cut-head").contains("header: 124 bytes needed, 100 left"), "{}", said("cut-head"));
}

#[test]
fn what_the_game_is_follows_from_version_and_box() {
    let game = |name: &str| AasNav::parse(&read(name)).unwrap().summary().game;
    assert_eq!(game("v4.aas"), Some("Quake III line"));
    assert_eq!(game("v5-full.aas"), Some("Quake III line"));
    assert_eq!(game("v8.aas"), Some("Return to Castle Wolfenstein"));
    assert_eq!(game("odd/v9.aas"), None);
    let mut wide = sample().lumps(5, false);
    wide.set(0, 0, 5, f32::to_bits(16.0) as i32);
    assert_eq!(AasNav::parse(&wide.encode()).unwrap().summary().game, None);
}

#[test]
fn settings_of_version_8_are_read_under_its_own_names() {
    use navmap::format::aas::{AreaFlags, AreaSettings, Contents};
    let bytes = read("v8.aas");
    let nav = AasNav::parse(&bytes).unwrap();
    assert!(matches!(nav.settings(), AreaSettings::Steep(list) if list.len() == 9));
    assert_eq!((nav.settings().steepness(7), nav.settings().steepness(1)), (Some(0.25), Some(0.0)));
    assert_eq!(nav.meaning().flags(AreaFlags(0x11)).0, ["grounded", "avoid"]);
    assert_eq!(nav.meaning().contents(Contents(0xC00)).0, ["not_large", "mover"]);
    let bytes = read("v5.aas");
    let nav = AasNav::parse(&bytes).unwrap();
    assert_eq!(nav.settings().steepness(7), None);
    assert_eq!(nav.meaning().flags(AreaFlags(0x11)).0, ["grounded", "bridge"]);
    assert_eq!(nav.meaning().contents(Contents(0xC00)).0, ["mover", "not_team_1"]);
    assert_eq!(Contents(7 << 24).model(), 7);
}

#[test]
fn points_are_found_in_their_areas_at_the_height_of_a_players_origin() {
    let map = sample();
    let bytes = map.lumps(5, false).encode();
    let nav = AasNav::parse(&bytes).unwrap();
    for (area, number) in map.areas.iter().zip(1..) {
        assert_eq!(nav.area_at(area.center()), Some(number), "{area:?}");
    }
    assert_eq!(nav.above_floor(), 24.0);
    // A floor belongs to the solid below it; so does what lies under the slope.
    assert_eq!(nav.area_at([64.0, 64.0, 24.0]), None);
    assert_eq!(nav.area_at([64.0, 64.0, 24.5]), Some(1));
    assert_eq!((nav.area_at([64.0, 250.0, 80.0]), nav.area_at([64.0, 250.0, 90.0])), (None, Some(7)));
    assert_eq!((nav.area_at([-999.0; 3]), nav.area_at([f32::NAN; 3])), (None, None));
    // As the engine asks: the floor itself, and a spot inside a wall beside an area.
    assert_eq!(nav.area_near([64.0, 64.0, 24.0]), Some(1));
    assert_eq!(nav.area_near([64.0, -6.0, 30.0]), Some(1));
    assert_eq!(nav.area_near([64.0, -16.0, 30.0]), None);
}

#[test]
fn trees_of_many_areas_find_each_of_them() {
    let map: Map = grid(12);
    let bytes = map.lumps(5, true).encode();
    let nav = AasNav::parse(&bytes).unwrap();
    for (area, number) in map.areas.iter().zip(1..) {
        assert_eq!(nav.area_at(area.center()), Some(number));
    }
    assert!(findings(&bytes).iter().all(|f| f.severity == Severity::Info));
    assert!(exhaust(&bytes));
}
