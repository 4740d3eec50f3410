//! The encoder: an owned mesh becomes a file.

use super::buf::{AreaBuf, HeadBuf, LadderBuf, SourceBuf};
use super::flags::Extension;
use super::header::{MAGIC, unreadable};
use super::layout::Layout;
use super::record::{AreaId, HidingSpot, OldLadder};

use navmap_core::error::{Error, Result};
use zerocopy::{Immutable, IntoBytes};

impl SourceBuf {
    /// The bytes of the file, tail included. What its version does not store is left out. Nothing is ever cut to fit.
    ///
    /// The mesh is written as it is, even if a game would refuse it.
    ///
    /// # Errors
    /// If a value does not fit the width that the version gives it: attributes above 8 or 16 bits, more than 255 hiding
    /// spots or approach areas, more than 65,535 places or bytes of a name, a file of 4 GiB. Also if encounter paths
    /// have the form of other versions, or the version is not 1 to 16.
    pub fn encode(&self) -> Result<Vec<u8>> {
        encode(&self.head, self.areas.iter(), self.ladders.iter(), &self.tail, |area| area.place)
    }
}

/// Writes a mesh from its parts, in one walk. `place` gives the number of an area's place in the directory of `head`.
pub(super) fn encode<'b>(
    head: &HeadBuf,
    areas: impl Iterator<Item = &'b AreaBuf> + Clone,
    ladders: impl Iterator<Item = &'b LadderBuf> + Clone,
    tail: &[u8],
    place: impl Fn(&AreaBuf) -> u16,
) -> Result<Vec<u8>> {
    if !(1..=16).contains(&head.version) {
        return Err(unreadable(head.version, head.subversion()));
    }
    let layout = head.layout();
    let left_for_dead = layout.extension == Extension::LeftForDead;
    let mut out = Out::with_room(tail.len().saturating_add(about(areas.clone())));
    head.write(layout, &mut out)?;
    // Areas are counted as they are written.
    let count_at = out.len();
    out.u32(0);
    let mut count = 0_u32;
    for area in areas {
        area.write(layout, place(area), &mut out)
            .map_err(|error| error.in_record("area", count.into()).with_id(area.id.get()))?;
        let next = count.checked_add(1);
        count = next.ok_or_else(|| too_many("areas", usize::MAX, u64::from(u32::MAX)))?;
    }
    out.set_u32(count_at, count);
    if head.version >= 6 {
        out.u32(count32("ladders", ladders.clone().count())?);
        for LadderBuf { ladder, dangling } in ladders {
            if head.version == 6 {
                out.raw(OldLadder::join(ladder, *dangling).as_bytes());
            } else {
                out.raw(ladder.as_bytes());
            }
        }
    }
    if left_for_dead {
        out.raw(head.visibility_range.as_bytes());
    }
    out.raw(tail);
    let bytes = out.finish();
    if bytes.len() as u64 > u64::from(u32::MAX) {
        return Err(Error::invalid("mesh", format!("{} bytes, a mesh can have 4294967295", bytes.len())));
    }
    Ok(bytes)
}

/// About how many bytes all areas take, by one area of 64.
fn about<'b>(areas: impl Iterator<Item = &'b AreaBuf>) -> usize {
    const EACH: usize = 64;
    // An area that stands for the others may be longer than all of them.
    const MOST: usize = 64 << 20;
    let some = areas.step_by(EACH).fold(0_usize, |sum, area| sum.saturating_add(room(area)));
    some.saturating_mul(EACH).saturating_add(4096).min(MOST)
}

/// About how many bytes an area takes.
fn room(area: &AreaBuf) -> usize {
    let connections: usize = area.connections.iter().map(Vec::len).sum();
    let ladders = area.ladders_up.len().saturating_add(area.ladders_down.len());
    let parts = [
        connections.saturating_add(ladders).saturating_mul(4),
        size_of_val(area.hiding_spots.as_slice()),
        size_of_val(area.approaches.as_slice()),
        area.encounters.bytes().len(),
        size_of_val(area.visible_areas.as_slice()),
    ];
    parts.iter().fold(128, |sum, part| sum.saturating_add(*part))
}

