//! Polygons and lines as modelling programs store them: shared positions, named materials and objects.

/// The model for a mesh: polygons and lines over shared positions, in file order.
///
/// A family's builder interprets the names. Coordinates are those of the file.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Scene {
    /// Positions, finite.
    pub positions: Vec<[f64; 3]>,
    /// Corners of all polygons, as indices of `positions`.
    pub corners: Vec<u32>,
    /// The polygons.
    pub polygons: Vec<Polygon>,
    /// Lines, each between two positions.
    pub lines: Vec<Line>,
    /// Positions that are points of their own.
    pub points: Vec<u32>,
    /// Names of materials. The first is empty: no material.
    pub materials: Vec<String>,
    /// Names of objects. The first is empty: no object.
    pub objects: Vec<String>,
    /// The unit of `line` in polygons and lines: `line` of a text, `triangle` of another file.
    pub unit: &'static str,
}

/// A polygon of a [`Scene`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Polygon {
    /// The end of its corners in [`Scene::corners`]. They begin at the end of the previous polygon's.
    pub end: u32,
    /// Its place in the file, from 1.
    pub line: u32,
    /// Its material, as an index of [`Scene::materials`].
    pub material: u32,
    /// Its object, as an index of [`Scene::objects`].
    pub object: u32,
}

/// A line of a [`Scene`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its ends, as indices of [`Scene::positions`].
    pub ends: [u32; 2],
    /// Its place in the file, from 1.
    pub line: u32,
    /// Its material, as an index of [`Scene::materials`].
    pub material: u32,
    /// Its object, as an index of [`Scene::objects`].
    pub object: u32,
}

impl Scene {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { materials: vec![String::new()], objects: vec![String::new()], unit: "line", ..Self::default() }
    }

    /// Adds a polygon over existing positions.
    pub fn add_polygon(&mut self, corners: &[u32], line: u32, material: u32, object: u32) {
        self.corners.extend_from_slice(corners);
        let end = u32::try_from(self.corners.len()).unwrap_or(u32::MAX);
        self.polygons.push(Polygon { end, line, material, object });
    }

    /// The polygons with their corners.
    pub fn polygons(&self) -> impl Iterator<Item = (&Polygon, &[u32])> {
        let mut from = 0;
        self.polygons.iter().map(move |polygon| {
            let end = polygon.end as usize;
            let corners = self.corners.get(from..end).unwrap_or_default();
            from = end;
            (polygon, corners)
        })
    }

    /// A position; the origin if the index is out of range.
    pub fn position(&self, index: u32) -> [f64; 3] {
        self.positions.get(index as usize).copied().unwrap_or_default()
    }

    /// The name of a material.
    pub fn material(&self, index: u32) -> &str {
        self.materials.get(index as usize).map_or("", String::as_str)
    }

    /// The name of an object.
    pub fn object(&self, index: u32) -> &str {
        self.objects.get(index as usize).map_or("", String::as_str)
    }

    /// A place in the file in words: `line 12`.
    pub fn place(&self, line: u32) -> String {
        format!("{} {line}", self.unit)
    }

    /// Refuses coordinates so large that `f32` cannot distinguish whole units.
    ///
    /// # Errors
    /// If a polygon, a line or a point has such a coordinate. The error names its place.
    pub fn bounded(&self) -> crate::Result<()> {
        const MOST: f64 = 16_777_216.0;
        let far = |at: &u32| self.position(*at).into_iter().find(|v| v.is_nan() || v.abs() > MOST);
        let refused = |value: f64, place: String| {
            let why = format!(
                "{place}: the coordinate {value} is beyond {MOST} units, which is as far as floats tell them apart"
            );
            Err(crate::Error::invalid("mesh", why))
        };
        for (polygon, corners) in self.polygons() {
            if let Some(value) = corners.iter().find_map(far) {
                return refused(value, self.place(polygon.line));
            }
        }
        for line in &self.lines {
            if let Some(value) = line.ends.iter().find_map(far) {
                return refused(value, self.place(line.line));
            }
        }
        let point = self.points.iter().find_map(|at| Some((far(at)?, at)));
        point.map_or(Ok(()), |(value, at)| refused(value, format!("vertex {}", u64::from(*at) + 1)))
    }

    /// Converts metres with y up into units with z up: x, −z, y. Among the units that round to the same `f32` of metres, takes
    /// the value with the fewest decimals, so that round numbers stay round. No zero gets a sign.
    pub fn turn_metres_y_up(&mut self, metres_per_unit: f64) {
        for [x, y, z] in &mut self.positions {
            let units = |metres: f64| units(metres, metres_per_unit) + 0.0;
            (*x, *y, *z) = (units(*x), units(-*z), units(*y));
        }
    }

    /// Converts z up into y up: x, z, −y. No zero gets a sign.
    pub fn turn_z_up(&mut self) {
        self.positions.iter_mut().for_each(|[x, y, z]| (*x, *y, *z) = (*x + 0.0, *z + 0.0, 0.0 - *y));
    }
}

/// Metres in units.
fn units(metres: f64, metres_per_unit: f64) -> f64 {
    let plain = metres / metres_per_unit;
    let same = |units: f64| {
        let stored = metres as f32;
        (units * metres_per_unit) as f32 == stored || units as f32 * metres_per_unit as f32 == stored
    };
    let round = |tenths: f64| (plain * tenths).round() / tenths;
    [1.0, 10.0, 100.0, 1000.0].into_iter().map(round).find(|units| same(*units)).unwrap_or(plain)
}
