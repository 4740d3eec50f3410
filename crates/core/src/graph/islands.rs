//! Connected components.

use super::Csr;

/// The connected components of a graph. Island 0 is the largest. Among equally large ones, the one with the earlier node comes
/// first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Islands {
    of: Vec<u32>,
    sizes: Vec<u32>,
}

impl Islands {
    /// Finds weak components: those connected if the direction of links is ignored. Linear in all but name: each link looks up two
    /// short ways that get shorter by that.
    pub fn weak(csr: &Csr) -> Self {
        // The nodes of a part are a tree, each under one that is no greater, so that the root is its first.
        let mut above: Vec<u32> = (0..csr.len() as u32).collect();
        for from in 0..csr.len() as u32 {
            let mut own = root(&mut above, from);
            for &to in csr.targets(from) {
                let other = root(&mut above, to);
                above[own.max(other) as usize] = own.min(other);
                own = own.min(other);
            }
        }
        // What a node is under has its root by now.
        for node in 0..above.len() {
            above[node] = above[above[node] as usize];
        }
        Self::from_labels(above)
    }

    /// Finds strong components, in which every node can reach every other (Tarjan's algorithm, without recursion). Linear.
    pub fn strong(csr: &Csr) -> Self {
        const NEW: u32 = u32::MAX;
        let nodes = csr.len();
        // Order of discovery. Once a component is closed, `low` holds its label and `open` is false.
        let mut found = vec![NEW; nodes];
        let mut low = vec![0u32; nodes];
        let mut open = vec![false; nodes];
        let mut stack: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, u32)> = Vec::new();
        let (mut clock, mut label) = (0u32, vec![0u32; nodes]);
        for start in 0..nodes as u32 {
            if found[start as usize] != NEW {
                continue;
            }
            path.push((start, 0));
            while let Some((node, next)) = path.pop() {
                let n = node as usize;
                if next == 0 {
                    (found[n], low[n], open[n]) = (clock, clock, true);
                    clock += 1;
                    stack.push(node);
                }
                let targets = csr.targets(node);
                let mut at = next as usize;
                let mut deeper = None;
                while let Some(&to) = targets.get(at) {
                    at += 1;
                    let t = to as usize;
                    if found[t] == NEW {
                        deeper = Some(to);
                        break;
                    }
                    if open[t] {
                        low[n] = low[n].min(found[t]);
                    }
                }
                if let Some(to) = deeper {
                    path.push((node, at as u32));
                    path.push((to, 0));
                    continue;
                }
                if let Some(&(parent, _)) = path.last() {
                    low[parent as usize] = low[parent as usize].min(low[n]);
                }
                if low[n] == found[n] {
                    while let Some(member) = stack.pop() {
                        open[member as usize] = false;
                        label[member as usize] = node;
                        if member == node {
                            break;
                        }
                    }
                }
            }
        }
        Self::from_labels(label)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there are no islands, because there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// The island of a node.
    pub fn of(&self, node: u32) -> Option<u32> {
        self.of.get(node as usize).copied()
    }

    /// The number of nodes of each island, largest first.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Makes islands from labels below the number of nodes, ordered by size, then by first node.
    fn from_labels(labels: Vec<u32>) -> Self {
        const NONE: u32 = u32::MAX;
        let mut number = vec![NONE; labels.len()];
        let mut sizes: Vec<u32> = Vec::new();
        let mut of = labels;
        for label in &mut of {
            let slot = &mut number[*label as usize];
            if *slot == NONE {
                *slot = sizes.len() as u32;
                sizes.push(0);
            }
            sizes[*slot as usize] += 1;
            *label = *slot;
        }
        let mut order: Vec<u32> = (0..sizes.len() as u32).collect();
        order.sort_by_key(|&island| std::cmp::Reverse(sizes[island as usize]));
        let mut rank = vec![0; sizes.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old as usize] = new as u32;
        }
        of.iter_mut().for_each(|island| *island = rank[*island as usize]);
        let sizes = order.iter().map(|&island| sizes[island as usize]).collect();
        Self { of, sizes }
    }
}

/// The root of the tree that a node is in. Puts every other node on the way there under one higher up.
fn root(above: &mut [u32], mut node: u32) -> u32 {
    loop {
        let next = above[node as usize];
        if next == node {
            return node;
        }
        above[node as usize] = above[next as usize];
        node = above[next as usize];
    }
}
