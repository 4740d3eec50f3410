//! The nodes of a file, in place.

use super::flags::{Cover, CoverFlags};
use super::layout::Layout;

/// A node: a square of the grid with a height. Borrowed from the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node<'a> {
    bytes: &'a [u8],
    layout: Layout,
}

impl Node<'_> {
    /// The little-endian number of two bytes at a place in the record.
    #[inline]
    fn word(&self, at: usize) -> u16 {
        self.bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u16::from_le_bytes(*bytes))
    }
    /// The links and what is behind them, as one number.
    #[inline]
    fn packed(&self) -> u128 {
        self.bytes.first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes))
    }
    /// The links as stored: all bits are set where there is none.
    #[inline]
    pub fn stored_links(&self) -> [u32; 4] {
        // Two of them lie in the first eight bytes, two in the eight from where the third begins.
        let (bits, none) = (self.layout.bits, self.layout.none());
        let third = bits.saturating_mul(2);
        let word = |at: u32| {
            let bytes = self.bytes.get(at as usize..).and_then(|bytes| bytes.first_chunk());
            bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let (low, high) = (word(0), word(third >> 3) >> (third & 7));
        [low, low >> bits, high, high >> bits].map(|link| link as u32 & none)
    }
    /// The nodes beside it, if one can go there: towards lower x, higher z, higher x, lower z.
    #[inline]
    pub fn links(&self) -> [Option<u32>; 4] {
        let none = self.layout.none();
        self.stored_links().map(|link| Some(link).filter(|link| *link != none))
    }
    /// The bits behind the links: a light of versions 8 to 10, 0 to 15. `None` in version 13, which has no such bits.
    pub fn light(&self) -> Option<u8> {
        let (shift, spare) = (self.layout.bits.saturating_mul(4), self.layout.spare().min(7));
        (spare > 0).then(|| (self.packed() >> shift) as u8 & (1_u8 << spare).wrapping_sub(1))
    }
    /// Cover for one who stands.
    #[inline]
    pub fn cover(&self) -> Cover {
        Cover(self.word(self.layout.links))
    }
    /// Cover for one who crouches, from version 10.
    #[inline]
    pub fn low_cover(&self) -> Option<Cover> {
        self.layout.low.then(|| Cover(self.word(self.layout.links.saturating_add(2))))
    }
    /// Where it gives cover.
    pub fn flags(&self) -> CoverFlags {
        CoverFlags::new(self.cover(), self.low_cover())
    }
    /// How it is tilted, packed into 16 bits whose meaning is not known.
    #[inline]
    pub fn plane(&self) -> u16 {
        self.word(self.after_links())
    }
    /// The number of its square.
    #[inline]
    pub fn square(&self) -> u32 {
        // Behind it lies its height, so that four bytes can be read of three too.
        let rest = self.bytes.get(self.after_links().saturating_add(2)..);
        let four = rest.and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes));
        if self.layout.square < 4 { four & 0xFF_FFFF } else { four }
    }
    /// Its height as stored: 0 the lowest of the box, 65,535 the highest.
    #[inline]
    pub fn height(&self) -> u16 {
        self.word(self.after_links().saturating_add(2).saturating_add(self.layout.square))
    }
    #[inline]
    fn after_links(&self) -> usize {
        self.layout.links.saturating_add(if self.layout.low { 4 } else { 2 })
    }
}

/// The nodes of a file, sorted by their squares.
#[derive(Debug, Clone, Copy)]
pub struct Nodes<'a> {
    bytes: &'a [u8],
    layout: Layout,
}

impl<'a> Nodes<'a> {
    /// Lays nodes over bytes, as many as are whole.
    pub(super) fn new(bytes: &'a [u8], layout: Layout) -> Self {
        Self { bytes, layout }
    }
    /// How many.
    #[inline]
    pub fn len(&self) -> usize {
        self.bytes.len().checked_div(self.layout.len()).unwrap_or(0)
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The node of this index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Node<'a>> {
        let len = self.layout.len();
        let at = index.checked_mul(len)?;
        let bytes = self.bytes.get(at..)?.get(..len)?;
        Some(Node { bytes, layout: self.layout })
    }
    /// All of them, in file order. Allocates nothing.
    pub fn iter(&self) -> impl Iterator<Item = Node<'a>> + Clone + use<'a> {
        let layout = self.layout;
        self.bytes.chunks_exact(layout.len().max(1)).map(move |bytes| Node { bytes, layout })
    }
    /// The first node whose square is not before this one.
    pub(super) fn first_of(&self, square: u32) -> usize {
        let (mut from, mut to) = (0_usize, self.len());
        while from < to {
            let middle = from.midpoint(to);
            match self.get(middle) {
                Some(node) if node.square() < square => from = middle.saturating_add(1),
                _ => to = middle,
            }
        }
        from
    }
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
    pub(super) fn layout(&self) -> Layout {
        self.layout
    }
}
