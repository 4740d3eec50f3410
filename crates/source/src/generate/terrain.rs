//! The map queries of generation.

use crate::analyze::{Map, Trace};

/// Ground on which one can stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// Its height.
    pub z: f32,
    /// Out of its surface.
    pub normal: [f32; 3],
}

/// The end of a trace through the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// The trace.
    pub trace: Trace,
    /// Whether the obstacle opens or breaks, so that one gets through.
    pub opens: bool,
    /// Whether a displacement ended it.
    pub displacement: bool,
    /// Whether the sky ended it.
    pub sky: bool,
}

impl Way {
    /// Whether the end was reached, without a start in solid.
    pub fn is_free(&self) -> bool {
        self.trace.is_free() && !self.trace.start_solid
    }
}

/// A map to generate a mesh for.
pub trait Terrain: Map {
    /// Called before ground of so many nodes at most is explored, which [`finish`](Map::finish) ends. A map may bound by it what all its
    /// answers cost together.
    fn explores(&self, most_nodes: u32) {
        let _ = most_nodes;
    }

    /// The ground below a point, and up to a human's height above it: the lowest with room to stand. GoldSrc. `None` if the point
    /// is in solid up to that height.
    fn floor(&self, point: [f32; 3]) -> Option<Floor>;

    /// The z of the normal of that ground. A map may find it faster than the height.
    fn slope(&self, point: [f32; 3]) -> Option<f32> {
        self.floor(point).map(|floor| floor.normal[2])
    }

    /// Whether the map has displacements, under which nobody walks.
    fn has_displacements(&self) -> bool {
        true
    }

    /// Traces a walking box that reaches from `low` to `high` around the moving point; a line if both are zero. In Source it
    /// passes through anything that opens or breaks.
    fn way(&self, from: [f32; 3], to: [f32; 3], low: [f32; 3], high: [f32; 3]) -> Way;

    /// Whether that trace [is free](Way::is_free). A map may find this faster than the trace.
    fn is_way_free(&self, from: [f32; 3], to: [f32; 3], low: [f32; 3], high: [f32; 3]) -> bool {
        self.way(from, to, low, high).is_free()
    }

    /// The first of some heights at which that trace is free, if both ends are raised by it. Near heights are often stopped by the
    /// same obstacle, which a map may try first.
    fn first_free(
        &self,
        [from, to]: [[f32; 3]; 2],
        low: [f32; 3],
        high: [f32; 3],
        mut heights: &mut dyn Iterator<Item = f32>,
    ) -> Option<f32> {
        let raised = |[x, y, z]: [f32; 3], up: f32| [x, y, z + up];
        Iterator::find(&mut heights, |up| self.is_way_free(raised(from, *up), raised(to, *up), low, high))
    }
}
