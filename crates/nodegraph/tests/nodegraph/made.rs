//! Made files against what they were made of.

use super::support::{Kind, read};
use navmap_core::format::NavFormat;
use navmap_core::graph::{Csr, Islands, LinkKind, NavGraph};
use navmap_nodegraph::{
    AinGraph, AinNav, Doors, Hint, Hull, Moves, NOD_HULLS, NodGraph, NodNav, NodeInfo, NodeKind, RespawnNav,
    SOURCE_HULLS, Step,
};
use navmap_testkit::Made;
use navmap_testkit::nodegraph::{files, half_life, sample};
use std::collections::BTreeSet;

fn cell<'m>(file: &'m Made, name: &str) -> Option<&'m str> {
    file.row.iter().find(|(cell, _)| *cell == name).map(|(_, value)| value.as_str())
}

fn kind(file: &Made) -> Kind {
    match (cell(file, "form"), cell(file, "version")) {
        (Some("ain-text"), _) => Kind::Text,
        (Some("nod"), _) => Kind::Nod,
        (_, Some("57")) => Kind::Respawn,
        _ => Kind::Ain,
    }
}

#[test]
fn every_made_file_is_what_its_row_says() {
    for file in files() {
        let kind = kind(&file);
        let read = match read(kind, &file.bytes) {
            Ok(read) => read,
            Err(error) => {
                assert_eq!(cell(&file, "status"), Some("error"), "{}: {error}", file.path);
                assert!(error.position().offset.is_some(), "{}: {error}", file.path);
                continue;
            }
        };
        assert_ne!(cell(&file, "status"), Some("error"), "{}", file.path);
        for (name, count) in read.counts.iter() {
            assert_eq!(Some(count.to_string().as_str()), cell(&file, name), "{}: {name}", file.path);
        }
        let counts = read.survey.iter().any(|finding| finding.severity.counts());
        assert_eq!(counts, cell(&file, "status") == Some("warning"), "{}: {:?}", file.path, read.survey);
        if !file.path.contains('/') || file.path.contains("empty") {
            assert_eq!(Kind::recognising(&file.bytes), [kind], "{}", file.path);
            let counting = read.found.iter().find(|finding| finding.severity.counts());
            assert!(counting.is_none(), "{}: {counting:?}", file.path);
        }
    }
}

/// The codes of what is found in a made file.
fn codes(path: &str) -> BTreeSet<&'static str> {
    let file = files().into_iter().find(|file| file.path == path).unwrap();
    read(kind(&file), &file.bytes).unwrap().found.iter().map(|finding| finding.code).collect()
}

#[test]
fn what_was_made_wrong_is_found() {
    let found = codes("odd/values.ain");
    for code in [
        "not-finite",
        "unknown-kind",
        "unknown-info",
        "wrong-zone",
        "repeated-hammer-id",
        "in-the-air",
        "shared-origin",
        "repeated-link",
        "self-link",
        "no-move",
        "unknown-moves",
        "long-link",
        "hull-islands",
    ] {
        assert!(found.contains(code), "{code} in {found:?}");
    }
    assert!(codes("odd/link-count.ain").contains("link-count"));
    assert!(codes("odd/trailing.ain").contains("trailing-bytes"));
    assert!(codes("hostile/targets.ain").contains("dangling-target"));
    assert!(codes("odd/empty-37.ain").contains("empty-graph"));
    let found = codes("odd/clusters.ain");
    for code in ["cluster-lists", "dangling-cluster", "hint-count", "trailing-bytes"] {
        assert!(found.contains(code), "{code} in {found:?}");
    }
    let found = codes("odd/tables.nod");
    for code in ["link-run", "sort-table", "hash-table", "route-table", "not-routed"] {
        assert!(found.contains(code), "{code} in {found:?}");
    }
    let found = codes("v16.nod");
    assert!(found.contains("one-way") && !found.contains("one-sided-route"), "{found:?}");
}

#[test]
fn too_many_nodes_and_links_are_said() {
    let mut map = sample();
    for n in 0..1_488 {
        map.add([n as f32 * 8.0, 4_000.0, 0.0], 2);
    }
    for target in 13..44 {
        map.join(12, target, |_| 1);
    }
    map.number_zones();
    let found = read(Kind::Ain, &map.ain(37, 1, 10)).unwrap().found;
    let message =
        |code| found.iter().find(|finding| finding.code == code).map(|finding| finding.message.as_str());
    assert_eq!(message("too-many-nodes"), Some("1501 nodes, the engine stops at more than 1500"));
    assert_eq!(message("many-links"), Some("31 links"));
}

