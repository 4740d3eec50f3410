//! X-Ray.

use super::outlines::Outlines;
use crate::batch::Out;
use crate::geometry::Geometry;
use crate::rows::xray::*;
use navmap_core::graph::Up;
use navmap_xray::{GridGraph, XrayNav};

/// Fills the tables of one `level.ai`. A file that opened has all of its nodes.
pub(super) fn fill(nav: &XrayNav<'_>, out: &mut Out<'_>) {
    let header = nav.header();
    let build: String = header.guid().iter().map(|byte| format!("{byte:02x}")).collect();
    let ([min_x, min_y, min_z], [max_x, max_y, max_z]) = (header.min(), header.max());
    let links = |node: navmap_xray::Node<'_>| node.links().iter().flatten().count();
    out.with([&XRAY_MESHES, &XRAY_NODES], |[meshes, nodes]| {
        meshes.push(MeshRow {
            version: nav.version(),
            build: &build,
            nodes: header.nodes(),
            links: u32::try_from(nav.nodes().iter().map(links).sum::<usize>()).unwrap_or(u32::MAX),
            cell: header.cell(),
            height: header.height(),
            row_squares: header.row(),
            min_x,
            min_y,
            min_z,
            max_x,
            max_y,
            max_z,
            trailing_bytes: nav.trailing().len() as u64,
        });
        let squares = Outlines::new(&GridGraph(*nav), nodes.wants("geometry"));
        for (node, number) in nav.nodes().iter().zip(0..) {
            let ([x, y, z], [x_down, z_up, x_up, z_down]) = (nav.middle(&node), node.links());
            nodes.push(NodeRow {
                node: number,
                square: node.square(),
                x,
                y,
                z,
                x_down,
                z_up,
                x_up,
                z_down,
                cover: node.cover().0,
                low_cover: node.low_cover().map(|cover| cover.0),
                light: node.light(),
                plane: node.plane(),
                geometry: squares.get(number as usize).map(|corners| Geometry::polygon(corners, Up::Y)),
            });
        }
    });
}
