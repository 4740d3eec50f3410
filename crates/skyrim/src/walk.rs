//! The walk over a plugin's groups and records.

use super::fields::Fields;
use super::flags::{GroupKind, RecordFlags};
use super::form::{FormId, Tag};
use super::owners::Owners;
use super::record::{GroupHeader, RecordHeader};
use navmap_core::Limits;
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::{Error, ErrorKind, Result};
use std::iter::FusedIterator;
use zerocopy::FromBytes;

/// One record of a plugin, in place: header and data as stored.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    header: &'a RecordHeader,
    data: &'a [u8],
    offset: u64,
    most_inflated: Most,
}

/// How far a record may inflate: so many bytes, and so many for each stored byte beyond the first few.
#[derive(Debug, Clone, Copy)]
pub(super) struct Most {
    bytes: u64,
    ratio: u64,
    /// What is left of what all meshes of the walk may inflate to together: this record's stored bytes and those before it count.
    left: u64,
}

/// What a record may inflate to whatever its ratio. Small, since a plugin may have very many records. The land of a flat cell
/// takes this much and next to nothing stored. A large one is inflated as a whole, and so only to this and a part of the ratio.
const FREE: u64 = 8 << 10;
const FREE_OF_LARGE: u64 = 1 << 20;
const SHARE_OF_LARGE: u64 = 8;

/// How much of a record is inflated to find its first fields: its name, and the square of a cell.
const FIRST: usize = 4 << 10;

/// The same for a record with a mesh, and the part of the ratio that it may reach. Meshes of games reach two and a half, and what is
/// made of one takes many times its bytes.
const FREE_OF_MESH: u64 = 1 << 10;
const SHARE_OF_MESH: u64 = 8;

/// What all meshes of a plugin may inflate to together, and the part of the ratio that they may reach: four times what is stored, a
/// half more than any game. A walk that is cut into pieces has as much for each, and a piece has a mebibyte.
const FREE_OF_ALL: u64 = 64 << 10;
const SHARE_OF_ALL: u64 = 25;

impl Most {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { bytes: limits.inflated_bytes, ratio: limits.inflate_ratio, left: FREE_OF_ALL }
    }

    /// Whether records of this kind hold meshes or path grids, which are kept.
    fn is_of_mesh(tag: Tag) -> bool {
        matches!(tag, Tag::NAVM | Tag::PGRD | Tag::ACTI | Tag::DOOR | Tag::FURN | Tag::GBFM | Tag::STAT)
    }

    /// What a compressed record with a mesh may use, which is then missing to those after it.
    #[inline]
    pub(super) fn pass(&mut self, tag: Tag, flags: RecordFlags, data: &[u8]) -> Self {
        if !flags.contains(RecordFlags::COMPRESSED) || !Self::is_of_mesh(tag) {
            return *self;
        }
        let share = (self.ratio / SHARE_OF_ALL).max(1);
        self.left = self.left.saturating_add(share.saturating_mul(data.len() as u64));
        let here = *self;
        let claimed = data.first_chunk().map_or(0, |size| u64::from(u32::from_le_bytes(*size)));
        // What is refused, and a claim that is a lie, is not inflated: the records after it do not pay for it.
        let stored = data.len().saturating_sub(size_of::<u32>());
        if claimed <= self.left && here.charge(tag, claimed, stored).is_ok() {
            self.left = self.left.saturating_sub(claimed);
        }
        here
    }

    /// Refuses a claim for so many stored bytes.
    fn charge(self, tag: Tag, claimed: u64, stored: usize) -> Result<()> {
        /// What deflate can make of a byte at best. A claim beyond that is a lie, and nothing is inflated.
        const REACH: u64 = 1_032;
        let stored = stored as u64;
        let most =
            |free: u64, share: u64| free.saturating_add((self.ratio / share).max(1).saturating_mul(stored));
        let by_ratio = match Self::is_of_mesh(tag) {
            true => most(FREE_OF_MESH, SHARE_OF_MESH),
            false => most(FREE, 1).min(most(FREE_OF_LARGE, SHARE_OF_LARGE)),
        };
        Limits::charge("inflated size", claimed, self.bytes)?;
        if claimed > stored.saturating_mul(REACH) {
            return Ok(());
        }
        Limits::charge("inflated size by its ratio", claimed, by_ratio)?;
        match Self::is_of_mesh(tag) {
            true => Limits::charge("inflated size of all meshes by its ratio", claimed, self.left),
            false => Ok(()),
        }
    }

    /// Inflates the data of a record of kind `tag`, which begins at byte `at`, and gives its fields.
    pub(super) fn inflate<'s>(
        self,
        tag: Tag,
        data: &[u8],
        at: u64,
        scratch: &'s mut Scratch,
    ) -> Result<Fields<'s>> {
        let mut cursor = Cursor::new(data, at);
        let size = cursor.u32("inflated size")?;
        let mut limits = Limits::default();
        limits.inflated_bytes = self.bytes;
        let stored = cursor.rest();
        self.charge(tag, size.into(), stored.len()).map_err(|error| error.at(cursor.offset()))?;
        let data =
            scratch.inflater.zlib(stored, size.into(), &limits).map_err(|error| error.at(cursor.offset()))?;
        Ok(Fields::of_inflated(data))
    }

    /// Inflates the beginning of a record's data, and gives the fields in it. The last may be cut.
    pub(super) fn inflate_first<'s>(
        self,
        data: &[u8],
        at: u64,
        scratch: &'s mut Scratch,
    ) -> Result<Fields<'s>> {
        let mut cursor = Cursor::new(data, at);
        let size = cursor.u32("inflated size")?.min(u32::try_from(self.bytes).unwrap_or(u32::MAX));
        let most = FIRST.min(size as usize);
        let data = scratch.inflater.zlib_start(cursor.rest(), most);
        data.map(Fields::of_inflated).map_err(|error| error.at(cursor.offset()))
    }
}

