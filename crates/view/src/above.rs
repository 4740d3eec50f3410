//! Counts the nodes that lie above each node.

use navmap_core::graph::{FlatGraph, NavGraph, Raster, STOREY};

/// Cells along the longer side of the map.
const CELLS: f32 = 1024.0;

/// For each node, how many nodes lie more than a storey above its center, at most 255. Nodes without a finite center have none
/// above them, and waypoints cover nothing.
///
/// Linear in nodes: the grid bounds how many cells all polygons together have.
pub(super) fn above(graph: &FlatGraph) -> Vec<u8> {
    let axes = graph.axes();
    let mut floors: Vec<(Vec<[f32; 2]>, f32)> = Vec::new();
    let mut bounds = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
    for node in graph.nodes() {
        let corners = graph.corners(node);
        let Some(center) = graph.shape(node).center() else { continue };
        if corners.len() < 3 || !corners.iter().all(|corner| corner.is_finite()) {
            continue;
        }
        let outline: Vec<[f32; 2]> =
            corners.iter().map(|corner| axes.plan(*corner)).map(|[u, v, _]| [u, v]).collect();
        for [u, v] in &outline {
            bounds = [bounds[0].min(*u), bounds[1].min(*v), bounds[2].max(*u), bounds[3].max(*v)];
        }
        floors.push((outline, axes.height(center)));
    }
    if floors.is_empty() {
        return vec![0; graph.nodes().len()];
    }
    let frame = [bounds[0], bounds[1], (bounds[2] - bounds[0]).max(1e-6), (bounds[3] - bounds[1]).max(1e-6)];
    let least = frame[2].max(frame[3]) / CELLS;
    let raster = Raster::new(frame, least, floors.iter().map(|(outline, _)| outline.as_slice()));

    // The heights over each cell, in compressed rows.
    let mut ends = vec![0u32; raster.len() + 1];
    for (outline, _) in &floors {
        raster.each_cell(outline, |cell| ends[cell + 1] += 1);
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    let mut next = ends.clone();
    let mut heights = vec![0f32; sum as usize];
    for (outline, height) in &floors {
        raster.each_cell(outline, |cell| {
            heights[next[cell] as usize] = *height;
            next[cell] += 1;
        });
    }
    let row = |cell: usize| ends[cell] as usize..ends[cell + 1] as usize;
    (0..raster.len()).for_each(|cell| heights[row(cell)].sort_unstable_by(f32::total_cmp));

    let storey = STOREY / axes.metres_per_unit.max(1e-9);
    let count = |center: [f32; 3]| {
        let [u, v, height] = center;
        let over = raster.at([u, v]).map(|cell| &heights[row(cell)])?;
        Some(over.len() - over.partition_point(|other| *other <= height + storey))
    };
    let centers = graph.nodes().iter().map(|node| graph.shape(node).center().filter(|at| at.is_finite()));
    let counts = centers.map(|at| at.and_then(|at| count(axes.plan(at))).unwrap_or(0));
    counts.map(|count| u8::try_from(count).unwrap_or(u8::MAX)).collect()
}
