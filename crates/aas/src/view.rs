//! The whole file, borrowed.

use super::flags::{FaceFlags, Meaning, Presence};
use super::layout::{HEAD, Head, Layout, UNSEEN, head, is_skipped, lump as lump_number, refused, version};
use super::record::{
    Area, BoundingBox, Cluster, Edge, Face, Node, Plane, Portal, Reachability, Settings, SteepSettings,
    Vertex,
};
use navmap_core::error::{Error, Result};
use std::ops::Range;
use zerocopy::byteorder::little_endian::I32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// The settings of areas, in place. Match on it for the bare slice.
#[derive(Debug, Clone, Copy)]
pub enum AreaSettings<'a> {
    /// 28 bytes each: versions 4 and 5.
    Plain(&'a [Settings]),
    /// 32 bytes each: version 8.
    Steep(&'a [SteepSettings]),
}

impl<'a> AreaSettings<'a> {
    /// How many.
    pub fn len(self) -> usize {
        match self {
            Self::Plain(list) => list.len(),
            Self::Steep(list) => list.len(),
        }
    }
    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The settings of an area, without the steepness.
    #[inline]
    pub fn get(self, area: usize) -> Option<&'a Settings> {
        match self {
            Self::Plain(list) => list.get(area),
            Self::Steep(list) => list.get(area).map(SteepSettings::settings),
        }
    }
    /// The steepness of an area's ground; `None` in versions without it.
    pub fn steepness(self, area: usize) -> Option<f32> {
        match self {
            Self::Plain(_) => None,
            Self::Steep(list) => list.get(area).map(SteepSettings::steepness),
        }
    }
    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = &'a Settings> + Clone {
        let (plain, steep): (&[_], &[_]) = match self {
            Self::Plain(list) => (list, &[]),
            Self::Steep(list) => (&[], list),
        };
        plain.iter().chain(steep.iter().map(SteepSettings::settings))
    }
}

/// An AAS file: fourteen lumps over its bytes. Opening takes constant time and allocates nothing.
///
/// Record 0 of most lumps is a placeholder. Slices include it, so the file's own numbers are indices.
#[derive(Debug, Clone, Copy)]
pub struct AasNav<'a> {
    bytes: &'a [u8],
    head: Head,
    layout: Layout,
    boxes: &'a [BoundingBox],
    vertices: &'a [Vertex],
    planes: &'a [Plane],
    edges: &'a [Edge],
    edge_index: &'a [I32],
    faces: &'a [Face],
    face_index: &'a [I32],
    areas: &'a [Area],
    settings: AreaSettings<'a>,
    links: &'a [Reachability],
    nodes: &'a [Node],
    portals: &'a [Portal],
    portal_index: &'a [I32],
    clusters: &'a [Cluster],
}

