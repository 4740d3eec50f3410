//! Waypoints of any graph.

use super::buf::{Form, YapbBuf};
use super::flags::{GraphOptions, LinkFlags, NodeFlags};
use super::record::{Link, Node};
use super::view::MOST_NODES;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{FlatGraph, LinkKind, Spots, Unsaid};
use navmap_core::{Finding, Severity};

/// How far above the floor the origin of a player who stands is, units.
const ABOVE: f32 = 36.0;

/// Flags of other graphs, by their names in small letters, and what they are here.
const NAMED: [(&str, NodeFlags); 10] = [
    ("crouch", NodeFlags::CROUCH),
    ("ladder", NodeFlags::LADDER),
    ("lift", NodeFlags::LIFT),
    ("sniper", NodeFlags::SNIPER),
    ("capture_point", NodeFlags::GOAL),
    ("flag", NodeFlags::GOAL),
    ("defend", NodeFlags::CAMP),
    ("double_jump", NodeFlags::DOUBLE_JUMP),
    ("no_blue", NodeFlags::TERRORISTS),
    ("no_red", NodeFlags::COUNTER_TERRORISTS),
];

impl YapbBuf {
    /// Makes a `.graph` file of version 2 of a graph in units of Source or GoldSrc: a waypoint for each node, and at portals and
    /// ladders where the straight way is none; 36 units above the floor. Of more than eight links of a waypoint, the shortest
    /// stay. `losses` gets what is lost, as a [`Warning`](Severity::Warning), and what is supplied, as [`Info`](Severity::Info).
    ///
    /// # Errors
    /// If there are more waypoints than link targets can number.
    pub fn from_graph(graph: &FlatGraph, losses: &mut dyn FnMut(Finding)) -> Result<Self> {
        let made = Spots::of(graph, MOST_NODES);
        if made.spots.len() > MOST_NODES {
            return Err(Error::invalid(
                "waypoints",
                format!("{} of them, {MOST_NODES} fit", made.spots.len()),
            ));
        }
        let mut unsaid = Unsaid::default();
        let mut nodes = Vec::with_capacity(made.spots.len());
        for (spot, number) in made.spots.iter().zip(0_i32..) {
            let mut flags = if spot.ladder { NodeFlags::LADDER } else { NodeFlags(0) };
            for word in spot.node.into_iter().flat_map(|node| graph.flag_words(node)) {
                match NAMED.iter().find(|(name, _)| *name == word) {
                    Some((_, flag)) => flags = NodeFlags(flags.0 | flag.0),
                    // A jump is a flag of links here, and is taken from their kinds.
                    None if word == "jump" => {}
                    None => unsaid.flag(word),
                }
            }
            let [x, y, z] = spot.floor.to_array();
            let mut node = Node::new(number, flags, [x, y, z + ABOVE]);
            node.set_radius(
                spot.radius.filter(|radius| (0.0..=Node::WIDEST).contains(radius)).unwrap_or_default(),
            );
            nodes.push(node);
        }
        let mut ways: Vec<(u32, i32, u32, LinkKind)> = Vec::with_capacity(made.links.len());
        for (from, to, kind) in &made.links {
            let place = |at: u32| nodes.get(at as usize).map(Node::origin).unwrap_or_default();
            let square: f32 = place(*from).iter().zip(place(*to)).map(|(a, b)| (a - b) * (a - b)).sum();
            ways.push((*from, square.sqrt() as i32, *to, *kind));
            let flag = match kind {
                LinkKind::Walk | LinkKind::Border | LinkKind::Drop | LinkKind::Jump => NodeFlags(0),
                LinkKind::Crouch => NodeFlags::CROUCH,
                LinkKind::Ladder => NodeFlags::LADDER,
                LinkKind::Elevator => NodeFlags::LIFT,
                other => {
                    unsaid.kind(*other);
                    NodeFlags(0)
                }
            };
            let ends = if *kind == LinkKind::Ladder { [*from, *to] } else { [*to, *to] };
            for end in ends {
                if let Some(node) = nodes.get_mut(end as usize) {
                    node.set_flags(NodeFlags(node.flags().0 | flag.0));
                }
            }
        }
        // The shortest first, so that those stay.
        ways.sort_unstable_by_key(|(from, far, to, _)| (*from, *far, *to));
        let mut full = 0_u64;
        for (from, far, to, kind) in ways {
            let flags = if kind == LinkKind::Jump { LinkFlags::JUMP } else { LinkFlags(0) };
            let free = nodes
                .get_mut(from as usize)
                .and_then(|node| node.slots_mut().iter_mut().find(|slot| !slot.is_used()));
            match free.zip(i16::try_from(to).ok()) {
                Some((slot, to)) => *slot = Link::new(to, flags, far, [0.0; 3]),
                None => full = full.saturating_add(1),
            }
        }
        if full > 0 {
            let what = format!("{full} links beyond the eight of a waypoint are lost");
            losses(Finding::new(Severity::Warning, "links-lost", what));
        }
        made.bill(graph, &unsaid, losses);
        if !nodes.is_empty() {
            let what = "where bots look when they camp is 0, and light is left unmeasured";
            losses(Finding::new(Severity::Info, "values-supplied", what.to_owned()));
        }
        let form = Form::Graph {
            magic: *b"BPAY",
            version: 2,
            options: GraphOptions::GRAPH | GraphOptions::EXTENSION | GraphOptions::CONVERTED,
            // Author, size of the map (0: unknown), editor.
            extension: vec![0; 68],
            packed: Vec::new(),
        };
        Ok(Self { form, nodes, trailing: Vec::new() })
    }
}
