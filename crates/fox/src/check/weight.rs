//! Checks the weights of the SegmentGraph: the costs of leaving a segment. `docs/formats/fox.md`, section 7.

use super::prepared::Prepared;
use super::report::{Report, record};
use crate::record::SegmentIndex;
use navmap_core::error::Result;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How far a weight may be from the mean path cost, because the game rounds intermediate values.
const TOLERANCE: u64 = 2;

/// Nodes of a segment have numbers of 8 bits.
const MOST: usize = 256;

/// Candidate nodes at the segment node's position. Real segments have one or two; more are not tried.
const STARTS: usize = 4;

/// Checks that each link costs the mean of the shortest paths from the segment's node to those at which the link crosses. Links
/// that cross at an unreachable node are skipped. Linear: each node is visited only for its own segment.
pub(super) fn check(group: &Prepared<'_>, report: &mut Report<'_>) -> Result<()> {
    let (graph, world) = (group.group.segment_graph(), group.group.world());
    let mut ways = Ways::default();
    for (index, node) in (0..=u16::MAX).zip(graph.nodes()) {
        let (segment, number) = (SegmentIndex(index), usize::from(index));
        let links = graph.links(node)?;
        let nodes = group.nodes_of(segment);
        if links.indices.is_empty() || nodes.len() > MOST {
            continue;
        }
        let positions = world.positions().get(nodes.clone()).unwrap_or_default();
        let starts =
            || positions.iter().enumerate().filter(|(_, at)| Some(*at) == graph.positions().get(number));
        let weights = links.inside.iter().map(|link| link.weight());
        let weights = weights.chain(links.groups.iter().map(|link| link.weight()));
        let weights = weights.chain(links.tiles.iter().map(|link| link.weight()));
        let links = || weights.clone().zip(links.crossings());
        // The first node from which all weights follow is the segment's own. If none fits, the first one's mismatch is reported.
        let mut wrong = None;
        for (start, _) in starts().take(STARTS) {
            ways.measure(group, segment, start);
            let found = links().enumerate().find_map(|(link, (weight, crossing))| {
                let mean = ways.mean(crossing)?;
                (mean.abs_diff(weight.into()) > TOLERANCE).then_some((link, weight, mean))
            });
            match found {
                None => {
                    wrong = None;
                    break;
                }
                found => wrong = wrong.or(found),
            }
        }
        if let Some((link, weight, mean)) = wrong {
            let place =
                record("segment node", number, graph.node_offset(number)).around(group.segment_point(number));
            report.warning("segment-weight", place, || {
                format!("weight {weight} of link {link}, the ways to where it crosses amount to {mean}")
            });
        }
    }
    Ok(())
}

/// The shortest paths inside one segment.
#[derive(Default)]
struct Ways {
    /// For each node of the segment: the cost of the shortest path to it.
    costs: Vec<Option<u64>>,
    open: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Ways {
    /// Computes the paths from a node of the segment to all its others.
    fn measure(&mut self, group: &Prepared<'_>, segment: SegmentIndex, start: usize) {
        let world = group.group.world();
        let nodes = group.nodes_of(segment);
        self.costs.clear();
        self.costs.resize(nodes.len(), None);
        self.open.clear();
        self.open.push(Reverse((0, start)));
        while let Some(Reverse((cost, local))) = self.open.pop() {
            let Some(known @ None) = self.costs.get_mut(local) else { continue };
            *known = Some(cost);
            let node = world.nodes().get(nodes.start.saturating_add(local));
            let Some(node) = node.filter(|node| node.segment() == segment) else { continue };
            // Larger counts were already reported. Walking over them would take quadratic time.
            let Some(links) = world.links(node).ok().filter(|links| links.inside.len() <= 6) else {
                continue;
            };
            for link in links.inside {
                let to = link.node().index().checked_sub(nodes.start);
                let edge = world.edges().get(usize::from(link.edge()));
                if let (Some(to), Some(edge)) = (to, edge)
                    && matches!(self.costs.get(to), Some(None))
                {
                    self.open.push(Reverse((cost.saturating_add(edge.weight().into()), to)));
                }
            }
        }
    }

    /// The mean cost of the paths to these nodes. `None` if the list is empty or one is unreachable.
    fn mean(&self, crossing: &[u8]) -> Option<u64> {
        let way = |local: &u8| self.costs.get(usize::from(*local)).copied().flatten();
        let sum = crossing.iter().map(way).try_fold(0_u64, |sum, way| Some(sum.saturating_add(way?)))?;
        sum.checked_div(crossing.len() as u64)
    }
}