impl<'a> Record<'a> {
    /// Takes one record, which must not be a group.
    pub(super) fn take(cursor: &mut Cursor<'a>, limits: &Limits) -> Result<Self> {
        let offset = cursor.offset();
        let header: &RecordHeader = cursor.record("record header")?;
        let data = cursor.bytes(usize::try_from(header.size()).unwrap_or(usize::MAX), "record")?;
        // What other records use is not known here.
        let most_inflated = Most { left: u64::MAX, ..Most::new(limits) };
        Ok(Self { header, data, offset, most_inflated })
    }

    /// The header.
    pub fn header(&self) -> &'a RecordHeader {
        self.header
    }

    /// Kind of the record.
    pub fn tag(&self) -> Tag {
        self.header.tag()
    }

    /// Its FormID, local to the plugin.
    pub fn form_id(&self) -> FormId {
        self.header.form_id()
    }

    /// The byte of the file at which its header begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The byte of the file at which its stored data begins.
    pub fn data_offset(&self) -> u64 {
        self.offset.saturating_add(size_of::<RecordHeader>() as u64)
    }

    /// The data as stored, compressed or not.
    pub fn stored(&self) -> &'a [u8] {
        self.data
    }

    /// Whether it is deleted.
    pub fn is_deleted(&self) -> bool {
        self.header.flags().contains(RecordFlags::DELETED)
    }

    /// Whether its data is compressed. If so, it has to be inflated; otherwise it is viewed in place.
    pub fn is_compressed(&self) -> bool {
        self.header.flags().contains(RecordFlags::COMPRESSED)
    }

    /// Size of the inflated data, as the record claims. `None` if it is not compressed, or too short.
    pub fn claimed_size(&self) -> Option<u32> {
        if !self.is_compressed() {
            return None;
        }
        self.data.first_chunk().map(|size| u32::from_le_bytes(*size))
    }

    /// The fields in place: zero-copy. `None` if the data is compressed.
    pub fn fields_in_place(&self) -> Option<Fields<'a>> {
        (!self.is_compressed()).then(|| Fields::new(self.data, self.data_offset()))
    }

    /// The fields: viewed in place if the data is uncompressed, else **inflated into `scratch`**, which they then borrow.
    /// Allocates only until the buffer of `scratch` is as large as the largest record.
    ///
    /// # Errors
    /// If compressed data is damaged, does not inflate to the size it claims, or claims more than
    /// [`Limits::inflated_bytes`], or more than [`Limits::inflate_ratio`] for each stored byte beyond the first 8 KiB of it, or
    /// an eighth of that beyond 1 MiB; an eighth beyond 1 KiB for a record with a mesh, and a twenty-fifth beyond 64 KiB for it
    /// and all those before it.
    pub fn fields<'s>(&self, scratch: &'s mut Scratch) -> Result<Fields<'s>>
    where
        'a: 's,
    {
        if let Some(fields) = self.fields_in_place() {
            return Ok(fields);
        }
        self.most_inflated.inflate(self.tag(), self.data, self.data_offset(), scratch)
    }

    /// The first fields: what many ask one record for costs no more however far it inflates. The last may be cut.
    pub(super) fn first_fields<'s>(&self, scratch: &'s mut Scratch) -> Result<Fields<'s>>
    where
        'a: 's,
    {
        match self.fields_in_place() {
            Some(fields) => Ok(fields),
            None => self.most_inflated.inflate_first(self.data, self.data_offset(), scratch),
        }
    }
}

