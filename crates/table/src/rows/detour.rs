//! The tables of Detour.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_formats::Family;

rows! {
    /// One row a tile.
    TileRow<'a> = DETOUR_TILES "detour_tiles" Some(Family::Detour); {
        tile: u32, "", "number in the file";
        dialect: &'a str, "", "the container";
        version: u32, "", "of the tile: 6, 7, 13, 16";
        reference: Option<u64>, "", "as the container gives it; null if it gives none";
        mesh: u32, "", "number of the mesh in a Unity asset; 0 elsewhere";
        tile_x: i32, "", "column in the grid";
        tile_y: i32, "", "row in the grid";
        layer: i32, "", "";
        user_id: u32, "", "";
        agent_height: Option<f32>, "u", "";
        agent_radius: Option<f32>, "u", "";
        agent_climb: Option<f32>, "u", "";
        min_x: f32, "u", "";
        min_y: f32, "u", "";
        min_z: f32, "u", "";
        max_x: f32, "u", "";
        max_y: f32, "u", "";
        max_z: f32, "u", "";
        vertices: u32, "", "";
        polygons: u32, "", "those for off-mesh connections included";
        links: u32, "", "links that there is room for";
        off_mesh: u32, "", "";
        detail_triangles: u32, "", "";
        tree_nodes: u32, "", "";
        byte_offset: u64, "B", "where the tile begins";
        byte_len: u64, "B", "";
    }

    /// One row a polygon.
    PolygonRow<'a> = DETOUR_POLYGONS "detour_polygons" Some(Family::Detour); {
        tile: u32, "", "number of the tile in the file";
        polygon: u32, "", "number in the tile";
        area_type: u8, "", "what kind of ground it is, as the game numbers it";
        kind: u8, "", "0 ground, 1 an off-mesh connection";
        flags: u32, "", "";
        corners: u8, "", "";
        neighbours: u8, "", "edges with a polygon of the same tile behind them";
        portals: u8, "", "edges that lead to other tiles";
        center_x: Option<f32>, "u", "mean of the corners; null if it names a vertex that does not exist";
        center_y: Option<f32>, "u", "";
        center_z: Option<f32>, "u", "";
        surface: Option<f32>, "u2", "";
        geometry: Option<Geometry<'a>>, "u", "the polygon as seen from above, with heights; null of an off-mesh connection";
    }

    /// One row a vertex.
    VertexRow = DETOUR_VERTICES "detour_vertices" Some(Family::Detour); {
        tile: u32, "", "number of the tile in the file";
        vertex: u32, "", "number in the tile";
        x: f32, "u", "";
        y: f32, "u", "";
        z: f32, "u", "";
    }

    /// One row an edge behind which something lies: what the file says of links. A game makes its own when it loads a tile.
    EdgeRow<'a> = DETOUR_LINKS "detour_links" Some(Family::Detour); {
        tile: u32, "", "number of the tile in the file";
        src: u32, "", "the polygon";
        edge: u8, "", "the edge";
        kind: &'a str, "", "inner, portal";
        dst: Option<u32>, "", "the polygon behind an inner edge";
        side: Option<u8>, "", "the side of the tile on which a portal lies, 0 to 7";
    }

    /// One row an off-mesh connection.
    OffMeshRow = DETOUR_OFF_MESH "detour_off_mesh" Some(Family::Detour); {
        tile: u32, "", "number of the tile in the file";
        connection: u32, "", "number in the tile";
        start_x: f32, "u", "";
        start_y: f32, "u", "";
        start_z: f32, "u", "";
        end_x: f32, "u", "";
        end_y: f32, "u", "";
        end_z: f32, "u", "";
        radius: f32, "u", "";
        polygon: u16, "", "the polygon that stands for it";
        both_ways: bool, "", "";
        flags: u8, "", "";
        side: Option<u8>, "", "the side of the tile on which it ends";
        user_id: u32, "", "";
    }
}
