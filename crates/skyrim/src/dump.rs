//! Streams everything in a plugin or payload, as `dump` prints it, with one mesh in memory at a time.

use super::flags::{RecordFlags, TriangleFlags};
use super::form::{FormId, Tag};
use super::graph::SkyrimGraph;
use super::iter::{Cover, TriangleRef};
use super::navi::{MapEntry, NavMap, PreferredPaths};
use super::navm::NavmRecord;
use super::object::BaseObject;
use super::plugin::Plugin;
use super::record::{CoverEnd, Edge, Parent, Vertex};
use super::text::decode_text;
use super::view::NavMesh;
use super::walk::Record;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use navmap_core::format::{NodeRecords, Row};
use navmap_core::stream::List;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl Serialize for Vertex {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_array().serialize(to)
    }
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ParentRow {
    Interior { cell: FormId },
    Exterior { world: FormId, x: i16, y: i16 },
    Cell { cell: FormId },
}

impl From<Parent> for ParentRow {
    fn from(parent: Parent) -> Self {
        match parent {
            Parent::Interior { cell } => Self::Interior { cell },
            Parent::Exterior { world, x, y } => Self::Exterior { world, x, y },
            Parent::Cell { cell } => Self::Cell { cell },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum EdgeTo {
    Border,
    Neighbour(u16),
    EdgeLink(u16),
}

impl From<Edge> for EdgeTo {
    fn from(edge: Edge) -> Self {
        match edge {
            Edge::Border => Self::Border,
            Edge::Neighbour(index) => Self::Neighbour(index),
            Edge::Link(index) => Self::EdgeLink(index),
        }
    }
}

#[derive(Serialize)]
struct TriangleRow {
    vertices: [u16; 3],
    edges: [EdgeTo; 3],
    flags: TriangleFlags,
    cover: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_0x10: Option<u8>,
}

impl From<TriangleRef<'_>> for TriangleRow {
    fn from(triangle: TriangleRef<'_>) -> Self {
        Self {
            vertices: triangle.vertices(),
            edges: triangle.edges().map(EdgeTo::from),
            flags: triangle.flags(),
            cover: triangle.cover_word(),
            height: triangle.height(),
            unknown_0x10: match triangle {
                TriangleRef::V12(_) => None,
                TriangleRef::V15(t) => Some(t.unknown_0x10()),
            },
        }
    }
}

#[derive(Serialize)]
struct LinkRow {
    kind: String,
    navmesh: FormId,
    triangle: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<u8>,
}

#[derive(Serialize)]
struct DoorRow {
    triangle: u16,
    reference: FormId,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum EndRow {
    Vertex(u16),
    Along(f32),
}

impl From<CoverEnd> for EndRow {
    fn from(end: CoverEnd) -> Self {
        match end {
            CoverEnd::Vertex(vertex) => Self::Vertex(vertex),
            CoverEnd::Along(at) => Self::Along(at),
        }
    }
}

#[derive(Serialize)]
struct SegmentRow {
    start: EndRow,
    end: EndRow,
    data: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_0x08: Option<u32>,
}

#[derive(Serialize)]
struct CoverEdgeRow {
    triangle: u16,
    edge: u8,
    segment: u16,
}

#[derive(Serialize)]
struct GridRow<'a, L> {
    divisor: u32,
    cell_size: [f32; 2],
    min: &'a Vertex,
    max: &'a Vertex,
    lists: L,
}

impl Serialize for NavMesh<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut out = to.serialize_struct("NavMesh", 15)?;
        out.serialize_field("game", &self.game())?;
        out.serialize_field("version", &self.version())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("parent", &ParentRow::from(self.parent()))?;
        out.serialize_field("vertices", &List(|| self.vertices().iter().map(|v| v.to_array())))?;
        match self.vertices() {
            super::Vertices::Plain(_) => out.skip_field("vertices_unknown_0x0c")?,
            super::Vertices::Marked(list) => {
                let marks = List(|| list.iter().map(super::record::Vertex17::unknown_0x0c));
                out.serialize_field("vertices_unknown_0x0c", &marks)?;
            }
        }
        out.serialize_field("triangles", &List(|| self.triangles().iter().map(TriangleRow::from)))?;
        let links = self.edge_links();
        let links = List(|| {
            links.iter().enumerate().map(|(index, link)| LinkRow {
                kind: link.kind().to_string(),
                navmesh: link.navmesh(),
                triangle: link.triangle(),
                edge: links.target_edge(index),
            })
        });
        out.serialize_field("edge_links", &links)?;
        let doors = self.door_triangles();
        let doors = List(|| doors.iter().map(|(triangle, reference)| DoorRow { triangle, reference }));
        out.serialize_field("door_triangles", &doors)?;
        match self.cover() {
            Cover::Triangles(list) => {
                out.serialize_field("cover_triangles", &List(|| list.iter().map(|t| t.get())))?;
            }
            Cover::V15(list) => {
                let rows = List(|| {
                    list.iter().map(|piece| SegmentRow {
                        start: piece.start().into(),
                        end: piece.end().into(),
                        data: piece.data(),
                        unknown_0x08: None,
                    })
                });
                out.serialize_field("cover_segments", &rows)?;
            }
            Cover::V17(list) => {
                let rows = List(|| {
                    list.iter().map(|piece| SegmentRow {
                        start: piece.start().into(),
                        end: piece.end().into(),
                        data: piece.data(),
                        unknown_0x08: Some(piece.unknown_0x08()),
                    })
                });
                out.serialize_field("cover_segments", &rows)?;
            }
        }
        if self.version() > 12 {
            let edges = List(|| {
                self.cover_edges().iter().map(|entry| CoverEdgeRow {
                    triangle: entry.triangle(),
                    edge: entry.edge(),
                    segment: entry.segment(),
                })
            });
            out.serialize_field("cover_edges", &edges)?;
            out.serialize_field("waypoints", self.waypoints())?;
        }
        let grid = self.grid().map(|grid| GridRow {
            divisor: grid.divisor(),
            cell_size: grid.header().cell_size(),
            min: grid.header().min(),
            max: grid.header().max(),
            lists: List(move || grid.lists().map(|list| List(move || list.iter().map(|t| t.get())))),
        });
        out.serialize_field("grid", &grid)?;
        if let Some(tail) = self.tail() {
            out.serialize_field("unknown_tail", &[tail.unknown_0x00(), tail.unknown_0x02()])?;
        }
        // A mesh that could be opened was read to its end, so there is no error.
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

/// One record, whose mesh is read while it is written. If that fails, `error` says why and the next record follows.
struct RecordRow<'r, 'a>(NavmRecord<'a>, &'r RefCell<Scratch>);

impl Serialize for RecordRow<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let navm = &self.0;
        let mut out = to.serialize_struct("NavmRecord", 10)?;
        out.serialize_field("index", &navm.index())?;
        out.serialize_field("form_id", &navm.form_id())?;
        out.serialize_field("offset", &navm.record().offset())?;
        out.serialize_field("flags", &navm.header().flags())?;
        out.serialize_field("form_version", &navm.header().form_version())?;
        out.serialize_field("stored_bytes", &navm.record().stored().len())?;
        out.serialize_field("cell", &navm.cell())?;
        out.serialize_field("world", &navm.world())?;
        let mut scratch = self.1.borrow_mut();
        let (mesh, error) = match navm.mesh(&mut scratch) {
            Ok(mesh) => (mesh, None),
            Err(error) => (None, Some(error.to_string())),
        };
        out.serialize_field("mesh", &mesh)?;
        out.serialize_field("error", &error)?;
        out.end()
    }
}

