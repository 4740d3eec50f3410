//! Random access: where every area begins.

#![forbid(unsafe_code)]

use super::area::Area;
use super::iter::Areas;
use super::record::AreaId;
use super::view::{AfterAreas, SourceNav};
use crate::error::Result;
use std::sync::OnceLock;
use zerocopy::FromBytes;

/// Where the areas of a mesh begin: four bytes an area, made in one walk.
///
/// Ids ascend in the files of nearly every game, and are then found by halving, in place. Where they do not (Left 4
/// Dead 2), the first search by id sorts them once: eight more bytes an area.
#[derive(Clone, Debug)]
pub struct AreaIndex<'a> {
    nav: SourceNav<'a>,
    offsets: Vec<u32>,
    after: AfterAreas<'a>,
    ascending: bool,
    by_id: OnceLock<Vec<(u32, u32)>>,
}

impl<'a> AreaIndex<'a> {
    /// Walks over the mesh once. Reserves for no more areas than the bytes can hold.
    ///
    /// # Errors
    /// The first place at which the file cannot be read on.
    pub fn build(nav: &SourceNav<'a>) -> Result<Self> {
        let mut areas: Areas<'a> = nav.areas();
        let mut offsets = Vec::with_capacity(areas.size_hint().1.unwrap_or(0));
        let (mut ascending, mut previous) = (true, None);
        for area in areas.by_ref() {
            let area = area?;
            offsets.push(area.offset());
            let id = Some(area.id().get());
            ascending &= previous < id;
            previous = id;
        }
        Ok(Self { nav: *nav, offsets, after: areas.finish()?, ascending, by_id: OnceLock::new() })
    }

    /// The mesh.
    pub fn nav(&self) -> &SourceNav<'a> {
        &self.nav
    }

    /// Number of areas.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// What follows the areas.
    pub fn after_areas(&self) -> &AfterAreas<'a> {
        &self.after
    }

    /// The area at this position in the file, from 0. Measures it anew: a handful of reads, one for each of its
    /// encounter paths.
    ///
    /// `None` past the end (and where somebody has changed the bytes since the index was built).
    pub fn get(&self, index: usize) -> Option<Area<'a>> {
        let at = u64::from(*self.offsets.get(index)?);
        Area::measure(self.nav.layout(), self.nav.bytes(), at, index as u32).ok()
    }

    /// The area with this id; the first in the file if there are several.
    pub fn by_id(&self, id: AreaId) -> Option<Area<'a>> {
        self.get(self.position(id)?)
    }

    /// The position in the file, from 0, of the area with this id.
    pub fn position(&self, id: AreaId) -> Option<usize> {
        let id = id.get();
        if self.ascending {
            return self.offsets.binary_search_by_key(&id, |at| self.id_at(*at)).ok();
        }
        let sorted = self.by_id.get_or_init(|| {
            let mut sorted: Vec<_> =
                self.offsets.iter().zip(0..).map(|(at, index)| (self.id_at(*at), index)).collect();
            sorted.sort_unstable();
            sorted
        });
        let first = sorted.partition_point(|(other, _)| *other < id);
        sorted.get(first).filter(|(other, _)| *other == id).map(|(_, index)| *index as usize)
    }

    /// The areas in file order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Area<'a>> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The areas on all cores, in file order where the consumer keeps one.
    #[cfg(feature = "rayon")]
    pub fn par_iter(&self) -> impl rayon::iter::ParallelIterator<Item = Area<'a>> + '_ {
        use rayon::prelude::*;
        (0..self.len()).into_par_iter().with_min_len(64).filter_map(|index| self.get(index))
    }

    fn id_at(&self, at: u32) -> u32 {
        let id = self.nav.bytes().get(at as usize..).and_then(|rest| AreaId::read_from_prefix(rest).ok());
        id.map_or(0, |(id, _)| id.get())
    }
}
