//! Points, boxes, polygons, and the axes of a file.

use bytemuck::{Pod, Zeroable};

/// An inch in metres: the unit of Quake, GoldSrc, Source and Respawn's engine.
pub const INCH: f64 = 0.0254;

/// A yard in metres: the unit of World of Warcraft.
pub const YARD: f64 = 0.9144;

/// The unit of Skyrim, Fallout 3 and 4 in metres: a 64th of a yard.
pub const SIXTY_FOURTH_YARD: f64 = YARD / 64.0;

/// A point or a vector, in the file's axes and units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Point {
    /// First coordinate as the file has it.
    pub x: f32,
    /// Second coordinate.
    pub y: f32,
    /// Third coordinate.
    pub z: f32,
}

impl Point {
    /// A point.
    #[inline]
    pub const fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    /// Whether no coordinate is NaN or infinite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// The point between two.
    #[must_use]
    #[inline]
    pub fn midway(self, other: Self) -> Self {
        Self::new(
            f32::midpoint(self.x, other.x),
            f32::midpoint(self.y, other.y),
            f32::midpoint(self.z, other.z),
        )
    }

    /// Straight distance.
    #[inline]
    pub fn distance(self, other: Self) -> f32 {
        let (dx, dy, dz) = (self.x - other.x, self.y - other.y, self.z - other.z);
        (dx * dx + dy * dy + dz * dz).sqrt()
    }

    /// `[x, y, z]`.
    #[inline]
    pub fn to_array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }
}

impl From<[f32; 3]> for Point {
    fn from([x, y, z]: [f32; 3]) -> Self {
        Self { x, y, z }
    }
}

/// The mean of the corners, which lies inside every convex polygon. `None` if there are no corners.
pub(super) fn mean(corners: &[Point]) -> Option<Point> {
    if corners.is_empty() {
        return None;
    }
    let sum = corners
        .iter()
        .fold([0f64; 3], |[x, y, z], p| [x + f64::from(p.x), y + f64::from(p.y), z + f64::from(p.z)]);
    Some(Point::from(sum.map(|v| (v / corners.len() as f64) as f32)))
}

/// Area of a polygon in space, in square units: half the length of the sum of cross products. Exact for a flat polygon; a quad
/// that is not flat counts as its mean surface.
pub(super) fn area(corners: &[Point]) -> f64 {
    let Some(first) = corners.first() else { return 0.0 };
    let from_first =
        |p: &Point| [f64::from(p.x - first.x), f64::from(p.y - first.y), f64::from(p.z - first.z)];
    let normal = corners.windows(2).fold([0f64; 3], |[x, y, z], pair| {
        let ([ax, ay, az], [bx, by, bz]) = (from_first(&pair[0]), from_first(&pair[1]));
        [x + ay * bz - az * by, y + az * bx - ax * bz, z + ax * by - ay * bx]
    });
    normal.iter().map(|v| v * v).sum::<f64>().sqrt() / 2.0
}

/// An axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// The smallest coordinates.
    pub min: Point,
    /// The largest.
    pub max: Point,
}

impl Aabb {
    /// The empty box. Any point widens it.
    pub const EMPTY: Self = Self {
        min: Point::new(f32::INFINITY, f32::INFINITY, f32::INFINITY),
        max: Point::new(f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY),
    };

    /// Whether it contains no point.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Widens the box to contain a point. A point with NaN or infinity is ignored.
    #[inline]
    pub fn add(&mut self, p: Point) {
        if p.is_finite() {
            self.min = Point::new(self.min.x.min(p.x), self.min.y.min(p.y), self.min.z.min(p.z));
            self.max = Point::new(self.max.x.max(p.x), self.max.y.max(p.y), self.max.z.max(p.z));
        }
    }
}

impl FromIterator<Point> for Aabb {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut bounds = Self::EMPTY;
        points.into_iter().for_each(|p| bounds.add(p));
        bounds
    }
}

/// The coordinate that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Up {
    /// Y: Fox Engine.
    Y,
    /// Z: Source, Quake, Bethesda.
    Z,
}

/// A signed axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Towards larger x.
    PlusX,
    /// Towards smaller x.
    MinusX,
    /// Towards larger y.
    PlusY,
    /// Towards smaller y.
    MinusY,
    /// Towards larger z.
    PlusZ,
    /// Towards smaller z.
    MinusZ,
}

/// The meaning of a file's coordinates. The axes of all families are right-handed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes {
    /// The coordinate that points up.
    pub up: Up,
    /// The axis that the format calls north, if it uses the word.
    pub north: Option<Axis>,
    /// Length of a unit in metres, by the conventions of the game's makers. No format stores it.
    pub metres_per_unit: f32,
}

