//! Random access: the start of every area.

use super::after::AfterAreas;
use super::area::Area;
use super::flags::{Extension, Visibility};
use super::halves::{Gather, gather};
use super::iter::Areas;
use super::record::{AreaId, Shape};
use super::view::SourceNav;
use navmap_core::error::Result;
use navmap_core::format::ids::Positions;
use navmap_core::in_order;
use std::sync::OnceLock;
use zerocopy::FromBytes;

/// The start and id of each area. In every version an area begins with its id.
#[derive(Clone, Debug)]
pub(super) struct Starts<'a> {
    bytes: &'a [u8],
    offsets: Vec<u32>,
    by_id: OnceLock<Positions>,
}

impl<'a> Starts<'a> {
    /// Empty, with capacity for `room` areas.
    pub(super) fn with_capacity(bytes: &'a [u8], room: usize) -> Self {
        Self { bytes, offsets: Vec::with_capacity(room), by_id: OnceLock::new() }
    }

    /// Adds the next area in file order.
    #[inline]
    pub(super) fn push(&mut self, offset: u32) {
        self.offsets.push(offset);
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    #[inline]
    pub(super) fn offset(&self, index: usize) -> Option<u32> {
        self.offsets.get(index).copied()
    }

    /// The position of the first area with this id.
    #[inline]
    pub(super) fn position(&self, id: AreaId) -> Option<usize> {
        let by_id = self.by_id.get_or_init(|| Positions::new(self.offsets.iter().map(|at| self.id_at(*at))));
        by_id.get(id.get()).map(|position| position as usize)
    }

    fn id_at(&self, at: u32) -> u32 {
        let id = self.bytes.get(at as usize..).and_then(|rest| AreaId::read_from_prefix(rest).ok());
        id.map_or(0, |(id, _)| id.get())
    }
}

impl<'a> Gather<'a> for Starts<'a> {
    #[inline]
    fn add(&mut self, area: &Area<'a>) {
        self.push(area.offset());
    }

    fn append(&mut self, later: Self) {
        self.offsets.extend_from_slice(&later.offsets);
    }
}

/// The starts of a mesh's areas: four bytes per area, found in one walk.
///
/// The first search by id reads all ids once and keeps a table of them. This takes four bytes per area if ids are dense, as in
/// the files of every game but Left 4 Dead 2, and 28 at most.
#[derive(Clone, Debug)]
pub struct AreaIndex<'a> {
    nav: SourceNav<'a>,
    starts: Starts<'a>,
    after: AfterAreas<'a>,
}

