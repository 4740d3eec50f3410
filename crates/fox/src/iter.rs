//! Lazy walks over parts of variable length. They allocate nothing, always advance, and end after an error, except for
//! [`Groups`], whose items are independent. Each method that starts a walk is next to it.

use super::flags::EntryKind;
use super::record::{FaceDescriptor, FaceIndex, Segment, SegmentIndex};
use super::view::{
    Corners, Entries, Face, FoxNav, Group, GroupFace, IslandGraph, NavmeshChunk, SegmentView, Stretch,
};
use navmap_core::error::{Error, ErrorKind, Result};
use std::iter::FusedIterator;
use std::ops::Range;

impl<'a> FoxNav<'a> {
    /// The groups, in the order of their NavWorld entries: strips, body, or the body of a split part. No file seen has more than
    /// 6; an empty part has none.
    pub fn groups(&self) -> Groups<'a> {
        Groups::new(*self)
    }

    /// The island graphs (Section2). Most files have three, boss variants one, later parts of a split tile none.
    pub fn island_graphs(&self) -> IslandGraphs<'a> {
        let at = self.header().islands_offset();
        let count = if at == 0 { 0 } else { self.header().island_graphs() };
        IslandGraphs::new(Stretch::new(self.bytes(), 0), u64::from(at), count)
    }
}

/// The groups of a file. A group that cannot be read yields one error, and the walk continues with the next.
#[derive(Clone, Debug)]
pub struct Groups<'a> {
    nav: FoxNav<'a>,
    entries: Entries<'a>,
}

impl<'a> Groups<'a> {
    fn new(nav: FoxNav<'a>) -> Self {
        Self { nav, entries: nav.entries() }
    }
}

impl<'a> Iterator for Groups<'a> {
    type Item = Result<Group<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.entries.next()? {
                Ok(entry) if entry.kind() != EntryKind::NavWorld => {}
                Ok(entry) => return Some(Group::gather(self.nav.frame(), self.nav.entries(), entry)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl FusedIterator for Groups<'_> {}

/// The island graphs of a file.
#[derive(Clone, Debug)]
pub struct IslandGraphs<'a> {
    file: Stretch<'a>,
    offset: u64,
    next: u8,
    count: u8,
}

impl<'a> IslandGraphs<'a> {
    fn new(file: Stretch<'a>, offset: u64, count: u8) -> Self {
        Self { file, offset, next: 0, count }
    }

    /// Offset of the next graph; after the last one, the end of the graphs.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

impl<'a> Iterator for IslandGraphs<'a> {
    type Item = Result<IslandGraph<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.count {
            return None;
        }
        let graph = self.file.after(self.offset, "island graph").and_then(IslandGraph::parse);
        let graph = graph.map_err(|error| error.in_record("island graph", u64::from(self.next)));
        match &graph {
            Ok(graph) => {
                self.next = self.next.saturating_add(1);
                self.offset = self.offset.saturating_add(u64::from(graph.header().next()));
            }
            Err(_) => self.next = self.count,
        }
        Some(graph)
    }
}

impl FusedIterator for IslandGraphs<'_> {}

impl<'a> NavmeshChunk<'a> {
    /// The faces in file order.
    #[inline]
    pub fn faces(&self) -> Faces<'a> {
        Faces::new(*self)
    }
}

/// The faces of a NavmeshChunk, in its order.
#[derive(Clone, Debug)]
pub struct Faces<'a> {
    mesh: NavmeshChunk<'a>,
    rest: &'a [FaceDescriptor],
}

impl<'a> Faces<'a> {
    fn new(mesh: NavmeshChunk<'a>) -> Self {
        Self { mesh, rest: mesh.descriptors() }
    }
}

impl<'a> Iterator for Faces<'a> {
    type Item = Result<Face<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (descriptor, rest) = self.rest.split_first()?;
        let index = self.mesh.descriptors().len().saturating_sub(self.rest.len());
        self.rest = rest;
        let face = self.mesh.face_at(descriptor);
        Some(face.map_err(|error| {
            self.rest = &[];
            error.in_record("face", index as u64)
        }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(!self.rest.is_empty()), Some(self.rest.len()))
    }
}

impl FusedIterator for Faces<'_> {}

