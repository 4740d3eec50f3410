//! Either form of file, owned and free to change.

use super::flags::GraphOptions;
use super::pwf::PwfNav;
use super::record::{Link, Node};
use super::view::YapbNav;
use navmap_core::error::{Error, Result};

/// The waypoints of a file of either form. Unchanged, it encodes byte for byte to the file it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct YapbBuf {
    /// What surrounds the nodes.
    pub form: Form,
    /// The nodes. Their numbers should be their indices.
    pub nodes: Vec<Node>,
    /// Bytes after the end.
    pub trailing: Vec<u8>,
}

/// What surrounds the nodes of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A `.graph` file.
    Graph {
        /// `BPAY`, or `UBOT` of a fork.
        magic: [u8; 4],
        /// 1 or 2.
        version: i32,
        /// What the file holds and how it was made.
        options: GraphOptions,
        /// Author, size of the map, editor, as bytes: 64, 36 or 68 of them, or none.
        extension: Vec<u8>,
        /// The packed nodes as they were read. They are written again if they still unpack to the nodes, so output of other
        /// packers is kept.
        packed: Vec<u8>,
    },
    /// A `.pwf` file.
    Pwf {
        /// The version written in the head.
        version: i32,
        /// The version whose layout the nodes use: 5, 6 or 7.
        layout: i32,
        /// The map's name and the bytes after its zero.
        map: [u8; 32],
        /// The author's name and the bytes after its zero.
        author: [u8; 32],
    },
}

impl From<&YapbNav<'_>> for YapbBuf {
    /// Copies everything.
    fn from(nav: &YapbNav<'_>) -> Self {
        let form = Form::Graph {
            magic: nav.header().magic(),
            version: nav.version(),
            options: nav.options(),
            extension: nav.extension().bytes().to_vec(),
            packed: nav.packed().to_vec(),
        };
        Self { form, nodes: nav.nodes().to_vec(), trailing: nav.trailing().to_vec() }
    }
}

impl From<&PwfNav<'_>> for YapbBuf {
    /// Copies everything.
    fn from(nav: &PwfNav<'_>) -> Self {
        let form = Form::Pwf {
            version: nav.version(),
            layout: nav.layout(),
            map: *nav.header().map(),
            author: *nav.header().author(),
        };
        let nodes = nav.waypoints().iter().map(|node| node.into_owned()).collect();
        Self { form, nodes, trailing: nav.trailing().to_vec() }
    }
}

impl YapbBuf {
    /// Removes a node and every link to it. Renumbers the nodes after it and the targets of all links.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn remove(&mut self, index: usize) -> Result<Node> {
        if index >= self.nodes.len() {
            return Err(Error::invalid("node", format!("{index} of {}", self.nodes.len())));
        }
        let removed = self.nodes.remove(index);
        for (node, number) in self.nodes.iter_mut().zip(0..) {
            node.set_number(number);
            for slot in node.slots_mut().iter_mut().filter(|slot| slot.is_used()) {
                match usize::try_from(slot.target()) {
                    Ok(target) if target == index => *slot = Link::FREE,
                    Ok(target) if target > index => *slot = slot.lower(),
                    _ => {}
                }
            }
        }
        Ok(removed)
    }

    /// Names the author and, in a `.graph` that has room for it, whoever edited it last. Of a name, 31 bytes fit.
    pub fn set_authors(&mut self, [author, editor]: [&[u8]; 2]) {
        let set = |field: &mut [u8; 32], name: &[u8]| {
            *field = [0; 32];
            field.iter_mut().take(31).zip(name).for_each(|(to, from)| *to = *from);
        };
        match &mut self.form {
            Form::Pwf { author: field, .. } => set(field, author),
            Form::Graph { extension, .. } => {
                for (at, name) in [(0, author), (36, editor)] {
                    let field = extension.get_mut(at..).and_then(|rest| rest.first_chunk_mut());
                    field.into_iter().for_each(|field| set(field, name));
                }
            }
        }
    }
}

/// The length of a link between two places, as the bot measures it.
pub(super) fn length(from: [f32; 3], to: [f32; 3]) -> i32 {
    let ([ax, ay, az], [bx, by, bz]) = (from, to);
    let [dx, dy, dz] = [bx - ax, by - ay, bz - az];
    (dx * dx + dy * dy + dz * dz).sqrt() as i32
}

impl Link {
    /// The same link, to a target one lower.
    fn lower(&self) -> Self {
        Self::new(self.target().saturating_sub(1), self.flags(), self.distance(), self.velocity())
    }
}
