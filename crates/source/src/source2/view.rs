//! The file: header, shared polygons, and what follows the areas.

use super::after::AfterPolygonAreas;
use super::iter::PolygonAreas;
use super::kv3::Kv3Block;
use super::layout::{Layout, MovableMeshes, Polygon, polygon_offsets};
use crate::header;
use crate::record::Vec3;
use navmap_core::Counts;
use navmap_core::Limits;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::Summary;

/// Magic, version, sub-version and flags.
const HEAD: u32 = 16;

pub(super) const FORMAT: &str = "Source 2 navigation mesh";

/// A mesh of Source 2, versions 30 to 36, in place.
///
/// An area refers to its polygon by number, so opening passes over the polygons once and keeps four bytes for each.
/// Nothing else is allocated. Version 36 costs one walk over the areas.
#[derive(Clone, Debug)]
pub struct Source2Nav<'a> {
    layout: Layout<'a>,
    flags: u32,
    first_block: Option<Kv3Block<'a>>,
    unknown_after_polygons: Option<u32>,
    movable_meshes: MovableMeshes<'a>,
    second_block: Option<Kv3Block<'a>>,
}

impl<'a> Source2Nav<'a> {
    /// Opens a mesh of version 30 to 36.
    ///
    /// # Errors
    /// [`ErrorKind::NotMesh`] for other bytes, [`ErrorKind::Version`] for a version that is not readable (or a 36 whose
    /// blocks cannot be passed over), and the first place at which the part before the areas cannot be read.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Limits::charge("size of a Source 2 mesh", bytes.len() as u64, u64::from(u32::MAX))?;
        let mut cursor = Cursor::new(bytes, 0);
        let (version, subversion) = version(&mut cursor)?;
        let nav = Self::read(bytes, cursor, version, subversion);
        if version < 36 {
            return nav;
        }
        match nav.and_then(|nav| nav.after_areas().map(|after| (nav, after.trailing().is_empty()))) {
            Ok((nav, true)) => Ok(nav),
            _ => Err(Error::new(ErrorKind::Version {
                format: FORMAT,
                found: version,
                subversion: Some(subversion),
                why: match version {
                    ..37 => "the layout, which is inferred, does not end where the file ends",
                    37.. => {
                        "no known game writes it, and the layout of version 36 does not end where the file ends"
                    }
                },
            })
            .at(4)),
        }
    }

    fn read(bytes: &'a [u8], mut cursor: Cursor<'a>, version: u32, subversion: u32) -> Result<Self> {
        let cursor = &mut cursor;
        let flags = cursor.u32("flags")?;
        let block = |cursor: &mut Cursor<'a>| (version >= 36).then(|| Kv3Block::read(cursor)).transpose();
        let first_block = block(cursor)?;
        let (mut vertices, mut polygons): (&[Vec3], _) = (&[], Vec::new());
        if version >= 31 {
            vertices = cursor.list32("vertices")?;
            polygons = polygon_offsets(cursor, version)?;
        }
        let unknown_after_polygons =
            (version >= 32).then(|| cursor.u32("number after the polygons")).transpose()?;
        let movable_meshes = if version >= 35 { MovableMeshes::read(cursor)? } else { Default::default() };
        let second_block = block(cursor)?;
        let area_count = cursor.u32("area count")?;
        let areas_offset = cursor.offset() as u32;
        let layout = Layout { bytes, version, subversion, vertices, polygons, area_count, areas_offset };
        Ok(Self { layout, flags, first_block, unknown_after_polygons, movable_meshes, second_block })
    }

    /// The whole file.
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        self.layout.bytes
    }

    /// Version of the format: 30 to 36, or an unknown one above.
    #[inline]
    pub fn version(&self) -> u32 {
        self.layout.version
    }

    /// The game's own version. If it is above 0, the game's data end the file.
    pub fn subversion(&self) -> u32 {
        self.layout.subversion
    }

    /// Flags of the file: bit 0 is "analyzed"; `0x01000000`, of unknown meaning, is set in all 6 files.
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// The game, as far as the version tells.
    pub fn game(&self) -> Option<&'static str> {
        header::game(self.layout.version, Some(self.layout.subversion))
    }

    /// The KV3 block before the vertices. Version 36.
    pub fn first_block(&self) -> Option<Kv3Block<'a>> {
        self.first_block
    }

    /// The vertices that polygons share. Version 31 and later.
    #[inline]
    pub fn vertices(&self) -> &'a [Vec3] {
        self.layout.vertices
    }

    /// Number of polygons. Version 31 and later.
    #[inline]
    pub fn polygon_count(&self) -> usize {
        self.layout.polygons.len()
    }

    /// A polygon by its number, from 0. Constant time.
    #[inline]
    pub fn polygon(&self, index: u32) -> Option<Polygon<'a>> {
        self.layout.polygon(index)
    }

    /// The polygons in order.
    pub fn polygons(&self) -> impl Iterator<Item = Polygon<'a>> + '_ {
        (0..self.layout.polygons.len() as u32).filter_map(|index| self.polygon(index))
    }

    /// Where the count of the vertices stands, and where the polygons end. Version 31 and later.
    pub(super) fn pool(&self) -> Option<[u32; 2]> {
        let start = self.first_block.map_or(HEAD, |block| block.end());
        let tail: u32 = if self.version() >= 35 { 4 } else { 0 };
        let polygon = |polygon: Polygon<'_>| {
            (size_of_val(polygon.vertices()) as u32).saturating_add(1).saturating_add(tail)
        };
        let counts = 8_u32.saturating_add(size_of_val(self.vertices()) as u32);
        let end = self.polygons().map(polygon).fold(start.saturating_add(counts), u32::saturating_add);
        (self.version() >= 31).then_some([start, end])
    }

    /// The number after the polygons: 0 in every file. Version 32 and later.
    pub fn unknown_after_polygons(&self) -> Option<u32> {
        self.unknown_after_polygons
    }

    /// The meshes that move. Version 35 and later; no file has any.
    pub fn movable_meshes(&self) -> MovableMeshes<'a> {
        self.movable_meshes
    }

    /// The KV3 block before the areas. Version 36.
    pub fn second_block(&self) -> Option<Kv3Block<'a>> {
        self.second_block
    }

    /// Number of areas, as the file claims.
    #[inline]
    pub fn area_count(&self) -> u32 {
        self.layout.area_count
    }

    /// Where the first area begins.
    #[inline]
    pub fn areas_offset(&self) -> u32 {
        self.layout.areas_offset
    }

    /// The areas, walked one after the other.
    #[inline]
    pub fn areas(&self) -> PolygonAreas<'_, 'a> {
        PolygonAreas::new(&self.layout)
    }

    /// What follows the areas. Walks over all of them; use [`PolygonAreas::finish`] to walk only once.
    ///
    /// # Errors
    /// If the file is damaged, the first place at which it cannot be read on.
    pub fn after_areas(&self) -> Result<AfterPolygonAreas<'a>> {
        self.areas().finish()
    }

    pub(super) fn layout(&self) -> &Layout<'a> {
        &self.layout
    }

    pub(super) fn summarize(&self) -> Summary {
        let mut counts = Counts::default();
        counts.add("areas", u64::from(self.layout.area_count));
        header::summary(self.layout.version, Some(self.layout.subversion), counts)
    }
}

fn version(cursor: &mut Cursor<'_>) -> Result<(u32, u32)> {
    let (version, subversion) = header::version(cursor)?;
    let Some(subversion) = subversion.filter(|_| version >= 30) else {
        let why = match version {
            0 => "there is no such version",
            _ => "a mesh of GoldSrc or Source, which SourceNav reads",
        };
        return Err(Error::new(ErrorKind::Version { format: FORMAT, found: version, subversion, why }).at(4));
    };
    Ok((version, subversion))
}

/// Reads what the first page tells. The area count is known in version 30 only: later it stands behind the polygons.
pub(crate) fn head(cursor: &mut Cursor<'_>, version: u32) -> Result<Counts> {
    let mut counts = Counts::default();
    if version == 30 {
        cursor.u32("flags")?;
        counts.add("areas", u64::from(cursor.u32("area count")?));
    }
    Ok(counts)
}
