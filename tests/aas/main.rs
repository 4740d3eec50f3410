//! AAS files of the Quake III line.
#![cfg(feature = "aas")]

#[path = "../common/corpus.rs"]
mod common;
mod corpus;
#[cfg(feature = "serde")]
mod dump;
mod exhaust;
mod floors;
mod graph;
mod hostile;
mod real;
#[cfg(feature = "write")]
mod rewrite;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
