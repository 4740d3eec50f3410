//! Segments, and the numbering of their contents.

use super::BuildReport;
use super::facet::Facet;
use super::report::Crowded;
use super::sides::{Across, FaceSide, Odd, Side, neighbours, pair, sides};
use crate::buf::{FaceBuf, MeshBuf, NodeBuf, WorldBuf};
use crate::record::{Bounds, InsideLink, NavEdge, NodeIndex, PackedId, Position, Segment, SegmentIndex};
use crate::view::Frame;
use crate::write::{FACES, SEGMENTS};
use navmap_core::error::{Error, Result};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

/// The most faces of a segment: three edges each, counted in 8 bits.
const MOST_FACES: usize = 85;

/// The facets of a group in the order of its faces, divided into segments.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) id: PackedId,
    pub(super) facets: Vec<Facet>,
    /// What each side of each facet adjoins.
    pub(super) across: Vec<[Across; 3]>,
    /// The facets of every segment.
    pub(super) segments: Vec<Range<usize>>,
    /// The segment of every facet.
    pub(super) segment_of: Vec<u16>,
}

impl Draft {
    /// Divides facets into segments: by sector and attribute, then into connected pieces of at most 85 faces.
    pub(super) fn number(
        id: PackedId,
        mut facets: Vec<Facet>,
        frame: &Frame,
        report: &mut BuildReport,
    ) -> Result<Self> {
        let located = |error: Error| error.in_record("group", u64::from(id.index()));
        if facets.len() > FACES {
            let why = format!("{}, {FACES} fit", facets.len());
            return Err(located(Error::invalid("faces", why)));
        }
        let key = |facet: &Facet| (facet.cell, facet.attribute);
        facets.sort_by_key(key);
        let across = pair(&facets, &mut |odd| match odd {
            Odd::Crowded(faces, a, b) => {
                report.crowded = report.crowded.saturating_add(1);
                report.first_crowded.get_or_insert_with(|| Crowded::new(faces, frame, a, b));
            }
            Odd::Folded(sides) => report.folded = report.folded.saturating_add(sides),
        });
        // The old number of each face at its new index.
        let mut order: Vec<u32> = Vec::with_capacity(facets.len());
        let mut segments = Vec::new();
        let mut taken = vec![false; facets.len()];
        let mut open = VecDeque::new();
        for first in 0..facets.len() {
            if taken.get(first) != Some(&false) {
                continue;
            }
            let from = order.len();
            let own = facets.get(first).map(key);
            open.clear();
            open.push_back(first as u32);
            taken.get_mut(first).into_iter().for_each(|taken| *taken = true);
            while let Some(face) = open.pop_front() {
                order.push(face);
                for across in across.get(face as usize).into_iter().flatten() {
                    if let Across::Face(FaceSide { face: next, .. }) = across
                        && order.len().saturating_sub(from).saturating_add(open.len()) < MOST_FACES
                        && facets.get(*next as usize).map(key) == own
                        && let Some(taken) = taken.get_mut(*next as usize).filter(|taken| !**taken)
                    {
                        *taken = true;
                        open.push_back(*next);
                    }
                }
            }
            // Faces keep their order in the segment.
            order.get_mut(from..).unwrap_or_default().sort_unstable();
            segments.push(from..order.len());
        }
        if segments.len() > SEGMENTS {
            let why = format!("{}, {SEGMENTS} fit: raise --sector", segments.len());
            return Err(located(Error::invalid("segments", why)));
        }
        let mut now = vec![0_u32; facets.len()];
        for (new, old) in (0_u32..).zip(&order) {
            now.get_mut(*old as usize).into_iter().for_each(|slot| *slot = new);
        }
        let moved = |across: &Across| match across {
            Across::Face(FaceSide { face, side }) => {
                Across::Face(FaceSide { face: now.get(*face as usize).copied().unwrap_or(0), side: *side })
            }
            other => *other,
        };
        let across: Vec<[Across; 3]> = order
            .iter()
            .map(|old| across.get(*old as usize).map_or([Across::Border; 3], |all| all.each_ref().map(moved)))
            .collect();
        let facets = order.iter().filter_map(|old| facets.get(*old as usize).copied()).collect();
        let segment_of =
            (0..=u16::MAX).zip(&segments).flat_map(|(n, range)| range.clone().map(move |_| n)).collect();
        Ok(Self { id, facets, across, segments, segment_of })
    }

    /// The segment of a face.
    pub(super) fn segment(&self, face: u32) -> u16 {
        self.segment_of.get(face as usize).copied().unwrap_or(u16::MAX)
    }
}

