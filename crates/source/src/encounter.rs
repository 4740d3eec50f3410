//! Encounter paths: the paths through an area, walked lazily.

use super::flags::Direction;
use super::record::{AreaId, EncounterSpot, OldEncounterSpot, OldPathHead, PathHead};
use std::iter::FusedIterator;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The encounter paths of one area.
#[derive(Clone, Debug)]
pub struct EncounterPaths<'a> {
    rest: &'a [u8],
    left: u32,
    old: bool,
}

impl<'a> EncounterPaths<'a> {
    #[inline]
    pub(super) fn new(rest: &'a [u8], count: u32, old: bool) -> Self {
        Self { rest, left: count, old }
    }
}

impl<'a> Iterator for EncounterPaths<'a> {
    type Item = EncounterPath<'a>;

    #[inline]
    fn next(&mut self) -> Option<EncounterPath<'a>> {
        self.left = self.left.checked_sub(1)?;
        // This fails only if the bytes have changed since the area was measured. The walk then ends.
        let path = EncounterPath::read(self.rest, 0, self.old)?;
        self.rest = self.rest.get(path.stored_len() as usize..)?;
        Some(path)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left as usize))
    }
}

impl FusedIterator for EncounterPaths<'_> {}

/// A path through an area, from one neighbour to another, and the hiding spots along it.
#[derive(Clone, Copy, Debug)]
pub struct EncounterPath<'a>(Kind<'a>);

#[derive(Clone, Copy, Debug)]
enum Kind<'a> {
    New(&'a PathHead, &'a [EncounterSpot]),
    Old(&'a OldPathHead, &'a [OldEncounterSpot]),
}

impl<'a> EncounterPath<'a> {
    /// The path at this byte, in the form of versions 1 and 2 if it is `old`.
    #[inline(always)]
    pub(super) fn read(bytes: &'a [u8], at: u32, old: bool) -> Option<Self> {
        if old {
            let (head, spots) = head_and_spots(bytes, at, |head: &OldPathHead| head.spot_count)?;
            Some(Self(Kind::Old(head, spots)))
        } else {
            let (head, spots) = head_and_spots(bytes, at, |head: &PathHead| head.spot_count)?;
            Some(Self(Kind::New(head, spots)))
        }
    }

    /// The neighbour it comes from.
    #[inline]
    pub fn from(&self) -> AreaId {
        match self.0 {
            Kind::New(head, _) => head.from,
            Kind::Old(head, _) => head.from,
        }
    }

    /// The neighbour it leads to.
    #[inline]
    pub fn to(&self) -> AreaId {
        match self.0 {
            Kind::New(head, _) => head.to,
            Kind::Old(head, _) => head.to,
        }
    }

    /// The side of this area on which `from` lies. Version 3 and later; `None` also for a number above 3.
    #[inline]
    pub fn from_direction(&self) -> Option<Direction> {
        Direction::from_stored(u32::from(self.from_direction_stored()?))
    }

    /// The side of this area on which `to` lies. Version 3 and later; `None` also for a number above 3.
    #[inline]
    pub fn to_direction(&self) -> Option<Direction> {
        Direction::from_stored(u32::from(self.to_direction_stored()?))
    }

    /// [`from_direction`](Self::from_direction) as stored.
    #[inline]
    pub fn from_direction_stored(&self) -> Option<u8> {
        match self.0 {
            Kind::New(head, _) => Some(head.from_direction),
            Kind::Old(..) => None,
        }
    }

    /// [`to_direction`](Self::to_direction) as stored.
    #[inline]
    pub fn to_direction_stored(&self) -> Option<u8> {
        match self.0 {
            Kind::New(head, _) => Some(head.to_direction),
            Kind::Old(..) => None,
        }
    }

    /// Its two ends, which only versions 1 and 2 store. In later versions each end is the center of the portal to the
    /// neighbour, raised by 35.5 units.
    pub fn ends(&self) -> Option<[[f32; 3]; 2]> {
        match self.0 {
            Kind::New(..) => None,
            Kind::Old(head, _) => Some([head.from_position.to_array(), head.to_position.to_array()]),
        }
    }

    /// Hiding spots along the path. Version 3 and later.
    #[inline]
    pub fn spots(&self) -> &'a [EncounterSpot] {
        match self.0 {
            Kind::New(_, spots) => spots,
            Kind::Old(..) => &[],
        }
    }

    /// Points along the path, in versions 1 and 2.
    pub fn old_spots(&self) -> &'a [OldEncounterSpot] {
        match self.0 {
            Kind::New(..) => &[],
            Kind::Old(_, spots) => spots,
        }
    }

    /// Head and spots as stored.
    pub(super) fn stored(&self) -> (&'a [u8], &'a [u8]) {
        match self.0 {
            Kind::New(head, spots) => (head.as_bytes(), spots.as_bytes()),
            Kind::Old(head, spots) => (head.as_bytes(), spots.as_bytes()),
        }
    }

    /// Bytes in the file.
    pub(super) fn stored_len(&self) -> u32 {
        match self.0 {
            Kind::New(head, spots) => size_of_val(head).saturating_add(size_of_val(spots)) as u32,
            Kind::Old(head, spots) => size_of_val(head).saturating_add(size_of_val(spots)) as u32,
        }
    }
}

/// The head at this byte, and as many spots behind it as it counts.
#[inline(always)]
fn head_and_spots<H, S>(bytes: &[u8], at: u32, count: impl FnOnce(&H) -> u8) -> Option<(&H, &[S])>
where
    H: FromBytes + Immutable + KnownLayout + Unaligned,
    S: FromBytes + Immutable + KnownLayout + Unaligned,
{
    let at = at as usize;
    let after = at.wrapping_add(size_of::<H>());
    let head = H::ref_from_bytes(bytes.get(at..after)?).ok()?;
    let count = usize::from(count(head));
    let spots = bytes.get(after..after.wrapping_add(count.wrapping_mul(size_of::<S>())))?;
    Some((head, <[S]>::ref_from_bytes_with_elems(spots, count).ok()?))
}
