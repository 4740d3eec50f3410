//! The faces of a NavmeshChunk. Nearly all are triangles whose neighbours are in the same group. Such a face is kept as its
//! sixteen bytes in the file, so that writing a list of them is nearly as fast as copying it.

use crate::record::SegmentIndex;
use std::fmt;

/// The faces of a [`MeshBuf`](super::MeshBuf).
#[derive(Clone, Default)]
pub struct FaceList {
    rows: Vec<Row>,
    /// The faces that do not fit into a row, each with its number.
    wide: Vec<(usize, FaceBuf)>,
}

/// A triangle as in a file: three neighbours of 16 bits, three corners and three nodes of 8 bits. The file's padding, from bit 96
/// on, holds 12 bits of segment and 20 bits of index into the faces that do not fit into a row, counted from 1. That exceeds the
/// number of faces in the format.
#[derive(Clone, Copy)]
pub(crate) struct Row([u64; 2]);

impl Row {
    fn new(face: &FaceBuf, wide: usize) -> Self {
        let [corners, nodes] = [face.corners, face.nodes].map(|four| u64::from(u32::from_le_bytes(four)));
        let sides = face.neighbour_words() & 0xFFFF_FFFF_FFFF | corners << 48;
        let rest = corners >> 16 & 0xFF | nodes << 8 & 0xFFFF_FF00;
        Self([sides, rest | u64::from(face.segment.0 & 0xFFF) << 32 | (wide as u64) << 44])
    }

    /// The face as a triangle within its group.
    fn triangle(self) -> FaceBuf {
        let [sides, rest] = self.0;
        let [a0, a1, b0, b1, c0, c1, corner_a, corner_b] = sides.to_le_bytes();
        let [corner_c, a, b, c, ..] = rest.to_le_bytes();
        let neighbours = [[a0, a1], [b0, b1], [c0, c1], [0, 0]].map(u16::from_le_bytes);
        let segment = SegmentIndex(self.segment() as u16);
        FaceBuf { neighbours, ..FaceBuf::triangle(segment, [corner_a, corner_b, corner_c], [a, b, c]) }
    }

    /// The segment, 12 bits.
    #[inline]
    pub(crate) fn segment(self) -> u32 {
        let [_, rest] = self.0;
        (rest >> 32) as u32 & 0xFFF
    }

    /// The record of a triangle within its group.
    #[inline]
    pub(crate) fn record(self) -> [u8; 16] {
        let [sides, rest] = self.0;
        (u128::from(sides) | u128::from(rest & 0xFFFF_FFFF) << 64).to_le_bytes()
    }

    /// The index into the faces that do not fit into a row, counted from 1; 0 for one that fits.
    #[inline]
    fn wide(self) -> usize {
        let [_, rest] = self.0;
        (rest >> 44) as usize
    }
}

impl FaceList {
    /// How many faces there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Reserves capacity for `more` faces.
    pub fn reserve(&mut self, more: usize) {
        self.rows.reserve(more);
    }

    /// The rows, each with the face that does not fit into it.
    #[inline]
    pub(crate) fn rows(&self) -> impl Iterator<Item = (Row, Option<&FaceBuf>)> {
        self.rows.iter().map(|row| match row.wide() {
            0 => (*row, None),
            place => (*row, self.wide.get(place.wrapping_sub(1)).map(|(_, face)| face)),
        })
    }

    /// A face.
    pub fn get(&self, index: usize) -> Option<FaceBuf> {
        let row = *self.rows.get(index)?;
        let wide = row.wide().checked_sub(1).and_then(|place| self.wide.get(place));
        Some(wide.map_or_else(|| row.triangle(), |(_, face)| *face))
    }

