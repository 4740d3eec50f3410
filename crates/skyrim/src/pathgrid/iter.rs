//! The records of path grids in a plugin, walked.

use super::record::{CellData, GroupHeader4, RecordHeader3, RecordHeader4};
use super::view::{GridGame, GridPlugin, PathGrid, until_zero};
use crate::fields::{Field, Fields};
use crate::flags::{GroupKind, RecordFlags};
use crate::form::{FormId, Tag};
use crate::most::Most;
use crate::record::Xclc;
use crate::text::shown;
use navmap_core::Space;
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::{Error, ErrorKind, Result};
use std::iter::FusedIterator;

/// What an exterior of Morrowind is called. It has one, without a name.
const OUTSIDE: &str = "exterior";

/// A record of a plugin of these games.
#[derive(Debug, Clone, Copy)]
struct Raw<'a> {
    game: GridGame,
    tag: Tag,
    flags: RecordFlags,
    form: FormId,
    data: &'a [u8],
    offset: u64,
    most: Most,
}

impl<'a> Raw<'a> {
    fn take(cursor: &mut Cursor<'a>, plugin: &GridPlugin<'a>) -> Result<Self> {
        let (game, offset) = (plugin.game(), cursor.offset());
        let (tag, size, flags, form) = match game {
            GridGame::Morrowind => {
                let head: &RecordHeader3 = cursor.record("record header")?;
                (head.tag(), head.size(), head.flags(), FormId::NULL)
            }
            GridGame::Oblivion => {
                let head: &RecordHeader4 = cursor.record("record header")?;
                (head.tag(), head.size(), head.flags(), head.form_id())
            }
        };
        let data = cursor.bytes(usize::try_from(size).unwrap_or(usize::MAX), "record")?;
        Ok(Self { game, tag, flags, form, data, offset, most: Most::new(&plugin.limits) })
    }

    fn is_compressed(&self) -> bool {
        self.game == GridGame::Oblivion && self.flags.contains(RecordFlags::COMPRESSED)
    }

    fn fields<'s>(&self, scratch: &'s mut Scratch) -> Result<Fields<'s>>
    where
        'a: 's,
    {
        match self.is_compressed() {
            true => self.most.inflate(self.tag, self.data, self.data_offset(), scratch),
            false => Ok(self.game.fields(self.data, self.data_offset())),
        }
    }

    /// The byte of the file at which its stored data begins.
    fn data_offset(&self) -> u64 {
        self.offset.saturating_add(self.game.record_head() as u64)
    }
}

/// How many fields of a cell are asked for its name and its place, which come first. In Morrowind all its references follow.
const FIRST_FIELDS: usize = 16;

impl<'a> Raw<'a> {
    /// The first fields of an uncompressed record.
    fn first_fields(&self) -> impl Iterator<Item = Field<'a>> + use<'a> {
        let data = if self.is_compressed() { &[] } else { self.data };
        self.game.fields(data, self.data_offset()).map_while(Result::ok).take(FIRST_FIELDS)
    }

    /// The name of a cell or a worldspace of Oblivion.
    fn editor_id(&self, scratch: &mut Scratch) -> Option<String> {
        const EDID: Tag = Tag(*b"EDID");
        if self.game != GridGame::Oblivion {
            return None;
        }
        let name = match self.is_compressed() {
            true => {
                let first = self.most.inflate_first(self.data, self.data_offset(), scratch);
                first.ok()?.find_tag(EDID).ok()??
            }
            false => self.first_fields().find(|field| field.tag == EDID)?,
        };
        Some(shown(until_zero(name.data))).filter(|name| !name.is_empty())
    }
}

/// The coordinates that points of a grid are in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GridSpace {
    /// The exterior of Morrowind.
    Exterior,
    /// A worldspace of Oblivion.
    World(FormId),
    /// An interior cell of Oblivion.
    Cell(FormId),
    /// An interior cell of Morrowind, by its name as a person reads it.
    Interior(String),
}

impl GridSpace {
    /// The space with its name in the game's editor, if it has another.
    pub fn named(&self, editor_id: Option<String>) -> Space {
        match self {
            Self::Exterior => Space::World { form: 0, editor_id: Some(OUTSIDE.to_owned()) },
            Self::World(form) => Space::World { form: form.get(), editor_id },
            Self::Cell(form) => Space::Cell { form: form.get(), editor_id },
            Self::Interior(name) => Space::Cell { form: 0, editor_id: Some(name.clone()) },
        }
    }
}

/// One `PGRD` record: its head, its place, and access to its grid.
#[derive(Debug, Clone, Copy)]
pub struct GridRecord<'a> {
    raw: Raw<'a>,
    index: u32,
    world: Option<FormId>,
    cell: Option<FormId>,
    cell_record: Option<Raw<'a>>,
    world_record: Option<Raw<'a>>,
}

