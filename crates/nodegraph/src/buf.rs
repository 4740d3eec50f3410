//! A binary graph of Source, owned and free to change.

use super::flags::{Hull, Moves, NodeKind, SOURCE_HULLS};
use super::layout::{Layout, MOST_NODES};
use super::points::Parts;
use super::sets;
use super::text::TextNav;
use super::view::AinNav;
use navmap_core::error::{Error, Result};

/// An owned graph of version 37 or 41. Encoding an unchanged graph gives the bytes that it was read from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeGraphBuf {
    /// 37 or 41.
    pub version: i32,
    /// The revision of the map that the graph is for.
    pub map_version: i32,
    /// How many hulls nodes and links have: 10 in version 37, 12 in 41.
    pub hulls: u8,
    /// The nodes. Links refer to them by index.
    pub nodes: Vec<NodeBuf>,
    /// The links, each of which works both ways.
    pub links: Vec<LinkBuf>,
    /// Bytes after the end.
    pub trailing: Vec<u8>,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeBuf {
    /// Where it is.
    pub origin: [f32; 3],
    /// Which way it looks, degrees.
    pub yaw: f32,
    /// How far above the node each hull stands.
    pub offsets: Vec<f32>,
    /// Ground, air, climb.
    pub kind: NodeKind,
    /// The bits of [`NodeInfo`](super::NodeInfo). Version 37 stores the lower 16.
    pub info: u32,
    /// The connected part that it lies in.
    pub zone: i16,
    /// The id in the map's source; -1 for none.
    pub hammer_id: i32,
}

/// A link. It works both ways.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkBuf {
    /// One end.
    pub source: i16,
    /// The other end.
    pub target: i16,
    /// How each hull passes it.
    pub moves: Vec<u8>,
}

impl NodeBuf {
    /// A node whose hulls have the heights that the engine uses before it drops them to the ground.
    pub fn new(kind: NodeKind, origin: [f32; 3], hulls: u8) -> Self {
        let offsets = (0..hulls.into()).map(|hull| undropped(kind, hull)).collect();
        Self { origin, yaw: 0.0, offsets, kind, info: 0, zone: 0, hammer_id: -1 }
    }
}

/// The height of a hull before it is dropped to the ground: 0.1 above the node, or 0 in the air.
pub(super) fn undropped(kind: NodeKind, hull: usize) -> f32 {
    if kind == NodeKind::AIR { 0.0 } else { 0.1 - SOURCE_HULLS.min_z(hull) }
}

impl LinkBuf {
    /// How a hull passes it; empty if it cannot.
    pub fn moves(&self, hull: Hull) -> Moves {
        Moves(self.moves.get(hull.index()).copied().unwrap_or(0))
    }
}

impl From<&AinNav<'_>> for NodeGraphBuf {
    /// Copies everything.
    fn from(nav: &AinNav<'_>) -> Self {
        Self::from_parts(nav.version(), nav.map_version(), nav.parts, nav.trailing())
    }
}

impl From<&TextNav<'_>> for NodeGraphBuf {
    /// A graph of version 37 with the nine hulls of the text. The text has no map revision, so it is 0.
    fn from(nav: &TextNav<'_>) -> Self {
        Self::from_parts(37, 0, nav.parts(), &[])
    }
}

impl NodeGraphBuf {
    /// An empty graph.
    pub fn new(version: i32, map_version: i32, hulls: u8) -> Self {
        Self { version, map_version, hulls, ..Self::default() }
    }

    fn from_parts(version: i32, map_version: i32, parts: Parts<'_>, trailing: &[u8]) -> Self {
        let nodes = parts.nodes().into_iter().zip(parts.ids).map(|(node, id)| NodeBuf {
            origin: node.origin(),
            yaw: node.yaw(),
            offsets: node.offsets().iter().map(|offset| offset.get()).collect(),
            kind: node.kind(),
            info: node.info(),
            zone: node.zone(),
            hammer_id: id.get(),
        });
        let links = parts.links().into_iter().map(|link| LinkBuf {
            source: link.source(),
            target: link.target(),
            moves: link.moves_of_hulls().to_vec(),
        });
        let hulls = parts.layout.hulls;
        Self {
            version,
            map_version,
            hulls,
            nodes: nodes.collect(),
            links: links.collect(),
            trailing: trailing.to_vec(),
        }
    }