impl HeadBuf {
    fn write(&self, layout: Layout, out: &mut Out) -> Result<()> {
        out.u32(MAGIC);
        out.u32(self.version);
        if self.version >= 10 {
            out.u32(self.subversion);
        }
        if self.version >= 4 {
            out.u32(self.bsp_size);
        }
        if self.version >= 14 {
            out.u8(self.analyzed);
        }
        if layout.has_place() {
            out.u16(count16("places", self.places.len())?);
            for (index, stored) in self.places.iter().enumerate() {
                let len = count16("place name", stored.len());
                out.u16(len.map_err(|error| error.in_record("place", index as u64))?);
                out.raw(stored);
            }
        }
        if self.version >= 12 {
            out.u8(self.has_unnamed_areas);
        }
        if layout.extension == Extension::LeftForDead {
            if self.population.contains(&0) {
                return Err(Error::invalid("default population", "a name with a NUL in it"));
            }
            out.raw(&self.population);
            out.u8(0);
            out.u16(self.unknown_after_population);
        }
        Ok(())
    }
}

impl AreaBuf {
    #[inline]
    fn write(&self, layout: Layout, place: u16, out: &mut Out) -> Result<()> {
        let attributes = self.attributes.bits();
        match layout.shape_at() {
            5 => {
                out.raw(self.id.as_bytes());
                out.u8(narrow("attributes", attributes)?);
                out.raw(self.shape.as_bytes());
            }
            6 => {
                out.raw(self.id.as_bytes());
                out.u16(narrow("attributes", attributes)?);
                out.raw(self.shape.as_bytes());
            }
            _ => {
                out.record(&self.id);
                out.u32(attributes);
                out.record(&self.shape);
            }
        }
        for list in &self.connections {
            out.list32("connections", list)?;
        }
        if layout.version == 1 {
            out.u8(count8("hiding spots", self.hiding_spots.len())?);
            for position in self.hiding_spots.iter().map(HidingSpot::stored_position) {
                out.raw(position.as_bytes());
            }
        } else {
            out.list8("hiding spots", &self.hiding_spots)?;
        }
        if layout.has_middle_approaches() {
            out.list8("approach areas", &self.approaches)?;
        }
        if !self.encounters.is_empty() && self.encounters.is_old() != layout.has_old_paths() {
            let why = format!("of the other form than version {} stores", layout.version);
            return Err(Error::invalid("encounter paths", why));
        }
        out.u32(count32("encounter paths", self.encounters.len())?);
        out.raw(self.encounters.bytes());
        if layout.has_place() {
            out.u16(place);
        }
        if layout.has_ladders() {
            // Few areas have any.
            for (what, list) in [("ladders up", &self.ladders_up), ("ladders down", &self.ladders_down)] {
                out.u32(count32(what, list.len())?);
                out.raw(list.as_bytes());
            }
        }
        if layout.has_occupy_times() {
            out.record(&self.occupy_times);
        }
        if layout.has_light() {
            out.record(&self.light);
        }
        if layout.has_spawn_attributes() {
            out.u32(self.spawn_attributes.bits());
            out.u16(self.unknown_after_spawn_attributes);
        }
        if layout.has_visibility() {
            out.u32(count32("visible areas", self.visible_areas.len())?);
            out.raw(self.visible_areas.as_bytes());
            out.record(&self.inherits);
        }
        if layout.has_last_approaches() {
            out.list8("approach areas", &self.approaches)?;
        }
        if layout.has_game_attributes() {
            out.u32(self.game_attributes);
        }
        Ok(())
    }
}

/// Bytes that are put together before they are appended to the others.
const SHEET: usize = 4096;
/// A longer list goes past the sheet, since it is copied faster than it is looked after.
const LONG: usize = 128;

/// The bytes so far.
///
/// An area is some twenty pieces of a few bytes. They go to a sheet of fixed size, whose end is a number in a register; a
/// vector would look after its length and its room in memory with each of them.
struct Out {
    whole: Vec<u8>,
    sheet: Box<[u8; SHEET]>,
    at: usize,
}

impl Out {
    fn with_room(room: usize) -> Self {
        Self { whole: Vec::with_capacity(room), sheet: Box::new([0; SHEET]), at: 0 }
    }

