//! One file of any family.

#![forbid(unsafe_code)]

use super::common::not_mesh;
use super::family::{Family, Kind};
use crate::bytes::Scratch;
use crate::counts::Counts;
use crate::error::Result;
use crate::finding::Finding;
use crate::format::file::{NavFile, Summary};
use crate::limits::Limits;
use std::io;
use std::path::Path;

/// How [`AnyNav::parse`] reads.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Options {
    /// What the file may cost.
    pub limits: Limits,
    /// Reads on where only the end of the file is wrong (bytes missing or left over), and reports that as a finding.
    pub lenient: bool,
    /// Takes the bytes for this kind of file, whatever they look like.
    pub kind: Option<Kind>,
}

/// A borrowed view of one file of any family: what [`AnyNav::parse`] makes of its bytes.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnyNav<'a> {
    /// Valve `.nav`.
    #[cfg(feature = "source")]
    Source(super::source::SourceNav<'a>),
    /// Valve `.nav` of Source 2.
    #[cfg(feature = "source")]
    Source2(super::source::Source2Nav<'a>),
    /// Quake `NAV2` or `NAV3`.
    #[cfg(feature = "quake")]
    Quake(super::quake::QuakeNav<'a>),
    /// A Quake graph as JSON.
    #[cfg(feature = "navjson")]
    NavJson(super::quake::NavJson<'a>),
    /// Fox Engine `.nav2`.
    #[cfg(feature = "fox")]
    Fox(super::fox::FoxNav<'a>),
    /// A Bethesda plugin.
    #[cfg(feature = "skyrim")]
    Plugin(super::skyrim::Plugin<'a>),
    /// One raw NVNM field.
    #[cfg(feature = "skyrim")]
    Payload(super::skyrim::NavMesh<'a>),
}

macro_rules! dispatch {
    ($any:expr, $nav:ident => $body:expr) => {
        match $any {
            #[cfg(feature = "source")]
            AnyNav::Source($nav) => $body,
            #[cfg(feature = "source")]
            AnyNav::Source2($nav) => $body,
            #[cfg(feature = "quake")]
            AnyNav::Quake($nav) => $body,
            #[cfg(feature = "navjson")]
            AnyNav::NavJson($nav) => $body,
            #[cfg(feature = "fox")]
            AnyNav::Fox($nav) => $body,
            #[cfg(feature = "skyrim")]
            AnyNav::Plugin($nav) => $body,
            #[cfg(feature = "skyrim")]
            AnyNav::Payload($nav) => $body,
        }
    };
}

impl<'a> AnyNav<'a> {
    /// Sniffs the kind of file and parses it. The view borrows `bytes`; nothing is copied but a few offsets. The path is
    /// looked at for its extension only, and only where the bytes do not tell.
    ///
    /// # Errors
    /// [`NotMesh`](crate::ErrorKind::NotMesh), or those of the family's own `parse`.
    pub fn parse(bytes: &'a [u8], path: Option<&Path>, options: &Options) -> Result<Self> {
        let kind = options.kind.or_else(|| Kind::sniff(bytes, path)).ok_or_else(|| not_mesh(bytes))?;
        match kind {
            #[cfg(feature = "source")]
            Kind::Source if super::source::is_source_2(bytes) => {
                super::source::Source2Nav::parse(bytes).map(Self::Source2)
            }
            #[cfg(feature = "source")]
            Kind::Source => super::source::SourceNav::parse(bytes).map(Self::Source),
            #[cfg(feature = "quake")]
            Kind::Quake => {
                use super::quake::{Options, QuakeNav};
                QuakeNav::parse_with(bytes, Options::new().lenient(options.lenient)).map(Self::Quake)
            }
            #[cfg(feature = "navjson")]
            Kind::NavJson => super::quake::NavJson::parse(bytes).map(Self::NavJson),
            #[cfg(feature = "fox")]
            Kind::Fox => super::fox::FoxNav::parse(bytes).map(Self::Fox),
            #[cfg(feature = "skyrim")]
            Kind::Plugin => super::skyrim::Plugin::parse(bytes, &options.limits).map(Self::Plugin),
            #[cfg(feature = "skyrim")]
            Kind::Payload => super::skyrim::NavMesh::parse(bytes).map(Self::Payload),
            #[allow(unreachable_patterns)] // a family that is not compiled in
            _ => Err(not_mesh(bytes)),
        }
    }

    /// What kind of file it is.
    pub fn kind(&self) -> Kind {
        match self {
            #[cfg(feature = "source")]
            Self::Source(_) | Self::Source2(_) => Kind::Source,
            #[cfg(feature = "quake")]
            Self::Quake(_) => Kind::Quake,
            #[cfg(feature = "navjson")]
            Self::NavJson(_) => Kind::NavJson,
            #[cfg(feature = "fox")]
            Self::Fox(_) => Kind::Fox,
            #[cfg(feature = "skyrim")]
            Self::Plugin(_) => Kind::Plugin,
            #[cfg(feature = "skyrim")]
            Self::Payload(_) => Kind::Payload,
        }
    }

    /// The family.
    pub fn family(&self) -> Family {
        self.kind().family()
    }
}

impl NavFile for AnyNav<'_> {
    fn summary(&self) -> Summary {
        dispatch!(self, nav => nav.summary())
    }

    fn survey(
        &self,
        scratch: &mut Scratch,
        counts: &mut Counts,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()> {
        dispatch!(self, nav => nav.survey(scratch, counts, found))
    }

    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        dispatch!(self, nav => nav.check(scratch, found))
    }

    fn info(&self, scratch: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        dispatch!(self, nav => nav.info(scratch, out))
    }
}
/// Everything in the file, streamed: what `navmap dump` prints.
#[cfg(feature = "serde")]
impl serde::Serialize for AnyNav<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        dispatch!(self, nav => nav.serialize(serializer))
    }
}