    /// Removes a node and its links, and renumbers the ends of the links of the nodes after it. Zones stay as they are.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn remove(&mut self, index: usize) -> Result<NodeBuf> {
        if index >= self.nodes.len() {
            return Err(Error::invalid("node", format!("{index} of {}", self.nodes.len())));
        }
        let number = i16::try_from(index).unwrap_or(i16::MAX);
        self.links.retain(|link| link.source != number && link.target != number);
        for end in self.links.iter_mut().flat_map(|link| [&mut link.source, &mut link.target]) {
            if *end > number {
                *end = end.saturating_sub(1);
            }
        }
        Ok(self.nodes.remove(index))
    }

    /// Sets the zone of every node as the engine does: 1 without links, else a number for each connected part, from 4 on.
    /// Returns how many nodes changed.
    pub fn number_zones(&mut self) -> usize {
        let index = |end: i16| usize::try_from(end).unwrap_or(usize::MAX);
        let ends = self.links.iter().map(|link| [index(link.source), index(link.target)]);
        let zones = sets::zones(self.nodes.len(), ends);
        let mut changed = 0_usize;
        for (node, zone) in self.nodes.iter_mut().zip(zones) {
            changed = changed.saturating_add((node.zone != zone).into());
            node.zone = zone;
        }
        changed
    }

    /// The file.
    ///
    /// # Errors
    /// If the version is neither 37 nor 41, if there are more nodes than links can refer to (32,768), if a node or a link has
    /// another number of hulls than the graph, if the bits of a node exceed the 16 of version 37, if there are links and no nodes, or
    /// if a reader could not tell the number of hulls: it is not stored, and bytes after the end or nodes out of the world hide it.
    pub fn encode(&self) -> Result<Vec<u8>> {
        if ![37, 41].contains(&self.version) {
            return Err(Error::invalid("version", format!("{} is neither 37 nor 41", self.version)));
        }
        let count = i32::try_from(self.nodes.len()).ok().filter(|count| *count as usize <= MOST_NODES);
        let count = count.ok_or_else(|| {
            Error::invalid("nodes", format!("{} of them, links reach {MOST_NODES}", self.nodes.len()))
        })?;
        let layout = Layout::for_version(self.version, self.hulls);
        let mut out = Vec::new();
        [self.version, self.map_version, count].iter().for_each(|value| out.extend(value.to_le_bytes()));
        for (node, index) in self.nodes.iter().zip(0..) {
            self.node(node, layout, &mut out).map_err(|error| error.in_record("node", index))?;
        }
        let links = i32::try_from(self.links.len());
        out.extend(links.map_err(|_| Error::invalid("links", "too many"))?.to_le_bytes());
        for (link, index) in self.links.iter().zip(0..) {
            self.fits(link.moves.len()).map_err(|error| error.in_record("link", index))?;
            [link.source, link.target].iter().for_each(|end| out.extend(end.to_le_bytes()));
            out.extend(&link.moves);
        }
        self.nodes.iter().for_each(|node| out.extend(node.hammer_id.to_le_bytes()));
        out.extend(&self.trailing);
        self.is_read_back(&out)?;
        Ok(out)
    }

    /// The number of hulls is not stored: a reader solves it from the size, which bytes after the end can make ambiguous. As much
    /// work as opening the file, and no memory.
    fn is_read_back(&self, out: &[u8]) -> Result<()> {
        if self.nodes.is_empty() {
            // Nothing tells, and nothing needs it.
            return match self.links.len() {
                0 => Ok(()),
                links => Err(Error::invalid("links", format!("{links} of them, and there are no nodes"))),
            };
        }
        if AinNav::parse(out).is_ok_and(|nav| nav.hulls() == usize::from(self.hulls)) {
            return Ok(());
        }
        let why = format!("nothing in the file would tell a reader that there are {}", self.hulls);
        Err(Error::invalid("hulls", why))
    }

    fn node(&self, node: &NodeBuf, layout: Layout, out: &mut Vec<u8>) -> Result<()> {
        self.fits(node.offsets.len())?;
        let numbers = node.origin.iter().chain([&node.yaw]).chain(&node.offsets);
        numbers.for_each(|value| out.extend(value.to_le_bytes()));
        out.push(node.kind.0);
        if layout.wide {
            out.extend(node.info.to_le_bytes());
        } else {
            let info = u16::try_from(node.info);
            let wrong =
                |_| Error::invalid("bits", format!("{:#x} do not fit into the 16 of version 37", node.info));
            out.extend(info.map_err(wrong)?.to_le_bytes());
        }
        out.extend(node.zone.to_le_bytes());
        Ok(())
    }

    fn fits(&self, hulls: usize) -> Result<()> {
        match hulls == usize::from(self.hulls) {
            true => Ok(()),
            false => Err(Error::invalid("hulls", format!("{hulls} of them, the graph has {}", self.hulls))),
        }
    }
}
