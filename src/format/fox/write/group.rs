//! The four entries of a group. `docs/formats/fox.md`, sections 4 to 7.

#![forbid(unsafe_code)]

use super::limit::{FACE_DATA, FACES, ITEMS, NODE_LINKS, SEGMENT_LINKS, SEGMENTS, paired, within};
use super::out::{Out, align16};
use crate::error::Result;
use crate::format::fox::buf::{
    FaceBuf, GroupBuf, MeshBuf, NodeBuf, SegmentGraphBuf, SegmentNodeBuf, WorldBuf,
};
use crate::format::fox::flags::EntryKind;
use crate::format::fox::record::{SegmentGroupLink, SegmentInsideLink, SegmentTileLink};
use crate::format::fox::view::Crossing;
use zerocopy::IntoBytes;

impl GroupBuf {
    /// The length of a payload, before the entry is aligned. Everything in it is held against its limits.
    pub(super) fn measure(&self, kind: EntryKind) -> Result<usize> {
        match kind {
            EntryKind::NavWorld => self.world.measure(self.segments.len()),
            EntryKind::NavmeshChunk => self.mesh.measure(),
            EntryKind::SegmentGraph => self.graph.measure(),
            EntryKind::SegmentChunk | EntryKind::Unknown(_) => {
                within("segments", self.segments.len(), SEGMENTS)?;
                paired("segment boxes", self.bounds.len(), self.segments.len())?;
                Ok(chunk_parts(self.segments.len())[1])
            }
        }
    }

    /// Writes a payload of this length.
    pub(super) fn write(&self, kind: EntryKind, len: usize, out: &mut Out<'_>) {
        match kind {
            EntryKind::NavWorld => self.world.write(out),
            EntryKind::NavmeshChunk => self.mesh.write(out),
            EntryKind::SegmentGraph => self.graph.write(len, out),
            EntryKind::SegmentChunk | EntryKind::Unknown(_) => {
                let [segments, len] = chunk_parts(self.segments.len());
                [16, segments, len, self.segments.len()].iter().for_each(|v| out.u32(*v as u32));
                out.records(&self.bounds);
                out.align(16);
                out.records(&self.segments);
            }
        }
    }
}

/// Where the segments of a SegmentChunk begin, and its length.
fn chunk_parts(segments: usize) -> [usize; 2] {
    let records = segments.saturating_mul(12);
    let at = align16(records.saturating_add(16));
    [at, align16(at.saturating_add(records))]
}

/// Where the parts of a NavWorld begin behind its head: nodes, links, edges, attributes, face references, and the end.
fn world_parts(world: &WorldBuf, links: usize) -> [usize; 6] {
    let [n, m] = [world.nodes.len(), world.edges.len()];
    let mut at = 48_usize;
    let mut parts = [0; 6];
    let lengths = [
        n.saturating_mul(6),
        n.saturating_mul(6),
        links,
        m.saturating_mul(6),
        world.attributes.len() << 1,
        n << 1,
    ];
    for (part, len) in parts.iter_mut().zip(lengths) {
        at = align16(at.saturating_add(len));
        *part = at;
    }
    parts
}

impl WorldBuf {
    /// Bytes of all node links.
    fn links_len(&self) -> usize {
        let crossing = self.nodes.iter().fold(0, |sum: usize, node| sum.saturating_add(node.crossing_len()));
        crossing.saturating_add(size_of_val(self.inside.as_slice()))
    }

    fn measure(&self, segments: usize) -> Result<usize> {
        let n = self.nodes.len();
        within("nodes", n, ITEMS)?;
        within("edges", self.edges.len(), ITEMS)?;
        within("attributes", self.attributes.len(), SEGMENTS.max(segments))?;
        paired("node positions", self.positions.len(), n)?;
        paired("face references", self.faces.len(), n)?;
        let (mut inside, mut crossing) = (0_usize, 0_usize);
        for node in &self.nodes {
            inside = inside.wrapping_add(usize::from(node.inside));
            crossing = crossing.wrapping_add(node.crossing_len());
        }
        paired("links inside segments", self.inside.len(), inside)?;
        let links = (inside << 2).saturating_add(crossing);
        let links = within("bytes of link records", links, NODE_LINKS)?;
        let [.., end] = world_parts(self, links);
        Ok(end)
    }

