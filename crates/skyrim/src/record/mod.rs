//! Fixed-size records of a mesh (`docs/formats/skyrim.md`, sections 3 and 4): alignment 1, little-endian, read in place.
//!
//! If a later game extended a layout, the later record is named after the difference ([`TallTriangle`]) or after the
//! NVNM version that brought it ([`Vertex17`]).

mod container;
mod cover;
mod link;
mod map;

pub use container::{FieldHeader, GroupHeader, Hedr, RecordHeader, Xclc, Xndp};
pub use cover::{CoverEdge, CoverEnd, CoverSegment, CoverSegment17};
pub use link::{Door, DoorTriangle, DoorTriangle11, EdgeLink, EdgeLink15};
pub use map::{IslandBounds, IslandTriangle, MapHead, PathMarker, Traversal};

use super::flags::{CoverFlags, TriangleFlags};
use super::form::FormId;
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
    pub PathingCell[12] { type_hash: U32, world: FormId, place: [u8; 4] }
}

impl PathingCell {
    /// The same with other FormIDs; `None` if `to` has none for one.
    pub(crate) fn renamed(self, mut to: impl FnMut(FormId) -> Option<FormId>) -> Option<Self> {
        if !self.world.is_null() {
            return Some(Self { world: to(self.world)?, ..self });
        }
        let cell = FormId::new(u32::from_le_bytes(self.place));
        Some(Self { place: to(cell)?.get().to_le_bytes(), ..self })
    }
}

impl PathingCell {
    /// [`PATHING_CELL`] in every real record.
    #[inline]
    pub fn type_hash(&self) -> u32 {
        self.type_hash.get()
    }
    /// The worldspace; null for an interior.
    #[inline]
    pub fn world(&self) -> FormId {
        self.world
    }
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
    pub Vertex[12] { x: F32, y: F32, z: F32 }
}

impl Vertex {
    /// East, game units.
    #[inline]
    pub fn x(&self) -> f32 {
        self.x.get()
    }
    /// North, game units.
    #[inline]
    pub fn y(&self) -> f32 {
        self.y.get()
    }
    /// Up, game units.
    #[inline]
    pub fn z(&self) -> f32 {
        self.z.get()
    }
    /// `[x, y, z]`.
    #[inline]
    pub fn to_array(&self) -> [f32; 3] {
        [self.x(), self.y(), self.z()]
    }
}

record! {
    /// A point of Starfield (NVNM version 17), 16 bytes.
    pub Vertex17[16] { point: Vertex, unknown_0x0c: U32 }
}