/// A group with all of its numbers, but without links between segments.
#[derive(Debug)]
pub(super) struct Numbered {
    pub(super) world: WorldBuf,
    pub(super) mesh: MeshBuf,
    pub(super) bounds: Vec<Bounds>,
    pub(super) segments: Vec<Segment>,
    /// The nodes of each face, numbered in the group.
    pub(super) nodes: Vec<[u16; 3]>,
}

impl Numbered {
    pub(super) fn new(draft: &Draft, frame: &Frame) -> Result<Self> {
        let faces = draft.facets.len();
        let mut own = Self {
            world: WorldBuf::default(),
            mesh: MeshBuf::default(),
            bounds: Vec::with_capacity(draft.segments.len()),
            segments: Vec::with_capacity(draft.segments.len()),
            nodes: vec![[u16::MAX; 3]; faces],
        };
        own.world.edges.reserve(faces.saturating_mul(3));
        own.mesh.faces.reserve(faces);
        let mut vertices = HashMap::new();
        for (index, range) in (0..=u16::MAX).zip(&draft.segments) {
            own.segment(draft, frame, SegmentIndex(index), range, &mut vertices)
                .map_err(|error| error.in_record("group", u64::from(draft.id.index())))?;
        }
        own.link();
        Ok(own)
    }

    fn segment(
        &mut self,
        draft: &Draft,
        frame: &Frame,
        segment: SegmentIndex,
        range: &Range<usize>,
        vertices: &mut HashMap<[u16; 3], u8>,
    ) -> Result<()> {
        vertices.clear();
        let first = |len: usize, what: &'static str| {
            u16::try_from(len).map_err(|_| Error::invalid(what, format!("{len}, 65535 fit")))
        };
        let bases = [
            first(self.mesh.vertices.len(), "vertices")?,
            first(range.start, "faces")?,
            first(self.world.edges.len(), "edges")?,
            first(self.world.nodes.len(), "nodes")?,
        ];
        let [vertex_base, _, _, node_base] = bases.map(usize::from);
        let facets = draft.facets.get(range.clone()).unwrap_or_default();
        let across = draft.across.get(range.clone()).unwrap_or_default();
        let (mut min, mut max) = ([u16::MAX; 3], [0_u16; 3]);
        for (face, (facet, across)) in range.clone().zip(facets.iter().zip(across)) {
            let mut corners = [0; 3];
            for (corner, at) in corners.iter_mut().zip(facet.corners) {
                let next = self.mesh.vertices.len().saturating_sub(vertex_base);
                *corner = match vertices.get(&at) {
                    Some(known) => *known,
                    None => {
                        let local = u8::try_from(next).map_err(|_| {
                            Error::invalid("vertices of a segment", format!("{next}, 255 fit"))
                        })?;
                        vertices.insert(at, local);
                        self.mesh.vertices.push(Position::new(at));
                        min.iter_mut().zip(at).for_each(|(to, v)| *to = v.min(*to));
                        max.iter_mut().zip(at).for_each(|(to, v)| *to = v.max(*to));
                        local
                    }
                };
            }
            let mut nodes = [0_u16; 3];
            for ((node, across), (a, b)) in nodes.iter_mut().zip(across).zip(sides(facet)) {
                // The neighbour's node, if it is numbered already.
                let shared = match across {
                    Across::Face(FaceSide { face: other, side }) if draft.segment(*other) == segment.0 => {
                        self.nodes.get(*other as usize).and_then(|n| n.get(usize::from(*side))).copied()
                    }
                    _ => None,
                };
                *node = match shared.filter(|shared| *shared != u16::MAX) {
                    Some(shared) => shared,
                    None => {
                        let new = first(self.world.nodes.len(), "nodes")?;
                        let ([ax, ay, az], [bx, by, bz]) = (a, b);
                        let middle = [u16::midpoint(ax, bx), u16::midpoint(ay, by), u16::midpoint(az, bz)];
                        self.world.positions.push(Position::new(middle));
                        self.world.nodes.push(NodeBuf::new(segment));
                        self.world.faces.push(0.into());
                        new
                    }
                };
                // A node's face is the last one that names it.
                if let Some(reference) = self.world.faces.get_mut(usize::from(*node)) {
                    reference.set(face as u16);
                }
            }
            self.nodes.get_mut(face).into_iter().for_each(|slot| *slot = nodes);
            let local = nodes.map(|node| usize::from(node).saturating_sub(node_base) as u8);
            self.mesh.faces.push(FaceBuf::triangle(segment, corners, local));
            self.edges(segment, nodes, node_base, frame);
        }
        let count = |len: usize, base: usize| u8::try_from(len.saturating_sub(base)).unwrap_or(u8::MAX);
        let [_, _, edge_base, _] = bases.map(usize::from);
        let counts = [
            count(self.mesh.vertices.len(), vertex_base),
            count(range.len(), 0),
            count(self.world.edges.len(), edge_base),
            count(self.world.nodes.len(), node_base),
        ];
        self.bounds.push(Bounds::new(min, max));
        self.segments.push(Segment::new(bases, counts));
        self.world.attributes.push(facets.first().map_or(0, |facet| facet.attribute).into());
        Ok(())
    }

    /// The edges of a face: pairs of its nodes, in order.
    fn edges(&mut self, segment: SegmentIndex, nodes: [u16; 3], base: usize, frame: &Frame) {
        let [a, b, c] = nodes;
        let mut pairs = [(a.min(b), a.max(b)), (a.min(c), a.max(c)), (b.min(c), b.max(c))];
        pairs.sort_unstable();
        for (a, b) in pairs {
            let ends =
                [a, b].map(|node| self.world.positions.get(usize::from(node)).copied().unwrap_or_default());
            let local = [a, b].map(|node| usize::from(node).saturating_sub(base) as u8);
            self.world.edges.push(NavEdge::new(weight(ends, frame), segment, local));
        }
    }

    /// Derives every node's links from the edges.
    fn link(&mut self) {
        let mut links = vec![(0_usize, [InsideLink::default(); 4]); self.world.nodes.len()];
        let bases = &self.segments;
        for (number, edge) in (0..=u16::MAX).zip(&self.world.edges) {
            let base = bases.get(edge.segment().index()).map_or(0, |segment| segment.nodes().start);
            let [a, b] = edge.local_nodes().map(|local| base.saturating_add(usize::from(local)));
            for (from, to) in [(a, b), (b, a)] {
                let Some((count, list)) = links.get_mut(from) else { continue };
                if let Some(link) = list.get_mut(*count) {
                    *link = InsideLink::new(NodeIndex(to as u16), number);
                    *count = count.saturating_add(1);
                }
            }
        }
        for (node, (count, list)) in std::mem::take(&mut self.world.nodes).into_iter().zip(&links) {
            self.world.push_node(node, list.get(..*count).unwrap_or_default(), None);
        }
    }
}

