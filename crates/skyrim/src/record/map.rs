//! Records of the navmesh info map (`docs/formats/skyrim.md`, section 5).

use super::Vertex;
use crate::flags::MapFlags;
use crate::form::FormId;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, U16, U32};

record! {
    /// The start of an entry of the map, 24 bytes.
    pub MapHead[24] { navmesh: FormId, flags: U32, center: Vertex, preferred: F32 }
}

impl MapHead {
    /// The mesh.
    pub fn navmesh(&self) -> FormId {
        self.navmesh
    }
    /// Flags.
    pub fn flags(&self) -> MapFlags {
        MapFlags(self.flags.get())
    }
    /// Arithmetic mean of the mesh's vertices, game units (1,202 of 1,202 real entries).
    pub fn center(&self) -> &Vertex {
        &self.center
    }
    /// Share of the mesh's triangles with the preferred flag, 0 to 1 (1,202 of 1,202).
    pub fn preferred_share(&self) -> f32 {
        self.preferred.get()
    }
}

record! {
    /// A traversal between meshes, 60 bytes: Starfield. The names are those of public tools; the sizes are confirmed.
    pub Traversal[60] {
        kind: U32,
        owner: FormId,
        traversal: FormId,
        from: Vertex,
        to: Vertex,
        unknown_0x24: Vertex,
        flags: U32,
        from_navmesh: FormId,
        to_navmesh: FormId,
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

impl Traversal {
    /// Kind, as stored.
    pub fn kind(&self) -> u32 {
        self.kind.get()
    }
    /// Cell or object it belongs to.
    pub fn owner(&self) -> FormId {
        self.owner
    }
    /// The traversal record.
    pub fn traversal(&self) -> FormId {
        self.traversal
    }
    /// Where it begins.
    pub fn from(&self) -> &Vertex {
        &self.from
    }
    /// Where it ends.
    pub fn to(&self) -> &Vertex {
        &self.to
    }
    /// Three floats of unknown meaning.
    pub fn unknown_0x24(&self) -> &Vertex {
        &self.unknown_0x24
    }
    /// Flags, as stored.
    pub fn flags(&self) -> u32 {
        self.flags.get()
    }
    /// The mesh it begins on.
    pub fn from_navmesh(&self) -> FormId {
        self.from_navmesh
    }
    /// The mesh it ends on.
    pub fn to_navmesh(&self) -> FormId {
        self.to_navmesh
    }
}

record! {
    /// A triangle of an island, 6 bytes: indices into the island's own vertices.
    pub IslandTriangle[6] { vertices: [U16; 3] }
}

impl IslandTriangle {
    /// Vertex indices.
    pub fn vertices(&self) -> [u16; 3] {
        self.vertices.map(U16::get)
    }
}

record! {
    /// Bounds of an island, 24 bytes.
    pub IslandBounds[24] { min: Vertex, max: Vertex }
}

impl IslandBounds {
    /// Lowest corner.
    pub fn min(&self) -> &Vertex {
        &self.min
    }
    /// Highest corner.
    pub fn max(&self) -> &Vertex {
        &self.max
    }
}

record! {
    /// The marker at the end of the preferred paths, 8 bytes: a mesh and a number.
    pub PathMarker[8] { navmesh: FormId, index: U32 }
}

impl PathMarker {
    /// The mesh.
    pub fn navmesh(&self) -> FormId {
        self.navmesh
    }
    /// The number.
    pub fn index(&self) -> u32 {
        self.index.get()
    }
}