impl Vertex17 {
    /// The point itself.
    #[inline]
    pub fn point(&self) -> &Vertex {
        &self.point
    }
    /// 0 or 1 in real files, of unknown meaning.
    #[inline]
    pub fn unknown_0x0c(&self) -> u32 {
        self.unknown_0x0c.get()
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
    pub Corners[12] { vertices: [U16; 3], edges: [U16; 3] }
}

impl Corners {
    /// Vertex indices.
    #[inline]
    pub fn vertices(&self) -> [u16; 3] {
        self.vertices.map(U16::get)
    }
    /// Edge values as stored. Their meaning depends on the flags.
    #[inline]
    pub fn edge_values(&self) -> [u16; 3] {
        self.edges.map(U16::get)
    }
}

record! {
    /// A triangle of Skyrim (NVNM version 12; also NVTR of Fallout 3 and New Vegas), 16 bytes (section 3.1).
    pub Triangle[16] { corners: Corners, flags: U16, cover: U16 }
}

impl Triangle {
    /// Corners and edges.
    #[inline]
    pub fn corners(&self) -> &Corners {
        &self.corners
    }
    /// Flags.
    #[inline]
    pub fn flags(&self) -> TriangleFlags {
        TriangleFlags(self.flags.get())
    }
    /// Cover on edges 0 and 1.
    #[inline]
    pub fn cover(&self) -> CoverFlags {
        CoverFlags(self.cover.get())
    }
}

record! {
    /// A triangle of Fallout 4 and Starfield (NVNM versions 15 and 17), 21 bytes (section 4).
    pub TallTriangle[21] {
        corners: Corners,
        height: F32,
        unknown_0x10: u8,
        flags: U16,
        edge_cover: U16,
    }
}

impl TallTriangle {
    /// Corners and edges.
    #[inline]
    pub fn corners(&self) -> &Corners {
        &self.corners
    }
    /// Clearance above the triangle in game units; `f32::MAX` is unlimited.
    #[inline]
    pub fn height(&self) -> f32 {
        self.height.get()
    }
    /// 0, 2, 4 or 16 in real files, of unknown meaning.
    #[inline]
    pub fn unknown_0x10(&self) -> u8 {
        self.unknown_0x10
    }
    /// Flags.
    #[inline]
    pub fn flags(&self) -> TriangleFlags {
        TriangleFlags(self.flags.get())
    }
    /// Bits 0 to 2: the edge has cover. Starfield also sets bits 14 and 15, meaning unknown.
    #[inline]
    pub fn edge_cover(&self) -> u16 {
        self.edge_cover.get()
    }
}

id! {
    /// The index of a triangle in its own mesh, as stored. 2 bytes.
    TriangleIndex: U16 => u16;
}

record! {
    /// A waypoint, 18 bytes (section 4).
    pub Waypoint[18] { point: Vertex, triangle: U16, flags: U32 }
}

impl Waypoint {
    /// The same on another triangle.
    pub(crate) fn on(self, triangle: u16) -> Self {
        Self { triangle: triangle.into(), ..self }
    }
}

impl Waypoint {
    /// Where it is.
    #[inline]
    pub fn point(&self) -> &Vertex {
        &self.point
    }
    /// The triangle it lies on.
    #[inline]
    pub fn triangle(&self) -> u16 {
        self.triangle.get()
    }
    /// 0 in all 119 real waypoints.
    #[inline]
    pub fn flags(&self) -> u32 {
        self.flags.get()
    }
}

record! {
    /// The head of the grid, before its lists, 36 bytes (section 3.6).
    pub GridHeader[36] { divisor: U32, width: F32, height: F32, min: Vertex, max: Vertex }
}

impl GridHeader {
    /// Cells along one side, 1 to 12 in real files.
    #[inline]
    pub fn divisor(&self) -> u32 {
        self.divisor.get()
    }
    /// Size of one cell along x and y, game units.
    #[inline]
    pub fn cell_size(&self) -> [f32; 2] {
        [self.width.get(), self.height.get()]
    }
    /// Lowest corner: exactly that of the vertices.
    #[inline]
    pub fn min(&self) -> &Vertex {
        &self.min
    }
    /// Highest corner: exactly that of the vertices in version 12; later its z also covers the triangles' heights.
    #[inline]
    pub fn max(&self) -> &Vertex {
        &self.max
    }
}

record! {
    /// The last four bytes of a Starfield mesh (version 17), of unknown meaning.
    pub Tail[4] { unknown_0x00: U16, unknown_0x02: U16 }
}

impl Tail {
    /// 0 or 12 in real files.
    #[inline]
    pub fn unknown_0x00(&self) -> u16 {
        self.unknown_0x00.get()
    }
    /// 8 in real files.
    #[inline]
    pub fn unknown_0x02(&self) -> u16 {
        self.unknown_0x02.get()
    }
}

record! {
    /// The `DATA` field of Fallout 3 and New Vegas, 24 bytes: the counts of the fields around it (section 7, experimental).
    pub Data11[24] { cell: FormId, counts: [U32; 5] }
}

impl Data11 {
    /// The cell.
    #[inline]
    pub fn cell(&self) -> FormId {
        self.cell
    }
    /// Claimed numbers of vertices, triangles, edge links, cover triangles and doors, in this order.
    #[inline]
    pub fn counts(&self) -> [u32; 5] {
        self.counts.map(U32::get)
    }
}
