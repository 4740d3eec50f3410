//! An owned navmesh that can be changed.

use super::derive::{self, Plan, cell_size, divisor_for};
use super::flags::{CoverFlags, TriangleFlags};
use super::form::FormId;
use super::iter::{Cover, DoorTriangles, EdgeLinks, TriangleRef, Triangles, Vertices};
use super::record::{
    CoverEdge, CoverSegment, CoverSegment17, Edge, NO_NEIGHBOUR, PATHING_DOOR, PathingCell, Tail, Vertex,
    Waypoint,
};
use super::view::NavMesh;
use navmap_core::error::{Error, Result};

/// A mesh of an NVNM field that owns its memory, to be changed. [`encode`](Self::encode) writes it.
///
/// Everything in a field is kept, including odd values: reading one and writing it again gives the same bytes. Values derived
/// from the geometry (bounds, grid, cover list) stay as read, until [`settle`](Self::settle) recomputes them.
///
/// ```
/// use navmap::format::skyrim::{NavMesh, NavMeshBuf};
///
/// let bytes = include_bytes!("../../../corpus/skyrim/nvnm/v12.nvnm");
/// let mut mesh = NavMeshBuf::read(&NavMesh::parse(bytes)?)?;
/// assert_eq!(mesh.encode()?, bytes);
///
/// let before = mesh.clone();
/// mesh.vertices.iter_mut().for_each(|[_, _, z]| *z += 64.0);
/// mesh.settle(&before);
/// assert_eq!(mesh.grid.max[2], before.grid.max[2] + 64.0);
/// assert_eq!(mesh.grid.lists, before.grid.lists);
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NavMeshBuf {
    /// NVNM version: 12, 15, 17, or one between or beyond.
    pub version: u32,
    /// Owner, with its type hash.
    pub pathing_cell: PathingCell,
    /// Vertices: game units, z up.
    pub vertices: Vec<[f32; 3]>,
    /// The word of unknown meaning that Starfield keeps beside each vertex; empty elsewhere.
    pub marks: Vec<u32>,
    /// Triangles.
    pub triangles: Vec<TriangleBuf>,
    /// Edge links.
    pub links: Vec<LinkBuf>,
    /// Triangles under doors.
    pub doors: Vec<DoorBuf>,
    /// Cover.
    pub cover: CoverBuf,
    /// The cover of each covered edge. Empty in version 12.
    pub cover_edges: Vec<CoverEdge>,
    /// Waypoints. Empty in version 12.
    pub waypoints: Vec<Waypoint>,
    /// The grid.
    pub grid: GridBuf,
    /// Four bytes after the grid: Starfield.
    pub tail: Option<Tail>,
    /// Bytes after the end, for a field that stands alone.
    pub trailing: Vec<u8>,
    pub(super) shape: Shape,
}

/// The layouts that a version uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) marked: bool,
    pub(super) tall: bool,
    pub(super) named_edges: bool,
}

/// A triangle of a [`NavMeshBuf`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleBuf {
    /// Vertex indices, counter-clockwise seen from above.
    pub vertices: [u16; 3],
    /// Edge values as stored: see [`edges`](Self::edges).
    pub edge_values: [u16; 3],
    /// Flags.
    pub flags: TriangleFlags,
    /// The cover word, whose layout depends on the version.
    pub cover: u16,
    /// Clearance above it; not stored in version 12.
    pub height: f32,
    /// A byte of unknown meaning; not stored in version 12.
    pub unknown_0x10: u8,
}

impl TriangleBuf {
    /// A triangle of which nothing more is known: with borders all around and nothing above it. `tall` meshes store clearances.
    pub(super) fn new(vertices: [u16; 3], tall: bool) -> Self {
        Self {
            vertices,
            edge_values: [u16::MAX; 3],
            flags: TriangleFlags::FOUND,
            cover: 0,
            height: if tall { f32::MAX } else { 0.0 },
            unknown_0x10: 0,
        }
    }
}

/// An edge link of a [`NavMeshBuf`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkBuf {
    /// Kind as stored: see [`LinkKind`](super::LinkKind).
    pub kind: u32,
    /// The other mesh.
    pub navmesh: FormId,
    /// A triangle of the other mesh.
    pub triangle: u16,
    /// The edge of that triangle that links back; not stored in version 12.
    pub edge: u8,
}