impl<'a> GridRecord<'a> {
    /// Its number among the grids of the file, from 0.
    pub fn index(&self) -> u32 {
        self.index
    }
    /// Its FormID, local to the plugin; null in Morrowind, which has none.
    pub fn form_id(&self) -> FormId {
        self.raw.form
    }
    /// Flags of the record.
    pub fn flags(&self) -> RecordFlags {
        self.raw.flags
    }
    /// Whether it is deleted.
    pub fn is_deleted(&self) -> bool {
        self.raw.flags.contains(RecordFlags::DELETED)
    }
    /// Whether its data is compressed. Then the grid is inflated, and else viewed in place.
    pub fn is_compressed(&self) -> bool {
        self.raw.is_compressed()
    }
    /// The byte of the file at which its head begins.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }
    /// Oblivion: the worldspace, by the label of the group around it.
    pub fn world(&self) -> Option<FormId> {
        self.world
    }
    /// Oblivion: the cell, by the label of the group around it, or the cell's record before it.
    pub fn cell(&self) -> Option<FormId> {
        self.cell.or(self.cell_record.map(|cell| cell.form)).filter(|cell| !cell.is_null())
    }

    /// The grid: viewed in place, or inflated into `scratch`. `None` if the record is deleted or has no data.
    ///
    /// # Errors
    /// If the data cannot be inflated or its fields cannot be read. The error names the record by its number.
    pub fn grid<'s>(&self, scratch: &'s mut Scratch) -> Result<Option<PathGrid<'s>>>
    where
        'a: 's,
    {
        if self.is_deleted() || self.raw.data.is_empty() {
            return Ok(None);
        }
        let grid = self.raw.fields(scratch).and_then(|fields| PathGrid::parse(self.raw.game, fields));
        grid.map(Some).map_err(|error| error.in_record("PGRD", self.index.into()))
    }

    /// Whether the grid is of an exterior cell, as the cell before it says. If that is another cell, one that is not at 0, 0 is.
    pub fn is_exterior(&self, grid: &PathGrid<'_>) -> bool {
        if self.raw.game == GridGame::Oblivion {
            return self.world.is_some();
        }
        let told = self.cell_record.and_then(|cell| {
            let (mut name, mut data) = (None, None);
            for field in cell.first_fields() {
                match &field.tag.0 {
                    b"NAME" => name = name.or(Some(until_zero(field.data))),
                    b"DATA" => {
                        data = Some(Cursor::new(field.data, field.offset).record::<CellData>("DATA").ok()?);
                        break;
                    }
                    _ => {}
                }
            }
            let data = data?;
            let interior = data.flags() & 1 == 1;
            let same = match interior {
                true => name.unwrap_or_default().eq_ignore_ascii_case(grid.name()),
                false => [data.x(), data.y()] == grid.cell(),
            };
            same.then_some(!interior)
        });
        told.unwrap_or(grid.cell() != [0, 0])
    }

    /// The space of a grid of this record.
    pub fn space(&self, grid: &PathGrid<'_>) -> GridSpace {
        match (self.raw.game, self.world, self.is_exterior(grid)) {
            (GridGame::Morrowind, _, true) => GridSpace::Exterior,
            (GridGame::Morrowind, _, false) => GridSpace::Interior(shown(grid.name())),
            (_, Some(world), _) => GridSpace::World(world),
            (_, None, _) => GridSpace::Cell(self.cell().unwrap_or(FormId::NULL)),
        }
    }

    /// The corner from which the points of a grid of this record are counted: units, east and north.
    pub fn corner(&self, grid: &PathGrid<'_>) -> [f64; 2] {
        match self.raw.game == GridGame::Morrowind && self.is_exterior(grid) {
            true => grid.cell().map(|cell| f64::from(cell) * f64::from(GridGame::Morrowind.cell_size())),
            false => [0.0; 2],
        }
    }

    /// Oblivion: the name of its cell in the editor, where the plugin has the record of the cell.
    pub fn cell_name(&self, scratch: &mut Scratch) -> Option<String> {
        let cell = self.cell_record.filter(|cell| self.cell.is_none_or(|form| cell.form == form))?;
        cell.editor_id(scratch)
    }

    /// What a finding about it begins with. Oblivion: record and cell as plugin editors write them, `[PGRD:01000811] in
    /// [CELL:01000810] (TestVale 0,0)`. Morrowind: the square of an exterior cell; an interior one is told as the space of the finding.
    pub(super) fn words(&self, grid: Option<&PathGrid<'_>>) -> Option<String> {
        let compressed = if self.is_compressed() { ", compressed" } else { "" };
        if self.raw.game == GridGame::Morrowind {
            let grid = grid.filter(|grid| self.is_exterior(grid))?;
            let [x, y] = grid.cell();
            return Some(format!("cell {x},{y}{compressed}"));
        }
        let form = self.form_id();
        let Some(cell) = self.cell() else { return Some(format!("[PGRD:{form}]{compressed}")) };
        let square = self.cell_record.filter(|record| self.world.is_some() && record.form == cell);
        let square = square.and_then(|record| record.first_fields().find(|field| field.tag == Tag(*b"XCLC")));
        let square = square.and_then(|field| {
            let square = Cursor::new(field.data, field.offset).record::<Xclc>("XCLC").ok()?;
            let (x, y) = square.grid();
            Some(format!("{x},{y}"))
        });
        let within: Vec<String> = self.space_name(&mut Scratch::new()).into_iter().chain(square).collect();
        let within = if within.is_empty() { String::new() } else { format!(" ({})", within.join(" ")) };
        Some(format!("[PGRD:{form}] in [CELL:{cell}]{within}{compressed}"))
    }

    /// Oblivion: the name of its worldspace, or of its interior cell, in the editor.
    pub fn space_name(&self, scratch: &mut Scratch) -> Option<String> {
        match self.world {
            Some(form) => self.world_record.filter(|world| world.form == form)?.editor_id(scratch),
            None => self.cell_name(scratch),
        }
    }
}