    fn write(&self, out: &mut Out<'_>) {
        let [nodes, links, edges, attributes, faces, _] = world_parts(self, self.links_len());
        let [a, b, c, d, e, f] = self.unknown;
        [48, nodes, edges, links].iter().for_each(|v| out.u32(*v as u32));
        [a, b, attributes as u32, c, faces as u32].iter().for_each(|v| out.u32(*v));
        out.u16(self.nodes.len() as u16);
        out.u16(self.edges.len() as u16);
        [d, e, f].iter().for_each(|v| out.u16(*v as u16));
        out.u16(self.attributes.len() as u16);
        out.records(&self.positions);
        out.align(16);
        let from = out.len();
        let [records, area] = [links, edges].map(|part| part.saturating_sub(nodes));
        self.write_nodes(out.rest(), records);
        out.pad_to(from.saturating_add(area));
        out.align(16);
        out.records(&self.edges);
        out.align(16);
        out.records(&self.attributes);
        out.align(16);
        out.records(&self.faces);
    }
}

impl WorldBuf {
    /// Writes the nodes at the beginning of these bytes, and their links behind the records.
    fn write_nodes(&self, bytes: &mut [u8], records: usize) {
        let Some((records, links)) = bytes.split_at_mut_checked(records) else { return };
        let inside = self.inside.as_bytes();
        let (mut read, mut at) = (0_usize, 0_usize);
        for (record, node) in records.as_chunks_mut::<6>().0.iter_mut().zip(&self.nodes) {
            let len = usize::from(node.inside) << 2;
            let (kind, across, crossing) = node.across();
            let [o0, o1] = ((at >> 1) as u16).to_le_bytes();
            let [s0, s1] = (node.segment.0 & 0xFFF).to_le_bytes();
            *record = [o0, o1, s0, s1, node.inside, node.bits | kind];
            // Nearly all have two or four links. Copying four always costs less than asking, and what is too much is
            // written over by what follows.
            let wide = at.saturating_add(16);
            match (links.get_mut(at..wide), inside.get(read..read.saturating_add(16))) {
                (Some(to), Some(from)) if len <= 16 => to.copy_from_slice(from),
                _ => copy(links, at, inside.get(read..read.saturating_add(len)).unwrap_or_default()),
            }
            at = at.saturating_add(len);
            read = read.saturating_add(len);
            copy(links, at, &crossing);
            at = at.saturating_add(across);
        }
        // What was too much behind the last one.
        let end = at.saturating_add(24).min(links.len());
        links.get_mut(at..end).unwrap_or_default().fill(0);
    }
}

/// Copies bytes to a place, if they fit there.
#[inline]
fn copy(to: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(to) = to.get_mut(at..at.saturating_add(bytes.len())) {
        to.copy_from_slice(bytes);
    }
}

impl NodeBuf {
    /// The bit of the link across, how many bytes that link takes, and these bytes with zeros behind them.
    #[inline]
    fn across(&self) -> (u8, usize, [u8; 8]) {
        let bytes =
            |a: u16, b: u16, c: u16| (u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32).to_le_bytes();
        match self.crossing {
            None => (0, 0, [0; 8]),
            Some(Crossing::Segment { node }) => (1, 2, bytes(node.0, 0, 0)),
            Some(Crossing::Group { group, node }) => (2, 4, bytes(group.0, node.0, 0)),
            Some(Crossing::Tile { tile, group, node }) => (4, 6, bytes(tile.0, group.0, node.0)),
        }
    }
}

/// Where descriptors and face data of a NavmeshChunk begin.
fn mesh_parts(mesh: &MeshBuf) -> [usize; 2] {
    let descriptors = align16(mesh.vertices.len().saturating_mul(6).saturating_add(32));
    [descriptors, descriptors.saturating_add(mesh.faces.len() << 2)]
}

