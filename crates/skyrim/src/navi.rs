//! The navmesh info map: the `NAVI` record's facts about every mesh (`docs/formats/skyrim.md`, section 5).

use super::fields::{Field, Fields, exactly};
use super::form::{FormId, Tag};
use super::record::{
    Door, IslandBounds, IslandTriangle, MapHead, PathMarker, PathingCell, Traversal, Vertex,
};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use std::iter::FusedIterator;
use zerocopy::byteorder::little_endian::U32;

/// The small geometry that the entry of an island carries.
#[derive(Debug, Clone, Copy)]
pub struct Island<'a> {
    /// Its bounds.
    pub bounds: &'a IslandBounds,
    /// Its triangles.
    pub triangles: &'a [IslandTriangle],
    /// Their vertices.
    pub vertices: &'a [Vertex],
}

/// One entry of the map (`NVMI`), in place: what the path search knows about a mesh without loading it.
#[derive(Debug, Clone, Copy)]
pub struct MapEntry<'a> {
    /// Mesh, flags, center.
    pub head: &'a MapHead,
    /// Meshes that edge links lead to.
    pub links: &'a [FormId],
    /// Meshes that edge links lead to with both sides preferred. Together with [`links`](Self::links) they are all the
    /// link targets.
    pub preferred_links: &'a [FormId],
    /// Doors on the mesh.
    pub doors: &'a [Door],
    /// Traversals: Starfield only.
    pub traversals: &'a [Traversal],
    /// Geometry of an island, present if and only if the flag says so.
    pub island: Option<Island<'a>>,
    /// Cell or worldspace and grid, as in the mesh.
    pub pathing_cell: &'a PathingCell,
    /// A byte and a list of unknown meaning. Starfield only.
    pub unknown_tail: Option<(u8, &'a [U32])>,
    /// Where the entry begins.
    pub offset: u64,
}

impl<'a> MapEntry<'a> {
    /// Reads the payload of an `NVMI` field, in a map of this version, to its last byte.
    ///
    /// # Errors
    /// If the bytes end too early or some are left over.
    pub fn parse(data: &'a [u8], offset: u64, version: u32) -> Result<Self> {
        let mut at = Cursor::new(data, offset);
        let head = at.record("map entry")?;
        let links = at.list32("linked meshes")?;
        let preferred_links = at.list32("preferred linked meshes")?;
        let doors = at.list32("doors")?;
        let starfield = version > 15;
        let traversals = if starfield { at.list32("traversals")? } else { &[] };
        let island = match at.u8("island mark")? {
            0 => None,
            _ => Some(Island {
                bounds: at.record("island bounds")?,
                triangles: at.list32("island triangles")?,
                vertices: at.list32("island vertices")?,
            }),
        };
        let pathing_cell = at.record("owner")?;
        let unknown_tail = if starfield {
            Some((at.u8("tail of map entry")?, at.list32("tail of map entry")?))
        } else {
            None
        };
        at.finish()?;
        Ok(Self {
            head,
            links,
            preferred_links,
            doors,
            traversals,
            island,
            pathing_cell,
            unknown_tail,
            offset,
        })
    }
}

/// The navmesh info map of a plugin, in place over the fields of its `NAVI` record.
///
/// Confirmed by reading 2,232 real entries to the last byte (`docs/formats/skyrim.md`, section 5). Fallout 3 and New Vegas have
/// other entries: [`entries`](Self::entries) yields none there, and [`other_fields`](Self::other_fields) gives the raw fields.
#[derive(Debug, Clone)]
pub struct NavMap<'a> {
    version: u32,
    fields: Fields<'a>,
}

impl<'a> NavMap<'a> {
    /// Reads the fields of a `NAVI` record up to its version. Entries are walked lazily.
    ///
    /// # Errors
    /// If there is no `NVER` field, or a field before it cannot be read.
    pub fn parse(fields: Fields<'a>) -> Result<Self> {
        let Some(field) = fields.clone().find_tag(Tag(*b"NVER"))? else {
            return Err(Error::invalid("NAVI", "has no NVER field").at(fields.offset()));
        };
        let version = exactly::<U32>(&field, "NVER")?.get();
        Ok(Self { version, fields })
    }

