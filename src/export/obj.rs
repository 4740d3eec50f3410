//! Wavefront OBJ.

#![forbid(unsafe_code)]

use super::{Export, turn};
use crate::graph::{NavGraph, Point, Shape, Up};
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
    // Of a graph of points: the vertex of each node, for its links.
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
                let count = corners.len();
                for i in 0..count {
                    let i = if turn(&axes, corners) < 0.0 { count - 1 - i } else { i };
                    write!(out, " {}", next + i)?;
                }
                writeln!(out)?;
            }
            next += corners.len();
        }
    }
    let points = graph.nodes().first().is_some_and(|node| matches!(graph.shape(node), Shape::Point { .. }));
    if points {
        writeln!(out, "o links")?;
        let vertex = |node: u32| vertices.get(node as usize).copied().filter(|&vertex| vertex > 0);
        let ways: HashSet<(u32, u32)> =
            graph.links().iter().filter_map(|link| Some((link.from, link.to?))).collect();
        // Lines that may be walked both ways, then the others.
        for one_way in [false, true] {
            let mut named = !one_way;
            for link in graph.links() {
                let back = link.to.is_some_and(|to| ways.contains(&(to, link.from)));
                if let (Some(from), Some(to)) = (vertex(link.from), link.to.and_then(vertex))
                    && back != one_way
                {
                    if !named {
                        writeln!(out, "usemtl oneway")?;
                        named = true;
                    }
                    writeln!(out, "l {from} {to}")?;
                }
            }
        }
    }
    Ok(())
}

/// A name as OBJ can hold it: on one line, without spaces.
fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c.is_whitespace() { '_' } else { c }).collect()
}
