//! The file: header, shared polygons, and what follows the areas.

#![forbid(unsafe_code)]

use super::area::PolygonAreas;
use super::kv3::Kv3Block;
use super::params::GenerationParameters;
use super::record::{Ladder2, UnknownBox};
use crate::bytes::Cursor;
use crate::counts::Counts;
use crate::error::{Error, ErrorKind, Result};
use crate::format::file::Summary;
use crate::format::source::record::{Ladder, Vec3};
use crate::format::source::view;
use crate::limits::Limits;
use std::iter::FusedIterator;
use zerocopy::byteorder::little_endian::{F32, U32};

pub(super) const FORMAT: &str = "Source 2 navigation mesh";

/// A mesh of Source 2, versions 30 to 36, in place.
///
/// Opening passes over the polygons once and keeps four bytes for each, since an area refers to its polygon by number;
/// nothing else is allocated. Version 36 costs one walk over the areas.
#[derive(Clone, Debug)]
pub struct Source2Nav<'a> {
    bytes: &'a [u8],
    version: u32,
    subversion: u32,
    flags: u32,
    first_block: Option<Kv3Block<'a>>,
    vertices: &'a [Vec3],
    polygons: Vec<u32>,
    unknown_after_polygons: Option<u32>,
    movable_meshes: MovableMeshes<'a>,
    second_block: Option<Kv3Block<'a>>,
    area_count: u32,
    areas_offset: u32,
}

impl<'a> Source2Nav<'a> {
    /// Opens a mesh of version 30 to 36.
    ///
    /// # Errors
    /// [`ErrorKind::NotMesh`] for other bytes, [`ErrorKind::Version`] for a version that is not readable (of 36 also
    /// where its blocks cannot be passed over), and the first place at which the part before the areas cannot be read.
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
                why: "the layout, which is inferred, does not end where the file ends",
            })),
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
            polygons = offsets(cursor, version)?;
        }
        let unknown_after_polygons =
            (version >= 32).then(|| cursor.u32("number after the polygons")).transpose()?;
        let movable_meshes = if version >= 35 { MovableMeshes::read(cursor)? } else { Default::default() };
        let second_block = block(cursor)?;
        let area_count = cursor.u32("area count")?;
        Ok(Self {
            bytes,
            version,
            subversion,
            flags,
            first_block,
            vertices,
            polygons,
            unknown_after_polygons,
            movable_meshes,
            second_block,
            area_count,
            areas_offset: cursor.offset() as u32,
        })
    }

    /// The whole file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Version of the format, 30 to 36.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The game's own version; above 0 the game's data end the file.
    pub fn subversion(&self) -> u32 {
        self.subversion
    }

    /// Flags of the file: bit 0 is "analysed"; `0x01000000`, of unknown meaning, is set in all 6 files.
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// The game, as far as the version tells.
    pub fn game(&self) -> Option<&'static str> {
        view::game(self.version, Some(self.subversion))
    }

    /// The KV3 block before the vertices. Version 36.
    pub fn first_block(&self) -> Option<Kv3Block<'a>> {
        self.first_block
    }

    /// The vertices that polygons share. Version 31 and later.
    pub fn vertices(&self) -> &'a [Vec3] {
        self.vertices
    }

    /// Number of polygons. Version 31 and later.
    pub fn polygon_count(&self) -> usize {
        self.polygons.len()
    }

    /// A polygon by its number, from 0. Constant time.
    #[inline]
    pub fn polygon(&self, index: u32) -> Option<Polygon<'a>> {
        let at = *self.polygons.get(index as usize)?;
        Polygon::read(&mut Cursor::new(self.bytes.get(at as usize..)?, u64::from(at)), self.version).ok()
    }

    /// The polygons in order.
    pub fn polygons(&self) -> impl Iterator<Item = Polygon<'a>> + '_ {
        (0..self.polygons.len() as u32).filter_map(|index| self.polygon(index))
    }

    /// The number after the polygons: 0 in every file. Version 32 and later.
    pub fn unknown_after_polygons(&self) -> Option<u32> {
        self.unknown_after_polygons
    }

    /// The meshes that move. Version 35 and later; none in any file.
    pub fn movable_meshes(&self) -> MovableMeshes<'a> {
        self.movable_meshes
    }

    /// The KV3 block before the areas. Version 36.
    pub fn second_block(&self) -> Option<Kv3Block<'a>> {
        self.second_block
    }

    /// Number of areas, as the file claims.
    pub fn area_count(&self) -> u32 {
        self.area_count
    }

    /// Where the first area begins.
    pub fn areas_offset(&self) -> u32 {
        self.areas_offset
    }

    /// The areas, walked one after the other.
    pub fn areas(&self) -> PolygonAreas<'_, 'a> {
        PolygonAreas::new(self)
    }

    /// What follows the areas. Walks over all of them; use [`PolygonAreas::finish`] to walk only once.
    ///
    /// # Errors
    /// The first place at which the file cannot be read on.
    pub fn after_areas(&self) -> Result<AfterPolygonAreas<'a>> {
        self.areas().finish()
    }

    pub(super) fn summarize(&self) -> Summary {
        let mut counts = Counts::default();
        counts.add("areas", u64::from(self.area_count));
        view::summary(self.version, Some(self.subversion), counts)
    }
}

