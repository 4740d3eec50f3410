//! Nodes and links of `.nod`, whose length depends on the version.

use super::record::{NodLink, NodLink16, NodLink23, NodNode, NodNode16, NodNode23};
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;
use navmap_core::in_order;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// A list of the records of 16 and 17, or of 23.
#[derive(Debug, Clone, Copy)]
enum Lists<Old, New> {
    Old(Old),
    New(New),
}

impl<'a, Old, New> Lists<&'a [Old], &'a [New]>
where
    Old: FromBytes + Immutable + KnownLayout + Unaligned,
    New: FromBytes + Immutable + KnownLayout + Unaligned,
{
    fn take(cursor: &mut Cursor<'a>, newer: bool, count: usize, what: &'static str) -> Result<Self> {
        Ok(match newer {
            false => Self::Old(cursor.slice(count, what)?),
            true => Self::New(cursor.slice(count, what)?),
        })
    }
    fn len(&self) -> usize {
        match self {
            Self::Old(list) => list.len(),
            Self::New(list) => list.len(),
        }
    }
    /// The length of a record.
    fn size(&self) -> usize {
        match self {
            Self::Old(_) => size_of::<Old>(),
            Self::New(_) => size_of::<New>(),
        }
    }
}

/// Nodes of a `.nod` file, in place.
#[derive(Debug, Clone, Copy)]
pub struct NodNodes<'a>(Lists<&'a [NodNode16], &'a [NodNode23]>);

impl<'a> NodNodes<'a> {
    pub(super) fn take(cursor: &mut Cursor<'a>, newer: bool, count: usize) -> Result<Self> {
        Lists::take(cursor, newer, count, "nodes").map(Self)
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The node of this index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<NodNode<'a>> {
        match self.0 {
            Lists::Old(list) => {
                list.get(index).map(|node| NodNode { front: &node.front, unknown: None, back: &node.back })
            }
            Lists::New(list) => list.get(index).map(|node| NodNode {
                front: &node.front,
                unknown: Some(&node.unknown),
                back: &node.back,
            }),
        }
    }
    /// The nodes in file order. Allocates nothing.
    pub fn iter(&self) -> navmap_core::format::InOrder<Self> {
        self.into_iter()
    }
    pub(super) fn size(&self) -> usize {
        self.0.size()
    }
}

in_order!(impl<'a> NodNodes<'a> => NodNode<'a>);

/// Links of a `.nod` file, in place.
#[derive(Debug, Clone, Copy)]
pub struct NodLinks<'a>(Lists<&'a [NodLink16], &'a [NodLink23]>);

impl<'a> NodLinks<'a> {
    pub(super) fn take(cursor: &mut Cursor<'a>, newer: bool, count: usize) -> Result<Self> {
        Lists::take(cursor, newer, count, "links").map(Self)
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The link of this index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<NodLink<'a>> {
        match self.0 {
            Lists::Old(list) => {
                list.get(index).map(|link| NodLink { ends: &link.ends, serial: None, way: &link.way })
            }
            Lists::New(list) => list.get(index).map(|link| NodLink {
                ends: &link.ends,
                serial: Some(&link.serial),
                way: &link.way,
            }),
        }
    }
    /// The links in file order. Allocates nothing.
    pub fn iter(&self) -> navmap_core::format::InOrder<Self> {
        self.into_iter()
    }
    pub(super) fn size(&self) -> usize {
        self.0.size()
    }
}

in_order!(impl<'a> NodLinks<'a> => NodLink<'a>);
