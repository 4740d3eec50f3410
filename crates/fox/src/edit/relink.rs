//! The coarse graph after an edit, derived from the crossings of nodes. A link with unchanged crossings keeps its weight.

use super::numbers::Numbers;
use crate::buf::{GroupBuf, SegmentGraphBuf, SegmentNodeBuf};
use crate::build::{Ways, nearest};
use crate::record::{GroupId, SegmentGroupLink, SegmentIndex, SegmentInsideLink, SegmentTileLink, TileId};
use crate::view::{Crossing, Frame};
use navmap_core::edit::Refusal;

/// The target of a coarse link, in new numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum To {
    Segment(u16),
    Group(u16, u16),
    Tile(u16, u16),
}

/// A link in new numbers.
struct Link {
    to: To,
    weight: u16,
    back: u8,
    /// The nodes before the edit, to compare with.
    before: Vec<u8>,
    nodes: Vec<u8>,
}

/// The remaining lists of a coarse graph, segment by segment.
struct Rest<'g> {
    graph: &'g SegmentGraphBuf,
    at: [usize; 4],
}

impl Rest<'_> {
    /// The links of the next segment: target, weight, back index and nodes.
    fn next(&mut self, node: &SegmentNodeBuf) -> Vec<(To, u16, u8, Vec<u8>)> {
        let [inside, groups, tiles, indices] = &mut self.at;
        let mut links = Vec::new();
        let mut nodes = |count: usize| {
            let these = self.graph.indices.iter().skip(*indices).take(count).copied().collect::<Vec<u8>>();
            *indices = indices.saturating_add(count);
            these
        };
        for link in self.graph.inside.iter().skip(*inside).take(usize::from(node.inside)) {
            links.push((To::Segment(link.segment().0), link.weight(), link.back(), nodes(link.crossings())));
        }
        for link in self.graph.groups.iter().skip(*groups).take(usize::from(node.groups)) {
            let to = To::Group(link.group().0, link.segment().0);
            links.push((to, link.weight(), link.back(), nodes(link.crossings())));
        }
        for link in self.graph.tiles.iter().skip(*tiles).take(usize::from(node.tiles)) {
            let to = To::Tile(link.tile().0, link.group().0);
            links.push((to, link.weight(), link.back(), nodes(link.crossings())));
        }
        *inside = inside.saturating_add(usize::from(node.inside));
        *groups = groups.saturating_add(usize::from(node.groups));
        *tiles = tiles.saturating_add(usize::from(node.tiles));
        links
    }
}

/// The coarse graph of a group whose other parts are already renumbered. [`backs`] sets the back indices.
pub(super) fn graph(
    old: &GroupBuf,
    own: &Numbers,
    all: &[Numbers],
    renewed: &[GroupBuf],
    index: usize,
    frame: &Frame,
) -> Result<SegmentGraphBuf, Refusal> {
    let mut graph = SegmentGraphBuf { unknown: old.graph.unknown, ..SegmentGraphBuf::default() };
    let Some(group) = renewed.get(index) else { return Ok(graph) };
    let mut rest = Rest { graph: &old.graph, at: [0; 4] };
    let before: Vec<_> = old.graph.nodes.iter().map(|node| rest.next(node)).collect();
    let crossings: Vec<Option<Crossing>> = group.world.crossings().collect();
    let mut ways = Ways::default();
    for (number, (piece, nodes)) in own.pieces.iter().zip(&own.old_nodes).enumerate() {
        let (Some(segment), Some(bounds)) = (group.segments.get(number), group.bounds.get(number)) else {
            continue;
        };
        let positions = group.world.positions.get(segment.nodes()).unwrap_or_default();
        let kept = old.graph.positions.get(piece.old).copied().unwrap_or_default();
        let heart = positions.iter().position(|at| *at == kept);
        let heart = heart.unwrap_or_else(|| nearest(positions, bounds, frame));
        let position = if piece.whole { kept } else { positions.get(heart).copied().unwrap_or(kept) };
        graph.positions.push(position);
        let crossings = crossings.get(segment.nodes()).unwrap_or_default();
        let before = before.get(piece.old).map_or(&[][..], Vec::as_slice);
        let links = links(old, own, all, crossings, number, nodes, before);
        let mut measured = false;
        let was = old.graph.nodes.get(piece.old).copied().unwrap_or_default();
        let mut node = SegmentNodeBuf { inside: 0, groups: 0, tiles: 0, ..was };
        for kind in 0..3 {
            for link in links.iter().filter(|link| kind == kind_of(link.to)) {
                let weight = if piece.whole && link.nodes == link.before {
                    link.weight
                } else {
                    if !measured {
                        ways.measure(&group.world, segment, heart);
                        measured = true;
                    }
                    ways.mean(&link.nodes)
                };
                let crossings = u8::try_from(link.nodes.len()).unwrap_or(u8::MAX);
                let full =
                    || Refusal::new(format!("segment {number} would have more than 255 links of one kind"));
                match link.to {
                    To::Segment(to) => {
                        node.inside = node.inside.checked_add(1).ok_or_else(full)?;
                        graph.inside.push(SegmentInsideLink::new(
                            weight,
                            SegmentIndex(to),
                            crossings,
                            link.back,
                        ));
                    }
                    To::Group(id, to) => {
                        node.groups = node.groups.checked_add(1).ok_or_else(full)?;
                        graph.groups.push(SegmentGroupLink::new(
                            GroupId(id),
                            weight,
                            SegmentIndex(to),
                            crossings,
                            link.back,
                        ));
                    }
                    To::Tile(tile, id) => {
                        node.tiles = node.tiles.checked_add(1).ok_or_else(full)?;
                        graph.tiles.push(SegmentTileLink::new(TileId(tile), GroupId(id), weight, crossings));
                    }
                }
                graph.indices.extend_from_slice(&link.nodes);
            }
        }
        graph.nodes.push(node);
    }
    Ok(graph)
}