/// A triangle under a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoorBuf {
    /// The triangle.
    pub triangle: u16,
    /// [`PATHING_DOOR`](super::record::PATHING_DOOR) in every real entry.
    pub type_hash: u32,
    /// The placed reference of the door.
    pub reference: FormId,
}

/// Cover of a [`NavMeshBuf`].
#[derive(Clone, Debug, PartialEq)]
pub enum CoverBuf {
    /// Triangles with cover, ascending: version 12.
    Triangles(Vec<u16>),
    /// Pieces of cover: Fallout 4.
    V15(Vec<CoverSegment>),
    /// Pieces of cover: Starfield.
    V17(Vec<CoverSegment17>),
}

/// The grid of a [`NavMeshBuf`].
#[derive(Clone, Debug, PartialEq)]
pub struct GridBuf {
    /// Cells along one side.
    pub divisor: u32,
    /// Size of a cell along x and y.
    pub cell: [f32; 2],
    /// Lowest corner.
    pub min: [f32; 3],
    /// Highest corner.
    pub max: [f32; 3],
    /// The triangles of each cell, row by row, x fastest.
    pub lists: Vec<Vec<u16>>,
}

impl TriangleBuf {
    fn read(triangle: TriangleRef<'_>) -> Self {
        let (height, unknown_0x10) = match triangle {
            TriangleRef::V12(_) => (0.0, 0),
            TriangleRef::V15(tall) => (tall.height(), tall.unknown_0x10()),
        };
        Self {
            vertices: triangle.vertices(),
            edge_values: triangle.corners().edge_values(),
            flags: triangle.flags(),
            cover: triangle.cover_word(),
            height,
            unknown_0x10,
        }
    }

    /// Whether both are written as the same bytes.
    pub(super) fn same(&self, other: &Self) -> bool {
        let rest = |triangle: &Self| Self { height: 0.0, ..*triangle };
        self.height.to_bits() == other.height.to_bits() && rest(self) == rest(other)
    }

    /// The targets of edges 0, 1 and 2.
    pub fn edges(&self) -> [Edge; 3] {
        let [a, b, c] = self.edge_values;
        [
            Edge::from_stored(a, self.flags.contains(TriangleFlags::EDGE_0_LINK)),
            Edge::from_stored(b, self.flags.contains(TriangleFlags::EDGE_1_LINK)),
            Edge::from_stored(c, self.flags.contains(TriangleFlags::EDGE_2_LINK)),
        ]
    }

    /// Sets the target of an edge, and the flag for its kind.
    pub fn set_edge(&mut self, edge: usize, to: Edge) {
        let (value, is_link) = match to {
            Edge::Border => (NO_NEIGHBOUR, false),
            Edge::Neighbour(index) => (index, false),
            Edge::Link(index) => (index, true),
        };
        if let Some(stored) = self.edge_values.get_mut(edge) {
            *stored = value;
            let bit = link_flag(edge);
            self.flags.0 = if is_link { self.flags.0 | bit } else { self.flags.0 & !bit };
        }
    }

    /// Whether it counts as preferred.
    pub fn is_preferred(&self) -> bool {
        self.flags.contains(TriangleFlags::PREFERRED)
    }
}

/// The flag that marks an edge as a link.
pub(super) fn link_flag(edge: usize) -> u16 {
    1_u16.checked_shl(u32::try_from(edge).unwrap_or(u32::MAX)).unwrap_or(0) & 7
}

impl DoorBuf {
    /// A door as the editor writes it.
    pub fn new(triangle: u16, reference: FormId) -> Self {
        Self { triangle, type_hash: PATHING_DOOR, reference }
    }
}

impl NavMeshBuf {
    /// A mesh without triangles, of a version from 12 on.
    pub(super) fn empty(version: u32, pathing_cell: PathingCell) -> Self {
        let (tall, marked) = (version > 12, version > 15);
        Self {
            version,
            pathing_cell,
            vertices: Vec::new(),
            marks: Vec::new(),
            triangles: Vec::new(),
            links: Vec::new(),
            doors: Vec::new(),
            cover: match version {
                ..=12 => CoverBuf::Triangles(Vec::new()),
                13..=15 => CoverBuf::V15(Vec::new()),
                16.. => CoverBuf::V17(Vec::new()),
            },
            cover_edges: Vec::new(),
            waypoints: Vec::new(),
            grid: GridBuf { divisor: 0, cell: [0.0; 2], min: [0.0; 3], max: [0.0; 3], lists: Vec::new() },
            tail: marked.then(Tail::new),
            trailing: Vec::new(),
            shape: Shape { marked, tall, named_edges: tall },
        }
    }

