//! The tables of path grids: Morrowind and Oblivion.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_formats::Family;

rows! {
    /// One row a path grid: a PGRD record of a plugin of Morrowind or Oblivion.
    GridRow<'a> = PATHGRID_GRIDS "pathgrid_grids" Some(Family::Skyrim); {
        grid: u32, "", "number of the record in the plugin";
        form_id: Option<u32>, "", "as stored; null in Morrowind, which has none";
        deleted: bool, "", "";
        compressed: bool, "", "";
        exterior: Option<bool>, "", "whether its cell is one of a worldspace; null without a grid";
        name: Option<&'a str>, "", "the cell, or the region of an exterior; in Oblivion if the plugin has the cell";
        world: Option<u32>, "", "FormID of the worldspace; Oblivion";
        cell: Option<u32>, "", "FormID of the cell; Oblivion";
        grid_x: Option<i32>, "", "the cell in the exterior; Morrowind";
        grid_y: Option<i32>, "", "";
        granularity: Option<u16>, "u", "how far apart the editor sets points; Morrowind";
        points: Option<u32>, "", "null if the record is deleted, empty or cannot be read";
        claimed_points: Option<u16>, "", "how many the record says";
        links: Option<u32>, "", "as stored: twice in Morrowind, once in Oblivion";
        foreign_links: Option<u32>, "", "into grids of other cells; Oblivion";
        blocking_objects: Option<u32>, "", "objects that block points of it; Oblivion";
    }

    /// One row a point.
    PointRow = PATHGRID_POINTS "pathgrid_points" Some(Family::Skyrim); {
        grid: u32, "", "number of the record";
        point: u32, "", "position in the grid";
        x: f32, "u", "in the worldspace or the interior, also where the file counts from the corner of the cell";
        y: f32, "u", "";
        z: f32, "u", "";
        generated: bool, "", "whether the editor has made it";
        links: u8, "", "how many it says that it has";
        geometry: Option<Geometry<'static>>, "u", "the point as seen from above, with its height";
    }

    /// One row a link as stored: in Morrowind once at each of its points, in Oblivion once.
    LinkRow = PATHGRID_LINKS "pathgrid_links" Some(Family::Skyrim); {
        grid: u32, "", "number of the record";
        link: u32, "", "position in the grid";
        src: Option<u32>, "", "a point, which may not exist; null for a negative number";
        dst: Option<u32>, "", "the other; null for none, which Oblivion stores as -1";
    }

    /// One row a link into the grid of another cell. Oblivion.
    ForeignLinkRow = PATHGRID_FOREIGN_LINKS "pathgrid_foreign_links" Some(Family::Skyrim); {
        grid: u32, "", "number of the record";
        link: u32, "", "position in the grid";
        point: u16, "", "the point here";
        x: f32, "u", "where the point of the other grid is";
        y: f32, "u", "";
        z: f32, "u", "";
    }
}
