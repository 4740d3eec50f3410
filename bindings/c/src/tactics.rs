//! What a file knows of tactics: who sees whom, where to hide, what to watch on the way.

use crate::Point;
use crate::area::{NAVMAP_NONE, area};
use crate::door::LentMask;
use crate::error::Failure;
use crate::filter::{Mask, fitting, number};
use crate::overlay::Overlay;
use crate::query::{Query, QueryOptions, Reached8, most};
use crate::status::Status;
use crate::world::World;
use navmap::graph::{HidingKinds, Sight};
use navmap::query::{Area, Encounter, Hideout, Hiding, HidingPlace, Misuse, NavIndex, Tactics};

/// How much is seen: nothing.
pub const NAVMAP_HIDDEN: u32 = 0;
/// How much is seen: something, from somewhere in the other area.
pub const NAVMAP_PARTLY: u32 = 1;
/// How much is seen: all of it, from everywhere in the other area.
pub const NAVMAP_WHOLLY: u32 = 2;

/// A use of a hiding spot: there is cover around it.
pub const NAVMAP_COVER: u32 = 1;
/// A use of a hiding spot: a sniper sees far from it.
pub const NAVMAP_GOOD_SNIPER: u32 = 2;
/// A use of a hiding spot: a sniper sees very far from it, or over much ground.
pub const NAVMAP_IDEAL_SNIPER: u32 = 4;
/// A use of a hiding spot: it is a corner without cover.
pub const NAVMAP_EXPOSED: u32 = 8;

/// An area that is seen. 8 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen8 {
    /// The area.
    pub area: u32,
    /// How much of it: `NAVMAP_PARTLY` or `NAVMAP_WHOLLY`.
    pub sight: u32,
}

/// A hiding spot. 24 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hiding24 {
    /// The file's own name for it, or `NAVMAP_NONE`.
    pub id: u32,
    /// The area that it is in.
    pub area: u32,
    /// Where it is, on the ground.
    pub point: Point,
    /// Its uses: `NAVMAP_COVER` and so on.
    pub kinds: u32,
}

/// A hiding spot that was found. 32 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hideout32 {
    /// The spot.
    pub spot: Hiding24,
    /// Which of the wanted kinds it is: 0 for the best.
    pub rank: u32,
    /// What the walk to it costs.
    pub walk: f32,
}

/// What a hiding spot has to be like. Zeros want cover, however far; `size` must be set, as `NAVMAP_INIT` does.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct HidingOptions {
    /// `sizeof(navmap_hiding_options)`.
    pub size: u32,
    /// The kinds that are wanted: any spot of these bits comes before all others. 0: `NAVMAP_COVER`.
    pub best: u32,
    /// Those wanted next. 0: none.
    pub second: u32,
    /// Those wanted last. 0: none. Snipers of the engine want `NAVMAP_IDEAL_SNIPER`, `NAVMAP_GOOD_SNIPER`, `NAVMAP_COVER`.
    pub third: u32,
    /// How far it may be, by walking. 0: any.
    pub travel: f32,
    /// How far one must see from it. 0: any.
    pub range: f32,
    /// Areas in which no spot is taken, such as those that enemies see. NULL: none.
    pub unseen: LentMask,
}
sized32!(HidingOptions: size_of::<HidingOptions>());

/// How much of a way is seen. 20 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exposure20 {
    /// The length of the whole way, from center to center, in units.
    pub length: f32,
    /// How much of it is in areas of the mask. Half of a link belongs to either of its areas.
    pub seen: f32,
    /// The longest part that is seen without a break.
    pub longest: f32,
    /// How many of its areas are in the mask.
    pub areas: u32,
    /// The first of them, or `NAVMAP_NONE`.
    pub first: u32,
}

/// A hiding spot that comes into view on a way. 44 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Encounter44 {
    /// The area that the way leads through.
    pub area: u32,
    /// The share of the way through the area after which the spot comes into view, 0 to 1.
    pub along: f32,
    /// The point of the way there, on the ground.
    pub from: Point,
    /// The spot.
    pub spot: Hiding24,
}

/// How many hiding spots are looked for at most.
const FOUND: usize = 64;
/// How many the engine collects.
const COLLECTED: usize = 256;

