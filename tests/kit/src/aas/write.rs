//! Makes a map of boxes and slopes into lumps: planes, tree, faces, edges, and the head around them.

use crate::bytes::Out;
use std::collections::HashMap;

pub type Point = [f32; 3];

/// A link out of an area.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    pub area: i32,
    pub face: i32,
    pub edge: i32,
    pub start: Point,
    pub end: Point,
    pub travel: u32,
    pub time: u16,
}

impl Link {
    pub fn new(area: i32, travel: u32, time: u16, start: Point, end: Point) -> Self {
        Self { area, face: 0, edge: 0, start, end, travel, time }
    }
}

/// A box of possible player origins; its floor may be a slope, given as height at the lower and the upper end of y.
#[derive(Debug, Clone)]
pub struct Area {
    pub mins: Point,
    pub maxs: Point,
    pub slope: Option<[f32; 2]>,
    pub flags: u32,
    pub contents: u32,
    pub presence: u32,
    pub cluster: i32,
    pub links: Vec<Link>,
    pub steepness: f32,
}

impl Area {
    pub fn new(mins: Point, maxs: Point, flags: u32) -> Self {
        Self {
            mins,
            maxs,
            slope: None,
            flags,
            contents: 0,
            presence: 6,
            cluster: 1,
            links: Vec::new(),
            steepness: 0.0,
        }
    }

    pub fn center(&self) -> Point {
        std::array::from_fn(|axis| (self.mins[axis] + self.maxs[axis]) / 2.0)
    }

    /// Whether the floor is ground and not water or air.
    fn stands(&self) -> bool {
        self.flags & 1 != 0
    }
}

/// A map. Numbers of areas begin with 1.
#[derive(Debug, Clone, Default)]
pub struct Map {
    pub areas: Vec<Area>,
    /// Area, cluster before, cluster behind.
    pub portals: Vec<[i32; 3]>,
    pub clusters: i32,
}

/// Lump names are those of the page on the format.
pub const LUMPS: usize = 14;
pub const CHECKSUM: u32 = 0x490D_6290;

/// The whole file, with every number open to damage.
#[derive(Debug, Clone)]
pub struct Lumps {
    pub version: i32,
    pub lumps: [Vec<u8>; LUMPS],
}

#[derive(Default)]
struct Making {
    planes: Vec<[f32; 4]>,
    numbers: HashMap<[u32; 4], i32>,
    nodes: Vec<[i32; 3]>,
    vertices: Vec<Point>,
    edges: Vec<[i32; 2]>,
    edge_index: Vec<i32>,
    faces: Vec<[i32; 6]>,
    face_index: Vec<i32>,
}

impl Making {
    /// The number of a plane; its opposite is the number beside it.
    fn plane(&mut self, normal: Point, distance: f32) -> i32 {
        let key = |normal: Point, distance: f32| {
            [normal[0], normal[1], normal[2], distance].map(|value| (value + 0.0).to_bits())
        };
        if let Some(number) = self.numbers.get(&key(normal, distance)) {
            return *number;
        }
        let number = self.planes.len() as i32;
        let opposite = normal.map(|value| -value);
        for (normal, distance, number) in [(normal, distance, number), (opposite, -distance, number + 1)] {
            self.planes.push([normal[0], normal[1], normal[2], distance]);
            self.numbers.insert(key(normal, distance), number);
        }
        number
    }

    fn node(&mut self, plane: i32) -> i32 {
        self.nodes.push([plane, 0, 0]);
        self.nodes.len() as i32 - 1
    }

