//! Writes all forms of file from plain values.

use crate::bytes::Out;
use std::fmt::Write;

/// The bottom of each hull, below its middle.
const MINS: [f32; 9] = [0.0, -20.0, 0.0, 0.0, 0.0, 0.0, -4.0, 0.0, -38.0];

#[derive(Debug, Clone)]
pub struct Node {
    pub at: [f32; 3],
    pub yaw: f32,
    /// 2 ground, 3 air, 4 climb.
    pub kind: u8,
    pub info: u32,
    pub zone: i16,
    pub id: i32,
    /// How far the floor lies below a node of the ground.
    pub below: f32,
    /// A hint of `.nod`.
    pub hint: i16,
}

#[derive(Debug, Clone, Copy)]
pub struct Link {
    pub source: i16,
    pub target: i16,
    /// How each hull uses it.
    pub moves: fn(usize) -> u8,
}

#[derive(Debug, Clone, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
}

impl Graph {
    pub fn add(&mut self, at: [f32; 3], kind: u8) -> &mut Node {
        let id = self.nodes.len() as i32 + 101;
        self.nodes.push(Node { at, yaw: 90.0, kind, info: 0, zone: 0, id, below: 0.0, hint: 0 });
        self.nodes.last_mut().expect("the node")
    }

    pub fn join(&mut self, source: i16, target: i16, moves: fn(usize) -> u8) {
        self.links.push(Link { source, target, moves });
    }

