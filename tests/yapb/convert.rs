//! Between the two forms, and changes.

use navmap::Limits;
use navmap::format::yapb::{Form, GraphOptions, Link, PwfNav, YapbBuf, YapbNav, pack};
use navmap_testkit::corpus::{self, bundled_path};
use navmap_testkit::yapb::{extension, grid, sample};

fn graph(bytes: &[u8]) -> YapbBuf {
    YapbBuf::from(&YapbNav::parse(bytes, &Limits::default()).unwrap())
}

fn pwf(bytes: &[u8]) -> YapbBuf {
    YapbBuf::from(&PwfNav::parse(bytes).unwrap())
}

fn codes(act: impl FnOnce(&mut dyn FnMut(navmap::Finding)) -> YapbBuf) -> (YapbBuf, Vec<&'static str>) {
    let mut codes = Vec::new();
    let made = act(&mut |f| codes.push(f.code));
    (made, codes)
}

#[test]
fn a_pwf_becomes_the_graph_that_a_plain_writer_makes_of_it() {
    let mut map = sample();
    let old = pwf(&map.pwf(7, "yard"));
    let (new, lost) = codes(|lose| old.to_graph(2, lose).unwrap());
    assert_eq!(lost, ["light-missing"]);
    map.nodes.iter_mut().for_each(|node| (node.light, node.seen) = (9_999_999.0, [0; 2]));
    let plain = map.unpacked();
    let bytes = new.encode().unwrap();
    let nav = YapbNav::parse(&bytes, &Limits::default()).unwrap();
    assert_eq!(nav.packed(), pack(&plain));
    assert_eq!(nav.options(), GraphOptions::GRAPH | GraphOptions::EXTENSION | GraphOptions::CONVERTED);
    assert_eq!(nav.extension().author(), Some("Zoë".as_bytes()));
    assert_eq!((nav.extension().map_size(), nav.extension().bytes().len()), (None, 68));
}

#[test]
fn there_and_back_is_the_same_pwf_but_for_stale_pointers() {
    let rows = corpus::real().map_or_else(Vec::new, |root| corpus::manifest(&root.join("yapb")));
    let mut same = 0;
    for row in &rows {
        if !row.name().starts_with("pwf-v7") {
            continue;
        }
        let bytes = row.read();
        let old = pwf(&bytes);
        let Form::Pwf { map, .. } = &old.form else { unreachable!() };
        let map = String::from_utf8_lossy(map.split(|b| *b == 0).next().unwrap()).into_owned();
        let there = graph(&old.to_graph(2, &mut |_| {}).unwrap().encode().unwrap());
        let (back, lost) = codes(|lose| there.to_pwf(&map, false, lose).unwrap());
        assert_eq!(lost, [] as [&str; 0], "{}", row.name());
        let (mut there, mut here) = (back.encode().unwrap(), bytes);
        // The pointer of each node, and what is stale behind the zero of the map's name.
        for bytes in [&mut there, &mut here] {
            bytes[80..].chunks_mut(204).for_each(|node| node[200..].fill(0));
            bytes[16 + map.len()..48].fill(0);
        }
        assert!(there == here, "{}", row.name());
        same += 1;
    }
    assert!(same >= 4 || rows.is_empty(), "{same}");
}

#[test]
fn what_the_old_form_cannot_hold_is_named() {
    let bytes = std::fs::read(bundled_path("yapb", "v2.graph")).unwrap();
    let (old, lost) = codes(|lose| graph(&bytes).to_pwf("yard", false, lose).unwrap());
    assert_eq!(lost, ["light-lost", "map-size-lost", "editor-lost"]);
    let expected = {
        let mut map = sample();
        map.nodes[1].light = 9_999_999.0;
        map.pwf(7, "yard")
    };
    let (mut made, mut expected) = (old.encode().unwrap(), expected);
    // The stale bytes behind the author's name and the pointers.
    for bytes in [&mut made, &mut expected] {
        bytes[52..80].fill(0);
        bytes[80..].chunks_mut(204).for_each(|node| node[200..].fill(0));
    }
    assert_eq!(made, expected);
    let five = std::fs::read(bundled_path("yapb", "v5.pwf")).unwrap();
    let (_, lost) = codes(|lose| pwf(&five).to_graph(1, lose).unwrap());
    assert_eq!(lost, ["jumps-unknown", "light-missing"]);
}

