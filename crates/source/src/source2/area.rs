//! Areas: polygons with links over their edges.

use super::layout::Layout;
use super::record::EdgeLink;
use crate::area::in_area;
use crate::flags::Source2Attributes;
use crate::record::{AreaId, LadderId, Vec3};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use std::fmt;
use std::iter::FusedIterator;
use zerocopy::byteorder::little_endian::U32;

/// An area of a Source 2 mesh, in place: one polygon on which one hull (a size of body) may walk.
/// `docs/formats/source.md`, section 11.
#[derive(Clone, Copy)]
pub struct PolygonArea<'a> {
    index: u32,
    id: AreaId,
    attributes: u64,
    hull: u8,
    polygon: Option<u32>,
    corners: Corners<'a>,
    unknown: f32,
    edges: Edges<'a>,
    ladders_above: &'a [LadderId],
    ladders_below: &'a [LadderId],
    offsets: Offsets,
}

/// What findings point at.
#[derive(Clone, Copy)]
pub(super) struct Offsets {
    pub(super) start: u32,
    pub(super) corners: u32,
    pub(super) edges: u32,
    pub(super) ladders_above: u32,
    pub(super) ladders_below: u32,
    pub(super) end: u32,
}

#[derive(Clone, Copy)]
enum Corners<'a> {
    Own(&'a [Vec3]),
    Shared(&'a [U32], &'a [Vec3]),
}

impl Corners<'_> {
    #[inline]
    fn len(&self) -> usize {
        match self {
            Self::Own(corners) => corners.len(),
            Self::Shared(corners, _) => corners.len(),
        }
    }

    #[inline]
    fn get(&self, i: usize) -> Option<[f32; 3]> {
        let corner = match self {
            Self::Own(corners) => corners.get(i)?,
            Self::Shared(corners, vertices) => vertices.get(corners.get(i)?.get() as usize)?,
        };
        Some(corner.to_array())
    }
}

impl<'a> PolygonArea<'a> {
    pub(super) fn read(layout: &Layout<'a>, at: u32, index: u32) -> Result<Self> {
        let bytes = layout.bytes.get(at as usize..).unwrap_or_default();
        let mut cursor = Cursor::new(bytes, u64::from(at));
        Self::take(layout, &mut cursor, index).map_err(|error| in_area(error, Some(bytes), index))
    }

    fn take(layout: &Layout<'a>, cursor: &mut Cursor<'a>, index: u32) -> Result<Self> {
        let start = cursor.offset() as u32;
        let id = *cursor.record::<AreaId>("area id")?;
        let attributes = cursor.u64("attributes")?;
        let hull = cursor.u8("hull")?;
        let corners_at = cursor.offset() as u32;
        let (polygon, corners) = if layout.version >= 31 {
            let number = cursor.u32("polygon")?;
            let Some(polygon) = layout.polygon(number) else {
                let len = layout.polygons.len() as u64;
                let kind = ErrorKind::OutOfRange { what: "polygon", index: u64::from(number), len };
                return Err(Error::new(kind).at(u64::from(corners_at)));
            };
            (Some(number), Corners::Shared(polygon.vertices(), layout.vertices))
        } else {
            (None, Corners::Own(cursor.list32("corners")?))
        };
        let unknown = cursor.f32("number after the polygon")?;
        let count = corners.len();
        let edges_at = cursor.offset() as u32;
        let edges = Edges { cursor: *cursor, left: count as u32 };
        for _ in 0..count {
            cursor.list32::<EdgeLink>("connections")?;
        }
        let offset = cursor.offset();
        if (cursor.u8("hiding spot count")?, cursor.u32("encounter count")?) != (0, 0) {
            let why = "hiding spots or encounters, which Source 2 does not store here";
            return Err(Error::invalid("area", why).at(offset));
        }
        let above_at = cursor.offset() as u32;
        let ladders_above = cursor.list32("ladders above")?;
        let below_at = cursor.offset() as u32;
        let ladders_below = cursor.list32("ladders below")?;
        let end = cursor.offset() as u32;
        let offsets = Offsets {
            start,
            corners: corners_at,
            edges: edges_at,
            ladders_above: above_at,
            ladders_below: below_at,
            end,
        };
        Ok(Self {
            index,
            id,
            attributes,
            hull,
            polygon,
            corners,
            unknown,
            edges,
            ladders_above,
            ladders_below,
            offsets,
        })
    }

