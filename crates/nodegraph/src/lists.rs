//! Nodes and links of `.nod`, whose length depends on the version.

use super::record::{NodLink, NodLink16, NodLink23, NodNode, NodNode16, NodNode23};
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;
use navmap_core::in_order;

/// A list of the records of 16 and 17, or of 23.
#[derive(Debug, Clone, Copy)]
enum Lists<Old, New> {
    Old(Old),
    New(New),
}

/// Nodes of a `.nod` file, in place.
#[derive(Debug, Clone, Copy)]
pub struct NodNodes<'a>(Lists<&'a [NodNode16], &'a [NodNode23]>);

impl<'a> NodNodes<'a> {
    pub(super) fn take(cursor: &mut Cursor<'a>, newer: bool, count: usize) -> Result<Self> {
        Ok(Self(match newer {
            false => Lists::Old(cursor.slice(count, "nodes")?),
            true => Lists::New(cursor.slice(count, "nodes")?),
        }))
    }
    /// How many.
    pub fn len(&self) -> usize {
        match self.0 {
            Lists::Old(list) => list.len(),
            Lists::New(list) => list.len(),
        }
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
        match self.0 {
            Lists::Old(_) => size_of::<NodNode16>(),
            Lists::New(_) => size_of::<NodNode23>(),
        }
    }
}

in_order!(impl<'a> NodNodes<'a> => NodNode<'a>);

/// Links of a `.nod` file, in place.
#[derive(Debug, Clone, Copy)]
pub struct NodLinks<'a>(Lists<&'a [NodLink16], &'a [NodLink23]>);

impl<'a> NodLinks<'a> {
    pub(super) fn take(cursor: &mut Cursor<'a>, newer: bool, count: usize) -> Result<Self> {
        Ok(Self(match newer {
            false => Lists::Old(cursor.slice(count, "links")?),
            true => Lists::New(cursor.slice(count, "links")?),
        }))
    }
    /// How many.
    pub fn len(&self) -> usize {
        match self.0 {
            Lists::Old(list) => list.len(),
            Lists::New(list) => list.len(),
        }
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
        match self.0 {
            Lists::Old(_) => size_of::<NodLink16>(),
            Lists::New(_) => size_of::<NodLink23>(),
        }
    }
}

in_order!(impl<'a> NodLinks<'a> => NodLink<'a>);
