//! glTF 2.0, binary: y up, metres.

use super::text::Json;
use super::{Export, turn};
use bytemuck::{Pod, Zeroable};
use navmap_core::colour::{Colour, ramp};
use navmap_core::graph::{LinkKind, NavGraph, Point, Shape};
use std::fmt::Write as _;
use std::io::{self, Write};

/// The attribute of a vertex besides its position.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Rgba([u8; 4]);

/// Buffers under construction: one per kind of attribute, so that each is one buffer view.
#[derive(Debug, Default)]
struct Buffers {
    positions: Vec<Point>,
    normals: Vec<Point>,
    colours: Vec<Rgba>,
    indices: Vec<u32>,
    /// JSON of the accessors, comma-separated.
    accessors: String,
    accessor_count: usize,
}

const POINTS: u32 = 0;
const LINES: u32 = 1;
const TRIANGLES: u32 = 4;

/// Materials by purpose, so that the parts can be told apart after importing the file.
#[derive(Clone, Copy)]
enum Material {
    Floor,
    /// Lines that can be walked both ways.
    Line,
    /// Lines that can be walked one way.
    OneWay,
    /// Lines over positions that are not nodes.
    Path,
    /// Discs of waypoints, and their middles.
    Waypoint,
}

/// A mesh of the file, which has a node of the same name.
struct Mesh {
    name: String,
    primitives: Vec<String>,
    /// The nodes of the graph in it, if its properties list them.
    members: Vec<u32>,
}

pub(super) fn write(export: &Export<'_>, out: &mut dyn Write) -> io::Result<()> {
    let colours = colours(export);
    let mut buffers = Buffers::default();
    let mut meshes = Vec::new();
    for (name, members) in export.groups() {
        let primitives = group(export, &mut buffers, &members, &colours);
        let name = if export.godot { format!("{name}-navmesh") } else { name };
        meshes.push(Mesh { name, primitives, members });
    }
    drop(colours);
    let mut pairs: Vec<(u32, u32, LinkKind)> =
        export.graph.links().iter().filter_map(|link| Some((link.from, link.to?, link.kind))).collect();
    pairs.sort_unstable();
    for kind in LinkKind::ALL {
        let ways = [Material::Line, Material::OneWay, Material::Path];
        let primitives =
            ways.into_iter().filter_map(|way| links(export, &mut buffers, kind, way, &pairs)).collect();
        meshes.push(Mesh { name: format!("links: {kind}"), primitives, members: Vec::new() });
    }
    drop(pairs);
    meshes.retain(|mesh| !mesh.primitives.is_empty());
    container(&File { export, buffers, meshes }, out)
}

/// Triangles of the polygons and discs of the points among `members`.
fn group(export: &Export<'_>, buffers: &mut Buffers, members: &[u32], colours: &[Colour]) -> Vec<String> {
    let graph = export.graph;
    let axes = graph.axes();
    let start = buffers.start();
    for &index in members {
        let node = export.node(index);
        let Shape::Polygon(corners) = graph.shape(&node) else { continue };
        let first = (buffers.positions.len() - start.vertex) as u32;
        let turned = turn(&axes, corners) < 0.0;
        let place = |i: usize| axes.to_metres_y_up(corners[if turned { corners.len() - 1 - i } else { i }]);
        let normal = normal((0..corners.len()).map(place));
        for i in 0..corners.len() {
            buffers.vertex(place(i), Some(normal), colours[index as usize]);
        }
        // A fan: polygons are convex.
        for i in 2..corners.len() as u32 {
            buffers.indices.extend([first, first + i - 1, first + i]);
        }
    }
    let mut primitives: Vec<String> =
        buffers.primitive(&start, TRIANGLES, Material::Floor).into_iter().collect();
    let start = buffers.start();
    for &index in members {
        if let Shape::Point { at, radius } = graph.shape(&export.node(index)) {
            let radius = radius.filter(|radius| radius.is_finite() && *radius > 0.0).unwrap_or(8.0);
            disc(
                buffers,
                &start,
                axes.to_metres_y_up(at),
                radius * axes.metres_per_unit,
                colours[index as usize],
            );
        }
    }
    primitives.extend(buffers.primitive(&start, TRIANGLES, Material::Waypoint));
    let start = buffers.start();
    for &index in members {
        if let Shape::Point { at, .. } = graph.shape(&export.node(index)) {
            buffers.indices.push((buffers.positions.len() - start.vertex) as u32);
            buffers.vertex(axes.to_metres_y_up(at), None, colours[index as usize]);
        }
    }
    primitives.extend(buffers.primitive(&start, POINTS, Material::Waypoint));
    primitives
}

