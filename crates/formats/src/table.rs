//! Makes types of the table of families.

use navmap_core::Code;
use navmap_core::edit::{EditFormat, Editor, Fix, Version};
use navmap_core::error::Result;
use navmap_core::format::{NavFormat, Summary};
use std::path::{Path, PathBuf};

/// Makes [`Family`](super::Family), [`Kind`](super::Kind) and [`AnyNav`](super::AnyNav) from the table in the module above: three
/// enumerations, and every `match` over them that needs one arm per row. Everything else is ordinary code that calls these.
///
/// A row has the variant, its name, its form, its view as `crate::Type`, its feature, the extensions of its files, its title, and the
/// word `[edit]` if its view is an [`EditFormat`](navmap_core::edit::EditFormat). Where a map may be a file a tile, `maps` follows: the
/// set and its maps as `crate::Set<Map>`, the extensions of such tiles, and those of packages that hold little but tiles. A kind
/// whose feature is off keeps its name, but its files are not recognised.
macro_rules! families {
    ($($family:ident $family_name:literal $family_title:literal {
        $($kind:ident $name:literal $form:literal $module:ident::$view:ident $feature:literal [$($extension:literal),+] $title:literal $([$edit:ident])?
            $(maps $sets:ident::$set:ident<$map:ident> [$($tile:literal),+] [$($package:literal),*])?;)+
    })+) => {
        /// A family of formats.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Family {
            $(#[doc = $family_title] $family,)+
        }

        impl Family {
            /// Every family, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$family),+];

            /// `source`, `quake`, `fox`, `skyrim` …: the name of its module, and of its feature.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$family => $family_name,)+
                }
            }
        }

        /// A kind of file that navmap reads: one for each view of [`AnyNav`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[doc = $title] $kind,)+)+
        }

        impl Kind {
            /// Every kind, in the order of the table, which is also the order in which they are tried on a file.
            pub const ALL: &'static [Self] = &[$($(Self::$kind),+),+];

            /// Its name, which selects it on the command line: `source`, `navjson`, `plugin` …
            pub fn name(self) -> &'static str {
                match self {
                    $($(Self::$kind => $name,)+)+
                }
            }

            /// Its title for people: `Valve .nav`.
            pub fn title(self) -> &'static str {
                match self {
                    $($(Self::$kind => $title,)+)+
                }
            }

            /// The family it belongs to.
            pub fn family(self) -> Family {
                match self {
                    $($(Self::$kind => Family::$family,)+)+
                }
            }

            /// The form of the file in a row of `scan`: `nav`, `navjson`, `plugin`, `payload`.
            pub fn form(self) -> &'static str {
                match self {
                    $($(Self::$kind => $form,)+)+
                }
            }

            /// Extensions that its files may have, in lower case. A file with one of them that is not a mesh gets a message; any
            /// other such file is skipped silently.
            pub fn extensions(self) -> &'static [&'static str] {
                match self {
                    $($(Self::$kind => &[$($extension),+],)+)+
                }
            }

            /// The functions of its view that need no file; `None` if its feature is off.
            fn format(self) -> Option<Format> {
                match self {
                    $($(
                        #[cfg(feature = $feature)]
                        Self::$kind => Some(Format::for_view::<$module::$view<'static>>()),
                    )+)+
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }
        }

        $crate::sets::sets! {
            $($($($kind $title $feature $sets $set $map [$($tile),+] [$($package),*];)?)+)+
        }

        $($(
            #[cfg(feature = $feature)]
            impl<'a> KindView<'a> for $module::$view<'a> {
                fn from_any<'n>(nav: &'n AnyNav<'a>) -> Option<&'n Self> {
                    match nav {
                        AnyNav::$kind(view) => Some(view),
                        #[allow(unreachable_patterns)] // where one family is compiled in
                        _ => None,
                    }
                }
            }
        )+)+
        impl Kind {
            /// How its files are edited; `None` if they are not, or its feature is off.
            pub(crate) fn edits(self) -> Option<table::Edits> {
                match self {
                    $($(
                        #[cfg(feature = $feature)]
                        Self::$kind => table::if_edited!([$($edit)?] Some(table::Edits::for_view::<$module::$view<'static>>()), None),
                    )+)+
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }
        }

        /// A borrowed view of one file of any family, which [`AnyNav::parse`] makes of its bytes.
        #[derive(Debug)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant)] // a file is opened without an allocation
        pub enum AnyNav<'a> {
            $($(
                #[doc = $title]
                #[cfg(feature = $feature)]
                $kind($module::$view<'a>),
            )+)+
            /// Never constructed. It keeps the type valid if no family is compiled in.
            #[doc(hidden)]
            Never(&'a std::convert::Infallible),
        }

        impl<'a> AnyNav<'a> {
            /// Opens bytes as a file of this kind.
            fn open(kind: Kind, bytes: &'a [u8], options: &ReadOptions) -> Result<Self> {
                let _ = options;
                match kind {
                    $($(
                        #[cfg(feature = $feature)]
                        Kind::$kind => NavFormat::open(bytes, options).map(Self::$kind),
                    )+)+
                    #[allow(unreachable_patterns)]
                    _ => Err(not_mesh(bytes)),
                }
            }

            /// The kind of file.
            pub fn kind(&self) -> Kind {
                match self {
                    $($(
                        #[cfg(feature = $feature)]
                        Self::$kind(_) => Kind::$kind,
                    )+)+
                    Self::Never(never) => match **never {},
                }
            }

            /// The interface of the views of all kinds.
            fn file(&self) -> &dyn NavFile {
                match self {
                    $($(
                        #[cfg(feature = $feature)]
                        Self::$kind(nav) => nav,
                    )+)+
                    Self::Never(never) => match **never {},
                }
            }

            /// Hands the file's graph to `task`. For the cost see [`NavFormat::graph`].
            pub fn with_graph<T: GraphTask>(&self, task: T) -> T::Out {
                let _ = &task;
                match self {
                    $($(
                        #[cfg(feature = $feature)]
                        Self::$kind(nav) => task.run(&nav.graph()),
                    )+)+
                    Self::Never(never) => match **never {},
                }
            }
        }

        impl AnyNav<'_> {
            /// Hands the view to `task`, if its meshes can be edited.
            pub fn with_edited<T: navmap_core::edit::EditTask>(&self, task: T) -> Option<T::Out> {
                let _ = &task;
                match self {
                    $($(
                        #[cfg(feature = $feature)]
                        Self::$kind(_nav) => table::if_edited!([$($edit)?] Some(task.run(_nav)), None),
                    )+)+
                    Self::Never(never) => match **never {},
                }
            }
        }
    };
}
pub(super) use families;

/// A view that [`AnyNav`](super::AnyNav) may hold: what [`AnyNav::as_view`](super::AnyNav::as_view) can be asked for.
pub trait KindView<'a>: Sized {
    /// The view, if the file is of this kind.
    #[doc(hidden)]
    fn from_any<'n>(nav: &'n super::AnyNav<'a>) -> Option<&'n Self>;
}
/// The first of two expressions in rows with `[edit]`, the second in others.
#[cfg(feature = "edit")]
#[allow(unused_macros)] // where no format is compiled in
macro_rules! if_edited {
    ([edit] $yes:expr, $no:expr) => {
        $yes
    };
    ([] $yes:expr, $no:expr) => {
        $no
    };
}
/// The second of two expressions in all rows: no editors are compiled in.
#[cfg(not(feature = "edit"))]
#[allow(unused_macros)]
macro_rules! if_edited {
    ([$($edit:ident)?] $yes:expr, $no:expr) => {
        $no
    };
}
#[allow(unused_imports)] // where no family is compiled in
pub(super) use if_edited;

