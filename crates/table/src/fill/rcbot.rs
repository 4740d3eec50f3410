//! RCBot2.

use crate::batch::Out;
use crate::geometry::Geometry;
use crate::rows::rcbot::*;
use navmap_core::graph::Up;
use navmap_rcbot::RcbotNav;

/// Fills the tables of one `.rcw`. A file that opened was read to its end.
pub(super) fn fill(nav: &RcbotNav<'_>, out: &mut Out<'_>) {
    let text = |name: Option<&[u8]>| name.map(|name| String::from_utf8_lossy(name).into_owned());
    let (author, editor) = (text(nav.author()), text(nav.editor()));
    let count = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
    out.with([&RCBOT_MESHES, &RCBOT_WAYPOINTS, &RCBOT_LINKS], |[meshes, waypoints, links]| {
        meshes.push(MeshRow {
            version: nav.version(),
            map: &String::from_utf8_lossy(nav.map()),
            author: author.as_deref(),
            editor: editor.as_deref(),
            flags: nav.flags().bits(),
            waypoints: count(nav.len()),
            links: count(nav.waypoints().map(|point| point.targets().len()).sum()),
            unused: count(nav.waypoints().filter(|point| !point.is_used()).count()),
            trailing_bytes: nav.trailing().len() as u64,
        });
        for point in nav.waypoints() {
            let [x, y, z] = point.origin();
            waypoints.push(WaypointRow {
                number: point.number(),
                used: point.is_used(),
                flags: point.flags().bits(),
                x,
                y,
                z,
                yaw: point.yaw(),
                capture_point: point.area(),
                radius: point.stored_radius(),
                links: count(point.targets().len()),
                geometry: Some(Geometry::point([x, y, z], Up::Z)),
            });
            for (target, slot) in point.targets().iter().zip(0..) {
                links.push(LinkRow { src: point.number(), slot, dst: target.get() });
            }
        }
    });
}