/// One base object with a mesh.
struct ObjectRow<'r, 'a>(BaseObject<'a>, &'r RefCell<Scratch>);

impl Serialize for ObjectRow<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut out = to.serialize_struct("BaseObject", 6)?;
        out.serialize_field("index", &self.0.index())?;
        out.serialize_field("kind", self.0.kind())?;
        out.serialize_field("form_id", &self.0.form_id())?;
        out.serialize_field("offset", &self.0.record().offset())?;
        let mut scratch = self.1.borrow_mut();
        let (mesh, error) = match self.0.mesh(&mut scratch) {
            Ok(mesh) => (mesh, None),
            Err(error) => (None, Some(error.to_string())),
        };
        out.serialize_field("mesh", &mesh)?;
        out.serialize_field("error", &error)?;
        out.end()
    }
}

#[derive(Serialize)]
struct Header<'a> {
    form_version: u16,
    flags: RecordFlags,
    hedr_version: f32,
    records: i32,
    next_object_id: u32,
    author: Option<Cow<'a, str>>,
    description: Option<Cow<'a, str>>,
    masters: Vec<Cow<'a, str>>,
}

impl Serialize for Plugin<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut out = to.serialize_struct("Plugin", 8)?;
        out.serialize_field("game", self.game().name())?;
        out.serialize_field("version", &self.header().form_version())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field(
            "header",
            &Header {
                form_version: self.header().form_version(),
                flags: self.header().flags(),
                hedr_version: self.hedr().version(),
                records: self.hedr().records(),
                next_object_id: self.hedr().next_object_id(),
                author: self.author().map(decode_text),
                description: self.description().map(decode_text),
                masters: self.masters().map(decode_text).collect(),
            },
        )?;
        let (scratch, damage) = (RefCell::new(Scratch::new()), Damage::default());
        let (scratch, damage) = (&scratch, &damage);
        let records = List(|| self.navmeshes().filter_map(|navm| Some(RecordRow(damage.ok(navm)?, scratch))));
        out.serialize_field("navmeshes", &records)?;
        // Most objects have no mesh, and are left out. A mesh that cannot be read is listed with its error.
        let has_mesh = |object: &BaseObject<'_>| !matches!(object.mesh(&mut scratch.borrow_mut()), Ok(None));
        let objects = List(|| {
            let objects = self.base_objects().filter_map(|object| damage.ok(object)).filter(has_mesh);
            objects.map(|object| ObjectRow(object, scratch))
        });
        // Fields that no plugin of the game can have are left out.
        if self.game().has_object_meshes() {
            out.serialize_field("base_objects", &objects)?;
        } else {
            out.skip_field("base_objects")?;
        }
        out.serialize_field(
            "info_map",
            &self.navi().map(|navi| navi.map(|record| MapRow(record, scratch))).ok(),
        )?;
        out.serialize_field("error", &damage.0.take().map(|error| error.to_string()))?;
        out.end()
    }
}