in_order!(impl<'i, 'a> &'i AreaIndex<'a> => Area<'a>);

impl<'a> AreaIndex<'a> {
    /// Walks over the mesh once. Reserves for at most as many areas as the bytes can hold.
    ///
    /// # Errors
    /// If the file is damaged: the first place at which reading cannot continue.
    pub fn build(nav: &SourceNav<'a>) -> Result<Self> {
        let room = nav.areas().size_hint().1.unwrap_or(0);
        let make = || Starts::with_capacity(nav.bytes(), room);
        let mut starts = make();
        let after = gather(nav.areas(), &mut starts, make)?;
        Ok(Self { nav: *nav, starts, after })
    }

    /// As [`build`](Self::build), and hands every area to `each` on the way, in file order, so that callers with other needs can avoid
    /// a second walk.
    pub(super) fn build_with(nav: &SourceNav<'a>, mut each: impl FnMut(&Area<'a>)) -> Result<Self> {
        let mut areas: Areas<'a> = nav.areas();
        let mut starts = Starts::with_capacity(nav.bytes(), areas.size_hint().1.unwrap_or(0));
        for area in areas.by_ref() {
            let area = area?;
            starts.push(area.offset());
            each(&area);
        }
        Ok(Self { nav: *nav, starts, after: areas.finish()? })
    }

    /// The mesh.
    pub fn nav(&self) -> &SourceNav<'a> {
        &self.nav
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
    pub fn after_areas(&self) -> &AfterAreas<'a> {
        &self.after
    }

    /// The area at this position in the file, from 0. Each call measures the area anew, with a handful of reads and one
    /// more for each of its encounter paths.
    ///
    /// `None` past the end, or if the bytes have changed since the index was built.
    pub fn get(&self, index: usize) -> Option<Area<'a>> {
        let at = u64::from(self.starts.offset(index)?);
        Area::measure(self.nav.layout(), self.nav.bytes(), at, index as u32).ok()
    }

    /// The area with this id. If there are several, the first in the file.
    pub fn by_id(&self, id: AreaId) -> Option<Area<'a>> {
        self.get(self.position(id)?)
    }

    /// The position in the file, from 0, of the area with this id, without measuring the area. Constant time if ids are dense,
    /// else O(log n); the first call reads all ids.
    #[inline]
    pub fn position(&self, id: AreaId) -> Option<usize> {
        self.starts.position(id)
    }

    /// The id of the area at this position, read without measuring the area.
    pub(super) fn id(&self, index: usize) -> Option<AreaId> {
        self.starts.offset(index).map(|at| AreaId::new(self.starts.id_at(at)))
    }

    /// The rectangle of the area at this position, read without measuring the area.
    pub fn shape(&self, index: usize) -> Option<&'a Shape> {
        let at = u64::from(self.starts.offset(index)?).wrapping_add(self.nav.layout().shape_at());
        let (shape, _) = Shape::ref_from_prefix(self.nav.bytes().get(at as usize..)?).ok()?;
        Some(shape)
    }

    /// The area that contains a point, found as by the engine's `GetNavArea`. The area's rectangle contains x and y (edges
    /// included), and its surface there is at most `reach` below the point and at most 5 units above it. If there are several,
    /// this is the highest, and among equally high ones the first in the file. The engine's reach is [`REACH`](Self::REACH).
    /// `docs/formats/source.md`, section 12.1.
    ///
    /// Tests the rectangle of every area, which takes a few microseconds per thousand areas and no memory.
    pub fn area_at(&self, [x, y, z]: [f32; 3], reach: f32) -> Option<Area<'a>> {
        let mut best: Option<(usize, f32)> = None;
        for (index, shape) in (0..self.len()).filter_map(|index| Some((index, self.shape(index)?))) {
            if !shape.contains_xy(x, y) {
                continue;
            }
            let height = shape.height_at(x, y);
            let within = z - reach <= height && height <= z + 5.0;
            if within && best.is_none_or(|(_, highest)| height > highest) {
                best = Some((index, height));
            }
        }
        self.get(best?.0)
    }

    /// How far below a point the engine looks for an area, in units.
    pub const REACH: f32 = 120.0;

    /// How much of `to` is visible from `from`. The list of `from` decides; if it does not name `to`, the list that it inherits
    /// does, one level deep. An area sees itself. Empty if the mesh stores no visibility. `docs/formats/source.md`, section 4.2.
    ///
    /// Searches the lists from front to back.
    pub fn visibility(&self, from: &Area<'a>, to: &Area<'a>) -> Visibility {
        if from.index() == to.index() {
            return Visibility(Visibility::POTENTIALLY.bits() | Visibility::COMPLETELY.bits());
        }
        let seen = |area: &Area<'a>| {
            let target = match self.nav.extension() {
                Extension::LeftForDead => to.index(),
                _ => to.id().get(),
            };
            let entry = area.visible_areas().iter().find(|entry| entry.target() == target);
            entry.map(|entry| entry.visibility())
        };
        let inherited = || seen(&self.by_id(from.inherits_visibility_from()?)?);
        seen(from).or_else(inherited).unwrap_or_default()
    }

    /// The areas in file order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Area<'a>> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The areas, walked on all cores. They come in file order if the consumer keeps an order.
    pub fn par_iter(&self) -> impl rayon::iter::ParallelIterator<Item = Area<'a>> + '_ {
        use rayon::prelude::*;
        (0..self.len()).into_par_iter().with_min_len(64).filter_map(|index| self.get(index))
    }
}
