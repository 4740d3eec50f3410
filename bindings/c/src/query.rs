//! Ways.

use crate::Point;
use crate::area::{NAVMAP_NONE, OnLink, area, kind, link};
use crate::door::{LentFilter, User};
use crate::error::Failure;
use crate::overlay::Overlay;
use crate::status::Status;
use crate::turned::Turned;
use crate::world::World;
use navmap::graph::LinkKind;
use navmap::query::{Cost, Flood, Goal, Kinds, Misuse, NavIndex, Outcome, PathScratch, Search, Spots, Way};
use std::ffi::c_void;
use std::ops::{ControlFlow, Deref, DerefMut};

/// The memory of searches, and the way that was found last. Use one in each thread: if two threads use it at once, the second
/// gets `NAVMAP_BUSY`. 30 bytes an area.
pub type Query = Turned<Searcher>;

/// What a query keeps: the memory of searches, and sums for random points.
#[derive(Debug)]
pub struct Searcher {
    scratch: PathScratch,
    /// The sums from which random points are drawn, and the world that they are of.
    spots: Option<(u64, Spots)>,
}

impl Searcher {
    fn new(index: &NavIndex) -> Self {
        Self { scratch: PathScratch::new(index), spots: None }
    }

    /// The sums of a world, which are made at the first call for it.
    pub(crate) fn spots(&mut self, index: &NavIndex) -> &Spots {
        if self.spots.as_ref().is_some_and(|(of, _)| *of != index.identity()) {
            self.spots = None;
        }
        &self.spots.get_or_insert_with(|| (index.identity(), index.spots())).1
    }
}

impl Deref for Searcher {
    type Target = PathScratch;

    #[inline(always)]
    fn deref(&self) -> &PathScratch {
        &self.scratch
    }
}

impl DerefMut for Searcher {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut PathScratch {
        &mut self.scratch
    }
}

/// `navmap_query_options.cost`: what the game's own search charges.
pub const NAVMAP_COST_ENGINE: u32 = 0;
/// `navmap_query_options.cost`: length in units.
pub const NAVMAP_COST_LENGTH: u32 = 1;
/// `navmap_query_options.search`: the search of the game. Its way need not be the cheapest.
pub const NAVMAP_SEARCH_ENGINE: u32 = 0;
/// `navmap_query_options.search`: the cheapest way.
pub const NAVMAP_SEARCH_SHORTEST: u32 = 1;
/// `navmap_query_options.flags`: links that the game can close are not taken.
pub const NAVMAP_NO_GATES: u32 = 1;
/// `navmap_query_options.flags`: if there is no way, gives the way to the area closest to the goal.
pub const NAVMAP_PARTIAL_WAY: u32 = 2;
/// `navmap_query_options.flags`, for distances: along reversed links, to the area instead of from it.
pub const NAVMAP_BACKWARD: u32 = 4;
/// `navmap_query_options.flags`, for floods: links are followed backward too, if both of their ends are permitted.
pub const NAVMAP_INCOMING: u32 = 8;

/// How a search is done. Zeros search as the game does; `size` must be set, as `NAVMAP_INIT` does.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct QueryOptions {
    /// `sizeof(navmap_query_options)`.
    pub size: u32,
    /// `NAVMAP_COST_ENGINE` or `NAVMAP_COST_LENGTH`.
    pub cost: u32,
    /// `NAVMAP_SEARCH_ENGINE` or `NAVMAP_SEARCH_SHORTEST`.
    pub search: u32,
    /// `NAVMAP_NO_GATES` and so on.
    pub flags: u32,
    /// Kinds of links that must not be taken: `1u << NAVMAP_LADDER` and so on.
    pub without: u32,
    /// Longest way allowed, in units; for distances and floods, the highest cost. If the cheapest way is longer, the shortest one is
    /// searched. 0: any.
    pub max_length: f32,
    /// Highest step up of a link, in units, at the middle of its portal. Links on foot, jumps and drops have steps. 0: any.
    pub max_step: f32,
    /// Deepest step down of a flood, in units. 0: any.
    pub max_drop: f32,
    /// How many areas are looked at before the search is unfinished. 0: all.
    pub max_pops: u32,
    /// 0.
    pub zero: u32,
    /// Which areas and links may be used. NULL: all. It must stay until the call is over.
    pub filter: LentFilter,
    /// What each link costs, instead of `cost`. NULL: `cost` says.
    pub price: OnLink,
    /// Is handed to `price`.
    pub user: *mut c_void,
}
// The struct was published without its last four members.
sized32!(QueryOptions: std::mem::offset_of!(QueryOptions, zero));

