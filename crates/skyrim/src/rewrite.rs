//! Rewrites a plugin with some records changed, added or removed.

mod stored;

pub use stored::NewRecord;

use super::buf::NavMeshBuf;
use super::fields::Fields;
use super::flags::RecordFlags;
use super::form::{FormId, Tag};
use super::navm::NavmRecord;
use super::offsets::{self, Moved};
use super::plugin::Plugin;
use super::record::{GroupHeader, RecordHeader};
use super::walk::Record;
use super::write::field;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::threads::spread;
use std::collections::{BTreeMap, BTreeSet};
use stored::{RecordChange, Stored, sized, too_large};
use zerocopy::{FromBytes, IntoBytes};

/// The changes of a plugin. Records and groups are named by the file offset of their header.
///
/// All other bytes stay as they are. A record whose inflated data is unchanged keeps its stored bytes, so a change that was
/// undone leaves the file as it was, whatever compressed it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    records: BTreeMap<u64, RecordChange>,
    removed: BTreeSet<u64>,
    appended: BTreeMap<u64, Vec<Addition>>,
    overrides: BTreeSet<u32>,
    no_overrides: BTreeSet<u32>,
    next_object: Option<u32>,
}

/// Added records, and the groups around them. They count in the file header.
#[derive(Clone, Debug, PartialEq)]
struct Addition {
    bytes: Vec<u8>,
    count: i32,
}

/// Data of a record that is compressed when it is set, and not with all others on all cores: meshes of games have a tenth of that.
const LARGE: usize = 1 << 20;

pub(super) const HEADER: usize = size_of::<RecordHeader>();

/// The fields of the file header that come before its list of overrides. Behind it are `SCRN`, `TNAM`, `INTV`, `INCC` and what
/// later games have added.
const BEFORE_OVERRIDES: [[u8; 4]; 7] = [*b"HEDR", *b"OFST", *b"DELE", *b"CNAM", *b"SNAM", *b"MAST", *b"DATA"];

impl Changes {
    /// No changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.removed.is_empty() && self.appended.is_empty()
    }

    /// Sets a record's flags and data. The data is uncompressed; it is compressed if the flags say so.
    pub fn set(&mut self, record: &Record<'_>, flags: RecordFlags, data: Vec<u8>) {
        self.records.insert(record.offset(), RecordChange::new(flags, data));
    }

    /// Sets the mesh of a navmesh record. Its other fields and its flags stay.
    ///
    /// # Errors
    /// If the record cannot be read, or the mesh does not fit it.
    pub fn set_mesh(
        &mut self,
        navm: &NavmRecord<'_>,
        mesh: &NavMeshBuf,
        scratch: &mut Scratch,
    ) -> Result<()> {
        let record = navm.record();
        let data = with_field(record.fields(scratch)?, Tag(*b"NVNM"), Some(&mesh.encode()?))?;
        self.set_changed(record, data, scratch)
    }

    /// Sets the data of a record. What is large is made as it is written at once, so that not all such records are held whole.
    ///
    /// # Errors
    /// If the data does not fit its record.
    pub(super) fn set_changed(
        &mut self,
        record: &Record<'_>,
        data: Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<()> {
        let flags = record.header().flags();
        let is_large = data.len() >= LARGE && flags.contains(RecordFlags::COMPRESSED);
        let change = RecordChange::new(flags, data);
        let change = if is_large { change.packed(record, scratch)? } else { change };
        self.records.insert(record.offset(), change);
        Ok(())
    }

    /// Removes a record, and groups that become empty.
    pub fn remove(&mut self, record: &Record<'_>) {
        self.removed.insert(record.offset());
    }

    /// Adds a record at the end of the group at byte `group`; 0 is the file itself.
    ///
    /// # Errors
    /// If the data does not fit its record.
    pub fn append(&mut self, group: u64, head: NewRecord, data: &[u8]) -> Result<()> {
        let addition = Addition { bytes: head.encode(data)?, count: 1 };
        self.appended.entry(group).or_default().push(addition);
        Ok(())
    }

    /// Adds whole groups, with the number of records and groups in them.
    pub(super) fn append_group(&mut self, group: u64, bytes: Vec<u8>, count: i32) {
        self.appended.entry(group).or_default().push(Addition { bytes, count });
    }

    /// Adds a temporary record to the header list of a master that newly overrides it, or (not `listed`) removes it from the
    /// list.
    pub fn note_override(&mut self, form: FormId, listed: bool) {
        let (to, from) = match listed {
            true => (&mut self.overrides, &mut self.no_overrides),
            false => (&mut self.no_overrides, &mut self.overrides),
        };
        from.remove(&form.get());
        to.insert(form.get());
    }

    /// The object id that the editor hands out next is this at least.
    pub(super) fn raise_next_object(&mut self, next: u32) {
        self.next_object = self.next_object.max(Some(next));
    }

    /// The plugin with these changes. Compresses on all cores, and holds no data of a record any more that is written.
    ///
    /// Sizes of groups, the tables of worldspaces that say where their cells begin (`OFST`) and the number of records in the file
    /// header are adjusted; an error in that number stays as large as it was. Masters, flags and time stamps stay as they are.
    ///
    /// # Errors
    /// If the groups of the plugin are damaged, a changed record does not fit its header, or a change names an offset where
    /// nothing begins.
    pub fn apply(mut self, plugin: &Plugin<'_>) -> Result<Vec<u8>> {
        let records = std::mem::take(&mut self.records);
        let changed = records.keys().copied().collect();
        let stored = stored(records, plugin)?;
        let mut writer = Writer {
            plugin,
            changes: &self,
            changed,
            stored,
            out: Vec::new(),
            counted: 0,
            done: 0,
            open: Vec::new(),
            moved: Moved::default(),
        };
        writer.body()?;
        offsets::settle(plugin, &self.removed, &writer.moved, &mut writer.out);
        writer.head()
    }
}

