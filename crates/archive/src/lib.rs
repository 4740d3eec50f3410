//! Containers of meshes: a file → its members as byte slices.
//!
//! Members that are stored uncompressed (VPK, PAK, GMA, FPK, tar, stored members of a ZIP) are **viewed in place**: nothing is
//! copied, and of a mapped archive only the pages of the members that are read are touched. Compressed ones (ZIP by deflate,
//! LZMA, bzip2, xz, Zstandard; `.gz`, `.bz2`, `.xz`, `.zst`, `.tar.*`) are inflated into one reused buffer. [`Limits`] apply to
//! one member, the number of members, their total, the ratio, and the depth of archives in archives. Members that overlap are
//! refused.
//!
//! | layer | what it does |
//! |---|---|
//! | [`Kind::sniff`] | tells a container by its first bytes |
//! | [`Archive`] | lists the [`Member`]s lazily: a name as stored, and an [`Entry`] of plain numbers |
//! | [`Entry::view`], [`Entry::read`] | the bytes of one member, in place or inflated by an [`Unpacker`] |
//! | [`Walker`] | all of that, through archives in archives |
//!
//! Names are bytes as stored. They are **never** used as a path on disk; only [`safe_path`] makes a path of one.
//!
//! ```
//! use navmap::archive::{Archive, Kind, Meter, Source, Unpacker};
//!
//! // A PAK of one member: "PACK", directory at 16 with 64 bytes, then the member "abcd" at 12.
//! let mut pak = b"PACK\x10\0\0\0\x40\0\0\0abcd".to_vec();
//! pak.extend(b"maps/a.nav".iter().chain(&[0; 46]).chain(&[12, 0, 0, 0, 4, 0, 0, 0]));
//!
//! let limits = navmap::Limits::default();
//! let source = Source::single(&pak);
//! let archive = Archive::open(source, Kind::sniff(&pak).unwrap(), b"pak0.pak")?;
//! for member in archive.members(&limits) {
//!     let member = member?;
//!     assert_eq!(member.name.to_string(), "maps/a.nav");
//!     assert_eq!(member.entry.view(source)?, Some(&b"abcd"[..]));
//!     // Or, whatever the method:
//!     let meter = Meter::new(&limits, pak.len() as u64);
//!     assert_eq!(member.entry.read(source, &meter, &mut Unpacker::new())?, b"abcd");
//! }
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! A directory's statements are claims. An entry that points outside, lies about its size, or is truncated is one located error,
//! and the listing goes on if the format allows it. Layout facts: `docs/formats/archives.md`; PAK and FPK are confirmed on real
//! files.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

mod bsp;
mod choose;
mod fpk;
mod gma;
mod kind;
mod lzma;
mod member;
mod meter;
mod pak;
mod parts;
mod path;
mod roomy;
mod sevenz;
mod spans;
mod stream;
mod tar;
mod unpack;
mod vpk;
mod walk;
mod zip;

#[doc(hidden)]
pub use bsp::unpacked as unpacked_lump;
pub use choose::{Promise, is_vpk_part};
pub use kind::Kind;
pub use member::{Entry, Member, Method, Name};
pub use meter::Meter;
pub use parts::{PartFiles, Parts};
pub use path::safe_path;
#[doc(hidden)]
pub use spans::Spans;
pub use unpack::Unpacker;
pub use walk::{Buffers, Found, Recognise, Trip, Visit, Walker};

use navmap_core::Limits;
use navmap_core::error::{Error, ErrorKind, Result};
use std::ops::ControlFlow;

/// The bytes of an archive: the file and, if it is a VPK directory, the numbered parts beside it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The whole file.
    pub bytes: &'a [u8],
    /// The source of the parts.
    pub parts: Option<&'a dyn Parts>,
}

impl<'a> Source<'a> {
    /// An archive of one file.
    pub fn single(bytes: &'a [u8]) -> Self {
        Self { bytes, parts: None }
    }
}

/// A requested member, and its bytes.
#[derive(Debug)]
pub struct Chosen<'c> {
    /// Its directory entry.
    pub member: Member<'c>,
    /// Its bytes, or the error of reading them.
    pub bytes: Result<&'c [u8]>,
}

/// An open archive. Borrows its bytes and stores only where its directory is.
#[derive(Debug)]
pub struct Archive<'a> {
    source: Source<'a>,
    kind: Kind,
    form: Form<'a>,
}