/// A waypoint: an octagon on the floor, with the radius in which one may walk.
fn disc(buffers: &mut Buffers, start: &Start, at: Point, radius: f32, colour: Colour) {
    const SIDES: u32 = 8;
    let first = (buffers.positions.len() - start.vertex) as u32;
    for side in 0..SIDES {
        let (sin, cos) = (side as f32 / SIDES as f32 * std::f32::consts::TAU).sin_cos();
        let corner = Point::new(at.x + cos * radius, at.y, at.z - sin * radius);
        buffers.vertex(corner, Some(Point::new(0.0, 1.0, 0.0)), colour);
    }
    for i in 2..SIDES {
        buffers.indices.extend([first, first + i - 1, first + i]);
    }
}

/// Lines for the links of a kind and a material. Between points all links are drawn, between polygons only those not on foot.
fn links(
    export: &Export<'_>,
    buffers: &mut Buffers,
    kind: LinkKind,
    material: Material,
    pairs: &[(u32, u32, LinkKind)],
) -> Option<String> {
    let graph = export.graph;
    let axes = graph.axes();
    let center = |node: u32| {
        let node = graph.nodes().get(node as usize)?;
        graph.shape(node).center().filter(|at| at.is_finite())
    };
    let is_point = |node: u32| {
        graph.nodes().get(node as usize).is_some_and(|node| matches!(graph.shape(node), Shape::Point { .. }))
    };
    let start = buffers.start();
    let colour = Colour::rgb(if kind.on_foot() { 0x77_78_74 } else { 0xE6_7E_00 });
    for link in graph.links().iter().filter(|link| link.kind == kind) {
        let Some((from, to)) = link.to.and_then(|to| Some((center(link.from)?, center(to)?))) else {
            continue;
        };
        if !is_point(link.from) && kind.on_foot() {
            continue;
        }
        let path = link.path.filter(|path| path.iter().all(|p| p.is_finite()));
        let back = link.to.is_some_and(|to| pairs.binary_search(&(to, link.from, kind)).is_ok());
        let is = match (path.is_some(), back) {
            (true, _) => Material::Path,
            (false, true) => Material::Line,
            (false, false) => Material::OneWay,
        };
        if is as u8 != material as u8 {
            continue;
        }
        let way = match path {
            Some([start, end]) => vec![from, start, end, to],
            None => vec![from, to],
        };
        let first = (buffers.positions.len() - start.vertex) as u32;
        way.iter().for_each(|p| buffers.vertex(axes.to_metres_y_up(*p), None, colour));
        for i in 1..way.len() as u32 {
            buffers.indices.extend([first + i - 1, first + i]);
        }
    }
    buffers.primitive(&start, LINES, material)
}

/// The properties of a mesh's nodes, in the order of their triangles or points.
fn extras(export: &Export<'_>, members: &[u32], out: &mut dyn Write) -> io::Result<()> {
    let graph = export.graph;
    write!(out, ",\"extras\":{{\"nodes\":[")?;
    for (i, &index) in members.iter().enumerate() {
        let node = export.node(index);
        let comma = if i == 0 { "" } else { "," };
        write!(out, "{comma}{{\"index\":{index},\"id\":{}", export.id(node.id))?;
        if node.flags != 0 {
            let flags: Vec<String> = export.flags(node.flags).map(|flag| Json(&flag).to_string()).collect();
            write!(out, ",\"flags\":[{}]", flags.join(","))?;
        }
        if let Shape::Point { radius: Some(radius), .. } = graph.shape(&node) {
            write!(out, ",\"radius_m\":{}", radius * graph.axes().metres_per_unit)?;
        }
        write!(out, "}}")?;
    }
    write!(out, "]}}")
}

/// The colours of heights, from low to high, in linear light as glTF requires.
fn colours(export: &Export<'_>) -> Vec<Colour> {
    let graph = export.graph;
    let height =
        |node| graph.shape(node).center().filter(|at| at.is_finite()).map(|at| graph.axes().height(at));
    let heights: Vec<Option<f32>> = graph.nodes().iter().map(height).collect();
    let known = || heights.iter().copied().flatten();
    let (low, high) = known().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let share = |height: f32| if high > low { (height - low) / (high - low) } else { 0.5 };
    heights.iter().map(|height| ramp(height.map_or(0.5, share))).collect()
}

