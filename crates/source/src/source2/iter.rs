//! The lazy walk over the areas.

use super::after::AfterPolygonAreas;
use super::area::PolygonArea;
use super::layout::Layout;
use super::record::EdgeLink;
use navmap_core::error::Result;
use std::iter::FusedIterator;

/// The areas of a Source 2 mesh, one after the other. Allocates nothing. If the mesh is damaged, yields one error and
/// ends.
#[derive(Clone, Debug)]
pub struct PolygonAreas<'n, 'a> {
    layout: &'n Layout<'a>,
    at: u32,
    next: u32,
    count: u32,
}

/// Bytes of the shortest area: a polygon without corners.
const LEAST: u64 = 4 + 8 + 1 + 4 + 4 + 5 + 8;

impl<'n, 'a> PolygonAreas<'n, 'a> {
    pub(super) fn new(layout: &'n Layout<'a>) -> Self {
        Self { layout, at: layout.areas_offset, next: 0, count: layout.area_count }
    }

    /// Walks over the areas that are left and reads what follows them.
    ///
    /// # Errors
    /// If the file is damaged, the first place at which it cannot be read on, even if [`next`](Iterator::next) has
    /// reported it before.
    pub fn finish(mut self) -> Result<AfterPolygonAreas<'a>> {
        for area in self.by_ref() {
            area?;
        }
        if self.next < self.layout.area_count {
            PolygonArea::read(self.layout, self.at, self.next, |_| ())?;
        }
        AfterPolygonAreas::read(self.layout, u64::from(self.at))
    }

    /// The next area, as [`next`](Iterator::next), with the links of each edge in turn handed to `edge` on the way.
    ///
    /// An area is measured by a walk over its edges, and [`PolygonArea::edges`] is a second walk over them. Of a damaged area,
    /// `edge` gets those before the damage.
    #[inline]
    pub fn next_with_edges(&mut self, edge: impl FnMut(&'a [EdgeLink])) -> Option<Result<PolygonArea<'a>>> {
        if self.next >= self.count {
            return None;
        }
        let area = PolygonArea::read(self.layout, self.at, self.next, edge);
        match &area {
            Ok(area) => {
                self.at = area.end();
                self.next = self.next.saturating_add(1);
            }
            Err(_) => self.count = 0,
        }
        Some(area)
    }
}

impl<'a> Iterator for PolygonAreas<'_, 'a> {
    type Item = Result<PolygonArea<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.next_with_edges(|_| ())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // The count is only a claim, and an error is an item too.
        let claimed = u64::from(self.count.saturating_sub(self.next));
        let left = (self.layout.bytes.len() as u64).saturating_sub(u64::from(self.at));
        (0, Some(claimed.min(left.wrapping_div(LEAST).saturating_add(1)) as usize))
    }
}

impl FusedIterator for PolygonAreas<'_, '_> {}
