//! Source 2, versions 30 to 36.

use super::source::ladder_row;
use crate::batch::Sheets;
use crate::rows::source::*;
use navmap_core::error::Result;
use navmap_source::Source2Nav;

/// Fills the tables of one mesh, in one walk.
///
/// # Errors
/// If the file is damaged: the first place at which reading cannot continue. The rows before it are written.
pub(super) fn fill(nav: &Source2Nav<'_>, out: &mut Sheets) -> Result<()> {
    let tables = [&SOURCE2_MESHES, &SOURCE2_AREAS, &SOURCE2_CORNERS, &SOURCE2_CONNECTIONS, &SOURCE2_LADDERS];
    out.with(tables, |[meshes, areas, corners, connections, ladders]| {
        let (mut area_count, mut connection_count) = (0u32, 0u32);
        let mut walk = nav.areas();
        let mut end = Ok(());
        for area in walk.by_ref() {
            let area = match area {
                Ok(area) => area,
                Err(error) => {
                    end = Err(error);
                    break;
                }
            };
            let area_id = area.id().get();
            let leaving = area.edges().fold(0u32, |sum, links| sum.saturating_add(links.len() as u32));
            area_count = area_count.saturating_add(1);
            connection_count = connection_count.saturating_add(leaving);
            if areas.is_wanted() {
                let [center_x, center_y, center_z] = area.center();
                areas.push(Area2Row {
                    record_index: area.index(),
                    id: area_id,
                    flags: area.attributes().bits(),
                    hull: area.hull(),
                    polygon: area.polygon(),
                    corners: area.corner_count() as u32,
                    center_x,
                    center_y,
                    center_z,
                    surface: area.square_units(),
                    connections: leaving,
                    ladders_above: area.ladders_above().len() as u32,
                    ladders_below: area.ladders_below().len() as u32,
                    byte_offset: area.offset().into(),
                    byte_len: area.end().saturating_sub(area.offset()),
                });
            }
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
