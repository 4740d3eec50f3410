//! One tile: its head and its sections, as slices over the bytes.

use super::head::TileHead;
use super::layout::{Layout, Refs, Section, TILE_MAGIC};
use super::record::{
    BvNode, DetailMesh, Link, OffMesh, Poly, Polygon, RespawnOffMesh, RespawnPoly, TraverseLink, Triangle,
    UnityPoly, UnityTriangle, Vector, WideLink,
};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;
use zerocopy::byteorder::little_endian::U32;

/// A tile. Opening it takes constant time, regardless of its size.
#[derive(Debug, Clone, Copy)]
pub struct Tile<'a> {
    head: TileHead,
    layout: Layout,
    refs: Refs,
    experimental: bool,
    offset: u64,
    vertices: &'a [Vector],
    polygons: Polygons<'a>,
    map: &'a [U32],
    links: Links<'a>,
    details: &'a [DetailMesh],
    detail_vertices: &'a [Vector],
    triangles: Triangles<'a>,
    tree: &'a [BvNode],
    off_mesh: Connections<'a>,
    rest: &'a [u8],
}

/// The polygons of a tile, in place. Match on it for the bare slice.
#[derive(Debug, Clone, Copy)]
pub enum Polygons<'a> {
    /// 32 bytes each: versions 6 and 7.
    Stock(&'a [Poly]),
    /// 48 bytes each: version 13.
    Respawn(&'a [RespawnPoly]),
    /// 32 bytes each: version 16.
    Unity(&'a [UnityPoly]),
}

impl<'a> Polygons<'a> {
    /// How many.
    pub fn len(self) -> usize {
        match self {
            Self::Stock(list) => list.len(),
            Self::Respawn(list) => list.len(),
            Self::Unity(list) => list.len(),
        }
    }
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The polygon of this index.
    #[inline]
    pub fn get(self, index: usize) -> Option<Polygon<'a>> {
        match self {
            Self::Stock(list) => list.get(index).map(Polygon::from),
            Self::Respawn(list) => list.get(index).map(|poly| Polygon::from(poly.poly())),
            Self::Unity(list) => list.get(index).map(Polygon::from),
        }
    }
    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = Polygon<'a>> + Clone {
        let (stock, respawn, unity): (&[_], &[_], &[_]) = match self {
            Self::Stock(list) => (list, &[], &[]),
            Self::Respawn(list) => (&[], list, &[]),
            Self::Unity(list) => (&[], &[], list),
        };
        let respawn = respawn.iter().map(|poly: &RespawnPoly| Polygon::from(poly.poly()));
        stock.iter().map(Polygon::from).chain(respawn).chain(unity.iter().map(Polygon::from))
    }
    /// Index of the first link of a polygon, as the engine left it; `None` in version 16.
    pub fn first_link(self, index: usize) -> Option<u32> {
        match self {
            Self::Stock(list) => list.get(index).map(Poly::first_link),
            Self::Respawn(list) => list.get(index).map(|poly| poly.poly().first_link()),
            Self::Unity(_) => None,
        }
    }
}

