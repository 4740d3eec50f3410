//! The corners of all nodes of a graph, for a table of polygons whose records do not hold them.

use navmap_core::graph::{NavGraph, Point};

/// Corners by the position of their node.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    points: Vec<Point>,
    /// Where those of each node end.
    ends: Vec<usize>,
}

impl Outlines {
    /// Those of a graph, or of what comes before its damage. None if they are not wanted, which then costs nothing.
    pub(super) fn new(graph: &impl NavGraph, wanted: bool) -> Self {
        let mut outlines = Self::default();
        if wanted {
            // Damage of the graph is reported by who fills the neutral tables.
            let _ = graph.for_each_node(|node| {
                outlines.points.extend_from_slice(node.shape.corners());
                outlines.ends.push(outlines.points.len());
            });
        }
        outlines
    }

    /// The corners of a node.
    pub(super) fn get(&self, node: usize) -> Option<&[Point]> {
        let end = *self.ends.get(node)?;
        let start = node.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.points.get(start..end)
    }
}
