//! Streams everything in a file to a serialiser, without building a list.

use super::iter::{Layer, TileEntry};
use super::layout::{Layout, Order, Section};
use super::record::Vector;
use super::tile::{Links, Tile};
use super::view::DetourNav;
use navmap_core::error::Error;
use navmap_core::format::NodeRecords;
use navmap_core::stream::List;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::cell::RefCell;
use zerocopy::byteorder::little_endian::U16;

impl Serialize for DetourNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let summary = navmap_core::format::NavFile::summary(self);
        let mut out = serializer.serialize_struct("DetourNav", 15)?;
        out.serialize_field("dialect", self.dialect_name())?;
        out.serialize_field("version", &summary.version)?;
        out.serialize_field("subversion", &summary.subversion)?;
        out.serialize_field("game", &summary.game)?;
        out.serialize_field("big_endian", &(self.order() == Order::Big))?;
        out.serialize_field("experimental", &self.is_experimental())?;
        out.serialize_field("parameters", &self.parameters())?;
        out.serialize_field("bounds", &self.bounds())?;
        out.serialize_field("groups", &self.groups())?;
        let frames = || self.unity().iter().map(|mesh| (mesh.path_id, mesh.position, mesh.rotation));
        out.serialize_field("meshes", &List(frames))?;
        let connections = || {
            self.map_connections().iter().map(|row| ConnectionRow { ends: row.ends(), radius: row.radius() })
        };
        out.serialize_field("map_connections", &List(connections))?;
        let failed = RefCell::new(None);
        let tiles = || self.tiles().map_while(|entry| kept(entry, &failed)).map(TileRow);
        out.serialize_field("tiles", &List(tiles))?;
        let layers = || self.layers().map_while(|layer| kept(layer, &failed)).map(LayerRow::from);
        out.serialize_field("layers", &List(layers))?;
        let end = self.end().ok();
        out.serialize_field(
            "trailing_bytes",
            &end.map_or(0, |end| (self.bytes().len() as u64).saturating_sub(end)),
        )?;
        let failed = failed.into_inner().or_else(|| self.end().err().map(|error| error.to_string()));
        out.serialize_field("error", &failed)?;
        out.end()
    }
}

fn kept<T>(item: Result<T, Error>, failed: &RefCell<Option<String>>) -> Option<T> {
    match item {
        Ok(item) => Some(item),
        Err(error) => {
            failed.replace(Some(error.to_string()));
            None
        }
    }
}

#[derive(serde::Serialize)]
struct ConnectionRow {
    ends: [[f32; 3]; 2],
    radius: f32,
}

#[derive(serde::Serialize)]
struct LayerRow {
    index: u32,
    reference: u64,
    at: [i32; 3],
    bounds: [[f32; 3]; 2],
    size: [u8; 2],
    packed_bytes: usize,
}

impl From<Layer<'_>> for LayerRow {
    fn from(layer: Layer<'_>) -> Self {
        Self {
            index: layer.index,
            reference: layer.reference,
            at: layer.head.at(),
            bounds: layer.head.bounds(),
            size: layer.head.size(),
            packed_bytes: layer.packed.len(),
        }
    }
}

struct TileRow<'a>(TileEntry<'a>);

impl Serialize for TileRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TileEntry { index, reference, mesh, tile, .. } = &self.0;
        let head = tile.head();
        let mut out = serializer.serialize_struct("Tile", 22)?;
        out.serialize_field("index", index)?;
        out.serialize_field("reference", reference)?;
        out.serialize_field("mesh", mesh)?;
        out.serialize_field("version", &head.version)?;
        out.serialize_field("at", &head.at)?;
        out.serialize_field("layer", &head.layer)?;
        out.serialize_field("user_id", &head.user_id)?;
        out.serialize_field("agent", &head.agent)?;
        out.serialize_field("min", &head.min)?;
        out.serialize_field("max", &head.max)?;
        out.serialize_field("factor", &head.factor)?;
        out.serialize_field("off_mesh_base", &head.off_mesh_base)?;
        out.serialize_field("vertices", &List(|| tile.vertices().iter().copied().map(Vector::to_array)))?;
        out.serialize_field("polygons", &List(|| polygons(tile)))?;
        out.serialize_field("max_links", &head.max_links)?;
        out.serialize_field("traverse_links", &List(|| traverse(tile)))?;
        let words = tile.layout() == Layout::V16;
        let details = || {
            tile.details()
                .iter()
                .map(move |detail| (detail.first_vertex(), detail.first_triangle(), detail.counts(words)))
        };
        out.serialize_field("details", &List(details))?;
        let vertices = || tile.detail_vertices().iter().copied().map(Vector::to_array);
        out.serialize_field("detail_vertices", &List(vertices))?;
        let triangles = || (0..tile.triangles().len()).map_while(|index| tile.triangles().get(index));
        out.serialize_field("triangles", &List(triangles))?;
        let tree = || tile.tree().iter().map(|node| (node.min(), node.max(), node.index()));
        out.serialize_field("tree", &List(tree))?;
        out.serialize_field("off_mesh", &List(|| connections(tile)))?;
        out.serialize_field("trailing_bytes", &tile.rest().len())?;
        out.end()
    }
}

