//! Opens named members: finds the bytes of `archive!member`, or of a compressed file.

use super::archive::{ArchiveFile, not_archive};
use crate::open::OpenOptions;
use crate::open::bytes::{Bytes, location};
use navmap_archive::{Archive, Buffers, Entry, Kind, Member, Meter, Method, Promise, Source, Unpacker};
use navmap_core::Limits;
use navmap_core::error::{Error, Result};
use navmap_core::text::{escaped, nearest, unescaped};
use navmap_formats as format;
use std::cell::Cell;
use std::collections::HashMap;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

thread_local! {
    /// How many counts are running on this thread, and the cost of the members opened since the last of them ended.
    static COUNTED: Cell<(u32, u64)> = const { Cell::new((0, 0)) };
}

/// Does the work, and counts what members of archives cost that it opens by name on this thread, with the archives around them.
/// Where a pool runs other counted work in between, each cost is told once, by one of both.
pub(crate) fn counting_members<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let (running, spent) = COUNTED.get();
    COUNTED.set((running.saturating_add(1), if running == 0 { 0 } else { spent }));
    let done = work();
    let (running, spent) = COUNTED.get();
    COUNTED.set((running.saturating_sub(1), 0));
    (done, spent)
}

/// How many of the first `!` of a path may end the name of an archive. Each is a question to the disk, and the text may be of a list.
const MOST_MARKS: usize = 64;

/// How many times as many bytes as an archive has its names may have in a [`Directory`].
const MOST_NAMES: usize = 8;

/// Splits `archive!member`, if no file has the whole name but one has a part before a `!`.
pub(crate) fn inside(path: &Path) -> Option<(&Path, &str)> {
    let text = path.to_str().filter(|_| !path.exists())?;
    text.match_indices('!').take(MOST_MARKS).find_map(|(at, mark)| {
        let archive = Path::new(text.get(..at)?);
        archive.is_file().then_some((archive, text.get(at.saturating_add(mark.len())..)?))
    })
}

/// Opens an archive, which may itself be a member of one: `archive!member`.
///
/// # Errors
/// If the file or the member cannot be read, or is not an archive of a known kind. Names it.
pub fn open_archive(path: impl AsRef<Path>, options: &OpenOptions) -> Result<ArchiveFile> {
    let path = path.as_ref();
    let Some((outer, member)) = inside(path) else { return ArchiveFile::open(path, options) };
    let backing = open(outer, member, options)?.into_backing();
    ArchiveFile::sniffed(path, backing, options).ok_or_else(|| not_archive().in_file(path))
}

/// The bytes of a member, by any spelling of its name. Only the members on the way to it are read.
pub(in crate::open) fn open(path: &Path, member: &str, options: &OpenOptions) -> Result<Bytes> {
    let file = Arc::new(ArchiveFile::open(path, options)?);
    let archive = file.archive()?;
    // A sequential archive has no directory, and nothing in it can be viewed in place.
    let stored = spellings(member).find_map(|name| {
        let mut listed = archive.members(&options.limits).map_while(Result::ok);
        listed.find(|listed| *listed.name.bytes() == *name)
    });
    if let Some(Member { name, entry }) = stored
        && entry.view(file.source()).map_err(|error| error.in_file(path))?.is_some()
    {
        return Ok(Bytes::stored(Arc::clone(&file), &escaped(&name.bytes()), entry));
    }
    let mut found = None;
    let (wanted, mut buffers) = (Wanted::first(member), Buffers::new());
    let lent = lend(&file, wanted, file.meter(), &mut buffers, &mut |lent| {
        let is_small = lent.bytes.len() < MOST_COPIED;
        let kept =
            if is_small { Kept::Copied(lent.bytes.to_vec()) } else { Kept::At(lent.bytes.as_ptr_range()) };
        found = Some((escaped(lent.name), kept));
        Ok(())
    });
    let (running, spent) = COUNTED.get();
    COUNTED.set((running, spent.saturating_add(file.meter().spent())));
    lent?;
    file.intact()?;
    let found = found.map(|(name, kept)| {
        let bytes = match kept {
            Kept::Copied(bytes) => bytes,
            Kept::At(place) => match buffers.take(&place) {
                Some(bytes) => bytes,
                // Viewed in the file, in an archive that is stored there.
                None => within(file.source().bytes, &place)?.to_vec(),
            },
        };
        Some(Bytes::of_member(path, &name, bytes))
    });
    found.flatten().ok_or_else(|| absent(&[]).in_file(location(path, Some(member))))
}

