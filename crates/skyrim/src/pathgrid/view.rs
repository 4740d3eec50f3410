//! A plugin of Morrowind or Oblivion, and a path grid of it, in place.

use super::record::{
    ForeignLink, Hedr3, MorrowindData, MorrowindPoint, OblivionPoint, Pair, RecordHeader3, RecordHeader4,
};
use crate::fields::{Field, Fields, exactly};
use crate::flags::RecordFlags;
use crate::form::Tag;
use crate::record::Hedr;
use navmap_core::Limits;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use navmap_core::format::not_mesh;
use std::iter::repeat_n;
use zerocopy::byteorder::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// The game of a plugin with path grids, which its container tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GridGame {
    /// Morrowind: `TES3`.
    Morrowind,
    /// Oblivion: `TES4` with heads of 20 bytes.
    Oblivion,
}

impl GridGame {
    /// The game of a file that begins with these bytes.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head.first_chunk() {
            Some(b"TES3") if head.get(16..20) == Some(b"HEDR") => Some(Self::Morrowind),
            Some(b"TES4") if head.get(20..24) == Some(b"HEDR") => Some(Self::Oblivion),
            _ => None,
        }
    }

    /// Its name, as `scan` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Morrowind => "Morrowind",
            Self::Oblivion => "Oblivion",
        }
    }

    /// How wide an exterior cell is, units.
    pub fn cell_size(self) -> i32 {
        match self {
            Self::Morrowind => 8_192,
            Self::Oblivion => 4_096,
        }
    }

    /// Bytes before the data of a record.
    pub(super) fn record_head(self) -> usize {
        match self {
            Self::Morrowind => size_of::<RecordHeader3>(),
            Self::Oblivion => size_of::<RecordHeader4>(),
        }
    }

    /// The fields in data that begins at this byte.
    pub(super) fn fields(self, data: &[u8], offset: u64) -> Fields<'_> {
        match self {
            Self::Morrowind => Fields::wide(data, offset),
            Self::Oblivion => Fields::new(data, offset),
        }
    }
}

/// A plugin of Morrowind or Oblivion, in place over its bytes.
///
/// Opening reads only the file header. [`grids`](Self::grids) walks heads of records without copying.
#[derive(Debug, Clone, Copy)]
pub struct GridPlugin<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) limits: Limits,
    game: GridGame,
    flags: RecordFlags,
    fields: &'a [u8],
    version: f32,
}

/// Takes the file header: its flags, its fields and the version in them.
pub(super) fn header<'a>(
    cursor: &mut Cursor<'a>,
    whole: bool,
) -> Result<(GridGame, RecordFlags, &'a [u8], f32)> {
    let game = GridGame::of(cursor.rest()).ok_or_else(|| not_mesh(cursor.rest()).at(0))?;
    let (size, flags) = match game {
        GridGame::Morrowind => {
            let head: &RecordHeader3 = cursor.record("file header")?;
            (head.size(), head.flags())
        }
        GridGame::Oblivion => {
            let head: &RecordHeader4 = cursor.record("file header")?;
            (head.size(), head.flags())
        }
    };
    let at = cursor.offset();
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let data = match whole {
        true => cursor.bytes(size, "file header")?,
        false => cursor.rest().get(..size).unwrap_or(cursor.rest()),
    };
    let field = game.fields(data, at).next();
    let Some(field) = field.transpose()?.filter(|field| field.tag == Tag(*b"HEDR")) else {
        return Err(Error::invalid("file header", "does not begin with HEDR").at(at));
    };
    let version = match game {
        GridGame::Morrowind => Cursor::new(field.data, field.offset).record::<Hedr3>("HEDR")?.version(),
        GridGame::Oblivion => exactly::<Hedr>(&field, "HEDR")?.version(),
    };
    Ok((game, flags, data, version))
}

impl<'a> GridPlugin<'a> {
    /// Reads the file header.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) if the bytes are no plugin of these games,
    /// [`Truncated`](navmap_core::ErrorKind::Truncated) if the header is incomplete.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        let (game, flags, fields, version) = header(&mut cursor, true)?;
        Ok(Self { bytes, limits: *limits, game, flags, fields, version })
    }

    /// The game.
    pub fn game(&self) -> GridGame {
        self.game
    }
    /// Flags of the file header.
    pub fn flags(&self) -> RecordFlags {
        self.flags
    }
    /// Version of the plugin format, in `HEDR`: 1.2, 1.3; 0.8, 1.0.
    pub fn version(&self) -> f32 {
        self.version
    }
    /// The fields of the file header.
    pub fn header_fields(&self) -> Fields<'a> {
        self.game.fields(self.fields, self.game.record_head() as u64)
    }
    /// File names of the masters as stored, without their NUL.
    pub fn masters(&self) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        let fields = self.header_fields().map_while(Result::ok);
        fields.filter(|field| field.tag == Tag(*b"MAST")).map(|field| until_zero(field.data))
    }
    /// The author's name as stored.
    pub fn author(&self) -> Option<&'a [u8]> {
        let mut fields = self.header_fields();
        let author = match self.game {
            GridGame::Morrowind => fields.find_tag(Tag(*b"HEDR")).ok()??.data.get(8..40)?,
            GridGame::Oblivion => fields.find_tag(Tag(*b"CNAM")).ok()??.data,
        };
        Some(until_zero(author)).filter(|author| !author.is_empty())
    }
    /// Where records begin.
    pub(super) fn body_offset(&self) -> usize {
        self.game.record_head().saturating_add(self.fields.len())
    }
}

