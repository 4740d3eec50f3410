//! The tables of Quake.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_formats::Family;

rows! {
    /// One row a graph of Quake, as NAV2, NAV3 or navjson.
    MeshRow<'a> = QUAKE_MESHES "quake_meshes" Some(Family::Quake); {
        magic: &'a str, "", "NAV2, NAV3, or navjson";
        version: u32, "", "of that form";
        nodes: u32, "", "";
        links: u32, "", "";
        traversals: u32, "", "";
        edicts: u32, "", "";
        heuristic: Option<f32>, "", "NAV2 from version 16 on, NAV3, and navjson where it has one";
    }

    /// One row a waypoint.
    NodeRow = QUAKE_NODES "quake_nodes" Some(Family::Quake); {
        node: u32, "", "";
        flags: u16, "", "as stored";
        x: f32, "u", "";
        y: f32, "u", "";
        z: f32, "u", "";
        radius: u16, "u", "";
        first_link: u32, "", "of its links, which lie together";
        links: u32, "", "how many links";
        geometry: Option<Geometry<'static>>, "u", "the point as seen from above, with its height";
    }

    /// One row a link.
    LinkRow = QUAKE_LINKS "quake_links" Some(Family::Quake); {
        link: u32, "", "position in the file";
        src: Option<u32>, "", "the node it leaves; null if no node has it";
        dst: Option<u32>, "", "the node it leads to, as stored; null if a navjson names no node";
        link_type: u16, "", "how it is passed, as stored";
        flags_raw: Option<u8>, "", "as stored; not in navjson";
        flags: Option<u8>, "", "as they take effect; NAV3 only";
        traversal: Option<u32>, "", "its traversal";
        length: Option<f32>, "u", "from node to node, in a straight line";
        edict: Option<u32>, "", "the edict that it is bound to";
    }

    /// One row a traversal: where a jump begins and ends.
    TraversalRow<'a> = QUAKE_TRAVERSALS "quake_traversals" Some(Family::Quake); {
        traversal: u32, "", "position in the file";
        link: Option<u32>, "", "the first link that names it";
        funnel_x: Option<f32>, "u", "null if it is not set";
        funnel_y: Option<f32>, "u", "";
        funnel_z: Option<f32>, "u", "";
        start_x: f32, "u", "";
        start_y: f32, "u", "";
        start_z: f32, "u", "";
        end_x: f32, "u", "";
        end_y: f32, "u", "";
        end_z: f32, "u", "";
        ladder_x: Option<f32>, "u", "the plane of a ladder; NAV3 from version 4 on";
        ladder_y: Option<f32>, "u", "";
        ladder_z: Option<f32>, "u", "";
        funnel_unset: Option<&'a str>, "", "how it says that the funnel is not set: zero, or 1e30";
    }

    /// One row an edict: an entity of the map that a link is bound to.
    EdictRow = QUAKE_EDICTS "quake_edicts" Some(Family::Quake); {
        edict: u32, "", "position in the file";
        link: Option<u32>, "", "the link";
        min_x: f32, "u", "";
        min_y: f32, "u", "";
        min_z: f32, "u", "";
        max_x: f32, "u", "";
        max_y: f32, "u", "";
        max_z: f32, "u", "";
        targetname: Option<i32>, "", "a handle of the running game";
        classname: Option<i32>, "", "a handle of the running game";
        entity_id: Option<i32>, "", "";
        model: Option<i32>, "", "";
    }
}