/// The place of a record in the plugin's groups.
#[derive(Debug, Clone, Copy)]
pub struct RecordPlace<'a> {
    /// The worldspace of the nearest enclosing group of world children.
    pub world: Option<FormId>,
    /// The cell of the nearest enclosing group of a cell's children.
    pub cell: Option<FormId>,
    /// The record of that cell, if it precedes the group as it should.
    pub cell_record: Option<Record<'a>>,
    /// The innermost group; `None` outside all groups.
    pub group: Option<GroupKind>,
    /// The nesting depth of groups.
    pub depth: u32,
}

/// The records that a walk looks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Kinds of records to yield; all if empty.
    pub(super) tags: &'static [Tag],
    /// Labels of top-level groups that may contain them; all if empty.
    pub(super) labels: &'static [Tag],
}

impl Wanted {
    pub(super) const ALL: Self = Self { tags: &[], labels: &[] };
    pub(super) const NAVMESHES: Self =
        Self { tags: &[Tag::NAVM], labels: &[Tag::CELL, Tag::WRLD, Tag::NAVM] };
    pub(super) const NAVI: Self = Self { tags: &[Tag::NAVI], labels: &[Tag::NAVI] };
    pub(super) const SPACES: Self = Self { tags: &[Tag::CELL, Tag::WRLD], labels: &[Tag::CELL, Tag::WRLD] };
    pub(super) const OBJECTS: Self = Self {
        tags: &[Tag::ACTI, Tag::DOOR, Tag::FURN, Tag::GBFM, Tag::STAT],
        labels: &[Tag::ACTI, Tag::DOOR, Tag::FURN, Tag::GBFM, Tag::STAT],
    };
    pub(super) const DOORS: Self = Self { tags: &[Tag::REFR], labels: &[Tag::CELL, Tag::WRLD] };

    /// Whether a top-level group cannot contain wanted records, since it is for another record type. A group with an odd label
    /// might.
    fn passes_over(self, label: Tag) -> bool {
        !self.labels.is_empty() && label.is_record_type() && !self.labels.contains(&label)
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Frame {
    /// The end of the group, at most that of its parent.
    end: usize,
    /// The end that it claims.
    claimed: usize,
    label: FormId,
    kind: i32,
}

/// The deepest nesting a walk can follow, regardless of [`Limits::depth`]. Real files nest five deep.
const MOST_DEPTH: usize = 32;

/// The records of a plugin in file order: a lazy walk that allocates nothing and reads only headers.
///
/// The walk continues after an error. If a record claims more bytes than its group has left, it continues after the group. If a
/// group claims more than its parent has, it reads as much of the group as exists. Every error moves the walk forward, so it
/// ends.
#[derive(Debug, Clone)]
pub struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    frames: [Frame; MOST_DEPTH],
    depth: usize,
    most_depth: usize,
    most_inflated: Most,
    wanted: Wanted,
    owners: Owners,
    cell: Option<Record<'a>>,
}

const HEADER: usize = size_of::<RecordHeader>();

impl<'a> Records<'a> {
    pub(super) fn new(
        bytes: &'a [u8],
        start: usize,
        wanted: Wanted,
        owners: Owners,
        limits: &Limits,
    ) -> Self {
        let mut frames = [Frame::default(); MOST_DEPTH];
        if let Some(file) = frames.first_mut() {
            *file = Frame { end: bytes.len(), claimed: bytes.len(), label: FormId::NULL, kind: -1 };
        }
        let most_depth =
            usize::try_from(limits.depth).unwrap_or(MOST_DEPTH).min(MOST_DEPTH.saturating_sub(1));
        let most_inflated = Most::new(limits);
        Self { bytes, at: start, frames, depth: 0, most_depth, most_inflated, wanted, owners, cell: None }
    }