/// The result of a search. 32 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Path32 {
    /// What the way costs; infinite if there is none.
    pub cost: f32,
    /// With `NAVMAP_PARTIAL`: how far the last area is from the goal. Else 0.
    pub distance: f32,
    /// How many steps the way has, the start included.
    pub steps: u32,
    /// With `NAVMAP_PARTIAL` the last area, with `NAVMAP_LEAVES_LOADED` the area that the way out leaves; else
    /// `NAVMAP_NONE`.
    pub area: u32,
    /// With `NAVMAP_LEAVES_LOADED`: what the way out leads to, as the format numbers it, if `has_beyond`.
    pub beyond: u64,
    /// 1 if `beyond` is set.
    pub has_beyond: u32,
    /// 0.
    pub zero: u32,
}

/// A step of a way. 20 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step20 {
    /// Where it leads.
    pub area: u32,
    /// How: `NAVMAP_WALK` and so on; `NAVMAP_NONE` for the first, at which the way begins.
    pub kind: u32,
    /// 1 if the game can open and close the link.
    pub gated: u32,
    /// The file's own number for the link, or `NAVMAP_NONE`.
    pub number: u32,
    /// What the way costs up to here.
    pub cost: f32,
}

/// An area that a flood reached. 8 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached8 {
    /// The area.
    pub area: u32,
    /// What the way there costs.
    pub cost: f32,
}

/// Refuses another world than that of the query.
pub(crate) fn fitting(scratch: &PathScratch, index: &NavIndex) -> Result<(), Failure> {
    if scratch.fits(index) { Ok(()) } else { Err(Misuse::OtherIndex.into()) }
}

/// What is set, or no bound.
pub(crate) fn most(set: f32, name: &'static str) -> Result<f32, Failure> {
    match set {
        0.0 => Ok(f32::INFINITY),
        _ if set > 0.0 => Ok(set),
        _ => Err(Failure::Bare(Status::Invalid, name)),
    }
}

impl QueryOptions {
    /// Hands the query that the options make to `then`.
    #[inline]
    pub(crate) fn ask<R>(
        &self,
        index: &NavIndex,
        overlay: Option<&navmap::query::Overlay>,
        then: impl FnOnce(navmap::query::Query<'_>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let (each, user) = (self.price, User::new(self.user));
        let price = move |way: &Way| {
            let link = link(*way);
            each.map(|each| each(&raw const link, user.pointer()))
        };
        let query = self.query(index, overlay)?;
        let query = if each.is_some() { query.with_cost(Cost::Custom(&price)) } else { query };
        match self.filter.maybe("options.filter")? {
            None => then(query),
            Some(filter) => filter.with(index, |filter| then(query.with_filter(filter))),
        }
    }

    /// The same for a flood.
    pub(crate) fn ask_flood<R>(
        &self,
        index: &NavIndex,
        overlay: Option<&navmap::query::Overlay>,
        then: impl FnOnce(Flood<'_>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let down = most(self.max_drop, "options.max_drop")?;
        self.ask(index, overlay, |asked| {
            then(
                Flood::default()
                    .with_travel(asked.max_length)
                    .with_up(asked.max_step)
                    .with_down(down)
                    .with_incoming(self.flags & NAVMAP_INCOMING != 0)
                    .with_query(asked),
            )
        })
    }

    /// In place: a query is as large as three cache lines, and copies of it took as long as a short search.
    #[inline(always)]
    fn query<'q>(
        &self,
        index: &NavIndex,
        overlay: Option<&'q navmap::query::Overlay>,
    ) -> Result<navmap::query::Query<'q>, Failure> {
        let invalid = |name| Err(Failure::Bare(Status::Invalid, name));
        let plain = plain(index, overlay)?;
        let all = NAVMAP_NO_GATES | NAVMAP_PARTIAL_WAY | NAVMAP_BACKWARD | NAVMAP_INCOMING;
        let cost = match self.cost {
            NAVMAP_COST_ENGINE => Cost::Engine,
            NAVMAP_COST_LENGTH => Cost::Length,
            _ => return invalid("options.cost"),
        };
        let search = match self.search {
            NAVMAP_SEARCH_ENGINE => Search::Engine,
            NAVMAP_SEARCH_SHORTEST => Search::Shortest,
            _ => return invalid("options.search"),
        };
        if self.flags & !all != 0 {
            return invalid("options.flags");
        }
        if !is_kinds(self.without) {
            return invalid("options.without");
        }
        let kinds = kinds_without(self.without);
        Ok(plain
            .with_cost(cost)
            .with_search(search)
            .with_kinds(kinds)
            .with_gates(self.flags & NAVMAP_NO_GATES == 0)
            .with_max_length(most(self.max_length, "options.max_length")?)
            .with_max_step(most(self.max_step, "options.max_step")?)
            .with_max_pops(if self.max_pops == 0 { u32::MAX } else { self.max_pops })
            .with_partial(self.flags & NAVMAP_PARTIAL_WAY != 0))
    }
}

