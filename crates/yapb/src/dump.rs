//! Streams everything in a file to a serialiser, without building a list.

use super::flags::{LinkFlags, NodeFlags};
use super::iter::Nodes;
use super::pwf::PwfNav;
use super::record::GAME;
use super::view::YapbNav;
use navmap_core::error::Error;
use navmap_core::format::{NodeRecords, chosen};
use navmap_core::stream::List;
use serde::ser::{Serialize, SerializeStruct, Serializer};

impl Serialize for YapbNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let extension = self.extension();
        let text = |name: Option<&[u8]>| name.map(|name| String::from_utf8_lossy(name).into_owned());
        let mut out = serializer.serialize_struct("YapbNav", 14)?;
        out.serialize_field("game", GAME)?;
        out.serialize_field("version", &self.version().cast_unsigned())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("magic", &String::from_utf8_lossy(&self.header().magic()))?;
        out.serialize_field("experimental", &self.is_experimental())?;
        out.serialize_field("options", &self.options())?;
        out.serialize_field("author", &text(extension.author()))?;
        out.serialize_field("editor", &text(extension.editor()))?;
        out.serialize_field("map_size", &extension.map_size())?;
        out.serialize_field("packed_bytes", &self.packed().len())?;
        out.serialize_field("extension_bytes", &extension.bytes().len())?;
        out.serialize_field("nodes", &List(|| rows(self.waypoints())))?;
        out.serialize_field("trailing_bytes", &self.trailing().len())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

impl Serialize for PwfNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("PwfNav", 9)?;
        out.serialize_field("game", GAME)?;
        out.serialize_field("version", &self.version().cast_unsigned())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("experimental", &self.is_experimental())?;
        out.serialize_field("map", &String::from_utf8_lossy(self.map()))?;
        out.serialize_field("author", &String::from_utf8_lossy(self.author()))?;
        out.serialize_field("nodes", &List(|| rows(self.waypoints())))?;
        out.serialize_field("trailing_bytes", &self.trailing().len())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

#[derive(serde::Serialize)]
struct NodeRow {
    index: usize,
    number: i32,
    flags: NodeFlags,
    origin: [f32; 3],
    radius: f32,
    camp_start: [f32; 3],
    camp_end: [f32; 3],
    light: Option<f32>,
    display_time: Option<f32>,
    seen_standing: u16,
    seen_crouching: u16,
    links: Vec<LinkRow>,
}

#[derive(serde::Serialize)]
struct LinkRow {
    slot: usize,
    target: i16,
    distance: i32,
    flags: Option<LinkFlags>,
    velocity: Option<[f32; 3]>,
}

fn rows(nodes: Nodes<'_>) -> impl Iterator<Item = NodeRow> {
    nodes.iter().enumerate().map(move |(index, node)| {
        let [seen_standing, seen_crouching] = node.seen();
        let full = nodes.has_link_flags();
        let link = |(slot, link): (usize, &super::Link)| LinkRow {
            slot,
            target: link.target(),
            distance: link.distance(),
            flags: full.then(|| link.flags()),
            velocity: full.then(|| link.velocity()),
        };
        NodeRow {
            index,
            number: node.number(),
            flags: node.flags(),
            origin: node.origin(),
            radius: node.stored_radius(),
            camp_start: node.camp_start(),
            camp_end: node.camp_end(),
            light: node.light(),
            display_time: nodes.has_light().then(|| node.display_time()),
            seen_standing,
            seen_crouching,
            links: node.links().map(link).collect(),
        }
    })
}

impl YapbNav<'_> {
    /// The records of nodes. They lie compressed in the file.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        chosen(nodes, rows(self.waypoints())).for_each(|(node, row)| each.record(node, None, &row));
        Ok(())
    }
}

impl PwfNav<'_> {
    /// The records of nodes.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        for (node, row) in chosen(nodes, rows(self.waypoints())) {
            let at = |index| self.waypoints().offset(index);
            each.record(node, Some(at(row.index)..at(row.index.saturating_add(1))), &row);
        }
        Ok(())
    }
}
