//! From other graphs, and to those of YaPB.

use navmap::bytes::Scratch;
use navmap::format::rcbot::{BOT_NODES, NodeFlags, RcbotBuf, RcbotNav};
use navmap::format::yapb::{GRAPH_NODES, Link as YapbLink, NodeFlags as YapbFlags, YapbBuf, YapbNav};
use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::{Csr, FlatGraph, Islands, NavGraph, Spots};
use navmap::{Finding, NavFile, NavFormat, Severity};
use navmap_testkit::corpus::{bundled, bundled_path, manifest, real};
use std::path::PathBuf;

fn graph(bytes: &[u8]) -> Option<FlatGraph> {
    AnyNav::parse(bytes, None, &ParseOptions::new()).ok()?.flat_graph().whole().ok()
}

/// Meshes and waypoints of one family: bundled ones, and some real ones.
fn meshes(family: &str, every: usize) -> Vec<PathBuf> {
    let rows = manifest(&bundled().join(family)).into_iter();
    let folder = real().map(|real| real.join(family)).filter(|folder| folder.is_dir());
    let real = folder.map(|folder| manifest(&folder)).unwrap_or_default().into_iter().step_by(every);
    rows.chain(real).map(|row| row.path).collect()
}

fn made(graph: &FlatGraph) -> (RcbotBuf, Vec<Finding>) {
    let mut bill = Vec::new();
    let buf = RcbotBuf::from_graph(graph, b"cp_made", &mut |loss| bill.push(loss));
    (buf, bill)
}

#[test]
fn waypoints_of_a_mesh_are_sound_and_lead_where_the_mesh_leads() {
    let mut converted = 0;
    for path in meshes("source", 40).into_iter().chain(meshes("yapb", 40)) {
        let bytes = std::fs::read(&path).unwrap();
        let Some(graph) = graph(&bytes).filter(|graph| graph.nodes().len() < 20_000) else { continue };
        let (buf, bill) = made(&graph);
        let written = buf.encode().unwrap();
        let nav = RcbotNav::parse(&written).unwrap();
        let mut found = Vec::new();
        nav.check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
        let few = nav.len() <= BOT_NODES;
        let odd = found.iter().find(|found| found.severity.counts() && (few || found.code != "bot-refuses"));
        assert!(odd.is_none(), "{}: {odd:?}", path.display());
        assert_eq!(few, !bill.iter().any(|loss| loss.code == "bot-refuses"), "{}", path.display());
        assert!(nav.waypoints().all(|point| point.origin().iter().all(|value| value.is_finite())));
        // Whole, every node is on the island that it was on.
        let spots = Spots::of(&graph, usize::MAX);
        let all: Vec<_> = spots.spots.iter().filter_map(|spot| spot.node).collect();
        assert_eq!(all.len() as u64 + spots.without_place, graph.nodes().len() as u64);
        let mut flat = FlatGraph::new("spot", graph.axes());
        for (spot, id) in spots.spots.iter().zip(0..) {
            flat.add_node(id, navmap::graph::Shape::Point { at: spot.floor, radius: None });
        }
        for (from, to, kind) in &spots.links {
            flat.add_link(navmap::graph::Link::new(*from, *to, *kind));
        }
        let [before, after] = [&graph, &flat].map(|graph| Islands::weak(&Csr::of(graph).value));
        let mut pairs: Vec<_> = spots
            .spots
            .iter()
            .zip(0..)
            .filter_map(|(spot, at)| Some((before.of(spot.node?)?, after.of(at)?)))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut old: Vec<u32> = pairs.iter().map(|(old, _)| *old).collect();
        let mut new: Vec<u32> = pairs.iter().map(|(_, new)| *new).collect();
        new.sort_unstable();
        let len = pairs.len();
        old.dedup();
        new.dedup();
        assert_eq!([old.len(), new.len()], [len; 2], "{}: islands are the same", path.display());
        converted += 1;
    }
    assert!(converted > 20, "{converted}");
}

