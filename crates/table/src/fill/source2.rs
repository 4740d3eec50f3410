//! Source 2, versions 30 to 36.

use super::source::ladder_row;
use crate::batch::Out;
use crate::geometry::Geometry;
use crate::rows::source::*;
use navmap_core::error::Result;
use navmap_core::graph::{Point, Up};
use navmap_source::{PolygonArea, Source2Nav};

/// Fills the tables of one mesh, in one walk.
///
/// # Errors
/// If the file is damaged: the first place at which reading cannot continue. The rows before it are written.
pub(super) fn fill(nav: &Source2Nav<'_>, out: &mut Out<'_>) -> Result<()> {
    let tables = [
        &SOURCE_AREAS,
        &SOURCE2_MESHES,
        &SOURCE2_AREAS,
        &SOURCE2_CORNERS,
        &SOURCE2_CONNECTIONS,
        &SOURCE2_LADDERS,
    ];
    out.with(tables, |[common, meshes, areas, corners, connections, ladders]| {
        let (mut area_count, mut connection_count) = (0u32, 0u32);
        let mut walk = nav.areas();
        let mut end = Ok(());
        let shapes = common.wants("geometry") || areas.wants("geometry");
        let mut around = Vec::new();
        for area in walk.by_ref() {
            let area = match area {
                Ok(area) => area,
                Err(error) => {
                    end = Err(error);
                    break;
                }
            };
            let leaving = area.edges().fold(0u32, |sum, links| sum.saturating_add(links.len() as u32));
            area_count = area_count.saturating_add(1);
            connection_count = connection_count.saturating_add(leaving);
            around.clear();
            if shapes {
                around.extend(area.corners().map(Point::from));
            }
            // A vertex that does not exist is left out of the corners.
            let is_whole = around.len() == area.corner_count();
            let geometry = is_whole.then(|| Geometry::polygon(&around, Up::Z));
            if common.is_wanted() {
                common.push(AreaRow { geometry, ..common_row(&area, leaving) });
            }
            if areas.is_wanted() {
                areas.push(Area2Row { geometry, ..own_row(&area, leaving) });
            }
            let area_id = area.id().get();
            if corners.is_wanted() {
                for (corner, [x, y, z]) in (0..).zip(area.corners()) {
                    corners.push(Corner2Row { area_id, corner, x, y, z });
                }
            }
            if connections.is_wanted() {
                for (edge, links) in (0..).zip(area.edges()) {
                    for link in links {
                        let (dst, dst_edge) = (link.area().get(), link.edge());
                        connections.push(Connection2Row { src_id: area_id, edge, dst_id: dst, dst_edge });
                    }
                }
            }
        }
        let after = end.and_then(|()| walk.finish());
        let known = after.as_ref().ok();
        if let (Some(after), true) = (known, ladders.is_wanted()) {
            for (at, ladder) in (0..).zip(after.all_ladders()) {
                ladders.push(ladder_row!(Ladder2Row, at, ladder));
            }
        }
        meshes.push(Mesh2Row {
            version: nav.version(),
            subversion: nav.subversion(),
            flags: nav.flags(),
            vertices: nav.vertices().len() as u32,
            polygons: nav.polygon_count() as u32,
            areas: area_count,
            connections: connection_count,
            ladders: known.map(|after| after.all_ladders().count() as u32),
            trailing_bytes: known.map(|after| after.trailing().len() as u64),
        });
        after.map(drop)
    })
}

/// An area as a row of the table of Source 2, without its geometry.
fn own_row<'r>(area: &PolygonArea<'_>, connections: u32) -> Area2Row<'r> {
    let [center_x, center_y, center_z] = area.center();
    Area2Row {
        record_index: area.index(),
        id: area.id().get(),
        flags: area.attributes().bits(),
        hull: area.hull(),
        polygon: area.polygon(),
        corners: area.corner_count() as u32,
        center_x,
        center_y,
        center_z,
        surface: area.square_units(),
        connections,
        ladders_above: area.ladders_above().len() as u32,
        ladders_below: area.ladders_below().len() as u32,
        byte_offset: area.offset().into(),
        byte_len: area.end().saturating_sub(area.offset()),
        geometry: None,
    }
}

/// An area as a row of the table that Source and Source 2 share, without its geometry.
fn common_row<'r>(area: &PolygonArea<'_>, connections: u32) -> AreaRow<'r> {
    let [center_x, center_y, center_z] = area.center();
    let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for [x, y, _] in area.corners() {
        low = [low[0].min(x), low[1].min(y)];
        high = [high[0].max(x), high[1].max(y)];
    }
    if low[0] > high[0] {
        // All of its corners are missing, or are no numbers.
        (low, high) = ([center_x, center_y], [center_x, center_y]);
    }
    AreaRow {
        record_index: area.index(),
        id: area.id().get(),
        flags: area.attributes().bits(),
        nw_x: low[0],
        nw_y: low[1],
        nw_z: None,
        se_x: high[0],
        se_y: high[1],
        se_z: None,
        ne_z: None,
        sw_z: None,
        center_x,
        center_y,
        center_z,
        width: high[0] - low[0],
        depth: high[1] - low[1],
        surface: area.square_units(),
        north: None,
        east: None,
        south: None,
        west: None,
        hiding_spots: 0,
        encounter_paths: Some(0),
        approaches: None,
        place_index: None,
        place: None,
        ladders_up: Some(area.ladders_above().len() as u32),
        ladders_down: Some(area.ladders_below().len() as u32),
        occupy_t0: None,
        occupy_t1: None,
        light_nw: None,
        light_ne: None,
        light_se: None,
        light_sw: None,
        visible: None,
        inherit_id: None,
        game_flags: None,
        byte_offset: area.offset().into(),
        byte_len: area.end().saturating_sub(area.offset()),
        hull: Some(area.hull()),
        corners: area.corner_count() as u32,
        connections,
        geometry: None,
    }
}
