//! Which areas and links a question may use: filters, and masks of areas.

use crate::Point;
use crate::area::{NAVMAP_NONE, area};
use crate::door::{LentMask, LentNumbers, User};
use crate::error::Failure;
use crate::locate::{Near20, Walk36, near, reach};
use crate::query::{is_kinds, kinds_without};
use crate::status::Status;
use crate::text::utf8;
use crate::turned::Turned;
use crate::world::World;
use navmap::query::{Area, NavIndex};
use std::ffi::{c_char, c_void};

/// A bit for each area of a world. It is lent to filters and to questions about who sees whom. Any number of queries may read it
/// at once. A thread may change it only while nobody reads it.
pub type Mask = Turned<navmap::query::Mask>;

/// Tells whether an area may be used: anything but 0 if it may. It must not throw, and may not use the query that asks.
pub type OnArea = Option<extern "C" fn(area: u32, user: *mut c_void) -> i32>;

/// Which areas and links a question may use. Zeros allow all; `size` must be set, as `NAVMAP_INIT` does. Everything that is
/// set has to hold. What it points to is only read during the call.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Filter {
    /// `sizeof(navmap_filter)`.
    pub size: u32,
    /// Kinds of links that must not be taken: `1u << NAVMAP_LADDER` and so on. Only searches for ways look at links.
    pub without: u32,
    /// An area needs one of these flags, if any is set. `navmap_world_flag` gives them.
    pub include: u64,
    /// Areas with one of these flags are left out.
    pub exclude: u64,
    /// How many `places` there are.
    pub place_count: u32,
    /// How many `not_places` there are.
    pub not_place_count: u32,
    /// An area needs one of these places, if there are any. `navmap_world_place` gives their numbers.
    pub places: LentNumbers,
    /// Areas of these places are left out.
    pub not_places: LentNumbers,
    /// An area has to be in it. NULL: any.
    pub mask: LentMask,
    /// Has to accept an area. NULL: any.
    pub test: OnArea,
    /// Is handed to `test`.
    pub user: *mut c_void,
}
sized32!(Filter: size_of::<Filter>());

impl Filter {
    /// Hands the filter, as the library has it, to `then`.
    pub(crate) fn with<R>(
        &self,
        index: &NavIndex,
        then: impl FnOnce(navmap::query::Filter<'_>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        if !is_kinds(self.without) {
            return Err(Failure::Bare(Status::Invalid, "filter.without"));
        }
        let places = self.places.get(self.place_count, "filter.places")?;
        let not_places = self.not_places.get(self.not_place_count, "filter.not_places")?;
        let mask = self.mask.maybe("filter.mask")?.map(|mask| mask.look("filter.mask")).transpose()?;
        if mask.as_deref().is_some_and(|mask| !mask.fits(index)) {
            return Err(Failure::Bare(Status::OtherWorld, "filter.mask"));
        }
        let (each, user) = (self.test, User::new(self.user));
        let test = move |area: Area| each.is_none_or(|each| each(area.position(), user.pointer()) != 0);
        let filter = navmap::query::Filter::default()
            .with_include(self.include)
            .with_exclude(self.exclude)
            .with_places(places)
            .with_not_places(not_places)
            .with_kinds(kinds_without(self.without))
            .with_mask(mask.as_deref());
        then(if each.is_some() { filter.with_test(Some(&test)) } else { filter })
    }
}

/// Refuses a mask of another world.
pub(crate) fn fitting(mask: &navmap::query::Mask, index: &NavIndex) -> Result<(), Failure> {
    if mask.fits(index) { Ok(()) } else { Err(Failure::Bare(Status::OtherWorld, "mask")) }
}

