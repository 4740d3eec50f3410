//! Where the parts of a Source 2 mesh lie, and the parts that areas refer to: shared vertices, polygons, moving meshes.

use crate::record::Vec3;
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;
use navmap_core::format::Stored;
use std::iter::FusedIterator;
use zerocopy::FromBytes;
use zerocopy::byteorder::little_endian::{F32, U32};

/// What is needed to read the areas of a mesh and what follows them.
#[derive(Clone, Debug)]
pub(super) struct Layout<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) version: u32,
    pub(super) subversion: u32,
    pub(super) vertices: &'a [Vec3],
    /// Where every polygon begins.
    pub(super) polygons: Vec<u32>,
    pub(super) area_count: u32,
    pub(super) areas_offset: u32,
}

impl<'a> Layout<'a> {
    /// A polygon by its number, from 0. Constant time.
    #[inline]
    pub(super) fn polygon(&self, index: u32) -> Option<Polygon<'a>> {
        let at = *self.polygons.get(index as usize)?;
        Polygon::read(&mut Cursor::new(self.bytes.get(at as usize..)?, u64::from(at)), self.version).ok()
    }

    /// The numbers of a polygon's vertices, by the number of the polygon.
    #[inline]
    pub(super) fn corners(&self, polygon: u32) -> Option<&'a [U32]> {
        let at = *self.polygons.get(polygon as usize)?;
        let (count, rest) = self.bytes.get(at as usize..)?.split_first()?;
        let (numbers, _) = <[U32]>::ref_from_prefix_with_elems(rest, usize::from(*count)).ok()?;
        Some(numbers)
    }
}

/// Where every polygon begins.
pub(super) fn polygon_offsets(cursor: &mut Cursor<'_>, version: u32) -> Result<Vec<u32>> {
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

    /// Numbers of its vertices. Edge *i* goes from corner *i* to corner *i + 1*.
    #[inline]
    pub fn vertices(&self) -> &'a [U32] {
        self.vertices
    }

    /// The movable mesh it belongs to; `None` for a polygon that does not move. Version 35 and later.
    #[inline]
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
        Stored::value(self.matrix)
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
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
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
