//! Worlds: a mesh and its index, immutable, shared.

use crate::area::NAVMAP_NONE;
use crate::error::Failure;
use crate::options::OpenOptions;
use crate::status::Status;
use crate::text::{lasting, utf8};
use crate::{Point, door::Text};
use navmap::graph::Up;
use std::ffi::c_char;
use std::path::PathBuf;
use std::sync::Arc;

/// A mesh and its index: immutable and reference-counted. Any number of threads may ask it at once.
pub type World = navmap::query::World;

/// What a world is. Set `size` before the call.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Info {
    /// `sizeof(navmap_info)`.
    pub size: u32,
    /// How many areas.
    pub areas: u32,
    /// How many links between them.
    pub links: u32,
    /// How many links lead out of what is loaded.
    pub ways_out: u32,
    /// Number of the world in its slot, from 1; 0 outside of slots.
    pub generation: u64,
    /// Warnings and errors that the options allowed.
    pub findings: u64,
    /// Doors of a load order that lead to no triangle.
    pub unresolved_doors: u64,
    /// Bytes of the index.
    pub bytes: u64,
    /// Smallest coordinates of all areas.
    pub min: Point,
    /// Largest coordinates.
    pub max: Point,
    /// The coordinate that points up: 1 for y, 2 for z.
    pub up: u32,
    /// Length of a unit in metres.
    pub metres_per_unit: f32,
    /// How far the ground may lie above a point that stands on it.
    pub above: f32,
    /// How far the ground may lie below a point.
    pub reach: f32,
    /// The highest step that one can walk up.
    pub step: f32,
    /// Version of the format; `NAVMAP_NONE` if unknown or if the world was made of many files.
    pub version: u32,
    /// Sub-version, or `NAVMAP_NONE`.
    pub subversion: u32,
    /// 0.
    pub zero: u32,
    /// Family of the format: `source`, `quake` and so on; NULL if the world was made of many files. Never freed.
    pub family: *const c_char,
    /// Kind of file: `source`, `navjson`, `plugin` and so on; NULL as above. Never freed.
    pub kind: *const c_char,
    /// The best guess at the game; NULL if there is none. Never freed.
    pub game: *const c_char,
    /// What the format calls an area: `area`, `node`, `face`, `triangle`. Never freed.
    pub word: *const c_char,
}
sized32!(Info: size_of::<Info>());

fn info(world: &World) -> Info {
    let index = world.index();
    let (axes, rules) = (index.axes(), index.rules());
    let bounds = index.bounds();
    let summary = world.mesh().map(|mesh| mesh.summary());
    let name = |name: Option<&'static str>| name.map_or(std::ptr::null(), lasting);
    Info {
        size: size_of::<Info>() as u32,
        areas: count(index.len()),
        links: count(index.link_count()),
        ways_out: count(index.ways_out().len()),
        generation: world.generation(),
        findings: world.findings() as u64,
        unresolved_doors: world.unresolved_doors() as u64,
        bytes: index.bytes() as u64,
        min: bounds.map(|bounds| bounds.min).unwrap_or_default(),
        max: bounds.map(|bounds| bounds.max).unwrap_or_default(),
        up: if axes.up == Up::Y { 1 } else { 2 },
        metres_per_unit: axes.metres_per_unit,
        above: rules.above,
        reach: rules.reach,
        step: rules.step,
        version: summary.and_then(|summary| summary.version).unwrap_or(NAVMAP_NONE),
        subversion: summary.and_then(|summary| summary.subversion).unwrap_or(NAVMAP_NONE),
        zero: 0,
        family: name(world.mesh().map(|mesh| mesh.family().name())),
        kind: name(world.mesh().map(|mesh| mesh.kind().name())),
        game: name(summary.and_then(|summary| summary.game)),
        word: lasting(index.node_word()),
    }
}

/// What tells a world from all others of the process, slots or none.
fn identity(world: &World) -> u32 {
    world.index().identity() as u32
}

/// The paths of a load order, of which there must be one.
pub(crate) fn order(plugins: &[Text]) -> Result<Vec<PathBuf>, Failure> {
    let plugins = crate::door::paths(plugins)?;
    if plugins.is_empty() { Err(Failure::Bare(Status::Invalid, "plugins")) } else { Ok(plugins) }
}

/// A count of 32 bits.
pub(crate) fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

