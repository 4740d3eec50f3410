//! Joins segments: neighbours of faces, crossing links of nodes, and the graph of segments.

use super::group::{Draft, Numbered, distance_squared, metres};
use super::sides::{Across, FaceSide};
use crate::buf::{GroupBuf, SegmentGraphBuf, SegmentNodeBuf, WorldBuf};
use crate::record::{
    Bounds, GroupId, NodeIndex, Position, Segment, SegmentGroupLink, SegmentIndex, SegmentInsideLink,
    SegmentTileLink, TileId,
};
use crate::view::{Crossing, Frame};
use navmap_core::error::{Error, Result};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The target of a coarse link. Links of a segment are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum To {
    /// A segment of the group.
    Segment(u16),
    /// A segment of another group, by its position among the groups.
    Group(u16, u16),
    /// A group of another tile.
    Tile(u16, u16),
}

impl To {
    /// The index of the segment's list that holds it.
    fn block(self) -> u8 {
        match self {
            Self::Segment(_) => 0,
            Self::Group(..) => 1,
            Self::Tile(..) => 2,
        }
    }
}

/// A coarse link: its source, its target, and the nodes of the source at which it crosses.
#[derive(Clone, Debug)]
pub(super) struct CoarseLink {
    from: u16,
    to: To,
    nodes: Vec<u8>,
}

/// The coarse links of a group, by segment and target.
pub(super) fn links(draft: &Draft, numbered: &Numbered, drafts: &[Draft]) -> Vec<CoarseLink> {
    let mut crossings = Vec::new();
    for (face, across) in (0_u32..).zip(&draft.across) {
        let from = draft.segment(face);
        for (side, across) in across.iter().enumerate() {
            let to = match across {
                Across::Face(FaceSide { face: other, .. }) if draft.segment(*other) != from => {
                    To::Segment(draft.segment(*other))
                }
                Across::Group(group, FaceSide { face, .. }) => {
                    To::Group(*group, drafts.get(usize::from(*group)).map_or(u16::MAX, |d| d.segment(*face)))
                }
                Across::Tile { tile, group } => To::Tile(*tile, *group),
                Across::Face(_) | Across::Border => continue,
            };
            let node =
                numbered.nodes.get(face as usize).and_then(|nodes| nodes.get(side)).copied().unwrap_or(0);
            let base = numbered.segments.get(usize::from(from)).map_or(0, |segment| segment.nodes().start);
            crossings.push((from, to, usize::from(node).saturating_sub(base) as u8));
        }
    }
    crossings.sort_unstable();
    crossings.dedup();
    let runs = crossings.chunk_by(|(a, b, _), (c, d, _)| (a, b) == (c, d));
    runs.filter_map(|run| {
        let (from, to, _) = *run.first()?;
        Some(CoarseLink { from, to, nodes: run.iter().map(|(.., node)| *node).collect() })
    })
    .collect()
}

/// The position of a link in its list: among those from the same segment to the same kind of target.
fn position(links: &[CoarseLink], from: u16, to: To) -> Option<u8> {
    let key = |link: &CoarseLink| (link.from, link.to);
    let at = links.binary_search_by_key(&(from, to), key).ok()?;
    let first = links.partition_point(|link| (link.from, link.to.block()) < (from, to.block()));
    u8::try_from(at.saturating_sub(first)).ok()
}

/// The finished group, with the links between segments added to a numbered one.
pub(super) fn finish(
    index: usize,
    draft: &Draft,
    numbered: &[Numbered],
    drafts: &[Draft],
    all: &[Vec<CoarseLink>],
    frame: &Frame,
) -> Result<GroupBuf> {
    let mut group = GroupBuf::new(draft.id);
    let Some(own) = numbered.get(index) else { return Ok(group) };
    group.world = own.world.clone();
    group.mesh = own.mesh.clone();
    group.bounds.clone_from(&own.bounds);
    group.segments.clone_from(&own.segments);
    cross(draft, own, numbered, drafts, &mut group);
    let links = all.get(index).map_or(&[][..], Vec::as_slice);
    group.graph = graph(index, own, links, all, drafts, frame)
        .map_err(|error| error.in_record("group", u64::from(draft.id.index())))?;
    Ok(group)
}

