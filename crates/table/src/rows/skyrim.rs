//! The tables of Skyrim, Fallout 4 and Starfield.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_formats::Family;

rows! {
    /// One row a NAVM record of a plugin, a base object with a mesh, or a raw NVNM field.
    MeshRow<'a> = SKYRIM_MESHES "skyrim_meshes" Some(Family::Skyrim); {
        mesh: u32, "", "number of the record in the plugin; base objects are counted on behind the last";
        record: Option<&'a str>, "", "NAVM; ACTI, DOOR, FURN, GBFM or STAT for a base object; null for a raw field";
        form_id: Option<u32>, "", "as stored; null for a raw field";
        owner: Option<&'a str>, "", "the plugin that the FormID names: a master, or this file";
        object_id: Option<u32>, "", "the FormID without the number of the plugin";
        overrides: Option<bool>, "", "whether it overrides the record of a master";
        deleted: bool, "", "";
        compressed: bool, "", "";
        record_flags: Option<u32>, "", "";
        form_version: Option<u16>, "", "";
        version: Option<u32>, "", "of the mesh; null if there is none";
        world: Option<u32>, "", "FormID of the worldspace";
        grid_x: Option<i16>, "", "the cell in the worldspace";
        grid_y: Option<i16>, "", "";
        cell: Option<u32>, "", "FormID of the cell";
        vertices: Option<u32>, "", "";
        triangles: Option<u32>, "", "";
        edge_links: Option<u32>, "", "";
        doors: Option<u32>, "", "";
        cover: Option<u32>, "", "";
        waypoints: Option<u32>, "", "version 15 and later";
        divisor: Option<u32>, "", "cells along one side of the search grid";
        min_x: Option<f32>, "u", "the box of the vertices";
        min_y: Option<f32>, "u", "";
        min_z: Option<f32>, "u", "";
        max_x: Option<f32>, "u", "";
        max_y: Option<f32>, "u", "";
        max_z: Option<f32>, "u", "";
        stored_bytes: u64, "B", "";
        inflated_bytes: u64, "B", "the same if it is not compressed; as claimed";
        island: Option<bool>, "", "whether the navmesh info map calls it an island; null if that has no entry";
        preferred_share: Option<f32>, "", "from the navmesh info map";
    }

    /// One row a vertex.
    VertexRow = SKYRIM_VERTICES "skyrim_vertices" Some(Family::Skyrim); {
        mesh: u32, "", "number of the record";
        vertex: u32, "", "";
        x: f32, "u", "";
        y: f32, "u", "";
        z: f32, "u", "";
    }

    /// One row a triangle.
    TriangleRow<'a> = SKYRIM_TRIANGLES "skyrim_triangles" Some(Family::Skyrim); {
        mesh: u32, "", "number of the record";
        triangle: u32, "", "";
        v0: u16, "", "its corners";
        v1: u16, "", "";
        v2: u16, "", "";
        neighbour_0: Option<u16>, "", "the triangle across edge 0";
        link_0: Option<u16>, "", "the edge link of edge 0";
        neighbour_1: Option<u16>, "", "";
        link_1: Option<u16>, "", "";
        neighbour_2: Option<u16>, "", "";
        link_2: Option<u16>, "", "";
        flags: u16, "", "";
        cover_flags: u16, "", "";
        height: Option<f32>, "u", "clearance; version 15 and later, where the largest float is unlimited";
        center_x: Option<f32>, "u", "null if it names a vertex that does not exist";
        center_y: Option<f32>, "u", "";
        center_z: Option<f32>, "u", "";
        surface: Option<f32>, "u2", "";
        geometry: Option<Geometry<'a>>, "u", "the triangle as seen from above, with heights; null if it names a vertex that does not exist";
    }

    /// One row an edge link: from an edge to a triangle of another mesh.
    EdgeLinkRow<'a> = SKYRIM_EDGE_LINKS "skyrim_edge_links" Some(Family::Skyrim); {
        mesh: u32, "", "number of the record";
        link: u32, "", "";
        link_type: &'a str, "", "portal, ledge_up, ledge_down, enable_disable";
        dst_form_id: u32, "", "the other mesh, as stored";
        dst_owner: Option<&'a str>, "", "the plugin that FormID names";
        dst_triangle: u16, "", "";
        dst_edge: Option<u8>, "", "version 15 and later";
        src_triangle: Option<u16>, "", "the first triangle that names the link";
        src_edge: Option<u8>, "", "";
    }

    /// One row a triangle under a door.
    DoorRow<'a> = SKYRIM_DOORS "skyrim_doors" Some(Family::Skyrim); {
        mesh: u32, "", "number of the record";
        door: u32, "", "";
        triangle: u16, "", "";
        ref_form_id: u32, "", "the placed reference of the door";
        ref_owner: Option<&'a str>, "", "the plugin that FormID names";
    }

    /// One row a covered edge. In version 12 cover stands in the triangles.
    CoverRow = SKYRIM_COVER "skyrim_cover" Some(Family::Skyrim); {
        mesh: u32, "", "number of the record";
        triangle: u16, "", "";
        edge: u8, "", "";
        value: Option<u8>, "", "version 12: 2 a ledge, 4 to 14 a height, 15 full";
        height: Option<f32>, "u", "version 12";
        cover_left: Option<bool>, "", "version 12";
        cover_right: Option<bool>, "", "version 12";
        segment: Option<u16>, "", "version 15 and later: the piece of cover";
    }

    /// One row a piece of cover. Version 15 and later.
    CoverSegmentRow = SKYRIM_COVER_SEGMENTS "skyrim_cover_segments" Some(Family::Skyrim); {
        mesh: u32, "", "number of the record";
        segment: u32, "", "";
        a_vertex: Option<u16>, "", "the vertex it begins at";
        a_along: Option<f32>, "0..1", "or how far along the border";
        b_vertex: Option<u16>, "", "the vertex it ends at";
        b_along: Option<f32>, "0..1", "";
        data: u32, "", "as stored";
        data2: Option<u32>, "", "Starfield";
    }

    /// One row a waypoint.
    WaypointRow = SKYRIM_WAYPOINTS "skyrim_waypoints" Some(Family::Skyrim); {
        mesh: u32, "", "number of the record";
        waypoint: u32, "", "";
        x: f32, "u", "";
        y: f32, "u", "";
        z: f32, "u", "";
        triangle: u16, "", "";
        flags: u32, "", "";
    }

    /// One row an entry of the navmesh info map.
    NaviRow<'a> = SKYRIM_NAVI "skyrim_navi" Some(Family::Skyrim); {
        entry: u32, "", "position in the map";
        form_id: u32, "", "the mesh, as stored";
        owner: Option<&'a str>, "", "the plugin that FormID names";
        flags: u32, "", "";
        x: f32, "u", "its centre";
        y: f32, "u", "";
        z: f32, "u", "";
        preferred_share: f32, "", "";
        edge_links: u32, "", "";
        preferred_links: u32, "", "";
        doors: u32, "", "";
        is_island: bool, "", "";
    }
}
