//! The area at a point, and areas nearby.

use crate::Point;
use crate::area::{NAVMAP_NONE, area};
use crate::error::Failure;
use crate::status::Status;
use crate::world::World;
use navmap::graph::Aabb;
use navmap::query::{Area, Nearest};

/// As `reach`: the reach of the game.
pub const NAVMAP_GAME_REACH: f32 = -1.0;

/// `navmap_nearest`: exactly the nearest.
pub const NAVMAP_EXACT: u32 = 0;
/// `navmap_nearest`: what the engine finds, which need not be the nearest.
pub const NAVMAP_AS_ENGINE: u32 = 1;

/// An area near a point. 20 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near20 {
    /// The area.
    pub area: u32,
    /// Its point that is closest.
    pub point: Point,
    /// How far that is, in units.
    pub distance: f32,
}

/// The line that a walk from one area to another crosses. 24 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Portal24 {
    /// Its left end as seen from the area that one leaves.
    pub left: Point,
    /// Its right end.
    pub right: Point,
}

/// Where a straight walk ended. 24 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walk24 {
    /// The last area.
    pub area: u32,
    /// The last point, on its ground.
    pub point: Point,
    /// The share of the line that was walked, 0 to 1.
    pub share: f32,
    /// 1 if the end was reached, 0 if the walk stopped at a wall.
    pub arrived: u32,
}

/// Where a straight walk ended, and at which wall. 36 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walk36 {
    /// The last area.
    pub area: u32,
    /// The last point, on its ground.
    pub point: Point,
    /// The share of the line that was walked, 0 to 1.
    pub share: f32,
    /// 1 if the end was reached, 0 if the walk stopped at a wall.
    pub arrived: u32,
    /// The direction that the wall faces: level, of length 1, towards the inside of the area. Zeros if the end was reached.
    pub normal: Point,
}

/// How many points are worked on together.
const TOGETHER: usize = 64;

#[inline(always)]
pub(crate) fn reach(reach: f32) -> Option<f32> {
    (reach >= 0.0).then_some(reach)
}

#[inline(always)]
pub(crate) fn near(near: Nearest) -> Near20 {
    Near20 { area: near.area.position(), point: near.point, distance: near.distance }
}

/// Where nothing is near.
const NOWHERE: Near20 =
    Near20 { area: NAVMAP_NONE, point: Point { x: 0.0, y: 0.0, z: 0.0 }, distance: f32::INFINITY };