/// Bytes of a member that are copied rather than taken out of the buffer into which they were inflated: a larger one would be in memory
/// twice.
const MOST_COPIED: usize = 1 << 20;

/// The bytes of a member, or where they were lent from.
enum Kept {
    Copied(Vec<u8>),
    At(Range<*const u8>),
}

/// The part of `bytes` at these addresses.
fn within<'b>(bytes: &'b [u8], place: &Range<*const u8>) -> Option<&'b [u8]> {
    let start = bytes.as_ptr() as usize;
    let at = |address: *const u8| (address as usize).checked_sub(start);
    bytes.get(at(place.start)?..at(place.end)?)
}

/// A member that was looked for, and what reading on in it takes.
pub(crate) struct Lent<'l> {
    /// Its path inside the outermost archive, as stored.
    pub(crate) name: &'l [u8],
    /// Its own name, in the innermost archive.
    pub(crate) own: &'l [u8],
    pub(crate) bytes: &'l [u8],
    /// How many of the bytes are in memory of their own.
    pub(crate) held: u64,
    pub(crate) entry: Entry,
    /// Kind and length of the innermost archive.
    pub(crate) around: (Kind, u64),
    pub(crate) meter: &'l Meter,
    pub(crate) buffers: &'l mut Buffers,
}

/// Receives the member.
type Lend<'v> = dyn FnMut(Lent<'_>) -> Result<()> + 'v;

/// The members of an archive by their names. Opening many by name takes one pass over the directory with it.
#[derive(Debug)]
pub(crate) struct Directory(HashMap<Box<[u8]>, (usize, Entry)>);

impl Directory {
    /// Linear in the directory. `None` if the archive can only be read from front to back, or its directory not to the end, or if its
    /// names are far longer than it is: a VPK stores the path of many members once, which in games adds up to two or three times as much.
    pub(crate) fn of(archive: &Archive<'_>, limits: &Limits) -> Option<Self> {
        let mut room = archive.source().bytes.len().saturating_mul(MOST_NAMES);
        let mut names = HashMap::new();
        for (at, member) in archive.members(limits).enumerate() {
            let member = member.ok()?;
            let name = member.name.bytes();
            room = room.checked_sub(name.len())?;
            names.entry(name.into()).or_insert((at, member.entry));
        }
        (!archive.is_sequential()).then_some(Self(names))
    }

    /// Whether it can tell if a name is that of a member: each `!` may end one, and the text may be of a list.
    fn knows(name: &[u8]) -> bool {
        name.iter().filter(|byte| **byte == b'!').nth(MOST_MARKS).is_none()
    }

    /// The first member that a name begins with, as [`rest_after`] takes it.
    fn find<'n>(&self, name: &'n [u8]) -> Option<(&'n [u8], Entry)> {
        let marks = name.iter().enumerate().filter(|(_, byte)| **byte == b'!').map(|(at, _)| at);
        let heads = marks.chain([name.len()]).filter_map(|end| name.get(..end));
        let found = heads.filter_map(|head| self.0.get(head).map(|(at, entry)| (*at, head, *entry)));
        found.min_by_key(|(at, ..)| *at).map(|(_, head, entry)| (head, entry))
    }
}

/// What is looked for, and how.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'w> {
    /// Its name as typed.
    pub(crate) member: &'w str,
    /// That of the archive, if there is one.
    pub(crate) directory: Option<&'w Directory>,
    /// How many members were named before it: the more, the fewer names are compared with one that is not there.
    pub(crate) nth: u64,
}

impl<'w> Wanted<'w> {
    /// The first of a run.
    fn first(member: &'w str) -> Self {
        Self { member, directory: None, nth: 0 }
    }