    fn len(&self) -> usize {
        self.whole.len().saturating_add(self.at)
    }

    #[inline(never)]
    fn flush(&mut self) {
        self.whole.extend_from_slice(self.sheet.get(..self.at).unwrap_or_default());
        self.at = 0;
    }

    fn finish(mut self) -> Vec<u8> {
        self.flush();
        self.whole
    }

    /// Writes over four bytes.
    fn set_u32(&mut self, at: usize, value: u32) {
        self.flush();
        if let Some(four) = self.whole.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<4>) {
            *four = value.to_le_bytes();
        }
    }

    #[inline(always)]
    fn raw(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let end = self.at.saturating_add(bytes.len());
        match self.sheet.get_mut(self.at..end) {
            Some(to) if bytes.len() <= LONG => {
                to.copy_from_slice(bytes);
                self.at = end;
            }
            _ => self.long(bytes),
        }
    }

    #[inline(never)]
    fn long(&mut self, bytes: &[u8]) {
        self.flush();
        self.whole.extend_from_slice(bytes);
    }

    /// Appends a value whose size is known here.
    #[inline(always)]
    fn record<T: IntoBytes + Immutable>(&mut self, value: &T) {
        self.raw(value.as_bytes());
    }

    #[inline(always)]
    fn u8(&mut self, value: u8) {
        self.raw(&[value]);
    }

    #[inline(always)]
    fn u16(&mut self, value: u16) {
        self.raw(&value.to_le_bytes());
    }

    #[inline(always)]
    fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    /// Most lists are short, but how short changes from one to the next, so a branch on it is predicted wrong every few
    /// areas. Four items are written whatever the length, and those that are none are written over by what follows.
    #[inline(always)]
    fn list32(&mut self, what: &'static str, list: &[AreaId]) -> Result<()> {
        const SIZE: usize = size_of::<AreaId>();
        let count = count32(what, list.len())?;
        let end = self.at.saturating_add(SIZE.saturating_mul(5));
        let room = self.sheet.get_mut(self.at..end).and_then(<[u8]>::first_chunk_mut::<{ SIZE * 5 }>);
        match room {
            Some(room) if list.len() <= 4 => {
                let none = [AreaId::default()];
                let last = list.len().saturating_sub(1);
                let from = if list.is_empty() { &none[..] } else { list };
                let (first, rest) = room.split_at_mut(SIZE);
                first.copy_from_slice(&count.to_le_bytes());
                for (at, to) in rest.chunks_exact_mut(SIZE).enumerate() {
                    if let Some(item) = from.get(at.min(last)) {
                        to.copy_from_slice(item.as_bytes());
                    }
                }
                let written = list.len().saturating_add(1).saturating_mul(SIZE);
                self.at = self.at.saturating_add(written);
            }
            _ => {
                self.u32(count);
                self.raw(list.as_bytes());
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn list8<T: IntoBytes + Immutable>(&mut self, what: &'static str, list: &[T]) -> Result<()> {
        self.u8(count8(what, list.len())?);
        match list {
            // The size of one is known here.
            [one] => self.record(one),
            list => self.raw(list.as_bytes()),
        }
        Ok(())
    }
}

fn count8(what: &'static str, len: usize) -> Result<u8> {
    u8::try_from(len).map_err(|_| too_many(what, len, 255))
}

fn count16(what: &'static str, len: usize) -> Result<u16> {
    u16::try_from(len).map_err(|_| too_many(what, len, 65_535))
}

fn count32(what: &'static str, len: usize) -> Result<u32> {
    u32::try_from(len).map_err(|_| too_many(what, len, u64::from(u32::MAX)))
}

fn narrow<T: TryFrom<u32>>(what: &'static str, value: u32) -> Result<T> {
    T::try_from(value).map_err(|_| {
        let bits = 8_usize.saturating_mul(size_of::<T>());
        Error::invalid(what, format!("{value:#x} does not fit the {bits} bits that the version stores"))
    })
}

#[cold]
fn too_many(what: &'static str, len: usize, reach: u64) -> Error {
    Error::invalid(what, format!("{len}, the file can count {reach}"))
}
