//! Arrays that exist in two layouts, and the lazy walk over the grid's lists.

use super::flags::TriangleFlags;
use super::form::FormId;
use super::record::{
    Corners, CoverSegment, CoverSegment17, DoorTriangle, DoorTriangle11, Edge, EdgeLink, EdgeLink15,
    GridHeader, TallTriangle, Triangle, TriangleIndex, Vertex, Vertex17,
};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::in_order;
use std::iter::FusedIterator;
use zerocopy::FromBytes;
use zerocopy::byteorder::little_endian::{U16, U32};

/// The items of an array in either layout. The layout is the same for all items, so a loop over them is compiled for each.
#[derive(Clone)]
enum TwoLayouts<Old, New> {
    Old(Old),
    New(New),
}

impl<T, Old: Iterator<Item = T>, New: Iterator<Item = T>> Iterator for TwoLayouts<Old, New> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self {
            Self::Old(items) => items.next(),
            Self::New(items) => items.next(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Old(items) => items.size_hint(),
            Self::New(items) => items.size_hint(),
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, T) -> B>(self, init: B, each: F) -> B {
        match self {
            Self::Old(items) => items.fold(init, each),
            Self::New(items) => items.fold(init, each),
        }
    }
}

impl<T, Old, New> ExactSizeIterator for TwoLayouts<Old, New>
where
    Old: ExactSizeIterator<Item = T>,
    New: ExactSizeIterator<Item = T>,
{
}

/// The byte of a record in a list that begins at byte `start`.
pub(super) fn byte_of<T>(start: u64, index: usize) -> u64 {
    start.saturating_add((index as u64).saturating_mul(size_of::<T>() as u64))
}

/// Defines an array with one of two layouts in the file. It borrows a slice and yields items of one type.
macro_rules! two_layouts {
    (
        $(#[$doc:meta])*
        $name:ident -> $item:ty {
            $(#[$old_doc:meta])* $old:ident($old_record:ty) $old_item:expr,
            $(#[$new_doc:meta])* $new:ident($new_record:ty) $new_item:expr,
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum $name<'a> {
            $(#[$old_doc])* $old(&'a [$old_record]),
            $(#[$new_doc])* $new(&'a [$new_record]),
        }

        impl<'a> $name<'a> {
            /// How many there are.
            #[inline]
            pub fn len(&self) -> usize {
                match self {
                    Self::$old(records) => records.len(),
                    Self::$new(records) => records.len(),
                }
            }

            /// Whether there are none.
            #[inline]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The item at this index. O(1).
            #[inline]
            pub fn get(&self, index: usize) -> Option<$item> {
                match self {
                    Self::$old(records) => records.get(index).map($old_item),
                    Self::$new(records) => records.get(index).map($new_item),
                }
            }

            /// All items, in file order.
            #[inline]
            pub fn iter(&self) -> impl ExactSizeIterator<Item = $item> + Clone + use<'a> {
                match *self {
                    Self::$old(records) => TwoLayouts::Old(records.iter().map($old_item)),
                    Self::$new(records) => TwoLayouts::New(records.iter().map($new_item)),
                }
            }

            /// The offset of the record at this index, if the first is at byte `start`, for places in messages.
            pub(super) fn byte(&self, start: u64, index: usize) -> u64 {
                match self {
                    Self::$old(_) => byte_of::<$old_record>(start, index),
                    Self::$new(_) => byte_of::<$new_record>(start, index),
                }
            }
        }

        in_order!(impl<'a> $name<'a> => $item);
    };
}

two_layouts! {
    /// The vertices of a mesh: game units, z up. Borrowed from the file.
    Vertices -> &'a Vertex {
        /// 12 bytes each: all games but Starfield.
        Plain(Vertex) |v| v,
        /// 16 bytes each: Starfield.
        Marked(Vertex17) |v| v.point(),
    }
}

two_layouts! {
    /// The triangles of a mesh. Edges, links, doors and lists name them by index.
    Triangles -> TriangleRef<'a> {
        /// 16 bytes each: Skyrim, Fallout 3, New Vegas.
        V12(Triangle) TriangleRef::V12,
        /// 21 bytes each: Fallout 4 and Starfield.
        V15(TallTriangle) TriangleRef::V15,
    }
}

two_layouts! {
    /// The edge links of a mesh. Edges of triangles name them by index.
    EdgeLinks -> &'a EdgeLink {
        /// 10 bytes each: Skyrim, Fallout 3, New Vegas.
        V12(EdgeLink) |l| l,
        /// 11 bytes each: Fallout 4 and Starfield.
        V15(EdgeLink15) |l| l.link(),
    }
}

impl EdgeLinks<'_> {
    /// The edge of the target triangle that links back. Only Fallout 4 and Starfield store it.
    pub fn target_edge(&self, index: usize) -> Option<u8> {
        match self {
            Self::V12(_) => None,
            Self::V15(links) => links.get(index).map(EdgeLink15::edge),
        }
    }
}

