//! What changed between two meshes: each change that is made is told, and nothing else.
#![cfg(all(feature = "source", feature = "quake"))]

mod changes;
mod corpus;
#[cfg(feature = "fox")]
mod fox;
mod hostile;
mod maps;
mod matrix;
mod merges;
mod quake;
mod scripts;
#[cfg(feature = "skyrim")]
mod skyrim;
mod thousand;

use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::FlatGraph;

/// The graph of a file, which can be read.
fn flat(bytes: &[u8]) -> FlatGraph {
    AnyNav::parse(bytes, None, &ParseOptions::new()).unwrap().flat_graph().whole().unwrap()
}
