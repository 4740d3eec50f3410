//! Real files against the true counts of their manifest.

use super::support::{Kind, read, rows};
use navmap_core::{Finding, Severity};
use navmap_nodegraph::{AinNav, NodNav, NodeKind, NodeType, RespawnNav, TextNav};
use std::collections::BTreeMap;

#[test]
fn every_row_is_recognised_as_one_kind_and_has_its_counts() {
    for row in rows() {
        let (bytes, kind) = (row.read(), Kind::of_row(&row));
        assert_eq!(Kind::recognising(&bytes), [kind], "{}", row.name());
        let read = read(kind, &bytes).unwrap_or_else(|error| panic!("{}: {error}", row.name()));
        assert_eq!(read.summary.version.map(u64::from), row.number("version"), "{}", row.name());
        for (name, count) in read.counts.iter() {
            assert_eq!(Some(count), row.number(name), "{}: {name}", row.name());
        }
        let trailing = read.survey.iter().any(|finding| finding.code == Finding::TRAILING);
        assert_eq!(trailing, row.number("trailing") != Some(0), "{}", row.name());
        assert!(read.found.iter().all(|finding| finding.severity < Severity::Error), "{}", row.name());
    }
}

#[test]
fn nodes_by_kind_and_heads_are_those_of_the_manifest() {
    for row in rows() {
        let bytes = row.read();
        let mut kinds = BTreeMap::new();
        let mut map_version = None;
        match Kind::of_row(&row) {
            Kind::Ain => {
                let nav = AinNav::parse(&bytes).unwrap();
                map_version = Some(nav.map_version());
                nav.nodes().iter().for_each(|node| *kinds.entry(node.kind()).or_insert(0) += 1);
            }
            Kind::Text => {
                let nav = TextNav::parse(&bytes, &navmap_core::Limits::default()).unwrap();
                nav.nodes().iter().for_each(|node| *kinds.entry(node.kind()).or_insert(0) += 1);
            }
            Kind::Respawn => {
                let nav = RespawnNav::parse(&bytes).unwrap();
                map_version = Some(nav.map_version());
                nav.nodes().iter().for_each(|node| *kinds.entry(node.kind()).or_insert(0) += 1);
                assert_eq!(Some(nav.cluster_links().len() as u64), row.number("cluster_links"));
                assert_eq!(nav.script_version(), 21);
            }
            Kind::Nod => {
                let nav = NodNav::parse(&bytes).unwrap();
                assert_eq!(Some(nav.route_bytes().len() as u64), row.number("route_bytes"));
                assert_eq!(Some(nav.hash_table().len() as u64), row.number("hash_slots"));
                for node in nav.nodes() {
                    let kind = match node.kind() {
                        NodeType::LAND => NodeKind::GROUND,
                        NodeType::AIR => NodeKind::AIR,
                        _ => NodeKind::WATER,
                    };
                    *kinds.entry(kind).or_insert(0) += 1;
                }
            }
        }
        let named = [("ground", NodeKind::GROUND), ("air", NodeKind::AIR), ("climb", NodeKind::CLIMB)];
        for (column, kind) in named {
            let count = kinds.get(&kind).copied().unwrap_or(0);
            assert_eq!(Some(count), row.number(column), "{}: {column}", row.name());
        }
        if let Some(version) = map_version {
            assert_eq!(row.text("map_version"), version.to_string(), "{}", row.name());
        }
    }
}

#[test]
fn what_is_found_in_real_files_is_what_is_known() {
    let mut seen: BTreeMap<(Severity, &str), Vec<String>> = BTreeMap::new();
    for row in rows() {
        for finding in read(Kind::of_row(&row), &row.read()).unwrap().found {
            // Numbers of nodes do not fit into the table's bytes there.
            let large = row.number("nodes") > Some(256);
            assert!(large || !["route-table", "detour"].contains(&finding.code), "{}: {finding}", row.name());
            let files = seen.entry((finding.severity, finding.code)).or_default();
            files.push(format!("{}: {finding}", row.name()));
        }
    }
    for ((severity, code), files) in &seen {
        println!("{severity} {code}: {} {}", files.len(), files.first().unwrap());
    }
    let counting: Vec<_> = seen.iter().filter(|((severity, _), _)| severity.counts()).collect();
    let known = ["route-table", "wrong-zone"];
    assert!(counting.iter().all(|((_, code), _)| known.contains(code)), "{counting:#?}");
}

#[test]
fn the_route_table_is_that_of_the_shortest_ways_as_far_as_its_bytes_reach() {
    let mut asked = 0;
    for row in rows().iter().filter(|row| Kind::of_row(row) == Kind::Nod) {
        let bytes = row.read();
        let nav = NodNav::parse(&bytes).unwrap();
        let report = nav.compare_routes(u64::MAX);
        println!("{}: {report:?}", row.name());
        // As much as a check of a file of this size takes.
        assert_eq!(nav.compare_routes(384 * bytes.len() as u64), report, "{}", row.name());
        assert_eq!(report.broken, 0, "{}", row.name());
        if nav.nodes().len() <= 256 {
            let wrong = [report.astray, report.lost, report.longer];
            // The weights of re-laid files are those of another version, and their ways the same.
            assert_eq!(wrong, [0; 3], "{}: {report:?}", row.name());
            assert!(report.one_sided * 50 < report.asked, "{}: {report:?}", row.name());
        } else {
            assert!(report.astray > 0, "{}: {report:?}", row.name());
        }
        asked += report.asked;
    }
    println!("{asked} answers");
}

#[test]
fn a_sheet_says_what_hulls_can_do() {
    use navmap_core::format::NavFile;
    let made = navmap_testkit::nodegraph::sample();
    let sheet = |nav: &dyn NavFile| {
        let mut out = Vec::new();
        nav.info(&mut navmap_core::bytes::Scratch::new(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let bytes = made.ain(37, 12, 10);
    let text = sheet(&AinNav::parse(&bytes).unwrap());
    for line in
        ["  human                 ground 8, jump 2, climb 1", "  ground                                 9"]
    {
        assert!(text.contains(line), "{text}");
    }
    let bytes = navmap_testkit::nodegraph::half_life().bytes(23);
    let text = sheet(&NodNav::parse(&bytes).unwrap());
    for line in [
        "game                Sven Co-op",
        "  exit                                   1",
        "links with doors    2",
    ] {
        assert!(text.contains(line), "{text}");
    }
}
