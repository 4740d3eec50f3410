//! The encoder.

use super::buf::{Form, YapbBuf};
use super::pwf::is_known;
use super::record::{Header, Node, PwfHeader, PwfNode5, PwfNode6, PwfNode7};
use super::ulz::{pack, unpack};
use super::view::MOST_NODES;
use navmap_core::error::{Error, Result};
use zerocopy::{Immutable, IntoBytes};

impl YapbBuf {
    /// The file as bytes. Nodes of a `.graph` file are packed as the bot packs them.
    ///
    /// # Errors
    /// If there are more nodes than link targets can number (32,768), if the layout is not 5, 6 or 7, if a `.pwf` of an unknown
    /// version has no node, which alone show its layout, or if an extension is not 0, 36, 64 or 68 bytes.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let count = i32::try_from(self.nodes.len()).ok().filter(|count| *count as usize <= MOST_NODES);
        let count = count.ok_or_else(|| {
            Error::invalid(
                "nodes",
                format!("{} of them, the targets of links reach {MOST_NODES}", self.nodes.len()),
            )
        })?;
        let mut out = Vec::new();
        match &self.form {
            Form::Graph { magic, version, options, extension, packed } => {
                if ![0, 36, 64, 68].contains(&extension.len()) {
                    let why = format!("{} bytes, real ones have 36, 64 or 68", extension.len());
                    return Err(Error::invalid("extension", why));
                }
                let bytes = self.nodes.as_bytes();
                let same = unpack(packed, 0, bytes.len()).is_ok_and(|stored| stored == bytes);
                let made = if same { Vec::new() } else { pack(bytes) };
                let stream = if same { packed } else { &made };
                let size =
                    |len: usize| i32::try_from(len).map_err(|_| Error::invalid("packed nodes", "too large"));
                let sizes = [count, size(stream.len())?, size(bytes.len())?];
                out.extend_from_slice(Header::new(*magic, *version, *options, sizes).as_bytes());
                out.extend_from_slice(stream);
                out.extend_from_slice(extension);
            }
            Form::Pwf { version, layout, map, author } => {
                if count == 0 && !is_known(*version) {
                    let why =
                        format!("none, and of version {version} nothing else shows how they are laid out");
                    return Err(Error::invalid("nodes", why));
                }
                out.extend_from_slice(PwfHeader::new(*version, count, *map, *author).as_bytes());
                match layout {
                    7 => self.records(PwfNode7::from_node, &mut out),
                    6 => self.records(PwfNode6::from_node, &mut out),
                    5 => self.records(PwfNode5::from_node, &mut out),
                    other => return Err(Error::invalid("layout", format!("{other} is none of 5, 6 and 7"))),
                }
            }
        }
        out.extend_from_slice(&self.trailing);
        Ok(out)
    }

    fn records<R: IntoBytes + Immutable>(&self, of: impl Fn(&Node) -> R, out: &mut Vec<u8>) {
        self.nodes.iter().for_each(|node| out.extend_from_slice(of(node).as_bytes()));
    }
}
