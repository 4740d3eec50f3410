//! The tables of Source and Source 2.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_formats::Family;

rows! {
    /// One row a mesh of GoldSrc or Source (versions 1 to 16). The counts are what was read, also before damage.
    MeshRow<'a> = SOURCE_MESHES "source_meshes" Some(Family::Source); {
        version: u32, "", "1 to 16";
        subversion: Option<u32>, "", "the game's own; version 10 and later";
        bsp_bytes: Option<u32>, "B", "size of the map it was made from; version 4 and later";
        analyzed: Option<bool>, "", "version 14 and later";
        has_unnamed_areas: Option<bool>, "", "version 12 and later";
        areas: u32, "", "areas";
        ladders: u32, "", "ladders";
        places: u32, "", "names of places";
        connections: u32, "", "connections of all areas";
        hiding_spots: u32, "", "hiding spots of all areas";
        approaches: u32, "", "approach areas of all areas";
        encounter_paths: u32, "", "encounter paths of all areas";
        encounter_spots: u32, "", "spots on them";
        ladder_links: u32, "", "ladders named by areas, up and down";
        visible: u64, "", "entries of all visibility lists";
        population: Option<&'a str>, "", "default population of zombies: Left 4 Dead (2)";
        visibility_range: Option<f32>, "u", "Left 4 Dead (2)";
        stale_tail_bytes: Option<u64>, "B", "bytes after the end; null if the file could not be read to its end";
    }

    /// One row an area of GoldSrc, Source or Source 2. Of Source 2, whose areas are polygons, `source2_areas` has more.
    AreaRow<'a> = SOURCE_AREAS "source_areas" Some(Family::Source); {
        record_index: u32, "", "position in the file";
        id: u32, "", "unique in the file";
        flags: u64, "", "attributes, 8, 16 or 32 bits on disk, 64 of Source 2";
        nw_x: f32, "u", "the north-west corner; of Source 2 that of the box, as seen from above";
        nw_y: f32, "u", "";
        nw_z: Option<f32>, "u", "null of Source 2, as all heights of corners";
        se_x: f32, "u", "the south-east corner";
        se_y: f32, "u", "";
        se_z: Option<f32>, "u", "";
        ne_z: Option<f32>, "u", "height of the north-east corner";
        sw_z: Option<f32>, "u", "height of the south-west corner";
        center_x: f32, "u", "mean of the north-west and south-east corners; of Source 2 of all corners";
        center_y: f32, "u", "";
        center_z: f32, "u", "";
        width: f32, "u", "along x; zero or negative in a broken area";
        depth: f32, "u", "along y";
        surface: f32, "u2", "seen from above; 0 for a broken area";
        north: Option<u32>, "", "connections over the north side; null of Source 2, which has no such sides";
        east: Option<u32>, "", "";
        south: Option<u32>, "", "";
        west: Option<u32>, "", "";
        hiding_spots: u8, "", "hiding spots";
        encounter_paths: Option<u32>, "", "encounter paths";
        approaches: Option<u8>, "", "approach areas; null where the layout has none";
        place_index: Option<u16>, "", "number of its place, from 1; 0 is none; null below version 5";
        place: Option<&'a str>, "", "name of its place";
        ladders_up: Option<u32>, "", "ladders to climb up; version 7 and later";
        ladders_down: Option<u32>, "", "ladders to climb down";
        occupy_t0: Option<f32>, "s", "when a team can be here first; version 8 and later";
        occupy_t1: Option<f32>, "s", "the same for the other team";
        light_nw: Option<f32>, "0..1", "light at the corners; version 11 and later";
        light_ne: Option<f32>, "0..1", "";
        light_se: Option<f32>, "0..1", "";
        light_sw: Option<f32>, "0..1", "";
        visible: Option<u32>, "", "entries of its visibility list; version 16";
        inherit_id: Option<u32>, "", "the area whose list its own extends; version 16";
        game_flags: Option<u32>, "", "attributes of Team Fortress 2, spawn attributes of Left 4 Dead (2), Insurgency's number";
        byte_offset: u64, "B", "where the record begins";
        byte_len: u32, "B", "how long it is";
        hull: Option<u8>, "", "the size of body it is for; Source 2";
        corners: u32, "", "corners of the polygon";
        connections: u32, "", "connections over all sides";
        geometry: Option<Geometry<'a>>, "u", "the polygon as seen from above, with heights; null if a coordinate is no number";
    }

    /// One row a connection from an area to another, of GoldSrc and Source. Those of Source 2 are in `source2_connections`.
    ConnectionRow = SOURCE_CONNECTIONS "source_connections" Some(Family::Source); {
        src_id: u32, "", "the area";
        direction: u8, "", "the side: 0 north, 1 east, 2 south, 3 west";
        dst_id: u32, "", "the area it leads to, which may not exist";
        one_way: bool, "", "whether no connection of that area leads back";
    }

    /// One row a ladder, of GoldSrc and Source. Those of Source 2 are in `source2_ladders`.
    LadderRow = SOURCE_LADDERS "source_ladders" Some(Family::Source); {
        record_index: u32, "", "position in the file";
        id: u32, "", "unique in the file";
        width: f32, "u", "";
        length: f32, "u", "";
        top_x: f32, "u", "the upper end";
        top_y: f32, "u", "";
        top_z: f32, "u", "";
        bottom_x: f32, "u", "the lower end";
        bottom_y: f32, "u", "";
        bottom_z: f32, "u", "";
        direction: u32, "", "the side it faces: 0 north, 1 east, 2 south, 3 west";
        dangling: Option<bool>, "", "whether its lower end hangs in the air; version 6";
        top_forward_id: Option<u32>, "", "areas at its ends; null where there is none";
        top_left_id: Option<u32>, "", "";
        top_right_id: Option<u32>, "", "";
        top_behind_id: Option<u32>, "", "";
        bottom_id: Option<u32>, "", "";
    }

    /// One row a ladder that an area names.
    LadderLinkRow<'a> = SOURCE_LADDER_LINKS "source_ladder_links" Some(Family::Source); {
        area_id: u32, "", "the area";
        ladder_id: u32, "", "the ladder";
        direction: &'a str, "", "up or down";
    }

    /// One row a hiding spot.
    HidingSpotRow = SOURCE_HIDING_SPOTS "source_hiding_spots" Some(Family::Source); {
        area_id: u32, "", "the area";
        spot: u8, "", "position in the area";
        id: Option<u32>, "", "version 2 and later; 0 is legal";
        x: f32, "u", "";
        y: f32, "u", "";
        z: f32, "u", "";
        flags: Option<u8>, "", "what it is good for; version 2 and later";
    }

    /// One row an encounter path: a way through an area from one neighbour to another.
    EncounterPathRow = SOURCE_ENCOUNTER_PATHS "source_encounter_paths" Some(Family::Source); {
        area_id: u32, "", "the area";
        encounter: u32, "", "position in the area";
        src_id: u32, "", "the neighbour it comes from";
        src_direction: Option<u8>, "", "the side on which that lies; version 3 and later";
        dst_id: u32, "", "the neighbour it leads to";
        dst_direction: Option<u8>, "", "";
        src_x: Option<f32>, "u", "its ends, which only versions 1 and 2 store";
        src_y: Option<f32>, "u", "";
        src_z: Option<f32>, "u", "";
        dst_x: Option<f32>, "u", "";
        dst_y: Option<f32>, "u", "";
        dst_z: Option<f32>, "u", "";
        spots: u8, "", "spots that are passed";
    }

    /// One row a spot that is passed on an encounter path.
    EncounterSpotRow = SOURCE_ENCOUNTER_SPOTS "source_encounter_spots" Some(Family::Source); {
        area_id: u32, "", "the area";
        encounter: u32, "", "the path, by its position in the area";
        spot: u8, "", "position on the path";
        hiding_spot_id: Option<u32>, "", "the hiding spot; version 3 and later";
        t: f32, "0..1", "how far along the path";
        t_raw: Option<u8>, "", "as stored; version 3 and later";
        x: Option<f32>, "u", "versions 1 and 2 store a point instead";
        y: Option<f32>, "u", "";
        z: Option<f32>, "u", "";
    }

    /// One row an approach area.
    ApproachRow = SOURCE_APPROACHES "source_approaches" Some(Family::Source); {
        area_id: u32, "", "the area that is approached";
        approach: u8, "", "position in the area";
        here_id: Option<u32>, "", "the approach area";
        previous_id: Option<u32>, "", "the area before it";
        next_id: Option<u32>, "", "the area after it";
        previous_how: u8, "", "how one gets from previous to here";
        next_how: u8, "", "how one gets from here to next";
    }

    /// One row a name of the place directory.
    PlaceRow<'a> = SOURCE_PLACES "source_places" Some(Family::Source); {
        place_index: u16, "", "from 1, as areas count them";
        name: &'a str, "", "an engine token such as BombsiteA";
        areas: u32, "", "areas that belong to it";
    }

    /// One row an entry of a visibility list. Large: 51 million rows in 2,123 meshes. What an area inherits is not in it.
    VisibilityRow = SOURCE_VISIBILITY "source_visibility" Some(Family::Source); {
        src_id: u32, "", "the area";
        dst_id: Option<u32>, "", "the area that is seen; null for a position past the end of the file";
        dst_index: Option<u32>, "", "the position that Left 4 Dead (2) stores instead of an id";
        visible: u8, "", "0 not, 1 potentially, 2 or 3 completely";
    }

    /// One row a mesh of Source 2.
    Mesh2Row = SOURCE2_MESHES "source2_meshes" Some(Family::Source); {
        version: u32, "", "30 to 36";
        subversion: u32, "", "the game's own";
        flags: u32, "", "of the file: bit 0 is analyzed";
        vertices: u32, "", "vertices that polygons share; version 31 and later";
        polygons: u32, "", "polygons";
        areas: u32, "", "areas that were read";
        connections: u32, "", "connections of all areas";
        ladders: Option<u32>, "", "null if the file could not be read to its end";
        trailing_bytes: Option<u64>, "B", "bytes after the end";
    }

    /// One row an area of Source 2: one polygon on which one hull may walk.
    Area2Row<'a> = SOURCE2_AREAS "source2_areas" Some(Family::Source); {
        record_index: u32, "", "position in the file";
        id: u32, "", "unique in the file";
        flags: u64, "", "attributes";
        hull: u8, "", "the size of body it is for";
        polygon: Option<u32>, "", "number of its polygon; version 31 and later";
        corners: u32, "", "corners of the polygon";
        center_x: f32, "u", "";
        center_y: f32, "u", "";
        center_z: f32, "u", "";
        surface: f32, "u2", "seen from above";
        connections: u32, "", "connections over all edges";
        ladders_above: u32, "", "";
        ladders_below: u32, "", "";
        byte_offset: u64, "B", "where the record begins";
        byte_len: u32, "B", "how long it is";
        geometry: Option<Geometry<'a>>, "u", "the polygon as seen from above, with heights; null if it names a vertex that does not exist";
    }

    /// One row a corner of an area of Source 2, in order around it.
    Corner2Row = SOURCE2_CORNERS "source2_corners" Some(Family::Source); {
        area_id: u32, "", "the area";
        corner: u32, "", "position in the polygon";
        x: f32, "u", "";
        y: f32, "u", "";
        z: f32, "u", "";
    }

    /// One row a connection between areas of Source 2.
    Connection2Row = SOURCE2_CONNECTIONS "source2_connections" Some(Family::Source); {
        src_id: u32, "", "the area";
        edge: u32, "", "the edge that is crossed, from this corner to the next";
        dst_id: u32, "", "the area it leads to";
        dst_edge: u32, "", "the edge of that area";
    }

    /// One row a ladder of Source 2.
    Ladder2Row = SOURCE2_LADDERS "source2_ladders" Some(Family::Source); {
        record_index: u32, "", "position in the file";
        id: u32, "", "unique in the file";
        width: f32, "u", "";
        length: f32, "u", "";
        top_x: f32, "u", "";
        top_y: f32, "u", "";
        top_z: f32, "u", "";
        bottom_x: f32, "u", "";
        bottom_y: f32, "u", "";
        bottom_z: f32, "u", "";
        direction: u32, "", "the side it faces, as stored";
        top_forward_id: Option<u32>, "", "areas at its ends; null where there is none";
        top_left_id: Option<u32>, "", "";
        top_right_id: Option<u32>, "", "";
        top_behind_id: Option<u32>, "", "";
        bottom_id: Option<u32>, "", "";
    }
}
