//! What can be reached from the largest part of a mesh, before and after.

use super::matching::{Matching, NONE};
use navmap_core::graph::{Csr, FlatGraph, Islands};

/// The largest part of each mesh, in which every node can reach every other one, and what left or joined it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MainPart {
    /// Parts that no link joins (weak components), before and after.
    pub islands: [u32; 2],
    /// Nodes of the largest part, before and after.
    pub nodes: [u32; 2],
    /// Nodes that both meshes have, numbered as before, that belonged to the largest part and no longer do.
    pub lost: Vec<u32>,
    /// Nodes that both meshes have, numbered as before, that belong to the largest part and did not.
    pub gained: Vec<u32>,
}

impl MainPart {
    pub(super) fn of(before: &FlatGraph, after: &FlatGraph, matching: &Matching) -> Self {
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
