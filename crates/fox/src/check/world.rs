//! Checks the NavWorld: links, edges, crossings, face references. `docs/formats/fox.md`, section 6.

use super::mesh::edges_of;
use super::prepared::{Groups, Prepared};
use super::report::{Report, record};
use crate::record::{FaceIndex, NodeIndex};
use crate::view::{Crossing, NodeLinks};
use navmap_core::Severity;
use navmap_core::error::Result;

pub(super) fn check(group: &Prepared<'_>, groups: &Groups<'_>, report: &mut Report<'_>) -> Result<()> {
    let world = group.group.world();
    let quads = group.group.mesh().descriptors().iter().any(|descriptor| descriptor.nodes() == 4);
    let mut next = 0;
    for (index, node) in world.nodes().iter().enumerate() {
        let place = record("node", index, world.node_offset(index)).around(group.node_point(index));
        let links = world.links(node)?;
        if node.link_offset() != next {
            report.deviation("links-packed", place, || {
                format!("links at {}, those before it end at {next}", node.link_offset())
            });
        }
        next = node.link_offset().saturating_add(links.byte_len());
        if node.crossing_bits() & !7 != 0 {
            report.note(Severity::Info, "node-kind", place, || {
                format!("crossing byte {:#x}", node.crossing_bits())
            });
        }
        let expected =
            if quads { matches!(links.inside.len(), 2..=6) } else { matches!(links.inside.len(), 2 | 4) };
        if !expected {
            report.warning("inside-links", place, || {
                format!("{} links inside its segment; a node on one face has 2, on two 4", links.inside.len())
            });
        }
        inside(group, index, &links, report);
        if let Some(crossing) = links.crossing {
            cross(group, groups, index, crossing, report);
        }
        face_reference(group, index, report);
    }
    edges(group, report);
    let (attributes, segments) = (world.attributes().len(), group.group.segment_chunk().segments().len());
    if attributes != segments {
        let place = record("segment", 0, group.group.segment_chunk().segment_offset(0));
        report
            .warning("attribute-count", place, || format!("{attributes} attributes for {segments} segments"));
    }
    Ok(())
}

/// Checks that links inside a segment are mutual and share their edge.
fn inside(group: &Prepared<'_>, index: usize, links: &NodeLinks<'_>, report: &mut Report<'_>) {
    let world = group.group.world();
    let place = record("node", index, world.node_offset(index)).around(group.node_point(index));
    let own = world.nodes().get(index).map(|node| node.segment());
    for link in links.inside {
        let Some(other) = world.nodes().get(link.node().index()) else { continue };
        if own != Some(other.segment()) {
            report.warning("link-leaves-segment", place, || {
                format!("the link to node {} is one of those inside a segment", link.node())
            });
        }
        // Larger counts were already reported. Searching them would take quadratic time.
        let Some(back) = world.links(other).ok().filter(|back| back.inside.len() <= 6) else { continue };
        let returns = back.inside.iter().any(|b| b.node().index() == index && b.edge() == link.edge());
        if !returns {
            report.warning("link-one-way", place, || {
                format!("node {} does not link back over edge {}", link.node(), link.edge())
            });
        }
        let base = group.nodes_of(other.segment()).start;
        let Some(edge) = world.edges().get(usize::from(link.edge())) else { continue };
        let ends = edge.local_nodes().map(|local| base.saturating_add(usize::from(local)));
        if ends != [index, link.node().index()] && ends != [link.node().index(), index] {
            report.warning("link-edge", place, || {
                format!("the link to node {} goes over edge {} between {ends:?}", link.node(), link.edge())
            });
        }
    }
}