    /// 1 for a node without links, and 4, 5, ... for each connected part.
    pub fn number_zones(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.zone = 0);
        let mut next = 4;
        for start in 0..self.nodes.len() {
            let touches = |node: usize, link: &Link| link.source == node as i16 || link.target == node as i16;
            if !self.links.iter().any(|link| touches(start, link)) {
                self.nodes[start].zone = 1;
                continue;
            }
            if self.nodes[start].zone != 0 {
                continue;
            }
            let mut open = vec![start];
            while let Some(node) = open.pop() {
                self.nodes[node].zone = next;
                let links = self.links.iter().filter(|link| touches(node, link));
                let ends = links.flat_map(|link| [link.source as usize, link.target as usize]);
                open.extend(ends.filter(|end| self.nodes[*end].zone == 0));
            }
            next += 1;
        }
    }

    fn offset(node: &Node, hull: usize) -> f32 {
        if node.kind == 3 { 0.0 } else { 0.1 - node.below - MINS.get(hull).unwrap_or(&0.0) }
    }

    fn moves(link: &Link, hulls: usize) -> Vec<u8> {
        (0..hulls).map(link.moves).collect()
    }

    /// Version 37 or 41.
    pub fn ain(&self, version: i32, map_version: i32, hulls: usize) -> Vec<u8> {
        let mut out = Out::new();
        out.i32(version).i32(map_version).i32(self.nodes.len() as i32);
        for node in &self.nodes {
            out.f32s(&node.at).f32(node.yaw);
            (0..hulls).for_each(|hull| _ = out.f32(Self::offset(node, hull)));
            out.u8(node.kind);
            if version == 41 {
                out.u32(node.info)
            } else {
                out.u16(node.info as u16)
            };
            out.u16(node.zone as u16);
        }
        out.i32(self.links.len() as i32);
        for link in &self.links {
            out.u16(link.source as u16).u16(link.target as u16).raw(&Self::moves(link, hulls));
        }
        self.nodes.iter().for_each(|node| _ = out.i32(node.id));
        out.0
    }

    /// Version 27: text, with nine hulls.
    pub fn text(&self) -> Vec<u8> {
        let mut out = format!("Version\t  27\nNumNodes: {:>10}\n", self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let [x, y, z] = node.at;
            let _ = write!(out, "{x:.2},{y:.2},{z:.2} {:.6} ", node.yaw);
            (0..9).for_each(|hull| _ = write!(out, "{:.2} ", Self::offset(node, hull)));
            let ends = self.links.iter().flat_map(|link| [link.source, link.target]);
            let links = ends.filter(|end| *end == index as i16).count();
            let _ = write!(out, "{} {} {} {links} ", node.kind, node.info, node.zone);
        }
        let _ = write!(out, "\nTotalNumLinks {:>10}\n", self.links.len());
        for link in &self.links {
            let _ = write!(out, "{} {} ", link.source, link.target);
            Self::moves(link, 9).iter().for_each(|moves| _ = write!(out, "{moves} "));
        }
        out.push('\n');
        self.nodes.iter().for_each(|node| _ = write!(out, "{} ", node.id));
        out.into_bytes()
    }

    /// Version 57: one cluster per zone, script nodes above the nodes.
    pub fn respawn(&self, checksum: u32, script: usize, hints: usize, tail: &[u8]) -> Vec<u8> {
        let mut zones: Vec<i16> = self.nodes.iter().map(|node| node.zone).collect();
        zones.sort_unstable();
        zones.dedup();
        let cluster = |node: &Node| zones.iter().position(|zone| *zone == node.zone).expect("its zone");
        let mut out = Out::new();
        out.i32(57).i32(30).u32(checksum).i32(self.nodes.len() as i32);
        for node in &self.nodes {
            out.f32s(&node.at).f32(node.yaw).f32s(&[Self::offset(node, 0); 5]).u8(node.kind).u32(node.info);
            (0..5).for_each(|_| _ = out.u16(3));
            out.raw(&[2, 10, 10, 10, 7]).u16(cluster(node) as u16).u16(0xFFFF).raw(&[0; 8]);
        }
        out.i32(self.links.len() as i32);
        for link in &self.links {
            out.u16(link.source as u16).u16(link.target as u16).u8(0).raw(&Self::moves(link, 5));
        }
        self.nodes.iter().for_each(|_| _ = out.i32(0));
        out.u16(0).raw(&[0; 40]);
        let members = |zone: i16| {
            let all = self.nodes.iter().enumerate().filter(move |(_, node)| node.zone == zone);
            all.map(|(index, node)| (index as u16, node.at)).collect::<Vec<_>>()
        };
        let centres: Vec<[f32; 3]> = zones
            .iter()
            .map(|zone| {
                let all = members(*zone);
                let sum = |axis: usize| all.iter().map(|(_, at)| at[axis]).sum::<f32>() / all.len() as f32;
                [sum(0), sum(1), sum(2)]
            })
            .collect();
        // Each cluster is joined to the next.
        let joins: Vec<(usize, usize)> = (1..zones.len()).map(|to| (to - 1, to)).collect();
        out.i32(zones.len() as i32);
        for (index, zone) in zones.iter().enumerate() {
            out.i32(index as i32).u8(1).f32s(&centres[index]);
            let all = members(*zone);
            out.i32(all.len() as i32);
            all.iter().for_each(|(node, _)| _ = out.u16(*node));
            let links: Vec<usize> =
                (0..joins.len()).filter(|n| joins[*n].0 == index || joins[*n].1 == index).collect();
            out.i32(links.len() as i32);
            links.iter().for_each(|link| _ = out.u16(*link as u16));
            out.u8(10);
        }
        out.i32(joins.len() as i32);
        for (from, to) in joins {
            out.u16(from as u16).u16(to as u16).f32(length(centres[from], centres[to])).raw(&[0, 1, 1]);
        }
        out.i32(21).i32(script as i32);
        (0..script).for_each(|n| _ = out.f32s(&[n as f32 * 64.0, -128.0, 8.0]).u64(1 << n));
        out.i32(hints as i32);
        (0..hints).for_each(|n| _ = out.u16((n % 2) as u16));
        out.raw(tail);
        out.0
    }
}

