//! Checks the SegmentGraph: crossing nodes, ways back, totals. `docs/formats/fox.md`, section 7.

use super::prepared::{Groups, Prepared};
use super::report::{Report, record};
use crate::record::SegmentIndex;
use crate::view::{Crossing, SegmentLinks};
use navmap_core::error::Result;
use std::ops::Range;

pub(super) fn check(group: &Prepared<'_>, groups: &Groups<'_>, report: &mut Report<'_>) -> Result<()> {
    let (graph, world) = (group.group.segment_graph(), group.group.world());
    let segments = group.group.segment_chunk().segments().len();
    let start = record("segment node", 0, graph.node_offset(0));
    if graph.nodes().len() != segments {
        report.warning("segment-node-count", start, || {
            format!("{} nodes for {segments} segments", graph.nodes().len())
        });
    }
    let (mut indices, mut next) = (0_usize, 0_usize);
    for (index, node) in graph.nodes().iter().enumerate() {
        let place =
            record("segment node", index, graph.node_offset(index)).around(group.segment_point(index));
        let links = graph.links(node)?;
        indices = indices.saturating_add(links.indices.len());
        if node.link_offset() != next {
            report.deviation("segment-links-packed", place, || {
                format!("links at {}, those before it end at {next}", node.link_offset())
            });
        }
        let end = node.link_offset().saturating_add(links.byte_len());
        next = end.checked_next_multiple_of(2).unwrap_or(usize::MAX);
        if node.unknown_bits() != 0 {
            report.deviation("reserved", place, || format!("bits 20 to 23 are {:#x}", node.unknown_bits()));
        }

        let own = group.nodes_of(SegmentIndex(u16::try_from(index).unwrap_or(u16::MAX)));
        let positions = world.positions().get(own.clone()).unwrap_or_default();
        let position = graph.positions().get(index);
        if !positions.iter().any(|at| Some(at) == position) {
            report.warning("segment-position", place, || "is not that of a node of the segment".into());
        }

        for link in links.tiles {
            if link.segment() != SegmentIndex(0x0FFF) || link.back() != 0 {
                report.deviation("segment-link-resolved", place, || {
                    format!("a link to tile {} names segment {} already", link.tile(), link.segment())
                });
            }
        }
        if !lead_there(group, groups, &links, &own) {
            report.warning("segment-crossing", place, || {
                "a node named by a link does not cross to where the link leads".into()
            });
        }
        ways_back(group, groups, index, report)?;
    }
    if usize::from(graph.header().index_count()) != indices {
        report.warning("segment-index-count", start, || {
            format!("node indices: {} claimed, the links hold {indices}", graph.header().index_count())
        });
    }
    Ok(())
}

/// Whether the crossing nodes of the links of a segment, whose nodes are `own`, lead to where the links do.
fn lead_there(
    group: &Prepared<'_>,
    groups: &Groups<'_>,
    links: &SegmentLinks<'_>,
    own: &Range<usize>,
) -> bool {
    let world = group.group.world();
    let mut crossings = links.crossings();
    let mut lead = |leads: &dyn Fn(Crossing) -> bool| {
        let nodes = crossings.next().unwrap_or_default();
        nodes.iter().all(|local| {
            let node = own.start.saturating_add(usize::from(*local));
            let node = world.nodes().get(node).filter(|_| own.contains(&node));
            let crossing = node.and_then(|node| world.links(node).ok()).and_then(|links| links.crossing);
            crossing.is_some_and(leads)
        })
    };
    let segment_of = |crossing: Crossing| match crossing {
        Crossing::Segment { node } => world.nodes().get(node.index()).map(|node| node.segment()),
        _ => None,
    };
    let mut sound = true;
    for link in links.inside {
        sound &= lead(&|crossing| segment_of(crossing) == Some(link.segment()));
    }
    for link in links.groups {
        sound &= lead(&|crossing| {
            let Crossing::Group { group, node } = crossing else { return false };
            let there = groups.find(group).map(|there| there.group.world().nodes().get(node.index()));
            let segment = there.map(|node| node.map(|node| node.segment()));
            group == link.group() && segment.is_none_or(|segment| segment == Some(link.segment()))
        });
    }
    for link in links.tiles {
        sound &= lead(
            &|crossing| matches!(crossing, Crossing::Tile { tile, group, .. } if (tile, group) == (link.tile(), link.group())),
        );
    }
    sound
}

/// Checks that the link named by a back index leads back.
fn ways_back(group: &Prepared<'_>, groups: &Groups<'_>, index: usize, report: &mut Report<'_>) -> Result<()> {
    let graph = group.group.segment_graph();
    let Some(node) = graph.nodes().get(index) else { return Ok(()) };
    let place = record("segment node", index, graph.node_offset(index)).around(group.segment_point(index));
    let links = graph.links(node)?;
    for link in links.inside {
        let there = graph.nodes().get(link.segment().index()).and_then(|node| graph.links(node).ok());
        let back = there.and_then(|there| there.inside.get(usize::from(link.back())));
        if back.is_none_or(|back| back.segment().index() != index) {
            report.warning("segment-back", place, || {
                format!("link {} of segment {} does not lead back", link.back(), link.segment())
            });
        }
    }
    for link in links.groups {
        let Some(other) = groups.find(link.group()) else { continue };
        let graph = other.group.segment_graph();
        let there = graph.nodes().get(link.segment().index()).and_then(|node| graph.links(node).ok());
        let back = there.and_then(|there| there.groups.get(usize::from(link.back())));
        if back.is_none_or(|back| (back.group(), back.segment().index()) != (group.id(), index)) {
            report.warning("segment-back", place, || {
                format!(
                    "link {} of segment {} of group {} does not lead back",
                    link.back(),
                    link.segment(),
                    link.group()
                )
            });
        }
    }
    Ok(())
}
