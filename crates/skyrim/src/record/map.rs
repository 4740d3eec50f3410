//! Records of the navmesh info map (`docs/formats/skyrim.md`, section 5).

use super::Vertex;
use crate::flags::MapFlags;
use crate::form::FormId;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, U16, U32};

record! {
    /// The start of an entry of the map, 24 bytes.
    pub MapHead[24]: Row {
        /// The mesh.
        navmesh: FormId => FormId,
        /// Flags.
        flags: U32 as MapFlags,
        /// Arithmetic mean of the mesh's vertices, game units (1,202 of 1,202 real entries).
        center: Vertex => &Vertex,
        /// Share of the mesh's triangles with the preferred flag, 0 to 1 (1,202 of 1,202).
        preferred as preferred_share: F32 => f32,
    }
}

record! {
    /// A traversal between meshes, 60 bytes: Starfield. The names are those of public tools; the sizes are confirmed.
    pub Traversal[60]: Serialize {
        /// Kind, as stored.
        kind: U32 => u32,
        /// Cell or object it belongs to.
        owner: FormId => FormId,
        /// The traversal record.
        traversal: FormId => FormId,
        /// Where it begins.
        from: Vertex => &Vertex,
        /// Where it ends.
        to: Vertex => &Vertex,
        /// Three floats of unknown meaning.
        unknown_0x24: Vertex => &Vertex,
        /// Flags, as stored.
        flags: U32 => u32,
        /// The mesh it begins on.
        from_navmesh: FormId => FormId,
        /// The mesh it ends on.
        to_navmesh: FormId => FormId,
    }
}

impl Traversal {
    /// The same with other FormIDs; `None` if `to` has none for one.
    pub(crate) fn renamed(self, mut to: impl FnMut(FormId) -> Option<FormId>) -> Option<Self> {
        Some(Self {
            owner: to(self.owner)?,
            traversal: to(self.traversal)?,
            from_navmesh: to(self.from_navmesh)?,
            to_navmesh: to(self.to_navmesh)?,
            ..self
        })
    }
}

record! {
    /// A triangle of an island, 6 bytes: indices into the island's own vertices.
    pub IslandTriangle[6] {
        /// Vertex indices.
        vertices: [U16; 3] => [u16; 3],
    }
}

record! {
    /// Bounds of an island, 24 bytes.
    pub IslandBounds[24] {
        /// Lowest corner.
        min: Vertex => &Vertex,
        /// Highest corner.
        max: Vertex => &Vertex,
    }
}

record! {
    /// The marker at the end of the preferred paths, 8 bytes: a mesh and a number.
    pub PathMarker[8] {
        /// The mesh.
        navmesh: FormId => FormId,
        /// The number.
        index: U32 => u32,
    }
}