pub fn length(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

/// A link of `.nod`, one way.
#[derive(Debug, Clone, Copy)]
pub struct NodLink {
    pub source: usize,
    pub target: usize,
    pub flags: u32,
    /// The number of the brush model that blocks it; 0 for none.
    pub model: u32,
}

/// The parts of a `.nod` file. Links are sorted by source.
#[derive(Debug, Clone, Default)]
pub struct Nod {
    pub nodes: Vec<Node>,
    pub links: Vec<NodLink>,
}

impl Nod {
    fn weight(&self, link: &NodLink, version: i32) -> f32 {
        let ([x, y, z], b) = (self.nodes[link.source].at, self.nodes[link.target].at);
        length([x, y, if version == 23 { z } else { b[2] }], b)
    }

    /// For a hull, the next node from each node to each; the node itself if there is no path.
    fn next(&self, hull: usize, doors: bool, version: i32) -> Vec<Vec<usize>> {
        let count = self.nodes.len();
        let mut far = vec![vec![f32::INFINITY; count]; count];
        let mut next: Vec<Vec<usize>> = (0..count).map(|node| vec![node; count]).collect();
        for link in self.links.iter().filter(|link| link.flags >> hull & 1 != 0 && (doors || link.model == 0))
        {
            far[link.source][link.target] = self.weight(link, version);
            next[link.source][link.target] = link.target;
        }
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    let through = far[from][middle] + far[middle][to];
                    if from != to && through < far[from][to] {
                        far[from][to] = through;
                        next[from][to] = next[from][middle];
                    }
                }
            }
        }
        next
    }

    /// A row of the route table: runs of targets that are the next node, and of those with one next node.
    fn pack(&self, from: usize, next: &[usize]) -> Vec<u8> {
        let (mut out, mut at) = (Vec::new(), 0);
        while at < next.len() {
            let direct = next[at..].iter().zip(at..).take_while(|(next, to)| *next == to).take(128).count();
            if direct > 0 {
                out.push((direct as i32).wrapping_neg() as u8);
                at += direct;
                continue;
            }
            let same = next[at..].iter().take_while(|other| **other == next[at]).take(127).count();
            out.extend([(same - 1) as u8, (next[at] as i32 - from as i32) as u8]);
            at += same;
        }
        out
    }

    pub fn bytes(&self, version: i32) -> Vec<u8> {
        let (count, newer) = (self.nodes.len(), version == 23);
        let mut routes: Vec<u8> = Vec::new();
        let mut rows = vec![[0_i32; 8]; count];
        for hull in 0..4 {
            for doors in 0..2 {
                let next = self.next(hull, doors == 1, version);
                for (from, next) in next.iter().enumerate() {
                    let row = self.pack(from, next);
                    let known = routes.windows(row.len()).position(|known| known == row);
                    rows[from][hull * 2 + doors] = known.unwrap_or(routes.len()) as i32;
                    if known.is_none() {
                        routes.extend(row);
                    }
                }
            }
        }
        let hash: Vec<i16> = (0..self.links.len() as i16).rev().flat_map(|link| [link, -1]).collect();
        let mut out = Out::new();
        out.i32(version);
        match version {
            16 => out.i32(1).i32(1).i32(1).raw(&[0xCD; 12]),
            17 => out.raw(&[1, 1, 1, 0]).raw(&[0xCD; 12]),
            _ => out.raw(&[1, 1, 1, 0]).i32(0).raw(&[0xCD; 12]),
        };
        out.i32(count as i32).i32(self.links.len() as i32).i32(routes.len() as i32).raw(&[0xCD; 4]);
        // Ranges of the sort table: starts at 255, ends at 0 where a cell is empty.
        (0..768).for_each(|cell| _ = out.i32(if cell % 256 == 7 { 0 } else { 255 }));
        (0..768).for_each(|cell| _ = out.i32(if cell % 256 == 7 { count as i32 - 1 } else { 0 }));
        out.raw(&[0; 84]).raw(&[0; 2_048]);
        (0..16).for_each(|prime| _ = out.i32(101 + prime * 2));
        out.raw(&[0xCD; 4]).i32(hash.len() as i32).raw(&vec![0; if newer { 12 } else { 8 }]);
        for (index, node) in self.nodes.iter().enumerate() {
            let [x, y, z] = node.at;
            let peek = if node.kind == 1 { if newer { 32.0 } else { 8.0 } } else { 0.0 };
            out.f32s(&node.at).f32s(&[x, y, z + peek]).raw(&[7, 7, 7, 0]).u32(node.kind.into());
            if newer {
                out.i32(0).i32(0);
            }
            let run = self.links.iter().filter(|link| link.source == index).count();
            let first = self.links.iter().position(|link| link.source == index).unwrap_or(0);
            out.i32(run as i32).i32(first as i32);
            rows[index].iter().for_each(|row| _ = out.i32(*row));
            out.f32(-1.0).i32(0).u16(node.hint as u16).u16(0).f32(node.yaw);
        }
        for link in &self.links {
            let entity = if link.model == 0 { 0 } else { 0x05FB_0000 + link.model };
            out.i32(link.source as i32).i32(link.target as i32).u32(entity);
            if newer {
                out.i32(link.model as i32);
            }
            let mut model = [0; 4];
            if link.model > 0 {
                let name = format!("*{}", link.model);
                model[..name.len()].copy_from_slice(name.as_bytes());
            }
            out.raw(&model).u32(link.flags).f32(self.weight(link, version));
        }
        for row in 0..count as i32 {
            out.i32(row).i32(count as i32 - 1 - row).i32((row + 1) % count as i32).i32(0);
        }
        out.raw(&routes);
        hash.iter().for_each(|slot| _ = out.u16(*slot as u16));
        out.0
    }
}