/// The query that no options make.
#[inline(always)]
fn plain<'q>(
    index: &NavIndex,
    overlay: Option<&'q navmap::query::Overlay>,
) -> Result<navmap::query::Query<'q>, Failure> {
    if overlay.is_some_and(|overlay| !overlay.fits(index)) {
        return Err(Failure::Bare(Status::OtherWorld, "overlay"));
    }
    Ok(navmap::query::Query::default().with_overlay(overlay))
}

/// The bits of all kinds of links.
pub(crate) const ALL_KINDS: u32 = (1 << LinkKind::ALL.len()) - 1;

/// Whether bits are those of kinds of links.
pub(crate) fn is_kinds(bits: u32) -> bool {
    bits >> LinkKind::ALL.len() == 0
}

/// The kinds of links that are not forbidden.
#[inline]
pub(crate) fn kinds_without(bits: u32) -> Kinds {
    // Few queries forbid a kind, and checking each kind takes longer than a path over one link.
    if bits == 0 {
        return Kinds::ALL;
    }
    let forbidden = LinkKind::ALL.into_iter().filter(|known| bits >> kind(*known) & 1 != 0);
    forbidden.fold(Kinds::ALL, Kinds::without)
}

/// The status of an outcome, and what is told of it.
fn told(outcome: Outcome, steps: usize) -> (Status, Path32) {
    let none = Path32 {
        cost: f32::INFINITY,
        distance: 0.0,
        steps: crate::world::count(steps),
        area: NAVMAP_NONE,
        beyond: 0,
        has_beyond: 0,
        zero: 0,
    };
    match outcome {
        Outcome::Found { cost } => (Status::Ok, Path32 { cost, ..none }),
        Outcome::Partial { closest, distance, cost } => {
            (Status::Partial, Path32 { cost, distance, area: closest.position(), ..none })
        }
        Outcome::LeavesLoadedTiles { tile, at } => {
            let (beyond, has_beyond) = (tile.unwrap_or(0), u32::from(tile.is_some()));
            (Status::LeavesLoaded, Path32 { area: at.position(), beyond, has_beyond, ..none })
        }
        Outcome::Unfinished => (Status::Unfinished, none),
        _ => (Status::NoWay, none),
    }
}

