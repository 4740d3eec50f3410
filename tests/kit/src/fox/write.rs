//! The bytes of one part of a tile.

use super::group::{Across, Built, Cross, Face, Group};
use super::land::SIDE;
use crate::bytes::Out;

const VERSION: u32 = 201_403_242;

type Payload = fn(&Built, &Group) -> Out;

fn id(built: &Built, index: u16) -> u32 {
    u32::from(index) | u32::from(built.tile) << 15
}

pub(super) fn part(built: &Built, part: usize) -> Vec<u8> {
    let groups: Vec<&Group> = built.part(part).collect();
    let mut out = Out::new();
    header(built, part, &mut out);
    let manifest = out.len();
    out.u32(groups.len() as u32);
    for _ in 0..groups.len() * 3 {
        out.u32(0).u32(0).u32(0);
    }
    out.align(16);

    let (first, mut descriptors) = (out.len() as u32, Vec::new());
    let kinds: [(u32, Payload); 4] = [(0, navworld), (1, navmesh), (4, segment_chunk), (3, segment_graph)];
    for (kind, payload) in kinds {
        for group in &groups {
            let mut bytes = payload(built, group);
            bytes.align(16);
            let (at, size) = (out.len() as u32 + 16, bytes.len() as u32 + 16);
            out.u32(kind).u32(size).u32(16).u32(id(built, group.id)).raw(&bytes.0);
            descriptors.push((kind, group.id, at, size));
        }
    }
    let runs = [0, 3, 1].into_iter().flat_map(|kind| descriptors.iter().filter(move |(k, ..)| *k == kind));
    for (line, (kind, group, at, size)) in runs.enumerate() {
        let offset = manifest + 4 + line * 12;
        out.patch_u32(offset, id(built, *group))
            .patch_u32(offset + 4, *at)
            .patch_u32(offset + 8, kind | size << 8);
    }

    out.patch_u32(0x08, first).patch_u32(0x0C, groups.len() as u32 * 4);
    if part == 0 {
        let islands = out.len() as u32;
        out.patch_u32(0x18, islands);
        islands_graph(built, &mut out);
        for _ in 0..2 {
            out.u16(48).u16(16).u16(0).u16(16).u16(16).u16(16).u16(16).u16(40).raw(&[0; 24]).align(16);
        }
    }
    let search = out.len() as u32;
    out.patch_u32(0x10, search);
    search_space(built, &groups, &mut out);
    let size = out.len() as u32;
    out.patch_u32(0x04, size);
    out.0
}

fn header(built: &Built, part: usize, out: &mut Out) {
    let groups = built.part(part).count() as u32;
    out.u32(VERSION).u32(0).u32(0).u32(0).u32(0).u32(id(built, part as u16)).u32(0).u32(0);
    out.f32s(&built.scale.origin).u32(0).u32(0).u32(0x60).u32(4 + 36 * groups).u32(0).u32(0);
    for divisor in built.scale.divisors {
        out.u16(divisor);
    }
    out.u16(built.scale.weight)
        .u8(if built.split { 5 } else { 1 })
        .u8(if part == 0 { 3 } else { 0 })
        .u8(0)
        .u8(0);
    out.raw(&built.opaque);
}

fn u16s(out: &mut Out, values: impl IntoIterator<Item = u16>) {
    for value in values {
        out.u16(value);
    }
}

fn position(out: &mut Out, at: [u16; 3]) {
    u16s(out, at);
}

fn navworld(_: &Built, group: &Group) -> Out {
    let mut out = Out::new();
    out.raw(&[0; 48]);
    group.nodes.iter().for_each(|node| position(&mut out, node.at));
    out.align(16);

    let mut links = Out::new();
    let at_nodes = out.len() as u32;
    for node in &group.nodes {
        let bits = match node.cross {
            None => 0,
            Some(Cross::Segment(_)) => 1,
            Some(Cross::Group(..)) => 2,
            Some(Cross::Tile(..)) => 4,
        };
        let offset = u16::try_from(links.len() / 2).expect("links of a group fit 128 KiB");
        out.u16(offset).u16(node.segment).u8(node.inside.len() as u8).u8(bits);
        for (to, edge) in &node.inside {
            links.u16(*to).u16(*edge);
        }
        u16s(
            &mut links,
            match node.cross {
                None => vec![],
                Some(Cross::Segment(to)) => vec![to],
                Some(Cross::Group(group, to)) => vec![group, to],
                Some(Cross::Tile(tile, group)) => vec![tile, group, 0xFFFF],
            },
        );
    }
    out.align(16);
    let at_links = out.len() as u32;
    out.raw(&links.0).align(16);
    let at_edges = out.len() as u32;
    for edge in &group.edges {
        out.u16(edge.weight).u16(edge.segment).u8(edge.ends[0]).u8(edge.ends[1]);
    }
    out.align(16);
    let at_attributes = out.len() as u32;
    u16s(&mut out, group.segments.iter().map(|segment| segment.attribute));
    out.align(16);
    let at_faces = out.len() as u32;
    u16s(&mut out, group.nodes.iter().map(|node| node.face));
    out.align(16);
    out.patch_u32(0, 48).patch_u32(4, at_nodes).patch_u32(8, at_edges).patch_u32(12, at_links);
    out.patch_u32(24, at_attributes).patch_u32(32, at_faces);
    out.patch_u32(36, group.nodes.len() as u32 | (group.edges.len() as u32) << 16);
    out.patch_u32(44, (group.segments.len() as u32) << 16);
    out
}

