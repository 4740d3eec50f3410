//! GeoJSON.

use super::text::Json;
use super::{Export, drawable, turn};
use navmap_core::digits;
use navmap_core::graph::{Axes, FlatNode, NavGraph, Point, Shape};
use std::io::{self, Write};

pub(super) fn write(export: &Export<'_>, out: &mut dyn Write) -> io::Result<()> {
    let graph = export.graph;
    let axes = graph.axes();
    write!(out, "{{\"type\":\"FeatureCollection\",\"name\":{},\"features\":[", Json(export.name))?;
    let mut places = Vec::new();
    let nodes = graph.nodes().iter().enumerate().filter(|(_, node)| drawable(graph, node));
    for (count, (index, node)) in nodes.enumerate() {
        let shape = graph.shape(node);
        out.write_all(if count == 0 { b"\n" } else { b",\n" })?;
        write!(out, "{{\"type\":\"Feature\",\"id\":{},\"geometry\":{{", export.id(node.id))?;
        geometry(&axes, shape, &mut places);
        out.write_all(&places)?;
        places.clear();
        out.write_all(b"},\"properties\":{")?;
        properties(export, index, node, out)?;
        measures(&axes, shape, out)?;
        out.write_all(b"}}")?;
    }
    writeln!(out, "\n]}}")
}

/// A point, or a ring that turns left and ends where it began.
fn geometry(axes: &Axes, shape: Shape<'_>, out: &mut Vec<u8>) {
    let at = |point: &Point, out: &mut Vec<u8>| {
        let mut before = b'[';
        for axis in axes.plan(*point) {
            out.push(before);
            digits::plain(axis, out);
            before = b',';
        }
        out.push(b']');
    };
    match shape {
        Shape::Point { at: point, .. } => {
            out.extend_from_slice(b"\"type\":\"Point\",\"coordinates\":");
            at(&point, out);
        }
        Shape::Polygon(corners) => {
            out.extend_from_slice(b"\"type\":\"Polygon\",\"coordinates\":[[");
            let mirrored = turn(axes, corners) < 0.0;
            let first = if mirrored { corners.last() } else { corners.first() };
            let mut each = |(nth, corner): (usize, &Point)| {
                out.extend((nth > 0).then_some(b','));
                at(corner, out);
            };
            match mirrored {
                true => corners.iter().rev().chain(first).enumerate().for_each(&mut each),
                false => corners.iter().chain(first).enumerate().for_each(&mut each),
            }
            out.extend_from_slice(b"]]");
        }
    }
}

/// What the file says of a node: kind, id and index, and place, group and flags if it has them.
fn properties(export: &Export<'_>, index: usize, node: &FlatNode, out: &mut dyn Write) -> io::Result<()> {
    let graph = export.graph;
    write!(out, "\"kind\":\"{}\",\"id\":{},\"index\":{index}", graph.node_word(), export.id(node.id))?;
    if let Some(place) = node.place.and_then(|place| graph.place(place)) {
        write!(out, ",\"place\":{}", Json(&place))?;
    }
    if let Some(group) = node.group.and_then(|group| graph.group(group)) {
        write!(out, ",\"{}\":{}", graph.group_word().unwrap_or("group"), Json(&group))?;
    }
    if node.flags != 0 {
        let flags: Vec<String> = export.flags(node.flags).map(|flag| Json(&flag).to_string()).collect();
        write!(out, ",\"flags\":[{}]", flags.join(","))?;
    }
    Ok(())
}

/// What its shape says: height, area and radius, null where they are no numbers.
fn measures(axes: &Axes, shape: Shape<'_>, out: &mut dyn Write) -> io::Result<()> {
    if let Some(center) = shape.center() {
        match axes.height(center) {
            height if height.is_finite() => write!(out, ",\"height\":{height}")?,
            _ => out.write_all(b",\"height\":null")?,
        }
    }
    if let Some(area) = shape.area() {
        let metres = f64::from(axes.metres_per_unit);
        // The sides of an area may be too long for a float even if its corners are not.
        match area * metres * metres {
            area if area.is_finite() => write!(out, ",\"area_m2\":{area:.3}")?,
            _ => out.write_all(b",\"area_m2\":null")?,
        }
    }
    if let Shape::Point { radius: Some(radius), .. } = shape {
        match radius {
            radius if radius.is_finite() => write!(out, ",\"radius\":{radius}")?,
            _ => out.write_all(b",\"radius\":null")?,
        }
    }
    Ok(())
}