/// Fills in the neighbours of faces and the crossing links of nodes.
fn cross(draft: &Draft, own: &Numbered, numbered: &[Numbered], drafts: &[Draft], group: &mut GroupBuf) {
    let node_at = |numbered: &Numbered, place: &FaceSide| {
        let nodes = numbered.nodes.get(place.face as usize);
        NodeIndex(nodes.and_then(|nodes| nodes.get(usize::from(place.side))).copied().unwrap_or(u16::MAX))
    };
    let mut crossings = vec![None; group.world.nodes.len()];
    for (face, across) in (0_u32..).zip(&draft.across) {
        let Some(mut record) = group.mesh.faces.get(face as usize) else { continue };
        let leaves = across.iter().any(|a| matches!(a, Across::Tile { .. }));
        let crossing = leaves || across.iter().any(|a| matches!(a, Across::Group(..)));
        let from = draft.segment(face);
        for (side, across) in across.iter().enumerate() {
            let (word, group_id, tile, link) = match across {
                Across::Border => (0xFFFF, 0xFFFF, 0, None),
                Across::Face(place) => {
                    let node = node_at(own, place);
                    let link = (draft.segment(place.face) != from).then_some(Crossing::Segment { node });
                    (place.face as u16 & 0x3FFF, 0xFFFF, 0, link)
                }
                Across::Group(slot, place) => {
                    let id = drafts.get(usize::from(*slot)).map_or(u16::MAX, |d| d.id.index());
                    let other = numbered.get(usize::from(*slot));
                    let node = other.map_or(NodeIndex(u16::MAX), |other| node_at(other, place));
                    let link = Crossing::Group { group: GroupId(id), node };
                    (0x4000 | place.face as u16 & 0x3FFF, id, 0, Some(link))
                }
                Across::Tile { tile, group } => {
                    let link = Crossing::Tile {
                        tile: TileId(*tile),
                        group: GroupId(*group),
                        node: NodeIndex(0xFFFF),
                    };
                    (0xBFFF, *group, *tile, Some(link))
                }
            };
            let tile = if leaves && !matches!(across, Across::Tile { .. }) { 0xFFFF } else { tile };
            record.neighbours.get_mut(side).into_iter().for_each(|to| *to = word);
            if crossing {
                record.groups.get_mut(side).into_iter().for_each(|to| *to = group_id);
                record.tiles.get_mut(side).into_iter().for_each(|to| *to = tile);
            }
            let node = own.nodes.get(face as usize).and_then(|nodes| nodes.get(side)).copied();
            if let (Some(link), Some(slot)) = (link, node.and_then(|n| crossings.get_mut(usize::from(n)))) {
                *slot = Some(link);
            }
        }
        group.mesh.faces.set(face as usize, record);
    }
    group.world.set_crossings(|node, _| crossings.get(node).copied().flatten());
}

/// The graph of segments.
fn graph(
    index: usize,
    own: &Numbered,
    links: &[CoarseLink],
    all: &[Vec<CoarseLink>],
    drafts: &[Draft],
    frame: &Frame,
) -> Result<SegmentGraphBuf> {
    let mut graph = SegmentGraphBuf::default();
    let mut ways = Ways::default();
    let mut rest = links;
    for (number, segment) in (0..=u16::MAX).zip(&own.segments) {
        let positions = own.world.positions.get(segment.nodes()).unwrap_or_default();
        let bounds = own.bounds.get(usize::from(number));
        let heart = bounds.map_or(0, |bounds| nearest(positions, bounds, frame));
        graph.positions.push(positions.get(heart).copied().unwrap_or_default());
        ways.measure(&own.world, segment, heart);
        let count = rest.iter().take_while(|link| link.from == number).count();
        let (these, later) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        rest = later;
        let mut node = SegmentNodeBuf { islands: [0, 0xFFFF, 0xFFFF], ..SegmentNodeBuf::default() };
        for link in these {
            let weight = ways.mean(&link.nodes);
            let crossings = u8::try_from(link.nodes.len()).unwrap_or(u8::MAX);
            let back = |links: Option<&Vec<CoarseLink>>, from: u16, to: To| {
                links.and_then(|links| position(links, from, to)).ok_or_else(|| {
                    Error::invalid("links of a segment", "more than 255 of one kind")
                        .in_record("segment", u64::from(number))
                })
            };
            match link.to {
                To::Segment(to) => {
                    let back = back(all.get(index), to, To::Segment(number))?;
                    graph.inside.push(SegmentInsideLink::new(weight, SegmentIndex(to), crossings, back));
                    node.inside = node.inside.saturating_add(1);
                }
                To::Group(slot, to) => {
                    let back = back(all.get(usize::from(slot)), to, To::Group(index as u16, number))?;
                    let id = GroupId(drafts.get(usize::from(slot)).map_or(u16::MAX, |d| d.id.index()));
                    graph.groups.push(SegmentGroupLink::new(id, weight, SegmentIndex(to), crossings, back));
                    node.groups = node.groups.saturating_add(1);
                }
                To::Tile(tile, group) => {
                    graph.tiles.push(SegmentTileLink::new(TileId(tile), GroupId(group), weight, crossings));
                    node.tiles = node.tiles.saturating_add(1);
                }
            }
            graph.indices.extend_from_slice(&link.nodes);
        }
        graph.nodes.push(node);
    }
    Ok(graph)
}

