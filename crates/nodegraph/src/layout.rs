//! How long nodes and links of `.ain` are.

use super::record::{LinkEnds, NodeEnd37, NodeEnd41, NodeFront};
use zerocopy::byteorder::little_endian::I32;

/// The most nodes that links can refer to with their 16-bit ends.
pub const MOST_NODES: usize = 32_768;

/// More hulls than any game has.
pub(super) const MOST_HULLS: u8 = 32;

/// How long nodes and links are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// Whether the bits of a node are 32, as in version 41, and not 16.
    pub(super) wide: bool,
    pub(super) hulls: u8,
}

impl Layout {
    /// The layout of a version with this many hulls.
    pub(super) fn for_version(version: i32, hulls: u8) -> Self {
        Self { wide: version == 41, hulls }
    }

    pub(super) fn node_len(self) -> usize {
        let end = if self.wide { size_of::<NodeEnd41>() } else { size_of::<NodeEnd37>() };
        size_of::<NodeFront>().saturating_add(end).saturating_add(usize::from(self.hulls).saturating_mul(4))
    }

    pub(super) fn link_len(self) -> usize {
        size_of::<LinkEnds>().saturating_add(self.hulls.into())
    }

    /// The size of the nodes, the count of links, the links and the ids, in bytes.
    pub(super) fn len(self, nodes: usize, links: usize) -> usize {
        let node = self.node_len().saturating_add(size_of::<I32>());
        let nodes = nodes.saturating_mul(node);
        nodes.saturating_add(links.saturating_mul(self.link_len())).saturating_add(size_of::<I32>())
    }
}