entries! {
    /// Memory for searches in a world.
    fn navmap_query_new(world: *const World, query: *mut *mut Query; error) {
        let (index, place) = (world.handle()?.index(), query.handle_place()?);
        place.give(Turned::new(Searcher::new(index)));
        Ok(Status::Ok)
    }

    /// Frees a query. NULL is none.
    fn navmap_query_free(query: *mut Query) {
        query.free()
    }

    /// Makes a query fit another world, for example after a reload. Costs nothing if it already fits.
    fn navmap_query_fit(query: *mut Query, world: *const World) {
        let (query, index) = (query.handle()?, world.handle()?.index());
        query.turn("query")?.fit(index);
        Ok(Status::Ok)
    }

    /// The way from one area to another, or to `goal`, a point in it, which may be NULL. `options` and `overlay` may be
    /// NULL. Nothing is allocated. `NAVMAP_OK` if there is a way, else `NAVMAP_NO_WAY`, `NAVMAP_PARTIAL`,
    /// `NAVMAP_LEAVES_LOADED` or `NAVMAP_UNFINISHED`; `path`, which may be NULL, is written in all of these cases.
    fn navmap_query_path(
        query: *mut Query, world: *const World, from: u32, to: u32, goal: *const Point,
        options: *const QueryOptions, overlay: *const Overlay, path: *mut Path32; error
    ) {
        let (query, index, options) = (query.handle()?, world.handle()?.index(), options.maybe_options()?);
        let (from, to, goal) = (area(index, from)?, area(index, to)?, goal.maybe_get()?);
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let mut scratch = query.turn("query")?;
        let goal = Goal { area: to, point: goal };
        let mut search = |asked: &navmap::query::Query<'_>| Ok(scratch.path(index, from, goal, asked)?);
        let outcome = match options {
            None => search(&plain(index, overlay.as_deref())?)?,
            Some(options) => options.ask(index, overlay.as_deref(), |asked| search(&asked))?,
        };
        let (status, told) = told(outcome, scratch.len());
        path.put(told)?;
        Ok(status)
    }

    /// Continues a search that was `NAVMAP_UNFINISHED`, for as many areas again. Pass the same options and overlay, which may be NULL,
    /// as may `path`.
    fn navmap_query_resume(
        query: *mut Query, world: *const World, options: *const QueryOptions, overlay: *const Overlay,
        path: *mut Path32; error
    ) {
        let (query, index, options) = (query.handle()?, world.handle()?.index(), options.options()?);
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let mut scratch = query.turn("query")?;
        let outcome = options.ask(index, overlay.as_deref(), |asked| Ok(scratch.resume(index, &asked)?))?;
        let (status, told) = told(outcome, scratch.len());
        path.put(told)?;
        Ok(status)
    }

    /// The steps of the way that was found last. `NAVMAP_OTHER_WORLD` if it was found in another one.
    fn navmap_query_steps(query: *mut Query, world: *const World, steps[capacity]: *mut Step20, count: *mut u32) {
        let (query, index, mut room) = (query.handle()?, world.handle()?.index(), steps?);
        let scratch = query.turn("query")?;
        fitting(&scratch, index)?;
        for step in scratch.steps(index) {
            let way = step.way;
            room.push(Step20 {
                area: step.area.position(),
                kind: way.map_or(NAVMAP_NONE, |way| kind(way.kind)),
                gated: u32::from(way.is_some_and(|way| way.gated)),
                number: way.and_then(|way| way.number).unwrap_or(NAVMAP_NONE),
                cost: step.cost,
            });
        }
        room.end(count)
    }

    /// The corners of the shortest walk along the way that was found last, from `start` to `end`, both included. A start
    /// that does not stand on the first area is moved to the nearest point of it, and an end to that of the last area. No
    /// corner is repeated, so a walk that stays where it is has one. `NAVMAP_INVALID` for points that are no numbers.
    fn navmap_query_straighten(
        query: *mut Query, world: *const World, start: *const Point, end: *const Point,
        corners[capacity]: *mut Point, count: *mut u32
    ) {
        let (query, index) = (query.handle()?, world.handle()?.index());
        let (start, end, mut room) = (start.get()?, end.get()?, corners?);
        query.turn("query")?.each_bend(index, start, end, |corner| room.push(corner))?;
        room.end(count)
    }

    /// The cost of the way from an area to every other, by number; infinite if there is no way. There must be room for all
    /// areas. `options` and `overlay` may be NULL. `reached`, which may be NULL, gets how many were reached.
    fn navmap_query_distance_map(
        query: *mut Query, world: *const World, from: u32, options: *const QueryOptions, overlay: *const Overlay,
        costs[capacity]: *mut f32, reached: *mut u32; error
    ) {
        let (query, index, options) = (query.handle()?, world.handle()?.index(), options.options()?);
        let (from, room) = (area(index, from)?, costs?);
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let mut scratch = query.turn("query")?;
        fitting(&scratch, index)?;
        let count = options.ask(index, overlay.as_deref(), |asked| {
            // Nothing can fail any more, so that the room may be written.
            let costs = room.floats(index.len()).ok_or(Failure::Bare(Status::Invalid, "capacity"))?;
            Ok(match options.flags & NAVMAP_BACKWARD {
                0 => scratch.distance_map(index, from, &asked, costs)?,
                _ => scratch.distance_map_to(index, from, &asked, costs)?,
            })
        })?;
        reached.put(crate::world::count(count))?;
        Ok(Status::Ok)
    }

    /// The areas that can be reached from one, the nearest first, with the cost of the way. `options.max_length`,
    /// `max_step` and `max_drop` bound it. None from an area that is blocked. `options` and `overlay` may be NULL.
    fn navmap_query_flood(
        query: *mut Query, world: *const World, from: u32, options: *const QueryOptions, overlay: *const Overlay,
        areas[capacity]: *mut Reached8, count: *mut u32; error
    ) {
        let (query, index, options) = (query.handle()?, world.handle()?.index(), options.options()?);
        let (from, mut room) = (area(index, from)?, areas?);
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let mut scratch = query.turn("query")?;
        options.ask_flood(index, overlay.as_deref(), |flood| {
            Ok(scratch.flood(index, from, &flood, |area, cost| {
                room.push(Reached8 { area: area.position(), cost });
                ControlFlow::Continue(())
            })?)
        })?;
        room.end(count)
    }
}
