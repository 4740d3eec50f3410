//! Every row of the real corpus, when it is there.

use navmap::bytes::Scratch;
use navmap::format::quake::{self, Magic, QuakeNav};
use navmap::{Counts, NavFile, Severity};
use navmap_testkit::corpus::{self, Row};
use std::collections::BTreeMap;

/// The rows of binary graphs.
pub(crate) fn navs() -> Vec<Row> {
    rows().into_iter().filter(|row| ["NAV2", "NAV3"].contains(&row.text("magic"))).collect()
}

pub(crate) fn rows() -> Vec<Row> {
    corpus::real().map_or_else(Vec::new, |root| corpus::manifest(&root.join("quake")))
}

#[test]
fn every_row_has_its_true_counts() {
    for row in navs() {
        let bytes = row.read();
        let nav = QuakeNav::parse(&bytes).unwrap_or_else(|e| panic!("{}: {e}", row.name()));
        assert_eq!(nav.version().magic.name(), row.text("magic"), "{}", row.name());
        assert_eq!(Some(u64::from(nav.version().number)), row.number("version"), "{}", row.name());
        assert!(!nav.is_experimental(), "{}", row.name());
        let mut counts = Counts::default();
        let mut found = Vec::new();
        nav.survey(&mut Scratch::new(), &mut counts, &mut |f| found.push(f)).unwrap();
        let names: Vec<_> = counts.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["nodes", "links", "traversals", "edicts"]);
        for (name, count) in counts.iter() {
            assert_eq!(Some(count), row.number(name), "{}: {name}", row.name());
        }
        assert_eq!(found, [], "{}", row.name());
        let summary = quake::head(&bytes[..24], bytes.len() as u64).unwrap();
        assert_eq!(summary, nav.summary(), "{}", row.name());
        assert_eq!(summary.counts, counts, "{}", row.name());
        assert!(quake::recognise(&bytes[..4]));
    }
}

#[test]
fn no_real_file_has_an_error_or_an_unexpected_warning() {
    let mut seen = BTreeMap::new();
    for row in navs() {
        let bytes = row.read();
        let nav = QuakeNav::parse(&bytes).unwrap();
        let mut check = |f: navmap::Finding| {
            *seen.entry((f.severity, f.code)).or_insert(0) += 1;
            assert!(f.severity < Severity::Warning, "{}: {f}", row.name());
        };
        nav.check(&mut Scratch::new(), &mut check).unwrap();
    }
    let legal = [
        "dead-end",
        "island",
        "isolated",
        "missing-traversal",
        "unknown-link-type",
        "unreachable",
        "unresolved-entity",
    ];
    let odd: Vec<_> = seen.keys().filter(|(_, code)| !legal.contains(code)).collect();
    assert!(odd.is_empty(), "{odd:?} of {seen:?}");
}

#[test]
fn the_source_of_every_link_is_the_node_whose_slice_holds_it() {
    for row in navs() {
        let bytes = row.read();
        let nav = QuakeNav::parse(&bytes).unwrap();
        let mut seen = 0;
        for (index, node) in nav.nodes().iter().enumerate() {
            let links = nav.links_of(index).unwrap();
            assert_eq!(links.len(), usize::from(node.link_count()));
            for at in node.first_link() as usize..node.end_link() as usize {
                assert_eq!(nav.source_of(at), Some(index), "{}: link {at}", row.name());
                seen += 1;
            }
        }
        assert_eq!(seen, nav.links().len());
        assert_eq!(nav.source_of(seen), None);
        for edict in nav.edicts().iter() {
            assert_eq!(nav.edicts().of_link(edict.link().into()), Some(edict));
        }
    }
}

#[test]
fn handles_ids_and_models_are_in_the_ranges_seen() {
    use quake::EdictKey;
    for row in navs() {
        let bytes = row.read();
        let nav = QuakeNav::parse(&bytes).unwrap();
        for edict in nav.edicts().iter() {
            match edict.key() {
                EdictKey::None => assert_eq!(nav.version().number, 12),
                EdictKey::Handles { classname, .. } => assert!((-400..=0).contains(&classname.0)),
                EdictKey::Entity(id) => {
                    assert_eq!(nav.version().magic, Magic::Nav2);
                    assert!((-317..=0).contains(&id.0), "{}: {id:?}", row.name());
                }
                EdictKey::Model(model) => {
                    assert_eq!(nav.version().magic, Magic::Nav3);
                    assert!((2..=157).contains(&model.0), "{}: {model:?}", row.name());
                }
            }
        }
    }
}
