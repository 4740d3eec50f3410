//! The coarse graph of segments, and islands over the whole tile.

use super::group::{Cross, Group, metres};
use super::land::Scale;
use std::collections::{BTreeMap, BTreeSet};

/// A link of the coarse graph.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) weight: u16,
    /// Nodes that cross, local to the segment.
    pub(super) nodes: Vec<u8>,
    pub(super) back: u8,
}

/// A segment as a node of the coarse graph: its links by the group they lead to.
#[derive(Debug, Clone, Default)]
pub(super) struct Coarse {
    /// The node that stands for the segment, group-wide.
    pub(super) node: usize,
    pub(super) inside: BTreeMap<u16, Link>,
    /// By group and segment.
    pub(super) groups: BTreeMap<(u16, u16), Link>,
    /// By tile and group.
    pub(super) tiles: BTreeMap<(u16, u16), Link>,
    pub(super) island: u16,
}

/// Connected segments of one attribute.
#[derive(Debug, Clone, Default)]
pub(super) struct Island {
    pub(super) at: [u16; 3],
    pub(super) attribute: u16,
    /// Group, segment, node.
    pub(super) low: (u16, u16, u16),
    pub(super) segments: u16,
    /// Islands and weights.
    pub(super) inside: BTreeMap<u16, u16>,
    /// Sides and weights.
    pub(super) sides: BTreeMap<u8, u16>,
}

pub(super) fn coarsen(groups: &mut [Group], scale: Scale) {
    for g in 0..groups.len() {
        let coarse = (0..groups[g].segments.len()).map(|s| coarse(groups, g, s, scale)).collect();
        groups[g].coarse = coarse;
    }
    // Backlinks: the position of the reverse link in the target's list of the same kind.
    let place = |groups: &[Group], id: u16, segment: u16| {
        let g = groups.iter().position(|group| group.id == id).expect("the group is in the tile");
        groups[g].coarse[usize::from(segment)].clone()
    };
    for g in 0..groups.len() {
        let id = groups[g].id;
        for s in 0..groups[g].coarse.len() {
            let mut coarse = groups[g].coarse[s].clone();
            for (to, link) in &mut coarse.inside {
                let there = place(groups, id, *to);
                link.back = there.inside.keys().position(|k| *k == s as u16).expect("links are mutual") as u8;
            }
            for ((group, to), link) in &mut coarse.groups {
                let there = place(groups, *group, *to);
                link.back =
                    there.groups.keys().position(|k| *k == (id, s as u16)).expect("links are mutual") as u8;
            }
            groups[g].coarse[s] = coarse;
        }
    }
}

fn coarse(groups: &[Group], g: usize, s: usize, scale: Scale) -> Coarse {
    let group = &groups[g];
    let segment = &group.segments[s];
    let [min, max] = segment.bounds;
    let center = std::array::from_fn(|k| ((u32::from(min[k]) + u32::from(max[k])) / 2) as u16);
    let near = |node: &usize| (metres(group.nodes[*node].at, center, scale) * 1000.0) as u64;
    let node = segment.nodes.clone().min_by_key(near).expect("a segment has nodes");
    let costs = costs(group, segment.nodes.clone(), node);
    let mut made = Coarse { node, ..Coarse::default() };
    for (local, node) in segment.nodes.clone().enumerate() {
        let crossing = Link { weight: 0, nodes: vec![], back: 0 };
        let link = match group.nodes[node].cross {
            None => continue,
            Some(Cross::Segment(to)) => {
                made.inside.entry(group.nodes[usize::from(to)].segment).or_insert(crossing)
            }
            Some(Cross::Group(id, to)) => {
                let other = groups.iter().find(|group| group.id == id).expect("the group is in the tile");
                made.groups.entry((id, other.nodes[usize::from(to)].segment)).or_insert(crossing)
            }
            Some(Cross::Tile(tile, id)) => made.tiles.entry((tile, id)).or_insert(crossing),
        };
        link.nodes.push(local as u8);
    }
    let all = made.inside.values_mut().chain(made.groups.values_mut()).chain(made.tiles.values_mut());
    for link in all {
        let sum: u32 = link.nodes.iter().map(|local| costs[usize::from(*local)]).sum();
        link.weight = (sum / link.nodes.len() as u32).min(0xFFFF) as u16;
    }
    made
}

/// Cost of the shortest path from one node to each of its segment, in weight units; a high value for unreachable nodes.
fn costs(group: &Group, nodes: std::ops::Range<usize>, from: usize) -> Vec<u32> {
    let mut costs = vec![60_000; nodes.len()];
    costs[from - nodes.start] = 0;
    let mut open = BTreeSet::from([(0, from)]);
    while let Some((cost, node)) = open.pop_first() {
        for (to, edge) in &group.nodes[node].inside {
            let to = usize::from(*to);
            let further = cost + u32::from(group.edges[usize::from(*edge)].weight);
            if further < costs[to - nodes.start] {
                costs[to - nodes.start] = further;
                open.insert((further, to));
            }
        }
    }
    costs
}

/// Numbers the islands and stores each segment's.
pub(super) fn islands(groups: &mut [Group]) -> Vec<Island> {
    let all: Vec<(usize, usize)> = groups
        .iter()
        .enumerate()
        .flat_map(|(g, group)| (0..group.segments.len()).map(move |s| (g, s)))
        .collect();
    let reach = |groups: &[Group], (g, s): (usize, usize)| -> Vec<((usize, usize), u16)> {
        let coarse = &groups[g].coarse[s];
        let inside = coarse.inside.iter().map(|(to, link)| ((g, usize::from(*to)), link.weight));
        let other = coarse.groups.iter().map(|((id, to), link)| {
            let g = groups.iter().position(|group| group.id == *id).expect("the group is in the tile");
            ((g, usize::from(*to)), link.weight)
        });
        inside.chain(other).collect()
    };
    let mut numbers: BTreeMap<(usize, usize), u16> = BTreeMap::new();
    let mut islands: Vec<Island> = Vec::new();
    for start in &all {
        if numbers.contains_key(start) {
            continue;
        }
        let number = islands.len() as u16;
        let (group, attribute) = (&groups[start.0], groups[start.0].segments[start.1].attribute);
        let node = group.coarse[start.1].node;
        let low = (group.id, start.1 as u16, node as u16);
        islands.push(Island { at: group.nodes[node].at, attribute, low, ..Island::default() });
        let mut open = vec![*start];
        numbers.insert(*start, number);
        while let Some(at) = open.pop() {
            for (to, _) in reach(groups, at) {
                if groups[to.0].segments[to.1].attribute == attribute && !numbers.contains_key(&to) {
                    numbers.insert(to, number);
                    open.push(to);
                }
            }
        }
    }
    for at in &all {
        let own = numbers[at];
        let island = &mut islands[usize::from(own)];
        island.segments += 1;
        for (to, weight) in reach(groups, *at) {
            if numbers[&to] != own {
                let known = island.inside.entry(numbers[&to]).or_insert(weight);
                *known = weight.min(*known);
            }
        }
        for ((_, id), link) in &groups[at.0].coarse[at.1].tiles {
            // From the other side, the target group faces the opposite way.
            let known = island.sides.entry((id ^ 2) as u8).or_insert(link.weight);
            *known = link.weight.min(*known);
        }
    }
    for ((g, s), number) in numbers {
        groups[g].coarse[s].island = number;
    }
    islands
}
