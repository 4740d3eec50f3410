//! The four entries of a group. `docs/formats/fox.md`, sections 4 to 7.

use super::limit::{FACE_DATA, FACES, ITEMS, NODE_LINKS, SEGMENT_LINKS, SEGMENTS, paired, within};
use super::out::{Out, align16, copy};
use crate::buf::{FaceBuf, GroupBuf, MeshBuf, SegmentGraphBuf, SegmentNodeBuf, WorldBuf};
use crate::flags::EntryKind;
use crate::record::{SegmentGroupLink, SegmentInsideLink, SegmentTileLink};
use navmap_core::bytes::prefetch;
use navmap_core::error::Result;
use zerocopy::IntoBytes;

/// Brings a list closer.
fn warm<T>(list: &[T]) {
    (0..size_of_val(list)).step_by(64).for_each(|line| prefetch(list, line));
}

impl GroupBuf {
    /// Prefetches all lists. A group has a dozen of them, most of them short; when the tile is not in the cache, each would start
    /// with a wait for memory.
    pub(super) fn warm(&self) {
        let (world, mesh, graph) = (&self.world, &self.mesh, &self.graph);
        warm(&world.nodes);
        warm(&world.positions);
        warm(&world.links);
        warm(&world.edges);
        warm(&world.attributes);
        warm(&world.faces);
        mesh.faces.warm(warm);
        warm(&mesh.vertices);
        warm(&self.bounds);
        warm(&self.segments);
        warm(&graph.nodes);
        warm(&graph.inside);
        warm(&graph.groups);
        warm(&graph.tiles);
        warm(&graph.indices);
        warm(&graph.positions);
    }

    /// The length of a payload before padding. Checks everything in it against the format's limits.
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

/// The start of a SegmentChunk's segments, and its length.
fn chunk_parts(segments: usize) -> [usize; 2] {
    let records = segments.saturating_mul(12);
    let at = align16(records.saturating_add(16));
    [at, align16(at.saturating_add(records))]
}

/// Offsets of a NavWorld's parts after its head: nodes, links, edges, attributes, face references, and the end.
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
    fn measure(&self, segments: usize) -> Result<usize> {
        let n = self.nodes.len();
        within("nodes", n, ITEMS)?;
        within("edges", self.edges.len(), ITEMS)?;
        within("attributes", self.attributes.len(), SEGMENTS.max(segments))?;
        paired("node positions", self.positions.len(), n)?;
        paired("face references", self.faces.len(), n)?;
        let links = self.nodes.iter().fold(0, |sum: u32, node| sum.wrapping_add(node.halfwords()));
        paired("halfwords of links", self.links.len(), links as usize)?;
        let links = within("bytes of link records", size_of_val(self.links.as_slice()), NODE_LINKS)?;
        let [.., end] = world_parts(self, links);
        Ok(end)
    }

    fn write(&self, out: &mut Out<'_>) {
        let [nodes, links, edges, attributes, faces, _] =
            world_parts(self, size_of_val(self.links.as_slice()));
        let [a, b, c, d, e, f] = self.unknown;
        [48, nodes, edges, links].iter().for_each(|v| out.u32(*v as u32));
        [a, b, attributes as u32, c, faces as u32].iter().for_each(|v| out.u32(*v));
        out.u16(self.nodes.len() as u16);
        out.u16(self.edges.len() as u16);
        [d, e, f].iter().for_each(|v| out.u16(*v as u16));
        out.u16(self.attributes.len() as u16);
        out.records(&self.positions);
        out.align(16);
        let mut at = 0_u32;
        for (record, node) in out.rest().as_chunks_mut::<6>().0.iter_mut().zip(&self.nodes) {
            let ([a, b], [c, d, e, f]) = ((at as u16).to_le_bytes(), node.word().to_le_bytes());
            *record = [a, b, c, d, e, f];
            at = at.wrapping_add(node.halfwords());
        }
        out.skip(self.nodes.len().saturating_mul(6));
        out.align(16);
        out.records(&self.links);
        out.align(16);
        out.records(&self.edges);
        out.align(16);
        out.records(&self.attributes);
        out.align(16);
        out.records(&self.faces);
    }
}

/// The start of a NavmeshChunk's descriptors and face data.
fn mesh_parts(mesh: &MeshBuf) -> [usize; 2] {
    let descriptors = align16(mesh.vertices.len().saturating_mul(6).saturating_add(32));
    [descriptors, descriptors.saturating_add(mesh.faces.len() << 2)]
}

impl MeshBuf {
    fn measure(&self) -> Result<usize> {
        within("vertices", self.vertices.len(), ITEMS)?;
        within("faces", self.faces.len(), FACES)?;
        let data = within("bytes of face records", self.faces.stored_len(), FACE_DATA)?;
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
        for (descriptor, (row, wide)) in descriptors.as_chunks_mut::<4>().0.iter_mut().zip(self.faces.rows())
        {
            let word = (offset >> 1) as u32 & 0x3_FFFF | row.segment() << 20;
            let to = data.get_mut(offset..).unwrap_or_default();
            if let Some(face) = wide {
                let kinds = u32::from(face.quad) << 18 | u32::from(face.four_nodes) << 19;
                *descriptor = (word | kinds).to_le_bytes();
                offset = offset.saturating_add(face.write(to));
                continue;
            }
            *descriptor = word.to_le_bytes();
            to.first_chunk_mut().into_iter().for_each(|to| *to = row.record());
            offset = offset.saturating_add(16);
        }
        out.skip((self.faces.len() << 2).saturating_add(offset));
    }
}