#[test]
fn values_are_those_that_were_written() {
    let bytes = sample().ain(41, 3_500, 12);
    let nav = AinNav::parse(&bytes).unwrap();
    assert_eq!((nav.version(), nav.map_version(), nav.hulls()), (41, 3_500, 12));
    let node = nav.nodes().get(6).unwrap();
    assert_eq!((node.origin(), node.yaw(), node.kind()), ([0.0, 300.0, 8.0], 90.0, NodeKind::CLIMB));
    assert_eq!((NodeInfo(node.info()), node.zone()), (NodeInfo::LADDER_BOTTOM, 4));
    assert_eq!(nav.nodes().get(0).unwrap().offsets()[1].get(), 0.1 - 16.0 + 20.0);
    assert!(nav.floor(0).is_some_and(|floor| floor.abs() < 0.001) && nav.floor(8).is_none());
    assert!(nav.nodes().get(13).is_none() && nav.links().get(12).is_none());
    let link = nav.links().get(6).unwrap();
    assert_eq!((link.source(), link.target()), (2, 5));
    assert_eq!(
        (link.moves(Hull::HUMAN), link.moves(Hull(1)), link.moves(Hull(200))),
        (Moves::JUMP, Moves(0), Moves(0))
    );
    assert_eq!(nav.hammer_ids().iter().map(|id| id.get()).skip(10).collect::<Vec<_>>(), [111, -1, 113]);
    assert_eq!(SOURCE_HULLS.named("Tiny"), Some(Hull(3)));
    assert_eq!(SOURCE_HULLS.bounds(Hull(8)).map(|hull| (hull.half_width, hull.min_z)), Some((38.0, -38.0)));
    assert_eq!(
        (SOURCE_HULLS.name(Hull(11)), SOURCE_HULLS.named("hull11")),
        ("hull11".to_owned(), Some(Hull(11)))
    );

    let bytes = sample().respawn(0, 3, 13, &[1, 2, 3, 4]);
    let nav = RespawnNav::parse(&bytes).unwrap();
    assert_eq!((nav.mesh_checksum(), nav.script_version()), (Some(0x0403_0201), 21));
    let clusters: Vec<_> = nav.clusters().map(Result::unwrap).collect();
    assert_eq!(clusters.len(), 4);
    assert_eq!(clusters.iter().map(|cluster| cluster.nodes.len()).sum::<usize>(), 13);
    assert_eq!(nav.script_nodes()[2].origin(), [128.0, -128.0, 8.0]);
}

#[test]
fn the_graph_of_a_hull_has_the_links_that_it_passes() {
    let bytes = sample().ain(37, 12, 10);
    let nav = AinNav::parse(&bytes).unwrap();
    let links = |graph: &AinGraph<'_>| {
        let mut links = Vec::new();
        graph.for_each_link(|link| links.push((link.from, link.to.unwrap(), link.kind))).unwrap();
        links
    };
    let people = links(&AinGraph::of_nav(&nav));
    // All twelve both ways: people, and those who fly between the two nodes in the air.
    assert_eq!(people.len(), 24);
    for (from, to, kind) in [
        (0, 1, LinkKind::Walk),
        (5, 2, LinkKind::Jump),
        (7, 6, LinkKind::Ladder),
        (9, 8, LinkKind::Other),
        (4, 1, LinkKind::Walk),
    ] {
        assert!(people.contains(&(from, to, kind)), "{from} {to}");
        assert!(people.contains(&(to, from, kind)), "{to} {from}");
    }
    let large = links(&AinGraph::of_nav(&nav).with_hull(SOURCE_HULLS.named("large").unwrap()));
    assert!(large.len() == 14 && large.iter().all(|(.., kind)| *kind == LinkKind::Walk));
    let islands = Islands::weak(&Csr::of(&AinGraph::of_nav(&nav)).whole().unwrap());
    assert_eq!(islands.sizes(), [8, 2, 2, 1]);
    let graph = nav.graph();
    assert_eq!(
        (graph.group_word(), graph.flag(0), graph.flag(35)),
        (Some("zone"), Some("ladder_bottom"), Some("air"))
    );
    let mut floors = Vec::new();
    graph.for_each_node(|node| floors.push((node.group, graph.above_floor(node)))).unwrap();
    assert_eq!((floors[0].0, floors[12].0), (Some(4), Some(1)));
    assert!((floors[0].1 - 16.0).abs() < 0.001 && floors[5].1.abs() < 0.001 && floors[8].1 == 0.0);
}

