//! What only the map knows. An analysis is given a map, or does without.

/// Why a line or a box is traced. The map decides by it what stands in the way: glass does not hide anybody from an
/// encounter in GoldSrc, but gives cover. `docs/formats/source-analyze.md`, section 3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Whether a spot is in cover.
    Cover,
    /// Which spots are seen from an encounter path.
    Encounter,
    /// What a sniper sees from a spot.
    Sniper,
    /// Which areas are seen from an area, for its approaches.
    Approach,
    /// Where the ground is.
    Ground,
    /// What can be seen from where.
    Visibility,
}

/// Where a trace ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// How much of the way is free: 1 if nothing was hit.
    pub fraction: f32,
    /// Whether the start lies in something solid.
    pub start_solid: bool,
    /// The point that was reached.
    pub end: [f32; 3],
    /// Out of the surface that was hit; zero if nothing was.
    pub normal: [f32; 3],
}

impl Trace {
    /// A trace that hit nothing.
    pub fn free(to: [f32; 3]) -> Self {
        Self { fraction: 1.0, start_solid: false, end: to, normal: [0.0; 3] }
    }

    /// Whether the whole way is free.
    pub fn is_free(&self) -> bool {
        self.fraction >= 1.0
    }
}

/// A map through which lines and boxes are traced. Points are in Hammer units, as in the mesh.
pub trait Map: Sync {
    /// Traces a line.
    fn line(&self, from: [f32; 3], to: [f32; 3], purpose: Purpose) -> Trace;

    /// Called before each piece of work, which one thread does from end to end. What the map remembers of earlier questions it
    /// forgets, so that answers do not depend on which thread does what.
    fn begin(&self) {}

    /// Whether a line meets nothing: what [`line`](Self::line) would say, for a map that can tell it sooner.
    fn is_free(&self, from: [f32; 3], to: [f32; 3], purpose: Purpose) -> bool {
        self.line(from, to, purpose).is_free()
    }

    /// Traces a box, which reaches from `low` to `high` around the moving point.
    fn hull(&self, from: [f32; 3], to: [f32; 3], low: [f32; 3], high: [f32; 3], purpose: Purpose) -> Trace;

    /// The height of the ground below a point on which a human can stand. `None` if there is none.
    fn ground(&self, point: [f32; 3]) -> Option<f32>;

    /// Whether the box may be seen from any of the points, by what the map's compiler found out. True if the map does
    /// not say.
    fn may_see(&self, from: &[[f32; 3]], low: [f32; 3], high: [f32; 3]) -> bool {
        let _ = (from, low, high);
        true
    }
}
