//! A model of tiles and its writer, based on the page of the format alone and independent of the reader.

/// A writer of numbers in either byte order.
#[derive(Debug, Clone, Default)]
pub struct Put {
    pub big: bool,
    pub out: Vec<u8>,
}

impl Put {
    pub fn new(big: bool) -> Self {
        Self { big, out: Vec::new() }
    }
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.out.extend_from_slice(bytes);
        self
    }
    pub fn u8(&mut self, v: u8) -> &mut Self {
        self.raw(&[v])
    }
    pub fn u16(&mut self, v: u16) -> &mut Self {
        if self.big { self.raw(&v.to_be_bytes()) } else { self.raw(&v.to_le_bytes()) }
    }
    pub fn u32(&mut self, v: u32) -> &mut Self {
        if self.big { self.raw(&v.to_be_bytes()) } else { self.raw(&v.to_le_bytes()) }
    }
    pub fn i32(&mut self, v: i32) -> &mut Self {
        self.u32(v as u32)
    }
    pub fn u64(&mut self, v: u64) -> &mut Self {
        if self.big { self.raw(&v.to_be_bytes()) } else { self.raw(&v.to_le_bytes()) }
    }
    pub fn f32s(&mut self, vs: &[f32]) -> &mut Self {
        for v in vs {
            self.u32(v.to_bits());
        }
        self
    }
}

/// A polygon: vertices, neighbours as stored, flags, area, kind.
#[derive(Debug, Clone)]
pub struct Poly {
    pub corners: Vec<u16>,
    pub neighbours: Vec<u16>,
    pub flags: u16,
    pub area: u8,
    pub kind: u8,
    pub first_link: u32,
    /// Whether its detail mesh has a vertex of its own in the middle.
    pub peak: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct OffMesh {
    pub start: [f32; 3],
    pub end: [f32; 3],
    pub radius: f32,
    pub both: bool,
    pub side: u8,
}

/// A link of version 13.
#[derive(Debug, Clone, Copy)]
pub struct Traverse {
    pub target: u32,
    pub next: u32,
    pub kind: u8,
}

#[derive(Debug, Clone)]
pub struct Tile {
    pub version: u32,
    pub at: [i32; 2],
    pub layer: i32,
    pub vertices: Vec<[f32; 3]>,
    pub polygons: Vec<Poly>,
    pub off_mesh: Vec<OffMesh>,
    pub traverse: Vec<Traverse>,
    pub min: [f32; 3],
    pub max: [f32; 3],
    /// 64-bit references.
    pub wide: bool,
}

/// Cells of the tree per unit.
const FACTOR: f32 = 5.0;

impl Tile {
    /// The number of links that an engine needs: corners of ground polygons, portals, and ends of connections.
    pub fn max_links(&self) -> u32 {
        let corners: usize = self.polygons.iter().map(|p| p.corners.len()).sum();
        let portals = self.polygons.iter().flat_map(|p| &p.neighbours).filter(|n| **n & 0x8000 != 0).count();
        (corners + 2 * portals + 4 * self.off_mesh.len()) as u32
    }

