//! Areas: polygons with links over their edges.

use super::layout::Layout;
use super::record::{EdgeLink, Head};
use crate::area::in_area;
use crate::flags::Source2Attributes;
use crate::record::{AreaId, LadderId, Vec3};
use crate::ruler::Ruler;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use std::fmt;
use std::iter::FusedIterator;
use zerocopy::byteorder::little_endian::{F32, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// An area of a Source 2 mesh, in place: one polygon on which one hull (a size of body) may walk.
/// `docs/formats/source.md`, section 11.
#[derive(Clone, Copy)]
pub struct PolygonArea<'a> {
    file: &'a [u8],
    head: &'a Head,
    corners: Corners<'a>,
    index: u32,
    offsets: Offsets,
}

/// Where its parts begin. Each ends where the next begins.
#[derive(Clone, Copy)]
pub(super) struct Offsets {
    pub(super) start: u32,
    pub(super) edges: u32,
    pub(super) ladders_above: u32,
    pub(super) ladders_below: u32,
    pub(super) end: u32,
}

impl Offsets {
    /// The corners, or the number of the polygon.
    pub(super) fn corners(&self) -> u32 {
        self.start.saturating_add(size_of::<Head>() as u32)
    }
}

/// Corners of the area's own, or the numbers of shared vertices.
#[derive(Clone, Copy)]
struct Corners<'a> {
    numbers: Option<&'a [U32]>,
    vertices: &'a [Vec3],
}

impl<'a> Corners<'a> {
    /// Those that follow the head of an area.
    #[inline(always)]
    fn take(layout: &Layout<'a>, ruler: &mut Ruler<'a>) -> Result<Self> {
        if layout.version >= 31 {
            let at = ruler.at();
            let number = ruler.u32("polygon")?;
            let Some(numbers) = layout.corners(number) else {
                return Err(no_polygon(number, layout.polygons.len(), at));
            };
            Ok(Self { numbers: Some(numbers), vertices: layout.vertices })
        } else {
            let corners = ruler.list32(size_of::<Vec3>() as u64, "corners")?;
            Ok(Self { numbers: None, vertices: <[Vec3]>::ref_from_bytes(corners).unwrap_or_default() })
        }
    }

    #[inline]
    fn len(&self) -> usize {
        self.numbers.map_or(self.vertices.len(), <[U32]>::len)
    }

    #[inline]
    fn get(&self, i: usize) -> Option<[f32; 3]> {
        let i = match self.numbers {
            Some(numbers) => numbers.get(i)?.get() as usize,
            None => i,
        };
        self.vertices.get(i).copied().map(Vec3::to_array)
    }

    /// The ends of edge `i`: its corner and the next one.
    #[inline]
    fn edge(&self, i: usize) -> Option<[[f32; 3]; 2]> {
        let next = i.checked_add(1).filter(|next| *next < self.len()).unwrap_or(0);
        Some([self.get(i)?, self.get(next)?])
    }
}

/// Between edges and ladders: counts of hiding spots and of encounters, both 0.
const SPOTS: u32 = 5;