impl<'a> Group<'a> {
    /// The segments, one by one.
    pub fn segments(&self) -> SegmentViews<'a> {
        SegmentViews::new(*self)
    }

    /// All faces, segment by segment, with corners as vertices of the whole group. This reassembles the mesh in place.
    pub fn faces(&self) -> GroupFaces<'a> {
        GroupFaces::new(*self)
    }
}

/// The segments of a group.
#[derive(Clone, Debug)]
pub struct SegmentViews<'a> {
    group: Group<'a>,
    range: Range<usize>,
}

impl<'a> SegmentViews<'a> {
    fn new(group: Group<'a>) -> Self {
        Self { group, range: 0..group.segment_chunk().segments().len() }
    }
}

impl<'a> Iterator for SegmentViews<'a> {
    type Item = Result<SegmentView<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.range.next()?;
        // Segment numbers have 12 bits, so no link can name a later segment.
        let segment = match u16::try_from(index) {
            Ok(index) => self.group.segment(SegmentIndex(index)),
            Err(_) => Err(Error::new(ErrorKind::Limit {
                what: "segments",
                asked: self.group.segment_chunk().segments().len() as u64,
                allowed: u64::from(u16::MAX),
            })),
        };
        if segment.is_err() {
            self.range = 0..0;
        }
        Some(segment)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.range.len()))
    }
}

impl FusedIterator for SegmentViews<'_> {}

impl<'a> SegmentView<'a> {
    /// Its faces.
    pub fn faces(&self) -> SegmentFaces<'a> {
        SegmentFaces::new(self.group(), self.record(), self.index())
    }
}

/// The faces of one segment.
#[derive(Clone, Debug)]
pub struct SegmentFaces<'a> {
    group: Group<'a>,
    segment: SegmentIndex,
    base: usize,
    range: Range<usize>,
}

impl<'a> SegmentFaces<'a> {
    fn new(group: Group<'a>, segment: &Segment, index: SegmentIndex) -> Self {
        Self { group, segment: index, base: segment.vertices().start, range: segment.faces() }
    }

    fn read(&self, index: usize) -> Result<GroupFace<'a>> {
        let mesh = self.group.mesh();
        let number = FaceIndex(u16::try_from(index).unwrap_or(u16::MAX));
        let face = mesh.face(number)?;
        let vertices = mesh.vertices().len();
        let Some(corners) = Corners::new(self.base, face.corners(), vertices) else {
            let last = face.corners().iter().max().map_or(0, |corner| usize::from(*corner));
            let at = mesh.descriptors().get(index).map_or(0, |d| mesh.face_offset(d));
            let kind = ErrorKind::OutOfRange {
                what: "corner",
                index: self.base.saturating_add(last) as u64,
                len: vertices as u64,
            };
            return Err(Error::new(kind).at(at).in_record("face", index as u64));
        };
        Ok(GroupFace { index: number, segment: self.segment, corners, face })
    }
}

impl<'a> Iterator for SegmentFaces<'a> {
    type Item = Result<GroupFace<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let index = self.range.next()?;
        let face = self.read(index);
        if face.is_err() {
            self.range = 0..0;
        }
        Some(face)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(!self.range.is_empty()), Some(self.range.len()))
    }
}

impl FusedIterator for SegmentFaces<'_> {}

/// All faces of a group through its segments.
#[derive(Clone, Debug)]
pub struct GroupFaces<'a> {
    segments: SegmentViews<'a>,
    faces: Option<SegmentFaces<'a>>,
}

impl<'a> GroupFaces<'a> {
    fn new(group: Group<'a>) -> Self {
        Self { segments: group.segments(), faces: None }
    }

    fn end(&mut self, error: Error) -> Option<Result<GroupFace<'a>>> {
        self.segments.range = 0..0;
        self.faces = None;
        Some(Err(error))
    }
}

impl<'a> Iterator for GroupFaces<'a> {
    type Item = Result<GroupFace<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.faces.as_mut().and_then(Iterator::next) {
                Some(Ok(face)) => return Some(Ok(face)),
                Some(Err(error)) => return self.end(error),
                None => match self.segments.next()? {
                    Ok(segment) => self.faces = Some(segment.faces()),
                    Err(error) => return self.end(error),
                },
            }
        }
    }
}

impl FusedIterator for GroupFaces<'_> {}
