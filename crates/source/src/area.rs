//! One area: borrowed bytes and the offsets of its parts.

use super::connections::Connections;
use super::encounter::{EncounterPath, EncounterPaths};
use super::flags::{Attributes, Direction, Extension, L4dAttributes, SpawnAttributes, TfAttributes};
use super::layout::{Layout, Spans};
use super::record::{Approach, AreaId, HidingSpot, LadderId, Shape, Vec3, VisibleArea};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use navmap_core::format::Stored;
use std::fmt;
use std::num::NonZeroU16;
use zerocopy::byteorder::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// An area of a mesh, in place. Every getter borrows from the file and takes constant time.
///
/// The walk that found the area has checked that all of its parts are within the file. If the bytes have changed since then, so
/// that a getter cannot decode them, the getter returns an empty value.
///
/// Source: `docs/formats/source.md`, section 4, confirmed on 2,123 files.
#[derive(Clone, Copy)]
pub struct Area<'a> {
    file: &'a [u8],
    shape: &'a Shape,
    layout: Layout,
    index: u32,
    spans: Spans,
}

impl<'a> Area<'a> {
    /// The area that begins at byte `at` and is number `index` of its file.
    #[inline]
    pub(super) fn measure(layout: Layout, file: &'a [u8], at: u64, index: u32) -> Result<Self> {
        Self::pass(layout, file, at, index, |_, _| ())
    }

    /// As [`measure`](Self::measure), and hands every encounter path to `path` on the way.
    #[inline]
    pub(super) fn read(
        layout: Layout,
        file: &'a [u8],
        at: u64,
        index: u32,
        mut path: impl FnMut(EncounterPath<'a>),
    ) -> Result<Self> {
        Self::pass(layout, file, at, index, move |start, old| {
            // A path that ends past the end of the file is none.
            if let Some(read) = EncounterPath::read(file, start, old) {
                path(read);
            }
        })
    }

    #[inline(always)]
    fn pass(
        layout: Layout,
        file: &'a [u8],
        at: u64,
        index: u32,
        path: impl FnMut(u32, bool),
    ) -> Result<Self> {
        let spans = match layout.measure(file, at, path) {
            Ok(spans) => spans,
            Err(error) => return Err(in_area(error, file.get(at as usize..), index)),
        };
        // This is within the file: otherwise `measure` would have failed.
        Self::new(layout, file, index, spans).ok_or_else(|| {
            in_area(Cursor::new(&[], at).short("area head", 32), file.get(at as usize..), index)
        })
    }

    /// The area with these parts.
    #[inline(always)]
    pub(super) fn new(layout: Layout, file: &'a [u8], index: u32, spans: Spans) -> Option<Self> {
        let shape = shape_at(file, u64::from(spans.start).wrapping_add(layout.shape_at()))?;
        Some(Self { file, shape, layout, index, spans })
    }

    /// Position in the file's list of areas, from 0.
    #[inline]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// First byte in the file.
    #[inline]
    pub fn offset(&self) -> u32 {
        self.spans.start
    }

    /// First byte after it.
    #[inline]
    pub fn end(&self) -> u32 {
        self.spans.end
    }

    /// Its bytes as stored.
    pub fn bytes(&self) -> &'a [u8] {
        self.between(self.spans.start, self.spans.end)
    }

    /// Its id.
    #[inline]
    pub fn id(&self) -> AreaId {
        self.value(self.spans.start)
    }

    /// Attributes, widened to 32 bits from what the version stores.
    #[inline]
    pub fn attributes(&self) -> Attributes {
        let at = self.spans.start.wrapping_add(4);
        Attributes(match self.layout.shape_at() {
            5 => u32::from(self.value::<u8>(at)),
            6 => u32::from(self.value::<U16>(at).get()),
            _ => self.value::<U32>(at).get(),
        })
    }

    /// Attributes under the names of Left 4 Dead (2), in a mesh of that game.
    pub fn l4d_attributes(&self) -> Option<L4dAttributes> {
        self.layout.has_spawn_attributes().then(|| L4dAttributes(self.attributes().bits()))
    }

