//! Following: the corners of a way, and a corridor that is kept over many ticks.

use crate::Point;
use crate::area::{NAVMAP_NONE, area, kind};
use crate::error::Failure;
use crate::filter::number;
use crate::overlay::Overlay;
use crate::query::{Query, QueryOptions, fitting};
use crate::status::Status;
use crate::surface::{Slide20, slide};
use crate::turned::Turned;
use crate::world::World;
use navmap::query::{Corner, Leg, NavIndex, Remap, Repair};

/// A way that is followed over many ticks: what is left of it, where one is on it, and where it leads. One thread may use it at a
/// time. 32 bytes a step, with room for 64 steps; it grows if a way is longer than any before.
pub type Corridor = Turned<Follower>;

/// What a corridor keeps.
#[derive(Debug)]
pub struct Follower {
    corridor: navmap::query::Corridor,
}

/// `navmap_corner52.flags`: the walk begins here.
pub const NAVMAP_CORNER_START: u32 = 1;
/// `navmap_corner52.flags`: the walk ends here.
pub const NAVMAP_CORNER_END: u32 = 2;
/// `navmap_corner52.flags`, with `NAVMAP_CORNER_END`: it is not the goal that was asked for, but the nearest point to it on the way.
pub const NAVMAP_CORNER_NEAREST: u32 = 4;
/// `navmap_corner52.flags`: a leg begins here that one does not walk: a ladder, a jump, a teleporter. The next corner is its landing.
pub const NAVMAP_CORNER_LEG: u32 = 8;
/// `navmap_corner52.flags`: the leg that began at the corner before ends here.
pub const NAVMAP_CORNER_LANDING: u32 = 16;
/// `navmap_corner52.flags`: one has to crouch on the way here from the corner before.
pub const NAVMAP_CORNER_CROUCH: u32 = 32;
/// `navmap_corner52.flags`: that way leads over stairs.
pub const NAVMAP_CORNER_STAIRS: u32 = 64;
/// `navmap_corner52.flags`: that way leads through an area in which the game jumps.
pub const NAVMAP_CORNER_JUMP: u32 = 128;
/// `navmap_corner52.flags`: that way leads over a link that the game can close, or through a door.
pub const NAVMAP_CORNER_DOOR: u32 = 256;

/// A corner of a walk. All lie on the mesh, but for a start and an end over or under their area, which stay as they are. 52 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner52 {
    /// Where it is.
    pub point: Point,
    /// The area in which one is there, before crossing the portal.
    pub area: u32,
    /// The number of that area along the way, from 0.
    pub step: u32,
    /// The kind of the link that begins here: `NAVMAP_WALK` and so on; `NAVMAP_NONE` where the walk begins or ends, and at a landing.
    pub kind: u32,
    /// `NAVMAP_CORNER_START` and so on.
    pub flags: u32,
    /// Left end of the line that is crossed here. At a leg its own first point: an end of the ladder, the take-off.
    pub left: Point,
    /// Right end. At a leg its own last point: the other end of the ladder, the landing.
    pub right: Point,
}

/// A part of a way that is not walked. 60 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leg60 {
    /// The area that it leaves.
    pub from: u32,
    /// The area that it reaches.
    pub to: u32,
    /// What it is: `NAVMAP_LADDER` and so on.
    pub kind: u32,
    /// The point of the mesh from which one gets on.
    pub mount: Point,
    /// Its own first point: an end of the ladder, the take-off.
    pub begins: Point,
    /// Its own last point: the other end of the ladder, the landing.
    pub ends: Point,
    /// The point of the mesh on which one gets off.
    pub dismount: Point,
}

/// Where a corridor begins and ends. 40 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corridor40 {
    /// Where it begins: where the agent is, on the ground.
    pub position: Point,
    /// Where it ends, on the ground.
    pub goal: Point,
    /// The area that it begins in, or `NAVMAP_NONE` while it is empty.
    pub area: u32,
    /// The area that it ends in, or `NAVMAP_NONE`.
    pub goal_area: u32,
    /// How many areas are left, the first included.
    pub areas: u32,
    /// 1 if its goal is the point that was asked for, as seen from above, and not only the nearest one to it.
    pub reaches_goal: u32,
}

