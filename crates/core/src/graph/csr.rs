//! Links as compressed rows.

use super::{Link, LinkKind, NavGraph, Node, Partial, Visitor, Wants};
use std::ops::{ControlFlow, Range};

/// The links of a graph as compressed sparse rows: for every node, the targets of its links.
///
/// Built in one pass over the file. Links to nodes that are not loaded are counted, not kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Csr {
    /// Row `n` is `targets[starts[n]..starts[n + 1]]`. Has one more entry than there are nodes.
    starts: Vec<u32>,
    targets: Vec<u32>,
    kinds: Vec<LinkKind>,
    outside: u64,
}

impl Csr {
    /// Collects the links of a graph. From a damaged file, those before the damage.
    pub fn of(graph: &impl NavGraph) -> Partial<Self> {
        let mut rows = Rows::default();
        let error = graph.visit(&mut rows).err();
        Partial { value: rows.finish(), error }
    }

    /// How many nodes.
    #[inline]
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are no nodes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of links between nodes.
    #[inline]
    pub fn links(&self) -> usize {
        self.targets.len()
    }

    /// The number of links that led outside and are not stored.
    pub fn outside(&self) -> u64 {
        self.outside
    }

    /// The targets of a node's links, in file order. A link that the file repeats is repeated here. Empty for a node that does
    /// not exist.
    #[inline]
    pub fn targets(&self, node: u32) -> &[u32] {
        self.targets.get(self.row(node)).unwrap_or_default()
    }

    /// The kinds of those links, in the same order.
    #[inline]
    pub fn kinds(&self, node: u32) -> &[LinkKind] {
        self.kinds.get(self.row(node)).unwrap_or_default()
    }

    /// Links that leave `node`.
    #[inline]
    pub fn out_degree(&self, node: u32) -> usize {
        self.row(node).len()
    }

    /// The number of links to each node.
    pub fn in_degrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.len()];
        for &target in &self.targets {
            degrees[target as usize] += 1;
        }
        degrees
    }

    /// Every link as (from, to, kind), ordered by source.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, LinkKind)> + Clone + '_ {
        (0..self.len() as u32).flat_map(|from| {
            self.targets(from).iter().zip(self.kinds(from)).map(move |(&to, &kind)| (from, to, kind))
        })
    }

    /// The same graph with every link reversed. Linear.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self::sorted(self.len(), self.iter().map(|(from, to, kind)| (to, from, kind)), self.outside)
    }

    /// The number of links without a link back, of any kind, between the same two nodes. A link from a node to itself counts as
    /// its own way back. Linear.
    pub fn one_way(&self) -> u64 {
        let back = self.transposed();
        // For each node, marks the nodes that link to it, then counts its own targets that are not marked.
        let mut reached_from = vec![u32::MAX; self.len()];
        let mut count = 0;
        for node in 0..self.len() as u32 {
            back.targets(node).iter().for_each(|&from| reached_from[from as usize] = node);
            count +=
                self.targets(node).iter().filter(|&&to| reached_from[to as usize] != node).count() as u64;
        }
        count
    }

    fn row(&self, node: u32) -> Range<usize> {
        match (self.starts.get(node as usize), self.starts.get(node as usize + 1)) {
            (Some(&start), Some(&end)) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// Builds rows from links in any order, with a stable counting sort.
    fn sorted(nodes: usize, links: impl Iterator<Item = (u32, u32, LinkKind)> + Clone, outside: u64) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        links.clone().for_each(|(from, ..)| starts[from as usize + 1] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut targets = vec![0; sum as usize];
        let mut kinds = vec![LinkKind::Walk; sum as usize];
        for (from, to, kind) in links {
            let at = next[from as usize] as usize;
            next[from as usize] += 1;
            (targets[at], kinds[at]) = (to, kind);
        }
        Self { starts, targets, kinds, outside }
    }
}

/// A visitor that builds rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    csr: Csr,
    /// The largest target.
    farthest: u32,
    /// Links that did not follow their source. This is legal, and costs a sort.
    strays: Vec<(u32, u32, LinkKind)>,
}

