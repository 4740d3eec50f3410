//! The largest part of a mesh, before and after.

use super::matching::{Matching, NONE};
use navmap_core::graph::{Csr, FlatGraph, Islands};

/// The largest part of each mesh, in which every node can reach every other, and the nodes that left or joined it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MainPart {
    /// The numbers of weak components, before and after.
    pub islands: [u32; 2],
    /// The numbers of nodes of the largest part, before and after.
    pub nodes: [u32; 2],
    /// Nodes that both meshes have, in old numbers, that left the largest part.
    pub lost: Vec<u32>,
    /// Nodes that both meshes have, in old numbers, that joined the largest part.
    pub gained: Vec<u32>,
}

impl MainPart {
    pub(super) fn compare(before: &FlatGraph, after: &FlatGraph, matching: &Matching) -> Self {
        let parts = [before, after].map(|graph| {
            let csr = Csr::of(graph).value;
            (Islands::weak(&csr).len() as u32, Islands::strong(&csr))
        });
        let in_main = |side: usize, node: u32| parts[side].1.of(node) == Some(0);
        let (mut lost, mut gained) = (Vec::new(), Vec::new());
        for (a, b) in (0..).zip(&matching.after).filter(|(_, b)| **b != NONE).map(|(a, &b)| (a, b)) {
            match (in_main(0, a), in_main(1, b)) {
                (true, false) => lost.push(a),
                (false, true) => gained.push(a),
                _ => {}
            }
        }
        let size = |side: usize| parts[side].1.sizes().first().copied().unwrap_or(0);
        Self { islands: [parts[0].0, parts[1].0], nodes: [size(0), size(1)], lost, gained }
    }
}
