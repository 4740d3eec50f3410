//! The whole file, borrowed.

use super::flags::{LinkFlags, LinkType, NodeFlags};
use super::iter::{Edicts, Sources, Traversals};
use super::layout::{EdictLayout, Layout, Magic, Offsets, Version};
use super::record::{Header, Link, Node, Vector};
use navmap_core::Counts;
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;
use navmap_core::format::Summary;
use navmap_core::format::not_mesh;

/// A NAV2 or NAV3 file, as five slices of records over its bytes.
///
/// Opening takes constant time, regardless of the size, and allocates nothing. The counts are read once, here. The bytes may
/// begin at any address.
#[derive(Debug, Clone, Copy)]
pub struct QuakeNav<'a> {
    version: Version,
    layout: Layout,
    experimental: bool,
    heuristic: Option<f32>,
    nodes: &'a [Node],
    origins: &'a [Vector],
    links: &'a [Link],
    traversals: Traversals<'a>,
    edicts: Edicts<'a>,
    rest: &'a [u8],
}

impl<'a> QuakeNav<'a> {
    /// Opens a file. Bytes after its last edict are a finding; [`trailing`](Self::trailing) gives them.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) for another magic. [`Version`](navmap_core::ErrorKind::Version) for NAV2 6 to
    /// 11 and for an unknown version that fits no known layout. [`Count`](navmap_core::ErrorKind::Count) or
    /// [`Truncated`](navmap_core::ErrorKind::Truncated) for a file that is too short.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        let (header, version) = header(&mut cursor)?;
        if let Some(layout) = version.layout() {
            return match Self::lay_out(cursor, header, version, layout, false) {
                Ok(nav) if nav.rest.is_empty() => Ok(nav),
                nav => Self::guess(cursor, header, version, 1).map_or(nav, Ok),
            };
        }
        Self::guess(cursor, header, version, 0).ok_or_else(|| {
            version.error("unknown, and no layout of a known version ends where the file ends")
        })
    }

    /// The first layout after `skip` that ends exactly where the file ends.
    #[cold]
    fn guess(cursor: Cursor<'a>, header: &'a Header, version: Version, skip: usize) -> Option<Self> {
        version
            .candidates()
            .skip(skip)
            .filter_map(|layout| Self::lay_out(cursor, header, version, layout, true).ok())
            .find(|nav| nav.rest.is_empty())
    }

    /// Lays the arrays over the bytes after the header.
    fn lay_out(
        mut cursor: Cursor<'a>,
        header: &'a Header,
        version: Version,
        layout: Layout,
        experimental: bool,
    ) -> Result<Self> {
        let count = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        let heuristic = if layout.heuristic { Some(cursor.f32("heuristic")?) } else { None };
        let nodes = cursor.slice(count(header.nodes()), "nodes")?;
        let origins = cursor.slice(count(header.nodes()), "origins")?;
        let links = cursor.slice(count(header.links()), "links")?;
        let claimed = count(header.traversals());
        let traversals = match layout.plane {
            false => Traversals::Plain(cursor.slice(claimed, "traversals")?),
            true => Traversals::Ladder(cursor.slice(claimed, "traversals")?),
        };
        let edicts = match layout.edict {
            EdictLayout::Bare => Edicts::Bare(cursor.list32("edicts")?),
            EdictLayout::Handles => Edicts::Handles(cursor.list32("edicts")?),
            EdictLayout::Entity => Edicts::Entity(cursor.list32("edicts")?),
            EdictLayout::Model => Edicts::Model(cursor.list32("edicts")?),
        };
        let rest = cursor.rest();
        Ok(Self { version, layout, experimental, heuristic, nodes, origins, links, traversals, edicts, rest })
    }

    /// Magic and version.
    pub fn version(&self) -> Version {
        self.version
    }
    /// The layout that was chosen.
    pub fn layout(&self) -> Layout {
        self.layout
    }
    /// Whether the layout is a guess that ended exactly where the file ends. This happens with an unknown version, and with a
    /// layout of NAV2 13 or 16 that only one reader of retail data reports.
    pub fn is_experimental(&self) -> bool {
        self.experimental
    }
    /// The float at byte 20: NAV2 from version 16 on and all of NAV3. 0.8 or 0.95 in real files.
    pub fn heuristic(&self) -> Option<f32> {
        self.heuristic
    }
    /// The waypoints.
    pub fn nodes(&self) -> &'a [Node] {
        self.nodes
    }
    /// The positions of the waypoints, one for each in the same order. Quake units, z up, on the floor.
    pub fn origins(&self) -> &'a [Vector] {
        self.origins
    }
    /// The directed links. Those of one node are adjacent.
    pub fn links(&self) -> &'a [Link] {
        self.links
    }
    /// The traversals of links other than plain walks.
    pub fn traversals(&self) -> Traversals<'a> {
        self.traversals
    }
    /// Links that depend on an entity of the map.
    pub fn edicts(&self) -> Edicts<'a> {
        self.edicts
    }
    /// The bytes after the last edict. No real file has any.
    pub fn trailing(&self) -> &'a [u8] {
        self.rest
    }
    /// The start of each part of the file.
    pub fn offsets(&self) -> Offsets {
        // The counts were read as `u32`.
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.layout.offsets(count(self.nodes.len()), count(self.links.len()), count(self.traversals.len()))
    }

    /// The outgoing links of a node, as a slice in O(1). `None` if there is no such node, or if its range leaves the array (an
    /// error of `check`).
    #[inline]
    pub fn links_of(&self, node: usize) -> Option<&'a [Link]> {
        let node = self.nodes.get(node)?;
        let first = usize::from(node.first_link());
        self.links.get(first..first.checked_add(node.link_count().into())?)
    }

    /// Index of the node that a link starts from. A binary search over the first links of the nodes, O(log nodes).
    ///
    /// Exact in every file whose ranges tile the link array in order, as in all real files. In another file (an error of `check`)
    /// a link may have no source, or several, and the result may be `None` in both cases; [`sources`](Self::sources) finds the first.
    pub fn source_of(&self, link: usize) -> Option<usize> {
        let at = u16::try_from(link).ok().filter(|_| link < self.links.len())?;
        // Nodes without links share their first link with the next node that has some, which comes after them.
        let node = self.nodes.partition_point(|node| node.first_link() <= at).checked_sub(1)?;
        let holds = self.nodes.get(node)?.end_link() > u32::from(at);
        holds.then_some(node)
    }

    /// Index of the node that each link starts from, in the order of links: the first node that has it, if ranges overlap. `None` for
    /// a link of no node. O(nodes + links). Allocates, eight bytes for each link, only if the ranges are not in the order of nodes,
    /// as they are in all real files.
    pub fn sources(&self) -> impl Iterator<Item = Option<usize>> + use<'a> {
        let mut sources = Sources::new(self.nodes, self.links.len());
        (0..self.links.len()).map(move |link| sources.of(link))
    }

    /// The smallest box around all finite origins; `None` if there are none. O(nodes).
    pub fn extent(&self) -> Option<([f32; 3], [f32; 3])> {
        let mut finite = self.origins.iter().filter(|o| o.is_finite()).map(|o| o.to_array());
        let first = finite.next()?;
        Some(finite.fold((first, first), |([a, b, c], [d, e, f]), [x, y, z]| {
            ([a.min(x), b.min(y), c.min(z)], [d.max(x), e.max(y), f.max(z)])
        }))
    }

    /// The flags of a node, with the names of this file's magic.
    pub fn node_flags(&self, node: &Node) -> NodeFlags {
        NodeFlags::new(self.version.magic, node.flags())
    }
    /// The type of a link, with the names of this file's magic.
    pub fn link_type(&self, link: &Link) -> LinkType {
        LinkType::new(self.version.magic, link.kind())
    }
    /// The flags of a link in effect in this version; `None` in NAV2.
    pub fn link_flags(&self, link: &Link) -> Option<LinkFlags> {
        self.version.link_flags(link.flags())
    }

    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::zeros(&COUNTS);
        let lens = [self.nodes.len(), self.links.len(), self.traversals.len(), self.edicts.len()];
        COUNTS.iter().zip(lens).for_each(|(name, len)| counts.add(name, len as u64));
        counts
    }

    pub(super) fn describe(&self) -> Summary {
        summary(self.version, self.counts())
    }
}

/// The counts of a scan, in order.
pub(super) const COUNTS: [&str; 4] = ["nodes", "links", "traversals", "edicts"];

pub(super) fn summary(version: Version, counts: Counts) -> Summary {
    Summary { game: Some(version.magic.game()), version: Some(version.number), subversion: None, counts }
}

/// Reads the 20 bytes that all versions have.
pub(super) fn header<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a Header, Version)> {
    let Some(magic) = Magic::sniff(cursor.rest()) else {
        return Err(not_mesh(cursor.rest()).at(0));
    };
    let header: &Header = cursor.record("header")?;
    let version = Version { magic, number: header.version() };
    version.refusal().map_or(Ok((header, version)), Err)
}