    /// Divides a box of space until each part is one area or solid.
    fn tree(&mut self, areas: &[Area], of: &[usize], [lo, hi]: [Point; 2]) -> i32 {
        let inside: Vec<usize> = of
            .iter()
            .copied()
            .filter(|&n| (0..3).all(|axis| areas[n].mins[axis] < hi[axis] && areas[n].maxs[axis] > lo[axis]))
            .collect();
        // The cut nearest to the middle.
        let mut best: Option<(f32, usize, f32)> = None;
        for &n in &inside {
            for axis in 0..3 {
                for at in [areas[n].mins[axis], areas[n].maxs[axis]] {
                    let off = (at - (lo[axis] + hi[axis]) / 2.0).abs() / (hi[axis] - lo[axis]);
                    if lo[axis] < at && at < hi[axis] && best.is_none_or(|(known, ..)| off < known) {
                        best = Some((off, axis, at));
                    }
                }
            }
        }
        let Some((_, axis, at)) = best else {
            return inside.first().map_or(0, |&n| self.leaf(&areas[n], n as i32 + 1));
        };
        let mut normal = [0.0; 3];
        normal[axis] = 1.0;
        let plane = self.plane(normal, at);
        let node = self.node(plane);
        let (mut low, mut high) = (lo, hi);
        (low[axis], high[axis]) = (at, at);
        let front = self.tree(areas, &inside, [low, hi]);
        let back = self.tree(areas, &inside, [lo, high]);
        self.nodes[node as usize][1..].copy_from_slice(&[front, back]);
        node
    }

    fn leaf(&mut self, area: &Area, number: i32) -> i32 {
        let Some(heights) = area.slope else { return -number };
        let (normal, distance) = slope(area, heights);
        let plane = self.plane(normal, distance);
        let node = self.node(plane);
        self.nodes[node as usize][1] = -number;
        node
    }

    fn vertex(&mut self, at: Point) -> i32 {
        let found = self.vertices.iter().position(|known| *known == at);
        found.unwrap_or_else(|| {
            self.vertices.push(at);
            self.vertices.len() - 1
        }) as i32
    }

    /// The faces of an area. Two areas share the face between them.
    fn faces(&mut self, area: &Area, number: i32, full: bool) -> [i32; 2] {
        let first = self.face_index.len() as i32;
        if full {
            for (normal, corners, ground) in sides(area) {
                let opposite = |face: &[i32; 6], making: &Self| {
                    let run = face[3] as usize..(face[3] + face[2]) as usize;
                    let theirs: Vec<Point> = making.edge_index[run]
                        .iter()
                        .map(|&edge| {
                            let [a, b] = making.edges[edge.unsigned_abs() as usize];
                            making.vertices[if edge < 0 { b } else { a } as usize]
                        })
                        .collect();
                    face[5] == 0
                        && theirs.len() == corners.len()
                        && corners.iter().all(|corner| theirs.contains(corner))
                };
                let shared = (1..self.faces.len()).find(|&face| opposite(&self.faces[face], self));
                if let Some(face) = shared {
                    self.faces[face][5] = number;
                    self.faces[face][1] = 0;
                    self.face_index.push(-(face as i32));
                    continue;
                }
                let distance = (0..3).map(|axis| normal[axis] * corners[0][axis]).sum();
                let plane = self.plane(normal, distance);
                let run = self.edge_index.len() as i32;
                for (n, corner) in corners.iter().enumerate() {
                    let ends = [self.vertex(*corner), self.vertex(corners[(n + 1) % corners.len()])];
                    let known = self.edges.iter().skip(1).position(|edge| *edge == [ends[1], ends[0]]);
                    let edge = known.map_or(self.edges.len() as i32, |edge| -(edge as i32 + 1));
                    if known.is_none() {
                        self.edges.push(ends);
                    }
                    self.edge_index.push(edge);
                }
                self.face_index.push(self.faces.len() as i32);
                self.faces.push([plane, if ground { 5 } else { 1 }, corners.len() as i32, run, number, 0]);
            }
        }
        [self.face_index.len() as i32 - first, first]
    }
}

fn slope(area: &Area, [low, high]: [f32; 2]) -> (Point, f32) {
    let run = area.maxs[1] - area.mins[1];
    let length = run.hypot(high - low);
    let normal = [0.0, -(high - low) / length, run / length];
    (normal, normal[1] * area.mins[1] + normal[2] * low)
}

