//! The surface: moves along it, its walls, and random points on it.

use crate::Point;
use crate::area::area;
use crate::error::Failure;
use crate::filter::Filter;
use crate::overlay::Overlay;
use crate::query::{Query, QueryOptions};
use crate::status::Status;
use crate::world::World;
use navmap::query::{Area, Misuse, Random, Slide};

/// Where a move along the surface ended. 20 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slide20 {
    /// The area.
    pub area: u32,
    /// The point, on its ground.
    pub point: Point,
    /// 1 if that is the end that was asked for, as seen from above.
    pub arrived: u32,
}

/// The nearest wall. 32 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall32 {
    /// How far it is, as seen from above, in units.
    pub distance: f32,
    /// Its closest point.
    pub point: Point,
    /// The direction that it faces: level, of length 1, towards the inside of the area.
    pub normal: Point,
    /// The area whose side it is.
    pub area: u32,
}

/// A line. 24 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line24 {
    /// Its beginning.
    pub a: Point,
    /// Its end.
    pub b: Point,
}

/// A point on the ground of an area. 16 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground16 {
    /// The area.
    pub area: u32,
    /// The point.
    pub point: Point,
}

/// A move as C has it.
pub(crate) fn slide(slide: Slide) -> Slide20 {
    Slide20 { area: slide.area.position(), point: slide.point, arrived: u32::from(slide.arrived) }
}

fn ground((area, point): (Area, Point)) -> Ground16 {
    Ground16 { area: area.position(), point }
}

