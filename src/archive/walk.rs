//! Archives in archives: every member that is worth a look, whatever it is wrapped in.

#![forbid(unsafe_code)]

use super::{Archive, Chosen, Entry, Kind, Member, Meter, Promise, Source, Unpacker};
use crate::error::{Error, Result};
use std::ops::ControlFlow;

/// Buffers for archives in archives: one [`Unpacker`] a level, made when the level is first reached, then reused.
#[derive(Debug, Default)]
pub struct Space {
    unpacker: Unpacker,
    deeper: Option<Box<Space>>,
}

impl Space {
    /// Empty; the first archives warm it up.
    pub fn new() -> Self {
        Self::default()
    }

    /// The buffer of this level, and the levels below it.
    pub fn split(&mut self) -> (&mut Unpacker, &mut Space) {
        (&mut self.unpacker, self.deeper.get_or_insert_default())
    }
}

/// A mesh that a walk came across, or something that it could not read.
#[derive(Debug)]
pub struct Found<'f> {
    /// Its path inside the outermost archive: `inner.bsp!maps/x.nav`. Empty for an error of that archive itself.
    pub path: &'f [u8],
    /// Its bytes.
    pub bytes: Result<&'f [u8]>,
    /// Kind and length of the innermost archive around it.
    pub around: (Kind, u64),
}

/// Who takes what a walk comes across, and may end the walk.
pub type Visit<'v> = dyn FnMut(Found<'_>) -> ControlFlow<()> + 'v;

/// Whether the first bytes are those of a mesh.
pub type Recognise = dyn Fn(&[u8]) -> bool + Sync;

/// How archives are walked: which members are looked at.
#[derive(Clone, Copy, Default)]
pub struct Walker<'w> {
    /// Without it, members are chosen by name alone. With it, the first bytes of every member are tested: it says
    /// whether they are those of a mesh.
    pub deep: Option<&'w Recognise>,
}

impl std::fmt::Debug for Walker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walker").field("deep", &self.deep.is_some()).finish()
    }
}

/// Bytes of a member that are looked at to tell what it is.
const HEAD: usize = 4096;

impl Walker<'_> {
    /// Whether a member is worth a look.
    pub fn wants(&self, member: &Member<'_>) -> bool {
        self.deep.is_some() || member.name.promise() != Promise::Nothing
    }

    /// Visits every mesh in an archive, and in the archives inside it, in the order of the directories. What cannot be
    /// read is visited as an error, and the walk goes on.
    ///
    /// `path` is where the archive itself lies inside an outermost one; empty if it is that. It is as before
    /// afterwards.
    pub fn archive(
        &self,
        archive: &Archive<'_>,
        path: &mut Vec<u8>,
        meter: &Meter,
        space: &mut Space,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let around = (archive.kind(), archive.source().bytes.len() as u64);
        if !archive.is_sequential() {
            for member in archive.members(meter.limits()) {
                match member {
                    Ok(member) if self.wants(&member) => {
                        self.member(archive, &member, path, meter, space, visit)?;
                    }
                    Ok(_) => {}
                    Err(error) => visit(Found { path, bytes: Err(error), around })?,
                }
            }
            return ControlFlow::Continue(());
        }
        let (unpacker, deeper) = space.split();
        let mut flow = ControlFlow::Continue(());
        let end = archive.each(meter, unpacker, &mut |member| self.wants(member), &mut |chosen| {
            let Chosen { member, bytes } = chosen;
            flow = inside(path, &member, |path| match bytes {
                Ok(bytes) => self.content(bytes, &member, path, around, meter, deeper, visit),
                Err(error) => visit(Found { path, bytes: Err(error), around }),
            });
            flow
        });
        flow?;
        match end {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => visit(Found { path, bytes: Err(error), around }),
        }
    }

    /// Visits one member of an archive that is not [sequential](Archive::is_sequential): itself, or what is in it.
    pub fn member(
        &self,
        archive: &Archive<'_>,
        member: &Member<'_>,
        path: &mut Vec<u8>,
        meter: &Meter,
        space: &mut Space,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let around = (archive.kind(), archive.source().bytes.len() as u64);
        let (unpacker, deeper) = space.split();
        inside(path, member, |path| match self.bytes_of(archive.source(), &member.entry, meter, unpacker) {
            Ok(Some(bytes)) => self.content(bytes, member, path, around, meter, deeper, visit),
            Ok(None) => ControlFlow::Continue(()),
            Err(error) => visit(Found { path, bytes: Err(error), around }),
        })
    }

    /// The bytes of a member; `None` where its head shows that it is nothing of interest.
    fn bytes_of<'s>(
        &self,
        source: Source<'s>,
        entry: &Entry,
        meter: &Meter,
        unpacker: &'s mut Unpacker,
    ) -> Result<Option<&'s [u8]>> {
        if let Some(is_mesh) = self.deep {
            let head = entry.head(source, unpacker, HEAD)?;
            if !is_mesh(head) && Kind::sniff(head).is_none() {
                return Ok(None);
            }
        }
        entry.read(source, meter, unpacker).map(Some)
    }

    /// Visits the bytes of a member as a mesh, or walks them as an archive.
    #[allow(clippy::too_many_arguments)]
    fn content(
        &self,
        bytes: &[u8],
        member: &Member<'_>,
        path: &mut Vec<u8>,
        around: (Kind, u64),
        meter: &Meter,
        space: &mut Space,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let promise = member.name.promise();
        let is_mesh = match self.deep {
            Some(is_mesh) => promise == Promise::Mesh || is_mesh(bytes.get(..HEAD).unwrap_or(bytes)),
            None => promise == Promise::Mesh,
        };
        if is_mesh {
            return visit(Found { path, bytes: Ok(bytes), around });
        }
        let Some(kind) = Kind::sniff(bytes) else {
            // What a compressor has wrapped without a name is told by its own bytes.
            return match promise {
                Promise::Nothing => visit(Found { path, bytes: Ok(bytes), around }),
                _ => ControlFlow::Continue(()),
            };
        };
        let name = member.name.bytes();
        let opened = meter.nested(bytes.len() as u64).and_then(|meter| {
            let source = Source { bytes, parts: None };
            Archive::open(source, kind, &name).map(|archive| (archive, meter))
        });
        match opened {
            Ok((archive, meter)) => self.archive(&archive, path, &meter, space, visit),
            Err(error) => visit(Found { path, bytes: Err(error), around }),
        }
    }
}

/// Goes into a member: its name behind a `!`, for the time of `work`.
fn inside<T>(path: &mut Vec<u8>, member: &Member<'_>, work: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    let outer = path.len();
    if outer > 0 {
        path.push(b'!');
    }
    member.name.append_to(path);
    let result = work(path);
    path.truncate(outer);
    result
}

/// The error of a container that is known and not read.
#[cold]
pub(super) fn unread(kind: Kind) -> Error {
    match kind {
        Kind::Qar => Error::invalid("archive", "is a scrambled QAR of the Fox engine: unpack it first"),
        _ => Error::invalid(
            "archive",
            format!("this build reads no {kind} (feature `sevenz`): unpack it first"),
        ),
    }
}
