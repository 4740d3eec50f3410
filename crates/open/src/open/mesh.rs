//! A mesh that owns its bytes.

use super::bytes::Bytes;
use super::{Item, OpenOptions};
use navmap_core::bytes::Backing;
use navmap_core::error::{Error, Result};
use navmap_core::format::{AnyGraph, NavFile, Summary};
use navmap_core::graph::Partial;
use navmap_formats::{AnyNav, Family, Kind};
use navmap_query::{BuildOptions, NavIndex};
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

/// A mesh together with its bytes. Views borrow, but this owns, so a program can keep it.
///
/// It is `Send` and `Sync`, and a clone is another handle on the same bytes. [`nav`](Self::nav) lends the view that was
/// parsed when the mesh was opened, so calling it costs nothing. The bytes are freed with the last handle, so a server
/// can swap one mesh for the next while queries that still run keep theirs.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
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
    /// Opens what a path names (see [`Bytes::open`]), with the default [`OpenOptions`]. The file is read once, so other programs may
    /// change it afterwards.
    ///
    /// # Errors
    /// If the bytes cannot be read, or are not a mesh that can be opened. Names the path.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new())
    }

    /// Like [`open`](Self::open), with these options: the file may be mapped, read leniently or taken for a certain kind.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        Self::parse(Bytes::open(path, options)?, options)
    }

    /// A mesh from owned bytes in memory. The name is used in errors. If the bytes do not show their kind, its extension does.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn from_vec(name: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self> {
        Self::parse(Bytes::from_backing(name, Backing::owned(bytes)), &OpenOptions::new())
    }

    /// Parses bytes that are already read.
    ///
    /// # Errors
    /// Those of [`AnyNav::parse`]. If the bytes are an archive, the error explains how to name its members. Names the path.
    pub fn parse(bytes: Bytes, options: &OpenOptions) -> Result<Self> {
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

    /// The bytes, and their location.
    pub fn bytes(&self) -> &Bytes {
        self.0.borrow_owner()
    }

    /// The kind of file.
    pub fn kind(&self) -> Kind {
        self.nav().kind()
    }

    /// Its family.
    pub fn family(&self) -> Family {
        self.nav().family()
    }

    /// The facts in the head of the file. Constant time.
    pub fn summary(&self) -> Summary {
        self.nav().summary()
    }

    /// The parts with their own coordinates: the spaces of a plugin, the largest first. Any other file is one part.
    ///
    /// Reads every compressed mesh of a plugin once; constant time for other files.
    pub fn items(&self) -> Vec<Item<'_>> {
        let bytes = self.bytes();
        super::item::of_file(self.nav(), bytes.path(), bytes.member())
    }

    /// The index for queries, as [`NavIndex::of`] builds it; for a damaged file, of the part before the damage. It is compiled once
    /// here, and not again in each program.
    pub fn index(&self) -> Partial<NavIndex> {
        let group = self.nav().ground_group();
        self.index_with(&BuildOptions::default().with_group(group))
    }

    /// The same with options, as [`NavIndex::of_with`].
    pub fn index_with(&self, options: &BuildOptions) -> Partial<NavIndex> {
        super::index_of(self.nav(), options)
    }

    /// Checks that every byte handed out so far came from the file: see [`Bytes::intact`].
    ///
    /// # Errors
    /// Those of [`Bytes::intact`].
    pub fn intact(&self) -> Result<()> {
        self.bytes().intact()
    }
}

impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mesh").field("kind", &self.kind()).field("bytes", self.bytes()).finish()
    }
}

/// If an archive was taken for a mesh, explains how to open its members.
fn container(error: Error, bytes: &[u8]) -> Error {
    let _ = bytes;
    #[cfg(feature = "archive")]
    if let Some(kind) = navmap_archive::Kind::sniff(bytes).filter(|_| error.is_not_mesh()) {
        let why = "name one of its members, archive!member; `navmap list` shows them";
        return Error::invalid("path", format!("is a container ({kind}): {why}"));
    }
    error
}