fn corner(corner: Corner) -> Corner52 {
    Corner52 {
        point: corner.point,
        area: corner.area.position(),
        step: corner.step,
        kind: corner.kind.map_or(NAVMAP_NONE, kind),
        flags: u32::from(corner.flags.bits()),
        left: corner.portal.left,
        right: corner.portal.right,
    }
}

fn leg(leg: Leg) -> Leg60 {
    Leg60 {
        from: leg.way.from.position(),
        to: leg.way.to.position(),
        kind: kind(leg.way.kind),
        mount: leg.mount,
        begins: leg.begins,
        ends: leg.ends,
        dismount: leg.dismount,
    }
}

impl Follower {
    /// Refuses another world than that of the corridor.
    fn fitting(&self, index: &NavIndex) -> Result<(), Failure> {
        if self.corridor.fits(index) { Ok(()) } else { Err(Failure::Bare(Status::OtherWorld, "corridor")) }
    }
}

/// Whether something changed.
fn changed(changed: bool) -> Status {
    if changed { Status::Ok } else { Status::Nothing }
}

entries! {
    /// The corners of the shortest walk along the way that was found last, as `navmap_query_straighten` has them, with the links
    /// that begin at them. The first is the start, the last the end. No corner if no way was found. `NAVMAP_INVALID` for points
    /// that are no numbers.
    fn navmap_query_corners(
        query: *mut Query, world: *const World, start: *const Point, end: *const Point,
        corners[capacity]: *mut Corner52, count: *mut u32
    ) {
        let (query, index) = (query.handle()?, world.handle()?.index());
        let (start, end, mut room) = (start.get()?, end.get()?, corners?);
        query.turn("query")?.each_corner(index, start, end, |made| room.push(corner(made)))?;
        room.end(count)
    }

    /// An empty corridor for a world.
    fn navmap_corridor_new(world: *const World, corridor: *mut *mut Corridor; error) {
        let (index, place) = (world.handle()?.index(), corridor.handle_place()?);
        place.give(Turned::new(Follower { corridor: navmap::query::Corridor::new(index) }));
        Ok(Status::Ok)
    }

    /// Frees a corridor. NULL is none.
    fn navmap_corridor_free(corridor: *mut Corridor) {
        corridor.free()
    }

    /// Takes over the way that a query found last, from `start` to `goal`. If these are not on its first and its last area, the
    /// corridor begins and ends at their nearest points. It is for this world from now on. `NAVMAP_INVALID` if the query has no
    /// way, and for points that are no numbers; the corridor is then as before.
    fn navmap_corridor_follow(
        corridor: *mut Corridor, query: *mut Query, world: *const World, start: *const Point, goal: *const Point; error
    ) {
        let (corridor, query, index) = (corridor.handle()?, query.handle()?, world.handle()?.index());
        let (start, goal) = (start.get()?, goal.get()?);
        let (mut follower, scratch) = (corridor.turn("corridor")?, query.turn("query")?);
        follower.corridor.follow(index, &scratch, start, goal)?;
        Ok(Status::Ok)
    }

    /// Stands in an area and goes nowhere. It is for this world from now on.
    fn navmap_corridor_stand(corridor: *mut Corridor, world: *const World, area: u32, at: *const Point) {
        let (corridor, index, at) = (corridor.handle()?, world.handle()?.index(), at.get()?);
        let area = self::area(index, area)?;
        corridor.turn("corridor")?.corridor.stand(index, area, at)?;
        Ok(Status::Ok)
    }

    /// Where a corridor begins and ends.
    fn navmap_corridor_get(corridor: *mut Corridor, about: *mut Corridor40) {
        let (corridor, place) = (corridor.handle()?, about.place()?);
        let follower = corridor.turn("corridor")?;
        let corridor = &follower.corridor;
        place.set(Corridor40 {
            position: corridor.position(),
            goal: corridor.goal(),
            area: number(corridor.area()),
            goal_area: number(corridor.goal_area()),
            areas: crate::world::count(corridor.len()),
            reaches_goal: u32::from(corridor.reaches_goal()),
        });
        Ok(Status::Ok)
    }

    /// `NAVMAP_OK` if a corridor is at its goal: in the last area, and within this distance. Else `NAVMAP_NOTHING`.
    fn navmap_corridor_is_at_goal(corridor: *mut Corridor, within: f32) {
        Ok(changed(corridor.handle()?.turn("corridor")?.corridor.is_at_goal(within)))
    }

    /// The areas that are left, from the one that the corridor begins in.
    fn navmap_corridor_areas(corridor: *mut Corridor, areas[capacity]: *mut u32, count: *mut u32) {
        let (corridor, mut room) = (corridor.handle()?, areas?);
        corridor.turn("corridor")?.corridor.areas().for_each(|area| room.push(area.position()));
        room.end(count)
    }

    /// The next corners, as many as fit: more are not looked for, so `count` is never above `capacity`. Where the agent stands is
    /// none of them; the last one that exists is the goal. A corridor at its goal has one corner.
    fn navmap_corridor_corners(
        corridor: *mut Corridor, world: *const World, corners[capacity]: *mut Corner52, count: *mut u32
    ) {
        let (corridor, index, mut room) = (corridor.handle()?, world.handle()?.index(), corners?);
        let follower = corridor.turn("corridor")?;
        follower.fitting(index)?;
        follower.corridor.each_corner(index, room.left(), |made| room.push(corner(made)))?;
        room.end(count)
    }

    /// Moves the beginning along the surface towards a point, where the agent is now. `slide`, which may be NULL, gets where it
    /// is then. At the edge of a gap that the way leads over on foot, that is the other side. Else, if it has not arrived, the agent is
    /// beside the mesh or went farther than a slide does: see `navmap_corridor_repair`. `NAVMAP_INVALID` for an empty corridor, and for
    /// points that are no numbers.
    fn navmap_corridor_advance(corridor: *mut Corridor, world: *const World, to: *const Point, slide: *mut Slide20) {
        let (corridor, index, to) = (corridor.handle()?, world.handle()?.index(), to.get()?);
        let mut follower = corridor.turn("corridor")?;
        follower.fitting(index)?;
        let slid = follower.corridor.advance(index, to)?;
        slide.put(self::slide(slid))?;
        Ok(Status::Ok)
    }

    /// The same for the goal, such as somebody who is followed. If it has not arrived, the goal is the nearest point on the
    /// surface: search a new way.
    fn navmap_corridor_move_goal(corridor: *mut Corridor, world: *const World, to: *const Point, slide: *mut Slide20) {
        let (corridor, index, to) = (corridor.handle()?, world.handle()?.index(), to.get()?);
        let mut follower = corridor.turn("corridor")?;
        follower.fitting(index)?;
        let slid = follower.corridor.move_goal(index, to)?;
        slide.put(self::slide(slid))?;
        Ok(Status::Ok)
    }

    /// The leg that begins at the next corner: a ladder, a jump, a teleporter. `NAVMAP_NOTHING` if none does.
    fn navmap_corridor_next_leg(corridor: *mut Corridor, world: *const World, leg: *mut Leg60) {
        let (corridor, index, place) = (corridor.handle()?, world.handle()?.index(), leg.place()?);
        let follower = corridor.turn("corridor")?;
        follower.fitting(index)?;
        let Some(next) = follower.corridor.next_leg(index)? else { return Ok(Status::Nothing) };
        place.set(self::leg(next));
        Ok(Status::Ok)
    }

    /// Goes over the leg that begins at the next corner: the corridor then begins at its dismount. How the agent gets there is
    /// the caller's. `leg` may be NULL. `NAVMAP_NOTHING`, and nothing changes, if no leg begins there.
    fn navmap_corridor_take_leg(corridor: *mut Corridor, world: *const World, leg: *mut Leg60) {
        let (corridor, index) = (corridor.handle()?, world.handle()?.index());
        let mut follower = corridor.turn("corridor")?;
        follower.fitting(index)?;
        let Some(taken) = follower.corridor.take_leg(index)? else { return Ok(Status::Nothing) };
        leg.put(self::leg(taken))?;
        Ok(Status::Ok)
    }

    /// Cuts a corner by walking straight towards a point, at most `range` units, if that arrives on the way again and costs no
    /// more. It crosses 64 areas at most. `NAVMAP_OK` if the way changed, else `NAVMAP_NOTHING`. `options` and `overlay` may be
    /// NULL.
    fn navmap_corridor_shortcut(
        corridor: *mut Corridor, world: *const World, toward: *const Point, range: f32,
        options: *const QueryOptions, overlay: *const Overlay; error
    ) {
        let (corridor, index, toward) = (corridor.handle()?, world.handle()?.index(), toward.get()?);
        let options = options.options()?;
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let mut follower = corridor.turn("corridor")?;
        follower.fitting(index)?;
        options.ask(index, overlay.as_deref(), |asked| {
            Ok(changed(follower.corridor.shortcut(index, toward, range, &asked)?))
        })
    }

    /// Shortens the way as far as a little work does: straight to the goal or to the corner after the next, else by a search of
    /// 64 areas. The way that the query found last is gone then. `NAVMAP_OK` if the way changed, else `NAVMAP_NOTHING`. `options` and
    /// `overlay` may be NULL.
    fn navmap_corridor_optimize(
        corridor: *mut Corridor, query: *mut Query, world: *const World, options: *const QueryOptions,
        overlay: *const Overlay; error
    ) {
        let (corridor, query, index) = (corridor.handle()?, query.handle()?, world.handle()?.index());
        let options = options.options()?;
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let (mut follower, mut scratch) = (corridor.turn("corridor")?, query.turn("query")?);
        follower.fitting(index)?;
        fitting(&scratch, index)?;
        options.ask(index, overlay.as_deref(), |asked| {
            Ok(changed(follower.corridor.optimize(index, &mut scratch, &asked)?))
        })
    }

    /// Brings a corridor back to its way after a push, a fall or a teleport to `at`; it looks at 256 areas at most. `mended`, which
    /// may be NULL, gets 1 if a search was needed. `NAVMAP_NO_WAY` if the point is too far off: the corridor then stands there,
    /// or is empty if no ground is near, so search a new way. `options` and `overlay` may be NULL.
    fn navmap_corridor_repair(
        corridor: *mut Corridor, query: *mut Query, world: *const World, at: *const Point, options: *const QueryOptions,
        overlay: *const Overlay, mended: *mut u32; error
    ) {
        let (corridor, query, index) = (corridor.handle()?, query.handle()?, world.handle()?.index());
        let (at, options) = (at.get()?, options.options()?);
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let (mut follower, mut scratch) = (corridor.turn("corridor")?, query.turn("query")?);
        follower.fitting(index)?;
        fitting(&scratch, index)?;
        let found = options.ask(index, overlay.as_deref(), |asked| {
            Ok(follower.corridor.repair(index, &mut scratch, at, &asked)?)
        })?;
        mended.put(u32::from(found == Repair::Mended))?;
        Ok(match found {
            Repair::Whole | Repair::Mended => Status::Ok,
            _ => Status::NoWay,
        })
    }

    /// `NAVMAP_OK` if the next `steps` links of the way are still permitted, else `NAVMAP_NO_WAY`. `options` and `overlay` may be
    /// NULL.
    fn navmap_corridor_is_valid(
        corridor: *mut Corridor, world: *const World, steps: u32, options: *const QueryOptions, overlay: *const Overlay;
        error
    ) {
        let (corridor, index, options) = (corridor.handle()?, world.handle()?.index(), options.options()?);
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let follower = corridor.turn("corridor")?;
        follower.fitting(index)?;
        let valid = options.ask(index, overlay.as_deref(), |asked| {
            Ok(follower.corridor.is_valid(index, &asked, steps as usize)?)
        })?;
        Ok(if valid { Status::Ok } else { Status::NoWay })
    }

    /// Brings a corridor to another world, as after a reload: each area of the way is looked for by its id and its place.
    /// `NAVMAP_PARTIAL` if only the beginning of the way exists there: the corridor ends there. `NAVMAP_NO_WAY` if nothing is
    /// where it begins: it is empty then. In both cases, search a new way.
    fn navmap_corridor_remap(corridor: *mut Corridor, world: *const World) {
        let (corridor, index) = (corridor.handle()?, world.handle()?.index());
        Ok(match corridor.turn("corridor")?.corridor.remap(index) {
            Remap::Whole => Status::Ok,
            Remap::Cut => Status::Partial,
            _ => Status::NoWay,
        })
    }
}
