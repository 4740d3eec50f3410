//! The rules of a game's queries on its mesh.

use super::Axes;

/// The rules of a game's queries on its mesh, besides nodes and links. Lengths are in the file's units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// The shape of the ground between the corners of a polygon.
    pub surface: Surface,
    /// How far above a point the ground may be for the point to stand on it. Source: 5.
    pub above: f32,
    /// How far below a point the ground may be, unless a query says otherwise. Source: 120.
    pub reach: f32,
    /// The highest step that can be walked up. Source: 18.
    pub step: f32,
    /// Side of the square cells in which the game searches the nearest area, if it uses any. Source: 300.
    pub engine_cell: Option<f32>,
    /// The least increase in cost per link: this fraction of the cost so far, and as many units. Source: 0.00001.
    pub least_growth: f32,
}

/// The shape of the ground between the corners of a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// Four corners around an upright rectangle, first and third opposite. Height is bilinear between them, and the center is
    /// midway between the first and the third.
    Bilinear,
    /// Any corners. The ground is flat triangles from the first corner to each further side, and the center is the mean of all
    /// corners.
    Flat,
}

impl Rules {
    /// Rules for a format whose game has no public ones: flat polygons, ground up to 10 cm above and 2.3 m below the point, a
    /// step of 34 cm. These are about Source's lengths at 16 units per foot, the scale of its maps.
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
