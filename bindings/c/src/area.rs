//! Properties of areas.

use crate::Point;
use crate::error::Failure;
use crate::status::Status;
use crate::text::put;
use crate::world::World;
use navmap::graph::{Aabb, LinkKind};
use navmap::query::{Area, NavIndex, Way};
use std::ffi::{c_char, c_void};

/// Stands for an area, a group or a number that does not exist.
pub const NAVMAP_NONE: u32 = u32::MAX;

/// An area in bulk. 32 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area32 {
    /// Smallest coordinates.
    pub min: Point,
    /// Largest coordinates.
    pub max: Point,
    /// The file's own name for it.
    pub id: u64,
}

/// What is known of an area. 64 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area64 {
    /// The file's own name for it. Ids survive a reload.
    pub id: u64,
    /// Flags as stored; `navmap_world_flag` names them.
    pub flags: u64,
    /// Square units of its ground, seen from above.
    pub surface: f64,
    /// The center, from which lengths are measured; not finite if it has no ground, as areas of other hulls.
    pub center: Point,
    /// Position among the areas of the file.
    pub node: u32,
    /// The group (segment, mesh, hull), or `NAVMAP_NONE`.
    pub group: u32,
    /// A number that areas share if links join them in any direction.
    pub island: u32,
    /// A number that areas share if each can reach the other.
    pub component: u32,
    /// How many corners it has; 1 for a waypoint, 0 if it has no ground.
    pub corners: u32,
    /// The radius of a waypoint, else 0.
    pub radius: f32,
    /// 0.
    pub zero: u32,
}

/// On foot.
pub const NAVMAP_WALK: u32 = 0;
/// On foot, over the border of a tile, a cell or a mesh.
pub const NAVMAP_BORDER: u32 = 1;
/// Crouched.
pub const NAVMAP_CROUCH: u32 = 2;
/// With a jump, or up a ledge.
pub const NAVMAP_JUMP: u32 = 3;
/// Down, off a ledge.
pub const NAVMAP_DROP: u32 = 4;
/// On a ladder.
pub const NAVMAP_LADDER: u32 = 5;
/// By an elevator.
pub const NAVMAP_ELEVATOR: u32 = 6;
/// On a moving platform.
pub const NAVMAP_TRAIN: u32 = 7;
/// Thrown by a trigger.
pub const NAVMAP_PUSH: u32 = 8;
/// By a teleporter.
pub const NAVMAP_TELEPORT: u32 = 9;
/// Through a door that loads another place.
pub const NAVMAP_DOOR: u32 = 10;
/// With a rocket jump.
pub const NAVMAP_ROCKET_JUMP: u32 = 11;
/// Some other way, which only the game knows.
pub const NAVMAP_OTHER: u32 = 12;

/// A link. 32 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link32 {
    /// The area that it leaves.
    pub from: u32,
    /// The area that it reaches.
    pub to: u32,
    /// How it is passed: `NAVMAP_WALK` and so on.
    pub kind: u32,
    /// 1 if the game can open and close it.
    pub gated: u32,
    /// Its length in units: that of the ladder, or else from center to center.
    pub length: f32,
    /// What the game's own search charges for it.
    pub charge: f32,
    /// The file's own number for it, or `NAVMAP_NONE`.
    pub number: u32,
    /// 0.
    pub zero: u32,
}

/// The number of a kind, as the header has it.
pub(crate) fn kind(kind: LinkKind) -> u32 {
    LinkKind::ALL.iter().position(|known| *known == kind).map_or(NAVMAP_OTHER, |at| at as u32)
}

/// Tells what a link costs; a negative number or NaN closes it. Nothing is known about such costs, so the cheapest way takes longer to
/// find. It must not throw, and may not use the query that asks.
pub type OnLink = Option<extern "C" fn(link: *const Link32, user: *mut c_void) -> f32>;

/// A link as C sees it.
pub(crate) fn link(way: Way) -> Link32 {
    Link32 {
        from: way.from.position(),
        to: way.to.position(),
        kind: kind(way.kind),
        gated: u32::from(way.gated),
        length: way.length,
        charge: way.charge,
        number: way.number.unwrap_or(NAVMAP_NONE),
        zero: 0,
    }
}

/// The area with a number.
#[inline]
pub(crate) fn area(index: &NavIndex, number: u32) -> Result<Area, Failure> {
    let there = (number as usize) < index.len();
    Area::at(number).filter(|_| there).ok_or(Failure::Bare(Status::NoSuchArea, "area"))
}

fn bulk(index: &NavIndex, area: Area) -> Area32 {
    let (min, max) = index.area_bounds(area).map_or_else(Default::default, |Aabb { min, max }| (min, max));
    Area32 { min, max, id: index.id(area).unwrap_or_default() }
}

