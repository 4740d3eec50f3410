//! Records of fixed size, exactly as they lie in the file: little-endian, alignment 1, unknown fields visible.
//!
//! References of 64 bits lie at multiples of 4, so they are two halves. Source of every layout: `docs/formats/detour.md`.

mod polygon;

pub use polygon::{Across, Polygon};

use navmap_core::format::Store;
pub use navmap_core::format::Vector;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, I32, U16, U32};

record! {
    /// What a mesh of many tiles is made with: 28 bytes, in the head of a set, and all of an `.mmap`.
    pub Parameters[28]: Serialize {
        /// The corner of tile (0, 0).
        origin: Vector => [f32; 3],
        /// Length of a tile along x.
        tile_width: F32 => f32,
        /// Length of a tile along z.
        tile_depth: F32 => f32,
        /// How many tiles the mesh has room for. Usually a power of two.
        max_tiles: U32 => u32,
        /// How many polygons a tile has room for. 0x80000000 in all old `.mmap` that were seen.
        max_polygons: U32 => u32,
    }

    /// A polygon of versions 6 and 7. 32 bytes.
    pub Poly[32] {
        /// Index of the first link, as the engine left it.
        first_link: U32 => u32,
        corners: [U16; 6],
        neighbours: [U16; 6],
        flags: U16,
        corner_count: u8,
        area_and_kind: u8,
    }

    /// A polygon of version 13, Respawn's. 48 bytes.
    pub RespawnPoly[48] {
        /// The part that version 7 has too.
        poly: Poly => &Poly,
        /// The group: polygons that reach each other.
        group: U16 => u16,
        /// A word whose meaning is not known.
        surface: U16 => u16,
        /// The mean of the corners, as stored.
        center: Vector => [f32; 3],
    }

    /// A polygon of version 16, Unity's. 32 bytes.
    pub UnityPoly[32] {
        corners: [U16; 6], neighbours: [U16; 6], flags: U32, corner_count: u8, area: u8, unknown_0x1e: U16,
    }

    /// A link with a reference of 32 bits. 12 bytes. The engine builds links when it loads a tile; navmap does not read them.
    pub Link[12] {
        target: U32,
        next: U32,
        /// The edge of the polygon; 0xFF for the way back over an off-mesh connection.
        edge: u8 => u8,
        /// The side of the tile; 0xFF inside the tile.
        side: u8 => u8,
        min: u8,
        max: u8,
    }

    /// A link with a reference of 64 bits. 16 bytes.
    pub WideLink[16] {
        target: [U32; 2],
        next: U32,
        /// The edge of the polygon; 0xFF for the way back over an off-mesh connection.
        edge: u8 => u8,
        /// The side of the tile; 0xFF inside the tile.
        side: u8 => u8,
        min: u8,
        max: u8,
    }

    /// A link of version 13. 16 bytes. Links with a traverse type (jumps, climbs) are data found nowhere else.
    pub TraverseLink[16] {
        target: U32,
        next: U32,
        /// The edge of the polygon; 0xFF for the way back over an off-mesh connection.
        edge: u8 => u8,
        /// The side of the tile; 0xFF inside the tile.
        side: u8 => u8,
        min: u8,
        max: u8,
        traverse: u8,
        /// A byte that grows with the distance.
        distance: u8 => u8,
        reverse: U16,
    }

    /// Where the detail triangles of a polygon lie. 12 bytes. Version 16 counts in two words instead of two bytes.
    pub DetailMesh[12] {
        /// Index of its first vertex among the detail vertices.
        first_vertex: U32 => u32,
        /// Index of its first triangle.
        first_triangle: U32 => u32,
        counts: [u8; 4],
    }

    /// A detail triangle of versions 6, 7 and 13. 4 bytes.
    pub Triangle[4] { corners: [u8; 3], flags: u8 }

    /// A detail triangle of version 16. 8 bytes.
    pub UnityTriangle[8] {
        /// Its corners: those of the polygon first, then detail vertices.
        corners: [U16; 3] => [u16; 3],
        /// Two bits an edge; 1 means that the edge lies on the polygon's boundary.
        flags: U16 => u16,
    }

    /// A node of the tree of boxes. 16 bytes.
    pub BvNode[16] {
        /// The smallest corner, in cells from the tile's.
        min: [U16; 3] => [u16; 3],
        /// The largest corner.
        max: [U16; 3] => [u16; 3],
        /// The polygon of a leaf; negative: how many nodes to pass over if the box is missed.
        index: I32 => i32,
    }

    /// An off-mesh connection. 36 bytes.
    pub OffMesh[36] {
        /// Where it starts, as its author set it.
        start: Vector => [f32; 3],
        /// Where it ends, as its author set it.
        end: Vector => [f32; 3],
        /// How far its ends may be from the mesh, in plan.
        radius: F32 => f32,
        /// The polygon that stands for it: its index among the connections after the ground polygons.
        polygon: U16 => u16,
        /// Flags; bit 0 says that it leads both ways.
        flags: u8 => u8,
        side: u8,
        /// A number of its author.
        user_id: U32 => u32,
    }

    /// An off-mesh connection of version 13. 52 bytes.
    pub RespawnOffMesh[52] {
        /// The part that version 7 has too.
        connection: OffMesh => &OffMesh,
        /// A reference position.
        reference: Vector => [f32; 3],
        /// An angle.
        yaw: F32 => f32,
    }

