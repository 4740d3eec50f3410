//! Fixed-size records of a mesh (`docs/formats/skyrim.md`, sections 3 and 4): alignment 1, little-endian, read in place.
//!
//! If a later game extended a layout, the later record is named after the difference ([`TallTriangle`]) or after the
//! NVNM version that brought it ([`Vertex17`]).

mod container;
mod cover;
mod link;
mod map;

pub use container::{FieldHeader, GroupHeader, Hedr, RecordHeader, WideFieldHeader, Xclc, Xndp};
pub use cover::{CoverEdge, CoverEnd, CoverSegment, CoverSegment17};
pub use link::{Door, DoorTriangle, DoorTriangle11, EdgeLink, EdgeLink15};
pub use map::{IslandBounds, IslandTriangle, MapHead, PathMarker, Traversal};

use super::flags::{CoverFlags, TriangleFlags};
use super::form::FormId;
use super::owners::Owners;
use navmap_core::{id, record};
use zerocopy::byteorder::little_endian::{F32, U16, U32};

/// The hash that stands before the owner of a mesh: the engine's name `PathingCell`. Constant in 1,251 real records.
pub const PATHING_CELL: u32 = 0xA5E9_A03C;
/// The hash that stands before the reference of a door: the engine's name `PathingDoor`. Constant in 237 real entries.
pub const PATHING_DOOR: u32 = 0xE48B_73F3;
/// The value of an edge without a neighbour.
pub const NO_NEIGHBOUR: u16 = 0xFFFF;

/// Where a mesh belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Parent {
    /// In an interior cell. Coordinates are those of the cell.
    Interior {
        /// The cell.
        cell: FormId,
    },
    /// In a cell of a worldspace. Coordinates are those of the worldspace.
    Exterior {
        /// The worldspace.
        world: FormId,
        /// Grid column: x / 4096, rounded down.
        x: i16,
        /// Grid row: y / 4096, rounded down.
        y: i16,
    },
    /// In a cell that may be either. Fallout 3 and New Vegas say no more.
    Cell {
        /// The cell.
        cell: FormId,
    },
}

record! {
    /// The owner of a mesh, 12 bytes: shared by NVNM and NVMI (section 3, fields 2 to 4).
    pub PathingCell[12] {
        /// [`PATHING_CELL`] in every real record.
        type_hash: U32 => u32,
        /// The worldspace; null for an interior.
        world: FormId => FormId,
        place: [u8; 4],
    }
}

impl Tail {
    /// As in real files.
    pub(crate) fn new() -> Self {
        Self { unknown_0x00: 0.into(), unknown_0x02: 8.into() }
    }
}

impl PathingCell {
    /// An owner; `None` for one whose kind a mesh of Skyrim or later cannot name.
    pub(crate) fn of(parent: Parent) -> Option<Self> {
        let (world, place) = match parent {
            Parent::Interior { cell } => (FormId::NULL, cell.get().to_le_bytes()),
            Parent::Exterior { world, x, y } => {
                let ([a, b], [c, d]) = (y.to_le_bytes(), x.to_le_bytes());
                (world, [a, b, c, d])
            }
            Parent::Cell { .. } => return None,
        };
        Some(Self { type_hash: PATHING_CELL.into(), world, place })
    }

    /// The same with other FormIDs; `None` if `to` has none for one.
    pub(crate) fn renamed(self, mut to: impl FnMut(FormId) -> Option<FormId>) -> Option<Self> {
        if !self.world.is_null() {
            return Some(Self { world: to(self.world)?, ..self });
        }
        let cell = FormId::new(u32::from_le_bytes(self.place));
        Some(Self { place: to(cell)?.get().to_le_bytes(), ..self })
    }

    /// Whether both name one place of a plugin.
    pub(crate) fn same(self, other: Self, owners: Owners) -> bool {
        let canonical = |cell: Self| cell.renamed(|form| Some(owners.canonical(form)));
        canonical(self) == canonical(other)
    }
}

impl PathingCell {
    /// Worldspace and grid, or the interior cell. Any worldspace but null selects the grid. Y is stored before X.
    #[inline]
    pub fn parent(&self) -> Parent {
        let [a, b, c, d] = self.place;
        if self.world.is_null() {
            Parent::Interior { cell: FormId::new(u32::from_le_bytes(self.place)) }
        } else {
            let (y, x) = (i16::from_le_bytes([a, b]), i16::from_le_bytes([c, d]));
            Parent::Exterior { world: self.world, x, y }
        }
    }
}

record! {
    /// A point: game units, z up. 12 bytes.
    pub Vertex[12] {
        /// East, game units.
        x: F32 => f32,
        /// North, game units.
        y: F32 => f32,
        /// Up, game units.
        z: F32 => f32,
    }
}