/// The stored form of every changed record.
fn stored<'a>(
    records: BTreeMap<u64, RecordChange>,
    plugin: &Plugin<'a>,
) -> Result<BTreeMap<u64, Stored<'a>>> {
    let one = |scratch: &mut Scratch, (offset, change): (u64, RecordChange)| -> Result<_> {
        let record = plugin.record_at(offset)?;
        Ok((offset, change.stored(&record, scratch)?))
    };
    if records.len() > 1 {
        use rayon::prelude::*;
        let records: Vec<_> = records.into_iter().collect();
        return spread(|| records.into_par_iter().map_init(Scratch::new, one).collect());
    }
    let mut scratch = Scratch::new();
    records.into_iter().map(|change| one(&mut scratch, change)).collect()
}

/// A group of records and groups that are whole already.
///
/// # Errors
/// If it is larger than its header can express.
pub(super) fn group(label: [u8; 4], kind: i32, children: &[Vec<u8>]) -> Result<Vec<u8>> {
    let size = children.iter().fold(0_usize, |size, child| size.saturating_add(child.len()));
    let mut out = group_header(label, kind, size)?;
    children.iter().for_each(|child| out.extend(child));
    Ok(out)
}

/// The header of a group of records and groups that take so many bytes.
///
/// # Errors
/// As for [`group`].
pub(super) fn group_header(label: [u8; 4], kind: i32, children: usize) -> Result<Vec<u8>> {
    let size = HEADER.saturating_add(children);
    let size = u32::try_from(size).map_err(|_| too_large("group", size))?;
    Ok(GroupHeader::new(label, kind, size).as_bytes().to_vec())
}

struct Writer<'w, 'a> {
    plugin: &'w Plugin<'a>,
    changes: &'w Changes,
    /// The offsets of the changed records, and those that are not written yet.
    changed: BTreeSet<u64>,
    stored: BTreeMap<u64, Stored<'a>>,
    out: Vec<u8>,
    /// The change of the number of records and groups.
    counted: i32,
    /// The number of changes met.
    done: usize,
    open: Vec<Open>,
    moved: Moved,
}

