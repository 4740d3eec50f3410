//! Parts of a mesh, by how one gets there.

use crate::area::area;
use crate::error::Failure;
use crate::filter::number;
use crate::overlay::Overlay;
use crate::query::QueryOptions;
use crate::status::Status;
use crate::world::{World, count as few};
use navmap::query::{Area, Joined};

/// A part can be reached, and left again.
pub const NAVMAP_JOINED: u32 = 0;
/// A part can be reached, but not left again.
pub const NAVMAP_NO_WAY_BACK: u32 = 1;
/// A part cannot be reached, only left: a ledge to drop from.
pub const NAVMAP_NO_WAY_IN: u32 = 2;
/// There is no way to a part and none back.
pub const NAVMAP_CUT_OFF: u32 = 3;

/// A part of a mesh: areas that are joined to the start in the same way, and linked to each other. 24 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region24 {
    /// Square units of its ground, seen from above.
    pub surface: f64,
    /// `NAVMAP_JOINED` and so on.
    pub joined: u32,
    /// How many areas it has.
    pub areas: u32,
    /// The first of them in file order.
    pub first: u32,
    /// 0.
    pub zero: u32,
}

fn joined(joined: Joined) -> u32 {
    match joined {
        Joined::Both => NAVMAP_JOINED,
        Joined::NoWayBack => NAVMAP_NO_WAY_BACK,
        Joined::NoWayIn => NAVMAP_NO_WAY_IN,
        Joined::CutOff => NAVMAP_CUT_OFF,
    }
}

entries! {
    /// Divides a mesh by how it is joined to some areas, such as those in which players appear: what can be reached first, and
    /// among equals the part with the most areas. `of_area` gets the position of each area's part, by number of the area: none
    /// (NULL and 0), or there must be room for all areas. Links and areas that `options` and `overlay` forbid count as missing, those of
    /// `from` too; both may be NULL. Linear in areas and links; it allocates.
    fn navmap_world_regions(
        world: *const World, from[starts]: *const u32, options: *const QueryOptions, overlay: *const Overlay,
        regions[capacity]: *mut Region24, count: *mut u32, of_area[areas]: *mut u32; error
    ) {
        let (index, options, from) = (world.handle()?.index(), options.options()?, from?);
        let (mut room, mut numbers) = (regions?, of_area?);
        if numbers.left() > 0 && numbers.left() < index.len() {
            return Err(Failure::Bare(Status::Invalid, "areas"));
        }
        let from: Vec<Area> = from.iter().map(|&number| area(index, number)).collect::<Result<_, _>>()?;
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let found = options.ask(index, overlay.as_deref(), |asked| Ok(index.regions(&from, &asked)?))?;
        let mut parts = vec![0; index.len()];
        for (at, region) in (0..).zip(&found) {
            for area in &region.areas {
                if let Some(part) = parts.get_mut(area.position() as usize) {
                    *part = at;
                }
            }
            room.push(Region24 {
                surface: region.size,
                joined: joined(region.joined),
                areas: few(region.areas.len()),
                first: number(region.areas.first().copied()),
                zero: 0,
            });
        }
        numbers.fill(&parts);
        room.end(count)
    }
}
