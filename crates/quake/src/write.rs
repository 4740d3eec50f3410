//! An owned graph that can be changed, and its encoder.

use super::check::REACH;
use super::flags::{EntityId, ModelIndex};
use super::iter::{Edict, EdictKey, Traversals};
use super::layout::{EdictLayout, Layout, Version};
use super::record::{
    BareEdict, Bounds, EntityEdict, HandleEdict, Header, LadderTraversal, Link, ModelEdict, Node, Vector,
};
use super::view::QuakeNav;
use navmap_core::error::{Error, Result};
use zerocopy::IntoBytes;

/// The heuristic in every NAV2 source that has one. Graphs of older versions get it when they are converted. It is never 0: files
/// with 0 come from a tool that wrote it by mistake.
pub const HEURISTIC: f32 = 0.8;

/// A graph that owns its memory, to be changed or made anew. [`encode`](Self::encode) writes it.
///
/// ```
/// use navmap::format::quake::{QuakeBuf, QuakeNav, Version};
/// # fn main() -> navmap::Result<()> {
/// let mut graph = QuakeBuf::new(Version::nav2(15));
/// graph.push_node([0.0, 0.0, 24.0], 0, 36)?;
/// let bytes = graph.encode()?;
/// let nav = QuakeNav::parse(&bytes)?;
/// assert_eq!(nav.origins()[0].to_array(), [0.0, 0.0, 24.0]);
/// assert_eq!(QuakeBuf::from(&nav).encode()?, bytes);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QuakeBuf {
    /// The version to write.
    pub version: Version,
    /// The layout of that version.
    pub layout: Layout,
    /// The heuristic, written if the layout has it.
    pub heuristic: f32,
    /// The waypoints, each with the range of its links.
    pub nodes: Vec<Node>,
    /// The positions of the waypoints, one for each.
    pub origins: Vec<Vector>,
    /// The links. Those of one node are adjacent.
    pub links: Vec<Link>,
    /// The traversals. Planes are written if the layout has them.
    pub traversals: Vec<LadderTraversal>,
    /// Links that depend on an entity.
    pub edicts: Vec<EdictBuf>,
}

/// One edict, owned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdictBuf {
    /// Index of the bound link.
    pub link: u16,
    /// The entity's box.
    pub bounds: Bounds,
    /// The key of the entity. It must fit the layout.
    pub key: EdictKey,
}

impl From<Edict<'_>> for EdictBuf {
    fn from(edict: Edict<'_>) -> Self {
        Self { link: edict.link(), bounds: *edict.bounds(), key: edict.key() }
    }
}

impl From<&QuakeNav<'_>> for QuakeBuf {
    /// Copies every record, including unknown bits and both encodings of 'no funnel'. Bytes [after the end](QuakeNav::trailing)
    /// are not copied.
    fn from(nav: &QuakeNav<'_>) -> Self {
        let traversals = match nav.traversals() {
            Traversals::Plain(list) => list.iter().map(|t| LadderTraversal::new(*t, [0.0; 3])).collect(),
            Traversals::Ladder(list) => list.to_vec(),
        };
        Self {
            version: nav.version(),
            layout: nav.layout(),
            heuristic: nav.heuristic().unwrap_or(HEURISTIC),
            nodes: nav.nodes().to_vec(),
            origins: nav.origins().to_vec(),
            links: nav.links().to_vec(),
            traversals,
            edicts: nav.edicts().iter().map(EdictBuf::from).collect(),
        }
    }
}

impl QuakeBuf {
    /// An empty graph.
    ///
    /// A version with an unknown layout gets that of the newest version of its magic.
    pub fn new(version: Version) -> Self {
        let newest = Layout { heuristic: true, plane: false, edict: EdictLayout::Entity };
        Self {
            version,
            layout: version.candidates().next().unwrap_or(newest),
            heuristic: HEURISTIC,
            nodes: Vec::new(),
            origins: Vec::new(),
            links: Vec::new(),
            traversals: Vec::new(),
            edicts: Vec::new(),
        }
    }

    /// Appends a node whose links are those appended next, and returns its index.
    ///
    /// # Errors
    /// If there are more than 65,535 links already: 16 bits cannot express where the node's links begin.
    pub fn push_node(&mut self, origin: [f32; 3], flags: u16, radius: u16) -> Result<usize> {
        let links = self.links.len();
        let first = u16::try_from(links).map_err(|_| {
            Error::invalid("links", format!("{links} before this node, which may begin at 65535"))
        })?;
        self.nodes.push(Node::new(flags, first, 0, radius));
        self.origins.push(origin.into());
        Ok(self.nodes.len().saturating_sub(1))
    }

