//! Waypoints of any graph.

use super::buf::{Form, YapbBuf, length};
use super::fit::{Way, fit};
use super::flags::{GraphOptions, LinkFlags, NodeFlags};
use super::graph::{above, kind};
use super::record::{Link, Node};
use super::view::MOST_NODES;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{FlatGraph, LinkKind, Spots, Unsaid};
use navmap_core::text::counted;
use navmap_core::{Finding, Severity};

/// Flags of other graphs, by their names in small letters, and what they are here.
const NAMED: [(&str, NodeFlags); 15] = [
    ("crouch", NodeFlags::CROUCH),
    ("ladder", NodeFlags::LADDER),
    ("lift", NodeFlags::LIFT),
    ("sniper", NodeFlags::SNIPER),
    ("capture_point", NodeFlags::GOAL),
    ("flag", NodeFlags::GOAL),
    ("defend", NodeFlags::CAMP),
    ("double_jump", NodeFlags::DOUBLE_JUMP),
    ("double_jump_or_prone", NodeFlags::DOUBLE_JUMP),
    // Closed to one team, so for the other only.
    ("no_blue", NodeFlags::TERRORISTS),
    ("no_axis", NodeFlags::TERRORISTS),
    ("no_blue_or_axis", NodeFlags::TERRORISTS),
    ("no_red", NodeFlags::COUNTER_TERRORISTS),
    ("no_allies", NodeFlags::COUNTER_TERRORISTS),
    ("no_red_or_allies", NodeFlags::COUNTER_TERRORISTS),
];

impl YapbBuf {
    /// Makes a `.graph` file of version 2 of a graph in units of Source or GoldSrc: a waypoint for each node, and at portals and
    /// ladders where the straight way is none; 36 units above the floor, 18 where one crouches. Nodes are merged if there are more
    /// than `most`. If a waypoint has more than eight links, the longest go that other links lead around. `losses` gets what is lost, as a
    /// [`Warning`](Severity::Warning), and what is supplied, as [`Info`](Severity::Info).
    ///
    /// # Errors
    /// If there are more waypoints than link targets can number.
    pub fn from_graph(graph: &FlatGraph, most: usize, losses: &mut dyn FnMut(Finding)) -> Result<Self> {
        let made = Spots::of(graph, most);
        if made.spots.len() > MOST_NODES {
            return Err(Error::invalid(
                "waypoints",
                format!("{} of them, {MOST_NODES} fit", made.spots.len()),
            ));
        }
        let mut loss = Loss::default();
        let mut nodes = waypoints(graph, &made, &mut loss);
        mark_ends(&made, &mut nodes);
        for node in &mut nodes {
            let [x, y, z] = node.origin();
            node.set_origin([x, y, z + above(node.flags())]);
        }
        join(&made, &mut nodes, &mut loss);
        loss.bill(losses);
        made.bill(graph, &loss.unsaid, losses);
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

/// What a graph says and the file cannot.
#[derive(Default)]
struct Loss {
    unsaid: Unsaid,
    /// Nodes with radii that do not fit.
    wide: u64,
    /// Links without room, and how many of them had no way around.
    full: u64,
    alone: u64,
}

impl Loss {
    /// Reports the links and the radii.
    fn bill(&self, losses: &mut dyn FnMut(Finding)) {
        let Self { wide, full, alone, .. } = *self;
        if full > 0 {
            let is = if full == 1 { "is" } else { "are" };
            let links = counted(full, "link", "links");
            let what = format!("{links} beyond the eight of a waypoint {is} lost");
            losses(Finding::new(Severity::Warning, "links-lost", what));
        }
        if alone > 0 {
            let what = format!("no way around {alone} of these was found: parts of the graph may be cut off");
            losses(Finding::new(Severity::Warning, "links-lost", what));
        }
        if wide > 0 {
            let nodes = counted(wide, "node", "nodes");
            let what = format!("radii that are not 0 to {} are lost ({nodes})", Node::WIDEST);
            losses(Finding::new(Severity::Warning, "radius-lost", what));
        }
    }
}

/// The waypoints on the floor, without links.
fn waypoints(graph: &FlatGraph, made: &Spots, loss: &mut Loss) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(made.spots.len());
    for (spot, number) in made.spots.iter().zip(0_i32..) {
        let mut flags = if spot.ladder { NodeFlags::LADDER } else { NodeFlags(0) };
        for word in spot.node.into_iter().flat_map(|node| graph.flag_words(node)) {
            match NAMED.iter().find(|(name, _)| *name == word) {
                Some((_, flag)) => flags = NodeFlags(flags.0 | flag.0),
                // A jump is a flag of links here, and is taken from their kinds.
                None if word == "jump" => {}
                None => loss.unsaid.flag(word),
            }
        }
        let mut node = Node::new(number, flags, spot.floor.to_array());
        let radius = spot.radius.unwrap_or_default();
        let fits = (0.0..=Node::WIDEST).contains(&radius);
        node.set_radius(if fits { radius } else { 0.0 });
        loss.wide = loss.wide.saturating_add((!fits).into());
        nodes.push(node);
    }
    nodes
}

/// Says of waypoints what links of the graph say: both ends of ladders, and where lifts and crouched ways lead to.
fn mark_ends(made: &Spots, nodes: &mut [Node]) {
    for (from, to, how) in &made.links {
        let flag = match how {
            LinkKind::Crouch => NodeFlags::CROUCH,
            LinkKind::Ladder => NodeFlags::LADDER,
            LinkKind::Elevator => NodeFlags::LIFT,
            _ => continue,
        };
        let ends = if *how == LinkKind::Ladder { [*from, *to] } else { [*to, *to] };
        for end in ends {
            if let Some(node) = nodes.get_mut(end as usize) {
                node.set_flags(NodeFlags(node.flags().0 | flag.0));
            }
        }
    }
}

/// Adds the links, as many as fit.
fn join(made: &Spots, nodes: &mut [Node], loss: &mut Loss) {
    let mut ways: Vec<Way> = Vec::with_capacity(made.links.len());
    for (from, to, how) in &made.links {
        let [(a, leaves), (b, arrives)] = [from, to].map(|end| {
            nodes.get(*end as usize).map(|node| (node.origin(), node.flags())).unwrap_or_default()
        });
        loss.unsaid.kind(*how, kind(*how == LinkKind::Jump, leaves, arrives));
        ways.push((*from, length(a, b), *to, *how));
    }
    ways.sort_unstable_by_key(|(from, far, to, _)| (*from, *far, *to));
    [loss.full, loss.alone] = fit(&mut ways, nodes.len());
    for (from, far, to, how) in ways {
        let flags = if how == LinkKind::Jump { LinkFlags::JUMP } else { LinkFlags(0) };
        let free = nodes
            .get_mut(from as usize)
            .and_then(|node| node.slots_mut().iter_mut().find(|slot| !slot.is_used()));
        match free.zip(i16::try_from(to).ok()) {
            Some((slot, to)) => *slot = Link::new(to, flags, far, [0.0; 3]),
            None => loss.full = loss.full.saturating_add(1),
        }
    }
}
