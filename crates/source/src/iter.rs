//! The lazy walk over the areas.

use super::after::AfterAreas;
use super::area::Area;
use super::encounter::EncounterPath;
use super::layout::Layout;
use navmap_core::bytes::prefetch;
use navmap_core::error::Result;
use std::iter::FusedIterator;

/// Bytes of a line of the processor's caches.
const LINE: usize = 64;

/// The areas of a mesh, one after the other. Allocates nothing. If the mesh is damaged, yields one error and ends.
///
/// Areas vary in length, so reaching area *n* takes a walk over *n* areas. [`AreaIndex`](super::AreaIndex) stores their offsets.
#[derive(Clone, Debug)]
pub struct Areas<'a> {
    bytes: &'a [u8],
    layout: Layout,
    at: u64,
    next: u32,
    count: u32,
    claimed: u32,
}

impl<'a> Areas<'a> {
    /// `claimed` areas from byte `at` on.
    pub(super) fn new(bytes: &'a [u8], layout: Layout, at: u32, claimed: u32) -> Self {
        Self { bytes, layout, at: u64::from(at), next: 0, count: claimed, claimed }
    }

    /// Walks over the remaining areas and reads the part after them: ladders, game data, trailing bytes.
    ///
    /// # Errors
    /// If the file is damaged: the first place at which reading cannot continue, even if [`next`](Iterator::next) has already
    /// reported it.
    pub fn finish(mut self) -> Result<AfterAreas<'a>> {
        for area in self.by_ref() {
            area?;
        }
        if self.next < self.claimed {
            Area::measure(self.layout, self.bytes, self.at, self.next)?;
        }
        AfterAreas::read(self.bytes, self.layout, self.at)
    }

    /// The next area, as [`next`](Iterator::next), with its encounter paths handed to `path` on the way.
    ///
    /// The length of a path is known only from the path itself, so an area is measured by a walk over its paths, and
    /// [`Area::encounter_paths`] is a second walk over them. Whoever reads them all saves that one here: in meshes of CS:GO paths
    /// are most of the bytes. Of a damaged area, `path` gets those before the damage.
    #[inline]
    pub fn next_with_paths(&mut self, path: impl FnMut(EncounterPath<'a>)) -> Option<Result<Area<'a>>> {
        if !self.has_next() {
            return None;
        }
        let area = Area::read(self.layout, self.bytes, self.at, self.next, path);
        Some(self.go_on(area, Self::warm))
    }

    /// The next area, as [`next`](Iterator::next), for whoever knows where areas begin and does not read what they see: of what comes
    /// later only the head of the area at byte `ahead` is prefetched.
    #[inline(always)]
    pub(super) fn next_head(&mut self, ahead: Option<u32>) -> Option<Result<Area<'a>>> {
        if !self.has_next() {
            return None;
        }
        // All of the paths are read, to find where they end.
        let whole = self.layout.is_mostly_paths();
        let area = self.measured();
        Some(self.go_on(area, |walk, area| match ahead {
            Some(ahead) if !whole => walk.warm_head(ahead),
            _ => walk.warm(area),
        }))
    }

    #[inline(always)]
    fn has_next(&self) -> bool {
        self.next < self.count
    }

    #[inline(always)]
    fn measured(&self) -> Result<Area<'a>> {
        Area::measure(self.layout, self.bytes, self.at, self.next)
    }

    /// Goes on behind the area that was read, or ends.
    #[inline(always)]
    fn go_on(&mut self, area: Result<Area<'a>>, warm: impl FnOnce(&Self, &Area<'a>)) -> Result<Area<'a>> {
        match &area {
            Ok(area) => {
                warm(self, area);
                self.leave(area);
            }
            Err(_) => self.count = 0,
        }
        area
    }

    /// Goes on behind the area.
    #[inline(always)]
    pub(super) fn pass(&mut self, area: &Area<'a>) {
        self.warm(area);
        self.leave(area);
    }

    #[inline(always)]
    fn leave(&mut self, area: &Area<'a>) {
        self.at = u64::from(area.end());
        self.next = self.next.wrapping_add(1);
    }

    /// The file.
    #[inline(always)]
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    #[inline(always)]
    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// Where the next area begins.
    #[inline(always)]
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// The index of the next area.
    #[inline(always)]
    pub(super) fn index(&self) -> u32 {
        self.next
    }

    /// Areas that are left, as the file claims.
    #[inline(always)]
    pub(super) fn left(&self) -> u32 {
        self.count.saturating_sub(self.next)
    }

    /// A walk from byte `at` on, over no more areas than are left, whose indices begin at 0.
    pub(super) fn elsewhere(&self, at: u64) -> Self {
        Self { at, next: 0, count: self.left(), claimed: self.left(), ..self.clone() }
    }

    /// Goes on where another walk has come to, if that began where this one stands and has passed no more areas than are left.
    pub(super) fn join(&mut self, begun: u64, other: &Self) -> bool {
        let joined = self.at == begun && other.next <= self.left();
        if joined {
            self.at = other.at;
            self.next = self.next.saturating_add(other.next);
        }
        joined
    }

    /// Prefetches as many lines as were walked over, at a fixed distance ahead. An area begins with the line that the one before ended
    /// with, so together they prefetch every line of the file once, or more often where areas are short.
    ///
    /// The processor predicts a walk through bytes but not a jump, and visibility lists make up most of a mesh. If the mesh is
    /// not in a cache, each jump waits for memory: over 200 MB of TF2 meshes a walk takes two to three times as long without this.
    #[inline(always)]
    fn warm(&self, passed: &Area<'a>) {
        const AHEAD: usize = 2048;
        // Of a short area these are too many, which costs less than to count them.
        const LEAST: usize = 4;
        let line = |at: u32| (at as usize).wrapping_div(LINE);
        let ahead = |line: usize| prefetch(self.bytes, line.wrapping_mul(LINE).wrapping_add(AHEAD));
        let (first, last) = (line(passed.offset()), line(passed.end()));
        (0..LEAST).for_each(|next| ahead(first.wrapping_add(next)));
        (first.wrapping_add(LEAST)..last).for_each(ahead);
    }

    /// Prefetches what most areas have before the list of what they see.
    #[inline(always)]
    fn warm_head(&self, at: u32) {
        const LINES: usize = 3;
        (0..LINES).for_each(|line| prefetch(self.bytes, (at as usize).wrapping_add(line.wrapping_mul(LINE))));
    }
}

impl<'a> Iterator for Areas<'a> {
    type Item = Result<Area<'a>>;

    // Always: a call would copy the area twice.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if !self.has_next() {
            return None;
        }
        let area = self.measured();
        Some(self.go_on(area, Self::warm))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // The count is only a claim, and an error is an item too.
        let claimed = self.count.saturating_sub(self.next);
        let left = (self.bytes.len() as u64).saturating_sub(self.at);
        let fits = left.checked_div(self.layout.least()).unwrap_or(0).saturating_add(1);
        (0, Some(u64::from(claimed).min(fits) as usize))
    }
}

impl FusedIterator for Areas<'_> {}
