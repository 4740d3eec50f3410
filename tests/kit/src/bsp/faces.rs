//! The drawn surface of a made map: faces with their edges, and nets of displacements over them.

use super::Brush;
use crate::bytes::Out;

/// The corners of one side of a brush, in order: every point where its plane meets two others and that lies behind all.
pub fn corners(brush: &Brush, side: usize) -> Vec<[f32; 3]> {
    let wide = |(normal, distance): &([f32; 3], f32)| (normal.map(f64::from), f64::from(*distance));
    let planes: Vec<([f64; 3], f64)> = brush.planes.iter().map(wide).collect();
    let (normal, distance) = planes[side];
    let mut found: Vec<[f64; 3]> = Vec::new();
    for (a, (na, da)) in planes.iter().enumerate() {
        for (nb, db) in &planes[a + 1..] {
            let across = cross(*na, *nb);
            let whole = dot(normal, across);
            if whole.abs() < 1e-9 {
                continue;
            }
            let [x, y, z] = [across, cross(*nb, normal), cross(normal, *na)];
            let at = [0, 1, 2].map(|axis| (distance * x[axis] + da * y[axis] + db * z[axis]) / whole);
            let behind = planes.iter().all(|(normal, distance)| dot(*normal, at) <= distance + 1e-3);
            let known = found.iter().any(|known| (0..3).all(|axis| (known[axis] - at[axis]).abs() < 1e-3));
            if behind && !known {
                found.push(at);
            }
        }
    }
    let count = found.len().max(1) as f64;
    let middle = [0, 1, 2].map(|axis| found.iter().map(|at| at[axis]).sum::<f64>() / count);
    let Some(first) = found.first().copied() else { return Vec::new() };
    let right = [0, 1, 2].map(|axis| first[axis] - middle[axis]);
    let up = cross(normal, right);
    let turn = |at: &[f64; 3]| {
        let from = [0, 1, 2].map(|axis| at[axis] - middle[axis]);
        dot(from, up).atan2(dot(from, right))
    };
    found.sort_by(|a, b| turn(a).total_cmp(&turn(b)));
    found.into_iter().map(|at| at.map(|part| part as f32)).collect()
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Vertices, edges and surface edges of polygons.
#[derive(Default)]
pub(super) struct Edges {
    vertices: Vec<[f32; 3]>,
    edges: Vec<[u16; 2]>,
    surface: Vec<i32>,
}

impl Edges {
    pub(super) fn new() -> Self {
        // The first edge is a placeholder: its number has no negative.
        Self { edges: vec![[0, 0]], ..Self::default() }
    }

    fn vertex(&mut self, at: [f32; 3]) -> u16 {
        let known = self.vertices.iter().position(|known| *known == at);
        known.unwrap_or_else(|| {
            self.vertices.push(at);
            self.vertices.len() - 1
        }) as u16
    }

    /// Adds a polygon and returns its first surface edge. Every second edge is walked from its end.
    pub(super) fn polygon(&mut self, corners: &[[f32; 3]]) -> u32 {
        let first = self.surface.len() as u32;
        for (at, corner) in corners.iter().enumerate() {
            let (from, to) = (self.vertex(*corner), self.vertex(corners[(at + 1) % corners.len()]));
            let number = self.edges.len() as i32;
            let forward = at % 2 == 0;
            self.edges.push(if forward { [from, to] } else { [to, from] });
            self.surface.push(if forward { number } else { -number });
        }
        first
    }

    pub(super) fn put(&self, lumps: &mut [Vec<u8>]) {
        let (mut vertices, mut edges, mut surface) = (Out::new(), Out::new(), Out::new());
        for part in self.vertices.iter().flatten() {
            vertices.f32(*part);
        }
        for end in self.edges.iter().flatten() {
            edges.u16(*end);
        }
        for edge in &self.surface {
            surface.i32(*edge);
        }
        (lumps[3], lumps[12], lumps[13]) = (vertices.0, edges.0, surface.0);
    }
}

/// Ground of Source that is a net of triangles over a rectangle.
#[derive(Debug, Clone)]
pub struct Net {
    /// The corners of the face, in order.
    pub corners: [[f32; 3]; 4],
    /// 2, 3 or 4: a side has two to this power cells.
    pub power: u32,
    /// The rise of each vertex, row after row from the first corner; as many as the power requires.
    pub heights: Vec<f32>,
    /// Bits of Source.
    pub contents: u32,
}

impl Net {
    /// A hill over a rectangle, highest in the middle.
    pub fn hill([x0, y0, z]: [f32; 3], [x1, y1]: [f32; 2], power: u32, high: f32) -> Self {
        let cells = 1_usize << power;
        let share = |at: usize| (std::f32::consts::PI * at as f32 / cells as f32).sin();
        let rows = (0..=cells).flat_map(|row| (0..=cells).map(move |column| (row, column)));
        let heights = rows.map(|(row, column)| (high * share(row) * share(column)).round()).collect();
        Self { corners: [[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]], power, heights, contents: 1 }
    }
}

pub(super) fn put_nets(nets: &[Net], edges: &mut Edges, lumps: &mut [Vec<u8>]) {
    let (mut faces, mut heads, mut vertices) = (Out::new(), Out::new(), Out::new());
    let mut first = 0;
    for (number, net) in nets.iter().enumerate() {
        let edge = edges.polygon(&net.corners);
        faces.u32(0).u32(edge).u16(4).raw(&[0; 46]);
        net.corners[0].iter().for_each(|part| {
            heads.f32(*part);
        });
        heads.u32(first).u32(0).u32(net.power).raw(&[0; 8]).u32(net.contents).u16(number as u16);
        heads.raw(&[0; 138]);
        for height in &net.heights {
            vertices.f32(0.0).f32(0.0).f32(1.0).f32(*height).f32(0.0);
        }
        first += net.heights.len() as u32;
    }
    (lumps[7], lumps[26], lumps[33]) = (faces.0, heads.0, vertices.0);
}