entries! {
    /// Reads what a path names, checks it and builds the index: a file, `archive!member`, a folder with the tiles of a
    /// Fox map, a folder of plugins. The file is read and never mapped. `options` may be NULL.
    fn navmap_world_open(path: *const c_char, options: *const OpenOptions, world: *mut *mut World; error) {
        let (path, policy, place) = (path.path()?, options.policy()?, world.handle_place()?);
        place.share(Arc::new(World::open(path, &policy)?));
        Ok(Status::Ok)
    }

    /// The same for bytes in memory, which are copied. The name appears in errors. Its extension decides if the bytes do not
    /// show their kind.
    fn navmap_world_from_bytes(
        name: *const c_char, bytes: *const u8, len: u64, options: *const OpenOptions, world: *mut *mut World; error
    ) {
        let (name, policy) = (utf8(name.text()?, "name")?, options.policy()?);
        let (bytes, place) = (bytes.bytes(len)?.to_vec(), world.handle_place()?);
        place.share(Arc::new(World::from_bytes(name, bytes, &policy)?));
        Ok(Status::Ok)
    }

    /// The world of a load order: plugins, or folders of them, masters first. There must be one.
    fn navmap_world_open_order(
        plugins[count]: *const Text, options: *const OpenOptions, world: *mut *mut World; error
    ) {
        let (plugins, policy, place) = (order(plugins?)?, options.policy()?, world.handle_place()?);
        place.share(Arc::new(World::open_order(plugins, &policy)?));
        Ok(Status::Ok)
    }

    /// Takes one more reference to a world, for another thread.
    fn navmap_world_retain(world: *mut World) {
        world.retain()
    }

    /// Gives a reference back. The world goes with the last one. NULL is none.
    fn navmap_world_free(world: *mut World) {
        world.free()
    }

    /// What a world is.
    fn navmap_world_info(world: *const World, info: *mut Info) {
        let about = self::info(world.handle()?);
        info.put_sized(about)?;
        Ok(Status::Ok)
    }

    /// How many areas a world has. Their numbers are 0 up to, but not including, this.
    fn navmap_world_area_count(world: *const World, count: *mut u32) {
        let (world, place) = (world.handle()?, count.place()?);
        place.set(self::count(world.index().len()));
        Ok(Status::Ok)
    }

    /// The bit of a named flag of areas; case does not matter. `NAVMAP_NOTHING` if there is no such flag.
    fn navmap_world_flag(world: *const World, name: *const c_char, bit: *mut u64) {
        let (world, name, place) = (world.handle()?, utf8(name.text()?, "name")?, bit.place()?);
        let Some(found) = world.index().flag(name) else { return Ok(Status::Nothing) };
        place.set(found);
        Ok(Status::Ok)
    }

    /// The areas of a place by its name; case does not matter. Looks at every area.
    fn navmap_world_in_place(
        world: *const World, name: *const c_char, areas[capacity]: *mut u32, count: *mut u32
    ) {
        let (world, name, mut room) = (world.handle()?, utf8(name.text()?, "name")?, areas?);
        world.index().in_place(name).for_each(|area| room.push(area.position()));
        room.end(count)
    }

    /// An area with its world, to recognise later whether the world was reloaded.
    fn navmap_world_hold(world: *const World, area: u32, held: *mut Held) {
        let (world, place) = (world.handle()?, held.place()?);
        crate::area::area(world.index(), area)?;
        place.set(Held { generation: world.generation(), area, identity: identity(world) });
        Ok(Status::Ok)
    }

    /// The number of a held area, if it is of this world. `NAVMAP_STALE` if it is of another: numbers do not survive a
    /// reload, ids do.
    fn navmap_world_held(world: *const World, held: *const Held, area: *mut u32) {
        let (world, held, place) = (world.handle()?, held.get()?, area.place()?);
        if (held.generation, held.identity) != (world.generation(), identity(world)) {
            let stale = navmap::query::Stale { held: held.generation, world: world.generation() };
            return Err(stale.into());
        }
        crate::area::area(world.index(), held.area)?;
        place.set(held.area);
        Ok(Status::Ok)
    }
}

/// An area, and the world in which it was found.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// The generation.
    pub generation: u64,
    /// The number of the area.
    pub area: u32,
    /// The low half of a number that no other world of the process has.
    pub identity: u32,
}
