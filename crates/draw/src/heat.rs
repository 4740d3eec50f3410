//! What happened where, as the caller says it.

use navmap_core::graph::Point;

/// Points over a mesh: positions, kills, deaths. All are in the axes and units of the graph.
///
/// A point that is not finite is left out, and so is one whose value is no number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heat {
    /// The points.
    pub points: Vec<Point>,
    /// A value for each point, which are added up. Without, points are counted.
    pub values: Option<Vec<f32>>,
    /// What is coloured.
    pub by: HeatBy,
    /// What a colour means.
    pub scale: Scale,
    /// The title of the key: `points`, `kills`.
    pub title: String,
}

/// What shows how many points there are.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum HeatBy {
    /// Each point is a dot, in the colour of its value.
    #[default]
    Point,
    /// Nodes, by the points in them: for each point the position of its node in the graph, if it is in one.
    Area(Vec<Option<u32>>),
    /// Squares of the ground with sides of this length, in file units.
    Cell(f32),
    /// A smooth density: each point is spread with this standard deviation, in file units. Values are sums a square unit.
    Density(f32),
}

/// What colours mean along a ramp.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Scale {
    /// Whether equal ratios, and not equal differences, look equally far apart. Values of 0 and below have no colour then.
    pub log: bool,
    /// The ends of the ramp. By default 0, or the lowest value, and the highest.
    pub clip: Option<[f32; 2]>,
}