/// The bytes before the first zero.
pub(super) fn until_zero(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// The path grid of a cell, in place over the fields of its record.
#[derive(Debug, Clone, Copy)]
pub struct PathGrid<'a> {
    game: GridGame,
    /// The size that `DATA` gives, and where.
    claimed: (u16, u64),
    cell: [i32; 2],
    granularity: Option<u16>,
    name: &'a [u8],
    old_points: &'a [MorrowindPoint],
    points: &'a [OblivionPoint],
    points_at: u64,
    targets: &'a [U32],
    pairs: &'a [Pair],
    links_at: u64,
    generated: Option<(&'a [u8], u64)>,
    foreign: &'a [ForeignLink],
    foreign_at: u64,
    objects: u32,
}

/// A point of a grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridPoint {
    /// Where it is, as stored: in an exterior of Morrowind from the corner of the cell.
    pub position: [f32; 3],
    /// Whether the editor has made it.
    pub generated: bool,
    /// How many links it says that it has.
    pub links: u8,
}

impl GridPoint {
    /// Where it is in its space, given the [corner](super::GridRecord::corner) from which the points of its grid are counted.
    pub fn placed(&self, [east, north]: [f64; 2]) -> [f32; 3] {
        let [x, y, z] = self.position;
        [(f64::from(x) + east) as f32, (f64::from(y) + north) as f32, z]
    }
}

/// A link of a grid as stored. Its ends may be no points of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridLink {
    /// A point.
    pub from: i64,
    /// The other; -1 for none in Oblivion.
    pub to: i64,
    /// Where it is stored, as [`Field::offset`](crate::Field::offset).
    pub offset: u64,
}

/// The payload of a field as records.
fn slice<'a, T>(field: &Field<'a>, what: &'static str) -> Result<&'a [T]>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    <[T]>::ref_from_bytes(field.data).map_err(|_| {
        let why = format!("{} bytes, records of it have {}", field.data.len(), size_of::<T>());
        Error::invalid(what, why).at(field.offset)
    })
}

impl<'a> PathGrid<'a> {
    /// Reads the fields of a record. Counts that contradict each other are left to a check.
    ///
    /// # Errors
    /// If a field cannot be read or has no whole number of records, or there is no `DATA`.
    pub fn parse(game: GridGame, fields: Fields<'a>) -> Result<Self> {
        let start = fields.offset();
        let mut grid = Self {
            game,
            claimed: (0, start),
            cell: [0; 2],
            granularity: None,
            name: &[],
            old_points: &[],
            points: &[],
            points_at: start,
            targets: &[],
            pairs: &[],
            links_at: start,
            generated: None,
            foreign: &[],
            foreign_at: start,
            objects: 0,
        };
        let mut has_data = false;
        for field in fields {
            let field = field?;
            match (&field.tag.0, game) {
                (b"DATA", _) => {
                    grid.data(&field)?;
                    has_data = true;
                }
                (b"NAME", GridGame::Morrowind) => grid.name = until_zero(field.data),
                (b"PGRP", GridGame::Morrowind) => {
                    (grid.old_points, grid.points_at) = (slice(&field, "PGRP")?, field.offset);
                }
                (b"PGRP", GridGame::Oblivion) => {
                    (grid.points, grid.points_at) = (slice(&field, "PGRP")?, field.offset);
                }
                (b"PGRC", GridGame::Morrowind) => {
                    (grid.targets, grid.links_at) = (slice(&field, "PGRC")?, field.offset);
                }
                (b"PGRR", GridGame::Oblivion) => {
                    (grid.pairs, grid.links_at) = (slice(&field, "PGRR")?, field.offset);
                }
                (b"PGAG", GridGame::Oblivion) => grid.generated = Some((field.data, field.offset)),
                (b"PGRI", GridGame::Oblivion) => {
                    (grid.foreign, grid.foreign_at) = (slice(&field, "PGRI")?, field.offset);
                }
                (b"PGRL", GridGame::Oblivion) => grid.objects = grid.objects.saturating_add(1),
                _ => {}
            }
        }
        match has_data {
            true => Ok(grid),
            false => Err(Error::invalid("path grid", "has no DATA").at(start)),
        }
    }

