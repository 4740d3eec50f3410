//! What changed between two meshes: each change that is made is told, and nothing else.
#![cfg(all(feature = "diff", feature = "source", feature = "quake"))]

mod changes;
mod corpus;
#[cfg(all(feature = "edit", feature = "fox"))]
mod fox;
mod hostile;
#[cfg(all(feature = "edit", feature = "navjson"))]
mod merges;
#[cfg(all(feature = "edit", feature = "navjson"))]
mod quake;
#[cfg(feature = "edit")]
mod scripts;
#[cfg(all(feature = "edit", feature = "skyrim"))]
mod skyrim;
#[cfg(feature = "edit")]
mod thousand;

use navmap::format::{AnyNav, Options};
use navmap::graph::FlatGraph;

/// The graph of a file, which can be read.
fn flat(bytes: &[u8]) -> FlatGraph {
    AnyNav::parse(bytes, None, &Options::new()).unwrap().flat_graph().whole().unwrap()
}