#[derive(serde::Serialize)]
struct PolygonRow<'a> {
    corners: Numbers<'a>,
    neighbours: Numbers<'a>,
    area: u8,
    kind: u8,
    flags: u32,
}

/// A list of numbers in place.
struct Numbers<'a>(&'a [U16]);

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|number| number.get()))
    }
}

fn polygons<'a>(tile: &Tile<'a>) -> impl Iterator<Item = PolygonRow<'a>> {
    tile.polygons().iter().map(|polygon| PolygonRow {
        corners: Numbers(polygon.corners()),
        neighbours: Numbers(polygon.neighbours()),
        area: polygon.area(),
        kind: polygon.kind(),
        flags: polygon.flags(),
    })
}

#[derive(serde::Serialize)]
struct TraverseRow {
    target: u64,
    edge: u8,
    r#type: u8,
    distance: u8,
    reverse: Option<u16>,
}

fn traverse<'a>(tile: &Tile<'a>) -> impl Iterator<Item = TraverseRow> + use<'a> {
    let links = match tile.links() {
        Links::Traverse(links) => links,
        _ => &[],
    };
    links.iter().filter_map(|link| {
        Some(TraverseRow {
            target: link.target(),
            edge: link.edge(),
            r#type: link.traverse()?,
            distance: link.distance(),
            reverse: link.reverse(),
        })
    })
}

#[derive(serde::Serialize)]
struct OffMeshRow {
    start: [f32; 3],
    end: [f32; 3],
    radius: f32,
    polygon: u16,
    both_ways: bool,
    flags: u8,
    side: Option<u8>,
    user_id: u32,
}

fn connections<'a>(tile: &Tile<'a>) -> impl Iterator<Item = OffMeshRow> + use<'a> {
    tile.off_mesh().iter().map(|connection| OffMeshRow {
        start: connection.start(),
        end: connection.end(),
        radius: connection.radius(),
        polygon: connection.polygon(),
        both_ways: connection.both_ways(),
        flags: connection.flags(),
        side: connection.side(),
        user_id: connection.user_id(),
    })
}

/// A polygon with its tile.
#[derive(serde::Serialize)]
struct PolygonRecord<'a> {
    tile: u32,
    at: [i32; 2],
    #[serde(flatten)]
    polygon: PolygonRow<'a>,
}

impl DetourNav<'_> {
    /// The records of polygons that are ground.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        let mut first = 0_usize;
        let mut wanted = nodes;
        for entry in self.tiles() {
            if wanted.is_empty() {
                break;
            }
            let TileEntry { index, tile, .. } = entry?;
            let end = first.saturating_add(tile.ground());
            let (here, after) = wanted.split_at(wanted.partition_point(|node| (*node as usize) < end));
            for node in here {
                let number = (*node as usize).saturating_sub(first);
                let Some(polygon) = polygons(&tile).nth(number) else { continue };
                let at = |polygon| tile.offset_of(Section::Polygons, polygon);
                let bytes = at(number)..at(number.saturating_add(1));
                let [x, y, ..] = tile.head().at;
                each.record(*node, Some(bytes), &PolygonRecord { tile: index.0, at: [x, y], polygon });
            }
            (first, wanted) = (end, after);
        }
        Ok(())
    }
}