fn hiding(place: HidingPlace) -> Hiding24 {
    Hiding24 {
        id: place.id.unwrap_or(NAVMAP_NONE),
        area: place.area.position(),
        point: place.at,
        kinds: u32::from(place.kinds.0),
    }
}

fn encounter(met: Encounter) -> Encounter44 {
    Encounter44 { area: met.area.position(), along: met.along, from: met.from, spot: hiding(met.place) }
}

fn seen_as(sight: Sight) -> u32 {
    match sight {
        Sight::Hidden => NAVMAP_HIDDEN,
        Sight::Partly => NAVMAP_PARTLY,
        Sight::Wholly => NAVMAP_WHOLLY,
    }
}

fn sight(number: u32) -> Result<Sight, Failure> {
    match number {
        NAVMAP_PARTLY => Ok(Sight::Partly),
        NAVMAP_WHOLLY => Ok(Sight::Wholly),
        _ => Err(Failure::Bare(Status::Invalid, "least")),
    }
}

/// What the world knows, or an error that says how to open it.
fn tactics(index: &NavIndex) -> Result<Tactics<'_>, Failure> {
    let refused = || Failure::text(Status::Invalid, "the world was opened without NAVMAP_TACTICS");
    index.tactics().ok_or_else(refused)
}

fn kinds(bits: u32, name: &'static str) -> Result<HidingKinds, Failure> {
    let known = NAVMAP_COVER | NAVMAP_GOOD_SNIPER | NAVMAP_IDEAL_SNIPER | NAVMAP_EXPOSED;
    match u8::try_from(bits) {
        Ok(few) if bits & !known == 0 => Ok(HidingKinds(few)),
        _ => Err(Failure::Bare(Status::Invalid, name)),
    }
}

/// What is set: 0 is no bound.
fn least(set: f32, name: &'static str) -> Result<f32, Failure> {
    if set >= 0.0 { Ok(set) } else { Err(Failure::Bare(Status::Invalid, name)) }
}

impl HidingOptions {
    fn wanted(&self) -> Result<[HidingKinds; 3], Failure> {
        let best = if self.best == 0 { NAVMAP_COVER } else { self.best };
        Ok([
            kinds(best, "hiding.best")?,
            kinds(self.second, "hiding.second")?,
            kinds(self.third, "hiding.third")?,
        ])
    }