    /// The parameters of a tile cache. 52 bytes.
    pub CacheParameters[52] {
        origin: Vector,
        cell: F32,
        cell_height: F32,
        width: I32,
        height: I32,
        agent_height: F32,
        agent_radius: F32,
        agent_climb: F32,
        max_simplification: F32,
        /// How many layers there may be.
        max_tiles: I32 => i32,
        max_obstacles: I32,
    }

    /// The head of a compressed layer of a tile cache. 56 bytes.
    pub LayerHead[56] {
        /// The magic that it has.
        magic: [u8; 4] => [u8; 4],
        /// Version; 1.
        version: U32 => u32,
        x: I32,
        y: I32,
        layer: I32,
        min: Vector,
        max: Vector,
        hmin: U16,
        hmax: U16,
        width: u8,
        height: u8,
        min_x: u8,
        max_x: u8,
        min_y: u8,
        max_y: u8,
        unknown_0x36: [u8; 2],
    }

    /// An off-mesh connection in the head of a map of TrinityCore. 44 bytes; no real file was seen.
    pub MapConnection[44] {
        map: U32,
        x: U32,
        y: U32,
        start: Vector,
        end: Vector,
        /// How far its ends may be from the mesh.
        radius: F32 => f32,
        directions: u8,
        area: u8,
        flags: U16,
    }

    /// The head of an `.mmtile`. 20 bytes.
    pub MapTileHead[20] {
        magic: [u8; 4],
        /// The version of Detour of its tile.
        detour: U32 => u32,
        /// The version of the server's own format.
        version: U32 => u32,
        /// Bytes of the tile.
        size: U32 => u32,
        liquids: u8,
        unknown_0x11: [u8; 3],
    }
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
}

macro_rules! link {
    ($($type:ident)*) => { $(
        impl $type {
            /// Index of the next link of the same polygon; `None` at the end of the chain.
            #[inline]
            pub fn next(&self) -> Option<u32> {
                Some(self.next.get()).filter(|next| *next != u32::MAX)
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
    /// The kind of traversal, a number of the game's; `None` for a link that is walked.
    #[inline]
    pub fn traverse(&self) -> Option<u8> {
        Some(self.traverse).filter(|kind| *kind != 0xFF)
    }
    /// Index of the link back in the links of the other tile; `None` if there is none.
    #[inline]
    pub fn reverse(&self) -> Option<u16> {
        Some(self.reverse.get()).filter(|reverse| *reverse != 0xFFFF)
    }
}

impl DetailMesh {
    /// The range of a polygon's detail mesh, in versions other than 16.
    pub fn new(first_vertex: u32, first_triangle: u32, vertices: u8, triangles: u8) -> Self {
        Self {
            first_vertex: first_vertex.into(),
            first_triangle: first_triangle.into(),
            counts: [vertices, triangles, 0, 0],
        }
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
    /// Its corners. Low numbers are corners of the polygon, higher ones detail vertices.
    #[inline]
    pub fn corners(&self) -> [u16; 3] {
        let [a, b, c] = self.corners;
        [a.into(), b.into(), c.into()]
    }
    /// Its corners and its flags, as stored.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 4] {
        zerocopy::transmute!(*self)
    }
    /// Two bits per edge; 1 means that the edge lies on the polygon's boundary.
    #[inline]
    pub fn flags(&self) -> u16 {
        self.flags.into()
    }
}

impl BvNode {
    /// A node.
    pub fn new(min: [u16; 3], max: [u16; 3], index: i32) -> Self {
        Self { min: min.store(), max: max.store(), index: index.into() }
    }
}

impl OffMesh {
    /// A connection. `side` is 0xFF if it ends in its own tile, otherwise the direction of the target tile.
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
    /// The same connection with another polygon that stands for it.
    #[must_use]
    pub fn of_polygon(self, polygon: u16) -> Self {
        Self { polygon: polygon.into(), ..self }
    }
    /// The same connection with its end over another side of its tile; 0xFF is inside the tile.
    #[must_use]
    pub fn over_side(self, side: u8) -> Self {
        Self { side, ..self }
    }
    /// The same connection between other points.
    #[must_use]
    pub fn between(self, [start, end]: [[f32; 3]; 2]) -> Self {
        Self { start: start.into(), end: end.into(), ..self }
    }
    /// The same connection with another radius.
    #[must_use]
    pub fn within(self, radius: f32) -> Self {
        Self { radius: radius.into(), ..self }
    }
    /// The same connection leading both ways, or one. Its other flags stay.
    #[must_use]
    pub fn leading(self, both_ways: bool) -> Self {
        Self { flags: self.flags & !1 | u8::from(both_ways), ..self }
    }
    /// The same connection with another number of its author.
    #[must_use]
    pub fn of_user(self, user_id: u32) -> Self {
        Self { user_id: user_id.into(), ..self }
    }
    /// Whether it leads both ways.
    #[inline]
    pub fn both_ways(&self) -> bool {
        self.flags & 1 != 0
    }
    /// The direction of the tile that it ends in; `None` for its own tile.
    #[inline]
    pub fn side(&self) -> Option<u8> {
        Some(self.side).filter(|side| *side != 0xFF)
    }
}

impl LayerHead {
    /// The magic of a layer.
    pub const MAGIC: [u8; 4] = *b"RLTD";

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
    /// The side and height of a cell.
    #[inline]
    pub fn cell(&self) -> [f32; 2] {
        [self.cell.get(), self.cell_height.get()]
    }
    /// Height, radius and climb of the agent.
    #[inline]
    pub fn agent(&self) -> [f32; 3] {
        [self.agent_height.get(), self.agent_radius.get(), self.agent_climb.get()]
    }
}

impl MapTileHead {
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
}
