//! The tables of Quake III areas.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_aas::{Cluster, Node};
use navmap_formats::Family;

rows! {
    /// One row a file of areas.
    MeshRow<'a> = AAS_MESHES "aas_meshes" Some(Family::Aas); {
        version: i32, "", "4, 5, 8";
        game: Option<&'a str>, "", "by version and box";
        checksum: u32, "", "of the map that it was made for; the engine refuses another";
        is_stripped: bool, "", "whether its faces were thrown away when it was made";
        above_floor: f32, "u", "how far stored heights lie above the floor";
        half_width: Option<f32>, "u", "of an upright player, to each side";
        areas: u32, "", "record 0, which is none, is not counted";
        faces: u32, "", "";
        edges: u32, "", "";
        vertices: u32, "", "";
        planes: u32, "", "";
        reachabilities: u32, "", "";
        tree_nodes: u32, "", "";
        portals: u32, "", "";
        clusters: u32, "", "";
        trailing_bytes: u64, "B", "bytes after the last lump";
    }

    /// One row an area: a convex volume for the origin of a player.
    AreaRow<'a> = AAS_AREAS "aas_areas" Some(Family::Aas); {
        id: u32, "", "position in the file, from 1: what reachabilities name";
        number: i32, "", "as stored: its position in every real file";
        contents: u32, "", "what fills it; the highest byte is the model of a mover";
        flags: u32, "", "what one can do in it";
        presence: u32, "", "2 upright, 4 crouched";
        cluster: Option<u32>, "", "the cluster it belongs to; null for a portal and for none";
        portal: Option<u32>, "", "the portal that it is; null if it is none";
        cluster_area: i32, "", "its number in the cluster";
        reachabilities: i32, "", "how many leave it";
        first_reachability: i32, "", "";
        faces: i32, "", "0 in a file that was stripped";
        steepness: Option<f32>, "", "of its ground, 0 flat to 1 steep; version 8";
        center_x: f32, "u", "a point inside, as stored";
        center_y: f32, "u", "";
        center_z: f32, "u", "the height of a player's origin, above_floor of aas_meshes above the floor";
        min_x: f32, "u", "its box, as stored";
        min_y: f32, "u", "";
        min_z: f32, "u", "";
        max_x: f32, "u", "";
        max_y: f32, "u", "";
        max_z: f32, "u", "";
        byte_offset: u64, "B", "where its record begins";
        geometry: Option<Geometry<'a>>, "u", "its floor as seen from above, or the rectangle of its box if it has none, with heights";
    }

    /// One row a reachability: a way from an area to another.
    ReachabilityRow<'a> = AAS_REACHABILITIES "aas_reachabilities" Some(Family::Aas); {
        reachability: u32, "", "position in the file, from 1";
        src_id: Option<u32>, "", "the first area whose run holds it; null if no area has it";
        dst_id: i32, "", "the area it leads to, as stored";
        kind: &'a str, "", "walk, crouch, barrier jump, jump, ladder, walk off ledge, swim, teleport …";
        kind_number: u32, "", "as stored, without who may not travel";
        flags: u32, "", "who may not travel";
        time: u16, "1/100 s", "how long it takes";
        face: i32, "", "a face, the number of a model or a speed, by its kind";
        edge: i32, "", "an edge, a height or a speed, by its kind";
        start_x: f32, "u", "where one leaves";
        start_y: f32, "u", "";
        start_z: f32, "u", "";
        end_x: f32, "u", "where one arrives";
        end_y: f32, "u", "";
        end_z: f32, "u", "";
    }

    /// One row a face. Files that were stripped have none, or ladders alone.
    FaceRow = AAS_FACES "aas_faces" Some(Family::Aas); {
        face: u32, "", "position in the file, from 1";
        plane: i32, "", "as stored";
        flags: u32, "", "solid, ladder, ground …";
        front_id: i32, "", "the area before it; 0 for none";
        back_id: i32, "", "the area behind it; 0 for none";
        edges: i32, "", "";
        first_edge: i32, "", "";
    }

    /// One row a corner of a face.
    CornerRow = AAS_CORNERS "aas_corners" Some(Family::Aas); {
        face: u32, "", "position of the face in the file";
        corner: u32, "", "clockwise seen from before the face; those out of range are left out";
        x: f32, "u", "";
        y: f32, "u", "";
        z: f32, "u", "the height of a player's origin";
    }

    /// One row a plane, of faces and of the tree.
    PlaneRow = AAS_PLANES "aas_planes" Some(Family::Aas); {
        plane: u32, "", "position in the file";
        normal_x: f32, "", "";
        normal_y: f32, "", "";
        normal_z: f32, "", "";
        distance: f32, "u", "from the origin, along the normal";
        kind: i32, "", "0 to 2 across x, y, z; 3 to 5 the largest part of the normal";
    }

    /// One row a node of the tree that divides space.
    TreeRow = AAS_NODES "aas_nodes" Some(Family::Aas); {
        node: u32, "", "position in the file, from 1, which is the root";
    } of Node {
        plane: i32, "", "as stored";
        front: i32, "", "what lies before the plane: a node, minus an area, 0 for solid";
        back: i32, "", "what lies behind it";
    }

    /// One row an area between two clusters.
    PortalRow = AAS_PORTALS "aas_portals" Some(Family::Aas); {
        portal: u32, "", "position in the file, from 1";
        area_id: i32, "", "the area that it is";
        front: i32, "", "the cluster before it";
        back: i32, "", "the cluster behind it";
        front_number: i32, "", "its number in the cluster before it";
        back_number: i32, "", "its number in the cluster behind it";
    }

    /// One row a cluster: areas that the engine's routing keeps together.
    ClusterRow = AAS_CLUSTERS "aas_clusters" Some(Family::Aas); {
        cluster: u32, "", "position in the file, from 1";
    } of Cluster {
        areas: i32, "", "its portals included";
        reachable: i32, "", "those of them that have reachabilities";
        portals: i32, "", "";
        first_portal: i32, "", "";
    }
}
