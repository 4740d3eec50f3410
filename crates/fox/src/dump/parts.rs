//! Helpers for the rows of all parts.

use crate::record::Position;
use crate::survey::Budget;
use crate::view::{FoxNav, Frame};
use navmap_core::error::{Error, Result};
use serde::ser::{Serialize, Serializer};
use std::cell::RefCell;
use zerocopy::byteorder::little_endian::U16;

/// The first error of any list, and the remaining budget for parts of variable length.
pub(super) struct Failed {
    pub(super) first: RefCell<Option<Error>>,
    budget: RefCell<Budget>,
}

impl Failed {
    pub(super) fn new(nav: &FoxNav<'_>) -> Self {
        Self { first: RefCell::default(), budget: RefCell::new(Budget::new(nav)) }
    }

    pub(super) fn note<T>(&self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.first.borrow_mut().get_or_insert(error);
                None
            }
        }
    }

    /// The items of a list, up to an error. Also stops if overlapping records make the walk read more bytes than the file has.
    pub(super) fn walk<T>(&self, items: impl Iterator<Item = Result<T>>) -> impl Iterator<Item = T> {
        items.map_while(|item| self.note(item))
    }

    /// The readable items of a list. Each item is independent, so an error does not end the list.
    pub(super) fn pass<T>(&self, items: impl Iterator<Item = Result<T>>) -> impl Iterator<Item = T> {
        items.filter_map(|item| self.note(item))
    }

    pub(super) fn charge(&self, bytes: usize, at: u64) -> Result<()> {
        self.budget.borrow_mut().charge(bytes, at)
    }
}

/// Bytes as hexadecimal text.
pub(super) struct Hex<'a>(pub(super) &'a [u8]);

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Digits<'a>(&'a [u8]);
        impl std::fmt::Display for Digits<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
        serializer.collect_str(&Digits(self.0))
    }
}

/// Halfwords as numbers.
pub(super) struct Halves<'a>(pub(super) &'a [U16]);

impl Serialize for Halves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|value| value.get()))
    }
}

#[derive(serde::Serialize)]
pub(super) struct At {
    pub(super) q: [u16; 3],
    pub(super) at: [f32; 3],
}

impl At {
    pub(super) fn new(position: &Position, frame: Frame) -> Self {
        Self { q: position.quantised(), at: frame.world(position) }
    }
}
