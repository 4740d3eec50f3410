//! Real and bundled files against the true counts of their manifests.

use super::exhaust::exhaust;
use navmap::bytes::Scratch;
use navmap::format::rcbot::{Game, NodeFlags, RcbotBuf, RcbotNav, WaypointBuf};
use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::{LinkKind, NavGraph};
use navmap::{Counts, Finding, NavFile, NavFormat, Severity};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus::{Row, bundled_path, bundled_rows, manifest, real};
use std::collections::BTreeSet;

fn survey(nav: &RcbotNav<'_>) -> (Counts, Vec<Finding>) {
    let (mut counts, mut found) = (Counts::default(), Vec::new());
    nav.survey(&mut Scratch::new(), &mut counts, &mut |finding| found.push(finding)).unwrap();
    (counts, found)
}

fn check(bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    let nav = RcbotNav::parse(bytes).unwrap();
    nav.check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
    for finding in survey(&nav).1 {
        assert!(found.contains(&finding), "seen by survey and not by check: {finding}");
    }
    found
}

fn bundled(name: &str) -> Vec<u8> {
    std::fs::read(bundled_path("rcbot", name)).unwrap()
}

fn rows() -> Vec<Row> {
    match real().map(|real| real.join("rcw")).filter(|folder| folder.is_dir()) {
        Some(folder) => manifest(&folder),
        None => {
            navmap_testkit::skipped("no real waypoints of RCBot2");
            Vec::new()
        }
    }
}

fn counted(row: &Row, nav: &RcbotNav<'_>) {
    let (counts, _) = survey(nav);
    let names: Vec<_> = counts.iter().map(|(name, _)| name).collect();
    assert_eq!(names, RcbotNav::COUNTS);
    for (name, count) in counts.iter() {
        assert_eq!(Some(count), row.number(name), "{}: {name}", row.name());
    }
    assert_eq!(Some(u64::from(nav.version().cast_unsigned())), row.number("version"), "{}", row.name());
}

#[test]
fn every_row_has_its_counts_and_is_written_again_byte_for_byte() {
    for row in rows() {
        let bytes = row.read();
        let nav = RcbotNav::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", row.name()));
        assert!(
            AnyNav::parse(&bytes, None, &ParseOptions::new()).is_ok_and(|nav| nav.kind().name() == "rcw")
        );
        counted(&row, &nav);
        assert_eq!(nav.map(), row.text("map").as_bytes(), "{}", row.name());
        assert_eq!(format!("{:#x}", nav.flags().bits()), row.text("flags"), "{}", row.name());
        assert!(exhaust(&bytes) && nav.trailing().is_empty(), "{}", row.name());
    }
}

#[test]
fn nothing_counts_against_a_real_file() {
    let mut seen = BTreeSet::new();
    for row in rows() {
        for finding in check(&row.read()) {
            assert!(!finding.severity.counts(), "{}: {finding}", row.name());
            seen.insert(finding.code);
        }
    }
    assert!(rows().is_empty() || seen.contains("island"), "{seen:?}");
}

