//! Streams everything in a file to a serialiser, without building a list.

use super::flags::{AreaFlags, BoxFlags, Contents, FaceFlags, Meaning, Presence, TravelFlags};
use super::layout::{LUMPS, Lump};
use super::record::{Area, BoundingBox, Cluster, Face, Node, Plane, Portal, Reachability, Settings};
use super::view::AasNav;
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
        out.serialize_field("lumps", &List(|| self.header().lumps.iter().zip(LUMPS).map(LumpRow::of)))?;
        out.serialize_field("boxes", &List(|| self.boxes().iter().map(BoxRow::of)))?;
        out.serialize_field("vertices", &List(|| self.vertices().iter().map(|vertex| vertex.position())))?;
        out.serialize_field("planes", &List(|| self.planes().iter().map(PlaneRow::of)))?;
        out.serialize_field("edges", &List(|| self.edges().iter().map(|edge| edge.vertices())))?;
        out.serialize_field("edge_index", &List(|| self.edge_index().iter().map(|number| number.get())))?;
        out.serialize_field("faces", &List(|| self.faces().iter().enumerate().map(FaceRow::of)))?;
        out.serialize_field("face_index", &List(|| self.face_index().iter().map(|number| number.get())))?;
        out.serialize_field("areas", &List(|| self.area_rows()))?;
        out.serialize_field(
            "reachabilities",
            &List(|| self.reachabilities().iter().enumerate().map(LinkRow::of)),
        )?;
        out.serialize_field("nodes", &List(|| self.nodes().iter().enumerate().map(NodeRow::of)))?;
        out.serialize_field("portals", &List(|| self.portals().iter().enumerate().map(PortalRow::of)))?;
        out.serialize_field("portal_index", &List(|| self.portal_index().iter().map(|number| number.get())))?;
        out.serialize_field("clusters", &List(|| self.clusters().iter().enumerate().map(ClusterRow::of)))?;
        out.serialize_field("trailing_bytes", &self.trailing().len())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

impl AasNav<'_> {
    fn area_rows(&self) -> impl Iterator<Item = AreaRow> {
        let pairs = self.areas().iter().zip(self.settings().iter()).enumerate();
        pairs.map(|(index, (area, of))| {
            AreaRow::of(index, area, of, self.meaning(), self.settings().steepness(index))
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
    fn of((lump, name): (&Lump, &'static str)) -> Self {
        Self { name, offset: lump.offset, bytes: lump.len }
    }
}

#[derive(serde::Serialize)]
struct BoxRow {
    presence: Presence,
    flags: BoxFlags,
    mins: [f32; 3],
    maxs: [f32; 3],
}

impl BoxRow {
    fn of(of: &BoundingBox) -> Self {
        Self { presence: of.presence(), flags: of.flags(), mins: of.mins(), maxs: of.maxs() }
    }
}

#[derive(serde::Serialize)]
struct PlaneRow {
    normal: [f32; 3],
    distance: f32,
    kind: i32,
}

impl PlaneRow {
    fn of(of: &Plane) -> Self {
        Self { normal: of.normal(), distance: of.distance(), kind: of.kind() }
    }
}

#[derive(serde::Serialize)]
struct FaceRow {
    index: usize,
    plane: i32,
    flags: FaceFlags,
    edges: i32,
    first_edge: i32,
    front: i32,
    back: i32,
}

impl FaceRow {
    fn of((index, of): (usize, &Face)) -> Self {
        let (plane, flags, edges, first_edge) = (of.plane(), of.flags(), of.edges(), of.first_edge());
        Self { index, plane, flags, edges, first_edge, front: of.front(), back: of.back() }
    }
}

/// An area with its settings.
#[derive(serde::Serialize)]
struct AreaRow {
    index: usize,
    number: i32,
    faces: i32,
    first_face: i32,
    mins: [f32; 3],
    maxs: [f32; 3],
    center: [f32; 3],
    contents: Named<Contents>,
    flags: Named<AreaFlags>,
    presence: Presence,
    cluster: i32,
    cluster_area: i32,
    links: i32,
    first_link: i32,
    steepness: Option<f32>,
}

impl AreaRow {
    fn of(index: usize, of: &Area, set: &Settings, meaning: Meaning, steepness: Option<f32>) -> Self {
        Self {
            index,
            number: of.number(),
            faces: of.faces(),
            first_face: of.first_face(),
            mins: of.mins(),
            maxs: of.maxs(),
            center: of.center(),
            contents: Named(set.contents(), meaning),
            flags: Named(set.flags(), meaning),
            presence: set.presence(),
            cluster: set.cluster(),
            cluster_area: set.cluster_area(),
            links: set.links(),
            first_link: set.first_link(),
            steepness,
        }
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
    fn of((index, of): (usize, &Reachability)) -> Self {
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

#[derive(serde::Serialize)]
struct NodeRow {
    index: usize,
    plane: i32,
    front: i32,
    back: i32,
}

impl NodeRow {
    fn of((index, of): (usize, &Node)) -> Self {
        Self { index, plane: of.plane(), front: of.front(), back: of.back() }
    }
}

#[derive(serde::Serialize)]
struct PortalRow {
    index: usize,
    area: i32,
    front: i32,
    back: i32,
    front_number: i32,
    back_number: i32,
}

impl PortalRow {
    fn of((index, of): (usize, &Portal)) -> Self {
        let (front_number, back_number) = (of.front_number(), of.back_number());
        Self { index, area: of.area(), front: of.front(), back: of.back(), front_number, back_number }
    }
}

#[derive(serde::Serialize)]
struct ClusterRow {
    index: usize,
    areas: i32,
    reachable: i32,
    portals: i32,
    first_portal: i32,
}

impl ClusterRow {
    fn of((index, of): (usize, &Cluster)) -> Self {
        let (areas, reachable) = (of.areas(), of.reachable());
        Self { index, areas, reachable, portals: of.portals(), first_portal: of.first_portal() }
    }
}
