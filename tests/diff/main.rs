//! What changed between two meshes: each change that is made is told, and nothing else.
#![cfg(all(feature = "diff", feature = "source", feature = "quake"))]

mod changes;
mod corpus;
mod hostile;
#[cfg(all(feature = "edit", feature = "navjson"))]
mod quake;
#[cfg(feature = "edit")]
mod scripts;
#[cfg(feature = "edit")]
mod thousand;

use navmap::format::{AnyNav, Options};
use navmap::graph::FlatGraph;

/// The graph of a file, which can be read.
fn flat(bytes: &[u8]) -> FlatGraph {
    AnyNav::parse(bytes, None, &Options::new()).unwrap().flat_graph().whole().unwrap()
}
