//! What the tests of several families ask of their rows of the bundled corpus.
#![allow(dead_code)] // each family asks some of it

use navmap::bytes::Scratch;
use navmap::format::{AnyNav, ParseOptions};
use navmap::{Counts, Finding, NavFile, Result};
use navmap_testkit::corpus::{self, Row};

/// What `check` finds.
pub(crate) fn findings(nav: &dyn NavFile) -> Vec<Finding> {
    let mut found = Vec::new();
    nav.check(&mut Scratch::new(), &mut |f| found.push(f)).unwrap();
    found
}

/// What a scan and a check say of a file: its counts, and all that `check` finds, with what the survey found among it.
pub(crate) fn read(nav: &dyn NavFile) -> Result<(Counts, Vec<Finding>)> {
    let (mut counts, mut survey, mut found) = (Counts::default(), Vec::new(), Vec::new());
    nav.survey(&mut Scratch::new(), &mut counts, &mut |f| survey.push(f))?;
    nav.check(&mut Scratch::new(), &mut |f| found.push(f))?;
    for finding in survey {
        assert!(found.contains(&finding), "seen by survey and not by check: {finding}");
    }
    Ok((counts, found))
}

/// The generator makes each bundled file of a family again, byte for byte, and there are no others.
pub(crate) fn is_what_is_made<P: AsRef<str>>(family: &str, made: impl IntoIterator<Item = (P, Vec<u8>)>) {
    let rows = corpus::bundled_rows(family);
    let mut count = 0;
    for (path, bytes) in made {
        let row = rows.iter().find(|row| row.name() == path.as_ref());
        let row = row.unwrap_or_else(|| panic!("{}", path.as_ref()));
        assert!(row.read() == bytes, "{}", row.name());
        count += 1;
    }
    assert_eq!(rows.len(), count);
}

/// A file has the counts of its row.
pub(crate) fn has_counts(row: &Row, counts: &Counts) {
    for (name, count) in counts.iter() {
        assert_eq!(Some(count), row.number(name), "{}: {name}", row.name());
    }
}

/// Each row is what its manifest says: form, version and counts, read with findings that count, or refused at a byte.
/// `exhaust` walks all there is of a file, and says whether it could be read.
pub(crate) fn rows_hold(family: &str, exhaust: impl Fn(&[u8]) -> bool) {
    for row in corpus::bundled_rows(family) {
        // Hostile names are below their folder here.
        let path = corpus::bundled_path(family, row.name());
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(exhaust(&bytes), row.text("status") != "error", "{}", row.name());
        let nav = match AnyNav::parse(&bytes, Some(&path), &ParseOptions::default()) {
            Ok(nav) => nav,
            Err(error) => {
                assert_eq!(row.text("status"), "error", "{}: {error}", row.name());
                assert!(error.position().offset.is_some(), "{}: {error}", row.name());
                continue;
            }
        };
        assert_eq!(nav.kind().form(), row.text("form"), "{}", row.name());
        assert_eq!(nav.summary().version.map(u64::from), row.number("version"), "{}", row.name());
        let (mut counts, mut counted) = (Counts::default(), false);
        nav.survey(&mut Scratch::new(), &mut counts, &mut |f| counted |= f.severity.counts()).unwrap();
        has_counts(&row, &counts);
        assert_eq!(counted, row.text("status") == "warning", "{}", row.name());
    }
}