entries! {
    /// The number of a place by its name, for filters; case does not matter. `NAVMAP_NOTHING` if there is no such place.
    fn navmap_world_place(world: *const World, name: *const c_char, number: *mut u32) {
        let (index, name, place) = (world.handle()?.index(), utf8(name.text()?, "name")?, number.place()?);
        let Some(found) = index.place_number(name) else { return Ok(Status::Nothing) };
        place.set(found);
        Ok(Status::Ok)
    }

    /// A mask for a world, with no area in it. A bit an area.
    fn navmap_mask_new(world: *const World, mask: *mut *mut Mask; error) {
        let (index, place) = (world.handle()?.index(), mask.handle_place()?);
        place.give(Turned::new(navmap::query::Mask::new(index)));
        Ok(Status::Ok)
    }

    /// Frees a mask. NULL is none.
    fn navmap_mask_free(mask: *mut Mask) {
        mask.free()
    }

    /// Puts areas in (`on` is not 0) or takes them out. Nothing is changed if one of them does not exist.
    fn navmap_mask_set(mask: *mut Mask, world: *const World, areas[count]: *const u32, on: u32) {
        let (mask, index, areas) = (mask.handle()?, world.handle()?.index(), areas?);
        let mut mask = mask.turn("mask")?;
        fitting(&mask, index)?;
        areas.iter().try_for_each(|&number| area(index, number).map(drop))?;
        areas.iter().filter_map(|&area| Area::at(area)).for_each(|area| mask.set(area, on != 0));
        Ok(Status::Ok)
    }

    /// Puts in the areas that a filter accepts, and takes all others out. `NAVMAP_INVALID` if the filter reads the mask itself.
    fn navmap_mask_fill(mask: *mut Mask, world: *const World, filter: *const Filter) {
        let (mask, index, filter) = (mask.handle()?, world.handle()?.index(), filter.options()?);
        if filter.mask.maybe("filter.mask")?.is_some_and(|read| std::ptr::eq(read, mask)) {
            return Err(Failure::Bare(Status::Invalid, "filter.mask"));
        }
        let mut mask = mask.turn("mask")?;
        fitting(&mask, index)?;
        filter.with(index, |filter| {
            let keep = filter.on(index)?;
            index.areas().for_each(|area| mask.set(area, keep(area)));
            Ok(Status::Ok)
        })
    }

    /// `NAVMAP_OK` if an area is in the mask, else `NAVMAP_NOTHING`.
    fn navmap_mask_has(mask: *const Mask, world: *const World, area: u32) {
        let mask = mask.handle()?.look("mask")?;
        let index = world.handle()?.index();
        fitting(&mask, index)?;
        let area = self::area(index, area)?;
        Ok(if mask.has(area) { Status::Ok } else { Status::Nothing })
    }

    /// The areas of a mask, in their order.
    fn navmap_mask_areas(mask: *const Mask, areas[capacity]: *mut u32, count: *mut u32) {
        let (mask, mut room) = (mask.handle()?.look("mask")?, areas?);
        mask.areas().for_each(|area| room.push(area.position()));
        room.end(count)
    }

    /// Takes all areas out.
    fn navmap_mask_clear(mask: *mut Mask) {
        mask.handle()?.turn("mask")?.clear();
        Ok(Status::Ok)
    }

    /// `navmap_area_at` among the areas that a filter accepts, which may be NULL.
    fn navmap_area_at_where(
        world: *const World, point: *const Point, reach: f32, filter: *const Filter, area: *mut u32
    ) {
        let (index, point, filter) = (world.handle()?.index(), point.get()?, filter.options()?);
        let place = area.place()?;
        let found = filter.with(index, |filter| {
            Ok(index.area_at_where(point, self::reach(reach), filter.on(index)?))
        })?;
        let Some(found) = found else { return Ok(Status::Nothing) };
        place.set(found.position());
        Ok(Status::Ok)
    }

    /// The area that somebody at a point stands on, among those that a filter accepts, which may be NULL: a way may begin there.
    /// It is that of `navmap_area_at` where its ground is under the point and no farther below than the game says. In Quake III
    /// that may tell an area whose ground is elsewhere. `NAVMAP_NOTHING` if there is none: then `navmap_nearest` tells the
    /// nearest.
    fn navmap_stands_on(world: *const World, point: *const Point, filter: *const Filter, area: *mut u32) {
        let (index, point, filter) = (world.handle()?.index(), point.get()?, filter.options()?);
        let place = area.place()?;
        let found = filter.with(index, |filter| Ok(index.stands_on_where(point, filter.on(index)?)))?;
        let Some(found) = found else { return Ok(Status::Nothing) };
        place.set(found.position());
        Ok(Status::Ok)
    }

    /// `navmap_nearest`, exactly, among the areas that a filter accepts, which may be NULL.
    fn navmap_nearest_where(
        world: *const World, point: *const Point, most: f32, filter: *const Filter, near: *mut Near20
    ) {
        let (index, point, filter) = (world.handle()?.index(), point.get()?, filter.options()?);
        let place = near.place()?;
        let found = filter.with(index, |filter| Ok(index.nearest_where(point, most, filter.on(index)?)))?;
        let Some(found) = found else { return Ok(Status::Nothing) };
        place.set(self::near(found));
        Ok(Status::Ok)
    }

    /// `navmap_within` among the areas that a filter accepts, which may be NULL.
    fn navmap_within_where(
        world: *const World, point: *const Point, radius: f32, filter: *const Filter,
        near[capacity]: *mut Near20, count: *mut u32
    ) {
        let (index, point, filter, mut room) = (world.handle()?.index(), point.get()?, filter.options()?, near?);
        filter.with(index, |filter| {
            index.within_where(point, radius, filter.on(index)?, |found| room.push(self::near(found)));
            Ok(())
        })?;
        room.end(count)
    }

    /// `navmap_walk_line` over the areas that a filter accepts, which may be NULL; all others are walls. The first area is not
    /// asked for. It tells which way the wall faces at which the walk stopped.
    fn navmap_walk_line_where(
        world: *const World, area: u32, a: *const Point, b: *const Point, filter: *const Filter,
        walk: *mut Walk36, areas[capacity]: *mut u32, count: *mut u32
    ) {
        let (index, a, b, filter) = (world.handle()?.index(), a.get()?, b.get()?, filter.options()?);
        let (place, mut room) = (walk.place()?, areas?);
        let from = self::area(index, area)?;
        let walked = filter.with(index, |filter| {
            let keep = filter.on(index)?;
            Ok(index.walk_line_where(from, a, b, keep, |area| room.push(area.position())))
        })?;
        let Some(walked) = walked else { return Ok(Status::Nothing) };
        place.set(Walk36 {
            area: walked.area.position(),
            point: walked.point,
            share: walked.share,
            arrived: u32::from(walked.arrived),
            normal: walked.normal.unwrap_or_default(),
        });
        room.end(count)
    }
}

/// The number of an area, or none.
pub(crate) fn number(area: Option<Area>) -> u32 {
    area.map_or(NAVMAP_NONE, Area::position)
}