/// The sides of an area with their normals, which point into it; corners run clockwise seen from there.
fn sides(area: &Area) -> Vec<(Point, Vec<Point>, bool)> {
    let ([x0, y0, z0], [x1, y1, z1]) = (area.mins, area.maxs);
    let [low, high] = area.slope.unwrap_or([z0; 2]);
    let up = area.slope.map_or([0.0, 0.0, 1.0], |heights| slope(area, heights).0);
    let mut sides = vec![
        (up, vec![[x0, y0, low], [x0, y1, high], [x1, y1, high], [x1, y0, low]], area.stands()),
        ([0.0, 0.0, -1.0], vec![[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]], false),
        ([0.0, 1.0, 0.0], vec![[x0, y0, low], [x1, y0, low], [x1, y0, z1], [x0, y0, z1]], false),
        ([0.0, -1.0, 0.0], vec![[x0, y1, high], [x0, y1, z1], [x1, y1, z1], [x1, y1, high]], false),
        ([1.0, 0.0, 0.0], vec![[x0, y0, low], [x0, y0, z1], [x0, y1, z1], [x0, y1, high]], false),
        ([-1.0, 0.0, 0.0], vec![[x1, y0, low], [x1, y1, high], [x1, y1, z1], [x1, y0, z1]], false),
    ];
    for (normal, corners, _) in &mut sides {
        if turn(corners, *normal) > 0.0 {
            corners.reverse();
        }
    }
    sides
}

/// Above 0 if corners run counter-clockwise, seen from the side the normal points to.
fn turn(corners: &[Point], normal: Point) -> f32 {
    let [a, b, c] = [corners[0], corners[1], corners[2]];
    let (u, v): (Point, Point) = (std::array::from_fn(|n| b[n] - a[n]), std::array::from_fn(|n| c[n] - b[n]));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    (0..3).map(|n| cross[n] * normal[n]).sum()
}

fn ints<'a>(rows: impl Iterator<Item = &'a [i32]>) -> Vec<u8> {
    rows.flatten().flat_map(|value| value.to_le_bytes()).collect()
}

impl Map {
    pub fn links(&self) -> usize {
        self.areas.iter().map(|area| area.links.len()).sum()
    }

    /// The lumps of a version, with faces or, like most public files, without.
    pub fn lumps(&self, version: i32, full: bool) -> Lumps {
        let mut making = Making::default();
        making.nodes.push([0; 3]);
        making.edges.push([0; 2]);
        making.faces.push([0; 6]);
        let mut all = [[f32::MAX; 3], [f32::MIN; 3]];
        for area in &self.areas {
            let [low, high] = &mut all;
            low.iter_mut().zip(area.mins).for_each(|(low, min)| *low = low.min(min - 64.0));
            high.iter_mut().zip(area.maxs).for_each(|(high, max)| *high = high.max(max + 64.0));
        }
        let every: Vec<usize> = (0..self.areas.len()).collect();
        making.tree(&self.areas, &every, all);
        let (mut areas, mut settings, mut links) = (Out::new(), Out::new(), Out::new());
        areas.raw(&[0; 48]);
        settings.raw(&[0; 24]).i32(1);
        links.raw(&[0; 44]);
        if version == 8 {
            settings.f32(0.0);
        }
        let mut next = 1;
        let mut inside: HashMap<i32, i32> = HashMap::new();
        for (area, number) in self.areas.iter().zip(1..) {
            let [count, first] = making.faces(area, number, full);
            areas.i32(number).i32(count).i32(first).f32s(&area.mins).f32s(&area.maxs).f32s(&area.center());
            let row = inside.entry(area.cluster).or_default();
            settings.u32(area.contents).u32(area.flags).u32(area.presence).i32(area.cluster).i32(*row);
            *row += 1;
            settings.i32(area.links.len() as i32).i32(next);
            next += area.links.len() as i32;
            if version == 8 {
                settings.f32(area.steepness);
            }
            for link in &area.links {
                links.i32(link.area).i32(link.face).i32(link.edge).f32s(&link.start).f32s(&link.end);
                links.u32(link.travel).u16(link.time).u16(0);
            }
        }
        let (mut boxes, mut vertices, mut planes) = (Out::new(), Out::new(), Out::new());
        let (wide, tops) = if version == 8 { (18.0, [48.0, 24.0]) } else { (15.0, [32.0, 16.0]) };
        for (presence, flags, top) in [(2, 0, tops[0]), (4, 1, tops[1])] {
            boxes.i32(presence).i32(flags).f32s(&[-wide, -wide, -24.0]).f32s(&[wide, wide, top]);
        }
        making.vertices.iter().for_each(|vertex| _ = vertices.f32s(vertex));
        for plane in &making.planes {
            let largest = (0..3).max_by(|a, b| plane[*a].abs().total_cmp(&plane[*b].abs())).unwrap_or(0);
            let axial = plane[largest].abs() == 1.0;
            planes.f32s(plane).i32(if axial { largest as i32 } else { largest as i32 + 3 });
        }
        let mut portals = vec![vec![0; 5]];
        for [area, front, back] in &self.portals {
            portals.push(vec![*area, *front, *back, 0, 0]);
        }
        let (mut clusters, mut portal_index) = (vec![vec![0; 4]], Vec::new());
        for cluster in 1..=self.clusters {
            let mine: Vec<i32> = (1..)
                .zip(&self.portals)
                .filter(|(_, portal)| portal[1..].contains(&cluster))
                .map(|(n, _)| n)
                .collect();
            let areas = self.areas.iter().filter(|area| area.cluster == cluster);
            let reachable = areas.clone().filter(|area| !area.links.is_empty()).count() + mine.len();
            let row = [areas.count() + mine.len(), reachable, mine.len(), portal_index.len()];
            clusters.push(row.map(|value| value as i32).to_vec());
            portal_index.extend(mine);
        }
        let lumps = [
            boxes.0,
            vertices.0,
            planes.0,
            ints(making.edges.iter().map(|row| &row[..])),
            ints([&making.edge_index[..]].into_iter()),
            ints(making.faces.iter().map(|row| &row[..])),
            ints([&making.face_index[..]].into_iter()),
            areas.0,
            settings.0,
            links.0,
            ints(making.nodes.iter().map(|row| &row[..])),
            ints(portals.iter().map(|row| &row[..])),
            ints([&portal_index[..]].into_iter()),
            ints(clusters.iter().map(|row| &row[..])),
        ];
        Lumps { version, lumps }
    }
}

