//! Puts neighbouring nodes together.

use navmap_core::graph::{FlatGraph, NavGraph};

/// The most nodes of a chunk.
pub const CHUNK: usize = 512;

/// The nodes of a graph in the order in which a scene numbers them: each chunk of [`CHUNK`] nodes lies in one part of the plan.
/// Nodes without a finite center come last.
pub(super) fn order(graph: &FlatGraph) -> Vec<u32> {
    let axes = graph.axes();
    let middles: Vec<Option<[f32; 2]>> = graph
        .nodes()
        .iter()
        .map(|node| graph.shape(node).center().filter(|at| at.is_finite()))
        .map(|at| at.map(|at| axes.plan(at)).map(|[u, v, _]| [u, v]))
        .collect();
    let middle = |node: u32| middles.get(node as usize).copied().flatten();
    let (mut order, nowhere): (Vec<u32>, Vec<u32>) =
        (0..middles.len() as u32).partition(|node| middle(*node).is_some());
    split(&mut order, &|node, axis| middle(node).map_or(0.0, |at| at[axis]));
    // What was moved only to find the middle goes back into the order of the file.
    order.chunks_mut(CHUNK).for_each(<[u32]>::sort_unstable);
    order.extend(nowhere);
    order
}

/// Divides nodes across the longer side of their box until no part is larger than a chunk. Every part but the last is a whole
/// number of chunks.
fn split(nodes: &mut [u32], at: &impl Fn(u32, usize) -> f32) {
    let mut parts = vec![nodes];
    while let Some(part) = parts.pop() {
        if part.len() <= CHUNK {
            continue;
        }
        let side = |axis: usize| {
            let ends = part.iter().map(|node| at(*node, axis));
            let [low, high] = ends.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], value| {
                [low.min(value), high.max(value)]
            });
            high - low
        };
        let axis = usize::from(side(1) > side(0));
        let half = part.len().div_ceil(CHUNK) / 2 * CHUNK;
        part.select_nth_unstable_by(half, |a, b| at(*a, axis).total_cmp(&at(*b, axis)).then(a.cmp(b)));
        let (low, high) = part.split_at_mut(half);
        parts.extend([low, high]);
    }
}
