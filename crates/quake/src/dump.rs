//! Streams everything in a file to a serialiser, without building a list.

use super::flags::{EntityId, Handle, LinkFlags, ModelIndex, NodeFlags};
use super::iter::EdictKey;
use super::record::{Bounds, Link, Node, Traversal, Vector};
use super::view::QuakeNav;
use navmap_core::error::Error;
use navmap_core::format::{NodeRecords, chosen};
use navmap_core::stream::{Flags, List};
use serde::ser::{Serialize, SerializeStruct, Serializer};

impl Serialize for QuakeNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("QuakeNav", 12)?;
        out.serialize_field("magic", self.version().magic.name())?;
        out.serialize_field("version", &self.version().number)?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("game", self.version().magic.game())?;
        out.serialize_field("experimental", &self.is_experimental())?;
        out.serialize_field("heuristic", &self.heuristic())?;
        out.serialize_field("nodes", &List(|| self.node_rows()))?;
        out.serialize_field("links", &List(|| self.link_rows()))?;
        out.serialize_field("traversals", &List(|| self.traversal_rows()))?;
        out.serialize_field("edicts", &List(|| self.edict_rows()))?;
        out.serialize_field("trailing_bytes", &self.trailing().len())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

#[derive(serde::Serialize)]
pub(super) struct NodeRow {
    pub(super) index: usize,
    pub(super) origin: [f32; 3],
    pub(super) radius: u16,
    pub(super) flags: NodeFlags,
    pub(super) first_link: usize,
    pub(super) link_count: usize,
}

#[derive(serde::Serialize)]
struct LinkRow {
    index: usize,
    source: Option<usize>,
    target: u16,
    r#type: u8,
    type_name: &'static str,
    flags: StoredFlags,
    team_mask: Option<u8>,
    traversal: Option<u16>,
}

#[derive(serde::Serialize)]
struct TraversalRow {
    index: usize,
    funnel: Option<[f32; 3]>,
    stored_funnel: [f32; 3],
    start: [f32; 3],
    end: [f32; 3],
    plane: Option<[f32; 3]>,
}

#[derive(serde::Serialize)]
struct EdictRow {
    index: usize,
    link: u16,
    #[serde(flatten)]
    entity: Entity,
}

/// The box of an entity and its key.
#[derive(serde::Serialize)]
pub(super) struct Entity {
    mins: [f32; 3],
    maxs: [f32; 3],
    #[serde(flatten)]
    key: Key,
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum Key {
    None {},
    Handles { targetname: Handle, classname: Handle },
    Entity { entity_id: EntityId, entity_index: Option<u32> },
    Model { model: ModelIndex, inline_model: Option<u32> },
}

impl Entity {
    pub(super) fn new(bounds: &Bounds, key: EdictKey) -> Self {
        let key = match key {
            EdictKey::None => Key::None {},
            EdictKey::Handles { targetname, classname } => Key::Handles { targetname, classname },
            EdictKey::Entity(id) => Key::Entity { entity_id: id, entity_index: id.index() },
            EdictKey::Model(model) => Key::Model { model, inline_model: model.inline_model() },
        };
        Self { mins: bounds.mins(), maxs: bounds.maxs(), key }
    }
}

/// The stored byte, and the names of the bits in effect. NAV2 has no flags here, hence no names.
struct StoredFlags(u8, Option<LinkFlags>);

impl Serialize for StoredFlags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.1.into_iter().flat_map(LinkFlags::names);
        Flags::new(self.0, names).serialize(serializer)
    }
}

impl QuakeNav<'_> {
    fn node_rows(&self) -> impl Iterator<Item = NodeRow> {
        let row = |(index, (node, origin)): (usize, (&Node, &Vector))| NodeRow {
            index,
            origin: origin.to_array(),
            radius: node.radius(),
            flags: self.node_flags(node),
            first_link: node.first_link().into(),
            link_count: node.link_count().into(),
        };
        self.nodes().iter().zip(self.origins()).enumerate().map(row)
    }

    fn link_rows(&self) -> impl Iterator<Item = LinkRow> {
        let row = |((index, link), source)| self.link_row(index, link, source);
        self.links().iter().enumerate().zip(self.sources()).map(row)
    }

    fn link_row(&self, index: usize, link: &Link, source: Option<usize>) -> LinkRow {
        LinkRow {
            index,
            source,
            target: link.target(),
            r#type: link.kind(),
            type_name: self.link_type(link).name(),
            flags: StoredFlags(link.flags(), self.link_flags(link)),
            team_mask: self.version().team_mask(link.flags()),
            traversal: link.traversal(),
        }
    }

    fn traversal_rows(&self) -> impl Iterator<Item = TraversalRow> {
        let row = |(index, traversal): (usize, &Traversal)| TraversalRow {
            index,
            funnel: traversal.funnel(),
            stored_funnel: traversal.stored_funnel(),
            start: traversal.start(),
            end: traversal.end(),
            plane: self.traversals().plane(index),
        };
        self.traversals().iter().enumerate().map(row)
    }

    fn edict_rows(&self) -> impl Iterator<Item = EdictRow> {
        let row = |(index, edict): (usize, super::Edict)| EdictRow {
            index,
            link: edict.link(),
            entity: Entity::new(edict.bounds(), edict.key()),
        };
        self.edicts().iter().enumerate().map(row)
    }
}

/// A node with its links.
#[derive(serde::Serialize)]
struct NodeRecord {
    #[serde(flatten)]
    node: NodeRow,
    links: Vec<LinkRecord>,
}

#[derive(serde::Serialize)]
struct LinkRecord {
    #[serde(flatten)]
    link: LinkRow,
    path: Option<TraversalRow>,
}

impl QuakeNav<'_> {
    /// The records of nodes, each with its links and their traversals.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        let at = |node: usize| -> Option<u64> {
            let len = (self.offsets().origins.checked_sub(self.offsets().nodes)?)
                .checked_div(self.nodes().len() as u64)?;
            self.offsets().nodes.checked_add(len.checked_mul(node as u64)?)
        };
        for (node, row) in chosen(nodes, self.node_rows()) {
            let (first, index) = (row.first_link, row.index);
            let links =
                (first..).zip(self.links_of(index).unwrap_or_default()).map(|(number, link)| LinkRecord {
                    link: self.link_row(number, link, Some(index)),
                    path: link.traversal().and_then(|path| self.traversal_rows().nth(path.into())),
                });
            let links = links.collect();
            let bytes = at(index).zip(at(index.saturating_add(1))).map(|(start, end)| start..end);
            each.record(node, bytes, &NodeRecord { node: row, links });
        }
        Ok(())
    }
}