    /// Hands what is looked for to `then`. The query says which areas and links may be used.
    fn ask<R>(
        &self,
        index: &NavIndex,
        query: navmap::query::Query<'_>,
        then: impl FnOnce(&Hiding<'_>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let unseen = self.unseen.maybe("hiding.unseen")?;
        let unseen = unseen.map(|mask| mask.look("hiding.unseen")).transpose()?;
        if let Some(mask) = &unseen {
            fitting(mask, index)?;
        }
        let ask = Hiding::cover()
            .with_wanted(self.wanted()?)
            .with_travel(most(self.travel, "hiding.travel")?)
            .with_range(least(self.range, "hiding.range")?)
            .with_query(query);
        then(&match &unseen {
            Some(mask) => ask.with_unseen(mask),
            None => ask,
        })
    }
}

entries! {
    /// How much of one area is seen from another: `NAVMAP_HIDDEN`, `NAVMAP_PARTLY`, `NAVMAP_WHOLLY`. What an area inherits from
    /// another is resolved. Like all calls about tactics, `NAVMAP_INVALID` if the world was opened without `NAVMAP_TACTICS`.
    fn navmap_sight(world: *const World, from: u32, to: u32, sight: *mut u32) {
        let (index, place) = (world.handle()?.index(), sight.place()?);
        let (from, to) = (area(index, from)?, area(index, to)?);
        place.set(seen_as(tactics(index)?.sight(from, to)));
        Ok(Status::Ok)
    }

    /// All areas that are seen from one, itself included.
    fn navmap_seen(world: *const World, from: u32, areas[capacity]: *mut Seen8, count: *mut u32) {
        let (index, mut room) = (world.handle()?.index(), areas?);
        let from = area(index, from)?;
        let seen = tactics(index)?.seen(from);
        seen.for_each(|(area, sight)| room.push(Seen8 { area: area.position(), sight: seen_as(sight) }));
        room.end(count)
    }

    /// Adds to a mask what is seen from some areas, at least this much of it: `NAVMAP_PARTLY` or `NAVMAP_WHOLLY`. Nothing is
    /// changed if one of them does not exist.
    fn navmap_mask_add_seen(mask: *mut Mask, world: *const World, areas[count]: *const u32, least: u32; error) {
        let (mask, index, areas) = (mask.handle()?, world.handle()?.index(), areas?);
        let (tactics, least) = (tactics(index)?, sight(least)?);
        let mut mask = mask.turn("mask")?;
        fitting(&mask, index)?;
        areas.iter().try_for_each(|&number| area(index, number).map(drop))?;
        tactics.add_seen(areas.iter().filter_map(|&area| Area::at(area)), least, &mut mask)?;
        Ok(Status::Ok)
    }

    /// The same from the areas under some points, such as where a team stands. `standing`, which may be NULL, gets how many of
    /// the points stand on an area; the others see nothing.
    fn navmap_mask_add_seen_from(
        mask: *mut Mask, world: *const World, points[count]: *const Point, least: u32, standing: *mut u32; error
    ) {
        let (mask, index, points) = (mask.handle()?, world.handle()?.index(), points?);
        let (tactics, least) = (tactics(index)?, sight(least)?);
        let mut mask = mask.turn("mask")?;
        fitting(&mask, index)?;
        let stand = tactics.add_seen_from(points, least, &mut mask)?;
        standing.put(crate::world::count(stand))?;
        Ok(Status::Ok)
    }

    /// The hiding spots in an area, in file order; with `NAVMAP_NONE` those of all areas.
    fn navmap_area_hiding(world: *const World, area: u32, spots[capacity]: *mut Hiding24, count: *mut u32) {
        let (index, mut room) = (world.handle()?.index(), spots?);
        let within = if area == NAVMAP_NONE { None } else { Some(self::area(index, area)?) };
        let tactics = tactics(index)?;
        match within {
            Some(area) => tactics.hiding_in(area).for_each(|place| room.push(hiding(place))),
            None => tactics.hiding_places().for_each(|place| room.push(hiding(place))),
        }
        room.end(count)
    }

    /// The spots that come into view on the way through an area, from one of its neighbours to another, as they come.
    /// `NAVMAP_NOTHING` if the file has no such way.
    fn navmap_area_encounters(
        world: *const World, from: u32, area: u32, to: u32, encounters[capacity]: *mut Encounter44, count: *mut u32
    ) {
        let (index, mut room) = (world.handle()?.index(), encounters?);
        let (from, through, to) = (self::area(index, from)?, self::area(index, area)?, self::area(index, to)?);
        let Some(met) = tactics(index)?.encounters_through(from, through, to) else { return Ok(Status::Nothing) };
        met.for_each(|met| room.push(encounter(met)));
        room.end(count)
    }

    /// The best hiding spots for somebody at a point of an area: by kind, then by walking distance. 64 at most; more are not
    /// looked for, so `count` is never above `capacity`. `hiding`, `options` and `overlay` may be NULL; of the options the costs
    /// and permitted links count. The way that the query found last is gone then.
    fn navmap_query_spots(
        query: *mut Query, world: *const World, area: u32, at: *const Point, hiding: *const HidingOptions,
        options: *const QueryOptions, overlay: *const Overlay, spots[capacity]: *mut Hideout32, count: *mut u32; error
    ) {
        let (query, index, options) = (query.handle()?, world.handle()?.index(), options.options()?);
        let (at, hiding, mut room) = (at.get()?, hiding.options()?, spots?);
        let (area, tactics) = (self::area(index, area)?, tactics(index)?);
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let mut scratch = query.turn("query")?;
        let mut found = [None::<Hideout>; FOUND];
        let out = found.get_mut(..room.left().min(FOUND)).unwrap_or_default();
        options.ask(index, overlay.as_deref(), |asked| {
            hiding.ask(index, asked, |ask| Ok(tactics.spots(&mut scratch, area, at, ask, out)?))
        })?;
        found.iter().flatten().for_each(|found| {
            room.push(Hideout32 {
                spot: self::hiding(found.place),
                rank: u32::from(found.rank),
                walk: found.walk,
            });
        });
        room.end(count)
    }

    /// The spots among which the engine's `FindNearbyHidingSpot` chooses, in the order in which it collects them: those of the
    /// first wanted kind of which there are any, 256 at most. It takes one at random, or the closest in a straight line; its own
    /// `travel` is 1,000 units. Blocked areas of the overlay are not entered. `hiding` and `overlay` may be NULL. No more are
    /// looked for than fit, so `count` is never above `capacity`. The way that the query found last is gone then.
    fn navmap_query_spots_as_engine(
        query: *mut Query, world: *const World, area: u32, at: *const Point, hiding: *const HidingOptions,
        overlay: *const Overlay, spots[capacity]: *mut Hiding24, count: *mut u32; error
    ) {
        let (query, index) = (query.handle()?, world.handle()?.index());
        let (at, hiding, mut room) = (at.get()?, hiding.options()?, spots?);
        let (area, tactics) = (self::area(index, area)?, tactics(index)?);
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let mut scratch = query.turn("query")?;
        let asked = navmap::query::Query::default().with_overlay(overlay.as_deref());
        let mut found = [None::<HidingPlace>; COLLECTED];
        let out = found.get_mut(..room.left().min(COLLECTED)).unwrap_or_default();
        hiding.ask(index, asked, |ask| Ok(tactics.spots_as_engine(&mut scratch, area, at, ask, out)?))?;
        found.iter().flatten().for_each(|found| room.push(self::hiding(*found)));
        room.end(count)
    }

    /// The spots that come into view on the way that was found last, as they come: what to look at on the way.
    fn navmap_query_encounters(
        query: *mut Query, world: *const World, encounters[capacity]: *mut Encounter44, count: *mut u32
    ) {
        let (query, index, mut room) = (query.handle()?, world.handle()?.index(), encounters?);
        let (scratch, tactics) = (query.turn("query")?, tactics(index)?);
        tactics.encounters(&scratch, |met| room.push(encounter(met)))?;
        room.end(count)
    }

    /// The nearest area by walking that is not in a mask, such as what enemies see, and what the walk costs; the area itself if it
    /// is not in the mask. `options.max_length`, `max_step` and `max_drop` bound it. `NAVMAP_NO_WAY` if there is none. `options` and
    /// `overlay` may be NULL.
    fn navmap_query_retreat(
        query: *mut Query, world: *const World, from: u32, watched: *const Mask, options: *const QueryOptions,
        overlay: *const Overlay, retreat: *mut Reached8; error
    ) {
        let (query, index, options) = (query.handle()?, world.handle()?.index(), options.options()?);
        let (from, watched, place) = (area(index, from)?, watched.handle()?.look("watched")?, retreat.place()?);
        fitting(&watched, index)?;
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let mut scratch = query.turn("query")?;
        let found = options.ask_flood(index, overlay.as_deref(), |flood| {
            Ok(scratch.retreat(index, from, &watched, &flood)?)
        })?;
        let Some((area, cost)) = found else { return Ok(Status::NoWay) };
        place.set(Reached8 { area: area.position(), cost });
        Ok(Status::Ok)
    }

    /// How much of the way that was found last lies in a mask, such as what enemies see. Zeros if there is no way.
    fn navmap_query_exposure(
        query: *mut Query, world: *const World, watched: *const Mask, exposure: *mut Exposure20
    ) {
        let (query, index) = (query.handle()?, world.handle()?.index());
        let (watched, place) = (watched.handle()?.look("watched")?, exposure.place()?);
        fitting(&watched, index)?;
        let scratch = query.turn("query")?;
        if !scratch.fits(index) {
            return Err(Misuse::OtherIndex.into());
        }
        let found = scratch.exposure(index, &watched)?;
        place.set(Exposure20 {
            length: found.length,
            seen: found.seen,
            longest: found.longest,
            areas: crate::world::count(found.areas),
            first: number(found.first),
        });
        Ok(Status::Ok)
    }
}
