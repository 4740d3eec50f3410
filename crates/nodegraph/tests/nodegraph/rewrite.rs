//! Graphs of Source that are written again, changed and converted.

use super::support::{Kind, read, rows};
use navmap_core::{Finding, Severity};
use navmap_nodegraph::{AinNav, Hull, Moves, NodeBuf, NodeGraphBuf, NodeKind, TextNav};

fn graphs() -> Vec<(String, Vec<u8>)> {
    let rows = rows().into_iter().filter(|row| Kind::of_row(row) == Kind::Ain);
    rows.map(|row| (row.name().to_owned(), row.read())).collect()
}

#[test]
fn what_is_not_changed_is_written_as_it_was() {
    for (name, bytes) in graphs() {
        let graph = NodeGraphBuf::from(&AinNav::parse(&bytes).unwrap());
        assert!(graph.encode().unwrap() == bytes, "{name}");
    }
}

#[test]
fn zones_are_numbered_as_the_engine_numbers_them() {
    for (name, bytes) in graphs() {
        let mut graph = NodeGraphBuf::from(&AinNav::parse(&bytes).unwrap());
        // A tool made the zones of this one.
        let known = if name.ends_with("3_gm_flatgrass.ain") { 183 } else { 0 };
        assert_eq!(graph.number_zones(), known, "{name}");
    }
}

#[test]
fn a_node_goes_with_its_links_and_the_others_keep_theirs() {
    for (name, bytes) in graphs() {
        let graph = NodeGraphBuf::from(&AinNav::parse(&bytes).unwrap());
        let count = graph.nodes.len();
        for gone in [0, count / 2, count.saturating_sub(1)] {
            let mut less = graph.clone();
            if count == 0 {
                assert!(less.remove(gone).is_err());
                continue;
            }
            less.remove(gone).unwrap();
            let touches = |end: i16| end as usize == gone;
            let kept = graph.links.iter().filter(|link| !touches(link.source) && !touches(link.target));
            assert_eq!(kept.clone().count(), less.links.len(), "{name}");
            for (before, after) in kept.zip(&less.links) {
                let at = |graph: &NodeGraphBuf, end: i16| graph.nodes[end as usize].clone();
                assert_eq!(at(&graph, before.source), at(&less, after.source), "{name}");
                assert_eq!(at(&graph, before.target), at(&less, after.target), "{name}");
            }
            read(Kind::Ain, &less.encode().unwrap()).unwrap();
        }
    }
}

#[test]
fn a_text_becomes_the_binary_graph_that_it_was_printed_from() {
    for row in rows().iter().filter(|row| Kind::of_row(row) == Kind::Text) {
        let bytes = row.read();
        let printed = NodeGraphBuf::from(&TextNav::parse(&bytes, &navmap_core::Limits::default()).unwrap());
        let name = row.name().rsplit('/').next().unwrap().replace("-text27", "");
        let real = row.path.parent().unwrap().parent().unwrap().join("ain-v37").join(name);
        let real = std::fs::read(real).unwrap();
        let real = NodeGraphBuf::from(&AinNav::parse(&real).unwrap());
        assert_eq!(printed.nodes.len(), real.nodes.len());
        for (a, b) in printed.nodes.iter().zip(&real.nodes) {
            let near = |a: &f32, b: &f32| (a - b).abs() < 0.006 + b.abs() * 1e-6;
            assert!(a.origin.iter().zip(&b.origin).all(|(a, b)| near(a, b)));
            assert!(a.offsets.iter().zip(&b.offsets).all(|(a, b)| near(a, b)));
            assert_eq!((a.kind, a.info, a.zone, a.hammer_id), (b.kind, b.info, b.zone, b.hammer_id));
        }
        for (a, b) in printed.links.iter().zip(&real.links) {
            assert_eq!((a.source, a.target, &a.moves[..]), (b.source, b.target, &b.moves[..9]));
        }
    }
}

fn small() -> NodeGraphBuf {
    let mut graph = NodeGraphBuf::new(41, 7, 12);
    for x in [0.0, 100.0, 200.0] {
        graph.nodes.push(NodeBuf::new(NodeKind::GROUND, [x, 0.0, 0.0], 12));
    }
    let link = |source, target, hulls: &[usize]| {
        let mut moves = vec![0; 12];
        hulls.iter().for_each(|hull| moves[*hull] = Moves::GROUND.0);
        navmap_nodegraph::LinkBuf { source, target, moves }
    };
    graph.links = vec![link(0, 1, &[0, 3, 11]), link(1, 2, &[10, 11])];
    graph.nodes[0].info = 0x0800_0000;
    graph.nodes[1].info = 0x0012_0001;
    graph.number_zones();
    graph
}

#[test]
fn another_number_of_hulls_is_a_bill() {
    let graph = small();
    let mut bill: Vec<Finding> = Vec::new();
    let less = graph.to_form(37, 10, &mut |loss| bill.push(loss)).unwrap();
    let codes: Vec<_> = bill.iter().map(|loss| (loss.severity, loss.code)).collect();
    assert_eq!(
        codes,
        [
            (Severity::Warning, "hull-lost"),
            (Severity::Warning, "hull-lost"),
            (Severity::Warning, "link-lost"),
            (Severity::Warning, "bits-lost"),
            (Severity::Info, "zones-numbered"),
        ]
    );
    assert_eq!(bill[0].message, "links are lost to the hull hull10 (1)");
    assert_eq!((less.links.len(), less.nodes[0].info, less.nodes[1].info), (1, 0x4000, 1));
    assert_eq!(less.nodes.iter().map(|node| node.zone).collect::<Vec<_>>(), [4, 4, 1]);
    let bytes = less.encode().unwrap();
    let nav = AinNav::parse(&bytes).unwrap();
    assert_eq!((nav.version(), nav.hulls()), (37, 10));
    assert_eq!(nav.links().get(0).unwrap().moves(Hull(3)), Moves::GROUND);

    bill.clear();
    let more = less.to_form(41, 13, &mut |loss| bill.push(loss)).unwrap();
    assert_eq!(bill.iter().map(|loss| loss.code).collect::<Vec<_>>(), ["hull-closed"]);
    assert_eq!(AinNav::parse(&more.encode().unwrap()).unwrap().hulls(), 13);
    assert!(less.to_form(38, 10, &mut |_| {}).is_err() && less.to_form(37, 0, &mut |_| {}).is_err());
}

#[test]
fn what_does_not_fit_is_not_written() {
    let mut graph = small();
    graph.version = 37;
    assert_eq!(
        graph.encode().unwrap_err().to_string(),
        "node 0: bits: 0x8000000 do not fit into the 16 of version 37"
    );
    graph.version = 40;
    assert!(graph.encode().is_err());
    graph.version = 41;
    graph.links[0].moves.pop();
    assert_eq!(graph.encode().unwrap_err().to_string(), "link 0: hulls: 11 of them, the graph has 12");
}