/// The links of a tile, in place.
#[derive(Debug, Clone, Copy)]
pub enum Links<'a> {
    /// References of 32 bits.
    Narrow(&'a [Link]),
    /// References of 64 bits.
    Wide(&'a [WideLink]),
    /// Version 13.
    Traverse(&'a [TraverseLink]),
}

impl Links<'_> {
    /// The number of links, unused ones included.
    pub fn len(self) -> usize {
        match self {
            Self::Narrow(list) => list.len(),
            Self::Wide(list) => list.len(),
            Self::Traverse(list) => list.len(),
        }
    }
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// Target, next link, edge and side of a link.
    #[inline]
    pub fn get(self, index: usize) -> Option<(u64, Option<u32>, u8, u8)> {
        match self {
            Self::Narrow(list) => list.get(index).map(|l| (l.target(), l.next(), l.edge(), l.side())),
            Self::Wide(list) => list.get(index).map(|l| (l.target(), l.next(), l.edge(), l.side())),
            Self::Traverse(list) => list.get(index).map(|l| (l.target(), l.next(), l.edge(), l.side())),
        }
    }
}

/// The detail triangles of a tile, in place.
#[derive(Debug, Clone, Copy)]
pub enum Triangles<'a> {
    /// 4 bytes each.
    Stock(&'a [Triangle]),
    /// 8 bytes each: version 16.
    Unity(&'a [UnityTriangle]),
}

impl Triangles<'_> {
    /// How many.
    pub fn len(self) -> usize {
        match self {
            Self::Stock(list) => list.len(),
            Self::Unity(list) => list.len(),
        }
    }
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// Corners and flags of a triangle. Corners below the polygon's number of corners are the polygon's, larger ones are detail
    /// vertices.
    #[inline]
    pub fn get(self, index: usize) -> Option<([u16; 3], u16)> {
        match self {
            Self::Stock(list) => list.get(index).map(|t| (t.corners(), t.flags())),
            Self::Unity(list) => list.get(index).map(|t| (t.corners(), t.flags())),
        }
    }
}

/// The off-mesh connections of a tile, in place.
#[derive(Debug, Clone, Copy)]
pub enum Connections<'a> {
    /// 36 bytes each.
    Stock(&'a [OffMesh]),
    /// 52 bytes each: version 13.
    Respawn(&'a [RespawnOffMesh]),
}

impl<'a> Connections<'a> {
    /// How many.
    pub fn len(self) -> usize {
        match self {
            Self::Stock(list) => list.len(),
            Self::Respawn(list) => list.len(),
        }
    }
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The connection of this index.
    #[inline]
    pub fn get(self, index: usize) -> Option<&'a OffMesh> {
        match self {
            Self::Stock(list) => list.get(index),
            Self::Respawn(list) => list.get(index).map(RespawnOffMesh::connection),
        }
    }
    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = &'a OffMesh> + Clone {
        let (stock, respawn): (&[_], &[_]) = match self {
            Self::Stock(list) => (list, &[]),
            Self::Respawn(list) => (&[], list),
        };
        stock.iter().chain(respawn.iter().map(RespawnOffMesh::connection))
    }
}

