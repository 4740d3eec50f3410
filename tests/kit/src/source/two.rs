//! Source 2: an owned model, its writer, and made-up levels.

use crate::bytes::{Out, Rng};

/// Everything that a Source 2 file can hold; writing ignores what a version lacks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh2 {
    /// 30 to 36.
    pub version: u32,
    /// Above 0, the file ends with the game's data.
    pub subversion: u32,
    /// Flags.
    pub flags: u32,
    /// From version 31.
    pub vertices: Vec<[f32; 3]>,
    /// Vertices of each polygon: shared from version 31 on, stored by the areas in version 30.
    pub polygons: Vec<Vec<u32>>,
    /// From version 35: names.
    pub movable: Vec<Vec<u8>>,
    /// The areas.
    pub areas: Vec<Area2>,
    /// The ladders.
    pub ladders: Vec<WideLadder>,
    /// Boxes of unknown purpose.
    pub boxes: Vec<[f32; 18]>,
    /// Version of the generator.
    pub generator: i32,
    /// Hulls in use.
    pub hulls: Vec<[f32; 2]>,
    /// The packed content of the KV3 blocks.
    pub packed: Vec<u8>,
}

/// An area.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Area2 {
    /// Id.
    pub id: u32,
    /// Attributes.
    pub attributes: u64,
    /// Number of the hull.
    pub hull: u8,
    /// Number of the polygon.
    pub polygon: u32,
    /// By edge: area and edge of that area.
    pub edges: Vec<Vec<(u32, u32)>>,
    /// Ids.
    pub above: Vec<u32>,
    /// Ids.
    pub below: Vec<u32>,
}

/// A ladder: id, ends, five areas, two more from version 35.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WideLadder {
    /// Id.
    pub id: u32,
    /// Upper end, lower end.
    pub ends: [[f32; 3]; 2],
    /// Ahead, left, right, behind at the top; at the bottom, left, right of it.
    pub areas: [u32; 7],
}

/// The file that holds this mesh.
pub fn write2(mesh: &Mesh2) -> Vec<u8> {
    let v = mesh.version;
    let mut out = Out::new();
    out.u32(0xFEED_FACE).u32(v).u32(mesh.subversion).u32(mesh.flags);
    if v >= 36 {
        block(&mut out, &mesh.packed);
    }
    if v >= 31 {
        out.u32(mesh.vertices.len() as u32);
        for vertex in &mesh.vertices {
            out.f32s(vertex);
        }
        out.u32(mesh.polygons.len() as u32);
        for polygon in &mesh.polygons {
            out.u8(polygon.len() as u8);
            for vertex in polygon {
                out.u32(*vertex);
            }
            if v >= 35 {
                out.u32(if mesh.movable.is_empty() { u32::MAX } else { 0 });
            }
        }
    }
    if v >= 32 {
        out.u32(0);
    }
    if v >= 35 {
        out.u32(mesh.movable.len() as u32);
        for name in &mesh.movable {
            out.raw(name).u8(0).f32s(&[1.0, 0.0, 0.0, 4.0, 0.0, 1.0, 0.0, 5.0, 0.0, 0.0, 1.0, 6.0]);
        }
    }
    if v >= 36 {
        block(&mut out, &mesh.packed);
    }
    out.u32(mesh.areas.len() as u32);
    for each in &mesh.areas {
        area(&mut out, mesh, each);
    }
    out.u32(mesh.ladders.len() as u32);
    for l in &mesh.ladders {
        out.u32(l.id).f32(32.0).f32s(&l.ends[0]).f32s(&l.ends[1]).f32(96.0).u32(1);
        let areas = if v >= 35 { &l.areas[..] } else { &l.areas[..5] };
        for area in areas {
            out.u32(*area);
        }
    }
    out.u32(mesh.boxes.len() as u32);
    for each in &mesh.boxes {
        out.f32s(each);
    }
    parameters(&mut out, mesh);
    if v >= 36 {
        block(&mut out, &mesh.packed);
    }
    if mesh.subversion > 0 {
        block(&mut out, &mesh.packed);
    }
    out.0
}