entries! {
    /// Areas in bulk: from number `first` on, as many as fit. `count` is how many there are from `first` on.
    fn navmap_world_areas(world: *const World, first: u32, areas[capacity]: *mut Area32, count: *mut u32) {
        let (index, mut room) = (world.handle()?.index(), areas?);
        let rest = index.areas().skip(first as usize);
        let total = rest.len();
        rest.take(room.left()).for_each(|area| room.push(bulk(index, area)));
        room.count(total).end(count)
    }

    /// The flags of areas in bulk, from number `first` on. `navmap_world_flag` names them. `count` is how many there are from
    /// `first` on.
    fn navmap_world_area_flags(world: *const World, first: u32, flags[capacity]: *mut u64, count: *mut u32) {
        let (index, mut room) = (world.handle()?.index(), flags?);
        let rest = index.areas().skip(first as usize);
        let total = rest.len();
        rest.take(room.left()).for_each(|area| room.push(index.flags(area)));
        room.count(total).end(count)
    }

    /// The places of areas in bulk, from number `first` on, by the numbers of `navmap_world_place`; `NAVMAP_NONE` for an area that
    /// lies in none. `count` is how many areas there are from `first` on.
    fn navmap_world_area_places(world: *const World, first: u32, places[capacity]: *mut u32, count: *mut u32) {
        let (index, mut room) = (world.handle()?.index(), places?);
        let rest = index.areas().skip(first as usize);
        let total = rest.len();
        rest.take(room.left()).for_each(|area| room.push(index.place_of(area).unwrap_or(NAVMAP_NONE)));
        room.count(total).end(count)
    }

    /// The number of the area with this id. If there are several, the first in the file. A binary search.
    fn navmap_area_index(world: *const World, id: u64, area: *mut u32) {
        let (index, place) = (world.handle()?.index(), area.place()?);
        let Some(found) = index.by_id(id) else { return Ok(Status::Nothing) };
        place.set(found.position());
        Ok(Status::Ok)
    }

    /// What is known of an area.
    fn navmap_area_get(world: *const World, area: u32, about: *mut Area64) {
        let (index, place) = (world.handle()?.index(), about.place()?);
        let area = self::area(index, area)?;
        place.set(Area64 {
            id: index.id(area).unwrap_or_default(),
            flags: index.flags(area),
            surface: index.area_size(area).unwrap_or_default(),
            center: index.center(area).unwrap_or_default(),
            node: index.node(area).unwrap_or(NAVMAP_NONE),
            group: index.group(area).unwrap_or(NAVMAP_NONE),
            island: index.island(area).unwrap_or(NAVMAP_NONE),
            component: index.component(area).unwrap_or(NAVMAP_NONE),
            corners: crate::world::count(index.corners(area, &mut [])),
            radius: index.radius(area).unwrap_or(0.0),
            zero: 0,
        });
        Ok(Status::Ok)
    }

    /// The corners in order around an area, or the one point of a waypoint.
    fn navmap_area_corners(world: *const World, area: u32, corners[capacity]: *mut Point, count: *mut u32) {
        let (index, mut room) = (world.handle()?.index(), corners?);
        let area = self::area(index, area)?;
        let mut few = [Point::default(); 16];
        let total = index.corners(area, &mut few);
        match few.get(..total) {
            Some(few) => few.iter().for_each(|&corner| room.push(corner)),
            None => {
                let mut all = vec![Point::default(); total];
                index.corners(area, &mut all);
                all.into_iter().for_each(|corner| room.push(corner));
            }
        }
        room.end(count)
    }

    /// The name of the place that an area lies in, with a NUL. `count` is its length with the NUL. `NAVMAP_NOTHING` if it
    /// lies in none.
    fn navmap_area_place(world: *const World, area: u32, name[capacity]: *mut c_char, count: *mut u32) {
        let (index, room) = (world.handle()?.index(), name?);
        let Some(place) = index.place(self::area(index, area)?) else { return Ok(Status::Nothing) };
        put(room, place, count)
    }

    /// Links out of an area, in file order.
    fn navmap_area_links(world: *const World, area: u32, links[capacity]: *mut Link32, count: *mut u32) {
        let (index, mut room) = (world.handle()?.index(), links?);
        index.links(self::area(index, area)?).for_each(|way| room.push(link(way)));
        room.end(count)
    }

    /// Links into an area.
    fn navmap_area_incoming(world: *const World, area: u32, links[capacity]: *mut Link32, count: *mut u32) {
        let (index, mut room) = (world.handle()?.index(), links?);
        index.incoming(self::area(index, area)?).for_each(|way| room.push(link(way)));
        room.end(count)
    }
}