    /// How many names are compared if there is no such member: all of a small archive for hundreds of names, some for thousands, and
    /// together fifty times as many as for the first at most, however many are named.
    fn compared(self) -> usize {
        /// An archive may have millions.
        const MOST: u64 = 1 << 16;
        const SHARED: u64 = 1 << 18;
        let share = SHARED.checked_div(self.nth.saturating_add(1)).unwrap_or(0);
        usize::try_from(share.min(MOST)).unwrap_or(0)
    }
}

/// Lends a member, by any spelling of its name, which may lead through archives in the archive. What it costs is charged to `meter`.
///
/// # Errors
/// Those of `to`. [`Io`](navmap_core::ErrorKind::Io) of kind `NotFound`, with the nearest names, if there is no such member. Names
/// archive and member.
pub(crate) fn lend(
    file: &ArchiveFile,
    wanted: Wanted<'_>,
    meter: &Meter,
    buffers: &mut Buffers,
    to: &mut Lend<'_>,
) -> Result<()> {
    let at = |error: Error| error.in_file(location(file.path(), Some(wanted.member)));
    let archive = file.archive()?;
    let mut near = None;
    for name in spellings(wanted.member) {
        match find(&archive, wanted, &name, name.len(), meter, buffers, to).map_err(at)? {
            Search::Found => return Ok(()),
            Search::Absent(names) => near = near.or(Some(names)),
        }
    }
    Err(at(absent(&near.unwrap_or_default())))
}

/// The names that a typed one may mean: what it says with its escapes read, else letter by letter.
fn spellings(member: &str) -> impl Iterator<Item = Vec<u8>> {
    let read = unescaped(member);
    let letters = (read != member.as_bytes()).then(|| member.as_bytes().to_vec());
    std::iter::once(read).chain(letters)
}

enum Search {
    Found,
    /// The nearest names in the archive that does not hold it.
    Absent(Vec<String>),
}

/// Looks for a member by the last `left` bytes of its name, in archives inside this one too.
fn find(
    archive: &Archive<'_>,
    wanted: Wanted<'_>,
    whole: &[u8],
    left: usize,
    meter: &Meter,
    buffers: &mut Buffers,
    to: &mut Lend<'_>,
) -> Result<Search> {
    let name = whole.get(whole.len().saturating_sub(left)..).unwrap_or_default();
    let around = (archive.kind(), archive.source().bytes.len() as u64);
    let (unpacker, deeper) = buffers.split();
    let mut enter = |own: &[u8], entry: Entry, bytes: Result<&[u8]>| {
        let (bytes, rest) = (bytes?, rest_after(own, name).unwrap_or_default());
        // An archive that is stored uncompressed is viewed in place, so nothing of it is in memory.
        let in_place = !archive.is_sequential() && matches!(entry.view(archive.source()), Ok(Some(_)));
        let held = if in_place { 0 } else { bytes.len() as u64 };
        if rest.is_empty() {
            let (name, buffers) = (whole, &mut *deeper);
            to(Lent { name, own, bytes, held, entry, around, meter, buffers })?;
            return Ok(Search::Found);
        }
        let kind = Kind::sniff(bytes).ok_or_else(|| Error::invalid("member", "is no archive"))?;
        let inner = Archive::open(Source::single(bytes), kind, own)?;
        let wanted = Wanted { directory: None, ..wanted };
        find(&inner, wanted, whole, rest.len(), &meter.nested(held)?, deeper, to)
    };
    let compared = wanted.compared();
    if let Some(directory) = wanted.directory.filter(|_| Directory::knows(name)) {
        return match directory.find(name) {
            Some((own, entry)) => enter(own, entry, entry.read(archive.source(), meter, unpacker)),
            None => Ok(Search::Absent(nearest_members(archive, name, compared, meter, buffers))),
        };
    }
    let mut found = None;
    archive.each(
        meter,
        unpacker,
        &mut |member| rest_after(&member.name.bytes(), name).is_some(),
        &mut |chosen| {
            found = Some(enter(&chosen.member.name.bytes(), chosen.member.entry, chosen.bytes));
            ControlFlow::Break(())
        },
    )?;
    found.unwrap_or_else(|| Ok(Search::Absent(nearest_members(archive, name, compared, meter, buffers))))
}

