//! Parts of a tile that commands change, and where they are in one that was opened.

use crate::buf::{ConnectionsBuf, PolygonsBuf, TileBuf};
use crate::record::{OffMesh, Polygon, RespawnOffMesh};

/// What may change of a ground polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ground {
    pub(super) area: u8,
    pub(super) flags: u32,
    pub(super) used: bool,
}

/// An off-mesh connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Jump {
    /// The tile that it starts in, which stores it.
    pub(super) tile: u32,
    pub(super) record: OffMesh,
    pub(super) area: u8,
    pub(super) flags: u32,
    pub(super) used: bool,
}

/// The polygon of an index, of any version.
pub(super) fn polygon(tile: &TileBuf, index: usize) -> Option<Polygon<'_>> {
    match &tile.polygons {
        PolygonsBuf::Stock(list) => list.get(index).map(Polygon::from),
        PolygonsBuf::Respawn(list) => list.get(index).map(|poly| Polygon::from(poly.poly())),
        PolygonsBuf::Unity(list) => list.get(index).map(Polygon::from),
    }
}

/// The number of ground polygons of a tile.
pub(super) fn ground(tile: &TileBuf) -> usize {
    (tile.head.off_mesh_base as usize).min(tile.polygons.len())
}

/// The connections of a tile, each with the area and flags of its polygon.
pub(super) fn connections(tile: &TileBuf, number: u32) -> impl Iterator<Item = Jump> + '_ {
    let (stock, respawn): (&[OffMesh], &[RespawnOffMesh]) = match &tile.off_mesh {
        ConnectionsBuf::Stock(list) => (list, &[]),
        ConnectionsBuf::Respawn(list) => (&[], list),
    };
    let all = stock.iter().chain(respawn.iter().map(|row| row.connection()));
    all.enumerate().map(move |(index, record)| {
        let stands = polygon(tile, ground(tile).saturating_add(index));
        let (area, flags) = stands.map_or((0, 0), |polygon| (polygon.area(), polygon.flags()));
        Jump { tile: number, record: *record, area, flags, used: true }
    })
}
