//! A Source 2 mesh that owns its memory. Known parts can be changed; everything else is kept byte for byte.

use super::after::AfterPolygonAreas;
use super::area::PolygonArea;
use super::kv3::Kv3Block;
use super::layout::Polygon;
use super::record::{EdgeLink, WideLadder};
use super::view::Source2Nav;
use crate::flags::Source2Attributes;
use crate::record::{AreaId, Ladder, LadderId, Vec3};
use navmap_core::error::Result;
use zerocopy::byteorder::little_endian::{F32, U32};

/// A mesh of version 30 to 36 that owns its memory. [`encode`](Self::encode) writes it. If nothing was changed, it
/// writes the bytes that were read.
///
/// Corners, attributes, connections and ladders can be changed. Generation parameters and the blocks of the game stay as they
/// are, since they are not known well enough to write them anew.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Source2Buf {
    /// The corners that polygons share, in units. Version 31 and later.
    pub vertices: Vec<Vec3>,
    /// The polygons, which areas name by number. Version 31 and later.
    pub polygons: Vec<PolygonBuf>,
    /// The areas in file order. If the game keeps data of its own about them, none can be added or removed.
    pub areas: Vec<PolygonAreaBuf>,
    /// The ladders in file order. Before version 35 the areas to the left and right at the bottom are not stored.
    pub ladders: Vec<WideLadder>,
    pub(super) version: u32,
    /// Up to the vertex count; in version 30, up to the area count. In version 36 the first block of the game ends it.
    pub(super) head: Vec<u8>,
    /// From behind the polygons to the second block of the game or the area count.
    pub(super) middle: Vec<u8>,
    /// Before the areas. Version 36.
    pub(super) second: Option<Block>,
    /// Boxes and generation parameters.
    pub(super) after: Vec<u8>,
    /// The blocks of the game behind the parameters.
    pub(super) blocks: Vec<Block>,
    pub(super) trailing: Vec<u8>,
    /// Ids of the areas as they were read.
    pub(super) ids: Vec<AreaId>,
}

/// A block of the game: the bytes before it up to a multiple of 8, and its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) padding: Vec<u8>,
    pub(super) bytes: Vec<u8>,
}

impl From<Kv3Block<'_>> for Block {
    fn from(block: Kv3Block<'_>) -> Self {
        Self { padding: block.padding().to_vec(), bytes: block.bytes().to_vec() }
    }
}

/// A polygon of a [`Source2Buf`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolygonBuf {
    /// Numbers of shared vertices, in order around it. The format counts to 255.
    pub vertices: Vec<U32>,
    /// The movable mesh that it belongs to, `0xFFFFFFFF` for none. Stored from version 35 on.
    pub movable_mesh: u32,
}

impl From<Polygon<'_>> for PolygonBuf {
    fn from(polygon: Polygon<'_>) -> Self {
        Self {
            vertices: polygon.vertices().to_vec(),
            movable_mesh: polygon.movable_mesh().unwrap_or(u32::MAX),
        }
    }
}

/// The corners of an area of a [`Source2Buf`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outline {
    /// Corners of its own, in units. Version 30.
    Own(Vec<Vec3>),
    /// The number of a polygon. Version 31 and later.
    Shared(u32),
}

/// An area of a [`Source2Buf`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PolygonAreaBuf {
    /// Attributes.
    pub attributes: Source2Attributes,
    /// Its corners.
    pub outline: Outline,
    /// Connections by edge: as many lists as there are corners.
    pub edges: Vec<Vec<EdgeLink>>,
    /// Ladders that one can climb from here.
    pub ladders_above: Vec<LadderId>,
    /// Ladders that one can climb down from here.
    pub ladders_below: Vec<LadderId>,
    pub(super) id: AreaId,
    pub(super) hull: u8,
    /// The number after the polygon.
    pub(super) unknown: F32,
}

impl PolygonAreaBuf {
    /// Its id.
    pub fn id(&self) -> AreaId {
        self.id
    }

    /// Number of the hull that may walk here.
    pub fn hull(&self) -> u8 {
        self.hull
    }
}

impl From<&PolygonArea<'_>> for PolygonAreaBuf {
    fn from(area: &PolygonArea<'_>) -> Self {
        let own = || area.own_corners().to_vec();
        Self {
            attributes: area.attributes(),
            outline: area.polygon().map_or_else(|| Outline::Own(own()), Outline::Shared),
            edges: area.edges().map(<[EdgeLink]>::to_vec).collect(),
            ladders_above: area.ladders_above().to_vec(),
            ladders_below: area.ladders_below().to_vec(),
            id: area.id(),
            hull: area.hull(),
            unknown: area.unknown_stored(),
        }
    }
}

impl Source2Buf {
    /// Copies a mesh, in one walk.
    ///
    /// # Errors
    /// If the file is damaged, the first place at which it cannot be read on.
    pub fn read(nav: &Source2Nav<'_>) -> Result<Self> {
        let mut walk = nav.areas();
        let mut areas = Vec::new();
        for area in walk.by_ref() {
            areas.push(PolygonAreaBuf::from(&area?));
        }
        let after = walk.finish()?;
        let blocks: Vec<Kv3Block<'_>> = after.third_block().into_iter().chain(after.game_data()).collect();
        let piece =
            |from: u32, to: u32| nav.bytes().get(from as usize..to as usize).unwrap_or_default().to_vec();
        let end = blocks.first().map_or(after.trailing_offset(), Kv3Block::padding_offset);
        // The count stands before the first area.
        let start = nav.areas_offset().saturating_sub(4);
        let [pool, behind] = nav.pool().unwrap_or([start, start]);
        Ok(Self {
            vertices: nav.vertices().to_vec(),
            polygons: nav.polygons().map(PolygonBuf::from).collect(),
            ids: areas.iter().map(|area| area.id).collect(),
            areas,
            ladders: ladders(&after),
            version: nav.version(),
            head: piece(0, pool),
            middle: piece(behind, nav.second_block().map_or(start, |block| block.padding_offset())),
            second: nav.second_block().map(Block::from),
            after: piece(after.ladders_end(), end),
            blocks: blocks.into_iter().map(Block::from).collect(),
            trailing: after.trailing().to_vec(),
        })
    }

    /// Bytes of the blocks in which the game keeps data of its own; 0 if there are none.
    pub fn game_bytes(&self) -> usize {
        let blocks = self.second.iter().chain(&self.blocks);
        blocks.fold(0, |sum, block| sum.saturating_add(block.bytes.len()))
    }

    /// The movable mesh that an area belongs to.
    pub fn movable_mesh(&self, area: &PolygonAreaBuf) -> Option<u32> {
        let Outline::Shared(number) = area.outline else { return None };
        let polygon = self.polygons.get(number as usize)?;
        Some(polygon.movable_mesh).filter(|mesh| *mesh != u32::MAX)
    }
}

fn ladders(after: &AfterPolygonAreas<'_>) -> Vec<WideLadder> {
    let narrow = after.ladders().iter().map(|ladder: &Ladder| WideLadder::new(*ladder));
    narrow.chain(after.wide_ladders().iter().copied()).collect()
}
