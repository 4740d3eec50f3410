//! A `NavigationMesh` of Godot 4 as a text resource: y up, metres.

use super::{Export, navmesh};
use std::io::{self, Write};

/// Writes shared vertices, and polygons clockwise seen from above, Godot's winding.
pub(super) fn write(export: &Export<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (soup, _) = navmesh::welded(export.graph).map_err(super::refused)?;
    // Only the used vertices, in the order of use.
    let mut number = vec![None; soup.vertices.len()];
    let mut used = 0_u32;
    write!(
        out,
        "[gd_resource type=\"NavigationMesh\" format=3]\n\n[resource]\nvertices = PackedVector3Array("
    )?;
    for corner in soup.loops.iter().flat_map(|polygon| polygon.corners().rev()) {
        let vertex = corner as usize;
        if number[vertex].is_none() {
            let [x, y, z] = soup.vertices[vertex];
            write!(out, "{}{x}, {y}, {z}", if used == 0 { "" } else { ", " })?;
            number[vertex] = Some(used);
            used += 1;
        }
    }
    write!(out, ")\npolygons = [")?;
    for (at, polygon) in soup.loops.iter().enumerate() {
        write!(out, "{}PackedInt32Array(", if at == 0 { "" } else { ", " })?;
        for (at, corner) in polygon.corners().rev().enumerate() {
            let number = number[corner as usize].unwrap_or_default();
            write!(out, "{}{number}", if at == 0 { "" } else { ", " })?;
        }
        write!(out, ")")?;
    }
    writeln!(out, "]")
}
