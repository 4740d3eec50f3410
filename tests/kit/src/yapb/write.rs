//! Writes both forms of file from plain values. The packer is the simplest there is: greedy, by brute force.

use crate::bytes::Out;

#[derive(Debug, Clone, Copy)]
pub struct Link {
    pub target: i16,
    pub distance: i32,
    pub flags: u16,
    pub velocity: [f32; 3],
}

impl Link {
    pub const FREE: Self = Self { target: -1, distance: 0, flags: 0, velocity: [0.0; 3] };

    /// A walk whose length is the distance between the nodes.
    pub fn between(nodes: &[Node], from: usize, to: usize) -> Self {
        let (a, b) = (nodes[from].at, nodes[to].at);
        let square: f32 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
        Self { target: to as i16, distance: square.sqrt() as i32, ..Self::FREE }
    }
}

#[derive(Debug, Clone)]
pub struct Node {
    pub number: i32,
    pub at: [f32; 3],
    pub flags: u32,
    pub radius: f32,
    pub camp: ([f32; 3], [f32; 3]),
    pub light: f32,
    pub links: [Link; 8],
    pub seen: [u16; 2],
}

impl Node {
    /// A node without links; writing assigns its number.
    pub fn new(at: [f32; 3], flags: u32, radius: f32) -> Self {
        let camp = ([0.0; 3], [0.0; 3]);
        Self { number: -1, at, flags, radius, camp, light: 9_999_999.0, links: [Link::FREE; 8], seen: [0; 2] }
    }
}

#[derive(Debug, Clone)]
pub struct Waypoints {
    pub nodes: Vec<Node>,
}

impl Waypoints {
    pub fn links(&self) -> usize {
        self.nodes.iter().flat_map(|node| &node.links).filter(|link| link.target != -1).count()
    }

    pub fn jumps(&self) -> usize {
        let links = self.nodes.iter().flat_map(|node| &node.links);
        links.filter(|link| link.target != -1 && link.flags & 1 != 0).count()
    }

    /// The nodes of a `.graph` file, not packed.
    pub fn unpacked(&self) -> Vec<u8> {
        let mut out = Out::new();
        for (node, index) in self.nodes.iter().zip(0..) {
            out.i32(if node.number < 0 { index } else { node.number }).u32(node.flags).f32s(&node.at);
            out.f32s(&node.camp.0).f32s(&node.camp.1).f32s(&[node.radius, node.light, 0.0]);
            for link in &node.links {
                out.f32s(&link.velocity).i32(link.distance).u16(link.flags).u16(link.target as u16);
            }
            out.u16(node.seen[0]).u16(node.seen[1]);
        }
        out.0
    }

    /// A `.graph` file.
    pub fn graph(&self, magic: [u8; 4], version: u32, options: u32, extension: &[u8]) -> Vec<u8> {
        let plain = self.unpacked();
        let packed = pack(&plain);
        let mut out = Out::new();
        out.raw(&magic).u32(version).u32(options).u32(self.nodes.len() as u32);
        out.u32(packed.len() as u32).u32(plain.len() as u32).raw(&packed).raw(extension);
        out.0
    }

    /// Removes everything that a version of `.pwf` cannot hold.
    pub fn as_pwf(&mut self, version: u32) {
        let slots = if version == 5 { 4 } else { 8 };
        for node in &mut self.nodes {
            if version == 5 {
                // Four slots: the jump moves into a free one, if any.
                let mut used: Vec<Link> =
                    node.links.iter().copied().filter(|link| link.target != -1).collect();
                used.truncate(slots);
                used.resize(8, Link::FREE);
                node.links.copy_from_slice(&used);
            }
            if version < 7 {
                node.links.iter_mut().for_each(|link| (link.flags, link.velocity) = (0, [0.0; 3]));
            }
        }
    }

    /// A `.pwf` file.
    pub fn pwf(&self, version: u32, map: &str) -> Vec<u8> {
        let mut out = Out::new();
        let name = |text: &str| {
            let mut field = [0; 32];
            field[..text.len()].copy_from_slice(text.as_bytes());
            field
        };
        out.raw(b"PODWAY!\0").u32(version).u32(self.nodes.len() as u32).raw(&name(map)).raw(&name("Zoë"));
        let slots = if version == 5 { 4 } else { 8 };
        for (node, index) in self.nodes.iter().zip(0..) {
            let links = &node.links[..slots];
            let (start, end) = node.camp;
            out.i32(if node.number < 0 { index } else { node.number }).u32(node.flags).f32s(&node.at);
            out.f32(node.radius).f32s(&[start[0], start[1], end[0], end[1]]);
            for link in links {
                out.u16(link.target as u16);
            }
            if version == 7 {
                for link in links {
                    out.u16(link.flags);
                }
                for link in links {
                    out.f32s(&link.velocity);
                }
            }
            for link in links {
                out.i32(link.distance);
            }
            // The next node's address in a running game; the last has none.
            out.u32(if index as usize + 1 == self.nodes.len() {
                0
            } else {
                0x0A3F_1200 + 0xD0 * index as u32
            });
        }
        out.0
    }
}

/// Packs by brute force, with the nearest longest match at each position.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let (mut out, mut at, mut waiting) = (Vec::new(), 0, 0);
    let number = |out: &mut Vec<u8>, mut n: usize| {
        while n >= 128 {
            n -= 128;
            out.push(128 + (n % 128) as u8);
            n /= 128;
        }
        out.push(n as u8);
    };
    while at < bytes.len() {
        let same =
            |back: usize| (0..bytes.len() - at).take_while(|n| bytes[at + n] == bytes[at - back + n]).count();
        let (length, back) = (1..=at.min(6_000))
            .map(|back| (same(back), back))
            .max_by_key(|(n, back)| (*n, usize::MAX - back))
            .unwrap_or((0, 0));
        if length < 4 {
            (at, waiting) = (at + 1, waiting + 1);
            if at < bytes.len() {
                continue;
            }
        }
        let found = length >= 4;
        let rest = if found { length - 4 } else { 0 };
        let literals = &bytes[at - waiting..at];
        out.push((waiting.min(7) << 5 | if found { rest.min(15) } else { 0 }) as u8);
        if waiting >= 7 {
            number(&mut out, waiting - 7);
        }
        out.extend(literals);
        if found {
            if rest >= 15 {
                number(&mut out, rest - 15);
            }
            out.extend((back as u16).to_le_bytes());
            at += length;
        }
        waiting = 0;
    }
    out
}
