//! Wavefront OBJ.

use super::{Export, is_points, turn};
use navmap_core::graph::{LinkKind, NavGraph, Point, Shape, Up};
use std::collections::HashSet;
use std::io::{self, Write};

pub(super) fn write(export: &Export<'_>, out: &mut dyn Write) -> io::Result<()> {
    let graph = export.graph;
    let axes = graph.axes();
    let name = one_line(export.name);
    writeln!(out, "# {name}, {} nodes", graph.nodes().len())?;
    if export.y_up {
        writeln!(out, "# y up, metres")?;
    } else {
        let up = if axes.up == Up::Z { "z" } else { "y" };
        writeln!(out, "# {up} up, 1 unit is {} m", axes.metres_per_unit)?;
    }
    let place = |point: Point| if export.y_up { axes.to_metres_y_up(point) } else { point };
    // Vertices are written as they are used; each node has its own.
    let mut next = 1usize;
    // In a graph of points: the vertex of each node, for its links.
    let mut vertices = vec![0usize; graph.nodes().len()];
    for (group, nodes) in export.groups() {
        writeln!(out, "o {}", one_line(&group))?;
        for index in nodes {
            let node = export.node(index);
            let corners = graph.corners(&node);
            for corner in corners {
                let Point { x, y, z } = place(*corner);
                writeln!(out, "v {x} {y} {z}")?;
            }
            vertices[index as usize] = next;
            if matches!(graph.shape(&node), Shape::Point { .. }) {
                writeln!(out, "p {next}")?;
            } else {
                write!(out, "f")?;
                let (count, clockwise) = (corners.len(), turn(&axes, corners) < 0.0);
                for i in 0..count {
                    let i = if clockwise { count - 1 - i } else { i };
                    write!(out, " {}", next + i)?;
                }
                writeln!(out)?;
            }
            next += corners.len();
        }
    }
    if is_points(graph) {
        links(export, next, &vertices, out)?;
    }
    Ok(())
}

/// The links of a graph of points: one object per kind, with materials for links that can be walked both ways, for one-way links,
/// and for links over positions of their own. `next` is the number of the next vertex.
fn links(export: &Export<'_>, mut next: usize, vertices: &[usize], out: &mut dyn Write) -> io::Result<()> {
    let graph = export.graph;
    let axes = graph.axes();
    let vertex = |node: u32| vertices.get(node as usize).copied().filter(|&vertex| vertex > 0);
    let ways: HashSet<(u32, u32, LinkKind)> =
        graph.links().iter().filter_map(|link| Some((link.from, link.to?, link.kind))).collect();
    for kind in LinkKind::ALL {
        let mut object = false;
        for material in ["line", "oneway", "path"] {
            let mut named = false;
            for link in graph.links().iter().filter(|link| link.kind == kind) {
                let (Some(from), Some(to)) = (vertex(link.from), link.to.and_then(vertex)) else { continue };
                let path = link.path.filter(|path| path.iter().all(|at| at.is_finite()));
                let back = link.to.is_some_and(|to| ways.contains(&(to, link.from, kind)));
                let own = match (path, back) {
                    (Some(_), _) => "path",
                    (None, true) => "line",
                    (None, false) => "oneway",
                };
                if own != material {
                    continue;
                }
                if !object {
                    writeln!(out, "o {}", one_line(&format!("links: {kind}")))?;
                    object = true;
                }
                if !named {
                    writeln!(out, "usemtl {material}")?;
                    named = true;
                }
                match path {
                    None => writeln!(out, "l {from} {to}")?,
                    Some(path) => {
                        for at in path {
                            let Point { x, y, z } = if export.y_up { axes.to_metres_y_up(at) } else { at };
                            writeln!(out, "v {x} {y} {z}")?;
                        }
                        writeln!(out, "l {from} {next} {} {to}", next + 1)?;
                        next += 2;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A name in OBJ's form: one line, no spaces. A backslash at its end would join the next line to it.
fn one_line(name: &str) -> String {
    let plain = |c: char| if c.is_control() || c.is_whitespace() { '_' } else { c };
    let mut name: String = name.chars().map(plain).collect();
    if name.ends_with('\\') {
        name.pop();
        name.push('_');
    }
    name
}