#[test]
fn waypoints_stand_at_the_height_of_their_kind() {
    let bytes = std::fs::read(bundled_path("source", "town.nav")).unwrap();
    let town = graph(&bytes).unwrap();
    let (buf, bill) = made(&town);
    let mut floor = town.clone();
    floor.put_on_floor();
    let first = floor.shape(&floor.nodes()[0]).center().unwrap();
    assert_eq!(buf.waypoints[0].origin, [first.x, first.y, first.z + 32.0]);
    assert!(bill.iter().any(|loss| (loss.severity, loss.code) == (Severity::Warning, "shapes-lost")));

    // To YaPB and back: places and links stay.
    let bytes = std::fs::read(bundled_path("rcbot", "v4.rcw")).unwrap();
    let rcw = graph(&bytes).unwrap();
    let mut bill = Vec::new();
    let yapb = YapbBuf::from_graph(&rcw, GRAPH_NODES, &mut |loss| bill.push(loss)).unwrap();
    assert!(bill.iter().any(|loss| loss.code == "flags-lost"), "{bill:?}");
    let nav = RcbotNav::parse(&bytes).unwrap();
    let [x, y, z] = nav.waypoints().next().unwrap().origin();
    assert_eq!(yapb.nodes[0].origin(), [x, y, z + 4.0]);
    assert!(
        yapb.nodes[4].flags().contains(YapbFlags::LADDER)
            && yapb.nodes[3].flags().contains(YapbFlags::SNIPER)
    );
    let written = yapb.encode().unwrap();
    assert!(YapbNav::parse(&written, &navmap::Limits::default()).is_ok());
    let (back, _) = made(&graph(&written).unwrap());
    let used: Vec<_> = nav.used().collect();
    assert_eq!(back.waypoints.len(), used.len());
    for (back, point) in back.waypoints.iter().zip(&used) {
        // A player who crouches is lower, which the format of YaPB says by a flag.
        assert_eq!(back.origin.map(f32::round), point.origin().map(f32::round));
        assert_eq!(back.flags.contains(NodeFlags::LADDER), point.flags().contains(NodeFlags::LADDER));
        let links = point.targets().len();
        assert_eq!(back.targets.len(), links, "{}", point.number());
    }
}

#[test]
fn a_mesh_of_more_areas_than_the_bot_loads_is_thinned_and_that_is_said() {
    let mut flat = FlatGraph::new("area", navmap::graph::Axes::z_up(navmap::graph::INCH as f32));
    for at in 0..3_000_u32 {
        let point = navmap::graph::Point::new((at % 60) as f32 * 25.0, (at / 60) as f32 * 25.0, 0.0);
        flat.add_node(at.into(), navmap::graph::Shape::Point { at: point, radius: None });
    }
    for at in 0..3_000_u32 {
        for next in [at + 1, at + 60] {
            if next < 3_000 && (next != at + 1 || next % 60 != 0) {
                for (from, to) in [(at, next), (next, at)] {
                    flat.add_link(navmap::graph::Link::new(from, to, navmap::graph::LinkKind::Walk));
                }
            }
        }
    }
    let (buf, bill) = made(&flat);
    assert_eq!(buf.waypoints.len(), BOT_NODES);
    assert!(
        bill.iter().any(|loss| loss.code == "nodes-merged" && loss.message.starts_with("1976 nodes")),
        "{bill:?}"
    );
    let bytes = buf.encode().unwrap();
    let csr = Csr::of(&RcbotNav::parse(&bytes).unwrap().graph()).value;
    assert_eq!(Islands::strong(&csr).len(), 1);
}

/// The bundled sample of YaPB.
fn yapb() -> YapbBuf {
    let bytes = std::fs::read(bundled_path("yapb", "v2.graph")).unwrap();
    YapbBuf::from(&YapbNav::parse(&bytes, &navmap::Limits::default()).unwrap())
}

/// Waypoints of YaPB as those of RCBot2 for this map, and these as waypoints of YaPB again.
fn round(from: &YapbBuf, map: &[u8]) -> (YapbBuf, Vec<Finding>) {
    let mut bill = Vec::new();
    let there =
        RcbotBuf::from_graph(&graph(&from.encode().unwrap()).unwrap(), map, &mut |loss| bill.push(loss));
    let back = graph(&there.encode().unwrap()).unwrap();
    (YapbBuf::from_graph(&back, GRAPH_NODES, &mut |_| {}).unwrap(), bill)
}

#[test]
fn crouched_waypoints_and_those_of_one_team_stay_what_they_are() {
    let old = yapb();
    assert!(old.nodes.iter().any(|node| node.flags().contains(YapbFlags::CROUCH)));
    // The name of the second map tells no game.
    for map in ["de_yard", "zm_yard", "dod_yard"] {
        let (back, _) = round(&old, map.as_bytes());
        for (old, back) in old.nodes.iter().zip(&back.nodes) {
            assert_eq!(back.origin(), old.origin(), "{map}");
            let kept = |flags: YapbFlags| {
                let named = YapbFlags::CROUCH | YapbFlags::TERRORISTS | YapbFlags::COUNTER_TERRORISTS;
                YapbFlags(flags.0 & named.0)
            };
            assert_eq!(kept(back.flags()), kept(old.flags()), "{map}");
        }
    }
    // Where one crouches on the way, links are measured at that height.
    let mut flat = FlatGraph::new("area", navmap::graph::Axes::z_up(navmap::graph::INCH as f32));
    for x in [0.0, 30.0] {
        let at = navmap::graph::Point::new(x, 0.0, 0.0);
        flat.add_node(x as u64, navmap::graph::Shape::Point { at, radius: None });
    }
    flat.add_link(navmap::graph::Link::new(0, 1, navmap::graph::LinkKind::Crouch));
    let made = YapbBuf::from_graph(&flat, GRAPH_NODES, &mut |_| {}).unwrap();
    assert_eq!(made.nodes.iter().map(|node| node.origin()[2]).collect::<Vec<_>>(), [36.0, 18.0]);
    assert_eq!(made.nodes[0].links().next().unwrap().1.distance(), 34);
}

