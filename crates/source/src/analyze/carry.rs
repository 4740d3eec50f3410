//! Carries over valid results of an older analysis: spots within a unit of each other are the same.

use crate::geometry::minus;
use std::collections::HashMap;

/// Spots by the cube of two units that they lie in.
#[derive(Debug, Default)]
pub(super) struct Near {
    cells: HashMap<[i32; 3], Vec<u32>>,
    positions: Vec<[f32; 3]>,
}

/// The most spots per cube. Real spots are farther apart; a mesh may pile them up to slow down readers.
const MOST: usize = 8;

impl Near {
    /// Takes the spots in order. [`find`](Self::find) returns their index.
    pub(super) fn new(positions: Vec<[f32; 3]>) -> Self {
        let mut cells: HashMap<[i32; 3], Vec<u32>> = HashMap::with_capacity(positions.len());
        for (number, position) in (0_u32..).zip(&positions) {
            let cell = cells.entry(cube(*position)).or_default();
            if cell.len() < MOST {
                cell.push(number);
            }
        }
        Self { cells, positions }
    }

    /// The spot nearest to a point within one unit; the first among equals.
    pub(super) fn find(&self, point: [f32; 3]) -> Option<u32> {
        // Nearly always the spot has not moved.
        let mut best = self.look(point, cube(point), None);
        if best.is_some_and(|(far, _)| far == 0.0) {
            return best.map(|(_, number)| number);
        }
        let low = cube(point.map(|value| value - 1.0));
        let high = cube(point.map(|value| value + 1.0));
        let [x, y, z] = [0, 1, 2].map(|axis: usize| {
            let bound = |cube: &[i32; 3]| cube.get(axis).copied().unwrap_or_default();
            bound(&low)..=bound(&high)
        });
        for i in x {
            for j in y.clone() {
                for k in z.clone() {
                    best = self.look(point, [i, j, k], best);
                }
            }
        }
        best.map(|(_, number)| number)
    }

    /// The better of `best` and the spots in a cube: squared distance and index.
    fn look(&self, point: [f32; 3], cube: [i32; 3], mut best: Option<(f32, u32)>) -> Option<(f32, u32)> {
        for number in self.cells.get(&cube).map(Vec::as_slice).unwrap_or_default() {
            let Some(other) = self.positions.get(*number as usize) else { continue };
            let [dx, dy, dz] = minus(point, *other);
            let far = dx * dx + dy * dy + dz * dz;
            if far <= 1.0 && best.is_none_or(|least| (far, *number) < least) {
                best = Some((far, *number));
            }
        }
        best
    }
}

fn cube(point: [f32; 3]) -> [i32; 3] {
    point.map(|value| (0.5 * value).floor() as i32)
}