impl FaceBuf {
    /// Writes the record, and returns its padded length, with padding relative to the first face.
    #[cold]
    fn write(&self, to: &mut [u8]) -> usize {
        let (sides, nodes) = (self.sides(), if self.four_nodes { 4 } else { 3 });
        let ([a, b, c, d], [e, f, g, h]) = (self.corners, self.nodes);
        let words = self.neighbour_words().to_le_bytes();
        let mut at = 0_usize;
        let mut put = |bytes: &[u8]| {
            copy(to, at, bytes);
            at = at.saturating_add(bytes.len());
        };
        put(words.get(..sides << 1).unwrap_or_default());
        put([a, b, c, d].get(..sides).unwrap_or_default());
        put([e, f, g, h].get(..nodes).unwrap_or_default());
        if self.is_crossing() {
            for ids in [self.groups, self.tiles] {
                put(ids.map(u16::to_le_bytes).as_flattened().get(..sides << 1).unwrap_or_default());
            }
        }
        at.next_multiple_of(16)
    }
}

/// The number of node indices of the next links.
fn crossings<T>(links: &[T], crossings: impl Fn(&T) -> usize) -> usize {
    links.iter().map(crossings).fold(0, usize::saturating_add)
}

/// The remaining lists of a coarse graph.
struct Links<'g> {
    inside: &'g [SegmentInsideLink],
    groups: &'g [SegmentGroupLink],
    tiles: &'g [SegmentTileLink],
    indices: &'g [u8],
}

#[inline]
fn take<'g, T>(list: &mut &'g [T], count: usize) -> &'g [T] {
    let (these, rest) = list.split_at_checked(count).unwrap_or((list, &[]));
    *list = rest;
    these
}

impl<'g> Links<'g> {
    fn new(graph: &'g SegmentGraphBuf) -> Self {
        Self { inside: &graph.inside, groups: &graph.groups, tiles: &graph.tiles, indices: &graph.indices }
    }

    /// The links of the next node.
    #[inline]
    fn next(&mut self, node: &SegmentNodeBuf) -> Self {
        let inside = take(&mut self.inside, usize::from(node.inside));
        let groups = take(&mut self.groups, usize::from(node.groups));
        let tiles = take(&mut self.tiles, usize::from(node.tiles));
        let count = crossings(inside, SegmentInsideLink::crossings)
            .saturating_add(crossings(groups, SegmentGroupLink::crossings))
            .saturating_add(crossings(tiles, SegmentTileLink::crossings));
        Self { inside, groups, tiles, indices: take(&mut self.indices, count) }
    }

    #[inline]
    fn byte_len(&self) -> usize {
        size_of_val(self.inside)
            .saturating_add(size_of_val(self.groups))
            .saturating_add(size_of_val(self.tiles))
            .saturating_add(self.indices.len())
    }
}

/// The start of a SegmentGraph's nodes and links.
fn graph_parts(nodes: usize) -> [usize; 2] {
    let at = align16(nodes.saturating_mul(6).saturating_add(32));
    [at, align16(at.saturating_add(nodes.saturating_mul(12)))]
}

impl SegmentGraphBuf {
    fn measure(&self) -> Result<usize> {
        within("segment nodes", self.nodes.len(), SEGMENTS)?;
        paired("segment positions", self.positions.len(), self.nodes.len())?;
        within("node indices of links", self.indices.len(), ITEMS)?;
        let (mut rest, mut bytes, mut counts) = (Links::new(self), 0_usize, [0_usize; 3]);
        for node in &self.nodes {
            bytes = bytes.next_multiple_of(2).saturating_add(rest.next(node).byte_len());
            for (sum, count) in counts.iter_mut().zip([node.inside, node.groups, node.tiles]) {
                *sum = sum.wrapping_add(usize::from(count));
            }
        }
        let [inside, groups, tiles] = counts;
        paired("links inside the group", self.inside.len(), inside)?;
        paired("links to groups", self.groups.len(), groups)?;
        paired("links to tiles", self.tiles.len(), tiles)?;
        let indices = crossings(&self.inside, SegmentInsideLink::crossings)
            .saturating_add(crossings(&self.groups, SegmentGroupLink::crossings))
            .saturating_add(crossings(&self.tiles, SegmentTileLink::crossings));
        paired("node indices of links", self.indices.len(), indices)?;
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
        let len = links.saturating_sub(nodes);
        let Some((records, data)) = out.rest().split_at_mut_checked(len) else { return };
        let (mut rest, mut at) = (Links::new(self), 0_usize);
        for (record, node) in records.as_chunks_mut::<12>().0.iter_mut().zip(&self.nodes) {
            at = at.next_multiple_of(2);
            let [i0, i1, i2] = node.islands.map(u128::from);
            let word = (at as u128 >> 1) & 0xF_FFFF
                | u128::from(node.unknown_bits & 0xF) << 20
                | u128::from(node.inside) << 24
                | (i0 | i1 << 16 | i2 << 32) << 32
                | (u128::from(node.groups) | u128::from(node.tiles) << 8) << 80;
            word.to_le_bytes().first_chunk().into_iter().for_each(|bytes| *record = *bytes);
            let links = rest.next(node);
            let lists =
                [links.inside.as_bytes(), links.groups.as_bytes(), links.tiles.as_bytes(), links.indices];
            for list in lists.into_iter().filter(|list| !list.is_empty()) {
                copy(data, at, list);
                at = at.saturating_add(list.len());
            }
        }
        out.skip(len.saturating_add(at));
    }
}