    /// The place of the last yielded record.
    pub fn place(&self) -> RecordPlace<'a> {
        let groups = || self.frames.iter().take(self.depth.saturating_add(1)).skip(1).rev();
        let kind = |frame: &Frame| GroupKind::from_stored(frame.kind);
        let is_of = |record: &Record<'_>, cell| self.owners.same(record.form_id(), cell);
        let cell = groups().find(|f| kind(f).is_of_cell()).map(|f| f.label);
        RecordPlace {
            world: groups().find(|f| kind(f) == GroupKind::WorldChildren).map(|f| f.label),
            cell,
            cell_record: self.cell.filter(|record| cell.is_some_and(|cell| is_of(record, cell))),
            group: groups().next().map(kind),
            depth: u32::try_from(self.depth).unwrap_or(u32::MAX),
        }
    }

    /// Whether an error of this walk is inside a top-level group that is wanted by its label. Every walk reads the header of the
    /// group itself.
    pub(super) fn is_inside_wanted(&self, error: &Error) -> bool {
        let top = self.frames.get(1).filter(|_| self.depth > 0);
        let inside = top.is_some_and(|top| self.wanted.labels.contains(&Tag(top.label.get().to_le_bytes())));
        let start = error.position().offset.and_then(|at| usize::try_from(at).ok());
        let at = start.and_then(|at| self.bytes.get(at..)).unwrap_or_default();
        let is_group = RecordHeader::ref_from_prefix(at).is_ok_and(|(header, _)| header.tag() == Tag::GRUP);
        let is_top =
            GroupHeader::ref_from_prefix(at).is_ok_and(|(group, _)| group.kind() == GroupKind::TopLevel);
        inside && !(is_group && is_top)
    }

    /// The walk in consecutive pieces for parallel work: blocks of cells of at least a mebibyte. One piece if the headers down to
    /// the blocks are damaged.
    pub(super) fn pieces(&self) -> Vec<Self> {
        const LEAST: usize = 1 << 20;
        let mut pieces = vec![self.clone()];
        let mut walk = self.clone();
        while let Some(frame) = walk.frames.get(walk.depth).copied() {
            let rest = walk.bytes.get(walk.at..frame.end).unwrap_or_default();
            if rest.is_empty() {
                let Some(outer) = walk.depth.checked_sub(1) else { break };
                walk.depth = outer;
                continue;
            }
            let Ok((header, data)) = RecordHeader::ref_from_prefix(rest) else { return vec![self.clone()] };
            let size = header.size() as usize;
            if header.tag() != Tag::GRUP {
                let Some(data) = data.get(..size) else { return vec![self.clone()] };
                if header.tag() == Tag::CELL {
                    let (offset, most_inflated) = (walk.at as u64, walk.most_inflated);
                    walk.cell = Some(Record { header, data, offset, most_inflated });
                }
                walk.at = walk.at.saturating_add(HEADER).saturating_add(size);
                continue;
            }
            let label = walk.frames.get(1).map(|top| top.label.get().to_le_bytes());
            let is_block = walk.depth > 1 || (walk.depth == 1 && label == Some(Tag::CELL.0));
            if is_block && (HEADER..=rest.len()).contains(&size) {
                if pieces.last().is_none_or(|last| walk.at.saturating_sub(last.at) >= LEAST) {
                    pieces.push(walk.clone());
                }
                walk.at = walk.at.saturating_add(size);
                continue;
            }
            let entered = GroupHeader::ref_from_prefix(rest).map(|(group, _)| walk.enter(frame, group));
            if !matches!(entered, Ok(Ok(()))) {
                return vec![self.clone()];
            }
        }
        let ends: Vec<usize> = pieces.iter().skip(1).map(|piece| piece.at).collect();
        for (piece, end) in pieces.iter_mut().zip(ends) {
            piece.frames.iter_mut().for_each(|frame| frame.end = frame.end.min(end));
        }
        pieces
    }

