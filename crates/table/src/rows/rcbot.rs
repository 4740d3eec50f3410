//! The tables of RCBot2.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_formats::Family;

rows! {
    /// One row a file of waypoints.
    MeshRow<'a> = RCBOT_MESHES "rcbot_meshes" Some(Family::Rcbot); {
        version: i32, "", "3 or 4";
        map: &'a str, "", "the name of the map";
        author: Option<&'a str>, "", "from version 4";
        editor: Option<&'a str>, "", "who changed it last";
        flags: u32, "", "what lies beside the file";
        waypoints: u32, "", "deleted ones among them";
        links: u32, "", "";
        unused: u32, "", "waypoints that were deleted";
        trailing_bytes: u64, "B", "bytes after the end";
    }

    /// One row a waypoint, deleted ones among them.
    WaypointRow = RCBOT_WAYPOINTS "rcbot_waypoints" Some(Family::Rcbot); {
        number: u32, "", "position in the file, by which links go";
        used: bool, "", "false if it was deleted";
        flags: u32, "", "what it is for";
        x: f32, "u", "32 units above the floor";
        y: f32, "u", "";
        z: f32, "u", "";
        yaw: i32, "degrees", "which way the bot aims";
        capture_point: Option<i32>, "", "the number of a capture point, 0 for none; from version 2";
        radius: Option<f32>, "u", "0 for none; from version 3";
        links: u32, "", "";
        geometry: Option<Geometry<'static>>, "u", "the point as seen from above, with its height";
    }

    /// One row a link, one way.
    LinkRow = RCBOT_LINKS "rcbot_links" Some(Family::Rcbot); {
        src: u32, "", "the waypoint it leaves";
        slot: u32, "", "which of its links";
        dst: i32, "", "the waypoint it leads to, as stored";
    }
}
