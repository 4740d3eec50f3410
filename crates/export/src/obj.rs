//! Wavefront OBJ.

use super::{Export, is_points, turn};
use navmap_core::graph::{LinkKind, NavGraph, Point, Shape, Up};
use std::collections::HashMap;
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
    let mut next = 1usize;
    // In a graph of points: the vertex of each node, for its links.
    let mut vertices = vec![0usize; graph.nodes().len()];
    // Faces of an object share the corners at one position, so that a modeller moves them together. Waypoints never share one.
    // Each with the last node that has it: one that comes to a position twice gets another, as a face with one corner twice is none.
    let mut shared: HashMap<[u32; 3], (usize, u32)> = HashMap::new();
    let mut face: Vec<usize> = Vec::new();
    for (group, nodes) in export.groups() {
        writeln!(out, "o {}", one_line(&group))?;
        shared.clear();
        for index in nodes {
            let node = export.node(index);
            let point = matches!(graph.shape(&node), Shape::Point { .. });
            let corners = graph.corners(&node);
            face.clear();
            for corner in corners {
                let Point { x, y, z } = place(*corner);
                // What is added makes one number of both zeros.
                let key = [x + 0.0, y + 0.0, z + 0.0].map(f32::to_bits);
                let vertex = match shared.get(&key) {
                    Some((vertex, last)) if !point && *last != index => *vertex,
                    _ => {
                        writeln!(out, "v {x} {y} {z}")?;
                        next += 1;
                        next - 1
                    }
                };
                if !point {
                    shared.insert(key, (vertex, index));
                }
                face.push(vertex);
            }
            vertices[index as usize] = face.first().copied().unwrap_or(0);
            if point {
                writeln!(out, "p {}", vertices[index as usize])?;
            } else {
                if turn(&axes, corners) < 0.0 {
                    face.reverse();
                }
                write!(out, "f")?;
                for vertex in &face {
                    write!(out, " {vertex}")?;
                }
                writeln!(out)?;
            }
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
    let mut ways: Vec<(u32, u32, LinkKind)> =
        graph.links().iter().filter_map(|link| Some((link.from, link.to?, link.kind))).collect();
    ways.sort_unstable();
    for kind in LinkKind::ALL {
        let mut object = false;
        for material in ["line", "oneway", "path"] {
            let mut named = false;
            for link in graph.links().iter().filter(|link| link.kind == kind) {
                let (Some(from), Some(to)) = (vertex(link.from), link.to.and_then(vertex)) else { continue };
                let path = link.path.filter(|path| path.iter().all(|at| at.is_finite()));
                let back = link.to.is_some_and(|to| ways.binary_search(&(to, link.from, kind)).is_ok());
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
