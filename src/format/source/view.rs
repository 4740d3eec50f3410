//! The file: header, place directory, and what follows the areas.

#![forbid(unsafe_code)]

use super::flags::Extension;
use super::iter::Areas;
use super::layout::{Layout, Trust};
use super::record::{Ladder, Ladder6};
use super::source2;
use crate::bytes::Cursor;
use crate::counts::Counts;
use crate::error::{Error, ErrorKind, Result};
use crate::format::file::{Form, Summary};
use crate::limits::Limits;
use std::borrow::Cow;
use std::iter::FusedIterator;
use std::num::NonZeroU16;

pub(super) const FORMAT: &str = "Source navigation mesh";
pub(super) const MAGIC: u32 = 0xFEED_FACE;

/// A mesh of GoldSrc or Source, versions 1 to 16, in place.
///
/// Opening costs the header and the place directory; areas are walked when asked for. Only the layouts that are
/// accepted by exact consumption (an unknown sub-version, Left 4 Dead, Insurgency) cost one walk at once.
#[derive(Clone, Copy, Debug)]
pub struct SourceNav<'a> {
    bytes: &'a [u8],
    head: Head<'a>,
    area_count: u32,
    areas_offset: u32,
}

/// All that stands before the area count.
#[derive(Clone, Copy, Debug)]
struct Head<'a> {
    layout: Layout,
    trust: Trust,
    subversion: Option<u32>,
    bsp_size: Option<u32>,
    analyzed: Option<u8>,
    places: Places<'a>,
    has_unnamed_areas: Option<u8>,
    population: Option<&'a [u8]>,
    unknown_after_population: Option<u16>,
}

