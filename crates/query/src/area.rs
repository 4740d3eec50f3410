//! The handle of a place to stand.

use std::fmt;
use std::num::NonZeroU32;

/// A place to stand in a [`NavIndex`](super::NavIndex): an area, a waypoint, a face, a triangle.
///
/// It is a position in the index, not an id: the index numbers its areas so that neighbours are adjacent. It is valid only for
/// the index it came from. Ids survive a reload, handles do not. `Option<Area>` is 4 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Area(NonZeroU32);

impl Area {
    /// The area at a position. The positions of an index are 0 up to, but not including, [`len`](super::NavIndex::len).
    pub fn at(position: u32) -> Option<Self> {
        NonZeroU32::new(position.wrapping_add(1)).map(Self)
    }

    /// Its position in the index.
    pub fn position(self) -> u32 {
        self.0.get() - 1
    }

    #[inline(always)]
    pub(super) fn new(position: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(position))
    }

    #[inline(always)]
    pub(super) fn slot(self) -> usize {
        self.position() as usize
    }
}

impl fmt::Debug for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Area({})", self.position())
    }
}