impl MeshBuf {
    fn measure(&self) -> Result<usize> {
        within("vertices", self.vertices.len(), ITEMS)?;
        within("faces", self.faces.len(), FACES)?;
        let data = self.faces.iter().fold(0, |sum: usize, face| sum.saturating_add(face.stored_len()));
        within("bytes of face records", data, FACE_DATA)?;
        Ok(mesh_parts(self)[1].saturating_add(data))
    }

    fn write(&self, out: &mut Out<'_>) {
        let [descriptors, data] = mesh_parts(self);
        let [a, b, c, d] = self.unknown;
        [32, descriptors as u32, data as u32, a, b, c].iter().for_each(|v| out.u32(*v));
        out.u16(self.faces.len() as u16);
        out.u16(self.vertices.len() as u16);
        out.u32(d);
        out.records(&self.vertices);
        out.align(16);
        let rest = out.rest();
        let Some((descriptors, data)) = rest.split_at_mut_checked(self.faces.len() << 2) else { return };
        let mut offset = 0_usize;
        for (descriptor, face) in descriptors.as_chunks_mut::<4>().0.iter_mut().zip(&self.faces) {
            let kinds = u32::from(face.quad) << 18 | u32::from(face.four_nodes) << 19;
            let word = (offset >> 1) as u32 & 0x3_FFFF | kinds | u32::from(face.segment.0 & 0xFFF) << 20;
            *descriptor = word.to_le_bytes();
            offset = offset.saturating_add(face.write(data.get_mut(offset..).unwrap_or_default()));
        }
        out.skip((self.faces.len() << 2).saturating_add(offset));
    }
}

impl FaceBuf {
    /// Writes the record, and returns its length with its padding, which counts from the first face.
    #[inline]
    fn write(&self, to: &mut [u8]) -> usize {
        let crossing = self.is_crossing();
        let neighbours = self.neighbours.map(u64::from);
        let ([na, nb, nc, nd], [a, b, c, d]) = (neighbours, self.corners);
        let [e, f, g, h] = self.nodes;
        if !self.quad && !self.four_nodes && !crossing {
            let sides = na | nb << 16 | nc << 32 | u64::from(a) << 48 | u64::from(b) << 56;
            let rest = u32::from_le_bytes([c, e, f, g]);
            let record = u128::from(sides) | u128::from(rest) << 64;
            copy(to, 0, &record.to_le_bytes());
            return 16;
        }
        let (sides, nodes) = (self.sides(), if self.four_nodes { 4 } else { 3 });
        let words = (na | nb << 16 | nc << 32 | nd << 48).to_le_bytes();
        let mut at = 0_usize;
        let mut put = |bytes: &[u8]| {
            copy(to, at, bytes);
            at = at.saturating_add(bytes.len());
        };
        put(words.get(..sides << 1).unwrap_or_default());
        put([a, b, c, d].get(..sides).unwrap_or_default());
        put([e, f, g, h].get(..nodes).unwrap_or_default());
        if crossing {
            for ids in [self.groups, self.tiles] {
                put(ids.map(u16::to_le_bytes).as_flattened().get(..sides << 1).unwrap_or_default());
            }
        }
        at.next_multiple_of(16)
    }
}

/// How many node indices the next links have.
fn crossings<T>(links: &[T], crossings: impl Fn(&T) -> usize) -> usize {
    links.iter().map(crossings).fold(0, usize::saturating_add)
}

/// What is left of the lists of a coarse graph.
struct Links<'g> {
    inside: &'g [SegmentInsideLink],
    groups: &'g [SegmentGroupLink],
    tiles: &'g [SegmentTileLink],
    indices: &'g [u8],
}

fn take<'g, T>(list: &mut &'g [T], count: usize) -> &'g [T] {
    let (these, rest) = list.split_at_checked(count).unwrap_or((list, &[]));
    *list = rest;
    these
}

