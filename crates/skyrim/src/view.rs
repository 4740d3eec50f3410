//! A navmesh: the NVNM field, or the separate fields of Fallout 3 and New Vegas.

use super::iter::{Cover, DoorTriangles, EdgeLinks, Grid, Triangles, Vertices};
use super::record::{CoverEdge, Parent, PathingCell, Tail, TallTriangle, Triangle, Waypoint};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::span;
use std::ops::Range;

/// One navmesh, in place over the bytes of its NVNM field (stored in the file, or inflated from a compressed record).
///
/// Parsing checks every count against the bytes left and requires that the field ends exactly where it should, so all parts are
/// existing slices. Indices inside them are not checked: [`check`](navmap_core::format::NavFile::check) finds dangling ones.
/// 10,053 of 10,058 real fields are read to the last byte (`docs/formats/skyrim.md`, section 11).
///
/// ```
/// # let mut bytes = Vec::new();
/// # for word in [12u32, 0xA5E9_A03C, 0x3C, 0x0002_FFFF, 0, 0, 0, 0, 0, 0] { bytes.extend(word.to_le_bytes()); }
/// # bytes.extend([0; 32]);
/// use navmap::format::skyrim::{NavMesh, Parent};
///
/// let mesh = NavMesh::parse(&bytes)?;
/// assert_eq!(mesh.version(), 12);
/// assert!(matches!(mesh.parent(), Parent::Exterior { x: 2, y: -1, .. }));
/// for triangle in mesh.triangles().iter() {
///     println!("{:?} {:?}", triangle.vertices(), triangle.edges());
/// }
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct NavMesh<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) offset: u64,
    pub(super) version: u32,
    pub(super) pathing_cell: Option<&'a PathingCell>,
    pub(super) parent: Parent,
    pub(super) vertices: Vertices<'a>,
    pub(super) triangles: Triangles<'a>,
    pub(super) edge_links: EdgeLinks<'a>,
    pub(super) door_triangles: DoorTriangles<'a>,
    pub(super) cover: Cover<'a>,
    pub(super) cover_edges: &'a [CoverEdge],
    pub(super) waypoints: &'a [Waypoint],
    pub(super) grid: Option<Grid<'a>>,
    pub(super) tail: Option<&'a Tail>,
    pub(super) trailing: &'a [u8],
    pub(super) starts: Starts,
}

/// The offsets of a mesh's parts, for places in messages: a record is at its index × its size from there. Meaningless for a
/// missing part.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Starts {
    pub(super) owner: u64,
    pub(super) vertices: u64,
    pub(super) triangles: u64,
    pub(super) edge_links: u64,
    pub(super) door_triangles: u64,
    pub(super) cover: u64,
    pub(super) cover_edges: u64,
    pub(super) waypoints: u64,
    pub(super) grid: u64,
}

/// The records of a version, chosen once before anything is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Layout {
    /// 16-byte vertices.
    marked_vertices: bool,
    /// 21-byte triangles.
    tall_triangles: bool,
    /// 11-byte edge links.
    links_name_edges: bool,
    /// 0 if cover is a list of triangles; 8 or 12 if it is pieces of that size, with the edge map and waypoints.
    cover: u8,
    /// Four bytes after the grid.
    tail: bool,
    /// Whether the count of edge links is missing.
    no_links: bool,
    /// Whether the count of cover triangles is missing.
    no_cover: bool,
    /// Whether the count of the grid's first list is missing.
    no_first_list: bool,
}

impl Layout {
    const V12: Self = Self {
        marked_vertices: false,
        tall_triangles: false,
        links_name_edges: false,
        cover: 0,
        tail: false,
        no_links: false,
        no_cover: false,
        no_first_list: false,
    };
    const V15: Self = Self { tall_triangles: true, links_name_edges: true, cover: 8, ..Self::V12 };
    const V17: Self = Self { marked_vertices: true, cover: 12, tail: true, ..Self::V15 };

    /// The layouts to try for this version, likeliest first. A known version has one. For versions between and beyond the known
    /// ones, these are the layouts described by tools (`docs/formats/skyrim.md`, section 4), accepted only if they end exactly.
    fn candidates(version: u32) -> &'static [Self] {
        const BETWEEN: &[Layout] = &[
            Layout::V15,
            Layout { links_name_edges: false, ..Layout::V15 },
            Layout { links_name_edges: false, tall_triangles: false, ..Layout::V15 },
            Layout::V17,
            Layout { tail: false, ..Layout::V17 },
        ];
        match version {
            ..=12 => &[Self::V12],
            15 => &[Self::V15],
            17 => &[Self::V17],
            13 | 14 | 16 => BETWEEN,
            _ => &[Self::V17, Self::V15],
        }
    }
}

