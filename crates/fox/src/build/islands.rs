//! Builds an island graph: connected sets of segments with the same attribute, and the links between them.
//!
//! The games' weights of these links are unknown. A link gets the weight of the cheapest link between segments of the two
//! islands.

use crate::buf::{FoxBuf, IslandBuf, IslandGraphBuf};
use crate::record::{IslandLink, LowNode, NodeIndex, SegmentIndex};
use navmap_core::error::{Error, Result};
use std::collections::BTreeMap;

/// The set of a segment, represented by the set's first segment.
fn root(sets: &mut [u32], mut of: u32) -> u32 {
    loop {
        let up = sets.get(of as usize).copied().unwrap_or(of);
        if up == of {
            return of;
        }
        let further = sets.get(up as usize).copied().unwrap_or(up);
        sets.get_mut(of as usize).into_iter().for_each(|slot| *slot = further);
        of = further;
    }
}

/// Numbers the islands of a tile, stores the numbers in its segments and adds their graph.
pub(crate) fn add(tile: &mut FoxBuf) -> Result<()> {
    let segments = Segments::of(tile);
    let (of, count) = segments.islands();
    if count > usize::from(u16::MAX) {
        return Err(Error::invalid("islands", format!("{count}, 65535 fit")));
    }
    let mut graph =
        IslandGraphBuf { islands: vec![IslandBuf::default(); count], ..IslandGraphBuf::default() };
    number(tile, &of, &segments.attributes, &mut graph);
    link(&segments.links, &of, &mut graph);
    tile.islands = vec![graph];
    Ok(())
}

/// The segments of a tile, numbered through its groups.
struct Segments {
    attributes: Vec<u16>,
    /// From, to, weight.
    links: Vec<(u32, u32, u16)>,
}

impl Segments {
    fn of(tile: &FoxBuf) -> Self {
        let mut firsts = Vec::new();
        let mut total = 0_u32;
        for group in &tile.groups {
            firsts.push((group.id.index(), total));
            total = total.saturating_add(u32::try_from(group.graph.nodes.len()).unwrap_or(u32::MAX));
        }
        let first_of = |id: u16| firsts.iter().find(|(group, _)| *group == id).map(|(_, first)| *first);
        let mut attributes = Vec::with_capacity(total as usize);
        let mut links = Vec::new();
        for group in &tile.groups {
            let first = first_of(group.id.index()).unwrap_or(0);
            attributes.extend(
                (0..group.graph.nodes.len())
                    .map(|n| group.world.attributes.get(n).map_or(0, |attribute| attribute.get())),
            );
            let (mut inside, mut groups) = (group.graph.inside.iter(), group.graph.groups.iter());
            for (from, node) in (first..).zip(&group.graph.nodes) {
                for link in inside.by_ref().take(usize::from(node.inside)) {
                    links.push((from, first.saturating_add(u32::from(link.segment().0)), link.weight()));
                }
                for link in groups.by_ref().take(usize::from(node.groups)) {
                    if let Some(other) = first_of(link.group().0) {
                        links.push((from, other.saturating_add(u32::from(link.segment().0)), link.weight()));
                    }
                }
            }
        }
        Self { attributes, links }
    }

    /// The island of each segment, and how many there are. They are numbered by their first segments.
    fn islands(&self) -> (Vec<u32>, usize) {
        let total = self.attributes.len() as u32;
        let mut sets: Vec<u32> = (0..total).collect();
        for (from, to, _) in &self.links {
            let [a, b] = [from, to].map(|end| self.attributes.get(*end as usize));
            if a == b && *to < total {
                let (a, b) = (root(&mut sets, *from), root(&mut sets, *to));
                sets.get_mut(a.max(b) as usize).into_iter().for_each(|slot| *slot = a.min(b));
            }
        }
        let mut numbers = BTreeMap::new();
        let mut of = Vec::with_capacity(total as usize);
        for segment in 0..total {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            of.push(*numbers.entry(root(&mut sets, segment)).or_insert(next));
        }
        (of, numbers.len())
    }
}

/// Stores the island of each segment in the tile, and what the graph says of it: the first of its segments, and their number.
fn number(tile: &mut FoxBuf, of: &[u32], attributes: &[u16], graph: &mut IslandGraphBuf) {
    let mut segment = 0_usize;
    for group in &mut tile.groups {
        for (number, (node, position)) in
            (0..=u16::MAX).zip(group.graph.nodes.iter_mut().zip(&group.graph.positions))
        {
            let island = of.get(segment).copied().unwrap_or(0) as u16;
            node.islands = [island, 0xFFFF, 0xFFFF];
            let Some(own) = graph.islands.get_mut(usize::from(island)) else { continue };
            if own.segments == 0 {
                let nodes = group.segments.get(usize::from(number)).map(|s| s.nodes()).unwrap_or_default();
                let first = nodes.start;
                let at =
                    group.world.positions.get(nodes).unwrap_or_default().iter().position(|at| at == position);
                let node = first.saturating_add(at.unwrap_or(0));
                own.position = *position;
                own.attribute = attributes.get(segment).copied().unwrap_or(0);
                own.low = LowNode::new(group.id, SegmentIndex(number), NodeIndex(node as u16));
            }
            own.segments = own.segments.saturating_add(1);
            segment = segment.saturating_add(1);
        }
    }
}

/// Links islands of which segments are linked, with the weight of the cheapest of these links.
fn link(links: &[(u32, u32, u16)], of: &[u32], graph: &mut IslandGraphBuf) {
    let mut between: BTreeMap<(u32, u32), u16> = BTreeMap::new();
    for (from, to, weight) in links {
        let (Some(a), Some(b)) = (of.get(*from as usize), of.get(*to as usize)) else { continue };
        if a != b {
            let cheapest = between.entry((*a, *b)).or_insert(*weight);
            *cheapest = (*weight).min(*cheapest);
        }
    }
    for ((from, to), weight) in between {
        if let Some(island) = graph.islands.get_mut(from as usize) {
            island.inside.push(IslandLink::new(weight, to as u16));
        }
    }
}