    /// The rectangle: corners, heights, size.
    #[inline]
    pub fn shape(&self) -> &'a Shape {
        self.shape
    }

    /// North-west, north-east, south-east, south-west. Hammer units, X east, Y south, Z up.
    #[inline]
    pub fn corners(&self) -> [[f32; 3]; 4] {
        self.shape.corners()
    }

    /// Areas that can be reached over this side.
    #[inline]
    pub fn connections(&self, direction: Direction) -> &'a [AreaId] {
        let [north, east, south, west] = self.spans.connections;
        let (start, end) = match direction {
            Direction::North => (north, east),
            Direction::East => (east, south),
            Direction::South => (south, west),
            Direction::West => (west, self.spans.hiding_spots),
        };
        self.list(start.wrapping_add(4), end)
    }

    /// All connections, side by side: north, east, south, west.
    #[inline]
    pub fn all_connections(&self) -> Connections<'a> {
        let lists = self.spans.connections;
        Connections::new(self.list(lists[0], self.spans.hiding_spots), lists)
    }

    /// Number of connections on all four sides.
    #[inline]
    pub fn connection_count(&self) -> u32 {
        let [first, ..] = self.spans.connections;
        self.spans.hiding_spots.saturating_sub(first).saturating_sub(16).wrapping_div(4)
    }

    /// Hiding spots, version 2 and later; at most 255.
    #[inline]
    pub fn hiding_spots(&self) -> &'a [HidingSpot] {
        if self.layout.version < 2 {
            &[]
        } else {
            self.list(self.spans.hiding_spots.wrapping_add(1), self.spans.middle_approaches)
        }
    }

    /// Hiding spots of version 1: bare positions.
    pub fn old_hiding_spots(&self) -> &'a [Vec3] {
        if self.layout.version < 2 {
            self.list(self.spans.hiding_spots.wrapping_add(1), self.spans.middle_approaches)
        } else {
            &[]
        }
    }

    /// Number of hiding spots, whatever the version.
    #[inline]
    pub fn hiding_spot_count(&self) -> u32 {
        let bytes = self.spans.middle_approaches.saturating_sub(self.spans.hiding_spots).saturating_sub(1);
        if self.layout.version < 2 { bytes.wrapping_div(12) } else { bytes.wrapping_div(17) }
    }

    /// Approach areas. Versions before 15 store them, and CS:GO does, at the end of the area. At most 16 in practice.
    #[inline]
    pub fn approaches(&self) -> &'a [Approach] {
        if self.layout.has_middle_approaches() {
            self.list(self.spans.middle_approaches.wrapping_add(1), self.spans.paths)
        } else if self.layout.has_last_approaches() {
            self.list(self.spans.tail.wrapping_add(1), self.spans.end)
        } else {
            &[]
        }
    }

    /// Bytes of the list of approach areas, with its count.
    #[inline(always)]
    pub(super) fn approaches_len(&self) -> u32 {
        // Versions that store them at the end have nothing here.
        let middle = self.spans.paths.wrapping_sub(self.spans.middle_approaches);
        let last = self.spans.end.wrapping_sub(self.spans.tail);
        if self.layout.has_last_approaches() { last } else { middle }
    }

    /// Encounter paths, walked one after the other.
    #[inline]
    pub fn encounter_paths(&self) -> EncounterPaths<'a> {
        let bytes = self.between(self.spans.paths.wrapping_add(4), self.spans.place);
        EncounterPaths::new(bytes, self.spans.path_count, self.layout.has_old_paths())
    }

    /// Number of encounter paths.
    #[inline]
    pub fn encounter_path_count(&self) -> u32 {
        self.spans.path_count
    }

    /// Number of spots on all encounter paths.
    #[inline]
    pub fn encounter_spot_count(&self) -> u32 {
        let bytes = self.spans.place.saturating_sub(self.spans.paths).saturating_sub(4);
        let [head, spot] = self.layout.path_size();
        let spots = bytes.saturating_sub(self.spans.path_count.saturating_mul(head));
        spots.checked_div(spot).unwrap_or(0)
    }

    /// The place that the area belongs to, as a position in [`places`](super::SourceNav::places), **from 1**. Version 5
    /// and later.
    #[inline]
    pub fn place(&self) -> Option<NonZeroU16> {
        if self.layout.has_place() {
            NonZeroU16::new(self.value::<U16>(self.spans.place).get())
        } else {
            None
        }
    }

    /// Ladders that one can climb from here.
    #[inline]
    pub fn ladders_up(&self) -> &'a [LadderId] {
        if self.layout.has_ladders() {
            self.list(self.spans.ladders_up.wrapping_add(4), self.spans.ladders_down)
        } else {
            &[]
        }
    }

    /// Ladders that one can climb down from here.
    #[inline]
    pub fn ladders_down(&self) -> &'a [LadderId] {
        if self.layout.has_ladders() {
            self.list(self.spans.ladders_down.wrapping_add(4), self.spans.times)
        } else {
            &[]
        }
    }

    /// Seconds after the start of a round at which either team can be here first. Version 8 and later.
    #[inline]
    pub fn earliest_occupy_times(&self) -> Option<[f32; 2]> {
        if self.layout.has_occupy_times() {
            Some(Stored::value(&self.value::<[F32; 2]>(self.spans.times)))
        } else {
            None
        }
    }

    /// Light at the corners: north-west, north-east, south-east, south-west. Version 11 and later.
    #[inline]
    pub fn light(&self) -> Option<[f32; 4]> {
        let at = self.spans.times.wrapping_add(8);
        if self.layout.has_light() { Some(Stored::value(&self.value::<[F32; 4]>(at))) } else { None }
    }

    /// What may spawn here, in a mesh of Left 4 Dead (2).
    #[inline]
    pub fn spawn_attributes(&self) -> Option<SpawnAttributes> {
        let at = self.spans.times.wrapping_add(24);
        if self.layout.has_spawn_attributes() {
            Some(SpawnAttributes(self.value::<U32>(at).get()))
        } else {
            None
        }
    }

    /// The number after the spawn attributes, in a mesh of Left 4 Dead (2): 0 in 78,447 areas.
    #[inline]
    pub fn unknown_after_spawn_attributes(&self) -> Option<u16> {
        let at = self.spans.times.wrapping_add(28);
        if self.layout.has_spawn_attributes() { Some(self.value::<U16>(at).get()) } else { None }
    }

    /// Areas visible from here. If the area [inherits](Self::inherits_visibility_from) the list of another, this list has only
    /// the differences from that one.
    #[inline]
    pub fn visible_areas(&self) -> &'a [VisibleArea] {
        if self.layout.has_visibility() {
            self.list(self.spans.visible.wrapping_add(4), self.spans.inherit)
        } else {
            &[]
        }
    }

    /// The area that an entry of [`visible_areas`](Self::visible_areas) names.
    #[inline]
    pub fn visible_target(&self, entry: &VisibleArea) -> VisibleTarget {
        match self.layout.extension {
            Extension::LeftForDead => VisibleTarget::Index(entry.target()),
            _ => VisibleTarget::Id(AreaId::new(entry.target())),
        }
    }

    /// The area whose visibility list this one extends. That list is used as stored: inheritance is only one level deep.
    #[inline]
    pub fn inherits_visibility_from(&self) -> Option<AreaId> {
        if !self.layout.has_visibility() {
            return None;
        }
        Some(self.value::<AreaId>(self.spans.inherit)).filter(|id| id.get() != 0)
    }

    /// Attributes of Team Fortress 2, in a mesh of that game.
    #[inline]
    pub fn tf_attributes(&self) -> Option<TfAttributes> {
        (self.layout.extension == Extension::TeamFortress)
            .then(|| TfAttributes(self.value::<U32>(self.spans.tail).get()))
    }

    /// The number that Insurgency adds, in a mesh of that game. Inferred, since no real file was seen.
    #[inline]
    pub fn insurgency_attributes(&self) -> Option<u32> {
        (self.layout.extension == Extension::Insurgency).then(|| self.value::<U32>(self.spans.tail).get())
    }

    /// Occupy times, bit for bit; 0 if the file stores none.
    pub(super) fn occupy_times_stored(&self) -> [F32; 2] {
        if self.layout.has_occupy_times() { self.value(self.spans.times) } else { Default::default() }
    }

    /// Light, bit for bit; 1 if the file stores none.
    pub(super) fn light_stored(&self) -> [F32; 4] {
        let at = self.spans.times.wrapping_add(8);
        if self.layout.has_light() { self.value(at) } else { [F32::new(1.0); 4] }
    }

    /// The encounter paths as stored, and whether they are those of version 1 or 2.
    pub(super) fn encounters_stored(&self) -> (&'a [u8], bool) {
        let bytes = self.between(self.spans.paths.wrapping_add(4), self.spans.place);
        (bytes, self.layout.has_old_paths())
    }

    /// Offsets of the parts, for findings.
    #[inline]
    pub(super) fn spans(&self) -> &Spans {
        &self.spans
    }

    #[inline]
    fn between(&self, start: u32, end: u32) -> &'a [u8] {
        self.file.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The records between two offsets. Only whether the last of them is within the file is asked: a start behind the end makes too
    /// many of them.
    #[inline]
    fn list<T>(&self, start: u32, end: u32) -> &'a [T]
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let count = (end.wrapping_sub(start) as usize).checked_div(size_of::<T>()).unwrap_or(0);
        let start = start as usize;
        let bytes = self.file.get(start..start.wrapping_add(count.wrapping_mul(size_of::<T>())));
        <[T]>::ref_from_bytes_with_elems(bytes.unwrap_or_default(), count).unwrap_or_default()
    }

    #[inline]
    fn value<T>(&self, at: u32) -> T
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned + Copy + Default,
    {
        let at = at as usize;
        match self.file.get(at..at.wrapping_add(size_of::<T>())).map(T::read_from_bytes) {
            Some(Ok(value)) => value,
            _ => T::default(),
        }
    }
}

impl fmt::Debug for Area<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Area")
            .field("index", &self.index)
            .field("offset", &self.offset())
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}

/// The way a visibility entry names its area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisibleTarget {
    /// By id: every game but one.
    Id(AreaId),
    /// By position in the file, from 0: Left 4 Dead (2).
    Index(u32),
}

/// The rectangle at this byte.
#[inline(always)]
pub(super) fn shape_at(file: &[u8], at: u64) -> Option<&Shape> {
    let (shape, _) = Shape::ref_from_prefix(file.get(at as usize..)?).ok()?;
    Some(shape)
}

#[cold]
pub(super) fn in_area(error: Error, area: Option<&[u8]>, index: u32) -> Error {
    let error = error.in_record("area", u64::from(index));
    // An area begins with its id.
    match area.and_then(|bytes| bytes.first_chunk()) {
        Some(id) => error.with_id(u32::from_le_bytes(*id)),
        None => error,
    }
}