two_layouts! {
    /// The doors of a mesh, as the triangle and the placed reference of each.
    DoorTriangles -> (u16, FormId) {
        /// 10 bytes each, with a type hash: Skyrim and later.
        V12(DoorTriangle) |d| (d.triangle(), d.reference()),
        /// 8 bytes each: Fallout 3 and New Vegas.
        V11(DoorTriangle11) |d| (d.triangle(), d.reference()),
    }
}

/// The cover of a mesh. Up to version 12 it lists the triangles with cover, from version 13 the pieces of cover.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cover<'a> {
    /// Indices of the triangles with cover, ascending: Skyrim, Fallout 3, New Vegas.
    Triangles(&'a [TriangleIndex]),
    /// Pieces of cover, 8 bytes each: Fallout 4.
    V15(&'a [CoverSegment]),
    /// Pieces of cover, 12 bytes each: Starfield.
    V17(&'a [CoverSegment17]),
}

impl<'a> Cover<'a> {
    /// The number of entries, of either kind.
    pub fn len(&self) -> usize {
        match self {
            Self::Triangles(list) => list.len(),
            Self::V15(list) => list.len(),
            Self::V17(list) => list.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The triangles with cover, if the version lists them. Empty from version 13 on.
    pub fn triangles(&self) -> &'a [TriangleIndex] {
        match self {
            Self::Triangles(list) => list,
            Self::V15(_) | Self::V17(_) => &[],
        }
    }
}

/// A triangle in place, in the layout of its version.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriangleRef<'a> {
    /// Skyrim, Fallout 3, New Vegas.
    V12(&'a Triangle),
    /// Fallout 4 and Starfield.
    V15(&'a TallTriangle),
}

impl<'a> TriangleRef<'a> {
    /// Corners and edges as stored.
    #[inline]
    pub fn corners(self) -> &'a Corners {
        match self {
            Self::V12(t) => t.corners(),
            Self::V15(t) => t.corners(),
        }
    }

    /// Vertex indices, counter-clockwise seen from above.
    #[inline]
    pub fn vertices(self) -> [u16; 3] {
        self.corners().vertices()
    }

    /// Flags.
    #[inline]
    pub fn flags(self) -> TriangleFlags {
        match self {
            Self::V12(t) => t.flags(),
            Self::V15(t) => t.flags(),
        }
    }

    /// What edges 0, 1 and 2 lead to.
    #[inline]
    pub fn edges(self) -> [Edge; 3] {
        let flags = self.flags();
        let [a, b, c] = self.corners().edge_values();
        [
            Edge::from_stored(a, flags.contains(TriangleFlags::EDGE_0_LINK)),
            Edge::from_stored(b, flags.contains(TriangleFlags::EDGE_1_LINK)),
            Edge::from_stored(c, flags.contains(TriangleFlags::EDGE_2_LINK)),
        ]
    }

    /// The last word of the record: cover flags, whose layout depends on the version
    /// ([`Triangle::cover`], [`TallTriangle::edge_cover`]).
    pub fn cover_word(self) -> u16 {
        match self {
            Self::V12(t) => t.cover().0,
            Self::V15(t) => t.edge_cover(),
        }
    }

    /// Clearance above the triangle, game units; `None` if the version stores none.
    pub fn height(self) -> Option<f32> {
        match self {
            Self::V12(_) => None,
            Self::V15(t) => Some(t.height()),
        }
    }
}

/// The grid over a mesh: the triangles that touch each of its divisor × divisor cells.
#[derive(Debug, Clone, Copy)]
pub struct Grid<'a> {
    header: &'a GridHeader,
    lists: &'a [u8],
    narrow: bool,
    headless: bool,
}

impl<'a> Grid<'a> {
    /// The most cells along one side that are read. Real meshes have up to 12.
    pub const MOST_DIVISOR: u32 = 64;

    /// Reads the grid and walks its lists to their end. If `narrow`, the lists have `u16` counts (Fallout 3). If `headless`, the
    /// first list is empty and its count is missing.
    pub(super) fn take(cursor: &mut Cursor<'a>, narrow: bool, headless: bool) -> Result<Self> {
        let start = cursor.offset();
        let header: &GridHeader = cursor.record("grid")?;
        let divisor = header.divisor();
        if divisor > Self::MOST_DIVISOR {
            let kind = ErrorKind::Limit {
                what: "grid divisor",
                asked: divisor.into(),
                allowed: Self::MOST_DIVISOR.into(),
            };
            return Err(Error::new(kind).at(start));
        }
        let before = cursor.rest();
        for _ in u32::from(headless)..divisor.saturating_mul(divisor) {
            let count = if narrow { cursor.u16("grid list")?.into() } else { cursor.u32("grid list")? };
            cursor.slice::<TriangleIndex>(usize::try_from(count).unwrap_or(usize::MAX), "grid list")?;
        }
        let used = before.len().saturating_sub(cursor.left());
        Ok(Self { header, lists: before.get(..used).unwrap_or_default(), narrow, headless })
    }

    /// Divisor, cell size and bounds.
    pub fn header(&self) -> &'a GridHeader {
        self.header
    }

    /// Cells along one side.
    pub fn divisor(&self) -> u32 {
        self.header.divisor()
    }

    /// The list of every cell, row by row, x fastest: cell (x, y) is list `y * divisor + x`. Allocates nothing.
    pub fn lists(&self) -> GridLists<'a> {
        let cells = self.divisor().saturating_mul(self.divisor());
        GridLists { rest: self.lists, left: cells, narrow: self.narrow, headless: self.headless }
    }

    /// The lists, each with the offset of its first triangle, if the grid is at byte `start`.
    pub(super) fn places(&self, start: u64) -> impl Iterator<Item = (u64, &'a [TriangleIndex])> + use<'a> {
        let count: u64 = if self.narrow { 2 } else { 4 };
        let mut end = byte_of::<GridHeader>(start, 1);
        let mut headless = self.headless;
        self.lists().map(move |list| {
            let first = if std::mem::take(&mut headless) { end } else { end.saturating_add(count) };
            end = byte_of::<TriangleIndex>(first, list.len());
            (first, list)
        })
    }

    /// The triangles that touch cell (x, y), ascending. O(cells before it).
    pub fn cell(&self, x: u32, y: u32) -> Option<&'a [TriangleIndex]> {
        if x >= self.divisor() || y >= self.divisor() {
            return None;
        }
        let index = y.saturating_mul(self.divisor()).saturating_add(x);
        self.lists().nth(index as usize)
    }
}

/// The lists of a [`Grid`], in order. They were walked when the mesh was parsed, so there is one for every cell.
#[derive(Debug, Clone)]
pub struct GridLists<'a> {
    rest: &'a [u8],
    left: u32,
    narrow: bool,
    headless: bool,
}

impl<'a> Iterator for GridLists<'a> {
    type Item = &'a [TriangleIndex];

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        if std::mem::take(&mut self.headless) {
            return Some(&[]);
        }
        let (count, rest) = if self.narrow {
            let (count, rest) = U16::ref_from_prefix(self.rest).ok()?;
            (usize::from(count.get()), rest)
        } else {
            let (count, rest) = U32::ref_from_prefix(self.rest).ok()?;
            (usize::try_from(count.get()).ok()?, rest)
        };
        let (list, rest) = <[TriangleIndex]>::ref_from_prefix_with_elems(rest, count).ok()?;
        self.rest = rest;
        Some(list)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left as usize))
    }
}

impl FusedIterator for GridLists<'_> {}
