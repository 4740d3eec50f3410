//! The waypoints of a file, for every record layout.

use super::record::{Node, PwfHeader, PwfNode5, PwfNode6, PwfNode7, Waypoint};
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;
use std::borrow::Cow;

/// The waypoints of a file as slices of its records. [`iter`](Self::iter) hands them out as [`Node`]s.
#[derive(Debug, Clone, Copy)]
pub enum Nodes<'a> {
    /// Of a `.graph` file: 220 bytes each.
    Graph(&'a [Node]),
    /// Of a `.pwf` file of version 7: 204 bytes each.
    Pwf7(&'a [PwfNode7]),
    /// Of version 6: 92 bytes each.
    Pwf6(&'a [PwfNode6]),
    /// Of version 5: 68 bytes each.
    Pwf5(&'a [PwfNode5]),
}

impl<'a> Nodes<'a> {
    /// Lays the records of a version of `.pwf` over the bytes.
    pub(super) fn pwf(cursor: &mut Cursor<'a>, layout: i32, count: usize) -> Result<Self> {
        Ok(match layout {
            5 => Self::Pwf5(cursor.slice(count, "nodes")?),
            6 => Self::Pwf6(cursor.slice(count, "nodes")?),
            _ => Self::Pwf7(cursor.slice(count, "nodes")?),
        })
    }

    /// How many.
    pub fn len(self) -> usize {
        match self {
            Self::Graph(list) => list.len(),
            Self::Pwf7(list) => list.len(),
            Self::Pwf6(list) => list.len(),
            Self::Pwf5(list) => list.len(),
        }
    }
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The waypoint of this index. Records of `.pwf` are copied into the larger record of `.graph`.
    #[inline]
    pub fn get(self, index: usize) -> Option<Cow<'a, Node>> {
        match self {
            Self::Graph(list) => list.get(index).map(Cow::Borrowed),
            Self::Pwf7(list) => list.get(index).map(|node| Cow::Owned(node.node())),
            Self::Pwf6(list) => list.get(index).map(|node| Cow::Owned(node.node())),
            Self::Pwf5(list) => list.get(index).map(|node| Cow::Owned(node.node())),
        }
    }
    /// All waypoints, in file order. Allocates nothing.
    pub fn iter(self) -> impl Iterator<Item = Cow<'a, Node>> + Clone {
        (0..self.len()).map_while(move |index| self.get(index))
    }
    /// Whether links have flags and velocities: versions 5 and 6 of `.pwf` have neither.
    pub fn has_link_flags(self) -> bool {
        matches!(self, Self::Graph(_) | Self::Pwf7(_))
    }
    /// Whether nodes have a light, a display time, and heights of camp directions.
    pub fn has_light(self) -> bool {
        matches!(self, Self::Graph(_))
    }
    /// How many slots for links a node has: 8, or 4 in version 5 of `.pwf`.
    pub fn slots(self) -> usize {
        if matches!(self, Self::Pwf5(_)) { 4 } else { 8 }
    }
    /// The number of links, and of jumps among them.
    pub fn links(self) -> (u64, u64) {
        self.iter().fold((0, 0), |sum, node| {
            node.links().fold(sum, |(links, jumps): (u64, u64), (_, link)| {
                (links.saturating_add(1), jumps.saturating_add(link.is_jump().into()))
            })
        })
    }

    /// The offset of a waypoint: in the file for `.pwf`, in the unpacked nodes for `.graph`.
    pub(super) fn offset(self, index: usize) -> u64 {
        let (start, len) = match self {
            Self::Graph(_) => (0, size_of::<Node>()),
            Self::Pwf7(_) => (size_of::<PwfHeader>(), size_of::<PwfNode7>()),
            Self::Pwf6(_) => (size_of::<PwfHeader>(), size_of::<PwfNode6>()),
            Self::Pwf5(_) => (size_of::<PwfHeader>(), size_of::<PwfNode5>()),
        };
        (start as u64).saturating_add((len as u64).saturating_mul(index as u64))
    }

    /// The offset of a link slot; for `.pwf`, that of its target.
    pub(super) fn slot_offset(self, index: usize, slot: usize) -> u64 {
        let (first, step) = if let Self::Graph(_) = self { (56, 20) } else { (40, 2) };
        self.offset(index).saturating_add(first).saturating_add((slot as u64).saturating_mul(step))
    }
}
