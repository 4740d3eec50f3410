//! AAS files of the Quake III line.
#![cfg(all(feature = "aas", feature = "edit"))]

#[path = "../common/corpus.rs"]
mod common;
mod corpus;
mod dump;
mod edit;
mod exhaust;
mod floors;
mod graph;
mod hostile;
mod real;
mod rewrite;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