#[test]
fn bundled_files_have_the_counts_of_their_manifest() {
    for row in bundled_rows("rcbot").iter().filter(|row| row.number("nodes").is_some()) {
        let bytes = row.read();
        counted(row, &RcbotNav::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", row.name())));
        let worst = check(&bytes).iter().map(|finding| finding.severity).max();
        let status = match worst {
            Some(Severity::Error) => "error",
            Some(Severity::Warning) => "warning",
            _ => "ok",
        };
        assert_eq!(status, row.text("status"), "{}", row.name());
    }
}

#[test]
fn links_are_of_the_kind_that_their_ends_say() {
    let bytes = bundled("v4.rcw");
    let nav = RcbotNav::parse(&bytes).unwrap();
    let mut kinds = Vec::new();
    nav.graph().for_each_link(|link| kinds.push((link.from, link.to.unwrap(), link.kind))).unwrap();
    // Number 6 was deleted, so that those after it have the index before theirs.
    for expected in [
        (0, 1, LinkKind::Walk),
        (1, 2, LinkKind::Jump),
        (2, 1, LinkKind::Walk),
        (4, 5, LinkKind::Ladder),
        (5, 6, LinkKind::Elevator),
        (6, 7, LinkKind::Drop),
        (7, 8, LinkKind::RocketJump),
    ] {
        assert!(kinds.contains(&expected), "{expected:?} in {kinds:?}");
    }
    // The same bit is a bomb that opens the way in Day of Defeat.
    let bytes = bundled("v3.rcw");
    let nav = RcbotNav::parse(&bytes).unwrap();
    let mut last = None;
    nav.graph().for_each_link(|link| last = if link.from == 7 { Some(link.kind) } else { last }).unwrap();
    assert_eq!((nav.game(), last), (Some(Game::DayOfDefeat), Some(LinkKind::Walk)));
    assert_eq!(Game::flag(nav.game(), NodeFlags::ROCKET_JUMP), Some("bomb_to_open"));
    assert_eq!(Game::flag(Game::of_map(b"CP_yard"), NodeFlags::ROCKET_JUMP), Some("rocket_jump"));
    assert_eq!(Game::flag(None, NodeFlags::ROCKET_JUMP), Some("rocket_jump_or_bomb_to_open"));
    assert_eq!(Game::flag(nav.game(), NodeFlags(1 << 31)), None);
}

#[test]
fn findings_say_where_they_are() {
    let found = check(&bundled("odd/values.rcw"));
    let at = |code| {
        let finding = found.iter().find(|finding| finding.code == code);
        finding.unwrap_or_else(|| panic!("{code} in {found:?}")).at.offset.unwrap()
    };
    // Behind the head and the first waypoint's 25 bytes and two links.
    assert_eq!((at("self-link"), at("repeated-link"), at("link-to-unused")), (189, 193, 197));
    for code in [
        "wild-radius",
        "wild-angle",
        "unknown-flag",
        "both-teams",
        "unused-links",
        "shared-origin",
        "not-finite",
    ] {
        at(code);
    }
    // Number 6 was deleted: those after it keep their numbers, in what the file says and in what the graph says.
    let records = |code| {
        let finding = found.iter().find(|finding| finding.code == code).unwrap();
        (finding.at.record, finding.at.id)
    };
    assert_eq!(records("shared-origin"), (Some(("waypoint", 8)), Some(8)));
    assert_eq!(records("not-finite"), records("isolated"));
    let found = check(&bundled("hostile/targets.rcw"));
    let dangling: Vec<_> = found.iter().filter(|finding| finding.code == "dangling-target").collect();
    assert_eq!(dangling[0].message, "link 0 leads to waypoint 11 of 11");
    assert_eq!(dangling.iter().map(|finding| finding.at.offset).collect::<Vec<_>>(), [Some(181), Some(185)]);
    let guessed =
        |name: &str| check(&bundled(name)).iter().find(|f| f.code == "experimental-layout").unwrap().severity;
    assert_eq!((guessed("odd/v2.rcw"), guessed("odd/v9.rcw")), (Severity::Info, Severity::Warning));
}

#[test]
fn a_waypoint_that_is_deleted_keeps_its_number_and_loses_its_links() {
    let bytes = bundled("v4.rcw");
    let mut buf = RcbotBuf::from(&RcbotNav::parse(&bytes).unwrap());
    buf.delete(1).unwrap();
    assert!(buf.delete(1).is_err() && buf.delete(6).is_err() && buf.delete(11).is_err());
    buf.waypoints.push(WaypointBuf::new([1.0, 2.0, 3.0], NodeFlags::SNIPER));
    let written = buf.encode().unwrap();
    let nav = RcbotNav::parse(&written).unwrap();
    assert_eq!((nav.len(), nav.used().count()), (12, 10));
    assert!(nav.waypoints().all(|point| point.targets().iter().all(|to| to.get() != 1)));
    assert!(check(&written).iter().all(|finding| !finding.severity.counts()));
    let new = RcbotBuf::new(b"cp_other").encode().unwrap();
    assert_eq!(RcbotNav::parse(&new).unwrap().map(), b"cp_other");
}

#[test]
fn walking_and_visiting_allocate_nothing() {
    let bytes = bundled("v4.rcw");
    let (_, cost) = cost_of(|| {
        let nav = RcbotNav::parse(&bytes).unwrap();
        let mut counts = Counts::default();
        nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
        nav.waypoints().map(|point| point.targets().len()).sum::<usize>()
    });
    assert_eq!(cost.calls, 0, "{cost:?}");
}