/// Checks that a crossing leads to a node at the same position, which leads back.
fn cross(
    group: &Prepared<'_>,
    groups: &Groups<'_>,
    index: usize,
    crossing: Crossing,
    report: &mut Report<'_>,
) {
    let world = group.group.world();
    let place = record("node", index, world.node_offset(index)).around(group.node_point(index));
    let (other, to) = match crossing {
        Crossing::Segment { node } => (group, node),
        Crossing::Group { group: id, node } => match groups.find(id) {
            Some(other) => (other, node),
            None => return,
        },
        Crossing::Tile { tile, node, .. } => {
            if node != NodeIndex(0xFFFF) {
                report.deviation("crossing-resolved", place, || {
                    format!("node {node} of tile {tile} is named already")
                });
            }
            if tile == group.group.tile() {
                report
                    .warning("crossing-own-tile", place, || "the link out of the tile leads into it".into());
            }
            if group.id().side().is_none() {
                report.note(Severity::Info, "crossing-from-body", place, || {
                    format!("group {} leads out of the tile; in the game's files only strips do", group.id())
                });
            }
            return;
        }
    };
    let there = other.group.world();
    let (Some(node), Some(position)) = (there.nodes().get(to.index()), there.positions().get(to.index()))
    else {
        return report.note(Severity::Error, "dangling-crossing", place, || {
            format!("node {to} of group {} does not exist", other.id())
        });
    };
    if world.positions().get(index) != Some(position) {
        report.warning("crossing-apart", place, || format!("node {to} of group {} is elsewhere", other.id()));
    }
    let returns = match there.links(node).ok().and_then(|links| links.crossing) {
        Some(Crossing::Segment { node }) => other.id() == group.id() && node.index() == index,
        Some(Crossing::Group { group: id, node }) => id == group.id() && node.index() == index,
        _ => false,
    };
    if !returns {
        report.warning("crossing-one-way", place, || {
            format!("node {to} of group {} does not lead back", other.id())
        });
    }
    let own = world.nodes().get(index).map(|node| node.segment());
    if other.id() == group.id() && own == Some(node.segment()) {
        report.warning("crossing-same-segment", place, || format!("node {to} is in the same segment"));
    }
}

/// Checks that the face named by a node belongs to the node's segment and has the node.
fn face_reference(group: &Prepared<'_>, index: usize, report: &mut Report<'_>) {
    let world = group.group.world();
    let place = record("node", index, world.node_offset(index)).around(group.node_point(index));
    let (Some(face), Some(node)) = (world.face_references().get(index), world.nodes().get(index)) else {
        return;
    };
    let face = FaceIndex(face.get());
    let Ok(record) = group.group.mesh().face(face) else { return };
    let base = group.nodes_of(node.segment()).start;
    let has = record.nodes().iter().any(|local| base.saturating_add(usize::from(*local)) == index);
    if !has || group.segment_of(face) != Some(node.segment()) {
        report.warning("face-reference", place, || format!("face {face} is not one that has this node"));
    }
}

/// Checks that a face has three edges, each between two nodes of its segment, with a weight that matches the length.
fn edges(group: &Prepared<'_>, report: &mut Report<'_>) {
    let world = group.group.world();
    let faces = group.group.mesh().descriptors();
    let start = world.edges_offset();
    let place = |index: usize| record("edge", index, start.saturating_add((index as u64).saturating_mul(6)));
    let expected = edges_of(faces);
    if world.edges().len() != expected {
        report.warning("edge-count", place(0), || {
            format!("{} edges, the {} faces have {expected}", world.edges().len(), faces.len())
        });
    }
    for (index, edge) in world.edges().iter().enumerate() {
        let [a, b] = edge.local_nodes();
        if a >= b {
            report.deviation("edge-order", place(index), || {
                format!("between nodes {a} and {b}, not in that order")
            });
        }
        if edge.kind() != 0 {
            report.note(Severity::Info, "edge-kind", place(index), || format!("kind {}", edge.kind()));
        }
        let nodes = group.nodes_of(edge.segment());
        let end = |local: u8| {
            let node = nodes.start.saturating_add(usize::from(local));
            world.positions().get(node).filter(|_| nodes.contains(&node))
        };
        let (Some(a), Some(b)) = (end(a), end(b)) else {
            report.warning("edge-node", place(index), || "an end of it is no node of its segment".into());
            continue;
        };
        let frame = group.group.frame();
        let apart = a.quantised().into_iter().zip(b.quantised()).zip(frame.divisors);
        let square: f64 = apart.map(|((a, b), d)| (f64::from(a.abs_diff(b)) / f64::from(d)).powi(2)).sum();
        let weight = (square.sqrt() * f64::from(frame.weight_divisor)).floor();
        if (weight - f64::from(edge.weight())).abs() > 2.0 {
            report.warning("edge-weight", place(index), || {
                format!("weight {}, its length amounts to {weight}", edge.weight())
            });
        }
    }
}
