//! What of an older analysis still holds: spots are the same if they lie within a unit of each other.

use crate::geometry::minus;
use std::collections::HashMap;

/// Spots by the cube of two units that they lie in.
#[derive(Debug, Default)]
pub(super) struct Near {
    cells: HashMap<[i32; 3], Vec<u32>>,
    positions: Vec<[f32; 3]>,
}

/// A cube keeps this many spots. Real spots lie further apart; a mesh may heap them up to slow down whoever looks.
const MOST: usize = 8;

impl Near {
    /// Takes the spots in order; their number is what [`find`](Self::find) gives back.
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

    /// The spot that is nearest to a point, if it is within one unit; of several, the first.
    pub(super) fn find(&self, point: [f32; 3]) -> Option<u32> {
        // Nearly always the spot is where it was.
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

    /// The better of `best` and what lies in a cube: the square of the distance, and the number.
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