/// What the first page tells: not the area count, which stands behind the polygons, except in version 30.
pub(in crate::format::source) fn head(cursor: &mut Cursor<'_>, version: u32) -> Result<Counts> {
    let mut counts = Counts::default();
    if version == 30 {
        cursor.u32("flags")?;
        counts.add("areas", u64::from(cursor.u32("area count")?));
    }
    Ok(counts)
}

fn version(cursor: &mut Cursor<'_>) -> Result<(u32, u32)> {
    let (version, subversion) = view::version(cursor)?;
    let Some(subversion) = subversion.filter(|_| (30..=36).contains(&version)) else {
        let why = match version {
            1..=16 => "a mesh of GoldSrc or Source, which SourceNav reads",
            _ => "no known game writes it",
        };
        return Err(Error::new(ErrorKind::Version { format: FORMAT, found: version, subversion, why }).at(4));
    };
    Ok((version, subversion))
}

/// Where every polygon begins.
fn offsets(cursor: &mut Cursor<'_>, version: u32) -> Result<Vec<u32>> {
    const WHAT: &str = "polygons";
    let count = cursor.u32(WHAT)?;
    let least = if version >= 35 { 5 } else { 1 };
    if u64::from(count).saturating_mul(least) > cursor.left() as u64 {
        return Err(cursor.overclaim(WHAT, u64::from(count)));
    }
    let fit = cursor.left().wrapping_div(13);
    let mut offsets = Vec::with_capacity(fit.min(count as usize));
    for index in 0..count {
        offsets.push(cursor.offset() as u32);
        Polygon::read(cursor, version).map_err(|error| error.in_record("polygon", u64::from(index)))?;
    }
    Ok(offsets)
}

/// A polygon: numbers of shared vertices, in order around it.
#[derive(Clone, Copy, Debug)]
pub struct Polygon<'a> {
    vertices: &'a [U32],
    movable_mesh: Option<u32>,
}

impl<'a> Polygon<'a> {
    #[inline]
    fn read(cursor: &mut Cursor<'a>, version: u32) -> Result<Self> {
        let vertices = cursor.list8("vertices of a polygon")?;
        let movable_mesh = if version >= 35 { Some(cursor.u32("movable mesh")?) } else { None };
        Ok(Self { vertices, movable_mesh })
    }

    /// Numbers of its vertices; edge *i* goes from corner *i* to corner *i + 1*.
    #[inline]
    pub fn vertices(&self) -> &'a [U32] {
        self.vertices
    }

    /// The movable mesh it belongs to; `None` for a polygon that does not move. Version 35 and later.
    pub fn movable_mesh(&self) -> Option<u32> {
        self.movable_mesh.filter(|index| *index != u32::MAX)
    }
}

/// The meshes that move, walked one after the other.
#[derive(Clone, Copy, Debug)]
pub struct MovableMeshes<'a> {
    cursor: Cursor<'a>,
    left: u32,
}

/// A mesh that moves: its name and 48 bytes, probably three rows of four numbers.
#[derive(Clone, Copy, Debug)]
pub struct MovableMesh<'a> {
    name: &'a [u8],
    matrix: &'a [F32; 12],
}

