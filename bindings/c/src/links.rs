//! Lists of links: ladders, jumps, doors.

use crate::Point;
use crate::area::{Link32, link};
use crate::error::Failure;
use crate::query::{ALL_KINDS, is_kinds, kinds_without};
use crate::status::Status;
use crate::world::World;

/// A link, and where it begins and ends. 60 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link60 {
    /// The link.
    pub link: Link32,
    /// Where the ladder or the jump begins, if `has_ends`: as the file has it, else the center of the area.
    pub begins: Point,
    /// Where it ends.
    pub ends: Point,
    /// 1 if it is more than a step over a border; else `navmap_portal` tells where it is crossed.
    pub has_ends: u32,
}

entries! {
    /// Links of some kinds out of all areas, with their ends: `1u << NAVMAP_LADDER` lists the ladders, once for each way that they
    /// are climbed.
    fn navmap_world_links(world: *const World, kinds: u32, links[capacity]: *mut Link60, count: *mut u32) {
        let (index, mut room) = (world.handle()?.index(), links?);
        if !is_kinds(kinds) {
            return Err(Failure::Bare(Status::Invalid, "kinds"));
        }
        index.links_of(kinds_without(!kinds & ALL_KINDS)).for_each(|(way, ends)| {
            let [begins, ends_at] = ends.unwrap_or_default();
            let has_ends = u32::from(ends.is_some());
            room.push(Link60 { link: link(way), begins, ends: ends_at, has_ends });
        });
        room.end(count)
    }
}
