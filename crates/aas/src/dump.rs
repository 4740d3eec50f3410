//! Streams everything in a file to a serialiser, without building a list.

use super::flags::{AreaFlags, Contents, Meaning, TravelFlags};
use super::graph::AasGraph;
use super::layout::{LUMPS, Lump};
use super::record::{Area, Reachability, Settings};
use super::view::AasNav;
use navmap_core::error::Result as Read;
use navmap_core::format::{NodeRecords, Numbered, Row, chosen};
use navmap_core::stream::{Flags, List};
use serde::ser::{Serialize, SerializeStruct, Serializer};

impl Serialize for AasNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AasNav", 24)?;
        out.serialize_field("game", &self.game())?;
        out.serialize_field("version", &self.version().cast_unsigned())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("experimental", &self.is_experimental())?;
        out.serialize_field("checksum", &self.checksum())?;
        out.serialize_field("stripped", &self.is_stripped())?;
        out.serialize_field("above_floor", &self.above_floor())?;
        out.serialize_field("lumps", &List(|| self.header().lumps.iter().zip(LUMPS).map(LumpRow::new)))?;
        out.serialize_field("boxes", &List(|| self.boxes()))?;
        out.serialize_field("vertices", &List(|| self.vertices().iter().map(|vertex| vertex.position())))?;
        out.serialize_field("planes", &List(|| self.planes()))?;
        out.serialize_field("edges", &List(|| self.edges().iter().map(|edge| edge.vertices())))?;
        out.serialize_field("edge_index", &List(|| self.edge_index().iter().map(|number| number.get())))?;
        out.serialize_field("faces", &List(|| self.faces().iter().enumerate().map(Numbered::from)))?;
        out.serialize_field("face_index", &List(|| self.face_index().iter().map(|number| number.get())))?;
        out.serialize_field("areas", &List(|| self.area_rows()))?;
        out.serialize_field(
            "reachabilities",
            &List(|| self.reachabilities().iter().enumerate().map(LinkRow::new)),
        )?;
        out.serialize_field("nodes", &List(|| self.nodes().iter().enumerate().map(Numbered::from)))?;
        out.serialize_field("portals", &List(|| self.portals().iter().enumerate().map(Numbered::from)))?;
        out.serialize_field("portal_index", &List(|| self.portal_index().iter().map(|number| number.get())))?;
        out.serialize_field("clusters", &List(|| self.clusters().iter().enumerate().map(Numbered::from)))?;
        out.serialize_field("trailing_bytes", &self.trailing().len())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

impl AasNav<'_> {
    fn area_rows(&self) -> impl Iterator<Item = AreaRow<'_>> {
        let pairs = self.areas().iter().zip(self.settings().iter()).enumerate();
        pairs.map(|(index, (area, set))| {
            let (meaning, steepness) = (self.meaning(), self.settings().steepness(index));
            AreaRow { index, area, set, meaning, steepness }
        })
    }
}

#[derive(serde::Serialize)]
struct LumpRow {
    name: &'static str,
    offset: usize,
    bytes: usize,
}

impl LumpRow {
    fn new((lump, name): (&Lump, &'static str)) -> Self {
        Self { name, offset: lump.offset, bytes: lump.len }
    }
}

/// An area with its settings.
struct AreaRow<'a> {
    index: usize,
    area: &'a Area,
    set: &'a Settings,
    meaning: Meaning,
    steepness: Option<f32>,
}

impl Serialize for AreaRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { index, area, set, meaning, steepness } = *self;
        let mut out = serializer.serialize_struct("AreaRow", Area::LEN.saturating_add(9))?;
        out.serialize_field("index", &index)?;
        area.put(&mut out)?;
        out.serialize_field("contents", &Named(set.contents(), meaning))?;
        out.serialize_field("flags", &Named(set.flags(), meaning))?;
        out.serialize_field("presence", &set.presence())?;
        out.serialize_field("cluster", &set.cluster())?;
        out.serialize_field("cluster_area", &set.cluster_area())?;
        out.serialize_field("links", &set.links())?;
        out.serialize_field("first_link", &set.first_link())?;
        out.serialize_field("steepness", &steepness)?;
        out.end()
    }
}

/// Bits under the names that they have in the file's version.
struct Named<T>(T, Meaning);

impl Serialize for Named<AreaFlags> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (names, _) = self.1.flags(self.0);
        Flags::new(self.0.0, names.into_iter()).serialize(serializer)
    }
}

impl Serialize for Named<Contents> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (names, _) = self.1.contents(self.0);
        Flags::new(self.0.0, names.into_iter()).serialize(serializer)
    }
}

#[derive(serde::Serialize)]
struct LinkRow {
    index: usize,
    area: i32,
    face: i32,
    edge: i32,
    start: [f32; 3],
    end: [f32; 3],
    kind: u32,
    kind_name: &'static str,
    flags: TravelFlags,
    time: u16,
    padding: u16,
}

impl LinkRow {
    fn new((index, of): (usize, &Reachability)) -> Self {
        Self {
            index,
            area: of.area(),
            face: of.face(),
            edge: of.edge(),
            start: of.start(),
            end: of.end(),
            kind: of.kind().0,
            kind_name: of.kind().name(),
            flags: of.flags(),
            time: of.time(),
            padding: of.padding(),
        }
    }
}

/// An area with its reachabilities.
#[derive(serde::Serialize)]
struct AreaRecord<'a> {
    #[serde(flatten)]
    area: AreaRow<'a>,
    reachabilities: Vec<LinkRow>,
}

impl AasNav<'_> {
    /// The records of areas, each with its reachabilities.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Read<()> {
        let graph = AasGraph::new(*self);
        for (node, index) in chosen(nodes, graph.areas()) {
            let (Some(area), Some(set)) = (self.areas().get(index), self.settings().get(index)) else {
                continue;
            };
            let (first, links) = self.links_of(index);
            let area = AreaRow {
                index,
                area,
                set,
                meaning: self.meaning(),
                steepness: self.settings().steepness(index),
            };
            let reachabilities = (first..).zip(links).map(LinkRow::new).collect();
            let bytes = self.offset("areas", index)..self.offset("areas", index.saturating_add(1));
            each.record(node, Some(bytes), &AreaRecord { area, reachabilities });
        }
        Ok(())
    }
}
