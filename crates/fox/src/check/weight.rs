//! Checks the weights of the SegmentGraph: what it costs to leave a segment. `docs/formats/fox.md`, section 7.

use super::prepared::Prepared;
use super::report::{Report, record};
use crate::record::SegmentIndex;
use navmap_core::error::Result;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How far a weight may be from the mean of the ways, which the game rounds on the way.
const TOLERANCE: u64 = 2;

/// Nodes of a segment have numbers of 8 bits.
const MOST: usize = 256;

/// Nodes that lie where the segment's node lies. Real segments have one or two; more are not tried.
const STARTS: usize = 4;

/// Checks that each link costs as much as the mean of the shortest ways from the segment's node to those at which the
/// link crosses. Links that cross at a node to which no way leads are passed over. Linear: each node is walked over for
/// its own segment alone.
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
        // The first node from which all weights follow is the segment's own. If there is none, the first of all tells.
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

/// The shortest ways inside one segment.
#[derive(Default)]
struct Ways {
    /// By node of the segment: the weight of the shortest way to it.
    costs: Vec<Option<u64>>,
    open: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Ways {
    /// Measures the ways from a node of the segment to all others of it.
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
            // Larger counts have been reported already. Walking over them would take quadratic time.
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

    /// The mean of the ways to these nodes. `None` if there are none of them, or no way leads to one.
    fn mean(&self, crossing: &[u8]) -> Option<u64> {
        let way = |local: &u8| self.costs.get(usize::from(*local)).copied().flatten();
        let sum = crossing.iter().map(way).try_fold(0_u64, |sum, way| Some(sum.saturating_add(way?)))?;
        sum.checked_div(crossing.len() as u64)
    }
}