    /// Appends a link of the last node.
    ///
    /// # Errors
    /// If there is no node, if the node has 65,535 links already, or if its links are not the last in the array.
    pub fn push_link(&mut self, link: Link) -> Result<()> {
        let node = self.nodes.last_mut().ok_or_else(|| Error::invalid("links", "no node to lead from"))?;
        if node.end_link() as usize != self.links.len() {
            return Err(Error::invalid("links", "those of the last node do not end where the array ends"));
        }
        let count = node.link_count().checked_add(1);
        let count = count.ok_or_else(|| Error::invalid("links", "more than 65535 of one node"))?;
        *node = Node::new(node.flags(), node.first_link(), count, node.radius());
        self.links.push(link);
        Ok(())
    }

    /// The file as bytes.
    ///
    /// # Errors
    /// If there are more records than the 16-bit fields of the format can address (65,536 nodes, 65,536 links, 65,535
    /// traversals), if the counts of nodes and origins differ, or if an edict's key does not fit the layout. No number ever wraps
    /// around.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let Self { version, layout, nodes, origins, links, traversals, edicts, .. } = self;
        let lens = [nodes.len(), links.len(), traversals.len()];
        for ((what, reach), len) in REACH.into_iter().zip(lens) {
            if len > reach {
                return Err(beyond(what, len));
            }
        }
        if nodes.len() != origins.len() {
            return Err(Error::invalid(
                "origins",
                format!("{} of them for {} nodes", origins.len(), nodes.len()),
            ));
        }
        let count = |what, len: usize| u32::try_from(len).map_err(|_| beyond(what, len));
        let magic = version.magic.bytes();
        let header = Header::new(
            magic,
            version.number,
            count("nodes", nodes.len())?,
            count("links", links.len())?,
            count("traversals", traversals.len())?,
        );
        let mut out = Vec::new();
        out.extend_from_slice(header.as_bytes());
        if layout.heuristic {
            out.extend_from_slice(&self.heuristic.to_le_bytes());
        }
        out.extend_from_slice(nodes.as_bytes());
        out.extend_from_slice(origins.as_bytes());
        out.extend_from_slice(links.as_bytes());
        if layout.plane {
            out.extend_from_slice(traversals.as_bytes());
        } else {
            traversals.iter().for_each(|t| out.extend_from_slice(t.traversal().as_bytes()));
        }
        out.extend_from_slice(&count("edicts", edicts.len())?.to_le_bytes());
        for (index, edict) in edicts.iter().enumerate() {
            edict.encode(layout.edict, &mut out).map_err(|e| e.in_record("edict", index as u64))?;
        }
        Ok(out)
    }
}

impl EdictBuf {
    fn encode(&self, layout: EdictLayout, out: &mut Vec<u8>) -> Result<()> {
        let Self { link, bounds, key } = *self;
        match (layout, key) {
            (EdictLayout::Bare, EdictKey::None) => {
                out.extend_from_slice(BareEdict::new(link, bounds).as_bytes());
            }
            (EdictLayout::Handles, EdictKey::Handles { targetname, classname }) => {
                out.extend_from_slice(HandleEdict::new(link, bounds, targetname, classname).as_bytes());
            }
            (EdictLayout::Entity, EdictKey::Entity(id)) => {
                out.extend_from_slice(EntityEdict::new(link, bounds, id).as_bytes());
            }
            (EdictLayout::Model, EdictKey::Model(model)) => {
                out.extend_from_slice(ModelEdict::new(link, bounds, model).as_bytes());
            }
            (layout, key) => {
                return Err(Error::invalid("edict", format!("{key:?} where the layout is {layout:?}")));
            }
        }
        Ok(())
    }
}

impl EdictLayout {
    /// The key of an edict whose entity is unknown.
    pub(super) fn unresolved(self) -> EdictKey {
        match self {
            Self::Bare => EdictKey::None,
            Self::Handles => {
                EdictKey::Handles { targetname: Default::default(), classname: Default::default() }
            }
            Self::Entity => EdictKey::Entity(EntityId(0)),
            Self::Model => EdictKey::Model(ModelIndex(0)),
        }
    }
}

#[cold]
pub(super) fn beyond(what: &'static str, len: usize) -> Error {
    let reach = REACH.iter().find(|(name, _)| *name == what).map_or(65_536, |(_, reach)| *reach);
    Error::invalid(what, format!("{len} of them, the 16-bit fields of the format reach {reach}"))
}