fn navmesh(_: &Built, group: &Group) -> Out {
    let mut data = Out::new();
    let mut descriptors = Out::new();
    for face in &group.faces {
        let quad = u32::from(face.corners.len() == 4);
        descriptors.u32((data.len() as u32 / 2) | (quad << 18) | quad << 19 | u32::from(face.segment) << 20);
        face_record(face, &mut data);
        data.align(16);
    }
    let mut out = Out::new();
    out.raw(&[0; 32]);
    group.vertices.iter().for_each(|vertex| position(&mut out, *vertex));
    out.align(16);
    let at = out.len() as u32;
    out.raw(&descriptors.0).raw(&data.0);
    out.patch_u32(0, 32).patch_u32(4, at).patch_u32(8, at + descriptors.len() as u32);
    out.patch_u32(24, group.faces.len() as u32 | (group.vertices.len() as u32) << 16);
    out
}

fn face_record(face: &Face, out: &mut Out) {
    for across in &face.across {
        out.u16(match across {
            Across::Nothing => 0xFFFF,
            Across::Face(face) => *face,
            Across::Group(_, face) => 0x4000 | face,
            Across::Tile(..) => 0xBFFF,
        });
    }
    out.raw(&face.corners).raw(&face.nodes);
    let tiles = face.across.iter().any(|across| matches!(across, Across::Tile(..)));
    if tiles || face.across.iter().any(|across| matches!(across, Across::Group(..))) {
        for across in &face.across {
            out.u16(match across {
                Across::Group(group, _) | Across::Tile(_, group) => *group,
                _ => 0xFFFF,
            });
        }
        for across in &face.across {
            out.u16(match across {
                Across::Tile(tile, _) => *tile,
                _ if tiles => 0xFFFF,
                _ => 0,
            });
        }
    }
}

fn segment_chunk(_: &Built, group: &Group) -> Out {
    let n = group.segments.len() as u32;
    let mut out = Out::new();
    out.u32(16).u32(0).u32(0).u32(n);
    for segment in &group.segments {
        position(&mut out, segment.bounds[0]);
        position(&mut out, segment.bounds[1]);
    }
    out.align(16);
    let at = out.len() as u32;
    for segment in &group.segments {
        let ranges = [&segment.vertices, &segment.faces, &segment.edges, &segment.nodes];
        u16s(&mut out, ranges.iter().map(|range| range.start as u16));
        out.raw(&ranges.map(|range| range.len() as u8));
    }
    out.align(16);
    let size = out.len() as u32;
    out.patch_u32(4, at).patch_u32(8, size);
    out
}

fn segment_graph(_: &Built, group: &Group) -> Out {
    let n = group.coarse.len();
    let mut out = Out::new();
    out.raw(&[0; 32]);
    group.coarse.iter().for_each(|coarse| position(&mut out, group.nodes[coarse.node].at));
    out.align(16);
    let at_nodes = out.len() as u32;
    let (mut links, mut indices) = (Out::new(), 0_u16);
    for coarse in &group.coarse {
        out.u32((links.len() as u32 / 2) | ((coarse.inside.len() as u32) << 24))
            .u16(coarse.island)
            .u16(0xFFFF)
            .u16(0xFFFF);
        out.u8(coarse.groups.len() as u8).u8(coarse.tiles.len() as u8);
        for (to, link) in &coarse.inside {
            links.u16(link.weight).u16(*to).u8(link.nodes.len() as u8).u8(link.back);
        }
        for ((group, to), link) in &coarse.groups {
            links.u16(*group).u16(link.weight).u16(*to).u8(link.nodes.len() as u8).u8(link.back);
        }
        for ((tile, group), link) in &coarse.tiles {
            links.u16(*tile).u16(*group).u16(link.weight).u16(0x0FFF).u8(link.nodes.len() as u8).u8(0);
        }
        for link in coarse.inside.values().chain(coarse.groups.values()).chain(coarse.tiles.values()) {
            links.raw(&link.nodes);
            indices += link.nodes.len() as u16;
        }
        links.align(2);
    }
    out.align(16);
    let at_links = out.len() as u32;
    out.raw(&links.0).align(16);
    let size = out.len() as u32;
    out.patch_u32(0, 32).patch_u32(4, at_nodes).patch_u32(8, at_links).patch_u32(16, size);
    out.patch_u32(20, n as u32);
    out.0[26..28].copy_from_slice(&indices.to_le_bytes());
    out
}