#[test]
fn what_the_other_bot_has_no_place_for_is_told() {
    let mut old = yapb();
    let slot = &mut old.nodes[0].slots_mut()[0];
    *slot = YapbLink::new(slot.target(), slot.flags(), slot.distance() + 50, slot.velocity());
    let itself = old.nodes[2].slots_mut().iter_mut().find(|slot| !slot.is_used()).unwrap();
    *itself = YapbLink::new(2, Default::default(), 0, [0.0; 3]);
    let unnamed = YapbFlags(old.nodes[2].flags().0 | 1 << 20);
    old.nodes[2].set_flags(unnamed);
    let mut lost = Vec::new();
    old.beyond_graph(&mut |loss| lost.push(loss.code));
    assert_eq!(lost, ["light-lost", "map-size-lost", "camp-lost", "velocity-lost", "distance-lost"]);
    let (_, bill) = round(&old, b"de_yard");
    for said in [
        "1 link from a node to itself is lost",
        "links of kind walk are of kind jump now, since waypoints say it and not links (1)",
        "the flag bit 20 is lost (1 node)",
    ] {
        let told = bill.iter().any(|loss| loss.severity == Severity::Warning && loss.message == said);
        assert!(told, "{said}: {bill:?}");
    }
    let bytes = std::fs::read(bundled_path("rcbot", "v4.rcw")).unwrap();
    let mut lost = Vec::new();
    RcbotBuf::from(&RcbotNav::parse(&bytes).unwrap())
        .beyond_graph(&mut |loss| lost.push(loss.message.to_string()));
    assert_eq!(
        lost,
        ["where the bot aims is lost (8 waypoints)", "areas of capture points are lost (1 waypoint)"]
    );
}

#[test]
fn an_older_version_becomes_the_newest_and_that_stays_as_it_is() {
    for (name, supplied) in [("v3.rcw", 1), ("v4.rcw", 0), ("odd/v1.rcw", 3)] {
        let bytes = std::fs::read(bundled_path("rcbot", name)).unwrap();
        let nav = RcbotNav::parse(&bytes).unwrap();
        let mut said = Vec::new();
        let made = RcbotBuf::from(&nav).to_newest(&mut |loss| said.push(loss)).encode().unwrap();
        assert!(
            said.len() == supplied && said.iter().all(|loss| loss.severity == Severity::Info),
            "{said:?}"
        );
        let new = RcbotNav::parse(&made).unwrap();
        assert_eq!((new.version(), new.map(), new.len()), (4, nav.map(), nav.len()));
        let same = nav.waypoints().zip(new.waypoints()).all(|(a, b)| {
            a.origin() == b.origin()
                && a.flags() == b.flags()
                && a.yaw() == b.yaw()
                && a.radius() == b.radius()
        });
        assert!(same, "{name}");
        assert!(supplied > 0 || made == bytes, "{name}");
    }
}

/// In a `.graph` every link of a lift is one, and here those that lead to it.
#[test]
fn waypoints_beside_a_lift_are_no_lifts() {
    let mut old = yapb();
    let lift = YapbFlags(old.nodes[0].flags().0 | YapbFlags::LIFT.0);
    old.nodes[0].set_flags(lift);
    assert!(old.nodes[0].links().count() > 0);
    let (points, bill) = made(&graph(&old.encode().unwrap()).unwrap());
    let of_yapb: Vec<bool> = old.nodes.iter().map(|node| node.flags().contains(YapbFlags::LIFT)).collect();
    let is_lift = |points: &RcbotBuf| -> Vec<bool> {
        points.waypoints.iter().map(|point| point.flags.contains(NodeFlags::LIFT)).collect()
    };
    assert_eq!(is_lift(&points), of_yapb);
    let said = "links of kind elevator are walks now (";
    assert!(bill.iter().any(|loss| loss.message.starts_with(said)), "{bill:?}");
    // Of a lift that links alone tell of, both ends are one.
    let mut flat = FlatGraph::new("area", navmap::graph::Axes::z_up(navmap::graph::INCH as f32));
    for x in [0.0, 90.0] {
        let at = navmap::graph::Point::new(x, 0.0, x);
        flat.add_node(x as u64, navmap::graph::Shape::Point { at, radius: None });
    }
    for (from, to) in [(0, 1), (1, 0)] {
        flat.add_link(navmap::graph::Link::new(from, to, navmap::graph::LinkKind::Elevator));
    }
    assert_eq!(is_lift(&made(&flat).0), [true; 2]);
}
