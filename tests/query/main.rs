//! Queries against slow and simple answers: brute force, Dijkstra, and the engine's rules written down a second time.
#![cfg(feature = "query")]

#[cfg(feature = "source")]
mod engine;
#[cfg(feature = "source")]
mod source;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