/// The first read error.
#[derive(Default)]
struct Damage(Cell<Option<Error>>);

impl Damage {
    fn ok<T>(&self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.0.set(self.0.take().or(Some(error)))).ok()
    }
}

/// The navmesh info map, which is read while it is written.
struct MapRow<'r, 'a>(Record<'a>, &'r RefCell<Scratch>);

impl Serialize for MapRow<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let damage = Damage::default();
        let mut scratch = self.1.borrow_mut();
        let map = damage.ok(self.0.fields(&mut scratch).and_then(NavMap::parse));
        let mut out = to.serialize_struct("NavMap", 7)?;
        out.serialize_field("form_id", &self.0.form_id())?;
        out.serialize_field("version", &map.as_ref().map(NavMap::version))?;
        let entries =
            List(|| map.iter().flat_map(NavMap::entries).filter_map(|e| damage.ok(e)).map(EntryRow));
        out.serialize_field("entries", &entries)?;
        let paths = map.as_ref().and_then(|map| damage.ok(map.preferred_paths())).flatten();
        out.serialize_field("preferred_paths", &List(|| paths.iter().flat_map(PreferredPaths::paths)))?;
        let markers = paths.map_or(&[][..], |paths| paths.markers());
        out.serialize_field("path_markers", &List(|| markers.iter().map(|m| (m.navmesh(), m.index()))))?;
        let deleted = map.as_ref().and_then(|map| damage.ok(map.deleted())).unwrap_or_default();
        out.serialize_field("deleted", deleted)?;
        out.serialize_field("error", &damage.0.take().map(|error| error.to_string()))?;
        out.end()
    }
}

#[derive(Serialize)]
struct IslandRow<'a, T> {
    min: &'a Vertex,
    max: &'a Vertex,
    triangles: T,
    vertices: &'a [Vertex],
}

/// One entry of the info map.
struct EntryRow<'a>(MapEntry<'a>);

impl Serialize for EntryRow<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let MapEntry { head, links, preferred_links, doors, traversals, island, .. } = self.0;
        let mut out = to.serialize_struct("MapEntry", 11)?;
        head.put(&mut out)?;
        out.serialize_field("links", links)?;
        out.serialize_field("preferred_links", preferred_links)?;
        out.serialize_field("doors", &List(|| doors.iter().map(|door| door.reference())))?;
        if self.0.unknown_tail.is_some() {
            out.serialize_field("traversals", traversals)?;
        }
        let island = island.map(|island| IslandRow {
            min: island.bounds.min(),
            max: island.bounds.max(),
            triangles: List(move || island.triangles.iter().map(|t| t.vertices())),
            vertices: island.vertices,
        });
        out.serialize_field("island", &island)?;
        out.serialize_field("parent", &ParentRow::from(self.0.pathing_cell.parent()))?;
        if let Some((mark, list)) = self.0.unknown_tail {
            out.serialize_field("unknown_tail", &(mark, List(|| list.iter().map(|v| v.get()))))?;
        }
        out.end()
    }
}

/// A triangle with its mesh.
#[derive(Serialize)]
struct TriangleRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    navmesh: Option<FormId>,
    #[serde(flatten)]
    triangle: TriangleRow,
}

/// The records of triangles.
fn triangle_records(graph: &SkyrimGraph<'_>, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
    graph.records(nodes, &mut |node, bytes, navmesh, triangle| {
        let navmesh = Some(navmesh).filter(|form| !form.is_null());
        each.record(node, bytes, &TriangleRecord { navmesh, triangle: triangle.into() });
    });
    Ok(())
}

impl Plugin<'_> {
    /// The records of triangles of all meshes.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        triangle_records(&SkyrimGraph::new(self), nodes, each)
    }
}

impl NavMesh<'_> {
    /// The records of triangles.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        triangle_records(&SkyrimGraph::of_mesh(self), nodes, each)
    }
}
