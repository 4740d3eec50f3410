//! Waypoints of any graph.

use super::buf::{RcbotBuf, WaypointBuf};
use super::flags::NodeFlags;
use super::graph::ABOVE;
use super::layout::BOT_NODES;
use navmap_core::graph::{FlatGraph, LinkKind, Spots};
use navmap_core::{Finding, Severity};
use std::collections::BTreeMap;

/// Flags of other graphs, by their names in small letters, and what they are here.
const NAMED: [(&str, NodeFlags); 12] = [
    ("crouch", NodeFlags::CROUCH),
    ("jump", NodeFlags::JUMP),
    ("ladder", NodeFlags::LADDER),
    ("lift", NodeFlags::LIFT),
    ("sniper", NodeFlags::SNIPER),
    ("goal", NodeFlags::CAPTURE_POINT),
    ("camp", NodeFlags::DEFEND),
    ("double_jump", NodeFlags::DOUBLE_JUMP),
    // For this team only: closed to the other. Terrorists are the second team of their game, as red is.
    ("terrorists", NodeFlags::NO_BLUE),
    ("counter_terrorists", NodeFlags::NO_RED),
    ("blue_spawn_room", NodeFlags::NO_RED),
    ("red_spawn_room", NodeFlags::NO_BLUE),
];

impl RcbotBuf {
    /// Makes waypoints of a graph in units of Source or GoldSrc: one for each node, and at portals and ladders where the straight
    /// way is none; 32 units above the floor. Nodes are merged if there are more than the [1,024](BOT_NODES) that the bot loads.
    /// Flags that have a meaning here are kept. `losses` gets what is lost, as a [`Warning`](Severity::Warning), and what is
    /// supplied, as [`Info`](Severity::Info).
    pub fn from_graph(graph: &FlatGraph, map: &[u8], losses: &mut dyn FnMut(Finding)) -> Self {
        let made = Spots::of(graph, BOT_NODES);
        let mut lost: BTreeMap<String, u64> = BTreeMap::new();
        let mut buf = Self::new(map);
        for spot in &made.spots {
            let [x, y, z] = spot.floor.to_array();
            let mut flags = if spot.ladder { NodeFlags::LADDER } else { NodeFlags::default() };
            for word in spot.node.into_iter().flat_map(|node| graph.flag_words(node)) {
                match NAMED.iter().find(|(name, _)| *name == word) {
                    Some((_, flag)) => flags = NodeFlags(flags.0 | flag.0),
                    None => {
                        let count = lost.entry(word).or_default();
                        *count = count.saturating_add(1);
                    }
                }
            }
            let mut point = WaypointBuf::new([x, y, z + ABOVE], flags);
            point.radius = spot.radius.filter(|radius| radius.is_finite()).unwrap_or_default();
            buf.waypoints.push(point);
        }
        let mut others: BTreeMap<&str, u64> = BTreeMap::new();
        for (from, to, kind) in &made.links {
            let flag = match kind {
                LinkKind::Walk | LinkKind::Border => NodeFlags::default(),
                LinkKind::Crouch => NodeFlags::CROUCH,
                LinkKind::Jump => NodeFlags::JUMP,
                LinkKind::Drop => NodeFlags::FALL,
                LinkKind::Ladder => NodeFlags::LADDER,
                LinkKind::Elevator => NodeFlags::LIFT,
                LinkKind::RocketJump => NodeFlags::ROCKET_JUMP,
                other => {
                    let count = others.entry(other.name()).or_default();
                    *count = count.saturating_add(1);
                    NodeFlags::default()
                }
            };
            let ends = if *kind == LinkKind::Ladder { [*from, *to] } else { [*to, *to] };
            for end in ends {
                let point = buf.waypoints.get_mut(end as usize);
                point.into_iter().for_each(|point| point.flags = NodeFlags(point.flags.0 | flag.0));
            }
            let from = buf.waypoints.get_mut(*from as usize);
            from.into_iter().for_each(|point| point.targets.extend(i32::try_from(*to)));
        }
        let mut say = |severity, code, when: bool, what: String| {
            if when {
                losses(Finding::new(severity, code, what));
            }
        };
        let (merged, side) = made.merged;
        say(
            Severity::Warning,
            "nodes-merged",
            merged > 0,
            format!(
                "{merged} nodes are merged with others within {side} units, the bot loads {BOT_NODES} waypoints"
            ),
        );
        let count = buf.waypoints.len();
        let many = format!("{count} waypoints, the bot loads {BOT_NODES} at most");
        say(Severity::Warning, "bot-refuses", count > BOT_NODES, many);
        let without = format!("{} nodes without a place are lost", made.without_place);
        say(Severity::Warning, "nodes-lost", made.without_place > 0, without);
        let outside = format!("{} links that lead out of the mesh are lost", made.outside);
        say(Severity::Warning, "links-lost", made.outside > 0, outside);
        for (kind, count) in others {
            say(
                Severity::Warning,
                "link-kind-lost",
                true,
                format!("links of kind {kind} are walks now ({count})"),
            );
        }
        for (word, count) in lost {
            say(Severity::Warning, "flags-lost", true, format!("the flag {word} is lost ({count} nodes)"));
        }
        let shapes = graph.nodes().iter().any(|node| graph.corners(node).len() > 1);
        say(Severity::Warning, "shapes-lost", shapes, "the shapes of areas are lost".to_owned());
        let what = "where the bot aims, and areas of capture points, are 0".to_owned();
        say(Severity::Info, "values-supplied", count > 0, what);
        buf
    }
}
