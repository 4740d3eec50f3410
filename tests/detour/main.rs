//! Tiles, sets, server maps, tile caches and Unity's meshes of Detour.
#![cfg(all(feature = "detour", feature = "edit"))]

#[path = "../common/corpus.rs"]
mod common;
mod corpus;
mod edit;
mod exhaust;
mod hostile;
mod joins;
mod maps;
mod real;
mod rewrite;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
