//! The encoder.

use super::buf::{DetourBuf, TileBuf};
use super::head::TileHead;
use super::layout::{Dialect, Layout, Order, Refs, TILE_MAGIC};
use super::swap;
use navmap_core::error::{Error, Result};
use zerocopy::IntoBytes;

fn count(what: &'static str, len: usize) -> Result<u32> {
    u32::try_from(len)
        .ok()
        .filter(|count| i32::try_from(*count).is_ok())
        .ok_or_else(|| Error::invalid(what, format!("{len} of them, the format counts to 2147483647")))
}

fn put(out: &mut Vec<u8>, words: &[u32]) {
    words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
}

fn floats(out: &mut Vec<u8>, values: &[f32]) {
    values.iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
}

impl DetourBuf {
    /// The file as bytes. An unchanged file is written byte for byte as it was read.
    ///
    /// # Errors
    /// If a list is longer than its count can express, or if a tile of a Unity file has changed its length.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let version = self.version.unwrap_or(0);
        let parameters = self.parameters.as_ref().map(IntoBytes::as_bytes).unwrap_or_default();
        let [before, behind] = &self.beside;
        match self.dialect {
            Dialect::Set | Dialect::BoundedSet | Dialect::Respawn => {
                out.extend_from_slice(if self.dialect == Dialect::BoundedSet { b"TASM" } else { b"TESM" });
                put(&mut out, &[version, count("tiles", self.tiles.len())?]);
                out.extend_from_slice(parameters);
                if self.dialect == Dialect::Respawn {
                    put(&mut out, &self.tables);
                }
            }
            Dialect::Kbe => {
                put(&mut out, &[version, count("tiles", self.tiles.len())?]);
                out.extend_from_slice(parameters);
            }
            Dialect::Cache | Dialect::BoundedCache => {
                out.extend_from_slice(if self.dialect == Dialect::BoundedCache { b"TAST" } else { b"TEST" });
                put(&mut out, &[version, count("layers", self.layers.len())?]);
                out.extend_from_slice(parameters);
                out.extend_from_slice(self.cache.as_ref().map(IntoBytes::as_bytes).unwrap_or_default());
            }
            Dialect::Map => out.extend_from_slice(parameters),
            Dialect::MapTc => {
                out.extend_from_slice(b"PAMM");
                put(&mut out, &[version]);
                out.extend_from_slice(parameters);
                let [rows, ..] = self.tables;
                put(&mut out, &[rows]);
            }
            Dialect::Unity => return self.in_envelope(),
            Dialect::Tile | Dialect::Layer | Dialect::MapTile | Dialect::MapTileAc => {}
        }
        if let Some(bounds) = &self.bounds {
            out.extend_from_slice(bounds.as_bytes());
        }
        for (index, tile) in (0u64..).zip(&self.tiles) {
            let bytes = tile.encode().map_err(|error| error.in_record("tile", index))?;
            let size = count("bytes of a tile", bytes.len())?;
            if let Some(head) = self.map_tile {
                out.extend_from_slice(head.with_size(size).as_bytes());
                out.extend_from_slice(before);
            }
            self.record(&mut out, tile.reference, size, tile.padding);
            out.extend_from_slice(&bytes);
        }
        for layer in &self.layers {
            let size =
                count("bytes of a layer", layer.packed.len().saturating_add(layer.head.as_bytes().len()))?;
            self.record(&mut out, layer.reference, size, 0);
            out.extend_from_slice(layer.head.as_bytes());
            out.extend_from_slice(&layer.packed);
        }
        out.extend_from_slice(behind);
        if self.order == Order::Big {
            swap::file(&mut out, Order::Little)?;
        }
        Ok(out)
    }

    /// Writes the record before a tile or a layer of a set.
    fn record(&self, out: &mut Vec<u8>, reference: u64, size: u32, padding: u32) {
        match (self.stride, self.refs) {
            (0, _) => {}
            (_, Refs::Narrow) => {
                let [low, _] = halves(reference);
                put(out, &[low, size]);
            }
            (stride, Refs::Wide) => {
                let [low, high] = halves(reference);
                put(out, &[low, high, size]);
                if stride > 12 {
                    put(out, &[padding]);
                }
            }
        }
    }

    /// A file of Unity, with its tiles replaced in place.
    fn in_envelope(&self) -> Result<Vec<u8>> {
        let (bytes, spans) = &self.envelope;
        let mut out = bytes.clone();
        for (index, (tile, span)) in (0u64..).zip(self.tiles.iter().zip(spans)) {
            let new = tile.encode()?;
            let place = out.get_mut(span.clone()).filter(|place| place.len() == new.len());
            let Some(place) = place else {
                let why = format!("has {} bytes, its place in the file {}", new.len(), span.len());
                return Err(Error::invalid("tile", why).in_record("tile", index));
            };
            place.copy_from_slice(&new);
        }
        Ok(out)
    }
}

fn halves(reference: u64) -> [u32; 2] {
    let low = reference & 0xFFFF_FFFF;
    [low, reference >> 32].map(|half| u32::try_from(half).unwrap_or(0))
}

impl TileBuf {
    /// The tile as bytes, in little-endian order.
    ///
    /// # Errors
    /// If a list is longer than its count can express.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let words = self.map.len().checked_div(self.polygons.len()).unwrap_or(self.head.map as usize);
        let head = TileHead {
            polygons: count("polygons", self.polygons.len())?,
            map: count("polygon map", words)?,
            vertices: count("vertices", self.vertices.len())?,
            max_links: count("links", self.links.len())?,
            details: count("detail meshes", self.details.len())?,
            detail_vertices: count("detail vertices", self.detail_vertices.len())?,
            triangles: count("detail triangles", self.triangles.len())?,
            tree: count("tree nodes", self.tree.len())?,
            off_mesh: count("off-mesh connections", self.off_mesh.len())?,
            ..self.head
        };
        let mut out = Vec::new();
        head.encode(self.layout, &mut out);
        out.extend_from_slice(self.vertices.as_bytes());
        out.extend_from_slice(self.polygons.as_bytes());
        out.extend_from_slice(self.map.as_bytes());
        if self.layout != Layout::V16 {
            out.extend_from_slice(self.links.as_bytes());
        }
        out.extend_from_slice(self.details.as_bytes());
        out.extend_from_slice(self.detail_vertices.as_bytes());
        out.extend_from_slice(self.triangles.as_bytes());
        out.extend_from_slice(self.tree.as_bytes());
        if self.layout != Layout::V16 {
            out.extend_from_slice(self.off_mesh.as_bytes());
        }
        out.extend_from_slice(&self.rest);
        Ok(out)
    }
}

impl TileHead {
    fn encode(&self, layout: Layout, out: &mut Vec<u8>) {
        out.extend_from_slice(&TILE_MAGIC);
        let [x, y] = self.at.map(i32::cast_unsigned);
        put(out, &[self.version, x, y]);
        if matches!(layout, Layout::V7 | Layout::V13) {
            put(out, &[self.layer.cast_unsigned()]);
        }
        put(out, &[self.user_id, self.polygons]);
        if layout == Layout::V13 {
            put(out, &[self.map]);
        }
        put(out, &[self.vertices]);
        if layout != Layout::V16 {
            put(out, &[self.max_links]);
        }
        put(out, &[self.details, self.detail_vertices, self.triangles, self.tree]);
        if layout != Layout::V16 {
            put(out, &[self.off_mesh, self.off_mesh_base]);
            floats(out, &self.agent.unwrap_or_default());
        }
        floats(out, &self.min);
        floats(out, &self.max);
        floats(out, &[self.factor]);
    }
}
