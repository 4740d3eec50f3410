//! From polygons to numbered vertices, faces, nodes, edges and links.

use super::Map;
use super::graph::{self, Coarse, Island};
use super::land::{self, Polygon, Scale};
use std::collections::{BTreeMap, HashMap};

/// Where a node's link out of its segment leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cross {
    Segment(u16),
    Group(u16, u16),
    Tile(u16, u16),
}

/// What lies across a side of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Across {
    Nothing,
    Face(u16),
    Group(u16, u16),
    Tile(u16, u16),
}

#[derive(Debug, Clone)]
pub(super) struct Face {
    /// Local to the segment.
    pub(super) corners: Vec<u8>,
    /// Local to the segment.
    pub(super) nodes: Vec<u8>,
    pub(super) across: Vec<Across>,
    pub(super) segment: u16,
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) at: [u16; 3],
    pub(super) segment: u16,
    /// Node and edge, group-wide.
    pub(super) inside: Vec<(u16, u16)>,
    pub(super) cross: Option<Cross>,
    pub(super) face: u16,
    side: [[u16; 3]; 2],
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) weight: u16,
    pub(super) segment: u16,
    pub(super) ends: [u8; 2],
}

#[derive(Debug, Clone, Default)]
pub(super) struct Segment {
    pub(super) vertices: std::ops::Range<usize>,
    pub(super) faces: std::ops::Range<usize>,
    pub(super) edges: std::ops::Range<usize>,
    pub(super) nodes: std::ops::Range<usize>,
    pub(super) attribute: u16,
    pub(super) bounds: [[u16; 3]; 2],
}

#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    pub(super) id: u16,
    pub(super) vertices: Vec<[u16; 3]>,
    pub(super) faces: Vec<Face>,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    pub(super) segments: Vec<Segment>,
    pub(super) coarse: Vec<Coarse>,
}

/// A tile, ready to be written.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) tile: u16,
    pub(super) split: bool,
    pub(super) scale: Scale,
    pub(super) neighbours: [Option<u16>; 4],
    pub(super) groups: Vec<Group>,
    pub(super) islands: Vec<Island>,
    pub(super) opaque: [u8; 16],
}

impl Built {
    pub(super) fn new(map: &Map, column: u16, row: u16, groups: Vec<(u16, Vec<Polygon>)>) -> Self {
        let scale = Scale::for_tile(map, column, row);
        let neighbours = land::neighbours(map, column, row);
        let mut groups: Vec<Group> =
            groups.into_iter().map(|(id, polygons)| Group::new(id, polygons, scale)).collect();
        if map.apart {
            for (number, segment) in groups.iter_mut().flat_map(|group| group.segments.iter_mut().enumerate())
            {
                segment.attribute = 0x0400 | (number % 241) as u16;
            }
        }
        join(&mut groups, neighbours);
        graph::coarsen(&mut groups, scale);
        let islands = graph::islands(&mut groups);
        let tile = row * map.columns + column;
        let mut opaque = *b"navmap test tile";
        opaque[14..].copy_from_slice(&tile.to_le_bytes());
        Self { tile, split: map.split, scale, neighbours, groups, islands, opaque }
    }

    /// The groups of a part of the tile.
    pub(super) fn part(&self, part: usize) -> impl Iterator<Item = &Group> + Clone {
        self.groups.iter().filter(move |group| (group.id == 5) == (part == 1))
    }

    pub(super) fn counts(&self, parts: usize) -> Vec<[usize; 6]> {
        let count = |part: usize| {
            self.part(part).fold([0; 6], |sum, group| {
                let counts = [
                    1,
                    group.segments.len(),
                    group.vertices.len(),
                    group.faces.len(),
                    group.nodes.len(),
                    group.edges.len(),
                ];
                std::array::from_fn(|i| sum[i] + counts[i])
            })
        };
        (0..parts).map(count).collect()
    }
}

/// A side by its ends, in either direction.
fn side_key(a: [u16; 3], b: [u16; 3]) -> [[u16; 3]; 2] {
    if a < b { [a, b] } else { [b, a] }
}

impl Group {
    fn new(id: u16, polygons: Vec<Polygon>, scale: Scale) -> Self {
        let mut sectors: BTreeMap<usize, Vec<Polygon>> = BTreeMap::new();
        for polygon in polygons {
            sectors.entry(polygon.sector).or_default().push(polygon);
        }
        let mut group = Self { id, ..Self::default() };
        for (sector, polygons) in sectors {
            group.add_segment(sector, &polygons, scale);
        }
        group
    }

    /// Puts each corner of a square of the body at a corner of the tile.
    pub(super) fn spread(&mut self, cells: usize) {
        let cell = f64::from(land::SIDE) / cells as f64;
        let is_near = |q: u16| ((f64::from(q) / cell).round() as usize).is_multiple_of(2);
        let to = |q: u16| if is_near(q) { 0 } else { land::SIDE };
        let far = |[x, y, z]: [u16; 3]| [to(x), y, to(z)];
        self.vertices.iter_mut().for_each(|vertex| *vertex = far(*vertex));
        for node in &mut self.nodes {
            let [a, b] = node.side.map(far);
            node.at = std::array::from_fn(|k| a[k].midpoint(b[k]));
        }
        for segment in &mut self.segments {
            for axis in [0, 2] {
                (segment.bounds[0][axis], segment.bounds[1][axis]) = (0, land::SIDE);
            }
        }
    }

