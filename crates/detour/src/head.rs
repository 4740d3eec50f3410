//! The head of a tile.

use super::layout::{Layout, Refs, Section};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};

/// The head of a tile, decoded. Fields missing in a version are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct TileHead {
    /// Version of the tile: 6, 7, 13, 16.
    pub version: u32,
    /// Column and row in the grid of tiles.
    pub at: [i32; 2],
    /// Layer: several tiles may lie at one place.
    pub layer: i32,
    /// A number chosen by the author; in version 16, a word of unknown meaning.
    pub user_id: u32,
    /// Polygons, including those that stand for off-mesh connections.
    pub polygons: u32,
    /// Words for each polygon in the map of version 13.
    pub map: u32,
    /// Vertices.
    pub vertices: u32,
    /// The capacity for links.
    pub max_links: u32,
    /// Detail meshes.
    pub details: u32,
    /// Detail vertices.
    pub detail_vertices: u32,
    /// Detail triangles.
    pub triangles: u32,
    /// Nodes of the tree.
    pub tree: u32,
    /// Off-mesh connections.
    pub off_mesh: u32,
    /// Index of the first polygon that stands for an off-mesh connection.
    pub off_mesh_base: u32,
    /// Height, radius and climb of the agent. For version 16 those of the build settings of the file; `None` if it has none.
    pub agent: Option<[f32; 3]>,
    /// Smallest corner of the tile's box.
    pub min: [f32; 3],
    /// Largest corner.
    pub max: [f32; 3],
    /// Cells of the tree per unit.
    pub factor: f32,
}

impl TileHead {
    /// The climb of the agent; a usual one if the tile has none.
    pub fn climb(&self) -> f32 {
        self.agent.map_or(0.4, |[_, _, climb]| climb)
    }

    /// How many records a section has.
    pub fn count(&self, section: Section) -> u64 {
        match section {
            Section::Vertices => self.vertices.into(),
            Section::Polygons => self.polygons.into(),
            Section::Map => u64::from(self.map).saturating_mul(self.polygons.into()),
            Section::Links => self.max_links.into(),
            Section::Details => self.details.into(),
            Section::DetailVertices => self.detail_vertices.into(),
            Section::Triangles => self.triangles.into(),
            Section::Tree => self.tree.into(),
            Section::OffMesh => self.off_mesh.into(),
        }
    }

    /// Reads the head after magic and version, which determine this layout.
    ///
    /// # Errors
    /// [`Truncated`](navmap_core::ErrorKind::Truncated), or [`Invalid`](navmap_core::ErrorKind::Invalid) for a negative count.
    pub(super) fn parse(cursor: &mut Cursor<'_>, version: u32, layout: Layout) -> Result<Self> {
        let needed = layout.head_len().saturating_sub(8);
        if cursor.left() < needed {
            return Err(cursor.short("tile head", needed as u64));
        }
        let int = |cursor: &mut Cursor<'_>| cursor.u32("tile head").map(u32::cast_signed);
        let count = |cursor: &mut Cursor<'_>, what: &'static str| {
            let at = cursor.offset();
            let stored = int(cursor)?;
            u32::try_from(stored).map_err(|_| Error::invalid(what, format!("{stored} is negative")).at(at))
        };
        let vector = |cursor: &mut Cursor<'_>| -> Result<[f32; 3]> {
            Ok([cursor.f32("tile head")?, cursor.f32("tile head")?, cursor.f32("tile head")?])
        };
        let at = [int(cursor)?, int(cursor)?];
        let layer = if matches!(layout, Layout::V7 | Layout::V13) { int(cursor)? } else { 0 };
        let user_id = cursor.u32("tile head")?;
        let polygons = count(cursor, "polygons")?;
        let map = if layout == Layout::V13 { count(cursor, "polygon map")? } else { 0 };
        let vertices = count(cursor, "vertices")?;
        let unity = layout == Layout::V16;
        let max_links = if unity { 0 } else { count(cursor, "links")? };
        let details = count(cursor, "detail meshes")?;
        let detail_vertices = count(cursor, "detail vertices")?;
        let triangles = count(cursor, "detail triangles")?;
        let tree = count(cursor, "tree nodes")?;
        let (off_mesh, off_mesh_base, agent) = if unity {
            (0, polygons, None)
        } else {
            let off_mesh = count(cursor, "off-mesh connections")?;
            (off_mesh, count(cursor, "off-mesh base")?, Some(vector(cursor)?))
        };
        let (min, max, factor) = (vector(cursor)?, vector(cursor)?, cursor.f32("tile head")?);
        Ok(Self {
            version,
            at,
            layer,
            user_id,
            polygons,
            map,
            vertices,
            max_links,
            details,
            detail_vertices,
            triangles,
            tree,
            off_mesh,
            off_mesh_base,
            agent,
            min,
            max,
            factor,
        })
    }
}

impl Layout {
    /// The start of each section, from the start of the tile, and the end of the last.
    pub fn offsets(self, head: &TileHead, refs: Refs) -> [u64; 10] {
        let mut at = self.head_len() as u64;
        let mut offsets = [at; 10];
        let (starts, end) = offsets.split_at_mut(Section::ALL.len());
        for (start, section) in starts.iter_mut().zip(Section::ALL) {
            *start = at;
            at = at.saturating_add(head.count(section).saturating_mul(self.record_len(section, refs)));
        }
        end.fill(at);
        offsets
    }
}