entries! {
    /// Moves along the surface from `from`, which is in `area`, towards `to`, over links on foot and along walls. The move ends
    /// at the closest point to `to` that it reaches, and looks at 64 areas at most. `areas` gets the areas crossed. `filter` may
    /// be NULL; areas that it does not accept are walls. `NAVMAP_NOTHING` for points that are no numbers.
    fn navmap_slide(
        world: *const World, area: u32, from: *const Point, to: *const Point, filter: *const Filter,
        slide: *mut Slide20, areas[capacity]: *mut u32, count: *mut u32
    ) {
        let (index, from, to, filter) = (world.handle()?.index(), from.get()?, to.get()?, filter.options()?);
        let (place, mut room) = (slide.place()?, areas?);
        let first = self::area(index, area)?;
        let slid = filter.with(index, |filter| {
            let keep = filter.on(index)?;
            Ok(index.slide_where(first, from, to, keep, |area| room.push(area.position())))
        })?;
        let Some(slid) = slid else { return Ok(Status::Nothing) };
        place.set(self::slide(slid));
        room.end(count)
    }

    /// The nearest wall around a point of an area, at most `radius` away and among the 128 areas that are nearest: a side, or a
    /// part of one, that no link on foot crosses. `NAVMAP_NOTHING` if there is none.
    fn navmap_wall(world: *const World, area: u32, point: *const Point, radius: f32, wall: *mut Wall32) {
        let (index, point, place) = (world.handle()?.index(), point.get()?, wall.place()?);
        let Some(found) = index.wall(self::area(index, area)?, point, radius) else { return Ok(Status::Nothing) };
        place.set(Wall32 {
            distance: found.distance,
            point: found.point,
            normal: found.normal,
            area: found.area.position(),
        });
        Ok(Status::Ok)
    }

    /// The walls of an area: its sides, or parts of them, that no link on foot crosses. A waypoint has none.
    fn navmap_area_walls(world: *const World, area: u32, walls[capacity]: *mut Line24, count: *mut u32) {
        let (index, mut room) = (world.handle()?.index(), walls?);
        index.walls(self::area(index, area)?).for_each(|[a, b]| room.push(Line24 { a, b }));
        room.end(count)
    }

    /// How much higher the ground of `to` is than that of `from`, at the middle of their portal, in units. `NAVMAP_NOTHING`
    /// without a link.
    fn navmap_step(world: *const World, from: u32, to: u32, step: *mut f32) {
        let (index, place) = (world.handle()?.index(), step.place()?);
        let Some(step) = index.step(area(index, from)?, area(index, to)?) else { return Ok(Status::Nothing) };
        place.set(step);
        Ok(Status::Ok)
    }

    /// The width of the gap between two linked areas, as seen from above, in units. `NAVMAP_NOTHING` without a link.
    fn navmap_gap(world: *const World, from: u32, to: u32, gap: *mut f32) {
        let (index, place) = (world.handle()?.index(), gap.place()?);
        let Some(gap) = index.gap(area(index, from)?, area(index, to)?) else { return Ok(Status::Nothing) };
        place.set(gap);
        Ok(Status::Ok)
    }

    /// `NAVMAP_OK` if no link crosses a side of an area, else `NAVMAP_NOTHING`. Side 0 runs from the first corner to the second
    /// (in a mesh of Source north, then east, south, west).
    fn navmap_is_edge(world: *const World, area: u32, side: u32) {
        let index = world.handle()?.index();
        let area = self::area(index, area)?;
        let sides = index.corners(area, &mut []);
        let side = u8::try_from(side).ok().filter(|side| usize::from(*side) < sides);
        let side = side.ok_or(Failure::Bare(Status::Invalid, "side"))?;
        Ok(if index.is_edge(area, side) { Status::Ok } else { Status::Nothing })
    }

    /// `NAVMAP_OK` if a point stands on an area, by the engine's test for the goal of a way, else `NAVMAP_NOTHING`.
    fn navmap_contains(world: *const World, area: u32, point: *const Point) {
        let (index, point) = (world.handle()?.index(), point.get()?);
        Ok(if index.contains(self::area(index, area)?, point) { Status::Ok } else { Status::Nothing })
    }

    /// `NAVMAP_OK` if the boxes of two areas overlap as seen from above, else `NAVMAP_NOTHING`.
    fn navmap_overlaps(world: *const World, a: u32, b: u32) {
        let index = world.handle()?.index();
        Ok(if index.overlaps(area(index, a)?, area(index, b)?) { Status::Ok } else { Status::Nothing })
    }

    /// A random spot on the ground of the whole world: every square unit, seen from above, is as likely as any other. The same
    /// seed gives the same spot; count the seed up for the next. The first call in a world computes sums of 8 bytes for every
    /// 64 areas. `NAVMAP_NOTHING` if no area has any size.
    fn navmap_query_random(query: *mut Query, world: *const World, seed: u64, spot: *mut Ground16) {
        let (query, index, place) = (query.handle()?, world.handle()?.index(), spot.place()?);
        let mut scratch = query.turn("query")?;
        if !scratch.fits(index) {
            return Err(Misuse::OtherIndex.into());
        }
        let mut random = Random::new(seed);
        let found = index.random_point(scratch.spots(index), || random.next_f64());
        let Some(found) = found else { return Ok(Status::Nothing) };
        place.set(ground(found));
        Ok(Status::Ok)
    }

    /// The same among the areas that can be reached from one. `options.max_length`, `max_step` and `max_drop` bound how far.
    /// `options` and `overlay` may be NULL.
    fn navmap_query_random_within(
        query: *mut Query, world: *const World, from: u32, options: *const QueryOptions, overlay: *const Overlay,
        seed: u64, spot: *mut Ground16; error
    ) {
        let (query, index, options) = (query.handle()?, world.handle()?.index(), options.options()?);
        let (from, place) = (area(index, from)?, spot.place()?);
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let (mut scratch, mut random) = (query.turn("query")?, Random::new(seed));
        let found = options.ask_flood(index, overlay.as_deref(), |flood| {
            Ok(scratch.random_within(index, from, &flood, || random.next_f64())?)
        })?;
        let Some(found) = found else { return Ok(Status::Nothing) };
        place.set(ground(found));
        Ok(Status::Ok)
    }
}
