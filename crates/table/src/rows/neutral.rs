//! The tables that every family fills.

use crate::geometry::Geometry;
use crate::schema::rows;

rows! {
    /// One row a mesh, readable or not, as `scan` prints it. A plugin is one row.
    FileRow<'a> = FILES "files" None; {
        map: &'a str, "", "the name of the file without folder and extension: what people group and join by";
        family: Option<&'a str>, "", "source, quake, fox, skyrim, detour, yapb, aas, nodegraph, rcbot, xray";
        form: Option<&'a str>, "", "nav, navjson, plugin, payload, navmesh, aas, graph, pwf, rcw, ain, ain-text, nod, level.ai";
        game: Option<&'a str>, "", "the best guess";
        version: Option<u32>, "", "version of the format";
        subversion: Option<u32>, "", "version of the game's own part";
        bytes: u64, "B", "size of the mesh, in an archive that of the member";
        status: &'a str, "", "ok, warning, error";
        message: Option<&'a str>, "", "what is wrong";
        error_offset: Option<u64>, "B", "the byte at which it could not be read on";
        findings: u32, "", "findings that count against it, of those that a walk sees without a check";
        node_count: Option<u32>, "", "nodes of the neutral graph";
        link_count: Option<u32>, "", "links of the neutral graph, those to the outside too";
        unit: Option<&'a str>, "", "what one unit of length is: hammer and quake (an inch), yard, metre, skyrim (a 64th of a yard)";
        up_axis: Option<&'a str>, "", "z or y";
        min_x: Option<f32>, "u", "bounds of all nodes, without coordinates that are no numbers";
        min_y: Option<f32>, "u", "";
        min_z: Option<f32>, "u", "";
        max_x: Option<f32>, "u", "";
        max_y: Option<f32>, "u", "";
        max_z: Option<f32>, "u", "";
    }

    /// One row a node of any family: a polygon to stand on, or a waypoint.
    NodeRow<'a> = NODES "nodes" None; {
        mesh: u32, "", "the part of the file: number of the NAVM record or path grid, tile of Detour, cluster of AAS, zone of .ain, area of .rcw, hull of Source 2, segment of Fox numbered on over its groups; 0 elsewhere";
        node: u32, "", "number within the file: the key, with file";
        id: u64, "", "the format's own identifier: that of an area, an index, a record number with an index in it";
        kind: &'a str, "", "area, face, node, point, polygon, triangle, waypoint: what the format calls it";
        x: Option<f32>, "u", "mean of the corners, or the point itself";
        y: Option<f32>, "u", "";
        z: Option<f32>, "u", "";
        min_x: Option<f32>, "u", "box of a polygon";
        min_y: Option<f32>, "u", "";
        min_z: Option<f32>, "u", "";
        max_x: Option<f32>, "u", "";
        max_y: Option<f32>, "u", "";
        max_z: Option<f32>, "u", "";
        radius: Option<f32>, "u", "of a point, if the format tells";
        surface: Option<f32>, "u2", "area of a polygon in space";
        corners: Option<u32>, "", "corners of a polygon";
        flags: u64, "", "as stored; a second word of flags is the high half";
        place: Option<&'a str>, "", "name of its place";
        degree: u32, "", "links that leave it";
        in_degree: u32, "", "links that lead to it";
        island: u32, "", "the part of the mesh that it is connected with, whichever way links go; 0 is the largest";
        component: u32, "", "the part within which one can go and come back; 0 is the largest";
        geometry: Option<Geometry<'a>>, "u", "the polygon or the point as seen from above, with heights; null if a coordinate is no number";
    }

    /// One row a directed link of any family.
    LinkRow<'a> = LINKS "links" None; {
        mesh: u32, "", "the part of the file in which the link begins, as in nodes";
        src: u32, "", "the node it leaves";
        dst: Option<u32>, "", "the node it reaches; null if that lies in another file";
        dst_mesh: Option<u32>, "", "the part of the file in which that node lies, if it is another";
        dst_id: Option<u64>, "", "what a link out of the file leads to, as the format numbers it: a tile, a FormID";
        kind: &'a str, "", "walk, border, crouch, jump, drop, ladder, elevator, train, push, teleport, door, rocket-jump, other";
        gated: bool, "", "whether the game can open and close it";
        number: Option<u32>, "", "the format's own number for the link: an edict, an edge link";
        length: Option<f32>, "u", "from centre to centre, each the mean of all corners, or as the format says; null if one is no number";
    }

    /// One row a finding, as `check` prints it.
    FindingRow<'a> = FINDINGS "findings" None; {
        severity: &'a str, "", "info, deviation, warning, error";
        code: &'a str, "", "stable name of what was found";
        record: Option<&'a str>, "", "the kind of record";
        record_index: Option<u64>, "", "its position in the file";
        record_id: Option<u64>, "", "its id, if the file gives it one: an area id; of a tile or a NAVM, that of the polygon or triangle";
        byte_offset: Option<u64>, "B", "where in the file";
        message: &'a str, "", "for a person";
        x: Option<f32>, "u", "where in the world";
        y: Option<f32>, "u", "";
        z: Option<f32>, "u", "";
    }

    /// What the bits of columns of flags mean. The same in every run.
    FlagNameRow<'a> = FLAG_NAMES "flag_names" None; {
        family: &'a str, "", "source, quake, fox, skyrim, detour, yapb, aas, nodegraph, rcbot, xray";
        game: Option<&'a str>, "", "the game or engine, if only one has the name";
        table_name: &'a str, "", "the table";
        column_name: &'a str, "", "its column";
        bit: u8, "", "number of the lowest bit";
        mask: u64, "", "the bits";
        name: &'a str, "", "as the format's own tools spell it";
    }
}
