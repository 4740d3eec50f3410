//! Items without the type that their family gives them.

/// An item of any editor: two numbers, of which its family makes a [key](super::Editor::Key).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AnyKey(pub [u32; 2]);

impl From<u32> for AnyKey {
    fn from(slot: u32) -> Self {
        Self([0, slot])
    }
}

impl From<AnyKey> for u32 {
    fn from(AnyKey([_, slot]): AnyKey) -> Self {
        slot
    }
}

/// Makes an [`AnyKey`](crate::edit::AnyKey) of an enum of items, each of which holds a slot, and the item of it again. The first
/// has the number 0.
#[doc(hidden)]
#[macro_export]
macro_rules! keys {
    ($item:ident { $first:ident, $($number:literal => $other:ident),+ }) => {
        impl From<$item> for $crate::edit::AnyKey {
            fn from(item: $item) -> Self {
                match item {
                    $item::$first(slot) => Self([0, slot]),
                    $($item::$other(slot) => Self([$number, slot]),)+
                }
            }
        }

        impl From<$crate::edit::AnyKey> for $item {
            fn from($crate::edit::AnyKey([number, slot]): $crate::edit::AnyKey) -> Self {
                match number {
                    $($number => Self::$other(slot),)+
                    _ => Self::$first(slot),
                }
            }
        }
    };
}
