//! Waypoints of any graph.

use super::buf::{RcbotBuf, WaypointBuf};
use super::flags::NodeFlags;
use super::graph::ABOVE;
use super::layout::BOT_NODES;
use navmap_core::graph::{FlatGraph, LinkKind, Spots, Unsaid};
use navmap_core::{Finding, Severity};

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
        let mut unsaid = Unsaid::default();
        let mut buf = Self::new(map);
        for spot in &made.spots {
            let [x, y, z] = spot.floor.to_array();
            let mut flags = if spot.ladder { NodeFlags::LADDER } else { NodeFlags::default() };
            for word in spot.node.into_iter().flat_map(|node| graph.flag_words(node)) {
                match NAMED.iter().find(|(name, _)| *name == word) {
                    Some((_, flag)) => flags = NodeFlags(flags.0 | flag.0),
                    None => unsaid.flag(word),
                }
            }
            let mut point = WaypointBuf::new([x, y, z + ABOVE], flags);
            point.radius = spot.radius.filter(|radius| radius.is_finite()).unwrap_or_default();
            buf.waypoints.push(point);
        }
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
                    unsaid.kind(*other);
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
        let (merged, side) = made.merged;
        if merged > 0 {
            let what = format!(
                "{merged} nodes are merged with others within {side} units, the bot loads {BOT_NODES} waypoints"
            );
            losses(Finding::new(Severity::Warning, "nodes-merged", what));
        }
        let count = buf.waypoints.len();
        if count > BOT_NODES {
            let what = format!("{count} waypoints, the bot loads {BOT_NODES} at most");
            losses(Finding::new(Severity::Warning, "bot-refuses", what));
        }
        made.bill(graph, &unsaid, losses);
        if count > 0 {
            let what = "where the bot aims, and areas of capture points, are 0";
            losses(Finding::new(Severity::Info, "values-supplied", what.to_owned()));
        }
        buf
    }
}
