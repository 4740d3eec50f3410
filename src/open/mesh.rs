//! A mesh that owns its bytes.

#![forbid(unsafe_code)]

use super::bytes::Bytes;
use super::{Item, Options};
use crate::bytes::Backing;
use crate::error::{Error, Result};
use crate::format::{AnyNav, Family, Kind};
use crate::format::{NavFile, Summary};
use self_cell::self_cell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

self_cell!(
    struct Parsed {
        owner: Bytes,

        #[covariant]
        dependent: AnyNav,
    }
);

/// A mesh and the bytes it lies in: what a program keeps. Views borrow; this owns.
///
/// It is `Send` and `Sync`, and a clone is another handle on the same bytes. [`nav`](Self::nav) lends the view that was
/// parsed when the mesh was opened, so asking for it costs nothing. The bytes are given back when the last handle goes:
/// a server swaps one mesh for the next, and queries that still run keep theirs.
///
/// ```
/// use navmap::NavFile;
/// use navmap::open::Mesh;
///
/// let mesh = Mesh::open("corpus/quake/nav3-v6.nav")?;
/// let here = mesh.clone();
/// let there = std::thread::spawn(move || here.nav().summary().game).join().unwrap();
/// assert_eq!(there, mesh.nav().summary().game);
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Clone)]
pub struct Mesh(Arc<Parsed>);

impl Mesh {
    /// Opens what a path names (see [`Bytes::open`]), with the default [`Options`]: the file is read once, and what other
    /// programs do to it afterwards does not matter.
    ///
    /// # Errors
    /// Where the bytes cannot be had, or are no mesh that can be opened. Names the path.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &Options::new())
    }

    /// As [`open`](Self::open), with these options: mapped, lenient, as a certain kind.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(path: impl AsRef<Path>, options: &Options) -> Result<Self> {
        Self::parse(Bytes::open(path, options)?, options)
    }

    /// A mesh in memory that the caller gives away. The name is looked at for its extension where the bytes do not tell
    /// what they are, and stands in errors.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn from_vec(name: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self> {
        Self::parse(Bytes::of(name, Backing::owned(bytes)), &Options::new())
    }

    /// Parses bytes that are there already.
    ///
    /// # Errors
    /// As [`AnyNav::parse`]; of an archive the error says how its members are named. Names the path.
    pub fn parse(bytes: Bytes, options: &Options) -> Result<Self> {
        let parsed = Parsed::try_new(bytes, |bytes| {
            AnyNav::parse(bytes, Some(bytes.name()), &options.format())
                .map_err(|error| container(error, bytes).in_file(bytes.location()))
        });
        parsed.map(|parsed| Self(Arc::new(parsed)))
    }

    /// The view of the whole file. Constant time.
    pub fn nav(&self) -> &AnyNav<'_> {
        self.0.borrow_dependent()
    }

    /// The bytes, and where they lie.
    pub fn bytes(&self) -> &Bytes {
        self.0.borrow_owner()
    }

    /// What kind of file it is.
    pub fn kind(&self) -> Kind {
        self.nav().kind()
    }

    /// Its family.
    pub fn family(&self) -> Family {
        self.nav().family()
    }

    /// What the head of the file says. Constant time.
    pub fn summary(&self) -> Summary {
        self.nav().summary()
    }

    /// What has coordinates of its own in it: the spaces of a plugin, the largest first; of any other file, itself.
    ///
    /// Reads every compressed mesh of a plugin once; constant time for other files.
    pub fn items(&self) -> Vec<Item<'_>> {
        let bytes = self.bytes();
        super::item::of_file(self.nav(), bytes.path(), bytes.member())
    }

    /// Whether every byte handed out so far was the file's: see [`Bytes::intact`].
    ///
    /// # Errors
    /// As [`Bytes::intact`].
    pub fn intact(&self) -> Result<()> {
        self.bytes().intact()
    }
}

impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mesh").field("kind", &self.kind()).field("bytes", self.bytes()).finish()
    }
}

/// Where an archive was taken for a mesh, says how to come to what is in it.
#[cfg(feature = "archive")]
fn container(error: Error, bytes: &[u8]) -> Error {
    match crate::archive::Kind::sniff(bytes) {
        Some(kind) if error.is_not_mesh() => {
            let why = "name one of its members, archive!member; `navmap list` shows them";
            Error::invalid("path", format!("is a container ({kind}): {why}"))
        }
        _ => error,
    }
}

#[cfg(not(feature = "archive"))]
fn container(error: Error, _: &[u8]) -> Error {
    error
}