#[derive(Debug)]
enum Form<'a> {
    Vpk(vpk::Tree<'a>),
    Pak(pak::Directory<'a>),
    Gma(gma::Directory<'a>),
    Fpk(fpk::Directory<'a>),
    Bsp(bsp::Lump40<'a>),
    Zip(zip::Directory<'a>),
    Tar(tar::Members<'a>),
    Stream(stream::Stream<'a>),
    SevenZ(&'a [u8]),
}

impl<'a> Archive<'a> {
    /// Opens bytes that [`Kind::sniff`] recognised as a container. `name` is the file's own: a compressed file does not name its
    /// content.
    ///
    /// Finds the directory and reads its head; linear in the directory for GMA, constant for the others.
    ///
    /// # Errors
    /// If the directory is missing, truncated or of an unsupported version.
    pub fn open(source: Source<'a>, kind: Kind, name: &'a [u8]) -> Result<Self> {
        let bytes = source.bytes;
        let stream = |method| Ok(Form::Stream(stream::Stream { bytes, method, name }));
        let form = match kind {
            Kind::Vpk => vpk::Tree::open(bytes).map(Form::Vpk),
            Kind::Pak => pak::Directory::open(bytes).map(Form::Pak),
            Kind::Gma => gma::Directory::open(bytes).map(Form::Gma),
            Kind::Fpk => fpk::Directory::open(bytes).map(Form::Fpk),
            Kind::Bsp => bsp::Lump40::open(bytes).map(Form::Bsp),
            Kind::Zip => zip::Directory::open(bytes, 0).map(Form::Zip),
            Kind::Tar => Ok(Form::Tar(tar::Members::new(bytes))),
            Kind::Gzip => stream(Method::Deflate),
            Kind::Bzip2 => stream(Method::Bzip2),
            Kind::Xz => stream(Method::Xz),
            Kind::Zstd => stream(Method::Zstd),
            Kind::Lzma => stream(Method::Lzma),
            Kind::SevenZ => Ok(Form::SevenZ(bytes)),
            Kind::Qar => Err(walk::unread(kind)),
        }?;
        Ok(Self { source, kind, form })
    }

    /// The kind of container.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its bytes.
    pub fn source(&self) -> Source<'a> {
        self.source
    }

    /// Whether it can only be read from front to back: a compressed file, a compressed tar, a 7z. Such an archive has no
    /// [`members`](Self::members) to list; use [`each`](Self::each).
    pub fn is_sequential(&self) -> bool {
        matches!(self.form, Form::Stream(_) | Form::SevenZ(_))
    }

    /// The members in directory order, without folders and links. Empty for a [sequential](Self::is_sequential) archive. Lazy;
    /// allocates nothing.
    ///
    /// Yields an error for each entry that cannot be read, and continues if the next one can be found. Ends with an error after
    /// [`Limits::members`] members. A name of more than 4,096 bytes is an error too.
    pub fn members(&self, limits: &Limits) -> Members<'_> {
        let walk = match &self.form {
            Form::Vpk(tree) => Walk::Vpk(tree.members()),
            Form::Pak(directory) => Walk::Pak(directory.members()),
            Form::Gma(directory) => Walk::Gma(directory.members()),
            Form::Fpk(directory) => Walk::Fpk(directory.members()),
            Form::Bsp(lump) => Walk::Bsp(lump.members()),
            Form::Zip(directory) => Walk::Zip(directory.members()),
            Form::Tar(members) => Walk::Tar(members.clone()),
            Form::Stream(_) => Walk::None,
            Form::SevenZ(_) => Walk::None,
        };
        Members { walk, left: limits.members, limit: limits.members }
    }

    /// Walks the members from front to back, reads those that are `wanted`, and lends their bytes to `visit` until it breaks.
    /// Works for every kind, and is the only way for a [sequential](Self::is_sequential) one.
    ///
    /// # Errors
    /// If the walk cannot go on. A member that cannot be read is visited as an error instead.
    pub fn each(
        &self,
        meter: &Meter,
        unpacker: &mut Unpacker,
        wanted: &mut dyn FnMut(&Member<'_>) -> bool,
        visit: &mut dyn FnMut(Chosen<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        match &self.form {
            Form::Stream(stream) => return stream.each(meter, unpacker, wanted, visit),
            Form::SevenZ(bytes) => return sevenz::each(bytes, meter, unpacker, wanted, visit),
            _ => {}
        }
        for member in self.members(meter.limits()) {
            meter.entry()?;
            let member = member?;
            if wanted(&member) {
                let bytes = meter
                    .look(member.name.len())
                    .and_then(|()| member.entry.read(self.source, meter, unpacker));
                if visit(Chosen { member, bytes }).is_break() {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// A lazy walk over the directory of an [`Archive`].
#[derive(Debug, Clone)]
pub struct Members<'s> {
    walk: Walk<'s>,
    left: u64,
    limit: u64,
}

#[derive(Debug, Clone)]
enum Walk<'s> {
    Vpk(vpk::Members<'s>),
    Pak(pak::Members<'s>),
    Gma(gma::Members<'s>),
    Fpk(fpk::Members<'s>),
    Bsp(bsp::Members<'s>),
    Zip(zip::Members<'s>),
    Tar(tar::Members<'s>),
    None,
}

impl<'s> Iterator for Members<'s> {
    type Item = Result<Member<'s>>;

    fn next(&mut self) -> Option<Self::Item> {
        let member = match &mut self.walk {
            Walk::Vpk(walk) => walk.next(),
            Walk::Pak(walk) => walk.next(),
            Walk::Gma(walk) => walk.next(),
            Walk::Fpk(walk) => walk.next(),
            Walk::Bsp(walk) => walk.next(),
            Walk::Zip(walk) => walk.next(),
            Walk::Tar(walk) => walk.next(),
            Walk::None => None,
        }?;
        let Some(left) = self.left.checked_sub(1) else {
            self.walk = Walk::None;
            let (what, allowed) = ("members of the archive", self.limit);
            return Some(Err(Error::new(ErrorKind::Limit {
                what,
                asked: allowed.saturating_add(1),
                allowed,
            })));
        };
        self.left = left;
        Some(member.and_then(|member| {
            let named = member::check_name(member.name.len() as u64);
            named.map(|()| member).map_err(|error| error.in_record("member", member.entry.index))
        }))
    }
}

impl std::iter::FusedIterator for Members<'_> {}