/// The records of grids in file order: a lazy walk that allocates nothing and reads only heads.
///
/// Where a record is cut short, that is one error and the end. A group that claims more than there is yields what there is, and
/// then the error.
#[derive(Debug, Clone)]
pub struct GridRecords<'a> {
    plugin: GridPlugin<'a>,
    at: usize,
    /// The worldspace and the cell around, and where they end.
    world: (FormId, usize),
    cell: (FormId, usize),
    cell_record: Option<Raw<'a>>,
    world_record: Option<Raw<'a>>,
    most: Most,
    /// A group that claims too much: where, and how much.
    short: Option<(u64, u64, u64)>,
    next: u32,
}

impl<'a> GridPlugin<'a> {
    /// Every record of a grid, in file order. Allocates nothing, reads only heads.
    pub fn grids(&self) -> GridRecords<'a> {
        let none = (FormId::NULL, 0);
        let at = self.body_offset();
        GridRecords {
            plugin: *self,
            at,
            world: none,
            cell: none,
            cell_record: None,
            world_record: None,
            most: Most::new(&self.limits),
            short: None,
            next: 0,
        }
    }
}

impl GridRecords<'_> {
    /// Enters a group, or passes over it if it cannot hold grids.
    fn group(&mut self, header: &GroupHeader4) -> Result<()> {
        let (start, len) = (self.at, self.plugin.bytes.len());
        let (size, head) = (header.size() as usize, size_of::<GroupHeader4>());
        if size < head {
            self.at = len;
            return Err(
                Error::invalid("group", format!("{size} bytes claimed of at least {head}")).at(start as u64)
            );
        }
        let end = start.saturating_add(size);
        if end > len {
            self.short.get_or_insert((start as u64, size as u64, len.saturating_sub(start) as u64));
        }
        let (label, form) = (Tag(header.label()), FormId::new(u32::from_le_bytes(header.label())));
        let kind = GroupKind::from_stored(header.kind());
        if kind == GroupKind::TopLevel && label.is_record_type() && ![Tag::CELL, Tag::WRLD].contains(&label) {
            self.at = end.min(len);
            return Ok(());
        }
        if kind == GroupKind::WorldChildren {
            self.world = (form, end);
        } else if kind.is_of_cell() {
            self.cell = (form, end);
        }
        self.at = start.saturating_add(head);
        Ok(())
    }

    fn around((form, end): (FormId, usize), at: usize) -> Option<FormId> {
        (at < end).then_some(form)
    }
}

impl<'a> Iterator for GridRecords<'a> {
    type Item = Result<GridRecord<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.plugin.bytes.get(self.at..).unwrap_or_default();
            if rest.is_empty() {
                let (at, needed, left) = self.short.take()?;
                return Some(Err(Error::new(ErrorKind::Truncated { what: "group", needed, left }).at(at)));
            }
            let mut cursor = Cursor::new(rest, self.at as u64);
            if self.plugin.game() == GridGame::Oblivion && rest.starts_with(&Tag::GRUP.0) {
                let entered = cursor.record::<GroupHeader4>("group").and_then(|group| self.group(group));
                match entered {
                    Ok(()) => continue,
                    Err(error) => {
                        (self.at, self.short) = (self.plugin.bytes.len(), None);
                        return Some(Err(error));
                    }
                }
            }
            let start = self.at;
            let mut raw = match Raw::take(&mut cursor, &self.plugin) {
                Ok(raw) => raw,
                Err(error) => {
                    (self.at, self.short) = (self.plugin.bytes.len(), None);
                    return Some(Err(error));
                }
            };
            self.at = usize::try_from(cursor.offset()).unwrap_or(usize::MAX);
            raw.most = self.most.pass(raw.tag, raw.flags, raw.data);
            match raw.tag {
                Tag::CELL => self.cell_record = Some(raw),
                Tag::WRLD => self.world_record = Some(raw),
                Tag::PGRD => {
                    let index = self.next;
                    self.next = index.saturating_add(1);
                    return Some(Ok(GridRecord {
                        raw,
                        index,
                        world: Self::around(self.world, start),
                        cell: Self::around(self.cell, start),
                        cell_record: self.cell_record,
                        world_record: self.world_record,
                    }));
                }
                _ => {}
            }
        }
    }
}

impl FusedIterator for GridRecords<'_> {}
