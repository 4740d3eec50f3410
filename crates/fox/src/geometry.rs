//! Reassembles the mesh: positions in metres, and polygons over them. `docs/formats/fox.md`, section 5.1.

use super::record::Position;
use super::view::{FoxNav, Frame, Group, SegmentView};
use navmap_core::error::{Error, ErrorKind, Result};
use std::collections::HashMap;

/// The treatment of vertices at the same position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weld {
    /// They stay as stored, so that every segment has its own. This gives the mesh of Nav2Parser, vertex for vertex.
    #[default]
    Keep,
    /// Vertices of one file with equal quantised positions become one, across segments and groups.
    Positions,
}

/// Collects the positions and polygons of added segments, groups and files. Buffers are reused: after [`clear`](Self::clear) the
/// same work allocates nothing.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::bytes::Backing;
/// use navmap::format::fox::{FoxNav, Geometry, Weld};
///
/// let bytes = Backing::snapshot("corpus/fox/quads.nav2")?;
/// let nav = FoxNav::parse(&bytes)?;
/// let (mut kept, mut welded) = (Geometry::new(Weld::Keep), Geometry::new(Weld::Positions));
/// kept.add_file(&nav)?;
/// welded.add_file(&nav)?;
/// assert_eq!((kept.len(), kept.positions().len()), (welded.len(), 80));
/// assert_eq!(welded.positions().len(), 49);
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    weld: Weld,
    positions: Vec<[f32; 3]>,
    corners: Vec<u32>,
    ends: Vec<u32>,
    known: HashMap<[u16; 3], u32>,
    frame: Option<Frame>,
    /// Vertices of the current segment as indices of `positions`.
    local: Vec<u32>,
}

impl Geometry {
    /// Nothing yet.
    pub fn new(weld: Weld) -> Self {
        Self { weld, ..Self::default() }
    }

    /// Removes everything but keeps the memory.
    pub fn clear(&mut self) {
        self.positions.clear();
        self.corners.clear();
        self.ends.clear();
        self.known.clear();
        self.frame = None;
    }

    /// Positions in metres, y up, in the game's axes.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Number of faces.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no faces.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The faces, each as three or four indices of [`positions`](Self::positions).
    pub fn faces(&self) -> impl Iterator<Item = &[u32]> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, end)| self.corners.get(start as usize..*end as usize).unwrap_or_default())
    }

    /// Adds a segment: its vertices (only new ones if vertices are welded), then its faces.
    ///
    /// # Errors
    /// If a face cannot be read, or names a vertex outside its segment. Earlier additions stay.
    pub fn add_segment(&mut self, frame: Frame, segment: &SegmentView<'_>) -> Result<()> {
        if self.frame != Some(frame) {
            self.known.clear();
            self.frame = Some(frame);
        }
        self.local.clear();
        for vertex in segment.vertices() {
            let index = self.add_vertex(frame, vertex)?;
            self.local.push(index);
        }
        for face in segment.faces() {
            let face = face?;
            let from = self.corners.len();
            for corner in face.face.corners() {
                let Some(vertex) = self.local.get(usize::from(*corner)) else {
                    self.corners.truncate(from);
                    let (index, len) = (u64::from(*corner), self.local.len() as u64);
                    return Err(Error::new(ErrorKind::OutOfRange { what: "corner", index, len })
                        .in_record("face", u64::from(face.index.0)));
                };
                self.corners.push(*vertex);
            }
            self.ends.push(index_of(self.corners.len())?);
        }
        Ok(())
    }

    fn add_vertex(&mut self, frame: Frame, vertex: &Position) -> Result<u32> {
        let next = index_of(self.positions.len())?;
        if self.weld == Weld::Positions {
            let index = *self.known.entry(vertex.quantised()).or_insert(next);
            if index != next {
                return Ok(index);
            }
        }
        self.positions.push(frame.world(vertex));
        Ok(next)
    }

    /// Adds the segments of a group.
    ///
    /// # Errors
    /// Those of [`add_segment`](Self::add_segment).
    pub fn add_group(&mut self, group: &Group<'_>) -> Result<()> {
        for segment in group.segments() {
            let segment = segment.and_then(|segment| self.add_segment(group.frame(), &segment));
            segment.map_err(|error| error.in_record("group", u64::from(group.id().0)))?;
        }
        Ok(())
    }

    /// Adds the groups of a file.
    ///
    /// # Errors
    /// Those of [`add_segment`](Self::add_segment), and if a group cannot be read.
    pub fn add_file(&mut self, nav: &FoxNav<'_>) -> Result<()> {
        for group in nav.groups() {
            self.add_group(&group?)?;
        }
        Ok(())
    }
}

fn index_of(len: usize) -> Result<u32> {
    let limit =
        || Error::new(ErrorKind::Limit { what: "vertices", asked: len as u64, allowed: u64::from(u32::MAX) });
    u32::try_from(len).map_err(|_| limit())
}
