//! Streams everything in a navjson file to a serialiser, with the field names of the binary form.

use super::{JsonLink, JsonNode, NavJson, Text};
use crate::dump::{Entity, NodeRow};
use crate::flags::{LinkType, NodeFlags};
use crate::layout::Magic;
use navmap_core::error::Error;
use navmap_core::format::{NodeRecords, chosen, span};
use navmap_core::stream::List;
use serde::ser::{Serialize, SerializeStruct, Serializer};

impl Serialize for NavJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("NavJson", 14)?;
        let map = self.head.map.as_ref();
        out.serialize_field("version", &self.version)?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("binary_version", &self.binary_version().number)?;
        out.serialize_field("game", Magic::Nav2.game())?;
        out.serialize_field("map", &map.map(|map| &map.name))?;
        out.serialize_field("author", &map.map(|map| &map.author))?;
        out.serialize_field("filename", &map.map(|map| &map.filename))?;
        out.serialize_field("urls", &map.map(|map| &map.urls))?;
        out.serialize_field("contributors", &self.head.contributors)?;
        out.serialize_field("comments", &self.head.comments)?;
        out.serialize_field("heuristic", &self.heuristic)?;
        out.serialize_field("nodes", &List(|| self.nodes.iter().enumerate().map(|n| self.node_row(n))))?;
        out.serialize_field("links", &List(|| self.link_rows()))?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.decode())
    }
}

#[derive(serde::Serialize)]
struct LinkRow {
    index: usize,
    source: usize,
    target: Option<usize>,
    target_origin: [f32; 3],
    r#type: u16,
    type_name: &'static str,
    traversal: Option<TraversalRow>,
    edict: Option<Entity>,
}

#[derive(serde::Serialize)]
struct TraversalRow {
    funnel: Option<[f32; 3]>,
    stored_funnel: [f32; 3],
    start: [f32; 3],
    end: [f32; 3],
}

impl NavJson<'_> {
    fn node_row(&self, (index, node): (usize, &JsonNode)) -> NodeRow {
        NodeRow {
            index,
            origin: node.origin,
            radius: node.radius,
            flags: NodeFlags::new(Magic::Nav2, node.flags),
            first_link: node.first_link,
            link_count: node.link_count,
        }
    }

    fn link_rows(&self) -> impl Iterator<Item = LinkRow> {
        let sources =
            self.nodes.iter().enumerate().flat_map(|(node, n)| std::iter::repeat_n(node, n.link_count));
        self.links
            .iter()
            .enumerate()
            .zip(sources)
            .map(|((index, link), source)| self.link_row(index, link, source))
    }

    fn link_row(&self, index: usize, link: &JsonLink, source: usize) -> LinkRow {
        let [kind, _] = link.kind.to_le_bytes();
        let traversal = link.traversal().and_then(|index| self.traversals.get(index));
        let edict = link.edict().and_then(|index| self.edicts.get(index));
        LinkRow {
            index,
            source,
            target: link.target(),
            target_origin: link.target_origin,
            r#type: link.kind,
            type_name: LinkType::new(Magic::Nav2, kind).name(),
            traversal: traversal.map(|traversal| TraversalRow {
                funnel: traversal.funnel(),
                stored_funnel: traversal.stored_funnel(),
                start: traversal.start(),
                end: traversal.end(),
            }),
            edict: edict.map(|edict| Entity::new(&edict.bounds, edict.key)),
        }
    }
}

/// A node with its links.
#[derive(serde::Serialize)]
struct NodeRecord {
    #[serde(flatten)]
    node: NodeRow,
    links: Vec<LinkRow>,
}

impl NavJson<'_> {
    /// The records of nodes, each with its links. A node is text from its brace on, so only its first byte is known.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        for (node, (index, stored)) in chosen(nodes, self.nodes.iter().enumerate()) {
            let links = self.links_of(index).unwrap_or_default();
            let rows =
                (stored.first_link..).zip(links).map(|(number, link)| self.link_row(number, link, index));
            let row = NodeRecord { node: self.node_row((index, stored)), links: rows.collect() };
            each.record(node, span(stored.offset as u64, 1), &row);
        }
        Ok(())
    }
}