    /// The faces in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = FaceBuf> + ExactSizeIterator {
        (0..self.len()).map(|index| self.get(index).unwrap_or_default())
    }

    /// Adds a face. A group can hold 16,383 of them; the encoder checks this.
    pub fn push(&mut self, face: FaceBuf) {
        let index = self.rows.len();
        self.rows.push(Row([0; 2]));
        self.set(index, face);
    }

    /// Replaces an existing face.
    pub fn set(&mut self, index: usize, face: FaceBuf) {
        let Some(row) = self.rows.get_mut(index) else { return };
        let before = row.wide();
        *row = Row::new(&face, 0);
        let wide = face.is_crossing() || row.triangle() != face;
        match (before.checked_sub(1), wide) {
            (None, false) => {}
            (None, true) => {
                self.wide.push((index, face));
                *row = Row::new(&face, self.wide.len());
            }
            (Some(place), true) => {
                self.wide.get_mut(place).into_iter().for_each(|old| *old = (index, face));
                *row = Row::new(&face, before);
            }
            // The last one moves to the free index.
            (Some(place), false) => {
                if let Some(last) = self.wide.pop()
                    && let Some(free) = self.wide.get_mut(place)
                {
                    *free = last;
                    let (index, face) = last;
                    self.rows.get_mut(index).into_iter().for_each(|row| *row = Row::new(&face, before));
                }
            }
        }
    }

    /// Size of all records in bytes, padding included: 16 each, or 32 with groups and tiles.
    pub(crate) fn stored_len(&self) -> usize {
        let crossing = self.wide.iter().filter(|(_, face)| face.is_crossing()).count();
        self.len().saturating_add(crossing) << 4
    }

    /// Brings the list closer.
    pub(crate) fn warm(&self, warm: impl Fn(&[Row])) {
        warm(&self.rows);
    }
}

impl PartialEq for FaceList {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl fmt::Debug for FaceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Extend<FaceBuf> for FaceList {
    fn extend<I: IntoIterator<Item = FaceBuf>>(&mut self, faces: I) {
        faces.into_iter().for_each(|face| self.push(face));
    }
}

impl FromIterator<FaceBuf> for FaceList {
    fn from_iter<I: IntoIterator<Item = FaceBuf>>(faces: I) -> Self {
        let mut list = Self::default();
        list.extend(faces);
        list
    }
}

/// A face of a [`MeshBuf`](super::MeshBuf): a triangle or a quad. For a triangle, the fourth element of every array is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FaceBuf {
    /// The segment, 12 bits.
    pub segment: SegmentIndex,
    /// The face across each side: 2 bits of kind and 14 of face index, `0xFFFF` for none.
    pub neighbours: [u16; 4],
    /// The neighbours' groups, stored if some neighbour is in another group or tile.
    pub groups: [u16; 4],
    /// The neighbours' tiles, stored if some neighbour is in another group or tile.
    pub tiles: [u16; 4],
    /// Corners, counted from the segment's first vertex.
    pub corners: [u8; 4],
    /// The node of each side, counted from the segment's first node.
    pub nodes: [u8; 4],
    /// Whether it has four corners and neighbours.
    pub quad: bool,
    /// Whether it has four nodes.
    pub four_nodes: bool,
}

impl FaceBuf {
    /// A triangle of a segment without neighbours.
    pub fn triangle(segment: SegmentIndex, corners: [u8; 3], nodes: [u8; 3]) -> Self {
        let ([a, b, c], [d, e, f]) = (corners, nodes);
        Self {
            segment,
            neighbours: [0xFFFF, 0xFFFF, 0xFFFF, 0],
            groups: [0; 4],
            tiles: [0; 4],
            corners: [a, b, c, 0],
            nodes: [d, e, f, 0],
            quad: false,
            four_nodes: false,
        }
    }

    /// The number of corners, and of neighbours.
    #[inline]
    pub fn sides(&self) -> usize {
        if self.quad { 4 } else { 3 }
    }

    /// Whether a neighbour is in another group or tile, so that groups and tiles are stored.
    #[inline]
    pub fn is_crossing(&self) -> bool {
        // Called for every face that is written. Tests all sides at once, since branches on borders are unpredictable.
        const TOP: u64 = 0x8000_8000_8000_8000;
        let sides = if self.quad { TOP } else { TOP >> 16 };
        let words = self.neighbour_words();
        let there = ((!words & !TOP).wrapping_add(!TOP) | !words) & TOP;
        (words | words << 1) & there & sides != 0
    }

    /// The neighbours, with the first in the lowest bits.
    #[inline]
    pub(crate) fn neighbour_words(&self) -> u64 {
        let [a, b, c, d] = self.neighbours.map(u64::from);
        a | b << 16 | c << 32 | d << 48
    }
}
