//! Detour tiles in any container.

use crate::batch::{Out, Sheet};
use crate::geometry::Geometry;
use crate::rows::detour::*;
use navmap_core::error::Result;
use navmap_core::graph::{Point, Shape, Up};
use navmap_detour::{Across, DetourNav, TileEntry};

/// Fills the tables of one file, in one walk over its tiles.
///
/// # Errors
/// If the file is damaged: the first place at which reading cannot continue. The rows before it are written.
pub(super) fn fill(nav: &DetourNav<'_>, out: &mut Out<'_>) -> Result<()> {
    let tables = [&DETOUR_TILES, &DETOUR_POLYGONS, &DETOUR_VERTICES, &DETOUR_LINKS, &DETOUR_OFF_MESH];
    out.with(tables, |[tiles, polygons, vertices, links, off_mesh]| {
        for entry in nav.tiles() {
            let entry = entry?;
            let tile = entry.index.get();
            push_tile(nav, &entry, tiles);
            push_polygons(&entry, polygons, links);
            if vertices.is_wanted() {
                for (vertex, at) in (0..).zip(entry.tile.vertices()) {
                    let [x, y, z] = at.to_array();
                    vertices.push(VertexRow { tile, vertex, x, y, z });
                }
            }
            for (connection, stored) in (0..).zip(entry.tile.off_mesh().iter()) {
                let ([start_x, start_y, start_z], [end_x, end_y, end_z]) = (stored.start(), stored.end());
                off_mesh.push(OffMeshRow {
                    tile,
                    connection,
                    start_x,
                    start_y,
                    start_z,
                    end_x,
                    end_y,
                    end_z,
                    radius: stored.radius(),
                    polygon: stored.polygon(),
                    both_ways: stored.both_ways(),
                    flags: stored.flags(),
                    side: stored.side(),
                    user_id: stored.user_id(),
                });
            }
        }
        Ok(())
    })
}

fn push_tile(nav: &DetourNav<'_>, entry: &TileEntry<'_>, out: &mut Sheet<'_>) {
    let (tile, head) = (&entry.tile, entry.tile.head());
    let agent = |at: usize| head.agent.map(|agent| agent[at]);
    let ([min_x, min_y, min_z], [max_x, max_y, max_z]) = (head.min, head.max);
    out.push(TileRow {
        tile: entry.index.get(),
        dialect: nav.dialect_name(),
        version: head.version,
        reference: Some(entry.reference).filter(|reference| *reference != 0),
        mesh: entry.mesh,
        tile_x: head.at[0],
        tile_y: head.at[1],
        layer: head.layer,
        user_id: head.user_id,
        agent_height: agent(0),
        agent_radius: agent(1),
        agent_climb: agent(2),
        min_x,
        min_y,
        min_z,
        max_x,
        max_y,
        max_z,
        vertices: head.vertices,
        polygons: head.polygons,
        links: head.max_links,
        off_mesh: head.off_mesh,
        detail_triangles: head.triangles,
        tree_nodes: head.tree,
        byte_offset: tile.offset(),
        byte_len: tile.size(),
    });
}

fn push_polygons(entry: &TileEntry<'_>, polygons: &mut Sheet<'_>, links: &mut Sheet<'_>) {
    if !polygons.is_wanted() && !links.is_wanted() {
        return;
    }
    let index = entry.index.get();
    let up = if entry.tile.layout().z_up() { Up::Z } else { Up::Y };
    let mut corners = Vec::new();
    for (number, polygon) in (0..).zip(entry.tile.polygons().iter()) {
        let (mut neighbours, mut portals) = (0u8, 0u8);
        for edge in 0..polygon.corner_count() {
            let row = match polygon.across(edge.into()) {
                Some(Across::Inner(dst)) => {
                    neighbours = neighbours.saturating_add(1);
                    EdgeRow {
                        tile: index,
                        src: number,
                        edge,
                        kind: "inner",
                        dst: Some(dst.into()),
                        side: None,
                    }
                }
                Some(Across::Portal(side)) => {
                    portals = portals.saturating_add(1);
                    EdgeRow { tile: index, src: number, edge, kind: "portal", dst: None, side: Some(side) }
                }
                Some(Across::Wall) | None => continue,
            };
            links.push(row);
        }
        if polygons.is_wanted() {
            corners.clear();
            let points = (0..polygon.corners().len()).map(|at| entry.tile.corner(&polygon, at));
            corners.extend(points.flatten().map(Point::from));
            let whole = corners.len() == polygon.corners().len();
            let shape = Shape::Polygon(&corners);
            let center = shape.center().filter(|_| whole).map(Point::to_array);
            let axis = |axis: usize| center.map(|center| center[axis]);
            polygons.push(PolygonRow {
                tile: index,
                polygon: number,
                area_type: polygon.area(),
                kind: polygon.kind(),
                flags: polygon.flags(),
                corners: polygon.corner_count(),
                neighbours,
                portals,
                center_x: axis(0),
                center_y: axis(1),
                center_z: axis(2),
                surface: shape.area().filter(|_| whole).map(|area| area as f32),
                geometry: whole.then(|| Geometry::new(shape, up)),
            });
        }
    }
}
