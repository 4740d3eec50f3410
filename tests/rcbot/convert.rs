//! From other graphs, and to those of YaPB.

use navmap::bytes::Scratch;
use navmap::format::rcbot::{BOT_NODES, NodeFlags, RcbotBuf, RcbotNav};
use navmap::format::yapb::{NodeFlags as YapbFlags, YapbBuf, YapbNav};
use navmap::format::{AnyNav, Options};
use navmap::graph::{Csr, FlatGraph, Islands, NavGraph, Spots};
use navmap::{Finding, NavFile, NavFormat, Severity};
use navmap_testkit::corpus::{bundled, bundled_path, manifest, real};
use std::path::PathBuf;

fn graph(bytes: &[u8]) -> Option<FlatGraph> {
    AnyNav::parse(bytes, None, &Options::new()).ok()?.flat_graph().whole().ok()
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
    }
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
    let yapb = YapbBuf::from_graph(&rcw, &mut |loss| bill.push(loss)).unwrap();
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
