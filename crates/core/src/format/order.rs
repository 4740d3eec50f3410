//! Lists in a `for` loop.

use std::iter::FusedIterator;
use std::ops::Range;

/// A list that computes its items by index, in constant time.
pub trait ByIndex {
    /// What the list holds.
    type Item;

    /// The number of items.
    fn count(&self) -> usize;

    /// The item of this index.
    fn at(&self, index: usize) -> Option<Self::Item>;
}

/// The items of a list in order: the iterator of a `for` loop over the list.
#[derive(Debug, Clone)]
pub struct InOrder<L> {
    list: L,
    left: Range<usize>,
}

impl<L: ByIndex> InOrder<L> {
    #[doc(hidden)]
    pub fn new(list: L) -> Self {
        let left = 0..list.count();
        Self { list, left }
    }
}

impl<L: ByIndex> Iterator for InOrder<L> {
    type Item = L::Item;

    #[inline]
    fn next(&mut self) -> Option<L::Item> {
        self.list.at(self.left.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl<L: ByIndex> DoubleEndedIterator for InOrder<L> {
    #[inline]
    fn next_back(&mut self) -> Option<L::Item> {
        self.list.at(self.left.next_back()?)
    }
}

impl<L: ByIndex> FusedIterator for InOrder<L> {}

/// Makes a list with `len` and `get` usable in a `for` loop: `in_order!(impl<'a> Triangles<'a> => TriangleRef<'a>)`.
#[doc(hidden)]
#[macro_export]
macro_rules! in_order {
    (impl<$($life:lifetime),+> $list:ty => $item:ty) => {
        impl<$($life),+> $crate::format::ByIndex for $list {
            type Item = $item;

            #[inline]
            fn count(&self) -> usize {
                self.len()
            }

            #[inline]
            fn at(&self, index: usize) -> Option<$item> {
                self.get(index)
            }
        }

        impl<$($life),+> IntoIterator for $list {
            type Item = $item;
            type IntoIter = $crate::format::InOrder<Self>;

            fn into_iter(self) -> Self::IntoIter {
                $crate::format::InOrder::new(self)
            }
        }
    };
}
