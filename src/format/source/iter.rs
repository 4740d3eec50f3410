//! Lazy walks over what varies in length.

#![forbid(unsafe_code)]

use super::area::Area;
use super::flags::Direction;
use super::record::{AreaId, EncounterSpot, OldEncounterSpot, OldPathHead, PathHead};
use super::view::{AfterAreas, SourceNav};
use crate::bytes::prefetch;
use crate::error::Result;
use std::iter::FusedIterator;
use zerocopy::FromBytes;

/// The areas of a mesh, one after the other; allocates nothing. Yields an error once, then ends.
///
/// To reach area *n* means walking over *n* areas: [`AreaIndex`](super::AreaIndex) remembers where they are.
#[derive(Clone, Debug)]
pub struct Areas<'a> {
    nav: SourceNav<'a>,
    at: u64,
    next: u32,
    count: u32,
}

impl<'a> Areas<'a> {
    pub(super) fn new(nav: SourceNav<'a>) -> Self {
        Self { nav, at: u64::from(nav.areas_offset()), next: 0, count: nav.area_count() }
    }

    /// Walks over the areas that are left and reads what follows them: ladders, game data, trailing bytes.
    ///
    /// # Errors
    /// The first place at which the file cannot be read on, also if [`next`](Iterator::next) has reported it before.
    pub fn finish(mut self) -> Result<AfterAreas<'a>> {
        for area in self.by_ref() {
            area?;
        }
        if self.next < self.nav.area_count() {
            Area::measure(self.nav.layout(), self.nav.bytes(), self.at, self.next)?;
        }
        AfterAreas::read(&self.nav, self.at)
    }

    /// Brings bytes ahead closer after a long list was passed over.
    ///
    /// The processor foresees a walk through bytes but not a leap, and visibility lists make up most of a mesh: in a
    /// mesh that no cache holds, each leap would wait on memory. Measured on TF2 meshes, 300 MB of them: 55 % of the
    /// byte-sum rate without, 120 % with. Where nothing is leapt over it only costs, hence the threshold.
    #[inline(always)]
    fn warm(&self, passed: &Area<'a>) {
        const LEAP: u32 = 128;
        const AHEAD: usize = 1024;
        const LINE: usize = 64;
        let spans = passed.spans();
        if spans.inherit.wrapping_sub(spans.visible) >= LEAP {
            let rest = self.nav.bytes().get(spans.end as usize..).unwrap_or_default();
            let len = spans.end.wrapping_sub(spans.start).min(1024) as usize;
            for line in (AHEAD..AHEAD.wrapping_add(len)).step_by(LINE) {
                prefetch(rest, line);
            }
        }
    }
}

impl<'a> Iterator for Areas<'a> {
    type Item = Result<Area<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.count {
            return None;
        }
        let area = Area::measure(self.nav.layout(), self.nav.bytes(), self.at, self.next);
        match &area {
            Ok(area) => {
                self.at = u64::from(area.end());
                self.warm(area);
                self.next = self.next.wrapping_add(1);
            }
            Err(_) => self.count = 0,
        }
        Some(area)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // The count is a claim; an error is an item too.
        let claimed = self.count.saturating_sub(self.next);
        let left = (self.nav.bytes().len() as u64).saturating_sub(self.at);
        let fits = left.checked_div(self.nav.layout().least()).unwrap_or(0).saturating_add(1);
        (0, Some(u64::from(claimed).min(fits) as usize))
    }
}

impl FusedIterator for Areas<'_> {}

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
        // Both fail only where somebody has changed the bytes since the area was measured: the walk then ends.
        if self.old {
            let (head, rest) = OldPathHead::ref_from_prefix(self.rest).ok()?;
            let (spots, rest) = <[_]>::ref_from_prefix_with_elems(rest, usize::from(head.spot_count)).ok()?;
            self.rest = rest;
            Some(EncounterPath(Kind::Old(head, spots)))
        } else {
            let (head, rest) = PathHead::ref_from_prefix(self.rest).ok()?;
            let (spots, rest) = <[_]>::ref_from_prefix_with_elems(rest, usize::from(head.spot_count)).ok()?;
            self.rest = rest;
            Some(EncounterPath(Kind::New(head, spots)))
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left as usize))
    }
}

impl FusedIterator for EncounterPaths<'_> {}

/// A way through an area, from one neighbour to another, and the hiding spots that are passed on it.
#[derive(Clone, Copy, Debug)]
pub struct EncounterPath<'a>(Kind<'a>);

#[derive(Clone, Copy, Debug)]
enum Kind<'a> {
    New(&'a PathHead, &'a [EncounterSpot]),
    Old(&'a OldPathHead, &'a [OldEncounterSpot]),
}

impl<'a> EncounterPath<'a> {
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

    /// Its two ends, which only versions 1 and 2 store. Later, each is the centre of the portal to the neighbour,
    /// raised by 35.5 units.
    pub fn ends(&self) -> Option<[[f32; 3]; 2]> {
        match self.0 {
            Kind::New(..) => None,
            Kind::Old(head, _) => Some([head.from_position.to_array(), head.to_position.to_array()]),
        }
    }

    /// Hiding spots that are passed. Version 3 and later.
    #[inline]
    pub fn spots(&self) -> &'a [EncounterSpot] {
        match self.0 {
            Kind::New(_, spots) => spots,
            Kind::Old(..) => &[],
        }
    }

    /// Points that are passed, in versions 1 and 2.
    pub fn old_spots(&self) -> &'a [OldEncounterSpot] {
        match self.0 {
            Kind::New(..) => &[],
            Kind::Old(_, spots) => spots,
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
