//! An eager, owning decoder, as a straightforward parser would be: the views are compared with it, in results and in speed.

use super::graph::{Version, has_heuristic, has_plane};

/// Everything in a file, decoded.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Naive {
    pub heuristic: Option<f32>,
    pub nodes: Vec<NaiveNode>,
    pub traversals: Vec<Vec<f32>>,
    pub edicts: Vec<NaiveEdict>,
}

/// A node, its origin and its links.
#[derive(Debug, Clone, PartialEq)]
pub struct NaiveNode {
    pub flags: u16,
    pub radius: u16,
    pub origin: [f32; 3],
    pub links: Vec<NaiveLink>,
}

/// A link.
#[derive(Debug, Clone, PartialEq)]
pub struct NaiveLink {
    pub target: u16,
    pub kind: u8,
    pub byte: u8,
    pub traversal: u16,
}

/// An edict: its link, its box, and the other numbers in file order.
#[derive(Debug, Clone, PartialEq)]
pub struct NaiveEdict {
    pub link: u16,
    pub bounds: [f32; 6],
    pub keys: Vec<i32>,
}

struct Take<'a>(&'a [u8]);

impl Take<'_> {
    fn n<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }
    fn u8(&mut self) -> Option<u8> {
        self.n::<1>().map(|[byte]| byte)
    }
    fn u16(&mut self) -> Option<u16> {
        self.n().map(u16::from_le_bytes)
    }
    fn u32(&mut self) -> Option<u32> {
        self.n().map(u32::from_le_bytes)
    }
    fn i32(&mut self) -> Option<i32> {
        self.n().map(i32::from_le_bytes)
    }
    fn f32(&mut self) -> Option<f32> {
        self.n().map(f32::from_le_bytes)
    }
    fn f32s<const N: usize>(&mut self) -> Option<[f32; N]> {
        let mut list = [0.0; N];
        for slot in &mut list {
            *slot = self.f32()?;
        }
        Some(list)
    }
}

/// Decodes a file of a known version with ordered link ranges; `None` for anything else.
pub fn decode(bytes: &[u8]) -> Option<Naive> {
    let mut take = Take(bytes);
    let family = match &take.n()? {
        b"NAV2" => 2,
        b"NAV3" => 3,
        _ => return None,
    };
    let version: Version = (family, take.u32()?);
    let (node_count, link_count, traversal_count) = (take.u32()?, take.u32()?, take.u32()?);
    let mut naive = Naive::default();
    if has_heuristic(version) {
        naive.heuristic = Some(take.f32()?);
    }
    let mut ranges = Vec::new();
    for _ in 0..node_count {
        let flags = take.u16()?;
        ranges.push((take.u16()?, take.u16()?));
        let radius = take.u16()?;
        naive.nodes.push(NaiveNode { flags, radius, origin: [0.0; 3], links: Vec::new() });
    }
    for node in &mut naive.nodes {
        node.origin = take.f32s()?;
    }
    let mut links = Vec::new();
    for _ in 0..link_count {
        links.push(NaiveLink {
            target: take.u16()?,
            kind: take.u8()?,
            byte: take.u8()?,
            traversal: take.u16()?,
        });
    }
    for (node, (count, first)) in naive.nodes.iter_mut().zip(ranges) {
        let (first, end) = (usize::from(first), usize::from(first) + usize::from(count));
        node.links = links.get(first..end)?.to_vec();
    }
    for _ in 0..traversal_count {
        let mut points = take.f32s::<9>()?.to_vec();
        if has_plane(version) {
            points.extend(take.f32s::<3>()?);
        }
        naive.traversals.push(points);
    }
    for _ in 0..take.u32()? {
        let link = take.u16()?;
        let before = if family == 3 && version.1 >= 2 { vec![take.i32()?] } else { vec![] };
        let bounds = take.f32s()?;
        let keys = match version {
            (2, 13 | 14) => vec![take.i32()?, take.i32()?],
            (2, 15..) => vec![take.i32()?],
            _ => before,
        };
        naive.edicts.push(NaiveEdict { link, bounds, keys });
    }
    take.0.is_empty().then_some(naive)
}