/// The node nearest to the middle of a box; the first among equals.
pub(crate) fn nearest(positions: &[Position], bounds: &Bounds, frame: &Frame) -> usize {
    let ([ax, ay, az], [bx, by, bz]) = (metres(bounds.min(), frame), metres(bounds.max(), frame));
    let middle = [f64::midpoint(ax, bx), f64::midpoint(ay, by), f64::midpoint(az, bz)];
    let mut best = (f64::INFINITY, 0);
    for (index, position) in positions.iter().enumerate() {
        let far = distance_squared(metres(position, frame), middle);
        if far < best.0 {
            best = (far, index);
        }
    }
    best.1
}

/// The cheapest paths inside one segment.
#[derive(Default)]
pub(crate) struct Ways {
    costs: Vec<u64>,
    open: BinaryHeap<Reverse<(u64, usize)>>,
    /// For each node of the segment, its edges: the other end and the weight. Six where two quads meet.
    edges: Vec<[(u8, u16); 6]>,
    counts: Vec<u8>,
}

impl Ways {
    /// Computes the paths from a node of a segment to all its others.
    pub(crate) fn measure(&mut self, world: &WorldBuf, record: &Segment, heart: usize) {
        let nodes = record.nodes().len();
        self.edges.clear();
        self.edges.resize(nodes, [(0, 0); 6]);
        self.counts.clear();
        self.counts.resize(nodes, 0);
        for edge in world.edges.get(record.edges()).unwrap_or_default() {
            let [a, b] = edge.local_nodes();
            for (from, to) in [(a, b), (b, a)] {
                let from = usize::from(from);
                if let (Some(list), Some(count)) = (self.edges.get_mut(from), self.counts.get_mut(from))
                    && let Some(slot) = list.get_mut(usize::from(*count))
                {
                    *slot = (to, edge.weight());
                    *count = count.saturating_add(1);
                }
            }
        }
        self.costs.clear();
        self.costs.resize(nodes, u64::MAX);
        self.open.clear();
        self.open.push(Reverse((0, heart)));
        while let Some(Reverse((cost, node))) = self.open.pop() {
            let Some(known) = self.costs.get_mut(node).filter(|known| cost < **known) else { continue };
            *known = cost;
            let count = usize::from(self.counts.get(node).copied().unwrap_or(0));
            for (to, weight) in self.edges.get(node).into_iter().flatten().take(count) {
                let (to, cost) = (usize::from(*to), cost.saturating_add(u64::from(*weight)));
                if self.costs.get(to).is_some_and(|known| cost < *known) {
                    self.open.push(Reverse((cost, to)));
                }
            }
        }
    }

    /// The mean cost of the paths to these nodes, rounded down. Unreachable nodes are left out.
    pub(crate) fn mean(&self, nodes: &[u8]) -> u16 {
        let costs = nodes.iter().filter_map(|node| self.costs.get(usize::from(*node)).copied());
        let (mut sum, mut count) = (0_u64, 0_u64);
        for cost in costs.filter(|cost| *cost != u64::MAX) {
            sum = sum.saturating_add(cost);
            count = count.saturating_add(1);
        }
        u16::try_from(sum.checked_div(count).unwrap_or(0)).unwrap_or(u16::MAX)
    }
}
