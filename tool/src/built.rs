//! Parts that a build of the program may lack.

use navmap::error::Error;

/// The error for a verb or a format that is not built in, with the command that builds it in.
pub(crate) fn missing(what: &'static str) -> Error {
    let why = "is not built into this navmap; with the sources at hand, this installs one that has it: \
               cargo install --locked --path tool --features full";
    Error::invalid(what, why)
}
