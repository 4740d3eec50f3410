//! The walk over a plugin's groups and records.

use super::fields::Fields;
use super::flags::{GroupKind, RecordFlags};
use super::form::{FormId, Tag};
use super::most::Most;
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

impl<'a> Record<'a> {
    /// Takes one record, which must not be a group.
    pub(super) fn take(cursor: &mut Cursor<'a>, limits: &Limits) -> Result<Self> {
        let offset = cursor.offset();
        let header: &RecordHeader = cursor.record("record header")?;
        let data = cursor.bytes(usize::try_from(header.size()).unwrap_or(usize::MAX), "record")?;
        let most_inflated = Most::alone(limits);
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
    /// and all those before it. A mesh in them may have a triangle for each 9 stored bytes, and as many times more as the ratio is
    /// of 100; [`NavmRecord::mesh`](super::NavmRecord::mesh) refuses others.
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