fn len(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

impl<'a> Tile<'a> {
    /// Takes over what the file around it says of the agent.
    pub(super) fn built_for(&mut self, agent: Option<[f32; 3]>) {
        self.head.agent = self.head.agent.or(agent);
    }

    /// Opens a tile. `bytes` are all bytes that it may have, the first of which is byte `offset` of the file. How wide
    /// references are is computed: the sections have to end where the bytes end. `hint` decides if they do with neither
    /// width, or with both.
    ///
    /// # Errors
    /// [`NotMesh`](ErrorKind::NotMesh) for another magic, [`Version`](ErrorKind::Version) for an unknown head,
    /// [`Count`](ErrorKind::Count) and [`Invalid`](ErrorKind::Invalid) for impossible counts.
    pub fn parse(bytes: &'a [u8], offset: u64, hint: Refs) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, offset);
        let Some(magic) = bytes.first_chunk::<4>() else { return Err(cursor.short("tile", 8)) };
        if *magic != TILE_MAGIC {
            return Err(not_mesh(bytes).at(offset));
        }
        cursor.skip(4, "tile magic")?;
        let version = cursor.u32("tile version")?;
        let Some(layout) = Layout::for_version(version) else {
            return Self::guess(cursor, bytes, offset, version);
        };
        let mut after = cursor;
        let head = TileHead::parse(&mut after, version, layout)?;
        let sum = |refs: Refs| layout.offsets(&head, refs).last().copied().unwrap_or(u64::MAX);
        let size = bytes.len() as u64;
        let ways = [hint, hint.other()];
        let lay = |refs: Refs| Self::lay_out(after, head, layout, refs, offset);
        if let Some(refs) = ways.into_iter().find(|refs| sum(*refs) == size) {
            return lay(refs);
        }
        // More bytes than the sections need: trailing bytes, or a head with more fields than the stock one.
        let mut fitting = ways.into_iter().filter(|refs| sum(*refs) < size).peekable();
        if fitting.peek().is_none() {
            return lay(if sum(hint) <= sum(hint.other()) { hint } else { hint.other() });
        }
        let sound = fitting.filter_map(|refs| lay(refs).ok()).find(Self::is_plausible);
        sound.ok_or_else(|| unknown_head(version, offset, "its sections do not end where the tile ends"))
    }

    /// Tries every layout on an unknown version.
    #[cold]
    fn guess(cursor: Cursor<'a>, bytes: &'a [u8], offset: u64, version: u32) -> Result<Self> {
        for layout in Layout::ALL {
            let mut after = cursor;
            let Ok(head) = TileHead::parse(&mut after, version, layout) else { continue };
            for refs in [Refs::Narrow, Refs::Wide] {
                if layout.offsets(&head, refs).last() == Some(&(bytes.len() as u64))
                    && let Ok(tile) = Self::lay_out(after, head, layout, refs, offset)
                    && tile.is_plausible()
                {
                    return Ok(Self { experimental: true, ..tile });
                }
            }
        }
        Err(unknown_head(
            version,
            offset,
            "unknown, and no layout of a known version ends where the tile ends",
        ))
    }

    fn lay_out(
        mut cursor: Cursor<'a>,
        head: TileHead,
        layout: Layout,
        refs: Refs,
        offset: u64,
    ) -> Result<Self> {
        let polygon_count = len(head.polygons);
        let vertices = cursor.slice(len(head.vertices), "vertices")?;
        let polygons = match layout {
            Layout::V13 => Polygons::Respawn(cursor.slice(polygon_count, "polygons")?),
            Layout::V16 => Polygons::Unity(cursor.slice(polygon_count, "polygons")?),
            _ => Polygons::Stock(cursor.slice(polygon_count, "polygons")?),
        };
        let words = usize::try_from(head.count(Section::Map)).unwrap_or(usize::MAX);
        let map = cursor.slice(words, "polygon map")?;
        let link_count = len(head.max_links);
        let links = match (layout, refs) {
            (Layout::V13, _) => Links::Traverse(cursor.slice(link_count, "links")?),
            (_, Refs::Narrow) => Links::Narrow(cursor.slice(link_count, "links")?),
            (_, Refs::Wide) => Links::Wide(cursor.slice(link_count, "links")?),
        };
        let details = cursor.slice(len(head.details), "detail meshes")?;
        let detail_vertices = cursor.slice(len(head.detail_vertices), "detail vertices")?;
        let triangles = match layout {
            Layout::V16 => Triangles::Unity(cursor.slice(len(head.triangles), "detail triangles")?),
            _ => Triangles::Stock(cursor.slice(len(head.triangles), "detail triangles")?),
        };
        let tree = cursor.slice(len(head.tree), "tree nodes")?;
        let off_mesh = match layout {
            Layout::V13 => Connections::Respawn(cursor.slice(len(head.off_mesh), "off-mesh connections")?),
            _ => Connections::Stock(cursor.slice(len(head.off_mesh), "off-mesh connections")?),
        };
        let refs = if layout == Layout::V13 { Refs::Narrow } else { refs };
        let (experimental, rest) = (false, cursor.rest());
        Ok(Self {
            head,
            layout,
            refs,
            experimental,
            offset,
            vertices,
            polygons,
            map,
            links,
            details,
            detail_vertices,
            triangles,
            tree,
            off_mesh,
            rest,
        })
    }

    /// Whether the first detail mesh begins at 0 and the last ends at the end, as in every real tile. They do not if a section
    /// before them was measured wrongly. Constant time.
    fn is_plausible(&self) -> bool {
        let words = self.layout == Layout::V16;
        let Some((first, last)) = self.details.first().zip(self.details.last()) else { return true };
        let [vertices, triangles] = last.counts(words).map(u64::from);
        let ends = u64::from(last.first_triangle()).saturating_add(triangles);
        let vertex_end = u64::from(last.first_vertex()).saturating_add(vertices);
        first.first_vertex() == 0
            && first.first_triangle() == 0
            && ends == self.triangles.len() as u64
            && vertex_end == self.detail_vertices.len() as u64
            && self.head.min.iter().chain(&self.head.max).all(|value| value.is_finite())
    }

    /// The head.
    #[inline]
    pub fn head(&self) -> &TileHead {
        &self.head
    }
    /// Its layout.
    #[inline]
    pub fn layout(&self) -> Layout {
        self.layout
    }
    /// The width of its references. A guess if it has no links.
    pub fn refs(&self) -> Refs {
        self.refs
    }
    /// Whether its version is unknown. Such a tile is read if a known layout ends exactly at its end.
    pub fn is_experimental(&self) -> bool {
        self.experimental
    }
    /// The byte of the file at which it begins.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.offset
    }
    /// Bytes of head and sections.
    pub fn size(&self) -> u64 {
        self.layout.offsets(&self.head, self.refs).last().copied().unwrap_or(0)
    }
    /// The file offset of a record of a section.
    pub fn offset_of(&self, section: Section, index: usize) -> u64 {
        let offsets = self.layout.offsets(&self.head, self.refs);
        let start = Section::ALL.iter().position(|other| *other == section).and_then(|at| offsets.get(at));
        let within = self.layout.record_len(section, self.refs).saturating_mul(index as u64);
        self.offset.saturating_add(start.copied().unwrap_or(0)).saturating_add(within)
    }
    /// The vertices of polygons.
    #[inline]
    pub fn vertices(&self) -> &'a [Vector] {
        self.vertices
    }
    /// The polygons: ground first, then one for each off-mesh connection.
    #[inline]
    pub fn polygons(&self) -> Polygons<'a> {
        self.polygons
    }
    /// The number of ground polygons: those before the first that stands for an off-mesh connection.
    #[inline]
    pub fn ground(&self) -> usize {
        len(self.head.off_mesh_base).min(self.polygons.len())
    }
    /// The map of polygons of version 13.
    pub fn map(&self) -> &'a [U32] {
        self.map
    }
    /// Links, as the engine left them. Only jumps and climbs of version 13 add anything to neighbours and portals.
    pub fn links(&self) -> Links<'a> {
        self.links
    }
    /// Detail meshes, one for each ground polygon.
    #[inline]
    pub fn details(&self) -> &'a [DetailMesh] {
        self.details
    }
    /// Vertices of detail meshes, other than the polygons' corners.
    pub fn detail_vertices(&self) -> &'a [Vector] {
        self.detail_vertices
    }
    /// Detail triangles.
    pub fn triangles(&self) -> Triangles<'a> {
        self.triangles
    }
    /// The tree of boxes over the ground polygons. Empty if the tile was built without it.
    pub fn tree(&self) -> &'a [BvNode] {
        self.tree
    }
    /// Off-mesh connections that start here.
    pub fn off_mesh(&self) -> Connections<'a> {
        self.off_mesh
    }
    /// Bytes after its last section.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The `corner`th corner of a polygon.
    #[inline]
    pub fn corner(&self, polygon: &Polygon<'a>, corner: usize) -> Option<[f32; 3]> {
        let vertex = polygon.corners().get(corner)?;
        self.vertices.get(usize::from(vertex.get())).map(|vertex| vertex.to_array())
    }

    /// The two corners of an edge.
    #[inline]
    pub fn edge(&self, polygon: &Polygon<'a>, edge: usize) -> Option<[[f32; 3]; 2]> {
        let next = edge.checked_add(1).filter(|next| *next < polygon.corners().len()).unwrap_or(0);
        Some([self.corner(polygon, edge)?, self.corner(polygon, next)?])
    }

    /// The corners of detail triangle `index` of the detail mesh of a ground polygon; `None` if there is no such triangle.
    pub fn triangle(&self, polygon: usize, index: u16) -> Option<[[f32; 3]; 3]> {
        let detail = self.details.get(polygon)?;
        let [_, count] = detail.counts(self.layout == Layout::V16);
        if index >= count {
            return None;
        }
        let stored = self.polygons.get(polygon)?;
        let at = len(detail.first_triangle()).checked_add(index.into())?;
        let ([a, b, c], _) = self.triangles.get(at)?;
        let corners = stored.corners().len();
        let vertex = |number: u16| match usize::from(number).checked_sub(corners) {
            None => self.corner(&stored, number.into()),
            Some(beyond) => {
                let at = len(detail.first_vertex()).checked_add(beyond)?;
                self.detail_vertices.get(at).map(|vertex| vertex.to_array())
            }
        };
        Some([vertex(a)?, vertex(b)?, vertex(c)?])
    }
}

#[cold]
fn unknown_head(version: u32, offset: u64, why: &'static str) -> Error {
    Error::new(ErrorKind::Version { format: "Detour tile", found: version, subversion: None, why }).at(offset)
}
