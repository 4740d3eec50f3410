//! Heights inside of polygons: a polygon that is flat where the ground is not gets points of the ground, and triangles over them.
//!
//! Two polygons have the same points on the edge between them, since those are found from the edge alone.

use rerecast::CompactHeightfield;

/// The most points on an edge, inside of a polygon, and to measure in one: a detail mesh counts in 8 bits.
const MOST_ON_EDGE: usize = 7;
const MOST_INSIDE: usize = 64;
const MOST_SAMPLES: usize = 256;

type Point = [f32; 3];

/// The ground of a tile: points in voxels from its corner.
pub(super) struct Ground<'o> {
    open: &'o CompactHeightfield,
    border: u16,
}

impl<'o> Ground<'o> {
    pub(super) fn new(open: &'o CompactHeightfield, border: u16) -> Self {
        Self { open, border }
    }

    /// The height of the ground under a point: that of the column's floor nearest to it, if it has one.
    fn under(&self, [x, y, z]: Point) -> Option<f32> {
        let column = |value: f32, count: u16| {
            let cell = value + f32::from(self.border);
            (cell >= 0.0 && cell < f32::from(count)).then_some(cell as usize)
        };
        let (x, z) = (column(x, self.open.width)?, column(z, self.open.height)?);
        let cell = self.open.cells.get(x + z * usize::from(self.open.width))?;
        let floors = self.open.spans.get(cell.index_range())?.iter().map(|span| f32::from(span.y));
        floors.min_by(|a, b| (a - y).abs().total_cmp(&(b - y).abs()))
    }
}

/// The triangles over a polygon.
pub(super) struct Detail {
    /// Corners of the polygon, then points of the ground, in voxels.
    pub(super) points: Vec<Point>,
    corners: usize,
    /// Corners, and two bits for each edge, 1 if it lies on the polygon's.
    pub(super) triangles: Vec<([u8; 3], u8)>,
}

impl Detail {
    /// Points of the ground are added, a `step` apart, where the surface is farther than `error` from it. No step adds none.
    pub(super) fn new(shape: &[Point], ground: &Ground<'_>, step: f32, error: f32) -> Self {
        let mut made = Self { points: shape.to_vec(), corners: shape.len(), triangles: Vec::new() };
        made.fan();
        if step <= 0.0 {
            return made;
        }
        let rim = made.rim(ground, step, error);
        let samples = samples(shape, ground, step);
        let off =
            |made: &Self, sample: &Point| made.surface(*sample).map_or(0.0, |(y, _)| (y - sample[1]).abs());
        if rim.len() == shape.len() && samples.iter().all(|sample| off(&made, sample) <= error) {
            return made;
        }
        made.star(&rim, ground);
        for _ in 0..MOST_INSIDE {
            let worst = samples.iter().max_by(|a, b| off(&made, a).total_cmp(&off(&made, b)));
            let Some(worst) = worst.filter(|worst| off(&made, worst) > error) else { break };
            let Some((_, triangle)) = made.surface(*worst) else { break };
            made.split(triangle, *worst);
        }
        made
    }

    /// The points beside the corners of the polygon.
    pub(super) fn added(&self) -> &[Point] {
        &self.points[self.corners..]
    }

    /// Triangles around the first corner.
    fn fan(&mut self) {
        let last = self.corners - 1;
        for third in 2..self.corners {
            let flags = 1 << 2 | u8::from(third == 2) | u8::from(third == last) << 4;
            self.triangles.push(([0, third as u8 - 1, third as u8], flags));
        }
    }

    /// The corners with points of the ground between them, by index. The points are added.
    fn rim(&mut self, ground: &Ground<'_>, step: f32, error: f32) -> Vec<u8> {
        let mut rim = Vec::new();
        for first in 0..self.corners {
            let (a, b) = (self.points[first], self.points[(first + 1) % self.corners]);
            rim.push(first as u8);
            // From the same end for both polygons.
            let turned = b < a;
            let (from, to) = if turned { (b, a) } else { (a, b) };
            let mut between = along(from, to, ground, step, error);
            if turned {
                between.reverse();
            }
            for point in between {
                rim.push(self.points.len() as u8);
                self.points.push(point);
            }
        }
        rim
    }

    /// Triangles around the middle, to each part of the rim.
    fn star(&mut self, rim: &[u8], ground: &Ground<'_>) {
        let count = self.corners as f32;
        let sum = self.points[..self.corners].iter().fold([0.0; 3], |sum: Point, p| add(sum, *p));
        let middle = sum.map(|part| part / count);
        let height = self.surface(middle).map_or(middle[1], |(y, _)| y);
        let expected = [middle[0], height, middle[2]];
        let height = ground.under(expected).unwrap_or(height);
        let center = self.points.len() as u8;
        self.points.push([middle[0], height, middle[2]]);
        self.triangles.clear();
        let ahead = rim.iter().cycle().skip(1);
        self.triangles.extend(rim.iter().zip(ahead).map(|(a, b)| ([center, *a, *b], 1 << 2)));
    }

