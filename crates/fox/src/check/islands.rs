//! Compares island graphs with the graphs they summarise. `docs/formats/fox.md`, section 9.

use super::prepared::{Groups, align16};
use super::report::{Report, at, record};
use crate::record::SegmentIndex;
use crate::view::{FoxNav, IslandGraph};
use navmap_core::Severity;
use navmap_core::error::Result;

pub(super) fn check(nav: FoxNav<'_>, groups: &Groups<'_>, report: &mut Report<'_>) -> Result<()> {
    let mut graphs = nav.island_graphs();
    for number in 0..usize::from(nav.header().island_graphs()) {
        let Some(graph) = graphs.next().transpose()? else { break };
        layout(&graph, number, report);
        islands(nav, &graph, number, groups, report)?;
    }
    let end = graphs.offset();
    let sections = [nav.header().connect_offset(), nav.header().search_offset()].map(u64::from);
    let next = sections.into_iter().filter(|at| *at != 0).min().unwrap_or(nav.bytes().len() as u64);
    if nav.header().islands_offset() != 0 && end != next {
        report.warning("islands-end", at(end), || {
            format!("the island graphs end at {end:#x}, the next section begins at {next:#x}")
        });
    }
    segments(nav, groups, report);
    Ok(())
}

fn layout(graph: &IslandGraph<'_>, number: usize, report: &mut Report<'_>) {
    let header = graph.header();
    let place = record("island graph", number, graph.offset());
    let n = u64::from(header.count());
    let links = align16(n.saturating_mul(14).saturating_add(16));
    let counts = u64::from(header.low_offset()).saturating_add(n.saturating_mul(8));
    let sides = counts.saturating_add(n.saturating_mul(2));
    let expected = [16, links, counts, sides, sides.saturating_add(24)];
    let found = [
        header.nodes_offset(),
        header.links_offset(),
        header.segments_offset(),
        header.sides_offset(),
        header.infos_offset(),
    ]
    .map(u64::from);
    if found != expected || !header.low_offset().is_multiple_of(16) || !header.next().is_multiple_of(16) {
        report
            .deviation("islands-layout", place, || format!("offsets {found:x?}, the game has {expected:x?}"));
    }
    if number > 0 && n > 0 {
        report.note(Severity::Info, "islands-graph", place, || {
            format!("{n} islands in graph {number}; in every file seen only graph 0 has any")
        });
    }
}

/// Checks that an island has the position of its low node and the attribute of that segment.
fn islands(
    nav: FoxNav<'_>,
    graph: &IslandGraph<'_>,
    number: usize,
    groups: &Groups<'_>,
    report: &mut Report<'_>,
) -> Result<()> {
    if graph.islands().is_empty() {
        return Ok(());
    }
    let mut counts = vec![0_u32; graph.islands().len()];
    let nodes = groups.iter().flat_map(|group| group.group.segment_graph().nodes());
    for island in nodes.filter_map(|node| node.islands().get(number).copied().flatten()) {
        if let Some(count) = counts.get_mut(usize::from(island)) {
            *count = count.saturating_add(1);
        }
    }
    let tables = graph.islands().iter().zip(graph.low_nodes()).zip(graph.segment_counts()).zip(counts);
    for (index, (((island, low), stated), counted)) in tables.enumerate() {
        let place = record("island", index, graph.island_offset(index))
            .around(Some(nav.frame().world(island.position())));
        // In a split tile, the stated number counts the segments of all parts.
        let (stated, split) = (u32::from(stated.get()), nav.header().is_split());
        if stated != counted && !(split && stated > counted) {
            report.warning("island-segments", place, || format!("{stated} segments, {counted} name it"));
        }
        let Some(group) = groups.find(low.id().group()) else { continue };
        let view = &group.group;
        let fine = view.world().positions().get(low.node().index());
        let coarse = view.segment_graph().positions().get(low.segment().index());
        if fine != Some(island.position()) || coarse != Some(island.position()) {
            report.warning("island-position", place, || "is not that of its low node".into());
        }
        let attribute = view.world().attributes().get(low.segment().index()).map(|a| a.get());
        if attribute != Some(island.attribute()) {
            report.warning("island-attribute", place, || {
                let segment = shown(attribute);
                format!("attribute {:#06x}, its low node's segment has {segment}", island.attribute())
            });
        }
    }
    Ok(())
}

fn shown(attribute: Option<u16>) -> String {
    attribute.map_or_else(|| "none".into(), |attribute| format!("{attribute:#06x}"))
}

/// Checks that segments name existing islands, and that linked segments of one attribute name the same island.
fn segments(nav: FoxNav<'_>, groups: &Groups<'_>, report: &mut Report<'_>) {
    let first = nav.island_graphs().next().and_then(Result::ok);
    let Some(all) = first.map(|graph| graph.islands()) else { return };
    let islands = all.len();
    for group in groups.iter() {
        report.within(group.id());
        let (graph, attributes) = (group.group.segment_graph(), group.group.world().attributes());
        let attribute = |segment: usize| attributes.get(segment).map(|a| a.get());
        for (index, node) in graph.nodes().iter().enumerate() {
            let place =
                record("segment node", index, graph.node_offset(index)).around(group.segment_point(index));
            let [own, ..] = node.islands();
            if own.is_some_and(|own| usize::from(own) >= islands) {
                report.note(Severity::Error, "dangling-island", place, || {
                    format!("island {} of group {}, there are {islands}", own.unwrap_or_default(), group.id())
                });
            }
            let shared = own.and_then(|own| all.get(usize::from(own))).map(|island| island.attribute());
            if shared.is_some() && shared != attribute(index) {
                report.warning("island-attribute", place, || {
                    format!("attribute {}, its island has {}", shown(attribute(index)), shown(shared))
                });
            }
            let Ok(links) = graph.links(node) else { continue };
            for to in links.inside.iter().map(|link| link.segment()) {
                let other = graph.nodes().get(to.index()).map(|node| node.islands());
                let [same, ..] = other.unwrap_or([own, None, None]);
                if same != own && attribute(index) == attribute(to.index()) && SegmentIndex(0xFFF) != to {
                    report.warning("island-torn", place, || {
                        format!(
                            "linked to segment #{}.{to} of the same attribute, which is on another island",
                            group.id()
                        )
                    });
                }
            }
        }
    }
}
