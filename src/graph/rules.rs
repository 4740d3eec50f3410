//! How a game asks its own mesh.

use super::Axes;

/// How a game asks its own mesh: what a query needs besides nodes and links. Lengths in the file's units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// How the ground runs between the corners of a polygon.
    pub surface: Surface,
    /// How far above a point the ground may be that it still stands on. Source: 5.
    pub above: f32,
    /// How far below, unless a query says otherwise. Source: 120.
    pub reach: f32,
    /// What can be stepped up on foot. Source: 18.
    pub step: f32,
    /// Side of the square cells by which the game itself finds its nearest area, where it does. Source: 300.
    pub engine_cell: Option<f32>,
    /// A link makes a way dearer by at least this share of its cost so far, and by as many units. Source: 0.00001.
    pub least_growth: f32,
}

/// How the ground runs between the corners of a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Four corners around an upright rectangle, first and third opposite: height is bilinear between them, the center
    /// is midway between the first and the third.
    Bilinear,
    /// Any corners: flat triangles from the first corner to each further side, the center is the mean of all.
    Flat,
}

impl Rules {
    /// For a format whose game has no public rule: flat polygons, ground up to 10 cm above and 2.3 m below the point,
    /// a step of 34 cm (what Source has, in metres).
    pub fn of_axes(axes: Axes) -> Self {
        let metre = 1.0 / axes.metres_per_unit;
        Self {
            surface: Surface::Flat,
            above: 0.1 * metre,
            reach: 2.3 * metre,
            step: 0.34 * metre,
            engine_cell: None,
            least_growth: 0.0,
        }
    }
}
