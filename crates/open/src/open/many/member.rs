//! Opens named members: finds the bytes of `archive!member`, or of a compressed file.

use super::archive::ArchiveFile;
use crate::open::OpenOptions;
use crate::open::bytes::Bytes;
use navmap_archive::{Archive, Buffers, Kind, Meter, Method, Source, Unpacker};
use navmap_core::error::{Error, Result};
use navmap_core::text::printable;
use navmap_formats as format;
use std::cell::Cell;
use std::ops::ControlFlow;
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

/// Splits `archive!member`, if no file has the whole name but one has a part before a `!`.
pub(in crate::open) fn inside(path: &Path) -> Option<(&Path, &str)> {
    let text = path.to_str().filter(|_| !path.exists())?;
    text.match_indices('!').find_map(|(at, mark)| {
        let archive = Path::new(text.get(..at)?);
        archive.is_file().then_some((archive, text.get(at.saturating_add(mark.len())..)?))
    })
}

/// The bytes of a member. Only the members on the way to it are read.
pub(in crate::open) fn open(path: &Path, member: &str, options: &OpenOptions) -> Result<Bytes> {
    let file = Arc::new(ArchiveFile::open(path, options)?);
    let at = |error: Error| error.in_file(path);
    let archive = file.archive()?;
    // A sequential archive has no directory, and nothing in it can be viewed in place.
    for listed in archive.members(&options.limits).map_while(Result::ok) {
        if *listed.name.bytes() == *member.as_bytes() {
            match listed.entry.view(file.source()).map_err(at)? {
                Some(_) => return Ok(Bytes::stored(Arc::clone(&file), member, listed.entry)),
                None => break,
            }
        }
    }
    let mut found = None;
    let mut lend = |bytes: &[u8]| found = Some(bytes.to_vec());
    let end = find(&archive, member.as_bytes(), file.meter(), &mut Buffers::new(), &mut lend);
    let (running, spent) = COUNTED.get();
    COUNTED.set((running, spent.saturating_add(file.meter().spent())));
    end.map_err(at)?;
    file.intact()?;
    let bytes = found.ok_or_else(|| at(Error::invalid("archive", "holds no member of this name")))?;
    Ok(Bytes::of_member(path, member, bytes))
}

/// Looks for a member by the rest of its name, in archives inside this one too.
fn find(
    archive: &Archive<'_>,
    name: &[u8],
    meter: &Meter,
    buffers: &mut Buffers,
    lend: &mut dyn FnMut(&[u8]),
) -> Result<()> {
    let (unpacker, deeper) = buffers.split();
    let mut end = Ok(());
    archive.each(
        meter,
        unpacker,
        &mut |member| rest_after(&member.name.bytes(), name).is_some(),
        &mut |chosen| {
            let own = chosen.member.name.bytes();
            let Some(rest) = rest_after(&own, name) else { return ControlFlow::Continue(()) };
            end = chosen.bytes.and_then(|bytes| {
                if rest.is_empty() {
                    lend(bytes);
                    return Ok(());
                }
                let kind = Kind::sniff(bytes).ok_or_else(|| Error::invalid("member", "is no archive"))?;
                let inner = Archive::open(Source::single(bytes), kind, &own)?;
                // An archive that is stored uncompressed is viewed in place, so nothing of it is in memory.
                let in_place = !archive.is_sequential()
                    && matches!(chosen.member.entry.view(archive.source()), Ok(Some(_)));
                let held = if in_place { 0 } else { bytes.len() as u64 };
                find(&inner, rest, &meter.nested(held)?, deeper, lend)
            });
            ControlFlow::Break(())
        },
    )?;
    end
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
    let mut found = Ok(None);
    let end = archive.each(
        &meter,
        &mut Unpacker::new(),
        // The members of a compressed tar are stored in it uncompressed.
        &mut |member| member.entry.method() != Method::Stored,
        &mut |chosen| {
            let member = printable(&chosen.member.name.bytes());
            let is_mesh = |bytes: &[u8]| {
                let name = Path::new(&member);
                format::Kind::sniff(bytes, Some(name)).is_some()
                    || options.kind.is_some()
                    || format::Kind::names(name) && Kind::sniff(bytes).is_none()
            };
            found = chosen.bytes.map(|inflated| {
                is_mesh(inflated).then(|| Bytes::of_member(path, &member, inflated.to_vec()))
            });
            ControlFlow::Break(())
        },
    );
    end.and(found).map_err(|error| error.in_file(path))
}

/// The file of `archive!member`.
pub fn on_disk(path: &Path) -> &Path {
    inside(path).map_or(path, |(archive, _)| archive)
}
