//! Tiles that join a world and leave it.

use crate::door::{LentBytes, Text};
use crate::error::Failure;
use crate::options::OpenOptions;
use crate::slot::Slot;
use crate::status::Status;
use crate::text::{path, put};
use crate::world::World;
use std::ffi::c_char;
use std::path::PathBuf;
use std::sync::Arc;

/// A tile in memory. Its size is that of two pointers and a number of 64 bits; it never changes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Tile {
    /// The name of its file, which says where it lies: `plain_101_102_nav.nav2`, `0013029.mmtile`.
    pub name: Text,
    /// Its bytes, which are copied.
    pub bytes: LentBytes,
    /// How many.
    pub len: u64,
}

impl Tile {
    fn read(&self) -> Result<(PathBuf, Vec<u8>), Failure> {
        let name = self.name.get("tiles.name")?.ok_or(Failure::Bare(Status::Null, "tiles.name"))?;
        Ok((path(name, "tiles.name")?, self.bytes.get(self.len, "tiles.bytes")?.to_vec()))
    }
}

entries! {
    /// The world of tiles in memory, by the names of their files: `.nav2` of a Fox map, `.mmtile` and the `.mmap` of a server's map.
    /// Files with other names are passed over. It keeps the bytes, so that tiles can join and leave. `options` may be NULL.
    fn navmap_world_from_tiles(
        tiles[count]: *const Tile, options: *const OpenOptions, world: *mut *mut World; error
    ) {
        let (tiles, policy, place) = (tiles?, options.policy()?, world.handle_place()?);
        let files = tiles.iter().map(Tile::read).collect::<Result<Vec<_>, _>>()?;
        place.share(Arc::new(World::from_tiles(files, &policy)?));
        Ok(Status::Ok)
    }

    /// A world with one more tile, or with other bytes for the tile of this name. The old world stays as it is, and both share the
    /// bytes of all other files. The index is made anew, on the thread that calls. Areas are numbered anew, as after a reload. Fails
    /// if the world was not made by `navmap_world_from_tiles` or out of such a world, or the tile is none of its map.
    fn navmap_world_with_tile(
        world: *const World, name: *const c_char, bytes: *const u8, len: u64, options: *const OpenOptions,
        with: *mut *mut World; error
    ) {
        let (world, name, policy) = (world.handle()?, name.path()?, options.policy()?);
        let (bytes, place) = (bytes.bytes(len)?.to_vec(), with.handle_place()?);
        place.share(Arc::new(world.with_tile(name, bytes, &policy)?));
        Ok(Status::Ok)
    }

    /// A world without the tile of this name. Fails if there is none, or if it is the last.
    fn navmap_world_without_tile(
        world: *const World, name: *const c_char, options: *const OpenOptions, without: *mut *mut World; error
    ) {
        let (world, name, policy) = (world.handle()?, name.path()?, options.policy()?);
        let place = without.handle_place()?;
        place.share(Arc::new(world.without_tile(name, &policy)?));
        Ok(Status::Ok)
    }

    /// How many tiles a world keeps. 0 if it was not made of tiles in memory.
    fn navmap_world_tile_count(world: *const World, count: *mut u32) {
        let (world, place) = (world.handle()?, count.place()?);
        place.set(crate::world::count(world.tiles().count()));
        Ok(Status::Ok)
    }

    /// The name of a tile's file, by its position, with a NUL. `count` is its length with the NUL. `NAVMAP_NOTHING` if there is no such tile.
    fn navmap_world_tile(world: *const World, at: u32, name[capacity]: *mut c_char, count: *mut u32) {
        let (world, room) = (world.handle()?, name?);
        let Some(name) = world.tiles().nth(at as usize) else { return Ok(Status::Nothing) };
        put(room, &navmap::scan::path_text(name), count)
    }

    /// A tile joins the current world of a slot, or takes the place of that of its name, as `navmap_world_with_tile` does. Changes by
    /// many threads are all kept, one after the other; those who take the world do not wait. On failure the old world stays.
    fn navmap_slot_with_tile(
        slot: *const Slot, name: *const c_char, bytes: *const u8, len: u64, options: *const OpenOptions,
        generation: *mut u64; error
    ) {
        let (slot, name, policy) = (slot.handle()?, name.path()?, options.policy()?);
        let bytes = bytes.bytes(len)?.to_vec();
        generation.put(slot.change(|world| world.with_tile(name, bytes, &policy))?)?;
        Ok(Status::Ok)
    }

    /// A tile leaves the current world of a slot. On failure the old world stays.
    fn navmap_slot_without_tile(
        slot: *const Slot, name: *const c_char, options: *const OpenOptions, generation: *mut u64; error
    ) {
        let (slot, name, policy) = (slot.handle()?, name.path()?, options.policy()?);
        generation.put(slot.change(|world| world.without_tile(name, &policy))?)?;
        Ok(Status::Ok)
    }
}
