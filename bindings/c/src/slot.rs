//! Slots: the current world, which is swapped under load.

use crate::door::Text;
use crate::error::Failure;
use crate::options::OpenOptions;
use crate::status::Status;
use crate::text::{put, utf8};
use crate::world::World;
use navmap::query::{Refused, Stamps};
use std::ffi::c_char;
use std::ops::Deref;
use std::path::PathBuf;

/// Holds the current world of a map. Any number of threads may use it at once. Taking the world never waits for a reload.
#[derive(Debug)]
pub struct Slot {
    slot: navmap::query::Slot,
    /// The files that a reload reads.
    files: Stamps,
}

impl Deref for Slot {
    type Target = navmap::query::Slot;

    fn deref(&self) -> &Self::Target {
        &self.slot
    }
}

impl Slot {
    /// A slot for what `load` reads from files.
    fn new(
        files: Vec<PathBuf>,
        load: impl Fn() -> Result<World, Refused> + Send + Sync + 'static,
    ) -> Result<Self, Failure> {
        let files = Stamps::new(files);
        Ok(Self { slot: navmap::query::Slot::with(load)?, files })
    }
}

entries! {
    /// A slot for what a path names, which is read now and at every reload. `options` may be NULL.
    fn navmap_slot_new(path: *const c_char, options: *const OpenOptions, slot: *mut *mut Slot; error) {
        let (path, policy, place) = (path.path()?, options.policy()?, slot.handle_place()?);
        place.give(Slot::new(vec![path.clone()], move || World::open(&path, &policy))?);
        Ok(Status::Ok)
    }

    /// A slot for a load order, as `navmap_world_open_order` reads it: plugins, or folders of them, masters first. There must be one.
    fn navmap_slot_new_order(plugins[count]: *const Text, options: *const OpenOptions, slot: *mut *mut Slot; error) {
        let (plugins, policy, place) = (crate::world::order(plugins?)?, options.policy()?, slot.handle_place()?);
        place.give(Slot::new(plugins.clone(), move || World::open_order(&plugins, &policy))?);
        Ok(Status::Ok)
    }

    /// A slot that begins with a world: one of tiles, or one that an editor has made. The world is shared and stays the caller's.
    /// A reload puts it back.
    fn navmap_slot_of_world(world: *const World, slot: *mut *mut Slot; error) {
        let (world, place) = (world.handle()?.clone(), slot.handle_place()?);
        place.give(Slot::new(Vec::new(), move || Ok(world.clone()))?);
        Ok(Status::Ok)
    }

    /// Frees a slot. Worlds that were taken from it stay. NULL is none.
    fn navmap_slot_free(slot: *mut Slot) {
        slot.free()
    }

    /// Takes the current world, for a tick or longer. It is given back with `navmap_world_free`.
    fn navmap_slot_load(slot: *const Slot, world: *mut *mut World) {
        let (slot, place) = (slot.handle()?, world.handle_place()?);
        place.share(slot.load());
        Ok(Status::Ok)
    }

    /// Loads the world again and swaps it in, on the calling thread. `generation`, which may be NULL, gets its number. On
    /// failure the old one stays.
    fn navmap_slot_reload(slot: *const Slot, generation: *mut u64; error) {
        let slot = slot.handle()?;
        slot.files.changed();
        generation.put(slot.reload()?)?;
        Ok(Status::Ok)
    }

    /// Reloads, on the calling thread, if a file has changed since it was read: its size, or when it was written. Else `NAVMAP_NOTHING`,
    /// which costs a look at each file; of a folder, at the meshes and archives in it and in the folders below. For a server that asks
    /// once a second; a file that is refused is not read again until it changes. On failure the old world stays, and
    /// `navmap_slot_last_failure` tells why from then on.
    fn navmap_slot_refresh(slot: *const Slot, generation: *mut u64; error) {
        let slot = slot.handle()?;
        if !slot.files.changed() {
            return Ok(Status::Nothing);
        }
        generation.put(slot.reload()?)?;
        Ok(Status::Ok)
    }

    /// Swaps in a world that was made elsewhere: by an editor, or by another slot. It is shared, not copied, and stays the caller's; the
    /// slot's own has the next generation. The next reload reads the path again.
    fn navmap_slot_swap_world(slot: *const Slot, world: *const World, generation: *mut u64) {
        let (slot, world) = (slot.handle()?, world.handle()?);
        generation.put(slot.swap(world.clone()))?;
        Ok(Status::Ok)
    }

    /// Swaps in a world made of bytes in memory, which are copied: a download, a mesh that the server itself has made. On
    /// failure the old one stays, and only `error` tells why: it counts as no reload. The next reload reads the path again.
    fn navmap_slot_swap_bytes(
        slot: *const Slot, name: *const c_char, bytes: *const u8, len: u64, options: *const OpenOptions,
        generation: *mut u64; error
    ) {
        let (slot, name, policy) = (slot.handle()?, utf8(name.text()?, "name")?, options.policy()?);
        let world = World::from_bytes(name, bytes.bytes(len)?.to_vec(), &policy)?;
        generation.put(slot.swap(world))?;
        Ok(Status::Ok)
    }

    /// How many reloads have failed.
    fn navmap_slot_failures(slot: *const Slot, count: *mut u64) {
        let (slot, place) = (slot.handle()?, count.place()?);
        place.set(slot.failures());
        Ok(Status::Ok)
    }

    /// Why the latest reload failed, with a NUL. `count` is its length with the NUL. `NAVMAP_NOTHING` if it succeeded.
    fn navmap_slot_last_failure(slot: *const Slot, why[capacity]: *mut c_char, count: *mut u32) {
        let (slot, room) = (slot.handle()?, why?);
        let Some(why) = slot.last_failure() else { return Ok(Status::Nothing) };
        put(room, &why, count)
    }
}