impl Vertex {
    /// `[x, y, z]`.
    #[inline]
    pub fn to_array(&self) -> [f32; 3] {
        [self.x(), self.y(), self.z()]
    }
}

record! {
    /// A point of Starfield (NVNM version 17), 16 bytes.
    pub Vertex17[16] {
        /// The point itself.
        point: Vertex => &Vertex,
        /// 0 or 1 in real files, of unknown meaning.
        unknown_0x0c: U32 => u32,
    }
}

/// What an edge of a triangle leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Edge {
    /// Nothing: the mesh ends here.
    Border,
    /// The triangle of this index in the same mesh.
    Neighbour(u16),
    /// The edge link of this index: another mesh, or another place in this one.
    Link(u16),
}

impl Edge {
    /// Reads the stored value. `is_link` says whether the triangle's flag calls it a link. The flag is tested before
    /// the sentinel.
    #[inline]
    pub fn from_stored(value: u16, is_link: bool) -> Self {
        match value {
            index if is_link => Self::Link(index),
            NO_NEIGHBOUR => Self::Border,
            index => Self::Neighbour(index),
        }
    }
}

record! {
    /// The part that triangles of all versions begin with, 12 bytes: three corners, three edges.
    ///
    /// Corners run counter-clockwise seen from above. Edge 0 joins corners 0 and 1, edge 1 corners 1 and 2, edge 2
    /// corners 2 and 0.
    pub Corners[12] {
        /// Vertex indices.
        vertices: [U16; 3] => [u16; 3],
        /// Edge values as stored. Their meaning depends on the flags.
        edges as edge_values: [U16; 3] => [u16; 3],
    }
}

record! {
    /// A triangle of Skyrim (NVNM version 12; also NVTR of Fallout 3 and New Vegas), 16 bytes (section 3.1).
    pub Triangle[16] {
        /// Corners and edges.
        corners: Corners => &Corners,
        /// Flags.
        flags: U16 as TriangleFlags,
        /// Cover on edges 0 and 1.
        cover: U16 as CoverFlags,
    }
}

record! {
    /// A triangle of Fallout 4 and Starfield (NVNM versions 15 and 17), 21 bytes (section 4).
    pub TallTriangle[21] {
        /// Corners and edges.
        corners: Corners => &Corners,
        /// Clearance above the triangle in game units; `f32::MAX` is unlimited.
        height: F32 => f32,
        /// 0, 2, 4 or 16 in real files, of unknown meaning.
        unknown_0x10: u8 => u8,
        /// Flags.
        flags: U16 as TriangleFlags,
        /// Bits 0 to 2: the edge has cover. Starfield also sets bits 14 and 15, meaning unknown.
        edge_cover: U16 => u16,
    }
}

id! {
    /// The index of a triangle in its own mesh, as stored. 2 bytes.
    TriangleIndex: U16 => u16;
}

record! {
    /// A waypoint, 18 bytes (section 4).
    pub Waypoint[18]: Serialize {
        /// Where it is.
        point: Vertex => &Vertex,
        /// The triangle it lies on.
        triangle: U16 => u16,
        /// 0 in all 119 real waypoints.
        flags: U32 => u32,
    }
}

impl Waypoint {
    /// The same on another triangle.
    pub(crate) fn on(self, triangle: u16) -> Self {
        Self { triangle: triangle.into(), ..self }
    }

    /// The same elsewhere.
    pub(crate) fn moved_to(self, [x, y, z]: [f32; 3]) -> Self {
        Self { point: Vertex { x: x.into(), y: y.into(), z: z.into() }, ..self }
    }
}

record! {
    /// The head of the grid, before its lists, 36 bytes (section 3.6).
    pub GridHeader[36] {
        /// Cells along one side, 1 to 12 in real files.
        divisor: U32 => u32,
        width: F32,
        height: F32,
        /// Lowest corner: exactly that of the vertices.
        min: Vertex => &Vertex,
        /// Highest corner: exactly that of the vertices in version 12; later its z also covers the triangles' heights.
        max: Vertex => &Vertex,
    }
}

impl GridHeader {
    /// Size of one cell along x and y, game units.
    #[inline]
    pub fn cell_size(&self) -> [f32; 2] {
        [self.width.get(), self.height.get()]
    }
}

record! {
    /// The last four bytes of a Starfield mesh (version 17), of unknown meaning.
    pub Tail[4] {
        /// 0 or 12 in real files.
        unknown_0x00: U16 => u16,
        /// 8 in real files.
        unknown_0x02: U16 => u16,
    }
}

record! {
    /// The `DATA` field of Fallout 3 and New Vegas, 24 bytes: the counts of the fields around it (section 7, experimental).
    pub Data11[24] {
        /// The cell.
        cell: FormId => FormId,
        /// Claimed numbers of vertices, triangles, edge links, cover triangles and doors, in this order.
        counts: [U32; 5] => [u32; 5],
    }
}
