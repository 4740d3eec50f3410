//! A mesh and its index, as a server keeps them.

use super::area::Area;
use super::build::BuildOptions;
use super::index::NavIndex;
use crate::bytes::{Backing, Scratch};
use crate::error::Error;
use crate::finding::{Finding, Severity};
use crate::format::{AnyNav, GraphTask, NavFile};
use crate::graph::{NavGraph, Partial};
use crate::open::{Item, Mesh, Options};
use std::fmt;
use std::path::Path;

/// How a [`World`] is loaded, and what is not let in.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// How files are opened and what they may cost. They are always read, never mapped: whoever truncates a mapped file
    /// ends the process.
    pub options: Options,
    /// A mesh with a finding this bad is refused. By default errors: the game or a tool would act on wrong data.
    pub refuse: Option<Severity>,
    /// What index is built.
    pub build: BuildOptions,
    /// Whether it gets landmarks.
    pub landmarks: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            options: Options::new(),
            refuse: Some(Severity::Error),
            build: BuildOptions::default(),
            landmarks: false,
        }
    }
}

/// A mesh and its index: immutable, shared, swapped as a whole.
#[derive(Debug)]
pub struct World {
    index: NavIndex,
    mesh: Option<Mesh>,
    pub(super) generation: u64,
    findings: usize,
}

/// Why a mesh was not let in.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// It cannot be read to its end.
    Unreadable(Error),
    /// It has findings that the policy does not let pass.
    Findings {
        /// How many of them.
        count: usize,
        /// The first.
        first: Finding,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::Findings { count: 1, first } => first.fmt(f),
            Self::Findings { count, first } => write!(f, "{count} findings, the first: {first}"),
        }
    }
}

impl std::error::Error for Refused {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::Findings { .. } => None,
        }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Unreadable(error)
    }
}

/// An area together with the [generation](World::generation) of the world it was found in: what a program keeps over
/// reloads, and foreign code holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Held {
    generation: u64,
    area: Area,
}

/// A held area is of another world than the one that was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stale {
    /// The generation that it was held in.
    pub held: u64,
    /// That of the world.
    pub world: u64,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an area of generation {} in a world of generation {}", self.held, self.world)
    }
}

impl std::error::Error for Stale {}

impl World {
    /// Reads what a path names, parses it to its end, checks it, builds the index.
    ///
    /// # Errors
    /// If it cannot be read, or the policy refuses it.
    pub fn open(path: impl AsRef<Path>, policy: &Policy) -> Result<Self, Refused> {
        let mut options = policy.options;
        options.opener = Default::default();
        Self::of_mesh(Mesh::open_with(path, &options)?, policy)
    }

    /// The same for bytes in memory; the name is that of their file.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_bytes(name: &str, bytes: Vec<u8>, policy: &Policy) -> Result<Self, Refused> {
        let bytes = crate::open::Bytes::of(name, Backing::owned(bytes));
        Self::of_mesh(Mesh::parse(bytes, &policy.options)?, policy)
    }

    /// The world of a mesh that is open already. Snapshots only, if others may write to its file.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn of_mesh(mesh: Mesh, policy: &Policy) -> Result<Self, Refused> {
        let findings = checked(mesh.nav(), policy)?;
        let index = match policy.build.is_default() {
            true => NavIndex::of(mesh.nav()),
            false => NavIndex::of_with(mesh.nav(), &policy.build),
        };
        let index = whole(index, policy)?;
        Ok(Self { index, mesh: Some(mesh), generation: 0, findings })
    }

    /// The world of one item of a place: a space of a plugin, a layer of a tile set. Nothing but the index is kept.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn of_item(item: &Item<'_>, policy: &Policy) -> Result<Self, Refused> {
        struct Build<'o>(&'o BuildOptions);
        impl GraphTask for Build<'_> {
            type Out = Partial<NavIndex>;
            fn run(self, graph: &impl NavGraph) -> Self::Out {
                NavIndex::build_with(graph, self.0)
            }
        }
        let findings = item.nav().map_or(Ok(0), |nav| checked(nav, policy))?;
        let index = item.with_graph(Build(&policy.build));
        let index = index.ok_or_else(|| Error::invalid("item", "could not be read"))?;
        Ok(Self { index: whole(index, policy)?, mesh: None, generation: 0, findings })
    }

    /// A world of an index alone: one that was put together of many files.
    pub fn of_index(index: NavIndex) -> Self {
        Self { index, mesh: None, generation: 0, findings: 0 }
    }

    /// The index.
    pub fn index(&self) -> &NavIndex {
        &self.index
    }

    /// The mesh, for what an index does not hold: hiding spots, visibility, edicts. `None` where it was made of many
    /// files.
    pub fn mesh(&self) -> Option<&Mesh> {
        self.mesh.as_ref()
    }

    /// Counts the worlds of a [`Slot`](super::Slot) from 1; 0 before it is in one.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Warnings and errors that its check found and the policy let pass.
    pub fn findings(&self) -> usize {
        self.findings
    }

    /// An area with the generation it belongs to.
    pub fn hold(&self, area: Area) -> Held {
        Held { generation: self.generation, area }
    }

    /// The area that was held, if it is of this world. Ids survive a reload, areas do not.
    ///
    /// # Errors
    /// If it is of another.
    pub fn held(&self, held: Held) -> Result<Area, Stale> {
        if held.generation == self.generation {
            Ok(held.area)
        } else {
            Err(Stale { held: held.generation, world: self.generation })
        }
    }
}

/// How many findings count against a mesh; those that the policy refuses are an error.
fn checked(nav: &AnyNav<'_>, policy: &Policy) -> Result<usize, Refused> {
    let (mut bad, mut first, mut counted) = (0usize, None, 0usize);
    nav.check(&mut Scratch::new(), &mut |finding: Finding| {
        counted += usize::from(finding.severity.counts());
        if policy.refuse.is_some_and(|least| finding.severity >= least) {
            bad += 1;
            first.get_or_insert(finding);
        }
    })?;
    match first {
        Some(first) => Err(Refused::Findings { count: bad, first }),
        None => Ok(counted),
    }
}

fn whole(index: Partial<NavIndex>, policy: &Policy) -> Result<NavIndex, Refused> {
    let index = index.whole()?;
    Ok(if policy.landmarks { index.with_landmarks() } else { index })
}
