//! Every row of the real corpus, when it is there.

use super::exhaust::exhaust;
use super::ulz::plain_unpack;
use navmap::bytes::Scratch;
use navmap::format::yapb::YapbNav;
use navmap::format::{AnyNav, ParseOptions};
use navmap::{Counts, Finding, Limits, NavFile, Severity};
use navmap_testkit::corpus::{self, Row};
use std::collections::BTreeMap;

fn rows() -> Vec<Row> {
    corpus::real().map_or_else(Vec::new, |root| corpus::manifest(&root.join("yapb")))
}

#[test]
fn every_row_has_its_true_counts_and_is_written_as_it_was() {
    for row in rows() {
        let bytes = row.read();
        assert!(exhaust(&bytes), "{}", row.name());
        let nav = AnyNav::parse(&bytes, Some(&row.path), &ParseOptions::default()).unwrap();
        // `graph-ub` is a graph under the magic of a fork.
        assert_eq!(nav.kind().form(), row.text("form").trim_end_matches("-ub"), "{}", row.name());
        assert_eq!(nav.summary().version.map(u64::from), row.number("version"), "{}", row.name());
        let (mut counts, mut trailing) = (Counts::default(), 0);
        let mut take = |f: Finding| {
            if f.code == Finding::TRAILING {
                trailing = bytes.len() as u64 - f.at.offset.unwrap();
            } else {
                assert_eq!(f.code, "bot-refuses", "{}: {f}", row.name());
                assert!(row.number("nodes") < Some(8), "{}: {f}", row.name());
            }
        };
        nav.survey(&mut Scratch::new(), &mut counts, &mut take).unwrap();
        for (name, count) in counts.iter() {
            assert_eq!(Some(count), row.number(name), "{}: {name}", row.name());
        }
        assert_eq!(Some(trailing), row.number("trailing").or(Some(0)), "{}", row.name());
    }
}

#[test]
fn heads_and_names_are_those_of_the_manifest() {
    for row in rows().iter().filter(|row| row.text("form").starts_with("graph")) {
        let bytes = row.read();
        let nav = YapbNav::parse(&bytes, &Limits::default()).unwrap();
        assert_eq!(format!("{:#x}", nav.options().bits()), row.text("options"), "{}", row.name());
        assert_eq!(Some(nav.packed().len() as u64), row.number("packed"), "{}", row.name());
        assert_eq!(Some(nav.extension().bytes().len() as u64), row.number("extension"), "{}", row.name());
        assert_eq!(nav.extension().author(), Some(row.text("author").as_bytes()), "{}", row.name());
        let size = row.number("map_size").filter(|size| *size > 0).map(|size| size as u32);
        assert_eq!(nav.extension().map_size(), size, "{}", row.name());
        if row.text("editor") != "-" {
            assert_eq!(nav.extension().editor(), Some(row.text("editor").as_bytes()), "{}", row.name());
        }
        // An unpacker of another kind makes the same of it, and our packer the same as the bot.
        let plain = plain_unpack(nav.packed());
        assert!(plain == from_getters(&nav), "{}", row.name());
        assert!(navmap::format::yapb::pack(&plain) == nav.packed(), "{}", row.name());
    }
}

/// The unpacked nodes again, from their getters.
fn from_getters(nav: &YapbNav<'_>) -> Vec<u8> {
    let mut out = navmap_testkit::bytes::Out::new();
    for node in nav.nodes() {
        out.i32(node.number()).u32(node.flags().bits()).f32s(&node.origin());
        out.f32s(&node.camp_start()).f32s(&node.camp_end());
        out.f32s(&[node.stored_radius(), node.light().unwrap_or(9_999_999.0), node.display_time()]);
        for link in node.slots() {
            out.f32s(&link.velocity())
                .i32(link.distance())
                .u16(link.flags().bits())
                .u16(link.target() as u16);
        }
        let [standing, crouching] = node.seen();
        out.u16(standing).u16(crouching);
    }
    out.0
}

#[test]
fn real_files_have_no_error_and_only_the_warnings_that_are_known() {
    let mut seen = BTreeMap::new();
    for row in rows() {
        let bytes = row.read();
        let nav = AnyNav::parse(&bytes, Some(&row.path), &ParseOptions::default()).unwrap();
        let mut take = |f: Finding| {
            assert!(f.severity < Severity::Error, "{}: {f}", row.name());
            *seen.entry((f.severity, f.code)).or_insert(0_u64) += 1;
        };
        nav.check(&mut Scratch::new(), &mut take).unwrap();
    }
    let warnings: Vec<_> =
        seen.keys().filter(|(severity, _)| severity.counts()).map(|(_, code)| *code).collect();
    let known = ["bot-refuses", "not-finite", "repeated-link", "self-link", "trailing-bytes", "wild-radius"];
    assert!(warnings.iter().all(|code| known.contains(code)), "{seen:?}");
    if corpus::real().is_some() {
        for code in ["wild-radius", "trailing-bytes", "bot-refuses"] {
            assert!(warnings.contains(&code), "{code} in {seen:?}");
        }
    }
}
