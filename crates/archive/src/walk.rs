//! Walks archives in archives, and visits every mesh in them.

use super::{Archive, Chosen, Kind, Member, Meter, Method, Promise, Source, Spans, Unpacker};
use navmap_core::error::{Error, Result};
use std::ops::{ControlFlow, Range};

/// Buffers for archives in archives: one [`Unpacker`] per level, made when the level is first reached, then reused.
#[derive(Debug, Default)]
pub struct Buffers {
    unpacker: Unpacker,
    deeper: Option<Box<Buffers>>,
}

impl Buffers {
    /// Empty. The first archives allocate.
    pub fn new() -> Self {
        Self::default()
    }

    /// The buffer of this level, and those of the levels below.
    pub fn split(&mut self) -> (&mut Unpacker, &mut Buffers) {
        (&mut self.unpacker, self.deeper.get_or_insert_default())
    }

    /// The bytes of a member that was lent from these addresses, without copying them. `None` if they were viewed in place.
    #[doc(hidden)]
    pub fn take(&mut self, lent: &Range<*const u8>) -> Option<Vec<u8>> {
        let own = self.unpacker.take(lent);
        own.or_else(|| self.deeper.as_mut().and_then(|deeper| deeper.take(lent)))
    }
}

/// A mesh that a walk found, or a member that it could not read.
#[derive(Debug)]
pub struct Found<'f> {
    /// Its path inside the outermost archive: `inner.bsp!maps/x.nav`. Empty for an error of that archive itself.
    pub path: &'f [u8],
    /// Its bytes. Only the first ones if the [`Walker`] was asked for heads.
    pub bytes: Result<&'f [u8]>,
    /// Size of the whole mesh, in bytes.
    pub len: u64,
    /// Kind and length of the innermost enclosing archive.
    pub around: (Kind, u64),
}

/// Receives the results of a walk, and may end it.
pub type Visit<'v> = dyn FnMut(Found<'_>) -> ControlFlow<()> + 'v;

/// Whether the first bytes are those of a mesh.
pub type Recognise = dyn Fn(&[u8]) -> bool + Sync;

/// Settings of a walk over archives: which members are read.
#[derive(Clone, Copy, Default)]
pub struct Walker<'w> {
    /// Recognises a mesh by its first bytes. With it, every member is tested. Without it, members are chosen by name alone.
    pub deep: Option<&'w Recognise>,
    /// Lends the first page of each mesh instead of the whole.
    pub heads: bool,
}

impl std::fmt::Debug for Walker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walker").field("deep", &self.deep.is_some()).field("heads", &self.heads).finish()
    }
}

/// Bytes of a member used to recognise it.
const HEAD: usize = 4096;

