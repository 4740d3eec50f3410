//! Records of fixed size, exactly as they lie in the file: little-endian, alignment 1, unknown fields visible.
//!
//! References of 64 bits lie at multiples of 4, so they are two halves. Source of every layout: `docs/formats/detour.md`.

mod polygon;

pub use polygon::{Across, Polygon};

pub use navmap_core::format::Vector;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, I32, U16, U32};

record! {
    /// What a mesh of many tiles is made with: 28 bytes, in the head of a set, and all of an `.mmap`.
    pub Parameters[28] { origin: Vector, tile_width: F32, tile_depth: F32, max_tiles: U32, max_polygons: U32 }

    /// A polygon of versions 6 and 7. 32 bytes.
    pub Poly[32] {
        first_link: U32, corners: [U16; 6], neighbours: [U16; 6], flags: U16, corner_count: u8, area_and_kind: u8,
    }

    /// A polygon of version 13, Respawn's. 48 bytes.
    pub RespawnPoly[48] { poly: Poly, group: U16, surface: U16, center: Vector }

    /// A polygon of version 16, Unity's. 32 bytes.
    pub UnityPoly[32] {
        corners: [U16; 6], neighbours: [U16; 6], flags: U32, corner_count: u8, area: u8, unknown_0x1e: U16,
    }

    /// A link with a reference of 32 bits. 12 bytes. The engine builds links when it loads a tile; navmap does not read them.
    pub Link[12] { target: U32, next: U32, edge: u8, side: u8, min: u8, max: u8 }

    /// A link with a reference of 64 bits. 16 bytes.
    pub WideLink[16] { target: [U32; 2], next: U32, edge: u8, side: u8, min: u8, max: u8 }

    /// A link of version 13. 16 bytes. Those with a traverse type (jumps, climbs) are data that nothing else holds.
    pub TraverseLink[16] {
        target: U32, next: U32, edge: u8, side: u8, min: u8, max: u8, traverse: u8, distance: u8, reverse: U16,
    }

    /// Where the detail triangles of a polygon lie. 12 bytes. Version 16 counts in two words instead of two bytes.
    pub DetailMesh[12] { first_vertex: U32, first_triangle: U32, counts: [u8; 4] }

    /// A detail triangle of versions 6, 7 and 13. 4 bytes.
    pub Triangle[4] { corners: [u8; 3], flags: u8 }

    /// A detail triangle of version 16. 8 bytes.
    pub UnityTriangle[8] { corners: [U16; 3], flags: U16 }

    /// A node of the tree of boxes. 16 bytes.
    pub BvNode[16] { min: [U16; 3], max: [U16; 3], index: I32 }

    /// An off-mesh connection. 36 bytes.
    pub OffMesh[36] {
        start: Vector, end: Vector, radius: F32, polygon: U16, flags: u8, side: u8, user_id: U32,
    }

    /// An off-mesh connection of version 13. 52 bytes.
    pub RespawnOffMesh[52] { connection: OffMesh, reference: Vector, yaw: F32 }

    /// What the cache of a tile-cache set is made with. 52 bytes.
    pub CacheParameters[52] {
        origin: Vector, cell: F32, cell_height: F32, width: I32, height: I32, agent_height: F32, agent_radius: F32,
        agent_climb: F32, max_simplification: F32, max_tiles: I32, max_obstacles: I32,
    }

    /// The head of a compressed layer of a tile cache. 56 bytes.
    pub LayerHead[56] {
        magic: [u8; 4], version: U32, x: I32, y: I32, layer: I32, min: Vector, max: Vector, hmin: U16, hmax: U16,
        width: u8, height: u8, min_x: u8, max_x: u8, min_y: u8, max_y: u8, unknown_0x36: [u8; 2],
    }

    /// An off-mesh connection in the head of a map of TrinityCore. 44 bytes; no real file was seen.
    pub MapConnection[44] {
        map: U32, x: U32, y: U32, start: Vector, end: Vector, radius: F32, directions: u8, area: u8, flags: U16,
    }

    /// The head of an `.mmtile`. 20 bytes.
    pub MapTileHead[20] { magic: [u8; 4], detour: U32, version: U32, size: U32, liquids: u8, unknown_0x11: [u8; 3] }
}

impl Parameters {
    /// Parameters of a mesh.
    pub fn new(origin: [f32; 3], tile: [f32; 2], max_tiles: u32, max_polygons: u32) -> Self {
        let [width, depth] = tile;
        Self {
            origin: origin.into(),
            tile_width: width.into(),
            tile_depth: depth.into(),
            max_tiles: max_tiles.into(),
            max_polygons: max_polygons.into(),
        }
    }
    /// The corner of tile (0, 0).
    #[inline]
    pub fn origin(&self) -> [f32; 3] {
        self.origin.to_array()
    }
    /// Length of a tile along x.
    #[inline]
    pub fn tile_width(&self) -> f32 {
        self.tile_width.get()
    }
    /// Length of a tile along z.
    #[inline]
    pub fn tile_depth(&self) -> f32 {
        self.tile_depth.get()
    }
    /// How many tiles the mesh has room for. Usually a power of two.
    #[inline]
    pub fn max_tiles(&self) -> u32 {
        self.max_tiles.get()
    }
    /// How many polygons a tile has room for. 0x80000000 in all old `.mmap` that were seen.
    #[inline]
    pub fn max_polygons(&self) -> u32 {
        self.max_polygons.get()
    }
}

