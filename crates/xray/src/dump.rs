//! Streams everything in a file to a serialiser, without building a list.

use super::flags::Cover;
use super::view::XrayNav;
use navmap_core::error::Error;
use navmap_core::format::{NavFile, NodeRecords, chosen};
use navmap_core::stream::List;
use serde::ser::{Serialize, SerializeStruct, Serializer};

impl Serialize for XrayNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let header = self.header();
        let mut out = serializer.serialize_struct("XrayNav", 12)?;
        out.serialize_field("game", &self.summary().game)?;
        out.serialize_field("version", &self.version())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("experimental", &self.is_experimental())?;
        out.serialize_field("cell", &header.cell())?;
        out.serialize_field("height", &header.height())?;
        out.serialize_field("min", &header.min())?;
        out.serialize_field("max", &header.max())?;
        out.serialize_field("guid", &header.guid())?;
        out.serialize_field("nodes", &List(|| rows(self)))?;
        out.serialize_field("trailing_bytes", &self.trailing().len())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

#[derive(serde::Serialize)]
struct Row {
    index: usize,
    square: [u32; 2],
    middle: [f32; 3],
    height: u16,
    links: [Option<u32>; 4],
    cover: Cover,
    low_cover: Option<Cover>,
    light: Option<u8>,
    plane: u16,
}

fn rows<'a>(nav: &XrayNav<'a>) -> impl Iterator<Item = Row> + use<'a> {
    let nav = *nav;
    nav.nodes().iter().enumerate().map(move |(index, node)| Row {
        index,
        square: nav.square(&node),
        middle: nav.middle(&node),
        height: node.height(),
        links: node.links(),
        cover: node.cover(),
        low_cover: node.low_cover(),
        light: node.light(),
        plane: node.plane(),
    })
}

impl XrayNav<'_> {
    /// The records of nodes.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        for (node, row) in chosen(nodes, rows(self)) {
            let bytes = self.offset(row.index)..self.offset(row.index.saturating_add(1));
            each.record(node, Some(bytes), &row);
        }
        Ok(())
    }
}
