//! A file, owned and free to change, and the encoder.

use super::flags::Cover;
use super::iter::Node;
use super::layout::Layout;
use super::record::Header;
use super::view::XrayNav;
use navmap_core::error::{Error, Result};
use zerocopy::IntoBytes;

/// A grid. Encoding an unchanged one gives the file it was read from, to the byte.
#[derive(Debug, Clone, PartialEq)]
pub struct XrayBuf {
    /// What the file begins with. Its number of nodes is written as that of the list.
    pub header: Header,
    /// The nodes. They should be sorted by their squares.
    pub nodes: Vec<NodeBuf>,
    /// Bytes after the end.
    pub trailing: Vec<u8>,
}

/// A node, owned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NodeBuf {
    /// The nodes beside it: towards lower x, higher z, higher x, lower z.
    pub links: [Option<u32>; 4],
    /// The bits behind the links: 0 to 15, 0 in version 13.
    pub light: u8,
    /// Cover for one who stands.
    pub cover: Cover,
    /// Cover for one who crouches: written from version 10 on.
    pub low_cover: Cover,
    /// How it is tilted.
    pub plane: u16,
    /// The number of its square.
    pub square: u32,
    /// Its height.
    pub height: u16,
}

impl From<Node<'_>> for NodeBuf {
    fn from(node: Node<'_>) -> Self {
        Self {
            links: node.links(),
            light: node.light().unwrap_or(0),
            cover: node.cover(),
            low_cover: node.low_cover().unwrap_or_default(),
            plane: node.plane(),
            square: node.square(),
            height: node.height(),
        }
    }
}

impl From<&XrayNav<'_>> for XrayBuf {
    /// Copies everything.
    fn from(nav: &XrayNav<'_>) -> Self {
        let nodes = nav.nodes().iter().map(NodeBuf::from).collect();
        Self { header: *nav.header(), nodes, trailing: nav.trailing().to_vec() }
    }
}

impl XrayBuf {
    /// The file.
    ///
    /// # Errors
    /// If there are more nodes than links of the version reach, if a link or a square does not fit into its bits, or if a light is
    /// too bright.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let layout = Layout::for_version(self.header.version());
        let count = u32::try_from(self.nodes.len()).ok().filter(|count| *count <= layout.none());
        let count = count.ok_or_else(|| {
            let why = format!("{} of them, links of this version reach {}", self.nodes.len(), layout.none());
            Error::invalid("nodes", why)
        })?;
        let mut out = Vec::with_capacity(self.nodes.len().saturating_mul(layout.len()).saturating_add(56));
        out.extend_from_slice(self.header.with_nodes(count).as_bytes());
        for (node, index) in self.nodes.iter().zip(0_u64..) {
            node.write(layout, &mut out).map_err(|error| error.in_record("node", index))?;
        }
        out.extend_from_slice(&self.trailing);
        Ok(out)
    }
}

impl NodeBuf {
    fn write(&self, layout: Layout, out: &mut Vec<u8>) -> Result<()> {
        let mut packed = u128::from(self.light).checked_shl(layout.bits.saturating_mul(4)).unwrap_or(0);
        if self.light >> layout.spare().min(7) != 0 {
            return Err(Error::invalid("light", format!("{} does not fit", self.light)));
        }
        for (link, nth) in self.links.iter().zip(0_u32..) {
            let stored = match link {
                Some(link) if *link < layout.none() => *link,
                Some(link) => return Err(Error::invalid("link", format!("{link} does not fit"))),
                None => layout.none(),
            };
            packed |= u128::from(stored) << nth.saturating_mul(layout.bits);
        }
        let mut put = |bytes: &[u8], len: usize| out.extend(bytes.iter().take(len));
        put(&packed.to_le_bytes(), layout.links);
        put(&self.cover.0.to_le_bytes(), 2);
        put(&self.low_cover.0.to_le_bytes(), if layout.low { 2 } else { 0 });
        put(&self.plane.to_le_bytes(), 2);
        if layout.square == 3 && self.square >> 24 != 0 {
            return Err(Error::invalid("square", format!("{} does not fit", self.square)));
        }
        put(&self.square.to_le_bytes(), layout.square);
        put(&self.height.to_le_bytes(), 2);
        Ok(())
    }
}