fn islands_graph(built: &Built, out: &mut Out) {
    let islands = &built.islands;
    let n = islands.len();
    let mut infos = Out::new();
    let mut sides = Vec::new();
    for side in 0..4_u8 {
        let first = infos.len() / 4;
        for (number, island) in islands.iter().enumerate() {
            if let Some(weight) = island.sides.get(&side) {
                infos.u16(*weight).u16(number as u16);
            }
        }
        sides.push((
            built.neighbours[usize::from(side)].unwrap_or(0),
            first as u16,
            (infos.len() / 4 - first) as u16,
        ));
    }
    let (mut nodes, mut links) = (Out::new(), Out::new());
    for (number, island) in islands.iter().enumerate() {
        position(&mut nodes, island.at);
        nodes.u16(island.attribute).u16(links.len() as u16).u16(island.sides.len() as u16);
        nodes.u8(island.inside.len() as u8).u8(0);
        for (to, weight) in &island.inside {
            links.u16(*weight).u16(*to);
        }
        for side in island.sides.keys() {
            let before = islands[..number].iter().filter(|other| other.sides.contains_key(side)).count();
            links.u16(before as u16 | u16::from(*side) << 14);
        }
    }
    let mut block = Out::new();
    block.raw(&[0; 16]).raw(&nodes.0).align(16);
    let at_links = block.len();
    block.raw(&links.0).align(16);
    let low = block.len();
    for island in islands {
        let (group, segment, node) = island.low;
        block.u32(id(built, group)).u16(segment).u16(node);
    }
    u16s(&mut block, islands.iter().map(|island| island.segments));
    let at_sides = block.len();
    for (tile, first, count) in sides {
        block.u16(tile).u16(first).u16(count);
    }
    block.raw(&infos.0).align(16);
    let fields = [block.len(), 16, n, at_links, low, low + 8 * n, at_sides, at_sides + 24];
    let head: Vec<u8> = fields.iter().flat_map(|field| (*field as u16).to_le_bytes()).collect();
    block.0[..16].copy_from_slice(&head);
    out.raw(&block.0);
}

/// Thirteen by thirteen buckets of ten metres, every segment in each that its box touches.
fn search_space(built: &Built, groups: &[&Group], out: &mut Out) {
    const SIDE_OF_BUCKET: u32 = 10 * 511;
    const BUCKETS: u32 = (SIDE as u32).div_ceil(SIDE_OF_BUCKET);
    let start = out.len();
    let [x, _, z] = built.scale.origin;
    let segments = || groups.iter().flat_map(|group| &group.segments);
    let highest = segments().map(|segment| segment.bounds[1][1]).max().unwrap_or(0);
    out.f32s(&[x, -128.0, z]).u16(highest).u16(0).u32(BUCKETS).u32(1).u32(BUCKETS).u32(10).u32(256);
    let at_entries = 48 + 8 * BUCKETS * BUCKETS;
    out.u32(48).u32(at_entries).u32(0);
    let (mut buckets, mut entries) = (Out::new(), Out::new());
    for row in 0..BUCKETS {
        for column in 0..BUCKETS {
            let touches = |axis: usize, cell: u32, bounds: [[u16; 3]; 2]| {
                let (low, high) = (cell * SIDE_OF_BUCKET, (cell + 1) * SIDE_OF_BUCKET);
                u32::from(bounds[0][axis]) <= high && u32::from(bounds[1][axis]) >= low
            };
            let from = 48 + buckets.len() as u32;
            let (mut count, mut heights) = (0, [u8::MAX, 0]);
            let offset = at_entries + entries.len() as u32 - from;
            for group in groups {
                let listed: Vec<u16> = (0..group.segments.len() as u16)
                    .filter(|s| {
                        let bounds = group.segments[usize::from(*s)].bounds;
                        touches(0, column, bounds) && touches(2, row, bounds)
                    })
                    .collect();
                if listed.is_empty() {
                    continue;
                }
                count += 1;
                entries.u32(id(built, group.id)).u32(listed.len() as u32);
                for s in listed {
                    let [min, max] = group.segments[usize::from(s)].bounds;
                    heights = [heights[0].min((min[1] >> 8) as u8), heights[1].max((max[1] >> 8) as u8)];
                    entries.u16(s);
                }
            }
            let heights = if count == 0 { [0, 0] } else { heights };
            buckets.u32(offset).u16(count).raw(&heights);
        }
    }
    out.raw(&buckets.0).raw(&entries.0).align(16);
    let size = (out.len() - start) as u32;
    out.patch_u32(start + 44, size);
}