    /// Detail vertices and triangles, polygon by polygon.
    #[allow(clippy::type_complexity)] // three lists
    pub fn details(&self) -> (Vec<[f32; 3]>, Vec<[u8; 4]>, Vec<[u32; 4]>) {
        let (mut vertices, mut triangles, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
        for poly in self.polygons.iter().filter(|poly| poly.kind == 0) {
            let (first_vertex, first_triangle) = (vertices.len() as u32, triangles.len() as u32);
            let n = poly.corners.len() as u8;
            if poly.peak {
                let up = usize::from(self.version == 13) + 1;
                let mut middle = [0.0; 3];
                for corner in &poly.corners {
                    let at = self.vertices[usize::from(*corner)];
                    for axis in 0..3 {
                        middle[axis] += at[axis] / f32::from(n);
                    }
                }
                middle[up] += 0.25;
                vertices.push(middle);
                triangles.extend((0..n).map(|i| [i, (i + 1) % n, n, 1]));
            } else {
                triangles.extend((2..n).map(|j| {
                    let first = if j == 2 { 1 } else { 0 };
                    let last = if j == n - 1 { 16 } else { 0 };
                    [0, j - 1, j, 4 | first | last]
                }));
            }
            let (v, t) = (vertices.len() as u32 - first_vertex, triangles.len() as u32 - first_triangle);
            meshes.push([first_vertex, first_triangle, v, t]);
        }
        (vertices, triangles, meshes)
    }

    /// The tree over the ground polygons.
    fn tree(&self) -> Vec<([u16; 3], [u16; 3], i32)> {
        let (details, _, meshes) = self.details();
        let cell = |value: f32, axis: usize| ((value - self.min[axis]) * FACTOR).clamp(0.0, 65_535.0) as u16;
        let leaves: Vec<([u16; 3], [u16; 3], i32)> = (0..meshes.len())
            .map(|index| {
                let [first, _, count, _] = meshes[index];
                let corners = self.polygons[index].corners.iter().map(|c| self.vertices[usize::from(*c)]);
                let own = details[first as usize..(first + count) as usize].iter().copied();
                let (mut low, mut high) = ([u16::MAX; 3], [0; 3]);
                for at in corners.chain(own) {
                    for axis in 0..3 {
                        low[axis] = low[axis].min(cell(at[axis], axis));
                        high[axis] = high[axis].max(cell(at[axis], axis));
                    }
                }
                (low, high, index as i32)
            })
            .collect();
        let mut nodes = Vec::new();
        if !leaves.is_empty() {
            split(leaves, &mut nodes);
            nodes.push(([0; 3], [0; 3], 0));
        }
        nodes
    }

    /// The tile as bytes.
    pub fn encode(&self, big: bool) -> Vec<u8> {
        let mut put = Put::new(big);
        let (details, triangles, meshes) = self.details();
        let tree = self.tree();
        let polygons = self.polygons.len();
        let ground = polygons - self.off_mesh.len();
        let count = |n: usize| n as u32;
        put.raw(if big { b"DNAV" } else { b"VAND" }).u32(self.version);
        put.i32(self.at[0]).i32(self.at[1]);
        if matches!(self.version, 7 | 8 | 13) {
            put.i32(self.layer);
        }
        put.u32(if self.version == 16 { 0xAE31_0D6E } else { 0 }).u32(count(polygons));
        if self.version == 13 {
            put.u32(0);
        }
        put.u32(count(self.vertices.len()));
        if self.version != 16 {
            put.u32(self.max_links());
        }
        put.u32(count(meshes.len()))
            .u32(count(details.len()))
            .u32(count(triangles.len()))
            .u32(count(tree.len()));
        if self.version != 16 {
            put.u32(count(self.off_mesh.len())).u32(count(ground)).f32s(&[2.0, 0.6, 0.9]);
        }
        put.f32s(&self.min).f32s(&self.max).f32s(&[FACTOR]);
        self.vertices.iter().for_each(|v| {
            put.f32s(v);
        });
        for poly in &self.polygons {
            if self.version != 16 {
                put.u32(poly.first_link);
            }
            let six =
                |list: &[u16]| -> Vec<u16> { (0..6).map(|i| list.get(i).copied().unwrap_or(0)).collect() };
            six(&poly.corners).into_iter().for_each(|v| {
                put.u16(v);
            });
            six(&poly.neighbours).into_iter().for_each(|v| {
                put.u16(v);
            });
            if self.version == 16 {
                put.u32(poly.flags.into()).u8(poly.corners.len() as u8).u8(poly.area).u16(0);
            } else {
                put.u16(poly.flags).u8(poly.corners.len() as u8).u8(poly.area | poly.kind << 6);
            }
            if self.version == 13 {
                put.u16(0).u16(7);
                let n = poly.corners.len() as f32;
                let mut middle = [0.0; 3];
                for corner in &poly.corners {
                    let at = self.vertices[usize::from(*corner)];
                    middle.iter_mut().zip(at).for_each(|(sum, value)| *sum += value / n);
                }
                put.f32s(&middle);
            }
        }
        for index in 0..if self.version == 16 { 0 } else { self.max_links() as usize } {
            match (self.version, self.traverse.get(index)) {
                (13, Some(link)) => {
                    put.u32(link.target)
                        .u32(link.next)
                        .u8(0xFF)
                        .u8(0xFF)
                        .u8(0)
                        .u8(0)
                        .u8(link.kind)
                        .u8(9)
                        .u16(0xFFFF);
                }
                (13, None) => {
                    put.raw(&[0; 12]).raw(&[0xFF, 0, 0xFF, 0xFF]);
                }
                _ => {
                    put.raw(&vec![0; if self.wide { 16 } else { 12 }]);
                }
            }
        }
        for [first_vertex, first_triangle, v, t] in meshes {
            put.u32(first_vertex).u32(first_triangle);
            if self.version == 16 {
                put.u16(v as u16).u16(t as u16);
            } else {
                put.u8(v as u8).u8(t as u8).u16(0);
            }
        }
        details.iter().for_each(|v| {
            put.f32s(v);
        });
        for triangle in triangles {
            for value in triangle {
                if self.version == 16 {
                    put.u16(value.into())
                } else {
                    put.u8(value)
                };
            }
        }
        for (low, high, index) in tree {
            low.into_iter().chain(high).for_each(|v| {
                put.u16(v);
            });
            put.i32(index);
        }
        for (index, connection) in self.off_mesh.iter().enumerate() {
            put.f32s(&connection.start).f32s(&connection.end).f32s(&[connection.radius]);
            put.u16((ground + index) as u16)
                .u8(connection.both.into())
                .u8(connection.side)
                .u32(1000 + index as u32);
            if self.version == 13 {
                put.f32s(&connection.start).f32s(&[0.5]);
            }
        }
        put.out
    }
}

/// Splits leaves in half along the longest side, and writes the nodes in order.
fn split(mut leaves: Vec<([u16; 3], [u16; 3], i32)>, nodes: &mut Vec<([u16; 3], [u16; 3], i32)>) {
    if leaves.len() == 1 {
        nodes.extend(leaves);
        return;
    }
    let (mut low, mut high) = ([u16::MAX; 3], [0; 3]);
    for (from, to, _) in &leaves {
        for axis in 0..3 {
            low[axis] = low[axis].min(from[axis]);
            high[axis] = high[axis].max(to[axis]);
        }
    }
    let axis = (0..3).max_by_key(|axis| high[*axis] - low[*axis]).unwrap_or(0);
    leaves.sort_by_key(|(from, _, index)| (from[axis], *index));
    let at = nodes.len();
    nodes.push((low, high, 0));
    let right = leaves.split_off(leaves.len() / 2);
    split(leaves, nodes);
    split(right, nodes);
    nodes[at].2 = -((nodes.len() - at) as i32);
}