/// Of the first members, those whose names are nearest to one that is not there: those of the same file in another folder first.
fn nearest_members(
    archive: &Archive<'_>,
    name: &[u8],
    compared: usize,
    meter: &Meter,
    buffers: &mut Buffers,
) -> Vec<String> {
    /// Names that are compared at once.
    const BATCH: usize = 256;
    /// No member has a longer name, and comparing takes time with the length.
    const LONGEST: usize = 4096;
    if name.len() > LONGEST || compared == 0 {
        return Vec::new();
    }
    let wanted = escaped(name);
    let file = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    let wanted_file = file(&wanted);
    let (mut same, mut near, mut batch) = (Vec::new(), Vec::new(), Vec::new());
    let mut left = compared;
    let best = |batch: &mut Vec<String>, near: &mut Vec<String>| {
        batch.append(near);
        *near = nearest(&wanted, batch.iter().map(String::as_str));
        batch.clear();
    };
    let mut look = |member: &Member<'_>| {
        let Some(fewer) = left.checked_sub(1) else { return false };
        left = fewer;
        let name = member.name.to_string();
        if file(&name) == wanted_file && same.len() < 3 {
            same.push(name);
        } else if member.name.promise() != Promise::Nothing {
            batch.push(name);
        }
        if batch.len() >= BATCH {
            best(&mut batch, &mut near);
        }
        false
    };
    // Whatever ends it early, these are hints.
    if archive.is_sequential() {
        let _ = archive.each(meter, buffers.split().0, &mut look, &mut |_| ControlFlow::Break(()));
    } else {
        let listed = archive.members(meter.limits()).map_while(Result::ok);
        listed.take(compared).for_each(|member| _ = look(&member));
    }
    best(&mut batch, &mut near);
    same.append(&mut near);
    same.truncate(3);
    same
}

/// The error for a name that an archive does not hold.
#[cold]
fn absent(near: &[String]) -> Error {
    let mut why = "the archive holds no member of this name".to_owned();
    if !near.is_empty() {
        why.push_str(&format!("; did you mean {}?", near.join(", ")));
    }
    Error::from(io::Error::new(io::ErrorKind::NotFound, why))
}

/// The rest of `name` after the name of this member: empty for the member itself, the part after the `!` for an archive that
/// contains it.
fn rest_after<'n>(member: &[u8], name: &'n [u8]) -> Option<&'n [u8]> {
    match name.strip_prefix(member)? {
        [] => Some(&[]),
        [b'!', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// The mesh in a compressed file. `None` if the bytes are not a compressed file, or if they contain a tar, another archive, or
/// nothing that may be a mesh.
pub(in crate::open) fn unwrap(bytes: &[u8], path: &Path, options: &OpenOptions) -> Result<Option<Bytes>> {
    let Some(kind) = Kind::sniff(bytes).filter(|kind| kind.is_compressor()) else { return Ok(None) };
    if options.kind.is_none() && format::Kind::sniff(bytes, Some(path)).is_some() {
        return Ok(None);
    }
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let archive = Archive::open(Source::single(bytes), kind, name)?;
    let meter = Meter::new(&options.limits, bytes.len() as u64);
    let (mut found, mut unpacker) = (Ok(None), Unpacker::new());
    let end = archive.each(
        &meter,
        &mut unpacker,
        // The members of a compressed tar are stored in it uncompressed.
        &mut |member| member.entry.method() != Method::Stored,
        &mut |chosen| {
            let member = escaped(&chosen.member.name.bytes());
            let is_mesh = |bytes: &[u8]| {
                let name = Path::new(&member);
                format::Kind::sniff(bytes, Some(name)).is_some()
                    || options.kind.is_some()
                    || format::Kind::names(name) && Kind::sniff(bytes).is_none()
            };
            found = chosen
                .bytes
                .map(|inflated| is_mesh(inflated).then(|| (member.clone(), inflated.as_ptr_range())));
            ControlFlow::Break(())
        },
    );
    let found = end.and(found).map_err(|error| error.in_file(path))?;
    Ok(found.and_then(|(member, place)| Some(Bytes::of_member(path, &member, unpacker.take(&place)?))))
}

/// The file of `archive!member`.
pub fn on_disk(path: &Path) -> &Path {
    inside(path).map_or(path, |(archive, _)| archive)
}
