//! Waypoints of any graph, and of other versions.

use super::buf::{RcbotBuf, WaypointBuf};
use super::flags::{Game, NodeFlags};
use super::graph::{ABOVE, kind};
use super::layout::{BOT_NODES, Layout};
use navmap_core::graph::{FlatGraph, LinkKind, Spots, Unsaid};
use navmap_core::text::counted;
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
        // Of a link that begins or ends on a lift, the waypoint that is the lift has the flag, and the other is beside it.
        let lifts: Vec<bool> =
            buf.waypoints.iter().map(|point| point.flags.contains(NodeFlags::LIFT)).collect();
        let is_lift = |at: &u32| lifts.get(*at as usize) == Some(&true);
        for (from, to, how) in &made.links {
            let flag = match how {
                LinkKind::Crouch => NodeFlags::CROUCH,
                LinkKind::Jump => NodeFlags::JUMP,
                LinkKind::Drop => NodeFlags::FALL,
                LinkKind::Ladder => NodeFlags::LADDER,
                LinkKind::Elevator if !is_lift(from) => NodeFlags::LIFT,
                LinkKind::RocketJump => NodeFlags::ROCKET_JUMP,
                _ => NodeFlags::default(),
            };
            let ends = if *how == LinkKind::Ladder { [*from, *to] } else { [*to, *to] };
            for end in ends {
                let point = buf.waypoints.get_mut(end as usize);
                point.into_iter().for_each(|point| point.flags = NodeFlags(point.flags.0 | flag.0));
            }
            let from = buf.waypoints.get_mut(*from as usize);
            from.into_iter().for_each(|point| point.targets.extend(i32::try_from(*to)));
        }
        let game = Game::of_map(map);
        for (from, to, before) in &made.links {
            let flags = |at: u32| buf.waypoints.get(at as usize).map_or_else(NodeFlags::default, |p| p.flags);
            unsaid.kind(*before, kind(game, flags(*from), flags(*to)));
        }
        made.bill(graph, &unsaid, losses);
        if !buf.waypoints.is_empty() {
            let what = "where the bot aims, and areas of capture points, are 0";
            losses(Finding::new(Severity::Info, "values-supplied", what.to_owned()));
        }
        buf
    }

    /// The same waypoints as version 4. `losses` gets what is supplied, as [`Info`](Severity::Info).
    #[must_use]
    pub fn to_newest(&self, losses: &mut dyn FnMut(Finding)) -> Self {
        let layout = Layout::for_version(self.version);
        for (there, what) in [
            (layout.authors, "the author and the last editor are unnamed"),
            (layout.area, "areas of capture points are 0"),
            (layout.radius, "radii are 0"),
        ] {
            if !there {
                losses(Finding::new(Severity::Info, "values-supplied", what.to_owned()));
            }
        }
        Self { version: 4, ..self.clone() }
    }

    /// Tells what the waypoints say and their [graph](super::WaypointGraph) does not, a [`Warning`](Severity::Warning) for each
    /// kind: it is lost in waypoints of another bot.
    pub fn beyond_graph(&self, losses: &mut dyn FnMut(Finding)) {
        let mut lost = |code, count: usize, [one, many]: [&str; 2], what: &str| {
            if count > 0 {
                let what = format!("{what} ({})", counted(count as u64, one, many));
                losses(Finding::new(Severity::Warning, code, what));
            }
        };
        let count = |lost: fn(&WaypointBuf) -> bool| {
            self.waypoints.iter().filter(|point| point.used != 0 && lost(point)).count()
        };
        let points = ["waypoint", "waypoints"];
        lost("yaw-lost", count(|point| point.yaw != 0), points, "where the bot aims is lost");
        lost("area-lost", count(|point| point.area != 0), points, "areas of capture points are lost");
        let odd =
            |point: &WaypointBuf| point.radius != 0.0 && !(point.radius > 0.0 && point.radius.is_finite());
        lost("radius-lost", count(odd), points, "radii that are none are lost");
        lost("trailing-bytes-lost", self.trailing.len(), ["byte", "bytes"], "what follows the end is lost");
    }
}
