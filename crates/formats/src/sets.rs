//! Maps that are a file a tile: the sets of the kinds that keep maps so.

use super::{Family, Kind};
use navmap_core::format::{OpenFile, SetFile, has_extension};
use std::path::{Path, PathBuf};

/// Makes [`AnySet`](super::AnySet) and [`AnyMap`](super::AnyMap) of the rows in the table that have a set, and every `match`
/// over them.
macro_rules! sets {
    ($($kind:ident $title:literal $feature:literal $module:ident $set:ident $map:ident
        [$($tile:literal),*] [$($package:literal),*];)*) => {
        /// A set of tiles of any family that keeps a map as a file a tile.
        #[derive(Debug)]
        #[non_exhaustive]
        pub enum AnySet {
            $(
                #[doc = $title]
                #[cfg(feature = $feature)]
                $kind($module::$set<'static>),
            )*
            /// Never made. It keeps the type valid if no family is compiled in.
            #[doc(hidden)]
            Never(std::convert::Infallible),
        }

        /// One map of an [`AnySet`].
        #[derive(Debug)]
        #[non_exhaustive]
        pub enum AnyMap<'s> {
            $(
                #[doc = $title]
                #[cfg(feature = $feature)]
                $kind($module::$map<'s>),
            )*
            /// Never made. It keeps the type valid if no family is compiled in.
            #[doc(hidden)]
            Never(&'s std::convert::Infallible),
        }

        impl SetKind {
            /// The kinds that keep maps as a file a tile, in the order of the table. Those whose feature is off are left out.
            pub const ALL: &'static [Self] = &[$(
                #[cfg(feature = $feature)]
                Self {
                    kind: Kind::$kind,
                    tiles: &[$($tile),*],
                    packages: &[$($package),*],
                    checked: <$module::$set<'static> as SetFormat>::checked,
                    of_files: |files| AnySet::$kind(SetFormat::of_files(files)),
                    open_files: |paths, open| AnySet::$kind(SetFormat::open_files(paths, open)),
                },
            )*];
        }

        impl AnySet {
            /// The kind of its files.
            pub fn kind(&self) -> Kind {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(_) => Kind::$kind,
                    )*
                    Self::Never(never) => match *never {},
                }
            }

            /// What the sets of all families can do.
            pub fn set(&self) -> &dyn NavSet {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(set) => set,
                    )*
                    Self::Never(never) => match *never {},
                }
            }

            /// The same, to take errors out or to add some.
            pub fn set_mut(&mut self) -> &mut dyn NavSet {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(set) => set,
                    )*
                    Self::Never(never) => match *never {},
                }
            }

            /// The set of its family, if it is this one: `set.as_set::<TileSet<'static>>()`.
            pub fn as_set<S: 'static>(&self) -> Option<&S> {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(set) => (set as &dyn std::any::Any).downcast_ref(),
                    )*
                    Self::Never(never) => match *never {},
                }
            }

            /// Its maps and their variants, the one with the most tiles first.
            pub fn maps(&self) -> Vec<AnyMap<'_>> {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(set) => SetFormat::maps(set).map(AnyMap::$kind).collect(),
                    )*
                    Self::Never(never) => match *never {},
                }
            }
        }

        impl AnyMap<'_> {
            /// What the maps of all families can do.
            pub fn map(&self) -> &dyn SetMap {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(map) => map,
                    )*
                    Self::Never(never) => match **never {},
                }
            }

            /// Hands the graph of the map, joined over the borders of its tiles, to `task`.
            pub fn with_graph<T: GraphTask>(&self, task: T) -> T::Out {
                let _ = &task;
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(map) => task.run(&SetMap::graph(map)),
                    )*
                    Self::Never(never) => match **never {},
                }
            }
        }
    };
}
pub(super) use sets;

/// A kind that keeps a map as a file a tile: what its row in the table says of the names, and what makes a set.
#[derive(Debug, Clone, Copy)]
pub struct SetKind {
    pub(super) kind: Kind,
    pub(super) tiles: &'static [&'static str],
    pub(super) packages: &'static [&'static str],
    pub(super) checked: fn(Vec<PathBuf>) -> Vec<Vec<PathBuf>>,
    pub(super) of_files: fn(Vec<SetFile>) -> super::AnySet,
    pub(super) open_files: fn(Vec<PathBuf>, OpenFile<'_>) -> super::AnySet,
}

impl SetKind {
    /// The kind of its files.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// The family.
    pub fn family(self) -> Family {
        self.kind.family()
    }

    /// The extensions of its files, that of the tiles first.
    pub fn extensions(self) -> &'static [&'static str] {
        self.tiles
    }

    /// Whether the name is that of a tile, or of the head of a map.
    pub fn is_tile(self, path: &Path) -> bool {
        has_extension(path, self.tiles)
    }

    /// Whether the name is that of a package that holds little but tiles.
    pub fn is_package(self, path: &Path) -> bool {
        has_extension(path, self.packages)
    }

    /// The maps among the tiles of a folder of which `check` reports what is odd.
    pub fn checked(self, tiles: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
        (self.checked)(tiles)
    }

    /// A set of files whose bytes are there.
    pub fn of_files(self, files: Vec<SetFile>) -> super::AnySet {
        (self.of_files)(files)
    }

    /// A set of loose files, opened on all threads of the current pool.
    pub fn open_files(self, paths: Vec<PathBuf>, open: OpenFile<'_>) -> super::AnySet {
        (self.open_files)(paths, open)
    }
}
