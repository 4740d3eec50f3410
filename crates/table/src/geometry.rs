//! Shapes of places to stand, as the well-known binary that geographic tools read.
//!
//! `POINT Z` and `POLYGON Z` (1001 and 1003 of ISO 13249-3), little-endian, with coordinates as seen from above and not
//! mirrored: right on the page, up on the page, height. They are those of [`Axes::plan`](navmap_core::graph::Axes::plan), in the
//! unit of the file.

use super::told::Told;
use navmap_core::graph::{Point, Shape, Up};

/// The codes of the two shapes.
pub(crate) const POINT: u32 = 1001;
pub(crate) const POLYGON: u32 = 1003;

/// Bytes before the coordinates of a point, and of a polygon with one ring.
const POINT_HEAD: usize = 5;
const POLYGON_HEAD: usize = 13;

/// A shape on its way into a column, in the axes of its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Geometry<'a> {
    shape: Shape<'a>,
    up: Up,
}

impl Geometry<'static> {
    /// A point.
    pub(crate) fn point(at: [f32; 3], up: Up) -> Self {
        Self { shape: Shape::Point { at: Point::from(at), radius: None }, up }
    }
}

impl<'a> Geometry<'a> {
    pub(crate) fn new(shape: Shape<'a>, up: Up) -> Self {
        Self { shape, up }
    }

    /// A polygon with these corners.
    pub(crate) fn polygon(corners: &'a [Point], up: Up) -> Self {
        Self { shape: Shape::Polygon(corners), up }
    }

    /// The coordinates of a corner, the height last. Takes from 0, as the negative of 0 would be another text.
    fn plan(self, at: Point) -> [f64; 3] {
        match self.up {
            Up::Z => [at.x, at.y, at.z].map(f64::from),
            Up::Y => [at.x, 0.0 - at.z, at.y].map(f64::from),
        }
    }
}

/// The shapes of a column, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Geometries {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Geometries {
    /// The shape of a row in well-known binary; empty for a null. `None` past the end.
    #[inline]
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        let end = *self.ends.get(row)?;
        let start = row.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.bytes.get(start..end)
    }

    /// The shapes of all rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> + Clone {
        (0..self.ends.len()).map_while(|row| self.get(row))
    }

    /// The bytes of all rows, and where each row ends in them.
    pub fn into_parts(self) -> (Vec<u8>, Vec<usize>) {
        (self.bytes, self.ends)
    }

    /// How many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len().saturating_add(size_of_val(self.ends.as_slice()))
    }

    /// Reserves room for as many shapes of as many bytes.
    pub(super) fn reserve_as(&mut self, other: &Self) {
        self.bytes.reserve(other.bytes.len());
        self.ends.reserve(other.ends.len());
    }

    /// Adds the shapes of another column.
    pub(super) fn append(&mut self, other: &Self) {
        let before = self.bytes.len();
        self.ends.extend(other.ends.iter().map(|end| before.saturating_add(*end)));
        self.bytes.extend_from_slice(&other.bytes);
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Takes the shape of the next row. Returns whether it is one: a polygon has three corners or more, and no coordinate is
    /// NaN or infinite, which other programs read as an empty shape or refuse.
    pub(super) fn push(&mut self, geometry: Option<Geometry<'_>>) -> bool {
        let whole = geometry.filter(|geometry| {
            let corners = geometry.shape.corners();
            let enough = matches!(geometry.shape, Shape::Point { .. }) || corners.len() >= 3;
            enough && corners.iter().all(|corner| corner.is_finite())
        });
        if let Some(geometry) = whole {
            self.encode(geometry);
        }
        self.ends.push(self.bytes.len());
        whole.is_some()
    }

    fn encode(&mut self, geometry: Geometry<'_>) {
        let corners = geometry.shape.corners();
        self.bytes.push(1);
        let first = match geometry.shape {
            Shape::Point { .. } => {
                self.bytes.extend_from_slice(&POINT.to_le_bytes());
                None
            }
            Shape::Polygon(_) => {
                // A ring ends where it began.
                let count = u32::try_from(corners.len().saturating_add(1)).unwrap_or(u32::MAX);
                for word in [POLYGON, 1, count] {
                    self.bytes.extend_from_slice(&word.to_le_bytes());
                }
                corners.first()
            }
        };
        for corner in corners.iter().chain(first) {
            for axis in geometry.plan(*corner) {
                self.bytes.extend_from_slice(&axis.to_le_bytes());
            }
        }
    }
}