impl<'a> SourceNav<'a> {
    /// Opens a mesh of version 1 to 16.
    ///
    /// # Errors
    /// [`ErrorKind::NotMesh`] for other bytes, [`ErrorKind::Version`] for a version or sub-version that is not
    /// readable, [`ErrorKind::Truncated`] and [`ErrorKind::Count`] where the bytes end inside the header.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Limits::charge("size of a Source mesh", bytes.len() as u64, u64::from(u32::MAX))?;
        let mut cursor = Cursor::new(bytes, 0);
        let (version, subversion) = version(&mut cursor)?;
        let head = Head::read(&mut cursor, version, subversion)?;
        let area_count = cursor.u32("area count")?;
        let nav = Self { bytes, head, area_count, areas_offset: cursor.offset() as u32 };
        match head.trust {
            Trust::Known => Ok(nav),
            Trust::Inferred | Trust::Unknown => nav.exactly(),
        }
    }

    /// The mesh, if its layout lands on the last byte.
    fn exactly(self) -> Result<Self> {
        match self.areas().finish() {
            Ok(after) if after.trailing().is_empty() => Ok(self),
            _ => Err(Error::new(ErrorKind::Version {
                format: FORMAT,
                found: self.version(),
                subversion: self.subversion(),
                why: match self.extension() {
                    Extension::LeftForDead => {
                        "the inferred layout of Left 4 Dead does not end where the file ends"
                    }
                    Extension::Insurgency => {
                        "the inferred layout of Insurgency does not end where the file ends"
                    }
                    _ => "unknown game extension: the stock layout does not end where the file ends",
                },
            })
            .at(8)),
        }
    }

    /// The whole file.
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Version of the format, 1 to 16.
    #[inline]
    pub fn version(&self) -> u32 {
        self.head.layout.version
    }

    /// The game's own version; version 10 and later.
    pub fn subversion(&self) -> Option<u32> {
        self.head.subversion
    }

    /// What the game adds to the stock mesh.
    #[inline]
    pub fn extension(&self) -> Extension {
        self.head.layout.extension
    }

    /// Whether the layout is not confirmed by real files, and was accepted because it ends where the file ends.
    pub fn is_experimental(&self) -> bool {
        self.head.trust != Trust::Known
    }

    /// The game, as far as version and sub-version tell.
    pub fn game(&self) -> Option<&'static str> {
        game(self.version(), self.subversion())
    }

    /// Size in bytes of the map (`.bsp`) it was made from; another size means that it is out of date. Version 4 and
    /// later.
    pub fn bsp_size(&self) -> Option<u32> {
        self.head.bsp_size
    }

    /// Whether visibility and spots were computed, as stored: 0 or 1. Version 14 and later.
    pub fn analyzed(&self) -> Option<u8> {
        self.head.analyzed
    }

    /// Names of places, in the order that [`Area::place`](super::Area::place) counts them in. Version 5 and later.
    pub fn places(&self) -> Places<'a> {
        self.head.places
    }

    /// The name of a place by its number from 1; walks the directory.
    pub fn place(&self, number: NonZeroU16) -> Option<Place<'a>> {
        self.places().nth(usize::from(number.get()).saturating_sub(1))
    }

    /// Whether some area has no place, as stored. Version 12 and later.
    pub fn has_unnamed_areas(&self) -> Option<u8> {
        self.head.has_unnamed_areas
    }

    /// Name of the default population of zombies, in a mesh of Left 4 Dead (2).
    pub fn default_population(&self) -> Option<&'a [u8]> {
        self.head.population
    }

    /// The number after the default population: 0 in 33 files.
    pub fn unknown_after_population(&self) -> Option<u16> {
        self.head.unknown_after_population
    }

    /// Number of areas, as the file claims.
    #[inline]
    pub fn area_count(&self) -> u32 {
        self.area_count
    }

    /// Where the first area begins.
    #[inline]
    pub fn areas_offset(&self) -> u32 {
        self.areas_offset
    }

    /// The areas, walked one after the other.
    #[inline]
    pub fn areas(&self) -> Areas<'a> {
        Areas::new(*self)
    }

    /// What follows the areas: ladders, game data, trailing bytes. Walks over all areas; use
    /// [`Areas::finish`] to walk only once.
    ///
    /// # Errors
    /// The first place at which the file cannot be read on.
    pub fn after_areas(&self) -> Result<AfterAreas<'a>> {
        self.areas().finish()
    }

    #[inline]
    pub(super) fn layout(&self) -> Layout {
        self.head.layout
    }

    pub(super) fn trust(&self) -> Trust {
        self.head.trust
    }

    pub(super) fn summarize(&self) -> Summary {
        let mut counts = Counts::default();
        counts.add("areas", u64::from(self.area_count));
        counts.add("places", self.places().len() as u64);
        summary(self.version(), self.subversion(), counts)
    }
}

pub(super) fn summary(version: u32, subversion: Option<u32>, counts: Counts) -> Summary {
    Summary { form: Form::Nav, game: game(version, subversion), version: Some(version), subversion, counts }
}

/// The game that writes this version and sub-version. Specification 2.
pub(super) fn game(version: u32, subversion: Option<u32>) -> Option<&'static str> {
    Some(match (version, subversion) {
        (1..=5, _) => "Counter-Strike: Condition Zero",
        (9, _) => "Counter-Strike: Source",
        (15, Some(13)) => "Left 4 Dead",
        (16, Some(0)) => "Source SDK 2013",
        (16, Some(1)) => "Counter-Strike: Global Offensive",
        (16, Some(2)) => "Team Fortress 2",
        (16, Some(4)) => "Insurgency",
        (16, Some(14)) => "Left 4 Dead 2",
        (30, _) => "Half-Life: Alyx",
        (35.., _) => "Counter-Strike 2",
        _ => return None,
    })
}