fn linear(Colour { r, g, b, a }: Colour) -> Rgba {
    let [r, g, b] = [r, g, b].map(|v| {
        let v = f32::from(v) / 255.0;
        let light = if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
        (light * 255.0).round() as u8
    });
    Rgba([r, g, b, a])
}

/// Unit normal of a polygon; up if it has none.
fn normal(mut corners: impl Iterator<Item = Point>) -> Point {
    let up = Point::new(0.0, 1.0, 0.0);
    let Some(first) = corners.next() else { return up };
    let from_first = |p: Point| [p.x - first.x, p.y - first.y, p.z - first.z].map(f64::from);
    let mut before: Option<[f64; 3]> = None;
    let mut sum = [0.0; 3];
    for corner in corners {
        let b = from_first(corner);
        if let Some(a) = before {
            sum = [
                sum[0] + a[1] * b[2] - a[2] * b[1],
                sum[1] + a[2] * b[0] - a[0] * b[2],
                sum[2] + a[0] * b[1] - a[1] * b[0],
            ];
        }
        before = Some(b);
    }
    let length = sum.iter().map(|v| v * v).sum::<f64>().sqrt();
    if !(length.is_finite() && length > 1e-12) {
        return up;
    }
    Point::from(sum.map(|v| (v / length) as f32))
}

/// Where a primitive begins.
struct Start {
    vertex: usize,
    normal: usize,
    index: usize,
}

impl Buffers {
    fn start(&self) -> Start {
        Start { vertex: self.positions.len(), normal: self.normals.len(), index: self.indices.len() }
    }

    fn vertex(&mut self, at: Point, normal: Option<Point>, colour: Colour) {
        self.positions.push(at);
        self.normals.extend(normal);
        self.colours.push(linear(colour));
    }

    /// The primitive of what was added since `start`; `None` if nothing was.
    fn primitive(&mut self, start: &Start, mode: u32, material: Material) -> Option<String> {
        let vertices = self.positions.get(start.vertex..).filter(|vertices| !vertices.is_empty())?;
        let count = vertices.len();
        let bounds: navmap_core::graph::Aabb = vertices.iter().copied().collect();
        let ([a, b, c], [d, e, f]) = (bounds.min.to_array(), bounds.max.to_array());
        let extent = format!(",\"min\":[{a},{b},{c}],\"max\":[{d},{e},{f}]");
        let position = self.accessor(0, start.vertex * 12, 5126, count, "VEC3", &extent);
        let colour = self.accessor(2, start.vertex * 4, 5121, count, "VEC4", ",\"normalized\":true");
        let mut json =
            format!("{{\"mode\":{mode},\"attributes\":{{\"POSITION\":{position},\"COLOR_0\":{colour}");
        if self.normals.len() > start.normal {
            let normal = self.accessor(1, start.normal * 12, 5126, count, "VEC3", "");
            let _ = write!(json, ",\"NORMAL\":{normal}");
        }
        json.push('}');
        let count = self.indices.len() - start.index;
        let indices = self.accessor(3, start.index * 4, 5125, count, "SCALAR", "");
        let _ = write!(json, ",\"indices\":{indices}");
        let _ = write!(json, ",\"material\":{}}}", material as u8);
        Some(json)
    }

    fn accessor(
        &mut self,
        view: usize,
        offset: usize,
        component: u32,
        count: usize,
        kind: &str,
        more: &str,
    ) -> usize {
        let comma = if self.accessor_count == 0 { "" } else { "," };
        let _ = write!(
            self.accessors,
            "{comma}{{\"bufferView\":{{V{view}}},\"byteOffset\":{offset},\"componentType\":{component},\"count\":{count},\"type\":\"{kind}\"{more}}}"
        );
        self.accessor_count += 1;
        self.accessor_count - 1
    }
}

/// What is written.
struct File<'e> {
    export: &'e Export<'e>,
    buffers: Buffers,
    meshes: Vec<Mesh>,
}