fn kind_of(to: To) -> u8 {
    match to {
        To::Segment(_) => 0,
        To::Group(..) => 1,
        To::Tile(..) => 2,
    }
}

/// The links of a new segment, whose nodes lead out as `crossings` says: old links as far as their nodes still cross, then new
/// ones.
fn links(
    old: &GroupBuf,
    own: &Numbers,
    all: &[Numbers],
    crossings: &[Option<Crossing>],
    number: usize,
    nodes: &[usize],
    before: &[(To, u16, u8, Vec<u8>)],
) -> Vec<Link> {
    let base =
        own.pieces.get(number).and_then(|piece| old.segments.get(piece.old)).map_or(0, |s| s.nodes().start);
    let mut taken = vec![false; nodes.len()];
    let mut links: Vec<Link> = Vec::new();
    let mut add = |to: To, node: u8, from: Option<&(To, u16, u8, Vec<u8>)>| match links
        .iter_mut()
        .find(|link| link.to == to)
    {
        Some(link) => link.nodes.push(node),
        None => {
            let (weight, back, before) = from.map_or((0, 0, Vec::new()), |(_, w, b, n)| (*w, *b, n.clone()));
            links.push(Link { to, weight, back, before, nodes: vec![node] });
        }
    };
    // The node's current target. A group in another file keeps the segment that the link named.
    let leads = |node: usize, stored: Option<To>| match crossings.get(node).copied().flatten()? {
        Crossing::Segment { node } => own.segment_of.get(node.index()).map(|segment| To::Segment(*segment)),
        Crossing::Group { group: id, node } => match all.iter().find(|other| other.id == id.0) {
            Some(other) => other.segment_of.get(node.index()).map(|segment| To::Group(id.0, *segment)),
            None => stored.filter(|to| matches!(to, To::Group(group, _) if *group == id.0)),
        },
        Crossing::Tile { tile, group, .. } => Some(To::Tile(tile.0, group.0)),
    };
    for link in before {
        for local in &link.3 {
            let was = base.saturating_add(usize::from(*local));
            let Ok(at) = nodes.binary_search(&was) else { continue };
            if let Some(to) = leads(at, Some(link.0)) {
                taken.get_mut(at).into_iter().for_each(|taken| *taken = true);
                add(to, at as u8, Some(link));
            }
        }
    }
    for (at, _) in taken.iter().enumerate().filter(|(_, taken)| !**taken) {
        if let Some(to) = leads(at, None) {
            add(to, at as u8, None);
        }
    }
    links
}

/// Sets the back index of every link: the position of the reverse link among those of its kind. Links out of the file keep the
/// index they had.
pub(super) fn backs(groups: &mut [GroupBuf]) {
    // For each group and segment, the targets of its links by kind.
    let lists: Vec<(u16, Vec<[Vec<To>; 2]>)> = groups
        .iter()
        .map(|group| {
            let mut rest = Rest { graph: &group.graph, at: [0; 4] };
            let of = |node: &SegmentNodeBuf, rest: &mut Rest<'_>| {
                let links = rest.next(node);
                let pick =
                    |kind: u8| links.iter().map(|link| link.0).filter(|to| kind_of(*to) == kind).collect();
                [pick(0), pick(1)]
            };
            (group.id.index(), group.graph.nodes.iter().map(|node| of(node, &mut rest)).collect())
        })
        .collect();
    let find = |id: u16, segment: u16, to: To| {
        let (_, lists) = lists.iter().find(|(own, _)| *own == id)?;
        let list = lists.get(usize::from(segment))?.get(usize::from(kind_of(to)))?;
        list.iter().position(|other| *other == to).and_then(|at| u8::try_from(at).ok())
    };
    for group in groups {
        let id = group.id.index();
        let (mut inside, mut across) = (0_usize, 0_usize);
        for (segment, node) in (0_u16..).zip(&group.graph.nodes) {
            for link in group.graph.inside.iter_mut().skip(inside).take(usize::from(node.inside)) {
                if let Some(back) = find(id, link.segment().0, To::Segment(segment)) {
                    *link =
                        SegmentInsideLink::new(link.weight(), link.segment(), link.crossings() as u8, back);
                }
            }
            for link in group.graph.groups.iter_mut().skip(across).take(usize::from(node.groups)) {
                if let Some(back) = find(link.group().0, link.segment().0, To::Group(id, segment)) {
                    *link = SegmentGroupLink::new(
                        link.group(),
                        link.weight(),
                        link.segment(),
                        link.crossings() as u8,
                        back,
                    );
                }
            }
            inside = inside.saturating_add(usize::from(node.inside));
            across = across.saturating_add(usize::from(node.groups));
        }
    }
}