/// Magic, version and, from version 10, the sub-version.
pub(super) fn version(cursor: &mut Cursor<'_>) -> Result<(u32, Option<u32>)> {
    let first = cursor.rest();
    if first.starts_with(b"LZMA") {
        let what = "a console file in Valve's LZMA envelope, which is not read";
        return Err(Error::new(ErrorKind::Instead { what }).at(0));
    }
    let mut ahead = *cursor;
    if ahead.u32("magic").ok() != Some(MAGIC) {
        let mut found = [0; 4];
        found.iter_mut().zip(first).for_each(|(to, from)| *to = *from);
        return Err(Error::new(ErrorKind::NotMesh { found }).at(0));
    }
    let version = ahead.u32("version")?;
    let subversion = if version >= 10 { Some(ahead.u32("sub-version")?) } else { None };
    *cursor = ahead;
    Ok((version, subversion))
}

/// The refusal of a version that this view does not read.
#[cold]
pub(super) fn unreadable(version: u32, subversion: Option<u32>) -> Error {
    let why = match version {
        0 => "there is no such version",
        30..=36 => "a mesh of Source 2, which Source2Nav reads",
        _ => "no known game writes it",
    };
    Error::new(ErrorKind::Version { format: FORMAT, found: version, subversion, why }).at(4)
}

impl<'a> Head<'a> {
    /// Reads up to the area count.
    fn read(cursor: &mut Cursor<'a>, version: u32, subversion: Option<u32>) -> Result<Self> {
        if !(1..=16).contains(&version) {
            return Err(unreadable(version, subversion));
        }
        let (layout, trust) = Layout::of(version, subversion);
        let bsp_size = if version >= 4 { Some(cursor.u32("map size")?) } else { None };
        let analyzed = if version >= 14 { Some(cursor.u8("analysed")?) } else { None };
        let places = if version >= 5 { Places::read(cursor)? } else { Places::default() };
        let has_unnamed_areas = if version >= 12 { Some(cursor.u8("unnamed areas")?) } else { None };
        let (mut population, mut unknown_after_population) = (None, None);
        if layout.extension == Extension::LeftForDead {
            population = Some(cursor.text(usize::from(u16::MAX), "default population")?);
            unknown_after_population = Some(cursor.u16("number after the default population")?);
        }
        Ok(Self {
            layout,
            trust,
            subversion,
            bsp_size,
            analyzed,
            places,
            has_unnamed_areas,
            population,
            unknown_after_population,
        })
    }
}

/// What the first page of a file of `file_len` bytes tells. The area count is given where it lies in the page: behind
/// a long place directory it does not.
///
/// # Errors
/// As [`SourceNav::parse`], but nothing behind the head is looked at.
pub fn head(page: &[u8], file_len: u64) -> Result<Summary> {
    let mut cursor = Cursor::new(page, 0);
    let (version, subversion) = version(&mut cursor)?;
    let mut counts = Counts::default();
    match version {
        1..=16 => {
            let read = Head::read(&mut cursor, version, subversion).and_then(|head| {
                counts.add("places", head.places.len() as u64);
                counts.add("areas", u64::from(cursor.u32("area count")?));
                Ok(())
            });
            // Past the page is not past the file.
            if (page.len() as u64) >= file_len {
                read?;
            }
        }
        30..=36 => match source2::head(&mut cursor, version) {
            Ok(more) => counts = more,
            Err(error) if (page.len() as u64) >= file_len => return Err(error),
            Err(_) => {}
        },
        _ => return Err(unreadable(version, subversion)),
    }
    Ok(summary(version, subversion, counts))
}

/// Whether the bytes begin as a mesh of this family, of whatever version.
pub fn recognise(head: &[u8]) -> bool {
    head.starts_with(&MAGIC.to_le_bytes())
}

/// Whether the bytes, which [`recognise`] knows, are those of Source 2: for [`Source2Nav`](super::Source2Nav), not for
/// [`SourceNav`].
pub fn is_source_2(head: &[u8]) -> bool {
    version(&mut Cursor::new(head, 0)).is_ok_and(|(version, _)| (30..=36).contains(&version))
}

/// The place directory: names, walked one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places<'a> {
    left: u16,
    rest: &'a [u8],
}

