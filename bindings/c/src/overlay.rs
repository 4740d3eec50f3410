//! Blocked or more expensive areas, for one caller.

use crate::error::Failure;
use crate::status::Status;
use crate::turned::Turned;
use crate::world::World;
use navmap::query::Area;

/// Areas that are blocked or cost more: a team's doors, a fire, a crowd. Any number of queries may read it at once. A thread
/// may change it only while nobody reads it.
pub type Overlay = Turned<navmap::query::Overlay>;

/// An area of the world that an overlay was made for.
fn own(overlay: &navmap::query::Overlay, number: u32) -> Result<Area, Failure> {
    let there = (number as usize) < overlay.areas();
    Area::at(number).filter(|_| there).ok_or(Failure::Bare(Status::NoSuchArea, "area"))
}

entries! {
    /// An overlay for a world, in which nothing is blocked or dearer. 4 bytes an area.
    fn navmap_overlay_new(world: *const World, overlay: *mut *mut Overlay; error) {
        let (index, place) = (world.handle()?.index(), overlay.handle_place()?);
        place.give(Turned::new(navmap::query::Overlay::new(index)));
        Ok(Status::Ok)
    }

    /// Frees an overlay. NULL is none.
    fn navmap_overlay_free(overlay: *mut Overlay) {
        overlay.free()
    }

    /// Blocks an area: no way enters or leaves it. Nothing is found from within: no way, no distance, no area of a flood. To let
    /// somebody out, make it dear instead (`navmap_overlay_scale`).
    fn navmap_overlay_block(overlay: *mut Overlay, area: u32) {
        let mut overlay = overlay.handle()?.turn("overlay")?;
        let area = own(&overlay, area)?;
        overlay.block(area);
        Ok(Status::Ok)
    }

    /// Multiplies the cost of links into an area. A factor below 1, or NaN, counts as 1; an infinite one blocks.
    fn navmap_overlay_scale(overlay: *mut Overlay, area: u32, factor: f32) {
        let mut overlay = overlay.handle()?.turn("overlay")?;
        let area = own(&overlay, area)?;
        overlay.scale(area, factor);
        Ok(Status::Ok)
    }

    /// Sets the factor of many areas. Nothing is changed if one of them does not exist.
    fn navmap_overlay_scale_many(overlay: *mut Overlay, areas[count]: *const u32, factor: f32) {
        let (overlay, areas) = (overlay.handle()?, areas?);
        let mut overlay = overlay.turn("overlay")?;
        areas.iter().try_for_each(|&area| own(&overlay, area).map(drop))?;
        areas.iter().filter_map(|&area| Area::at(area)).for_each(|area| overlay.scale(area, factor));
        Ok(Status::Ok)
    }

    /// Removes the factor of an area.
    fn navmap_overlay_clear(overlay: *mut Overlay, area: u32) {
        let mut overlay = overlay.handle()?.turn("overlay")?;
        let area = own(&overlay, area)?;
        overlay.clear(area);
        Ok(Status::Ok)
    }

    /// Brings an overlay from the world that it belongs to, `before`, to another, as after a reload. Each area there gets the factor of
    /// the area that was in its place, so all parts of a blocked area are blocked if it was split. `gone`, which may be NULL, gets the
    /// number of areas with a factor that nothing took it over from, since they are gone or are part of a larger area now: if that is
    /// not 0, fill the overlay again. Costs nothing if it belongs to `world` already; else it allocates. `NAVMAP_OTHER_WORLD` if it
    /// belongs to neither.
    fn navmap_overlay_remap(overlay: *mut Overlay, before: *const World, world: *const World, gone: *mut u32; error) {
        let (overlay, before, index) = (overlay.handle()?, before.handle()?.index(), world.handle()?.index());
        let left = overlay.turn("overlay")?.remap(before, index);
        let left = left.map_err(|_| Failure::Bare(Status::OtherWorld, "overlay"))?;
        gone.put(crate::world::count(left))?;
        Ok(Status::Ok)
    }

    /// Removes all factors.
    fn navmap_overlay_reset(overlay: *mut Overlay) {
        overlay.handle()?.turn("overlay")?.reset();
        Ok(Status::Ok)
    }
}
