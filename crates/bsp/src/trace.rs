//! Where a trace ends.

use super::contents::Contents;

/// The distance before an obstacle at which a trace stops.
pub(super) const GAP: f32 = 1.0 / 32.0;

/// The result of tracing a line or a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// The free part of the way: 1 if nothing was hit. A trace stops 1/32 of a unit before an obstacle.
    pub fraction: f32,
    /// The point that was reached.
    pub end: [f32; 3],
    /// The normal of the surface that was hit; zero if nothing was.
    pub normal: [f32; 3],
    /// Whether the start lies in something solid.
    pub start_solid: bool,
    /// Whether the whole way lies in something solid.
    pub all_solid: bool,
    /// What was hit.
    pub contents: Contents,
    /// The entity that was hit, as its number in the map; `None` for the world.
    pub entity: Option<u32>,
    /// Whether it was a displacement: Source's ground made of triangles.
    pub displacement: bool,
    /// Whether the sky was hit. Source only.
    pub sky: bool,
}

impl Trace {
    /// A trace that hits nothing.
    pub fn free(to: [f32; 3]) -> Self {
        Self {
            fraction: 1.0,
            end: to,
            normal: [0.0; 3],
            start_solid: false,
            all_solid: false,
            contents: Contents::EMPTY,
            entity: None,
            displacement: false,
            sky: false,
        }
    }

    /// Whether the whole way is free.
    pub fn is_free(&self) -> bool {
        self.fraction >= 1.0 && !self.start_solid
    }
}

/// The parameters of a trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    pub(super) from: [f32; 3],
    pub(super) to: [f32; 3],
    /// From the moving point to the corners of the box; zero for a line.
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
    pub(super) mask: Contents,
}

impl Sweep {
    pub(super) fn is_line(&self) -> bool {
        self.low == [0.0; 3] && self.high == [0.0; 3]
    }

    pub(super) fn is_finite(&self) -> bool {
        [self.from, self.to, self.low, self.high].iter().flatten().all(|part| part.is_finite())
    }

    /// The box around the way to a point on it, and a unit more: whatever ends a trace there touches it.
    pub(super) fn around(&self, [ex, ey, ez]: [f32; 3]) -> [[f32; 3]; 2] {
        let ([fx, fy, fz], [lx, ly, lz], [hx, hy, hz]) = (self.from, self.low, self.high);
        let low = [fx.min(ex) + lx - 1.0, fy.min(ey) + ly - 1.0, fz.min(ez) + lz - 1.0];
        let high = [fx.max(ex) + hx + 1.0, fy.max(ey) + hy + 1.0, fz.max(ez) + hz + 1.0];
        [low, high]
    }

    /// How far the box reaches around the moving point, and a unit more.
    pub(super) fn reaches(&self) -> [[f32; 3]; 2] {
        [self.low.map(|part| part - 1.0), self.high.map(|part| part + 1.0)]
    }

    /// The point at a fraction of the way.
    pub(super) fn at(&self, fraction: f32) -> [f32; 3] {
        mix(self.from, self.to, fraction)
    }

    /// The same trace in the space of a model that stands at `origin`.
    pub(super) fn shifted(&self, origin: [f32; 3]) -> Self {
        Self { from: minus(self.from, origin), to: minus(self.to, origin), ..*self }
    }
}

/// Whether two boxes have a point in common.
pub(super) fn touch([a_low, a_high]: &[[f32; 3]; 2], [b_low, b_high]: &[[f32; 3]; 2]) -> bool {
    let apart = |low: &[f32; 3], high: &[f32; 3]| low.iter().zip(high).any(|(low, high)| low > high);
    !apart(a_low, b_high) && !apart(b_low, a_high)
}

/// The part of a vector along an axis.
pub(super) fn part(vector: [f32; 3], axis: usize) -> f32 {
    vector.get(axis).copied().unwrap_or_default()
}

pub(super) fn minus([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ax - bx, ay - by, az - bz]
}

pub(super) fn cross([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

pub(super) fn dot([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> f32 {
    ax * bx + ay * by + az * bz
}

pub(super) fn mix([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3], fraction: f32) -> [f32; 3] {
    [ax + (bx - ax) * fraction, ay + (by - ay) * fraction, az + (bz - az) * fraction]
}

/// How far the box around a sweep's point reaches along a normal from its middle, and the offset of that middle.
pub(super) fn reach(normal: [f32; 3], low: [f32; 3], high: [f32; 3]) -> (f32, f32) {
    let ([nx, ny, nz], [lx, ly, lz], [hx, hy, hz]) = (normal, low, high);
    // Every node on the way of a box asks for this.
    let (x, y, z) = ([nx * lx, nx * hx], [ny * ly, ny * hy], [nz * lz, nz * hz]);
    let least = x[0].min(x[1]) + y[0].min(y[1]) + z[0].min(z[1]);
    let most = x[0].max(x[1]) + y[0].max(y[1]) + z[0].max(z[1]);
    (0.5 * (most - least), 0.5 * (most + least))
}
