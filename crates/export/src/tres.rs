//! A `NavigationMesh` of Godot 4 as a text resource: y up, metres.

use super::{Export, navmesh};
use std::io::{self, Write};

/// Writes shared vertices, and polygons clockwise seen from above, Godot's winding.
pub(super) fn write(export: &Export<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (vertices, polygons, _) = navmesh::polygons(export.graph).map_err(super::refused)?;
    // Only the used vertices, in the order of use.
    let mut number = vec![None; vertices.len()];
    let mut used = Vec::new();
    let mut index = |vertex: u32| {
        *number[vertex as usize].get_or_insert_with(|| {
            used.push(vertices[vertex as usize]);
            used.len() - 1
        })
    };
    let listed: Vec<String> = polygons
        .iter()
        .map(|corners| {
            let corners: Vec<String> =
                corners.iter().rev().map(|corner| index(*corner).to_string()).collect();
            format!("PackedInt32Array({})", corners.join(", "))
        })
        .collect();
    write!(
        out,
        "[gd_resource type=\"NavigationMesh\" format=3]\n\n[resource]\nvertices = PackedVector3Array("
    )?;
    for (at, [x, y, z]) in used.iter().enumerate() {
        write!(out, "{}{x}, {y}, {z}", if at == 0 { "" } else { ", " })?;
    }
    writeln!(out, ")\npolygons = [{}]", listed.join(", "))
}