impl Walker<'_> {
    /// Whether a member should be read.
    pub fn wants(&self, member: &Member<'_>) -> bool {
        self.deep.is_some() || member.name.promise() != Promise::Nothing
    }

    /// Like [`wants`](Self::wants), for the content of a compressor: `backup` in `backup.gz` has no telling name, so it is
    /// recognised by its bytes.
    fn wants_of_stream(&self, kind: Kind, member: &Member<'_>) -> bool {
        let wrapped = kind.is_compressor() && member.entry.method != Method::Stored;
        self.wants(member) || wrapped && !member.name.has_any_extension()
    }

    /// Visits every mesh in an archive, and in the archives inside it, in directory order. Unreadable members are visited as
    /// errors, and the walk continues. Reaching a limit on the outermost archive as a whole is visited as an error too, under the
    /// current path, and ends the walk: the meter [is ended](Meter::is_ended) then.
    ///
    /// `path` is the archive's own path inside the outermost one; empty for the outermost. It is restored afterwards.
    pub fn archive(
        &self,
        archive: &Archive<'_>,
        path: &mut Vec<u8>,
        meter: &Meter,
        buffers: &mut Buffers,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let source = archive.source();
        let len = source.bytes.len() as u64;
        if !archive.is_sequential() {
            let mut spans = Spans::new(archive);
            for member in archive.members(meter.limits()) {
                let counted = meter.entry();
                match counted.and(member) {
                    Ok(member) if self.wants(&member) => {
                        let mut trip = Trip { path, meter, buffers, visit };
                        match spans.take(&member.entry) {
                            Ok(()) => self.member(source, archive.kind(), &member, &mut trip)?,
                            Err(error) => trip.refuse(&member, error, (archive.kind(), len))?,
                        }
                    }
                    Ok(_) => {}
                    Err(error) => fail(Found::failed(path, error, archive), meter, visit)?,
                }
            }
            return ControlFlow::Continue(());
        }
        let around = (archive.kind(), len);
        let (unpacker, buffers) = buffers.split();
        let mut flow = ControlFlow::Continue(());
        let end = archive.each(
            meter,
            unpacker,
            &mut |member| self.wants_of_stream(archive.kind(), member),
            &mut |chosen| {
                let Chosen { member, bytes } = chosen;
                flow = inside(path, &member, |path| match bytes {
                    Ok(bytes) => {
                        let mut trip = Trip { path, meter, buffers, visit };
                        self.content(bytes, bytes.len() as u64, &member, around, &mut trip)
                    }
                    Err(error) => {
                        fail(Found { path, bytes: Err(error), len: member.entry.size, around }, meter, visit)
                    }
                });
                flow
            },
        );
        flow?;
        match end {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => fail(Found::failed(path, error, archive), meter, visit),
        }
    }

    /// Visits one member of a non-[sequential](Archive::is_sequential) archive of this kind: the member itself, or its content.
    pub fn member(
        &self,
        source: Source<'_>,
        kind: Kind,
        member: &Member<'_>,
        trip: &mut Trip<'_, '_>,
    ) -> ControlFlow<()> {
        let around = (kind, source.bytes.len() as u64);
        let (unpacker, buffers) = trip.buffers.split();
        let (meter, visit) = (trip.meter, &mut *trip.visit);
        inside(trip.path, member, |path| {
            let len = member.entry.size;
            let in_place = matches!(member.entry.view(source), Ok(Some(_)));
            let looked = meter.look(path.len());
            match looked.and_then(|()| self.bytes_of(source, member, meter, unpacker)) {
                Ok(Some(bytes)) if (bytes.len() as u64) < len => {
                    visit(Found { path, bytes: Ok(bytes), len, around })
                }
                Ok(Some(bytes)) => {
                    let held = if in_place { 0 } else { bytes.len() as u64 };
                    self.content(bytes, held, member, around, &mut Trip { path, meter, buffers, visit })
                }
                Ok(None) => ControlFlow::Continue(()),
                Err(error) => fail(Found { path, bytes: Err(error), len, around }, meter, visit),
            }
        })
    }

    /// The bytes of a member, or only its head if heads were asked for and it is a mesh. `None` if the head shows that it is
    /// neither mesh nor archive.
    fn bytes_of<'s>(
        &self,
        source: Source<'s>,
        member: &Member<'_>,
        meter: &Meter,
        unpacker: &'s mut Unpacker,
    ) -> Result<Option<&'s [u8]>> {
        let entry = &member.entry;
        let promised = member.name.promise();
        let mut is_mesh = promised == Promise::Mesh;
        if let Some(recognise) = self.deep
            && !is_mesh
        {
            let head = entry.head(source, meter, unpacker, HEAD)?;
            is_mesh = recognise(head);
            if !is_mesh && Kind::sniff(head).is_none() {
                return Ok(None);
            }
        }
        if self.heads && is_mesh {
            entry.head(source, meter, unpacker, HEAD)
        } else {
            entry.read(source, meter, unpacker)
        }
        .map(Some)
    }

    /// Visits the bytes of a member as a mesh, or walks them as an archive. `held` of them are in memory of their own.
    fn content(
        &self,
        bytes: &[u8],
        held: u64,
        member: &Member<'_>,
        around: (Kind, u64),
        trip: &mut Trip<'_, '_>,
    ) -> ControlFlow<()> {
        let Trip { path, meter, buffers, visit } = trip;
        let len = bytes.len() as u64;
        let head = bytes.get(..HEAD).unwrap_or(bytes);
        let promise = member.name.promise();
        let mesh = Found { path, bytes: Ok(if self.heads { head } else { bytes }), len, around };
        if promise == Promise::Mesh || self.deep.is_some_and(|recognise| recognise(head)) {
            return visit(mesh);
        }
        let Some(kind) = Kind::sniff(bytes) else {
            // Without a promising name, only the content of a nameless compressed file gets here.
            return if promise == Promise::Nothing { visit(mesh) } else { ControlFlow::Continue(()) };
        };
        let name = member.name.bytes();
        let opened = meter.nested(held).and_then(|meter| {
            Archive::open(Source::single(bytes), kind, &name).map(|archive| (archive, meter))
        });
        match opened {
            Ok((archive, meter)) => self.archive(&archive, path, &meter, buffers, visit),
            Err(error) => fail(Found { path, bytes: Err(error), len, around }, meter, visit),
        }
    }
}

/// Visits an error. A limit on the outermost archive is visited once, and ends the walk.
fn fail(found: Found<'_>, meter: &Meter, visit: &mut Visit<'_>) -> ControlFlow<()> {
    if !meter.is_ended() {
        return visit(found);
    }
    if found.bytes.as_ref().is_err_and(|error| meter.is_to_be_told(error)) {
        visit(found)?;
    }
    ControlFlow::Break(())
}

/// The state passed down from level to level.
pub struct Trip<'t, 'v> {
    /// The archive's path inside the outermost one; empty for the outermost.
    pub path: &'t mut Vec<u8>,
    /// The cost of the archive so far.
    pub meter: &'t Meter,
    /// Buffers.
    pub buffers: &'t mut Buffers,
    /// Receives what is found.
    pub visit: &'t mut Visit<'v>,
}

impl std::fmt::Debug for Trip<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trip").field("path", &navmap_core::text::printable(self.path)).finish_non_exhaustive()
    }
}

impl Trip<'_, '_> {
    /// Visits a member that is not read.
    fn refuse(&mut self, member: &Member<'_>, error: Error, around: (Kind, u64)) -> ControlFlow<()> {
        let Trip { path, meter, visit, .. } = self;
        inside(path, member, |path| {
            let error = meter.look(path.len()).err().unwrap_or(error);
            fail(Found { path, bytes: Err(error), len: member.entry.size, around }, meter, *visit)
        })
    }
}

impl<'f> Found<'f> {
    /// An error of the archive itself.
    fn failed(path: &'f [u8], error: Error, archive: &Archive<'_>) -> Self {
        let len = archive.source().bytes.len() as u64;
        Self { path, bytes: Err(error), len: 0, around: (archive.kind(), len) }
    }
}

/// Appends `!` and the member's name to the path while `work` runs.
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

/// The error for a container that is known but not supported.
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
