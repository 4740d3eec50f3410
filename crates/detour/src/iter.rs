//! Walks over tiles and layers, and the index of the tiles.

use super::layout::{Dialect, Refs};
use super::record::LayerHead;
use super::tile::Tile;
use super::unity::{self, UnityMesh};
use super::view::{DetourNav, Head};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;
use navmap_core::id;
use std::iter::FusedIterator;

id! {
    /// The number of a tile in its file, from 0.
    TileIndex(u32);
}

/// A tile, and how its container lists it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TileEntry<'a> {
    /// The number of the tile in the file.
    pub index: TileIndex,
    /// The container's reference, as salt, tile and 0; 0 if it has none.
    pub reference: u64,
    /// The number of its mesh; 0 except in Unity's files.
    pub mesh: u32,
    /// The offset of its record; that of the tile if it has none.
    pub record: u64,
    /// The size that the container states, in bytes.
    pub size: u64,
    /// The padding of a record of a 64-bit set: garbage from the program that wrote it.
    pub padding: u32,
    /// The tile.
    pub tile: Tile<'a>,
}

/// A compressed layer of a tile cache.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Layer<'a> {
    /// Its number in the file.
    pub index: u32,
    /// Its reference in the cache.
    pub reference: u64,
    /// The byte at which its head begins.
    pub offset: u64,
    /// Its head.
    pub head: &'a LayerHead,
    /// Heights, areas and connections, compressed.
    pub packed: &'a [u8],
}

/// A lazy walk over the records of a container.
#[derive(Debug, Clone)]
struct Records<'a> {
    cursor: Cursor<'a>,
    head: Head,
    unity: &'a [UnityMesh],
    bytes: &'a [u8],
    next: u32,
    mesh: usize,
    tile: usize,
    done: bool,
}

/// One record: index, reference, mesh, byte of the record, and the bytes of the tile with their offset.
struct Record<'a> {
    index: u32,
    reference: u64,
    mesh: u32,
    at: u64,
    offset: u64,
    padding: u32,
    bytes: &'a [u8],
}

impl<'a> Records<'a> {
    fn new(nav: &'a DetourNav<'_>) -> Self {
        let head = nav.head;
        let bytes = nav.bytes();
        let rest = bytes.get(head.start..).unwrap_or_default();
        let cursor = Cursor::new(rest, head.start as u64);
        Self { cursor, head, unity: nav.unity(), bytes, next: 0, mesh: 0, tile: 0, done: false }
    }

    fn record(&mut self) -> Result<Option<Record<'a>>> {
        let index = self.next;
        let alone = |bytes: &'a [u8], offset| Record {
            index,
            reference: 0,
            mesh: 0,
            at: offset,
            offset,
            padding: 0,
            bytes,
        };
        match self.head.dialect {
            Dialect::Map | Dialect::MapTc => Ok(None),
            Dialect::Unity => {
                let (mesh, range) = loop {
                    let Some(mesh) = self.unity.get(self.mesh) else { return Ok(None) };
                    if let Some(range) = mesh.tiles.get(self.tile) {
                        self.tile = self.tile.saturating_add(1);
                        break (self.mesh, range.clone());
                    }
                    (self.mesh, self.tile) = (self.mesh.saturating_add(1), 0);
                };
                let offset = range.start as u64;
                let bytes = self.bytes.get(range).unwrap_or_default();
                Ok(Some(Record { mesh: u32::try_from(mesh).unwrap_or(u32::MAX), ..alone(bytes, offset) }))
            }
            Dialect::Tile | Dialect::Layer | Dialect::MapTile | Dialect::MapTileAc => {
                if index > 0 {
                    return Ok(None);
                }
                let offset = self.cursor.offset();
                let size = self
                    .head
                    .tile_head
                    .map_or(self.cursor.left(), |head| usize::try_from(head.size()).unwrap_or(usize::MAX));
                Ok(Some(alone(self.cursor.bytes(size, "tile")?, offset)))
            }
            _ => self.listed(),
        }
    }

    /// The next record of a set. One with reference 0 or size 0 ends the list.
    fn listed(&mut self) -> Result<Option<Record<'a>>> {
        if self.next >= self.head.count {
            return Ok(None);
        }
        let at = self.cursor.offset();
        if self.cursor.left() < self.head.stride {
            return Err(self.cursor.short("tile record", self.head.stride as u64));
        }
        let reference = match self.head.refs {
            Refs::Narrow => self.cursor.u32("reference")?.into(),
            Refs::Wide => self.cursor.u64("reference")?,
        };
        let size_at = self.cursor.offset();
        let size = self.cursor.u32("tile size")?;
        let padding = if self.head.stride > 12 { self.cursor.u32("tile record")? } else { 0 };
        if reference == 0 || size == 0 {
            return Ok(None);
        }
        let offset = self.cursor.offset();
        let left = self.cursor.left() as u64;
        let Ok(bytes) = self.cursor.bytes(usize::try_from(size).unwrap_or(usize::MAX), "tile") else {
            return Err(
                Error::new(ErrorKind::Truncated { what: "tile", needed: size.into(), left }).at(size_at)
            );
        };
        Ok(Some(Record { index: self.next, reference, mesh: 0, at, offset, padding, bytes }))
    }

    fn advance(&mut self) -> Option<Result<Record<'a>>> {
        if self.done {
            return None;
        }
        let word = if self.head.dialect.is_cache() { "layer" } else { "tile" };
        let index = self.next;
        let record = self.record().map_err(|error| error.in_record(word, index.into())).transpose();
        self.done = !matches!(record, Some(Ok(_)));
        self.next = self.next.saturating_add(1);
        record
    }

    /// The end of the list, as far as it was walked.
    fn end(&self) -> u64 {
        self.cursor.offset()
    }
}

