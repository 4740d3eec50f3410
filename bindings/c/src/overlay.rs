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

    /// Removes all factors.
    fn navmap_overlay_reset(overlay: *mut Overlay) {
        overlay.handle()?.turn("overlay")?.reset();
        Ok(Status::Ok)
    }
}
