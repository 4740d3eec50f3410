//! Random access: where every area begins.

use super::after::AfterPolygonAreas;
use super::area::PolygonArea;
use super::view::Source2Nav;
use crate::index::Starts;
use crate::record::AreaId;
use navmap_core::error::Result;
use navmap_core::in_order;

/// Where the areas of a Source 2 mesh begin: four bytes an area, made in one walk.
#[derive(Clone, Debug)]
pub struct PolygonAreaIndex<'n, 'a> {
    nav: &'n Source2Nav<'a>,
    starts: Starts<'a>,
    after: AfterPolygonAreas<'a>,
}

in_order!(impl<'i, 'n, 'a> &'i PolygonAreaIndex<'n, 'a> => PolygonArea<'a>);

impl<'n, 'a> PolygonAreaIndex<'n, 'a> {
    /// Walks over the mesh once. Reserves for no more areas than the bytes can hold.
    ///
    /// # Errors
    /// If the file is damaged, the first place at which it cannot be read on.
    pub fn build(nav: &'n Source2Nav<'a>) -> Result<Self> {
        Self::build_with(nav, |_| ())
    }

    /// As [`build`](Self::build), and hands every area to `each` on the way, so that callers with other needs can avoid a second
    /// walk.
    pub(super) fn build_with(
        nav: &'n Source2Nav<'a>,
        mut each: impl FnMut(&PolygonArea<'a>),
    ) -> Result<Self> {
        let mut areas = nav.areas();
        let mut starts = Starts::with_capacity(nav.bytes(), areas.size_hint().1.unwrap_or(0));
        for area in areas.by_ref() {
            let area = area?;
            starts.push(area.offset());
            each(&area);
        }
        Ok(Self { nav, starts, after: areas.finish()? })
    }

    /// Number of areas.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.len() == 0
    }

    /// What follows the areas.
    pub fn after_areas(&self) -> &AfterPolygonAreas<'a> {
        &self.after
    }

    /// The area at this position in the file, from 0.
    pub fn get(&self, index: usize) -> Option<PolygonArea<'a>> {
        PolygonArea::read(self.nav.layout(), self.starts.offset(index)?, index as u32, |_| ()).ok()
    }

    /// The area with this id. If there are several, the first in the file.
    pub fn by_id(&self, id: AreaId) -> Option<PolygonArea<'a>> {
        self.get(self.position(id)?)
    }

    /// The position in the file, from 0, of the area with this id. Constant time where ids are dense,
    /// O(log n) elsewhere; the first call reads all ids.
    pub fn position(&self, id: AreaId) -> Option<usize> {
        self.starts.position(id)
    }

    /// The areas in file order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = PolygonArea<'a>> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The areas, walked on all cores. They come in file order if the consumer keeps an order.
    pub fn par_iter(&self) -> impl rayon::iter::ParallelIterator<Item = PolygonArea<'a>> + '_ {
        use rayon::prelude::*;
        (0..self.len()).into_par_iter().with_min_len(64).filter_map(|index| self.get(index))
    }
}