    /// Position in the file's list of areas, from 0.
    #[inline]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// First byte in the file.
    #[inline]
    pub fn offset(&self) -> u32 {
        self.offsets.start
    }

    /// First byte after it.
    #[inline]
    pub fn end(&self) -> u32 {
        self.offsets.end
    }

    /// Its id, unique over all hulls.
    #[inline]
    pub fn id(&self) -> AreaId {
        self.id
    }

    /// Attributes.
    #[inline]
    pub fn attributes(&self) -> Source2Attributes {
        Source2Attributes(self.attributes)
    }

    /// Number of the hull that may walk here; 0 is the player in Counter-Strike 2.
    #[inline]
    pub fn hull(&self) -> u8 {
        self.hull
    }

    /// Number of its polygon. Version 31 and later.
    #[inline]
    pub fn polygon(&self) -> Option<u32> {
        self.polygon
    }

    /// Number of corners, and of edges.
    #[inline]
    pub fn corner_count(&self) -> usize {
        self.corners.len()
    }

    /// Corner *i*. `None` past the last, or if the polygon names a vertex that does not exist.
    #[inline]
    pub fn corner(&self, i: usize) -> Option<[f32; 3]> {
        self.corners.get(i)
    }

    /// Corners in order around the polygon. A vertex that does not exist is left out.
    #[inline]
    pub fn corners(&self) -> impl Iterator<Item = [f32; 3]> + use<'a> {
        let corners = self.corners;
        (0..corners.len()).filter_map(move |i| corners.get(i))
    }

    /// Mean of the corners.
    #[inline]
    pub fn center(&self) -> [f32; 3] {
        let mut sum = [0.0; 3];
        let mut count = 0.0_f32;
        for corner in self.corners() {
            sum.iter_mut().zip(corner).for_each(|(sum, value)| *sum += value);
            count += 1.0;
        }
        sum.map(|sum| sum / count.max(1.0))
    }

    /// Size seen from above, in square units.
    #[inline]
    pub fn square_units(&self) -> f32 {
        let next = self.corners().skip(1).chain(self.corners().take(1));
        let twice = self.corners().zip(next).fold(0.0, |sum, (a, b)| sum + (a[0] * b[1] - b[0] * a[1]));
        0.5 * f32::abs(twice)
    }

    /// Links of every edge in turn. Edge *i* goes from corner *i* to corner *i + 1*.
    #[inline]
    pub fn edges(&self) -> Edges<'a> {
        self.edges
    }

    /// The number after the polygon. It is 0 in every file but a test file of 3 areas.
    #[inline]
    pub fn unknown_after_polygon(&self) -> f32 {
        self.unknown
    }

    /// Ladders that one can climb from here.
    #[inline]
    pub fn ladders_above(&self) -> &'a [LadderId] {
        self.ladders_above
    }

    /// Ladders that one can climb down from here.
    #[inline]
    pub fn ladders_below(&self) -> &'a [LadderId] {
        self.ladders_below
    }

    /// Where hull and shape begin, and where the connections do.
    pub(super) fn shape_and_edges(&self) -> (u32, u32) {
        (self.offsets.start.saturating_add(12), self.offsets.edges)
    }

    #[inline]
    pub(super) fn offsets(&self) -> &Offsets {
        &self.offsets
    }
}

impl fmt::Debug for PolygonArea<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolygonArea")
            .field("index", &self.index)
            .field("offset", &self.offset())
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// The links of an area, edge by edge.
#[derive(Clone, Copy, Debug)]
pub struct Edges<'a> {
    cursor: Cursor<'a>,
    left: u32,
}

impl<'a> Iterator for Edges<'a> {
    type Item = &'a [EdgeLink];

    #[inline]
    fn next(&mut self) -> Option<&'a [EdgeLink]> {
        self.left = self.left.checked_sub(1)?;
        self.cursor.list32("connections").ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left as usize))
    }
}

impl FusedIterator for Edges<'_> {}