/// A group that is being written.
struct Open {
    /// Its start and end in the file.
    start: u64,
    end: usize,
    /// The offset of its header in the output.
    at: usize,
    /// Whether something was removed from it.
    thinned: bool,
}

impl Writer<'_, '_> {
    /// Whether there is a change between two offsets of the file.
    fn is_changed(&self, start: u64, end: u64) -> bool {
        let Changes { removed, appended, .. } = self.changes;
        self.changed.range(start..end).next().is_some()
            || removed.range(start..end).next().is_some()
            || appended.range(start..end).next().is_some()
    }

    /// Everything after the file header.
    fn body(&mut self) -> Result<()> {
        let bytes = self.plugin.as_bytes();
        let mut at = self.plugin.body_offset();
        let depth = usize::try_from(self.plugin.limits().depth).unwrap_or(usize::MAX);
        loop {
            let end = self.open.last().map_or(bytes.len(), |open| open.end);
            if at >= end {
                let Some(open) = self.open.pop() else { break };
                self.close(open)?;
                continue;
            }
            self.moved.note(at, self.out.len());
            let rest = bytes.get(at..end).unwrap_or_default();
            let Ok((header, data)) = RecordHeader::ref_from_prefix(rest) else {
                return Err(cut("record header", HEADER, rest.len(), at));
            };
            let start = at as u64;
            if header.tag() != Tag::GRUP {
                let size = header.size() as usize;
                if size > data.len() {
                    return Err(cut("record", size, data.len(), at));
                }
                at = at.saturating_add(HEADER).saturating_add(size);
                self.record(start, bytes.get(start as usize..at).unwrap_or_default());
                continue;
            }
            let Ok((header, _)) = GroupHeader::ref_from_prefix(rest) else {
                return Err(cut("group", HEADER, rest.len(), at));
            };
            let size = header.size() as usize;
            if size < HEADER || size > rest.len() {
                return Err(cut("group", size.max(HEADER), rest.len(), at));
            }
            let group_end = at.saturating_add(size);
            if !self.is_changed(start, group_end as u64) {
                self.out.extend(bytes.get(at..group_end).unwrap_or_default());
                at = group_end;
                continue;
            }
            if self.open.len() >= depth {
                let (asked, allowed) = (self.open.len().saturating_add(1) as u64, depth as u64);
                return Err(Error::new(ErrorKind::Limit { what: "group depth", asked, allowed }).at(start));
            }
            self.open.push(Open { start, end: group_end, at: self.out.len(), thinned: false });
            self.out.extend(header.as_bytes());
            at = at.saturating_add(HEADER);
        }
        self.append(0);
        let wanted = [self.changed.len(), self.changes.removed.len(), self.changes.appended.len()];
        let wanted = wanted.into_iter().fold(0_usize, usize::saturating_add);
        if self.done != wanted {
            return Err(Error::invalid("changes", "name a byte of the plugin at which nothing begins"));
        }
        Ok(())
    }

    fn record(&mut self, start: u64, whole: &[u8]) {
        if self.changes.removed.contains(&start) {
            self.done =
                self.done.saturating_add(1).saturating_add(self.stored.remove(&start).is_some().into());
            self.counted = self.counted.saturating_sub(1);
            if let Some(open) = self.open.last_mut() {
                open.thinned = true;
            }
        } else if let Some(changed) = self.stored.remove(&start) {
            self.done = self.done.saturating_add(1);
            self.out.extend(changed.header.as_bytes());
            self.out.extend(&*changed.bytes);
        } else {
            self.out.extend(whole);
        }
    }

    fn append(&mut self, group: u64) {
        let Some(added) = self.changes.appended.get(&group) else { return };
        self.done = self.done.saturating_add(1);
        for addition in added {
            self.out.extend(&addition.bytes);
            self.counted = self.counted.saturating_add(addition.count);
        }
    }