    /// Skips consecutive unwanted records: most of a plugin.
    #[inline]
    fn pass_over(&mut self, end: usize) {
        let wanted = self.wanted.tags;
        while let Some((header, data)) =
            self.bytes.get(self.at..end).and_then(|rest| RecordHeader::ref_from_prefix(rest).ok())
        {
            let (tag, size) = (header.tag(), header.size() as usize);
            if data.len() < size || tag == Tag::GRUP || tag == Tag::CELL || wanted.contains(&tag) {
                break;
            }
            self.at = self.at.saturating_add(HEADER).saturating_add(size);
        }
    }

    fn enter(&mut self, parent: Frame, header: &GroupHeader) -> Result<()> {
        let start = self.at;
        let size = header.size() as usize;
        if size < HEADER {
            self.at = parent.end;
            return Err(Error::invalid("group", format!("{size} bytes claimed of at least {HEADER}"))
                .at(start as u64));
        }
        let claimed = start.saturating_add(size);
        let end = claimed.min(parent.end);
        if self.depth == 0
            && header.kind() == GroupKind::TopLevel
            && self.wanted.passes_over(header.label_tag())
        {
            self.at = end;
        } else if self.depth >= self.most_depth {
            self.at = end;
            let (asked, allowed) = (self.depth.saturating_add(1) as u64, self.most_depth as u64);
            return Err(Error::new(ErrorKind::Limit { what: "group depth", asked, allowed }).at(start as u64));
        } else {
            self.depth = self.depth.saturating_add(1);
            if let Some(frame) = self.frames.get_mut(self.depth) {
                let kind = header.kind().to_stored();
                *frame = Frame { end, claimed, label: header.label_form(), kind };
            }
            self.at = start.saturating_add(HEADER);
        }
        // A truncated group truncates its children too. One report is enough.
        if claimed > parent.claimed {
            let (needed, left) = (size as u64, parent.end.saturating_sub(start) as u64);
            return Err(Error::new(ErrorKind::Truncated { what: "group", needed, left }).at(start as u64));
        }
        Ok(())
    }

    #[cold]
    fn cut_short(&mut self, end: usize, what: &'static str, needed: u64, left: usize) -> Error {
        let at = self.at as u64;
        self.at = end;
        Error::new(ErrorKind::Truncated { what, needed, left: left as u64 }).at(at)
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let frame = *self.frames.get(self.depth)?;
            if !self.wanted.tags.is_empty() {
                self.pass_over(frame.end);
            }
            let rest = self.bytes.get(self.at..frame.end).unwrap_or_default();
            if rest.is_empty() {
                self.depth = self.depth.checked_sub(1)?;
                continue;
            }
            let Ok((header, data)) = RecordHeader::ref_from_prefix(rest) else {
                return Some(Err(self.cut_short(frame.end, "record header", HEADER as u64, rest.len())));
            };
            if header.tag() == Tag::GRUP {
                if let Ok((group, _)) = GroupHeader::ref_from_prefix(rest)
                    && let Err(error) = self.enter(frame, group)
                {
                    return Some(Err(error));
                }
                continue;
            }
            let size = header.size() as usize;
            let Some(data) = data.get(..size) else {
                return Some(Err(self.cut_short(frame.end, "record", size as u64, data.len())));
            };
            let offset = self.at as u64;
            self.at = self.at.saturating_add(HEADER).saturating_add(size);
            let tag = header.tag();
            let most_inflated = self.most_inflated.pass(tag, header.flags(), data);
            let record = Record { header, data, offset, most_inflated };
            if tag == Tag::CELL {
                self.cell = Some(record);
            }
            if self.wanted.tags.is_empty() || self.wanted.tags.contains(&tag) {
                return Some(Ok(record));
            }
        }
    }
}

impl FusedIterator for Records<'_> {}
