//! The tables of Fox.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_formats::Family;

rows! {
    /// One row a tile, or a part of a tile that is split over several files.
    TileRow = FOX_TILES "fox_tiles" Some(Family::Fox); {
        version: u32, "", "";
        tile_id: u16, "", "its number in the map";
        part: u16, "", "which part of a split tile it is";
        origin_x: f32, "m", "what stored positions count from";
        origin_y: f32, "m", "";
        origin_z: f32, "m", "";
        divisor_x: u16, "", "steps of a stored position in a metre";
        divisor_y: u16, "", "";
        divisor_z: u16, "", "";
        weight_divisor: u16, "", "steps of a stored length in a metre";
        feature_flags: u8, "", "";
        island_graphs: u8, "", "";
        opaque_id: [u8; 16], "", "the maker's own";
        group_count: u32, "", "groups that were read";
        segments: u32, "", "";
        vertices: u32, "", "";
        faces: u32, "", "";
        nav_nodes: u32, "", "";
        nav_edges: u32, "", "";
        buckets_x: Option<u32>, "", "the search space; null in a part that has none";
        buckets_z: Option<u32>, "", "";
        bucket_side: Option<u32>, "m", "";
    }

    /// One row a segment: a convex patch of faces.
    SegmentRow = FOX_SEGMENTS "fox_segments" Some(Family::Fox); {
        group_id: u16, "", "the group";
        segment: u16, "", "number in the group";
        attribute: Option<u16>, "", "which characters may use it";
        min_x: f32, "m", "";
        min_y: f32, "m", "";
        min_z: f32, "m", "";
        max_x: f32, "m", "";
        max_y: f32, "m", "";
        max_z: f32, "m", "";
        vertices: u32, "", "";
        faces: u32, "", "";
        nav_nodes: u32, "", "";
        nav_edges: u32, "", "";
        island: Option<u16>, "", "in the first island graph";
        x: Option<f32>, "m", "the point that stands for it in the graph of segments";
        y: Option<f32>, "m", "";
        z: Option<f32>, "m", "";
        links_inside: Option<u8>, "", "links to segments of the group";
        links_group: Option<u8>, "", "to other groups";
        links_tile: Option<u8>, "", "to other tiles";
    }

    /// One row a link between segments.
    SegmentLinkRow<'a> = FOX_SEGMENT_LINKS "fox_segment_links" Some(Family::Fox); {
        group_id: u16, "", "the group";
        src: u16, "", "the segment it leaves";
        kind: &'a str, "", "inside, group, tile";
        dst_tile: Option<u16>, "", "null in the same tile";
        dst_group: Option<u16>, "", "null in the same group";
        dst: u16, "", "the segment it leads to";
        weight: f32, "m", "";
        crossings: u8, "", "nodes over which it may be taken";
    }

    /// One row a vertex.
    VertexRow = FOX_VERTICES "fox_vertices" Some(Family::Fox); {
        group_id: u16, "", "the group";
        vertex: u16, "", "number in the group";
        segment: Option<u16>, "", "the segment it is stored for";
        x: f32, "m", "";
        y: f32, "m", "";
        z: f32, "m", "";
        qx: u16, "", "as stored";
        qy: u16, "", "";
        qz: u16, "", "";
    }

    /// One row a face.
    FaceRow<'a> = FOX_FACES "fox_faces" Some(Family::Fox); {
        group_id: u16, "", "the group";
        face: u16, "", "number in the group";
        segment: u16, "", "its segment";
        a: Option<u16>, "", "its corners, as vertices of the group";
        b: Option<u16>, "", "";
        c: Option<u16>, "", "";
        d: Option<u16>, "", "null in a triangle";
        neighbour_0: Option<u16>, "", "the face across side 0; null at a border, and across a tile";
        kind_0: Option<u8>, "", "0 the same group, 1 another group, 2 another tile, 3 dynamic; null at a border";
        group_0: Option<u16>, "", "the group of the face across";
        tile_0: Option<u16>, "", "its tile";
        node_0: Option<u16>, "", "the node in the middle of the side, in the group";
        neighbour_1: Option<u16>, "", "";
        kind_1: Option<u8>, "", "";
        group_1: Option<u16>, "", "";
        tile_1: Option<u16>, "", "";
        node_1: Option<u16>, "", "";
        neighbour_2: Option<u16>, "", "";
        kind_2: Option<u8>, "", "";
        group_2: Option<u16>, "", "";
        tile_2: Option<u16>, "", "";
        node_2: Option<u16>, "", "";
        neighbour_3: Option<u16>, "", "";
        kind_3: Option<u8>, "", "";
        group_3: Option<u16>, "", "";
        tile_3: Option<u16>, "", "";
        node_3: Option<u16>, "", "";
        surface: f32, "m2", "";
        geometry: Option<Geometry<'a>>, "m", "the face as seen from above, with heights; null if it names a vertex that does not exist";
    }

    /// One row a node of the navigation graph: the middle of a side.
    NavNodeRow<'a> = FOX_NAV_NODES "fox_nav_nodes" Some(Family::Fox); {
        group_id: u16, "", "the group";
        node: u16, "", "number in the group";
        segment: u16, "", "";
        x: f32, "m", "";
        y: f32, "m", "";
        z: f32, "m", "";
        face: Option<u16>, "", "the face it lies on";
        crossing: Option<&'a str>, "", "where its link out of the segment leads: segment, group, tile";
        dst_tile: Option<u16>, "", "";
        dst_group: Option<u16>, "", "";
        dst_node: Option<u16>, "", "null for a tile, whose node is found by position";
        kind: u8, "", "bits of the crossing, as stored";
        geometry: Option<Geometry<'static>>, "m", "the point as seen from above, with its height";
    }

    /// One row an edge of the navigation graph. It has no direction: src is the lower node.
    NavEdgeRow = FOX_NAV_EDGES "fox_nav_edges" Some(Family::Fox); {
        group_id: u16, "", "the group";
        edge: u16, "", "number in the group";
        segment: u16, "", "";
        src: Option<u16>, "", "node of the group";
        dst: Option<u16>, "", "node of the group";
        weight: u16, "", "as stored";
        length: f32, "m", "the weight in metres";
        kind: u16, "", "as stored";
    }

    /// One row an island of an island graph.
    IslandRow = FOX_ISLANDS "fox_islands" Some(Family::Fox); {
        graph: u8, "", "which island graph";
        island: u16, "", "number in it";
        x: f32, "m", "";
        y: f32, "m", "";
        z: f32, "m", "";
        attribute: u16, "", "";
        segments: u16, "", "segments it has, over all parts of the tile";
        links: u32, "", "links of all kinds";
    }
}
