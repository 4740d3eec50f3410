//! What only the map knows, for generation.

use crate::analyze::{Map, Trace};

/// Ground on which one can stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// Its height.
    pub z: f32,
    /// Out of its surface.
    pub normal: [f32; 3],
}

/// Where a way through the map ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// The trace.
    pub trace: Trace,
    /// Whether what ended it opens or breaks, so that one gets through.
    pub opens: bool,
    /// Whether a displacement ended it.
    pub displacement: bool,
    /// Whether the sky ended it.
    pub sky: bool,
}

impl Way {
    /// Whether one gets to the end, and did not begin in something solid.
    pub fn is_free(&self) -> bool {
        self.trace.is_free() && !self.trace.start_solid
    }
}

/// A map on which a mesh is generated.
pub trait Terrain: Map {
    /// The ground below a point, and up to a human's height above it: the lowest on which one fits. GoldSrc. `None` if the
    /// point lies in something solid up to there.
    fn floor(&self, point: [f32; 3]) -> Option<Floor>;

    /// The z of the normal of that ground. A map may find it with less work than the height.
    fn slope(&self, point: [f32; 3]) -> Option<f32> {
        self.floor(point).map(|floor| floor.normal[2])
    }

    /// Whether the map has displacements, under which nobody walks.
    fn has_displacements(&self) -> bool {
        true
    }

    /// The way of one who walks, as a box that reaches from `low` to `high` around the moving point; a line if both are
    /// zero. In Source it leads through what opens or breaks.
    fn way(&self, from: [f32; 3], to: [f32; 3], low: [f32; 3], high: [f32; 3]) -> Way;
}