impl File<'_> {
    /// The parts of the binary chunk, each with its stride and target.
    fn parts(&self) -> [(&[u8], u32, u32); 4] {
        let Buffers { positions, normals, colours, indices, .. } = &self.buffers;
        [
            (bytemuck::cast_slice(positions), 12, 34962),
            (bytemuck::cast_slice(normals), 12, 34962),
            (bytemuck::cast_slice(colours), 4, 34962),
            (bytemuck::cast_slice(indices), 0, 34963),
        ]
    }

    /// Writes the JSON. It is longer than the mesh, so it is never in memory.
    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let out = &mut io::BufWriter::new(out);
        let Self { export, buffers, meshes } = self;
        let mut views = Vec::new();
        let mut accessors = buffers.accessors.clone();
        let mut offset = 0;
        for (part, (bytes, stride, target)) in self.parts().into_iter().enumerate() {
            if bytes.is_empty() {
                continue;
            }
            let stride = if stride == 0 { String::new() } else { format!(",\"byteStride\":{stride}") };
            // View numbers are known only once the empty ones are left out.
            accessors = accessors.replace(&format!("{{V{part}}}"), &views.len().to_string());
            let length = bytes.len();
            views.push(format!(
                "{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length}{stride},\"target\":{target}}}"
            ));
            offset += length;
        }
        let version = env!("CARGO_PKG_VERSION");
        write!(
            out,
            "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"navmap {version}\"}},\"scene\":0,\"scenes\":[{{\"name\":{}",
            Json(export.name)
        )?;
        if !meshes.is_empty() {
            let nodes: Vec<String> = (0..meshes.len()).map(|n| n.to_string()).collect();
            write!(out, ",\"nodes\":[{}]", nodes.join(","))?;
        }
        scene_extras(export, out)?;
        write!(out, "}}]")?;
        if !meshes.is_empty() {
            for (number, Mesh { name, .. }) in meshes.iter().enumerate() {
                let before = if number == 0 { ",\"nodes\":[" } else { "," };
                write!(out, "{before}{{\"name\":{},\"mesh\":{number}}}", Json(name))?;
            }
            for (number, Mesh { name, primitives, members }) in meshes.iter().enumerate() {
                let before = if number == 0 { "],\"meshes\":[" } else { "," };
                write!(out, "{before}{{\"name\":{},\"primitives\":[{}]", Json(name), primitives.join(","))?;
                if !members.is_empty() {
                    extras(export, members, out)?;
                }
                write!(out, "}}")?;
            }
            out.write_all(
                b"],\"materials\":[{\"name\":\"floor\",\"doubleSided\":true,\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.9}},\
                 {\"name\":\"line\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":1}},\
                 {\"name\":\"oneway\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":1}},\
                 {\"name\":\"path\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":1}},\
                 {\"name\":\"waypoint\",\"doubleSided\":true,\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.9}}]",
            )?;
            write!(out, ",\"accessors\":[{accessors}],\"bufferViews\":[{}]", views.join(","))?;
            write!(out, ",\"buffers\":[{{\"byteLength\":{offset}}}]")?;
        }
        write!(out, "}}")?;
        out.flush()
    }
}

/// Links and legend of the whole scene, for programs.
fn scene_extras(export: &Export<'_>, out: &mut dyn Write) -> io::Result<()> {
    let graph = export.graph;
    write!(
        out,
        ",\"extras\":{{\"map\":{},\"metres_per_unit\":{},\"kinds\":[",
        Json(export.name),
        graph.axes().metres_per_unit
    )?;
    for (i, kind) in LinkKind::ALL.into_iter().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        write!(out, "{comma}{}", Json(kind.name()))?;
    }
    write!(out, "],\"links\":[")?;
    let mut comma = "";
    for link in graph.links() {
        if let Some(to) = link.to {
            write!(out, "{comma}[{},{to},{}]", link.from, link.kind as u8)?;
            comma = ",";
        }
    }
    write!(out, "]}}")
}

/// Counts what is written.
struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Header, JSON chunk, binary chunk, each padded to four bytes.
fn container(file: &File<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut counter = Counter(0);
    file.json(&mut counter)?;
    let Counter(json) = counter;
    let binary: usize = file.parts().iter().map(|(bytes, ..)| bytes.len()).sum();
    if binary + json > u32::MAX as usize - 64 {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "too large for a GLB (4 GiB)"));
    }
    let padded = |len: usize| len.next_multiple_of(4);
    let chunk = |len: usize| if len == 0 { 0 } else { 8 + padded(len) };
    let total = 12 + chunk(json) + chunk(binary);
    out.write_all(b"glTF")?;
    out.write_all(&2u32.to_le_bytes())?;
    out.write_all(&(total as u32).to_le_bytes())?;
    out.write_all(&(padded(json) as u32).to_le_bytes())?;
    out.write_all(b"JSON")?;
    file.json(out)?;
    out.write_all(&[b' '; 4][..padded(json) - json])?;
    if binary > 0 {
        out.write_all(&(padded(binary) as u32).to_le_bytes())?;
        out.write_all(b"BIN\0")?;
        file.parts().iter().try_for_each(|(bytes, ..)| out.write_all(bytes))?;
        out.write_all(&[0; 4][..padded(binary) - binary])?;
    }
    Ok(())
}