    fn add_segment(&mut self, sector: usize, polygons: &[Polygon], scale: Scale) {
        let number = self.segments.len() as u16;
        let (vertex, face, edge, node) =
            (self.vertices.len(), self.faces.len(), self.edges.len(), self.nodes.len());
        let mut corners: HashMap<[u16; 3], u8> = HashMap::new();
        let mut sides: HashMap<[[u16; 3]; 2], u8> = HashMap::new();
        for polygon in polygons {
            let index = self.faces.len() as u16;
            let count = polygon.corners.len();
            let mut made = Face {
                corners: vec![],
                nodes: vec![],
                across: vec![Across::Nothing; count],
                segment: number,
            };
            for (i, &a) in polygon.corners.iter().enumerate() {
                let next = corners.len() as u8;
                made.corners.push(*corners.entry(a).or_insert_with(|| {
                    self.vertices.push(a);
                    next
                }));
                let b = polygon.corners[(i + 1) % count];
                let next = sides.len() as u8;
                made.nodes.push(*sides.entry(side_key(a, b)).or_insert_with(|| {
                    let at = std::array::from_fn(|k| ((u32::from(a[k]) + u32::from(b[k])) / 2) as u16);
                    let side = side_key(a, b);
                    self.nodes.push(Node {
                        at,
                        segment: number,
                        inside: vec![],
                        cross: None,
                        face: index,
                        side,
                    });
                    next
                }));
            }
            for (i, &a) in made.nodes.iter().enumerate() {
                for &b in &made.nodes[i + 1..] {
                    let ends = [a.min(b), a.max(b)];
                    let [from, to] = ends.map(|local| node + usize::from(local));
                    let weight = (metres(self.nodes[from].at, self.nodes[to].at, scale)
                        * f64::from(scale.weight)) as u16;
                    let number_of = self.edges.len() as u16;
                    self.edges.push(Edge { weight, segment: number, ends });
                    self.nodes[from].inside.push((to as u16, number_of));
                    self.nodes[to].inside.push((from as u16, number_of));
                }
            }
            self.faces.push(made);
        }
        let own = &self.vertices[vertex..];
        let bounds = [
            std::array::from_fn(|k| own.iter().map(|v| v[k]).min().unwrap_or(0)),
            std::array::from_fn(|k| own.iter().map(|v| v[k]).max().unwrap_or(0)),
        ];
        self.segments.push(Segment {
            vertices: vertex..self.vertices.len(),
            faces: face..self.faces.len(),
            edges: edge..self.edges.len(),
            nodes: node..self.nodes.len(),
            attribute: if self.id >= 4 && sector % 9 == 4 { 0x0481 } else { 0x04E1 },
            bounds,
        });
        let segment = &self.segments[usize::from(number)];
        assert!(segment.faces.len() <= 85 && segment.edges.len() <= 255 && segment.nodes.len() <= 255);
    }
}

pub(super) fn metres(a: [u16; 3], b: [u16; 3], scale: Scale) -> f64 {
    let square = |k: usize| {
        let apart = f64::from(a[k].abs_diff(b[k])) / f64::from(scale.divisors[k]);
        apart * apart
    };
    (square(0) + square(1) + square(2)).sqrt()
}

/// Where a side of a face is: group, face, side, node.
type Place = (usize, u16, usize, u16);

/// Finds what lies across every side: in the group, in another group, beyond the tile.
fn join(groups: &mut [Group], neighbours: [Option<u16>; 4]) {
    let mut sides: HashMap<[[u16; 3]; 2], Vec<Place>> = HashMap::new();
    for (g, group) in groups.iter().enumerate() {
        for (f, face) in group.faces.iter().enumerate() {
            let first = group.segments[usize::from(face.segment)].nodes.start;
            for (i, local) in face.nodes.iter().enumerate() {
                let node = first + usize::from(*local);
                sides.entry(group.nodes[node].side).or_default().push((g, f as u16, i, node as u16));
            }
        }
    }
    for (side, faces) in sides {
        assert!(faces.len() <= 2, "{} faces at one side", faces.len());
        for (&here, there) in faces.iter().zip(faces.iter().rev()) {
            let (g, f, i, node) = here;
            let id = groups[g].id;
            let beyond = usize::from(id);
            let (across, cross) = if here != *there {
                let (h, to, _, other) = *there;
                if h != g {
                    (Across::Group(groups[h].id, to), Some(Cross::Group(groups[h].id, other)))
                } else if groups[g].nodes[usize::from(node)].segment
                    == groups[g].nodes[usize::from(other)].segment
                {
                    (Across::Face(to), None)
                } else {
                    (Across::Face(to), Some(Cross::Segment(other)))
                }
            } else if land::on_border(id, side) && neighbours.get(beyond).copied().flatten().is_some() {
                let tile = neighbours[beyond].unwrap_or_default();
                (Across::Tile(tile, id ^ 2), Some(Cross::Tile(tile, id ^ 2)))
            } else {
                (Across::Nothing, None)
            };
            groups[g].faces[usize::from(f)].across[i] = across;
            groups[g].nodes[usize::from(node)].cross = cross;
        }
    }
}
