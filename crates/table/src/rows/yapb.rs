//! The tables of YaPB and POD-Bot.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_formats::Family;

rows! {
    /// One row a graph of waypoints.
    MeshRow<'a> = YAPB_MESHES "yapb_meshes" Some(Family::Yapb); {
        form: &'a str, "", "graph or pwf";
        version: i32, "", "of that form";
        options: Option<u32>, "", "what a .graph holds and how it was made";
        author: Option<&'a str>, "", "";
        editor: Option<&'a str>, "", "who changed it last; .graph only";
        map_bytes: Option<u32>, "B", "size of the map; .graph only";
        nodes: u32, "", "";
        links: u32, "", "slots for links that are used";
        jumps: u32, "", "links that are jumps";
        trailing_bytes: u64, "B", "bytes after the end";
    }

    /// One row a waypoint.
    NodeRow = YAPB_NODES "yapb_nodes" Some(Family::Yapb); {
        node: u32, "", "position in the file";
        number: i32, "", "as stored: its position in every real file";
        flags: u32, "", "what it is for";
        x: f32, "u", "the origin of a player who stands here";
        y: f32, "u", "";
        z: f32, "u", "";
        radius: f32, "u", "as stored";
        camp_start_x: f32, "", "where a camping bot looks first: pitch, yaw and 0; points of the map in old files";
        camp_start_y: f32, "", "";
        camp_start_z: f32, "", "";
        camp_end_x: f32, "", "where it looks last";
        camp_end_y: f32, "", "";
        camp_end_z: f32, "", "";
        light: Option<f32>, "0..255", "null where nobody has measured it";
        display_time: Option<f32>, "", "a time of the editor's";
        seen_standing: u16, "", "how many nodes can be seen; not to be trusted";
        seen_crouching: u16, "", "";
        links: u8, "", "slots for links that are used";
        geometry: Option<Geometry<'static>>, "u", "the point as seen from above, with its height";
    }

    /// One row a link.
    LinkRow = YAPB_LINKS "yapb_links" Some(Family::Yapb); {
        src: u32, "", "the node it leaves";
        slot: u8, "", "which of its slots";
        dst: i16, "", "the node it leads to, as stored";
        distance: i32, "u", "as stored";
        flags: Option<u16>, "", "how it is passed; null where the version has none";
        velocity_x: Option<f32>, "u/s", "at take-off";
        velocity_y: Option<f32>, "u/s", "";
        velocity_z: Option<f32>, "u/s", "";
    }
}
