//! Which family a file belongs to, and what kind of file it is.

#![forbid(unsafe_code)]

use super::common::{has_extension, not_mesh};
use crate::error::Result;
use crate::format::file::{Form, Summary};
use std::fmt;
use std::path::Path;

/// A family of formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Family {
    /// Valve `.nav`: GoldSrc, Source, Source 2.
    Source,
    /// `NAV2` and `NAV3` of the Quake re-releases, and navjson.
    Quake,
    /// Fox Engine `.nav2`.
    Fox,
    /// NVNM fields in Bethesda plugins.
    Skyrim,
}

impl Family {
    /// `source`, `quake`, `fox`, `skyrim`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Quake => "quake",
            Self::Fox => "fox",
            Self::Skyrim => "skyrim",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A kind of file that navmap reads: one for each view of [`AnyNav`](super::AnyNav).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// Valve `.nav`.
    Source,
    /// Quake `NAV2` or `NAV3`.
    Quake,
    /// A Quake graph as JSON.
    NavJson,
    /// Fox Engine `.nav2`.
    Fox,
    /// A Bethesda plugin.
    Plugin,
    /// One raw NVNM field.
    Payload,
}

/// Extensions under which meshes go. A file with one of them that is no mesh is worth a word; any other file is passed
/// over in silence.
const EXTENSIONS: [&str; 7] = ["nav", "nav2", "navjson", "nvnm", "esp", "esm", "esl"];

/// What is looked at to tell a kind.
const PAGE: usize = 4096;

impl Kind {
    /// Tells the kind of a file from its first bytes (a page is plenty). Where they do not tell, as for JSON, the
    /// extension of `path` decides; nothing else of the path is looked at. Kinds whose feature is off are not seen.
    pub fn sniff(head: &[u8], path: Option<&Path>) -> Option<Self> {
        let head = head.get(..PAGE).unwrap_or(head);
        #[cfg(feature = "source")]
        if super::source::recognise(head) {
            return Some(Self::Source);
        }
        #[cfg(feature = "quake")]
        if super::quake::recognise(head) {
            return Some(Self::Quake);
        }
        #[cfg(feature = "fox")]
        if super::fox::recognise(head) {
            return Some(Self::Fox);
        }
        #[cfg(feature = "skyrim")]
        if super::skyrim::recognise(head) {
            return Some(if super::skyrim::is_payload(head) { Self::Payload } else { Self::Plugin });
        }
        #[cfg(feature = "navjson")]
        if super::quake::navjson::recognise(head) {
            return Some(Self::NavJson);
        }
        // What its bytes do not show, its name may: then the parser says what is wrong with it.
        let named = |known: &str| path.is_some_and(|path| has_extension(path, &[known]));
        match head.first() {
            #[cfg(feature = "navjson")]
            Some(b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n' | 0xEF) if named("navjson") => {
                Some(Self::NavJson)
            }
            #[cfg(feature = "skyrim")]
            Some(_) if named("nvnm") => Some(Self::Payload),
            _ => {
                let _ = named;
                None
            }
        }
    }

    /// Whether meshes go by such a name.
    pub fn names(path: &Path) -> bool {
        has_extension(path, &EXTENSIONS)
    }

    /// What the first page of a file of this kind tells; `file_len` is the length of the whole file.
    ///
    /// # Errors
    /// As parsing the file would.
    pub fn head(self, page: &[u8], file_len: u64) -> Result<Summary> {
        let _ = file_len;
        match self {
            #[cfg(feature = "source")]
            Self::Source => super::source::head(page, file_len),
            #[cfg(feature = "quake")]
            Self::Quake => super::quake::head(page, file_len),
            #[cfg(feature = "navjson")]
            Self::NavJson => super::quake::navjson::head(page),
            #[cfg(feature = "fox")]
            Self::Fox => super::fox::head(page, file_len),
            #[cfg(feature = "skyrim")]
            Self::Plugin | Self::Payload => super::skyrim::head(page, file_len),
            #[allow(unreachable_patterns)] // a family that is not compiled in
            _ => Err(not_mesh(page)),
        }
    }

    /// The family it belongs to.
    pub fn family(self) -> Family {
        match self {
            Self::Source => Family::Source,
            Self::Quake | Self::NavJson => Family::Quake,
            Self::Fox => Family::Fox,
            Self::Plugin | Self::Payload => Family::Skyrim,
        }
    }

    /// What kind of file it is, as a row of `scan` names it.
    pub fn form(self) -> Form {
        match self {
            Self::Source | Self::Quake | Self::Fox => Form::Nav,
            Self::NavJson => Form::NavJson,
            Self::Plugin => Form::Plugin,
            Self::Payload => Form::Payload,
        }
    }
}
