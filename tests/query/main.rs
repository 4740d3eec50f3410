//! Queries against slow and simple answers: brute force, Dijkstra, and the engine's rules written down a second time.
#![cfg(feature = "query")]

#[cfg(all(feature = "world", feature = "first-move"))]
mod brute;
#[cfg(feature = "source")]
mod engine;
#[cfg(all(feature = "world", feature = "first-move"))]
mod families;
#[cfg(feature = "first-move")]
mod hostile;
#[cfg(all(feature = "world", feature = "first-move"))]
mod naive;
#[cfg(feature = "world")]
mod sets;
#[cfg(feature = "source")]
mod source;
#[cfg(all(feature = "world", feature = "first-move"))]
mod spots;
#[cfg(feature = "world")]
mod swap;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
