//! A mesh and its index, in the form that a server keeps.

#[cfg(feature = "archive")]
mod many;
mod policy;
mod slot;
mod stamp;
#[cfg(feature = "archive")]
mod tiles;
#[cfg(feature = "watch")]
mod watch;

pub use policy::Policy;
pub use slot::{Guard, Reader, Slot};
pub use stamp::Stamps;
#[cfg(feature = "watch")]
pub use watch::{Watch, WatchOptions};

use crate::open::{Item, Mesh, OpenOptions, check_hull, hull_group};
use navmap_core::bytes::{Backing, Scratch};
use navmap_core::error::Error;
use navmap_core::format::NavFile;
use navmap_core::graph::Partial;
use navmap_core::text::path_text;
use navmap_core::{Finding, Severity};
use navmap_formats::AnyNav;
use navmap_query::{Area, NavIndex};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A mesh and its index: immutable, shared, swapped as a whole. A clone shares both.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::query::{Policy, Refused, World};
///
/// let world = World::open("corpus/source/town.nav", &Policy::default().with_landmarks(true))?;
/// assert!(world.index().len() > 300 && world.mesh().is_some());
/// assert!(World::open("corpus/MANIFEST.md", &Policy::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct World {
    index: Arc<NavIndex>,
    mesh: Option<Mesh>,
    pub(super) generation: u64,
    findings: usize,
    doors: usize,
    /// What is kept of its tiles, if they may join and leave.
    #[cfg(feature = "archive")]
    tiles: Option<tiles::KeptTiles>,
}

/// The reason why a mesh was refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// It cannot be read to its end.
    Unreadable(Error),
    /// It has findings refused by the policy.
    #[non_exhaustive]
    Findings {
        /// How many of them.
        count: usize,
        /// The first.
        first: Box<Finding>,
        /// The file that shows the first, where one is known: of many files one of them; `archive!member` for a member.
        file: Option<PathBuf>,
    },
}

impl Refused {
    /// Adds the file. The first one set wins.
    #[cold]
    fn in_file(self, path: PathBuf) -> Self {
        match self {
            Self::Unreadable(error) => Self::Unreadable(error.in_file(path)),
            Self::Findings { count, first, file } => {
                Self::Findings { count, first, file: file.or(Some(path)) }
            }
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::Findings { count, first, file } => {
                if *count > 1 {
                    write!(f, "{count} findings, the first: ")?;
                }
                if let Some(file) = file {
                    write!(f, "{}: ", path_text(file))?;
                }
                first.fmt(f)
            }
        }
    }
}

impl std::error::Error for Refused {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // Its message is that of the error, so the chain goes on with what stands behind that.
            Self::Unreadable(error) => error.source(),
            Self::Findings { .. } => None,
        }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Unreadable(error)
    }
}

/// An area together with the world in which it was found, for programs and foreign code that keep areas over reloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Held {
    /// The [identity](NavIndex::identity) of the index.
    identity: u64,
    generation: u64,
    area: Area,
}

/// The error for a held area of another world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stale {
    /// The generation that it was held in. Worlds of two slots may have the same.
    pub held: u64,
    /// That of the world.
    pub world: u64,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.held == self.world {
            true => f.write_str("an area of another world"),
            false => write!(f, "an area of generation {} in a world of generation {}", self.held, self.world),
        }
    }
}

impl std::error::Error for Stale {}

impl World {
    /// Reads the mesh at a path, parses it to its end, checks it and builds the index.
    ///
    /// With the feature `archive` it may also be a member of an archive, a folder or an archive with the tiles of a Fox
    /// map (if it has several maps, the one with the most tiles), or a folder of plugins, which is a load order.
    ///
    /// # Errors
    /// If it cannot be read, or the policy refuses it.
    pub fn open(path: impl AsRef<Path>, policy: &Policy) -> Result<Self, Refused> {
        let (path, options) = (path.as_ref(), read(policy));
        #[cfg(feature = "archive")]
        match crate::open::Place::at(path, &options)? {
            crate::open::Place::Mesh(mesh) => return Self::of_mesh(mesh, policy),
            crate::open::Place::Tiles(tiles) => return Self::of_tiles(&tiles, None, policy),
            _ if path.is_dir() => return Self::open_order([path], policy),
            _ => {}
        }
        Self::of_mesh(Mesh::open_with(path, &options)?, policy)
    }

