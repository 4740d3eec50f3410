//! Makes waypoints of points and lines.

use super::buf::{Form, YapbBuf, length};
use super::flags::{GraphOptions, LinkFlags, NodeFlags};
use super::record::{Link, Node};
use super::view::MOST_NODES;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{LinkKind, Scene, Way};
use std::collections::HashSet;

/// The kind of travel along a line. A line without one is walked.
fn kind(way: &Way<'_>) -> Option<LinkKind> {
    let kind = match way.name {
        "" => way.kind.unwrap_or(LinkKind::Walk),
        name => LinkKind::ALL.into_iter().find(|kind| kind.name() == name)?,
    };
    let known = [LinkKind::Walk, LinkKind::Jump, LinkKind::Ladder, LinkKind::Elevator];
    known.contains(&kind).then_some(kind)
}

/// The kinds of a waypoint's links, other than jumps.
#[derive(Clone, Copy, Default)]
struct Kinds {
    ladder: bool,
    elevator: bool,
    other: bool,
}

impl YapbBuf {
    /// Makes a waypoint of each point of a scene and of each end of a line, and links of its lines. Coordinates are units with z
    /// up, at the height of a player's origin. Lines lead both ways, or one way under the material `oneway`; the object or the
    /// material names jumps, ladders and elevators. Ladders and lifts are flags of waypoints: a waypoint is on a ladder if any of
    /// its links is one, on a lift if all but its jumps are. All waypoints have the same radius.
    ///
    /// The result is a `.graph` file of version 2; [`to_pwf`](Self::to_pwf) converts it.
    ///
    /// # Errors
    /// If the scene has faces or is empty, if a line is of a kind that the format lacks, if a waypoint has more than eight links,
    /// or if there are more waypoints than link targets can number.
    pub fn build(scene: &Scene, radius: f32) -> Result<Self> {
        scene.bounded()?;
        let made = scene.waypoints()?;
        if made.places.len() > MOST_NODES {
            let why = format!("{} of them, {MOST_NODES} fit", made.places.len());
            return Err(Error::invalid("waypoints", why));
        }
        let mut kinds = vec![Kinds::default(); made.places.len()];
        let mut nodes: Vec<Node> = made
            .places
            .iter()
            .zip(0_i32..)
            .map(|(at, number)| {
                let mut node = Node::new(number, NodeFlags(0), at.map(|v| v as f32));
                node.set_radius(radius);
                node
            })
            .collect();
        let mut known = HashSet::new();
        for way in &made.ways {
            let wrong = |why: String| Error::invalid("mesh", format!("{}: {why}", scene.place(way.line)));
            let kind = kind(way).ok_or_else(|| {
                wrong(format!(
                    "no link of these graphs is of kind \"{}\"; there are walk, jump, ladder and elevator",
                    way.word()
                ))
            })?;
            let [a, b] = way.ends;
            let both = [(a, b), (b, a)];
            for (from, to) in both.into_iter().take(if way.one_way { 1 } else { 2 }) {
                if known.insert((from, to, kind)) {
                    link(&mut nodes, [from as usize, to as usize], kind).map_err(wrong)?;
                }
            }
            for end in way.ends {
                let Some(kinds) = kinds.get_mut(end as usize) else { continue };
                match kind {
                    LinkKind::Jump => {}
                    LinkKind::Ladder => kinds.ladder = true,
                    LinkKind::Elevator => kinds.elevator = true,
                    _ => kinds.other = true,
                }
            }
        }
        for (node, kinds) in nodes.iter_mut().zip(&kinds) {
            let ladder = if kinds.ladder { NodeFlags::LADDER } else { NodeFlags(0) };
            let lift =
                if kinds.elevator && !kinds.ladder && !kinds.other { NodeFlags::LIFT } else { NodeFlags(0) };
            node.set_flags(ladder | lift);
        }
        let form = Form::Graph {
            magic: *b"BPAY",
            version: 2,
            options: GraphOptions::GRAPH | GraphOptions::EXTENSION,
            // Author, size of the map (0: unknown), editor.
            extension: vec![0; 68],
            packed: Vec::new(),
        };
        Ok(Self { form, nodes, trailing: Vec::new() })
    }
}

/// Puts a link into a free slot.
fn link(nodes: &mut [Node], [from, to]: [usize; 2], kind: LinkKind) -> std::result::Result<(), String> {
    let there = nodes.get(to).map(Node::origin).unwrap_or_default();
    let Some(node) = nodes.get_mut(from) else { return Ok(()) };
    let distance = length(node.origin(), there);
    let flags = if kind == LinkKind::Jump { LinkFlags::JUMP } else { LinkFlags(0) };
    let [x, y, z] = node.origin();
    let full = format!("the waypoint at {x},{y},{z} would have more than 8 links");
    let slot = node.slots_mut().iter_mut().find(|slot| !slot.is_used()).ok_or(full)?;
    *slot = Link::new(i16::try_from(to).unwrap_or(-1), flags, distance, [0.0; 3]);
    Ok(())
}
