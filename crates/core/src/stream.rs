//! Lists that serialise straight from a walk. Every `Serialize` of a file view is built from them, so nothing is collected first.

mod real;

/// What any serialiser can take through one function that is compiled once, where the type is.
#[doc(no_inline)]
pub use erased_serde::Serialize as Stream;

#[doc(hidden)]
pub use real::Reals;

use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A list that is walked each time it is serialised; nothing is collected.
#[doc(hidden)]
#[derive(Debug)]
pub struct List<F>(pub F);

impl<I, F> Serialize for List<F>
where
    F: Fn() -> I,
    I: IntoIterator,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Flags as a number and as names: `{"bits": 5, "names": ["CROUCH", "PRECISE"]}`. Unnamed bits are only in the number.
#[doc(hidden)]
#[derive(Debug)]
pub struct Flags<I> {
    bits: u64,
    names: I,
}

#[allow(dead_code)]
impl<I: Iterator<Item = &'static str> + Clone> Flags<I> {
    #[doc(hidden)]
    pub fn new(bits: impl Into<u64>, names: I) -> Self {
        Self { bits: bits.into(), names }
    }
}

impl<I: Iterator<Item = &'static str> + Clone> Serialize for Flags<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Flags", 2)?;
        out.serialize_field("bits", &self.bits)?;
        out.serialize_field("names", &List(|| self.names.clone()))?;
        out.end()
    }
}
