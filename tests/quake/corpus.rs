//! The bundled corpus: every row of its manifest, and the views against an eager decoder.

use super::common;
use super::exhaust::eager;
use navmap::format::quake::{self, Edicts, QuakeNav, Traversals, Version};
use navmap::{Counts, Finding, Result, Severity};
use navmap_testkit::corpus::{self, Row};
use navmap_testkit::quake as kit;

pub(crate) fn rows() -> Vec<Row> {
    corpus::bundled_rows("quake")
}

#[test]
fn the_generator_makes_every_file_again_byte_for_byte() {
    common::is_what_is_made("quake", kit::files().into_iter().map(|made| (made.path, made.bytes)));
}

fn holds(row: &Row, outcome: Result<(Counts, Vec<Finding>)>) {
    let status = match &outcome {
        Err(_) => "error",
        Ok((_, found)) if found.iter().any(|f| f.severity.counts()) => "warning",
        Ok(_) => "ok",
    };
    let said = outcome.as_ref().map_or_else(|e| e.to_string(), |(_, found)| format!("{found:#?}"));
    assert_eq!(status, row.text("status"), "{}: {said}", row.name());
    if let Ok((counts, _)) = outcome {
        common::has_counts(row, &counts);
    }
}

#[test]
fn every_row_is_read_as_its_manifest_says() {
    for row in rows() {
        let bytes = row.read();
        if row.text("magic") != "navjson" {
            holds(&row, QuakeNav::parse(&bytes).and_then(|nav| common::read(&nav)));
            assert!(quake::recognise(&bytes));
        }
        if row.text("magic") == "navjson" {
            holds(&row, quake::NavJson::parse(&bytes).and_then(|nav| common::read(&nav)));
            let page = &bytes[..bytes.len().min(4096)];
            assert!(quake::navjson::recognise(page), "{}", row.name());
            let four = row.name().contains("version-4");
            assert_eq!(quake::navjson::head(page).is_err(), four, "{}", row.name());
        }
    }
}

#[test]
fn known_versions_raise_nothing_but_information_on_a_sample_of_all_they_have() {
    for version in kit::VERSIONS {
        let bytes = kit::sample(version).encode(version);
        let (_, found) = common::read(&QuakeNav::parse(&bytes).unwrap()).unwrap();
        assert!(found.iter().all(|f| f.severity == Severity::Info), "{version:?}: {found:#?}");
        let codes: Vec<_> = found.iter().map(|f| f.code).collect();
        assert!(codes.contains(&"isolated"), "the last node has no link: {codes:?}");
    }
}

#[test]
fn the_views_agree_with_an_eager_decoder() {
    let mut files: Vec<(String, Vec<u8>)> = kit::VERSIONS
        .iter()
        .map(|version| (format!("{version:?}"), kit::sample(*version).encode(*version)))
        .collect();
    files.push(("grid".into(), kit::grid(3_000, 5).encode((2, 17))));
    files.extend(super::real::navs().iter().map(|row| (row.name().to_string(), row.read())));
    for (name, bytes) in files {
        let nav = QuakeNav::parse(&bytes).unwrap();
        let naive = kit::decode(&bytes).unwrap();
        assert!(eager(&nav) == naive, "{name}");
    }
}

#[test]
fn each_version_has_the_records_of_its_layout() {
    for (family, number) in kit::VERSIONS {
        let bytes = kit::sample((family, number)).encode((family, number));
        let nav = QuakeNav::parse(&bytes).unwrap();
        let wanted = if family == 2 { Version::nav2(number) } else { Version::nav3(number) };
        assert_eq!(nav.version(), wanted);
        assert_eq!(nav.heuristic().is_some(), family == 3 || number >= 16);
        assert_eq!(matches!(nav.traversals(), Traversals::Ladder(_)), family == 3 && number >= 4);
        match (family, number) {
            (2, 12) | (3, 1) => assert!(matches!(nav.edicts(), Edicts::Bare(_))),
            (2, 13 | 14) => assert!(matches!(nav.edicts(), Edicts::Handles(_))),
            (2, _) => assert!(matches!(nav.edicts(), Edicts::Entity(_))),
            _ => assert!(matches!(nav.edicts(), Edicts::Model(_))),
        }
        let layout = nav.layout();
        let at = nav.offsets();
        assert_eq!(at.edicts + layout.edict_len() * nav.edicts().len() as u64, bytes.len() as u64);
    }
}
