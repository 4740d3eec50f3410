//! Every file of the private corpus against the counts of its manifest.

use crate::agree::assert_agree;
use crate::agree2::assert_whole;
use navmap::bytes::Scratch;
use navmap::format::source::{Source2Nav, SourceNav};
use navmap::{Counts, NavFile};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus::{Row, manifest, real};

/// Key of a count, and the manifest's column for it.
const COLUMNS: [(&str, &str); 11] = [
    ("areas", "areas"),
    ("ladders", "ladders"),
    ("places", "places"),
    ("connections", "total_connections"),
    ("hiding_spots", "hiding_spots"),
    ("approach_areas", "approach_areas"),
    ("encounter_paths", "encounter_paths"),
    ("encounter_spots", "encounter_spots"),
    ("ladder_connections", "ladder_connections"),
    ("visible_areas", "visible_areas"),
    ("stale_tail_bytes", "stale_tail_bytes"),
];

fn rows() -> Vec<Row> {
    real().map_or_else(Vec::new, |corpus| manifest(&corpus.join("source")))
}

pub(crate) fn assert_counts(row: &Row, nav: &dyn NavFile) {
    let mut counts = Counts::default();
    let mut scratch = Scratch::new();
    let mut found = 0;
    let (read, cost) = cost_of(|| nav.survey(&mut scratch, &mut counts, &mut |_| found += 1));
    read.unwrap_or_else(|error| panic!("{}: {error}", row.name()));
    let keys: Vec<_> = counts.iter().map(|(key, _)| key).collect();
    assert_eq!(keys, COLUMNS.map(|(key, _)| key), "{}", row.name());
    for (key, column) in COLUMNS {
        assert_eq!(counts.get(key), row.number(column), "{}: {key}", row.name());
    }
    // A finding is text, and allocates.
    if found == 0 {
        assert_eq!(cost.calls, 0, "{}: a survey allocates nothing", row.name());
    }
}

#[test]
fn every_real_mesh_has_the_counts_of_the_manifest() {
    for row in rows().iter().filter(|row| row.number("version") < Some(30)) {
        let bytes = row.read();
        let nav = SourceNav::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", row.name()));
        assert_eq!(Some(u64::from(nav.version())), row.number("version"), "{}", row.name());
        assert_eq!(nav.subversion().map(u64::from), row.number("subversion"), "{}", row.name());
        assert_counts(row, &nav);
        assert!(assert_agree(&bytes, row.name()), "{}", row.name());
        let after = nav.after_areas().unwrap();
        assert_eq!(Some(after.trailing().len() as u64), row.number("stale_tail_bytes"), "{}", row.name());
        if nav.version() > 5 {
            assert!(after.trailing().is_empty(), "{}", row.name());
        }
    }
}

/// Findings that count against a file; one-way links, which are information, are everywhere.
const WARNINGS: [(&str, &str, usize); 4] = [
    ("csgo-16.1/4th_mythic_ktaschool_v4.nav", "dangling-visible-area", 55),
    ("csgo-16.1/cs_assault_2055.nav", "zero-areas", 1),
    ("goldsrc-v3/de_dust.nav", "self-connection", 2),
    ("tf2-16.2/dod_jagd.nav", "zero-areas", 1),
];

#[test]
fn real_meshes_have_no_findings_but_those_that_are_known() {
    for row in rows().iter().filter(|row| row.number("version") < Some(30)) {
        let bytes = row.read();
        let nav = SourceNav::parse(&bytes).unwrap();
        let mut found = Vec::new();
        nav.check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
        found.retain(|finding| finding.severity.counts());
        let expected = WARNINGS.iter().find(|(name, ..)| *name == row.name());
        match expected {
            None => assert_eq!(found, [], "{}", row.name()),
            Some((_, code, count)) => {
                assert_eq!(found.len(), *count, "{}", row.name());
                assert!(found.iter().all(|finding| finding.code == *code), "{}: {found:?}", row.name());
            }
        }
    }
}

#[test]
fn every_real_source_2_mesh_has_the_counts_of_the_manifest() {
    for row in rows().iter().filter(|row| row.number("version") >= Some(30)) {
        let bytes = row.read();
        let nav = Source2Nav::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", row.name()));
        assert_eq!(Some(u64::from(nav.version())), row.number("version"), "{}", row.name());
        assert_eq!(Some(u64::from(nav.subversion())), row.number("subversion"), "{}", row.name());
        assert_counts(row, &nav);
        assert_whole(&bytes, row.name());
        let after = nav.after_areas().unwrap();
        assert!(after.trailing().is_empty(), "{}", row.name());
        let mut found = Vec::new();
        nav.check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
        found.retain(|finding| finding.severity.counts());
        assert_eq!(found, [], "{}", row.name());
        if let Some(block) = after.game_data() {
            assert_eq!(block.packed_size().unwrap() as usize + 72, block.bytes().len(), "{}", row.name());
            assert_eq!((block.compression(), block.offset() % 8), (Some(2), 0), "{}", row.name());
        }
    }
}
