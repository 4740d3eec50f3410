//! Every row of the manifest of real files.

use crate::agree::assert_agree;
use crate::survey;
use navmap::bytes::Scratch;
use navmap::format::fox::{FoxNav, head, recognise};
use navmap::{Counts, NavFile};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus::{Row, manifest, real};

/// The meshes among the manifest's rows: not the broken file, not the archive.
pub(crate) fn meshes() -> Vec<Row> {
    let Some(folder) = real() else { return Vec::new() };
    let rows = manifest(&folder.join("fox"));
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.number("groups").is_some()).collect();
    assert_eq!(rows.len(), 38);
    rows
}

#[test]
fn every_count_is_that_of_the_manifest() {
    for row in meshes() {
        let bytes = row.read();
        let (result, counts, found) = survey(&bytes);
        assert!(result.is_ok(), "{}: {}", row.name(), result.unwrap_err());
        for key in ["groups", "segments", "vertices", "faces", "nav_nodes", "nav_edges"] {
            assert_eq!(counts.get(key), row.number(key), "{} {key}", row.name());
        }
        let entries = FoxNav::parse(&bytes).unwrap().header().entry_count();
        assert_eq!(Some(u64::from(entries)), row.number("entries"), "{}", row.name());
        let bad: Vec<_> = found.iter().filter(|finding| finding.severity.counts()).collect();
        assert!(bad.is_empty(), "{}: {bad:?}", row.name());
    }
}

#[test]
fn heads_tell_the_groups() {
    for row in meshes() {
        let bytes = row.read();
        let page = &bytes[..bytes.len().min(4096)];
        assert!(recognise(page));
        let summary = head(page, bytes.len() as u64).unwrap();
        assert_eq!(summary.counts.get("groups"), row.number("groups"), "{}", row.name());
        assert_eq!(FoxNav::parse(&bytes).unwrap().summary(), summary);
    }
}

#[test]
fn views_agree_with_a_plain_decoder() {
    for row in meshes() {
        assert_agree(&row.read(), row.name());
    }
}

#[test]
fn a_survey_allocates_nothing() {
    for row in meshes().iter().filter(|row| !row.name().starts_with("obj2nav2")) {
        let bytes = row.read();
        let mut scratch = Scratch::new();
        let (result, cost) = cost_of(|| {
            FoxNav::parse(&bytes)?
                .survey(&mut scratch, &mut Counts::default(), &mut |finding| panic!("{finding}"))
        });
        result.unwrap();
        assert_eq!((cost.calls, cost.peak_bytes), (0, 0), "{}", row.name());
    }
}

#[test]
fn the_broken_file_gives_a_located_error() {
    let Some(folder) = real() else { return };
    let bytes = std::fs::read(folder.join("fox/broken/obj2nav2_degenerate_plane.nav2")).unwrap();
    let error = FoxNav::parse(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "entry 2, byte 0x5bc0: entry type: 0x33301998 is none");
}
