//! Slots: the current world, which is swapped under load.

use crate::options::OpenOptions;
use crate::status::Status;
use crate::text::{put, utf8};
use crate::world::World;
use std::ffi::c_char;

/// Holds the current world of a map. Any number of threads may use it at once. Taking the world never waits for a reload.
pub type Slot = navmap::query::Slot;

entries! {
    /// A slot for what a path names, which is read now and at every reload. `options` may be NULL.
    fn navmap_slot_new(path: *const c_char, options: *const OpenOptions, slot: *mut *mut Slot; error) {
        let (path, policy, place) = (path.path()?, options.policy()?, slot.handle_place()?);
        place.give(Slot::open(path, policy)?);
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
        generation.put(slot.reload()?)?;
        Ok(Status::Ok)
    }

    /// Swaps in a world made of bytes in memory, which are copied: a download, a mesh that the server itself has made. On
    /// failure the old one stays. The next reload reads the path again.
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