    /// Version: 12 Skyrim, 15 Fallout 4, 17 Starfield, 11 Fallout 3.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Whether entries of meshes of this version are laid out as its own.
    pub(super) fn fits(&self, version: u32) -> bool {
        self.version >= 12 && (self.version > 15) == (version > 15)
    }

    /// All entries, in file order. Of several entries of one mesh the game uses the last. An entry that cannot be read yields an
    /// error, and the walk continues.
    pub fn entries(&self) -> MapEntries<'a> {
        let fields = if self.version < 12 { Fields::new(&[], 0) } else { self.fields.clone() };
        MapEntries { fields, version: self.version }
    }

    /// The table of preferred paths (`NVPP`), if there is one.
    ///
    /// # Errors
    /// If a field before it, or the table itself, cannot be read.
    pub fn preferred_paths(&self) -> Result<Option<PreferredPaths<'a>>> {
        self.fields.clone().find_tag(Tag(*b"NVPP"))?.map(PreferredPaths::parse).transpose()
    }

    /// The deleted meshes (`NVSI`); empty if the field is missing.
    ///
    /// # Errors
    /// If a field before it, or the list itself, cannot be read.
    pub fn deleted(&self) -> Result<&'a [FormId]> {
        let Some(field) = self.fields.clone().find_tag(Tag(*b"NVSI"))? else { return Ok(&[]) };
        let mut at = Cursor::new(field.data, field.offset);
        let list = at.slice(at.left().div_euclid(size_of::<FormId>()), "deleted meshes")?;
        at.finish()?;
        Ok(list)
    }

    /// The fields that no other method reads, raw: the editor id, and all fields of Fallout 3.
    pub fn other_fields(&self) -> impl Iterator<Item = Result<Field<'a>>> + use<'a> {
        let old = self.version < 12;
        self.fields.clone().filter(move |field| match field {
            Ok(field) => match &field.tag.0 {
                b"NVER" => false,
                b"NVMI" | b"NVPP" | b"NVSI" => old,
                _ => true,
            },
            Err(_) => true,
        })
    }
}

/// The entries of a [`NavMap`], in file order.
#[derive(Debug, Clone)]
pub struct MapEntries<'a> {
    fields: Fields<'a>,
    version: u32,
}

impl<'a> Iterator for MapEntries<'a> {
    type Item = Result<MapEntry<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.fields.find_tag(Tag(*b"NVMI")) {
            Ok(field) => {
                let field = field?;
                Some(MapEntry::parse(field.data, field.offset, self.version))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl FusedIterator for MapEntries<'_> {}

/// The table of preferred paths (`NVPP`): long routes as lists of meshes, then markers. Mods carry a copy of their
/// master's.
#[derive(Debug, Clone, Copy)]
pub struct PreferredPaths<'a> {
    paths: Cursor<'a>,
    count: u32,
    markers: &'a [PathMarker],
}

impl<'a> PreferredPaths<'a> {
    fn parse(field: Field<'a>) -> Result<Self> {
        let mut at = Cursor::new(field.data, field.offset);
        let count = at.u32("preferred paths")?;
        let paths = at;
        for _ in 0..count {
            at.list32::<FormId>("preferred path")?;
        }
        let markers = at.list32("path markers")?;
        at.finish()?;
        Ok(Self { paths, count, markers })
    }

    /// How many paths there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The meshes of every path, in file order.
    pub fn paths(&self) -> impl Iterator<Item = &'a [FormId]> + use<'a> {
        let mut at = self.paths;
        (0..self.count).map_while(move |_| at.list32("preferred path").ok())
    }

    /// The markers after the paths.
    pub fn markers(&self) -> &'a [PathMarker] {
        self.markers
    }
}
