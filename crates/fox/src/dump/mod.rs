//! Streams everything in a file to a serialiser, without building a list.
//!
//! Positions are given twice: `q` as stored, `at` in metres. If something cannot be read, its list ends, and the last field of
//! the file, `error`, says where. Otherwise `error` is null.

mod group;
mod parts;
mod whole;

use super::graph::FoxGraph;
use super::record::Descriptor;
use super::view::{Entry, FoxNav};
use group::{FaceRow, GroupRow};
use navmap_core::error::Result as Read;
use navmap_core::format::{NavFile, NodeRecords};
use navmap_core::stream::List;
use parts::{Failed, Hex};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use whole::{ConnectRow, IslandsRow, SearchRow};

impl Serialize for FoxNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (header, frame) = (self.header(), self.frame());
        let failed = Failed::new(self);
        let mut out = serializer.serialize_struct("FoxNav", 21)?;
        out.serialize_field("version", &header.version())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("game", &self.summary().game)?;
        out.serialize_field("file_size", &header.file_size())?;
        out.serialize_field("tile", &self.tile())?;
        out.serialize_field("part", &header.part())?;
        out.serialize_field("origin", &frame.origin)?;
        out.serialize_field("divisors", &frame.divisors)?;
        out.serialize_field("weight_divisor", &frame.weight_divisor)?;
        out.serialize_field("features", &header.features())?;
        out.serialize_field("opaque_id", &Hex(header.opaque()))?;
        out.serialize_field("unknown", &header.unknown())?;
        out.serialize_field("manifest", &List(|| self.manifest().iter().map(DescriptorRow::new)))?;
        out.serialize_field("entries", &List(|| failed.walk(self.entries()).map(EntryRow::new)))?;
        out.serialize_field("groups", &List(|| failed.pass(self.groups()).map(|g| GroupRow(g, &failed))))?;
        let graphs = || failed.walk(self.island_graphs()).map(|graph| IslandsRow(graph, frame, &failed));
        out.serialize_field("island_graphs", &List(graphs))?;
        let space = failed.note(self.search()).flatten();
        out.serialize_field("search_space", &space.map(|space| SearchRow(space, &failed)))?;
        let connect = failed.note(self.connect_tiles()).flatten();
        out.serialize_field("connect_tiles", &connect.map(ConnectRow))?;
        out.serialize_field("error", &failed.first.borrow().as_ref().map(ToString::to_string))?;
        out.end()
    }
}

#[derive(serde::Serialize)]
struct DescriptorRow {
    kind: u32,
    group: u16,
    tile: u16,
    payload: u32,
    size: u32,
}

impl DescriptorRow {
    fn new(descriptor: &Descriptor) -> Self {
        let id = descriptor.id();
        let (kind, payload, size) = (descriptor.kind(), descriptor.payload(), descriptor.size());
        Self { kind, group: id.index(), tile: id.tile().0, payload, size }
    }
}

#[derive(serde::Serialize)]
struct EntryRow {
    kind: u32,
    name: &'static str,
    group: u16,
    tile: u16,
    offset: u64,
    size: u32,
}

impl EntryRow {
    fn new(entry: Entry<'_>) -> Self {
        let (kind, id) = (entry.kind(), entry.id());
        Self {
            kind: kind.code(),
            name: kind.name(),
            group: id.index(),
            tile: id.tile().0,
            offset: entry.offset(),
            size: entry.header().next(),
        }
    }
}

impl FoxNav<'_> {
    /// The records of faces.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Read<()> {
        FoxGraph::of_file(self)
            .records(nodes, &mut |node, bytes, face| each.record(node, Some(bytes), &FaceRow(face)))
    }
}
