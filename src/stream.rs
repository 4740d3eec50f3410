//! Lists that are made while they are written: what every `Serialize` of a file view is built from.

#![forbid(unsafe_code)]

use serde::{Serialize, Serializer};

/// A list that is walked anew each time it is serialised; nothing is collected.
#[allow(dead_code)] // where no format is compiled in
pub(crate) struct List<F>(pub(crate) F);

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
