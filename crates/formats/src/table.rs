//! Makes types of the table of families.

use navmap_core::Code;
use navmap_core::error::Result;
use navmap_core::format::{NavFormat, Summary};

/// Makes [`Family`](super::Family), [`Kind`](super::Kind) and [`AnyNav`](super::AnyNav) of the table in the module
/// above: three enumerations, and every `match` over them that needs one arm a row. Everything else is ordinary code
/// that calls these.
///
/// A row has the variant, its name, its form, its view as `module::Type`, its feature, the extensions of its files, and
/// its title. A kind whose feature is off keeps its name, but its files are not recognised.
macro_rules! families {
    ($($family:ident $family_name:literal $family_title:literal {
        $($kind:ident $name:literal $form:literal $module:ident::$view:ident $feature:literal [$($extension:literal),+] $title:literal;)+
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

            /// The form of the file as a row of `scan` names it: `nav`, `navjson`, `plugin`, `payload`.
            pub fn form(self) -> &'static str {
                match self {
                    $($(Self::$kind => $form,)+)+
                }
            }

            /// Extensions that its files may have, in small letters. A file with one of them that is no mesh gets a
            /// message; any other file that is none is passed over in silence.
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
                        Self::$kind => Some(Format::of::<$module::$view<'static>>()),
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
            /// Never made. It keeps the type valid if no family is compiled in.
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

            /// What kind of file it is.
            pub fn kind(&self) -> Kind {
                match self {
                    $($(
                        #[cfg(feature = $feature)]
                        Self::$kind(_) => Kind::$kind,
                    )+)+
                    Self::Never(never) => match **never {},
                }
            }

            /// What the views of all kinds can do.
            fn file(&self) -> &dyn NavFile {
                match self {
                    $($(
                        #[cfg(feature = $feature)]
                        Self::$kind(nav) => nav,
                    )+)+
                    Self::Never(never) => match **never {},
                }
            }

            /// Hands the file's graph to `task`; [`NavFormat::graph`] says what that costs.
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

        /// Everything in the file, streamed: what `navmap dump` prints. `family`, `kind` and `form` come first; then what the
        /// view serialises to, where `game`, `version` and `subversion` are among the first and `error` is the last.
        /// A float that is no number is one of the texts `"NaN"`, `"Infinity"`, `"-Infinity"`.
        impl serde::Serialize for AnyNav<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                let _ = &serializer;
                match self {
                    $($(
                        #[cfg(feature = $feature)]
                        Self::$kind(nav) => Dump::of(Kind::$kind, nav).serialize(navmap_core::stream::Reals(serializer)),
                    )+)+
                    Self::Never(never) => match **never {},
                }
            }
        }
    };
}
pub(super) use families;

/// The functions of a [`NavFormat`] that need no file. One `match` finds them, and ordinary code calls them.
pub(super) struct Format {
    pub(super) counts: &'static [&'static str],
    pub(super) codes: &'static [Code],
    pub(super) recognise: fn(&[u8]) -> bool,
    pub(super) may_be: fn(&[u8]) -> bool,
    pub(super) head: fn(&[u8], u64) -> Result<Summary>,
}

impl Format {
    #[allow(dead_code)] // where no family is compiled in
    pub(super) fn of<V: NavFormat<'static>>() -> Self {
        Self { counts: V::COUNTS, codes: V::CODES, recognise: V::recognise, may_be: V::may_be, head: V::head }
    }
}