impl<'g> Links<'g> {
    fn of(graph: &'g SegmentGraphBuf) -> Self {
        Self { inside: &graph.inside, groups: &graph.groups, tiles: &graph.tiles, indices: &graph.indices }
    }

    /// The links of the next node.
    fn next(&mut self, node: &SegmentNodeBuf) -> Self {
        let inside = take(&mut self.inside, usize::from(node.inside));
        let groups = take(&mut self.groups, usize::from(node.groups));
        let tiles = take(&mut self.tiles, usize::from(node.tiles));
        let count = crossings(inside, SegmentInsideLink::crossings)
            .saturating_add(crossings(groups, SegmentGroupLink::crossings))
            .saturating_add(crossings(tiles, SegmentTileLink::crossings));
        Self { inside, groups, tiles, indices: take(&mut self.indices, count) }
    }

    fn byte_len(&self) -> usize {
        size_of_val(self.inside)
            .saturating_add(size_of_val(self.groups))
            .saturating_add(size_of_val(self.tiles))
            .saturating_add(self.indices.len())
    }
}

/// Where nodes and links of a SegmentGraph begin.
fn graph_parts(nodes: usize) -> [usize; 2] {
    let at = align16(nodes.saturating_mul(6).saturating_add(32));
    [at, align16(at.saturating_add(nodes.saturating_mul(12)))]
}

impl SegmentGraphBuf {
    fn measure(&self) -> Result<usize> {
        within("segment nodes", self.nodes.len(), SEGMENTS)?;
        paired("segment positions", self.positions.len(), self.nodes.len())?;
        within("node indices of links", self.indices.len(), ITEMS)?;
        let counted = |count: fn(&SegmentNodeBuf) -> u8| {
            self.nodes.iter().fold(0, |sum: usize, node| sum.saturating_add(usize::from(count(node))))
        };
        paired("links inside the group", self.inside.len(), counted(|node| node.inside))?;
        paired("links to groups", self.groups.len(), counted(|node| node.groups))?;
        paired("links to tiles", self.tiles.len(), counted(|node| node.tiles))?;
        let indices = crossings(&self.inside, SegmentInsideLink::crossings)
            .saturating_add(crossings(&self.groups, SegmentGroupLink::crossings))
            .saturating_add(crossings(&self.tiles, SegmentTileLink::crossings));
        paired("node indices of links", self.indices.len(), indices)?;
        let mut rest = Links::of(self);
        let bytes = self
            .nodes
            .iter()
            .fold(0, |sum: usize, node| sum.next_multiple_of(2).saturating_add(rest.next(node).byte_len()));
        within("bytes of coarse links", bytes, SEGMENT_LINKS)?;
        Ok(graph_parts(self.nodes.len())[1].saturating_add(bytes))
    }

    fn write(&self, len: usize, out: &mut Out<'_>) {
        let [nodes, links] = graph_parts(self.nodes.len());
        let [a, b, c] = self.unknown;
        [32, nodes as u32, links as u32, a, len as u32].iter().for_each(|v| out.u32(*v));
        out.u16(self.nodes.len() as u16);
        out.u32(b);
        out.u16(self.indices.len() as u16);
        out.u32(c);
        out.records(&self.positions);
        out.align(16);
        let (mut rest, mut offset) = (Links::of(self), 0_usize);
        for node in &self.nodes {
            offset = offset.next_multiple_of(2);
            let word = (offset >> 1) as u32 & 0xF_FFFF
                | u32::from(node.unknown_bits & 0xF) << 20
                | u32::from(node.inside) << 24;
            out.u32(word);
            node.islands.iter().for_each(|island| out.u16(*island));
            out.raw(&[node.groups, node.tiles]);
            offset = offset.saturating_add(rest.next(node).byte_len());
        }
        out.align(16);
        let mut rest = Links::of(self);
        for node in &self.nodes {
            out.align(2);
            let links = rest.next(node);
            out.records(links.inside);
            out.records(links.groups);
            out.records(links.tiles);
            out.raw(links.indices);
        }
    }
}