impl<'a> AasNav<'a> {
    /// Opens a file.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) for another magic. [`Version`](navmap_core::ErrorKind::Version) for 6, 7 and
    /// unknown versions that fit no known layout. [`Invalid`](navmap_core::ErrorKind::Invalid) for a lump that lies outside the
    /// file or is no whole number of records, and if the counts of settings and areas differ.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let version = version(bytes)?;
        if let Some(layout) = Layout::for_version(version) {
            return Self::lay_out(bytes, layout);
        }
        if is_skipped(version) {
            return Err(refused(version, UNSEEN));
        }
        let fits =
            |layout: &Layout| Self::lay_out(bytes, *layout).ok().filter(|nav| nav.trailing().is_empty());
        let found = Layout::ALL.iter().find_map(fits);
        found.ok_or_else(|| {
            refused(version, "unknown, and no layout of a known version ends where the file ends")
        })
    }

    fn lay_out(bytes: &'a [u8], layout: Layout) -> Result<Self> {
        let head = head(bytes, bytes.len() as u64, layout)?;
        let [boxes, vertices, planes, edges, edge_index, faces, face_index, areas, ..] = head.lumps;
        let [.., settings, links, nodes, portals, portal_index, clusters] = head.lumps;
        let raw = |lump: super::layout::Lump| bytes.get(lump.offset..lump.end()).unwrap_or_default();
        let nav = Self {
            bytes,
            head,
            layout,
            boxes: records(raw(boxes)),
            vertices: records(raw(vertices)),
            planes: records(raw(planes)),
            edges: records(raw(edges)),
            edge_index: records(raw(edge_index)),
            faces: records(raw(faces)),
            face_index: records(raw(face_index)),
            areas: records(raw(areas)),
            settings: match layout.steep {
                false => AreaSettings::Plain(records(raw(settings))),
                true => AreaSettings::Steep(records(raw(settings))),
            },
            links: records(raw(links)),
            nodes: records(raw(nodes)),
            portals: records(raw(portals)),
            portal_index: records(raw(portal_index)),
            clusters: records(raw(clusters)),
        };
        if nav.settings.len() != nav.areas.len() {
            let why = format!("{} of them for {} areas", nav.settings.len(), nav.areas.len());
            return Err(Error::invalid("settings", why).at(12 + 8 * 8));
        }
        Ok(nav)
    }

    /// 4, 5 or 8.
    pub fn version(&self) -> i32 {
        self.head.version
    }
    /// The layout the file is read with.
    pub fn layout(&self) -> Layout {
        self.layout
    }
    /// The meaning of area flags and contents in this version.
    pub fn meaning(&self) -> Meaning {
        if self.layout.steep { Meaning::Wolfenstein } else { Meaning::Quake3 }
    }
    /// The game that makes such files; `None` if version and box fit no known one.
    pub fn game(&self) -> Option<&'static str> {
        super::layout::game(self.version(), self.half_width())
    }
    /// Whether the version is unknown. Such a file is read if a known layout ends exactly at its end.
    pub fn is_experimental(&self) -> bool {
        Layout::for_version(self.head.version).is_none()
    }
    /// The checksum of the map the file was made for. Engines refuse the file if their map has another.
    pub fn checksum(&self) -> u32 {
        self.head.checksum
    }
    /// The decoded head.
    pub fn header(&self) -> &Head {
        &self.head
    }
    /// All bytes of the file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
    /// The boxes of players for which the areas were made: upright and crouched.
    pub fn boxes(&self) -> &'a [BoundingBox] {
        self.boxes
    }
    /// Corners of faces. Stripped files have none.
    pub fn vertices(&self) -> &'a [Vertex] {
        self.vertices
    }
    /// Planes of faces and of the tree.
    pub fn planes(&self) -> &'a [Plane] {
        self.planes
    }
    /// Edges of faces.
    pub fn edges(&self) -> &'a [Edge] {
        self.edges
    }
    /// The edges of each face, one face after the other; negative for an edge in reverse.
    pub fn edge_index(&self) -> &'a [I32] {
        self.edge_index
    }
    /// Faces. Stripped files have none, or only ladders.
    pub fn faces(&self) -> &'a [Face] {
        self.faces
    }
    /// The faces of each area, one area after the other; negative for a face seen from its back.
    pub fn face_index(&self) -> &'a [I32] {
        self.face_index
    }
    /// Areas.
    pub fn areas(&self) -> &'a [Area] {
        self.areas
    }
    /// The settings of areas, one for each.
    pub fn settings(&self) -> AreaSettings<'a> {
        self.settings
    }
    /// Reachabilities between areas. Those of one area are adjacent.
    pub fn reachabilities(&self) -> &'a [Reachability] {
        self.links
    }
    /// The tree that divides space; its root is node 1.
    pub fn nodes(&self) -> &'a [Node] {
        self.nodes
    }
    /// Areas between clusters.
    pub fn portals(&self) -> &'a [Portal] {
        self.portals
    }
    /// The portals of each cluster, one cluster after the other.
    pub fn portal_index(&self) -> &'a [I32] {
        self.portal_index
    }
    /// Clusters.
    pub fn clusters(&self) -> &'a [Cluster] {
        self.clusters
    }

    /// The reachabilities that leave an area, with the number of the first. Empty if the run leaves the list, which `check`
    /// reports as an error.
    #[inline]
    pub fn links_of(&self, area: usize) -> (usize, &'a [Reachability]) {
        let run = self.settings.get(area).and_then(|of| run(of.first_link(), of.links(), self.links.len()));
        let run = run.unwrap_or(0..0);
        (run.start, self.links.get(run).unwrap_or_default())
    }

    /// The entries of the face index of an area: numbers of faces, negative for a face seen from its back.
    #[inline]
    pub fn faces_of(&self, area: &Area) -> &'a [I32] {
        let run = run(area.first_face(), area.faces(), self.face_index.len());
        run.and_then(|run| self.face_index.get(run)).unwrap_or_default()
    }

    /// The entries of the edge index of a face.
    #[inline]
    pub fn edges_of(&self, face: &Face) -> &'a [I32] {
        let run = run(face.first_edge(), face.edges(), self.edge_index.len());
        run.and_then(|run| self.edge_index.get(run)).unwrap_or_default()
    }

    /// The corners of a face in order, clockwise seen from the side its plane's normal points to. Numbers out of range are
    /// skipped.
    pub fn corners(&self, face: &Face) -> impl Iterator<Item = [f32; 3]> + Clone + use<'a> {
        let (edges, vertices) = (self.edges, self.vertices);
        self.edges_of(face).iter().filter_map(move |number| {
            let edge = edges.get(number.get().unsigned_abs() as usize)?;
            let [first, second] = edge.vertices();
            let from = if number.get() < 0 { second } else { first };
            vertices.get(usize::try_from(from).ok()?).map(Vertex::position)
        })
    }

    /// Whether the file was stripped of its ground faces when it was made, as in 75 of 90 public files of version 5: no face is left,
    /// or none but ladders, which the compiler keeps. Looks at faces up to the first that is no ladder.
    pub fn is_stripped(&self) -> bool {
        let mut faces = self.faces.iter().skip(1);
        self.vertices.is_empty() || faces.all(|face| face.flags().contains(FaceFlags::LADDER))
    }

    /// How far stored heights lie above the floor. Areas are volumes for a player's origin, and the upright box begins this far
    /// below it. 24 in every real file, and if the box is missing or NaN.
    pub fn above_floor(&self) -> f32 {
        let low = upright(self.boxes).map(|of| {
            let [.., low] = of.mins();
            -low
        });
        low.filter(|low| low.is_finite()).unwrap_or(24.0)
    }

    /// The end of the last lump.
    pub(super) fn end(&self) -> usize {
        self.head.lumps.iter().map(|lump| lump.end()).fold(HEAD, usize::max)
    }

    /// The bytes after the last lump.
    pub fn trailing(&self) -> &'a [u8] {
        self.bytes.get(self.end()..).unwrap_or_default()
    }

    /// The half width of an upright player: 15 in the Quake III line, 18 and 32 in Return to Castle Wolfenstein.
    pub fn half_width(&self) -> Option<f32> {
        half_width(self.boxes)
    }

    /// The file offset of a record of a lump, even if the lump is shorter. Lumps are named as in [`LUMPS`](super::LUMPS).
    pub fn offset(&self, lump: &str, index: usize) -> u64 {
        let at = lump_number(lump);
        let start = self.head.lumps.get(at).map_or(0, |lump| lump.offset);
        let size = self.layout.sizes().get(at).copied().unwrap_or(0);
        (start as u64).saturating_add((size as u64).saturating_mul(index as u64))
    }
}

fn upright(boxes: &[BoundingBox]) -> Option<&BoundingBox> {
    boxes.iter().find(|of| of.presence().contains(Presence::NORMAL))
}

/// The half width of an upright player.
pub(super) fn half_width(boxes: &[BoundingBox]) -> Option<f32> {
    upright(boxes).map(|of| {
        let [wide, ..] = of.maxs();
        wide
    })
}

fn records<T: FromBytes + Immutable + KnownLayout + Unaligned>(bytes: &[u8]) -> &[T] {
    <[T]>::ref_from_bytes(bytes).unwrap_or_default()
}

/// `first..first + count` of a list, if it lies inside.
#[inline]
pub(super) fn run(first: i32, count: i32, len: usize) -> Option<Range<usize>> {
    let first = usize::try_from(first).ok()?;
    let end = first.checked_add(usize::try_from(count).ok()?)?;
    (end <= len).then_some(first..end)
}