#[test]
fn the_graph_of_half_life_is_one_way_and_gated_by_doors() {
    for version in [16, 17, 23] {
        let (made, bytes) = (half_life(), half_life().bytes(version));
        let nav = NodNav::parse(&bytes).unwrap();
        assert_eq!((nav.version(), nav.flags()), (version, [true; 3]));
        assert_eq!(nav.nodes().get(4).unwrap().hint(), Hint::DOOR);
        let mut links = Vec::new();
        let human = NodGraph::new(&nav).with_hull(NOD_HULLS.named("human").unwrap());
        human.for_each_link(|link| links.push((link.from, link.to.unwrap(), link.gated))).unwrap();
        let wanted = made.links.iter().filter(|link| link.flags & 2 != 0);
        assert!(links.iter().copied().eq(wanted.map(|link| (
            link.source as u32,
            link.target as u32,
            link.model > 0
        ))));
        let door = nav.links().iter().find(|link| link.is_blocked()).unwrap();
        assert_eq!((door.model(), door.serial()), (&b"*84"[..], (version == 23).then_some(84)));
        assert!(links.contains(&(5, 2, false)) && !links.contains(&(2, 5, false)));
    }
}

#[test]
fn the_route_table_answers_as_it_was_made() {
    let bytes = half_life().bytes(16);
    let nav = NodNav::parse(&bytes).unwrap();
    let human = Hull(1);
    let way = |from, to, doors| nav.routes().way(from, to, human, doors).collect::<Vec<_>>();
    assert_eq!(way(7, 1, Doors::Shut), [7, 6, 3, 0, 1]);
    assert_eq!(way(7, 4, Doors::Open), [7, 6, 3, 0, 1, 4]);
    // The door is in the way.
    assert_eq!(way(7, 4, Doors::Shut), [7]);
    assert_eq!(nav.routes().next(7, 4, human, Doors::Shut), Step::NoWay);
    assert_eq!(nav.routes().next(5, 3, human, Doors::Shut), Step::To(2));
    assert_eq!(nav.routes().next(2, 5, human, Doors::Shut), Step::NoWay);
    assert_eq!(nav.routes().next(3, 3, human, Doors::Shut), Step::To(3));
    for (from, to, hull) in [(13, 0, 1), (0, 13, 1), (0, 1, 9)] {
        assert_eq!(nav.routes().next(from, to, Hull(hull), Doors::Open), Step::Broken);
    }
    let report = nav.compare_routes(u64::MAX);
    assert_eq!((report.broken, report.astray, report.lost, report.longer), (0, 0, 0, 0));
    assert_eq!(report.asked, 13 * 12 * 8);
}

#[test]
fn bytes_after_the_end_are_a_warning_at_the_end() {
    for file in files().iter().filter(|file| !file.path.contains('/')) {
        let longer = [&file.bytes[..], &[0xAA; 7]].concat();
        let read = read(kind(file), &longer).unwrap_or_else(|error| panic!("{}: {error}", file.path));
        let told = read.survey.iter().find(|finding| finding.code == navmap_core::Finding::TRAILING);
        let told = told.unwrap_or_else(|| panic!("{}: {:?}", file.path, read.survey));
        assert_eq!(told.at.offset, Some(file.bytes.len() as u64), "{}", file.path);
    }
}

#[test]
fn damaged_nodes_do_not_hide_the_number_of_hulls() {
    let sound = sample().ain(37, 12, 10);
    // One node, half of them, all of them: heights that are no numbers, and kinds that are none.
    for damaged in [1, 6, 13] {
        let mut bytes = sound.clone();
        for node in 0..damaged {
            let at = 12 + node * 61;
            bytes[at + 16..at + 57].fill(0xFF);
        }
        let nav = AinNav::parse(&bytes).unwrap();
        assert_eq!((nav.hulls(), nav.links().len()), (10, 12), "{damaged}");
        assert!(
            read(Kind::Ain, &bytes).unwrap().found.iter().filter(|found| found.code == "not-finite").count()
                == damaged
        );
    }
}

/// The first node of a part may be the one that is wrong.
#[test]
fn the_zone_of_a_part_is_that_of_most_of_its_nodes() {
    let mut map = sample();
    map.nodes[0].zone = 77;
    let found = read(Kind::Ain, &map.ain(37, 12, 10)).unwrap().found;
    let wrong: Vec<_> = found.iter().filter(|finding| finding.code == "wrong-zone").collect();
    assert!(
        wrong.len() == 1
            && wrong[0].at.record == Some(("node", 0))
            && wrong[0].message.starts_with("1 nodes, "),
        "{wrong:?}"
    );
}
