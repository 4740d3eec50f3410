//! An owned file, to be changed.

use super::flags::TravelKind;
use super::layout::Layout;
use super::record::{
    Area, BoundingBox, Cluster, Edge, Face, Node, Plane, Portal, Reachability, Settings, SteepSettings,
    Vertex,
};
use super::view::{AasNav, AreaSettings};
use navmap_core::error::{Error, Result};
use zerocopy::byteorder::little_endian::I32;

/// A file that owns its lumps. [`encode`](Self::encode) writes it: an unchanged file comes out byte for byte as it was read.
///
/// Areas, planes and the tree depend on each other. Without the game's compiler one can change
/// [travel times](Reachability::set_time), [kinds](Reachability::set_kind), [flags](Settings::set_flags),
/// [contents](Settings::set_contents), and the [position](Self::translate) of the whole.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::format::aas::{AasBuf, AasNav};
///
/// let bytes = std::fs::read("corpus/aas/v5.aas")?;
/// let mut buf = AasBuf::from(&AasNav::parse(&bytes)?);
/// assert!(buf.encode()? == bytes);
/// buf.reachabilities[1].set_time(60);
/// assert_eq!(AasNav::parse(&buf.encode()?)?.reachabilities()[1].time(), 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AasBuf {
    /// The version to write.
    pub version: i32,
    /// The layout to write: that of the version, if the version is known.
    pub layout: Layout,
    /// The checksum of the map. Engines refuse the file if their map has another.
    pub checksum: u32,
    /// The boxes of players.
    pub boxes: Vec<BoundingBox>,
    /// Corners of faces.
    pub vertices: Vec<Vertex>,
    /// Planes.
    pub planes: Vec<Plane>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// The edges of each face.
    pub edge_index: Vec<I32>,
    /// Faces.
    pub faces: Vec<Face>,
    /// The faces of each area.
    pub face_index: Vec<I32>,
    /// Areas.
    pub areas: Vec<Area>,
    /// The settings of areas, one for each.
    pub settings: SettingsBuf,
    /// Reachabilities.
    pub reachabilities: Vec<Reachability>,
    /// The tree.
    pub nodes: Vec<Node>,
    /// Portals.
    pub portals: Vec<Portal>,
    /// The portals of each cluster.
    pub portal_index: Vec<I32>,
    /// Clusters.
    pub clusters: Vec<Cluster>,
    /// Bytes after the end.
    pub trailing: Vec<u8>,
    /// The file as it was read: the order of its lumps and the bytes between them.
    pub(super) original: Vec<u8>,
}

/// The settings of areas.
#[derive(Debug, Clone, PartialEq)]
pub enum SettingsBuf {
    /// 28 bytes each: versions 4 and 5.
    Plain(Vec<Settings>),
    /// 32 bytes each: version 8.
    Steep(Vec<SteepSettings>),
}

impl SettingsBuf {
    /// The settings of an area, without the steepness.
    pub fn get(&self, area: usize) -> Option<&Settings> {
        match self {
            Self::Plain(list) => list.get(area),
            Self::Steep(list) => list.get(area).map(SteepSettings::settings),
        }
    }
    /// The settings of an area.
    pub fn get_mut(&mut self, area: usize) -> Option<&mut Settings> {
        match self {
            Self::Plain(list) => list.get_mut(area),
            Self::Steep(list) => list.get_mut(area).map(SteepSettings::settings_mut),
        }
    }
}

impl From<&AasNav<'_>> for AasBuf {
    /// Copies everything.
    fn from(nav: &AasNav<'_>) -> Self {
        Self {
            version: nav.version(),
            layout: nav.layout(),
            checksum: nav.checksum(),
            boxes: nav.boxes().to_vec(),
            vertices: nav.vertices().to_vec(),
            planes: nav.planes().to_vec(),
            edges: nav.edges().to_vec(),
            edge_index: nav.edge_index().to_vec(),
            faces: nav.faces().to_vec(),
            face_index: nav.face_index().to_vec(),
            areas: nav.areas().to_vec(),
            settings: match nav.settings() {
                AreaSettings::Plain(list) => SettingsBuf::Plain(list.to_vec()),
                AreaSettings::Steep(list) => SettingsBuf::Steep(list.to_vec()),
            },
            reachabilities: nav.reachabilities().to_vec(),
            nodes: nav.nodes().to_vec(),
            portals: nav.portals().to_vec(),
            portal_index: nav.portal_index().to_vec(),
            clusters: nav.clusters().to_vec(),
            trailing: nav.trailing().to_vec(),
            original: nav.bytes().to_vec(),
        }
    }
}

impl AasBuf {
    /// The file as it was read.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.original
    }

    /// Deletes a reachability by giving it kind 1, which no bot takes. The record stays, so later ones keep their numbers.
    ///
    /// # Errors
    /// If there is no such reachability. Number 0 is a placeholder.
    pub fn delete(&mut self, reachability: usize) -> Result<()> {
        let len = self.reachabilities.len();
        let link = self.reachabilities.get_mut(reachability).filter(|_| reachability > 0);
        let link = link.ok_or_else(|| Error::invalid("reachability", format!("{reachability} of {len}")))?;
        link.set_kind(TravelKind::INVALID);
        Ok(())
    }

    /// Moves everything by units: vertices, planes, boxes and centers of areas, ends of reachabilities. The map has to be moved
    /// too.
    pub fn translate(&mut self, by: [f32; 3]) {
        self.vertices.iter_mut().for_each(|vertex| vertex.shift(by));
        self.planes.iter_mut().for_each(|plane| plane.shift(by));
        // Record 0 of these is a placeholder.
        self.areas.iter_mut().skip(1).for_each(|area| area.shift(by));
        self.reachabilities.iter_mut().skip(1).for_each(|link| link.shift(by));
    }
}
