//! Maps of GoldSrc and Source: lines and boxes traced through their solid world.

use crate::Point;
use crate::area::NAVMAP_NONE;
use crate::error::Failure;
use crate::options::OpenOptions;
use crate::status::Status;
use navmap::bsp::{BspMap, Contents};
use navmap::open::Bytes;
use std::ffi::c_char;
use std::ops::Deref;

/// The map of a mesh, `.bsp`, for traces, and to analyse and generate meshes. Any number of threads may use it at once.
#[derive(Debug)]
pub struct Map {
    map: BspMap,
    /// Bytes of its file, which a mesh keeps to know its map.
    pub(crate) bytes: u64,
}

impl Deref for Map {
    type Target = BspMap;

    fn deref(&self) -> &BspMap {
        &self.map
    }
}

/// What fills space: solid to everything.
pub const NAVMAP_SOLID: u32 = 0x1;
/// Water.
pub const NAVMAP_WATER: u32 = 0x20;
/// What fills space: a ladder.
pub const NAVMAP_CLIMBED: u32 = 0x2000_0000;
/// A mask of what stops a player.
pub const NAVMAP_STOPS_PLAYERS: u32 = 0x201_400B;
/// A mask of what stops a bullet or a sniper's sight.
pub const NAVMAP_STOPS_SHOTS: u32 = 0x1_4001;

/// `navmap_trace40.flags`: the start lies in something solid.
pub const NAVMAP_START_SOLID: u32 = 1;
/// `navmap_trace40.flags`: the whole way lies in something solid.
pub const NAVMAP_ALL_SOLID: u32 = 2;
/// `navmap_trace40.flags`: a displacement was hit, Source's ground made of triangles.
pub const NAVMAP_DISPLACEMENT: u32 = 4;
/// `navmap_trace40.flags`: the sky was hit. Source only.
pub const NAVMAP_SKY: u32 = 8;

/// Where a trace ends. 40 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trace40 {
    /// The free part of the way: 1 if nothing was hit. A trace stops 1/32 of a unit before an obstacle.
    pub fraction: f32,
    /// The point that was reached.
    pub end: Point,
    /// The normal of the surface that was hit; zeros if nothing was.
    pub normal: Point,
    /// What was hit: `NAVMAP_SOLID` and so on, as the engine numbers it.
    pub contents: u32,
    /// The entity that was hit, as its number in the map; `NAVMAP_NONE` for the world.
    pub entity: u32,
    /// `NAVMAP_START_SOLID` and so on.
    pub flags: u32,
}

fn trace(found: navmap::bsp::Trace) -> Trace40 {
    let flag = |on: bool, flag: u32| if on { flag } else { 0 };
    Trace40 {
        fraction: found.fraction,
        end: Point::from(found.end),
        normal: Point::from(found.normal),
        contents: found.contents.0,
        entity: found.entity.unwrap_or(NAVMAP_NONE),
        flags: flag(found.start_solid, NAVMAP_START_SOLID)
            | flag(found.all_solid, NAVMAP_ALL_SOLID)
            | flag(found.displacement, NAVMAP_DISPLACEMENT)
            | flag(found.sky, NAVMAP_SKY),
    }
}

/// The coordinates of a point, which must be numbers.
fn at(point: Point, name: &'static str) -> Result<[f32; 3], Failure> {
    if point.is_finite() { Ok(point.to_array()) } else { Err(Failure::Bare(Status::Invalid, name)) }
}

entries! {
    /// Reads a map, and checks every index in it once: a file, or `archive!member`. The file is not mapped. `options`, which may be
    /// NULL, bounds what it costs. Static props have their shapes in other files: traces pass through them.
    fn navmap_map_open(path: *const c_char, options: *const OpenOptions, map: *mut *mut Map; error) {
        let (path, options, place) = (path.path()?, options.options()?.open()?, map.handle_place()?);
        let bytes = Bytes::open(&path, &options)?;
        let map = BspMap::parse_with(&bytes, &options.limits).map_err(|error| error.in_file(&path))?;
        bytes.intact()?;
        place.give(Map { map, bytes: bytes.len() as u64 });
        Ok(Status::Ok)
    }

    /// Frees a map. NULL is none.
    fn navmap_map_free(map: *mut Map) {
        map.free()
    }

    /// Traces a line through the world and the solid entities of a map, to what `contents` has a bit of.
    fn navmap_map_line(
        map: *const Map, from: *const Point, to: *const Point, contents: u32, trace: *mut Trace40
    ) {
        let (map, place) = (map.handle()?, trace.place()?);
        let (from, to) = (at(from.get()?, "from")?, at(to.get()?, "to")?);
        place.set(self::trace(map.line(from, to, Contents(contents))));
        Ok(Status::Ok)
    }

    /// The same for a box that reaches from `low` to `high` around the moving point. `NAVMAP_NOTHING` in GoldSrc, whose maps have
    /// no brushes to trace a box against.
    fn navmap_map_box(
        map: *const Map, from: *const Point, to: *const Point, low: *const Point, high: *const Point,
        contents: u32, trace: *mut Trace40
    ) {
        let (map, place) = (map.handle()?, trace.place()?);
        let (from, to) = (at(from.get()?, "from")?, at(to.get()?, "to")?);
        let (low, high) = (at(low.get()?, "low")?, at(high.get()?, "high")?);
        let Some(found) = map.hull(from, to, low, high, Contents(contents)) else {
            return Ok(Status::Nothing);
        };
        place.set(self::trace(found));
        Ok(Status::Ok)
    }

    /// What fills a point, of the world and of the entities there: 0 for air.
    fn navmap_map_contents(map: *const Map, point: *const Point, contents: *mut u32) {
        let (map, place) = (map.handle()?, contents.place()?);
        place.set(map.contents(at(point.get()?, "point")?).0);
        Ok(Status::Ok)
    }
}