    /// The world of bytes in memory, with the name of their file.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn from_bytes(name: &str, bytes: Vec<u8>, policy: &Policy) -> Result<Self, Refused> {
        let bytes = crate::open::Bytes::from_backing(name, Backing::owned(bytes));
        Self::of_mesh(Mesh::parse(bytes, &policy.options)?, policy)
    }

    /// The world of a mesh that is already open. If others may write to its file, it must be a snapshot.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn of_mesh(mesh: Mesh, policy: &Policy) -> Result<Self, Refused> {
        let named = |refused: Refused| refused.in_file(mesh.bytes().location());
        let findings = checked(mesh.nav(), policy).map_err(named)?;
        let hull = policy.options.hull;
        let group = hull_group(mesh.nav(), hull).map_err(|error| named(error.into()))?;
        let options = match group {
            Some(group) if policy.build.group.is_none() => policy.build.with_group(Some(group)),
            _ => policy.build,
        };
        let index = whole(crate::open::index_of(mesh.nav(), &options), policy).map_err(named)?;
        let has_hulls = !mesh.nav().hulls().is_empty();
        check_hull("hull", hull, group, has_hulls, &index).map_err(|error| named(error.into()))?;
        Ok(Self { mesh: Some(mesh), findings, ..Self::of_index(index) })
    }

    /// The world of one item of a place: a space of a plugin, a layer of a tile set. Keeps only the index.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn of_item(item: &Item<'_>, policy: &Policy) -> Result<Self, Refused> {
        let named = |refused: Refused| refused.in_file(item.location());
        let findings = item.nav().map_or(Ok(0), |nav| checked(nav, policy)).map_err(named)?;
        let index = item.index(&policy.build).ok_or_else(|| Error::invalid("item", "could not be read"));
        let index = index.map_err(|error| named(error.into()))?;
        Ok(Self { findings, ..Self::of_index(whole(index, policy).map_err(named)?) })
    }

    /// A world with only an index, such as one built from many files.
    pub fn of_index(index: NavIndex) -> Self {
        Self {
            index: Arc::new(index),
            mesh: None,
            generation: 0,
            findings: 0,
            doors: 0,
            #[cfg(feature = "archive")]
            tiles: None,
        }
    }

    /// The index.
    pub fn index(&self) -> &NavIndex {
        &self.index
    }

    /// The mesh, for data that an index lacks: edicts, times, light. (Hiding spots and visibility:
    /// [`BuildOptions::tactics`](navmap_query::BuildOptions::tactics).) `None` if the world was made from many files.
    pub fn mesh(&self) -> Option<&Mesh> {
        self.mesh.as_ref()
    }

    /// The number of this world in its [`Slot`](super::Slot), from 1; 0 before it is in one.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The number of warnings and errors that its check found and the policy allowed.
    pub fn findings(&self) -> usize {
        self.findings
    }

    /// The number of doors of a load order on a triangle that lead nowhere, because their partner is not in the order.
    pub fn unresolved_doors(&self) -> usize {
        self.doors
    }

    /// The area with the world that it belongs to.
    pub fn hold(&self, area: Area) -> Held {
        Held { identity: self.index.identity(), generation: self.generation, area }
    }

    /// The held area, if it belongs to this world. Ids survive a reload, areas do not.
    ///
    /// # Errors
    /// If it belongs to another world.
    pub fn held(&self, held: Held) -> Result<Area, Stale> {
        if held.identity == self.index.identity() {
            Ok(held.area)
        } else {
            Err(Stale { held: held.generation, world: self.generation })
        }
    }
}

/// The options of a policy. Nothing is mapped, since truncating a mapped file would end the process.
fn read(policy: &Policy) -> OpenOptions {
    OpenOptions { opener: Default::default(), ..policy.options }
}

/// The number of findings that count against a mesh. Findings that the policy refuses are an error.
fn checked(nav: &AnyNav<'_>, policy: &Policy) -> Result<usize, Refused> {
    let mut met = Met::new(policy);
    nav.check(&mut Scratch::new(), &mut |finding: Finding| met.take(finding, || None))?;
    met.judged()
}

/// The findings of a check, seen under a policy.
struct Met {
    least: Option<Severity>,
    counted: usize,
    refused: usize,
    first: Option<(Finding, Option<PathBuf>)>,
}

impl Met {
    fn new(policy: &Policy) -> Self {
        Self { least: policy.refuse, counted: 0, refused: 0, first: None }
    }

    /// Takes the next finding; `file` tells the file that shows it, if it is one of many.
    fn take(&mut self, finding: Finding, file: impl FnOnce() -> Option<PathBuf>) {
        self.counted += usize::from(finding.severity.counts());
        if self.least.is_some_and(|least| finding.severity >= least) {
            self.refused += 1;
            self.first.get_or_insert_with(|| (finding, file()));
        }
    }

    /// The number that count, unless one is refused.
    fn judged(self) -> Result<usize, Refused> {
        match self.first {
            Some((first, file)) => {
                Err(Refused::Findings { count: self.refused, first: Box::new(first), file })
            }
            None => Ok(self.counted),
        }
    }
}

fn whole(index: Partial<NavIndex>, policy: &Policy) -> Result<NavIndex, Refused> {
    let index = index.whole()?;
    Ok(if policy.landmarks { index.with_landmarks() } else { index })
}
