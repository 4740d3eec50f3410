//! The file: header and place directory; its areas and what follows them are walked.

use super::after::AfterAreas;
use super::flags::Extension;
use super::header::{FORMAT, game, summary, unreadable, version};
use super::iter::Areas;
use super::layout::{Layout, Trust};
use navmap_core::Counts;
use navmap_core::Limits;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::Summary;
use std::borrow::Cow;
use std::iter::FusedIterator;
use std::num::NonZeroU16;

/// A mesh of GoldSrc or Source, versions 1 to 16, in place.
///
/// Opening reads the header and the place directory; areas are walked when asked for. A few layouts (an unknown
/// sub-version, Left 4 Dead, Insurgency) are accepted only if they end where the file ends, so that opening one takes a
/// walk.
#[derive(Clone, Copy, Debug)]
pub struct SourceNav<'a> {
    bytes: &'a [u8],
    head: Head<'a>,
    area_count: u32,
    areas_offset: u32,
}

/// All that stands before the area count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    layout: Layout,
    subversion: Option<u32>,
    bsp_size: Option<u32>,
    analyzed: Option<u8>,
    pub(super) trust: Trust,
    pub(super) places: Places<'a>,
    has_unnamed_areas: Option<u8>,
    population: Option<&'a [u8]>,
    unknown_after_population: Option<u16>,
}

impl<'a> SourceNav<'a> {
    /// Opens a mesh of version 1 to 16.
    ///
    /// # Errors
    /// [`ErrorKind::NotMesh`] for other bytes, [`ErrorKind::Version`] for a version or sub-version that is not
    /// readable, [`ErrorKind::Truncated`] and [`ErrorKind::Count`] if the bytes end inside the header.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Limits::charge("size of a Source mesh", bytes.len() as u64, u64::from(u32::MAX))?;
        let mut cursor = Cursor::new(bytes, 0);
        let (version, subversion) = version(&mut cursor)?;
        let mut read = || {
            let head = Head::read(&mut cursor, version, subversion)?;
            let area_count = cursor.u32("area count")?;
            Ok(Self { bytes, head, area_count, areas_offset: cursor.offset() as u32 })
        };
        match read() {
            Ok(nav) if nav.head.trust == Trust::Known => Ok(nav),
            Ok(nav) => nav.exactly(),
            // An unknown version may hold anything where the known ones have their header.
            Err(_) if (17..30).contains(&version) => Err(unreadable(version, subversion)),
            Err(error) => Err(error),
        }
    }

    /// The mesh, if its layout ends exactly where the file ends.
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
                    _ if self.version() > 16 => {
                        "no known game writes it, and the layout of version 16 does not end where the file ends"
                    }
                    _ => "unknown game extension: the stock layout does not end where the file ends",
                },
            })
            .at(if self.version() > 16 { 4 } else { 8 })),
        }
    }

    /// The whole file.
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Version of the format: 1 to 16, or an unknown one up to 29.
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

    /// Whether no real file confirms the layout. It was then accepted because it ends where the file ends.
    pub fn is_experimental(&self) -> bool {
        self.head.trust != Trust::Known
    }

    /// The game, as far as version and sub-version tell.
    pub fn game(&self) -> Option<&'static str> {
        game(self.version(), self.subversion())
    }

    /// Size in bytes of the map (`.bsp`) it was made from. If the map has another size, the mesh is out of date.
    /// Version 4 and later.
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

    /// The name of a place by its number from 1. Walks the directory.
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
        Areas::new(self.bytes, self.head.layout, self.areas_offset, self.area_count)
    }

    /// What follows the areas: ladders, game data, trailing bytes. Walks over all areas; use
    /// [`Areas::finish`] to walk only once.
    ///
    /// # Errors
    /// If the file is damaged, the first place at which it cannot be read on.
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

impl<'a> Head<'a> {
    /// Reads up to the area count.
    pub(super) fn read(cursor: &mut Cursor<'a>, version: u32, subversion: Option<u32>) -> Result<Self> {
        if !(1..30).contains(&version) {
            return Err(unreadable(version, subversion));
        }
        let (layout, trust) = Layout::for_version(version, subversion);
        let bsp_size = if version >= 4 { Some(cursor.u32("map size")?) } else { None };
        let analyzed = if version >= 14 { Some(cursor.u8("analyzed")?) } else { None };
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
    /// The bytes as stored, the closing NUL included (all 12,266 names have one NUL, at the end).
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