    /// The height of the surface at a point, and the triangle there.
    fn surface(&self, at: Point) -> Option<(f32, usize)> {
        self.triangles.iter().enumerate().find_map(|(index, (corners, _))| {
            let [a, b, c] = corners.map(|corner| self.points[usize::from(corner)]);
            let whole = turn(a, b, c);
            if whole == 0.0 {
                return None;
            }
            let shares = [turn(at, b, c), turn(a, at, c), turn(a, b, at)].map(|part| part / whole);
            let inside = shares.iter().all(|share| *share >= -1e-4);
            inside.then(|| (shares[0] * a[1] + shares[1] * b[1] + shares[2] * c[1], index))
        })
    }

    /// Puts a point into a triangle.
    fn split(&mut self, triangle: usize, point: Point) {
        let ([a, b, c], flags) = self.triangles[triangle];
        let new = self.points.len() as u8;
        self.points.push(point);
        self.triangles[triangle] = ([a, b, new], flags & 3);
        self.triangles.push(([b, c, new], flags >> 2 & 3));
        self.triangles.push(([c, a, new], flags >> 4 & 3));
    }
}

/// Points of the ground along an edge, in order: where the straight line would be off by more than `error`.
fn along(from: Point, to: Point, ground: &Ground<'_>, step: f32, error: f32) -> Vec<Point> {
    let length = (to[0] - from[0]).hypot(to[2] - from[2]);
    let parts = ((length / step) as usize).min(MOST_ON_EDGE + 1);
    let measured = (1..parts).filter_map(|part| {
        let share = part as f32 / parts as f32;
        let at = mix(from, to, share);
        ground.under(at).map(|y| (share, [at[0], y, at[2]]))
    });
    let measured: Vec<(f32, Point)> = measured.collect();
    let mut kept = vec![(0.0, from), (1.0, to)];
    loop {
        let off = |(share, point): &(f32, Point)| {
            let after = kept.iter().position(|(other, _)| other >= share).unwrap_or(kept.len() - 1).max(1);
            let ((a, p), (b, q)) = (kept[after - 1], kept[after]);
            (p[1] + (q[1] - p[1]) * (share - a) / (b - a) - point[1]).abs()
        };
        let worst = measured.iter().max_by(|a, b| off(a).total_cmp(&off(b)));
        let Some(worst) = worst.filter(|worst| off(worst) > error) else { break };
        let after = kept.iter().position(|(share, _)| *share > worst.0).unwrap_or(kept.len() - 1);
        kept.insert(after, *worst);
    }
    kept[1..kept.len() - 1].iter().map(|(_, point)| *point).collect()
}

/// The ground at points of a net inside of a polygon, away from its edges.
fn samples(shape: &[Point], ground: &Ground<'_>, step: f32) -> Vec<Point> {
    let around = |pick: fn(f32, f32) -> f32, axis: usize| {
        shape.iter().map(|point| point[axis]).reduce(pick).unwrap_or_default()
    };
    let [low, high] =
        [f32::min as fn(f32, f32) -> f32, f32::max].map(|pick| [around(pick, 0), around(pick, 2)]);
    let count = [0, 1].map(|axis: usize| ((high[axis] - low[axis]) / step) as usize);
    let mut found = Vec::new();
    for row in 1..=count[1] {
        for column in 1..=count[0] {
            let (x, z) = (low[0] + column as f32 * step, low[1] + row as f32 * step);
            let ahead = shape.iter().cycle().skip(1);
            let inside = shape
                .iter()
                .zip(ahead)
                .all(|(a, b)| turn(*a, *b, [x, 0.0, z]) > 0.5 * step * (b[0] - a[0]).hypot(b[2] - a[2]));
            if !inside {
                continue;
            }
            let y = shape.iter().map(|point| point[1]).sum::<f32>() / shape.len() as f32;
            found.extend(ground.under([x, y, z]).map(|y| [x, y, z]));
            if found.len() == MOST_SAMPLES {
                return found;
            }
        }
    }
    found
}

/// Twice the area of a triangle in plan; positive for those that Detour takes for facing up.
fn turn(a: Point, b: Point, c: Point) -> f32 {
    (c[0] - a[0]) * (b[2] - a[2]) - (b[0] - a[0]) * (c[2] - a[2])
}

fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn mix(a: Point, b: Point, share: f32) -> Point {
    [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * share)
}