impl Rows {
    #[inline]
    pub(super) fn add_node(&mut self) -> ControlFlow<()> {
        match u32::try_from(self.csr.targets.len()) {
            Ok(start) if self.csr.starts.len() < u32::MAX as usize => {
                self.csr.starts.push(start);
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(()),
        }
    }

    #[inline]
    pub(super) fn add_link(&mut self, link: &Link) {
        let Some(to) = link.to else {
            self.csr.outside += 1;
            return;
        };
        if self.csr.starts.len() == link.from as usize + 1 {
            self.add_to(to, link.kind);
        } else {
            self.farthest = self.farthest.max(to);
            self.strays.push((link.from, to, link.kind));
        }
    }

    /// Adds a link that leaves the last node.
    #[inline]
    pub(super) fn add_to(&mut self, to: u32, kind: LinkKind) {
        self.farthest = self.farthest.max(to);
        self.csr.targets.push(to);
        self.csr.kinds.push(kind);
    }

    pub(super) fn finish(mut self) -> Csr {
        let nodes = self.csr.starts.len();
        self.csr.starts.push(u32::try_from(self.csr.targets.len()).unwrap_or(u32::MAX));
        // Links of a damaged file may name nodes that were never visited.
        if self.strays.is_empty() && (self.farthest as usize) < nodes.max(1) {
            return self.csr;
        }
        let (kept, lost): (Vec<_>, Vec<_>) =
            self.csr.iter().chain(self.strays).partition(|&(from, to, _)| (from.max(to) as usize) < nodes);
        Csr::sorted(nodes, kept.into_iter(), self.csr.outside + lost.len() as u64)
    }
}

impl Visitor for Rows {
    const WANTS: Wants = Wants { links: true, ..Wants::NOTHING };

    #[inline]
    fn node(&mut self, _node: &Node<'_>) -> ControlFlow<()> {
        self.add_node()
    }

    #[inline]
    fn link(&mut self, link: &Link) {
        self.add_link(link);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Axes, FlatGraph, Shape};

    fn graph(nodes: usize, links: &[(u32, u32)]) -> FlatGraph {
        let mut graph = FlatGraph::new("node", Axes::z_up(1.0));
        (0..nodes).for_each(|id| {
            graph.add_node(id as u64, Shape::NONE);
        });
        links.iter().for_each(|&(from, to)| graph.add_link(Link::new(from, to, LinkKind::Walk)));
        graph
    }

    #[test]
    fn rows_keep_file_order_and_repetitions() {
        let csr = Csr::of(&graph(3, &[(0, 2), (0, 1), (0, 2), (2, 2)])).whole().unwrap();
        assert_eq!((csr.targets(0), csr.targets(1), csr.targets(2)), (&[2, 1, 2][..], &[][..], &[2][..]));
        assert_eq!((csr.len(), csr.links(), csr.out_degree(0)), (3, 4, 3));
        assert_eq!(csr.in_degrees(), [0, 1, 3]);
        assert!(csr.targets(3).is_empty() && csr.targets(u32::MAX).is_empty());
    }

    #[test]
    fn links_to_nodes_behind_the_damage_count_as_outside() {
        let csr = Csr::of(&graph(2, &[(0, 1), (1, 7), (1, 0)])).whole().unwrap();
        assert_eq!((csr.links(), csr.outside()), (2, 1));
        assert_eq!(csr.targets(1), [0]);
    }

    #[test]
    fn links_out_of_order_are_sorted_in() {
        struct Backwards;
        impl NavGraph for Backwards {
            fn axes(&self) -> Axes {
                Axes::z_up(1.0)
            }
            fn node_word(&self) -> &'static str {
                "node"
            }
            fn visit<V: Visitor>(&self, visitor: &mut V) -> crate::Result<()> {
                for index in 0..3 {
                    let node = Node { index, id: 0, shape: Shape::NONE, place: None, group: None, flags: 0 };
                    let _ = visitor.node(&node);
                }
                for (from, to) in [(2, 0), (1, 2), (2, 1)] {
                    visitor.link(&Link::new(from, to, LinkKind::Drop));
                }
                Ok(())
            }
        }
        let csr = Csr::of(&Backwards).whole().unwrap();
        assert_eq!((csr.targets(0), csr.targets(1), csr.targets(2)), (&[][..], &[2][..], &[0, 1][..]));
    }

    #[test]
    fn turning_round_twice_gives_the_same_links() {
        let csr = Csr::of(&graph(4, &[(0, 1), (0, 2), (1, 0), (3, 0)])).whole().unwrap();
        assert_eq!(csr.transposed().targets(0), [1, 3]);
        assert_eq!(csr.transposed().transposed(), csr);
        assert_eq!(csr.one_way(), 2);
    }

    #[test]
    fn nothing_is_a_graph_too() {
        let csr = Csr::of(&graph(0, &[])).whole().unwrap();
        assert!(csr.is_empty() && csr.transposed().is_empty());
        assert_eq!(csr.one_way(), 0);
    }
}