entries! {
    /// The area under a point, by the game's rule: the highest ground at most `reach` below the point
    /// (`NAVMAP_GAME_REACH`: what the game says). `ground` gets its height and may be NULL. `NAVMAP_NOTHING` if there is
    /// none. Areas of Quake III are told by the tree of their file, however high above their ground the point is, unless
    /// there is a `reach`.
    fn navmap_area_at(world: *const World, point: *const Point, reach: f32, area: *mut u32, ground: *mut f32) {
        let (index, point, place) = (world.handle()?.index(), point.get()?, area.place()?);
        let Some((found, z)) = index.ground_at(point, self::reach(reach)) else { return Ok(Status::Nothing) };
        ground.put(z)?;
        place.set(found.position());
        Ok(Status::Ok)
    }

    /// The same for many points: `areas[i]` for `points[i]`, `NAVMAP_NONE` where there is none. `NAVMAP_TRUNCATED` if there
    /// is room for fewer areas than points. About twice as fast as one after the other.
    fn navmap_area_at_many(world: *const World, points[count]: *const Point, reach: f32, areas[capacity]: *mut u32) {
        let (index, points, mut room) = (world.handle()?.index(), points?, areas?);
        let mut found = [None::<Area>; TOGETHER];
        for points in points.get(..room.left()).unwrap_or(points).chunks(TOGETHER) {
            index.area_at_many(points, self::reach(reach), &mut found);
            let found = found.iter().take(points.len());
            found.for_each(|area| room.push(area.map_or(NAVMAP_NONE, Area::position)));
        }
        Ok(room.count(points.len()).status())
    }

    /// The area whose closest point is nearest, no farther than `most` (which may be infinite). `how` is `NAVMAP_EXACT` or
    /// `NAVMAP_AS_ENGINE`. It knows nothing of walls: trace down to the ground first where the host can.
    /// `NAVMAP_NOTHING` if there is none.
    fn navmap_nearest(world: *const World, point: *const Point, most: f32, how: u32, near: *mut Near20) {
        let (index, point, place) = (world.handle()?.index(), point.get()?, near.place()?);
        let found = match how {
            NAVMAP_EXACT => index.nearest(point, most),
            NAVMAP_AS_ENGINE => index.nearest_as_engine(point, most),
            _ => return Err(Failure::Bare(Status::Invalid, "how")),
        };
        let Some(found) = found else { return Ok(Status::Nothing) };
        place.set(self::near(found));
        Ok(Status::Ok)
    }

    /// The exactly nearest of many points: `near[i]` for `points[i]`, its area `NAVMAP_NONE` where there is none.
    fn navmap_nearest_many(
        world: *const World, points[count]: *const Point, most: f32, near[capacity]: *mut Near20
    ) {
        let (index, points, mut room) = (world.handle()?.index(), points?, near?);
        let mut found = [None::<Nearest>; TOGETHER];
        for points in points.get(..room.left()).unwrap_or(points).chunks(TOGETHER) {
            index.nearest_many(points, most, &mut found);
            found.iter().take(points.len()).for_each(|found| room.push(found.map_or(NOWHERE, self::near)));
        }
        Ok(room.count(points.len()).status())
    }

    /// Areas whose closest point is no farther than `radius`, in no order.
    fn navmap_within(
        world: *const World, point: *const Point, radius: f32, near[capacity]: *mut Near20, count: *mut u32
    ) {
        let (index, point, mut room) = (world.handle()?.index(), point.get()?, near?);
        index.within(point, radius, |found| room.push(self::near(found)));
        room.end(count)
    }

    /// Areas whose center is no farther than `radius`, as the engine has it; a radius of 0 means all.
    fn navmap_centers_within(
        world: *const World, point: *const Point, radius: f32, areas[capacity]: *mut u32, count: *mut u32
    ) {
        let (index, point, mut room) = (world.handle()?.index(), point.get()?, areas?);
        index.centers_within(point, radius, |area| room.push(area.position()));
        room.end(count)
    }

    /// Areas whose box touches a box, in no order. Sides may be infinite, for a column; none touches a box with a NaN.
    fn navmap_in_box(
        world: *const World, min: *const Point, max: *const Point, areas[capacity]: *mut u32, count: *mut u32
    ) {
        let (index, min, max, mut room) = (world.handle()?.index(), min.get()?, max.get()?, areas?);
        // A NaN stays, and the index finds nothing for it.
        let sorted = |a: f32, b: f32| if a > b { [b, a] } else { [a, b] };
        let sides = [sorted(min.x, max.x), sorted(min.y, max.y), sorted(min.z, max.z)];
        let [min, max] = [0, 1].map(|end| Point::from(sides.map(|side| side[end])));
        index.in_box(&Aabb { min, max }, |area| room.push(area.position()));
        room.end(count)
    }

    /// The first area that the line from `a` to `b` meets, from above or from below. `distance` is that from `a`.
    /// `NAVMAP_NOTHING` if it meets none.
    fn navmap_along_ray(world: *const World, a: *const Point, b: *const Point, near: *mut Near20) {
        let (index, a, b, place) = (world.handle()?.index(), a.get()?, b.get()?, near.place()?);
        let Some(found) = index.along_ray(a, b) else { return Ok(Status::Nothing) };
        place.set(self::near(found));
        Ok(Status::Ok)
    }

    /// Walks straight from `a`, which is in `area`, towards `b`, over links that one passes on foot. `areas` gets the areas
    /// that are entered. `NAVMAP_NOTHING` in a graph of waypoints, and for points that are no numbers.
    fn navmap_walk_line(
        world: *const World, area: u32, a: *const Point, b: *const Point,
        walk: *mut Walk24, areas[capacity]: *mut u32, count: *mut u32
    ) {
        let (index, a, b) = (world.handle()?.index(), a.get()?, b.get()?);
        let (place, mut room) = (walk.place()?, areas?);
        let from = self::area(index, area)?;
        let walked = index.walk_line(from, a, b, |area| room.push(area.position()));
        let Some(walked) = walked else { return Ok(Status::Nothing) };
        place.set(Walk24 {
            area: walked.area.position(),
            point: walked.point,
            share: walked.share,
            arrived: u32::from(walked.arrived),
        });
        room.end(count)
    }

    /// The portal of the first link from one area to another. `NAVMAP_NOTHING` without a link.
    fn navmap_portal(world: *const World, from: u32, to: u32, portal: *mut Portal24) {
        let (index, place) = (world.handle()?.index(), portal.place()?);
        let found = index.portal(area(index, from)?, area(index, to)?);
        let Some(found) = found else { return Ok(Status::Nothing) };
        place.set(Portal24 { left: found.left, right: found.right });
        Ok(Status::Ok)
    }

    /// The point of an area that is closest to a point, and how far it is.
    fn navmap_closest_point(world: *const World, area: u32, point: *const Point, near: *mut Near20) {
        let (index, point, place) = (world.handle()?.index(), point.get()?, near.place()?);
        let area = self::area(index, area)?;
        let Some(closest) = index.closest_point(area, point) else { return Ok(Status::Nothing) };
        place.set(Near20 { area: area.position(), point: closest, distance: closest.distance(point) });
        Ok(Status::Ok)
    }

    /// Height of the ground of an area above or below a point. `NAVMAP_NOTHING` if the point is beside the area.
    fn navmap_z_at(world: *const World, area: u32, point: *const Point, ground: *mut f32) {
        let (index, point, place) = (world.handle()?.index(), point.get()?, ground.place()?);
        let Some(z) = index.z_at(self::area(index, area)?, point) else { return Ok(Status::Nothing) };
        place.set(z);
        Ok(Status::Ok)
    }

    /// `NAVMAP_OK` if there is any way from one area to the other, else `NAVMAP_NO_WAY`. A look at a table of bits.
    fn navmap_reachable(world: *const World, from: u32, to: u32) {
        let index = world.handle()?.index();
        let way = index.reachable(area(index, from)?, area(index, to)?);
        Ok(if way { Status::Ok } else { Status::NoWay })
    }
}
