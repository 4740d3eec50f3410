//! The bundled corpus.

use super::common;
use super::exhaust::exhaust;
use navmap::bytes::Scratch;
use navmap::format::{AnyNav, ParseOptions};
use navmap::{Counts, Finding, NavFile, Severity};
use navmap_testkit::corpus::{self, Row};

fn rows() -> Vec<Row> {
    corpus::bundled_rows("yapb")
}

fn findings(row: &Row) -> Vec<Finding> {
    let bytes = row.read();
    let nav = AnyNav::parse(&bytes, Some(&row.path), &ParseOptions::default()).unwrap();
    common::findings(&nav)
}

fn row(name: &str) -> Row {
    rows().into_iter().find(|row| row.name() == name).unwrap()
}

#[test]
fn every_row_has_its_counts_and_its_status() {
    common::rows_hold("yapb", exhaust);
}

#[test]
fn sound_files_have_no_findings_that_count() {
    for row in rows().iter().filter(|row| !row.name().contains('/')) {
        let found = findings(row);
        assert!(found.iter().all(|f| f.severity == Severity::Info), "{}: {found:?}", row.name());
    }
}

#[test]
fn each_oddity_is_found_in_its_node_and_at_its_byte() {
    let found = findings(&row("odd/values.graph"));
    let told = |code: &str| -> Vec<(Option<u64>, Option<u64>)> {
        let of = found.iter().filter(|f| f.code == code);
        of.map(|f| (f.at.record.map(|(_, index)| index), f.at.offset)).collect()
    };
    assert_eq!(told("node-number"), [(Some(0), Some(0))]);
    assert_eq!(told("wild-radius"), [(Some(1), Some(220)), (Some(2), Some(440))]);
    assert_eq!(told("camp-angles"), [(Some(3), Some(660))]);
    assert_eq!(told("both-teams"), [(Some(5), Some(1_100))]);
    assert_eq!(told("unknown-node-flag"), [(Some(5), Some(1_100))]);
    assert_eq!(told("shared-origin"), [(Some(9), Some(1_980))]);
    assert_eq!(told("self-link"), [(Some(0), Some(56 + 7 * 20))]);
    assert_eq!(told("repeated-link"), [(Some(6), Some(6 * 220 + 56 + 5 * 20))]);
    assert_eq!(told("unknown-link-flag"), [(Some(6), Some(6 * 220 + 56 + 5 * 20))]);
    // The doubled link is a jump without velocity; the free slot with a velocity is nothing.
    assert_eq!(told("jump-velocity"), [(Some(6), Some(6 * 220 + 56 + 5 * 20))]);
    // 2 to 8 and back, 8 to 9 and back, and the link of node 0 to itself.
    let stale = found.iter().find(|f| f.code == "stale-distance").unwrap();
    assert!(stale.message.starts_with("5 of 25 "), "{stale}");
    let bits = found.iter().find(|f| f.code == "unknown-node-flag").unwrap();
    assert_eq!(bits.message, "bit11, bit27 set, meaning unknown");

    let found = findings(&row("hostile/targets.graph"));
    let told: Vec<_> = found.iter().filter(|f| f.severity == Severity::Error).collect();
    assert_eq!(told.len(), 2);
    assert_eq!(told[0].message, "link 0 leads to node #12 of 12");
    assert_eq!(told[1].message, "link 0 leads to node #-2 of 12");
    assert_eq!(told[1].at.offset, Some(3 * 220 + 56));
}

#[test]
fn a_byte_of_a_pwf_is_a_byte_of_the_file() {
    let mut bytes = row("v7.pwf").read();
    let at = 80 + 204 * 2 + 40 + 2;
    bytes[at..at + 2].copy_from_slice(&99_i16.to_le_bytes());
    let nav = AnyNav::parse(&bytes, None, &ParseOptions::default()).unwrap();
    let mut found = Vec::new();
    nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |f| found.push(f)).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].code, found[0].at.offset), ("dangling-target", Some(at as u64)));
    assert_eq!(found[0].place, Some([400.0, 0.0, 36.0]));
}

#[test]
fn what_surrounds_the_nodes_is_told() {
    use navmap::format::yapb::{GraphOptions, YapbNav};
    let limits = navmap::Limits::default();
    let bytes = row("v2.graph").read();
    let nav = YapbNav::parse(&bytes, &limits).unwrap();
    let extension = nav.extension();
    assert_eq!(extension.author(), Some("Zoë".as_bytes()), "what stands behind the zero is no name");
    assert_eq!((extension.map_size(), extension.editor()), (Some(1_234_567), Some(&b"somebody else"[..])));
    assert_eq!(nav.options(), GraphOptions::GRAPH | GraphOptions::EXTENSION | GraphOptions::ANALYZED);
    let bytes = row("v1.graph").read();
    let nav = YapbNav::parse(&bytes, &limits).unwrap();
    assert_eq!((nav.extension().map_size(), nav.extension().editor()), (None, None));
    let bytes = row("fork.graph").read();
    let nav = YapbNav::parse(&bytes, &limits).unwrap();
    assert_eq!((nav.header().magic(), nav.extension().map_size()), (*b"UBOT", Some(1_234_567)));
}
