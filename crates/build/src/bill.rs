//! What became of a model.

use navmap_core::text::counted;
use navmap_detour::TileBuf;
use std::collections::BTreeMap;
use std::fmt;

/// What a build has made of its triangles, and what it has left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bill {
    /// Triangles of the model.
    pub triangles: u64,
    /// Those that the agent can stand on.
    pub walkable: u64,
    /// Faces whose triangles [cover more than them](navmap_core::graph::Triangles::is_exact).
    pub crossed: u64,
    /// Voxels: runs of solid space in a column of a tile. Those at the border of a tile belong to its neighbours too.
    pub voxels: u64,
    /// Voxels with ground and room for the agent above it.
    pub ground: u64,
    /// Places of the grid.
    pub places: u64,
    /// Tiles that were written.
    pub tiles: u64,
    /// Polygons.
    pub polygons: u64,
    /// Corners of polygons.
    pub vertices: u64,
    /// Heights that were added inside of polygons and along their edges.
    pub detail_vertices: u64,
    /// What was left out, and why.
    pub dropped: BTreeMap<&'static str, u64>,
    /// Rows of areas whose material no face has.
    pub unknown: Vec<String>,
}

/// One tile, and its part of the bill.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) tile: Option<TileBuf>,
    pub(crate) voxels: u64,
    pub(crate) ground: u64,
    pub(crate) dropped: [(&'static str, u64); 3],
}

impl Bill {
    pub(crate) fn drop(&mut self, what: &'static str, more: u64) {
        if more > 0 {
            *self.dropped.entry(what).or_insert(0) += more;
        }
    }

    pub(crate) fn add(&mut self, part: &Part) {
        self.places += 1;
        self.voxels += part.voxels;
        self.ground += part.ground;
        for (what, count) in part.dropped {
            self.drop(what, count);
        }
        if let Some(tile) = &part.tile {
            self.tiles += 1;
            self.polygons += tile.polygons.len() as u64;
            self.vertices += tile.vertices.len() as u64;
            self.detail_vertices += tile.detail_vertices.len() as u64;
        }
    }
}

impl fmt::Display for Bill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { triangles, walkable, voxels, ground, places, tiles, polygons, vertices, .. } = self;
        writeln!(
            f,
            "{triangles} triangles, {walkable} of them walkable; {voxels} voxels, {ground} of them ground"
        )?;
        writeln!(
            f,
            "{polygons} polygons of {vertices} vertices and {} heights between them, in {tiles} of {places} tiles",
            self.detail_vertices
        )?;
        if self.crossed > 0 {
            let many = "faces that cross themselves or have too many corners";
            writeln!(
                f,
                "cut roughly: {}",
                counted(self.crossed, "face that crosses itself or has too many corners", many)
            )?;
        }
        for (what, count) in &self.dropped {
            writeln!(f, "dropped: {count} {what}")?;
        }
        for name in &self.unknown {
            writeln!(f, "area: no face has the material {name}")?;
        }
        Ok(())
    }
}