    fn close(&mut self, open: Open) -> Result<()> {
        self.append(open.start);
        let size = self.out.len().saturating_sub(open.at);
        if open.thinned && size == HEADER {
            self.out.truncate(open.at);
            self.counted = self.counted.saturating_sub(1);
            if let Some(parent) = self.open.last_mut() {
                parent.thinned = true;
            }
            return Ok(());
        }
        let size = u32::try_from(size).map_err(|_| too_large("group", size))?;
        if let Some(header) =
            self.out.get_mut(open.at..).and_then(|out| GroupHeader::mut_from_prefix(out).ok())
        {
            header.0.set_size(size);
        }
        Ok(())
    }

    /// The file header, and everything after it.
    fn head(self) -> Result<Vec<u8>> {
        let plugin = self.plugin;
        let mut data = Vec::new();
        let listed = !self.changes.overrides.is_empty() || !self.changes.no_overrides.is_empty();
        if !listed {
            data.extend(plugin.header_data());
        } else {
            let mut written = false;
            for each in plugin.header_fields() {
                let each = each?;
                // The list comes after the masters and before everything else.
                if each.tag == Tag(*b"ONAM") {
                    self.overrides(each.data, &mut data)?;
                    written = true;
                } else {
                    if !BEFORE_OVERRIDES.contains(&each.tag.0) && !written {
                        self.overrides(&[], &mut data)?;
                        written = true;
                    }
                    field(&mut data, each.tag, each.data)?;
                }
            }
            if !written {
                self.overrides(&[], &mut data)?;
            }
        }
        // HEDR comes first: its header, the version, then the number, then the next id.
        if let Some(number) = data.get_mut(10..14).and_then(|bytes| <&mut [u8; 4]>::try_from(bytes).ok()) {
            *number = i32::from_le_bytes(*number).wrapping_add(self.counted).to_le_bytes();
        }
        if let Some(next) = self.changes.next_object
            && let Some(stored) = data.get_mut(14..18)
        {
            let next = next.max(plugin.hedr().next_object_id());
            stored.copy_from_slice(&next.to_le_bytes());
        }
        // What is large is moved, not copied.
        let mut out = self.out;
        out.splice(..0, sized(plugin.header(), &data)?);
        Ok(out)
    }

    fn overrides(&self, stored: &[u8], data: &mut Vec<u8>) -> Result<()> {
        let ids = stored.chunks_exact(4).filter_map(|id| Some(u32::from_le_bytes(*id.first_chunk()?)));
        let mut list: Vec<u32> = ids.filter(|id| !self.changes.no_overrides.contains(id)).collect();
        let known: BTreeSet<u32> = list.iter().copied().collect();
        list.extend(self.changes.overrides.difference(&known));
        if list.is_empty() {
            return Ok(());
        }
        field(data, Tag(*b"ONAM"), &list.iter().flat_map(|id| id.to_le_bytes()).collect::<Vec<_>>())
    }
}

#[cold]
fn cut(what: &'static str, needed: usize, left: usize, at: usize) -> Error {
    Error::new(ErrorKind::Truncated { what, needed: needed as u64, left: left as u64 }).at(at as u64)
}

/// The fields with the payload of one replaced; `None` removes it. All others keep their bytes, including an `XXXX` before them.
/// If there is none of this kind, it is added at the end.
///
/// # Errors
/// If a field cannot be read, or the payload is longer than 4 GiB.
pub(super) fn with_field(mut fields: Fields<'_>, tag: Tag, payload: Option<&[u8]>) -> Result<Vec<u8>> {
    // A list that grows takes room beside what it had, and the payload may be most of a plugin.
    let more = payload.map_or(0, |payload| payload.len().saturating_add(size_of::<[u32; 4]>()));
    let mut out = Vec::with_capacity(fields.rest().len().saturating_add(more));
    let mut met = false;
    while let Some(next) = fields.next_stored() {
        let (next, stored) = next?;
        if next.tag != tag || met {
            out.extend(stored);
            continue;
        }
        met = true;
        match payload {
            Some(payload) if payload != next.data => field(&mut out, tag, payload)?,
            Some(_) => out.extend(stored),
            None => {}
        }
    }
    if let (false, Some(payload)) = (met, payload) {
        field(&mut out, tag, payload)?;
    }
    Ok(out)
}
