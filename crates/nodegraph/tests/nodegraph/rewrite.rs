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

/// A graph with bytes after its end, whose hulls only sound nodes tell.
fn with_a_tail(version: i32, hulls: usize) -> NodeGraphBuf {
    let mut bytes = navmap_testkit::nodegraph::sample().ain(version, 12, hulls);
    bytes.extend(b"a note");
    let nav = AinNav::parse(&bytes).unwrap();
    assert_eq!((nav.hulls(), nav.trailing()), (hulls, &b"a note"[..]));
    let graph = NodeGraphBuf::from(&nav);
    assert!(graph.encode().unwrap() == bytes);
    graph
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    for (version, hulls) in [(37, 10), (37, 11), (41, 12)] {
        let why = format!("hulls: nothing in the file would tell a reader that there are {hulls}");
        let graph = with_a_tail(version, hulls);
        // A change that leaves nodes sound is written, tail and all.
        let mut moved = graph.clone();
        moved.nodes.iter_mut().for_each(|node| node.origin[0] += 8.0);
        let bytes = moved.encode().unwrap();
        assert_eq!(NodeGraphBuf::from(&AinNav::parse(&bytes).unwrap()), moved);
        let spoilt: [fn(&mut NodeGraphBuf); 3] = [
            |graph| graph.nodes[3].yaw = f32::NAN,
            |graph| graph.nodes.iter_mut().for_each(|node| node.origin[1] = 1e30),
            |graph| graph.nodes[0].kind = NodeKind(9),
        ];
        for spoil in spoilt {
            let mut graph = graph.clone();
            spoil(&mut graph);
            assert_eq!(graph.encode().unwrap_err().to_string(), why, "{version}");
            // Without the tail the size tells.
            graph.trailing.clear();
            let bytes = graph.encode().unwrap();
            assert_eq!(AinNav::parse(&bytes).unwrap().hulls(), hulls);
        }
        let links = graph.links.len();
        let alone = NodeGraphBuf { nodes: Vec::new(), trailing: Vec::new(), ..graph };
        let why = format!("links: {links} of them, and there are no nodes");
        assert_eq!(alone.encode().unwrap_err().to_string(), why);
    }
}

#[test]
fn asking_whether_it_can_be_read_again_costs_no_more_than_reading() {
    use navmap_testkit::alloc::cost_of;
    use navmap_testkit::work::Work;
    let graph = |nodes: usize, tail: &[u8]| {
        let mut map = navmap_testkit::nodegraph::Graph::default();
        (0..nodes).for_each(|n| _ = map.add([n as f32, 0.0, 0.0], 2));
        (0..8 * nodes).for_each(|n| map.join((n % nodes) as i16, 0, |_| 1));
        [&map.ain(37, 1, 32), tail].concat()
    };
    // 32 hulls are the last that are tried, and after a tail only once all others were.
    let time = |bytes: &[u8]| {
        let graph = NodeGraphBuf::from(&AinNav::parse(bytes).unwrap());
        assert_eq!(graph.hulls, 32);
        let work = Work::start();
        let (written, cost) = cost_of(|| graph.encode().unwrap());
        assert!(written == bytes && cost.peak_bytes < 3 * bytes.len() as u64 + 4_096, "{cost:?}");
        work.time().as_secs_f64()
    };
    for tail in [&b""[..], b"tail"] {
        let [small, large] = [2_000, 8_000].map(|nodes| time(&graph(nodes, tail)));
        // Four times the file. Quadratic work would take sixteen times as long.
        assert!(large < small * 12.0 + 0.2, "{small} s, {large} s");
    }
}
