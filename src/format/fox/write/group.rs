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
        let inside =
            self.nodes.iter().fold(0, |sum: usize, node| sum.saturating_add(usize::from(node.inside)));
        paired("links inside segments", self.inside.len(), inside)?;
        let links = within("bytes of link records", self.links_len(), NODE_LINKS)?;
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
        let mut offset = 0_usize;
        for node in &self.nodes {
            let (crossing, len) = node.across();
            let [o0, o1] = ((offset >> 1) as u16).to_le_bytes();
            let [s0, s1] = (node.segment.0 & 0xFFF).to_le_bytes();
            out.raw(&[o0, o1, s0, s1, node.inside, node.bits | crossing]);
            offset = offset.saturating_add(usize::from(node.inside) << 2).saturating_add(len);
        }
        out.align(16);
        let mut rest = self.inside.as_slice();
        for node in &self.nodes {
            let (inside, later) = rest.split_at_checked(usize::from(node.inside)).unwrap_or((rest, &[]));
            rest = later;
            // Nearly all have two or four. A copy whose length is known here costs less.
            match inside {
                [a, b] => {
                    out.raw(a.as_bytes());
                    out.raw(b.as_bytes());
                }
                inside => out.records(inside),
            }
            match node.crossing {
                None => {}
                Some(Crossing::Segment { node }) => out.u16(node.0),
                Some(Crossing::Group { group, node }) => {
                    out.raw([group.0, node.0].map(u16::to_le_bytes).as_flattened())
                }
                Some(Crossing::Tile { tile, group, node }) => {
                    out.raw([tile.0, group.0, node.0].map(u16::to_le_bytes).as_flattened());
                }
            }
        }
        out.align(16);
        out.records(&self.edges);
        out.align(16);
        out.records(&self.attributes);
        out.align(16);
        out.records(&self.faces);
    }
}

impl NodeBuf {
    /// The bit of the link across, and the bytes of that link.
    #[inline]
    fn across(&self) -> (u8, usize) {
        match self.crossing {
            None => (0, 0),
            Some(Crossing::Segment { .. }) => (1, 2),
            Some(Crossing::Group { .. }) => (2, 4),
            Some(Crossing::Tile { .. }) => (4, 6),
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
        let mut offset = 0_usize;
        for face in &self.faces {
            let kinds = u32::from(face.quad) << 18 | u32::from(face.four_nodes) << 19;
            out.u32((offset >> 1) as u32 & 0x3_FFFF | kinds | u32::from(face.segment.0 & 0xFFF) << 20);
            offset = offset.saturating_add(face.stored_len());
        }
        self.faces.iter().for_each(|face| face.write(out));
    }
}

impl FaceBuf {
    /// Writes the record and its padding, which counts from the first face.
    #[inline]
    fn write(&self, out: &mut Out<'_>) {
        let crossing = self.is_crossing();
        if !self.quad && !self.four_nodes {
            let mut record = [0; 32];
            let [na, nb, nc, _] = self.neighbours.map(u16::to_le_bytes);
            let ([a, b, c, _], [d, e, f, _]) = (self.corners, self.nodes);
            let sides = [na, nb, nc];
            if let Some(to) = record.first_chunk_mut::<12>() {
                let [[s0, s1], [s2, s3], [s4, s5]] = sides;
                *to = [s0, s1, s2, s3, s4, s5, a, b, c, d, e, f];
            }
            if !crossing {
                out.raw(record.first_chunk::<16>().map_or(&[], |short| short.as_slice()));
                return;
            }
            let ids = [self.groups, self.tiles].map(|[a, b, c, _]| [a, b, c].map(u16::to_le_bytes));
            let ids = ids.as_flattened().as_flattened();
            if let Some(to) = record.get_mut(12..24) {
                to.copy_from_slice(ids);
            }
            out.raw(&record);
            return;
        }
        let (from, sides, nodes) = (out.len(), self.sides(), if self.four_nodes { 4 } else { 3 });
        self.neighbours.iter().take(sides).for_each(|v| out.u16(*v));
        self.corners.iter().take(sides).for_each(|v| out.u8(*v));
        self.nodes.iter().take(nodes).for_each(|v| out.u8(*v));
        if crossing {
            self.groups.iter().take(sides).for_each(|v| out.u16(*v));
            self.tiles.iter().take(sides).for_each(|v| out.u16(*v));
        }
        out.pad_to(from.saturating_add(self.stored_len()));
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
