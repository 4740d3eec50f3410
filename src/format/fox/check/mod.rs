//! Compares a file with every statement of `docs/formats/fox.md` that was verified on the game's files.
//!
//! If the parts of a file merely lie elsewhere than the game's tools put them (other offsets, another order, padding),
//! the file *deviates*. If its parts contradict each other, it gets a warning or an error. Files of Obj2Nav2 are known
//! by their opaque id, and the habits of that tool (section 15.2 of that page) are deviations too.
//!
//! Each code gives one finding a group, with the first place and how many more there are.

#![forbid(unsafe_code)]

mod graph;
mod islands;
mod layout;
mod mesh;
mod search;
mod world;

use super::flags::EntryKind;
use super::record::{FaceIndex, GroupId, Position, SegmentIndex};
use super::view::{Corners, Face, FoxNav, Group};
use crate::error::Result;
use crate::finding::{Finding, Severity};
use std::ops::Range;

/// Checks a file that a survey has walked to its end.
pub(super) fn check(nav: FoxNav<'_>, found: &mut dyn FnMut(Finding)) -> Result<()> {
    let mut tally = Tally::new(nav.is_obj2nav2(), found);
    layout::file(nav, &mut tally)?;
    let mut groups = Vec::new();
    for group in nav.groups() {
        groups.push(Prepared::of(group?));
    }
    groups.sort_by_key(|group| group.id());
    let groups = Groups(groups);
    for group in &groups.0 {
        layout::group(nav, group, &mut tally)?;
        mesh::check(group, &groups, &mut tally)?;
        world::check(group, &groups, &mut tally)?;
        graph::check(group, &groups, &mut tally)?;
        tally.flush();
    }
    islands::check(nav, &groups, &mut tally)?;
    tally.flush();
    search::check(nav, &groups, &mut tally)?;
    tally.flush();
    Ok(())
}

/// Findings of one group. Until they are flushed, they are gathered into one for each code.
pub(super) struct Tally<'f> {
    found: &'f mut dyn FnMut(Finding),
    seen: Vec<(Finding, u64)>,
    tool: bool,
}

/// Where a finding is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    record: Option<(&'static str, usize)>,
    at: u64,
    point: Option<[f32; 3]>,
}

impl Place {
    /// The same, with its position in the world: metres, y up.
    pub(super) fn around(self, point: Option<[f32; 3]>) -> Self {
        Self { point, ..self }
    }
}

pub(super) fn at(at: u64) -> Place {
    Place { record: None, at, point: None }
}

pub(super) fn record(kind: &'static str, index: usize, at: u64) -> Place {
    Place { record: Some((kind, index)), at, point: None }
}

impl<'f> Tally<'f> {
    fn new(tool: bool, found: &'f mut dyn FnMut(Finding)) -> Self {
        Self { found, seen: Vec::new(), tool }
    }

    /// Reports what lies elsewhere than the game's tools put it.
    pub(super) fn deviation(&mut self, code: &'static str, place: Place, message: impl FnOnce() -> String) {
        self.note(Severity::Deviation, code, place, message);
    }

    /// Reports that two parts of the file contradict each other. In a file of Obj2Nav2 this is a deviation, since the
    /// tool writes it so.
    pub(super) fn warning(&mut self, code: &'static str, place: Place, message: impl FnOnce() -> String) {
        let severity = if self.tool { Severity::Deviation } else { Severity::Warning };
        self.note(severity, code, place, message);
    }

    #[cold]
    pub(super) fn note(
        &mut self,
        severity: Severity,
        code: &'static str,
        place: Place,
        message: impl FnOnce() -> String,
    ) {
        if let Some((_, more)) = self.seen.iter_mut().find(|(finding, _)| finding.code == code) {
            *more = more.saturating_add(1);
            return;
        }
        let mut finding = Finding::new(severity, code, message()).at(place.at).placed(place.point);
        if let Some((kind, index)) = place.record {
            finding = finding.in_record(kind, index as u64);
        }
        self.seen.push((finding, 0));
    }