/// The code of a shape that was made here, and its points.
pub(crate) fn parts(wkb: &[u8]) -> Option<(u32, impl Iterator<Item = [f64; 3]> + Clone)> {
    let code = u32::from_le_bytes(wkb.get(1..POINT_HEAD)?.try_into().ok()?);
    let points = wkb.get(if code == POINT { POINT_HEAD } else { POLYGON_HEAD }..)?;
    let axis = |bytes: &[u8]| <[u8; 8]>::try_from(bytes).map_or(f64::NAN, f64::from_le_bytes);
    let point = move |point: &[u8]| {
        let mut axes = point.chunks_exact(8).map(axis);
        [(); 3].map(|()| axes.next().unwrap_or(f64::NAN))
    };
    Some((code, points.chunks_exact(24).map(point)))
}

/// A shape that was made here as well-known text: `POLYGON Z ((0 0 8, 64 0 8, 64 64 8, 0 0 8))`. Numbers have the fewest digits
/// that give the 32-bit float again.
pub(crate) struct Wkt<'w>(pub(crate) &'w [u8]);

impl Wkt<'_> {
    /// Whether the text has a comma in it.
    pub(crate) fn has_comma(&self) -> bool {
        parts(self.0).is_some_and(|(code, _)| code != POINT)
    }

    /// Appends the text.
    pub(crate) fn write(&self, told: &mut Told, out: &mut Vec<u8>) {
        let Some((code, points)) = parts(self.0) else { return out.extend_from_slice(b"POINT EMPTY") };
        let (open, close) = if code == POINT { ("POINT Z (", ")") } else { ("POLYGON Z ((", "))") };
        out.extend_from_slice(open.as_bytes());
        for (at, axes) in points.enumerate() {
            let mut gap: &[u8] = if at == 0 { b"" } else { b", " };
            for axis in axes {
                out.extend_from_slice(gap);
                // It was a 32-bit float.
                told.plain(axis as f32, out);
                gap = b" ";
            }
        }
        out.extend_from_slice(close.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(wkb: &[u8]) -> String {
        let mut text = Vec::new();
        Wkt(wkb).write(&mut Told::default(), &mut text);
        String::from_utf8(text).unwrap()
    }

    fn told(geometry: Geometry<'_>) -> Option<String> {
        let mut made = Geometries::default();
        made.push(Some(geometry)).then(|| text(made.get(0).unwrap()))
    }

    #[test]
    fn a_shape_is_closed_and_seen_from_above() {
        let corners = [[0.0, 1.0, 2.5], [8.0, 1.0, 3.0], [8.0, -9.0, 0.1]].map(Point::from);
        let z_up = told(Geometry::polygon(&corners, Up::Z));
        assert_eq!(z_up.as_deref(), Some("POLYGON Z ((0 1 2.5, 8 1 3, 8 -9 0.1, 0 1 2.5))"));
        let y_up = told(Geometry::polygon(&corners, Up::Y));
        assert_eq!(y_up.as_deref(), Some("POLYGON Z ((0 -2.5 1, 8 -3 1, 8 -0.1 -9, 0 -2.5 1))"));
        assert_eq!(told(Geometry::point([0.0, 1.0, 2.5], Up::Z)).as_deref(), Some("POINT Z (0 1 2.5)"));
    }

    #[test]
    fn what_is_no_shape_is_null() {
        let corners = [[0.0, 1.0, 2.5], [8.0, 1.0, 3.0], [8.0, -9.0, f32::NAN]].map(Point::from);
        assert_eq!(told(Geometry::polygon(&corners, Up::Z)), None);
        assert_eq!(told(Geometry::polygon(&corners[..2], Up::Z)), None);
        assert_eq!(told(Geometry::new(Shape::NONE, Up::Z)), None);
        assert_eq!(told(Geometry::point([8.0, f32::INFINITY, 0.0], Up::Y)), None);
    }

    #[test]
    fn each_row_has_its_own_bytes() {
        let point = |x: f32| Some(Geometry::point([x, 0.0, 0.0], Up::Z));
        let mut made = Geometries::default();
        let valid = [point(1.0), None, point(3.0)].map(|geometry| made.push(geometry));
        assert_eq!(valid, [true, false, true]);
        let texts: Vec<String> = made.iter().filter(|wkb| !wkb.is_empty()).map(text).collect();
        assert_eq!(texts, ["POINT Z (1 0 0)", "POINT Z (3 0 0)"]);
        assert_eq!((made.get(1), made.get(3)), (Some(&[][..]), None));
        made.clear();
        assert_eq!((made.get(0), made.iter().count()), (None, 0));
    }
}