/// The length between two positions in weight units, truncated.
pub(crate) fn weight([a, b]: [Position; 2], frame: &Frame) -> u16 {
    (distance_squared(metres(&a, frame), metres(&b, frame)).sqrt() * f64::from(frame.weight_divisor)) as u16
}

/// A position in metres from the origin.
pub(super) fn metres(position: &Position, frame: &Frame) -> [f64; 3] {
    let ([x, y, z], [dx, dy, dz]) = (position.quantised().map(f64::from), frame.divisors.map(f64::from));
    [x / dx, y / dy, z / dz]
}

pub(super) fn distance_squared([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> f64 {
    (ax - bx) * (ax - bx) + (ay - by) * (ay - by) + (az - bz) * (az - bz)
}

/// Joins sides without a partner in their own group: those of different groups at the same place.
pub(super) fn across_groups(drafts: &mut [Draft]) {
    if drafts.len() < 2 {
        return;
    }
    let mut all = Vec::new();
    for (group, draft) in (0_u16..).zip(drafts.iter()) {
        for (face, (facet, across)) in (0_u32..).zip(draft.facets.iter().zip(&draft.across)) {
            for (side, (ends, there)) in (0_u8..).zip(sides(facet).into_iter().zip(across)) {
                if *there == Across::Border {
                    all.push(Side::new(ends, group, face, side));
                }
            }
        }
    }
    all.sort_unstable();
    // The unpaired faces of one group at a side all traverse it in the same direction, so both of a pair are of different groups.
    for (a, b) in
        all.chunk_by(|a, b| a.ends == b.ends).flat_map(neighbours).filter(|(a, b)| a.group != b.group)
    {
        for (from, to) in [(a, b), (b, a)] {
            let place = Across::Group(to.group, FaceSide { face: to.face, side: to.side });
            let slot =
                drafts.get_mut(usize::from(from.group)).and_then(|d| d.across.get_mut(from.face as usize));
            if let Some(slot) = slot.and_then(|f| f.get_mut(usize::from(from.side))) {
                *slot = place;
            }
        }
    }
}
