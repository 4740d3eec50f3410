//! The one mesh that was named: a file, or `archive!member`.

#![forbid(unsafe_code)]

use super::list::Opened;
use super::{args, plan};
use crate::archive::{Archive, Kind, Meter, Source, Space};
use crate::error::{Error, Result};
use crate::format::AnyNav;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// `archive!member`, where there is no file of the whole name but one of the part before a `!`.
pub(super) fn inside(path: &Path) -> Option<(PathBuf, &str)> {
    let text = path.to_str().filter(|_| !path.exists())?;
    text.match_indices('!').find_map(|(at, mark)| {
        let (archive, member) = (PathBuf::from(text.get(..at)?), text.get(at.saturating_add(mark.len())..)?);
        archive.is_file().then_some((archive, member))
    })
}

/// The path of a member of an archive: `archive!member`.
pub(super) fn joined(archive: &Path, member: &str) -> PathBuf {
    let mut path = archive.as_os_str().to_owned();
    path.push("!");
    path.push(member);
    path.into()
}

/// Lends the bytes of the mesh at `path` to `work`; of an archive, only the members on the way to it are read.
///
/// # Errors
/// Where the bytes cannot be had, or were cut short while `work` looked at them.
pub(super) fn with_bytes<T>(path: &Path, open: &args::Open, work: impl FnOnce(&[u8]) -> T) -> Result<T> {
    let Some((archive, member)) = inside(path) else {
        let bytes = plan::opener(open).open(path)?;
        let done = work(&bytes);
        return bytes.intact().map(|()| done).map_err(|error| error.in_file(path));
    };
    let opened = Opened::open(&archive)?;
    let (mut work, mut done) = (Some(work), None);
    let mut lend = |bytes: &[u8]| done = work.take().map(|work| work(bytes));
    let found = opened
        .archive()
        .and_then(|archive| find(&archive, member.as_bytes(), &opened.meter(), &mut Space::new(), &mut lend));
    found.and_then(|()| opened.intact()).map_err(|error| error.in_file(path))?;
    done.ok_or_else(|| Error::invalid("archive", "holds no member of this name").in_file(path))
}

/// Parses the bytes at `path`. Of an archive the error says how to come to what is in it.
///
/// # Errors
/// As those of [`AnyNav::parse`].
pub(super) fn parse<'b>(bytes: &'b [u8], path: &Path, open: &args::Open) -> Result<AnyNav<'b>> {
    AnyNav::parse(bytes, Some(path), &plan::options(open)).map_err(|error| match Kind::sniff(bytes) {
        Some(kind) if error.is_not_mesh() => {
            let why = "name one of its members, archive!member; `navmap list` shows them";
            Error::invalid("path", format!("is a container ({kind}): {why}"))
        }
        _ => error,
    })
}

/// Looks for a member by the name it goes by from here on, in archives inside as well.
fn find(
    archive: &Archive<'_>,
    name: &[u8],
    meter: &Meter,
    space: &mut Space,
    lend: &mut dyn FnMut(&[u8]),
) -> Result<()> {
    let (unpacker, deeper) = space.split();
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
                let inner = Archive::open(Source::of(bytes), kind, &own)?;
                find(&inner, rest, &meter.nested(bytes.len() as u64)?, deeper, lend)
            });
            ControlFlow::Break(())
        },
    )?;
    end
}

/// What is left of `name` after this member's: nothing for the member itself, the part behind the `!` for an archive
/// that the name leads through.
fn rest_after<'n>(member: &[u8], name: &'n [u8]) -> Option<&'n [u8]> {
    match name.strip_prefix(member)? {
        [] => Some(&[]),
        [b'!', rest @ ..] => Some(rest),
        _ => None,
    }
}