    fn data(&mut self, field: &Field<'a>) -> Result<()> {
        let mut cursor = Cursor::new(field.data, field.offset);
        match self.game {
            GridGame::Morrowind => {
                let data: &MorrowindData = cursor.record("DATA")?;
                self.claimed = (data.points(), field.offset.saturating_add(10));
                (self.cell, self.granularity) = ([data.x(), data.y()], Some(data.granularity()));
                // Old tools put the name here as well.
                if let Some(name) = field.data.get(12..44) {
                    self.name = until_zero(name);
                }
            }
            GridGame::Oblivion => self.claimed = (cursor.u16("DATA")?, field.offset),
        }
        Ok(())
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.old_points.len().max(self.points.len())
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// How many points `DATA` gives.
    pub fn claimed_points(&self) -> u16 {
        self.claimed.0
    }
    /// Morrowind: the cell, `[0, 0]` for interiors.
    pub fn cell(&self) -> [i32; 2] {
        self.cell
    }
    /// Morrowind: how far apart the editor sets points, units.
    pub fn granularity(&self) -> Option<u16> {
        self.granularity
    }
    /// Morrowind: the name of the cell, or of the region of an exterior; as stored, without its NUL.
    pub fn name(&self) -> &'a [u8] {
        self.name
    }
    /// Its points. Allocates nothing.
    pub fn points(&self) -> impl Iterator<Item = GridPoint> + Clone + use<'a> {
        let grid = *self;
        (0..self.len()).filter_map(move |number| grid.point(number))
    }
    /// The point of this number. O(1).
    pub fn point(&self, number: usize) -> Option<GridPoint> {
        if let Some(point) = self.old_points.get(number) {
            let position = [point.x(), point.y(), point.z()].map(|value| value as f32);
            return Some(GridPoint { position, generated: point.generated() != 0, links: point.links() });
        }
        let point = self.points.get(number)?;
        let bits = self.generated.and_then(|(bits, _)| bits.get(number >> 3).copied()).unwrap_or_default();
        let generated = bits >> (number & 7) & 1 == 1;
        Some(GridPoint { position: point.position(), generated, links: point.links() })
    }
    /// Its links as stored: in Morrowind twice, once from each end; in Oblivion once. Allocates nothing.
    pub fn links(&self) -> impl Iterator<Item = GridLink> + Clone + use<'a> {
        let at = self.links_at;
        let offset = move |number: u64| at.saturating_add(number.saturating_mul(4));
        let sources = self.old_points.iter().zip(0_i64..);
        let sources = sources.flat_map(|(point, from)| repeat_n(from, point.links().into()));
        let old = sources.zip(self.targets).zip(0..).map(move |((from, to), number)| GridLink {
            from,
            to: to.get().into(),
            offset: offset(number),
        });
        let new = self.pairs.iter().zip(0..).map(move |(pair, number)| GridLink {
            from: pair.from().into(),
            to: pair.to().into(),
            offset: offset(number),
        });
        old.chain(new)
    }
    /// How many links are stored.
    pub fn stored_links(&self) -> usize {
        self.targets.len().max(self.pairs.len())
    }
    /// Oblivion: links into grids of other cells.
    pub fn foreign(&self) -> &'a [ForeignLink] {
        self.foreign
    }
    /// Oblivion: how many objects block points of it (`PGRL`).
    pub fn blocking_objects(&self) -> u32 {
        self.objects
    }
    /// How many links the points say that they have.
    pub(super) fn claimed_links(&self) -> u64 {
        self.points().fold(0, |sum, point| sum.saturating_add(point.links.into()))
    }
    pub(super) fn game(&self) -> GridGame {
        self.game
    }
    /// Where the number of points is.
    pub(super) fn claimed_at(&self) -> u64 {
        self.claimed.1
    }
    pub(super) fn links_at(&self) -> u64 {
        self.links_at
    }
    pub(super) fn point_at(&self, point: usize) -> u64 {
        self.points_at.saturating_add((point as u64).saturating_mul(16))
    }
    pub(super) fn foreign_at(&self, link: usize) -> u64 {
        self.foreign_at.saturating_add((link as u64).saturating_mul(16))
    }
    /// The bits that tell which points the editor has made, and where they are.
    pub(super) fn generated(&self) -> Option<(&'a [u8], u64)> {
        self.generated
    }
}
