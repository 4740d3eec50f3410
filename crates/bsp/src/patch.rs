//! Curved surfaces of Quake III: nets of control points, three by three of which are a Bézier surface of second degree.

use super::winding::Corner;

/// How many quadrilaterals a surface of three by three points has along each side.
pub(super) const STEPS: usize = 8;

/// A net of control points, row by row, with the sum of their normals: its front.
pub(super) struct Patch {
    pub(super) columns: usize,
    pub(super) points: Vec<[f32; 3]>,
    pub(super) front: Corner,
}

impl Patch {
    /// How many triangles a net of so many points becomes; `None` if it is no net.
    pub(super) fn triangles(columns: usize, rows: usize) -> Option<usize> {
        let is_side = |points: &usize| *points >= 3 && points % 2 == 1;
        let surfaces = |points: usize| points.checked_sub(1).map(|points| points / 2);
        let both = is_side(&columns).then_some(columns)?.checked_mul(is_side(&rows).then_some(rows)?);
        both?;
        surfaces(columns)?.checked_mul(surfaces(rows)?)?.checked_mul(STEPS * STEPS * 2)
    }

    /// How many triangles it becomes.
    pub(super) fn count(&self) -> usize {
        let rows = self.points.len().checked_div(self.columns).unwrap_or(0);
        Self::triangles(self.columns, rows).unwrap_or(0)
    }

    /// Calls `each` with its triangles.
    pub(super) fn each(&self, mut each: impl FnMut([Corner; 3])) {
        let rows = self.points.len().checked_div(self.columns).unwrap_or(0);
        for row in (0..rows.saturating_sub(2)).step_by(2) {
            for column in (0..self.columns.saturating_sub(2)).step_by(2) {
                let net: [[Corner; 3]; 3] = std::array::from_fn(|r| {
                    std::array::from_fn(|c| self.point(column.saturating_add(c), row.saturating_add(r)))
                });
                for v in 0..STEPS {
                    for u in 0..STEPS {
                        let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)]
                            .map(|(du, dv)| surface(&net, u.saturating_add(du), v.saturating_add(dv)));
                        each([a, b, c]);
                        each([a, c, d]);
                    }
                }
            }
        }
    }

    fn point(&self, column: usize, row: usize) -> Corner {
        let at = row.saturating_mul(self.columns).saturating_add(column);
        self.points.get(at).copied().unwrap_or_default().map(f64::from)
    }
}

/// A point of a surface, by steps along its sides.
fn surface(net: &[[Corner; 3]; 3], u: usize, v: usize) -> Corner {
    curve(net.map(|row| curve(row, u)), v)
}

fn curve([a, b, c]: [Corner; 3], step: usize) -> Corner {
    let t = step as f64 / STEPS as f64;
    let weights = [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
    let [p, q, r] = weights;
    let mut parts = a.into_iter().zip(b).zip(c).map(|((a, b), c)| a * p + b * q + c * r);
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn a_bent_surface_goes_through_its_rim_and_under_its_middle() {
        // A hump: the middle column of points is 8 high, the surface half as much.
        let points = (0..9)
            .map(|at| [(at % 3) as f32 * 4.0, (at / 3) as f32 * 4.0, if at % 3 == 1 { 8.0 } else { 0.0 }]);
        let patch = Patch { columns: 3, points: points.collect(), front: [0.0, 0.0, 1.0] };
        let mut triangles = Vec::new();
        patch.each(|triangle| triangles.push(triangle));
        assert_eq!(Some(triangles.len()), Patch::triangles(3, 3));
        let top = triangles.iter().flatten().map(|corner| corner[2]).fold(0.0, f64::max);
        assert!((top - 4.0).abs() < 1e-9, "{top}");
        let at =
            |x: f64| triangles.iter().flatten().filter(|c| c[0] == x).map(|c| c[2]).fold(f64::MIN, f64::max);
        assert_eq!((at(0.0), at(8.0)), (0.0, 0.0));
    }

    #[test]
    fn nets_of_even_sides_or_few_points_are_none() {
        for (columns, rows) in [(2, 3), (3, 4), (1, 3), (0, 0), (usize::MAX, usize::MAX)] {
            assert_eq!(Patch::triangles(columns, rows), None, "{columns} {rows}");
        }
        assert_eq!(Patch::triangles(5, 3), Some(256));
    }
}
