//! Gives each kind of id and index its own type, so that two kinds never mix.

/// Defines an id, in one of these forms:
///
/// - `AreaId: U32 => u32` is an id as it lies in a file: a record of its own, of any alignment, so that a list of ids is a slice
///   of the file.
/// - `FormId: U32 => u32 as "{:08X}"` is the same, but prints and serialises in this format.
/// - `FaceIndex(u16)` is a number taken out of a larger field; `EntityId(i32)` is one that may be negative, and indexes nothing.
///
/// All compare, hash, print and serialise as their number.
#[doc(hidden)]
#[macro_export]
macro_rules! id {
    ($($(#[$meta:meta])* $name:ident: $stored:ident => $int:ty $(as $format:literal)?;)+) => { $(
        $(#[$meta])*
        #[derive(
            zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::KnownLayout, zerocopy::Immutable,
            zerocopy::Unaligned, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash,
        )]
        #[repr(transparent)]
        pub struct $name(zerocopy::byteorder::little_endian::$stored);

        impl $name {
            /// The id with this number.
            #[inline]
            pub fn new(id: $int) -> Self {
                Self(id.into())
            }

            /// The number.
            #[inline]
            pub fn get(self) -> $int {
                self.0.get()
            }
        }

        const _: () = assert!(align_of::<$name>() == 1);

        impl $crate::format::Shaped for $name {
            const SHAPE: $crate::format::Shape =
                <zerocopy::byteorder::little_endian::$stored as $crate::format::Shaped>::SHAPE;
        }

        $crate::id!(@prints $name $($format)?);
    )+ };
    ($($(#[$meta:meta])* $name:ident(i32);)+) => { $(
        $crate::id!(@number $(#[$meta])* $name(i32));
    )+ };
    ($($(#[$meta:meta])* $name:ident($int:ty);)+) => { $(
        $crate::id!(@number $(#[$meta])* $name($int));

        impl $name {
            /// The number, for indexing.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+ };
    (@number $(#[$meta:meta])* $name:ident($int:ty)) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $int);

        impl $name {
            /// The number.
            #[inline]
            pub fn get(self) -> $int {
                self.0
            }
        }

        $crate::id!(@prints $name);
    };
    (@prints $name:ident $format:literal) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, $format, self.get())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
    (@prints $name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.get())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.get(), f)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&self.get(), serializer)
            }
        }
    };
}
