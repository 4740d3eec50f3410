//! The tables of X-Ray.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_formats::Family;

rows! {
    /// One row a level.ai.
    MeshRow<'a> = XRAY_MESHES "xray_meshes" Some(Family::Xray); {
        version: u32, "", "8 to 13";
        build: &'a str, "", "the GUID of the level, which files of one build share, in hexadecimal";
        nodes: u32, "", "";
        links: u32, "", "";
        cell: f32, "u", "the width of a square";
        height: f32, "u", "the range of heights";
        row_squares: u32, "", "squares of a row along z";
        min_x: f32, "u", "the middle of the first square";
        min_y: f32, "u", "";
        min_z: f32, "u", "";
        max_x: f32, "u", "the middle of the last square";
        max_y: f32, "u", "";
        max_z: f32, "u", "";
        trailing_bytes: u64, "B", "bytes after the end";
    }

    /// One row a node: a square of the grid.
    NodeRow<'a> = XRAY_NODES "xray_nodes" Some(Family::Xray); {
        node: u32, "", "position in the file";
        square: u32, "", "x of the grid times squares of a row, and z";
        x: f32, "u", "the middle";
        y: f32, "u", "";
        z: f32, "u", "";
        x_down: Option<u32>, "", "the node beside it towards lower x";
        z_up: Option<u32>, "", "towards higher z";
        x_up: Option<u32>, "", "towards higher x";
        z_down: Option<u32>, "", "towards lower z";
        cover: u16, "", "standing: four values of 4 bits, in the order of the links, lowest first";
        low_cover: Option<u16>, "", "crouching; from version 10";
        light: Option<u8>, "0..15", "null in version 13, which has none";
        plane: u16, "", "how it is tilted; meaning unknown";
        geometry: Option<Geometry<'a>>, "m", "the square as seen from above, level at its height";
    }
}