macro_rules! link {
    ($($type:ident)*) => { $(
        impl $type {
            /// Index of the next link of the same polygon; `None` at the end of the chain.
            #[inline]
            pub fn next(&self) -> Option<u32> {
                Some(self.next.get()).filter(|next| *next != u32::MAX)
            }
            /// The edge of the polygon; 0xFF for the way back over an off-mesh connection.
            #[inline]
            pub fn edge(&self) -> u8 {
                self.edge
            }
            /// The side of the tile; 0xFF inside the tile.
            #[inline]
            pub fn side(&self) -> u8 {
                self.side
            }
            /// The part of the edge that is open, in 255ths.
            #[inline]
            pub fn span(&self) -> [u8; 2] {
                [self.min, self.max]
            }
        }
    )* };
}
link! { Link WideLink TraverseLink }

impl Link {
    /// The polygon that it reaches, as salt, tile and polygon.
    #[inline]
    pub fn target(&self) -> u64 {
        self.target.get().into()
    }
}

impl WideLink {
    /// The polygon that it reaches, as salt, tile and polygon.
    #[inline]
    pub fn target(&self) -> u64 {
        let [low, high] = self.target;
        u64::from(low.get()) | u64::from(high.get()) << 32
    }
}

impl TraverseLink {
    /// The polygon that it reaches, as salt, tile and polygon.
    #[inline]
    pub fn target(&self) -> u64 {
        self.target.get().into()
    }
    /// How it is travelled, as a number of the game's; `None` for a link that one walks.
    #[inline]
    pub fn traverse(&self) -> Option<u8> {
        Some(self.traverse).filter(|kind| *kind != 0xFF)
    }
    /// A byte that grows with the distance.
    #[inline]
    pub fn distance(&self) -> u8 {
        self.distance
    }
    /// Index of the link back in the links of the other tile; `None` if there is none.
    #[inline]
    pub fn reverse(&self) -> Option<u16> {
        Some(self.reverse.get()).filter(|reverse| *reverse != 0xFFFF)
    }
}

impl DetailMesh {
    /// Where the detail mesh of a polygon lies, of versions other than 16.
    pub fn new(first_vertex: u32, first_triangle: u32, vertices: u8, triangles: u8) -> Self {
        Self {
            first_vertex: first_vertex.into(),
            first_triangle: first_triangle.into(),
            counts: [vertices, triangles, 0, 0],
        }
    }
    /// Index of its first vertex among the detail vertices.
    #[inline]
    pub fn first_vertex(&self) -> u32 {
        self.first_vertex.get()
    }
    /// Index of its first triangle.
    #[inline]
    pub fn first_triangle(&self) -> u32 {
        self.first_triangle.get()
    }
    /// How many vertices and triangles it has. `words` is true for version 16.
    #[inline]
    pub fn counts(&self, words: bool) -> [u16; 2] {
        let [a, b, c, d] = self.counts;
        if words { [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])] } else { [a.into(), b.into()] }
    }
}

impl Triangle {
    /// A triangle.
    pub fn new(corners: [u8; 3], flags: u8) -> Self {
        Self { corners, flags }
    }
    /// Its corners: those of the polygon first, then detail vertices.
    #[inline]
    pub fn corners(&self) -> [u16; 3] {
        self.corners.map(Into::into)
    }
    /// Its corners and its flags, as stored.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 4] {
        zerocopy::transmute!(*self)
    }
    /// Two bits an edge; 1 means that the edge lies on the polygon's boundary.
    #[inline]
    pub fn flags(&self) -> u16 {
        self.flags.into()
    }
}

impl UnityTriangle {
    /// Its corners: those of the polygon first, then detail vertices.
    #[inline]
    pub fn corners(&self) -> [u16; 3] {
        self.corners.map(U16::get)
    }
    /// Two bits an edge; 1 means that the edge lies on the polygon's boundary.
    #[inline]
    pub fn flags(&self) -> u16 {
        self.flags.get()
    }
}

impl BvNode {
    /// A node.
    pub fn new(min: [u16; 3], max: [u16; 3], index: i32) -> Self {
        Self { min: min.map(Into::into), max: max.map(Into::into), index: index.into() }
    }
    /// The smallest corner, in cells from the tile's.
    #[inline]
    pub fn min(&self) -> [u16; 3] {
        self.min.map(U16::get)
    }
    /// The largest corner.
    #[inline]
    pub fn max(&self) -> [u16; 3] {
        self.max.map(U16::get)
    }
    /// The polygon of a leaf; negative: how many nodes to pass over if the box is missed.
    #[inline]
    pub fn index(&self) -> i32 {
        self.index.get()
    }
}

