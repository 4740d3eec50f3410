//! The map queries of an analysis. The map is optional.

/// The purpose of a trace. The map uses it to decide what blocks: in GoldSrc, glass does not hide anybody from an encounter, but
/// gives cover. `docs/formats/source-analyze.md`, section 3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Testing a spot for cover.
    Cover,
    /// Finding the spots visible from an encounter path.
    Encounter,
    /// A sniper's view from a spot.
    Sniper,
    /// Finding the areas visible from an area, for its approaches.
    Approach,
    /// Where the ground is.
    Ground,
    /// Visibility between areas.
    Visibility,
}

/// Where a trace ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// The free part of the way: 1 if nothing was hit.
    pub fraction: f32,
    /// Whether the start lies in something solid.
    pub start_solid: bool,
    /// The point that was reached.
    pub end: [f32; 3],
    /// The normal of the surface that was hit; zero if nothing was.
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

    /// Called before each piece of work, which one thread does as a whole. The map drops its caches of earlier queries, so that
    /// answers do not depend on the distribution of work among threads.
    fn begin(&self) {}

    /// Whether a line hits nothing: the same as [`line`](Self::line), for maps that can answer it faster.
    fn is_free(&self, from: [f32; 3], to: [f32; 3], purpose: Purpose) -> bool {
        self.line(from, to, purpose).is_free()
    }

    /// Traces a box, which reaches from `low` to `high` around the moving point.
    fn hull(&self, from: [f32; 3], to: [f32; 3], low: [f32; 3], high: [f32; 3], purpose: Purpose) -> Trace;

    /// Called before a mesh is analysed, which [`finish`](Self::finish) ends, whether it succeeded or not. A map may bound by it what all its
    /// answers cost together.
    fn analyzes(&self) {}

    /// How many bytes the map has: an analysis of a larger one may take longer. One of a map that does not tell may take as long as it likes.
    fn bytes(&self) -> u64 {
        u64::MAX
    }

    /// Called at the end: whether the map answered as it should.
    ///
    /// # Errors
    /// If it gave up, for instance since its answers took too long.
    fn finish(&self) -> navmap_core::Result<()> {
        Ok(())
    }

    /// The height of the ground below a point on which a human can stand. `None` if there is none.
    fn ground(&self, point: [f32; 3]) -> Option<f32>;

    /// Of points to look from those that [`may_see`](Self::may_see) may tell apart: from the others it sees what it sees from these.
    fn apart(&self, points: &[[f32; 3]]) -> Vec<[f32; 3]> {
        points.to_vec()
    }

    /// Whether the box may be visible from any of the points, by the visibility that the map's compiler computed. True if the map
    /// has none.
    fn may_see(&self, from: &[[f32; 3]], low: [f32; 3], high: [f32; 3]) -> bool {
        let _ = (from, low, high);
        true
    }
}