/// Versions whose layout is confirmed on real files.
const CONFIRMED: [u32; 3] = [12, 15, 17];

impl<'a> NavMesh<'a> {
    /// Reads the bytes of one NVNM field.
    ///
    /// Linear in the number of grid cells (at most 4,096), regardless of the size of the mesh.
    ///
    /// # Errors
    /// [`Version`](ErrorKind::Version) if no known layout fits, [`Count`](ErrorKind::Count) or
    /// [`Truncated`](ErrorKind::Truncated) if the bytes end too early, [`Limit`](ErrorKind::Limit) for a grid of more
    /// than 64 × 64 cells.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Self::read(bytes, 0, |version| CONFIRMED.contains(&version))
    }

    /// Like [`parse`](Self::parse), for a field at byte `offset` of something larger, so that errors and findings give offsets of
    /// the whole. A record states the length of its fields, so the mesh must fill the field.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse), and [`Trailing`](ErrorKind::Trailing) if bytes are left over.
    pub fn parse_at(bytes: &'a [u8], offset: u64) -> Result<Self> {
        Self::read(bytes, offset, |_| false)
    }

    /// Reads a field. If `longer` allows it, bytes may follow the mesh.
    fn read(bytes: &'a [u8], offset: u64, longer: impl Fn(u32) -> bool) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, offset);
        let version = cursor.u32("NVNM version")?;
        let longer = longer(version);
        let mut first_error = None;
        for layout in Layout::candidates(version) {
            match Self::take(bytes, cursor, offset, version, *layout, longer) {
                Ok(mesh) => return Ok(mesh),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error {
            Some(error) if CONFIRMED.contains(&version) => Err(error),
            _ => {
                let why = "no known layout ends where the field ends";
                let kind = ErrorKind::Version { format: "NVNM", found: version, subversion: None, why };
                Err(Error::new(kind).at(offset))
            }
        }
    }

    /// Reads a version 12 field in which the counts of edge links, of cover triangles, or of the first list of the grid are
    /// missing. An early build of the editor left them out if they were zero. Of the possible readings, the one that ends exactly
    /// is right.
    ///
    /// Five real fields are known, all in one plugin, and this reads them (`docs/formats/skyrim.md`, section 9).
    ///
    /// # Errors
    /// That of [`parse_at`](Self::parse_at), if no such reading ends exactly.
    pub fn parse_missing_counts(bytes: &'a [u8], offset: u64) -> Result<Self> {
        let strict = match Self::parse_at(bytes, offset) {
            Ok(mesh) => return Ok(mesh),
            Err(error) => error,
        };
        let mut at = Cursor::new(bytes, offset);
        if at.u32("NVNM version")? != 12 {
            return Err(strict);
        }
        let readings = [
            (true, false, false),
            (false, true, false),
            (true, true, false),
            (false, false, true),
            (true, false, true),
            (false, true, true),
            (true, true, true),
        ];
        for (no_links, no_cover, no_first_list) in readings {
            let layout = Layout { no_links, no_cover, no_first_list, ..Layout::V12 };
            if let Ok(mesh) = Self::take(bytes, at, offset, 12, layout, false) {
                return Ok(mesh);
            }
        }
        Err(strict)
    }

    fn take(
        bytes: &'a [u8],
        mut at: Cursor<'a>,
        offset: u64,
        version: u32,
        layout: Layout,
        longer: bool,
    ) -> Result<Self> {
        let mut starts = Starts { owner: at.offset(), ..Starts::default() };
        // Behind the count.
        let list = |at: &Cursor<'a>| at.offset().saturating_add(4);
        let pathing_cell: &PathingCell = at.record("owner")?;
        starts.vertices = list(&at);
        let vertices = if layout.marked_vertices {
            Vertices::Marked(at.list32("vertices")?)
        } else {
            Vertices::Plain(at.list32("vertices")?)
        };
        starts.triangles = list(&at);
        let triangles = if layout.tall_triangles {
            Triangles::V15(at.list32("triangles")?)
        } else {
            Triangles::V12(at.list32("triangles")?)
        };
        starts.edge_links = list(&at);
        let edge_links = if layout.no_links {
            EdgeLinks::V12(&[])
        } else if layout.links_name_edges {
            EdgeLinks::V15(at.list32("edge links")?)
        } else {
            EdgeLinks::V12(at.list32("edge links")?)
        };
        starts.door_triangles = list(&at);
        let door_triangles = DoorTriangles::V12(at.list32("door triangles")?);
        starts.cover = list(&at);
        let cover = match layout.cover {
            _ if layout.no_cover => Cover::Triangles(&[]),
            0 => Cover::Triangles(at.list32("cover triangles")?),
            8 => Cover::V15(at.list32("cover segments")?),
            _ => Cover::V17(at.list32("cover segments")?),
        };
        let (cover_edges, waypoints): (&[CoverEdge], &[Waypoint]) = match layout.cover {
            0 => (&[], &[]),
            _ => {
                starts.cover_edges = list(&at);
                let edges = at.list32("cover edges")?;
                starts.waypoints = list(&at);
                (edges, at.list32("waypoints")?)
            }
        };
        starts.grid = at.offset();
        let grid = Grid::take(&mut at, false, layout.no_first_list)?;
        let tail = if layout.tail { Some(at.record("tail")?) } else { None };
        if !longer {
            at.finish()?;
        }
        Ok(Self {
            trailing: at.rest(),
            starts,
            bytes,
            offset,
            version,
            pathing_cell: Some(pathing_cell),
            parent: pathing_cell.parent(),
            vertices,
            triangles,
            edge_links,
            door_triangles,
            cover,
            cover_edges,
            waypoints,
            grid: Some(grid),
            tail,
        })
    }

    /// The bytes of a triangle, if the field lies in a file.
    pub(super) fn triangle_bytes(&self, triangle: usize) -> Option<Range<u64>> {
        let len = match self.triangles {
            Triangles::V12(_) => size_of::<Triangle>(),
            Triangles::V15(_) => size_of::<TallTriangle>(),
        };
        let before = (len as u64).checked_mul(triangle as u64)?;
        span(self.starts.triangles.checked_add(before)?, len)
    }

    /// Version of the layout: 12 Skyrim, 15 Fallout 4, 17 Starfield, 11 Fallout 3 and New Vegas.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Whether real files confirm this layout. `false` for Fallout 3 and New Vegas, of which no sample exists, and for versions
    /// between and beyond the known ones, which are accepted only if they end exactly.
    pub fn is_confirmed(&self) -> bool {
        CONFIRMED.contains(&self.version) && self.pathing_cell.is_some()
    }

    /// The game whose layout this is; `None` for a version between or beyond the known ones.
    pub fn game(&self) -> Option<&'static str> {
        match self.version {
            _ if self.pathing_cell.is_none() => Some("Fallout 3 or New Vegas"),
            12 => Some("Skyrim"),
            15 => Some("Fallout 4"),
            17 => Some("Starfield"),
            _ => None,
        }
    }

    /// Bytes after the end of the mesh, which are a finding. No real field has any.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }

    /// The bytes the mesh was read from.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Owner as stored, with its type hash; `None` in Fallout 3 and New Vegas.
    pub fn pathing_cell(&self) -> Option<&'a PathingCell> {
        self.pathing_cell
    }

    /// The cell, or worldspace and grid, that the mesh belongs to. The FormIDs are local to the plugin.
    pub fn parent(&self) -> Parent {
        self.parent
    }

    /// Vertices.
    #[inline]
    pub fn vertices(&self) -> Vertices<'a> {
        self.vertices
    }

    /// Triangles.
    #[inline]
    pub fn triangles(&self) -> Triangles<'a> {
        self.triangles
    }

    /// Links to other meshes.
    #[inline]
    pub fn edge_links(&self) -> EdgeLinks<'a> {
        self.edge_links
    }

    /// Triangles under doors.
    #[inline]
    pub fn door_triangles(&self) -> DoorTriangles<'a> {
        self.door_triangles
    }

    /// Cover: a list of triangles up to version 12, pieces of cover from version 13.
    #[inline]
    pub fn cover(&self) -> Cover<'a> {
        self.cover
    }

    /// The cover of each covered edge. Empty up to version 12.
    #[inline]
    pub fn cover_edges(&self) -> &'a [CoverEdge] {
        self.cover_edges
    }

    /// Waypoints. Empty up to version 12.
    #[inline]
    pub fn waypoints(&self) -> &'a [Waypoint] {
        self.waypoints
    }

    /// The grid. Only Fallout 3 and New Vegas may leave it out.
    #[inline]
    pub fn grid(&self) -> Option<Grid<'a>> {
        self.grid
    }

    /// Four bytes after the grid: Starfield only.
    pub fn tail(&self) -> Option<&'a Tail> {
        self.tail
    }

    /// The number of triangles in the cover list; from version 13 on there is no list, and this is the number of edges with
    /// cover. Tables call it `cover_triangles`.
    pub fn cover_count(&self) -> usize {
        match self.cover {
            Cover::Triangles(list) => list.len(),
            Cover::V15(_) | Cover::V17(_) => self.cover_edges.len(),
        }
    }
}