impl OffMesh {
    /// A connection. `side` is 0xFF if it ends in its own tile, otherwise the direction of the tile it ends in.
    pub fn new(
        ends: [[f32; 3]; 2],
        radius: f32,
        polygon: u16,
        both_ways: bool,
        side: u8,
        user_id: u32,
    ) -> Self {
        let [start, end] = ends;
        Self {
            start: start.into(),
            end: end.into(),
            radius: radius.into(),
            polygon: polygon.into(),
            flags: both_ways.into(),
            side,
            user_id: user_id.into(),
        }
    }
    /// Where it starts, as its author set it.
    #[inline]
    pub fn start(&self) -> [f32; 3] {
        self.start.to_array()
    }
    /// Where it ends, as its author set it.
    #[inline]
    pub fn end(&self) -> [f32; 3] {
        self.end.to_array()
    }
    /// How far its ends may be from the mesh, in plan.
    #[inline]
    pub fn radius(&self) -> f32 {
        self.radius.get()
    }
    /// The polygon that stands for it: its index among the connections after the ground polygons.
    #[inline]
    pub fn polygon(&self) -> u16 {
        self.polygon.get()
    }
    /// Flags; bit 0 says that it leads both ways.
    #[inline]
    pub fn flags(&self) -> u8 {
        self.flags
    }
    /// Whether it leads both ways.
    #[inline]
    pub fn both_ways(&self) -> bool {
        self.flags & 1 != 0
    }
    /// The direction of the tile that it ends in; `None` if that is its own.
    #[inline]
    pub fn side(&self) -> Option<u8> {
        Some(self.side).filter(|side| *side != 0xFF)
    }
    /// A number of its author.
    #[inline]
    pub fn user_id(&self) -> u32 {
        self.user_id.get()
    }
}

impl RespawnOffMesh {
    /// The part that version 7 has too.
    #[inline]
    pub fn connection(&self) -> &OffMesh {
        &self.connection
    }
    /// A reference position.
    #[inline]
    pub fn reference(&self) -> [f32; 3] {
        self.reference.to_array()
    }
    /// An angle.
    #[inline]
    pub fn yaw(&self) -> f32 {
        self.yaw.get()
    }
}

impl LayerHead {
    /// The magic of a layer.
    pub const MAGIC: [u8; 4] = *b"RLTD";

    /// The magic that it has.
    #[inline]
    pub fn magic(&self) -> [u8; 4] {
        self.magic
    }
    /// Version; 1.
    #[inline]
    pub fn version(&self) -> u32 {
        self.version.get()
    }
    /// Column, row and layer.
    #[inline]
    pub fn at(&self) -> [i32; 3] {
        [self.x.get(), self.y.get(), self.layer.get()]
    }
    /// Smallest and largest corner.
    #[inline]
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        [self.min.to_array(), self.max.to_array()]
    }
    /// Cells along x and z.
    #[inline]
    pub fn size(&self) -> [u8; 2] {
        [self.width, self.height]
    }
    /// How many bytes it unpacks to: a height, an area and connections for each cell.
    #[inline]
    pub fn unpacked(&self) -> usize {
        usize::from(self.width).saturating_mul(self.height.into()).saturating_mul(3)
    }
}

impl CacheParameters {
    /// Length of a cell, and its height.
    #[inline]
    pub fn cell(&self) -> [f32; 2] {
        [self.cell.get(), self.cell_height.get()]
    }
    /// Height, radius and climb of the agent.
    #[inline]
    pub fn agent(&self) -> [f32; 3] {
        [self.agent_height.get(), self.agent_radius.get(), self.agent_climb.get()]
    }
    /// How many layers there may be.
    #[inline]
    pub fn max_tiles(&self) -> i32 {
        self.max_tiles.get()
    }
}

impl MapTileHead {
    /// The version of Detour of its tile.
    #[inline]
    pub fn detour(&self) -> u32 {
        self.detour.get()
    }
    /// The version of the server's own format.
    #[inline]
    pub fn version(&self) -> u32 {
        self.version.get()
    }
    /// Bytes of the tile.
    #[inline]
    pub fn size(&self) -> u32 {
        self.size.get()
    }
    /// The same head over a tile of another size.
    #[must_use]
    pub fn with_size(self, size: u32) -> Self {
        Self { size: size.into(), ..self }
    }
    /// Whether the tile was built with liquids. Only this bit of the byte has a meaning.
    #[inline]
    pub fn has_liquids(&self) -> bool {
        self.liquids & 1 != 0
    }
}

impl MapConnection {
    /// The map, and column and row of the tile.
    #[inline]
    pub fn tile(&self) -> [u32; 3] {
        [self.map.get(), self.x.get(), self.y.get()]
    }
    /// Where it starts and ends.
    #[inline]
    pub fn ends(&self) -> [[f32; 3]; 2] {
        [self.start.to_array(), self.end.to_array()]
    }
    /// How far its ends may be from the mesh.
    #[inline]
    pub fn radius(&self) -> f32 {
        self.radius.get()
    }
}