impl Axes {
    /// Z up, no north.
    #[inline]
    pub const fn z_up(metres_per_unit: f32) -> Self {
        Self { up: Up::Z, north: None, metres_per_unit }
    }

    /// Y up, no north.
    #[inline]
    pub const fn y_up(metres_per_unit: f32) -> Self {
        Self { up: Up::Y, north: None, metres_per_unit }
    }

    /// The same axes with `north` set.
    #[must_use]
    #[inline]
    pub const fn with_north(self, north: Axis) -> Self {
        Self { north: Some(north), ..self }
    }

    /// The point as seen from above, not mirrored: right on the page, up on the page, height, in file units. Right is +x for
    /// every family. Up on the page is +y if z is up, and -z if y is up.
    #[inline]
    pub fn plan(&self, p: Point) -> [f32; 3] {
        match self.up {
            Up::Z => [p.x, p.y, p.z],
            Up::Y => [p.x, -p.z, p.y],
        }
    }

    /// Height in file units.
    #[inline]
    pub fn height(&self, p: Point) -> f32 {
        match self.up {
            Up::Z => p.z,
            Up::Y => p.y,
        }
    }

    /// The point in metres, y up, right-handed, as in glTF.
    pub fn to_metres_y_up(&self, p: Point) -> Point {
        let [right, forward, height] = self.plan(p);
        let m = self.metres_per_unit;
        Point::new(right * m, height * m, -forward * m)
    }

    /// Moves a point down.
    pub(super) fn lower(&self, p: &mut Point, by: f32) {
        match self.up {
            Up::Z => p.z -= by,
            Up::Y => p.y -= by,
        }
    }

    /// North as a direction on the page (right, up).
    pub fn north_on_page(&self) -> Option<[f32; 2]> {
        let unit = match self.north? {
            Axis::PlusX => Point::new(1.0, 0.0, 0.0),
            Axis::MinusX => Point::new(-1.0, 0.0, 0.0),
            Axis::PlusY => Point::new(0.0, 1.0, 0.0),
            Axis::MinusY => Point::new(0.0, -1.0, 0.0),
            Axis::PlusZ => Point::new(0.0, 0.0, 1.0),
            Axis::MinusZ => Point::new(0.0, 0.0, -1.0),
        };
        let [right, up, _] = self.plan(unit);
        Some([right, up])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_those_of_the_surface_not_of_its_shadow() {
        let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 3.0, 0.0], [0.0, 3.0, 0.0]].map(Point::from);
        assert_eq!(area(&flat), 12.0);
        let steep = [[0.0, 0.0, 0.0], [4.0, 0.0, 3.0], [4.0, 3.0, 3.0], [0.0, 3.0, 0.0]].map(Point::from);
        assert!((area(&steep) - 15.0).abs() < 1e-9);
        assert_eq!((area(&[]), area(&flat[..2])), (0.0, 0.0));
    }

    #[test]
    fn far_from_the_origin_areas_keep_their_precision() {
        let far = [[0.0, 0.0], [16.0, 0.0], [16.0, 16.0], [0.0, 16.0]]
            .map(|[x, y]| Point::new(500_000.0 + x, -500_000.0 + y, 3.0));
        assert_eq!(area(&far), 256.0);
        assert_eq!(mean(&far), Some(Point::new(500_008.0, -499_992.0, 3.0)));
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn a_plan_is_never_mirrored() {
        for axes in [Axes::z_up(1.0), Axes::y_up(1.0)] {
            let [x, y, z] =
                [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|a| axes.plan(Point::from(a)));
            let determinant = x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0])
                + x[2] * (y[0] * z[1] - y[1] * z[0]);
            assert_eq!(determinant, 1.0, "{axes:?}");
        }
        let fox = Axes::y_up(1.0).with_north(Axis::MinusZ);
        assert_eq!(fox.north_on_page(), Some([0.0, 1.0]));
        assert_eq!(fox.to_metres_y_up(Point::new(1.0, 2.0, 3.0)), Point::new(1.0, 2.0, 3.0));
        assert_eq!(Axes::z_up(0.5).to_metres_y_up(Point::new(2.0, 4.0, 6.0)), Point::new(1.0, 3.0, -2.0));
    }

    #[test]
    fn boxes_pass_over_what_is_no_place() {
        let mut bounds = Aabb::EMPTY;
        bounds.add(Point::new(f32::NAN, 0.0, 0.0));
        bounds.add(Point::new(0.0, f32::INFINITY, 0.0));
        assert!(bounds.is_empty());
        bounds.add(Point::new(1.0, 2.0, 3.0));
        assert_eq!((bounds.min, bounds.is_empty()), (Point::new(1.0, 2.0, 3.0), false));
    }
}