/// The functions of a [`NavFormat`] that need no file. One `match` finds them, and ordinary code calls them.
pub(super) struct Format {
    pub(super) counts: &'static [&'static str],
    pub(super) codes: &'static [Code],
    pub(super) check_cost: u64,
    pub(super) recognise: fn(&[u8]) -> bool,
    pub(super) may_be: fn(&[u8]) -> bool,
    pub(super) head: fn(&[u8], u64) -> Result<Summary>,
}

impl Format {
    #[allow(dead_code)] // where no family is compiled in
    pub(super) fn for_view<V: NavFormat<'static>>() -> Self {
        Self {
            counts: V::COUNTS,
            codes: V::CODES,
            check_cost: V::CHECK_COST,
            recognise: V::recognise,
            may_be: V::may_be,
            head: V::head,
        }
    }
}

/// What an [`EditFormat`] says without a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edits {
    pub(crate) called: &'static str,
    pub(crate) mapped: Option<&'static str>,
    pub(crate) scripts: bool,
    pub(crate) merges: bool,
    pub(crate) fixes: fn() -> &'static [Fix],
    pub(crate) files: fn(&Path) -> (Vec<PathBuf>, usize),
    pub(crate) beside: fn(&Path, &Path) -> PathBuf,
}

impl Edits {
    #[allow(dead_code)] // where no family is compiled in
    pub(super) fn for_view<V: EditFormat<'static>>() -> Self {
        Self {
            called: V::CALLED,
            mapped: V::MAPPED,
            scripts: V::VERSION.is_some(),
            merges: V::VERSION.is_some() && <V::Version as Version>::MERGE.is_some(),
            fixes: <V::Editor as Editor>::fixes,
            files: V::files,
            beside: V::beside,
        }
    }
}
