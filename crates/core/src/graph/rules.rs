//! The rules by which a game queries its mesh.

use super::Axes;

/// The rules by which a game queries its mesh, which a query needs besides nodes and links. Lengths are in the file's
/// units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// How the ground runs between the corners of a polygon.
    pub surface: Surface,
    /// How far the ground may lie above a point that still stands on it. Source: 5.
    pub above: f32,
    /// How far the ground may lie below the point, unless a query says otherwise. Source: 120.
    pub reach: f32,
    /// The highest step that one can walk up. Source: 18.
    pub step: f32,
    /// Side of the square cells by which the game finds the nearest area, if it does so. Source: 300.
    pub engine_cell: Option<f32>,
    /// The least by which a link makes a way dearer: this share of its cost so far, and as many units. Source: 0.00001.
    pub least_growth: f32,
}

/// How the ground runs between the corners of a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Four corners around an upright rectangle, first and third opposite. Height is bilinear between them, and the
    /// center is midway between the first and the third.
    Bilinear,
    /// Any corners. The ground is flat triangles from the first corner to each further side, and the center is the mean
    /// of all corners.
    Flat,
}

impl Rules {
    /// Rules for a format whose game has no public ones: flat polygons, ground up to 10 cm above and 2.3 m below the
    /// point, a step of 34 cm. These are near the lengths of Source if 16 of its units are a foot, as maps are built.
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