/// The tiles of a file, in file order. A broken tile ends the walk.
#[derive(Debug, Clone)]
pub struct Tiles<'a> {
    records: Records<'a>,
    failed: bool,
    end: u64,
}

impl<'a> Iterator for Tiles<'a> {
    type Item = Result<TileEntry<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.records.head.dialect.is_cache() {
            return None;
        }
        let record = match self.records.advance()? {
            Ok(record) => record,
            Err(error) => {
                self.failed = true;
                return Some(Err(error));
            }
        };
        let entry = Tile::parse(record.bytes, record.offset, self.records.head.refs);
        let entry = entry.map_err(|error| error.in_record("tile", record.index.into()));
        self.failed = entry.is_err();
        Some(entry.map(|mut tile| {
            if let Some(mesh) = self.records.unity.get(record.mesh as usize) {
                tile.built_for(mesh.agent);
            }
            self.end = match self.records.head.dialect {
                // A tile of a server's map has a stated size. A bare tile ends where its sections end.
                Dialect::Tile => record.offset.saturating_add(tile.size()),
                _ => self.records.end(),
            };
            TileEntry {
                index: TileIndex(record.index),
                reference: record.reference,
                mesh: record.mesh,
                record: record.at,
                size: record.bytes.len() as u64,
                padding: record.padding,
                tile,
            }
        }))
    }
}

impl FusedIterator for Tiles<'_> {}

impl Tiles<'_> {
    /// The byte after the last tile that was read, or after the list of them.
    pub fn end(&self) -> u64 {
        match self.records.head.dialect {
            Dialect::Tile => self.end,
            Dialect::Unity => unity::file_len(self.records.bytes).unwrap_or(0),
            _ => self.records.end(),
        }
    }
}

/// The layers of a tile cache, in file order. A broken one ends the walk.
#[derive(Debug, Clone)]
pub struct Layers<'a> {
    records: Records<'a>,
    failed: bool,
}

impl<'a> Iterator for Layers<'a> {
    type Item = Result<Layer<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || !self.records.head.dialect.is_cache() {
            return None;
        }
        let layer = self.records.advance()?.and_then(|record| {
            let mut cursor = Cursor::new(record.bytes, record.offset);
            let placed = |error: Error| error.in_record("layer", record.index.into());
            let head: &LayerHead = cursor.record("layer head").map_err(placed)?;
            if head.magic() != LayerHead::MAGIC {
                return Err(placed(not_mesh(record.bytes).at(record.offset)));
            }
            let (index, reference, offset) = (record.index, record.reference, record.offset);
            Ok(Layer { index, reference, offset, head, packed: cursor.rest() })
        });
        self.failed = layer.is_err();
        Some(layer)
    }
}

impl FusedIterator for Layers<'_> {}

impl Layers<'_> {
    /// The byte after the last layer that was read.
    pub fn end(&self) -> u64 {
        self.records.end()
    }
}

impl DetourNav<'_> {
    /// The tiles, in file order, walked lazily. Allocates nothing.
    pub fn tiles(&self) -> Tiles<'_> {
        Tiles { records: Records::new(self), failed: false, end: 0 }
    }

    /// The layers of a tile cache.
    pub fn layers(&self) -> Layers<'_> {
        Layers { records: Records::new(self), failed: false }
    }

    /// The number of bytes that the file's parts fill: tiles and the data after them.
    ///
    /// # Errors
    /// The first error that stops reading.
    pub(super) fn end(&self) -> Result<u64> {
        if self.dialect().is_cache() {
            let mut layers = self.layers();
            layers.by_ref().try_for_each(|layer| layer.map(drop))?;
            return Ok(layers.end());
        }
        let mut tiles = self.tiles();
        tiles.by_ref().try_for_each(|tile| tile.map(drop))?;
        self.after(tiles.end())
    }

    /// The end of the data after the tiles, which end at `end`: Respawn's tables, TrinityCore's connections.
    ///
    /// # Errors
    /// [`Count`](ErrorKind::Count) if it is cut short.
    pub(super) fn after(&self, end: u64) -> Result<u64> {
        let at = usize::try_from(end).unwrap_or(usize::MAX);
        let mut cursor = Cursor::new(self.bytes().get(at..).unwrap_or_default(), end);
        let len = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
        match self.dialect() {
            Dialect::Respawn => {
                let [groups, size, tables] = self.head.tables;
                cursor.slice::<[u8; 4]>(len(groups), "groups")?;
                let all = u64::from(size).saturating_mul(tables.into());
                cursor.skip(usize::try_from(all).unwrap_or(usize::MAX), "tables of groups")?;
            }
            Dialect::MapTc => {
                let [rows, ..] = self.head.tables;
                cursor.slice::<super::record::MapConnection>(len(rows), "off-mesh connections")?;
            }
            _ => {}
        }
        Ok(cursor.offset())
    }

    /// Whether the list of tiles ends exactly where the file ends.
    pub(super) fn ends_exactly(&self) -> bool {
        self.end().is_ok_and(|end| end == self.bytes().len() as u64)
    }
}
