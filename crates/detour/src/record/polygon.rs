//! Polygons of every version, as one.

use super::{Poly, RespawnPoly, UnityPoly};
use navmap_core::format::Store;
use zerocopy::byteorder::little_endian::U16;

impl Poly {
    /// The neighbour of an edge that is a wall.
    pub const WALL: u16 = 0;
    /// The bit that marks a portal to another tile; the low byte is the side of the tile.
    pub const PORTAL: u16 = 0x8000;

    /// A polygon. `corners` and `neighbours` have one entry per edge; unused ones are 0.
    pub fn new(
        corners: [u16; 6],
        neighbours: [u16; 6],
        corner_count: u8,
        flags: u16,
        area: u8,
        kind: u8,
    ) -> Self {
        Self {
            first_link: 0xFFFF_FFFF.into(),
            corners: corners.store(),
            neighbours: neighbours.store(),
            flags: flags.into(),
            corner_count,
            area_and_kind: (area & 0x3F) | (kind << 6),
        }
    }
}

impl Poly {
    /// Gives it another area; of the number, the low six bits.
    pub fn set_area(&mut self, area: u8) {
        self.area_and_kind = (self.area_and_kind & 0xC0) | (area & 0x3F);
    }
    /// Gives it other flags.
    pub fn set_flags(&mut self, flags: u16) {
        self.flags = flags.into();
    }
}

impl RespawnPoly {
    /// The part that version 7 has too, to be changed.
    pub fn poly_mut(&mut self) -> &mut Poly {
        &mut self.poly
    }
}

impl UnityPoly {
    /// Gives it another area.
    pub fn set_area(&mut self, area: u8) {
        self.area = area;
    }
    /// Gives it other flags.
    pub fn set_flags(&mut self, flags: u32) {
        self.flags = flags.into();
    }
}

/// A polygon of any version. It borrows corners and neighbours from the record.
#[derive(Debug, Clone, Copy)]
pub struct Polygon<'a> {
    corners: &'a [U16; 6],
    neighbours: &'a [U16; 6],
    count: u8,
    area: u8,
    kind: u8,
    flags: u32,
}

impl<'a> Polygon<'a> {
    /// The claimed number of corners: 3 to 6, or 2 for an off-mesh connection.
    #[inline]
    pub fn corner_count(&self) -> u8 {
        self.count
    }
    /// Its corners, as indices of vertices, in order. A count over 6 (an error in `check`) is cut to 6.
    #[inline]
    pub fn corners(&self) -> &'a [U16] {
        self.corners.get(..usize::from(self.count)).unwrap_or(self.corners)
    }
    /// The neighbour over each edge; edge `i` runs from corner `i` to the next one.
    #[inline]
    pub fn neighbours(&self) -> &'a [U16] {
        self.neighbours.get(..usize::from(self.count)).unwrap_or(self.neighbours)
    }
    /// All six slots of corners and of neighbours.
    #[inline]
    pub fn slots(&self) -> (&'a [U16; 6], &'a [U16; 6]) {
        (self.corners, self.neighbours)
    }
    /// What adjoins an edge.
    #[inline]
    pub fn across(&self, edge: usize) -> Option<Across> {
        self.neighbours().get(edge).map(|neighbour| Across::decode(neighbour.get()))
    }
    /// The area: a number of the project's own, up to 63.
    #[inline]
    pub fn area(&self) -> u8 {
        self.area
    }
    /// Flags, of the project's own.
    #[inline]
    pub fn flags(&self) -> u32 {
        self.flags
    }
    /// 0 for ground, 1 for an off-mesh connection; 2 and 3 mean nothing.
    #[inline]
    pub fn kind(&self) -> u8 {
        self.kind
    }
    /// Whether it stands for an off-mesh connection.
    #[inline]
    pub fn is_off_mesh(&self) -> bool {
        self.kind == 1
    }
}

/// What adjoins an edge of a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Across {
    /// Nothing: the edge of the mesh.
    Wall,
    /// A polygon of the same tile.
    Inner(u16),
    /// Another tile, or another layer, over this side of the tile: 0 is +x, 2 +z, 4 -x, 6 -z.
    Portal(u8),
}

impl Across {
    /// Decodes a stored neighbour.
    #[inline]
    pub fn decode(stored: u16) -> Self {
        match stored {
            Poly::WALL => Self::Wall,
            _ if stored & Poly::PORTAL != 0 => Self::Portal(stored.to_le_bytes()[0]),
            _ => Self::Inner(stored.wrapping_sub(1)),
        }
    }
}

impl<'a> From<&'a Poly> for Polygon<'a> {
    #[inline]
    fn from(poly: &'a Poly) -> Self {
        Self {
            corners: &poly.corners,
            neighbours: &poly.neighbours,
            count: poly.corner_count,
            area: poly.area_and_kind & 0x3F,
            kind: poly.area_and_kind >> 6,
            flags: poly.flags.get().into(),
        }
    }
}

impl<'a> From<&'a UnityPoly> for Polygon<'a> {
    #[inline]
    fn from(poly: &'a UnityPoly) -> Self {
        Self {
            corners: &poly.corners,
            neighbours: &poly.neighbours,
            count: poly.corner_count,
            area: poly.area,
            kind: 0,
            flags: poly.flags.get(),
        }
    }
}
