//! Streams everything in a file to a serialiser, without building a list.

use super::flags::NodeFlags;
use super::record::Target;
use super::view::RcbotNav;
use navmap_core::error::Error;
use navmap_core::format::{NavFile, NodeRecords, chosen};
use navmap_core::stream::List;
use serde::ser::{Serialize, SerializeStruct, Serializer};

impl Serialize for RcbotNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |name: Option<&[u8]>| name.map(|name| String::from_utf8_lossy(name).into_owned());
        let mut out = serializer.serialize_struct("RcbotNav", 11)?;
        out.serialize_field("game", &self.summary().game)?;
        out.serialize_field("version", &self.version().cast_unsigned())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("experimental", &self.is_experimental())?;
        out.serialize_field("map", &text(Some(self.map())))?;
        out.serialize_field("author", &text(self.author()))?;
        out.serialize_field("editor", &text(self.editor()))?;
        out.serialize_field("flags", &self.flags())?;
        out.serialize_field("waypoints", &List(|| rows(self)))?;
        out.serialize_field("trailing_bytes", &self.trailing().len())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

/// Targets in place.
struct Targets<'a>(&'a [Target]);

impl Serialize for Targets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|target| target.get()))
    }
}

#[derive(serde::Serialize)]
struct Row<'a> {
    number: u32,
    used: bool,
    origin: [f32; 3],
    yaw: i32,
    flags: NodeFlags,
    area: Option<i32>,
    radius: Option<f32>,
    links: Targets<'a>,
}

fn rows<'a>(nav: &RcbotNav<'a>) -> impl Iterator<Item = Row<'a>> + use<'a> {
    nav.waypoints().map(|waypoint| Row {
        number: waypoint.number(),
        used: waypoint.is_used(),
        origin: waypoint.origin(),
        yaw: waypoint.yaw(),
        flags: waypoint.flags(),
        area: waypoint.area(),
        radius: waypoint.stored_radius(),
        links: Targets(waypoint.targets()),
    })
}

impl RcbotNav<'_> {
    /// The records of waypoints that are used.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        let rows = self.waypoints().zip(rows(self)).filter(|(_, row)| row.used);
        for (node, (waypoint, row)) in chosen(nodes, rows) {
            let ends = [row.area.map(|_| 4_u64), row.radius.map(|_| 4)];
            let end = ends
                .into_iter()
                .flatten()
                .fold(waypoint.target_offset(row.links.0.len()), u64::saturating_add);
            each.record(node, Some(waypoint.offset()..end), &row);
        }
        Ok(())
    }
}