#[test]
fn more_nodes_than_pod_bot_loads_are_refused_unless_asked_for() {
    let large = graph(&{
        let map = grid(33);
        let mut bytes = b"BPAY\x02\0\0\0\x08\0\0\0".to_vec();
        let plain = map.unpacked();
        let packed = pack(&plain);
        let sizes = [map.nodes.len(), packed.len(), plain.len()];
        sizes.iter().for_each(|size| bytes.extend((*size as u32).to_le_bytes()));
        [bytes, packed].concat()
    });
    let error = large.to_pwf("a", false, &mut |_| {}).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nodes: 1089 of them, POD-Bot loads 1024 at most; --large writes them all the same"
    );
    let written = large.to_pwf("a", true, &mut |_| {}).unwrap().encode().unwrap();
    assert_eq!(written.len(), 80 + 1_089 * 204);
    assert!(large.to_pwf(&"x".repeat(32), true, &mut |_| {}).is_err());
    assert!(large.to_graph(3, &mut |_| {}).is_err());
}

#[test]
fn what_another_packer_made_stays_until_a_node_changes() {
    let bytes = sample().graph(*b"BPAY", 2, 0x48, &extension(68));
    let mut buf = graph(&bytes);
    assert_eq!(buf.encode().unwrap(), bytes);
    buf.nodes[0].set_radius(80.0);
    let changed = buf.encode().unwrap();
    let nav = YapbNav::parse(&changed, &Limits::default()).unwrap();
    assert_eq!(nav.nodes()[0].radius(), Some(80.0));
    assert_eq!(nav.extension().bytes(), extension(68));
    let mut map = sample();
    map.nodes[0].radius = 80.0;
    assert_eq!(nav.packed(), pack(&map.unpacked()));
}

#[test]
fn a_removed_node_takes_its_links_along_and_the_others_follow_their_targets() {
    let mut buf = graph(&sample().graph(*b"BPAY", 2, 0x48, &extension(68)));
    buf.remove(5).unwrap();
    assert_eq!(buf.nodes.len(), 11);
    let bytes = buf.encode().unwrap();
    let nav = YapbNav::parse(&bytes, &Limits::default()).unwrap();
    assert!(nav.nodes().iter().zip(0..).all(|(node, index)| node.number() == index));
    let targets = |node: usize| nav.nodes()[node].links().map(|(_, link)| link.target()).collect::<Vec<_>>();
    assert_eq!(targets(4), [1], "the jump to the removed node is gone");
    assert_eq!(targets(0), [1, 5, 9], "from 1, 5, 6 and 10");
    assert_eq!(nav.nodes()[4].slots()[6], Link::FREE);
    assert!(buf.remove(11).is_err());
}

/// A hub with ten points around it, joined with it both ways, of which each but the last, which is far away, is joined with the
/// next if `ring`.
fn hub(ring: bool) -> (YapbBuf, Vec<navmap::Finding>) {
    use navmap::format::yapb::GRAPH_NODES;
    use navmap::graph::{Axes, FlatGraph, INCH, Link, LinkKind, Point, Shape};
    let mut flat = FlatGraph::new("spot", Axes::z_up(INCH as f32));
    for at in 0..11_u32 {
        let (far, turn) = ([0.0, 100.0, 900.0][(at > 0) as usize + (at > 9) as usize], at as f32 * 0.6);
        let at_point = Point::new(far * turn.cos() + at as f32, far * turn.sin(), 0.0);
        flat.add_node(at.into(), Shape::Point { at: at_point, radius: None });
    }
    let around = (1..9).map(|at| [at, at + 1]).filter(|_| ring);
    for [from, to] in (1..11).map(|at| [0, at]).chain(around) {
        flat.add_link(Link::new(from, to, LinkKind::Walk));
        flat.add_link(Link::new(to, from, LinkKind::Walk));
    }
    let mut bill = Vec::new();
    (YapbBuf::from_graph(&flat, GRAPH_NODES, &mut |loss| bill.push(loss)).unwrap(), bill)
}

/// The only way into a part may be the longest link of a waypoint.
#[test]
fn of_more_than_eight_links_those_go_that_others_lead_around() {
    let (made, bill) = hub(true);
    let targets: Vec<_> = made.nodes[0].links().map(|(_, link)| link.target()).collect();
    assert_eq!((targets.len(), targets.contains(&10)), (8, true), "{targets:?}");
    let lost = |bill: &[navmap::Finding]| bill.iter().filter(|loss| loss.code == "links-lost").count();
    assert_eq!(lost(&bill), 1, "{bill:?}");
    assert_eq!(hub(true).0.encode().unwrap(), made.encode().unwrap());

    let (made, bill) = hub(false);
    assert_eq!((made.nodes[0].links().count(), lost(&bill)), (8, 2));
    let said = "no way around 2 of these was found: parts of the graph may be cut off";
    assert!(bill.iter().any(|loss| loss.message == said), "{bill:?}");
}