    fn flush(&mut self) {
        for (mut finding, more) in self.seen.drain(..) {
            if more > 0 {
                finding.message.push_str(&format!(" (and {more} more)"));
            }
            (self.found)(finding);
        }
    }
}

/// All groups of the file, by id.
pub(super) struct Groups<'a>(Vec<Prepared<'a>>);

impl<'a> Groups<'a> {
    /// The group of this id. A split tile also refers to groups in its other part, which are not found here.
    pub(super) fn find(&self, id: GroupId) -> Option<&Prepared<'a>> {
        self.0.binary_search_by_key(&id, Prepared::id).ok().and_then(|at| self.0.get(at))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Prepared<'a>> {
        self.0.iter()
    }
}

/// A group, and the segment of each of its faces.
pub(super) struct Prepared<'a> {
    pub(super) group: Group<'a>,
    face_segments: Vec<Option<SegmentIndex>>,
    /// Nodes of each segment.
    nodes: Vec<Range<usize>>,
}

impl<'a> Prepared<'a> {
    fn of(group: Group<'a>) -> Self {
        let mut face_segments = vec![None; group.mesh().descriptors().len()];
        let segments = group.segment_chunk().segments();
        let mut nodes = Vec::with_capacity(segments.len());
        for (index, segment) in (0..=u16::MAX).zip(segments) {
            for face in face_segments.get_mut(segment.faces()).unwrap_or_default() {
                face.get_or_insert(SegmentIndex(index));
            }
            nodes.push(group.segment_nodes(SegmentIndex(index)));
        }
        Self { group, face_segments, nodes }
    }

    pub(super) fn id(&self) -> GroupId {
        self.group.id()
    }

    /// The place of a node of the fine graph.
    pub(super) fn node_point(&self, node: usize) -> Option<[f32; 3]> {
        let position = self.group.world().positions().get(node)?;
        Some(self.group.frame().world(position))
    }

    /// The place of a segment's node in the coarse graph.
    pub(super) fn segment_point(&self, segment: usize) -> Option<[f32; 3]> {
        let position = self.group.segment_graph().positions().get(segment)?;
        Some(self.group.frame().world(position))
    }

    /// The place of a face's first corner.
    pub(super) fn face_point(&self, face: FaceIndex) -> Option<[f32; 3]> {
        let (_, corners) = self.face(face)?;
        let vertex = self.group.mesh().vertices().get(usize::from(*corners.as_slice().first()?))?;
        Some(self.group.frame().world(vertex))
    }

    pub(super) fn segment_of(&self, face: FaceIndex) -> Option<SegmentIndex> {
        self.face_segments.get(face.index()).copied().flatten()
    }

    pub(super) fn nodes_of(&self, segment: SegmentIndex) -> Range<usize> {
        self.nodes.get(segment.index()).cloned().unwrap_or_default()
    }

    /// A face's record and its corners as vertices of the group.
    pub(super) fn face(&self, index: FaceIndex) -> Option<(Face<'a>, Corners)> {
        let mesh = self.group.mesh();
        let face = mesh.face(index).ok()?;
        let segment = self.segment_of(index)?;
        let base = self.group.segment_chunk().segments().get(segment.index())?.vertices().start;
        Some((face, Corners::new(base, face.corners(), mesh.vertices().len())?))
    }

    /// The positions at the ends of a side.
    pub(super) fn side(&self, corners: Corners, side: usize) -> Option<[&'a Position; 2]> {
        let corners = corners.as_slice();
        let next = side.checked_add(1)?.checked_rem(corners.len())?;
        let vertex = |corner: usize| self.group.mesh().vertices().get(usize::from(*corners.get(corner)?));
        Some([vertex(side)?, vertex(next)?])
    }

    /// Offset in the file of the entry of this kind.
    pub(super) fn entry_offset(&self, nav: FoxNav<'_>, kind: EntryKind) -> u64 {
        let found = nav.entries().flatten().find(|e| e.kind() == kind && e.id().group() == self.id());
        found.map_or(0, |entry| entry.offset())
    }
}

/// The next multiple of 16.
pub(super) fn align16(offset: u64) -> u64 {
    offset.checked_next_multiple_of(16).unwrap_or(u64::MAX)
}