    /// Whether both are written as the same bytes. Numbers that are none are the same if their bits are.
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self.encode(), other.encode()) {
            (Ok(one), Ok(two)) => one == two,
            (one, two) => one.is_err() && two.is_err() && self == other,
        }
    }

    /// A copy without the lists of the grid, which may be most of it.
    pub(super) fn without_lists(&mut self) -> Self {
        let lists = std::mem::take(&mut self.grid.lists);
        let copy = self.clone();
        self.grid.lists = lists;
        copy
    }

    /// Whether its vertices have marks.
    pub(super) fn is_marked(&self) -> bool {
        self.shape.marked
    }

    /// Clears everything that refers to triangles: edge links, doors, cover, waypoints.
    pub(super) fn clear_of_triangles(&mut self) {
        self.links.clear();
        self.doors.clear();
        self.waypoints.clear();
        self.clear_cover_lists();
    }

    /// Clears the lists of cover, which say the same as bits of triangles.
    pub(super) fn clear_cover_lists(&mut self) {
        self.cover_edges.clear();
        match &mut self.cover {
            CoverBuf::Triangles(list) => list.clear(),
            CoverBuf::V15(list) => list.clear(),
            CoverBuf::V17(list) => list.clear(),
        }
    }

    /// Takes a copy of a mesh.
    ///
    /// # Errors
    /// If it is a mesh of Fallout 3 or New Vegas, which is not a single field.
    pub fn read(mesh: &NavMesh<'_>) -> Result<Self> {
        let (Some(pathing_cell), Some(grid)) = (mesh.pathing_cell(), mesh.grid()) else {
            return Err(Error::invalid(
                "navmesh",
                "is stored in separate fields, which cannot be written yet",
            ));
        };
        let links = mesh.edge_links();
        let doors = match mesh.door_triangles() {
            DoorTriangles::V12(doors) => doors
                .iter()
                .map(|door| DoorBuf {
                    triangle: door.triangle(),
                    type_hash: door.type_hash(),
                    reference: door.reference(),
                })
                .collect(),
            old @ DoorTriangles::V11(_) => {
                old.iter().map(|(triangle, door)| DoorBuf::new(triangle, door)).collect()
            }
        };
        let header = grid.header();
        Ok(Self {
            version: mesh.version(),
            pathing_cell: *pathing_cell,
            vertices: mesh.vertices().iter().map(Vertex::to_array).collect(),
            marks: match mesh.vertices() {
                Vertices::Plain(_) => Vec::new(),
                Vertices::Marked(marked) => marked.iter().map(|vertex| vertex.unknown_0x0c()).collect(),
            },
            triangles: mesh.triangles().iter().map(TriangleBuf::read).collect(),
            links: (links.iter().enumerate())
                .map(|(index, link)| LinkBuf {
                    kind: link.stored_kind(),
                    navmesh: link.navmesh(),
                    triangle: link.triangle(),
                    edge: links.target_edge(index).unwrap_or_default(),
                })
                .collect(),
            doors,
            cover: match mesh.cover() {
                Cover::Triangles(list) => CoverBuf::Triangles(list.iter().map(|index| index.get()).collect()),
                Cover::V15(list) => CoverBuf::V15(list.to_vec()),
                Cover::V17(list) => CoverBuf::V17(list.to_vec()),
            },
            cover_edges: mesh.cover_edges().to_vec(),
            waypoints: mesh.waypoints().to_vec(),
            grid: GridBuf {
                divisor: grid.divisor(),
                cell: header.cell_size(),
                min: header.min().to_array(),
                max: header.max().to_array(),
                lists: grid.lists().map(|list| list.iter().map(|index| index.get()).collect()).collect(),
            },
            tail: mesh.tail().copied(),
            trailing: mesh.trailing().to_vec(),
            shape: Shape {
                marked: matches!(mesh.vertices(), Vertices::Marked(_)),
                tall: matches!(mesh.triangles(), Triangles::V15(_)),
                named_edges: matches!(links, EdgeLinks::V15(_)),
            },
        })
    }

    /// The corners of a triangle. A missing vertex counts as the origin.
    pub fn corners(&self, triangle: &TriangleBuf) -> [[f32; 3]; 3] {
        triangle.vertices.map(|vertex| self.vertices.get(usize::from(vertex)).copied().unwrap_or_default())
    }

    /// The triangles with cover by their flags: those with a value on edge 0 or 1.
    pub fn covered(&self) -> Vec<u16> {
        let covered = (0_u16..).zip(&self.triangles).filter(|(_, triangle)| CoverFlags(triangle.cover).any());
        covered.map(|(index, _)| index).collect()
    }

    /// The mean of its vertices, bit for bit as in its entry in the info map.
    pub fn center(&self) -> [f32; 3] {
        derive::center(self.vertices.iter().copied())
    }

    /// The share of preferred triangles, as in its entry in the info map.
    pub fn preferred_share(&self) -> f32 {
        let preferred = self.triangles.iter().filter(|triangle| triangle.is_preferred()).count();
        derive::preferred_share(preferred, self.triangles.len())
    }

    /// Recomputes the values derived from the geometry: bounds, divisor, cell sizes, grid lists, and the cover list. Values whose
    /// inputs are the same as in `before` stay as stored: the grid lists depend on the x and y of triangles, the cover list on
    /// the cover flags.
    ///
    /// The lists follow the measured rule of the editor, which reproduces those of 99.84 % of the triangles of real meshes
    /// (`docs/formats/skyrim.md`, section 3.6).
    pub fn settle(&mut self, before: &Self) {
        self.settle_as(before, false);
    }

    /// Like [`settle`](Self::settle). If `geometric`, the lists omit the cells that the editors of versions 12 and 15 add because
    /// they test the wrong corner.
    pub fn settle_as(&mut self, before: &Self, geometric: bool) {
        let outline = |mesh: &Self| -> Vec<[[u32; 2]; 3]> {
            let flat = |[x, y, _]: [f32; 3]| [x.to_bits(), y.to_bits()];
            mesh.triangles.iter().map(|triangle| mesh.corners(triangle).map(flat)).collect()
        };
        let heights =
            |mesh: &Self| -> Vec<u32> { mesh.triangles.iter().map(|t| t.height.to_bits()).collect() };
        let bits =
            |mesh: &Self| -> Vec<[u32; 3]> { mesh.vertices.iter().map(|v| v.map(f32::to_bits)).collect() };
        let moved = bits(self) != bits(before);
        if moved || (self.shape.tall && heights(self) != heights(before)) {
            self.settle_bounds();
        }
        if self.triangles.len() != before.triangles.len() || outline(self) != outline(before) {
            self.settle_grid(geometric);
        }
        let words =
            |mesh: &Self| -> Vec<u16> { mesh.triangles.iter().map(|triangle| triangle.cover).collect() };
        if words(self) != words(before) {
            self.settle_cover();
        }
    }

    /// Recomputes all values derived from the geometry.
    pub fn settle_all(&mut self) {
        self.settle_all_as(false);
    }

    /// Like [`settle_all`](Self::settle_all), with `geometric` as in [`settle_as`](Self::settle_as).
    pub fn settle_all_as(&mut self, geometric: bool) {
        self.settle_bounds();
        self.settle_grid(geometric);
        self.settle_cover();
    }

    fn settle_bounds(&mut self) {
        let Some((min, mut max)) = derive::bounds(self.vertices.iter().copied()) else { return };
        if self.shape.tall {
            let tall = self.triangles.iter().map(|t| (self.corners(t).map(|[_, _, z]| z), t.height));
            let [x, y, top] = max;
            max = [x, y, derive::top_with_heights(top, tall)];
        }
        (self.grid.min, self.grid.max) = (min, max);
    }

    fn settle_grid(&mut self, geometric: bool) {
        let divisor = divisor_for(self.triangles.len());
        let ([west, south, _], [east, north, _]) = (self.grid.min, self.grid.max);
        let cell = [cell_size(west, east, divisor), cell_size(south, north, divisor)];
        let plan = Plan::new(divisor, self.grid.min, cell, Plan::has_quirk(self.version) && !geometric);
        let lists = plan.lists(self.triangles.iter().map(|triangle| self.corners(triangle)));
        (self.grid.divisor, self.grid.cell, self.grid.lists) = (divisor, cell, lists);
    }

    fn settle_cover(&mut self) {
        if matches!(self.cover, CoverBuf::Triangles(_)) {
            self.cover = CoverBuf::Triangles(self.covered());
        }
    }
}
