//! Named bits.

use std::fmt;

/// Defines a set of named bits over an integer, with a constant for each bit, tests, names, and text such as `CROUCH |
/// 0x100000`. A bit prints as the name of its constant, or as the text after `=>` if the format spells it otherwise.
/// Bits without a name are kept. No bit at all prints as `0`, or as the text after `0 =>`.
///
/// ```text
/// bits! {
///     /// What the set is, and where the names come from.
///     TriangleFlags(u16) {
///         /// Under water.
///         WATER = 0x0200 => "water",
///     }
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! bits {
    (
        $(#[$doc:meta])*
        $name:ident($int:ty $(, 0 => $none:literal)?) { $( $(#[$bit_doc:meta])* $bit:ident = $value:literal $(=> $text:literal)?, )* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub $int);

        impl $name {
            $(
                $(#[$bit_doc])*
                #[doc = concat!("`", stringify!($value), "`")]
                pub const $bit: Self = Self($value);
            )*

            /// Every named bit, in the order of declaration: lowest first.
            pub const NAMED: &'static [(&'static str, Self)] =
                &[$(($crate::bits!(@name $bit $($text)?), Self::$bit)),*];

            /// The stored number.
            #[inline]
            pub fn bits(self) -> $int {
                self.0
            }

            /// Whether all bits of `other` are set.
            #[inline]
            pub fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Whether any bit of `other` is set.
            #[inline]
            pub fn any(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Whether no bit is set.
            #[inline]
            pub fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Names of the bits that are set, lowest first. [`unnamed`](Self::unnamed) gives the bits without a name.
            pub fn names(self) -> impl Iterator<Item = &'static str> + Clone {
                Self::NAMED.iter().filter(move |(_, bit)| self.contains(*bit)).map(|(name, _)| *name)
            }

            /// The set bits without a name.
            pub fn unnamed(self) -> $int {
                Self::NAMED.iter().fold(self.0, |left, (_, bit)| left & !bit.0)
            }
        }

        impl From<$name> for $int {
            #[inline]
            fn from(bits: $name) -> Self {
                bits.0
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;

            #[inline]
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        /// Prints names joined by ` | `, bits without a name as one hexadecimal number, and `0` (or the word for it) if nothing
        /// is set.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $(if self.0 == 0 {
                    return f.write_str($none);
                })?
                $crate::format::write_bits(f, &mut self.names(), u64::from(self.unnamed()))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                $crate::stream::Flags::new(self.0, self.names()).serialize(serializer)
            }
        }
    };
    (@name $bit:ident) => { stringify!($bit) };
    (@name $bit:ident $text:literal) => { $text };
}

/// `CROUCH | 0x100000`
pub fn write_bits(
    f: &mut fmt::Formatter<'_>,
    names: &mut dyn Iterator<Item = &'static str>,
    unnamed: u64,
) -> fmt::Result {
    let mut any = false;
    for name in names {
        f.write_str(if any { " | " } else { "" })?;
        f.write_str(name)?;
        any = true;
    }
    match (any, unnamed) {
        (true, 0) => Ok(()),
        (false, 0) => f.write_str("0"),
        (true, _) => write!(f, " | {unnamed:#x}"),
        (false, _) => write!(f, "{unnamed:#x}"),
    }
}
