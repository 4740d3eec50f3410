//! The bundled corpus: every file is what its manifest says, and still what its generator makes.

use crate::agree::assert_agree;
use crate::agree2::assert_whole;
use crate::real::assert_counts;
use navmap::bytes::Scratch;
use navmap::format::{AnyNav, ParseOptions};
use navmap::{Counts, NavFile};
use navmap_testkit::corpus::{Row, bundled_path, bundled_rows};
use std::path::Path;

fn rows() -> Vec<Row> {
    bundled_rows("source")
}

fn open(bytes: &[u8]) -> navmap::Result<AnyNav<'_>> {
    AnyNav::parse(bytes, Some(Path::new("test.nav")), &ParseOptions::default())
}

#[test]
fn every_bundled_mesh_has_the_counts_of_its_manifest() {
    for row in rows().iter().filter(|row| row.number("version").is_some()) {
        let bytes = row.read();
        let nav = open(&bytes).unwrap_or_else(|error| panic!("{}: {error}", row.name()));
        assert_eq!(nav.summary().version.map(u64::from), row.number("version"), "{}", row.name());
        assert_eq!(nav.summary().subversion.map(u64::from), row.number("subversion"), "{}", row.name());
        assert_counts(row, &nav);
        if row.number("version") < Some(30) {
            assert!(assert_agree(&bytes, row.name()), "{}", row.name());
        } else {
            assert_whole(&bytes, row.name());
        }
    }
}

#[test]
fn every_bundled_file_fares_as_its_manifest_expects() {
    for row in rows() {
        let bytes = row.read();
        let mut found = Vec::new();
        let read = open(&bytes).and_then(|nav| {
            nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| {})?;
            nav.check(&mut Scratch::new(), &mut |finding| found.push(finding))
        });
        let fared = match read {
            Err(error) => {
                assert!(!error.to_string().contains('\n'), "{}: {error}", row.name());
                "error"
            }
            Ok(()) if found.iter().any(|finding| finding.severity.counts()) => "warning",
            Ok(()) => "ok",
        };
        assert_eq!(fared, row.text("expect"), "{}: {found:?}", row.name());
    }
}

#[test]
fn the_generator_still_makes_the_bundled_files() {
    let files = navmap_testkit::source::files();
    assert_eq!(files.len(), rows().len());
    for made in files {
        let path = bundled_path("source", &made.path);
        assert_eq!(std::fs::read(&path).unwrap(), made.bytes, "{}", made.path);
    }
}

#[test]
fn the_head_of_a_file_says_what_the_whole_file_says() {
    for row in rows().iter().filter(|row| row.text("expect") == "ok") {
        let bytes = row.read();
        let page = &bytes[..bytes.len().min(4096)];
        assert!(navmap::format::source::recognise(page), "{}", row.name());
        let head = navmap::format::source::head(page, bytes.len() as u64).unwrap();
        let whole = open(&bytes).unwrap().summary();
        assert_eq!((head.game, head.version), (whole.game, whole.version), "{}", row.name());
        assert_eq!(head.subversion, whole.subversion, "{}", row.name());
        // A head of an unknown sub-version claims no counts: what lies between may be laid out in another way.
        let is_known = row.name() != "v16-7-unknown.nav";
        if is_known && !matches!(head.version, Some(31..)) {
            assert_eq!(head.counts.get("areas"), row.number("areas"), "{}", row.name());
        }
    }
}