/// Bytes per record of each lump.
pub fn sizes(version: i32) -> [usize; LUMPS] {
    [32, 12, 20, 8, 4, 24, 4, 48, if version == 8 { 32 } else { 28 }, 44, 12, 20, 4, 16]
}

impl Lumps {
    /// How many records a lump has.
    pub fn count(&self, lump: usize) -> usize {
        self.lumps[lump].len() / sizes(self.version)[lump]
    }

    /// Sets a word of a record.
    pub fn set(&mut self, lump: usize, record: usize, word: usize, value: i32) -> &mut Self {
        let at = record * sizes(self.version)[lump] + word * 4;
        self.lumps[lump][at..at + 4].copy_from_slice(&value.to_le_bytes());
        self
    }

    /// The file as the compiler writes it.
    pub fn encode(&self) -> Vec<u8> {
        self.encode_as(&std::array::from_fn(|n| n), 0)
    }

    /// The file with its lumps in this order and `gap` bytes after each.
    pub fn encode_as(&self, order: &[usize; LUMPS], gap: usize) -> Vec<u8> {
        let mut table = [[0_usize; 2]; LUMPS];
        let mut body = Vec::new();
        for &lump in order {
            table[lump] = [124 + body.len(), self.lumps[lump].len()];
            body.extend(&self.lumps[lump]);
            body.extend(vec![0xEE; gap]);
        }
        let table: Vec<i32> = table.iter().flatten().map(|value| *value as i32).collect();
        [head(self.version, &table), body].concat()
    }
}

/// A head with any table.
pub fn head(version: i32, table: &[i32]) -> Vec<u8> {
    let mut head = Out::new();
    head.raw(b"EAAS").i32(version).u32(CHECKSUM);
    table.iter().for_each(|value| _ = head.i32(*value));
    let mut head = head.0;
    if version != 4 {
        hide(&mut head);
    }
    head
}

/// Encrypts or decrypts bytes 8 to 123.
pub fn hide(bytes: &mut [u8]) {
    for at in 8..bytes.len().min(124) {
        bytes[at] ^= ((at - 8) * 119 % 256) as u8;
    }
}
