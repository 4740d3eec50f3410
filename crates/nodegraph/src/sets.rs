//! Finds connected nodes.

/// Sets of connected nodes (union-find).
#[derive(Debug)]
pub(super) struct Sets {
    parents: Vec<u32>,
}

impl Sets {
    pub(super) fn new(count: usize) -> Self {
        Self { parents: (0..).take(count).collect() }
    }

    /// The node that represents the set of a node.
    pub(super) fn find(&mut self, node: usize) -> usize {
        let mut at = node as u32;
        loop {
            let parent = self.parents.get(at as usize).copied().unwrap_or(at);
            if parent == at {
                return at as usize;
            }
            let above = self.parents.get(parent as usize).copied().unwrap_or(parent);
            if let Some(slot) = self.parents.get_mut(at as usize) {
                *slot = above;
            }
            at = above;
        }
    }

    /// Joins the sets of two nodes. The lower representative is kept.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if let Some(slot) = self.parents.get_mut(a.max(b)) {
            *slot = a.min(b) as u32;
        }
    }
}

/// The zones as the engine numbers them: 1 for a node without links; connected parts from 4 on, in the order of their first
/// nodes. Links to nodes that do not exist are ignored.
pub(super) fn zones(nodes: usize, links: impl Iterator<Item = [usize; 2]>) -> Vec<i16> {
    let mut sets = Sets::new(nodes);
    let mut alone = vec![true; nodes];
    for [a, b] in links.filter(|[a, b]| *a < nodes && *b < nodes) {
        for end in [a, b] {
            alone.get_mut(end).into_iter().for_each(|alone| *alone = false);
        }
        sets.join(a, b);
    }
    let mut numbers = vec![0_i16; nodes];
    let mut next = 4_i16;
    let mut zones = Vec::with_capacity(nodes);
    for (node, alone) in alone.into_iter().enumerate() {
        let set = sets.find(node);
        let zone = match numbers.get_mut(set) {
            _ if alone => 1,
            Some(number) if *number == 0 => {
                *number = next;
                next = next.saturating_add(1);
                *number
            }
            Some(number) => *number,
            None => 1,
        };
        zones.push(zone);
    }
    zones
}