impl<'a> PolygonArea<'a> {
    /// The area that begins at byte `at` and is number `index` of its file. Hands the links of each edge to `edge` on the way.
    #[inline]
    pub(super) fn read(
        layout: &Layout<'a>,
        at: u32,
        index: u32,
        edge: impl FnMut(&'a [EdgeLink]),
    ) -> Result<Self> {
        match Self::take(layout, at, index, edge) {
            Ok(area) => Ok(area),
            Err(error) => Err(in_area(error, layout.bytes.get(at as usize..), index)),
        }
    }

    #[inline(always)]
    fn take(
        layout: &Layout<'a>,
        start: u32,
        index: u32,
        mut edge: impl FnMut(&'a [EdgeLink]),
    ) -> Result<Self> {
        let file = layout.bytes;
        let mut ruler: Ruler<'_> = Ruler::new(file, u64::from(start));
        ruler.pass(4, "area id")?;
        ruler.pass(8, "attributes")?;
        ruler.pass(1, "hull")?;
        let Ok((head, _)) = Head::ref_from_prefix(file.get(start as usize..).unwrap_or_default()) else {
            return Err(ruler.short("area head", size_of::<Head>() as u64));
        };
        let corners = Corners::take(layout, &mut ruler)?;
        ruler.pass(4, "number after the polygon")?;
        let edges = ruler.at();
        for _ in 0..corners.len() {
            let links = ruler.list32(size_of::<EdgeLink>() as u64, "connections")?;
            edge(<[EdgeLink]>::ref_from_bytes(links).unwrap_or_default());
        }
        let spots = ruler.at();
        let hiding_spots = ruler.u8("hiding spot count")?;
        if (hiding_spots, ruler.u32("encounter count")?) != (0, 0) {
            return Err(no_spots(spots));
        }
        let ladders_above = ruler.at();
        ruler.rare32(4, "ladders above")?;
        let ladders_below = ruler.at();
        ruler.rare32(4, "ladders below")?;
        // The offsets fit, since a file of 4 GiB or more was refused.
        let offsets = Offsets {
            start,
            edges: edges as u32,
            ladders_above: ladders_above as u32,
            ladders_below: ladders_below as u32,
            end: ruler.at() as u32,
        };
        Ok(Self { file, head, corners, index, offsets })
    }

    /// The ends of an edge of the area that begins at byte `at`, of which only head and corners are read.
    pub(super) fn edge_at(layout: &Layout<'a>, at: u32, edge: u32) -> Option<[[f32; 3]; 2]> {
        let corners = u64::from(at).saturating_add(size_of::<Head>() as u64);
        Corners::take(layout, &mut Ruler::new(layout.bytes, corners)).ok()?.edge(edge as usize)
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
        self.head.id
    }

    /// Attributes.
    #[inline]
    pub fn attributes(&self) -> Source2Attributes {
        Source2Attributes(self.head.attributes.get())
    }

    /// Number of the hull that may walk here; 0 is the player in Counter-Strike 2.
    #[inline]
    pub fn hull(&self) -> u8 {
        self.head.hull
    }

    /// Number of its polygon. Version 31 and later.
    #[inline]
    pub fn polygon(&self) -> Option<u32> {
        self.corners.numbers?;
        Some(self.value::<U32>(self.offsets.corners()).get())
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

    /// The ends of edge *i*: corner *i* and the next one. `None` as for [`corner`](Self::corner).
    #[inline]
    pub(super) fn edge(&self, i: usize) -> Option<[[f32; 3]; 2]> {
        self.corners.edge(i)
    }

    /// Number of links over all edges.
    #[inline]
    pub fn connection_count(&self) -> usize {
        let bytes =
            self.offsets.ladders_above.saturating_sub(self.offsets.edges).saturating_sub(SPOTS) as usize;
        bytes.saturating_sub(self.corners.len().saturating_mul(4)).wrapping_div(size_of::<EdgeLink>())
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
        let Some([x, y, _]) = self.corners().next() else { return 0.0 };
        // From the first corner: products of the coordinates of a large map have no digits left for a small area.
        let from_first = |[a, b, _]: [f32; 3]| [f64::from(a) - f64::from(x), f64::from(b) - f64::from(y)];
        let next = self.corners().skip(1).chain(self.corners().take(1)).map(from_first);
        let twice = self
            .corners()
            .map(from_first)
            .zip(next)
            .fold(0.0, |sum, (a, b)| sum + (a[0] * b[1] - b[0] * a[1]));
        (0.5 * f64::abs(twice)) as f32
    }

    /// Links of every edge in turn. Edge *i* goes from corner *i* to corner *i + 1*.
    #[inline]
    pub fn edges(&self) -> Edges<'a> {
        let Offsets { edges, ladders_above, .. } = self.offsets;
        let bytes = self.between(edges, ladders_above.saturating_sub(SPOTS));
        Edges { cursor: Cursor::new(bytes, u64::from(edges)), left: self.corners.len() as u32 }
    }

    /// The number after the polygon. It is 0 in every file but a test file of 3 areas.
    #[inline]
    pub fn unknown_after_polygon(&self) -> f32 {
        self.unknown_stored().get()
    }

    pub(super) fn unknown_stored(&self) -> F32 {
        self.value(self.offsets.edges.saturating_sub(4))
    }

    /// The corners that it stores itself. Version 30.
    pub(super) fn own_corners(&self) -> &'a [Vec3] {
        match self.corners.numbers {
            None => self.corners.vertices,
            Some(_) => &[],
        }
    }

    /// Ladders that one can climb from here.
    #[inline]
    pub fn ladders_above(&self) -> &'a [LadderId] {
        self.ladders(self.offsets.ladders_above, self.offsets.ladders_below)
    }

    /// Ladders that one can climb down from here.
    #[inline]
    pub fn ladders_below(&self) -> &'a [LadderId] {
        self.ladders(self.offsets.ladders_below, self.offsets.end)
    }

    #[inline]
    fn between(&self, start: u32, end: u32) -> &'a [u8] {
        self.file.get(start as usize..end as usize).unwrap_or_default()
    }

    /// A count and as many ids, of which the count is passed over.
    #[inline]
    fn ladders(&self, start: u32, end: u32) -> &'a [LadderId] {
        <[LadderId]>::ref_from_bytes(self.between(start.saturating_add(4), end)).unwrap_or_default()
    }

    #[inline]
    fn value<T>(&self, at: u32) -> T
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned + Default,
    {
        match self.file.get(at as usize..).map(T::read_from_prefix) {
            Some(Ok((value, _))) => value,
            _ => T::default(),
        }
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
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}

#[cold]
fn no_polygon(index: u32, len: usize, at: u64) -> Error {
    Error::new(ErrorKind::OutOfRange { what: "polygon", index: u64::from(index), len: len as u64 }).at(at)
}

#[cold]
fn no_spots(at: u64) -> Error {
    Error::invalid("area", "hiding spots or encounters, which Source 2 does not store here").at(at)
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