impl<'a> Places<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let count = cursor.u16("place count")?;
        let start = cursor.rest();
        for index in 0..count {
            let name = cursor.u16("place name").and_then(|len| cursor.skip(usize::from(len), "place name"));
            name.map_err(|error| error.in_record("place", u64::from(index)))?;
        }
        let len = start.len().saturating_sub(cursor.left());
        Ok(Self { left: count, rest: start.get(..len).unwrap_or_default() })
    }
}

impl<'a> Iterator for Places<'a> {
    type Item = Place<'a>;

    fn next(&mut self) -> Option<Place<'a>> {
        self.left = self.left.checked_sub(1)?;
        let (len, rest) = self.rest.split_first_chunk()?;
        let (name, rest) = rest.split_at_checked(usize::from(u16::from_le_bytes(*len)))?;
        self.rest = rest;
        Some(Place { stored: name })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(self.left), Some(usize::from(self.left)))
    }
}

impl ExactSizeIterator for Places<'_> {}
impl FusedIterator for Places<'_> {}

/// One name of the place directory: an engine token such as `BombsiteA`; in Left 4 Dead 2 a population of zombies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    stored: &'a [u8],
}

impl<'a> Place<'a> {
    /// The bytes as stored, the closing NUL included (one, at the end, in all of 12,266 names).
    pub fn stored(&self) -> &'a [u8] {
        self.stored
    }

    /// The name up to the first NUL.
    pub fn name(&self) -> &'a [u8] {
        self.stored.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    /// The name as text; bytes that are not UTF-8 become U+FFFD.
    pub fn to_str(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.name())
    }
}

/// What follows the areas.
#[derive(Clone, Copy, Debug)]
pub struct AfterAreas<'a> {
    offset: u32,
    ladders: &'a [Ladder],
    old_ladders: &'a [Ladder6],
    visibility_range: Option<f32>,
    trailing: &'a [u8],
    trailing_offset: u32,
}

impl<'a> AfterAreas<'a> {
    pub(super) fn read(nav: &SourceNav<'a>, at: u64) -> Result<Self> {
        let mut cursor = Cursor::new(nav.bytes.get(at as usize..).unwrap_or_default(), at);
        let (mut ladders, mut old_ladders): (&[Ladder], &[Ladder6]) = (&[], &[]);
        match nav.version() {
            ..6 => {}
            6 => old_ladders = cursor.list32("ladders")?,
            7.. => ladders = cursor.list32("ladders")?,
        }
        let visibility_range = match nav.extension() {
            Extension::LeftForDead => Some(cursor.f32("visibility range")?),
            _ => None,
        };
        let (trailing, trailing_offset) = (cursor.rest(), cursor.offset() as u32);
        Ok(Self { offset: at as u32, ladders, old_ladders, visibility_range, trailing, trailing_offset })
    }

    /// First byte after the last area.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// The ladders, of version 7 and later. Before version 6 a mesh stores none: the game finds them in the map.
    pub fn ladders(&self) -> &'a [Ladder] {
        self.ladders
    }

    /// The ladders of version 6, which are one byte longer.
    pub fn old_ladders(&self) -> &'a [Ladder6] {
        self.old_ladders
    }

    /// Number of ladders, whatever the version.
    pub fn ladder_count(&self) -> usize {
        self.ladders.len().saturating_add(self.old_ladders.len())
    }

    /// The last number of a mesh of Left 4 Dead (2): 0, 1000, 1500 or 1800; its meaning is inferred.
    pub fn visibility_range(&self) -> Option<f32> {
        self.visibility_range
    }

    /// Bytes after the end. GoldSrc leaves the end of a longer, older file behind (48 of 213 files); from version 6
    /// there are none in any real file.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }

    /// Where the mesh ends, and [`trailing`](Self::trailing) begins.
    pub fn trailing_offset(&self) -> u32 {
        self.trailing_offset
    }
}