impl<'a> MovableMesh<'a> {
    /// Its name.
    pub fn name(&self) -> &'a [u8] {
        self.name
    }

    /// The twelve numbers.
    pub fn matrix(&self) -> [f32; 12] {
        self.matrix.map(F32::get)
    }

    fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let name = cursor.text(usize::from(u16::MAX), "name of a movable mesh")?;
        Ok(Self { name, matrix: cursor.record("matrix")? })
    }
}

impl Default for MovableMeshes<'_> {
    fn default() -> Self {
        Self { cursor: Cursor::new(&[], 0), left: 0 }
    }
}

impl<'a> MovableMeshes<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        const WHAT: &str = "movable meshes";
        let count = cursor.u32(WHAT)?;
        if u64::from(count).saturating_mul(49) > cursor.left() as u64 {
            return Err(cursor.overclaim(WHAT, u64::from(count)));
        }
        let this = Self { cursor: *cursor, left: count };
        for index in 0..count {
            MovableMesh::read(cursor).map_err(|error| error.in_record("movable mesh", u64::from(index)))?;
        }
        Ok(this)
    }
}

impl<'a> Iterator for MovableMeshes<'a> {
    type Item = MovableMesh<'a>;

    fn next(&mut self) -> Option<MovableMesh<'a>> {
        self.left = self.left.checked_sub(1)?;
        MovableMesh::read(&mut self.cursor).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left as usize))
    }
}

impl FusedIterator for MovableMeshes<'_> {}

/// What follows the areas.
#[derive(Clone, Copy, Debug)]
pub struct AfterPolygonAreas<'a> {
    offset: u32,
    ladders: &'a [Ladder],
    wide_ladders: &'a [Ladder2],
    boxes: &'a [UnknownBox],
    parameters: GenerationParameters<'a>,
    third_block: Option<Kv3Block<'a>>,
    game_data: Option<Kv3Block<'a>>,
    trailing: &'a [u8],
    trailing_offset: u32,
}

impl<'a> AfterPolygonAreas<'a> {
    pub(super) fn read(nav: &Source2Nav<'a>, at: u64) -> Result<Self> {
        let mut cursor = Cursor::new(nav.bytes.get(at as usize..).unwrap_or_default(), at);
        let cursor = &mut cursor;
        let (mut ladders, mut wide_ladders): (&[Ladder], &[Ladder2]) = (&[], &[]);
        match nav.version {
            ..35 => ladders = cursor.list32("ladders")?,
            35.. => wide_ladders = cursor.list32("ladders")?,
        }
        let boxes = cursor.list32("boxes")?;
        let parameters = GenerationParameters::read(cursor)?;
        let third_block = (nav.version >= 36).then(|| Kv3Block::read(cursor)).transpose()?;
        let game_data = (nav.subversion > 0).then(|| Kv3Block::rest(cursor)).transpose()?;
        Ok(Self {
            offset: at as u32,
            ladders,
            wide_ladders,
            boxes,
            parameters,
            third_block,
            game_data,
            trailing: cursor.rest(),
            trailing_offset: cursor.offset() as u32,
        })
    }

    /// First byte after the last area.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// The ladders, before version 35.
    pub fn ladders(&self) -> &'a [Ladder] {
        self.ladders
    }

    /// The ladders, from version 35.
    pub fn wide_ladders(&self) -> &'a [Ladder2] {
        self.wide_ladders
    }

    /// Every ladder by what all versions have.
    pub fn all_ladders(&self) -> impl Iterator<Item = &'a Ladder> + use<'a> {
        self.ladders.iter().chain(self.wide_ladders.iter().map(Ladder2::ladder))
    }

    /// Boxes of unknown purpose.
    pub fn unknown_boxes(&self) -> &'a [UnknownBox] {
        self.boxes
    }

    /// What the mesh was generated with.
    pub fn parameters(&self) -> &GenerationParameters<'a> {
        &self.parameters
    }

    /// The KV3 block after the parameters. Version 36.
    pub fn third_block(&self) -> Option<Kv3Block<'a>> {
        self.third_block
    }

    /// The game's data, up to the end of the file; with a sub-version above 0.
    pub fn game_data(&self) -> Option<Kv3Block<'a>> {
        self.game_data
    }

    /// Bytes after the end: none in any real file.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }

    /// Where the mesh ends, and [`trailing`](Self::trailing) begins.
    pub fn trailing_offset(&self) -> u32 {
        self.trailing_offset
    }
}