fn area(out: &mut Out, mesh: &Mesh2, area: &Area2) {
    out.u32(area.id).u64(area.attributes).u8(area.hull);
    if mesh.version >= 31 {
        out.u32(area.polygon);
    } else {
        let polygon = &mesh.polygons[area.polygon as usize];
        out.u32(polygon.len() as u32);
        for vertex in polygon {
            out.f32s(&mesh.vertices[*vertex as usize]);
        }
    }
    out.f32(0.0);
    for edge in &area.edges {
        out.u32(edge.len() as u32);
        for (area, edge) in edge {
            out.u32(*area).u32(*edge);
        }
    }
    out.u8(0).u32(0);
    for ladders in [&area.above, &area.below] {
        out.u32(ladders.len() as u32);
        for id in ladders {
            out.u32(*id);
        }
    }
}

fn parameters(out: &mut Out, mesh: &Mesh2) {
    let generator = mesh.generator;
    out.i32(generator)
        .u32(1)
        .f32s(&[128.0, 1.5, 2.0])
        .i32(8)
        .i32(20)
        .f32s(&[120.0, 5.625])
        .i32(51)
        .f32(1.3)
        .i32(6);
    if generator >= 7 {
        out.f32(-1.0);
    }
    if generator >= 12 {
        out.raw(b"human\0").raw(b"scripts/hulls.vdata\0");
    }
    out.u32(mesh.hulls.len() as u32);
    let stored = if generator <= 11 { 3 } else { mesh.hulls.len() };
    for i in 0..stored {
        let [radius, height] = mesh.hulls.get(i).copied().unwrap_or_default();
        if generator >= 9 {
            out.u8(1);
        }
        out.f32(radius).f32(height);
        if generator >= 9 {
            out.u8(1).f32(height / 2.0);
        }
        if generator >= 13 {
            out.u8(0).f32(height / 4.0);
        }
        out.f32(15.5).i32(50).f32(157.0).f32(64.0).f32(60.0);
        if generator >= 11 {
            out.i32(-1);
        }
    }
    if generator >= 12 {
        out.u8(1);
    }
}

/// A KV3 block: zero padding to a multiple of 8, a header of 72 bytes, the packed bytes.
fn block(out: &mut Out, packed: &[u8]) {
    out.align(8).raw(b"\x043VK").raw(&[0x29; 16]).u32(2).u16(0).u16(0);
    out.u32(4).u32(5).u32(6).u32(7).u16(1).u16(2).u32(4 * packed.len() as u32).u32(packed.len() as u32);
    out.u32(0).u32(0).u32(0).u32(0).raw(packed);
}

/// A level for a version: a strip of quadrilaterals, two hulls, a ladder, and everything else the version stores.
pub fn level2(version: u32, subversion: u32, quads: usize) -> Mesh2 {
    let mut rng = Rng(u64::from(version));
    let mut mesh = Mesh2 { version, subversion, flags: 0x0100_0001, ..Mesh2::default() };
    for i in 0..=quads {
        let (x, z) = (i as f32 * 64.0, rng.f32(0.0, 16.0));
        mesh.vertices.extend([[x, 0.0, z], [x, 64.0, z]]);
    }
    for i in 0..quads as u32 {
        // North, east, south, west: edge 1 leads on, edge 3 leads back.
        mesh.polygons.push(vec![2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1]);
    }
    for hull in 0..2_u8 {
        for i in 0..quads as u32 {
            let id = 1 + i + u32::from(hull) * quads as u32;
            let mut edges = vec![Vec::new(); 4];
            if (i as usize) + 1 < quads {
                edges[1].push((id + 1, 3));
            }
            // The last step back is missing: a one-way link.
            if i > 0 && i as usize + 1 < quads {
                edges[3].push((id - 1, 1));
            }
            let attributes = if i % 3 == 1 { 0x1_0001 } else { 0 };
            mesh.areas.push(Area2 { id, attributes, hull, polygon: i, edges, ..Area2::default() });
        }
    }
    let last = quads as u32;
    mesh.areas[0].above.push(7);
    mesh.areas[quads - 1].below.push(7);
    let ends = [[0.0, 0.0, 96.0], [0.0, 0.0, 0.0]];
    mesh.ladders.push(WideLadder { id: 7, ends, areas: [last, 0, 0, 0, 1, 2, 0] });
    mesh.boxes.push(std::array::from_fn(|i| i as f32));
    mesh.generator = match version {
        30 => 7,
        31..=34 => 9 + (version as i32 - 31),
        35 => 12,
        _ => 13,
    };
    mesh.hulls = vec![[16.0, 71.0], [12.0, 24.0]];
    if version >= 35 {
        mesh.movable = vec![b"lift".to_vec()];
    }
    mesh.packed = (0..40).map(|_| rng.below(256) as u8).collect();
    mesh
}
