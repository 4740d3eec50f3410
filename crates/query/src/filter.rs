//! Which areas and links a query may use.

use super::area::Area;
use super::index::NavIndex;
use super::kinds::Kinds;
use super::misuse::Misuse;
use std::fmt;

/// A bit for each area of an index, which the caller owns and changes.
///
/// It is for the index that it was made for; a query in another one refuses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    stamp: u64,
    areas: usize,
    bits: Vec<u64>,
}

impl Mask {
    /// A mask without any area.
    pub fn new(index: &NavIndex) -> Self {
        Self { stamp: index.stamp, areas: index.len(), bits: vec![0; index.len().div_ceil(64)] }
    }

    /// A mask of the areas that `which` accepts.
    pub fn of(index: &NavIndex, mut which: impl FnMut(Area) -> bool) -> Self {
        let mut mask = Self::new(index);
        index.areas().for_each(|area| mask.set(area, which(area)));
        mask
    }

    /// Puts an area in, or takes it out. An area that does not exist changes nothing.
    pub fn set(&mut self, area: Area, on: bool) {
        let bit = 1 << (area.slot() % 64);
        if let Some(word) = self.bits.get_mut(area.slot() / 64).filter(|_| area.slot() < self.areas) {
            *word = if on { *word | bit } else { *word & !bit };
        }
    }

    /// Whether an area is in it.
    #[inline]
    pub fn has(&self, area: Area) -> bool {
        self.bits.get(area.slot() / 64).is_some_and(|word| word >> (area.slot() % 64) & 1 != 0)
    }

    /// Its areas, in their order.
    pub fn areas(&self) -> impl Iterator<Item = Area> + '_ {
        (0..self.areas as u32).map(Area::new).filter(|area| self.has(*area))
    }

    /// Takes all areas out.
    pub fn clear(&mut self) {
        self.bits.fill(0);
    }

    /// Whether it was made for an index.
    pub fn fits(&self, index: &NavIndex) -> bool {
        self.stamp == index.stamp
    }
}

/// Which areas and links a query may use. The default allows all; `with_…` changes it. Everything that is set has to hold.
///
/// A [`Query`](super::Query) takes it whole, for [`path`](super::PathScratch::path), [`flood`](super::PathScratch::flood) and all
/// that search. Questions about points take what [`on`](Self::on) makes of it: [`nearest_where`](NavIndex::nearest_where),
/// [`area_at_where`](NavIndex::area_at_where), [`within_where`](NavIndex::within_where),
/// [`walk_line_where`](NavIndex::walk_line_where), [`slide_where`](NavIndex::slide_where).
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// # use navmap::query::{Policy, World};
/// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
/// # let index = world.index();
/// use navmap::graph::Point;
/// use navmap::query::{Filter, PathScratch, Query};
///
/// let site = index.place_number("BombsiteB").expect("a place of this name");
/// let sites = [site];
/// let outside = Filter::default().with_not_places(&sites);
/// let near = index.nearest_where(Point::new(-150.0, 280.0, 10.0), 5_000.0, outside.on(index)?).expect("some area");
/// assert_ne!(index.place(near.area), Some("BombsiteB"));
///
/// let [a, b] = ["Middle", "BackAlley"].map(|place| index.in_place(place).next().expect("a place of this name"));
/// let mut scratch = PathScratch::new(index);
/// assert!(scratch.path(index, a, b, &Query::default().with_filter(outside))?.cost().is_some());
/// assert!(scratch.areas().all(|area| index.place(area) != Some("BombsiteB")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Filter<'f> {
    /// If not 0, an area needs one of these [flags](NavIndex::flags).
    pub include: u64,
    /// Areas with one of these flags are left out.
    pub exclude: u64,
    /// If not empty, an area needs one of these places, by [number](NavIndex::place_number).
    pub places: &'f [u32],
    /// Areas of these places are left out.
    pub not_places: &'f [u32],
    /// Kinds of links. They say nothing about areas, so questions about points ignore them.
    pub kinds: Kinds,
    /// If set, an area has to be in it.
    pub mask: Option<&'f Mask>,
    /// If set, it has to accept an area.
    pub test: Option<&'f (dyn Fn(Area) -> bool + Sync)>,
}

impl Default for Filter<'_> {
    fn default() -> Self {
        Self {
            include: 0,
            exclude: 0,
            places: &[],
            not_places: &[],
            kinds: Kinds::ALL,
            mask: None,
            test: None,
        }
    }
}

impl fmt::Debug for Filter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("include", &self.include)
            .field("exclude", &self.exclude)
            .field("places", &self.places)
            .field("not_places", &self.not_places)
            .field("kinds", &self.kinds)
            .field("mask", &self.mask.is_some())
            .field("test", &self.test.is_some())
            .finish()
    }
}

impl<'f> Filter<'f> {
    navmap_core::with! {
        with_include = include: u64;
        with_exclude = exclude: u64;
        with_places = places: &'f [u32];
        with_not_places = not_places: &'f [u32];
        with_kinds = kinds: Kinds;
        with_mask = mask: Option<&'f Mask>;
        with_test = test: Option<&'f (dyn Fn(Area) -> bool + Sync)>;
    }

    /// What tells whether an area passes, for the questions about points.
    ///
    /// # Errors
    /// If the mask belongs to another index.
    pub fn on<'a>(&'a self, index: &'a NavIndex) -> Result<impl Fn(Area) -> bool + Copy + 'a, Misuse> {
        if self.mask.is_some_and(|mask| !mask.fits(index)) {
            return Err(Misuse::OtherIndex);
        }
        Ok(move |area| self.keeps(index, area))
    }

    /// The areas of an index that pass.
    ///
    /// # Errors
    /// If the mask belongs to another index.
    pub fn areas<'a>(&'a self, index: &'a NavIndex) -> Result<impl Iterator<Item = Area> + 'a, Misuse> {
        let keep = self.on(index)?;
        Ok(index.areas().filter(move |area| keep(*area)))
    }

    /// Whether every area passes, if links are left aside.
    pub(super) fn takes_all(&self) -> bool {
        self.include == 0
            && self.exclude == 0
            && self.places.is_empty()
            && self.not_places.is_empty()
            && self.mask.is_none()
            && self.test.is_none()
    }

    /// Whether an area passes. The mask is of this index.
    #[inline]
    pub(super) fn keeps(&self, index: &NavIndex, area: Area) -> bool {
        let flags = index.flags(area);
        if self.include != 0 && flags & self.include == 0 || flags & self.exclude != 0 {
            return false;
        }
        if !(self.places.is_empty() && self.not_places.is_empty()) {
            let place = index.place_of(area);
            let among = |places: &[u32]| place.is_some_and(|place| places.contains(&place));
            if !self.places.is_empty() && !among(self.places) || among(self.not_places) {
                return false;
            }
        }
        self.mask.is_none_or(|mask| mask.has(area)) && self.test.is_none_or(|test| test(area))
    }
}
